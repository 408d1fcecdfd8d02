//! A package as npm packs it: a gzipped tar archive. The same files give the same bytes, on any machine and day.

use miniz_oxide::deflate::compress_to_vec;

/// Bytes of a tar archive's block.
const BLOCK_BYTES: usize = 512;
/// Where npm puts a package's files.
const FOLDER: &str = "package/";
/// When every file was changed, in seconds since 1970: npm's own constant, 26 October 1985.
const CHANGED_AT: u64 = 499_162_500;
/// How hard deflate tries, of 10.
const LEVEL: u8 = 9;
/// The head of a gzip file: deflate, no name, no time, the most compressed, of Unix.
const GZIP_HEAD: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 3];

/// A file that does not fit the plain form of tar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TooLong(pub(crate) String);

/// The files as a `.tgz`.
pub(crate) fn pack(files: &[(&str, &str)]) -> Result<Vec<u8>, TooLong> {
    let mut tar = Vec::new();
    for (path, text) in files {
        tar.extend(header(path, text.len())?);
        tar.extend_from_slice(text.as_bytes());
        tar.resize(tar.len().next_multiple_of(BLOCK_BYTES), 0);
    }
    tar.resize(tar.len().saturating_add(2 * BLOCK_BYTES), 0);
    let length = u32::try_from(tar.len()).map_err(|_| TooLong("the archive".to_owned()))?;
    let (sum, body) = (crc32fast::hash(&tar), compress_to_vec(&tar, LEVEL));
    Ok([GZIP_HEAD.as_slice(), &body, &sum.to_le_bytes(), &length.to_le_bytes()].concat())
}

/// The block before a file, of the form `ustar`: each field in its width, and the sum of all bytes.
fn header(path: &str, length: usize) -> Result<Vec<u8>, TooLong> {
    let block = |sum: &str| -> Result<Vec<u8>, TooLong> {
        let mut block = Vec::with_capacity(BLOCK_BYTES);
        let fields: [(String, usize); 10] = [
            (format!("{FOLDER}{path}"), 100),
            ("000644 ".to_owned(), 8),
            ("000000 ".to_owned(), 8),
            ("000000 ".to_owned(), 8),
            (format!("{length:011o} "), 12),
            (format!("{CHANGED_AT:011o} "), 12),
            (sum.to_owned(), 8),
            ("0".to_owned(), 1),
            (String::new(), 100),
            ("ustar\x0000".to_owned(), 8),
        ];
        for (text, width) in fields {
            let rest = width.checked_sub(text.len()).ok_or_else(|| TooLong(path.to_owned()))?;
            block.extend_from_slice(text.as_bytes());
            block.resize(block.len().saturating_add(rest), 0);
        }
        block.resize(BLOCK_BYTES, 0);
        Ok(block)
    };
    // The sum is taken as if its own field were blank.
    let sum: u32 = block("        ")?.iter().map(|byte| u32::from(*byte)).sum();
    block(&format!("{sum:06o}\0 "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::process::{Command, Stdio};

    fn tar(mode: &str, packed: &[u8]) -> String {
        let mut command = Command::new("tar");
        let mut tar = command.args([mode, "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        tar.stdin.take().unwrap().write_all(packed).unwrap();
        let output = tar.wait_with_output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap()
    }

    #[test]
    fn tar_reads_what_was_packed() {
        let long = "x".repeat(2_000);
        let files = [("package.json", "{}\n"), ("dist/a/b.js", long.as_str()), ("empty", ""), ("last", "end")];
        let packed = pack(&files).unwrap();
        assert_eq!(tar("-tzf", &packed), "package/package.json\npackage/dist/a/b.js\npackage/empty\npackage/last\n");
        assert_eq!(tar("-xOzf", &packed), format!("{{}}\n{long}end"));
    }

    #[test]
    fn the_same_files_are_the_same_bytes() {
        let files = [("package.json", "{}\n")];
        assert_eq!(pack(&files).unwrap(), pack(&files).unwrap());
        let hex: String = pack(&files).unwrap().iter().map(|byte| format!("{byte:02x}")).collect();
        assert!(hex.starts_with("1f8b0800000000000203"), "{hex}");
    }

    #[test]
    fn a_path_that_does_not_fit_is_refused() {
        let path = "x".repeat(93);
        assert_eq!(pack(&[(path.as_str(), "")]), Err(TooLong(path.clone())));
        assert!(pack(&[("x".repeat(92).as_str(), "")]).is_ok());
    }
}
