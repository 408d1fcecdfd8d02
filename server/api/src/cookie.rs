//! The cookie that keeps a subscriber's session at the portal page, and what proves that a form comes from that page.

use hyper::header::{COOKIE, HeaderMap};
use subtle::ConstantTimeEq;
use svc_core::portal_sessions::PORTAL_SESSION_SECONDS;
use svc_core::tokens::token_hash;
use svc_store::records::Id;

/// The cookie's name.
const NAME: &str = "svc_portal";

/// The path of a business's page, below which its cookie is sent.
pub(crate) fn page_path(business: &Id) -> String {
    format!("/portal/businesses/{}/", crate::request::segment(business.as_str()))
}

/// The session's secret of a request.
pub(crate) fn session(headers: &HeaderMap) -> Option<&str> {
    let texts = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = texts.flat_map(|text| text.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(name, value)| *name == NAME && !value.is_empty()).map(|(_, value)| value)
}

/// The header that keeps a session: for no script, for no other path, and not along with another site's forms. (`Strict` would
/// leave it out when the link is followed from the operator's own site.)
pub(crate) fn keep(business: &Id, secret: &str, over_tls: bool) -> String {
    header(business, secret, PORTAL_SESSION_SECONDS, over_tls)
}

/// The header that forgets it.
pub(crate) fn forget(business: &Id, over_tls: bool) -> String {
    header(business, "", 0, over_tls)
}

fn header(business: &Id, value: &str, seconds: i64, over_tls: bool) -> String {
    let secure = if over_tls { "; Secure" } else { "" };
    format!("{NAME}={value}; Path={}; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}", page_path(business))
}

/// What a form of the session's page carries, and no other page knows.
pub(crate) fn form_proof(secret: &str) -> String {
    token_hash(&format!("form\0{secret}")).iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"))
}

/// Whether a form carries it.
pub(crate) fn is_proven(secret: &str, proof: &str) -> bool {
    bool::from(form_proof(secret).as_bytes().ct_eq(proof.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(cookies: &[&'static str]) -> HeaderMap {
        cookies.iter().map(|cookie| (COOKIE, cookie.parse().unwrap())).collect()
    }

    #[test]
    fn the_session_is_found_among_other_cookies() {
        assert_eq!(session(&sent(&["a=b; svc_portal=x; c=d"])), Some("x"));
        assert_eq!(session(&sent(&["a=b", "svc_portal=x=y"])), Some("x=y"));
        for none in ["", "svc_portal", "svc_portal=", "xsvc_portal=x", "a=svc_portal=x"] {
            assert_eq!(session(&sent(&[none])), None, "{none}");
        }
    }

    #[test]
    fn a_proof_is_of_one_session_and_not_its_secret() {
        let proof = form_proof("one");
        assert!(is_proven("one", &proof) && !is_proven("two", &proof) && !is_proven("one", ""));
        assert_ne!(proof, token_hash("one").iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}")));
    }

    #[test]
    fn a_cookie_is_bound_to_its_page() {
        let business = Id::named("biz_1");
        let kept = keep(&business, "x", true);
        assert_eq!(kept, "svc_portal=x; Path=/portal/businesses/biz_1/; Max-Age=3600; HttpOnly; SameSite=Lax; Secure");
        assert!(forget(&business, false).starts_with("svc_portal=; ") && !forget(&business, false).contains("Secure"));
    }
}
