//! What is wrong with a request's head before its path is looked at (RFC 9110 and 9112).

use crate::problem::Problem;
use hyper::header::{EXPECT, HOST, TRANSFER_ENCODING};
use hyper::http::uri::Authority;
use hyper::{Method, Request, StatusCode, Version};

/// The methods that HTTP itself has; others are not implemented here, whatever the path.
const METHODS: &[Method] = &[
    Method::GET,
    Method::HEAD,
    Method::POST,
    Method::PUT,
    Method::DELETE,
    Method::PATCH,
    Method::OPTIONS,
    Method::TRACE,
    Method::CONNECT,
];
/// A safe question with a body (RFC 10008), which `hyper` has no name for yet.
const QUERY: &str = "QUERY";

/// A method, where it is one of HTTP's.
pub(crate) fn known(method: &Method) -> Option<&Method> {
    Some(method).filter(|method| METHODS.contains(method) || method.as_str() == QUERY)
}

/// Refuses a head that is not as HTTP has it.
///
/// # Errors
/// 400 for no `Host`, two, or one that is none; 417 for another expectation than `100-continue`; 501 for a transfer coding beside
/// `chunked`, and for a method that HTTP does not have.
pub fn check<B>(request: &Request<B>) -> Result<(), Problem> {
    let headers = request.headers();
    let hosts: Vec<_> = headers.get_all(HOST).iter().map(|host| host.to_str().unwrap_or("\0")).collect();
    let is_host =
        |host: &str| host.is_empty() || host.parse::<Authority>().is_ok_and(|host| !host.as_str().contains('@'));
    let host_is_right = match hosts.as_slice() {
        [] => request.version() != Version::HTTP_11,
        [host] => is_host(host),
        _ => false,
    };
    if !host_is_right {
        let detail = "a request has one header Host, with a host and perhaps a port";
        return Err(Problem::new(StatusCode::BAD_REQUEST, "HOST", detail));
    }
    if headers.get_all(TRANSFER_ENCODING).iter().any(|coding| !coding.as_bytes().eq_ignore_ascii_case(b"chunked")) {
        let detail = "of transfer codings chunked alone is understood";
        return Err(Problem::new(StatusCode::NOT_IMPLEMENTED, "TRANSFER_ENCODING", detail));
    }
    if headers.get_all(EXPECT).iter().any(|expected| !expected.as_bytes().eq_ignore_ascii_case(b"100-continue")) {
        let detail = "of expectations 100-continue alone is understood";
        return Err(Problem::new(StatusCode::EXPECTATION_FAILED, "EXPECTATION", detail));
    }
    if known(request.method()).is_none() {
        let detail = "this method is none of HTTP's";
        return Err(Problem::new(StatusCode::NOT_IMPLEMENTED, "METHOD_UNKNOWN", detail));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(version: Version, method: &str, headers: &[(&str, &str)]) -> Result<(), String> {
        let request = Request::builder().version(version).method(method);
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        check(&request.body(()).unwrap()).map_err(|problem| problem.code)
    }

    #[test]
    fn a_head_is_refused_for_what_it_says() {
        let host = ("host", "example.com:80");
        assert_eq!(code(Version::HTTP_11, "GET", &[host]), Ok(()));
        assert_eq!(code(Version::HTTP_11, "GET", &[("host", "")]), Ok(()));
        assert_eq!(code(Version::HTTP_11, "GET", &[("host", "[::1]:8080")]), Ok(()));
        assert_eq!(code(Version::HTTP_10, "GET", &[]), Ok(()));
        assert_eq!(code(Version::HTTP_2, "GET", &[]), Ok(()));
        for wrong in [&[][..], &[host, host], &[("host", "a b")], &[("host", "me@example.com")], &[("host", "a/b")]] {
            assert_eq!(code(Version::HTTP_11, "GET", wrong), Err("HOST".to_owned()), "{wrong:?}");
        }
        let coded = |coding| code(Version::HTTP_11, "POST", &[host, ("transfer-encoding", coding)]);
        assert_eq!(coded("Chunked"), Ok(()));
        assert_eq!(coded("gzip, chunked"), Err("TRANSFER_ENCODING".to_owned()));
        assert_eq!(code(Version::HTTP_11, "POST", &[host, ("expect", "100-Continue")]), Ok(()));
        assert_eq!(code(Version::HTTP_11, "POST", &[host, ("expect", "x")]), Err("EXPECTATION".to_owned()));
        assert_eq!(code(Version::HTTP_11, "BREW", &[host]), Err("METHOD_UNKNOWN".to_owned()));
    }
}
