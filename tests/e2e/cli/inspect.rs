//! `svc repl --inspect…`: a debugger attaches over its WebSocket, as DevTools and editors do.

use super::screen::Screen;
use super::{CONFIG, Place, tiny};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value as Json, json};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;
use svc_tests::raw;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{WebSocketStream, client_async};

/// Longest wait for one message.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);

/// Runs of a product that uses up its processor time before a busy machine lets a debugger at it.
const ATTEMPTS_MAX: usize = 5;

const CODE: &str = r#"function priceOf(plan) {
  const tier = { dollars: plan.length };
  return tier.dollars * 100;
}
const price = priceOf("starter");"#;

/// A `svc repl` that serves debuggers.
pub(super) struct Inspected {
    child: Child,
    lines: Receiver<String>,
    pub(super) address: String,
    path: String,
    /// Goes with it.
    pub(super) place: Place,
}

impl Inspected {
    pub(super) fn start(place: Place, flag: &str) -> Inspected {
        let mut command = place.command(&["repl", &format!("{flag}=127.0.0.1:0")]);
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let out = BufReader::new(child.stderr.take().unwrap());
        let (tell, lines) = channel();
        std::thread::spawn(move || out.lines().map_while(Result::ok).try_for_each(|line| tell.send(line)));
        let mut inspected = Inspected { child, lines, address: String::new(), path: String::new(), place };
        let line = inspected.said("debugger listening on ws://");
        let (address, path) = line.split_once("ws://").unwrap().1.split_once('/').unwrap();
        (inspected.address, inspected.path) = (address.to_owned(), format!("/{path}"));
        inspected
    }

    /// The next line that has this in it.
    pub(super) fn said(&self, what: &str) -> String {
        loop {
            let line =
                self.lines.recv_timeout(PATIENCE).unwrap_or_else(|error| panic!("{error}: waiting for {what:?}"));
            if line.contains(what) {
                return line;
            }
        }
    }

    fn get(&self, path: &str, headers: &[&str]) -> (u16, String) {
        raw::get(&self.address, path, headers)
    }

    pub(super) async fn attach(&self) -> Cdp {
        self.try_attach().await.unwrap()
    }

    async fn try_attach(&self) -> Result<Cdp, Error> {
        Cdp::connect(&format!("{}{}", self.address, self.path)).await
    }

    pub(super) fn socket_url(&self) -> String {
        format!("ws://{}{}", self.address, self.path)
    }
}

impl Drop for Inspected {
    fn drop(&mut self) {
        let _gone = self.child.kill();
        let _reaped = self.child.wait();
    }
}

/// A debugger.
pub(super) struct Cdp {
    socket: WebSocketStream<TcpStream>,
    calls: u64,
    notices: Vec<Json>,
}

impl Cdp {
    /// Attaches to what stands behind `ws://`.
    pub(super) async fn connect(place: &str) -> Result<Cdp, Error> {
        let stream = TcpStream::connect(place.split('/').next().unwrap()).await.unwrap();
        let (socket, _) = client_async(format!("ws://{place}"), stream).await?;
        Ok(Cdp { socket, calls: 0, notices: Vec::new() })
    }

    async fn next(&mut self) -> Option<Json> {
        let message = tokio::time::timeout(PATIENCE, self.socket.next()).await.expect("nothing came");
        match message {
            Some(Ok(Message::Text(text))) => Some(serde_json::from_str(text.as_str()).unwrap()),
            _ => None,
        }
    }

    pub(super) async fn call(&mut self, method: &str, params: Json) -> Json {
        self.call_in(None, method, params).await
    }

    /// The same, in a session of one of a browser's targets.
    pub(super) async fn call_in(&mut self, session: Option<&str>, method: &str, params: Json) -> Json {
        self.calls += 1;
        let mut call = json!({ "id": self.calls, "method": method, "params": params });
        if let Some(session) = session {
            call["sessionId"] = json!(session);
        }
        self.socket.send(Message::text(call.to_string())).await.unwrap();
        loop {
            let message = self.next().await.expect("the socket closed");
            if message["id"] == self.calls {
                return message;
            }
            self.notices.push(message);
        }
    }

    /// The next notice of this name, or one that came before.
    async fn notice(&mut self, method: &str) -> Json {
        if let Some(at) = self.notices.iter().position(|notice| notice["method"] == method) {
            return self.notices.remove(at)["params"].clone();
        }
        loop {
            let message = self.next().await.expect("the socket closed");
            if message["method"] == method {
                return message["params"].clone();
            }
            self.notices.push(message);
        }
    }

    /// Runs the product as debuggers do.
    pub(super) async fn enable(&mut self) {
        for method in ["Runtime.enable", "Debugger.enable", "Runtime.runIfWaitingForDebugger"] {
            self.call(method, json!({})).await;
        }
    }

    /// The script of this file, and the printed line (from 0) that has a text in it.
    async fn script(&mut self, file: &str, text: &str) -> (Json, usize) {
        loop {
            let script = self.notice("Debugger.scriptParsed").await;
            if script["url"].as_str().unwrap().ends_with(file) {
                let source = self.call("Debugger.getScriptSource", json!({ "scriptId": script["scriptId"] })).await;
                let source = source["result"]["scriptSource"].as_str().unwrap().to_owned();
                let line = source.lines().position(|line| line.contains(text)).unwrap();
                return (script, line);
            }
        }
    }
}

pub(super) fn run(work: impl Future<Output = ()>) {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap().block_on(work);
}

#[test]
fn a_debugger_attaches_breaks_steps_evaluates_and_detaches() {
    let place = Place::with(&tiny(CODE));
    let inspected = Inspected::start(place, "--inspect-wait");
    run(async {
        let mut debugger = inspected.attach().await;
        debugger.call("Runtime.enable", json!({})).await;
        let context = debugger.notice("Runtime.executionContextCreated").await;
        assert_eq!(context["context"]["auxData"], json!({ "isDefault": true, "type": "default" }));
        debugger.call("Debugger.enable", json!({})).await;
        let (script, line) = debugger.script("product/product.config.ts", "return tier").await;
        let url = script["url"].as_str().unwrap();
        assert_eq!(url, format!("file://{}", inspected.place.path(CONFIG).display()));
        assert!(script["sourceMapURL"].as_str().unwrap().starts_with("data:application/json;base64,"));
        let set = debugger.call("Debugger.setBreakpointByUrl", json!({ "url": url, "lineNumber": line })).await;
        assert_eq!(set["result"]["locations"].as_array().unwrap().len(), 1, "{set}");
        debugger.call("Runtime.runIfWaitingForDebugger", json!({})).await;

        let paused = debugger.notice("Debugger.paused").await;
        let frame = &paused["callFrames"][0];
        assert_eq!(
            (frame["functionName"].as_str(), frame["location"]["lineNumber"].as_u64()),
            (Some("priceOf"), Some(line as u64))
        );
        let on_frame = json!({ "callFrameId": frame["callFrameId"], "expression": "tier.dollars * 2" });
        let value = debugger.call("Debugger.evaluateOnCallFrame", on_frame).await;
        assert_eq!(value["result"]["result"]["value"], 14);
        debugger.call("Debugger.stepOut", json!({})).await;
        let stepped = debugger.notice("Debugger.paused").await;
        assert_eq!(stepped["callFrames"].as_array().unwrap().len(), 1);
        debugger.call("Debugger.resume", json!({})).await;
        inspected.said("the product has run to its end: 1 plan, 0 meters, 0 routes");
        let value = debugger.call("Runtime.evaluate", json!({ "expression": "price" })).await;
        assert_eq!(value["result"]["result"]["value"], 700);
        drop(debugger);
        inspected.said("debugger detached");

        // The next one has a run of its own, of the files as they are then.
        inspected.place.write(CONFIG, tiny("const price = 1;"));
        let mut next = inspected.attach().await;
        next.enable().await;
        inspected.said("the product has run to its end");
        let value = next.call("Runtime.evaluate", json!({ "expression": "price" })).await;
        assert_eq!(value["result"]["result"]["value"], 1);
    });
}

#[test]
fn with_brk_the_product_stops_at_its_first_statement() {
    let inspected = Inspected::start(Place::with(&tiny(CODE)), "--inspect-brk");
    run(async {
        let mut debugger = inspected.attach().await;
        debugger.enable().await;
        let paused = debugger.notice("Debugger.paused").await;
        assert_eq!(paused["reason"], "Break on start");
        debugger.call("Debugger.resume", json!({})).await;
        inspected.said("the product has run to its end");
    });
}

/// Node's own debugger in the terminal, which is others' code.
#[test]
fn node_inspect_attaches_breaks_steps_evaluates_and_leaves() {
    let inspected = Inspected::start(Place::with(&tiny(CODE)), "--inspect-brk");
    let mut node = Command::new("node");
    node.args(["inspect", &inspected.address]);
    let mut node = Screen::of(node);
    node.until("Break on start in ");
    node.until("debug>");
    // It knows printed lines.
    node.press("sb('product.config.ts', 4)\n");
    node.until("debug>");
    node.press("cont\n");
    node.until("break in ");
    node.until("product.config.ts:4");
    node.press("exec('plan')\n");
    node.until("'starter'");
    node.press("next\n");
    node.until("step in ");
    node.press("backtrace\n");
    node.until("#0 priceOf ");
    node.press("cont\n");
    inspected.said("the product has run to its end");
    node.press(".exit\n");
    assert_eq!(node.code(), Some(0));
    inspected.said("debugger detached");
}

#[test]
fn with_inspect_alone_the_product_has_run_when_somebody_attaches() {
    let inspected = Inspected::start(Place::with(&tiny(CODE)), "--inspect");
    run(async {
        let mut debugger = inspected.attach().await;
        inspected.said("the product has run to its end");
        debugger.enable().await;
        let value = debugger.call("Runtime.evaluate", json!({ "expression": "priceOf('pro')" })).await;
        assert_eq!(value["result"]["result"]["value"], 300);
    });
}

#[test]
fn a_product_that_cant_be_built_says_so_and_closes() {
    let inspected = Inspected::start(Place::with(&tiny("const broken = ;")), "--inspect-wait");
    run(async {
        let mut debugger = inspected.attach().await;
        inspected.said("the run is over: 1 error");
        assert!(debugger.next().await.is_none());
    });
}

#[test]
fn who_asks_by_a_name_or_from_a_page_is_refused() {
    let inspected = Inspected::start(Place::with(&tiny("")), "--inspect-wait");
    let host = format!("Host: {}", inspected.address);
    let upgrade = [
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        "Sec-WebSocket-Version: 13",
    ];
    let with = |headers: &[&str]| {
        let all: Vec<&str> = headers.iter().chain(&upgrade).copied().collect();
        inspected.get(&inspected.path, &all).0
    };
    assert_eq!(with(&["Host: rebound.example.com:9229"]), 403);
    assert_eq!(with(&[]), 403);
    assert_eq!(with(&[&host, "Origin: https://example.com"]), 403);
    assert_eq!(with(&[&host, "Origin: null"]), 403);
    for path in ["/json", "/json/list", "/json/version"] {
        assert_eq!(inspected.get(path, &["Host: example.com"]).0, 403);
        assert_eq!(inspected.get(path, &[&host, "Origin: https://example.com"]).0, 403);
        assert_eq!(inspected.get(path, &[&host]).0, 200);
        assert_eq!(inspected.get(path, &["Host: localhost:1"]).0, 200);
    }
    assert_eq!(inspected.get("/", &[&host]).0, 404);
    assert_eq!(inspected.get("/0123456789abcdef", &[&host]).0, 404);
    assert_eq!(inspected.get(&inspected.path, &[&host]).0, 426);
}

#[test]
fn the_list_says_where_to_attach() {
    let place = Place::with(&tiny(""));
    let inspected = Inspected::start(place, "--inspect-wait");
    let (_, body) = inspected.get("/json/list", &["Host: localhost"]);
    let list: Json = serde_json::from_str(&body).unwrap();
    let (address, path) = (&inspected.address, &inspected.path);
    assert_eq!(list[0]["webSocketDebuggerUrl"], format!("ws://{address}{path}"));
    assert_eq!(list[0]["url"], format!("file://{}", inspected.place.path(CONFIG).display()));
    assert!(list[0]["devtoolsFrontendUrl"].as_str().unwrap().ends_with(&format!("ws={address}{path}")));
    assert!(path.len() > 32, "{path} can be guessed");
    let (_, body) = inspected.get("/json/version", &["Host: localhost"]);
    let version: Json = serde_json::from_str(&body).unwrap();
    assert_eq!(version["Protocol-Version"], "1.3");
}

#[test]
fn a_second_debugger_is_refused() {
    let inspected = Inspected::start(Place::with(&tiny("")), "--inspect-wait");
    run(async {
        let first = inspected.attach().await;
        match inspected.try_attach().await {
            Err(Error::Http(answer)) => assert_eq!(answer.status().as_u16(), 409),
            other => panic!("{:?}", other.map(|_| "attached")),
        }
        drop(first);
        inspected.said("debugger detached");
        inspected.attach().await;
    });
}

#[test]
fn a_debugger_turns_nothing_on_that_a_build_has_off() {
    let code = "const F = (() => {}).constructor;";
    let inspected = Inspected::start(Place::with(&tiny(code)), "--inspect-wait");
    run(async {
        let mut debugger = inspected.attach().await;
        debugger.enable().await;
        inspected.said("the product has run to its end");
        for expression in ["F('1')", "eval('1')", "Date.now()", "import('fs')", "process", "console", "1 + 1"] {
            for allowed in [json!(true), json!(false), json!(null)] {
                let params = json!({ "expression": expression, "allowUnsafeEvalBlockedByCSP": allowed, "includeCommandLineAPI": true, "awaitPromise": true });
                let value = debugger.call("Runtime.evaluate", params).await;
                let threw = value["result"]["exceptionDetails"].is_object();
                assert_eq!(threw, expression != "1 + 1", "{expression}: {value}");
                assert!(threw || value["result"]["result"]["value"] == 2, "{expression}: {value}");
            }
        }
        let plus = json!({ "functionDeclaration": "function(a, b) { return a + b }", "executionContextId": 1, "arguments": [{ "value": 1 }, { "value": 2 }] });
        assert_eq!(debugger.call("Runtime.callFunctionOn", plus).await["result"]["result"]["value"], 3);
        for sideless in [true, false] {
            let declared = json!({ "functionDeclaration": "function() { return F('1') }", "executionContextId": 1, "throwOnSideEffect": sideless });
            let value = debugger.call("Runtime.callFunctionOn", declared).await;
            assert!(value["result"]["exceptionDetails"].is_object(), "{value}");
            let declared = json!({ "functionDeclaration": "function() { return { one: 1 }.one }", "executionContextId": 1, "throwOnSideEffect": sideless });
            assert_eq!(debugger.call("Runtime.callFunctionOn", declared).await["result"]["result"]["value"], 1);
        }
    });
}

/// What would take a thread of the worker's, which the sandbox ends it for.
#[test]
fn what_takes_a_thread_is_refused_or_done_without() {
    let inspected = Inspected::start(Place::with(&tiny(CODE)), "--inspect-wait");
    run(async {
        let mut debugger = inspected.attach().await;
        debugger.enable().await;
        inspected.said("the product has run to its end");
        debugger.call("Profiler.enable", json!({})).await;
        for method in ["Profiler.start", "HeapProfiler.takeHeapSnapshot", "HeapProfiler.collectGarbage"] {
            let answer = debugger.call(method, json!({})).await;
            let text = answer["error"]["message"].as_str().unwrap();
            assert!(text.starts_with(&format!("{method} is not to be had: ")), "{answer}");
        }
        let bounded = json!({ "expression": "price", "timeout": 500, "includeCommandLineAPI": true });
        assert_eq!(debugger.call("Runtime.evaluate", bounded).await["result"]["result"]["value"], 700);
    });
}

#[test]
fn pause_reaches_a_product_that_runs_for_ever_and_its_limits_hold() {
    let inspected = Inspected::start(Place::with(&tiny("let n = 0; while (true) n++;")), "--inspect-wait");
    run(async {
        for _ in 0..ATTEMPTS_MAX {
            let mut debugger = inspected.attach().await;
            debugger.enable().await;
            debugger.call("Debugger.pause", json!({})).await;
            let paused = debugger.notice("Debugger.paused").await;
            let frame = paused["callFrames"][0]["callFrameId"].clone();
            let on_frame = json!({ "callFrameId": frame, "expression": "n > 0" });
            let value = debugger.call("Debugger.evaluateOnCallFrame", on_frame).await;
            debugger.call("Debugger.resume", json!({})).await;
            inspected.said("the run is over: BUILD_TIMEOUT");
            inspected.said("debugger detached");
            if value["result"]["result"]["value"] == true {
                return;
            }
            // The machine is so busy that the product had no time left by then.
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("no pause came in time");
    });
}

#[test]
fn it_is_for_this_machine_alone_and_in_one_way() {
    let place = Place::with(&tiny(""));
    insta::assert_snapshot!(place.run(&["repl", "--inspect=0.0.0.0:0"]), @"
    [stderr]
    svc: ADDRESS_NOT_LOCAL: 0.0.0.0:0 is not of this machine alone
      hint: whoever attaches runs what they like; forward a port of this machine instead
    [exit status: 2]
    ");
    assert_eq!(place.run(&["repl", "--inspect", "--inspect-brk"]).code, Some(2));
}
