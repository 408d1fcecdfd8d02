//! Chrome's own DevTools attach, as a person has them do it: `chrome://inspect` finds the product, and its "inspect" opens the window.
//! What is clicked in that window is said here in the names of the modules that it is made of.

use super::inspect::{Cdp, Inspected, PATIENCE, run};
use super::{CONFIG, Place};
use serde_json::{Value as Json, json};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use svc_tests::origin::Origin;
use svc_tests::program::root;

const CODE: &str = r#"import { Plan, Product } from "@svc/product";

type Tier = { name: string; dollars: number };
function priceOf(tier: Tier): number {
  const exact = tier.dollars * 100;
  return Math.round(exact);
}
const price = priceOf({ name: "pro", dollars: 49 });

@Product({ origin: "https://api.example.com" })
export default class Priced {
  @Plan("pro", {
    price: { amount: price, currency: "usd", interval: "month" },
    limits: { requests: { rate: 60, interval: "minute" } },
  })
  pro!: void;
}
"#;

/// What every question to the window begins with.
const MODULES: &str = r#"
const sdk = await import("./core/sdk/sdk.js");
const { BreakpointManager } = await import("./models/breakpoints/breakpoints.js");
const { Workspace } = await import("./models/workspace/workspace.js");
const target = sdk.TargetManager.TargetManager.instance().rootTarget();
const debug = target.model(sdk.DebuggerModel.DebuggerModel);
const source = () => Workspace.WorkspaceImpl.instance().uiSourceCodes().find((code) => code.contentType().isFromSourceMap() && code.url().endsWith("product.config.ts"));
const where = async () => {
  const { DebuggerWorkspaceBinding } = await import("./models/bindings/bindings.js");
  const { lineNumber, uiSourceCode } = await DebuggerWorkspaceBinding.DebuggerWorkspaceBinding.instance().rawLocationToUILocation(debug.selectedCallFrame().location());
  return `${debug.selectedCallFrame().functionName}, ${uiSourceCode.name()}:${lineNumber + 1}`;
};
"#;

/// How long between two looks at what comes in its own time.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// A Chromium without a screen, with its own debugger's address.
struct Chromium {
    child: Child,
    address: String,
    _profile: tempfile::TempDir,
}

impl Chromium {
    fn start() -> Chromium {
        let path = Command::new("bash").arg(root().join("scripts/chromium/ensure.sh")).output().unwrap();
        assert!(path.status.success(), "{}", String::from_utf8_lossy(&path.stderr));
        let path = String::from_utf8(path.stdout).unwrap();
        let profile = tempfile::tempdir().unwrap();
        let mut child = Command::new(path.trim_end())
            .args([
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
                "--disable-background-networking",
            ])
            .args(["--disable-component-update", "--disable-sync", "--remote-debugging-port=0"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
        let line = lines.find(|line| line.contains("DevTools listening on ws://")).expect("Chromium starts");
        let address = line.split_once("ws://").unwrap().1.to_owned();
        // It says more, which nobody reads.
        std::thread::spawn(move || lines.for_each(drop));
        Chromium { child, address, _profile: profile }
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        let _gone = self.child.kill();
        let _reaped = self.child.wait();
    }
}

/// A page of the browser's, asked over the browser's own debugger.
struct Page<'c> {
    browser: &'c mut Cdp,
    session: String,
}

impl Page<'_> {
    async fn open<'c>(browser: &'c mut Cdp, target: &str) -> Page<'c> {
        let attached = browser.call("Target.attachToTarget", json!({ "targetId": target, "flatten": true })).await;
        let session = attached["result"]["sessionId"].as_str().unwrap().to_owned();
        Page { browser, session }
    }

    /// What the body of an async function gives.
    async fn ask(&mut self, body: &str) -> Json {
        let params = json!({ "expression": format!("(async () => {{ {body} }})()"), "awaitPromise": true, "returnByValue": true });
        let answer = self.browser.call_in(Some(&self.session), "Runtime.evaluate", params).await;
        assert!(answer["result"]["exceptionDetails"].is_null(), "{body}: {answer:#}");
        answer["result"]["result"]["value"].clone()
    }

    /// The same, of the window of DevTools.
    async fn devtools(&mut self, body: &str) -> Json {
        self.ask(&format!("{MODULES}{body}")).await
    }

    /// Waits until it is this. What can't be asked yet is not.
    async fn until(&mut self, body: &str, wanted: &Json) {
        let patient = Instant::now() + PATIENCE;
        loop {
            let value = self.ask(&format!("try {{ {body} }} catch (error) {{ return `${{error}}`; }}")).await;
            if value == *wanted {
                return;
            }
            assert!(Instant::now() < patient, "{body}: {value}, not {wanted}");
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    async fn until_devtools(&mut self, body: &str, wanted: &Json) {
        self.until(&format!("{MODULES}{body}"), wanted).await;
    }
}

/// The browser's debugger, where no page is meant.
async fn browser(chromium: &Chromium) -> Cdp {
    Cdp::connect(&chromium.address).await.unwrap()
}

/// The id of the first target whose address begins so.
async fn target(browser: &mut Cdp, address: &str) -> Option<String> {
    let targets = browser.call("Target.getTargets", json!({})).await;
    let targets = targets["result"]["targetInfos"].as_array().unwrap().clone();
    let found = targets.iter().find(|target| target["url"].as_str().unwrap().starts_with(address));
    found.map(|target| target["targetId"].as_str().unwrap().to_owned())
}

/// Opens the window of DevTools on the product, from `chrome://inspect`.
async fn inspect(browser: &mut Cdp, inspected: &Inspected) -> String {
    let list = browser.call("Target.createTarget", json!({ "url": "chrome://inspect/#devices" })).await;
    let list = list["result"]["targetId"].as_str().unwrap().to_owned();
    let mut page = Page::open(browser, &list).await;
    page.until("return document.readyState", &json!("complete")).await;
    let address = &inspected.address;
    page.ask(&format!("chrome.send('set-discover-tcp-targets-enabled', [true]); chrome.send('set-tcp-discovery-config', [['{address}']]);")).await;
    let row = "[...document.querySelectorAll('#devices-list .row')].find((row) => row.innerText.includes('svc repl'))";
    page.until(&format!("return {row} !== undefined"), &json!(true)).await;
    let shown = page.ask(&format!("return {row}.innerText")).await;
    let file = inspected.place.path(CONFIG).display().to_string();
    assert!(shown.as_str().unwrap().contains(&format!("file://{file}")), "{shown}");
    let click = "[...document.querySelectorAll('#devices-list .action')].find((action) => action.textContent === 'inspect').click()";
    page.ask(click).await;
    browser.call("Target.closeTarget", json!({ "targetId": list })).await;
    let patient = Instant::now() + PATIENCE;
    loop {
        if let Some(window) = target(browser, "devtools://").await {
            return window;
        }
        assert!(Instant::now() < patient, "no window of DevTools opens");
        tokio::time::sleep(LOOK_EVERY).await;
    }
}

#[test]
fn devtools_attach_break_step_evaluate_leave_and_come_back() {
    let inspected = Inspected::start(Place::with(CODE), "--inspect-brk");
    let chromium = Chromium::start();
    run(async {
        let mut browser = browser(&chromium).await;
        let window = inspect(&mut browser, &inspected).await;
        inspected.said("debugger attached");
        let mut devtools = Page::open(&mut browser, &window).await;
        // It stops at the first statement, and the author's TypeScript is what is shown.
        devtools.until_devtools("return debug.isPaused() && source() !== undefined", &json!(true)).await;
        let text = devtools.devtools("return (await source().requestContentData()).text").await;
        assert_eq!(text, CODE);

        // A breakpoint in the TypeScript, with a condition.
        devtools
            .devtools(
                r#"await BreakpointManager.BreakpointManager.instance().setBreakpoint(source(), 5, 0, 'tier.name === "pro"', true, false, "USER_ACTION");"#,
            )
            .await;
        let set = "return BreakpointManager.BreakpointManager.instance().breakpointLocationsForUISourceCode(source()).map((one) => one.uiLocation.lineNumber)";
        devtools.until_devtools(set, &json!([5])).await;
        // A window that is still busy with its start may not hear it the first time.
        let goes_on = "if (debug.isPaused() && (await where()).startsWith(\",\")) debug.resume(); return await where()";
        devtools.until_devtools(goes_on, &json!("priceOf, product.config.ts:6")).await;
        let evaluated = r#"
const evaluate = async (expression) => (await debug.selectedCallFrame().evaluate({ expression, objectGroup: "console", includeCommandLineAPI: true, generatePreview: true, returnByValue: false, silent: false, throwOnSideEffect: false })).object.description;
return [await evaluate("exact / 2"), await evaluate("tier.name"), await evaluate("exact = 5_900")];"#;
        assert_eq!(devtools.devtools(evaluated).await, json!(["2450", "pro", "5900"]));
        let scopes = "return debug.selectedCallFrame().scopeChain().map((scope) => scope.type())";
        assert_eq!(devtools.devtools(scopes).await, json!(["local", "module", "script", "global"]));
        devtools.devtools("debug.stepOut();").await;
        // Nothing is left of the call's own line to stop at.
        devtools.until_devtools("return await where()", &json!(", product.config.ts:11")).await;
        devtools.devtools("debug.resume();").await;
        inspected.said("the product has run to its end: 1 plan, 0 meters, 0 routes");
        // The console, at the end.
        let console = r#"
const context = target.model(sdk.RuntimeModel.RuntimeModel).defaultExecutionContext();
return (await context.evaluate({ expression: "price", objectGroup: "console", includeCommandLineAPI: true, replMode: true, silent: false, returnByValue: false, generatePreview: true }, true, false)).object.description;"#;
        assert_eq!(devtools.devtools(console).await, "5900");

        // The window closes, and another one opens, with a run of its own.
        browser.call("Target.closeTarget", json!({ "targetId": window })).await;
        inspected.said("debugger detached");
        let window = inspect(&mut browser, &inspected).await;
        inspected.said("debugger attached");
        let mut devtools = Page::open(&mut browser, &window).await;
        devtools.until_devtools("return debug.isPaused()", &json!(true)).await;
    });
}

/// What pages of the web can do in a real browser: knock, and be refused.
#[test]
fn a_page_in_the_browser_attaches_to_nothing() {
    let inspected = Inspected::start(Place::with(CODE), "--inspect-wait");
    let chromium = Chromium::start();
    run(async {
        let mut browser = browser(&chromium).await;
        // A page that is served from this machine, with an origin of its own.
        let page = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 15\r\n\r\n<!doctype html>";
        let served = format!("http://{}/", Origin::answering(page).address);
        let opened = browser.call("Target.createTarget", json!({ "url": served })).await;
        let mut page = Page::open(&mut browser, opened["result"]["targetId"].as_str().unwrap()).await;
        page.until("return location.protocol + document.readyState", &json!("http:complete")).await;
        let socket = format!(
            "return await new Promise((told) => {{ const socket = new WebSocket('{}'); socket.onopen = () => told('open'); socket.onerror = () => told('refused'); }})",
            inspected.socket_url()
        );
        assert_eq!(page.ask(&socket).await, "refused");
        let list =
            format!("return await fetch('http://{}/json/list').then(() => 'read', () => 'refused')", inspected.address);
        assert_eq!(page.ask(&list).await, "refused");
        // Whoever is on the machine itself gets in.
        let mut debugger = inspected.attach().await;
        debugger.enable().await;
        // It stays until then: a run ends with its debugger.
        inspected.said("the product has run to its end");
        drop(debugger);
        inspected.said("debugger detached");
    });
}
