//! Where things stand in the author's source: from a finding's place to the span of the very key or value. Knows no rule.

use crate::diagnostic::Diagnostic;
use crate::registry::{Declaration, Registry, Value};
use crate::rules::finding::{At, Finding, Place};
use crate::source::{CallSite, ClassSite, IndirectSite, Path, Segment, Span, SpanTree};
use crate::work;
use std::collections::{BTreeMap, HashMap};

/// Which declaration made each named thing.
#[derive(Default)]
pub(crate) struct Index {
    /// By collection and key.
    declared: BTreeMap<&'static str, BTreeMap<String, Declared>>,
    nav: Vec<Merged>,
    pages: Vec<Merged>,
}

/// A declaration, and the argument of it that holds the options.
#[derive(Clone, Copy)]
struct Declared {
    declaration: usize,
    options: usize,
    /// Whether the argument holds options of several, by key.
    is_keyed: bool,
}

/// An element of a list that several declarations add to: the declaration, and the index in its own list.
#[derive(Clone, Copy)]
struct Merged {
    declaration: usize,
    index: usize,
}

impl Index {
    /// Notes where a key is declared. Returns false, and changes nothing, where it has been declared before.
    pub(crate) fn declare(
        &mut self,
        collection: &'static str,
        key: &str,
        declaration: usize,
        options: usize,
        is_keyed: bool,
    ) -> bool {
        let keys = self.declared.entry(collection).or_default();
        let is_new = !keys.contains_key(key);
        if is_new {
            keys.insert(key.to_owned(), Declared { declaration, options, is_keyed });
        }
        is_new
    }

    /// Notes that a declaration added so many elements to the navigation and to the pages.
    pub(crate) fn add_frontend(&mut self, declaration: usize, nav: usize, pages: usize) {
        self.nav.extend((0..nav).map(|index| Merged { declaration, index }));
        self.pages.extend((0..pages).map(|index| Merged { declaration, index }));
    }
}

/// A class and the decorators in it that made the registry's declarations, one for each.
pub(crate) struct Matched<'a> {
    pub(crate) class: &'a ClassSite,
    made: Vec<Made<'a>>,
}

/// A written decorator.
#[derive(Clone, Copy)]
enum Made<'a> {
    Call(&'a CallSite),
    /// Through a helper, or behind a condition: what is inside has no place of its own.
    Indirect(&'a IndirectSite),
}

impl<'a> Made<'a> {
    fn span(self) -> &'a Span {
        match self {
            Made::Call(call) => &call.span,
            Made::Indirect(site) => &site.span,
        }
    }

    /// What it is, or may stand for.
    fn decorators(self) -> impl Iterator<Item = &'a str> {
        let (one, several) = match self {
            Made::Call(call) => (Some(call.decorator.as_str()), [].as_slice()),
            Made::Indirect(site) => (None, site.decorators.as_slice()),
        };
        one.into_iter().chain(several.iter().map(String::as_str))
    }

    fn member(self) -> Option<&'a str> {
        match self {
            Made::Call(call) => call.member.as_deref(),
            Made::Indirect(site) => site.member.as_deref(),
        }
    }

    fn fits(self, declaration: &Declaration) -> bool {
        self.member() == declaration.member.as_deref() && self.decorators().any(|name| name == declaration.decorator)
    }
}

/// The class whose decorators are the registry's in name and order. Decorators that were misused are in the class too, and
/// passed over.
pub(crate) fn matching_class<'a>(registry: &Registry, classes: &'a [ClassSite]) -> Option<Matched<'a>> {
    classes.iter().filter(|_| registry.absent.is_none()).find_map(|class| {
        let made = decorators_of(registry, class)?;
        (made.len().saturating_add(registry.misuses.len()) >= class.calls.len()).then_some(Matched { class, made })
    })
}

/// The written decorator of each declaration, if a class has them all.
fn decorators_of<'a>(registry: &Registry, class: &'a ClassSite) -> Option<Vec<Made<'a>>> {
    let indirect = class.indirect.iter().map(Made::Indirect);
    let mut all: Vec<Made<'a>> = class.calls.iter().map(Made::Call).chain(indirect).collect();
    all.sort_by_key(|made| made.span());
    let mut places: HashMap<(&str, Option<&str>), Vec<usize>> = HashMap::new();
    for (place, made) in all.iter().enumerate() {
        for decorator in made.decorators() {
            places.entry((decorator, made.member())).or_default().push(place);
        }
    }
    // The first written one that is not passed yet.
    let mut rest = 0;
    let mut last: Option<Made<'a>> = None;
    let mut find = |declaration: &Declaration| {
        work::step();
        // A helper may declare several things.
        let several = last.filter(|last| matches!(last, Made::Indirect(_)) && last.fits(declaration));
        let fitting = places.get(&(declaration.decorator.as_str(), declaration.member.as_deref()));
        let next = fitting.and_then(|fitting| fitting.get(fitting.partition_point(|place| *place < rest))).copied();
        if let Some(next) = next {
            rest = next.saturating_add(1);
        }
        last = next.and_then(|next| all.get(next)).copied().or(several);
        last
    };
    registry.declarations.iter().map(&mut find).collect()
}

/// Finds the places of one registry's findings.
pub(crate) struct Locator<'a> {
    pub(crate) index: &'a Index,
    pub(crate) class: Option<&'a Matched<'a>>,
    /// What is blamed where there is no class of the product's.
    pub(crate) instead: Option<&'a Span>,
    pub(crate) declarations: &'a [Declaration],
}

impl Locator<'_> {
    /// The finding with its place; the class where nothing closer is known.
    pub(crate) fn diagnostic(&self, finding: Finding) -> Diagnostic {
        let span = self.span(&finding);
        let mut diagnostic = Diagnostic::new(finding.code, finding.message).with_path(&finding.path).with_span(span);
        diagnostic.hint = finding.hint;
        diagnostic
    }

    /// Where the value at a path was written, by the author's names or the IR's.
    pub(crate) fn value_at(&self, path: &Path) -> Option<Span> {
        match path.segments() {
            [Segment::Key(collection), rest @ ..] if &**collection == "product" => {
                let product = self.declarations.iter().position(|declaration| declaration.decorator == "Product")?;
                self.argument(product, 0, rest, At::Value)
            }
            segments => self.by_path(&written_names(segments), At::Value),
        }
    }

    fn span(&self, finding: &Finding) -> Option<Span> {
        match &finding.place {
            Place::Argument { declaration, argument, rest, at } => self.argument(*declaration, *argument, rest, *at),
            Place::Declaration(declaration) => self.made(*declaration).map(|made| made.span().clone()),
            Place::Path(at) => self.by_path(finding.path.segments(), *at),
        }
        .or_else(|| self.class.map(|matched| &matched.class.span).or(self.instead).cloned())
    }

    fn made(&self, declaration: usize) -> Option<Made<'_>> {
        self.class?.made.get(declaration).copied()
    }

    fn by_path(&self, path: &[Segment], at: At) -> Option<Span> {
        let (Segment::Key(collection), rest) = path.split_first()? else { return None };
        if &**collection == "frontend" {
            return self.frontend(rest, at);
        }
        let (Segment::Key(key), rest) = rest.split_first()? else { return None };
        let keys = self.index.declared.get(&**collection)?;
        let Declared { declaration, options, is_keyed } = *keys.get(&**key)?;
        if is_keyed {
            let inside: Vec<Segment> = [Segment::Key(key.clone())].into_iter().chain(rest.iter().cloned()).collect();
            return self.argument(declaration, options, &inside, if rest.is_empty() { At::Key } else { at });
        }
        if rest.is_empty() {
            return self.argument(declaration, 0, rest, At::Value);
        }
        let rest = self.author_steps(declaration, options, rest);
        self.argument(declaration, options, &rest, at)
    }

    fn frontend(&self, rest: &[Segment], at: At) -> Option<Span> {
        let (Segment::Key(list), tail) = rest.split_first()? else { return None };
        let (Segment::Index(merged), tail) = tail.split_first()? else { return None };
        let places = if &**list == "nav" { &self.index.nav } else { &self.index.pages };
        let Merged { declaration, index } = *places.get(usize::try_from(*merged).ok()?)?;
        let steps: Vec<Segment> =
            [Segment::Key(list.clone()), Segment::from(index)].into_iter().chain(tail.iter().cloned()).collect();
        self.argument(declaration, 0, &steps, at)
    }

    /// Turns the names that lowering gave to some places back into the author's: a key inside a list of keys becomes the
    /// index it stands at, `caps` may be `limits`, `meter` may be `meters`, `reports` may be `report`.
    fn author_steps(&self, declaration: usize, options: usize, rest: &[Segment]) -> Vec<Segment> {
        let mut value = self.declarations.get(declaration).and_then(|declaration| declaration.args.get(options));
        let mut steps = Vec::with_capacity(rest.len());
        for (position, segment) in rest.iter().enumerate() {
            let next = rest.get(position.saturating_add(1));
            let step = value.map_or_else(|| segment.clone(), |value| author_step(value, segment, next));
            value = value.and_then(|value| descend(value, &step));
            steps.push(step);
        }
        steps
    }

    /// The span of the innermost written-out value on the way; the decorator's when the argument is computed.
    fn argument(&self, declaration: usize, argument: usize, rest: &[Segment], at: At) -> Option<Span> {
        let call = match self.made(declaration)? {
            Made::Call(call) => call,
            Made::Indirect(site) => return Some(site.span.clone()),
        };
        let Some(mut tree) = call.args.get(argument) else { return Some(call.span.clone()) };
        let mut complete = true;
        for segment in rest {
            match tree.child(segment) {
                Some(inner) => tree = inner,
                None => {
                    complete = false;
                    break;
                }
            }
        }
        Some(span_of(tree, if complete { at } else { At::Value }))
    }
}

/// The names that an author writes, for those of the IR that are called otherwise.
fn written_names(segments: &[Segment]) -> Vec<Segment> {
    let [Segment::Key(collection), Segment::Key(key), rest @ ..] = segments else { return segments.to_vec() };
    let renamed = match (&**collection, rest.first()) {
        ("plans", Some(Segment::Key(field))) => match &**field {
            "recurringFeeCents" => &["price", "amount"][..],
            "interval" => &["price", "interval"][..],
            "currency" => &["price", "currency"][..],
            "intro" => &["price", "intro"][..],
            "capabilityLimits" => &["caps"][..],
            _ => &[][..],
        },
        _ => &[][..],
    };
    let head = [Segment::Key(collection.clone()), Segment::Key(key.clone())];
    let rest = rest.iter().skip(usize::from(!renamed.is_empty())).cloned().map(|segment| match &segment {
        Segment::Key(name) if &**name == "costs" => Segment::from("cost"),
        Segment::Key(name) if &**name == "statusCodes" => Segment::from("onStatusCodes"),
        _ => segment,
    });
    head.into_iter().chain(renamed.iter().map(|name| Segment::from(*name))).chain(rest).collect()
}

fn span_of(tree: &SpanTree, at: At) -> Span {
    match at {
        At::Key => tree.key.clone().unwrap_or_else(|| tree.value.clone()),
        At::Value => tree.value.clone(),
    }
}

fn author_step(value: &Value, segment: &Segment, next: Option<&Segment>) -> Segment {
    let Segment::Key(key) = segment else { return segment.clone() };
    match value {
        Value::List(items) => {
            let names = |item: &Value| match item {
                Value::Text(text) => **text == **key,
                Value::Map(entries) => entries.iter().any(|(name, inner)| {
                    matches!(name.as_str(), "meter" | "id" | "capability")
                        && matches!(inner, Value::Text(text) if **text == **key)
                }),
                _ => false,
            };
            items.iter().position(names).map_or_else(|| segment.clone(), Segment::from)
        }
        Value::Map(entries) => {
            let holds_next = |name: &str| {
                entries
                    .iter()
                    .find(|(entry, _)| entry == name)
                    .is_some_and(|(_, inner)| next.is_none_or(|next| names_step(inner, next)))
            };
            let other = match &**key {
                "caps" => "limits",
                "meter" => "meters",
                "reports" => "report",
                _ => return segment.clone(),
            };
            if holds_next(key) || !holds_next(other) { segment.clone() } else { Segment::from(other) }
        }
        _ => segment.clone(),
    }
}

/// Whether `value` has something under `step`, be it a key of a map, an element, or a text that is the key.
fn names_step(value: &Value, step: &Segment) -> bool {
    match (value, step) {
        (Value::Text(text), Segment::Key(key)) => **text == **key,
        (value, step) => descend(value, &author_step(value, step, None)).is_some(),
    }
}

fn descend<'a>(value: &'a Value, step: &Segment) -> Option<&'a Value> {
    match (value, step) {
        (Value::Map(entries), Segment::Key(key)) => {
            entries.iter().find(|(name, _)| **name == **key).map(|(_, inner)| inner)
        }
        (Value::List(items), Segment::Index(index)) => items.get(usize::try_from(*index).ok()?),
        _ => None,
    }
}
