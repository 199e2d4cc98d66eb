//! Operators on integers that need more than their operands: weighted means, products by weights, and bounds.

use super::{
    Affine, CHANNELS, constant_number, dequantized, is_zeros, requantized, text, with_one_scale, zero_point,
};
use crate::attrs::{AttrValue, Attrs};
use crate::transform::scale::number;
use crate::transform::{apply, apply_with, attrs, static_type};
use crate::ty::DType;
use minoan_ir::{Op, OpRef};
use minoan_rewrite::Rewriter;

/// The form on integers of an operator that moves elements, or computes means of them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// The same operator.
    Same,
    /// Weighted means, to which the real number 0 may contribute: the operator is applied to differences from the zero point,
    /// with binary places after the point.
    Weighted,
    Neither,
}

/// The largest window for which sums of elements with [`PLACES`] do not overflow.
const MAX_WINDOW: i64 = 1 << 13;

/// The factor of integers with places after the point.
const PLACES: i32 = 1 << 8;

pub(super) fn form(op: OpRef<'_>) -> Option<Form> {
    let given = attrs(op)?;
    let fits = |fits: bool| if fits { Form::Weighted } else { Form::Neither };
    Some(match op.name() {
        "relay.image.resize2d" | "relay.nn.upsampling"
            if given.text("method") == Some("nearest_neighbor") =>
        {
            Form::Same
        }
        // Outside of the region, elements have a value of their own.
        "relay.image.resize2d" | "relay.nn.upsampling" => {
            fits(given.text("coordinate_transformation_mode") != Some("tf_crop_and_resize"))
        }
        "relay.topk" if given.text("ret_type") != Some("values") => Form::Neither,
        // The zeros around the image would not be the quantized ones.
        _ if given.flag("count_include_pad") && !is_zeros(&given, "padding") => {
            fits(given.ints("pool_size")?.iter().product::<i64>() <= MAX_WINDOW)
        }
        _ => Form::Same,
    })
}

/// Creates an operator that computes weighted means, on differences from the zero point with places after the point.
pub(super) fn weighted(rw: &mut Rewriter<'_>, op: Op, first: Affine, out: Affine) -> Option<Affine> {
    let name = rw.op(op).name().strip_prefix("relay.")?.to_owned();
    let given = attrs(rw.op(op))?;
    let b = &mut rw.builder();
    // Sums have no room for more places.
    let data = if first.dtype == DType::I32 { requantized(b, first, out)? } else { first };
    let data = with_one_scale(b, data, out)?;
    if data.dtype.bits() > 8 {
        return None;
    }
    let wide = apply(b, "cast", &[data.value], [("dtype", text(DType::I32))])?;
    let moved = apply(b, "subtract", &[wide, data.zero], [])?;
    let places = zero_point(b, PLACES);
    let finer = apply(b, "multiply", &[moved, places], [])?;
    let value = apply_with(b, &name, &[finer], &given)?;
    let step = number(b, DType::F32, 1.0 / f64::from(PLACES))?;
    let scale = apply(b, "multiply", &[data.scale, step], [])?;
    Some(Affine { value, scale, zero: zero_point(b, 0), dtype: DType::I32, axis: None })
}

/// Creates a quantized convolution or dense layer. Missing attributes are set to the extents of the weight.
pub(super) fn product(
    op: Op,
    quantized: &str,
    first: Affine,
    out: Affine,
    mut given: Attrs,
    rw: &mut Rewriter<'_>,
) -> Option<Affine> {
    let weight = dequantized(rw, rw.op(op).operand(1))?;
    let (_, shape) = static_type(rw, weight.value)?;
    given.set("out_dtype", text(DType::I32));
    let is_absent = |name: &str| matches!(given.get(name), None | Some(AttrValue::None));
    let absent: Vec<&str> =
        ["kernel_size", "channels", "units"].into_iter().filter(|name| is_absent(name)).collect();
    if quantized == "qnn.conv2d" && given.text("kernel_layout") == Some("OIHW") {
        let found = [("kernel_size", AttrValue::ints(&shape[2..])), ("channels", AttrValue::Int(shape[0]))];
        found
            .into_iter()
            .filter(|(name, _)| absent.contains(name))
            .for_each(|(name, value)| _ = given.set(name, value));
    } else if quantized == "qnn.conv2d_transpose" && given.text("kernel_layout") == Some("IOHW") {
        let channels = AttrValue::Int(shape[1] * given.int("groups").unwrap_or(1));
        let found = [("kernel_size", AttrValue::ints(&shape[2..])), ("channels", channels)];
        found
            .into_iter()
            .filter(|(name, _)| absent.contains(name))
            .for_each(|(name, value)| _ = given.set(name, value));
    } else if quantized == "qnn.dense" && absent.contains(&"units") {
        given.set("units", AttrValue::Int(shape[0]));
    }
    let b = &mut rw.builder();
    // Sums are too wide to be multiplied.
    let data = if first.dtype == DType::I32 { requantized(b, first, out)? } else { first };
    let data = with_one_scale(b, data, out)?;
    let args = [data.value, weight.value, data.zero, weight.zero, data.scale, weight.scale];
    let value = apply_with(b, quantized, &args, &given)?;
    let scale = apply(b, "multiply", &[data.scale, weight.scale], [])?;
    let axis = weight.axis.map(|_| CHANNELS);
    Some(Affine { value, scale, zero: zero_point(b, 0), dtype: DType::I32, axis })
}

/// Creates a `clip` with integer bounds.
pub(super) fn clip(
    first: Affine,
    (out, step, offset): (Affine, f64, f64),
    mut given: Attrs,
    rw: &mut Rewriter<'_>,
) -> Option<Affine> {
    let known = constant_number(rw, first.scale).zip(constant_number(rw, first.zero));
    let known = known.filter(|_| first.axis.is_none());
    let (step, offset) = known.unwrap_or((step, offset));
    let b = &mut rw.builder();
    let data = if known.is_some() { first } else { requantized(b, first, out)? };
    for bound in ["a_min", "a_max"] {
        let bits = i32::from(data.dtype.bits());
        let (least, most) = match data.dtype {
            DType::Int(_) => (-(2f64.powi(bits - 1)), 2f64.powi(bits - 1) - 1.0),
            _ => (0.0, 2f64.powi(bits) - 1.0),
        };
        let integer = (given.float(bound)? / step).round() + offset;
        given.set(bound, AttrValue::Float(integer.clamp(least, most)));
    }
    Some(Affine { value: apply_with(b, "clip", &[data.value], &given)?, ..data })
}
