//! Why a bill is what it is: the tree from its total to the parts of each price, exactly.

use serde_json::{Value as Json, json};
use svc_core::CoreError;
use svc_core::explain::{Explained, Node};
use svc_money_tests::product::{build, credit, meter, plan};
use svc_money_tests::stores::Fresh;
use svc_money_tests::world::World;
use svc_store::records::{BuildResult, Id};

svc_money_tests::on_both_stores! {
    a_bill_is_explained_down_to_the_parts_of_a_price,
    a_closed_bill_stays_as_it_was_invoiced,
    a_subscriber_is_told_nothing_of_an_opaque_plan,
}

const START: &str = "2026-01-01T00:00:00Z";

fn product(disclosure: &str) -> BuildResult {
    let tiers =
        json!([{ "upTo": 100, "micros": 7, "per": 3, "flatMicros": 50 }, { "upTo": null, "micros": 2, "per": 1 }]);
    let price = json!({ "meter": "tokens", "kind": "graduated", "tiers": tiers, "includedUnits": 10 });
    let more = json!({ "grants": [credit("included", 1, true)], "spendPolicy": { "disclosure": disclosure } });
    build(&[meter("tokens", "sum")], &[plan("basic", 1_000, &[price], more)])
}

fn lines(node: &Node, depth: usize, all: &mut Vec<String>) {
    let quantity = node.quantity.as_deref().map(|quantity| format!(" [{quantity}]")).unwrap_or_default();
    let name = node.name.split(" bkt_").next().unwrap();
    all.push(format!("{}{name}{quantity} {}", "  ".repeat(depth), node.exact));
    node.children.iter().for_each(|child| lines(child, depth + 1, all));
}

async fn a_bill_is_explained_down_to_the_parts_of_a_price(fresh: &impl Fresh) {
    let world = World::new(fresh, product("transparent"), START).await;
    let id = world.subscribe("ada", "basic").await.id;
    world.report("ada", &[("a", "tokens", "11"), ("b", "tokens", "200")]).await;
    let explained = world.core.explain(&world.business, &Explained::Open(id.clone()), (0, 1), world.now).await.unwrap();
    let mut all = Vec::new();
    lines(&explained.total, 0, &mut all);
    // 10 of 211 tokens are free, 100 cost 7 micros for 3 and the tier 50 micros, 101 cost 2 micros each.
    let window = "basic from 2026-01-01T00:00:00Z to 2026-02-01T00:00:00Z";
    assert_eq!(
        all,
        [
            "total 10000000000".to_owned(),
            "  recurring fee 10000000000".to_owned(),
            "  usage 0".to_owned(),
            format!("    {window} 485333"),
            "      tokens [211] 1456000/3".to_owned(),
            "        included, free [10] 0".to_owned(),
            "        units of tier 1 [100] 700000/3".to_owned(),
            "        tier 1 itself 50000".to_owned(),
            "        units of tier 2 [101] 202000".to_owned(),
            "      fractions below a nano -1/3".to_owned(),
            "    paid by included credit -485333".to_owned(),
        ]
    );
    assert_eq!((explained.charges.len(), explained.cursor), (1, Some(1)));
    let rest = world.core.explain(&world.business, &Explained::Open(id), (1, 1), world.now).await.unwrap();
    assert_eq!((rest.charges[0].item.as_deref(), rest.cursor), (Some("b"), None));
    let missing = world.core.explain(&world.business, &Explained::Invoice(Id::named("inv_0")), (0, 1), world.now).await;
    assert!(matches!(missing, Err(CoreError::NotFound(_))), "{missing:?}");
}

async fn a_closed_bill_stays_as_it_was_invoiced(fresh: &impl Fresh) {
    let mut world = World::new(fresh, product("transparent"), START).await;
    world.subscribe("ada", "basic").await;
    world.report("ada", &[("a", "tokens", "100000"), ("b", "tokens", "500000")]).await;
    world.go("2026-02-10T00:00:00Z");
    let invoice = world.close().await.remove(0);
    let which = Explained::Invoice(invoice.invoice_id.clone().unwrap());
    let before = world.core.explain(&world.business, &which, (0, 10), world.now).await.unwrap();
    assert_eq!(
        (before.total_cents, before.invoice_id.as_ref()),
        (invoice.invoice.total_cents, invoice.invoice_id.as_ref())
    );
    world.refund("ada", "b").await.unwrap();
    let after = world.core.explain(&world.business, &which, (0, 10), world.now).await.unwrap();
    assert_eq!(after.total_cents, before.total_cents);
    assert_eq!(after.charges.len(), 3, "two charges, and the void of one");
}

async fn a_subscriber_is_told_nothing_of_an_opaque_plan(fresh: &impl Fresh) {
    for (disclosure, is_told) in [("transparent", true), ("opaque", false)] {
        let world = World::new(fresh, product(disclosure), START).await;
        world.subscribe("ada", "basic").await;
        world.report("ada", &[("a", "tokens", "50")]).await;
        let told = world.core.explain_to_subject(&world.business, "ada", world.now).await.unwrap();
        assert_eq!(told.is_some(), is_told, "{disclosure}");
        let shown: Json = json!(told);
        assert_eq!(shown.to_string().contains("nanos"), is_told);
    }
}
