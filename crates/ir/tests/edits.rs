//! Random sequences of edits keep a body's lists exact.

mod toy;

use minoan_ir::{Block, Body, Context, Def, Mapping, Op, OpState, Point, Region, Type, Value};
use proptest::prelude::*;
use toy::Func;

/// One edit; numbers choose among what is there.
#[derive(Clone, Debug)]
enum Edit {
    Create { at: usize, operands: Vec<usize>, results: usize, regions: usize, isolated: bool },
    Erase(usize),
    Move(usize, usize),
    Clone(usize, usize),
    Replace(usize, usize),
    ReplaceSome(usize, usize),
    SetOperand(usize, usize, usize),
    SetOperands(usize, Vec<usize>),
    SetSuccessors(usize, usize),
    AddBlock(usize, usize),
    EraseBlock(usize),
    EraseArg(usize, usize),
    Split(usize),
    Inline(usize, usize),
    MoveBlocks(usize, usize),
    Duplicate,
}

fn edit() -> impl Strategy<Value = Edit> {
    let n = || 0usize..1000;
    prop_oneof![
        6 => (n(), prop::collection::vec(n(), 0..6), 0usize..4, 0usize..3, prop::bool::weighted(0.1)).prop_map(
            |(at, operands, results, regions, isolated)| Edit::Create { at, operands, results, regions, isolated }
        ),
        2 => n().prop_map(Edit::Erase),
        2 => (n(), n()).prop_map(|(op, at)| Edit::Move(op, at)),
        1 => (n(), n()).prop_map(|(op, at)| Edit::Clone(op, at)),
        2 => (n(), n()).prop_map(|(from, to)| Edit::Replace(from, to)),
        1 => (n(), n()).prop_map(|(from, to)| Edit::ReplaceSome(from, to)),
        2 => (n(), n(), n()).prop_map(|(op, at, value)| Edit::SetOperand(op, at, value)),
        2 => (n(), prop::collection::vec(n(), 0..7)).prop_map(|(op, values)| Edit::SetOperands(op, values)),
        1 => (n(), n()).prop_map(|(op, block)| Edit::SetSuccessors(op, block)),
        3 => (n(), 0usize..3).prop_map(|(region, args)| Edit::AddBlock(region, args)),
        1 => n().prop_map(Edit::EraseBlock),
        1 => (n(), n()).prop_map(|(block, arg)| Edit::EraseArg(block, arg)),
        1 => n().prop_map(Edit::Split),
        1 => (n(), n()).prop_map(|(block, at)| Edit::Inline(block, at)),
        1 => (n(), n()).prop_map(|(from, to)| Edit::MoveBlocks(from, to)),
        1 => Just(Edit::Duplicate),
    ]
}

/// A body, and every id that was ever seen in it.
struct Subject {
    ctx: Context,
    body: Body,
    /// Operations, with whether they should be there.
    ops: Vec<(Op, bool)>,
}

impl Subject {
    fn new() -> Self {
        let ctx = toy::context();
        let mut body = Body::new(&ctx, 1);
        let root = body.root(0);
        body.add_block(root, &[Type::I1, Type::F32]);
        Self { ctx, body, ops: Vec::new() }
    }

    fn op(&self, choice: usize) -> Option<Op> {
        pick(&self.body.walk(), choice)
    }

    fn regions(&self) -> Vec<Region> {
        let inner = self.body.walk().into_iter().flat_map(|op| self.body.op(op).regions());
        self.body.regions().chain(inner).collect()
    }

    fn blocks(&self) -> Vec<Block> {
        self.regions().into_iter().flat_map(|region| self.body.region(region).blocks()).collect()
    }

    fn value(&self, choice: usize) -> Option<Value> {
        let args = self.blocks().into_iter().flat_map(|block| self.body.block(block).args());
        let results = self.body.walk().into_iter().flat_map(|op| self.body.op(op).results());
        pick(&args.chain(results).collect::<Vec<_>>(), choice)
    }

    fn point(&self, choice: usize) -> Option<Point> {
        Some(match choice % 4 {
            0 => Point::Before(self.op(choice / 4)?),
            1 => Point::After(self.op(choice / 4)?),
            2 => Point::Start(pick(&self.blocks(), choice / 4)?),
            _ => Point::End(pick(&self.blocks(), choice / 4)?),
        })
    }

    /// Whether a point is in a block, or deeper.
    fn in_block(&self, point: Point, block: Block) -> bool {
        let body = &self.body;
        let mut at = match point {
            Point::Before(op) | Point::After(op) => body.op(op).block(),
            Point::Start(block) | Point::End(block) => Some(block),
            Point::Detached => None,
        };
        while let Some(around) = at {
            if around == block {
                return true;
            }
            at = body.block(around).parent().and_then(|op| body.op(op).block());
        }
        false
    }

    /// Whether a block is named by the last operation of a block in its region.
    fn is_named(&self, block: Block, but: Option<Block>) -> bool {
        let region = self.body.block(block).region().expect("blocks are in regions");
        let mut others = self.body.region(region).blocks().filter(|other| Some(*other) != but);
        others.any(|other| self.body.block(other).successors().contains(&block))
    }

    /// The operations inside one, it too.
    fn tree(&self, op: Op) -> Vec<Op> {
        let inside = |other: &Op| self.body.op(*other).ancestors().any(|around| around.id() == op);
        self.body.walk().into_iter().filter(inside).collect()
    }

    /// Whether something outside of `tree` uses a value that is defined by it or in its blocks.
    fn used_outside(&self, tree: &[Op], blocks: &[Block]) -> bool {
        let results = tree.iter().flat_map(|&op| self.body.op(op).results());
        let args = blocks.iter().flat_map(|&block| self.body.block(block).args());
        let mut uses = results.chain(args).flat_map(|value| self.body.uses(value));
        uses.any(|user| !tree.contains(&user.op))
    }

    fn blocks_inside(&self, tree: &[Op]) -> Vec<Block> {
        let regions = tree.iter().flat_map(|&op| self.body.op(op).regions());
        regions.flat_map(|region| self.body.region(region).blocks()).collect()
    }

    fn apply(&mut self, edit: Edit) -> Option<()> {
        match edit {
            Edit::Create { at, operands, results, regions, isolated } => {
                let point = self.point(at)?;
                let operands: Vec<Value> = operands.iter().filter_map(|&value| self.value(value)).collect();
                let state = match isolated {
                    true => OpState::new(self.ctx.kind_of::<Func>()),
                    false => OpState::named(&self.ctx, "other.op"),
                };
                let state = state.operands(&operands).results(&[Type::I1, Type::F32, Type::I8][..results]);
                let op = self.body.create(&state.regions(regions), point);
                if isolated && regions > 0 {
                    let nested = self.body.nested_mut(op).expect("it is isolated");
                    nested.add_block(nested.root(0), &[Type::I8]);
                }
                self.ops.push((op, true));
            }
            Edit::Erase(op) => {
                let op = self.op(op)?;
                let tree = self.tree(op);
                let blocked = self.used_outside(&tree, &self.blocks_inside(&tree));
                assert_eq!(self.body.try_erase(op).is_err(), blocked);
                if !blocked {
                    self.gone(&tree);
                }
            }
            Edit::Move(op, at) => {
                let (op, point) = (self.op(op)?, self.point(at)?);
                let tree = self.tree(op);
                let refused = match point {
                    Point::Before(other) | Point::After(other) => other != op && tree.contains(&other),
                    Point::Start(block) | Point::End(block) => self.blocks_inside(&tree).contains(&block),
                    Point::Detached => false,
                };
                assert_eq!(self.body.move_op(op, point).is_err(), refused);
            }
            Edit::Clone(op, at) => {
                let (op, point) = (self.op(op)?, self.point(at)?);
                let tree = self.tree(op);
                let inside = self.blocks_inside(&tree).into_iter().any(|block| self.in_block(point, block));
                if !inside && self.body.walk().len() < 200 {
                    let mut mapping = Mapping::new();
                    let copy = self.body.clone_op(op, point, &mut mapping);
                    self.same(&tree, &self.tree(copy), &mapping);
                    self.ops.extend(self.tree(copy).into_iter().map(|op| (op, true)));
                }
            }
            Edit::Replace(from, to) => {
                let (from, to) = (self.value(from)?, self.value(to)?);
                let count = self.body.uses(from).count() + self.body.uses(to).count();
                self.body.replace_all_uses(from, to);
                if from != to {
                    assert_eq!((self.body.is_used(from), self.body.uses(to).count()), (false, count));
                }
            }
            Edit::ReplaceSome(from, to) => {
                let (from, to) = (self.value(from)?, self.value(to)?);
                self.body.replace_uses_if(from, to, |user| user.index % 2 == 0);
                assert!(from == to || self.body.uses(from).all(|user| user.index % 2 == 1));
            }
            Edit::SetOperand(op, at, value) => {
                let (op, value) = (self.op(op)?, self.value(value)?);
                let index = at.checked_rem(self.body.op(op).n_operands())?;
                self.body.set_operand(op, index, value);
                assert_eq!(self.body.op(op).operand(index), value);
            }
            Edit::SetOperands(op, values) => {
                let op = self.op(op)?;
                let values: Vec<Value> = values.iter().filter_map(|&value| self.value(value)).collect();
                self.body.set_operands(op, &values);
                assert!(self.body.op(op).operands().eq(values.iter().copied()));
            }
            Edit::SetSuccessors(at, block) => {
                let block = pick(&self.blocks(), block)?;
                let from = pick(&self.blocks(), at)?;
                match self.body.block(from).last() {
                    Some(last) if at % 2 == 0 => {
                        self.body.set_successors(last, &[block, block][..at / 2 % 3])
                    }
                    _ => {
                        let state = OpState::named(&self.ctx, "other.branch").successors(&[block]);
                        let op = self.body.create(&state, Point::End(from));
                        self.ops.push((op, true));
                    }
                }
            }
            Edit::AddBlock(region, args) => {
                let region = pick(&self.regions(), region)?;
                self.body.add_block(region, &[Type::F32, Type::I8][..args]);
            }
            Edit::EraseBlock(block) => {
                let block = pick(&self.blocks(), block)?;
                let tree: Vec<Op> = self.body.block(block).ops().flat_map(|op| self.tree(op)).collect();
                let mut blocks = self.blocks_inside(&tree);
                blocks.push(block);
                let blocked = self.used_outside(&tree, &blocks) || self.is_named(block, Some(block));
                // The body keeps a block, so that there is something to edit.
                if self.blocks().len() > 1 {
                    assert_eq!(self.body.try_erase_block(block).is_err(), blocked);
                    if !blocked {
                        self.gone(&tree);
                        assert!(!self.body.contains_block(block));
                    }
                }
            }
            Edit::EraseArg(block, arg) => {
                let block = pick(&self.blocks(), block)?;
                let index = arg.checked_rem(self.body.block(block).n_args())?;
                let arg = self.body.block(block).arg(index);
                if !self.body.is_used(arg) {
                    self.body.erase_arg(block, index);
                    assert!(!self.body.contains_value(arg));
                }
            }
            Edit::Split(op) => {
                let op = self.op(op)?;
                let rest: Vec<Op> = std::iter::successors(Some(op), |&op| self.body.op(op).next()).collect();
                let new = self.body.split_block(op);
                assert!(self.body.block(new).ops().eq(rest));
            }
            Edit::Inline(block, at) => {
                let (block, point) = (pick(&self.blocks(), block)?, self.point(at)?);
                let args: Vec<Value> = self.body.block(block).args().collect();
                let with = self.value(at).filter(|value| !args.contains(value))?;
                if !self.in_block(point, block) && !self.is_named(block, None) {
                    let ops: Vec<Op> = self.body.block(block).ops().collect();
                    self.body.inline_block(block, point, &vec![with; args.len()]);
                    assert!(ops.windows(2).all(|pair| self.body.op(pair[0]).next() == Some(pair[1])));
                    assert!(!self.body.contains_block(block));
                }
            }
            Edit::MoveBlocks(from, to) => {
                let (from, to) = (pick(&self.regions(), from)?, pick(&self.regions(), to)?);
                let body = &self.body;
                let region_of = |op: Op| body.op(op).block().and_then(|block| body.block(block).region());
                let into = body.region(to).parent();
                let inside = into.is_some_and(|op| {
                    body.op(op).ancestors().any(|around| region_of(around.id()) == Some(from))
                });
                let keeps = from != self.body.root(0) || self.body.region(to).parent().is_none();
                if !inside && keeps {
                    let moved = self.body.region(from).blocks().len();
                    let had = self.body.region(to).blocks().len();
                    self.body.move_blocks(from, to);
                    assert_eq!(
                        self.body.region(to).blocks().len(),
                        if from == to { had } else { had + moved }
                    );
                }
            }
            Edit::Duplicate => {
                let copy = self.body.duplicate();
                assert_eq!(copy.check_invariants(), [""; 0]);
                assert_eq!(copy.walk().len(), self.body.walk().len());
            }
        }
        Some(())
    }

    fn gone(&mut self, ops: &[Op]) {
        for (op, alive) in &mut self.ops {
            *alive &= !ops.contains(op);
        }
    }

    /// Whether one tree is a copy of another.
    fn same(&self, old: &[Op], new: &[Op], mapping: &Mapping) {
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

    /// Everything that holds after each edit.
    fn check(&self) {
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

fn pick<T: Copy>(from: &[T], choice: usize) -> Option<T> {
    from.get(choice.checked_rem(from.len())?).copied()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]
    #[test]
    fn edits_keep_every_list_exact(edits in prop::collection::vec(edit(), 1..60)) {
        let mut subject = Subject::new();
        for edit in edits {
            subject.apply(edit);
            subject.check();
        }
    }
}
