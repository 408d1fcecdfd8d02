//! Headers on their way through: what is of one connection stays there, what only the gateway may say is taken out of what others say, and
//! where a request comes from is said anew.

use hyper::header::{
    AUTHORIZATION, CONNECTION, CONTENT_LENGTH, EXPECT, FORWARDED, HOST, HeaderMap, HeaderName, HeaderValue,
    PROXY_AUTHENTICATE, PROXY_AUTHORIZATION, TE, TRAILER, TRANSFER_ENCODING, UPGRADE, VIA,
};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use std::collections::BTreeSet;

/// The gateway's own key, beside an `Authorization` that is the product's.
pub(crate) const KEY: HeaderName = HeaderName::from_static("svc-key");
/// The request's id, for the backend.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("svc-request-id");
/// What this gateway is called in `Via`.
pub(crate) const VIA_NAME: &str = "svc-gateway";

/// Headers of one connection (RFC 9110 §7.6.1), and older ones.
const HOP_BY_HOP: [HeaderName; 9] = [
    CONNECTION,
    HeaderName::from_static("keep-alive"),
    HeaderName::from_static("proxy-connection"),
    PROXY_AUTHENTICATE,
    PROXY_AUTHORIZATION,
    TE,
    TRAILER,
    TRANSFER_ENCODING,
    UPGRADE,
];
/// What of a subject's text is encoded in a header.
const ENCODED: &AsciiSet = &CONTROLS.add(b' ').add(b'%').add(b'"').add(b',');

/// A name as its backend is told, made once for many requests; nothing for what no header can hold.
pub(crate) type Named = Option<HeaderValue>;

/// A key or a route's name as a backend is told.
pub(crate) fn named(name: &str) -> Named {
    HeaderValue::from_str(name).ok()
}

/// A subject as a backend is told: any text, encoded where it is not plain ASCII.
pub(crate) fn named_subject(subject: &str) -> Named {
    named(&utf8_percent_encode(subject, ENCODED).to_string())
}

/// Whom a request is of, as its backend is told.
pub(crate) struct Caller<'a> {
    pub(crate) request_id: &'a str,
    pub(crate) business: &'a Named,
    pub(crate) subject: &'a Named,
    pub(crate) plan: &'a Named,
    pub(crate) feature: &'a Named,
    pub(crate) route: &'a Named,
    pub(crate) peer: &'a str,
    /// `http` or `https`.
    pub(crate) scheme: &'static str,
    /// Whether the key stood in `Authorization`, which is not the product's then.
    pub(crate) key_in_authorization: bool,
}

/// Makes a request's headers those that its backend gets; `host` is the backend's.
pub(crate) fn to_backend(headers: &mut HeaderMap, caller: &Caller<'_>, host: Option<HeaderValue>) {
    let asked_for = headers.get(HOST).cloned();
    strip_hop_by_hop(headers);
    let ours: Vec<HeaderName> = headers.keys().filter(|name| is_ours(name)).cloned().collect();
    ours.iter().chain([&FORWARDED, &EXPECT, &HOST]).for_each(|name| {
        headers.remove(name);
    });
    if caller.key_in_authorization {
        headers.remove(AUTHORIZATION);
    }
    let forwarded_host = asked_for.as_ref().and_then(|host| host.to_str().ok()).unwrap_or_default();
    let told = [
        (REQUEST_ID, named(caller.request_id)),
        (HeaderName::from_static("svc-business"), caller.business.clone()),
        (HeaderName::from_static("svc-subject"), caller.subject.clone()),
        (HeaderName::from_static("svc-plan"), caller.plan.clone()),
        (HeaderName::from_static("svc-feature"), caller.feature.clone()),
        (HeaderName::from_static("svc-route"), caller.route.clone()),
        (FORWARDED, named(&forwarded(caller, forwarded_host))),
        (HeaderName::from_static("x-forwarded-for"), named(caller.peer)),
        (HeaderName::from_static("x-forwarded-proto"), Some(HeaderValue::from_static(caller.scheme))),
        (HeaderName::from_static("x-forwarded-host"), named(forwarded_host)),
        (HOST, host),
    ];
    for (name, value) in told {
        if let Some(value) = value {
            headers.insert(name, value);
        }
    }
    headers.append(VIA, HeaderValue::from_static("1.1 svc-gateway"));
}

/// Whether only the gateway may say it. Some backends read `svc_subject` as `svc-subject`.
fn is_ours(name: &HeaderName) -> bool {
    let plain = |byte: u8| if byte == b'_' { b'-' } else { byte };
    let begins = |with: &str| {
        let name = name.as_str().bytes();
        name.len() >= with.len() && name.map(plain).zip(with.bytes()).all(|(one, other)| one == other)
    };
    begins("svc-") || begins("x-forwarded-") || (begins("x-real-ip") && name.as_str().len() == "x-real-ip".len())
}

/// The value of `Forwarded` (RFC 7239).
fn forwarded(caller: &Caller<'_>, host: &str) -> String {
    let host = host.replace(['"', '\\'], "");
    let Caller { peer, scheme, .. } = caller;
    match peer.contains(':') {
        true => format!("for=\"[{peer}]\";proto={scheme};host=\"{host}\""),
        false => format!("for={peer};proto={scheme};host=\"{host}\""),
    }
}

/// An answer's headers as the client gets them.
pub(crate) fn to_client(headers: &mut HeaderMap) {
    let is_chunked = headers.contains_key(TRANSFER_ENCODING);
    let trailers = trailers_beside_usage(headers);
    strip_hop_by_hop(headers);
    if is_chunked {
        headers.remove(CONTENT_LENGTH);
    }
    let ours: Vec<HeaderName> = headers.keys().filter(|name| name.as_str().starts_with("svc-")).cloned().collect();
    for name in &ours {
        headers.remove(name);
    }
    if let Some(trailers) = trailers {
        headers.insert(TRAILER, trailers);
    }
}

/// Trailers as the client gets them.
pub(crate) fn trailers_to_client(trailers: &mut HeaderMap) {
    let hidden = |name: &HeaderName| {
        name.as_str().starts_with("svc-") || HOP_BY_HOP.contains(name) || *name == CONTENT_LENGTH || *name == HOST
    };
    let hidden: Vec<HeaderName> = trailers.keys().filter(|name| hidden(name)).cloned().collect();
    for name in &hidden {
        trailers.remove(name);
    }
}

/// Whether a request asks for another protocol.
pub(crate) fn is_upgrade(headers: &HeaderMap) -> bool {
    headers.contains_key(UPGRADE)
}

/// Whether it came through a gateway of ours already.
pub(crate) fn is_loop(headers: &HeaderMap) -> bool {
    let hops = headers.get_all(VIA).iter().filter_map(|via| via.to_str().ok()).flat_map(|via| via.split(','));
    hops.filter_map(|hop| hop.split_whitespace().nth(1)).any(|name| name == VIA_NAME)
}

fn trailers_beside_usage(headers: &HeaderMap) -> Option<HeaderValue> {
    let announced = headers.get_all(TRAILER).iter().filter_map(|value| value.to_str().ok());
    let names: Vec<&str> = announced.flat_map(|value| value.split(',')).map(str::trim).collect();
    let kept: Vec<&str> = names.into_iter().filter(|name| !name.to_ascii_lowercase().starts_with("svc-")).collect();
    if kept.is_empty() { None } else { HeaderValue::from_str(&kept.join(", ")).ok() }
}

fn strip_hop_by_hop(headers: &mut HeaderMap) {
    let named: BTreeSet<String> = headers
        .get_all(CONNECTION)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(|name| name.trim().to_ascii_lowercase())
        .collect();
    for name in named {
        headers.remove(name.as_str());
    }
    for name in &HOP_BY_HOP {
        headers.remove(name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
        headers
    }

    fn sent(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let caller = Caller {
            request_id: "req_1",
            business: &named("biz_1"),
            subject: &named_subject("Zoë, 100%"),
            plan: &named("pro"),
            feature: &named("jobs"),
            route: &named("GET /v1/jobs"),
            peer: "192.0.2.7",
            scheme: "http",
            key_in_authorization: true,
        };
        let mut headers = map(pairs);
        to_backend(&mut headers, &caller, named("origin.example"));
        headers
    }

    #[test]
    fn what_is_of_one_connection_stays_there() {
        let headers = sent(&[
            ("host", "api.example"),
            ("connection", "close, X-Secret-Hop"),
            ("connection", "keep-alive, cookie"),
            ("x-secret-hop", "1"),
            ("cookie", "a=b"),
            ("keep-alive", "timeout=5"),
            ("te", "trailers"),
            ("trailer", "x-sum"),
            ("transfer-encoding", "chunked"),
            ("proxy-authorization", "Basic x"),
            ("upgrade", "websocket"),
            ("expect", "100-continue"),
            ("x-kept", "1"),
        ]);
        for gone in [
            "connection",
            "x-secret-hop",
            "cookie",
            "keep-alive",
            "te",
            "trailer",
            "transfer-encoding",
            "proxy-authorization",
            "upgrade",
            "expect",
        ] {
            assert!(!headers.contains_key(gone), "{gone}");
        }
        assert_eq!(
            (&headers["x-kept"], &headers["host"]),
            (&HeaderValue::from_static("1"), &HeaderValue::from_static("origin.example"))
        );
    }

    #[test]
    fn only_the_gateway_says_who_calls_and_from_where() {
        let headers = sent(&[
            ("host", "api.example"),
            ("authorization", "Bearer svc_gateway_x"),
            ("svc-subject", "root"),
            ("svc_subject", "root"),
            ("svc-usage", "x"),
            ("svc-anything", "x"),
            ("forwarded", "for=10.0.0.1"),
            ("x-forwarded-for", "10.0.0.1"),
            ("x_forwarded_for", "10.0.0.1"),
            ("x-forwarded-port", "1"),
            ("x-real-ip", "10.0.0.1"),
        ]);
        for gone in [
            "authorization",
            "svc_subject",
            "svc-usage",
            "svc-anything",
            "x_forwarded_for",
            "x-forwarded-port",
            "x-real-ip",
        ] {
            assert!(!headers.contains_key(gone), "{gone}");
        }
        assert_eq!(headers["svc-subject"], "Zo%C3%AB%2C%20100%25");
        assert_eq!(headers["svc-request-id"], "req_1");
        assert_eq!(headers["x-forwarded-for"], "192.0.2.7");
        assert_eq!(headers.get_all("x-forwarded-for").iter().count(), 1);
        assert_eq!(headers["forwarded"], "for=192.0.2.7;proto=http;host=\"api.example\"");
        assert!(is_loop(&headers));
    }

    #[test]
    fn a_connection_that_names_what_is_added_takes_nothing_of_it_away() {
        let headers = sent(&[("connection", "svc-subject, svc-request-id, host"), ("host", "a")]);
        assert!(
            headers.contains_key("svc-subject")
                && headers.contains_key("svc-request-id")
                && headers.contains_key("host")
        );
    }

    #[test]
    fn the_client_sees_no_report_and_one_length() {
        let mut headers = map(&[
            ("svc-usage", "x"),
            ("trailer", "svc-usage, x-sum"),
            ("connection", "x-internal"),
            ("x-internal", "1"),
            ("transfer-encoding", "chunked"),
            ("content-length", "5"),
            ("etag", "e"),
        ]);
        to_client(&mut headers);
        assert_eq!(headers, map(&[("etag", "e"), ("trailer", "x-sum")]));
        let mut trailers =
            map(&[("svc-usage", "x"), ("x-sum", "1"), ("content-length", "9"), ("transfer-encoding", "x")]);
        trailers_to_client(&mut trailers);
        assert_eq!(trailers, map(&[("x-sum", "1")]));
        assert!(!is_loop(&map(&[("via", "1.1 other, 1.0 fred (svc-gateway)")])));
    }
}
