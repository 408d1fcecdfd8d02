//! Which path and method lead to which endpoint.

use crate::app::App;
use crate::edge::limits::{BODY_MAX_BYTES, BUILD_MAX_BYTES, USAGE_MAX_BYTES};
use crate::edge::traffic::Passage;
use crate::problem::Problem;
use crate::reply::Reply;
use crate::{
    build, business, cookie, event, hook, invoice, lockstep, metrics, migration, money, page, portal, portal_page,
    probe, source,
};
use hyper::body::Incoming;
use hyper::header::ALLOW;
use hyper::{Method, Request, StatusCode};
use percent_encoding::percent_decode_str;
use svc_store::Store;
use svc_store::records::Id;

/// Everything one can ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Endpoint {
    CreateBusiness,
    MintToken,
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

/// Path, method and endpoint. The preview's path is the seed's.
const ENDPOINTS: &[(&str, Method, Endpoint)] = &[
    ("/v1/businesses", Method::POST, Endpoint::CreateBusiness),
    ("/v1/businesses/{business}/tokens", Method::POST, Endpoint::MintToken),
    ("/v1/businesses/{business}/builds", Method::POST, Endpoint::Build),
    ("/v1/businesses/{business}/builds/{build}", Method::GET, Endpoint::FindBuild),
    ("/v1/businesses/{business}/builds/{build}/files", Method::GET, Endpoint::BuildSources),
    ("/v1/businesses/{business}/releases", Method::POST, Endpoint::Publish),
    ("/v1/businesses/{business}/releases/active", Method::GET, Endpoint::ActiveRelease),
    ("/v1/businesses/{business}/plans", Method::GET, Endpoint::Plans),
    ("/v1/businesses/{business}/plans/{plan}/migrations", Method::POST, Endpoint::Migrate),
    ("/v1/businesses/{business}/migrations", Method::GET, Endpoint::Migrations),
    ("/v1/businesses/{business}/subscriptions", Method::POST, Endpoint::Subscribe),
    ("/v1/businesses/{business}/subscriptions/{subscription}", Method::GET, Endpoint::Subscription),
    ("/v1/businesses/{business}/subscriptions/{subscription}/cancel", Method::POST, Endpoint::Cancel),
    ("/v1/businesses/{business}/subscriptions/{subscription}/resume", Method::POST, Endpoint::Resume),
    ("/v1/businesses/{business}/subscriptions/{subscription}/change", Method::POST, Endpoint::ChangePlan),
    ("/v1/businesses/{business}/subscriptions/{subscription}/usage", Method::GET, Endpoint::UsageOfPeriod),
    ("/v1/businesses/{business}/subscriptions/{subscription}/invoices", Method::GET, Endpoint::Invoices),
    ("/v1/businesses/{business}/usage", Method::POST, Endpoint::Usage),
    ("/v1/businesses/{business}/holds", Method::POST, Endpoint::Hold),
    ("/v1/businesses/{business}/holds/{hold}/release", Method::POST, Endpoint::ReleaseHold),
    ("/v1/businesses/{business}/credits", Method::POST, Endpoint::Credit),
    ("/v1/businesses/{business}/credits/{bucket}/revoke", Method::POST, Endpoint::Revoke),
    ("/v1/businesses/{business}/adjustments", Method::POST, Endpoint::Adjust),
    ("/v1/businesses/{business}/invoices", Method::POST, Endpoint::CloseInvoices),
    ("/v1/businesses/{business}/ledger/audit", Method::GET, Endpoint::Audit),
    ("/v1/businesses/{business}/portal-sessions", Method::POST, Endpoint::PortalLink),
    ("/v1/businesses/{business}/portal", Method::GET, Endpoint::PortalLook),
    ("/v1/businesses/{business}/portal", Method::PUT, Endpoint::SetPortalLook),
    ("/portal/businesses/{business}/links/{link}", Method::GET, Endpoint::FollowLink),
    ("/portal/businesses/{business}/", Method::GET, Endpoint::PortalPage),
    ("/portal/businesses/{business}", Method::GET, Endpoint::PortalPageBare),
    ("/portal/businesses/{business}/theme.css", Method::GET, Endpoint::PortalTheme),
    ("/portal/businesses/{business}/offers/{offer}", Method::POST, Endpoint::TakeOffer),
    ("/portal/businesses/{business}/end", Method::POST, Endpoint::EndSession),
    ("/portal/assets/{version}/{file}", Method::GET, Endpoint::PortalAsset),
    ("/portal/businesses/{business}/me/bill-preview", Method::GET, Endpoint::Preview),
    ("/portal/businesses/{business}/me/invoices", Method::GET, Endpoint::OwnInvoices),
    ("/portal/businesses/{business}/me/plan-offer", Method::GET, Endpoint::Offer),
    ("/portal/businesses/{business}/me/plan-offer/{offer}/accept", Method::POST, Endpoint::AcceptOffer),
    ("/v1/businesses/{business}/source", Method::POST, Endpoint::AddSource),
    ("/v1/businesses/{business}/source", Method::GET, Endpoint::Source),
    ("/v1/businesses/{business}/source", Method::DELETE, Endpoint::RemoveSource),
    ("/v1/businesses/{business}/source/rotate", Method::POST, Endpoint::RotateSource),
    ("/v1/businesses/{business}/deliveries", Method::GET, Endpoint::Deliveries),
    ("/v1/businesses/{business}/event-receivers", Method::POST, Endpoint::AddReceiver),
    ("/v1/businesses/{business}/event-receivers", Method::GET, Endpoint::Receivers),
    ("/v1/businesses/{business}/event-receivers/{receiver}", Method::DELETE, Endpoint::RemoveReceiver),
    ("/v1/businesses/{business}/event-receivers/{receiver}/rotate", Method::POST, Endpoint::RotateReceiver),
    ("/v1/businesses/{business}/event-receivers/{receiver}/start", Method::POST, Endpoint::StartReceiver),
    ("/v1/businesses/{business}/events", Method::GET, Endpoint::Events),
    ("/v1/businesses/{business}/events/redeliver", Method::POST, Endpoint::Redeliver),
    ("/hooks/git/{business}", Method::POST, Endpoint::Hook),
    ("/builds/{business}/{build}/{capability}", Method::GET, Endpoint::BuildPage),
    ("/healthz", Method::GET, Endpoint::Healthz),
    ("/readyz", Method::GET, Endpoint::Readyz),
    ("/metrics", Method::GET, Endpoint::Metrics),
];

/// Finds endpoints.
pub(crate) struct Router(matchit::Router<Place>);

/// What is at a path.
struct Place {
    pattern: &'static str,
    methods: Vec<(Method, Endpoint)>,
}

impl Place {
    /// The methods that it has: `HEAD` where there is `GET`, and `OPTIONS` everywhere.
    fn allowed(&self) -> String {
        let has_get = self.methods.iter().any(|(method, _)| method == Method::GET);
        let own = self.methods.iter().map(|(method, _)| method.as_str());
        own.chain(has_get.then_some("HEAD")).chain(["OPTIONS"]).collect::<Vec<_>>().join(", ")
    }

    /// The endpoint of a method; `HEAD` is `GET` whose answer has no content.
    fn endpoint(&self, method: &Method) -> Option<Endpoint> {
        let method = if method == Method::HEAD { &Method::GET } else { method };
        self.methods.iter().find(|(known, _)| known == method).map(|(_, endpoint)| *endpoint)
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
        for (pattern, method, endpoint) in ENDPOINTS {
            let own = (method.clone(), *endpoint);
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
        let Some(endpoint) = found.value.endpoint(request.method()) else {
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
        match endpoint {
            Endpoint::CreateBusiness => business::create(app, request).await,
            Endpoint::MintToken => business::mint_token(app, request, &business).await,
            Endpoint::Build => build::build(app, request, &business).await,
            Endpoint::FindBuild => build::find_build(app, &request, &business, &id("build")).await,
            Endpoint::BuildSources => build::sources(app, &request, &business, &id("build")).await,
            Endpoint::Publish => build::publish(app, request, &business).await,
            Endpoint::ActiveRelease => build::active_release(app, &request, &business).await,
            Endpoint::Plans => migration::plans(app, &request, &business).await,
            Endpoint::Migrate => migration::migrate(app, request, &business, &decoded("plan")).await,
            Endpoint::Migrations => migration::migrations(app, &request, &business).await,
            Endpoint::Subscribe => business::subscribe(app, request, &business).await,
            Endpoint::Subscription => business::subscription(app, &request, &business, &id("subscription")).await,
            Endpoint::Cancel => business::cancel(app, request, &business, &id("subscription")).await,
            Endpoint::Resume => business::resume(app, &request, &business, &id("subscription")).await,
            Endpoint::ChangePlan => business::change(app, request, &business, &id("subscription")).await,
            Endpoint::UsageOfPeriod => invoice::usage(app, &request, &business, &id("subscription")).await,
            Endpoint::Usage => money::usage(app, request, &business).await,
            Endpoint::Hold => money::hold(app, request, &business).await,
            Endpoint::ReleaseHold => money::release_hold(app, request, &business, &decoded("hold")).await,
            Endpoint::Credit => money::credit(app, request, &business).await,
            Endpoint::Revoke => money::revoke(app, &request, &business, &decoded("bucket")).await,
            Endpoint::Adjust => money::adjust(app, request, &business).await,
            Endpoint::Invoices => invoice::list(app, &request, &business, &id("subscription")).await,
            Endpoint::CloseInvoices => invoice::close(app, request, &business).await,
            Endpoint::Audit => invoice::audit(app, &request, &business).await,
            Endpoint::PortalLink => portal_page::create_link(app, request, &business).await,
            Endpoint::PortalLook => portal_page::look(app, &request, &business).await,
            Endpoint::SetPortalLook => portal_page::set_look(app, request, &business).await,
            // A link is for one use, and HEAD uses nothing up.
            Endpoint::FollowLink if request.method() == Method::HEAD => Err(portal_page::only_looking()),
            Endpoint::FollowLink => portal_page::follow(app, request.headers(), &business, &decoded("link")).await,
            Endpoint::PortalPage => portal_page::show(app, &request, &business).await,
            Endpoint::PortalPageBare => Ok(Reply::see_other(&cookie::page_path(&business))),
            Endpoint::PortalTheme => portal_page::theme(app, &business).await,
            Endpoint::TakeOffer => portal_page::take_offer(app, request, &business, &id("offer")).await,
            Endpoint::EndSession => portal_page::end(app, request, &business).await,
            Endpoint::PortalAsset => portal_page::asset(&decoded("version"), &decoded("file")),
            Endpoint::Preview => portal::preview(app, &request, &business).await,
            Endpoint::OwnInvoices => portal::invoices(app, &request, &business).await,
            Endpoint::Offer => portal::offer(app, &request, &business).await,
            Endpoint::AcceptOffer => portal::accept_offer(app, &request, &business, &id("offer")).await,
            Endpoint::AddSource => source::add(app, request, &business).await,
            Endpoint::Source => source::find(app, &request, &business).await,
            Endpoint::RemoveSource => source::remove(app, &request, &business).await,
            Endpoint::RotateSource => source::rotate(app, request, &business).await,
            Endpoint::Deliveries => source::deliveries(app, &request, &business).await,
            Endpoint::AddReceiver => event::add_receiver(app, request, &business).await,
            Endpoint::Receivers => event::receivers(app, &request, &business).await,
            Endpoint::RemoveReceiver => event::remove_receiver(app, &request, &business, &id("receiver")).await,
            Endpoint::RotateReceiver => event::rotate_receiver(app, request, &business, &id("receiver")).await,
            Endpoint::StartReceiver => event::start_receiver(app, &request, &business, &id("receiver")).await,
            Endpoint::Events => event::events(app, &request, &business).await,
            Endpoint::Redeliver => event::redeliver(app, request, &business).await,
            Endpoint::Hook => hook::receive(app, request, &business).await,
            Endpoint::BuildPage => page::show(app, &business, &id("build"), &decoded("capability")).await,
            Endpoint::Healthz => Ok(probe::healthz()),
            Endpoint::Readyz => probe::readyz(app).await,
            Endpoint::Metrics => metrics::metrics(app),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_endpoint_has_its_own_path_and_method() {
        let router = Router::new().unwrap();
        for (path, method, endpoint) in ENDPOINTS {
            let place = router.0.at(path).unwrap().value;
            assert_eq!(place.methods.iter().filter(|(known, _)| known == method).count(), 1);
            assert_eq!((place.endpoint(method), place.pattern), (Some(*endpoint), *path));
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
