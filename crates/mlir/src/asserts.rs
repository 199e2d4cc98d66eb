//! Asserts that say where they stand.

use crate::diagnostics::place;
use melior::ir::Module;
use melior::ir::attribute::StringAttribute;
use melior::ir::operation::{OperationLike, OperationMutLike, WalkOrder, WalkResult};
use minoan_diag::Place;

/// Puts `file:line:column: ` before the message of each `cf.assert` whose location is known, for the runtime prints
/// the message and nothing else. A message that has its place already is left alone.
pub(crate) fn say_where(module: &mut Module<'_>) {
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
