//! Type relations of normalization, padding, losses, and other neural network operators that mostly preserve the
//! shape.

use super::call::{Call, Outcome, Stop, gives, gives_tuple, map, merge, product};
use super::index::one_of;
use super::window::layout_attr;
use crate::ty::{Dim, TensorType, Type};

pub(super) fn softmax(call: &Call<'_>) -> Outcome {
    let data = call.tensor(0)?;
    call.axis_attr("axis", data.rank())?;
    gives(data.clone())
}

/// The type of an argument that has one element for each position along an axis; the given type must agree.
fn along(call: &Call<'_>, index: usize, axis: usize) -> Result<TensorType, Stop> {
    let data = call.tensor(0)?;
    let wanted = TensorType::new([data.shape[axis]], data.dtype);
    let Some(given) = call.maybe_tensor(index)? else { return Ok(wanted) };
    let merged = match given.shape[..] {
        [extent] if given.dtype == data.dtype => merge(wanted.shape[0], extent),
        _ => None,
    };
    let Some(extent) = merged else {
        let what = format!(
            "needs {wanted} as {}, one element for each along axis {axis} of {data}, but is given {given}",
            call.arg_name(index)
        );
        return Err(call.error_at(index, what));
    };
    Ok(TensorType::new([extent], data.dtype))
}

/// The type of the data, for operators with arguments that have one element for each position along an axis.
fn scaled(call: &Call<'_>) -> Outcome {
    let data = call.tensor(0)?;
    let axis = call.axis_attr("axis", data.rank())?;
    let mut solved = gives(data.clone())?;
    for index in 1..call.args.len() {
        solved = solved.with(index, along(call, index, axis)?);
    }
    Ok(solved)
}

pub(super) fn bias_add(call: &Call<'_>) -> Outcome {
    scaled(call)
}

/// `nn.layer_norm`, `nn.instance_norm`.
pub(super) fn layer_norm(call: &Call<'_>) -> Outcome {
    scaled(call)
}

pub(super) fn group_norm(call: &Call<'_>) -> Outcome {
    let data = call.tensor(0)?;
    let (axis, groups) = (call.axis_attr("axis", data.rank())?, call.int("num_groups")?);
    if let Dim::Known(channels) = data.shape[axis]
        && (groups < 1 || channels % groups != 0)
    {
        return Err(call.error(format!(
            "cannot put the {channels} elements along axis {axis} of {data} into {groups} groups"
        )));
    }
    scaled(call)
}

pub(super) fn prelu(call: &Call<'_>) -> Outcome {
    scaled(call)
}

/// The normalized data, and the running mean and variance.
pub(super) fn batch_norm(call: &Call<'_>) -> Outcome {
    let mut solved = scaled(call)?;
    let kept: Vec<Type> = solved.args[2..].iter().map(|(_, ty)| ty.clone()).collect();
    solved.result = Type::Tuple([vec![solved.result], kept].concat());
    Ok(solved)
}

/// The data, and the mask of kept elements.
pub(super) fn dropout(call: &Call<'_>) -> Outcome {
    let data = call.tensor(0)?;
    gives_tuple([data.clone(), data.clone()])
}

/// The padding widths of each axis.
fn pad_widths(call: &Call<'_>, name: &str, rank: usize) -> Result<Vec<(i64, i64)>, Stop> {
    let Some(crate::attrs::AttrValue::List(items)) = call.attrs.get(name) else {
        return Err(call.error(format!("needs the attribute '{name}': a list of lists of integers")));
    };
    if items.len() != rank {
        return Err(call.error(format!("needs {rank} pairs in '{name}', but there are {}", items.len())));
    }
    let pair = |item: &crate::attrs::AttrValue| match item.as_ints()?[..] {
        [before, after] => Some((before, after)),
        _ => None,
    };
    let pairs = items.iter().map(pair).collect::<Option<_>>();
    pairs.ok_or_else(|| call.error(format!("needs pairs of numbers in '{name}'")))
}

fn padded(call: &Call<'_>, name: &str) -> Outcome {
    let data = call.tensor(0)?;
    let widths = pad_widths(call, name, data.rank())?;
    let mut shape = Vec::with_capacity(widths.len());
    for (&dim, (before, after)) in data.shape.iter().zip(widths) {
        let dim = map(dim, |extent| extent.saturating_add(before).saturating_add(after))?;
        if dim.known().is_some_and(|extent| extent < 0) {
            return Err(call.error_at(0, format!("cannot take more elements from {data} than there are")));
        }
        shape.push(dim);
    }
    gives(TensorType::new(shape, data.dtype))
}

pub(super) fn pad(call: &Call<'_>) -> Outcome {
    call.ranked(1, 0)?;
    one_of(call, "pad_mode", &["constant", "edge", "reflect"])?;
    padded(call, "pad_width")
}

pub(super) fn mirror_pad(call: &Call<'_>) -> Outcome {
    one_of(call, "mode", &["SYMMETRIC", "REFLECT"])?;
    padded(call, "pad_width")
}

/// Padding by widths given by an argument: only the rank is known.
pub(super) fn dynamic_pad(call: &Call<'_>) -> Outcome {
    let data = call.tensor(0)?;
    call.ranked(1, 2)?;
    call.ranked(2, 0)?;
    gives(TensorType::new(vec![Dim::Any; data.rank()], data.dtype))
}

/// Moves spatial blocks to channels, or vice versa.
fn blocks(call: &Call<'_>, to_space: bool) -> Outcome {
    let layout = layout_attr(call, "layout", "NCHW")?;
    let data = call.ranked(0, layout.rank())?;
    let block = call.int("block_size")?;
    let Some(square) = block.checked_mul(block).filter(|_| block >= 1) else {
        return Err(call.error(format!("needs a block_size of at least 1, but it is {block}")));
    };
    // TVM's documentation names the second one "CDR", and its importer of ONNX "CRD".
    one_of(call, "mode", &["DCR", "CDR", "CRD"])?;
    let dims = layout.to_letters(&data.shape, "NCHW");
    let (more, less) =
        (|dim, by| map(dim, |n: i64| n.saturating_mul(by)), |dim, by| map(dim, |n: i64| n / by));
    let dims = if to_space {
        [dims[0], less(dims[1], square)?, more(dims[2], block)?, more(dims[3], block)?]
    } else {
        [dims[0], more(dims[1], square)?, less(dims[2], block)?, less(dims[3], block)?]
    };
    gives(TensorType::new(layout.of_letters(&dims, "NCHW"), data.dtype))
}

pub(super) fn depth_to_space(call: &Call<'_>) -> Outcome {
    blocks(call, true)
}

pub(super) fn space_to_depth(call: &Call<'_>) -> Outcome {
    blocks(call, false)
}

/// Moves spatial blocks to batches.
pub(super) fn space_to_batch(call: &Call<'_>) -> Outcome {
    let data = call.tensor(0)?;
    let block = call.ints("block_shape")?;
    check_blocks(call, data, &block)?;
    let paddings = pad_widths(call, "paddings", block.len())?;
    let mut shape = data.shape.clone();
    for (index, (&size, (before, after))) in block.iter().zip(paddings).enumerate() {
        shape[0] = map(shape[0], |batch| batch.saturating_mul(size))?;
        shape[index + 1] = map(shape[index + 1], |extent| (extent + before + after) / size)?;
    }
    gives(TensorType::new(shape, data.dtype))
}

pub(super) fn batch_to_space(call: &Call<'_>) -> Outcome {
    let data = call.tensor(0)?;
    let block = call.ints("block_shape")?;
    check_blocks(call, data, &block)?;
    let crops = pad_widths(call, "crops", block.len())?;
    let mut shape = data.shape.clone();
    for (index, (&size, (before, after))) in block.iter().zip(crops).enumerate() {
        shape[0] = map(shape[0], |batch| batch / size)?;
        shape[index + 1] =
            map(shape[index + 1], |extent| (extent.saturating_mul(size) - before - after).max(0))?;
    }
    gives(TensorType::new(shape, data.dtype))
}

fn check_blocks(call: &Call<'_>, data: &TensorType, block: &[i64]) -> Result<(), Stop> {
    if block.len() >= data.rank() || block.iter().any(|&size| size < 1) {
        return Err(call.error(format!("cannot divide {data} into blocks {block:?}")));
    }
    Ok(())
}

/// A buffer with the data appended at its end.
pub(super) fn fifo_buffer(call: &Call<'_>) -> Outcome {
    call.same_dtype(0, 1)?;
    let (data, buffer) = (call.tensor(0)?, call.tensor(1)?);
    call.axis_attr("axis", buffer.rank())?;
    if data.rank() != buffer.rank() {
        return Err(
            call.error_at(1, format!("needs data and buffer of one rank, but they are {data} and {buffer}"))
        );
    }
    gives(buffer.clone())
}

pub(super) fn nll_loss(call: &Call<'_>) -> Outcome {
    let (predictions, targets) = (call.tensor(0)?, call.integers(1)?);
    one_of(call, "reduction", &["mean", "sum", "none"])?;
    if predictions.rank() != targets.rank() + 1 {
        let what = format!("needs targets with one axis less than {predictions}, but is given {targets}");
        return Err(call.error_at(1, what));
    }
    let shape = if call.text("reduction") == "none" { targets.shape.clone() } else { Vec::new() };
    gives(TensorType::new(shape, predictions.dtype))
}

pub(super) fn cross_entropy(call: &Call<'_>) -> Outcome {
    let dtype = call.same_dtype(0, 1)?;
    let (x, y) = (call.ranked(0, 2)?, call.ranked(1, 2)?);
    if (0..2).any(|axis| merge(x.shape[axis], y.shape[axis]).is_none()) {
        return Err(call.error_at(1, format!("needs two tensors of one shape, but they are {x} and {y}")));
    }
    gives(TensorType::scalar(dtype))
}

/// Inserts elements between those of the data.
pub(super) fn dilate(call: &Call<'_>) -> Outcome {
    let data = call.tensor(0)?;
    let strides = call.ints_of("strides", data.rank())?;
    let mut shape = Vec::with_capacity(strides.len());
    for (&dim, stride) in data.shape.iter().zip(strides) {
        shape.push(map(dim, |extent| {
            if extent == 0 { 0 } else { (extent - 1).saturating_mul(stride).saturating_add(1) }
        })?);
    }
    gives(TensorType::new(shape, data.dtype))
}

/// Moves blocks of rows and columns to channels; the division of channels may have a remainder.
pub(super) fn yolo_reorg(call: &Call<'_>) -> Outcome {
    let data = call.ranked(0, 4)?;
    let stride = call.int("stride")?;
    if stride < 1 {
        return Err(call.error(format!("needs a stride of at least 1, but it is {stride}")));
    }
    let less = |dim| map(dim, |extent| extent / stride);
    let channels = product(&[data.shape[1], Dim::Known(stride), Dim::Known(stride)])?;
    gives(TensorType::new([data.shape[0], channels, less(data.shape[2])?, less(data.shape[3])?], data.dtype))
}
