//! A small forge for the demo: GitHub's API over one bare repository on this machine, as far as the service asks for it, and a hook
//! that tells the service of each push.

use crate::git::git;
use crate::global::Exit;
use crate::output::CommandError;
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::CONTENT_TYPE;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::client::legacy::Client;
use hyper_util::rt::{TokioExecutor, TokioIo};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use svc_core::secrets::hmac_sha256;
use tokio::net::TcpListener;

/// How often the forge looks for what was pushed, in milliseconds.
const LOOK_MS: u64 = 100;
/// The repository's name.
pub(super) const REPOSITORY: &str = "demo/croncloud";
/// Where a branch stood that is new.
const NOWHERE: &str = "0000000000000000000000000000000000000000";

/// A status that was set: state and description.
pub(super) type SetStatus = (String, String, String);

/// The forge.
#[derive(Clone)]
pub(super) struct Forge {
    pub(super) address: SocketAddr,
    repository: PathBuf,
    /// By commit and context: state, description, link.
    statuses: Arc<Mutex<BTreeMap<(String, String), SetStatus>>>,
}

impl Forge {
    /// Serves a bare repository on a free port of this machine.
    pub(super) async fn start(repository: &Path) -> Result<Forge, CommandError> {
        let unbound =
            |error: std::io::Error| CommandError::new(Exit::Unreachable, "ADDRESS_UNAVAILABLE", error.to_string());
        let listener = TcpListener::bind("127.0.0.1:0").await.map_err(unbound)?;
        let address = listener.local_addr().map_err(unbound)?;
        let forge = Forge { address, repository: repository.to_owned(), statuses: Arc::default() };
        let serving = forge.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let forge = serving.clone();
                let service = service_fn(move |request| {
                    let forge = forge.clone();
                    async move { forge.answer(request).await }
                });
                tokio::spawn(
                    hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service),
                );
            }
        });
        Ok(forge)
    }

    /// Tells the service of each branch that is moved, as long as the program runs.
    pub(super) fn watch(&self, hook: String, secret: String) {
        let forge = self.clone();
        tokio::spawn(async move {
            let mut known = BTreeMap::new();
            let mut deliveries = 0_u64;
            loop {
                let now = forge.branches();
                for (branch, commit) in now.iter().filter(|(branch, commit)| known.get(*branch) != Some(*commit)) {
                    deliveries = deliveries.saturating_add(1);
                    let before = known.get(branch).map_or(NOWHERE, String::as_str);
                    if let Err(error) = forge.deliver(&hook, &secret, (branch, before, commit), deliveries).await {
                        tracing::warn!(error, "the demo's forge could not deliver");
                    }
                }
                known = now;
                tokio::time::sleep(Duration::from_millis(LOOK_MS)).await;
            }
        });
    }

    /// The last word on a commit and context.
    pub(super) fn status(&self, commit: &str, context: &str) -> Option<SetStatus> {
        let statuses = self.statuses.lock().unwrap_or_else(PoisonError::into_inner);
        statuses.get(&(commit.to_owned(), context.to_owned())).filter(|(state, _, _)| state != "pending").cloned()
    }

    fn git(&self, arguments: &[&str]) -> Option<Vec<u8>> {
        git(&self.repository, arguments, &[]).ok()
    }

    fn text(&self, arguments: &[&str]) -> Option<String> {
        String::from_utf8(self.git(arguments)?).ok()
    }

    fn branches(&self) -> BTreeMap<String, String> {
        let listing =
            self.text(&["for-each-ref", "--format=%(refname:short) %(objectname)", "refs/heads"]).unwrap_or_default();
        let pairs = listing.lines().filter_map(|line| line.rsplit_once(' '));
        pairs.map(|(branch, commit)| (branch.to_owned(), commit.to_owned())).collect()
    }

    async fn deliver(
        &self,
        hook: &str,
        secret: &str,
        (branch, before, commit): (&str, &str, &str),
        delivery: u64,
    ) -> Result<(), String> {
        let message = self.text(&["log", "-1", "--format=%B", commit]).unwrap_or_default();
        let body = json!({
            "ref": format!("refs/heads/{branch}"), "before": before, "after": commit, "deleted": false,
            "repository": { "full_name": REPOSITORY, "default_branch": "main" },
            "head_commit": { "id": commit, "message": message },
        })
        .to_string();
        let mac = hmac_sha256(secret.as_bytes(), &[body.as_bytes()]).unwrap_or_default();
        let mac = mac.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"));
        let request = Request::post(hook)
            .header(CONTENT_TYPE, "application/json")
            .header("x-github-event", "push")
            .header("x-github-delivery", format!("demo-{delivery}"))
            .header("x-hub-signature-256", format!("sha256={mac}"))
            .body(Full::new(Bytes::from(body)))
            .map_err(|error| error.to_string())?;
        let client = Client::builder(TokioExecutor::new()).build_http();
        let answer = client.request(request).await.map_err(|error| error.to_string())?;
        if answer.status().is_success() { Ok(()) } else { Err(format!("the hook answers {}", answer.status())) }
    }

    async fn answer(&self, request: Request<Incoming>) -> Result<Response<Full<Bytes>>, hyper::Error> {
        let (parts, body) = request.into_parts();
        let path = parts.uri.path().trim_start_matches("/repos/").trim_start_matches(REPOSITORY).to_owned();
        let found = match (&parts.method, path.trim_start_matches('/').split('/').collect::<Vec<_>>().as_slice()) {
            (&Method::POST, ["statuses", commit]) => {
                let body = body.collect().await?.to_bytes();
                serde_json::from_slice(&body).ok().map(|body: Json| self.set(commit, &body))
            }
            (_, ["git", "blobs", id]) => return Ok(reply(self.git(&["cat-file", "blob", id]))),
            (_, ["git", "trees", id]) => self.tree(id),
            (_, ["git", "commits", id]) => self.commit(id),
            (_, ["git", "ref", "heads", branch @ ..]) => {
                let commit = self.text(&["rev-parse", "--verify", &format!("refs/heads/{}", branch.join("/"))]);
                commit.map(|commit| json!({ "object": { "sha": commit.trim() } }))
            }
            _ => None,
        };
        Ok(reply(found.map(|found| found.to_string().into_bytes())))
    }

    fn set(&self, commit: &str, body: &Json) -> Json {
        let text = |name: &str| body.get(name).and_then(Json::as_str).unwrap_or_default().to_owned();
        let said = (text("state"), text("description"), text("target_url"));
        self.statuses.lock().unwrap_or_else(PoisonError::into_inner).insert((commit.to_owned(), text("context")), said);
        json!({})
    }

    fn tree(&self, id: &str) -> Option<Json> {
        let listing = self.text(&["ls-tree", "-z", id])?;
        let entry = |line: &str| {
            let (words, path) = line.split_once('\t')?;
            let mut words = words.split(' ');
            let (mode, kind, sha) = (words.next()?, words.next()?, words.next()?);
            Some(json!({ "mode": mode, "type": kind, "sha": sha, "path": path }))
        };
        Some(json!({ "tree": listing.split('\0').filter_map(entry).collect::<Vec<_>>() }))
    }

    fn commit(&self, id: &str) -> Option<Json> {
        let format = "--format=%T%n%P%n%an%n%ae%n%aI%n%cn%n%ce%n%cI%n%B";
        let text = self.text(&["log", "-1", format, id])?;
        let mut lines = text.splitn(9, '\n');
        let mut next = || lines.next();
        let (tree, parents) = (next()?, next()?);
        let (author, committer) = ((next()?, next()?, next()?), (next()?, next()?, next()?));
        let person = |(name, email, date): (&str, &str, &str)| json!({ "name": name, "email": email, "date": date });
        let parents: Vec<Json> =
            parents.split(' ').filter(|id| !id.is_empty()).map(|id| json!({ "sha": id })).collect();
        let message = next()?.trim_end();
        Some(json!({
            "tree": { "sha": tree }, "parents": parents, "author": person(author), "committer": person(committer), "message": message,
        }))
    }
}

fn reply(body: Option<Vec<u8>>) -> Response<Full<Bytes>> {
    let is_found = body.is_some();
    let mut response = Response::new(Full::new(Bytes::from(body.unwrap_or_else(|| b"{}".to_vec()))));
    if !is_found {
        *response.status_mut() = StatusCode::NOT_FOUND;
    }
    response
}
