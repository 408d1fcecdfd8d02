//! SIGHUP: settings are read again, and what a running server can take over it takes over.

use crate::edge::EdgeArgs;
use crate::log::Log;
use crate::output::CommandError;
use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::sync::Arc;
use svc_api::limits::Limits;
use svc_api::{App, Edge};
use svc_store::Store;
use tokio::signal::unix::Signal;
use tokio::task::JoinHandle;

/// Settings that a running server takes over on SIGHUP, by their names.
pub(crate) const RELOADED: &[&str] = &[
    "serve.rate-limit",
    "serve.log",
    "serve.cors-origin",
    "serve.max-connections",
    "serve.max-connections-per-peer",
    "serve.first-byte-seconds",
    "serve.head-seconds",
    "serve.idle-seconds",
    "serve.body-seconds",
    "serve.grace-seconds",
    "serve.max-requests",
    "serve.max-requests-per-business",
    "serve.max-bodies-mib",
    "serve.max-bodies-mib-per-business",
    "serve.max-answers-mib",
    "serve.max-answers-mib-per-reader",
];

/// Settings as they are said now: those that are taken over, and the values of all.
pub(crate) struct Fresh {
    pub(crate) rate_limit: NonZeroU32,
    pub(crate) edge: EdgeArgs,
    pub(crate) log: Option<String>,
    pub(crate) values: BTreeMap<String, Vec<String>>,
}

/// Reads settings again.
pub(crate) type Reread = Arc<dyn Fn() -> Result<Fresh, CommandError> + Send + Sync>;

/// What a server needs to take settings over.
#[derive(Clone)]
pub(crate) struct Reload {
    pub(crate) log: Log,
    pub(crate) reread: Reread,
}

/// Takes settings over whenever it is told to, for ever.
pub(crate) async fn keep_up<S: Store>(reload: Reload, app: Arc<App<S>>, edge: Edge, told: Signal) {
    keep_taking(reload, edge, told, |fresh, limits, taken| {
        if taken.iter().any(|name| *name == "serve.rate-limit") {
            app.rates.set(fresh.rate_limit);
        }
        app.traffic.bound(limits);
    })
    .await;
}

/// As [`keep_up`], of a gateway that is a server of its own; until it is aborted.
pub(crate) fn keep_gateway_up(reload: Reload, edge: Edge, told: Signal) -> JoinHandle<()> {
    tokio::spawn(keep_taking(reload, edge, told, |_, _, _| {}))
}

/// Takes over what every server has, and has `take` do the rest, with the names of what changed.
async fn keep_taking(reload: Reload, edge: Edge, mut told: Signal, take: impl Fn(&Fresh, &Limits, &[&String])) {
    let mut before = match (reload.reread)() {
        Ok(fresh) => fresh.values,
        Err(_) => BTreeMap::new(),
    };
    while told.recv().await.is_some() {
        let fresh = match (reload.reread)() {
            Ok(fresh) => fresh,
            Err(why) => {
                let hint = why.hint.unwrap_or_default();
                tracing::error!(
                    code = why.code,
                    why = why.message,
                    hint,
                    "settings are not taken over; those before stay"
                );
                continue;
            }
        };
        let changed = |name: &&String| before.get(*name) != fresh.values.get(*name);
        let (taken, others): (Vec<_>, Vec<_>) =
            fresh.values.keys().filter(changed).partition(|name| RELOADED.contains(&name.as_str()));
        if let Err(why) = reload.log.set(fresh.log.as_deref()) {
            tracing::error!(why = why.message, "the log's filter is not taken over");
        }
        let (limits, origins) = fresh.edge.live();
        take(&fresh, &limits, &taken);
        edge.limits.set(limits);
        edge.cors_origins.set(origins);
        tracing::warn!(?taken, "settings were read again");
        if !others.is_empty() {
            tracing::warn!(?others, "these changed, too, and are as they were until the server is started again");
        }
        for name in taken.into_iter().cloned().collect::<Vec<_>>() {
            let value = fresh.values.get(&name).cloned().unwrap_or_default();
            before.insert(name, value);
        }
    }
}
