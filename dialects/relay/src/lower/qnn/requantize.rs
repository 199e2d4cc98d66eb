//! Lowering of conversions between real numbers and quantized ones, and between scales.

use super::fixed_point::{Half, decomposed, multiplied};
use crate::lower::broadcast::combine;
use crate::lower::scalar;
use crate::lower::site::{Site, Tensor};
use crate::lower::{Lowered, Rule};
use crate::ty::DType;
use minoan_arith as arith;
use minoan_ir::{Builder, Value};
use minoan_math as math;

pub(super) fn rule(name: &str) -> Option<Rule> {
    Some(match name {
        "qnn.quantize" => |site, b| {
            let (data, axis) = (site.arg(0), site.last_or_axis("axis", 0));
            Ok(vec![site.quantized(b, data, axis, (site.arg(1), site.arg(2)), site.result().dtype)])
        },
        "qnn.dequantize" => |site, b| {
            let (data, axis) = (site.arg(0), site.last_or_axis("axis", 0));
            Ok(vec![site.dequantized(b, data, axis, (site.arg(1), site.arg(2)), site.result().dtype)])
        },
        "qnn.requantize" => |site, b| {
            let how = Requantize::of(site)?;
            let (data, axis) = (site.arg(0), site.last_or_axis("axis", 0));
            let (from, to) = ((site.arg(1), site.arg(2)), (site.arg(3), site.arg(4)));
            Ok(vec![how.run(b, site, (data, axis), from, to, site.result().dtype)])
        },
        "qnn.simulated_quantize" => |site, b| site.simulated_quantize(b),
        "qnn.simulated_dequantize" => |site, b| site.simulated_dequantize(b),
        "relay.op.annotation.simulated_quantize" => |site, b| site.simulated_rounding(b),
        _ => return None,
    })
}

const WIDE: DType = DType::I64;

/// In which type a scale is applied.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Compute {
    /// In fixed-point arithmetic on 64-bit integers.
    FixedPoint,
    Float(DType),
}

/// A change of the scale and of the zero point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Requantize {
    half: Half,
    compute: Compute,
}

impl Requantize {
    /// The one that other operators use.
    pub(super) const DEFAULT: Requantize = Requantize { half: Half::Up, compute: Compute::FixedPoint };

    fn of(site: &Site) -> Result<Requantize, String> {
        let half = match site.attrs.text("rounding") {
            None | Some("None" | "UPWARD") => Half::Up,
            Some("TONEAREST") => Half::Away,
            Some(other) => return Err(format!("its rounding is {other:?}")),
        };
        let compute = match site.attrs.text("compute_dtype") {
            None | Some("None" | "int64") => Compute::FixedPoint,
            Some("float32") => Compute::Float(DType::F32),
            Some("float64") => Compute::Float(DType::Float(64)),
            Some(other) => return Err(format!("its compute_dtype is {other:?}")),
        };
        Ok(Requantize { half, compute })
    }

    /// Converts integers with scale and zero point `from`, per place along an axis, to those with `to`, as type `dtype`:
    /// 32-bit integers wrap, narrower ones saturate.
    pub(super) fn run(
        self,
        b: &mut Builder<'_>,
        site: &Site,
        (data, axis): (&Tensor, usize),
        (from_scale, from_zero): (&Tensor, &Tensor),
        (to_scale, to_zero): (&Tensor, &Tensor),
        dtype: DType,
    ) -> Tensor {
        // The factors have one element for each scale: they are computed outside of the loop over the data.
        let ratio = |b: &mut Builder<'_>, wanted: usize| {
            let result = if self.compute == Compute::FixedPoint { WIDE } else { DType::Float(64) };
            combine(b, &[from_scale, to_scale], result, |b, scales| {
                let (from, to) = (wide_float(b, scales[0]), wide_float(b, scales[1]));
                let ratio = arith::divf(b, from, to);
                match (self.compute, wanted) {
                    (Compute::Float(_), _) => ratio,
                    (_, 0) => decomposed(b, ratio).0,
                    _ => decomposed(b, ratio).1,
                }
            })
        };
        let (first, second) = (ratio(b, 0), ratio(b, 1));
        let from = data.dtype();
        let params = [from_zero, to_zero, &first, &second];
        site.with_params(b, data, axis, &params, dtype, |b, value, params| {
            let [from_zero, to_zero] =
                [params[0], params[1]].map(|zero| scalar::cast(b, zero, DType::I32, WIDE));
            let value = scalar::cast(b, value, from, WIDE);
            let value = arith::subi(b, value, from_zero);
            let scaled = match self.compute {
                Compute::FixedPoint => multiplied(b, value, (params[2], params[3]), self.half),
                Compute::Float(float) => {
                    let factor = scalar::cast(b, params[2], DType::Float(64), float);
                    let value = scalar::cast(b, value, WIDE, float);
                    let scaled = arith::mulf(b, value, factor);
                    let rounded = match self.half {
                        Half::Up => {
                            let half = scalar::constant(b, 0.5, float);
                            let moved = arith::addf(b, scaled, half);
                            math::floor(b, moved)
                        }
                        Half::Away => math::round(b, scaled),
                    };
                    bounded_integer(b, rounded, float)
                }
            };
            let moved = arith::addi(b, scaled, to_zero);
            if dtype.bits() >= 32 {
                scalar::cast(b, moved, WIDE, dtype)
            } else {
                scalar::saturated(b, moved, dtype)
            }
        })
    }
}

fn wide_float(b: &mut Builder<'_>, value: Value) -> Value {
    scalar::cast(b, value, DType::F32, DType::Float(64))
}

/// A whole number as an integer of type `i64`; a number outside the range of 32-bit integers becomes one near it. NaN
/// becomes 0.
fn bounded_integer(b: &mut Builder<'_>, value: Value, dtype: DType) -> Value {
    let (low, high) =
        (scalar::constant(b, -(2f64.powi(40)), dtype), scalar::constant(b, 2f64.powi(40), dtype));
    let value = arith::maximumf(b, value, low);
    let value = arith::minimumf(b, value, high);
    scalar::cast(b, value, dtype, WIDE)
}

impl Site {
    /// The axis of an attribute, for the data at `index`, whose rank may be 0.
    pub(super) fn last_or_axis(&self, name: &str, index: usize) -> usize {
        self.axis(name, self.arg(index).rank())
    }

    /// Real numbers, divided by the scale, rounded half away from zero, moved by the zero point, and saturated.
    pub(super) fn quantized(
        &self,
        b: &mut Builder<'_>,
        data: &Tensor,
        axis: usize,
        (scale, zero): (&Tensor, &Tensor),
        dtype: DType,
    ) -> Tensor {
        let from = data.dtype();
        self.with_params(b, data, axis, &[scale, zero], dtype, |b, value, params| {
            let value = scalar::cast(b, value, from, DType::F32);
            let scaled = arith::divf(b, value, params[0]);
            let rounded = math::round(b, scaled);
            let whole = bounded_integer(b, rounded, DType::F32);
            let zero = scalar::cast(b, params[1], DType::I32, WIDE);
            let moved = arith::addi(b, whole, zero);
            scalar::saturated(b, moved, dtype)
        })
    }

    /// The real numbers that the integers represent.
    pub(super) fn dequantized(
        &self,
        b: &mut Builder<'_>,
        data: &Tensor,
        axis: usize,
        (scale, zero): (&Tensor, &Tensor),
        dtype: DType,
    ) -> Tensor {
        let from = data.dtype();
        self.with_params(b, data, axis, &[scale, zero], dtype, |b, value, params| {
            let value = scalar::cast(b, value, from, DType::I32);
            let moved = arith::subi(b, value, params[1]);
            let number = scalar::cast(b, moved, DType::I32, DType::F32);
            let scaled = arith::mulf(b, number, params[0]);
            scalar::cast(b, scaled, DType::F32, dtype)
        })
    }

    /// Quantization in floating-point numbers to a type given at run time: 0 for none, then `int8`, `uint8` and `int32`.
    fn simulated_quantize(&self, b: &mut Builder<'_>) -> Lowered {
        let (data, dtype) = (self.arg(0), self.float_dtype()?);
        let params = [self.arg(1), self.arg(2), self.arg(3)];
        let types = params.map(Tensor::dtype);
        let axis = data.rank().saturating_sub(1);
        Ok(vec![self.with_params(b, data, axis, &params, dtype, |b, value, params| {
            let code = scalar::cast(b, params[0], types[0], WIDE);
            let [scale, zero] = [1, 2].map(|index| scalar::cast(b, params[index], types[index], dtype));
            let scaled = arith::divf(b, value, scale);
            let rounded = math::round(b, scaled);
            let moved = arith::addf(b, rounded, zero);
            let mut chosen = value;
            for (number, (low, high)) in
                [(1, (-128.0, 127.0)), (2, (0.0, 255.0)), (3, (-(2f64.powi(31)), 2f64.powi(31) - 1.0))]
            {
                let (low, high) = (scalar::constant(b, low, dtype), scalar::constant(b, high, dtype));
                let clipped = arith::minimumf(b, moved, high);
                let clipped = arith::maximumf(b, clipped, low);
                let number = scalar::integer(b, number, WIDE);
                let same = arith::cmpi(b, arith::CmpIPredicate::Eq, code, number);
                chosen = arith::select(b, same, clipped, chosen);
            }
            chosen
        })])
    }

    fn simulated_dequantize(&self, b: &mut Builder<'_>) -> Lowered {
        let (data, dtype) = (self.arg(0), self.float_dtype()?);
        let params = [self.arg(1), self.arg(2), self.arg(3)];
        let types = params.map(Tensor::dtype);
        let axis = self.last_or_axis("axis", 0);
        Ok(vec![self.with_params(b, data, axis, &params, dtype, |b, value, params| {
            let code = scalar::cast(b, params[0], types[0], WIDE);
            let [scale, zero] = [1, 2].map(|index| scalar::cast(b, params[index], types[index], dtype));
            let moved = arith::subf(b, value, zero);
            let scaled = arith::mulf(b, moved, scale);
            let none = scalar::integer(b, 0, WIDE);
            let same = arith::cmpi(b, arith::CmpIPredicate::Eq, code, none);
            arith::select(b, same, value, scaled)
        })])
    }

    /// The effect of quantization on real numbers: divided by a scale, clipped, rounded, and multiplied by it again.
    fn simulated_rounding(&self, b: &mut Builder<'_>) -> Lowered {
        let (data, dtype) = (self.arg(0), self.float_dtype()?);
        if self.attrs.int("kind") == Some(0) {
            return Ok(vec![data.clone()]);
        }
        let inputs = [data, self.arg(1), self.arg(2), self.arg(3)];
        Ok(vec![combine(b, &inputs, dtype, |b, elements| {
            let scaled = arith::divf(b, elements[0], elements[1]);
            let clipped = arith::minimumf(b, scaled, elements[3]);
            let clipped = arith::maximumf(b, clipped, elements[2]);
            let rounded = math::round(b, clipped);
            arith::mulf(b, rounded, elements[1])
        })])
    }
}
