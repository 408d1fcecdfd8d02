//! Questions before what can't be undone: what no other command puts right again. On a terminal it is asked; elsewhere `--yes` has to be said.

use crate::global::{Exit, Format};
use crate::output::{CommandError, Output, visible};
use clap::Args;
use std::io::{self, BufRead, IsTerminal};

/// Whether what can't be undone was agreed to before.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Consent {
    /// Don't ask before what can't be undone; without a terminal to ask on, this has to be said.
    #[arg(long)]
    yes: bool,
}

impl Consent {
    /// Asks, unless it was agreed to: `what` says in a sentence what is going to happen.
    ///
    /// # Errors
    /// `NOT_CONFIRMED` where the answer is no; `CONFIRMATION_REQUIRED` where nobody can be asked.
    pub(crate) fn ask(self, output: &Output, what: &str) -> Result<(), CommandError> {
        if self.yes {
            return Ok(());
        }
        let can_ask = output.format == Format::Human && io::stdin().is_terminal() && io::stderr().is_terminal();
        if !can_ask {
            let message = format!("{what}; that can't be undone");
            return Err(CommandError::new(Exit::Usage, "CONFIRMATION_REQUIRED", message)
                .with_hint("say --yes, since there is no terminal to ask on"));
        }
        output.ask(&format!("{}; that can't be undone. Go on? [y/N] ", visible(what)));
        let mut answer = String::new();
        // A terminal that is gone says no.
        let _read = io::stdin().lock().read_line(&mut answer);
        if matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes") {
            return Ok(());
        }
        Err(CommandError::new(Exit::Refused, "NOT_CONFIRMED", "nothing was done"))
    }
}
