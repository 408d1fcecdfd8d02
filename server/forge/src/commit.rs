//! Whether a commit's id is the hash of what a forge says about it. No forge's API gives the commit's own text, so it is put
//! together again from what they do tell. What they leave out — in which time zone it was made, whether a line feed ends its message —
//! is tried; a text whose hash is the commit's id is the commit's text, whoever told it.

use crate::error::ForgeError;
use crate::object;
use serde::Deserialize;

/// Widest offsets from UTC that are tried, and the steps between, in minutes.
const OFFSET_MIN_MINUTES: i32 = -12 * 60;
const OFFSET_MAX_MINUTES: i32 = 14 * 60;
const OFFSET_STEP_MINUTES: usize = 15;
/// Bytes that are hashed for one commit, at most: a processor's time is not for a message of megabytes.
const HASHED_MAX_BYTES: usize = 64 << 20;
/// Longest commit that is looked at, in bytes.
const COMMIT_MAX_BYTES: usize = 1 << 20;

/// Who made a commit, and when.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Person {
    pub(crate) name: String,
    pub(crate) email: String,
    /// As RFC 3339 has it. The zone is the commit's own with some forges, and always UTC with others.
    pub(crate) date: String,
}

/// What a forge says about a commit.
#[derive(Clone, Debug)]
pub(crate) struct Words {
    pub(crate) parents: Vec<String>,
    pub(crate) author: Person,
    pub(crate) committer: Person,
    pub(crate) message: String,
    /// Of a signed commit: its text without the signature, and the signature.
    pub(crate) signed: Option<(String, String)>,
}

/// Checks that the commit of this id has this tree.
///
/// # Errors
/// Where no text that fits the forge's words has the id.
pub(crate) fn check(words: &Words, tree: &str, commit: &str) -> Result<(), ForgeError> {
    let is_it = |text: &[u8]| object::id("commit", text) == commit;
    let found = match &words.signed {
        Some((payload, signature)) => signed_texts(payload, signature, tree).iter().any(|text| is_it(text.as_bytes())),
        None => plain_texts(words, tree, is_it)?,
    };
    if found {
        return Ok(());
    }
    Err(ForgeError::new(
        "FORGE_COMMIT_UNVERIFIED",
        crate::error::Retry::Never,
        format!(
            "what the forge says about commit {commit} does not hash to its id; `svc push --commit` builds it from a clone"
        ),
    ))
}

/// Whether a text is the commit of this id, and has this tree.
pub(crate) fn is_of(text: &[u8], tree: &str, commit: &str) -> bool {
    object::id("commit", text) == commit && text.starts_with(format!("tree {tree}\n").as_bytes())
}

/// The texts of a signed commit: the signature stands last among its headers, each line but the first behind a space.
fn signed_texts(payload: &str, signature: &str, tree: &str) -> Vec<String> {
    if payload.len().saturating_add(signature.len()) > COMMIT_MAX_BYTES
        || !payload.starts_with(&format!("tree {tree}\n"))
    {
        return Vec::new();
    }
    let Some((headers, message)) = payload.split_once("\n\n") else { return Vec::new() };
    let signatures = [signature.to_owned(), signature.trim_end().to_owned(), format!("{}\n", signature.trim_end())];
    let messages = [message.to_owned(), format!("{message}\n"), message.trim_end_matches('\n').to_owned()];
    let with = |signature: &String| {
        let header = signature.replace('\n', "\n ");
        messages.iter().map(move |message| format!("{headers}\ngpgsig {header}\n\n{message}")).collect::<Vec<_>>()
    };
    signatures.iter().flat_map(with).collect()
}

/// Tries the texts of a commit without a signature; says whether one is it.
fn plain_texts(words: &Words, tree: &str, is_it: impl Fn(&[u8]) -> bool) -> Result<bool, ForgeError> {
    let (author, committer) = (Moment::of(&words.author.date)?, Moment::of(&words.committer.date)?);
    let mut head = format!("tree {tree}\n");
    for parent in &words.parents {
        head.push_str(&format!("parent {parent}\n"));
    }
    let message = words.message.as_str();
    let trimmed = message.trim_end_matches('\n');
    let mut endings = vec![message.to_owned(), format!("{trimmed}\n"), trimmed.to_owned()];
    endings.dedup();
    let text = |author_offset: i32, committer_offset: i32, message: &str| {
        let author = signature_line(&words.author, &author, author_offset);
        let committer = signature_line(&words.committer, &committer, committer_offset);
        format!("{head}author {author}\ncommitter {committer}\n\n{message}")
    };
    let length = text(0, 0, message).len();
    if length > COMMIT_MAX_BYTES {
        return Err(ForgeError::too_large(format!("the commit has more than {COMMIT_MAX_BYTES} bytes")));
    }
    let mut tries = HASHED_MAX_BYTES.checked_div(length.max(1)).unwrap_or_default();
    // Most likely first: as told; then one zone for both; then any two.
    let offsets = || (OFFSET_MIN_MINUTES..=OFFSET_MAX_MINUTES).step_by(OFFSET_STEP_MINUTES);
    let told = std::iter::once((author.offset_minutes, committer.offset_minutes));
    let alike = offsets().map(|offset| (offset, offset));
    let any = offsets().flat_map(|one| offsets().map(move |other| (one, other)));
    for (one, other) in told.chain(alike).chain(any) {
        for message in &endings {
            let Some(left) = tries.checked_sub(1) else { return Ok(false) };
            tries = left;
            if is_it(text(one, other, message).as_bytes()) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

fn signature_line(person: &Person, moment: &Moment, offset_minutes: i32) -> String {
    let sign = if offset_minutes < 0 { '-' } else { '+' };
    let minutes = offset_minutes.unsigned_abs();
    let (hours, minutes) = (minutes / 60, minutes % 60);
    format!("{} <{}> {} {sign}{hours:02}{minutes:02}", person.name, person.email, moment.second)
}

/// A moment as a commit has it.
struct Moment {
    second: i64,
    offset_minutes: i32,
}

impl Moment {
    /// Of `2026-11-28T14:00:00+01:00`, fractions of a second left out.
    fn of(text: &str) -> Result<Moment, ForgeError> {
        let bad = || ForgeError::form("a date is no date");
        let moment: jiff::Timestamp = text.parse().map_err(|_| bad())?;
        let offset =
            text.get(19..).unwrap_or_default().trim_start_matches(|char: char| char == '.' || char.is_ascii_digit());
        let offset_minutes = match offset.split_at_checked(1) {
            Some((sign @ ("+" | "-"), rest)) => {
                let (hours, minutes) = rest.split_once(':').ok_or_else(bad)?;
                let hours: i32 = hours.parse().map_err(|_| bad())?;
                let minutes: i32 = minutes.parse().map_err(|_| bad())?;
                let total = hours.checked_mul(60).and_then(|total| total.checked_add(minutes)).ok_or_else(bad)?;
                if sign == "-" { total.saturating_neg() } else { total }
            }
            _ => 0,
        };
        Ok(Moment { second: moment.as_second(), offset_minutes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TREE: &str = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

    fn person(date: &str) -> Person {
        Person { name: "Ada L.".to_owned(), email: "ada@example.com".to_owned(), date: date.to_owned() }
    }

    fn words(message: &str, author: &str, committer: &str) -> Words {
        Words {
            parents: vec!["ce013625030ba8dba906f756967f9e9ca394464a".to_owned()],
            author: person(author),
            committer: person(committer),
            message: message.to_owned(),
            signed: None,
        }
    }

    fn commit(author_zone: &str, committer_zone: &str, message: &str) -> String {
        let text = format!(
            "tree {TREE}\nparent ce013625030ba8dba906f756967f9e9ca394464a\nauthor Ada L. <ada@example.com> 1764338400 {author_zone}\n\
             committer Ada L. <ada@example.com> 1764342000 {committer_zone}\n\n{message}"
        );
        object::id("commit", text.as_bytes())
    }

    #[test]
    fn a_commit_is_found_though_its_zone_and_last_line_feed_are_not_told() {
        for (author_zone, committer_zone, message) in [
            ("+0000", "+0000", "one\n"),
            ("+0100", "+0100", "one\n"),
            ("-0330", "+0545", "one\n\ntwo\n"),
            ("+1400", "-1200", "one"),
        ] {
            let id = commit(author_zone, committer_zone, message);
            let utc = words(message.trim_end(), "2025-11-28T14:00:00Z", "2025-11-28T15:00:00Z");
            check(&utc, TREE, &id).unwrap();
        }
        let id = commit("+0100", "-0800", "one\n");
        check(&words("one\n", "2025-11-28T15:00:00.000+01:00", "2025-11-28T07:00:00.000-08:00"), TREE, &id).unwrap();
    }

    #[test]
    fn another_tree_parent_name_or_message_is_no_such_commit() {
        let id = commit("+0100", "+0100", "one\n");
        let right = || words("one", "2025-11-28T14:00:00Z", "2025-11-28T15:00:00Z");
        check(&right(), TREE, &id).unwrap();
        let other_tree = "ce013625030ba8dba906f756967f9e9ca394464a";
        assert_eq!(check(&right(), other_tree, &id).unwrap_err().code, "FORGE_COMMIT_UNVERIFIED");
        assert!(check(&Words { parents: Vec::new(), ..right() }, TREE, &id).is_err());
        assert!(check(&Words { message: "two".to_owned(), ..right() }, TREE, &id).is_err());
        let mut renamed = right();
        renamed.author.name.push('x');
        assert!(check(&renamed, TREE, &id).is_err());
    }

    #[test]
    fn a_signed_commit_is_its_payload_with_its_signature() {
        let headers = format!("tree {TREE}\nauthor A <a@b> 1764338400 +0100\ncommitter A <a@b> 1764338400 +0100");
        let signature = "-----BEGIN SSH SIGNATURE-----\nAAAA\n-----END SSH SIGNATURE-----";
        let text = format!("{headers}\ngpgsig {}\n\nsigned\n", signature.replace('\n', "\n "));
        let id = object::id("commit", text.as_bytes());
        let payload = format!("{headers}\n\nsigned\n");
        let told = |payload: &str| Words {
            signed: Some((payload.to_owned(), format!("{signature}\n"))),
            ..words("signed", "2025-11-28T14:00:00Z", "2025-11-28T14:00:00Z")
        };
        check(&told(&payload), TREE, &id).unwrap();
        assert!(check(&told(&payload.replace("signed", "changed")), TREE, &id).is_err());
        assert!(check(&told(&payload), "ce013625030ba8dba906f756967f9e9ca394464a", &id).is_err());
    }

    #[test]
    fn a_commit_of_megabytes_is_not_tried_for_long() {
        let long = words(&"x".repeat(COMMIT_MAX_BYTES), "2025-11-28T14:00:00Z", "2025-11-28T14:00:00Z");
        assert_eq!(check(&long, TREE, TREE).unwrap_err().code, "SOURCE_TOO_LARGE");
        assert!(check(&words("x", "yesterday", "today"), TREE, TREE).is_err());
    }
}
