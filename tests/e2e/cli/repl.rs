//! `svc repl`, as scripts on standard input: one for each command, and stories. What was typed stands behind `> `.

use super::{CONFIG, Place};
use serde_json::Value as Json;
use svc_tests::api::OPERATOR;

/// A product with its prices in a file beside it.
const SHOP: &str = r#"import { Feature, Meter, Plan, Product, Requests } from "@svc/product";
import { priceOf } from "./prices";

const LIMITS = { requests: { rate: 60, interval: "minute" } } as const;

@Product({ origin: "https://api.example.com" })
export default class Shop {
  @Requests() requests!: void;
  @Meter("compute_ms", { unit: "ms" }) compute!: void;
  @Feature("jobs", {
    plans: ["starter", "pro"],
    routes: {
      "GET /v1/jobs/{id}": {},
      "GET /v1/jobs/latest": { cost: { compute_ms: 5 } },
      "POST /v1/jobs": { reports: "compute_ms" },
    },
  })
  jobs!: void;
  @Plan("starter", {
    price: { amount: priceOf("starter"), currency: "usd", interval: "month" },
    limits: LIMITS,
    meter: { compute_ms: { micros: 150_000, per: 1_000_000, includedUnits: 100_000 } },
  })
  starter!: void;
  @Plan("pro", {
    price: { amount: priceOf("pro"), currency: "usd", interval: "month" },
    limits: LIMITS,
  })
  pro!: void;
}
"#;

const PRICES: &str = r#"export interface Tier {
  dollars: number;
}
const TIERS: Record<string, Tier> = { starter: { dollars: 19 }, pro: { dollars: 49 } };

export function priceOf(plan: string): number {
  const tier = TIERS[plan];
  return tier.dollars * 100;
}
"#;

fn shop() -> Place {
    let place = Place::with(SHOP);
    place.write("product/prices.ts", PRICES);
    place
}

/// What is said behind the greeting to these lines.
fn said(place: &Place, script: &str) -> String {
    let told = place.run_with(&["repl"], script).done();
    assert_eq!(told.stderr, "");
    let (_, said) = told.stdout.split_once(".help lists the commands\n").unwrap();
    let named = |line: &str| match line {
        line if line.starts_with("sha256:") => "<hash>\n".to_owned(),
        line if line.contains("\"windowId\"") => "      \"windowId\": \"<id>\",\n".to_owned(),
        line => format!("{line}\n"),
    };
    said.lines().map(named).collect()
}

#[test]
fn the_greeting_says_what_the_files_say() {
    insta::assert_snapshot!(shop().run_with(&["repl"], ""), @r#"
    [stdout]
    warning[ROUTE_SHADOWED]: the route "GET /v1/jobs/latest" is never reached: "GET /v1/jobs/{id}" stands before it and matches all of it
      --> product/product.config.ts:14:7
       |
    14 |       "GET /v1/jobs/latest": { cost: { compute_ms: 5 } },
       |       ^^^^^^^^^^^^^^^^^^^^^
       |
       = help: declare the narrower route first
    Shop: 2 plans, 2 meters, 3 routes
      pro: $49.00/month; 60 requests/minute
      starter: $19.00/month; 60 requests/minute
        compute_ms: $0.15 per 1,000,000 ms, 100,000 included
      no plan prices requests
    .help lists the commands
    [exit status: 0]
    "#);
}

#[test]
fn a_product_with_a_mistake_can_be_looked_at_all_the_same() {
    let place = shop();
    place.edit(CONFIG, "reports: \"compute_ms\"", "reports: \"compute\"");
    insta::assert_snapshot!(place.run_with(&["repl"], ".run\nLIMITS\n.ir\n.bill\n.subscribe starter\n"), @r#"
    [stdout]
    warning[ROUTE_SHADOWED]: the route "GET /v1/jobs/latest" is never reached: "GET /v1/jobs/{id}" stands before it and matches all of it
      --> product/product.config.ts:14:7
       |
    14 |       "GET /v1/jobs/latest": { cost: { compute_ms: 5 } },
       |       ^^^^^^^^^^^^^^^^^^^^^
       |
       = help: declare the narrower route first
    error[UNKNOWN_METER]: there is no meter "compute"
      --> product/product.config.ts:15:35
       |
    15 |       "POST /v1/jobs": { reports: "compute" },
       |                                   ^^^^^^^^^
       |
       = help: there is "compute_ms" and "requests"
    1 error and 1 warning
    .help lists the commands
    > .run
    the product has run to its end: 1 error and 1 warning
    warning[ROUTE_SHADOWED]: the route "GET /v1/jobs/latest" is never reached: "GET /v1/jobs/{id}" stands before it and matches all of it
      --> product/product.config.ts:14:7
       |
    14 |       "GET /v1/jobs/latest": { cost: { compute_ms: 5 } },
       |       ^^^^^^^^^^^^^^^^^^^^^
       |
       = help: declare the narrower route first
    error[UNKNOWN_METER]: there is no meter "compute"
      --> product/product.config.ts:15:35
       |
    15 |       "POST /v1/jobs": { reports: "compute" },
       |                                   ^^^^^^^^^
       |
       = help: there is "compute_ms" and "requests"
    > LIMITS
    { requests: Object }
    > .ir
    there is no manifest: the product has mistakes
    > .bill
    NOT_SUBSCRIBED: nobody is subscribed
      hint: .subscribe PLAN begins
    > .subscribe starter
    there is no manifest: the product has mistakes
    [exit status: 0]
    "#);
}

#[test]
fn help_lists_every_command() {
    insta::assert_snapshot!(said(&shop(), ".help\n.help break\n.help .use\n.brake\n.list x\n"), @r#"
    > .help
    .run                                  run the product from its beginning, to the first breakpoint or to its end
    .break FILE:LINE[:COLUMN] [if EXPR]   stop there, where the condition holds
    .break @Plan [if EXPR]                stop at every decorator of a kind
    .breaks                               the breakpoints
    .clear [N]                            take a breakpoint away, or all
    .throws on|off                        stop wherever something is thrown, caught or not
    c                                     go on
    n                                     next: step over calls
    s                                     step into the call
    o                                     out: to whoever called; Enter repeats c, n, s and o
    .bt                                   the calls, innermost first
    .list [N]                             the lines around the place
    .up                                   look at the caller's frame
    .down                                 and back
    .locals                               the names of the frame
    .watch [EXPR]                         show a value at every stop; without one, list them
    .unwatch N                            show it no more
    EXPR                                  evaluate TypeScript in the frame, or at the end of the product in its top level
    .type EXPR                            what kind of value it is
    .registry                             what the decorators recorded
    .ir [PATH]                            the manifest, or a part of it: .ir plans.starter
    .diff [FILE|release]                  what changed against product-build.json, another one, or the active release
    .routes METHOD /PATH                  which route answers, and why
    .why PATH                             where a value of the manifest was written: .why plans.starter.price
    .subscribe PLAN                       publish to a service of your own, in memory, and subscribe
    .use METER UNITS                      report usage
    .use "METHOD /PATH" STATUS [REPORTS]  report a served request
    .clock [+15d|MOMENT]                  the service's clock; move it
    .bill [json]                          the bill preview, as the service answers it
    .invoice                              close what has ended; what the open period would come to
    .reload                               read the files again
    .help [COMMAND]                       this
    .exit                                 leave; Ctrl-D does, too
    > .help break
    .break FILE:LINE[:COLUMN] [if EXPR]  stop there, where the condition holds
    .break @Plan [if EXPR]               stop at every decorator of a kind
    > .help .use
    .use METER UNITS                      report usage
    .use "METHOD /PATH" STATUS [REPORTS]  report a served request
    > .brake
    there is no .brake; .help lists the commands
    > .list x
    .list [N]  the lines around the place
    "#);
}

#[test]
fn run_goes_to_the_end() {
    insta::assert_snapshot!(said(&shop(), ".run\n.run\n"), @"
    > .run
    the product has run to its end: 2 plans, 2 meters, 3 routes
    <hash>
    > .run
    the product has run to its end: 2 plans, 2 meters, 3 routes
    <hash>
    ");
}

#[test]
fn break_stops_and_says_where_it_landed() {
    insta::assert_snapshot!(said(&shop(), ".break prices.ts:5\n.run\nc\nc\n"), @"
    > .break prices.ts:5
    breakpoint 1: product/prices.ts:7:16
    > .run
    stopped at product/prices.ts:7:16, in priceOf
       5 |
       6 | export function priceOf(plan: string): number {
    -> 7 |   const tier = TIERS[plan];
       8 |   return tier.dollars * 100;
       9 | }
    > c
    stopped at product/prices.ts:7:16, in priceOf
       5 |
       6 | export function priceOf(plan: string): number {
    -> 7 |   const tier = TIERS[plan];
       8 |   return tier.dollars * 100;
       9 | }
    > c
    the product has run to its end: 2 plans, 2 meters, 3 routes
    <hash>
    ");
}

#[test]
fn break_on_a_kind_of_decorator_and_with_a_condition() {
    insta::assert_snapshot!(
        said(&shop(), ".break @Plan\n.break prices.ts:7 if plan === \"pro\"\n.run\nc\nplan\nc\n.breaks\n"),
        @r#"
    > .break @Plan
    breakpoint 1: product/product.config.ts:19:4, product/product.config.ts:25:4
    > .break prices.ts:7 if plan === "pro"
    breakpoint 2: product/prices.ts:7:16 if plan === "pro"
    > .run
    stopped at product/product.config.ts:19:4, in the top level
       17 |   })
       18 |   jobs!: void;
    -> 19 |   @Plan("starter", {
       20 |     price: { amount: priceOf("starter"), currency: "usd", interval: "month" },
       21 |     limits: LIMITS,
    > c
    stopped at product/product.config.ts:25:4, in the top level
       23 |   })
       24 |   starter!: void;
    -> 25 |   @Plan("pro", {
       26 |     price: { amount: priceOf("pro"), currency: "usd", interval: "month" },
       27 |     limits: LIMITS,
    > plan
    it threw ReferenceError: plan is not defined
    > c
    stopped at product/prices.ts:7:16, in priceOf
       5 |
       6 | export function priceOf(plan: string): number {
    -> 7 |   const tier = TIERS[plan];
       8 |   return tier.dollars * 100;
       9 | }
    > .breaks
    1: @Plan
    2: prices.ts:7 if plan === "pro"
    "#
    );
}

#[test]
fn break_in_a_file_that_nothing_imports() {
    let place = shop();
    place.write("product/unused.ts", "export const unused = 1;\n");
    let said = said(&place, ".break unused.ts:1\n");
    assert!(said.contains("product/unused.ts is not part of the product: nothing imports it"), "{said}");
}

#[test]
fn break_where_nothing_is() {
    insta::assert_snapshot!(
        said(&shop(), ".break nowhere.ts:1\n.break prices.ts:99\n.break @Policy\n.break prices.ts:7 if plan ===\n.breaks\n"),
        @"
    > .break nowhere.ts:1
    the product has no file nowhere.ts
    > .break prices.ts:99
    product/prices.ts has nothing to stop at from line 99 on
    > .break @Policy
    the product has no @Policy
    > .break prices.ts:7 if plan ===
    the condition ends too early
    > .breaks
    no breakpoint is set
    "
    );
}

#[test]
fn clear_takes_breakpoints_away() {
    insta::assert_snapshot!(
        said(&shop(), ".break prices.ts:7\n.break prices.ts:8\n.clear 1\n.clear 7\n.run\n.clear\nc\n.breaks\n"),
        @"
    > .break prices.ts:7
    breakpoint 1: product/prices.ts:7:16
    > .break prices.ts:8
    breakpoint 2: product/prices.ts:8:15
    > .clear 1
    1 breakpoint cleared
    > .clear 7
    there is no breakpoint 7
    > .run
    stopped at product/prices.ts:8:15, in priceOf
        6 | export function priceOf(plan: string): number {
        7 |   const tier = TIERS[plan];
    ->  8 |   return tier.dollars * 100;
        9 | }
    > .clear
    1 breakpoint cleared
    > c
    the product has run to its end: 2 plans, 2 meters, 3 routes
    <hash>
    > .breaks
    no breakpoint is set
    "
    );
}

#[test]
fn steps_go_over_into_and_out_and_enter_repeats() {
    insta::assert_snapshot!(said(&shop(), ".break product.config.ts:19\n.run\ns\nn\n\no\nc\n"), @r#"
    > .break product.config.ts:19
    breakpoint 1: product/product.config.ts:19:4
    > .run
    stopped at product/product.config.ts:19:4, in the top level
       17 |   })
       18 |   jobs!: void;
    -> 19 |   @Plan("starter", {
       20 |     price: { amount: priceOf("starter"), currency: "usd", interval: "month" },
       21 |     limits: LIMITS,
    > s
    stopped at product/prices.ts:7:16, in priceOf
       5 |
       6 | export function priceOf(plan: string): number {
    -> 7 |   const tier = TIERS[plan];
       8 |   return tier.dollars * 100;
       9 | }
    > n
    stopped at product/prices.ts:8:15, in priceOf
        6 | export function priceOf(plan: string): number {
        7 |   const tier = TIERS[plan];
    ->  8 |   return tier.dollars * 100;
        9 | }
    > 
    stopped at product/prices.ts:8:25, in priceOf
        6 | export function priceOf(plan: string): number {
        7 |   const tier = TIERS[plan];
    ->  8 |   return tier.dollars * 100;
        9 | }
    > o
    stopped at product/product.config.ts:19:4, in the top level
       17 |   })
       18 |   jobs!: void;
    -> 19 |   @Plan("starter", {
       20 |     price: { amount: priceOf("starter"), currency: "usd", interval: "month" },
       21 |     limits: LIMITS,
    > c
    the product has run to its end: 2 plans, 2 meters, 3 routes
    <hash>
    "#);
}

#[test]
fn frames_are_looked_at_up_and_down() {
    insta::assert_snapshot!(
        said(&shop(), ".break prices.ts:8\n.run\n.bt\n.up\nLIMITS.requests.rate\n.up\n.down\n.down\n.list 1\n.locals\n"),
        @r#"
    > .break prices.ts:8
    breakpoint 1: product/prices.ts:8:15
    > .run
    stopped at product/prices.ts:8:15, in priceOf
        6 | export function priceOf(plan: string): number {
        7 |   const tier = TIERS[plan];
    ->  8 |   return tier.dollars * 100;
        9 | }
    > .bt
    -> 0 priceOf  product/prices.ts:8:15
       1 the top level  product/product.config.ts:20:22
    > .up
    in the top level, product/product.config.ts:20:22
       18 |   jobs!: void;
       19 |   @Plan("starter", {
    -> 20 |     price: { amount: priceOf("starter"), currency: "usd", interval: "month" },
       21 |     limits: LIMITS,
       22 |     meter: { compute_ms: { micros: 150_000, per: 1_000_000, includedUnits: 100_000 } },
    > LIMITS.requests.rate
    60
    > .up
    this is the outermost frame
    > .down
    in priceOf, product/prices.ts:8:15
        6 | export function priceOf(plan: string): number {
        7 |   const tier = TIERS[plan];
    ->  8 |   return tier.dollars * 100;
        9 | }
    > .down
    this is the innermost frame
    > .list 1
       7 |   const tier = TIERS[plan];
    -> 8 |   return tier.dollars * 100;
       9 | }
    > .locals
    local:
      plan = "starter"
      tier = { dollars: 19 }
    module:
      TIERS = { starter: Object, pro: Object }
      priceOf = function priceOf(plan) { …
    "#
    );
}

#[test]
fn nothing_to_look_at_where_nothing_is_stopped() {
    insta::assert_snapshot!(said(&shop(), ".bt\n.up\n.list\n.locals\nc\n.n\n\n"), @"
    > .bt
    the product is not stopped
    > .up
    the product is not stopped
    > .list
    the product is not stopped
    > .locals
    the product is not stopped
    > c
    the product has run to its end: 2 plans, 2 meters, 3 routes
    <hash>
    it threw ReferenceError: c is not defined
    > .n
    the product is not stopped; .run runs it
    >
    ");
}

#[test]
fn watches_are_shown_at_every_stop_and_change_nothing() {
    insta::assert_snapshot!(
        said(
            &shop(),
            ".watch tier\n.watch tier.dollars++\n.break prices.ts:8\n.run\n.unwatch 2\n.unwatch 9\nc\n.watch\n"
        ),
        @"
    > .watch tier
    watch 1: tier
    > .watch tier.dollars++
    watch 1: tier
    watch 2: tier.dollars++
    > .break prices.ts:8
    breakpoint 1: product/prices.ts:8:15
    > .run
    stopped at product/prices.ts:8:15, in priceOf
        6 | export function priceOf(plan: string): number {
        7 |   const tier = TIERS[plan];
    ->  8 |   return tier.dollars * 100;
        9 | }
    watch 1: tier = { dollars: 19 }
    watch 2: tier.dollars++: EvalError: Possible side-effect in debug-evaluate
    > .unwatch 2
    tier.dollars++ is not watched any more
    > .unwatch 9
    there is no watch 9
    > c
    stopped at product/prices.ts:8:15, in priceOf
        6 | export function priceOf(plan: string): number {
        7 |   const tier = TIERS[plan];
    ->  8 |   return tier.dollars * 100;
        9 | }
    watch 1: tier = { dollars: 49 }
    > .watch
    watch 1: tier = { dollars: 49 }
    "
    );
}

#[test]
fn any_expression_is_evaluated_in_the_frame() {
    insta::assert_snapshot!(
        said(
            &shop(),
            ".break prices.ts:8\n.run\nplan\ntier\ntier.dollars as number * 2\n{ plan, tier }\nTIERS\nnothing\n1 +* 2\nthrow new Error(\"no\")\n"
        ),
        @r#"
    > .break prices.ts:8
    breakpoint 1: product/prices.ts:8:15
    > .run
    stopped at product/prices.ts:8:15, in priceOf
        6 | export function priceOf(plan: string): number {
        7 |   const tier = TIERS[plan];
    ->  8 |   return tier.dollars * 100;
        9 | }
    > plan
    "starter"
    > tier
    { dollars: 19 }
    > tier.dollars as number * 2
    38
    > { plan, tier }
    { plan: "starter", tier: Object }
    > TIERS
    { starter: Object, pro: Object }
    > nothing
    it threw ReferenceError: nothing is not defined
    > 1 +* 2
    Unexpected token
    > throw new Error("no")
    it threw Error: no
    "#
    );
}

#[test]
fn at_the_end_what_is_typed_sees_the_entrys_top_level() {
    insta::assert_snapshot!(
        said(
            &shop(),
            "LIMITS\npriceOf(\"pro\")\nconst twice = (n: number): number =>\n  n * 2\ntwice(priceOf(\"pro\"))\nawait Promise.resolve(7)\nawait new Promise(() => {})\nnew Map([[\"a\", 1]])\n[1, \"x\", null]\n"
        ),
        @r#"
    > LIMITS
    the product has run to its end: 2 plans, 2 meters, 3 routes
    <hash>
    { requests: Object }
    > priceOf("pro")
    4900
    > const twice = (n: number): number =>
    >   n * 2
    undefined
    > twice(priceOf("pro"))
    9800
    > await Promise.resolve(7)
    7
    > await new Promise(() => {})
    it waits for a promise that never settles
    > new Map([["a", 1]])
    Map(1) { size: 1, "a" => 1 }
    > [1, "x", null]
    [1, "x", null]
    "#
    );
}

#[test]
fn what_is_typed_shares_the_entrys_variables_both_ways() {
    let place = Place::with(&super::tiny("let count = 0;\nfunction bump() { return ++count; }"));
    insta::assert_snapshot!(said(&place, ".run\nbump()\ncount\ncount = 5\nbump()\ncount\n"), @"
    > .run
    the product has run to its end: 1 plan, 0 meters, 0 routes
    <hash>
    > bump()
    1
    > count
    1
    > count = 5
    5
    > bump()
    6
    > count
    6
    ");
}

#[test]
fn a_breakpoint_inside_what_was_typed_calls_stops_too() {
    insta::assert_snapshot!(
        said(&shop(), ".run\n.break prices.ts:8\npriceOf(\"pro\") + 1\nplan\nc\ndebugger\nc\n"),
        @r#"
    > .run
    the product has run to its end: 2 plans, 2 meters, 3 routes
    <hash>
    > .break prices.ts:8
    breakpoint 1: product/prices.ts:8:15
    > priceOf("pro") + 1
    stopped at product/prices.ts:8:15, in priceOf
        6 | export function priceOf(plan: string): number {
        7 |   const tier = TIERS[plan];
    ->  8 |   return tier.dollars * 100;
        9 | }
    > plan
    "pro"
    > c
    4901
    > debugger
    stopped in what was typed
    > c
    undefined
    "#
    );
}

#[test]
fn what_is_changed_in_a_frame_shows_in_the_manifest() {
    insta::assert_snapshot!(
        said(&shop(), ".break prices.ts:8 if plan === \"pro\"\n.run\ntier.dollars = 59\nc\n.ir plans.pro.recurringFeeCents\n"),
        @r#"
    > .break prices.ts:8 if plan === "pro"
    breakpoint 1: product/prices.ts:8:15 if plan === "pro"
    > .run
    stopped at product/prices.ts:8:15, in priceOf
        6 | export function priceOf(plan: string): number {
        7 |   const tier = TIERS[plan];
    ->  8 |   return tier.dollars * 100;
        9 | }
    > tier.dollars = 59
    59
    > c
    the product has run to its end: 2 plans, 2 meters, 3 routes
    <hash>
    it differs from what the files say:
    plans
      ~ pro
          ~ price $49.00 → $59.00/month (+20 %)  [economic, breaking]
    > .ir plans.pro.recurringFeeCents
    5900
    "#
    );
}

#[test]
fn an_evaluated_line_that_changes_the_product_says_what_it_changes() {
    insta::assert_snapshot!(
        said(
            &shop(),
            ".run\nclass Other {}\nPlan(\"free\", { limits: LIMITS })(Other.prototype, \"free\")\nProduct({ origin: \"https://api.example.com\", name: \"Shop\" })(Other)\nShop = Other\n.ir plans.free.limits\n"
        ),
        @r#"
    > .run
    the product has run to its end: 2 plans, 2 meters, 3 routes
    <hash>
    > class Other {}
    undefined
    > Plan("free", { limits: LIMITS })(Other.prototype, "free")
    undefined
    > Product({ origin: "https://api.example.com", name: "Shop" })(Other)
    undefined
    the product comes to something else: 1 error and 1 warning
    error[PRODUCT_TWICE]: 2 classes carry `@Product`; a product is one class
     --> product/product.config.ts:7:16
      |
    7 | export default class Shop {
      |                ^^^^^^^^^^^
    warning[ROUTE_SHADOWED]: the route "GET /v1/jobs/latest" is never reached: "GET /v1/jobs/{id}" stands before it and matches all of it
      --> product/product.config.ts:14:7
       |
    14 |       "GET /v1/jobs/latest": { cost: { compute_ms: 5 } },
       |       ^^^^^^^^^^^^^^^^^^^^^
       |
       = help: declare the narrower route first
    > Shop = Other
    class Other {}
    the product comes to something else: 1 error
    error[PRODUCT_TWICE]: 2 classes carry `@Product`; a product is one class
    > .ir plans.free.limits
    the manifest has nothing at plans.free.limits
    "#
    );
}

#[test]
fn type_names_the_kind_of_a_value() {
    insta::assert_snapshot!(said(&shop(), ".run\n.type LIMITS\n.type priceOf\n.type 1n\n.type null\n.type []\n"), @r#"
    > .run
    the product has run to its end: 2 plans, 2 meters, 3 routes
    <hash>
    > .type LIMITS
    "object"
    > .type priceOf
    "function"
    > .type 1n
    "bigint"
    > .type null
    "null"
    > .type []
    "array"
    "#);
}

#[test]
fn registry_and_manifest_are_shown_in_parts() {
    let place = Place::with(&super::tiny(""));
    insta::assert_snapshot!(said(&place, ".registry\n.ir plans.free.limits\n.ir plans.free.limits.requests.rate\n.ir nothing\n"), @r#"
    > .registry
    {
      "registryVersion": 1,
      "sdkVersion": "0.1.0",
      "className": "Tiny",
      "products": 1,
      "declarations": [
        {
          "decorator": "Product",
          "member": null,
          "args": [
            {
              "origin": "https://api.example.com"
            }
          ]
        },
        {
          "decorator": "Plan",
          "member": "free",
          "args": [
            "free",
            {
              "limits": {
                "requests": {
                  "rate": 60,
                  "interval": "minute"
                }
              }
            }
          ]
        }
      ],
      "misuses": []
    }
    > .ir plans.free.limits
    [
      {
        "dimension": "requests",
        "rate": 60,
        "interval": "minute",
        "enforcement": "enforce"
      }
    ]
    > .ir plans.free.limits.requests.rate
    60
    > .ir nothing
    the manifest has nothing at nothing
    "#);
}

#[test]
fn routes_says_which_one_answers_and_why() {
    insta::assert_snapshot!(
        said(&shop(), ".routes POST /v1/jobs\n.routes PUT /v1/jobs\n.routes GET /v2\n.routes FETCH /\n.routes x\n"),
        @r#"
    > .routes POST /v1/jobs
    POST /v1/jobs answers: it is the first in the order of declaration that matches
      feature jobs
      costs 1 of requests
      the answer reports compute_ms
      counts when answered with 200-299
    written at product/product.config.ts:15:24
       14 |       "GET /v1/jobs/latest": { cost: { compute_ms: 5 } },
    -> 15 |       "POST /v1/jobs": { reports: "compute_ms" },
       16 |     },
    > .routes PUT /v1/jobs
    no route answers PUT /v1/jobs; the path answers to POST
    > .routes GET /v2
    no route answers GET /v2
    > .routes FETCH /
    FETCH is no method of a route
    > .routes x
    .routes METHOD /PATH  which route answers, and why
    "#
    );
}

#[test]
fn why_says_where_a_value_was_written() {
    insta::assert_snapshot!(
        said(
            &shop(),
            ".why plans.starter.price\n.why plans.pro.recurringFeeCents\n.why plans.starter.meter.compute_ms.micros\n.why POST /v1/jobs\n.why product.origin\n.why meters.compute_ms.unit\n.why nothing.at.all\n"
        ),
        @r#"
    > .why plans.starter.price
    written at product/product.config.ts:20:12
       19 |   @Plan("starter", {
    -> 20 |     price: { amount: priceOf("starter"), currency: "usd", interval: "month" },
       21 |     limits: LIMITS,
    > .why plans.pro.recurringFeeCents
    written at product/product.config.ts:26:22
       25 |   @Plan("pro", {
    -> 26 |     price: { amount: priceOf("pro"), currency: "usd", interval: "month" },
       27 |     limits: LIMITS,
    > .why plans.starter.meter.compute_ms.micros
    written at product/product.config.ts:22:36
       21 |     limits: LIMITS,
    -> 22 |     meter: { compute_ms: { micros: 150_000, per: 1_000_000, includedUnits: 100_000 } },
       23 |   })
    > .why POST /v1/jobs
    written at product/product.config.ts:15:24
       14 |       "GET /v1/jobs/latest": { cost: { compute_ms: 5 } },
    -> 15 |       "POST /v1/jobs": { reports: "compute_ms" },
       16 |     },
    > .why product.origin
    written at product/product.config.ts:6:20
       5 |
    -> 6 | @Product({ origin: "https://api.example.com" })
       7 | export default class Shop {
    > .why meters.compute_ms.unit
    written at product/product.config.ts:9:32
        8 |   @Requests() requests!: void;
    ->  9 |   @Meter("compute_ms", { unit: "ms" }) compute!: void;
       10 |   @Feature("jobs", {
    > .why nothing.at.all
    nothing that was written leads to nothing.at.all
    "#
    );
}

#[test]
fn diff_compares_with_a_build() {
    let place = shop();
    place.run(&["build"]).done();
    place.edit("product/prices.ts", "dollars: 49", "dollars: 59");
    insta::assert_snapshot!(said(&place, ".diff\n.diff product-build.json\n.diff none.json\n"), @"
    > .diff
    against product-build.json:
    plans
      ~ pro
          ~ price $49.00 → $59.00/month (+20 %)  [economic, breaking]
    > .diff product-build.json
    against product-build.json:
    plans
      ~ pro
          ~ price $49.00 → $59.00/month (+20 %)  [economic, breaking]
    > .diff none.json
    FILE_UNREADABLE: none.json: No such file or directory (os error 2)
    ");
}

#[test]
fn a_product_that_does_not_parse_has_no_place_to_stop_at() {
    let place = shop();
    place.write("product/prices.ts", "export const = 1;");
    insta::assert_snapshot!(said(&place, ".break prices.ts:1\n.run\n1 + 1\n"), @"
    > .break prices.ts:1
    the run is over: 1 error
    error[SYNTAX_ERROR]: Unexpected token
     --> product/prices.ts:1:14
      |
    1 | export const = 1;
      |              ^
    > .run
    the run is over: 1 error
    error[SYNTAX_ERROR]: Unexpected token
     --> product/prices.ts:1:14
      |
    1 | export const = 1;
      |              ^
    > 1 + 1
    the run is over: 1 error
    error[SYNTAX_ERROR]: Unexpected token
     --> product/prices.ts:1:14
      |
    1 | export const = 1;
      |              ^
    ");
}

#[test]
fn diff_compares_with_the_active_release() {
    let shop = super::Shop::open();
    shop.place.edit(CONFIG, "1900", "2900");
    let arguments = ["repl", "--url", shop.url(), "--token", OPERATOR, "--business", &shop.business];
    let told = shop.place.run_with(&arguments, ".diff release\n").done();
    assert!(told.stdout.contains("> .diff release\nagainst release:\nplans\n  ~ pro\n"), "{told}");
    let told = shop.place.run_with(&["repl"], ".diff release\n").done();
    assert!(told.stdout.contains("TOKEN_MISSING"), "{told}");
}

#[test]
fn reload_reads_the_files_again() {
    let place = shop();
    // The files change behind the prompt's back, so that what is read again is another thing.
    insta::assert_snapshot!(said(&place, ".reload\n.break prices.ts:8\n.run\n.reload\n.bt\n"), @r#"
    > .reload
    warning[ROUTE_SHADOWED]: the route "GET /v1/jobs/latest" is never reached: "GET /v1/jobs/{id}" stands before it and matches all of it
      --> product/product.config.ts:14:7
       |
    14 |       "GET /v1/jobs/latest": { cost: { compute_ms: 5 } },
       |       ^^^^^^^^^^^^^^^^^^^^^
       |
       = help: declare the narrower route first
    read again:
    nothing changed
    > .break prices.ts:8
    breakpoint 1: product/prices.ts:8:15
    > .run
    stopped at product/prices.ts:8:15, in priceOf
        6 | export function priceOf(plan: string): number {
        7 |   const tier = TIERS[plan];
    ->  8 |   return tier.dollars * 100;
        9 | }
    > .reload
    warning[ROUTE_SHADOWED]: the route "GET /v1/jobs/latest" is never reached: "GET /v1/jobs/{id}" stands before it and matches all of it
      --> product/product.config.ts:14:7
       |
    14 |       "GET /v1/jobs/latest": { cost: { compute_ms: 5 } },
       |       ^^^^^^^^^^^^^^^^^^^^^
       |
       = help: declare the narrower route first
    read again:
    nothing changed
    > .bt
    the product is not stopped
    "#);
}

#[test]
fn use_and_bill_are_the_services_own() {
    insta::assert_snapshot!(
        said(
            &shop(),
            ".bill\n.subscribe none\n.subscribe starter\n.use compute_ms 1_234_567\n.use \"POST /v1/jobs\" 201 {\"compute_ms\": 1200}\n.use \"POST /v1/jobs\" 500\n.use \"GET /v1/none\" 200\n.use compute_ms many\n.use none 1\n.bill\n.bill json\n"
        ),
        @r#"
    > .bill
    NOT_SUBSCRIBED: nobody is subscribed
      hint: .subscribe PLAN begins
    > .subscribe none
    UNKNOWN_PLAN: the active release has no plan "none"
    > .subscribe starter
    subscriber-1 is subscribed to starter from 2026-01-01T00:00:00Z on, for $19.00
    > .use compute_ms 1_234_567
    accepted, 1 charge
    > .use "POST /v1/jobs" 201 {"compute_ms": 1200}
    accepted, 2 charges
    > .use "POST /v1/jobs" 500
    accepted, 0 charges
    > .use "GET /v1/none" 200
    refused: ROUTE_NOT_FOUND: no route of the served release matches "GET /v1/none"
    > .use compute_ms many
    USAGE_FORM: many is no number of units
    > .use none 1
    refused: UNKNOWN_METER: the served release has no meter "none"
    > .bill
    fee         $19.00
    window      $0.17036505  2026-01-01T00:00:00Z to 2026-02-01T00:00:00Z, 3 charges
    rated       $0.17036505
    funded      $0.00
    receivable  $0.17036505
    > .bill json
    {
      "disclosure": "transparent",
      "currency": "usd",
      "recurringFeeCents": 1900,
      "windows": [
        {
          "windowId": "<id>",
          "windowStart": "2026-01-01T00:00:00Z",
          "windowEnd": "2026-02-01T00:00:00Z",
          "chargeCount": 3,
          "ratedNanos": "170365050"
        }
      ],
      "totals": {
        "ratedNanos": "170365050",
        "fundedNanos": "0",
        "receivableNanos": "170365050"
      },
      "allowances": []
    }
    "#
    );
}

#[test]
fn the_clock_only_goes_forward() {
    insta::assert_snapshot!(said(&shop(), ".clock\n.clock +15d\n.clock 2026-03-01T00:00:00Z\n.clock 2026-01-01T00:00:00Z\n.clock soon\n"), @"
    > .clock
    it is 2026-01-01T00:00:00Z
    > .clock +15d
    it is 2026-01-16T00:00:00Z
    > .clock 2026-03-01T00:00:00Z
    it is 2026-03-01T00:00:00Z
    > .clock 2026-01-01T00:00:00Z
    MOMENT_PAST: it is 2026-03-01T00:00:00Z already; time does not go back
    > .clock soon
    MOMENT_FORM: soon is no span of time and no moment
      hint: write +15d, +1mo, +12h, or a moment such as 2026-02-01T00:00:00Z
    ");
}

/// A wrong price, found where it comes from.
#[test]
fn story_of_a_wrong_price() {
    let place = shop();
    place.edit("product/prices.ts", "dollars: 49", "dollars: 0.49");
    insta::assert_snapshot!(place.run_with(&["repl"], ".break prices.ts:8 if tier.dollars < 1\n.run\nplan\ntier\n.up\n.exit\n"), @r#"
    [stdout]
    warning[ROUTE_SHADOWED]: the route "GET /v1/jobs/latest" is never reached: "GET /v1/jobs/{id}" stands before it and matches all of it
      --> product/product.config.ts:14:7
       |
    14 |       "GET /v1/jobs/latest": { cost: { compute_ms: 5 } },
       |       ^^^^^^^^^^^^^^^^^^^^^
       |
       = help: declare the narrower route first
    Shop: 2 plans, 2 meters, 3 routes
      pro: $0.49/month; 60 requests/minute
      starter: $19.00/month; 60 requests/minute
        compute_ms: $0.15 per 1,000,000 ms, 100,000 included
      no plan prices requests
    .help lists the commands
    > .break prices.ts:8 if tier.dollars < 1
    breakpoint 1: product/prices.ts:8:15 if tier.dollars < 1
    > .run
    stopped at product/prices.ts:8:15, in priceOf
        6 | export function priceOf(plan: string): number {
        7 |   const tier = TIERS[plan];
    ->  8 |   return tier.dollars * 100;
        9 | }
    > plan
    "pro"
    > tier
    { dollars: 0.49 }
    > .up
    in the top level, product/product.config.ts:26:22
       24 |   starter!: void;
       25 |   @Plan("pro", {
    -> 26 |     price: { amount: priceOf("pro"), currency: "usd", interval: "month" },
       27 |     limits: LIMITS,
       28 |   })
    > .exit
    [exit status: 0]
    "#);
}

/// A route that never answers, and the one before it that does.
#[test]
fn story_of_a_shadowed_route() {
    insta::assert_snapshot!(said(&shop(), ".routes GET /v1/jobs/latest\n"), @r#"
    > .routes GET /v1/jobs/latest
    GET /v1/jobs/{id} answers: it is the first in the order of declaration that matches
      feature jobs
      costs 1 of requests
      counts when answered with 200-299
    written at product/product.config.ts:13:28
       12 |     routes: {
    -> 13 |       "GET /v1/jobs/{id}": {},
       14 |       "GET /v1/jobs/latest": { cost: { compute_ms: 5 } },
    GET /v1/jobs/latest matches too, and comes after it
    written at product/product.config.ts:14:30
       13 |       "GET /v1/jobs/{id}": {},
    -> 14 |       "GET /v1/jobs/latest": { cost: { compute_ms: 5 } },
       15 |       "POST /v1/jobs": { reports: "compute_ms" },
    "#);
}

/// A bill across the end of a month: what was used before it stays there.
#[test]
fn story_of_a_bill_across_a_months_end() {
    insta::assert_snapshot!(
        said(
            &shop(),
            ".subscribe starter\n.clock +30d\n.use compute_ms 2_000_000\n.bill\n.clock +1d\n.use compute_ms 50_000\n.bill\n.invoice\n"
        ),
        @"
    > .subscribe starter
    released what the product declares now
    subscriber-1 is subscribed to starter from 2026-01-01T00:00:00Z on, for $19.00
    > .clock +30d
    it is 2026-01-31T00:00:00Z
    > .use compute_ms 2_000_000
    accepted, 1 charge
    > .bill
    fee         $19.00
    window      $0.285  2026-01-01T00:00:00Z to 2026-02-01T00:00:00Z, 1 charge
    rated       $0.285
    funded      $0.00
    receivable  $0.285
    > .clock +1d
    it is 2026-02-01T00:00:00Z
    > .use compute_ms 50_000
    accepted, 1 charge
    > .bill
    fee         $19.00
    window      $0.00  2026-02-01T00:00:00Z to 2026-03-01T00:00:00Z, 1 charge
    rated       $0.00
    funded      $0.00
    receivable  $0.00
    > .invoice
    closed: 2026-01-01T00:00:00Z to 2026-02-01T00:00:00Z, plan starter
      2000000 compute_ms: $0.285
      fee    $19.00
      usage  $0.28
      total  $19.28
    open, if it ended now: 2026-02-01T00:00:00Z to 2026-03-01T00:00:00Z, plan starter
      50000 compute_ms: $0.00
      fee    $19.00
      usage  $0.00
      total  $19.00
    "
    );
}

#[test]
fn frames_of_json_say_where_the_product_stands() {
    let place = shop();
    let input = "{\"line\":\".break prices.ts:8\"}\n{\"line\":\".run\"}\n{\"line\":\"plan\"}\n{\"line\":\"c\"}\n{\"line\":\".clear\"}\n{\"line\":\"c\"}\n";
    let told = place.run_with(&["repl", "--json"], input).done();
    let frames: Vec<Json> = told.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let states: Vec<&str> = frames.iter().map(|frame| frame["state"].as_str().unwrap()).collect();
    assert_eq!(states, ["ready", "ready", "paused", "paused", "paused", "paused", "ended"]);
    assert_eq!(frames[2]["at"], serde_json::json!({ "file": "product/prices.ts", "line": 8, "column": 15 }));
    assert_eq!(frames[3]["text"], "\"starter\"");
}

#[test]
fn a_folder_without_a_product() {
    insta::assert_snapshot!(Place::new().run_with(&["repl"], ""), @"
    [stderr]
    svc: PRODUCT_NOT_FOUND: . has no folder `product`
      hint: give the folder that holds `product/product.config.ts`
    [exit status: 4]
    ");
}

/// The first session of the documentation says what is said. `GOLDEN=write` writes what is said into it.
#[test]
fn the_documented_session_is_what_is_said() {
    let page = svc_tests::program::root().join("docs/debugging.md");
    let text = std::fs::read_to_string(&page).unwrap();
    let product = text.split("```ts product\n").nth(1).unwrap().split("\n```").next().unwrap();
    let place = Place::with(product);
    let greeting = place.run_with(&["repl"], "").done().stdout;
    let help = said(&place, ".help\n").strip_prefix("> .help\n").unwrap().to_owned();
    let mut parts = text.split("```text ");
    let mut told = parts.next().unwrap().to_owned();
    for part in parts {
        let (info, rest) = part.split_once('\n').unwrap();
        let (block, after) = rest.split_once("```").unwrap();
        let typed: String =
            block.lines().filter_map(|line| line.strip_prefix("> ")).map(|line| format!("{line}\n")).collect();
        let is = match info {
            "greeting" => greeting.clone(),
            "help" => help.clone(),
            "session" => said(&place, &typed),
            other => panic!("{other}"),
        };
        told += &format!("```text {info}\n{is}```{after}");
    }
    if std::env::var("GOLDEN").as_deref() == Ok("write") {
        std::fs::write(&page, &told).unwrap();
    }
    assert!(told == text || std::env::var("GOLDEN").is_ok(), "docs/debugging.md says something else:\n{told}");
}

#[test]
fn a_build_that_failed_at_the_service_is_looked_into() {
    let shop = super::Shop::open();
    shop.place.edit(CONFIG, "amount: 1900", "amount: 19.99");
    let source = shop.place.read(CONFIG);
    let build = shop.api(async |business| business.build(&source).await.expect(422).text("buildId"));
    let said = shop.deploy_with(&["repl", "--build", &build], ".run\n.reload\n.diff\n").done().stdout;
    assert!(said.contains("product/product.config.ts:9:22") && said.contains("19.99"), "{said}");
    let good = shop.api(async |business| business.build(super::shop::PRICED).await.expect(201).text("buildId"));
    insta::assert_snapshot!(shop.deploy(&["repl", "--build", &good]), @"
    [stderr]
    svc: NOT_FOUND: the sources of this build are not kept: only those of builds that failed are, for a week, and the newest few
    [exit status: 5]
    ");
    insta::assert_snapshot!(shop.deploy(&["repl", "--build", "bld_none", "product"]), @"
    [stderr]
    error: the argument '--build <ID>' cannot be used with '[DIR]'

    Usage: svc repl --build <ID> --url <URL> --token <TOKEN> --business <BUSINESS> [DIR]

    For more information, try '--help'.
    [exit status: 2]
    ");
}
