//! Connections to strangers. The address is checked here, at the moment of connecting: whatever a name meant when it was looked at
//! before is of no account.

use crate::address::is_public;
use hyper::Uri;
use hyper_util::rt::TokioIo;
use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::net::TcpStream;
use tower_service::Service;

/// How long a connection to one address may take, in seconds.
const CONNECT_MAX_SECONDS: u64 = 5;
/// Addresses of a name that are tried.
const ADDRESSES_MAX: usize = 4;

/// A host's addresses are not of the public internet, and nobody who may named the host.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0} has no public address")]
pub(crate) struct NotPublic(String);

/// Connects to hosts.
#[derive(Clone, Copy, Debug)]
pub struct Connector {
    /// Whether hosts may have addresses that are not public: for those that the operator named.
    pub(crate) takes_private: bool,
}

impl Service<Uri> for Connector {
    type Response = TokioIo<TcpStream>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<TokioIo<TcpStream>>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        Box::pin(connect(uri, self.takes_private))
    }
}

async fn connect(uri: Uri, takes_private: bool) -> io::Result<TokioIo<TcpStream>> {
    let host = uri.host().unwrap_or_default().trim_start_matches('[').trim_end_matches(']').to_owned();
    let port = uri.port_u16().unwrap_or(if uri.scheme_str() == Some("http") { 80 } else { 443 });
    let found: Vec<SocketAddr> = match host.parse::<IpAddr>() {
        Ok(address) => vec![SocketAddr::new(address, port)],
        Err(_) => tokio::net::lookup_host((host.as_str(), port)).await?.collect(),
    };
    let mut last = io::Error::other(NotPublic(host));
    // Every address that is connected to is checked itself; one public address among others opens no way to them.
    let allowed = found.into_iter().filter(|found| takes_private || is_public(found.ip()));
    for address in allowed.take(ADDRESSES_MAX) {
        let connected = TcpStream::connect(address);
        match tokio::time::timeout(Duration::from_secs(CONNECT_MAX_SECONDS), connected).await {
            Ok(Ok(stream)) => {
                stream.set_nodelay(true)?;
                return Ok(TokioIo::new(stream));
            }
            Ok(Err(error)) => last = error,
            Err(_) => last = io::ErrorKind::TimedOut.into(),
        }
    }
    Err(last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::error::Error;

    fn is_refused(error: &io::Error) -> bool {
        error.get_ref().is_some_and(|inner| inner.downcast_ref::<NotPublic>().is_some())
    }

    #[tokio::test]
    async fn an_address_is_checked_when_it_is_connected_to() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        // Names and every way to write the address alike: what counts is where the connection would go.
        for host in ["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]"] {
            let uri: Uri = format!("https://{host}:{port}/").parse().unwrap();
            let error = connect(uri, false).await.unwrap_err();
            assert!(is_refused(&error), "{host}: {error} {:?}", error.source());
        }
        let uri: Uri = format!("http://localhost:{port}/").parse().unwrap();
        assert!(connect(uri, true).await.is_ok());
    }
}
