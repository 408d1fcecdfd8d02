//! Which moment the files of a product have changed at: however an editor saves, and whatever comes and goes.

use crate::build;
use crate::output::CommandError;
use notify::event::EventKind;
use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::sync::mpsc;

/// How long nothing may change before a change counts, in milliseconds: an editor saves in several steps.
const QUIET_MS: u64 = 25;
/// Longest wait for such a moment, in milliseconds.
const QUIET_MAX_MS: u64 = 500;
/// Changes that are noted while one is looked at; more say nothing new.
const NOTED_MAX: usize = 16;

/// A product's folder, watched.
pub(super) struct Watch {
    watcher: RecommendedWatcher,
    changes: mpsc::Receiver<()>,
    product: PathBuf,
}

impl Watch {
    /// Watches `dir/product`, and whether there is one.
    ///
    /// # Errors
    /// Where the system watches no more.
    pub(super) fn start(dir: &Path) -> Result<Watch, CommandError> {
        let (tell, changes) = mpsc::channel(NOTED_MAX);
        let note = move |event: notify::Result<Event>| {
            // What was lost may have been a change.
            if event.is_ok_and(|event| matches!(event.kind, EventKind::Access(_))) {
                return;
            }
            let _full_says_the_same = tell.try_send(());
        };
        let mut watcher = notify::recommended_watcher(note).map_err(build::unavailable)?;
        watcher.watch(dir, RecursiveMode::NonRecursive).map_err(build::unavailable)?;
        let mut watch = Watch { watcher, changes, product: dir.join("product") };
        watch.follow();
        Ok(watch)
    }

    /// Watches the folder that is there now: another one may have its name.
    fn follow(&mut self) {
        let _it_was_not_watched = self.watcher.unwatch(&self.product);
        let _it_is_not_there = self.watcher.watch(&self.product, RecursiveMode::Recursive);
    }

    /// The next change, once it has settled. Dropping what this returns loses none.
    pub(super) async fn changed(&mut self) {
        if self.changes.recv().await.is_none() {
            return std::future::pending().await;
        }
        let quiet = Duration::from_millis(QUIET_MS);
        let settle = async { while let Ok(Some(())) = tokio::time::timeout(quiet, self.changes.recv()).await {} };
        let _long_enough = tokio::time::timeout(Duration::from_millis(QUIET_MAX_MS), settle).await;
        self.follow();
    }
}
