//! What is typed at a debugger's prompt: TypeScript to an expression or statements of JavaScript. Nothing of it is part of a build.

use oxc::allocator::Allocator;
use oxc::codegen::{Codegen, CodegenOptions, CommentOptions};
use oxc::diagnostics::Severity;
use oxc::parser::Parser;
use oxc::semantic::SemanticBuilder;
use oxc::span::SourceType;
use oxc::transformer::{TransformOptions, Transformer};
use std::path::Path;

/// What was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Typed {
    /// It can be evaluated, as this JavaScript.
    Code(String),
    /// It goes on in the next line.
    Unfinished,
    /// It is no TypeScript, and why.
    Wrong(String),
}

/// Takes the types away.
pub fn typed(text: &str) -> Typed {
    // `{ a: 1 }` is meant as an object, not as a block.
    let as_object = text.trim_start().starts_with('{').then(|| plain(&format!("({})", text.trim_end_matches(';'))));
    match as_object {
        Some(Typed::Code(code)) => Typed::Code(code),
        _ => plain(text),
    }
}

fn plain(text: &str) -> Typed {
    let allocator = Allocator::default();
    // A module's grammar has `await`; what is typed may wait.
    let source_type = SourceType::ts().with_module(true);
    let parsed = Parser::new(&allocator, text, source_type).parse();
    if let Some(error) = parsed.diagnostics.iter().find(|diagnostic| diagnostic.severity == Severity::Error) {
        let end = u32::try_from(text.trim_end().len()).unwrap_or(u32::MAX);
        let at_end = error.labels.first().is_some_and(|label| {
            let (start, length): (u32, u32) = (label.offset(), label.len());
            start >= end || start.saturating_add(length) > end
        });
        // The parser gives an arrow function up that does not end, and complains of its arrow.
        let is_in_arrow = error.message.ends_with("found `=>`") && is_left_open(text);
        let is_open = at_end || is_in_arrow || error.message.starts_with("Unterminated");
        return if is_open { Typed::Unfinished } else { Typed::Wrong(error.message.to_string()) };
    }
    let mut program = parsed.program;
    let scoping = SemanticBuilder::new().with_enum_eval(true).build(&program).semantic.into_scoping();
    let mut options = TransformOptions::default();
    // A name that is only mentioned is asked for, not an import to be dropped.
    options.typescript.only_remove_type_imports = true;
    let transformed =
        Transformer::new(&allocator, Path::new("typed"), &options).build_with_scoping(scoping, &mut program);
    if let Some(error) = transformed.diagnostics.iter().find(|diagnostic| diagnostic.severity == Severity::Error) {
        return Typed::Wrong(error.message.to_string());
    }
    let options = CodegenOptions { comments: CommentOptions::disabled(), ..CodegenOptions::default() };
    let code = Codegen::new().with_options(options).build(&program).code;
    Typed::Code(code.trim_end().trim_end_matches(';').to_owned())
}

/// Whether brackets are open at the end, or an arrow leads nowhere. By its looks: a bracket in a text or a pattern counts, too.
fn is_left_open(text: &str) -> bool {
    let count = |brackets: &[char]| text.matches(brackets).count();
    text.trim_end().ends_with("=>") || count(&['(', '[', '{']) > count(&[')', ']', '}'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> String {
        match typed(text) {
            Typed::Code(code) => code,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn an_arrow_function_goes_on_in_the_next_line() {
        for text in [
            "f((a) => {",
            "[1].map((a) =>",
            "const f = (a: number) =>",
            "f((a, b) => {\n  g(a);",
            "let f = async (a) => {",
        ] {
            assert_eq!(typed(text), Typed::Unfinished, "{text}");
        }
        assert_eq!(code("[1].map((a) =>\na + 1)"), "[1].map((a) => a + 1)");
        for text in ["1 => 2", "f(1 => 2)", "(a + 1) => a"] {
            assert!(matches!(typed(text), Typed::Wrong(_)), "{text}");
        }
    }

    #[test]
    fn types_go_and_the_rest_stays() {
        assert_eq!(code("1 + 1"), "1 + 1");
        assert_eq!(code("let x: number = 2 as number"), "let x = 2");
        assert_eq!(code("{ a: 1 }"), "({ a: 1 })");
        assert_eq!(code("prices.map((p: Price) => p.cents)"), "prices.map((p) => p.cents)");
        assert_eq!(code("await go()"), "await go()");
    }

    #[test]
    fn what_goes_on_is_known_from_what_is_wrong() {
        for open in ["f(", "const a = {", "`text", "if (x) {", "[1,", "a."] {
            assert_eq!(typed(open), Typed::Unfinished, "{open}");
        }
        for wrong in ["1 +* 2", "a b", "}"] {
            assert!(matches!(typed(wrong), Typed::Wrong(_)), "{wrong}: {:?}", typed(wrong));
        }
    }
}
