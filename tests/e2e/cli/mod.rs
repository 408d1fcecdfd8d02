//! The command line, as short stories: what is written where, and how it ends. One file a command; what a command says stands as
//! a whole in its story, so that a reader sees what a caller sees.
//!
//! After a change, `cargo insta review` (from `cargo install cargo-insta`) shows each snapshot that differs, and takes it where the
//! reviewer says so.

mod adjust;
mod build;
mod business;
mod check;
mod client;
mod config;
mod consent;
mod credits;
mod demo;
mod dev;
mod diff;
mod events;
mod explain;
mod help;
mod hold;
mod hook;
mod init;
mod inspect;
mod inspect_devtools;
mod inspect_vscode;
mod invoice;
mod ledger;
mod login;
mod names;
mod packages;
mod place;
mod plan;
mod portal;
mod preview;
mod publish;
mod push;
mod release;
mod repl;
mod repl_hostile;
mod repl_places;
mod repl_terminal;
mod repl_tmux;
mod resource;
mod schema;
mod screen;
mod serve;
mod shell;
mod shop;
mod subscription;
mod test;
mod usage;
mod version;

use place::{Place, Told};
use shop::Shop;

/// The entry of a product.
const CONFIG: &str = "product/product.config.ts";

/// A product of one free plan, with this code before it.
fn tiny(code: &str) -> String {
    format!(
        r#"import {{ Plan, Product }} from "@svc/product";
{code}
@Product({{ origin: "https://api.example.com" }})
export default class Tiny {{
  @Plan("free", {{ limits: {{ requests: {{ rate: 60, interval: "minute" }} }} }}) free;
}}
"#
    )
}
