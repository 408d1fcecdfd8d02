//! A guest under a debugger: what differs from a build's, and the guest that is kept when the product has run to its end.

use super::{Graph, Isolate, Stop, Watchdog, bounded, classes, evaluate, lower_all, read_export, without_mark};
use crate::frame::Reply;
use crate::inspector::inbox::{Inbox, Message};
use crate::inspector::{Inspector, say};
use crate::job::{BuildFailure, DebugJob, DecoratorSite, Outcome, Stage};
use crate::lower::Lowered;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use std::borrow::Cow;
use std::sync::Arc;
use svc_engine::source::ClassSite;
use svc_engine::sources::ENTRY;

/// The export through which the entry shows what its top level binds, in a debugging worker alone.
const SCOPE_EXPORT: &str = "@svc/scope";

/// What a debugger sees and does of a guest's run.
pub(super) trait Watched {
    /// The code that a file runs as.
    fn code<'c>(&self, file: &str, lowered: &'c Lowered) -> Cow<'c, str>;
    /// The address of a file's source map.
    fn source_map(&self, file: &str, lowered: &Lowered) -> Option<String>;
    /// Everything is linked, and nothing has run.
    fn before_start(&self);
}

/// A build: nobody watches.
pub(super) struct Plain;

impl Watched for Plain {
    fn code<'c>(&self, _file: &str, lowered: &'c Lowered) -> Cow<'c, str> {
        Cow::Borrowed(&lowered.code)
    }

    fn source_map(&self, _file: &str, _lowered: &Lowered) -> Option<String> {
        None
    }

    fn before_start(&self) {}
}

/// A guest under a debugger.
struct Debugged<'d> {
    inspector: &'d Inspector,
    job: &'d DebugJob,
}

impl Watched for Debugged<'_> {
    fn code<'c>(&self, file: &str, lowered: &'c Lowered) -> Cow<'c, str> {
        if self.job.stays && file == ENTRY { Cow::Owned(with_scope(lowered)) } else { Cow::Borrowed(&lowered.code) }
    }

    fn source_map(&self, file: &str, lowered: &Lowered) -> Option<String> {
        let text = self.job.sources.get(file).map(|text| without_mark(text)).unwrap_or_default();
        let url = format!("{}{file}", self.job.url_prefix);
        let map = lowered.source_map(&url, text);
        Some(format!("data:application/json;base64,{}", BASE64_STANDARD.encode(map)))
    }

    fn before_start(&self) {
        if self.job.waits {
            self.inspector.wait_for_debugger();
        }
        if self.job.breaks {
            self.inspector.pause_at_first_statement();
        }
    }
}

/// The entry's code, with one more export: an object that reads and assigns the names of its top level.
fn with_scope(lowered: &Lowered) -> String {
    let mut code = lowered.code.clone();
    // An export of the name and not of its value of then, so that another product can be assigned.
    if let Some((name, _)) =
        lowered.bound.iter().find(|(name, _)| code.ends_with(&format!("\nexport default {name};\n")))
    {
        let end = format!("export default {name};\n").len();
        code.truncate(code.len().saturating_sub(end));
        code.push_str(&format!("export {{ {name} as default }};\n"));
    }
    code.push_str("const $svc$scope = { __proto__: null");
    for (name, can_assign) in &lowered.bound {
        code.push_str(&format!(", get {name}() {{ return {name}; }}"));
        if *can_assign {
            code.push_str(&format!(", set {name}($svc$value) {{ {name} = $svc$value; }}"));
        }
    }
    code.push_str(&format!(" }};\nexport {{ $svc$scope as \"{SCOPE_EXPORT}\" }};\n"));
    code
}

impl Isolate {
    /// Starts what a debugger needs before the sandbox closes: the thread that reads the socket.
    pub(crate) fn open_inbox(
        &mut self,
    ) -> std::io::Result<(Arc<Inbox>, std::sync::mpsc::Receiver<crate::frame::Request>)> {
        Inbox::start(self.isolate.thread_safe_handle())
    }

    /// Runs a product under a debugger. Where it is to stay, what it came to is said when it has run to its end, and again whenever it is
    /// asked for, until the debugger is done. The isolate is spent afterwards, and never taken down: the inspector looks at it. The limits
    /// are a build's, but for the wall clock, which the parent stops while nothing runs.
    pub(crate) fn debug(&mut self, watchdog: &Watchdog, job: &DebugJob, inbox: Arc<Inbox>) -> Outcome {
        watchdog.watch(self.limits.cpu_ms);
        let graph = match self.stacks.reader(|| lower_all(&job.sources, &self.limits)) {
            Ok(graph) => graph,
            Err(problems) => return Outcome::Rejected(bounded(problems)),
        };
        say(&Reply::Decorators(decorators(&classes(&graph, &job.sources))));
        let context = self.context.clone();
        let inspector = Inspector::attach(&mut self.isolate, &context, inbox, job.url_prefix.clone());
        let debugged = Debugged { inspector: &inspector, job };
        let mut ended = self.evaluate_under(&graph, &debugged);
        let mut published = None;
        loop {
            let is_over = ended.is_err();
            let outcome = self.judge(watchdog, ended, &graph, &job.sources, &Stage::Manifest);
            if is_over || !job.stays || matches!(outcome, Outcome::Failed(_)) {
                return outcome;
            }
            say(&Reply::Looked(outcome.clone()));
            match self.stay(&inspector, &graph, &mut published) {
                Some(again) => ended = again,
                None => return outcome,
            }
        }
    }

    fn evaluate_under(&mut self, graph: &Graph, debugged: &Debugged<'_>) -> Result<String, Stop> {
        let (isolate, stacks) = (&mut self.isolate, self.stacks);
        let (context, state, read_registry, limits) = (&self.context, &self.state, &self.read_registry, &self.limits);
        let files = (graph, &debugged.job.sources);
        let ended = stacks.guest(|| evaluate(isolate, context, state, read_registry, limits, files, debugged));
        ended.unwrap_or(Err(Stop::Failed(BuildFailure::Crashed)))
    }

    /// Takes the debugger's messages until it asks what the product has come to by now; nothing when it is done.
    fn stay(
        &mut self,
        inspector: &Inspector,
        graph: &Graph,
        published: &mut Option<Published>,
    ) -> Option<Result<String, Stop>> {
        let (isolate, stacks) = (&mut self.isolate, self.stacks);
        let (context, state, read_registry, limits) = (&self.context, &self.state, &self.read_registry, &self.limits);
        let looked = stacks.guest(|| {
            v8::scope_with_context!(scope, isolate, context);
            v8::tc_scope!(let scope, scope);
            let entry = state.modules.borrow().get(ENTRY).map(|module| v8::Local::new(scope, module));
            let Some(entry) = entry else { return Some(Err(Stop::CRASHED)) };
            let bound = graph.get(ENTRY).map(|lowered| lowered.bound.as_slice()).unwrap_or_default();
            let names = published.get_or_insert_with(|| Published::new(scope, entry, bound).unwrap_or_default());
            scope.reset();
            loop {
                match inspector.next() {
                    Message::Cdp(text) => {
                        names.take(scope);
                        inspector.dispatch(&text);
                        scope.perform_microtask_checkpoint();
                        names.give_back(scope);
                        scope.reset();
                    }
                    Message::Look => {
                        let read = read_export(scope, entry, read_registry, limits);
                        return Some(read.and_then(|registry| registry.ok_or(Stop::CRASHED)));
                    }
                    Message::End => return None,
                }
            }
        });
        looked.unwrap_or(Some(Err(Stop::CRASHED)))
    }
}

/// The names of the entry's top level, as what is typed has them. The global object is frozen, so each is a name of a script; one that the
/// language has itself, such as `Map`, keeps its own meaning.
#[derive(Default)]
struct Published {
    /// What reads and assigns the entry's own.
    values: Option<v8::Global<v8::Value>>,
    /// Each takes one name's value from the entry.
    takers: Vec<v8::Global<v8::Function>>,
    /// Each gives the entry one name's value, where that was assigned since it was taken.
    givers: Vec<v8::Global<v8::Function>>,
}

impl Published {
    fn new(
        scope: &mut v8::PinScope<'_, '_>,
        entry: v8::Local<'_, v8::Module>,
        bound: &[(String, bool)],
    ) -> Option<Published> {
        let namespace = v8::Local::<v8::Object>::try_from(entry.get_module_namespace()).ok()?;
        let key = v8::String::new(scope, SCOPE_EXPORT)?;
        let values = namespace.get(scope, key.into())?;
        let mut published = Published { values: Some(v8::Global::new(scope, values)), ..Published::default() };
        for (name, can_assign) in bound {
            let Some([take, give]) = exchange(scope, name) else { continue };
            published.takers.push(take);
            published.givers.extend(can_assign.then_some(give));
        }
        Some(published)
    }

    /// Takes the values that the entry's names have by now.
    fn take(&self, scope: &mut v8::PinScope<'_, '_>) {
        self.call(scope, &self.takers);
    }

    /// Gives the entry what was assigned to its names.
    fn give_back(&self, scope: &mut v8::PinScope<'_, '_>) {
        self.call(scope, &self.givers);
    }

    fn call(&self, scope: &mut v8::PinScope<'_, '_>, functions: &[v8::Global<v8::Function>]) {
        let Some(values) = &self.values else { return };
        let (values, undefined) = (v8::Local::new(scope, values), v8::undefined(scope).into());
        for function in functions {
            let function = v8::Local::new(scope, function);
            let _what_stopped_it_is_judged_later = function.call(scope, undefined, &[values]);
        }
    }
}

/// Declares a name, with what takes and what gives its value.
fn exchange(scope: &mut v8::PinScope<'_, '_>, name: &str) -> Option<[v8::Global<v8::Function>; 2]> {
    let take = format!("(from) => {{ seen = {name} = from.{name}; }}");
    let give = format!("(into) => {{ if ({name} !== seen) into.{name} = {name}; }}");
    let code = v8::String::new(scope, &format!("let {name}; {{ let seen; [{take}, {give}] }}"))?;
    let script = v8::Script::compile(scope, code, None)?;
    let both = v8::Local::<v8::Array>::try_from(script.run(scope)?).ok()?;
    let function = |index| {
        let function = v8::Local::<v8::Function>::try_from(both.get_index(scope, index)?).ok()?;
        Some(v8::Global::new(scope, function))
    };
    Some([function(0)?, function(1)?])
}

/// Where the decorators stand, for breakpoints on them.
fn decorators(classes: &[ClassSite]) -> Vec<DecoratorSite> {
    let calls = classes.iter().flat_map(|class| &class.calls);
    let calls = calls.map(|call| DecoratorSite { names: vec![call.decorator.clone()], span: call.span.clone() });
    let indirect = classes.iter().flat_map(|class| &class.indirect);
    let indirect = indirect.map(|site| DecoratorSite { names: site.decorators.clone(), span: site.span.clone() });
    calls.chain(indirect).collect()
}
