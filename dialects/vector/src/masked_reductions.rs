//! Masked reductions as reductions of selected elements, as a named set of patterns that is applied before lowering.
//!
//! MLIR's conversion gives elements that are not active a value that is not neutral for the maximum and the minimum of
//! floats, and it starts a sum with a positive zero.

use crate::canonicalize::neutral_attr;
use crate::{CombiningKind, Mask, Reduction};
use minoan_arith as arith;
use minoan_ir::{DialectBuilder, InsertionPoint, OpDef};
use minoan_rewrite::{Matched, NamedPatterns, NoMatch, PatternSet, PatternSets, PatternStage, Rewriter};
use std::sync::Arc;

pub(crate) fn register(dialect: &mut DialectBuilder<'_>) {
    dialect.service::<dyn PatternSets>(Arc::new(SETS));
}

const SETS: &[NamedPatterns] = &[NamedPatterns {
    name: "vector-masked-reductions",
    description: "reduce vectors that have the neutral element where the mask is not set",
    stage: PatternStage::BeforeLowering,
    add,
}];

fn add(patterns: &mut PatternSet) {
    patterns.on("vector-masked-reduction", select_active);
}

/// Replaces elements that are not active by the neutral element of the kind, and reduces without a mask.
fn select_active(op: Reduction, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let ctx = rewriter.context().clone();
    let around = body.op(op.op()).parent().and_then(|parent| Mask::cast(body, parent));
    let around = around.ok_or_else(|| NoMatch::because("it is not masked"))?;
    let (mask, vector) = (around.mask(body), op.vector(body));
    let neutral = neutral_attr(&ctx, CombiningKind::of(body.op(op.op())), body.ty(vector))?;
    let loc = body.op(op.op()).loc();
    // The only change that can fail comes first: a pattern that does not match must leave the IR as it is.
    let moved = rewriter.move_op(op.op(), InsertionPoint::Before(around.op()));
    moved.map_err(|_| NoMatch::because("the operation cannot be moved"))?;
    rewriter.set_before(op.op());
    let mut b = rewriter.builder().with_loc(loc);
    let neutral = arith::constant(&mut b, neutral);
    let active = arith::Select::build(&mut b, mask, vector, neutral).result(b.body());
    rewriter.set_operand(op.op(), 0, active);
    let reduced = op.dest(rewriter.body());
    rewriter.replace(around.op(), &[reduced]);
    Ok(Matched)
}
