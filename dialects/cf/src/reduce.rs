//! Test-case reduction of branches: to one successor, and by merging blocks.

use crate::Br;
use minoan_ir::{Block, Body, Builder, InsertionPoint, Op, OpRef, Value};
use minoan_services::{Branches, Reduce};

/// Reduces to each of the successors.
pub(crate) struct OneSuccessor;

impl Reduce for OneSuccessor {
    fn n_simplifications(&self, op: OpRef<'_>) -> usize {
        op.n_successors()
    }

    fn simplify(&self, body: &mut Body, op: Op, number: usize) -> bool {
        let view = body.op(op);
        let Some(to) = view.successors().nth(number) else { return false };
        let service = body.context().service::<dyn Branches>(view.kind());
        let Some(operands) = service.map(|service| service.operands(view, number)) else { return false };
        Br::build(&mut Builder::before(body, op), &operands, to);
        body.try_erase(op).is_ok()
    }
}

/// Merges the successor into the block.
pub(crate) struct Join;

impl Reduce for Join {
    fn n_simplifications(&self, _: OpRef<'_>) -> usize {
        1
    }

    fn simplify(&self, body: &mut Body, op: Op, _: usize) -> bool {
        let view = body.op(op);
        let (Some(own), Some(next)) = (view.block(), view.successors().next()) else { return false };
        let Some(region) = body.block(own).region() else { return false };
        let leads_there = |block: &Block| body.block(*block).successors().contains(&next);
        let before: Vec<Block> = body.region(region).blocks().filter(leads_there).collect();
        if before != [own] || next == own || body.region(region).entry() == Some(next) {
            return false;
        }
        let args: Vec<Value> = view.operands().collect();
        // In unreachable code, a block may receive its own arguments.
        if args.iter().any(|&arg| body.block_of(arg) == Some(next)) || body.try_erase(op).is_err() {
            return false;
        }
        body.inline_block(next, InsertionPoint::End(own), &args);
        true
    }
}
