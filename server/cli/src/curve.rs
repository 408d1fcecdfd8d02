//! `svc explain --curve`: what a plan of the product in a folder makes of a meter's quantity, as a table and as a picture.

use crate::build::compile_dir;
use crate::global::Exit;
use crate::output::Output;
use crate::output::{CommandError, Rejected};
use crate::remote::table;
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};
use svc_engine::manifest::ir::{Key, Plan};
use svc_engine::manifest::{Manifest, words};
use svc_engine::money::curve::ExactNanos;
use svc_engine::money::plot::{Line, Plot, Point, marks, place};
use svc_engine::money::rating::floor;

/// A picture's size, and where its lines are drawn in it, in pixels.
const SIZE: (u32, u32) = (640, 360);
const LEFT: u32 = 80;
const RIGHT: u32 = 20;
const TOP: u32 = 24;
const BOTTOM: u32 = 40;
/// Characters of all labels below a picture that fit beside each other.
const LABELS_MAX_CHARS: usize = 64;
/// Colours of lines, which show on white and on black.
const COLOURS: [&str; svc_engine::money::plot::LINES_MAX] =
    ["#2f6fde", "#c2571a", "#2a8a4a", "#a3469f", "#8a6d00", "#00838f"];

/// What is to be drawn.
#[derive(Debug)]
pub(crate) struct Asked<'a> {
    /// The meter.
    pub(crate) meter: &'a str,
    /// The plan; the only one that prices the meter where it is not said.
    pub(crate) plan: Option<&'a str>,
    /// The product's folder.
    pub(crate) dir: &'a Path,
    /// Where the picture goes.
    pub(crate) svg: Option<&'a PathBuf>,
}

/// Draws it.
pub(crate) fn show(asked: &Asked<'_>, output: &Output) -> Exit {
    match attempt(asked, output) {
        Ok(exit) => exit,
        Err(Rejected { failure, diagnostics }) => output.failed("explain", failure, &diagnostics),
    }
}

fn attempt(asked: &Asked<'_>, output: &Output) -> Result<Exit, Rejected> {
    let manifest = compile_dir(asked.dir, output)?;
    let (plan, plot) = found(&manifest, asked)?;
    let picture = svg(&manifest, plan, asked.meter, &plot);
    if let Some(file) = asked.svg {
        std::fs::write(file, &picture).map_err(|error| {
            CommandError::new(Exit::Unreachable, "FILE_UNWRITABLE", format!("{}: {error}", file.display()))
        })?;
    }
    let lines: Vec<Json> = plot.lines.iter().map(line_json).collect();
    let data =
        json!({ "plan": plan.key, "meter": asked.meter, "lines": lines, "leftOut": plot.left_out, "svg": picture });
    Ok(output.done("explain", &text(plan, asked.meter, &plot), data))
}

/// The plan that was named, or the only one that has a price for the meter; and its lines.
fn found<'m>(manifest: &'m Manifest, asked: &Asked<'_>) -> Result<(&'m Plan, Plot), CommandError> {
    let wrong = |code, message: String| CommandError::new(Exit::Wrong, code, message);
    let known = manifest.meters.iter().map(|meter| &meter.key).find(|key| key.as_str() == asked.meter);
    let meter = known.ok_or_else(|| wrong("UNKNOWN_METER", format!("the product has no meter {:?}", asked.meter)))?;
    let plans = manifest.plans.iter().filter(|plan| asked.plan.is_none_or(|wanted| plan.key.as_str() == wanted));
    let mut plots: Vec<(&Plan, Plot)> =
        plans.filter_map(|plan| Some((plan, Plot::new(manifest, plan, meter)?))).collect();
    match (plots.len(), asked.plan) {
        (1, _) => Ok(plots.remove(0)),
        (0, Some(plan)) if !manifest.plans.iter().any(|known| known.key.as_str() == plan) => {
            Err(wrong("UNKNOWN_PLAN", format!("the product has no plan {plan:?}")))
        }
        (0, _) => Err(wrong("NO_PRICE", format!("no plan has a price for the meter {:?}", asked.meter))),
        _ => {
            let names: Vec<&str> = plots.iter().map(|(plan, _)| plan.key.as_str()).collect();
            let message =
                format!("several plans price the meter {:?}; say which: --plan {}", asked.meter, names.join("|"));
            Err(wrong("WHICH_PLAN", message))
        }
    }
}

fn line_json(line: &Line) -> Json {
    let point = |point: &Point| json!({ "units": units(&point.steps), "exactNanos": point.nanos.to_string() });
    json!({ "name": line.name, "points": line.points.iter().map(point).collect::<Vec<_>>() })
}

/// A quantity, cut to a billionth of a unit.
fn units(steps: &ExactNanos) -> String {
    let steps = steps.floor().to_integer().to_string();
    let (whole, fraction) = steps.split_at(steps.len().saturating_sub(9));
    let fraction = format!("{fraction:0>9}");
    let fraction = fraction.trim_end_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    if fraction.is_empty() { whole.to_owned() } else { format!("{whole}.{fraction}") }
}

fn money(nanos: &ExactNanos) -> String {
    floor(nanos).map_or_else(|_| "past what can be shown".to_owned(), words::nanos)
}

/// Whether two points are a jump.
fn is_jump(from: &Point, to: &Point) -> bool {
    to.steps.floor().to_integer() <= from.steps.floor().to_integer() + 1_u32
}

fn text(plan: &Plan, meter: &str, plot: &Plot) -> String {
    let mut lines = vec![title(plan, meter, plot)];
    for line in &plot.lines {
        if plot.lines.len() > 1 {
            lines.push(line.name.clone());
        }
        let pairs: Vec<(&Point, &Point)> = line.points.iter().zip(line.points.iter().skip(1)).collect();
        let parts = pairs.iter().filter(|(from, to)| !is_jump(from, to));
        let rows = parts.map(|(from, to)| {
            let costs = [&from.nanos, &to.nanos].map(money);
            let costs = if costs[0] == costs[1] { costs[0].clone() } else { costs.join(" to ") };
            vec![rounded(&from.steps), rounded(&to.steps), costs]
        });
        lines.push(table(&["from", "to", "costs"], rows.collect()));
    }
    if plot.left_out > 0 {
        lines.push(format!("and {} more", plot.left_out));
    }
    lines.join("\n")
}

/// Units without the billionth that stands behind a jump.
fn rounded(steps: &ExactNanos) -> String {
    let exact = units(steps);
    match exact.split_once('.') {
        Some((whole, "000000001")) => format!("above {whole}"),
        _ if exact == "0.000000001" => "above 0".to_owned(),
        _ => exact,
    }
}

fn title(plan: &Plan, meter: &str, plot: &Plot) -> String {
    let with = plot.with_one_of.as_ref().map(|other: &Key| format!(", with one of {other}")).unwrap_or_default();
    format!("{meter} on {}: what a period's quantity costs{with}", plan.key)
}

/// The picture. Words take the page's colour.
fn svg(manifest: &Manifest, plan: &Plan, meter: &str, plot: &Plot) -> String {
    let all = || plot.lines.iter().flat_map(|line| &line.points);
    let widest = all().map(|point| &point.steps).max().cloned().unwrap_or_default();
    let highest = all().map(|point| &point.nanos).max().cloned().unwrap_or_default();
    let (width, height) = (SIZE.0 - LEFT - RIGHT, SIZE.1 - TOP - BOTTOM);
    let x = |steps: &ExactNanos| hundredths(LEFT * 100 + place(steps, &widest, width * 100));
    let y = |nanos: &ExactNanos| hundredths((TOP + height) * 100 - place(nanos, &highest, height * 100));
    let mut parts = vec![format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" role=\"img\" font-family=\"sans-serif\" font-size=\"12\" fill=\"currentColor\">",
        SIZE.0, SIZE.1
    )];
    parts.push(format!("<title>{}</title>", escaped(&title(plan, meter, plot))));
    parts.push("<style>svg{color:#333}@media(prefers-color-scheme:dark){svg{color:#ddd}}</style>".to_owned());
    let (bottom, right) = (TOP + height, LEFT + width);
    for at in marks(&highest) {
        let (level, label) = (y(&at), money(&at));
        parts.push(format!("<path d=\"M{LEFT} {level}H{right}\" stroke=\"currentColor\" opacity=\".15\"/>"));
        parts.push(format!("<text x=\"{}\" y=\"{level}\" text-anchor=\"end\" dy=\".3em\">{label}</text>", LEFT - 8));
    }
    for at in spaced(marks(&widest)) {
        let (place, label) = (x(&at), grouped(&units(&at)));
        parts.push(format!("<path d=\"M{place} {bottom}v4\" stroke=\"currentColor\" opacity=\".4\"/>"));
        parts.push(format!("<text x=\"{place}\" y=\"{}\" text-anchor=\"middle\">{label}</text>", bottom + 17));
    }
    parts.push(format!("<path d=\"M{LEFT} {bottom}H{right}\" stroke=\"currentColor\" opacity=\".4\"/>"));
    parts.push(format!(
        "<text x=\"{right}\" y=\"{}\" text-anchor=\"end\">{}</text>",
        SIZE.1 - 6,
        escaped(&unit_of(manifest, meter))
    ));
    for (number, (line, colour)) in plot.lines.iter().zip(COLOURS).enumerate() {
        let points: Vec<String> =
            line.points.iter().map(|point| format!("{},{}", x(&point.steps), y(&point.nanos))).collect();
        parts.push(format!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" stroke-linejoin=\"round\"/>",
            points.join(" ")
        ));
        if plot.lines.len() > 1 {
            let row = TOP + 12 + 16 * u32::try_from(number).unwrap_or_default();
            parts.push(format!(
                "<text x=\"{}\" y=\"{row}\" fill=\"{colour}\">{}</text>",
                LEFT + 12,
                escaped(&line.name)
            ));
        }
    }
    parts.push("</svg>\n".to_owned());
    parts.join("\n")
}

/// Every second mark where labels are too long to stand beside each other.
fn spaced(marks: Vec<ExactNanos>) -> Vec<ExactNanos> {
    let longest = marks.iter().map(|mark| grouped(&units(mark)).len()).max();
    let fits = longest.unwrap_or_default().saturating_mul(marks.len()) <= LABELS_MAX_CHARS;
    marks.into_iter().step_by(if fits { 1 } else { 2 }).collect()
}

fn unit_of(manifest: &Manifest, meter: &str) -> String {
    let known = manifest.meters.iter().find(|known| known.key.as_str() == meter);
    known.and_then(|known| known.unit.clone()).unwrap_or_else(|| meter.to_owned())
}

/// Hundredths of a pixel as pixels.
fn hundredths(number: u32) -> String {
    format!("{}.{:02}", number / 100, number % 100)
}

/// A quantity with a comma before each three digits.
fn grouped(units: &str) -> String {
    match units.parse() {
        Ok(whole) => words::grouped(whole),
        Err(_) => units.to_owned(),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}
