//! Decorators that declare nothing: they stand where they can't, or in a class that is no product.

use super::locate::Matched;
use crate::diagnostic::{Code, Diagnostic};
use crate::registry::{Misuse, MisuseReason};
use crate::source::{ClassSite, Path};

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
