//! Peers that say nothing, say it slowly, say half of it, say far too much, or never read: each ends by a deadline, leaves nothing
//! behind, and meanwhile others are answered. `EDGE_PEERS` says how many there are of each kind (`EDGE_PEERS=1000`).

use serde_json::{Value as Json, json};
use std::fmt::Write as _;
use std::io::Write;
use std::net::TcpStream;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use svc_money_tests::stores::FreshPostgres;
use svc_tests::api::{Api, Business, ONE_PLAN, OPERATOR, Server};
use svc_tests::program::{block_on, svc};
use svc_tests::raw::http2::{
    CONTINUATION, DATA, END_HEADERS, END_STREAM, HEADERS, INITIAL_WINDOW, PING, RESET, frame, head, preface,
};
use svc_tests::raw::{connect, say, to_end};
use tokio::task::JoinSet;

/// Peers of each kind.
const PEERS: usize = 100;
/// Files that a server may open meanwhile and keep, such as a connection of its log or its database.
const FILES_SLACK: usize = 4;

fn peers() -> usize {
    std::env::var("EDGE_PEERS").ok().map_or(PEERS, |count| count.parse().unwrap())
}

/// A server whose deadlines are seconds, with a business on it and a subscriber's token.
struct Edge {
    server: Server,
    business: Business,
    portal: String,
    _folder: tempfile::TempDir,
}

impl Edge {
    fn start(arguments: &[&str]) -> Edge {
        Edge::start_as(Command::new(svc()), arguments)
    }

    fn start_as(command: Command, arguments: &[&str]) -> Edge {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("svc.db").display().to_string();
        let own = [&["--data", &data], arguments].concat();
        let server = Server::start_as(command, &own.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>());
        let (business, portal) = block_on(async {
            let business = Api::new(&server).business(ONE_PLAN).await;
            let portal = business.subscribe("ada", "basic").await;
            (business, portal)
        });
        Edge { server, business, portal, _folder: folder }
    }

    fn files(&self) -> usize {
        std::fs::read_dir(format!("/proc/{}/fd", self.server.child.id())).unwrap().count()
    }

    fn memory_mib(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.server.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() >> 10
    }

    /// Waits until the server has no more files open than this.
    fn settles_at(&self, files: usize) {
        for _ in 0..300 {
            if self.files() <= files + FILES_SLACK {
                return;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        panic!("{} files are open, and {files} were", self.files());
    }

    /// Reads another's preview until told to stop; every answer must be 200.
    fn others(&self) -> Others {
        let (base, done) = (self.server.base.clone(), Arc::new(AtomicBool::new(false)));
        let request = format!(
            "GET /portal/businesses/{}/me/bill-preview HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer {}\r\n\r\n",
            self.business.id, self.portal
        );
        let told = Arc::clone(&done);
        let asking = std::thread::spawn(move || {
            let mut asked = 0;
            while !told.load(Ordering::Acquire) {
                let answer = say(&base, &request);
                assert_eq!(answer.status, 200, "{answer:?}");
                asked += 1;
                std::thread::sleep(Duration::from_millis(10));
            }
            asked
        });
        Others { done, asking }
    }
}

struct Others {
    done: Arc<AtomicBool>,
    asking: JoinHandle<usize>,
}

impl Others {
    fn were_answered(self) {
        self.done.store(true, Ordering::Release);
        assert!(self.asking.join().unwrap() > 3, "the others were hardly asked");
    }
}

/// Deadlines of a second or two.
const HASTY: &[&str] = &[
    "--first-byte-seconds",
    "1",
    "--head-seconds",
    "1",
    "--idle-seconds",
    "2",
    "--body-seconds",
    "4",
    "--grace-seconds",
    "1",
    "--max-connections-per-peer",
    "4000",
];

fn half_a_head(block: &[u8]) -> Vec<u8> {
    [preface(&[]), frame(HEADERS, END_STREAM, 1, block)].concat()
}

#[test]
fn who_says_nothing_or_half_of_it_is_closed_and_leaves_nothing() {
    let edge = Edge::start(HASTY);
    let (files, memory) = (edge.files(), edge.memory_mib());
    let others = edge.others();
    let get = head("GET", "/healthz", &[]);
    let answered = [preface(&[]), frame(HEADERS, END_STREAM | END_HEADERS, 1, &get)].concat();
    let post = head("POST", "/v1/businesses", &[("authorization", "Bearer x")]);
    let kinds: [(&str, Vec<u8>); 9] = [
        ("silent", Vec::new()),
        ("half a request line", b"GET /heal".to_vec()),
        ("half a head", b"GET /healthz HTTP/1.1\r\nhost: x\r\nhalf".to_vec()),
        ("idle after an answer", b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n".to_vec()),
        ("half a preface", b"PRI * HTTP/2.0\r\n\r\nS".to_vec()),
        ("a preface and no more", preface(&[])),
        ("half a block of headers", half_a_head(&get[..get.len() / 2])),
        ("idle after an answer, HTTP/2", answered),
        ("a body that does not come, HTTP/2", [preface(&[]), frame(HEADERS, END_HEADERS, 1, &post)].concat()),
    ];
    for (kind, bytes) in kinds {
        let mut all: Vec<TcpStream> = (0..peers()).map(|_| connect(&edge.server.base)).collect();
        for stream in &mut all {
            stream.write_all(&bytes).unwrap();
        }
        println!("{kind}: {} files are open", edge.files());
        for stream in &mut all {
            to_end(stream);
        }
    }
    edge.settles_at(files + 2);
    others.were_answered();
    let grown = edge.memory_mib().saturating_sub(memory);
    assert!(grown < 64, "the server grew by {grown} MiB");
    assert_eq!(edge.server.terminate(), Some(0));
}

#[test]
fn who_trickles_is_closed() {
    let edge = Edge::start(HASTY);
    let files = edge.files();
    let others = edge.others();
    let body = format!(
        "POST {}/usage HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\ncontent-length: 4000\r\n\r\n",
        edge.business.root, edge.business.deploy
    );
    // Each sends a byte again and again, and would go on for much longer than the test waits.
    let trickle = |begin: String, answer: &'static str| {
        let base = edge.server.base.clone();
        std::thread::spawn(move || {
            let mut stream = connect(&base);
            stream.write_all(begin.as_bytes()).unwrap();
            let mut sent = 0;
            while sent < 400 && stream.write_all(b"a").is_ok() {
                sent += 1;
                std::thread::sleep(Duration::from_millis(100));
            }
            assert!(sent < 400, "{begin:?} was never refused");
            // What was sent after the end may have taken the answer back.
            let said = String::from_utf8(to_end(&mut stream)).unwrap();
            assert!(said.is_empty() || said.contains(answer), "{said}");
        })
    };
    let head = "GET /healthz HTTP/1.1\r\nhost: ".to_owned();
    let all: Vec<_> =
        (0..16).flat_map(|_| [trickle(head.clone(), ""), trickle(body.clone(), "BODY_TIMEOUT")]).collect();
    for one in all {
        one.join().unwrap();
    }
    edge.settles_at(files + 2);
    others.were_answered();
}

#[test]
fn a_body_that_stops_is_late() {
    let edge = Edge::start(HASTY);
    let mut stream = connect(&edge.server.base);
    write!(
        stream,
        "POST {}/usage HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{{",
        edge.business.root, edge.business.deploy
    )
    .unwrap();
    let said = String::from_utf8(to_end(&mut stream)).unwrap();
    assert!(said.starts_with("HTTP/1.1 408") && said.contains("BODY_TIMEOUT"), "{said}");
}

#[test]
fn at_the_bound_what_rests_makes_room() {
    // No deadline helps here: whoever is answered is let in.
    let patient = ["--first-byte-seconds", "600", "--max-connections", "40", "--max-connections-per-peer", "20"];
    let edge = Edge::start(&patient);
    let mut silent: Vec<TcpStream> = (0..60).map(|_| connect(&edge.server.base)).collect();
    let answer = say(&edge.server.base, "GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
    assert_eq!(answer.status, 200);
    // The oldest are closed.
    for stream in &mut silent[..20] {
        to_end(stream);
    }
    assert!(edge.files() < 60 + 20, "{} files are open", edge.files());
    assert_eq!(edge.server.terminate(), Some(0));
}

#[test]
fn with_few_files_there_are_fewer_connections_and_everyone_is_answered() {
    let mut command = Command::new("prlimit");
    command.arg("--nofile=256:256").arg("--").arg(svc());
    let edge = Edge::start_as(command, &["--first-byte-seconds", "600"]);
    let silent: Vec<TcpStream> = (0..300).map(|_| connect(&edge.server.base)).collect();
    let others = edge.others();
    std::thread::sleep(Duration::from_millis(500));
    others.were_answered();
    assert!(edge.files() < 256, "{} files are open", edge.files());
    let built = block_on(edge.business.build(&format!("// once more\n{ONE_PLAN}")));
    assert_eq!(built.status, 201, "{:#}", built.body);
    drop(silent);
    assert_eq!(edge.server.terminate(), Some(0));
}

/// A product whose IR is some 150 KB.
fn large() -> String {
    let mut meters = String::new();
    for index in 0..1_500 {
        writeln!(meters, "@Meter(\"meter_of_a_large_product_number_{index}\") m{index};").unwrap();
    }
    ONE_PLAN.replace("@Meter(\"tokens\") tokens;", &format!("@Meter(\"tokens\") tokens;\n{meters}"))
}

#[test]
fn answers_that_nobody_reads_are_bounded_and_end() {
    let edge = Edge::start(&["--idle-seconds", "2", "--grace-seconds", "1"]);
    let busy = block_on(edge.business.api.business(&large()));
    let path = format!("{}/releases/active", busy.root);
    let token = format!("Bearer {}", busy.deploy);
    let ask = head("GET", &path, &[("authorization", &token)]);
    let (files, memory) = (edge.files(), edge.memory_mib());
    let others = edge.others();
    let mut all = Vec::new();
    for _ in 0..10 {
        let mut stream = connect(&edge.server.base);
        stream.write_all(&preface(&[(INITIAL_WINDOW, 0)])).unwrap();
        for stream_id in 0..64 {
            stream.write_all(&frame(HEADERS, END_STREAM | END_HEADERS, stream_id * 2 + 1, &ask)).unwrap();
        }
        all.push(stream);
    }
    let get = format!("GET {path} HTTP/1.1\r\nhost: x\r\nauthorization: {token}\r\n\r\n");
    for _ in 0..10 {
        let mut stream = connect(&edge.server.base);
        stream.write_all(get.repeat(16).as_bytes()).unwrap();
        all.push(stream);
    }
    std::thread::sleep(Duration::from_secs(3));
    let grown = edge.memory_mib().saturating_sub(memory);
    println!("{grown} MiB are held for answers that nobody reads");
    // Asked for are some 90 MB. A business may have 64 MiB of them, and each is copied once while it is written.
    assert!(grown < 200, "the server grew by {grown} MiB");
    edge.settles_at(files + 2);
    others.were_answered();
    drop(all);
}

#[test]
fn floods_end_and_leave_nothing() {
    let edge = Edge::start(HASTY);
    let (files, memory) = (edge.files(), edge.memory_mib());
    let others = edge.others();
    let get = head("GET", "/healthz", &[]);
    let rapid_reset = (0..5_000).flat_map(|index| {
        let stream = index * 2 + 1;
        [frame(HEADERS, END_STREAM | END_HEADERS, stream, &get), frame(RESET, 0, stream, &8_u32.to_be_bytes())].concat()
    });
    let continuation = (0..10_000).flat_map(|_| frame(CONTINUATION, 0, 1, &[0; 64]));
    let pings = (0..20_000).flat_map(|_| frame(PING, 0, 0, &[0; 8]));
    let post = head("POST", "/v1/businesses", &[]);
    let empty_data = (0..20_000).flat_map(|_| frame(DATA, 0, 1, &[]));
    let floods: [Vec<u8>; 4] = [
        preface(&[]).into_iter().chain(rapid_reset).collect(),
        [preface(&[]), frame(HEADERS, END_STREAM, 1, &get)].concat().into_iter().chain(continuation).collect(),
        preface(&[]).into_iter().chain(pings).collect(),
        [preface(&[]), frame(HEADERS, END_HEADERS, 1, &post)].concat().into_iter().chain(empty_data).collect(),
    ];
    let senders: Vec<_> = (0..8)
        .flat_map(|_| floods.clone())
        .map(|flood| {
            let base = edge.server.base.clone();
            std::thread::spawn(move || {
                let mut stream = connect(&base);
                // The server may have had enough before all of it is sent.
                let _sent = stream.write_all(&flood);
                to_end(&mut stream);
            })
        })
        .collect();
    for sender in senders {
        sender.join().unwrap();
    }
    edge.settles_at(files + 2);
    others.were_answered();
    let grown = edge.memory_mib().saturating_sub(memory);
    assert!(grown < 64, "the server grew by {grown} MiB");
}

#[test]
fn one_business_takes_no_other_ones_place() {
    let edge = Edge::start(&[]);
    let busy = block_on(edge.business.api.business(ONE_PLAN));
    // Bodies that do not come, on connections and on streams of one connection; none has a place.
    let mut held = Vec::new();
    for bytes in ["", "{"] {
        for _ in 0..64 {
            let mut stream = connect(&edge.server.base);
            write!(
                stream,
                "POST {}/usage HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{bytes}",
                busy.root, busy.deploy
            )
            .unwrap();
            held.push(stream);
        }
    }
    let token = format!("Bearer {}", busy.deploy);
    let more = [("authorization", token.as_str()), ("content-type", "application/json")];
    let post = head("POST", &format!("{}/usage", busy.root), &more);
    let mut streams = connect(&edge.server.base);
    streams.write_all(&preface(&[])).unwrap();
    for index in 0..64 {
        streams.write_all(&frame(HEADERS, END_HEADERS, index * 2 + 1, &post)).unwrap();
    }
    std::thread::sleep(Duration::from_millis(500));
    let item = json!([{ "id": "a", "subject": "ada", "meter": "tokens", "units": 1 }]);
    let results: Vec<Json> = block_on(edge.business.usage(item.clone()));
    assert_eq!(results[0]["status"], "accepted", "{results:?}");
    block_on(async {
        let hold = json!({ "subject": "ada", "id": "h", "meter": "tokens", "units": 1 });
        let path = format!("{}/holds", edge.business.root);
        let _held = edge.business.api.post(&edge.business.deploy, &path, hold).await.expect(201);
    });
    assert_eq!(edge.server.terminate(), Some(0));
}

#[test]
fn who_waits_for_a_row_holds_up_neither_others_nor_the_probe() {
    let fresh = block_on(FreshPostgres::new());
    let url = fresh.url_of("svc");
    let server = Server::start_with(&["--database-url".to_owned(), url.clone()]);
    block_on(async {
        let api = Api::new(&server);
        let (busy, calm) = (Arc::new(api.business(ONE_PLAN).await), api.business(ONE_PLAN).await);
        let _hot = busy.subscribe("ada", "basic").await;
        let portal = calm.subscribe("bea", "basic").await;
        let build = busy.build(&format!("// again\n{ONE_PLAN}")).await.expect(201).text("buildId");
        let (client, connection) = tokio_postgres::connect(&url, tokio_postgres::NoTls).await.unwrap();
        tokio::spawn(connection);
        // Whatever of the business is written stands still.
        let locked = format!("SELECT 1 FROM businesses WHERE id = '{}' FOR UPDATE", busy.id);
        client.batch_execute(&format!("BEGIN; {locked}")).await.unwrap();
        let mut waiting = JoinSet::new();
        for _ in 0..40 {
            let (busy, build) = (Arc::clone(&busy), build.clone());
            waiting.spawn(async move {
                let body = json!({ "buildId": build });
                busy.api.post(&busy.deploy, &format!("{}/releases", busy.root), body).await.status
            });
        }
        tokio::time::sleep(Duration::from_millis(1_500)).await;
        assert!(waiting.try_join_next().is_none(), "they wait for the row");
        assert_eq!(api.get("", "/readyz").await.status, 200);
        for _ in 0..20 {
            assert_eq!(calm.preview(&portal).await.status, 200);
        }
        let item = json!([{ "id": "a", "subject": "bea", "meter": "tokens", "units": 1 }]);
        assert_eq!(calm.usage(item).await[0]["status"], "accepted");
        // The operator's writes may take all connections but the probe's.
        for index in 0..40 {
            let busy = Arc::clone(&busy);
            waiting.spawn(async move {
                let body = json!({ "subject": format!("subject {index}"), "plan": "basic" });
                busy.api.post(OPERATOR, &format!("{}/subscriptions", busy.root), body).await.status
            });
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
        assert_eq!(api.get("", "/readyz").await.status, 200);
        client.batch_execute("ROLLBACK").await.unwrap();
        while let Some(status) = waiting.join_next().await {
            assert!([200, 201].contains(&status.unwrap()));
        }
    });
    assert_eq!(server.terminate(), Some(0));
}

#[test]
fn who_guesses_secrets_takes_no_connection_from_those_who_are_known() {
    let fresh = block_on(FreshPostgres::new());
    let url = fresh.url_of("svc");
    let server = Server::start_with(&["--database-url".to_owned(), url.clone()]);
    block_on(async {
        let api = Api::new(&server);
        let known = api.business(ONE_PLAN).await;
        let portal = known.subscribe("ada", "basic").await;
        assert_eq!(known.preview(&portal).await.status, 200);
        let (client, connection) = tokio_postgres::connect(&url, tokio_postgres::NoTls).await.unwrap();
        tokio::spawn(connection);
        // Whatever a stranger's secret is looked up in stands still.
        client.batch_execute("BEGIN; LOCK TABLE portal_sessions, sources").await.unwrap();
        let mut strangers = JoinSet::new();
        for index in 0..20 {
            let api = Api::new(&server);
            let hook = format!("/hooks/git/{}", known.id);
            let link = format!("/portal/businesses/{}/links/svc_link_{index:064x}", known.id);
            strangers.spawn(async move {
                let link = api.get("", &link);
                let delivery = api.post("", &hook, json!({}));
                let (link, delivery) = tokio::join!(link, delivery);
                [link.status, delivery.status]
            });
        }
        tokio::time::sleep(Duration::from_millis(1_500)).await;
        assert!(strangers.try_join_next().is_none(), "they wait");
        for _ in 0..20 {
            assert_eq!(known.preview(&portal).await.status, 200);
        }
        let item = json!([{ "id": "a", "subject": "ada", "meter": "tokens", "units": 1 }]);
        assert_eq!(known.usage(item).await[0]["status"], "accepted");
        client.batch_execute("ROLLBACK").await.unwrap();
        while let Some(statuses) = strangers.join_next().await {
            let [link, delivery] = statuses.unwrap();
            assert!([401, 404].contains(&link) && [401, 404].contains(&delivery), "{link} {delivery}");
        }
    });
    assert_eq!(server.terminate(), Some(0));
}

#[test]
fn who_is_shown_once_more_what_they_saw_waits_for_nobody_who_reads() {
    let fresh = block_on(FreshPostgres::new());
    let url = fresh.url_of("svc");
    let server = Server::start_with(&["--database-url".to_owned(), url.clone()]);
    block_on(async {
        let business = Api::new(&server).business(ONE_PLAN).await;
        let portal = business.subscribe("ada", "basic").await;
        let seen = business.preview(&portal).await.expect(200).body;
        let (client, connection) = tokio_postgres::connect(&url, tokio_postgres::NoTls).await.unwrap();
        tokio::spawn(connection);
        client.batch_execute("BEGIN; LOCK TABLE invoices").await.unwrap();
        // More than one business has places to read.
        let mut readers = JoinSet::new();
        for _ in 0..12 {
            let (api, portal) = (Api::new(&server), portal.clone());
            let path = format!("/portal/businesses/{}/me/invoices", business.id);
            readers.spawn(async move { api.get(&portal, &path).await.status });
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
        assert!(readers.try_join_next().is_none(), "they wait");
        for _ in 0..20 {
            assert_eq!(business.preview(&portal).await.expect(200).body, seen);
        }
        // What is new to them is read, and takes a place.
        let item = json!([{ "id": "a", "subject": "ada", "meter": "tokens", "units": 1 }]);
        assert_eq!(business.usage(item).await[0]["status"], "accepted");
        let mut anew = Box::pin(business.preview(&portal));
        assert!(tokio::time::timeout(Duration::from_millis(500), &mut anew).await.is_err(), "it waits");
        client.batch_execute("ROLLBACK").await.unwrap();
        assert_ne!(anew.await.expect(200).body, seen);
        while let Some(status) = readers.join_next().await {
            assert_eq!(status.unwrap(), 200);
        }
    });
    assert_eq!(server.terminate(), Some(0));
}

#[test]
fn a_resting_connection_does_not_hold_up_the_end() {
    let edge = Edge::start(&[]);
    let get = head("GET", "/healthz", &[]);
    let mut resting = connect(&edge.server.base);
    let asked = [preface(&[]), frame(HEADERS, END_STREAM | END_HEADERS, 1, &get)].concat();
    resting.write_all(&asked).unwrap();
    let silent = connect(&edge.server.base);
    std::thread::sleep(Duration::from_millis(300));
    let begun = Instant::now();
    assert_eq!(edge.server.terminate(), Some(0));
    // Requests under way would have half a minute.
    assert!(begun.elapsed() < Duration::from_secs(25), "{:?}", begun.elapsed());
    drop((resting, silent));
}

#[test]
fn requests_of_one_business_are_bounded_below_the_bound_of_all() {
    let edge = Edge::start(&[]);
    let busy = block_on(edge.business.api.business(ONE_PLAN));
    let token = format!("Bearer {}", busy.deploy);
    let more = [("authorization", token.as_str()), ("content-type", "application/json")];
    let post = head("POST", &format!("{}/usage", busy.root), &more);
    // Nine connections of 64 streams are more than a business may have under way.
    let mut all = Vec::new();
    for _ in 0..9 {
        let mut stream = connect(&edge.server.base);
        stream.write_all(&preface(&[])).unwrap();
        for index in 0..64 {
            stream.write_all(&frame(HEADERS, END_HEADERS, index * 2 + 1, &post)).unwrap();
        }
        all.push(stream);
    }
    std::thread::sleep(Duration::from_secs(1));
    block_on(async {
        let refused = busy.api.get(&busy.deploy, &format!("{}/plans", busy.root)).await;
        assert_eq!((refused.status, refused.code()), (503, "BUSY"));
        assert_eq!(refused.headers["retry-after"], "1");
        assert_eq!(edge.business.preview(&edge.portal).await.status, 200);
        drop(all);
        tokio::time::sleep(Duration::from_secs(1)).await;
        let _again = busy.api.get(&busy.deploy, &format!("{}/plans", busy.root)).await.expect(200);
    });
}
