//! The price lists of `examples/prices`: each is built as its author wrote it, lives through its months, and costs what stands beside it.

use serde::Deserialize;
use serde_json::{Value as Json, json};
use std::path::Path;
use svc_builds::compile;
use svc_engine::sources::Sources;
use svc_money_tests::stores::FreshSqlite;
use svc_money_tests::world::{World, statuses};
use svc_runtime::worker::WorkerConfig;
use svc_store::records::BuildResult;
use svc_tests::program::{block_on, pool, root};

const START: &str = "2026-04-01T00:00:00Z";

/// A month of one subscriber.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Month {
    what: String,
    plan: String,
    usage: Vec<Usage>,
    total_cents: i128,
}

/// A report, or so many with keys of their own.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Usage {
    at: String,
    meter: String,
    units: Json,
    #[serde(default)]
    keys: Option<u32>,
    #[serde(default)]
    by: Option<Json>,
}

impl Usage {
    fn items(&self, number: usize) -> Vec<Json> {
        let item = |id: String| {
            let mut item = json!({ "id": id, "subject": "ada", "meter": self.meter, "units": self.units });
            if let Some(by) = &self.by {
                item["by"] = by.clone();
            }
            item
        };
        match self.keys {
            None => vec![item(format!("u{number}"))],
            Some(keys) => (0..keys)
                .map(|key| {
                    let mut item = item(format!("u{number}-{key}"));
                    item["uniqueKey"] = json!(format!("k{key}"));
                    item
                })
                .collect(),
        }
    }
}

fn sources(folder: &Path) -> Sources {
    let entries = std::fs::read_dir(folder.join("product")).unwrap().map(|entry| entry.unwrap());
    let file = |entry: std::fs::DirEntry| {
        let name = format!("product/{}", entry.file_name().to_str().unwrap());
        (name, std::fs::read_to_string(entry.path()).unwrap())
    };
    entries.map(file).collect()
}

async fn built(folder: &Path) -> BuildResult {
    let compiled = compile(&pool(WorkerConfig::default()), sources(folder)).await.unwrap();
    let shown = format!("{}: {:#?} {:?}", folder.display(), compiled.diagnostics, compiled.failure);
    let ir = compiled.ir.unwrap_or_else(|| panic!("{shown}"));
    BuildResult { ir_hash: Some(ir.hash), ir: Some(ir.text), diagnostics: "[]".to_owned(), failure: None }
}

/// Lives through a month; what it costs, as the preview says at its end and as the invoice says.
async fn live(build: &BuildResult, month: &Month) -> i128 {
    let mut world = World::new(&FreshSqlite::new().await, build.clone(), START).await;
    world.subscribe("ada", &month.plan).await;
    for (number, usage) in month.usage.iter().enumerate() {
        world.go(&usage.at);
        let results = world.send(usage.items(number)).await;
        assert!(statuses(&results).iter().all(|status| *status == "accepted"), "{usage:?}: {results:?}");
    }
    world.go("2026-04-30T23:59:59Z");
    let preview = world.preview("ada").await;
    let receivable: i128 = preview["totals"]["receivableNanos"].as_str().unwrap().parse().unwrap();
    let shown = i128::from(preview["recurringFeeCents"].as_i64().unwrap()) + receivable.div_euclid(10_000_000);
    world.go("2026-05-01T00:00:00Z");
    let invoices = world.close().await;
    world.audit().await;
    let [invoice] = invoices.as_slice() else { panic!("{invoices:?}") };
    assert_eq!(invoice.invoice.total_cents.0, shown, "preview and invoice: {}", month.what);
    shown
}

#[test]
fn each_price_list_costs_what_it_says() {
    let folders = std::fs::read_dir(root().join("examples/prices")).unwrap().map(|entry| entry.unwrap().path());
    let mut folders: Vec<_> = folders.filter(|path| path.is_dir()).collect();
    folders.sort();
    assert!(!folders.is_empty());
    for folder in folders {
        let months = std::fs::read_to_string(folder.join("months.json")).unwrap();
        let months: Vec<Month> = serde_json::from_str(&months).unwrap();
        assert!(!months.is_empty());
        block_on(async {
            let build = built(&folder).await;
            for month in &months {
                assert_eq!(live(&build, month).await, month.total_cents, "{}: {}", folder.display(), month.what);
            }
        });
    }
}
