//! One guest: start V8, load the authoring package, harden, run, collect. The host never reads an object of the guest's; it
//! takes one text that the package made itself.

mod hooks;
mod report;
mod state;

pub(crate) use hooks::EXIT_OUT_OF_MEMORY;

use crate::job::{BuildFailure, Limits, Outcome};
use crate::lower::{self, Lowered};
use crate::modules::{self, ENTRY, Sources};
use crate::sandbox;
use hooks::CappedBuffers;
use state::GuestState;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use svc_engine::diagnostic::{self, Diagnostic};

/// The authoring package, file by file, as it is published.
const PACKAGE_FILES: &[(&str, &str)] = &[
    ("checks.ts", include_str!("../../../js-shim/product/src/checks.ts")),
    ("copy.ts", include_str!("../../../js-shim/product/src/copy.ts")),
    ("decorators.ts", include_str!("../../../js-shim/product/src/decorators.ts")),
    ("dialect.ts", include_str!("../../../js-shim/product/src/dialect.ts")),
    ("drafts.ts", include_str!("../../../js-shim/product/src/drafts.ts")),
    ("helpers.ts", include_str!("../../../js-shim/product/src/helpers.ts")),
    ("index.ts", include_str!("../../../js-shim/product/src/index.ts")),
    ("options.ts", include_str!("../../../js-shim/product/src/options.ts")),
    ("primordials.ts", include_str!("../../../js-shim/product/src/primordials.ts")),
    ("registry.ts", include_str!("../../../js-shim/product/src/registry.ts")),
];
/// Where the package's files are said to lie while they are lowered.
const PACKAGE_FOLDER: &str = "product/@svc";
/// Globals that stay, one a line.
const GLOBALS: &str = include_str!("globals.txt");
const HARDEN: &str = include_str!("harden.js");
const DECORATE: &str = include_str!("decorate.js");
/// A product with a bit of everything, to warm up on.
const WARM_UP: &str = include_str!("../../../examples/croncloud/product/product.config.ts");
/// Frames that V8 keeps of an uncaught error, to find the author's among them.
const FRAMES_KEPT: i32 = 10;
/// Least size of V8's nursery, in MiB: a common build fits, and no collection interrupts it.
const YOUNG_MIN_MIB: u32 = 4;
/// How often a guest past its deadline is told to stop; once may be swallowed.
const TERMINATE_EVERY: Duration = Duration::from_millis(5);

/// The isolate could not be made: a defect of this build of the service, never of a product.
#[derive(Debug, thiserror::Error)]
#[error("the isolate can't be prepared: {0}")]
pub struct PrepareError(String);

/// Sets V8's flags and starts its platform. Once per process, before the first isolate; `seed` varies what must not matter.
pub(crate) fn init_platform(limits: &Limits, seed: Option<u32>) {
    // The stack is bounded by the operating system, whose limit can't be caught; V8's own limit lies far below it.
    let stack_kib = limits.stack_max_bytes.saturating_mul(64) >> 10;
    let mut flags =
        format!("--jitless --single-threaded --stack-size={stack_kib} --min-semi-space-size={YOUNG_MIN_MIB}");
    if let Some(seed) = seed {
        flags.push_str(&format!(" --random-seed={seed} --hash-seed={seed}"));
    }
    v8::V8::set_flags_from_string(&flags);
    let platform = v8::new_single_threaded_default_platform(false).make_shared();
    v8::V8::initialize_platform(platform);
    v8::V8::initialize();
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
}

impl Isolate {
    /// Makes the isolate, loads the authoring package and hardens. Needs [`init_platform`] before. `thoroughly` compiles all of the
    /// package instead of what runs: for a process that will be copied.
    pub(crate) fn prepare(limits: Limits, thoroughly: bool) -> Result<Isolate, PrepareError> {
        let options = if thoroughly {
            v8::script_compiler::CompileOptions::EagerCompile
        } else {
            v8::script_compiler::CompileOptions::NoCompileOptions
        };
        let buffers = CappedBuffers::new(limits.array_buffers_max_bytes);
        let params = v8::CreateParams::default()
            .heap_limits(0, limits.heap_max_bytes)
            .array_buffer_allocator(buffers.allocator().make_shared());
        let mut isolate = v8::Isolate::new(params);
        isolate.set_microtasks_policy(v8::MicrotasksPolicy::Explicit);
        isolate.set_capture_stack_trace_for_uncaught_exceptions(true, FRAMES_KEPT);
        let heap_exceeded = Arc::new(AtomicBool::new(false));
        hooks::watch_heap(&mut isolate, &heap_exceeded);
        let state = GuestState::default();
        isolate.set_slot(state.clone());
        hooks::install(&mut isolate);
        let context = {
            v8::scope!(let scope, &mut isolate);
            let context = v8::Context::new(scope, v8::ContextOptions::default());
            v8::Global::new(scope, context)
        };
        let read_registry = load_package(&mut isolate, &context, &state, options)?;
        if thoroughly {
            // What loading left behind is collected once, here, and not in each copy.
            isolate.low_memory_notification();
        }
        Ok(Isolate { isolate, context, limits, state, buffers, heap_exceeded, read_registry })
    }

    /// Starts the watchdog's thread. Until here the process has one thread, and can be copied.
    pub(crate) fn watch(&mut self) -> Result<Watchdog, PrepareError> {
        Watchdog::start(self.isolate.thread_safe_handle())
    }

    /// Touches what a job will touch, so that copies of the process find it done.
    pub(crate) fn warm_up() {
        let sources = Sources::from([(ENTRY.to_owned(), WARM_UP.to_owned())]);
        let _the_first_of_many = lower_all(&sources, &Limits::default());
    }

    /// Runs one build. The isolate is spent afterwards.
    pub(crate) fn run(mut self, watchdog: &Watchdog, sources: &Sources) -> Outcome {
        let deadline = Instant::now().checked_add(Duration::from_millis(self.limits.wall_ms));
        let graph = match lower_all(sources, &self.limits) {
            Ok(graph) => graph,
            Err(mut problems) => {
                diagnostic::sort(&mut problems);
                return Outcome::Rejected(problems);
            }
        };
        if !sandbox::limit_stack(self.limits.stack_max_bytes) {
            return Outcome::Failed(BuildFailure::Crashed);
        }
        watchdog.watch(deadline);
        let ended = self.evaluate(&graph, sources);
        let late = watchdog.stop();
        self.judge(ended, late, graph)
    }

    /// Limits come first: whatever the guest made of reaching one, the build has failed.
    fn judge(&self, ended: Result<String, Stop>, late: bool, graph: Graph) -> Outcome {
        if self.heap_exceeded.load(Ordering::Relaxed) || self.buffers.exceeded.load(Ordering::Relaxed) {
            return Outcome::Failed(BuildFailure::OutOfMemory);
        }
        if late {
            return Outcome::Failed(BuildFailure::Timeout);
        }
        match ended {
            Ok(registry) => {
                // The entry's classes first: one of them is the product, as a rule.
                let (mut first, mut rest) = (Vec::new(), Vec::new());
                for (name, lowered) in graph {
                    if name == ENTRY { first.extend(lowered.classes) } else { rest.extend(lowered.classes) }
                }
                first.extend(rest);
                Outcome::Collected { registry, classes: first }
            }
            Err(Stop::Rejected(problems)) => Outcome::Rejected(problems),
            Err(Stop::Failed(failure)) => Outcome::Failed(failure),
        }
    }

    /// The registry's text, or why there is none.
    fn evaluate(&mut self, graph: &Graph, sources: &Sources) -> Result<String, Stop> {
        let state = self.state.clone();
        v8::scope_with_context!(scope, &mut self.isolate, &self.context);
        v8::tc_scope!(let scope, scope);
        let reporter = report::Reporter { graph, sources };
        for (name, lowered) in graph {
            let Some(module) =
                compile(scope, name, &lowered.code, v8::script_compiler::CompileOptions::NoCompileOptions)
            else {
                return Err(reporter.unlinked(scope).into());
            };
            state.modules.borrow_mut().insert(name.clone(), v8::Global::new(scope, module));
        }
        let entry =
            state.modules.borrow().get(ENTRY).map(|module| v8::Local::new(scope, module)).ok_or(Stop::CRASHED)?;
        if entry.instantiate_module(scope, hooks::resolve_module) != Some(true) {
            return Err(reporter.unlinked(scope).into());
        }
        let Some(completion) = entry.evaluate(scope) else {
            return Err(reporter.caught(scope).into());
        };
        scope.perform_microtask_checkpoint();
        if scope.has_terminated() || scope.is_execution_terminating() {
            return Err(Stop::CRASHED);
        }
        if let Some(problems) = reporter.settled(scope, completion, &state) {
            return Err(Stop::Rejected(problems));
        }
        let namespace = v8::Local::<v8::Object>::try_from(entry.get_module_namespace()).map_err(|_| Stop::CRASHED)?;
        let key = v8::String::new(scope, "default").ok_or(Stop::CRASHED)?;
        let export = namespace.get(scope, key.into()).ok_or(Stop::CRASHED)?;
        // INVARIANT 1: the one thing that is read of the guest is the text that the package made.
        let read = v8::Local::new(scope, &self.read_registry);
        let undefined = v8::undefined(scope).into();
        let Some(answer) = read.call(scope, undefined, &[export]) else {
            return Err(reporter.caught(scope).into());
        };
        let text = v8::Local::<v8::String>::try_from(answer).map_err(|_| Stop::CRASHED)?;
        if text.utf8_length(scope) > self.limits.registry_max_bytes {
            return Err(Stop::Failed(BuildFailure::RegistryTooLarge));
        }
        Ok(text.to_rust_string_lossy(scope))
    }
}

/// Why a guest gave no registry.
enum Stop {
    /// The author has something to mend.
    Rejected(Vec<Diagnostic>),
    /// Something else, by name.
    Failed(BuildFailure),
}

impl Stop {
    /// V8 stopped without a reason of the author's, other than the limits, which are judged first.
    const CRASHED: Stop = Stop::Failed(BuildFailure::Crashed);
}

impl From<Option<Diagnostic>> for Stop {
    fn from(caught: Option<Diagnostic>) -> Stop {
        caught.map_or(Stop::CRASHED, |problem| Stop::Rejected(vec![problem]))
    }
}

/// The lowered files of a build, by name.
type Graph = BTreeMap<String, Lowered>;

/// Checks the files' names and sizes, and lowers all that the entry reaches. Reports what is wrong in every one of them.
fn lower_all(sources: &Sources, limits: &Limits) -> Result<Graph, Vec<Diagnostic>> {
    modules::check(sources, &limits.sources)?;
    let mut graph = Graph::new();
    let mut problems = Vec::new();
    let mut open = vec![ENTRY.to_owned()];
    let mut seen = std::collections::BTreeSet::new();
    while let Some(name) = open.pop() {
        let Some(text) = sources.get(&name) else { continue };
        if !seen.insert(name.clone()) {
            continue;
        }
        match lower::lower(&name, without_mark(text), &|path| sources.contains_key(path)) {
            Ok(lowered) => {
                open.extend(lowered.imports.iter().cloned());
                graph.insert(name, lowered);
            }
            Err(found) => problems.extend(found),
        }
    }
    if problems.is_empty() { Ok(graph) } else { Err(problems) }
}

fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Compiles a module; with [`v8::script_compiler::CompileOptions::EagerCompile`] every function of it at once.
fn compile<'s>(
    scope: &mut v8::PinScope<'s, '_>,
    name: &str,
    code: &str,
    options: v8::script_compiler::CompileOptions,
) -> Option<v8::Local<'s, v8::Module>> {
    let source = v8::String::new(scope, code)?;
    let resource = v8::String::new(scope, name)?;
    let origin = v8::ScriptOrigin::new(scope, resource.into(), 0, 0, false, 0, None, false, false, true, None);
    let mut source = v8::script_compiler::Source::new(source, Some(&origin));
    v8::script_compiler::compile_module2(scope, &mut source, options, v8::script_compiler::NoCacheReason::NoReason)
}

/// Lowers, compiles and runs the package, hardens the world around it, and gives its `readRegistry`.
fn load_package(
    isolate: &mut v8::OwnedIsolate,
    context: &v8::Global<v8::Context>,
    state: &GuestState,
    options: v8::script_compiler::CompileOptions,
) -> Result<v8::Global<v8::Function>, PrepareError> {
    let fail = |what: &str| PrepareError(what.to_owned());
    let lowered = lower_package()?;
    v8::scope_with_context!(scope, isolate, context);
    v8::tc_scope!(let scope, scope);
    for (name, code) in lowered {
        let module = compile(scope, &name, &code, options).ok_or_else(|| fail(&name))?;
        state.modules.borrow_mut().insert(name, v8::Global::new(scope, module));
    }
    let mut namespaces = Vec::new();
    for name in [modules_name("registry.ts"), modules_name("index.ts"), format!("{}/helpers/decorate", lower::INTERNAL)]
    {
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
    state.modules.borrow_mut().retain(|name, _| *name == decorate);
    state.modules.borrow_mut().insert(lower::sites::PACKAGE.to_owned(), index);
    Ok(read)
}

fn modules_name(file: &str) -> String {
    format!("{PACKAGE_FOLDER}/{file}")
}

/// The package's files as JavaScript. They reach each other by relative imports, like an author's files.
fn lower_package() -> Result<Vec<(String, String)>, PrepareError> {
    let exists = |path: &str| PACKAGE_FILES.iter().any(|(file, _)| modules_name(file) == path);
    let mut lowered = vec![(format!("{}/helpers/decorate", lower::INTERNAL), DECORATE.to_owned())];
    for (file, text) in PACKAGE_FILES {
        let name = modules_name(file);
        let file =
            lower::lower(&name, text, &exists).map_err(|problems| PrepareError(format!("{name}: {problems:?}")))?;
        lowered.push((name, file.code));
    }
    Ok(lowered)
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

/// Tells a guest past its deadline to stop, again and again, until the host says it is out. Its thread is there before the
/// sandbox closes, which lets no thread begin.
pub(crate) struct Watchdog {
    shared: Arc<Watch>,
    thread: std::thread::Thread,
}

struct Watch {
    deadline: OnceLock<Option<Instant>>,
    done: AtomicBool,
    late: AtomicBool,
}

impl Watchdog {
    fn start(handle: v8::IsolateHandle) -> Result<Self, PrepareError> {
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

    fn watch(&self, deadline: Option<Instant>) {
        let _set_once = self.shared.deadline.set(deadline);
        self.thread.unpark();
    }

    /// Ends the watch. Answers whether the deadline had passed.
    fn stop(&self) -> bool {
        self.shared.done.store(true, Ordering::Release);
        self.thread.unpark();
        self.shared.late.load(Ordering::Acquire)
    }
}

impl Watch {
    fn keep(&self, handle: &v8::IsolateHandle) {
        while !self.done.load(Ordering::Acquire) {
            match self
                .deadline
                .get()
                .copied()
                .flatten()
                .map(|deadline| deadline.saturating_duration_since(Instant::now()))
            {
                Some(Duration::ZERO) => {
                    self.late.store(true, Ordering::Release);
                    handle.terminate_execution();
                    std::thread::park_timeout(TERMINATE_EVERY);
                }
                Some(left) => std::thread::park_timeout(left),
                None => std::thread::park(),
            }
        }
    }
}
