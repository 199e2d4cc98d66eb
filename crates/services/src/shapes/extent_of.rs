//! Extents of tensors as values.

use crate::{Extent, constant_of};
use minoan_ir::{DYNAMIC, OpRef, Value, service};

/// The relation between dynamic extents of tensors and values. Queried by `raise-loops`, `raise-updates` and `resolve-extents`.
/// Default: the extents are unknown.
pub trait ExtentOf: Send + Sync {
    /// The tensor and the dimension whose extent the first result is.
    fn dimension(&self, op: OpRef<'_>) -> Option<(Value, usize)> {
        let _ = op;
        None
    }

    /// The extent of a dimension of a result that is dynamic in the result's type.
    fn extent(&self, op: OpRef<'_>, result: usize, dim: usize) -> Option<Extent> {
        let _ = (op, result, dim);
        None
    }
}
service!(dyn ExtentOf, "ExtentOf", Optional);

/// For operations whose last operands are the dynamic extents of the only result.
pub struct TrailingExtents {
    /// The index of the first of them.
    pub first: usize,
}

impl ExtentOf for TrailingExtents {
    fn extent(&self, op: OpRef<'_>, _: usize, dim: usize) -> Option<Extent> {
        let shape = op.result_types().next()?.shape(op.context())?;
        let before = shape.get(..dim)?.iter().filter(|&&extent| extent == DYNAMIC).count();
        op.operands().nth(self.first + before).map(Extent::Value)
    }
}

/// For operations whose results have the extents of operands: result `n` those of operand `first + n`.
pub struct ExtentsOfOperands {
    /// The operand for the first result.
    pub first: fn(OpRef<'_>) -> usize,
}

impl ExtentOf for ExtentsOfOperands {
    fn extent(&self, op: OpRef<'_>, result: usize, dim: usize) -> Option<Extent> {
        Some(Extent::Of { operand: (self.first)(op) + result, dim })
    }
}

/// For operations whose result is the extent of a dimension, operand 1, of operand 0.
pub struct DimensionOperand;

impl ExtentOf for DimensionOperand {
    fn dimension(&self, op: OpRef<'_>) -> Option<(Value, usize)> {
        let dim = constant_of(op.body(), op.operand(1))?.as_i64(op.context())?;
        let rank = op.body().ty(op.operand(0)).rank(op.context())?;
        usize::try_from(dim).ok().filter(|&dim| dim < rank).map(|dim| (op.operand(0), dim))
    }
}
