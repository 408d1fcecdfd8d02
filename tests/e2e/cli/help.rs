//! Help: what every command says of itself, in `tests/golden/help`; and what is said to who asks for what is not there.

use super::Place;

const COMMANDS: &[&str] = &[
    "",
    "build",
    "check",
    "diff",
    "init",
    "test",
    "packages",
    "dev",
    "repl",
    "push",
    "publish",
    "release",
    "release list",
    "release rollback",
    "login",
    "logout",
    "hook",
    "hook add",
    "hook show",
    "hook rotate",
    "hook remove",
    "hook deliveries",
    "business",
    "business create",
    "token",
    "token mint",
    "token list",
    "token revoke",
    "operator",
    "operator add",
    "operator list",
    "operator revoke",
    "audit-log",
    "plan",
    "plan list",
    "plan migrate",
    "plan migrations",
    "preview",
    "portal",
    "portal link",
    "portal look",
    "subscription",
    "subscription create",
    "subscription show",
    "subscription change",
    "subscription cancel",
    "subscription resume",
    "usage",
    "usage report",
    "usage show",
    "hold",
    "hold create",
    "hold list",
    "hold release",
    "resource",
    "resource list",
    "resource set",
    "explain",
    "invoice",
    "invoice close",
    "invoice list",
    "credits",
    "credits give",
    "credits revoke",
    "adjust",
    "adjust refund",
    "adjust correct",
    "events",
    "events add",
    "events receivers",
    "events rotate",
    "events start",
    "events remove",
    "events list",
    "events redeliver",
    "gateway",
    "ledger",
    "ledger verify",
    "backup",
    "schema",
    "schema apply",
    "serve",
    "config",
    "demo",
    "completions",
    "man",
    "version",
];

fn help(command: &str) -> String {
    let arguments: Vec<&str> = command.split(' ').chain(["--help"]).filter(|part| !part.is_empty()).collect();
    Place::new().run(&arguments).done().stdout
}

#[test]
fn help_is_as_it_was_reviewed() {
    for command in COMMANDS {
        let help = help(command);
        assert!(!help.is_empty(), "{command}");
        let name = if command.is_empty() { "svc".to_owned() } else { command.replace(' ', "-") };
        svc_tests::golden::check(&format!("tests/golden/help/{name}.txt"), &help);
    }
}

/// The commands that help itself lists, one level down.
#[test]
fn no_command_is_without_reviewed_help() {
    for command in COMMANDS {
        let text = help(command);
        let Some((_, list)) = text.split_once("\nCommands:\n") else { continue };
        for line in list.lines().take_while(|line| !line.is_empty()) {
            let name = line.split_whitespace().next().unwrap();
            let known = COMMANDS.contains(&format!("{command} {name}").trim());
            assert!(known || name == "help" || !line.starts_with("  "), "{command} {name}");
        }
    }
}

#[test]
fn a_command_that_is_not_there() {
    let place = Place::new();
    insta::assert_snapshot!(place.run(&["bild"]), @"
    [stderr]
    error: unrecognized subcommand 'bild'

      tip: a similar subcommand exists: 'build'

    Usage: svc [OPTIONS] <COMMAND>

    For more information, try '--help'.
    [exit status: 2]
    ");
    insta::assert_snapshot!(place.run(&["build", "--nonsense"]), @"
    [stderr]
    error: unexpected argument '--nonsense' found

      tip: to pass '--nonsense' as a value, use '-- --nonsense'

    Usage: svc build [OPTIONS] [DIR]...

    For more information, try '--help'.
    [exit status: 2]
    ");
    insta::assert_snapshot!(place.run(&["bild", "--format", "json"]), @r#"
    [stdout]
    {
      "schemaVersion": 1,
      "ok": false,
      "op": "svc",
      "error": {
        "code": "USAGE",
        "message": "unrecognized subcommand 'bild'",
        "hint": "a similar subcommand exists: 'build'"
      },
      "diagnostics": []
    }
    [exit status: 2]
    "#);
}

/// Whoever reads envelopes is given one for a mistake, too.
#[test]
fn a_mistake_as_an_envelope() {
    let place = Place::new();
    insta::assert_snapshot!(place.run(&["plan", "migrate", "--frm", "1", "--format", "json"]), @r#"
    [stdout]
    {
      "schemaVersion": 1,
      "ok": false,
      "op": "plan migrate",
      "error": {
        "code": "USAGE",
        "message": "unexpected argument '--frm' found",
        "hint": "a similar argument exists: '--from'"
      },
      "diagnostics": []
    }
    [exit status: 2]
    "#);
    let mut command = place.command(&["--format=json", "build", "--colour", "never"]);
    assert_eq!(place.tell(&command.output().unwrap()).json()["op"], "build");
    command = place.command(&["dev", "--listen", "here"]);
    let told = place.tell(&command.env("SVC_FORMAT", "json").output().unwrap());
    assert_eq!((&told.json()["error"]["code"], told.code), (&"USAGE".into(), Some(2)));
    let human = place.run(&["build", "--colour", "--", "--format=json"]);
    assert_eq!((human.stdout.as_str(), human.code), ("", Some(2)), "what follows -- is no flag");
}

#[test]
fn no_command_at_all() {
    let told = Place::new().run(&[]);
    assert_eq!((told.code, told.stdout.as_str()), (Some(2), ""));
    assert!(told.stderr.starts_with("Build metered products declared as one TypeScript class"), "{told}");
}
