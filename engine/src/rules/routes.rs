//! Route keys and status codes: their forms, and which of two routes hides the other.

use super::finding::At;
use super::reader::{Node, is_integer_like};
use super::suggest;
use crate::diagnostic::Code;
use crate::manifest::ir::{ClosedSet, Method, Route, StatusRange};
use crate::registry::Value;
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
    let mut parameters: Vec<&str> = Vec::new();
    if rest.is_empty() {
        return Ok(());
    }
    for segment in rest.split('/') {
        if segment.is_empty() {
            return Err("the path has an empty segment".to_owned());
        }
        match parameter_name(segment) {
            Some(name) if parameters.contains(&name) => return Err(format!("the parameter {{{name}}} stands twice")),
            Some(name) => parameters.push(name),
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

/// The routes so far by shape, so that the one that hides a later one is found without looking at each.
///
/// An earlier route hides a later one when every request of the later one is the earlier one's too: segment by segment the same
/// text, or a parameter of the earlier one.
#[derive(Default)]
pub(crate) struct Shapes {
    /// For each method and number of segments, which sets of positions were parameters.
    parameter_sets: BTreeMap<(Method, usize), BTreeSet<Vec<usize>>>,
    /// The first route of each shape: its method and its segments, parameters without their names.
    first: BTreeMap<(Method, Vec<String>), usize>,
}

/// How a parameter stands in a shape.
const ANY: &str = "{}";

impl Shapes {
    /// Adds a route, which stands at `index`.
    pub(crate) fn insert(&mut self, route: &Route, index: usize) {
        let segments: Vec<&str> = route.path.split('/').collect();
        let is_parameter = |(_, segment): &(usize, &&str)| parameter_name(segment).is_some();
        let positions: Vec<usize> = segments.iter().enumerate().filter(is_parameter).map(|(at, _)| at).collect();
        self.parameter_sets.entry((route.method, segments.len())).or_default().insert(positions);
        let shape =
            segments.iter().map(|segment| if parameter_name(segment).is_some() { ANY } else { segment }.to_owned());
        self.first.entry((route.method, shape.collect())).or_insert(index);
    }

    /// The first route that hides this one; one with the very same path before others.
    pub(crate) fn first_hiding(&self, route: &Route) -> Option<usize> {
        let segments: Vec<&str> = route.path.split('/').collect();
        let sets = self.parameter_sets.get(&(route.method, segments.len()))?;
        let hiding = |parameters: &Vec<usize>| {
            let shape = segments.iter().enumerate().map(|(at, segment)| match parameter_name(segment) {
                _ if parameters.contains(&at) => Some(ANY.to_owned()),
                Some(_) => None,
                None => Some((*segment).to_owned()),
            });
            self.first.get(&(route.method, shape.collect::<Option<Vec<String>>>()?)).copied()
        };
        let own: Vec<usize> =
            (0..segments.len()).filter(|at| segments.get(*at).is_some_and(|s| parameter_name(s).is_some())).collect();
        let same = sets.contains(&own).then(|| hiding(&own)).flatten();
        same.or_else(|| sets.iter().filter_map(hiding).min())
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
}
