//! The budget of build on push, beside a forge on loopback: `make bench-push`. From the delivery's answer to the last word on the
//! commit, as the forge gets it. The forge itself asks `git` for each object, by a process each. Prints; asserts nothing.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a benchmark")]
#![allow(missing_docs, reason = "a benchmark")]

use std::time::{Duration, Instant};
use svc_money_tests::stores::{Fresh, FreshPostgres, FreshSqlite};
use svc_tests::api::{ONE_PLAN, Server};
use svc_tests::forge::{DIALECTS, TestForge};
use svc_tests::hooked::{Hooked, NOWHERE, serve};
use svc_tests::program::block_on;
use svc_tests::repository::Repository;

/// Pushes of each business, one behind the other.
const PUSHES: usize = 60;
/// Businesses that are pushed to at once, in the second round.
const AT_ONCE: usize = 8;
/// The budget, in milliseconds.
const P50_MAX_MS: u64 = 1_000;
const P99_MAX_MS: u64 = 5_000;

fn main() {
    block_on(async {
        measure("SQLite", &FreshSqlite::new().await).await;
        measure("PostgreSQL", &FreshPostgres::new().await).await;
    });
}

async fn measure(name: &str, fresh: &impl Fresh) {
    let server = serve(&fresh.arguments());
    for businesses in [1, AT_ONCE] {
        let mut tasks = tokio::task::JoinSet::new();
        for at in 0..businesses {
            let line = line(&server, at).await;
            tasks.spawn(pushes(line));
        }
        let begun = Instant::now();
        let mut times: Vec<(Duration, Duration)> = tasks.join_all().await.into_iter().flatten().collect();
        let per_second = times.len() as u128 * 1_000 / begun.elapsed().as_millis().max(1);
        let mut of = |pick: fn(&(Duration, Duration)) -> Duration| {
            times.sort_by_key(pick);
            let at = |percent: usize| pick(&times[(times.len() - 1) * percent / 100]);
            (at(50), at(99))
        };
        let ((answer, _), (p50, p99)) = (of(|time| time.0), of(|time| time.1));
        let is_met = p50 <= Duration::from_millis(P50_MAX_MS) && p99 <= Duration::from_millis(P99_MAX_MS);
        println!(
            "{name}, {businesses} at once: {} pushes, {per_second}/s; answered p50 {answer:.2?}; accepted to last status p50 {p50:.2?}, \
             p99 {p99:.2?}, budget {P50_MAX_MS} and {P99_MAX_MS} ms: {}",
            times.len(),
            if is_met { "met" } else { "MISSED" }
        );
    }
}

struct Line {
    repository: Repository,
    forge: TestForge,
    hooked: Hooked,
}

async fn line(server: &Server, at: usize) -> Line {
    let repository = Repository::new();
    for file in 0..4 {
        repository.write(&format!("product/more-{file}.ts"), format!("export const NUMBER = {file};"));
    }
    repository.product(ONE_PLAN, "before");
    let forge = TestForge::start(repository.path()).await;
    let hooked = Hooked::new(server, &forge, DIALECTS[at % 3], "").await;
    Line { repository, forge, hooked }
}

/// For each push how long the answer took, and from there to the last word.
async fn pushes(line: Line) -> Vec<(Duration, Duration)> {
    let (mut before, mut times) = (NOWHERE.to_owned(), Vec::new());
    for number in 0..PUSHES {
        let commit = line.repository.product(&ONE_PLAN.replace("1900", &(2_000 + number).to_string()), "next");
        let sent = Instant::now();
        let _accepted = line.hooked.push(&before, &commit).await.expect(202);
        let accepted = Instant::now();
        let told = line.forge.final_status(&commit, "svc/publish").await;
        assert_eq!(told.state, "success", "{told:?}");
        let built = line.forge.final_status(&commit, "svc/build").await;
        times.push((accepted - sent, told.at.max(built.at).saturating_duration_since(accepted)));
        before = commit;
    }
    times
}
