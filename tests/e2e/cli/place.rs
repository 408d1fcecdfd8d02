//! A folder that `svc` runs in, and what a run tells.

use super::names::Names;
use serde_json::Value as Json;
use std::cell::RefCell;
use std::fmt;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use svc_tests::program::svc;

/// An empty folder, and the names that what varies has in its stories.
pub(super) struct Place {
    folder: tempfile::TempDir,
    names: RefCell<Names>,
}

impl Place {
    pub(super) fn new() -> Place {
        let folder = tempfile::tempdir().unwrap();
        let mut names = Names::default();
        names.call(folder.path().to_str().unwrap(), "<folder>");
        Place { folder, names: RefCell::new(names) }
    }

    /// With a product whose entry this is.
    pub(super) fn with(entry: &str) -> Place {
        let place = Place::new();
        place.write(super::CONFIG, entry);
        place
    }

    pub(super) fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    pub(super) fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    pub(super) fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.path(path)).unwrap()
    }

    /// Changes one part of a file, which must be there.
    pub(super) fn edit(&self, path: &str, before: &str, after: &str) {
        let text = self.read(path);
        assert!(text.contains(before), "{before:?} is not in {text}");
        self.write(path, text.replace(before, after));
    }

    /// What is in a folder, sorted.
    pub(super) fn list(&self, path: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.path(path)).unwrap();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// From here on, this text has this name.
    pub(super) fn call(&self, text: &str, name: &str) {
        self.names.borrow_mut().call(text, name);
    }

    /// `svc` in this folder with nothing of the tests' own environment.
    pub(super) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(svc());
        command.args(arguments).env_clear().current_dir(self.folder.path());
        command
    }

    /// Runs `svc` in this folder.
    pub(super) fn run(&self, arguments: &[&str]) -> Told {
        self.tell(&self.command(arguments).output().unwrap())
    }

    /// Runs `svc` in this folder, with this on its standard input.
    pub(super) fn run_with(&self, arguments: &[&str], input: &str) -> Told {
        self.feed(self.command(arguments), input)
    }

    /// Runs a command with this on its standard input.
    pub(super) fn feed(&self, mut command: Command, input: &str) -> Told {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        self.tell(&child.wait_with_output().unwrap())
    }

    /// A run to tell.
    pub(super) fn tell(&self, output: &Output) -> Told {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
        let mut names = self.names.borrow_mut();
        let shown = [names.apply(&pretty(&stdout)), names.apply(&stderr)];
        Told { code: output.status.code(), stdout, stderr, shown }
    }
}

/// The one envelope that a command gave, over several lines; any other text as it is.
fn pretty(stdout: &str) -> String {
    match serde_json::from_str::<Json>(stdout) {
        Ok(json) if json.get("schemaVersion").is_some() => {
            assert_eq!(stdout, format!("{}\n", stdout.trim_end()), "an envelope is one line");
            format!("{json:#}\n")
        }
        _ => stdout.to_owned(),
    }
}

/// What a run of `svc` told. Shown, what varies has names, and an envelope has several lines.
pub(super) struct Told {
    pub(super) code: Option<i32>,
    pub(super) stdout: String,
    pub(super) stderr: String,
    shown: [String; 2],
}

impl Told {
    /// The envelope.
    pub(super) fn json(&self) -> Json {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self}"))
    }

    /// The run's, if it ended with 0.
    #[track_caller]
    pub(super) fn done(self) -> Told {
        assert_eq!(self.code, Some(0), "{self}");
        self
    }
}

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, text) in ["stdout", "stderr"].into_iter().zip(&self.shown) {
            let end = if text.is_empty() || text.ends_with('\n') { "" } else { "[no line feed]\n" };
            let head = if text.is_empty() { String::new() } else { format!("[{name}]\n") };
            write!(f, "{head}{text}{end}")?;
        }
        match self.code {
            Some(code) => write!(f, "[exit status: {code}]"),
            None => write!(f, "[ended by a signal]"),
        }
    }
}
