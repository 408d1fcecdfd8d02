//! `svc explain`: why a bill is what it is, down to the nano.

use super::Shop;

#[test]
fn a_bill_is_a_tree_of_sums() {
    let shop = Shop::open();
    let subscription = shop.subscribe("ada", "pro");
    shop.place.write("items.jsonl", "{\"id\":\"a\",\"subject\":\"ada\",\"meter\":\"tokens\",\"units\":1000}\n{\"id\":\"b\",\"subject\":\"ada\",\"meter\":\"tokens\",\"units\":1}\n");
    shop.operator(&["usage", "report", "items.jsonl"]).done();
    let told = shop.operator(&["explain", &subscription]).done();
    let lines: Vec<&str> = told.stdout.lines().skip(1).collect();
    assert!(told.stdout.starts_with("pro version 1, "), "{told}");
    assert!(lines[0].starts_with("total: $"), "{told}");
    assert!(lines.iter().any(|line| line.trim_start().starts_with("tokens (1001): $")), "{told}");
    // What a program reads: every node is the sum of its children, in whole nanos where it has no fraction.
    let json = shop.operator(&["explain", &subscription, "--charges", "1", "--format", "json"]).done().json();
    let data = &json["data"];
    assert_eq!((data["charges"].as_array().unwrap().len(), &data["cursor"]), (1, &1.into()));
    let rest = shop.operator(&["explain", &subscription, "--charges", "9", "--cursor", "1"]).done();
    assert!(rest.stdout.contains("\n1  b") && !rest.stdout.contains("more:"), "{rest}");
    sums(&data["total"]);
}

/// Checks the sums of nodes without a fraction.
fn sums(node: &serde_json::Value) {
    let Some(children) = node["children"].as_array() else { return };
    let exact = |node: &serde_json::Value| node["exact"].as_str().unwrap().parse::<i128>().ok();
    if let (Some(whole), Some(parts)) = (exact(node), children.iter().map(exact).sum::<Option<i128>>()) {
        assert_eq!(whole, parts, "{node:#}");
    }
    children.iter().for_each(sums);
}

#[test]
fn what_is_not_there_is_not_explained() {
    let shop = Shop::open();
    let subscription = shop.subscribe("ada", "pro");
    insta::assert_snapshot!(shop.operator(&["explain", "sub_no"]), @"
    [stderr]
    svc: NOT_FOUND: there is no such bill
    [exit status: 5]
    ");
    insta::assert_snapshot!(shop.operator(&["explain", "--invoice", "inv_no"]), @"
    [stderr]
    svc: NOT_FOUND: there is no such bill
    [exit status: 5]
    ");
    insta::assert_snapshot!(shop.deploy(&["explain", &subscription]), @"
    [stderr]
    svc: FORBIDDEN: an operator's token is needed
    [exit status: 5]
    ");
    assert_eq!(shop.operator(&["explain"]).code, Some(2));
}
