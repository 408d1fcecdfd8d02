//! V8's inspector in a debugging worker: the protocol's messages come and go as frames on the worker's socket. While the guest is paused
//! its thread takes messages from the inbox and dispatches them, until one lets it go on. No other worker has an inspector.

pub(crate) mod inbox;
mod raw;

use crate::frame::{self, ANSWER_MAX_BYTES, Reply};
use crate::isolate::watch_heap_first;
use crate::sandbox;
use inbox::{Inbox, Message};
use raw::{Asking, OnInterrupt};
use serde_json::{Value as Json, json};
use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::io;
use std::mem::ManuallyDrop;
use std::rc::Rc;
use std::sync::Arc;
use v8::UniquePtr;
use v8::inspector::{
    Channel, ChannelImpl, StringBuffer, StringView, V8Inspector, V8InspectorClient, V8InspectorClientImpl,
    V8InspectorClientTrustLevel, V8InspectorSession,
};

/// The one group of contexts.
const GROUP: i32 = 1;
/// What has V8 watch the heap in its own way.
const DEBUGGER_ENABLE: &str = "Debugger.enable";
/// What evaluates outside of a frame, and in one.
const EVALUATE: &str = "Runtime.evaluate";
const EVALUATE_IN_FRAME: &str = "Debugger.evaluateOnCallFrame";
/// What asks for names beside the product's, such as `$0` and `keys`, while it evaluates.
const COMMAND_LINE: &str = "includeCommandLineAPI";
/// After how much time an evaluation is to end: a limit of its own, inside the run's.
const TIMEOUT: &str = "timeout";
/// What calls a function, and which of its parameters is that function's text.
const CALL: &str = "Runtime.callFunctionOn";
const FUNCTION: &str = "functionDeclaration";
/// What would take a thread, which the sandbox lets nobody start, or wait for work that no loop of ours does.
const REFUSED: &[&str] = &["Profiler.start", "HeapProfiler.takeHeapSnapshot", "HeapProfiler.collectGarbage"];
/// The protocol's code for a method that is not there.
const METHOD_NOT_FOUND: i32 = -32_601;
/// The name by which such functions turn code made from text off.
const SEAL: &str = "$svc$seal";
/// What debuggers read of the context: that it is the one to evaluate in.
const AUX_DATA: &str = r#"{"isDefault":true,"type":"default"}"#;
/// The reason for a stop at the first statement, in the word that editors know.
const BREAK_ON_START: &str = "Break on start";
/// Exit status of a debugging worker whose parent is gone.
const EXIT_ORPHAN: i32 = 85;

/// Says something to the parent. A worker without one ends.
pub(crate) fn say(reply: &Reply) {
    if frame::write(&mut io::stdout().lock(), reply, ANSWER_MAX_BYTES).is_err() {
        sandbox::raw::leave(EXIT_ORPHAN);
    }
}

/// The inspector of one isolate, with its one session.
pub(crate) struct Inspector {
    shared: Rc<Shared>,
    /// Never taken down: the process ends.
    _inspector: ManuallyDrop<V8Inspector>,
}

/// What V8's callbacks need.
struct Shared {
    inbox: Arc<Inbox>,
    session: OnceCell<V8InspectorSession>,
    /// Whether the guest is stopped: the loop that takes messages goes on.
    stopped: Cell<bool>,
    context: v8::Global<v8::Context>,
    isolate: Asking,
    url_prefix: String,
}

impl Inspector {
    /// Connects a session. V8 reports from now on what it compiles, under `url_prefix` and the file's path.
    pub(crate) fn attach(
        isolate: &mut v8::OwnedIsolate,
        context: &v8::Global<v8::Context>,
        inbox: Arc<Inbox>,
        url_prefix: String,
    ) -> Inspector {
        let shared = Rc::new(Shared {
            inbox,
            session: OnceCell::new(),
            stopped: Cell::new(false),
            context: context.clone(),
            isolate: Asking::new(isolate),
            url_prefix,
        });
        let inspector = V8Inspector::create(isolate, V8InspectorClient::new(Box::new(Client(Rc::clone(&shared)))));
        {
            v8::scope_with_context!(scope, isolate, context);
            let _without_it_no_function_can_be_called = declare_seal(scope);
            let context = v8::Local::new(scope, context);
            let (name, aux_data) = (StringView::from(&b"product"[..]), StringView::from(AUX_DATA.as_bytes()));
            inspector.context_created(context, GROUP, name, aux_data);
        }
        let trust = V8InspectorClientTrustLevel::FullyTrusted;
        let session = inspector.connect(GROUP, Channel::new(Box::new(Outlet)), StringView::empty(), trust);
        let _set_once = shared.session.set(session);
        let there = Rc::clone(&shared);
        isolate.set_slot(OnInterrupt(Rc::new(move || there.dispatch_urgent())));
        Inspector { shared, _inspector: ManuallyDrop::new(inspector) }
    }

    /// Takes messages before anything runs, until the debugger says that it may.
    pub(crate) fn wait_for_debugger(&self) {
        self.shared.take_messages();
    }

    /// Has the guest stop at the first statement that it runs.
    pub(crate) fn pause_at_first_statement(&self) {
        if let Some(session) = self.shared.session.get() {
            let (reason, detail) = (StringView::from(BREAK_ON_START.as_bytes()), StringView::from(&b"{}"[..]));
            session.schedule_pause_on_next_statement(reason, detail);
        }
    }

    /// The next message for a guest that has run to its end.
    pub(crate) fn next(&self) -> Message {
        self.shared.inbox.wait()
    }

    /// Hands a message to V8.
    pub(crate) fn dispatch(&self, message: &str) {
        self.shared.dispatch(message);
    }
}

impl Shared {
    fn dispatch(&self, message: &str) {
        let Some(session) = self.session.get() else { return };
        let message = &match adapted(message) {
            Ok(message) => message,
            Err(refusal) => return say(&Reply::Cdp(refusal.to_string())),
        };
        if message.is_ascii() {
            session.dispatch_protocol_message(StringView::from(message.as_bytes()));
        } else {
            let units: Vec<u16> = message.encode_utf16().collect();
            session.dispatch_protocol_message(StringView::from(units.as_slice()));
        }
        if message.contains(DEBUGGER_ENABLE) {
            self.isolate.with(watch_heap_first);
        }
    }

    fn dispatch_urgent(&self) {
        // A stopped guest's loop takes them itself.
        if !self.stopped.get() {
            self.inbox.take_urgent().iter().for_each(|message| self.dispatch(message));
        }
    }

    fn take_messages(&self) {
        // What is evaluated while the guest waits for its start may stop, too.
        let before = self.stopped.replace(true);
        say(&Reply::Stopped);
        let mut looks = 0_usize;
        while self.stopped.get() {
            match self.inbox.wait() {
                Message::Cdp(text) => self.dispatch(&text),
                // Asked of what is evaluated at the end, and stopped: when that is done.
                Message::Look => looks = looks.saturating_add(1),
                Message::End => sandbox::raw::leave(EXIT_ORPHAN),
            }
        }
        self.stopped.set(before);
        self.inbox.put_back(looks);
        say(&Reply::Running);
    }
}

/// The message, such that code made from text stays off while it runs, and that it can run. V8 turns code made from text on for whoever
/// evaluates unless it is told not to, and for every function that a debugger calls. The names that debuggers' consoles ask for it would
/// put on the global object, which is frozen: with them, nothing is evaluated at all. And a limit of an evaluation's own takes a thread,
/// which the sandbox lets nobody start: the run's limits are what holds.
///
/// # Errors
/// The answer to what can't be done here.
fn adapted(message: &str) -> Result<Cow<'_, str>, Json> {
    let as_it_is = Ok(Cow::Borrowed(message));
    let Ok(Json::Object(mut call)) = serde_json::from_str::<Json>(message) else { return as_it_is };
    let method = call.get("method").and_then(Json::as_str).unwrap_or_default().to_owned();
    if REFUSED.contains(&method.as_str()) {
        let text = format!("{method} is not to be had: a product is debugged in its sandbox, not profiled");
        return Err(json!({ "id": call.get("id"), "error": { "code": METHOD_NOT_FOUND, "message": text } }));
    }
    let Json::Object(params) = call.entry("params").or_insert_with(|| json!({})) else { return as_it_is };
    match method.as_str() {
        EVALUATE => {
            params.insert("allowUnsafeEvalBlockedByCSP".to_owned(), json!(false));
            params.retain(|name, _| name != COMMAND_LINE && name != TIMEOUT);
        }
        EVALUATE_IN_FRAME => params.retain(|name, _| name != COMMAND_LINE && name != TIMEOUT),
        CALL => {
            let Some(function) = params.get(FUNCTION).and_then(Json::as_str) else { return as_it_is };
            let sealed =
                format!("function(...$svc$args) {{ {SEAL}(); return ({function}\n).apply(this, $svc$args); }}");
            params.insert(FUNCTION.to_owned(), json!(sealed));
        }
        _ => return as_it_is,
    }
    Ok(Cow::Owned(Json::Object(call).to_string()))
}

/// Gives functions that a debugger calls the name by which they turn code made from text off again.
fn declare_seal(scope: &mut v8::PinScope<'_, '_>) -> Option<()> {
    // To V8 it has no effect: a debugger's functions that must have none call it, too.
    let seal = v8::Function::builder(seal).side_effect_type(v8::SideEffectType::HasNoSideEffect).build(scope)?;
    let code = v8::String::new(scope, &format!("let {SEAL}; (seal) => {{ {SEAL} = seal; }}"))?;
    let taker = v8::Script::compile(scope, code, None)?.run(scope)?;
    let undefined = v8::undefined(scope).into();
    v8::Local::<v8::Function>::try_from(taker).ok()?.call(scope, undefined, &[seal.into()]).map(|_| ())
}

fn seal(scope: &mut v8::PinScope<'_, '_>, _: v8::FunctionCallbackArguments<'_>, _: v8::ReturnValue<'_>) {
    scope.get_current_context().set_allow_generation_from_strings(false);
}

struct Client(Rc<Shared>);

impl V8InspectorClientImpl for Client {
    fn run_message_loop_on_pause(&self, _group: i32) {
        self.0.take_messages();
    }

    fn quit_message_loop_on_pause(&self) {
        self.0.stopped.set(false);
    }

    fn run_if_waiting_for_debugger(&self, _group: i32) {
        self.0.stopped.set(false);
    }

    fn ensure_default_context_in_group(&self, _group: i32) -> Option<v8::Local<'_, v8::Context>> {
        Some(self.0.isolate.context(&self.0.context))
    }

    fn resource_name_to_url(&self, name: &StringView<'_>) -> Option<UniquePtr<StringBuffer>> {
        // What is typed has no name.
        if name.is_empty() {
            return None;
        }
        let url: Vec<u16> = format!("{}{name}", self.0.url_prefix).encode_utf16().collect();
        Some(StringBuffer::create(StringView::from(url.as_slice())))
    }
}

/// Where V8's own messages go.
struct Outlet;

impl ChannelImpl for Outlet {
    fn send_response(&self, call: i32, message: UniquePtr<StringBuffer>) {
        if !send(message) {
            let error = json!({ "code": -32_000, "message": "the answer is too long" });
            say(&Reply::Cdp(json!({ "id": call, "error": error }).to_string()));
        }
    }

    fn send_notification(&self, message: UniquePtr<StringBuffer>) {
        // One that is too long is about a text that nobody can read either.
        let _sent = send(message);
    }

    fn flush_protocol_notifications(&self) {}
}

/// Sends a message, where it is not too long.
fn send(message: UniquePtr<StringBuffer>) -> bool {
    let Some(message) = message.as_ref() else { return false };
    let reply = Reply::Cdp(message.string().to_string());
    match frame::write(&mut io::stdout().lock(), &reply, ANSWER_MAX_BYTES) {
        Ok(()) => true,
        // Not a byte of it was written.
        Err(error) if error.kind() == io::ErrorKind::InvalidData => false,
        Err(_) => sandbox::raw::leave(EXIT_ORPHAN),
    }
}
