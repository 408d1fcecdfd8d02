//! `svc explain`: why a bill is what it is, down to the nano.

use super::{CONFIG, Place, Shop};

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
    assert!(rest.stdout.contains("\n1  charge  b") && !rest.stdout.contains("more:"), "{rest}");
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

/// A product of two plans that price one meter.
const TWO_PLANS: &str = r#"
import { Feature, Meter, Plan, Product } from "@svc/product";
@Product({ origin: "https://api.example.com" })
export default class Acme {
  @Meter("tokens", { unit: "token" })
  @Meter("idle")
  tokens!: void;
  @Feature("all", { plans: ["free", "pro"], routes: { "POST /v1/use": { reports: ["tokens", "idle"] } } })
  all!: void;
  @Plan("free", { limits: { requests: { rate: 60, interval: "minute" } }, meter: { tokens: { micros: 0 } } })
  free!: void;
  @Plan("pro", {
    limits: { requests: { rate: 60, interval: "minute" } },
    meter: {
      tokens: { kind: "graduated", includedUnits: 100, minCents: 5, maxCents: 400, tiers: [{ upTo: 50, micros: 10_000, flatMicros: 70_000 }, { upTo: null, micros: 20_000 }] },
    },
  })
  pro!: void;
}
"#;

#[test]
fn a_price_is_drawn_from_the_rate_card() {
    let place = Place::new();
    place.write(CONFIG, TWO_PLANS);
    insta::assert_snapshot!(place.run(&["explain", "--curve", "tokens", "--plan", "pro"]), @"
    [stdout]
    tokens on pro: what a period's quantity costs
    from       to     costs
    0          100    $0.05
    above 100  150    $0.07 to $0.57
    150        321.5  $0.57 to $4.00
    321.5      325    $4.00
    [exit status: 0]
    ");
    insta::assert_snapshot!(place.run(&["explain", "--curve", "tokens"]), @r#"
    [stderr]
    svc: WHICH_PLAN: several plans price the meter "tokens"; say which: --plan free|pro
    [exit status: 1]
    "#);
    insta::assert_snapshot!(place.run(&["explain", "--curve", "idle"]), @r#"
    [stderr]
    svc: NO_PRICE: no plan has a price for the meter "idle"
    [exit status: 1]
    "#);
    insta::assert_snapshot!(place.run(&["explain", "--curve", "token", "--plan", "pro"]), @r#"
    [stderr]
    svc: UNKNOWN_METER: the product has no meter "token"
    [exit status: 1]
    "#);
    insta::assert_snapshot!(place.run(&["explain", "--curve", "tokens", "--plan", "max"]), @r#"
    [stderr]
    svc: UNKNOWN_PLAN: the product has no plan "max"
    [exit status: 1]
    "#);
    let json = place
        .run(&["explain", "--curve", "tokens", "--plan", "pro", "--svg", "t.svg", "--format", "json"])
        .done()
        .json();
    let points = json["data"]["lines"][0]["points"].as_array().unwrap();
    assert_eq!(points[0], serde_json::json!({ "units": "0", "exactNanos": "50000000" }), "the least");
    assert_eq!(points.last().unwrap()["exactNanos"], "4000000000", "the most");
    assert_eq!(json["data"]["svg"].as_str().unwrap(), std::fs::read_to_string(place.path("t.svg")).unwrap());
}
