//! The form of the URLs that an author gives.

use super::finding::At;
use super::reader::Node;
use crate::diagnostic::Code;

/// An `http` or `https` URL with a host, taken as it is written.
pub(crate) fn url(node: &Node<'_>) -> Option<String> {
    let text = node.text()?;
    // Browsers forgive missing slashes and stray white space; a configuration does not need them to.
    let exact = text.chars().all(|c| !c.is_whitespace() && !c.is_control() && c != '\\');
    let host_follows =
        text.split_once("://").is_some_and(|(_, rest)| rest.starts_with(|c: char| !matches!(c, '/' | '?' | '#')));
    let parsed = url::Url::parse(&text).ok().filter(|url| {
        let known_scheme = matches!(url.scheme(), "http" | "https");
        let anonymous = url.username().is_empty() && url.password().is_none();
        known_scheme && anonymous && url.host_str().is_some() && url.port() != Some(0)
    });
    if exact && host_follows && parsed.is_some() {
        return Some(text);
    }
    let message = format!("{text:?} is no http or https URL with a host name");
    node.report(Code::UrlForm, At::Value, message, Some("such as \"https://api.example.com\"".to_owned()));
    None
}
