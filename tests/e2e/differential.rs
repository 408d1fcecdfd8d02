//! The isolate changes nothing but what it bans: every valid product's registry is, to the letter, the one that the plain
//! package gives under Node in either decorator dialect.

use super::golden::example;
use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Stdio};
use svc_engine::sources::Sources;
use svc_runtime::worker::WorkerConfig;
use svc_runtime::{Job, Outcome, Stage};
use svc_tests::case::cases;
use svc_tests::program::{block_on, pool, root};

fn under_node(products: &BTreeMap<String, Sources>) -> BTreeMap<String, BTreeMap<String, String>> {
    assert!(
        root().join("js-shim/node_modules/esbuild").is_dir(),
        "the package's development dependencies are not installed; run `make test`, or `npm ci` in js-shim"
    );
    let mut node = Command::new("node")
        .arg(root().join("tests/differential/registries.mjs"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    node.stdin.take().unwrap().write_all(serde_json::to_string(products).unwrap().as_bytes()).unwrap();
    let output = node.wait_with_output().unwrap();
    assert!(output.status.success());
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn registries_are_those_of_the_plain_package_in_both_dialects() {
    let mut products: BTreeMap<String, Sources> =
        cases("products/valid").into_iter().map(|case| (case.name, case.sources)).collect();
    for name in ["croncloud", "tokens"] {
        products.insert(format!("example-{name}"), example(name));
    }
    let plain = under_node(&products);
    let pool = pool(WorkerConfig::default());
    let mut different = String::new();
    for (name, sources) in products {
        let Outcome::Collected(registry) = block_on(pool.build(Job { sources, stage: Stage::Registry })).unwrap()
        else {
            panic!("{name} does not build");
        };
        for (dialect, text) in &plain[&name] {
            if *text != registry {
                let at = text.bytes().zip(registry.bytes()).position(|(a, b)| a != b).unwrap_or(0);
                let near = |text: &str| {
                    text.get(at.saturating_sub(60)..).unwrap_or(text).chars().take(140).collect::<String>()
                };
                different.push_str(&format!(
                    "{name} ({dialect}):\n  node    …{}\n  isolate …{}\n",
                    near(text),
                    near(&registry)
                ));
            }
        }
    }
    assert!(different.is_empty(), "{different}");
}
