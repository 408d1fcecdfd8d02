//! The bill preview through the socket: the seed's shapes field by field, exact sums, and what every miss shows.

use serde_json::{Value as Json, json};
use std::collections::BTreeSet;
use std::path::Path;
use svc_tests::api::{Api, Business, OPERATOR, Server};
use svc_tests::program::block_on;

/// A product with a transparent and two opaque plans.
const PRODUCT: &str = r#"
import { Feature, Meter, Plan, Product, Requests, creditGrant, svc } from "@svc/product";
@Product({ origin: "https://api.example.com" })
export default class Priced {
  @Requests() requests;
  @Meter("thirds") thirds;
  @Meter("tokens") tokens;
  @Meter("seats", { aggregation: "unique" }) seats;
  @Feature("jobs", { plans: ["clear", "shown", "dark"], routes: {
    "POST /v1/jobs": { cost: { tokens: 10 }, reports: "thirds" },
    "GET /v1/jobs/{id}": { inheritDefaultMeters: false },
  } }) jobs;
  @Plan("clear", { limits: { requests: { rate: 60, interval: "minute" } }, price: { amount: 1900, currency: "usd", interval: "month" },
    meter: { thirds: { micros: 1, per: 3 }, tokens: { micros: 150000, per: 1000000 }, requests: { micros: 2, includedUnits: 3 } } }) clear;
  @Plan("shown", { limits: { requests: { rate: 60, interval: "minute" } }, spendPolicy: { disclosure: "opaque" }, meter: { tokens: { micros: 1000 } },
    grants: [creditGrant({ amountCents: 3, recurs: true, display: svc.display.multiplier({ factor: 20 }) })] }) shown;
  @Plan("dark", { limits: { requests: { rate: 60, interval: "minute" } }, spendPolicy: { disclosure: "opaque" }, meter: { tokens: { micros: 1000 } },
    grants: [creditGrant({ amountCents: 3 })] }) dark;
}
"#;

/// Runs a story against a fresh server; the path is its database's.
fn story<F: Future<Output = ()>>(tell: impl FnOnce(Business, std::path::PathBuf) -> F) {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("svc.db");
    let server = Server::start(&data);
    block_on(async {
        let business = Api::new(&server).business(PRODUCT).await;
        tell(business, data).await;
    });
}

fn keys(json: &Json) -> BTreeSet<String> {
    json.as_object().unwrap().keys().cloned().collect()
}

fn names(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// Every key anywhere in a value.
fn all_keys(json: &Json, into: &mut BTreeSet<String>) {
    match json {
        Json::Object(object) => object.iter().for_each(|(key, value)| {
            into.insert(key.clone());
            all_keys(value, into);
        }),
        Json::Array(items) => items.iter().for_each(|item| all_keys(item, into)),
        _ => {}
    }
}

fn measured(id: &str, subject: &str, meter: &str, units: impl Into<Json>) -> Json {
    json!({ "id": id, "subject": subject, "meter": meter, "units": units.into() })
}

#[test]
fn the_transparent_shape_is_the_seeds_field_by_field() {
    story(async |business, _| {
        let token = business.subscribe("ada", "clear").await;
        let credit = json!({ "subject": "ada", "amountCents": 1, "kind": "promo", "expiresAfterDays": 10 });
        let _given = business.api.post(OPERATOR, &format!("{}/credits", business.root), credit).await.expect(201);
        business.usage(json!([measured("a", "ada", "tokens", 1_000_000)])).await;
        let answer = business.preview(&token).await.expect(200);
        assert_eq!(answer.headers["cache-control"], "private, no-store");
        assert_eq!(answer.headers["content-type"], "application/json");
        let preview = answer.body;
        assert_eq!(
            keys(&preview),
            names(&["currency", "disclosure", "recurringFeeCents", "windows", "totals", "allowances"])
        );
        assert_eq!(
            (&preview["currency"], &preview["disclosure"], &preview["recurringFeeCents"]),
            (&"usd".into(), &"transparent".into(), &1900.into())
        );
        let window = &preview["windows"][0];
        assert_eq!(keys(window), names(&["windowId", "windowStart", "windowEnd", "chargeCount", "ratedNanos"]));
        assert!(
            window["windowStart"].as_str().unwrap().ends_with('Z')
                && window["windowEnd"].as_str().unwrap().ends_with('Z')
        );
        assert_eq!((&window["chargeCount"], &window["ratedNanos"]), (&1.into(), &"150000000".into()));
        assert_eq!(
            preview["totals"],
            json!({ "ratedNanos": "150000000", "fundedNanos": "10000000", "receivableNanos": "140000000" })
        );
        let allowance = &preview["allowances"][0];
        assert_eq!(
            keys(allowance),
            names(&["kind", "state", "remainingNanos", "heldNanos", "consumedNanos", "expiresAt"])
        );
        assert_eq!((&allowance["kind"], &allowance["state"]), (&"promo".into(), &"EXHAUSTED".into()));
        assert_eq!(
            (&allowance["remainingNanos"], &allowance["heldNanos"], &allowance["consumedNanos"]),
            (&"0".into(), &"0".into(), &"10000000".into())
        );
        assert!(allowance["expiresAt"].as_str().unwrap().ends_with('Z'));
    });
}

#[test]
fn the_opaque_shape_has_its_fields_and_none_of_the_others() {
    story(async |business, _| {
        for (subject, plan, display) in [
            (
                "grace",
                "shown",
                json!({ "kind": "multiplier", "allowanceUnits": 20, "remainingUnits": "13.34", "consumedUnits": "6.66" }),
            ),
            ("alan", "dark", json!({ "kind": "fraction", "consumedBasisPoints": 3333, "remainingBasisPoints": 6667 })),
        ] {
            let token = business.subscribe(subject, plan).await;
            // 3 cents are 30,000,000 nanos; 10.0002 tokens at 1,000 micros take a little over a third.
            business.usage(json!([measured("a", subject, "tokens", "10.0002")])).await;
            let preview = business.preview(&token).await.expect(200).body;
            assert_eq!(keys(&preview), names(&["currency", "disclosure", "recurringFeeCents", "allowances"]), "{plan}");
            assert_eq!(preview["disclosure"], "opaque");
            assert_eq!(keys(&preview["allowances"][0]), names(&["kind", "state", "expiresAt", "display"]), "{plan}");
            assert_eq!(preview["allowances"][0]["display"], display, "{plan}");
            let mut everything = BTreeSet::new();
            all_keys(&preview, &mut everything);
            for forbidden in ["windows", "totals", "windowId", "chargeCount"] {
                assert!(!everything.contains(forbidden), "{plan} shows {forbidden}");
            }
            assert!(!everything.iter().any(|key| key.ends_with("Nanos")), "{plan} shows nanodollars");
        }
    });
}

#[test]
fn sums_are_exact_and_never_above_the_exact_total() {
    story(async |business, _| {
        let token = business.subscribe("ada", "clear").await;
        for (n, wanted) in [(1, "333"), (2, "666"), (3, "1000")] {
            business.usage(json!([measured(&format!("third-{n}"), "ada", "thirds", 1)])).await;
            assert_eq!(business.preview(&token).await.body["totals"]["ratedNanos"], wanted);
        }
        business.usage(json!([measured("million", "ada", "tokens", 1_000_000)])).await;
        let preview = business.preview(&token).await.body;
        assert_eq!(preview["totals"]["ratedNanos"], "150001000");
        assert_eq!(preview["totals"]["receivableNanos"], "150001000");
        assert_eq!(preview["windows"][0]["chargeCount"], 4);
    });
}

#[test]
fn served_requests_become_their_routes_charges() {
    story(async |business, _| {
        let token = business.subscribe("ada", "clear").await;
        let served = |id: &str, route: &str, status: u16, reports: Json| json!({ "id": id, "subject": "ada", "route": route, "status": status, "reports": reports });
        let results = business
            .usage(json!([
                served("1", "POST /v1/jobs", 201, json!({ "thirds": 6 })),
                served("2", "POST /v1/jobs", 500, json!({})),
                served("3", "POST /v1/jobs", 200, json!({ "tokens": 5 })),
                served("4", "GET /v1/nothing/here/at/all", 200, json!({})),
                served("5", "POST /v1/jobs", 200, json!({})),
            ]))
            .await;
        let statuses: Vec<&str> = results.iter().map(|result| result["status"].as_str().unwrap()).collect();
        assert_eq!(statuses, ["accepted", "accepted", "refused", "refused", "accepted"]);
        let charges: Vec<&Json> = results.iter().map(|result| &result["charges"]).collect();
        // requests 1, tokens 10, thirds 6; nothing for the 500; and no report is no charge for it.
        assert_eq!((charges[0], charges[1], charges[4]), (&3.into(), &0.into(), &2.into()));
        assert_eq!(
            (&results[2]["code"], &results[3]["code"]),
            (&"REPORT_NOT_DECLARED".into(), &"ROUTE_NOT_FOUND".into())
        );
        // 6 thirds are 2 micros; 20 tokens are 3 micros; two requests are within the three included.
        assert_eq!(business.preview(&token).await.body["totals"]["ratedNanos"], "5000");
    });
}

#[test]
fn a_repeat_answers_the_first_result_and_another_content_is_a_conflict() {
    story(async |business, _| {
        let token = business.subscribe("ada", "clear").await;
        for (delivery, status) in [(1, "accepted"), (2, "duplicate"), (3, "duplicate"), (4, "duplicate")] {
            let results = business.usage(json!([measured("same", "ada", "tokens", 3_000)])).await;
            assert_eq!(
                (&results[0]["status"], &results[0]["charges"]),
                (&status.into(), &1.into()),
                "delivery {delivery}"
            );
        }
        let other = business.usage(json!([measured("same", "ada", "tokens", 4_000)])).await;
        assert_eq!((&other[0]["status"], &other[0]["code"]), (&"refused".into(), &"ITEM_CONFLICT".into()));
        let twice_in_one =
            business.usage(json!([measured("x", "ada", "tokens", 1), measured("x", "ada", "tokens", 1)])).await;
        assert_eq!((&twice_in_one[0]["status"], &twice_in_one[1]["status"]), (&"accepted".into(), &"duplicate".into()));
        let preview = business.preview(&token).await.body;
        assert_eq!(
            (&preview["windows"][0]["chargeCount"], &preview["totals"]["ratedNanos"]),
            (&2.into(), &"450150".into())
        );
    });
}

#[test]
fn bad_items_are_refused_by_name_and_the_good_ones_stay() {
    story(async |business, _| {
        let _token = business.subscribe("ada", "clear").await;
        let results = business
            .usage(json!([
                measured("1", "ada", "tokns", 1),
                measured("2", "nobody", "tokens", 1),
                measured("3", "ada", "tokens", -1),
                measured("4", "ada", "tokens", 0.5),
                measured("5", "ada", "tokens", "0.0000000001"),
                { "id": "6", "subject": "ada", "meter": "tokens", "units": 1, "unit": "x" },
                measured("", "ada", "tokens", 1),
                "nonsense",
                measured("8", "ada", "seats", 1),
                { "id": "9", "subject": "ada", "meter": "tokens", "units": 1, "uniqueKey": "k" },
                measured("10", "ada", "tokens", "0.5"),
            ]))
            .await;
        let codes: Vec<&str> = results.iter().map(|result| result["code"].as_str().unwrap_or("-")).collect();
        let form = "ITEM_FORM";
        assert_eq!(
            codes,
            [
                "UNKNOWN_METER",
                "SUBSCRIPTION_NOT_FOUND",
                form,
                form,
                form,
                form,
                form,
                form,
                "UNIQUE_KEY_REQUIRED",
                "UNIQUE_KEY_UNUSED",
                "-"
            ]
        );
        assert_eq!((&results[7]["index"], &results[7]["id"]), (&7.into(), &Json::Null));
        let long: Vec<Json> = (0..1001).map(|n| measured(&n.to_string(), "ada", "tokens", 1)).collect();
        let answer =
            business.api.post(&business.deploy, &format!("{}/usage", business.root), json!({ "items": long })).await;
        assert_eq!((answer.status, answer.code()), (422, "BATCH_TOO_LONG"));
    });
}

#[test]
fn distinct_values_count_once() {
    story(async |business, data| {
        let _token = business.subscribe("ada", "clear").await;
        let seat =
            |id: &str, key: &str| json!({ "id": id, "subject": "ada", "meter": "seats", "units": 1, "uniqueKey": key });
        business.usage(json!([seat("1", "ann"), seat("2", "bob"), seat("3", "ann")])).await;
        business.usage(json!([seat("4", "bob"), seat("5", "cy")])).await;
        let steps: String = database(&data)
            .query_row("SELECT steps FROM window_levels WHERE meter = 'seats'", [], |row| row.get(0))
            .unwrap();
        assert_eq!(steps, "3000000000");
    });
}

fn database(data: &Path) -> rusqlite::Connection {
    rusqlite::Connection::open(data).unwrap()
}

#[test]
fn every_miss_shows_the_opaque_shape() {
    for (what, alteration) in [
        ("the release was never activated", "UPDATE releases SET activated_at = NULL"),
        ("the release is gone", "PRAGMA foreign_keys = OFF; UPDATE subscriptions SET release_id = 'rel_gone'"),
        ("the plan is not in the release", "UPDATE subscriptions SET plan = 'gone'"),
        ("the projection is missing", "DELETE FROM projections"),
        ("the projection was altered", "UPDATE projections SET body = replace(body, '\"micros\":1,', '\"micros\":2,')"),
        ("the projection is no JSON", "UPDATE projections SET body = '{'"),
        ("the projection's hash was altered", "UPDATE projections SET hash = 'sha256:00'"),
    ] {
        story(async |business, data| {
            let token = business.subscribe("ada", "clear").await;
            business.usage(json!([measured("a", "ada", "tokens", 1_000_000)])).await;
            assert_eq!(business.preview(&token).await.body["disclosure"], "transparent");
            database(&data).execute_batch(alteration).unwrap();
            let answer = business.preview(&token).await.expect(200);
            assert_eq!(
                keys(&answer.body),
                names(&["currency", "disclosure", "recurringFeeCents", "allowances"]),
                "{what}"
            );
            assert_eq!(answer.body["disclosure"], "opaque", "{what}");
        });
    }
}

#[test]
fn the_ledger_balances_and_can_only_grow() {
    story(async |business, data| {
        let token = business.subscribe("grace", "shown").await;
        for n in 0..50 {
            business.usage(json!([measured(&n.to_string(), "grace", "tokens", format!("0.{n:03}1"))])).await;
        }
        assert_eq!(business.preview(&token).await.status, 200);
        let database = database(&data);
        let mut sums = database.prepare("SELECT transaction_id, amount_nanos, account FROM ledger_postings").unwrap();
        let mut by_transaction = std::collections::BTreeMap::<String, i128>::new();
        let mut revenue = 0_i128;
        let mut rows = sums.query([]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            let amount: i128 = row.get::<_, String>(1).unwrap().parse().unwrap();
            *by_transaction.entry(row.get(0).unwrap()).or_default() += amount;
            if row.get::<_, String>(2).unwrap() == "revenue" {
                revenue -= amount;
            }
        }
        assert!(by_transaction.len() > 50 && by_transaction.values().all(|sum| *sum == 0));
        let rated: String = database.query_row("SELECT rated_nanos FROM windows", [], |row| row.get(0)).unwrap();
        assert_eq!(revenue.to_string(), rated);
        for change in ["UPDATE ledger_transactions SET postings = '[]'", "DELETE FROM ledger_transactions"] {
            assert!(database.execute(change, []).unwrap_err().to_string().contains("append-only"), "{change}");
        }
    });
}

#[test]
fn republishing_leaves_subscribers_where_they_are() {
    story(async |business, _| {
        let token = business.subscribe("ada", "clear").await;
        let again = business.publish(PRODUCT).await.expect(200);
        assert_eq!(again.body["unchanged"], true);
        let dearer = PRODUCT.replace("amount: 1900", "amount: 9900").replace("micros: 150000", "micros: 900000");
        let published = business.publish(&dearer).await.expect(201);
        assert_eq!(published.body["planVersions"], json!({ "clear": 2, "dark": 1, "shown": 1 }));
        business.usage(json!([measured("a", "ada", "tokens", 1_000_000)])).await;
        let old = business.preview(&token).await.body;
        assert_eq!((&old["recurringFeeCents"], &old["totals"]["ratedNanos"]), (&1900.into(), &"150000000".into()));
        let token = business.subscribe("bea", "clear").await;
        business.usage(json!([measured("a", "bea", "tokens", 1_000_000)])).await;
        let new = business.preview(&token).await.body;
        assert_eq!((&new["recurringFeeCents"], &new["totals"]["ratedNanos"]), (&9900.into(), &"900000000".into()));
    });
}
