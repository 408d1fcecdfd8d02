//! Golden files of the IR: the examples' whole, and every valid product's.

use serde_json::Value as Json;
use svc_builds::compile;
use svc_engine::manifest::canonical;
use svc_engine::sources::Sources;
use svc_runtime::worker::WorkerConfig;
use svc_tests::case::{Case, cases};
use svc_tests::golden;
use svc_tests::program::{block_on, pool, root};

/// An example's files.
pub(super) fn example(name: &str) -> Sources {
    let folder = root().join("examples").join(name).join("product");
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    entries
        .map(|entry| {
            (format!("product/{}", entry.file_name().to_str().unwrap()), std::fs::read_to_string(entry.path()).unwrap())
        })
        .collect()
}

fn ir_of(case: &Case) -> String {
    let compiled = block_on(compile(&pool(WorkerConfig::default()), case.sources.clone())).unwrap();
    let ir = compiled
        .ir
        .unwrap_or_else(|| panic!("{} does not build: {:#?} {:?}", case.name, compiled.diagnostics, compiled.failure));
    assert_eq!(ir.hash, canonical::hash_bytes(ir.text.as_bytes()));
    ir.text
}

/// The text for people to review: pretty, keys as the canonical form orders them.
fn reviewable(ir: &str) -> String {
    let mut json: Json = serde_json::from_str(ir).unwrap();
    json.sort_all_objects();
    format!("{json:#}\n")
}

#[test]
fn golden_ir_of_the_examples() {
    for name in ["croncloud", "tokens"] {
        let ir = ir_of(&Case::new(name, example(name)));
        golden::check(&format!("tests/golden/examples/{name}.ir.json"), &reviewable(&ir));
    }
}

/// `js-shim/scripts/ir-schema.test.mjs` holds that each fits the schema.
#[test]
fn golden_ir_of_every_valid_product() {
    for case in cases("products/valid") {
        let ir = ir_of(&case);
        // What is read back is the same product.
        let manifest: svc_engine::manifest::Manifest = serde_json::from_str(&ir).unwrap();
        assert_eq!(canonical::bytes(&manifest).unwrap(), ir.as_bytes(), "{}", case.name);
        golden::check(&format!("tests/golden/valid/{}.ir.json", case.name), &reviewable(&ir));
    }
}

#[test]
fn golden_diagnostics_of_every_invalid_product() {
    let pool = pool(WorkerConfig::default());
    for case in cases("products/invalid") {
        let compiled = block_on(compile(&pool, case.sources.clone())).unwrap();
        let mut text = String::new();
        for diagnostic in &compiled.diagnostics {
            text.push_str(&svc_builds::excerpt::render(diagnostic, &case.sources));
            text.push('\n');
            text.push_str(&serde_json::to_string(diagnostic).unwrap());
            text.push_str("\n\n");
        }
        golden::check(&format!("tests/golden/invalid/{}.txt", case.name), &text);
    }
}

#[test]
fn golden_schema_of_the_ir() {
    golden::check("docs/manifest.schema.json", &format!("{:#}\n", canonical::schema()));
}
