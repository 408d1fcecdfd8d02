//! `svc check`, and with it whatever can be wrong with a product or stop its build.

use super::shop::PRICED;
use super::{CONFIG, Place, Told, tiny};

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
    insta::assert_snapshot!(place.run(&["check", "a", "b"]), @"
    [stderr]
    error: unexpected argument 'b' found

    Usage: svc check [OPTIONS] [DIR]

    For more information, try '--help'.
    [exit status: 2]
    ");
    insta::assert_snapshot!(place.run(&["check", "--nonsense"]), @"
    [stderr]
    error: unexpected argument '--nonsense' found

      tip: to pass '--nonsense' as a value, use '-- --nonsense'

    Usage: svc check [OPTIONS] [DIR]

    For more information, try '--help'.
    [exit status: 2]
    ");
    insta::assert_snapshot!(place.run(&["check", "--format", "yaml"]), @"
    [stderr]
    error: invalid value 'yaml' for '--format <FORMAT>'
      [possible values: human, json]

    For more information, try '--help'.
    [exit status: 2]
    ");
    insta::assert_snapshot!(place.run(&["check", "-q", "-v"]), @"
    [stderr]
    error: the argument '--quiet' cannot be used with '--verbose...'

    Usage: svc check --quiet [DIR]

    For more information, try '--help'.
    [exit status: 2]
    ");
}
