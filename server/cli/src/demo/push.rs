//! `svc demo --push`: a bare repository, a small forge on this machine, and pushes: the statuses, the page, the new release, and a
//! subscriber who stays where they were.

use super::forge::{Forge, REPOSITORY, SetStatus};
use super::{EXAMPLE, text};
use crate::client::Client;
use crate::git::git;
use crate::global::{Exit, SystemClock};
use crate::output::{CommandError, Output};
use crate::serve::{self, ServeArgs};
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};
use std::time::Duration;
use svc_core::tokens::new_secret;
use svc_store::sqlite::Sqlite;

/// How long the demo waits for a status, in looks of [`LOOK_MS`].
const LOOKS_MAX: u32 = 600;
/// The pause between two looks, in milliseconds.
const LOOK_MS: u64 = 50;
/// Bytes of a key for secrets, in hex digits.
const KEY_DIGITS: usize = 64;
/// The file that holds the example's prices.
const PRICES: &str = "product/prices.ts";
/// The example's entry.
const CONFIG: &str = "product/product.config.ts";

/// What a push came to.
struct Pushed {
    title: &'static str,
    branch: &'static str,
    commit: String,
    statuses: Vec<(&'static str, SetStatus)>,
}

impl Pushed {
    fn human(&self) -> String {
        let short = self.commit.get(..7).unwrap_or(&self.commit);
        let mut lines = vec![format!("# {}: {} on {}", self.title, short, self.branch)];
        for (context, (state, description, _)) in &self.statuses {
            let mark = if state == "success" { "✓" } else { "✗" };
            lines.push(format!("{mark} {context}: {description}"));
        }
        if let Some((_, (_, _, url))) = self.statuses.first() {
            lines.push(format!("  {url}"));
        }
        lines.join("\n")
    }

    fn json(&self) -> Json {
        let status = |(context, (state, description, url)): &(&str, SetStatus)| json!({ "context": context, "state": state, "description": description, "url": url });
        let statuses: Vec<Json> = self.statuses.iter().map(status).collect();
        json!({ "branch": self.branch, "commit": self.commit, "statuses": statuses })
    }
}

/// The author's side: a work tree, and the bare repository that it pushes to.
struct Author {
    work: PathBuf,
    forge: Forge,
}

impl Author {
    /// Commits the example, ready to be pushed to the forge's bare repository.
    async fn new(folder: &Path) -> Result<Author, CommandError> {
        let (work, bare) = (folder.join("croncloud"), folder.join("forge.git"));
        git(folder, &["init", "--quiet", "--bare", "--initial-branch", "main", "forge.git"], &[])?;
        git(folder, &["init", "--quiet", "--initial-branch", "main", "croncloud"], &[])?;
        for (name, value) in [("user.name", "Ada"), ("user.email", "ada@example.com"), ("commit.gpgsign", "false")] {
            git(&work, &["config", name, value], &[])?;
        }
        git(&work, &["remote", "add", "origin", "../forge.git"], &[])?;
        for (path, content) in EXAMPLE {
            write(&work.join(path), content)?;
        }
        Ok(Author { forge: Forge::start(&bare).await?, work })
    }

    /// Changes one part of a file of the example.
    fn edit(&self, path: &str, from: &str, to: &str) -> Result<(), CommandError> {
        let before = EXAMPLE.iter().find(|(known, _)| *known == path).map(|(_, text)| *text).unwrap_or_default();
        if !before.contains(from) {
            return Err(CommandError::new(Exit::Unreachable, "DEMO", format!("{path} has no {from:?} any more")));
        }
        write(&self.work.join(path), &before.replacen(from, to, 1))
    }

    /// Commits and pushes what lies there, and waits for what the service says of it.
    async fn push(
        &self,
        title: &'static str,
        branch: &'static str,
        contexts: &[&'static str],
        output: &Output,
    ) -> Result<Pushed, CommandError> {
        git(&self.work, &["checkout", "--quiet", "-B", branch], &[])?;
        git(&self.work, &["add", "--all"], &[])?;
        git(&self.work, &["commit", "--quiet", "--message", title], &[])?;
        let commit = String::from_utf8_lossy(&git(&self.work, &["rev-parse", "HEAD"], &[])?).trim().to_owned();
        git(&self.work, &["push", "--quiet", "origin", branch], &[])?;
        let pushed_at = tokio::time::Instant::now();
        let mut statuses = Vec::new();
        for context in contexts {
            statuses.push((*context, self.wait(&commit, context).await?));
        }
        let short = commit.get(..7).unwrap_or(&commit);
        output.note(&format!("pushed     {short} to {branch}; told after {} ms", pushed_at.elapsed().as_millis()));
        Ok(Pushed { title, branch, commit, statuses })
    }

    async fn wait(&self, commit: &str, context: &str) -> Result<SetStatus, CommandError> {
        for _ in 0..LOOKS_MAX {
            if let Some(status) = self.forge.status(commit, context) {
                return Ok(status);
            }
            tokio::time::sleep(Duration::from_millis(LOOK_MS)).await;
        }
        Err(CommandError::new(Exit::Unreachable, "DEMO", format!("no status {context} came for {commit}")))
    }
}

fn write(path: &Path, content: &str) -> Result<(), CommandError> {
    let unwritten = |error: std::io::Error| {
        CommandError::new(
            Exit::Unreachable,
            "FILE_NOT_WRITTEN",
            format!("{} can't be written: {error}", path.display()),
        )
    };
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(unwritten)?;
    }
    std::fs::write(path, content).map_err(unwritten)
}

/// Shows how a product is built on push.
pub(super) async fn show(
    folder: &Path,
    args: ServeArgs,
    once: bool,
    output: &Output,
    clock: SystemClock,
) -> Result<Exit, CommandError> {
    let author = Author::new(folder).await?;
    let chance = new_secret("").map_err(|error| CommandError::new(Exit::Unreachable, "CHANCE", error.to_string()))?;
    let key: String = chance.chars().skip(chance.len().saturating_sub(KEY_DIGITS)).collect();
    let args = ServeArgs { secrets_key: Some(key), allow_host: vec![author.forge.address.to_string()], ..args };
    let store = Sqlite::open(&args.data).map_err(serve::unopened(&args.data.display().to_string()))?;
    let ready = serve::prepare(store, None, args, clock).await?;
    let base = format!("http://{}", ready.address);
    let operator = Client::new(base.as_str(), ready.operator_token.as_str());
    let server = tokio::spawn(serve::serve(ready));
    let business = operator.post("/v1/businesses", &json!({ "name": "CronCloud" })).await?;
    let root = format!("/v1/businesses/{}", text(&business, "businessId"));
    let source = json!({
        "forge": "github", "apiBase": format!("http://{}", author.forge.address), "repository": REPOSITORY,
        "token": "the-demo-s-forge-takes-any-token",
    });
    let source = operator.post(&format!("{root}/source"), &source).await?;
    output.note(&format!("hook       {}", text(&source, "hookUrl")));
    author.forge.watch(text(&source, "hookUrl").to_owned(), text(&source, "secret").to_owned());
    let (pushes, subscriber) = walk(&author, &operator, &root, output).await?;
    let human: Vec<String> = pushes.iter().map(Pushed::human).chain([subscriber.human()]).collect();
    let data = json!({
        "url": base, "pushes": pushes.iter().map(Pushed::json).collect::<Vec<_>>(), "subscriber": subscriber.after,
    });
    let exit = output.done("demo", &human.join("\n\n"), data);
    if !once {
        let (work, ahead) = (author.work.display(), "edit, commit and push there, and look at the statuses' pages");
        output.note(&format!("\nserving on {base}; {ahead}: {work}; press Ctrl-C to end"));
        server.await.map_err(|error| CommandError::new(Exit::Unreachable, "SERVER", error.to_string()))??;
    }
    Ok(exit)
}

/// A subscription, before and after a push that changed its plan.
struct Subscriber {
    before: Json,
    after: Json,
}

impl Subscriber {
    fn human(&self) -> String {
        let told = |subscription: &Json| {
            let part = |name: &str| subscription.get(name).cloned().unwrap_or_default();
            format!("version {}, {} cents", part("planVersion"), part("recurringFeeCents"))
        };
        format!("# subscriber \"ada\" on \"starter\"\nbefore: {}\nafter:  {}", told(&self.before), told(&self.after))
    }
}

/// Three pushes: the first release, a change of a price, and a mistake on a branch.
async fn walk(
    author: &Author,
    operator: &Client,
    root: &str,
    output: &Output,
) -> Result<(Vec<Pushed>, Subscriber), CommandError> {
    let both = ["svc/build", "svc/publish"];
    let first = author.push("the first release", "main", &both, output).await?;
    let subscribe = json!({ "subject": "ada", "plan": "starter" });
    let before = operator.post(&format!("{root}/subscriptions"), &subscribe).await?;
    output.note("subscribed ada to \"starter\"");
    author.edit(PRICES, "starter: 1_900", "starter: 2_900")?;
    let second = author.push("another price", "main", &both, output).await?;
    let after = operator.get(&format!("{root}/subscriptions/{}", text(&before, "subscriptionId"))).await?;
    author.edit(CONFIG, "rate: 60,", "rate: 60, burst: 20,")?;
    let third = author.push("a mistake on a branch", "mistake", &["svc/build"], output).await?;
    Ok((vec![first, second, third], Subscriber { before, after }))
}
