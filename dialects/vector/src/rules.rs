//! What rules of verification have in common: like upstream's, they stop at the first violation.

use minoan_ir::{OpRef, Type, Violation};

/// A rule's outcome, with the message of what breaks it.
pub(crate) type Rule = Result<(), Violation>;

/// Functions for `verify = ..` from rules.
macro_rules! verifiers {
    ($($name:ident = $rule:expr;)*) => {$(
        fn $name(body: &::minoan_ir::Body, op: ::minoan_ir::Op, errors: &mut ::minoan_ir::Violations) {
            let rule: fn(::minoan_ir::OpRef<'_>) -> $crate::rules::Rule = $rule;
            if let Err(violation) = rule(body.op(op)) {
                errors.push(violation);
            }
        }
    )*};
}
pub(crate) use verifiers;

/// What must hold.
pub(crate) fn require(holds: bool, message: impl Into<Violation>) -> Rule {
    if holds { Ok(()) } else { Err(message.into()) }
}

/// The type of an operand.
pub(crate) fn operand(op: OpRef<'_>, index: usize) -> Type {
    op.body().ty(op.operand(index))
}

/// The type of the first result.
pub(crate) fn result(op: OpRef<'_>) -> Type {
    op.result_types().next().unwrap_or(Type::NONE)
}

/// The operand's elements, or itself where it is none, have the type of the first result's.
pub(crate) fn same_element(op: OpRef<'_>, index: usize, what: &str) -> Rule {
    let ctx = op.context();
    let same = operand(op, index).element_or_self(ctx) == result(op).element_or_self(ctx);
    let message = format!("failed to verify that {what} have same element type");
    require(same, Violation::from(message).about_operand(index))
}

/// The numbers of an array of integers, or of a dense array.
pub(crate) fn numbers(op: OpRef<'_>, name: &str) -> Vec<i64> {
    let ctx = op.context();
    let Some(attr) = op.attr_named(name) else { return Vec::new() };
    match attr.as_array(ctx) {
        Some(elements) => elements.iter().filter_map(|one| one.as_i64(ctx)).collect(),
        None => attr.as_dense_i64(ctx).unwrap_or_default(),
    }
}
