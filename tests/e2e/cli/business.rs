//! `svc business`: made, and given tokens.

use super::Shop;

#[test]
fn a_business_is_made_and_given_tokens() {
    let shop = Shop::open();
    let made = shop.operator(&["business", "create", "Ada's jobs"]).done();
    let id = made.stdout.trim();
    assert!(id.starts_with("biz_") && made.stderr.is_empty(), "{made}");
    let deploy = shop.operator(&["token", "mint", "--business", id]).done();
    assert!(deploy.stdout.starts_with("svc_deploy_"), "{deploy}");
    let plans = shop.run(deploy.stdout.trim(), &["plan", "list", "--business", id]);
    assert_eq!(plans.code, Some(0), "{plans}");
    shop.subscribe("ada", "pro");
    let minted = ["token", "mint", "--subject", "ada", "--expires-in-seconds", "60", "--format", "json"];
    let portal = shop.operator(&minted).done().json();
    assert!(portal["data"]["expiresAt"].is_string(), "{portal}");
    shop.run(portal["data"]["token"].as_str().unwrap(), &["preview"]).done();
    let gateway = shop.operator(&["token", "mint", "--subject", "ada", "--kind", "gateway"]).done();
    assert!(gateway.stdout.starts_with("svc_gateway_"), "{gateway}");
}

#[test]
fn what_is_not_for_a_deploy_token_or_out_of_range() {
    let shop = Shop::open();
    insta::assert_snapshot!(shop.deploy(&["business", "create", "Mine"]), @"
    [stderr]
    svc: FORBIDDEN: an operator's token is needed
    [exit status: 5]
    ");
    insta::assert_snapshot!(shop.operator(&["token", "mint", "--expires-in-seconds", "0"]), @"
    [stderr]
    svc: TOKEN_LIFE_RANGE: expiresInSeconds is from 1 to 31622400, a leap year
    [exit status: 1]
    ");
}
