//! Order: a newer push takes the place of one that waits, and none is published after a newer one.

use super::Scene;
use serde_json::json;
use std::time::Duration;
use svc_money_tests::stores::Fresh;
use svc_tests::forge::{Dialect, Fault};
use svc_tests::hooked::{NOWHERE, told};

svc_money_tests::on_both_stores! {
    a_newer_push_takes_the_place_of_one_that_waits,
    an_older_push_that_comes_later_is_not_published,
    what_a_branch_no_longer_stands_at_is_not_published,
    a_release_that_was_activated_meanwhile_is_built_upon_once,
    a_branch_that_was_moved_there_and_back_ends_where_it_stands,
    a_commit_that_asks_not_to_be_built_does_not_hold_up_the_one_before,
}

async fn settled() {
    tokio::time::sleep(Duration::from_millis(400)).await;
}

async fn a_newer_push_takes_the_place_of_one_that_waits(fresh: &impl Fresh) {
    let scene = Scene::on(&fresh.arguments(), Dialect::Gitlab).await;
    // The first one waits, since its commit can't be had for a second.
    let wait = || Fault::Status(429, vec![("retry-after", "1".to_owned())]);
    scene.forge.fail(&format!("/repository/commits/{}", scene.first), wait(), 1);
    let _accepted = scene.hooked.push(NOWHERE, &scene.first).await.expect(202);
    settled().await;
    let second = scene.price(2900);
    let _accepted = scene.hooked.push(&scene.first, &second).await.expect(202);
    let published = scene.forge.final_status(&second, "svc/publish").await;
    assert_eq!(published.state, "success", "{published:?}");
    for context in ["svc/build", "svc/publish"] {
        let told = scene.forge.final_status(&scene.first, context).await;
        let short: String = second.chars().take(7).collect();
        assert_eq!(
            (told.state.as_str(), told.description),
            ("canceled", format!("superseded by {short}, a newer push of the branch"))
        );
    }
    tokio::time::sleep(Duration::from_millis(1_200)).await;
    assert_eq!(scene.active_price().await, Some(2900));
    // Pushes of another branch wait for themselves.
    let before: Vec<_> = scene.forge.statuses_of(&scene.first, "svc/build");
    assert_eq!(before.last().unwrap().state, "canceled");
}

async fn an_older_push_that_comes_later_is_not_published(fresh: &impl Fresh) {
    let scene = Scene::on(&fresh.arguments(), Dialect::Github).await;
    let second = scene.price(2900);
    let third = scene.price(3900);
    // The network turned them round: the last comes first.
    let _accepted = scene.hooked.push(&second, &third).await.expect(202);
    let _accepted = scene.hooked.push(&scene.first, &second).await.expect(202);
    // And one that nothing ties to the last: only the forge knows where the branch stands.
    let _accepted = scene.hooked.push(NOWHERE, &scene.first).await.expect(202);
    assert_eq!(scene.forge.final_status(&third, "svc/publish").await.state, "success");
    for commit in [&second, &scene.first] {
        let told = scene.forge.final_status(commit, "svc/publish").await;
        assert!(told.description.starts_with("superseded by "), "{told:?}");
    }
    assert_eq!(scene.active_price().await, Some(3900));
}

async fn what_a_branch_no_longer_stands_at_is_not_published(fresh: &impl Fresh) {
    let scene = Scene::on(&fresh.arguments(), Dialect::Gitea).await;
    let second = scene.price(2900);
    // The delivery of the second push is lost.
    let _accepted = scene.hooked.push(NOWHERE, &scene.first).await.expect(202);
    let built = scene.forge.final_status(&scene.first, "svc/build").await;
    assert_eq!(built.state, "success");
    let told = scene.forge.final_status(&scene.first, "svc/publish").await;
    assert_eq!(told.state, "warning", "{told:?}");
    assert_eq!(scene.active_price().await, None);
    let _accepted = scene.hooked.push(&scene.first, &second).await.expect(202);
    assert_eq!(scene.forge.final_status(&second, "svc/publish").await.state, "success");
    // A branch that is gone publishes nothing.
    scene.repository.git(&["checkout", "--quiet", "-b", "other"]);
    let third = scene.price(3900);
    scene.repository.git(&["branch", "--quiet", "-D", "main"]);
    let _accepted = scene.hooked.push(&second, &third).await.expect(202);
    assert_eq!(scene.forge.final_status(&third, "svc/publish").await.description, "the branch is gone");
    assert_eq!(scene.active_price().await, Some(2900));
}

async fn a_release_that_was_activated_meanwhile_is_built_upon_once(fresh: &impl Fresh) {
    let scene = Scene::on(&fresh.arguments(), Dialect::Github).await;
    let _accepted = scene.hooked.push(NOWHERE, &scene.first).await.expect(202);
    scene.forge.final_status(&scene.first, "svc/publish").await;
    let second = scene.price(2900);
    // While the push is built somebody publishes by hand.
    scene.forge.fail("/git/blobs/", Fault::Slow(Duration::from_millis(1_500)), 1);
    let _accepted = scene.hooked.push(&scene.first, &second).await.expect(202);
    settled().await;
    let by_hand = svc_tests::api::ONE_PLAN.replace("1900", "7700");
    let published = scene.hooked.business.publish(&by_hand).await.expect(201);
    assert_eq!(published.body["planVersions"], json!({ "basic": 2 }));
    let told = scene.forge.final_status(&second, "svc/publish").await;
    assert!(told.state == "success" && told.description.contains("basic v2 → v3"), "{told:?}");
    assert_eq!(scene.active_price().await, Some(2900));
    // Twice, and it is said so: each time the forge is asked where the branch stands, somebody publishes.
    let third = scene.price(3900);
    scene.forge.fail("/git/ref/heads/main", Fault::Slow(Duration::from_millis(1_200)), 2);
    let _accepted = scene.hooked.push(&second, &third).await.expect(202);
    for cents in 0..24 {
        let by_hand = svc_tests::api::ONE_PLAN.replace("1900", &format!("{}", 8000 + cents));
        scene.hooked.business.publish(&by_hand).await;
        tokio::time::sleep(Duration::from_millis(100)).await;
        if scene.forge.statuses_of(&third, "svc/publish").iter().any(|status| status.state != "pending") {
            break;
        }
    }
    let told = scene.forge.final_status(&third, "svc/publish").await;
    assert!(
        told.state == "failure"
            && told.description.starts_with("not published: another release was activated meanwhile"),
        "{told:?}"
    );
    assert_eq!(scene.forge.final_status(&third, "svc/build").await.state, "success");
}

async fn a_branch_that_was_moved_there_and_back_ends_where_it_stands(fresh: &impl Fresh) {
    let scene = Scene::on(&fresh.arguments(), Dialect::Gitlab).await;
    let _accepted = scene.hooked.push(NOWHERE, &scene.first).await.expect(202);
    scene.forge.final_status(&scene.first, "svc/publish").await;
    let second = scene.price(2900);
    let _accepted = scene.hooked.push(&scene.first, &second).await.expect(202);
    scene.forge.final_status(&second, "svc/publish").await;
    assert_eq!(scene.active_price().await, Some(2900));
    let third = scene.price(3900);
    let _accepted = scene.hooked.push(&second, &third).await.expect(202);
    scene.forge.final_status(&third, "svc/publish").await;
    scene.repository.git(&["reset", "--quiet", "--hard", &scene.first]);
    let back = scene.hooked.delivery(&told("main", &third, &scene.first));
    let _accepted = scene.hooked.deliver(&back).await.expect(202);
    for _ in 0..200 {
        if scene.active_price().await == Some(1900) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{:#?}", scene.forge.statuses());
}

async fn a_commit_that_asks_not_to_be_built_does_not_hold_up_the_one_before(fresh: &impl Fresh) {
    let scene = Scene::on(&fresh.arguments(), Dialect::Gitea).await;
    // The branch moves on before the first push is published; what it moves on to is not to be built.
    scene.repository.write("README.md", "words");
    let second = scene.repository.commit("words [skip ci]");
    let _accepted = scene.hooked.push(NOWHERE, &scene.first).await.expect(202);
    settled().await;
    assert_eq!(scene.active_price().await, None, "the delivery of the second may be on its way");
    let mut skipped = told("main", &scene.first, &second);
    skipped.message = "words [skip ci]".to_owned();
    let _skipped = scene.hooked.deliver(&scene.hooked.delivery(&skipped)).await.expect(200);
    assert_eq!(scene.forge.final_status(&scene.first, "svc/publish").await.state, "success");
    assert_eq!(scene.active_price().await, Some(1900));
}
