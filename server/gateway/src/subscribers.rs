//! What the gateway remembers of subjects: under what they are served, for a moment; how far their limits are used up; how many of their
//! requests are under way.

use crate::deny::Deny;
use crate::limits::{
    LEASE_SECONDS, LEASE_SHARES, REQUESTS_MAX_PER_SUBJECT, STANDING_SECONDS, STANDING_STALE_MAX_SECONDS, SUBJECTS_MAX,
};
use crate::served::{Served, ServedRoute};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use svc_core::Core;
use svc_core::rate_leases::{LeaseAsk, Leased};
use svc_core::rates::{Left, Level, seconds};
use svc_core::standing::Standing;
use svc_engine::manifest::ir::{Enforcement, Key};
use svc_engine::money::units::Units;
use svc_store::Store;
use svc_store::records::Id;

/// Plans of releases that are kept.
const SERVED_KEPT: usize = 1_024;

/// A live subscription, as requests are let through by it.
#[derive(Debug)]
pub(crate) struct Subscribed {
    pub(crate) plan: String,
    pub(crate) served: Arc<Served>,
}

/// A subject of a business.
#[derive(Debug)]
pub(crate) struct Subscriber {
    pub(crate) business: Id,
    pub(crate) subject: String,
    state: Mutex<State>,
    asking: tokio::sync::Mutex<()>,
    leasing: tokio::sync::Mutex<()>,
}

/// What is left of a lease.
#[derive(Clone, Copy, Debug, Default)]
struct Lease {
    units: Units,
    /// Until when it is used, in microseconds since 1970.
    until: u64,
    /// Until when there is nothing to be had.
    denied_until: u64,
    /// What was used beside it, and is told with the next.
    used_more: Units,
}

#[derive(Debug, Default)]
struct State {
    /// When it was asked for last, and what was said.
    standing: Option<(Instant, Option<Arc<Subscribed>>)>,
    /// One for each dimension that was limited.
    levels: HashMap<Key, Level>,
    /// What was leased, by dimension, where limits are shared.
    leases: HashMap<Key, Lease>,
    under_way: usize,
}

/// What a request that was let through has used, and the limits as they are then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Taken {
    /// For each of the plan's limits, in their order.
    pub(crate) left: Vec<Left>,
}

/// One request of a subject under way, until it is dropped.
#[derive(Debug)]
pub(crate) struct Place(Arc<Subscriber>);

impl Drop for Place {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.under_way = state.under_way.saturating_sub(1);
    }
}

/// All subjects, and the plans that they are served under.
#[derive(Debug, Default)]
pub(crate) struct Subscribers {
    all: Mutex<HashMap<(Id, String), Arc<Subscriber>>>,
    served: Mutex<HashMap<(Id, String), Arc<Served>>>,
}

impl Subscribers {
    /// The subject of this name.
    pub(crate) fn get(&self, business: &Id, subject: &str) -> Result<Arc<Subscriber>, Deny> {
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        let name = (business.clone(), subject.to_owned());
        if let Some(known) = all.get(&name) {
            return Ok(Arc::clone(known));
        }
        if all.len() >= SUBJECTS_MAX {
            all.retain(|_, subscriber| Arc::strong_count(subscriber) > 1 || !subscriber.is_forgettable());
        }
        if all.len() >= SUBJECTS_MAX {
            return Err(Deny::Busy("too many subjects call at once"));
        }
        let made = Arc::new(Subscriber {
            business: business.clone(),
            subject: subject.to_owned(),
            state: Mutex::default(),
            asking: tokio::sync::Mutex::default(),
            leasing: tokio::sync::Mutex::default(),
        });
        all.insert(name, Arc::clone(&made));
        Ok(made)
    }

    fn served(&self, standing: &Standing) -> Arc<Served> {
        let name = (standing.subscription.release.clone(), standing.subscription.plan.clone());
        let mut all = self.served.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = all.get(&name) {
            return Arc::clone(known);
        }
        if all.len() >= SERVED_KEPT {
            all.clear();
        }
        let made = Arc::new(Served::new(&standing.manifest, &standing.projection.plan));
        all.insert(name, Arc::clone(&made));
        made
    }

    /// Under what a subject is served. What was said a moment ago is good; while it is asked for anew, or the store can't be asked, what was
    /// said a little earlier.
    pub(crate) async fn standing<S: Store>(
        &self,
        core: &Core<S>,
        subscriber: &Subscriber,
        now: jiff::Timestamp,
    ) -> Result<Arc<Subscribed>, Deny> {
        let known = subscriber.known(STANDING_SECONDS);
        let subscribed = match known {
            Some(known) => known,
            None => self.ask(core, subscriber, now).await?,
        };
        subscribed.ok_or(Deny::NoSubscription)
    }

    async fn ask<S: Store>(
        &self,
        core: &Core<S>,
        subscriber: &Subscriber,
        now: jiff::Timestamp,
    ) -> Result<Option<Arc<Subscribed>>, Deny> {
        let stale = || subscriber.known(STANDING_STALE_MAX_SECONDS);
        let _asking = match subscriber.asking.try_lock() {
            Ok(asking) => asking,
            // Somebody is asking already: a little old is good enough, and who knows nothing waits.
            Err(_) => match stale() {
                Some(known) => return Ok(known),
                None => subscriber.asking.lock().await,
            },
        };
        if let Some(known) = subscriber.known(STANDING_SECONDS) {
            return Ok(known);
        }
        match core.standing(&subscriber.business, &subscriber.subject, now).await {
            Ok(standing) => {
                let subscribed = standing.map(|standing| {
                    Arc::new(Subscribed { served: self.served(&standing), plan: standing.subscription.plan })
                });
                subscriber.lock().standing = Some((Instant::now(), subscribed.clone()));
                Ok(subscribed)
            }
            Err(error) => {
                tracing::error!(%error, "under what a subject is served could not be asked");
                stale().ok_or(Deny::Unchecked("the subject is subscribed"))
            }
        }
    }
}

impl Subscriber {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What was said of it at most so many seconds ago.
    fn known(&self, within_seconds: u64) -> Option<Option<Arc<Subscribed>>> {
        let state = self.lock();
        let (at, known) = state.standing.as_ref()?;
        (at.elapsed() < Duration::from_secs(within_seconds)).then(|| known.clone())
    }

    fn is_forgettable(&self) -> bool {
        let state = self.lock();
        let is_old = state
            .standing
            .as_ref()
            .is_none_or(|(at, _)| at.elapsed() > Duration::from_secs(STANDING_STALE_MAX_SECONDS));
        is_old && state.under_way == 0 && state.levels.values().all(|level| level.is_empty())
    }

    /// A place for one more request.
    pub(crate) fn enter(self: &Arc<Self>) -> Result<Place, Deny> {
        let mut state = self.lock();
        if state.under_way >= REQUESTS_MAX_PER_SUBJECT {
            return Err(Deny::Concurrency);
        }
        state.under_way = state.under_way.saturating_add(1);
        Ok(Place(Arc::clone(self)))
    }

    /// Uses the limits for a request of this route, all of them or none.
    pub(crate) fn take(&self, served: &Served, route: &ServedRoute, now_micros: u64) -> Result<Taken, Deny> {
        let mut state = self.lock();
        let mut raised = Vec::with_capacity(served.limits.len());
        for (limit, cost) in served.limits.iter().zip(&route.costs) {
            let level = state.levels.get(&limit.dimension).copied().unwrap_or_default().drained(limit, now_micros);
            let concerns = route.concerns(&limit.dimension);
            if let (true, Enforcement::Enforce, Err(wait)) = (concerns, limit.enforcement, level.has_room(limit, *cost))
            {
                return Err(Deny::Limited {
                    dimension: limit.dimension.clone(),
                    wait_seconds: seconds(u128::from(wait)),
                });
            }
            raised.push(level.with(limit, *cost));
        }
        let left = served.limits.iter().zip(&raised).map(|(limit, level)| level.left(limit)).collect();
        for (limit, level) in served.limits.iter().zip(raised) {
            state.levels.insert(limit.dimension.clone(), level);
        }
        Ok(Taken { left })
    }

    /// Uses limits that several gateways share: leases of the store what it has not leased yet.
    pub(crate) async fn take_shared<S: Store>(
        &self,
        core: &Core<S>,
        served: &Served,
        route: &ServedRoute,
        at: jiff::Timestamp,
    ) -> Result<Taken, Deny> {
        let now = u64::try_from(at.as_microsecond()).unwrap_or_default();
        if let Ok(taken) = self.take_leased(served, route, now)? {
            return Ok(taken);
        }
        let _leasing = self.leasing.lock().await;
        // Whoever was before may have leased enough for both.
        let asks = match self.take_leased(served, route, now)? {
            Ok(taken) => return Ok(taken),
            Err(asks) => asks,
        };
        match core.lease_rates(&self.business, &self.subject, &asks, at).await {
            Ok(leased) => self.note_leases(&asks, &leased, now),
            Err(error) => {
                tracing::error!(%error, "a share of a limit could not be leased");
                self.give_back(&asks);
                if served.is_open_without_store() {
                    return Ok(self.count(served, route, now));
                }
                return Err(Deny::Unchecked("the plan's limits have room"));
            }
        }
        match self.take_leased(served, route, now)? {
            Ok(taken) => Ok(taken),
            Err(_) => Err(Deny::Busy("a limit's share was used up meanwhile")),
        }
    }

    /// Uses what is leased, all of it or none; or says what must be leased first.
    fn take_leased(
        &self,
        served: &Served,
        route: &ServedRoute,
        now: u64,
    ) -> Result<Result<Taken, Vec<LeaseAsk>>, Deny> {
        let mut state = self.lock();
        let mut asks = Vec::new();
        let enforced = || {
            let both = served.limits.iter().zip(&route.costs);
            both.filter(|(limit, _)| limit.enforcement == Enforcement::Enforce && route.concerns(&limit.dimension))
        };
        for (limit, cost) in enforced() {
            let lease = state.leases.get(&limit.dimension).copied().unwrap_or_default();
            if lease.denied_until > now {
                let wait = lease.denied_until.saturating_sub(now);
                return Err(Deny::Limited {
                    dimension: limit.dimension.clone(),
                    wait_seconds: seconds(u128::from(wait)),
                });
            }
            if lease.until <= now || lease.units < *cost {
                let share = limit.rate_steps().checked_div(u128::from(LEASE_SHARES)).unwrap_or_default();
                let wants = Units::from_steps(share).max(Units::ONE).max(*cost);
                let Lease { units, used_more, .. } = lease;
                asks.push(LeaseAsk { limit: limit.clone(), needs: *cost, wants, gives_back: units, used_more });
            }
        }
        if !asks.is_empty() {
            return Ok(Err(asks));
        }
        for (limit, cost) in enforced() {
            if let Some(lease) = state.leases.get_mut(&limit.dimension) {
                lease.units = lease.units.checked_sub(*cost).unwrap_or_default();
            }
        }
        Ok(Ok(count(&mut state, served, route, now)))
    }

    fn note_leases(&self, asks: &[LeaseAsk], leased: &[Leased], now: u64) {
        let mut state = self.lock();
        for (ask, leased) in asks.iter().zip(leased) {
            let lease = state.leases.entry(ask.limit.dimension.clone()).or_default();
            let used_more = lease.used_more.checked_sub(ask.used_more).unwrap_or_default();
            *lease = Lease {
                units: leased.units,
                until: now.saturating_add(LEASE_SECONDS.saturating_mul(1_000_000)),
                denied_until: if leased.wait_micros > 0 { now.saturating_add(leased.wait_micros) } else { 0 },
                used_more,
            };
            // What others used is known now.
            state.levels.insert(ask.limit.dimension.clone(), leased.level.without(&ask.limit, leased.units));
        }
    }

    /// What could not be leased anew is good no longer, and is told again.
    fn give_back(&self, asks: &[LeaseAsk]) {
        let mut state = self.lock();
        for ask in asks {
            if let Some(lease) = state.leases.get_mut(&ask.limit.dimension) {
                lease.until = 0;
            }
        }
    }

    /// Counts a request without asking whether there is room.
    fn count(&self, served: &Served, route: &ServedRoute, now: u64) -> Taken {
        count(&mut self.lock(), served, route, now)
    }

    /// Puts a limit right by what was reported, where that is not what was expected.
    pub(crate) fn correct(&self, served: &Served, route: &ServedRoute, reported: impl Fn(&Key) -> Option<Units>) {
        let mut state = self.lock();
        for (limit, expected) in served.limits.iter().zip(&route.costs) {
            let Some(actual) = reported(&limit.dimension) else { continue };
            if let Some(level) = state.levels.get_mut(&limit.dimension) {
                *level = level.with(limit, actual).without(limit, *expected);
            }
            if let (Some(lease), Some(more)) = (state.leases.get_mut(&limit.dimension), actual.checked_sub(*expected)) {
                lease.used_more = lease.used_more.checked_add(more).unwrap_or(lease.used_more);
            }
        }
    }
}

/// Counts a request in all limits of the plan.
fn count(state: &mut State, served: &Served, route: &ServedRoute, now: u64) -> Taken {
    let mut left = Vec::with_capacity(served.limits.len());
    for (limit, cost) in served.limits.iter().zip(&route.costs) {
        let level = state.levels.get(&limit.dimension).copied().unwrap_or_default();
        let level = level.drained(limit, now).with(limit, *cost);
        left.push(level.left(limit));
        state.levels.insert(limit.dimension.clone(), level);
    }
    Taken { left }
}
