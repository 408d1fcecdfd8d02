//! TypeScript to JavaScript, file by file: parse, refuse what no build may use and what would be lowered to something else, note
//! where everything stands, rewrite the imports to the modules they mean, take the types away, lower the decorators, print. Runs nothing.

pub(crate) mod decorated;
mod effort;
mod enums;
mod imports;
pub(crate) mod links;
mod literals;
mod namespaces;
mod places;
mod problems;
mod reading;
pub(crate) mod sites;
pub(crate) mod source_map;
pub(crate) mod typed;
mod unused;

use crate::modules::Files;
pub(crate) use effort::Effort;
use links::Links;
use oxc::allocator::Allocator;
use oxc::ast::ast::{Declaration, Program, Statement};
use oxc::codegen::{Codegen, CodegenOptions, CommentOptions, IndentChar};
use oxc::diagnostics::{Diagnostics, Severity};
use oxc::parser::{ParseOptions, Parser};
use oxc::semantic::{Scoping, SemanticBuilder};
use oxc::span::SourceType;
use oxc::transformer::{DecoratorOptions, HelperLoaderMode, HelperLoaderOptions, TransformOptions, Transformer};
use problems::{KEPT_MAX, Problems};
use sites::Sites;
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use svc_engine::diagnostic::{Code, Diagnostic};
use svc_engine::lines::Lines;
use svc_engine::source::{Position, Span};

/// Most names given by lowering that are noted of one file: they only serve messages.
const GIVEN_MAX: usize = 20;

/// Most names of one file's top level that are noted: they only serve a debugger.
const BOUND_MAX: usize = 1_000;

/// How the names of lowering's own helpers begin.
const HELPER: &str = "_decorate";

/// Prefix of the modules that lowered code imports its helpers from.
pub(crate) const INTERNAL: &str = "@svc/internal";

/// A file, ready to be run.
#[derive(Debug)]
pub(crate) struct Lowered {
    /// JavaScript, its imports naming modules outright.
    pub(crate) code: String,
    /// The modules it imports, other than helpers, in source order.
    pub(crate) imports: Vec<String>,
    /// The decorated classes in it, and its helpers that make decorators.
    pub(crate) sites: Sites,
    /// What it exports, and takes of others.
    pub(crate) links: Links,
    /// Its top-level `await`s.
    pub(crate) awaits: Vec<Span>,
    /// Its `throw`s of what is not made on the spot, as errors are.
    pub(crate) bare_throws: Vec<Span>,
    /// Names that lowering gave, and the author's own that they were made of.
    given: Vec<(String, String)>,
    /// The names that its top level binds when it runs, and whether each can be assigned.
    pub(crate) bound: Vec<(String, bool)>,
    /// Names that nothing in it declares, and where they stand.
    undeclared: Vec<(String, oxc::span::Span)>,
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

impl Lowered {
    /// The map of the printed code, as a source map of version 3 with the author's text in it, for debuggers. A printed place has one
    /// written place: what a decorated field's decorators and its name came to is the name there, so that who asks for the decorators'
    /// line is led to their call.
    pub(crate) fn source_map(&self, file: &str, text: &str) -> String {
        let places = self.map.chunk_by(|one, next| one.printed == next.printed).filter_map(<[Mapping]>::last);
        source_map::encode(file, text, places.map(|mapping| (mapping.printed, mapping.written)))
    }
}

impl Lowered {
    /// A text of V8's with the author's names in it, in place of those that lowering gave.
    pub(crate) fn with_written_names(&self, text: &str) -> String {
        let is_name = |char: char| char.is_alphanumeric() || matches!(char, '_' | '$');
        let mut told = String::with_capacity(text.len());
        for part in text.split_inclusive(|char| !is_name(char)) {
            let name = part.trim_end_matches(|char| !is_name(char));
            let written = self.given.iter().find(|(given, _)| given == name).map_or(name, |(_, written)| written);
            told.push_str(written);
            told.push_str(part.get(name.len()..).unwrap_or_default());
        }
        told
    }
}

impl Lowered {
    /// Where a name stands that is not there: the first such place from where V8 found it missing on, else the last.
    pub(crate) fn missing(&self, file: &str, text: &str, name: &str, from: Option<Position>) -> Option<Span> {
        let lines = Lines::new(file, text);
        let mut all = self.undeclared.iter().filter(|(known, _)| known == name);
        let last = all.clone().next_back();
        let next = all.find(|(_, span)| from.is_some_and(|from| lines.position(span.start) >= from));
        next.or(last).map(|(_, span)| lines.span(span.start, span.end))
    }
}

/// The span of the name or character that begins at `at` in a text.
pub(crate) fn token_at(file: &str, text: &str, at: Position) -> Span {
    Lines::new(file, text).token_at(at)
}

/// Lowers one file of a build, which may still spend so much.
pub(crate) fn lower(file: &str, text: &str, files: &Files<'_>, effort: &Effort) -> Result<Lowered, Vec<Diagnostic>> {
    if file.ends_with(".json") {
        return lower_json(file, text);
    }
    let lines = Lines::new(file, text);
    let allocator = Allocator::default();
    // In a `.js` file `f(a < b, c > (1))` has two arguments, and types are a mistake.
    let source_type = if file.ends_with(".js") { SourceType::mjs() } else { SourceType::ts().with_module(true) };
    let parsed = Parser::new(&allocator, text, source_type).with_options(ParseOptions::default()).parse();
    let broken = syntax_errors(&parsed.diagnostics, &lines);
    if !broken.is_empty() {
        return Err(broken);
    }
    let mut program = parsed.program;
    let mut problems = Problems::new(&lines);
    let places = reading::read(&program, &lines, &mut problems);
    let (imports, unresolved) = imports::resolve(&allocator, &mut program, file, files, &mut problems);
    let has = Has { enums: text.contains("enum"), namespaces: text.contains("namespace") || text.contains("module") };
    if has.enums {
        enums::leave_to_engine(&allocator, &mut program);
    }
    let semantic = SemanticBuilder::new().with_check_syntax_error(true).with_enum_eval(true).build(&program);
    let broken = syntax_errors(&semantic.diagnostics, &lines);
    if !broken.is_empty() {
        imports::report(unresolved, file, files, None, effort, &mut problems);
        // What was refused before may be refused again, in other words.
        return Err(if problems.is_empty() { broken } else { problems.into_found() });
    }
    imports::report(unresolved, file, files, Some((&program, semantic.semantic.scoping())), effort, &mut problems);
    let kept = check(&has, &program, semantic.semantic.scoping(), &mut problems);
    if !problems.is_empty() {
        return Err(problems.into_found());
    }
    let sites = sites::find(&program, semantic.semantic.scoping(), &lines, effort);
    let mut links = Links::of(&program, semantic.semantic.scoping());
    let scoping = semantic.semantic.into_scoping();
    let undeclared = places::undeclared(&program, &scoping);
    let symbols = scoping.symbols_len();
    let options = transform_options();
    let transformed = Transformer::new(&allocator, Path::new(file), &options).build_with_scoping(scoping, &mut program);
    let broken = syntax_errors(&transformed.diagnostics, &lines);
    if !broken.is_empty() {
        return Err(broken);
    }
    links.note_taken(&program);
    if !kept.names.is_empty() {
        namespaces::rename_parameters(&allocator, &mut program, &transformed.scoping, &kept.names);
    }
    if !kept.texts.is_empty() {
        enums::drop_entries_back(&allocator, &mut program, &kept.texts);
    }
    let given = given_names(&transformed.scoping, symbols, text);
    if !sites.classes.is_empty() {
        places::give_places(&mut program);
    }
    let (code, map) = print(file, &program);
    Ok(Lowered {
        code,
        imports,
        sites,
        links,
        awaits: places.awaits,
        bare_throws: places.bare_throws,
        given,
        bound: bound(&program),
        undeclared,
        map,
    })
}

/// What a file may hold, by its text: most have neither.
struct Has {
    enums: bool,
    namespaces: bool,
}

/// What is to be mended after oxc's lowering.
#[derive(Default)]
struct Kept {
    names: namespaces::Names,
    texts: enums::Texts,
}

/// The checks that need to know what each name stands for.
fn check(has: &Has, program: &Program<'_>, scoping: &Scoping, problems: &mut Problems<'_>) -> Kept {
    let mut kept = Kept::default();
    literals::check(program, scoping, problems);
    unused::check(program, scoping, problems);
    if has.namespaces {
        kept.names = namespaces::check(program, scoping, problems);
    }
    if has.enums {
        kept.texts = enums::check(program, scoping, problems);
    }
    kept
}

/// The names that the top level of a lowered program binds, but for what its helpers are called, and whether they can be assigned.
fn bound(program: &Program<'_>) -> Vec<(String, bool)> {
    let mut bound = Vec::new();
    let mut note = |name: &str, can_assign: bool| {
        if !name.starts_with(HELPER) && bound.len() < BOUND_MAX {
            bound.push((name.to_owned(), can_assign));
        }
    };
    for statement in &program.body {
        let declaration = match statement {
            Statement::ImportDeclaration(import) => {
                let all = import.specifiers.iter().flatten();
                all.for_each(|specifier| note(specifier.local().name.as_str(), false));
                continue;
            }
            Statement::ExportDeclaration(export) => Some(&export.declaration),
            other => other.as_declaration(),
        };
        match declaration {
            Some(Declaration::VariableDeclaration(variables)) => {
                let names = variables.declarations.iter().flat_map(|one| one.id.get_binding_identifiers());
                names.for_each(|id| note(&id.name, !variables.kind.is_const()));
            }
            Some(other) => other.id().iter().for_each(|id| note(&id.name, true)),
            None => {}
        }
    }
    bound
}

/// The names that lowering made of the author's, behind the first `symbols`: `_Shop` of `Shop`. None stands anywhere in the text.
fn given_names(scoping: &Scoping, symbols: usize, text: &str) -> Vec<(String, String)> {
    let made = scoping.symbol_names().skip(symbols).filter(|name| name.starts_with('_')).take(GIVEN_MAX);
    let given = made.filter_map(|name| {
        let written = name.strip_prefix('_')?.trim_end_matches(|char: char| char.is_ascii_digit());
        let is_given = !written.is_empty() && !text.contains(name) && text.contains(written);
        is_given.then(|| (name.to_owned(), written.to_owned()))
    });
    given.collect()
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
        let span = Span { file: file.into(), start: at, end: Position { column: at.column.saturating_add(1), ..at } };
        vec![Diagnostic::new(Code::SyntaxError, format!("{file} is no JSON: {error}")).with_span(Some(span))]
    })?;
    let lines = Lines::new(file, text);
    let mut problems = Problems::new(&lines);
    literals::check_json(text, &mut problems);
    if !problems.is_empty() {
        return Err(problems.into_found());
    }
    let code = format!("export default JSON.parse({quoted});\n");
    Ok(Lowered {
        code,
        imports: Vec::new(),
        sites: Sites::default(),
        links: Links::of_json(),
        awaits: Vec::new(),
        bare_throws: Vec::new(),
        given: Vec::new(),
        bound: Vec::new(),
        undeclared: Vec::new(),
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
    errors.take(KEPT_MAX).map(convert).collect()
}
