//! Conditionals in atomic updates as selections, as a named set of patterns that is applied before the translation to MLIR.
//!
//! MLIR's lowering of an atomic update takes a region of one block. The computation has no side effects, so both branches can be
//! executed where their operations may be.

use crate::If;
use minoan_arith::Select;
use minoan_ir::{Body, InsertionPoint, Op, OpDef, Region, Value};
use minoan_rewrite::{Matched, NamedPatterns, NoMatch, PatternSet, PatternStage, Rewriter};
use minoan_services::{AtomicUpdate, SpeculationTable};

pub(crate) const SET: NamedPatterns = NamedPatterns {
    name: "scf-speculate-atomics",
    description: "express conditionals in atomic updates by selections",
    stage: PatternStage::BeforeTranslation,
    add: |patterns: &mut PatternSet| {
        patterns.on("scf-speculate-if-in-atomic", speculate);
    },
};

/// Whether an operation is part of an atomic update.
fn is_in_update(body: &Body, op: Op) -> bool {
    let ctx = body.context();
    body.op(op).ancestors().any(|around| {
        ctx.service::<dyn AtomicUpdate>(around.kind()).is_some_and(|service| service.old(around).is_some())
    })
}

/// The operations of a branch and the values that it yields; `None` if one may not be executed without its condition.
fn harmless(body: &Body, region: Region) -> Option<(Vec<Op>, Vec<Value>)> {
    let block = body.region(region).entry()?;
    let mut ops: Vec<Op> = body.block(block).ops().collect();
    let end = ops.pop()?;
    let speculation = SpeculationTable::new(body.context());
    let fits = |&op: &Op| body.op(op).n_regions() == 0 && speculation.is_harmless(body.op(op));
    ops.iter().all(fits).then(|| (ops, body.op(end).operands().collect()))
}

fn speculate(op: If, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    if !is_in_update(body, op.op()) {
        return Err(NoMatch::because("it is not part of an atomic update"));
    }
    let condition = op.condition(body);
    let mut branches = Vec::new();
    for region in [op.then_region(body), op.else_region(body)] {
        let branch = match body.region(region).is_empty() {
            true => Some((Vec::new(), Vec::new())),
            false => harmless(body, region),
        };
        branches
            .push(branch.ok_or(NoMatch::because("a branch has an operation that depends on the condition"))?);
    }
    let mut yielded = Vec::new();
    for (ops, values) in branches {
        for inner in ops {
            let moved = rewriter.try_move_op(inner, InsertionPoint::Before(op.op()));
            moved.map_err(|error| NoMatch::because(error.to_string()))?;
        }
        yielded.push(values);
    }
    let pairs: Vec<(Value, Value)> = yielded[0].iter().copied().zip(yielded[1].iter().copied()).collect();
    let mut results = Vec::with_capacity(pairs.len());
    for (then, otherwise) in pairs {
        let select = Select::build(&mut rewriter.builder(), condition, then, otherwise);
        results.push(select.result(rewriter.body()));
    }
    rewriter.replace(op.op(), &results);
    Ok(Matched)
}
