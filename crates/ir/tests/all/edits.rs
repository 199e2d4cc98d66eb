//! Property test: random mutations keep a body's lists consistent.

use crate::toy::Func;
use crate::toy::subject::{Subject, pick};
use minoan_ir::{InsertionPoint, Mapping, Op, OpState, Type, Value};
use proptest::prelude::*;

/// A mutation; numbers choose among what exists.
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

/// Applies a mutation and checks its effect; an inapplicable one is skipped.
fn apply(subject: &mut Subject, edit: Edit) -> Option<()> {
    match edit {
        Edit::Create { at, operands, results, regions, isolated } => {
            let point = subject.point(at)?;
            let operands: Vec<Value> = operands.iter().filter_map(|&value| subject.value(value)).collect();
            let state = match isolated {
                true => OpState::new(subject.ctx.kind_of::<Func>()),
                false => OpState::named(&subject.ctx, "other.op"),
            };
            let state = state.operands(&operands).results(&[Type::I1, Type::F32, Type::I8][..results]);
            let op = subject.body.create(&state.regions(regions), point);
            if isolated && regions > 0 {
                let nested = subject.body.nested_mut(op).expect("it is isolated");
                nested.add_block(nested.root(0), &[Type::I8]);
            }
            subject.ops.push((op, true));
        }
        Edit::Erase(op) => {
            let op = subject.op(op)?;
            let tree = subject.tree(op);
            let blocked = subject.used_outside(&tree, &subject.blocks_inside(&tree));
            assert_eq!(subject.body.try_erase(op).is_err(), blocked);
            if !blocked {
                subject.gone(&tree);
            }
        }
        Edit::Move(op, at) => {
            let (op, point) = (subject.op(op)?, subject.point(at)?);
            let tree = subject.tree(op);
            let refused = match point {
                InsertionPoint::Before(other) | InsertionPoint::After(other) => {
                    other != op && tree.contains(&other)
                }
                InsertionPoint::Start(block) | InsertionPoint::End(block) => {
                    subject.blocks_inside(&tree).contains(&block)
                }
                InsertionPoint::Detached => false,
            };
            assert_eq!(subject.body.try_move_op(op, point).is_err(), refused);
        }
        Edit::Clone(op, at) => {
            let (op, point) = (subject.op(op)?, subject.point(at)?);
            let tree = subject.tree(op);
            let inside = subject.blocks_inside(&tree).into_iter().any(|block| subject.in_block(point, block));
            if !inside && subject.body.walk().len() < 200 {
                let mut mapping = Mapping::new();
                let copy = subject.body.clone_op(op, point, &mut mapping);
                subject.same(&tree, &subject.tree(copy), &mapping);
                subject.ops.extend(subject.tree(copy).into_iter().map(|op| (op, true)));
            }
        }
        Edit::Replace(from, to) => {
            let (from, to) = (subject.value(from)?, subject.value(to)?);
            let count = subject.body.uses(from).count() + subject.body.uses(to).count();
            subject.body.replace_all_uses(from, to);
            if from != to {
                assert_eq!((subject.body.is_used(from), subject.body.uses(to).count()), (false, count));
            }
        }
        Edit::ReplaceSome(from, to) => {
            let (from, to) = (subject.value(from)?, subject.value(to)?);
            subject.body.replace_uses_if(from, to, |user| user.index % 2 == 0);
            assert!(from == to || subject.body.uses(from).all(|user| user.index % 2 == 1));
        }
        Edit::SetOperand(op, at, value) => {
            let (op, value) = (subject.op(op)?, subject.value(value)?);
            let index = at.checked_rem(subject.body.op(op).n_operands())?;
            subject.body.set_operand(op, index, value);
            assert_eq!(subject.body.op(op).operand(index), value);
        }
        Edit::SetOperands(op, values) => {
            let op = subject.op(op)?;
            let values: Vec<Value> = values.iter().filter_map(|&value| subject.value(value)).collect();
            subject.body.set_operands(op, &values);
            assert!(subject.body.op(op).operands().eq(values.iter().copied()));
        }
        Edit::SetSuccessors(at, block) => {
            let block = pick(&subject.blocks(), block)?;
            let from = pick(&subject.blocks(), at)?;
            match subject.body.block(from).last() {
                Some(last) if at % 2 == 0 => subject.body.set_successors(last, &[block, block][..at / 2 % 3]),
                _ => {
                    let state = OpState::named(&subject.ctx, "other.branch").successors(&[block]);
                    let op = subject.body.create(&state, InsertionPoint::End(from));
                    subject.ops.push((op, true));
                }
            }
        }
        Edit::AddBlock(region, args) => {
            let region = pick(&subject.regions(), region)?;
            subject.body.add_block(region, &[Type::F32, Type::I8][..args]);
        }
        Edit::EraseBlock(block) => {
            let block = pick(&subject.blocks(), block)?;
            let tree: Vec<Op> = subject.body.block(block).ops().flat_map(|op| subject.tree(op)).collect();
            let mut blocks = subject.blocks_inside(&tree);
            blocks.push(block);
            let blocked = subject.used_outside(&tree, &blocks) || subject.is_named(block, Some(block));
            // The body keeps a block for further mutations.
            if subject.blocks().len() > 1 {
                assert_eq!(subject.body.try_erase_block(block).is_err(), blocked);
                if !blocked {
                    subject.gone(&tree);
                    assert!(!subject.body.contains_block(block));
                }
            }
        }
        Edit::EraseArg(block, arg) => {
            let block = pick(&subject.blocks(), block)?;
            let index = arg.checked_rem(subject.body.block(block).n_args())?;
            let arg = subject.body.block(block).arg(index);
            if !subject.body.is_used(arg) {
                subject.body.erase_arg(block, index);
                assert!(!subject.body.contains_value(arg));
            }
        }
        Edit::Split(op) => {
            let op = subject.op(op)?;
            let rest: Vec<Op> = std::iter::successors(Some(op), |&op| subject.body.op(op).next()).collect();
            let new = subject.body.split_block(op);
            assert!(subject.body.block(new).ops().eq(rest));
        }
        Edit::Inline(block, at) => {
            let (block, point) = (pick(&subject.blocks(), block)?, subject.point(at)?);
            let args: Vec<Value> = subject.body.block(block).args().collect();
            let with = subject.value(at).filter(|value| !args.contains(value))?;
            if !subject.in_block(point, block) && !subject.is_named(block, None) {
                let ops: Vec<Op> = subject.body.block(block).ops().collect();
                subject.body.inline_block(block, point, &vec![with; args.len()]);
                assert!(ops.windows(2).all(|pair| subject.body.op(pair[0]).next() == Some(pair[1])));
                assert!(!subject.body.contains_block(block));
            }
        }
        Edit::MoveBlocks(from, to) => {
            let (from, to) = (pick(&subject.regions(), from)?, pick(&subject.regions(), to)?);
            let body = &subject.body;
            let region_of = |op: Op| body.op(op).block().and_then(|block| body.block(block).region());
            let into = body.region(to).parent();
            let inside = into
                .is_some_and(|op| body.op(op).ancestors().any(|around| region_of(around.id()) == Some(from)));
            let keeps = from != subject.body.root(0) || subject.body.region(to).parent().is_none();
            if !inside && keeps {
                let moved = subject.body.region(from).blocks().len();
                let had = subject.body.region(to).blocks().len();
                subject.body.move_blocks(from, to);
                assert_eq!(
                    subject.body.region(to).blocks().len(),
                    if from == to { had } else { had + moved }
                );
            }
        }
        Edit::Duplicate => {
            let copy = subject.body.duplicate();
            assert_eq!(copy.check_invariants(), [""; 0]);
            assert_eq!(copy.walk().len(), subject.body.walk().len());
        }
    }
    Some(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]
    #[test]
    fn edits_keep_lists_consistent(edits in prop::collection::vec(edit(), 1..60)) {
        let mut subject = Subject::new();
        for edit in edits {
            apply(&mut subject, edit);
            subject.check();
        }
    }
}
