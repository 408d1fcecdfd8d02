//! `svc version`: everything that must agree.

use super::Place;

fn place() -> Place {
    let place = Place::new();
    place.call(svc_runtime::v8_version(), "<V8>");
    place
}

#[test]
fn versions() {
    insta::assert_snapshot!(place().run(&["version"]), @"
    [stdout]
    svc 0.1.0
    @svc/product 0.1.0
    Manifest IR 1
    V8 <V8>
    [exit status: 0]
    ");
    insta::assert_snapshot!(place().run(&["--version"]), @"
    [stdout]
    svc 0.1.0
    [exit status: 0]
    ");
}

#[test]
fn the_envelope() {
    let told = place().run(&["version", "--format", "json"]);
    insta::assert_snapshot!(told, @r#"
    [stdout]
    {
      "schemaVersion": 1,
      "ok": true,
      "op": "version",
      "data": {
        "svc": "0.1.0",
        "sdkVersion": "0.1.0",
        "irVersion": 1,
        "v8": "<V8>"
      }
    }
    [exit status: 0]
    "#);
    let data = &told.json()["data"];
    assert_eq!(data["sdkVersion"], svc_runtime::SDK_VERSION);
    assert_eq!(data["irVersion"], 1);
    assert!(data["v8"].as_str().unwrap().starts_with("15."));
}
