//! `svc packages`: the npm packages of the program's own version, and a project that uses others.

use super::Place;

const MANIFEST: &str = "package.json";

#[test]
fn the_tarballs_are_written() {
    let place = Place::new();
    insta::assert_snapshot!(place.run(&["packages", "shop"]), @"
    [stdout]
    shop/.svc/packages/svc-product-0.1.0.tgz
    shop/.svc/packages/svc-backend-0.1.0.tgz
    shop/.svc/packages/svc-client-js-0.1.0.tgz
    [exit status: 0]
    ");
    let first = std::fs::read(place.path("shop/.svc/packages/svc-product-0.1.0.tgz")).unwrap();
    place.write("shop/.svc/packages/svc-product-0.1.0.tgz", "damaged");
    insta::assert_snapshot!(place.run(&["packages", "shop", "--format", "json"]), @r#"
    [stdout]
    {
      "schemaVersion": 1,
      "ok": true,
      "op": "packages",
      "data": {
        "version": "0.1.0",
        "files": [
          "shop/.svc/packages/svc-product-0.1.0.tgz",
          "shop/.svc/packages/svc-backend-0.1.0.tgz",
          "shop/.svc/packages/svc-client-js-0.1.0.tgz"
        ]
      }
    }
    [exit status: 0]
    "#);
    assert_eq!(std::fs::read(place.path("shop/.svc/packages/svc-product-0.1.0.tgz")).unwrap(), first);
}

#[test]
fn a_project_in_lockstep() {
    let place = Place::new();
    place.run(&["init"]).done();
    place.write("node_modules/@svc/product/package.json", r#"{ "version": "0.1.0" }"#);
    assert_eq!(place.run(&["packages"]).done().stderr, "");
}

#[test]
fn a_project_that_uses_other_versions() {
    let place = Place::new();
    place.write(
        MANIFEST,
        r#"{ "dependencies": { "@svc/backend": "^0.1.0", "express": "1" }, "devDependencies": { "@svc/product": "file:.svc/packages/svc-product-0.0.9.tgz" } }"#,
    );
    place.write("node_modules/@svc/product/package.json", r#"{ "version": "0.0.9" }"#);
    insta::assert_snapshot!(place.run(&["packages"]), @"
    [stderr]
    svc: OUT_OF_LOCKSTEP: the packages of . are not in lockstep with svc 0.1.0: @svc/product is file:.svc/packages/svc-product-0.0.9.tgz in package.json, @svc/product is 0.0.9 in node_modules, @svc/backend is ^0.1.0 in package.json
      hint: the tarballs of 0.1.0 were written; in . run `npm install ./.svc/packages/svc-product-0.1.0.tgz ./.svc/packages/svc-backend-0.1.0.tgz`
    [exit status: 1]
    ");
    insta::assert_snapshot!(place.run(&["packages", "--format", "json"]), @r#"
    [stdout]
    {
      "schemaVersion": 1,
      "ok": false,
      "op": "packages",
      "error": {
        "code": "OUT_OF_LOCKSTEP",
        "message": "the packages of . are not in lockstep with svc 0.1.0: @svc/product is file:.svc/packages/svc-product-0.0.9.tgz in package.json, @svc/product is 0.0.9 in node_modules, @svc/backend is ^0.1.0 in package.json",
        "hint": "the tarballs of 0.1.0 were written; in . run `npm install ./.svc/packages/svc-product-0.1.0.tgz ./.svc/packages/svc-backend-0.1.0.tgz`"
      },
      "diagnostics": []
    }
    [exit status: 1]
    "#);
    assert_eq!(place.list(".svc/packages").len(), 3, "they are written all the same");
}

#[test]
fn a_manifest_that_is_no_json() {
    let place = Place::new();
    place.write(MANIFEST, "{");
    insta::assert_snapshot!(place.run(&["packages"]), @"
    [stderr]
    svc: FILE_NOT_READ: ./package.json can't be read: EOF while parsing an object at line 1 column 1
    [exit status: 4]
    ");
}
