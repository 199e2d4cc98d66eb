//! Lowering of quantized elementwise operators, concatenation and pooling.

use super::fixed_point::{Half, decomposed, multiplied};
use super::requantize::Requantize;
use crate::lower::broadcast::combine;
use crate::lower::nn::{Windows, softmax_of};
use crate::lower::pointwise::{cast, each, float_function};
use crate::lower::scalar::{self, Compare};
use crate::lower::site::{Site, Tensor};
use crate::lower::{Lowered, Rule};
use crate::ty::DType;
use minoan_arith as arith;
use minoan_ir::{Builder, Value};

pub(super) fn rule(name: &str) -> Option<Rule> {
    Some(match name {
        "qnn.add" => |site, b| site.qnn_sum(b, arith::addi, arith::subi),
        "qnn.subtract" => |site, b| site.qnn_sum(b, arith::subi, arith::addi),
        "qnn.mul" => |site, b| site.qnn_mul(b),
        "qnn.concatenate" => |site, b| site.qnn_concatenate(b),
        "qnn.avg_pool2d" => |site, b| site.qnn_avg_pool(b),
        "qnn.leaky_relu" => |site, b| site.qnn_leaky_relu(b),
        "qnn.softmax" => |site, b| {
            let axis = site.last_or_axis("axis", 0);
            site.qnn_float(b, |b, data| softmax_of(b, data, axis))
        },
        "qnn.abs" | "qnn.erf" | "qnn.exp" | "qnn.log" | "qnn.rsqrt" | "qnn.sigmoid" | "qnn.sqrt"
        | "qnn.tanh" | "qnn.hardswish" => |site, b| {
            let function = site.name.trim_start_matches("qnn.");
            let function = float_function(function).ok_or("there is no function")?;
            site.qnn_float(b, |b, data| each(b, data, DType::F32, |b, value| function(b, value, DType::F32)))
        },
        _ => return None,
    })
}

type Binary = fn(&mut Builder<'_>, Value, Value) -> Value;

impl Site {
    /// The scale at `index`, and the zero point after it.
    fn scale(&self, index: usize) -> (&Tensor, &Tensor) {
        (self.arg(index), self.arg(index + 1))
    }

    /// Dequantizes the operands, computes on real numbers, and quantizes the result.
    fn qnn_float(
        &self,
        b: &mut Builder<'_>,
        compute: impl FnOnce(&mut Builder<'_>, &Tensor) -> Tensor,
    ) -> Lowered {
        let numbers = self.dequantized(b, self.arg(0), 0, self.scale(1), DType::F32);
        let done = compute(b, &numbers);
        Ok(vec![self.quantized(b, &done, 0, self.scale(3), self.result().dtype)])
    }

    /// A sum or difference: both operands are converted to the scale of the result, whose zero point they then contain both.
    fn qnn_sum(&self, b: &mut Builder<'_>, next: Binary, back: Binary) -> Lowered {
        let to = self.scale(6);
        let [lhs, rhs] = [(0, "lhs_axis"), (1, "rhs_axis")].map(|(index, axis)| {
            let data = (self.arg(index), self.last_or_axis(axis, index));
            Requantize::DEFAULT.run(b, self, data, self.scale(2 + 2 * index), to, DType::I32)
        });
        let dtype = self.result().dtype;
        Ok(vec![combine(b, &[&lhs, &rhs, to.1], dtype, |b, elements| {
            let total = next(b, elements[0], elements[1]);
            let total = back(b, total, elements[2]);
            let total = scalar::cast(b, total, DType::I32, DType::I64);
            scalar::saturated(b, total, dtype)
        })])
    }

    fn qnn_mul(&self, b: &mut Builder<'_>) -> Lowered {
        let [lhs, rhs] = [(0, "lhs_axis"), (1, "rhs_axis")].map(|(index, axis)| {
            let (data, axis) = (self.arg(index), self.last_or_axis(axis, index));
            let (from, zero) = (data.dtype(), self.scale(2 + 2 * index).1);
            self.with_params(b, data, axis, &[zero], DType::I32, |b, value, params| {
                let value = scalar::cast(b, value, from, DType::I32);
                arith::subi(b, value, params[0])
            })
        });
        let products =
            combine(b, &[&lhs, &rhs], DType::I32, |b, elements| arith::muli(b, elements[0], elements[1]));
        let scale = combine(b, &[self.arg(2), self.arg(4)], DType::F32, |b, elements| {
            arith::mulf(b, elements[0], elements[1])
        });
        let zero = scalar::zero(b, DType::I32);
        let zero = crate::lower::tensors::number(b, DType::I32, zero);
        let axis = self.axis("lhs_axis", products.rank());
        let (from, to) = ((&scale, &zero), self.scale(6));
        Ok(vec![Requantize::DEFAULT.run(b, self, (&products, axis), from, to, self.result().dtype)])
    }

    fn qnn_concatenate(&self, b: &mut Builder<'_>) -> Lowered {
        let dtype = self.result().dtype;
        let mut parts = Vec::with_capacity(self.args[0].len());
        for (index, part) in self.args[0].iter().enumerate() {
            let from = (&self.args[1][index], &self.args[2][index]);
            parts.push(Requantize::DEFAULT.run(b, self, (part, 0), from, self.scale(3), dtype));
        }
        Ok(vec![self.joined(b, &parts)])
    }

    /// The mean of the integers, converted to the scale of the result; it is truncated.
    fn qnn_avg_pool(&self, b: &mut Builder<'_>) -> Lowered {
        let windows = Windows::of(self, b, 2)?;
        let data =
            Requantize::DEFAULT.run(b, self, (self.arg(0), 0), self.scale(1), self.scale(3), DType::I32);
        let pooled = windows.mean(b, &data, self.attrs.flag("count_include_pad"));
        let wide = cast(b, &pooled, DType::I64);
        let dtype = self.result().dtype;
        Ok(vec![each(b, &wide, dtype, |b, value| scalar::saturated(b, value, dtype))])
    }

    /// Integers below the zero point are moved towards it in fixed-point arithmetic: `alpha * q + (1 - alpha) * zero`.
    fn qnn_leaky_relu(&self, b: &mut Builder<'_>) -> Lowered {
        let (data, from) = (self.arg(0), self.arg(0).dtype());
        let alpha = self.attrs.float("alpha").unwrap_or(0.25);
        let wide = DType::I64;
        let zero = self.scale(1).1;
        let bent = self.with_params(b, data, 0, &[zero], DType::I32, |b, value, params| {
            let value = scalar::cast(b, value, from, wide);
            let zero = scalar::cast(b, params[0], DType::I32, wide);
            let scaled = |b: &mut Builder<'_>, value: Value, factor: f64| {
                let sign = if factor < 0.0 { -1 } else { 1 };
                let factor = scalar::constant(b, factor.abs(), DType::Float(64));
                let factor = decomposed(b, factor);
                let product = multiplied(b, value, factor, Half::Up);
                let sign = scalar::integer(b, sign, wide);
                arith::muli(b, product, sign)
            };
            let (own, rest) = (scaled(b, value, alpha), scaled(b, zero, 1.0 - alpha));
            let below = scalar::compare(b, Compare::Lt, value, zero, wide);
            let total = arith::addi(b, own, rest);
            let chosen = arith::select(b, below, total, value);
            scalar::cast(b, chosen, wide, DType::I32)
        });
        let (from, to) = (self.scale(1), self.scale(3));
        Ok(vec![Requantize::DEFAULT.run(b, self, (&bent, 0), from, to, self.result().dtype)])
    }
}
