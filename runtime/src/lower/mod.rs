//! TypeScript to JavaScript, file by file: parse, refuse what no build may use, note where everything stands, rewrite the
//! imports to the modules they mean, take the types away, lower the decorators, print. Runs nothing.

mod lines;
pub(crate) mod sites;

use crate::modules::{self, ResolveError};
use lines::Lines;
use oxc::allocator::Allocator;
use oxc::ast::ast::{
    ArrowFunctionExpression, AwaitExpression, ClassElement, Decorator, Expression, ForOfStatement, FormalParameter,
    Function, ImportDeclarationSpecifier, ImportExpression, ImportMeta, Program, Statement, StringLiteral,
    TSImportEqualsDeclaration, TSModuleReference, ThrowStatement, WithClause,
};
use oxc::ast_visit::{Visit, walk};
use oxc::codegen::{Codegen, CodegenOptions, CommentOptions, IndentChar};
use oxc::diagnostics::{Diagnostics, Severity};
use oxc::parser::{ParseOptions, Parser};
use oxc::semantic::SemanticBuilder;
use oxc::span::{GetSpan, SourceType};
use oxc::syntax::scope::ScopeFlags;
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
    /// Its top-level `await`s.
    pub(crate) awaits: Vec<Span>,
    /// Its `throw`s of what is not made on the spot, as errors are.
    pub(crate) bare_throws: Vec<Span>,
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
    // In a `.js` file `f(a < b, c > (1))` has two arguments, and types are a mistake.
    let source_type = if file.ends_with(".js") { SourceType::mjs() } else { SourceType::ts().with_module(true) };
    let parsed = Parser::new(&allocator, text, source_type).with_options(ParseOptions::default()).parse();
    let problems = syntax_errors(&parsed.diagnostics, &lines);
    if !problems.is_empty() {
        return Err(problems);
    }
    let mut program = parsed.program;
    let Reading { mut problems, awaits, bare_throws } = read(&program, &lines);
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
    Ok(Lowered { code, imports, classes, awaits, bare_throws, map })
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
    Ok(Lowered {
        code,
        imports: Vec::new(),
        classes: Vec::new(),
        awaits: Vec::new(),
        bare_throws: Vec::new(),
        map: Vec::new(),
    })
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
            let (start, length) = (label.offset(), label.len());
            lines.span(start, start.saturating_add(length))
        });
        let mut converted = Diagnostic::new(Code::SyntaxError, diagnostic.message.to_string()).with_span(span);
        converted.hint = diagnostic.help.as_ref().map(|help| help.to_string());
        converted
    };
    errors.map(convert).collect()
}

/// What one reading of the tree finds.
struct Reading {
    /// What no build may use.
    problems: Vec<Diagnostic>,
    /// Top-level `await`s.
    awaits: Vec<Span>,
    /// `throw`s of what is not made on the spot.
    bare_throws: Vec<Span>,
}

/// Reports `import()` and `import.meta`, which V8's switches do not cover, and decorators where lowering would lose them.
fn read(program: &Program<'_>, lines: &Lines<'_>) -> Reading {
    let mut reader = TreeReader {
        lines,
        functions: 0,
        found: Reading { problems: Vec::new(), awaits: Vec::new(), bare_throws: Vec::new() },
    };
    reader.visit_program(program);
    reader.found
}

struct TreeReader<'l> {
    lines: &'l Lines<'l>,
    /// How many functions are around the place being read.
    functions: usize,
    found: Reading,
}

impl TreeReader<'_> {
    fn report(&mut self, code: Code, span: oxc::span::Span, message: &str, hint: &str) {
        let span = self.lines.span(span.start, span.end);
        self.found.problems.push(Diagnostic::new(code, message).with_span(Some(span)).with_hint(hint));
    }

    fn refuse_decorators(&mut self, decorators: &[Decorator<'_>], message: &str) {
        for decorator in decorators {
            self.report(
                Code::DecoratorMisuse,
                decorator.span,
                message,
                "a decorator belongs on a public instance field",
            );
        }
    }
}

impl<'p> Visit<'p> for TreeReader<'_> {
    fn visit_import_expression(&mut self, import: &ImportExpression<'p>) {
        let message = "`import()` is not available in a build; its modules are known before it starts";
        self.report(Code::DynamicImport, import.span, message, "write `import … from \"…\"` at the top of the file");
        walk::walk_import_expression(self, import);
    }

    fn visit_import_meta(&mut self, meta: &ImportMeta) {
        let message = "`import.meta` is not available in a build, which has no place of its own";
        self.report(Code::ImportMeta, meta.span, message, "name what you need in the source itself");
    }

    fn visit_class_element(&mut self, element: &ClassElement<'p>) {
        let (decorators, key) = match element {
            ClassElement::PropertyDefinition(property) => (&property.decorators, &property.key),
            ClassElement::MethodDefinition(method) => (&method.decorators, &method.key),
            ClassElement::AccessorProperty(accessor) => (&accessor.decorators, &accessor.key),
            _ => return walk::walk_class_element(self, element),
        };
        if key.is_private_identifier() {
            self.refuse_decorators(decorators, "a decorator stands on a #private member");
        }
        walk::walk_class_element(self, element);
    }

    fn visit_formal_parameter(&mut self, parameter: &FormalParameter<'p>) {
        self.refuse_decorators(&parameter.decorators, "a decorator stands on a parameter");
        walk::walk_formal_parameter(self, parameter);
    }

    fn visit_function(&mut self, function: &Function<'p>, flags: ScopeFlags) {
        self.functions = self.functions.saturating_add(1);
        walk::walk_function(self, function, flags);
        self.functions = self.functions.saturating_sub(1);
    }

    fn visit_arrow_function_expression(&mut self, function: &ArrowFunctionExpression<'p>) {
        self.functions = self.functions.saturating_add(1);
        walk::walk_arrow_function_expression(self, function);
        self.functions = self.functions.saturating_sub(1);
    }

    fn visit_for_of_statement(&mut self, statement: &ForOfStatement<'p>) {
        if self.functions == 0 && statement.r#await {
            self.found.awaits.push(self.lines.span(statement.span.start, statement.right.span().end));
        }
        walk::walk_for_of_statement(self, statement);
    }

    fn visit_throw_statement(&mut self, statement: &ThrowStatement<'p>) {
        let makes_error = match statement.argument.get_inner_expression() {
            Expression::NewExpression(new) => {
                matches!(&new.callee, Expression::Identifier(name) if name.name.ends_with("Error"))
            }
            _ => false,
        };
        if !makes_error {
            self.found.bare_throws.push(self.lines.span(statement.span.start, statement.span.end));
        }
        walk::walk_throw_statement(self, statement);
    }

    fn visit_ts_import_equals_declaration(&mut self, import: &TSImportEqualsDeclaration<'p>) {
        if matches!(import.module_reference, TSModuleReference::ExternalModuleReference(_))
            && !import.import_kind.is_type()
        {
            let message = "`import … = require(…)` is not available in a build";
            self.report(Code::ImportNotAllowed, import.span, message, "write `import … from \"…\"`");
        }
    }

    fn visit_await_expression(&mut self, waiting: &AwaitExpression<'p>) {
        if self.functions == 0 {
            self.found.awaits.push(self.lines.span(waiting.span.start, waiting.span.end));
        }
        walk::walk_await_expression(self, waiting);
    }
}

/// Rewrites each import's specifier to the module it means; reports those that mean none.
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
        // What is only a type is erased, and names nothing.
        let Some(Import { source, attributes }) = import_of(statement) else { continue };
        match modules::resolve(source.value.as_str(), file, exists) {
            Ok(module) => {
                source.value = allocator.alloc_str(&module).into();
                source.raw = None;
                *attributes = None;
                if !imports.contains(&module) {
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
