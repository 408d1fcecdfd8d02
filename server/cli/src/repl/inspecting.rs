//! `svc repl --inspect…`: Chrome DevTools and editors attach over a WebSocket. Everybody on this machine can knock, and so can every page
//! in a browser: so the path has a random id, the name asked for must be an address, and pages are refused.

use super::debugging::told_outcome;
use super::product::Product;
use crate::build;
use crate::global::Exit;
use crate::output::{CommandError, Output, visible};
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{
    CONNECTION, CONTENT_TYPE, HOST, HeaderMap, ORIGIN, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY, UPGRADE,
};
use hyper::service::service_fn;
use hyper::upgrade::{OnUpgrade, Upgraded};
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use serde_json::{Value as Json, json};
use std::net::{IpAddr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use svc_core::tokens::new_secret;
use svc_runtime::debugger::{Debuggee, Event};
use svc_runtime::{DebugJob, Outcome};
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};

/// Longest message from a debugger, in bytes.
const MESSAGE_MAX_BYTES: usize = 8 << 20;
/// Pages that may attach: the debugger of the browser itself.
const DEVTOOLS_ORIGIN: &str = "devtools://devtools";
/// What a path keeps in an address.
const IN_URL: &AsciiSet = &CONTROLS.add(b' ').add(b'"').add(b'#').add(b'%').add(b'<').add(b'>').add(b'?').add(b'`');

/// When the product runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    /// At once; who attaches finds it at its end.
    AtOnce,
    /// When a debugger has attached, and stops at its first statement.
    AtFirstStatement,
    /// When a debugger has attached and says so.
    Waits,
}

/// Serves debuggers, one at a time, until Ctrl-C.
pub(super) async fn serve(dir: &Path, address: SocketAddr, when: When, output: &Output) -> Result<(), CommandError> {
    if !address.ip().is_loopback() {
        let message = format!("{address} is not of this machine alone");
        return Err(CommandError::new(Exit::Usage, "ADDRESS_NOT_LOCAL", message)
            .with_hint("whoever attaches runs what they like; forward a port of this machine instead"));
    }
    let unbound = |error| {
        CommandError::new(Exit::Unreachable, "ADDRESS_UNAVAILABLE", format!("{address} can't be listened on: {error}"))
    };
    let listener = TcpListener::bind(address).await.map_err(unbound)?;
    let address = listener.local_addr().map_err(unbound)?;
    let token = new_secret("inspect").map_err(build::unavailable)?;
    let id = token.rsplit('_').next().unwrap_or_default().to_owned();
    let root = std::path::absolute(dir).map_err(build::unavailable)?;
    let url_prefix = format!("file://{}/", utf8_percent_encode(&root.display().to_string(), IN_URL));
    let (tell, attached) = mpsc::channel(1);
    let door = Arc::new(Door { address, id, url_prefix, taken: AtomicBool::new(false), tell });
    output.say(&format!("debugger listening on {}", door.socket_url()));
    output
        .note(&format!("attach an editor, or open chrome://inspect in Chrome; its window is {}", door.devtools_url()));
    let url_prefix = door.url_prefix.clone();
    tokio::select! {
        ended = answer(listener, Arc::clone(&door)) => ended,
        ended = debug_all(dir, when, &url_prefix, attached, &door, output) => ended,
        _ = tokio::signal::ctrl_c() => Ok(()),
    }
}

/// Where debuggers knock.
struct Door {
    address: SocketAddr,
    id: String,
    url_prefix: String,
    /// Whether a debugger is attached, or about to be.
    taken: AtomicBool,
    tell: mpsc::Sender<OnUpgrade>,
}

impl Door {
    fn socket_url(&self) -> String {
        format!("ws://{}/{}", self.address, self.id)
    }

    fn devtools_url(&self) -> String {
        format!("devtools://devtools/bundled/js_app.html?experiments=true&v8only=true&ws={}/{}", self.address, self.id)
    }

    fn targets(&self) -> Json {
        json!([{
            "description": "a product of svc",
            "devtoolsFrontendUrl": self.devtools_url(),
            "devtoolsFrontendUrlCompat": self.devtools_url(),
            "id": self.id,
            "title": "svc repl",
            "type": "node",
            "url": format!("{}product/product.config.ts", self.url_prefix),
            "webSocketDebuggerUrl": self.socket_url(),
        }])
    }
}

async fn answer(listener: TcpListener, door: Arc<Door>) -> Result<(), CommandError> {
    loop {
        let (stream, _) = listener.accept().await.map_err(build::unavailable)?;
        let door = Arc::clone(&door);
        tokio::spawn(async move {
            let service = service_fn(move |request| {
                let reply = reply(&door, request);
                async move { Ok::<_, std::convert::Infallible>(reply) }
            });
            let connection = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service);
            if let Err(error) = connection.with_upgrades().await {
                tracing::debug!(%error, "a debugger's connection ended");
            }
        });
    }
}

fn reply(door: &Door, mut request: Request<Incoming>) -> Response<Full<Bytes>> {
    if !is_from_here(request.headers()) {
        return text(StatusCode::FORBIDDEN, "this is for debuggers on this machine");
    }
    match request.uri().path() {
        "/json" | "/json/list" => shown(&door.targets()),
        "/json/version" => {
            let browser = format!("svc/{}", env!("CARGO_PKG_VERSION"));
            shown(&json!({ "Browser": browser, "Protocol-Version": "1.3", "V8-Version": svc_runtime::v8_version() }))
        }
        path if path.strip_prefix('/') == Some(door.id.as_str()) => attach(door, &mut request),
        _ => text(StatusCode::NOT_FOUND, "there is nothing here"),
    }
}

/// Whether a request names this machine by an address, which no page's host can be made to mean, and comes from no page.
fn is_from_here(headers: &HeaderMap) -> bool {
    let text =
        |value: Option<&hyper::header::HeaderValue>| value.and_then(|value| value.to_str().ok()).map(str::to_owned);
    let host = text(headers.get(HOST)).unwrap_or_default();
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host.as_str(),
    };
    let name = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    let is_address = name.parse::<IpAddr>().is_ok() || name.eq_ignore_ascii_case("localhost");
    is_address && (headers.get(ORIGIN).is_none() || text(headers.get(ORIGIN)).as_deref() == Some(DEVTOOLS_ORIGIN))
}

fn attach(door: &Door, request: &mut Request<Incoming>) -> Response<Full<Bytes>> {
    let is_upgrade =
        request.headers().get(UPGRADE).is_some_and(|value| value.as_bytes().eq_ignore_ascii_case(b"websocket"));
    let key =
        request.headers().get(SEC_WEBSOCKET_KEY).filter(|_| is_upgrade).map(|key| derive_accept_key(key.as_bytes()));
    let Some(key) = key else { return text(StatusCode::UPGRADE_REQUIRED, "a debugger speaks WebSocket here") };
    if door.taken.swap(true, Ordering::AcqRel) {
        return text(StatusCode::CONFLICT, "a debugger is attached already");
    }
    if door.tell.try_send(hyper::upgrade::on(request)).is_err() {
        door.taken.store(false, Ordering::Release);
        return text(StatusCode::CONFLICT, "a debugger is attached already");
    }
    let reply = Response::builder()
        .status(StatusCode::SWITCHING_PROTOCOLS)
        .header(CONNECTION, "Upgrade")
        .header(UPGRADE, "websocket")
        .header(SEC_WEBSOCKET_ACCEPT, key)
        .body(Full::default());
    reply.unwrap_or_else(|_| text(StatusCode::BAD_REQUEST, "the key is none"))
}

fn shown(json: &Json) -> Response<Full<Bytes>> {
    let mut reply = Response::new(Full::new(Bytes::from(json.to_string())));
    reply
        .headers_mut()
        .insert(CONTENT_TYPE, hyper::header::HeaderValue::from_static("application/json; charset=UTF-8"));
    reply
}

fn text(status: StatusCode, text: &'static str) -> Response<Full<Bytes>> {
    let mut reply = Response::new(Full::new(Bytes::from_static(text.as_bytes())));
    *reply.status_mut() = status;
    reply
}

/// One debugger after the other, each with a run of its own of the files as they are then.
async fn debug_all(
    dir: &Path,
    when: When,
    url_prefix: &str,
    mut attached: mpsc::Receiver<OnUpgrade>,
    door: &Door,
    output: &Output,
) -> Result<(), CommandError> {
    let mut product = Product::open(dir).await?;
    loop {
        let at_once = if when == When::AtOnce { Some(start(&product, when, url_prefix).await?) } else { None };
        let Some(upgrade) = attached.recv().await else { return Ok(()) };
        let debuggee = match at_once {
            Some(debuggee) => Ok(debuggee),
            None => afresh(&mut product, when, url_prefix).await,
        };
        let debuggee = match debuggee {
            Ok(debuggee) => debuggee,
            Err(failure) => {
                // Whoever attaches next may find the files whole. This one's connection closes.
                output.say(&format!("svc: {}: {}", failure.code, visible(&failure.message)));
                door.taken.store(false, Ordering::Release);
                continue;
            }
        };
        match upgrade.await {
            Ok(upgraded) => {
                output.note("debugger attached");
                talk(upgraded, debuggee, &product, output).await;
                // Whoever reads the note finds the door open.
                door.taken.store(false, Ordering::Release);
                output.note("debugger detached");
            }
            Err(error) => {
                door.taken.store(false, Ordering::Release);
                tracing::debug!(%error, "a debugger did not attach");
            }
        }
        if when == When::AtOnce {
            product.reload().await?;
        }
    }
}

/// A run of the files as they are now.
async fn afresh(product: &mut Product, when: When, url_prefix: &str) -> Result<Debuggee, CommandError> {
    product.reload().await?;
    start(product, when, url_prefix).await
}

async fn start(product: &Product, when: When, url_prefix: &str) -> Result<Debuggee, CommandError> {
    let job = DebugJob {
        sources: product.sources.clone(),
        stays: true,
        waits: when != When::AtOnce,
        breaks: when == When::AtFirstStatement,
        url_prefix: url_prefix.to_owned(),
    };
    Debuggee::start(product.config(), job).await.map_err(build::unavailable)
}

/// Carries messages both ways until one side is done. What the product comes to is said here.
async fn talk(upgraded: Upgraded, mut debuggee: Debuggee, product: &Product, output: &Output) {
    use futures_util::{SinkExt, StreamExt};
    let config =
        WebSocketConfig::default().max_message_size(Some(MESSAGE_MAX_BYTES)).max_frame_size(Some(MESSAGE_MAX_BYTES));
    let mut socket = WebSocketStream::from_raw_socket(TokioIo::new(upgraded), Role::Server, Some(config)).await;
    let mut came_to: Option<Outcome> = None;
    loop {
        tokio::select! {
            message = socket.next() => match message {
                Some(Ok(Message::Text(text))) => {
                    // A worker that is gone says so next.
                    let _gone = debuggee.dispatch(text.as_str().to_owned()).await;
                }
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                Some(Ok(_)) => {}
            },
            event = debuggee.next() => match event {
                Event::Cdp(text) => {
                    if socket.send(Message::text(text)).await.is_err() {
                        return;
                    }
                }
                Event::Looked(outcome) => {
                    if came_to.as_ref() != Some(&outcome) {
                        output.say(&visible(&format!("the product has run to its end: {}", told_outcome(&outcome, product))));
                        came_to = Some(outcome);
                    }
                }
                Event::Ended(outcome) => {
                    output.say(&visible(&format!("the run is over: {}", told_outcome(&outcome, product))));
                    let _closed_already = socket.close(None).await;
                    return;
                }
                Event::Decorators(_) | Event::Stopped | Event::Running => {}
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_and_no_pages_are_from_here() {
        let from = |host: &str, origin: Option<&str>| {
            let mut headers = HeaderMap::new();
            headers.insert(HOST, host.parse().unwrap());
            origin.map(|origin| headers.insert(ORIGIN, origin.parse().unwrap()));
            is_from_here(&headers)
        };
        for host in ["127.0.0.1:9229", "localhost:9229", "LOCALHOST", "[::1]:9229", "[::1]", "10.0.0.1"] {
            assert!(from(host, None), "{host}");
            assert!(from(host, Some(DEVTOOLS_ORIGIN)), "{host}");
            assert!(!from(host, Some("https://example.com")), "{host}");
            assert!(!from(host, Some("null")), "{host}");
        }
        for host in
            ["", "example.com", "example.com:9229", "127.0.0.1.example.com", "localhost.example.com", "localhost:x"]
        {
            assert!(!from(host, None), "{host}");
        }
    }
}
