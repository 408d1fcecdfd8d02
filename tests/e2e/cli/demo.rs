//! `svc demo`: the whole way.

use super::{Place, Told};

/// The demo on a free port. What fourteen days of trial waive of a fee of 1,900 cents depends on how long the month is.
fn demo(more: &[&str]) -> Told {
    let place = Place::new();
    for days in 28_i128..=31 {
        let waived = (1_900 * 10_000_000 * 14 + days - 1) / days;
        let (dollars, nanos) = (waived / 1_000_000_000, format!("{:09}", waived % 1_000_000_000));
        place.call(&format!("-${dollars}.{:0<2}", nanos.trim_end_matches('0')), "<what the trial waives>");
    }
    place.run(&[&["demo", "--once", "--listen", "127.0.0.1:0"], more].concat()).done()
}

#[test]
fn it_shows_both_previews() {
    insta::assert_snapshot!(demo(&[]), @r#"
    [stdout]
    # plan "starter" (transparent)
    owed for usage      <what the trial waives>
    recurring fee       $19.00
    usage in all         $2.814804
    paid by allowances   $2.814804

    FROM      TO        CHARGES  AMOUNT
    <moment>  <moment>  81       $2.814804

    ALLOWANCE  STATE      LEFT                SET ASIDE  EXPIRES
    included   available  $2.185196 of $5.00  -          <moment>
    promo      available  $10.00 of $10.00    -          <moment>

    curl -H 'Authorization: Bearer <portal token 1>' http://<address>/portal/businesses/<biz 1>/me/bill-preview
    or open, once and within five minutes: http://<address>/portal/businesses/<biz 1>/links/<link token 1>

    # plan "scale" (opaque)
    recurring fee  $99.00

    what is owed for usage is on the invoice

    ALLOWANCE  STATE      LEFT         SET ASIDE  EXPIRES
    included   available  17.04 of 20  -          <moment>

    curl -H 'Authorization: Bearer <portal token 2>' http://<address>/portal/businesses/<biz 1>/me/bill-preview
    or open, once and within five minutes: http://<address>/portal/businesses/<biz 1>/links/<link token 2>
    [stderr]
    built      <hash 1> as <bld 1>
    published  <rel 1>
    subscribed ada to "starter"; 41 usage items accepted, 0 refused
    subscribed grace to "scale"; 41 usage items accepted, 0 refused
    [exit status: 0]
    "#);
}

#[test]
fn the_envelope() {
    let told = demo(&["--format", "json"]).json();
    assert_eq!((&told["ok"], &told["op"]), (&true.into(), &"demo".into()));
    let previews = told["data"]["previews"].as_array().unwrap();
    let disclosures: Vec<&str> =
        previews.iter().map(|shown| shown["preview"]["disclosure"].as_str().unwrap()).collect();
    assert_eq!(disclosures, ["transparent", "opaque"]);
    for shown in previews {
        assert!(shown["curl"].as_str().unwrap().starts_with("curl -H 'Authorization: Bearer svc_portal_"));
    }
}

#[test]
fn an_address_that_is_taken() {
    let place = Place::new();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    insta::assert_snapshot!(place.run(&["demo", "--listen", &address]), @"
    [stderr]
    svc: ADDRESS_UNAVAILABLE: <address> can't be listened on: Address already in use (os error 98)
    [exit status: 4]
    ");
}

#[test]
fn a_product_is_built_on_push() {
    let shown = demo(&["--push", "--format", "json"]).json();
    let pushes = shown["data"]["pushes"].as_array().unwrap();
    let told: Vec<Vec<(&str, &str)>> = pushes
        .iter()
        .map(|push| {
            let statuses = push["statuses"].as_array().unwrap();
            statuses.iter().map(|one| (one["state"].as_str().unwrap(), one["description"].as_str().unwrap())).collect()
        })
        .collect();
    assert_eq!(
        told,
        [
            vec![
                ("success", "built; 1 warning"),
                (
                    "success",
                    "published: +plan classic, +plan enterprise, +plan free, 3 more plans; 54 changes, economic"
                )
            ],
            vec![
                ("success", "built; 1 warning"),
                ("success", "published: starter v1 → v2; 1 subscriber stays; 1 change, economic, breaking")
            ],
            vec![(
                "failure",
                "product/product.config.ts:232:37: UNKNOWN_OPTION `entitlements.base_access.limits.requests` has no option \"burst\""
            )],
        ]
    );
    assert_eq!(shown["data"]["subscriber"]["planVersion"], 1, "who subscribed before stays");
}

#[test]
fn it_shows_a_limit_that_is_met_and_the_bill_that_was_made() {
    let told =
        Place::new().run(&["demo", "--gateway", "--once", "--listen", "127.0.0.1:0", "--format", "json"]).done().json();
    let data = &told["data"];
    let statuses: Vec<u64> =
        data["requests"].as_array().unwrap().iter().map(|asked| asked["status"].as_u64().unwrap()).collect();
    assert_eq!(statuses, [200, 200, 200, 200, 200, 429, 429, 429]);
    assert_eq!(data["requests"][0]["rateLimit"], "RateLimit: \"requests\";r=4;t=12");
    assert_eq!(data["requests"][5]["code"], "RATE_LIMITED");
    assert_eq!(data["preview"]["totals"]["ratedNanos"], "10000000", "five forecasts at a fifth of a cent");
    let human = Place::new().run(&["demo", "--gateway", "--once", "--listen", "127.0.0.1:0"]).done();
    assert!(human.stdout.contains("GET /v1/forecast/berlin: 429 RATE_LIMITED  Retry-After: 1"), "{human}");
}
