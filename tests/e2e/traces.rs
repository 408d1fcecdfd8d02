//! Traces: a caller's goes on, in the log, to others that are asked, and to a collector where OpenTelemetry's variables name one.

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message;
use serde_json::{Value as Json, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use svc_tests::api::{Answer, Api, ONE_PLAN, OPERATOR, Server};
use svc_tests::program::{block_on, svc};

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const CALLER: &str = "b7ad6b7169203331";

/// A request as it came: its path, its head in lower case, its body.
#[derive(Clone, Debug)]
struct Came {
    path: String,
    head: String,
    body: Vec<u8>,
}

/// Takes whatever is sent, and answers 200: a collector, and a receiver of events, which may be out of order.
struct Taker {
    address: String,
    is_broken: Arc<AtomicBool>,
    came: Arc<Mutex<Vec<Came>>>,
}

impl Taker {
    fn start() -> Taker {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let (address, came) = (listener.local_addr().unwrap().to_string(), Arc::new(Mutex::new(Vec::new())));
        let is_broken = Arc::new(AtomicBool::new(false));
        let (all, broken) = (Arc::clone(&came), Arc::clone(&is_broken));
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (all, broken) = (Arc::clone(&all), Arc::clone(&broken));
                std::thread::spawn(move || take(stream.unwrap(), &all, &broken));
            }
        });
        Taker { address, is_broken, came }
    }

    fn came(&self, path: &str) -> Vec<Came> {
        let all = self.came.lock().unwrap();
        all.iter().filter(|came| came.path == path).cloned().collect()
    }

    /// The resource's attributes and the spans that came.
    fn spans(&self) -> (Vec<(String, String)>, Vec<Span>) {
        let (mut said, mut spans) = (Vec::new(), Vec::new());
        for came in self.came("/v1/traces") {
            assert!(came.head.contains("content-type: application/x-protobuf"), "{came:?}");
            let request = ExportTraceServiceRequest::decode(came.body.as_slice()).unwrap();
            for of in request.resource_spans {
                let attributes = of.resource.unwrap().attributes;
                said = attributes.into_iter().map(|pair| (pair.key, text(pair.value.unwrap().value))).collect();
                spans.extend(of.scope_spans.into_iter().flat_map(|scope| scope.spans));
            }
        }
        (said, spans)
    }

    /// Waits for a span of this name.
    fn span(&self, name: &str) -> Span {
        self.span_that(name, |_| true)
    }

    /// Waits for a span of this name that is such a one.
    fn span_that(&self, name: &str, is_such: impl Fn(&Span) -> bool) -> Span {
        let began = Instant::now();
        loop {
            let (_, spans) = self.spans();
            if let Some(span) = spans.iter().find(|span| span.name == name && is_such(span)) {
                return span.clone();
            }
            assert!(began.elapsed() < Duration::from_secs(30), "no {name:?} among {spans:#?}");
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// Waits until a request to this path carries a trace of this id, and says which span it is of.
    fn told(&self, path: &str, trace: &str) -> String {
        let began = Instant::now();
        loop {
            let came = self.came(path);
            let heads = came.iter().flat_map(|came| came.head.lines());
            let mut spans = heads.filter_map(|line| line.strip_prefix(&format!("traceparent: 00-{trace}-")));
            if let Some(span) = spans.next_back() {
                return span.split('-').next().unwrap().to_owned();
            }
            assert!(began.elapsed() < Duration::from_secs(30), "no {trace} among {came:#?}");
            std::thread::sleep(Duration::from_millis(100));
        }
    }
}

fn take(stream: TcpStream, all: &Mutex<Vec<Came>>, is_broken: &AtomicBool) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    loop {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if reader.read_line(&mut head).unwrap_or_default() == 0 {
                return;
            }
        }
        let path = head.split(' ').nth(1).unwrap().to_owned();
        let head = head.to_lowercase();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap_or("0");
        let mut body = vec![0; length.trim().parse().unwrap()];
        reader.read_exact(&mut body).unwrap();
        let status = if path == "/events" && is_broken.load(Ordering::SeqCst) { "503 Busy" } else { "200 OK" };
        all.lock().unwrap().push(Came { path, head, body });
        write!(&stream, "HTTP/1.1 {status}\r\ncontent-length: 0\r\n\r\n").unwrap();
    }
}

fn text(value: Option<Value>) -> String {
    match value {
        Some(Value::StringValue(text)) => text,
        Some(Value::IntValue(number)) => number.to_string(),
        other => format!("{other:?}"),
    }
}

fn said(span: &Span, name: &str) -> String {
    let pair = span.attributes.iter().find(|pair| pair.key == name);
    text(pair.unwrap_or_else(|| panic!("{name} is not in {span:#?}")).value.clone().unwrap().value)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A server whose spans go to this taker, on a file of its own.
fn serve(taker: &Taker, folder: &tempfile::TempDir, variables: &[(&str, &str)]) -> Server {
    let data = folder.path().join("svc.db").display().to_string();
    let mut command = Command::new(svc());
    command.env("OTEL_EXPORTER_OTLP_ENDPOINT", format!("http://{}", taker.address));
    command.env("SVC_SECRETS_KEY", "00".repeat(32)).env("SVC_LOG", "info").envs(variables.iter().copied());
    Server::start_as(command, &["--data", &data, "--allow-host", "127.0.0.1"].map(str::to_owned))
}

#[test]
fn a_callers_trace_goes_on_to_the_log_and_the_collector() {
    let (taker, folder) = (Taker::start(), tempfile::tempdir().unwrap());
    let server = serve(&taker, &folder, &[("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=test")]);
    let api = Api::new(&server);
    let recorded = format!("00-{TRACE}-{CALLER}-01");
    let unrecorded = "00-11111111111111111111111111111111-2222222222222222-00";
    block_on(async {
        for header in [recorded.as_str(), unrecorded, "nonsense"] {
            let _answer = api.send("GET", "/v1/businesses/biz_none/plans", &[("traceparent", header)], "").await;
        }
    });
    let span = taker.span("GET /v1/businesses/{business}/plans");
    assert_eq!((hex(&span.trace_id), hex(&span.parent_span_id)), (TRACE.to_owned(), CALLER.to_owned()));
    assert_ne!(hex(&span.span_id), CALLER);
    assert_eq!((span.kind, said(&span, "http.response.status_code")), (2, "401".to_owned()));
    assert_eq!(said(&span, "http.route"), "/v1/businesses/{business}/plans");
    assert!(span.end_time_unix_nano >= span.start_time_unix_nano && span.start_time_unix_nano > 0);
    let log = || server.log.lock().unwrap().join("\n");
    assert!(log().lines().any(|line| line.contains(TRACE) && line.contains("answered")), "{}", log());
    assert!(log().contains("11111111111111111111111111111111"));
    // What is left is sent when the server ends: two of the three, since one caller records nothing.
    assert_eq!(server.terminate(), Some(0));
    let (resource, spans) = taker.spans();
    let plans = spans.iter().filter(|span| span.name.ends_with("/plans")).count();
    assert_eq!(plans, 2, "{spans:#?}");
    for (name, value) in [("service.name", "svc"), ("deployment.environment.name", "test")] {
        assert!(resource.contains(&(name.to_owned(), value.to_owned())), "{resource:?}");
    }
}

#[test]
fn who_is_asked_is_told_of_the_trace() {
    let (taker, folder) = (Taker::start(), tempfile::tempdir().unwrap());
    let server = serve(&taker, &folder, &[]);
    block_on(async {
        let api = Api::new(&server);
        let business =
            api.post(OPERATOR, "/v1/businesses", json!({ "name": "Traced" })).await.expect(201).text("businessId");
        let receivers = format!("/v1/businesses/{business}/event-receivers");
        let body = json!({ "url": format!("http://{}/events", taker.address), "types": ["build.finished"] });
        let _receiver = api.post(OPERATOR, &receivers, body).await.expect(201);
        let files = json!({ "files": { "product/product.config.ts": ONE_PLAN } });
        let _build = api.post(OPERATOR, &format!("/v1/businesses/{business}/builds"), files).await.expect(201);
    });
    let (work, asked) = (taker.span("deliver event"), taker.span("POST"));
    let events = taker.came("/events");
    let expected = format!("traceparent: 00-{}-{}-01", hex(&asked.trace_id), hex(&asked.span_id));
    assert!(events.iter().any(|came| came.head.contains(&expected)), "{expected} is not in {events:#?}");
    assert_eq!((&asked.trace_id, &asked.parent_span_id), (&work.trace_id, &work.span_id));
    assert_eq!((asked.kind, work.kind), (3, 1));
    assert_eq!(said(&asked, "server.address"), "127.0.0.1");
    assert_eq!(said(&asked, "http.response.status_code"), "200");
    assert_eq!(taker.span("build").kind, 1);
}

/// A business whose events are told to the taker, and a build of it that a caller asks for as a part of its trace.
async fn build_traced(api: &Api, taker: &Taker) -> (String, String) {
    let business =
        api.post(OPERATOR, "/v1/businesses", json!({ "name": "Traced" })).await.expect(201).text("businessId");
    let receivers = format!("/v1/businesses/{business}/event-receivers");
    let body = json!({ "url": format!("http://{}/events", taker.address) });
    let _receiver = api.post(OPERATOR, &receivers, body).await.expect(201);
    let files = json!({ "files": { "product/product.config.ts": ONE_PLAN } });
    let build = traced_post(api, &format!("/v1/businesses/{business}/builds"), TRACE, &files).await;
    (business, build.text("buildId"))
}

/// A request of an operator as a part of a trace, which is recorded.
async fn traced_post(api: &Api, path: &str, trace: &str, body: &Json) -> Answer {
    let (bearer, parent) = (format!("Bearer {OPERATOR}"), format!("00-{trace}-{CALLER}-01"));
    let headers = [("authorization", &*bearer), ("traceparent", &*parent), ("content-type", "application/json")];
    api.send("POST", path, &headers, body.to_string()).await.expect(201)
}

#[test]
fn what_is_done_later_is_a_part_of_the_trace_that_asked_for_it() {
    let (taker, folder) = (Taker::start(), tempfile::tempdir().unwrap());
    let server = serve(&taker, &folder, &[]);
    let (business, build) = block_on(build_traced(&Api::new(&server), &taker));
    // The build is of the request that asked for it; the event that it ended is of the build, and the webhook of the event's delivery.
    let request = taker.span("POST /v1/businesses/{business}/builds");
    let build_span = taker.span("build");
    let delivery = taker.span("deliver event");
    let asked = taker.told("/events", TRACE);
    let posted = taker.span_that("POST", |span| hex(&span.span_id) == asked);
    let trace_of = |span: &Span| hex(&span.trace_id);
    for span in [&request, &build_span, &delivery, &posted] {
        assert_eq!(trace_of(span), TRACE, "{span:#?}");
    }
    assert_eq!(build_span.parent_span_id, request.span_id);
    assert_eq!(delivery.parent_span_id, build_span.span_id);
    assert_eq!(posted.parent_span_id, delivery.span_id);
    // It is kept with what waits: another server, which knows nothing of the request, goes on with it.
    let later = "5555555555555555aaaaaaaaaaaaaaaa";
    taker.is_broken.store(true, Ordering::SeqCst);
    let publish = json!({ "buildId": build });
    let release = format!("/v1/businesses/{business}/releases");
    let _release = block_on(traced_post(&Api::new(&server), &release, later, &publish));
    let first = taker.told("/events", later);
    let is_told = |line: &String| line.contains("an event was not taken") && line.contains(later);
    let began = Instant::now();
    while !server.log.lock().unwrap().iter().any(is_told) {
        assert!(began.elapsed() < Duration::from_secs(30), "{:#?}", server.log.lock().unwrap());
        std::thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(server.terminate(), Some(0));
    taker.is_broken.store(false, Ordering::SeqCst);
    let _other = serve(&taker, &folder, &[]);
    let published = taker.span("POST /v1/businesses/{business}/releases");
    let began = Instant::now();
    while taker.told("/events", later) == first {
        assert!(began.elapsed() < Duration::from_secs(30), "the other server does not send it");
        std::thread::sleep(Duration::from_millis(100));
    }
    let again = taker.told("/events", later);
    let posted = taker.span_that("POST", |span| hex(&span.span_id) == again);
    let delivery = taker.span_that("deliver event", |span| span.span_id == posted.parent_span_id);
    assert_eq!((trace_of(&delivery), &delivery.parent_span_id), (later.to_owned(), &published.span_id));
}

#[test]
fn nothing_is_sent_unless_the_variables_say_so() {
    let (taker, folder) = (Taker::start(), tempfile::tempdir().unwrap());
    for off in [("OTEL_SDK_DISABLED", "true"), ("OTEL_TRACES_EXPORTER", "none"), ("OTEL_TRACES_SAMPLER", "always_off")]
    {
        let server = serve(&taker, &folder, &[off]);
        block_on(async {
            let header = [("traceparent", &*format!("00-{TRACE}-{CALLER}-01"))];
            let _answer = Api::new(&server).send("GET", "/healthz", &header, "").await.expect(200);
        });
        assert_eq!(server.terminate(), Some(0));
        assert!(taker.came("/v1/traces").is_empty(), "{off:?}");
    }
    let refused = |name: &str, value: &str| {
        let mut command = Command::new(svc());
        command.args(["serve", "--listen", "127.0.0.1:0"]).current_dir(folder.path()).env(name, value);
        command.env("OTEL_EXPORTER_OTLP_ENDPOINT", format!("http://{}", taker.address));
        let told = command.output().unwrap();
        assert_eq!(told.status.code(), Some(2));
        String::from_utf8(told.stderr).unwrap()
    };
    assert!(refused("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc").contains("OTEL_EXPORTER_OTLP_PROTOCOL is http/protobuf"));
    assert!(refused("OTEL_TRACES_SAMPLER", "some").contains("is no sampler"));
}
