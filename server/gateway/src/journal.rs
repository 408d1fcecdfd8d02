//! What is to be settled, written down until it is: a file beside the gateway, so that what was answered is charged though the gateway is
//! killed before the store has taken it. The next gateway with the same folder settles what it finds; each request is settled by its id,
//! so what was done already is not done twice. Written is to the system, not to the disk: a machine that loses power may lose the last moment.

use crate::limits::{JOURNAL_EMPTIED_BYTES, JOURNAL_FILE_BYTES};
use jiff::Timestamp;
use serde::Serialize;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use svc_core::new_id;

/// The ending of its files' names.
const ENDING: &str = "journal";

/// A folder of files, one of which is written to.
#[derive(Debug)]
pub struct Journal {
    folder: PathBuf,
    current: Mutex<Arc<Segment>>,
    /// What others have left, until it is taken.
    found: Mutex<Vec<Found>>,
}

/// What another gateway has left.
#[derive(Debug)]
pub(crate) struct Found {
    /// A line of JSON.
    pub(crate) line: Vec<u8>,
    /// Where it stands.
    pub(crate) kept: Kept,
}

/// A file. It is locked as long as its gateway lives, so that no other takes what is in it.
#[derive(Debug)]
struct Segment {
    path: PathBuf,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    file: File,
    /// Bytes in it.
    written: u64,
    /// What of it is not settled.
    open: usize,
    /// Whether nothing more is written to it.
    is_closed: bool,
    /// Whether it has what nobody can read.
    is_damaged: bool,
}

/// What is written down, until it is done.
#[derive(Debug)]
pub(crate) struct Kept(Arc<Segment>);

impl Kept {
    /// Its file, as a number that no other file has meanwhile.
    pub(crate) fn file(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }

    /// Writes down more in the same file.
    ///
    /// # Errors
    /// What the system says; it is not in the file then.
    pub(crate) fn beside(&self, what: &impl Serialize) -> io::Result<Kept> {
        self.0.append(&line(what)?)?;
        Ok(Kept(Arc::clone(&self.0)))
    }

    /// It is settled.
    pub(crate) fn done(self) {
        self.0.done(false);
    }

    /// Nobody can read it: its file is kept for a person to look at.
    pub(crate) fn unreadable(self, error: &serde_json::Error) {
        tracing::error!(%error, file = %self.0.path.display(), "a journal has a line that can't be read: the file is kept");
        self.0.done(true);
    }
}

impl Journal {
    /// The journal in a folder, which is made where it is not there; and what gateways that live no more have left in it.
    ///
    /// # Errors
    /// Where the folder can't be made, read or written to.
    pub fn open(folder: &Path, now: Timestamp) -> io::Result<Journal> {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        let current = Segment::begin(folder, now)?;
        let mut found = Vec::new();
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.extension().is_some_and(|ending| ending == ENDING) && path != current.path {
                found.extend(left_in(path)?);
            }
        }
        Ok(Journal { folder: folder.to_owned(), current: Mutex::new(current), found: Mutex::new(found) })
    }

    /// What others have left, once.
    pub(crate) fn found(&self) -> Vec<Found> {
        std::mem::take(&mut self.found.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Writes down what is to be done.
    ///
    /// # Errors
    /// What the system says; it is not in the file then.
    pub(crate) fn keep(&self, what: &impl Serialize, now: Timestamp) -> io::Result<Kept> {
        let line = line(what)?;
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if current.append(&line)? >= JOURNAL_FILE_BYTES {
            match Segment::begin(&self.folder, now) {
                Ok(next) => {
                    let full = std::mem::replace(&mut *current, next);
                    full.close();
                    return Ok(Kept(full));
                }
                // What was written stands; the file gets longer.
                Err(error) => tracing::warn!(%error, "the journal's next file can't be begun"),
            }
        }
        Ok(Kept(Arc::clone(&current)))
    }

    /// The gateway ends: a file in which all is settled goes.
    pub(crate) fn end(&self) {
        self.current.lock().unwrap_or_else(PoisonError::into_inner).close();
    }
}

fn line(what: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(what)?;
    line.push(b'\n');
    Ok(line)
}

impl Segment {
    fn begin(folder: &Path, now: Timestamp) -> io::Result<Arc<Segment>> {
        let path = folder.join(format!("{}.{ENDING}", new_id("gateway", now).as_str()));
        let file = OpenOptions::new().append(true).create_new(true).mode(0o600).open(&path)?;
        file.lock()?;
        let state = State { file, written: 0, open: 0, is_closed: false, is_damaged: false };
        Ok(Arc::new(Segment { path, state: Mutex::new(state) }))
    }

    /// Writes a line, and says how long the file is then.
    fn append(&self, line: &[u8]) -> io::Result<u64> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = state.file.write_all(line) {
            // Half a line would spoil the next one.
            state.file.set_len(state.written)?;
            return Err(error);
        }
        state.written = state.written.saturating_add(u64::try_from(line.len()).unwrap_or(u64::MAX));
        state.open = state.open.saturating_add(1);
        Ok(state.written)
    }

    fn done(&self, is_damaged: bool) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.is_damaged |= is_damaged;
        state.open = state.open.saturating_sub(1);
        if state.open > 0 {
            return;
        }
        if state.is_closed {
            self.remove(state.is_damaged);
        } else if state.written >= JOURNAL_EMPTIED_BYTES {
            match state.file.set_len(0) {
                Ok(()) => state.written = 0,
                Err(error) => tracing::warn!(%error, file = %self.path.display(), "the journal can't be emptied"),
            }
        }
    }

    /// Nothing more is written to it.
    fn close(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.is_closed = true;
        if state.open == 0 {
            self.remove(state.is_damaged);
        }
    }

    /// All that can be read of it is settled. What can't be is kept for a person to look at.
    fn remove(&self, is_damaged: bool) {
        let gone = match is_damaged {
            true => fs::rename(&self.path, self.path.with_extension("damaged")),
            false => fs::remove_file(&self.path),
        };
        if let Err(error) = gone {
            tracing::warn!(%error, file = %self.path.display(), "a journal that is settled can't be removed");
        }
    }
}

/// What is in the file of a gateway that lives no more; nothing where it lives.
fn left_in(path: PathBuf) -> io::Result<Vec<Found>> {
    let mut file = match OpenOptions::new().read(true).append(true).open(&path) {
        Ok(file) => file,
        // Another gateway that starts has settled it meanwhile.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Ok(Vec::new()),
        Err(TryLockError::Error(error)) => return Err(error),
    }
    let mut text = Vec::new();
    file.read_to_end(&mut text)?;
    // What is behind the last line's end was being written when its gateway was killed: that answer had not ended.
    let whole = text.iter().rposition(|byte| *byte == b'\n').and_then(|end| text.get(..end)).unwrap_or_default();
    let lines: Vec<Vec<u8>> =
        whole.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).map(<[u8]>::to_vec).collect();
    let written = u64::try_from(text.len()).unwrap_or(u64::MAX);
    let state = State { file, written, open: lines.len(), is_closed: false, is_damaged: false };
    let segment = Arc::new(Segment { path, state: Mutex::new(state) });
    segment.close();
    Ok(lines.into_iter().map(|line| Found { line, kept: Kept(Arc::clone(&segment)) }).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(folder: &Path, ending: &str) -> usize {
        let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        names.filter(|path| path.extension().is_some_and(|found| found == ending)).count()
    }

    const NOW: Timestamp = Timestamp::UNIX_EPOCH;

    #[test]
    fn what_was_not_done_is_found_by_the_next_and_by_nobody_while_its_gateway_lives() {
        let folder = tempfile::tempdir().unwrap();
        let killed = Journal::open(folder.path(), NOW).unwrap();
        killed.keep(&"one\n", NOW).unwrap().done();
        let kept = killed.keep(&"two", NOW).unwrap();
        let beside = Journal::open(folder.path(), NOW).unwrap();
        assert!(beside.found().is_empty(), "its gateway lives");
        drop((killed, kept));
        let next = Journal::open(folder.path(), NOW).unwrap();
        let found = next.found();
        let lines: Vec<&[u8]> = found.iter().map(|found| found.line.as_slice()).collect();
        assert_eq!(lines, [br#""one\n""#.as_slice(), br#""two""#]);
        assert!(next.found().is_empty());
        assert_eq!(files(folder.path(), ENDING), 3);
        found.into_iter().for_each(|found| found.kept.done());
        assert_eq!(files(folder.path(), ENDING), 2, "what is settled goes");
        next.end();
        beside.end();
        assert_eq!(files(folder.path(), ENDING), 0);
    }

    #[test]
    fn half_a_line_is_an_answer_that_had_not_ended_and_a_line_that_nobody_can_read_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.journal"), "1\n{\"half").unwrap();
        fs::write(folder.path().join("b.journal"), "{}\n\n3\n").unwrap();
        fs::write(folder.path().join("c.journal"), "").unwrap();
        let journal = Journal::open(folder.path(), NOW).unwrap();
        let mut found = journal.found();
        found.sort_by(|one, other| one.line.cmp(&other.line));
        assert_eq!(found.iter().map(|found| found.line.as_slice()).collect::<Vec<_>>(), [b"1".as_slice(), b"3", b"{}"]);
        for (found, is_readable) in found.into_iter().zip([true, true, false]) {
            match serde_json::from_slice::<u8>(&found.line) {
                Err(error) if !is_readable => found.kept.unreadable(&error),
                _ => found.kept.done(),
            }
        }
        journal.end();
        assert_eq!((files(folder.path(), ENDING), files(folder.path(), "damaged")), (0, 1));
    }

    #[test]
    fn a_file_that_is_long_is_followed_by_another_and_one_that_is_settled_is_emptied() {
        let folder = tempfile::tempdir().unwrap();
        let journal = Journal::open(folder.path(), NOW).unwrap();
        let what = "x".repeat(1_000);
        let open = journal.keep(&what, NOW).unwrap();
        let mut most = 0;
        for _ in 0..JOURNAL_FILE_BYTES / 1_000 * 3 {
            journal.keep(&what, NOW).unwrap().done();
            most = most.max(files(folder.path(), ENDING));
        }
        assert_eq!((most, files(folder.path(), ENDING)), (2, 2), "one waits for what is open in it, one is written to");
        open.done();
        assert_eq!(files(folder.path(), ENDING), 1);
        let current = fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap();
        assert!(current.metadata().unwrap().len() < JOURNAL_EMPTIED_BYTES);
    }
}
