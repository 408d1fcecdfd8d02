//! What the service does by itself as time passes.

use jiff::{SignedDuration, Timestamp};
use std::sync::Arc;
use std::time::Duration;
use svc_api::App;
use svc_core::Core;
use svc_core::clock_guard::ClockGuard;
use svc_core::due_work::DueWork;
use svc_core::tokens::TOKENS_ASKED_SECONDS;
use svc_store::Store;
use tokio::task::JoinHandle;

/// How long the job rests between two passes, in seconds.
const REST_SECONDS: u64 = 60;
/// How often what waits is counted, in seconds.
const COUNT_SECONDS: u64 = 15;
/// How often the database is asked for the time, in seconds.
const CLOCK_REST_SECONDS: u64 = 5;
/// Longest time after a period's end, in hours: a year.
const AFTER_MAX_HOURS: i64 = 366 * 24;

/// How long after its end a period is closed: a number of hours or days, such as `12h` or `3d`.
///
/// # Errors
/// A sentence for what is no such time.
pub(crate) fn parse_after(text: &str) -> Result<SignedDuration, String> {
    let form = || format!("{text:?} is no time: a number of hours or days, such as 12h or 3d, at most a year");
    let (number, unit) = text.split_at_checked(text.len().saturating_sub(1)).ok_or_else(form)?;
    let number: i64 = number.parse().map_err(|_| form())?;
    let hours = match unit {
        "h" => Some(number),
        "d" => number.checked_mul(24),
        _ => None,
    };
    let hours = hours.filter(|hours| (0..=AFTER_MAX_HOURS).contains(hours)).ok_or_else(form)?;
    Ok(SignedDuration::from_hours(hours))
}

/// Does what is due again and again, until it is aborted: settles, closes where `close_after` says when, and forgets old events. Each
/// subscription is a transaction of its own, so that stopping in between loses nothing.
pub(crate) fn keep_up<S: Store>(app: Arc<App<S>>, close_after: Option<SignedDuration>) -> JoinHandle<()> {
    tokio::spawn(async move {
        loop {
            match app.core.do_due_work(close_after, app.now()).await {
                Ok(Some(done)) if done != DueWork::default() => tracing::info!(?done, "due work was done"),
                Ok(_) => {}
                Err(error) => tracing::error!(%error, "due work can't be done"),
            }
            if let Err(error) = app.core.store.note_work(app.now()).await {
                tracing::warn!(%error, "the moment was not noted");
            }
            if let Err(error) = app.core.forget_the_old(app.now()).await {
                tracing::error!(%error, "what is old can't be forgotten");
            }
            tokio::time::sleep(Duration::from_secs(REST_SECONDS)).await;
        }
    })
}

/// Counts what waits in the store again and again, for `/metrics`, until it is aborted.
pub(crate) fn keep_counting<S: Store>(app: Arc<App<S>>) -> JoinHandle<()> {
    tokio::spawn(async move {
        loop {
            match app.core.backlog().await {
                Ok(backlog) => app.backlog.set(Some(backlog)),
                Err(error) => tracing::warn!(%error, "what waits was not counted"),
            }
            tokio::time::sleep(Duration::from_secs(COUNT_SECONDS)).await;
        }
    })
}

/// Time since the machine started, also while it slept.
pub(crate) fn steady() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Boottime);
    let seconds = Duration::from_secs(u64::try_from(now.tv_sec).unwrap_or_default());
    seconds.saturating_add(Duration::from_nanos(u64::try_from(now.tv_nsec).unwrap_or_default()))
}

/// Asks the database for the time again and again, until it is aborted.
pub(crate) fn keep_asking<S: Store>(guard: Arc<ClockGuard>, store: S) -> JoinHandle<()> {
    tokio::spawn(async move {
        let mut was_apart = guard.is_apart();
        loop {
            tokio::time::sleep(Duration::from_secs(CLOCK_REST_SECONDS)).await;
            if let Err(error) = guard.ask(&store).await {
                tracing::warn!(%error, "the database was not asked for the time");
            }
            let is_apart = guard.is_apart();
            if is_apart != was_apart {
                let skew = guard.skew().unwrap_or_default();
                tracing::error!(%skew, is_apart, "this server's clock, beside the database's");
            }
            was_apart = is_apart;
        }
    })
}

/// Hears again and again what tokens were taken back, until it is aborted. While it can't, each token is asked for each time.
pub(crate) fn keep_hearing<S: Store>(
    core: Core<S>,
    now: impl Fn() -> Timestamp + Send + Sync + 'static,
) -> JoinHandle<()> {
    tokio::spawn(async move {
        loop {
            if let Err(error) = core.hear_of_tokens(now()).await {
                tracing::warn!(%error, "what tokens were taken back was not heard");
            }
            tokio::time::sleep(Duration::from_secs(TOKENS_ASKED_SECONDS)).await;
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_a_number_of_hours_or_days() {
        assert_eq!(parse_after("3d"), Ok(SignedDuration::from_hours(72)));
        assert_eq!(parse_after("0h"), Ok(SignedDuration::ZERO));
        for wrong in ["", "d", "3", "3 d", "-1h", "367d", "1.5d", "9223372036854775807d", "3é"] {
            assert!(parse_after(wrong).is_err(), "{wrong}");
        }
    }
}
