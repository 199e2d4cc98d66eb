//! Erases unreachable blocks.

use minoan_ir::{Block, Body, Op, Region};

/// Erases the blocks that are unreachable from the entry block of their region, in all regions of a body; returns
/// whether there were any. Does not enter nested bodies.
pub fn erase_unreachable_blocks(body: &mut Body) -> bool {
    let mut reached: Vec<Option<Block>> = Vec::new();
    let mut changed = false;
    for region in branching(body) {
        // It may have been in an erased block.
        if body.contains_region(region) {
            changed |= erase_unreachable(body, region, &mut reached);
        }
    }
    changed
}

/// The regions of a body with more than one block, outer ones first; does not enter nested bodies.
pub(crate) fn branching(body: &Body) -> Vec<Region> {
    let mut pending: Vec<Region> = body.regions().collect();
    let mut found = Vec::new();
    while let Some(region) = pending.pop() {
        let blocks = body.region(region).blocks();
        if blocks.len() > 1 {
            found.push(region);
        }
        for block in blocks {
            pending.extend(body.block(block).ops().flat_map(|op| body.op(op).own_regions()));
        }
    }
    found
}

fn erase_unreachable(body: &mut Body, region: Region, reached: &mut Vec<Option<Block>>) -> bool {
    reached.resize(body.block_capacity().max(reached.len()), None);
    let mut pending: Vec<Block> = body.region(region).entry().into_iter().collect();
    while let Some(block) = pending.pop() {
        if reached[block.index()].replace(block) != Some(block) {
            pending.extend(body.block(block).successors());
        }
    }
    let dead: Vec<Block> =
        body.region(region).blocks().filter(|block| reached[block.index()] != Some(*block)).collect();
    // Drop all uses first, since the blocks may use each other's values in any order.
    for &block in &dead {
        let mut ops: Vec<Op> = body.block(block).ops().collect();
        while let Some(op) = ops.pop() {
            body.set_operands(op, &[]);
            body.set_successors(op, &[]);
            let view = body.op(op);
            let inside = view.own_regions().flat_map(|region| body.region(region).blocks());
            ops.extend(inside.flat_map(|block| body.block(block).ops()));
        }
    }
    for &block in &dead {
        body.try_erase_block(block).expect("nothing reachable uses what is not");
    }
    !dead.is_empty()
}
