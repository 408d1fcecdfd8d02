//! The services that `svc login` keeps: address, token and business of each, in a file that its owner alone reads.

use crate::global::Exit;
use crate::output::CommandError;
use crate::private_file;
use rustix::fs::Mode;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The folder below the one of the user's settings.
const FOLDER: &str = "svc";
/// The file's name.
const FILE: &str = "login.json";

/// A service, and as whom it is spoken to. A token goes to its own service's address and nowhere else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Known {
    /// Its address, without a slash at the end.
    pub(crate) url: String,
    pub(crate) token: String,
    /// The business that commands are for unless they name one.
    pub(crate) business: Option<String>,
}

/// What is kept.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Logins {
    /// The last one that was logged in to is the first, and the one that commands speak to.
    pub(crate) services: Vec<Known>,
}

impl Logins {
    /// Where they are kept: below `XDG_CONFIG_HOME`, else `~/.config`; nowhere without a home.
    pub(crate) fn file() -> Option<PathBuf> {
        let named = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let folder = named("XDG_CONFIG_HOME").or_else(|| named("HOME").map(|home| home.join(".config")))?;
        Some(folder.join(FOLDER).join(FILE))
    }

    /// What is kept in a file; nothing where there is none.
    ///
    /// # Errors
    /// Where it can't be read, is of another form, or others than its owner can read it.
    pub(crate) fn read(file: &Path) -> Result<Logins, CommandError> {
        let unreadable = |why: String| {
            let message = format!("{} can't be read: {why}", file.display());
            CommandError::new(Exit::Unreachable, "LOGIN_UNREADABLE", message)
        };
        let text = match fs::read_to_string(file) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Logins::default()),
            Err(error) => return Err(unreadable(error.to_string())),
        };
        let mode = fs::metadata(file).map_err(|error| unreadable(error.to_string()))?.permissions().mode();
        if Mode::from_raw_mode(mode).intersects(Mode::RWXG | Mode::RWXO) {
            let message = format!("{} holds tokens, and others than its owner may read it", file.display());
            return Err(CommandError::new(Exit::Refused, "LOGIN_MODE", message)
                .with_hint("chmod 600, and take the tokens back where somebody may have read them"));
        }
        serde_json::from_str(&text).map_err(|error| unreadable(error.to_string()))
    }

    /// Keeps them in a file, whole or not at all.
    ///
    /// # Errors
    /// Where it can't be written.
    pub(crate) fn write(&self, file: &Path) -> Result<(), CommandError> {
        let unwritten = |why: String| {
            let message = format!("{} can't be written: {why}", file.display());
            CommandError::new(Exit::Unreachable, "LOGIN_UNWRITTEN", message)
        };
        let text = serde_json::to_string_pretty(self).map_err(|error| unwritten(error.to_string()))?;
        private_file::put(file, &format!("{text}\n")).map_err(|error| unwritten(error.to_string()))
    }

    /// Puts a service before the others, in place of what was known of it.
    pub(crate) fn put(&mut self, known: Known) {
        self.services.retain(|other| other.url != known.url);
        self.services.insert(0, known);
    }
}
