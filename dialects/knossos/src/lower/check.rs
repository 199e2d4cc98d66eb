//! Checks before the lowering.

use super::Lowering;
use minoan_diag::Diagnostics;
use minoan_ir::text::print_type;
use minoan_ir::{Module, OpRef, Type};

/// The errors of a module that cannot be lowered.
pub(super) fn check(module: &Module) -> Diagnostics {
    minoan_functional::check::<Lowering<'_>>(module, |op| op.is::<crate::Func>(), problem)
}

fn problem(op: OpRef<'_>, invalid: Option<Type>) -> Option<String> {
    if let Some(ty) = invalid {
        return Some(format!("'{}' has a value of type {}", op.name(), print_type(op.context(), ty)));
    }
    if op.is::<crate::Prelude>() && super::prelude_function(op).is_none() {
        return Some("there is no prelude function of this name for these types".to_owned());
    }
    None
}
