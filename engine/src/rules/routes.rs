//! Route keys and status codes: their forms, and which of two routes hides the other.

use super::finding::At;
use super::reader::{Node, is_integer_like};
use super::suggest;
use crate::diagnostic::Code;
use crate::manifest::ir::{ClosedSet, Method, Route, StatusRange};
use crate::registry::Value;
use crate::work;
use std::collections::{BTreeMap, BTreeSet};

/// Lowest and highest status code a route may count.
const STATUS_CODES: std::ops::RangeInclusive<u16> = 100..=599;

/// Reads `METHOD /path`, complaining at the key.
pub(crate) fn route_key(key: &str, node: &Node<'_>) -> Option<(Method, String)> {
    if is_integer_like(key) {
        let message = format!("the route key {key:?} looks like an integer; a route key is `METHOD /path`");
        node.report(Code::IntegerLikeKey, At::Key, message, Some("such as \"POST /v1/jobs\"".to_owned()));
        return None;
    }
    match parse_route_key(key) {
        Ok(route) => Some(route),
        Err(why) => {
            let message = format!("the route key {key:?} is not of the form `METHOD /path`: {why}");
            node.report(Code::RouteKeyForm, At::Key, message, Some("such as \"POST /v1/jobs/{id}\"".to_owned()));
            None
        }
    }
}

/// Splits and checks a route key. The error says what is wrong with it.
fn parse_route_key(key: &str) -> Result<(Method, String), String> {
    let (method, path) = key.split_once(' ').ok_or("a method, one space and a path are needed")?;
    let method = Method::named(method).ok_or_else(|| {
        let names: Vec<&str> = Method::all().iter().map(|method| method.as_str()).collect();
        format!("the method is one of {}", suggest::list(&names))
    })?;
    check_path(path)?;
    Ok((method, path.to_owned()))
}

fn check_path(path: &str) -> Result<(), String> {
    let rest = path.strip_prefix('/').ok_or("the path begins with `/`")?;
    let mut parameters = BTreeSet::new();
    if rest.is_empty() {
        return Ok(());
    }
    for segment in rest.split('/') {
        if segment.is_empty() {
            return Err("the path has an empty segment".to_owned());
        }
        match parameter_name(segment) {
            Some(name) if !parameters.insert(name) => return Err(format!("the parameter {{{name}}} stands twice")),
            Some(_) => {}
            None if segment.bytes().all(is_literal_byte) => {}
            None => return Err(format!("the segment {segment:?} is neither plain text nor one `{{name}}`")),
        }
    }
    Ok(())
}

fn is_literal_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@%".contains(&byte)
}

/// The name in `{name}`.
pub(crate) fn parameter_name(segment: &str) -> Option<&str> {
    let name = segment.strip_prefix('{')?.strip_suffix('}')?;
    let first_ok = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    (first_ok && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')).then_some(name)
}

/// Whether `route` answers this request. A parameter takes any one segment that is not empty.
pub fn matches(route: &Route, method: Method, path: &str) -> bool {
    if route.method != method {
        return false;
    }
    let (mut pattern, mut actual) = (route.path.split('/'), path.split('/'));
    loop {
        match (pattern.next(), actual.next()) {
            (None, None) => return true,
            (Some(wanted), Some(got)) if wanted == got => {}
            (Some(wanted), Some(got)) if parameter_name(wanted).is_some() && !got.is_empty() => {}
            _ => return false,
        }
    }
}

/// Most sets of places at which routes of one method and one number of segments have their parameters. Real products have
/// a handful; each costs a look for every such route.
pub const PARAMETER_SETS_MAX: usize = 100;

/// The routes so far by shape, so that the one that hides a later one is found without looking at each.
///
/// An earlier route hides a later one when every request of the later one is the earlier one's too: segment by segment the same
/// text, or a parameter of the earlier one.
#[derive(Default)]
pub(crate) struct Shapes<'a> {
    /// For each method and number of segments, the sets of places that were parameters.
    parameter_sets: BTreeMap<(Method, usize), BTreeSet<Vec<bool>>>,
    /// The first route of each shape.
    first: BTreeMap<(Method, Vec<Part>), usize>,
    /// A number for each text that a segment was.
    texts: BTreeMap<&'a str, u32>,
}

/// A segment of a shape: a parameter, whatever its name, or a text by its number.
type Part = Option<u32>;

/// What the routes before it mean for a route.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Earlier {
    /// None hides it.
    None,
    /// This one hides it: one with the very same shape, or the first of others.
    Hides(usize),
    /// [`PARAMETER_SETS_MAX`] is passed; only routes of the same shape were looked for, and there is none.
    TooManySets,
}

impl<'a> Shapes<'a> {
    /// Looks for an earlier route that hides this one, and notes this one, which stands at `index`.
    pub(crate) fn visit(&mut self, route: &'a Route, index: usize) -> Earlier {
        let parts: Vec<Part> = route.path.split('/').map(|segment| self.part(segment)).collect();
        let own: Vec<bool> = parts.iter().map(Option::is_none).collect();
        let sets = self.parameter_sets.entry((route.method, parts.len())).or_default();
        let has_room = sets.len() < PARAMETER_SETS_MAX || sets.contains(&own);
        let mut shape = (route.method, parts.clone());
        let same = self.first.get(&shape).copied();
        let other = sets.iter().filter(|_| same.is_none() && has_room).filter_map(|set| {
            work::step();
            // A place that is a parameter here and a text there lets more through than the other route takes.
            let covers = set.iter().zip(&own).all(|(theirs, own)| *theirs || !own);
            let hide = |(set, part): (&bool, &Part)| if *set { None } else { *part };
            shape.1.clear();
            shape.1.extend(set.iter().zip(&parts).map(hide));
            self.first.get(&shape).copied().filter(|_| covers)
        });
        let hiding = same.or_else(|| other.min());
        if has_room {
            sets.insert(own);
        }
        self.first.entry((route.method, parts)).or_insert(index);
        match hiding {
            Some(index) => Earlier::Hides(index),
            None if has_room => Earlier::None,
            None => Earlier::TooManySets,
        }
    }

    fn part(&mut self, segment: &'a str) -> Part {
        if parameter_name(segment).is_some() {
            return None;
        }
        let next = u32::try_from(self.texts.len()).unwrap_or(u32::MAX);
        Some(*self.texts.entry(segment).or_insert(next))
    }
}

/// The ranges of `onStatusCodes`: `"200-299,404"` or an array of codes.
pub(crate) fn status_codes(node: &Node<'_>) -> Option<Vec<StatusRange>> {
    let parsed = match node.value() {
        Value::Text(text) => text.split(',').map(|part| parse_range(part.trim())).collect::<Option<Vec<_>>>(),
        Value::List(items) => items.iter().map(single_code).collect::<Option<Vec<_>>>(),
        _ => {
            node.wrong_type("a string of codes and ranges, or an array of codes");
            return None;
        }
    };
    let ranges = parsed.filter(|ranges| !ranges.is_empty()).map(merge_ranges);
    if ranges.is_none() {
        let message = format!("{} is no list of status codes between 100 and 599", node.value().describe());
        node.report(
            Code::StatusCodesForm,
            At::Value,
            message,
            Some("such as \"200-299,404\" or [200, 404]".to_owned()),
        );
    }
    ranges
}

fn single_code(value: &Value) -> Option<StatusRange> {
    let Value::Number(number) = value else { return None };
    let code = STATUS_CODES.clone().find(|code| f64::from(*code) == *number)?;
    Some(StatusRange { from: code, to: code })
}

fn parse_range(text: &str) -> Option<StatusRange> {
    let code = |text: &str| -> Option<u16> {
        let three_digits = text.len() == 3 && text.bytes().all(|b| b.is_ascii_digit());
        text.parse().ok().filter(|code| three_digits && STATUS_CODES.contains(code))
    };
    let (from, to) = text.split_once('-').map_or((text, text), |(from, to)| (from.trim(), to.trim()));
    let (from, to) = (code(from)?, code(to)?);
    (from <= to).then_some(StatusRange { from, to })
}

fn merge_ranges(mut ranges: Vec<StatusRange>) -> Vec<StatusRange> {
    ranges.sort_by_key(|range| (range.from, range.to));
    let mut merged: Vec<StatusRange> = Vec::new();
    for range in ranges {
        match merged.last_mut() {
            Some(last) if range.from <= last.to.saturating_add(1) => last.to = last.to.max(range.to),
            _ => merged.push(range),
        }
    }
    merged
}

/// Whether `status` is in one of the ranges.
pub fn counts(ranges: &[StatusRange], status: u16) -> bool {
    ranges.iter().any(|range| (range.from..=range.to).contains(&status))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn route_keys_have_one_form() {
        for good in ["GET /", "POST /v1/jobs", "DELETE /v1/jobs/{id}", "GET /a/{b}/c/{d_1}"] {
            assert!(parse_route_key(good).is_ok(), "{good}");
        }
        for bad in [
            "",
            "GET",
            "get /a",
            "GET  /a",
            "GET a",
            "FETCH /a",
            "GET /a/",
            "GET //a",
            "GET /{a}/{a}",
            "GET /a b",
            "GET /{1}",
            "GET /x{a}",
            "GET /a?b",
            "12",
        ] {
            assert!(parse_route_key(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn status_ranges_become_disjoint() {
        let ranges = "300-302, 200-299,404,404".split(',').map(|part| parse_range(part.trim()).unwrap()).collect();
        assert_eq!(merge_ranges(ranges), [StatusRange { from: 200, to: 302 }, StatusRange { from: 404, to: 404 }]);
        for bad in ["", "2xx", "99", "600", "299-200", "200-", "+200", "0200"] {
            assert!(parse_range(bad).is_none(), "{bad}");
        }
    }

    fn route(path: &str) -> Route {
        serde_json::from_value(serde_json::json!({
            "method": "GET", "path": path, "feature": "f", "costs": {}, "reports": [], "estimates": {}, "statusCodes": [], "metered": true,
        }))
        .unwrap()
    }

    /// Each route against each one before it.
    fn by_comparing_all(routes: &[Route], later: usize) -> Earlier {
        let covers = |earlier: &Route, exactly: bool| {
            let (mine, theirs): (Vec<_>, Vec<_>) =
                (routes[later].path.split('/').collect(), earlier.path.split('/').collect());
            let is_parameter = |segment: &str| parameter_name(segment).is_some();
            mine.len() == theirs.len()
                && mine
                    .iter()
                    .zip(&theirs)
                    .all(|(mine, theirs)| mine == theirs || is_parameter(theirs) && (is_parameter(mine) || !exactly))
        };
        let first = |exactly| routes[..later].iter().position(|earlier| covers(earlier, exactly));
        first(true).or_else(|| first(false)).map_or(Earlier::None, Earlier::Hides)
    }

    proptest! {
        #[test]
        fn the_hiding_route_is_that_of_comparing_all(
            paths in prop::collection::vec(prop::collection::vec("a|b|\\{x\\}|\\{y\\}", 1..4), 1..14)
        ) {
            let routes: Vec<Route> = paths.iter().map(|path| route(&format!("/{}", path.join("/")))).collect();
            let mut shapes = Shapes::default();
            for (index, later) in routes.iter().enumerate() {
                prop_assert_eq!(shapes.visit(later, index), by_comparing_all(&routes, index));
            }
        }
    }

    /// So many routes, no two with their parameters at the same places, none hidden.
    fn steps_of_parametrised(count: u32) -> (u64, usize) {
        let segment =
            |number: u32, at: u32| if number >> at & 1 == 1 { format!("{{p{at}}}") } else { format!("s{number}") };
        let path = |number: u32| (0..15).map(|at| format!("/{}", segment(number, at))).collect::<String>();
        let routes: Vec<Route> = (0..count).map(|number| route(&path(number))).collect();
        let mut shapes = Shapes::default();
        let (refused, steps) = work::count(|| {
            let visits = routes.iter().enumerate().map(|(index, route)| shapes.visit(route, index));
            visits.filter(|earlier| *earlier == Earlier::TooManySets).count()
        });
        (steps, refused)
    }

    #[test]
    fn thousands_of_arrangements_of_parameters_are_refused_and_cost_a_bounded_look_each() {
        for count in [8_000_u32, 32_000] {
            let (steps, refused) = steps_of_parametrised(count);
            assert!(steps <= u64::from(count) * PARAMETER_SETS_MAX as u64, "{steps}");
            assert_eq!(refused, count as usize - PARAMETER_SETS_MAX);
        }
    }

    #[test]
    fn parameters_of_one_path_are_told_apart_without_comparing_each_with_each() {
        let path: String = (0..50_000).map(|number| format!("/{{p{number}}}")).collect();
        assert!(parse_route_key(&format!("GET {path}")).is_ok());
        assert!(parse_route_key(&format!("GET {path}/{{p0}}")).is_err());
    }
}
