//! Large constants whose elements are all equal.
//!
//! The global of a constant has all of its elements in the program. A large constant with a single value is filled at run time
//! instead, which takes no longer than the copy of a global, and fails like other allocations if there is no memory.

use minoan_ir::{Body, Builder, Context, Op, Traits};
use minoan_services::{Datum, IndexOps, TensorOps};

/// The number of elements from which a constant is large.
const LARGE: i64 = 1 << 20;

/// Replaces large constants of tensors whose elements are all equal by operations that fill a tensor.
pub(super) fn fill_large_splats(body: &mut Body, ctx: &Context) {
    let (Some(tensors), Some(index)) = (<dyn TensorOps>::any(ctx), <dyn IndexOps>::any(ctx)) else { return };
    let constants = body.walk().into_iter().filter(|&op| body.op(op).has_trait(Traits::CONSTANT_LIKE));
    for op in constants.collect::<Vec<Op>>() {
        let view = body.op(op);
        let Some(contents) = view.attr(ctx.names().value) else { continue };
        let ty = body.ty(view.result(0));
        let is_large = ty.is_tensor(ctx)
            && ty.shape(ctx).is_some_and(|shape| {
                let count = shape.iter().try_fold(1i64, |count, &extent| count.checked_mul(extent));
                count.is_none_or(|count| count >= LARGE)
            });
        if !is_large {
            continue;
        }
        let Some(element) = Datum::of_splat(ctx, contents) else { continue };
        let Some(element) = element.to_attr(ctx, ty.element_or_self(ctx)) else { continue };
        let mut b = Builder::before(body, op);
        let scalar = index.constant(&mut b, element);
        let filled = tensors.splat(&mut b, scalar, ty, &[]);
        body.replace(op, &[filled]);
    }
}
