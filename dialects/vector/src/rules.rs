//! What rules of verification have in common: like upstream's, they stop at the first violation.

use crate::types::quoted;
use minoan_ir::{OpRef, Type};

/// A rule's outcome, with the message of what breaks it.
pub(crate) type Rule = Result<(), String>;

/// Functions for `verify = ..` from rules.
macro_rules! verifiers {
    ($($name:ident = $rule:expr;)*) => {$(
        fn $name(body: &::minoan_ir::Body, op: ::minoan_ir::Op, error: &mut dyn FnMut(String)) {
            let rule: fn(::minoan_ir::OpRef<'_>) -> $crate::rules::Rule = $rule;
            if let Err(message) = rule(body.op(op)) {
                error(message);
            }
        }
    )*};
}
pub(crate) use verifiers;

/// What must hold.
pub(crate) fn require(holds: bool, message: impl Into<String>) -> Rule {
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
    require(same, format!("failed to verify that {what} have same element type"))
}

/// The first result has the type that follows from the rest.
pub(crate) fn inferred(op: OpRef<'_>, want: Type) -> Rule {
    let (ctx, have) = (op.context(), result(op));
    let [want_text, have_text] = [want, have].map(|ty| quoted(ctx, ty));
    require(
        have == want,
        format!("inferred type(s) {want_text} are incompatible with return type(s) of operation {have_text}"),
    )
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
