//! A program that is talked with, key by key.

use std::io::{Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// Longest wait for what a key comes to.
const PATIENCE: Duration = Duration::from_secs(20);

/// The program. Dropped, it is killed.
pub(super) struct Screen {
    child: Child,
    keys: ChildStdin,
    screen: Receiver<String>,
    seen: String,
}

impl Screen {
    pub(super) fn of(mut command: Command) -> Screen {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
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
        Screen { keys: child.stdin.take().unwrap(), child, screen, seen: String::new() }
    }

    pub(super) fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    /// What is on the screen since the last time, up to this text.
    pub(super) fn until(&mut self, text: &str) -> String {
        while !self.seen.contains(text) {
            let more = self.screen.recv_timeout(PATIENCE);
            self.seen += &more.unwrap_or_else(|error| panic!("{error}: waiting for {text:?} in {:?}", self.seen));
        }
        let end = self.seen.find(text).unwrap() + text.len();
        let rest = self.seen.split_off(end);
        std::mem::replace(&mut self.seen, rest)
    }

    /// Whether a text comes within so long. It is still there for [`Screen::until`].
    pub(super) fn shows(&mut self, text: &str, within: Duration) -> bool {
        let end = Instant::now() + within;
        while !self.seen.contains(text) {
            match self.screen.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(more) => self.seen += &more,
                Err(_) => return false,
            }
        }
        true
    }

    /// How it ended by itself.
    pub(super) fn code(&mut self) -> Option<i32> {
        self.child.wait().unwrap().code()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _gone = self.child.kill();
        let _reaped = self.child.wait();
    }
}
