//! Sockets: accepted, served by hyper, and ended when they are overdue, displaced, or the server is told to stop.

use crate::app::App;
use crate::edge::answer::refused;
use crate::edge::connections::{Connected, Connections, Peer};
use crate::edge::handshake::shaken;
use crate::edge::layers::{AnyBody, Edge, Layered, layered};
use crate::edge::limits::{
    BUFFER_MAX_BYTES, DRAIN_MAX_SECONDS, GOODBYE_SECONDS, HEAD_MAX_BYTES, PING_MAX_SECONDS, PING_SECONDS, STREAMS_MAX,
};
use crate::edge::meters::{Meters, OneMore};
use crate::edge::pulse::{Overdue, Pulse, UnderWay};
use crate::edge::shares::{Share, Shares};
use crate::edge::stream::{Early, Refusal, Stream};
use crate::edge::traffic::{Account, Reader, Traffic};
use crate::problem::Problem;
use http_body_util::BodyExt;
use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use hyper::header::{HeaderName, HeaderValue};
use hyper::service::Service;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::server::graceful::GracefulConnection;
use jiff::Timestamp;
use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;
use svc_core::{CoreError, new_id};
use svc_store::Store;
use svc_tls::ServerTls;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};
use tower::{BoxError, Service as _};

/// How long no connection is accepted when there are no more files, in milliseconds: some close meanwhile.
const NO_FILES_MILLISECONDS: u64 = 20;
/// The type of a problem.
const PROBLEM: &str = "application/problem+json";

/// Serves until `stop` is done, then finishes what runs.
///
/// # Errors
/// Only when the listener fails for good.
pub async fn serve<S: Store>(
    listener: TcpListener,
    app: Arc<App<S>>,
    edge: Edge,
    stop: impl Future<Output = ()>,
) -> io::Result<()> {
    let service = layered(&app, &edge).map_err(io::Error::other)?;
    if let Some(tls) = &edge.tls {
        app.traffic.meters.shows(tls);
    }
    let (traffic, now) = (Arc::clone(&app), move || app.now());
    serve_behind_edge(listener, service, edge, &traffic.traffic, now, stop).await
}

/// Serves a service that is always ready behind the edge's connections, deadlines and refusals, until `stop` is done, then finishes what runs. An
/// answer that carries [`Streamed`] may be of any length, and its reader is timed piece by piece.
///
/// # Errors
/// Only when the listener fails for good.
pub async fn serve_behind_edge(
    listener: TcpListener,
    service: Layered,
    edge: Edge,
    traffic: &Traffic,
    now: impl Fn() -> Timestamp + Send + Sync + 'static,
    stop: impl Future<Output = ()>,
) -> io::Result<()> {
    let connections = Connections::new(edge.limits.clone());
    let meters = traffic.meters.clone();
    let (stopping, stopped) = watch::channel(false);
    let (running, mut ended) = mpsc::channel::<Infallible>(1);
    let counted = meters.clone();
    let server = Server {
        http: http(),
        service,
        answers: Arc::clone(&traffic.answers),
        refusal: Arc::new(move |early| {
            let (status, code, detail) = told_early(early);
            counted.answered(None, "none", status, Duration::ZERO);
            refusal(status, code, detail, new_id("req", now()).as_str())
        }),
        tls: edge.tls,
        meters: meters.clone(),
        stopped,
    };
    let mut stop = pin!(stop);
    loop {
        let stream = tokio::select! {
            () = &mut stop => break,
            accepted = accept(&listener, &connections, &meters) => accepted,
        };
        let Some((stream, connected)) = stream else { continue };
        let (server, running) = (server.clone(), running.clone());
        tokio::spawn(async move {
            server.live(stream, connected).await;
            drop(running);
        });
    }
    drop((listener, running));
    let _nobody_listens = stopping.send(true);
    let most = Duration::from_secs(DRAIN_MAX_SECONDS);
    if tokio::time::timeout(most, ended.recv()).await.is_err() {
        tracing::warn!("requests were still under way when the time to stop was over");
    }
    Ok(())
}

/// The next connection; nothing where it is turned away.
async fn accept(
    listener: &TcpListener,
    connections: &Arc<Connections>,
    meters: &Meters,
) -> Option<(TcpStream, Connected)> {
    let (stream, address) = match listener.accept().await {
        Ok(accepted) => accepted,
        Err(error) => {
            // Out of files, as a rule.
            let is_room_made = connections.make_room();
            tracing::warn!(%error, is_room_made, "a connection could not be accepted");
            tokio::time::sleep(Duration::from_millis(NO_FILES_MILLISECONDS)).await;
            return None;
        }
    };
    let peer = Peer::from(address.ip());
    let Some(connected) = connections.admit(peer) else {
        meters.turned_away();
        tracing::debug!(%peer, "a connection was turned away");
        return None;
    };
    // An answer is written whole: waiting for more to send would only delay it.
    let _slower_at_most = stream.set_nodelay(true);
    Some((stream, connected))
}

/// hyper, with its bounds. Its own deadline for heads is off: the pulse has one for what each kind of connection owes.
fn http() -> auto::Builder<TokioExecutor> {
    let mut http = auto::Builder::new(TokioExecutor::new());
    http.http1().timer(TokioTimer::new()).header_read_timeout(None).max_buf_size(HEAD_MAX_BYTES).writev(false);
    http.http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(STREAMS_MAX)
        .max_send_buf_size(BUFFER_MAX_BYTES)
        .max_header_list_size(u32::try_from(BUFFER_MAX_BYTES).unwrap_or(u32::MAX))
        .keep_alive_interval(Duration::from_secs(PING_SECONDS))
        .keep_alive_timeout(Duration::from_secs(PING_MAX_SECONDS));
    http
}

/// What every connection is served by.
#[derive(Clone)]
struct Server {
    http: auto::Builder<TokioExecutor>,
    service: Layered,
    answers: Arc<Shares<Reader>>,
    refusal: Arc<Refusal>,
    tls: Option<ServerTls>,
    meters: Meters,
    stopped: watch::Receiver<bool>,
}

impl Server {
    /// Serves a connection until it ends, is overdue, or the server stops.
    async fn live(self, stream: TcpStream, connected: Connected) {
        let (pulse, peer) = (Arc::clone(&connected.pulse), connected.peer);
        let (meters, open) = (self.meters.clone(), self.meters.opened());
        let must_end = told(Arc::clone(&pulse), meters.clone(), self.stopped.clone());
        let shaken = tokio::select! {
            shaken = shaken(stream, self.tls.as_ref(), &pulse, &self.refusal, &meters) => shaken,
            _overdue_or_stopped = must_end => None,
        };
        let Some(socket) = shaken else { return };
        let stream = Stream::new(socket, Arc::clone(&pulse), Arc::clone(&self.refusal));
        let service = Counted {
            service: Mutex::new(self.service),
            answers: self.answers,
            pulse: Arc::clone(&pulse),
            meters: self.meters,
            peer,
        };
        let connection = self.http.serve_connection(TokioIo::new(stream), service).into_owned();
        run(connection, &pulse, told(Arc::clone(&pulse), meters, self.stopped)).await;
        drop(open);
        drop(connected);
    }
}

/// The service of one connection: it counts what is under way on it.
struct Counted {
    /// The connection's own copy, which is always ready: copies for each request would contend for what all of them share.
    service: Mutex<Layered>,
    answers: Arc<Shares<Reader>>,
    pulse: Arc<Pulse>,
    meters: Meters,
    peer: Peer,
}

impl Service<Request<Incoming>> for Counted {
    type Response = Response<Sent>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Sent>, Infallible>> + Send>>;

    fn call(&self, mut request: Request<Incoming>) -> Self::Future {
        request.extensions_mut().insert(self.peer);
        let under_way = (self.pulse.asked(), self.meters.asked());
        let (answers, peer) = (Arc::clone(&self.answers), self.peer);
        let answered = self.service.lock().unwrap_or_else(PoisonError::into_inner).call(request);
        Box::pin(async move { Ok(Sent::of(answered.await?, under_way, &answers, peer)) })
    }
}

/// Waits until a connection must end: its peer is overdue, or the server stops. Boxed, since the compiler does not see through both
/// this and hyper's own type that it can be sent to another thread.
fn told(
    pulse: Arc<Pulse>,
    meters: Meters,
    mut stopped: watch::Receiver<bool>,
) -> Pin<Box<dyn Future<Output = Option<Overdue>> + Send>> {
    Box::pin(async move {
        tokio::select! {
            overdue = pulse.overdue() => {
                meters.ended(overdue);
                Some(overdue)
            }
            _told = stopped.wait_for(|stopped| *stopped) => None,
        }
    })
}

async fn run<C: GracefulConnection>(connection: C, pulse: &Pulse, told: impl Future<Output = Option<Overdue>>) {
    let mut connection = pin!(connection);
    // The connection first: what its peer has sent is read before it is held to be late, however busy the server was.
    let why = tokio::select! {
        biased;
        _ended = connection.as_mut() => return,
        why = told => why,
    };
    connection.as_mut().graceful_shutdown();
    if let Some(why) = why {
        tracing::debug!(?why, "a connection is ended");
    } else {
        // What is under way is finished; what rests is not waited for.
        tokio::select! {
            _ended = connection.as_mut() => return,
            () = rested(pulse) => {}
        }
    }
    let _said_goodbye = tokio::time::timeout(Duration::from_secs(GOODBYE_SECONDS), connection).await;
}

/// Waits until nothing of a connection is under way.
async fn rested(pulse: &Pulse) {
    while pulse.rest().is_none() {
        tokio::time::sleep(Duration::from_millis(NO_FILES_MILLISECONDS)).await;
    }
}

/// Marks an answer that is passed on piece by piece as it comes, and is kept nowhere.
#[derive(Clone, Copy, Debug)]
pub struct Streamed;

/// An answer on its way: it is under way, and its bytes are counted, until it is read or its connection is gone.
struct Sent {
    body: AnyBody,
    under_way: (UnderWay, OneMore),
    is_streamed: bool,
    _share: Option<Share<Reader>>,
}

impl Sent {
    fn of(
        response: Response<AnyBody>,
        mut under_way: (UnderWay, OneMore),
        answers: &Arc<Shares<Reader>>,
        peer: Peer,
    ) -> Response<Sent> {
        if response.extensions().get::<Streamed>().is_some() {
            under_way.0.answered(0);
            return response.map(|body| Sent { body, under_way, is_streamed: true, _share: None });
        }
        let bytes = response.body().size_hint().lower();
        let account = response.extensions().get::<Account>().cloned();
        let reader = account.map_or(Reader::Stranger(peer), Reader::Known);
        let share = answers.take(&reader, usize::try_from(bytes).unwrap_or(usize::MAX));
        let response = if share.is_some() { response } else { unread(&response) };
        under_way.0.answered(bytes);
        response.map(|body| Sent { body, under_way, is_streamed: false, _share: share })
    }
}

/// What there is instead of an answer where too many were not read.
fn unread(response: &Response<AnyBody>) -> Response<AnyBody> {
    let id = response.headers().get("x-request-id").and_then(|id| id.to_str().ok()).unwrap_or_default();
    refusal_of(&Problem::from(CoreError::Busy("too many answers were not read yet")), id)
}

/// A problem as an answer of any service behind the edge.
pub fn refusal_of(problem: &Problem, request_id: &str) -> Response<AnyBody> {
    let mut answer = refused(problem, request_id);
    if let Ok(id) = HeaderValue::from_str(request_id) {
        answer.headers_mut().insert(HeaderName::from_static("x-request-id"), id);
    }
    answer.map(|content| BodyExt::map_err(content, BoxError::from).boxed_unsync())
}

/// What is said of a request that never became one.
fn told_early(early: Early) -> (StatusCode, &'static str, &'static str) {
    match early {
        Early::WithoutTls => {
            (StatusCode::BAD_REQUEST, "TLS_REQUIRED", "this address speaks TLS: ask it as https://, not http://")
        }
        Early::Status(status) => match status {
            StatusCode::URI_TOO_LONG => (status, "URI_TOO_LONG", "the request's path is too long"),
            StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE => {
                (status, "HEAD_TOO_LARGE", "the request's head is too large")
            }
            _ => (status, "REQUEST_FORM", "this is no request of HTTP/1.1"),
        },
    }
}

/// A refusal before there was a request, as a problem document.
fn refusal(status: StatusCode, code: &'static str, detail: &'static str, request_id: &str) -> Bytes {
    tracing::info!(id = request_id, status = status.as_u16(), code, "refused before it was a request");
    let body = Problem::new(status, code, detail).body(request_id).to_string();
    let reason = status.canonical_reason().unwrap_or("Error");
    let head = format!(
        "HTTP/1.1 {} {reason}\r\ncontent-type: {PROBLEM}\r\ncache-control: private, no-store\r\nx-content-type-options: nosniff\r\nx-request-id: {request_id}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        status.as_u16(),
        body.len()
    );
    Bytes::from(head + &body)
}

impl Body for Sent {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        // hyper asks for more when it has room again: what it had is read, but for a buffer.
        if self.is_streamed {
            self.under_way.0.kept_up();
        }
        let polled = Pin::new(&mut self.body).poll_frame(context);
        if let (true, Poll::Ready(frame)) = (self.is_streamed, &polled) {
            let data = frame.as_ref().and_then(|frame| frame.as_ref().ok()).and_then(Frame::data_ref);
            self.under_way.0.answered(data.map_or(0, |data| u64::try_from(data.len()).unwrap_or(u64::MAX)));
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
