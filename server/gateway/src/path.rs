//! A request's path, decoded once: what is matched is what is forwarded. A path that two programs could read differently is refused and not
//! mended: an encoded slash, an empty segment, a dot segment, a path parameter.

use percent_encoding::percent_decode_str;

/// Longest path with its query, in bytes.
pub(crate) const TARGET_MAX_BYTES: usize = 16 << 10;

/// Why a path is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PathError {
    /// It does not begin with a slash.
    #[error("the path begins with /")]
    NotAbsolute,
    /// Path and query are too long.
    #[error("path and query have at most {TARGET_MAX_BYTES} bytes")]
    TooLong,
    /// `%` without two hex digits behind it.
    #[error("a % in the path is followed by two hex digits")]
    Escape,
    /// What is decoded is no text.
    #[error("the path, decoded, is UTF-8")]
    NotText,
    /// `//`.
    #[error("the path has no empty segment")]
    Empty,
    /// `.` or `..`, encoded or not.
    #[error("the path has no segment . or ..")]
    Dot,
    /// A slash or a backslash in a segment, encoded or not.
    #[error("a segment of the path holds no slash and no backslash, encoded ones among them")]
    Separator,
    /// A control character.
    #[error("the path holds no control characters")]
    Control,
    /// `;`.
    #[error("the path has no parameters behind a semicolon")]
    Parameter,
}

/// A path in its one reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Path {
    /// Its segments, decoded; one empty one for `/`.
    segments: Vec<String>,
    /// The path as it is forwarded: each byte encoded that need be, and no other.
    text: String,
}

impl Path {
    /// Reads the path of a request.
    ///
    /// # Errors
    /// [`PathError`].
    pub(crate) fn parse(raw: &str) -> Result<Path, PathError> {
        if raw.len() > TARGET_MAX_BYTES {
            return Err(PathError::TooLong);
        }
        let rest = raw.strip_prefix('/').ok_or(PathError::NotAbsolute)?;
        if rest.is_empty() {
            return Ok(Path { segments: vec![String::new()], text: "/".to_owned() });
        }
        let segments = rest.split('/').map(decoded).collect::<Result<Vec<_>, _>>()?;
        let text =
            segments.iter().fold(String::with_capacity(raw.len()), |text, segment| text + "/" + &encoded(segment));
        Ok(Path { segments, text })
    }

    /// Its segments, decoded.
    pub(crate) fn segments(&self) -> &[String] {
        &self.segments
    }

    /// The path as it is forwarded.
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }
}

fn decoded(segment: &str) -> Result<String, PathError> {
    if segment.is_empty() {
        return Err(PathError::Empty);
    }
    // What follows each `%` but the part before the first.
    let is_escape = |part: &str| part.len() >= 2 && part.bytes().take(2).all(|byte| byte.is_ascii_hexdigit());
    if !segment.split('%').skip(1).all(is_escape) {
        return Err(PathError::Escape);
    }
    let text = percent_decode_str(segment).decode_utf8().map_err(|_| PathError::NotText)?.into_owned();
    match text.as_str() {
        "." | ".." => Err(PathError::Dot),
        _ if text.contains(['/', '\\']) => Err(PathError::Separator),
        _ if text.chars().any(char::is_control) => Err(PathError::Control),
        _ if text.contains(';') => Err(PathError::Parameter),
        _ => Ok(text),
    }
}

/// A segment as a path holds it (RFC 3986 `pchar`, without `;`).
fn encoded(segment: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,=:@".contains(&byte);
    segment.bytes().fold(String::with_capacity(segment.len()), |text, byte| match plain(byte) {
        true => text + char::from(byte).encode_utf8(&mut [0; 4]),
        false => text + &format!("%{byte:02X}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_has_one_reading() {
        for (raw, text) in [
            ("/", "/"),
            ("/v1/jobs", "/v1/jobs"),
            ("/v1/%6A%6fbs", "/v1/jobs"),
            ("/v1/%7Euser", "/v1/~user"),
            ("/caf%c3%a9", "/caf%C3%A9"),
            ("/a%20b/c%3Fd", "/a%20b/c%3Fd"),
            ("/a%25 2F".replace(' ', "").as_str(), "/a%252F"),
            ("/...", "/..."),
        ] {
            let path = Path::parse(raw).unwrap();
            assert_eq!(path.as_str(), text, "{raw}");
            assert_eq!(Path::parse(path.as_str()).unwrap(), path, "what is forwarded reads the same");
        }
    }

    #[test]
    fn what_could_be_read_in_two_ways_is_refused() {
        for (raw, why) in [
            ("v1", PathError::NotAbsolute),
            ("*", PathError::NotAbsolute),
            ("//", PathError::Empty),
            ("/v1//jobs", PathError::Empty),
            ("/v1/jobs/", PathError::Empty),
            ("/v1/./jobs", PathError::Dot),
            ("/v1/../admin", PathError::Dot),
            ("/v1/%2e%2E/admin", PathError::Dot),
            ("/v1/.%2e", PathError::Dot),
            ("/v1/a%2Fb", PathError::Separator),
            ("/v1/a%2fb", PathError::Separator),
            ("/v1/a\\b", PathError::Separator),
            ("/v1/a%5Cb", PathError::Separator),
            ("/v1/jobs;admin=1", PathError::Parameter),
            ("/v1/jobs%3Badmin", PathError::Parameter),
            ("/v1/%00", PathError::Control),
            ("/v1/%0d%0aX", PathError::Control),
            ("/v1/%", PathError::Escape),
            ("/v1/%4", PathError::Escape),
            ("/v1/%zz", PathError::Escape),
            ("/v1/%é", PathError::Escape),
            ("/v1/%ff", PathError::NotText),
        ] {
            assert_eq!(Path::parse(raw), Err(why), "{raw}");
        }
        assert_eq!(Path::parse(&"/x".repeat(TARGET_MAX_BYTES)), Err(PathError::TooLong));
    }
}
