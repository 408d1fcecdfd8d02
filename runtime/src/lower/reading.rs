//! One reading of the tree: what no build may use, what lowering would lose, and where `await` and `throw` stand.

use super::problems::Problems;
use oxc::ast::ast::{
    ArrowFunctionExpression, AwaitExpression, Class, ClassElement, Decorator, Expression, ForOfStatement,
    FormalParameter, Function, ImportDeclaration, ImportExpression, ImportMeta, ImportPhase, MethodDefinitionKind,
    Program, PropertyKey, TSExportAssignment, TSImportEqualsDeclaration, TSModuleReference,
    TSNamespaceExportDeclaration, ThrowStatement,
};
use oxc::ast_visit::{Visit, walk};
use oxc::span::GetSpan;
use oxc::syntax::scope::ScopeFlags;
use svc_engine::diagnostic::Code;
use svc_engine::lines::Lines;
use svc_engine::source::Span;

/// Where a decorator belongs.
const ON_A_FIELD: &str = "a decorator belongs on a public instance field";

/// Where what V8 does not tell of stands.
#[derive(Default)]
pub(super) struct Places {
    /// Top-level `await`s.
    pub(super) awaits: Vec<Span>,
    /// `throw`s of what is not made on the spot.
    pub(super) bare_throws: Vec<Span>,
}

/// Reports `import()` and `import.meta`, which V8's switches do not cover, decorators where lowering would lose them, and forms of
/// import and export that it would turn into others.
pub(super) fn read<'l>(program: &Program<'_>, lines: &'l Lines<'l>, problems: &mut Problems<'l>) -> Places {
    let mut reader = TreeReader { lines, functions: 0, problems, found: Places::default() };
    reader.visit_program(program);
    reader.found
}

struct TreeReader<'l, 'f> {
    lines: &'l Lines<'l>,
    /// How many functions are around the place being read.
    functions: usize,
    problems: &'f mut Problems<'l>,
    found: Places,
}

/// A member of a class that can carry decorators.
struct Member<'m, 'p> {
    decorators: &'m [Decorator<'p>],
    key: &'m PropertyKey<'p>,
    /// Why lowering would lose its decorators.
    lost: Option<&'static str>,
}

impl<'m, 'p> Member<'m, 'p> {
    fn of(element: &'m ClassElement<'p>) -> Option<Self> {
        let lost = |is_abstract: bool| is_abstract.then_some("a decorator stands on an `abstract` member");
        match element {
            ClassElement::PropertyDefinition(property) => Some(Member {
                decorators: &property.decorators,
                key: &property.key,
                lost: lost(property.r#type.is_abstract()),
            }),
            ClassElement::AccessorProperty(accessor) => Some(Member {
                decorators: &accessor.decorators,
                key: &accessor.key,
                lost: lost(accessor.r#type.is_abstract()),
            }),
            ClassElement::MethodDefinition(method) => {
                let bare = method.value.body.is_none().then_some("a decorator stands on a method without a body");
                let constructor = method.kind == MethodDefinitionKind::Constructor;
                let constructor = constructor.then_some("a decorator stands on a constructor");
                Some(Member {
                    decorators: &method.decorators,
                    key: &method.key,
                    lost: lost(method.r#type.is_abstract()).or(bare).or(constructor),
                })
            }
            _ => None,
        }
    }
}

impl TreeReader<'_, '_> {
    fn refuse_decorators(&mut self, decorators: &[Decorator<'_>], message: &str) {
        for decorator in decorators {
            self.problems.report(Code::DecoratorMisuse, decorator.span, message, ON_A_FIELD);
        }
    }

    fn member(&mut self, member: &Member<'_, '_>) {
        if member.key.is_private_identifier() {
            self.refuse_decorators(member.decorators, "a decorator stands on a #private member");
        } else if let Some(message) = member.lost {
            self.refuse_decorators(member.decorators, message);
        } else if matches!(member.key, PropertyKey::NumericLiteral(_) | PropertyKey::BigIntLiteral(_))
            && !member.decorators.is_empty()
        {
            // TypeScript's decorators are handed the number, the standard's a text.
            let message = "the member's name is a number; a decorated member has a name";
            let hint = "write a name, such as `starter`";
            self.problems.report(Code::DecoratorMisuse, member.key.span(), message, hint);
        }
    }

    /// The decorators of a class that lowering leaves out, its members' with it.
    fn not_applied(&mut self, class: &Class<'_>, message: &str, hint: &str) {
        let members = class.body.body.iter().filter_map(Member::of).flat_map(|member| member.decorators);
        for decorator in class.decorators.iter().chain(members) {
            self.problems.report(Code::DecoratorNotApplied, decorator.span, message, hint);
        }
    }
}

impl<'p> Visit<'p> for TreeReader<'_, '_> {
    fn visit_import_expression(&mut self, import: &ImportExpression<'p>) {
        let message = "`import()` is not available in a build; its modules are known before it starts";
        let hint = "write `import … from \"…\"` at the top of the file";
        self.problems.report(Code::DynamicImport, import.span, message, hint);
        walk::walk_import_expression(self, import);
    }

    fn visit_import_meta(&mut self, meta: &ImportMeta) {
        let message = "`import.meta` is not available in a build, which has no place of its own";
        self.problems.report(Code::ImportMeta, meta.span, message, "name what you need in the source itself");
    }

    fn visit_import_declaration(&mut self, import: &ImportDeclaration<'p>) {
        let phase = match import.phase {
            Some(ImportPhase::Defer) => "defer",
            Some(ImportPhase::Source) => "source",
            None => return,
        };
        let message = format!("`import {phase}` is not supported in a build, which runs every file that it reaches");
        let hint = "write `import … from \"…\"`".to_owned();
        self.problems.push(Code::SyntaxNotSupported, import.span, message, Some(hint));
    }

    fn visit_ts_export_assignment(&mut self, export: &TSExportAssignment<'p>) {
        let message = "`export =` is not supported in a build, whose files are ECMAScript modules";
        self.problems.report(Code::SyntaxNotSupported, export.span, message, "write `export default …`");
    }

    fn visit_ts_namespace_export_declaration(&mut self, export: &TSNamespaceExportDeclaration<'p>) {
        let message = "`export as namespace` is not supported in a build, whose files are ECMAScript modules";
        self.problems.report(Code::SyntaxNotSupported, export.span, message, "write `export { … }`");
    }

    fn visit_class(&mut self, class: &Class<'p>) {
        if class.declare {
            let message = "a decorator stands in a `declare class`, which is only a type";
            self.not_applied(class, message, "leave `declare` out");
        } else if class.is_expression() {
            let message = "a decorator stands in a class expression, where TypeScript's decorators are not applied";
            let hint = "write a declaration: `@Product(…) class Shop { … }`, then `export default Shop`";
            self.not_applied(class, message, hint);
        } else {
            class.body.body.iter().filter_map(Member::of).for_each(|member| self.member(&member));
        }
        walk::walk_class(self, class);
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
            self.problems.report(Code::ImportNotAllowed, import.span, message, "write `import … from \"…\"`");
        }
    }

    fn visit_await_expression(&mut self, waiting: &AwaitExpression<'p>) {
        if self.functions == 0 {
            self.found.awaits.push(self.lines.span(waiting.span.start, waiting.span.end));
        }
        walk::walk_await_expression(self, waiting);
    }
}
