//! A database's address: what tokio-postgres reads of it, and how TLS is spoken there. It knows `verify-ca`, `verify-full` and
//! `sslrootcert`, which tokio-postgres does not, by libpq's meanings; but nothing goes to another machine in the clear unless the
//! address says `sslmode=disable`.

use crate::error::{StoreError, StoreResult};
use percent_encoding::percent_decode_str;
use std::net::IpAddr;
use std::str::FromStr;
use svc_tls::{Check, Trust};
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};

/// The options that are read here.
const MODE: &str = "sslmode";
const ROOTS: &str = "sslrootcert";
/// The roots that the system trusts, by libpq's word for them.
const SYSTEM: &str = "system";

/// Where a database is, and how it is spoken to.
#[derive(Clone, Debug)]
pub(super) struct Address {
    /// All else, with what is asked of TLS.
    pub(super) config: Config,
    /// What is looked at of its certificate; nothing where TLS is not spoken.
    pub(super) tls: Option<(Trust, Check)>,
    /// Whether it is on another machine.
    pub(super) is_elsewhere: bool,
}

/// `sslmode`, as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Disable,
    Prefer,
    Require,
    VerifyCa,
    VerifyFull,
}

impl Address {
    /// Reads a `postgres://` URL or a `key=value` string.
    pub(super) fn read(text: &str) -> StoreResult<Address> {
        let (rest, options) = apart(text);
        let mut config = Config::from_str(&rest)?;
        let last = |key: &str| options.iter().rev().find(|(found, _)| found == key).map(|(_, value)| value.as_str());
        let is_elsewhere = is_elsewhere(&config);
        let roots = last(ROOTS).filter(|path| !path.is_empty());
        let mode = last(MODE).map(Mode::read).transpose()?.unwrap_or(match (is_elsewhere, roots) {
            (_, Some(_)) => Mode::VerifyFull,
            (true, None) => Mode::Require,
            (false, None) => Mode::Prefer,
        });
        let is_unix = config.get_hosts().iter().all(|host| matches!(host, Host::Unix(_)));
        let trust = roots.filter(|path| *path != SYSTEM).map_or(Trust::System, |path| Trust::File(path.into()));
        let (asked, check) = match mode {
            Mode::Disable => (SslMode::Disable, None),
            // There is no TLS over a socket of this machine's.
            _ if is_unix => (SslMode::Disable, None),
            Mode::Prefer if !is_elsewhere => (SslMode::Prefer, Some(Check::Nothing)),
            Mode::VerifyFull => (SslMode::Require, Some(Check::SignedForName)),
            Mode::VerifyCa => (SslMode::Require, Some(Check::Signed)),
            // As in libpq: the system's roots say nothing about one server, so then its name is looked at too.
            Mode::Prefer | Mode::Require if roots == Some(SYSTEM) => (SslMode::Require, Some(Check::SignedForName)),
            Mode::Prefer | Mode::Require if roots.is_some() => (SslMode::Require, Some(Check::Signed)),
            Mode::Prefer | Mode::Require => (SslMode::Require, Some(Check::Nothing)),
        };
        config.ssl_mode(asked);
        Ok(Address { config, tls: check.map(|check| (trust, check)), is_elsewhere })
    }
}

impl Mode {
    fn read(text: &str) -> StoreResult<Mode> {
        Ok(match text {
            "disable" => Mode::Disable,
            "allow" | "prefer" => Mode::Prefer,
            "require" => Mode::Require,
            "verify-ca" => Mode::VerifyCa,
            "verify-full" => Mode::VerifyFull,
            _ => {
                let known = "disable, prefer, require, verify-ca or verify-full";
                return Err(StoreError::Database(format!("{MODE}={text:?} is none of {known}")));
            }
        })
    }
}

/// Whether a connection may leave this machine. An address that is not known to be this machine's is not.
fn is_elsewhere(config: &Config) -> bool {
    if !config.get_hostaddrs().is_empty() {
        return !config.get_hostaddrs().iter().all(IpAddr::is_loopback);
    }
    !config.get_hosts().iter().all(|host| match host {
        Host::Unix(_) => true,
        Host::Tcp(name) => {
            name == "localhost" || name.parse::<IpAddr>().is_ok_and(|address| address.to_canonical().is_loopback())
        }
    })
}

/// The address without the options that are read here, and those.
fn apart(text: &str) -> (String, Vec<(String, String)>) {
    if text.starts_with("postgres://") || text.starts_with("postgresql://") { of_url(text) } else { of_pairs(text) }
}

fn is_ours(key: &str) -> bool {
    key == MODE || key == ROOTS
}

fn of_url(text: &str) -> (String, Vec<(String, String)>) {
    // A password may hold a question mark: it ends with the first `@`, as for tokio-postgres.
    let host_at = text.find('@').unwrap_or_default();
    let query_at = text.get(host_at..).and_then(|rest| rest.find('?')).and_then(|at| at.checked_add(host_at));
    let Some((before, query)) = query_at.and_then(|at| text.split_at_checked(at)) else {
        return (text.to_owned(), Vec::new());
    };
    let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
    let mut ours = Vec::new();
    let mut others = Vec::new();
    for option in query.trim_start_matches('?').split('&').filter(|option| !option.is_empty()) {
        match option.split_once('=') {
            Some((key, value)) if is_ours(key) => ours.push((key.to_owned(), decoded(value))),
            _ => others.push(option),
        }
    }
    let mark = if others.is_empty() { "" } else { "?" };
    (format!("{before}{mark}{}", others.join("&")), ours)
}

/// `key = value` with blanks around, values in quotes where they have blanks in them, and `\` before what is meant as it stands.
fn of_pairs(text: &str) -> (String, Vec<(String, String)>) {
    let mut chars = text.chars().peekable();
    let (mut rest, mut ours) = (String::new(), Vec::new());
    while chars.peek().is_some() {
        let mut written = String::new();
        let mut next = |chars: &mut std::iter::Peekable<std::str::Chars<'_>>| {
            let char = chars.next()?;
            written.push(char);
            Some(char)
        };
        let mut key = String::new();
        while let Some(char) = next(&mut chars).filter(|char| *char != '=') {
            key.push(char);
        }
        while chars.peek().is_some_and(|char| char.is_whitespace()) {
            next(&mut chars);
        }
        let is_quoted = chars.peek() == Some(&'\'');
        if is_quoted {
            next(&mut chars);
        }
        let mut value = String::new();
        while let Some(char) = next(&mut chars) {
            match char {
                '\'' if is_quoted => break,
                '\\' => value.extend(next(&mut chars)),
                blank if !is_quoted && blank.is_whitespace() => break,
                other => value.push(other),
            }
        }
        if is_ours(key.trim()) {
            ours.push((key.trim().to_owned(), value));
        } else {
            rest.push_str(&written);
        }
    }
    (rest, ours)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is asked of TLS, what is looked at, and by whose roots.
    fn read(text: &str) -> (SslMode, Option<(Trust, Check)>) {
        let address = Address::read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        (address.config.get_ssl_mode(), address.tls)
    }

    #[test]
    fn nothing_goes_elsewhere_in_the_clear_unless_it_is_written() {
        for here in [
            "postgres://svc@127.0.0.1:5432/svc",
            "postgres://svc@localhost/svc",
            "postgres://svc@[::1]/svc",
            "host=127.0.0.1 user=svc",
        ] {
            assert_eq!(read(here), (SslMode::Prefer, Some((Trust::System, Check::Nothing))), "{here}");
        }
        for socket in ["host=/var/run/postgresql user=svc", "postgres:///svc?host=/tmp&sslmode=verify-full"] {
            assert_eq!(read(socket), (SslMode::Disable, None), "{socket}");
        }
        for elsewhere in [
            "postgres://svc@db.internal/svc",
            "postgres://svc@10.0.0.1/svc?sslmode=prefer",
            "postgres://svc@localhost,db2/svc",
            "host=localhost hostaddr=10.0.0.1 user=svc",
            "host=db user=svc sslmode=allow",
        ] {
            assert_eq!(read(elsewhere), (SslMode::Require, Some((Trust::System, Check::Nothing))), "{elsewhere}");
        }
        for written in ["postgres://svc@db/svc?sslmode=disable", "host = db sslmode = disable user=svc"] {
            assert_eq!(read(written), (SslMode::Disable, None), "{written}");
        }
    }

    #[test]
    fn what_is_looked_at_is_what_libpq_looks_at() {
        let of = |options: &str| read(&format!("postgres://svc:p%3Fw@db:5433/svc?{options}")).1;
        let file = || Trust::File("/etc/my roots.pem".into());
        assert_eq!(of("sslmode=require"), Some((Trust::System, Check::Nothing)));
        assert_eq!(of("sslmode=verify-ca"), Some((Trust::System, Check::Signed)));
        assert_eq!(of("sslmode=verify-full"), Some((Trust::System, Check::SignedForName)));
        assert_eq!(
            of("connect_timeout=3&sslmode=verify-full&sslrootcert=/etc/my%20roots.pem"),
            Some((file(), Check::SignedForName))
        );
        assert_eq!(of("sslrootcert=/etc/my%20roots.pem"), Some((file(), Check::SignedForName)));
        assert_eq!(of("sslmode=require&sslrootcert=/etc/my%20roots.pem"), Some((file(), Check::Signed)));
        assert_eq!(of("sslmode=require&sslrootcert=system"), Some((Trust::System, Check::SignedForName)));
        let pairs = r"host=db sslrootcert='/etc/my roots.pem' password='it\'s sslmode=disable' sslmode=verify-ca";
        assert_eq!(read(pairs).1, Some((file(), Check::Signed)));
        assert_eq!(Address::read(pairs).unwrap().config.get_password(), Some(&b"it's sslmode=disable"[..]));
    }

    #[test]
    fn all_else_is_as_it_was() {
        let address = Address::read("postgres://svc:a?b@db1,db2/name?sslmode=require&target_session_attrs=read-write");
        let config = address.unwrap().config;
        assert_eq!((config.get_password(), config.get_dbname()), (Some(&b"a?b"[..]), Some("name")));
        assert_eq!(config.get_hosts().len(), 2);
        for wrong in ["nonsense", "postgres://svc@db/svc?nonsense=1", "host=db sslmode=verify", "host"] {
            assert!(Address::read(wrong).is_err(), "{wrong}");
        }
    }
}
