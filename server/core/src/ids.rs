//! Ids, and moments as they are kept.

use jiff::Timestamp;
use std::sync::Mutex;
use svc_store::records::Id;
use uuid::Uuid;
use uuid::timestamp::context::ContextV7;

/// Orders the ids of one moment.
static IDS: Mutex<ContextV7> = Mutex::new(ContextV7::new());

/// A new id: sorts by `now`, and by order of making within one moment.
pub fn new_id(prefix: &str, now: Timestamp) -> Id {
    let seconds = u64::try_from(now.as_second()).unwrap_or(0);
    let nanos = u32::try_from(now.subsec_nanosecond()).unwrap_or(0);
    let uuid = Uuid::new_v7(uuid::Timestamp::from_unix(&IDS, seconds, nanos));
    Id::named(format!("{prefix}_{}", uuid.simple()))
}

/// Entries that one page of a list has, at most.
pub const LISTED_MAX: u32 = 100;

/// Where the page after this one begins; nothing where this one is not full.
pub(crate) fn next_page<T, C>(page: &[T], limit: u32, cursor: impl Fn(&T) -> C) -> Option<C> {
    let is_full = u32::try_from(page.len()).is_ok_and(|length| length == limit);
    page.last().filter(|_| is_full).map(cursor)
}

/// A moment as it is kept: whole microseconds, rounded down.
pub fn to_micros(now: Timestamp) -> Timestamp {
    Timestamp::from_microsecond(now.as_nanosecond().div_euclid(1_000).try_into().unwrap_or(0)).unwrap_or(now)
}
