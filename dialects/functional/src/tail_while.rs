//! The common case of tail recursion: a conditional with one branch that always recurses and one that never does. Its
//! condition becomes the loop condition, the recursing branch the loop body, and the other branch follows the loop.

use crate::tail::{Plan, Tail, last_value, tail};
use crate::{Functional, Parts, Role, choose, flat};
use minoan_arith as arith;
use minoan_ir::{Block, Body, Builder, OpDef, OpRef, Region, Type, Value};
use minoan_scf::While;
use rustc_hash::FxHashSet;
use std::cell::RefCell;

/// The conditional, and the index of the recursing region.
pub(super) fn simple<'a, L: Functional<'a>>(
    source: &'a Body,
    entry: Block,
    plan: &Plan,
) -> Option<(OpRef<'a>, usize)> {
    let Tail::If(op) = tail::<L>(source, entry, &plan.name) else { return None };
    if L::role(op) != Role::If {
        return None;
    }
    let blocks: Vec<Block> = op.own_regions().filter_map(|region| source.region(region).entry()).collect();
    let &[then, otherwise] = &blocks[..] else { return None };
    let never = |block| matches!(tail::<L>(source, block, &plan.name), Tail::Value);
    if always_calls::<L>(source, then, plan) && never(otherwise) {
        return Some((op, 0));
    }
    (always_calls::<L>(source, otherwise, plan) && never(then)).then_some((op, 1))
}

fn always_calls<'a, L: Functional<'a>>(source: &'a Body, block: Block, plan: &Plan) -> bool {
    let mut pending = vec![block];
    while let Some(block) = pending.pop() {
        match tail::<L>(source, block, &plan.name) {
            Tail::Call(_) => {}
            Tail::If(op) if L::role(op) == Role::If => {
                pending.extend(op.own_regions().filter_map(|region| source.region(region).entry()));
            }
            Tail::If(_) | Tail::Value => return false,
        }
    }
    true
}

/// The loop and the code after it.
pub(super) fn simple_loop<'a, L: Functional<'a>>(
    lowering: &mut L,
    b: &mut Builder<'_>,
    entry: Block,
    plan: &Plan,
    args: &[Value],
    (choice, again): (OpRef<'a>, usize),
) -> Parts {
    let source = lowering.source();
    let inits = plan.carried(args);
    let live = live(source, entry, choice);
    let mut types: Vec<Type> = inits.iter().map(|&value| b.ty(value)).collect();
    for &value in &live {
        types.extend(flat::<L>(lowering.ctx(), source.ty(value)));
    }
    let shared = RefCell::new(&mut *lowering);
    let before = |b: &mut Builder<'_>, carried: &[Value]| {
        let mut lowering = shared.borrow_mut();
        lowering.bind_flat(entry, &plan.merged(args, carried));
        lowering.ops_before(b, entry, choice.id());
        b.set_loc(choice.loc());
        let mut condition = lowering.condition(b, choice);
        if again == 1 {
            let yes = arith::constant_bool(b, true);
            condition = arith::xori(b, condition, yes);
        }
        let live = lowering.all_parts(live.iter().copied());
        (condition, carried.iter().copied().chain(live).collect())
    };
    let after = |b: &mut Builder<'_>, values: &[Value]| {
        let mut lowering = shared.borrow_mut();
        lowering.bind_flat(entry, &plan.merged(args, &values[..inits.len()]));
        lowering.bind_all(live.iter().copied(), &values[inits.len()..]);
        let block = source.region(choice.region(again)).entry();
        block.map_or_else(Vec::new, |block| {
            next_args(&mut **lowering, b, block, plan, &types[..inits.len()]).into_vec()
        })
    };
    let done = While::with(b, &inits, &types, before, after);
    let values: Vec<Value> = b.body().op(done.op()).results().collect();
    lowering.bind_flat(entry, &plan.merged(args, &values[..inits.len()]));
    lowering.bind_all(live.iter().copied(), &values[inits.len()..]);
    b.set_loc(choice.loc());
    lowering.region(b, choice, 1 - again, &[])
}

/// The values defined before the conditional and used inside it.
fn live(source: &Body, entry: Block, choice: OpRef<'_>) -> Vec<Value> {
    let mut seen = FxHashSet::default();
    let mut live = Vec::new();
    let mut pending: Vec<Region> = choice.own_regions().collect();
    while let Some(region) = pending.pop() {
        for block in source.region(region).blocks() {
            for op in source.block(block).ops() {
                let op = source.op(op);
                pending.extend(op.own_regions());
                for value in op.operands() {
                    let outside = source.defining_op(value).and_then(|op| source.op(op).block());
                    if outside == Some(entry) && seen.insert(value) {
                        live.push(value);
                    }
                }
            }
        }
    }
    // Sorted, since the traversal order is unspecified.
    live.sort_unstable_by_key(|value| value.index());
    live
}

/// Lowers a block that always recurses to the next loop-carried values.
fn next_args<'a, L: Functional<'a>>(
    lowering: &mut L,
    b: &mut Builder<'_>,
    block: Block,
    plan: &Plan,
    types: &[Type],
) -> Parts {
    let source = lowering.source();
    let Some(last) = last_value(source, block) else { return Parts::new() };
    lowering.ops_before(b, block, last.id());
    b.set_loc(last.loc());
    if let Role::Call(_) = L::role(last) {
        let args = lowering.all_parts(last.operands());
        return plan.carried(&args).into();
    }
    let condition = lowering.condition(b, last);
    choose(b, condition, types, |b, which| {
        let region = source.region(last.region(usize::from(!which)));
        minoan_ir::with_stack(|| match region.entry() {
            Some(block) => next_args(lowering, b, block, plan, types),
            None => Parts::new(),
        })
    })
}
