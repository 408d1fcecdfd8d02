//! Turns what V8 threw into a diagnostic at the author's line, reading V8's own message and frames: no `.stack`, no getter,
//! no `toString` of the author's runs.

use super::Graph;
use super::state::GuestState;
use crate::lower;
use svc_engine::diagnostic::{Code, Diagnostic};
use svc_engine::rules::suggest;
use svc_engine::source::{Position, Span};
use svc_engine::sources::{ENTRY, Sources};

/// What V8 puts in front of an uncaught error's text.
const UNCAUGHT: &str = "Uncaught ";
/// How the hardened built-ins name their errors.
const BANNED: &str = "BannedApi: ";
/// Most of an author's error that is looked at, in characters: more than a diagnostic carries.
const TEXT_MAX_CHARS: usize = 1_000;
/// Most promises that failed unhandled that are told.
const UNHANDLED_MAX: usize = 20;
/// Names that a product might look for and a build does not have.
const ABSENT: &[&str] = &[
    "Atomics",
    "Buffer",
    "Bun",
    "Deno",
    "FinalizationRegistry",
    "Intl",
    "ShadowRealm",
    "SharedArrayBuffer",
    "Temporal",
    "WeakRef",
    "WebAssembly",
    "Worker",
    "__bootstrap",
    "__dirname",
    "__filename",
    "alert",
    "clearInterval",
    "clearTimeout",
    "console",
    "crypto",
    "exports",
    "fetch",
    "gc",
    "location",
    "module",
    "navigator",
    "performance",
    "process",
    "queueMicrotask",
    "require",
    "self",
    "setImmediate",
    "setInterval",
    "setTimeout",
    "structuredClone",
    "window",
    "global",
    "XMLHttpRequest",
    "WebSocket",
    "localStorage",
    "document",
    "URL",
    "URLSearchParams",
    "TextEncoder",
    "TextDecoder",
    "AbortController",
    "AbortSignal",
    "Event",
    "EventTarget",
    "atob",
    "btoa",
];

pub(crate) struct Reporter<'g> {
    pub(crate) graph: &'g Graph,
    pub(crate) sources: &'g Sources,
}

impl Reporter<'_> {
    /// The diagnostic of what a scope caught; nothing when it was terminated or caught nothing.
    pub(crate) fn caught(
        &self,
        scope: &mut v8::PinnedRef<'_, v8::TryCatch<'_, '_, v8::HandleScope<'_>>>,
    ) -> Option<Diagnostic> {
        if scope.has_terminated() {
            return None;
        }
        let exception = scope.exception()?;
        let message = scope.message();
        scope.reset();
        Some(self.diagnostic(scope, exception, message))
    }

    /// What is wrong with how the entry's evaluation ended: it failed, it waits for ever, or a promise nobody handles failed.
    pub(crate) fn settled(
        &self,
        scope: &mut v8::PinScope<'_, '_>,
        completion: v8::Local<'_, v8::Value>,
        state: &GuestState,
    ) -> Option<Vec<Diagnostic>> {
        let promise = v8::Local::<v8::Promise>::try_from(completion).ok()?;
        match promise.state() {
            v8::PromiseState::Pending => {
                let message = "a top-level `await` never settles, so the product is never finished";
                let span = self.span_of_await();
                Some(vec![Diagnostic::new(Code::UnsettledAwait, message).with_span(span)])
            }
            v8::PromiseState::Rejected => {
                let reason = promise.result(scope);
                Some(vec![self.diagnostic(scope, reason, None)])
            }
            v8::PromiseState::Fulfilled => {
                let unhandled = state.unhandled.borrow_mut().take();
                let reasons: Vec<Diagnostic> = (unhandled.iter().take(UNHANDLED_MAX))
                    .map(|value| {
                        let reason = v8::Local::new(scope, value);
                        let diagnostic = self.diagnostic(scope, reason, None);
                        let message = format!("a promise failed and nobody handles it: {}", diagnostic.message);
                        diagnostic.with_message(message)
                    })
                    .collect();
                (!reasons.is_empty()).then_some(reasons)
            }
        }
    }

    fn diagnostic(
        &self,
        scope: &mut v8::PinScope<'_, '_>,
        exception: v8::Local<'_, v8::Value>,
        message: Option<v8::Local<'_, v8::Message>>,
    ) -> Diagnostic {
        let made = message.unwrap_or_else(|| v8::Exception::create_message(scope, exception));
        let text = made.get(scope);
        let text = beginning(scope, text);
        let text = text.strip_prefix(UNCAUGHT).unwrap_or(&text);
        let mut span = self.span(scope, made);
        let file = span.as_ref().and_then(|span| self.graph.get(&*span.file));
        let text = &file.map_or_else(|| text.to_owned(), |lowered| lowered.with_written_names(text));
        let told = match kind_of_error(scope, exception) {
            Some(kind) => format!("{kind}: {text}"),
            None => text.clone(),
        };
        let missing = missing_name(&told);
        if let Some(name) = missing {
            span = self.place_of_missing(name, span.as_ref()).or(span);
        }
        let mut problem = describe(&told).with_span(span);
        if let (Some(name), None) = (missing, &problem.hint) {
            problem.hint = help_with(name);
        }
        problem
    }

    /// Where a name stands that is not there. V8 blames what was evaluated last before it.
    fn place_of_missing(&self, name: &str, from: Option<&Span>) -> Option<Span> {
        let from = from?;
        let (lowered, text) = (self.graph.get(&*from.file)?, self.sources.get(&*from.file)?);
        lowered.missing(&from.file, super::without_mark(text), name, Some(from.start))
    }

    /// The diagnostic of modules that do not fit together: an import of a name that is not exported, as a rule.
    pub(crate) fn unlinked(
        &self,
        scope: &mut v8::PinnedRef<'_, v8::TryCatch<'_, '_, v8::HandleScope<'_>>>,
    ) -> Option<Diagnostic> {
        let mut problem = self.caught(scope)?;
        problem.code = Code::SyntaxError;
        let message = problem.message.replacen("the product threw: SyntaxError: ", "", 1);
        Some(problem.with_message(message))
    }

    /// The throw's own place when it lies in the author's files, else the innermost frame that does.
    pub(crate) fn span(&self, scope: &mut v8::PinScope<'_, '_>, message: v8::Local<'_, v8::Message>) -> Option<Span> {
        let resource = message.get_script_resource_name(scope).map(|name| name.to_rust_string_lossy(scope));
        let line = message.get_line_number(scope).unwrap_or(0);
        let own = resource.and_then(|file| self.written(&file, line, message.get_start_column().saturating_add(1)));
        if own.is_some() {
            return own;
        }
        // A value that is no error carries no place. When only one statement of the product throws such, it was that one.
        let Some(trace) = message.get_stack_trace(scope).filter(|trace| trace.get_frame_count() > 0) else {
            let mut throws = self.graph.values().flat_map(|lowered| &lowered.bare_throws);
            return throws.next().filter(|_| throws.next().is_none()).cloned();
        };
        (0..trace.get_frame_count()).find_map(|index| {
            let frame = trace.get_frame(scope, index)?;
            let file = frame.get_script_name(scope)?.to_rust_string_lossy(scope);
            self.written(&file, frame.get_line_number(), frame.get_column())
        })
    }

    /// The author's span for a place (from 1) of printed code.
    fn written(&self, file: &str, line: usize, column: usize) -> Option<Span> {
        let lowered = self.graph.get(file)?;
        let text = self.sources.get(file)?;
        let printed = Position { line: u32::try_from(line).ok()?, column: u32::try_from(column).ok()? };
        Some(lower::token_at(file, super::without_mark(text), lowered.written(printed)))
    }

    /// The first top-level `await`, the entry's before others': V8 does not tell which one waits.
    fn span_of_await(&self) -> Option<Span> {
        let entry = self.graph.get(ENTRY).into_iter().flat_map(|lowered| &lowered.awaits);
        entry.chain(self.graph.values().flat_map(|lowered| &lowered.awaits)).next().cloned()
    }
}

/// The first characters of a text of the guest's, however long it is.
fn beginning(scope: &mut v8::PinScope<'_, '_>, text: v8::Local<'_, v8::String>) -> String {
    let mut units = vec![0_u16; text.length().min(TEXT_MAX_CHARS)];
    text.write_v2(scope, 0, &mut units, v8::WriteFlags::empty());
    String::from_utf16_lossy(&units)
}

/// The class of an error that carries no name of its own. V8's text leaves it out, since the hardened prototypes keep their
/// names in accessors, which V8 does not call here.
fn kind_of_error(scope: &mut v8::PinScope<'_, '_>, exception: v8::Local<'_, v8::Value>) -> Option<String> {
    let error = v8::Local::<v8::Object>::try_from(exception).ok().filter(|_| exception.is_native_error())?;
    let name = v8::String::new(scope, "name")?;
    let named = error.has_own_property(scope, name.into())?;
    (!named).then(|| error.get_constructor_name().to_rust_string_lossy(scope))
}

/// The name that V8 says is not defined.
fn missing_name(text: &str) -> Option<&str> {
    text.strip_prefix("ReferenceError: ").and_then(|rest| rest.strip_suffix(" is not defined"))
}

/// What to write where a name of the package's is not imported, or is misspelled.
fn help_with(name: &str) -> Option<String> {
    let exports = super::package::exports();
    if exports.contains(&name) {
        return Some(format!("write `import {{ {name} }} from \"{}\"`", lower::sites::PACKAGE));
    }
    suggest::nearest(name, exports.iter().copied()).map(|near| format!("did you mean `{near}`?"))
}

/// Chooses the code by V8's text, and words the message.
fn describe(text: &str) -> Diagnostic {
    if let Some(message) = text.strip_prefix(BANNED) {
        let (message, hint) = message.split_once("; ").map_or((message, None), |(message, hint)| (message, Some(hint)));
        let diagnostic = Diagnostic::new(Code::BannedApi, message);
        return match hint {
            Some(hint) => diagnostic.with_hint(hint),
            None => diagnostic,
        };
    }
    if text.starts_with("EvalError: Code generation from strings disallowed") {
        return Diagnostic::new(
            Code::BannedApi,
            "code made from strings (`eval`, `Function`) is not available in a build",
        );
    }
    match missing_name(text).filter(|name| ABSENT.contains(name)) {
        Some(name) => Diagnostic::new(Code::BannedApi, format!("`{name}` is not available in a build")).with_hint(
            "a build is a function of its source: it has no clock, chance, network, timers, files or process",
        ),
        None => Diagnostic::new(Code::UncaughtException, format!("the product threw: {text}")),
    }
}
