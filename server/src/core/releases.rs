//! Publishing: an IR becomes a release with a hashed projection per plan, and the release new subscriptions get, at once or
//! not at all.

use super::error::CoreError;
use super::model::{Id, Projection, Release, StoredProjection};
use super::{Core, businesses, new_id};
use crate::store::{Mode, Store, Tx};
use jiff::Timestamp;
use std::collections::BTreeMap;
use svc_engine::manifest::ir::{IR_VERSION, Plan};
use svc_engine::manifest::{Manifest, canonical};
use svc_engine::rules::semantics;

/// What publishing did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Published {
    /// The release that is active now.
    pub release: Release,
    /// Whether it was already.
    pub unchanged: bool,
    /// Version of each plan, by key.
    pub versions: BTreeMap<String, u32>,
}

impl<S: Store> Core<S> {
    /// Publishes a build.
    ///
    /// # Errors
    /// [`CoreError::NotFound`] for an unknown build; [`CoreError::Invalid`] when the build failed or its IR breaks a rule;
    /// [`CoreError::Store`].
    pub async fn publish(&self, business: &Id, build: &Id, now: Timestamp) -> Result<Published, CoreError> {
        let mut tx = self.store.begin(Mode::Write).await?;
        businesses::known_business(&mut tx, business).await?;
        let build = tx.build(business, build).await?.ok_or(CoreError::NotFound("there is no such build"))?;
        let ir = build
            .ir
            .ok_or_else(|| CoreError::invalid("BUILD_FAILED", "the build failed; it has nothing to publish"))?;
        let (manifest, hash) = accept(&ir)?;
        let active = tx.active_release(business).await?.filter(|active| active.ir_hash == hash);
        let release = match &active {
            Some(active) => active.clone(),
            None => Release {
                id: new_id("rel", now),
                business: business.clone(),
                build: build.id,
                ir_hash: hash,
                ir,
                activated_at: Some(now),
            },
        };
        let projections = project(&mut tx, &release, &manifest).await?;
        let versions = projections.iter().map(|projection| (projection.plan.clone(), projection.version)).collect();
        if active.is_none() {
            tx.insert_release(&release, &projections).await?;
            tx.activate(business, &release.id).await?;
            tx.commit().await?;
        }
        Ok(Published { release, unchanged: active.is_some(), versions })
    }
}

/// Checks an IR from scratch, whoever made it: form, canonical text, rules. Gives its hash.
fn accept(text: &str) -> Result<(Manifest, String), CoreError> {
    let refuse = |why: String| CoreError::invalid("IR_REFUSED", format!("the IR is refused: {why}"));
    let manifest: Manifest = serde_json::from_str(text).map_err(|error| refuse(error.to_string()))?;
    if manifest.ir_version != IR_VERSION {
        return Err(refuse(format!("it has version {}, not {IR_VERSION}", manifest.ir_version)));
    }
    let bytes = canonical::bytes(&manifest).map_err(|error| refuse(error.to_string()))?;
    if bytes != text.as_bytes() {
        return Err(refuse("its text is not canonical".to_owned()));
    }
    let broken = semantics::check(&manifest)
        .into_iter()
        .find(|finding| !finding.code.severity().eq(&svc_engine::diagnostic::Severity::Warning));
    match broken {
        Some(finding) => Err(CoreError::Invalid { code: finding.code.as_str(), message: finding.message }),
        None => Ok((manifest, canonical::hash_bytes(&bytes))),
    }
}

/// A projection per plan. A plan whose lowered form changed gets the next version.
async fn project<T: Tx>(
    tx: &mut T,
    release: &Release,
    manifest: &Manifest,
) -> Result<Vec<StoredProjection>, CoreError> {
    let meters: BTreeMap<_, _> = manifest.meters.iter().map(|meter| (meter.key.clone(), meter.aggregation)).collect();
    let mut projections = Vec::with_capacity(manifest.plans.len());
    for plan in &manifest.plans {
        let plan_hash = hash_plan(plan)?;
        let version = match tx.newest_version(&release.business, plan.key.as_str()).await? {
            Some((version, hash)) if hash == plan_hash => version,
            Some((version, _)) => version.saturating_add(1),
            None => 1,
        };
        let projection = Projection { plan: plan.clone(), version, meters: meters.clone() };
        let body = canonical::bytes(&projection).map_err(|error| CoreError::Internal(error.to_string()))?;
        let hash = canonical::hash_bytes(&body);
        let body = String::from_utf8(body).map_err(|error| CoreError::Internal(error.to_string()))?;
        projections.push(StoredProjection {
            release: release.id.clone(),
            plan: plan.key.to_string(),
            version,
            plan_hash,
            body,
            hash,
        });
    }
    Ok(projections)
}

fn hash_plan(plan: &Plan) -> Result<String, CoreError> {
    canonical::hash(plan).map_err(|error| CoreError::Internal(error.to_string()))
}

/// The projection, when its hash is that of its text and the text is one.
pub(crate) fn verified(stored: &StoredProjection) -> Option<Projection> {
    let intact = canonical::hash_bytes(stored.body.as_bytes()) == stored.hash;
    intact.then(|| serde_json::from_str(&stored.body).ok()).flatten()
}
