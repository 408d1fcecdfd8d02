//! The decorated classes of a whole build: what each written decorator stands for is followed over files, from where it is used to the
//! package or to the helper that makes it.

use super::links::{Linked, Linker, Origin};
use super::sites::{DECORATORS, Decorated, Named, PACKAGE, Sites, Written};
use std::collections::{HashMap, HashSet};
use svc_engine::source::{CallSite, ClassSite, IndirectSite};

/// Most names that one decorator is followed through.
const HELPERS_MAX: usize = 100;

/// The classes that carry decorators of the package, file by file. `package` are the package's exports.
pub(crate) fn classes<'g>(
    files: impl Iterator<Item = (Linked<'g>, &'g Sites)>,
    package: (&'g str, &'g [&'g str]),
) -> Vec<ClassSite> {
    let (linked, sites): (Vec<Linked<'_>>, Vec<&Sites>) = files.unzip();
    let by_file: HashMap<&str, &Sites> = linked.iter().map(|one| one.file).zip(sites.iter().copied()).collect();
    let mut resolver = Resolver { linker: Linker::new(&linked, package), sites: by_file };
    sites.iter().flat_map(|sites| &sites.classes).filter_map(|class| resolver.class(class)).collect()
}

struct Resolver<'g> {
    linker: Linker<'g>,
    sites: HashMap<&'g str, &'g Sites>,
}

impl<'g> Resolver<'g> {
    fn class(&mut self, class: &'g Decorated) -> Option<ClassSite> {
        let (mut calls, mut indirect) = (Vec::new(), Vec::new());
        for written in &class.decorators {
            let callee = written.callee.as_ref().and_then(|callee| self.package_name(callee));
            match callee {
                Some(decorator) => calls.push(call(written, decorator)),
                None => indirect.extend(self.indirect(written)),
            }
        }
        let is_any = !calls.is_empty() || !indirect.is_empty();
        is_any.then(|| ClassSite { name: class.name.clone(), span: class.span.clone(), calls, indirect })
    }

    /// What the package exports, where a name stands for that.
    fn package_name(&mut self, named: &'g Named) -> Option<&'g str> {
        match named {
            Named::Package(name) => Some(name),
            Named::Elsewhere(module, path) => match self.linker.origin(module, path)? {
                (PACKAGE, name) => Some(name),
                _ => None,
            },
        }
    }

    /// A decorator that is none of the package's, but names one inside, in this file or another.
    fn indirect(&mut self, written: &'g Written) -> Option<IndirectSite> {
        let mut decorators = Vec::new();
        self.collect(&written.inside, &mut decorators);
        let (member, span) = (written.member.clone(), written.span.clone());
        (!decorators.is_empty()).then_some(IndirectSite { decorators, member, span })
    }

    /// The decorators of the package that these names stand for, or the helpers that they are, each once.
    fn collect(&mut self, names: &'g [Named], found: &mut Vec<String>) {
        let mut seen: HashSet<Origin<'g>> = HashSet::new();
        let mut open: Vec<&'g Named> = names.iter().rev().collect();
        while let Some(named) = open.pop() {
            let origin: Option<Origin<'g>> = match named {
                Named::Package(name) => Some((PACKAGE, name)),
                Named::Elsewhere(module, path) => self.linker.origin(module, path),
            };
            let Some(origin) = origin.filter(|origin| seen.insert(*origin)) else { continue };
            match origin {
                (PACKAGE, name) if DECORATORS.contains(&name) => found.push(name.to_owned()),
                (PACKAGE, _) => {}
                (module, name) if seen.len() <= HELPERS_MAX => {
                    let helper = self.sites.get(module).and_then(|sites| sites.helpers.get(name));
                    open.extend(helper.into_iter().flatten().rev());
                }
                _ => {}
            }
        }
    }
}

fn call(written: &Written, decorator: &str) -> CallSite {
    CallSite {
        decorator: decorator.to_owned(),
        member: written.member.clone(),
        span: written.span.clone(),
        args: written.args.clone(),
    }
}
