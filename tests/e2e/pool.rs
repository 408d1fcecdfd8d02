//! Workers that die, stop, or lie: each is a named failure of one build, and the pool goes on.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};
use svc_builds::compile;
use svc_engine::sources::{ENTRY, Sources};
use svc_runtime::worker::WorkerConfig;
use svc_runtime::{BuildFailure, Job, Limits, Outcome, Pool, PoolConfig, PoolError};
use svc_tests::program::{block_on, svc};

fn product(body: &str) -> Sources {
    let text = format!(
        "import {{ Plan, Product }} from \"@svc/product\";\n{body}\n@Product({{ name: \"x\", origin: \"https://api.example.com\" }})\nexport default class X {{ @Plan(\"free\", {{ limits: {{ requests: {{ rate: 1, interval: \"minute\" }} }} }}) free; }}\n"
    );
    Sources::from([(ENTRY.to_owned(), text)])
}

fn config(program: &Path, warm: usize, running_max: usize, queue_max: usize) -> PoolConfig {
    let limits = Limits { wall_ms: 1_000, ..Limits::default() };
    let worker = WorkerConfig { limits, ..WorkerConfig::default() };
    PoolConfig {
        program: program.to_owned(),
        arguments: vec![svc_cli::WORKER.to_owned()],
        worker,
        running_max,
        warm,
        queue_max,
    }
}

fn real(warm: usize, running_max: usize, queue_max: usize) -> Pool {
    Pool::new(config(&svc(), warm, running_max, queue_max)).unwrap()
}

/// Processes that a thread of this test started: build workers by their argument, and which of them this pool's marker names. A
/// worker has closed its system calls; a zygote has not.
fn workers(marker: u64) -> Vec<String> {
    processes(marker, true)
}

fn processes(marker: u64, filtered: bool) -> Vec<String> {
    let ours = std::process::id().to_string();
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").unwrap().filter_map(Result::ok) {
        let pid = entry.file_name().into_string().unwrap();
        let Ok(stat) = fs::read_to_string(entry.path().join("stat")) else { continue };
        let parent = stat.rsplit(") ").next().and_then(|rest| rest.split(' ').nth(1)).unwrap_or_default().to_owned();
        let arguments = fs::read_to_string(entry.path().join("cmdline")).unwrap_or_default();
        if parent == ours
            && arguments.contains(svc_cli::WORKER)
            && arguments.contains(&format!("\"wall_ms\":{marker},"))
            && is_filtered(&pid) == filtered
        {
            found.push(pid);
        }
    }
    found
}

fn is_filtered(pid: &str) -> bool {
    fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default().lines().any(|line| line == "Seccomp:\t2")
}

/// A pool whose workers can be told from other tests' by their wall time.
fn marked(marker: u64, warm: usize) -> Pool {
    let mut config = config(&svc(), warm, 2, 100);
    config.worker.limits.wall_ms = marker;
    Pool::new(config).unwrap()
}

fn signal(name: &str, pids: &[String]) {
    for pid in pids {
        let _gone_already = Command::new("kill").args([name, pid]).status().unwrap();
    }
}

async fn succeeds(pool: &Pool) {
    let compiled = compile(pool, product("")).await.unwrap();
    assert!(compiled.ir.is_some(), "{compiled:?}");
}

#[test]
fn idle_workers_that_are_killed_or_stopped_lose_no_build() {
    block_on(async {
        for (marker, name) in [(1_001, "-KILL"), (1_002, "-STOP")] {
            let pool = marked(marker, 2);
            pool.fill().await.unwrap();
            let idle = workers(marker);
            assert_eq!(idle.len(), 2);
            signal(name, &idle);
            succeeds(&pool).await;
            succeeds(&pool).await;
        }
    });
}

#[test]
fn a_zygote_that_is_killed_or_stopped_is_replaced() {
    block_on(async {
        for (marker, name) in [(1_007, "-KILL"), (1_008, "-STOP")] {
            let pool = marked(marker, 2);
            pool.fill().await.unwrap();
            let zygote = processes(marker, false);
            assert_eq!(zygote.len(), 1, "one process is copied");
            signal(name, &zygote);
            for _ in 0..4 {
                succeeds(&pool).await;
                pool.fill().await.unwrap();
            }
            let now = processes(marker, false);
            assert!(now.len() == 1 && now != zygote, "{now:?} in the place of {zygote:?}");
            assert_eq!(workers(marker).len(), 2);
        }
    });
}

#[test]
fn a_worker_that_dies_at_work_fails_its_own_build_only() {
    block_on(async {
        for (marker, name, wanted) in [
            (1_003, "-KILL", BuildFailure::Crashed),
            (1_004, "-STOP", BuildFailure::Timeout),
            (1_005, "-ABRT", BuildFailure::OutOfMemory),
        ] {
            let pool = marked(marker, 0);
            let endless = tokio::spawn({
                let pool = pool.clone();
                async move { pool.build(Job { sources: product("while (true) {}") }).await.unwrap() }
            });
            tokio::time::sleep(Duration::from_millis(300)).await;
            let at_work = workers(marker);
            assert_eq!(at_work.len(), 1, "{name}");
            signal(name, &at_work);
            assert_eq!(endless.await.unwrap(), Outcome::Failed(wanted), "{name}");
            succeeds(&pool).await;
            assert!(workers(marker).iter().all(|pid| !at_work.contains(pid)), "the dead worker is gone");
        }
    });
}

#[test]
fn every_build_is_answered_once_and_one_too_many_is_refused() {
    block_on(async {
        let pool = real(1, 2, 38);
        let builds: Vec<_> = (0..60)
            .map(|n| {
                let pool = pool.clone();
                tokio::spawn(async move { (n, compile(&pool, product(&format!("const n = {n};"))).await) })
            })
            .collect();
        let (mut done, mut refused) = (BTreeSet::new(), 0);
        for build in builds {
            match build.await.unwrap() {
                (n, Ok(compiled)) => assert!(compiled.ir.is_some() && done.insert(n)),
                (_, Err(PoolError::Busy)) => refused += 1,
                (_, Err(other)) => panic!("{other}"),
            }
        }
        assert_eq!((done.len(), refused), (40, 20));
    });
}

/// A program that stands in for a worker and does what a worker that a guest took over might.
fn impostor(script: &str) -> (tempfile::TempDir, Pool) {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("impostor");
    // The pool clears the environment, so the script names its tools by path.
    fs::write(&program, format!("#!/bin/bash\n{script}\n")).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let pool = Pool::new(config(&program, 0, 1, 10)).unwrap();
    (folder, pool)
}

/// Shell that writes a message with its length in front.
fn says(json: &str) -> String {
    let length: String =
        u32::try_from(json.len()).unwrap().to_le_bytes().iter().map(|byte| format!("\\x{byte:02x}")).collect();
    format!("printf '{length}%s' '{json}'")
}

const READY: &str = r#"{"Ready":{"privileges":"full","limits":"full","landlock":"full","seccomp":"full"}}"#;

#[test]
fn workers_that_lie_are_crashes_and_never_hang_or_fill_the_parent() {
    let began = format!("{}; /usr/bin/head -c 4 >/dev/null; {}", says(READY), says("\"Started\""));
    let cases = [
        ("says nothing more", format!("{began}; exec /bin/sleep 60"), BuildFailure::Timeout),
        ("ends at once", began.clone(), BuildFailure::Crashed),
        (
            "announces four gigabytes",
            format!("{began}; printf '\\xff\\xff\\xff\\xff'; exec /bin/sleep 60"),
            BuildFailure::Crashed,
        ),
        ("sends no JSON", format!("{began}; {}", says("nonsense")), BuildFailure::Crashed),
        ("says that it began twice", format!("{began}; {}", says("\"Started\"")), BuildFailure::Crashed),
        (
            "forges a registry",
            format!("{began}; {}", says(r#"{"Done":{"collected":{"registry":"{}","classes":[]}}}"#)),
            BuildFailure::Crashed,
        ),
        (
            "forges a registry of another version",
            format!(
                "{began}; {}",
                says(
                    r#"{"Done":{"collected":{"registry":"{\"registryVersion\":2,\"sdkVersion\":\"\",\"products\":1,\"misuses\":[]}","classes":[]}}}"#
                )
            ),
            BuildFailure::Crashed,
        ),
        ("sends without end", format!("{began}; exec /bin/cat /dev/zero"), BuildFailure::Crashed),
    ];
    block_on(async {
        for (what, script, wanted) in cases {
            let (_folder, pool) = impostor(&script);
            let start = Instant::now();
            let compiled = compile(&pool, product("")).await.unwrap();
            assert_eq!(compiled.failure, Some(wanted), "a worker that {what}");
            assert!(start.elapsed() < Duration::from_secs(8), "a worker that {what} took {:?}", start.elapsed());
        }
    });
}

#[test]
fn workers_that_never_begin_are_an_error_of_the_service_and_not_of_the_product() {
    block_on(async {
        for (what, script) in [
            ("never gets ready", "exit 7".to_owned()),
            ("greets with noise", "echo hello".to_owned()),
            ("takes no job", format!("{}; exit 0", says(READY))),
        ] {
            let (_folder, pool) = impostor(&script);
            assert!(matches!(compile(&pool, product("")).await, Err(PoolError::Start(_))), "a worker that {what}");
        }
        let missing = Pool::new(config(Path::new("/nowhere/svc"), 0, 1, 1)).unwrap();
        assert!(matches!(compile(&missing, product("")).await, Err(PoolError::Start(_))));
    });
}

#[test]
fn the_kernel_enforces_what_the_worker_reports() {
    block_on(async {
        let pool = marked(1_006, 1);
        let enforced = pool.fill().await.unwrap().unwrap();
        assert!(enforced.is_enough(), "{enforced:?}");
        let pid = &workers(1_006)[0];
        let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
        let line = |name: &str| {
            status.lines().find_map(|line| line.strip_prefix(name)).map(str::trim).unwrap_or_default().to_owned()
        };
        assert_eq!((line("NoNewPrivs:"), line("Seccomp:")), ("1".to_owned(), "2".to_owned()));
        // Not dumpable: its environment belongs to root and can't be read by a neighbour.
        assert_eq!(
            fs::read(format!("/proc/{pid}/environ"))
                .unwrap_or_default()
                .split(|byte| *byte == 0)
                .filter(|part| !part.is_empty())
                .count(),
            2
        );
        let limits = fs::read_to_string(format!("/proc/{pid}/limits")).unwrap();
        for (name, value) in
            [("Max core file size", "0"), ("Max file size", "0"), ("Max open files", "8"), ("Max processes", "0")]
        {
            let found = limits.lines().find(|line| line.starts_with(name)).unwrap();
            assert_eq!(found[name.len()..].split_whitespace().next(), Some(value), "{found}");
        }
        for file in fs::read_dir(format!("/proc/{pid}/fd")).unwrap() {
            let target = fs::read_link(file.unwrap().path()).unwrap().display().to_string();
            let harmless = ["socket:", "/dev/null", "/dev/urandom"].iter().any(|kind| target.starts_with(kind));
            assert!(harmless, "a worker holds {target}");
        }
    });
}
