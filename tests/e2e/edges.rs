//! At the edge of a limit the same product has the same end: in a worker that was started for it and in a copy, whatever the shell's
//! limits, the program's path and environment, the processor, and what was parsed before.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Stdio;
use svc_builds::compile;
use svc_engine::sources::{ENTRY, Sources};
use svc_runtime::worker::WorkerConfig;
use svc_runtime::{BuildFailure, Pool, PoolConfig};
use svc_tests::program::{block_on, from_a_shell, patient, svc};

/// Times that each side of an edge is tried in each mode.
const TRIES: usize = 4;

fn product(body: &str) -> Sources {
    let text = format!(
        "import {{ Plan, Product }} from \"@svc/product\";\n{body}\n@Product({{ name: \"x\", origin: \"https://api.example.com\" }})\nexport default class X {{ @Plan(\"free\", {{ limits: {{ requests: {{ rate: 1, interval: \"minute\" }} }} }}) free; }}\n"
    );
    Sources::from([(ENTRY.to_owned(), text)])
}

fn pool(program: &Path, warm: usize) -> Pool {
    Pool::new(PoolConfig {
        program: program.to_owned(),
        arguments: vec![svc_cli::WORKER.to_owned()],
        // On a slow machine too: where the edge is does not depend on the time.
        worker: patient(WorkerConfig::default()),
        requires_sandbox: true,
        running_max: 2,
        warm,
        queue_max: 100,
    })
    .unwrap()
}

/// A program that changes something around a worker, and then is one.
fn around(folder: &Path, name: &str, script: &str, program: &Path) -> std::path::PathBuf {
    let path = folder.join(name);
    fs::write(&path, format!("#!/bin/bash\n{script}\nexec {} \"$@\"\n", program.display())).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// What a worker is started by, and as: `(what, program, warm workers)`.
fn modes(folder: &Path) -> Vec<(&'static str, Pool)> {
    let deep = folder.join("d".repeat(200)).join("e".repeat(200)).join("f".repeat(200));
    fs::create_dir_all(&deep).unwrap();
    let long = deep.join("svc");
    std::os::unix::fs::symlink(svc(), &long).unwrap();
    let hard = around(folder, "small", "ulimit -Hs 256; ulimit -s 256", &svc());
    let unlimited = around(folder, "unlimited", "ulimit -s unlimited", &svc());
    let filled = around(folder, "environment", &format!("export FILLED={}", "x".repeat(100_000)), &svc());
    let plain = around(folder, "processor", "export GLIBC_TUNABLES=glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2,-AVX", &svc());
    vec![
        ("alone", pool(&svc(), 0)),
        ("as a copy", pool(&svc(), 2)),
        ("by a long path", pool(&long, 0)),
        ("under a small stack limit", pool(&hard, 0)),
        ("under no stack limit", pool(&unlimited, 1)),
        ("with a large environment", pool(&filled, 0)),
        ("without FMA", pool(&plain, 1)),
    ]
}

async fn failure(pool: &Pool, sources: Sources) -> Option<BuildFailure> {
    let compiled = compile(pool, sources).await.unwrap();
    assert!(compiled.ir.is_some() || compiled.failure.is_some(), "{compiled:?}");
    compiled.failure
}

/// The last `n` of `low..high` at which the product still builds.
async fn edge(
    pool: &Pool,
    make: impl Fn(u32) -> Sources,
    (mut low, mut high): (u32, u32),
    wanted: BuildFailure,
) -> u32 {
    assert_eq!(failure(pool, make(low)).await, None, "{low} builds");
    assert_eq!(failure(pool, make(high)).await, Some(wanted), "{high} does not");
    while high - low > 1 {
        let middle = low.midpoint(high);
        match failure(pool, make(middle)).await {
            None => low = middle,
            Some(failure) => {
                assert_eq!(failure, wanted);
                high = middle;
            }
        }
    }
    low
}

async fn same_everywhere(make: impl Fn(u32) -> Sources, range: (u32, u32), wanted: BuildFailure) {
    let folder = tempfile::tempdir().unwrap();
    let modes = modes(folder.path());
    let last = edge(&modes[0].1, &make, range, wanted).await;
    for (what, pool) in &modes {
        for _ in 0..TRIES {
            assert_eq!(failure(pool, make(last)).await, None, "{last} {what}");
            assert_eq!(failure(pool, make(last + 1)).await, Some(wanted), "{} {what}", last + 1);
        }
    }
}

#[test]
fn of_the_guests_stack() {
    let dive = |n: u32| product(&format!("const dive = (n) => n ? dive(n - 1) + 1 : 0; dive({n});"));
    block_on(same_everywhere(dive, (100, 100_000), BuildFailure::StackOverflow));
}

#[test]
fn of_the_guests_stack_behind_deeply_nested_types() {
    let dive = |n: u32| {
        let types = format!("type T = {}number{};", "Array<".repeat(1_000), ">".repeat(1_000));
        product(&format!("{types} const dive = (n) => n ? dive(n - 1) + 1 : 0; dive({n});"))
    };
    block_on(async {
        let folder = tempfile::tempdir().unwrap();
        let modes = modes(folder.path());
        let plain = |n: u32| product(&format!("const dive = (n) => n ? dive(n - 1) + 1 : 0; dive({n});"));
        let last = edge(&modes[0].1, plain, (100, 100_000), BuildFailure::StackOverflow).await;
        for (what, pool) in &modes {
            assert_eq!(failure(pool, dive(last)).await, None, "{what}");
            assert_eq!(failure(pool, dive(last + 1)).await, Some(BuildFailure::StackOverflow), "{what}");
        }
    });
}

#[test]
fn of_the_readers_stack() {
    let nest = |n: u32| {
        let n = usize::try_from(n).unwrap();
        product(&format!("const nested = {}{};", "[".repeat(n), "]".repeat(n)))
    };
    block_on(same_everywhere(nest, (100, 200_000), BuildFailure::StackOverflow));
}

#[test]
fn of_a_stack_that_a_guest_may_not_catch() {
    let caught = "let depth = 0; const dive = () => { depth++; dive(); }; try { dive(); } catch {}";
    block_on(async {
        let folder = tempfile::tempdir().unwrap();
        for (what, pool) in modes(folder.path()) {
            assert_eq!(failure(&pool, product(caught)).await, Some(BuildFailure::StackOverflow), "{what}");
        }
    });
}

#[test]
fn of_the_heap_to_the_object() {
    let keep =
        |n: u32| product(&format!("const kept = []; for (let i = 0; i < {n}; i++) kept.push(new Array(40).fill(i));"));
    block_on(same_everywhere(keep, (100_000, 400_000), BuildFailure::OutOfMemory));
}

/// How `svc check`, whose worker is a copy of the command, ends on a product.
fn checked(sources: &Sources) -> Option<i32> {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in sources {
        let file = folder.path().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
    let status = from_a_shell().arg("check").arg(folder.path()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.unwrap().code()
}

#[test]
fn are_the_same_in_a_commands_own_copy() {
    let dive = |n: u32| product(&format!("const dive = (n) => n ? dive(n - 1) + 1 : 0; dive({n});"));
    let keep =
        |n: u32| product(&format!("const kept = []; for (let i = 0; i < {n}; i++) kept.push(new Array(40).fill(i));"));
    block_on(async {
        let started = pool(&svc(), 0);
        let stack = edge(&started, dive, (100, 100_000), BuildFailure::StackOverflow).await;
        let heap = edge(&started, keep, (100_000, 400_000), BuildFailure::OutOfMemory).await;
        for _ in 0..TRIES {
            assert_eq!((checked(&dive(stack)), checked(&dive(stack + 1))), (Some(0), Some(3)), "{stack}");
            assert_eq!((checked(&keep(heap)), checked(&keep(heap + 1))), (Some(0), Some(3)), "{heap}");
        }
    });
}

#[test]
fn of_the_array_buffers() {
    let keep = |n: u32| product(&format!("new ArrayBuffer({n});"));
    block_on(same_everywhere(keep, (1, 64 << 20), BuildFailure::OutOfMemory));
}

#[test]
fn bits_are_the_programs_own() {
    let numbers = "const all = []; for (let i = 1; i < 400; i++) { all.push((1 + i / 7) ** (i % 23 - 5), Math.tanh(i / 97), Math.pow(i, 1 / 3), \
        Math.sin(i), Math.exp(i / 50), Math.log(i), Math.cbrt(i), Math.hypot(i, 3), Math.atan2(i, 7), 1.1 ** i % 7); } \
        enum E { a = 1.65 ** 22, b = 1.3 ** 45, c = 3.3 ** 22 } all.push(E.a, E.b, E.c);";
    let text = format!(
        "import {{ Plan, Product, Raw }} from \"@svc/product\";\n{numbers}\n@Product({{ name: \"x\", origin: \"https://api.example.com\" }})\n@Raw({{ v: all.map(String) }})\nexport default class X {{ @Plan(\"free\", {{ limits: {{ requests: {{ rate: 1, interval: \"minute\" }} }} }}) free; }}\n"
    );
    let sources = Sources::from([(ENTRY.to_owned(), text)]);
    block_on(async {
        let folder = tempfile::tempdir().unwrap();
        let mut hashes = Vec::new();
        for (what, pool) in modes(folder.path()) {
            let compiled = compile(&pool, sources.clone()).await.unwrap();
            hashes.push((what, compiled.ir.unwrap_or_else(|| panic!("{what}: {:?}", compiled.diagnostics)).hash));
        }
        // Reviewed: what the `libm` crate's `pow` and `tanh` give, and V8's own of the others.
        assert!(hashes.iter().all(|(_, hash)| *hash == hashes[0].1), "{hashes:#?}");
    });
}
