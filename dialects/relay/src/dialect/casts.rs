//! Conversions between types that differ only in known extents.

use super::types::tensor_from_ir;
use minoan_ir::{Context, OpRef, OpState, Type, Value};
use minoan_services::{ShapeCast, meet_shapes};

/// `relay.copy`, which converts tensors in Relay functions as the front end does.
pub(super) struct CopyCasts;

impl ShapeCast for CopyCasts {
    fn cast(&self, ctx: &Context, value: Value, from: Type, to: Type) -> Option<OpState> {
        let are_tensors = [from, to].into_iter().all(|ty| tensor_from_ir(ctx, ty).is_some());
        let fits = are_tensors && meet_shapes(ctx, from, to).is_some();
        fits.then(|| OpState::named(ctx, "relay.copy").operands(&[value]).results(&[to]))
    }

    fn is_cast(&self, op: OpRef<'_>) -> bool {
        op.name() == "relay.copy" && op.operand_types().ne(op.result_types())
    }
}
