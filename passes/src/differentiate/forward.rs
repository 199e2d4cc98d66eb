//! Forward mode: the tangent of a value is computed directly after the value.

use super::Key;
use super::tape::TapeRole;
use super::work::{ACTIVE_INSIDE, Work};
use minoan_ir::{Block, Body, Builder, InsertionPoint, Op, OpRef, Value};
use minoan_services::{DiffMode, RegionSuccessors, RegionTarget, TangentCx};

impl Work<'_, '_> {
    /// Adds tangents to a function; returns the results of the function, and the tangents of those that have one.
    pub(super) fn forward_function(
        &mut self,
        body: &mut Body,
        entry: Block,
        ret: Op,
        chosen: &[Value],
        tangents: &[Value],
    ) -> Vec<Value> {
        for (lane, tangents) in tangents.chunks(chosen.len().max(1)).enumerate() {
            self.lane_mut(lane).extend(chosen.iter().copied().zip(tangents.iter().copied()));
        }
        self.forward_block(body, entry);
        let mut b = Builder::before(body, ret);
        let mut outputs: Vec<Value> = b.body().op(ret).operands().collect();
        let active: Vec<Value> =
            outputs.iter().copied().filter(|&value| self.engine.is_active_type(b.ty(value))).collect();
        self.extend_by_tangents(&mut b, &mut outputs, &active);
        outputs
    }

    /// Appends the tangents of values, by lane.
    fn extend_by_tangents(&self, b: &mut Builder<'_>, list: &mut Vec<Value>, values: &[Value]) {
        for lane in 0..self.lanes() {
            list.extend(values.iter().map(|&value| self.tangent(b, lane, value)));
        }
    }

    /// Records the tangents of values, given by lane.
    fn record_tangents(&mut self, values: &[Value], tangents: &[Value]) {
        self.active.extend(values);
        for (lane, tangents) in tangents.chunks(values.len().max(1)).enumerate() {
            self.lane_mut(lane).extend(values.iter().copied().zip(tangents.iter().copied()));
        }
    }

    pub(super) fn tangent(&self, b: &mut Builder<'_>, lane: usize, value: Value) -> Value {
        match self.lane(lane).get(&value) {
            Some(&tangent) => tangent,
            None => self.zero_like(b, value),
        }
    }

    fn forward_block(&mut self, body: &mut Body, block: Block) {
        let (ops, _) = Self::split(body, block);
        self.forward_ops(body, &ops);
    }

    /// Computes the tangents of the results of operations.
    pub(super) fn forward_ops(&mut self, body: &mut Body, ops: &[Op]) {
        for &op in ops {
            let view = body.op(op);
            if !view.results().any(|result| self.is_active(result)) && !self.writes_active(body, op) {
                continue;
            }
            if let Some(calls) = self.engine.calls.and_then(|table| table.get(view.kind())) {
                match calls.callee(view).and_then(|callee| callee.as_flat_symbol(self.engine.ctx)) {
                    Some(callee) => self.forward_call(body, op, callee),
                    None => self.report(view, "calls an unknown function, which has no derivative"),
                }
            } else if view.n_regions() > 0 && self.engine.sequential(view).is_some() {
                self.forward_regions(body, op);
            } else if let Some(structured) = self.engine.structured(body, op, &self.active, true) {
                self.forward_domain(body, op, &structured);
            } else {
                (0..self.lanes()).for_each(|lane| self.forward_op(body, op, lane));
            }
        }
    }

    /// Computes the tangents of the results of an operation in a lane.
    fn forward_op(&mut self, body: &mut Body, op: Op, lane: usize) {
        let view = body.op(op);
        let tangents: Vec<Option<Value>> =
            view.operands().map(|operand| self.lane(lane).get(&operand).copied()).collect();
        if self.forward_object(body, op, lane, &tangents) {
            return;
        }
        let view = body.op(op);
        if tangents.iter().all(Option::is_none) && view.n_regions() == 0 {
            return;
        }
        let Some(rule) = self.engine.rules.and_then(|table| table.get(view.kind())) else {
            return if lane == 0 {
                self.report(view, "")
            };
        };
        if self.uses_active_inside(body, op) {
            return if lane == 0 {
                self.report(body.op(op), ACTIVE_INSIDE)
            };
        }
        let view = body.op(op);
        let results: Vec<Value> = view.results().collect();
        let mut found = vec![None; results.len()];
        let loc = view.loc();
        let mut b = Builder::new(body, InsertionPoint::After(op)).with_loc(loc);
        match rule.tangent(&mut TangentCx::new(&mut b, op, &tangents, &mut found)) {
            Ok(()) => {
                if rule.is_singular(b.body().op(op)) {
                    let causes: Vec<Value> = tangents.into_iter().flatten().collect();
                    for tangent in found.iter_mut().flatten() {
                        *tangent = self.engine.ops.zero_without_cause(&mut b, &causes, *tangent);
                    }
                }
                let known = results.into_iter().zip(found);
                let known = known.filter_map(|(result, tangent)| Some((result, tangent?)));
                self.lane_mut(lane).extend(known);
            }
            Err(why) if lane == 0 => self.report(body.op(op), &why),
            Err(_) => {}
        }
    }

    fn forward_call(&mut self, body: &mut Body, op: Op, callee: minoan_ir::Name) {
        let view = body.op(op);
        let mut operands: Vec<Value> = view.operands().collect();
        let args: Vec<bool> = operands.iter().map(|operand| self.derivatives.contains_key(operand)).collect();
        let has_storage = view.results().any(|result| self.engine.is_storage(body.ty(result)));
        if !args.contains(&true) && !has_storage {
            return;
        }
        let (loc, results): (_, Vec<Value>) = (view.loc(), view.results().collect());
        let primals = operands.clone();
        for lane in 0..self.lanes() {
            operands.extend(primals.iter().filter_map(|operand| self.lane(lane).get(operand)));
        }
        let key = Key {
            of: callee,
            mode: DiffMode::Forward,
            args,
            seeds: Vec::new(),
            ones: false,
            lanes: self.lanes(),
            value: true,
            silent: false,
            role: TapeRole::Whole,
        };
        let Some((name, types)) = self.name_of(key) else {
            return self.report(body.op(op), "calls a function without a derivative");
        };
        let mut b = Builder::before(body, op).with_loc(loc);
        let call = b.create(self.engine.functions.call(
            self.engine.ctx,
            name.as_str(self.engine.ctx),
            &operands,
            &types,
        ));
        let all: Vec<Value> = body.op(call).results().collect();
        let (values, tangents) = all.split_at(results.len());
        let active: Vec<Value> =
            values.iter().copied().filter(|&value| self.engine.is_active_type(body.ty(value))).collect();
        self.record_tangents(&active, tangents);
        self.replaced.extend(results.into_iter().zip(values.iter().copied()));
        body.replace(op, values);
    }

    /// Adds a tangent to each active value that control flow forwards.
    fn forward_regions(&mut self, body: &mut Body, op: Op) {
        let view = body.op(op);
        let results: Vec<Value> = view.results().collect();
        let is_active: Vec<bool> = results.iter().map(|&result| self.is_active(result)).collect();
        let flow = self.engine.sequential(view).expect("its regions are executed one after another");
        let next = flow.entry_successors(view, &vec![None; view.n_operands()]);
        let Some(entering) = self.forwarded(view, &next) else {
            return self.report(body.op(op), "forwards values in a way that has no derivative");
        };
        let blocks: Vec<Option<Block>> =
            (0..view.n_regions()).map(|region| Self::entry(view, region)).collect();
        let mut b = Builder::before(body, op);
        let mut operands: Vec<Value> = b.body().op(op).operands().collect();
        let entering: Vec<Value> = entering.into_iter().map(|index| operands[index]).collect();
        self.extend_by_tangents(&mut b, &mut operands, &entering);
        let mut types: Vec<_> = results.iter().map(|&result| body.ty(result)).collect();
        for _ in 0..self.lanes() {
            let active = results.iter().zip(&is_active).filter(|&(_, &active)| active);
            types.extend(active.map(|(&result, _)| self.engine.tangent_type(body.ty(result))));
        }
        // The exits are determined before the operation is replaced.
        let mut exits = Vec::new();
        for (region, block) in blocks.iter().enumerate() {
            let Some(last) = block.and_then(|block| body.block(block).last()) else {
                return self.report(body.op(op), "branches between blocks, which has no derivative");
            };
            let (view, end) = (body.op(op), body.op(last));
            let flow = self.engine.sequential(view).expect("its regions are executed one after another");
            let next = flow.terminator_successors(view, region, end, &vec![None; end.n_operands()]);
            match self.forwarded(view, &next) {
                Some(leaving) => exits.push((last, leaving)),
                None => return self.report(end, "forwards values in a way that has no derivative"),
            }
        }
        let new = body.recreate(op, &operands, &types);
        let all: Vec<Value> = body.op(new).results().collect();
        let (values, tangents) = all.split_at(results.len());
        let active = values.iter().zip(&is_active).filter(|&(_, &active)| active);
        let active: Vec<Value> = active.map(|(&value, _)| value).collect();
        self.record_tangents(&active, tangents);
        body.replace(op, &all[..results.len()]);
        for (block, (last, leaving)) in blocks.into_iter().flatten().zip(exits) {
            let args: Vec<Value> = body.block(block).args().filter(|&arg| self.is_active(arg)).collect();
            for lane in 0..self.lanes() {
                for &arg in &args {
                    let (ty, loc) = (self.engine.tangent_type(body.ty(arg)), body.value_loc(arg));
                    let tangent = body.add_arg(block, ty, loc);
                    self.lane_mut(lane).insert(arg, tangent);
                }
            }
            self.forward_block(body, block);
            let mut b = Builder::before(body, last);
            let mut operands: Vec<Value> = b.body().op(last).operands().collect();
            let leaving: Vec<Value> = leaving.into_iter().map(|index| operands[index]).collect();
            self.extend_by_tangents(&mut b, &mut operands, &leaving);
            body.set_operands(last, &operands);
        }
    }

    /// The operands that are forwarded to active inputs; `None` if successors with active inputs receive different ones.
    fn forwarded(&self, op: OpRef<'_>, successors: &RegionSuccessors) -> Option<Vec<usize>> {
        let mut lists: Vec<Vec<usize>> = Vec::new();
        for successor in successors {
            if let RegionTarget::Region(region) = successor.target
                && Self::entry(op, region).is_none()
            {
                continue;
            }
            let inputs = successor.inputs(op);
            let active = (0..inputs.len()).filter(|&input| self.is_active(inputs[input]));
            lists.push(active.map(|input| successor.operand(input)).collect::<Option<_>>()?);
        }
        let first = lists.first().cloned().unwrap_or_default();
        lists.iter().all(|list| *list == first).then_some(first)
    }
}
