//! Operator calls during the lowering.

use super::extent::Extent;
use super::tensors;
use crate::attrs::Attrs;
use crate::ty::{DType, TensorType};
use minoan_ir::{Builder, Value};

/// A lowered tensor with its Relay type, which determines the signedness of integers.
#[derive(Clone, Debug)]
pub(super) struct Tensor {
    pub(super) value: Value,
    pub(super) ty: TensorType,
}

impl Tensor {
    pub(super) fn rank(&self) -> usize {
        self.ty.rank()
    }

    pub(super) fn dtype(&self) -> DType {
        self.ty.dtype
    }

    /// The identity indexing expressions.
    pub(super) fn same(&self) -> Vec<minoan_ir::affine::AffineExpr> {
        (0..self.rank()).map(tensors::dim).collect()
    }
}

/// An operator call.
pub(super) struct Site {
    pub(super) name: &'static str,
    /// The complete attributes.
    pub(super) attrs: Attrs,
    /// The components of each argument.
    pub(super) args: Vec<Vec<Tensor>>,
    /// The types of the components of the result.
    pub(super) results: Vec<TensorType>,
}

impl Site {
    /// An argument that is a tensor.
    pub(super) fn arg(&self, index: usize) -> &Tensor {
        &self.args[index][0]
    }

    /// The type of the result.
    pub(super) fn result(&self) -> &TensorType {
        &self.results[0]
    }

    /// The axis named by an attribute, counted from the front.
    pub(super) fn axis(&self, name: &str, rank: usize) -> usize {
        from_front(self.attrs.int(name).unwrap_or(0), rank)
    }

    /// The extents of the result: those in its type, otherwise those that `otherwise` returns.
    pub(super) fn result_extents(
        &self,
        b: &mut Builder<'_>,
        mut otherwise: impl FnMut(&mut Builder<'_>, usize) -> Extent,
    ) -> Vec<Extent> {
        let dims = self.result().shape.iter().enumerate();
        dims.map(|(axis, dim)| match dim.known() {
            Some(extent) => Extent::Known(extent),
            None => otherwise(b, axis),
        })
        .collect()
    }
}

/// Normalizes an axis, which may be negative and has been verified.
pub(super) fn from_front(axis: i64, rank: usize) -> usize {
    let axis = if axis < 0 { axis + rank as i64 } else { axis };
    usize::try_from(axis).unwrap_or(0).min(rank.saturating_sub(1))
}

/// The axes of a reduction.
pub(super) fn reduced_axes(site: &Site, rank: usize) -> Vec<bool> {
    let given = site.attrs.ints("axis").filter(|axes| !axes.is_empty());
    let Some(given) = given else { return vec![true; rank] };
    let given: Vec<usize> = given.into_iter().map(|axis| from_front(axis, rank)).collect();
    (0..rank).map(|axis| given.contains(&axis) != site.attrs.flag("exclude")).collect()
}
