//! Products that do not want to be debugged: nothing of theirs runs to be shown, and what holds for a build holds here.

use super::{Place, tiny};
use std::io::Write;
use std::process::Stdio;
use std::time::Duration;

/// What is said, behind the greeting, to a script on the tiny product with this code in it.
fn said(code: &str, script: &str) -> String {
    let told = Place::with(&tiny(code)).run_with(&["repl", "-q"], script).done();
    told.stdout.split_once(".help lists the commands\n").unwrap().1.to_owned()
}

#[test]
fn nothing_of_the_products_runs_to_show_a_value() {
    let code = r#"
let touched = [];
const note = (what) => { touched.push(what); return what; };
const getter = { get value() { return note("getter"); }, plain: 1 };
const proxied = new Proxy({ inside: 1 }, {
  get() { note("get"); }, has() { note("has"); return true; }, ownKeys() { note("ownKeys"); return []; },
  getOwnPropertyDescriptor() { note("descriptor"); }, getPrototypeOf() { note("prototype"); return null; },
});
const named = { get [Symbol.toStringTag]() { return note("tag"); }, toString() { return note("toString"); } };
const failed = Object.defineProperty(new Error("x"), "stack", { get() { return note("stack"); } });
Object.defineProperty(failed, "message", { get() { return note("message"); } });
class Sly { get value() { return note("own getter"); } static get [Symbol.species]() { return note("species"); } }
const sly = new Sly();
const then = { get then() { return note("then"); } };
function stop() { debugger; }
stop();
"#;
    insta::assert_snapshot!(
        said(
            code,
            ".run\n.up\n.watch getter\n.watch getter.value\n.locals\ngetter\nproxied\nnamed\nfailed\nsly\nthen\ntouched\nc\ngetter\nproxied\nnamed\nfailed\nsly\ntouched\n"
        ),
        @r#"
    > .run
    stopped at product/product.config.ts:16:19, in stop
       14 | const sly = new Sly();
       15 | const then = { get then() { return note("then"); } };
    -> 16 | function stop() { debugger; }
       17 | stop();
       18 |
    > .up
    in the top level, product/product.config.ts:17:1
       15 | const then = { get then() { return note("then"); } };
       16 | function stop() { debugger; }
    -> 17 | stop();
       18 |
       19 | @Product({ origin: "https://api.example.com" })
    > .watch getter
    watch 1: getter = { value: (…), plain: 1 }
    > .watch getter.value
    watch 1: getter = { value: (…), plain: 1 }
    watch 2: getter.value: EvalError: Possible side-effect in debug-evaluate
    > .locals
    module:
      Plan = function Plan() { …
      Product = function Product() { …
      touched = []
      note = (what) => { …
      getter = { value: (…), plain: 1 }
      proxied = Proxy(Object) { inside: 1 }
      named = { toString: ƒ, Symbol(Symbol.toStringTag): (…) }
      failed = Error
      Sly = class Sly { …
      sly = Sly {}
      then = { then: (…) }
      stop = function stop() { …
      Tiny = (…)
    > getter
    { value: (…), plain: 1 }
    > proxied
    Proxy(Object) { inside: 1 }
    > named
    { toString: ƒ, Symbol(Symbol.toStringTag): (…) }
    > failed
    Error
    > sly
    Sly {}
    > then
    { then: (…) }
    > touched
    []
    > c
    the product has run to its end: 1 plan, 0 meters, 0 routes
    sha256:a61471d96736a137ff1f901d4cdca5308067f13adf4fe95adc9af7baee672aee
    > getter
    { value: (…), plain: 1 }
    > proxied
    Proxy(Object) { inside: 1 }
    > named
    { toString: ƒ, Symbol(Symbol.toStringTag): (…) }
    > failed
    Error
    > sly
    Sly {}
    > touched
    []
    "#
    );
}

#[test]
fn code_made_from_text_stays_off() {
    let code = "const F = (() => {}).constructor;\nconst G = (function* () {}).constructor;\nfunction stop() { debugger; }\nstop();";
    insta::assert_snapshot!(
        said(code, ".run\n.up\nF(\"1\")\nG(\"1\")\neval(\"1\")\nc\nF(\"1\")\nG(\"1\")\neval(\"1\")\nDate.now()\nMath.random()\nimport(\"fs\")\n"),
        @r#"
    > .run
    stopped at product/product.config.ts:4:19, in stop
       2 | const F = (() => {}).constructor;
       3 | const G = (function* () {}).constructor;
    -> 4 | function stop() { debugger; }
       5 | stop();
       6 | @Product({ origin: "https://api.example.com" })
    > .up
    in the top level, product/product.config.ts:5:1
       3 | const G = (function* () {}).constructor;
       4 | function stop() { debugger; }
    -> 5 | stop();
       6 | @Product({ origin: "https://api.example.com" })
       7 | export default class Tiny {
    > F("1")
    it threw EvalError: Code generation from strings disallowed for this context
    > G("1")
    it threw EvalError: Code generation from strings disallowed for this context
    > eval("1")
    it threw BannedApi: `eval` is not available in a build; a build runs no code made from text
    > c
    the product has run to its end: 1 plan, 0 meters, 0 routes
    sha256:a61471d96736a137ff1f901d4cdca5308067f13adf4fe95adc9af7baee672aee
    > F("1")
    it threw EvalError: Code generation from strings disallowed for this context
    > G("1")
    it threw EvalError: Code generation from strings disallowed for this context
    > eval("1")
    it threw BannedApi: `eval` is not available in a build; a build runs no code made from text
    > Date.now()
    it threw BannedApi: `Date.now` is not available in a build; it would tell the time of the build
    > Math.random()
    it threw BannedApi: `Math.random` is not available in a build; a build has no chance in it
    > import("fs")
    it threw TypeError: `import()` is not available in a build
    "#
    );
}

#[test]
fn a_loop_of_debugger_statements_is_gone_on_from() {
    let script = format!(".run\n{}", "c\n".repeat(5));
    let said = said("for (let i = 0; i < 3; i++) { debugger; }", &script);
    assert_eq!(said.matches("stopped at").count(), 3, "{said}");
    assert!(said.contains("the product has run to its end"), "{said}");
}

#[test]
fn huge_values_are_cut() {
    let said = said(
        "const text = \"x\".repeat(1_000_000);\nconst list = Array.from({ length: 50_000 }, (_, n) => n);\nconst deep = Array.from({ length: 5_000 }).reduce((inner) => ({ inner }), {});\nconst wide = Object.fromEntries(list.map((n) => [`key${n}`, text]));",
        ".run\ntext\nlist\ndeep\nwide\nlist.length\n",
    );
    assert!(said.len() < 30_000, "{}", said.len());
    assert!(said.ends_with("> list.length\n50000\n"), "{said}");
    assert!(said.contains("{ inner: Object }"), "{said}");
}

#[test]
fn the_processors_time_holds_for_what_is_typed() {
    let said = said("const a = 1;", ".run\na\nwhile (true) {}\na\n.run\n");
    assert!(said.contains("the run is over: BUILD_TIMEOUT"), "{said}");
    // The next run begins anew.
    assert!(said.trim_end().lines().rev().nth(1).unwrap().contains("the product has run to its end"), "{said}");
}

#[test]
fn the_processors_time_holds_for_what_is_typed_in_a_frame() {
    insta::assert_snapshot!(
        said("debugger;", ".run\nwhile (true) {}\n1\n.watch 1\nc\n.unwatch 1\n.run\n1\n"),
        @r#"
    > .run
    stopped at product/product.config.ts:2:1, in the top level
       1 | import { Plan, Product } from "@svc/product";
    -> 2 | debugger;
       3 | @Product({ origin: "https://api.example.com" })
       4 | export default class Tiny {
    > while (true) {}
    the run has reached a limit: it ends as soon as it goes on; .run begins another
    > 1
    the run has reached a limit: it ends as soon as it goes on; .run begins another
    > .watch 1
    watch 1: 1: the run has reached a limit: it ends as soon as it goes on; .run begins another
    > c
    the run is over: BUILD_TIMEOUT: the product did not finish within 2000 ms of processor time
    > .unwatch 1
    1 is not watched any more
    > .run
    stopped at product/product.config.ts:2:1, in the top level
       1 | import { Plan, Product } from "@svc/product";
    -> 2 | debugger;
       3 | @Product({ origin: "https://api.example.com" })
       4 | export default class Tiny {
    > 1
    1
    "#
    );
}

#[test]
fn the_heaps_limit_holds_for_what_is_typed_in_a_frame() {
    let said = said("debugger;", ".run\nfor (const all = [];;) all.push(new Array(1000).fill(all))\nc\n");
    assert!(said.contains("the run has reached a limit"), "{said}");
    assert!(said.contains("the run is over: BUILD_OUT_OF_MEMORY"), "{said}");
}

#[test]
fn the_limits_hold_after_a_pause() {
    let loops = said("debugger; while (true) {}", ".run\nc\n");
    assert!(loops.contains("the run is over: BUILD_TIMEOUT"), "{loops}");
    let grows = said("debugger; const all = []; while (true) all.push(new Array(1000).fill(all));", ".run\nc\n");
    assert!(grows.contains("the run is over: BUILD_OUT_OF_MEMORY"), "{grows}");
    let buffers =
        said("debugger; const all = []; try { while (true) all.push(new Uint8Array(1 << 20)); } catch {}", ".run\nc\n");
    assert!(buffers.contains("the run is over: BUILD_OUT_OF_MEMORY"), "{buffers}");
    let deep = said("debugger; const f = () => f() + 1; try { f(); } catch {}", ".run\nc\n");
    assert!(deep.contains("the run is over: BUILD_STACK_OVERFLOW"), "{deep}");
}

#[test]
fn a_product_that_throws_stops_where_it_throws() {
    insta::assert_snapshot!(
        said(
            "function priceOf(plan) {\n  throw new Error(`no price for ${plan}`);\n}\npriceOf(\"pro\");",
            ".throws on\n.run\nplan\nc\n.throws off\n.run\nplan\n"
        ),
        @r#"
    > .throws on
    it stops wherever something is thrown
    > .run
    stopped at product/product.config.ts:3:3, in priceOf: it threw Error: no price for pro
       1 | import { Plan, Product } from "@svc/product";
       2 | function priceOf(plan) {
    -> 3 |   throw new Error(`no price for ${plan}`);
       4 | }
       5 | priceOf("pro");
    > plan
    "pro"
    > c
    the run is over: 1 error
    error[UNCAUGHT_EXCEPTION]: the product threw: Error: no price for pro
     --> product/product.config.ts:3:9
      |
    3 |   throw new Error(`no price for ${plan}`);
      |         ^^^
    > .throws off
    it stops at breakpoints alone
    > .run
    the run is over: 1 error
    error[UNCAUGHT_EXCEPTION]: the product threw: Error: no price for pro
     --> product/product.config.ts:3:9
      |
    3 |   throw new Error(`no price for ${plan}`);
      |         ^^^
    > plan
    the run is over: 1 error
    error[UNCAUGHT_EXCEPTION]: the product threw: Error: no price for pro
     --> product/product.config.ts:3:9
      |
    3 |   throw new Error(`no price for ${plan}`);
      |         ^^^
    "#
    );
}

#[test]
fn what_is_caught_does_not_stop() {
    let said = said("try { throw new Error(\"x\"); } catch {}", ".run\n");
    assert!(!said.contains("stopped"), "{said}");
}

#[test]
fn terminal_escapes_are_made_visible() {
    let said =
        said("const sneaky = \"\\u001b[2J\\u202e\";\nconst named = { [sneaky]: sneaky };", ".run\nsneaky\nnamed\n");
    assert!(!said.contains('\u{1b}') && !said.contains('\u{202e}'), "{said:?}");
    assert!(said.contains("u{1b}") || said.contains("u001b"), "{said}");
    // What is the program's own is none of it.
    let place = Place::with(&tiny("const broken = ;"));
    let told = place.run_with(&["repl", "--color", "always"], ".run\n.reload\n").done();
    assert!(told.stdout.contains("SYNTAX_ERROR") && !told.stdout.contains("{1b}"), "{told}");
}

/// A pause as long as a build's whole wall time and more is none of it.
#[test]
fn the_wall_clock_stands_still_while_the_product_is_stopped() {
    let place = Place::with(&tiny("debugger;"));
    let mut command = place.command(&["repl", "-q"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = child.stdin.take().unwrap();
    lines.write_all(b".run\n").unwrap();
    std::thread::sleep(Duration::from_millis(svc_runtime::Limits::default().wall_ms + 1_000));
    lines.write_all(b"1 + 1\nc\n").unwrap();
    drop(lines);
    let told = place.tell(&child.wait_with_output().unwrap()).done();
    assert!(told.stdout.contains("> 1 + 1\n2\n> c\nthe product has run to its end"), "{told}");
}

#[test]
fn calls_without_end_are_not_shown_without_end() {
    let code = "const f = (n) => { if (n === 0) { debugger; } else { f(n - 1); } };\nf(500);";
    let said = said(code, ".run\n.bt\n");
    assert!(said.lines().filter(|line| line.contains(" f  ")).count() <= 100, "{said}");
}

/// The worker under a debugger has what the kernel enforces on every worker.
#[test]
fn the_sandbox_is_closed_under_the_debugger_too() {
    let place = Place::with(&tiny("debugger;"));
    let mut command = place.command(&["repl", "-q"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = child.stdin.take().unwrap();
    lines.write_all(b".run\n").unwrap();
    let status = (0..1_000).find_map(|_| {
        std::thread::sleep(Duration::from_millis(10));
        debugging_worker(child.id()).filter(|status| status.contains("Seccomp:\t2"))
    });
    let status = status.expect("no worker under a filter came");
    assert!(status.contains("NoNewPrivs:\t1") && status.contains("CapEff:\t0000000000000000"), "{status}");
    drop(lines);
    assert!(child.wait_with_output().unwrap().status.success());
}

/// The status of the worker with an inspector that this process has.
fn debugging_worker(parent: u32) -> Option<String> {
    let processes = std::fs::read_dir("/proc").unwrap().filter_map(Result::ok).map(|entry| entry.path());
    processes.into_iter().find_map(|path| {
        let arguments = std::fs::read_to_string(path.join("cmdline")).ok()?;
        let status = std::fs::read_to_string(path.join("status")).ok()?;
        let is_it = arguments.contains("\"debugs\":true") && status.contains(&format!("PPid:\t{parent}\n"));
        is_it.then_some(status)
    })
}
