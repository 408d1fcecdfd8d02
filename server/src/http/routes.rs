//! Which path and method lead to which endpoint.

use super::problem::Problem;
use super::{App, Reply, build, business, money, probe};
use crate::core::model::Id;
use crate::store::Store;
use hyper::body::Incoming;
use hyper::header::ALLOW;
use hyper::{Method, Request, StatusCode};

/// Everything one can ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Endpoint {
    CreateBusiness,
    MintToken,
    Build,
    Publish,
    Subscribe,
    Subscription,
    Cancel,
    Usage,
    Credits,
    Preview,
    Healthz,
    Readyz,
}

/// Path, method and endpoint. The preview's path is the seed's.
const ENDPOINTS: &[(&str, Method, Endpoint)] = &[
    ("/v1/businesses", Method::POST, Endpoint::CreateBusiness),
    ("/v1/businesses/{business}/tokens", Method::POST, Endpoint::MintToken),
    ("/v1/businesses/{business}/builds", Method::POST, Endpoint::Build),
    ("/v1/businesses/{business}/releases", Method::POST, Endpoint::Publish),
    ("/v1/businesses/{business}/subscriptions", Method::POST, Endpoint::Subscribe),
    ("/v1/businesses/{business}/subscriptions/{subscription}", Method::GET, Endpoint::Subscription),
    ("/v1/businesses/{business}/subscriptions/{subscription}/cancel", Method::POST, Endpoint::Cancel),
    ("/v1/businesses/{business}/usage", Method::POST, Endpoint::Usage),
    ("/v1/businesses/{business}/credits", Method::POST, Endpoint::Credits),
    ("/portal/businesses/{business}/me/bill-preview", Method::GET, Endpoint::Preview),
    ("/healthz", Method::GET, Endpoint::Healthz),
    ("/readyz", Method::GET, Endpoint::Readyz),
];

/// Finds endpoints.
pub(crate) struct Router(matchit::Router<Vec<(Method, Endpoint)>>);

impl Router {
    /// The router of [`ENDPOINTS`].
    pub(crate) fn new() -> Result<Router, matchit::InsertError> {
        let mut paths: Vec<(&str, Vec<(Method, Endpoint)>)> = Vec::new();
        for (path, method, endpoint) in ENDPOINTS {
            match paths.iter_mut().find(|(known, _)| known == path) {
                Some((_, methods)) => methods.push((method.clone(), *endpoint)),
                None => paths.push((path, vec![(method.clone(), *endpoint)])),
            }
        }
        let mut router = matchit::Router::new();
        for (path, methods) in paths {
            router.insert(path, methods)?;
        }
        Ok(Router(router))
    }

    /// Finds the endpoint and lets it answer.
    pub(crate) async fn dispatch<S: Store>(&self, app: &App<S>, request: Request<Incoming>) -> Result<Reply, Problem> {
        let path = request.uri().path().to_owned();
        let unknown = |_| Problem::new(StatusCode::NOT_FOUND, "NOT_FOUND", "there is nothing at this path");
        let found = self.0.at(&path).map_err(unknown)?;
        let method = request.method();
        let Some((_, endpoint)) = found.value.iter().find(|(known, _)| known == method) else {
            let allowed: Vec<&str> = found.value.iter().map(|(method, _)| method.as_str()).collect();
            let problem =
                Problem::new(StatusCode::METHOD_NOT_ALLOWED, "METHOD_NOT_ALLOWED", "this path has other methods");
            return Err(problem.with_header(ALLOW, allowed.join(", ")));
        };
        let id = |name: &str| Id::named(found.params.get(name).unwrap_or_default());
        let business = id("business");
        match endpoint {
            Endpoint::CreateBusiness => business::create(app, request).await,
            Endpoint::MintToken => business::mint_token(app, request, &business).await,
            Endpoint::Build => build::build(app, request, &business).await,
            Endpoint::Publish => build::publish(app, request, &business).await,
            Endpoint::Subscribe => business::subscribe(app, request, &business).await,
            Endpoint::Subscription => business::subscription(app, &request, &business, &id("subscription")).await,
            Endpoint::Cancel => business::cancel(app, &request, &business, &id("subscription")).await,
            Endpoint::Usage => money::usage(app, request, &business).await,
            Endpoint::Credits => money::credits(app, request, &business).await,
            Endpoint::Preview => money::preview(app, &request, &business).await,
            Endpoint::Healthz => Ok(probe::healthz()),
            Endpoint::Readyz => probe::readyz(app).await,
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
            let found = router.0.at(path).unwrap();
            let matching: Vec<_> = found.value.iter().filter(|(known, _)| known == method).collect();
            assert_eq!(matching.len(), 1);
            assert_eq!(matching[0].1, *endpoint);
        }
    }
}
