//! Events: each thing that happens is told once, in the transaction in which it happens, in order, to who asked for it.

use crate::cases::CENT_A_TOKEN;
use crate::stores::order;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value as Json, json};
use svc_core::CoreError;
use svc_core::PushSettings;
use svc_core::events::{EVENTS_KEPT_DAYS, Outcome};
use svc_core::migrations::{MigrationOrder, VersionName};
use svc_core::receivers::RECEIVERS_MAX;
use svc_core::secrets::Secrets;
use svc_core::subscriptions::CancelAt;
use svc_engine::manifest::ir::ClosedSet;
use svc_engine::money::amount::NANOS_PER_CENT as CENT;
use svc_money_tests::product::{build, credit, linear, meter, plan};
use svc_money_tests::stores::Fresh;
use svc_money_tests::world::{World, at, statuses};
use svc_store::Store;
use svc_store::records::{
    BuildResult, DeliveryState, EventDelivery, EventReceiver, EventType, Id, MigrationPolicy, Proration,
};

svc_money_tests::on_both_stores! {
    what_happens_is_told_once_with_its_particulars,
    what_did_not_happen_is_not_told,
    what_time_does_is_told_without_anyone_coming_by,
    a_threshold_is_told_when_it_is_passed_upwards,
    credit_that_comes_along_is_not_told_as_ended,
    events_of_a_subscription_go_one_behind_the_other,
    what_was_given_up_is_sent_again_by_command,
    a_receiver_is_told_of_its_types_alone,
    a_receiver_that_is_gone_is_left_alone,
    both_secrets_sign_while_one_is_changed,
    old_events_are_forgotten_but_for_what_is_still_to_be_sent,
    wrong_receivers_are_refused_by_name,
}

const APRIL: &str = "2026-04-01T00:00:00Z";
const ADDRESS: &str = "https://events.example.com/in";

fn product(fee: u64, price: Json, more: Json) -> BuildResult {
    build(&[meter("m", "sum")], &[plan("basic", fee, &[price], more)])
}

/// An amount as events have it.
fn cents(cents: i128) -> Json {
    json!((cents * CENT).to_string())
}

/// A business that keeps secrets, with a subscriber, and all its events so far forgotten by the test.
async fn world<F: Fresh>(fresh: &F, build: BuildResult) -> World<F::Store> {
    let mut world = World::new(fresh, build, APRIL).await;
    let secrets = Some(Secrets::from_text(&"0a".repeat(32)).unwrap());
    world.core = world.core.with_push(PushSettings { secrets, ..PushSettings::default() });
    world.subscribe("ada", "basic").await;
    world
}

async fn receiver<S: Store>(world: &World<S>, types: Option<Vec<EventType>>) -> EventReceiver {
    world.core.add_receiver(&world.business, ADDRESS, types, None, world.now).await.unwrap().0
}

/// Type and particulars of all events, oldest first.
async fn told<S: Store>(world: &World<S>) -> Vec<(&'static str, Json)> {
    let (mut page, next) = world.core.events(&world.business, None, 100).await.unwrap();
    assert_eq!(next, None);
    page.reverse();
    page.iter().map(|sent| (sent.event.event.as_str(), serde_json::from_str(&sent.event.body).unwrap())).collect()
}

/// The types of all events of subscriptions, oldest first.
async fn types<S: Store>(world: &World<S>) -> Vec<&'static str> {
    told(world).await.into_iter().map(|(name, _)| name).filter(|name| *name != "release.activated").collect()
}

async fn take<S: Store>(world: &World<S>) -> Option<EventDelivery> {
    world.core.take_event(world.now).await.unwrap()
}

async fn settle<S: Store>(world: &World<S>, delivery: &EventDelivery, outcome: Outcome) {
    world.core.event_was_sent(delivery, &outcome, world.now).await.unwrap();
}

/// The events that are taken, each delivered before the next is.
async fn delivered<S: Store>(world: &World<S>) -> Vec<&'static str> {
    let mut all = Vec::new();
    while let Some(delivery) = take(world).await {
        all.push(delivery.event.event.as_str());
        settle(world, &delivery, Outcome::Delivered).await;
    }
    all
}

async fn what_happens_is_told_once_with_its_particulars(fresh: &impl Fresh) {
    let more = json!({ "grants": [credit("promo", 1_000, false)], "maxMonthlySpendCents": 2_500 });
    let mut world = world(fresh, product(500, linear("m", CENT_A_TOKEN, 1, 100), more)).await;
    let subscription = world.subscribers().await;
    assert_eq!(subscription.values().sum::<u64>(), 1);
    world.go("2026-04-02T00:00:00Z");
    // 100 included; 1,000 cents of credit; 2,000 cents are left by the most beside the fee.
    assert_eq!(statuses(&world.report("ada", &[("i1", "m", "80")]).await), ["accepted"]);
    assert_eq!(statuses(&world.report("ada", &[("i2", "m", "820")]).await), ["accepted"]);
    assert_eq!(statuses(&world.report("ada", &[("i3", "m", "200")]).await), ["accepted"]);
    assert_eq!(statuses(&world.report("ada", &[("i4", "m", "1600")]).await), ["accepted"]);
    world.publish(product(700, linear("m", CENT_A_TOKEN, 1, 100), json!({}))).await;
    let order =
        MigrationOrder { from: VersionName::Number(1), ..order(1, MigrationPolicy::Immediate, Proration::None) };
    world.core.migrate(&world.business, "basic", order, false, None, world.now).await.unwrap();
    world.try_preview("ada").await.unwrap();
    world.go("2026-05-01T00:00:00Z");
    world.close().await;
    let told = told(&world).await;
    let names: Vec<_> = told.iter().map(|(name, _)| *name).collect();
    assert_eq!(
        names,
        [
            "release.activated",
            "usage.threshold_reached",
            "usage.threshold_reached",
            "bucket.low",
            "bucket.ended",
            "usage.threshold_reached",
            "release.activated",
            "migration.applied",
            "invoice.closed",
        ]
    );
    let body = |index: usize, name: &str| told[index].1[name].clone();
    assert_eq!(body(0, "planVersions"), json!({ "basic": 1 }));
    assert_eq!((body(1, "percent"), body(1, "of"), body(1, "meter")), (json!(80), json!("included_units"), json!("m")));
    assert_eq!((body(2, "percent"), body(2, "usedUnits")), (json!(100), json!(900)));
    assert_eq!((body(3, "remainingNanos"), body(3, "kind")), (cents(200), json!("promo")));
    assert_eq!((body(4, "state"), body(4, "consumedNanos")), (json!("EXHAUSTED"), cents(1_000)));
    assert_eq!((body(5, "percent"), body(5, "of")), (json!(80), json!("spend")));
    assert_eq!((body(5, "usedNanos"), body(5, "limitNanos")), (cents(1_600), cents(2_000)));
    assert_eq!((body(7, "from"), body(7, "to")["planVersion"].clone()), {
        let from = json!({ "plan": "basic", "planVersion": 1, "releaseId": body(0, "releaseId") });
        (from, json!(2))
    });
    assert!(body(7, "migrationId").as_str().unwrap().starts_with("mig_"));
    assert_eq!((body(8, "kind"), body(8, "number")), (json!("invoice"), json!(1)));
    assert_eq!((body(8, "totalCents"), body(8, "subject")), (json!(2100), json!("ada")));
    world.audit().await;
}

async fn what_did_not_happen_is_not_told(fresh: &impl Fresh) {
    let more =
        json!({ "grants": [credit("included", 1_000, false)], "maxMonthlySpendCents": 0, "overageBehavior": "block" });
    let mut world = world(fresh, product(0, linear("m", CENT_A_TOKEN, 1, 0), more)).await;
    let before = told(&world).await;
    assert_eq!(statuses(&world.report("ada", &[("i1", "m", "1001")]).await), ["SPEND_LIMIT_REACHED"]);
    assert_eq!(statuses(&world.report("ada", &[("i2", "nothing", "1")]).await), ["UNKNOWN_METER"]);
    world.go("2026-05-01T00:00:00Z");
    world.dry_close().await;
    let again = product(
        0,
        linear("m", CENT_A_TOKEN, 1, 0),
        json!({
            "grants": [credit("included", 1_000, false)], "maxMonthlySpendCents": 0, "overageBehavior": "block",
        }),
    );
    assert!(world.publish(again).await.unchanged);
    assert_eq!(told(&world).await, before);
    // The same item again is told no more than it is charged.
    world.go("2026-04-02T00:00:00Z");
    assert_eq!(statuses(&world.report("ada", &[("i3", "m", "900")]).await), ["accepted"]);
    assert_eq!(statuses(&world.report("ada", &[("i3", "m", "900")]).await), ["duplicate"]);
    assert_eq!(types(&world).await, ["bucket.low"]);
}

async fn what_time_does_is_told_without_anyone_coming_by(fresh: &impl Fresh) {
    let expiring =
        json!({ "type": "credit", "kind": "promo", "amountCents": 1_000, "recurs": false, "expiresAfterDays": 10 });
    let more = json!({ "grants": [expiring] });
    let mut world = world(fresh, product(0, linear("m", CENT_A_TOKEN, 1, 0), more)).await;
    world.go("2026-04-20T00:00:00Z");
    assert_eq!(types(&world).await, [""; 0]);
    let done = world.core.do_due_work(None, world.now).await.unwrap().unwrap();
    assert_eq!((done.settled, done.closed), (1, 0));
    let (page, _) = world.core.events(&world.business, None, 1).await.unwrap();
    assert_eq!((page[0].event.event, page[0].event.at), (EventType::BucketEnded, at("2026-04-11T00:00:00Z")));
    assert_eq!(world.core.do_due_work(None, world.now).await.unwrap(), Some(Default::default()));
}

async fn a_threshold_is_told_when_it_is_passed_upwards(fresh: &impl Fresh) {
    let mut world = world(fresh, product(0, linear("m", CENT_A_TOKEN, 1, 10), json!({}))).await;
    world.report("ada", &[("i1", "m", "7.999999999")]).await;
    assert_eq!(types(&world).await, [""; 0]);
    world.report("ada", &[("i2", "m", "0.000000001")]).await;
    assert_eq!(types(&world).await.len(), 1);
    world.report("ada", &[("i3", "m", "1")]).await;
    assert_eq!(types(&world).await.len(), 1, "80 % is told once");
    world.report("ada", &[("i4", "m", "500")]).await;
    assert_eq!(types(&world).await.len(), 2);
    // The next period begins anew, and one report may pass both.
    world.go("2026-05-02T00:00:00Z");
    world.report("ada", &[("i5", "m", "10")]).await;
    let told = told(&world).await;
    let percents: Vec<_> = told.iter().filter_map(|(_, body)| body["percent"].as_u64()).collect();
    assert_eq!(percents, [80, 100, 80, 100]);
    assert_eq!(told.last().unwrap().1["period"], json!(1));
}

async fn credit_that_comes_along_is_not_told_as_ended(fresh: &impl Fresh) {
    let mut world = world(fresh, product(0, linear("m", CENT_A_TOKEN, 1, 0), json!({}))).await;
    world.give("ada", 1_000, "prepaid", None).await;
    world.go("2026-04-10T00:00:00Z");
    let old = Id::named(fresh.rows("SELECT id FROM subscriptions").await.concat().concat());
    world.core.cancel(&world.business, &old, CancelAt::Now, false, world.now).await.unwrap();
    world.subscribe("ada", "basic").await;
    assert_eq!(types(&world).await, [""; 0]);
    world.report("ada", &[("i1", "m", "1000")]).await;
    assert_eq!(types(&world).await, ["bucket.ended"]);
}

async fn events_of_a_subscription_go_one_behind_the_other(fresh: &impl Fresh) {
    let world = world(fresh, product(0, linear("m", CENT_A_TOKEN, 1, 10), json!({}))).await;
    receiver(&world, None).await;
    world.subscribe("bob", "basic").await;
    world.report("ada", &[("i1", "m", "8")]).await;
    world.report("ada", &[("i2", "m", "8")]).await;
    world.report("bob", &[("i1", "m", "8")]).await;
    let (one, two) = (take(&world).await.unwrap(), take(&world).await.unwrap());
    assert_ne!(one.event.stream, two.event.stream, "ada's second waits for her first, bob's does not");
    assert_eq!((one.sequence, two.sequence), (1, 1));
    assert_eq!(take(&world).await, None);
    // The lease of a server that died runs out, and the same event is sent again.
    let later = world.now + SignedDuration::from_secs(16);
    let again = world.core.take_event(later).await.unwrap().unwrap();
    assert_eq!((&again.event.id, again.attempts), (&one.event.id, 2));
    // What the first sender has to say by then is of no account: another one has it.
    settle(&world, &one, Outcome::Problem(None, "late".to_owned())).await;
    assert_eq!(take(&world).await, None);
    settle(&world, &again, Outcome::Delivered).await;
    settle(&world, &two, Outcome::Delivered).await;
    let last = take(&world).await.unwrap();
    assert_eq!(last.sequence, 2);
    // One that is to be sent again later holds up those behind it, and no others.
    let due = world.now + SignedDuration::from_secs(60);
    settle(&world, &last, Outcome::Problem(Some(due), "it answered 503".to_owned())).await;
    world.report("ada", &[("i3", "m", "1")]).await;
    assert_eq!(take(&world).await, None);
    assert!(world.core.take_event(due).await.unwrap().is_some());
}

async fn what_was_given_up_is_sent_again_by_command(fresh: &impl Fresh) {
    let mut world = world(fresh, product(0, linear("m", CENT_A_TOKEN, 1, 10), json!({}))).await;
    receiver(&world, None).await;
    world.report("ada", &[("i1", "m", "10")]).await;
    let first = take(&world).await.unwrap();
    settle(&world, &first, Outcome::Problem(None, "it answered 500".to_owned())).await;
    assert_eq!(delivered(&world).await.len(), 1, "what is given up holds up nobody");
    let (page, _) = world.core.events(&world.business, None, 100).await.unwrap();
    let given_up = page.iter().find(|sent| sent.event.id == first.event.id).unwrap();
    assert_eq!(given_up.receiver.as_ref().unwrap().1, DeliveryState::Failed);
    assert_eq!(given_up.problem.as_deref(), Some("it answered 500"));
    let again = |event, since| world.core.redeliver(&world.business, event, since, world.now);
    assert_eq!(again(None, Some(world.now + SignedDuration::from_secs(1))).await.unwrap(), 0);
    assert_eq!(again(None, None).await.unwrap(), 1);
    let taken = take(&world).await.unwrap();
    assert_eq!((taken.event.id.clone(), taken.attempts), (first.event.id.clone(), 1));
    settle(&world, &taken, Outcome::Delivered).await;
    // What was delivered is sent again only by name.
    assert_eq!(again(None, None).await.unwrap(), 0);
    assert_eq!(again(Some(&first.event.id), None).await.unwrap(), 1);
    assert_eq!(delivered(&world).await, ["usage.threshold_reached"]);
    // So is what happened before anyone was told.
    world.go("2026-04-02T00:00:00Z");
    receiver(&world, None).await;
    let again = world.core.redeliver(&world.business, Some(&first.event.id), None, world.now).await.unwrap();
    assert_eq!(again, 2);
    let unknown = world.core.redeliver(&world.business, Some(&Id::named("evt_none")), None, world.now).await;
    assert!(matches!(unknown, Err(CoreError::NotFound(_))), "{unknown:?}");
}

async fn a_receiver_is_told_of_its_types_alone(fresh: &impl Fresh) {
    let mut world = world(fresh, product(100, linear("m", CENT_A_TOKEN, 1, 10), json!({}))).await;
    receiver(&world, Some(vec![EventType::InvoiceClosed, EventType::BucketLow, EventType::InvoiceClosed])).await;
    world.report("ada", &[("i1", "m", "10")]).await;
    world.go("2026-05-01T00:00:00Z");
    world.close().await;
    assert_eq!(delivered(&world).await, ["invoice.closed"]);
    let kept = world.core.receivers(&world.business).await.unwrap();
    assert_eq!(kept[0].types, Some(vec![EventType::BucketLow, EventType::InvoiceClosed]), "each once");
}

async fn a_receiver_that_is_gone_is_left_alone(fresh: &impl Fresh) {
    let mut world = world(fresh, product(0, linear("m", CENT_A_TOKEN, 1, 10), json!({}))).await;
    let receiver = receiver(&world, None).await;
    world.report("ada", &[("i1", "m", "10")]).await;
    let first = take(&world).await.unwrap();
    settle(&world, &first, Outcome::Gone).await;
    assert_eq!(take(&world).await, None);
    world.go("2026-05-01T00:00:00Z");
    world.report("ada", &[("i2", "m", "10")]).await;
    assert_eq!(take(&world).await, None);
    assert_eq!(world.core.redeliver(&world.business, None, None, world.now).await.unwrap(), 0);
    let started = world.core.start_receiver(&world.business, &receiver.id, world.now).await.unwrap();
    assert_eq!(started.stopped, None);
    let month = Some(at(APRIL));
    assert_eq!(world.core.redeliver(&world.business, None, month, world.now).await.unwrap(), 2);
    assert_eq!(delivered(&world).await.len(), 2);
    world.core.remove_receiver(&world.business, &receiver.id, world.now).await.unwrap();
    assert!(matches!(
        world.core.remove_receiver(&world.business, &receiver.id, world.now).await,
        Err(CoreError::NotFound(_))
    ));
}

async fn both_secrets_sign_while_one_is_changed(fresh: &impl Fresh) {
    let world = world(fresh, product(0, linear("m", CENT_A_TOKEN, 1, 10), json!({}))).await;
    let receiver = receiver(&world, None).await;
    let own = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".to_owned();
    let rotate =
        |secret, at_once| world.core.rotate_receiver(&world.business, &receiver.id, secret, at_once, world.now);
    assert_eq!(rotate(Some(own.clone()), false).await.unwrap().1, own);
    world.report("ada", &[("i1", "m", "8")]).await;
    let delivery = take(&world).await.unwrap();
    let keys = |delivery: &EventDelivery, now: Timestamp| world.core.open_delivery(delivery, now).unwrap().keys.len();
    assert_eq!(keys(&delivery, world.now), 2);
    assert_eq!(keys(&delivery, world.now + SignedDuration::from_hours(24)), 1);
    assert!(!world.core.open_delivery(&delivery, world.now).unwrap().is_named);
    let (receiver, fresh_secret) = rotate(None, true).await.unwrap();
    assert!(fresh_secret.starts_with("whsec_") && receiver.previous.is_none());
}

async fn old_events_are_forgotten_but_for_what_is_still_to_be_sent(fresh: &impl Fresh) {
    let mut world = world(fresh, product(0, linear("m", CENT_A_TOKEN, 1, 10), json!({}))).await;
    world.report("ada", &[("i1", "m", "10")]).await;
    receiver(&world, None).await;
    world.go("2026-05-01T00:00:00Z");
    world.report("ada", &[("i2", "m", "10")]).await;
    let count = || async { told(&world).await.len() };
    assert_eq!(count().await, 5);
    let old = world.now + SignedDuration::from_hours(EVENTS_KEPT_DAYS * 24 + 1);
    // Of April one is not the last of its stream and nobody waits for it; the release's is the last of its own.
    assert_eq!(world.core.forget_the_old(old).await.unwrap(), Some(2));
    assert_eq!(count().await, 3);
    assert_eq!(delivered(&world).await.len(), 2);
    assert_eq!(world.core.forget_the_old(old).await.unwrap(), Some(1));
    // The next one of the stream has the next place.
    world.go("2026-06-01T00:00:00Z");
    world.report("ada", &[("i3", "m", "10")]).await;
    let (page, _) = world.core.events(&world.business, None, 100).await.unwrap();
    let sequences: Vec<u64> =
        page.iter().filter(|sent| sent.event.stream.starts_with("sub_")).map(|sent| sent.sequence).collect();
    assert_eq!(sequences, [6, 5, 4]);
}

async fn wrong_receivers_are_refused_by_name(fresh: &impl Fresh) {
    let world = world(fresh, product(0, linear("m", CENT_A_TOKEN, 1, 10), json!({}))).await;
    let add = |url: &str, types: Option<Vec<EventType>>, secret: Option<&str>| {
        let (url, secret) = (url.to_owned(), secret.map(str::to_owned));
        let (core, business, now) = (world.core.clone(), world.business.clone(), world.now);
        async move { core.add_receiver(&business, &url, types, secret, now).await }
    };
    let code = |error: CoreError| match error {
        CoreError::Invalid { code, .. } | CoreError::Conflict { code, .. } => code,
        other => panic!("{other}"),
    };
    for url in [
        "",
        "events",
        "ftp://example.com",
        "http://example.com/",
        "https://u:p@example.com",
        "https://example.com/#a",
        &format!("https://example.com/{}", "a".repeat(1_000)),
    ] {
        assert_eq!(code(add(url, None, None).await.unwrap_err()), "RECEIVER_URL", "{url}");
    }
    assert_eq!(code(add(ADDRESS, Some(Vec::new()), None).await.unwrap_err()), "EVENT_TYPES");
    for secret in ["", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_", "whsec_c2hvcnQ=", "whsec_!!!"] {
        assert_eq!(code(add(ADDRESS, None, Some(secret)).await.unwrap_err()), "SECRET_FORM", "{secret}");
    }
    for _ in 0..RECEIVERS_MAX {
        add(ADDRESS, None, None).await.unwrap();
    }
    assert_eq!(code(add(ADDRESS, None, None).await.unwrap_err()), "TOO_MANY_RECEIVERS");
    let keyless = world.core.clone().with_push(PushSettings::default());
    let refused = keyless.add_receiver(&world.business, ADDRESS, None, None, world.now).await.unwrap_err();
    assert_eq!(code(refused), "SECRETS_KEY_MISSING");
}
