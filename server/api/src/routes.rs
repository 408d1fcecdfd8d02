//! Which path and method lead to which endpoint.

use crate::app::App;
use crate::auth::{self, Who};
use crate::edge::limits::{BODY_MAX_BYTES, BUILD_MAX_BYTES, USAGE_MAX_BYTES};
use crate::edge::traffic::Passage;
use crate::problem::Problem;
use crate::reply::Reply;
use crate::{
    access, build, business, cookie, event, hook, invoice, lockstep, metrics, migration, money, page, portal,
    portal_page, probe, source,
};
use hyper::body::Incoming;
use hyper::header::ALLOW;
use hyper::{Method, Request, StatusCode};
use percent_encoding::percent_decode_str;
use svc_store::Store;
use svc_store::records::{Id, Right};

/// Everything one can ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Endpoint {
    CreateBusiness,
    MintToken,
    Tokens,
    RevokeTokens,
    RevokeToken,
    AddOperator,
    Operators,
    RevokeOperator,
    ServiceAuditLog,
    AuditLog,
    Build,
    FindBuild,
    BuildSources,
    Publish,
    ActiveRelease,
    Plans,
    Migrate,
    Migrations,
    Subscribe,
    Subscription,
    Cancel,
    Resume,
    ChangePlan,
    UsageOfPeriod,
    Invoices,
    Usage,
    Hold,
    ReleaseHold,
    Credit,
    Revoke,
    Adjust,
    CloseInvoices,
    Audit,
    PortalLink,
    PortalLook,
    SetPortalLook,
    FollowLink,
    PortalPage,
    PortalPageBare,
    PortalTheme,
    TakeOffer,
    EndSession,
    PortalAsset,
    Preview,
    OwnInvoices,
    Offer,
    AcceptOffer,
    AddSource,
    Source,
    RemoveSource,
    RotateSource,
    Deliveries,
    AddReceiver,
    Receivers,
    RemoveReceiver,
    RotateReceiver,
    StartReceiver,
    Events,
    Redeliver,
    Hook,
    BuildPage,
    Healthz,
    Readyz,
    Metrics,
}

const ANYONE: Who = Who::Anyone;
const OPERATOR: Who = Who::Operator;
const PUBLISH: Who = Who::Business(Right::Publish);
const REPORT: Who = Who::Business(Right::Report);
const READ: Who = Who::Business(Right::Read);
const SUBSCRIBER: Who = Who::Subscriber;
const VIEWER: Who = Who::Viewer;

/// Path, method, whom it is for, and endpoint. The preview's path is the seed's.
const ENDPOINTS: &[(&str, Method, Who, Endpoint)] = &[
    ("/v1/businesses", Method::POST, OPERATOR, Endpoint::CreateBusiness),
    ("/v1/businesses/{business}/tokens", Method::POST, OPERATOR, Endpoint::MintToken),
    ("/v1/businesses/{business}/tokens", Method::GET, OPERATOR, Endpoint::Tokens),
    ("/v1/businesses/{business}/tokens", Method::DELETE, OPERATOR, Endpoint::RevokeTokens),
    ("/v1/businesses/{business}/tokens/{token}", Method::DELETE, OPERATOR, Endpoint::RevokeToken),
    ("/v1/operators", Method::POST, OPERATOR, Endpoint::AddOperator),
    ("/v1/operators", Method::GET, OPERATOR, Endpoint::Operators),
    ("/v1/operators/{operator}", Method::DELETE, OPERATOR, Endpoint::RevokeOperator),
    ("/v1/audit-log", Method::GET, OPERATOR, Endpoint::ServiceAuditLog),
    ("/v1/businesses/{business}/audit-log", Method::GET, OPERATOR, Endpoint::AuditLog),
    ("/v1/businesses/{business}/builds", Method::POST, PUBLISH, Endpoint::Build),
    ("/v1/businesses/{business}/builds/{build}", Method::GET, READ, Endpoint::FindBuild),
    ("/v1/businesses/{business}/builds/{build}/files", Method::GET, PUBLISH, Endpoint::BuildSources),
    ("/v1/businesses/{business}/releases", Method::POST, PUBLISH, Endpoint::Publish),
    ("/v1/businesses/{business}/releases/active", Method::GET, READ, Endpoint::ActiveRelease),
    ("/v1/businesses/{business}/plans", Method::GET, READ, Endpoint::Plans),
    ("/v1/businesses/{business}/plans/{plan}/migrations", Method::POST, OPERATOR, Endpoint::Migrate),
    ("/v1/businesses/{business}/migrations", Method::GET, OPERATOR, Endpoint::Migrations),
    ("/v1/businesses/{business}/subscriptions", Method::POST, OPERATOR, Endpoint::Subscribe),
    ("/v1/businesses/{business}/subscriptions/{subscription}", Method::GET, OPERATOR, Endpoint::Subscription),
    ("/v1/businesses/{business}/subscriptions/{subscription}/cancel", Method::POST, OPERATOR, Endpoint::Cancel),
    ("/v1/businesses/{business}/subscriptions/{subscription}/resume", Method::POST, OPERATOR, Endpoint::Resume),
    ("/v1/businesses/{business}/subscriptions/{subscription}/change", Method::POST, OPERATOR, Endpoint::ChangePlan),
    ("/v1/businesses/{business}/subscriptions/{subscription}/usage", Method::GET, OPERATOR, Endpoint::UsageOfPeriod),
    ("/v1/businesses/{business}/subscriptions/{subscription}/invoices", Method::GET, OPERATOR, Endpoint::Invoices),
    ("/v1/businesses/{business}/usage", Method::POST, REPORT, Endpoint::Usage),
    ("/v1/businesses/{business}/holds", Method::POST, REPORT, Endpoint::Hold),
    ("/v1/businesses/{business}/holds/{hold}/release", Method::POST, REPORT, Endpoint::ReleaseHold),
    ("/v1/businesses/{business}/credits", Method::POST, OPERATOR, Endpoint::Credit),
    ("/v1/businesses/{business}/credits/{bucket}/revoke", Method::POST, OPERATOR, Endpoint::Revoke),
    ("/v1/businesses/{business}/adjustments", Method::POST, OPERATOR, Endpoint::Adjust),
    ("/v1/businesses/{business}/invoices", Method::POST, OPERATOR, Endpoint::CloseInvoices),
    ("/v1/businesses/{business}/ledger/audit", Method::GET, OPERATOR, Endpoint::Audit),
    ("/v1/businesses/{business}/portal-sessions", Method::POST, OPERATOR, Endpoint::PortalLink),
    ("/v1/businesses/{business}/portal", Method::GET, READ, Endpoint::PortalLook),
    ("/v1/businesses/{business}/portal", Method::PUT, PUBLISH, Endpoint::SetPortalLook),
    ("/portal/businesses/{business}/links/{link}", Method::GET, ANYONE, Endpoint::FollowLink),
    ("/portal/businesses/{business}/", Method::GET, ANYONE, Endpoint::PortalPage),
    ("/portal/businesses/{business}", Method::GET, ANYONE, Endpoint::PortalPageBare),
    ("/portal/businesses/{business}/theme.css", Method::GET, ANYONE, Endpoint::PortalTheme),
    ("/portal/businesses/{business}/offers/{offer}", Method::POST, ANYONE, Endpoint::TakeOffer),
    ("/portal/businesses/{business}/end", Method::POST, ANYONE, Endpoint::EndSession),
    ("/portal/assets/{version}/{file}", Method::GET, ANYONE, Endpoint::PortalAsset),
    ("/portal/businesses/{business}/me/bill-preview", Method::GET, VIEWER, Endpoint::Preview),
    ("/portal/businesses/{business}/me/invoices", Method::GET, SUBSCRIBER, Endpoint::OwnInvoices),
    ("/portal/businesses/{business}/me/plan-offer", Method::GET, SUBSCRIBER, Endpoint::Offer),
    ("/portal/businesses/{business}/me/plan-offer/{offer}/accept", Method::POST, SUBSCRIBER, Endpoint::AcceptOffer),
    ("/v1/businesses/{business}/source", Method::POST, PUBLISH, Endpoint::AddSource),
    ("/v1/businesses/{business}/source", Method::GET, READ, Endpoint::Source),
    ("/v1/businesses/{business}/source", Method::DELETE, PUBLISH, Endpoint::RemoveSource),
    ("/v1/businesses/{business}/source/rotate", Method::POST, PUBLISH, Endpoint::RotateSource),
    ("/v1/businesses/{business}/deliveries", Method::GET, READ, Endpoint::Deliveries),
    ("/v1/businesses/{business}/event-receivers", Method::POST, OPERATOR, Endpoint::AddReceiver),
    ("/v1/businesses/{business}/event-receivers", Method::GET, OPERATOR, Endpoint::Receivers),
    ("/v1/businesses/{business}/event-receivers/{receiver}", Method::DELETE, OPERATOR, Endpoint::RemoveReceiver),
    ("/v1/businesses/{business}/event-receivers/{receiver}/rotate", Method::POST, OPERATOR, Endpoint::RotateReceiver),
    ("/v1/businesses/{business}/event-receivers/{receiver}/start", Method::POST, OPERATOR, Endpoint::StartReceiver),
    ("/v1/businesses/{business}/events", Method::GET, OPERATOR, Endpoint::Events),
    ("/v1/businesses/{business}/events/redeliver", Method::POST, OPERATOR, Endpoint::Redeliver),
    ("/hooks/git/{business}", Method::POST, ANYONE, Endpoint::Hook),
    ("/builds/{business}/{build}/{capability}", Method::GET, ANYONE, Endpoint::BuildPage),
    ("/healthz", Method::GET, ANYONE, Endpoint::Healthz),
    ("/readyz", Method::GET, ANYONE, Endpoint::Readyz),
    ("/metrics", Method::GET, ANYONE, Endpoint::Metrics),
];

/// Finds endpoints.
pub(crate) struct Router(matchit::Router<Place>);

/// What is at a path.
struct Place {
    pattern: &'static str,
    methods: Vec<(Method, Who, Endpoint)>,
}

impl Place {
    /// The methods that it has: `HEAD` where there is `GET`, and `OPTIONS` everywhere.
    fn allowed(&self) -> String {
        let has_get = self.methods.iter().any(|(method, ..)| method == Method::GET);
        let own = self.methods.iter().map(|(method, ..)| method.as_str());
        own.chain(has_get.then_some("HEAD")).chain(["OPTIONS"]).collect::<Vec<_>>().join(", ")
    }

    /// The endpoint of a method; `HEAD` is `GET` whose answer has no content.
    fn endpoint(&self, method: &Method) -> Option<(Who, Endpoint)> {
        let method = if method == Method::HEAD { &Method::GET } else { method };
        self.methods.iter().find(|(known, ..)| known == method).map(|(_, who, endpoint)| (*who, *endpoint))
    }
}

impl Endpoint {
    /// Longest body, in bytes.
    fn body_max(self) -> usize {
        match self {
            Endpoint::Build | Endpoint::Hook => BUILD_MAX_BYTES,
            Endpoint::Usage => USAGE_MAX_BYTES,
            _ => BODY_MAX_BYTES,
        }
    }
}

impl Router {
    /// The path that pages of other origins may read.
    pub(crate) const PREVIEW: &'static str = "/portal/businesses/{business}/me/bill-preview";

    /// The router of [`ENDPOINTS`].
    pub(crate) fn new() -> Result<Router, matchit::InsertError> {
        let mut places: Vec<Place> = Vec::new();
        for (pattern, method, who, endpoint) in ENDPOINTS {
            let own = (method.clone(), *who, *endpoint);
            match places.iter_mut().find(|place| place.pattern == *pattern) {
                Some(place) => place.methods.push(own),
                None => places.push(Place { pattern, methods: vec![own] }),
            }
        }
        let mut router = matchit::Router::new();
        for place in places {
            router.insert(place.pattern, place)?;
        }
        Ok(Router(router))
    }

    /// The pattern that a path is of.
    pub(crate) fn pattern(&self, path: &str) -> Option<&'static str> {
        self.0.at(path).ok().map(|found| found.value.pattern)
    }

    /// Finds the endpoint and lets it answer.
    pub(crate) async fn dispatch<S: Store>(
        &self,
        app: &App<S>,
        passage: &Passage,
        request: Request<Incoming>,
    ) -> Result<Reply, Problem> {
        let path = request.uri().path().to_owned();
        if path == "*" && request.method() == Method::OPTIONS {
            return Ok(Reply::options("GET, HEAD, POST, PUT, DELETE, OPTIONS".to_owned()));
        }
        let unknown = |_| Problem::new(StatusCode::NOT_FOUND, "NOT_FOUND", "there is nothing at this path");
        let found = self.0.at(&path).map_err(unknown)?;
        if request.method() == Method::OPTIONS {
            return Ok(Reply::options(found.value.allowed()));
        }
        lockstep::check(request.headers())?;
        let Some((who, endpoint)) = found.value.endpoint(request.method()) else {
            let detail = "this path has other methods";
            let problem = Problem::new(StatusCode::METHOD_NOT_ALLOWED, "METHOD_NOT_ALLOWED", detail);
            return Err(problem.with_header(ALLOW, found.value.allowed()));
        };
        passage.bound_body(endpoint.body_max());
        let decoded = |name: &str| {
            let text = percent_decode_str(found.params.get(name).unwrap_or_default()).decode_utf8().ok();
            text.filter(|text| !text.contains('\0')).unwrap_or_default().into_owned()
        };
        let id = |name: &str| Id::named(decoded(name));
        let business = id("business");
        let call = &auth::enter(app, &request, who, &business).await?;
        match endpoint {
            Endpoint::CreateBusiness => business::create(call, request).await,
            Endpoint::MintToken => access::mint_token(call, request, &business).await,
            Endpoint::Tokens => access::tokens(call, &request, &business).await,
            Endpoint::RevokeTokens => access::revoke_tokens(call, &request, &business).await,
            Endpoint::RevokeToken => access::revoke_token(call, &business, &id("token")).await,
            Endpoint::AddOperator => access::add_operator(call, request).await,
            Endpoint::Operators => access::operators(call, &request).await,
            Endpoint::RevokeOperator => access::revoke_operator(call, &id("operator")).await,
            Endpoint::ServiceAuditLog => access::audit_log(call, &request, None).await,
            Endpoint::AuditLog => access::audit_log(call, &request, Some(&business)).await,
            Endpoint::Build => build::build(call, request, &business).await,
            Endpoint::FindBuild => build::find_build(call, &business, &id("build")).await,
            Endpoint::BuildSources => build::sources(call, &business, &id("build")).await,
            Endpoint::Publish => build::publish(call, request, &business).await,
            Endpoint::ActiveRelease => build::active_release(call, &business).await,
            Endpoint::Plans => migration::plans(call, &business).await,
            Endpoint::Migrate => migration::migrate(call, request, &business, &decoded("plan")).await,
            Endpoint::Migrations => migration::migrations(call, &business).await,
            Endpoint::Subscribe => business::subscribe(call, request, &business).await,
            Endpoint::Subscription => business::subscription(call, &business, &id("subscription")).await,
            Endpoint::Cancel => business::cancel(call, request, &business, &id("subscription")).await,
            Endpoint::Resume => business::resume(call, &business, &id("subscription")).await,
            Endpoint::ChangePlan => business::change(call, request, &business, &id("subscription")).await,
            Endpoint::UsageOfPeriod => invoice::usage(call, &business, &id("subscription")).await,
            Endpoint::Usage => money::usage(call, request, &business).await,
            Endpoint::Hold => money::hold(call, request, &business).await,
            Endpoint::ReleaseHold => money::release_hold(call, request, &business, &decoded("hold")).await,
            Endpoint::Credit => money::credit(call, request, &business).await,
            Endpoint::Revoke => money::revoke(call, &business, &decoded("bucket")).await,
            Endpoint::Adjust => money::adjust(call, request, &business).await,
            Endpoint::Invoices => invoice::list(call, &business, &id("subscription")).await,
            Endpoint::CloseInvoices => invoice::close(call, request, &business).await,
            Endpoint::Audit => invoice::audit(call, &business).await,
            Endpoint::PortalLink => portal_page::create_link(call, request, &business).await,
            Endpoint::PortalLook => portal_page::look(call, &business).await,
            Endpoint::SetPortalLook => portal_page::set_look(call, request, &business).await,
            // A link is for one use, and HEAD uses nothing up.
            Endpoint::FollowLink if request.method() == Method::HEAD => Err(portal_page::only_looking()),
            Endpoint::FollowLink => portal_page::follow(call, request.headers(), &business, &decoded("link")).await,
            Endpoint::PortalPage => portal_page::show(call, &request, &business).await,
            Endpoint::PortalPageBare => Ok(Reply::see_other(&cookie::page_path(&business))),
            Endpoint::PortalTheme => portal_page::theme(call, &business).await,
            Endpoint::TakeOffer => portal_page::take_offer(call, request, &business, &id("offer")).await,
            Endpoint::EndSession => portal_page::end(call, request, &business).await,
            Endpoint::PortalAsset => portal_page::asset(&decoded("version"), &decoded("file")),
            Endpoint::Preview => portal::preview(call, &business).await,
            Endpoint::OwnInvoices => portal::invoices(call, &business).await,
            Endpoint::Offer => portal::offer(call, &business).await,
            Endpoint::AcceptOffer => portal::accept_offer(call, &business, &id("offer")).await,
            Endpoint::AddSource => source::add(call, request, &business).await,
            Endpoint::Source => source::find(call, &business).await,
            Endpoint::RemoveSource => source::remove(call, &business).await,
            Endpoint::RotateSource => source::rotate(call, request, &business).await,
            Endpoint::Deliveries => source::deliveries(call, &request, &business).await,
            Endpoint::AddReceiver => event::add_receiver(call, request, &business).await,
            Endpoint::Receivers => event::receivers(call, &business).await,
            Endpoint::RemoveReceiver => event::remove_receiver(call, &business, &id("receiver")).await,
            Endpoint::RotateReceiver => event::rotate_receiver(call, request, &business, &id("receiver")).await,
            Endpoint::StartReceiver => event::start_receiver(call, &business, &id("receiver")).await,
            Endpoint::Events => event::events(call, &request, &business).await,
            Endpoint::Redeliver => event::redeliver(call, request, &business).await,
            Endpoint::Hook => hook::receive(call, request, &business).await,
            Endpoint::BuildPage => page::show(call, &business, &id("build"), &decoded("capability")).await,
            Endpoint::Healthz => Ok(probe::healthz()),
            Endpoint::Readyz => probe::readyz(call).await,
            Endpoint::Metrics => metrics::metrics(call),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_endpoint_has_its_own_path_and_method() {
        let router = Router::new().unwrap();
        for (path, method, who, endpoint) in ENDPOINTS {
            let place = router.0.at(path).unwrap().value;
            assert_eq!(place.methods.iter().filter(|(known, ..)| known == method).count(), 1);
            assert_eq!((place.endpoint(method), place.pattern), (Some((*who, *endpoint)), *path));
            let allowed = place.allowed();
            assert!(allowed.contains(method.as_str()) && allowed.ends_with("OPTIONS"), "{path}: {allowed}");
            assert_eq!(allowed.contains("HEAD"), allowed.contains("GET"));
        }
    }

    #[test]
    fn the_path_for_other_origins_is_an_endpoints() {
        assert!(ENDPOINTS.iter().any(|(path, ..)| *path == Router::PREVIEW));
    }
}
