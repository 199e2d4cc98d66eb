//! Traversal orders, and the walk driver.

use crate::{FrozenPatterns, Listener, Rewriter};
use minoan_ir::{Block, Body, Op, Region};

/// The operations of a region in preorder; does not enter nested bodies.
pub fn pre_order(body: &Body, region: Region) -> Vec<Op> {
    walk(body, region, Order::Pre).into_iter().map(|(op, _)| op).collect()
}

/// The operations of a region in postorder; does not enter nested bodies.
pub fn post_order(body: &Body, region: Region) -> Vec<Op> {
    walk(body, region, Order::Post).into_iter().map(|(op, _)| op).collect()
}

/// An operation whose blocks are being visited.
struct Open {
    /// The operation; `None` for the region itself.
    owner: Option<(Op, Region)>,
    /// The blocks to visit, the last one first.
    blocks: Vec<Block>,
    next: Option<Op>,
    /// The region to which constants are moved.
    scope: Region,
    /// Whether each region is its own constant scope, since the operation is unregistered.
    closed: bool,
}

/// The order of an operation and those in its regions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    Pre,
    Post,
}

/// The operations of a region, each with the region to which constants may be moved: the outermost one inside any
/// unregistered operation.
pub(crate) fn walk(body: &Body, region: Region, order: Order) -> Vec<(Op, Region)> {
    let mut ops = Vec::with_capacity(body.op_capacity());
    let blocks = body.region(region).blocks().rev().collect();
    let mut open = vec![Open { owner: None, blocks, next: None, scope: region, closed: false }];
    while let Some(top) = open.last_mut() {
        while top.next.is_none()
            && let Some(block) = top.blocks.pop()
        {
            top.next = body.block(block).first();
            if top.closed {
                top.scope = body.block(block).region().unwrap_or(region);
            }
        }
        let Some(op) = top.next else {
            ops.extend(top.owner.filter(|_| order == Order::Post));
            open.pop();
            continue;
        };
        let view = body.op(op);
        top.next = view.next();
        let scope = top.scope;
        if order == Order::Pre || view.own_regions().len() == 0 {
            ops.push((op, scope));
        }
        if view.own_regions().len() > 0 {
            let blocks = view.own_regions().rev_blocks(body);
            let closed = view.spec().is_none();
            open.push(Open { owner: Some((op, scope)), blocks, next: None, scope, closed });
        }
    }
    ops
}

/// The blocks of regions in reverse order.
trait RevBlocks {
    fn rev_blocks(self, body: &Body) -> Vec<Block>;
}

impl<I: Iterator<Item = Region>> RevBlocks for I {
    fn rev_blocks(self, body: &Body) -> Vec<Block> {
        let mut blocks: Vec<Block> = self.flat_map(|region| body.region(region).blocks()).collect();
        blocks.reverse();
        blocks
    }
}

/// Applies patterns to each operation of a body once, in postorder. Created operations are not visited, and nothing
/// is folded. Does not enter nested bodies.
///
/// Faster than [`GreedyDriver`](crate::GreedyDriver) for patterns that need no iteration. Returns whether anything
/// changed.
pub fn walk_and_apply(body: &mut Body, patterns: &FrozenPatterns, listener: &mut dyn Listener) -> bool {
    let mut changed = false;
    let mut created = Vec::new();
    let roots: Vec<Region> = body.regions().collect();
    for root in roots {
        for op in post_order(body, root) {
            let Ok(view) = body.try_op(op) else { continue };
            for &number in patterns.of(view.kind()) {
                let mut rewriter = Rewriter::new(body, listener, &mut created).at(op);
                let applied = patterns.pattern(number).rewrite(op, &mut rewriter).is_ok();
                rewriter.flush();
                if applied {
                    changed = true;
                    break;
                }
            }
        }
    }
    changed
}
