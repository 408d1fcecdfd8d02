//! How a command speaks: the result to standard output, the talk to standard error; for people, or as one JSON envelope.

use crate::global::{ColorChoice, Exit, Format, Global};
use serde_json::{Map, Value as Json, json};
use std::io::{self, IsTerminal, Write};
use svc_engine::diagnostic::Diagnostic;
use svc_engine::text::is_unsafe;
pub(crate) use svc_engine::text::visible;

/// Version of the envelope.
const SCHEMA_VERSION: u32 = 1;

/// Where and how to speak.
pub(crate) struct Output {
    pub(crate) format: Format,
    pub(crate) color: bool,
    pub(crate) quiet: bool,
    pub(crate) verbose: u8,
}

/// Why a command did not do what it was asked.
pub(crate) struct CommandError {
    pub(crate) exit: Exit,
    pub(crate) code: String,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
}

impl CommandError {
    pub(crate) fn new(exit: Exit, code: impl Into<String>, message: impl Into<String>) -> Self {
        CommandError { exit, code: code.into(), message: message.into(), hint: None }
    }

    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    pub(crate) fn with_hint_of(mut self, hint: Option<&str>) -> Self {
        self.hint = hint.map(str::to_owned);
        self
    }

    /// As the envelope has it.
    pub(crate) fn json(&self) -> Json {
        json!({ "code": self.code, "message": self.message, "hint": self.hint })
    }
}

/// A failure, with the diagnostics that explain it.
pub(crate) struct Rejected {
    pub(crate) failure: CommandError,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl From<CommandError> for Rejected {
    fn from(failure: CommandError) -> Self {
        Rejected { failure, diagnostics: Vec::new() }
    }
}

impl Output {
    pub(crate) fn new(global: &Global) -> Self {
        let color = match global.color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
        };
        Output { format: global.format, color, quiet: global.quiet, verbose: global.verbose }
    }

    /// The result: `human` for people, `data` in the envelope.
    pub(crate) fn done(&self, op: &str, human: &str, data: Json) -> Exit {
        match self.format {
            Format::Human => print(human),
            _ => print_json(&json!({ "schemaVersion": SCHEMA_VERSION, "ok": true, "op": op, "data": data })),
        }
        Exit::Done
    }

    /// A result for people, of a command that fails all the same.
    pub(crate) fn result(&self, human: &str) {
        if self.format == Format::Human {
            print(human);
        }
    }

    /// A document of its own form, in place of an envelope.
    pub(crate) fn document(&self, document: &Json) {
        print_json(document);
    }

    /// The failure, with the diagnostics that explain it.
    pub(crate) fn failed(&self, op: &str, failure: CommandError, diagnostics: &[Diagnostic]) -> Exit {
        self.failed_with(op, failure, diagnostics, Map::new())
    }

    /// The failure, with more that the envelope holds.
    pub(crate) fn failed_with(
        &self,
        op: &str,
        failure: CommandError,
        diagnostics: &[Diagnostic],
        more: Map<String, Json>,
    ) -> Exit {
        if self.format == Format::Human {
            self.say(&format!("svc: {}: {}", visible(&failure.code), visible(&failure.message)));
            if let Some(hint) = &failure.hint {
                self.say(&format!("  hint: {}", visible(hint)));
            }
            return failure.exit;
        }
        let mut envelope = json!({
            "schemaVersion": SCHEMA_VERSION,
            "ok": false,
            "op": op,
            "error": failure.json(),
            "diagnostics": diagnostics,
        });
        if let Json::Object(envelope) = &mut envelope {
            envelope.extend(more);
        }
        print_json(&envelope);
        failure.exit
    }

    /// Talk that a failure needs, quiet or not.
    pub(crate) fn say(&self, text: &str) {
        let _broken_pipe = writeln!(io::stderr(), "{text}");
    }

    /// A question, whose answer is typed behind it.
    pub(crate) fn ask(&self, question: &str) {
        let mut talk = io::stderr();
        let _gone_terminal = write!(talk, "{question}").and_then(|()| talk.flush());
    }

    /// Talk that quiet leaves out.
    pub(crate) fn note(&self, text: &str) {
        if !self.quiet {
            self.say(text);
        }
    }
}

fn print(text: &str) {
    if !text.is_empty() {
        let _broken_pipe = writeln!(io::stdout(), "{text}");
    }
}

/// Inside JSON such characters can only stand in texts, where an escape means the same.
fn print_json(json: &Json) {
    let mut text = String::new();
    for char in json.to_string().chars() {
        if is_unsafe(char) {
            let mut units = [0; 2];
            text.extend(char.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")));
        } else {
            text.push(char);
        }
    }
    print(&text);
}

/// So many of a thing: `1 error`, `2 errors`.
pub(crate) fn plural(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}
