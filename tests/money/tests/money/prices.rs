//! Prices by attribute and pools where something is refused, moved or taken out. The simulator compares the sums.

use serde_json::{Value as Json, json};
use svc_money_tests::product::{build, linear, meter, plan};
use svc_money_tests::stores::FreshSqlite;
use svc_money_tests::world::{World, statuses};
use svc_store::records::BuildResult;

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
