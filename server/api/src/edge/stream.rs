//! A socket as hyper has it: it tells the connection's pulse of the first byte, gives hyper's own refusals a body, and closes so that
//! a peer who is still sending reads the answer.

use crate::edge::pulse::Pulse;
use hyper::StatusCode;
use hyper::body::Bytes;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

/// How long a closing connection reads on what its peer still sends, in seconds: a socket that is closed with unread bytes takes the
/// answer back.
const LINGER_SECONDS: u64 = 1;
/// How much it reads at a time, in bytes.
const LINGER_BYTES: usize = 8 << 10;

/// What is refused before there is a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Early {
    /// By hyper, with this status.
    Status(StatusCode),
    /// HTTP without TLS where TLS is spoken.
    WithoutTls,
}

/// What is written of such a refusal: a whole HTTP/1.1 answer.
pub(crate) type Refusal = dyn Fn(Early) -> Bytes + Send + Sync;

/// A socket that is watched.
pub(crate) struct Stream<IO> {
    io: IO,
    pulse: Arc<Pulse>,
    refusal: Arc<Refusal>,
    /// What is written before all else.
    queued: Bytes,
    linger: Option<Pin<Box<Sleep>>>,
}

impl<IO: AsyncRead + AsyncWrite + Unpin> Stream<IO> {
    pub(crate) fn new(io: IO, pulse: Arc<Pulse>, refusal: Arc<Refusal>) -> Self {
        Stream { io, pulse, refusal, queued: Bytes::new(), linger: None }
    }

    fn poll_queued(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.queued.is_empty() {
            let written = ready!(Pin::new(&mut self.io).poll_write(context, &self.queued))?;
            if written == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            drop(self.queued.split_to(written.min(self.queued.len())));
        }
        Poll::Ready(Ok(()))
    }
}

/// The status of what hyper refuses by itself: an answer without content and without what each of ours has.
fn refused(written: &[u8]) -> Option<StatusCode> {
    let head = std::str::from_utf8(written).ok().filter(|text| text.ends_with("\r\n\r\n"))?;
    let status = head.strip_prefix("HTTP/1.1 ")?.get(..3)?.parse().ok()?;
    let is_ours = head.contains("x-request-id") || !head.contains("content-length: 0\r\n");
    StatusCode::from_u16(status).ok().filter(|status| status.is_client_error() && !is_ours)
}

impl<IO: AsyncRead + AsyncWrite + Unpin> AsyncRead for Stream<IO> {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let stream = self.get_mut();
        let before = buffer.filled().len();
        let read = ready!(Pin::new(&mut stream.io).poll_read(context, buffer));
        if buffer.filled().len() > before {
            stream.pulse.heard();
        }
        Poll::Ready(read)
    }
}

impl<IO: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Stream<IO> {
    // Nothing vectored: hyper then writes a head in one piece, by which its own refusals are known.
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let stream = self.get_mut();
        ready!(stream.poll_queued(context))?;
        if let Some(status) = refused(bytes) {
            stream.queued = (stream.refusal)(Early::Status(status));
            return Poll::Ready(Ok(bytes.len()));
        }
        Pin::new(&mut stream.io).poll_write(context, bytes)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let stream = self.get_mut();
        ready!(stream.poll_queued(context))?;
        Pin::new(&mut stream.io).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let stream = self.get_mut();
        if stream.linger.is_none() {
            ready!(stream.poll_queued(context))?;
            ready!(Pin::new(&mut stream.io).poll_shutdown(context))?;
        }
        let most = Duration::from_secs(LINGER_SECONDS);
        let linger = stream.linger.get_or_insert_with(|| Box::pin(tokio::time::sleep(most)));
        let mut space = [0; LINGER_BYTES];
        while linger.as_mut().poll(context).is_pending() {
            let mut buffer = ReadBuf::new(&mut space);
            match ready!(Pin::new(&mut stream.io).poll_read(context, &mut buffer)) {
                Ok(()) if !buffer.filled().is_empty() => {}
                Ok(()) | Err(_) => break,
            }
        }
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hypers_own_refusals_are_known_from_ours() {
        let of = |text: &str| refused(text.as_bytes()).map(|status| status.as_u16());
        assert_eq!(of("HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"), Some(400));
        assert_eq!(of("HTTP/1.1 431 Too\r\ncontent-length: 0\r\n\r\n"), Some(431));
        for ours in [
            "HTTP/1.1 404 Not Found\r\nx-request-id: req_1\r\ncontent-length: 0\r\n\r\n",
            "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n",
            "HTTP/1.1 100 Continue\r\n\r\n",
            "a body's piece: HTTP/1.1 400",
            "",
        ] {
            assert_eq!(of(ours), None, "{ours}");
        }
    }
}
