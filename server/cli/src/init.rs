//! `svc init`.

use crate::global::Exit;
use crate::output::{CommandError, Output};
use clap::Args;
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;
use svc_runtime::SDK_VERSION;

/// What a new product's folder holds. `{name}` and `{sdk}` are filled in.
const FILES: &[(&str, &str)] = &[
    ("product/product.config.ts", include_str!("init/product.config.ts.txt")),
    ("package.json", include_str!("init/package.json.txt")),
    ("tsconfig.json", include_str!("init/tsconfig.json.txt")),
    (".vscode/launch.json", include_str!("init/launch.json.txt")),
    (".gitignore", "node_modules\nproduct-build.json\n"),
];

/// Arguments of `svc init`.
#[derive(Args, Debug)]
pub(crate) struct InitArgs {
    /// The folder to write into; it is made where it is not there.
    #[arg(default_value = ".")]
    dir: PathBuf,
}

/// Writes the files. None that is there is touched.
pub(crate) fn run(args: &InitArgs, output: &Output) -> Exit {
    match attempt(args) {
        Ok(written) => {
            let human = format!("{}\nnext: svc check {}", written.join("\n"), args.dir.display());
            output.done("init", &human, json!({ "files": written }))
        }
        Err(failure) => output.failed("init", failure, &[]),
    }
}

fn attempt(args: &InitArgs) -> Result<Vec<String>, CommandError> {
    let present: Vec<&str> = FILES.iter().map(|(path, _)| *path).filter(|path| args.dir.join(path).exists()).collect();
    if !present.is_empty() {
        let message = format!("{} has {} already; nothing was written", args.dir.display(), present.join(", "));
        return Err(CommandError::new(Exit::Refused, "FILE_EXISTS", message));
    }
    let mut written = Vec::new();
    for (path, text) in FILES {
        let file = args.dir.join(path);
        let unwritten = |error| {
            CommandError::new(
                Exit::Unreachable,
                "FILE_NOT_WRITTEN",
                format!("{} can't be written: {error}", file.display()),
            )
        };
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder).map_err(unwritten)?;
        }
        let text = text.replace("{sdk}", SDK_VERSION);
        let mut created = std::fs::File::create_new(&file).map_err(unwritten)?;
        created.write_all(text.as_bytes()).map_err(unwritten)?;
        written.push(file.display().to_string());
    }
    Ok(written)
}
