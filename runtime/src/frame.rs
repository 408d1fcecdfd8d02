//! How parent and worker talk: a length in four bytes, least first, then that many bytes of JSON. Lengths are checked before
//! a byte is stored, since the worker may be anyone's by then.

use crate::job::{DebugJob, DecoratorSite, Job, Outcome};
use crate::sandbox::Enforced;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::io::{self, Read, Write};

/// Longest job, in bytes: all sources, each byte escaped at worst to six.
pub(crate) const JOB_MAX_BYTES: usize = 64 << 20;
/// Longest answer, in bytes: an IR or a registry of 1 MiB, each byte escaped at worst to six, and its diagnostics.
pub(crate) const ANSWER_MAX_BYTES: usize = 8 << 20;

/// What a parent says.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Request {
    /// Run this build.
    Run(Job),
    /// Run this build under a debugger. What follows is for debugging workers alone, which take nothing else.
    Debug(DebugJob),
    /// A message of the debugger's protocol.
    Cdp(String),
    /// Say what the product has come to by now ([`Reply::Looked`]). Answered when it has run to its end and nothing runs.
    Look,
}

/// What a worker says.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Reply {
    /// It waits for its job.
    Ready {
        /// What the kernel enforces on it.
        enforced: Enforced,
        /// Which build of this program it is: its parent takes no other.
        version: String,
    },
    /// A zygote has made a worker, of this process id.
    Forked(i32),
    /// It can't be set up; the text is for the log.
    Unusable(String),
    /// It has the job; from here on its death is the job's failure.
    Started,
    /// It is done.
    Done(Outcome),
    /// Where a product that is about to be debugged has decorators.
    Decorators(Vec<DecoratorSite>),
    /// A message of the debugger's protocol.
    Cdp(String),
    /// Nothing of the guest's runs, until the debugger says so.
    Stopped,
    /// The guest runs again.
    Running,
    /// What the product has come to.
    Looked(Outcome),
}

/// What tells builds of this program apart: the package's version and V8's.
pub(crate) fn version() -> String {
    format!("{} {}", crate::SDK_VERSION, crate::v8_version())
}

/// The header of a message of `len` bytes.
pub(crate) fn header(len: usize, max: usize) -> io::Result<[u8; 4]> {
    let short = u32::try_from(len).ok().filter(|_| len <= max);
    short.map(u32::to_le_bytes).ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "the message is too long"))
}

/// The length that a header announces.
pub(crate) fn announced(header: [u8; 4], max: usize) -> io::Result<usize> {
    let len = usize::try_from(u32::from_le_bytes(header)).ok().filter(|len| *len <= max);
    len.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "the message is too long"))
}

/// The bytes of a message, header first.
pub(crate) fn encode<T: Serialize>(message: &T, max: usize) -> io::Result<Vec<u8>> {
    let body = serde_json::to_vec(message)?;
    let mut frame = header(body.len(), max)?.to_vec();
    frame.extend_from_slice(&body);
    Ok(frame)
}

/// Reads a message, blocking.
pub(crate) fn read<T: DeserializeOwned>(from: &mut impl Read, max: usize) -> io::Result<T> {
    let mut header = [0; 4];
    from.read_exact(&mut header)?;
    let mut body = vec![0; announced(header, max)?];
    from.read_exact(&mut body)?;
    Ok(serde_json::from_slice(&body)?)
}

/// Writes a message, blocking.
pub(crate) fn write<T: Serialize>(to: &mut impl Write, message: &T, max: usize) -> io::Result<()> {
    to.write_all(&encode(message, max)?)?;
    to.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_beyond_the_limit_is_refused_before_a_byte_is_stored() {
        let mut forged: &[u8] = &[0xff, 0xff, 0xff, 0xff, b'{'];
        let error = read::<Reply>(&mut forged, ANSWER_MAX_BYTES).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
        assert!(encode(&"x".repeat(100), 10).is_err());
    }

    #[test]
    fn what_is_written_reads_back() {
        let mut frame = Vec::new();
        write(&mut frame, &Reply::Started, ANSWER_MAX_BYTES).unwrap();
        assert!(matches!(read(&mut frame.as_slice(), ANSWER_MAX_BYTES).unwrap(), Reply::Started));
        assert!(read::<Reply>(&mut &frame[..3], ANSWER_MAX_BYTES).is_err());
    }
}
