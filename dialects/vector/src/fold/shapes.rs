//! Folds of casts and permutations.

use super::{as_it_is, defining, splat_of, with_prop};
use crate::rules::{numbers, operand, result};
use crate::shapes::rows;
use crate::types::Parts;
use crate::{BitCast, Broadcast, ShapeCast, Transpose};
use minoan_ir::{Attr, OpRef};
use minoan_services::{Change, Datum, Folded};

/// Other masks remain `vector.constant_mask`, which is more specific than dense elements.
pub(crate) fn fold_constant_mask(op: OpRef<'_>, _: &[Option<Attr>]) -> Folded {
    constant_mask(op).map_or(Folded::Stays, Folded::one)
}

pub(crate) fn shape_cast(op: OpRef<'_>, known: &[Option<Attr>]) -> Folded {
    let source = op.operand(0);
    if let Some(same) = as_it_is(op, source) {
        return Folded::one(same);
    }
    if let Some(inner) = defining::<ShapeCast>(op, source) {
        return Change::new().operands([inner.operand(0)]).into();
    }
    if let Some(inner) = defining::<Transpose>(op, source).filter(|inner| keeps_order(*inner)) {
        return Change::new().operands([inner.operand(0)]).into();
    }
    if let Some(same) = defining::<Broadcast>(op, source).and_then(|inner| as_it_is(op, inner.operand(0))) {
        return Folded::one(same);
    }
    splat_of(op, known[0]).into()
}

/// Whether a transposition preserves the linear order of elements: only dimensions of extent 1 move.
pub(crate) fn keeps_order(transpose: OpRef<'_>) -> bool {
    let parts = Parts::of_any(transpose.context(), operand(transpose, 0));
    let moves = |&dim: &i64| {
        let dim = dim as usize;
        parts.shape[dim] != 1 || parts.scalable[dim]
    };
    numbers(transpose, "permutation").iter().filter(|dim| moves(dim)).is_sorted()
}

pub(crate) fn transpose(op: OpRef<'_>, known: &[Option<Attr>]) -> Folded {
    let source = op.operand(0);
    if let Some(splat) = splat_of(op, known[0]) {
        return Folded::one(splat);
    }
    if let Some(same) = as_it_is(op, source).filter(|_| keeps_order(op)) {
        return Folded::one(same);
    }
    let Some(inner) = defining::<Transpose>(op, source) else { return Folded::Unchanged };
    let first = numbers(inner, "permutation");
    let both: Vec<i64> = numbers(op, "permutation").iter().map(|&dim| first[dim as usize]).collect();
    let both = with_prop(op, "permutation", Attr::dense_i64(op.context(), &both));
    Change::new().operands([inner.operand(0)]).props(both).into()
}

/// Folds a shuffle that selects all rows of one operand in order.
pub(crate) fn shuffle(op: OpRef<'_>) -> Option<minoan_ir::Value> {
    let ctx = op.context();
    let [first, second] = [0, 1].map(|at| operand(op, at).shape(ctx).unwrap_or(&[]));
    // The rows of rank-0 vectors become a vector of rank 1.
    if first.is_empty() {
        return None;
    }
    let mask = numbers(op, "mask");
    let (first, second) = (rows(first), rows(second));
    if mask.iter().copied().eq(0..first) {
        return as_it_is(op, op.operand(0));
    }
    mask.iter().copied().eq(first..first + second).then(|| as_it_is(op, op.operand(1))).flatten()
}

pub(crate) fn bitcast(op: OpRef<'_>) -> Folded {
    if let Some(same) = as_it_is(op, op.operand(0)) {
        return Folded::one(same);
    }
    let Some(inner) = defining::<BitCast>(op, op.operand(0)) else { return Folded::Unchanged };
    match as_it_is(op, inner.operand(0)) {
        Some(same) => Folded::one(same),
        None => Change::new().operands([inner.operand(0)]).into(),
    }
}

/// Folds a mask that is set everywhere or nowhere.
fn constant_mask(op: OpRef<'_>) -> Option<Attr> {
    let (ctx, ty, bounds) = (op.context(), result(op), numbers(op, "mask_dim_sizes"));
    let shape = ty.shape(ctx)?;
    let extents = if shape.is_empty() { &[1][..] } else { shape };
    let set = bounds == extents;
    (set || bounds.iter().all(|&bound| bound == 0)).then(|| Datum::from(set).to_splat(ctx, ty)).flatten()
}
