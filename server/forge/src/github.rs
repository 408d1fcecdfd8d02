//! GitHub's REST API, version 2022-11-28; its Enterprise Server's too.

use crate::api::{Asked, ForgeApi, Place, Status, StatusState, TreeAt, maybe};
use crate::commit::{Person, Words};
use crate::error::ForgeError;
use crate::http::{Api, segments};
use crate::object::Entry;
use hyper::header::AUTHORIZATION;
use serde::Deserialize;
use serde_json::json;
use svc_outbound::Outbound;

const JSON: &str = "application/vnd.github+json";
const RAW: &str = "application/vnd.github.raw+json";

pub(crate) struct Github {
    api: Api,
    /// `/repos/owner/name`.
    root: String,
}

impl Github {
    pub(crate) fn new(http: &Outbound, place: &Place) -> Result<Github, ForgeError> {
        let credential = (AUTHORIZATION, format!("Bearer {}", place.token));
        let api = Api::new(http, &place.api_base, place.is_named, credential)?;
        Ok(Github { api, root: format!("/repos/{}", segments(&place.repository)) })
    }
}

/// A commit, as GitHub and Gitea tell it.
#[derive(Deserialize)]
pub(crate) struct CommitAnswer {
    pub(crate) tree: Named,
    pub(crate) parents: Option<Vec<Named>>,
    pub(crate) author: Person,
    pub(crate) committer: Person,
    pub(crate) message: String,
    pub(crate) verification: Option<Verification>,
}

#[derive(Deserialize)]
pub(crate) struct Named {
    pub(crate) sha: String,
}

#[derive(Deserialize)]
pub(crate) struct Verification {
    signature: Option<String>,
    payload: Option<String>,
}

impl CommitAnswer {
    pub(crate) fn words(self) -> (Words, Option<String>) {
        let CommitAnswer { tree, parents, author, committer, message, verification } = self;
        let signed = verification.and_then(|verification| verification.payload.zip(verification.signature));
        let signed = signed.filter(|(payload, signature)| !payload.is_empty() && !signature.is_empty());
        let parents = parents.unwrap_or_default().into_iter().map(|parent| parent.sha).collect();
        (Words { parents, author, committer, message, signed }, Some(tree.sha))
    }
}

/// A tree, as GitHub and Gitea tell it.
#[derive(Deserialize)]
pub(crate) struct TreeAnswer {
    #[serde(default)]
    pub(crate) tree: Vec<EntryAnswer>,
    #[serde(default)]
    pub(crate) truncated: bool,
}

#[derive(Deserialize)]
pub(crate) struct EntryAnswer {
    path: String,
    mode: String,
    sha: String,
    size: Option<u64>,
}

impl EntryAnswer {
    pub(crate) fn entry(self) -> Entry {
        let mode = self.mode.trim_start_matches('0').to_owned();
        Entry { mode, name: self.path, id: self.sha, size: self.size }
    }
}

/// Nothing is said of a tree whose id is not known.
pub(crate) fn tree_of<'a>(at: TreeAt<'a>) -> Result<&'a str, ForgeError> {
    at.id.ok_or_else(|| ForgeError::form("a commit without a tree"))
}

/// A status' name with GitHub; `gone_by` is what it calls one whose commit was overtaken.
pub(crate) fn state(state: StatusState, gone_by: &'static str) -> &'static str {
    match state {
        StatusState::Pending => "pending",
        StatusState::Success => "success",
        StatusState::Failure => "failure",
        StatusState::Error => "error",
        StatusState::Superseded => gone_by,
    }
}

impl ForgeApi for Github {
    fn commit<'a>(&'a self, id: &'a str) -> Asked<'a, (Words, Option<String>)> {
        Box::pin(async move {
            let answer: CommitAnswer = self.api.get_json(&format!("{}/git/commits/{id}", self.root), JSON).await?;
            Ok(answer.words())
        })
    }

    fn tree<'a>(&'a self, at: TreeAt<'a>) -> Asked<'a, Vec<Entry>> {
        Box::pin(async move {
            let answer: TreeAnswer =
                self.api.get_json(&format!("{}/git/trees/{}", self.root, tree_of(at)?), JSON).await?;
            if answer.truncated {
                return Err(ForgeError::too_large(format!("the folder `{}` has too many entries", at.path)));
            }
            Ok(answer.tree.into_iter().map(EntryAnswer::entry).collect())
        })
    }

    fn blob<'a>(&'a self, id: &'a str, most_bytes: usize) -> Asked<'a, bytes::Bytes> {
        Box::pin(async move {
            let answer = self.api.get(&format!("{}/git/blobs/{id}", self.root), RAW, most_bytes).await?;
            Ok(answer.body)
        })
    }

    fn head<'a>(&'a self, branch: &'a str) -> Asked<'a, Option<String>> {
        #[derive(Deserialize)]
        struct Reference {
            object: Named,
        }
        Box::pin(async move {
            let path = format!("{}/git/ref/heads/{}", self.root, segments(branch));
            let found = maybe(self.api.get_json::<Reference>(&path, JSON).await)?;
            Ok(found.map(|found| found.object.sha))
        })
    }

    fn set_status<'a>(&'a self, status: &'a Status) -> Asked<'a, ()> {
        Box::pin(async move {
            let body = json!({
                "state": state(status.state, "error"), "context": status.context,
                "description": status.description, "target_url": status.target_url,
            });
            self.api.post(&format!("{}/statuses/{}", self.root, status.commit), JSON, &body).await?;
            Ok(())
        })
    }
}
