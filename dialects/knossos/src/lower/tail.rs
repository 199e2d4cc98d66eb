//! Recursion in tail position, as a loop.
//!
//! The loop carries the components of the arguments that some call changes. Its first region runs the body of the
//! function once: where that ends in a call of the function itself, the loop goes on with the arguments of the call;
//! elsewhere it ends with the result.

use super::build::{choose, dummy, flat};
use super::{Lowering, Parts};
use minoan_arith as arith;
use minoan_ir::{Block, Body, Builder, OpDef, OpRef, Type, Value};
use minoan_scf::While;

/// How a function becomes a loop.
pub(super) struct Plan {
    /// For each component of the arguments, whether some call changes it.
    changes: Vec<bool>,
    pub(super) name: String,
}

/// What stands in tail position of a block.
pub(super) enum Tail<'a> {
    /// A call of the function itself.
    Call(OpRef<'a>),
    /// A choice, in at least one region of which there is such a call.
    If(OpRef<'a>),
    /// Anything else.
    Value,
}

impl Plan {
    /// The plan for the function `name` with that body, if it calls itself in tail position.
    pub(super) fn of(source: &Body, entry: Block, name: &str) -> Option<Plan> {
        let mut calls = Vec::new();
        find_calls(source, entry, name, &mut calls);
        if calls.is_empty() {
            return None;
        }
        let ctx = source.context();
        let args: Vec<Value> = source.block(entry).args().collect();
        let starts: Vec<usize> = args
            .iter()
            .scan(0, |next, &arg| Some(std::mem::replace(next, *next + flat(ctx, source.ty(arg)).len())))
            .collect();
        let mut changes = Vec::new();
        for (index, &arg) in args.iter().enumerate() {
            let count = flat(ctx, source.ty(arg)).len();
            changes.extend((0..count).map(|part| {
                calls.iter().any(|call| {
                    let operand = call.operands().nth(index);
                    operand.and_then(|value| origin(source, &args, &starts, value, part))
                        != Some(starts[index] + part)
                })
            }));
        }
        Some(Plan { changes, name: name.to_owned() })
    }

    /// The carried ones of all components.
    pub(super) fn carried<T: Copy>(&self, all: &[T]) -> Vec<T> {
        all.iter().zip(&self.changes).filter(|(_, changes)| **changes).map(|(&one, _)| one).collect()
    }

    /// All components, where those that change are `carried`.
    pub(super) fn merged(&self, args: &[Value], carried: &[Value]) -> Vec<Value> {
        let mut carried = carried.iter().copied();
        let all = args.iter().zip(&self.changes);
        all.map(|(&arg, changes)| if *changes { carried.next().unwrap_or(arg) } else { arg }).collect()
    }
}

/// The number of the argument component that component `part` of `value` is.
fn origin(
    source: &Body,
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
        if op.is::<crate::MakeTuple>() {
            let mut before = 0;
            value = op.operands().find(|&operand| {
                let count = flat(ctx, source.ty(operand)).len();
                let found = part < before + count;
                before += if found { 0 } else { count };
                found
            })?;
            part -= before;
        } else if op.is::<crate::Get>() {
            let index = usize::try_from(op.attr_named("index")?.as_i64(ctx)?).ok()?;
            value = op.operand(0);
            let parts = source.ty(value).as_tuple(ctx)?.get(..index)?;
            part += parts.iter().map(|&ty| flat(ctx, ty).len()).sum::<usize>();
        } else {
            return None;
        }
    }
}

fn find_calls<'a>(source: &'a Body, entry: Block, name: &str, calls: &mut Vec<OpRef<'a>>) {
    let mut pending = vec![entry];
    while let Some(block) = pending.pop() {
        match last_value(source, block) {
            Some(op) if is_call(op, name) => calls.push(op),
            Some(op) if op.is::<crate::If>() => {
                pending.extend(op.regions().filter_map(|region| source.region(region).entry()));
            }
            _ => {}
        }
    }
}

fn is_call(op: OpRef<'_>, name: &str) -> bool {
    let callee = op.attr_named("callee").and_then(|callee| callee.as_flat_symbol(op.context()));
    op.is::<crate::Call>() && callee.is_some_and(|callee| callee.as_str(op.context()) == name)
}

/// The operation that gives the value of a block, when it is the last one.
pub(super) fn last_value(source: &Body, block: Block) -> Option<OpRef<'_>> {
    let last = source.op(source.block(block).last()?);
    let value = last.operands().next()?;
    let op = source.defining_op(value).filter(|&op| last.prev() == Some(op))?;
    source.only_use(value).map(|_| source.op(op))
}

impl<'a> Lowering<'a> {
    pub(super) fn tail(&self, block: Block, name: &str) -> Tail<'a> {
        match last_value(self.source, block) {
            Some(op) if is_call(op, name) => Tail::Call(op),
            Some(op) if op.is::<crate::If>() => {
                let mut calls = Vec::new();
                for region in op.regions() {
                    if let Some(entry) = self.source.region(region).entry() {
                        find_calls(self.source, entry, name, &mut calls);
                    }
                }
                if calls.is_empty() { Tail::Value } else { Tail::If(op) }
            }
            _ => Tail::Value,
        }
    }

    /// The function as a loop; `args` are the components of its arguments.
    pub(super) fn tail_loop(
        &mut self,
        b: &mut Builder<'_>,
        entry: Block,
        plan: &Plan,
        args: &[Value],
        results: &[Type],
    ) -> Parts {
        if let Some(simple) = self.simple(entry, plan) {
            return self.simple_loop(b, entry, plan, args, simple);
        }
        let inits = plan.carried(args);
        let carried: Vec<Type> = inits.iter().map(|&value| b.ty(value)).collect();
        let types = [&carried[..], results].concat();
        let before = |b: &mut Builder<'_>, carried: &[Value]| {
            self.bind_flat(entry, &plan.merged(args, carried));
            let values = self.tail_block(b, entry, plan, carried, results);
            (values[0], values[1..].to_vec())
        };
        let done = While::with(b, &inits, &types, before, |_, values| values[..inits.len()].to_vec());
        b.body().op(done.op()).results().skip(inits.len()).collect()
    }

    /// Whether to go on, the carried values of the next round, and the results.
    fn tail_block(
        &mut self,
        b: &mut Builder<'_>,
        block: Block,
        plan: &Plan,
        carried: &[Value],
        results: &[Type],
    ) -> Parts {
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || match self.tail(block, &plan.name) {
            Tail::Call(call) => {
                self.ops_before(b, block, call.id());
                b.set_loc(call.loc());
                let args: Vec<Value> = call.operands().flat_map(|arg| self.parts(arg)).collect();
                let mut values = Parts::new();
                values.push(arith::constant_bool(b, true));
                values.extend(plan.carried(&args));
                values.extend(results.iter().map(|&ty| dummy(b, ty)));
                values
            }
            Tail::If(op) => {
                self.ops_before(b, block, op.id());
                b.set_loc(op.loc());
                let types: Vec<Type> = std::iter::once(Type::I1)
                    .chain(carried.iter().map(|&value| b.ty(value)))
                    .chain(results.iter().copied())
                    .collect();
                let condition = self.single(op.operand(0));
                choose(b, condition, &types, |b, which| {
                    let region = op.region(usize::from(!which));
                    match self.source.region(region).entry() {
                        Some(entry) => self.tail_block(b, entry, plan, carried, results),
                        None => Parts::new(),
                    }
                })
            }
            Tail::Value => {
                let given = self.block(b, block);
                let mut values = Parts::new();
                values.push(arith::constant_bool(b, false));
                values.extend_from_slice(carried);
                values.extend(given);
                values
            }
        })
    }
}
