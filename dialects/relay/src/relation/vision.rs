//! Type relations of operators on bounding boxes and random numbers.

use super::call::{Call, Outcome, Stop, gives, gives_tuple, product};
use super::index::one_of;
use super::window::per_axis;
use crate::attrs::AttrValue;
use crate::layout::Layout;
use crate::ty::{DType, Dim, TensorType};

fn list_length(call: &Call<'_>, name: &str) -> i64 {
    match call.attrs.get(name) {
        Some(AttrValue::List(items)) => items.len() as i64,
        _ => 0,
    }
}

/// Boxes of several sizes and ratios around each position.
pub(super) fn multibox_prior(call: &Call<'_>) -> Outcome {
    let data = call.ranked(0, 4)?;
    let each = list_length(call, "sizes") + list_length(call, "ratios") - 1;
    let boxes = product(&[data.shape[2], data.shape[3], Dim::Known(each.max(0))])?;
    gives(TensorType::new([Dim::Known(1), boxes, Dim::Known(4)], data.dtype))
}

pub(super) fn multibox_transform(call: &Call<'_>) -> Outcome {
    let classes = call.ranked(0, 3)?;
    call.ranked(1, 2)?;
    call.ranked(2, 3)?;
    let boxes = TensorType::new([classes.shape[0], classes.shape[2], Dim::Known(6)], classes.dtype);
    gives_tuple([boxes, TensorType::new([classes.shape[0]], DType::I32)])
}

pub(super) fn valid_counts(call: &Call<'_>) -> Outcome {
    let data = call.ranked(0, 3)?;
    let of = |axes: usize| TensorType::new(data.shape[..axes].to_vec(), DType::I32);
    gives_tuple([of(1), data.clone(), of(2)])
}

pub(super) fn suppress(call: &Call<'_>) -> Outcome {
    let data = call.ranked(0, 3)?;
    call.ranked(1, 1)?;
    call.ranked(2, 2)?;
    if !call.attrs.flag("return_indices") {
        return gives(data.clone());
    }
    let of = |count: Dim| TensorType::new([data.shape[0], count], DType::I32);
    gives_tuple([of(data.shape[1]), of(Dim::Known(1))])
}

pub(super) fn suppress_by_class(call: &Call<'_>) -> Outcome {
    call.ranked(0, 3)?;
    let scores = call.ranked(1, 3)?;
    one_of(call, "output_format", &["onnx", "tensorflow"])?;
    let batch = call.same_extent((0, 0), (1, 0))?;
    let count = call.same_extent((0, 1), (1, 2))?;
    let classes = scores.shape[1];
    if call.text("output_format") == "onnx" {
        let all = product(&[batch, classes, count])?;
        let chosen = TensorType::new([all, Dim::Known(3)], DType::I64);
        return gives_tuple([chosen, TensorType::new([Dim::Known(1)], DType::I64)]);
    }
    let all = product(&[classes, count])?;
    gives_tuple([
        TensorType::new([batch, all, Dim::Known(2)], DType::I64),
        TensorType::new([batch, all], DType::F32),
        TensorType::new([batch], DType::I64),
    ])
}

pub(super) fn suppress_regular(call: &Call<'_>) -> Outcome {
    let boxes = call.ranked(0, 3)?;
    call.ranked(1, 3)?;
    let (batch, most) = (boxes.shape[0], Dim::Known(call.int("max_detections")?));
    let of = |shape: &[Dim]| TensorType::new(shape.to_vec(), boxes.dtype);
    gives_tuple([of(&[batch, most, Dim::Known(4)]), of(&[batch, most]), of(&[batch, most]), of(&[batch])])
}

/// A region of the image for each region of interest.
pub(super) fn regions(call: &Call<'_>) -> Outcome {
    let Some(layout) = Layout::of(call.text("layout"), "NCHW") else {
        return Err(
            call.error(format!("needs a layout of the axes NCHW, but it is {:?}", call.text("layout")))
        );
    };
    let (data, rois) = (call.ranked(0, layout.rank())?, call.ranked(1, 2)?);
    let size = per_axis(call, "pooled_size", 2)?;
    let channels = layout.to_letters(&data.shape, "NCHW")[1];
    let dims = [rois.shape[0], channels, Dim::Known(size[0]), Dim::Known(size[1])];
    gives(TensorType::new(layout.of_letters(&dims, "NCHW"), data.dtype))
}

pub(super) fn proposal(call: &Call<'_>) -> Outcome {
    let scores = call.ranked(0, 4)?;
    call.ranked(1, 4)?;
    let boxes = product(&[scores.shape[0], Dim::Known(call.int("rpn_post_nms_top_n")?)])?;
    gives(TensorType::new([boxes, Dim::Known(5)], scores.dtype))
}

/// The state of a random number generator: ten integers.
fn key() -> TensorType {
    TensorType::new([Dim::Known(10)], DType::UInt(64))
}

fn check_key(call: &Call<'_>) -> Result<(), Stop> {
    let given = call.maybe_tensor(0)?;
    match given.filter(|given| **given != key()) {
        None => Ok(()),
        Some(given) => Err(call.error_at(0, format!("needs a key {}, but is given {given}", key()))),
    }
}

pub(super) fn generate(call: &Call<'_>) -> Outcome {
    check_key(call)?;
    gives_tuple([key(), TensorType::new(call.shape("out_shape")?, DType::UInt(64))])
}

pub(super) fn split_key(call: &Call<'_>) -> Outcome {
    check_key(call)?;
    gives_tuple([key(), key()])
}

/// `random.uniform`, `random.normal`.
pub(super) fn distribution(call: &Call<'_>) -> Outcome {
    check_key(call)?;
    let dtype = call.dtype_or("out_dtype", DType::F32);
    if !dtype.is_float() {
        return Err(call.error(format!("needs a floating-point type as 'out_dtype', but it is {dtype}")));
    }
    gives_tuple([key(), TensorType::new(call.shape("out_shape")?, dtype)])
}

pub(super) fn multinomial(call: &Call<'_>) -> Outcome {
    check_key(call)?;
    let probabilities = call.tensor(1)?;
    let Some((_, rest)) = probabilities.shape.split_last() else {
        return Err(call.error_at(1, "needs probabilities with an axis, but is given a number"));
    };
    let shape = [rest, &[Dim::Known(call.int("num_samples")?)]].concat();
    gives_tuple([key(), TensorType::new(shape, DType::I32)])
}
