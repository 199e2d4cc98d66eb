//! Canonicalization of comparisons and selects.

use super::{is_all_ones, is_one, is_zero};
use crate::fold::integer_attr;
use crate::*;
use minoan_ir::{OpDef, OpRef, Type, Value};
use minoan_rewrite::{Matched, NoMatch, PatternSet, Rewriter, pattern};

pub(super) fn add_patterns(patterns: &mut PatternSet) {
    patterns
        .add(pattern!("arith-not-cmpi":
            XOrI(compared @ CmpI(x, y), constant(ones))
            if is_all_ones(ctx, ones)
            => CmpI(x, y, { compared.predicate(rw.body()).negated() })))
        .on("arith-cmpi-extended", compare_extended)
        .on("arith-cmpf-converted", super::converted::compare)
        .add(pattern!("arith-select-not":
            Select(XOrI(condition, constant(ones)), a, b) if is_all_ones(ctx, ones) => Select(condition, b, a)))
        .add(pattern!("arith-select-select-true":
            Select(condition, Select(condition, a, _), b) => Select(condition, a, b)))
        .add(pattern!("arith-select-select-false":
            Select(condition, a, Select(condition, _, b)) => Select(condition, a, b)))
        .add(pattern!("arith-select-to-not":
            root @ Select(condition, constant(no), constant(yes))
            if body.ty(condition) == body.ty(root.result(body))
            if is_zero(ctx, no)
            if is_all_ones(ctx, yes)
            => XOrI(condition, constant(yes))))
        .add(pattern!("arith-select-to-extui":
            root @ Select(condition, constant(one), constant(zero))
            if is_extension(root.condition(body), root, body.op(root.op()))
            if is_one(ctx, one)
            if is_zero(ctx, zero)
            => ExtUI(condition, { rw.ty(root.result(rw.body())) })))
        .add(pattern!("arith-select-to-extui-not":
            root @ Select(condition, constant(zero), constant(one))
            if is_extension(root.condition(body), root, body.op(root.op()))
            if is_one(ctx, one)
            if is_zero(ctx, zero)
            if let Some(ones) = integer_attr(ctx, -1, body.ty(condition))
            => ExtUI(XOrI(condition, constant(ones)), { rw.ty(root.result(rw.body())) })));
}

/// Whether the condition can be extended to the result type: an integer type of known width greater than one, with
/// the same extents.
fn is_extension(condition: Value, select: Select, op: OpRef<'_>) -> bool {
    let (ctx, body) = (op.context(), op.body());
    let (from, to) = (body.ty(condition), body.ty(select.result(body)));
    let wide = to.element_or_self(ctx).integer_width(ctx).is_some_and(|width| width > 1);
    wide && from.with_element(ctx, Type::I1).unwrap_or(Type::I1) == from && from.shape(ctx) == to.shape(ctx)
}

/// Compares the operands of equal extensions if the extension preserves the order.
fn compare_extended(op: CmpI, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    use CmpIPredicate::*;
    let body = rewriter.body();
    let predicate = op.predicate(body);
    let [lhs, rhs] = op.operand_values(body);
    let (Some(lhs), Some(rhs)) = (body.defining_op(lhs), body.defining_op(rhs)) else {
        return Err(NoMatch::because("an operand is a block argument"));
    };
    let (lhs, rhs) = (body.op(lhs), body.op(rhs));
    let signed = lhs.is::<ExtSI>() && rhs.is::<ExtSI>();
    let unsigned = lhs.is::<ExtUI>() && rhs.is::<ExtUI>();
    if !signed && !unsigned {
        return Err(NoMatch::because("the operands are not defined by equal extensions"));
    }
    let keeps = match predicate {
        Eq | Ne => true,
        Slt | Sle | Sgt | Sge => signed,
        Ult | Ule | Ugt | Uge => unsigned,
    };
    let operands = [lhs.operand(0), rhs.operand(0)];
    if !keeps || body.ty(operands[0]) != body.ty(operands[1]) {
        return Err(NoMatch::because("the extension does not preserve the order"));
    }
    rewriter.modify(op.op(), |body, op| body.set_operands(op, &operands));
    Ok(Matched)
}
