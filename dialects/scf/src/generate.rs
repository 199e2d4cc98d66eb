//! Random conditionals, and loops with a small trip count.

use crate::{ExecuteRegion, For, If, IndexSwitch, While, Yield};
use minoan_arith::{self as arith, CmpIPredicate};
use minoan_ir::{Attr, Builder, Op, OpDef, OpKind, OpState, Type, Value};
use minoan_services::{Generate, Inside, Maker};

/// Upper bound on the trip count of a loop.
const ROUNDS: usize = 4;

pub(crate) struct AnyFor;

impl Generate for AnyFor {
    fn weight(&self, _: &minoan_ir::Context, _: OpKind) -> usize {
        3
    }

    fn generate(&self, _: OpKind, b: &mut Builder<'_>, maker: &mut dyn Maker) -> Option<Op> {
        let ty = [Type::INDEX, Type::INDEX, Type::I32, Type::I64][maker.below(4)];
        let step = 1 + maker.below(3) as i64;
        let (lower, upper, range) = if ty == Type::INDEX && maker.below(3) == 0 {
            (maker.index_in(b, 0..2)?, maker.index_in(b, 0..ROUNDS as i64)?, 0..ROUNDS as i64)
        } else {
            let lower = maker.below(3) as i64 - i64::from(maker.below(4) == 0);
            // The last step may exceed the bound.
            let rounds = maker.below(ROUNDS + 1) as i64;
            let upper = lower + rounds * step - maker.below(step as usize) as i64;
            (maker.number(b, lower, ty)?, maker.number(b, upper, ty)?, lower..upper.max(lower + 1))
        };
        let step = maker.number(b, step, ty)?;
        let carried = maker.types(b, 3);
        let init = carried.iter().map(|&ty| maker.value(b, ty)).collect::<Option<Vec<Value>>>()?;
        let made = For::with(b, [lower, upper, step], &init, |b, index, values| {
            let args = [&[index], values].concat();
            let ranges = if ty == Type::INDEX { vec![(index, range)] } else { Vec::new() };
            let inside =
                Inside { args: &args, ranges: &ranges, gives: &carried, times: ROUNDS, ..Inside::ONCE };
            maker.inside(b, &inside)
        });
        Some(made.op())
    }
}

pub(crate) struct AnyIf;

impl Generate for AnyIf {
    fn weight(&self, _: &minoan_ir::Context, _: OpKind) -> usize {
        4
    }

    fn generate(&self, _: OpKind, b: &mut Builder<'_>, maker: &mut dyn Maker) -> Option<Op> {
        if let Some(count) = maker.countdown().filter(|_| maker.below(2) == 0) {
            return if_not_zero(b, maker, count);
        }
        let condition = maker.value(b, Type::I1)?;
        let gives = maker.types(b, 2);
        if gives.is_empty() && maker.below(2) == 0 {
            let op = b.create(OpState::new(b.context().kind_of::<If>()).operands(&[condition]).regions(2));
            let (_, outside) = b.enter(op, 0, &[]);
            maker.inside(b, &Inside::ONCE);
            Yield::build(b, &[]);
            b.set_insertion_point(outside);
            return Some(op);
        }
        let inside = Inside { gives: &gives, ..Inside::ONCE };
        // Both branches use the maker, one after the other.
        let maker = std::cell::RefCell::new(maker);
        let arm = |b: &mut Builder<'_>| maker.borrow_mut().inside(b, &inside);
        Some(If::with(b, condition, &gives, arm, arm).op())
    }
}

/// A recursive call guarded by a positive count.
fn if_not_zero(b: &mut Builder<'_>, maker: &mut dyn Maker, count: Value) -> Option<Op> {
    let (zero, one) = (maker.number(b, 0, Type::INDEX)?, maker.number(b, 1, Type::INDEX)?);
    let gives = maker.results();
    // The values of the other branch are created outside, since inside a value of the type might not be available.
    let otherwise = gives.iter().map(|&ty| maker.value(b, ty)).collect::<Option<Vec<Value>>>()?;
    let predicate = [CmpIPredicate::Sgt, CmpIPredicate::Ne, CmpIPredicate::Ugt][maker.below(3)];
    let condition = arith::cmpi(b, predicate, count, zero);
    let made = If::with(
        b,
        condition,
        &gives,
        |b| {
            maker.inside(b, &Inside::ONCE);
            let fewer = arith::subi(b, count, one);
            maker.again(b, fewer).unwrap_or_else(|| otherwise.clone())
        },
        |_| otherwise.clone(),
    );
    Some(made.op())
}

pub(crate) struct AnyWhile;

impl Generate for AnyWhile {
    fn generate(&self, _: OpKind, b: &mut Builder<'_>, maker: &mut dyn Maker) -> Option<Op> {
        let (zero, one) = (maker.number(b, 0, Type::I32)?, maker.number(b, 1, Type::I32)?);
        let rounds = maker.below(ROUNDS + 1) as i64;
        let rounds = maker.number(b, rounds, Type::I32)?;
        let stops_early = maker.existing(b, &|ty| ty == Type::I1).is_some() && maker.below(2) == 0;
        let carried = maker.types(b, 2);
        let mut inits = vec![zero];
        for &ty in &carried {
            inits.push(maker.value(b, ty)?);
        }
        let types: Vec<Type> = inits.iter().map(|&value| b.ty(value)).collect();
        let maker = std::cell::RefCell::new(maker);
        let inside = |b: &mut Builder<'_>, args: &[Value], gives: &[Type]| {
            maker.borrow_mut().inside(b, &Inside { args, gives, times: ROUNDS + 1, ..Inside::ONCE })
        };
        let made = While::with(
            b,
            &inits,
            &types,
            |b, args| {
                let mut gives = types[1..].to_vec();
                if stops_early {
                    gives.push(Type::I1);
                }
                let mut values = inside(b, &args[1..], &gives);
                let mut goes_on = arith::cmpi(b, CmpIPredicate::Slt, args[0], rounds);
                for also in values.split_off(types.len() - 1) {
                    goes_on = arith::andi(b, goes_on, also);
                }
                (goes_on, [vec![args[0]], values].concat())
            },
            |b, args| {
                let values = inside(b, &args[1..], &types[1..]);
                [vec![arith::addi(b, args[0], one)], values].concat()
            },
        );
        Some(made.op())
    }
}

pub(crate) struct AnyOnce;

impl Generate for AnyOnce {
    fn generate(&self, _: OpKind, b: &mut Builder<'_>, maker: &mut dyn Maker) -> Option<Op> {
        let gives = maker.types(b, 2);
        let op = b.create(OpState::new(b.context().kind_of::<ExecuteRegion>()).results(&gives).regions(1));
        let (_, outside) = b.enter(op, 0, &[]);
        let values = maker.inside(b, &Inside { gives: &gives, blocks: true, ..Inside::ONCE });
        Yield::build(b, &values);
        b.set_insertion_point(outside);
        Some(op)
    }
}

pub(crate) struct AnySwitch;

impl Generate for AnySwitch {
    fn generate(&self, _: OpKind, b: &mut Builder<'_>, maker: &mut dyn Maker) -> Option<Op> {
        let arg = maker.index_in(b, 0..5)?;
        let gives = maker.types(b, 2);
        let cases: Vec<i64> = (0..maker.below(4) as i64).collect();
        let ctx = b.context();
        let state = OpState::new(ctx.kind_of::<IndexSwitch>()).operands(&[arg]).results(&gives);
        let props = b.dictionary(&[("cases", Some(Attr::dense_i64(&ctx, &cases)))]);
        let op = b.create(state.props(props).regions(1 + cases.len()));
        let mut outside = None;
        for region in 0..=cases.len() {
            let (_, before) = b.enter(op, region, &[]);
            outside = outside.or(Some(before));
            let values = maker.inside(b, &Inside { gives: &gives, ..Inside::ONCE });
            Yield::build(b, &values);
        }
        outside.map(|outside| b.set_insertion_point(outside));
        Some(op)
    }
}
