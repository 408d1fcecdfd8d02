//! Every setting: the flags that have a variable, of all commands, of those that call a service, and of the server.

use crate::global::Global;
use crate::remote::Remote;
use crate::serve::ServeArgs;
use clap::builder::Resettable;
use clap::{Arg, ArgAction, Args, Command};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

/// What a setting's value is, as the file writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    Number,
    Switch,
    List,
}

impl Kind {
    /// As a sentence names it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Text => "a string",
            Kind::Number => "an integer",
            Kind::Switch => "true or false",
            Kind::List => "an array of strings",
        }
    }
}

/// One setting.
#[derive(Clone, Debug)]
pub(crate) struct Setting {
    /// The table of the file that its key is in; none for what is about every command.
    pub(crate) table: Option<&'static str>,
    /// Its key, which is its flag's name.
    pub(crate) key: String,
    /// Its variable.
    pub(crate) variable: String,
    pub(crate) kind: Kind,
    /// Whether its value is shown to nobody.
    pub(crate) is_secret: bool,
    /// The flag, as clap has it.
    pub(crate) arg: Arg,
}

impl Setting {
    fn of(table: Option<&'static str>, arg: &Arg) -> Option<Setting> {
        let (key, variable) = (arg.get_long()?.to_owned(), arg.get_env()?.to_str()?.to_owned());
        let called = arg.get_value_names().and_then(<[_]>::first).map(clap::builder::Str::as_str).unwrap_or_default();
        let kind = match arg.get_action() {
            ArgAction::SetTrue => Kind::Switch,
            ArgAction::Append => Kind::List,
            _ if called == TRUTH => Kind::Switch,
            _ if COUNTS.contains(&called) => Kind::Number,
            _ => Kind::Text,
        };
        // The file is no setting of the file's.
        let is_secret = arg.is_hide_env_values_set();
        (key != "config").then(|| Setting { table, key, variable, kind, is_secret, arg: arg.clone() })
    }

    /// `table.key`.
    pub(crate) fn name(&self) -> String {
        self.table.map_or_else(|| self.key.clone(), |table| format!("{table}.{}", self.key))
    }

    /// What it is unless something says otherwise.
    pub(crate) fn default(&self) -> String {
        let values = self.arg.get_default_values().iter();
        values.map(|value| value.to_string_lossy().into_owned()).collect::<Vec<_>>().join(",")
    }

    /// Whether the flag takes a value; if not, why not. `flags` has the flags of all settings.
    pub(super) fn check(&self, value: &str, flags: &Command) -> Result<(), String> {
        if self.kind == Kind::Switch {
            return Ok(());
        }
        let flag = format!("--{}={value}", self.key);
        flags.clone().try_get_matches_from(["svc", &flag]).map(|_| ()).map_err(|error| {
            let text = error.to_string();
            text.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned()
        })
    }
}

/// What flags of numbers call their values.
const COUNTS: &[&str] = &["BYTES", "COUNT", "MIB", "SECONDS"];
/// What a flag that takes `true` or `false` calls its value.
const TRUTH: &str = "BOOL";

/// Every setting, in the order of the help.
pub(crate) fn all() -> Vec<Setting> {
    let of = |table, command: Command| -> Vec<Setting> {
        command.get_arguments().filter_map(|arg| Setting::of(table, arg)).collect()
    };
    let global = of(None, Global::augment_args(Command::new("svc")));
    let client = of(Some("client"), Remote::augment_args(Command::new("svc")));
    let serve = of(Some("serve"), ServeArgs::augment_args(Command::new("svc")));
    [global, client, serve].concat()
}

/// A command with the flags of all settings, which no variable speaks for.
pub(super) fn flags(settings: &[Setting]) -> Command {
    Command::new("svc").args(settings.iter().map(|setting| setting.arg.clone().env(Resettable::Reset)))
}

/// The file of settings that is named by `--config`, else by its variable.
pub(crate) fn file_named(arguments: &[OsString]) -> Option<PathBuf> {
    let mut rest = arguments.iter().skip(1).take_while(|argument| *argument != "--");
    while let Some(argument) = rest.next() {
        if argument == "--config" {
            return rest.next().map(PathBuf::from);
        }
        if let Some(path) = argument.to_str().and_then(|text| text.strip_prefix("--config=")) {
            return Some(PathBuf::from(path));
        }
    }
    std::env::var_os("SVC_CONFIG").map(PathBuf::from)
}

/// A command whose flags, and those of the commands below it, have as defaults what a file says of their variables.
pub(crate) fn with_defaults(command: Command, values: &BTreeMap<String, Vec<String>>) -> Command {
    let said = |arg: &Arg| arg.get_env().and_then(|name| values.get(name.to_str()?)).cloned();
    let own: Vec<_> = command.get_arguments().filter_map(|arg| Some((arg.get_id().clone(), said(arg)?))).collect();
    let command =
        own.into_iter().fold(command, |command, (id, values)| command.mut_arg(id, |arg| from_file(arg, values)));
    let below: Vec<String> = command.get_subcommands().map(|below| below.get_name().to_owned()).collect();
    below.into_iter().fold(command, |command, name| command.mut_subcommand(name, |below| with_defaults(below, values)))
}

/// A flag whose default is what the file says; help shows no secret of it.
fn from_file(arg: Arg, values: Vec<String>) -> Arg {
    let is_secret = arg.is_hide_env_values_set();
    arg.required(false).default_values(values).hide_default_value(is_secret)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reload::RELOADED;
    use std::fmt::Write as _;

    #[test]
    fn help_shows_no_secret_of_the_file() {
        use clap::CommandFactory as _;
        let said = [("SVC_OPERATOR_TOKEN", "hidden-0123456789-0123456789-0123"), ("SVC_LISTEN", "127.0.0.1:9")];
        let values = said.map(|(name, value)| (name.to_owned(), vec![value.to_owned()]));
        let mut command = with_defaults(crate::Cli::command(), &values.into());
        let serve = command.find_subcommand_mut("serve").unwrap();
        let help = serve.render_long_help().to_string();
        assert!(help.contains("127.0.0.1:9") && !help.contains("hidden-"), "{help}");
    }

    /// The table of docs/settings.md.
    fn table() -> String {
        let mut text = String::from("| Key | Variable | Unless given | Read | |\n|---|---|---|---|---|\n");
        for setting in all() {
            let default = setting.default();
            let default = if default.is_empty() { String::new() } else { format!("`{default}`") };
            let read = match setting.table {
                Some("serve") if RELOADED.contains(&setting.name().as_str()) => "start, SIGHUP",
                Some("serve") => "start",
                _ => "each command",
            };
            let help = setting.arg.get_help().map(ToString::to_string).unwrap_or_default().replace('|', "\\|");
            let kind = setting.kind.name();
            writeln!(text, "| `{}`: {kind} | `{}` | {default} | {read} | {help} |", setting.name(), setting.variable)
                .unwrap();
        }
        text
    }

    #[test]
    fn the_docs_have_every_setting() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/settings.md");
        let page = std::fs::read_to_string(path).unwrap();
        let (before, rest) = page.split_once("| Key | Variable |").unwrap();
        let (_, after) = rest.split_once("\n\n").unwrap();
        let written = format!("{before}{}\n{after}", table());
        if std::env::var_os("GOLDEN").is_some() {
            std::fs::write(path, written).unwrap();
        } else {
            assert_eq!(page, written, "GOLDEN=write writes docs/settings.md anew");
        }
    }

    /// Each flag of the server is a setting, but for what is said of one start.
    #[test]
    fn no_flag_of_the_server_is_forgotten() {
        let command = ServeArgs::augment_args(Command::new("svc"));
        let known: Vec<String> = all().into_iter().map(|setting| setting.key).collect();
        for arg in command.get_arguments().filter(|arg| !["dev", "trust_clock"].contains(&arg.get_id().as_str())) {
            let long = arg.get_long().unwrap_or_default();
            assert!(known.iter().any(|key| key == long), "--{long} has no variable: give it `env = \"SVC_…\"`");
            let number =
                arg.get_default_values().first().is_some_and(|value| value.to_string_lossy().parse::<u64>().is_ok());
            let setting = all().into_iter().find(|setting| setting.key == long).unwrap();
            assert_eq!(number, setting.kind == Kind::Number, "--{long}: a number's value is called one of {COUNTS:?}");
        }
        for name in RELOADED {
            assert!(all().iter().any(|setting| setting.name() == *name), "{name} is no setting");
        }
    }
}
