//! Plan versions and migrations.

use super::problem::Problem;
use super::{App, Reply, auth, request};
use crate::core::migrations::MigrationOrder;
use crate::core::model::Id;
use crate::store::Store;
use hyper::body::Incoming;
use hyper::{Request, StatusCode};
use serde::Deserialize;
use serde_json::json;

pub(crate) async fn plans<S: Store>(
    app: &App<S>,
    request: &Request<Incoming>,
    business: &Id,
) -> Result<Reply, Problem> {
    auth::deploy(app, request.headers(), business).await?;
    Ok(Reply::new(StatusCode::OK, json!({ "plans": app.core.plan_versions(business, app.now()).await? })))
}

#[derive(Deserialize)]
struct NewMigration {
    #[serde(flatten)]
    order: MigrationOrder,
    #[serde(default, rename = "dryRun")]
    dry_run: bool,
}

pub(crate) async fn migrate<S: Store>(
    app: &App<S>,
    request: Request<Incoming>,
    business: &Id,
    plan: &str,
) -> Result<Reply, Problem> {
    auth::operator(app, request.headers())?;
    let key = request::idempotency_key(request.headers())?;
    let NewMigration { order, dry_run } = request::json(request).await?;
    let migrated = app.core.migrate(business, plan, order, dry_run, key.as_deref(), app.now()).await?;
    let status = if migrated.batch_id.is_some() { StatusCode::CREATED } else { StatusCode::OK };
    Ok(Reply::new(status, json!(migrated)))
}

pub(crate) async fn migrations<S: Store>(
    app: &App<S>,
    request: &Request<Incoming>,
    business: &Id,
) -> Result<Reply, Problem> {
    auth::operator(app, request.headers())?;
    Ok(Reply::new(StatusCode::OK, json!({ "migrations": app.core.migrations(business, app.now()).await? })))
}
