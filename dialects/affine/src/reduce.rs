//! Test-case reduction of conditionals and loops: to a single execution of a region.

use crate::For;
use minoan_ir::affine::AffineExpr;
use minoan_ir::{Body, Builder, InsertionPoint, Op, OpDef, OpRef, Value};
use minoan_services::Reduce;

/// Inlines a region with these arguments in place of the operation.
fn put_inside(body: &mut Body, op: Op, region: usize, args: &[Value]) -> bool {
    let region = body.op(op).region(region);
    let Some(block) = body.region(region).entry() else { return false };
    let Some(end) = body.block(block).last().filter(|&last| body.op(last).is::<crate::Yield>()) else {
        return false;
    };
    if body.block(block).n_args() != args.len() {
        return false;
    }
    body.inline_block(block, InsertionPoint::Before(op), args);
    let given: Vec<Value> = body.op(end).operands().collect();
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
        put_inside(body, op, number, &[])
    }
}

/// Reduces to the first iteration, if the lower bound is a constant or an operand.
pub(crate) struct OneRound;

impl Reduce for OneRound {
    fn n_simplifications(&self, _: OpRef<'_>) -> usize {
        1
    }

    fn simplify(&self, body: &mut Body, op: Op, _: usize) -> bool {
        let of = For::from_op_unchecked(op);
        let bound = of.lower(body);
        let lower = match &bound.map.results[..] {
            [AffineExpr::Constant(number)] => {
                let number = *number;
                minoan_arith::constant_index(&mut Builder::before(body, op), number)
            }
            [leaf] => match bound.operand_of(leaf) {
                Some(value) => value,
                None => return false,
            },
            _ => return false,
        };
        let args = [vec![lower], of.inits(body)].concat();
        put_inside(body, op, 0, &args)
    }
}
