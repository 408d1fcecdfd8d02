//! `svc resource`: what the gateway counts, and what it is to count on from.

use super::Shop;

#[test]
fn what_is_counted_is_shown_and_put_right() {
    let shop = Shop::open();
    shop.subscribe("ada", "pro");
    insta::assert_snapshot!(shop.deploy(&["resource", "list", "ada"]), @"
    [stdout]
    nothing was ever counted of ada
    [exit status: 0]
    ");
    insta::assert_snapshot!(shop.deploy(&["resource", "set", "ada", "seats", "3"]), @"
    [stderr]
    svc: UNKNOWN_RESOURCE: the active release has no resource \"seats\"
    [exit status: 1]
    ");
    shop.republish("{ Feature,", "{ Feature, Resource,");
    shop.republish("@Requests() requests;", "@Requests() requests; @Resource(\"seats\") seatCount;");
    insta::assert_snapshot!(shop.deploy(&["resource", "set", "ada", "seats", "3"]), @"
    [stdout]
    RESOURCE  COUNT
    seats     3
    [exit status: 0]
    ");
    insta::assert_snapshot!(shop.deploy(&["resource", "set", "ada", "jobs", "many"]), @"
    [stderr]
    error: invalid value 'many' for '<COUNT>': invalid digit found in string

    For more information, try '--help'.
    [exit status: 2]
    ");
}
