//! Real repositories, made with real git.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A repository in a folder of its own, with a work tree.
pub struct Repository {
    folder: tempfile::TempDir,
}

impl Default for Repository {
    fn default() -> Self {
        Repository::new()
    }
}

impl Repository {
    /// A new one, on the branch `main`, without commits.
    pub fn new() -> Repository {
        let repository = Repository { folder: tempfile::tempdir().unwrap() };
        repository.git(&["init", "--quiet", "--initial-branch", "main"]);
        for (name, value) in
            [("user.name", "Ada Lovelace"), ("user.email", "ada@example.com"), ("commit.gpgsign", "false")]
        {
            repository.git(&["config", name, value]);
        }
        repository
    }

    /// Its folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Writes a file.
    pub fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Commits all that lies there, and returns the commit's id.
    pub fn commit(&self, message: &str) -> String {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "--message", message]);
        self.head()
    }

    /// Writes a product's one file, and commits it.
    pub fn product(&self, text: &str, message: &str) -> String {
        self.write("product/product.config.ts", text);
        self.commit(message)
    }

    /// The commit that the work tree stands at.
    pub fn head(&self) -> String {
        self.git(&["rev-parse", "HEAD"])
    }

    /// Runs git in it. Returns what it prints, without the last line feed.
    pub fn git(&self, arguments: &[&str]) -> String {
        let printed = git(self.path(), arguments, &[]).unwrap_or_else(|error| panic!("git {arguments:?}: {error}"));
        String::from_utf8(printed).unwrap().trim_end().to_owned()
    }

    /// A bare clone of it, in its own folder's `.git`'s neighbourhood.
    pub fn bare(&self, name: &str) -> PathBuf {
        let path = self.path().join(".git").join(name);
        self.git(&["clone", "--quiet", "--bare", ".", path.to_str().unwrap()]);
        path
    }
}

/// Runs git in a folder with this input.
pub fn git(folder: &Path, arguments: &[&str], input: &[u8]) -> Result<Vec<u8>, String> {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // git may close its input before it has read all.
    let _closed = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    if output.status.success() { Ok(output.stdout) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}
