//! Which path and method lead to which endpoint.

use crate::app::App;
use crate::auth::{self, Who};
use crate::edge::traffic::{Account, Passage};
use crate::endpoints::{ENDPOINTS, Endpoint};
use crate::problem::Problem;
use crate::reply::Reply;
use crate::{
    access, build, business, cookie, event, explain, hook, invoice, lockstep, metrics, migration, money, openapi, page,
    portal, portal_page, probe, source,
};
use hyper::body::Incoming;
use hyper::header::ALLOW;
use hyper::{Method, Request, StatusCode};
use percent_encoding::percent_decode_str;
use svc_store::Store;
use svc_store::records::Id;

/// Whether a method asks for nothing to be done.
fn is_read(method: &Method) -> bool {
    [Method::GET, Method::HEAD].contains(method)
}

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
        let _turn = match passage.account() {
            // Who is shown once more what they saw takes no place among the reads.
            _ if endpoint == Endpoint::Preview => None,
            Some(Account::Business(own)) if is_read(request.method()) => Some(app.traffic.read(&own).await?),
            _ => None,
        };
        match endpoint {
            Endpoint::CreateBusiness => business::create(call, request).await,
            Endpoint::MintToken => access::mint_token(call, request, &business).await,
            Endpoint::Tokens => access::tokens(call, &request, &business).await,
            Endpoint::RevokeTokens => access::revoke_tokens(call, &request, &business).await,
            Endpoint::RevokeToken => access::revoke_token(call, &business, &id("token")).await,
            Endpoint::OwnToken => access::own_token(call),
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
            Endpoint::Releases => build::releases(call, &request, &business).await,
            Endpoint::Plans => migration::plans(call, &request, &business).await,
            Endpoint::Migrate => migration::migrate(call, request, &business, &decoded("plan")).await,
            Endpoint::Migrations => migration::migrations(call, &request, &business).await,
            Endpoint::Subscribe => business::subscribe(call, request, &business).await,
            Endpoint::Subscription => business::subscription(call, &business, &id("subscription")).await,
            Endpoint::Cancel => business::cancel(call, request, &business, &id("subscription")).await,
            Endpoint::Resume => business::resume(call, &business, &id("subscription")).await,
            Endpoint::ChangePlan => business::change(call, request, &business, &id("subscription")).await,
            Endpoint::UsageOfPeriod => invoice::usage(call, &business, &id("subscription")).await,
            Endpoint::Explain => explain::of_subscription(call, &request, &business, &id("subscription")).await,
            Endpoint::ExplainInvoice => explain::of_invoice(call, &request, &business, &id("invoice")).await,
            Endpoint::ExplainToSubscriber => explain::to_subscriber(call, &business).await,
            Endpoint::PortalWhy => portal_page::why(call, &request, &business).await,
            Endpoint::Usage => money::usage(call, request, &business).await,
            Endpoint::Hold => money::hold(call, request, &business).await,
            Endpoint::Holds => money::holds(call, &request, &business).await,
            Endpoint::ReleaseHold => money::release_hold(call, request, &business, &decoded("hold")).await,
            Endpoint::ResourceCounts => money::resource_counts(call, &request, &business).await,
            Endpoint::SetResourceCount => money::set_resource_count(call, request, &business).await,
            Endpoint::Credit => money::credit(call, request, &business).await,
            Endpoint::Revoke => money::revoke(call, &business, &decoded("bucket")).await,
            Endpoint::Adjust => money::adjust(call, request, &business).await,
            Endpoint::Invoices => invoice::list(call, &request, &business, &id("subscription")).await,
            Endpoint::CloseInvoices => invoice::close(call, request, &business).await,
            Endpoint::Audit => invoice::audit(call, &request, &business).await,
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
            Endpoint::PreviewOf => portal::preview_of(call, &request, &business).await,
            Endpoint::OwnInvoices => portal::invoices(call, &request, &business).await,
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
            Endpoint::Healthz => probe::healthz(),
            Endpoint::Readyz => probe::readyz(call).await,
            Endpoint::Metrics => metrics::metrics(call),
            Endpoint::OpenApi => Ok(Reply::asset("application/json", openapi::text().to_owned())),
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
