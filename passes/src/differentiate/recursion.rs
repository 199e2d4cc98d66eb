//! Recursive calls in reverse mode.
//!
//! The reverse sweep of a recursive function would recompute its values at each level, by a call that recomputes them in turn.
//! If a recursive call takes and returns numbers, one of which is active, its cotangents are a multiple of its gradient. So the
//! forward sweep calls the derivative for the cotangent 1 instead of the function: it returns the value and the gradient
//! together, and the reverse sweep multiplies the gradient. Then each level makes one call for each call of the function.
//!
//! Results of a call inside of a conditional are results of the conditional, too, so that the reverse sweep finds them.

use super::Key;
use super::tape::TapeRole;
use super::work::{Work, nested};
use minoan_ir::{Block, Body, Builder, Name, Op, Type, Value};
use minoan_services::{DiffMode, TangentClass};
use rustc_hash::FxHashMap;

/// A call whose gradient the forward sweep computes.
#[derive(Clone, Debug)]
pub(super) struct Solved {
    /// The results of the function, then the gradients with respect to the active arguments, after all conditionals.
    values: Vec<Value>,
    /// The number of results of the function.
    results: usize,
    /// The active result.
    seeded: usize,
    /// The active arguments.
    args: Vec<bool>,
    /// The callee of an active call whose results are on a tape.
    taped: Option<Name>,
}

/// The solved calls of a function.
#[derive(Default)]
pub(super) struct SolvedCalls {
    calls: FxHashMap<Op, Solved>,
    /// Copies of solved calls for the reverse sweep.
    copies: Vec<Op>,
    /// The conditionals that replace others, and the results that replace theirs.
    moved: FxHashMap<Op, Op>,
    renamed: FxHashMap<Value, Value>,
}

impl SolvedCalls {
    /// Adds a call whose results are on a tape.
    pub(super) fn tape(&mut self, op: Op, values: Vec<Value>, args: Vec<bool>, taped: Option<Name>) {
        let results = values.len();
        self.calls.insert(op, Solved { values, results, seeded: 0, args, taped });
        self.copies.push(op);
    }

    /// Whether the reverse sweep of a call takes values from a tape.
    pub(super) fn is_taped(&self, op: Op) -> bool {
        self.calls.get(&op).is_some_and(|solved| solved.taped.is_some())
    }

    /// The solved calls.
    pub(super) fn ops(&self) -> impl Iterator<Item = Op> {
        self.calls.keys().copied()
    }

    /// Records that `new` has replaced the conditional `op`, and the results that have replaced those of `op`.
    pub(super) fn rename(&mut self, op: Op, new: Op, results: impl Iterator<Item = (Value, Value)>) {
        self.moved.insert(op, new);
        self.renamed.extend(results);
    }

    /// The conditional that has replaced `op`, or `op` itself.
    pub(super) fn current(&self, mut op: Op) -> Op {
        while let Some(&new) = self.moved.get(&op) {
            op = new;
        }
        op
    }

    /// The result that has replaced `value`, or `value` itself.
    pub(super) fn value(&self, mut value: Value) -> Value {
        while let Some(&new) = self.renamed.get(&value) {
            value = new;
        }
        value
    }
}

impl Work<'_, '_> {
    /// Replaces recursive calls by calls of the derivative where the reverse sweep can use the gradient.
    pub(super) fn solve_recursive_calls(&mut self, body: &mut Body, entry: Block, key: &Key) {
        let Some(&own) = self.engine.components(self.module).get(&key.of) else { return };
        for op in body.walk() {
            let callee = self.engine.recursive_callee(self.module, own, body.op(op));
            let Some(callee) = callee else { continue };
            let Some(conditionals) = self.engine.conditionals_around(body, entry, op) else { continue };
            self.solve(body, op, callee, &conditionals, key.silent);
        }
    }

    fn solve(&mut self, body: &mut Body, op: Op, callee: Name, conditionals: &[Op], silent: bool) {
        let view = body.op(op);
        let (operands, results): (Vec<Value>, Vec<Value>) =
            (view.operands().collect(), view.results().collect());
        let args: Vec<bool> = operands.iter().map(|&operand| self.is_active(operand)).collect();
        let seeds: Vec<bool> = results.iter().map(|&result| self.is_active(result)).collect();
        let is_number = |value: &Value| {
            let ty = body.ty(*value);
            ty == Type::INDEX || ty.is_float(self.engine.ctx) || ty.integer_width(self.engine.ctx).is_some()
        };
        let is_scalar = |value: &Value| self.class(body.ty(*value)) == TangentClass::Scalar;
        let active = operands.iter().zip(&args).filter(|&(_, &active)| active);
        let fits = args.contains(&true)
            && active.map(|(operand, _)| operand).all(|operand| is_number(operand) && is_scalar(operand))
            && seeds.iter().filter(|&&seed| seed).count() == 1
            && results
                .iter()
                .zip(&seeds)
                .all(|(result, &seed)| is_number(result) && (!seed || is_scalar(result)));
        let Some(seeded) = seeds.iter().position(|&seed| seed).filter(|_| fits) else { return };
        let key = Key {
            of: callee,
            mode: DiffMode::Reverse,
            args: args.clone(),
            seeds,
            ones: false,
            lanes: 1,
            value: true,
            silent,
            role: TapeRole::Whole,
        };
        let Some((name, types)) = self.name_of(key) else { return };
        let loc = view.loc();
        let mut b = Builder::before(body, op).with_loc(loc);
        let Some(one) = self.engine.ops.filled_like(&mut b, results[seeded], 1) else { return };
        let given: Vec<Value> = operands.into_iter().chain([one]).collect();
        let state = self.engine.functions.call(self.engine.ctx, name.as_str(self.engine.ctx), &given, &types);
        let call = b.create(state);
        let mut values: Vec<Value> = body.op(call).results().collect();
        self.active.insert(values[seeded]);
        body.replace(op, &values[..results.len()]);
        for &conditional in conditionals {
            let Some(outside) = self.forward_out(body, conditional, &values) else { return };
            values = outside;
        }
        let solved = Solved { values, results: results.len(), seeded, args, taped: None };
        self.solved.calls.insert(call, solved);
    }

    /// Records copies of solved calls in the copy of an operation.
    pub(super) fn copy_solved(&mut self, body: &Body, from: Op, to: Op) {
        if self.solved.calls.is_empty() {
            return;
        }
        let pairs = [(from, to)].into_iter().chain(nested(body, from).into_iter().zip(nested(body, to)));
        for (from, to) in pairs {
            if let Some(solved) = self.solved.calls.get(&from).cloned() {
                self.solved.calls.insert(to, solved);
                self.solved.copies.push(to);
            }
        }
    }

    /// Adds the cotangents of the operands of a solved call; `false` if the call is not one.
    pub(super) fn reverse_solved(&mut self, b: &mut Builder<'_>, op: Op) -> bool {
        let Some(solved) = self.solved.calls.get(&op).cloned() else { return false };
        if let Some(callee) = solved.taped {
            self.reverse_call(b, op, callee, TapeRole::Replay);
            return true;
        }
        let view = b.body().op(op);
        let (operands, seeded): (Vec<Value>, Value) = (view.operands().collect(), view.result(solved.seeded));
        let Some(cotangent) = self.derivatives.remove(&seeded) else { return true };
        let gradients = solved.values[solved.results..].iter();
        let active = operands.iter().zip(&solved.args).filter(|&(_, &active)| active);
        for ((&operand, _), &gradient) in active.zip(gradients) {
            let gradient = self.solved.value(gradient);
            let product = self.engine.ops.product(b, cotangent, gradient);
            self.accumulate(b, operand, product);
        }
        true
    }

    /// Replaces the copies of solved calls by the values that the forward sweep computes.
    pub(super) fn drop_copies(&mut self, body: &mut Body) {
        for op in std::mem::take(&mut self.solved.copies) {
            if body.try_op(op).is_ok() {
                let solved = &self.solved.calls[&op];
                let values: Vec<Value> =
                    solved.values.iter().map(|&value| self.solved.value(value)).collect();
                body.replace(op, &values);
            }
        }
    }
}
