//! Random branches: diamonds, switches, and loops with a small trip count.

use crate::{Br, CondBr, Switch};
use minoan_arith::{self as arith, CmpIPredicate};
use minoan_ir::{Block, Builder, InsertionPoint, Op, OpDef, OpKind, Region, Type, Value};
use minoan_services::{Generate, Inside, Maker};

/// Upper bound on the trip count of a loop.
const ROUNDS: usize = 4;

/// The region of the current block.
fn region(b: &Builder<'_>) -> Option<Region> {
    match b.insertion_point() {
        InsertionPoint::End(block) => b.body().block(block).region(),
        _ => None,
    }
}

/// Continues in a block, whose arguments become available.
fn continue_in_block(b: &mut Builder<'_>, maker: &mut dyn Maker, block: Block) {
    b.set_insertion_point(InsertionPoint::End(block));
    for arg in b.body().block(block).args().collect::<Vec<Value>>() {
        maker.add(arg);
    }
}

/// Creates a block with operations that branches to `after`, with values of the types of its arguments.
fn arm(
    b: &mut Builder<'_>,
    maker: &mut dyn Maker,
    args: &[Type],
    after: Block,
    gives: &[Type],
) -> Option<Block> {
    let region = region(b)?;
    let block = b.body_mut().add_block(region, args);
    let outside = b.set_insertion_point(InsertionPoint::End(block));
    let args: Vec<Value> = b.body().block(block).args().collect();
    let values = maker.inside(b, &Inside { args: &args, gives, blocks: true, ..Inside::ONCE });
    Br::build(b, &values, after);
    b.set_insertion_point(outside);
    Some(block)
}

/// Values of the types of a block's arguments.
fn values(b: &mut Builder<'_>, maker: &mut dyn Maker, types: &[Type]) -> Option<Vec<Value>> {
    types.iter().map(|&ty| maker.value(b, ty)).collect()
}

/// A conditional branch to two paths that join, one of which may be empty.
pub(crate) struct AnyCondBr;

impl Generate for AnyCondBr {
    fn weight(&self, _: &minoan_ir::Context, _: OpKind) -> usize {
        3
    }

    fn generate(&self, _: OpKind, b: &mut Builder<'_>, maker: &mut dyn Maker) -> Option<Op> {
        if !maker.may_branch() {
            return None;
        }
        if let Some(count) = maker.countdown().filter(|_| maker.below(2) == 0) {
            return if_not_zero(b, maker, count);
        }
        let condition = maker.value(b, Type::I1)?;
        let gives = maker.types(b, 2);
        let shape = maker.below(5);
        // The operands of the branch itself: for a separate block, or for the join block.
        let passed = if shape < 3 { maker.types(b, 2) } else { gives.clone() };
        let (yes, no) = (values(b, maker, &passed)?, values(b, maker, &gives)?);
        let region = region(b)?;
        let after = b.body_mut().add_block(region, &gives);
        let first = if shape < 4 { arm(b, maker, &passed, after, &gives)? } else { after };
        let op = if shape < 2 {
            let second = arm(b, maker, &[], after, &gives)?;
            CondBr::build(b, condition, &yes, &[], None, first, second)
        } else {
            CondBr::build(b, condition, &yes, &no, None, first, after)
        };
        continue_in_block(b, maker, after);
        Some(op.op())
    }
}

/// A recursive call guarded by a positive count.
fn if_not_zero(b: &mut Builder<'_>, maker: &mut dyn Maker, count: Value) -> Option<Op> {
    let (zero, one) = (maker.number(b, 0, Type::INDEX)?, maker.number(b, 1, Type::INDEX)?);
    let gives = maker.results();
    let otherwise = values(b, maker, &gives)?;
    let region = region(b)?;
    let condition = arith::cmpi(b, CmpIPredicate::Sgt, count, zero);
    let (again, after) = (b.body_mut().add_block(region, &[]), b.body_mut().add_block(region, &gives));
    let outside = b.set_insertion_point(InsertionPoint::End(again));
    let fewer = arith::subi(b, count, one);
    let results = maker.again(b, fewer).unwrap_or_else(|| otherwise.clone());
    Br::build(b, &results, after);
    b.set_insertion_point(outside);
    let op = CondBr::build(b, condition, &[], &otherwise, None, again, after);
    continue_in_block(b, maker, after);
    Some(op.op())
}

/// A loop: a header that tests the trip count, and a latch.
pub(crate) struct AnyLoop;

impl Generate for AnyLoop {
    fn generate(&self, _: OpKind, b: &mut Builder<'_>, maker: &mut dyn Maker) -> Option<Op> {
        if !maker.may_branch() {
            return None;
        }
        let rounds = maker.below(ROUNDS + 1) as i64;
        let rounds = maker.number(b, rounds, Type::I64)?;
        let (zero, one) = (maker.number(b, 0, Type::I64)?, maker.number(b, 1, Type::I64)?);
        let carried = maker.types(b, 2);
        let inits = [vec![zero], values(b, maker, &carried)?].concat();
        let types = [vec![Type::I64], carried.clone()].concat();
        let region = region(b)?;
        let (head, inner, after) = (
            b.body_mut().add_block(region, &types),
            b.body_mut().add_block(region, &[]),
            b.body_mut().add_block(region, &[]),
        );
        let op = Br::build(b, &inits, head);
        b.set_insertion_point(InsertionPoint::End(head));
        let args: Vec<Value> = b.body().block(head).args().collect();
        let goes_on = arith::cmpi(b, CmpIPredicate::Slt, args[0], rounds);
        CondBr::build(b, goes_on, &[], &[], None, inner, after);
        b.set_insertion_point(InsertionPoint::End(inner));
        let inside = Inside { args: &args, gives: &carried, times: ROUNDS, blocks: true, ..Inside::ONCE };
        let next = maker.inside(b, &inside);
        let count = arith::addi(b, args[0], one);
        Br::build(b, &[vec![count], next].concat(), head);
        b.set_insertion_point(InsertionPoint::End(after));
        args.into_iter().for_each(|arg| maker.add(arg));
        Some(op.op())
    }
}

/// A switch whose paths join again.
pub(crate) struct AnySwitch;

impl Generate for AnySwitch {
    fn generate(&self, _: OpKind, b: &mut Builder<'_>, maker: &mut dyn Maker) -> Option<Op> {
        if !maker.may_branch() {
            return None;
        }
        let ctx = b.context();
        let flag = maker.existing(b, &|ty| ty.is_signless_integer(&ctx) && ty != Type::I1)?;
        let gives = maker.types(b, 2);
        let otherwise = values(b, maker, &gives)?;
        let region = region(b)?;
        let after = b.body_mut().add_block(region, &gives);
        let mut cases = Vec::new();
        for case in 0..maker.below(4) as i64 {
            let to = if maker.below(3) == 0 { after } else { arm(b, maker, &gives, after, &gives)? };
            cases.push((case - 1, to, values(b, maker, &gives)?));
        }
        let op = Switch::of_cases(b, flag, (after, &otherwise), &cases);
        continue_in_block(b, maker, after);
        Some(op.op())
    }
}
