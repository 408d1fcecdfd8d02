//! What is done for a push beside building it: its commit's files are fetched from the forge, its build is published or compared, and
//! its commit's statuses are sent.

use crate::excerpt;
use jiff::{SignedDuration, Timestamp};
use std::sync::Arc;
use std::time::Duration;
use svc_core::push_steps::{Head, Judged};
use svc_core::reports::ATTEMPTS_MAX as REPORT_ATTEMPTS_MAX;
use svc_core::sources::OpenSource;
use svc_core::work::{self, Queue};
use svc_core::{Clock, Core, CoreError};
use svc_engine::diagnostic::Diagnostic;
use svc_engine::sources::{self, SourceLimits, Sources};
use svc_forge::{Forge, ForgeError, Place, Retry, Status, StatusState};
use svc_outbound::Outbound;
use svc_store::Store;
use svc_store::records::{BuildResult, ForgeKind, Push, PushState, ReportState, StatusReport, StoredFailure};
use tokio::sync::Semaphore;

/// Pushes whose steps a server does at once.
const STEPS_AT_ONCE: usize = 16;
/// Statuses that a server sends at once.
const REPORTS_AT_ONCE: usize = 16;
/// How often a step is tried, with pauses that double: about ten minutes.
const ATTEMPTS_MAX: u32 = 12;
/// How often a commit is asked for that the forge does not have: just after a push it may not have it yet.
const MISSING_ATTEMPTS_MAX: u32 = 4;
/// First pause before a step is tried again, in milliseconds; it doubles.
const PAUSE_MIN_MS: u64 = 500;
/// Longest pause before a step is tried again, in milliseconds.
const PAUSE_MAX_MS: u64 = 120_000;
/// Longest time that a forge may have a step wait, in seconds.
const WAIT_MAX_SECONDS: u64 = 3_900;

/// Does the steps of pushes, and sends statuses.
#[derive(Clone)]
pub struct Pushes<S> {
    steps: Steps<S>,
    reports: Reports<S>,
}

/// The queue of steps.
#[derive(Clone)]
struct Steps<S> {
    desk: Desk<S>,
    slots: Arc<Semaphore>,
}

/// The queue of statuses.
#[derive(Clone)]
struct Reports<S> {
    desk: Desk<S>,
    slots: Arc<Semaphore>,
}

/// What both need.
#[derive(Clone)]
struct Desk<S> {
    core: Core<S>,
    http: Outbound,
    clock: Arc<Clock>,
}

impl<S: Store> Pushes<S> {
    /// With the connections to forges.
    pub fn new(core: Core<S>, http: Outbound, clock: Arc<Clock>) -> Self {
        let desk = Desk { core, http, clock };
        let steps = Steps { desk: desk.clone(), slots: Arc::new(Semaphore::new(STEPS_AT_ONCE)) };
        Pushes { steps, reports: Reports { desk, slots: Arc::new(Semaphore::new(REPORTS_AT_ONCE)) } }
    }

    /// Does what is due, for ever.
    pub async fn run(&self) {
        tokio::join!(work::run(&self.steps), work::run(&self.reports));
    }
}

impl<S: Store> Desk<S> {
    fn now(&self) -> Timestamp {
        (self.clock)()
    }

    fn forge(&self, open: &OpenSource) -> Result<Forge, ForgeError> {
        let place = Place {
            api_base: open.source.api_base.clone(),
            repository: open.source.repository.clone(),
            token: open.token.clone(),
            is_named: open.is_named,
        };
        match open.source.forge {
            ForgeKind::Github => Forge::github(&self.http, &place),
            ForgeKind::Gitlab => Forge::gitlab(&self.http, &place),
            ForgeKind::Gitea => Forge::gitea(&self.http, &place),
        }
    }

    /// When something is tried again that was tried `attempts` times; nothing where it is not.
    fn again_at(&self, retry: Retry, attempts: u32, attempts_max: u32) -> Option<Timestamp> {
        let now = self.now();
        let doubled = PAUSE_MIN_MS.saturating_mul(1 << attempts.saturating_sub(1).min(16)).min(PAUSE_MAX_MS);
        let pause = Duration::from_millis(doubled);
        let most = if retry == Retry::IfNew { MISSING_ATTEMPTS_MAX.min(attempts_max) } else { attempts_max };
        let pause = match retry {
            _ if attempts >= most => return None,
            Retry::Never => return None,
            Retry::Soon | Retry::IfNew => pause,
            Retry::After(wait) => wait.max(pause),
            Retry::At(second) => {
                let left = i64::try_from(second).unwrap_or(i64::MAX).saturating_sub(now.as_second());
                Duration::from_secs(u64::try_from(left).unwrap_or_default()).max(pause)
            }
        };
        let pause = pause.min(Duration::from_secs(WAIT_MAX_SECONDS));
        now.checked_add(SignedDuration::try_from(pause).ok()?).ok()
    }
}

impl<S: Store> Steps<S> {
    /// Fetches a push's files, and lets its build into the queue.
    async fn fetch(&self, push: &Push) -> Result<(), CoreError> {
        let open = match self.desk.core.open_source(&push.business).await {
            Ok(open) => open,
            Err(CoreError::NotFound(_)) => {
                return self.fail(push, "SOURCE_REMOVED", "the business's source was taken away").await;
            }
            Err(error) => return Err(error),
        };
        let fetched = async { self.desk.forge(&open)?.files(&push.commit, &open.source.folder).await };
        match fetched.await {
            Ok(files) => match sources::check(&files, &SourceLimits::default()) {
                Ok(()) => self.desk.core.push_is_fetched(push, &files).await,
                Err(problems) => self.reject(push, &problems, &files).await,
            },
            Err(error) => {
                tracing::info!(code = error.code, %error, build = %push.build, attempts = push.attempts, "a commit was not fetched");
                match self.desk.again_at(error.retry, push.attempts, ATTEMPTS_MAX) {
                    Some(due_at) => self.desk.core.postpone_push(push, due_at).await,
                    None => self.fail(push, error.code, &error.message).await,
                }
            }
        }
    }

    /// Ends a push's build whose files already say that it fails.
    async fn reject(&self, push: &Push, problems: &[Diagnostic], files: &Sources) -> Result<(), CoreError> {
        let text = |json: serde_json::Result<String>| json.map_err(|error| CoreError::Internal(error.to_string()));
        let (diagnostics, excerpts) = (text(serde_json::to_string(problems))?, text(excerpt::stored(problems, files))?);
        let result = BuildResult { ir_hash: None, ir: None, diagnostics, failure: None };
        self.desk.core.end_build(&push.business, &push.build, &result, Some(&excerpts), self.desk.now()).await
    }

    /// Ends a push's build whose files could not be had.
    async fn fail(&self, push: &Push, code: &str, message: &str) -> Result<(), CoreError> {
        let failure = Some(StoredFailure { code: code.to_owned(), message: message.to_owned() });
        let result = BuildResult { ir_hash: None, ir: None, diagnostics: "[]".to_owned(), failure };
        self.desk.core.end_build(&push.business, &push.build, &result, None, self.desk.now()).await
    }

    /// Publishes a push's build, or compares it.
    async fn conclude(&self, push: &Push) -> Result<(), CoreError> {
        let core = &self.desk.core;
        if !core.needs_head(push).await? {
            return core.conclude_push(push, None, self.desk.now()).await;
        }
        let (head, retry) = match self.head(push).await? {
            Ok(Judged::Sure(head)) => return core.conclude_push(push, Some(&head), self.desk.now()).await,
            Ok(Judged::Doubtful(head)) => (Some(head), Retry::IfNew),
            Err(error) => (None, error.retry),
        };
        match self.desk.again_at(retry, push.attempts, ATTEMPTS_MAX) {
            Some(due_at) => core.postpone_push(push, due_at).await,
            None => core.conclude_push(push, head.as_ref(), self.desk.now()).await,
        }
    }

    /// Where the forge says that a push's branch stands.
    async fn head(&self, push: &Push) -> Result<Result<Judged, ForgeError>, CoreError> {
        let open = match self.desk.core.open_source(&push.business).await {
            // Publishing will say that there is none.
            Err(CoreError::NotFound(_)) => return Ok(Ok(Judged::Sure(Head::Here))),
            open => open?,
        };
        let asked = async { self.desk.forge(&open)?.head(&push.branch).await };
        match asked.await {
            Ok(stands_at) => self.desk.core.judge_head(push, stands_at).await.map(Ok),
            Err(error) => Ok(Err(error)),
        }
    }
}

impl<S: Store> Reports<S> {
    async fn send(&self, report: &StatusReport) -> Result<(), CoreError> {
        let core = &self.desk.core;
        let open = match core.open_source(&report.business).await {
            Ok(open) => open,
            Err(CoreError::NotFound(why)) => return core.report_is_unsent(report, None, why).await,
            Err(error) => return Err(error),
        };
        let target_url = report.build.as_ref().map(|build| core.page_url(&report.business, build)).transpose()?;
        let status = Status {
            commit: report.commit.clone(),
            context: report.context.clone(),
            state: state(report.state),
            description: report.description.clone(),
            target_url,
        };
        let sent = async { self.desk.forge(&open)?.set_status(&status).await };
        match sent.await {
            Ok(()) => core.report_is_sent(report).await,
            Err(error) => {
                tracing::info!(code = error.code, %error, attempts = report.attempts, "a commit status was not sent");
                let due_at = self.desk.again_at(error.retry, report.attempts, REPORT_ATTEMPTS_MAX);
                core.report_is_unsent(report, due_at, &error.message).await
            }
        }
    }
}

fn state(state: ReportState) -> StatusState {
    match state {
        ReportState::Pending => StatusState::Pending,
        ReportState::Success => StatusState::Success,
        ReportState::Failure => StatusState::Failure,
        ReportState::Error => StatusState::Error,
        ReportState::Superseded => StatusState::Superseded,
    }
}

impl<S: Store> Queue for Steps<S> {
    const NAME: &'static str = "step of a push";

    type Work = Push;

    fn slots(&self) -> &Arc<Semaphore> {
        &self.slots
    }

    async fn take(&self) -> Result<Option<Push>, CoreError> {
        self.desk.core.take_push(self.desk.now()).await
    }

    async fn wait(&self, at_most: Duration) {
        self.desk.core.queued_push(at_most).await;
    }

    fn cause(push: &Push) -> Option<&str> {
        push.trace.as_deref()
    }

    async fn work(&self, push: Push) -> Result<(), CoreError> {
        match push.state {
            PushState::Waiting => self.fetch(&push).await,
            PushState::Ended => self.conclude(&push).await,
            PushState::Building | PushState::Done => Ok(()),
        }
    }
}

impl<S: Store> Queue for Reports<S> {
    const NAME: &'static str = "send commit status";

    type Work = StatusReport;

    fn slots(&self) -> &Arc<Semaphore> {
        &self.slots
    }

    async fn take(&self) -> Result<Option<StatusReport>, CoreError> {
        self.desk.core.take_report(self.desk.now()).await
    }

    async fn wait(&self, at_most: Duration) {
        self.desk.core.queued_report(at_most).await;
    }

    fn cause(report: &StatusReport) -> Option<&str> {
        report.trace.as_deref()
    }

    async fn work(&self, report: StatusReport) -> Result<(), CoreError> {
        self.send(&report).await
    }
}
