//! `svc usage`: what was used, reported and shown.

use super::Shop;
use std::fmt::Write as _;

fn line(id: &str, subject: &str, units: &str) -> String {
    format!(r#"{{"id":"{id}","subject":"{subject}","meter":"tokens","units":{units}}}"#)
}

#[test]
fn items_are_reported_from_a_file_and_once() {
    let shop = Shop::open();
    shop.subscribe("ada", "pro");
    shop.place.write("items.jsonl", format!("{}\n\n{}\n", line("a", "ada", "3"), line("b", "ada", "\"0.5\"")));
    insta::assert_snapshot!(shop.operator(&["usage", "report", "items.jsonl"]), @"
    [stdout]
    2 accepted, 0 known before, 0 refused
    [stderr]
    line 3: 2 accepted so far
    [exit status: 0]
    ");
    insta::assert_snapshot!(shop.operator(&["usage", "report", "items.jsonl", "--quiet"]), @"
    [stdout]
    0 accepted, 2 known before, 0 refused
    [exit status: 0]
    ");
    let many = (0..2_500).fold(String::new(), |mut lines, number| {
        writeln!(lines, "{}", line(&format!("m{number}"), "ada", "1")).unwrap();
        lines
    });
    shop.place.write("many.jsonl", many);
    let told = shop.operator(&["usage", "report", "many.jsonl", "--format", "json"]).done().json();
    assert_eq!((&told["data"]["accepted"], &told["data"]["refused"]), (&2_500.into(), &serde_json::json!([])));
}

#[test]
fn what_is_refused_is_named_by_its_line() {
    let shop = Shop::open();
    shop.subscribe("ada", "pro");
    shop.place
        .write("items.jsonl", [line("a", "ada", "3"), line("b", "nobody", "1"), line("c", "ada", "-1")].join("\n"));
    insta::assert_snapshot!(shop.operator(&["usage", "report", "items.jsonl"]), @r#"
    [stderr]
    line 3: 1 accepted so far
    line 2: SUBSCRIPTION_NOT_FOUND: the subject "nobody" has no live subscription
    line 3: ITEM_FORM: a quantity can't be negative
    svc: ITEMS_REFUSED: 1 accepted, 0 known before, 2 refused
      hint: the others are charged; mend these, and send them again
    [exit status: 5]
    "#);
    shop.place.write("broken.jsonl", format!("{}\n{{\n", line("d", "ada", "1")));
    insta::assert_snapshot!(shop.operator(&["usage", "report", "broken.jsonl"]), @"
    [stderr]
    0 accepted, 0 known before; send the same file again, nothing is charged twice
    svc: ITEM_FORM: line 2 is no usage item as JSON: EOF while parsing an object at line 1 column 1
      hint: one JSON object a line; mend it and send the file again: nothing is charged twice
    [exit status: 2]
    ");
    insta::assert_snapshot!(shop.operator(&["usage", "report", "missing.jsonl"]), @"
    [stderr]
    0 accepted, 0 known before; send the same file again, nothing is charged twice
    svc: USAGE_UNREADABLE: missing.jsonl can't be read: No such file or directory (os error 2)
    [exit status: 4]
    ");
    insta::assert_snapshot!(shop.operator(&["usage", "show", "sub_none"]), @"
    [stderr]
    svc: NOT_FOUND: there is no such subscription
    [exit status: 5]
    ");
}
