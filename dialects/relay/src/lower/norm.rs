//! Lowering of normalizations.

use super::Rule;
use super::broadcast::combine;
use super::reduce::{mean, reduce, sum, variance};
use super::scalar::{self, Compare};
use super::site::{Site, Tensor};
use super::tensors::{dim, extents, pointwise};
use crate::ty::DType;
use minoan_arith as arith;
use minoan_ir::affine::AffineExpr;
use minoan_ir::{Builder, Value};
use minoan_math as math;

type Lowered = Result<Vec<Tensor>, String>;

pub(super) fn rule(name: &str) -> Option<Rule> {
    Some(match name {
        "nn.softmax" | "nn.fast_softmax" => |site, b| site.softmax(b, false),
        "nn.log_softmax" => |site, b| site.softmax(b, true),
        "nn.bias_add" => |site, b| site.bias_add(b),
        "nn.batch_norm" => |site, b| site.batch_norm(b),
        "nn.layer_norm" => |site, b| site.layer_norm(b),
        "nn.prelu" => |site, b| site.prelu(b),
        _ => return None,
    })
}

impl Site {
    /// Element by element, with the arguments `others`, which have one element for each place along an axis.
    fn with_along(
        &self,
        b: &mut Builder<'_>,
        data: &Tensor,
        axis: usize,
        others: std::ops::RangeInclusive<usize>,
        fill: impl FnOnce(&mut Builder<'_>, &[Value]) -> Value,
    ) -> Tensor {
        let wanted = extents(b, data);
        let mut inputs = vec![(data, data.same())];
        for index in others {
            let other = self.arg(index);
            // One element stands for all.
            let single = other.ty.shape[0] == crate::ty::Dim::Known(1) && wanted[axis].known() != Some(1);
            let expr = if single {
                AffineExpr::Constant(0)
            } else {
                self.expect_same(b, (0, axis), (index, 0));
                dim(axis)
            };
            inputs.push((other, vec![expr]));
        }
        pointwise(b, &inputs, &wanted, data.dtype(), fill)
    }

    /// The type of the elements, where it is a floating-point type.
    fn float_dtype(&self) -> Result<DType, String> {
        let dtype = self.arg(0).dtype();
        if dtype.is_float() {
            Ok(dtype)
        } else {
            Err(format!("it is not defined for elements of type {dtype}"))
        }
    }

    fn softmax(&self, b: &mut Builder<'_>, log: bool) -> Lowered {
        let (data, dtype) = (self.arg(0), self.float_dtype()?);
        let axis = self.axis("axis", data.rank());
        let axes: Vec<bool> = (0..data.rank()).map(|other| other == axis).collect();
        let least = scalar::least(b, dtype);
        let greatest = reduce(b, data, &axes, true, least, scalar::max);
        let powers = combine(b, &[data, &greatest], dtype, |b, elements| {
            let below = arith::subf(b, elements[0], elements[1]);
            math::exp(b, below)
        });
        let total = sum(b, &powers, &axes, true);
        if !log {
            return Ok(vec![combine(b, &[&powers, &total], dtype, |b, elements| {
                arith::divf(b, elements[0], elements[1])
            })]);
        }
        Ok(vec![combine(b, &[data, &greatest, &total], dtype, |b, elements| {
            let below = arith::subf(b, elements[0], elements[1]);
            let logarithm = math::log(b, elements[2]);
            arith::subf(b, below, logarithm)
        })])
    }

    fn bias_add(&self, b: &mut Builder<'_>) -> Lowered {
        let (data, dtype) = (self.arg(0), self.arg(0).dtype());
        let axis = self.axis("axis", data.rank());
        Ok(vec![
            self.with_along(b, data, axis, 1..=1, |b, elements| {
                scalar::add(b, elements[0], elements[1], dtype)
            }),
        ])
    }

    /// `normalised * gamma + beta`, where scale and offset are optional.
    fn scaled(&self, b: &mut Builder<'_>, normalised: Value, gamma: Value, beta: Value) -> Value {
        let scaled = if self.attrs.flag("scale") { arith::mulf(b, normalised, gamma) } else { normalised };
        if self.attrs.flag("center") { arith::addf(b, scaled, beta) } else { scaled }
    }

    /// The difference from the mean, divided by the square root of the variance.
    fn normalised(&self, b: &mut Builder<'_>, dtype: DType, [value, mean, variance]: [Value; 3]) -> Value {
        let epsilon = scalar::constant(b, self.attrs.float("epsilon").unwrap_or(1e-5), dtype);
        let off = arith::subf(b, value, mean);
        let variance = arith::addf(b, variance, epsilon);
        let deviation = math::sqrt(b, variance);
        arith::divf(b, off, deviation)
    }

    fn batch_norm(&self, b: &mut Builder<'_>) -> Lowered {
        let (data, dtype) = (self.arg(0), self.float_dtype()?);
        let axis = self.axis("axis", data.rank());
        let result = self.with_along(b, data, axis, 1..=4, |b, elements| {
            let normalised = self.normalised(b, dtype, [elements[0], elements[3], elements[4]]);
            self.scaled(b, normalised, elements[1], elements[2])
        });
        Ok(vec![result, self.arg(3).clone(), self.arg(4).clone()])
    }

    fn layer_norm(&self, b: &mut Builder<'_>) -> Lowered {
        let (data, dtype) = (self.arg(0), self.float_dtype()?);
        let axis = self.axis("axis", data.rank());
        let axes: Vec<bool> = (0..data.rank()).map(|other| other == axis).collect();
        let mean = mean(b, data, &axes, true);
        let variance = variance(b, data, &mean, &axes, true);
        let normalised = combine(b, &[data, &mean, &variance], dtype, |b, elements| {
            self.normalised(b, dtype, [elements[0], elements[1], elements[2]])
        });
        Ok(vec![self.with_along(b, &normalised, axis, 1..=2, |b, elements| {
            self.scaled(b, elements[0], elements[1], elements[2])
        })])
    }

    fn prelu(&self, b: &mut Builder<'_>) -> Lowered {
        let (data, dtype) = (self.arg(0), self.arg(0).dtype());
        let axis = self.axis("axis", data.rank());
        Ok(vec![self.with_along(b, data, axis, 1..=1, |b, elements| {
            let zero = scalar::zero(b, dtype);
            let above = scalar::compare(b, Compare::Gt, elements[0], zero, dtype);
            let scaled = scalar::mul(b, elements[0], elements[1], dtype);
            arith::select(b, above, elements[0], scaled)
        })])
    }
}
