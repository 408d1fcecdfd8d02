//! A build is a function of its source: whatever the run, the zone, the locale or V8's seeds, the bytes are the same.

use super::golden::example;
use std::collections::BTreeSet;
use std::process::Command;
use svc_builds::compile;
use svc_runtime::worker::WorkerConfig;
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

/// A product, and the same one written otherwise.
#[test]
fn formatting_comments_types_and_file_splits_do_not_matter() {
    let plain = r#"import { Meter, Plan, Product } from "@svc/product";
@Product({ origin: "https://api.example.com", name: "same" })
export default class Same {
  @Meter("tokens") tokens;
  @Plan("b", { limits: { tokens: { rate: 5, interval: "day" } } }) b;
  @Plan("a", { limits: { tokens: { rate: 5, interval: "day" } } }) a;
}
"#;
    let otherwise = [
        ("comments and white space", plain.replace("rate: 5", "/* five */\n\n\trate\t:\t5 // five\n").replace("{ tokens", "{\n\n tokens")),
        ("quotes and commas", plain.replace('"', "'").replace("interval: 'day'", "interval: 'day',")),
        ("another class name", plain.replace("class Same", "class Other")),
        ("reordered plans", plain.replace("\"b\"", "\"x\"").replace("\"a\"", "\"b\"").replace("\"x\"", "\"a\"").replace(" b;", " x;").replace(" a;", " b;").replace(" x;", " a;")),
        (
            "types of every kind",
            plain
                .replace("tokens;", "tokens!: number | undefined;")
                .replace("@Product(", "type Rate = { rate: number };\ninterface Of { readonly it: Rate }\nenum Never { A = 1 }\n@Product(")
                .replace("{ rate: 5, interval: \"day\" }", "{ rate: 5 as number, interval: \"day\" } as const satisfies object"),
        ),
        ("constants", plain.replace("@Product(", "const per_day = { rate: 2 + 3, interval: \"day\" };\n@Product(").replace("{ rate: 5, interval: \"day\" }", "per_day")),
        ("a computed value", plain.replace("rate: 5", "rate: [1, 2, 2].reduce((a, b) => a + b)")),
        ("aliases", plain.replace("import { Meter, Plan, Product }", "import { Meter as M, Plan as P, Product }").replace("@Meter", "@M").replace("@Plan", "@P")),
    ];
    let pool = pool(WorkerConfig::default());
    let hash = |sources: svc_engine::sources::Sources| {
        let compiled = block_on(compile(&pool, sources)).unwrap();
        compiled.ir.unwrap_or_else(|| panic!("{:#?}", compiled.diagnostics)).hash
    };
    let entry = svc_engine::sources::ENTRY.to_owned();
    let wanted = hash([(entry.clone(), plain.to_owned())].into());
    for (what, text) in otherwise {
        assert_ne!(text, plain, "{what}");
        assert_eq!(hash([(entry.clone(), text)].into()), wanted, "{what}");
    }
    let split = plain
        .replace("import {", "import { limits } from \"./limits\";\nimport {")
        .replace("limits: { tokens: { rate: 5, interval: \"day\" } }", "limits");
    let limits =
        "import raw from \"./rate.json\" with { type: \"json\" };\nexport const limits = { tokens: raw };\n".to_owned();
    let rate = "{ \"rate\": 5, \"interval\": \"day\" }".to_owned();
    let files =
        [(entry.clone(), split), ("product/limits.ts".to_owned(), limits), ("product/rate.json".to_owned(), rate)];
    assert_eq!(hash(files.into()), wanted, "split over files");
    // And what does count, counts.
    assert_ne!(hash([(entry, plain.replace("rate: 5", "rate: 6"))].into()), wanted);
}
