//! A business in a store, spoken to through the use cases with a clock of the test's own.

use crate::stores::Fresh;
use jiff::Timestamp;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use svc_core::adjustments::{Adjusted, Adjustment};
use svc_core::audit::Audit;
use svc_core::credits::{CreditSource, Credited};
use svc_core::invoices::{Closed, PeriodInvoice};
use svc_core::items::ItemResult;
use svc_core::plan_changes::{Changed, PlanChange, SubscriptionChange};
use svc_core::releases::Published;
use svc_core::shown_preview::ShownPreview;
use svc_core::subscribing::SubscriptionOrder;
use svc_core::{Core, CoreError};
use svc_engine::manifest::ir::Key;
use svc_engine::money::amount::{Cents, Nanos};
use svc_store::Store;
use svc_store::records::{BuildResult, Id, Subscription};

/// How often a preview is asked for while others write.
const ASKED_MAX: usize = 20;

/// A moment.
pub fn at(text: &str) -> Timestamp {
    text.parse().unwrap_or_else(|error| panic!("{text:?} is no moment: {error}"))
}

/// A business.
pub struct World<S> {
    /// The use cases.
    pub core: Core<S>,
    /// Its id.
    pub business: Id,
    /// The clock.
    pub now: Timestamp,
}

impl<S: Store> World<S> {
    /// A business that has published this build, at this moment.
    pub async fn new<F: Fresh<Store = S>>(fresh: &F, build: BuildResult, now: &str) -> World<S> {
        let core = Core::new(fresh.open().await);
        let now = at(now);
        let business = core.create_business("Test", now).await.unwrap().id;
        let world = World { core, business, now };
        world.publish(build).await;
        world
    }

    /// Sets the clock.
    pub fn go(&mut self, now: &str) -> &mut Self {
        self.now = at(now);
        self
    }

    /// Keeps and publishes a build.
    pub async fn publish(&self, build: BuildResult) -> Published {
        let build = self.core.keep_build(&self.business, build, self.now).await.unwrap();
        self.core.publish(&self.business, &build.id, None, None, self.now).await.unwrap()
    }

    /// Subscribes a subject.
    pub async fn subscribe(&self, subject: &str, plan: &str) -> Subscription {
        self.core.subscribe(&self.business, subject, SubscriptionOrder::of(plan), self.now).await.unwrap()
    }

    /// Changes a subscription's plan.
    ///
    /// # Errors
    /// What the use case says.
    pub async fn change_plan(&self, id: &Id, change: &PlanChange, dry_run: bool) -> Result<Changed, CoreError> {
        self.core.change_subscription(&self.business, id, &change.clone().into(), dry_run, self.now).await
    }

    /// Sets the most that a subscription has of its own, in cents, or takes it away.
    ///
    /// # Errors
    /// What the use case says.
    pub async fn set_most(&self, id: &Id, cents: Option<u64>, dry_run: bool) -> Result<Changed, CoreError> {
        let own = cents.map(|cents| Cents::try_from(cents).unwrap());
        let change = SubscriptionChange { plan: None, own_most_cents: Some(own) };
        self.core.change_subscription(&self.business, id, &change, dry_run, self.now).await
    }

    /// Reports measured values `(id, meter, units)`.
    pub async fn report(&self, subject: &str, items: &[(&str, &str, &str)]) -> Vec<ItemResult> {
        let item = |(id, meter, units): &(&str, &str, &str)| json!({ "id": id, "subject": subject, "meter": meter, "units": units });
        self.send(items.iter().map(item).collect()).await
    }

    /// Reports usage items.
    pub async fn send(&self, items: Vec<Json>) -> Vec<ItemResult> {
        self.core.report_usage(&self.business, items, self.now).await.unwrap()
    }

    /// The subject's preview.
    pub async fn preview(&self, subject: &str) -> Json {
        serde_json::to_value(self.try_preview(subject).await.unwrap()).unwrap()
    }

    /// The subject's preview, or why there is none. A server that kept nothing says the same.
    ///
    /// # Errors
    /// What the use case says.
    pub async fn try_preview(&self, subject: &str) -> Result<Arc<ShownPreview>, CoreError> {
        let mut asked = 1;
        loop {
            let shown = self.core.preview(&self.business, subject, self.now).await?;
            let another = Core::new(self.core.store.clone()).preview(&self.business, subject, self.now).await?;
            // Others may write between the two, but not each time.
            if shown == another {
                return Ok(shown);
            }
            assert!(asked < ASKED_MAX, "{shown:?} was kept where there is {another:?}");
            asked += 1;
        }
    }

    /// What the preview says is rated, funded and owed, in nanodollars.
    pub async fn totals(&self, subject: &str) -> (i128, i128, i128) {
        let totals = self.preview(subject).await["totals"].clone();
        let nanos = |name: &str| totals[name].as_str().unwrap().parse().unwrap();
        (nanos("ratedNanos"), nanos("fundedNanos"), nanos("receivableNanos"))
    }

    /// Closes every ended period of the business.
    pub async fn close(&self) -> Vec<PeriodInvoice> {
        self.core.close_invoices(&self.business, None, false, self.now).await.unwrap().invoices
    }

    /// What closing would do.
    pub async fn dry_close(&self) -> Closed {
        self.core.close_invoices(&self.business, None, true, self.now).await.unwrap()
    }

    /// Gives credit for all usage.
    pub async fn give(&self, subject: &str, cents: u64, kind: &str, days: Option<u32>) -> Credited {
        self.give_for(None, subject, (cents, kind, days)).await
    }

    /// Gives credit for some meters.
    pub async fn give_for(
        &self,
        meters: Option<&[&str]>,
        subject: &str,
        (cents, kind, days): (u64, &str, Option<u32>),
    ) -> Credited {
        let key = |meter: &&str| Key::try_from((*meter).to_owned()).unwrap();
        let meters = meters.map(|meters| meters.iter().map(key).collect());
        let kind = serde_json::from_value(json!(kind)).unwrap();
        let amount_cents = Cents::try_from(cents).unwrap();
        let source = CreditSource::Given { amount_cents, kind, expires_after_days: days, meters };
        self.core.give_credit(&self.business, subject, &source, None, self.now).await.unwrap()
    }

    /// Corrects what is owed.
    pub async fn correct(&self, subject: &str, nanos: i128) -> Adjusted {
        let adjustment = Adjustment::Correction { amount: Nanos::new(nanos) };
        self.core.adjust(&self.business, subject, &adjustment, "a test", None, self.now).await.unwrap()
    }

    /// Refunds a usage item.
    ///
    /// # Errors
    /// What the use case says.
    pub async fn refund(&self, subject: &str, item: &str) -> Result<Adjusted, CoreError> {
        let adjustment = Adjustment::Refund { item: item.to_owned() };
        self.core.adjust(&self.business, subject, &adjustment, "a test", None, self.now).await
    }

    /// The audit; everything must agree.
    pub async fn audit(&self) -> Audit {
        let audit = self.core.audit(&self.business).await.unwrap();
        assert!(audit.findings.is_empty(), "{:#?}", audit.findings);
        audit
    }

    /// How many subscribers each version of each plan has.
    pub async fn subscribers(&self) -> BTreeMap<(String, u32), u64> {
        let versions = self.core.plan_versions(&self.business, None, 100, self.now).await.unwrap().0;
        versions.into_iter().map(|version| ((version.plan, version.version), version.subscribers)).collect()
    }
}

/// Statuses of results, with the code of those refused.
pub fn statuses(results: &[ItemResult]) -> Vec<&str> {
    let status = |result: &ItemResult| match result {
        ItemResult::Accepted { .. } => "accepted",
        ItemResult::Duplicate { .. } => "duplicate",
        ItemResult::Refused { code, .. } => code,
    };
    results.iter().map(status).collect()
}
