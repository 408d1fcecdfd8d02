//! The command line, as short stories: what is written where, and how it ends.

use serde_json::Value as Json;
use std::path::Path;
use std::process::{Command, Output};
use svc_tests::api::{Api, OPERATOR, Server};
use svc_tests::program::{block_on, run, svc};

/// A product folder with this entry.
fn product(text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("product")).unwrap();
    std::fs::write(folder.path().join("product/product.config.ts"), text).unwrap();
    folder
}

fn minimal(body: &str) -> String {
    format!(
        "import {{ Plan, Product }} from \"@svc/product\";\n{body}\n@Product({{ origin: \"https://api.example.com\" }})\nexport default class Tiny {{\n  @Plan(\"free\", {{ limits: {{ requests: {{ rate: 60, interval: \"minute\" }} }} }}) free;\n}}\n"
    )
}

fn check(folder: &Path, more: &[&str]) -> Output {
    let folder = folder.to_str().unwrap();
    run(&[&["check", folder], more].concat())
}

fn json(output: &Output) -> Json {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stdout)))
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn build_writes_its_file_and_check_writes_nothing() {
    let folder = product(&minimal(""));
    let checked = check(folder.path(), &[]);
    assert_eq!(checked.status.code(), Some(0));
    assert!(!folder.path().join("product-build.json").exists());
    let hash = String::from_utf8_lossy(&checked.stdout).trim().to_owned();
    assert!(hash.starts_with("sha256:") && hash.len() == 71, "{hash}");
    let built = run(&["build", folder.path().to_str().unwrap()]);
    assert_eq!(built.status.code(), Some(0));
    let file: Json = serde_json::from_slice(&std::fs::read(folder.path().join("product-build.json")).unwrap()).unwrap();
    assert_eq!(file["irHash"], hash.as_str());
    assert_eq!(file["ir"]["product"]["name"], "Tiny");
    assert_eq!(file["sdkVersion"], svc_runtime::SDK_VERSION);
    assert!(file["engine"]["v8"].is_string());
    assert_eq!(file["diagnostics"], serde_json::json!([]));
}

#[test]
fn a_mistake_is_shown_with_its_line_and_ends_with_one() {
    let folder = product(&minimal("").replace("minute", "minut"));
    let human = check(folder.path(), &[]);
    assert_eq!(human.status.code(), Some(1));
    assert!(human.stdout.is_empty());
    let talk = stderr(&human);
    for part in [
        "error[UNKNOWN_VALUE]",
        "product/product.config.ts:5:",
        "^^^^^^^",
        "did you mean \"minute\"?",
        "svc: BUILD_REJECTED: 1 error",
    ] {
        assert!(talk.contains(part), "{part:?} is not in\n{talk}");
    }
    let machine = check(folder.path(), &["--format", "json"]);
    assert_eq!(machine.status.code(), Some(1));
    let envelope = json(&machine);
    assert_eq!(
        (&envelope["schemaVersion"], &envelope["ok"], &envelope["op"]),
        (&1.into(), &false.into(), &"check".into())
    );
    assert_eq!(envelope["error"]["code"], "BUILD_REJECTED");
    let first = &envelope["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .find(|found| found["code"] == "UNKNOWN_VALUE")
        .unwrap()
        .clone();
    assert_eq!(first["path"], "plans.free.limits.requests.interval");
    assert_eq!(
        (first["line"].as_u64(), first["column"].as_u64(), first["endColumn"].as_u64()),
        (Some(5), Some(61), Some(68))
    );
}

#[test]
fn syntax_throw_loop_and_hunger_each_have_a_name() {
    for (body, code, exit) in [
        ("const = 1;", "BUILD_REJECTED", 1),
        ("throw new Error(\"no\");", "BUILD_REJECTED", 1),
        ("while (true) {}", "BUILD_TIMEOUT", 3),
        ("const all = []; while (true) all.push(new Array(1000).fill(0));", "BUILD_OUT_OF_MEMORY", 3),
        ("function deep() { return 1 + deep(); } try { deep(); } catch {}", "BUILD_STACK_OVERFLOW", 3),
    ] {
        let output = check(product(&minimal(body)).path(), &["--format", "json"]);
        let envelope = json(&output);
        assert_eq!(envelope["error"]["code"], code, "{body}: {envelope:#}");
        assert_eq!(output.status.code(), Some(exit), "{body}");
    }
}

#[test]
fn what_is_not_there_ends_with_four_and_what_is_not_known_with_two() {
    let empty = tempfile::tempdir().unwrap();
    let missing = check(empty.path(), &["--format", "json"]);
    assert_eq!(missing.status.code(), Some(4));
    assert_eq!(json(&missing)["error"]["code"], "PRODUCT_NOT_FOUND");
    std::fs::create_dir(empty.path().join("product")).unwrap();
    let no_entry = check(empty.path(), &["--format", "json"]);
    assert_eq!(no_entry.status.code(), Some(1));
    assert_eq!(json(&no_entry)["diagnostics"][0]["code"], "ENTRY_MISSING");
    assert_eq!(run(&["bild"]).status.code(), Some(2));
    assert_eq!(run(&["build", "--nonsense"]).status.code(), Some(2));
    assert_eq!(run(&["--help"]).status.code(), Some(0));
}

#[test]
fn files_over_the_limits_are_named() {
    let folder = product(&minimal(&format!("// {}", "x".repeat(1 << 20))));
    let large = json(&check(folder.path(), &["--format", "json"]));
    assert_eq!(large["diagnostics"][0]["code"], "SOURCE_TOO_LARGE");
    let folder = product(&minimal(""));
    for n in 0..256 {
        std::fs::write(folder.path().join(format!("product/f{n}.ts")), "").unwrap();
    }
    let many = json(&check(folder.path(), &["--format", "json"]));
    assert_eq!(many["diagnostics"][0]["code"], "SOURCE_TOO_LARGE");
    std::fs::write(folder.path().join("product/binary.ts"), [0xff, 0xfe]).unwrap();
    let binary = check(folder.path(), &["--format", "json"]);
    assert_eq!((binary.status.code(), &json(&binary)["error"]["code"]), (Some(1), &"FILE_NOT_TEXT".into()));
}

#[test]
fn terminal_escapes_of_an_author_are_never_sent() {
    let folder = product(&minimal("throw new Error(\"\\u001b[2J\\u202e\");"));
    for more in [&[][..], &["--color", "always"], &["--format", "json"]] {
        let output = check(folder.path(), more);
        let sent = [output.stdout, output.stderr].concat();
        let text = String::from_utf8(sent).unwrap();
        assert!(!text.contains("\u{1b}[2J") && !text.contains('\u{202e}'), "{more:?}");
    }
}

#[test]
fn quiet_says_only_what_is_wrong() {
    let folder = product(&minimal(""));
    let quiet = check(folder.path(), &["-q"]);
    assert_eq!((quiet.status.code(), stderr(&quiet).as_str()), (Some(0), ""));
}

#[test]
fn version_names_everything_that_must_agree() {
    let version = json(&run(&["version", "--format", "json"]));
    let data = &version["data"];
    assert_eq!(data["sdkVersion"], svc_runtime::SDK_VERSION);
    assert_eq!(data["irVersion"], 1);
    assert!(data["v8"].as_str().unwrap().starts_with("15."));
}

#[test]
fn help_is_as_it_was_reviewed() {
    for command in [
        "",
        "build",
        "check",
        "diff",
        "init",
        "push",
        "publish",
        "plan",
        "plan list",
        "plan migrate",
        "plan migrations",
        "preview",
        "invoice",
        "invoice close",
        "invoice list",
        "credits",
        "credits give",
        "credits revoke",
        "adjust",
        "adjust refund",
        "adjust correct",
        "ledger",
        "ledger verify",
        "serve",
        "demo",
        "version",
    ] {
        let arguments: Vec<&str> = command.split(' ').chain(["--help"]).filter(|part| !part.is_empty()).collect();
        let help = String::from_utf8(run(&arguments).stdout).unwrap();
        assert!(!help.is_empty(), "{command}");
        let name = if command.is_empty() { "svc".to_owned() } else { command.replace(' ', "-") };
        svc_tests::golden::check(&format!("tests/golden/help/{name}.txt"), &help);
    }
}

#[test]
fn demo_shows_both_previews() {
    let shown = json(&run(&["demo", "--once", "--listen", "127.0.0.1:0", "--format", "json"]));
    let previews = shown["data"]["previews"].as_array().unwrap();
    let disclosures: Vec<&str> =
        previews.iter().map(|shown| shown["preview"]["disclosure"].as_str().unwrap()).collect();
    assert_eq!(disclosures, ["transparent", "opaque"]);
    for shown in previews {
        assert!(shown["curl"].as_str().unwrap().starts_with("curl -H 'Authorization: Bearer svc_portal_"));
    }
}

#[test]
fn a_new_product_builds_and_type_checks_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().to_str().unwrap();
    assert_eq!(run(&["init", dir]).status.code(), Some(0));
    let checked = json(&check(folder.path(), &["--format", "json"]));
    assert_eq!((&checked["ok"], &checked["data"]["diagnostics"]), (&true.into(), &serde_json::json!([])));
    let again = run(&["init", dir, "--format", "json"]);
    assert_eq!((again.status.code(), &json(&again)["error"]["code"]), (Some(5), &"FILE_EXISTS".into()));
    // The package as npm would lay it; `make test` has built it before.
    let package = svc_tests::program::root().join("js-shim/product");
    assert!(
        package.join("dist/index.d.ts").is_file(),
        "the package is not built; run `make test`, or `npm test` in js-shim/product"
    );
    std::fs::create_dir_all(folder.path().join("node_modules/@svc")).unwrap();
    std::os::unix::fs::symlink(&package, folder.path().join("node_modules/@svc/product")).unwrap();
    let typed = std::process::Command::new(svc_tests::program::root().join("js-shim/node_modules/.bin/tsc")).args(["-p", dir]).output().unwrap();
    assert!(typed.status.success(), "{}", String::from_utf8_lossy(&typed.stdout));
}

#[test]
fn diff_groups_by_resource_and_says_what_touches_money_or_takes_away() {
    let old = tempfile::tempdir().unwrap();
    let dir = old.path().to_str().unwrap();
    assert!(run(&["init", dir]).status.success() && run(&["build", dir]).status.success());
    let equal = run(&["diff", dir, "--exit-code"]);
    assert_eq!((equal.status.code(), String::from_utf8_lossy(&equal.stdout).trim()), (Some(0), "nothing changed"));
    let file = old.path().join("product/product.config.ts");
    let text = std::fs::read_to_string(&file).unwrap();
    let changed = text
        .replace("amount: 1900", "amount: 2900")
        .replace("rate: 600", "rate: 300")
        .replace("\"GET /v1/jobs/{id}\": {},", "\"PUT /v1/jobs/{id}\": {},");
    std::fs::write(&file, changed).unwrap();
    let human = run(&["diff", dir, "--exit-code"]);
    assert_eq!(human.status.code(), Some(1));
    svc_tests::golden::check("tests/golden/diff.txt", &String::from_utf8(human.stdout).unwrap());
    assert_eq!(run(&["diff", dir]).status.code(), Some(0), "a difference is no failure unless asked for");
    let changes = json(&run(&["diff", dir, "--format", "json"]));
    let changes = changes["data"]["changes"].as_array().unwrap().clone();
    let of = |resource: &str, key: &str, field: &str| {
        changes.iter().find(|c| c["resource"] == resource && c["key"] == key && c["field"] == field).unwrap().clone()
    };
    let price = of("plans", "pro", "recurringFeeCents");
    assert_eq!(
        (&price["before"], &price["after"], &price["economic"], &price["breaking"]),
        (&1900.into(), &2900.into(), &true.into(), &true.into())
    );
    assert_eq!(of("plans", "pro", "limits[requests].rate")["breaking"], true);
    assert_eq!(
        (of("routes", "GET /v1/jobs/{id}", "")["kind"].clone(), of("routes", "PUT /v1/jobs/{id}", "")["kind"].clone()),
        ("removed".into(), "added".into())
    );
    // Against another folder, and against nothing.
    let other = tempfile::tempdir().unwrap();
    let other_dir = other.path().to_str().unwrap();
    assert!(run(&["init", other_dir]).status.success());
    assert_eq!(
        json(&run(&["diff", dir, "--against", other_dir, "--format", "json"]))["data"]["changes"]
            .as_array()
            .unwrap()
            .len(),
        changes.len()
    );
    let nothing = json(&run(&["diff", other_dir, "--format", "json"]));
    assert!(nothing["data"]["changes"].as_array().unwrap().iter().all(|change| change["kind"] == "added"));
    assert_eq!(run(&["diff", dir, "--against", "/nowhere.json"]).status.code(), Some(4));
}

/// `svc` as a client of a server, with a token and a business.
fn client(server: &Server, token: &str, business: &str, arguments: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(svc())
        .args(arguments)
        .env("SVC_URL", &server.base)
        .env("SVC_TOKEN", token)
        .env("SVC_BUSINESS", business)
        .output()
        .unwrap();
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    (output.status.code(), said)
}

#[test]
fn a_product_is_pushed_published_repriced_migrated_and_billed_from_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&folder.path().join("svc.db"));
    let api = Api::new(&server);
    let (business, deploy) = block_on(async {
        let made = api
            .post(OPERATOR, "/v1/businesses", serde_json::json!({ "name": "Test" }))
            .await
            .expect(201)
            .text("businessId");
        let token = api
            .post(OPERATOR, &format!("/v1/businesses/{made}/tokens"), serde_json::json!({ "kind": "deploy" }))
            .await
            .expect(201);
        (made, token.text("token"))
    });
    let source = product(&minimal(""));
    let dir = source.path().to_str().unwrap().to_owned();
    let as_deploy = |arguments: &[&str]| client(&server, &deploy, &business, arguments);
    let as_operator = |arguments: &[&str]| client(&server, OPERATOR, &business, arguments);
    let done = |(code, said): (Option<i32>, String), wanted: &[&str]| {
        assert_eq!(code, Some(0), "{said}");
        wanted.iter().for_each(|wanted| assert!(said.contains(wanted), "{wanted:?} is not in {said}"));
        said
    };
    done(as_deploy(&["push", &dir]), &["sha256:", "built as bld_"]);
    done(as_deploy(&["publish", &dir, "--dry-run"]), &["plan free: version - → 1", "economic: true"]);
    done(as_deploy(&["publish", &dir]), &["published as rel_"]);
    done(as_deploy(&["publish", &dir]), &["is active already"]);
    done(as_deploy(&["diff", &dir, "--against", "release"]), &["nothing changed"]);
    block_on(async {
        let body = serde_json::json!({ "subject": "ada", "plan": "free" });
        let _subscribed =
            api.post(OPERATOR, &format!("/v1/businesses/{business}/subscriptions"), body).await.expect(201);
    });
    let config = source.path().join("product/product.config.ts");
    let repriced = std::fs::read_to_string(&config).unwrap().replace(
        "@Plan(\"free\", {",
        "@Plan(\"free\", { price: { amount: 700, currency: \"usd\", interval: \"month\" },",
    );
    std::fs::write(&config, &repriced).unwrap();
    done(as_deploy(&["publish", &dir, "--dry-run"]), &["plan free: version 1 → 2; 1 on version 1, who stay there"]);
    done(as_deploy(&["publish", &dir]), &["published as"]);
    done(as_deploy(&["plan", "list"]), &["free  1        1", "free  2        0            yes"]);
    let migrate = ["plan", "migrate", &business, "free", "--from", "1", "--to", "head", "--policy"];
    let with = |more: &[&'static str]| [&migrate[..], more].concat();
    done(as_operator(&with(&["grandfather"])), &["MIGRATION_SKIPPED: grandfather moves nobody"]);
    done(
        as_operator(&with(&["immediate", "--proration", "prorate", "--dry-run"])),
        &["MIGRATION_PLANNED", "ada", "700"],
    );
    done(as_operator(&with(&["immediate"])), &["batch mig_"]);
    done(as_operator(&["plan", "migrations"]), &["1 → 2", "immediate", "1 applied"]);
    let (code, refused) = as_deploy(&with(&["immediate"]));
    assert_eq!(code, Some(5), "only the operator moves subscribers: {refused}");
    done(
        as_operator(&["credits", "give", "ada", "--cents", "250"]),
        &["promo, AVAILABLE, 2500000000 nanodollars left"],
    );
    done(as_operator(&["adjust", "correct", "ada", "-5", "--reason", "a test"]), &["moved by -5 nanodollars"]);
    done(as_operator(&["invoice", "close", "--dry-run"]), &["if the open periods ended now", "ada"]);
    done(as_operator(&["ledger", "verify"]), &["1 subscriptions"]);
    let portal = block_on(async {
        let body = serde_json::json!({ "kind": "portal", "subject": "ada" });
        api.post(OPERATOR, &format!("/v1/businesses/{business}/tokens"), body).await.expect(201).text("token")
    });
    done(client(&server, &portal, &business, &["preview"]), &["\"disclosure\": \"transparent\"", "\"-5\""]);
    // What is wrong with the product is shown at its lines, and what is wrong with the caller is named.
    std::fs::write(&config, repriced.replace("rate: 60", "rate: \"sixty\"")).unwrap();
    let (code, said) = as_deploy(&["push", &dir]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("BUILD_REJECTED") && said.contains("product.config.ts:"), "{said}");
    assert_eq!(client(&server, "nonsense", &business, &["plan", "list"]).0, Some(5));
    assert_eq!(run(&["plan", "list", "--token", "x"]).status.code(), Some(2), "no business");
    assert_eq!(
        run(&["plan", "list", "--token", "x", "--business", "b", "--url", "https://example.com"]).status.code(),
        Some(2)
    );
    let (code, _) =
        (run(&["plan", "list", "--token", "x", "--business", "b", "--url", "http://127.0.0.1:1"]).status.code(), ());
    assert_eq!(code, Some(4));
}
