//! `svc.toml`: keys and values with the lines they stand on. What it does not know, and what has a wrong type, is refused by its place.

use super::catalogue::{Kind, Setting, flags};
use crate::global::Exit;
use crate::output::CommandError;
use clap::Command;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use svc_engine::rules::suggest::nearest;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Largest file that is read, in bytes.
const FILE_MAX_BYTES: u64 = 1 << 20;

/// What a file says.
#[derive(Clone, Debug, Default)]
pub(crate) struct File {
    path: PathBuf,
    /// By variable: the line, and the values.
    said: BTreeMap<String, (usize, Vec<String>)>,
}

impl File {
    /// Reads a file.
    pub(crate) fn read(path: &Path, settings: &[Setting]) -> Result<File, CommandError> {
        let unreadable = |why: String| {
            CommandError::new(
                Exit::Unreachable,
                "CONFIG_UNREADABLE",
                format!("{} can't be read: {why}", path.display()),
            )
        };
        let length = std::fs::metadata(path).map_err(|error| unreadable(error.to_string()))?.len();
        if length > FILE_MAX_BYTES {
            return Err(unreadable(format!("it has more than {FILE_MAX_BYTES} bytes")));
        }
        let text = std::fs::read_to_string(path).map_err(|error| unreadable(error.to_string()))?;
        File::of(path, &text, settings)
    }

    fn of(path: &Path, text: &str, settings: &[Setting]) -> Result<File, CommandError> {
        let mut reading = Reading { path, text, settings, flags: flags(settings), said: BTreeMap::new() };
        let document = DeTable::parse(text)
            .map_err(|error| reading.wrong(error.span().map_or(0, |span| span.start), error.message().to_owned()))?;
        for (key, value) in document.get_ref() {
            let tables = || settings.iter().filter_map(|setting| setting.table);
            let table = tables().find(|table| *table == key.get_ref().as_ref());
            match (table, value.get_ref()) {
                (Some(table), DeValue::Table(inner)) => {
                    for (key, value) in inner {
                        reading.take(Some(table), key.get_ref(), key.span().start, value)?;
                    }
                }
                (Some(table), _) => {
                    return Err(reading.wrong(key.span().start, format!("`{table}` is a table: [{table}]")));
                }
                (None, DeValue::Table(_)) => {
                    let near = nearest(key.get_ref(), tables());
                    return Err(reading.unknown(
                        key.span().start,
                        format!("[{}] is no table of settings", key.get_ref()),
                        near,
                    ));
                }
                (None, _) => reading.take(None, key.get_ref(), key.span().start, value)?,
            }
        }
        reading.said_once("SVC_DATA", "SVC_DATABASE_URL")?;
        let said = reading.said;
        Ok(File { path: path.to_owned(), said })
    }

    /// Its values, by variable.
    pub(crate) fn values(&self) -> BTreeMap<String, Vec<String>> {
        self.said.iter().map(|(variable, (_, values))| (variable.clone(), values.clone())).collect()
    }

    /// Leaves out what it says of a variable.
    pub(crate) fn forget(&mut self, variable: &str) {
        self.said.remove(variable);
    }

    /// Where it says something of a variable: `svc.toml:3`.
    pub(crate) fn place(&self, variable: &str) -> Option<String> {
        self.said.get(variable).map(|(line, _)| format!("{}:{line}", self.path.display()))
    }
}

struct Reading<'f> {
    path: &'f Path,
    text: &'f str,
    settings: &'f [Setting],
    flags: Command,
    said: BTreeMap<String, (usize, Vec<String>)>,
}

impl Reading<'_> {
    /// The line of a byte, from 1.
    fn line(&self, at: usize) -> usize {
        let before = self.text.bytes().take(at).filter(|byte| *byte == b'\n').count();
        before.saturating_add(1)
    }

    fn wrong(&self, at: usize, why: String) -> CommandError {
        let message = format!("{}:{}: {why}", self.path.display(), self.line(at));
        CommandError::new(Exit::Usage, "CONFIG_FORM", message)
    }

    fn unknown(&self, at: usize, what: String, near: Option<&str>) -> CommandError {
        let hint = near.map(|near| format!("did you mean `{near}`?"));
        self.wrong(at, what).with_hint_of(Some(hint.as_deref().unwrap_or("`svc config` lists every setting")))
    }

    fn take(
        &mut self,
        table: Option<&'static str>,
        key: &str,
        at: usize,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<(), CommandError> {
        let named = |setting: &&Setting| setting.table == table;
        let Some(setting) = self.settings.iter().filter(named).find(|setting| setting.key == key) else {
            let known = self.settings.iter().filter(named).map(|setting| setting.key.as_str());
            let place = table.map(|table| format!(" of [{table}]")).unwrap_or_default();
            return Err(self.unknown(at, format!("`{key}` is no setting{place}"), nearest(key, known)));
        };
        let at = value.span().start;
        let Some(values) = values(setting.kind, value.get_ref()) else {
            return Err(self.wrong(at, format!("`{}` is {}", setting.name(), setting.kind.name())));
        };
        for value in &values {
            setting.check(value, &self.flags).map_err(|why| {
                let why = if setting.is_secret { "its value has a wrong form".to_owned() } else { why };
                self.wrong(at, format!("`{}`: {why}", setting.name()))
            })?;
        }
        self.said.insert(setting.variable.clone(), (self.line(at), values));
        Ok(())
    }

    /// Of two settings that exclude each other one is written.
    fn said_once(&self, one: &str, other: &str) -> Result<(), CommandError> {
        let (Some((first, _)), Some((second, _))) = (self.said.get(one), self.said.get(other)) else { return Ok(()) };
        let message = format!(
            "{}:{}: `serve.data` and `serve.database-url` (line {second}) are two databases",
            self.path.display(),
            first
        );
        Err(CommandError::new(Exit::Usage, "CONFIG_FORM", message))
    }
}

/// A value as its flag is given it; nothing where it is of another type.
fn values(kind: Kind, value: &DeValue<'_>) -> Option<Vec<String>> {
    match (kind, value) {
        (Kind::Text, DeValue::String(text)) => Some(vec![text.to_string()]),
        (Kind::Number, DeValue::Integer(number)) => {
            let number = i128::from_str_radix(number.as_str(), number.radix()).ok()?;
            Some(vec![number.to_string()])
        }
        (Kind::Switch, DeValue::Boolean(is_on)) => Some(vec![is_on.to_string()]),
        (Kind::List, DeValue::Array(items)) => {
            let text = |item: &Spanned<DeValue<'_>>| match item.get_ref() {
                DeValue::String(text) => Some(text.to_string()),
                _ => None,
            };
            items.iter().map(text).collect()
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::catalogue::all;

    fn read(text: &str) -> Result<File, String> {
        let said = |error: CommandError| format!("{} {}", error.message, error.hint.unwrap_or_default());
        File::of(Path::new("svc.toml"), text, &all()).map_err(said)
    }

    #[test]
    fn every_kind_of_value_is_read() {
        let text = "format = \"json\"\n[client]\ninsecure-http = true\n\n[serve]\nlisten = \"0.0.0.0:1\"\nrate-limit = 1_000\nallow-host = [\n  \"a\", \"b:1\" ]\n";
        let file = read(text).unwrap();
        let values = file.values();
        assert_eq!(values["SVC_FORMAT"], ["json"]);
        assert_eq!(values["SVC_INSECURE_HTTP"], ["true"]);
        assert_eq!(values["SVC_RATE_LIMIT"], ["1000"]);
        assert_eq!(values["SVC_ALLOW_HOSTS"], ["a", "b:1"]);
        assert_eq!(file.place("SVC_RATE_LIMIT").unwrap(), "svc.toml:7");
        assert_eq!(file.place("SVC_DATA"), None);
        assert!(read("").unwrap().values().is_empty());
    }

    #[test]
    fn what_is_wrong_has_a_place_and_a_nearest_name() {
        for (text, said) in [
            (
                "[serve]\n\nrate-limt = 3\n",
                "svc.toml:3: `rate-limt` is no setting of [serve] did you mean `rate-limit`?",
            ),
            ("[server]\n", "svc.toml:1: [server] is no table of settings did you mean `serve`?"),
            ("listen = 3\n", "svc.toml:1: `listen` is no setting `svc config` lists every setting"),
            ("serve = 3\n", "svc.toml:1: `serve` is a table: [serve] "),
            ("[serve]\nrate-limit = \"3\"\n", "svc.toml:2: `serve.rate-limit` is an integer "),
            ("[serve]\nlisten = 3\n", "svc.toml:2: `serve.listen` is a string "),
            ("[serve]\nallow-host = \"a\"\n", "svc.toml:2: `serve.allow-host` is an array of strings "),
            ("[serve]\nallow-host = [\"a\", 1]\n", "svc.toml:2: `serve.allow-host` is an array of strings "),
            ("[client]\ninsecure-http = 1\n", "svc.toml:2: `client.insecure-http` is true or false "),
            (
                "[serve]\ntrust-clock = true\n",
                "svc.toml:2: `trust-clock` is no setting of [serve] `svc config` lists every setting",
            ),
            (
                "[serve]\nrate-limit = 0\n",
                "svc.toml:2: `serve.rate-limit`: invalid value '0' for '--rate-limit <COUNT>': number would be zero for non-zero type ",
            ),
            (
                "[serve]\nlisten = \"here\"\n",
                "svc.toml:2: `serve.listen`: invalid value 'here' for '--listen <LISTEN>': invalid socket address syntax ",
            ),
            (
                "[serve]\ndatabase-url = \"postgres://x\"\ndata = \"svc.db\"\n",
                "svc.toml:3: `serve.data` and `serve.database-url` (line 2) are two databases ",
            ),
            ("[serve]\nlisten\n", "svc.toml:2: key with no value, expected `=` "),
            ("[serve]\nlisten = \"127.0.0.1:1\"\nlisten = \"127.0.0.1:2\"\n", "svc.toml:3: duplicate key "),
        ] {
            assert_eq!(read(text).unwrap_err(), said, "{text}");
        }
    }
}
