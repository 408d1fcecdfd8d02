//! Git's objects, as far as their names go: an object's id is the SHA-1 of its kind, length and content.

use sha1::{Digest, Sha1};

/// A directory's mode.
pub(crate) const TREE_MODE: &str = "40000";

/// The id of an object.
pub(crate) fn id(kind: &str, content: &[u8]) -> String {
    let mut hash = Sha1::new();
    hash.update(format!("{kind} {}\0", content.len()).as_bytes());
    hash.update(content);
    hash.finalize().iter().fold(String::with_capacity(40), |text, byte| text + &format!("{byte:02x}"))
}

/// Whether a text is an object's id.
pub(crate) fn is_id(text: &str) -> bool {
    text.len() == 40 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// An entry of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Octal, without zeros in front: `100644`, `40000`, `120000`, `160000`.
    pub(crate) mode: String,
    pub(crate) name: String,
    pub(crate) id: String,
    /// Of a blob, where the forge tells it.
    pub(crate) size: Option<u64>,
}

impl Entry {
    pub(crate) fn is_tree(&self) -> bool {
        self.mode == TREE_MODE
    }

    /// A plain file, executable or not: no link, no submodule.
    pub(crate) fn is_file(&self) -> bool {
        self.mode.starts_with("100")
    }
}

/// The id of the tree that has these entries; nothing when one of them can't be an entry.
pub(crate) fn tree_id(entries: &[Entry]) -> Option<String> {
    let mut sorted: Vec<&Entry> = entries.iter().collect();
    // Git sorts a directory as if its name ended in a slash.
    let key = |entry: &Entry| {
        let mut key = entry.name.clone().into_bytes();
        if entry.is_tree() {
            key.push(b'/');
        }
        key
    };
    sorted.sort_by_key(|entry| key(entry));
    let mut content = Vec::new();
    for entry in sorted {
        let fits = !entry.name.is_empty() && !entry.name.contains(['/', '\0']) && !entry.mode.is_empty();
        if !fits || !entry.mode.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        content.extend_from_slice(entry.mode.as_bytes());
        content.push(b' ');
        content.extend_from_slice(entry.name.as_bytes());
        content.push(0);
        content.extend(raw(&entry.id)?);
    }
    Some(id("tree", &content))
}

fn raw(id: &str) -> Option<Vec<u8>> {
    if !is_id(id) {
        return None;
    }
    let digits: Vec<u8> = id.chars().filter_map(|char| u8::try_from(char.to_digit(16)?).ok()).collect();
    let (pairs, _) = digits.as_chunks::<2>();
    Some(pairs.iter().map(|[high, low]| (high << 4) | low).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(mode: &str, name: &str, id: &str) -> Entry {
        Entry { mode: mode.to_owned(), name: name.to_owned(), id: id.to_owned(), size: None }
    }

    #[test]
    fn ids_are_git_s() {
        assert_eq!(id("blob", b""), "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
        assert_eq!(id("blob", b"hello\n"), "ce013625030ba8dba906f756967f9e9ca394464a");
        assert_eq!(tree_id(&[]).as_deref(), Some("4b825dc642cb6eb9a060e54bf8d69288fbee4904"));
    }

    #[test]
    fn a_tree_s_id_does_not_hang_on_the_order_in_which_it_is_told() {
        let blob = "ce013625030ba8dba906f756967f9e9ca394464a";
        let mut entries = vec![entry("100644", "a.b", blob), entry("40000", "a", blob), entry("100755", "a-b", blob)];
        let told = tree_id(&entries);
        entries.reverse();
        assert_eq!(told, tree_id(&entries));
        entries[0].name.push('x');
        assert_ne!(told, tree_id(&entries));
    }

    #[test]
    fn what_is_no_entry_has_no_id() {
        let blob = "ce013625030ba8dba906f756967f9e9ca394464a";
        for bad in
            [entry("100644", "a/b", blob), entry("100644", "", blob), entry("x", "a", blob), entry("100644", "a", "zz")]
        {
            assert_eq!(tree_id(&[bad]), None);
        }
    }
}
