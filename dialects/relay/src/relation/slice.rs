//! Type relations of slicing, concatenation and tiling.

use super::call::{Call, Outcome, Stop, extent, gives, gives_tuple, map, merge};
use super::pointwise::unknown_shape;
use crate::attrs::AttrValue;
use crate::slices::Slices;
use crate::ty::{Dim, TensorType};

/// The tensors of a tuple, which must have equal rank and element type.
fn parts<'a>(call: &Call<'a>) -> Result<Vec<&'a TensorType>, Stop> {
    let parts = call.tensors(0)?;
    let Some(first) = parts.first() else {
        return Err(call.error_at(0, "needs at least one tensor"));
    };
    for (index, part) in parts.iter().enumerate() {
        if part.dtype != first.dtype || part.rank() != first.rank() {
            let what = format!(
                "needs tensors of one rank and one type of elements, but 0 is {first} and {index} is {part}"
            );
            return Err(call.error_at(0, what));
        }
    }
    Ok(parts)
}

/// The joint extent of all parts along an axis.
fn common(call: &Call<'_>, parts: &[&TensorType], axis: usize) -> Result<Dim, Stop> {
    let mut common = parts[0].shape[axis];
    for (index, part) in parts.iter().enumerate() {
        common = merge(common, part.shape[axis]).ok_or_else(|| {
            let what = format!(
                "needs tensors of one extent along axis {axis}, but 0 is {} and {index} is {part}",
                parts[0]
            );
            call.error_at(0, what)
        })?;
    }
    Ok(common)
}

pub(super) fn concatenate(call: &Call<'_>) -> Outcome {
    gives(concatenated(call)?)
}

pub(super) fn concatenated(call: &Call<'_>) -> Result<TensorType, Stop> {
    let parts = parts(call)?;
    let rank = parts[0].rank();
    let axis = call.axis_attr("axis", rank)?;
    let mut shape = Vec::with_capacity(rank);
    for other in 0..rank {
        if other != axis {
            shape.push(common(call, &parts, other)?);
            continue;
        }
        let mut sum = Some(0i64);
        for part in &parts {
            sum = extent(part.shape[axis])?.zip(sum).map(|(extent, sum)| extent.saturating_add(sum));
        }
        shape.push(sum.map_or(Dim::Any, Dim::Known));
    }
    Ok(TensorType::new(shape, parts[0].dtype))
}

pub(super) fn stack(call: &Call<'_>) -> Outcome {
    let parts = parts(call)?;
    let rank = parts[0].rank();
    let axis = call.axis_attr("axis", rank + 1)?;
    let mut shape = (0..rank).map(|axis| common(call, &parts, axis)).collect::<Result<Vec<_>, _>>()?;
    shape.insert(axis, Dim::Known(parts.len() as i64));
    gives(TensorType::new(shape, parts[0].dtype))
}

pub(super) fn split(call: &Call<'_>) -> Outcome {
    let data = call.tensor(0)?;
    let axis = call.axis_attr("axis", data.rank())?;
    let whole = extent(data.shape[axis])?;
    let parts = match call.attrs.get("indices_or_sections") {
        Some(&AttrValue::Int(sections)) => equal_parts(call, data, axis, whole, sections)?,
        _ => parts_at(call, data, axis, whole, &call.ints("indices_or_sections")?)?,
    };
    gives_tuple(parts.into_iter().map(|extent| {
        let mut part = data.clone();
        part.shape[axis] = extent;
        part
    }))
}

fn equal_parts(
    call: &Call<'_>,
    data: &TensorType,
    axis: usize,
    whole: Option<i64>,
    sections: i64,
) -> Result<Vec<Dim>, Stop> {
    const MOST: i64 = 1 << 20;
    if !(1..=MOST).contains(&sections) {
        return Err(call.error(format!("cannot make {sections} parts")));
    }
    let part = match whole {
        None => Dim::Any,
        Some(whole) if whole % sections == 0 => Dim::Known(whole / sections),
        Some(whole) => {
            let what = format!(
                "cannot make {sections} equal parts of the {whole} elements along axis {axis} of {data}"
            );
            return Err(call.error_at(0, what));
        }
    };
    Ok(vec![part; sections as usize])
}

fn parts_at(
    call: &Call<'_>,
    data: &TensorType,
    axis: usize,
    whole: Option<i64>,
    indices: &[i64],
) -> Result<Vec<Dim>, Stop> {
    let mut begin = 0;
    let mut parts = Vec::with_capacity(indices.len() + 1);
    for &index in indices {
        if index <= begin || whole.is_some_and(|whole| index >= whole) {
            let what = format!(
                "cannot split {data} at {index} along axis {axis}: the indices must grow, and lie inside"
            );
            return Err(call.error_at(0, what));
        }
        parts.push(Dim::Known(index - begin));
        begin = index;
    }
    parts.push(whole.map_or(Dim::Any, |whole| Dim::Known(whole - begin)));
    Ok(parts)
}

pub(super) fn strided_slice(call: &Call<'_>) -> Outcome {
    let data = call.tensor(0)?;
    let slices = Slices::of(call.attrs, data.rank()).map_err(|what| call.error(what))?;
    let mut shape = data.shape.clone();
    for slice in &slices.0 {
        shape[slice.axis] = map(shape[slice.axis], |extent| slice.range(extent).count)?;
    }
    gives(TensorType::new(shape, data.dtype))
}

pub(super) fn dynamic_strided_slice(call: &Call<'_>) -> Outcome {
    let data = call.tensor(0)?;
    for index in 1..=3 {
        call.integers(index)?;
        call.ranked(index, 1)?;
    }
    let sliced = call.shape_length(1)?;
    if sliced > data.rank() {
        return Err(call.error_at(1, format!("cannot slice {sliced} axes of {data}")));
    }
    gives(TensorType::new(vec![Dim::Any; data.rank()], data.dtype))
}

pub(super) fn strided_set(call: &Call<'_>) -> Outcome {
    call.same_dtype(0, 1)?;
    gives(call.tensor(0)?.clone())
}

pub(super) fn slice_like(call: &Call<'_>) -> Outcome {
    let (data, like) = (call.tensor(0)?, call.tensor(1)?);
    let axes = match call.attrs.ints("axes") {
        Some(axes) if !axes.is_empty() => call.axes(&axes, data.rank())?,
        _ if data.rank() != like.rank() => {
            return Err(call.error_at(1, format!("needs the attribute 'axes' for {data} and {like}")));
        }
        _ => (0..data.rank()).collect(),
    };
    let mut shape = data.shape.clone();
    for axis in axes {
        let Some(&wanted) = like.shape.get(axis) else {
            return Err(call.error_at(1, format!("has axis {axis}, which {like} does not have")));
        };
        if let (Dim::Known(extent), Dim::Known(wanted)) = (shape[axis], wanted)
            && extent < wanted
        {
            return Err(call.error_at(
                1,
                format!("cannot slice {data} to {like}: axis {axis} has only {extent} elements"),
            ));
        }
        shape[axis] = wanted;
    }
    gives(TensorType::new(shape, data.dtype))
}

pub(super) fn sliding_window(call: &Call<'_>) -> Outcome {
    let data = call.tensor(0)?;
    let axis = call.axis_attr("axis", data.rank())?;
    let window = call.ints_of("window_shape", data.rank() - axis)?;
    let strides = call.ints_of("strides", window.len())?;
    let mut shape = data.shape[..axis].to_vec();
    for (index, (&size, &stride)) in window.iter().zip(&strides).enumerate() {
        if size < 1 || stride < 1 {
            return Err(call.error("needs windows and strides of at least 1"));
        }
        shape.push(map(data.shape[axis + index], |extent| ((extent - size) / stride + 1).max(0))?);
    }
    shape.extend(window.into_iter().map(Dim::Known));
    gives(TensorType::new(shape, data.dtype))
}

pub(super) fn tile(call: &Call<'_>) -> Outcome {
    let data = call.tensor(0)?;
    let reps = call.ints("reps")?;
    if let Some(times) = reps.iter().find(|&&times| times < 1) {
        return Err(call.error(format!("needs counts of at least 1 in 'reps', but one is {times}")));
    }
    let rank = data.rank().max(reps.len());
    let mut shape = vec![Dim::Known(1); rank - data.rank()];
    shape.extend(&data.shape);
    for (dim, times) in shape[rank - reps.len()..].iter_mut().zip(reps) {
        *dim = map(*dim, |extent| extent.saturating_mul(times))?;
    }
    gives(TensorType::new(shape, data.dtype))
}

pub(super) fn dynamic_tile(call: &Call<'_>) -> Outcome {
    let data = call.tensor(0)?;
    let rank = data.rank().max(unknown_shape(call, 1)?.len());
    gives(TensorType::new(vec![Dim::Any; rank], data.dtype))
}

pub(super) fn repeat(call: &Call<'_>) -> Outcome {
    let data = call.tensor(0)?;
    let axis = call.axis_attr("axis", data.rank())?;
    let times = call.int("repeats")?;
    if times < 1 {
        return Err(call.error(format!("needs 'repeats' of at least 1, but it is {times}")));
    }
    let mut shape = data.shape.clone();
    shape[axis] = map(shape[axis], |extent| extent.saturating_mul(times))?;
    gives(TensorType::new(shape, data.dtype))
}

pub(super) fn reverse(call: &Call<'_>) -> Outcome {
    let data = call.tensor(0)?;
    call.axis_attr("axis", data.rank())?;
    gives(data.clone())
}

pub(super) fn reverse_sequence(call: &Call<'_>) -> Outcome {
    let data = call.tensor(0)?;
    call.integers(1)?;
    let lengths = call.ranked(1, 1)?;
    let batch = call.axis_attr("batch_axis", data.rank())?;
    call.axis_attr("seq_axis", data.rank())?;
    merge(lengths.shape[0], data.shape[batch]).ok_or_else(|| {
        call.error_at(
            1,
            format!("needs a length for each of {data} along axis {batch}, but is given {lengths}"),
        )
    })?;
    gives(data.clone())
}
