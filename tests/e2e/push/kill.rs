//! Servers that are killed lose no push: each commit gets its last word, and releases come in the order of the pushes.

use serde_json::Value as Json;
use std::time::{Duration, Instant};
use svc_money_tests::random::SplitMix64;
use svc_money_tests::stores::Fresh;
use svc_tests::api::{Api, ONE_PLAN, Server};
use svc_tests::forge::{DIALECTS, TestForge};
use svc_tests::hooked::{Delivery, Hooked, NOWHERE, serve, told};
use svc_tests::repository::Repository;

svc_money_tests::on_both_stores! {
    killed_servers_lose_no_push_and_publish_in_order,
}

/// Businesses, pushes of each, and kills, in CI; `PUSH_BUSINESSES`, `PUSH_PUSHES` and `PUSH_KILLS` say otherwise.
const BUSINESSES: usize = 3;
const PUSHES: usize = 6;
const KILLS: usize = 4;
/// How long the last words may take after the last kill: the leases of the dead run out, and what they held is done.
const SETTLE_SECONDS: u64 = 240;

fn number(name: &str, otherwise: usize) -> usize {
    std::env::var(name).map_or(otherwise, |text| text.parse().unwrap())
}

/// A business, its repository and forge, and its commits in order.
struct Line {
    repository: Repository,
    forge: TestForge,
    hooked: Hooked,
    commits: Vec<String>,
}

impl Line {
    async fn new(server: &Server, at: usize) -> Line {
        let repository = Repository::new();
        repository.product(ONE_PLAN, "before");
        let forge = TestForge::start(repository.path()).await;
        let hooked = Hooked::new(server, &forge, DIALECTS[at % 3], "").await;
        Line { repository, forge, hooked, commits: Vec::new() }
    }

    /// Commits the next fee, and tells of it.
    fn next(&mut self) -> Delivery {
        let fee = 2_000 + self.commits.len();
        let commit = self.repository.product(&ONE_PLAN.replace("1900", &fee.to_string()), &format!("fee of {fee}"));
        let before = self.commits.last().map_or(NOWHERE, String::as_str).to_owned();
        self.commits.push(commit.clone());
        self.hooked.delivery(&told("main", &before, &commit))
    }
}

async fn killed_servers_lose_no_push_and_publish_in_order(fresh: &impl Fresh) {
    let (businesses, pushes, kills) =
        (number("PUSH_BUSINESSES", BUSINESSES), number("PUSH_PUSHES", PUSHES), number("PUSH_KILLS", KILLS));
    let mut server = serve(&fresh.arguments());
    let mut lines = Vec::new();
    for at in 0..businesses {
        lines.push(Line::new(&server, at).await);
    }
    let mut chance = SplitMix64(16);
    let (total, mut sent, mut killed) = (businesses * pushes, 0, 0);
    for _ in 0..pushes {
        for line in &mut lines {
            let delivery = line.next();
            // A forge that gets no answer delivers again, as its owner would have it do.
            loop {
                let answer = line.hooked.try_deliver(&Api::new(&server), &delivery).await;
                if answer.is_some_and(|answer| answer.status == 202) {
                    break;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            sent += 1;
            if killed * total < sent * kills && killed < kills {
                tokio::time::sleep(Duration::from_millis(chance.below(200))).await;
                server.child.kill().unwrap();
                server.child.wait().unwrap();
                server = serve(&fresh.arguments());
                killed += 1;
            }
        }
    }
    let settled = Instant::now();
    for line in &mut lines {
        line.hooked.business.api = Api::new(&server);
        for commit in &line.commits {
            for context in ["svc/build", "svc/publish"] {
                last_word(&line.forge, commit, context, settled).await;
            }
        }
    }
    for line in &lines {
        let last = line.commits.last().unwrap();
        let told = line.forge.statuses_of(last, "svc/publish").pop().unwrap();
        assert!(told.state == "success", "the last push is published: {told:?}");
        in_order(fresh, line).await;
    }
    eprintln!("{total} pushes, {killed} kills, the last word {:?} after the last push", settled.elapsed());
}

async fn last_word(forge: &TestForge, commit: &str, context: &str, since: Instant) {
    while forge.statuses_of(commit, context).last().is_none_or(|last| last.state == "pending") {
        assert!(since.elapsed() < Duration::from_secs(SETTLE_SECONDS), "no last word on {context} of {commit}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// The fees of a business's releases only rise, and the last one is active.
async fn in_order(fresh: &impl Fresh, line: &Line) {
    let id = &line.hooked.business.id;
    let sql = format!("SELECT ir FROM releases WHERE business_id = '{id}' ORDER BY id");
    let fee = |row: &Vec<String>| {
        let ir: Json = serde_json::from_str(&row[0]).unwrap();
        ir["plans"][0]["recurringFeeCents"].as_u64().unwrap()
    };
    let fees: Vec<u64> = fresh.rows(&sql).await.iter().map(fee).collect();
    assert!(fees.is_sorted() && !fees.is_empty(), "{fees:?}");
    assert_eq!(fees.last(), Some(&(1_999 + line.commits.len() as u64)), "{fees:?}");
    let active = line.hooked.active().await.expect(200);
    assert_eq!(active.body["ir"]["plans"][0]["recurringFeeCents"].as_u64(), fees.last().copied());
    // Each commit has one last word of each kind, and nothing is left to send.
    let open = format!(
        "SELECT commit_id FROM status_reports WHERE business_id = '{id}' AND (sent_revision < revision OR gave_up IS NOT NULL)"
    );
    // The forge has a status a moment before it is noted as sent; a server that was killed in between has it sent again.
    let since = Instant::now();
    while !fresh.rows(&open).await.is_empty() {
        assert!(since.elapsed() < Duration::from_secs(SETTLE_SECONDS), "{:?}", fresh.rows(&open).await);
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    for commit in &line.commits {
        for context in ["svc/build", "svc/publish"] {
            let mut said: Vec<(String, String)> =
                line.forge.statuses_of(commit, context).into_iter().map(|one| (one.state, one.description)).collect();
            said.dedup();
            let last_words = said.iter().filter(|(state, _)| state != "pending").count();
            assert_eq!(last_words, 1, "{commit} {context}: {said:?}");
        }
    }
}
