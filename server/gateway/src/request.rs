//! Letting a request through: host, key, subscription, route, feature, limits, money; in this order, and the first that denies is the answer.

use crate::deny::{self, Deny};
use crate::gateway::Gateway;
use crate::headers::{self, KEY};
use crate::path::{Path, PathError, TARGET_MAX_BYTES};
use crate::served::{Served, ServedRoute};
use crate::subscribers::{Place, Subscribed, Subscriber, Taken};
use crate::upstreams::Known;
use hyper::Request;
use hyper::body::Incoming;
use hyper::header::{AUTHORIZATION, HOST, HeaderMap, HeaderName, HeaderValue, TRANSFER_ENCODING};
use jiff::Timestamp;
use std::sync::Arc;
use std::time::Instant;
use svc_api::problem::Problem;
use svc_api::{Peer, check_head};
use svc_core::CoreError;
use svc_core::metering::Estimate;
use svc_core::resources::ResourceChange;
use svc_engine::manifest::ir::{ClosedSet, Method};
use svc_store::Store;
use svc_store::records::{Id, Token, TokenScope};

/// A request that was let through.
pub(crate) struct Admitted {
    pub(crate) id: String,
    pub(crate) at: Timestamp,
    pub(crate) subscriber: Arc<Subscriber>,
    pub(crate) subscribed: Arc<Subscribed>,
    route: usize,
    /// Path and query, as they are passed on.
    pub(crate) target: String,
    pub(crate) backend: Arc<Known>,
    pub(crate) key_in_authorization: bool,
    pub(crate) peer: String,
    /// Whether money is set aside for it.
    pub(crate) is_held: bool,
    /// The count that it is to change.
    pub(crate) change: Option<ResourceChange>,
    /// What its limits have left.
    pub(crate) taken: Option<Taken>,
    _place: Place,
}

impl Admitted {
    pub(crate) fn served(&self) -> &Served {
        &self.subscribed.served
    }

    pub(crate) fn route(&self) -> Option<&ServedRoute> {
        self.served().route(self.route)
    }

    /// Tells of the limits.
    pub(crate) fn tell_limits(&self, headers: &mut HeaderMap) {
        if let (Some(taken), Some(route)) = (&self.taken, self.route()) {
            tell_limits(self.served(), route, taken, headers);
        }
    }
}

/// Tells of the limits that concern a route.
fn tell_limits(served: &Served, route: &ServedRoute, taken: &Taken, headers: &mut HeaderMap) {
    let Some(policy) = &route.policy_named else { return };
    let concern = served.limits.iter().zip(&taken.left).filter(|(limit, _)| route.concerns(&limit.dimension));
    let left: Vec<String> = concern
        .map(|(limit, left)| format!("\"{}\";r={};t={}", limit.dimension, left.units, left.reset_seconds))
        .collect();
    if let Ok(left) = HeaderValue::from_str(&left.join(", ")) {
        headers.insert(HeaderName::from_static("ratelimit-policy"), policy.clone());
        headers.insert(HeaderName::from_static("ratelimit"), left);
    }
}

/// Lets a request through.
///
/// # Errors
/// Why not.
pub(crate) async fn admit<S: Store>(
    gateway: &Gateway<S>,
    request: &Request<Incoming>,
    id: &str,
    at: Timestamp,
) -> Result<Admitted, Deny> {
    check_form(request)?;
    let business = host(gateway, request)?;
    let key_in_authorization = !request.headers().contains_key(KEY);
    let (owner, subject) = key(gateway, request.headers(), at).await?;
    if business.is_some_and(|business| *business != owner) {
        return Err(Deny::Key);
    }
    let subscriber = gateway.subscribers.get(&owner, &subject, micros(at))?;
    let place = subscriber.enter()?;
    let subscribed = gateway.subscribers.standing(&gateway.core, &subscriber, at).await?;
    let path = Path::parse(request.uri().path()).map_err(Deny::Path)?;
    let method = Method::named(request.method().as_str()).ok_or(Deny::NoRoute)?;
    let (index, route) = subscribed.served.find(method, &path).ok_or(Deny::NoRoute)?;
    if !route.is_entitled {
        return Err(Deny::NotEntitled(route.feature.clone()));
    }
    let backend = backend(gateway, route)?;
    let taken = match route.is_metered {
        true => Some(limited(gateway, &subscriber, &subscribed.served, route, at).await?),
        false => None,
    };
    if !gateway.settler.has_room() {
        return Err(Deny::Busy("too many requests wait to be settled"));
    }
    let change = begin_change(gateway, &subscriber, &subscribed.served, (route, id, at)).await?;
    let is_held = match set_aside(gateway, &subscriber, &subscribed.served, (route, id, at)).await {
        Ok(is_held) => is_held,
        Err(deny) => {
            if let Some(change) = change {
                gateway.core.end_resource_change(&owner, &subject, &change, false, at).await.map_err(Problem::from)?;
            }
            return Err(deny);
        }
    };
    let query = request.uri().query().map(|query| format!("?{query}")).unwrap_or_default();
    let target = format!("{}{query}", path.as_str());
    let peer = request.extensions().get::<Peer>().map(ToString::to_string).unwrap_or_default();
    Ok(Admitted {
        id: id.to_owned(),
        at,
        subscriber,
        route: index,
        target,
        backend,
        key_in_authorization,
        peer,
        is_held,
        change,
        taken,
        subscribed: Arc::clone(&subscribed),
        _place: place,
    })
}

/// Microseconds since 1970.
pub(crate) fn micros(at: Timestamp) -> u64 {
    u64::try_from(at.as_microsecond()).unwrap_or_default()
}

/// Refuses what no backend should have to read.
fn check_form(request: &Request<Incoming>) -> Result<(), Deny> {
    check_head(request)?;
    let headers = request.headers();
    if headers::is_upgrade(headers) {
        return Err(Deny::Upgrade);
    }
    // hyper has taken the length beside chunks away, and reads the chunks.
    if headers.get_all(TRANSFER_ENCODING).iter().count() > 1 {
        return Err(Deny::Lengths);
    }
    if headers::is_loop(headers) {
        return Err(Deny::Loop);
    }
    let length = request.uri().path_and_query().map_or(0, |target| target.as_str().len());
    if length > TARGET_MAX_BYTES { Err(Deny::Path(PathError::TooLong)) } else { Ok(()) }
}

/// The business whose host this is, where hosts are named.
fn host<'g, S: Store>(gateway: &'g Gateway<S>, request: &Request<Incoming>) -> Result<Option<&'g Id>, Deny> {
    if gateway.settings.hosts.is_empty() {
        return Ok(None);
    }
    let named = request.headers().get(HOST).and_then(|host| host.to_str().ok());
    let host = named.or_else(|| request.uri().authority().map(hyper::http::uri::Authority::as_str)).unwrap_or_default();
    let name = host.rsplit_once(':').filter(|(_, port)| port.bytes().all(|byte| byte.is_ascii_digit()));
    let name = name.map_or(host, |(name, _)| name).to_ascii_lowercase();
    gateway.settings.hosts.get(&name).map(Some).ok_or(Deny::Host)
}

/// Whose key a request has: in `svc-key`, else as a bearer token.
async fn key<S: Store>(gateway: &Gateway<S>, headers: &HeaderMap, at: Timestamp) -> Result<(Id, String), Deny> {
    let own = headers.get_all(KEY).iter().collect::<Vec<_>>();
    let text = match own.as_slice() {
        [] => {
            // Of two one can't say which the backend would see.
            if headers.get_all(AUTHORIZATION).iter().count() > 1 {
                return Err(Deny::Key);
            }
            svc_api::request::bearer(headers).map_err(|_| Deny::Key)?
        }
        [one] => one.to_str().map_err(|_| Deny::Key)?,
        _ => return Err(Deny::Key),
    };
    let token = gateway.core.token(text, at).await.map_err(|error| Deny::Other(error.into()))?;
    match token.as_deref() {
        Some(Token { business: Some(business), scope: TokenScope::Gateway { subject }, .. }) => {
            Ok((business.clone(), subject.clone()))
        }
        _ => Err(Deny::Key),
    }
}

fn backend<S: Store>(gateway: &Gateway<S>, route: &ServedRoute) -> Result<Arc<Known>, Deny> {
    if route.upstream.is_tunnel {
        return Err(Deny::Tunnel);
    }
    let is_named = |url: &url::Url| gateway.core.is_named(url);
    let known = gateway.upstreams.get(&route.upstream.url, is_named).ok_or(Deny::Unreachable { rests: false })?;
    if known.rests(Instant::now()) { Err(Deny::Unreachable { rests: true }) } else { Ok(known) }
}

/// Uses the limits for a request: those of this gateway alone, or those that it shares.
async fn limited<S: Store>(
    gateway: &Gateway<S>,
    subscriber: &Subscriber,
    served: &Served,
    route: &ServedRoute,
    at: Timestamp,
) -> Result<Taken, Deny> {
    if !gateway.settings.shares_limits {
        return subscriber.take(served, route, micros(at));
    }
    subscriber.take_shared((&gateway.core, gateway.subscribers.holder()), served, route, at).await
}

/// Takes a place in the count that a route changes.
async fn begin_change<S: Store>(
    gateway: &Gateway<S>,
    subscriber: &Subscriber,
    served: &Served,
    (route, id, at): (&ServedRoute, &str, Timestamp),
) -> Result<Option<ResourceChange>, Deny> {
    let Some((resource, effect)) = route.resource.clone() else { return Ok(None) };
    let most = served.cap(&resource);
    let change = ResourceChange { id: id.to_owned(), resource, effect };
    let life = gateway.settings.promise_seconds();
    let Subscriber { business, subject, .. } = subscriber;
    let begun = gateway.core.begin_resource_change(business, subject, &change, most, (life, at)).await;
    begun.map_err(|error| match (error, most) {
        (CoreError::Conflict { .. }, Some(most)) => Deny::Cap { resource: change.resource.clone(), most },
        (error, _) => {
            tracing::error!(%error, "a resource could not be counted");
            Deny::Unchecked("there may be one more of its resource")
        }
    })?;
    Ok(Some(change))
}

/// Sets money aside where the plan may refuse what the route costs; whether it did.
async fn set_aside<S: Store>(
    gateway: &Gateway<S>,
    subscriber: &Subscriber,
    served: &Served,
    (route, id, at): (&ServedRoute, &str, Timestamp),
) -> Result<bool, Deny> {
    if !route.is_held {
        return Ok(false);
    }
    let estimate = Estimate::Route { route: route.name.clone() };
    let life = gateway.settings.promise_seconds();
    let Subscriber { business, subject, .. } = subscriber;
    match gateway.core.hold(business, subject, id, &estimate, life, at).await {
        Ok(_) => Ok(true),
        Err(error) => match deny::of_hold(error) {
            // The author would rather serve than ask.
            Deny::Unchecked(_) if served.is_open_without_store() => Ok(false),
            deny => Err(deny),
        },
    }
}
