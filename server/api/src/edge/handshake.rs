//! TLS before HTTP. A handshake is its connection's own: it holds nobody else, and the deadlines for the first byte and the first head
//! count it.

use crate::edge::meters::Meters;
use crate::edge::pulse::Pulse;
use crate::edge::stream::{Early, Refusal, Stream};
use std::io;
use std::sync::Arc;
use svc_tls::ServerTls;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;
use tokio_util::either::Either;

/// The first byte of every handshake of TLS: the type of its record.
const HANDSHAKE: u8 = 0x16;

/// A socket, with TLS or without.
pub(crate) type Socket = Either<TcpStream, Box<TlsStream<TcpStream>>>;

/// The socket that HTTP is spoken over; nothing where the handshake fails. Whoever speaks HTTP without TLS is told so.
pub(crate) async fn shaken(
    stream: TcpStream,
    tls: Option<&ServerTls>,
    pulse: &Arc<Pulse>,
    refusal: &Arc<Refusal>,
    meters: &Meters,
) -> Option<Socket> {
    let Some(tls) = tls else { return Some(Either::Left(stream)) };
    let first = first_byte(&stream).await.ok()??;
    pulse.heard();
    if first.is_ascii_uppercase() {
        meters.shaken("plain_http");
        let mut stream = Stream::new(stream, Arc::clone(pulse), Arc::clone(refusal));
        stream.write_all(&refusal(Early::WithoutTls)).await.ok()?;
        let _gone_already = stream.shutdown().await;
        return None;
    }
    if first != HANDSHAKE {
        meters.shaken("failed");
        return None;
    }
    match TlsAcceptor::from(tls.config()).accept(stream).await {
        Ok(stream) => {
            meters.shaken("done");
            Some(Either::Right(Box::new(stream)))
        }
        Err(error) => {
            meters.shaken("failed");
            tracing::debug!(%error, "a handshake failed");
            None
        }
    }
}

/// What a peer says first, which stays to be read; nothing where it leaves without a word.
async fn first_byte(stream: &TcpStream) -> io::Result<Option<u8>> {
    let mut byte = [0];
    let read = stream.peek(&mut byte).await?;
    Ok((read > 0).then_some(byte[0]))
}
