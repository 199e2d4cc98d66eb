//! Passing additional values through regions.

use crate::{Yield, regions};
use minoan_ir::{Block, Body, InsertionPoint, Op, OpRef, OpState, Value};
use minoan_services::{PassThrough, ThreadedEnd, ThreadedOp, with_more_results};

/// The entry blocks of the non-empty regions.
fn entries(body: &Body, op: Op) -> Vec<Option<Block>> {
    body.op(op).own_regions().map(|region| body.region(region).entry()).collect()
}

/// Adds block arguments of the types of values.
fn more_args(body: &mut Body, block: Block, values: &[Value]) -> Vec<Value> {
    let add = |&value: &Value| {
        let (ty, loc) = (body.ty(value), body.value_loc(value));
        body.add_arg(block, ty, loc)
    };
    values.iter().map(add).collect()
}

/// Operations that execute one region once, which yields the results.
pub(crate) struct Once;

impl PassThrough for Once {
    /// The results are those of the yields: an `scf.if` without `else` has none, but can be given one.
    fn can_thread(&self, op: OpRef<'_>) -> bool {
        op.n_regions() > 0
    }

    fn thread(&self, body: &mut Body, op: Op, values: &[Value]) -> ThreadedOp {
        let (op, results) = with_more_results(body, op, &[], values);
        let (loc, yields) = (body.op(op).loc(), body.context().kind_of::<Yield>());
        let regions: Vec<_> = body.op(op).own_regions().collect();
        let mut ends = Vec::new();
        for &region in &regions {
            if body.region(region).is_empty() {
                let block = body.add_block(region, &[]);
                body.create(&OpState::new(yields).loc(loc), InsertionPoint::End(block));
            }
            let blocks: Vec<Block> = body.region(region).blocks().collect();
            for block in blocks {
                if let Some(end) = regions::yield_of(body, block).map(|end| end.id()) {
                    ends.push(ThreadedEnd::extend(body, end, values));
                }
            }
        }
        ThreadedOp { op, args: vec![values.to_vec(); regions.len()], ends, results }
    }
}

/// `scf.for` and `scf.while`: the operands initialize the first region, and each region forwards its last operands to
/// the next.
pub(crate) struct Carried;

impl PassThrough for Carried {
    fn can_thread(&self, op: OpRef<'_>) -> bool {
        let body = op.body();
        op.own_regions().all(|region| {
            let last = body.region(region).entry().and_then(|entry| body.block(entry).last());
            body.region(region).blocks().len() == 1 && last.is_some()
        })
    }

    fn thread(&self, body: &mut Body, op: Op, values: &[Value]) -> ThreadedOp {
        let (op, results) = with_more_results(body, op, values, values);
        let (mut args, mut ends) = (Vec::new(), Vec::new());
        for entry in entries(body, op).into_iter().flatten() {
            let own = more_args(body, entry, values);
            if let Some(end) = body.block(entry).last() {
                ends.push(ThreadedEnd::extend(body, end, &own));
            }
            args.push(own);
        }
        ThreadedOp { op, args, ends, results }
    }
}
