//! Where lines come from and where answers go: a terminal with an editor, a script on standard input, or frames of JSON.

use super::command::COMMANDS;
use super::highlight::highlighted;
use crate::global::Exit;
use crate::output::CommandError;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Config, Context, Editor, Helper};
use serde_json::{Value as Json, json};
use std::borrow::Cow;
use std::io::{self, BufRead, IsTerminal, Write};
use svc_engine::text::visible;
use svc_runtime::debugger::{Place, Typed, typed};

/// The prompt.
const PROMPT: &str = "> ";
/// Lines that the editor remembers.
const HISTORY_MAX: usize = 1_000;
/// Longest line that is taken, in bytes.
const LINE_MAX_BYTES: u64 = 1 << 20;

/// What was typed.
pub(super) enum Line {
    Typed(String),
    /// Ctrl-C at the prompt: the line is given up.
    GivenUp,
    End,
}

/// The three ways to talk.
pub(super) enum Talk {
    Terminal(Box<Editor<Typing, MemHistory>>),
    Script,
    Frames,
}

impl Talk {
    /// The way that fits: an editor where a person types.
    ///
    /// # Errors
    /// Where the terminal can't be used.
    pub(super) fn new(frames: bool, color: bool) -> Result<Talk, CommandError> {
        if frames {
            return Ok(Talk::Frames);
        }
        if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
            return Ok(Talk::Script);
        }
        let unusable = |error: ReadlineError| CommandError::new(Exit::Unreachable, "TERMINAL", error.to_string());
        let config = Config::builder().max_history_size(HISTORY_MAX).map_err(unusable)?.build();
        let history = MemHistory::with_config(&config);
        let mut editor = Editor::with_history(config, history).map_err(unusable)?;
        editor.set_helper(Some(Typing { names: Vec::new(), color }));
        Ok(Talk::Terminal(Box::new(editor)))
    }

    /// The next line. What goes on over several lines is one.
    pub(super) fn read(&mut self) -> Line {
        match self {
            Talk::Terminal(editor) => match editor.readline(PROMPT) {
                Ok(line) => {
                    let _remembered = editor.add_history_entry(line.as_str());
                    Line::Typed(line)
                }
                Err(ReadlineError::Interrupted) => Line::GivenUp,
                Err(_) => Line::End,
            },
            Talk::Script => {
                let line = joined();
                if let Line::Typed(line) = &line {
                    // What was typed stands in the transcript, as on a screen.
                    print(&line.lines().map(|line| format!("{PROMPT}{line}\n")).collect::<String>());
                    if line.is_empty() {
                        print(&format!("{PROMPT}\n"));
                    }
                }
                line
            }
            Talk::Frames => match line() {
                Some(text) => {
                    let frame: Json = serde_json::from_str(&text).unwrap_or_default();
                    Line::Typed(frame.get("line").and_then(Json::as_str).unwrap_or_default().to_owned())
                }
                None => Line::End,
            },
        }
    }

    /// What completion offers from now on.
    pub(super) fn offer(&mut self, names: Vec<String>) {
        if let Talk::Terminal(editor) = self
            && let Some(helper) = editor.helper_mut()
        {
            helper.names = names;
        }
    }

    /// Whether a person types.
    pub(super) fn is_terminal(&self) -> bool {
        matches!(self, Talk::Terminal(_))
    }

    /// Shows an answer, and in frames where the product stands.
    pub(super) fn tell(&self, text: &str, (state, place): (&str, Option<&Place>)) {
        let text = visible(text);
        if let Talk::Frames = self {
            let at = place.map(
                |place| json!({ "file": place.file, "line": place.position.line, "column": place.position.column }),
            );
            print(&format!("{}\n", json!({ "text": text, "state": state, "at": at })));
        } else if !text.is_empty() {
            print(&format!("{text}\n"));
        }
    }
}

/// A line of a script, with those that it goes on in.
fn joined() -> Line {
    let Some(mut text) = line() else { return Line::End };
    while is_open(&text) {
        let Some(more) = line() else { break };
        text = format!("{text}\n{more}");
    }
    Line::Typed(text)
}

fn is_open(text: &str) -> bool {
    let is_code = !text.trim_start().starts_with('.') && !text.trim().is_empty();
    is_code && typed(text) == Typed::Unfinished
}

fn line() -> Option<String> {
    let mut text = String::new();
    let read = io::Read::take(io::stdin().lock(), LINE_MAX_BYTES).read_line(&mut text).ok()?;
    (read > 0).then(|| text.trim_end_matches(['\n', '\r']).to_owned())
}

fn print(text: &str) {
    let mut out = io::stdout().lock();
    let _broken_pipe = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// What the editor asks while a person types.
pub(super) struct Typing {
    names: Vec<String>,
    color: bool,
}

impl Helper for Typing {}

impl Hinter for Typing {
    type Hint = String;
}

impl Completer for Typing {
    type Candidate = String;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        let before = line.get(..at).unwrap_or_default();
        if before.starts_with('.') && !before.contains(' ') {
            let mut all: Vec<String> = COMMANDS.iter().map(|(name, ..)| (*name).to_owned()).collect();
            all.retain(|name| name.starts_with(before));
            all.dedup();
            return Ok((0, all));
        }
        let is_name = |char: char| char.is_alphanumeric() || matches!(char, '_' | '$');
        let start = before.rfind(|char| !is_name(char)).map_or(0, |end| end.saturating_add(1));
        let (begun, member) = (before.get(start..).unwrap_or_default(), before.get(..start).unwrap_or_default());
        // What is inside a value is not asked for: that could run the product's code.
        let offered = self.names.iter().filter(|name| !member.ends_with('.') && name.starts_with(begun)).cloned();
        Ok((start, offered.collect()))
    }
}

impl Validator for Typing {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        Ok(if is_open(context.input()) { ValidationResult::Incomplete } else { ValidationResult::Valid(None) })
    }
}

impl Highlighter for Typing {
    fn highlight<'l>(&self, line: &'l str, _: usize) -> Cow<'l, str> {
        if self.color { Cow::Owned(highlighted(line)) } else { Cow::Borrowed(line) }
    }

    fn highlight_char(&self, _: &str, _: usize, _: CmdKind) -> bool {
        self.color
    }
}
