//! Which branches lead to which blocks.

use minoan_ir::{Block, Body, Op};

/// The branches of a body by the block that they lead to, each with the number of the successor.
pub(crate) struct BranchTable {
    branches: Vec<(Op, u32)>,
    /// By block number: where its branches begin and end.
    starts: Vec<u32>,
}

impl BranchTable {
    /// `order` is the walk of the body; takes one pass over it.
    pub(crate) fn of(body: &Body, order: &[Op]) -> Self {
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

    /// All branches, those to one block together.
    pub(crate) fn all(&self) -> &[(Op, u32)] {
        &self.branches
    }

    /// The branches that lead to a block.
    pub(crate) fn to(&self, block: Block) -> &[(Op, u32)] {
        &self.branches[self.starts[block.index()] as usize..self.starts[block.index() + 1] as usize]
    }
}
