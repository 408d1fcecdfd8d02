//! `svc init`: a product that builds and type-checks as it is.

use super::{CONFIG, Place};
use svc_tests::program::root;

#[test]
fn a_new_product_builds_as_it_is() {
    let place = Place::new();
    insta::assert_snapshot!(place.run(&["init", "shop"]), @"
    [stdout]
    shop/product/product.config.ts
    shop/package.json
    shop/tsconfig.json
    shop/.vscode/launch.json
    shop/.gitignore
    next: svc check shop
    [exit status: 0]
    ");
    let checked = place.run(&["check", "shop", "--format", "json"]).done().json();
    assert_eq!((&checked["ok"], &checked["data"]["diagnostics"]), (&true.into(), &serde_json::json!([])));
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
    let mut tsc = std::process::Command::new(root().join("js-shim/node_modules/.bin/tsc"));
    let typed = tsc.arg("-p").arg(place.path(".")).output().unwrap();
    assert!(typed.status.success(), "{}", String::from_utf8_lossy(&typed.stdout));
}

#[test]
fn the_envelope_names_the_files() {
    let place = Place::new();
    insta::assert_snapshot!(place.run(&["init", "--format", "json"]), @r#"
    [stdout]
    {
      "schemaVersion": 1,
      "ok": true,
      "op": "init",
      "data": {
        "files": [
          "./product/product.config.ts",
          "./package.json",
          "./tsconfig.json",
          "./.vscode/launch.json",
          "./.gitignore"
        ]
      }
    }
    [exit status: 0]
    "#);
    assert_eq!(place.list("."), [".gitignore", ".vscode", "package.json", "product", "tsconfig.json"]);
}

#[test]
fn what_is_there_is_not_touched() {
    let place = Place::new();
    place.write(CONFIG, "mine");
    place.write(".gitignore", "mine too");
    insta::assert_snapshot!(place.run(&["init"]), @"
    [stderr]
    svc: FILE_EXISTS: . has product/product.config.ts, .gitignore already; nothing was written
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
        "message": ". has product/product.config.ts, .gitignore already; nothing was written",
        "hint": null
      },
      "diagnostics": []
    }
    [exit status: 5]
    "#);
    assert_eq!(place.list("."), [".gitignore", "product"]);
    assert_eq!((place.read(CONFIG).as_str(), place.read(".gitignore").as_str()), ("mine", "mine too"));
}

#[test]
fn a_file_in_the_folders_place() {
    let place = Place::new();
    place.write("shop", "a file");
    insta::assert_snapshot!(place.run(&["init", "shop"]), @"
    [stderr]
    svc: FILE_NOT_WRITTEN: shop/product/product.config.ts can't be written: Not a directory (os error 20)
    [exit status: 4]
    ");
}
