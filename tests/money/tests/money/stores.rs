//! What both stores must do alike: the use cases, seen through a second server's eyes, and what the database itself refuses.

use jiff::SignedDuration;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use svc_core::actor::Actor;
use svc_core::builds::{LEASE_SECONDS, QUEUE_MAX_PER_BUSINESS};
use svc_core::credits::CreditSource;
use svc_core::events::DELIVERIES_KEPT_DAYS;
use svc_core::metering::Estimate;
use svc_core::migrations::{Migrated, MigrationOrder, VersionName};
use svc_core::portal_sessions::{Followed, PORTAL_SESSION_SECONDS, Visit};
use svc_core::releases::Published;
use svc_core::subscribing::SubscriptionOrder;
use svc_core::tokens::{NewToken, token_hash};
use svc_core::{Core, CoreError};
use svc_engine::manifest::ir::GrantKind;
use svc_money_tests::product::{build, build_with, credit, linear, meter, plan};
use svc_money_tests::stores::{Fresh, FreshCitus, FreshPostgres};
use svc_money_tests::world::{World, at, statuses};
use svc_store::postgres::Postgres;
use svc_store::records::{
    Delivery, DeliveryOutcome, Id, MigrationPolicy, Proration, ReportState, StatusReport, TokenScope,
};
use svc_store::{Mode, Store, TokenQuery};

svc_money_tests::on_both_stores! {
    what_one_server_writes_another_reads,
    a_transaction_that_is_dropped_leaves_nothing,
    a_reader_sees_one_state,
    opening_again_changes_nothing_and_a_newer_database_is_refused,
    servers_may_start_at_once,
    a_database_of_the_first_step_is_brought_up_to_date,
    a_subject_has_one_live_subscription,
    two_publishers_of_one_base_one_wins,
    publishing_again_under_one_key_answers_the_same,
    a_dry_run_says_what_would_happen_and_does_nothing,
    a_removed_plan_serves_on_and_takes_nobody_new,
    plan_versions_count_their_subscribers,
    lists_go_on_where_a_page_ended,
    what_is_done_to_all_is_done_page_by_page,
    open_holds_are_listed_while_they_last,
    a_plan_version_says_what_the_plan_costs,
    a_version_from_before_routes_counted_stays_where_they_are_the_same,
    the_ledger_refuses_what_is_no_transaction,
    every_miss_is_opaque,
    a_damaged_subscriber_refuses_its_own_items_and_keeps_what_time_did,
    a_queued_build_is_taken_once_and_again_when_its_lease_is_over,
    a_build_that_is_worked_on_stays_its_servers,
    what_was_told_of_old_commits_is_forgotten_by_one_server,
    a_business_fills_its_part_of_the_queue_and_no_more,
    bad_files_never_reach_the_queue,
    whoever_waits_for_a_build_is_woken,
    batches_on_the_same_subjects_never_wait_for_each_other,
    of_those_who_follow_a_portal_link_one_gets_in,
    a_portal_page_looks_as_it_was_told,
    what_is_taken_back_is_heard_by_every_server,
    a_deed_and_its_entry_are_there_together,
    a_refusal_tells_nothing_of_what_is_kept,
}

fn tokens(micros: u64, fee: u64) -> svc_store::records::BuildResult {
    build(&[meter("tokens", "sum")], &[plan("basic", fee, &[linear("tokens", micros, 1, 0)], json!({}))])
}

const START: &str = "2026-01-31T09:30:00Z";

async fn what_one_server_writes_another_reads(fresh: &impl Fresh) {
    let world = World::new(fresh, tokens(5, 1900), START).await;
    let subscription = world.subscribe("ada", "basic").await;
    world.report("ada", &[("a", "tokens", "1234567.000000001")]).await;
    let other = Core::new(fresh.open().await);
    let scope = TokenScope::Portal { subject: "ada".to_owned() };
    let new = NewToken { scope: scope.clone(), name: Some("Ada's page".to_owned()), life_seconds: Some(300) };
    let token = other.mint_token(&world.business, new, world.now).await.unwrap();
    let known = world.core.token(&token.text, world.now).await.unwrap().unwrap();
    assert_eq!(*known, token.token);
    assert_eq!(
        (&known.business, &known.scope, known.name.as_str()),
        (&Some(world.business.clone()), &scope, "Ada's page")
    );
    for scope in [TokenScope::Deploy, TokenScope::Gateway { subject: "ada".to_owned() }] {
        let token = other.mint_token(&world.business, NewToken::of(scope.clone()), world.now).await.unwrap();
        assert!(token.text.starts_with(&format!("svc_{}_", scope.kind())));
        assert_eq!(
            world.core.token(&token.text, world.now).await.unwrap().map(|known| known.scope.clone()),
            Some(scope)
        );
    }
    for server in [&world.core, &other] {
        let end = token.token.expires_at.unwrap();
        assert_eq!(end, world.now + SignedDuration::from_secs(300));
        assert!(server.token(&token.text, end - SignedDuration::from_micros(1)).await.unwrap().is_some());
        assert!(server.token(&token.text, end).await.unwrap().is_none(), "it has ended, remembered or not");
    }
    let read = other.subscription(&world.business, &subscription.id, world.now).await.unwrap();
    assert_eq!((read.started_at, read.recurring_fee_cents.get()), (at(START), 1900));
    let preview = serde_json::to_value(other.preview(&world.business, "ada", world.now).await.unwrap()).unwrap();
    assert_eq!(preview, world.preview("ada").await);
    assert_eq!(preview["totals"]["ratedNanos"], "6172835000");
    assert_eq!(preview["windows"][0]["windowEnd"], "2026-02-28T09:30:00Z");
    assert!(matches!(other.preview(&world.business, "eve", world.now).await, Err(CoreError::NotFound(_))));
    assert!(matches!(other.preview(&Id::named("biz_no"), "ada", world.now).await, Err(CoreError::NotFound(_))));
    world.audit().await;
}

async fn of_those_who_follow_a_portal_link_one_gets_in(fresh: &impl Fresh) {
    let world = World::new(fresh, tokens(5, 0), START).await;
    let other = Core::new(fresh.open().await);
    let link = world.core.portal_link(&world.business, "ada", None, world.now).await.unwrap();
    let secret = link.url.rsplit_once('/').unwrap().1;
    let followers = (0..8).map(|index| {
        let core = if index % 2 == 0 { world.core.clone() } else { other.clone() };
        let (business, secret, now) = (world.business.clone(), secret.to_owned(), world.now);
        tokio::spawn(async move { core.follow_portal_link(&business, &secret, now).await.unwrap() })
    });
    let mut sessions = Vec::new();
    for follower in followers.collect::<Vec<_>>() {
        match follower.await.unwrap() {
            Followed::Begun(session) => sessions.push(session),
            Followed::Used { return_url: None, .. } => {}
            other => panic!("{other:?}"),
        }
    }
    let [session] = sessions.as_slice() else { panic!("{} got in", sessions.len()) };
    let open = Visit::Open { subject: "ada".to_owned(), return_url: None };
    assert_eq!(other.portal_visit(&world.business, session, world.now).await.unwrap(), open);
    let end = world.now + SignedDuration::from_secs(PORTAL_SESSION_SECONDS);
    assert_eq!(other.portal_visit(&world.business, session, end - SignedDuration::from_micros(1)).await.unwrap(), open);
    let ended = Visit::Ended { return_url: None };
    assert_eq!(other.portal_visit(&world.business, session, end).await.unwrap(), ended);
    // Ended by hand, it is ended at every server at once.
    other.end_portal_session(&world.business, session, world.now).await.unwrap();
    assert_eq!(world.core.portal_visit(&world.business, session, world.now).await.unwrap(), ended);
}

async fn a_portal_page_looks_as_it_was_told(fresh: &impl Fresh) {
    let world = World::new(fresh, tokens(5, 0), START).await;
    let look = async || world.core.portal_look(&world.business).await.unwrap().unwrap();
    let plain = look().await;
    let named = plain.name.clone();
    assert_eq!((plain.accent_light.as_deref(), plain.accent_dark.as_deref()), (None, None));
    let set =
        world.core.set_portal_look(&world.business, Some("Jobs"), [Some("#7a1fa2"), None], world.now).await.unwrap();
    assert_eq!((set.name.as_str(), set.accent_light.as_deref()), ("Jobs", Some("#7a1fa2")));
    assert_eq!(look().await, set);
    let reset = world.core.set_portal_look(&world.business, None, [None, Some("#d9a6ee")], world.now).await.unwrap();
    assert_eq!((reset.name.as_str(), reset.accent_light.as_deref()), (named.as_str(), None));
    assert_eq!(look().await.accent_dark.as_deref(), Some("#d9a6ee"));
    assert!(world.core.portal_look(&Id::named("biz_no")).await.unwrap().is_none());
    let nowhere = world.core.set_portal_look(&Id::named("biz_no"), None, [None, None], world.now).await;
    assert!(matches!(nowhere, Err(CoreError::NotFound(_))));
    // Links of earlier days are forgotten when the next is made.
    let old = world.core.portal_link(&world.business, "ada", None, world.now).await.unwrap();
    let secret = old.url.rsplit_once('/').unwrap().1;
    for (hours, expected) in [(24, Followed::Expired { return_url: None }), (25, Followed::Unknown)] {
        let now = world.now + SignedDuration::from_hours(hours);
        world.core.portal_link(&world.business, "bea", None, now).await.unwrap();
        assert_eq!(world.core.follow_portal_link(&world.business, secret, now).await.unwrap(), expected, "{hours}");
    }
}

async fn what_is_taken_back_is_heard_by_every_server(fresh: &impl Fresh) {
    let world = World::new(fresh, tokens(5, 0), START).await;
    let other = Core::new(fresh.open().await);
    let now = world.now;
    let after = |seconds: i64| now + SignedDuration::from_secs(seconds);
    let token = world.core.mint_token(&world.business, NewToken::of(TokenScope::Usage), now).await.unwrap();
    other.hear_of_tokens(now).await.unwrap();
    assert!(other.token(&token.text, now).await.unwrap().is_some());
    world.core.revoke_token(Some(&world.business), &token.token.id, after(1)).await.unwrap();
    assert!(world.core.token(&token.text, after(1)).await.unwrap().is_none());
    assert!(other.token(&token.text, after(1)).await.unwrap().is_some(), "it remembers, and has not heard yet");
    other.hear_of_tokens(after(3)).await.unwrap();
    assert!(other.token(&token.text, after(3)).await.unwrap().is_none(), "it has heard");
    // Who can't hear asks the store each time.
    let second = world.core.mint_token(&world.business, NewToken::of(TokenScope::Read), after(3)).await.unwrap();
    assert!(other.token(&second.text, after(3)).await.unwrap().is_some());
    world.core.revoke_token(Some(&world.business), &second.token.id, after(4)).await.unwrap();
    assert!(other.token(&second.text, after(11)).await.unwrap().is_none());
    // When each was used last is noted, all that were used since together.
    other.hear_of_tokens(after(11)).await.unwrap();
    let all = TokenQuery { subject: None, before: None, limit: 10 };
    let (listed, _) = other.tokens(Some(&world.business), all).await.unwrap();
    let used: Vec<_> = listed.iter().map(|token| token.last_used_at).collect();
    assert_eq!(used, [Some(after(11)), Some(now)], "the newest first");
    // A token of one business is not another's to take back, nor an operator's.
    let operator = world.core.add_operator("ada", None, now).await.unwrap();
    for business in [Some(&world.business), Some(&Id::named("biz_no"))] {
        let missing = other.revoke_token(business, &operator.token.id, now).await;
        assert!(matches!(missing, Err(CoreError::NotFound(_))));
    }
    assert!(other.token(&operator.text, now).await.unwrap().is_some_and(|token| token.business.is_none()));
}

async fn a_deed_and_its_entry_are_there_together(fresh: &impl Fresh) {
    let world = World::new(fresh, tokens(5, 0), START).await;
    world.subscribe("ada", "basic").await;
    let core = world.core.acting(Actor::Operator { id: None, name: "root".to_owned() });
    let cents = serde_json::from_value(json!(5)).unwrap();
    let source =
        CreditSource::Given { amount_cents: cents, kind: GrantKind::Promo, expires_after_days: None, meters: None };
    let before = core.audit_entries(Some(&world.business), None, 100).await.unwrap().0.len();
    let credit = async || core.give_credit(&world.business, "ada", &source, Some("key"), world.now).await.unwrap();
    let given = credit().await;
    assert_eq!(credit().await, given, "the same again");
    let nobody = core.give_credit(&world.business, "eve", &source, None, world.now).await;
    assert!(nobody.is_err());
    let (entries, _) = core.audit_entries(Some(&world.business), None, 100).await.unwrap();
    assert_eq!(entries.len(), before + 1, "what was done twice by one key, or refused, is no second deed");
    let newest = &entries[0];
    assert_eq!((newest.action.as_str(), newest.target.as_deref()), ("credit.given", Some(given.bucket_id.as_str())));
    assert_eq!((newest.actor_kind.as_str(), newest.actor_name.as_deref()), ("operator", Some("root")));
    let missing = core.audit_entries(Some(&Id::named("biz_no")), None, 100).await;
    assert!(matches!(missing, Err(CoreError::NotFound(_))));
}

/// Errors go to the log, and rows hold who subscribers are.
async fn a_refusal_tells_nothing_of_what_is_kept(fresh: &impl Fresh) {
    let world = World::new(fresh, tokens(5, 0), START).await;
    let scope = TokenScope::Portal { subject: "ada@example.com".to_owned() };
    let token = world.core.mint_token(&world.business, NewToken::of(scope), world.now).await.unwrap().token;
    let twice = async {
        let mut tx = world.core.store.begin(Mode::Write).await?;
        tx.insert_token(&token).await?;
        tx.commit().await
    };
    let refused = twice.await.unwrap_err().to_string();
    assert!(refused.to_lowercase().contains("unique constraint"), "{refused}");
    for kept in ["ada@example.com", world.business.as_str(), token.id.as_str(), "DETAIL", "Key ("] {
        assert!(!refused.contains(kept), "{refused}");
    }
}

async fn a_transaction_that_is_dropped_leaves_nothing(fresh: &impl Fresh) {
    let world = World::new(fresh, tokens(5, 0), START).await;
    let mut tx = world.core.store.begin(Mode::Write).await.unwrap();
    let mut business = tx.business(&world.business).await.unwrap().unwrap();
    business.id = Id::named("biz_gone");
    tx.insert_business(&business).await.unwrap();
    assert!(tx.business(&business.id).await.unwrap().is_some());
    drop(tx);
    let mut tx = world.core.store.begin(Mode::Write).await.unwrap();
    assert!(tx.business(&business.id).await.unwrap().is_none());
    tx.commit().await.unwrap();
}

async fn a_reader_sees_one_state(fresh: &impl Fresh) {
    let world = World::new(fresh, tokens(5, 0), START).await;
    let mut reader = world.core.store.begin(Mode::Read).await.unwrap();
    assert!(reader.live_subscription(&world.business, "ada").await.unwrap().is_none());
    world.subscribe("ada", "basic").await;
    assert!(
        reader.live_subscription(&world.business, "ada").await.unwrap().is_none(),
        "the reader's state is one moment's"
    );
    drop(reader);
    let mut reader = world.core.store.begin(Mode::Read).await.unwrap();
    assert!(reader.live_subscription(&world.business, "ada").await.unwrap().is_some());
}

async fn opening_again_changes_nothing_and_a_newer_database_is_refused(fresh: &impl Fresh) {
    let world = World::new(fresh, tokens(5, 0), START).await;
    let _again = fresh.open().await;
    assert_eq!(
        fresh.rows("SELECT version FROM schema_versions ORDER BY version").await,
        [["1"], ["2"], ["3"], ["4"], ["5"], ["6"], ["7"], ["8"], ["9"], ["10"], ["11"], ["12"], ["13"], ["14"], ["15"]]
    );
    fresh.alter("INSERT INTO schema_versions (version, hash) VALUES (16, 'x')").await.unwrap();
    let refused = fresh.try_open().await.err().map(|error| error.to_string()).unwrap_or_default();
    assert!(refused.contains("version 16; this program knows up to 15"), "{refused}");
    world.audit().await;
}

async fn servers_may_start_at_once(fresh: &impl Fresh) {
    let (a, b, c) = tokio::join!(fresh.open(), fresh.open(), fresh.open());
    for store in [a, b, c] {
        store.check().await.unwrap();
    }
    assert_eq!(fresh.rows("SELECT COUNT(*) FROM schema_versions").await, [["15"]]);
}

/// A database of the first step, with money in it, is brought up to date by the first server of the new program; those of the old one go on
/// beside it.
async fn a_database_of_the_first_step_is_brought_up_to_date(fresh: &impl Fresh) {
    let old = World::new(fresh, tokens(5, 100), START).await;
    old.subscribe("ada", "basic").await;
    old.report("ada", &[("a", "tokens", "7")]).await;
    let undo = [
        "ALTER TABLE subscriptions DROP COLUMN own_most_cents",
        "ALTER TABLE periods DROP COLUMN own_most_cents",
        "ALTER TABLE migrations DROP COLUMN keeps_fee",
        "ALTER TABLE transitions DROP COLUMN keeps_fee",
        "ALTER TABLE windows DROP COLUMN rated_until",
        "ALTER TABLE window_levels DROP COLUMN area",
        "ALTER TABLE holds DROP COLUMN owed_nanos",
        "DROP TABLE resource_counts",
        "DROP TABLE resource_changes",
        "DROP TABLE rate_levels",
        "DROP TABLE audit_log",
        "DROP TABLE service_keys",
        "DROP INDEX tokens_by_business",
        "DROP INDEX tokens_by_subject",
        "DROP INDEX tokens_revoked",
        "DROP INDEX tokens_unmarked",
        "ALTER TABLE tokens DROP COLUMN id",
        "ALTER TABLE tokens DROP COLUMN name",
        "ALTER TABLE tokens DROP COLUMN is_marked",
        "ALTER TABLE tokens DROP COLUMN last_used_at",
        "ALTER TABLE tokens DROP COLUMN revoked_at",
        "ALTER TABLE tokens DROP COLUMN kind",
        "DROP INDEX deliveries_by_time",
        "DROP INDEX deliveries_by_branch",
        "DROP TABLE kept_sources",
        "ALTER TABLE window_levels DROP COLUMN pooled_steps",
        "ALTER TABLE buckets DROP COLUMN given_in",
        "ALTER TABLE buckets DROP COLUMN meters",
        "ALTER TABLE subscriptions DROP COLUMN fee_terms",
        "ALTER TABLE subscriptions DROP COLUMN intro",
        "ALTER TABLE periods DROP COLUMN fee",
        "ALTER TABLE builds DROP COLUMN trace",
        "ALTER TABLE events DROP COLUMN trace",
        "DELETE FROM schema_versions WHERE version > 1",
    ];
    // One by one: a coordinator takes no list of them.
    for statement in undo {
        fresh.alter(statement).await.unwrap();
    }
    // What an earlier program minted opens what it opened, and can be listed and taken back.
    let earlier = format!("svc_deploy_{}", "0a".repeat(32));
    let digits: String = token_hash(&earlier).iter().map(|byte| format!("{byte:02x}")).collect();
    let row = |hash: &str| {
        format!(
            "INSERT INTO tokens (hash, business_id, created_at) SELECT {hash}, id, created_at FROM businesses WHERE id = '{}'",
            old.business
        )
    };
    let is_sqlite = fresh.arguments()[0] == "--data";
    let hash = if is_sqlite { format!("x'{digits}'") } else { format!("decode('{digits}', 'hex')") };
    fresh.alter(&row(&hash)).await.unwrap();
    let new = World { core: Core::new(fresh.open().await), business: old.business.clone(), now: old.now };
    assert_eq!(fresh.rows("SELECT COUNT(*) FROM schema_versions").await, [["15"]]);
    new.core.hear_of_tokens(new.now).await.unwrap();
    let known = new.core.token(&earlier, new.now).await.unwrap().unwrap();
    assert_eq!((&known.scope, known.name.as_str()), (&TokenScope::Deploy, "deploy"));
    new.core.revoke_token(Some(&new.business), &known.id, new.now).await.unwrap();
    assert!(new.core.token(&earlier, new.now).await.unwrap().is_none());
    for (number, server) in [&old, &new, &old, &new].into_iter().enumerate() {
        assert_eq!(statuses(&server.report("ada", &[(&format!("b{number}"), "tokens", "1")]).await), ["accepted"]);
        assert_eq!(statuses(&server.report("ada", &[("a", "tokens", "7")]).await), ["duplicate"]);
    }
    assert_eq!(old.preview("ada").await, new.preview("ada").await);
    new.audit().await;
    // Another history of the second step is refused.
    fresh.alter("UPDATE schema_versions SET hash = 'x' WHERE version = 2").await.unwrap();
    let refused = fresh.try_open().await.err().map(|error| error.to_string()).unwrap_or_default();
    assert!(refused.contains("tables of version 2 are not this program's"), "{refused}");
}

async fn a_subject_has_one_live_subscription(fresh: &impl Fresh) {
    let world = World::new(fresh, tokens(5, 0), START).await;
    let other = Core::new(fresh.open().await);
    let (business, now) = (&world.business, world.now);
    let (one, two) = tokio::join!(
        world.core.subscribe(business, "ada", SubscriptionOrder::of("basic"), now),
        other.subscribe(business, "ada", SubscriptionOrder::of("basic"), now)
    );
    let refused = [one, two].into_iter().filter_map(Result::err).collect::<Vec<_>>();
    assert!(matches!(refused[..], [CoreError::Conflict { code: "ALREADY_SUBSCRIBED", .. }]), "{refused:?}");
}

async fn two_publishers_of_one_base_one_wins(fresh: &impl Fresh) {
    let world = World::new(fresh, tokens(1, 0), START).await;
    let (core, business, now) = (&world.core, &world.business, world.now);
    let other = Core::new(fresh.open().await);
    let base = core.active_release(business).await.unwrap().ir_hash;
    let x = core.keep_build(business, tokens(2, 0), now).await.unwrap();
    let y = other.keep_build(business, tokens(3, 0), now).await.unwrap();
    let (x_done, y_done) =
        tokio::join!(core.publish(business, &x.id, None, None, now), other.publish(business, &y.id, None, None, now));
    let (won, lost) = match (x_done, y_done) {
        (Ok(won), Err(lost)) | (Err(lost), Ok(won)) => (won, lost),
        both => panic!("one must win: {both:?}"),
    };
    let CoreError::Moved { code: "RELEASE_MOVED", expected, actual, .. } = lost else { panic!("{lost:?}") };
    assert_eq!((expected, actual), (Some(base), Some(won.ir_hash.clone())));
    // Naming what it may replace is the way to publish an old build after all.
    let old = core.publish(business, &x.id, Some(&won.ir_hash), None, now).await.unwrap();
    let also = core.publish(business, &y.id, Some(&old.ir_hash), None, now).await.unwrap();
    assert_eq!(core.active_release(business).await.unwrap().id, also.release_id);
}

async fn publishing_again_under_one_key_answers_the_same(fresh: &impl Fresh) {
    let world = World::new(fresh, tokens(1, 0), START).await;
    let (core, business, now) = (&world.core, &world.business, world.now);
    let next = core.keep_build(business, tokens(2, 0), now).await.unwrap();
    let first = core.publish(business, &next.id, None, Some("key"), now).await.unwrap();
    let later = core.keep_build(business, tokens(3, 0), now).await.unwrap();
    core.publish(business, &later.id, None, None, now).await.unwrap();
    let again = core.publish(business, &next.id, None, Some("key"), at("2026-02-01T00:00:00Z")).await.unwrap();
    assert_eq!(first, again, "the answer of the first time, though another release is active by now");
    let other = core.publish(business, &later.id, None, Some("key"), now).await.unwrap_err();
    assert!(matches!(other, CoreError::Conflict { code: "IDEMPOTENCY_CONFLICT", .. }));
    let unchanged = core.publish(business, &later.id, None, None, now).await.unwrap();
    assert!(unchanged.unchanged);
    assert_eq!(fresh.rows("SELECT COUNT(*) FROM releases").await, [["3"]]);
}

async fn a_dry_run_says_what_would_happen_and_does_nothing(fresh: &impl Fresh) {
    let world = World::new(fresh, tokens(1, 1900), START).await;
    world.subscribe("ada", "basic").await;
    world.subscribe("bea", "basic").await;
    let two = build(
        &[meter("tokens", "sum")],
        &[plan("basic", 2900, &[linear("tokens", 1, 1, 0)], json!({})), plan("fresh", 0, &[], json!({}))],
    );
    let kept = world.core.keep_build(&world.business, two, world.now).await.unwrap();
    let preview = world.core.preview_publish(&world.business, &kept.id, world.now).await.unwrap();
    assert!(preview.economic && !preview.unchanged && preview.breaking);
    let shown = serde_json::to_value(&preview.plans).unwrap();
    assert_eq!(
        shown,
        json!({
            "basic": { "activeVersion": 1, "nextVersion": 2, "subscribers": { "1": 2 } },
            "fresh": { "activeVersion": null, "nextVersion": 1, "subscribers": {} },
        })
    );
    let fields: Vec<String> =
        preview.changes.iter().map(|change| format!("{} {} {}", change.resource, change.key, change.field)).collect();
    assert!(fields.contains(&"plans basic recurringFeeCents".to_owned()), "{fields:?}");
    assert_eq!(fresh.rows("SELECT COUNT(*) FROM releases").await, [["1"]]);
    let empty = build(&[meter("tokens", "sum")], &[plan("fresh", 0, &[], json!({}))]);
    let kept = world.core.keep_build(&world.business, empty, world.now).await.unwrap();
    let preview = world.core.preview_publish(&world.business, &kept.id, world.now).await.unwrap();
    assert!(preview.breaking, "the plan would be gone");
    assert_eq!(preview.plans["basic"].next_version, None);
}

async fn a_removed_plan_serves_on_and_takes_nobody_new(fresh: &impl Fresh) {
    let world = World::new(fresh, tokens(1_000, 1900), START).await;
    world.subscribe("ada", "basic").await;
    world.publish(build(&[meter("other", "sum")], &[plan("new", 0, &[], json!({}))])).await;
    let refused =
        world.core.subscribe(&world.business, "bea", SubscriptionOrder::of("basic"), world.now).await.unwrap_err();
    assert!(matches!(refused, CoreError::Invalid { code: "UNKNOWN_PLAN", .. }));
    assert_eq!(statuses(&world.report("ada", &[("a", "tokens", "3")]).await), ["accepted"]);
    let preview = world.preview("ada").await;
    assert_eq!((&preview["recurringFeeCents"], &preview["totals"]["ratedNanos"]), (&1900.into(), &"3000000".into()));
}

async fn plan_versions_count_their_subscribers(fresh: &impl Fresh) {
    let world = World::new(fresh, tokens(1, 100), START).await;
    world.subscribe("ada", "basic").await;
    let bea = world.subscribe("bea", "basic").await;
    world.publish(tokens(2, 100)).await;
    // The same plan in another release is the same version.
    let more = build(
        &[meter("tokens", "sum"), meter("unpriced", "sum")],
        &[plan("basic", 100, &[linear("tokens", 2, 1, 0)], json!({}))],
    );
    assert_eq!(world.publish(more).await.plan_versions["basic"], 2);
    world.subscribe("cy", "basic").await;
    world.core.cancel(&world.business, &bea.id, Default::default(), false, world.now).await.unwrap();
    let versions = world.core.plan_versions(&world.business, None, 100, world.now).await.unwrap().0;
    let versions = serde_json::to_value(versions).unwrap();
    let seen: Vec<(&Json, &Json, &Json)> = (versions.as_array().unwrap().iter())
        .map(|version| (&version["version"], &version["subscribers"], &version["active"]))
        .collect();
    assert_eq!(seen, [(&1.into(), &1.into(), &false.into()), (&2.into(), &1.into(), &true.into())]);
}

/// Everything of each list, an entry a page, in the same order as in one.
async fn what_is_done_to_all_is_done_page_by_page(fresh: &impl Fresh) {
    let mut world = World::new(fresh, tokens(1, 100), START).await;
    for subject in ["cy", "ada", "bea"] {
        world.subscribe(subject, "basic").await;
    }
    world.publish(tokens(2, 100)).await;
    let (from, to) = (VersionName::Number(1), VersionName::Number(2));
    let policy = MigrationPolicy::NextRenewal;
    let order = MigrationOrder { from, to, policy, proration: Proration::None, complete_by: None };
    let key = Some("the-migration");
    let subjects = |page: &Migrated| page.moves.iter().map(|one| one.subject.clone()).collect::<Vec<_>>();
    let migrate = async |after: Option<&str>| {
        let done = world.core.migrate(&world.business, "basic", order, false, key, world.now).await.unwrap();
        done.page(after, 2)
    };
    let (first, next) = migrate(None).await;
    assert_eq!((subjects(&first), next.as_deref()), (vec!["ada".to_owned(), "bea".to_owned()], Some("bea")));
    let (rest, end) = migrate(next.as_deref()).await;
    assert_eq!((subjects(&rest), end, &rest.batch_id), (vec!["cy".to_owned()], None, &first.batch_id));

    world.go("2026-03-01T10:00:00Z");
    let (business, now) = (&world.business, world.now);
    let dry = world.core.close_invoices(business, None, true, now).await.unwrap();
    assert_eq!((dry.invoices.len(), dry.open.len()), (3, 3));
    let (mut closed, mut after) = (Vec::new(), None::<Id>);
    loop {
        let (page, next) = world.core.close_page(business, after.as_ref(), 2, false, now).await.unwrap();
        assert!(page.invoices.len() <= 2 && page.failed.is_empty());
        closed.extend(page.invoices);
        after = next;
        if after.is_none() {
            break;
        }
    }
    let ids = closed.iter().map(|invoice| invoice.subscription_id.clone()).collect::<Vec<_>>();
    assert!(ids.is_sorted() && ids.len() == 3, "each once: {ids:?}");
    assert!(world.core.close_invoices(business, None, false, now).await.unwrap().invoices.is_empty());
    world.audit().await;
}

async fn open_holds_are_listed_while_they_last(fresh: &impl Fresh) {
    let mut world = World::new(fresh, tokens(1, 100), START).await;
    world.subscribe("ada", "basic").await;
    let estimate = Estimate::Meter { meter: "tokens".to_owned(), units: "5".parse().unwrap() };
    for (id, life) in [("c", 60), ("a", 600), ("b", 600), ("d", 600)] {
        world.core.hold(&world.business, "ada", id, &estimate, life, world.now).await.unwrap();
    }
    world.core.release_hold(&world.business, "ada", "d", world.now).await.unwrap();
    let listed = async |world: &World<_>, after: &str, limit| {
        let (page, next) = world.core.open_holds(&world.business, "ada", after, limit, world.now).await.unwrap();
        (page.into_iter().map(|held| held.hold_id).collect::<Vec<_>>().concat(), next)
    };
    assert_eq!(listed(&world, "", 100).await, ("abc".to_owned(), None));
    assert_eq!(listed(&world, "", 2).await, ("ab".to_owned(), Some("b".to_owned())));
    assert_eq!(listed(&world, "b", 2).await, ("c".to_owned(), None));
    // Nobody has come by since its time was over.
    world.now += SignedDuration::from_secs(60);
    assert_eq!(listed(&world, "", 100).await, ("ab".to_owned(), None));
    let nobody = world.core.open_holds(&world.business, "eve", "", 1, world.now).await.unwrap_err();
    assert!(matches!(nobody, CoreError::NotFound(_)), "{nobody}");
    world.audit().await;
}

async fn lists_go_on_where_a_page_ended(fresh: &impl Fresh) {
    let mut world = World::new(fresh, tokens(1, 100), START).await;
    let (ada, bea) = (world.subscribe("ada", "basic").await, world.subscribe("bea", "basic").await);
    world.publish(tokens(2, 100)).await;
    world.publish(tokens(1, 100)).await;
    for (from, to, policy) in [(1, 3, MigrationPolicy::Immediate), (3, 2, MigrationPolicy::NextRenewal)] {
        let (from, to) = (VersionName::Number(from), VersionName::Number(to));
        let order = MigrationOrder { from, to, policy, proration: Proration::None, complete_by: None };
        world.core.migrate(&world.business, "basic", order, false, None, world.now).await.unwrap();
    }
    world.go("2026-04-01T00:00:00Z");
    world.core.close_invoices(&world.business, None, false, world.now).await.unwrap();
    let (core, business, now) = (&world.core, &world.business, world.now);

    let (versions, end) = core.plan_versions(business, None, 100, now).await.unwrap();
    assert_eq!((versions.len(), end), (3, None));
    let (mut paged, mut after) = (Vec::new(), None);
    loop {
        let (page, next) = core.plan_versions(business, after.as_deref(), 1, now).await.unwrap();
        paged.extend(page);
        after = next;
        if after.is_none() {
            break;
        }
    }
    assert_eq!(paged, versions);
    let wrong = core.plan_versions(business, Some("basic"), 1, now).await.unwrap_err();
    assert!(matches!(wrong, CoreError::Invalid { code: "CURSOR_FORM", .. }));

    let releases = core.releases(business, None, 100).await.unwrap().0;
    assert_eq!(releases.iter().map(|release| release.is_active).collect::<Vec<_>>(), [true, false, false]);
    assert_eq!(releases[0].ir_hash, releases[2].ir_hash, "the newest first: the first one was released again");
    let (mut paged, mut before) = (Vec::new(), None::<Id>);
    loop {
        let (page, next) = core.releases(business, before.as_ref().map(Id::as_str), 1).await.unwrap();
        paged.extend(page);
        before = next;
        if before.is_none() {
            break;
        }
    }
    assert_eq!(paged, releases);

    let migrations = core.migrations(business, None, 100, now).await.unwrap().0;
    assert_eq!(
        migrations.iter().map(|one| one.from_version).collect::<Vec<_>>(),
        [Some(3), Some(1)],
        "the newest first"
    );
    let (first, next) = core.migrations(business, None, 1, now).await.unwrap();
    let rest = core.migrations(business, next.as_ref().map(Id::as_str), 100, now).await.unwrap();
    assert_eq!(([first, rest.0].concat(), rest.1), (migrations, None));

    for subscription in [&ada, &bea] {
        let invoices = core.invoices(business, &subscription.id, 0, 100).await.unwrap().0;
        assert_eq!(invoices.len(), 2);
        let (first, next) = core.invoices(business, &subscription.id, 0, 1).await.unwrap();
        let rest = core.invoices(business, &subscription.id, next.unwrap(), 100).await.unwrap();
        assert_eq!(([first, rest.0].concat(), rest.1), (invoices, None));
    }

    let whole = world.audit().await;
    let (first, next) = core.audit_page(business, None, 1).await.unwrap();
    let (second, end) = core.audit_page(business, next.as_ref().map(Id::as_str), 1).await.unwrap();
    assert_eq!((whole.subscriptions, first.subscriptions, second.subscriptions), (2, 1, 1));
    assert_eq!(whole.transactions, first.transactions + second.transactions);
    let (none, end) = core.audit_page(business, end.as_ref().map(Id::as_str), 1).await.unwrap();
    assert_eq!((none.subscriptions, end), (0, None));
}

/// The product of [`tokens`], with a plan that prices nothing, and with this route cost and aggregation.
fn charging(cost: u64, aggregation: &str) -> svc_store::records::BuildResult {
    let plans = [plan("basic", 100, &[linear("tokens", 1, 1, 0)], json!({})), plan("free", 0, &[], json!({}))];
    let meters = [meter("tokens", aggregation), meter("unpriced", "sum")];
    build_with(&meters, &plans, |ir| ir["routes"][0]["costs"] = json!({ "tokens": cost, "unpriced": cost }))
}

async fn a_plan_version_says_what_the_plan_costs(fresh: &impl Fresh) {
    let mut world = World::new(fresh, charging(1, "sum"), START).await;
    world.subscribe("ada", "basic").await;
    let versions = |published: &Published| (published.plan_versions["basic"], published.plan_versions["free"]);
    // The route costs twice as much, though no plan's own form has changed.
    let dearer = charging(2, "sum");
    let kept = world.core.keep_build(&world.business, dearer.clone(), world.now).await.unwrap();
    let dry = world.core.preview_publish(&world.business, &kept.id, world.now).await.unwrap();
    assert_eq!((dry.plans["basic"].active_version, dry.plans["basic"].next_version), (Some(1), Some(2)));
    assert_eq!(dry.plans["free"].next_version, Some(1), "a plan that prices nothing costs what it did");
    assert_eq!(versions(&world.publish(dearer.clone()).await), (2, 1));
    // Publishing the same again says so, and the same versions.
    let again = world.publish(dearer).await;
    assert_eq!((again.unchanged, versions(&again)), (true, (2, 1)));
    assert_eq!(versions(&world.publish(charging(2, "max")).await), (3, 1), "another way to count is another price");
    world.subscribe("bea", "basic").await;
    // Each pays by the version they have.
    world.go("2026-02-01T00:00:00Z");
    let served = |subject: &str| json!({ "id": subject, "subject": subject, "route": "POST /v1/use", "status": 200 });
    world.send(vec![served("ada"), served("bea")]).await;
    let again = |subject: &str| json!({ "id": format!("{subject} again"), "subject": subject, "route": "POST /v1/use", "status": 200 });
    world.send(vec![again("ada"), again("bea")]).await;
    assert_eq!(world.totals("ada").await.0, 2_000, "two requests of one unit, added up");
    assert_eq!(world.totals("bea").await.0, 2_000, "two requests of two units, of which the largest counts");
    world.audit().await;
}

async fn a_version_from_before_routes_counted_stays_where_they_are_the_same(fresh: &impl Fresh) {
    let world = World::new(fresh, charging(1, "sum"), START).await;
    // So earlier programs hashed a plan.
    let form = |build: &svc_store::records::BuildResult| {
        let manifest: svc_engine::manifest::Manifest = serde_json::from_str(build.ir.as_deref().unwrap()).unwrap();
        svc_engine::manifest::pricing::form(&manifest.plans[0]).unwrap()
    };
    let hash = form(&charging(1, "sum"));
    fresh.alter(&format!("UPDATE projections SET plan_hash = '{hash}' WHERE plan = 'basic'")).await.unwrap();
    assert_eq!(world.publish(charging(1, "sum")).await.plan_versions["basic"], 1, "the same release");
    let mut renamed = charging(1, "sum");
    let ir = renamed.ir.unwrap().replace("\"name\":\"Test\"", "\"name\":\"Renamed\"");
    renamed.ir_hash = Some(svc_engine::manifest::canonical::hash_bytes(ir.as_bytes()));
    renamed.ir = Some(ir);
    assert_eq!(world.publish(renamed).await.plan_versions["basic"], 1, "another release at the same price");
    assert_eq!(world.publish(charging(2, "sum")).await.plan_versions["basic"], 2);
}

async fn the_ledger_refuses_what_is_no_transaction(fresh: &impl Fresh) {
    let world = World::new(fresh, tokens(1_000, 0), START).await;
    let plans = [plan("basic", 0, &[linear("tokens", 1_000, 1, 0)], json!({ "grants": [credit("promo", 1, false)] }))];
    world.publish(build(&[meter("tokens", "sum")], &plans)).await;
    world.subscribe("ada", "basic").await;
    world.report("ada", &[("a", "tokens", "20")]).await;
    let with = |id: &str, postings: Json| {
        format!(
            "INSERT INTO ledger_transactions (business_id, id, subscription_id, period, at, postings)
             SELECT business_id, '{id}', subscription_id, period, at, '{postings}' FROM ledger_transactions LIMIT 1"
        )
    };
    let transaction = |id: &str, amounts: &[&str]| {
        with(id, amounts.iter().map(|amount| json!(["receivable", amount, "x:y"])).collect())
    };
    let huge = "170141183460469231731687303715884105727";
    for (what, sql, wanted) in [
        ("unbalanced", transaction("t1", &["5", "-4"]), "sum_to_zero"),
        ("one line", transaction("t2", &["5"]), "sum_to_zero"),
        ("none", transaction("t3", &[]), "sum_to_zero"),
        ("huge", transaction("t4", &[huge, huge]), "sum_to_zero"),
        ("a carry", transaction("t5", &["10000000000000", "-1"]), "sum_to_zero"),
        ("no integer", transaction("t7", &["10.85", "-10.85"]), "sum_to_zero"),
        ("zero", transaction("t8", &["0", "0"]), "sum_to_zero"),
        ("padded", transaction("t9", &["007", "-007"]), "sum_to_zero"),
        ("no cause", with("t11", json!([["receivable", "5"], ["revenue", "-5"]])), "sum_to_zero"),
        ("update", "UPDATE ledger_transactions SET period = 9".to_owned(), "append-only"),
        ("delete", "DELETE FROM ledger_transactions".to_owned(), "append-only"),
        ("another actor", "UPDATE audit_log SET actor_name = 'eve'".to_owned(), "append-only"),
        ("a deed undone", "DELETE FROM audit_log".to_owned(), "append-only"),
    ] {
        if wanted == "append-only" && !fresh.has_triggers() {
            continue;
        }
        let refused = fresh.alter(&sql).await.expect_err(what);
        assert!(refused.contains(wanted), "{what}: {refused}");
    }
    fresh.alter(&transaction("t10", &[huge, &format!("-{huge}")])).await.unwrap();
    assert_eq!(world.totals("ada").await, (20_000_000, 10_000_000, 10_000_000));
}

async fn every_miss_is_opaque(fresh: &impl Fresh) {
    for (what, alteration) in [
        ("the release was never activated", "UPDATE releases SET activated_at = NULL"),
        ("the release is gone", "UPDATE subscriptions SET release_id = 'rel_gone'"),
        ("the plan is not in the release", "UPDATE subscriptions SET plan = 'gone'"),
        ("the projection is missing", "DELETE FROM projections"),
        ("the projection was altered", "UPDATE projections SET body = replace(body, '\"micros\":5,', '\"micros\":6,')"),
        ("the projection is no JSON", "UPDATE projections SET body = '{'"),
        ("the projection's hash was altered", "UPDATE projections SET hash = 'sha256:00'"),
    ] {
        // One database serves them all: each begins with a business of its own, and what the others broke stays broken.
        let world = World::new(fresh, tokens(5, 1900), START).await;
        world.subscribe("ada", "basic").await;
        world.report("ada", &[("a", "tokens", "7")]).await;
        assert_eq!(world.preview("ada").await["disclosure"], "transparent", "{what}");
        fresh.alter(alteration).await.unwrap();
        let preview = world.preview("ada").await;
        let keys: Vec<&String> = preview.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["disclosure", "currency", "recurringFeeCents", "allowances"], "{what}");
        assert_eq!(preview["disclosure"], "opaque", "{what}");
        // The period's end comes all the same, and still nothing is shown.
        let later = world.core.preview(&world.business, "ada", at("2026-05-01T00:00:00Z")).await.unwrap();
        assert_eq!(serde_json::to_value(later).unwrap()["disclosure"], "opaque", "{what}");
    }
}

async fn a_damaged_subscriber_refuses_its_own_items_and_keeps_what_time_did(fresh: &impl Fresh) {
    let more = json!({ "grants": [credit("promo", 1, false)] });
    let credited = build(&[meter("tokens", "sum")], &[plan("basic", 0, &[linear("tokens", 5, 1, 0)], more)]);
    let mut world = World::new(fresh, credited, START).await;
    world.subscribe("ada", "basic").await;
    world.publish(tokens(7, 0)).await;
    world.subscribe("bea", "basic").await;
    let estimate = svc_core::metering::Estimate::Meter { meter: "tokens".to_owned(), units: "100".parse().unwrap() };
    world.core.hold(&world.business, "ada", "h", &estimate, 60, world.now).await.unwrap();
    fresh.alter("UPDATE projections SET hash = 'x' || hash WHERE version = 1").await.unwrap();
    // The hold's time is over; and ada's items are refused, bea's are not.
    world.go("2026-02-01T00:00:00Z");
    let item = |subject: &str| json!({ "id": "1", "subject": subject, "meter": "tokens", "units": 1 });
    let results = world.send(vec![item("ada"), item("bea")]).await;
    assert_eq!(statuses(&results), ["RELEASE_UNREADABLE", "accepted"]);
    let closed = world.core.close_invoices(&world.business, None, false, at("2026-03-01T00:00:00Z")).await.unwrap();
    assert_eq!((closed.invoices.len(), closed.failed.len()), (1, 1), "ada's can't be closed, bea's is");
    fresh.alter("UPDATE projections SET hash = substr(hash, 2) WHERE version = 1").await.unwrap();
    assert_eq!(world.preview("ada").await["allowances"][0]["remainingNanos"], "10000000", "the hold was let go, once");
    world.audit().await;
    world.go("2026-03-01T00:00:00Z");
    assert_eq!(world.close().await.len(), 1);
    world.audit().await;
}

async fn a_queued_build_is_taken_once_and_again_when_its_lease_is_over(fresh: &impl Fresh) {
    let world = World::new(fresh, tokens(5, 0), START).await;
    let (other, now) = (fresh.open().await, world.now);
    let files = std::collections::BTreeMap::from([("product/product.config.ts".to_owned(), "1".to_owned())]);
    let queued = world.core.queue_build(&world.business, &files, None, Some("key"), now).await.unwrap();
    assert_eq!(queued, world.core.queue_build(&world.business, &files, None, Some("key"), now).await.unwrap());
    assert_eq!(take(&world.core.store, START, "2026-01-31T09:31:00Z").await, Some(queued.clone()));
    assert_eq!(take(&other, "2026-01-31T09:30:59Z", "2026-01-31T09:32:00Z").await, None, "it is leased");
    assert_eq!(
        take(&other, "2026-01-31T09:31:00Z", "2026-01-31T09:32:00Z").await,
        Some(queued.clone()),
        "its server is gone"
    );
    let mut tx = other.begin(Mode::Write).await.unwrap();
    tx.end_build(&queued, &tokens(1, 0)).await.unwrap();
    tx.end_build(&queued, &tokens(2, 0)).await.unwrap();
    tx.commit().await.unwrap();
    let build = world.core.find_build(&world.business, &queued).await.unwrap();
    let svc_store::records::Progress::Ended(result) = build.progress else { panic!("{build:?}") };
    assert_eq!(result.ir_hash, tokens(1, 0).ir_hash, "the first end stands");
    assert_eq!(take(&other, "2027-01-01T00:00:00Z", "2027-01-01T00:01:00Z").await, None);
}

async fn a_build_that_is_worked_on_stays_its_servers(fresh: &impl Fresh) {
    let world = World::new(fresh, tokens(5, 0), START).await;
    let other = Core::new(fresh.open().await);
    let files = BTreeMap::from([("product/product.config.ts".to_owned(), "1".to_owned())]);
    world.core.queue_build(&world.business, &files, None, None, world.now).await.unwrap();
    let later = |seconds: i64| world.now + SignedDuration::from_secs(seconds);
    let taken = world.core.take_build(world.now).await.unwrap().unwrap();
    for seconds in [LEASE_SECONDS / 2, LEASE_SECONDS, LEASE_SECONDS * 3 / 2] {
        assert!(world.core.extend_build(&taken, later(seconds)).await.unwrap());
    }
    assert!(other.take_build(later(LEASE_SECONDS * 2)).await.unwrap().is_none(), "it is worked on");
    // Its server slept: another takes it, and the first one's word counts no more.
    let theirs = other.take_build(later(LEASE_SECONDS * 3)).await.unwrap().unwrap();
    assert_eq!(theirs.id, taken.id);
    assert!(!world.core.extend_build(&taken, later(LEASE_SECONDS * 3)).await.unwrap());
    assert!(other.extend_build(&theirs, later(LEASE_SECONDS * 3)).await.unwrap());
    other.end_build(&world.business, &taken.id, &tokens(1, 0), None, world.now).await.unwrap();
    assert!(!other.extend_build(&theirs, later(LEASE_SECONDS * 3)).await.unwrap(), "it has ended");
}

async fn what_was_told_of_old_commits_is_forgotten_by_one_server(fresh: &impl Fresh) {
    let world = World::new(fresh, tokens(5, 0), START).await;
    let (business, start) = (&world.business, world.now);
    let delivery = |number: i64, commit: &str, branch: &str| Delivery {
        business: business.clone(),
        delivery: format!("d{number}"),
        id: Id::named(format!("dlv_{number}")),
        event: "push".to_owned(),
        branch: Some(branch.to_owned()),
        commit: Some(commit.to_owned()),
        outcome: DeliveryOutcome::Queued,
        reason: "pushed".to_owned(),
        build: None,
        received_at: start + SignedDuration::from_hours(number * 24),
    };
    let mut tx = world.core.store.begin(Mode::Write).await.unwrap();
    // The commits of a branch, the second of which came to another branch later, and one whose status was never sent.
    for (number, commit, branch) in
        [(1, "one", "main"), (2, "two", "main"), (3, "unsent", "main"), (60, "two", "next"), (61, "last", "main")]
    {
        tx.insert_delivery(&delivery(number, commit, branch)).await.unwrap();
        let report = StatusReport {
            business: business.clone(),
            commit: commit.to_owned(),
            context: "svc/build".to_owned(),
            build: None,
            state: ReportState::Success,
            description: "built".to_owned(),
            revision: 0,
            attempts: 0,
            trace: None,
        };
        tx.report(&report, start).await.unwrap();
    }
    tx.commit().await.unwrap();
    let mut tx = world.core.store.begin(Mode::Write).await.unwrap();
    while let Some(report) = tx.take_report(start, start + SignedDuration::from_secs(9), 9).await.unwrap() {
        if report.commit != "unsent" {
            tx.report_is_sent(&report).await.unwrap();
        }
    }
    tx.commit().await.unwrap();
    let now = start + SignedDuration::from_hours(24 * (DELIVERIES_KEPT_DAYS + 10));
    // Another server is at it.
    let mut tx = world.core.store.begin(Mode::Write).await.unwrap();
    let another = Id::named("job_another");
    assert!(tx.take_lease("forgetting", &another, now, now + SignedDuration::from_secs(60)).await.unwrap());
    tx.commit().await.unwrap();
    assert_eq!(world.core.forget_the_old(now).await.unwrap(), None);
    let mut tx = world.core.store.begin(Mode::Write).await.unwrap();
    tx.end_lease("forgetting", &another).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(world.core.forget_the_old(now).await.unwrap(), Some(3), "three deliveries of main are old");
    let kept = fresh.rows("SELECT commit_id FROM status_reports ORDER BY commit_id").await;
    assert_eq!(kept.concat(), ["last", "two", "unsent"]);
    assert_eq!(world.core.forget_the_old(now).await.unwrap(), Some(0), "and the lease was given back");
}

async fn a_business_fills_its_part_of_the_queue_and_no_more(fresh: &impl Fresh) {
    let world = World::new(fresh, tokens(5, 0), START).await;
    let other = world.core.create_business("Other", world.now).await.unwrap().id;
    let files = |index: u64| BTreeMap::from([("product/product.config.ts".to_owned(), format!("// {index}"))]);
    for index in 0..QUEUE_MAX_PER_BUSINESS {
        world.core.queue_build(&world.business, &files(index), None, None, world.now).await.unwrap();
    }
    let refused = world.core.queue_build(&world.business, &files(0), None, None, world.now).await;
    assert!(matches!(refused, Err(CoreError::Busy(_))), "{refused:?}");
    let theirs = world.core.queue_build(&other, &files(0), None, None, world.now).await.unwrap();
    // Of two businesses with nothing under way the older build comes first, then the other business's.
    let first = world.core.take_build(world.now).await.unwrap().unwrap();
    assert_eq!(first.business, world.business);
    assert_eq!(world.core.take_build(world.now).await.unwrap().unwrap().id, theirs);
    // One that is given back is taken again, and was not tried.
    world.core.return_build(&first.id).await.unwrap();
    let again = world.core.take_build(world.now).await.unwrap().unwrap();
    assert_eq!(again, first);
}

async fn bad_files_never_reach_the_queue(fresh: &impl Fresh) {
    let world = World::new(fresh, tokens(5, 0), START).await;
    let files = BTreeMap::from([("elsewhere.ts".to_owned(), String::new())]);
    let id = world.core.queue_build(&world.business, &files, None, Some("key"), world.now).await.unwrap();
    let (_, result) = world.core.ended_build(&world.business, &id).await.unwrap();
    assert!(result.ir.is_none() && result.diagnostics.contains("FILE_NOT_ALLOWED"), "{result:?}");
    assert!(world.core.take_build(world.now).await.unwrap().is_none());
}

async fn whoever_waits_for_a_build_is_woken(fresh: &impl Fresh) {
    let world = World::new(fresh, tokens(5, 0), START).await;
    let other = Core::new(fresh.open().await);
    let files = BTreeMap::from([("product/product.config.ts".to_owned(), String::new())]);
    // Ended in this process, and on another server.
    for server in [&world.core, &other] {
        let id = world.core.queue_build(&world.business, &files, None, None, world.now).await.unwrap();
        let waiting = world.core.ended_build(&world.business, &id);
        let ending = async {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            server.end_build(&world.business, &id, &tokens(1, 0), None, world.now).await.unwrap();
        };
        let (ended, ()) = tokio::join!(waiting, ending);
        assert_eq!(ended.unwrap().1.ir_hash, tokens(1, 0).ir_hash);
    }
}

async fn take(store: &impl Store, now: &str, until: &str) -> Option<Id> {
    let mut tx = store.begin(Mode::Write).await.unwrap();
    let taken = tx.take_build(at(now), at(until)).await.unwrap();
    tx.commit().await.unwrap();
    taken.map(|build| build.id)
}

async fn batches_on_the_same_subjects_never_wait_for_each_other(fresh: &impl Fresh) {
    let world = World::new(fresh, tokens(1_000, 0), START).await;
    for subject in ["a", "b", "c"] {
        world.subscribe(subject, "basic").await;
    }
    let mut tasks = tokio::task::JoinSet::new();
    for task in 0..8 {
        let (core, business, now) = (Core::new(fresh.open().await), world.business.clone(), world.now);
        tasks.spawn(async move {
            for round in 0..10 {
                let mut items: Vec<Json> = ["a", "b", "c"]
                    .into_iter()
                    .map(|subject| json!({ "id": format!("{task}-{round}"), "subject": subject, "meter": "tokens", "units": 1 }))
                    .collect();
                items.rotate_left(task % 3);
                let results = core.report_usage(&business, items, now).await.unwrap();
                assert_eq!(statuses(&results), ["accepted"; 3]);
            }
        });
    }
    while let Some(done) = tasks.join_next().await {
        done.unwrap();
    }
    for subject in ["a", "b", "c"] {
        assert_eq!(world.totals(subject).await.0, 80_000_000);
    }
    assert_eq!(world.audit().await.charges, 240);
}

/// An order to move from one version to another.
pub(crate) fn order(from: u32, policy: MigrationPolicy, proration: Proration) -> MigrationOrder {
    MigrationOrder { from: VersionName::Number(from), to: VersionName::Head, policy, proration, complete_by: None }
}

/// Has the database stop the first `count` transactions that write a usage item, as it stops one of two that wait for each other.
fn stopping(count: u32) -> String {
    format!(
        "CREATE SEQUENCE stops;
         CREATE FUNCTION stop_some() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
           IF nextval('stops') <= {count} THEN RAISE EXCEPTION 'stopped by the test' USING ERRCODE = '40P01'; END IF;
           RETURN NEW;
         END $$;
         CREATE TRIGGER stop_some BEFORE INSERT ON usage_items FOR EACH ROW EXECUTE FUNCTION stop_some()"
    )
}

#[test]
fn a_transaction_that_the_database_stops_is_run_again_whole() {
    svc_money_tests::block_on(async {
        let fresh = FreshPostgres::new().await;
        let world = World::new(&fresh, tokens(1_000, 0), START).await;
        world.subscribe("ada", "basic").await;
        fresh.alter(&stopping(4)).await.unwrap();
        assert_eq!(
            statuses(&world.report("ada", &[("one", "tokens", "3"), ("two", "tokens", "4")]).await),
            ["accepted"; 2]
        );
        assert_eq!(world.core.reruns(), 4);
        // Each is there once.
        assert_eq!(fresh.rows("SELECT COUNT(*) FROM charges").await, [["2"]]);
        assert_eq!(statuses(&world.report("ada", &[("one", "tokens", "3")]).await), ["duplicate"]);
        world.audit().await;
    });
}

#[test]
fn a_transaction_that_is_always_stopped_ends_as_a_conflict_and_leaves_nothing() {
    svc_money_tests::block_on(async {
        let fresh = FreshPostgres::new().await;
        let world = World::new(&fresh, tokens(1_000, 0), START).await;
        world.subscribe("ada", "basic").await;
        fresh.alter(&stopping(1_000)).await.unwrap();
        let item = json!({ "id": "one", "subject": "ada", "meter": "tokens", "units": 3 });
        let refused = world.core.report_usage(&world.business, vec![item], world.now).await;
        assert!(matches!(refused, Err(CoreError::Store(svc_store::StoreError::Conflict(_)))), "{refused:?}");
        assert_eq!(world.core.reruns(), 4, "five runs in all");
        assert_eq!(fresh.rows("SELECT COUNT(*) FROM charges").await, [["0"]]);
        world.audit().await;
    });
}

/// A server whose role is not the tables' owner does all that a server does, and can't change what was posted.
async fn a_server_of_another_role(fresh: &impl Fresh<Store = Postgres>, database: &FreshPostgres) {
    let owner = fresh.open().await;
    let role = format!("svc_role_{}_{}", std::process::id(), if fresh.has_triggers() { "postgres" } else { "citus" });
    fresh.alter(&format!("CREATE ROLE {role} LOGIN")).await.unwrap();
    assert!(owner.grant("svc_nobody").await.unwrap_err().to_string().contains("does not exist"));
    owner.grant(&role).await.unwrap();
    let core = Core::new(Postgres::connect(&database.url_of(&role)).await.unwrap());
    let now = at(START);
    let business = core.create_business("Test", now).await.unwrap().id;
    let world = World { core, business, now };
    world.publish(tokens(1_000, 100)).await;
    world.subscribe("ada", "basic").await;
    assert_eq!(statuses(&world.report("ada", &[("a", "tokens", "20")]).await), ["accepted"]);
    world.audit().await;
    for change in
        ["UPDATE ledger_transactions SET period = 9", "DELETE FROM ledger_transactions", "TRUNCATE ledger_transactions"]
    {
        let refused = fresh.alter(&format!("SET LOCAL ROLE {role}; {change}")).await.unwrap_err();
        assert!(refused.contains("permission denied"), "{change}: {refused}");
    }
    fresh.alter(&format!("DROP OWNED BY {role}; DROP ROLE {role}")).await.unwrap();
}

#[test]
fn the_servers_role_adds_to_the_ledger_and_changes_nothing_in_it() {
    svc_money_tests::block_on(async {
        let fresh = FreshPostgres::new().await;
        a_server_of_another_role(&fresh, &fresh).await;
        if let Some(fresh) = FreshCitus::new().await {
            a_server_of_another_role(&fresh, &fresh.database).await;
        }
    });
}

/// Sixty-four senders and as many holds at one subscription that somebody else has locked: everyone else is served meanwhile.
#[test]
fn whoever_waits_for_a_subscription_holds_no_connection() {
    svc_money_tests::block_on(async {
        let fresh = FreshPostgres::new().await;
        let world = World::new(&fresh, tokens(1_000, 0), START).await;
        world.subscribe("ada", "basic").await;
        world.subscribe("bea", "basic").await;
        let (stranger, connection) =
            tokio_postgres::connect(&fresh.arguments().pop().unwrap(), tokio_postgres::NoTls).await.unwrap();
        tokio::spawn(connection);
        let lock = "BEGIN; SELECT id FROM subscriptions WHERE subject = 'ada' FOR UPDATE";
        stranger.batch_execute(lock).await.unwrap();
        let mut senders = tokio::task::JoinSet::new();
        for number in 0..64 {
            let (core, business, now) = (world.core.clone(), world.business.clone(), world.now);
            senders.spawn(async move {
                let item = json!({ "id": format!("i{number}"), "subject": "ada", "meter": "tokens", "units": 1 });
                let estimate = Estimate::Meter { meter: "tokens".to_owned(), units: "1".parse().unwrap() };
                let id = format!("h{number}");
                core.hold(&business, "ada", &id, &estimate, 60, now).await.unwrap();
                core.report_usage(&business, vec![item], now).await.unwrap()
            });
        }
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        let others = async {
            for number in 0..20 {
                assert_eq!(
                    statuses(&world.report("bea", &[(&format!("i{number}"), "tokens", "1")]).await),
                    ["accepted"]
                );
                world.preview("ada").await;
                world.preview("bea").await;
                world.core.store.check().await.unwrap();
            }
        };
        tokio::time::timeout(std::time::Duration::from_secs(8), others).await.expect("others are served");
        stranger.batch_execute("COMMIT").await.unwrap();
        while let Some(results) = senders.join_next().await {
            assert_eq!(statuses(&results.unwrap()), ["accepted"]);
        }
        world.audit().await;
    });
}
