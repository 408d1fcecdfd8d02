//! Overload: what a server does when one business asks ten times as much as it holds, and what another business notices: `make bench-edge`.
//! The load is a process of its own, of the lowest priority, since it stands for other machines. A neighbour's times are told beside its times
//! alone, and beside its times while the same load goes to a bare hyper server that refuses everything at once: what both share is the machine.
//! Prints; asserts nothing.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a benchmark")]
#![allow(clippy::float_arithmetic, clippy::cast_precision_loss, missing_docs, reason = "a benchmark")]

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use svc_money_tests::stores::{Fresh, FreshPostgres, FreshSqlite};
use svc_tests::api::{Api, Business, ONE_PLAN, Server};
use svc_tests::hooked::serve;
use svc_tests::program::block_on;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// Clients of the busy business, each with one request under way, at which the server holds what is asked.
const CLIENTS: usize = 100;
/// How many times as many there are in the overload: 1,000, which is what one peer may connect.
const TIMES: usize = 10;
/// How long each lasts, in seconds.
const SECONDS: u64 = 8;
/// How often the neighbour asks for a preview, and reports usage, in milliseconds.
const PREVIEW_EVERY_MS: u64 = 5;
const USAGE_EVERY_MS: u64 = 20;
/// Subscribers of the busy business.
const SUBSCRIBERS: usize = 16;
/// What the neighbour's p99 may come to, as a part of what it is alone.
const NEIGHBOUR_MAX: f64 = 1.5;
/// How soon the server is to be itself again, in milliseconds.
const RECOVERY_MAX_MS: u128 = 1_000;
/// Stands in a request's text for an id that is new each time, of as many characters.
const FRESH_ID: &str = "0000000000000000";
/// The arguments by which this program is the load, and the bare server.
const LOAD: &str = "--load-on";
const BARE: &str = "--refuse-at";

static IDS: AtomicU64 = AtomicU64::new(1);

fn main() {
    let mut arguments = std::env::args();
    while let Some(argument) = arguments.next() {
        if argument == LOAD {
            let [base, clients, request] = [(); 3].map(|()| arguments.next().unwrap());
            block_on(load(&base, clients.parse().unwrap(), &request));
            return;
        }
        if argument == BARE {
            block_on(bare(arguments.next().unwrap().parse().unwrap()));
            return;
        }
    }
    block_on(async {
        println!("{CLIENTS} clients of a business, then {}; {SECONDS} s each", CLIENTS * TIMES);
        measure("SQLite", &FreshSqlite::new().await).await;
        measure("PostgreSQL", &FreshPostgres::new().await).await;
    });
}

async fn measure(store: &str, fresh: &impl Fresh) {
    let unlimited = ["--rate-limit".to_owned(), "1000000".to_owned(), "--log".to_owned(), "error".to_owned()];
    let server = serve(&[fresh.arguments(), unlimited.to_vec()].concat());
    let (busy, calm) = (Api::new(&server).business(ONE_PLAN).await, Api::new(&server).business(ONE_PLAN).await);
    for index in 0..SUBSCRIBERS {
        let _subscription = busy.subscribe(&format!("subject {index:02}"), "basic").await;
    }
    let portal = busy.portal("subject 00").await;
    let _subscription = calm.subscribe("bea", "basic").await;
    let neighbour = Neighbour::of(&server, &calm, &calm.portal("bea").await);
    let loads = [("previews", preview(&busy, &portal)), ("usage", usage(&busy, "subject 00"))];
    for (what, request) in loads {
        overload(&format!("{store}, {what}"), &server, &neighbour, &request).await;
    }
}

fn preview(business: &Business, token: &str) -> String {
    format!(
        "GET /portal/businesses/{}/me/bill-preview HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\n\r\n",
        business.id
    )
}

fn usage(business: &Business, subject: &str) -> String {
    let body = json!({ "items": [{ "id": FRESH_ID, "subject": subject, "meter": "tokens", "units": 1 }] }).to_string();
    format!(
        "POST {}/usage HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        business.root,
        business.deploy,
        body.len()
    )
}

/// One kind of load: what is held, ten times as much, and how it goes on afterwards.
async fn overload(name: &str, server: &Server, neighbour: &Neighbour, request: &str) {
    let alone = neighbour.watch(tokio::time::sleep(Duration::from_secs(SECONDS))).await.1;
    let port = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port();
    let refuser =
        Ended(Command::new(std::env::current_exe().unwrap()).args([BARE, &port.to_string()]).spawn().unwrap());
    tokio::time::sleep(Duration::from_millis(300)).await;
    let base = format!("http://127.0.0.1:{port}");
    let (_, shared) = neighbour.watch(offered(&base, CLIENTS * TIMES, request)).await;
    drop(refuser);
    let before = memory_mib(server);
    let (held, _) = neighbour.watch(offered(&server.base, CLIENTS, request)).await;
    let most = Arc::new(AtomicU64::new(0));
    let sampled = tokio::spawn(sample(server.child.id(), Arc::clone(&most)));
    let (over, meanwhile) = neighbour.watch(offered(&server.base, CLIENTS * TIMES, request)).await;
    sampled.abort();
    let recovery = neighbour.recovery(&alone).await;
    println!("{name}");
    println!("  held {}", held.told());
    println!(
        "  offered {:.1} times that: {}; memory {before} MiB before, at most {} MiB",
        over.per_second() / held.served_per_second().max(1.0),
        over.told(),
        most.load(Ordering::Relaxed)
    );
    for (kind, alone, shared, now) in [
        ("preview", &alone.previews, &shared.previews, &meanwhile.previews),
        ("usage", &alone.usage, &shared.usage, &meanwhile.usage),
    ] {
        let ratio = |other: &Times| now.p99().as_secs_f64() / other.p99().as_secs_f64();
        println!(
            "  the neighbour's {kind}: p99 {:.1?} alone, {:.1?} beside a bare server under this load, {:.1?} now: {:.2} of alone, {:.2} of beside \
             the bare server{}; {} of {} answered",
            alone.p99(),
            shared.p99(),
            now.p99(),
            ratio(alone),
            ratio(shared),
            if ratio(shared) <= NEIGHBOUR_MAX { "" } else { " (MISSED)" },
            now.served,
            now.asked,
        );
    }
    let is_met = if recovery.as_millis() <= RECOVERY_MAX_MS { "met" } else { "MISSED" };
    println!("  itself again after {recovery:.0?}, budget {RECOVERY_MAX_MS} ms: {is_met}");
}

/// Whether a status is of an answer, and of one that is no refusal: no answer at all is 0.
fn is_served(status: u16) -> bool {
    (200..300).contains(&status)
}

/// How long requests took, and how many there were.
#[derive(Clone, Debug, Default)]
struct Times {
    asked: usize,
    served: usize,
    took: Vec<Duration>,
}

impl Times {
    fn note(&mut self, begun: Instant, status: u16) {
        self.asked += 1;
        self.served += usize::from(is_served(status));
        self.took.push(begun.elapsed());
    }

    fn p99(&self) -> Duration {
        percentile(&self.took, 99)
    }
}

fn percentile(took: &[Duration], percent: usize) -> Duration {
    let mut sorted = took.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len().saturating_sub(1) * percent / 100).copied().unwrap_or_default()
}

/// What the neighbour saw.
#[derive(Clone, Debug, Default)]
struct Seen {
    previews: Times,
    usage: Times,
}

/// Another business, which asks at its own pace.
struct Neighbour {
    base: String,
    preview: String,
    usage: String,
}

impl Neighbour {
    fn of(server: &Server, business: &Business, portal: &str) -> Neighbour {
        Neighbour { base: server.base.clone(), preview: preview(business, portal), usage: usage(business, "bea") }
    }

    /// What it sees while something goes on.
    async fn watch<T>(&self, what: impl Future<Output = T>) -> (T, Seen) {
        let is_over = Arc::new(AtomicBool::new(false));
        let asks = |request: &str, every: u64| {
            let (base, request, is_over) = (self.base.clone(), request.to_owned(), Arc::clone(&is_over));
            tokio::spawn(async move {
                let (mut times, mut connection) = (Times::default(), Connection::default());
                while !is_over.load(Ordering::Acquire) {
                    let begun = Instant::now();
                    let status = connection.ask(&base, &request).await;
                    times.note(begun, status);
                    tokio::time::sleep(Duration::from_millis(every)).await;
                }
                times
            })
        };
        let (previews, usage) = (asks(&self.preview, PREVIEW_EVERY_MS), asks(&self.usage, USAGE_EVERY_MS));
        let done = what.await;
        is_over.store(true, Ordering::Release);
        (done, Seen { previews: previews.await.unwrap(), usage: usage.await.unwrap() })
    }

    /// How long it takes until ten answers of each kind in a row are as they are alone.
    async fn recovery(&self, alone: &Seen) -> Duration {
        let (begun, mut connection, mut well) = (Instant::now(), Connection::default(), 0);
        let mut since = Duration::ZERO;
        while well < 10 && begun.elapsed() < Duration::from_secs(60) {
            let mut is_well = true;
            for (request, times) in [(&self.preview, &alone.previews), (&self.usage, &alone.usage)] {
                let asked = Instant::now();
                let status = connection.ask(&self.base, request).await;
                is_well &= is_served(status) && asked.elapsed() <= times.p99().saturating_mul(2);
            }
            if is_well && well == 0 {
                since = begun.elapsed();
            }
            well = if is_well { well + 1 } else { 0 };
        }
        since
    }
}

/// A kept connection, made anew where it is gone.
#[derive(Default)]
struct Connection(Option<TcpStream>);

impl Connection {
    /// The status of an answer; 0 where there was none.
    async fn ask(&mut self, base: &str, request: &str) -> u16 {
        let id = format!("{:016x}", (u64::from(std::process::id()) << 40) + IDS.fetch_add(1, Ordering::Relaxed));
        let request = request.replace(FRESH_ID, &id);
        for _ in 0..2 {
            if self.0.is_none() {
                self.0 = TcpStream::connect(base.trim_start_matches("http://")).await.ok();
            }
            match self.exchange(&request).await {
                Some(status) => return status,
                None => self.0 = None,
            }
        }
        0
    }

    async fn exchange(&mut self, request: &str) -> Option<u16> {
        let stream = self.0.as_mut()?;
        stream.write_all(request.as_bytes()).await.ok()?;
        let (mut read, mut bytes) = (Vec::new(), [0; 4_096]);
        loop {
            let count = stream.read(&mut bytes).await.ok().filter(|count| *count > 0)?;
            read.extend_from_slice(&bytes[..count]);
            let Some(end) = read.windows(4).position(|four| four == b"\r\n\r\n") else { continue };
            let head = String::from_utf8_lossy(&read[..end]).to_lowercase();
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
            if read.len() >= end + 4 + length.unwrap_or(0_usize) {
                return head.get(9..12)?.parse().ok();
            }
        }
    }
}

/// What a load came to.
#[derive(Clone, Debug, Default)]
struct Load {
    by_status: BTreeMap<u16, u64>,
    served_p99_ms: u64,
    refused_p99_ms: u64,
}

impl Load {
    fn count(&self, is_such: impl Fn(u16) -> bool) -> u64 {
        self.by_status.iter().filter(|(status, _)| is_such(**status)).map(|(_, count)| count).sum()
    }

    fn per_second(&self) -> f64 {
        self.count(|_| true) as f64 / SECONDS as f64
    }

    fn served_per_second(&self) -> f64 {
        self.count(is_served) as f64 / SECONDS as f64
    }

    fn told(&self) -> String {
        let refused = self.count(|status| matches!(status, 429 | 503)) as f64 / SECONDS as f64;
        let other = self.count(|status| !matches!(status, 200..300 | 429 | 503));
        format!(
            "{:.0} served/s, p99 {} ms; {refused:.0} refused/s by 429 or 503, p99 {} ms; {other} neither",
            self.served_per_second(),
            self.served_p99_ms,
            self.refused_p99_ms
        )
    }
}

/// Offers a load, from a process of its own that yields to everything else.
async fn offered(base: &str, clients: usize, request: &str) -> Load {
    let this = std::env::current_exe().unwrap();
    let mut command = Command::new("nice");
    command.args(["-n", "19"]).arg(this).args([LOAD, base, &clients.to_string(), request]).stderr(Stdio::inherit());
    let told = tokio::task::spawn_blocking(move || command.output()).await.unwrap().unwrap();
    let json: Json = serde_json::from_slice(&told.stdout).unwrap();
    let number = |name: &str| json[name].as_u64().unwrap();
    Load {
        by_status: serde_json::from_value(json["byStatus"].clone()).unwrap(),
        served_p99_ms: number("servedP99Ms"),
        refused_p99_ms: number("refusedP99Ms"),
    }
}

/// The load: so many clients that ask again as soon as they are answered.
async fn load(base: &str, clients: usize, request: &str) {
    let until = Instant::now() + Duration::from_secs(SECONDS);
    let all = Arc::new(Mutex::new((BTreeMap::<u16, u64>::new(), Vec::new(), Vec::new())));
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..clients {
        let (base, request, all) = (base.to_owned(), request.to_owned(), Arc::clone(&all));
        tasks.spawn(async move {
            let mut connection = Connection::default();
            while Instant::now() < until {
                let begun = Instant::now();
                let status = connection.ask(&base, &request).await;
                let mut all = all.lock().unwrap();
                *all.0.entry(status).or_default() += 1;
                let took = begun.elapsed();
                if is_served(status) { all.1.push(took) } else { all.2.push(took) }
            }
        });
    }
    tasks.join_all().await;
    let (by_status, served, refused) = &*all.lock().unwrap();
    let ms = |took: &[Duration]| u64::try_from(percentile(took, 99).as_millis()).unwrap();
    println!("{}", json!({ "byStatus": by_status, "servedP99Ms": ms(served), "refusedP99Ms": ms(refused) }));
}

/// A server that refuses everything at once.
async fn bare(port: u16) {
    let listener = TcpListener::bind(("127.0.0.1", port)).await.unwrap();
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        tokio::spawn(async move {
            let service = service_fn(|_: Request<Incoming>| async {
                let refused = Response::builder().status(503).body(Full::new(Bytes::from_static(b"{}")));
                Ok::<_, Infallible>(refused.unwrap())
            });
            let _ended =
                hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
        });
    }
}

/// A process that is ended with what it is of.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ended = self.0.kill();
        let _ended = self.0.wait();
    }
}

fn memory_mib(server: &Server) -> u64 {
    memory_of(server.child.id())
}

fn memory_of(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap_or_default() >> 10
}

async fn sample(pid: u32, most: Arc<AtomicU64>) {
    loop {
        most.fetch_max(memory_of(pid), Ordering::Relaxed);
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}
