//! Author tests: the guest of a testing worker, on deno_core. It is hardened and limited like a build's; what it has beside is a module
//! whose ops are the engine's pure functions. deno_core's own module loader, event loop and error formatting are not used: files are
//! lowered, linked and evaluated as a build's are, and errors are read from V8's messages.

mod ops;

pub(crate) use ops::{MESSAGE_MAX_CHARS, golden_file};

use crate::isolate::report::Reporter;
use crate::isolate::{self, CappedBuffers, GuestState, PrepareError, Stop, Watchdog, hooks};
use crate::job::{BuildFailure, Job, Limits, Outcome, Stage, TestPlan, TestReport};
use crate::lower::sites::TESTING;
use crate::sandbox::stack::Stacks;
use deno_core::{JsRuntime, RuntimeOptions};
use ops::Bench;
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use svc_engine::diagnostic::{self, Code, Diagnostic};
use svc_engine::sources::{ROOT, Sources};

const ENGINE: &str = include_str!("engine.js");
const API: &str = include_str!("api.js");
/// The module that reaches the ops; no file of an author's can name it.
const INTERNAL: &str = "@svc/internal/testing";
/// How test files end.
pub(crate) const ENDING: &str = ".test.ts";
/// Frames that V8 keeps of an uncaught error, to find the author's among them.
const FRAMES_KEPT: i32 = 10;

/// The test files of a product.
pub(crate) fn test_files(sources: &Sources) -> Vec<&String> {
    sources.keys().filter(|name| name.starts_with(ROOT) && name.ends_with(ENDING)).collect()
}

/// Starts V8 as a build's worker has it, through deno_core, which must be the one that does.
pub(crate) fn init_platform(seed: Option<u32>) {
    isolate::set_flags(seed);
    JsRuntime::init_platform(Some(isolate::platform()));
}

/// A hardened runtime that waits for its one job.
pub(crate) struct Harness {
    runtime: JsRuntime,
    limits: Limits,
    state: GuestState,
    buffers: Arc<CappedBuffers>,
    heap_exceeded: Arc<AtomicBool>,
    run_all: v8::Global<v8::Function>,
    stacks: Stacks,
}

impl Harness {
    /// Makes the runtime, loads the packages and hardens. Needs [`init_platform`] before.
    pub(crate) fn prepare(limits: Limits, stacks: Stacks) -> Result<Harness, PrepareError> {
        let buffers = CappedBuffers::new(limits.array_buffers_max_bytes);
        let params = v8::CreateParams::default()
            .heap_limits(0, limits.heap_max_bytes)
            .array_buffer_allocator(buffers.allocator().make_shared());
        let options = RuntimeOptions {
            extensions: vec![ops::extension()],
            create_params: Some(params),
            ..RuntimeOptions::default()
        };
        let mut runtime = JsRuntime::try_new(options).map_err(|error| PrepareError(error.to_string()))?;
        let context = runtime.main_context();
        let state = GuestState::default();
        let heap_exceeded = Arc::new(AtomicBool::new(false));
        let isolate = runtime.v8_isolate();
        hooks::lift_stack_limit(isolate);
        isolate.set_microtasks_policy(v8::MicrotasksPolicy::Explicit);
        isolate.set_capture_stack_trace_for_uncaught_exceptions(true, FRAMES_KEPT);
        hooks::watch_heap(isolate, &heap_exceeded, limits.heap_max_bytes);
        isolate.set_slot(state.clone());
        hooks::install(isolate);
        let modules = [(INTERNAL, ENGINE), (TESTING, API)];
        isolate::load_package(isolate, &context, &state, &modules)?;
        let internal = state.modules.borrow_mut().remove(INTERNAL);
        let run_all = internal.and_then(|module| export(isolate, &context, &module, "runAll"));
        let run_all = run_all.ok_or_else(|| PrepareError("the tests' own module does not run them".to_owned()))?;
        isolate.low_memory_notification();
        Ok(Harness { runtime, limits, state, buffers, heap_exceeded, run_all, stacks })
    }

    /// Starts the watchdog's thread.
    pub(crate) fn watch(&mut self) -> Result<Watchdog, PrepareError> {
        Watchdog::start(self.runtime.v8_isolate().thread_safe_handle())
    }

    /// Runs a product's tests. The runtime is spent afterwards.
    pub(crate) fn run(&mut self, watchdog: &Watchdog, job: &Job) -> Outcome {
        watchdog.watch(self.limits.cpu_ms);
        let Stage::Tests(plan) = &job.stage else { return Outcome::Failed(BuildFailure::Crashed) };
        let outcome = self.test(watchdog, &job.sources, plan);
        if watchdog.stop() { Outcome::Failed(BuildFailure::Timeout) } else { outcome }
    }

    fn test(&mut self, watchdog: &Watchdog, sources: &Sources, plan: &TestPlan) -> Outcome {
        let files: Vec<String> = test_files(sources).into_iter().cloned().collect();
        let lowered = self.stacks.reader(|| isolate::lower_from(&files, sources, &self.limits));
        let graph = match lowered {
            Ok(graph) => Rc::new(graph),
            Err(problems) => return Outcome::Rejected(bounded(problems)),
        };
        let Ok(manifest) = serde_json::from_str(&plan.ir) else { return Outcome::Failed(BuildFailure::Crashed) };
        let goldens = match goldens(&files, sources) {
            Ok(goldens) => goldens,
            Err(problem) => return Outcome::Rejected(vec![problem]),
        };
        let bench = Bench {
            manifest,
            graph: Rc::clone(&graph),
            sources: sources.clone(),
            updates: plan.updates,
            file: String::new(),
            goldens,
            changed: BTreeSet::new(),
            results: Vec::new(),
            running: Default::default(),
        };
        self.runtime.op_state().borrow_mut().put(bench);
        let stacks = self.stacks;
        let ended = stacks.guest(|| self.evaluate(&graph, sources, &files, plan));
        let Ok(ended) = ended else { return Outcome::Failed(BuildFailure::Crashed) };
        self.judge(watchdog, ended)
    }

    /// Evaluates the files, in order, and runs the tests that they named.
    fn evaluate(
        &mut self,
        graph: &isolate::Graph,
        sources: &Sources,
        files: &[String],
        plan: &TestPlan,
    ) -> Result<(), Stop> {
        let (context, op_state) = (self.runtime.main_context(), self.runtime.op_state());
        let (state, run_all) = (self.state.clone(), self.run_all.clone());
        let isolate = self.runtime.v8_isolate();
        v8::scope_with_context!(scope, isolate, &context);
        v8::tc_scope!(let scope, scope);
        let reporter = Reporter { graph, sources };
        for (name, lowered) in graph {
            let lazily = v8::script_compiler::CompileOptions::NoCompileOptions;
            let Some(module) = isolate::compile(scope, name, &lowered.code, None, lazily) else {
                return Err(reporter.unlinked(scope).into());
            };
            state.modules.borrow_mut().insert(name.clone(), v8::Global::new(scope, module));
        }
        for file in files {
            op_state.borrow_mut().borrow_mut::<Bench>().file.clone_from(file);
            let entry = state.modules.borrow().get(file).map(|module| v8::Local::new(scope, module));
            let entry = entry.ok_or(Stop::CRASHED)?;
            if entry.instantiate_module(scope, hooks::resolve_module) != Some(true) {
                return Err(reporter.unlinked(scope).into());
            }
            let Some(completion) = entry.evaluate(scope) else { return Err(reporter.caught(scope).into()) };
            scope.perform_microtask_checkpoint();
            if scope.has_terminated() || scope.is_execution_terminating() {
                return Err(Stop::CRASHED);
            }
            if let Some(problems) = reporter.settled(scope, completion, &state) {
                return Err(Stop::Rejected(problems));
            }
        }
        let run_all = v8::Local::new(scope, &run_all);
        let arguments: [v8::Local<'_, v8::Value>; 3] = [
            v8::String::new(scope, &plan.seed.to_string()).ok_or(Stop::CRASHED)?.into(),
            v8::Number::new(scope, f64::from(plan.runs)).into(),
            match &plan.filter {
                Some(filter) => v8::String::new(scope, filter).ok_or(Stop::CRASHED)?.into(),
                None => v8::null(scope).into(),
            },
        ];
        let undefined = v8::undefined(scope).into();
        let Some(all) = run_all.call(scope, undefined, &arguments) else { return Err(reporter.caught(scope).into()) };
        scope.perform_microtask_checkpoint();
        if scope.has_terminated() || scope.is_execution_terminating() {
            return Err(Stop::CRASHED);
        }
        let waits = v8::Local::<v8::Promise>::try_from(all).is_ok_and(|all| all.state() == v8::PromiseState::Pending);
        if waits {
            let (file, name) = op_state.borrow().borrow::<Bench>().running.clone();
            let message = format!("the test {name:?} in {file} waits for what never comes");
            return Err(Stop::Rejected(vec![Diagnostic::new(Code::UnsettledAwait, message)]));
        }
        match reporter.settled(scope, all, &state) {
            Some(problems) => Err(Stop::Rejected(problems)),
            None => Ok(()),
        }
    }

    /// What the end of the tests comes to: a limit that was reached, or what they found.
    fn judge(&mut self, watchdog: &Watchdog, ended: Result<(), Stop>) -> Outcome {
        let exceeded = hooks::heap_is_exceeded(self.runtime.v8_isolate(), self.limits.heap_max_bytes);
        if exceeded || self.heap_exceeded.load(Ordering::Relaxed) || self.buffers.exceeded.load(Ordering::Relaxed) {
            return Outcome::Failed(BuildFailure::OutOfMemory);
        }
        if watchdog.is_late() {
            return Outcome::Failed(BuildFailure::Timeout);
        }
        match ended {
            Err(Stop::Rejected(problems)) => Outcome::Rejected(bounded(problems)),
            Err(Stop::Failed(failure)) => Outcome::Failed(failure),
            Ok(()) => {
                let op_state = self.runtime.op_state();
                let Some(bench) = op_state.borrow_mut().try_take::<Bench>() else {
                    return Outcome::Failed(BuildFailure::Crashed);
                };
                Outcome::Tested(report(bench))
            }
        }
    }
}

/// What the tests found, with the golden bills that are to be written.
fn report(bench: Bench) -> TestReport {
    let text = |file: &String| {
        let bills = bench.goldens.get(file)?;
        let text = serde_json::to_string_pretty(bills).ok()?;
        Some((golden_file(file), format!("{text}\n")))
    };
    TestReport { goldens: bench.changed.iter().filter_map(text).collect(), results: bench.results }
}

/// The golden bills that lie beside the test files.
fn goldens(files: &[String], sources: &Sources) -> Result<BTreeMap<String, BTreeMap<String, Json>>, Diagnostic> {
    let mut all = BTreeMap::new();
    for file in files {
        let name = golden_file(file);
        let Some(text) = sources.get(&name) else { continue };
        let bills = serde_json::from_str(text).map_err(|error| {
            let message = format!("{name} holds no golden bills: {error}");
            Diagnostic::new(Code::SyntaxError, message)
        })?;
        all.insert(file.clone(), bills);
    }
    Ok(all)
}

fn bounded(mut problems: Vec<Diagnostic>) -> Vec<Diagnostic> {
    diagnostic::sort(&mut problems);
    problems
}

/// A function that a module exports.
fn export(
    isolate: &mut v8::OwnedIsolate,
    context: &v8::Global<v8::Context>,
    module: &v8::Global<v8::Module>,
    name: &str,
) -> Option<v8::Global<v8::Function>> {
    v8::scope_with_context!(scope, isolate, context);
    let module = v8::Local::new(scope, module);
    let namespace = v8::Local::<v8::Object>::try_from(module.get_module_namespace()).ok()?;
    let key = v8::String::new(scope, name)?;
    let value = namespace.get(scope, key.into())?;
    v8::Local::<v8::Function>::try_from(value).ok().map(|function| v8::Global::new(scope, function))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_file_is_told_by_its_ending_and_has_its_golden_bills_beside_it() {
        let names = ["product/a.test.ts", "product/deep/b.test.ts", "product/c.ts", "product/product.config.ts"];
        let sources: Sources = names.iter().map(|name| ((*name).to_owned(), String::new())).collect();
        assert_eq!(test_files(&sources), ["product/a.test.ts", "product/deep/b.test.ts"]);
        assert_eq!(golden_file("product/a.test.ts"), "product/a.test.golden.json");
        let list = API.split_once('{').and_then(|(_, rest)| rest.split_once('}')).map(|(list, _)| list).unwrap();
        let mut names: Vec<&str> = list.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
        names.sort_unstable();
        assert_eq!(names, crate::lower::sites::TESTING_EXPORTS);
        assert!(API.contains(INTERNAL) && INTERNAL.starts_with(crate::lower::INTERNAL));
    }
}
