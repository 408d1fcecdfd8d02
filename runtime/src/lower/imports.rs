//! The imports of one file: rewritten to the modules they mean, refused where they mean none or ask for another form of it.

use super::effort::Effort;
use super::problems::Problems;
use crate::modules::{self, Files, ResolveError};
use oxc::allocator::Allocator;
use oxc::ast::ast::{ImportDeclarationSpecifier, Program, Statement, StringLiteral, WithClause, WithClauseKeyword};
use oxc::semantic::Scoping;
use oxc::span::Span;
use std::collections::HashSet;
use svc_engine::diagnostic::Code;

/// An import that names no module.
pub(super) struct Unresolved {
    specifier: String,
    span: Span,
    error: ResolveError,
}

/// Rewrites each import's specifier to the module it means; answers those modules, and the imports that mean none.
pub(super) fn resolve<'a>(
    allocator: &'a Allocator,
    program: &mut Program<'a>,
    file: &str,
    files: &Files<'_>,
    problems: &mut Problems<'_>,
) -> (Vec<String>, Vec<Unresolved>) {
    let (mut imports, mut unresolved) = (Vec::new(), Vec::new());
    let mut seen = HashSet::new();
    for statement in &mut program.body {
        // What is only a type is erased, and names nothing.
        let Some(Import { source, attributes }) = import_of(statement) else { continue };
        match modules::resolve(source.value.as_str(), file, files) {
            Ok(module) => {
                check_attributes(source, attributes.as_deref(), &module, problems);
                source.value = allocator.alloc_str(&module).into();
                source.raw = None;
                *attributes = None;
                if seen.insert(module.clone()) {
                    imports.push(module);
                }
            }
            Err(error) => {
                unresolved.push(Unresolved { specifier: source.value.to_string(), span: source.span, error });
            }
        }
    }
    (imports, unresolved)
}

/// Reports the imports that mean no module, with what may have been meant. `uses` tells what is only used as a type.
pub(super) fn report(
    unresolved: Vec<Unresolved>,
    file: &str,
    files: &Files<'_>,
    uses: Option<(&Program<'_>, &Scoping)>,
    effort: &Effort,
    problems: &mut Problems<'_>,
) {
    if unresolved.is_empty() {
        return;
    }
    let types = uses.map(|(program, scoping)| only_types(program, scoping)).unwrap_or_default();
    for Unresolved { specifier, span, error: ResolveError { code, message, hint } } in unresolved {
        let help = || effort.help().then(|| modules::help(&specifier, file, files)).flatten();
        let as_type = || {
            let text = "what it imports is only used as a type: `import type { … } from` may name what is not part of the build";
            types.contains(&span.start).then(|| text.to_owned())
        };
        problems.push(code, span, message, help().or_else(as_type).or(hint));
    }
}

/// Where the specifiers of imports stand whose names are all used as types, and nowhere else.
fn only_types(program: &Program<'_>, scoping: &Scoping) -> HashSet<u32> {
    let mut found = HashSet::new();
    for statement in &program.body {
        let Statement::ImportDeclaration(import) = statement else { continue };
        let Some(specifiers) = import.specifiers.as_ref().filter(|specifiers| !specifiers.is_empty()) else { continue };
        let is_type = |specifier: &ImportDeclarationSpecifier<'_>| {
            let mut references = scoping.get_resolved_references(specifier.local().symbol_id()).peekable();
            references.peek().is_some() && references.all(|reference| reference.is_type())
        };
        if specifiers.iter().all(is_type) {
            found.insert(import.source.span.start);
        }
    }
    found
}

/// JSON is asked for as JSON, and nothing else is asked for as anything: as in every engine, where another attribute means another module.
fn check_attributes(
    source: &StringLiteral<'_>,
    attributes: Option<&WithClause<'_>>,
    module: &str,
    problems: &mut Problems<'_>,
) {
    const AS_JSON: &str = "write `import … from \"./….json\" with { type: \"json\" }`";
    let is_json = module.ends_with(".json");
    let Some(clause) = attributes else {
        if is_json {
            let message = format!("`{module}` is JSON, and is imported without `with {{ type: \"json\" }}`");
            problems.push(Code::SyntaxNotSupported, source.span, message, Some(AS_JSON.to_owned()));
        }
        return;
    };
    if clause.keyword == WithClauseKeyword::Assert {
        let message = "`assert` behind an import is not supported; engines have `with` in its place";
        return problems.report(Code::SyntaxNotSupported, clause.span, message, AS_JSON);
    }
    for attribute in &clause.with_entries {
        let key = attribute.key.as_arena_str();
        if !is_json {
            let message = format!("the import attribute `{key}` is not supported: `{module}` is no JSON");
            let hint = "leave the attributes out; only a `.json` file is imported with one".to_owned();
            problems.push(Code::SyntaxNotSupported, attribute.span, message, Some(hint));
        } else if key != "type" || attribute.value.value != "json" {
            let message =
                format!("the import attribute `{key}: {:?}` is not supported", attribute.value.value.as_str());
            problems.push(Code::SyntaxNotSupported, attribute.span, message, Some(AS_JSON.to_owned()));
        }
    }
    if is_json && clause.with_entries.is_empty() {
        let message = format!("`{module}` is JSON, and is imported without `type: \"json\"`");
        problems.push(Code::SyntaxNotSupported, clause.span, message, Some(AS_JSON.to_owned()));
    }
}

struct Import<'s, 'a> {
    source: &'s mut StringLiteral<'a>,
    attributes: &'s mut Option<oxc::allocator::Box<'a, WithClause<'a>>>,
}

/// The import that a statement is, when something of it is there at run time.
fn import_of<'s, 'a>(statement: &'s mut Statement<'a>) -> Option<Import<'s, 'a>> {
    match statement {
        Statement::ImportDeclaration(import) if !import.import_kind.is_type() => {
            let import = &mut **import;
            let named_type = |specifier: &ImportDeclarationSpecifier<'_>| matches!(specifier, ImportDeclarationSpecifier::ImportSpecifier(named) if named.import_kind.is_type());
            let only_types =
                import.specifiers.as_ref().is_some_and(|all| !all.is_empty() && all.iter().all(named_type));
            (!only_types).then_some(Import { source: &mut import.source, attributes: &mut import.with_clause })
        }
        Statement::ExportAllDeclaration(export) if !export.export_kind.is_type() => {
            let export = &mut **export;
            Some(Import { source: &mut export.source, attributes: &mut export.with_clause })
        }
        Statement::ExportFromDeclaration(export) if !export.export_kind.is_type() => {
            let export = &mut **export;
            Some(Import { source: &mut export.source, attributes: &mut export.with_clause })
        }
        _ => None,
    }
}
