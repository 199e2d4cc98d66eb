//! The incoming branches of blocks.

use minoan_ir::{Block, Body, Op};

/// The branches of a body, grouped by target block, with successor indices.
#[derive(Clone, Debug)]
pub struct BranchTable {
    branches: Vec<(Op, u32)>,
    /// For each block index: the range of its branches.
    starts: Vec<u32>,
}

impl BranchTable {
    /// Collects the branches of a body in one pass over `order`, its operations.
    pub fn of(body: &Body, order: &[Op]) -> Self {
        let mut edges: Vec<(Block, Op, u32)> = Vec::new();
        let mut starts = vec![0; body.block_capacity() + 2];
        for &op in order {
            for (at, block) in body.op(op).successors().enumerate() {
                edges.push((block, op, at as u32));
                starts[block.index() + 2] += 1;
            }
        }
        for at in 2..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut branches = edges.first().map_or(Vec::new(), |&(_, op, _)| vec![(op, 0); edges.len()]);
        for (block, op, at) in edges {
            let slot = &mut starts[block.index() + 1];
            branches[*slot as usize] = (op, at);
            *slot += 1;
        }
        Self { branches, starts }
    }

    /// All branches, grouped by target.
    pub fn all(&self) -> &[(Op, u32)] {
        &self.branches
    }

    /// The branches to a block.
    pub fn to(&self, block: Block) -> &[(Op, u32)] {
        &self.branches[self.starts[block.index()] as usize..self.starts[block.index() + 1] as usize]
    }
}
