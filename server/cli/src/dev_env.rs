//! `svc serve --dev`: a service for whoever develops against it, with a business of its own. What commands need to speak to it stands in
//! `.svc/env`, where those that run in the same folder find it, and where a shell or a container can read it.

use crate::global::Exit;
use crate::output::CommandError;
use crate::private_file;
use jiff::Timestamp;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use svc_core::secrets::new_key;
use svc_core::tokens::{NewToken, new_secret};
use svc_core::{Core, CoreError};
use svc_store::Store;
use svc_store::records::{Id, TokenScope};

/// The file, below the folder that the server was started in.
const FILE: &str = ".svc/env";
/// What keeps the file out of repositories.
const IGNORING: (&str, &str) = (".svc/.gitignore", "env\n");
/// What the business is called.
const BUSINESS: &str = "dev";
/// What the business's own token is called.
const TOKEN: &str = "dev";
/// Hosts of this machine, which hooks and receivers of events may be at.
pub(crate) const HOSTS: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// What is kept for a server's next start, and for the commands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct DevEnv {
    /// `SVC_URL`: where it listens, or did.
    pub(crate) url: String,
    /// `SVC_TOKEN`: the operator's.
    pub(crate) operator: String,
    /// `SVC_BUSINESS`.
    pub(crate) business: String,
    /// `SVC_DEPLOY_TOKEN`: for a backend that reports usage.
    deploy: String,
    /// `SVC_SECRETS_KEY`, by which what the store keeps is sealed.
    pub(crate) secrets_key: String,
}

impl DevEnv {
    /// What is kept in this folder; nothing where there is no such file.
    ///
    /// # Errors
    /// Where it can't be read.
    pub(crate) fn read() -> Result<Option<DevEnv>, CommandError> {
        match std::fs::read_to_string(FILE) {
            Ok(text) => Ok(Some(DevEnv::of(&text))),
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(None),
            Err(error) => {
                let message = format!("{FILE} can't be read: {error}");
                Err(CommandError::new(Exit::Unreachable, "DEV_ENV_UNREADABLE", message))
            }
        }
    }

    fn of(text: &str) -> DevEnv {
        let said: BTreeMap<&str, &str> = text.lines().filter_map(|line| line.trim().split_once('=')).collect();
        let value = |name: &str| said.get(name).copied().unwrap_or_default().to_owned();
        DevEnv {
            url: value("SVC_URL"),
            operator: value("SVC_TOKEN"),
            business: value("SVC_BUSINESS"),
            deploy: value("SVC_DEPLOY_TOKEN"),
            secrets_key: value("SVC_SECRETS_KEY"),
        }
    }

    fn text(&self) -> String {
        let DevEnv { url, operator, business, deploy, secrets_key } = self;
        format!(
            "# Of `svc serve --dev`: commands of svc in this folder read it. The token is the operator's of this development server.\n\
             SVC_URL={url}\nSVC_TOKEN={operator}\nSVC_BUSINESS={business}\nSVC_DEPLOY_TOKEN={deploy}\nSVC_SECRETS_KEY={secrets_key}\n"
        )
    }

    /// What a server begins with: what is kept, with whatever is missing made.
    ///
    /// # Errors
    /// Where the file can't be read, or the system gives no chance.
    pub(crate) fn begun() -> Result<DevEnv, CommandError> {
        let no_chance = |error: CoreError| CommandError::new(Exit::Unreachable, "CHANCE", error.to_string());
        let mut env = DevEnv::read()?.unwrap_or_default();
        if env.operator.is_empty() {
            env.operator = new_secret("operator").map_err(no_chance)?;
        }
        if env.secrets_key.is_empty() {
            env.secrets_key = new_key().map_err(no_chance)?;
        }
        Ok(env)
    }

    /// Sees to it that the business and its token are there, and keeps everything in the file.
    ///
    /// # Errors
    /// Where the store or the file can't be written.
    pub(crate) async fn set_up<S: Store>(&mut self, core: &Core<S>, now: Timestamp) -> Result<(), CommandError> {
        let failed = |error: CoreError| CommandError::new(Exit::Unreachable, "STORE_UNAVAILABLE", error.to_string());
        let known = core.audit_entries(Some(&Id::named(self.business.clone())), None, 1).await;
        match known {
            Ok(_) => {}
            Err(CoreError::NotFound(_)) => {
                self.business = core.create_business(BUSINESS, now).await.map_err(failed)?.id.to_string();
            }
            Err(error) => return Err(failed(error)),
        }
        let business = Id::named(self.business.clone());
        let token = core.token(&self.deploy, now).await.map_err(failed)?;
        if token.is_none_or(|token| token.business.as_ref() != Some(&business)) {
            let new = NewToken { name: Some(TOKEN.to_owned()), ..NewToken::of(TokenScope::Deploy) };
            self.deploy = core.mint_token(&business, new, now).await.map_err(failed)?.text;
        }
        let unwritten = |error: io::Error| {
            CommandError::new(Exit::Unreachable, "DEV_ENV_UNWRITTEN", format!("{FILE} can't be written: {error}"))
        };
        private_file::put(Path::new(FILE), &self.text()).map_err(unwritten)?;
        let (ignoring, what) = IGNORING;
        if !Path::new(ignoring).exists() {
            std::fs::write(ignoring, what).map_err(unwritten)?;
        }
        Ok(())
    }

    /// What is there, and the next three commands.
    pub(crate) fn told(&self) -> String {
        format!(
            "the business {} and its tokens are in {FILE}; commands in this folder find them. Next, beside this:\n  \
             svc publish DIR                      release a product; svc init DIR writes one\n  \
             svc subscription create ada PLAN     subscribe somebody to one of its plans\n  \
             svc preview ada                      see their bill",
            self.business
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let [url, operator, business, deploy, secrets_key] = ["u", "o", "b", "d", "a2V5=="].map(str::to_owned);
        let env = DevEnv { url, operator, business, deploy, secrets_key };
        assert_eq!(DevEnv::of(&env.text()), env);
        assert_eq!(DevEnv::of("nothing\n"), DevEnv::default());
    }
}
