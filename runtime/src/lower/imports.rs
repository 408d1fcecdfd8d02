//! The imports of one file: rewritten to the modules they mean, refused where they mean none or ask for another form of it.

use super::problems::Problems;
use crate::modules::{self, Files, ResolveError};
use oxc::allocator::Allocator;
use oxc::ast::ast::{ImportDeclarationSpecifier, Program, Statement, StringLiteral, WithClause, WithClauseKeyword};
use svc_engine::diagnostic::Code;

/// Most imports of one file that help is looked up for.
const HELPED_MAX: usize = 100;

/// Rewrites each import's specifier to the module it means; reports those that mean none.
pub(super) fn resolve<'a>(
    allocator: &'a Allocator,
    program: &mut Program<'a>,
    file: &str,
    files: &Files<'_>,
    problems: &mut Problems<'_>,
) -> Vec<String> {
    let mut imports = Vec::new();
    let mut seen = std::collections::HashSet::new();
    let mut helped = 0_usize;
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
            Err(ResolveError { code, message, hint }) => {
                helped = helped.saturating_add(1);
                let help = (helped <= HELPED_MAX).then(|| modules::help(source.value.as_str(), file, files)).flatten();
                problems.push(code, source.span, message, help.or(hint));
            }
        }
    }
    imports
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
