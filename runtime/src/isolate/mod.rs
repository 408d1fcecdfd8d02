//! One guest: start V8, load the authoring package, harden, run, collect. The host never reads an object of the guest's; it
//! takes one text that the package made itself.

mod debug;
pub(crate) mod hooks;
mod math;
mod package;
pub(crate) mod report;
mod state;

pub(crate) use hooks::{CappedBuffers, EXIT_ENGINE_FATAL, EXIT_OUT_OF_MEMORY, watch_heap_first};
pub(crate) use state::GuestState;

use crate::finalize;
use crate::job::{BuildFailure, Job, Limits, Outcome, Stage};
use crate::lower::decorated;
use crate::lower::links::{self, Linked};
use crate::lower::{self, Effort, Lowered};
use crate::modules::Files;
use crate::sandbox::stack::Stacks;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use svc_engine::diagnostic::{self, Diagnostic};
use svc_engine::source::ClassSite;
use svc_engine::sources::{self, ENTRY, Sources};

/// Globals that stay, one a line.
const GLOBALS: &str = include_str!("globals.txt");
const HARDEN: &str = include_str!("harden.js");
const DECORATE: &str = include_str!("decorate.js");
/// A product with a bit of everything, to warm up on.
const EXAMPLE: [(&str, &str); 3] = [
    (ENTRY, include_str!("../../../examples/croncloud/product/product.config.ts")),
    ("product/frontend.ts", include_str!("../../../examples/croncloud/product/frontend.ts")),
    ("product/prices.ts", include_str!("../../../examples/croncloud/product/prices.ts")),
];
/// Frames that V8 keeps of an uncaught error, to find the author's among them.
const FRAMES_KEPT: i32 = 10;
/// V8 would choose by the clock when to collect, how far to mark in between and what to move together, and give up where collecting took
/// most of the time: a busy machine would decide what fits into the heap. So the schedule is fixed, with a nursery of 4 MiB,
/// which a common build fits into; marking is done in one go, and nothing is moved.
const STEADY_HEAP: &str =
    "--predictable-gc-schedule --no-incremental-marking --no-compact --no-detect-ineffective-gcs-near-heap-limit";
/// How often a guest past its deadline is told to stop; once may be swallowed.
const TERMINATE_EVERY: Duration = Duration::from_millis(5);

/// The isolate could not be made: a defect of this build of the service, never of a product.
#[derive(Debug, thiserror::Error)]
#[error("the isolate can't be prepared: {0}")]
pub struct PrepareError(pub(crate) String);

/// Sets V8's flags and starts its platform. Once per process, before the first isolate; `seed` varies what must not matter.
pub(crate) fn init_platform(seed: Option<u32>) {
    set_flags(seed);
    v8::V8::initialize_platform(platform());
    v8::V8::initialize();
}

/// A platform whose work is done in the one thread.
pub(crate) fn platform() -> v8::SharedRef<v8::Platform> {
    v8::new_single_threaded_default_platform(false).make_shared()
}

/// Sets V8's flags.
pub(crate) fn set_flags(seed: Option<u32>) {
    math::keep();
    let mut flags = format!("--jitless --single-threaded {STEADY_HEAP}");
    if let Some(seed) = seed {
        flags.push_str(&format!(" --random-seed={seed} --hash-seed={seed}"));
    }
    v8::V8::set_flags_from_string(&flags);
    hooks::name_fatal_errors();
}

/// A hardened isolate that waits for its one job.
pub(crate) struct Isolate {
    isolate: v8::OwnedIsolate,
    context: v8::Global<v8::Context>,
    limits: Limits,
    state: GuestState,
    buffers: Arc<CappedBuffers>,
    heap_exceeded: Arc<AtomicBool>,
    read_registry: v8::Global<v8::Function>,
    stacks: Stacks,
}

impl Isolate {
    /// Makes the isolate, loads the authoring package and hardens. Needs [`init_platform`] before. Alike in every mode: a job begins
    /// with the same heap, to the object, in a worker that was started for it and in a copy.
    pub(crate) fn prepare(limits: Limits, stacks: Stacks) -> Result<Isolate, PrepareError> {
        let buffers = CappedBuffers::new(limits.array_buffers_max_bytes);
        let params = v8::CreateParams::default()
            .heap_limits(0, limits.heap_max_bytes)
            .array_buffer_allocator(buffers.allocator().make_shared());
        let mut isolate = v8::Isolate::new(params);
        hooks::lift_stack_limit(&mut isolate);
        isolate.set_microtasks_policy(v8::MicrotasksPolicy::Explicit);
        isolate.set_capture_stack_trace_for_uncaught_exceptions(true, FRAMES_KEPT);
        let heap_exceeded = Arc::new(AtomicBool::new(false));
        hooks::watch_heap(&mut isolate, &heap_exceeded, limits.heap_max_bytes);
        let state = GuestState::default();
        isolate.set_slot(state.clone());
        hooks::install(&mut isolate);
        let context = {
            v8::scope!(let scope, &mut isolate);
            let context = v8::Context::new(scope, v8::ContextOptions::default());
            v8::Global::new(scope, context)
        };
        let read_registry = load_package(&mut isolate, &context, &state, &[])?;
        // What loading left behind is collected once, here, and not by the guest's first collection.
        isolate.low_memory_notification();
        Ok(Isolate { isolate, context, limits, state, buffers, heap_exceeded, read_registry, stacks })
    }

    /// Starts the watchdog's thread. Until here one thread works and another waits for it, so that the process can be copied.
    pub(crate) fn watch(&mut self) -> Result<Watchdog, PrepareError> {
        Watchdog::start(self.isolate.thread_safe_handle())
    }

    /// Runs the example, in a copy of the process that is thrown away, to see what a build touches.
    pub(crate) fn try_out(&mut self) {
        if let Ok(watchdog) = self.watch() {
            let _the_first_of_many = self.run(&watchdog, &Job::build(example()));
        }
    }

    /// Runs one build, both halves: the product, and the rules on what it declared. The isolate is spent afterwards; taking V8 down is left to
    /// the end of its process, so that nobody who waits for the answer waits for that.
    pub(crate) fn run(&mut self, watchdog: &Watchdog, job: &Job) -> Outcome {
        watchdog.watch(self.limits.cpu_ms);
        let graph = match self.stacks.reader(|| lower_all(&job.sources, &self.limits)) {
            Ok(graph) => graph,
            Err(problems) => return Outcome::Rejected(bounded(problems)),
        };
        let (isolate, stacks) = (&mut self.isolate, self.stacks);
        let (context, state, read_registry, limits) = (&self.context, &self.state, &self.read_registry, &self.limits);
        let plain = debug::Plain;
        let ended =
            stacks.guest(|| evaluate(isolate, context, state, read_registry, limits, (&graph, &job.sources), &plain));
        let Ok(ended) = ended else { return Outcome::Failed(BuildFailure::Crashed) };
        let outcome = self.judge(watchdog, ended, &graph, &job.sources, &job.stage);
        // The process ends soon, and gives back all at once.
        std::mem::forget(graph);
        // What the rules took counts, too.
        if watchdog.stop() { Outcome::Failed(BuildFailure::Timeout) } else { outcome }
    }

    /// What the end of a guest comes to: a limit that was reached, what was wrong, or what the rules say to its registry.
    fn judge(
        &mut self,
        watchdog: &Watchdog,
        ended: Result<String, Stop>,
        graph: &Graph,
        sources: &Sources,
        stage: &Stage,
    ) -> Outcome {
        let exceeded = hooks::heap_is_exceeded(&mut self.isolate, self.limits.heap_max_bytes);
        // Limits come first: whatever the guest made of reaching one, the build has failed.
        if exceeded || self.heap_exceeded.load(Ordering::Relaxed) || self.buffers.exceeded.load(Ordering::Relaxed) {
            return Outcome::Failed(BuildFailure::OutOfMemory);
        }
        if watchdog.is_late() {
            return Outcome::Failed(BuildFailure::Timeout);
        }
        match ended {
            Err(Stop::Rejected(problems)) => Outcome::Rejected(bounded(problems)),
            Err(Stop::Failed(failure)) => Outcome::Failed(failure),
            Ok(registry) => match stage {
                Stage::Registry => Outcome::Collected(registry),
                Stage::Manifest => {
                    self.stacks.reader(|| finalize::finalize(&registry, &classes(graph, sources), &self.limits))
                }
                // A testing worker's guest is another.
                Stage::Tests(_) => Outcome::Failed(BuildFailure::Crashed),
                Stage::Locate(path) => {
                    self.stacks.reader(|| finalize::locate(&registry, &classes(graph, sources), path))
                }
            },
        }
    }
}

/// A product with a bit of everything.
fn example() -> Sources {
    EXAMPLE.map(|(name, text)| (name.to_owned(), text.to_owned())).into()
}

/// Touches what a job will touch, so that copies of the process find it done.
pub(crate) fn warm_up() {
    let _the_first_of_many = lower_all(&example(), &Limits::default());
}

/// The decorated classes of a build, the entry's first: one of them is the product, as a rule.
fn classes(graph: &Graph, sources: &Sources) -> Vec<ClassSite> {
    let (first, rest): (Vec<_>, Vec<_>) = graph.iter().partition(|(name, _)| *name == ENTRY);
    let files = first.into_iter().chain(rest);
    let sites = files.map(|(file, lowered)| (linked(file, lowered, sources), &lowered.sites));
    decorated::classes(sites, (lower::sites::PACKAGE, &package::exports()))
}

/// Problems in order, as many as are told.
fn bounded(mut problems: Vec<Diagnostic>) -> Vec<Diagnostic> {
    diagnostic::sort(&mut problems);
    problems
}

/// The registry's text, or why there is none.
fn evaluate(
    isolate: &mut v8::OwnedIsolate,
    context: &v8::Global<v8::Context>,
    state: &GuestState,
    read_registry: &v8::Global<v8::Function>,
    limits: &Limits,
    (graph, sources): (&Graph, &Sources),
    watched: &impl debug::Watched,
) -> Result<String, Stop> {
    v8::scope_with_context!(scope, isolate, context);
    v8::tc_scope!(let scope, scope);
    let reporter = report::Reporter { graph, sources };
    for (name, lowered) in graph {
        let (code, map) = (watched.code(name, lowered), watched.source_map(name, lowered));
        let lazily = v8::script_compiler::CompileOptions::NoCompileOptions;
        let Some(module) = compile(scope, name, &code, map.as_deref(), lazily) else {
            return Err(reporter.unlinked(scope).into());
        };
        state.modules.borrow_mut().insert(name.clone(), v8::Global::new(scope, module));
    }
    let entry = state.modules.borrow().get(ENTRY).map(|module| v8::Local::new(scope, module)).ok_or(Stop::CRASHED)?;
    if entry.instantiate_module(scope, hooks::resolve_module) != Some(true) {
        return Err(reporter.unlinked(scope).into());
    }
    // Only linked modules are known to a debugger.
    watched.before_start();
    let Some(completion) = entry.evaluate(scope) else {
        return Err(reporter.caught(scope).into());
    };
    scope.perform_microtask_checkpoint();
    if scope.has_terminated() || scope.is_execution_terminating() {
        return Err(Stop::CRASHED);
    }
    if let Some(problems) = reporter.settled(scope, completion, state) {
        return Err(Stop::Rejected(problems));
    }
    match read_export(scope, entry, read_registry, limits)? {
        Some(registry) => Ok(registry),
        None => Err(reporter.caught(scope).into()),
    }
}

/// The registry's text of what the entry exports; nothing where the package threw.
fn read_export(
    scope: &mut v8::PinScope<'_, '_>,
    entry: v8::Local<'_, v8::Module>,
    read_registry: &v8::Global<v8::Function>,
    limits: &Limits,
) -> Result<Option<String>, Stop> {
    let namespace = v8::Local::<v8::Object>::try_from(entry.get_module_namespace()).map_err(|_| Stop::CRASHED)?;
    let key = v8::String::new(scope, "default").ok_or(Stop::CRASHED)?;
    let export = namespace.get(scope, key.into()).ok_or(Stop::CRASHED)?;
    // INVARIANT 1: the one thing that is read of the guest is the text that the package made.
    let read = v8::Local::new(scope, read_registry);
    let undefined = v8::undefined(scope).into();
    let Some(answer) = read.call(scope, undefined, &[export]) else { return Ok(None) };
    let text = v8::Local::<v8::String>::try_from(answer).map_err(|_| Stop::CRASHED)?;
    if text.utf8_length(scope) > limits.registry_max_bytes {
        return Err(Stop::Failed(BuildFailure::RegistryTooLarge));
    }
    Ok(Some(text.to_rust_string_lossy(scope)))
}

/// Why a guest gave no registry.
pub(crate) enum Stop {
    /// The author has something to mend.
    Rejected(Vec<Diagnostic>),
    /// Something else, by name.
    Failed(BuildFailure),
}

impl Stop {
    /// V8 stopped without a reason of the author's, other than the limits, which are judged first.
    pub(crate) const CRASHED: Stop = Stop::Failed(BuildFailure::Crashed);
}

impl From<Option<Diagnostic>> for Stop {
    fn from(caught: Option<Diagnostic>) -> Stop {
        caught.map_or(Stop::CRASHED, |problem| Stop::Rejected(vec![problem]))
    }
}

/// The lowered files of a build, by name.
pub(crate) type Graph = BTreeMap<String, Lowered>;

/// Checks the files' names and sizes, and lowers all that the entry reaches. Reports what is wrong in every one of them.
fn lower_all(sources: &Sources, limits: &Limits) -> Result<Graph, Vec<Diagnostic>> {
    lower_from(&[ENTRY.to_owned()], sources, limits)
}

/// As a build's files are, from these on.
pub(crate) fn lower_from(from: &[String], sources: &Sources, limits: &Limits) -> Result<Graph, Vec<Diagnostic>> {
    sources::check(sources, &limits.sources)?;
    let mut graph = Graph::new();
    let mut problems = Vec::new();
    let mut open = from.to_vec();
    let mut seen = std::collections::BTreeSet::new();
    let (files, effort) = (Files::new(sources.keys().map(String::as_str)), Effort::default());
    while let Some(name) = open.pop() {
        let Some(text) = sources.get(&name) else { continue };
        if !seen.insert(name.clone()) {
            continue;
        }
        match lower::lower(&name, without_mark(text), &files, &effort) {
            Ok(lowered) => {
                open.extend(lowered.imports.iter().cloned());
                graph.insert(name, lowered);
            }
            Err(found) => problems.extend(found),
        }
    }
    if problems.is_empty() {
        problems = check_links(&graph, sources);
    }
    if problems.is_empty() { Ok(graph) } else { Err(problems) }
}

/// Names that a file takes of another and that are not there.
fn check_links(graph: &Graph, sources: &Sources) -> Vec<Diagnostic> {
    let all: Vec<Linked<'_>> = graph.iter().map(|(file, lowered)| linked(file, lowered, sources)).collect();
    links::check(&all, (lower::sites::PACKAGE, &package::exports()))
}

fn linked<'g>(file: &'g str, lowered: &'g Lowered, sources: &'g Sources) -> Linked<'g> {
    let text = sources.get(file).map(|text| without_mark(text)).unwrap_or_default();
    Linked { file, text, links: &lowered.links }
}

fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Compiles a module, with the address of its source map where it has one; with [`v8::script_compiler::CompileOptions::EagerCompile`] every function of it at once.
pub(crate) fn compile<'s>(
    scope: &mut v8::PinScope<'s, '_>,
    name: &str,
    code: &str,
    map: Option<&str>,
    options: v8::script_compiler::CompileOptions,
) -> Option<v8::Local<'s, v8::Module>> {
    let source = v8::String::new(scope, code)?;
    let resource = v8::String::new(scope, name)?;
    let map = map.and_then(|map| v8::String::new(scope, map)).map(Into::into);
    let origin = v8::ScriptOrigin::new(scope, resource.into(), 0, 0, false, 0, map, false, false, true, None);
    let mut source = v8::script_compiler::Source::new(source, Some(&origin));
    v8::script_compiler::compile_module2(scope, &mut source, options, v8::script_compiler::NoCacheReason::NoReason)
}

/// Lowers, compiles and runs the package, and `more` modules by name, hardens the world around them, and gives its `readRegistry`.
pub(crate) fn load_package(
    isolate: &mut v8::OwnedIsolate,
    context: &v8::Global<v8::Context>,
    state: &GuestState,
    more: &[(&'static str, &'static str)],
) -> Result<v8::Global<v8::Function>, PrepareError> {
    let fail = |what: &str| PrepareError(what.to_owned());
    v8::scope_with_context!(scope, isolate, context);
    v8::tc_scope!(let scope, scope);
    let helper = (format!("{}/helpers/decorate", lower::INTERNAL), DECORATE);
    let files = package::LOWERED.iter().map(|(file, code)| (modules_name(file), *code));
    let others = more.iter().map(|(name, code)| ((*name).to_owned(), *code));
    for (name, code) in std::iter::once(helper).chain(files).chain(others) {
        // Eagerly: a copy has all of it compiled, and a worker alone is to have the same heap.
        let module = compile(scope, &name, code, None, v8::script_compiler::CompileOptions::EagerCompile);
        state.modules.borrow_mut().insert(name.clone(), v8::Global::new(scope, module.ok_or_else(|| fail(&name))?));
    }
    let mut namespaces = Vec::new();
    let own = [modules_name("registry.ts"), modules_name("index.ts"), format!("{}/helpers/decorate", lower::INTERNAL)];
    for name in own.into_iter().chain(more.iter().map(|(name, _)| (*name).to_owned())) {
        let module =
            state.modules.borrow().get(&name).map(|module| v8::Local::new(scope, module)).ok_or_else(|| fail(&name))?;
        let instantiated = module.instantiate_module(scope, hooks::resolve_module) == Some(true);
        if !instantiated || module.evaluate(scope).is_none() {
            return Err(fail(&name));
        }
        scope.perform_microtask_checkpoint();
        if module.get_status() != v8::ModuleStatus::Evaluated {
            return Err(fail(&name));
        }
        namespaces.push(module.get_module_namespace());
    }
    let registry = namespaces
        .first()
        .and_then(|namespace| v8::Local::<v8::Object>::try_from(*namespace).ok())
        .ok_or_else(|| fail("registry"))?;
    let function = |scope: &mut v8::PinScope<'_, '_>, name: &str| {
        let key = v8::String::new(scope, name)?;
        let value = registry.get(scope, key.into())?;
        v8::Local::<v8::Function>::try_from(value).ok().map(|function| v8::Global::new(scope, function))
    };
    let record = function(scope, "recordInsteadOfThrow").ok_or_else(|| fail("recordInsteadOfThrow"))?;
    let read = function(scope, "readRegistry").ok_or_else(|| fail("readRegistry"))?;
    let undefined = v8::undefined(scope).into();
    v8::Local::new(scope, record).call(scope, undefined, &[]).ok_or_else(|| fail("recordInsteadOfThrow"))?;
    harden(scope, &namespaces).ok_or_else(|| fail("hardening"))?;
    // From here on only the author's files may name the package, and only by its one specifier.
    let index = state.modules.borrow().get(&modules_name("index.ts")).cloned().ok_or_else(|| fail("index"))?;
    let decorate = format!("{}/helpers/decorate", lower::INTERNAL);
    state.modules.borrow_mut().retain(|name, _| *name == decorate || more.iter().any(|(other, _)| name == other));
    state.modules.borrow_mut().insert(lower::sites::PACKAGE.to_owned(), index);
    Ok(read)
}

fn modules_name(file: &str) -> String {
    format!("{}/{file}", package::FOLDER)
}

fn harden(scope: &mut v8::PinScope<'_, '_>, roots: &[v8::Local<'_, v8::Value>]) -> Option<()> {
    let context = scope.get_current_context();
    context.set_allow_generation_from_strings(false);
    let source = v8::String::new(scope, HARDEN)?;
    let script = v8::Script::compile(scope, source, None)?;
    let function = v8::Local::<v8::Function>::try_from(script.run(scope)?).ok()?;
    let names: Vec<v8::Local<'_, v8::Value>> =
        GLOBALS.lines().map(|name| v8::String::new(scope, name).map(Into::into)).collect::<Option<_>>()?;
    let allowed = v8::Array::new_with_elements(scope, &names);
    let roots = v8::Array::new_with_elements(scope, roots);
    let global = context.global(scope);
    let undefined = v8::undefined(scope).into();
    function.call(scope, undefined, &[global.into(), allowed.into(), roots.into()])?;
    Some(())
}

/// Tells a guest past its processor time to stop, again and again, until the host says it is out. Its thread is there before the
/// sandbox closes, which lets no thread begin.
pub(crate) struct Watchdog {
    shared: Arc<Watch>,
    thread: std::thread::Thread,
}

struct Watch {
    /// The process's processor time at which the guest is late.
    deadline: OnceLock<Duration>,
    done: AtomicBool,
    late: AtomicBool,
}

/// The processor time that this process has used. What others do on the machine is not in it.
fn cpu_time() -> Duration {
    let spent = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::try_from(spent).unwrap_or(Duration::ZERO)
}

impl Watchdog {
    pub(crate) fn start(handle: v8::IsolateHandle) -> Result<Self, PrepareError> {
        // The first time, the clock's code is looked up, in files.
        let _found = cpu_time();
        let shared =
            Arc::new(Watch { deadline: OnceLock::new(), done: AtomicBool::new(false), late: AtomicBool::new(false) });
        let there = Arc::clone(&shared);
        // A thread that is still beginning makes system calls that the sandbox forbids: wait until it runs.
        let (runs, running) = std::sync::mpsc::sync_channel(0);
        let thread = std::thread::Builder::new().name("watchdog".to_owned()).spawn(move || {
            if runs.send(()).is_ok() {
                there.keep(&handle);
            }
        });
        let thread = thread.map_err(|error| PrepareError(error.to_string()))?;
        running.recv().map_err(|error| PrepareError(error.to_string()))?;
        Ok(Watchdog { shared, thread: thread.thread().clone() })
    }

    /// Begins the watch: `cpu_ms` milliseconds of processor time from now on.
    pub(crate) fn watch(&self, cpu_ms: u64) {
        let _set_once = self.shared.deadline.set(cpu_time().saturating_add(Duration::from_millis(cpu_ms)));
        self.thread.unpark();
    }

    /// Whether the time is over.
    pub(crate) fn is_late(&self) -> bool {
        self.shared.late.load(Ordering::Acquire)
    }

    /// Ends the watch. Returns whether the time was over. The thread sees it when it wakes, if the process still is there.
    pub(crate) fn stop(&self) -> bool {
        self.shared.done.store(true, Ordering::Release);
        self.is_late()
    }
}

impl Watch {
    fn keep(&self, handle: &v8::IsolateHandle) {
        while !self.done.load(Ordering::Acquire) {
            match self.deadline.get().map(|deadline| deadline.saturating_sub(cpu_time())) {
                Some(Duration::ZERO) => {
                    self.late.store(true, Ordering::Release);
                    handle.terminate_execution();
                    std::thread::park_timeout(TERMINATE_EVERY);
                }
                // No processor time passes faster than the clock's, as long as one thread works.
                Some(left) => std::thread::park_timeout(left),
                None => std::thread::park(),
            }
        }
    }
}
