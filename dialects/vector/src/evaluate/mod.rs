//! Evaluation of the vector operations. A vector is represented by a tensor with its extents; scalable vectors have
//! unknown extents and cannot be evaluated.

pub(crate) mod elements;
pub(crate) mod mask;
pub(crate) mod memory;
pub(crate) mod print;
pub(crate) mod reduce;
pub(crate) mod shapes;
pub(crate) mod transfer;

use crate::types::Parts;
use minoan_ir::{DYNAMIC, OpRef, Type};
use minoan_memref::slices::numbers;
use minoan_services::{Datum, Machine, Scalar, Tensor, Trap};

/// The type of a result.
fn result_type(op: OpRef<'_>, index: usize) -> Result<Type, Trap> {
    op.result_types().nth(index).ok_or_else(|| Trap::new("an operation without a result"))
}

/// The extents of a vector type at run time.
fn extents(op: OpRef<'_>, ty: Type) -> Result<Vec<usize>, Trap> {
    let parts = Parts::of(op.context(), ty).ok_or_else(|| Trap::new("the type is not a vector"))?;
    if parts.is_scalable() {
        return Err(Trap::new("the extents of a scalable vector are unknown"));
    }
    Ok(parts.shape.iter().map(|&extent| extent.max(0) as usize).collect())
}

/// Builds a vector whose elements are computed from their indices, in row-major order.
fn build(
    op: OpRef<'_>,
    ty: Type,
    machine: &mut dyn Machine,
    mut element: impl FnMut(&mut dyn Machine, &[i64]) -> Result<Datum, Trap>,
) -> Result<Tensor, Trap> {
    const AT_ONCE: usize = 1 << 16;
    let shape = extents(op, ty)?;
    let count = shape.iter().try_fold(1usize, |count, &extent| count.checked_mul(extent));
    let count = count.ok_or_else(|| Trap::new(format!("a vector of extents {shape:?} is too large")))?;
    machine.tick(count as u64)?;
    let mut data = Scalar::of(op.context(), ty)?.with_capacity(count.min(AT_ONCE));
    Tensor::each_index(&shape, |at| data.push(&element(machine, at)?))?;
    Ok(Tensor { shape, data })
}

/// The element of a vector or tensor at an index.
fn element(vector: &Tensor, at: &[i64]) -> Result<Datum, Trap> {
    Ok(vector.data.get(vector.offset(at)?))
}

/// Whether a mask is set at an index.
fn is_set(mask: &Datum, at: &[i64]) -> Result<bool, Trap> {
    element(mask.tensor()?, at)?.bool()
}

/// The numbers of a mixed static and dynamic list, with dynamic ones taken from `values` in order.
fn mixed(op: OpRef<'_>, name: &str, values: &[Datum]) -> Result<Vec<i64>, Trap> {
    let mut values = values.iter();
    let number = |number: i64| match number {
        DYNAMIC => values.next().ok_or_else(|| Trap::new("a position without its value"))?.int(),
        number => Ok(number),
    };
    numbers(op, name).into_iter().map(number).collect()
}

/// Converts values to integers, such as the indices of a memory access.
fn ints(values: &[Datum]) -> Result<Vec<i64>, Trap> {
    values.iter().map(Datum::int).collect()
}

/// Adds two index vectors aligned at the end; the leading part of the longer one is kept.
fn shifted(place: &[i64], at: &[i64]) -> Result<Vec<i64>, Trap> {
    let mut sums = place.to_vec();
    for (sum, &at) in sums.iter_mut().rev().zip(at.iter().rev()) {
        *sum = sum.checked_add(at).ok_or_else(|| Trap::new("an index overflows"))?;
    }
    Ok(sums)
}
