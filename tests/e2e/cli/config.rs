//! `svc config`, and `svc.toml`: who says what a setting is, and what is told of a file that is wrong.

use super::{Place, Told};
use std::process::Command;
use std::time::{Duration, Instant};
use svc_tests::api::{Api, ONE_PLAN, Server};
use svc_tests::program::{block_on, svc};

const FILE: &str = r#"format = "human"

[client]
url = "https://svc.example.com"

[serve]
listen = "127.0.0.1:0"
rate-limit = 500
database-url = "postgres://svc:hunter2@db/svc"
allow-host = ["git.internal", "hooks.internal:8443"]
operator-token = "an operator's token of 32 characters"
"#;

/// Runs `svc` with these variables.
fn run(place: &Place, variables: &[(&str, &str)], arguments: &[&str]) -> Told {
    let mut command = place.command(arguments);
    command.envs(variables.iter().copied());
    place.tell(&command.output().unwrap())
}

/// The lines of `svc config` that do not say a default, without their blanks.
fn said(told: &Told) -> String {
    let lines = told.stdout.lines().skip(1).filter(|line| !line.ends_with("default"));
    lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ") + "\n").collect()
}

#[test]
fn a_flag_goes_before_a_variable_and_a_variable_before_the_file() {
    let place = Place::new();
    place.write("svc.toml", FILE);
    let variables =
        [("SVC_CONFIG", "svc.toml"), ("SVC_RATE_LIMIT", "600"), ("SVC_BUILDERS", "3"), ("SVC_TOKEN", "s3cr3t")];
    let told = run(&place, &variables, &["config", "--builders", "4"]).done();
    insta::assert_snapshot!(said(&told), @"
    format human svc.toml:1
    client.url https://svc.example.com svc.toml:4
    client.token ******** SVC_TOKEN
    serve.listen 127.0.0.1:0 svc.toml:7
    serve.database-url ******** svc.toml:9
    serve.rate-limit 600 SVC_RATE_LIMIT
    serve.operator-token ******** svc.toml:11
    serve.builders 4 --builders
    serve.allow-host git.internal,hooks.internal:8443 svc.toml:10
    ");
    assert!(!told.stdout.contains("hunter2") && !told.stdout.contains("s3cr3t"), "{told}");
    let json = run(&place, &variables, &["config", "--builders", "4", "--format", "json"]).done().json();
    let settings = json["data"]["settings"].as_array().unwrap();
    let of = |key: &str| settings.iter().find(|setting| setting["key"] == key).unwrap_or_else(|| panic!("{json:#}"));
    insta::assert_snapshot!(format!("{:#}\n{:#}", of("serve.rate-limit"), of("serve.database-url")), @r#"
    {
      "key": "serve.rate-limit",
      "value": "600",
      "from": "SVC_RATE_LIMIT",
      "default": "20000",
      "flag": "--rate-limit",
      "variable": "SVC_RATE_LIMIT",
      "reloaded": true
    }
    {
      "key": "serve.database-url",
      "value": "********",
      "from": "svc.toml:9",
      "default": "",
      "flag": "--database-url",
      "variable": "SVC_DATABASE_URL",
      "reloaded": false
    }
    "#);
}

#[test]
fn without_a_file_there_are_variables_and_defaults() {
    let told = run(&Place::new(), &[("SVC_LISTEN", "127.0.0.1:1")], &["config"]).done();
    assert_eq!(said(&told), "serve.listen 127.0.0.1:1 SVC_LISTEN\n");
    // What no flag, variable or file says is what the docs say, in the order of the docs.
    let page = std::fs::read_to_string(svc_tests::program::root().join("docs/settings.md")).unwrap();
    let rows =
        page.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("`: ").map(|(key, _)| key.to_owned()));
    let shown = told.stdout.lines().skip(1).map(|line| line.split_whitespace().next().unwrap().to_owned());
    assert_eq!(rows.collect::<Vec<_>>(), shown.collect::<Vec<_>>());
}

#[test]
fn a_file_that_is_wrong_is_refused_by_its_line() {
    let place = Place::new();
    place.write("svc.toml", "[serve]\n\nrate-limt = 500\n");
    insta::assert_snapshot!(place.run(&["serve", "--config", "svc.toml"]), @"
    [stderr]
    svc: CONFIG_FORM: svc.toml:3: `rate-limt` is no setting of [serve]
      hint: did you mean `rate-limit`?
    [exit status: 2]
    ");
    insta::assert_snapshot!(place.run(&["config", "--config=svc.toml", "--format", "json"]), @r#"
    [stdout]
    {
      "schemaVersion": 1,
      "ok": false,
      "op": "config",
      "error": {
        "code": "CONFIG_FORM",
        "message": "svc.toml:3: `rate-limt` is no setting of [serve]",
        "hint": "did you mean `rate-limit`?"
      },
      "diagnostics": []
    }
    [exit status: 2]
    "#);
    place.write("svc.toml", "[serve]\nrate-limit = \"500\"\n");
    insta::assert_snapshot!(place.run(&["config", "--config", "svc.toml"]), @"
    [stderr]
    svc: CONFIG_FORM: svc.toml:2: `serve.rate-limit` is an integer
    [exit status: 2]
    ");
    place.write("svc.toml", "[serve]\nsecrets-key = 5\n");
    insta::assert_snapshot!(place.run(&["version", "--config", "svc.toml"]), @"
    [stderr]
    svc: CONFIG_FORM: svc.toml:2: `serve.secrets-key` is a string
    [exit status: 2]
    ");
    insta::assert_snapshot!(place.run(&["config", "--config", "nowhere.toml"]), @"
    [stderr]
    svc: CONFIG_UNREADABLE: nowhere.toml can't be read: No such file or directory (os error 2)
    [exit status: 4]
    ");
}

#[test]
fn a_server_is_set_up_by_its_file() {
    let place = Place::new();
    place.write("svc.toml", FILE);
    // The database of the file can't be reached.
    let told = place.run(&["serve", "--config", "svc.toml", "--database-url", "postgres://svc@127.0.0.1:1/svc"]);
    assert!(told.code == Some(4) && told.stderr.contains("Connection refused"), "{told}");
    // A flag names the embedded one instead; the token is the file's, and so is not shown.
    let told = super::serve::served(&place, &["--config", "svc.toml", "--data", "mine.db"]);
    assert_eq!(told.stderr.lines().count(), 1, "{told}");
    assert_eq!(place.list("."), ["mine.db", "svc.toml"]);
    // `client.url` of the file.
    let told = place.run(&["plan", "list", "--config", "svc.toml", "--token", "t", "--business", "b"]);
    assert!(told.stderr.contains("https://svc.example.com/v1/businesses/b/plans"), "{told}");
}

#[test]
fn on_sighup_a_server_takes_over_what_it_can() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let write = |text: &str| std::fs::write(path("svc.toml"), text).unwrap();
    write("[serve]\nrate-limit = 1000\nbuilders = 1\n");
    let arguments = ["--config", &path("svc.toml"), "--data", &path("svc.db")].map(str::to_owned);
    let server = Server::start_as(Command::new(svc()), &arguments);
    let business = block_on(Api::new(&server).business(ONE_PLAN));
    let path_of = format!("{}/releases/active", business.root);
    let statuses = |count: usize| {
        block_on(async {
            let mut statuses = Vec::new();
            for _ in 0..count {
                statuses.push(business.api.get(&business.deploy, &path_of).await.status);
            }
            statuses
        })
    };
    let reload = |said: &str| {
        let count = || server.log.lock().unwrap().iter().filter(|line| line.contains(said)).count();
        let before = count();
        assert!(Command::new("kill").args(["-HUP", &server.child.id().to_string()]).status().unwrap().success());
        let began = Instant::now();
        while count() == before {
            assert!(began.elapsed() < Duration::from_secs(20), "{said:?} is not said");
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    assert_eq!(statuses(8), [200; 8]);
    write("[serve]\nrate-limit = 3\nbuilders = 2\n");
    reload("these changed, too, and are as they were until the server is started again");
    let log = server.log.lock().unwrap().join("\n");
    assert!(log.contains(r#"taken=["serve.rate-limit"]"#) && log.contains(r#"others=["serve.builders"]"#), "{log}");
    assert_eq!(statuses(5), [200, 200, 200, 429, 429]);
    // Wrong: nothing changes, and it is said.
    write("[serve]\nrate-limit = 0\n");
    reload("svc.toml:2: `serve.rate-limit`: invalid value '0'");
    assert_eq!(statuses(1), [429]);
    // The log says more.
    write("[serve]\nlog = \"info\"\nbuilders = 1\n");
    reload("settings were read again");
    assert_eq!(statuses(4), [200; 4]);
    assert!(
        server.log.lock().unwrap().iter().any(|line| line.contains("answered")),
        "the log says no more than before"
    );
    assert_eq!(server.terminate(), Some(0));
}
