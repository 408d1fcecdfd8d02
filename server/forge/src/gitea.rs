//! Gitea's API, version 1, which Forgejo has too. It is shaped like GitHub's.

use crate::api::{Asked, ForgeApi, Place, Status, TreeAt, head_of};
use crate::commit::Words;
use crate::error::ForgeError;
use crate::github::{CommitAnswer, EntryAnswer, Named, TreeAnswer, state, tree_of};
use crate::http::{Api, segments};
use crate::object::Entry;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hyper::header::AUTHORIZATION;
use serde::Deserialize;
use serde_json::json;
use svc_outbound::Outbound;

const JSON: &str = "application/json";
/// Entries of a tree that one answer has, at most.
const PAGE: usize = 1_000;
/// Answers that one tree is put together from, at most.
const PAGES_MAX: usize = 20;
/// What JSON adds around a blob, in bytes.
const ENVELOPE_BYTES: usize = 4_096;

pub(crate) struct Gitea {
    api: Api,
    /// `/repos/owner/name`.
    root: String,
}

impl Gitea {
    pub(crate) fn new(http: &Outbound, place: &Place) -> Result<Gitea, ForgeError> {
        let credential = (AUTHORIZATION, format!("token {}", place.token));
        let api = Api::new(http, &place.api_base, place.is_named, credential)?;
        Ok(Gitea { api, root: format!("/repos/{}", segments(&place.repository)) })
    }
}

/// Gitea wraps what GitHub tells outright.
#[derive(Deserialize)]
struct Wrapped {
    commit: Inner,
    parents: Option<Vec<Named>>,
}

#[derive(Deserialize)]
struct Inner {
    #[serde(flatten)]
    answer: CommitAnswer,
}

impl ForgeApi for Gitea {
    fn commit<'a>(&'a self, id: &'a str) -> Asked<'a, (Words, Option<String>)> {
        Box::pin(async move {
            let path = format!("{}/git/commits/{id}?stat=false&files=false", self.root);
            let Wrapped { commit, parents } = self.api.get_json(&path, JSON).await?;
            Ok(CommitAnswer { parents, ..commit.answer }.words())
        })
    }

    fn tree<'a>(&'a self, at: TreeAt<'a>) -> Asked<'a, Vec<Entry>> {
        Box::pin(async move {
            let mut entries = Vec::new();
            for page in 1..=PAGES_MAX {
                let path = format!("{}/git/trees/{}?page={page}&per_page={PAGE}", self.root, tree_of(at)?);
                let answer: TreeAnswer = self.api.get_json(&path, JSON).await?;
                let is_last = !answer.truncated || answer.tree.is_empty();
                entries.extend(answer.tree.into_iter().map(EntryAnswer::entry));
                if is_last {
                    return Ok(entries);
                }
            }
            Err(ForgeError::too_large(format!("the folder `{}` has too many entries", at.path)))
        })
    }

    fn blob<'a>(&'a self, id: &'a str, most_bytes: usize) -> Asked<'a, bytes::Bytes> {
        #[derive(Deserialize)]
        struct Blob {
            content: String,
        }
        Box::pin(async move {
            // Base64 takes four bytes for three.
            let most = most_bytes.saturating_mul(2).saturating_add(ENVELOPE_BYTES);
            let answer = self.api.get(&format!("{}/git/blobs/{id}", self.root), JSON, most).await?;
            let Blob { content } = answer.json()?;
            let bytes =
                STANDARD.decode(content.replace('\n', "")).map_err(|error| ForgeError::form(&error.to_string()))?;
            Ok(bytes.into())
        })
    }

    fn head<'a>(&'a self, branch: &'a str) -> Asked<'a, Option<String>> {
        Box::pin(async move {
            let path = format!("{}/branches/{}", self.root, segments(branch));
            head_of(&self.api, &path).await
        })
    }

    fn set_status<'a>(&'a self, status: &'a Status) -> Asked<'a, ()> {
        Box::pin(async move {
            let body = json!({
                "state": state(status.state, "warning"), "context": status.context,
                "description": status.description, "target_url": status.target_url,
            });
            self.api.post(&format!("{}/statuses/{}", self.root, status.commit), JSON, &body).await?;
            Ok(())
        })
    }
}
