//! What the gateway remembers of subjects: under what they are served, for a moment; how far their limits are used up; how many of their
//! requests are under way.

use crate::counters::{Counter, Mark};
use crate::deny::Deny;
use crate::headers::{Named, named, named_subject};
use crate::limits::{
    LEASE_SECONDS, LEASE_SHARES, REQUESTS_MAX_PER_SUBJECT, STANDING_SECONDS, STANDING_STALE_MAX_SECONDS,
    SUBJECTS_FORGOTTEN, SUBJECTS_MAX,
};
use crate::served::{Served, ServedRoute};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use svc_core::Core;
use svc_core::ids::new_id;
use svc_core::rate_leases::{LeaseAsk, Leased};
use svc_core::rates::{Left, Limit, seconds};
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
    pub(crate) plan_named: Named,
    pub(crate) served: Arc<Served>,
}

/// A subject of a business.
#[derive(Debug)]
pub(crate) struct Subscriber {
    pub(crate) business: Id,
    pub(crate) business_named: Named,
    pub(crate) subject: String,
    pub(crate) subject_named: Named,
    made: Instant,
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
    /// What was not to be had, and until when nothing will be.
    denied: Option<(Units, u64)>,
    /// What was used beside it, and is told with the next.
    used_more: Units,
}

#[derive(Debug, Default)]
struct State {
    /// When it was asked for last, and what was said.
    standing: Option<(Instant, Option<Arc<Subscribed>>)>,
    /// One for each limit that was used. Limits of a plan that was left stay for a while, and are there again when it is chosen anew.
    counters: HashMap<Limit, Counter>,
    /// What was leased of each, where limits are shared.
    leases: HashMap<Limit, Lease>,
    under_way: usize,
}

/// What a request that was let through has used, and the limits as they are then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Taken {
    /// For each of the plan's limits, in their order.
    pub(crate) left: Vec<Left>,
    marks: Vec<Mark>,
}

/// What an attempt to use leased limits comes to.
enum Attempt {
    Taken(Taken),
    /// There is not enough: this must be leased first.
    Lacks(Vec<LeaseAsk>),
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
#[derive(Debug)]
pub(crate) struct Subscribers {
    /// What this gateway's leases are held under: no other gateway has it, nor this one when it starts again.
    holder: String,
    all: Mutex<HashMap<(Id, String), Arc<Subscriber>>>,
    served: Mutex<HashMap<(Id, String), Arc<Served>>>,
}

impl Subscribers {
    pub(crate) fn new(now: jiff::Timestamp) -> Subscribers {
        let holder = new_id("gateway", now).as_str().to_owned();
        Subscribers { holder, all: Mutex::default(), served: Mutex::default() }
    }

    /// What this gateway's leases are held under.
    pub(crate) fn holder(&self) -> &str {
        &self.holder
    }

    /// The subject of this name.
    pub(crate) fn get(&self, business: &Id, subject: &str, now_micros: u64) -> Result<Arc<Subscriber>, Deny> {
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        let name = (business.clone(), subject.to_owned());
        if let Some(known) = all.get(&name) {
            return Ok(Arc::clone(known));
        }
        if all.len() >= SUBJECTS_MAX {
            forget(&mut all, now_micros);
        }
        if all.len() >= SUBJECTS_MAX {
            return Err(Deny::Busy("too many subjects call at once"));
        }
        let made = Arc::new(Subscriber {
            business: business.clone(),
            business_named: named(business.as_str()),
            subject: subject.to_owned(),
            subject_named: named_subject(subject),
            made: Instant::now(),
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
                    Arc::new(Subscribed {
                        served: self.served(&standing),
                        plan_named: named(&standing.subscription.plan),
                    })
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

    /// Since when it has been silent: nothing where it may call any moment, or has a request under way.
    fn silent_since(&self) -> Option<Instant> {
        let state = self.lock();
        let at = state.standing.as_ref().map_or(self.made, |(at, _)| *at);
        let is_old = at.elapsed() > Duration::from_secs(STANDING_STALE_MAX_SECONDS);
        (is_old && state.under_way == 0).then_some(at)
    }

    /// Whether its limits are all unused by now.
    fn is_unused(&self, now: u64) -> bool {
        self.lock().counters.iter().all(|(limit, counter)| counter.is_empty(limit, now))
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
        for (limit, cost) in enforced(served, route) {
            let level = state.counters.get(limit).map(|counter| counter.at(limit, now_micros)).unwrap_or_default();
            level.has_room(limit, cost).map_err(|wait| limited(limit, wait))?;
        }
        Ok(count(&mut state, served, route, now_micros))
    }

    /// Uses limits that several gateways share: leases of the store what it has not leased yet.
    pub(crate) async fn take_shared<S: Store>(
        &self,
        (core, holder): (&Core<S>, &str),
        served: &Served,
        route: &ServedRoute,
        at: jiff::Timestamp,
    ) -> Result<Taken, Deny> {
        let now = u64::try_from(at.as_microsecond()).unwrap_or_default();
        if let Attempt::Taken(taken) = take_leased(&mut self.lock(), served, route, now)? {
            return Ok(taken);
        }
        let _leasing = self.leasing.lock().await;
        // Whoever was before may have leased enough for both.
        let asks = {
            let mut state = self.lock();
            match take_leased(&mut state, served, route, now)? {
                Attempt::Taken(taken) => return Ok(taken),
                Attempt::Lacks(asks) => {
                    give_back(&mut state, &asks);
                    asks
                }
            }
        };
        match core.lease_rates(holder, (&self.business, &self.subject), &asks, at).await {
            Ok(leased) => {
                // In one go, so that nobody takes meanwhile what was leased for this one.
                let mut state = self.lock();
                note_leases(&mut state, &asks, &leased, now);
                match take_leased(&mut state, served, route, now)? {
                    Attempt::Taken(taken) => Ok(taken),
                    Attempt::Lacks(_) => Err(Deny::Busy("a limit's share was used up meanwhile")),
                }
            }
            Err(error) => {
                tracing::error!(%error, "a share of a limit could not be leased");
                self.tell_again(&asks);
                if served.is_open_without_store() {
                    return Ok(count(&mut self.lock(), served, route, now));
                }
                Err(Deny::Unchecked("the plan's limits have room"))
            }
        }
    }

    /// What was used beside a lease is told with the next. What was to be given back is not there any more: the store may know.
    fn tell_again(&self, asks: &[LeaseAsk]) {
        let mut state = self.lock();
        for ask in asks {
            if let Some(lease) = state.leases.get_mut(&ask.limit) {
                lease.used_more = lease.used_more.checked_add(ask.used_more).unwrap_or(lease.used_more);
            }
        }
    }

    /// Puts limits right by what was reported, where that is not what was expected.
    pub(crate) fn correct(
        &self,
        (served, route): (&Served, &ServedRoute),
        taken: &Taken,
        reported: impl Fn(&Key) -> Option<Units>,
        now: u64,
    ) {
        let mut state = self.lock();
        let State { counters, leases, .. } = &mut *state;
        for ((limit, expected), mark) in served.limits.iter().zip(&route.costs).zip(&taken.marks) {
            let Some(actual) = reported(&limit.dimension) else { continue };
            let counter = counters.entry(limit.clone()).or_insert_with(|| Counter::begun(now));
            let lease = leases.get_mut(limit);
            if let Some(more) = actual.checked_sub(*expected) {
                counter.raise(limit, more, now);
                if let Some(lease) = lease {
                    lease.used_more = lease.used_more.checked_add(more).unwrap_or(lease.used_more);
                }
            } else if let Some(less) = expected.checked_sub(actual) {
                let taken_back = counter.take_back(limit, less, *mark, now);
                if let Some(lease) = lease {
                    lease.units = lease.units.checked_add(taken_back).unwrap_or(lease.units);
                }
            }
        }
    }
}

/// Makes room for more subjects: those go that have called for a while not at all and have used nothing of their limits; where that is not
/// enough, of the others those that have been silent for longest. Their limits begin anew, as all do when a gateway starts.
fn forget(all: &mut HashMap<(Id, String), Arc<Subscriber>>, now: u64) {
    let silent_since = |subscriber: &Arc<Subscriber>| {
        if Arc::strong_count(subscriber) > 1 { None } else { subscriber.silent_since() }
    };
    all.retain(|_, subscriber| silent_since(subscriber).is_none() || !subscriber.is_unused(now));
    let room = SUBJECTS_MAX.saturating_sub(all.len());
    let mut silent: Vec<(Instant, (Id, String))> =
        all.iter().filter_map(|(name, one)| Some((silent_since(one)?, name.clone()))).collect();
    silent.sort();
    for (_, name) in silent.into_iter().take(SUBJECTS_FORGOTTEN.saturating_sub(room)) {
        all.remove(&name);
    }
}

/// The limits that may deny a request of this route, and what it costs in them.
fn enforced<'s>(served: &'s Served, route: &'s ServedRoute) -> impl Iterator<Item = (&'s Limit, Units)> {
    let both = served.limits.iter().zip(route.costs.iter().copied());
    both.filter(|(limit, _)| limit.enforcement == Enforcement::Enforce && route.concerns(&limit.dimension))
}

fn limited(limit: &Limit, wait_micros: u64) -> Deny {
    Deny::Limited { dimension: limit.dimension.clone(), wait_seconds: seconds(u128::from(wait_micros)) }
}

/// Uses what is leased, all of it or none; or says what must be leased first.
fn take_leased(state: &mut State, served: &Served, route: &ServedRoute, now: u64) -> Result<Attempt, Deny> {
    let mut asks = Vec::new();
    for (limit, cost) in enforced(served, route) {
        let Lease { units, until, denied, used_more } = state.leases.get(limit).copied().unwrap_or_default();
        if let Some((_, until)) = denied.filter(|(denied, until)| *until > now && cost >= *denied) {
            return Err(limited(limit, until.saturating_sub(now)));
        }
        if until <= now || units < cost {
            let share = limit.rate_steps().checked_div(u128::from(LEASE_SHARES)).unwrap_or_default();
            let wants = Units::from_steps(share).max(Units::ONE).max(cost);
            asks.push(LeaseAsk { limit: limit.clone(), needs: cost, wants, gives_back: units, used_more });
        }
    }
    if !asks.is_empty() {
        return Ok(Attempt::Lacks(asks));
    }
    for (limit, cost) in enforced(served, route) {
        if let Some(lease) = state.leases.get_mut(limit) {
            lease.units = lease.units.checked_sub(cost).unwrap_or_default();
        }
    }
    Ok(Attempt::Taken(count(state, served, route, now)))
}

/// What is about to be given back is used no more, and what is about to be told is told.
fn give_back(state: &mut State, asks: &[LeaseAsk]) {
    for ask in asks {
        if let Some(lease) = state.leases.get_mut(&ask.limit) {
            *lease = Lease { units: Units::ZERO, used_more: Units::ZERO, ..*lease };
        }
    }
}

/// Notes what was leased, beside what came back meanwhile.
fn note_leases(state: &mut State, asks: &[LeaseAsk], leased: &[Leased], now: u64) {
    for (ask, leased) in asks.iter().zip(leased) {
        let limit = &ask.limit;
        let lease = state.leases.entry(limit.clone()).or_default();
        lease.units = lease.units.checked_add(leased.units).unwrap_or(leased.units);
        lease.until = now.saturating_add(LEASE_SECONDS.saturating_mul(1_000_000));
        lease.denied = (leased.wait_micros > 0).then(|| (ask.needs, now.saturating_add(leased.wait_micros)));
        // What others used is known now.
        let (level, _) = leased.level.without(limit, leased.units, u128::MAX);
        state.counters.entry(limit.clone()).or_insert_with(|| Counter::begun(now)).become_at(limit, level, now);
    }
}

/// Counts a request in all limits of the plan. Those of a plan that was left are forgotten when nothing of them is used any more.
fn count(state: &mut State, served: &Served, route: &ServedRoute, now: u64) -> Taken {
    let (mut left, mut marks) = (Vec::with_capacity(served.limits.len()), Vec::with_capacity(served.limits.len()));
    for (limit, cost) in served.limits.iter().zip(&route.costs) {
        if !state.counters.contains_key(limit) {
            state.counters.retain(|limit, counter| !counter.is_empty(limit, now));
            let State { counters, leases, .. } = state;
            leases.retain(|limit, lease| counters.contains_key(limit) || lease.until > now);
            counters.insert(limit.clone(), Counter::begun(now));
        }
        let Some(counter) = state.counters.get_mut(limit) else { continue };
        marks.push(counter.raise(limit, *cost, now));
        left.push(counter.left(limit, now));
    }
    Taken { left, marks }
}
