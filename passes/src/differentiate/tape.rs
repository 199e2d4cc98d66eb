//! Recursion with a tape.
//!
//! The reverse sweep of a function computes the values of the function again. If it needs the result of a recursive call, it
//! would call the function again at each level, in time quadratic in the depth. Such a derivative consists of two functions
//! instead:
//!
//! * One *records*: it computes the results of the function, and pushes those of all recursive calls of an execution on a
//!   stack at its end. So the stack has the results of an execution above those of the executions that it calls.
//! * The other one *replays*: it takes the results of its recursive calls from the stack at its start, and its reverse sweep
//!   calls the replaying function for each recursive call, the last one first, which takes its part from the stack.
//!
//! A stack is threaded through the conditionals around the calls; results of calls that are not executed are zeros. There is a
//! stack for each type of results of recursive calls in the functions that call each other. Tensors of any extents are on one stack.

use super::work::{Work, nested};
use super::{Engine, Key};
use minoan_ir::{Block, Body, Builder, DYNAMIC, InsertionPoint, Name, Op, OpRef, Traits, Type, Value};
use minoan_services::{DiffMode, RegionExecution, is_number};
use rustc_hash::{FxHashMap, FxHashSet};

/// The role of a derivative in computing the results of recursive calls only once.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum TapeRole {
    /// The whole derivative, without a tape.
    Whole,
    /// Computes the results, and pushes those of recursive calls to the stacks.
    Record,
    /// Computes the cotangents, and pops the results of recursive calls from the stacks.
    Replay,
}

/// A stack of the tape.
#[derive(Clone, Copy)]
struct TapeStack {
    /// The type of the numbers or tensors on it.
    element: Type,
    /// The index of its owner in the engine's objects.
    owner: usize,
    ty: Type,
}

impl Engine<'_> {
    /// The type of a result of a recursive call on a tape: a number, for a tensor of rank 0 its element, or a tensor of numbers.
    fn taped_type(&self, ty: Type) -> Option<Type> {
        let element = ty.element_or_self(self.ctx);
        let is_number = is_number(self.ctx, element);
        let is_tensor = ty.is_tensor(self.ctx);
        if !is_number || (ty != element && !is_tensor) {
            return None;
        }
        Some(if is_tensor && ty.shape(self.ctx)?.is_empty() { element } else { ty })
    }

    /// The types of the numbers on tapes, by component of the graph of calls. A component whose recursive calls cannot be taped
    /// has no entry.
    fn tapes(&self, module: &Body) -> &FxHashMap<usize, Vec<Type>> {
        let components = self.components(module);
        self.tapes.get_or_init(|| {
            let mut found: FxHashMap<usize, Vec<Type>> = FxHashMap::default();
            let mut refused: FxHashSet<usize> = FxHashSet::default();
            for function in module.walk() {
                let view = module.op(function);
                let (Some(name), Some(body)) = (view.symbol_name(), view.nested()) else { continue };
                let Some(&own) = components.get(&self.ctx.name(name)) else { continue };
                let Some(entry) = body.region(body.root(0)).entry() else { continue };
                for op in body.walk() {
                    let Some(callee) = self.recursive_callee(module, own, body.op(op)) else { continue };
                    if [DiffMode::Forward, DiffMode::Reverse]
                        .into_iter()
                        .any(|mode| self.defined.contains_key(&(callee, mode)))
                    {
                        refused.insert(own);
                    }
                    let types: Option<Vec<Type>> =
                        body.op(op).result_types().map(|ty| self.taped_type(ty)).collect();
                    match types.filter(|_| self.conditionals_around(body, entry, op).is_some()) {
                        Some(types) => {
                            let known = found.entry(own).or_default();
                            for ty in types {
                                if !known.contains(&ty) {
                                    known.push(ty);
                                }
                            }
                        }
                        None => {
                            refused.insert(own);
                        }
                    }
                }
            }
            found.retain(|component, types| !refused.contains(component) && !types.is_empty());
            found
        })
    }

    /// The callee of a call within a component of the graph of calls.
    pub(super) fn recursive_callee(&self, module: &Body, component: usize, op: OpRef<'_>) -> Option<Name> {
        let calls = self.calls.and_then(|table| table.get(op.kind()))?;
        let callee = calls.callee(op)?.as_flat_symbol(self.ctx)?;
        (self.components(module).get(&callee) == Some(&component)).then_some(callee)
    }

    /// The conditionals around an operation, from the inside out; `None` if any other operation encloses it.
    pub(super) fn conditionals_around(&self, body: &Body, entry: Block, op: Op) -> Option<Vec<Op>> {
        let mut found = Vec::new();
        let mut at = op;
        while body.op(at).block() != Some(entry) {
            let parent = body.op(at).parent()?;
            let view = body.op(parent);
            let flow = self.sequential(view)?;
            if flow.execution(view) != RegionExecution::ExactlyOne
                || (0..view.n_regions()).any(|region| Work::entry(view, region).is_none())
            {
                return None;
            }
            found.push(parent);
            at = parent;
        }
        Some(found)
    }

    /// The stacks of the tape of a function; empty if it has none.
    fn stacks(&self, function: Name) -> Vec<TapeStack> {
        let types = self
            .components
            .get()
            .and_then(|components| self.tapes.get()?.get(components.get(&function)?))
            .cloned()
            .unwrap_or_default();
        let mut scratch = Body::new(self.ctx, 1);
        let root = scratch.root(0);
        let block = scratch.add_block(root, &[]);
        let mut b = Builder::at_end(&mut scratch, block);
        types
            .into_iter()
            .filter_map(|element| {
                let (owner, stack) = self.new_stack(&mut b, element)?;
                Some(TapeStack { element, owner, ty: b.ty(stack) })
            })
            .collect()
    }

    /// The types of the stacks of the tape of a function.
    pub(super) fn stack_types(&self, function: Name) -> Vec<Type> {
        self.stacks(function).into_iter().map(|stack| stack.ty).collect()
    }

    /// Whether the derivative of a function computes results of recursive calls again, which a tape can have.
    pub(super) fn wants_tape(&self, module: &Body, key: &Key, body: &Body) -> bool {
        if key.mode != DiffMode::Reverse || key.role != TapeRole::Whole || !key.silent {
            return false;
        }
        let Some(&own) = self.components(module).get(&key.of) else { return false };
        body.walk().into_iter().any(|op| self.recursive_callee(module, own, body.op(op)).is_some())
            && self.tapes(module).contains_key(&own)
            && !self.stacks(key.of).is_empty()
    }

    /// Creates a derivative that records and replays.
    pub(super) fn build_taped(&mut self, module: &mut Body, key: &Key, target: Op) {
        let request = self.memo[key].1;
        let (args, results) = self.signature(module, key.of).expect("the function exists");
        let (inputs, outputs) = self.derived_signature(key, &args, &results);
        let record = Key { role: TapeRole::Record, seeds: Vec::new(), value: false, ..key.clone() };
        let replay = Key { role: TapeRole::Replay, value: false, ..key.clone() };
        let stacks = self.stacks(key.of);
        let Some((record, recorded)) = self.derivative(module, record, request) else { return };
        let Some((replay, replayed)) = self.derivative(module, replay, request) else { return };
        let loc = module.op(target).loc();
        let (mut body, entry, given) = self.new_function(&inputs);
        let mut b = Builder::at_end(&mut body, entry).with_loc(loc);
        let mut operands = given[..args.len()].to_vec();
        for stack in &stacks {
            operands.extend(self.new_stack(&mut b, stack.element).map(|(_, stack)| stack));
        }
        let mut found = self.call(&mut b, record, &operands, &recorded);
        let tape = found.split_off(results.len());
        let cotangents = self.call(&mut b, replay, &[given, tape].concat(), &replayed);
        let mut returned = if key.value { found } else { Vec::new() };
        returned.extend(cotangents);
        returned.truncate(outputs.len());
        b.create(self.functions.return_op(self.ctx, &returned));
        *module.nested_mut(target).expect("a declared function has storage for a body") = body;
    }
}

impl Work<'_, '_> {
    /// Adds the stacks to a function whose recursive calls record; returns the results: those of the function, and the stacks.
    pub(super) fn record_function(
        &mut self,
        body: &mut Body,
        entry: Block,
        ret: Op,
        key: &Key,
        given: &[Value],
    ) -> Vec<Value> {
        let stacks = self.engine.stacks(key.of);
        let own = self.engine.components(self.module)[&key.of];
        let (mut tops, frame) = self.record_block(body, entry, own, given.to_vec());
        let mut b = Builder::before(body, ret);
        for value in frame {
            let number = match self.engine.taped_type(b.ty(value)) {
                Some(ty) if ty != b.ty(value) => self.engine.ops.load(&mut b, value, &[]),
                _ => value,
            };
            let Some(at) = stacks.iter().position(|stack| stack.element == b.ty(number)) else { continue };
            tops[at] = self.engine.objects[stacks[at].owner].push(&mut b, tops[at], number);
        }
        body.op(ret).operands().chain(tops).collect()
    }

    /// Lets the recursive calls in a block record; returns the stacks at its end, and the results of all calls.
    fn record_block(
        &mut self,
        body: &mut Body,
        block: Block,
        own: usize,
        mut stacks: Vec<Value>,
    ) -> (Vec<Value>, Vec<Value>) {
        let mut frame = Vec::new();
        for op in body.block(block).ops().collect::<Vec<Op>>() {
            if let Some(callee) = self.engine.recursive_callee(self.module, own, body.op(op)) {
                let results: Vec<Value> = body.op(op).results().collect();
                let args: Vec<bool> = body.op(op).operands().map(|operand| self.is_active(operand)).collect();
                if !self.is_taped(body.op(op)) {
                    frame.extend(results);
                    continue;
                }
                let mode = DiffMode::Reverse;
                let role = TapeRole::Record;
                let key = Key {
                    of: callee,
                    mode,
                    args,
                    seeds: Vec::new(),
                    ones: false,
                    lanes: 1,
                    value: false,
                    silent: true,
                    role,
                };
                let Some((name, types)) = self.name_of(key) else { continue };
                let operands: Vec<Value> = body.op(op).operands().chain(stacks).collect();
                let loc = body.op(op).loc();
                let mut b = Builder::before(body, op).with_loc(loc);
                let mut values = self.engine.call(&mut b, name, &operands, &types);
                stacks = values.split_off(results.len());
                for (old, &new) in results.iter().zip(&values) {
                    if self.active.contains(old) {
                        self.active.insert(new);
                    }
                }
                body.replace(op, &values);
                frame.extend(values);
            } else if self.has_recursive_call(body, own, op) {
                let (next, values) = self.record_conditional(body, op, own, stacks);
                stacks = next;
                frame.extend(values);
            }
        }
        (stacks, frame)
    }

    fn has_recursive_call(&self, body: &Body, own: usize, op: Op) -> bool {
        let is_call = |&op: &Op| self.engine.recursive_callee(self.module, own, body.op(op)).is_some();
        body.op(op).n_regions() > 0 && nested(body, op).iter().any(is_call)
    }

    /// Makes the stacks and the results of the recursive calls in a conditional results of it.
    fn record_conditional(
        &mut self,
        body: &mut Body,
        op: Op,
        own: usize,
        stacks: Vec<Value>,
    ) -> (Vec<Value>, Vec<Value>) {
        let view = body.op(op);
        let (operands, results): (Vec<Value>, Vec<Value>) =
            (view.operands().collect(), view.results().collect());
        let blocks: Vec<Block> =
            (0..view.n_regions()).filter_map(|region| Self::entry(view, region)).collect();
        let parts: Vec<(Vec<Value>, Vec<Value>)> =
            blocks.iter().map(|&block| self.record_block(body, block, own, stacks.clone())).collect();
        for (&block, (tops, values)) in blocks.iter().zip(&parts) {
            let last = body.block(block).last().expect("a region ends with a terminator");
            let mut b = Builder::new(body, InsertionPoint::Before(last));
            let mut yielded: Vec<Value> = b.body().op(last).operands().chain(tops.iter().copied()).collect();
            for (other, (_, others)) in blocks.iter().zip(&parts) {
                for &value in others {
                    yielded.push(if *other == block { value } else { self.absent(&mut b, value) });
                }
            }
            debug_assert!(values.iter().all(|value| yielded.contains(value)));
            body.set_operands(last, &yielded);
        }
        let frame = parts.iter().flat_map(|(_, values)| values).copied();
        let more = stacks.iter().copied().chain(frame).map(|value| body.ty(value));
        let types: Vec<Type> = body.op(op).result_types().chain(more).collect();
        let new = body.recreate(op, &operands, &types);
        let mut all: Vec<Value> = body.op(new).results().collect();
        for (old, &new) in results.iter().zip(&all) {
            if self.active.contains(old) {
                self.active.insert(new);
            }
        }
        body.replace(op, &all[..results.len()]);
        let mut tops = all.split_off(results.len());
        let values = tops.split_off(stacks.len());
        (tops, values)
    }

    /// The result of a recursive call that is not executed.
    fn absent(&self, b: &mut Builder<'_>, value: Value) -> Value {
        let ops = self.engine.ops;
        let shape = b.ty(value).shape(self.engine.ctx).unwrap_or(&[]);
        if !shape.contains(&DYNAMIC) {
            return ops.filled_like(b, value, 0).expect("it has numbers");
        }
        let extents = vec![ops.index(b, 0); shape.len()];
        let ty = b.ty(value);
        ops.empty(b, ty, &extents)
    }

    /// Whether a recursive call depends on the differentiated arguments.
    fn is_taped(&self, op: OpRef<'_>) -> bool {
        op.operands().any(|operand| self.is_active(operand))
            && op.results().any(|result| self.is_active(result))
    }

    /// Takes the results of recursive calls from the stacks at the start of a function. The calls stay until
    /// [`Work::drop_copies`], for the reverse sweep.
    pub(super) fn replay_tape(&mut self, body: &mut Body, entry: Block, key: &Key, given: &[Value]) {
        let stacks = self.engine.stacks(key.of);
        let own = self.engine.components(self.module)[&key.of];
        let calls: Vec<(Op, Name)> = body
            .walk()
            .into_iter()
            .filter_map(|op| Some((op, self.engine.recursive_callee(self.module, own, body.op(op))?)))
            .collect();
        let mut tops = given.to_vec();
        let first = body.block(entry).ops().next().expect("a function ends with a terminator");
        let mut b = Builder::before(body, first);
        for &(op, callee) in calls.iter().rev() {
            let view = b.body().op(op);
            let types: Vec<Type> = view.result_types().collect();
            let args: Vec<bool> = view.operands().map(|operand| self.is_active(operand)).collect();
            let taped = self.is_taped(view).then_some(callee);
            let mut values = Vec::new();
            for &ty in types.iter().rev() {
                let element = self.engine.taped_type(ty);
                let at = stacks.iter().position(|stack| Some(stack.element) == element);
                let at = at.expect("each result of a recursive call has a stack");
                let (number, rest) = self.engine.objects[stacks[at].owner].pop(&mut b, tops[at]);
                tops[at] = rest;
                values.push(match element != Some(ty) {
                    true => {
                        let empty = self.engine.ops.empty(&mut b, ty, &[]);
                        self.engine.ops.store(&mut b, number, empty, &[])
                    }
                    false => number,
                });
            }
            values.reverse();
            self.solved.tape(op, values, args, taped);
        }
        self.derivatives.extend(given.iter().copied().zip(tops));
        self.tape = given.to_vec();
    }

    /// Whether the reverse sweep of an operation takes values from the stacks.
    pub(super) fn uses_tape(&self, body: &Body, op: Op) -> bool {
        !self.tape.is_empty()
            && (self.solved.is_taped(op)
                || (body.op(op).n_regions() > 0
                    && nested(body, op).iter().any(|&op| self.solved.is_taped(op))))
    }

    /// The stacks at the end of the reverse sweep.
    pub(super) fn final_tape(&mut self) -> Vec<Value> {
        let keys = std::mem::take(&mut self.tape);
        keys.iter().filter_map(|key| self.derivatives.remove(key)).collect()
    }
}

/// The terminator of a function that can have a derivative.
pub(super) fn return_of(body: &Body, entry: Block) -> Option<Op> {
    body.block(entry).last().filter(|&op| body.op(op).has_trait(Traits::RETURN_LIKE))
}
