//! Traversal of operations and nested bodies.

use super::arena::Link;
use super::{Body, Op, OpData};

impl Body {
    /// The operations with a nested body and these bodies, in text order, for mutating them in parallel.
    pub fn nested_in_order(&mut self) -> Vec<(Op, &mut Body)> {
        if self.exts.iter().all(|ext| ext.nested.is_none()) {
            return Vec::new();
        }
        let mut order = vec![u32::MAX; self.exts.len()];
        let mut ops: Vec<Op> = Vec::new();
        for op in self.walk() {
            let ext = self.ops[self.op_link(op)].ext;
            if self.exts.get(ext as usize).is_some_and(|ext| ext.nested.is_some()) {
                order[ext as usize] = ops.len() as u32;
                ops.push(op);
            }
        }
        let mut slots: Vec<Option<&mut Body>> = ops.iter().map(|_| None).collect();
        for (ext, number) in self.exts.iter_mut().zip(order) {
            if let Some(slot) = slots.get_mut(number as usize) {
                *slot = ext.nested.as_deref_mut();
            }
        }
        ops.into_iter().zip(slots.into_iter().flatten()).collect()
    }

    /// A number that changes whenever the body or a nested body is mutated.
    pub fn version(&self) -> u64 {
        let mut version = 0u64;
        let mut pending = vec![self];
        while let Some(body) = pending.pop() {
            for part in [u64::from(body.tag), body.edits] {
                version = (version.rotate_left(5) ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            }
            pending.extend(body.exts.iter().filter_map(|ext| ext.nested.as_deref()));
        }
        version
    }

    /// All operations of the body in preorder, including those in nested regions; does not enter nested bodies.
    pub fn walk(&self) -> Vec<Op> {
        let mut order = Vec::with_capacity(self.op_capacity());
        // The blocks to visit, last one first.
        let mut pending: Vec<Link> = Vec::new();
        let push_region = |pending: &mut Vec<Link>, region: Link| {
            pending.extend(self.blocks_of(region).rev());
        };
        let mut cursors: Vec<Link> = Vec::new();
        for &root in self.roots.iter().rev() {
            push_region(&mut pending, root);
        }
        // One cursor per open operation, whose blocks are done when `pending` is back at its height.
        let mut heights: Vec<usize> = Vec::new();
        loop {
            let floor = heights.last().copied().unwrap_or(0);
            let mut at = if pending.len() > floor {
                let block = pending.pop().expect("just seen");
                self.blocks[block].first
            } else if let Some(next) = cursors.pop() {
                heights.pop();
                next
            } else {
                return order;
            };
            while at != Link::NONE {
                order.push(self.op_id(at));
                let OpData { next, ext, .. } = self.ops[at];
                if let Some(ext) = self.exts.get(ext as usize).filter(|ext| !ext.regions.is_empty()) {
                    cursors.push(next);
                    heights.push(pending.len());
                    for &region in ext.regions.iter().rev() {
                        push_region(&mut pending, region);
                    }
                    break;
                }
                at = next;
            }
        }
    }
}
