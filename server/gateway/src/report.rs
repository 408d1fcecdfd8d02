//! What a backend reports of a request it has served: the value of `svc-usage` in the answer's head or trailer. The form, and the order in
//! which it is checked, are the contract of docs/packages/backend.md.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hyper::header::{HeaderMap, HeaderName};
use std::collections::BTreeMap;
use subtle::ConstantTimeEq;
use svc_core::secrets::{hex, hmac_sha256};
use svc_engine::money::units::Units;

/// The header, and the trailer.
pub(crate) const USAGE: HeaderName = HeaderName::from_static("svc-usage");
/// Longest value, in bytes.
pub(crate) const VALUE_MAX_BYTES: usize = 8_192;
/// Most meters in one value.
pub(crate) const REPORTS_MAX: usize = 64;
/// How far the clocks of backend and gateway may be apart, in seconds.
pub(crate) const CLOCK_MAX_SECONDS: u64 = 300;
/// Shortest secret, in characters.
pub const SECRET_MIN_CHARS: usize = 32;
/// Secrets of a business at once: the second while one takes over.
pub const SECRETS_MAX: usize = 2;
/// Most digits of a moment.
const MOMENT_MAX_DIGITS: usize = 15;

/// Why a value is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReportError {
    /// It has not the form, or stands twice.
    Form,
    /// It was signed by another secret, or for another request.
    Signature,
    /// It was signed too long ago, or in the future.
    Expired,
}

impl ReportError {
    /// Its stable code.
    pub(crate) fn code(self) -> &'static str {
        match self {
            ReportError::Form => "USAGE_FORM",
            ReportError::Signature => "USAGE_SIGNATURE",
            ReportError::Expired => "USAGE_EXPIRED",
        }
    }
}

/// By what reports of a business's backends are checked.
#[derive(Clone, Debug, Default)]
pub struct Proof {
    secrets: Vec<String>,
}

/// Units by meter.
pub(crate) type Reports = BTreeMap<String, Units>;

impl Proof {
    /// By these secrets.
    pub fn new(secrets: Vec<String>) -> Proof {
        Proof { secrets }
    }

    /// What these headers, or trailers, report of a request; nothing where they don't. An unsigned value is taken where `is_required` is
    /// false and no secret is known.
    ///
    /// # Errors
    /// [`ReportError`].
    pub(crate) fn reports(
        &self,
        headers: &HeaderMap,
        request_id: &str,
        is_required: bool,
        now_seconds: u64,
    ) -> Result<Option<Reports>, ReportError> {
        let mut values = headers.get_all(&USAGE).iter();
        let Some(value) = values.next() else { return Ok(None) };
        if values.next().is_some() {
            return Err(ReportError::Form);
        }
        let value = value.to_str().map_err(|_| ReportError::Form)?;
        self.verified(value, request_id, is_required, now_seconds).map(Some)
    }

    fn verified(&self, value: &str, request_id: &str, is_required: bool, now: u64) -> Result<Reports, ReportError> {
        let (moment, payload, signature) = parts(value).ok_or(ReportError::Form)?;
        let unproven = self.secrets.is_empty() && !is_required;
        if !unproven && !self.secrets.iter().any(|secret| signs(secret, request_id, (moment, payload, &signature))) {
            return Err(ReportError::Signature);
        }
        let at: u64 = moment.parse().map_err(|_| ReportError::Form)?;
        if at.abs_diff(now) > CLOCK_MAX_SECONDS {
            return Err(ReportError::Expired);
        }
        let json = URL_SAFE_NO_PAD.decode(payload).map_err(|_| ReportError::Form)?;
        reports(&json).ok_or(ReportError::Form)
    }
}

/// Moment, payload and signature of a value.
fn parts(value: &str) -> Option<(&str, &str, Vec<u8>)> {
    let rest = value.strip_prefix("t=").filter(|_| value.len() <= VALUE_MAX_BYTES)?;
    let (moment, rest) = rest.split_once(",p=")?;
    let (payload, signature) = rest.split_once(",v1=")?;
    let is_moment = (1..=MOMENT_MAX_DIGITS).contains(&moment.len()) && moment.bytes().all(|byte| byte.is_ascii_digit());
    let is_payload = payload.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    let is_signature = signature.len() == 64 && !signature.bytes().any(|byte| byte.is_ascii_uppercase());
    let signature = hex(signature).filter(|_| is_moment && is_payload && is_signature)?;
    Some((moment, payload, signature))
}

fn signs(secret: &str, request_id: &str, (moment, payload, signature): (&str, &str, &[u8])) -> bool {
    let text = [b"svc-usage-v1\n", request_id.as_bytes(), b"\n", moment.as_bytes(), b"\n", payload.as_bytes()];
    hmac_sha256(secret.as_bytes(), &text).is_some_and(|mac| bool::from(mac.ct_eq(signature)))
}

/// The reports of a payload's JSON. A meter that stands twice is no form.
fn reports(json: &[u8]) -> Option<Reports> {
    serde_json::from_slice::<Members>(json).ok().map(|members| members.0)
}

/// An object whose members stand once each.
struct Members(Reports);

impl<'de> serde::Deserialize<'de> for Members {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Members, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = Members;
            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("an object of meters and quantities")
            }
            fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut reports = Reports::new();
                while let Some((meter, units)) = map.next_entry::<String, Units>()? {
                    if reports.insert(meter, units).is_some() || reports.len() > REPORTS_MAX {
                        return Err(serde::de::Error::custom("a meter stands twice, or there are too many"));
                    }
                }
                Ok(Members(reports))
            }
        }
        deserializer.deserialize_map(Visitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hyper::header::HeaderValue;
    use serde_json::Value as Json;

    fn vectors() -> Json {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/packages/usage-signature.vectors.json");
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
    }

    fn asked(vectors: &Json, vector: &Json) -> Result<Option<Reports>, ReportError> {
        let text = |name: &str| vector[name].as_str().or_else(|| vectors[name].as_str()).unwrap().to_owned();
        let now = vector["now"].as_u64().or_else(|| vectors["now"].as_u64()).unwrap();
        let headers = HeaderMap::from_iter([(USAGE, HeaderValue::from_str(&text("value")).unwrap())]);
        Proof::new(vec![text("secret")]).reports(&headers, &text("requestId"), true, now)
    }

    #[test]
    fn the_vectors_of_the_contract_are_judged_as_it_says() {
        let vectors = vectors();
        for vector in vectors["valid"].as_array().unwrap() {
            let reports =
                asked(&vectors, vector).unwrap_or_else(|error| panic!("{}: {error:?}", vector["name"])).unwrap();
            let wanted: Reports = serde_json::from_value(vector["reports"].clone()).unwrap();
            assert_eq!(reports, wanted, "{}", vector["name"]);
        }
        for vector in vectors["invalid"].as_array().unwrap() {
            let error = asked(&vectors, vector).expect_err(vector["name"].as_str().unwrap());
            assert_eq!(error.code(), vector["code"], "{}", vector["name"]);
        }
    }

    #[test]
    fn twice_is_no_form_and_a_second_secret_may_sign() {
        let vectors = vectors();
        let vector = &vectors["valid"][0];
        let value = HeaderValue::from_str(vector["value"].as_str().unwrap()).unwrap();
        let now = vectors["now"].as_u64().unwrap();
        let mut headers = HeaderMap::from_iter([(USAGE, value.clone())]);
        let secrets =
            vec!["another-secret-of-32-characters-1234".to_owned(), vectors["secret"].as_str().unwrap().to_owned()];
        let proof = Proof::new(secrets);
        assert!(proof.reports(&headers, "req_01", true, now).unwrap().is_some());
        assert_eq!(proof.reports(&HeaderMap::new(), "req_01", true, now), Ok(None));
        assert_eq!(proof.reports(&headers, "req_02", true, now), Err(ReportError::Signature));
        assert_eq!(Proof::default().reports(&headers, "req_01", true, now), Err(ReportError::Signature));
        assert!(Proof::default().reports(&headers, "req_01", false, now).is_ok());
        headers.append(USAGE, value);
        assert_eq!(proof.reports(&headers, "req_01", true, now), Err(ReportError::Form));
    }

    #[test]
    fn a_meter_that_stands_twice_is_no_form() {
        assert!(reports(br#"{"a":1,"a":1}"#).is_none());
        assert_eq!(reports(br#"{"a":1,"b":"0.5"}"#).unwrap().len(), 2);
        let many: String = (0..=REPORTS_MAX).map(|n| format!("\"m{n}\":1,")).collect();
        assert!(reports(format!("{{{}}}", many.trim_end_matches(',')).as_bytes()).is_none());
    }
}
