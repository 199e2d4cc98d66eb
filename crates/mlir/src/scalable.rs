//! Scalable vectors.

use crate::diagnostics::place;
use melior::ir::operation::{OperationLike, OperationRef, WalkOrder, WalkResult};
use melior::ir::{Module, Type, TypeLike, ValueLike};
use minoan_diag::Diagnostic;
use rustc_hash::FxHashMap;

/// Checks that no operation has a scalable vector.
///
/// # Errors
/// The error, at the first such operation.
pub(crate) fn refuse(module: &Module<'_>, error: Diagnostic) -> Result<(), Diagnostic> {
    let (mut types, mut found) = (FxHashMap::default(), None);
    module.as_operation().walk(WalkOrder::PreOrder, |operation| {
        if !has_scalable(operation, &mut types) {
            return WalkResult::Advance;
        }
        found = Some(place(operation.location()));
        WalkResult::Interrupt
    });
    found.map_or(Ok(()), |place| Err(error.at(place)))
}

/// Whether an operation has a scalable vector as a result or in its signature, or the number of its parts. `types` caches types.
fn has_scalable(operation: OperationRef<'_, '_>, types: &mut FxHashMap<usize, bool>) -> bool {
    let name = operation.name();
    let signature = match name.as_string_ref().as_str() {
        Ok("vector.vscale") => return true,
        Ok("func.func") => operation.attribute("function_type").ok().map(|ty| ty.to_string()),
        _ => None,
    };
    let mut cached =
        |ty: Type<'_>| *types.entry(ty.to_raw().ptr as usize).or_insert_with(|| is_scalable(&ty.to_string()));
    signature.is_some_and(|text| is_scalable(&text))
        || operation.results().any(|result| cached(result.r#type()))
}

/// Whether the text of a type contains a vector type with a scalable dimension, as in `vector<2x[4]xf32>`.
fn is_scalable(text: &str) -> bool {
    text.split("vector<").skip(1).any(|rest| rest.split('>').next().is_some_and(|dims| dims.contains('[')))
}
