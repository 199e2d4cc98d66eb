//! Helpers of the verifiers, which stop at the first violation like upstream's.

use minoan_ir::{OpRef, Type, Violation};

/// The outcome of a rule.
pub(crate) type Rule = Result<(), Violation>;

/// Converts rules to functions for `verify = ..`.
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

/// Fails with a message unless a condition holds.
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

/// Verifies that the element type of an operand (or its type if it is not shaped) equals that of the first result.
pub(crate) fn same_element(op: OpRef<'_>, index: usize, what: &str) -> Rule {
    let ctx = op.context();
    let same = operand(op, index).element_or_self(ctx) == result(op).element_or_self(ctx);
    let message = format!("failed to verify that {what} have same element type");
    require(same, Violation::from(message).about_operand(index))
}

/// The numbers of an array or dense array of integers.
pub(crate) fn numbers(op: OpRef<'_>, name: &str) -> Vec<i64> {
    let ctx = op.context();
    let Some(attr) = op.attr_named(name) else { return Vec::new() };
    match attr.as_array(ctx) {
        Some(elements) => elements.iter().filter_map(|one| one.as_i64(ctx)).collect(),
        None => attr.as_dense_i64(ctx).unwrap_or_default(),
    }
}
