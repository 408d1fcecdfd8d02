//! `svc release`: what was published, and the way back.

use super::Shop;

#[test]
fn what_was_released_before_is_released_again() {
    let shop = Shop::open();
    shop.subscribe("ada", "pro");
    insta::assert_snapshot!(shop.deploy(&["release", "rollback"]), @"
    [stderr]
    svc: NO_RELEASE: there is no earlier release with another manifest
      hint: svc release list shows what there is
    [exit status: 5]
    ");
    shop.republish("amount: 1900", "amount: 2900");
    insta::assert_snapshot!(shop.deploy(&["release", "list"]), @"
    [stdout]
    RELEASE  ACTIVATED  ACTIVE  BUILD    MANIFEST
    <rel 1>  <moment>   yes     <bld 1>  <hash 1>
    <rel 2>  <moment>           <bld 2>  <hash 2>
    [exit status: 0]
    ");
    insta::assert_snapshot!(shop.deploy(&["release", "rollback", "--dry-run"]), @"
    [stdout]
    plans
      ~ pro
          ~ price $29.00 → $19.00 (−34 %)  [economic]

    plan free: version 1 → 1; no subscribers
    plan pro: version 2 → 3; 1 on version 1, who stay there
    1 change; economic: true; breaking: false
    [exit status: 0]
    ");
    insta::assert_snapshot!(shop.deploy(&["release", "rollback"]), @"
    [stdout]
    <hash 2>
    published as <rel 3>
    [exit status: 0]
    ");
    let listed = shop.deploy(&["release", "list", "--format", "json"]).done().json();
    let hashes: Vec<&str> =
        listed["data"]["releases"].as_array().unwrap().iter().map(|one| one["irHash"].as_str().unwrap()).collect();
    assert_eq!((hashes.len(), hashes[0]), (3, hashes[2]));
    // Forward again, to the one that is named.
    let newer = listed["data"]["releases"][1]["releaseId"].as_str().unwrap();
    let told = shop.deploy(&["release", "rollback", newer, "--format", "json"]).done().json();
    assert_eq!((&told["op"], &told["data"]["irHash"]), (&"release rollback".into(), &hashes[1].into()));
    assert_eq!(told["data"]["planVersions"]["pro"], 4, "what costs something else is another version");
}

#[test]
fn a_release_that_is_not_there() {
    let shop = Shop::open();
    insta::assert_snapshot!(shop.deploy(&["release", "rollback", "rel_none"]), @"
    [stderr]
    svc: NO_RELEASE: there is no release rel_none
      hint: svc release list shows what there is
    [exit status: 5]
    ");
    let new = Shop::before_its_first_release();
    insta::assert_snapshot!(new.deploy(&["release", "rollback"]), @"
    [stderr]
    svc: NO_RELEASE: the business has published nothing yet
      hint: svc release list shows what there is
    [exit status: 5]
    ");
    insta::assert_snapshot!(new.deploy(&["release", "list"]), @"
    [stdout]
    RELEASE  ACTIVATED  ACTIVE  BUILD  MANIFEST
    [exit status: 0]
    ");
}
