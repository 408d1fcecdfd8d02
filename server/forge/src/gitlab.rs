//! GitLab's REST API, version 4.

use crate::api::{Asked, ForgeApi, Place, Status, StatusState, TreeAt, head_of};
use crate::commit::{Person, Words};
use crate::error::ForgeError;
use crate::http::{Api, segment, segments};
use crate::object::Entry;
use crate::pack::{self, PACK_MAX_BYTES};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hyper::header::{AUTHORIZATION, HeaderName};
use serde::Deserialize;
use serde_json::json;
use svc_outbound::Outbound;

const JSON: &str = "application/json";
/// Entries of a tree that one answer has: GitLab gives no more.
const PAGE: usize = 100;
/// Answers that one tree is put together from, at most.
const PAGES_MAX: usize = 100;
/// What GitLab answers to a status that is set already.
const UNCHANGED_STATUS: &str = "Cannot transition status";

/// What the address of GitLab's API ends in; its repositories lie beside it.
const API_PATH: &str = "/api/v4";

pub(crate) struct Gitlab {
    api: Api,
    /// The repository by git's own protocol, at the same host; nothing where the API's address does not tell.
    git: Option<(Api, String)>,
    /// `/projects/group%2Fname`.
    root: String,
}

impl Gitlab {
    pub(crate) fn new(http: &Outbound, place: &Place) -> Result<Gitlab, ForgeError> {
        let credential = (HeaderName::from_static("private-token"), place.token.clone());
        let api = Api::new(http, &place.api_base, place.is_named, credential)?;
        let basic = format!("Basic {}", STANDARD.encode(format!("oauth2:{}", place.token)));
        let git = place.api_base.strip_suffix(API_PATH).map(|web| {
            let api = Api::new(http, web, place.is_named, (AUTHORIZATION, basic))?;
            Ok::<_, ForgeError>((api, format!("/{}.git/git-upload-pack", segments(&place.repository))))
        });
        Ok(Gitlab { api, git: git.transpose()?, root: format!("/projects/{}", segment(&place.repository)) })
    }
}

#[derive(Deserialize)]
struct CommitAnswer {
    #[serde(default)]
    parent_ids: Vec<String>,
    author_name: String,
    author_email: String,
    authored_date: String,
    committer_name: String,
    committer_email: String,
    committed_date: String,
    message: String,
}

#[derive(Deserialize)]
struct EntryAnswer {
    id: String,
    name: String,
    mode: String,
}

impl ForgeApi for Gitlab {
    fn commit<'a>(&'a self, id: &'a str) -> Asked<'a, (Words, Option<String>)> {
        Box::pin(async move {
            let path = format!("{}/repository/commits/{id}?stats=false", self.root);
            let answer: CommitAnswer = self.api.get_json(&path, JSON).await?;
            let author = Person { name: answer.author_name, email: answer.author_email, date: answer.authored_date };
            let (name, email) = (answer.committer_name, answer.committer_email);
            let committer = Person { name, email, date: answer.committed_date };
            // GitLab does not tell the tree: the one that its entries make is checked.
            let (parents, message) = (answer.parent_ids, answer.message);
            Ok((Words { parents, author, committer, message, signed: None }, None))
        })
    }

    /// GitLab does not tell a signed commit's signature.
    fn commit_text<'a>(&'a self, id: &'a str) -> Asked<'a, Option<Vec<u8>>> {
        Box::pin(async move {
            let Some((git, path)) = &self.git else { return Ok(None) };
            let answer = git.upload_pack(path, pack::request(id), PACK_MAX_BYTES).await?;
            pack::commit(&answer.body).map(Some)
        })
    }

    fn tree<'a>(&'a self, at: TreeAt<'a>) -> Asked<'a, Vec<Entry>> {
        Box::pin(async move {
            let mut entries = Vec::new();
            for page in 1..=PAGES_MAX {
                let (root, commit, below) = (&self.root, at.commit, segment(at.path));
                let path = format!("{root}/repository/tree?ref={commit}&path={below}&per_page={PAGE}&page={page}");
                let answer: Vec<EntryAnswer> = self.api.get_json(&path, JSON).await?;
                let is_last = answer.len() < PAGE;
                entries.extend(answer.into_iter().map(|entry| {
                    let mode = entry.mode.trim_start_matches('0').to_owned();
                    Entry { mode, name: entry.name, id: entry.id, size: None }
                }));
                if is_last {
                    return Ok(entries);
                }
            }
            Err(ForgeError::too_large(format!("the folder `{}` has too many entries", at.path)))
        })
    }

    fn blob<'a>(&'a self, id: &'a str, most_bytes: usize) -> Asked<'a, bytes::Bytes> {
        Box::pin(async move {
            let answer = self.api.get(&format!("{}/repository/blobs/{id}/raw", self.root), "*/*", most_bytes).await?;
            Ok(answer.body)
        })
    }

    fn head<'a>(&'a self, branch: &'a str) -> Asked<'a, Option<String>> {
        Box::pin(async move {
            let path = format!("{}/repository/branches/{}", self.root, segment(branch));
            head_of(&self.api, &path).await
        })
    }

    fn set_status<'a>(&'a self, status: &'a Status) -> Asked<'a, ()> {
        Box::pin(async move {
            let state = match status.state {
                StatusState::Pending => "pending",
                StatusState::Success => "success",
                StatusState::Failure | StatusState::Error => "failed",
                StatusState::Superseded => "canceled",
            };
            let body = json!({
                "state": state, "name": status.context, "description": status.description, "target_url": status.target_url,
            });
            match self.api.post(&format!("{}/statuses/{}", self.root, status.commit), JSON, &body).await {
                // It was set before, and the answer was lost.
                Err(error) if error.message.contains(UNCHANGED_STATUS) => Ok(()),
                answered => answered.map(drop),
            }
        })
    }
}
