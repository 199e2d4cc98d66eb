//! Test-case reduction of conditionals and loops: to a single execution of a region.

use minoan_ir::{Block, Body, InsertionPoint, Op, OpRef, Traits, Value};
use minoan_services::Reduce;

/// Inlines a region with these arguments in place of the operation. The results are the terminator's operands without
/// the first `skipped`.
fn put_inside(body: &mut Body, op: Op, region: usize, args: &[Value], skipped: usize) -> bool {
    let region = body.op(op).region(region);
    let blocks: Vec<Block> = body.region(region).blocks().collect();
    let [block] = blocks[..] else { return false };
    let Some(end) = body.block(block).last().filter(|&last| body.op(last).has_trait(Traits::TERMINATOR))
    else {
        return false;
    };
    if body.block(block).n_args() != args.len() {
        return false;
    }
    body.inline_block(block, InsertionPoint::Before(op), args);
    let given: Vec<Value> = body.op(end).operands().skip(skipped).collect();
    if body.try_erase(end).is_err() || given.len() != body.op(op).n_results() {
        return false;
    }
    body.replace(op, &given);
    true
}

/// Reduces to each of the regions.
pub(crate) struct OneWay;

impl Reduce for OneWay {
    fn n_simplifications(&self, op: OpRef<'_>) -> usize {
        op.n_regions()
    }

    fn simplify(&self, body: &mut Body, op: Op, number: usize) -> bool {
        put_inside(body, op, number, &[], 0)
    }
}

/// Reduces to the first iteration.
pub(crate) struct OneRound;

impl Reduce for OneRound {
    fn n_simplifications(&self, _: OpRef<'_>) -> usize {
        1
    }

    fn simplify(&self, body: &mut Body, op: Op, _: usize) -> bool {
        let operands: Vec<Value> = body.op(op).operands().collect();
        let Some((&lower, [_, _, inits @ ..])) = operands.split_first() else { return false };
        let args = [&[lower], inits].concat();
        put_inside(body, op, 0, &args, 0)
    }
}

/// Reduces to the part before the first condition.
pub(crate) struct OneDecision;

impl Reduce for OneDecision {
    fn n_simplifications(&self, _: OpRef<'_>) -> usize {
        1
    }

    fn simplify(&self, body: &mut Body, op: Op, _: usize) -> bool {
        let inits: Vec<Value> = body.op(op).operands().collect();
        put_inside(body, op, 0, &inits, 1)
    }
}
