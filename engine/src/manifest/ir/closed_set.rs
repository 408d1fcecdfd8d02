//! Options that take one of a few named values.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

/// A closed set of named values that an option takes. Each name is the variant's own, in the case its type gives.
pub trait ClosedSet: Copy + VariantArray + Into<&'static str> {
    /// The value as JSON has it.
    fn as_str(self) -> &'static str {
        self.into()
    }

    /// Every value, in the order of its type.
    fn all() -> &'static [Self] {
        Self::VARIANTS
    }

    /// The value of this name.
    fn named(text: &str) -> Option<Self> {
        Self::VARIANTS.iter().copied().find(|value| value.as_str() == text)
    }
}

impl<T: Copy + VariantArray + Into<&'static str>> ClosedSet for T {}

/// Closed sets: each is an enumeration whose values' names, as options and JSON have them, are those of its variants in one case.
macro_rules! closed_sets {
    (in $case:literal: $($(#[$about:meta])* pub enum $name:ident { $($(#[$of_value:meta])* $value:ident,)+ })+) => {$(
        $(#[$about])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema, VariantArray, IntoStaticStr,
        )]
        #[serde(rename_all = $case)]
        #[strum(serialize_all = $case)]
        pub enum $name {
            $($(#[$of_value])* $value,)+
        }
    )+};
}

closed_sets! {
    in "snake_case":

    /// A customer-facing surface's type.
    pub enum SurfaceType {
        /// A web front end.
        Frontend,
        /// A programming interface.
        Api,
        /// Documentation.
        Docs,
        /// An embedded widget.
        Widget,
        /// A webhook sender.
        Webhook,
        /// A background worker.
        Worker,
        /// An agent.
        Agent,
        /// A dashboard.
        Dashboard,
    }

    /// How a meter's reports make one quantity per window.
    pub enum Aggregation {
        /// The sum of all units.
        Sum,
        /// The number of reports.
        Count,
        /// The largest report.
        Max,
        /// The newest report.
        Last,
        /// The number of distinct `uniqueKey`s.
        Unique,
        /// The level that the newest report set, for as long as it holds: over the period's end too, until the next report.
        TimeWeighted,
    }

    /// The interval of a rate limit.
    pub enum RateInterval {
        /// A second.
        Second,
        /// A minute.
        Minute,
        /// An hour.
        Hour,
        /// A day.
        Day,
        /// A week.
        Week,
        /// A month.
        Month,
    }

    /// What a limit does when it is reached.
    pub enum Enforcement {
        /// Blocks.
        Enforce,
        /// Records only.
        Track,
    }

    /// The billing interval of a plan.
    pub enum BillingInterval {
        /// A calendar month from the anchor.
        Month,
        /// A calendar year from the anchor.
        Year,
    }

    /// When a recurring fee is charged.
    #[derive(Default)]
    pub enum Billed {
        /// When what it is for has ended.
        #[default]
        Arrears,
        /// Before what it is for begins.
        Advance,
    }

    /// The currency of every amount.
    pub enum Currency {
        /// US dollars.
        Usd,
    }

    /// What happens past the included units or the spend cap.
    pub enum OverageBehavior {
        /// Deny.
        Block,
        /// Go on and bill.
        AllowAndBill,
    }

    /// What a plan's subscribers may see of money.
    pub enum Disclosure {
        /// Windows, totals and nanodollars.
        Transparent,
        /// Only how much of each allowance is left, in a form without money.
        Opaque,
    }

    /// Where a bucket's money comes from; also its place in the order of drawing.
    pub enum GrantKind {
        /// Part of the plan.
        Included,
        /// A promotion.
        Promo,
        /// A referral.
        Referral,
        /// Bought in advance.
        Prepaid,
    }

    /// How a backend is reached.
    pub enum TransportMode {
        /// By its URL.
        Direct,
        /// Through a tunnel the backend opens.
        Tunnel,
    }

    /// A policy layer's kind.
    pub enum PolicyKind {
        /// Authentication or authorisation.
        Auth,
        /// Rate limiting.
        RateLimit,
        /// The product's own.
        Custom,
    }

    /// When a capability may change under a subscriber.
    pub enum MutationClass {
        /// At run time.
        Runtime,
        /// Only with the contract.
        Contractual,
    }

    /// How a resource is counted.
    pub enum CountSource {
        /// From the effects of actions.
        ActionInferred,
    }

    /// When an archived plan stops taking subscribers.
    pub enum ArchiveAt {
        /// When the release is published.
        Publish,
    }

    /// How a component shows what the subscriber lacks.
    pub enum GateMode {
        /// Offers the plan that has it.
        Upsell,
        /// Leaves it out.
        Hide,
    }

    /// What an action does to a resource's count.
    pub enum ResourceEffect {
        /// One more.
        Create,
        /// One less.
        Delete,
    }

    /// How what is not a whole `per` is charged.
    pub enum Rounding {
        /// Each started `per` is charged whole.
        Up,
    }

    /// Where an action's subject id comes from.
    pub enum SubjectSource {
        /// A path parameter.
        PathParam,
    }
}

closed_sets! {
    in "UPPERCASE":

    /// A gateway route's method.
    pub enum Method {
        /// GET.
        Get,
        /// POST.
        Post,
        /// PUT.
        Put,
        /// PATCH.
        Patch,
        /// DELETE.
        Delete,
        /// HEAD.
        Head,
        /// OPTIONS.
        Options,
    }
}

impl Billed {
    pub(super) fn is_default(&self) -> bool {
        *self == Billed::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Code;
    use std::fmt;

    fn names_are_those_of_json<T: ClosedSet + Serialize + PartialEq + fmt::Debug>() {
        assert!(!T::all().is_empty());
        for value in T::all().iter().copied() {
            assert_eq!(serde_json::to_value(value).unwrap(), value.as_str());
            assert_eq!(T::named(value.as_str()), Some(value));
        }
        assert_eq!(T::named("nothing of the kind"), None);
    }

    #[test]
    fn closed_sets_have_one_name_each_in_options_and_in_json() {
        names_are_those_of_json::<SurfaceType>();
        names_are_those_of_json::<Aggregation>();
        names_are_those_of_json::<RateInterval>();
        names_are_those_of_json::<Enforcement>();
        names_are_those_of_json::<BillingInterval>();
        names_are_those_of_json::<Billed>();
        names_are_those_of_json::<Currency>();
        names_are_those_of_json::<OverageBehavior>();
        names_are_those_of_json::<Disclosure>();
        names_are_those_of_json::<GrantKind>();
        names_are_those_of_json::<TransportMode>();
        names_are_those_of_json::<PolicyKind>();
        names_are_those_of_json::<MutationClass>();
        names_are_those_of_json::<Method>();
        names_are_those_of_json::<CountSource>();
        names_are_those_of_json::<ArchiveAt>();
        names_are_those_of_json::<GateMode>();
        names_are_those_of_json::<ResourceEffect>();
        names_are_those_of_json::<SubjectSource>();
        names_are_those_of_json::<Rounding>();
        names_are_those_of_json::<Code>();
    }
}
