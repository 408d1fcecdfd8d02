//! Builds that would take the service from everyone else: products whose rules are much work, floods of file names, one business's
//! queue. Meanwhile others are served; afterwards nothing is left, and the server stops when it is told to.

use serde_json::{Value as Json, json};
use std::os::unix::fs::PermissionsExt;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use svc_tests::api::{Api, Business, ONE_PLAN, Server};
use svc_tests::program::{block_on, svc};
use tokio::task::JoinSet;

/// Longest that anyone else may wait for an answer. Far more than it takes, far less than such builds took before they were bounded.
const PATIENCE: Duration = Duration::from_secs(10);

fn product(before: &str, members: &str) -> String {
    format!(
        "import {{ Capability, Feature, Meter, Plan, Product }} from \"@svc/product\";\n{before}\n@Product({{ origin: \"https://api.example.com\" }})\nexport default class X {{\n{members}\n@Plan(\"free\", {{ limits: {{ requests: {{ rate: 1, interval: \"minute\" }} }} }}) free;\n}}\n"
    )
}

/// Capabilities that include one the other, in a row.
fn chain(count: usize) -> String {
    let one = |index: usize| {
        let includes = if index == 0 { String::new() } else { format!("\"c{}\"", index - 1) };
        format!("@Capability(\"c{index}\", {{ includesCapabilities: [{includes}] }}) m{index};\n")
    };
    product("", &(0..count).map(one).collect::<String>())
}

/// References to meters that are not there, each a little like many that are.
fn unknown_references(names: usize, references: usize) -> String {
    let meters: String = (0..names).map(|index| format!("@Meter(\"meter_number_{index}\") m{index};\n")).collect();
    let routes: String = (0..references)
        .map(|index| format!("\"GET /r/{index}\": {{ reports: [\"metre_nomber_{index}x\"] }},"))
        .collect();
    product("", &format!("{meters}@Feature(\"f\", {{ plans: [\"free\"], routes: {{ {routes} }} }}) f;\n"))
}

/// Long routes with parameters at different places.
fn routes(count: usize) -> String {
    let path = |index: usize| {
        let parts = (0..13).map(|bit| if index >> bit & 1 == 1 { format!("{{p{bit}}}") } else { format!("s{bit}") });
        format!("\"GET /{}/{index}\": {{}},", parts.collect::<Vec<_>>().join("/"))
    };
    let all: String = (0..count).map(path).collect();
    product("", &format!("@Feature(\"f\", {{ plans: [\"free\"], routes: {{ {all} }} }}) f;\n"))
}

/// Asks after the server's health and for another business's preview, again and again, until told to stop. Returns how often.
async fn others(api: Api, business: String, token: String, done: Arc<AtomicBool>) -> usize {
    let mut asked = 0;
    while !done.load(Ordering::Acquire) {
        for (token, path) in
            [("", "/healthz".to_owned()), (token.as_str(), format!("/portal/businesses/{business}/me/bill-preview"))]
        {
            let answer = tokio::time::timeout(PATIENCE, api.get(token, &path)).await;
            let answer = answer.unwrap_or_else(|_| panic!("{path} was not answered"));
            assert_eq!(answer.status, 200, "{path}: {}", answer.body);
            asked += 1;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    asked
}

fn memory_kib(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

#[test]
fn builds_that_are_much_work_are_bounded_and_harm_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&folder.path().join("svc.db"));
    let pid = server.child.id();
    block_on(async {
        let api = Api::new(&server);
        let (bad, good) = (api.business(ONE_PLAN).await, api.business(ONE_PLAN).await);
        let token = good.subscribe("ada", "basic").await;
        let done = Arc::new(AtomicBool::new(false));
        let watching = tokio::spawn(others(api.clone(), good.id.clone(), token, Arc::clone(&done)));
        let before = memory_kib(pid);
        for source in [chain(4_000), chain(4_000), unknown_references(1_500, 6_000), routes(4_000), routes(8_000)] {
            let built = bad.build(&source).await;
            assert!([201, 422].contains(&built.status), "{}", built.body);
            assert!(built.body.to_string().len() < 2 << 20, "an answer of {} bytes", built.body.to_string().len());
        }
        // As a whole body of bad names: nothing of it reaches the queue.
        let files: serde_json::Map<String, Json> =
            (0..100_000).map(|index| (format!("bad {index}"), json!(""))).collect();
        let flood = api.post(&bad.deploy, &format!("{}/builds", bad.root), json!({ "files": files })).await;
        assert_eq!(flood.status, 422);
        assert!(flood.body.to_string().len() < 100_000);
        // A valid chain is judged again when it is published, by whoever asks for it.
        let built = bad.build(&chain(2_000)).await;
        let id = built.body["buildId"].clone();
        for dry_run in [true, false] {
            let body = json!({ "buildId": id, "dryRun": dry_run });
            let answer = bad.api.post(&bad.deploy, &format!("{}/releases", bad.root), body).await;
            assert!([200, 201, 409, 422].contains(&answer.status), "{}", answer.body);
        }
        done.store(true, Ordering::Release);
        assert!(watching.await.unwrap() > 100, "the others were hardly asked");
        let grown = memory_kib(pid).saturating_sub(before);
        assert!(grown < 300 << 10, "the server grew by {grown} KiB");
    });
    assert_eq!(server.terminate(), Some(0));
}

#[test]
fn a_business_with_many_builds_does_not_hold_up_anothers() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&folder.path().join("svc.db"));
    block_on(async {
        let api = Api::new(&server);
        let (busy, patient) = (Arc::new(api.business(ONE_PLAN).await), api.business(ONE_PLAN).await);
        let mut endless = JoinSet::new();
        for index in 0..16 {
            let busy: Arc<Business> = Arc::clone(&busy);
            endless.spawn(async move { busy.build(&format!("// {index}\nwhile (true) {{}}")).await });
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
        assert_eq!(patient.build(ONE_PLAN).await.status, 201);
        let mut ended = 0;
        while endless.try_join_next().is_some() {
            ended += 1;
        }
        assert!(ended <= 8, "{ended} of the other business's builds came first");
        endless.abort_all();
    });
}

#[test]
fn a_server_that_is_not_root_copies_its_workers_too() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o777)).unwrap();
    // The checkout may lie where only root reads.
    let program = folder.path().join("svc");
    std::fs::copy(svc(), &program).unwrap();
    let mut command = if is_root() {
        let mut command = Command::new("setpriv");
        command.args(["--reuid=65533", "--regid=65533", "--clear-groups", "--"]).arg(&program);
        command
    } else {
        Command::new(&program)
    };
    command.arg("--format").arg("json").arg("-v");
    let server = Server::start_as(command, &["--data".to_owned(), folder.path().join("svc.db").display().to_string()]);
    block_on(async {
        let api = Api::new(&server);
        let business = api.business(ONE_PLAN).await;
        assert_eq!(business.build(ONE_PLAN).await.status, 201);
        let ready = api.get("", "/readyz").await.expect(200);
        for means in ["privileges", "limits", "seccomp"] {
            assert_eq!(ready.body["sandbox"][means], "full", "{means}");
        }
        let children = Command::new("pgrep").args(["-P", &server.child.id().to_string(), "-a"]).output().unwrap();
        let children = String::from_utf8(children.stdout).unwrap();
        // Copies have their zygote's arguments; a worker that was started alone has others.
        assert!(children.contains("\"zygote\":true"), "{children}");
        assert!(!children.contains("\"zygote\":false"), "{children}");
    });
}

/// Failing builds of each kind; `SOAK_BUILDS` says otherwise (`make soak-builds`). Endless ones take two seconds each, and are fewer.
const SOAK_BUILDS: usize = 8;

/// A thread that waits for work, or a file that one opens, may be there or not; what a build leaves would be there once for each of them.
const HELD_SLACK: usize = 2;

/// What a server holds: open files, threads, children.
fn held(pid: u32) -> (usize, usize, usize) {
    let count = |folder: &str| std::fs::read_dir(format!("/proc/{pid}/{folder}")).unwrap().count();
    let children = Command::new("pgrep").args(["-P", &pid.to_string()]).output().unwrap();
    (count("fd"), count("task"), String::from_utf8(children.stdout).unwrap().lines().count())
}

/// What a server holds once it is at rest: the same ten times in a row, a tenth of a second apart.
async fn settled(pid: u32) -> (usize, usize, usize) {
    let (mut last, mut times) = (held(pid), 0);
    for _ in 0..300 {
        tokio::time::sleep(Duration::from_millis(100)).await;
        let now = held(pid);
        times = if now == last { times + 1 } else { 0 };
        last = now;
        if times == 10 {
            break;
        }
    }
    last
}

#[test]
fn failing_builds_leave_nothing_behind() {
    let count = std::env::var("SOAK_BUILDS").ok().map_or(SOAK_BUILDS, |count| count.parse().unwrap());
    let kinds = [
        ("throw new Error('no');", "BUILD_REJECTED", 1),
        ("this is no TypeScript", "BUILD_REJECTED", 1),
        ("const dive = () => dive() + 1; dive();", "BUILD_STACK_OVERFLOW", 1),
        ("const all = []; for (;;) all.push(new Array(1_000).fill(0));", "BUILD_OUT_OF_MEMORY", 1),
        ("new ArrayBuffer(2 ** 30);", "BUILD_OUT_OF_MEMORY", 1),
        ("'x'.repeat(2 ** 28).split('');", "BUILD_ENGINE_FATAL", 1),
        ("for (;;);", "BUILD_TIMEOUT", 8),
    ];
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&folder.path().join("svc.db"));
    let pid = server.child.id();
    block_on(async {
        let business = Api::new(&server).business(ONE_PLAN).await;
        let mut before = None;
        for round in 0..=count {
            for (body, wanted, seldom) in kinds {
                if round % seldom == 0 {
                    let built = business.build(&format!("// {round}\n{body}")).await;
                    assert_eq!(built.body["code"], wanted, "{body}: {}", built.body);
                }
            }
            if round == 0 {
                // All that a server keeps is there by then; copies that were ordered come.
                before = Some((settled(pid).await, memory_kib(pid)));
            }
        }
        let (held_before, memory_before) = before.unwrap();
        let held_after = settled(pid).await;
        let pairs = [(held_before.0, held_after.0), (held_before.1, held_after.1), (held_before.2, held_after.2)];
        let grew = pairs.iter().any(|(before, after)| *after > before + HELD_SLACK);
        assert!(!grew, "{held_before:?} open files, threads, children became {held_after:?}");
        let memory = memory_kib(pid);
        eprintln!(
            "{count} failing builds of each kind: {held_before:?}, {memory_before} KiB before, {memory} KiB after"
        );
        assert!(memory < memory_before + (16 << 10), "{memory_before} KiB became {memory} KiB");
    });
}

fn is_root() -> bool {
    let user = Command::new("id").arg("-u").output().unwrap();
    String::from_utf8(user.stdout).unwrap().trim() == "0"
}
