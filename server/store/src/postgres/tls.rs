//! TLS to a database, for tokio-postgres.

use crate::error::{StoreError, StoreResult};
use sha2::{Digest, Sha256, Sha384, Sha512};
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use svc_tls::{Check, Hash, Trust, client_config, signed_with};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::Socket;
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream as Client;
use tokio_rustls::rustls::ClientConfig;
use tokio_rustls::rustls::pki_types::ServerName;

/// The protocol's name, which PostgreSQL 17 asks for where TLS comes first.
const PROTOCOL: &[u8] = b"postgresql";

/// Speaks TLS to databases, as much of it as is asked for.
#[derive(Clone)]
pub(super) struct Connector(Arc<ClientConfig>);

impl Connector {
    /// One that looks at this much of a certificate; at nothing where TLS is not spoken.
    pub(super) fn new(tls: Option<(Trust, Check)>) -> StoreResult<Connector> {
        let (trust, check) = tls.unwrap_or((Trust::System, Check::Nothing));
        let mut config = client_config(&trust, check).map_err(|error| StoreError::Database(error.to_string()))?;
        config.alpn_protocols = vec![PROTOCOL.to_vec()];
        Ok(Connector(Arc::new(config)))
    }
}

impl MakeTlsConnect<Socket> for Connector {
    type Stream = Stream;
    type TlsConnect = ToHost;
    type Error = io::Error;

    fn make_tls_connect(&mut self, host: &str) -> io::Result<ToHost> {
        // Without a name tokio-postgres asks for no TLS.
        let name =
            if host.is_empty() { None } else { Some(ServerName::try_from(host.to_owned()).map_err(io::Error::other)?) };
        Ok(ToHost { connector: TlsConnector::from(Arc::clone(&self.0)), name })
    }
}

/// A connection to one host that is about to speak TLS.
pub(super) struct ToHost {
    connector: TlsConnector,
    name: Option<ServerName<'static>>,
}

impl TlsConnect<Socket> for ToHost {
    type Stream = Stream;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Stream>> + Send>>;

    fn connect(self, socket: Socket) -> Self::Future {
        Box::pin(async move {
            let name =
                self.name.ok_or_else(|| io::Error::other("TLS needs the server's name, and not its address alone"))?;
            Ok(Stream(Box::new(self.connector.connect(name, socket).await?)))
        })
    }
}

/// A connection that speaks TLS.
pub(super) struct Stream(Box<Client<Socket>>);

impl TlsStream for Stream {
    /// By which a password's proof is good over this connection alone (RFC 5929, `tls-server-end-point`): whoever stands in between has
    /// another certificate.
    fn channel_binding(&self) -> ChannelBinding {
        let certificate = self.0.get_ref().1.peer_certificates().and_then(<[_]>::first);
        let Some(certificate) = certificate else { return ChannelBinding::none() };
        match signed_with(certificate) {
            Some(Hash::Sha256) => ChannelBinding::tls_server_end_point(Sha256::digest(certificate).to_vec()),
            Some(Hash::Sha384) => ChannelBinding::tls_server_end_point(Sha384::digest(certificate).to_vec()),
            Some(Hash::Sha512) => ChannelBinding::tls_server_end_point(Sha512::digest(certificate).to_vec()),
            None => ChannelBinding::none(),
        }
    }
}

impl AsyncRead for Stream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl AsyncWrite for Stream {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}
