//! The price lists of `examples/prices`: each is built as its author wrote it, lives through its months, and costs what stands beside it.

use super::docs::blocks;
use jiff::tz::Offset;
use jiff::{SignedDuration, Timestamp, ToSpan};
use serde::Deserialize;
use serde_json::{Value as Json, json};
use std::path::Path;
use svc_builds::compile;
use svc_core::credits::CreditSource;
use svc_core::plan_changes::PlanChange;
use svc_core::resources::ResourceCount;
use svc_core::subscriptions::CancelAt;
use svc_engine::money::amount::Cents;
use svc_engine::sources::Sources;
use svc_money_tests::stores::FreshSqlite;
use svc_money_tests::world::{World, statuses};
use svc_runtime::worker::WorkerConfig;
use svc_store::records::{BuildResult, Proration};
use svc_tests::golden;
use svc_tests::program::{block_on, pool, root, run};

const START: &str = "2026-04-01T00:00:00Z";

/// A month of one subscriber.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Month {
    what: String,
    plan: String,
    #[serde(default)]
    buys: Vec<Buy>,
    #[serde(default)]
    moves: Vec<Move>,
    #[serde(default)]
    counts: Vec<Count>,
    usage: Vec<Usage>,
    /// What its one invoice comes to.
    #[serde(default)]
    total_cents: Option<i128>,
    /// What the invoices of so many months come to.
    #[serde(default)]
    invoices_cents: Vec<i128>,
}

impl Month {
    fn wanted(&self) -> Vec<i128> {
        self.total_cents.into_iter().chain(self.invoices_cents.iter().copied()).collect()
    }
}

/// A move to another plan, at the renewal.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Move {
    at: String,
    plan: String,
}

/// How many of a resource there are.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Count {
    at: String,
    resource: String,
    count: u64,
}

/// Credit that is bought.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Buy {
    at: String,
    sku: String,
    #[serde(default)]
    amount_cents: Option<Cents>,
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
    /// Why it is not let in.
    #[serde(default)]
    refused: Option<String>,
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

/// What happens at a moment.
enum Step<'m> {
    Use(usize, &'m Usage),
    Buy(&'m Buy),
    Move(&'m Move),
    Count(&'m Count),
    /// So many months are over.
    Close(i64),
}

/// Everything that happens, in order, where so many invoices are there from the beginning.
fn steps(month: &Month, known: usize) -> Vec<(Timestamp, Step<'_>)> {
    let at = |text: &str| text.parse::<Timestamp>().unwrap();
    let uses = month.usage.iter().enumerate().map(|(number, usage)| (at(&usage.at), Step::Use(number, usage)));
    let buys = month.buys.iter().map(|buy| (at(&buy.at), Step::Buy(buy)));
    let moves = month.moves.iter().map(|moved| (at(&moved.at), Step::Move(moved)));
    let counts = month.counts.iter().map(|count| (at(&count.at), Step::Count(count)));
    let start = Offset::UTC.to_datetime(at(START));
    let end = |months: i64| Offset::UTC.to_timestamp(start.checked_add(months.months()).unwrap()).unwrap();
    let closes = (1..).take(month.wanted().len() - known).map(|months| (end(months), Step::Close(months)));
    let mut steps: Vec<_> = uses.chain(buys).chain(moves).chain(counts).chain(closes).collect();
    steps.sort_by_key(|(at, _)| *at);
    steps
}

/// Lives through its months; what each costs, as the preview says at its end and as the invoice says.
async fn live(build: &BuildResult, month: &Month) -> Vec<i128> {
    let mut world = World::new(&FreshSqlite::new().await, build.clone(), START).await;
    let subscription = world.subscribe("ada", &month.plan).await;
    // What is due in advance has an invoice at once.
    let (first, _) = world.core.invoices(&world.business, &subscription.id, 0, 10).await.unwrap();
    let mut invoices: Vec<i128> =
        first.iter().map(|invoice| i128::from(invoice["totalCents"].as_i64().unwrap())).collect();
    for (at, step) in steps(month, first.len()) {
        match step {
            Step::Use(number, usage) => {
                world.now = at;
                let results = world.send(usage.items(number)).await;
                let wanted = usage.refused.as_deref().unwrap_or("accepted");
                assert!(statuses(&results).iter().all(|status| *status == wanted), "{usage:?}: {results:?}");
            }
            Step::Buy(buy) => {
                world.now = at;
                let source = CreditSource::TopUp { sku: buy.sku.clone(), amount_cents: buy.amount_cents };
                world.core.give_credit(&world.business, "ada", &source, None, world.now).await.unwrap();
            }
            Step::Move(moved) => {
                world.now = at;
                let change =
                    PlanChange { plan: moved.plan.clone(), at: CancelAt::PeriodEnd, proration: Proration::None };
                world.change_plan(&subscription.id, &change, false).await.unwrap();
            }
            Step::Count(Count { resource, count, .. }) => {
                world.now = at;
                let to = ResourceCount { resource: resource.clone(), count: *count };
                world.core.set_resource_count(&world.business, "ada", &to, world.now).await.unwrap();
            }
            Step::Close(months) => {
                world.now = at - SignedDuration::from_secs(1);
                let shown = shown(&world.preview("ada").await);
                world.now = at;
                let closed = world.close().await;
                let [invoice] = closed.as_slice() else { panic!("{closed:?}") };
                let what = format!("preview and invoice of month {months}: {}", month.what);
                let total = invoice.invoice.total_cents.0;
                // A level that lasts costs its last second, too; a preview says no more than what it has cost by now.
                let lasts = build.ir.as_deref().unwrap_or_default().contains("time_weighted");
                assert!(shown == total || (lasts && shown == total - 1), "{what}: {shown} and {total}");
                invoices.push(total);
            }
        }
    }
    world.audit().await;
    invoices
}

/// What a preview says is to be paid, in cents.
fn shown(preview: &Json) -> i128 {
    let receivable: i128 = preview["totals"]["receivableNanos"].as_str().unwrap().parse().unwrap();
    i128::from(preview["recurringFeeCents"].as_i64().unwrap()) + receivable.div_euclid(10_000_000)
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
                assert_eq!(live(&build, month).await, month.wanted(), "{}: {}", folder.display(), month.what);
            }
        });
    }
}

/// The pictures of `docs/authoring/prices`: page, meter of its product, file.
const PICTURES: [(&str, &str, &str); 9] = [
    ("packages", "emails", "packages"),
    ("flat-tiers", "active_users", "flat-tiers"),
    ("least-and-most", "resolutions", "least"),
    ("least-and-most", "cluster_hours", "most"),
    ("allowances", "bandwidth", "allowances"),
    ("attributes", "tokens", "attributes"),
    ("pools", "macos", "pools"),
    ("shares", "volume", "shares"),
    ("levels", "stored_gb", "levels"),
];

#[test]
fn golden_pictures_of_the_forms_of_a_price() {
    for (page, meter, file) in PICTURES {
        let text = std::fs::read_to_string(root().join(format!("docs/authoring/prices/{page}.md"))).unwrap();
        assert!(text.contains(&format!("]({file}.svg)")), "{page}.md does not show {file}.svg");
        let folder = tempfile::tempdir().unwrap();
        let product = folder.path().join("product");
        std::fs::create_dir(&product).unwrap();
        std::fs::write(product.join("product.config.ts"), blocks(&text, "ts product").remove(0)).unwrap();
        let (dir, picture) = (folder.path().to_str().unwrap(), folder.path().join("curve.svg"));
        let ran = run(&["explain", "--curve", meter, "--dir", dir, "--svg", picture.to_str().unwrap()]);
        assert!(ran.status.success(), "{page}: {}", String::from_utf8_lossy(&ran.stderr));
        let picture = std::fs::read_to_string(&picture).unwrap();
        golden::check(&format!("docs/authoring/prices/{file}.svg"), &picture);
    }
}
