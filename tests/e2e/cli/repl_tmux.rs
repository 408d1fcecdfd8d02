//! `svc repl` in a terminal that can be looked at: tmux draws what a person sees, and has a size that changes.

use super::{Place, tiny};
use std::process::Command;
use std::time::{Duration, Instant};
use svc_tests::program::{root, svc};

/// Longest wait for what a key comes to.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long between two looks at the screen.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// The width at first, in columns.
const WIDTH: usize = 100;

/// A terminal of its own. Dropped, it is gone with what runs in it.
struct Terminal {
    tmux: String,
    place: Place,
}

impl Terminal {
    /// With this command line in it, in the place's folder.
    fn start(place: Place, command: &str) -> Terminal {
        let tmux = Command::new("bash").arg(root().join("scripts/tmux/ensure.sh")).output().unwrap();
        assert!(tmux.status.success(), "{}", String::from_utf8_lossy(&tmux.stderr));
        let terminal = Terminal { tmux: String::from_utf8(tmux.stdout).unwrap().trim_end().to_owned(), place };
        let (width, folder) = (WIDTH.to_string(), terminal.place.path(".").display().to_string());
        // The shell stays when the command is done, for what it has written to be seen, and whatever keys the command takes.
        let command = format!("trap : INT; {command}; echo \"ended with $?\"; exec cat");
        terminal.tmux(&[
            "-f",
            "/dev/null",
            "new-session",
            "-d",
            "-x",
            &width,
            "-y",
            "50",
            "-c",
            &folder,
            "sh",
            "-c",
            &command,
        ]);
        terminal
    }

    fn repl(code: &str) -> Terminal {
        let terminal = Terminal::start(Place::with(&tiny(code)), &format!("{} repl -q", svc().display()));
        terminal.until(".help lists the commands\n>");
        terminal
    }

    fn tmux(&self, arguments: &[&str]) -> String {
        let mut command = Command::new(&self.tmux);
        command.arg("-S").arg(self.place.path("tmux.socket")).args(arguments);
        let told = command.env_clear().env("PATH", "/usr/bin:/bin").env("LANG", "C.UTF-8").output().unwrap();
        assert!(told.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&told.stderr));
        String::from_utf8(told.stdout).unwrap()
    }

    /// Presses keys by their names, such as `Enter`; any other text is typed.
    fn press(&self, keys: &[&str]) {
        self.tmux(&[&["send-keys"], keys].concat());
    }

    /// What a person sees; what the terminal broke for its width is one line.
    fn screen(&self) -> String {
        let lines = self.tmux(&["capture-pane", "-p", "-J"]);
        lines.lines().map(|line| format!("{}\n", line.trim_end())).collect::<String>().trim_end().to_owned()
    }

    /// The same with its colours, as a terminal is told them.
    fn colored(&self) -> String {
        self.tmux(&["capture-pane", "-p", "-J", "-e"])
    }

    #[track_caller]
    fn until(&self, text: &str) {
        let patient = Instant::now() + PATIENCE;
        while !self.screen().contains(text) {
            assert!(Instant::now() < patient, "{text:?} is not on the screen:\n{}", self.screen());
            std::thread::sleep(LOOK_EVERY);
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _gone = Command::new(&self.tmux).arg("-S").arg(self.place.path("tmux.socket")).arg("kill-server").output();
    }
}

#[test]
fn a_line_is_completed_highlighted_and_remembered() {
    let terminal = Terminal::repl("const wonderful = 42;");
    terminal.press(&["1 + 1", "Enter"]);
    terminal.until("> 1 + 1\nthe product has run to its end: 1 plan, 0 meters, 0 routes\n");
    terminal.until("\n2\n>");
    terminal.press(&["wond", "Tab", "Enter"]);
    terminal.until("> wonderful\n42\n>");
    terminal.press(&["typeof 'text'", "Enter"]);
    terminal.until("> typeof 'text'\n\"string\"\n>");
    terminal.press(&[".regi", "Tab"]);
    terminal.until("> .registry");
    let colored = terminal.colored();
    for part in ["\u{1b}[36m.registry", "\u{1b}[35mtypeof", "\u{1b}[32m'text'"] {
        assert!(colored.contains(part), "{part:?} is not in {colored:?}");
    }
    terminal.press(&["C-c"]);
    terminal.until("> .registry\n>");
    terminal.press(&["Up", "Up", "Enter"]);
    terminal.until("> .registry\n> wonderful\n42\n>");
}

#[test]
fn what_goes_on_over_several_lines_is_one() {
    let terminal = Terminal::repl("");
    terminal.press(&["const all = [1, 2,", "Enter", "3].concat([", "Enter", "4]); all.length", "Enter"]);
    terminal.until("4]); all.length\nthe product has run");
    terminal.until("\n4\n>");
    terminal.press(&["all.map((a) =>", "Enter", "{ return a * 2", "Enter", "})", "Enter"]);
    terminal.until("})\n[2, 4, 6, 8]\n>");
}

#[test]
fn ctrl_c_stops_what_runs_and_the_product_goes_on() {
    let terminal = Terminal::repl("");
    terminal.press(&["1", "Enter"]);
    terminal.until("\n1\n>");
    terminal.press(&["let n = 0; while (n >= 0) n++", "Enter"]);
    std::thread::sleep(Duration::from_millis(200));
    terminal.press(&["C-c"]);
    terminal.until("stopped in what was typed\n>");
    terminal.press(&["n = -1", "Enter"]);
    terminal.until("> n = -1\n-1\n>");
    terminal.press(&["c", "Enter"]);
    terminal.until("> c\n");
    terminal.press(&["1 + 40", "Enter"]);
    terminal.until("> 1 + 40\n41\n>");
    terminal.press(&["C-d"]);
    terminal.until("ended with 0");
}

/// The window becomes narrow while a line is typed, and wide again.
#[test]
fn the_window_has_another_size() {
    let terminal = Terminal::repl("");
    let typed = "[11111, 22222, 33333, 44444, 55555, 66666, 77777, 88888]";
    terminal.press(&[typed]);
    terminal.until(typed);
    for width in ["40", "23", "100"] {
        terminal.tmux(&["resize-window", "-x", width]);
        // What is typed in each size stands behind what was there.
        terminal.press(&[".concat(0)"]);
        std::thread::sleep(LOOK_EVERY);
    }
    terminal.press(&[".length", "Enter"]);
    let whole = format!("> {typed}.concat(0).concat(0).concat(0).length\n");
    terminal.until(&whole);
    terminal.until("\n11\n>");
}

#[test]
fn there_is_no_colour_where_it_is_not_wanted_or_no_terminal() {
    let broken = "const broken = ;";
    let svc = svc().display().to_string();
    let colored = |command: &str| {
        let terminal = Terminal::start(Place::with(&tiny(broken)), command);
        terminal.until("ended with ");
        assert!(terminal.screen().contains("SYNTAX_ERROR"), "{}", terminal.screen());
        terminal.colored().contains('\u{1b}')
    };
    let script = "printf '.help .run\\n.exit\\n'";
    // Neither through a pipe, nor in a file, though the terminal is there.
    assert!(!colored(&format!("{script} | {svc} repl | cat")));
    assert!(!colored(&format!("{script} | {svc} repl > told; cat told")));
    let terminal = Terminal::start(Place::with(&tiny("")), &format!("NO_COLOR=1 {svc} repl -q"));
    terminal.until(".help lists the commands\n>");
    terminal.press(&[".registry"]);
    terminal.until("> .registry");
    assert!(!terminal.colored().contains('\u{1b}'), "{:?}", terminal.colored());
}
