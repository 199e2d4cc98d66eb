//! Type relations of reductions, scans and sorting.

use super::call::{Call, Outcome, Stop, extent, gives, gives_tuple, product};
use super::pointwise::{Clash, join};
use crate::ty::{DType, Dim, TensorType};

/// The reduced axes: all if none is given.
fn reduced(call: &Call<'_>, rank: usize) -> Result<Vec<usize>, Stop> {
    let given = call.attrs.ints("axis").filter(|axes| !axes.is_empty());
    let Some(given) = given else { return Ok((0..rank).collect()) };
    let axes = call.axes(&given, rank)?;
    Ok(match call.attrs.flag("exclude") {
        true => (0..rank).filter(|axis| !axes.contains(axis)).collect(),
        false => axes,
    })
}

/// The shape of a reduction's result.
fn reduced_shape(call: &Call<'_>, data: &TensorType) -> Result<Vec<Dim>, Stop> {
    let axes = reduced(call, data.rank())?;
    let keep = call.attrs.flag("keepdims");
    let shape = data.shape.iter().enumerate();
    Ok(shape
        .filter_map(|(axis, &dim)| match axes.contains(&axis) {
            false => Some(dim),
            true => keep.then_some(Dim::Known(1)),
        })
        .collect())
}

pub(super) fn reduce(call: &Call<'_>) -> Outcome {
    let data = call.tensor(0)?;
    gives(TensorType::new(reduced_shape(call, data)?, data.dtype))
}

pub(super) fn arg_reduce(call: &Call<'_>) -> Outcome {
    let data = call.tensor(0)?;
    if data.rank() == 0 {
        return Err(call.error_at(0, format!("needs a tensor with an axis, but is given {data}")));
    }
    gives(TensorType::new(reduced_shape(call, data)?, DType::I32))
}

/// The mean must have the shape of the data with reduced axes of extent 1.
pub(super) fn variance(call: &Call<'_>) -> Outcome {
    call.same_dtype(0, 1)?;
    let (data, mean) = (call.tensor(0)?, call.tensor(1)?);
    match join(&data.shape, &mean.shape) {
        Err(Clash::Stuck) => return Err(Stop::Stuck),
        Ok(shape) if shape == data.shape => {}
        _ => {
            return Err(
                call.error_at(1, format!("needs a mean that broadcasts to {data}, but is given {mean}"))
            );
        }
    }
    gives(TensorType::new(reduced_shape(call, data)?, data.dtype))
}

/// `cumsum`, `cumprod`: without an axis, over the flattened tensor.
pub(super) fn scan(call: &Call<'_>) -> Outcome {
    let data = call.tensor(0)?;
    let shape = match call.attrs.int("axis") {
        Some(axis) => {
            call.axis(axis, data.rank())?;
            data.shape.clone()
        }
        None => vec![product(&data.shape)?],
    };
    gives(TensorType::new(shape, call.dtype_or("dtype", data.dtype)))
}

pub(super) fn sort(call: &Call<'_>) -> Outcome {
    let data = call.tensor(0)?;
    call.axis_attr("axis", data.rank())?;
    gives(data.clone())
}

pub(super) fn argsort(call: &Call<'_>) -> Outcome {
    let data = call.tensor(0)?;
    call.axis_attr("axis", data.rank())?;
    gives(TensorType { dtype: call.dtype_or("dtype", DType::I32), ..data.clone() })
}

pub(super) fn topk(call: &Call<'_>) -> Outcome {
    let count = call.attrs.int("k").map(Dim::Known);
    top(call, count)
}

/// Top-k with k given by an argument.
pub(super) fn dynamic_topk(call: &Call<'_>) -> Outcome {
    call.tensor(1)?;
    top(call, Some(Dim::Any))
}

fn top(call: &Call<'_>, count: Option<Dim>) -> Outcome {
    let data = call.tensor(0)?;
    let axis = call.axis_attr("axis", data.rank())?;
    let mut values = data.clone();
    match (count, extent(data.shape[axis])?) {
        (Some(Dim::Known(count)), Some(whole)) if count > whole => {
            return Err(call
                .error(format!("cannot take {count} of the {whole} elements along axis {axis} of {data}")));
        }
        // Absent, or less than one, means all.
        (Some(Dim::Known(count)), _) if count >= 1 => values.shape[axis] = Dim::Known(count),
        (Some(Dim::Any), _) => values.shape[axis] = Dim::Any,
        _ => {}
    }
    let indices = TensorType { dtype: call.dtype_or("dtype", DType::I32), ..values.clone() };
    match call.text("ret_type") {
        "both" => gives_tuple([values, indices]),
        "values" => gives(values),
        "indices" => gives(indices),
        other => Err(call
            .error(format!("needs the ret_type \"both\", \"values\" or \"indices\", but it is {other:?}"))),
    }
}

pub(super) fn search_sorted(call: &Call<'_>) -> Outcome {
    let (sorted, values) = (call.tensor(0)?, call.tensor(1)?);
    call.same_dtype(0, 1)?;
    if sorted.rank() == 0 || (sorted.rank() > 1 && sorted.rank() != values.rank()) {
        return Err(call.error_at(1, format!("cannot look up {values} in {sorted}: their ranks differ")));
    }
    gives(TensorType { dtype: call.dtype_or("dtype", DType::I32), ..values.clone() })
}

/// The unique values, their first positions, the inverse indices, their number, and their counts.
pub(super) fn unique(call: &Call<'_>) -> Outcome {
    let data = call.ranked(0, 1)?;
    let of = |dim: Dim, dtype: DType| TensorType::new([dim], dtype);
    let mut parts = vec![
        of(Dim::Any, data.dtype),
        of(Dim::Any, DType::I32),
        of(data.shape[0], DType::I32),
        of(Dim::Known(1), DType::I32),
    ];
    if call.attrs.flag("return_counts") {
        parts.push(of(Dim::Any, DType::I32));
    }
    gives_tuple(parts)
}
