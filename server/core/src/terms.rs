//! What a subscription is served under, as it is rated by: the projection of a plan with its prepared rate card. Both are made once
//! for each text and kept in memory by the text's hash, since a plan may have ten thousand rates, and each batch of usage needs them.

use crate::cache::Cache;
use std::ops::Deref;
use std::sync::{Arc, LazyLock};
use svc_engine::manifest::canonical;
use svc_engine::money::card::{Basis, RateCard};
use svc_store::records::{Projection, StoredProjection};

/// Longest texts that are kept in memory, together, in bytes. Prepared, they take some ten times as much.
pub(crate) const TERMS_KEPT_MAX_BYTES: usize = 16 << 20;

/// What every text of a hash says. It is the same for whoever has the text, so one memory serves the process.
static KEPT: LazyLock<Cache<String, Arc<Terms>>> = LazyLock::new(|| Cache::new(TERMS_KEPT_MAX_BYTES));

/// A projection with the card that it is rated by.
#[derive(Debug)]
pub(crate) struct Terms {
    projection: Arc<Projection>,
    card: Arc<RateCard>,
}

impl Terms {
    /// Those of a projection.
    pub(crate) fn new(projection: Projection) -> Terms {
        let by = |meter| projection.attributes.get(meter).map_or(&[][..], Vec::as_slice);
        let meters = projection.meters.iter();
        let meters = meters.map(|(meter, aggregation)| (meter, Basis { aggregation: *aggregation, by: by(meter) }));
        let card = Arc::new(RateCard::new(meters, &projection.plan.meters, &projection.plan.pools));
        Terms { projection: Arc::new(projection), card }
    }

    /// Those of a text, where the hash is the text's and the text is a projection. The text is hashed each time, and read once.
    pub(crate) fn intact(body: &str, hash: &str) -> Option<Arc<Terms>> {
        if canonical::hash_bytes(body.as_bytes()) != hash {
            return None;
        }
        let hash = hash.to_owned();
        if let Some(known) = KEPT.get(&hash) {
            return Some(known);
        }
        let terms = Arc::new(Terms::new(serde_json::from_str(body).ok()?));
        KEPT.put_weighing(body.len(), hash, Arc::clone(&terms));
        Some(terms)
    }

    /// Those of a projection as it is stored.
    pub(crate) fn verified(stored: &StoredProjection) -> Option<Arc<Terms>> {
        Terms::intact(&stored.body, &stored.hash)
    }

    /// The projection.
    pub(crate) fn projection(&self) -> Arc<Projection> {
        Arc::clone(&self.projection)
    }

    /// The meters of the release with the plan's prices.
    pub(crate) fn card(&self) -> Arc<RateCard> {
        Arc::clone(&self.card)
    }
}

impl Deref for Terms {
    type Target = Projection;
    fn deref(&self) -> &Projection {
        &self.projection
    }
}

/// The terms of texts that several subscriptions share: each text is hashed once.
#[derive(Default)]
pub(crate) struct SharedTerms(Vec<(Arc<str>, Option<Arc<Terms>>)>);

impl SharedTerms {
    /// Those of what a position is served under, where it is intact.
    pub(crate) fn intact(&mut self, projection: Option<&(Arc<str>, String)>) -> Option<Arc<Terms>> {
        let (body, hash) = projection?;
        if let Some((_, known)) = self.0.iter().find(|(text, _)| Arc::ptr_eq(text, body)) {
            return known.clone();
        }
        let terms = Terms::intact(body, hash);
        self.0.push((Arc::clone(body), terms.clone()));
        terms
    }
}
