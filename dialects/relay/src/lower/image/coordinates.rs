//! Coordinates of the data for those of a resized image, and their rounding to indices.

use crate::lower::extent::Extent;
use crate::lower::scalar::{self, Compare};
use crate::ty::DType;
use minoan_arith as arith;
use minoan_ir::{Builder, Value};
use minoan_math as math;

/// The rounding of coordinates to indices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rounding {
    HalfAway,
    HalfDown,
    HalfUp,
    Floor,
    Ceil,
}

/// The coordinates of the data for those of the result, as ONNX names them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Transform {
    HalfPixel,
    AlignCorners,
    Asymmetric,
    PytorchHalfPixel,
    TfHalfPixelForNn,
    TfCropAndResize,
}

/// A resized axis.
pub(super) struct Axis {
    pub(super) axis: usize,
    pub(super) from: Extent,
    pub(super) to: Extent,
    /// The region of interest: the first and the last coordinate, relative to the extent.
    pub(super) region: (Value, Value),
}

/// The element type of coordinates and of interpolation.
pub(super) fn precision(dtype: DType) -> DType {
    if dtype == DType::Float(64) { dtype } else { DType::F32 }
}

/// An `index` as a coordinate.
pub(super) fn coordinate(b: &mut Builder<'_>, index: Value, dtype: DType) -> Value {
    scalar::from_index(b, index, dtype)
}

/// A coordinate, already rounded, as an index; one far outside the data becomes one near it.
pub(super) fn to_index(b: &mut Builder<'_>, coordinate: Value, whole: Extent, dtype: DType) -> Value {
    let (low, high) = (scalar::constant(b, -4.0, dtype), whole.plus(b, Extent::Known(4)).value(b));
    let high = scalar::from_index(b, high, dtype);
    let bounded = arith::minimumf(b, coordinate, high);
    let bounded = arith::maximumf(b, bounded, low);
    scalar::to_index(b, bounded, dtype)
}

impl Rounding {
    /// The nearest whole coordinate. The tolerances for rounding down and up are TVM's.
    pub(super) fn apply(self, b: &mut Builder<'_>, at: Value, dtype: DType) -> Value {
        let moved = |b: &mut Builder<'_>, by: f64| {
            let by = scalar::constant(b, by, dtype);
            arith::addf(b, at, by)
        };
        match self {
            Rounding::HalfAway => math::round(b, at),
            Rounding::HalfDown => {
                let moved = moved(b, -0.5);
                math::ceil(b, moved)
            }
            Rounding::HalfUp => {
                let moved = moved(b, 0.5);
                math::floor(b, moved)
            }
            Rounding::Floor => {
                let moved = moved(b, 1e-5);
                math::floor(b, moved)
            }
            Rounding::Ceil => {
                let moved = moved(b, -1e-5);
                math::ceil(b, moved)
            }
        }
    }
}

impl Transform {
    pub(super) fn parse(name: &str) -> Result<Transform, String> {
        Ok(match name {
            "half_pixel" => Transform::HalfPixel,
            "align_corners" => Transform::AlignCorners,
            "asymmetric" => Transform::Asymmetric,
            "pytorch_half_pixel" => Transform::PytorchHalfPixel,
            "tf_half_pixel_for_nn" => Transform::TfHalfPixelForNn,
            "tf_crop_and_resize" => Transform::TfCropAndResize,
            _ => return Err(format!("its coordinate_transformation_mode is {name:?}")),
        })
    }

    /// The coordinate in the data of index `at` of the result.
    pub(super) fn apply(self, b: &mut Builder<'_>, at: Value, axis: &Axis, dtype: DType) -> Value {
        let extent = |b: &mut Builder<'_>, extent: Extent| {
            let extent = extent.value(b);
            scalar::from_index(b, extent, dtype)
        };
        let at = coordinate(b, at, dtype);
        let (from, to) = (extent(b, axis.from), extent(b, axis.to));
        let [zero, half, one] = [0.0, 0.5, 1.0].map(|number| scalar::constant(b, number, dtype));
        let several = scalar::compare(b, Compare::Gt, to, one, dtype);
        let centered = |b: &mut Builder<'_>, back: bool| {
            let scale = arith::divf(b, from, to);
            let center = arith::addf(b, at, half);
            let moved = arith::mulf(b, center, scale);
            if back { arith::subf(b, moved, half) } else { moved }
        };
        match self {
            Transform::HalfPixel => centered(b, true),
            Transform::TfHalfPixelForNn => centered(b, false),
            Transform::PytorchHalfPixel => {
                let centered = centered(b, true);
                arith::select(b, several, centered, zero)
            }
            Transform::Asymmetric => {
                let scale = arith::divf(b, from, to);
                arith::mulf(b, scale, at)
            }
            Transform::AlignCorners => {
                let (last, steps) = (arith::subf(b, from, one), arith::subf(b, to, one));
                let steps = arith::select(b, several, steps, one);
                let scale = arith::divf(b, last, steps);
                arith::mulf(b, scale, at)
            }
            Transform::TfCropAndResize => {
                let (first, end) = axis.region;
                region_coordinate(b, at, (from, to), (first, end), dtype)
            }
        }
    }
}

/// The coordinate of step `at` of `to` steps from `first` to `end`, which are relative to the extent `from`.
pub(super) fn region_coordinate(
    b: &mut Builder<'_>,
    at: Value,
    (from, to): (Value, Value),
    (first, end): (Value, Value),
    dtype: DType,
) -> Value {
    let [half, one] = [0.5, 1.0].map(|number| scalar::constant(b, number, dtype));
    let several = scalar::compare(b, Compare::Gt, to, one, dtype);
    let (last, steps) = (arith::subf(b, from, one), arith::subf(b, to, one));
    let steps = arith::select(b, several, steps, one);
    let (start, size) = (arith::mulf(b, first, last), arith::subf(b, end, first));
    let size = arith::mulf(b, size, last);
    let whole = arith::mulf(b, at, size);
    let offset = arith::divf(b, whole, steps);
    let along = arith::addf(b, start, offset);
    let both = arith::addf(b, first, end);
    let middle = arith::mulf(b, both, half);
    let middle = arith::mulf(b, middle, last);
    arith::select(b, several, along, middle)
}
