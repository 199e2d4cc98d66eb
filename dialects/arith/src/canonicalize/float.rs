//! Canonicalization of floating-point operations.

use crate::*;
use minoan_ir::OpDef;
use minoan_rewrite::{Matched, NoMatch, PatternSet, Rewriter};

pub(super) fn add_patterns(patterns: &mut PatternSet) {
    patterns
        .on("arith-mulf-of-negf", |op: MulF, rewriter| of_negated(op, rewriter))
        .on("arith-divf-of-negf", |op: DivF, rewriter| of_negated(op, rewriter));
}

/// `(-x) op (-y)` becomes `x op y`; the flags are kept.
fn of_negated(op: impl OpDef, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let view = rewriter.op(op.op());
    let body = view.body();
    let negated = |index: usize| {
        let negated = NegF::cast(body, body.defining_op(view.operand(index))?)?;
        Some(negated.operand(body))
    };
    let (Some(x), Some(y)) = (negated(0), negated(1)) else {
        return Err(NoMatch::because("an operand is not an arith.negf"));
    };
    rewriter.modify(op.op(), |body, op| body.set_operands(op, &[x, y]));
    Ok(Matched)
}
