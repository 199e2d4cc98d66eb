//! Replacement of calls by copies of the callees' operations.

use minoan_ir::{Block, Body, InsertionPoint, Loc, Mapping, Op, Traits, Type, Value};
use minoan_services::{Branches, Calls};

/// The position for a callee's body.
#[derive(Clone, Copy)]
pub(super) enum Place {
    /// Replaces the call by the operations of its single block.
    Block(Block),
    /// Inserts the blocks of the callee between the halves of the call's block; this is the second half.
    Between(Block),
}

/// Replaces a call by the operations of a block; returns the copies.
pub(super) fn replace_by_block(body: &mut Body, call: Op, source: &Body, block: Block) -> Vec<Op> {
    let call_loc = body.op(call).loc();
    let mut mapping = Mapping::new();
    for (arg, operand) in source.block(block).args().zip(call_operands(body, call)) {
        mapping.map(arg, operand);
    }
    let (mut results, mut copies) = (Vec::new(), Vec::new());
    for op in source.block(block).ops() {
        let view = source.op(op);
        if view.has_trait(Traits::RETURN_LIKE) {
            results = view.operands().map(|value| mapping.value(value)).collect();
        } else {
            let copy = body.clone_op_from(source, op, InsertionPoint::Before(call), &mut mapping);
            add_call_locations(body, copy, call_loc);
            copies.push(copy);
        }
    }
    body.replace(call, &results);
    copies
}

/// Inserts the callee's blocks after the call's block has been split: the first half branches to the entry block, and
/// returns branch to the second half, whose arguments replace the results. Returns the copies of operations.
pub(super) fn replace_by_blocks(body: &mut Body, call: Op, source: &Body, after: Block) -> Vec<Op> {
    let (call_loc, operands) = (body.op(call).loc(), call_operands(body, call));
    let before = body.op(call).block().expect("a call is in a block");
    let region = body.block(after).region().expect("a block of the function");
    let results: Vec<Value> = body.op(call).results().collect();
    let types: Vec<Type> = results.iter().map(|&result| body.ty(result)).collect();
    let args: Vec<Value> = types.into_iter().map(|ty| body.add_arg(after, ty, call_loc)).collect();
    let count = source.region(source.root(0)).blocks().len();
    body.clone_region_from(source, source.root(0), region, &mut Mapping::new());
    let mut copies: Vec<Block> = body.region(region).blocks().rev().take(count).collect();
    copies.reverse();
    let ops: Vec<Op> = copies.iter().flat_map(|&block| body.block(block).ops()).collect();
    ops.iter().for_each(|&op| add_call_locations(body, op, call_loc));
    for &block in &copies {
        let last = body.block(block).last().expect("the callee is well formed");
        if body.op(last).has_trait(Traits::RETURN_LIKE) {
            let values: Vec<Value> = body.op(last).operands().collect();
            let state = branch_to(body, &copies, after, &values).expect("the callee has a branch");
            let loc = body.op(last).loc();
            body.create(&state.loc(loc), InsertionPoint::Before(last));
            body.erase(last);
        }
    }
    let state = branch_to(body, &copies, copies[0], &operands).expect("the callee has a branch");
    body.replace(call, &args);
    body.create(&state.loc(call_loc), InsertionPoint::End(before));
    ops.into_iter().filter(|&op| body.contains(op)).collect()
}

fn call_operands(body: &Body, call: Op) -> Vec<Value> {
    let view = body.op(call);
    let range = body.context().service::<dyn Calls>(view.kind()).map_or(0..0, |calls| calls.args(view));
    view.operands().skip(range.start).take(range.len()).collect()
}

/// Sets call site locations on an operation and everything in it.
fn add_call_locations(body: &mut Body, op: Op, call: Loc) {
    let ctx = body.context().clone();
    let mut pending = vec![op];
    while let Some(op) = pending.pop() {
        let loc = Loc::call_site(&ctx, body.op(op).loc(), call);
        body.set_loc(op, loc);
        let regions: Vec<_> = body.op(op).own_regions().collect();
        for block in regions.into_iter().flat_map(|region| body.region(region).blocks().collect::<Vec<_>>()) {
            pending.extend(body.block(block).ops());
        }
    }
}

/// Creates an unconditional branch like those of the given blocks.
pub(super) fn branch_to(
    body: &Body,
    blocks: &[Block],
    to: Block,
    values: &[Value],
) -> Option<minoan_ir::OpState> {
    let ctx = body.context();
    blocks.iter().find_map(|&block| {
        let last = body.op(body.block(block).last()?);
        ctx.service::<dyn Branches>(last.kind())?.unconditional_branch(last, to, values)
    })
}
