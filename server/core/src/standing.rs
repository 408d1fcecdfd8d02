//! Under what a subject is served: the release and the plan by which a gateway lets requests through. It reads; what is charged is
//! decided when usage comes.

use crate::core::Core;
use crate::error::CoreError;
use crate::subscriptions;
use crate::terms::Terms;
use jiff::Timestamp;
use std::collections::BTreeSet;
use std::sync::Arc;
use svc_engine::manifest::ir::Manifest;
use svc_store::records::{Id, Projection, Subscription};
use svc_store::{Connection, Mode, Store, Tx};

/// Under what a subject is served.
#[derive(Clone, Debug)]
pub struct Standing {
    /// The live subscription.
    pub subscription: Subscription,
    /// The plan as it is served, with its version.
    pub projection: Arc<Projection>,
    /// The release.
    pub manifest: Arc<Manifest>,
}

impl<S: Store> Core<S> {
    /// Under what a subject is served at `now`; nothing without a live subscription.
    ///
    /// # Errors
    /// [`CoreError::Internal`] where release or projection are missing or altered; [`CoreError::Store`].
    pub async fn standing(&self, business: &Id, subject: &str, now: Timestamp) -> Result<Option<Standing>, CoreError> {
        self.again(move || {
            Box::pin(async move {
                let mut tx = self.store.begin(Mode::Read).await?;
                let Some(found) = tx.live_subscription(business, subject).await? else { return Ok(None) };
                if found.next_due_at.is_none_or(|due| due > now) {
                    return self.standing_of(&mut tx, found).await.map(Some);
                }
                // Time has passed over the subscription: it may have moved, or ended.
                drop(tx);
                let _turn = self.subjects.at(business, BTreeSet::from([subject])).await;
                let mut tx = self.store.begin(Mode::Write).await?;
                let settled = match subscriptions::lock_live(&mut tx, business, subject, now).await? {
                    Some(locked) => {
                        let subscription = locked.subscription.clone();
                        locked.save(&mut tx).await?;
                        Some(subscription)
                    }
                    None => None,
                };
                let standing = match settled {
                    Some(subscription) => Some(self.standing_of(&mut tx, subscription).await?),
                    None => None,
                };
                tx.commit().await?;
                Ok(standing)
            })
        })
        .await
    }

    async fn standing_of<C: Connection>(
        &self,
        tx: &mut Tx<S::Connection>,
        subscription: Subscription,
    ) -> Result<Standing, CoreError>
    where
        S: Store<Connection = C>,
    {
        let missing = |what: &str| CoreError::Internal(format!("the {what} a subject is served under is missing"));
        let Subscription { business, release, plan, .. } = &subscription;
        let stored = tx.projection(business, release, plan).await?;
        let projection = stored.as_ref().and_then(Terms::verified).ok_or_else(|| missing("projection"))?;
        let manifest = self.manifest(tx, business, release).await?.ok_or_else(|| missing("release"))?;
        Ok(Standing { subscription, projection: projection.projection(), manifest })
    }
}
