//! Type relations of the operators for the Ethos-U accelerator.

use super::call::{Call, Outcome, Stop, extent, gives, map};
use super::pointwise::{Clash, join};
use super::window::{Window, padding, per_axis};
use crate::ty::{DType, Dim, TensorType};

/// The image in the order height, width, channels, regardless of its layout; `None` if unknown.
fn nhwc(call: &Call<'_>, index: usize, layout: &str, channels: i64) -> Result<[Dim; 4], Stop> {
    match layout {
        "NHWC" => {
            let shape = &call.ranked(index, 4)?.shape;
            Ok([shape[0], shape[1], shape[2], shape[3]])
        }
        // Channels in blocks of 16.
        "NHCWB16" => {
            let shape = &call.ranked(index, 5)?.shape;
            Ok([shape[0], shape[1], shape[3], Dim::Known(channels)])
        }
        other => Err(call.error(format!("needs the layout NHWC or NHCWB16, but it is {other:?}"))),
    }
}

/// The type of the accelerator's result in its layout.
fn in_layout(call: &Call<'_>, dims: [Dim; 4], dtype: DType) -> Outcome {
    let [batch, height, width, channels] = dims;
    if call.text("ofm_layout") != "NHCWB16" {
        return gives(TensorType::new(dims, dtype));
    }
    let bricks = map(channels, |channels| (channels + 15) / 16)?;
    gives(TensorType::new([batch, height, bricks, width, Dim::Known(16)], dtype))
}

/// The extents of the accelerator's output for an image.
fn moved(call: &Call<'_>, dims: [Dim; 4], size: &str, channels: Dim) -> Result<[Dim; 4], Stop> {
    let size = call.ints_of(size, 2)?;
    let strides = per_axis(call, "strides", 2)?;
    let padding = padding(call, 2)?;
    let dilation = call.attrs.ints("dilation").unwrap_or_else(|| vec![1, 1]);
    let upscale = if call.text("upscale") == "NONE" { 1 } else { 2 };
    let mut moved = dims;
    for axis in 0..2 {
        let window = Window {
            size: Dim::Known(size[axis]),
            stride: strides[axis],
            dilation: dilation.get(axis).copied().unwrap_or(1),
            padding: padding[axis],
            ceil_mode: false,
        };
        let whole = extent(dims[axis + 1])?.map_or(Dim::Any, |extent| Dim::Known(extent * upscale));
        moved[axis + 1] = window.places(call, whole)?;
    }
    moved[3] = channels;
    Ok(moved)
}

/// The accelerator's convolutions and pooling: `size` is the attribute with the window size.
fn windowed(call: &Call<'_>, size: &str) -> Outcome {
    let channels = call.attrs.int("ofm_channels");
    let dims = nhwc(call, 0, call.text("ifm_layout"), channels.unwrap_or(0))?;
    let moved = moved(call, dims, size, channels.map_or(dims[3], Dim::Known))?;
    in_layout(call, moved, call.dtype_or("ofm_dtype", call.tensor(0)?.dtype))
}

pub(super) fn conv(call: &Call<'_>) -> Outcome {
    windowed(call, "kernel_shape")
}

pub(super) fn pool(call: &Call<'_>) -> Outcome {
    windowed(call, "pool_shape")
}

pub(super) fn unary(call: &Call<'_>) -> Outcome {
    let channels = call.int("ofm_channels")?;
    let [batch, height, width, _] = nhwc(call, 0, call.text("ifm_layout"), channels)?;
    in_layout(call, [batch, height, width, Dim::Known(channels)], call.tensor(0)?.dtype)
}

pub(super) fn binary(call: &Call<'_>) -> Outcome {
    let first = nhwc(call, 0, call.text("ifm_layout"), call.int("ifm_channels")?)?;
    let second = nhwc(call, 1, call.text("ifm2_layout"), call.int("ifm2_channels")?)?;
    let joined = join(&first, &second).map_err(|clash| match clash {
        Clash::Stuck => Stop::Stuck,
        Clash::Extents(a, b) => {
            call.error_at(1, format!("cannot broadcast its arguments: {a} is neither {b} nor 1"))
        }
    })?;
    let dims = [joined[0], joined[1], joined[2], joined[3]];
    in_layout(call, dims, call.dtype_or("ofm_dtype", call.tensor(0)?.dtype))
}
