//! One run of a product under the debugger, in the author's own places: breakpoints, steps, frames and values. What V8 knows by script and
//! printed place is by file and written place here.

use super::debuggee::{Debuggee, Event};
use super::positions::{Place, Positions};
use super::value::shown;
use crate::job::{DebugJob, DecoratorSite, Limits, Outcome};
use crate::pool::PoolConfig;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use svc_engine::source::Position;
use tokio::sync::Notify;

/// What V8 says of an evaluation that a limit ended.
const TERMINATED: &str = "Execution was terminated";
/// What is stepped over: the package, and what lowered decorators call.
const PACKAGE_PATTERN: &str = "@svc/";
/// Most files of a run: more than a build has.
const SCRIPTS_MAX: usize = 1_000;
/// Most calls of the stack that are looked at, innermost first.
const FRAMES_MAX: usize = 100;
/// Most names that are shown of one scope.
const NAMES_SHOWN_MAX: usize = 100;

/// Where a breakpoint is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Where {
    /// From a line of a file on.
    Line {
        /// The file's path, or its end: `prices.ts`.
        file: String,
        /// The line, from 1.
        line: u32,
        /// The column, from 1; the line's beginning, as a rule.
        column: u32,
    },
    /// Every decorator of a kind, such as `Plan`.
    Decorator(String),
}

/// A breakpoint as it was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breakpoint {
    /// Where.
    pub at: Where,
    /// The condition: an expression, evaluated in the frame.
    pub condition: Option<String>,
}

/// Where a breakpoint landed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Landed {
    /// The places that the product stops at.
    pub places: Vec<Place>,
}

/// What the session is in.
#[derive(Clone, Debug, PartialEq)]
pub enum State {
    /// Everything is compiled, nothing has run.
    Waiting,
    /// Stopped, and why in the protocol's word: `other` at a breakpoint or after a step, `exception` where something is thrown.
    Paused(String),
    /// The product has run to its end, has come to this, and is there to be looked at.
    Staying(Outcome),
    /// The run is over.
    Ended(Outcome),
}

/// One call of the stack, innermost first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The function's name; empty where it has none.
    pub function: String,
    /// Whether it is a file's top level.
    pub is_top_level: bool,
    /// Where it stands; nothing inside the package.
    pub place: Option<Place>,
    id: String,
    scopes: Vec<(String, String)>,
}

/// A name and its value, shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The name.
    pub name: String,
    /// The value in one line.
    pub value: String,
}

/// What became of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    /// Its value, in one line.
    Value(String),
    /// What it threw, in one line.
    Threw(String),
    /// It stopped on its way, at a breakpoint.
    Stopped,
    /// It waits for a promise that never settles.
    NeverSettles,
    /// The run has reached a limit, by this or by what was asked before; it ends as soon as it goes on.
    AtItsLimit,
    /// The run is over.
    Ended,
}

struct Script {
    id: String,
    positions: Positions,
    /// Where the file can be stopped at: written, and printed; by the written ones.
    stops: Option<Vec<(Position, (u32, u32))>>,
}

/// A run under the debugger.
pub struct Session {
    debuggee: Debuggee,
    state: State,
    scripts: BTreeMap<String, Script>,
    sites: Vec<DecoratorSite>,
    /// The breakpoints of this run, and V8's ids of them.
    set: Vec<(Breakpoint, String)>,
    frames: Vec<Frame>,
    /// What was thrown where it stopped, or what else V8 says of it.
    thrown: Option<String>,
    calls: u64,
    /// The evaluation that stopped on its way.
    open: Option<u64>,
    /// Whether a limit was reached while it is stopped.
    is_at_its_limit: bool,
    interrupts: Arc<Notify>,
}

/// What a wait ended with.
enum Happened {
    Answer(Json),
    Stopped,
    Looked,
    Ended,
}

impl Session {
    /// Starts a product under the debugger and takes it to where everything is compiled, or to its end where it can't be. Each notice of
    /// `interrupts` pauses it while it runs.
    ///
    /// # Errors
    /// Where no worker can be started.
    pub async fn start(config: &PoolConfig, job: DebugJob, interrupts: Arc<Notify>) -> io::Result<Session> {
        let job = DebugJob { waits: true, breaks: false, url_prefix: String::new(), ..job };
        let debuggee = Debuggee::start(config, job).await?;
        let mut session = Session {
            debuggee,
            state: State::Waiting,
            scripts: BTreeMap::new(),
            sites: Vec::new(),
            set: Vec::new(),
            frames: Vec::new(),
            thrown: None,
            calls: 0,
            open: None,
            is_at_its_limit: false,
            interrupts,
        };
        if let Happened::Stopped = session.wait(None).await {
            session.state = State::Waiting;
            session.call("Runtime.enable", json!({})).await;
            session.call("Debugger.enable", json!({})).await;
            session.call("Debugger.setBlackboxPatterns", json!({ "patterns": [PACKAGE_PATTERN] })).await;
            session.call("Debugger.setPauseOnExceptions", json!({ "state": "uncaught" })).await;
        }
        Ok(session)
    }

    /// What it is in.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Whether a file is part of what runs: something imports it.
    pub fn runs(&self, file: &str) -> bool {
        self.scripts.contains_key(file)
    }

    /// What the run may use.
    pub fn limits(&self) -> &Limits {
        self.debuggee.limits()
    }

    /// The calls where it is stopped, innermost first.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// What was thrown, where it stopped for that.
    pub fn thrown(&self) -> Option<&str> {
        self.thrown.as_deref()
    }

    /// Sets a breakpoint in this run; where it landed. Nowhere, where the product has no such place.
    pub async fn set(&mut self, breakpoint: &Breakpoint) -> Landed {
        let mut places = Vec::new();
        for (file, from, to) in self.wanted(&breakpoint.at) {
            let Some((position, printed)) = self.stop_at(&file, from, to).await else { continue };
            let Some(script) = self.scripts.get(&file) else { continue };
            let (line, column) = printed;
            let mut params =
                json!({ "location": { "scriptId": script.id, "lineNumber": line, "columnNumber": column } });
            if let (Some(condition), Json::Object(params)) = (&breakpoint.condition, &mut params) {
                params.insert("condition".to_owned(), json!(condition));
            }
            let set = self.call("Debugger.setBreakpoint", params).await;
            let id = set.as_ref().and_then(|set| set.pointer("/result/breakpointId")).and_then(Json::as_str);
            self.set.extend(id.map(|id| (breakpoint.clone(), id.to_owned())));
            // One that is there already stops there, too.
            let is_there = id.is_some() || set.as_ref().is_some_and(is_known);
            let place = Place { file, position };
            if is_there && !places.contains(&place) {
                places.push(place);
            }
        }
        Landed { places }
    }

    /// The stretches that a breakpoint is wanted in.
    fn wanted(&self, at: &Where) -> Vec<(String, Position, Option<Position>)> {
        match at {
            Where::Line { file, line, column } => {
                let found = self.scripts.keys().find(|known| is_named(known, file));
                found.map(|file| (file.clone(), Position { line: *line, column: *column }, None)).into_iter().collect()
            }
            Where::Decorator(kind) => {
                let fits = self.sites.iter().filter(|site| site.names.iter().any(|name| name == kind));
                fits.map(|site| (site.span.file.to_string(), site.span.start, Some(site.span.end))).collect()
            }
        }
    }

    /// The first place of a file that can be stopped at, from a written place on: the least upper bound, so that a breakpoint never moves
    /// out of the function that it is asked for in.
    async fn stop_at(&mut self, file: &str, from: Position, to: Option<Position>) -> Option<(Position, (u32, u32))> {
        if self.scripts.get(file)?.stops.is_none() {
            let start = json!({ "scriptId": self.scripts.get(file)?.id, "lineNumber": 0, "columnNumber": 0 });
            let answer = self.call("Debugger.getPossibleBreakpoints", json!({ "start": start })).await?;
            let locations = answer.pointer("/result/locations").and_then(Json::as_array).cloned().unwrap_or_default();
            let script = self.scripts.get_mut(file)?;
            let mut stops: Vec<_> = (locations.iter().map(printed_of))
                .filter_map(|printed| Some((script.positions.written(printed)?, printed)))
                .collect();
            stops.sort_unstable();
            script.stops = Some(stops);
        }
        let stops = self.scripts.get(file)?.stops.as_ref()?;
        let first = stops.get(stops.partition_point(|(written, _)| *written < from))?;
        to.is_none_or(|to| first.0 < to).then_some(*first)
    }

    /// Chooses whether it stops wherever something is thrown. V8 counts what a product throws at its top level as caught, by whoever runs
    /// the module; so it is all or nothing.
    pub async fn stop_at_throws(&mut self, all: bool) {
        let state = if all { "all" } else { "uncaught" };
        self.call("Debugger.setPauseOnExceptions", json!({ "state": state })).await;
    }

    /// Takes a breakpoint back. Others at the same places go with it, and are to be set again.
    pub async fn remove(&mut self, breakpoint: &Breakpoint) {
        let (gone, kept): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.set).into_iter().partition(|(set, _)| set == breakpoint);
        self.set = kept;
        for (_, id) in gone {
            self.call("Debugger.removeBreakpoint", json!({ "breakpointId": id })).await;
        }
    }

    /// Lets the product begin, and waits until it stops or ends.
    pub async fn run(&mut self) -> Option<String> {
        self.go("Runtime.runIfWaitingForDebugger").await
    }

    /// Goes on (`resume`, `stepOver`, `stepInto`, `stepOut`), and waits until it stops or ends. Gives the value of an expression that had
    /// stopped on its way, where that is done now.
    pub async fn step(&mut self, how: &str) -> Option<String> {
        self.go(&format!("Debugger.{how}")).await
    }

    async fn go(&mut self, method: &str) -> Option<String> {
        self.frames.clear();
        self.thrown = None;
        let message = self.message(method, &json!({}));
        if self.debuggee.dispatch(message).await.is_err() {
            self.wait(None).await;
            return None;
        }
        let mut done = None;
        while let Happened::Answer(answer) = self.wait(self.open).await {
            self.open = None;
            done = Some(told(&answer));
        }
        done.map(|ask| match ask {
            Ask::Value(value) => value,
            Ask::Threw(what) => format!("it threw {what}"),
            Ask::Stopped | Ask::NeverSettles | Ask::AtItsLimit | Ask::Ended => String::new(),
        })
    }

    /// Evaluates an expression in a frame, or where nothing is stopped in the top level of the entry. Code that is made from text is
    /// refused as in a build.
    pub async fn evaluate(&mut self, expression: &str, frame: usize) -> Ask {
        if self.is_at_its_limit {
            return Ask::AtItsLimit;
        }
        let mut params = json!({
            "expression": expression, "generatePreview": true, "silent": true, "objectGroup": "typed",
            "includeCommandLineAPI": false,
        });
        let method = match (&self.state, self.frames.get(frame)) {
            (State::Paused(_), Some(frame)) => {
                set(&mut params, "callFrameId", json!(frame.id));
                "Debugger.evaluateOnCallFrame"
            }
            (State::Staying(_), _) => {
                set(&mut params, "replMode", json!(true));
                set(&mut params, "awaitPromise", json!(true));
                "Runtime.evaluate"
            }
            _ => return Ask::Ended,
        };
        let call = self.calls.saturating_add(1);
        let message = self.message(method, &params);
        if self.debuggee.dispatch(message).await.is_err() {
            self.wait(None).await;
            return Ask::Ended;
        }
        match self.wait(Some(call)).await {
            Happened::Answer(answer) => {
                self.settle().await;
                self.asked(&answer)
            }
            Happened::Stopped => {
                self.open = Some(call);
                Ask::Stopped
            }
            Happened::Looked => Ask::NeverSettles,
            Happened::Ended => Ask::Ended,
        }
    }

    /// Evaluates an expression for a watch: one that would change anything is not run to its end.
    pub async fn look_at(&mut self, expression: &str, frame: usize) -> Ask {
        let Some(frame) = self.frames.get(frame) else { return Ask::Ended };
        let params = json!({
            "callFrameId": frame.id, "expression": expression, "generatePreview": true, "silent": true,
            "throwOnSideEffect": true,
        });
        if self.is_at_its_limit {
            return Ask::AtItsLimit;
        }
        match self.call("Debugger.evaluateOnCallFrame", params).await {
            Some(answer) => self.asked(&answer),
            None => Ask::Ended,
        }
    }

    /// What an evaluation's answer says.
    fn asked(&mut self, answer: &Json) -> Ask {
        match told(answer) {
            Ask::Threw(what) if what == TERMINATED && matches!(self.state, State::Paused(_)) => {
                self.is_at_its_limit = true;
                Ask::AtItsLimit
            }
            ask => ask,
        }
    }

    /// The names of a frame's scopes, from the innermost out; globals are left out.
    pub async fn locals(&mut self, frame: usize) -> Vec<(String, Vec<Named>)> {
        let scopes = self.frames.get(frame).map(|frame| frame.scopes.clone()).unwrap_or_default();
        let mut all = Vec::new();
        for (kind, object) in scopes {
            let names = self.properties(&object).await;
            if !names.is_empty() {
                all.push((kind, names));
            }
        }
        all
    }

    async fn properties(&mut self, object: &str) -> Vec<Named> {
        let params = json!({ "objectId": object, "ownProperties": true, "generatePreview": true });
        let answer = self.call("Runtime.getProperties", params).await.unwrap_or_default();
        let list = answer.pointer("/result/result").and_then(Json::as_array).cloned().unwrap_or_default();
        let named = list.iter().filter_map(|property| {
            let name = property.get("name")?.as_str()?;
            // Lowering's own.
            let is_own = !name.starts_with("_decorate") && !name.starts_with("$svc$");
            let value = property.get("value").map_or_else(|| "(…)".to_owned(), shown);
            is_own.then(|| Named { name: name.to_owned(), value })
        });
        named.take(NAMES_SHOWN_MAX).collect()
    }

    /// The names that can be typed, for completion: those of the frame's scopes, or of the entry's top level.
    pub async fn names(&mut self, frame: usize) -> Vec<String> {
        if let State::Staying(_) = self.state {
            let answer = self.call("Runtime.globalLexicalScopeNames", json!({})).await.unwrap_or_default();
            let names = answer.pointer("/result/names").and_then(Json::as_array).cloned().unwrap_or_default();
            return names.iter().filter_map(Json::as_str).map(str::to_owned).collect();
        }
        self.locals(frame).await.into_iter().flat_map(|(_, names)| names).map(|named| named.name).collect()
    }

    fn message(&mut self, method: &str, params: &Json) -> String {
        self.calls = self.calls.saturating_add(1);
        json!({ "id": self.calls, "method": method, "params": params }).to_string()
    }

    /// A call that is answered at once; nothing where the run is over instead.
    async fn call(&mut self, method: &str, params: Json) -> Option<Json> {
        let message = self.message(method, &params);
        let call = self.calls;
        if self.debuggee.dispatch(message).await.is_err() {
            self.wait(None).await;
            return None;
        }
        match self.wait(Some(call)).await {
            Happened::Answer(answer) => {
                self.settle().await;
                Some(answer)
            }
            Happened::Stopped | Happened::Looked | Happened::Ended => None,
        }
    }

    /// Takes what a product that stays says behind each answer.
    async fn settle(&mut self) {
        while matches!(self.state, State::Staying(_)) && !self.debuggee.has_answered() {
            if let Happened::Ended | Happened::Stopped = self.wait(None).await {
                return;
            }
        }
    }

    async fn wait(&mut self, call: Option<u64>) -> Happened {
        // What it has come to stays, whatever else the worker's end looks like.
        if let State::Ended(_) = self.state {
            return Happened::Ended;
        }
        let interrupts = Arc::clone(&self.interrupts);
        let interrupt = interrupts.notified();
        tokio::pin!(interrupt);
        loop {
            // From here on a notice counts, also while an event is looked at.
            interrupt.as_mut().enable();
            let event = tokio::select! {
                event = self.debuggee.next() => event,
                () = &mut interrupt => {
                    interrupt.set(interrupts.notified());
                    let pause = self.message("Debugger.pause", &json!({}));
                    let _it_may_be_gone = self.debuggee.dispatch(pause).await;
                    continue;
                }
            };
            match event {
                Event::Decorators(sites) => self.sites = sites,
                Event::Running => {}
                Event::Stopped => return Happened::Stopped,
                Event::Cdp(text) => {
                    let message: Json = serde_json::from_str(&text).unwrap_or_default();
                    let id = message.get("id").and_then(Json::as_u64);
                    if id.is_some() && id == call {
                        return Happened::Answer(message);
                    }
                    self.note(&message);
                }
                Event::Looked(outcome) => {
                    self.state = State::Staying(outcome);
                    if self.debuggee.has_answered() {
                        return Happened::Looked;
                    }
                }
                Event::Ended(outcome) => {
                    self.frames.clear();
                    self.state = State::Ended(outcome);
                    return Happened::Ended;
                }
            }
        }
    }

    fn note(&mut self, message: &Json) {
        let params = message.get("params").cloned().unwrap_or_default();
        match message.get("method").and_then(Json::as_str) {
            Some("Debugger.scriptParsed") => self.note_script(&params),
            Some("Debugger.paused") => {
                let reason = params.get("reason").and_then(Json::as_str).unwrap_or("other");
                self.thrown = params.get("data").filter(|_| reason != "other").map(shown);
                let frames = params.get("callFrames").and_then(Json::as_array).cloned().unwrap_or_default();
                self.frames = frames.iter().take(FRAMES_MAX).map(|frame| self.frame(frame)).collect();
                self.state = State::Paused(reason.to_owned());
            }
            Some("Debugger.resumed") => self.frames.clear(),
            _ => {}
        }
    }

    fn note_script(&mut self, params: &Json) {
        let text = |name: &str| params.get(name).and_then(Json::as_str).unwrap_or_default().to_owned();
        let has_room = self.scripts.len() < SCRIPTS_MAX;
        if let Some(positions) = Positions::read(&text("sourceMapURL")).filter(|_| has_room) {
            self.scripts.insert(text("url"), Script { id: text("scriptId"), positions, stops: None });
        }
    }

    fn frame(&self, frame: &Json) -> Frame {
        let text = |name: &str| frame.get(name).and_then(Json::as_str).unwrap_or_default().to_owned();
        let location = frame.get("location").cloned().unwrap_or_default();
        let script = location.get("scriptId").and_then(Json::as_str).unwrap_or_default();
        let place = self.scripts.iter().find(|(_, known)| known.id == script).and_then(|(file, script)| {
            Some(Place { file: file.clone(), position: script.positions.written(printed_of(&location))? })
        });
        let scopes = frame.get("scopeChain").and_then(Json::as_array).cloned().unwrap_or_default();
        let is_function = |scope: &Json| scope.get("type").and_then(Json::as_str) == Some("local");
        let is_top_level = !scopes.iter().any(is_function);
        let scopes = scopes.iter().filter_map(|scope| {
            let kind = scope.get("type")?.as_str().filter(|kind| !matches!(*kind, "global" | "script"))?;
            Some((kind.to_owned(), scope.pointer("/object/objectId")?.as_str()?.to_owned()))
        });
        Frame { function: text("functionName"), is_top_level, place, id: text("callFrameId"), scopes: scopes.collect() }
    }
}

fn set(params: &mut Json, name: &str, value: Json) {
    if let Json::Object(params) = params {
        params.insert(name.to_owned(), value);
    }
}

/// Whether a file is what somebody calls so: its path, or an end of it.
fn is_named(file: &str, called: &str) -> bool {
    let called = called.trim_start_matches("./");
    file == called || file.strip_suffix(called).is_some_and(|front| front.ends_with('/'))
}

fn is_known(answer: &Json) -> bool {
    let message = answer.pointer("/error/message").and_then(Json::as_str).unwrap_or_default();
    message.contains("already exists")
}

fn printed_of(location: &Json) -> (u32, u32) {
    let number = |name: &str| location.get(name).and_then(Json::as_u64).and_then(|number| u32::try_from(number).ok());
    (number("lineNumber").unwrap_or(0), number("columnNumber").unwrap_or(0))
}

/// What an evaluation's answer says.
fn told(answer: &Json) -> Ask {
    if let Some(error) = answer.pointer("/error/message").and_then(Json::as_str) {
        return Ask::Threw(error.to_owned());
    }
    if let Some(details) = answer.pointer("/result/exceptionDetails") {
        let thrown = details.get("exception").map_or_else(String::new, shown);
        let text = details.get("text").and_then(Json::as_str).unwrap_or("it failed");
        return Ask::Threw(if thrown.is_empty() { text.to_owned() } else { thrown });
    }
    Ask::Value(answer.pointer("/result/result").map_or_else(|| "undefined".to_owned(), shown))
}
