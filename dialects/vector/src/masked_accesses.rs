//! Masked transfers and gathers as those with a mask operand, as a named set of patterns that is applied before lowering.
//!
//! MLIR's conversion lowers neither in the region of a `vector.mask`.

use crate::expansions::spread;
use crate::transfer::mask_dims;
use crate::types::Parts;
use crate::{Gather, Mask, TransferRead, TransferWrite};
use minoan_arith as arith;
use minoan_ir::{InsertionPoint, Op, OpDef, Type, Value};
use minoan_rewrite::{Matched, NamedPatterns, NoMatch, PatternSet, PatternStage, Rewriter};

pub(crate) const SET: NamedPatterns = NamedPatterns {
    name: "vector-masked-accesses",
    description: "fold the mask of an enclosing vector.mask into transfers and gathers",
    stage: PatternStage::BeforeLowering,
    add,
};

fn add(patterns: &mut PatternSet) {
    patterns
        .on("vector-masked-gather", |op: Gather, rewriter| {
            let mask = rewriter.op(op.op()).n_operands() - 2;
            let own = op.mask(rewriter.body());
            unmask(op.op(), Some(own), rewriter, |rewriter, combined| {
                rewriter.set_operand(op.op(), mask, combined);
            })
        })
        .on("vector-masked-read", |op: TransferRead, rewriter| {
            let own = op.mask(rewriter.body());
            unmask(op.op(), own, rewriter, |rewriter, combined| set_mask(op.op(), rewriter, combined))
        })
        .on("vector-masked-write", |op: TransferWrite, rewriter| {
            let own = op.mask(rewriter.body());
            unmask(op.op(), own, rewriter, |rewriter, combined| set_mask(op.op(), rewriter, combined))
        });
}

/// Sets the mask of a transfer, the last operand group.
fn set_mask(op: Op, rewriter: &mut Rewriter<'_>, mask: Value) {
    rewriter.modify(op, |body, op| body.set_operand_group(op, 3, &[mask]));
}

/// Hoists a masked access out of `vector.mask`, using the conjunction of both masks.
fn unmask(
    op: Op,
    own: Option<Value>,
    rewriter: &mut Rewriter<'_>,
    set: impl FnOnce(&mut Rewriter<'_>, Value),
) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let ctx = rewriter.context().clone();
    let view = body.op(op);
    let around = view.parent().and_then(|parent| Mask::cast(body, parent));
    let around = around.ok_or_else(|| NoMatch::because("it is not masked"))?;
    let (mask, passed, loc) = (around.mask(body), around.passthru(body), view.loc());
    // The dimensions of the vector that the mask has, which only a transfer with a pass-through vector needs.
    let dims = match (passed, view.cast::<TransferRead>()) {
        (Some(_), Some(read)) => mask_dims(read.permutation_map(body)),
        _ => Vec::new(),
    };
    if passed.is_some() && dims.is_empty() {
        return Err(NoMatch::because("the mask has no dimension of the vector"));
    }
    // The only change that can fail comes first: a pattern that does not match must not change the IR.
    let moved = rewriter.try_move_op(op, InsertionPoint::Before(around.op()));
    moved.map_err(|_| NoMatch::because("the operation cannot be moved"))?;
    rewriter.set_before(op);
    let mut b = rewriter.builder().with_loc(loc);
    let combined = own.map_or(mask, |own| arith::andi(&mut b, own, mask));
    set(rewriter, combined);
    let mut results: Vec<Value> = rewriter.op(op).results().collect();
    if let (Some(passed), &[vector]) = (passed, &results[..]) {
        rewriter.set_before(around.op());
        let mut b = rewriter.builder().with_loc(loc);
        let ty = b.ty(vector);
        let parts = Parts::of_any(&ctx, ty);
        let order: Vec<usize> = (0..parts.rank()).collect();
        let active = spread(&mut b, mask, &dims, &order, Parts { element: Type::I1, ..parts });
        results = vec![arith::Select::build(&mut b, active, vector, passed).result(b.body())];
    }
    rewriter.replace(around.op(), &results);
    Ok(Matched)
}
