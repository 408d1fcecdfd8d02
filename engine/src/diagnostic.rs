//! What is wrong with a product, said so that its author can act. Knows no rule; rules make these.

use crate::source::{Path, Position, Span};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Whether a diagnostic fails the build.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The build fails.
    Error,
    /// The build goes on.
    Warning,
}

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $variant:ident = $text:literal $severity:ident;)+) => {
        /// A stable name for one kind of problem. The texts never change their meaning once released.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code { $($(#[doc = $doc])+ $variant,)+ }

        impl Code {
            /// Every code, in the order of the catalogue.
            pub const ALL: &'static [Code] = &[$(Code::$variant,)+];

            /// The code as authors see it.
            pub const fn as_str(self) -> &'static str {
                match self { $(Code::$variant => $text,)+ }
            }

            /// What the code means, in one sentence.
            pub const fn meaning(self) -> &'static str {
                match self { $(Code::$variant => concat!($($doc),+),)+ }
            }

            /// How grave it is, always.
            pub const fn severity(self) -> Severity {
                match self { $(Code::$variant => Severity::$severity,)+ }
            }
        }
    };
}

codes! {
    /// A source file is not valid TypeScript.
    SyntaxError = "SYNTAX_ERROR" Error;
    /// An import names something else than `@svc/product` or a file inside `product/`.
    ImportNotAllowed = "IMPORT_NOT_ALLOWED" Error;
    /// A relative import names a file that is not there.
    ImportNotFound = "IMPORT_NOT_FOUND" Error;
    /// `import()` is used; the build knows all its modules before it starts.
    DynamicImport = "DYNAMIC_IMPORT" Error;
    /// `import.meta` is used; it would tell where the file lies.
    ImportMeta = "IMPORT_META" Error;
    /// A file's name is not a plain path below `product/`, or its ending is not `.ts`, `.js` or `.json`.
    FileNotAllowed = "FILE_NOT_ALLOWED" Error;
    /// There is no `product/product.config.ts`.
    EntryMissing = "ENTRY_MISSING" Error;
    /// A file, or all of them together, or their number, is over the limit.
    SourceTooLarge = "SOURCE_TOO_LARGE" Error;
    /// The product's code threw.
    UncaughtException = "UNCAUGHT_EXCEPTION" Error;
    /// The product's code uses something a deterministic build does not have.
    BannedApi = "BANNED_API" Error;
    /// A top-level `await` waits for something that never comes.
    UnsettledAwait = "UNSETTLED_AWAIT" Error;
    /// `product/product.config.ts` has no default export.
    DefaultExportMissing = "DEFAULT_EXPORT_MISSING" Error;
    /// The default export is not a class with `@Product`.
    DefaultExportNotProduct = "DEFAULT_EXPORT_NOT_PRODUCT" Error;
    /// More than one class carries `@Product`.
    ProductTwice = "PRODUCT_TWICE" Error;
    /// A decorator stands where it can't.
    DecoratorMisuse = "DECORATOR_MISUSE" Error;
    /// A meter is both a fixed cost and a dynamic report of one route.
    MeterCostAndReport = "METER_COST_AND_REPORT" Error;
    /// More problems were found than are told.
    TooManyProblems = "TOO_MANY_PROBLEMS" Error;
    /// A route key is not of the form `METHOD /path`.
    RouteKeyForm = "ROUTE_KEY_FORM" Error;
    /// A key looks like an integer; JavaScript moves such keys to the front.
    IntegerLikeKey = "INTEGER_LIKE_KEY" Error;
    /// An estimate is not a number.
    EstimateNotANumber = "ESTIMATE_NOT_A_NUMBER" Error;
    /// An estimate names a meter that is not declared, or not bound where it stands.
    EstimateMeterUnbound = "ESTIMATE_METER_UNBOUND" Error;
    /// A key is not of the form that keys have.
    KeyForm = "KEY_FORM" Error;
    /// A key or text is not well-formed Unicode, or a key is not in Normalization Form C.
    TextForm = "TEXT_FORM" Error;
    /// Two declarations of one kind have one key.
    DuplicateKey = "DUPLICATE_KEY" Error;
    /// Two actions of the product have one id.
    DuplicateAction = "DUPLICATE_ACTION" Error;
    /// Two features declare one route.
    DuplicateRoute = "DUPLICATE_ROUTE" Error;
    /// An option that does not exist is given.
    UnknownOption = "UNKNOWN_OPTION" Error;
    /// An option that must be given is not.
    OptionRequired = "OPTION_REQUIRED" Error;
    /// A value has another type than its option takes.
    WrongType = "WRONG_TYPE" Error;
    /// A value is not plain data.
    ValueNotPlain = "VALUE_NOT_PLAIN" Error;
    /// A value is none of those its option takes.
    UnknownValue = "UNKNOWN_VALUE" Error;
    /// A number is outside the range its option takes, or no integer where one is needed.
    NumberRange = "NUMBER_RANGE" Error;
    /// An amount of money is not a non-negative safe integer.
    MoneyNotAnInteger = "MONEY_NOT_AN_INTEGER" Error;
    /// A URL is missing its `http` or `https` scheme or its host.
    UrlForm = "URL_FORM" Error;
    /// `onStatusCodes` is not a list of codes and ranges between 100 and 599.
    StatusCodesForm = "STATUS_CODES_FORM" Error;
    /// Price tiers don't ascend, or the last one is not open.
    TiersForm = "TIERS_FORM" Error;
    /// A plan has both `meter` and `meters`.
    MeterAndMeters = "METER_AND_METERS" Error;
    /// A price is both free and has an amount.
    FreeWithAmount = "FREE_WITH_AMOUNT" Error;
    /// A resource is both in `caps` and a count limit of one plan.
    CapAndCount = "CAP_AND_COUNT" Error;
    /// `minMonthlySpendCents` is above `maxMonthlySpendCents`.
    SpendBoundsCrossed = "SPEND_BOUNDS_CROSSED" Error;
    /// A plan has no rate limit.
    PlanRateLimitRequired = "PLAN_RATE_LIMIT_REQUIRED" Error;
    /// A meter that is not declared is named.
    UnknownMeter = "UNKNOWN_METER" Error;
    /// A resource that is not declared is named.
    UnknownResource = "UNKNOWN_RESOURCE" Error;
    /// A capability that is not declared is named.
    UnknownCapability = "UNKNOWN_CAPABILITY" Error;
    /// A feature that is not declared is named.
    UnknownFeature = "UNKNOWN_FEATURE" Error;
    /// A plan that is not declared is named.
    UnknownPlan = "UNKNOWN_PLAN" Error;
    /// An action that is not declared is named.
    UnknownAction = "UNKNOWN_ACTION" Error;
    /// A backend that is not declared is named.
    UnknownBackend = "UNKNOWN_BACKEND" Error;
    /// A policy that is not declared is named.
    UnknownPolicy = "UNKNOWN_POLICY" Error;
    /// Capabilities include each other in a circle.
    CapabilityCycle = "CAPABILITY_CYCLE" Error;
    /// `@Raw` or a plan's `raw` names a field that has a typed declaration.
    RawOverTyped = "RAW_OVER_TYPED" Error;
    /// An earlier route matches all that this one would.
    RouteShadowed = "ROUTE_SHADOWED" Warning;
    /// A plan prices a meter that no route and no workflow feeds.
    PricedMeterUnbound = "PRICED_METER_UNBOUND" Warning;
    /// A feature is granted by no plan.
    FeatureUngranted = "FEATURE_UNGRANTED" Warning;
    /// A capability is granted by no plan.
    CapabilityUngranted = "CAPABILITY_UNGRANTED" Warning;
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Code {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Code {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Code::ALL
            .iter()
            .copied()
            .find(|code| code.as_str() == text)
            .ok_or_else(|| serde::de::Error::custom(format!("unknown diagnostic code {text}")))
    }
}

/// One problem, with the author's own position..
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
    /// Where it stands; nothing when no place in the source can be blamed.
    #[serde(flatten, with = "flat_span")]
    pub span: Option<Span>,
}

impl Diagnostic {
    /// A diagnostic of `code`, as grave as the code is.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Diagnostic {
            code,
            severity: code.severity(),
            message: message.into(),
            hint: None,
            path: String::new(),
            span: None,
        }
    }

    /// With advice.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// About the value of this name.
    #[must_use]
    pub fn with_path(mut self, path: &Path) -> Self {
        self.path = path.to_string();
        self
    }

    /// Standing here.
    #[must_use]
    pub fn with_span(mut self, span: Option<Span>) -> Self {
        self.span = span;
        self
    }

    /// Whether it fails the build.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// Most diagnostics that one build reports.
pub const DIAGNOSTICS_MAX: usize = 500;

/// Orders by file, position, then code, so that one build always reports in one order, and tells no more than
/// [`DIAGNOSTICS_MAX`]; a last one says how many are left out.
pub fn sort(diagnostics: &mut Vec<Diagnostic>) {
    diagnostics.sort_by(|a, b| (&a.span, a.code, &a.path, &a.message).cmp(&(&b.span, b.code, &b.path, &b.message)));
    let left_out = diagnostics.len().saturating_sub(DIAGNOSTICS_MAX);
    if left_out > 0 {
        diagnostics.truncate(DIAGNOSTICS_MAX);
        let message = format!("{left_out} more problems were found; mend the first {DIAGNOSTICS_MAX}");
        diagnostics.push(Diagnostic::new(Code::TooManyProblems, message));
    }
}

/// `file, line, column, endLine, endColumn` beside the other fields, as the specification has it.
mod flat_span {
    use super::{Position, Span};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Flat {
        file: Option<String>,
        line: Option<u32>,
        column: Option<u32>,
        end_line: Option<u32>,
        end_column: Option<u32>,
    }

    pub(super) fn serialize<S: Serializer>(span: &Option<Span>, serializer: S) -> Result<S::Ok, S::Error> {
        let span = span.as_ref();
        Flat {
            file: span.map(|s| s.file.clone()),
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
