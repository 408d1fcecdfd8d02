//! What test files may ask of the host, through the one module that reaches it: the engine's pure functions, and to note results.
//! Values cross by serde_v8, which only ever sees what that module made.

use crate::isolate::{Graph, report::Reporter};
use crate::job::{TestFailure, TestResult};
use deno_core::{OpState, extension, op2, v8};
use deno_error::JsErrorBox;
use serde::Serialize;
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use svc_engine::manifest::Manifest;
use svc_engine::manifest::ir::{Aggregation, Included, Key, Meter, MeterPrice, Rates};
use svc_engine::money::scenario::{self, Step};
use svc_engine::money::units::Units;
use svc_engine::source::Span;
use svc_engine::sources::Sources;

/// Longest message of a failed test, in characters.
pub(crate) const MESSAGE_MAX_CHARS: usize = 4_000;
/// Most golden bills of one file.
const GOLDENS_MAX: usize = 1_000;
/// Combinations of attributes' values of one meter that generators know, at most.
const CELLS_MAX: usize = 20;
/// How a golden bill is asked for.
const UPDATE: &str = "`svc test --update` writes it";

extension!(
    svc_harness,
    ops = [op_svc_play, op_svc_facts, op_svc_golden, op_svc_place, op_svc_report, op_svc_file, op_svc_begin],
);

/// The extension with the ops.
pub(super) fn extension() -> deno_core::Extension {
    svc_harness::init()
}

/// What the ops know, in the runtime's state.
pub(super) struct Bench {
    pub(super) manifest: Manifest,
    pub(super) graph: Rc<Graph>,
    pub(super) sources: Sources,
    pub(super) updates: bool,
    /// The file that is being evaluated.
    pub(super) file: String,
    /// Golden bills by file and name, as they were and as they are to be.
    pub(super) goldens: BTreeMap<String, BTreeMap<String, Json>>,
    pub(super) changed: BTreeSet<String>,
    pub(super) results: Vec<TestResult>,
    /// The test that runs, or ran last: its file and name.
    pub(super) running: (String, String),
}

/// The file of a test file's golden bills.
pub(crate) fn golden_file(file: &str) -> String {
    format!("{}.golden.json", file.strip_suffix(".ts").unwrap_or(file))
}

fn wrong(message: impl Into<String>) -> JsErrorBox {
    JsErrorBox::type_error(message.into())
}

#[op2]
#[serde]
fn op_svc_play(
    state: &OpState,
    #[string] plan: &str,
    #[serde] steps: Vec<Step>,
) -> Result<scenario::Played, JsErrorBox> {
    scenario::play(&state.borrow::<Bench>().manifest, plan, &steps).map_err(|error| wrong(error.to_string()))
}

/// What generators ask of a plan.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Facts {
    meters: Vec<MeterFacts>,
    /// The most of a period, as text.
    most_cents: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MeterFacts {
    meter: Key,
    aggregation: Aggregation,
    /// Whether the plan prices it.
    is_priced: bool,
    /// Quantities at which its price turns, as decimal texts.
    marks: Vec<String>,
    /// Values of its attributes that the plan prices, at most [`CELLS_MAX`] of them, from all over its rates; nothing where it has none.
    cells: Option<Vec<BTreeMap<Key, String>>>,
}

#[op2]
#[serde]
fn op_svc_facts(state: &OpState, #[string] key: &str) -> Result<Facts, JsErrorBox> {
    let manifest = &state.borrow::<Bench>().manifest;
    let plan = manifest.plans.iter().find(|plan| plan.key.as_str() == key);
    let plan = plan.ok_or_else(|| wrong(format!("there is no plan {key:?}")))?;
    let meter = |meter: &Meter| {
        let price = plan.meters.iter().find(|price| *price.meter() == meter.key);
        MeterFacts {
            meter: meter.key.clone(),
            aggregation: meter.aggregation,
            is_priced: price.is_some(),
            marks: marks(price),
            cells: (!meter.by.is_empty()).then(|| cells(&meter.by, price)),
        }
    };
    let most = svc_engine::money::bill::SpendBounds::of(plan, None).max;
    Ok(Facts {
        meters: manifest.meters.iter().map(meter).collect(),
        most_cents: most.map(|most| most.floor_cents().0.to_string()),
    })
}

/// Combinations of the values of a meter's attributes that a price has a rate for.
fn cells(attributes: &[Key], price: Option<&MeterPrice>) -> Vec<BTreeMap<Key, String>> {
    let Some(MeterPrice::Rates { rates, .. }) = price else { return Vec::new() };
    let all = Rates::cells_of(rates);
    let step = all.len().div_ceil(CELLS_MAX).max(1);
    let of = |values: Vec<String>| attributes.iter().cloned().zip(values).collect();
    all.into_iter().step_by(step).map(|(values, _)| of(values)).collect()
}

/// Where a price turns: at what is included, at the ends of tiers, and at one of what it is per.
fn marks(price: Option<&MeterPrice>) -> Vec<String> {
    let mut marks = vec!["1".to_owned()];
    let Some(price) = price else { return marks };
    let included = match price.included() {
        Included::Units(units) => Some(*units).filter(|units| *units != Units::ZERO),
        Included::Each(_) => None,
    };
    let per = if let MeterPrice::Linear { per, .. } = price { Some(per.get()).filter(|per| *per > 1) } else { None };
    marks.extend([included.map(|units| units.to_string()), per.map(|per| per.to_string())].into_iter().flatten());
    marks.extend(price.tiers().iter().filter_map(|tier| tier.up_to).map(|end| end.to_string()));
    marks
}

/// Compares a bill with the golden one of this name, or keeps it. Says what differs.
#[op2]
#[string]
fn op_svc_golden(
    state: &mut OpState,
    #[string] file: &str,
    #[string] name: &str,
    #[serde] bill: Json,
) -> Result<Option<String>, JsErrorBox> {
    let bench = state.borrow_mut::<Bench>();
    let of_file = bench.goldens.entry(file.to_owned()).or_default();
    if bench.updates {
        if of_file.len() >= GOLDENS_MAX {
            return Err(wrong(format!("a file has at most {GOLDENS_MAX} golden bills")));
        }
        if of_file.get(name) != Some(&bill) {
            of_file.insert(name.to_owned(), bill);
            bench.changed.insert(file.to_owned());
        }
        return Ok(None);
    }
    Ok(match of_file.get(name) {
        None => Some(format!("there is no golden bill {name:?} in {}; {UPDATE}", golden_file(file))),
        Some(kept) if *kept == bill => None,
        Some(kept) => {
            let mut differences = Vec::new();
            differ("", kept, &bill, &mut differences);
            Some(format!("the bill is not the golden {name:?}: {}; {UPDATE}", differences.join(", ")))
        }
    })
}

/// The members in which two bills differ, in words.
fn differ(path: &str, kept: &Json, now: &Json, differences: &mut Vec<String>) {
    if let (Json::Object(before), Json::Object(after)) = (kept, now) {
        let keys: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
        for key in keys {
            let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
            let member = |of: &serde_json::Map<String, Json>| of.get(key).cloned().unwrap_or_default();
            differ(&path, &member(before), &member(after), differences);
        }
    } else if kept != now {
        differences.push(format!("{path} was {kept} and is {now}"));
    }
}

/// Where in the author's files something was thrown.
#[op2]
#[serde]
fn op_svc_place<'a>(
    scope: &mut v8::PinScope<'a, '_>,
    state: &mut OpState,
    error: v8::Local<'a, v8::Value>,
) -> Option<Span> {
    let bench = state.borrow::<Bench>();
    let reporter = Reporter { graph: &bench.graph, sources: &bench.sources };
    let message = v8::Exception::create_message(scope, error);
    reporter.span(scope, message)
}

#[derive(serde::Deserialize)]
struct Failure {
    message: String,
    place: Option<Span>,
}

#[op2(fast)]
fn op_svc_begin(state: &mut OpState, #[string] file: String, #[string] name: String) {
    state.borrow_mut::<Bench>().running = (file, name);
}

#[op2]
fn op_svc_report(
    state: &mut OpState,
    #[string] file: String,
    #[string] name: String,
    #[serde] failure: Option<Failure>,
) {
    let shortened = |text: String| text.chars().take(MESSAGE_MAX_CHARS).collect();
    let failure = failure.map(|failure| TestFailure { message: shortened(failure.message), span: failure.place });
    state.borrow_mut::<Bench>().results.push(TestResult { file, name: shortened(name), failure });
}

#[op2]
#[string]
fn op_svc_file(state: &OpState) -> String {
    state.borrow::<Bench>().file.clone()
}
