//! `svc build`: what it writes, and what it leaves alone. What is wrong with a product is told in `check.rs`.

use super::shop::PRICED;
use super::{CONFIG, Place, tiny};
use serde_json::Value as Json;
use std::os::unix::fs::{FileTypeExt, symlink};
use std::os::unix::net::UnixListener;
use std::process::Command;

const FILE: &str = "product-build.json";

#[test]
fn it_writes_one_file() {
    let place = Place::with(&tiny(""));
    let built = place.run(&["build"]).done();
    insta::assert_snapshot!(built, @"
    [stdout]
    <hash 1>
    wrote ./product-build.json
    [exit status: 0]
    ");
    assert_eq!(place.list("."), ["product", FILE]);
    let file: Json = serde_json::from_str(&place.read(FILE)).unwrap();
    assert_eq!(file["irHash"], built.stdout.lines().next().unwrap());
    assert_eq!(file["ir"]["product"]["name"], "Tiny");
    assert_eq!(file["sdkVersion"], svc_runtime::SDK_VERSION);
    assert!(file["engine"]["v8"].is_string());
    assert_eq!(file["diagnostics"], serde_json::json!([]));
}

#[test]
fn the_envelope_names_the_file() {
    let place = Place::new();
    place.write(&format!("shop/{CONFIG}"), tiny(""));
    insta::assert_snapshot!(place.run(&["build", "shop", "--format", "json"]), @r#"
    [stdout]
    {
      "schemaVersion": 1,
      "ok": true,
      "op": "build",
      "data": {
        "irHash": "<hash 1>",
        "diagnostics": [],
        "file": "shop/product-build.json"
      }
    }
    [exit status: 0]
    "#);
}

#[test]
fn the_same_source_gives_the_same_file() {
    let place = Place::with(&tiny(""));
    place.run(&["build"]).done();
    let first = place.read(FILE);
    place.run(&["build", "--v8-seed", "7"]).done();
    assert_eq!(place.read(FILE), first);
}

#[test]
fn a_wrong_product_leaves_the_file_of_before() {
    let place = Place::with(&tiny(""));
    place.write(FILE, "of before");
    place.edit(CONFIG, "rate: 60", "rate: \"sixty\"");
    insta::assert_snapshot!(place.run(&["build"]), @r#"
    [stderr]
    error[WRONG_TYPE]: `plans.free.limits.requests.rate` takes a non-negative number, not the string "sixty"
     --> product/product.config.ts:5:47
      |
    5 |   @Plan("free", { limits: { requests: { rate: "sixty", interval: "minute" } } }) free;
      |                                               ^^^^^^^

    svc: BUILD_REJECTED: 1 error
    [exit status: 1]
    "#);
    assert_eq!(place.read(FILE), "of before");
}

#[test]
fn a_link_in_the_files_place_is_replaced_and_not_followed() {
    let (place, other) = (Place::with(&tiny("")), Place::new());
    other.write("precious", "not a build's");
    symlink(other.path("precious"), place.path(FILE)).unwrap();
    insta::assert_snapshot!(place.run(&["build"]), @"
    [stdout]
    <hash 1>
    wrote ./product-build.json
    [exit status: 0]
    ");
    assert_eq!(other.read("precious"), "not a build's");
    assert!(place.path(FILE).symlink_metadata().unwrap().is_file());
    assert!(place.read(FILE).starts_with('{'));
}

#[test]
fn a_folder_in_the_files_place_stays() {
    let place = Place::with(&tiny(""));
    place.write(&format!("{FILE}/inside"), "kept");
    insta::assert_snapshot!(place.run(&["build"]), @"
    [stderr]
    svc: FILE_NOT_WRITTEN: ./product-build.json can't be written: Is a directory (os error 21)
    [exit status: 4]
    ");
    assert_eq!(
        (place.list("."), place.list(FILE)),
        (vec!["product".to_owned(), FILE.to_owned()], vec!["inside".to_owned()])
    );
}

/// A limit on the size of files stands for a full disk: the first block is written, then no more.
#[test]
fn where_writing_fails_the_old_file_is_whole() {
    let place = Place::with(PRICED);
    place.run(&["build"]).done();
    let before = place.read(FILE);
    assert!(before.len() > 1024, "more than the limit below");
    place.edit(CONFIG, "rate: 600", "rate: 601");
    let svc = svc_tests::program::svc();
    let script = "trap '' XFSZ; ulimit -f 1; exec \"$0\" build";
    let mut limited = Command::new("bash");
    let output = limited.args(["-c", script]).arg(svc).env_clear().current_dir(place.path(".")).output().unwrap();
    insta::assert_snapshot!(place.tell(&output), @"
    [stderr]
    svc: FILE_NOT_WRITTEN: ./product-build.json can't be written: File too large (os error 27)
    [exit status: 4]
    ");
    assert_eq!(place.read(FILE), before);
    assert_eq!(place.list("."), ["product", FILE], "nothing half written stays");
}

#[test]
fn a_folder_that_is_not_there() {
    insta::assert_snapshot!(Place::new().run(&["build", "nowhere"]), @"
    [stderr]
    svc: PRODUCT_NOT_FOUND: nowhere has no folder `product`
      hint: give the folder that holds `product/product.config.ts`
    [exit status: 4]
    ");
}

#[test]
fn a_pipe_below_product_ends_it_at_once() {
    let place = Place::with(&tiny(""));
    assert!(Command::new("mkfifo").arg(place.path("product/waits.ts")).status().unwrap().success());
    insta::assert_snapshot!(place.run(&["build"]), @"
    [stderr]
    svc: FILE_UNREADABLE: product/waits.ts can't be read: it is a pipe, a device or a socket, not a file
    [exit status: 4]
    ");
}

#[test]
fn a_socket_below_product_ends_it_at_once() {
    let place = Place::with(&tiny(""));
    let _listening = UnixListener::bind(place.path("product/listens.ts")).unwrap();
    insta::assert_snapshot!(place.run(&["build"]), @"
    [stderr]
    svc: FILE_UNREADABLE: product/listens.ts can't be read: it is a pipe, a device or a socket, not a file
    [exit status: 4]
    ");
}

/// Only root may make a device; elsewhere there is nothing to tell.
#[test]
fn a_device_below_product_ends_it_at_once() {
    let place = Place::with(&tiny(""));
    let device = place.path("product/zero.ts");
    let made = Command::new("mknod").arg(&device).args(["c", "1", "5"]).output().unwrap();
    if made.status.success() {
        assert!(device.metadata().unwrap().file_type().is_char_device());
        insta::assert_snapshot!(place.run(&["build"]), @"
        [stderr]
        svc: FILE_UNREADABLE: product/zero.ts can't be read: it is a pipe, a device or a socket, not a file
        [exit status: 4]
        ");
    }
}

#[test]
fn a_link_below_product_is_no_part_of_it() {
    let (place, other) = (Place::with("import \"./outside\";\n"), Place::new());
    other.write("outside.ts", "export const secret = 1;");
    symlink(other.path("outside.ts"), place.path("product/outside.ts")).unwrap();
    insta::assert_snapshot!(place.run(&["build"]), @r#"
    [stderr]
    error[IMPORT_NOT_FOUND]: "./outside" names no file; `product/outside` is not there
     --> product/product.config.ts:1:8
      |
    1 | import "./outside";
      |        ^^^^^^^^^^^
      |
      = help: a product's files end in `.ts`, `.js` or `.json` and lie below `product/`; `.d.ts` files, hidden files and links are not part of a build

    svc: BUILD_REJECTED: 1 error
    [exit status: 1]
    "#);
}
