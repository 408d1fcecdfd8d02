//! Plan versions and migrations.

use crate::answers::{MigratedPage, Migrations, Plans};
use crate::auth::Call;
use crate::problem::Problem;
use crate::reply::Reply;
use crate::request;
use hyper::body::Incoming;
use hyper::{Request, StatusCode};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Deserialize;
use svc_core::LISTED_MAX;
use svc_core::migrations::{MOVES_LISTED_MAX, MigrationOrder, VersionName};
use svc_engine::moment::Moment;
use svc_store::Store;
use svc_store::records::{Id, MigrationPolicy, Proration};

pub(crate) async fn plans<S: Store>(
    call: &Call<'_, S>,
    request: &Request<Incoming>,
    business: &Id,
) -> Result<Reply, Problem> {
    let (limit, cursor) = request::page(request.uri(), LISTED_MAX)?;
    let (plans, cursor) = call.core.plan_versions(business, cursor.as_deref(), limit, call.now()).await?;
    Reply::of(StatusCode::OK, &Plans { plans, cursor })
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct NewMigration {
    from: VersionName,
    to: VersionName,
    policy: MigrationPolicy,
    #[serde(default)]
    proration: Proration,
    #[schemars(with = "Option<Moment>")]
    complete_by: Option<Timestamp>,
    #[serde(default)]
    dry_run: bool,
}

pub(crate) async fn migrate<S: Store>(
    call: &Call<'_, S>,
    request: Request<Incoming>,
    business: &Id,
    plan: &str,
) -> Result<Reply, Problem> {
    let key = request::idempotency_key(request.headers())?;
    let (limit, after) = request::page(request.uri(), MOVES_LISTED_MAX)?;
    let NewMigration { from, to, policy, proration, complete_by, dry_run } = request::json(request).await?;
    let _place = call.traffic.write(business).await?;
    let order = MigrationOrder { from, to, policy, proration, complete_by };
    let migrated = call.core.migrate(business, plan, order, dry_run, key.as_deref(), call.now()).await?;
    let status = if migrated.batch_id.is_some() { StatusCode::CREATED } else { StatusCode::OK };
    let (migrated, cursor) = migrated.page(after.as_deref(), limit);
    Reply::of(status, &MigratedPage { migrated, cursor })
}

pub(crate) async fn migrations<S: Store>(
    call: &Call<'_, S>,
    request: &Request<Incoming>,
    business: &Id,
) -> Result<Reply, Problem> {
    let (limit, cursor) = request::page(request.uri(), LISTED_MAX)?;
    let (migrations, cursor) = call.core.migrations(business, cursor.as_deref(), limit, call.now()).await?;
    Reply::of(StatusCode::OK, &Migrations { migrations, cursor })
}
