//! The incoming branches of blocks.

use minoan_ir::{Block, Body, Op};
use minoan_services::{Branches, ForwardedOperands};

/// A branch to a block.
#[derive(Clone, Debug)]
pub struct Edge {
    /// The branch.
    pub op: Op,
    /// The index of the successor.
    pub successor: u32,
    /// The operands forwarded to the arguments of the block, as of the creation of the table; `None` if the operation does
    /// not implement [`Branches`].
    pub forwarded: Option<ForwardedOperands>,
}

/// The branches of a body, grouped by target block.
#[derive(Clone, Debug)]
pub struct BranchTable {
    edges: Vec<Edge>,
    /// For each block index: the first of its edges, up to those of the next index.
    starts: Vec<usize>,
}

impl BranchTable {
    /// Collects the branches of a body in one pass over `order`, its operations.
    pub fn of(body: &Body, order: &[Op]) -> Self {
        let services = body.context().service_table::<dyn Branches>();
        let mut found: Vec<(Block, Edge)> = Vec::new();
        for &op in order {
            let view = body.op(op);
            if view.n_successors() == 0 {
                continue;
            }
            let service = services.and_then(|services| services.get(view.kind()));
            let mut forwarded = service.map(|service| service.all_forwarded_operands(view).into_iter());
            for (successor, block) in view.successors().enumerate() {
                let forwarded = forwarded.as_mut().map(|all| all.next().unwrap_or_default());
                found.push((block, Edge { op, successor: successor as u32, forwarded }));
            }
        }
        found.sort_by_key(|(block, _)| block.index());
        let mut starts = vec![0; body.block_capacity() + 1];
        found.iter().for_each(|(block, _)| starts[block.index() + 1] += 1);
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        Self { edges: found.into_iter().map(|(_, edge)| edge).collect(), starts }
    }

    /// All branches, grouped by target.
    pub fn all(&self) -> &[Edge] {
        &self.edges
    }

    /// The branches to a block.
    pub fn to(&self, block: Block) -> &[Edge] {
        &self.edges[self.starts[block.index()]..self.starts[block.index() + 1]]
    }
}
