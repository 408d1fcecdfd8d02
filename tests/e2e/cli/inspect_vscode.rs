//! VS Code's own JavaScript debugger attaches, by the `.vscode/launch.json` that `svc init` writes. It runs without VS Code, in
//! `tests/debugger/host.mjs`; what is told here is what the editor asks it, in the Debug Adapter Protocol.

use super::inspect::{Inspected, PATIENCE, run};
use super::{CONFIG, Place};
use serde_json::{Value as Json, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use svc_tests::program::root;

const MONEY: &str = "product/lib/money.ts";
const MONEY_CODE: &str = r"// Money in cents.
export function cents(dollars: number): number {
  const exact: number = dollars * 100;
  return Math.round(exact);
}
";

const CODE: &str = r#"import { Plan, Product } from "@svc/product";
import { cents } from "./lib/money";

type Tier = { name: string; dollars: number };
const tiers: Tier[] = [{ name: "starter", dollars: 19 }, { name: "pro", dollars: 49 }];
const prices: Record<string, number> = {};
for (const tier of tiers) {
  prices[tier.name] = cents(tier.dollars);
}

@Product({ origin: "https://api.example.com" })
export default class Priced {
  @Plan("pro", {
    price: { amount: prices["pro"]!, currency: "usd", interval: "month" },
    limits: { requests: { rate: 60, interval: "minute" } },
  })
  pro!: void;
}
"#;

/// The line, from 1, that has this in it.
fn line_of(code: &str, text: &str) -> usize {
    code.lines().position(|line| line.contains(text)).unwrap() + 1
}

/// An editor's side of a session.
struct Editor {
    host: Child,
    requests: Option<ChildStdin>,
    messages: Receiver<Json>,
    calls: u64,
    events: Vec<Json>,
}

impl Editor {
    /// Attaches as the place's `.vscode/launch.json` says, but for the port.
    fn attach(inspected: &Inspected) -> Editor {
        let extension = Command::new("bash").arg(root().join("scripts/js-debug/ensure.sh")).output().unwrap();
        assert!(extension.status.success(), "{}", String::from_utf8_lossy(&extension.stderr));
        let extension = String::from_utf8(extension.stdout).unwrap();
        let port = inspected.address.rsplit(':').next().unwrap();
        let mut host = Command::new("node")
            .arg(root().join("tests/debugger/host.mjs"))
            .arg(extension.trim_end())
            .arg(inspected.place.path("."))
            .arg(port)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let out = BufReader::new(host.stdout.take().unwrap());
        let (tell, messages) = channel();
        std::thread::spawn(move || {
            out.lines().map_while(Result::ok).try_for_each(|line| tell.send(serde_json::from_str(&line).unwrap()))
        });
        // The session's own first requests have lower numbers.
        let mut editor = Editor { requests: host.stdin.take(), host, messages, calls: 100, events: Vec::new() };
        editor.event("initialized");
        editor
    }

    fn next(&mut self) -> Json {
        let message = self.messages.recv_timeout(PATIENCE);
        message.unwrap_or_else(|error| panic!("{error}: waiting for VS Code's debugger, after {:?}", self.events))
    }

    /// What a request is answered, which must have worked.
    fn ask(&mut self, command: &str, arguments: &Json) -> Json {
        self.calls += 1;
        let request = json!({ "seq": self.calls, "command": command, "arguments": arguments });
        writeln!(self.requests.as_mut().unwrap(), "{request}").unwrap();
        loop {
            let message = self.next();
            if message["type"] == "response" && message["request_seq"] == self.calls {
                assert_eq!(message["success"], true, "{command}: {message}");
                return message["body"].clone();
            }
            self.events.push(message);
        }
    }

    /// The next event of this name, or one that came before.
    fn event(&mut self, name: &str) -> Json {
        if let Some(at) = self.events.iter().position(|event| event["event"] == name) {
            return self.events.remove(at)["body"].clone();
        }
        loop {
            let message = self.next();
            if message["event"] == name {
                return message["body"].clone();
            }
            self.events.push(message);
        }
    }

    /// Sets the breakpoints of a file, and gives the lines that they have landed at.
    fn breaks(&mut self, inspected: &Inspected, file: &str, breakpoints: &Json) -> Vec<u64> {
        let source = json!({ "path": inspected.place.path(file) });
        let set = self.ask("setBreakpoints", &json!({ "source": source, "breakpoints": breakpoints }));
        let landed = set["breakpoints"].as_array().unwrap().iter();
        landed
            .map(|breakpoint| {
                assert_eq!(breakpoint["verified"], true, "{breakpoint}");
                breakpoint["line"].as_u64().unwrap()
            })
            .collect()
    }

    /// Where it has stopped, innermost first: each frame's name, file and line.
    fn stopped(&mut self) -> Vec<(String, String, u64)> {
        self.event("stopped");
        self.frames().iter().map(told).collect()
    }

    fn frames(&mut self) -> Vec<Json> {
        let stack = self.ask("stackTrace", &json!({ "threadId": 0 }));
        stack["stackFrames"].as_array().unwrap().clone()
    }

    /// The variables of the innermost frame's innermost scope, as the editor shows them.
    fn locals(&mut self) -> Vec<String> {
        let frame = self.frames()[0]["id"].clone();
        let scopes = self.ask("scopes", &json!({ "frameId": frame }));
        let variables = json!({ "variablesReference": scopes["scopes"][0]["variablesReference"] });
        let variables = self.ask("variables", &variables);
        let shown = variables["variables"].as_array().unwrap().iter();
        shown
            .map(|variable| format!("{} = {}", variable["name"].as_str().unwrap(), variable["value"].as_str().unwrap()))
            .collect()
    }

    /// The value of an expression in the innermost frame, as it is shown in the debug console (`repl`), in a watch, or under the mouse.
    fn value(&mut self, expression: &str, context: &str) -> String {
        let frame = self.frames()[0]["id"].clone();
        let ask = json!({ "expression": expression, "frameId": frame, "context": context });
        self.ask("evaluate", &ask)["result"].as_str().unwrap().to_owned()
    }

    /// Goes on by a step or to the next breakpoint, and says where it has stopped.
    fn go(&mut self, how: &str) -> Vec<(String, String, u64)> {
        self.ask(how, &json!({ "threadId": 0 }));
        self.stopped()
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        let _gone = self.host.kill();
        let _reaped = self.host.wait();
    }
}

fn told(frame: &Json) -> (String, String, u64) {
    let text = |value: &Json| value.as_str().unwrap_or_default().to_owned();
    (text(&frame["name"]), text(&frame["source"]["path"]), frame["line"].as_u64().unwrap())
}

/// A product that `svc init` has begun, under a debugger.
fn inspected(flag: &str) -> Inspected {
    let place = Place::new();
    place.run(&["init"]).done();
    place.write(CONFIG, CODE);
    place.write(MONEY, MONEY_CODE);
    Inspected::start(place, flag)
}

#[test]
fn vs_code_attaches_breaks_steps_evaluates_and_leaves() {
    let inspected = inspected("--inspect-wait");
    let at = |name: &str, file: &str, line: usize| {
        (name.to_owned(), inspected.place.path(file).display().to_string(), line as u64)
    };
    let (call, plan) = (line_of(CODE, "cents(tier.dollars)"), line_of(CODE, "@Plan("));
    let (exact, rounded) = (line_of(MONEY_CODE, "const exact"), line_of(MONEY_CODE, "Math.round"));

    let mut editor = Editor::attach(&inspected);
    assert_eq!(editor.breaks(&inspected, MONEY, &json!([{ "line": exact }])), [exact as u64]);
    editor.ask("configurationDone", &json!({}));
    assert_eq!(editor.stopped(), [at("cents", MONEY, exact), at("<anonymous>", CONFIG, call)]);
    assert_eq!(editor.go("next")[0], at("cents", MONEY, rounded));
    assert_eq!(editor.locals(), ["dollars = 19", "exact = 1900", "this = undefined"]);
    for context in ["repl", "watch", "hover"] {
        assert_eq!(editor.value("exact / 2", context), "950");
    }
    // Nothing is left of the call's own line to stop at: the loop goes on.
    assert_eq!(editor.go("stepOut"), [at("<anonymous>", CONFIG, call - 1)]);

    // With a condition, and at a decorator.
    assert!(editor.breaks(&inspected, MONEY, &json!([])).is_empty());
    let wanted = json!([{ "line": call, "condition": "tier.name === 'pro'" }, { "line": plan }]);
    assert_eq!(editor.breaks(&inspected, CONFIG, &wanted), [call as u64, plan as u64]);
    assert_eq!(editor.go("continue"), [at("<anonymous>", CONFIG, call)]);
    assert_eq!(editor.value("tier.name", "hover"), "'pro'");
    assert_eq!(editor.go("stepIn")[0], at("cents", MONEY, line_of(MONEY_CODE, "const exact")));
    assert_eq!(editor.go("continue"), [at("<anonymous>", CONFIG, plan)]);
    assert_eq!(editor.value("prices", "watch"), "{starter: 1900, pro: 4900}");
    editor.ask("continue", &json!({ "threadId": 0 }));
    inspected.said("the product has run to its end: 1 plan, 0 meters, 0 routes");
    // The debug console, at the end.
    let ended = editor.ask("evaluate", &json!({ "expression": "cents(0.5)", "context": "repl" }));
    assert_eq!(ended["result"], "50");

    // The editor's window closes.
    drop(editor.requests.take());
    inspected.said("debugger detached");
    // It goes on for whoever comes next.
    run(async {
        inspected.attach().await.enable().await;
        inspected.said("debugger attached");
    });
}

#[test]
fn vs_code_stops_at_the_first_statement_and_changes_a_value() {
    let inspected = inspected("--inspect-brk");
    let mut editor = Editor::attach(&inspected);
    editor.ask("configurationDone", &json!({}));
    let stopped = editor.stopped();
    assert_eq!(stopped[0].1, inspected.place.path(CONFIG).display().to_string());
    let plan = line_of(CODE, "@Plan(");
    editor.breaks(&inspected, CONFIG, &json!([{ "line": plan }]));
    editor.go("continue");
    assert_eq!(editor.value("prices.pro = 5_900", "repl"), "5900");
    editor.ask("continue", &json!({ "threadId": 0 }));
    inspected.said("the product has run to its end: 1 plan, 0 meters, 0 routes");
}
