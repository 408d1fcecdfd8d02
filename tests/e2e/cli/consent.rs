//! What can't be undone is asked about on a terminal, and takes `--yes` elsewhere. Every command stands here or asks nothing.

use super::Place;
use super::screen::Screen;
use std::collections::BTreeSet;
use std::process::Command;
use svc_tests::program::{root, svc};

/// An address that nobody listens on, and a token: whoever goes on finds nobody there.
const NOBODY: &[&str] = &["--url", "http://127.0.0.1:1", "--token", "t", "--business", "biz_none"];

/// Commands that ask, and what they say is going to happen.
const ASK: &[(&[&str], &str)] = &[
    (&["token", "revoke", "tok_1"], "tok_1 opens nothing any more"),
    (&["token", "revoke", "--subject", "ada"], "every token of ada opens nothing any more"),
    (&["operator", "revoke", "tok_1"], "tok_1 opens nothing any more"),
    (&["hook", "remove"], "what is pushed is not built any more, and secret and access token are forgotten"),
    (&["hook", "rotate", "--at-once"], "deliveries that are signed with the former secret are refused from now on"),
    (&["events", "remove", "rcv_1"], "rcv_1 is not told of anything any more, nor of what is on its way to it"),
    (
        &["events", "rotate", "rcv_1", "--at-once"],
        "receivers who know the former secret alone take nothing from now on",
    ),
    (&["subscription", "cancel", "sub_1"], "sub_1 ends now"),
    (
        &["hold", "release", "ada", "job-1"],
        "what job-1 set aside is free for other usage, and its request may find too little",
    ),
    (&["credits", "revoke", "bkt_1"], "what is left in bkt_1 is gone"),
    (&["invoice", "close"], "every ended period gets its invoice, with its number"),
    (
        &["plan", "migrate", "biz_none", "pro", "--from", "1", "--to", "2", "--policy", "next_renewal"],
        "subscribers of pro move from version 1 to 2, and pay by it",
    ),
];

/// The same commands where they do nothing, or what another command undoes.
const DO_NOT_ASK: &[&[&str]] = &[
    &["hook", "rotate"],
    &["events", "rotate", "rcv_1"],
    &["subscription", "cancel", "sub_1", "--at", "period_end"],
    &["invoice", "close", "--dry-run"],
    &["plan", "migrate", "biz_none", "pro", "--from", "1", "--to", "2", "--policy", "immediate", "--dry-run"],
    &["plan", "migrate", "biz_none", "pro", "--from", "1", "--to", "2", "--policy", "grandfather"],
];

#[test]
fn without_a_terminal_it_takes_a_yes() {
    let place = Place::new();
    let code = |command: &[&str], more: &[&str]| {
        let told = place.run(&[command, NOBODY, more, &["--format", "json"]].concat());
        let error = told.json()["error"].clone();
        let text = |name: &str| error[name].as_str().unwrap_or_default().to_owned();
        (told.code, text("code"), text("message"))
    };
    for (command, what) in ASK {
        let message = format!("{what}; that can't be undone");
        assert_eq!(code(command, &[]), (Some(2), "CONFIRMATION_REQUIRED".to_owned(), message), "{command:?}");
        let (status, said, _) = code(command, &["--yes"]);
        assert_eq!((status, &*said), (Some(4), "SERVICE_UNREACHABLE"), "{command:?} --yes");
    }
    for command in DO_NOT_ASK {
        let (status, said, _) = code(command, &[]);
        assert_eq!((status, &*said), (Some(4), "SERVICE_UNREACHABLE"), "{command:?}");
    }
}

#[test]
fn on_a_terminal_it_is_asked() {
    let place = Place::new();
    let ask = |command: &[&str], answer: &str| {
        let line = [command, NOBODY].concat().join(" ");
        let mut script = Command::new("script");
        script.args(["-qec", &format!("exec {} {line}", svc().display()), "/dev/null"]).current_dir(place.path("."));
        script.env_clear().envs([("PATH", "/usr/bin:/bin"), ("TERM", "xterm")]);
        let mut terminal = Screen::of(script);
        let question = terminal.until("Go on? [y/N] ");
        terminal.press(answer);
        let end = if answer.starts_with('y') { "SERVICE_UNREACHABLE" } else { "NOT_CONFIRMED: nothing was done" };
        terminal.until(end);
        (question, terminal.code())
    };
    for (command, what) in ASK {
        let (question, code) = ask(command, "\r");
        assert!(question.contains(what) && question.contains("that can't be undone"), "{command:?}: {question:?}");
        assert_eq!(code, Some(5), "{command:?}: what is not said is no");
    }
    let (command, _) = ASK[0];
    assert_eq!(ask(command, "n\r").1, Some(5));
    assert_eq!(ask(command, "yes\r").1, Some(4));
}

#[test]
fn no_other_command_has_the_flag() {
    let mut found = BTreeSet::new();
    for entry in std::fs::read_dir(root().join("tests/golden/help")).unwrap() {
        let path = entry.unwrap().path();
        if std::fs::read_to_string(&path).unwrap().contains("--yes") {
            found.insert(path.file_stem().unwrap().to_str().unwrap().to_owned());
        }
    }
    let named: BTreeSet<String> = ASK.iter().map(|(command, _)| command[..2].join("-")).collect();
    assert_eq!(found, named, "a command that can't be undone has the flag, and stands in the table");
}
