//! Conditions on indices that may be outside of the source of an access, such as those in a padding.

use super::{Emitter, Makers, Unsupported};
use crate::kernel::{Access, Source};
use minoan_ir::{Attr, Builder, Value};
use minoan_services::IndexOps;

/// The extent of a dimension of the source of an access.
pub(super) fn extent_of(
    emitter: &Emitter<'_>,
    b: &mut Builder<'_>,
    access: &Access,
    dim: usize,
) -> Result<Value, Unsupported> {
    let (ctx, Makers { index, buffers, .. }) = (b.context(), emitter.makers);
    match access.source {
        Source::Argument(argument) => {
            let operand = emitter.operands[argument];
            Ok(match b.ty(operand).shape(&ctx).unwrap_or(&[]).get(dim) {
                Some(&known) if known != minoan_ir::DYNAMIC => index.index(b, known),
                _ => buffers.extent(b, operand, dim),
            })
        }
        Source::Statement(producer) => {
            let producer = &emitter.kernel.statements[producer];
            let axis = producer.axis_of(&producer.write.results[dim]);
            Ok(axis.map_or_else(|| index.index(b, 1), |axis| emitter.extents[axis]))
        }
        _ => Err("a scalar has no edges".to_owned()),
    }
}

/// Whether the indices from `first` to `last` are inside of a dimension: `first >= 0` and `last < extent`.
pub(super) fn is_inside(
    index: &dyn IndexOps,
    b: &mut Builder<'_>,
    (first, last): (Value, Value),
    extent: Value,
) -> Value {
    let (zero, no) = (index.index(b, 0), index.constant(b, Attr::FALSE));
    let below = index.less(b, first, zero);
    let fits = index.less(b, last, extent);
    index.select(b, below, no, fits)
}

/// The conjunction of a condition and those before it, if there are any.
pub(super) fn and(
    index: &dyn IndexOps,
    b: &mut Builder<'_>,
    others: Option<Value>,
    condition: Value,
) -> Value {
    let Some(others) = others else { return condition };
    let no = index.constant(b, Attr::FALSE);
    index.select(b, others, condition, no)
}
