//! Property test: random mutations that `edits.rs` lacks keep a body's lists consistent: those in place, and those
//! that clone between bodies, into isolated operations and out of them.

use crate::toy::Func;
use crate::toy::subject::{Subject, pick};
use minoan_ir::{Attr, Block, Body, Def, InsertionPoint, Mapping, Op, OpState, Region, Type, Value};
use proptest::prelude::*;

#[derive(Clone, Debug)]
enum Edit {
    Create { at: usize, operands: Vec<usize>, results: usize, regions: usize },
    AddBlockBefore(usize, usize),
    AddArg(usize),
    MoveBlocksBefore(usize, usize),
    EraseBlocks(usize, usize),
    Jump(usize, usize),
    SetSuccessor(usize, usize, usize),
    Recreate(usize, Vec<usize>),
    Replace(usize, usize),
    SetType(usize),
    SetKind(usize),
    SetAttr(usize, usize),
    CloneFrom(usize, usize, usize),
    CloneRegionFrom(usize, usize, usize),
    Extract(usize),
    Inline(usize),
    EraseInside(usize, usize),
}

fn edit() -> impl Strategy<Value = Edit> {
    let n = || 0usize..1000;
    prop_oneof![
        8 => (n(), prop::collection::vec(n(), 0..5), 0usize..4, 0usize..3)
            .prop_map(|(at, operands, results, regions)| Edit::Create { at, operands, results, regions }),
        3 => (n(), 0usize..3).prop_map(|(block, args)| Edit::AddBlockBefore(block, args)),
        2 => n().prop_map(Edit::AddArg),
        2 => (n(), n()).prop_map(|(from, before)| Edit::MoveBlocksBefore(from, before)),
        1 => (n(), n()).prop_map(|(one, other)| Edit::EraseBlocks(one, other)),
        3 => (n(), n()).prop_map(|(from, to)| Edit::Jump(from, to)),
        2 => (n(), n(), n()).prop_map(|(op, index, to)| Edit::SetSuccessor(op, index, to)),
        2 => (n(), prop::collection::vec(n(), 0..5)).prop_map(|(op, operands)| Edit::Recreate(op, operands)),
        2 => (n(), n()).prop_map(|(op, with)| Edit::Replace(op, with)),
        1 => n().prop_map(Edit::SetType),
        1 => n().prop_map(Edit::SetKind),
        1 => (n(), n()).prop_map(|(op, value)| Edit::SetAttr(op, value)),
        2 => (n(), n(), n()).prop_map(|(op, at, operand)| Edit::CloneFrom(op, at, operand)),
        2 => (n(), n(), n()).prop_map(|(from, to, operand)| Edit::CloneRegionFrom(from, to, operand)),
        2 => n().prop_map(Edit::Extract),
        2 => n().prop_map(Edit::Inline),
        1 => (n(), n()).prop_map(|(op, inner)| Edit::EraseInside(op, inner)),
    ]
}

/// The values that operations capture.
fn free_values(subject: &Subject, tree: &[Op], blocks: &[Block]) -> Vec<Value> {
    let own = |value: Value| match subject.body.def(value) {
        Def::Result(op, _) => tree.contains(&op),
        Def::Arg(block, _) => blocks.contains(&block),
    };
    let operands = tree.iter().flat_map(|&op| subject.body.op(op).operands());
    let mut free: Vec<Value> = operands.filter(|&value| !own(value)).collect();
    free.sort_unstable_by_key(|value| value.index());
    free.dedup();
    free
}

/// Whether one of the operations has a successor outside of `blocks`.
fn leads_outside(subject: &Subject, tree: &[Op], blocks: &[Block]) -> bool {
    tree.iter().any(|&op| subject.body.op(op).successors().any(|block| !blocks.contains(&block)))
}

/// The blocks of a region and nested ones, and the operations in them.
fn contents(subject: &Subject, region: Region) -> (Vec<Op>, Vec<Block>) {
    let own: Vec<Block> = subject.body.region(region).blocks().collect();
    let tops: Vec<Op> = own.iter().flat_map(|&block| subject.body.block(block).ops()).collect();
    let tree: Vec<Op> = tops.into_iter().flat_map(|op| subject.tree(op)).collect();
    let blocks = own.into_iter().chain(subject.blocks_inside(&tree)).collect();
    (tree, blocks)
}

/// Applies a mutation and checks its effect; an inapplicable one is skipped.
fn apply(subject: &mut Subject, edit: Edit) -> Option<()> {
    let large = subject.body.walk().len() > 150;
    match edit {
        Edit::Create { at, operands, results, regions } => {
            let point = subject.point(at)?;
            let operands: Vec<Value> = operands.iter().filter_map(|&value| subject.value(value)).collect();
            let state = OpState::named(&subject.ctx, "other.op").operands(&operands);
            let state = state.results(&[Type::I1, Type::F32, Type::I8][..results]);
            let op = subject.body.create(&state.regions(regions), point);
            for index in 0..regions {
                let region = subject.body.op(op).region(index);
                subject.body.add_block(region, &[Type::I1][..index % 2]);
            }
            subject.ops.push((op, true));
        }
        Edit::AddBlockBefore(next, args) => {
            let next = pick(&subject.blocks(), next)?;
            let new = subject.body.add_block_before(next, &[Type::F32, Type::I8][..args]);
            let region = subject.body.block(next).region()?;
            let blocks: Vec<Block> = subject.body.region(region).blocks().collect();
            assert!(blocks.windows(2).any(|pair| pair == [new, next]));
        }
        Edit::AddArg(block) => {
            let block = pick(&subject.blocks(), block)?;
            let value = subject.body.add_arg(block, Type::I8, minoan_ir::Loc::UNKNOWN);
            assert_eq!(subject.body.block(block).args().last(), Some(value));
            assert_eq!(subject.body.block_of(value), Some(block));
        }
        Edit::MoveBlocksBefore(from, before) => {
            let (from, before) = (pick(&subject.regions(), from)?, pick(&subject.blocks(), before)?);
            let to = subject.body.block(before).region()?;
            let (_, inside) = contents(subject, from);
            if from == to || inside.contains(&before) || from == subject.body.root(0) {
                return None;
            }
            let moved: Vec<Block> = subject.body.region(from).blocks().collect();
            subject.body.move_blocks_before(from, before);
            assert!(subject.body.region(from).is_empty());
            let blocks: Vec<Block> = subject.body.region(to).blocks().collect();
            let at = blocks.iter().position(|&block| block == before)?;
            assert_eq!(blocks[at - moved.len()..at], moved[..]);
        }
        Edit::EraseBlocks(one, other) => {
            let (one, other) = (pick(&subject.blocks(), one)?, pick(&subject.blocks(), other)?);
            let region = subject.body.block(one).region()?;
            if one == other || subject.body.block(other).region() != Some(region) {
                return None;
            }
            let tops = [one, other].into_iter().flat_map(|block| subject.body.block(block).ops());
            let tree: Vec<Op> = tops.flat_map(|op| subject.tree(op)).collect();
            let mut inside = subject.blocks_inside(&tree);
            inside.extend([one, other]);
            let named = [one, other].into_iter().any(|block| {
                let mut others = subject.body.region(region).blocks();
                others.any(|from| {
                    from != one && from != other && subject.body.block(from).successors().contains(&block)
                })
            });
            let blocked = subject.used_outside(&tree, &inside) || named;
            // The body keeps a block for further mutations.
            if region == subject.body.root(0) && subject.body.region(region).blocks().len() <= 2 {
                return None;
            }
            assert_eq!(subject.body.try_erase_blocks(&[one, other]).is_err(), blocked);
            assert_eq!(subject.body.contains_block(one), blocked);
            if !blocked {
                subject.gone(&tree);
            }
        }
        Edit::Jump(from, to) => {
            let from = pick(&subject.blocks(), from)?;
            let region = subject.body.block(from).region()?;
            let to = pick(&subject.body.region(region).blocks().collect::<Vec<_>>(), to)?;
            let state = OpState::named(&subject.ctx, "other.branch").successors(&[to, to]);
            let op = subject.body.create(&state, InsertionPoint::End(from));
            subject.ops.push((op, true));
        }
        Edit::SetSuccessor(op, index, to) => {
            let op = subject.op(op)?;
            let index = index.checked_rem(subject.body.op(op).n_successors())?;
            let region = subject.body.op(op).block().and_then(|block| subject.body.block(block).region())?;
            let to = pick(&subject.body.region(region).blocks().collect::<Vec<_>>(), to)?;
            subject.body.set_successor(op, index, to);
            assert_eq!(subject.body.op(op).successors().nth(index), Some(to));
        }
        Edit::Recreate(op, operands) => {
            let op = subject.op(op)?;
            if subject.body.nested(op).is_some() {
                return None;
            }
            let own: Vec<Value> = subject.body.op(op).results().collect();
            let operands: Vec<Value> = operands.iter().filter_map(|&value| subject.value(value)).collect();
            let operands: Vec<Value> = operands.into_iter().filter(|value| !own.contains(value)).collect();
            let types: Vec<Type> = subject.body.op(op).result_types().collect();
            let inside = contents_of(subject, op);
            let new = subject.body.recreate(op, &operands, &types);
            subject.ops.push((new, true));
            assert_eq!(contents_of(subject, new), inside);
            assert!(contents_of(subject, op).is_empty());
            let results: Vec<Value> = subject.body.op(new).results().collect();
            subject.body.replace(op, &results);
            subject.gone(&[op]);
        }
        Edit::Replace(op, with) => {
            let op = subject.op(op)?;
            let tree = subject.tree(op);
            let with = subject.value(with)?;
            let inside = subject.blocks_inside(&tree);
            let results: Vec<Value> = subject.body.op(op).results().collect();
            let inner: Vec<Op> = tree.iter().copied().filter(|&other| other != op).collect();
            let own = match subject.body.def(with) {
                Def::Result(def, _) => tree.contains(&def),
                Def::Arg(block, _) => inside.contains(&block),
            };
            let values = inner.iter().flat_map(|&op| subject.body.op(op).results());
            let args = inside.iter().flat_map(|&block| subject.body.block(block).args());
            let seen = values.chain(args).flat_map(|value| subject.body.uses(value));
            if own || seen.map(|user| user.op).any(|user| !tree.contains(&user)) {
                return None;
            }
            subject.body.replace(op, &vec![with; results.len()]);
            subject.gone(&tree);
        }
        Edit::SetType(value) => {
            let value = subject.value(value)?;
            subject.body.set_type(value, Type::INDEX);
            assert_eq!(subject.body.ty(value), Type::INDEX);
        }
        Edit::SetKind(op) => {
            let op = subject.op(op)?;
            let kind = subject.ctx.op_kind("other.kind")?;
            if subject.body.nested(op).is_none() {
                subject.body.set_kind(op, kind);
                assert_eq!(subject.body.op(op).kind(), kind);
            }
        }
        Edit::SetAttr(op, value) => {
            let op = subject.op(op)?;
            let name = subject.ctx.name("a");
            let attr = value.is_multiple_of(3).then(|| Attr::i64(&subject.ctx, value as i64));
            subject.body.set_attr(op, name, attr);
            assert_eq!(subject.body.op(op).attr(name), attr);
        }
        Edit::CloneFrom(op, at, operand) if !large => {
            let (op, point) = (subject.op(op)?, subject.point(at)?);
            let tree = subject.tree(op);
            let blocks = subject.blocks_inside(&tree);
            if leads_outside(subject, &tree, &blocks) {
                return None;
            }
            let (mut mapping, value, twin) = (Mapping::new(), subject.value(operand)?, Twin::of(subject));
            for free in free_values(subject, &tree, &blocks) {
                mapping.map(twin.value(subject, free), value);
            }
            let original = twin.op(subject, op);
            let copy = subject.body.clone_op_from(&twin.0, original, point, &mut mapping);
            let copies = subject.tree(copy);
            assert_eq!(copies.len(), tree.len());
            subject.ops.extend(copies.into_iter().map(|op| (op, true)));
        }
        Edit::CloneRegionFrom(from, to, operand) if !large => {
            let (from, into) = (pick(&subject.regions(), from)?, pick(&subject.regions(), to)?);
            let (tree, blocks) = contents(subject, from);
            if leads_outside(subject, &tree, &blocks) {
                return None;
            }
            let had = subject.body.region(into).blocks().len();
            let (mut mapping, value, twin) = (Mapping::new(), subject.value(operand)?, Twin::of(subject));
            for free in free_values(subject, &tree, &blocks) {
                mapping.map(twin.value(subject, free), value);
            }
            let count = subject.body.region(from).blocks().len();
            let before = subject.body.walk();
            let original = twin.region(subject, from);
            subject.body.clone_region_from(&twin.0, original, into, &mut mapping);
            assert_eq!(subject.body.region(into).blocks().len(), had + count);
            let new = subject.body.walk().into_iter().filter(|op| !before.contains(op));
            subject.ops.extend(new.map(|op| (op, true)));
        }
        // Moves the contents of an operation to an isolated operation, whose arguments are the captured values.
        Edit::Extract(op) if !large => {
            let op = subject.op(op)?;
            let region = subject.body.op(op).own_regions().next()?;
            let (tree, blocks) = contents(subject, region);
            if subject.body.nested(op).is_some() || leads_outside(subject, &tree, &blocks) {
                return None;
            }
            let free = free_values(subject, &tree, &blocks);
            let state = OpState::new(subject.ctx.kind_of::<Func>()).operands(&free).regions(1);
            let new = subject.body.create(&state, InsertionPoint::Before(op));
            subject.ops.push((new, true));
            let twin = Twin::of(subject);
            let (original, mut mapping) = (twin.region(subject, region), Mapping::new());
            let values: Vec<Value> = free.iter().map(|&value| twin.value(subject, value)).collect();
            let types: Vec<Type> = free.iter().map(|&value| subject.body.ty(value)).collect();
            let nested = subject.body.nested_mut(new).expect("it is isolated");
            let root = nested.root(0);
            let entry = nested.add_block(root, &types);
            nested.block(entry).args().zip(values).for_each(|(arg, value)| mapping.map(value, arg));
            nested.clone_region_from(&twin.0, original, root, &mut mapping);
            assert_eq!(nested.walk().len(), tree.len());
        }
        // Moves the contents of an isolated operation to a non-isolated one.
        Edit::Inline(op) if !large => {
            let all = subject.body.walk();
            let isolated: Vec<Op> = all
                .into_iter()
                .filter(|&op| subject.body.nested(op).is_some_and(|it| it.regions().len() > 0))
                .collect();
            let op = pick(&isolated, op)?;
            let source = subject.body.nested(op)?.duplicate();
            let state = OpState::named(&subject.ctx, "other.op").regions(1);
            let new = subject.body.create(&state, InsertionPoint::After(op));
            let region = subject.body.op(new).region(0);
            subject.body.clone_region_from(&source, source.root(0), region, &mut Mapping::new());
            let tree = subject.tree(new);
            assert_eq!(tree.len(), source.walk().len() + 1);
            subject.ops.extend(tree.into_iter().map(|op| (op, true)));
        }
        Edit::EraseInside(op, inner) => {
            let nested = subject.op(op).and_then(|op| subject.body.nested_mut(op))?;
            let inner = pick(&nested.walk(), inner)?;
            let _ = nested.try_erase(inner);
        }
        _ => {}
    }
    Some(())
}

fn contents_of(subject: &Subject, op: Op) -> Vec<Block> {
    subject.body.op(op).own_regions().flat_map(|region| subject.body.region(region).blocks()).collect()
}

/// A clone of the body, as a source for cloning.
struct Twin(Body);

impl Twin {
    fn of(subject: &Subject) -> Self {
        Self(subject.body.duplicate())
    }

    /// The operation of the clone that corresponds to one of the body.
    fn op(&self, subject: &Subject, op: Op) -> Op {
        let at = subject.body.walk().iter().position(|&other| other == op);
        self.0.walk()[at.expect("it is in the body")]
    }

    fn region(&self, subject: &Subject, region: Region) -> Region {
        let at = regions_of(&subject.body).iter().position(|&other| other == region);
        regions_of(&self.0)[at.expect("it is in the body")]
    }

    fn value(&self, subject: &Subject, value: Value) -> Value {
        let at = values_of(&subject.body).iter().position(|&other| other == value);
        values_of(&self.0)[at.expect("it is in the body")]
    }
}

fn regions_of(body: &Body) -> Vec<Region> {
    let inner = body.walk().into_iter().flat_map(|op| body.op(op).own_regions());
    body.regions().chain(inner).collect()
}

fn values_of(body: &Body) -> Vec<Value> {
    let blocks = regions_of(body).into_iter().flat_map(|region| body.region(region).blocks());
    let args = blocks.flat_map(|block| body.block(block).args());
    args.chain(body.walk().into_iter().flat_map(|op| body.op(op).results())).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn edits_across_bodies_keep_lists_consistent(edits in prop::collection::vec(edit(), 1..50)) {
        let mut subject = Subject::new();
        for edit in edits {
            apply(&mut subject, edit);
            subject.check();
        }
    }
}
