//! One commit's own text by git's protocol, version 2, over HTTP: for what a forge's API does not tell, such as the signature of a signed
//! commit at GitLab. The pack that is asked for holds that commit and nothing else; what comes is hashed like all else.

use crate::error::ForgeError;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

/// Longest text of a commit, in bytes.
const COMMIT_MAX_BYTES: usize = 1 << 20;
/// Largest pack of one commit, in bytes.
pub(crate) const PACK_MAX_BYTES: usize = 2 << 20;
/// Bytes of a pack's header: `PACK`, version, number of objects.
const HEADER_BYTES: usize = 12;
/// The kind of a commit in a pack.
const COMMIT_KIND: u8 = 1;

/// What asks for a commit alone: no history, no folders, no files.
pub(crate) fn request(commit: &str) -> Vec<u8> {
    let line = |text: &str| format!("{:04x}{text}", text.len().saturating_add(4));
    let lines = [
        line("command=fetch\n"),
        line("object-format=sha1\n"),
        "0001".to_owned(),
        line("no-progress\n"),
        line(&format!("want {commit}\n")),
        line("deepen 1\n"),
        line("filter tree:0\n"),
        line("done\n"),
        "0000".to_owned(),
    ];
    lines.concat().into_bytes()
}

/// The commit's text in an answer.
pub(crate) fn commit(answer: &[u8]) -> Result<Vec<u8>, ForgeError> {
    let pack = data(answer)?;
    let bad = || ForgeError::form("the pack holds no commit");
    let mut rest = pack.get(HEADER_BYTES..).filter(|_| pack.starts_with(b"PACK")).ok_or_else(bad)?;
    // The first byte tells the kind; as long as the highest bit is set, more bytes of the size follow.
    let (first, after) = rest.split_first().ok_or_else(bad)?;
    if (first >> 4) & 0b111 != COMMIT_KIND {
        return Err(bad());
    }
    rest = after;
    let mut more = first & 0x80 != 0;
    while more {
        let (byte, after) = rest.split_first().ok_or_else(bad)?;
        more = byte & 0x80 != 0;
        rest = after;
    }
    decompress_to_vec_zlib_with_limit(rest, COMMIT_MAX_BYTES).map_err(|_| bad())
}

/// The pack in an answer: the lines of its first band, behind the line that says so.
fn data(mut answer: &[u8]) -> Result<Vec<u8>, ForgeError> {
    let bad = || ForgeError::form("git's protocol is not kept");
    let (mut pack, mut is_pack) = (Vec::new(), false);
    while let Some((length, after)) = answer.split_first_chunk::<4>() {
        let length = std::str::from_utf8(length).ok().and_then(|length| usize::from_str_radix(length, 16).ok());
        let length = length.ok_or_else(bad)?;
        // Lengths below four mark ends of sections.
        let Some(length) = length.checked_sub(4) else {
            answer = after;
            continue;
        };
        let (line, after) = after.split_at_checked(length).ok_or_else(bad)?;
        answer = after;
        match line.split_first() {
            _ if line.starts_with(b"ERR ") => return Err(ForgeError::form(&String::from_utf8_lossy(line))),
            _ if line == b"packfile\n" => is_pack = true,
            Some((1, data)) if is_pack => pack.extend_from_slice(data),
            Some((3, error)) if is_pack => return Err(ForgeError::form(&String::from_utf8_lossy(error))),
            _ => {}
        }
    }
    Ok(pack)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_pack_of_a_commit_is_an_error_and_no_panic() {
        let line = |text: &[u8]| [format!("{:04x}", text.len() + 4).as_bytes(), text].concat();
        for bad in [
            Vec::new(),
            b"0000".to_vec(),
            b"zzzz".to_vec(),
            b"00ffshort".to_vec(),
            line(b"ERR not our ref"),
            [line(b"packfile\n"), line(b"\x03fatal")].concat(),
            [line(b"packfile\n"), line(b"\x01PACK")].concat(),
            [line(b"packfile\n"), line(b"\x01PACK\0\0\0\x02\0\0\0\x01\x9f\xff\xff")].concat(),
            [line(b"packfile\n"), line(b"\x01PACK\0\0\0\x02\0\0\0\x01\x31abc")].concat(),
            [line(b"packfile\n"), line(b"\x01PACK\0\0\0\x02\0\0\0\x01\x11abc")].concat(),
        ] {
            assert!(commit(&bad).is_err(), "{bad:?}");
        }
    }
}
