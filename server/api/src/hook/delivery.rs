//! A delivery as its forge words it. What is merely unwanted says why; what is not of its form is an error.

use crate::edge::strict;
use hyper::HeaderMap;
use hyper::header::CONTENT_TYPE;
use percent_encoding::percent_decode_str;
use serde::Deserialize;
use svc_core::pushes::{Arrival, Content, Moved};
use svc_store::records::ForgeKind;

/// The id of no commit: where a branch stood that is new, and where one stands that is gone.
const NO_COMMIT: &str = "0000000000000000000000000000000000000000";
/// Characters of a commit's id where a repository is named by SHA-256.
const SHA256_CHARS: usize = 64;
/// Commits that GitHub lists of one push, at most; of a longer one it leaves some out.
const GITHUB_COMMITS_MAX: usize = 2_048;

/// Reads a delivery.
pub(super) fn read(forge: ForgeKind, headers: &HeaderMap, body: &[u8]) -> Result<Arrival, String> {
    let first = |names: &[&str]| {
        names.iter().find_map(|name| headers.get(*name)?.to_str().ok()).map(|text| text.trim().to_owned())
    };
    let (ids, events): (&[&str], &[&str]) = match forge {
        ForgeKind::Github => (&["x-github-delivery"], &["x-github-event"]),
        ForgeKind::Gitlab => (&["webhook-id", "idempotency-key", "x-gitlab-event-uuid"], &["x-gitlab-event"]),
        ForgeKind::Gitea => (
            &["x-forgejo-delivery", "x-gitea-delivery", "x-github-delivery"],
            &["x-forgejo-event", "x-gitea-event", "x-github-event"],
        ),
    };
    let missing = |names: &[&str]| format!("the delivery has no header {}", names.join(" or "));
    let delivery = first(ids).filter(|id| !id.is_empty()).ok_or_else(|| missing(ids))?;
    let event = first(events).filter(|event| !event.is_empty()).ok_or_else(|| missing(events))?;
    let content = match (forge, event.as_str()) {
        (ForgeKind::Gitlab, "Push Hook") | (ForgeKind::Github | ForgeKind::Gitea, "push") => {
            let body = json(headers, body)?;
            strict::check(&body).map_err(|error| format!("the push is not of its form: {error}"))?;
            let push: PushBody =
                serde_json::from_slice(&body).map_err(|error| format!("the push is not of its form: {error}"))?;
            push.content(forge)?
        }
        (_, "ping") => Content::Nothing("the hook is set up".to_owned()),
        (_, "Tag Push Hook") => Content::Nothing("a tag is nothing to build".to_owned()),
        (_, other) => Content::Nothing(format!("the event {other:?} is nothing to build")),
    };
    Ok(Arrival { delivery, event, content })
}

/// The JSON of a body. GitHub sends it as a form's field where the hook is set up so.
fn json(headers: &HeaderMap, body: &[u8]) -> Result<Vec<u8>, String> {
    let kind = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if !kind.starts_with("application/x-www-form-urlencoded") {
        return Ok(body.to_vec());
    }
    let form = std::str::from_utf8(body).map_err(|_| "the body is no text".to_owned())?;
    let field = form.split('&').find_map(|field| field.strip_prefix("payload="));
    let field = field.ok_or_else(|| "the form has no field `payload`".to_owned())?;
    Ok(percent_decode_str(&field.replace('+', " ")).collect())
}

/// The body of a push: what the forges word alike, and what each words its own way.
#[derive(Deserialize)]
struct PushBody {
    #[serde(rename = "ref")]
    reference: String,
    before: Option<String>,
    after: Option<String>,
    /// GitLab: what to build; null where the branch is gone.
    checkout_sha: Option<String>,
    #[serde(default)]
    deleted: bool,
    #[serde(default)]
    created: bool,
    /// GitHub: whether the branch was moved otherwise than by adding commits. The others don't tell.
    forced: Option<bool>,
    head_commit: Option<CommitBody>,
    #[serde(default)]
    commits: Option<Vec<CommitBody>>,
    repository: Option<RepositoryBody>,
    project: Option<RepositoryBody>,
}

#[derive(Clone, Deserialize)]
struct CommitBody {
    id: String,
    #[serde(default)]
    message: String,
    timestamp: Option<String>,
    #[serde(default)]
    added: Option<Vec<String>>,
    #[serde(default)]
    removed: Option<Vec<String>>,
    #[serde(default)]
    modified: Option<Vec<String>>,
}

#[derive(Deserialize)]
struct RepositoryBody {
    default_branch: Option<String>,
    full_name: Option<String>,
    path_with_namespace: Option<String>,
}

impl PushBody {
    fn content(self, forge: ForgeKind) -> Result<Content, String> {
        let nothing = |reason: &str| Ok(Content::Nothing(reason.to_owned()));
        let Some(branch) = self.reference.strip_prefix("refs/heads/") else {
            return nothing("what is no branch is nothing to build");
        };
        let real = |id: &Option<String>| id.clone().filter(|id| !id.is_empty() && id.chars().any(|char| char != '0'));
        let commit =
            if forge == ForgeKind::Gitlab { real(&self.checkout_sha).or(real(&self.after)) } else { real(&self.after) };
        let after_is_none = self.after.as_deref() == Some(NO_COMMIT);
        let Some(commit) = commit.filter(|_| !self.deleted && !after_is_none) else {
            return nothing("a branch that is gone is nothing to build");
        };
        if commit.len() == SHA256_CHARS {
            return nothing("a repository whose commits are named by SHA-256 can't be built yet");
        }
        let commits = self.commits.unwrap_or_default();
        let head = self.head_commit.clone().or_else(|| commits.iter().find(|one| one.id == commit).cloned());
        let committed_at = head.as_ref().and_then(|head| head.timestamp.as_deref()?.parse().ok());
        // Only where every commit is told, and none was taken away, is it known what a push touched.
        let is_whole = self.forced == Some(false) && !self.created && (1..GITHUB_COMMITS_MAX).contains(&commits.len());
        let paths = |one: CommitBody| [one.added, one.removed, one.modified].into_iter().flatten().flatten();
        let touched = is_whole.then(|| commits.into_iter().flat_map(paths).collect());
        let repository = self.project.or(self.repository);
        let default_branch = repository.as_ref().and_then(|repository| repository.default_branch.clone());
        let repository = repository.and_then(|repository| repository.path_with_namespace.or(repository.full_name));
        Ok(Content::Moved(Moved {
            branch: branch.to_owned(),
            commit,
            before: real(&self.before),
            committed_at,
            message: head.map(|head| head.message).unwrap_or_default(),
            repository: repository.ok_or("the push names no repository")?,
            default_branch,
            touched,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hyper::header::{HeaderName, HeaderValue};
    use serde_json::{Value as Json, json};

    const OLD: &str = "1111111111111111111111111111111111111111";
    const NEW: &str = "2222222222222222222222222222222222222222";

    fn headers(pairs: &[(&str, &str)]) -> HeaderMap {
        let pair = |(name, value): &(&str, &str)| {
            (HeaderName::try_from(*name).unwrap(), HeaderValue::try_from(*value).unwrap())
        };
        pairs.iter().map(pair).collect()
    }

    fn github(event: &str, body: &Json) -> Result<Arrival, String> {
        let headers = headers(&[("x-github-event", event), ("x-github-delivery", "d-1")]);
        read(ForgeKind::Github, &headers, body.to_string().as_bytes())
    }

    /// As GitHub's documentation has it, what is not read left out but for a host that must not be followed.
    fn github_push() -> Json {
        json!({
            "ref": "refs/heads/main", "before": OLD, "after": NEW, "created": false, "deleted": false, "forced": false,
            "repository": { "id": 1, "full_name": "ada/jobs", "default_branch": "main", "clone_url": "https://evil.example/ada/jobs.git" },
            "head_commit": { "id": NEW, "message": "Raise\n\nthe price", "timestamp": "2026-11-28T15:00:00+01:00" },
            "commits": [{ "id": NEW, "message": "Raise", "added": ["a.ts"], "removed": [], "modified": ["product/product.config.ts"] }],
        })
    }

    fn moved(arrival: Result<Arrival, String>) -> Moved {
        match arrival.unwrap().content {
            Content::Moved(moved) => moved,
            Content::Nothing(reason) => panic!("{reason}"),
        }
    }

    fn nothing(arrival: Result<Arrival, String>) -> String {
        match arrival.unwrap().content {
            Content::Moved(moved) => panic!("{moved:?}"),
            Content::Nothing(reason) => reason,
        }
    }

    #[test]
    fn a_push_of_github() {
        let read = moved(github("push", &github_push()));
        assert_eq!((read.branch.as_str(), read.commit.as_str(), read.before.as_deref()), ("main", NEW, Some(OLD)));
        assert_eq!((read.repository.as_str(), read.default_branch.as_deref()), ("ada/jobs", Some("main")));
        assert_eq!(read.committed_at.unwrap().to_string(), "2026-11-28T14:00:00Z");
        assert_eq!(read.touched.unwrap(), ["a.ts", "product/product.config.ts"]);
        assert!(read.message.starts_with("Raise\n"));
    }

    #[test]
    fn what_a_push_touched_is_not_known_of_one_that_took_commits_away() {
        for (name, value) in
            [("forced", json!(true)), ("created", json!(true)), ("commits", json!([])), ("forced", Json::Null)]
        {
            let mut body = github_push();
            body[name] = value;
            assert!(moved(github("push", &body)).touched.is_none(), "{name}");
        }
    }

    #[test]
    fn what_is_merely_unwanted_says_why() {
        assert_eq!(nothing(github("ping", &json!({ "zen": "…" }))), "the hook is set up");
        assert!(nothing(github("issues", &json!({}))).contains("\"issues\""));
        let with = |name: &str, value: Json| {
            let mut body = github_push();
            body[name] = value;
            github("push", &body)
        };
        assert!(nothing(with("ref", json!("refs/tags/v1"))).contains("no branch"));
        assert!(nothing(with("deleted", json!(true))).contains("gone"));
        assert!(nothing(with("after", json!(NO_COMMIT))).contains("gone"));
        assert!(nothing(with("after", json!("a".repeat(64)))).contains("SHA-256"));
    }

    #[test]
    fn a_new_branch_stood_nowhere_before() {
        let mut body = github_push();
        body["before"] = json!(NO_COMMIT);
        assert_eq!(moved(github("push", &body)).before, None);
    }

    #[test]
    fn a_push_as_a_form() {
        let form: String = github_push().to_string().bytes().map(|byte| format!("%{byte:02x}")).collect();
        let headers = headers(&[
            ("x-github-event", "push"),
            ("x-github-delivery", "d"),
            ("content-type", "application/x-www-form-urlencoded"),
        ]);
        assert_eq!(moved(read(ForgeKind::Github, &headers, format!("x=1&payload={form}").as_bytes())).commit, NEW);
        assert!(read(ForgeKind::Github, &headers, b"x=1").is_err());
    }

    #[test]
    fn a_push_of_gitlab() {
        let body = json!({
            "object_kind": "push", "ref": "refs/heads/main", "before": OLD, "after": NEW, "checkout_sha": NEW,
            "project": { "id": 7, "path_with_namespace": "group/sub/jobs", "default_branch": "main", "git_http_url": "http://evil.example" },
            "repository": { "name": "jobs", "url": "x" },
            "commits": [{ "id": NEW, "message": "m [skip ci]", "timestamp": "2026-11-28T15:00:00+01:00", "added": [], "modified": [], "removed": [] }],
            "total_commits_count": 1,
        });
        let gitlab = |event: &str, body: &Json| {
            let headers =
                headers(&[("x-gitlab-event", event), ("webhook-id", "w-1"), ("x-gitlab-webhook-uuid", "the hook")]);
            read(ForgeKind::Gitlab, &headers, body.to_string().as_bytes())
        };
        let arrival = gitlab("Push Hook", &body);
        assert_eq!(arrival.as_ref().unwrap().delivery, "w-1");
        let read = moved(arrival);
        assert_eq!(
            (read.repository.as_str(), read.message.as_str(), read.touched),
            ("group/sub/jobs", "m [skip ci]", None)
        );
        assert!(nothing(gitlab("Tag Push Hook", &body)).contains("tag"));
        let mut gone = body.clone();
        gone["checkout_sha"] = Json::Null;
        gone["after"] = json!(NO_COMMIT);
        assert!(nothing(gitlab("Push Hook", &gone)).contains("gone"));
    }

    #[test]
    fn a_push_of_gitea_has_github_s_shape() {
        let headers = headers(&[
            ("x-gitea-event", "push"),
            ("x-github-event", "push"),
            ("x-gitea-delivery", "g-1"),
            ("x-github-delivery", "g-1"),
        ]);
        let body = json!({
            "ref": "refs/heads/main", "before": OLD, "after": NEW,
            "repository": { "full_name": "ada/jobs", "default_branch": "main" },
            "commits": [{ "id": NEW, "message": "m", "timestamp": "2026-11-28T15:00:00+01:00" }],
        });
        assert_eq!(moved(read(ForgeKind::Gitea, &headers, body.to_string().as_bytes())).commit, NEW);
    }

    #[test]
    fn what_is_malformed_is_an_error() {
        assert!(github("push", &json!([])).is_err());
        assert!(github("push", &json!({ "ref": 1 })).is_err());
        let mut nameless = github_push();
        nameless["repository"] = json!({});
        assert!(github("push", &nameless).unwrap_err().contains("repository"));
        let no_id = headers(&[("x-github-event", "push")]);
        assert!(read(ForgeKind::Github, &no_id, b"{}").unwrap_err().contains("x-github-delivery"));
        let no_event = headers(&[("x-github-delivery", "d")]);
        assert!(read(ForgeKind::Github, &no_event, b"{}").unwrap_err().contains("x-github-event"));
    }
}
