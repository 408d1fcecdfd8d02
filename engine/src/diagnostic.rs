//! What is wrong with a product, said so that its author can act. Knows no rule; rules make these.

use crate::source::{Path, Position, Span};
use crate::text::{TEXT_MAX_CHARS, cut};
use serde::{Deserialize, Serialize};
use std::fmt;
use strum::{EnumMessage, IntoStaticStr, VariantArray};

/// Whether a diagnostic fails the build.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The build fails.
    Error,
    /// The build goes on.
    Warning,
}

/// A stable name for one kind of problem. The names never change their meaning once released.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    IntoStaticStr,
    VariantArray,
    EnumMessage,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum Code {
    /// A source file is not valid TypeScript.
    SyntaxError,
    /// TypeScript that a build could only lower to something else than what it means.
    SyntaxNotSupported,
    /// An import names something else than `@svc/product` or a file inside `product/`.
    ImportNotAllowed,
    /// A relative import names a file that is not there.
    ImportNotFound,
    /// `import()` is used; the build knows all its modules before it starts.
    DynamicImport,
    /// `import.meta` is used; it would tell where the file lies.
    ImportMeta,
    /// A file's name is not a plain path below `product/`, or its ending is not `.ts`, `.js` or `.json`.
    FileNotAllowed,
    /// There is no `product/product.config.ts`.
    EntryMissing,
    /// A file, or all of them together, or their number, is over the limit.
    SourceTooLarge,
    /// The product's code threw.
    UncaughtException,
    /// The product's code uses something a deterministic build does not have.
    BannedApi,
    /// A top-level `await` waits for something that never comes.
    UnsettledAwait,
    /// `product/product.config.ts` has no default export.
    DefaultExportMissing,
    /// The default export is not a class with `@Product`.
    DefaultExportNotProduct,
    /// More than one class carries `@Product`.
    ProductTwice,
    /// A decorator stands where it can't.
    DecoratorMisuse,
    /// A decorator that was written is not applied, so what it declares would be in no product.
    DecoratorNotApplied,
    /// A meter is both a fixed cost and a dynamic report of one route.
    MeterCostAndReport,
    /// A route costs other than one of a meter that counts reports.
    CountMeterCost,
    /// A route costs or reports a meter that counts distinct keys, which only measured values have.
    UniqueMeterOnRoute,
    /// A level that lasts has a fixed cost, or an estimate; only reports set it.
    TimeWeightedValue,
    /// More problems were found than are told.
    TooManyProblems,
    /// More of one kind is declared than one product may have.
    TooManyDeclarations,
    /// A route key is not of the form `METHOD /path`.
    RouteKeyForm,
    /// A key looks like an integer; JavaScript moves such keys to the front.
    IntegerLikeKey,
    /// An estimate is not a number.
    EstimateNotANumber,
    /// An estimate names a meter that is not declared, or not bound where it stands.
    EstimateMeterUnbound,
    /// A key is not of the form that keys have.
    KeyForm,
    /// A key or text is not well-formed Unicode, or a key is not in Normalization Form C.
    TextForm,
    /// Two declarations of one kind have one key.
    DuplicateKey,
    /// A key is written twice in one object, so the first value would be lost.
    KeyWrittenTwice,
    /// Two actions of the product have one id.
    DuplicateAction,
    /// Two features declare one route.
    DuplicateRoute,
    /// Two packs of one plan have one `sku`.
    DuplicateSku,
    /// Two backends are the default one.
    DefaultBackendTwice,
    /// An option that does not exist is given.
    UnknownOption,
    /// An option that must be given is not.
    OptionRequired,
    /// A value has another type than its option takes.
    WrongType,
    /// A value is not plain data.
    ValueNotPlain,
    /// A value is none of those its option takes.
    UnknownValue,
    /// A number is outside the range its option takes, or no integer where one is needed.
    NumberRange,
    /// An amount of money is not a non-negative safe integer.
    MoneyNotAnInteger,
    /// A URL is missing its `http` or `https` scheme or its host.
    UrlForm,
    /// `onStatusCodes` is not a list of codes and ranges between 100 and 599.
    StatusCodesForm,
    /// Price tiers don't ascend, or the last one is not open.
    TiersForm,
    /// Rates of a meter are not nested as its attributes are, or a meter with attributes has a price without rates.
    RatesForm,
    /// A route costs a fixed number of a meter that counts by attributes, or free units go by one; neither says of which.
    AttributesUnsaid,
    /// A pool names a meter that can't use it: one that does not add up, is in another pool, or has free units of its own.
    PoolMeter,
    /// Free units of two meters of a plan go by each other.
    IncludedUnitsCircle,
    /// Options of a grant contradict each other: only credit that recurs is kept over periods, and a pack has either a price or an amount of the buyer's choice.
    GrantForm,
    /// A plan that shows no rates sells credit of an amount that the buyer chooses, and so knows.
    OpaqueTopUp,
    /// `usageInterval` is given beside a price that is not for a year.
    UsageInterval,
    /// An introductory fee is not below the plan's.
    IntroFee,
    /// A plan has both `meter` and `meters`.
    MeterAndMeters,
    /// A price is both free and has an amount.
    FreeWithAmount,
    /// A resource is both in `caps` and a count limit of one plan.
    CapAndCount,
    /// `minMonthlySpendCents` is above `maxMonthlySpendCents`, or `minCents` above `maxCents`.
    SpendBoundsCrossed,
    /// A plan has no rate limit.
    PlanRateLimitRequired,
    /// A meter that is not declared is named.
    UnknownMeter,
    /// A resource that is not declared is named.
    UnknownResource,
    /// A capability that is not declared is named.
    UnknownCapability,
    /// A feature that is not declared is named.
    UnknownFeature,
    /// A plan that is not declared is named.
    UnknownPlan,
    /// An action that is not declared is named.
    UnknownAction,
    /// A backend that is not declared is named.
    UnknownBackend,
    /// A policy that is not declared is named.
    UnknownPolicy,
    /// Capabilities include each other in a circle.
    CapabilityCycle,
    /// `@Raw` or a plan's `raw` names a field that has a typed declaration.
    RawOverTyped,
    /// An earlier route matches all that this one would.
    RouteShadowed,
    /// A plan prices a meter that no route and no workflow feeds.
    PricedMeterUnbound,
    /// A volume price of a plan falls when more is used.
    PriceFalls,
    /// A plan that is open to self-service takes no new subscribers.
    PlanUnsubscribable,
    /// A plan includes units of a meter that no route of its features uses.
    IncludedUnitsUnusable,
    /// A feature is granted by no plan.
    FeatureUngranted,
    /// A capability is granted by no plan.
    CapabilityUngranted,
    /// A test of the product fails, and the service demands that they pass.
    TestFailed,
}

impl Code {
    /// Every code, in the order of the catalogue.
    pub const ALL: &'static [Code] = Code::VARIANTS;

    /// The code as authors see it, such as `UNKNOWN_METER`.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// What the code means, in one sentence: the variant's own documentation.
    pub fn meaning(self) -> &'static str {
        self.get_documentation().unwrap_or_default()
    }

    /// How grave it is: always, but for [`Code::TooManyProblems`], which is a warning where only warnings are left out.
    pub const fn severity(self) -> Severity {
        match self {
            Code::RouteShadowed
            | Code::PricedMeterUnbound
            | Code::PriceFalls
            | Code::PlanUnsubscribable
            | Code::IncludedUnitsUnusable
            | Code::FeatureUngranted
            | Code::CapabilityUngranted => Severity::Warning,
            _ => Severity::Error,
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One problem, with the author's own position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// What kind of problem it is.
    pub code: Code,
    /// Whether the build fails.
    pub severity: Severity,
    /// One sentence: what is wrong with which key.
    pub message: String,
    /// What to write instead.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub hint: Option<String>,
    /// The value's name, such as `plans.starter.limits.requests.rate`; empty where none is meant.
    pub path: String,
    /// Where it stands; `None` when no place in the source can be blamed.
    #[serde(flatten, with = "flat_span")]
    pub span: Option<Span>,
}

impl Diagnostic {
    /// A diagnostic of `code`, as grave as the code is. Its texts are cut to [`TEXT_MAX_CHARS`].
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Diagnostic {
            code,
            severity: code.severity(),
            message: cut(message.into()),
            hint: None,
            path: String::new(),
            span: None,
        }
    }

    /// With another message, cut likewise.
    #[must_use]
    pub fn with_message(mut self, message: impl Into<String>) -> Self {
        self.message = cut(message.into());
        self
    }

    /// With advice.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(cut(hint.into()));
        self
    }

    /// About the value of this name.
    #[must_use]
    pub fn with_path(mut self, path: &Path) -> Self {
        self.path = path.shown();
        self
    }

    /// Standing here.
    #[must_use]
    pub fn with_span(mut self, span: Option<Span>) -> Self {
        self.span = span;
        self
    }

    /// Whether its texts keep to their bounds, as those of every diagnostic that this crate makes.
    pub fn is_bounded(&self) -> bool {
        let fits = |text: &str, max: usize| text.len() <= max.saturating_mul(4) && text.chars().count() <= max;
        fits(&self.message, TEXT_MAX_CHARS)
            && fits(&self.path, TEXT_MAX_CHARS)
            && self.hint.as_ref().is_none_or(|hint| fits(hint, TEXT_MAX_CHARS))
            && self.span.as_ref().is_none_or(|span| span.file.len() <= PATH_MAX_BYTES)
    }

    /// Whether it fails the build.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// Longest path of a file, in bytes.
pub const PATH_MAX_BYTES: usize = 4_096;
/// Most diagnostics that one build reports.
pub const DIAGNOSTICS_MAX: usize = 500;

/// Collects what is wrong with one product: at most [`DIAGNOSTICS_MAX`] errors and as many warnings, and counts the rest.
/// So what is held is bounded, whatever the product does wrong, and warnings never push an error out.
#[derive(Debug)]
pub struct Bounded<T> {
    errors: Vec<T>,
    warnings: Vec<T>,
    left_out: usize,
}

impl<T> Default for Bounded<T> {
    fn default() -> Self {
        Bounded { errors: Vec::new(), warnings: Vec::new(), left_out: 0 }
    }
}

impl<T> Bounded<T> {
    /// Adds what `make` returns; where there is no room it is not called, and only counted.
    pub fn add(&mut self, severity: Severity, make: impl FnOnce() -> T) {
        let kind = match severity {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
        };
        if kind.len() < DIAGNOSTICS_MAX {
            kind.push(make());
        } else {
            self.left_out = self.left_out.saturating_add(1);
        }
    }

    /// Everything collected, errors first.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.errors.iter().chain(&self.warnings)
    }

    /// Keeps only what `keep` says.
    pub fn retain(&mut self, keep: impl Fn(&T) -> bool) {
        self.errors.retain(&keep);
        self.warnings.retain(&keep);
    }

    /// Everything collected, errors first, and how much was left out.
    pub fn into_parts(self) -> (impl Iterator<Item = T>, usize) {
        (self.errors.into_iter().chain(self.warnings), self.left_out)
    }
}

impl Bounded<Diagnostic> {
    /// Adds a diagnostic.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.add(diagnostic.severity, || diagnostic);
    }
}

/// Orders by file, position, then code, so that one build always reports in one order, and keeps no more than
/// [`DIAGNOSTICS_MAX`], errors before warnings; a last one says how many are left out.
pub fn sort(diagnostics: &mut Vec<Diagnostic>) {
    sort_all(diagnostics, 0);
}

/// [`sort`], where `left_out` more were found than are in the list.
pub fn sort_all(diagnostics: &mut Vec<Diagnostic>, left_out: usize) {
    let left_out = diagnostics.len().saturating_sub(DIAGNOSTICS_MAX).saturating_add(left_out);
    let is_broken = diagnostics.iter().any(Diagnostic::is_error);
    diagnostics.sort_by(|a, b| a.severity.cmp(&b.severity).then_with(|| place(a).cmp(&place(b))));
    diagnostics.truncate(DIAGNOSTICS_MAX);
    diagnostics.sort_by(|a, b| place(a).cmp(&place(b)));
    if left_out > 0 {
        let message = format!("{left_out} more problems were found; mend the first {}", diagnostics.len());
        let mut more = Diagnostic::new(Code::TooManyProblems, message);
        // Errors come first: where none is told, none is left out.
        more.severity = if is_broken { Severity::Error } else { Severity::Warning };
        diagnostics.push(more);
    }
}

/// What diagnostics are ordered by.
fn place(diagnostic: &Diagnostic) -> (&Option<Span>, Code, &str, &str) {
    (&diagnostic.span, diagnostic.code, &diagnostic.path, &diagnostic.message)
}

/// `file, line, column, endLine, endColumn` beside the other fields, as the specification has it.
mod flat_span {
    use super::{Position, Span};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::sync::Arc;

    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Flat {
        file: Option<Arc<str>>,
        line: Option<u32>,
        column: Option<u32>,
        end_line: Option<u32>,
        end_column: Option<u32>,
    }

    pub(super) fn serialize<S: Serializer>(span: &Option<Span>, serializer: S) -> Result<S::Ok, S::Error> {
        let span = span.as_ref();
        Flat {
            file: span.map(|s| Arc::clone(&s.file)),
            line: span.map(|s| s.start.line),
            column: span.map(|s| s.start.column),
            end_line: span.map(|s| s.end.line),
            end_column: span.map(|s| s.end.column),
        }
        .serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Span>, D::Error> {
        let flat = Flat::deserialize(deserializer)?;
        Ok(match flat {
            Flat {
                file: Some(file),
                line: Some(line),
                column: Some(column),
                end_line: Some(end_line),
                end_column: Some(end_column),
            } => Some(Span {
                file,
                start: Position { line, column },
                end: Position { line: end_line, column: end_column },
            }),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(mut diagnostics: Vec<Diagnostic>, left_out: usize) -> Vec<Diagnostic> {
        sort_all(&mut diagnostics, left_out);
        diagnostics
    }

    fn at(code: Code, line: u32) -> Diagnostic {
        let place = Position { line, column: 1 };
        Diagnostic::new(code, "x").with_span(Some(Span { file: "f".into(), start: place, end: place }))
    }

    #[test]
    fn errors_are_told_before_warnings_and_all_in_the_order_of_the_source() {
        let warnings = (1..=600).map(|line| at(Code::RouteShadowed, line));
        let told = sorted(warnings.chain([at(Code::WrongType, 601)]).collect(), 7);
        assert_eq!(told.len(), DIAGNOSTICS_MAX + 1);
        let (more, rest) = told.split_last().unwrap();
        assert_eq!((rest[0].code, rest[DIAGNOSTICS_MAX - 1].code), (Code::RouteShadowed, Code::WrongType));
        assert!(rest.is_sorted_by_key(|diagnostic| diagnostic.span.clone()));
        assert!(more.message.starts_with("108 more problems") && more.is_error());
    }

    #[test]
    fn warnings_fail_no_build_however_many() {
        let told = sorted((1..=501).map(|line| at(Code::PriceFalls, line)).collect(), 0);
        assert_eq!(told.len(), DIAGNOSTICS_MAX + 1);
        assert!(!told.iter().any(Diagnostic::is_error));
        assert_eq!(sorted(vec![at(Code::PriceFalls, 1)], 0).len(), 1);
    }
}
