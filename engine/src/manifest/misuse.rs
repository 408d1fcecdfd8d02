//! Decorators that declare nothing: they stand where they can't, in a class that is no product, or are not applied at all.

use super::locate::Matched;
use crate::diagnostic::{Code, Diagnostic};
use crate::registry::{Misuse, MisuseReason, Registry};
use crate::source::{ClassSite, Path, Span};
use std::collections::HashMap;

/// Why a decorator can't be where it is, at its place where it has one.
pub(crate) fn misuse_diagnostic(misuse: &Misuse, classes: &[ClassSite]) -> Diagnostic {
    let why = match misuse.reason {
        MisuseReason::Method => "stands on a method or accessor; it belongs on a field",
        MisuseReason::Static => "stands on a static member; it belongs on an instance field",
        MisuseReason::Private => "stands on a #private member; it belongs on a public field",
        MisuseReason::SymbolMember => "stands on a member named by a symbol; it belongs on a named field",
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
    let span = site.map(|call| call.span.clone()).or_else(anywhere);
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
    /// How many it left where no member is known, misused as it was.
    loose: HashMap<&'a str, usize>,
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
        for made in &registry.misuses {
            match made.member.as_deref() {
                Some(member) => count(traces.exact.entry((&made.decorator, Some(member))).or_default()),
                None => count(traces.loose.entry(&made.decorator).or_default()),
            }
            count(traces.all.entry(&made.decorator).or_default());
        }
        traces
    }

    /// Takes one trace of a decorator on a member. A member whose name is computed may be any.
    fn claim(&mut self, decorator: &'a str, member: Option<&'a str>) -> bool {
        let Some(all) = self.all.get_mut(decorator).filter(|left| **left > 0) else { return false };
        let exact = self.exact.get_mut(&(decorator, member)).filter(|left| **left > 0);
        match exact.or_else(|| self.loose.get_mut(decorator).filter(|left| **left > 0)) {
            Some(left) => *left = left.saturating_sub(1),
            None if member.is_some() => return false,
            None => {}
        }
        *all = all.saturating_sub(1);
        true
    }
}

fn count(left: &mut usize) {
    *left = left.saturating_add(1);
}

/// Decorators that left no trace in the registry: reported, since what they declare would be lost in silence. Those of classes that are
/// reported as a whole are passed over.
pub(crate) fn not_applied<'a>(
    registry: &'a Registry,
    matched: Option<&Matched<'_>>,
    classes: &'a [ClassSite],
) -> Vec<Diagnostic> {
    if registry.absent.is_some() {
        return Vec::new();
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
    let mut lost = Vec::new();
    for is_named in [true, false] {
        let calls = all.iter().flat_map(|class| &class.calls).filter(|call| call.member.is_some() == is_named);
        for call in calls {
            if traces.claim(&call.decorator, call.member.as_deref()) {
                continue;
            }
            lost.push(not_applied_diagnostic(&format!("`@{}`", call.decorator), call.member.as_deref(), &call.span));
        }
    }
    for site in all.iter().flat_map(|class| &class.indirect) {
        if !site.decorators.iter().any(|decorator| traces.claim(decorator, site.member.as_deref())) {
            lost.push(not_applied_diagnostic("the decorator", site.member.as_deref(), &site.span));
        }
    }
    lost
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
