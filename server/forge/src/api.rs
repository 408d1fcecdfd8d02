//! What is asked of a forge, whichever it is.

use crate::commit::Words;
use crate::error::ForgeError;
use crate::http::Api;
use crate::object::Entry;
use bytes::Bytes;
use serde::Deserialize;
use std::future::Future;
use std::pin::Pin;

/// Where a repository is, and with what it is opened.
#[derive(Clone)]
pub struct Place {
    /// Where the forge's API is, without a slash at the end.
    pub api_base: String,
    /// The repository's path there.
    pub repository: String,
    /// The access token.
    pub token: String,
    /// Whether the operator named the host: it may have a private address then, and speak HTTP without TLS.
    pub is_named: bool,
}

/// What a commit's status says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatusState {
    /// Work is under way.
    Pending,
    /// All is well.
    Success,
    /// What was pushed is wrong.
    Failure,
    /// Something else went wrong.
    Error,
    /// A newer commit took its place.
    Superseded,
}

/// A commit's status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// The commit.
    pub commit: String,
    /// What it is about.
    pub context: String,
    /// What it says.
    pub state: StatusState,
    /// The same, in a line.
    pub description: String,
    /// Where one reads more.
    pub target_url: Option<String>,
}

/// What is asked, on its way.
pub(crate) type Asked<'a, T> = Pin<Box<dyn Future<Output = Result<T, ForgeError>> + Send + 'a>>;

/// A directory of a commit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TreeAt<'a> {
    pub(crate) commit: &'a str,
    /// From the root; empty for the root itself.
    pub(crate) path: &'a str,
    /// The tree's id, where it is known.
    pub(crate) id: Option<&'a str>,
}

/// A forge's API, as far as it is needed. What it answers is not checked yet.
pub(crate) trait ForgeApi: Send + Sync {
    /// What the forge says about a commit, and its tree's id where it tells that.
    fn commit<'a>(&'a self, id: &'a str) -> Asked<'a, (Words, Option<String>)>;

    /// A commit's own text, where the forge's words may lack a part of it; nothing where they don't.
    fn commit_text<'a>(&'a self, _id: &'a str) -> Asked<'a, Option<Vec<u8>>> {
        Box::pin(async { Ok(None) })
    }

    /// The entries of a directory.
    fn tree<'a>(&'a self, at: TreeAt<'a>) -> Asked<'a, Vec<Entry>>;

    /// A file's bytes, at most so many.
    fn blob<'a>(&'a self, id: &'a str, most_bytes: usize) -> Asked<'a, Bytes>;

    /// The commit that a branch stands at; nothing where there is no such branch.
    fn head<'a>(&'a self, branch: &'a str) -> Asked<'a, Option<String>>;

    /// Sets a commit's status. Setting the same one again is well.
    fn set_status<'a>(&'a self, status: &'a Status) -> Asked<'a, ()>;
}

/// A branch, as GitLab and Gitea tell it.
#[derive(Deserialize)]
struct Branch {
    commit: Tip,
}

#[derive(Deserialize)]
struct Tip {
    id: String,
}

/// Where a branch stands that is at a path; nothing where it is not.
pub(crate) async fn head_of(api: &Api, path: &str) -> Result<Option<String>, ForgeError> {
    Ok(maybe(api.get_json::<Branch>(path, "application/json").await)?.map(|branch| branch.commit.id))
}

/// Nothing for what is not there.
pub(crate) fn maybe<T>(found: Result<T, ForgeError>) -> Result<Option<T>, ForgeError> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.code == "FORGE_NOT_FOUND" => Ok(None),
        Err(error) => Err(error),
    }
}
