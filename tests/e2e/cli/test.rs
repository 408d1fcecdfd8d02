//! `svc test`: an author's own tests of what a product costs.

use super::{CONFIG, Place};
use serde_json::json;

const PRODUCT: &str = r#"import { Feature, Meter, Plan, Product, Requests } from "@svc/product";
import { BULK } from "./prices";
@Product({ origin: "https://api.example.com" })
export default class Priced {
  @Requests() requests!: void;
  @Meter("tokens") tokens!: void;
  @Meter("users", { aggregation: "unique" }) users!: void;
  @Feature("jobs", { plans: ["free", "pro"], routes: { "POST /v1/jobs": { reports: "tokens" } } }) jobs!: void;
  @Plan("free", { limits: { requests: { rate: 60, interval: "minute" } }, overageBehavior: "block" }) free!: void;
  @Plan("pro", {
    price: { amount: 1900, currency: "usd", interval: "month" },
    limits: { requests: { rate: 600, interval: "minute" } },
    maxMonthlySpendCents: 10_000,
    meters: [
      { meter: "tokens", kind: "graduated", tiers: [{ upTo: 1000, micros: 10 }, { upTo: null, micros: 5 }] },
      { meter: "users", kind: "linear", micros: 1_000_000, includedUnits: 1 },
    ],
  })
  pro!: void;
  @Plan("bulk", {
    price: { amount: 1900, currency: "usd", interval: "month" },
    limits: { requests: { rate: 600, interval: "minute" } },
    meters: [{ meter: "tokens", kind: "volume", tiers: BULK }],
  })
  bulk!: void;
}
"#;
const PRICES: &str = "export const BULK = [{ upTo: 1000, micros: 10 }, { upTo: null, micros: 5 }];\n";

fn place(test: &str) -> Place {
    let place = Place::with(PRODUCT);
    place.write("product/prices.ts", PRICES);
    let head = "import { assert, equal, forAll, freeStaysFree, given, moreNeverCostsLess, moveNeverChargesTwice, neverAboveMost, test, usage } from \"@svc/product/test\";\n";
    place.write("product/prices.test.ts", format!("{head}{test}"));
    place
}

#[test]
fn bills_are_what_a_test_says_or_it_is_told_where_they_are_not() {
    let place = place(
        r#"import { BULK } from "./prices";
test("the fee alone", () => equal(given("pro").bill().totalCents, 1900));
test("past the first tier", () => {
  const bill = given("pro").uses("POST /v1/jobs", { reports: { tokens: 1500 } }).uses({ users: ["ada", "bea", "ada"] }).after("15d").bill();
  equal(bill.ratedNanos, 12_500_000n + 1_000_000_000n);
  equal(bill.meters.users.quantity, "2");
});
test("three months", () => {
  const bills = given("pro").after("1mo").uses({ tokens: "0.5" }).after("2mo").invoices();
  equal(bills.map((bill) => bill.ratedNanos), [0n, 5_000n, 0n]);
  equal(bills[2].periodEnd, "2026-04-01T00:00:00Z");
});
test("prices are the product's own", () => equal(BULK[0].micros, 10));
test("wrong", () => {
  equal(given("pro").bill().totalCents, 2000, "the total");
});
test("no such meter", () => given("pro").uses({ token: 1 }).bill());
test("not even an error", () => {
  throw "words";
});
test("a check", () => given("pro").bill((bill) => bill.totalCents === 5));
"#,
    );
    insta::assert_snapshot!(place.run(&["test"]), @r#"
    [stdout]
    product/prices.test.ts
      ok      the fee alone
      ok      past the first tier
      ok      three months
      ok      prices are the product's own
      FAILED  wrong
              product/prices.test.ts:16:3
              the total: 1900 is not 2000
      FAILED  no such meter
              product/prices.test.ts:18:61
              there is no meter "token"; did you mean "tokens"?
      FAILED  not even an error
              words was thrown
      FAILED  a check
              product/prices.test.ts:22:36
              the bill is another than the test says: {"plan":"pro","periodStart":"<moment>","periodEnd":"<moment>","currency":"usd","recurringFeeCents":1900,"usageCents":0,"trueUpCents":0,"totalCents":1900,"roundingNanos":"0","totals":{"ratedNanos":"0","fundedNanos":"0","receivableNanos":"0"},"trueUpNanos":"0","carriedCents":0,"charges":0,"denied":0,"meters":{},"creditLeftNanos":"0"}
    [stderr]
    warning[PRICE_FALLS]: in the plan "bulk" 1000 units of the meter "tokens" cost more than 1001
      --> product/product.config.ts:23:56
       |
    23 |     meters: [{ meter: "tokens", kind: "volume", tiers: BULK }],
       |                                                        ^^^^
       |
       = help: `graduated` charges each unit at the price of its own tier

    svc: TESTS_FAILED: 4 of 8 tests failed
    [exit status: 1]
    "#);
    let one = place.run(&["test", "--filter", "fee", "--format", "json"]).done().json();
    assert_eq!(one["data"]["failed"], json!(0));
    assert_eq!(one["data"]["tests"].as_array().unwrap().len(), 1);
}

const MODELS: &str = r#"import { Feature, Meter, Plan, Product } from "@svc/product";
@Product({ origin: "https://api.example.com" })
export default class Models {
  @Meter("tokens", { by: ["model", "kind"] }) tokens!: void;
  @Meter("users", { aggregation: "unique", by: ["region"] }) users!: void;
  @Feature("chat", { plans: ["pro"], routes: { "POST /v1/chat": { reports: "tokens" } } }) chat!: void;
  @Plan("pro", {
    limits: { requests: { rate: 600, interval: "minute" } },
    meter: { tokens: { rates: { large: { input: 10, output: 40 }, small: { input: 1, output: 4 } } }, users: { rates: { eu: 2_000, us: 1_000 } } },
  })
  pro!: void;
}
"#;

#[test]
fn a_meter_by_attributes_is_used_with_their_values_by_lives_too() {
    let place = Place::with(MODELS);
    let test = r#"import { assert, equal, forAll, given, moreNeverCostsLess, test, usage } from "@svc/product/test";
const large = (kind: string) => ({ model: "large", kind });
test("a cell, a list of them, and a request's report", () => {
  const one = given("pro").uses({ tokens: { units: 100, by: large("input") } });
  const bill = one.uses({ tokens: [{ units: "0.5", by: large("output") }, { units: 1n, by: { model: "small", kind: "input" } }] })
    .uses("POST /v1/chat", { reports: { tokens: [{ units: 7, by: large("input") }] } })
    .uses("POST /v1/chat", { reports: { tokens: { units: 1, by: large("input") } } }).bill();
  equal(bill.ratedNanos, 108n * 10_000n + 20_000n + 1_000n);
  equal(bill.meters.tokens.quantity, "109.5");
  equal(bill.meters.tokens.cells.map(({ by, quantity }) => `${by.model} ${by.kind} ${quantity}`), ["large input 108", "large output 0.5", "small input 1"]);
});
test("distinct values of each region", () => {
  const of = (uniqueKey: string, region: string) => ({ uniqueKey, by: { region } });
  const bill = given("pro").uses({ users: [of("ada", "eu"), of("ada", "us"), of("ada", "eu")] }).bill();
  equal(bill.ratedNanos, 3_000_000n);
});
test("more never costs less", () => moreNeverCostsLess("pro"));
test("generated lives use what has a rate", () => forAll("pro", usage(), (one) => { assert(one.invoices().concat(one.bill()).every((bill) => bill.meters.tokens === undefined || bill.meters.tokens.cells.every(({ by }) => by.model !== "small")), "a small one"); }));
test("no attribute", () => given("pro").uses({ tokens: 1 }).bill());
test("another", () => given("pro").uses({ tokens: { units: 1, by: { model: "large", kinds: "input" } } }).bill());
test("no rate", () => given("pro").uses({ tokens: { units: 1, by: { model: "huge", kind: "input" } } }).bill());
test("no units", () => given("pro").uses({ tokens: { by: large("input") } as never }).bill());
test("twice", () => given("pro").uses("POST /v1/chat", { reports: { tokens: [{ units: 1, by: large("input") }, { units: 1, by: large("input") }] } }).bill());
"#;
    place.write("product/prices.test.ts", test);
    insta::assert_snapshot!(place.run(&["test"]), @r#"
    [stdout]
    product/prices.test.ts
      ok      a cell, a list of them, and a request's report
      ok      distinct values of each region
      ok      more never costs less
      FAILED  generated lives use what has a rate
              product/prices.test.ts:18:51
              given("pro").uses({ "tokens": {"units":"0","by":{"kind":"output","model":"small"}} })
                a small one
                (seed 1, run 0, made smaller 2 times)
      FAILED  no attribute
              product/prices.test.ts:19:61
              the meter "tokens" counts by "model"; say its value in `by`
      FAILED  another
              product/prices.test.ts:20:107
              the meter "tokens" has no attribute "kinds"; did you mean "kind"?
      FAILED  no rate
              product/prices.test.ts:21:105
              the plan "pro" has no price for tokens["huge","input"]
      FAILED  no units
              product/prices.test.ts:22:37
              uses.tokens says its units
      FAILED  twice
              product/prices.test.ts:23:151
              tokens["large","input"] is reported twice
    [stderr]
    svc: TESTS_FAILED: 6 of 9 tests failed
    [exit status: 1]
    "#);
}

#[test]
fn golden_bills_are_written_when_told_and_compared_otherwise() {
    let place =
        place("test(\"golden\", () => given(\"pro\").uses({ tokens: 1500 }).bill().matchesGolden(\"1500 tokens\"));\n");
    insta::assert_snapshot!(place.run(&["test"]), @r#"
    [stdout]
    product/prices.test.ts
      FAILED  golden
              product/prices.test.ts:2:65
              there is no golden bill "1500 tokens" in product/prices.test.golden.json; `svc test --update` writes it
    [stderr]
    warning[PRICE_FALLS]: in the plan "bulk" 1000 units of the meter "tokens" cost more than 1001
      --> product/product.config.ts:23:56
       |
    23 |     meters: [{ meter: "tokens", kind: "volume", tiers: BULK }],
       |                                                        ^^^^
       |
       = help: `graduated` charges each unit at the price of its own tier

    svc: TESTS_FAILED: 1 of 1 test failed
    [exit status: 1]
    "#);
    insta::assert_snapshot!(place.run(&["test", "--update"]), @r#"
    [stdout]
    product/prices.test.ts
      ok      golden
    [stderr]
    warning[PRICE_FALLS]: in the plan "bulk" 1000 units of the meter "tokens" cost more than 1001
      --> product/product.config.ts:23:56
       |
    23 |     meters: [{ meter: "tokens", kind: "volume", tiers: BULK }],
       |                                                        ^^^^
       |
       = help: `graduated` charges each unit at the price of its own tier

    wrote product/prices.test.golden.json
    [exit status: 0]
    "#);
    let written = place.read("product/prices.test.golden.json");
    assert!(written.contains("\"1500 tokens\"") && written.contains("\"ratedNanos\": \"12500000\""), "{written}");
    let _same = place.run(&["test"]).done();
    place.edit(CONFIG, "micros: 5 }] },", "micros: 6 }] },");
    insta::assert_snapshot!(place.run(&["test"]), @r#"
    [stdout]
    product/prices.test.ts
      FAILED  golden
              product/prices.test.ts:2:65
              the bill is not the golden "1500 tokens": meters.tokens.ratedNanos was "12500000" and is "13000000", roundingNanos was "2500000" and is "3000000", totals.ratedNanos was "12500000" and is "13000000", totals.receivableNanos was "12500000" and is "13000000"; `svc test --update` writes it
    [stderr]
    warning[PRICE_FALLS]: in the plan "bulk" 1000 units of the meter "tokens" cost more than 1001
      --> product/product.config.ts:23:56
       |
    23 |     meters: [{ meter: "tokens", kind: "volume", tiers: BULK }],
       |                                                        ^^^^
       |
       = help: `graduated` charges each unit at the price of its own tier

    svc: TESTS_FAILED: 1 of 1 test failed
    [exit status: 1]
    "#);
}

#[test]
fn a_rule_is_tried_on_lives_and_the_smallest_that_breaks_it_is_shown() {
    let place = place(
        r#"test("more, pro", () => moreNeverCostsLess("pro"));
test("more, bulk", () => moreNeverCostsLess("bulk"));
test("never above", () => neverAboveMost("pro"));
test("moves", () => moveNeverChargesTwice("pro", "bulk"));
test("free", () => freeStaysFree("free"));
test("pro is not free", () => freeStaysFree("pro"));
test("a rule of its own", () => forAll("pro", usage({ meters: ["tokens"], time: false }), (s) => s.bill().ratedNanos <= 10_000_000n));
"#,
    );
    let told = place.run(&["test"]);
    insta::assert_snapshot!(told, @r#"
    [stdout]
    product/prices.test.ts
      ok      more, pro
      FAILED  more, bulk
              product/prices.test.ts:3:26
              given("bulk").uses({ "tokens": "1000" })
                one more of "tokens" costs 4995000 nanodollars less: 10000000, then 5005000
                (seed 1, run 4, made smaller 0 times)
      ok      never above
      ok      moves
      ok      free
      FAILED  pro is not free
              product/prices.test.ts:7:31
              given("pro")
                the bill is 1900 cents
                (seed 1, run 0, made smaller 5 times)
      FAILED  a rule of its own
              product/prices.test.ts:8:33
              given("pro").uses({ "tokens": "1001" })
                the rule does not hold
                (seed 1, run 1, made smaller 6 times)
    [stderr]
    warning[PRICE_FALLS]: in the plan "bulk" 1000 units of the meter "tokens" cost more than 1001
      --> product/product.config.ts:23:56
       |
    23 |     meters: [{ meter: "tokens", kind: "volume", tiers: BULK }],
       |                                                        ^^^^
       |
       = help: `graduated` charges each unit at the price of its own tier

    svc: TESTS_FAILED: 3 of 7 tests failed
    [exit status: 1]
    "#);
    assert_eq!(place.run(&["test"]).stdout, told.stdout, "the same files find the same");
    for seed in ["2", "3"] {
        let other = place.run(&["test", "--seed", seed, "--v8-seed", "7"]).stdout;
        // Another seed finds the same smallest life.
        assert!(other.contains("given(\"bulk\").uses({ \"tokens\": \"1000\" })"), "{other}");
    }
}

#[test]
fn tests_have_no_clock_no_chance_no_network_and_no_way_to_the_host() {
    let place = place(
        r#"const names = ["Deno", "process", "fetch", "setTimeout", "performance", "crypto", "queueMicrotask", "WebAssembly", "SharedArrayBuffer", "console", "__bootstrap"];
test("globals", () => equal(names.filter((name) => name in globalThis).join(), ""));
const refused = (what) => { try { what(); } catch (error) { return error.name; } return "nothing"; };
test("banned", () => equal([() => Date.now(), () => new Date(), () => Math.random(), () => eval("1")].map(refused).join(), "BannedApi,BannedApi,BannedApi,BannedApi"));
test("functions from text", () => equal(refused(() => (() => {}).constructor("return 1")()), "EvalError"));
test("frozen", () => equal(refused(() => { Array.prototype.map = null; }), "TypeError"));
test("getters are not read", () => equal(refused(() => given("pro").uses({ get tokens() { return 1; } })), "TypeError"));
test("a proxy", () => equal(refused(() => given("pro").uses(new Proxy({}, { ownKeys() { throw new RangeError("trap"); } }))), "RangeError"));
test("symbols", () => equal(refused(() => given("pro").uses({ [Symbol.iterator]: 1 })), "TypeError"));
test("a hostile error", () => { throw { toString() { throw 1; } }; });
"#,
    );
    insta::assert_snapshot!(place.run(&["test"]), @r#"
    [stdout]
    product/prices.test.ts
      ok      globals
      ok      banned
      ok      functions from text
      ok      frozen
      ok      getters are not read
      ok      a proxy
      ok      symbols
      FAILED  a hostile error
              something that has no text was thrown
    [stderr]
    warning[PRICE_FALLS]: in the plan "bulk" 1000 units of the meter "tokens" cost more than 1001
      --> product/product.config.ts:23:56
       |
    23 |     meters: [{ meter: "tokens", kind: "volume", tiers: BULK }],
       |                                                        ^^^^
       |
       = help: `graduated` charges each unit at the price of its own tier

    svc: TESTS_FAILED: 1 of 8 tests failed
    [exit status: 1]
    "#);
}

#[test]
fn zones_and_languages_do_not_matter() {
    let place = place(
        r#"test("a year", () => equal(given("pro").uses({ tokens: 1500 }).after("1y").invoices().length, 12));
test("a rule", () => neverAboveMost("pro"));
test("what a test says of time and of texts", () => {
  const local = new Date(2026, 2, 29, 2, 30);
  throw new Error([local.getTime(), local.getHours(), local.getTimezoneOffset(), String(local), "ä,z,Z,a".split(",").sort().join(), "I".toLowerCase(), (1234.5).toString()].join(" | "));
});
test("a rule that is broken", () => moreNeverCostsLess("bulk"));
"#,
    );
    let mut told = std::collections::BTreeSet::new();
    for (zone, locale) in [
        ("UTC", "C"),
        ("Asia/Tokyo", "sv_SE.UTF-8"),
        ("America/St_Johns", "tr_TR.UTF-8"),
        ("Pacific/Apia", "de_DE.UTF-8"),
        ("Europe/Berlin", "en_GB.UTF-8"),
    ] {
        let mut command = place.command(&["test"]);
        command.env("TZ", zone).env("LANG", locale).env("LC_ALL", locale);
        told.insert(String::from_utf8(command.output().unwrap().stdout).unwrap());
    }
    assert_eq!(told.len(), 1, "{told:?}");
    let told = told.pop_first().unwrap();
    assert!(told.contains("| 2 | 0 | Sun Mar 29 2026 02:30:00 GMT+0000"), "a build's place is none: {told}");
    assert!(
        told.contains("given(\"bulk\").uses({ \"tokens\": \"1000\" })"),
        "the smallest usage that shows it: {told}"
    );
}

#[test]
fn a_bill_that_was_read_stays_as_it_is_and_a_golden_one_belongs_into_a_test() {
    let told = place(
        "test(\"altered\", () => {\n  const bill = given(\"pro\").uses({ tokens: 5 }).bill();\n  \
         try { bill.json.totals.ratedNanos = \"0\"; } catch {}\n  equal(bill.json.totals.ratedNanos, \"50000\");\n});\n\
         test(\"thrown\", () => { given(\"pro\").bill().json.totalCents = 0; });",
    )
    .run(&["test", "--format", "json"]);
    let tests = told.json()["data"]["tests"].clone();
    assert_eq!(tests[0]["failure"], serde_json::Value::Null, "{tests:#}");
    let message = tests[1]["failure"]["message"].as_str().unwrap();
    assert!(message.contains("read only property 'totalCents'"), "{message}");
    let outside = place("given(\"pro\").bill().matchesGolden(\"nowhere\");\ntest(\"one\", () => {});");
    let told = outside.run(&["test", "--update"]);
    assert!(told.code == Some(1) && told.stderr.contains("matchesGolden belongs into a test"), "{told}");
    assert!(
        !outside.path("product/.golden.json").exists() && !outside.path("product/prices.test.golden.json").exists()
    );
}

#[test]
fn what_ends_all_tests_is_told_by_name() {
    for (test, code) in [
        (
            "test(\"heap\", () => { const all = []; for (;;) all.push(new Array(1000).fill({})); });",
            "TEST_OUT_OF_MEMORY",
        ),
        ("test(\"stack\", function again() { again(); });", "TEST_STACK_OVERFLOW"),
        (
            "test(\"buffers\", () => { const all = []; for (;;) all.push(new ArrayBuffer(1 << 20)); });",
            "TEST_OUT_OF_MEMORY",
        ),
    ] {
        let told = place(test).run(&["test", "--format", "json"]);
        assert_eq!((told.code, told.json()["error"]["code"].as_str()), (Some(3), Some(code)), "{told}");
    }
    insta::assert_snapshot!(place("test(\"loop\", () => { for (;;); });").run(&["test", "--cpu-ms", "1500"]), @r#"
    [stderr]
    warning[PRICE_FALLS]: in the plan "bulk" 1000 units of the meter "tokens" cost more than 1001
      --> product/product.config.ts:23:56
       |
    23 |     meters: [{ meter: "tokens", kind: "volume", tiers: BULK }],
       |                                                        ^^^^
       |
       = help: `graduated` charges each unit at the price of its own tier

    svc: TEST_TIMEOUT: the tests did not finish within 1500 ms of processor time
    [exit status: 3]
    "#);
    insta::assert_snapshot!(place("test(\"never\", () => new Promise(() => {}));").run(&["test"]), @r#"
    [stderr]
    warning[PRICE_FALLS]: in the plan "bulk" 1000 units of the meter "tokens" cost more than 1001
      --> product/product.config.ts:23:56
       |
    23 |     meters: [{ meter: "tokens", kind: "volume", tiers: BULK }],
       |                                                        ^^^^
       |
       = help: `graduated` charges each unit at the price of its own tier

    error[UNSETTLED_AWAIT]: the test "never" in product/prices.test.ts waits for what never comes

    svc: TESTS_REJECTED: 1 error
    [exit status: 1]
    "#);
    insta::assert_snapshot!(place("import fs from \"node:fs\";").run(&["test"]), @r#"
    [stderr]
    warning[PRICE_FALLS]: in the plan "bulk" 1000 units of the meter "tokens" cost more than 1001
      --> product/product.config.ts:23:56
       |
    23 |     meters: [{ meter: "tokens", kind: "volume", tiers: BULK }],
       |                                                        ^^^^
       |
       = help: `graduated` charges each unit at the price of its own tier

    error[IMPORT_NOT_ALLOWED]: "node:fs" can't be imported; a product imports "@svc/product" and files inside `product/`
     --> product/prices.test.ts:2:16
      |
    2 | import fs from "node:fs";
      |                ^^^^^^^^^
      |
      = help: a relative import begins with "./"

    svc: TESTS_REJECTED: 1 error
    [exit status: 1]
    "#);
    insta::assert_snapshot!(place("throw new Error(\"outside of a test\");").run(&["test"]), @r#"
    [stderr]
    warning[PRICE_FALLS]: in the plan "bulk" 1000 units of the meter "tokens" cost more than 1001
      --> product/product.config.ts:23:56
       |
    23 |     meters: [{ meter: "tokens", kind: "volume", tiers: BULK }],
       |                                                        ^^^^
       |
       = help: `graduated` charges each unit at the price of its own tier

    error[UNCAUGHT_EXCEPTION]: the product threw: Error: outside of a test
     --> product/prices.test.ts:2:7
      |
    2 | throw new Error("outside of a test");
      |       ^^^

    svc: TESTS_REJECTED: 1 error
    [exit status: 1]
    "#);
    insta::assert_snapshot!(place("const nothing = 1;").run(&["test"]), @r#"
    [stderr]
    warning[PRICE_FALLS]: in the plan "bulk" 1000 units of the meter "tokens" cost more than 1001
      --> product/product.config.ts:23:56
       |
    23 |     meters: [{ meter: "tokens", kind: "volume", tiers: BULK }],
       |                                                        ^^^^
       |
       = help: `graduated` charges each unit at the price of its own tier

    svc: NO_TESTS: there is no test in product/**/*.test.ts
      hint: svc init writes one; docs/author-tests.md tells what a test may say
    [exit status: 1]
    "#);
    let product = Place::with("import { test } from \"@svc/product/test\";\ntest(\"no\", () => {});\n");
    insta::assert_snapshot!(product.run(&["test"]), @r#"
    [stderr]
    error[IMPORT_NOT_ALLOWED]: "@svc/product/test" can't be imported; a product imports "@svc/product" and files inside `product/`
     --> product/product.config.ts:1:22
      |
    1 | import { test } from "@svc/product/test";
      |                      ^^^^^^^^^^^^^^^^^^^
      |
      = help: only files that end in `.test.ts` import it; `svc test` runs them

    svc: BUILD_REJECTED: 1 error
    [exit status: 1]
    "#);
}

#[test]
fn a_new_project_s_tests_pass() {
    let place = Place::new();
    let _made = place.run(&["init", "shop"]).done();
    insta::assert_snapshot!(place.run(&["test", "shop"]), @"
    [stdout]
    product/pricing.test.ts
      ok      a month of pro with 1,100,000 ms costs 19 dollars and 15 cents
      ok      what is included each month costs nothing more
      ok      no usage makes a bill of pro smaller than its fee
      ok      more never costs less
      ok      free stays free
    [exit status: 0]
    ");
}

#[test]
fn a_service_takes_no_build_whose_tests_fail_where_it_demands_that_they_pass() {
    use svc_tests::api::{Api, Server};
    use svc_tests::program::block_on;
    let data = tempfile::tempdir().unwrap();
    let file = data.path().join("svc.db").display().to_string();
    let server = Server::start_with(&["--data".to_owned(), file, "--demand-tests".to_owned()]);
    block_on(async {
        let api = Api::new(&server);
        let business = api.business(svc_tests::api::ONE_PLAN).await;
        let build = async |test: &str| {
            let test = format!("import {{ equal, given, test }} from \"@svc/product/test\";\n{test}");
            let files = json!({ "product/product.config.ts": svc_tests::api::ONE_PLAN, "product/a.test.ts": test });
            api.post(&business.deploy, &format!("{}/builds", business.root), json!({ "files": files })).await
        };
        let _good = build("test(\"fee\", () => equal(given(\"basic\").bill().totalCents, 1900));").await.expect(201);
        let bad = build("test(\"fee\", () => equal(given(\"basic\").bill().totalCents, 1));").await.expect(422);
        let told = &bad.body["diagnostics"][0];
        assert_eq!((bad.code(), told["code"].as_str()), ("BUILD_REJECTED", Some("TEST_FAILED")), "{:#}", bad.body);
        assert_eq!((&told["file"], &told["line"]), (&json!("product/a.test.ts"), &json!(2)));
        assert_eq!(told["message"], json!("\"fee\": 1900 is not 1"));
        // A file of tests that has none is no proof.
        let none = build("export const later = 1;").await.expect(422);
        let told = &none.body["diagnostics"][0];
        assert_eq!((none.code(), told["code"].as_str()), ("BUILD_REJECTED", Some("TEST_FAILED")), "{:#}", none.body);
        // What stops the tests is told by their own limits.
        let fat = "test(\"heap\", () => { const all = []; for (;;) all.push(new Array(1000).fill({})); });";
        let stopped = build(fat).await.expect(422);
        let detail = stopped.text("detail");
        assert_eq!(stopped.code(), "BUILD_OUT_OF_MEMORY");
        assert!(detail.contains("the tests") && detail.contains("128 MiB"), "{detail}");
    });
}
