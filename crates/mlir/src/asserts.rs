//! Attributes that MLIR's conversions do not derive themselves: locations of assertions, and functions not to inline.

use crate::diagnostics::place;
use melior::ir::Module;
use melior::ir::attribute::{ArrayAttribute, StringAttribute};
use melior::ir::operation::{OperationLike, OperationMutLike, WalkOrder, WalkResult};
use minoan_diag::Place;

/// Passes `no_inline` of functions on to LLVM: `convert-func-to-llvm` drops it, but keeps `passthrough`.
pub(crate) fn keep_out_of_line(module: &mut Module<'_>) {
    module.as_operation_mut().walk_mut(WalkOrder::PreOrder, |mut operation| {
        if operation.name().as_string_ref().as_str() != Ok("func.func") {
            return WalkResult::Advance;
        }
        if operation.attribute("no_inline").is_ok() && operation.attribute("passthrough").is_err() {
            let context = operation.context();
            // SAFETY: the operation's context outlives the operation.
            let context = unsafe { context.to_ref() };
            let attributes = [StringAttribute::new(context, "noinline").into()];
            operation.set_attribute("passthrough", ArrayAttribute::new(context, &attributes).into());
        }
        WalkResult::Skip
    });
}

/// Puts `file:line:column: ` before the message of each `cf.assert` whose location is known, because the runtime prints the
/// message alone. A message that has its location already stays as it is.
pub(crate) fn add_locations(module: &mut Module<'_>) {
    module.as_operation_mut().walk_mut(WalkOrder::PreOrder, |mut operation| {
        if operation.name().as_string_ref().as_str() == Ok("cf.assert")
            && let Place::Point(file, at) = place(operation.location())
            && let Ok(attribute) = operation.attribute("msg")
            && let Ok(message) = StringAttribute::try_from(attribute)
        {
            let prefix = format!("{file}:{}:{}: ", at.line, at.column);
            if !message.value().starts_with(&prefix) {
                let text = format!("{prefix}{}", message.value());
                let context = operation.context();
                // SAFETY: the operation's context outlives the operation.
                let context = unsafe { context.to_ref() };
                operation.set_attribute("msg", StringAttribute::new(context, &text).into());
            }
        }
        WalkResult::Advance
    });
}
