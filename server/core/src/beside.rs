//! Long work that reads as it goes, such as a comparison of many bills: on a thread of its own, which gives way to whoever is served.

use crate::core::Core;
use crate::error::CoreError;
use std::thread;
use svc_store::Store;
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tracing::{Instrument, Span};

/// How much less of the processor such work gets than a thread that serves, where both want it: the nice value, of -20 to 19. At 10 it is
/// about a tenth, so that it goes on at a server that is never idle.
const NICE: i32 = 10;

/// Lets whoever waits for the processor go first. Called between two pieces of such work that take it for long: a system that serves
/// threads in turn would let one of them have it for milliseconds.
pub(crate) fn give_way() {
    thread::yield_now();
}

/// Makes the current thread one that gets less of the processor. Only Linux has this for a single thread.
fn be_nice() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(None, NICE) {
        // Allowed to everybody on Linux; a sandbox may refuse it.
        tracing::debug!("a thread of long work has the priority of others: {error}");
    }
}

impl<S: Store> Core<S> {
    /// Does long work that reads as it goes, such as a comparison of many bills, on a thread of its own: between two of its reads it takes
    /// the processor for milliseconds, for which a thread that serves would hear of no request. It ends when nobody waits for it any more.
    ///
    /// # Errors
    /// What the work says; [`CoreError::Internal`] where it failed.
    pub(crate) async fn beside<T: Send + 'static, W: Future<Output = Result<T, CoreError>>>(
        &self,
        work: impl FnOnce(Core<S>) -> W + Send + 'static,
    ) -> Result<T, CoreError> {
        let (core, runtime, span) = (self.clone(), Handle::current(), Span::current());
        let (mut tell, told) = oneshot::channel();
        let failed = |error: String| CoreError::Internal(format!("work on a thread of its own failed: {error}"));
        let thread = thread::Builder::new().name("beside".to_owned()).spawn(move || {
            be_nice();
            let work = work(core).instrument(span);
            runtime.block_on(async move {
                tokio::select! {
                    done = work => {
                        let _nobody_waits = tell.send(done);
                    }
                    () = tell.closed() => {}
                }
            });
        });
        thread.map_err(|error| failed(error.to_string()))?;
        told.await.map_err(|_| failed("it panicked".to_owned()))?
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use svc_store::sqlite::Sqlite;

    /// Far longer than a thread takes to hear that nobody waits.
    const PATIENCE: Duration = Duration::from_secs(30);

    #[tokio::test]
    async fn work_beside_ends_when_nobody_waits_for_it() {
        let core = Core::new(Sqlite::in_memory().unwrap());
        let (begun, begins) = oneshot::channel();
        let (held, ended) = oneshot::channel::<()>();
        let work = core.beside(move |_core| async move {
            let _held = held;
            let _heard = begun.send(());
            std::future::pending::<Result<(), CoreError>>().await
        });
        tokio::select! {
            _ = work => panic!("it has no end of its own"),
            heard = begins => heard.unwrap(),
        }
        // Its own things are dropped with it.
        assert!(tokio::time::timeout(PATIENCE, ended).await.unwrap().is_err());
    }

    #[tokio::test]
    async fn work_beside_that_panics_is_an_error() {
        let core = Core::new(Sqlite::in_memory().unwrap());
        let failed = core.beside(|_core| async { panic!("a fault") as Result<(), CoreError> }).await;
        assert!(matches!(failed, Err(CoreError::Internal(_))));
    }
}
