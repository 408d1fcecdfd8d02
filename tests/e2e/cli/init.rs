//! `svc init`: a project that builds and type-checks as it is. That it installs with no package of ours on any registry, and passes its
//! tests, is told in `js-shim/scripts/init.test.mjs`.

use super::{CONFIG, Place};
use svc_tests::program::root;

#[test]
fn a_new_product_builds_as_it_is() {
    let place = Place::new();
    insta::assert_snapshot!(place.run(&["init", "shop"]), @"
    [stdout]
    shop/product/product.config.ts
    shop/product/pricing.test.ts
    shop/test/product.test.ts
    shop/package.json
    shop/tsconfig.json
    shop/.vscode/launch.json
    shop/.gitignore
    shop/.svc/packages/svc-product-0.1.0.tgz
    shop/.svc/packages/svc-backend-0.1.0.tgz
    shop/.svc/packages/svc-client-js-0.1.0.tgz
    next: cd shop && npm install && npm run check && npm test
    [exit status: 0]
    ");
    let checked = place.run(&["check", "shop", "--format", "json"]).done().json();
    assert_eq!((&checked["ok"], &checked["data"]["diagnostics"]), (&true.into(), &serde_json::json!([])));
    assert!(place.read("shop/package.json").contains("\"name\": \"shop\""));
    assert!(place.read("shop/product/product.config.ts").contains("export default class Shop {"));
}

/// The package as npm would lay it; `make test` has built it before.
#[test]
fn a_new_product_type_checks_as_it_is() {
    let place = Place::new();
    place.run(&["init"]).done();
    let package = root().join("js-shim/product");
    assert!(
        package.join("dist/index.d.ts").is_file(),
        "the package is not built; run `make test`, or `npm test` in js-shim/product"
    );
    std::fs::create_dir_all(place.path("node_modules/@svc")).unwrap();
    std::os::unix::fs::symlink(&package, place.path("node_modules/@svc/product")).unwrap();
    std::os::unix::fs::symlink(root().join("js-shim/node_modules/@types"), place.path("node_modules/@types")).unwrap();
    let mut tsc = std::process::Command::new(root().join("js-shim/node_modules/.bin/tsc"));
    let typed = tsc.arg("--noEmit").arg("-p").arg(place.path(".")).output().unwrap();
    assert!(typed.status.success(), "{}", String::from_utf8_lossy(&typed.stdout));
}

#[test]
fn what_is_there_is_left_as_it_is() {
    let place = Place::new();
    place.write(".gitignore", "mine");
    place.write("README.md", "mine too");
    insta::assert_snapshot!(place.run(&["init"]), @"
    [stdout]
    ./product/product.config.ts
    ./product/pricing.test.ts
    ./test/product.test.ts
    ./package.json
    ./tsconfig.json
    ./.vscode/launch.json
    ./.svc/packages/svc-product-0.1.0.tgz
    ./.svc/packages/svc-backend-0.1.0.tgz
    ./.svc/packages/svc-client-js-0.1.0.tgz
    next: npm install && npm run check && npm test
    [stderr]
    ./.gitignore was there and is left as it is
    [exit status: 0]
    ");
    assert_eq!((place.read(".gitignore").as_str(), place.read("README.md").as_str()), ("mine", "mine too"));
}

#[test]
fn a_manifest_that_is_there_is_left_as_it_is() {
    let place = Place::new();
    place.write("shop/package.json", "{}");
    let told = place.run(&["init", "shop", "--quiet"]).done();
    insta::assert_snapshot!(told.stdout.lines().last().unwrap(), @"next: cd shop && npm install --save-dev file:.svc/packages/svc-product-0.1.0.tgz typescript @types/node && npx tsc --noEmit && svc check");
    place.write("lib/package.json", "{}");
    let envelope = place.run(&["init", "lib", "--format", "json"]).done().json();
    assert_eq!(envelope["data"]["kept"], serde_json::json!(["lib/package.json"]));
    assert_eq!(envelope["data"]["files"].as_array().unwrap().len(), 6 + 3, "{envelope:#}");
    assert_eq!(place.read("lib/package.json"), "{}");
}

#[test]
fn a_product_that_is_there_is_not_touched() {
    let place = Place::new();
    place.write(CONFIG, "mine");
    insta::assert_snapshot!(place.run(&["init"]), @"
    [stderr]
    svc: FILE_EXISTS: . has a product already, product/product.config.ts; nothing was written
    [exit status: 5]
    ");
    insta::assert_snapshot!(place.run(&["init", "--format", "json"]), @r#"
    [stdout]
    {
      "schemaVersion": 1,
      "ok": false,
      "op": "init",
      "error": {
        "code": "FILE_EXISTS",
        "message": ". has a product already, product/product.config.ts; nothing was written",
        "hint": null
      },
      "diagnostics": []
    }
    [exit status: 5]
    "#);
    assert_eq!(place.list("."), ["product"]);
    assert_eq!(place.read(CONFIG).as_str(), "mine");
}

#[test]
fn a_file_in_the_folders_place() {
    let place = Place::new();
    place.write("shop", "a file");
    insta::assert_snapshot!(place.run(&["init", "shop"]), @"
    [stderr]
    svc: FILE_NOT_WRITTEN: shop can't be written: File exists (os error 17)
    [exit status: 4]
    ");
}
