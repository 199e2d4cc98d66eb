//! Type relations of elementwise operators and constants.

use super::call::{Call, Outcome, Stop, gives};
use crate::attrs::AttrValue;
use crate::operators::Pattern;
use crate::ty::{DType, Dim, TensorType, Type};

/// The type of the argument, which need not be a tensor for operators that only annotate it.
pub(super) fn identity(call: &Call<'_>) -> Outcome {
    match &call.args[0] {
        Type::Tuple(_) | Type::Other(_) if call.op.pattern == Pattern::Opaque => {
            return gives(call.args[0].clone());
        }
        _ => {}
    }
    let data = call.tensor(0)?;
    match call.attrs.get("axis") {
        Some(AttrValue::Int(axis)) => _ = call.axis(*axis, data.rank())?,
        Some(axes) => _ = call.axes(&axes.as_ints().unwrap_or_default(), data.rank())?,
        None => {}
    }
    gives(data.clone())
}

/// A boolean for each element.
pub(super) fn test(call: &Call<'_>) -> Outcome {
    gives(TensorType { dtype: DType::Bool, ..call.tensor(0)?.clone() })
}

pub(super) fn broadcast(call: &Call<'_>) -> Outcome {
    let dtype = call.same_dtype(0, 1)?;
    gives(TensorType::new(broadcast_shapes(call, 0, 1)?, dtype))
}

pub(super) fn compare(call: &Call<'_>) -> Outcome {
    call.same_dtype(0, 1)?;
    gives(TensorType::new(broadcast_shapes(call, 0, 1)?, DType::Bool))
}

/// The joint shape of two arguments.
fn broadcast_shapes(call: &Call<'_>, first: usize, second: usize) -> Result<Vec<Dim>, Stop> {
    let (lhs, rhs) = (call.tensor(first)?, call.tensor(second)?);
    join(&lhs.shape, &rhs.shape).map_err(|clash| match clash {
        Clash::Stuck => Stop::Stuck,
        Clash::Extents(a, b) => {
            call.error_at(second, format!("cannot broadcast {lhs} and {rhs}: {a} is neither {b} nor 1"))
        }
    })
}

pub(super) enum Clash {
    Stuck,
    Extents(i64, i64),
}

/// Broadcasts two shapes: axes are aligned at the end, and extents of 1 are replicated.
pub(super) fn join(lhs: &[Dim], rhs: &[Dim]) -> Result<Vec<Dim>, Clash> {
    let rank = lhs.len().max(rhs.len());
    let at = |shape: &[Dim], axis: usize| match (axis + shape.len()).checked_sub(rank) {
        Some(axis) => shape[axis],
        None => Dim::Known(1),
    };
    (0..rank).map(|axis| join_dims(at(lhs, axis), at(rhs, axis))).collect()
}

fn join_dims(lhs: Dim, rhs: Dim) -> Result<Dim, Clash> {
    match (lhs, rhs) {
        _ if lhs == rhs => Ok(lhs),
        (Dim::Known(1), other) | (other, Dim::Known(1)) => Ok(other),
        (Dim::Known(a), Dim::Known(b)) => Err(Clash::Extents(a, b)),
        // The other extent is equal, or 1.
        (known @ Dim::Known(_), _) | (_, known @ Dim::Known(_)) => Ok(known),
        _ => Err(Clash::Stuck),
    }
}

pub(super) fn select(call: &Call<'_>) -> Outcome {
    let condition = call.tensor(0)?;
    let dtype = call.same_dtype(1, 2)?;
    let values = broadcast_shapes(call, 1, 2)?;
    let shape = join(&condition.shape, &values).map_err(|clash| match clash {
        Clash::Stuck => Stop::Stuck,
        Clash::Extents(a, b) => {
            let values = TensorType::new(values.clone(), dtype);
            call.error_at(0, format!("cannot broadcast {condition} to {values}: {a} is neither {b} nor 1"))
        }
    })?;
    gives(TensorType::new(shape, dtype))
}

pub(super) fn cast(call: &Call<'_>) -> Outcome {
    let data = call.tensor(0)?;
    gives(TensorType { dtype: call.dtype_or("dtype", data.dtype), ..data.clone() })
}

pub(super) fn reinterpret(call: &Call<'_>) -> Outcome {
    let data = call.tensor(0)?;
    let dtype = call.dtype_or("dtype", data.dtype);
    if dtype.bits() != data.dtype.bits() {
        return Err(call.error_at(0, format!("cannot read the bits of {} as {dtype}", data.dtype)));
    }
    gives(TensorType { dtype, ..data.clone() })
}

pub(super) fn cast_like(call: &Call<'_>) -> Outcome {
    let (data, like) = (call.tensor(0)?, call.tensor(1)?);
    gives(TensorType { dtype: like.dtype, ..data.clone() })
}

/// `zeros`, `ones`.
pub(super) fn constant(call: &Call<'_>) -> Outcome {
    gives(TensorType::new(call.shape("shape")?, call.dtype_or("dtype", DType::F32)))
}

/// The scalar that fills a tensor.
fn fill_value<'a>(call: &Call<'a>, index: usize) -> Result<&'a TensorType, Stop> {
    let value = call.tensor(index)?;
    if value.rank() != 0 {
        return Err(call.error_at(index, format!("needs a number to fill with, but is given {value}")));
    }
    Ok(value)
}

pub(super) fn full(call: &Call<'_>) -> Outcome {
    let value = fill_value(call, 0)?;
    gives(TensorType::new(call.shape("shape")?, call.dtype_or("dtype", value.dtype)))
}

pub(super) fn full_like(call: &Call<'_>) -> Outcome {
    fill_value(call, 1)?;
    identity(call)
}

/// A shape given by an argument: only the rank is known.
pub(super) fn unknown_shape(call: &Call<'_>, index: usize) -> Result<Vec<Dim>, Stop> {
    Ok(vec![Dim::Any; call.shape_length(index)?])
}

pub(super) fn dynamic_constant(call: &Call<'_>) -> Outcome {
    gives(TensorType::new(unknown_shape(call, 0)?, call.dtype_or("dtype", DType::F32)))
}

pub(super) fn dynamic_full(call: &Call<'_>) -> Outcome {
    let value = fill_value(call, 0)?;
    gives(TensorType::new(unknown_shape(call, 1)?, call.dtype_or("dtype", value.dtype)))
}

pub(super) fn broadcast_to(call: &Call<'_>) -> Outcome {
    let (data, shape) = (call.tensor(0)?, call.shape("shape")?);
    let target = TensorType::new(shape, data.dtype);
    reaches(call, data, &target)?;
    gives(target)
}

/// Requires that a tensor can be broadcast to another type. An unknown extent, of either, may agree at run time.
fn reaches(call: &Call<'_>, data: &TensorType, target: &TensorType) -> Result<(), Stop> {
    let is_reached = |joined: Dim, target: Dim| {
        joined == target || target == Dim::Any || (joined, target) == (Dim::Any, Dim::Known(1))
    };
    match join(&data.shape, &target.shape) {
        Err(Clash::Stuck) => Err(Stop::Stuck),
        Ok(shape)
            if shape.len() == target.rank()
                && shape.iter().zip(&target.shape).all(|(&joined, &target)| is_reached(joined, target)) =>
        {
            Ok(())
        }
        _ => Err(call.error_at(0, format!("cannot broadcast {data} to {target}"))),
    }
}

pub(super) fn broadcast_to_like(call: &Call<'_>) -> Outcome {
    call.same_dtype(0, 1)?;
    reaches(call, call.tensor(0)?, call.tensor(1)?)?;
    gives(call.tensor(1)?.clone())
}

pub(super) fn dynamic_broadcast_to(call: &Call<'_>) -> Outcome {
    let data = call.tensor(0)?;
    let shape = unknown_shape(call, 1)?;
    if shape.len() < data.rank() {
        return Err(call.error_at(1, format!("cannot broadcast {data} to a tensor of rank {}", shape.len())));
    }
    gives(TensorType::new(shape, data.dtype))
}

pub(super) fn collapse_sum_like(call: &Call<'_>) -> Outcome {
    call.same_dtype(0, 1)?;
    let (data, like) = (call.tensor(0)?, call.tensor(1)?);
    match join(&like.shape, &data.shape) {
        Err(Clash::Stuck) => Err(Stop::Stuck),
        Ok(shape) if shape == data.shape => gives(like.clone()),
        _ => Err(call.error_at(1, format!("cannot sum {data} to {like}, which does not broadcast to it"))),
    }
}

pub(super) fn collapse_sum_to(call: &Call<'_>) -> Outcome {
    let data = call.tensor(0)?;
    let shape = unknown_shape(call, 1)?;
    if shape.len() > data.rank() {
        return Err(call.error_at(1, format!("cannot sum {data} to a tensor of rank {}", shape.len())));
    }
    gives(TensorType::new(shape, data.dtype))
}

pub(super) fn multiply_per_axis(call: &Call<'_>) -> Outcome {
    let data = call.tensor(0)?;
    for axis in call.ints("axes")? {
        call.axis(axis, data.rank())?;
    }
    gives(data.clone())
}
