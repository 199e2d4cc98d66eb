//! Masked reductions as reductions of selected elements, as a named set of patterns that is applied before lowering.
//!
//! MLIR's conversion replaces inactive elements by a value that is not neutral for the maximum and the minimum of
//! floats, and it starts a sum with a positive zero. Its canonicalizer drops the mask of a reduction of dimensions of extent 1.

use crate::canonicalize::neutral_attr;
use crate::{CombiningKind, Mask, MultiReduction, Reduction};
use minoan_arith as arith;
use minoan_ir::{InsertionPoint, Op, OpDef};
use minoan_rewrite::{Matched, NamedPatterns, NoMatch, PatternSet, PatternStage, Rewriter};

pub(crate) const SET: NamedPatterns = NamedPatterns {
    name: "vector-masked-reductions",
    description: "reduce vectors that have the neutral element where the mask is not set",
    stage: PatternStage::BeforeLowering,
    add,
};

fn add(patterns: &mut PatternSet) {
    patterns
        .on("vector-masked-reduction", |op: Reduction, rewriter| select_active(op.op(), rewriter))
        .on("vector-masked-multi-reduction", |op: MultiReduction, rewriter| select_active(op.op(), rewriter));
}

/// Replaces elements that are not active by the neutral element of the kind, and reduces without a mask.
fn select_active(op: Op, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let ctx = rewriter.context().clone();
    let view = body.op(op);
    let around = view.parent().and_then(|parent| Mask::cast(body, parent));
    let around = around.ok_or_else(|| NoMatch::because("it is not masked"))?;
    let (mask, vector, loc) = (around.mask(body), view.operand(0), view.loc());
    let neutral = neutral_attr(&ctx, CombiningKind::of(view), body.ty(vector))?;
    // The only change that can fail comes first: a pattern that does not match must not change the IR.
    let moved = rewriter.try_move_op(op, InsertionPoint::Before(around.op()));
    moved.map_err(|_| NoMatch::because("the operation cannot be moved"))?;
    rewriter.set_before(op);
    let mut b = rewriter.builder().with_loc(loc);
    let neutral = arith::constant(&mut b, neutral);
    let active = arith::Select::build(&mut b, mask, vector, neutral).result(b.body());
    rewriter.set_operand(op, 0, active);
    let reduced = rewriter.body().op(op).result(0);
    rewriter.replace(around.op(), &[reduced]);
    Ok(Matched)
}
