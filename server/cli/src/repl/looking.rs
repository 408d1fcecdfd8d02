//! What the prompt says of the manifest: its parts, where they were written, which route answers, what changed.

use super::debugging::{changed, excerpt_at};
use super::product::Product;
use crate::output::CommandError;
use crate::remote::Remote;
use crate::{build, diff};
use serde_json::Value as Json;
use svc_engine::manifest::Manifest;
use svc_engine::manifest::ir::{ClosedSet, Method, Route};
use svc_engine::rules::routes;
use svc_engine::source::{Path, Segment};
use svc_runtime::debugger::Place;
use svc_runtime::{Outcome, Stage};

/// Lines shown on each side of a place.
const AROUND_LINES: usize = 1;
/// Routes told that a request passes by.
const PASSED_SHOWN_MAX: usize = 10;

/// What is said where no build gave a manifest.
pub(super) const NO_MANIFEST: &str = "there is no manifest: the product has mistakes";

/// `.registry`.
pub(super) async fn registry(product: &Product) -> Result<String, CommandError> {
    Ok(match product.ask(Stage::Registry).await? {
        Outcome::Collected(text) => {
            let json: Json = serde_json::from_str(&text).unwrap_or_default();
            format!("{json:#}")
        }
        Outcome::Rejected(diagnostics) => build::count(&diagnostics),
        other => format!("{other:?}"),
    })
}

/// `.ir`.
pub(super) fn ir(manifest: Option<&Manifest>, path: &str) -> String {
    let Some(manifest) = manifest else { return NO_MANIFEST.to_owned() };
    let Ok(json) = serde_json::to_value(manifest) else { return NO_MANIFEST.to_owned() };
    match part(&json, Path::parse(path).segments()) {
        Some(part) => format!("{part:#}"),
        None => format!("the manifest has nothing at {path}"),
    }
}

/// A part of the manifest. An element of a list goes by its key, id or route, too.
fn part<'j>(json: &'j Json, path: &[Segment]) -> Option<&'j Json> {
    let Some((first, rest)) = path.split_first() else { return Some(json) };
    let inner = match (first, json) {
        (Segment::Index(index), Json::Array(list)) => list.get(usize::try_from(*index).ok()?)?,
        (Segment::Key(key), Json::Array(list)) => list.iter().find(|element| is_called(element, key))?,
        (Segment::Key(key), Json::Object(map)) => map.get(&**key)?,
        _ => return None,
    };
    part(inner, rest)
}

fn is_called(element: &Json, key: &str) -> bool {
    let text = |name: &str| element.get(name).and_then(Json::as_str);
    let is_route = || text("method").zip(text("path")).is_some_and(|(method, path)| key == format!("{method} {path}"));
    ["key", "meter", "id", "dimension", "name", "sku"].iter().any(|name| text(name) == Some(key)) || is_route()
}

/// `.diff`.
pub(super) async fn difference(
    manifest: Option<&Manifest>,
    against: Option<&str>,
    product: &Product,
    remote: &Remote,
) -> Result<String, CommandError> {
    let Some(after) = manifest else { return Ok(NO_MANIFEST.to_owned()) };
    let own = product.dir().map(|dir| dir.join(build::BUILD_FILE)).filter(|own| own.is_file());
    let before = match against {
        Some(diff::RELEASE) => Some(diff::active_release(remote).await?),
        Some(file) => Some(diff::read_ir(std::path::Path::new(file))?),
        None => own.as_deref().map(diff::read_ir).transpose()?,
    };
    let head = match (against, before.is_some()) {
        (Some(against), _) => format!("against {against}:"),
        (None, true) => format!("against {}:", build::BUILD_FILE),
        (None, false) => format!("there is no {} to compare with; everything is new:", build::BUILD_FILE),
    };
    Ok(changed(&head, before.as_ref(), after))
}

/// `.routes METHOD /path`.
pub(super) async fn answering(
    manifest: Option<&Manifest>,
    method: &str,
    path: &str,
    product: &Product,
) -> Result<String, CommandError> {
    let Some(manifest) = manifest else { return Ok(NO_MANIFEST.to_owned()) };
    let Some(method) = Method::named(method) else { return Ok(format!("{method} is no method of a route")) };
    let mut all = manifest.routes.iter().filter(|route| routes::matches(route, method, path));
    let Some(first) = all.next() else {
        let others =
            manifest.routes.iter().filter(|route| route.method != method && routes::matches(route, route.method, path));
        let others: Vec<&str> = others.map(|route| route.method.as_str()).collect();
        let hint =
            if others.is_empty() { String::new() } else { format!("; the path answers to {}", others.join(", ")) };
        return Ok(format!("no route answers {} {path}{hint}", method.as_str()));
    };
    let mut lines = vec![format!("{} answers: it is the first in the order of declaration that matches", first.name())];
    lines.extend(meaning(first).into_iter().map(|line| format!("  {line}")));
    lines.extend(written(&route_path(first), product).await?);
    for passed in all.take(PASSED_SHOWN_MAX) {
        lines.push(format!("{} matches too, and comes after it", passed.name()));
        lines.extend(written(&route_path(passed), product).await?);
    }
    Ok(lines.join("\n"))
}

fn route_path(route: &Route) -> String {
    format!("features.{}.routes.{}", route.feature.as_str(), route.name())
}

/// What a route means for a bill.
fn meaning(route: &Route) -> Vec<String> {
    let mut lines = vec![format!("feature {}", route.feature.as_str())];
    if !route.metered {
        lines.push("unmetered".to_owned());
    }
    lines.extend(route.costs.iter().map(|(meter, units)| format!("costs {units} of {meter}")));
    lines.extend(route.reports.iter().map(|meter| format!("the answer reports {meter}")));
    let codes = route.status_codes.iter().map(|range| {
        if range.from == range.to { range.from.to_string() } else { format!("{}-{}", range.from, range.to) }
    });
    lines.push(format!("counts when answered with {}", codes.collect::<Vec<_>>().join(", ")));
    lines
}

/// `.why PATH`.
pub(super) async fn why(manifest: Option<&Manifest>, path: &str, product: &Product) -> Result<String, CommandError> {
    let path = path.trim_matches('"');
    // A route goes by its own name, too.
    let by_name = path.strip_prefix("routes.").unwrap_or(path);
    let named = manifest.into_iter().flat_map(|manifest| &manifest.routes).find_map(|route| {
        let rest = by_name.strip_prefix(&route.name())?;
        (rest.is_empty() || rest.starts_with('.')).then(|| format!("{}{rest}", route_path(route)))
    });
    let asked = named.unwrap_or_else(|| path.to_owned());
    let place = written(&asked, product).await?;
    Ok(place.unwrap_or_else(|| format!("nothing that was written leads to {path}")))
}

/// Where a path of the manifest was written, with the lines there.
async fn written(path: &str, product: &Product) -> Result<Option<String>, CommandError> {
    let Outcome::Located(Some(span)) = product.ask(Stage::Locate(path.to_owned())).await? else { return Ok(None) };
    let place = Place { file: span.file.to_string(), position: span.start };
    let lines = excerpt_at(&place, &product.sources, AROUND_LINES);
    Ok((!lines.is_empty()).then(|| format!("written at {place}\n{lines}")))
}
