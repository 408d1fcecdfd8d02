//! The tables' versions. Each is applied once, in order, and never changed afterwards; there is no way back.

use crate::error::{StoreError, StoreResult};
use sha2::{Digest, Sha256};

/// One step of the tables.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// 1 for the first, without gaps.
    pub(super) version: i64,
    /// What it does.
    pub(super) sql: &'static str,
}

impl Step {
    /// What tells whether the step that was applied is this one.
    pub(super) fn hash(self) -> String {
        Sha256::digest(self.sql.as_bytes()).iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"))
    }
}

/// The steps that a database still needs, by what it says was applied, oldest first.
///
/// # Errors
/// [`StoreError::Database`] when it was written by a newer program, or by another history of this one.
pub(super) fn missing(known: &'static [Step], applied: &[(i64, String)]) -> StoreResult<&'static [Step]> {
    for (index, (version, hash)) in applied.iter().enumerate() {
        let Some(step) = known.get(index).filter(|step| step.version == *version) else {
            let newest = known.last().map_or(0, |step| step.version);
            return Err(StoreError::Database(format!(
                "the database has tables of version {version}; this program knows up to {newest}"
            )));
        };
        if step.hash() != *hash {
            return Err(StoreError::Database(format!(
                "the database's tables of version {version} are not this program's"
            )));
        }
    }
    Ok(known.get(applied.len()..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: &[Step] = &[Step { version: 1, sql: "a" }, Step { version: 2, sql: "b" }];

    fn applied(steps: &[Step]) -> Vec<(i64, String)> {
        steps.iter().map(|step| (step.version, step.hash())).collect()
    }

    #[test]
    fn only_what_is_missing_is_applied() {
        assert_eq!(missing(KNOWN, &[]).unwrap().len(), 2);
        assert_eq!(missing(KNOWN, &applied(&KNOWN[..1])).unwrap()[0].version, 2);
        assert!(missing(KNOWN, &applied(KNOWN)).unwrap().is_empty());
    }

    #[test]
    fn a_newer_or_another_history_is_refused() {
        let newer = [KNOWN, &[Step { version: 3, sql: "c" }]].concat();
        assert!(missing(KNOWN, &applied(&newer)).unwrap_err().to_string().contains("version 3"));
        let other = [Step { version: 1, sql: "x" }];
        assert!(missing(KNOWN, &applied(&other)).unwrap_err().to_string().contains("not this program's"));
    }
}
