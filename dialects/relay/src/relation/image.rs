//! Type relations of image operators.

use super::call::{Call, Outcome, Stop, gives, map, merge};
use super::window::{Window, layout_attr, padding, per_axis};
use crate::layout::Layout;
use crate::ty::{Dim, TensorType};

const LETTERS: [&str; 3] = ["NCW", "NCHW", "NCDHW"];

/// An image with `axes` spatial axes, and its extents by letter.
fn image<'a>(call: &Call<'a>, axes: usize) -> Result<(&'a TensorType, Layout, Vec<Dim>), Stop> {
    let letters = LETTERS[axes - 1];
    let layout = layout_attr(call, "layout", letters)?;
    let data = call.ranked(0, layout.rank())?;
    let dims = layout.to_letters(&data.shape, letters);
    Ok((data, layout, dims))
}

/// Resizing to a size given by an attribute.
pub(super) fn resize<const AXES: usize>(call: &Call<'_>) -> Outcome {
    let (data, layout, mut dims) = image(call, AXES)?;
    let size = per_axis(call, "size", AXES)?;
    dims.truncate(2);
    dims.extend(size.into_iter().map(Dim::Known));
    gives(TensorType::new(
        layout.of_letters(&dims, LETTERS[AXES - 1]),
        call.dtype_or("out_dtype", data.dtype),
    ))
}

/// Resizing to a size given by an argument.
pub(super) fn dynamic_resize(call: &Call<'_>) -> Outcome {
    let (data, layout, mut dims) = image(call, 2)?;
    call.ranked(1, 1)?;
    dims[2..].fill(Dim::Any);
    gives(TensorType::new(layout.of_letters(&dims, "NCHW"), call.dtype_or("out_dtype", data.dtype)))
}

const SCALES: [&str; 3] = ["scale_d", "scale_h", "scale_w"];

pub(super) fn upsampling<const AXES: usize>(call: &Call<'_>) -> Outcome {
    let (data, layout, mut dims) = image(call, AXES)?;
    for (index, name) in SCALES[3 - AXES..].iter().enumerate() {
        let scale = call.attrs.float(name).unwrap_or(1.0);
        dims[index + 2] = map(dims[index + 2], |extent| (extent as f64 * scale).round_ties_even() as i64)?;
    }
    gives(TensorType::new(layout.of_letters(&dims, LETTERS[AXES - 1]), data.dtype))
}

/// Upsampling by scales given by arguments.
pub(super) fn dynamic_upsampling<const AXES: usize>(call: &Call<'_>) -> Outcome {
    let (data, layout, mut dims) = image(call, AXES)?;
    (1..=AXES).try_for_each(|index| call.ranked(index, 0).map(|_| ()))?;
    dims[2..].fill(Dim::Any);
    gives(TensorType::new(layout.of_letters(&dims, LETTERS[AXES - 1]), data.dtype))
}

/// Crops and resizes a part of an image for each box.
pub(super) fn crop_and_resize(call: &Call<'_>) -> Outcome {
    let (data, layout, dims) = image(call, 2)?;
    let boxes = call.ranked(1, 2)?;
    call.integers(2)?;
    call.ranked(2, 1)?;
    let size = per_axis(call, "crop_size", 2)?;
    let dims = [boxes.shape[0], dims[1], Dim::Known(size[0]), Dim::Known(size[1])];
    gives(TensorType::new(layout.of_letters(&dims, "NCHW"), call.dtype_or("out_dtype", data.dtype)))
}

/// Morphological dilation.
pub(super) fn dilation2d(call: &Call<'_>) -> Outcome {
    let layout = layout_attr(call, "data_layout", "NCHW")?;
    let kernel_layout = layout_attr(call, "kernel_layout", "IHW")?;
    let (data, kernel) = (call.ranked(0, layout.rank())?, call.ranked(1, kernel_layout.rank())?);
    let mut dims = layout.to_letters(&data.shape, "NCHW");
    let kernel_dims = kernel_layout.to_letters(&kernel.shape, "IHW");
    if merge(dims[1], kernel_dims[0]).is_none() {
        let what = format!("needs a kernel of {} channels for {data}, but is given {kernel}", dims[1]);
        return Err(call.error_at(1, what));
    }
    let (strides, dilations) = (per_axis(call, "strides", 2)?, per_axis(call, "dilations", 2)?);
    let padding = padding(call, 2)?;
    for axis in 0..2 {
        let (size, stride) = (kernel_dims[axis + 1], strides[axis]);
        let window =
            Window { size, stride, dilation: dilations[axis], padding: padding[axis], ceil_mode: false };
        dims[axis + 2] = window.places(call, dims[axis + 2])?;
    }
    gives(TensorType::new(layout.of_letters(&dims, "NCHW"), call.dtype_or("out_dtype", data.dtype)))
}

/// Sampling at positions given by a grid, whose axis 1 enumerates the coordinates.
pub(super) fn grid_sample(call: &Call<'_>) -> Outcome {
    let axes = if call.text("layout").len() == 5 { 3 } else { 2 };
    let (data, layout, dims) = image(call, axes)?;
    let grid = call.ranked(1, axes + 2)?;
    if merge(grid.shape[1], Dim::Known(axes as i64)).is_none() {
        return Err(call.error_at(1, format!("needs a grid of {axes} coordinates, but is given {grid}")));
    }
    let dims = [&dims[..2], &grid.shape[2..]].concat();
    gives(TensorType::new(layout.of_letters(&dims, LETTERS[axes - 1]), data.dtype))
}

pub(super) fn affine_grid(call: &Call<'_>) -> Outcome {
    let data = call.ranked(0, 3)?;
    let size = call.ints_of("target_shape", 2)?;
    let shape = [data.shape[0], Dim::Known(2), Dim::Known(size[0]), Dim::Known(size[1])];
    gives(TensorType::new(shape, data.dtype))
}
