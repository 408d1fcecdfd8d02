//! A forge: the three APIs over one real repository, and what may go wrong with them as switches. Every answer is made from what
//! `git` itself says.

use crate::repository::git;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use jiff::Timestamp;
use serde_json::{Value as Json, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::net::TcpListener;

/// The access token that the forge takes.
pub const FORGE_TOKEN: &str = "forge-token-0123456789abcdef";
/// Entries of a tree that one answer has: few, so that the tests turn pages.
const GITEA_PAGE: usize = 2;

/// The dialects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// GitHub's.
    Github,
    /// GitLab's.
    Gitlab,
    /// Gitea's.
    Gitea,
}

/// All of them.
pub const DIALECTS: [Dialect; 3] = [Dialect::Github, Dialect::Gitlab, Dialect::Gitea];

impl Dialect {
    /// As `svc hook add --forge` has it.
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Github => "github",
            Dialect::Gitlab => "gitlab",
            Dialect::Gitea => "gitea",
        }
    }
}

/// What goes wrong with an answer.
#[derive(Clone, Debug)]
pub enum Fault {
    /// This status, with these headers.
    Status(u16, Vec<(&'static str, String)>),
    /// Another body than the true one.
    Body(Vec<u8>),
    /// The true answer with a text in it replaced.
    Replaced(String, String),
    /// The true answer, cut off in the middle.
    Cut,
    /// The true answer, after so long.
    Slow(Duration),
    /// So many bytes without an end.
    Flood(usize),
}

/// A fault that waits for a request.
struct Switch {
    /// What stands in the path of the request.
    path: String,
    fault: Fault,
    /// How often it strikes.
    times: usize,
}

/// A status that was set.
#[derive(Clone, Debug)]
pub struct SetStatus {
    /// The commit.
    pub commit: String,
    /// What it is about.
    pub context: String,
    /// What it says, as the dialect words it.
    pub state: String,
    /// The line.
    pub description: String,
    /// The link.
    pub target_url: String,
    /// When it came.
    pub at: Instant,
}

/// A request that came.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Method and path.
    pub line: String,
    /// The value of whatever header carries the credential.
    pub credential: String,
}

#[derive(Default)]
struct State {
    switches: Vec<Switch>,
    statuses: Vec<SetStatus>,
    asked: Vec<Asked>,
}

/// A running forge.
#[derive(Clone)]
pub struct TestForge {
    /// Its address.
    pub address: std::net::SocketAddr,
    repository: PathBuf,
    state: Arc<Mutex<State>>,
}

impl TestForge {
    /// Serves a repository on a free port of loopback, as long as the runtime lives.
    pub async fn start(repository: &Path) -> TestForge {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let forge = TestForge { address, repository: repository.to_owned(), state: Arc::default() };
        let serving = forge.clone();
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
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
        forge
    }

    /// Where the API of a dialect is.
    pub fn base(&self, dialect: Dialect) -> String {
        let version = if dialect == Dialect::Gitlab { "/api/v4" } else { "" };
        format!("http://{}/{}{version}", self.address, dialect.name())
    }

    /// Has something go wrong with the next requests whose path holds a text.
    pub fn fail(&self, path: &str, fault: Fault, times: usize) {
        self.state.lock().unwrap().switches.push(Switch { path: path.to_owned(), fault, times });
    }

    /// Lets all go well again.
    pub fn mend(&self) {
        self.state.lock().unwrap().switches.clear();
    }

    /// The statuses that were set, in order.
    pub fn statuses(&self) -> Vec<SetStatus> {
        self.state.lock().unwrap().statuses.clone()
    }

    /// The statuses of a commit and context, in order.
    pub fn statuses_of(&self, commit: &str, context: &str) -> Vec<SetStatus> {
        let all = self.statuses();
        all.into_iter().filter(|status| status.commit == commit && status.context == context).collect()
    }

    /// The requests that came, in order.
    pub fn asked(&self) -> Vec<Asked> {
        self.state.lock().unwrap().asked.clone()
    }

    /// Waits for the last word on a commit: any state but `pending`.
    pub async fn final_status(&self, commit: &str, context: &str) -> SetStatus {
        for _ in 0..1_200 {
            if let Some(last) = self.statuses_of(commit, context).pop().filter(|last| last.state != "pending") {
                return last;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        panic!("no final {context} of {commit}: {:#?}", self.statuses_of(commit, context));
    }

    async fn answer(&self, request: Request<Incoming>) -> Result<Response<Full<Bytes>>, std::io::Error> {
        let (parts, body) = request.into_parts();
        let path = parts.uri.path_and_query().unwrap().to_string();
        let body = body.collect().await.map(|body| body.to_bytes()).unwrap_or_default();
        let header = |name: &str| parts.headers.get(name).map(|value| value.to_str().unwrap().to_owned());
        let credential = header("authorization").or_else(|| header("private-token")).unwrap_or_default();
        let fault = {
            let mut state = self.state.lock().unwrap();
            state.asked.push(Asked { line: format!("{} {path}", parts.method), credential: credential.clone() });
            let found = state.switches.iter_mut().find(|switch| switch.times > 0 && path.contains(&switch.path));
            found.map(|switch| {
                switch.times -= 1;
                switch.fault.clone()
            })
        };
        let basic = format!("Basic {}", STANDARD.encode(format!("oauth2:{FORGE_TOKEN}")));
        if !credential.ends_with(FORGE_TOKEN) && credential != basic {
            return Ok(reply(401, json!({ "message": "Bad credentials" }).to_string()));
        }
        let told = || {
            let forge = self.clone();
            let (method, path, body) = (parts.method.clone(), path.clone(), body.clone());
            async move { tokio::task::spawn_blocking(move || forge.tell(&method, &path, &body)).await.unwrap() }
        };
        Ok(match fault {
            None => told().await,
            Some(Fault::Status(status, headers)) => {
                let mut response = reply(status, json!({ "message": "as the test wants it" }).to_string());
                for (name, value) in headers {
                    response.headers_mut().insert(name, value.parse().unwrap());
                }
                response
            }
            Some(Fault::Body(body)) => reply(200, body),
            Some(Fault::Replaced(from, to)) => {
                let (parts, body) = told().await.into_parts();
                let text = String::from_utf8(body.collect().await.unwrap().to_bytes().to_vec()).unwrap();
                assert!(text.contains(&from), "there is no {from:?} in {text}");
                Response::from_parts(parts, Full::new(text.replace(&from, &to).into()))
            }
            // An error of the service closes the connection; what was announced does not come.
            Some(Fault::Cut) => return Err(std::io::ErrorKind::BrokenPipe.into()),
            Some(Fault::Slow(wait)) => {
                tokio::time::sleep(wait).await;
                told().await
            }
            Some(Fault::Flood(bytes)) => reply(200, vec![b' '; bytes]),
        })
    }

    /// The true answer.
    fn tell(&self, method: &Method, path: &str, body: &[u8]) -> Response<Full<Bytes>> {
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let parts: Vec<String> = path.split('/').skip(1).map(unescaped).collect();
        let mut parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        if parts.starts_with(&["gitlab", "api", "v4"]) {
            parts.drain(1..3);
        }
        let found = match (method, parts.as_slice()) {
            (&Method::POST, ["github" | "gitea", "repos", _, _, "statuses", commit]) => {
                self.set(commit, "context", body)
            }
            (&Method::POST, ["gitlab", _, _, "git-upload-pack"]) => return self.upload_pack(body),
            (&Method::POST, ["gitlab", "projects", _, "statuses", commit]) => self.set(commit, "name", body),
            (_, ["github", "repos", _, _, "git", "commits", id]) => self.commit(id, true),
            (_, ["gitea", "repos", _, _, "git", "commits", id]) => self
                .commit(id, false)
                .map(|commit| json!({ "sha": id, "parents": commit["parents"], "commit": commit })),
            (_, ["github", "repos", _, _, "git", "trees", id]) => {
                self.tree(id).map(|entries| json!({ "sha": id, "tree": entries, "truncated": false }))
            }
            (_, ["gitea", "repos", _, _, "git", "trees", id]) => self.tree(id).map(|entries| {
                let page: usize = parameter(query, "page").parse().unwrap();
                let rest: Vec<Json> = entries.into_iter().skip((page - 1) * GITEA_PAGE).collect();
                let (truncated, tree) =
                    (rest.len() > GITEA_PAGE, rest.into_iter().take(GITEA_PAGE).collect::<Vec<_>>());
                json!({ "sha": id, "tree": tree, "truncated": truncated, "page": page })
            }),
            (_, ["github", "repos", _, _, "git", "blobs", id]) => return self.raw(id),
            (_, ["gitea", "repos", _, _, "git", "blobs", id]) => self
                .object("blob", id)
                .map(|bytes| json!({ "sha": id, "encoding": "base64", "content": STANDARD.encode(bytes) })),
            (_, ["github", "repos", _, _, "git", "ref", "heads", branch @ ..]) => self
                .branch(&branch.join("/"))
                .map(|id| json!({ "ref": "x", "object": { "sha": id, "type": "commit" } })),
            (_, ["gitea", "repos", _, _, "branches", branch @ ..]) => {
                self.branch(&branch.join("/")).map(|id| json!({ "name": "x", "commit": { "id": id } }))
            }
            (_, ["gitlab", "projects", _, "repository", "commits", id]) => self.commit(id, false).map(|commit| {
                let parents =
                    commit["parents"].as_array().unwrap().iter().map(|one| one["sha"].clone()).collect::<Json>();
                json!({
                    "id": id, "parent_ids": parents, "message": commit["message"],
                    "author_name": commit["author"]["name"], "author_email": commit["author"]["email"],
                    "authored_date": commit["author"]["date"], "committer_name": commit["committer"]["name"],
                    "committer_email": commit["committer"]["email"], "committed_date": commit["committer"]["date"],
                })
            }),
            (_, ["gitlab", "projects", _, "repository", "tree"]) => {
                let (commit, below) = (parameter(query, "ref"), parameter(query, "path"));
                let page: usize = parameter(query, "page").parse().unwrap();
                let per_page: usize = parameter(query, "per_page").parse().unwrap();
                self.tree(&format!("{commit}:{below}")).map(|mut entries| {
                    // GitLab tells directories first.
                    entries.sort_by_key(|entry| entry["type"] != "tree");
                    let page = entries.into_iter().skip((page - 1) * per_page).take(per_page);
                    page.map(|entry| json!({ "id": entry["sha"], "name": entry["path"], "type": entry["type"], "mode": entry["mode"] })).collect()
                })
            }
            (_, ["gitlab", "projects", _, "repository", "blobs", id, "raw"]) => return self.raw(id),
            (_, ["gitlab", "projects", _, "repository", "branches", branch]) => {
                self.branch(branch).map(|id| json!({ "name": branch, "commit": { "id": id } }))
            }
            _ => None,
        };
        match found {
            Some(found) => reply(if method == Method::POST { 201 } else { 200 }, found.to_string()),
            None => reply(404, json!({ "message": "Not Found" }).to_string()),
        }
    }

    fn set(&self, commit: &str, context: &str, body: &[u8]) -> Option<Json> {
        let body: Json = serde_json::from_slice(body).unwrap();
        let text = |name: &str| body[name].as_str().unwrap_or_default().to_owned();
        let status = SetStatus {
            commit: commit.to_owned(),
            context: text(context),
            state: text("state"),
            description: text("description"),
            target_url: text("target_url"),
            at: Instant::now(),
        };
        assert!(status.description.chars().count() <= 140, "GitHub takes no longer one: {status:?}");
        self.state.lock().unwrap().statuses.push(status);
        Some(json!({ "id": 1 }))
    }

    fn object(&self, kind: &str, id: &str) -> Option<Vec<u8>> {
        git(&self.repository, &["cat-file", kind, id], &[]).ok()
    }

    /// What git itself answers.
    fn upload_pack(&self, body: &[u8]) -> Response<Full<Bytes>> {
        let arguments = [
            "-c",
            "uploadpack.allowFilter=true",
            "-c",
            "uploadpack.allowAnySHA1InWant=true",
            "upload-pack",
            "--stateless-rpc",
            ".",
        ];
        let mut command = std::process::Command::new("git");
        command.arg("-C").arg(&self.repository).args(arguments).env("GIT_PROTOCOL", "version=2");
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(body).unwrap();
        reply(200, child.wait_with_output().unwrap().stdout)
    }

    fn raw(&self, id: &str) -> Response<Full<Bytes>> {
        self.object("blob", id).map_or_else(|| reply(404, "{}"), |bytes| reply(200, bytes))
    }

    fn branch(&self, branch: &str) -> Option<String> {
        let printed =
            git(&self.repository, &["rev-parse", "--verify", "--quiet", &format!("refs/heads/{branch}")], &[]);
        printed.ok().map(|printed| String::from_utf8(printed).unwrap().trim().to_owned())
    }

    /// A commit as GitHub tells it: moments in UTC, no line feed at the message's end. The others tell moments as they are.
    fn commit(&self, id: &str, as_github: bool) -> Option<Json> {
        let text = String::from_utf8(self.object("commit", id)?).unwrap();
        let (headers, message) = text.split_once("\n\n").unwrap();
        let all = |name: &str| {
            let name = format!("{name} ");
            headers.lines().filter_map(move |line| line.strip_prefix(&name).map(str::to_owned)).collect::<Vec<_>>()
        };
        let parents: Vec<Json> = all("parent").iter().map(|id| json!({ "sha": id })).collect();
        let message = if as_github { message.trim_end() } else { message };
        let verification = signed(headers, message, text.split_once("\n\n").unwrap().1);
        Some(json!({
            "sha": id, "tree": { "sha": all("tree")[0] }, "parents": parents, "message": message,
            "author": person(&all("author")[0], as_github), "committer": person(&all("committer")[0], as_github),
            "verification": verification,
        }))
    }

    fn tree(&self, name: &str) -> Option<Vec<Json>> {
        let printed = git(&self.repository, &["ls-tree", "-l", "-z", name], &[]).ok()?;
        let printed = String::from_utf8(printed).unwrap();
        let entry = |line: &str| {
            let (words, path) = line.split_once('\t').unwrap();
            let words: Vec<&str> = words.split_whitespace().collect();
            json!({ "mode": words[0], "type": words[1], "sha": words[2], "size": words[3].parse::<u64>().ok(), "path": path })
        };
        Some(printed.split('\0').filter(|line| !line.is_empty()).map(entry).collect())
    }
}

/// What GitHub and Gitea tell of a signature.
fn signed(headers: &str, _: &str, message: &str) -> Json {
    let Some((before, rest)) = headers.split_once("\ngpgsig ") else {
        return json!({ "verified": false, "reason": "unsigned", "signature": null, "payload": null });
    };
    let signature = rest.lines().map(|line| line.strip_prefix(' ').unwrap_or(line)).collect::<Vec<_>>().join("\n");
    json!({ "verified": false, "signature": signature, "payload": format!("{before}\n\n{message}") })
}

/// `Name <mail> second zone`.
fn person(line: &str, as_utc: bool) -> Json {
    let (name, rest) = line.split_once(" <").unwrap();
    let (email, rest) = rest.split_once("> ").unwrap();
    let (second, zone) = rest.split_once(' ').unwrap();
    let moment = Timestamp::from_second(second.parse().unwrap()).unwrap();
    let (sign, digits) = zone.split_at(1);
    let minutes: i32 = digits[..2].parse::<i32>().unwrap() * 60 + digits[2..].parse::<i32>().unwrap();
    let minutes = if sign == "-" { -minutes } else { minutes };
    let date = if as_utc {
        moment.to_string()
    } else {
        let shown = (moment + jiff::SignedDuration::from_mins(minutes.into())).to_string();
        format!("{}{sign}{}:{}", shown.trim_end_matches('Z'), &digits[..2], &digits[2..])
    };
    json!({ "name": name, "email": email, "date": date })
}

fn reply(status: u16, body: impl Into<Bytes>) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(body.into()));
    *response.status_mut() = StatusCode::from_u16(status).unwrap();
    response
}

fn parameter(query: &str, name: &str) -> String {
    let found = query.split('&').find_map(|pair| pair.split_once('=').filter(|(known, _)| *known == name));
    unescaped(found.map_or("", |(_, value)| value))
}

fn unescaped(text: &str) -> String {
    let bytes = text.as_bytes();
    let (mut plain, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        if bytes[at] == b'%' {
            plain.push(u8::from_str_radix(&text[at + 1..at + 3], 16).unwrap());
            at += 3;
        } else {
            plain.push(bytes[at]);
            at += 1;
        }
    }
    String::from_utf8(plain).unwrap()
}
