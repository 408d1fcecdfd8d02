//! The program `git`.

use crate::global::Exit;
use crate::output::CommandError;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// What git prints, run in a folder with this input.
///
/// # Errors
/// A [`CommandError`] with exit 4 and what git said.
pub(crate) fn git(dir: &Path, arguments: &[&str], input: &[u8]) -> Result<Vec<u8>, CommandError> {
    let failed = |why: String| CommandError::new(Exit::Unreachable, "GIT", why);
    let command = || {
        let mut command = Command::new("git");
        command.arg("-C").arg(dir).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn()
    };
    let mut child = command().map_err(|error| failed(format!("git can't be run: {error}")))?;
    if let Some(mut stdin) = child.stdin.take() {
        // A build's ids fit in a pipe: this waits for nobody.
        stdin.write_all(input).map_err(|error| failed(error.to_string()))?;
    }
    let output = child.wait_with_output().map_err(|error| failed(error.to_string()))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(failed(format!("git {}: {}", arguments.first().unwrap_or(&""), said.trim())))
}
