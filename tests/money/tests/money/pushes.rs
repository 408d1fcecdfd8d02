//! Build on push, on both stores, as use cases: deliveries are taken once, steps and statuses are taken fairly and under leases, the last
//! word wins, and secrets are sealed where they lie.

use jiff::{SignedDuration, Timestamp};
use std::collections::BTreeMap;
use svc_core::push_steps::Head;
use svc_core::pushes::{Arrival, Content, Moved};
use svc_core::secrets::Secrets;
use svc_core::sources::NewSource;
use svc_core::{Core, CoreError, PushSettings};
use svc_money_tests::product::{build, linear, meter, plan};
use svc_money_tests::stores::Fresh;
use svc_money_tests::world::at;
use svc_store::Store;
use svc_store::records::{Delivery, DeliveryOutcome, ForgeKind, Id, Push, PushState, ReportState, StatusReport};

svc_money_tests::on_both_stores! {
    a_delivery_is_taken_once_however_many_bring_it,
    steps_are_taken_of_who_has_the_fewest_and_again_when_a_lease_is_over,
    the_last_word_on_a_commit_wins_and_an_older_one_never_comes_after_it,
    secrets_are_sealed_where_they_lie,
    builds_that_wait_for_a_forge_leave_the_queue_to_others,
    a_push_is_published_once_though_two_servers_conclude_it,
}

const START: &str = "2026-01-31T09:30:00Z";
const KEY: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
const TOKEN: &str = "forge-token-in-the-clear";
const SECRET: &str = "hook-secret-in-the-clear";

async fn core<F: Fresh>(fresh: &F, key: &str) -> Core<F::Store> {
    let secrets = Some(Secrets::from_text(key).unwrap());
    let public_url = "https://svc.example.com".to_owned();
    Core::new(fresh.open().await).with_push(PushSettings { secrets, named_hosts: Vec::new(), public_url })
}

async fn business<S: Store>(core: &Core<S>) -> Id {
    let business = core.create_business("Pushed", at(START)).await.unwrap().id;
    let new = NewSource {
        forge: ForgeKind::Github,
        api_base: None,
        repository: "ada/jobs".to_owned(),
        folder: String::new(),
        branch: None,
        token: TOKEN.to_owned(),
        secret: Some(SECRET.to_owned()),
    };
    core.add_source(&business, new, at(START)).await.unwrap();
    business
}

/// The id of a commit, by a number.
fn commit(number: usize) -> String {
    format!("{number:040x}")
}

fn arrival(delivery: &str, branch: &str, (before, after): (usize, usize)) -> Arrival {
    let moved = Moved {
        branch: branch.to_owned(),
        commit: commit(after),
        before: Some(commit(before)),
        committed_at: None,
        message: String::new(),
        repository: "Ada/Jobs".to_owned(),
        default_branch: Some("main".to_owned()),
        touched: None,
    };
    Arrival { delivery: delivery.to_owned(), event: "push".to_owned(), content: Content::Moved(moved) }
}

async fn push<S: Store>(core: &Core<S>, business: &Id, branch: &str, moved: (usize, usize)) -> Delivery {
    let arrival = arrival(&format!("{branch} {moved:?}"), branch, moved);
    core.take_delivery(business, &arrival, at(START)).await.unwrap()
}

fn later(seconds: i64) -> Timestamp {
    at(START).checked_add(SignedDuration::from_secs(seconds)).unwrap()
}

async fn a_delivery_is_taken_once_however_many_bring_it(fresh: &impl Fresh) {
    let one = core(fresh, KEY).await;
    let business = business(&one).await;
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let (core, business) = (core(fresh, KEY).await, business.clone());
        tasks.spawn(async move { core.take_delivery(&business, &arrival("d", "main", (1, 2)), at(START)).await });
    }
    let mut builds: Vec<Option<Id>> = tasks.join_all().await.into_iter().map(|taken| taken.unwrap().build).collect();
    builds.dedup();
    assert!(builds.len() == 1 && builds[0].is_some(), "{builds:?}");
    let (list, _) = one.deliveries(&business, None, 100).await.unwrap();
    assert_eq!((list.len(), list[0].outcome), (1, DeliveryOutcome::Queued));
    let none = Id::named("biz_none");
    assert!(matches!(
        one.take_delivery(&none, &arrival("d", "main", (1, 2)), at(START)).await,
        Err(CoreError::NotFound(_))
    ));
}

async fn steps_are_taken_of_who_has_the_fewest_and_again_when_a_lease_is_over(fresh: &impl Fresh) {
    let (one, other) = (core(fresh, KEY).await, core(fresh, KEY).await);
    let (busy, patient) = (business(&one).await, business(&one).await);
    for branch in 0..6 {
        push(&one, &busy, &format!("branch-{branch}"), (branch, branch + 100)).await;
    }
    push(&one, &patient, "main", (1, 2)).await;
    let mut taken: Vec<Push> = Vec::new();
    while let Some(push) = if taken.len().is_multiple_of(2) { &one } else { &other }.take_push(at(START)).await.unwrap()
    {
        taken.push(push);
    }
    let whose: Vec<bool> = taken.iter().map(|push| push.business == patient).collect();
    assert_eq!(
        whose,
        [false, true, false, false, false],
        "the patient's comes second, and the busy one has four at once"
    );
    assert!(taken.iter().all(|push| push.state == PushState::Waiting && push.attempts == 1));
    assert!(one.take_push(later(29)).await.unwrap().is_none(), "they are leased");
    let again = other.take_push(later(30)).await.unwrap().unwrap();
    assert_eq!(again.attempts, 2, "its server is gone");
    other.postpone_push(&taken[1], later(100)).await.unwrap();
    while let Some(push) = other.take_push(later(31)).await.unwrap() {
        assert_ne!(push.business, patient, "it is not due");
    }
}

async fn the_last_word_on_a_commit_wins_and_an_older_one_never_comes_after_it(fresh: &impl Fresh) {
    let one = core(fresh, KEY).await;
    let business = business(&one).await;
    push(&one, &business, "feature", (1, 2)).await;
    let pending = one.take_report(at(START)).await.unwrap().unwrap();
    assert_eq!((pending.state, pending.commit.as_str()), (ReportState::Pending, commit(2).as_str()));
    // While it is sent something newer is to be said: that waits for the sender, however slow it is.
    push(&one, &business, "feature", (2, 3)).await;
    let others = take_all(&one, at(START)).await;
    assert_eq!(others.iter().map(|report| report.commit.clone()).collect::<Vec<_>>(), [commit(3)]);
    one.report_is_sent(&pending).await.unwrap();
    let last = take_all(&one, at(START)).await;
    assert_eq!(
        last.iter().map(|report| (report.state, report.commit.clone())).collect::<Vec<_>>(),
        [(ReportState::Superseded, commit(2))]
    );
    // A sender that was killed: it is sent again. One that is late marks nothing as sent that is newer than what it sent.
    let again = take_all(&one, later(16)).await;
    assert!(again.iter().any(|report| report.state == ReportState::Superseded && report.attempts == 2), "{again:?}");
    one.report_is_sent(&pending).await.unwrap();
    assert!(take_all(&one, later(32)).await.iter().any(|report| report.state == ReportState::Superseded));
    let superseded = again.iter().find(|report| report.state == ReportState::Superseded).unwrap();
    one.report_is_unsent(superseded, None, "the forge answers 401").await.unwrap();
    assert!(take_all(&one, later(100)).await.iter().all(|report| report.state != ReportState::Superseded));
}

async fn take_all<S: Store>(core: &Core<S>, now: Timestamp) -> Vec<StatusReport> {
    let mut taken = Vec::new();
    while let Some(report) = core.take_report(now).await.unwrap() {
        taken.push(report);
    }
    taken
}

async fn secrets_are_sealed_where_they_lie(fresh: &impl Fresh) {
    let one = core(fresh, KEY).await;
    let (first, second) = (business(&one).await, business(&one).await);
    let opened = one.open_source(&first).await.unwrap();
    assert_eq!((opened.token.as_str(), opened.source.api_base.as_str()), (TOKEN, "https://api.github.com"));
    assert_eq!(one.hook_secrets(&first, at(START)).await.unwrap().secrets, [SECRET]);
    let source = opened.source;
    for sealed in [&source.sealed_token, &source.sealed_secret] {
        let text = String::from_utf8_lossy(sealed);
        assert!(!text.contains("clear") && !text.contains("forge") && !text.contains("hook"), "{text}");
    }
    // Another business's row opens nothing, nor does another key; and a service without one says which it needs.
    let swap = format!(
        "UPDATE sources SET sealed_token = (SELECT sealed_token FROM sources WHERE business_id = '{first}') WHERE business_id = '{second}'"
    );
    fresh.alter(&swap).await.unwrap();
    assert!(matches!(one.open_source(&second).await, Err(CoreError::Internal(_))));
    let other_key = core(fresh, &KEY.replace("00", "ff")).await;
    assert!(matches!(other_key.open_source(&first).await, Err(CoreError::Internal(_))));
    let keyless = Core::new(fresh.open().await);
    assert!(matches!(keyless.open_source(&first).await, Err(CoreError::Conflict { code: "SECRETS_KEY_MISSING", .. })));
    // A former secret is taken for a day.
    one.rotate_source(&first, Some("another-secret-of-hook".to_owned()), false, at(START)).await.unwrap();
    assert_eq!(one.hook_secrets(&first, later(86_399)).await.unwrap().secrets, ["another-secret-of-hook", SECRET]);
    assert_eq!(one.hook_secrets(&first, later(86_400)).await.unwrap().secrets, ["another-secret-of-hook"]);
}

async fn builds_that_wait_for_a_forge_leave_the_queue_to_others(fresh: &impl Fresh) {
    let one = core(fresh, KEY).await;
    for _ in 0..9 {
        let slow = business(&one).await;
        for branch in 0..svc_core::builds::QUEUE_MAX_PER_BUSINESS as usize {
            push(&one, &slow, &format!("branch-{branch}"), (branch, branch + 1_000)).await;
        }
        let full = one.take_delivery(&slow, &arrival("one more", "main", (1, 2)), at(START)).await;
        assert!(matches!(full, Err(CoreError::Busy(_))), "{full:?}");
    }
    // More wait for forges than the queue of builds holds, and there is room in it.
    let other = business(&one).await;
    let files = BTreeMap::from([("product/product.config.ts".to_owned(), String::new())]);
    one.queue_build(&other, &files, None, None, at(START)).await.unwrap();
    assert!(one.take_build(at(START)).await.unwrap().is_some_and(|build| build.business == other));
    push(&one, &other, "main", (1, 2)).await;
}

async fn a_push_is_published_once_though_two_servers_conclude_it(fresh: &impl Fresh) {
    let (one, other) = (core(fresh, KEY).await, core(fresh, KEY).await);
    let business = business(&one).await;
    let built = |fee: u64| {
        build(&[meter("tokens", "sum")], &[plan("basic", fee, &[linear("tokens", 5, 1, 0)], serde_json::json!({}))])
    };
    push(&one, &business, "main", (1, 2)).await;
    let taken = one.take_push(at(START)).await.unwrap().unwrap();
    one.end_build(&taken.business, &taken.build, &built(1900), None, at(START)).await.unwrap();
    let first = one.take_push(at(START)).await.unwrap().unwrap();
    // The first server is slow; its lease is over, and another one does the step.
    let second = other.take_push(later(31)).await.unwrap().unwrap();
    assert_eq!((first.state, &first.build), (PushState::Ended, &second.build));
    let head = Head::Here;
    other.conclude_push(&second, Some(&head), later(31)).await.unwrap();
    let active = one.active_release(&business).await.unwrap();
    // Somebody publishes by hand; then the first server comes, and changes nothing.
    let by_hand = one.keep_build(&business, built(2900), later(32)).await.unwrap();
    one.publish(&business, &by_hand.id, None, None, later(32)).await.unwrap();
    one.conclude_push(&first, Some(&head), later(33)).await.unwrap();
    let now = one.active_release(&business).await.unwrap();
    assert!(now.build == by_hand.id && now.id != active.id);
    let base = one.find_build(&business, &first.build).await.unwrap().base_hash;
    assert_eq!(base, None, "its base is what it was");
    let reports = take_all(&one, later(40)).await;
    assert!(reports.iter().all(|report| report.state == ReportState::Success), "{reports:?}");
}
