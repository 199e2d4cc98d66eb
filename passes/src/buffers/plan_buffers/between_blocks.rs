//! Tensors between the blocks of a region.
//!
//! The planner tracks the ownership of tensors by block: a tensor that a block uses must be defined in the block, be its
//! argument, or be borrowed, like a constant or an argument of the function. [`pass_between_blocks`] brings regions of several
//! blocks to this form:
//!
//! 1. A tensor that another block uses is passed to it, as an argument of each block on the way.
//! 2. A branch with several successors forwards the same tensors to each of them, each tensor once. An edge
//!    for which this does not hold is split: its new block takes the tensors, forwards those that the successor needs, and frees
//!    the others.

use minoan_ir::{Block, Body, Context, InsertionPoint, Op, Region, Traits, Type, Value};
use minoan_services::Branches;
use rustc_hash::{FxHashMap, FxHashSet};

/// An operation whose successors get tensors in an unknown way.
pub(super) struct UnknownBranch(pub(super) Op);

/// Passes tensors from block to block as arguments, and splits edges.
pub(super) fn pass_between_blocks(body: &mut Body, ctx: &Context) -> Result<(), UnknownBranch> {
    let inner = body.walk().into_iter().flat_map(|op| body.op(op).own_regions());
    let regions: Vec<Region> = body.regions().chain(inner).collect();
    for region in regions {
        if body.region(region).blocks().len() > 1 {
            let region = Blocks { ctx, region };
            region.pass_as_arguments(body)?;
            region.split_edges(body)?;
        }
    }
    Ok(())
}

/// A region of several blocks.
#[derive(Clone, Copy)]
struct Blocks<'c> {
    ctx: &'c Context,
    region: Region,
}

/// The end of a block that leads to another one.
type Edge = (Op, usize);

impl Blocks<'_> {
    fn is_tensor(self, body: &Body, value: Value) -> bool {
        body.ty(value).is_tensor(self.ctx)
    }

    /// Whether a block of the region owns a tensor: constants, and arguments of functions, are used where they are.
    fn is_owned(self, body: &Body, value: Value) -> bool {
        if !self.is_tensor(body, value) {
            return false;
        }
        match body.defining_op(value) {
            Some(op) => {
                let view = body.op(op);
                !view.has_trait(Traits::CONSTANT_LIKE) && self.block_of(body, op) == view.block()
            }
            None => body.block_of(value).is_some_and(|block| {
                body.block(block).region() == Some(self.region) && !self.borrows_arguments(body, block)
            }),
        }
    }

    /// Whether the arguments of a block belong to the caller: those of a function's entry block.
    fn borrows_arguments(self, body: &Body, block: Block) -> bool {
        let region = body.region(self.region);
        region.parent().is_none() && region.entry() == Some(block)
    }

    /// The block of the region that contains an operation, directly or nested.
    fn block_of(self, body: &Body, op: Op) -> Option<Block> {
        let blocks = body.op(op).ancestors().filter_map(|op| op.block());
        blocks.into_iter().find(|&block| body.block(block).region() == Some(self.region))
    }

    /// The tensors that a block owns.
    fn owned(self, body: &Body, block: Block) -> Vec<Value> {
        let args = body.block(block).args().filter(|_| !self.borrows_arguments(body, block));
        let ops = body.block(block).ops().map(|op| body.op(op));
        let results = ops.filter(|op| !op.has_trait(Traits::CONSTANT_LIKE)).flat_map(|op| op.results());
        args.chain(results).filter(|&value| self.is_tensor(body, value)).collect()
    }

    /// The edges to each block.
    fn edges(self, body: &Body) -> FxHashMap<Block, Vec<(Block, Edge)>> {
        let mut edges: FxHashMap<Block, Vec<(Block, Edge)>> = FxHashMap::default();
        for block in body.region(self.region).blocks() {
            let Some(end) = body.block(block).last() else { continue };
            for (successor, to) in body.op(end).successors().enumerate() {
                edges.entry(to).or_default().push((block, (end, successor)));
            }
        }
        edges
    }

    fn pass_as_arguments(self, body: &mut Body) -> Result<(), UnknownBranch> {
        let blocks: Vec<Block> = body.region(self.region).blocks().collect();
        let positions: FxHashMap<Block, usize> =
            blocks.iter().enumerate().map(|(position, &block)| (block, position)).collect();
        let edges = self.edges(body);
        // In the order in which the arguments are added.
        let mut passed: FxHashMap<Edge, Vec<Value>> = FxHashMap::default();
        for &block in &blocks {
            for value in self.owned(body, block) {
                let uses = body.uses(value).filter_map(|used| self.block_of(body, used.op));
                let mut pending: Vec<Block> = uses.filter(|&user| user != block).collect();
                if pending.is_empty() {
                    continue;
                }
                let mut live: FxHashSet<Block> = pending.iter().copied().collect();
                pending.sort_unstable();
                pending.dedup();
                while let Some(at) = pending.pop() {
                    let before = edges.get(&at).into_iter().flatten().map(|edge| edge.0);
                    pending.extend(before.filter(|&before| before != block && live.insert(before)));
                }
                let (ty, loc) = (body.ty(value), body.value_loc(value));
                let mut local = FxHashMap::from_iter([(block, value)]);
                let mut live: Vec<Block> = live.into_iter().collect();
                live.sort_unstable_by_key(|at| positions[at]);
                for &at in &live {
                    local.insert(at, body.add_arg(at, ty, loc));
                }
                let mut others: Vec<_> = body.uses(value).collect();
                others.retain(|used| self.block_of(body, used.op) != Some(block));
                for used in others {
                    if let Some(argument) = self.block_of(body, used.op).and_then(|at| local.get(&at)) {
                        body.set_operand(used.op, used.index, *argument);
                    }
                }
                for at in &live {
                    for &(before, edge) in edges.get(at).into_iter().flatten() {
                        passed.entry(edge).or_default().push(local[&before]);
                    }
                }
            }
        }
        let mut passed: Vec<(Edge, Vec<Value>)> = passed.into_iter().collect();
        passed.sort_unstable_by_key(|(edge, _)| *edge);
        for ((op, successor), values) in passed {
            let service = self.ctx.service::<dyn Branches>(body.op(op).kind()).ok_or(UnknownBranch(op))?;
            let mut operands = service.operands(body.op(op), successor);
            operands.extend(values);
            service.set_forwarded_operands(body, op, successor, &operands);
        }
        Ok(())
    }

    fn split_edges(self, body: &mut Body) -> Result<(), UnknownBranch> {
        for block in body.region(self.region).blocks().collect::<Vec<_>>() {
            let Some(op) = body.block(block).last() else { continue };
            let takes = |&to: &Block| body.block(to).args().any(|arg| self.is_tensor(body, arg));
            if !body.op(op).successors().any(|to| takes(&to)) {
                continue;
            }
            let branch = self.ctx.service::<dyn Branches>(body.op(op).kind()).ok_or(UnknownBranch(op))?;
            let count = body.op(op).n_successors();
            if count > 1 {
                self.split_edges_of(body, op, branch, count)?;
            }
        }
        Ok(())
    }

    fn split_edges_of(
        self,
        body: &mut Body,
        op: Op,
        branch: &(dyn Branches + 'static),
        count: usize,
    ) -> Result<(), UnknownBranch> {
        let forwarded: Vec<Vec<Value>> = (0..count)
            .map(|successor| {
                let operands = branch.operands(body.op(op), successor);
                operands.into_iter().filter(|&value| self.is_tensor(body, value)).collect()
            })
            .collect();
        let mut owned: Vec<Value> = Vec::new();
        let mut seen = FxHashSet::default();
        for &value in forwarded.iter().flatten() {
            if self.is_owned(body, value) && seen.insert(value) {
                owned.push(value);
            }
        }
        for (successor, tensors) in forwarded.iter().enumerate() {
            let distinct: FxHashSet<Value> = tensors.iter().copied().collect();
            if tensors.len() == owned.len() && distinct == seen {
                continue;
            }
            let Some(to) = body.op(op).successors().nth(successor) else { continue };
            let produced = branch.forwarded_operands(body.op(op), successor).produced;
            let mut types: Vec<Type> = body.block(to).args().take(produced).map(|arg| body.ty(arg)).collect();
            types.extend(owned.iter().map(|&value| body.ty(value)));
            let between = body.add_block_before(to, &types);
            let args: Vec<Value> = body.block(between).args().collect();
            let taken: FxHashMap<Value, Value> =
                owned.iter().copied().zip(args[produced..].iter().copied()).collect();
            let operands = branch.operands(body.op(op), successor).into_iter();
            let operands = operands.map(|value| taken.get(&value).copied().unwrap_or(value));
            let operands: Vec<Value> = args[..produced].iter().copied().chain(operands).collect();
            let jump = branch.unconditional_branch(body.op(op), to, &operands).ok_or(UnknownBranch(op))?;
            let jump = jump.loc(body.op(op).loc());
            body.create(&jump, InsertionPoint::End(between));
            body.set_successor(op, successor, between);
            branch.set_forwarded_operands(body, op, successor, &owned);
        }
        Ok(())
    }
}
