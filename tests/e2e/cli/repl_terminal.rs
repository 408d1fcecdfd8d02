//! `svc repl` in a terminal, which `script` of util-linux makes: what a script on standard input can't show.

use super::{CONFIG, Place, tiny};
use std::io::{Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;
use svc_tests::program::svc;

/// Longest wait for what a key comes to.
const PATIENCE: Duration = Duration::from_secs(20);
/// What a terminal is told to write in colour.
const COLOR: &str = "\u{1b}[36m";
const CTRL_C: &str = "\u{3}";

struct Terminal {
    child: Child,
    keys: ChildStdin,
    screen: Receiver<String>,
    seen: String,
}

impl Terminal {
    fn open(place: &Place) -> Terminal {
        let command = format!("exec {} repl -q {}", svc().display(), place.path(".").display());
        let mut child = Command::new("script")
            .args(["-qec", &command, "/dev/null"])
            .env_clear()
            .envs([("PATH", "/usr/bin:/bin"), ("TERM", "xterm")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut out = child.stdout.take().unwrap();
        let (tell, screen) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4_096];
            while let Ok(read @ 1..) = out.read(&mut bytes) {
                if tell.send(String::from_utf8_lossy(&bytes[..read]).into_owned()).is_err() {
                    return;
                }
            }
        });
        let mut terminal = Terminal { keys: child.stdin.take().unwrap(), child, screen, seen: String::new() };
        terminal.until("> ");
        terminal
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    /// What is on the screen since the last time, up to this text.
    fn until(&mut self, text: &str) -> String {
        while !self.seen.contains(text) {
            let more = self.screen.recv_timeout(PATIENCE);
            self.seen += &more.unwrap_or_else(|error| panic!("{error}: waiting for {text:?} in {:?}", self.seen));
        }
        let end = self.seen.find(text).unwrap() + text.len();
        let rest = self.seen.split_off(end);
        std::mem::replace(&mut self.seen, rest)
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _gone = self.child.kill();
        let _reaped = self.child.wait();
    }
}

#[test]
fn a_tab_completes_commands_and_names() {
    let place = Place::with(&tiny("const wonderful = 42;"));
    let mut terminal = Terminal::open(&place);
    terminal.press(".regi\t\r");
    let told = terminal.until("\"registryVersion\": 1");
    // On a terminal a command stands out.
    assert!(told.contains(&format!("{COLOR}.registry")), "{told:?}");
    terminal.press("1\r");
    terminal.until("the product has run to its end");
    terminal.until("> ");
    terminal.press("wond\t\r");
    terminal.until("\n42");
}

#[test]
fn ctrl_c_stops_what_runs_and_gives_up_what_is_typed() {
    let place = Place::with(&tiny(""));
    let mut terminal = Terminal::open(&place);
    terminal.press("1\r");
    terminal.until("the product has run");
    terminal.until("> ");
    terminal.press("let count = 0; while (true) count++\r");
    terminal.until("count++");
    // The line is being run; what is pressed meanwhile reaches it.
    std::thread::sleep(Duration::from_millis(300));
    terminal.press(CTRL_C);
    terminal.until("stopped in what was typed");
    terminal.press("count > 0\r");
    terminal.until("true");
    terminal.press("never finished");
    terminal.until("finished");
    terminal.press(CTRL_C);
    terminal.until("> ");
    terminal.press("1 + 40\r");
    terminal.until("\n41");
}

#[test]
fn ctrl_c_stops_a_product_that_runs_for_ever_in_its_own_line() {
    let place = Place::with(&tiny(""));
    let mut terminal = Terminal::open(&place);
    place.write(CONFIG, tiny("let spin = 0;\nwhile (true) spin++;"));
    terminal.press(".reload\r");
    terminal.until("the last good manifest stays");
    terminal.press(".run\r");
    std::thread::sleep(Duration::from_millis(500));
    terminal.press(CTRL_C);
    terminal.until("stopped at product/product.config.ts:3:");
    terminal.until("> ");
    terminal.press(".exit\r");
    assert_eq!(terminal.child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_line_that_is_not_finished_goes_on_in_the_next() {
    let place = Place::with(&tiny(""));
    let mut terminal = Terminal::open(&place);
    terminal.press("[1,\r");
    terminal.press("2].length\r");
    terminal.until("\n2");
}
