//! Publishing: an IR becomes a release with a hashed projection per plan, and the release new subscriptions get, at once or
//! not at all.

use crate::audit_log::Deed;
use crate::businesses;
use crate::core::Core;
use crate::error::CoreError;
use crate::events::{self, News};
use crate::idempotency::IdempotencyKey;
use crate::ids::{LISTED_MAX, new_id, next_page};
use crate::terms::Terms;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;
use svc_engine::manifest::diff::{Change, diff};
use svc_engine::manifest::ir::{IR_VERSION, Key, Plan};
use svc_engine::manifest::{Manifest, canonical, pricing};
use svc_engine::moment::Moment;
use svc_engine::rules::semantics;
use svc_store::records::{Build, Id, Progress, Projection, Release, ReleaseEntry, StoredProjection, StoredWindow};
use svc_store::{Connection, Mode, Store, Tx};

/// What publishing did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Published {
    /// The release that is active now.
    pub release_id: Id,
    /// `sha256:…` of its IR.
    pub ir_hash: String,
    /// When it was activated.
    #[schemars(with = "Option<Moment>")]
    pub activated_at: Option<Timestamp>,
    /// Whether it was active before.
    pub unchanged: bool,
    /// Version of each plan, by key.
    pub plan_versions: BTreeMap<String, u32>,
}

/// What publishing would do.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PublishPreview {
    /// `sha256:…` of the active release's IR.
    pub active_hash: Option<String>,
    /// `sha256:…` of the build's IR.
    pub ir_hash: String,
    /// Whether nothing would happen.
    pub unchanged: bool,
    /// Whether a change touches what someone pays or gets for it.
    pub economic: bool,
    /// Whether someone who relies on something would lose it.
    pub breaking: bool,
    /// Every change, by resource.
    pub changes: Vec<Change>,
    /// What becomes of each plan, removed ones too, by key.
    pub plans: BTreeMap<String, PlanPreview>,
}

/// What publishing would do to a plan.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlanPreview {
    /// The version that new subscribers get now; nothing for a new plan.
    pub active_version: Option<u32>,
    /// The version that they would get; nothing for a plan that would be gone.
    pub next_version: Option<u32>,
    /// Live subscriptions by version. Publishing moves none of them.
    pub subscribers: BTreeMap<u32, u64>,
}

/// A build that may be published: its IR keeps to every rule.
#[derive(Clone)]
pub(crate) struct Candidate {
    build: Id,
    pub(crate) manifest: Arc<Manifest>,
    /// What each plan costs, as a hash, by its key.
    costs: BTreeMap<Key, String>,
    ir: String,
    pub(crate) hash: String,
    /// What it means to replace.
    pub(crate) base_hash: Option<String>,
}

impl Candidate {
    /// Whether it is active already.
    pub(crate) fn is(&self, active: Option<&Release>) -> bool {
        active.is_some_and(|active| active.ir_hash == self.hash)
    }
}

impl<S: Store> Core<S> {
    // INVARIANT 14: no subscription is touched here.
    /// Publishes a build. It must have been built while the release that is active now was active; `replaces` names another
    /// release's hash that it may replace instead, as a way back to an old build. Publishing the active IR again does nothing.
    ///
    /// # Errors
    /// [`CoreError::NotFound`] for an unknown build; [`CoreError::Invalid`] when the build failed or its IR breaks a rule;
    /// [`CoreError::Moved`] when someone else published meanwhile; [`CoreError::Conflict`]; [`CoreError::Store`].
    pub async fn publish(
        &self,
        business: &Id,
        build: &Id,
        replaces: Option<&str>,
        key: Option<&str>,
        now: Timestamp,
    ) -> Result<Published, CoreError> {
        self.again(move || {
            Box::pin(async move {
                let candidate = self.candidate(business, build).await?;
                let mut tx = self.store.begin(Mode::Write).await?;
                businesses::lock_business(&mut tx, business).await?;
                let idempotency = IdempotencyKey::new(business, "releases".to_owned(), key, &(build, replaces))?;
                if let Some(known) = idempotency.recall(&mut tx).await? {
                    return Ok(known);
                }
                let active = tx.active_release(business).await?;
                let active_hash = active.as_ref().map(|active| active.ir_hash.as_str());
                let expected = replaces.or(candidate.base_hash.as_deref());
                let unchanged = candidate.is(active.as_ref());
                if !unchanged && active_hash != expected {
                    return Err(moved(expected, active_hash));
                }
                let published = self.activate(&mut tx, business, candidate, active, now).await?;
                idempotency.remember(&mut tx, &published, now).await?;
                tx.commit().await?;
                Ok(published)
            })
        })
        .await
    }

    /// Says what publishing a build would do.
    ///
    /// # Errors
    /// As [`Core::publish`], but for what only matters when it is done.
    pub async fn preview_publish(
        &self,
        business: &Id,
        build: &Id,
        now: Timestamp,
    ) -> Result<PublishPreview, CoreError> {
        self.settle_due(business, now).await?;
        let candidate = self.candidate(business, build).await?;
        let mut tx = self.store.begin(Mode::Read).await?;
        let active = tx.active_release(business).await?;
        let before = match &active {
            Some(active) => self.manifest(&mut tx, business, &active.id).await?,
            None => None,
        };
        let mut plans: BTreeMap<String, PlanPreview> = BTreeMap::new();
        for plan in before.iter().flat_map(|manifest| manifest.plans.iter()) {
            let newest = tx.newest_version(business, plan.key.as_str()).await?;
            plans.entry(plan.key.to_string()).or_default().active_version = newest.map(|newest| newest.version);
        }
        for projection in self.project(&mut tx, &candidate.build, business, &candidate).await? {
            plans.entry(projection.plan).or_default().next_version = Some(projection.version);
        }
        for (plan, version, count) in tx.subscriber_counts(business).await? {
            plans.entry(plan).or_default().subscribers.insert(version, count);
        }
        drop(tx);
        let unchanged = candidate.is(active.as_ref());
        let after = Arc::clone(&candidate.manifest);
        let changes = self.aside(move || diff(before.as_deref(), Some(&after))).await?;
        Ok(PublishPreview {
            active_hash: active.map(|active| active.ir_hash),
            unchanged,
            economic: changes.iter().any(|change| change.economic),
            breaking: changes.iter().any(|change| change.breaking),
            ir_hash: candidate.hash,
            changes,
            plans,
        })
    }

    /// A build's IR, checked from scratch: before any lock is taken, so that nobody waits for it.
    pub(crate) async fn candidate(&self, business: &Id, build: &Id) -> Result<Candidate, CoreError> {
        let mut tx = self.store.begin(Mode::Read).await?;
        businesses::known_business(&mut tx, business).await?;
        let build = tx.build(business, build).await?.ok_or(CoreError::NotFound("there is no such build"))?;
        drop(tx);
        let Build { id, base_hash, progress, .. } = build;
        let Progress::Ended(result) = progress else {
            return Err(CoreError::conflict("BUILD_UNFINISHED", "the build has not ended yet"));
        };
        let failed = || CoreError::invalid("BUILD_FAILED", "the build failed; it has nothing to publish");
        let ir = result.ir.ok_or_else(failed)?;
        let (ir, accepted) = self.aside(move || (accept(&ir), ir)).await.map(|(accepted, ir)| (ir, accepted))?;
        let Accepted { manifest, hash, costs } = accepted?;
        Ok(Candidate { build: id, manifest: Arc::new(manifest), costs, ir, hash, base_hash })
    }

    /// Makes a candidate the active release, in a transaction that holds the business; the active one again stays as it is.
    pub(crate) async fn activate(
        &self,
        tx: &mut Tx<S::Connection>,
        business: &Id,
        candidate: Candidate,
        active: Option<Release>,
        now: Timestamp,
    ) -> Result<Published, CoreError> {
        let unchanged = candidate.is(active.as_ref());
        let fresh_id = new_id("rel", now);
        let id = active.as_ref().filter(|_| unchanged).map_or(&fresh_id, |active| &active.id);
        let projections = self.project(tx, id, business, &candidate).await?;
        let release = match active.filter(|_| unchanged) {
            Some(active) => active,
            None => Release {
                id: fresh_id,
                business: business.clone(),
                build: candidate.build,
                ir_hash: candidate.hash,
                ir: candidate.ir,
                activated_at: Some(now),
            },
        };
        if !unchanged {
            tx.insert_release(&release, &projections).await?;
            tx.activate(business, &release.id).await?;
        }
        let plan_versions: BTreeMap<String, u32> =
            projections.into_iter().map(|projection| (projection.plan, projection.version)).collect();
        if !unchanged {
            let news = News::ReleaseActivated {
                release_id: release.id.clone(),
                build_id: release.build.clone(),
                ir_hash: release.ir_hash.clone(),
                plan_versions: plan_versions.clone(),
            };
            events::tell(tx, business, &news, now, now).await?;
            let deed = Deed::of(business, "release.published", release.id.as_str());
            self.note(tx, deed.with(json!({ "buildId": release.build, "irHash": release.ir_hash })), now).await?;
        }
        let Release { id: release_id, ir_hash, activated_at, .. } = release;
        Ok(Published { release_id, ir_hash, activated_at, unchanged, plan_versions })
    }

    /// A projection per plan. A plan that costs something else than its newest version gets the next one.
    async fn project(
        &self,
        tx: &mut Tx<S::Connection>,
        release: &Id,
        business: &Id,
        candidate: &Candidate,
    ) -> Result<Vec<StoredProjection>, CoreError> {
        let manifest = &candidate.manifest;
        let mut projections = Vec::with_capacity(manifest.plans.len());
        for plan in &manifest.plans {
            let costs = candidate.costs.get(plan.key.as_str()).cloned();
            let plan_hash = costs.ok_or_else(|| CoreError::Internal(format!("the plan {} has no costs", plan.key)))?;
            let version = match tx.newest_version(business, plan.key.as_str()).await? {
                Some(newest) if self.costs_the_same(tx, business, &newest, plan, &plan_hash).await? => newest.version,
                Some(newest) => {
                    newest.version.checked_add(1).ok_or_else(|| CoreError::out_of_range("a plan's version"))?
                }
                None => 1,
            };
            let projection = Projection::new(manifest, plan, version);
            let body = canonical::bytes(&projection).map_err(internal)?;
            let hash = canonical::hash_bytes(&body);
            let body = String::from_utf8(body).map_err(internal)?;
            let plan = plan.key.to_string();
            projections.push(StoredProjection { release: release.clone(), plan, version, plan_hash, body, hash });
        }
        Ok(projections)
    }

    /// Whether a plan costs what its newest version does. A version from before routes and meters counted has the hash of the plan's
    /// form alone; then its release tells.
    async fn costs_the_same(
        &self,
        tx: &mut Tx<S::Connection>,
        business: &Id,
        newest: &StoredProjection,
        plan: &Plan,
        costs: &str,
    ) -> Result<bool, CoreError> {
        if newest.plan_hash == costs {
            return Ok(true);
        }
        if newest.plan_hash != pricing::form(plan).map_err(internal)? {
            return Ok(false);
        }
        let Some(manifest) = self.manifest(tx, business, &newest.release).await? else { return Ok(false) };
        let before = self.aside(move || pricing::hashes(&manifest)).await?.map_err(internal)?;
        Ok(before.get(plan.key.as_str()).is_some_and(|before| before == costs))
    }

    /// The manifest of a release, when it is there and its hash is its text's.
    pub(crate) async fn manifest(
        &self,
        tx: &mut Tx<S::Connection>,
        business: &Id,
        release: &Id,
    ) -> Result<Option<Arc<Manifest>>, CoreError> {
        if let Some(known) = self.manifests.get(release) {
            return Ok(Some(known));
        }
        let found = tx.release(business, release).await?;
        let is_intact = |found: &Release| canonical::hash_bytes(found.ir.as_bytes()) == found.ir_hash;
        let Some(found) = found.filter(is_intact) else { return Ok(None) };
        let manifest = serde_json::from_str(&found.ir).map_err(|error| CoreError::Internal(error.to_string()))?;
        let manifest: Arc<Manifest> = Arc::new(manifest);
        self.manifests.put(release.clone(), Arc::clone(&manifest));
        Ok(Some(manifest))
    }

    /// A page of the business's releases, the newest first, and where the next page begins: at most `limit` of those before `before`.
    ///
    /// # Errors
    /// [`CoreError::NotFound`]; [`CoreError::Store`].
    pub async fn releases(
        &self,
        business: &Id,
        before: Option<&str>,
        limit: u32,
    ) -> Result<(Vec<ReleaseEntry>, Option<Id>), CoreError> {
        let limit = limit.clamp(1, LISTED_MAX);
        let mut tx = self.store.begin(Mode::Read).await?;
        businesses::known_business(&mut tx, business).await?;
        let page = tx.releases(business, before, limit).await?;
        let next = next_page(&page, limit, |last| last.id.clone());
        Ok((page, next))
    }

    /// The release that is active, with its IR.
    ///
    /// # Errors
    /// [`CoreError::NotFound`] for an unknown business, or one that has published nothing.
    pub async fn active_release(&self, business: &Id) -> Result<Release, CoreError> {
        let mut tx = self.store.begin(Mode::Read).await?;
        businesses::known_business(&mut tx, business).await?;
        tx.active_release(business).await?.ok_or(CoreError::NotFound("the business has published nothing yet"))
    }
}

fn moved(expected: Option<&str>, actual: Option<&str>) -> CoreError {
    CoreError::Moved {
        code: "RELEASE_MOVED",
        message: "another release was activated since the build; build again, or name the release it may replace"
            .to_owned(),
        expected: expected.map(str::to_owned),
        actual: actual.map(str::to_owned),
    }
}

fn internal(error: impl std::fmt::Display) -> CoreError {
    CoreError::Internal(error.to_string())
}

/// An IR that keeps to every rule.
struct Accepted {
    manifest: Manifest,
    hash: String,
    costs: BTreeMap<Key, String>,
}

/// Checks an IR from scratch, whoever made it: form, canonical text, rules.
fn accept(text: &str) -> Result<Accepted, CoreError> {
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
        None => Ok(Accepted {
            costs: pricing::hashes(&manifest).map_err(internal)?,
            hash: canonical::hash_bytes(&bytes),
            manifest,
        }),
    }
}

/// What a window is rated under.
///
/// # Errors
/// [`CoreError::Internal`] where it is missing or altered; [`CoreError::Store`].
pub(crate) async fn of_window<C: Connection>(tx: &mut Tx<C>, window: &StoredWindow) -> Result<Arc<Terms>, CoreError> {
    let stored = tx.projection(&window.subscription.business, &window.release, &window.plan).await?;
    let altered = || CoreError::Internal(format!("the projection of window {} is missing or altered", window.id));
    stored.as_ref().and_then(Terms::verified).ok_or_else(altered)
}
