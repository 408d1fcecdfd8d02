//! What the gateway counts. No business, subject, path or key stands in a label.

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Code {
    code: String,
}

/// Clones count together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Meters {
    refused: Family<Code, Counter>,
    settled: Family<Code, Counter>,
    reports: Family<Code, Counter>,
    waiting: Gauge,
    journal_failures: Counter,
}

impl Meters {
    /// A request was refused, or its backend gave no answer.
    pub(crate) fn refused(&self, code: &str) {
        self.refused.get_or_create(&Code { code: code.to_owned() }).inc();
    }

    /// So many requests were settled: `charged`, `free`, `estimated` where what was reported went past what the plan lets the subscriber spend, or
    /// `uncharged` where it could not be charged at all.
    pub(crate) fn settled(&self, how: &str, count: usize) {
        let count = u64::try_from(count).unwrap_or(u64::MAX);
        self.settled.get_or_create(&Code { code: how.to_owned() }).inc_by(count);
    }

    /// What became of a backend's report: `taken`, `missing`, or why not.
    pub(crate) fn reported(&self, what: &str) {
        self.reports.get_or_create(&Code { code: what.to_owned() }).inc();
    }

    /// Something could not be written down before it was settled.
    pub(crate) fn journal_failed(&self) {
        self.journal_failures.inc();
    }

    /// So many wait to be settled.
    pub(crate) fn waiting(&self, count: usize) {
        self.waiting.set(i64::try_from(count).unwrap_or(i64::MAX));
    }

    /// Shows them.
    pub(crate) fn register(&self, registry: &mut Registry) {
        let help = "Requests that the gateway refused, or that their backends did not answer, by code";
        registry.register("svc_gateway_refused", help, self.refused.clone());
        registry.register("svc_gateway_settled", "Requests that were settled, by how", self.settled.clone());
        registry.register("svc_gateway_reports", "Reports of backends, by what became of them", self.reports.clone());
        registry.register("svc_gateway_settlements_waiting", "Requests that wait to be settled", self.waiting.clone());
        let help = "Requests that could not be written down before they were settled";
        registry.register("svc_gateway_journal_failures", help, self.journal_failures.clone());
    }
}
