//! Deliveries of a forge: each is taken once, and one that moves a branch to a commit asks for a build.

use crate::builds::{has_room, is_commit_id};
use crate::core::Core;
use crate::error::CoreError;
use crate::events::{self, News};
use crate::ids::new_id;
use crate::push_texts::short;
use crate::reports::{BUILD_CONTEXT, PUBLISH_CONTEXT, say, say_of};
use crate::sources::{checked_branch, delivery_id, files_url};
use jiff::Timestamp;
use svc_engine::sources::ROOT;
use svc_store::records::{
    Build, BuildResult, Delivery, DeliveryOutcome, Id, Progress, Push, PushOutcome, PushState, ReportState, Source,
    StoredFailure,
};
use svc_store::{Connection, Mode, Store, Tx};

/// The failure's name of a build that a newer push took the place of.
pub const SUPERSEDED: &str = "BUILD_SUPERSEDED";
/// Longest id of a delivery that is taken, in characters.
const DELIVERY_ID_MAX_CHARS: usize = 200;
/// What in a commit's message says that it is not to be built.
const SKIP_MARKS: &[&str] = &["[skip ci]", "[ci skip]", "[no ci]", "[skip svc]"];

/// A delivery whose signature is right, as its forge's words were read.
#[derive(Clone, Debug)]
pub struct Arrival {
    /// The forge's id of it.
    pub delivery: String,
    /// The event's name.
    pub event: String,
    /// What it tells.
    pub content: Content,
}

/// What a delivery tells.
#[derive(Clone, Debug)]
pub enum Content {
    /// Nothing to build, and why.
    Nothing(String),
    /// A branch was moved to a commit.
    Moved(Moved),
}

/// A branch that was moved to a commit.
#[derive(Clone, Debug)]
pub struct Moved {
    /// The branch.
    pub branch: String,
    /// Where it stands now.
    pub commit: String,
    /// Where it stood before; nothing for a new branch.
    pub before: Option<String>,
    /// When the commit was made, by its author's clock.
    pub committed_at: Option<Timestamp>,
    /// The commit's message.
    pub message: String,
    /// The repository, as its forge names it.
    pub repository: String,
    /// The repository's default branch.
    pub default_branch: Option<String>,
    /// Every path that the push touched; nothing where the forge does not tell all of them.
    pub touched: Option<Vec<String>>,
}

impl<S: Store> Core<S> {
    /// Takes a delivery, once: the same one again is answered what the first was. What it asks for is in the queue then, and nothing
    /// was fetched yet.
    ///
    /// # Errors
    /// [`CoreError::NotFound`] without a source; [`CoreError::Invalid`] for what is malformed; [`CoreError::Busy`];
    /// [`CoreError::Store`].
    pub async fn take_delivery(&self, business: &Id, arrival: &Arrival, now: Timestamp) -> Result<Delivery, CoreError> {
        let length = arrival.delivery.chars().count();
        if !(1..=DELIVERY_ID_MAX_CHARS).contains(&length) {
            let message = format!("a delivery's id has 1 to {DELIVERY_ID_MAX_CHARS} characters");
            return Err(CoreError::invalid("DELIVERY_FORM", message));
        }
        self.again(move || {
            Box::pin(async move {
                let mut tx = self.store.begin(Mode::Write).await?;
                let source = tx.lock_source(business).await?;
                let source = source.ok_or(CoreError::NotFound("this business has no source"))?;
                if let Some(known) = tx.delivery(business, &arrival.delivery).await? {
                    return Ok(known);
                }
                let delivery = match &arrival.content {
                    Content::Nothing(reason) => noted(&source, arrival, None, DeliveryOutcome::Skipped, reason, now),
                    Content::Moved(moved) => take_move(&mut tx, &source, arrival, moved, now).await?,
                };
                tx.insert_delivery(&delivery).await?;
                tx.commit().await?;
                self.signals.pushed.notify_one();
                self.signals.reported.notify_one();
                Ok(delivery)
            })
        })
        .await
    }
}

fn noted(
    source: &Source,
    arrival: &Arrival,
    moved: Option<&Moved>,
    outcome: DeliveryOutcome,
    reason: &str,
    now: Timestamp,
) -> Delivery {
    Delivery {
        business: source.business.clone(),
        delivery: arrival.delivery.clone(),
        id: delivery_id(now),
        event: arrival.event.clone(),
        branch: moved.map(|moved| moved.branch.clone()),
        commit: moved.map(|moved| moved.commit.clone()),
        outcome,
        reason: reason.to_owned(),
        build: None,
        received_at: now,
    }
}

/// Takes the delivery of a branch that was moved.
async fn take_move<C: Connection>(
    tx: &mut Tx<C>,
    source: &Source,
    arrival: &Arrival,
    moved: &Moved,
    now: Timestamp,
) -> Result<Delivery, CoreError> {
    checked_branch(&moved.branch)?;
    if !is_commit_id(&moved.commit) || moved.before.as_deref().is_some_and(|before| !is_commit_id(before)) {
        return Err(CoreError::invalid("COMMIT_FORM", "a commit's id is 40 hex digits in lower case"));
    }
    if !moved.repository.eq_ignore_ascii_case(&source.repository) {
        let reason =
            format!("it is of the repository {:?}, and the source is {:?}", moved.repository, source.repository);
        return Ok(noted(source, arrival, Some(moved), DeliveryOutcome::Skipped, &reason, now));
    }
    if let Some(mark) = SKIP_MARKS.iter().find(|mark| moved.message.contains(**mark)) {
        let reason = format!("the commit's message says {mark}");
        return Ok(noted(source, arrival, Some(moved), DeliveryOutcome::Skipped, &reason, now));
    }
    let publishes = source.branch.as_ref().or(moved.default_branch.as_ref()) == Some(&moved.branch);
    if is_unchanged(tx, source, moved).await? {
        let folder = if source.folder.is_empty() { String::new() } else { format!("{}/", source.folder) };
        let reason = format!("no change below {folder}{ROOT}, nothing to do");
        let about = (moved.commit.as_str(), None);
        for context in [BUILD_CONTEXT, PUBLISH_CONTEXT].iter().take(if publishes { 2 } else { 1 }) {
            say_of(tx, &source.business, about.clone(), context, (ReportState::Success, &reason), now).await?;
        }
        return Ok(noted(source, arrival, Some(moved), DeliveryOutcome::Unchanged, &reason, now));
    }
    has_room(tx, &source.business).await?;
    let push = queue(tx, source, moved, publishes, now).await?;
    let reason =
        if publishes { "to be built and published" } else { "to be built and compared with what is published" };
    let delivery = noted(source, arrival, Some(moved), DeliveryOutcome::Queued, reason, now);
    Ok(Delivery { build: Some(push.build), ..delivery })
}

/// Whether all that was touched lies elsewhere, and what stands below the folder was found good where the branch stood before. In
/// doubt it is built: a push that is skipped wrongly costs its author more than a build.
async fn is_unchanged<C: Connection>(tx: &mut Tx<C>, source: &Source, moved: &Moved) -> Result<bool, CoreError> {
    let (Some(touched), Some(before)) = (&moved.touched, &moved.before) else { return Ok(false) };
    let below = if source.folder.is_empty() { ROOT.to_owned() } else { format!("{}/{ROOT}", source.folder) };
    if touched.iter().any(|path| path.starts_with(&below)) {
        return Ok(false);
    }
    Ok(tx.is_commit_good(&source.business, &moved.branch, before, source.created_at).await?)
}

/// Queues a build of the commit, and takes those that wait for an older commit of the branch out of the queue.
async fn queue<C: Connection>(
    tx: &mut Tx<C>,
    source: &Source,
    moved: &Moved,
    publishes: bool,
    now: Timestamp,
) -> Result<Push, CoreError> {
    let business = &source.business;
    let position = source.position.checked_add(1).ok_or_else(|| CoreError::out_of_range("a push's position"))?;
    let push = Push {
        business: business.clone(),
        build: new_id("bld", now),
        position,
        branch: moved.branch.clone(),
        commit: moved.commit.clone(),
        before: moved.before.clone(),
        files_url: files_url(source, &moved.commit),
        committed_at: moved.committed_at.unwrap_or(now),
        publishes,
        state: PushState::Waiting,
        rebuilds: 0,
        attempts: 0,
        due_at: now,
        outcome: None,
        summary: None,
        excerpts: None,
        created_at: now,
        trace: svc_trace::current_header(),
    };
    let build = Build {
        id: push.build.clone(),
        business: business.clone(),
        base_hash: tx.active_release(business).await?.map(|active| active.ir_hash),
        commit: Some(push.commit.clone()),
        progress: Progress::Waiting { files: None, attempts: 0, leased_until: None },
        created_at: now,
        trace: push.trace.clone(),
    };
    let older = tx.open_pushes(business, &moved.branch).await?;
    tx.insert_build(&build).await?;
    tx.insert_push(&push).await?;
    for older in older.iter().filter(|older| follows(&push, older)) {
        supersede(tx, older, &push, now).await?;
    }
    say(tx, &push, BUILD_CONTEXT, (ReportState::Pending, "waits to be built"), now).await?;
    if publishes {
        say(tx, &push, PUBLISH_CONTEXT, (ReportState::Pending, "waits for its build"), now).await?;
    }
    Ok(push)
}

/// Whether a push that just came is the newer of two on one branch: it began where the other one ended, or at least nothing says
/// that it is older. In doubt both are built; which one is published the forge says, which is asked where the branch stands.
fn follows(push: &Push, other: &Push) -> bool {
    let follows_on = |one: &Push, other: &Push| one.before.as_deref() == Some(other.commit.as_str());
    follows_on(push, other) || !follows_on(other, push) && push.committed_at > other.committed_at
}

/// Takes a push's build out of the queue, where no server works on it yet.
async fn supersede<C: Connection>(tx: &mut Tx<C>, older: &Push, by: &Push, now: Timestamp) -> Result<(), CoreError> {
    let summary = superseded_by(&by.commit);
    let failure = StoredFailure { code: SUPERSEDED.to_owned(), message: summary.clone() };
    let result = BuildResult { ir_hash: None, ir: None, diagnostics: "[]".to_owned(), failure: Some(failure.clone()) };
    if !tx.end_waiting_build(&older.build, failure, now).await? {
        return Ok(());
    }
    events::tell(tx, &older.business, &News::of_build(&older.build, &result), now, now).await?;
    tx.conclude_push(&older.business, &older.build, PushOutcome::Superseded, &summary).await?;
    // The same commit pushed again is told of as the newer push's.
    if older.commit == by.commit {
        return Ok(());
    }
    say(tx, older, BUILD_CONTEXT, (ReportState::Superseded, &summary), now).await?;
    if older.publishes {
        say(tx, older, PUBLISH_CONTEXT, (ReportState::Superseded, &summary), now).await?;
    }
    Ok(())
}

/// What is said of a push whose place a newer one took.
pub(crate) fn superseded_by(commit: &str) -> String {
    format!("superseded by {}, a newer push of the branch", short(commit))
}
