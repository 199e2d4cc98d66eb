//! Canonicalization of masks with constant bounds: `vector.create_mask` of constants, its transpositions and its
//! slices become `vector.constant_mask`.

use crate::rules::numbers;
use crate::types::Parts;
use crate::{ConstantMask, CreateMask, ExtractStridedSlice, Transpose, VScale};
use minoan_arith as arith;
use minoan_ir::{Body, OpDef, Value};
use minoan_rewrite::{Matched, NoMatch, PatternSet, Rewriter};
use minoan_services::constant_of;

type Rewritten = Result<Matched, NoMatch>;

pub(crate) fn add(patterns: &mut PatternSet) {
    patterns
        .on("vector-create-mask-constant", created)
        .on("vector-transpose-constant-mask", transposed)
        .on("vector-slice-constant-mask", sliced);
}

/// The constant factor of a multiple of the vector scale.
fn multiple_of_vscale(body: &Body, value: Value) -> Option<i64> {
    let ctx = body.context();
    let def = body.op(body.defining_op(value)?);
    if def.is::<VScale>() {
        return Some(1);
    }
    let product = def.cast::<arith::MulI>()?;
    let [lhs, rhs] = product.operand_values(body);
    let is_scale = |value: Value| body.defining_op(value).is_some_and(|op| body.op(op).is::<VScale>());
    let factor = if is_scale(lhs) { rhs } else { Some(lhs).filter(|_| is_scale(rhs))? };
    constant_of(body, factor)?.as_i64(ctx)
}

/// The bounds of a constant mask; all zero if one of them is zero.
fn canonical(bounds: Vec<i64>) -> Vec<i64> {
    if bounds.contains(&0) { vec![0; bounds.len()] } else { bounds }
}

fn replace(rewriter: &mut Rewriter<'_>, op: minoan_ir::Op, bounds: &[i64]) -> Rewritten {
    let ty = rewriter.ty(rewriter.op(op).result(0));
    let mask = ConstantMask::build(&mut rewriter.builder(), bounds, ty);
    let mask = mask.result(rewriter.body());
    rewriter.replace(op, &[mask]);
    Ok(Matched)
}

/// A mask with known bounds: constants, and in scalable dimensions none or all of the elements.
fn created(op: CreateMask, rewriter: &mut Rewriter<'_>) -> Rewritten {
    let body = rewriter.body();
    let ctx = body.context();
    let parts = Parts::of_any(ctx, body.ty(op.result(body)));
    let (extents, scalable) = match parts.rank() {
        0 => (vec![1], vec![false]),
        _ => (parts.shape.to_vec(), parts.scalable.to_vec()),
    };
    let bound = |(value, (&extent, &scalable)): (Value, (&i64, &bool))| {
        let constant = constant_of(body, value).and_then(|attr| attr.as_i64(ctx));
        match (constant, scalable) {
            (Some(number), false) => Some(number.clamp(0, extent)),
            (Some(number), true) => (number <= 0).then_some(0),
            (None, true) => {
                multiple_of_vscale(body, value).filter(|&factor| factor >= extent).map(|_| extent)
            }
            (None, false) => None,
        }
    };
    let bounds = op.bounds(body).into_iter().zip(extents.iter().zip(&scalable)).map(bound);
    let bounds: Option<Vec<i64>> = bounds.collect();
    let bounds = canonical(bounds.ok_or(NoMatch::because("a bound is not known"))?);
    replace(rewriter, op.op(), &bounds)
}

/// The bounds of the constant mask that defines a value.
fn bounds_of(body: &Body, value: Value) -> Result<Vec<i64>, NoMatch> {
    let def = body.defining_op(value).map(|op| body.op(op)).filter(|def| def.is::<ConstantMask>());
    Ok(numbers(def.ok_or(NoMatch::because("it is not of a constant mask"))?, "mask_dim_sizes"))
}

fn transposed(op: Transpose, rewriter: &mut Rewriter<'_>) -> Rewritten {
    let body = rewriter.body();
    let bounds = bounds_of(body, op.vector(body))?;
    let order = numbers(body.op(op.op()), "permutation");
    let bounds: Vec<i64> = order.iter().map(|&dim| bounds[dim as usize]).collect();
    replace(rewriter, op.op(), &bounds)
}

fn sliced(op: ExtractStridedSlice, rewriter: &mut Rewriter<'_>) -> Rewritten {
    let body = rewriter.body();
    let (view, ctx) = (body.op(op.op()), body.context());
    let mut bounds = bounds_of(body, op.source(body))?;
    let list = |name: &str| -> Vec<i64> {
        let list = view.attr_named(name).and_then(|attr| attr.as_array(ctx)).unwrap_or(&[]);
        list.iter().filter_map(|number| number.as_i64(ctx)).collect()
    };
    if list("strides").iter().any(|&stride| stride != 1) {
        return Err(NoMatch::because("a stride is not one"));
    }
    for ((bound, offset), size) in bounds.iter_mut().zip(list("offsets")).zip(list("sizes")) {
        *bound = (*bound - offset).clamp(0, size);
    }
    let bounds = canonical(bounds);
    replace(rewriter, op.op(), &bounds)
}
