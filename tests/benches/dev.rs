//! The budget of `svc dev`: `make bench-dev`. From the end of a save to the end of what is said of it, beside `node -e 0` in the same run.
//! Prints; asserts nothing.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a benchmark")]
#![allow(missing_docs, reason = "a benchmark")]

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use svc_tests::api::ONE_PLAN;
use svc_tests::program::svc;

/// Saves that are measured, and those before that warm up.
const SAVES: usize = 100;
const WARM_UP: usize = 5;
/// The pause between two saves, in milliseconds: a person's, cut short.
const PAUSE_MS: u64 = 100;
/// The budget, in milliseconds.
const SAVE_MAX_MS: u64 = 100;
/// Runs of the yardstick.
const YARDSTICKS: usize = 10;

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("product/product.config.ts");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, ONE_PLAN).unwrap();
    let mut child = Command::new(svc())
        .args(["dev", "--listen", "127.0.0.1:0"])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    lines.find(|line| line.starts_with("curl ")).expect("it serves");
    let mut times: Vec<Duration> = (0..SAVES + WARM_UP)
        .map(|number| {
            std::thread::sleep(Duration::from_millis(PAUSE_MS));
            std::fs::write(&file, ONE_PLAN.replace("1900", &(2_000 + number).to_string())).unwrap();
            let saved = Instant::now();
            lines.find(|line| line.starts_with('[') && line.ends_with(" ms]")).expect("it says how long it took");
            saved.elapsed()
        })
        .skip(WARM_UP)
        .collect();
    let _gone = child.kill();
    let _reaped = child.wait();
    times.sort_unstable();
    let at = |percent: usize| times[(times.len() - 1) * percent / 100];
    let (p50, p99) = (at(50), at(99));
    let begun = Instant::now();
    let node =
        (0..YARDSTICKS).all(|_| Command::new("node").args(["-e", "0"]).status().is_ok_and(|status| status.success()));
    let yardstick = begun.elapsed() / u32::try_from(YARDSTICKS).unwrap();
    let beside = if node { format!("; `node -e 0` takes {yardstick:.1?}") } else { String::new() };
    let is_met = p99 <= Duration::from_millis(SAVE_MAX_MS);
    println!(
        "{SAVES} saves: save to result p50 {p50:.1?}, p99 {p99:.1?}, budget {SAVE_MAX_MS} ms: {}{beside}",
        if is_met { "met" } else { "MISSED" }
    );
}
