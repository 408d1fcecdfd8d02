//! Builds and releases: the deploy token's endpoints.

use crate::app::App;
use crate::problem::Problem;
use crate::reply::Reply;
use crate::{auth, request};
use hyper::body::Incoming;
use hyper::{Request, StatusCode};
use serde::Deserialize;
use serde_json::{Value as Json, json};
use svc_core::CoreError;
use svc_engine::sources::Sources;
use svc_store::Store;
use svc_store::records::{Build, BuildResult, Id, Progress};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewBuild {
    files: Sources,
    /// The commit that the files are of.
    commit: Option<String>,
}

pub(crate) async fn build<S: Store>(app: &App<S>, request: Request<Incoming>, business: &Id) -> Result<Reply, Problem> {
    auth::deploy(app, &request, business).await?;
    let key = request::idempotency_key(request.headers())?;
    let NewBuild { files, commit } = request::json(request).await?;
    let id = app.core.queue_build(business, &files, commit.as_deref(), key.as_deref(), app.now()).await?;
    drop(files);
    let (build, result) = app.core.ended_build(business, &id).await?;
    ended(&build, &result, StatusCode::CREATED)
}

pub(crate) async fn find_build<S: Store>(
    app: &App<S>,
    request: &Request<Incoming>,
    business: &Id,
    id: &Id,
) -> Result<Reply, Problem> {
    auth::deploy(app, request, business).await?;
    let build = app.core.find_build(business, id).await?;
    match &build.progress {
        Progress::Ended(result) => ended(&build, result, StatusCode::OK),
        Progress::Waiting { .. } => {
            Ok(Reply::new(StatusCode::ACCEPTED, json!({ "buildId": build.id, "irHash": null })))
        }
    }
}

pub(crate) async fn sources<S: Store>(
    app: &App<S>,
    request: &Request<Incoming>,
    business: &Id,
    id: &Id,
) -> Result<Reply, Problem> {
    auth::deploy(app, request, business).await?;
    let files = app.core.build_sources(business, id, app.now()).await?;
    Ok(Reply::new(StatusCode::OK, json!({ "buildId": id, "files": files })).private())
}

/// The build with its diagnostics; 422 for one that failed, with the diagnostics or the name of what stopped it.
fn ended(build: &Build, result: &BuildResult, status: StatusCode) -> Result<Reply, Problem> {
    let damaged = |error: serde_json::Error| CoreError::Internal(format!("a build's diagnostics are damaged: {error}"));
    let diagnostics: Json = serde_json::from_str(&result.diagnostics).map_err(damaged)?;
    if let Some(hash) = &result.ir_hash {
        let mut body = json!({ "buildId": build.id, "irHash": hash, "diagnostics": diagnostics });
        if let (Some(commit), Json::Object(members)) = (&build.commit, &mut body) {
            members.insert("commit".to_owned(), json!(commit));
        }
        return Ok(Reply::new(status, body));
    }
    let problem = match &result.failure {
        Some(failure) => Problem::new(StatusCode::UNPROCESSABLE_ENTITY, &failure.code, &failure.message),
        None => {
            let detail = "the product is wrong; the diagnostics say where";
            Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "BUILD_REJECTED", detail)
        }
    };
    Err(problem.with_member("buildId", json!(build.id)).with_member("diagnostics", diagnostics))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct NewRelease {
    build_id: Id,
    #[serde(default)]
    dry_run: bool,
    replaces: Option<String>,
}

pub(crate) async fn publish<S: Store>(
    app: &App<S>,
    request: Request<Incoming>,
    business: &Id,
) -> Result<Reply, Problem> {
    auth::deploy(app, &request, business).await?;
    let key = request::idempotency_key(request.headers())?;
    let NewRelease { build_id, dry_run, replaces } = request::json(request).await?;
    let _place = app.traffic.write(business).await?;
    if dry_run {
        let preview = app.core.preview_publish(business, &build_id, app.now()).await?;
        return Ok(Reply::new(StatusCode::OK, json!(preview)));
    }
    let published = app.core.publish(business, &build_id, replaces.as_deref(), key.as_deref(), app.now()).await?;
    let status = if published.unchanged { StatusCode::OK } else { StatusCode::CREATED };
    Ok(Reply::new(status, json!(published)))
}

pub(crate) async fn active_release<S: Store>(
    app: &App<S>,
    request: &Request<Incoming>,
    business: &Id,
) -> Result<Reply, Problem> {
    auth::deploy(app, request, business).await?;
    let release = app.core.active_release(business).await?;
    let damaged = |error: serde_json::Error| CoreError::Internal(format!("a release's IR is damaged: {error}"));
    let ir: Json = serde_json::from_str(&release.ir).map_err(damaged)?;
    let body = json!({
        "releaseId": release.id, "irHash": release.ir_hash, "activatedAt": release.activated_at, "ir": ir,
    });
    Ok(Reply::new(StatusCode::OK, body))
}
