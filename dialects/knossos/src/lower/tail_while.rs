//! The common case of recursion in tail position: one choice, of which one side always calls the function again
//! and the other side never does. The choice is the condition of the loop, one side its body, and the other side
//! comes after it.

use super::build::{choose, flat};
use super::tail::{Plan, Tail, last_value};
use super::{Lowering, Parts};
use minoan_arith as arith;
use minoan_ir::{Block, Builder, OpDef, OpRef, Region, Type, Value};
use minoan_scf::While;
use rustc_hash::FxHashSet;
use std::cell::RefCell;

impl<'a> Lowering<'a> {
    /// The choice, and which of its regions calls again.
    pub(super) fn simple(&self, entry: Block, plan: &Plan) -> Option<(OpRef<'a>, usize)> {
        let Tail::If(op) = self.tail(entry, &plan.name) else { return None };
        let blocks: Vec<Block> =
            op.regions().filter_map(|region| self.source.region(region).entry()).collect();
        let &[then, otherwise] = &blocks[..] else { return None };
        let never = |block| matches!(self.tail(block, &plan.name), Tail::Value);
        if self.always_calls(then, plan) && never(otherwise) {
            return Some((op, 0));
        }
        (self.always_calls(otherwise, plan) && never(then)).then_some((op, 1))
    }

    fn always_calls(&self, block: Block, plan: &Plan) -> bool {
        let mut pending = vec![block];
        while let Some(block) = pending.pop() {
            match self.tail(block, &plan.name) {
                Tail::Call(_) => {}
                Tail::If(op) => {
                    pending.extend(op.regions().filter_map(|region| self.source.region(region).entry()));
                }
                Tail::Value => return false,
            }
        }
        true
    }

    /// The loop, and what comes after it.
    pub(super) fn simple_loop(
        &mut self,
        b: &mut Builder<'_>,
        entry: Block,
        plan: &Plan,
        args: &[Value],
        (choice, again): (OpRef<'a>, usize),
    ) -> Parts {
        let inits = plan.carried(args);
        let live = self.live(entry, choice);
        let mut types: Vec<Type> = inits.iter().map(|&value| b.ty(value)).collect();
        for &value in &live {
            types.extend(flat(&self.ctx, self.source.ty(value)));
        }
        let lowering = RefCell::new(&mut *self);
        let before = |b: &mut Builder<'_>, carried: &[Value]| {
            let mut lowering = lowering.borrow_mut();
            lowering.bind_flat(entry, &plan.merged(args, carried));
            lowering.ops_before(b, entry, choice.id());
            b.set_loc(choice.loc());
            let mut condition = lowering.single(choice.operand(0));
            if again == 1 {
                let yes = arith::constant_bool(b, true);
                condition = arith::xori(b, condition, yes);
            }
            let live = live.iter().flat_map(|&value| lowering.parts(value));
            (condition, carried.iter().copied().chain(live).collect())
        };
        let after = |b: &mut Builder<'_>, values: &[Value]| {
            let mut lowering = lowering.borrow_mut();
            lowering.bind_flat(entry, &plan.merged(args, &values[..inits.len()]));
            lowering.bind_live(&live, &values[inits.len()..]);
            let block = lowering.source.region(choice.region(again)).entry();
            block.map_or_else(Vec::new, |block| {
                lowering.next_args(b, block, plan, &types[..inits.len()]).into_vec()
            })
        };
        let done = While::with(b, &inits, &types, before, after);
        let values: Vec<Value> = b.body().op(done.op()).results().collect();
        self.bind_flat(entry, &plan.merged(args, &values[..inits.len()]));
        self.bind_live(&live, &values[inits.len()..]);
        b.set_loc(choice.loc());
        self.region(b, choice, 1 - again, &[])
    }

    /// The values that are computed before the choice and used inside of it.
    fn live(&self, entry: Block, choice: OpRef<'a>) -> Vec<Value> {
        let mut seen = FxHashSet::default();
        let mut live = Vec::new();
        let mut pending: Vec<Region> = choice.regions().collect();
        while let Some(region) = pending.pop() {
            for block in self.source.region(region).blocks() {
                for op in self.source.block(block).ops() {
                    let op = self.source.op(op);
                    pending.extend(op.regions());
                    for value in op.operands() {
                        let outside =
                            self.source.defining_op(value).and_then(|op| self.source.op(op).block());
                        if outside == Some(entry) && seen.insert(value) {
                            live.push(value);
                        }
                    }
                }
            }
        }
        // Walked in no particular order.
        live.sort_unstable_by_key(|value| value.index());
        live
    }

    fn bind_live(&mut self, live: &[Value], mut values: &[Value]) {
        for &value in live {
            let (own, rest) = values.split_at(flat(&self.ctx, self.source.ty(value)).len());
            self.values.insert(value, own.into());
            values = rest;
        }
    }

    /// The carried values of the next round, from a block that always calls again.
    fn next_args(&mut self, b: &mut Builder<'_>, block: Block, plan: &Plan, types: &[Type]) -> Parts {
        let Some(last) = last_value(self.source, block) else { return Parts::new() };
        self.ops_before(b, block, last.id());
        b.set_loc(last.loc());
        if last.is::<crate::Call>() {
            let args: Vec<Value> = last.operands().flat_map(|arg| self.parts(arg)).collect();
            return plan.carried(&args).into();
        }
        let condition = self.single(last.operand(0));
        choose(b, condition, types, |b, which| {
            let region = self.source.region(last.region(usize::from(!which)));
            stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || match region.entry() {
                Some(block) => self.next_args(b, block, plan, types),
                None => Parts::new(),
            })
        })
    }
}
