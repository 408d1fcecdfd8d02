//! Builds and releases: the deploy token's endpoints.

use super::problem::Problem;
use super::{App, Reply, auth, request};
use crate::core::builds::Compiled;
use crate::core::model::{Build, Id};
use crate::store::Store;
use hyper::body::Incoming;
use hyper::{Request, StatusCode};
use serde::Deserialize;
use serde_json::json;
use svc_runtime::modules::Sources;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewBuild {
    files: Sources,
}

pub(crate) async fn build<S: Store>(app: &App<S>, request: Request<Incoming>, business: &Id) -> Result<Reply, Problem> {
    auth::deploy(app, request.headers(), business).await?;
    let NewBuild { files } = request::json(request).await?;
    let (build, compiled) = app.core.build(business, files, app.now()).await?;
    match &compiled.ir {
        Some(ir) => {
            let body = json!({ "buildId": build.id, "irHash": ir.hash, "diagnostics": compiled.diagnostics });
            Ok(Reply::new(StatusCode::CREATED, body))
        }
        None => Err(failed(app, &build, &compiled)),
    }
}

/// 422 with everything the author needs: the diagnostics, or the name of what stopped the build.
fn failed<S: Store>(app: &App<S>, build: &Build, compiled: &Compiled) -> Problem {
    let problem = match compiled.failure {
        Some(failure) => {
            let limits = app.core.pool.limits();
            Problem::new(StatusCode::UNPROCESSABLE_ENTITY, failure.as_str(), failure.message(&limits))
        }
        None => Problem::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "BUILD_REJECTED",
            "the product is wrong; the diagnostics say where",
        ),
    };
    problem.with_member("buildId", json!(build.id)).with_member("diagnostics", json!(compiled.diagnostics))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct NewRelease {
    build_id: Id,
}

pub(crate) async fn publish<S: Store>(
    app: &App<S>,
    request: Request<Incoming>,
    business: &Id,
) -> Result<Reply, Problem> {
    auth::deploy(app, request.headers(), business).await?;
    let NewRelease { build_id } = request::json(request).await?;
    let published = app.core.publish(business, &build_id, app.now()).await?;
    let status = if published.unchanged { StatusCode::OK } else { StatusCode::CREATED };
    let body = json!({
        "releaseId": published.release.id,
        "irHash": published.release.ir_hash,
        "activatedAt": published.release.activated_at,
        "unchanged": published.unchanged,
        "planVersions": published.versions,
    });
    Ok(Reply::new(status, body))
}
