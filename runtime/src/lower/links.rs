//! How files are linked: what each exports, and what it takes of others. A name that the other file does not export is reported, at its
//! place and with what may have been meant: as an import, and as a member of a whole module, where the language answers `undefined`.

use super::problems::Problems;
use super::sites::{TESTING, TESTING_EXPORTS};
use oxc::ast::ast::{
    AssignmentExpression, AssignmentTarget, AssignmentTargetProperty, BindingPattern, Declaration,
    ExportDefaultDeclarationKind, ExportSpecifier, Expression, ImportDeclaration, ImportDeclarationSpecifier,
    MemberExpression, ModuleExportName, Program, Statement, VariableDeclarator,
};
use oxc::ast_visit::{Visit, walk};
use oxc::semantic::Scoping;
use oxc::span::{GetSpan, Span};
use oxc::syntax::symbol::SymbolId;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;
use svc_engine::diagnostic::{Code, Diagnostic};
use svc_engine::lines::Lines;
use svc_engine::rules::suggest;

/// Most exported names of one build that are looked at to find what was meant by those that are not there.
const LOOKS_MAX: usize = 100_000;
/// The name of the default export.
const DEFAULT: &str = "default";
/// What stands for a whole module; no name is written so.
const ALL: &str = "*";

/// What one file exports, and what it takes of others.
#[derive(Debug, Default)]
pub(crate) struct Links {
    exports: BTreeMap<String, Export>,
    /// The modules whose exports are all passed on.
    passed_on: Vec<String>,
    /// What it imports, by module and name.
    imports: Vec<(String, Imported)>,
    /// Imports of names that are there at run time, and where the names stand.
    taken: Vec<(usize, Span)>,
    names: Vec<String>,
    reads: Vec<Read>,
}

/// What stands behind one exported name.
#[derive(Debug)]
enum Export {
    Value,
    /// Nothing at run time.
    Type,
    /// A whole module.
    Module(String),
    /// What another module exports under a name.
    From(String, String),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Imported {
    All,
    Named(String),
}

/// A member of an imported name, by the numbers of both: `prices.starter`, or `prices.monthly.starter`.
#[derive(Debug)]
struct Read {
    import: usize,
    /// The name in between, where there is one.
    through: Option<usize>,
    member: usize,
    span: Span,
}

impl Links {
    /// Those of a JSON file: its value.
    pub(super) fn of_json() -> Links {
        Links { exports: BTreeMap::from([(DEFAULT.to_owned(), Export::Value)]), ..Links::default() }
    }

    /// Reads a program whose imports name modules outright.
    pub(super) fn of(program: &Program<'_>, scoping: &Scoping) -> Links {
        let mut links = Links::default();
        let mut locals: HashMap<SymbolId, usize> = HashMap::new();
        for statement in &program.body {
            if let Statement::ImportDeclaration(import) = statement {
                links.note_import(import, &mut locals);
            }
        }
        for statement in &program.body {
            links.note_export(statement, scoping, &locals);
        }
        if !locals.is_empty() {
            let mut reader = Reader { scoping, locals: &locals, numbers: HashMap::new(), reads: Vec::new() };
            reader.visit_program(program);
            let Reader { numbers, reads, .. } = reader;
            let mut names: Vec<(String, usize)> = numbers.into_iter().collect();
            names.sort_unstable_by_key(|(_, number)| *number);
            links.names = names.into_iter().map(|(name, _)| name).collect();
            links.reads = reads;
        }
        links
    }

    /// Notes the imports that are left after lowering, which leaves out those that are only types.
    pub(super) fn note_taken(&mut self, program: &Program<'_>) {
        let numbers: HashMap<(String, Imported), usize> =
            self.imports.iter().cloned().enumerate().map(|(number, import)| (import, number)).collect();
        for statement in &program.body {
            match statement {
                Statement::ImportDeclaration(import) => {
                    for specifier in import.specifiers.iter().flatten() {
                        let (name, span) = imported(specifier);
                        let key = (import.source.value.to_string(), name);
                        self.taken.extend(numbers.get(&key).map(|number| (*number, span)));
                    }
                }
                Statement::ExportFromDeclaration(export) => {
                    for specifier in &export.specifiers {
                        let import =
                            (export.source.value.to_string(), Imported::Named(specifier.local.name().to_string()));
                        self.taken.push((self.imports.len(), specifier.local.span()));
                        self.imports.push(import);
                    }
                }
                _ => {}
            }
        }
    }

    fn note_import(&mut self, import: &ImportDeclaration<'_>, locals: &mut HashMap<SymbolId, usize>) {
        for specifier in import.specifiers.iter().flatten() {
            let (name, _) = imported(specifier);
            locals.insert(specifier.local().symbol_id(), self.imports.len());
            self.imports.push((import.source.value.to_string(), name));
        }
    }

    /// Adds an export. A value stays one where a type of its name is exported beside it.
    fn export(&mut self, name: &str, export: Export) {
        let is_type = matches!(export, Export::Type);
        if !is_type || !self.exports.contains_key(name) {
            self.exports.insert(name.to_owned(), export);
        }
    }

    fn note_export(&mut self, statement: &Statement<'_>, scoping: &Scoping, locals: &HashMap<SymbolId, usize>) {
        match statement {
            Statement::ExportDeclaration(export) => self.note_declaration(&export.declaration, scoping),
            Statement::ExportDefaultDeclaration(export) => {
                let is_type = matches!(export.declaration, ExportDefaultDeclarationKind::TSInterfaceDeclaration(_));
                self.export(DEFAULT, if is_type { Export::Type } else { Export::Value });
            }
            Statement::ExportNamedDeclaration(export) => {
                for specifier in &export.specifiers {
                    let is_type = export.export_kind.is_type() || specifier.export_kind.is_type();
                    let found = if is_type { Export::Type } else { self.local(specifier, scoping, locals) };
                    self.export(specifier.exported.name().as_str(), found);
                }
            }
            Statement::ExportFromDeclaration(export) => {
                for specifier in &export.specifiers {
                    let is_type = export.export_kind.is_type() || specifier.export_kind.is_type();
                    let from = || Export::From(export.source.value.to_string(), specifier.local.name().to_string());
                    self.export(specifier.exported.name().as_str(), if is_type { Export::Type } else { from() });
                }
            }
            Statement::ExportAllDeclaration(export) if export.export_kind.is_type() => {}
            Statement::ExportAllDeclaration(export) => match &export.exported {
                Some(name) => self.export(name.name().as_str(), Export::Module(export.source.value.to_string())),
                None => self.passed_on.push(export.source.value.to_string()),
            },
            _ => {}
        }
    }

    fn note_declaration(&mut self, declaration: &Declaration<'_>, scoping: &Scoping) {
        let is_type = declaration.declare() || declaration.is_type();
        if let Declaration::VariableDeclaration(variables) = declaration {
            let mut names = Vec::new();
            for declarator in &variables.declarations {
                names.extend(declarator.id.get_binding_identifiers());
            }
            for id in names {
                self.export(id.name.as_str(), if is_type { Export::Type } else { Export::Value });
            }
            return;
        }
        let Some(id) = declaration.id() else { return };
        // A namespace may hold nothing but types.
        let is_value = !is_type && scoping.symbol_flags(id.symbol_id()).is_value();
        self.export(id.name.as_str(), if is_value { Export::Value } else { Export::Type });
    }

    /// What the local name of `export { name }` stands for.
    fn local(&self, specifier: &ExportSpecifier<'_>, scoping: &Scoping, locals: &HashMap<SymbolId, usize>) -> Export {
        let ModuleExportName::IdentifierReference(name) = &specifier.local else { return Export::Value };
        let reference = name.reference_id.get().map(|id| scoping.get_reference(id));
        let Some(symbol) = reference.and_then(|reference| reference.symbol_id()) else { return Export::Value };
        match locals.get(&symbol).and_then(|number| self.imports.get(*number)) {
            Some((module, Imported::All)) => Export::Module(module.clone()),
            Some((module, Imported::Named(name))) => Export::From(module.clone(), name.clone()),
            None if scoping.symbol_flags(symbol).is_value() => Export::Value,
            None => Export::Type,
        }
    }
}

/// What an import's specifier takes, and where that is named.
fn imported(specifier: &ImportDeclarationSpecifier<'_>) -> (Imported, Span) {
    match specifier {
        ImportDeclarationSpecifier::ImportSpecifier(named) => {
            (Imported::Named(named.imported.name().to_string()), named.imported.span())
        }
        ImportDeclarationSpecifier::ImportDefaultSpecifier(default) => {
            (Imported::Named(DEFAULT.to_owned()), default.local.span)
        }
        ImportDeclarationSpecifier::ImportNamespaceSpecifier(all) => (Imported::All, all.local.span),
    }
}

/// Finds the members of imported names.
struct Reader<'s> {
    scoping: &'s Scoping,
    locals: &'s HashMap<SymbolId, usize>,
    /// Each name's number, in the order in which they were met.
    numbers: HashMap<String, usize>,
    reads: Vec<Read>,
}

impl Reader<'_> {
    fn number(&mut self, name: &str) -> usize {
        let next = self.numbers.len();
        match self.numbers.get(name) {
            Some(number) => *number,
            None => {
                self.numbers.insert(name.to_owned(), next);
                next
            }
        }
    }

    /// The import that an expression is the name of.
    fn import(&self, value: &Expression<'_>) -> Option<usize> {
        let Expression::Identifier(name) = value.get_inner_expression() else { return None };
        let symbol = self.scoping.get_reference(name.reference_id.get()?).symbol_id()?;
        self.locals.get(&symbol).copied()
    }

    /// The import that an expression is the name of, or a member of, and that member's name.
    fn path<'e>(&self, value: &'e Expression<'_>) -> Option<(usize, Option<&'e str>)> {
        if let Some(import) = self.import(value) {
            return Some((import, None));
        }
        let member = value.get_inner_expression().as_member_expression()?;
        Some((self.import(member.object())?, Some(member.static_property_name()?)))
    }

    /// One property of `({ starter } = prices)`.
    fn note_taken_apart(&mut self, import: usize, through: Option<&str>, property: &AssignmentTargetProperty<'_>) {
        match property {
            AssignmentTargetProperty::AssignmentTargetPropertyIdentifier(name) => {
                self.note(import, through, name.binding.name.as_str(), name.binding.span);
            }
            AssignmentTargetProperty::AssignmentTargetPropertyProperty(property) => {
                if let Some(name) = property.name.static_name() {
                    self.note(import, through, &name, property.name.span());
                }
            }
        }
    }

    fn note(&mut self, import: usize, through: Option<&str>, member: &str, span: Span) {
        let through = through.map(|name| self.number(name));
        let member = self.number(member);
        self.reads.push(Read { import, through, member, span });
    }
}

impl<'p> Visit<'p> for Reader<'_> {
    fn visit_member_expression(&mut self, member: &MemberExpression<'p>) {
        if let Some((name, span)) = named(member)
            && let Some((import, through)) = self.path(member.object())
        {
            self.note(import, through, name, span);
        }
        walk::walk_member_expression(self, member);
    }

    fn visit_variable_declarator(&mut self, declarator: &VariableDeclarator<'p>) {
        if let (BindingPattern::ObjectPattern(pattern), Some(init)) = (&declarator.id, &declarator.init)
            && let Some((import, through)) = self.path(init)
        {
            for property in &pattern.properties {
                if let Some(name) = property.key.static_name() {
                    self.note(import, through, &name, property.key.span());
                }
            }
        }
        walk::walk_variable_declarator(self, declarator);
    }

    fn visit_assignment_expression(&mut self, assignment: &AssignmentExpression<'p>) {
        if let AssignmentTarget::ObjectAssignmentTarget(pattern) = &assignment.left
            && let Some((import, through)) = self.path(&assignment.right)
        {
            for property in &pattern.properties {
                self.note_taken_apart(import, through, property);
            }
        }
        walk::walk_assignment_expression(self, assignment);
    }
}

/// The name of a member, and where it stands.
fn named<'e>(member: &'e MemberExpression<'_>) -> Option<(&'e str, Span)> {
    match member {
        MemberExpression::StaticMemberExpression(member) => Some((member.property.name.as_str(), member.property.span)),
        MemberExpression::ComputedMemberExpression(computed) => {
            Some((member.static_property_name()?, computed.expression.span()))
        }
        MemberExpression::PrivateFieldExpression(_) => None,
    }
}

/// One file of a build: its path, its text without a mark, and its links.
pub(crate) struct Linked<'g> {
    pub(crate) file: &'g str,
    pub(crate) text: &'g str,
    pub(crate) links: &'g Links,
}

/// Reports the names that a file takes of another and that are not there. `package` are the exports of the authoring package.
pub(crate) fn check(all: &[Linked<'_>], package: (&str, &[&str])) -> Vec<Diagnostic> {
    let mut linker = Linker::new(all, package);
    let mut found = Vec::new();
    for linked in all {
        let missing = linker.missing(linked.links);
        if !missing.is_empty() {
            let lines = Lines::new(linked.file, linked.text);
            let mut problems = Problems::new(&lines);
            missing.into_iter().for_each(|(span, message, hint)| problems.push(Code::SyntaxError, span, message, hint));
            found.extend(problems.into_found());
        }
    }
    found
}

/// What a module has under a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Found<'g> {
    Missing,
    Type,
    Value,
    Module(&'g str),
    /// Two different things, that two modules pass on.
    Two(&'g str, &'g str),
}

/// Where something is declared: the module, and its name there.
pub(super) type Origin<'g> = (&'g str, &'g str);

pub(super) struct Linker<'g> {
    files: HashMap<&'g str, &'g Links>,
    package: (&'g str, &'g [&'g str]),
    /// What was followed before, by module and name.
    known: HashMap<Origin<'g>, Followed<'g>>,
    /// Every name that a module exports.
    exported: HashMap<&'g str, Rc<[&'g str]>>,
    /// Names that may still be looked at for help.
    looks_left: usize,
}

/// Where a name is declared, or the first two such places, with what stands there; and whether it is a type anywhere.
type Followed<'g> = (Vec<(Origin<'g>, Found<'g>)>, bool);

/// Where a name is missing, and what is said of it.
type Missing = (Span, String, Option<String>);

impl<'g> Linker<'g> {
    pub(super) fn new(all: &[Linked<'g>], package: (&'g str, &'g [&'g str])) -> Linker<'g> {
        let files = all.iter().map(|linked| (linked.file, linked.links)).collect();
        Linker { files, package, known: HashMap::new(), exported: HashMap::new(), looks_left: LOOKS_MAX }
    }

    /// Where what these names lead to, from a module, is declared.
    pub(super) fn origin(&mut self, module: &'g str, path: &'g [String]) -> Option<Origin<'g>> {
        let (mut module, mut origin) = (module, None);
        for (at, name) in path.iter().enumerate() {
            let (found, _) = self.followed(module, name);
            let &[(place, what)] = found.as_slice() else { return None };
            match what {
                Found::Module(inner) => module = inner,
                _ if at.saturating_add(1) == path.len() => origin = Some(place),
                _ => return None,
            }
        }
        origin
    }

    fn missing(&mut self, links: &'g Links) -> Vec<Missing> {
        let mut missing = Vec::new();
        for (import, span) in &links.taken {
            if let Some((module, Imported::Named(name))) = links.imports.get(*import) {
                missing.extend(self.judge(module, name, *span, false));
            }
        }
        for read in &links.reads {
            let Some((module, imported)) = links.imports.get(read.import) else { continue };
            let Some(mut module) = self.module(module, imported) else { continue };
            if let Some(through) = read.through {
                let Some(name) = links.names.get(through) else { continue };
                let Found::Module(inner) = self.find(module, name) else { continue };
                module = inner;
            }
            if let Some(name) = links.names.get(read.member) {
                missing.extend(self.judge(module, name, read.span, true));
            }
        }
        missing
    }

    /// The whole module that an import stands for.
    fn module(&mut self, module: &'g str, imported: &'g Imported) -> Option<&'g str> {
        match imported {
            Imported::All => Some(module),
            Imported::Named(name) => match self.find(module, name) {
                Found::Module(inner) => Some(inner),
                _ => None,
            },
        }
    }

    fn judge(&mut self, module: &'g str, name: &'g str, span: Span, is_member: bool) -> Option<Missing> {
        match self.find(module, name) {
            Found::Value | Found::Module(_) => None,
            Found::Two(one, other) => {
                let message = format!("`{module}` passes on two `{name}`, of `{one}` and of `{other}`, and so neither");
                let hint = format!("say which is meant: `export {{ {name} }} from …` beside the `export *`");
                Some((span, message, Some(hint)))
            }
            Found::Type => {
                let message = format!("`{name}` is only a type in `{module}`, and is used as a value here");
                let hint = format!(
                    "types are taken with `import type {{ {name} }}` and passed on with `export type {{ {name} }}`"
                );
                Some((span, message, Some(hint).filter(|_| !is_member)))
            }
            Found::Missing => {
                let what =
                    if name == DEFAULT { "has no default export".to_owned() } else { format!("exports no `{name}`") };
                Some((span, format!("`{module}` {what}"), self.help(module, name, is_member)))
            }
        }
    }

    fn help(&mut self, module: &'g str, name: &str, is_member: bool) -> Option<String> {
        if module.ends_with(".json") {
            return Some(
                "a JSON file has one export, its value: write `import name from \"./….json\" with { type: \"json\" }`"
                    .to_owned(),
            );
        }
        let names = self.names(module);
        self.looks_left = self.looks_left.checked_sub(names.len().max(1))?;
        if let Some(near) = suggest::nearest(name, names.iter().copied()) {
            return Some(format!("did you mean `{near}`?"));
        }
        if name == DEFAULT && !is_member {
            return Some("write `import { name } from …`, or give the file a default export".to_owned());
        }
        suggest::hint(name, names.iter().copied())
    }

    /// Every name that a module exports.
    fn names(&mut self, module: &'g str) -> Rc<[&'g str]> {
        if let Some(names) = self.exported.get(module) {
            return Rc::clone(names);
        }
        let names: Rc<[&str]> = self.all_names(module).into();
        self.exported.insert(module, Rc::clone(&names));
        names
    }

    fn all_names(&self, module: &'g str) -> Vec<&'g str> {
        let mut names: Vec<&str> = Vec::new();
        let (mut open, mut seen) = (vec![module], HashSet::new());
        while let Some(module) = open.pop() {
            if module == self.package.0 {
                names.extend(self.package.1);
            }
            if module == TESTING {
                names.extend(TESTING_EXPORTS);
            }
            let Some(links) = self.files.get(module).copied().filter(|_| seen.insert(module)) else { continue };
            let values = links.exports.iter().filter(|(_, export)| !matches!(export, Export::Type));
            names.extend(values.map(|(name, _)| name.as_str()));
            open.extend(links.passed_on.iter().map(String::as_str));
        }
        names.sort_unstable();
        names.dedup();
        names
    }

    /// What a module has under a name, wherever that comes from.
    fn find(&mut self, module: &'g str, name: &'g str) -> Found<'g> {
        let (found, is_type) = self.followed(module, name);
        match found.as_slice() {
            [((one, _), _), ((other, _), _)] => Found::Two(one, other),
            [(_, only)] => *only,
            _ if *is_type => Found::Type,
            _ => Found::Missing,
        }
    }

    /// [`Linker::follow`], once for each name.
    fn followed(&mut self, module: &'g str, name: &'g str) -> &Followed<'g> {
        if !self.known.contains_key(&(module, name)) {
            let followed = self.follow(module, name);
            self.known.insert((module, name), followed);
        }
        self.known.entry((module, name)).or_default()
    }

    /// Follows a name to where it is declared. What a module exports itself hides what it passes on.
    fn follow(&self, module: &'g str, name: &'g str) -> Followed<'g> {
        let (mut open, mut seen) = (vec![(module, name)], HashSet::new());
        let mut is_type = false;
        let mut found: Vec<(Origin<'g>, Found<'g>)> = Vec::new();
        let mut note = |origin, what| {
            if found.iter().all(|(known, _)| *known != origin) && found.len() < 2 {
                found.push((origin, what));
            }
        };
        while let Some((module, name)) = open.pop() {
            if !seen.insert((module, name)) {
                continue;
            }
            let is_package = module == self.package.0 && self.package.1.contains(&name);
            if is_package || module == TESTING && TESTING_EXPORTS.contains(&name) {
                note((module, name), Found::Value);
            }
            let Some(links) = self.files.get(module) else { continue };
            match links.exports.get(name) {
                Some(Export::Value) => note((module, name), Found::Value),
                Some(Export::Module(inner)) => note((inner, ALL), Found::Module(inner)),
                Some(Export::Type) => is_type = true,
                Some(Export::From(inner, other)) => open.push((inner, other)),
                // The default export is not passed on with the others.
                None if name != DEFAULT => {
                    open.extend(links.passed_on.iter().rev().map(|inner| (inner.as_str(), name)));
                }
                None => {}
            }
        }
        (found, is_type)
    }
}
