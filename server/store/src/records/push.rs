//! Build on push: where a product is pushed to, what was delivered, the builds that were asked for, and what is said of them.

use super::id::Id;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

/// The forges that are spoken to, by the API that they have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, IntoStaticStr, VariantArray, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum ForgeKind {
    /// GitHub, its Enterprise Server too.
    Github,
    /// GitLab.
    Gitlab,
    /// Gitea and Forgejo.
    Gitea,
}

/// Where a business's product is pushed to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Whose it is; each business has one at most.
    pub business: Id,
    /// What kind of forge it is.
    pub forge: ForgeKind,
    /// Where its API is: `https://api.github.com`.
    pub api_base: String,
    /// The repository's path there: `owner/name`.
    pub repository: String,
    /// The folder that holds `product/`; empty for the repository's root.
    pub folder: String,
    /// The branch that is published; the repository's default one where none is named.
    pub branch: Option<String>,
    /// The access token, sealed.
    pub sealed_token: Vec<u8>,
    /// What deliveries are signed with, sealed.
    pub sealed_secret: Vec<u8>,
    /// What they were signed with before, sealed, and until when that is taken.
    pub previous: Option<(Vec<u8>, Timestamp)>,
    /// Of the push that was accepted last.
    pub position: u64,
    /// Of the newest push that was published.
    pub published_position: u64,
    /// When it was made, or made anew.
    pub created_at: Timestamp,
}

/// What became of a delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr, VariantArray, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum DeliveryOutcome {
    /// It asked for a build.
    Queued,
    /// Nothing changed below the folder since a commit that was found good.
    Unchanged,
    /// It is nothing to build.
    Skipped,
}

/// A delivery that a forge made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// Whose it is.
    pub business: Id,
    /// The forge's id of it.
    pub delivery: String,
    /// Ours, which sorts by age.
    pub id: Id,
    /// The event's name, as the forge has it.
    pub event: String,
    /// The branch that was pushed.
    pub branch: Option<String>,
    /// The commit that it stands at now.
    pub commit: Option<String>,
    /// What became of it.
    pub outcome: DeliveryOutcome,
    /// Why, in a sentence.
    pub reason: String,
    /// The build that it asked for.
    pub build: Option<Id>,
    /// When it came.
    pub received_at: Timestamp,
}

/// How far a push is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum PushState {
    /// Its commit is to be fetched.
    Waiting,
    /// Its build waits in the queue, or is under way.
    Building,
    /// Its build ended: it is to be published, or compared with what is published.
    Ended,
    /// All is done.
    Done,
}

/// What a push came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr, VariantArray)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum PushOutcome {
    /// Its build is the active release.
    Published,
    /// Its build is good; it was compared with the active release.
    Compared,
    /// A newer push of the branch came before it was published.
    Superseded,
    /// Its build is good and could not be published.
    Refused,
    /// Its build failed.
    Failed,
}

/// A build that a push asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Push {
    /// Whose it is.
    pub business: Id,
    /// The build.
    pub build: Id,
    /// Its place among the business's pushes, in the order in which they were accepted.
    pub position: u64,
    /// The branch.
    pub branch: String,
    /// The commit that the branch was moved to.
    pub commit: String,
    /// The commit that it stood at before.
    pub before: Option<String>,
    /// What stands before a file's path in the address of its page at the forge, at this commit.
    pub files_url: String,
    /// When the commit was made, by its author's clock; when the delivery came where it does not say.
    pub committed_at: Timestamp,
    /// Whether the branch is the one that is published.
    pub publishes: bool,
    /// How far it is.
    pub state: PushState,
    /// How often it was built again since another release was activated meanwhile.
    pub rebuilds: u32,
    /// How often a server has taken its present step.
    pub attempts: u32,
    /// When its present step is due.
    pub due_at: Timestamp,
    /// What it came to, when it is done.
    pub outcome: Option<PushOutcome>,
    /// What it came to, in a sentence.
    pub summary: Option<String>,
    /// Its diagnostics as the command line shows them, as JSON.
    pub excerpts: Option<String>,
    /// When it was accepted.
    pub created_at: Timestamp,
    /// The trace of its build, as `traceparent` says it. It is kept with the build.
    pub trace: Option<String>,
}

/// What a commit's status says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr, VariantArray)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum ReportState {
    /// Work is under way.
    Pending,
    /// All is well.
    Success,
    /// The product is wrong.
    Failure,
    /// Something else went wrong.
    Error,
    /// A newer commit took its place.
    Superseded,
}

/// A commit's status, to be sent to the forge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatusReport {
    /// Whose it is.
    pub business: Id,
    /// The commit.
    pub commit: String,
    /// What it is about: `svc/build` or `svc/publish`.
    pub context: String,
    /// The build that it tells of.
    pub build: Option<Id>,
    /// What it says.
    pub state: ReportState,
    /// The same, in a line.
    pub description: String,
    /// Counts what it has said.
    pub revision: u64,
    /// How often a server has taken this revision.
    pub attempts: u32,
    /// The trace of the build that it tells of, as `traceparent` says it. It is kept with the build.
    pub trace: Option<String>,
}
