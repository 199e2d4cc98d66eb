//! Adds locations to the messages of assertions.

use crate::diagnostics::place;
use melior::ir::Module;
use melior::ir::attribute::StringAttribute;
use melior::ir::operation::{OperationLike, OperationMutLike, WalkOrder, WalkResult};
use minoan_diag::Place;

/// Prefixes the message of each `cf.assert` with a known location by `file:line:column: `, since the runtime only
/// prints the message. Messages that already have a location are unchanged.
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
