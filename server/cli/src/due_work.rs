//! What the service does by itself as time passes.

use jiff::SignedDuration;
use std::sync::Arc;
use std::time::Duration;
use svc_api::App;
use svc_core::due_work::DueWork;
use svc_store::Store;
use tokio::task::JoinHandle;

/// How long the job rests between two passes, in seconds.
const REST_SECONDS: u64 = 60;
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
            if let Err(error) = app.core.forget_events(app.now()).await {
                tracing::error!(%error, "old events can't be forgotten");
            }
            tokio::time::sleep(Duration::from_secs(REST_SECONDS)).await;
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
