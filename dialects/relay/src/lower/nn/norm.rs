//! Lowering of normalizations.

use crate::lower::broadcast::combine;
use crate::lower::extent::Extent;
use crate::lower::pointwise::{cast, each};
use crate::lower::reduce::{ReducedDims, mean, reduce, sum, variance};
use crate::lower::scalar::{self, Compare};
use crate::lower::shape::reshaped;
use crate::lower::site::{Site, Tensor, reduced_axes};
use crate::lower::slice::padded;
use crate::lower::tensors::{self, Accumulation, dim, empty, extents, pointwise};
use crate::lower::{Lowered, Rule};
use crate::ty::DType;
use minoan_arith as arith;
use minoan_ir::affine::AffineExpr;
use minoan_ir::{Builder, Flags, Value};
use minoan_linalg::Softmax;
use minoan_math as math;

pub(super) fn rule(name: &str) -> Option<Rule> {
    Some(match name {
        "nn.softmax" | "nn.fast_softmax" => |site, b| site.softmax(b, softmax_of),
        "nn.log_softmax" => |site, b| site.softmax(b, log_softmax_of),
        "nn.bias_add" => |site, b| site.bias_add(b),
        "nn.batch_norm" => |site, b| site.batch_norm(b),
        "nn.layer_norm" => |site, b| site.layer_norm(b),
        "nn.group_norm" => |site, b| site.group_norm(b),
        "nn.instance_norm" => |site, b| site.instance_norm(b),
        "nn.l2_normalize" => |site, b| site.l2_normalize(b),
        "nn.lrn" => |site, b| site.lrn(b),
        "nn.prelu" => |site, b| site.prelu(b),
        _ => return None,
    })
}

/// The exponentials of floating-point numbers, divided by their sum along an axis.
pub(in crate::lower) fn softmax_of(b: &mut Builder<'_>, data: &Tensor, axis: usize) -> Tensor {
    rounded_once(b, data, |b, data| {
        let (wanted, dtype) = (extents(b, data), data.dtype());
        let output = empty(b, &wanted, dtype);
        let flags = [arith::FastMath::Reassoc, arith::FastMath::Contract, arith::FastMath::AllowReciprocal];
        let softmax = Softmax::builder(data.value, output.value, axis as i64)
            .fastmath(flags.into_iter().collect::<Flags<arith::FastMath>>())
            .result_ty(&[b.ty(output.value)])
            .build(b);
        Tensor { value: softmax.result(b.body())[0], ..output }
    })
}

/// The logarithms of [`softmax_of`].
fn log_softmax_of(b: &mut Builder<'_>, data: &Tensor, axis: usize) -> Tensor {
    rounded_once(b, data, |b, data| {
        let dtype = data.dtype();
        let axes: Vec<bool> = (0..data.rank()).map(|other| other == axis).collect();
        let least = scalar::least(b, dtype);
        let greatest = reduce(b, data, &axes, ReducedDims::Keep, least, scalar::largest);
        let powers = combine(b, &[data, &greatest], dtype, |b, elements| {
            let below = arith::subf(b, elements[0], elements[1]);
            math::exp(b, below)
        });
        let total = sum(b, &powers, &axes, ReducedDims::Keep);
        combine(b, &[data, &greatest, &total], dtype, |b, elements| {
            let below = arith::subf(b, elements[0], elements[1]);
            let logarithm = math::log(b, elements[2]);
            arith::subf(b, below, logarithm)
        })
    })
}

/// A computation on floating-point numbers. Those of 16 bits are rounded once, at the end: the order of a sum of 16-bit
/// numbers shows in most of its results.
fn rounded_once(
    b: &mut Builder<'_>,
    data: &Tensor,
    compute: impl FnOnce(&mut Builder<'_>, &Tensor) -> Tensor,
) -> Tensor {
    let dtype = data.dtype();
    if dtype.bits() != 16 {
        return compute(b, data);
    }
    let wide = cast(b, data, DType::F32);
    let done = compute(b, &wide);
    cast(b, &done, dtype)
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
            // A single element is used for all.
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

    fn softmax(
        &self,
        b: &mut Builder<'_>,
        of: fn(&mut Builder<'_>, data: &Tensor, axis: usize) -> Tensor,
    ) -> Lowered {
        self.float_dtype()?;
        let data = self.arg(0);
        Ok(vec![of(b, data, self.axis("axis", data.rank()))])
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

    /// `normalized * gamma + beta`, where scale and offset are optional.
    fn scaled(&self, b: &mut Builder<'_>, normalized: Value, gamma: Value, beta: Value) -> Value {
        let scaled = if self.attrs.flag("scale") { arith::mulf(b, normalized, gamma) } else { normalized };
        if self.attrs.flag("center") { arith::addf(b, scaled, beta) } else { scaled }
    }

    /// The difference from the mean, divided by the square root of the variance.
    fn normalized(&self, b: &mut Builder<'_>, dtype: DType, [value, mean, variance]: [Value; 3]) -> Value {
        let epsilon = scalar::constant(b, self.attrs.float("epsilon").unwrap_or(1e-5), dtype);
        let off = arith::subf(b, value, mean);
        let variance = arith::addf(b, variance, epsilon);
        let deviation = math::sqrt(b, variance);
        quotient(b, off, deviation)
    }

    fn batch_norm(&self, b: &mut Builder<'_>) -> Lowered {
        let (data, dtype) = (self.arg(0), self.float_dtype()?);
        let axis = self.axis("axis", data.rank());
        let result = self.with_along(b, data, axis, 1..=4, |b, elements| {
            let normalized = self.normalized(b, dtype, [elements[0], elements[3], elements[4]]);
            self.scaled(b, normalized, elements[1], elements[2])
        });
        Ok(vec![result, self.arg(3).clone(), self.arg(4).clone()])
    }

    fn layer_norm(&self, b: &mut Builder<'_>) -> Lowered {
        self.float_dtype()?;
        let data = self.arg(0);
        let axis = self.axis("axis", data.rank());
        let axes: Vec<bool> = (0..data.rank()).map(|other| other == axis).collect();
        let normalized = self.normalized_over(b, data, &axes);
        Ok(vec![self.scaled_along(b, &normalized, axis)])
    }

    /// The differences from the mean over some axes, divided by the standard deviation.
    fn normalized_over(&self, b: &mut Builder<'_>, data: &Tensor, axes: &[bool]) -> Tensor {
        let dtype = data.dtype();
        let mean = mean(b, data, axes, ReducedDims::Keep);
        let variance = variance(b, data, &mean, axes, ReducedDims::Keep);
        combine(b, &[data, &mean, &variance], dtype, |b, elements| {
            self.normalized(b, dtype, [elements[0], elements[1], elements[2]])
        })
    }

    /// Scale and offset, which have one element for each place along an axis.
    fn scaled_along(&self, b: &mut Builder<'_>, normalized: &Tensor, axis: usize) -> Tensor {
        self.with_along(b, normalized, axis, 1..=2, |b, elements| {
            self.scaled(b, elements[0], elements[1], elements[2])
        })
    }

    fn instance_norm(&self, b: &mut Builder<'_>) -> Lowered {
        self.float_dtype()?;
        let data = self.arg(0);
        let axis = self.axis("axis", data.rank());
        let axes: Vec<bool> = (0..data.rank()).map(|other| other != 0 && other != axis).collect();
        let normalized = self.normalized_over(b, data, &axes);
        Ok(vec![self.scaled_along(b, &normalized, axis)])
    }

    /// Normalizes over the channels of a group and all axes after them.
    fn group_norm(&self, b: &mut Builder<'_>) -> Lowered {
        self.float_dtype()?;
        let data = self.arg(0);
        let axis = self.axis("axis", data.rank());
        let groups = Extent::Known(self.attrs.int("num_groups").unwrap_or(1).max(1));
        let old = extents(b, data);
        let each = old[axis].divided_by(b, groups);
        let covered = each.times(b, groups);
        old[axis].expect(b, covered, || {
            format!(
                "nn.group_norm: the extent {{}} of 'data' along axis {axis} is not a multiple of the number of groups"
            )
        });
        let mut split = old.clone();
        split.splice(axis..=axis, [groups, each]);
        let grouped = reshaped(b, data, &split);
        let axes: Vec<bool> = (0..split.len()).map(|other| other > axis).collect();
        let normalized = self.normalized_over(b, &grouped, &axes);
        let normalized = reshaped(b, &normalized, &old);
        Ok(vec![self.scaled_along(b, &normalized, axis)])
    }

    /// Divides by the square root of the sum of squares over some axes, which is at least `eps`.
    fn l2_normalize(&self, b: &mut Builder<'_>) -> Lowered {
        let (data, dtype) = (self.arg(0), self.float_dtype()?);
        let axes = reduced_axes(self, data.rank());
        let squares = each(b, data, dtype, |b, value| arith::mulf(b, value, value));
        let total = sum(b, &squares, &axes, ReducedDims::Keep);
        let least = self.attrs.float("eps").unwrap_or(0.0);
        Ok(vec![combine(b, &[data, &total], dtype, |b, elements| {
            let least = scalar::constant(b, least, dtype);
            let total = scalar::max(b, elements[1], least, dtype);
            let norm = math::sqrt(b, total);
            quotient(b, elements[0], norm)
        })])
    }

    /// Divides by a power of the mean square of the neighbors along an axis.
    fn lrn(&self, b: &mut Builder<'_>) -> Lowered {
        let (data, dtype) = (self.arg(0), self.float_dtype()?);
        let (axis, rank) = (self.axis("axis", data.rank()), data.rank());
        let size = self.attrs.int("size").unwrap_or(5).max(1);
        let squares = each(b, data, dtype, |b, value| arith::mulf(b, value, value));
        let mut widths = vec![(0, 0); rank];
        widths[axis] = (size / 2, size - 1 - size / 2);
        let zero = scalar::zero(b, dtype);
        let wanted = extents(b, data);
        let around = padded(b, &squares, &widths, zero);
        let mut exprs = data.same();
        exprs[axis] = tensors::sum(dim(axis), dim(rank));
        // Only its shape matters.
        let window = empty(b, &[Extent::Known(size)], dtype);
        let domain = Accumulation {
            inputs: vec![(&around, exprs), (&window, vec![dim(rank)])],
            reduced: (0..=rank).map(|dimension| dimension == rank).collect(),
            output: (wanted, (0..rank).map(dim).collect()),
        };
        let total = domain.run(b, &[(dtype, zero)], |b, inputs, sums| {
            vec![scalar::accumulate(b, sums[0], inputs[0], dtype)]
        });
        let number = |name: &str, otherwise: f64| self.attrs.float(name).unwrap_or(otherwise);
        let (alpha, beta, bias) = (number("alpha", 1e-4), number("beta", 0.75), number("bias", 2.0));
        Ok(vec![combine(b, &[data, &total[0]], dtype, |b, elements| {
            let [factor, beta, bias] =
                [alpha / size as f64, beta, bias].map(|number| scalar::constant(b, number, dtype));
            let scaled = arith::mulf(b, elements[1], factor);
            let base = arith::addf(b, scaled, bias);
            let divisor = math::powf(b, base, beta);
            arith::divf(b, elements[0], divisor)
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

/// The quotient by a norm, a deviation or a sum of exponentials. It may be computed by the reciprocal, which is finite for each
/// of these unless it is zero.
fn quotient(b: &mut Builder<'_>, dividend: Value, divisor: Value) -> Value {
    let quotient = arith::divf(b, dividend, divisor);
    arith::with_fastmath(b, quotient, [arith::FastMath::AllowReciprocal])
}
