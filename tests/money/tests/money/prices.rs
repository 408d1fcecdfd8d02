//! Prices by attribute and pools where something is refused, moved or taken out, and what meters say of themselves. The simulator
//! compares the sums.

use serde_json::{Value as Json, json};
use svc_core::metering::Estimate;
use svc_money_tests::product::{build, build_with, linear, meter, plan};
use svc_money_tests::stores::{Fresh, FreshSqlite};
use svc_money_tests::world::{World, statuses};
use svc_store::records::BuildResult;

svc_money_tests::on_both_stores! {
    the_longest_values_are_kept_and_longer_ones_refused,
    a_hold_counts_on_what_meters_expect_of_themselves,
}

const START: &str = "2026-04-01T00:00:00Z";

/// Tokens by model, and minutes of two machines that share 100 units.
fn product(rates: Json) -> BuildResult {
    let mut tokens = meter("tokens", "sum");
    tokens["by"] = json!(["model"]);
    let rates = json!({ "meter": "tokens", "kind": "rates", "per": 1_000, "rates": rates });
    let prices = [linear("linux", 1_000, 1, 0), linear("macos", 10_000, 1, 0), rates];
    let pools = json!({ "pools": { "free": { "units": 100, "meters": { "linux": 1, "macos": 10 } } } });
    build(&[meter("linux", "sum"), meter("macos", "sum"), tokens], &[plan("basic", 0, &prices, pools)])
}

fn tokens(id: &str, units: u32, by: Json) -> Json {
    json!({ "id": id, "subject": "ada", "meter": "tokens", "units": units, "by": by })
}

async fn world(rates: Json) -> World<impl svc_store::Store + use<>> {
    let world = World::new(&FreshSqlite::new().await, product(rates), START).await;
    world.subscribe("ada", "basic").await;
    world
}

#[test]
fn a_cell_without_a_rate_is_refused_by_name_and_never_free() {
    svc_money_tests::block_on(async {
        let world = world(json!({ "large": 5_000, "none": 0 })).await;
        let results = world
            .send(vec![
                tokens("a", 7, json!({ "model": "large" })),
                tokens("b", 7, json!({ "model": "new" })),
                tokens("c", 7, json!({})),
                tokens("d", 7, json!({ "model": "large", "kind": "input" })),
                tokens("e", 7, json!({ "model": "" })),
                tokens("f", 7, json!({ "model": "none" })),
                json!({ "id": "g", "subject": "ada", "meter": "linux", "units": 1, "by": { "model": "large" } }),
                json!({ "id": "h", "subject": "ada", "route": "POST /v1/report", "status": 200, "reports": { "tokens": 5 } }),
                json!({ "id": "i", "subject": "ada", "route": "POST /v1/report", "status": 200, "reports": { "tokens": [
                    { "units": 1, "by": { "model": "large" } }, { "units": 2, "by": { "model": "large" } } ] } }),
                json!({ "id": "j", "subject": "ada", "route": "POST /v1/report", "status": 200, "reports": { "tokens": [
                    { "units": 1, "by": { "model": "large" } }, { "units": 2, "by": { "model": "none" } } ] } }),
            ])
            .await;
        let wanted = [
            "accepted",
            "CELL_WITHOUT_PRICE",
            "ATTRIBUTE_MISSING",
            "ATTRIBUTE_UNKNOWN",
            "ATTRIBUTE_FORM",
            "accepted",
            "ATTRIBUTE_UNKNOWN",
            "ATTRIBUTE_MISSING",
            "CELL_TWICE",
            "accepted",
        ];
        assert_eq!(statuses(&results), wanted);
        let named = serde_json::to_value(&results[1]).unwrap()["message"].as_str().unwrap().to_owned();
        assert_eq!(named, "the plan has no price for tokens[\"new\"]");
        assert_eq!(world.totals("ada").await.0, 8 * 5_000, "8 tokens of the large model at 5 micros");
        let lines = world.dry_close().await.open[0].lines.clone();
        let shown: Vec<_> = lines
            .iter()
            .map(|line| (line.by.values().next().unwrap().as_str(), line.quantity.as_str(), line.rated_nanos.get()))
            .collect();
        assert_eq!(shown, [("large", "8", 40_000), ("none", "9", 0)]);
        assert_eq!(serde_json::to_value(&lines[0]).unwrap()["by"], json!({ "model": "large" }));
        world.audit().await;
    });
}

#[test]
fn what_is_taken_out_gives_the_pool_back_to_those_after_it() {
    svc_money_tests::block_on(async {
        let world = world(json!({ "large": 1 })).await;
        let items = [("a", "macos", "8"), ("b", "linux", "50"), ("c", "macos", "1")];
        assert_eq!(statuses(&world.report("ada", &items).await), ["accepted"; 3]);
        // 80 by a; 20 of b's 50; nothing is left for c.
        assert_eq!(world.totals("ada").await.0, 30 * 1_000_000 + 10_000_000);
        world.refund("ada", "a").await.unwrap();
        assert_eq!(world.totals("ada").await.0, 0, "50 by b, 10 by c");
        let lines = world.dry_close().await.open[0].lines.clone();
        let pooled: Vec<String> = lines.iter().map(|line| line.pooled_units.to_string()).collect();
        assert_eq!(pooled, ["50", "1"]);
        for id in ["b", "c"] {
            world.refund("ada", id).await.unwrap();
        }
        assert_eq!(world.totals("ada").await, (0, 0, 0));
        world.audit().await;
    });
}

/// Values of eight attributes that take as many bytes as there may be, with an item's id and a unique key that do so too.
async fn the_longest_values_are_kept_and_longer_ones_refused(fresh: &impl Fresh) {
    let names = ["a", "b", "c", "d", "e", "f", "g", "h"];
    let mut users = meter("users", "unique");
    users["by"] = json!(names);
    let meters = [meter("all", "sum"), users];
    let world = World::new(fresh, build(&meters, &[plan("basic", 0, &[], json!({}))]), START).await;
    world.subscribe("ada", "basic").await;
    // What hardly compresses, of four bytes each.
    let wide = |seed: u32, count: u32| -> String {
        let letter = |at: u32| char::from_u32(0x1_F300 + (at * 7_919 + seed * 104_729) % 500).unwrap();
        (0..count).map(letter).collect()
    };
    let item = |id: u32, values: &[String]| {
        let by: Json = names
            .iter()
            .zip(values)
            .map(|(name, value)| ((*name).to_owned(), json!(value)))
            .collect::<serde_json::Map<_, _>>()
            .into();
        json!({ "id": wide(id, 200), "subject": "ada", "meter": "users", "units": 1, "uniqueKey": wide(id + 50, 200), "by": by })
    };
    // `users`, two brackets, seven commas and sixteen quotes are 30 bytes; eight values have 248 letters of four bytes, and two more.
    let mut values: Vec<String> = (0..8).map(|at| wide(at, 31)).collect();
    values[7].push_str("xy");
    let longest = item(1, &values);
    values[7].push('z');
    let long = item(2, &values);
    let quotes = item(3, &vec!["\"".repeat(100); 8]);
    let plain = item(4, &vec!["m".repeat(100); 8]);
    let results = world.send(vec![longest.clone(), long, quotes, plain]).await;
    assert_eq!(statuses(&results), ["accepted", "ATTRIBUTE_FORM", "ATTRIBUTE_FORM", "accepted"]);
    let said = serde_json::to_value(&results[1]).unwrap()["message"].as_str().unwrap().to_owned();
    assert_eq!(said, "the values of all attributes of \"users\" have more than 1024 bytes as JSON, with its key");
    assert_eq!(statuses(&world.send(vec![longest.clone()]).await), ["duplicate"]);
    world.refund("ada", longest["id"].as_str().unwrap()).await.unwrap();
    world.audit().await;
}

/// A route that reports a meter holds what it says itself, else what the meter says: so much is charged where no report comes back.
async fn a_hold_counts_on_what_meters_expect_of_themselves(fresh: &impl Fresh) {
    let mut expected = meter("expected", "sum");
    expected["estimate"] = json!(3);
    let mut both = meter("said", "sum");
    both["estimate"] = json!(100);
    let mut by = meter("tokens", "sum");
    (by["estimate"], by["by"]) = (json!(100), json!(["model"]));
    let mut unreported = meter("unreported", "sum");
    unreported["estimate"] = json!(100);
    let rates = json!({ "meter": "tokens", "kind": "rates", "per": 1, "rates": { "large": 1_000_000 } });
    let prices = ["expected", "said", "unknown", "unreported"].map(|meter| linear(meter, 10_000, 1, 0));
    let prices = [&prices[..], &[rates]].concat();
    let meters = [meter("unknown", "sum"), expected, both, by, unreported];
    let build = build_with(&meters, &[plan("basic", 0, &prices, json!({}))], |ir| {
        let route = &mut ir["routes"][1];
        (route["reports"], route["estimates"]) =
            (json!(["expected", "said", "tokens", "unknown"]), json!({ "said": 2 }));
    });
    let world = World::new(fresh, build, START).await;
    world.subscribe("ada", "basic").await;
    world.give("ada", 1_000, "promo", None).await;
    let estimate = Estimate::Route { route: "POST /v1/report".to_owned() };
    let held = world.core.hold(&world.business, "ada", "h", &estimate, 60, world.now).await.unwrap();
    assert_eq!(held.held_nanos.get(), 5 * 10_000_000, "3 that the meter expects, and 2 that the route says, at a cent");
}
