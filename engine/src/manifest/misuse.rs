//! Decorators that declare nothing: they stand where they can't, in a class that is no product, or are not applied at all.

use super::locate::Matched;
use crate::diagnostic::{Code, Diagnostic};
use crate::registry::{Misuse, MisuseReason, Registry};
use crate::source::{ClassSite, Path, Span};
use std::collections::HashMap;

/// Why a decorator can't be where it is, at its place where it has one. `claimed` is the written decorator that has no other trace.
pub(crate) fn misuse_diagnostic(misuse: &Misuse, claimed: Option<&Span>, classes: &[ClassSite]) -> Diagnostic {
    let why = match misuse.reason {
        MisuseReason::Method => "stands on a method or accessor; it belongs on a field",
        MisuseReason::Static => "stands on a static member; it belongs on an instance field",
        MisuseReason::Private => "stands on a #private member; it belongs on a public field",
        MisuseReason::SymbolMember => "stands on a member named by a symbol; it belongs on a named field",
        MisuseReason::NumberMember => "stands on a member named by a number; it belongs on a named field",
        MisuseReason::ClassDecoratorOnMember => "stands on a member; it belongs on the class",
        MisuseReason::MemberDecoratorOnClass => "stands on the class; it belongs on a field",
        MisuseReason::OutsideClass => "was called outside a class",
        MisuseReason::Finalised => "came after `@Product` had finalised the class; `@Product` stands on top",
        MisuseReason::NoMetadata => "gets no metadata from this compiler",
    };
    let calls = classes.iter().filter(|_| misuse.reason != MisuseReason::OutsideClass).flat_map(|class| &class.calls);
    let site = calls.clone().find(|call| call.decorator == misuse.decorator && call.member == misuse.member);
    let anywhere =
        || classes.first().filter(|_| misuse.reason != MisuseReason::OutsideClass).map(|class| class.span.clone());
    let span = site.map(|call| &call.span).or(claimed).cloned().or_else(anywhere);
    let mut path = Path::new(["product"]);
    if let Some(member) = &misuse.member {
        path = path.join(member.as_str());
    }
    Diagnostic::new(Code::DecoratorMisuse, format!("`@{}` {why}", misuse.decorator)).with_path(&path).with_span(span)
}

/// Classes whose declarations no product has: reported, since they would be lost in silence.
pub(crate) fn lost_classes<'a>(
    matched: Option<&Matched<'_>>,
    classes: &'a [ClassSite],
) -> impl Iterator<Item = Diagnostic> + 'a {
    let product = matched.map(|matched| matched.class.span.clone());
    let is_lost = move |class: &&ClassSite| {
        product.as_ref().is_some_and(|product| *product != class.span)
            && class.calls.iter().all(|call| call.decorator != "Product")
    };
    classes.iter().filter(is_lost).map(|class| {
        let name = class.name.as_deref().map_or_else(|| "a class".to_owned(), |name| format!("the class `{name}`"));
        let message = format!("{name} carries decorators but no `@Product`; what it declares is in no product");
        let diagnostic = Diagnostic::new(Code::DecoratorMisuse, message).with_path(&Path::new(["product"]));
        diagnostic.with_hint("move its members into the product's class").with_span(Some(class.span.clone()))
    })
}

/// The traces that applied decorators left, each to be claimed by one that is written.
#[derive(Default)]
struct Traces<'a> {
    /// How many each decorator left on each member.
    exact: HashMap<(&'a str, Option<&'a str>), usize>,
    /// The misuses where no member is known, by number, the first one last.
    loose: HashMap<&'a str, Vec<usize>>,
    /// How many it left in all.
    all: HashMap<&'a str, usize>,
}

impl<'a> Traces<'a> {
    fn of(registry: &'a Registry) -> Traces<'a> {
        let mut traces = Traces::default();
        for made in &registry.declarations {
            count(traces.exact.entry((&made.decorator, made.member.as_deref())).or_default());
            count(traces.all.entry(&made.decorator).or_default());
        }
        for (number, made) in registry.misuses.iter().enumerate().rev() {
            match made.member.as_deref() {
                Some(member) => count(traces.exact.entry((&made.decorator, Some(member))).or_default()),
                None => traces.loose.entry(&made.decorator).or_default().push(number),
            }
            count(traces.all.entry(&made.decorator).or_default());
        }
        traces
    }

    /// Takes one trace of a decorator on a member. A member whose name is computed may be any.
    fn claim(&mut self, decorator: &'a str, member: Option<&'a str>) -> Option<Claim> {
        let all = self.all.get_mut(decorator).filter(|left| **left > 0)?;
        let exact = self.exact.get_mut(&(decorator, member)).filter(|left| **left > 0);
        let claim = match exact {
            Some(left) => {
                *left = left.saturating_sub(1);
                Claim::Exact
            }
            None => match self.loose.get_mut(decorator).and_then(Vec::pop) {
                Some(number) => Claim::Misuse(number),
                None if member.is_some() => return None,
                None => Claim::Exact,
            },
        };
        *all = all.saturating_sub(1);
        Some(claim)
    }
}

/// What a written decorator was found to have left.
enum Claim {
    /// A trace that says itself where it comes from, or that only this one can have left.
    Exact,
    /// The misuse of this number, which does not.
    Misuse(usize),
}

/// What became of the decorators that are written.
#[derive(Default)]
pub(crate) struct Counted {
    /// Where misuses stand that do not say so themselves, by number.
    pub(crate) places: HashMap<usize, Span>,
    /// Decorators that left no trace in the registry: reported, since what they declare would be lost in silence.
    pub(crate) lost: Vec<Diagnostic>,
}

impl Counted {
    /// Notes what one written decorator left; answers whether it was anything.
    fn note(&mut self, claim: Option<Claim>, span: &Span) -> bool {
        if let Some(Claim::Misuse(number)) = claim {
            self.places.insert(number, span.clone());
        }
        claim.is_some()
    }
}

fn count(left: &mut usize) {
    *left = left.saturating_add(1);
}

/// Compares the decorators that are written with what was recorded. Those of classes that are reported as a whole are passed over.
pub(crate) fn count_decorators(registry: &Registry, matched: Option<&Matched<'_>>, classes: &[ClassSite]) -> Counted {
    let mut counted = Counted::default();
    if registry.absent.is_some() {
        return counted;
    }
    let product = matched.map(|matched| &matched.class.span);
    let is_told = |class: &&ClassSite| {
        let has_product = class.calls.iter().any(|call| call.decorator == "Product");
        if has_product { registry.products > 1 } else { product.is_some_and(|product| *product != class.span) }
    };
    let mut all: Vec<&ClassSite> = classes.iter().filter(|class| !is_told(class)).collect();
    // What the product's own class declares is claimed by its own decorators, and where a name is known before where it is computed.
    all.sort_by_key(|class| Some(&class.span) != product);
    let mut traces = Traces::of(registry);
    for is_named in [true, false] {
        let calls = all.iter().flat_map(|class| &class.calls).filter(|call| call.member.is_some() == is_named);
        for call in calls {
            let (decorator, member) = (call.decorator.as_str(), call.member.as_deref());
            if !counted.note(traces.claim(decorator, member), &call.span) {
                counted.lost.push(not_applied_diagnostic(&format!("`@{decorator}`"), member, &call.span));
            }
        }
    }
    for site in all.iter().flat_map(|class| &class.indirect) {
        let member = site.member.as_deref();
        let claim = site.decorators.iter().find_map(|decorator| traces.claim(decorator, member));
        if !counted.note(claim, &site.span) {
            counted.lost.push(not_applied_diagnostic("the decorator", member, &site.span));
        }
    }
    counted
}

fn not_applied_diagnostic(what: &str, member: Option<&str>, span: &Span) -> Diagnostic {
    let on = member.map(|member| format!(" on `{member}`")).unwrap_or_default();
    let message = format!("{what}{on} was not applied; what it declares is in no product");
    let hint = "put it straight above a field of the product's class, and declare that class outside of functions and conditions";
    let mut path = Path::new(["product"]);
    if let Some(member) = member {
        path = path.join(member);
    }
    let diagnostic = Diagnostic::new(Code::DecoratorNotApplied, message).with_path(&path);
    diagnostic.with_hint(hint).with_span(Some(span.clone()))
}
