//! A move in the middle of a period, for every form of a price and from each to each. Where the terms stay as they are the move changes
//! nothing, to the last fraction. Where they change, what was charged stays, and what comes beside it is bounded.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
#![allow(missing_docs, clippy::arithmetic_side_effects, reason = "tests")]

use jiff::Timestamp;
use num_traits::Zero;
use proptest::prelude::*;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use svc_engine::manifest::ir::{Aggregation, Key, MeterPrice, UnitPool};
use svc_engine::money::card::{Basis, RateCard};
use svc_engine::money::cell::Cell;
use svc_engine::money::rating::{ExactNanos, Levels, PeriodRating, Report};
use svc_engine::money::units::Units;

/// Micros of a cent.
const CENT: u64 = 10_000;

/// Every form of a price of the meter `m`; of `t`, which counts by an attribute, in the last one.
fn forms() -> Vec<(&'static str, Json)> {
    let tiers = |flats: [u64; 3], round: Option<&str>| -> Json {
        let tier = |end: Option<u64>, micros: u64, flat: u64| {
            let mut tier = json!({ "upTo": end, "micros": micros, "per": 7 });
            if flat > 0 {
                tier["flatMicros"] = json!(flat);
            }
            if let Some(round) = round {
                tier["round"] = json!(round);
            }
            tier
        };
        json!([
            tier(Some(20), 50 * CENT, flats[0]),
            tier(Some(60), 90 * CENT, flats[1]),
            tier(None, 11 * CENT, flats[2])
        ])
    };
    let linear = |micros: u64, per: u64, included: Json| json!({ "kind": "linear", "micros": micros, "per": per, "includedUnits": included });
    let with = |mut price: Json, more: &[(&str, Json)]| {
        more.iter().for_each(|(name, value)| price[*name] = value.clone());
        price
    };
    let each = json!({ "per": "o", "units": 10 });
    let flats = [35 * CENT, 70 * CENT, 95 * CENT];
    vec![
        ("no price", Json::Null),
        ("free", linear(0, 1, json!(0))),
        ("linear", linear(3 * CENT, 1, json!(0))),
        ("dearer", linear(7 * CENT, 3, json!(0))),
        ("included", linear(3 * CENT, 1, json!(25))),
        ("packages", with(linear(9 * CENT, 10, json!(5)), &[("round", json!("up"))])),
        ("for each of another", linear(3 * CENT, 1, each.clone())),
        ("packages past those for each", with(linear(9 * CENT, 10, each.clone()), &[("round", json!("up"))])),
        ("at most", with(linear(3 * CENT, 1, json!(0)), &[("maxCents", json!(60))])),
        (
            "at most, for each of another",
            with(linear(7 * CENT, 3, each), &[("maxCents", json!(90)), ("minCents", json!(9))]),
        ),
        ("graduated", json!({ "kind": "graduated", "tiers": tiers([0; 3], None) })),
        ("graduated, flat", json!({ "kind": "graduated", "tiers": tiers(flats, None), "includedUnits": 10 })),
        (
            "graduated packages, at most",
            json!({ "kind": "graduated", "tiers": tiers(flats, Some("up")), "maxCents": 250 }),
        ),
        ("volume", json!({ "kind": "volume", "tiers": tiers([0; 3], None) })),
        (
            "volume, flat",
            json!({ "kind": "volume", "tiers": tiers(flats, Some("up")), "includedUnits": { "per": "o", "units": 4 } }),
        ),
        (
            "pool",
            with(linear(3 * CENT, 1, json!(0)), &[("pool", json!({ "units": 40, "meters": { "m": 2, "o": 1 } }))]),
        ),
        (
            "pool of tiers",
            json!({ "kind": "graduated", "tiers": tiers(flats, None), "pool": { "units": 70, "meters": { "m": 1 } } }),
        ),
        ("rates", json!({ "kind": "rates", "per": 7, "rates": { "x": 5 * CENT, "y": CENT }, "of": "t" })),
        (
            "packages of rates",
            json!({ "kind": "rates", "per": 7, "round": "up", "rates": { "x": 2 * CENT }, "of": "t" }),
        ),
    ]
}

fn key(text: &str) -> Key {
    Key::try_from(text.to_owned()).unwrap()
}

/// The card of a form, where `m` counts so.
fn card(mut form: Json, how: Aggregation) -> Arc<RateCard> {
    let pool = form.get_mut("pool").map(Json::take);
    let pools: BTreeMap<Key, UnitPool> =
        pool.into_iter().map(|pool| (key("p"), serde_json::from_value(pool).unwrap())).collect();
    let meter = form.get_mut("of").map_or(json!("m"), Json::take);
    let prices: Vec<MeterPrice> = if form.is_null() {
        Vec::new()
    } else {
        let fields = form.as_object_mut().unwrap();
        fields.retain(|name, _| name != "pool" && name != "of");
        fields.insert("meter".to_owned(), meter);
        vec![serde_json::from_value(form).unwrap()]
    };
    let keys = [key("m"), key("o"), key("t"), key("k")];
    let by = &keys[3..];
    let other = if pools.is_empty() { Aggregation::Last } else { Aggregation::Sum };
    let meters = [(&keys[0], how, &[][..]), (&keys[1], other, &[][..]), (&keys[2], how, by)];
    let meters = meters.map(|(meter, aggregation, by)| (meter, Basis { aggregation, by }));
    Arc::new(RateCard::new(meters, &prices, &pools))
}

/// What is reported: of `m` and `t`, or of `o`, so many units.
#[derive(Clone, Copy, Debug)]
struct Reported {
    is_other: bool,
    units: u64,
}

impl Reported {
    fn cells(self) -> Vec<Cell> {
        if self.is_other {
            return vec![Cell::from(key("o"))];
        }
        vec![Cell::from(key("m")), Cell::new(key("t"), vec!["x".to_owned()])]
    }
}

/// A period with these cards after each other, and what was reported under each. `watch` sees it after every report.
fn lived(stretches: &[(&Arc<RateCard>, &[Reported])], mut watch: impl FnMut(&PeriodRating)) -> PeriodRating {
    let mut rating = PeriodRating::default();
    for (index, (card, reports)) in stretches.iter().enumerate() {
        rating.open(Arc::clone(card), Levels::new()).unwrap();
        for reported in *reports {
            for cell in reported.cells() {
                let units = Units::from_steps(u128::from(reported.units) * 100_000_000);
                let report = Report { units, is_new_key: !reported.is_other, at: Timestamp::UNIX_EPOCH, around: None };
                rating.admit(index, &cell, report).unwrap();
            }
            watch(&rating);
        }
    }
    rating
}

fn total(rating: &PeriodRating) -> ExactNanos {
    rating.windows().iter().map(|window| window.exact()).sum()
}

fn reports() -> impl Strategy<Value = Vec<Reported>> {
    let one = (prop::bool::weighted(0.3), 0_u64..400);
    let other = |(is_other, units)| Reported { is_other, units: if is_other { units / 40 * 10 } else { units } };
    prop::collection::vec(one.prop_map(other), 0..6)
}

const WAYS: [Aggregation; 5] =
    [Aggregation::Sum, Aggregation::Count, Aggregation::Max, Aggregation::Last, Aggregation::Unique];

fn can_be(name: &str, how: Aggregation) -> bool {
    // What is in a pool adds up.
    !name.starts_with("pool") || matches!(how, Aggregation::Sum | Aggregation::Count)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn a_move_that_leaves_the_terms_as_they_are_changes_nothing(before in reports(), after in reports(), end in reports()) {
        for how in WAYS {
            for (name, form) in forms().into_iter().filter(|(name, _)| can_be(name, how)) {
                let card = card(form, how);
                let moved = lived(&[(&card, &before), (&card, &after), (&card, &end)], |_| ());
                let all: Vec<Reported> = [before.clone(), after.clone(), end.clone()].concat();
                let stayed = lived(&[(&card, &all)], |_| ());
                prop_assert_eq!(total(&moved), total(&stayed), "{} {:?}", name, how);
            }
        }
    }

    #[test]
    fn what_other_terms_charged_stays_and_what_comes_beside_it_is_bounded(before in reports(), after in reports()) {
        for how in WAYS {
            let forms = || forms().into_iter().filter(|(name, _)| can_be(name, how)).enumerate();
            for ((from_index, (from, old)), (to_index, (to, new))) in forms().flat_map(|from| forms().map(move |to| (from.clone(), to))) {
                if from_index == to_index {
                    continue;
                }
                let most = new.get("maxCents").and_then(Json::as_u64);
                let most = most.map(|cents| ExactNanos::from_integer((cents * CENT * 1_000).into()));
                let is_pooled = new.get("pool").is_some();
                // In a pool `o` adds up, elsewhere its last report counts: what goes by it would have gone by another quantity.
                let goes_by_another = old.get("pool").is_some() && new["includedUnits"].is_object();
                let (old, new) = (card(old, how), card(new, how));
                let mut failed = None;
                let mut check = |holds: bool, what: &'static str| if !holds { failed.get_or_insert(what); };
                let moved = lived(&[(&old, &before), (&new, &after)], |rating| {
                    let [first, second] = rating.windows() else { return };
                    check(*second.exact() >= ExactNanos::zero(), "it gives back what other terms charged");
                    let charged = first.cells().filter(|(cell, _)| cell.meter().as_str() == "m").map(|(_, total)| total.exact);
                    if let Some(most) = &most {
                        let bound = charged.sum::<ExactNanos>().max(most.clone());
                        check(rating.of_meter(&key("m")) <= bound, "it is past the most of the period");
                    }
                });
                let first = lived(&[(&old, &before)], |_| ());
                check(moved.windows()[0].exact() == first.windows()[0].exact(), "what was charged has changed");
                let all: Vec<Reported> = before.iter().chain(&after).copied().collect();
                // A pool that other terms used up leaves its units in the tiers that they filled.
                let alone = total(&lived(&[(&new, &all)], |_| ()));
                check(is_pooled || goes_by_another || *moved.windows()[1].exact() <= alone, "it charges more than all would have cost by it");
                let others: Vec<Reported> = after.iter().filter(|report| report.is_other).copied().collect();
                let unused = lived(&[(&old, &before), (&new, &others)], |_| ());
                check(unused.windows()[1].exact().is_zero(), "it charges what is not used in it");
                prop_assert!(failed.is_none(), "from {from} to {to}, {how:?}: {}", failed.unwrap());
            }
        }
    }
}

#[test]
fn two_moves_that_were_found() {
    let how = Aggregation::Sum;
    let used = |units: u64| Reported { is_other: false, units: units * 10 };
    let other = |units: u64| Reported { is_other: true, units: units * 10 };
    let linear = |micros: u64, more: Json| {
        let mut price = json!({ "kind": "linear", "micros": micros, "per": 1, "includedUnits": 0 });
        more.as_object().unwrap().iter().for_each(|(name, value)| price[name] = value.clone());
        card(price, how)
    };
    let cents = |rating: &PeriodRating| -> Vec<String> {
        let cent = ExactNanos::from_integer((CENT * 1_000).into());
        rating.windows().iter().map(|window| (window.exact() / &cent).to_string()).collect()
    };
    // 1,000 units were free; with another member 500 more of them would be. Nothing was charged, so nothing is given back.
    let free = linear(0, json!({}));
    let each = linear(5 * CENT, json!({ "includedUnits": { "per": "o", "units": 500 } }));
    let members = [other(1), other(2)];
    assert_eq!(cents(&lived(&[(&free, &[used(1_000)]), (&each, &members)], |_| ())), ["0", "0"]);
    let more = [other(1), used(100), other(2), used(500)];
    assert_eq!(
        cents(&lived(&[(&free, &[used(1_000)]), (&each, &more)], |_| ())),
        ["0", "3000"],
        "600 past the thousand"
    );
    // Of 100 units at a cent, a most of 2.00 leaves room for a dollar, whatever they would cost by the new price.
    let (cheap, capped) = (linear(CENT, json!({})), linear(5 * CENT, json!({ "maxCents": 200 })));
    let both = |after: u64| lived(&[(&cheap, &[used(100)]), (&capped, &[used(after)])], |_| ());
    assert_eq!(cents(&both(10)), ["100", "50"]);
    assert_eq!(cents(&both(100)), ["100", "100"]);
    let dear = linear(9 * CENT, json!({}));
    assert_eq!(cents(&lived(&[(&dear, &[used(100)]), (&capped, &[used(100)])], |_| ())), ["900", "0"]);
}
