//! Servers that are killed, and many at once: nothing that was answered is lost, nothing is done twice, the ledger balances.

use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use svc_core::Core;
use svc_core::CoreError;
use svc_core::migrations::{MigrationOrder, VersionName};
use svc_core::subscribing::SubscriptionOrder;
use svc_money_tests::product::{build, credit, linear, meter, plan};
use svc_money_tests::random::SplitMix64;
use svc_money_tests::stores::Fresh;
use svc_money_tests::world::World;
use svc_store::Store;
use svc_store::records::{MigrationPolicy, Progress, Proration};
use svc_tests::api::{Answer, Api, ONE_PLAN, OPERATOR, Server};

svc_money_tests::on_both_stores! {
    a_server_that_is_killed_loses_nothing_and_does_nothing_twice,
    thirty_two_tasks_leave_every_invariant_whole,
    queued_builds_of_a_dead_server_are_done_by_another,
}

/// Kills in CI, on each store; `CRASH_KILLS` says otherwise.
const KILLS: u64 = 8;
/// Senders under load.
const SENDERS: u64 = 4;

/// A request that must be done exactly once, however often it is sent.
#[derive(Clone)]
struct Once {
    token: String,
    path: String,
    key: String,
    body: Json,
}

impl Once {
    /// Sends it. Whether it was answered; a refusal because of the load is no answer.
    async fn send(&self, api: &Api) -> bool {
        let answer = api.try_post(&self.token, &self.path, &self.key, &self.body).await;
        let Some(Answer { status, body, .. }) = answer.filter(|answer| answer.status != 503) else { return false };
        assert!(status < 300, "{status} {body:#} to {}", self.body);
        for result in body["results"].as_array().into_iter().flatten() {
            assert_ne!(result["status"], "refused", "{result:#}");
        }
        true
    }
}

async fn a_server_that_is_killed_loses_nothing_and_does_nothing_twice(fresh: &impl Fresh) {
    let kills = std::env::var("CRASH_KILLS").map_or(KILLS, |text| text.parse().unwrap());
    let mut server = Server::start_with(&fresh.arguments());
    let business = Api::new(&server).business(ONE_PLAN).await;
    let token = business.subscribe("ada", "basic").await;
    let (root, deploy) = (business.root.clone(), business.deploy.clone());
    let count = Arc::new(AtomicU64::new(0));
    let mut chance = SplitMix64(20_261_128);
    let (mut answered, mut unknown): (Vec<Once>, Vec<Once>) = Default::default();
    for kill in 0..=kills {
        if kill > 0 {
            server = Server::start_with(&fresh.arguments());
        }
        let api = Api::new(&server);
        // What nobody knows the end of is sent again, under the same key.
        for once in std::mem::take(&mut unknown) {
            assert!(once.send(&api).await, "a server that is not killed answers");
            answered.push(once);
        }
        if kill == kills {
            break;
        }
        let mut senders = tokio::task::JoinSet::new();
        for _ in 0..SENDERS {
            let (api, root, deploy, count) = (api.clone(), root.clone(), deploy.clone(), Arc::clone(&count));
            senders.spawn(async move {
                let (mut answered, mut unknown) = (Vec::new(), None);
                while unknown.is_none() {
                    let once = request(count.fetch_add(1, Ordering::Relaxed), &root, &deploy);
                    if once.send(&api).await { answered.push(once) } else { unknown = Some(once) }
                }
                (answered, unknown)
            });
        }
        tokio::time::sleep(Duration::from_millis(30 + chance.below(250))).await;
        server.child.kill().unwrap();
        server.child.wait().unwrap();
        while let Some(sent) = senders.join_next().await {
            let (done, open) = sent.unwrap();
            answered.extend(done);
            unknown.extend(open);
        }
    }
    let api = Api::new(&server);
    let of = |end: &str| answered.iter().filter(|once| once.path.ends_with(end)).count() as u64;
    let preview =
        api.get(&token, &format!("/portal/businesses/{}/me/bill-preview", business.id)).await.expect(200).body;
    let charges: u64 =
        preview["windows"].as_array().unwrap().iter().map(|window| window["chargeCount"].as_u64().unwrap()).sum();
    assert_eq!(charges, of("/usage") * 5, "each item of each batch once");
    assert_eq!(preview["allowances"].as_array().unwrap().len() as u64, of("/credits"));
    let rated = of("/usage") * 5 * 7_000 / 3;
    assert_eq!(preview["totals"]["ratedNanos"], rated.to_string());
    // Everything once more: every answer is the first one's.
    for once in answered.iter().take(200) {
        assert!(once.send(&api).await);
    }
    let again = api.get(&token, &format!("/portal/businesses/{}/me/bill-preview", business.id)).await.expect(200).body;
    assert_eq!(again, preview);
    let audit = api.get(OPERATOR, &format!("{root}/ledger/audit")).await.expect(200).body;
    assert_eq!(audit["findings"], json!([]));
    println!("{kills} kills: {} usage batches and {} credits, each once", of("/usage"), of("/credits"));
}

fn request(n: u64, root: &str, deploy: &str) -> Once {
    let key = format!("key-{n}");
    if n.is_multiple_of(5) {
        let body = json!({ "subject": "ada", "amountCents": 1, "kind": "promo" });
        return Once { token: OPERATOR.to_owned(), path: format!("{root}/credits"), key, body };
    }
    let item = |index| json!({ "id": format!("{n}-{index}"), "subject": "ada", "meter": "tokens", "units": 1 });
    let items: Vec<Json> = (0..5).map(item).collect();
    Once { token: deploy.to_owned(), path: format!("{root}/usage"), key, body: json!({ "items": items }) }
}

const TASKS: u64 = 32;
const ROUNDS: u64 = 12;

async fn thirty_two_tasks_leave_every_invariant_whole(fresh: &impl Fresh) {
    let product = |fee: u64| {
        let more = json!({ "grants": [credit("included", fee, true)] });
        build(&[meter("tokens", "sum")], &[plan("basic", fee, &[linear("tokens", 7, 3, 2)], more)])
    };
    let world = World::new(fresh, product(100), "2026-01-31T12:00:00Z").await;
    let (business, start) = (world.business.clone(), world.now);
    // Four servers, as it were: each with its own connections.
    let servers = [fresh.open().await, fresh.open().await, fresh.open().await, fresh.open().await];
    let mut tasks = tokio::task::JoinSet::new();
    for task in 0..TASKS {
        let (core, business) = (Core::new(servers[(task % 4) as usize].clone()), business.clone());
        tasks.spawn(async move {
            let mut chance = SplitMix64(task);
            let mut accepted: BTreeMap<String, u64> = BTreeMap::new();
            for round in 0..ROUNDS {
                // The clock runs on through the period's end, alike for all.
                let now = start + jiff::SignedDuration::from_hours(i64::try_from(round).unwrap() * 70);
                let subject = format!("s{}", chance.below(6));
                let outcome = match task % 8 {
                    0 => publish(&core, &business, product(100 + task * 100 + round), now).await,
                    1 => migrate(&core, &business, &mut chance, now).await,
                    2 => core.subscribe(&business, &subject, SubscriptionOrder::of("basic"), now).await.map(drop),
                    3 => core.preview(&business, &subject, now).await.map(drop),
                    4 => core.close_invoices(&business, None, false, now).await.map(drop),
                    _ => {
                        core.subscribe(&business, &subject, SubscriptionOrder::of("basic"), now).await.ok();
                        let item = |n| json!({ "id": format!("{task}-{round}-{n}"), "subject": subject, "meter": "tokens", "units": 1 });
                        let results = core.report_usage(&business, (0..3).map(item).collect(), now).await;
                        results.map(|results| {
                            let taken = svc_money_tests::world::statuses(&results).iter().filter(|status| **status == "accepted").count();
                            *accepted.entry(subject.clone()).or_default() += taken as u64;
                        })
                    }
                };
                match outcome {
                    Ok(())
                    | Err(CoreError::Conflict { .. } | CoreError::Moved { .. } | CoreError::NotFound(_) | CoreError::Invalid { .. }) => {}
                    Err(error) => panic!("task {task}: {error}"),
                }
            }
            accepted
        });
    }
    let mut accepted = 0;
    while let Some(done) = tasks.join_next().await {
        accepted += done.unwrap().values().sum::<u64>();
    }
    let audit = world.audit().await;
    assert_eq!(audit.charges, accepted, "what was accepted is charged, once");
    for (what, sql) in [
        (
            "a subject has two live subscriptions",
            "SELECT subject FROM subscriptions WHERE cancelled_at IS NULL GROUP BY business_id, subject HAVING COUNT(*) > 1",
        ),
        (
            "a charge is in two windows",
            "SELECT id FROM charges GROUP BY business_id, subscription_id, id, attempt HAVING COUNT(*) > 1",
        ),
        (
            "a period has two invoices",
            "SELECT period FROM invoices GROUP BY business_id, subscription_id, period HAVING COUNT(*) > 1",
        ),
        (
            "a plan's version has two forms",
            "SELECT plan FROM projections GROUP BY business_id, plan, version HAVING COUNT(DISTINCT plan_hash) > 1",
        ),
        ("two releases are active", "SELECT business_id FROM active_releases GROUP BY business_id HAVING COUNT(*) > 1"),
        (
            "a release has no projection",
            "SELECT r.id FROM releases r WHERE NOT EXISTS (SELECT 1 FROM projections p WHERE p.business_id = r.business_id AND p.release_id = r.id)",
        ),
        (
            "a subscription has two open transitions",
            "SELECT subscription_id FROM transitions WHERE state IN ('offered', 'pending') GROUP BY business_id, subscription_id HAVING COUNT(*) > 1",
        ),
        (
            "windows of a subscription overlap",
            "SELECT a.id FROM windows a JOIN windows b ON a.business_id = b.business_id AND a.subscription_id = b.subscription_id AND a.id <> b.id AND a.window_start < b.window_end AND b.window_start < a.window_end",
        ),
        (
            "a charge lies outside its window",
            "SELECT c.id FROM charges c JOIN windows w ON w.business_id = c.business_id AND w.id = c.window_id WHERE c.admitted_at < w.window_start AND w.window_start <> w.window_end",
        ),
        (
            "a window lies outside its period",
            "SELECT w.id FROM windows w JOIN periods p ON p.business_id = w.business_id AND p.subscription_id = w.subscription_id AND p.period = w.period WHERE w.window_start < p.period_start OR w.window_end > p.period_end",
        ),
    ] {
        let rows = fresh.rows(sql).await;
        assert!(rows.is_empty(), "{what}: {rows:?}");
    }
}

async fn publish<S: Store>(
    core: &Core<S>,
    business: &svc_store::records::Id,
    product: svc_store::records::BuildResult,
    now: jiff::Timestamp,
) -> Result<(), CoreError> {
    let build = core.keep_build(business, product, now).await?;
    core.publish(business, &build.id, None, None, now).await.map(drop)
}

async fn migrate<S: Store>(
    core: &Core<S>,
    business: &svc_store::records::Id,
    chance: &mut SplitMix64,
    now: jiff::Timestamp,
) -> Result<(), CoreError> {
    let policy = *chance.pick(&[MigrationPolicy::Immediate, MigrationPolicy::NextRenewal]);
    let proration = *chance.pick(&[Proration::None, Proration::Prorate, Proration::Credit]);
    let from = VersionName::Number(u32::try_from(chance.below(4)).unwrap() + 1);
    let order = MigrationOrder { from, to: VersionName::Head, policy, proration, complete_by: None };
    core.migrate(business, "basic", order, false, None, now).await.map(drop)
}

async fn queued_builds_of_a_dead_server_are_done_by_another(fresh: &impl Fresh) {
    let core = Core::new(fresh.open().await);
    let now = jiff::Timestamp::now();
    let business = core.create_business("Test", now).await.unwrap().id;
    let files = BTreeMap::from([("product/product.config.ts".to_owned(), ONE_PLAN.to_owned())]);
    let waiting = core.queue_build(&business, &files, None, None, now).await.unwrap();
    // One that a server took, and died over.
    let abandoned = core.queue_build(&business, &files, None, None, now).await.unwrap();
    fresh
        .alter(&format!("UPDATE builds SET attempts = 1, leased_until = created_at WHERE id = '{abandoned}'"))
        .await
        .unwrap();
    let (one, two) = (Server::start_with(&fresh.arguments()), Server::start_with(&fresh.arguments()));
    for id in [waiting, abandoned] {
        let mut build = core.find_build(&business, &id).await.unwrap();
        for _ in 0..200 {
            if matches!(build.progress, Progress::Ended(_)) {
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
            build = core.find_build(&business, &id).await.unwrap();
        }
        let Progress::Ended(result) = build.progress else { panic!("nobody did {id}") };
        assert!(result.ir_hash.is_some(), "{result:?}");
    }
    drop((one, two));
}
