//! The prompt's debugger: runs, breakpoints, steps, frames. What it says is text for the author.

use super::command::Step;
use super::product::Product;
use crate::output::{CommandError, plural};
use crate::{build, summary};
use std::sync::Arc;
use svc_engine::manifest::change_text::{Wording, human};
use svc_engine::manifest::diff::diff;
use svc_engine::manifest::{Manifest, canonical};
use svc_engine::sources::Sources;
use svc_runtime::debugger::{Ask, Breakpoint, Frame, Place, Session, State, Typed, Where, typed};
use svc_runtime::{DebugJob, Outcome};
use tokio::sync::Notify;

/// Lines shown on each side of a place where the product stops.
const AROUND_LINES: usize = 2;

/// What the prompt knows of the product's run.
pub(super) struct Debugging {
    session: Option<Session>,
    breakpoints: Vec<(usize, Breakpoint)>,
    numbers: usize,
    watches: Vec<String>,
    /// Whether it stops wherever something is thrown.
    throws: bool,
    /// The frame that is looked at, from 0 for the innermost.
    frame: usize,
    last_step: Option<Step>,
    interrupts: Arc<Notify>,
}

impl Debugging {
    pub(super) fn new(interrupts: Arc<Notify>) -> Debugging {
        Debugging {
            session: None,
            breakpoints: Vec::new(),
            numbers: 0,
            watches: Vec::new(),
            throws: false,
            frame: 0,
            last_step: None,
            interrupts,
        }
    }

    /// Whether the product is stopped in a frame.
    pub(super) fn is_paused(&self) -> bool {
        self.session.as_ref().is_some_and(|session| matches!(session.state(), State::Paused(_)))
    }

    /// The manifest of the run, where it has run to its end.
    pub(super) fn manifest(&self) -> Option<Manifest> {
        self.came_to().as_ref().and_then(manifest_of)
    }

    /// What the run has come to, where it has run to its end.
    fn came_to(&self) -> Option<Outcome> {
        match self.session.as_ref()?.state() {
            State::Staying(outcome) => Some(outcome.clone()),
            _ => None,
        }
    }

    /// Where it stands: a word for whoever reads frames.
    pub(super) fn state(&self) -> (&'static str, Option<&Place>) {
        match self.session.as_ref().map(|session| (session.state(), session.frames())) {
            None | Some((State::Waiting, _)) => ("ready", None),
            Some((State::Paused(_), frames)) => {
                ("paused", frames.get(self.frame).and_then(|frame| frame.place.as_ref()))
            }
            Some((State::Staying(_), _)) => ("ended", None),
            Some((State::Ended(_), _)) => ("over", None),
        }
    }

    /// Forgets the run: the files have changed.
    pub(super) fn forget(&mut self) {
        self.session = None;
        self.frame = 0;
    }

    /// Runs the product from its beginning.
    pub(super) async fn run(&mut self, product: &Product) -> Result<String, CommandError> {
        if !self.is_fresh() {
            self.start(product).await?;
        }
        self.frame = 0;
        if let Some(session) = &mut self.session {
            session.run().await;
        }
        Ok(self.told(product).await)
    }

    fn is_over(&self) -> bool {
        self.session.as_ref().is_some_and(|session| matches!(session.state(), State::Ended(_)))
    }

    fn is_fresh(&self) -> bool {
        self.session.as_ref().is_some_and(|session| *session.state() == State::Waiting)
    }

    /// Takes a new run to where everything is compiled, with every breakpoint set.
    async fn start(&mut self, product: &Product) -> Result<(), CommandError> {
        self.forget();
        let job = DebugJob {
            sources: product.sources.clone(),
            stays: true,
            waits: true,
            breaks: false,
            url_prefix: String::new(),
        };
        let started = Session::start(product.config(), job, Arc::clone(&self.interrupts)).await;
        let mut session = started.map_err(build::unavailable)?;
        for (_, breakpoint) in &self.breakpoints {
            session.set(breakpoint).await;
        }
        session.stop_at_throws(self.throws).await;
        self.session = Some(session);
        Ok(())
    }

    /// The run, begun where there is none to ask.
    async fn session(&mut self, product: &Product) -> Result<&mut Session, CommandError> {
        if self.session.as_ref().is_none_or(|session| matches!(session.state(), State::Ended(_))) {
            self.start(product).await?;
        }
        self.session.as_mut().ok_or_else(|| build::unavailable("there is no run"))
    }

    /// Goes on in a frame.
    pub(super) async fn step(&mut self, step: Step, product: &Product) -> String {
        let Some(session) = self.session.as_mut().filter(|session| matches!(session.state(), State::Paused(_))) else {
            return "the product is not stopped; .run runs it".to_owned();
        };
        self.last_step = Some(step);
        self.frame = 0;
        let done = session.step(step.method()).await;
        match (done, session.state()) {
            // What was typed had stopped, and is done.
            (Some(value), State::Staying(_)) => value,
            (Some(value), _) => format!("{value}\n{}", self.told(product).await),
            (None, _) => self.told(product).await,
        }
    }

    /// Enter alone: the last step again.
    pub(super) async fn again(&mut self, product: &Product) -> String {
        match self.last_step.filter(|_| self.is_paused()) {
            Some(step) => self.step(step, product).await,
            None => String::new(),
        }
    }

    pub(super) async fn set(&mut self, breakpoint: Breakpoint, product: &Product) -> Result<String, CommandError> {
        let session = self.session(product).await?;
        // A product that can't even be linked has no place to stop at.
        if let State::Ended(_) = session.state() {
            return Ok(self.told(product).await);
        }
        let landed = session.set(&breakpoint).await;
        if landed.places.is_empty() {
            return Ok(match &breakpoint.at {
                Where::Line { file, line, .. } => match known_file(file, &product.sources) {
                    Some(file) if !session.runs(file) => {
                        format!("{file} is not part of the product: nothing imports it")
                    }
                    Some(file) => format!("{file} has nothing to stop at from line {line} on"),
                    None => format!("the product has no file {file}"),
                },
                Where::Decorator(kind) => format!("the product has no @{kind}"),
            });
        }
        self.numbers = self.numbers.saturating_add(1);
        let places: Vec<String> = landed.places.iter().map(ToString::to_string).collect();
        let told = format!("breakpoint {}: {}{}", self.numbers, places.join(", "), condition(&breakpoint));
        self.breakpoints.push((self.numbers, breakpoint));
        Ok(told)
    }

    pub(super) fn breakpoints(&self) -> String {
        if self.breakpoints.is_empty() {
            return "no breakpoint is set".to_owned();
        }
        let line = |(number, breakpoint): &(usize, Breakpoint)| {
            let at = match &breakpoint.at {
                Where::Line { file, line, column: 1 } => format!("{file}:{line}"),
                Where::Line { file, line, column } => format!("{file}:{line}:{column}"),
                Where::Decorator(kind) => format!("@{kind}"),
            };
            format!("{number}: {at}{}", condition(breakpoint))
        };
        self.breakpoints.iter().map(line).collect::<Vec<_>>().join("\n")
    }

    pub(super) async fn clear(&mut self, number: Option<usize>) -> String {
        let is_meant = |(known, _): &(usize, Breakpoint)| number.is_none_or(|number| *known == number);
        let (gone, kept): (Vec<_>, Vec<_>) = std::mem::take(&mut self.breakpoints).into_iter().partition(is_meant);
        self.breakpoints = kept;
        if let Some(session) = &mut self.session {
            for (_, breakpoint) in &gone {
                session.remove(breakpoint).await;
            }
            for (_, breakpoint) in self.breakpoints.iter().filter(|_| !gone.is_empty()) {
                session.set(breakpoint).await;
            }
        }
        match (gone.len(), number) {
            (0, Some(number)) => format!("there is no breakpoint {number}"),
            (gone, _) => format!("{} cleared", plural(gone, "breakpoint")),
        }
    }

    pub(super) async fn stop_at_throws(&mut self, all: bool) -> String {
        self.throws = all;
        if let Some(session) = &mut self.session {
            session.stop_at_throws(all).await;
        }
        (if all { "it stops wherever something is thrown" } else { "it stops at breakpoints alone" }).to_owned()
    }

    pub(super) fn backtrace(&self) -> String {
        let Some(session) = self.session.as_ref().filter(|_| self.is_paused()) else { return NOT_STOPPED.to_owned() };
        let shown = session.frames().iter().enumerate().filter(|(_, frame)| frame.place.is_some());
        let line = |(index, frame): (usize, &Frame)| {
            let mark = if index == self.frame { "->" } else { "  " };
            let place = frame.place.as_ref().map(ToString::to_string).unwrap_or_default();
            format!("{mark} {index} {}  {place}", function(frame))
        };
        shown.map(line).collect::<Vec<_>>().join("\n")
    }

    pub(super) fn list(&self, around: usize, sources: &Sources) -> String {
        let place = self.place();
        place.map_or_else(|| NOT_STOPPED.to_owned(), |place| excerpt_at(place, sources, around))
    }

    fn place(&self) -> Option<&Place> {
        self.session.as_ref()?.frames().get(self.frame)?.place.as_ref()
    }

    /// Looks at another frame; those inside the package are passed over.
    pub(super) fn go_to_frame(&mut self, by: i64, sources: &Sources) -> String {
        let Some(session) = self.session.as_ref().filter(|_| self.is_paused()) else { return NOT_STOPPED.to_owned() };
        let has_place = |index: &usize| session.frames().get(*index).is_some_and(|frame| frame.place.is_some());
        let found = if by > 0 {
            (self.frame.saturating_add(1)..session.frames().len()).find(has_place)
        } else {
            (0..self.frame).rev().find(has_place)
        };
        match (found, by > 0) {
            (Some(found), _) => self.frame = found,
            (None, true) => return "this is the outermost frame".to_owned(),
            (None, false) => return "this is the innermost frame".to_owned(),
        }
        let head = session.frames().get(self.frame).map(function).unwrap_or_default();
        let place = self.place().map(ToString::to_string).unwrap_or_default();
        format!("in {head}, {place}\n{}", self.list(AROUND_LINES, sources))
    }

    pub(super) async fn locals(&mut self) -> String {
        let frame = self.frame;
        if !self.is_paused() {
            return NOT_STOPPED.to_owned();
        }
        let Some(session) = &mut self.session else { return NOT_STOPPED.to_owned() };
        let mut lines = Vec::new();
        for (kind, names) in session.locals(frame).await {
            lines.push(format!("{kind}:"));
            lines.extend(names.iter().map(|named| format!("  {} = {}", named.name, named.value)));
        }
        lines.join("\n")
    }

    pub(super) async fn watch(&mut self, expression: String) -> String {
        self.watches.push(expression);
        self.watched().await
    }

    pub(super) fn unwatch(&mut self, number: usize) -> String {
        match number.checked_sub(1).filter(|index| *index < self.watches.len()) {
            Some(index) => format!("{} is not watched any more", self.watches.remove(index)),
            None => format!("there is no watch {number}"),
        }
    }

    /// The watches with their values, where the product is stopped.
    pub(super) async fn watched(&mut self) -> String {
        let mut lines = Vec::new();
        let (frame, is_paused) = (self.frame, self.is_paused());
        for (index, expression) in self.watches.clone().into_iter().enumerate() {
            let number = index.saturating_add(1);
            let value = match (&mut self.session, is_paused) {
                (Some(session), true) => match session.look_at(&expression, frame).await {
                    Ask::Value(value) => format!(" = {value}"),
                    Ask::Threw(why) => format!(": {why}"),
                    Ask::AtItsLimit => format!(": {AT_ITS_LIMIT}"),
                    Ask::Stopped | Ask::NeverSettles | Ask::Ended => String::new(),
                },
                _ => String::new(),
            };
            lines.push(format!("watch {number}: {expression}{value}"));
        }
        lines.join("\n")
    }

    /// Evaluates what was typed, and says what it changed in the manifest.
    pub(super) async fn evaluate(&mut self, text: &str, product: &Product) -> Result<String, CommandError> {
        let code = match typed(text) {
            Typed::Code(code) => code,
            Typed::Unfinished => return Ok("the line ends too early".to_owned()),
            Typed::Wrong(why) => return Ok(why),
        };
        let mut lines = Vec::new();
        // What is typed first runs the product, so that there is something to look around in.
        self.session(product).await?;
        if self.is_fresh() {
            lines.push(self.run(product).await?);
            if self.is_over() {
                return Ok(lines.join("\n"));
            }
        }
        let before = self.came_to();
        let frame = self.frame;
        let Some(session) = &mut self.session else { return Ok(lines.join("\n")) };
        match session.evaluate(&code, frame).await {
            Ask::Value(value) => lines.push(value),
            Ask::Threw(what) => lines.push(format!("it threw {what}")),
            Ask::AtItsLimit => lines.push(AT_ITS_LIMIT.to_owned()),
            Ask::NeverSettles => lines.push("it waits for a promise that never settles".to_owned()),
            Ask::Stopped => lines.push(self.told(product).await),
            Ask::Ended => {}
        }
        if self.is_over() {
            lines.push(self.told(product).await);
        }
        if let (Some(before), Some(after)) = (before, self.came_to())
            && before != after
        {
            lines.push(match (manifest_of(&before), manifest_of(&after)) {
                (Some(before), Some(after)) => changed("the manifest changes:", Some(&before), &after),
                _ => format!("the product comes to something else: {}", told_outcome(&after, product)),
            });
        }
        Ok(lines.join("\n"))
    }

    pub(super) async fn kind(&mut self, text: &str, product: &Product) -> Result<String, CommandError> {
        self.evaluate(&format!("(($svc$it) => $svc$it === null ? \"null\" : Array.isArray($svc$it) ? \"array\" : typeof $svc$it)({text})"), product)
            .await
    }

    /// The names that can be typed here.
    pub(super) async fn names(&mut self) -> Vec<String> {
        let frame = self.frame;
        match &mut self.session {
            Some(session) if matches!(session.state(), State::Paused(_) | State::Staying(_)) => {
                session.names(frame).await
            }
            _ => Vec::new(),
        }
    }

    /// What the run stands at.
    async fn told(&mut self, product: &Product) -> String {
        let Some(session) = &self.session else { return String::new() };
        match session.state() {
            State::Waiting => "the product is ready; .run runs it".to_owned(),
            State::Paused(_) => {
                let first = session.frames().iter().position(|frame| frame.place.is_some()).unwrap_or(0);
                self.frame = first;
                let mut lines = vec![stopped(session, first)];
                lines.extend(self.place().map(|place| excerpt_at(place, &product.sources, AROUND_LINES)));
                let watched = self.watched().await;
                lines.extend((!watched.is_empty()).then_some(watched));
                lines.join("\n")
            }
            State::Staying(outcome) => {
                let outcome = outcome.clone();
                let told = format!("the product has run to its end: {}", told_outcome(&outcome, product));
                match (manifest_of(&outcome), &product.manifest) {
                    (Some(after), Some(before)) if after != *before => {
                        format!("{told}\n{}", changed("it differs from what the files say:", Some(before), &after))
                    }
                    _ => told,
                }
            }
            State::Ended(outcome) => {
                let outcome = outcome.clone();
                format!("the run is over: {}", told_outcome(&outcome, product))
            }
        }
    }
}

/// What a run came to. Without colours: all that is said is made safe to show, escapes of any kind too.
pub(super) fn told_outcome(outcome: &Outcome, product: &Product) -> String {
    match outcome {
        Outcome::Built { ir, .. } => {
            let counts = manifest_of(outcome).map(|manifest| summary::counts(&manifest)).unwrap_or_default();
            format!("{counts}\n{}", canonical::hash_bytes(ir.as_bytes()))
        }
        Outcome::Rejected(diagnostics) => {
            let shown = build::rendered(diagnostics, &product.sources, false);
            format!("{}\n{}", build::count(diagnostics), shown.trim_end())
        }
        Outcome::Failed(failure) => {
            let limits = product.config().worker.limits;
            format!("{failure}: {}", failure.message(&limits))
        }
        Outcome::Collected(_) | Outcome::Located(_) | Outcome::Tested(_) => String::new(),
    }
}

const AT_ITS_LIMIT: &str = "the run has reached a limit: it ends as soon as it goes on; .run begins another";
const NOT_STOPPED: &str = "the product is not stopped";

fn manifest_of(outcome: &Outcome) -> Option<Manifest> {
    match outcome {
        Outcome::Built { ir, .. } => serde_json::from_str(ir).ok(),
        _ => None,
    }
}

/// What changed, in the author's words.
pub(super) fn changed(head: &str, before: Option<&Manifest>, after: &Manifest) -> String {
    let changes = diff(before, Some(after));
    format!("{head}\n{}", human(&changes, Wording::Author { before, after: Some(after) }))
}

fn condition(breakpoint: &Breakpoint) -> String {
    breakpoint.condition.as_ref().map(|condition| format!(" if {condition}")).unwrap_or_default()
}

fn known_file<'s>(called: &str, sources: &'s Sources) -> Option<&'s str> {
    let called = called.trim_start_matches("./");
    let is_it = |file: &&str| *file == called || file.strip_suffix(called).is_some_and(|front| front.ends_with('/'));
    sources.keys().map(String::as_str).find(is_it)
}

fn function(frame: &Frame) -> String {
    match (frame.is_top_level, frame.function.is_empty()) {
        (true, _) => "the top level".to_owned(),
        (false, true) => "a function without a name".to_owned(),
        (false, false) => frame.function.clone(),
    }
}

fn stopped(session: &Session, frame: usize) -> String {
    let place = session.frames().get(frame);
    let Some(at) = place.and_then(|frame| frame.place.as_ref()) else { return "stopped in what was typed".to_owned() };
    let within = place.map(function).unwrap_or_default();
    match (session.state(), session.thrown()) {
        (State::Paused(reason), Some(thrown)) if reason != "other" => {
            format!("stopped at {at}, in {within}: it threw {thrown}")
        }
        _ => format!("stopped at {at}, in {within}"),
    }
}

/// The lines around a place, with a mark at its own.
pub(super) fn excerpt_at(place: &Place, sources: &Sources, around: usize) -> String {
    let text = sources.get(&place.file).map(String::as_str).unwrap_or_default();
    let line = usize::try_from(place.position.line).unwrap_or(usize::MAX);
    let (first, last) = (line.saturating_sub(around).max(1), line.saturating_add(around));
    let width = last.to_string().len();
    let numbered = text.lines().enumerate().map(|(index, text)| (index.saturating_add(1), text));
    let shown = numbered.skip_while(|(number, _)| *number < first).take_while(|(number, _)| *number <= last);
    let marked = shown.map(|(number, text)| {
        let mark = if number == line { "->" } else { "  " };
        format!("{mark} {number:>width$} | {text}").trim_end().to_owned()
    });
    marked.collect::<Vec<_>>().join("\n")
}
