//! Reverse mode: a sweep over the operations of a block in reverse order, at its end.

use super::Key;
use super::tape::TapeRole;
use super::work::Work;
use minoan_ir::{Block, Body, Builder, Name, Op, Value};
use minoan_services::{DiffMode, RegionExecution, TangentClass};

impl Work<'_, '_> {
    /// Adds the reverse sweep to a function; returns the results: those of the function if wanted, and the cotangents of the
    /// chosen arguments.
    pub(super) fn reverse_function(
        &mut self,
        body: &mut Body,
        entry: Block,
        ret: Op,
        key: &Key,
        chosen: &[Value],
        extra: &[Value],
    ) -> Vec<Value> {
        let (ops, _) = Self::split(body, entry);
        let mut b = Builder::before(body, ret);
        let results: Vec<Value> = b.body().op(ret).operands().collect();
        let seeded: Vec<Value> =
            results.iter().zip(&key.seeds).filter(|&(_, &seed)| seed).map(|(&result, _)| result).collect();
        let (given, accumulators) = extra.split_at(if key.ones { 0 } else { seeded.len() });
        let mut seeds: Vec<(Value, Value)> = seeded.iter().copied().zip(given.iter().copied()).collect();
        if key.ones {
            for result in seeded {
                match self.engine.ones(&mut b, result) {
                    Some(ones) => seeds.push((result, ones)),
                    None => self.report(b.body().op(ret), "returns a value that has no cotangent of ones"),
                }
            }
        } else if !key.silent {
            // A request provides the cotangents; the derivative of a callee receives those that its caller created.
            for &(result, seed) in &seeds {
                self.engine.ops.check_extents(&mut b, seed, result);
            }
        }
        let mut accumulators = accumulators.iter();
        for &arg in chosen {
            if self.class(b.ty(arg)) == TangentClass::Dense {
                self.derivatives.extend(accumulators.next().map(|&so_far| (arg, so_far)));
            }
        }
        for (result, seed) in seeds {
            if self.is_active(result) {
                self.accumulate(&mut b, result, seed);
            }
        }
        self.reverse_ops(&mut b, &ops);
        let mut outputs: Vec<Value> =
            if key.value { b.body().op(ret).operands().collect() } else { Vec::new() };
        for &arg in chosen {
            outputs.push(self.take_or_zero(&mut b, arg));
        }
        outputs
    }

    /// Appends the pullbacks of operations, the last one first.
    pub(super) fn reverse_ops(&mut self, b: &mut Builder<'_>, ops: &[Op]) {
        minoan_ir::with_stack(|| {
            for &op in ops.iter().rev() {
                let view = b.body().op(op);
                if let Some(results) = self.deferred.get(&op) {
                    if results.iter().any(|result| self.derivatives.contains_key(result))
                        || self.uses_tape(b.body(), op)
                    {
                        let outside = b.set_loc(view.loc());
                        self.reverse_branches(b, op);
                        b.set_loc(outside);
                    }
                    continue;
                }
                if !view.results().any(|result| self.derivatives.contains_key(&result))
                    && !self.uses_tape(b.body(), op)
                {
                    continue;
                }
                let outside = b.set_loc(view.loc());
                self.reverse_op(b, op);
                b.set_loc(outside);
            }
        });
    }

    fn reverse_op(&mut self, b: &mut Builder<'_>, op: Op) {
        if self.reverse_solved(b, op) {
            return;
        }
        let view = b.body().op(op);
        if let Some(calls) = self.engine.calls.and_then(|table| table.get(view.kind())) {
            return match calls.callee(view).and_then(|callee| callee.as_flat_symbol(self.engine.ctx)) {
                Some(callee) => self.reverse_call(b, op, callee, TapeRole::Whole),
                None => self.report(view, "calls an unknown function, which has no derivative"),
            };
        }
        if self.reverse_object(b, op) {
            return;
        }
        if let Some(structured) = self.engine.structured(b.body_mut(), op, &self.active, false) {
            return self.reverse_domain(b, op, &structured);
        }
        let view = b.body().op(op);
        if view.n_regions() == 0 {
            return self.pullback(b, op);
        }
        let inductions =
            self.engine.loops.and_then(|table| table.get(view.kind())).map(|loops| loops.inductions(view));
        let flow = self.engine.sequential(view).map(|flow| flow.execution(view));
        match (inductions.as_deref(), flow) {
            (_, Some(RegionExecution::ExactlyOne)) => self.reverse_branches(b, op),
            (Some(&[induction]), Some(_)) => self.reverse_counted(b, op, induction),
            (Some([]), Some(_)) if view.n_regions() == 2 => self.reverse_while(b, op),
            _ => self.pullback(b, op),
        }
    }

    pub(super) fn reverse_call(&mut self, b: &mut Builder<'_>, op: Op, callee: Name, role: TapeRole) {
        let view = b.body().op(op);
        let (mut operands, results): (Vec<Value>, Vec<Value>) =
            (view.operands().collect(), view.results().collect());
        let args: Vec<bool> = operands.iter().map(|&operand| self.is_active(operand)).collect();
        // An execution that was recorded is replayed whether its results have cotangents or not.
        let is_seed = |result: &Value| match role {
            TapeRole::Replay => self.is_active(*result),
            _ => self.derivatives.contains_key(result),
        };
        let seeds: Vec<bool> = results.iter().map(is_seed).collect();
        let chosen: Vec<Value> =
            operands.iter().zip(&args).filter(|&(_, &active)| active).map(|(&operand, _)| operand).collect();
        for (&result, _) in results.iter().zip(&seeds).filter(|(_, seed)| **seed) {
            let seed = self.take_or_zero(b, result);
            operands.push(seed);
        }
        let mut given: Vec<Value> = Vec::new();
        for &operand in &chosen {
            if self.class(b.ty(operand)) == TangentClass::Dense {
                // The second occurrence of an operand accumulates into separate zeros.
                given.push(operand);
                let so_far = self.take_or_zero(b, operand);
                operands.push(so_far);
            }
        }
        let tape = if role == TapeRole::Replay { self.tape.clone() } else { Vec::new() };
        operands.extend(tape.iter().filter_map(|stack| self.derivatives.remove(stack)));
        let key = Key {
            of: callee,
            mode: DiffMode::Reverse,
            args,
            seeds,
            ones: false,
            lanes: 1,
            value: false,
            silent: true,
            role,
        };
        let Some((name, types)) = self.name_of(key) else {
            return self.report(b.body().op(op), "calls a function without a derivative");
        };
        let state =
            self.engine.functions.call(self.engine.ctx, name.as_str(self.engine.ctx), &operands, &types);
        let call = b.create(state);
        let cotangents: Vec<Value> = b.body().op(call).results().collect();
        let (cotangents, rest) = cotangents.split_at(chosen.len());
        for (operand, &cotangent) in chosen.into_iter().zip(cotangents) {
            self.accumulate(b, operand, cotangent);
        }
        self.derivatives.extend(tape.into_iter().zip(rest.iter().copied()));
    }
}
