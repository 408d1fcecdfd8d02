//! Workers that die, stop, or lie: each is a named failure of one build, and the pool goes on.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{FileExt, PermissionsExt};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use svc_builds::compile;
use svc_engine::sources::{ENTRY, Sources};
use svc_runtime::worker::WorkerConfig;
use svc_runtime::{BuildFailure, Job, Limits, Outcome, Pool, PoolConfig, PoolError};
use svc_tests::program::{block_on, from_a_shell, svc};

fn product(body: &str) -> Sources {
    let text = format!(
        "import {{ Plan, Product }} from \"@svc/product\";\n{body}\n@Product({{ name: \"x\", origin: \"https://api.example.com\" }})\nexport default class X {{ @Plan(\"free\", {{ limits: {{ requests: {{ rate: 1, interval: \"minute\" }} }} }}) free; }}\n"
    );
    Sources::from([(ENTRY.to_owned(), text)])
}

fn config(program: &Path, warm: usize, running_max: usize, queue_max: usize) -> PoolConfig {
    let limits = Limits { cpu_ms: 1_000, wall_ms: 1_000, ..Limits::default() };
    let worker = WorkerConfig { limits, ..WorkerConfig::default() };
    PoolConfig {
        program: program.to_owned(),
        arguments: vec![svc_cli::WORKER.to_owned()],
        worker,
        requires_sandbox: true,
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

/// Some tenths of a second of work, and then a product.
const LONG: &str = "let n = 0; for (let i = 0; i < 8_000_000; i++) n += i;";

/// Waits for the one worker of a marker.
async fn at_work(marker: u64) -> Vec<String> {
    // A machine that is busy with all the other tests may take seconds to start one.
    let end = Instant::now() + Duration::from_secs(30);
    while Instant::now() < end {
        let found = workers(marker);
        if found.len() == 1 {
            // It has its job by then.
            tokio::time::sleep(Duration::from_millis(60)).await;
            return found;
        }
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    panic!("no worker came");
}

#[test]
fn a_worker_that_dies_at_work_by_itself_fails_its_own_build_only() {
    block_on(async {
        let pool = marked(10_005, 0);
        let endless = tokio::spawn({
            let pool = pool.clone();
            async move { pool.build(Job::build(product("while (true) {}"))).await.unwrap() }
        });
        signal("-ABRT", &at_work(10_005).await);
        assert_eq!(endless.await.unwrap(), Outcome::Failed(BuildFailure::OutOfMemory));
        succeeds(&pool).await;
    });
}

#[test]
fn what_is_done_to_a_worker_from_outside_is_no_builds_result() {
    block_on(async {
        for (marker, name) in [
            (10_011, "-KILL"),
            (10_012, "-TERM"),
            (10_013, "-INT"),
            (10_014, "-HUP"),
            (10_015, "-QUIT"),
            (2_016, "-STOP"),
        ] {
            let pool = marked(marker, 0);
            let build = tokio::spawn({
                let pool = pool.clone();
                async move { compile(&pool, product(LONG)).await.unwrap() }
            });
            let first = at_work(marker).await;
            signal(name, &first);
            let compiled = build.await.unwrap();
            assert!(compiled.ir.is_some(), "{name}: {compiled:?}");
            for _ in 0..100 {
                if workers(marker).is_empty() {
                    break;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            assert!(workers(marker).is_empty(), "{name}: something is left behind");
        }
    });
}

#[test]
fn workers_that_are_killed_again_and_again_give_the_build_back() {
    block_on(async {
        let pool = marked(10_021, 0);
        let build = tokio::spawn({
            let pool = pool.clone();
            async move { pool.build(Job::build(product("while (true) {}"))).await }
        });
        let mut killed = BTreeSet::new();
        while killed.len() < 3 {
            for pid in workers(10_021) {
                tokio::time::sleep(Duration::from_millis(60)).await;
                signal("-KILL", std::slice::from_ref(&pid));
                killed.insert(pid);
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        assert!(matches!(build.await.unwrap(), Err(PoolError::Interrupted)));
    });
}

#[test]
fn a_signal_to_the_servers_group_reaches_no_worker() {
    block_on(async {
        let pool = marked(10_031, 2);
        pool.fill().await.unwrap();
        let group = |pid: &str| {
            let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
            stat.rsplit(") ").next().unwrap().split(' ').nth(2).unwrap().to_owned()
        };
        let own = group("self");
        let all = [workers(10_031), processes(10_031, false)].concat();
        assert_eq!(all.len(), 3);
        assert!(all.iter().all(|pid| group(pid) != own), "a worker is in the server's group");
    });
}

#[test]
fn a_busy_machine_is_no_input() {
    block_on(async {
        // Eight at once on however few processors: each gets its processor time, and more wall time than that.
        let mut config = config(&svc(), 0, 8, 100);
        config.worker.limits = Limits { cpu_ms: 1_500, wall_ms: 60_000, ..Limits::default() };
        let pool = Pool::new(config).unwrap();
        let builds: Vec<_> = (0..8)
            .map(|_| {
                let pool = pool.clone();
                tokio::spawn(async move { compile(&pool, product(LONG)).await.unwrap() })
            })
            .collect();
        for build in builds {
            let compiled = build.await.unwrap();
            assert!(compiled.ir.is_some(), "{compiled:?}");
        }
    });
}

#[test]
fn killed_zygotes_leave_nothing_behind() {
    block_on(async {
        let pool = marked(10_041, 2);
        let mut killed = Vec::new();
        for _ in 0..10 {
            pool.fill().await.unwrap();
            let zygote = processes(10_041, false);
            signal("-KILL", &zygote);
            killed.extend(zygote);
            succeeds(&pool).await;
        }
        killed.extend(processes(10_041, false));
        drop(pool);
        // Whoever is reaped is reaped beside what goes on.
        for _ in 0..200 {
            if left_of(&killed) == 0 {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("{} processes are left of {killed:?}", left_of(&killed));
    });
}

/// Children of this process in these process groups, running or ended and not waited for.
fn left_of(groups: &[String]) -> usize {
    let ours = std::process::id().to_string();
    let stats = fs::read_dir("/proc")
        .unwrap()
        .filter_map(Result::ok)
        .filter_map(|entry| fs::read_to_string(entry.path().join("stat")).ok());
    stats
        .filter(|stat| {
            let mut rest = stat.rsplit(") ").next().unwrap_or_default().split(' ').skip(1);
            rest.next() == Some(&ours) && rest.next().is_some_and(|group| groups.iter().any(|known| known == group))
        })
        .count()
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
    let mut config = config(&program, 0, 1, 10);
    config.worker.limits.ir_max_bytes = 1_000;
    (folder, Pool::new(config).unwrap())
}

/// A worker's answer with so many diagnostics, of so many characters each.
fn rejected(count: usize, chars: usize) -> String {
    let one = format!(r#"{{"code":"KEY_FORM","severity":"error","message":"{}","path":""}}"#, "m".repeat(chars));
    format!(r#"{{"Done":{{"rejected":[{}]}}}}"#, vec![one; count].join(","))
}

/// Shell that writes a message with its length in front.
fn says(json: &str) -> String {
    let length: String =
        u32::try_from(json.len()).unwrap().to_le_bytes().iter().map(|byte| format!("\\x{byte:02x}")).collect();
    format!("printf '{length}%s' '{json}'")
}

/// What a worker says when it is ready.
fn ready(enforcement: &str) -> String {
    let version = svc_runtime::worker::version();
    format!(
        r#"{{"Ready":{{"enforced":{{"privileges":"{enforcement}","limits":"full","landlock":"full","seccomp":"full"}},"version":"{version}"}}}}"#
    )
}

#[test]
fn workers_that_lie_are_crashes_and_never_hang_or_fill_the_parent() {
    let began = format!("{}; /usr/bin/head -c 4 >/dev/null; {}", says(&ready("full")), says("\"Started\""));
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
            "answers a build with a registry",
            format!("{began}; {}", says(r#"{"Done":{"collected":"{}"}}"#)),
            BuildFailure::Crashed,
        ),
        (
            "rejects without a reason",
            format!("{began}; {}", says(r#"{"Done":{"rejected":[]}}"#)),
            BuildFailure::Crashed,
        ),
        ("sends a long message", format!("{began}; {}", says(&rejected(1, 401))), BuildFailure::Crashed),
        ("sends many messages", format!("{began}; {}", says(&rejected(502, 1))), BuildFailure::Crashed),
        (
            "sends a long IR",
            format!(
                "{began}; {}",
                says(&format!(r#"{{"Done":{{"built":{{"ir":"{}","diagnostics":[]}}}}}}"#, "x".repeat(2_000)))
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
            ("takes no job", format!("{}; exit 0", says(&ready("full")))),
            ("the kernel does not hold", format!("{}; exec /bin/sleep 60", says(&ready("none")))),
            (
                "is of another program",
                format!("{}; exec /bin/sleep 60", says(&ready("full").replace(svc_runtime::SDK_VERSION, "9.9.9"))),
            ),
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
        pool.fill().await.unwrap();
        let enforced = pool.enforced().unwrap();
        assert!(enforced.is_enough(), "{enforced:?}");
        let pid = &workers(1_006)[0];
        let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
        let line = |name: &str| {
            status.lines().find_map(|line| line.strip_prefix(name)).map(str::trim).unwrap_or_default().to_owned()
        };
        assert_eq!((line("NoNewPrivs:"), line("Seccomp:")), ("1".to_owned(), "2".to_owned()));
        for set in ["CapInh:", "CapPrm:", "CapEff:", "CapAmb:"] {
            assert_eq!(line(set), "0000000000000000", "{set}");
        }
        assert!(line("Uid:").split_whitespace().all(|user| user != "0"), "{}", line("Uid:"));
        assert_eq!(fs::read_to_string(format!("/proc/{pid}/oom_score_adj")).unwrap().trim(), "1000");
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

/// What a command that builds once is told in a variable, and its worker must not know.
const SECRET: (&str, &str) = ("SVC_TOKEN", "a-secret-that-no-worker-has");

/// `svc check` of a product that works for a while, and its worker, at work.
fn checking(folder: &Path, variable: (&str, &str)) -> (std::process::Child, String) {
    for (name, text) in product(LONG) {
        let file = folder.join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
    let mut command = from_a_shell();
    command.arg("check").arg(folder).env(SECRET.0, SECRET.1).env(variable.0, variable.1);
    let mut command = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let end = Instant::now() + Duration::from_secs(30);
    while Instant::now() < end {
        let children = format!("/proc/{0}/task/{0}/children", command.id());
        let children = fs::read_to_string(children).unwrap_or_default();
        // A worker that is started is the child of another thread.
        let threads = fs::read_dir(format!("/proc/{}/task", command.id())).unwrap().filter_map(Result::ok);
        let of_threads = threads.map(|thread| fs::read_to_string(thread.path().join("children")).unwrap_or_default());
        let all = of_threads.fold(children, |all, more| all + " " + &more);
        if let Some(worker) = all.split_whitespace().find(|pid| is_filtered(pid)) {
            return (command, worker.to_owned());
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    command.kill().unwrap();
    let ended = command.wait().unwrap();
    panic!("no worker was at work: {ended}");
}

/// Whether this text lies in a process's stack, heap, or small writable mappings; nothing where that may not be read.
fn knows(pid: &str, text: &str) -> Option<bool> {
    let memory = fs::File::open(format!("/proc/{pid}/mem")).ok()?;
    let maps = fs::read_to_string(format!("/proc/{pid}/maps")).ok()?;
    let ranges = maps.lines().filter(|line| line.contains(" rw-p ")).map(|line| {
        let (start, end) = line.split(' ').next().unwrap().split_once('-').unwrap();
        (u64::from_str_radix(start, 16).unwrap(), u64::from_str_radix(end, 16).unwrap())
    });
    let ranges = ranges.filter(|(start, end)| end - start <= 4 << 20);
    let mut page = vec![0; 1 << 20];
    for (start, end) in ranges {
        let mut at = start;
        while at < end {
            let wanted = usize::try_from(end - at).unwrap().min(page.len());
            let Ok(read) = memory.read_at(&mut page[..wanted], at) else { break };
            if read == 0 {
                break;
            }
            if page[..read].windows(text.len()).any(|part| part == text.as_bytes()) {
                return Some(true);
            }
            at += u64::try_from(read).unwrap();
        }
    }
    Some(false)
}

#[test]
fn the_worker_of_a_command_is_its_copy_and_knows_nothing_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = |pid: &str| fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap();
    let (command, copy) = checking(folder.path(), ("SOMETHING", "else"));
    signal("-STOP", std::slice::from_ref(&copy));
    assert!(!arguments(&copy).contains(svc_cli::WORKER), "it was not started anew");
    assert_eq!(knows(&command.id().to_string(), SECRET.1), Some(true), "what is searched would be found");
    assert_ne!(knows(&copy, SECRET.1), Some(true), "the worker has the command's variables");
    let target = |file: fs::DirEntry| fs::read_link(file.path()).unwrap().display().to_string();
    for file in fs::read_dir(format!("/proc/{copy}/fd")).into_iter().flatten() {
        let target = target(file.unwrap());
        assert!(target.starts_with("socket:") || target == "/dev/null", "the worker holds {target}");
    }
    signal("-CONT", &[copy]);
    let of_copy = command.wait_with_output().unwrap();
    // What the C library obeys is not in force in a worker, so it is started.
    let (command, started) = checking(folder.path(), ("GLIBC_TUNABLES", "glibc.cpu.hwcaps=-FMA,-AVX2"));
    assert!(arguments(&started).contains(svc_cli::WORKER), "it was started anew");
    let of_started = command.wait_with_output().unwrap();
    assert!(of_copy.status.success() && !of_copy.stdout.is_empty());
    assert_eq!(of_copy.stdout, of_started.stdout);
}

#[test]
fn a_command_whose_copy_is_killed_starts_a_worker() {
    let folder = tempfile::tempdir().unwrap();
    let (command, copy) = checking(folder.path(), ("SOMETHING", "else"));
    let arguments = fs::read_to_string(format!("/proc/{copy}/cmdline")).unwrap();
    assert!(!arguments.contains(svc_cli::WORKER), "it is a copy");
    signal("-KILL", &[copy]);
    let output = command.wait_with_output().unwrap();
    assert!(output.status.success() && !output.stdout.is_empty());
}
