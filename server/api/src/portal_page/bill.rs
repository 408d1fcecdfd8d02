//! The bill as the page shows it: what `@svc/client-js` shows of the same preview, with the same classes and words. Nothing is
//! computed here but the length of a bar.

use crate::html::{data, text};
use jiff::Timestamp;
use serde_json::Value as Json;
use std::sync::Arc;
use svc_core::CoreError;
use svc_core::invoices::{DocumentKind, OwnInvoice};
use svc_core::migrations::PlanOffer;
use svc_core::shown_preview::ShownPreview;
use svc_core::standing::Standing;
use svc_engine::manifest::ir::{GrantKind, OverageBehavior};
use svc_engine::manifest::words;
use svc_engine::money::amount::{Cents, Nanos};
use svc_engine::money::bill::{AllowanceDisplay, BillWindow, OpaqueAllowance, Preview, TransparentAllowance};
use svc_engine::money::bucket::BucketState;
use svc_store::records::Id;

/// The length of a whole bar, in basis points.
const BAR_WHOLE: u128 = 10_000;

/// What there is to show of a subscriber.
pub(crate) struct Account {
    /// Nothing without a live subscription.
    pub(crate) preview: Option<Arc<ShownPreview>>,
    /// The most of a month that the subscription has of its own, where it may be shown.
    pub(crate) most: Option<OwnMost>,
    pub(crate) offer: Option<PlanOffer>,
    /// A page of them, the newest first.
    pub(crate) invoices: Vec<OwnInvoice>,
    /// The number before which older ones are, where there are more.
    pub(crate) older: Option<u64>,
    /// Whether they are the newest.
    pub(crate) is_newest: bool,
}

/// The most of a month that a subscription has of its own, and what happens beyond.
#[derive(Clone, Copy)]
pub(crate) struct OwnMost {
    cents: Cents,
    overage: OverageBehavior,
}

impl OwnMost {
    /// Of a subscription as it is served; nothing where it has none. The plan's holds where it is lower by now.
    pub(crate) fn of(standing: Standing) -> Option<OwnMost> {
        let (own, plan) = (standing.subscription.own_most_cents?, &standing.projection.plan);
        let cents = plan.max_monthly_spend_cents.map_or(own, |most| most.min(own));
        Some(OwnMost { cents, overage: plan.overage_behavior })
    }
}

/// All of the page but its frame. Its script begins with the preview as JSON. `accepted`: an offer was, just now.
pub(crate) fn main(
    business: &Id,
    account: &Account,
    accepted: bool,
    proof: &str,
    now: Timestamp,
) -> Result<String, CoreError> {
    let json = account.preview.as_ref().map_or(Ok("null"), |shown| shown.json())?;
    let preview: Option<&Preview> = account.preview.as_ref().map(|shown| &***shown);
    let notice = match accepted {
        true => "<p class=\"page-notice\" role=\"status\">You have the new version of your plan.</p>",
        false => "",
    };
    // Both outside the section, which the page's script lays anew.
    let most = account.most.map(most).unwrap_or_default();
    let why = match preview {
        Some(Preview::Transparent { .. }) => "<p><a id=\"why\" href=\"why\">Why this amount?</a></p>",
        Some(Preview::Opaque { .. }) | None => "",
    };
    Ok(format!(
        "<h1>Your bill so far</h1>{notice}<p id=\"stale\" class=\"page-notice\" role=\"status\" hidden>This could not be \
         refreshed. It is as of {}.</p>{}{most}{}{}{}<script type=\"application/json\" id=\"preview\" data-business=\"{}\">{}</script>",
        minute(now),
        preview.map_or_else(|| "<p>You have no subscription now.</p>".to_owned(), section),
        why,
        account.offer.as_ref().map(|offered| offer(business, offered, proof)).unwrap_or_default(),
        invoices(&account.invoices, account.older, account.is_newest),
        text(business.as_str()),
        data(json),
    ))
}

/// What a month may cost at most.
fn most(most: OwnMost) -> String {
    let beyond = match most.overage {
        OverageBehavior::Block => "refused",
        OverageBehavior::AllowAndBill => "not billed",
    };
    format!(
        "<p id=\"most\" class=\"svc-bill-note\">You pay {} a month at most, packs of credit aside. Usage beyond that is {beyond}.</p>",
        words::cents(most.cents.get())
    )
}

/// The section of the bill.
fn section(preview: &Preview) -> String {
    let (amounts, windows, allowances, note) = match preview {
        Preview::Transparent { recurring_fee_cents, windows: all, totals, allowances, .. } => (
            [
                fact("Owed for usage", &words::nanos(totals.receivable_nanos), " svc-bill-main"),
                fact("Recurring fee", &words::cents(recurring_fee_cents.get()), ""),
                fact("Usage in all", &words::nanos(totals.rated_nanos), ""),
                fact("Paid by allowances", &words::nanos(totals.funded_nanos), ""),
            ]
            .concat(),
            windows(all),
            allowances.iter().map(transparent).collect::<String>(),
            "",
        ),
        Preview::Opaque { recurring_fee_cents, allowances, .. } => (
            fact("Recurring fee", &words::cents(recurring_fee_cents.get()), ""),
            String::new(),
            allowances.iter().map(opaque).collect::<String>(),
            "<p class=\"svc-bill-note\">What is owed for usage is on the invoice.</p>",
        ),
    };
    let allowances = match allowances.as_str() {
        "" => "<p class=\"svc-bill-note\">There are no allowances.</p>".to_owned(),
        list => format!("<ul class=\"svc-bill-allowances\">{list}</ul>"),
    };
    format!(
        "<section class=\"svc-bill\" aria-label=\"Your bill so far\"><dl class=\"svc-bill-amounts\">{amounts}</dl>{windows}\
         <h2 class=\"svc-bill-heading\">Allowances</h2>{allowances}{note}</section>"
    )
}

fn fact(name: &str, value: &str, class: &str) -> String {
    format!("<div class=\"svc-bill-fact{class}\"><dt>{name}</dt><dd>{value}</dd></div>")
}

fn windows(windows: &[BillWindow]) -> String {
    let row = |window: &BillWindow| {
        format!(
            "<tr><th scope=\"row\">{} – {}</th><td class=\"svc-bill-number\">{}</td><td class=\"svc-bill-number\">{}</td></tr>",
            day(window.window_start),
            day(window.window_end),
            words::grouped(window.charge_count),
            words::nanos(window.rated_nanos),
        )
    };
    let rows: String = windows.iter().map(row).collect();
    let head = "<h2 class=\"svc-bill-heading\">Usage</h2>";
    if rows.is_empty() {
        return format!("{head}<p class=\"svc-bill-note\">Nothing has been used yet.</p>");
    }
    // Long amounts scroll by themselves instead of widening the page; who uses a keyboard can scroll too.
    format!(
        "{head}<div id=\"windows\" class=\"svc-bill-scroll\" role=\"region\" aria-label=\"Usage\" tabindex=\"0\"><table><thead><tr>\
         <th scope=\"col\">Period</th><th scope=\"col\" class=\"svc-bill-number\">Charges</th>\
         <th scope=\"col\" class=\"svc-bill-number\">Amount</th></tr></thead><tbody>{rows}</tbody></table></div>"
    )
}

fn transparent(allowance: &TransparentAllowance) -> String {
    let TransparentAllowance { kind, state, remaining_nanos, held_nanos, consumed_nanos, expires_at } = allowance;
    let parts = [*remaining_nanos, *held_nanos, *consumed_nanos];
    let all = parts.iter().try_fold(Nanos::ZERO, |sum, part| sum.plus(*part)).unwrap_or(*remaining_nanos);
    let gone = all.minus(*remaining_nanos).unwrap_or(Nanos::ZERO);
    let left = format!("{} of {} left", words::nanos(*remaining_nanos), words::nanos(all));
    let held = match *held_nanos > Nanos::ZERO {
        true => format!("<span class=\"svc-bill-held\">{} set aside</span>", words::nanos(*held_nanos)),
        false => String::new(),
    };
    let length = bar_length(u128::try_from(gone.get()).unwrap_or(0), u128::try_from(all.get()).unwrap_or(0));
    entry(*kind, *state, length, &left, &held, *expires_at)
}

fn opaque(allowance: &OpaqueAllowance) -> String {
    let (length, left) = match &allowance.display {
        AllowanceDisplay::Multiplier { allowance_units, remaining_units, consumed_units } => {
            let hundredths = |units: &str| units.replace('.', "").parse::<u128>().unwrap_or(0);
            let (remaining, consumed) = (hundredths(remaining_units), hundredths(consumed_units));
            let whole = serde_json::to_string(allowance_units).unwrap_or_default();
            (bar_length(consumed, remaining.saturating_add(consumed)), format!("{remaining_units} of {whole} left"))
        }
        AllowanceDisplay::Fraction { consumed_basis_points, remaining_basis_points } => {
            let percent = format!("{:03}", remaining_basis_points);
            let (whole, behind) = percent.split_at_checked(percent.len().saturating_sub(2)).unwrap_or((&percent, ""));
            let fine = behind.trim_end_matches('0');
            let point = if fine.is_empty() { "" } else { "." };
            (*consumed_basis_points, format!("{whole}{point}{fine}% left"))
        }
    };
    entry(allowance.kind, allowance.state, length, &left, "", allowance.expires_at)
}

/// How much of a bar is full, in basis points. An empty allowance is one that is gone.
fn bar_length(part: u128, all: u128) -> u128 {
    part.checked_mul(BAR_WHOLE).and_then(|part| part.checked_div(all)).map_or(BAR_WHOLE, |length| length.min(BAR_WHOLE))
}

fn entry(
    kind: GrantKind,
    state: BucketState,
    length: u128,
    left: &str,
    held: &str,
    expires_at: Option<Timestamp>,
) -> String {
    let kind = match kind {
        GrantKind::Included => "Included",
        GrantKind::Promo => "Promotion",
        GrantKind::Prepaid => "Prepaid",
        GrantKind::Referral => "Referral",
    };
    let state = match state {
        BucketState::Available => "Available",
        BucketState::Exhausted => "Used up",
        BucketState::Expired => "Expired",
        BucketState::Revoked => "Taken back",
    };
    let expiry = expires_at.map(|end| format!("<span class=\"svc-bill-expiry\">Expires {}</span>", day(end)));
    format!(
        "<li><span class=\"svc-bill-kind\">{kind}</span> <span class=\"svc-bill-state\">{state}</span>\
         <progress value=\"{length}\" max=\"{BAR_WHOLE}\" aria-label=\"{kind}\" aria-valuetext=\"{left}\"></progress>\
         <span class=\"svc-bill-left\">{left}</span>{held}{}</li>",
        expiry.unwrap_or_default()
    )
}

/// The plan version that is offered, to be taken with a button.
fn offer(business: &Id, offer: &PlanOffer, proof: &str) -> String {
    format!(
        "<section id=\"offer\" class=\"page-part\"><h2>A new version of your plan</h2>\
         <p>Version {} of <strong>{}</strong> is offered to you. Your recurring fee is {} now, and {} with it. Nothing changes unless \
         you accept.</p><form method=\"post\" action=\"{}offers/{}\">{}<button id=\"accept\">Accept</button></form></section>",
        offer.to_version,
        text(&offer.plan),
        words::cents(offer.recurring_fee_cents.get()),
        words::cents(offer.next_fee_cents.get()),
        crate::cookie::page_path(business),
        crate::request::segment(offer.offer_id.as_str()),
        hidden(proof),
    )
}

/// The field by which a form is known to come from the page.
pub(crate) fn hidden(proof: &str) -> String {
    format!("<input type=\"hidden\" name=\"proof\" value=\"{proof}\">")
}

/// The documents of closed periods.
fn invoices(invoices: &[OwnInvoice], older: Option<u64>, is_newest: bool) -> String {
    let row = |invoice: &OwnInvoice| {
        let kind = match invoice.kind {
            DocumentKind::Invoice => "Invoice",
            DocumentKind::CreditNote => "Credit note",
        };
        format!(
            "<tr><th scope=\"row\">{kind} {}</th><td>{} – {}</td><td>{}</td><td class=\"page-number\">{}</td></tr>",
            invoice.number,
            moment(&invoice.period_start),
            moment(&invoice.period_end),
            text(invoice.plan_name.as_str().unwrap_or_default()),
            words::signed_cents(invoice.total_cents),
        )
    };
    let rows: String = invoices.iter().map(row).collect();
    if rows.is_empty() {
        let none = if is_newest { "There are no invoices yet." } else { "There are no older invoices." };
        return format!("<section class=\"page-part\"><h2>Invoices</h2><p>{none}</p></section>");
    }
    // Only the number is in the address.
    let older = older.map(|number| format!("<a id=\"older\" href=\"?cursor={number}#invoices\">Older invoices</a>"));
    let newest = (!is_newest).then(|| "<a id=\"newest\" href=\"?#invoices\">Newest invoices</a>".to_owned());
    let links: Vec<String> = newest.into_iter().chain(older).collect();
    let links = if links.is_empty() { String::new() } else { format!("<p>{}</p>", links.join(" ")) };
    format!(
        "<section class=\"page-part\"><h2>Invoices</h2><div id=\"invoices\" class=\"page-scroll\" role=\"region\" \
         aria-label=\"Invoices\" tabindex=\"0\"><table><thead><tr><th scope=\"col\">Document</th><th scope=\"col\">Period</th>\
         <th scope=\"col\">Plan</th><th scope=\"col\" class=\"page-number\">Total</th></tr></thead><tbody>{rows}</tbody></table>\
         </div>{links}</section>"
    )
}

/// A day, for people and machines.
fn day(at: Timestamp) -> String {
    format!("<time datetime=\"{at}\">{}</time>", at.strftime("%b %-d, %Y"))
}

/// A moment to the minute.
fn minute(at: Timestamp) -> String {
    format!("<time datetime=\"{at}\">{}</time>", at.strftime("%b %-d, %Y, %H:%M UTC"))
}

/// A moment as an invoice has it: what is none is shown as it is.
fn moment(at: &Json) -> String {
    let written = at.as_str().unwrap_or_default();
    written.parse().map_or_else(|_| text(written), day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_never_longer_than_itself() {
        assert_eq!([bar_length(0, 5), bar_length(5, 5), bar_length(1, 3)], [0, 10_000, 3_333]);
        assert_eq!([bar_length(0, 0), bar_length(6, 5), bar_length(u128::MAX, 5)], [10_000, 10_000, 10_000]);
    }

    fn allowance(display: AllowanceDisplay) -> String {
        opaque(&OpaqueAllowance { kind: GrantKind::Promo, state: BucketState::Expired, expires_at: None, display })
    }

    #[test]
    fn a_fraction_is_a_percentage() {
        let left = |points: u128| {
            let html = allowance(AllowanceDisplay::Fraction {
                consumed_basis_points: 10_000 - points,
                remaining_basis_points: points,
            });
            let (_, rest) = html.split_once("<span class=\"svc-bill-left\">").unwrap();
            rest.split_once('<').unwrap().0.to_owned()
        };
        assert_eq!(
            [0, 1, 50, 7_499, 7_500, 10_000].map(left),
            ["0% left", "0.01% left", "0.5% left", "74.99% left", "75% left", "100% left"]
        );
    }

    #[test]
    fn an_empty_bill_says_so() {
        let preview = Preview::Opaque {
            currency: svc_engine::manifest::ir::Currency::Usd,
            recurring_fee_cents: 0.try_into().unwrap(),
            allowances: Vec::new(),
        };
        let html = section(&preview);
        assert!(html.contains("<dd>$0.00</dd>") && html.contains("There are no allowances."), "{html}");
        assert!(
            windows(&[]).contains("Nothing has been used yet.")
                && invoices(&[], None, true).contains("There are no invoices yet.")
        );
    }

    #[test]
    fn a_page_of_invoices_leads_to_older_ones_and_back() {
        let invoice = OwnInvoice {
            number: 7,
            kind: DocumentKind::Invoice,
            period_start: "2026-04-01T00:00:00Z".into(),
            period_end: "2026-05-01T00:00:00Z".into(),
            plan_name: "pro".into(),
            currency: "usd".into(),
            total_cents: svc_engine::money::bill::SignedCents(1_900),
        };
        let shown = |older, is_newest| invoices(std::slice::from_ref(&invoice), older, is_newest);
        let (to_older, to_newest) = ("href=\"?cursor=7#invoices\"", "href=\"?#invoices\"");
        assert!(shown(Some(7), true).contains(to_older) && !shown(Some(7), true).contains(to_newest));
        assert!(shown(Some(7), false).contains(to_older) && shown(Some(7), false).contains(to_newest));
        assert!(shown(None, false).contains(to_newest) && !shown(None, true).contains("<a "));
        assert!(invoices(&[], None, false).contains("There are no older invoices."));
    }
}
