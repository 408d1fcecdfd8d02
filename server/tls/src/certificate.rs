//! What this house reads of a certificate by itself: when it ends, and what it is signed with. rustls checks all else, and tells neither.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

const SEQUENCE: u8 = 0x30;
const OBJECT_ID: u8 = 0x06;
const UTC_TIME: u8 = 0x17;
const GENERALIZED_TIME: u8 = 0x18;
/// The version, which stands before all else unless it is 1.
const VERSION: u8 = 0xa0;

/// A hash that a signature is made over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hash {
    /// SHA-256; also where the signature's own is MD5 or SHA-1 (RFC 5929).
    Sha256,
    /// SHA-384.
    Sha384,
    /// SHA-512.
    Sha512,
}

/// Signatures by their object's id, and the hash that each is made over.
const SIGNATURES: &[(&[u8], Hash)] = &[
    // RSA by PKCS #1: MD5, SHA-1, SHA-256, SHA-384, SHA-512.
    (&[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x04], Hash::Sha256),
    (&[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x05], Hash::Sha256),
    (&[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0b], Hash::Sha256),
    (&[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0c], Hash::Sha384),
    (&[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0d], Hash::Sha512),
    // ECDSA: SHA-1, SHA-256, SHA-384, SHA-512.
    (&[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x01], Hash::Sha256),
    (&[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02], Hash::Sha256),
    (&[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x03], Hash::Sha384),
    (&[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x04], Hash::Sha512),
];

/// When a certificate (DER) ends; nothing where it has no such form.
pub fn ends(certificate: &[u8]) -> Option<Timestamp> {
    let (mut fields, _) = fields(certificate)?;
    if fields.first() == Some(&VERSION) {
        fields = item(fields)?.2;
    }
    // The serial number, the signature and the issuer stand before the validity.
    for _ in 0..3 {
        fields = item(fields)?.2;
    }
    let (_, validity, _) = item(fields)?;
    let (_, _, after_begin) = item(validity)?;
    let (tag, text, _) = item(after_begin)?;
    moment(tag, std::str::from_utf8(text).ok()?)
}

/// The hash that a certificate (DER) is signed with; nothing where its signature has none of its own, such as Ed25519's.
pub fn signed_with(certificate: &[u8]) -> Option<Hash> {
    let (_, after) = fields(certificate)?;
    let (_, algorithm, _) = item(after)?;
    let (tag, id, _) = item(algorithm)?;
    let found = SIGNATURES.iter().find(|(known, _)| tag == OBJECT_ID && *known == id);
    found.map(|(_, hash)| *hash)
}

/// The fields of what is signed, and what stands behind it.
fn fields(certificate: &[u8]) -> Option<(&[u8], &[u8])> {
    let (tag, whole, _) = item(certificate)?;
    let (inner, signed, after) = item(whole)?;
    (tag == SEQUENCE && inner == SEQUENCE).then_some((signed, after))
}

/// The first item of DER: its tag, its content, and what follows.
fn item(der: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (&[tag, short], rest) = der.split_first_chunk::<2>()?;
    let (length, rest) = match short {
        ..0x80 => (usize::from(short), rest),
        _ => {
            let (digits, rest) = rest.split_at_checked(usize::from(short & 0x7f))?;
            let length =
                digits.iter().try_fold(0_usize, |sum, digit| sum.checked_mul(256)?.checked_add((*digit).into()));
            (length?, rest)
        }
    };
    let (content, rest) = rest.split_at_checked(length)?;
    Some((tag, content, rest))
}

/// `YYMMDDHHMMSSZ`, with the year 2000 up to 2049 and 1950 before, or with four digits of the year.
fn moment(tag: u8, text: &str) -> Option<Timestamp> {
    let digits = text.strip_suffix('Z').filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
    let (year, rest) = match tag {
        UTC_TIME => {
            let (year, rest) = digits.split_at_checked(2)?;
            let year: i16 = year.parse().ok()?;
            (if year < 50 { year.checked_add(2000)? } else { year.checked_add(1900)? }, rest)
        }
        GENERALIZED_TIME => {
            let (year, rest) = digits.split_at_checked(4)?;
            (year.parse().ok()?, rest)
        }
        _ => return None,
    };
    let two = |at: usize| rest.get(at..at.checked_add(2)?)?.parse::<i8>().ok();
    let at = DateTime::new(year, two(0)?, two(2)?, two(4)?, two(6)?, two(8)?, 0).ok()?;
    TimeZone::UTC.to_timestamp(at).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(not_after: (i32, u8, u8), algorithm: &'static rcgen::SignatureAlgorithm) -> Vec<u8> {
        let mut params = rcgen::CertificateParams::new(vec!["svc.test".to_owned()]).unwrap();
        params.not_after = rcgen::date_time_ymd(not_after.0, not_after.1, not_after.2);
        let key = rcgen::KeyPair::generate_for(algorithm).unwrap();
        params.self_signed(&key).unwrap().der().to_vec()
    }

    #[test]
    fn a_certificate_says_when_it_ends() {
        // Before 2050 it is written with two digits of the year, from then on with four.
        for (year, month, day) in [(2031, 5, 17), (2049, 12, 31), (2050, 1, 1), (2105, 2, 28)] {
            let der = made((year, month, day), &rcgen::PKCS_ECDSA_P256_SHA256);
            let text = format!("{year}-{month:02}-{day:02}T00:00:00Z");
            assert_eq!(ends(&der).map(|at| at.to_string()), Some(text));
        }
    }

    #[test]
    fn a_certificate_says_what_it_is_signed_with() {
        let of = |algorithm| signed_with(&made((2031, 1, 1), algorithm));
        assert_eq!(of(&rcgen::PKCS_ECDSA_P256_SHA256), Some(Hash::Sha256));
        assert_eq!(of(&rcgen::PKCS_ECDSA_P384_SHA384), Some(Hash::Sha384));
        assert_eq!(of(&rcgen::PKCS_ED25519), None);
    }

    #[test]
    fn what_is_no_certificate_says_nothing() {
        let whole = made((2031, 1, 1), &rcgen::PKCS_ECDSA_P256_SHA256);
        for length in 0..whole.len() {
            assert_eq!((ends(&whole[..length]), signed_with(&whole[..length])), (None, None), "{length}");
        }
        for wrong in [&[0x30, 0xff][..], &[0x30, 0x80], &[0x30, 0x88, 255, 255, 255, 255, 255, 255, 255, 255]] {
            assert_eq!((ends(wrong), signed_with(wrong)), (None, None));
        }
        assert_eq!(moment(UTC_TIME, "310229000000Z"), None);
        assert_eq!(moment(UTC_TIME, "310228250000Z"), None);
    }
}
