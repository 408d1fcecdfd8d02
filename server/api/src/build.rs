//! Builds and releases: the deploy token's endpoints.

use crate::answers::{ActiveRelease, BuildEnded, BuildFiles, BuildWaits, DryRun, ReleasePage, ReleaseShown};
use crate::auth::Call;
use crate::problem::Problem;
use crate::reply::Reply;
use crate::request;
use hyper::body::Incoming;
use hyper::{Request, StatusCode};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value as Json, json};
use svc_core::CoreError;
use svc_core::LISTED_MAX;
use svc_core::what_if::{WhatIf, WhatIfPeriod};
use svc_engine::sources::Sources;
use svc_store::Store;
use svc_store::records::{Build, BuildResult, Id, Progress, Release};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewBuild {
    files: Sources,
    /// The commit that the files are of.
    commit: Option<String>,
}

pub(crate) async fn build<S: Store>(
    call: &Call<'_, S>,
    request: Request<Incoming>,
    business: &Id,
) -> Result<Reply, Problem> {
    let key = request::idempotency_key(request.headers())?;
    let NewBuild { files, commit } = request::json(request).await?;
    let id = call.core.queue_build(business, &files, commit.as_deref(), key.as_deref(), call.now()).await?;
    drop(files);
    let (build, result) = call.core.ended_build(business, &id).await?;
    ended(&build, &result, StatusCode::CREATED)
}

pub(crate) async fn find_build<S: Store>(call: &Call<'_, S>, business: &Id, id: &Id) -> Result<Reply, Problem> {
    let build = call.core.find_build(business, id).await?;
    match &build.progress {
        Progress::Ended(result) => ended(&build, result, StatusCode::OK),
        Progress::Waiting { .. } => Reply::of(StatusCode::ACCEPTED, &BuildWaits { build_id: build.id, ir_hash: None }),
    }
}

pub(crate) async fn sources<S: Store>(call: &Call<'_, S>, business: &Id, id: &Id) -> Result<Reply, Problem> {
    let files = call.core.build_sources(business, id, call.now()).await?;
    Ok(Reply::of(StatusCode::OK, &BuildFiles { build_id: id.clone(), files: json!(files) })?.private())
}

/// The build with its diagnostics; 422 for one that failed, with the diagnostics or the name of what stopped it.
fn ended(build: &Build, result: &BuildResult, status: StatusCode) -> Result<Reply, Problem> {
    let damaged = |error: serde_json::Error| CoreError::Internal(format!("a build's diagnostics are damaged: {error}"));
    let diagnostics: Json = serde_json::from_str(&result.diagnostics).map_err(damaged)?;
    if let Some(hash) = &result.ir_hash {
        let (build_id, ir_hash, commit) = (build.id.clone(), hash.clone(), build.commit.clone());
        return Reply::of(status, &BuildEnded { build_id, ir_hash, diagnostics, commit });
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

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct NewRelease {
    build_id: Id,
    #[serde(default)]
    dry_run: bool,
    replaces: Option<String>,
    /// Which period's bills to compare.
    what_if: Option<WhatIfPeriod>,
    /// By how much no bill may rise, as `10%`.
    max_increase: Option<String>,
}

/// Hundredths of a percent in a percent.
const BASIS_POINTS_PER_PERCENT: u64 = 100;

/// `10%` or `2.5%` in hundredths of a percent.
fn basis_points(text: &str) -> Result<u64, Problem> {
    let wrong = || {
        let detail = "maxIncrease is a share such as \"10%\", with at most two digits behind the point";
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "MAX_INCREASE_FORM", detail)
    };
    let number = text.strip_suffix('%').ok_or_else(wrong)?;
    let (whole, part) = number.split_once('.').unwrap_or((number, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(part) || part.len() > 2 {
        return Err(wrong());
    }
    let (whole, part): (u64, u64) =
        (whole.parse().map_err(|_| wrong())?, format!("{part:0<2}").parse().map_err(|_| wrong())?);
    whole.checked_mul(BASIS_POINTS_PER_PERCENT).and_then(|whole| whole.checked_add(part)).ok_or_else(wrong)
}

pub(crate) async fn publish<S: Store>(
    call: &Call<'_, S>,
    request: Request<Incoming>,
    business: &Id,
) -> Result<Reply, Problem> {
    let key = request::idempotency_key(request.headers())?;
    let NewRelease { build_id, dry_run, replaces, what_if, max_increase } = request::json(request).await?;
    if what_if.is_some() && !dry_run && max_increase.is_none() {
        let detail = "whatIf is for a dry run, or to hold a release to maxIncrease";
        return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "WHAT_IF_UNUSED", detail));
    }
    let what_if = compare(call, business, &build_id, what_if, max_increase.as_deref()).await?;
    let _place = call.traffic.write(business).await?;
    if dry_run {
        let preview = call.core.preview_publish(business, &build_id, call.now()).await?;
        return Reply::of(StatusCode::OK, &DryRun { preview, what_if });
    }
    if let Some(guard) = what_if.and_then(|what_if| what_if.guard).filter(|guard| !guard.is_kept()) {
        let bills = |count: u64| if count == 1 { "1 bill".to_owned() } else { format!("{count} bills") };
        let detail = match (guard.exceeded, guard.unknown) {
            (0, unknown) => format!("whether {} would rise by more than allowed can't be told", bills(unknown)),
            (exceeded, 0) => format!("{} would rise by more than allowed", bills(exceeded)),
            (exceeded, unknown) => {
                format!("{} would rise by more than allowed, and of {unknown} more it can't be told", bills(exceeded))
            }
        };
        let detail = format!("{detail}; a dry run shows whose");
        let problem = Problem::new(StatusCode::CONFLICT, "INCREASE_TOO_LARGE", detail);
        return Err(problem.with_member("guard", json!(guard)));
    }
    let published = call.core.publish(business, &build_id, replaces.as_deref(), key.as_deref(), call.now()).await?;
    let status = if published.unchanged { StatusCode::OK } else { StatusCode::CREATED };
    Reply::of(status, &published)
}

/// Compares the bills, where that is asked for: the last period's unless another is named.
async fn compare<S: Store>(
    call: &Call<'_, S>,
    business: &Id,
    build: &Id,
    period: Option<WhatIfPeriod>,
    max_increase: Option<&str>,
) -> Result<Option<WhatIf>, Problem> {
    if period.is_none() && max_increase.is_none() {
        return Ok(None);
    }
    let most = max_increase.map(basis_points).transpose()?;
    let period = period.unwrap_or(WhatIfPeriod::LastPeriod);
    Ok(Some(call.core.what_if(business, build, period, most, call.now()).await?))
}

pub(crate) async fn active_release<S: Store>(call: &Call<'_, S>, business: &Id) -> Result<Reply, Problem> {
    let release = call.core.active_release(business).await?;
    let damaged = |error: serde_json::Error| CoreError::Internal(format!("a release's IR is damaged: {error}"));
    let ir: Json = serde_json::from_str(&release.ir).map_err(damaged)?;
    let Release { id: release_id, ir_hash, activated_at, .. } = release;
    Reply::of(StatusCode::OK, &ActiveRelease { release_id, ir_hash, activated_at, ir })
}

/// A page of the releases, the newest first.
pub(crate) async fn releases<S: Store>(
    call: &Call<'_, S>,
    request: &Request<Incoming>,
    business: &Id,
) -> Result<Reply, Problem> {
    let (limit, cursor) = request::page(request.uri(), LISTED_MAX)?;
    let (page, cursor) = call.core.releases(business, cursor.as_deref(), limit).await?;
    let releases = page.into_iter().map(ReleaseShown::from).collect();
    Reply::of(StatusCode::OK, &ReleasePage { releases, cursor })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_read_exactly() {
        let read = |text: &str| basis_points(text).ok();
        assert_eq!([read("10%"), read("2.5%"), read("0.05%"), read("0%")], [Some(1_000), Some(250), Some(5), Some(0)]);
        for wrong in ["10", "%", "-1%", "1.%", "1.234%", " 1%", "1e2%", ".5%", "99999999999999999999%"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
