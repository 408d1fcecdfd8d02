//! Lets calls of a token through within its rate limit, fetching shares of it from the store.

use crate::app::App;
use crate::problem::Problem;
use crate::rates::{RATE_WINDOW_SECONDS, SHARES};
use hyper::StatusCode;
use hyper::header::RETRY_AFTER;
use jiff::Timestamp;
use svc_core::CoreError;
use svc_store::{Mode, Store};

/// Lets a token's call through, or refuses it until the next stretch.
pub(crate) async fn admit<S: Store>(app: &App<S>, token: &[u8; 32]) -> Result<(), Problem> {
    let now = app.now();
    let second = now.as_second();
    let since = second.rem_euclid(RATE_WINDOW_SECONDS);
    let window = Timestamp::from_second(second.saturating_sub(since)).unwrap_or(now);
    let taken = match app.rates.take(token, window) {
        Some(taken) => taken,
        None => {
            fetch(app, token, window).await?;
            app.rates.take(token, window).unwrap_or(true)
        }
    };
    if taken {
        return Ok(());
    }
    let wait = RATE_WINDOW_SECONDS.saturating_sub(since).max(1);
    let detail = format!("this token has made {} calls in {RATE_WINDOW_SECONDS} seconds already", app.rates.limit);
    Err(Problem::new(StatusCode::TOO_MANY_REQUESTS, "RATE_LIMITED", detail).with_header(RETRY_AFTER, wait.to_string()))
}

/// Takes a share of what is left of the limit.
async fn fetch<S: Store>(app: &App<S>, token: &[u8; 32], window: Timestamp) -> Result<(), Problem> {
    let share = app.rates.limit.div_ceil(SHARES);
    let failed = |error| Problem::from(CoreError::from(error));
    let mut tx = app.core.store.begin(Mode::Write).await.map_err(failed)?;
    let used = tx.use_rate(token, window, share).await.map_err(failed)?;
    if used == u64::from(share) {
        tx.forget_rates(window).await.map_err(failed)?;
    }
    tx.commit().await.map_err(failed)?;
    let over = u32::try_from(used.saturating_sub(u64::from(app.rates.limit))).unwrap_or(u32::MAX);
    app.rates.note(*token, window, share.saturating_sub(over), over >= share || used >= u64::from(app.rates.limit));
    Ok(())
}
