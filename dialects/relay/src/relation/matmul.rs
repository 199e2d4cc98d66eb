//! Type relations of matrix products.

use super::call::{Call, Outcome, Stop, extent, gives, map, merge};
use crate::attrs::Attrs;
use crate::ty::{DType, Dim, TensorType};

/// The element type of the result.
pub(super) fn out_dtype(call: &Call<'_>) -> Result<DType, Stop> {
    Ok(call.dtype_or("out_dtype", call.tensor(0)?.dtype))
}

/// The transposed operands of a matrix product.
#[derive(Clone, Copy)]
pub(crate) struct Transposed {
    /// The first operand.
    pub(crate) a: bool,
    /// The second operand.
    pub(crate) b: bool,
}

impl Transposed {
    /// The operands of a dense layer: its weight has a row per unit.
    pub(crate) const DENSE: Transposed = Transposed { a: false, b: true };

    /// The attributes `transpose_a` and `transpose_b`.
    pub(crate) fn of(attrs: &Attrs) -> Self {
        Transposed { a: attrs.flag("transpose_a"), b: attrs.flag("transpose_b") }
    }
}

pub(super) fn dense(call: &Call<'_>) -> Outcome {
    product(call, Transposed::DENSE)
}

pub(super) fn matmul(call: &Call<'_>) -> Outcome {
    product(call, Transposed::of(call.attrs))
}

/// The product of the last two axes of the first argument (or the only one) with a matrix.
fn product(call: &Call<'_>, transposed: Transposed) -> Outcome {
    let data = call.tensor(0)?;
    let rank = data.rank();
    if rank == 0 || (transposed.a && rank < 2) {
        return Err(call.error_at(0, format!("needs a matrix as {}, but it is {data}", call.arg_name(0))));
    }
    let (kept, summed) = if transposed.a { (rank - 1, rank - 2) } else { (rank.wrapping_sub(2), rank - 1) };
    let (units_axis, summed_axis) = if transposed.b { (0, 1) } else { (1, 0) };
    let weight = match call.maybe_tensor(1)? {
        None => None,
        Some(_) => Some(call.ranked(1, 2)?),
    };
    let units = match (call.attrs.int("units"), weight) {
        (Some(units), Some(weight)) => {
            merge(Dim::Known(units), weight.shape[units_axis]).ok_or_else(|| {
                let found = weight.shape[units_axis];
                call.error_at(1, format!("has units={units}, but {weight} gives {found}"))
            })?
        }
        (Some(units), None) => Dim::Known(units),
        (None, Some(weight)) => weight.shape[units_axis],
        (None, None) => return Err(Stop::Stuck),
    };
    let inner = match weight {
        None => data.shape[summed],
        Some(weight) => merge(data.shape[summed], weight.shape[summed_axis]).ok_or_else(|| {
            let (k, found) = (data.shape[summed], weight.shape[summed_axis]);
            let what = format!("cannot multiply {data} and {weight}: it sums over {k} elements of one and {found} of the other");
            call.error_at(1, what)
        })?,
    };
    let mut refined = TensorType::new([Dim::Any; 2], weight.map_or(data.dtype, |weight| weight.dtype));
    refined.shape[units_axis] = units;
    refined.shape[summed_axis] = inner;
    let mut shape = data.shape.clone();
    if transposed.a {
        shape[rank - 2] = data.shape[kept];
    }
    shape[rank - 1] = units;
    let mut solved = gives(TensorType::new(shape, out_dtype(call)?))?.with(1, refined);
    if data.shape[summed].is_hole() && !inner.is_hole() {
        let mut known = data.clone();
        known.shape[summed] = inner;
        solved = solved.with(0, known);
    }
    Ok(solved)
}

pub(super) fn batch_matmul(call: &Call<'_>) -> Outcome {
    let (a, b) = (call.ranked(0, 3)?, call.ranked(1, 3)?);
    let (rows, inner_a) = if call.attrs.flag("transpose_a") { (2, 1) } else { (1, 2) };
    let (columns, inner_b) = if call.attrs.flag("transpose_b") { (1, 2) } else { (2, 1) };
    let clash = |what: &str, a_axis: usize, b_axis: usize| {
        let (left, right) = (a.shape[a_axis], b.shape[b_axis]);
        call.error_at(1, format!("cannot multiply {a} and {b}: {what} {left} and {right} differ"))
    };
    merge(a.shape[inner_a], b.shape[inner_b])
        .ok_or_else(|| clash("the extents that are summed over,", inner_a, inner_b))?;
    let batch = match (a.shape[0], b.shape[0]) {
        (Dim::Known(1), other) | (other, Dim::Known(1)) => other,
        (x, y) => merge(x, y).ok_or_else(|| clash("the batches", 0, 0))?,
    };
    gives(TensorType::new([batch, a.shape[rows], b.shape[columns]], out_dtype(call)?))
}

/// A weight packed for the target: `(units / block, k, block)`.
pub(super) fn dense_pack(call: &Call<'_>) -> Outcome {
    let (data, weight) = (call.ranked(0, 2)?, call.ranked(1, 3)?);
    let units = packed_units(weight)?;
    merge(data.shape[1], weight.shape[1]).ok_or_else(|| {
        call.error_at(1, format!("cannot multiply {data} and {weight}: they sum over different extents"))
    })?;
    gives(TensorType::new([data.shape[0], units], out_dtype(call)?))
}

pub(super) fn packed_units(weight: &TensorType) -> Result<Dim, Stop> {
    Ok(match (extent(weight.shape[0])?, extent(weight.shape[2])?) {
        (Some(blocks), Some(block)) => Dim::Known(blocks.saturating_mul(block)),
        _ => Dim::Any,
    })
}

/// A product of bit-packed data.
pub(super) fn binary_dense(call: &Call<'_>) -> Outcome {
    let data = call.tensor(0)?;
    let Some(last) = data.rank().checked_sub(1) else {
        return Err(call.error_at(0, format!("needs a matrix, but is given {data}")));
    };
    let weight = call.tensor(1)?;
    // A packed weight has the bits of a number along axis 1, and of neighboring numbers in a word.
    let inner = match weight.rank() {
        2 => weight.shape[1],
        3 => map(weight.shape[2], |words| words.saturating_mul(i64::from(weight.dtype.bits())))?,
        _ => return Err(call.error_at(1, format!("needs a matrix, packed or not, but is given {weight}"))),
    };
    let units = Dim::Known(call.int("units")?);
    merge(data.shape[last], inner).ok_or_else(|| {
        call.error_at(1, format!("cannot multiply {data} and {weight}: they sum over different extents"))
    })?;
    merge(units, weight.shape[0])
        .ok_or_else(|| call.error_at(1, format!("has {units} units, but is given the weight {weight}")))?;
    let mut shape = data.shape.clone();
    shape[last] = units;
    gives(TensorType::new(shape, call.dtype_or("out_dtype", DType::Int(16))))
}

/// The number of rows of a sparse matrix with these values, which may be blocks.
fn sparse_rows(values: &TensorType, pointers: &TensorType) -> Result<Dim, Stop> {
    let block = if values.rank() == 3 { extent(values.shape[1])? } else { Some(1) };
    match block {
        Some(block) => map(pointers.shape[0], |length| (length - 1).saturating_mul(block)),
        None => Ok(Dim::Any),
    }
}

/// A product with a matrix in compressed sparse row format: values, indices, row pointers.
pub(super) fn sparse_dense(call: &Call<'_>) -> Outcome {
    let data = call.ranked(0, 2)?;
    call.same_dtype(0, 1)?;
    let values = call.tensor(1)?;
    let pointers = call.ranked(3, 1)?;
    let rows = sparse_rows(values, pointers)?;
    let shape = if call.attrs.flag("sparse_lhs") { [rows, data.shape[1]] } else { [data.shape[0], rows] };
    gives(TensorType::new(shape, data.dtype))
}

pub(super) fn sparse_add(call: &Call<'_>) -> Outcome {
    call.same_dtype(0, 1)?;
    gives(call.ranked(0, 2)?.clone())
}

/// The transposed matrix in the same format.
pub(super) fn sparse_transpose(call: &Call<'_>) -> Outcome {
    call.ranked(0, 1)?;
    call.ranked(1, 1)?;
    call.same_extent((0, 0), (1, 0))?;
    super::call::gives_tuple([call.tensor(0)?.clone(), call.tensor(1)?.clone(), call.tensor(2)?.clone()])
}

pub(super) fn sparse_conv2d(call: &Call<'_>) -> Outcome {
    let data = call.ranked(0, 4)?;
    call.same_dtype(0, 1)?;
    let values = call.tensor(1)?;
    let pointers = call.ranked(3, 1)?;
    let channels = sparse_rows(values, pointers)?;
    let (channel, spatial) = match call.text("layout") {
        "NHWC" => (3, [1, 2]),
        "NCHW" => (1, [2, 3]),
        other => return Err(call.error(format!("needs the layout NHWC or NCHW, but it is {other:?}"))),
    };
    let kernel = call.ints("kernel_size")?;
    let mut shape = data.shape.clone();
    shape[channel] = channels;
    for (axis, extent) in spatial.into_iter().zip(kernel) {
        shape[axis] = map(shape[axis], |size| size - extent + 1)?;
    }
    gives(TensorType::new(shape, data.dtype))
}
