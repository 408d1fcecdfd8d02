//! The decorated classes of a whole build: what each written decorator stands for is followed over files, from where it is used to the
//! package or to the helper that makes it.

use super::links::{Linked, Linker, Origin};
use super::sites::{DECORATORS, Decorated, Named, PACKAGE, Sites, Written};
use std::collections::HashMap;
use svc_engine::source::{CallSite, ClassSite, IndirectSite};

/// How many helpers are followed into each other.
const HELPERS_DEEP_MAX: usize = 8;

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
        self.collect(&written.inside, HELPERS_DEEP_MAX, &mut decorators);
        let (member, span) = (written.member.clone(), written.span.clone());
        (!decorators.is_empty()).then_some(IndirectSite { decorators, member, span })
    }

    fn collect(&mut self, all: &'g [Named], deep: usize, found: &mut Vec<String>) {
        for named in all {
            let origin: Option<Origin<'g>> = match named {
                Named::Package(name) => Some((PACKAGE, name)),
                Named::Elsewhere(module, path) => self.linker.origin(module, path),
            };
            match origin {
                Some((PACKAGE, name)) if DECORATORS.contains(&name) && !found.iter().any(|known| known == name) => {
                    found.push(name.to_owned());
                }
                Some((PACKAGE, _)) => {}
                Some((module, name)) => {
                    let helper = self.sites.get(module).and_then(|sites| sites.helpers.get(name));
                    if let (Some(helper), Some(deep)) = (helper, deep.checked_sub(1)) {
                        self.collect(helper, deep, found);
                    }
                }
                None => {}
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
