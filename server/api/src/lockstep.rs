//! Lockstep: the packages that call this service have its own major version, or are told so in a sentence.

use crate::problem::Problem;
use hyper::StatusCode;
use hyper::header::HeaderMap;
use serde_json::json;

/// The header in which a package names itself: `@svc/backend@0.1.0`.
const PACKAGE: &str = "svc-package";
/// The version of this service and of its packages.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Lets packages of this service's major version in, and whoever names none.
///
/// # Errors
/// 426 `PACKAGE_VERSION` for a package of another major.
pub(crate) fn check(headers: &HeaderMap) -> Result<(), Problem> {
    let named = headers.get(PACKAGE).and_then(|value| value.to_str().ok());
    match named.and_then(package).filter(|(_, version)| major(version) != major(VERSION)) {
        None => Ok(()),
        Some((name, version)) => Err(refusal(name, version)),
    }
}

fn refusal(name: &str, version: &str) -> Problem {
    let detail = format!(
        "this service is of version {VERSION} and {name} of {version}: install {name} {VERSION}, which `svc packages` of that \
         version writes"
    );
    Problem::new(StatusCode::UPGRADE_REQUIRED, "PACKAGE_VERSION", detail)
        .with_member("package", json!(name))
        .with_member("packageVersion", json!(version))
        .with_member("serviceVersion", json!(VERSION))
}

/// Name and version of one of our packages; nothing for what is neither, which is nobody's mistake but its sender's.
fn package(text: &str) -> Option<(&str, &str)> {
    let (name, version) = text.trim().rsplit_once(['@', '/'])?;
    let is_ours = name.strip_prefix("@svc/").is_some_and(|rest| !rest.is_empty());
    (is_ours && major(version).is_some()).then_some((name, version))
}

fn major(version: &str) -> Option<u64> {
    version.split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(package: &'static str) -> Result<(), Problem> {
        check(&HeaderMap::from_iter([(PACKAGE.parse().unwrap(), package.parse().unwrap())]))
    }

    #[test]
    fn the_same_major_is_let_in_and_another_is_told_what_to_do() {
        let own = major(VERSION).unwrap();
        assert!(check(&HeaderMap::new()).is_ok());
        let of = |version: String| -> &'static str { format!("@svc/backend@{version}").leak() };
        assert!(asked(of(VERSION.to_owned())).is_ok());
        assert!(asked(of(format!("{own}.99.0"))).is_ok());
        let refused = asked(of(format!("{}.0.0", own + 1))).unwrap_err();
        assert_eq!((refused.status, refused.code.as_str()), (StatusCode::UPGRADE_REQUIRED, "PACKAGE_VERSION"));
        assert!(refused.detail.contains(&format!("install @svc/backend {VERSION}")), "{}", refused.detail);
        assert!(!refused.detail.contains("  "), "{}", refused.detail);
        assert_eq!(asked("@svc/client-js/9.1.2-rc.1").unwrap_err().members["package"], "@svc/client-js");
    }

    #[test]
    fn what_is_no_package_of_ours_is_let_in() {
        for other in [
            "",
            "curl",
            "@svc/backend",
            "@svc/",
            "@svc/@9.0.0",
            "@other/backend@9.0.0",
            "@svc/backend@latest",
            "@svc/backend@-1.0.0",
        ] {
            assert!(asked(other.to_owned().leak()).is_ok(), "{other}");
        }
    }
}
