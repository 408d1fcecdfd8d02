//! Golden files: what was reviewed, against what is. `make golden` writes them anew; the diff is then read, not just taken.

use std::path::Path;

/// Compares a text with the golden file at this path below the repository, or writes it when `GOLDEN=write`.
pub fn check(path: &str, actual: &str) {
    let file = crate::program::root().join(path);
    if std::env::var_os("GOLDEN").is_some_and(|mode| mode == "write") {
        std::fs::create_dir_all(file.parent().unwrap_or(Path::new("."))).unwrap();
        std::fs::write(&file, actual).unwrap();
        return;
    }
    let golden = std::fs::read_to_string(&file).unwrap_or_default();
    if golden != actual {
        let line = golden
            .lines()
            .zip(actual.lines())
            .position(|(a, b)| a != b)
            .unwrap_or(golden.lines().count().min(actual.lines().count()));
        let near = |text: &str| text.lines().skip(line.saturating_sub(2)).take(5).collect::<Vec<_>>().join("\n");
        panic!(
            "{path} differs at line {}:\n--- golden\n{}\n--- now\n{}\n(`make golden` writes it anew)",
            line + 1,
            near(&golden),
            near(actual)
        );
    }
}
