//! Arguments that are wrong, as an envelope says so: what was asked is known only in parts.

use crate::global::Exit;
use crate::output::CommandError;
use clap::Command;
use std::ffi::OsString;

/// Whether an envelope is asked for, by arguments of which something else is wrong.
pub(crate) fn wants_json(arguments: &[OsString]) -> bool {
    let mut rest = arguments.iter().skip(1).take_while(|argument| *argument != "--").filter_map(|text| text.to_str());
    let mut said = None;
    while let Some(argument) = rest.next() {
        match argument.strip_prefix("--format") {
            Some("") => said = rest.next(),
            Some(value) => said = value.strip_prefix('=').or(said),
            None => {}
        }
    }
    said.map_or_else(
        || std::env::var_os("SVC_FORMAT").is_some_and(|format| format == "json"),
        |format| format == "json",
    )
}

/// The command that arguments name, as envelopes call it; the program itself where they name none.
pub(crate) fn operation(program: &Command, arguments: &[OsString]) -> String {
    let (mut command, mut words) = (program, Vec::new());
    for argument in arguments.iter().skip(1) {
        let Some(below) = command.find_subcommand(argument) else { continue };
        words.push(below.get_name());
        command = below;
    }
    if words.is_empty() { "svc".to_owned() } else { words.join(" ") }
}

/// A mistake in the arguments, without the lines that say how the command is used.
pub(crate) fn mistaken(error: &clap::Error) -> CommandError {
    let text = error.render().to_string();
    let (what, hints) = text.split_once("\n\n").unwrap_or((&text, ""));
    let what = what.trim_start_matches("error: ").split_whitespace().collect::<Vec<_>>().join(" ");
    let hint = hints.lines().map(str::trim).find_map(|line| line.strip_prefix("tip: "));
    CommandError::new(Exit::Usage, "USAGE", what).with_hint_of(hint)
}
