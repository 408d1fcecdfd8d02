//! What the page of a build shows: to whoever was given the link.

use crate::core::Core;
use crate::error::CoreError;
use serde::{Deserialize, Serialize};
use svc_engine::manifest::change_text::{self, Wording};
use svc_engine::manifest::diff::diff;
use svc_store::records::{Build, Id, Progress, Push, ReportState};
use svc_store::{Mode, Store};

/// A diagnostic as the command line shows it, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Excerpt {
    /// The file, below the source's folder.
    pub file: Option<String>,
    /// The line in it, from 1.
    pub line: Option<u32>,
    /// The very text.
    pub text: String,
}

/// A commit's status, and whether the forge has it.
#[derive(Clone, Debug)]
pub struct ShownReport {
    /// `svc/build` or `svc/publish`.
    pub context: String,
    /// What it says.
    pub state: ReportState,
    /// The same, in a line.
    pub description: String,
    /// Whether it was sent.
    pub is_sent: bool,
    /// Why it was given up.
    pub gave_up: Option<String>,
}

/// What the page of a build shows.
#[derive(Clone, Debug)]
pub struct BuildPage {
    /// The build.
    pub build: Build,
    /// The push that asked for it.
    pub push: Push,
    /// Its diagnostics.
    pub excerpts: Vec<Excerpt>,
    /// What its commit's statuses say.
    pub reports: Vec<ShownReport>,
    /// What changes against the active release, where it is good and was not published.
    pub changes: Option<String>,
}

impl<S: Store> Core<S> {
    /// The page of a build, where the capability opens it.
    ///
    /// # Errors
    /// [`CoreError::NotFound`], alike for what is not there and what does not open; [`CoreError::Store`].
    pub async fn build_page(&self, business: &Id, build: &Id, capability: &str) -> Result<BuildPage, CoreError> {
        let missing = || CoreError::NotFound("there is no such page");
        if !self.push.secrets.as_ref().is_some_and(|secrets| secrets.opens(business, build, capability)) {
            return Err(missing());
        }
        let mut tx = self.store.begin(Mode::Read).await?;
        let (build, push) = (tx.build(business, build).await?, tx.push(business, build).await?);
        let (build, push) = build.zip(push).ok_or_else(missing)?;
        let reports = tx.reports(business, &push.commit).await?;
        let before = match tx.active_release(business).await? {
            Some(active) => self.manifest(&mut tx, business, &active.id).await?,
            None => None,
        };
        drop(tx);
        let excerpts = push.excerpts.as_deref().map(serde_json::from_str).transpose();
        let excerpts = excerpts.map_err(|error| CoreError::Internal(error.to_string()))?.unwrap_or_default();
        let ir = match &build.progress {
            Progress::Ended(result) => result.ir.clone(),
            Progress::Waiting { .. } => None,
        };
        let changes = match ir {
            Some(ir) => {
                let compare = move || {
                    let after = serde_json::from_str(&ir).ok()?;
                    let (before, after) = (before.as_deref(), Some(&after));
                    Some(change_text::human(&diff(before, after), Wording::Author { before, after }))
                };
                self.aside(compare).await?
            }
            None => None,
        };
        let shown = |(context, state, description, is_sent, gave_up)| ShownReport {
            context,
            state,
            description,
            is_sent,
            gave_up,
        };
        Ok(BuildPage { build, push, excerpts, reports: reports.into_iter().map(shown).collect(), changes })
    }
}
