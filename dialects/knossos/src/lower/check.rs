//! Checks before the lowering.

use super::Lowering;
use crate::types::is_value_type;
use minoan_diag::Diagnostics;
use minoan_ir::text::print_type;
use minoan_ir::{Module, OpRef, Type};

/// The errors of a module that cannot be lowered.
pub(super) fn check(module: &Module) -> Diagnostics {
    minoan_functional::check::<Lowering<'_>>(module, |op| op.is::<crate::Func>(), problem)
}

fn problem(op: OpRef<'_>) -> Option<String> {
    let ctx = op.context();
    let is_bad = |ty: &Type| !is_value_type(ctx, *ty);
    if let Some(ty) = op.operand_types().chain(op.result_types()).find(is_bad) {
        return Some(format!("'{}' has a value of type {}", op.name(), print_type(ctx, ty)));
    }
    if op.is::<crate::Prelude>() && super::prelude_function(op).is_none() {
        return Some("there is no prelude function of this name for these types".to_owned());
    }
    None
}
