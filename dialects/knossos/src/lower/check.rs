//! Checks before the lowering.

use crate::types::is_value_type;
use minoan_diag::{Diagnostic, Diagnostics};
use minoan_ir::text::print_type;
use minoan_ir::{Module, OpDef, OpRef, Type};

/// The errors of a module that cannot be lowered.
pub(super) fn check(module: &Module) -> Diagnostics {
    let mut errors = Diagnostics::new();
    let body = module.body();
    for op in body.block(module.block()).ops() {
        let Some(func) = crate::Func::cast(body, op) else { continue };
        let Some(inside) = body.nested(func.op()) else { continue };
        for op in inside.walk() {
            if let Some(message) = problem(inside.op(op)) {
                errors.push(Diagnostic::error(message).at(inside.op(op).loc().place(module.context())));
            }
        }
    }
    errors
}

fn problem(op: OpRef<'_>) -> Option<String> {
    let ctx = op.context();
    if !op.name().starts_with("knossos.") {
        return Some(format!("'{}' cannot be used in a function of the knossos dialect", op.name()));
    }
    let is_bad = |ty: &Type| !is_value_type(ctx, *ty);
    if let Some(ty) = op.operand_types().chain(op.result_types()).find(is_bad) {
        return Some(format!("'{}' has a value of type {}", op.name(), print_type(ctx, ty)));
    }
    if op.is::<crate::Prelude>() && super::prelude_function(op).is_none() {
        return Some("there is no prelude function of this name for these types".to_owned());
    }
    None
}
