//! `svc check`, and with it whatever can be wrong with a product or stop its build.

use super::shop::PRICED;
use super::{CONFIG, Place, Told, tiny};
use svc_tests::golden;

/// A check of the tiny product with this code in it.
fn checked(code: &str) -> Told {
    Place::with(&tiny(code)).run(&["check"])
}

fn checked_json(code: &str) -> Told {
    Place::with(&tiny(code)).run(&["check", "--format", "json"])
}

#[test]
fn it_tells_the_hash_and_writes_nothing() {
    let place = Place::with(&tiny(""));
    let checked = place.run(&["check"]);
    insta::assert_snapshot!(checked, @"
    [stdout]
    <hash 1>
    [stderr]
    Tiny: 1 plan, 0 meters, 0 routes
      free: free; 60 requests/minute
    [exit status: 0]
    ");
    assert_eq!(place.list("."), ["product"]);
    assert!(checked.stdout.starts_with("sha256:") && checked.stdout.trim().len() == 71);
}

#[test]
fn the_envelope_of_a_right_product() {
    insta::assert_snapshot!(checked_json(""), @r#"
    [stdout]
    {
      "schemaVersion": 1,
      "ok": true,
      "op": "check",
      "data": {
        "irHash": "<hash 1>",
        "diagnostics": []
      }
    }
    [exit status: 0]
    "#);
}

#[test]
fn quiet_says_only_what_is_wrong() {
    let place = Place::with(&tiny(""));
    insta::assert_snapshot!(place.run(&["check", "-q"]), @"
    [stdout]
    <hash 1>
    [exit status: 0]
    ");
    place.edit(CONFIG, "minute", "minut");
    insta::assert_snapshot!(place.run(&["check", "--quiet"]), @r#"
    [stderr]
    error[UNKNOWN_VALUE]: `plans.free.limits.requests.interval` can't be "minut"; it is one of "second", "minute", "hour", "day", "week" and "month"
     --> product/product.config.ts:5:61
      |
    5 |   @Plan("free", { limits: { requests: { rate: 60, interval: "minut" } } }) free;
      |                                                             ^^^^^^^
      |
      = help: did you mean "minute"?

    svc: BUILD_REJECTED: 1 error
    [exit status: 1]
    "#);
}

#[test]
fn a_mistake_is_shown_at_its_very_characters() {
    let place = Place::with(&tiny(""));
    place.edit(CONFIG, "minute", "minut");
    let human = place.run(&["check"]);
    insta::assert_snapshot!(human, @r#"
    [stderr]
    error[UNKNOWN_VALUE]: `plans.free.limits.requests.interval` can't be "minut"; it is one of "second", "minute", "hour", "day", "week" and "month"
     --> product/product.config.ts:5:61
      |
    5 |   @Plan("free", { limits: { requests: { rate: 60, interval: "minut" } } }) free;
      |                                                             ^^^^^^^
      |
      = help: did you mean "minute"?

    svc: BUILD_REJECTED: 1 error
    [exit status: 1]
    "#);
    let machine = place.run(&["check", "--format", "json"]);
    insta::assert_snapshot!(machine, @r#"
    [stdout]
    {
      "schemaVersion": 1,
      "ok": false,
      "op": "check",
      "error": {
        "code": "BUILD_REJECTED",
        "message": "1 error",
        "hint": null
      },
      "diagnostics": [
        {
          "code": "UNKNOWN_VALUE",
          "severity": "error",
          "message": "`plans.free.limits.requests.interval` can't be \"minut\"; it is one of \"second\", \"minute\", \"hour\", \"day\", \"week\" and \"month\"",
          "hint": "did you mean \"minute\"?",
          "path": "plans.free.limits.requests.interval",
          "file": "product/product.config.ts",
          "line": 5,
          "column": 61,
          "endLine": 5,
          "endColumn": 68
        }
      ]
    }
    [exit status: 1]
    "#);
    let found = &machine.json()["diagnostics"][0];
    assert_eq!(found["path"], "plans.free.limits.requests.interval");
    assert_eq!((&found["line"], &found["column"], &found["endColumn"]), (&5.into(), &61.into(), &68.into()));
}

#[test]
fn every_mistake_is_shown_at_once() {
    let place = Place::with(&tiny(""));
    place.edit(CONFIG, "rate: 60, interval: \"minute\"", "rate: -1, intervall: \"minute\"");
    insta::assert_snapshot!(place.run(&["check"]), @r#"
    [stderr]
    error[OPTION_REQUIRED]: `plans.free.limits.requests` needs the option `interval`
     --> product/product.config.ts:5:39
      |
    5 |   @Plan("free", { limits: { requests: { rate: -1, intervall: "minute" } } }) free;
      |                                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

    error[NUMBER_RANGE]: `plans.free.limits.requests.rate` is the number -1: a quantity can't be negative
     --> product/product.config.ts:5:47
      |
    5 |   @Plan("free", { limits: { requests: { rate: -1, intervall: "minute" } } }) free;
      |                                               ^^

    error[UNKNOWN_OPTION]: `plans.free.limits.requests` has no option "intervall"
     --> product/product.config.ts:5:51
      |
    5 |   @Plan("free", { limits: { requests: { rate: -1, intervall: "minute" } } }) free;
      |                                                   ^^^^^^^^^
      |
      = help: did you mean "interval"?

    svc: BUILD_REJECTED: 3 errors
    [exit status: 1]
    "#);
}

#[test]
fn a_warning_is_shown_and_ends_with_nought() {
    let place = Place::with(PRICED);
    place.edit(CONFIG, "{ reports: \"tokens\" }", "{}");
    insta::assert_snapshot!(place.run(&["check"]), @r#"
    [stdout]
    <hash 1>
    [stderr]
    warning[PRICED_METER_UNBOUND]: the plan "pro" prices the meter "tokens", which no route and no workflow feeds
      --> product/product.config.ts:11:14
       |
    11 |     meter: { tokens: { micros: 7, per: 3 } },
       |              ^^^^^^

    Priced: 2 plans, 2 meters, 1 route
      free: free; 60 requests/minute
      pro: $19.00/month; 600 requests/minute
        tokens: $0.000007 per 3 units
        pack pack: $11.00 of credit for $10.00
      no plan prices requests
    [exit status: 0]
    "#);
    insta::assert_snapshot!(place.run(&["check", "-q"]), @"
    [stdout]
    <hash 1>
    [exit status: 0]
    ");
    insta::assert_snapshot!(place.run(&["check", "--format", "json"]), @r#"
    [stdout]
    {
      "schemaVersion": 1,
      "ok": true,
      "op": "check",
      "data": {
        "irHash": "<hash 1>",
        "diagnostics": [
          {
            "code": "PRICED_METER_UNBOUND",
            "severity": "warning",
            "message": "the plan \"pro\" prices the meter \"tokens\", which no route and no workflow feeds",
            "path": "plans.pro.meter.tokens",
            "file": "product/product.config.ts",
            "line": 11,
            "column": 14,
            "endLine": 11,
            "endColumn": 20
          }
        ]
      }
    }
    [exit status: 0]
    "#);
}

#[test]
fn colours_are_for_who_asks() {
    let place = Place::with(&tiny(""));
    place.edit(CONFIG, "minute", "minut");
    let shown = place.run(&["check", "--color", "always"]).stderr;
    assert!(shown.starts_with("\u{1b}[1m\u{1b}[91merror[UNKNOWN_VALUE]"), "{shown:?}");
    for plain in [&["check"][..], &["check", "--color", "never"]] {
        assert!(!place.run(plain).stderr.contains('\u{1b}'));
    }
}

#[test]
fn code_that_is_no_typescript() {
    insta::assert_snapshot!(checked("const = 1;"), @"
    [stderr]
    error[SYNTAX_ERROR]: Unexpected token
     --> product/product.config.ts:2:7
      |
    2 | const = 1;
      |       ^

    svc: BUILD_REJECTED: 1 error
    [exit status: 1]
    ");
}

#[test]
fn code_that_throws() {
    insta::assert_snapshot!(checked("throw new Error(\"no\");"), @r#"
    [stderr]
    error[UNCAUGHT_EXCEPTION]: the product threw: Error: no
     --> product/product.config.ts:2:7
      |
    2 | throw new Error("no");
      |       ^^^

    svc: BUILD_REJECTED: 1 error
    [exit status: 1]
    "#);
}

#[test]
fn terminal_escapes_of_an_author_are_never_sent() {
    let place = Place::with(&tiny("throw new Error(\"\\u001b[2J\\u202e\");"));
    insta::assert_snapshot!(place.run(&["check"]), @r#"
    [stderr]
    error[UNCAUGHT_EXCEPTION]: the product threw: Error: \u{1b}[2J\u{202e}
     --> product/product.config.ts:2:7
      |
    2 | throw new Error("\u001b[2J\u202e");
      |       ^^^

    svc: BUILD_REJECTED: 1 error
    [exit status: 1]
    "#);
    for more in [&[][..], &["--color", "always"], &["--format", "json"]] {
        let told = place.run(&[&["check"], more].concat());
        let text = told.stdout + &told.stderr;
        assert!(!text.contains("\u{1b}[2J") && !text.contains('\u{202e}'), "{more:?}");
    }
}

#[test]
fn an_endless_loop_is_stopped() {
    insta::assert_snapshot!(checked_json("while (true) {}"), @r#"
    [stdout]
    {
      "schemaVersion": 1,
      "ok": false,
      "op": "check",
      "error": {
        "code": "BUILD_TIMEOUT",
        "message": "the product did not finish within 2000 ms of processor time",
        "hint": null
      },
      "diagnostics": []
    }
    [exit status: 3]
    "#);
}

#[test]
fn hunger_for_memory_is_stopped() {
    insta::assert_snapshot!(checked_json("const all = []; while (true) all.push(new Array(1000).fill(0));"), @r#"
    [stdout]
    {
      "schemaVersion": 1,
      "ok": false,
      "op": "check",
      "error": {
        "code": "BUILD_OUT_OF_MEMORY",
        "message": "the product used more than 64 MiB of memory, or more than 16 MiB in array buffers",
        "hint": null
      },
      "diagnostics": []
    }
    [exit status: 3]
    "#);
}

#[test]
fn calls_without_end_are_stopped() {
    insta::assert_snapshot!(checked("function deep() { return 1 + deep(); } try { deep(); } catch {}"), @"
    [stderr]
    svc: BUILD_STACK_OVERFLOW: the product's calls or its source nest deeper than 512 KiB of stack hold
    [exit status: 3]
    ");
}

#[test]
fn what_the_engine_itself_gives_up_at_has_a_name() {
    insta::assert_snapshot!(checked("\"x\".repeat(2 ** 28).split(\"\");"), @"
    [stderr]
    svc: BUILD_ENGINE_FATAL: the product made V8 give up: it asked for a text or an array larger than there can be
    [exit status: 3]
    ");
}

#[test]
fn a_registry_that_is_too_large_has_a_name() {
    let place = Place::with(&tiny(""));
    place.edit(CONFIG, "@Product({", "@Product({ description: \"x\".repeat(2 << 20),");
    insta::assert_snapshot!(place.run(&["check"]), @"
    [stderr]
    svc: BUILD_REGISTRY_TOO_LARGE: the product declares more than 1024 KiB
    [exit status: 3]
    ");
}

/// The envelopes of what is shown for people above. Those of the loop and of the hunger for memory stand above themselves.
#[test]
fn each_end_has_a_name_and_a_status() {
    for (code, name, exit) in [
        ("const = 1;", "BUILD_REJECTED", 1),
        ("throw new Error(\"no\");", "BUILD_REJECTED", 1),
        ("function deep() { return 1 + deep(); } try { deep(); } catch {}", "BUILD_STACK_OVERFLOW", 3),
        ("\"x\".repeat(2 ** 28).split(\"\");", "BUILD_ENGINE_FATAL", 3),
    ] {
        let told = checked_json(code);
        assert_eq!((&told.json()["error"]["code"], told.code), (&name.into(), Some(exit)), "{code}: {told}");
    }
}

#[test]
fn no_folder_and_no_product() {
    let place = Place::new();
    insta::assert_snapshot!(place.run(&["check", "nowhere"]), @"
    [stderr]
    svc: PRODUCT_NOT_FOUND: nowhere has no folder `product`
      hint: give the folder that holds `product/product.config.ts`
    [exit status: 4]
    ");
    insta::assert_snapshot!(place.run(&["check", "--format", "json"]), @r#"
    [stdout]
    {
      "schemaVersion": 1,
      "ok": false,
      "op": "check",
      "error": {
        "code": "PRODUCT_NOT_FOUND",
        "message": ". has no folder `product`",
        "hint": "give the folder that holds `product/product.config.ts`"
      },
      "diagnostics": []
    }
    [exit status: 4]
    "#);
    place.write("file", "");
    insta::assert_snapshot!(place.run(&["check", "file"]), @"
    [stderr]
    svc: PRODUCT_NOT_FOUND: file has no folder `product`
      hint: give the folder that holds `product/product.config.ts`
    [exit status: 4]
    ");
}

#[test]
fn a_folder_without_an_entry() {
    let place = Place::new();
    place.write("product/readme.md", "");
    insta::assert_snapshot!(place.run(&["check"]), @"
    [stderr]
    error[ENTRY_MISSING]: there is no `product/product.config.ts`
     |
     = help: `svc init` writes one

    svc: BUILD_REJECTED: 1 error
    [exit status: 1]
    ");
    let machine = place.run(&["check", "--format", "json"]);
    assert_eq!((machine.code, &machine.json()["diagnostics"][0]["code"]), (Some(1), &"ENTRY_MISSING".into()));
}

#[test]
fn a_file_that_is_no_text() {
    let place = Place::with(&tiny(""));
    place.write("product/binary.ts", [0xff, 0xfe]);
    insta::assert_snapshot!(place.run(&["check"]), @"
    [stderr]
    svc: FILE_NOT_TEXT: product/binary.ts is no UTF-8 text
    [exit status: 1]
    ");
    assert_eq!(place.run(&["check", "--format", "json"]).json()["error"]["code"], "FILE_NOT_TEXT");
}

#[test]
fn u_0000_in_a_file() {
    let place = Place::with(&tiny("const nothing = \"\0\";"));
    insta::assert_snapshot!(place.run(&["check"]), @"
    [stderr]
    error[FILE_NOT_ALLOWED]: `product/product.config.ts` holds the character U+0000

    svc: BUILD_REJECTED: 1 error
    [exit status: 1]
    ");
}

#[test]
fn a_file_over_the_limit() {
    insta::assert_snapshot!(checked(&format!("// {}", "x".repeat(1 << 20))), @"
    [stderr]
    error[SOURCE_TOO_LARGE]: `product/product.config.ts` has more than 1048576 bytes

    svc: BUILD_REJECTED: 1 error
    [exit status: 1]
    ");
    let machine = checked_json(&format!("// {}", "x".repeat(1 << 20))).json();
    assert_eq!(machine["diagnostics"][0]["code"], "SOURCE_TOO_LARGE");
}

#[test]
fn a_file_of_two_byte_letters_over_the_limit_is_named_too() {
    let place = Place::with(&tiny(""));
    // Letters begin at odd offsets, so that reading stops inside one.
    place.write("product/wide.ts", format!("/{}", "é".repeat(1 << 20)));
    insta::assert_snapshot!(place.run(&["check"]), @"
    [stderr]
    error[SOURCE_TOO_LARGE]: `product/wide.ts` has more than 1048576 bytes

    svc: BUILD_REJECTED: 1 error
    [exit status: 1]
    ");
}

#[test]
fn more_files_than_are_taken() {
    let place = Place::with(&tiny(""));
    (0..256).for_each(|n| place.write(&format!("product/f{n}.ts"), ""));
    insta::assert_snapshot!(place.run(&["check"]), @"
    [stderr]
    error[SOURCE_TOO_LARGE]: the build has more than 256 files

    svc: BUILD_REJECTED: 1 error
    [exit status: 1]
    ");
    assert_eq!(place.run(&["check", "--format", "json"]).json()["diagnostics"][0]["code"], "SOURCE_TOO_LARGE");
}

#[test]
fn more_bytes_than_are_taken() {
    let place = Place::with(&tiny(""));
    let text = "x".repeat((1 << 20) - 1);
    (0..9).for_each(|n| place.write(&format!("product/z{n}.ts"), &text));
    insta::assert_snapshot!(place.run(&["check"]), @"
    [stderr]
    error[SOURCE_TOO_LARGE]: the files have more than 8388608 bytes together

    svc: BUILD_REJECTED: 1 error
    [exit status: 1]
    ");
}

#[test]
fn folders_that_nest_too_deep() {
    let place = Place::with(&tiny(""));
    place.write(&format!("product/{}x.ts", "d/".repeat(33)), "");
    insta::assert_snapshot!(place.run(&["check"]), @"
    [stderr]
    svc: FILE_UNREADABLE: product/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d can't be read: it nests too deep
    [exit status: 4]
    ");
}

#[test]
fn usage() {
    let place = Place::new();
    insta::assert_snapshot!(place.run(&["check", "--nonsense"]), @"
    [stderr]
    error: unexpected argument '--nonsense' found

      tip: to pass '--nonsense' as a value, use '-- --nonsense'

    Usage: svc check [OPTIONS] [DIR]...

    For more information, try '--help'.
    [exit status: 2]
    ");
    insta::assert_snapshot!(place.run(&["check", "--format", "yaml"]), @"
    [stderr]
    error: invalid value 'yaml' for '--format <FORMAT>'
      [possible values: human, json, sarif]

    For more information, try '--help'.
    [exit status: 2]
    ");
    insta::assert_snapshot!(place.run(&["check", "-q", "-v"]), @"
    [stderr]
    error: the argument '--quiet' cannot be used with '--verbose...'

    Usage: svc check --quiet [DIR]...

    For more information, try '--help'.
    [exit status: 2]
    ");
}

#[test]
fn it_says_what_it_understood() {
    insta::assert_snapshot!(Place::with(PRICED).run(&["check"]), @"
    [stdout]
    <hash 1>
    [stderr]
    Priced: 2 plans, 2 meters, 1 route
      free: free; 60 requests/minute
      pro: $19.00/month; 600 requests/minute
        tokens: $0.000007 per 3 units
        pack pack: $11.00 of credit for $10.00
      no plan prices requests
    [exit status: 0]
    ");
    let place = Place::with(PRICED);
    place.edit(CONFIG, "amount: 1900", "amount: 19");
    let told = place.run(&["check"]);
    assert!(told.stderr.contains("pro: $0.19/month;"), "19 cents are seen where 19 dollars were meant: {told}");
    assert_eq!(place.run(&["check", "-q"]).stderr, "");
    assert_eq!(place.run(&["check", "--format", "json"]).stderr, "");
}

/// The canonical product has a bit of everything.
#[test]
fn it_says_what_everything_costs() {
    let place = Place::new();
    let example = svc_tests::program::root().join("examples/croncloud");
    let told = place.run(&["check", example.to_str().unwrap()]);
    let (_, summary) = told.stderr.split_once("\n\n").unwrap();
    insta::assert_snapshot!(summary, @"
    croncloud: 6 plans, 8 meters, 12 routes
      classic: free; 10 requests/second; legacy; archived; no self-service
      enterprise: $12,000.00/year; 100,000,000 requests/week (only counted); at most 100,000 jobs; at most 500 seats; no self-service
        requests: $0.0004 per 1,000 request, 50,000,000 included
        compute_ms: each unit by its tier: $0.000012 per ms to 100,000,000, $0.000009 per ms to 1,000,000,000, $0.000006 per ms beyond
        egress_bytes: all units by the last tier reached: $0.09 per 1,000,000,000 byte to 1,000,000,000,000, $0.05 per 1,000,000,000 byte beyond
        at least $500.00 a month
        at most $50,000.00 a month; usage above it is not billed
        pack credit_1000: $1,100.00 of credit for $1,000.00
        prepaid credit: $5,000.00 once
      free: free; 60 requests/minute; at most 3 jobs
        usage that no credit pays for is denied
      scale: $99.00/month; 100 requests/second; 500,000,000,000 egress_bytes/month (only counted); opaque
        requests: $0.0004 per 1,000 request, 1,000,000 included
        compute_ms: $0.000012 per ms
        included credit: $100.00 each period
      starter: $19.00/month; 14 days of trial; 600 requests/minute; 50,000,000 compute_ms/day (only counted); at most 50 jobs; at most 3 seats
        compute_ms: $0.000012 per ms, 1,000,000 included
        egress_bytes: $0.09 per 1,000,000,000 byte, 1,000,000,000 included
        at most $200.00 a month; usage above it is not billed
        included credit: $5.00 each period
        promo credit: $10.00 once, for 30 days
      team: $49.00/month; 50,000 requests/hour; at most 250 jobs; at most 10 seats; opaque
        compute_ms: $0.000012 per ms
        included credit: $25.00 each period
        referral credit: $20.00 once, for 90 days
      no plan prices active_keys, gateway_units, peak_concurrency, runs and stored_bytes
    ");
}

#[test]
fn a_long_product_is_told_in_a_few_lines() {
    let plans: Vec<String> = (0..40)
        .map(|number| {
            let grant = r#"{ amountCents: 100, kind: "promo" }"#;
            let grants = vec![grant; if number == 0 { 30 } else { 0 }].join(", ");
            format!(
                r#"@Plan("p{number}", {{ limits: {{ requests: {{ rate: 60, interval: "minute" }} }}, grants: [{grants}] }}) p{number};"#
            )
        })
        .collect();
    let place = Place::with(&tiny("").replace("free;\n", &format!("free;\n{}\n", plans.join("\n"))));
    let told = place.run(&["check"]).done();
    assert_eq!(told.stderr.lines().count(), 1 + 20 + 12 + 1 + 1, "{told}");
    assert!(told.stderr.contains("… and 18 more") && told.stderr.contains("… and 21 plans"), "{told}");
}

#[test]
fn several_folders_at_once() {
    let place = Place::new();
    place.write(&format!("one/{CONFIG}"), PRICED);
    place.write(&format!("two/{CONFIG}"), tiny(""));
    insta::assert_snapshot!(place.run(&["check", "-q", "one", "two"]), @"
    [stdout]
    <hash 1>  one
    <hash 2>  two
    [exit status: 0]
    ");
    insta::assert_snapshot!(place.run(&["check", "two", "one", "--format", "json"]), @r#"
    [stdout]
    {
      "schemaVersion": 1,
      "ok": true,
      "op": "check",
      "data": {
        "products": [
          {
            "irHash": "<hash 2>",
            "diagnostics": [],
            "dir": "two"
          },
          {
            "irHash": "<hash 1>",
            "diagnostics": [],
            "dir": "one"
          }
        ]
      }
    }
    [exit status: 0]
    "#);
    let both = [place.read("one/product/product.config.ts"), place.read("two/product/product.config.ts")];
    place.run(&["build", "one", "two"]).done();
    assert_eq!(place.list("one"), ["product", "product-build.json"]);
    assert_eq!(place.list("two"), ["product", "product-build.json"]);
    assert_eq!(both, [place.read("one/product/product.config.ts"), place.read("two/product/product.config.ts")]);
}

/// The exit status is the highest: what could not be read is told by 4 where others are only wrong.
#[test]
fn several_folders_of_which_some_are_wrong() {
    let place = Place::new();
    place.write(&format!("right/{CONFIG}"), tiny(""));
    place.write(&format!("wrong/{CONFIG}"), tiny("").replace("minute", "minut"));
    insta::assert_snapshot!(place.run(&["check", "-q", "wrong", "right"]), @r#"
    [stdout]
    <hash 1>  right
    [stderr]
    error[UNKNOWN_VALUE]: `plans.free.limits.requests.interval` can't be "minut"; it is one of "second", "minute", "hour", "day", "week" and "month"
     --> wrong/product/product.config.ts:5:61
      |
    5 |   @Plan("free", { limits: { requests: { rate: 60, interval: "minut" } } }) free;
      |                                                             ^^^^^^^
      |
      = help: did you mean "minute"?

    svc: BUILD_REJECTED: wrong: 1 error
    svc: BUILD_REJECTED: 1 of 2 products failed
    [exit status: 1]
    "#);
    insta::assert_snapshot!(place.run(&["build", "right", "wrong", "nowhere", "--format", "json"]), @r#"
    [stdout]
    {
      "schemaVersion": 1,
      "ok": false,
      "op": "build",
      "error": {
        "code": "PRODUCT_NOT_FOUND",
        "message": "2 of 3 products failed",
        "hint": null
      },
      "diagnostics": [
        {
          "code": "UNKNOWN_VALUE",
          "severity": "error",
          "message": "`plans.free.limits.requests.interval` can't be \"minut\"; it is one of \"second\", \"minute\", \"hour\", \"day\", \"week\" and \"month\"",
          "hint": "did you mean \"minute\"?",
          "path": "plans.free.limits.requests.interval",
          "file": "product/product.config.ts",
          "line": 5,
          "column": 61,
          "endLine": 5,
          "endColumn": 68
        }
      ],
      "products": [
        {
          "irHash": "<hash 1>",
          "diagnostics": [],
          "file": "right/product-build.json",
          "dir": "right"
        },
        {
          "dir": "wrong",
          "error": {
            "code": "BUILD_REJECTED",
            "message": "1 error",
            "hint": null
          },
          "diagnostics": [
            {
              "code": "UNKNOWN_VALUE",
              "severity": "error",
              "message": "`plans.free.limits.requests.interval` can't be \"minut\"; it is one of \"second\", \"minute\", \"hour\", \"day\", \"week\" and \"month\"",
              "hint": "did you mean \"minute\"?",
              "path": "plans.free.limits.requests.interval",
              "file": "product/product.config.ts",
              "line": 5,
              "column": 61,
              "endLine": 5,
              "endColumn": 68
            }
          ]
        },
        {
          "dir": "nowhere",
          "error": {
            "code": "PRODUCT_NOT_FOUND",
            "message": "nowhere has no folder `product`",
            "hint": "give the folder that holds `product/product.config.ts`"
          },
          "diagnostics": []
        }
      ]
    }
    [exit status: 4]
    "#);
    assert_eq!(place.list("right"), ["product", "product-build.json"], "the right one is written all the same");
    assert_eq!(place.list("wrong"), ["product"]);
}

/// `js-shim/scripts/sarif-schema.test.mjs` holds that these fit the published schema.
#[test]
fn annotations_for_code_hosts() {
    let place = Place::new();
    place.write(&format!("right/{CONFIG}"), tiny(""));
    place.write(&format!("a b/{CONFIG}"), tiny("").replace("minute", "minut"));
    place.write(
        &format!("warned/{CONFIG}"),
        tiny("").replace(
            "free;",
            "free;\n  @Plan(\"old\", { legacy: true, limits: { requests: { rate: 1, interval: \"day\" } } }) old;",
        ),
    );
    place.write(&format!("endless/{CONFIG}"), tiny("for (;;);"));
    place.write("empty/readme.md", "");
    for (name, folders, code) in [
        ("right", &["right"][..], 0),
        ("warned", &["warned"], 0),
        ("wrong", &["right", "./a b", "warned"], 1),
        ("stopped", &["endless"], 3),
        ("unread", &["a b", "empty"], 4),
    ] {
        let mut arguments = vec!["check", "--format", "sarif"];
        arguments.extend(folders);
        let told = place.run(&arguments);
        assert_eq!((told.code, told.stderr.as_str()), (Some(code), ""), "{told}");
        golden::check(&format!("tests/golden/sarif/{name}.json"), &format!("{:#}\n", told.json()));
    }
    let log = place.run(&["check", "--format", "sarif", "a b"]).json();
    let result = &log["runs"][0]["results"][0];
    let place_of = &result["locations"][0]["physicalLocation"];
    assert_eq!(place_of["artifactLocation"]["uri"], "a%20b/product/product.config.ts");
    assert_eq!(
        place_of["region"],
        serde_json::json!({ "startLine": 5, "startColumn": 61, "endLine": 5, "endColumn": 68 })
    );
    let rule = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
    assert_eq!(log["runs"][0]["tool"]["driver"]["rules"][rule]["id"], result["ruleId"]);
}

#[test]
fn annotations_are_only_of_builds() {
    insta::assert_snapshot!(Place::with(&tiny("")).run(&["diff", "--format", "sarif"]), @"
    [stderr]
    svc: USAGE: `--format sarif` is for `svc build` and `svc check`
    [exit status: 2]
    ");
}
