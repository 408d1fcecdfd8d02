//! `svc completions` and `svc man`: what a shell completes, and manual pages, both of the commands as they are.

use crate::global::Exit;
use crate::output::{CommandError, Output, plural};
use clap::{Args, Command};
use clap_complete::Shell;
use clap_mangen::Man;
use serde_json::json;
use std::io;
use std::path::{Path, PathBuf};

/// Arguments of `svc completions`.
#[derive(Args, Debug)]
pub(crate) struct CompletionsArgs {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

/// Arguments of `svc man`.
#[derive(Args, Debug)]
pub(crate) struct ManArgs {
    /// The folder to write to, such as /usr/local/share/man/man1; made where it is not there.
    dir: PathBuf,
}

/// Prints what a shell completes of a program.
pub(crate) fn completions(args: &CompletionsArgs, program: Command, output: &Output) -> Exit {
    let (mut program, mut script) = (program, Vec::new());
    let name = program.get_name().to_owned();
    clap_complete::generate(args.shell, &mut program, name, &mut script);
    let script = String::from_utf8_lossy(&script);
    let data = json!({ "shell": args.shell.to_string(), "script": script });
    output.done("completions", script.trim_end(), data)
}

/// Writes a page for a program and for each of its commands.
pub(crate) fn man(args: &ManArgs, program: Command, output: &Output) -> Exit {
    let mut program = program.disable_help_subcommand(true);
    program.build();
    match std::fs::create_dir_all(&args.dir).and_then(|()| write(&program, &args.dir)) {
        Ok(pages) => {
            let said = format!("{} in {}", plural(pages.len(), "page"), args.dir.display());
            output.done("man", &said, json!({ "pages": pages }))
        }
        Err(error) => {
            let message = format!("{} can't be written: {error}", args.dir.display());
            output.failed("man", CommandError::new(Exit::Unreachable, "MAN_UNWRITTEN", message), &[])
        }
    }
}

/// Writes the pages of a command and of those below it. Answers their files.
fn write(command: &Command, folder: &Path) -> io::Result<Vec<PathBuf>> {
    let man = Man::new(command.clone());
    let file = folder.join(man.get_filename());
    let mut page = Vec::new();
    man.render(&mut page)?;
    std::fs::write(&file, page)?;
    let mut files = vec![file];
    for below in command.get_subcommands().filter(|below| !below.is_hide_set()) {
        files.extend(write(below, folder)?);
    }
    Ok(files)
}
