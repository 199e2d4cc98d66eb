//! Rules 10 to 13: traits about types.

use super::{Report, Violation};
use crate::{Context, DYNAMIC, OpRef, Traits, Type, TypeData};

/// Rules 10 to 13.
pub(super) fn check(report: &mut Report, op: OpRef<'_>, operands: &[Type], results: &[Type]) {
    let (ctx, traits) = (op.context(), op.traits());
    if traits.has(Traits::SAME_OPERANDS)
        && let Some(odd) = operands.iter().position(|&ty| ty != operands[0])
    {
        return report.op(op, value("requires all operands to have the same type", odd, operands));
    }
    let before = report.diagnostics.error_count();
    let all = || operands.iter().chain(results).copied();
    let Some(first) = all().next() else { return };
    if traits.has(Traits::SAME_OPERANDS_AND_RESULT) {
        same(report, op, operands, results);
    }
    if report.diagnostics.error_count() > before {
        return;
    }
    if traits.has(Traits::SAME_SHAPE)
        && let Some(odd) = all().position(|ty| !compatible(ctx, ty, first))
    {
        return report.op(op, value("requires the same shape for all operands and results", odd, operands));
    }
    if traits.has(Traits::ELEMENTWISE) {
        elementwise(report, op, operands, results);
    }
}

/// Rule 11. The others are compared with the first result; one without an encoding is compatible with any.
fn same(report: &mut Report, op: OpRef<'_>, operands: &[Type], results: &[Type]) {
    let ctx = op.context();
    let Some((&first, rest)) = results.split_first() else { return };
    let rest = rest.iter().enumerate().map(|(index, ty)| (operands.len() + 1 + index, ty));
    for (index, &ty) in rest.chain(operands.iter().enumerate()) {
        let what = if ty.element_or_self(ctx) != first.element_or_self(ctx) || !compatible(ctx, ty, first) {
            "type"
        } else if encoding(ctx, first).is_some_and(|want| encoding(ctx, ty) != Some(want)) {
            "encoding"
        } else {
            continue;
        };
        let message = format!("requires the same {what} for all operands and results");
        return report.op(op, value(&message, index, operands));
    }
}

/// A violation about the type of a value: an operand, or a result, whose index follows those of the operands.
fn value(message: &str, index: usize, operands: &[Type]) -> Violation {
    match index.checked_sub(operands.len()) {
        Some(result) => Violation::from(message).about_result(result),
        None => Violation::from(message).about_operand(index),
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
        let mut types = operands.iter().chain(results).copied().enumerate().filter(|(_, ty)| mapped(&ty));
        let Some((_, first)) = types.next() else { return };
        // Ranked and unranked tensors have different base types.
        let base = |ty: Type| (ty.is_vector(ctx), ty.rank(ctx).is_some());
        if let Some((odd, _)) = types.find(|&(_, ty)| base(ty) != base(first) || !compatible(ctx, ty, first))
        {
            let message = "all non-scalar operands/results must have the same shape and base type";
            report.op(op, value(message, odd, operands));
        }
    }
}

/// Whether two types may have the same shape: both scalars, or of equal rank without different extents.
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
