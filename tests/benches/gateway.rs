//! The budget of the gateway, beside a bare hyper proxy in the same run: `make bench-gateway`. Both stand before the same backend over kept
//! connections, and both are processes of their own. Then 10,000 streams, and what the gateway's memory does meanwhile. Prints; asserts nothing.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a benchmark")]
#![allow(clippy::float_arithmetic, missing_docs, reason = "a benchmark")]

use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::{Bytes, Frame, Incoming};
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioIo};
use std::convert::Infallible;
use std::pin::Pin;
use std::process::{Child, Command};
use std::time::{Duration, Instant};
use svc_tests::gateway::Front;
use svc_tests::origin::Origin;
use svc_tests::program::block_on;
use tokio::net::TcpListener;

/// Connections that ask at once.
const CLIENTS: usize = 16;
/// How long each is asked, in seconds.
const SECONDS: u64 = 5;
/// Streams in all, and at once.
const STREAMS: usize = 10_000;
const STREAMS_AT_ONCE: usize = 100;
/// Pieces of a stream, and bytes of each.
const PIECES: usize = 20;
const PIECE_BYTES: usize = 1_000;
/// The argument by which this program is the bare proxy.
const BARE: &str = "--bare-proxy-to";

const PRODUCT: &str = r#"
import { Feature, Meter, Plan, Product, Requests } from "@svc/product";
@Product({ origin: "ORIGIN" })
export default class Bench {
  @Requests() requests;
  @Meter("calls") calls;
  @Feature("base", { plans: ["paid", "block"], routes: {
    "GET /v1/items/{id}": { inheritDefaultMeters: false, cost: { calls: 1 } }, "GET /v1/free": { unmetered: true },
    "GET /v1/stream": { inheritDefaultMeters: false, cost: { calls: 1 } } } }) base;
  @Plan("paid", { limits: { requests: { rate: 1000000000, interval: "second" } }, meter: { calls: { micros: 1 } } }) paid;
  @Plan("block", { limits: { requests: { rate: 1000000000, interval: "second" } }, overageBehavior: "block", maxMonthlySpendCents: 100000000,
    meter: { calls: { micros: 1 } } }) block;
}
"#;

fn main() {
    let mut arguments = std::env::args();
    if arguments.any(|argument| argument == BARE) {
        let (to, port) = (arguments.next().unwrap(), arguments.next().unwrap());
        block_on(bare(&to, port.parse().unwrap()));
        return;
    }
    block_on(async {
        let backend = backend().await;
        let folder = tempfile::tempdir().unwrap();
        let named = Origin { address: backend.clone(), seen: std::sync::Arc::default() };
        let front = Front::start(&folder.path().join("svc.db"), PRODUCT, &named, &["--log", "warn"]).await;
        let (paid, block) = (front.subscribe("ada", "paid").await, front.subscribe("bea", "block").await);
        let port = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port();
        let _bare = Bare::start(&backend, port);
        println!("{CLIENTS} connections, {SECONDS} s each");
        for round in 1..=3 {
            let bare = ask("bare hyper proxy", &format!("http://127.0.0.1:{port}/v1/items/7"), "").await;
            let free = ask("gateway, unmetered route", &format!("{}/v1/free", front.base), &paid).await;
            let limited = ask("gateway: key, route, limit, charge", &format!("{}/v1/items/7", front.base), &paid).await;
            println!(
                "  round {round}: gateway ÷ bare: {:.2} requests per second ({:.2} unmetered); added at p50 {:?}, at p99 {:?}",
                limited.per_second / bare.per_second,
                free.per_second / bare.per_second,
                limited.p50.saturating_sub(bare.p50),
                limited.p99.saturating_sub(bare.p99),
            );
        }
        ask("gateway: money set aside and settled", &format!("{}/v1/items/7", front.base), &block).await;
        streams(&front, &paid).await;
    });
}

/// The bare proxy, a process of its own.
struct Bare(Child);

impl Bare {
    fn start(to: &str, port: u16) -> Bare {
        let this = std::env::current_exe().unwrap();
        let child = Command::new(this).args([BARE, to, &port.to_string()]).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(500));
        Bare(child)
    }
}

impl Drop for Bare {
    fn drop(&mut self) {
        let _ended = self.0.kill();
        let _ended = self.0.wait();
    }
}

/// Passes every request on to one backend, as it is.
async fn bare(to: &str, port: u16) {
    let listener = TcpListener::bind(("127.0.0.1", port)).await.unwrap();
    let mut connector = HttpConnector::new();
    connector.set_nodelay(true);
    let client: Client<HttpConnector, Incoming> = Client::builder(TokioExecutor::new()).build(connector);
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        stream.set_nodelay(true).unwrap();
        let (client, to) = (client.clone(), to.to_owned());
        tokio::spawn(async move {
            let service = service_fn(move |mut request: Request<Incoming>| {
                *request.uri_mut() = format!("http://{to}{}", request.uri().path()).parse().unwrap();
                client.request(request)
            });
            let _ended =
                hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
        });
    }
}

type AnyBody = Pin<Box<dyn hyper::body::Body<Data = Bytes, Error = Infallible> + Send>>;

/// A backend that answers a short text, or a stream of pieces.
async fn backend() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            stream.set_nodelay(true).unwrap();
            tokio::spawn(async move {
                let service = service_fn(|request: Request<Incoming>| async move {
                    let body: AnyBody = if request.uri().path() == "/v1/stream" {
                        let pieces = (0..PIECES).map(|_| Ok(Frame::data(Bytes::from(vec![b'x'; PIECE_BYTES]))));
                        Box::pin(StreamBody::new(Slowly(pieces.collect::<Vec<_>>().into_iter())))
                    } else {
                        Box::pin(Full::new(Bytes::from_static(b"{\"ok\":true}")))
                    };
                    Ok::<_, Infallible>(Response::new(body))
                });
                let _ended =
                    hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
            });
        }
    });
    address
}

/// Pieces that come each by itself.
struct Slowly(std::vec::IntoIter<Result<Frame<Bytes>, Infallible>>);

impl futures_util::Stream for Slowly {
    type Item = Result<Frame<Bytes>, Infallible>;
    fn poll_next(
        mut self: Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        std::task::Poll::Ready(self.0.next())
    }
}

struct Asked {
    per_second: f64,
    p50: Duration,
    p99: Duration,
}

/// Asks over kept connections, as fast as it is answered.
async fn ask(what: &str, url: &str, key: &str) -> Asked {
    let client: Client<HttpConnector, Full<Bytes>> = Client::builder(TokioExecutor::new()).build_http();
    let until = Instant::now() + Duration::from_secs(SECONDS);
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..CLIENTS {
        let (client, url, key) = (client.clone(), url.to_owned(), key.to_owned());
        tasks.spawn(async move {
            let mut times = Vec::new();
            while Instant::now() < until {
                let request = Request::get(&url).header("authorization", format!("Bearer {key}"));
                let begun = Instant::now();
                let response = client.request(request.body(Full::default()).unwrap()).await.unwrap();
                assert_eq!(response.status(), 200);
                response.into_body().collect().await.unwrap();
                times.push(begun.elapsed());
            }
            times
        });
    }
    let mut times: Vec<Duration> = tasks.join_all().await.into_iter().flatten().collect();
    times.sort();
    let at = |part: usize| times[(times.len() - 1) * part / 100];
    let asked = Asked { per_second: times.len() as f64 / SECONDS as f64, p50: at(50), p99: at(99) };
    println!("{what}: {:.0} requests/s, p50 {:?}, p99 {:?}", asked.per_second, asked.p50, asked.p99);
    asked
}

/// Passes many streams through, and looks at the gateway's memory.
async fn streams(front: &Front, key: &str) {
    let client: Client<HttpConnector, Full<Bytes>> = Client::builder(TokioExecutor::new()).build_http();
    let mut marks = vec![resident_kib(front.server.child.id())];
    for _ in 0..10 {
        for _ in 0..STREAMS / 10 / STREAMS_AT_ONCE {
            let mut tasks = tokio::task::JoinSet::new();
            for _ in 0..STREAMS_AT_ONCE {
                let request =
                    Request::get(format!("{}/v1/stream", front.base)).header("authorization", format!("Bearer {key}"));
                let sent = client.request(request.body(Full::default()).unwrap());
                tasks.spawn(async move { sent.await.unwrap().into_body().collect().await.unwrap().to_bytes().len() });
            }
            assert!(tasks.join_all().await.into_iter().all(|length| length == PIECES * PIECE_BYTES));
        }
        marks.push(resident_kib(front.server.child.id()));
    }
    println!(
        "{STREAMS} streams of {PIECES} pieces, {STREAMS_AT_ONCE} at once; the server's memory in KiB before, and behind each tenth: {marks:?}"
    );
}

fn resident_kib(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}
