//! What is typed at the prompt, read into a command.

use svc_runtime::debugger::{Breakpoint, Where};

/// One line of the prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// Nothing was typed: a step is done again.
    Again,
    Help(String),
    Run,
    /// `c`, `n`, `s`, `o`.
    Step(Step),
    Break(Breakpoint),
    Breaks,
    Clear(Option<usize>),
    /// Whether to stop wherever something is thrown.
    Throws(bool),
    Backtrace,
    List(usize),
    /// So many frames outwards; inwards where negative.
    Move(i64),
    Locals,
    Watch(String),
    Watches,
    Unwatch(usize),
    Reload,
    Type(String),
    Registry,
    Ir(String),
    Diff(Option<String>),
    Routes {
        method: String,
        path: String,
    },
    Why(String),
    Subscribe(String),
    Use(Vec<String>),
    Clock(String),
    Bill {
        as_json: bool,
    },
    Invoice,
    Exit,
    /// Anything else is evaluated.
    Evaluate(String),
    /// A command that is not there, or asked in another way than it is there for.
    Unknown(String),
}

/// How it goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Go,
    Next,
    Into,
    Out,
}

impl Step {
    /// The protocol's word for it.
    pub(super) fn method(self) -> &'static str {
        match self {
            Step::Go => "resume",
            Step::Next => "stepOver",
            Step::Into => "stepInto",
            Step::Out => "stepOut",
        }
    }
}

/// Lines that `.list` shows around the place.
const LIST_LINES: usize = 5;

/// Every command: its name, what goes with it, and what it does.
pub(super) const COMMANDS: &[(&str, &str, &str)] = &[
    (".run", "", "run the product from its beginning, to the first breakpoint or to its end"),
    (".break", "FILE:LINE[:COLUMN] [if EXPR]", "stop there, where the condition holds"),
    (".break", "@Plan [if EXPR]", "stop at every decorator of a kind"),
    (".breaks", "", "the breakpoints"),
    (".clear", "[N]", "take a breakpoint away, or all"),
    (".throws", "on|off", "stop wherever something is thrown, caught or not"),
    ("c", "", "go on"),
    ("n", "", "next: step over calls"),
    ("s", "", "step into the call"),
    ("o", "", "out: to whoever called; Enter repeats c, n, s and o"),
    (".bt", "", "the calls, innermost first"),
    (".list", "[N]", "the lines around the place"),
    (".up", "", "look at the caller's frame"),
    (".down", "", "and back"),
    (".locals", "", "the names of the frame"),
    (".watch", "[EXPR]", "show a value at every stop; without one, list them"),
    (".unwatch", "N", "show it no more"),
    ("EXPR", "", "evaluate TypeScript in the frame, or at the end of the product in its top level"),
    (".type", "EXPR", "what kind of value it is"),
    (".registry", "", "what the decorators recorded"),
    (".ir", "[PATH]", "the manifest, or a part of it: .ir plans.starter"),
    (".diff", "[FILE|release]", "what changed against product-build.json, another one, or the active release"),
    (".routes", "METHOD /PATH", "which route answers, and why"),
    (".why", "PATH", "where a value of the manifest was written: .why plans.starter.price"),
    (".subscribe", "PLAN", "publish to a service of your own, in memory, and subscribe"),
    (".use", "METER UNITS", "report usage"),
    (".use", "\"METHOD /PATH\" STATUS [REPORTS]", "report a served request"),
    (".clock", "[+15d|MOMENT]", "the service's clock; move it"),
    (".bill", "[json]", "the bill preview, as the service answers it"),
    (".invoice", "", "close what has ended; what the open period would come to"),
    (".reload", "", "read the files again"),
    (".help", "[COMMAND]", "this"),
    (".exit", "", "leave; Ctrl-D does, too"),
];

/// Reads a line. The letters step only where the product `is_paused`; else they are names.
pub(super) fn parse(line: &str, is_paused: bool) -> Command {
    let line = line.trim();
    let (head, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let number = || rest.parse::<usize>().ok();
    match head {
        "" => Command::Again,
        "c" | "n" | "s" | "o" if rest.is_empty() && is_paused => Command::Step(step(head)),
        ".c" | ".n" | ".s" | ".o" if rest.is_empty() => Command::Step(step(head)),
        ".run" => Command::Run,
        ".break" => breakpoint(rest).map_or_else(|| misused(".break"), Command::Break),
        ".breaks" => Command::Breaks,
        ".clear" if rest.is_empty() => Command::Clear(None),
        ".clear" => number().map_or_else(|| misused(head), |number| Command::Clear(Some(number))),
        ".throws" if matches!(rest, "on" | "off") => Command::Throws(rest == "on"),
        ".bt" => Command::Backtrace,
        ".list" if rest.is_empty() => Command::List(LIST_LINES),
        ".list" => number().map_or_else(|| misused(head), Command::List),
        ".up" => Command::Move(1),
        ".down" => Command::Move(-1),
        ".locals" => Command::Locals,
        ".watch" if rest.is_empty() => Command::Watches,
        ".watch" => Command::Watch(rest.to_owned()),
        ".unwatch" => number().map_or_else(|| misused(head), Command::Unwatch),
        ".reload" => Command::Reload,
        ".type" if !rest.is_empty() => Command::Type(rest.to_owned()),
        ".registry" => Command::Registry,
        ".ir" => Command::Ir(rest.to_owned()),
        ".diff" => Command::Diff((!rest.is_empty()).then(|| rest.to_owned())),
        ".routes" => routes(rest).unwrap_or_else(|| misused(head)),
        ".why" if !rest.is_empty() => Command::Why(rest.to_owned()),
        ".subscribe" if !rest.is_empty() => Command::Subscribe(rest.to_owned()),
        ".use" => words(rest).filter(|words| words.len() >= 2).map_or_else(|| misused(head), Command::Use),
        ".clock" => Command::Clock(rest.to_owned()),
        ".bill" => Command::Bill { as_json: rest == "json" },
        ".invoice" => Command::Invoice,
        ".help" => Command::Help(rest.to_owned()),
        ".exit" => Command::Exit,
        _ if head.starts_with('.') && head.len() > 1 && head.chars().nth(1).is_some_and(char::is_alphabetic) => {
            misused(head)
        }
        _ => Command::Evaluate(line.to_owned()),
    }
}

fn step(head: &str) -> Step {
    match head.trim_start_matches('.') {
        "n" => Step::Next,
        "s" => Step::Into,
        "o" => Step::Out,
        _ => Step::Go,
    }
}

fn misused(name: &str) -> Command {
    Command::Unknown(name.to_owned())
}

fn breakpoint(text: &str) -> Option<Breakpoint> {
    let (place, condition) = match text.split_once(" if ") {
        Some((place, condition)) => (place.trim(), Some(condition.trim().to_owned())),
        None => (text, None),
    };
    if let Some(kind) = place.strip_prefix('@') {
        let is_name = !kind.is_empty() && kind.chars().all(char::is_alphanumeric);
        return is_name.then(|| Breakpoint { at: Where::Decorator(kind.to_owned()), condition });
    }
    let (file, line) = place.split_once(':')?;
    let (line, column) = line.split_once(':').unwrap_or((line, "1"));
    let (line, column) = (line.parse().ok()?, column.parse().ok()?);
    let at = Where::Line { file: file.to_owned(), line, column };
    (!file.is_empty() && line > 0 && column > 0).then_some(Breakpoint { at, condition })
}

fn routes(rest: &str) -> Option<Command> {
    let (method, path) = rest.split_once(char::is_whitespace)?;
    let (method, path) = (method.to_uppercase(), path.trim().to_owned());
    path.starts_with('/').then_some(Command::Routes { method, path })
}

/// The words of a text; one in quotes is one, and what begins with a brace goes on to the end.
fn words(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (word, more) = if let Some(quoted) = rest.strip_prefix('"') {
            quoted.split_once('"')?
        } else if rest.starts_with('{') {
            (rest, "")
        } else {
            rest.split_once(char::is_whitespace).unwrap_or((rest, ""))
        };
        words.push(word.to_owned());
        rest = more.trim();
    }
    Some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_they_are_meant() {
        let line = |file: &str, line| Where::Line { file: file.to_owned(), line, column: 1 };
        let stop =
            |at, condition: Option<&str>| Command::Break(Breakpoint { at, condition: condition.map(str::to_owned) });
        for (text, command) in [
            ("", Command::Again),
            ("n", Command::Step(Step::Next)),
            ("n + 1", Command::Evaluate("n + 1".to_owned())),
            (".break prices.ts:4", stop(line("prices.ts", 4), None)),
            (".break prices.ts:4 if plan === \"a if b\"", stop(line("prices.ts", 4), Some("plan === \"a if b\""))),
            (".break @Plan", stop(Where::Decorator("Plan".to_owned()), None)),
            (".break", Command::Unknown(".break".to_owned())),
            (".break a.ts:0", Command::Unknown(".break".to_owned())),
            (".routes get /v1/a", Command::Routes { method: "GET".to_owned(), path: "/v1/a".to_owned() }),
            (".5 + 1", Command::Evaluate(".5 + 1".to_owned())),
            (".brake", Command::Unknown(".brake".to_owned())),
            (
                ".use \"POST /v1/jobs\" 201 { \"a\": 1 }",
                Command::Use(vec!["POST /v1/jobs".to_owned(), "201".to_owned(), "{ \"a\": 1 }".to_owned()]),
            ),
        ] {
            assert_eq!(parse(text, true), command, "{text}");
        }
        assert_eq!(parse("n", false), Command::Evaluate("n".to_owned()));
    }
}
