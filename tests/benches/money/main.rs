//! The budgets of preview and intake, as ratios in one run: `make bench-money`. Everything speaks to the same PostgreSQL
//! (`scripts/postgres/ensure.sh`) over loopback: a bare hyper handler doing one `SELECT` is the yardstick of previews, a bare program that writes
//! the same rows that of intake. Each is a process of its own, as the server is.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a benchmark")]
#![allow(clippy::float_arithmetic, missing_docs, reason = "a benchmark")]

mod bare_writer;

use bare_writer::Replay;
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::client::legacy::Client;
use hyper_util::rt::{TokioExecutor, TokioIo};
use serde_json::{Value as Json, json};
use std::convert::Infallible;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use svc_money_tests::stores::{Fresh, FreshPostgres, FreshSqlite};
use svc_tests::api::{Api, Business, ONE_PLAN, Server};
use svc_tests::program::block_on;
use tokio_postgres::NoTls;

/// The argument that makes it the yardstick of previews.
const BARE: &str = "bare";
/// Connections that ask at once.
const CLIENTS: usize = 8;
/// How long each thing is asked, in seconds.
const SECONDS: u64 = 4;
/// Senders of usage at once: as many writes as the edge lets one business do.
const SENDERS: usize = 8;
/// Charges of a batch of intake.
const BATCH: usize = 100;
/// How often intake is measured on each number of subscriptions.
const INTAKE_ROUNDS: usize = 2;
/// Charges of the large subscription.
const MANY: u64 = 1_000_000;
const FEW: u64 = 1_000;
/// Subscribers who ask in turn.
const SUBSCRIBERS: usize = 5_000;
/// From who asks to who asks next: a prime, so that their rows don't lie beside each other.
const STRIDE: usize = 1_009;

fn main() {
    let mut arguments = std::env::args().skip(1);
    if arguments.next().as_deref() == Some(BARE) {
        return block_on(bare(arguments.next().expect("a database")));
    }
    block_on(async {
        let postgres = FreshPostgres::new().await;
        println!(
            "{CLIENTS} connections, {SECONDS} s each, PostgreSQL {}",
            postgres.rows("SHOW server_version").await[0][0]
        );
        let server = serve(&postgres);
        let business = Api::new(&server).business(ONE_PLAN).await;
        let few = business.subscribe("few", "basic").await;
        let many = business.subscribe("many", "basic").await;
        fill(&business, "few", FEW, 100, 1).await;
        intake(&business, &postgres).await;
        let started = Instant::now();
        fill(&business, "many", MANY, 1_000, 4).await;
        println!(
            "{MANY} charges on one subscription in batches of 1,000: {:.0}/s",
            MANY as f64 / started.elapsed().as_secs_f64()
        );
        // What PostgreSQL does by itself after so many writes, it does first.
        for work in ["VACUUM ANALYZE", "CHECKPOINT"] {
            let _none = postgres.rows(work).await;
        }
        let path = format!("{}/portal/businesses/{}/me/bill-preview", server.base, business.id);
        previews(&postgres, &path, &few, &many).await;
        by_many(&business, &path, &few).await;
        latencies("PostgreSQL", &business, &few).await;
        drop(server);
        let sqlite = FreshSqlite::new().await;
        let server = serve(&sqlite);
        let business = Api::new(&server).business(ONE_PLAN).await;
        let token = business.subscribe("few", "basic").await;
        latencies("SQLite", &business, &token).await;
    });
}

/// Previews of two subscriptions beside the yardstick: in turn and twice, so that a slow moment of the machine hits all alike.
async fn previews(postgres: &FreshPostgres, path: &str, few: &str, many: &str) {
    let bare = Bare::start(postgres).await;
    for _ in 0..2 {
        let yardstick = ask("bare hyper, one SELECT", &bare.url, &[String::new()]).await;
        let little = ask("preview, 1,000 charges", path, &[few.to_owned()]).await;
        let large = ask("preview, 1,000,000 charges", path, &[many.to_owned()]).await;
        println!(
            "  preview ÷ bare: {:.2} requests per second; 1,000,000 ÷ 1,000 charges: {:.2} median latency",
            little.per_second / yardstick.per_second,
            large.p50.as_secs_f64() / little.p50.as_secs_f64()
        );
    }
}

/// Previews of many subscribers in turn beside those of one, once each of them has been shown theirs.
async fn by_many(business: &Business, path: &str, one: &str) {
    let mut tasks = tokio::task::JoinSet::new();
    for sender in 0..SENDERS {
        let business = business.clone();
        tasks.spawn(async move {
            let mut tokens = Vec::new();
            for number in (sender..SUBSCRIBERS).step_by(SENDERS) {
                let token = business.subscribe(&format!("subscriber-{number}"), "basic").await;
                let _shown = business.preview(&token).await.expect(200);
                tokens.push(token);
            }
            tokens
        });
    }
    let tokens = tasks.join_all().await.concat();
    for _ in 0..2 {
        let one = ask("preview, one subscriber", path, &[one.to_owned()]).await;
        let many = ask("preview, 5,000 subscribers", path, &tokens).await;
        println!("  5,000 subscribers ÷ one: {:.2} requests per second", many.per_second / one.per_second);
    }
}

fn serve(fresh: &impl Fresh) -> Server {
    let mut arguments = fresh.arguments();
    arguments.extend(["--rate-limit".to_owned(), "4000000000".to_owned()]);
    Server::start_with(&arguments)
}

/// Reports `count` charges in batches, from several senders.
async fn fill(business: &Business, subject: &'static str, count: u64, batch: u64, senders: u64) {
    let next = Arc::new(AtomicU64::new(0));
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..senders {
        let (api, root, deploy, next) =
            (business.api.clone(), business.root.clone(), business.deploy.clone(), Arc::clone(&next));
        tasks.spawn(async move {
            loop {
                let first = next.fetch_add(batch, Ordering::Relaxed);
                if first >= count {
                    return;
                }
                let item = |n: u64| json!({ "id": n.to_string(), "subject": subject, "meter": "tokens", "units": 1 });
                let items: Vec<Json> = (first..first + batch).map(item).collect();
                let _admitted =
                    api.post(&deploy, &format!("{root}/usage"), json!({ "items": items })).await.expect(200);
            }
        });
    }
    tasks.join_all().await;
}

/// Charges per second in batches of 100 by many senders, on one subscription and on several; beside it, how fast a program that does nothing else
/// writes the same rows.
async fn intake(business: &Business, postgres: &FreshPostgres) {
    // The first round makes what is kept.
    for round in 0..=INTAKE_ROUNDS {
        for subjects in [1, 4, 64] {
            let name = |number: usize| format!("intake-{round}-{subjects}-{number}");
            let subjects: Vec<String> = (0..subjects).map(name).collect();
            let admitted = admitted(business, &subjects).await;
            let written = Replay::of(&postgres.arguments()[1], &subjects).await.run(SENDERS, BATCH).await;
            if round > 0 {
                println!(
                    "intake in batches of {BATCH} from {SENDERS} senders, {:>2} subscriptions: {admitted:>6.0} charges/s; bare writer {written:>6.0}/s; ratio {:.2}",
                    subjects.len(),
                    admitted / written
                );
            }
        }
    }
}

/// Charges per second that are admitted to these subjects' subscriptions.
async fn admitted(business: &Business, subjects: &[String]) -> f64 {
    for subject in subjects {
        business.subscribe(subject, "basic").await;
    }
    let (started, mut tasks) = (Instant::now(), tokio::task::JoinSet::new());
    let next = Arc::new(AtomicUsize::new(0));
    for _ in 0..SENDERS {
        let (api, root, deploy) = (business.api.clone(), business.root.clone(), business.deploy.clone());
        let (next, subjects) = (Arc::clone(&next), subjects.to_vec());
        tasks.spawn(async move {
            let mut charges = 0;
            while started.elapsed() < Duration::from_secs(SECONDS) {
                let batch = next.fetch_add(1, Ordering::Relaxed);
                let subject = &subjects[batch % subjects.len()];
                let item =
                    |n| json!({ "id": format!("{batch}-{n}"), "subject": subject, "meter": "tokens", "units": 1 });
                let items: Vec<Json> = (0..BATCH).map(item).collect();
                let answer = api.post(&deploy, &format!("{root}/usage"), json!({ "items": items })).await.expect(200);
                let results = answer.body["results"].as_array().unwrap();
                assert!(results.iter().all(|result| result["status"] == "accepted"));
                charges += BATCH;
            }
            charges
        });
    }
    let charges: usize = tasks.join_all().await.into_iter().sum();
    charges as f64 / started.elapsed().as_secs_f64()
}

struct Asked {
    per_second: f64,
    p50: Duration,
}

/// Asks, in the name of each of these in turn.
async fn ask(what: &str, url: &str, tokens: &[String]) -> Asked {
    let tokens: Arc<[String]> = tokens.iter().map(|token| format!("Bearer {token}")).collect();
    let turn = Arc::new(AtomicUsize::new(0));
    let started = Instant::now();
    let until = started + Duration::from_secs(SECONDS);
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..CLIENTS {
        let (url, tokens, turn) = (url.to_owned(), Arc::clone(&tokens), Arc::clone(&turn));
        tasks.spawn(async move {
            let client: Client<_, Full<Bytes>> = Client::builder(TokioExecutor::new()).build_http();
            let mut latencies = Vec::new();
            while Instant::now() < until {
                let token = &tokens[turn.fetch_add(STRIDE, Ordering::Relaxed) % tokens.len()];
                let sent = Instant::now();
                let request = Request::get(&url).header("authorization", token).body(Full::default()).unwrap();
                let response = client.request(request).await.unwrap();
                assert_eq!(response.status(), 200);
                response.into_body().collect().await.unwrap();
                latencies.push(sent.elapsed());
            }
            latencies
        });
    }
    let mut latencies: Vec<Duration> = tasks.join_all().await.into_iter().flatten().collect();
    latencies.sort();
    let at = |share: usize| latencies[(latencies.len() * share / 1_000).min(latencies.len() - 1)];
    let asked = Asked { per_second: latencies.len() as f64 / started.elapsed().as_secs_f64(), p50: at(500) };
    println!("{what:<28} {:>8.0}/s  p50 {:>9.2?}  p99 {:>9.2?}", asked.per_second, asked.p50, at(990));
    asked
}

/// The yardstick, while it runs.
struct Bare {
    process: Child,
    url: String,
}

impl Bare {
    async fn start(postgres: &FreshPostgres) -> Bare {
        postgres.alter("CREATE TABLE yardstick (id BIGINT PRIMARY KEY, body TEXT); INSERT INTO yardstick VALUES (1, repeat('x', 600))").await.unwrap();
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args([BARE, &postgres.arguments()[1]]).stdout(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let mut url = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut url).unwrap();
        Bare { process, url: url.trim().to_owned() }
    }
}

impl Drop for Bare {
    fn drop(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

/// A hyper server with a pool of connections that answers with one row by its key. Says where it listens.
async fn bare(url: String) {
    let mut clients = Vec::new();
    for _ in 0..CLIENTS {
        let (client, connection) = tokio_postgres::connect(&url, NoTls).await.unwrap();
        tokio::spawn(connection);
        let statement = client.prepare("SELECT body FROM yardstick WHERE id = $1").await.unwrap();
        clients.push(Arc::new((client, statement)));
    }
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    println!("http://{}/", listener.local_addr().unwrap());
    for turn in 0.. {
        let (stream, _) = listener.accept().await.unwrap();
        let client = Arc::clone(&clients[turn % CLIENTS]);
        let service = service_fn(move |_: Request<Incoming>| {
            let client = Arc::clone(&client);
            async move {
                let row = client.0.query_one(&client.1, &[&1_i64]).await.unwrap();
                let body: String = row.get(0);
                Ok::<_, Infallible>(Response::new(Full::new(Bytes::from(body))))
            }
        });
        tokio::spawn(hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service));
    }
}

/// One after the other, alone: what a publish, a batch of one and a preview take.
async fn latencies(store: &str, business: &Business, token: &str) {
    let median = |mut all: Vec<Duration>| {
        all.sort();
        all[all.len() / 2]
    };
    let (mut builds, mut publishes, mut reports, mut previews) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for n in 0..30 {
        let sent = Instant::now();
        let build =
            business.build(&ONE_PLAN.replace("1900", &format!("{}", 2_000 + n))).await.expect(201).text("buildId");
        builds.push(sent.elapsed());
        let sent = Instant::now();
        let _published = business
            .api
            .post(&business.deploy, &format!("{}/releases", business.root), json!({ "buildId": build }))
            .await
            .expect(201);
        publishes.push(sent.elapsed());
        let sent = Instant::now();
        business
            .usage(json!([{ "id": format!("latency-{n}"), "subject": "few", "meter": "tokens", "units": 1 }]))
            .await;
        reports.push(sent.elapsed());
        let sent = Instant::now();
        let _seen = business.preview(token).await.expect(200);
        previews.push(sent.elapsed());
    }
    println!(
        "{store}, one at a time, medians: build {:.1?}, publish {:.1?}, a batch of one {:.1?}, preview {:.1?}",
        median(builds),
        median(publishes),
        median(reports),
        median(previews)
    );
}
