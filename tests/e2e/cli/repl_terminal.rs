//! `svc repl` in a terminal, which `script` of util-linux makes: what a script on standard input can't show.

use super::screen::Screen;
use super::{CONFIG, Place, tiny};
use std::process::Command;
use std::time::Duration;
use svc_tests::program::svc;

/// What a terminal is told to write in colour.
const COLOR: &str = "\u{1b}[36m";
const CTRL_C: &str = "\u{3}";
const PROMPT: &str = "> ";

fn terminal(place: &Place) -> Screen {
    let command = format!("exec {} repl -q {}", svc().display(), place.path(".").display());
    let mut script = Command::new("script");
    script.args(["-qec", &command, "/dev/null"]).env_clear().envs([("PATH", "/usr/bin:/bin"), ("TERM", "xterm")]);
    let mut screen = Screen::of(script);
    screen.until(PROMPT);
    screen
}

/// What is told up to this text, once the next line is asked for: between two lines the terminal is not the editor's, and a key that
/// is pressed then is echoed, or lost.
fn told(terminal: &mut Screen, text: &str) -> String {
    let told = terminal.until(text);
    terminal.until(PROMPT);
    told
}

/// Presses Ctrl-C until what runs says that it stopped: pressed before it runs, it is the editor's, or nobody's.
fn interrupt(terminal: &mut Screen, stopped: &str) {
    for _ in 0..20 {
        std::thread::sleep(Duration::from_millis(200));
        terminal.press(CTRL_C);
        if terminal.shows(stopped, Duration::from_secs(1)) {
            return;
        }
    }
}

#[test]
fn a_tab_completes_commands_and_names() {
    let place = Place::with(&tiny("const wonderful = 42;"));
    let mut terminal = terminal(&place);
    terminal.press(".regi\t\r");
    let registry = told(&mut terminal, "\"registryVersion\": 1");
    // On a terminal a command stands out.
    assert!(registry.contains(&format!("{COLOR}.registry")), "{registry:?}");
    terminal.press("1\r");
    told(&mut terminal, "the product has run to its end");
    terminal.press("wond\t\r");
    terminal.until("\n42");
}

#[test]
fn ctrl_c_stops_what_runs_and_gives_up_what_is_typed() {
    let place = Place::with(&tiny(""));
    let mut terminal = terminal(&place);
    terminal.press("1\r");
    told(&mut terminal, "the product has run");
    terminal.press("let count = 0; while (true) count++\r");
    terminal.until("count++");
    // The line is being run; what is pressed meanwhile reaches it.
    interrupt(&mut terminal, "stopped in what was typed");
    told(&mut terminal, "stopped in what was typed");
    terminal.press("count > 0\r");
    told(&mut terminal, "true");
    terminal.press("never finished");
    terminal.until("finished");
    terminal.press(CTRL_C);
    // The line that is given up is drawn with a prompt too.
    told(&mut terminal, "\n");
    terminal.press("1 + 40\r");
    terminal.until("\n41");
}

#[test]
fn ctrl_c_stops_a_product_that_runs_for_ever_in_its_own_line() {
    let place = Place::with(&tiny(""));
    let mut terminal = terminal(&place);
    place.write(CONFIG, tiny("let spin = 0;\nwhile (true) spin++;"));
    terminal.press(".reload\r");
    told(&mut terminal, "the last good manifest stays");
    terminal.press(".run\r");
    interrupt(&mut terminal, "stopped at product/product.config.ts:3:");
    told(&mut terminal, "stopped at product/product.config.ts:3:");
    terminal.press(".exit\r");
    assert_eq!(terminal.code(), Some(0));
}

#[test]
fn a_line_that_is_not_finished_goes_on_in_the_next() {
    let place = Place::with(&tiny(""));
    let mut terminal = terminal(&place);
    terminal.press("[1,\r");
    terminal.press("2].length\r");
    terminal.until("\n2");
}
