//! Looks at which version of a position there is, which wait for each other inside this process: while one of a business is on its way, those
//! that come are taken along by the next, all in one question to the store. Each begins after whoever is told of it has asked.

use crate::error::CoreError;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use svc_store::records::Id;
use svc_store::{Mode, Store};
use tokio::sync::oneshot;

/// Who is told of one look, at most: those who are told go on at once, and others' requests wait behind them.
pub const LOOK_SHARED_MAX: usize = 16;

/// The businesses that are looked at, each with those who wait for the next look.
#[derive(Debug, Default)]
pub(crate) struct Looks(Mutex<HashMap<Id, VecDeque<Waiting>>>);

/// Who waits for a look at a subject.
#[derive(Debug)]
struct Waiting {
    subject: String,
    told: oneshot::Sender<Told>,
}

/// What who waited is told.
#[derive(Debug)]
enum Told {
    /// What there is, as somebody else saw it.
    Version(Option<String>),
    /// That it is next to look, for all that wait.
    Next(Looking),
}

/// The one that looks at a business. Whoever waits when it is over, however it ends, looks next.
#[derive(Debug)]
struct Looking {
    looks: Arc<Looks>,
    business: Id,
}

impl Looks {
    /// Which version of a subject's position there is; see `Tx::versions_of`.
    ///
    /// # Errors
    /// [`CoreError::Store`].
    pub(crate) async fn version_of<S: Store>(
        self: &Arc<Self>,
        store: &S,
        business: &Id,
        subject: &str,
    ) -> Result<Option<String>, CoreError> {
        let looking = match self.join(business, subject) {
            Ok(looking) => Some(looking),
            Err(told) => match told.await {
                Ok(Told::Version(version)) => return Ok(version),
                Ok(Told::Next(looking)) => Some(looking),
                // Who looked failed, or is not interested any more.
                Err(_) => None,
            },
        };
        let others = looking.as_ref().map(Looking::others).unwrap_or_default();
        let mut subjects: Vec<String> = others.iter().map(|other| other.subject.clone()).collect();
        subjects.push(subject.to_owned());
        subjects.sort();
        subjects.dedup();
        let versions = store.begin(Mode::ReadOnce).await?.versions_of(business, subjects).await?;
        for Waiting { subject, told } in others {
            // Nobody waits for it any more where it can't be told.
            let _gone = told.send(Told::Version(versions.get(&subject).cloned()));
        }
        Ok(versions.get(subject).cloned())
    }

    /// Who is first looks; who isn't is told.
    fn join(self: &Arc<Self>, business: &Id, subject: &str) -> Result<Looking, oneshot::Receiver<Told>> {
        let mut waiting = self.waiting();
        let Some(behind) = waiting.get_mut(business) else {
            waiting.insert(business.clone(), VecDeque::new());
            return Ok(Looking { looks: Arc::clone(self), business: business.clone() });
        };
        let (told, is_told) = oneshot::channel();
        behind.push_back(Waiting { subject: subject.to_owned(), told });
        Err(is_told)
    }

    /// The next that still waits; nobody looks at the business any more where there is none.
    fn next(&self, business: &Id) -> Option<Waiting> {
        let mut waiting = self.waiting();
        let behind = waiting.get_mut(business)?;
        while let Some(next) = behind.pop_front() {
            if !next.told.is_closed() {
                return Some(next);
            }
        }
        waiting.remove(business);
        None
    }

    fn waiting(&self) -> MutexGuard<'_, HashMap<Id, VecDeque<Waiting>>> {
        // Whole at every moment, so a panic elsewhere leaves nothing half done.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Looking {
    /// Those who wait by now, as far as one look is for them.
    fn others(&self) -> VecDeque<Waiting> {
        let mut waiting = self.looks.waiting();
        let Some(behind) = waiting.get_mut(&self.business) else { return VecDeque::new() };
        let later = behind.split_off(behind.len().min(LOOK_SHARED_MAX.saturating_sub(1)));
        std::mem::replace(behind, later)
    }
}

impl Drop for Looking {
    fn drop(&mut self) {
        let Some(next) = self.looks.next(&self.business) else { return };
        let looking = Looking { looks: Arc::clone(&self.looks), business: self.business.clone() };
        // Where it has just gone, what it would have been told ends here, and with it its turn.
        let _gone = next.told.send(Told::Next(looking));
    }
}
