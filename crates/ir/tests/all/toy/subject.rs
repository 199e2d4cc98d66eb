//! A body under random mutation.

use minoan_ir::{Block, Body, Context, Def, InsertionPoint, Mapping, Op, Region, Type, Value};

/// A body, and all ids that ever occurred in it.
pub struct Subject {
    pub ctx: Context,
    pub body: Body,
    /// The operations, with whether they should exist.
    pub ops: Vec<(Op, bool)>,
}

impl Subject {
    /// A body with an empty block.
    pub fn new() -> Self {
        let ctx = super::context();
        let mut body = Body::new(&ctx, 1);
        let root = body.root(0);
        body.add_block(root, &[Type::I1, Type::F32]);
        Self { ctx, body, ops: Vec::new() }
    }

    /// A chosen operation.
    pub fn op(&self, choice: usize) -> Option<Op> {
        pick(&self.body.walk(), choice)
    }

    /// All regions.
    pub fn regions(&self) -> Vec<Region> {
        let inner = self.body.walk().into_iter().flat_map(|op| self.body.op(op).own_regions());
        self.body.regions().chain(inner).collect()
    }

    /// All blocks.
    pub fn blocks(&self) -> Vec<Block> {
        self.regions().into_iter().flat_map(|region| self.body.region(region).blocks()).collect()
    }

    /// A chosen value.
    pub fn value(&self, choice: usize) -> Option<Value> {
        let args = self.blocks().into_iter().flat_map(|block| self.body.block(block).args());
        let results = self.body.walk().into_iter().flat_map(|op| self.body.op(op).results());
        pick(&args.chain(results).collect::<Vec<_>>(), choice)
    }

    /// A chosen insertion point.
    pub fn point(&self, choice: usize) -> Option<InsertionPoint> {
        Some(match choice % 4 {
            0 => InsertionPoint::Before(self.op(choice / 4)?),
            1 => InsertionPoint::After(self.op(choice / 4)?),
            2 => InsertionPoint::Start(pick(&self.blocks(), choice / 4)?),
            _ => InsertionPoint::End(pick(&self.blocks(), choice / 4)?),
        })
    }

    /// Whether an insertion point is in a block or nested in it.
    pub fn in_block(&self, point: InsertionPoint, block: Block) -> bool {
        let body = &self.body;
        let mut at = match point {
            InsertionPoint::Before(op) | InsertionPoint::After(op) => body.op(op).block(),
            InsertionPoint::Start(block) | InsertionPoint::End(block) => Some(block),
            InsertionPoint::Detached => None,
        };
        while let Some(around) = at {
            if around == block {
                return true;
            }
            at = body.block(around).parent().and_then(|op| body.op(op).block());
        }
        false
    }

    /// Whether a block is a successor of the last operation of a block in its region.
    pub fn is_named(&self, block: Block, but: Option<Block>) -> bool {
        let region = self.body.block(block).region().expect("blocks are in regions");
        let mut others = self.body.region(region).blocks().filter(|other| Some(*other) != but);
        others.any(|other| self.body.block(other).successors().contains(&block))
    }

    /// An operation and everything in it.
    pub fn tree(&self, op: Op) -> Vec<Op> {
        let inside = |other: &Op| self.body.op(*other).ancestors().any(|around| around.id() == op);
        self.body.walk().into_iter().filter(inside).collect()
    }

    /// Whether a value defined by `tree` or in `blocks` is used outside.
    pub fn used_outside(&self, tree: &[Op], blocks: &[Block]) -> bool {
        let results = tree.iter().flat_map(|&op| self.body.op(op).results());
        let args = blocks.iter().flat_map(|&block| self.body.block(block).args());
        let mut uses = results.chain(args).flat_map(|value| self.body.uses(value));
        uses.any(|user| !tree.contains(&user.op))
    }

    /// All blocks nested in operations.
    pub fn blocks_inside(&self, tree: &[Op]) -> Vec<Block> {
        let regions = tree.iter().flat_map(|&op| self.body.op(op).own_regions());
        regions.flat_map(|region| self.body.region(region).blocks()).collect()
    }

    /// Marks operations as erased.
    pub fn gone(&mut self, ops: &[Op]) {
        for (op, alive) in &mut self.ops {
            *alive &= !ops.contains(op);
        }
    }

    /// Checks that one tree is a clone of another.
    pub fn same(&self, old: &[Op], new: &[Op], mapping: &Mapping) {
        assert_eq!(old.len(), new.len());
        for (&old, &new) in old.iter().zip(new) {
            let (old, new) = (self.body.op(old), self.body.op(new));
            assert_eq!(
                (old.kind(), old.n_results(), old.n_regions()),
                (new.kind(), new.n_results(), new.n_regions())
            );
            assert!(old.operands().map(|value| mapping.value(value)).eq(new.operands()));
        }
    }

    /// Checks all invariants after a mutation.
    pub fn check(&self) {
        assert_eq!(self.body.check_invariants(), [""; 0]);
        for &(op, alive) in &self.ops {
            assert_eq!(self.body.contains(op), alive, "{op:?}");
            assert_eq!(self.body.try_op(op).is_ok(), alive);
        }
        for op in self.body.walk() {
            for (index, value) in self.body.op(op).operands().enumerate() {
                assert!(self.body.contains_value(value));
                assert!(self.body.uses(value).any(|user| (user.op, user.index) == (op, index)));
            }
            for (index, result) in self.body.op(op).results().enumerate() {
                assert_eq!(self.body.def(result), Def::Result(op, index));
            }
            if let Some(nested) = self.body.nested(op) {
                assert_eq!(nested.check_invariants(), [""; 0]);
            }
        }
    }
}

/// An element chosen by a number.
pub fn pick<T: Copy>(from: &[T], choice: usize) -> Option<T> {
    from.get(choice.checked_rem(from.len())?).copied()
}
