//! Type relations of pooling.

use super::call::{Call, Outcome, Stop, gives};
use super::window::{Window, padding, per_axis};
use crate::layout::Layout;
use crate::ty::{Dim, TensorType};

/// The data, and the positions of its spatial axes.
fn data<'a>(call: &Call<'a>, axes: usize) -> Result<(&'a TensorType, Vec<usize>), Stop> {
    let letters = &"DHW"[3 - axes..];
    let text = call.text("layout");
    let layout = Layout::parse(text).filter(|layout| {
        letters.chars().all(|letter| layout.position(letter).is_some() && !layout.is_split(letter))
    });
    let Some(layout) = layout else {
        return Err(call.error(format!("needs a layout with the whole axes {letters}, but it is {text:?}")));
    };
    let tensor = call.ranked(0, layout.rank())?;
    Ok((tensor, letters.chars().filter_map(|letter| layout.position(letter)).collect()))
}

pub(super) fn pool<const AXES: usize>(call: &Call<'_>) -> Outcome {
    let (data, positions) = data(call, AXES)?;
    let each = |name: &str| per_axis(call, name, AXES);
    let (sizes, strides, dilation) = (each("pool_size")?, each("strides")?, each("dilation")?);
    let padding = padding(call, AXES)?;
    let mut shape = data.shape.clone();
    for (index, axis) in positions.into_iter().enumerate() {
        let window = Window {
            size: Dim::Known(sizes[index]),
            stride: strides[index],
            dilation: dilation[index],
            padding: padding[index],
            ceil_mode: call.attrs.flag("ceil_mode"),
        };
        shape[axis] = window.places(call, shape[axis])?;
    }
    gives(TensorType::new(shape, data.dtype))
}

pub(super) fn global<const AXES: usize>(call: &Call<'_>) -> Outcome {
    let (data, positions) = data(call, AXES)?;
    let mut shape = data.shape.clone();
    positions.into_iter().for_each(|axis| shape[axis] = Dim::Known(1));
    gives(TensorType::new(shape, data.dtype))
}

/// Pooling to a given output size, which determines the windows.
pub(super) fn adaptive<const AXES: usize>(call: &Call<'_>) -> Outcome {
    let (data, positions) = data(call, AXES)?;
    let mut shape = data.shape.clone();
    if !call.ints("output_size")?.is_empty() {
        let sizes = per_axis(call, "output_size", AXES)?;
        positions.into_iter().zip(sizes).for_each(|(axis, size)| shape[axis] = Dim::Known(size));
    }
    gives(TensorType::new(shape, data.dtype))
}

/// The gradient has the type of the data, argument 1; the names in the table suggest another order.
pub(super) fn gradient(call: &Call<'_>) -> Outcome {
    call.same_dtype(0, 1)?;
    data(call, 2)?;
    gives(call.tensor(1)?.clone())
}
