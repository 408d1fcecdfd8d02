//! `svc config`: every setting, what it is, and where that is said.

use crate::global::Exit;
use crate::output::{Output, visible};
use crate::reload::RELOADED;
use crate::remote::{Remote, table};
use crate::serve::ServeArgs;
use crate::settings::{File, Setting};
use clap::parser::ValueSource;
use clap::{ArgMatches, Args};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

/// What stands for a secret.
const MASK: &str = "********";

/// Arguments of `svc config`: every flag of `svc serve`, and of the commands that call a service.
#[derive(Args, Debug)]
pub(crate) struct ConfigArgs {
    #[command(flatten)]
    serve: ServeArgs,
    #[command(flatten)]
    remote: Remote,
}

/// A setting, as it is.
struct Held<'s> {
    setting: &'s Setting,
    values: Vec<String>,
    from: String,
}

impl<'s> Held<'s> {
    fn of(setting: &'s Setting, matches: &ArgMatches, file: Option<&File>) -> Held<'s> {
        let id = setting.arg.get_id().as_str();
        let said = matches.get_raw(id).into_iter().flatten();
        let values: Vec<String> = said.map(|value| value.to_string_lossy().into_owned()).collect();
        let from = match matches.value_source(id) {
            Some(ValueSource::CommandLine) => format!("--{}", setting.key),
            Some(ValueSource::EnvVariable) => setting.variable.clone(),
            _ => file.and_then(|file| file.place(&setting.variable)).unwrap_or_else(|| "default".to_owned()),
        };
        Held { setting, values, from }
    }

    fn shown(&self) -> Option<String> {
        let is_set = !self.values.is_empty();
        is_set.then(|| if self.setting.is_secret { MASK.to_owned() } else { self.values.join(",") })
    }

    fn json(&self) -> Json {
        let Setting { key, variable, .. } = self.setting;
        let name = self.setting.name();
        let is_reloaded = RELOADED.contains(&name.as_str());
        json!({
            "key": name,
            "value": self.shown(),
            "from": self.from,
            "default": self.setting.default(),
            "flag": format!("--{key}"),
            "variable": variable,
            "reloaded": is_reloaded,
        })
    }
}

/// Every setting that is not masked, by its name; of a secret whether it changes.
pub(crate) fn values(settings: &[Setting], matches: &ArgMatches) -> BTreeMap<String, Vec<String>> {
    let served = settings.iter().filter(|setting| setting.table == Some("serve"));
    let said = |setting: &Setting| {
        // A gateway has some of a server's flags.
        let raw = matches.try_get_raw(setting.arg.get_id().as_str()).ok().flatten();
        raw.into_iter().flatten().map(|value| value.to_string_lossy().into_owned()).collect()
    };
    served.map(|setting| (setting.name(), said(setting))).collect()
}

/// Shows them.
pub(crate) fn show(matches: &ArgMatches, file: Option<&File>, settings: &[Setting], output: &Output) -> Exit {
    let held: Vec<Held<'_>> = settings.iter().map(|setting| Held::of(setting, matches, file)).collect();
    let rows = held
        .iter()
        .map(|held| vec![held.setting.name(), held.shown().unwrap_or_else(|| "-".to_owned()), held.from.clone()]);
    let text = table(&["setting", "value", "from"], rows.collect());
    output.done("config", &visible(&text), json!({ "settings": held.iter().map(Held::json).collect::<Vec<_>>() }))
}
