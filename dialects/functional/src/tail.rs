//! Lowers self-recursion in tail position to a loop.
//!
//! The loop carries the components of the arguments that some call changes. Its first region executes the function
//! body once: where that ends in a recursive call, the loop continues with the arguments of the call; elsewhere it
//! ends with the result.

use crate::{Functional, Parts, Role, flat, tail_while};
use minoan_arith as arith;
use minoan_ir::{Block, Body, Builder, OpDef, OpRef, Type, Value};
use minoan_scf::While;

/// The lowering plan of a recursive function.
pub(super) struct Plan {
    /// For each component of the arguments: whether some call changes it.
    changes: Vec<bool>,
    pub(super) name: String,
}

/// The expression in tail position of a block.
pub(super) enum Tail<'a> {
    /// A recursive call.
    Call(OpRef<'a>),
    /// A conditional or choice with a recursive call in at least one region.
    If(OpRef<'a>),
    /// Any other value.
    Value,
}

impl Plan {
    /// The plan for the function `name`, if it calls itself in tail position.
    pub(super) fn of<'a, L: Functional<'a>>(source: &'a Body, entry: Block, name: &str) -> Option<Plan> {
        let mut calls = Vec::new();
        find_calls::<L>(source, entry, name, &mut calls);
        if calls.is_empty() {
            return None;
        }
        let ctx = source.context();
        let args: Vec<Value> = source.block(entry).args().collect();
        let starts: Vec<usize> = args
            .iter()
            .scan(0, |next, &arg| Some(std::mem::replace(next, *next + flat::<L>(ctx, source.ty(arg)).len())))
            .collect();
        let mut changes = Vec::new();
        for (index, &arg) in args.iter().enumerate() {
            let count = flat::<L>(ctx, source.ty(arg)).len();
            changes.extend((0..count).map(|part| {
                calls.iter().any(|call| {
                    let operand = call.operands().nth(index);
                    operand.and_then(|value| origin::<L>(source, &args, &starts, value, part))
                        != Some(starts[index] + part)
                })
            }));
        }
        Some(Plan { changes, name: name.to_owned() })
    }

    /// The loop-carried components.
    pub(super) fn carried<T: Copy>(&self, all: &[T]) -> Vec<T> {
        all.iter().zip(&self.changes).filter(|(_, changes)| **changes).map(|(&one, _)| one).collect()
    }

    /// All components, with the changing ones taken from `carried`.
    pub(super) fn merged(&self, args: &[Value], carried: &[Value]) -> Vec<Value> {
        let mut carried = carried.iter().copied();
        let all = args.iter().zip(&self.changes);
        all.map(|(&arg, changes)| if *changes { carried.next().unwrap_or(arg) } else { arg }).collect()
    }
}

/// The index of the argument component that component `part` of `value` is equal to.
fn origin<'a, L: Functional<'a>>(
    source: &'a Body,
    args: &[Value],
    starts: &[usize],
    mut value: Value,
    mut part: usize,
) -> Option<usize> {
    let ctx = source.context();
    loop {
        if let Some(index) = args.iter().position(|&arg| arg == value) {
            return Some(starts[index] + part);
        }
        let op = source.op(source.defining_op(value)?);
        match L::role(op) {
            Role::Tuple => {
                let mut before = 0;
                value = op.operands().find(|&operand| {
                    let count = flat::<L>(ctx, source.ty(operand)).len();
                    let found = part < before + count;
                    before += if found { 0 } else { count };
                    found
                })?;
                part -= before;
            }
            Role::Get(index) => {
                value = op.operand(0);
                let parts = source.ty(value).as_tuple(ctx)?.get(..index)?;
                part += parts.iter().map(|&ty| flat::<L>(ctx, ty).len()).sum::<usize>();
            }
            _ => return None,
        }
    }
}

fn find_calls<'a, L: Functional<'a>>(source: &'a Body, entry: Block, name: &str, calls: &mut Vec<OpRef<'a>>) {
    let mut pending = vec![entry];
    while let Some(block) = pending.pop() {
        let Some(op) = last_value(source, block) else { continue };
        match L::role(op) {
            Role::Call(callee) if callee == name => calls.push(op),
            Role::If | Role::Choice => {
                pending.extend(op.own_regions().filter_map(|region| source.region(region).entry()))
            }
            _ => {}
        }
    }
}

/// The operation that defines the value of a block, if it is the last one.
pub(super) fn last_value(source: &Body, block: Block) -> Option<OpRef<'_>> {
    let last = source.op(source.block(block).last()?);
    let value = last.operands().next()?;
    let op = source.defining_op(value).filter(|&op| last.prev() == Some(op))?;
    source.only_use(value).map(|_| source.op(op))
}

/// The expression in tail position of a block of the function `name`.
pub(super) fn tail<'a, L: Functional<'a>>(source: &'a Body, block: Block, name: &str) -> Tail<'a> {
    let Some(op) = last_value(source, block) else { return Tail::Value };
    match L::role(op) {
        Role::Call(callee) if callee == name => Tail::Call(op),
        Role::If | Role::Choice => {
            let mut calls = Vec::new();
            for entry in op.own_regions().filter_map(|region| source.region(region).entry()) {
                find_calls::<L>(source, entry, name, &mut calls);
            }
            if calls.is_empty() { Tail::Value } else { Tail::If(op) }
        }
        _ => Tail::Value,
    }
}

/// Lowers the function to a loop; `args` are the components of its arguments.
pub(super) fn tail_loop<'a, L: Functional<'a>>(
    lowering: &mut L,
    b: &mut Builder<'_>,
    entry: Block,
    plan: &Plan,
    args: &[Value],
    results: &[Type],
) -> Parts {
    if let Some(simple) = tail_while::simple::<L>(lowering.source(), entry, plan) {
        return tail_while::simple_loop(lowering, b, entry, plan, args, simple);
    }
    let inits = plan.carried(args);
    let carried: Vec<Type> = inits.iter().map(|&value| b.ty(value)).collect();
    let types = [&carried[..], results].concat();
    let before = |b: &mut Builder<'_>, carried: &[Value]| {
        lowering.bind_flat(entry, &plan.merged(args, carried));
        let values = tail_block(lowering, b, entry, plan, carried, results);
        (values[0], values[1..].to_vec())
    };
    let done = While::with(b, &inits, &types, before, |_, values| values[..inits.len()].to_vec());
    b.body().op(done.op()).results().skip(inits.len()).collect()
}

/// Lowers a block to the loop condition, the next loop-carried values, and the results.
fn tail_block<'a, L: Functional<'a>>(
    lowering: &mut L,
    b: &mut Builder<'_>,
    block: Block,
    plan: &Plan,
    carried: &[Value],
    results: &[Type],
) -> Parts {
    let source = lowering.source();
    minoan_ir::with_stack(|| match tail::<L>(source, block, &plan.name) {
        Tail::Call(call) => {
            lowering.ops_before(b, block, call.id());
            b.set_loc(call.loc());
            let args = lowering.all_parts(call.operands());
            let mut values = Parts::new();
            values.push(arith::constant_bool(b, true));
            values.extend(plan.carried(&args));
            values.extend(results.iter().map(|&ty| L::dummy(b, ty)));
            values
        }
        Tail::If(op) => {
            lowering.ops_before(b, block, op.id());
            b.set_loc(op.loc());
            let types: Vec<Type> = std::iter::once(Type::I1)
                .chain(carried.iter().map(|&value| b.ty(value)))
                .chain(results.iter().copied())
                .collect();
            lowering.select(b, op, &types, &mut |lowering, b, index| match source
                .region(op.region(index))
                .entry()
            {
                Some(entry) => tail_block(lowering, b, entry, plan, carried, results),
                None => Parts::new(),
            })
        }
        Tail::Value => {
            let given = lowering.block(b, block);
            let mut values = Parts::new();
            values.push(arith::constant_bool(b, false));
            values.extend_from_slice(carried);
            values.extend(given);
            values
        }
    })
}
