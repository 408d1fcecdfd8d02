//! Whether a delivery comes from who knows the hook's secret. Comparisons take the same time whatever they hold.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hyper::HeaderMap;
use jiff::Timestamp;
use subtle::ConstantTimeEq;
use svc_core::secrets::{hex, hmac_sha256};
use svc_store::records::ForgeKind;

/// How far a signed moment may be from ours, either way, in seconds: what Standard Webhooks says.
const CLOCK_APART_MAX_SECONDS: i64 = 300;
/// What a secret of Standard Webhooks begins with; the key follows as base64.
const STANDARD_PREFIX: &str = "whsec_";
/// The one version of Standard Webhooks' signatures.
const STANDARD_VERSION: &str = "v1,";
/// Signatures of one delivery that are looked at: more than one stand there while a secret is rotated.
const SIGNATURES_MAX: usize = 8;

/// Whether one of the secrets proves the delivery.
pub(super) fn is_proven(
    forge: ForgeKind,
    headers: &HeaderMap,
    body: &[u8],
    secrets: &[String],
    now: Timestamp,
) -> bool {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    secrets.iter().any(|secret| match forge {
        ForgeKind::Github => text("x-hub-signature-256").is_some_and(|given| is_hub(given, body, secret)),
        ForgeKind::Gitea => {
            let bare = ["x-forgejo-signature", "x-gitea-signature"].into_iter().find_map(text);
            let of_hub = || text("x-hub-signature-256").is_some_and(|given| is_hub(given, body, secret));
            bare.map_or_else(of_hub, |given| is_mac(given, body, secret))
        }
        ForgeKind::Gitlab => match text("webhook-signature") {
            Some(given) => {
                let (id, at) = (text("webhook-id"), text("webhook-timestamp"));
                id.zip(at).is_some_and(|(id, at)| is_standard(given, (id, at), body, secret, now))
            }
            None => text("x-gitlab-token").is_some_and(|given| is_same(given, secret)),
        },
    })
}

fn is_hub(given: &str, body: &[u8], secret: &str) -> bool {
    given.strip_prefix("sha256=").is_some_and(|given| is_mac(given, body, secret))
}

/// The MAC of the body in hex.
fn is_mac(given: &str, body: &[u8], secret: &str) -> bool {
    hex(given).is_some_and(|given| verifies(secret.as_bytes(), &[body], &given))
}

/// The secret itself. Its length is no secret: ours have one.
fn is_same(given: &str, secret: &str) -> bool {
    bool::from(given.as_bytes().ct_eq(secret.as_bytes()))
}

/// The MAC of id, moment and body, of now.
fn is_standard(given: &str, (id, at): (&str, &str), body: &[u8], secret: &str, now: Timestamp) -> bool {
    let apart = at.parse::<i64>().ok().and_then(|at| at.checked_sub(now.as_second()));
    if apart.is_none_or(|apart| apart.unsigned_abs() > CLOCK_APART_MAX_SECONDS.unsigned_abs()) {
        return false;
    }
    let Some(key) = STANDARD.decode(secret.strip_prefix(STANDARD_PREFIX).unwrap_or(secret)).ok() else { return false };
    let given = given.split(' ').take(SIGNATURES_MAX).filter_map(|given| given.strip_prefix(STANDARD_VERSION));
    let parts: [&[u8]; 5] = [id.as_bytes(), b".", at.as_bytes(), b".", body];
    given.filter_map(|given| STANDARD.decode(given).ok()).any(|given| verifies(&key, &parts, &given))
}

fn verifies(key: &[u8], parts: &[&[u8]], given: &[u8]) -> bool {
    hmac_sha256(key, parts).is_some_and(|mac| bool::from(mac.as_slice().ct_eq(given)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hyper::header::{HeaderName, HeaderValue};

    fn headers(pairs: &[(&str, &str)]) -> HeaderMap {
        let pair = |(name, value): &(&str, &str)| {
            (HeaderName::try_from(*name).unwrap(), HeaderValue::try_from(*value).unwrap())
        };
        pairs.iter().map(pair).collect()
    }

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    fn proven(forge: ForgeKind, given: &[(&str, &str)], body: &str, secret: &str, second: i64) -> bool {
        is_proven(forge, &headers(given), body.as_bytes(), &[secret.to_owned()], at(second))
    }

    /// What GitHub's documentation gives to test with.
    const HUB: (&str, &str, &str) = (
        "It's a Secret to Everybody",
        "Hello, World!",
        "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17",
    );

    #[test]
    fn github_s_published_vector() {
        let (secret, body, mac) = HUB;
        let good = format!("sha256={mac}");
        let github = |name: &str, given: &str, body: &str, secret: &str| {
            proven(ForgeKind::Github, &[(name, given)], body, secret, 0)
        };
        assert!(github("x-hub-signature-256", &good, body, secret));
        assert!(!github("x-hub-signature-256", &good, "Hello, World?", secret), "another body");
        assert!(!github("x-hub-signature-256", &good, body, "It's a Secret to Everyone"), "another key");
        for wrong in [
            mac.to_owned(),
            format!("sha1={mac}"),
            good.replace('7', "8"),
            format!("{good}00"),
            "sha256=".to_owned(),
            "sha256=zz".to_owned(),
        ] {
            assert!(!github("x-hub-signature-256", &wrong, body, secret), "{wrong}");
        }
        assert!(!github("x-hub-signature", &good, body, secret), "the older header");
        assert!(!github("x-gitea-signature", mac, body, secret), "another forge's header");
        assert!(!proven(ForgeKind::Github, &[], body, secret, 0), "no proof");
    }

    #[test]
    fn gitea_and_forgejo_sign_alike_in_three_headers() {
        let (secret, body, mac) = HUB;
        let good = format!("sha256={mac}");
        for (name, given) in [("x-gitea-signature", mac), ("x-forgejo-signature", mac), ("x-hub-signature-256", &good)]
        {
            assert!(proven(ForgeKind::Gitea, &[(name, given)], body, secret, 0), "{name}");
            assert!(!proven(ForgeKind::Gitea, &[(name, given)], "", secret, 0), "{name}");
        }
        let wrong = mac.replace('7', "8");
        let both = [("x-gitea-signature", wrong.as_str()), ("x-hub-signature-256", good.as_str())];
        assert!(!proven(ForgeKind::Gitea, &both, body, secret, 0), "two proofs, one of them wrong");
    }

    /// What Standard Webhooks' documentation gives to test with.
    const STANDARD_SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    const STANDARD_SIGNATURE: &str = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
    const STANDARD_BODY: &str = r#"{"test": 2432232314}"#;
    const STANDARD_AT: i64 = 1_614_265_330;

    fn standard<'a>(signature: &'a str, at: &'a str) -> [(&'a str, &'a str); 3] {
        [("webhook-id", "msg_p5jXN8AQM9LWM0D4loKWxJek"), ("webhook-timestamp", at), ("webhook-signature", signature)]
    }

    #[test]
    fn standard_webhooks_published_vector() {
        let gitlab = |given: &[(&str, &str)], body: &str, secret: &str, second: i64| {
            proven(ForgeKind::Gitlab, given, body, secret, second)
        };
        let good = standard(STANDARD_SIGNATURE, "1614265330");
        assert!(gitlab(&good, STANDARD_BODY, STANDARD_SECRET, STANDARD_AT));
        for apart in [-300, 300] {
            assert!(gitlab(&good, STANDARD_BODY, STANDARD_SECRET, STANDARD_AT + apart), "{apart}");
        }
        for apart in [-301, 301, 86_400] {
            assert!(!gitlab(&good, STANDARD_BODY, STANDARD_SECRET, STANDARD_AT + apart), "replayed {apart}");
        }
        assert!(!gitlab(&good, "{}", STANDARD_SECRET, STANDARD_AT), "another body");
        assert!(!gitlab(&good, STANDARD_BODY, "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", STANDARD_AT), "another key");
        assert!(
            !gitlab(&standard(STANDARD_SIGNATURE, "1614265331"), STANDARD_BODY, STANDARD_SECRET, STANDARD_AT),
            "another moment"
        );
        let several = format!("v2,xx v1,AAAA {STANDARD_SIGNATURE}");
        assert!(
            gitlab(&standard(&several, "1614265330"), STANDARD_BODY, STANDARD_SECRET, STANDARD_AT),
            "one of several"
        );
        assert!(!gitlab(&good[..1], STANDARD_BODY, STANDARD_SECRET, STANDARD_AT), "no proof");
        assert!(!gitlab(&good[1..], STANDARD_BODY, STANDARD_SECRET, STANDARD_AT), "no id");
    }

    #[test]
    fn gitlab_s_older_token_is_the_secret_itself() {
        let gitlab = |token: &str| proven(ForgeKind::Gitlab, &[("x-gitlab-token", token)], "{}", STANDARD_SECRET, 0);
        assert!(gitlab(STANDARD_SECRET));
        assert!(!gitlab(STANDARD_SECRET.trim_start_matches("whsec_")));
        assert!(!gitlab(""));
        // A signature that is wrong is not made good by a token.
        let mut both = standard("v1,AAAA", "1614265330").to_vec();
        both.push(("x-gitlab-token", STANDARD_SECRET));
        assert!(!proven(ForgeKind::Gitlab, &both, STANDARD_BODY, STANDARD_SECRET, STANDARD_AT));
    }

    #[test]
    fn the_former_secret_proves_too_while_it_is_taken() {
        let (secret, body, mac) = HUB;
        let given = headers(&[("x-hub-signature-256", &format!("sha256={mac}"))]);
        let secrets = ["the new secret of the hook".to_owned(), secret.to_owned()];
        assert!(is_proven(ForgeKind::Github, &given, body.as_bytes(), &secrets, at(0)));
        assert!(!is_proven(ForgeKind::Github, &given, body.as_bytes(), &secrets[..1], at(0)));
    }
}
