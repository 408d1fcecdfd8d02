//! Money at the prompt: the service's own use cases on a store in memory, with a clock that the author moves. Nothing is worked out here.

use crate::build;
use crate::global::Exit;
use crate::output::{CommandError, plural};
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};
use serde_json::{Value as Json, json};
use svc_core::invoices::PeriodInvoice;
use svc_core::items::ItemResult;
use svc_core::subscribing::SubscriptionOrder;
use svc_core::{Core, CoreError};
use svc_engine::manifest::{Manifest, canonical, words};
use svc_engine::money::amount::Nanos;
use svc_engine::money::bill::{Preview, SignedCents};
use svc_store::records::{BuildResult, Id, Subscription};
use svc_store::sqlite::Sqlite;

/// Where the clock stands at first: a month of 31 days begins.
const FIRST_MOMENT: &str = "2026-01-01T00:00:00Z";
/// Nanodollars of a dollar.
const NANOS_PER_DOLLAR: u128 = 1_000_000_000;

/// A service of the author's own.
pub(crate) struct Money {
    core: Core<Sqlite>,
    business: Id,
    now: Timestamp,
    /// The manifest that is released.
    released: Option<String>,
    subscription: Option<Subscription>,
    subjects: usize,
    items: usize,
}

/// What a use case says, as a failure of a command's.
pub(crate) fn refused(error: CoreError) -> CommandError {
    match &error {
        CoreError::Invalid { code, message } => CommandError::new(Exit::Wrong, *code, message.clone()),
        _ => CommandError::new(Exit::Refused, "REFUSED", error.to_string()),
    }
}

impl Money {
    /// A service without a release, at the first moment.
    ///
    /// # Errors
    /// Where there is no memory for the store.
    pub(crate) async fn new() -> Result<Money, CommandError> {
        let store = Sqlite::in_memory().map_err(build::unavailable)?;
        let core = Core::new(store);
        let now = FIRST_MOMENT.parse().map_err(build::unavailable)?;
        let business = core.create_business("repl", now).await.map_err(refused)?.id;
        Ok(Money { core, business, now, released: None, subscription: None, subjects: 0, items: 0 })
    }

    /// Releases the manifest, where it is not released yet, and subscribes a new subject to one of its plans.
    pub(crate) async fn subscribe(&mut self, manifest: &Manifest, plan: &str) -> Result<String, CommandError> {
        let mut lines = Vec::new();
        lines.extend(self.release(manifest).await?);
        let subject = format!("subscriber-{}", self.subjects.saturating_add(1));
        let subscribed = self
            .core
            .subscribe(&self.business, &subject, SubscriptionOrder::of(plan), self.now)
            .await
            .map_err(refused)?;
        self.subjects = self.subjects.saturating_add(1);
        let fee = words::cents(subscribed.recurring_fee_cents.get());
        lines.push(format!("{subject} is subscribed to {plan} from {} on, for {fee}", self.now));
        self.subscription = Some(subscribed);
        Ok(lines.join("\n"))
    }

    async fn release(&mut self, manifest: &Manifest) -> Result<Option<String>, CommandError> {
        let bytes = canonical::bytes(manifest).map_err(build::unavailable)?;
        let hash = canonical::hash_bytes(&bytes);
        if self.released.as_ref() == Some(&hash) {
            return Ok(None);
        }
        let ir = String::from_utf8(bytes).map_err(build::unavailable)?;
        let result =
            BuildResult { ir_hash: Some(hash.clone()), ir: Some(ir), diagnostics: "[]".to_owned(), failure: None };
        let build = self.core.keep_build(&self.business, result, self.now).await.map_err(refused)?;
        self.core.publish(&self.business, &build.id, None, None, self.now).await.map_err(refused)?;
        self.released = Some(hash);
        Ok(Some("released what the product declares now".to_owned()))
    }

    fn subscribed(&self) -> Result<&Subscription, CommandError> {
        self.subscription.as_ref().ok_or_else(|| {
            CommandError::new(Exit::Usage, "NOT_SUBSCRIBED", "nobody is subscribed").with_hint(".subscribe PLAN begins")
        })
    }

    /// Reports `METER UNITS [KEY]`, or `"METHOD /path" STATUS [REPORTS]`.
    pub(crate) async fn report(&mut self, words: &[String]) -> Result<String, CommandError> {
        let subject = self.subscribed()?.subject.clone();
        let wrong = |message: String| CommandError::new(Exit::Usage, "USAGE_FORM", message);
        self.items = self.items.saturating_add(1);
        let id = format!("item-{}", self.items);
        let item = match words {
            [route, status, rest @ ..] if route.contains(' ') => {
                let status: u16 = status.parse().map_err(|_| wrong(format!("{status} is no status code")))?;
                let reports: Json = match rest.first() {
                    Some(text) => serde_json::from_str(text)
                        .map_err(|error| wrong(format!("the reports are no JSON: {error}")))?,
                    None => json!({}),
                };
                json!({ "id": id, "subject": subject, "route": route, "status": status, "reports": reports })
            }
            [meter, units, rest @ ..] => {
                let units: Json = serde_json::from_str(&units.replace('_', ""))
                    .map_err(|_| wrong(format!("{units} is no number of units")))?;
                let mut item = json!({ "id": id, "subject": subject, "meter": meter, "units": units });
                if let (Some(key), Json::Object(item)) = (rest.first(), &mut item) {
                    item.insert("uniqueKey".to_owned(), json!(key));
                }
                item
            }
            _ => return Err(wrong("name what was used, and how much".to_owned())),
        };
        let results = self.core.report_usage(&self.business, vec![item], self.now).await.map_err(refused)?;
        Ok(results.first().map(told).unwrap_or_default())
    }

    /// What a period of this usage would come to on a plan, for a new subscriber.
    ///
    /// # Errors
    /// Where the plan takes nobody, or the store fails.
    pub(crate) async fn trial(
        &mut self,
        manifest: &Manifest,
        plan: &str,
        usage: Vec<Json>,
    ) -> Result<Vec<PeriodInvoice>, CommandError> {
        self.subscribe(manifest, plan).await?;
        let subscription = self.subscribed()?.clone();
        let with_subject = |(number, mut item): (usize, Json)| {
            if let Json::Object(item) = &mut item {
                item.insert("id".to_owned(), json!(format!("example-{number}")));
                item.insert("subject".to_owned(), json!(subscription.subject));
            }
            item
        };
        let items = usage.into_iter().enumerate().map(with_subject).collect();
        self.core.report_usage(&self.business, items, self.now).await.map_err(refused)?;
        let closed = self.core.close_invoices(&self.business, Some(&subscription.id), true, self.now).await;
        Ok(closed.map_err(refused)?.open)
    }

    /// Shows the clock; moves it by a span such as `+15d` or `+1mo`, or to a moment. It never goes back.
    pub(crate) fn clock(&mut self, text: &str) -> Result<String, CommandError> {
        if !text.is_empty() {
            let wrong = || {
                CommandError::new(Exit::Usage, "MOMENT_FORM", format!("{text} is no span of time and no moment"))
                    .with_hint("write +15d, +1mo, +12h, or a moment such as 2026-02-01T00:00:00Z")
            };
            let then = match text.strip_prefix('+') {
                Some(span) => {
                    let span: Span = span.trim().parse().map_err(|_| wrong())?;
                    let moved = self.now.to_zoned_datetime(TimeZone::UTC).checked_add(span);
                    moved.map_err(|_| wrong())?.timestamp()
                }
                None => text.parse().map_err(|_| wrong())?,
            };
            if then < self.now {
                let message = format!("it is {} already; time does not go back", self.now);
                return Err(CommandError::new(Exit::Usage, "MOMENT_PAST", message));
            }
            self.now = then;
        }
        Ok(format!("it is {}", self.now))
    }

    /// The subscriber's bill preview.
    pub(crate) async fn bill(&self, as_json: bool) -> Result<String, CommandError> {
        let subject = &self.subscribed()?.subject;
        let preview = self.core.preview(&self.business, subject, self.now).await.map_err(refused)?;
        if as_json {
            let json = serde_json::to_value(&preview).map_err(build::unavailable)?;
            return Ok(format!("{json:#}"));
        }
        Ok(shown(&preview))
    }

    /// Closes the periods that have ended, and says what the open one would come to.
    pub(crate) async fn invoice(&self) -> Result<String, CommandError> {
        let subscription = self.subscribed()?.id.clone();
        let close = |dry_run| self.core.close_invoices(&self.business, Some(&subscription), dry_run, self.now);
        let closed = close(false).await.map_err(refused)?;
        let mut lines: Vec<String> = closed.invoices.iter().map(|invoice| told_invoice("closed", invoice)).collect();
        let open = close(true).await.map_err(refused)?.open;
        lines.extend(open.iter().map(|invoice| told_invoice("open, if it ended now", invoice)));
        Ok(lines.join("\n"))
    }
}

fn told(result: &ItemResult) -> String {
    match result {
        ItemResult::Accepted { charges, .. } => {
            format!("accepted, {}", plural(usize::try_from(*charges).unwrap_or(usize::MAX), "charge"))
        }
        ItemResult::Duplicate { .. } => "a duplicate".to_owned(),
        ItemResult::Refused { code, message, .. } => format!("refused: {code}: {message}"),
    }
}

/// Nanodollars as dollars, to the last digit that is not zero and at least to the cent.
fn dollars(amount: Nanos) -> String {
    let nanos = amount.get();
    let (whole, part) = (nanos.unsigned_abs() / NANOS_PER_DOLLAR, nanos.unsigned_abs() % NANOS_PER_DOLLAR);
    let digits = format!("{part:09}");
    let fine = digits.trim_end_matches('0');
    format!("{}${whole}.{fine:0<2}", if nanos < 0 { "-" } else { "" })
}

fn shown(preview: &Preview) -> String {
    let mut lines = Vec::new();
    match preview {
        Preview::Transparent { recurring_fee_cents, windows, totals, allowances, .. } => {
            lines.push(format!("fee         {}", words::cents(recurring_fee_cents.get())));
            for window in windows {
                let charges = plural(usize::try_from(window.charge_count).unwrap_or(usize::MAX), "charge");
                let (from, to) = (window.window_start, window.window_end);
                lines.push(format!("window      {}  {from} to {to}, {charges}", dollars(window.rated_nanos)));
            }
            lines.push(format!("rated       {}", dollars(totals.rated_nanos)));
            lines.push(format!("funded      {}", dollars(totals.funded_nanos)));
            lines.push(format!("receivable  {}", dollars(totals.receivable_nanos)));
            for bucket in allowances {
                let (left, used) = (dollars(bucket.remaining_nanos), dollars(bucket.consumed_nanos));
                let ends = bucket.expires_at.map(|at| format!(", until {at}")).unwrap_or_default();
                lines.push(format!("allowance   {left} left, {used} used{ends}"));
            }
        }
        Preview::Opaque { .. } => {
            lines.push("the plan is opaque; its subscriber sees:".to_owned());
            lines.extend(serde_json::to_value(preview).ok().map(|json| format!("{json:#}")));
        }
    }
    lines.join("\n")
}

/// Cents of either sign as money.
pub(crate) fn cents(SignedCents(amount): SignedCents) -> String {
    let (sign, size) = (if amount < 0 { "-" } else { "" }, u64::try_from(amount.unsigned_abs()));
    size.map_or_else(|_| format!("{amount} cents"), |size| format!("{sign}{}", words::cents(size)))
}

fn told_invoice(head: &str, invoice: &PeriodInvoice) -> String {
    let mut lines = vec![format!("{head}: {} to {}, plan {}", invoice.period_start, invoice.period_end, invoice.plan)];
    for line in &invoice.lines {
        lines.push(format!("  {} {}: {}", line.quantity, line.meter.as_str(), dollars(line.rated_nanos)));
    }
    let bill = &invoice.invoice;
    lines.push(format!("  fee    {}", words::cents(bill.recurring_fee_cents.get())));
    lines.push(format!("  usage  {}", cents(bill.usage_cents)));
    lines.push(format!("  total  {}", cents(bill.total_cents)));
    lines.join("\n")
}
