//! Passing additional values through regions.

use crate::{For, If, Yield};
use minoan_ir::{Block, Body, InsertionPoint, Op, OpRef, OpState, Type, Value};
use minoan_services::{PassThrough, ThreadedEnd, ThreadedOp, with_more_results};

/// Recreates a loop with more loop-carried values, whose arguments and next values the caller adds; replaces the old results.
/// Returns the new loop with the added results.
pub(crate) fn recreate(body: &mut Body, op: Op, inits: &[Value]) -> (Op, Vec<Value>) {
    let view = body.op(op);
    let operands: Vec<Value> = view.operands().chain(inits.iter().copied()).collect();
    let types: Vec<Type> = view.result_types().chain(inits.iter().map(|&init| body.ty(init))).collect();
    let (kept, carried) = (view.n_results(), view.operand_range(2).len() + inits.len());
    let sizes = [view.operand_range(0).len() as i32, view.operand_range(1).len() as i32, carried as i32];
    let new = body.recreate(op, &operands, &types);
    let ctx = body.context().clone();
    let sizes = minoan_ir::Attr::dense_i32(&ctx, &sizes);
    body.set_attr(new, ctx.names().operand_segments, Some(sizes));
    let results: Vec<Value> = body.op(new).results().collect();
    body.replace(op, &results[..kept]);
    (new, results[kept..].to_vec())
}

/// The `affine.yield` that terminates a block.
fn yield_of(body: &Body, block: Block) -> Option<Op> {
    body.block(block).last().filter(|&last| body.op(last).is::<Yield>())
}

/// `affine.if`, which executes one region once.
pub(crate) struct Once;

impl PassThrough for Once {
    fn can_thread(&self, op: OpRef<'_>) -> bool {
        op.is::<If>()
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
            let entry = body.region(region).entry();
            if let Some(end) = entry.and_then(|block| yield_of(body, block)) {
                ends.push(ThreadedEnd::extend(body, end, values));
            }
        }
        ThreadedOp { op, args: vec![values.to_vec(); regions.len()], ends, results }
    }
}

/// `affine.for`: the operands initialize the region, which forwards its last operands to itself.
pub(crate) struct Carried;

impl PassThrough for Carried {
    fn can_thread(&self, op: OpRef<'_>) -> bool {
        let body = op.body();
        let entry = op.own_region(0).and_then(|region| body.region(region).entry());
        op.is::<For>() && entry.is_some_and(|entry| yield_of(body, entry).is_some())
    }

    fn thread(&self, body: &mut Body, op: Op, values: &[Value]) -> ThreadedOp {
        let (op, results) = recreate(body, op, values);
        let (mut args, mut ends) = (Vec::new(), Vec::new());
        if let Some(entry) = body.region(body.op(op).region(0)).entry() {
            let add = |&value: &Value| {
                let (ty, loc) = (body.ty(value), body.value_loc(value));
                body.add_arg(entry, ty, loc)
            };
            let own: Vec<Value> = values.iter().map(add).collect();
            if let Some(end) = body.block(entry).last() {
                ends.push(ThreadedEnd::extend(body, end, &own));
            }
            args.push(own);
        }
        ThreadedOp { op, args, ends, results }
    }
}
