//! TypeScript to JavaScript, file by file: parse, refuse what no build may use, note where everything stands, rewrite the
//! imports to the modules they mean, take the types away, lower the decorators, print. Runs nothing.

mod lines;
pub(crate) mod sites;

use crate::modules::{self, ResolveError};
use lines::Lines;
use oxc::allocator::Allocator;
use oxc::ast::ast::{ImportExpression, ImportMeta, Program, Statement, StringLiteral, WithClause};
use oxc::ast_visit::{Visit, walk};
use oxc::codegen::{Codegen, CodegenOptions, CommentOptions, IndentChar};
use oxc::diagnostics::{Diagnostics, Severity};
use oxc::parser::{ParseOptions, Parser};
use oxc::semantic::SemanticBuilder;
use oxc::span::SourceType;
use oxc::transformer::{DecoratorOptions, HelperLoaderMode, HelperLoaderOptions, TransformOptions, Transformer};
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use svc_engine::diagnostic::{Code, Diagnostic};
use svc_engine::source::{ClassSite, Position, Span};

/// Prefix of the modules that lowered code imports its helpers from.
pub(crate) const INTERNAL: &str = "@svc/internal";

/// A file, ready to be run.
#[derive(Debug)]
pub(crate) struct Lowered {
    /// JavaScript, its imports naming modules outright.
    pub(crate) code: String,
    /// The modules it imports, other than helpers, in source order.
    pub(crate) imports: Vec<String>,
    /// The decorated classes in it.
    pub(crate) classes: Vec<ClassSite>,
    map: Vec<Mapping>,
}

/// One correspondence of printed and written code; lines and columns from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Mapping {
    printed: (u32, u32),
    written: (u32, u32),
}

impl Lowered {
    /// Where in the author's text a position (from 1) of the printed code comes from.
    pub(crate) fn written(&self, printed: Position) -> Position {
        let at = (printed.line.saturating_sub(1), printed.column.saturating_sub(1));
        let index = self.map.partition_point(|mapping| mapping.printed <= at);
        let (line, column) =
            index.checked_sub(1).and_then(|index| self.map.get(index)).map_or((0, 0), |mapping| mapping.written);
        Position { line: line.saturating_add(1), column: column.saturating_add(1) }
    }
}

/// The span of the name or character that begins at `at` in a text.
pub(crate) fn token_at(file: &str, text: &str, at: Position) -> Span {
    Lines::new(file, text).token_at(at)
}

/// Lowers one file. `exists` says which paths the build has.
pub(crate) fn lower(file: &str, text: &str, exists: &dyn Fn(&str) -> bool) -> Result<Lowered, Vec<Diagnostic>> {
    if file.ends_with(".json") {
        return lower_json(file, text);
    }
    let lines = Lines::new(file, text);
    let allocator = Allocator::default();
    let source_type = SourceType::ts().with_module(true);
    let parsed = Parser::new(&allocator, text, source_type).with_options(ParseOptions::default()).parse();
    let problems = syntax_errors(&parsed.diagnostics, &lines);
    if !problems.is_empty() {
        return Err(problems);
    }
    let mut program = parsed.program;
    let mut problems = refused(&program, &lines);
    let imports = resolve_imports(&allocator, &mut program, file, exists, &lines, &mut problems);
    if !problems.is_empty() {
        return Err(problems);
    }
    let classes = sites::classes(&program, &lines);
    let semantic = SemanticBuilder::new().with_check_syntax_error(true).with_enum_eval(true).build(&program);
    let problems = syntax_errors(&semantic.diagnostics, &lines);
    if !problems.is_empty() {
        return Err(problems);
    }
    let scoping = semantic.semantic.into_scoping();
    let options = transform_options();
    let transformed = Transformer::new(&allocator, Path::new(file), &options).build_with_scoping(scoping, &mut program);
    let problems = syntax_errors(&transformed.diagnostics, &lines);
    if !problems.is_empty() {
        return Err(problems);
    }
    let (code, map) = print(file, &program);
    Ok(Lowered { code, imports, classes, map })
}

/// A JSON module: its value as the default export. The text is parsed by the guest's own frozen `JSON.parse`, so a
/// `__proto__` key stays a key.
fn lower_json(file: &str, text: &str) -> Result<Lowered, Vec<Diagnostic>> {
    let checked: Result<serde::de::IgnoredAny, serde_json::Error> = serde_json::from_str(text);
    let quoted = checked.and_then(|_| serde_json::to_string(text)).map_err(|error| {
        let at = Position {
            line: u32::try_from(error.line()).unwrap_or(1).max(1),
            column: u32::try_from(error.column()).unwrap_or(1).max(1),
        };
        let span =
            Span { file: file.to_owned(), start: at, end: Position { column: at.column.saturating_add(1), ..at } };
        vec![Diagnostic::new(Code::SyntaxError, format!("{file} is no JSON: {error}")).with_span(Some(span))]
    })?;
    let code = format!("export default JSON.parse({quoted});\n");
    Ok(Lowered { code, imports: Vec::new(), classes: Vec::new(), map: Vec::new() })
}

fn transform_options() -> TransformOptions {
    TransformOptions {
        cwd: PathBuf::new(),
        decorator: DecoratorOptions { legacy: true, emit_decorator_metadata: false, strict_null_checks: true },
        helper_loader: HelperLoaderOptions { module_name: Cow::Borrowed(INTERNAL), mode: HelperLoaderMode::Runtime },
        ..TransformOptions::default()
    }
}

/// Prints without comments: a `sourceURL` or `sourceMappingURL` of the author's must not reach V8.
fn print(file: &str, program: &Program<'_>) -> (String, Vec<Mapping>) {
    let options = CodegenOptions {
        comments: CommentOptions::disabled(),
        source_map_path: Some(PathBuf::from(file)),
        indent_char: IndentChar::Space,
        ..CodegenOptions::default()
    };
    let printed = Codegen::new().with_options(options).build(program);
    let mut map: Vec<Mapping> = printed.map.as_ref().map_or_else(Vec::new, |map| {
        let tokens = map.get_tokens();
        let mapping = tokens.map(|token| Mapping {
            printed: (token.get_dst_line(), token.get_dst_col()),
            written: (token.get_src_line(), token.get_src_col()),
        });
        mapping.collect()
    });
    map.sort_unstable();
    (printed.code, map)
}

fn syntax_errors(diagnostics: &Diagnostics, lines: &Lines<'_>) -> Vec<Diagnostic> {
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    let convert = |diagnostic: &oxc::diagnostics::OxcDiagnostic| {
        let span = diagnostic.labels.first().map(|label| {
            let start = u32::try_from(label.offset()).unwrap_or(u32::MAX);
            let length = u32::try_from(label.len()).unwrap_or(u32::MAX);
            lines.span(start, start.saturating_add(length))
        });
        let mut converted = Diagnostic::new(Code::SyntaxError, diagnostic.message.to_string()).with_span(span);
        converted.hint = diagnostic.help.as_ref().map(|help| help.to_string());
        converted
    };
    errors.map(convert).collect()
}

/// Reports `import()`, `import.meta` and import phases, which V8's switches do not cover.
fn refused(program: &Program<'_>, lines: &Lines<'_>) -> Vec<Diagnostic> {
    struct Refuser<'l> {
        lines: &'l Lines<'l>,
        found: Vec<Diagnostic>,
    }
    impl<'p> Visit<'p> for Refuser<'_> {
        fn visit_import_expression(&mut self, import: &ImportExpression<'p>) {
            let span = self.lines.span(import.span.start, import.span.end);
            let message = "`import()` is not available in a build; its modules are known before it starts";
            let diagnostic = Diagnostic::new(Code::DynamicImport, message).with_span(Some(span));
            self.found.push(diagnostic.with_hint("write `import … from \"…\"` at the top of the file"));
            walk::walk_import_expression(self, import);
        }

        fn visit_import_meta(&mut self, meta: &ImportMeta) {
            let span = self.lines.span(meta.span.start, meta.span.end);
            let message = "`import.meta` is not available in a build, which has no place of its own";
            self.found.push(Diagnostic::new(Code::ImportMeta, message).with_span(Some(span)));
        }
    }
    let mut refuser = Refuser { lines, found: Vec::new() };
    refuser.visit_program(program);
    refuser.found
}

/// Rewrites each import's specifier to the module it means; reports those that mean none. Type-only imports go away later,
/// but what they name must exist all the same.
fn resolve_imports<'a>(
    allocator: &'a Allocator,
    program: &mut Program<'a>,
    file: &str,
    exists: &dyn Fn(&str) -> bool,
    lines: &Lines<'_>,
    problems: &mut Vec<Diagnostic>,
) -> Vec<String> {
    let mut imports = Vec::new();
    for statement in &mut program.body {
        let Some(Import { source, attributes, is_type }) = import_of(statement) else { continue };
        match modules::resolve(source.value.as_str(), file, exists) {
            Ok(module) => {
                source.value = allocator.alloc_str(&module).into();
                source.raw = None;
                *attributes = None;
                if !is_type && !imports.contains(&module) {
                    imports.push(module);
                }
            }
            Err(ResolveError { code, message, hint }) => {
                let span = lines.span(source.span.start, source.span.end);
                let mut diagnostic = Diagnostic::new(code, message).with_span(Some(span));
                diagnostic.hint = hint;
                problems.push(diagnostic);
            }
        }
    }
    imports
}

struct Import<'s, 'a> {
    source: &'s mut StringLiteral<'a>,
    attributes: &'s mut Option<oxc::allocator::Box<'a, WithClause<'a>>>,
    is_type: bool,
}

fn import_of<'s, 'a>(statement: &'s mut Statement<'a>) -> Option<Import<'s, 'a>> {
    Some(match statement {
        Statement::ImportDeclaration(import) => {
            let import = &mut **import;
            let is_type = import.import_kind.is_type();
            Import { source: &mut import.source, attributes: &mut import.with_clause, is_type }
        }
        Statement::ExportAllDeclaration(export) => {
            let export = &mut **export;
            let is_type = export.export_kind.is_type();
            Import { source: &mut export.source, attributes: &mut export.with_clause, is_type }
        }
        Statement::ExportFromDeclaration(export) => {
            let export = &mut **export;
            let is_type = export.export_kind.is_type();
            Import { source: &mut export.source, attributes: &mut export.with_clause, is_type }
        }
        _ => return None,
    })
}
