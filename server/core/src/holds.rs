//! Holds: money set aside before a request is served, by what its route is expected to cost; the usage item that names the hold
//! uses it and lets the rest go.

use crate::core::Core;
use crate::counters::HoldEnd;
use crate::error::CoreError;
use crate::ids::{LISTED_MAX, next_page};
use crate::items::checked_id;
use crate::metering::{Estimate, Metering};
use crate::subscriptions;
use jiff::{SignedDuration, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use svc_engine::manifest::canonical;
use svc_engine::moment::Moment;
use svc_engine::money::amount::Nanos;
use svc_engine::money::funding::{self, Expected, SpendLimit};
use svc_store::records::{Hold, HoldState, Id};
use svc_store::{Mode, Store};

/// How long a hold lives unless its sender says otherwise, in seconds.
pub const HOLD_DEFAULT_SECONDS: u32 = 900;
/// Longest life of a hold, in seconds.
pub const HOLD_MAX_SECONDS: u32 = 86_400;
/// Most holds that a subscription has open.
pub const HOLDS_MAX: usize = 1_000;

/// A hold as its sender sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Held {
    /// Its id.
    pub hold_id: String,
    /// How far it is.
    pub state: HoldState,
    /// What is set aside: the estimate, or what the buckets have of it.
    pub held_nanos: Nanos,
    /// When it is let go by itself.
    #[schemars(with = "Moment")]
    pub expires_at: Timestamp,
}

impl Held {
    fn of(hold: &Hold) -> Result<Held, CoreError> {
        let held = hold.parts.iter().try_fold(Nanos::ZERO, |sum, part| sum.plus(part.amount))?;
        Ok(Held { hold_id: hold.id.clone(), state: hold.state, held_nanos: held, expires_at: hold.expires_at })
    }
}

impl<S: Store> Core<S> {
    /// Sets money aside for a subject. The same id again answers the hold as it is.
    ///
    /// # Errors
    /// [`CoreError::NotFound`] without a live subscription; [`CoreError::Invalid`] for what the served release does not have;
    /// [`CoreError::Conflict`] when the plan would refuse the usage itself, too many holds are open, or
    /// another hold was made under the id.
    pub async fn hold(
        &self,
        business: &Id,
        subject: &str,
        id: &str,
        estimate: &Estimate,
        life_seconds: u32,
        now: Timestamp,
    ) -> Result<Held, CoreError> {
        let held = self.again(move || {
            Box::pin(async move {
                checked_id(id)?;
                if !(1..=HOLD_MAX_SECONDS).contains(&life_seconds) {
                    return Err(CoreError::invalid(
                        "HOLD_LIFE",
                        format!("a hold lives 1 to {HOLD_MAX_SECONDS} seconds"),
                    ));
                }
                let _turn = self.subjects.at(business, BTreeSet::from([subject])).await;
                let mut tx = self.store.begin(Mode::Write).await?;
                let locked = subscriptions::live(&mut tx, business, subject, now).await?;
                let now = locked.now;
                let asked = canonical::hash(&(estimate, life_seconds))
                    .map_err(|error| CoreError::Internal(error.to_string()))?;
                if let Some(known) = tx.hold(&locked.subscription.key(), id).await? {
                    if known.fingerprint != asked {
                        return Err(CoreError::conflict(
                            "HOLD_CONFLICT",
                            format!("another hold was made under the id {id:?}"),
                        ));
                    }
                    return Ok((Held::of(&known)?, false));
                }
                if locked.holds.len() >= HOLDS_MAX {
                    return Err(CoreError::conflict("TOO_MANY_HOLDS", format!("{HOLDS_MAX} holds are open already")));
                }
                let mut metering = Metering::open(self, &mut tx, locked).await?;
                let (amount, parts) = metering.estimate(estimate)?;
                let locked = &mut metering.locked;
                let usage = locked.period.totals.usage;
                let expected = Expected { amount, parts: &parts, now, usage };
                let parts = funding::reserve(&mut locked.buckets, expected)?;
                let expires_at = now.checked_add(SignedDuration::from_secs(i64::from(life_seconds)));
                let expires_at =
                    expires_at.map_err(|_| CoreError::invalid("HOLD_LIFE", "the hold ends beyond the calendar"))?;
                let subscription = locked.subscription.key();
                let mut hold = Hold {
                    id: id.to_owned(),
                    subscription,
                    fingerprint: asked,
                    parts,
                    owed: Nanos::ZERO,
                    state: HoldState::Open,
                    expires_at,
                };
                let held = Held::of(&hold)?;
                if let SpendLimit::Refuse(_) = metering.limit {
                    hold.owed = amount.minus(held.held_nanos)?;
                }
                if let SpendLimit::Refuse(bound) = metering.limit_beside(None)?
                    && hold.owed > Nanos::ZERO
                    && metering.locked.period.totals.usage.own()?.plus(hold.owed)? > bound
                {
                    return Err(CoreError::conflict("SPEND_LIMIT_REACHED", "the plan would refuse this usage"));
                }
                tx.put_hold(&hold).await?;
                metering.locked.holds.push(hold);
                metering.locked.save(&mut tx).await?;
                tx.commit().await?;
                Ok((held, true))
            })
        });
        let (held, is_new) = held.await?;
        if is_new {
            self.counters.hold_opened();
        }
        Ok(held)
    }

    /// A page of the holds that a subject has open, by id, and where the next page begins: at most `limit` of those after `after`. One whose
    /// time is over is none of them, whether or not anyone came by since.
    ///
    /// # Errors
    /// [`CoreError::NotFound`] without a live subscription; [`CoreError::Store`].
    pub async fn open_holds(
        &self,
        business: &Id,
        subject: &str,
        after: &str,
        limit: u32,
        now: Timestamp,
    ) -> Result<(Vec<Held>, Option<String>), CoreError> {
        let limit = limit.clamp(1, LISTED_MAX);
        let mut tx = self.store.begin(Mode::Read).await?;
        let live = tx.live_subscription(business, subject).await?;
        let live = live.ok_or(CoreError::NotFound("the subject has no live subscription"))?;
        let page = tx.open_holds_after(&live.key(), after, now, limit).await?;
        let next = next_page(&page, limit, |last| last.id.clone());
        Ok((page.iter().map(Held::of).collect::<Result<_, _>>()?, next))
    }

    /// Lets a hold go. One that has ended answers as it is.
    ///
    /// # Errors
    /// [`CoreError::NotFound`]; [`CoreError::Store`].
    pub async fn release_hold(
        &self,
        business: &Id,
        subject: &str,
        id: &str,
        now: Timestamp,
    ) -> Result<Held, CoreError> {
        self.again(move || {
            Box::pin(async move {
                let _turn = self.subjects.at(business, BTreeSet::from([subject])).await;
                let mut tx = self.store.begin(Mode::Write).await?;
                let mut locked = subscriptions::live(&mut tx, business, subject, now).await?;
                let now = locked.now;
                if let Some(index) = locked.holds.iter().position(|hold| hold.id == id) {
                    locked.end_hold(&mut tx, index, HoldEnd::Released, now).await?;
                }
                let subscription = locked.subscription.key();
                locked.save(&mut tx).await?;
                let hold = tx.hold(&subscription, id).await?.ok_or(CoreError::NotFound("there is no such hold"))?;
                tx.commit().await?;
                Held::of(&hold)
            })
        })
        .await
    }
}
