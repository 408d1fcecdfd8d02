//! Usage, holds, credits and adjustments.

use crate::access;
use crate::answers::{Holds, ResourceCounts, UsageResults};
use crate::auth::Call;
use crate::problem::Problem;
use crate::reply::Reply;
use crate::request;
use hyper::body::Incoming;
use hyper::{Request, StatusCode, Uri};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value as Json;
use std::collections::BTreeSet;
use svc_core::adjustments::Adjustment;
use svc_core::credits::{self, CreditSource};
use svc_core::holds::HOLD_DEFAULT_SECONDS;
use svc_core::items::Item;
use svc_core::metering::Estimate;
use svc_core::resources::ResourceCount;
use svc_core::{CoreError, LISTED_MAX};
use svc_engine::manifest::ir::{GrantKind, Key};
use svc_engine::money::amount::{Cents, Nanos};
use svc_engine::money::units::Units;
use svc_store::Store;
use svc_store::records::Id;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Batch {
    /// Read one by one, so that one that is wrong is refused by itself.
    #[schemars(with = "Vec<Item>")]
    items: Vec<Json>,
}

pub(crate) async fn usage<S: Store>(
    call: &Call<'_, S>,
    request: Request<Incoming>,
    business: &Id,
) -> Result<Reply, Problem> {
    // The body first: a slow sender holds no place.
    let Batch { items } = request::json(request).await?;
    let _place = call.traffic.write(business).await?;
    let results = call.core.report_usage(business, items, call.now()).await?;
    Reply::of(StatusCode::OK, &UsageResults { results })
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct NewHold {
    subject: String,
    id: String,
    route: Option<String>,
    meter: Option<String>,
    units: Option<Units>,
    expires_in_seconds: Option<u32>,
}

impl NewHold {
    fn estimate(&self) -> Result<Estimate, CoreError> {
        match (self.route.clone(), self.meter.clone(), self.units) {
            (Some(route), None, None) => Ok(Estimate::Route { route }),
            (None, Some(meter), Some(units)) => Ok(Estimate::Meter { meter, units }),
            _ => Err(CoreError::invalid("HOLD_FORM", "a hold has either a route, or a meter and units")),
        }
    }
}

pub(crate) async fn hold<S: Store>(
    call: &Call<'_, S>,
    request: Request<Incoming>,
    business: &Id,
) -> Result<Reply, Problem> {
    let hold: NewHold = request::json(request).await?;
    let _place = call.traffic.write(business).await?;
    let life = hold.expires_in_seconds.unwrap_or(HOLD_DEFAULT_SECONDS);
    let held = call.core.hold(business, &hold.subject, &hold.id, &hold.estimate()?, life, call.now()).await?;
    Reply::of(StatusCode::CREATED, &held)
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReleaseHold {
    subject: String,
}

pub(crate) async fn release_hold<S: Store>(
    call: &Call<'_, S>,
    request: Request<Incoming>,
    business: &Id,
    id: &str,
) -> Result<Reply, Problem> {
    let ReleaseHold { subject } = request::json(request).await?;
    let _place = call.traffic.write(business).await?;
    let held = call.core.release_hold(business, &subject, id, call.now()).await?;
    Reply::of(StatusCode::OK, &held)
}

pub(crate) async fn resource_counts<S: Store>(
    call: &Call<'_, S>,
    request: &Request<Incoming>,
    business: &Id,
) -> Result<Reply, Problem> {
    let (subject, limit, after) = page_of_subject(request.uri())?;
    let (resources, cursor) = call.core.resource_counts(business, &subject, &after, limit).await?;
    Reply::of(StatusCode::OK, &ResourceCounts { subject, resources, cursor })
}

/// Whose list is asked for, how much of it at most, and what comes behind which entry.
fn page_of_subject(uri: &Uri) -> Result<(String, u32, String), Problem> {
    let subject = access::subject(uri)?.ok_or_else(access::nobody)?;
    let (limit, after) = request::page(uri, LISTED_MAX)?;
    Ok((subject, limit, after.unwrap_or_default()))
}

/// The holds that a subscriber has open.
pub(crate) async fn holds<S: Store>(
    call: &Call<'_, S>,
    request: &Request<Incoming>,
    business: &Id,
) -> Result<Reply, Problem> {
    let (subject, limit, after) = page_of_subject(request.uri())?;
    let (holds, cursor) = call.core.open_holds(business, &subject, &after, limit, call.now()).await?;
    Reply::of(StatusCode::OK, &Holds { holds, cursor })
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewResourceCount {
    subject: String,
    resource: String,
    count: u64,
}

pub(crate) async fn set_resource_count<S: Store>(
    call: &Call<'_, S>,
    request: Request<Incoming>,
    business: &Id,
) -> Result<Reply, Problem> {
    let NewResourceCount { subject, resource, count } = request::json(request).await?;
    let _place = call.traffic.write(business).await?;
    let to = ResourceCount { resource, count };
    call.core.set_resource_count(business, &subject, &to, call.now()).await?;
    Reply::of(StatusCode::OK, &ResourceCounts { subject, resources: vec![to], cursor: None })
}

/// Either `amountCents` with what goes with it, or `topUp`, with `amountCents` where the buyer chooses the amount.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct NewCredit {
    subject: String,
    amount_cents: Option<Cents>,
    kind: Option<GrantKind>,
    expires_after_days: Option<u32>,
    /// The meters whose usage it pays for; all usage where nothing is said.
    meters: Option<BTreeSet<String>>,
    top_up: Option<String>,
}

impl NewCredit {
    fn source(&self) -> Result<CreditSource, CoreError> {
        match (self.amount_cents, self.top_up.clone()) {
            (Some(amount_cents), None) => Ok(CreditSource::Given {
                amount_cents,
                kind: self.kind.unwrap_or(GrantKind::Promo),
                expires_after_days: self.expires_after_days,
                meters: self.meters()?,
            }),
            (amount_cents, Some(sku))
                if self.kind.is_none() && self.expires_after_days.is_none() && self.meters.is_none() =>
            {
                Ok(CreditSource::TopUp { sku, amount_cents })
            }
            _ => Err(CoreError::invalid(
                "CREDIT_FORM",
                "a credit has amountCents; one that is sold has topUp, and no kind, expiry or meters of its own",
            )),
        }
    }
}

impl NewCredit {
    /// A text that can't be a key names no meter.
    fn meters(&self) -> Result<Option<BTreeSet<Key>>, CoreError> {
        let key = |meter: &String| Key::try_from(meter.clone()).map_err(|_| credits::unknown_meter(meter));
        self.meters.as_ref().map(|meters| meters.iter().map(key).collect()).transpose()
    }
}

pub(crate) async fn credit<S: Store>(
    call: &Call<'_, S>,
    request: Request<Incoming>,
    business: &Id,
) -> Result<Reply, Problem> {
    let key = request::idempotency_key(request.headers())?;
    let credit: NewCredit = request::json(request).await?;
    let _place = call.traffic.write(business).await?;
    let source = credit.source()?;
    let credited = call.core.give_credit(business, &credit.subject, &source, key.as_deref(), call.now()).await?;
    Reply::of(StatusCode::CREATED, &credited)
}

pub(crate) async fn revoke<S: Store>(call: &Call<'_, S>, business: &Id, bucket: &str) -> Result<Reply, Problem> {
    let _place = call.traffic.write(business).await?;
    Reply::of(StatusCode::OK, &call.core.revoke_credit(business, bucket, call.now()).await?)
}

/// `{ kind: "refund", item }` or `{ kind: "correction", amountNanos }`.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct NewAdjustment {
    subject: String,
    reason: String,
    kind: AdjustmentKind,
    item: Option<String>,
    amount_nanos: Option<Nanos>,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum AdjustmentKind {
    Refund,
    Correction,
}

impl NewAdjustment {
    fn adjustment(&self) -> Result<Adjustment, CoreError> {
        match (self.kind, self.item.clone(), self.amount_nanos) {
            (AdjustmentKind::Refund, Some(item), None) => Ok(Adjustment::Refund { item }),
            (AdjustmentKind::Correction, None, Some(amount)) => Ok(Adjustment::Correction { amount }),
            _ => Err(CoreError::invalid("ADJUSTMENT_FORM", "a refund has an item, a correction has amountNanos")),
        }
    }
}

pub(crate) async fn adjust<S: Store>(
    call: &Call<'_, S>,
    request: Request<Incoming>,
    business: &Id,
) -> Result<Reply, Problem> {
    let key = request::idempotency_key(request.headers())?;
    let new: NewAdjustment = request::json(request).await?;
    let _place = call.traffic.write(business).await?;
    let adjustment = new.adjustment()?;
    let done = call.core.adjust(business, &new.subject, &adjustment, &new.reason, key.as_deref(), call.now()).await?;
    Reply::of(StatusCode::CREATED, &done)
}
