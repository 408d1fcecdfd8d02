//! The routes of a release, so that the first one that matches is found without looking at each: by method, number of segments, and the
//! few sets of places at which such routes have their parameters.

use crate::path::Path;
use std::collections::{BTreeMap, HashMap};
use svc_engine::manifest::ir::{Method, Route};

/// Which segments of a path are parameters.
type Places = Vec<bool>;
/// The texts of a route's segments; nothing at its parameters.
type Shape = Vec<Option<String>>;

/// Routes that have their parameters at the same places, the first of each shape.
type Alike = (Places, HashMap<Shape, usize>);

/// Finds the first route that matches.
#[derive(Debug, Default)]
pub(crate) struct RouteTable {
    shapes: BTreeMap<(Method, usize), Vec<Alike>>,
}

impl RouteTable {
    pub(crate) fn new(routes: &[Route]) -> RouteTable {
        let mut table = RouteTable::default();
        for (index, route) in routes.iter().enumerate() {
            let Some(shape) = shape(&route.path) else { continue };
            let places: Places = shape.iter().map(Option::is_none).collect();
            let alike = table.shapes.entry((route.method, shape.len())).or_default();
            let place = alike.iter().position(|(known, _)| *known == places).unwrap_or_else(|| {
                alike.push((places, HashMap::new()));
                alike.len().saturating_sub(1)
            });
            if let Some((_, first)) = alike.get_mut(place) {
                first.entry(shape).or_insert(index);
            }
        }
        table
    }

    /// The place of the first route, in the order of their declaration, that matches.
    pub(crate) fn find(&self, method: Method, path: &Path) -> Option<usize> {
        let segments = path.segments();
        let alike = self.shapes.get(&(method, segments.len()))?;
        let found = alike.iter().filter_map(|(places, first)| {
            // A parameter takes any segment but an empty one, which is that of `/` alone.
            let filled =
                places.iter().zip(segments).all(|(is_parameter, segment)| !is_parameter || !segment.is_empty());
            let hide = |(is_parameter, segment): (&bool, &String)| (!is_parameter).then(|| segment.clone());
            let shape: Shape = places.iter().zip(segments).map(hide).collect();
            first.get(&shape).copied().filter(|_| filled)
        });
        found.min()
    }
}

/// The segments of a route's path, decoded as a request's are; nothing where no request can have them.
fn shape(path: &str) -> Option<Shape> {
    if path == "/" {
        return Some(vec![Some(String::new())]);
    }
    path.strip_prefix('/')?.split('/').map(segment).collect()
}

fn segment(text: &str) -> Option<Option<String>> {
    if text.starts_with('{') {
        return Some(None);
    }
    Path::parse(&format!("/{text}")).ok()?.segments().first().cloned().map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn routes(keys: &[&str]) -> Vec<Route> {
        let route = |key: &&str| {
            let (method, path) = key.split_once(' ').unwrap();
            serde_json::from_value(serde_json::json!({
                "method": method, "path": path, "feature": "f", "costs": {}, "reports": [], "estimates": {}, "statusCodes": [], "metered": true,
            }))
            .unwrap()
        };
        keys.iter().map(route).collect()
    }

    fn found(keys: &[&str], method: Method, path: &str) -> Option<usize> {
        RouteTable::new(&routes(keys)).find(method, &Path::parse(path).unwrap())
    }

    #[test]
    fn the_first_that_matches_wins() {
        let keys = [
            "GET /v1/{kind}/list",
            "GET /v1/jobs/{id}",
            "GET /v1/jobs/list",
            "POST /v1/jobs",
            "GET /",
            "GET /v1/{a}/{b}",
        ];
        assert_eq!(found(&keys, Method::Get, "/v1/jobs/list"), Some(0));
        assert_eq!(found(&keys, Method::Get, "/v1/jobs/7"), Some(1));
        assert_eq!(found(&keys, Method::Get, "/v1/users/7"), Some(5));
        assert_eq!(found(&keys, Method::Post, "/v1/%6Aobs"), Some(3));
        assert_eq!(found(&keys, Method::Get, "/"), Some(4));
        for (method, path) in
            [(Method::Get, "/v1/jobs"), (Method::Put, "/v1/jobs"), (Method::Get, "/v1"), (Method::Get, "/V1/jobs/7")]
        {
            assert_eq!(found(&keys, method, path), None, "{path}");
        }
    }

    #[test]
    fn a_parameter_is_not_the_root() {
        assert_eq!(found(&["GET /{a}"], Method::Get, "/"), None);
        assert_eq!(found(&["GET /{a}"], Method::Get, "/x"), Some(0));
    }

    #[test]
    fn a_routes_own_text_finds_it_in_the_service_too() {
        let all = routes(&["GET /v1/{a}/x", "GET /v1/jobs/{id}", "GET /v1/jobs/x"]);
        for (index, route) in all.iter().enumerate().take(2) {
            let first =
                all.iter().position(|other| svc_engine::rules::routes::matches(other, route.method, &route.path));
            assert_eq!(first, Some(index), "what is charged is the route that was let through");
        }
    }
}
