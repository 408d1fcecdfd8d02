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

/// Whom a request is of, as its backend is told.
pub(crate) struct Caller<'a> {
    pub(crate) request_id: &'a str,
    pub(crate) business: &'a str,
    pub(crate) subject: &'a str,
    pub(crate) plan: &'a str,
    pub(crate) feature: &'a str,
    pub(crate) route: &'a str,
    pub(crate) peer: &'a str,
    /// `http` or `https`.
    pub(crate) scheme: &'static str,
    /// Whether the key stood in `Authorization`, which is not the product's then.
    pub(crate) key_in_authorization: bool,
}

/// A request's headers as its backend gets them; `host` is the backend's.
pub(crate) fn to_backend(mut headers: HeaderMap, caller: &Caller<'_>, host: Option<HeaderValue>) -> HeaderMap {
    let asked_for = headers.get(HOST).cloned();
    strip_hop_by_hop(&mut headers);
    let is_ours = |name: &HeaderName| {
        // Some backends read `svc_subject` as `svc-subject`.
        let plain = name.as_str().replace('_', "-");
        plain.starts_with("svc-") || plain.starts_with("x-forwarded-") || plain == "x-real-ip"
    };
    let ours: Vec<HeaderName> = headers.keys().filter(|name| is_ours(name)).cloned().collect();
    ours.iter().chain([&FORWARDED, &EXPECT, &HOST]).for_each(|name| {
        headers.remove(name);
    });
    if caller.key_in_authorization {
        headers.remove(AUTHORIZATION);
    }
    let forwarded_host = asked_for.and_then(|host| host.to_str().ok().map(str::to_owned)).unwrap_or_default();
    let node = if caller.peer.contains(':') { format!("\"[{}]\"", caller.peer) } else { caller.peer.to_owned() };
    let told = [
        (REQUEST_ID, caller.request_id.to_owned()),
        (HeaderName::from_static("svc-business"), caller.business.to_owned()),
        (HeaderName::from_static("svc-subject"), utf8_percent_encode(caller.subject, ENCODED).to_string()),
        (HeaderName::from_static("svc-plan"), caller.plan.to_owned()),
        (HeaderName::from_static("svc-feature"), caller.feature.to_owned()),
        (HeaderName::from_static("svc-route"), caller.route.to_owned()),
        (FORWARDED, format!("for={node};proto={};host=\"{}\"", caller.scheme, forwarded_host.replace(['"', '\\'], ""))),
        (HeaderName::from_static("x-forwarded-for"), caller.peer.to_owned()),
        (HeaderName::from_static("x-forwarded-proto"), caller.scheme.to_owned()),
        (HeaderName::from_static("x-forwarded-host"), forwarded_host),
    ];
    for (name, value) in told {
        if let Ok(value) = HeaderValue::from_str(&value) {
            headers.insert(name, value);
        }
    }
    headers.append(VIA, HeaderValue::from_static("1.1 svc-gateway"));
    if let Some(host) = host {
        headers.insert(HOST, host);
    }
    headers
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
            business: "biz_1",
            subject: "Zoë, 100%",
            plan: "pro",
            feature: "jobs",
            route: "GET /v1/jobs",
            peer: "192.0.2.7",
            scheme: "http",
            key_in_authorization: true,
        };
        to_backend(map(pairs), &caller, Some(HeaderValue::from_static("origin.example")))
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
