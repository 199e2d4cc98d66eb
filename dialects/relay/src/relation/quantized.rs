//! Type relations of quantized operators: integer tensors with scales and zero points.

use super::call::{Call, Outcome, Solved, Stop, gives, merge};
use super::{conv, matmul, pointwise, pool, slice};
use crate::ty::{DType, Dim, TensorType, Type};

/// A scale or zero point: a scalar, or one for each position along an axis of this extent.
fn parameter(call: &Call<'_>, solved: Solved, what: (usize, &str), extent: Option<Dim>) -> Outcome {
    let (index, name) = what;
    let dtype = if name.ends_with("scale") { DType::F32 } else { DType::I32 };
    let Some(given) = call.maybe_tensor(index)? else {
        return Ok(solved.with(index, TensorType::scalar(dtype)));
    };
    let fits = match (given.shape.as_slice(), extent) {
        ([], _) | ([Dim::Known(1)], _) => true,
        (&[length], Some(extent)) => merge(length, extent).is_some(),
        _ => false,
    };
    if fits && given.dtype == dtype {
        return Ok(solved);
    }
    let each = extent.map_or(String::new(), |extent| format!(", or {extent} of them"));
    Err(call
        .error_at(index, format!("needs a number of type {dtype}{each} as the {name}, but is given {given}")))
}

/// The scale at `index`, and the zero point after it.
fn scale(call: &Call<'_>, solved: Solved, index: usize, extent: Option<Dim>) -> Outcome {
    let solved = parameter(call, solved, (index, "scale"), extent)?;
    parameter(call, solved, (index + 1, "zero point"), extent)
}

/// The extent along the axis of an attribute; -1 is the last axis, and a scalar has none.
fn channel(call: &Call<'_>, data: &TensorType) -> Result<Option<Dim>, Stop> {
    if data.rank() == 0 {
        return Ok(None);
    }
    Ok(Some(data.shape[call.axis_attr("axis", data.rank())?]))
}

fn one_of(call: &Call<'_>, index: usize, data: &TensorType, allowed: &[DType]) -> Result<(), Stop> {
    if allowed.contains(&data.dtype) {
        return Ok(());
    }
    let list = allowed.iter().map(DType::to_string).collect::<Vec<_>>().join(", ");
    Err(call.error_at(index, format!("needs {} of type {list}, but is given {data}", call.arg_name(index))))
}

/// The element type of the result, which an attribute must specify.
fn out_dtype(call: &Call<'_>, allowed: &[DType]) -> Result<DType, Stop> {
    match call.attrs.dtype("out_dtype") {
        Some(dtype) if allowed.contains(&dtype) => Ok(dtype),
        other => {
            let list = allowed.iter().map(DType::to_string).collect::<Vec<_>>().join(", ");
            let found = other.map_or("void".to_owned(), |dtype| dtype.to_string());
            Err(call.error(format!("needs one of {list} as 'out_dtype', but it is {found}")))
        }
    }
}

const SMALL: [DType; 4] = [DType::Int(8), DType::UInt(8), DType::Int(16), DType::Int(32)];
const STORED: [DType; 4] = [DType::Int(8), DType::UInt(8), DType::Int(16), DType::UInt(16)];

pub(super) fn quantize(call: &Call<'_>) -> Outcome {
    let data = call.tensor(0)?;
    one_of(call, 0, data, &[DType::F32])?;
    let dtype = out_dtype(call, &[&STORED[..], &[DType::Int(32)]].concat())?;
    let solved = gives(TensorType { dtype, ..data.clone() })?;
    scale(call, solved, 1, channel(call, data)?)
}

pub(super) fn dequantize(call: &Call<'_>) -> Outcome {
    let data = call.tensor(0)?;
    one_of(call, 0, data, &[&STORED[..], &[DType::Int(32)]].concat())?;
    let dtype = call.dtype_or("out_dtype", DType::F32);
    let solved = gives(TensorType { dtype, ..data.clone() })?;
    scale(call, solved, 1, channel(call, data)?)
}

pub(super) fn requantize(call: &Call<'_>) -> Outcome {
    let data = call.tensor(0)?;
    one_of(call, 0, data, &[&SMALL[..], &[DType::Int(64)]].concat())?;
    let dtype = out_dtype(call, &SMALL)?;
    let solved = gives(TensorType { dtype, ..data.clone() })?;
    let solved = scale(call, solved, 1, channel(call, data)?)?;
    scale(call, solved, 3, None)
}

/// `qnn.add`, `qnn.subtract`, `qnn.mul`.
pub(super) fn broadcast(call: &Call<'_>) -> Outcome {
    let mut solved = pointwise::broadcast(call)?;
    for (index, axis) in [(2, "lhs_axis"), (4, "rhs_axis")] {
        let data = call.tensor(index / 2 - 1)?;
        let extent = match data.rank() {
            0 => None,
            rank => Some(data.shape[call.axis_attr(axis, rank)?]),
        };
        solved = scale(call, solved, index, extent)?;
    }
    scale(call, solved, 6, None)
}

/// Elementwise operators: scale and zero point of the data, and of the result.
pub(super) fn unary(call: &Call<'_>) -> Outcome {
    let data = call.tensor(0)?;
    one_of(call, 0, data, &SMALL)?;
    let solved = scale(call, gives(data.clone())?, 1, None)?;
    scale(call, solved, 3, None)
}

/// Simulated quantization preserves the type; the further arguments are checked at execution.
pub(super) fn simulated(call: &Call<'_>) -> Outcome {
    pointwise::identity(call)
}

pub(super) fn concatenate(call: &Call<'_>) -> Outcome {
    let data = slice::concatenated(call)?;
    let parts = call.tensors(0)?.len();
    for (index, dtype) in [(1, DType::F32), (2, DType::I32)] {
        let given = call.tensors(index)?;
        let wanted = TensorType::scalar(dtype);
        if given.len() != parts || given.iter().any(|one| **one != wanted) {
            let found = Type::Tuple(given.into_iter().cloned().map(Type::Tensor).collect());
            let what = format!(
                "needs {parts} numbers of type {dtype} as {}, but is given {found}",
                call.arg_name(index)
            );
            return Err(call.error_at(index, what));
        }
    }
    scale(call, gives(data)?, 3, None)
}

/// The zero points of data and weight, followed by their scales; the names in the table suggest another order.
fn pair(call: &Call<'_>, solved: Solved, channels: Option<Dim>) -> Outcome {
    let solved = parameter(call, solved, (2, "zero point"), None)?;
    let solved = parameter(call, solved, (3, "zero point"), channels)?;
    let solved = parameter(call, solved, (4, "scale"), None)?;
    parameter(call, solved, (5, "scale"), channels)
}

fn check_pair(call: &Call<'_>) -> Result<(), Stop> {
    one_of(call, 0, call.tensor(0)?, &STORED)?;
    if let Some(weight) = call.maybe_tensor(1)? {
        one_of(call, 1, weight, &STORED)?;
    }
    out_dtype(call, &[DType::Int(16), DType::Int(32), DType::Int(64)])?;
    Ok(())
}

pub(super) fn conv2d(call: &Call<'_>) -> Outcome {
    check_pair(call)?;
    let solved = conv::conv::<2>(call)?;
    let channels = call.attrs.int("channels").map_or(Dim::Any, Dim::Known);
    pair(call, solved, Some(channels))
}

pub(super) fn conv2d_transpose(call: &Call<'_>) -> Outcome {
    check_pair(call)?;
    let solved = conv::transposed::<2>(call)?;
    let channels = call.attrs.int("channels").map_or(Dim::Any, Dim::Known);
    pair(call, solved, Some(channels))
}

pub(super) fn dense(call: &Call<'_>) -> Outcome {
    check_pair(call)?;
    let solved = matmul::dense(call)?;
    let units = call.attrs.int("units").map_or(Dim::Any, Dim::Known);
    pair(call, solved, Some(units))
}

pub(super) fn dense_pack(call: &Call<'_>) -> Outcome {
    check_pair(call)?;
    let (data, weight) = (call.tensor(0)?, call.tensor(1)?);
    if weight.rank() == 2 {
        return dense(call);
    }
    let weight = call.ranked(1, 3)?;
    let given = matmul::packed_units(weight)?;
    let units = call.attrs.int("units").map_or(Dim::Any, Dim::Known);
    let units = merge(units, given).ok_or_else(|| {
        call.error_at(1, format!("has {units} units, but is given a weight of {given}, {weight}"))
    })?;
    let mut shape = data.shape.clone();
    let Some(last) = shape.last_mut() else {
        return Err(call.error_at(0, "needs a matrix, but is given a number"));
    };
    merge(*last, weight.shape[1]).ok_or_else(|| {
        call.error_at(1, format!("cannot multiply {data} and {weight}: they sum over different extents"))
    })?;
    *last = units;
    let dtype = call.dtype_or("out_dtype", DType::I32);
    pair(call, gives(TensorType::new(shape, dtype))?, Some(units))
}

pub(super) fn batch_matmul(call: &Call<'_>) -> Outcome {
    check_pair(call)?;
    pair(call, matmul::batch_matmul(call)?, None)
}

pub(super) fn avg_pool2d(call: &Call<'_>) -> Outcome {
    let solved = scale(call, pool::pool::<2>(call)?, 1, None)?;
    scale(call, solved, 3, None)
}
