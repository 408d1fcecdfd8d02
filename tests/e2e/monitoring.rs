//! What `/metrics` says, and that the dashboard, the alerts and the docs name nothing else.

use serde_json::{Value as Json, json};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use svc_money_tests::stores::{Fresh, FreshPostgres};
use svc_tests::api::{Api, ONE_PLAN, OPERATOR, Server};
use svc_tests::certificates::{Authority, Pair};
use svc_tests::program::{block_on, root};

/// What names of metrics begin with.
const BEGINNINGS: [&str; 3] = ["svc_", "http_server_", "db_client_"];

/// Counters that are there once something happened, which no story of this file brings about.
const SELDOM: [&str; 4] = [
    "svc_http_connections_ended_total",
    "svc_gateway_refused_total",
    "svc_gateway_settled_total",
    "svc_gateway_reports_total",
];

/// The names of metrics in a text.
fn names(text: &str) -> BTreeSet<String> {
    let words = text.split(|char: char| !char.is_ascii_alphanumeric() && char != '_');
    words.filter(|word| BEGINNINGS.iter().any(|begin| word.starts_with(begin))).map(str::to_owned).collect()
}

/// The names of samples that a server shows.
fn shown(metrics: &str) -> BTreeSet<String> {
    let samples = metrics.lines().filter(|line| !line.starts_with('#'));
    samples
        .filter_map(|line| line.split(['{', ' ']).next())
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

/// The value of a sample, by its name and labels.
fn value(metrics: &str, sample: &str) -> f64 {
    let line = metrics.lines().find_map(|line| line.strip_prefix(sample)?.strip_prefix(' '));
    line.unwrap_or_else(|| panic!("{sample} is not in {metrics}")).parse().unwrap()
}

/// A server on PostgreSQL on which money was moved, and what it measured.
async fn measured() -> String {
    let arguments = [FreshPostgres::new().await.arguments(), vec!["--gateway".to_owned(), "127.0.0.1:0".to_owned()]];
    let server = Server::start_with(&arguments.concat());
    let api = Api::new(&server);
    let business = api.business(ONE_PLAN).await;
    business.subscribe("ada", "basic").await;
    let item = |id: &str, subject: &str| json!({ "id": id, "subject": subject, "meter": "tokens", "units": 5 });
    let batch = json!([item("one", "ada"), item("two", "ada"), item("three", "nobody")]);
    let _first = business.usage(batch).await;
    let _again = business.usage(json!([item("one", "ada")])).await;
    let holds = format!("{}/holds", business.root);
    for id in ["h1", "h2"] {
        let hold = json!({ "id": id, "subject": "ada", "meter": "tokens", "units": 5 });
        let _held = api.post(&business.deploy, &holds, hold).await.expect(201);
    }
    // One is let go, one is used, one is forgotten, one's subscription ends, and one stays open.
    let short = json!({ "subject": "ada", "id": "h3", "meter": "tokens", "units": 5, "expiresInSeconds": 1 });
    let _held = api.post(&business.deploy, &holds, short).await.expect(201);
    let used = json!({ "subject": "ada", "id": "h4", "meter": "tokens", "units": 5 });
    let _held = api.post(&business.deploy, &holds, used).await.expect(201);
    let settling = json!({ "id": "four", "subject": "ada", "meter": "tokens", "units": 5, "hold": "h4" });
    let _settled = business.usage(json!([settling])).await;
    let plan = json!({ "subject": "bea", "plan": "basic" });
    let bea = api.post(OPERATOR, &format!("{}/subscriptions", business.root), plan).await.expect(201);
    let theirs = json!({ "subject": "bea", "id": "h5", "meter": "tokens", "units": 5 });
    let _held = api.post(&business.deploy, &holds, theirs).await.expect(201);
    let end = format!("{}/subscriptions/{}/cancel", business.root, bea.text("subscriptionId"));
    let _ended = api.post(OPERATOR, &end, json!({})).await.expect(200);
    for wrong in ["export default 1;", "function deep() { deep(); } deep();"] {
        let files = json!({ "files": { "product/product.config.ts": wrong } });
        let _failed = api.post(&business.deploy, &format!("{}/builds", business.root), files).await.expect(422);
    }
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    let release = json!({ "subject": "ada" });
    let _let_go = api.post(&business.deploy, &format!("{holds}/h1/release"), release).await.expect(200);
    let _audited = api.get(OPERATOR, &format!("{}/ledger/audit", business.root)).await.expect(200);
    let _refused = api
        .post(OPERATOR, &format!("{}/subscriptions", business.root), json!({ "subject": "ada", "plan": "basic" }))
        .await
        .expect(409);
    let _still = api
        .post(OPERATOR, &format!("{}/subscriptions", business.root), json!({ "subject": "eve", "plan": "none" }))
        .await
        .expect(422);
    let began = Instant::now();
    loop {
        let (_, _, metrics) = api.text("GET", "/metrics").await;
        if metrics.contains("svc_holds_open 1\n") {
            return metrics;
        }
        assert!(began.elapsed() < Duration::from_secs(40), "{metrics}");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

#[test]
fn what_is_measured_is_what_happened() {
    let metrics = block_on(measured());
    for (sample, expected) in [
        (r#"svc_usage_items_total{outcome="accepted",error_type=""}"#, 3.0),
        (r#"svc_usage_items_total{outcome="duplicate",error_type=""}"#, 1.0),
        (r#"svc_usage_items_total{outcome="refused",error_type="SUBSCRIPTION_NOT_FOUND"}"#, 1.0),
        ("svc_charges_total", 3.0),
        ("svc_invoices_closed_total", 0.0),
        ("svc_holds_opened_total", 5.0),
        (r#"svc_holds_ended_total{how="released"}"#, 1.0),
        (r#"svc_holds_ended_total{how="settled"}"#, 1.0),
        (r#"svc_holds_ended_total{how="expired"}"#, 1.0),
        (r#"svc_holds_ended_total{how="cancelled"}"#, 1.0),
        (r#"svc_builds_total{outcome="succeeded",error_type=""}"#, 1.0),
        (r#"svc_builds_total{outcome="rejected",error_type=""}"#, 1.0),
        (r#"svc_builds_total{outcome="stopped",error_type="BUILD_STACK_OVERFLOW"}"#, 1.0),
        (r#"svc_documents_cents_total{kind="invoice"}"#, 0.0),
        ("svc_ledger_audited_total", 2.0),
        ("svc_ledger_findings_total", 0.0),
        ("svc_holds_open", 1.0),
        (r#"svc_store_transactions_total{outcome="failed"}"#, 0.0),
        (r#"svc_queue_length{queue="builds"}"#, 0.0),
        (r#"svc_queue_length{queue="events"}"#, 0.0),
        ("svc_queue_oldest_build_age_seconds", 0.0),
        ("db_client_connection_max", 16.0),
        ("db_client_connection_pending_requests", 0.0),
    ] {
        assert!((value(&metrics, sample) - expected).abs() < 0.5, "{sample} is not {expected} in {metrics}");
    }
    assert!(value(&metrics, r#"svc_store_transactions_total{outcome="done"}"#) >= 6.0, "{metrics}");
    assert!(value(&metrics, r#"svc_store_transactions_total{outcome="refused"}"#) >= 1.0, "{metrics}");
    let connections =
        ["idle", "used"].map(|state| value(&metrics, &format!(r#"db_client_connection_count{{state="{state}"}}"#)));
    assert!(connections.iter().sum::<f64>() >= 1.0, "{metrics}");
    for private in ["ada", "nobody", "biz_", "tok_"] {
        assert!(!metrics.contains(private), "{private} is in {metrics}");
    }
    metrics_are_documented(&metrics);
}

/// A gateway that is a server of its own shows what it measures at another address, and takes settings over.
#[test]
fn a_gateway_alone_is_watched_too() {
    use std::io::{BufRead, BufReader, Read, Write};
    let folder = tempfile::tempdir().unwrap();
    let settings = folder.path().join("svc.toml");
    std::fs::write(&settings, "[serve]\nlog = \"warn\"\n").unwrap();
    let mut gateway = std::process::Command::new(svc_tests::program::svc())
        .args(["gateway", "--listen", "127.0.0.1:0", "--metrics", "127.0.0.1:0", "--config", "svc.toml"])
        .current_dir(folder.path())
        .env_clear()
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(gateway.stderr.take().unwrap()).lines();
    let mut address = |mark: &str| {
        let line = said.find_map(|line| line.unwrap().strip_prefix(mark).map(str::to_owned));
        line.unwrap_or_else(|| panic!("{mark} was not said"))
    };
    let metrics = address("its metrics are at http://").replace("/metrics", "");
    let passing = address("the gateway listens on http://");
    let ask = |address: &str, head: &str| {
        let mut stream = std::net::TcpStream::connect(address).unwrap();
        stream.write_all(format!("{head} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    assert!(ask(&passing, "GET /metrics").starts_with("HTTP/1.1 401"), "what is passed on is for its callers");
    let shown = ask(&metrics, "GET /metrics");
    assert!(shown.contains("content-type: application/openmetrics-text"), "{shown}");
    for sample in [r#"svc_gateway_refused_total{code="UNAUTHORIZED"} 1"#, "svc_store_writable 1", "svc_charges_total 0"]
    {
        assert!(shown.contains(sample), "{sample} is not in {shown}");
    }
    assert!(ask(&metrics, "GET /readyz").contains(r#""status":"ready""#));
    assert!(ask(&metrics, "GET /healthz").starts_with("HTTP/1.1 200"));
    assert!(ask(&metrics, "GET /v1/businesses").starts_with("HTTP/1.1 404"));
    assert!(ask(&metrics, "POST /metrics").starts_with("HTTP/1.1 405"));
    let head = ask(&metrics, "HEAD /healthz");
    assert!(head.starts_with("HTTP/1.1 200") && head.ends_with("\r\n\r\n"), "{head}");
    std::fs::write(&settings, "[serve]\nlog = \"info\"\nidle-seconds = 9\n").unwrap();
    let signal = |name: &str| {
        let sent = std::process::Command::new("kill").args([name, &gateway.id().to_string()]).status();
        assert!(sent.unwrap().success());
    };
    signal("-HUP");
    let line = said.find_map(|line| Some(line.unwrap()).filter(|line| line.contains("settings were read again")));
    assert!(line.unwrap().contains("serve.idle-seconds"), "it says which");
    signal("-TERM");
    assert!(gateway.wait().unwrap().success());
}

/// What one server shows on PostgreSQL, and another one with TLS, is what the docs, the dashboard and the alerts name.
fn metrics_are_documented(metrics: &str) {
    let (folder, authority) = (tempfile::tempdir().unwrap(), Authority::new("ours"));
    authority.sign(&["127.0.0.1"]).write(folder.path());
    let data = ["--data".to_owned(), folder.path().join("svc.db").display().to_string()];
    let server = Server::start_with(&[&data[..], &Pair::arguments(folder.path())].concat());
    // The first connection's handshake is there to be counted.
    drop(authority.connect(&server.base, &["http/1.1"]).unwrap());
    let mut stream = authority.connect(&server.base, &["http/1.1"]).unwrap();
    let over_tls = stream.say_to_end(b"GET /metrics HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
    let mut real: BTreeSet<String> = [shown(metrics), shown(&over_tls)].into_iter().flatten().collect();
    real.retain(|name| BEGINNINGS.iter().any(|begin| name.starts_with(begin)));
    real.extend(SELDOM.map(str::to_owned));
    let text = |path: &str| std::fs::read_to_string(root().join(path)).unwrap();
    for path in ["docs/monitoring.md", "docs/monitoring/grafana.json", "docs/monitoring/alerts.yaml"] {
        let bases: BTreeSet<String> = real.iter().map(|name| base(name)).collect();
        let named = names(&text(path));
        let unknown: Vec<_> = named.iter().filter(|name| !real.contains(*name) && !bases.contains(*name)).collect();
        assert!(unknown.is_empty(), "{path} names {unknown:?}, which no server has: {real:?}");
        if path.ends_with(".md") {
            let named: BTreeSet<String> = named.iter().map(|name| base(name)).collect();
            let missing: Vec<_> = bases.difference(&named).collect();
            assert!(missing.is_empty(), "{path} does not name {missing:?}");
        }
    }
    let dashboard: Json = serde_json::from_str(&text("docs/monitoring/grafana.json")).unwrap();
    let panels = dashboard["panels"].as_array().unwrap();
    assert!(panels.len() > 10 && panels.iter().all(|panel| !names(&panel["targets"].to_string()).is_empty()));
    let alerts = text("docs/monitoring/alerts.yaml");
    let told = text("docs/monitoring.md");
    for alert in alerts.lines().filter_map(|line| line.trim().strip_prefix("- alert: ")) {
        assert!(told.contains(&format!("`{alert}`")), "docs/monitoring.md does not say what to do at {alert}");
    }
}

/// A sample's name without what its type adds.
fn base(name: &str) -> String {
    let ends = ["_bucket", "_sum", "_count", "_total"];
    let cut = ends.iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
    cut.to_owned()
}
