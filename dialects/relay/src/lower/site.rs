//! A call of an operator during lowering: its attributes, arguments and result types, and the run-time checks on them.

use super::extent::Extent;
use super::tensors::{self, extent};
use crate::attrs::Attrs;
use crate::operators::find;
use crate::ty::{DType, Dim, TensorType};
use minoan_ir::affine::AffineExpr;
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
    pub(super) fn same(&self) -> Vec<AffineExpr> {
        (0..self.rank()).map(tensors::dim).collect()
    }
}

/// The message for an operator that is not defined for an element type.
pub(super) fn undefined_for(dtype: DType) -> String {
    format!("it is not defined for elements of type {dtype}")
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

    /// The element type of the first argument, which must be a floating-point type.
    pub(super) fn float_dtype(&self) -> Result<DType, String> {
        let dtype = self.arg(0).dtype();
        if dtype.is_float() { Ok(dtype) } else { Err(undefined_for(dtype)) }
    }

    /// The axis named by an attribute, counted from the front.
    pub(super) fn axis(&self, name: &str, rank: usize) -> usize {
        from_front(self.attrs.int(name).unwrap_or(0), rank)
    }

    /// The name of an argument in messages.
    fn arg_name(&self, index: usize) -> String {
        let name = find(self.name).and_then(|operator| operator.args.get(index));
        name.map_or_else(|| format!("argument {}", index + 1), |name| format!("'{name}'"))
    }

    /// Asserts that two arguments have the same extent, along an axis of each.
    pub(super) fn expect_same(
        &self,
        b: &mut Builder<'_>,
        (first, first_axis): (usize, usize),
        (second, second_axis): (usize, usize),
    ) -> Extent {
        let (one, other) = (extent(b, self.arg(first), first_axis), extent(b, self.arg(second), second_axis));
        one.expect(b, other, || self.different((first, first_axis), (second, second_axis)))
    }

    /// The message for two arguments whose extents should be equal.
    fn different(
        &self,
        (first, first_axis): (usize, usize),
        (second, second_axis): (usize, usize),
    ) -> String {
        let (one, other) = (self.arg_name(first), self.arg_name(second));
        let name = self.name;
        format!(
            "{name}: {one} along axis {first_axis} and {other} along axis {second_axis} differ in extent: {{}} and {{}}"
        )
    }

    /// Asserts that an extent of an argument does not exceed that of another argument.
    pub(super) fn expect_at_most(
        &self,
        b: &mut Builder<'_>,
        (small, small_axis): (usize, usize),
        (large, large_axis): (usize, usize),
    ) {
        let (one, other) = (extent(b, self.arg(small), small_axis), extent(b, self.arg(large), large_axis));
        one.expect_at_most(b, other, || {
            let (one, other) = (self.arg_name(small), self.arg_name(large));
            let name = self.name;
            format!("{name}: {one} along axis {small_axis} is larger than {other} along axis {large_axis}: {{}} and {{}}")
        });
    }

    /// Asserts that there are elements to read along an axis of the first argument, unless the result is empty.
    pub(super) fn expect_elements(&self, b: &mut Builder<'_>, axis: usize, wanted: &[Extent]) {
        let from = extent(b, self.arg(0), axis);
        super::extent::expect_elements(b, from, wanted, || {
            format!("{}: {} has no elements along axis {axis}", self.name, self.arg_name(0))
        });
    }

    /// Computes a tensor from the elements of the data and from parameters, which are numbers or have one element for each
    /// place along an axis.
    pub(super) fn with_params(
        &self,
        b: &mut Builder<'_>,
        data: &Tensor,
        axis: usize,
        params: &[&Tensor],
        dtype: DType,
        fill: impl FnOnce(&mut Builder<'_>, Value, &[Value]) -> Value,
    ) -> Tensor {
        let wanted = tensors::extents(b, data);
        let (mut inputs, mut numbers) = (vec![(data, data.same())], Vec::with_capacity(params.len()));
        for param in params {
            if param.rank() == 0 {
                numbers.push(Some(tensors::scalar(b, param.value)));
                continue;
            }
            numbers.push(None);
            let one = param.ty.shape[0] == Dim::Known(1);
            let expr = if one {
                AffineExpr::Constant(0)
            } else {
                let own = extent(b, param, 0);
                own.expect(b, wanted[axis], || {
                    format!(
                        "{}: a parameter must have one element for each index along axis {axis}",
                        self.name
                    )
                });
                tensors::dim(axis)
            };
            inputs.push((param, vec![expr]));
        }
        tensors::pointwise(b, &inputs, &wanted, dtype, |b, elements| {
            let (element, mut rest) = (elements[0], elements[1..].iter());
            let each = |number: Option<Value>| number.or_else(|| rest.next().copied()).unwrap_or(element);
            let params: Vec<Value> = numbers.into_iter().map(each).collect();
            fill(b, element, &params)
        })
    }

    /// The extents of the result: constants from its type, otherwise the result of `otherwise`.
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
pub(crate) fn from_front(axis: i64, rank: usize) -> usize {
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
