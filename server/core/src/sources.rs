//! Where a business's product is pushed to: one repository of one forge, with a token to read it and a secret that its deliveries are
//! signed with.

use crate::audit_log::Deed;
use crate::businesses;
use crate::core::Core;
use crate::error::CoreError;
use crate::ids::{new_id, next_page};
use crate::push_settings::PushSettings;
use crate::secrets::{Purpose, Sealed, Secrets};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use jiff::{SignedDuration, Timestamp};
use std::sync::Arc;
use svc_store::records::{Delivery, ForgeKind, Id, Source};
use svc_store::{Mode, Store};
use url::Url;

/// Bytes of chance in a hook's secret.
const SECRET_BYTES: usize = 32;
/// What a secret of Standard Webhooks begins with.
pub(crate) const STANDARD_PREFIX: &str = "whsec_";
/// Shortest and longest secret and token that are taken, in characters.
const SECRET_CHARS: std::ops::RangeInclusive<usize> = 16..=500;
/// How long the former secret is taken beside the new one, in hours: until the forge was told.
pub const PREVIOUS_HOURS: i64 = 24;
/// Longest repository, folder and branch, in characters.
const PATH_MAX_CHARS: usize = 255;
/// Deliveries that one page of the list has, at most.
pub const DELIVERIES_MAX: u32 = 100;

/// A source, as it is asked for.
#[derive(Clone, Debug)]
pub struct NewSource {
    /// What kind of forge it is.
    pub forge: ForgeKind,
    /// Where its API is; the forge's own public one where none is given.
    pub api_base: Option<String>,
    /// The repository's path there.
    pub repository: String,
    /// The folder that holds `product/`; empty for the repository's root.
    pub folder: String,
    /// The branch that is published; the repository's default one where none is named.
    pub branch: Option<String>,
    /// An access token that reads the repository and writes commit statuses.
    pub token: String,
    /// What deliveries are signed with; made here where none is given.
    pub secret: Option<String>,
}

/// A source with its secrets open.
#[derive(Clone)]
pub struct OpenSource {
    /// The source.
    pub source: Source,
    /// The access token.
    pub token: String,
    /// Whether the operator named its host.
    pub is_named: bool,
}

/// What deliveries may be signed with now.
#[derive(Clone)]
pub struct HookSecrets {
    /// What kind of forge signs them.
    pub forge: ForgeKind,
    /// The secrets: the present one, and the former one as long as it is taken.
    pub secrets: Vec<String>,
}

impl<S: Store> Core<S> {
    /// With what build on push needs.
    #[must_use]
    pub fn with_push(mut self, settings: PushSettings) -> Self {
        self.push = Arc::new(settings);
        self
    }

    /// The keys for secrets.
    ///
    /// # Errors
    /// [`CoreError::Conflict`] where the service has none.
    pub(crate) fn secrets(&self) -> Result<&Secrets, CoreError> {
        let missing =
            "this service keeps no secrets: start it with SVC_SECRETS_KEY, 32 bytes as 64 hex digits or base64";
        self.push.secrets.as_ref().ok_or_else(|| CoreError::conflict("SECRETS_KEY_MISSING", missing))
    }

    /// Makes a business's source, in place of the former one. Returns it with the hook's secret, which is told nowhere else.
    ///
    /// # Errors
    /// [`CoreError::NotFound`]; [`CoreError::Invalid`] for what is not of its form; [`CoreError::Conflict`] without a key for
    /// secrets; [`CoreError::Store`].
    pub async fn add_source(
        &self,
        business: &Id,
        new: NewSource,
        now: Timestamp,
    ) -> Result<(Source, String), CoreError> {
        let secrets = self.secrets()?;
        let secret = match new.secret {
            Some(secret) => checked_secret("a hook's secret", secret)?,
            None => fresh_secret(new.forge)?,
        };
        let token = checked_secret("an access token", new.token)?;
        let source = Source {
            business: business.clone(),
            forge: new.forge,
            api_base: self.checked_base(new.forge, new.api_base.as_deref())?,
            repository: checked_repository(new.forge, &new.repository)?,
            folder: checked_folder(&new.folder)?,
            branch: new.branch.map(|branch| checked_branch(&branch)).transpose()?,
            sealed_token: secrets.seal(business, Purpose::Token, &token).map_err(CoreError::Internal)?,
            sealed_secret: secrets.seal(business, Purpose::Hook, &secret).map_err(CoreError::Internal)?,
            previous: None,
            position: 0,
            published_position: 0,
            created_at: now,
        };
        let (source, secret) = (&source, &secret);
        self.again(move || {
            Box::pin(async move {
                let mut tx = self.store.begin(Mode::Write).await?;
                // A delivery that is being taken has its place before this one takes it over.
                tx.lock_source(business).await?;
                businesses::lock_business(&mut tx, business).await?;
                // Pushes of the former source are older than all that come.
                let position = tx.last_position(business).await?;
                let source = Source { position, published_position: position, ..source.clone() };
                tx.put_source(&source).await?;
                self.note(&mut tx, Deed::of(business, "source.set", &source.repository), now).await?;
                tx.commit().await?;
                Ok((source, secret.clone()))
            })
        })
        .await
    }

    /// A business's source.
    ///
    /// # Errors
    /// [`CoreError::NotFound`]; [`CoreError::Store`].
    pub async fn find_source(&self, business: &Id) -> Result<Source, CoreError> {
        let mut tx = self.store.begin(Mode::ReadOnce).await?;
        tx.source(business).await?.ok_or_else(no_source)
    }

    /// Makes another secret for a business's hook. The former one is taken for [`PREVIOUS_HOURS`] more, unless it is to end at once.
    ///
    /// # Errors
    /// As [`Core::add_source`].
    pub async fn rotate_source(
        &self,
        business: &Id,
        secret: Option<String>,
        at_once: bool,
        now: Timestamp,
    ) -> Result<(Source, String), CoreError> {
        let secrets = self.secrets()?;
        let secret = &secret;
        self.again(move || {
            Box::pin(async move {
                let mut tx = self.store.begin(Mode::Write).await?;
                let source = tx.lock_source(business).await?.ok_or_else(no_source)?;
                let secret = match secret.clone() {
                    Some(secret) => checked_secret("a hook's secret", secret)?,
                    None => fresh_secret(source.forge)?,
                };
                let until = now.checked_add(SignedDuration::from_hours(PREVIOUS_HOURS));
                let until = until.map_err(|error| CoreError::Internal(error.to_string()))?;
                let previous = (!at_once).then(|| (source.sealed_secret.clone(), until));
                let sealed_secret = secrets.seal(business, Purpose::Hook, &secret).map_err(CoreError::Internal)?;
                let source = Source { sealed_secret, previous, ..source };
                tx.put_source(&source).await?;
                self.note(&mut tx, Deed::of(business, "source.rotated", &source.repository), now).await?;
                tx.commit().await?;
                Ok((source, secret))
            })
        })
        .await
    }

    /// Gives a business's source another access token; all else stays.
    ///
    /// # Errors
    /// As [`Core::add_source`].
    pub async fn replace_token(&self, business: &Id, token: String, now: Timestamp) -> Result<Source, CoreError> {
        let token = checked_secret("an access token", token)?;
        let sealed_token = self.secrets()?.seal(business, Purpose::Token, &token).map_err(CoreError::Internal)?;
        let sealed_token = &sealed_token;
        self.again(move || {
            Box::pin(async move {
                let mut tx = self.store.begin(Mode::Write).await?;
                let source = Source {
                    sealed_token: sealed_token.clone(),
                    ..tx.lock_source(business).await?.ok_or_else(no_source)?
                };
                tx.put_source(&source).await?;
                self.note(&mut tx, Deed::of(business, "source.token_replaced", &source.repository), now).await?;
                tx.commit().await?;
                Ok(source)
            })
        })
        .await
    }

    /// Takes a business's source away. What waits is not built any more.
    ///
    /// # Errors
    /// [`CoreError::NotFound`]; [`CoreError::Store`].
    pub async fn remove_source(&self, business: &Id, now: Timestamp) -> Result<(), CoreError> {
        self.again(move || {
            Box::pin(async move {
                let mut tx = self.store.begin(Mode::Write).await?;
                if !tx.remove_source(business).await? {
                    return Err(no_source());
                }
                let deed = Deed { business: Some(business), action: "source.removed", target: None, detail: None };
                self.note(&mut tx, deed, now).await?;
                tx.commit().await?;
                Ok(())
            })
        })
        .await
    }

    /// Deliveries of a business, newest first: a page, and where the next one begins.
    ///
    /// # Errors
    /// [`CoreError::NotFound`] for an unknown business; [`CoreError::Store`].
    pub async fn deliveries(
        &self,
        business: &Id,
        before: Option<&str>,
        limit: u32,
    ) -> Result<(Vec<Delivery>, Option<Id>), CoreError> {
        let limit = limit.clamp(1, DELIVERIES_MAX);
        let mut tx = self.store.begin(Mode::Read).await?;
        businesses::known_business(&mut tx, business).await?;
        let page = tx.deliveries(business, before, limit).await?;
        let next = next_page(&page, limit, |delivery| delivery.id.clone());
        Ok((page, next))
    }

    /// What a business's deliveries may be signed with now.
    ///
    /// # Errors
    /// [`CoreError::NotFound`] where there is no source; [`CoreError::Busy`] where too many are asked for; [`CoreError::Store`].
    pub async fn hook_secrets(&self, business: &Id, now: Timestamp) -> Result<HookSecrets, CoreError> {
        let place = self.strangers_place().await?;
        let source = self.find_source(business).await?;
        drop(place);
        let secrets = self.secrets()?;
        let previous = source.previous.as_ref().filter(|(_, until)| *until > now).map(|(sealed, _)| sealed);
        let sealed = std::iter::once(&source.sealed_secret).chain(previous);
        let opened = sealed.map(|sealed| secrets.open(business, Purpose::Hook, sealed)).collect::<Result<_, Sealed>>();
        let secrets = opened.map_err(|error| CoreError::Internal(error.to_string()))?;
        Ok(HookSecrets { forge: source.forge, secrets })
    }

    /// A business's source with its token.
    ///
    /// # Errors
    /// [`CoreError::NotFound`] where there is no source; [`CoreError::Store`].
    pub async fn open_source(&self, business: &Id) -> Result<OpenSource, CoreError> {
        let source = self.find_source(business).await?;
        let token = self.secrets()?.open(business, Purpose::Token, &source.sealed_token);
        let token = token.map_err(|error| CoreError::Internal(error.to_string()))?;
        let is_named = Url::parse(&source.api_base).is_ok_and(|url| self.is_named(&url));
        Ok(OpenSource { source, token, is_named })
    }

    /// Whether the operator named the host of an address.
    pub fn is_named(&self, url: &Url) -> bool {
        let Some(host) = url.host_str() else { return false };
        let with_port = format!("{host}:{}", url.port_or_known_default().unwrap_or_default());
        self.push.named_hosts.iter().any(|named| *named == host || *named == with_port)
    }

    /// The address of a forge's API, as it is kept: without a slash at its end.
    fn checked_base(&self, forge: ForgeKind, given: Option<&str>) -> Result<String, CoreError> {
        let refuse = |why: &str| CoreError::invalid("API_BASE", format!("the forge's API base {why}"));
        let public = match forge {
            ForgeKind::Github => Some("https://api.github.com"),
            ForgeKind::Gitlab => Some("https://gitlab.com/api/v4"),
            ForgeKind::Gitea => None,
        };
        let text = given.or(public).ok_or_else(|| refuse("is needed for gitea: https://HOST/api/v1"))?;
        let url = Url::parse(text).map_err(|error| refuse(&format!("is no address: {error}")))?;
        let is_plain = url.username().is_empty() && url.password().is_none() && url.query().is_none();
        if !is_plain || url.fragment().is_some() || url.host_str().is_none() {
            return Err(refuse("has a host and a path, and nothing else"));
        }
        match url.scheme() {
            "https" => {}
            "http" if self.is_named(&url) => {}
            "http" => return Err(refuse("begins with https://; http:// is for hosts that the operator named")),
            _ => return Err(refuse("begins with https://")),
        }
        Ok(url.as_str().trim_end_matches('/').to_owned())
    }

    /// Where a business's forge delivers to.
    pub fn hook_url(&self, business: &Id) -> String {
        format!("{}/hooks/git/{business}", self.push.public_url)
    }

    /// The address of a build's page.
    ///
    /// # Errors
    /// [`CoreError::Conflict`] without a key for secrets.
    pub fn page_url(&self, business: &Id, build: &Id) -> Result<String, CoreError> {
        let capability = self.secrets()?.capability(business, build);
        Ok(format!("{}/builds/{business}/{build}/{capability}", self.push.public_url))
    }
}

/// What stands before a file's path in the address of its page at the forge.
pub(crate) fn files_url(source: &Source, commit: &str) -> String {
    let web = match source.forge {
        ForgeKind::Github if source.api_base == "https://api.github.com" => "https://github.com",
        ForgeKind::Github => source.api_base.trim_end_matches("/api/v3"),
        ForgeKind::Gitlab => source.api_base.trim_end_matches("/api/v4"),
        ForgeKind::Gitea => source.api_base.trim_end_matches("/api/v1"),
    };
    let tree = match source.forge {
        ForgeKind::Github => "blob",
        ForgeKind::Gitlab => "-/blob",
        ForgeKind::Gitea => "src/commit",
    };
    let folder = if source.folder.is_empty() { String::new() } else { format!("{}/", source.folder) };
    format!("{web}/{}/{tree}/{commit}/{folder}", source.repository)
}

fn no_source() -> CoreError {
    CoreError::NotFound("this business has no source")
}

/// A secret as a forge takes it.
fn fresh_secret(forge: ForgeKind) -> Result<String, CoreError> {
    let mut bytes = [0_u8; SECRET_BYTES];
    getrandom::fill(&mut bytes).map_err(|error| CoreError::Internal(error.to_string()))?;
    Ok(match forge {
        // GitLab takes it as a signing token, and as the older secret token alike.
        ForgeKind::Gitlab => format!("{STANDARD_PREFIX}{}", STANDARD.encode(bytes)),
        ForgeKind::Github | ForgeKind::Gitea => {
            bytes.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
        }
    })
}

fn checked_secret(what: &str, secret: String) -> Result<String, CoreError> {
    let is_plain = secret.chars().all(|char| char.is_ascii_graphic());
    if is_plain && SECRET_CHARS.contains(&secret.len()) {
        return Ok(secret);
    }
    let (least, most) = (SECRET_CHARS.start(), SECRET_CHARS.end());
    Err(CoreError::invalid("SECRET_FORM", format!("{what} has {least} to {most} characters of ASCII and no spaces")))
}

/// Letters, digits and the marks that the forges allow, in parts that are no way out.
fn is_plain_path(text: &str) -> bool {
    let is_plain = |part: &str| {
        let marks = |char: char| char.is_alphanumeric() || matches!(char, '-' | '_' | '.' | '+' | '@' | '~');
        !part.is_empty() && part != "." && part != ".." && part.chars().all(marks)
    };
    text.chars().count() <= PATH_MAX_CHARS && text.split('/').all(is_plain)
}

fn checked_repository(forge: ForgeKind, repository: &str) -> Result<String, CoreError> {
    let parts = repository.split('/').count();
    let fits = match forge {
        ForgeKind::Gitlab => parts >= 2,
        ForgeKind::Github | ForgeKind::Gitea => parts == 2,
    };
    if fits && is_plain_path(repository) {
        return Ok(repository.to_owned());
    }
    let form = if forge == ForgeKind::Gitlab { "GROUP/NAME" } else { "OWNER/NAME" };
    Err(CoreError::invalid("REPOSITORY_FORM", format!("the repository is named {form}")))
}

fn checked_folder(folder: &str) -> Result<String, CoreError> {
    let folder = folder.trim_matches('/');
    let folder = folder.strip_prefix("./").unwrap_or(folder);
    if folder.is_empty() || folder == "." {
        return Ok(String::new());
    }
    if is_plain_path(folder) {
        return Ok(folder.to_owned());
    }
    Err(CoreError::invalid(
        "FOLDER_FORM",
        "the folder is a path below the repository's root, of letters, digits and - _ . + @ ~",
    ))
}

/// A branch's name, within what git allows.
pub(crate) fn checked_branch(branch: &str) -> Result<String, CoreError> {
    let bad = |char: char| char.is_control() || matches!(char, ' ' | '~' | '^' | ':' | '?' | '*' | '[' | '\\');
    let length = branch.chars().count();
    let fits = (1..=PATH_MAX_CHARS).contains(&length) && !branch.chars().any(bad);
    if fits && !branch.contains("..") && !branch.starts_with('/') && !branch.ends_with('/') && !branch.contains("//") {
        return Ok(branch.to_owned());
    }
    Err(CoreError::invalid("BRANCH_FORM", "that is no name of a branch"))
}

/// An id for a delivery of ours.
pub(crate) fn delivery_id(now: Timestamp) -> Id {
    new_id("dlv", now)
}
