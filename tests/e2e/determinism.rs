//! A build is a function of its source: whatever the run, the zone, the locale or V8's seeds, the bytes are the same.

use super::golden::example;
use std::collections::BTreeSet;
use std::process::Command;
use svc_runtime::worker::WorkerConfig;
use svc_server::core::builds::compile;
use svc_tests::program::{block_on, pool, root, svc};

/// Builds in each of the runs below.
const BUILDS: u32 = 100;

#[test]
fn a_hundred_builds_under_as_many_seeds_are_one() {
    for name in ["croncloud", "tokens"] {
        let mut texts = BTreeSet::new();
        for seed in 0..BUILDS {
            let pool = pool(WorkerConfig { seed: Some(seed * 7919 + 1), ..WorkerConfig::default() });
            let compiled = block_on(compile(&pool, example(name))).unwrap();
            texts.insert(compiled.ir.unwrap().text);
        }
        assert_eq!(texts.len(), 1, "{name}");
    }
}

#[test]
fn zones_locales_and_folders_do_not_matter() {
    for name in ["croncloud", "tokens"] {
        let mut files = BTreeSet::new();
        for (zone, locale) in [
            ("UTC", "C"),
            ("Asia/Tokyo", "sv_SE.UTF-8"),
            ("America/St_Johns", "tr_TR.UTF-8"),
            ("Pacific/Apia", "de_DE.UTF-8"),
        ] {
            let folder = tempfile::tempdir().unwrap();
            let product = folder.path().join("product");
            std::fs::create_dir(&product).unwrap();
            for (path, text) in example(name) {
                std::fs::write(folder.path().join(path), text).unwrap();
            }
            let built = Command::new(svc())
                .arg("build")
                .arg(folder.path())
                .env("TZ", zone)
                .env("LANG", locale)
                .env("LC_ALL", locale)
                .output()
                .unwrap();
            assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
            files.insert(std::fs::read(folder.path().join("product-build.json")).unwrap());
        }
        assert_eq!(files.len(), 1, "{name}");
    }
}

#[test]
fn line_ends_and_a_byte_order_mark_do_not_matter() {
    let sources = example("tokens");
    let windows =
        sources.iter().map(|(path, text)| (path.clone(), format!("\u{feff}{}", text.replace('\n', "\r\n")))).collect();
    let pool = pool(WorkerConfig::default());
    let hash = |sources| block_on(compile(&pool, sources)).unwrap().ir.unwrap().hash;
    assert_eq!(hash(sources), hash(windows));
}

#[test]
fn the_package_and_the_examples_are_pinned_in_lockstep() {
    let package = std::fs::read_to_string(root().join("js-shim/product/package.json")).unwrap();
    let package: serde_json::Value = serde_json::from_str(&package).unwrap();
    assert_eq!(package["version"], svc_runtime::SDK_VERSION);
    for name in ["croncloud", "tokens"] {
        let example = std::fs::read_to_string(root().join("examples").join(name).join("package.json")).unwrap();
        assert!(
            example.contains(&format!("\"@svc/product\": \"{}\"", svc_runtime::SDK_VERSION)),
            "{name} pins another version"
        );
    }
}
