//! `linalg.softmax` in four steps: the maximum along the dimension, the exponentials of the differences from it, their sum, and
//! the quotient.

use super::extent;
use crate::{Fill, Generic, Softmax};
use minoan_arith::{FastMath, addf, constant_float, divf, maximumf, subf, with_fastmath};
use minoan_ir::affine::AffineMap;
use minoan_ir::{Builder, DYNAMIC, OpDef, Type, Value};
use minoan_math::exp;
use minoan_rewrite::{Matched, NoMatch, Rewriter};
use minoan_services::IteratorType;
use minoan_tensor::Empty;

pub(super) fn decompose(softmax: Softmax, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let ctx = rewriter.context().clone();
    let body = rewriter.body();
    let (input, output) = (softmax.input(body), softmax.output(body));
    let (ty, op) = (rewriter.ty(input), softmax.op());
    let (Some(shape), Some(element)) = (ty.shape(&ctx), ty.element(&ctx)) else {
        return Err(NoMatch::because("the extents are unknown"));
    };
    if !ty.is_tensor(&ctx) || !element.is_float(&ctx) {
        return Err(NoMatch::because("it is not a tensor of floats"));
    }
    let along = usize::try_from(softmax.dimension(body)).ok();
    let along = along.filter(|&along| along < shape.len());
    let along = along.ok_or_else(|| NoMatch::because("there is no such dimension"))?;
    let kept: Vec<usize> = (0..shape.len()).filter(|&dimension| dimension != along).collect();
    let reduced =
        Type::tensor(&ctx, &kept.iter().map(|&dimension| shape[dimension]).collect::<Vec<_>>(), element);
    let open: Vec<usize> = kept.iter().copied().filter(|&dimension| shape[dimension] == DYNAMIC).collect();

    let all = AffineMap::identity(shape.len() as u32);
    let kept: Vec<u32> = kept.into_iter().map(|dimension| dimension as u32).collect();
    let row = AffineMap::projection(shape.len() as u32, &kept);
    let parallel = vec![IteratorType::Parallel; shape.len()];
    let mut reduction = parallel.clone();
    reduction[along] = IteratorType::Reduction;

    let flags = softmax.fastmath(body).unwrap_or_default();
    let flags: Vec<FastMath> = flags.iter().collect();
    let order = [FastMath::Reassoc, FastMath::Contract];
    let without = |left: &[FastMath]| -> Vec<FastMath> {
        flags.iter().copied().filter(|flag| !left.contains(flag)).collect()
    };
    let of_sum = without(&[FastMath::AllowReciprocal]);
    let of_quotient = without(&order);
    let of_each: Vec<FastMath> = of_sum.iter().copied().filter(|flag| of_quotient.contains(flag)).collect();
    // The exponential of a zero does not depend on its sign.
    let of_largest: Vec<FastMath> = of_each.iter().copied().chain([FastMath::NoSignedZero]).collect();

    let mut b = rewriter.builder();
    let sizes: Vec<Value> = open.into_iter().map(|dimension| extent(&mut b, input, dimension)).collect();
    let reduce =
        |b: &mut Builder<'_>, tensor, neutral, combine: &dyn Fn(&mut Builder<'_>, Value, Value) -> Value| {
            let neutral = constant_float(b, neutral, element);
            let empty = Empty::build(b, &sizes, reduced).result(b.body());
            let start = Fill::with(b, neutral, empty).result_tensors(b.body())[0];
            let maps = [all.clone(), row.clone()];
            let combined = Generic::with(b, &[tensor], &[start], &maps, &reduction, |b, elements| {
                vec![combine(b, elements[0], elements[1])]
            });
            combined.result_tensors(b.body())[0]
        };
    let largest = reduce(&mut b, input, f64::NEG_INFINITY, &|b, lhs, rhs| {
        let larger = maximumf(b, lhs, rhs);
        with_fastmath(b, larger, of_largest.iter().copied())
    });
    let maps = [all.clone(), row.clone(), all.clone()];
    let powers = Generic::with(&mut b, &[input, largest], &[output], &maps, &parallel, |b, elements| {
        let below = subf(b, elements[0], elements[1]);
        let below = with_fastmath(b, below, of_each.iter().copied());
        let power = exp(b, below);
        vec![with_fastmath(b, power, of_each.iter().copied())]
    });
    let powers = powers.result_tensors(b.body())[0];
    let sum = reduce(&mut b, powers, 0.0, &|b, lhs, rhs| {
        let sum = addf(b, lhs, rhs);
        with_fastmath(b, sum, of_sum.iter().copied())
    });
    let quotient = Generic::with(&mut b, &[powers, sum], &[output], &maps, &parallel, |b, elements| {
        let quotient = divf(b, elements[0], elements[1]);
        vec![with_fastmath(b, quotient, of_quotient.iter().copied())]
    });
    let quotient = quotient.result_tensors(b.body())[0];
    rewriter.replace(op, &[quotient]);
    Ok(Matched)
}
