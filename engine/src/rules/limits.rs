//! An entry of `limits`: a rate limit or a count. Plans and entitlements read theirs here.

use super::reader::Node;
use crate::manifest::ir::{Enforcement, Key, RateLimit};

/// What one entry of a `limits` map is.
pub(crate) enum Limit {
    Rate(RateLimit),
    Count(Key, u64),
}

/// `{ rate, interval, enforcement? }` or `{ count }`.
pub(crate) fn limit(dimension: Key, node: &Node<'_>) -> Option<Limit> {
    let options = node.options()?;
    let limit = if let Some(count) = options.get("count") {
        count.integer(0, "a count").map(|count| Limit::Count(dimension, count))
    } else {
        let rate = options.require("rate").and_then(|rate| rate.units());
        let interval = options.require("interval").and_then(|interval| interval.choice());
        let enforcement = options.choice("enforcement").unwrap_or(Enforcement::Enforce);
        rate.zip(interval).map(|(rate, interval)| Limit::Rate(RateLimit { dimension, rate, interval, enforcement }))
    };
    options.finish();
    limit
}
