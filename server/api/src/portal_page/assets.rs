//! What the portal page loads: its script and its styles, under a path that names their content, so that browsers keep them.

use crate::problem::Problem;
use crate::reply::Reply;
use hyper::StatusCode;
use hyper::header::CACHE_CONTROL;
use std::sync::LazyLock;
use svc_core::tokens::token_hash;
use svc_store::records::PortalLook;

/// The page's script: `js-shim/client/page`, built by `make carried`.
const SCRIPT: &str = include_str!("assets/portal.js");
/// The page's styles, and those of the bill itself, which are the React component's.
const STYLE: &str =
    concat!(include_str!("portal.css"), include_str!("../../../../js-shim/client/styles/bill-preview.css"));
/// Bytes of the content's hash that name it.
const VERSION_BYTES: usize = 8;

/// What names the content.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let hash = token_hash(&[SCRIPT, STYLE].concat());
    hash.iter().take(VERSION_BYTES).fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"))
});

/// Where a file is.
pub(crate) fn path(file: &str) -> String {
    format!("/portal/assets/{}/{file}", *VERSION)
}

pub(crate) fn show(version: &str, file: &str) -> Result<Reply, Problem> {
    let (kind, body) = match file {
        "portal.js" => ("text/javascript; charset=utf-8", SCRIPT),
        "portal.css" => ("text/css; charset=utf-8", STYLE),
        _ => return Err(Problem::new(StatusCode::NOT_FOUND, "NOT_FOUND", "there is nothing at this path")),
    };
    // While servers are replaced, one may be asked for what another's page names: it answers with its own.
    let kept = if version == *VERSION { "public, max-age=31536000, immutable" } else { "no-cache" };
    Ok(Reply::asset(kind, body.to_owned()).with_header(CACHE_CONTROL, kept))
}

/// A business's colours, over the page's own.
pub(crate) fn theme(look: &PortalLook) -> Reply {
    let colour = |accent: &Option<String>| format!("--svc-bar:{}", accent.as_deref().unwrap_or("initial"));
    let (light, dark) = (colour(&look.accent_light), colour(&look.accent_dark));
    let style = format!(":root{{{light}}}@media (prefers-color-scheme:dark){{:root{{{dark}}}}}\n");
    Reply::asset("text/css; charset=utf-8", style).with_header(CACHE_CONTROL, "public, max-age=60")
}

#[cfg(test)]
mod tests {
    use super::*;
    use svc_core::portal_look::{GROUND_DARK, GROUND_LIGHT};

    #[test]
    fn colours_are_checked_against_the_grounds_that_the_page_has() {
        for ground in [GROUND_LIGHT, GROUND_DARK] {
            assert_eq!(STYLE.matches(&format!("--ground: {ground};")).count(), 1, "{ground}");
            assert!(STYLE.contains(&format!("--_background: var(--svc-background, {ground})")), "{ground}");
        }
    }

    #[test]
    fn a_theme_falls_back_to_the_pages_own_colours() {
        let look = PortalLook { name: "x".to_owned(), accent_light: Some("#123456".to_owned()), accent_dark: None };
        let style = theme(&look).body;
        assert_eq!(style, ":root{--svc-bar:#123456}@media (prefers-color-scheme:dark){:root{--svc-bar:initial}}\n");
    }
}
