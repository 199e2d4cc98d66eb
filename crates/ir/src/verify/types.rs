//! Rules 10 to 13: traits that compare types.

use super::Report;
use crate::{Context, DYNAMIC, OpRef, Traits, Type, TypeData};

/// Rules 10 to 13.
pub(super) fn check(report: &mut Report, op: OpRef<'_>, operands: &[Type], results: &[Type]) {
    let (ctx, traits) = (op.context(), op.traits());
    if traits.has(Traits::SAME_OPERANDS) && operands.windows(2).any(|pair| pair[0] != pair[1]) {
        report.op(op, "requires all operands to have the same type");
    }
    let all = || operands.iter().chain(results).copied();
    let Some(first) = all().next() else { return };
    if traits.has(Traits::SAME_OPERANDS_AND_RESULT) {
        let same = |ty: Type| {
            let element = ty.element_or_self(ctx) == first.element_or_self(ctx);
            element && encoding(ctx, ty) == encoding(ctx, first) && compatible(ctx, ty, first)
        };
        if !all().all(same) {
            report.op(op, "requires the same type for all operands and results");
        }
    }
    if traits.has(Traits::SAME_SHAPE) && !all().all(|ty| compatible(ctx, ty, first)) {
        report.op(op, "requires the same shape for all operands and results");
    }
    if traits.has(Traits::ELEMENTWISE) {
        elementwise(report, op, operands, results);
    }
}

/// Rule 13.
fn elementwise(report: &mut Report, op: OpRef<'_>, operands: &[Type], results: &[Type]) {
    let ctx = op.context();
    let mapped = |ty: &&Type| ty.is_vector(ctx) || ty.is_tensor(ctx);
    let count = |types: &[Type]| types.iter().filter(mapped).count();
    let (in_operands, in_results) = (count(operands), count(results));
    if in_operands == 0 && in_results == 0 {
        return;
    }
    if in_results > 0 && in_operands == 0 {
        report.op(op, "if a result is non-scalar, then at least one operand must be non-scalar");
    } else if in_results == 0 {
        report.op(op, "if an operand is non-scalar, then there must be at least one non-scalar result");
    } else if in_results < results.len() {
        report.op(op, "if an operand is non-scalar, then all results must be non-scalar");
    } else {
        let mut types = operands.iter().chain(results).filter(mapped).copied();
        let Some(first) = types.next() else { return };
        // Tensors with a rank and without one are of different base types.
        let base = |ty: Type| (ty.is_vector(ctx), ty.rank(ctx).is_some());
        if !types.all(|ty| base(ty) == base(first) && compatible(ctx, ty, first)) {
            report.op(op, "all non-scalar operands/results must have the same shape and base type");
        }
    }
}

/// Whether two types may describe one shape: both scalars, or of one rank with no extent that differs.
fn compatible(ctx: &Context, a: Type, b: Type) -> bool {
    let shaped = |ty: Type| ty.is_vector(ctx) || ty.is_tensor(ctx) || ty.is_memref(ctx);
    if !shaped(a) || !shaped(b) {
        return shaped(a) == shaped(b);
    }
    let (Some(left), Some(right)) = (a.shape(ctx), b.shape(ctx)) else { return true };
    left.len() == right.len()
        && left.iter().zip(right).all(|(a, b)| a == b || *a == DYNAMIC || *b == DYNAMIC)
        && scalable(ctx, a) == scalable(ctx, b)
}

fn scalable(ctx: &Context, ty: Type) -> &[bool] {
    match ty.data(ctx) {
        TypeData::Vector { scalable, .. } => scalable,
        _ => &[],
    }
}

fn encoding(ctx: &Context, ty: Type) -> Option<crate::Attr> {
    match *ty.data(ctx) {
        TypeData::RankedTensor { encoding, .. } => encoding,
        _ => None,
    }
}
