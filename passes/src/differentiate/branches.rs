//! The reverse sweep of operations that execute exactly one of their regions.
//!
//! The reverse executes the same region again, followed by its reverse sweep. It recomputes cheap values. A value that is
//! costly to compute, such as that of a math function, is a residual, and so are the results of conditionals in the region: the
//! primal operation makes them available after it ([`lift`](super::lift)). So are the elements that a conditional in a loop
//! reads ([`guarded`](super::guarded)).

use super::lift::Lifted;
use super::work::Work;
use minoan_ir::{Attr, Block, Body, Builder, Op, OpKind, OpRef, OpState, ServiceTable, Type, Value};
use minoan_services::{Cost, TangentClass};
use rustc_hash::{FxHashMap, FxHashSet};

/// The cost from which an operation is not executed again, in instructions. Arithmetic is below, mathematical functions are
/// not.
const COSTLY: usize = 10;

/// A value in a region of the primal operation, and the one in the reverse that recomputes it or stands for it.
pub(super) struct Residual {
    value: Value,
    again: Value,
    /// Whether the reverse recomputes the value.
    is_computed: bool,
}

impl Work<'_, '_> {
    /// Executes the same region again, followed by its reverse sweep. The operation may be deferred.
    pub(super) fn reverse_branches(&mut self, b: &mut Builder<'_>, op: Op) {
        let deferred = self.deferred.get(&op).cloned();
        if deferred.is_some() {
            return self.reverse_regions(b, op, deferred);
        }
        let (scope, residuals) = (std::mem::take(&mut self.scope), std::mem::take(&mut self.residuals));
        self.reverse_regions(b, op, None);
        (self.scope, self.residuals) = (scope, residuals);
    }

    /// The same in the scope of the values that are executed again. `deferred` has the results of a deferred operation.
    fn reverse_regions(&mut self, b: &mut Builder<'_>, op: Op, deferred: Option<Vec<Value>>) {
        let free = self.free_values(b.body(), op);
        let active = free.iter().filter(|&&value| self.is_active(value));
        let mut captured: Vec<Value> = active.map(|&value| self.scope.value(value)).collect();
        if self.uses_tape(b.body(), op) {
            captured.extend(&self.tape);
        }
        let view = b.body().op(op);
        let results: Vec<Value> = deferred.clone().unwrap_or_else(|| view.results().collect());
        let regions = view.n_regions();
        let blocks: Vec<Block> = (0..regions).filter_map(|region| Self::entry(view, region)).collect();
        if blocks.len() != regions {
            return self.report(view, "branches between blocks, which has no derivative");
        }
        let seeds: Vec<Option<Value>> =
            results.iter().map(|result| self.derivatives.remove(result)).collect();
        // A captured value without a cotangent so far starts with the contribution of the region instead of zeros.
        let so_far: Vec<(Value, Value)> =
            captured.iter().filter_map(|&value| Some((value, self.derivatives.remove(&value)?))).collect();
        let begun: FxHashMap<Value, Value> = so_far.iter().copied().collect();
        let types: Vec<Type> = captured
            .iter()
            .map(|value| match begun.get(value) {
                Some(&so_far) => b.ty(so_far),
                None => self.engine.tangent_type(b.ty(*value)),
            })
            .collect();
        let view = b.body().op(op);
        let operands: Vec<Value> = view.operands().map(|operand| self.scope.value(operand)).collect();
        let state = OpState::new(view.kind()).operands(&operands).results(&types);
        let new = b.create(state.props(view.props()).regions(regions));
        self.reversed.insert(new);
        let outside = b.insertion_point();
        for (region, &block) in blocks.iter().enumerate() {
            let (inner, _) = b.enter(new, region, &[]);
            self.reverse_region(b, (block, inner), (&captured, &so_far), &seeds);
        }
        b.set_insertion_point(outside);
        let ends: Vec<Value> = b.body().op(new).results().collect();
        self.derivatives.extend(captured.into_iter().zip(ends));
        if deferred.is_none() {
            // Those of conditionals in the regions come first, which use values of the regions.
            let residuals = std::mem::take(&mut self.residuals);
            self.reuse_residuals(b.body_mut(), op, residuals);
        }
    }

    /// Executes a block again in another one, followed by its reverse sweep, which starts with the cotangents `so_far` of
    /// captured values and yields those of all captured values.
    fn reverse_region(
        &mut self,
        b: &mut Builder<'_>,
        (block, inner): (Block, Block),
        (captured, so_far): (&[Value], &[(Value, Value)]),
        seeds: &[Option<Value>],
    ) {
        let (ops, last) = Self::split(b.body(), block);
        let Some(last) = last else { return };
        let mut mapping = std::mem::take(&mut self.scope);
        let mut replayed = self.replay_region(b, (&ops, last), &mut mapping);
        self.derivatives.extend(so_far.iter().copied());
        let view = b.body().op(last);
        let (kind, yielded): (_, Vec<Value>) = (view.kind(), view.operands().collect());
        for (&value, seed) in yielded.iter().zip(seeds) {
            let value = mapping.value(value);
            if let Some(seed) = seed.filter(|_| self.is_active(value)) {
                self.accumulate(b, value, seed);
            }
        }
        self.scope = mapping;
        self.reverse_ops(b, &replayed.ops);
        let ends = self.cotangents_or_zeros(b, captured);
        b.create(OpState::new(kind).operands(&ends));
        let mut mapping = std::mem::take(&mut self.scope);
        let returned = self.copy_deferred(b.body_mut(), &mut replayed, &mut mapping);
        self.scope = mapping;
        let clones: Vec<Op> = replayed.pairs.iter().map(|&(clone, _)| clone).collect();
        self.reuse_costly(b.body_mut(), inner, &clones);
        self.clean_new(b.body_mut(), inner);
        self.find_residuals(b.body(), &replayed.pairs);
        for (again, value) in returned {
            if b.body().contains_value(again) {
                self.residuals.push(Residual { value, again, is_computed: false });
            }
        }
    }

    /// Takes the cotangents of values. Missing numbers of one type share a zero.
    fn cotangents_or_zeros(&mut self, b: &mut Builder<'_>, values: &[Value]) -> Vec<Value> {
        let mut zeros: FxHashMap<Type, Value> = FxHashMap::default();
        let mut found = Vec::with_capacity(values.len());
        for &value in values {
            let ty = b.ty(value);
            let cotangent = match (self.derivatives.remove(&value), zeros.get(&ty)) {
                (Some(cotangent), _) | (None, Some(&cotangent)) => cotangent,
                (None, None) => {
                    let zero = self.zero_like(b, value);
                    if self.class(ty) == TangentClass::Scalar {
                        zeros.insert(ty, zero);
                    }
                    zero
                }
            };
            found.push(cotangent);
        }
        found
    }

    /// Whether an operation without regions is costly in itself. Calls are not considered.
    pub(super) fn is_costly(&self, op: OpRef<'_>) -> bool {
        let costs: Option<&ServiceTable<dyn Cost>> = op.body().context().service_table();
        let is_call = self.engine.calls.is_some_and(|table| table.get(op.kind()).is_some());
        let cost = costs.and_then(|table| table.get(op.kind())).map_or(1, |cost| cost.instructions(op));
        op.n_regions() == 0 && !is_call && cost >= COSTLY
    }

    /// Replaces costly operations of the reverse sweep by equivalent ones that were executed again. The derivative of the
    /// sine is a cosine, which the primal operation may have computed.
    fn reuse_costly(&self, body: &mut Body, block: Block, clones: &[Op]) {
        let clones: FxHashSet<Op> = clones.iter().copied().collect();
        let mut known: FxHashMap<(OpKind, Attr, Vec<Value>), Op> = FxHashMap::default();
        for op in body.block(block).ops().collect::<Vec<Op>>() {
            let view = body.op(op);
            if !self.is_costly(view) || !self.engine.effects.all(view).removable() {
                continue;
            }
            let key = (view.kind(), view.props(), view.operands().collect());
            match known.get(&key) {
                Some(&first) if !clones.contains(&op) => {
                    let results: Vec<Value> = body.op(first).results().collect();
                    body.replace(op, &results);
                }
                Some(_) => {}
                None => drop(known.insert(key, op)),
            }
        }
    }

    /// Determines the numbers of a region that its reverse recomputes at a high cost, the last one first.
    fn find_residuals(&mut self, body: &Body, pairs: &[(Op, Op)]) {
        let mut costly: FxHashSet<Value> = FxHashSet::default();
        let mut found = Vec::new();
        for &(clone, original) in pairs {
            // The reverse sweep may have erased the clone, or created it anew.
            let clone = self.solved.current(clone);
            let (Ok(clone), Ok(original)) = (body.try_op(clone), body.try_op(original)) else { continue };
            let returned = clone.results().zip(original.results());
            let returned = returned.filter(|(_, value)| self.returned.contains(value));
            found.extend(returned.map(|(again, value)| Residual { value, again, is_computed: true }));
            let is_call = self.engine.calls.is_some_and(|table| table.get(clone.kind()).is_some());
            if clone.n_regions() > 0 || is_call {
                continue;
            }
            if !self.is_costly(clone) && !clone.operands().any(|operand| costly.contains(&operand)) {
                continue;
            }
            for (again, value) in clone.results().zip(original.results()) {
                // A value that is saved does not make those computed from it costly.
                if self.returned.contains(&value) {
                    continue;
                }
                costly.insert(again);
                if self.class(body.ty(value)) == TangentClass::Scalar {
                    found.push(Residual { value, again, is_computed: true });
                }
            }
        }
        self.residuals.extend(found.into_iter().rev());
    }

    /// Makes residuals available after the primal operation, as far as the reverse needs them. If a value would need a storage
    /// for that, the reverse recomputes it if it can.
    fn reuse_residuals(&mut self, body: &mut Body, op: Op, residuals: Vec<Residual>) {
        // A residual may be needed only to recompute another one.
        let mut kept: Vec<(Value, Op)> = Vec::new();
        for Residual { value, again, is_computed, .. } in residuals {
            if !body.contains_value(again) {
                continue;
            }
            let clone = body.defining_op(again).expect("it is a result of an operation");
            let is_saved = !is_computed || self.returned.contains(&value);
            if body.is_used(again) && (is_saved || !self.is_deep(body, op, value)) {
                let loc = body.op(clone).loc();
                let mut b = Builder::before(body, clone).with_loc(loc);
                let ty = b.ty(again);
                let placeholder = self.engine.ops.placeholder(&mut b, ty);
                body.replace_all_uses(again, placeholder);
                kept.push((value, body.defining_op(placeholder).expect("it was created")));
            }
            self.erase_if_unused(body, clone);
        }
        if kept.is_empty() {
            return;
        }
        let values: Vec<Value> = kept.iter().map(|&(value, _)| value).collect();
        let lifted = self.lift_out(body, op, &values);
        for (value, placeholder) in kept {
            let value = match lifted[&value] {
                Lifted::Result(result) => result,
                Lifted::Stored { storage, position } => {
                    let loc = body.op(placeholder).loc();
                    let mut b = Builder::before(body, placeholder).with_loc(loc);
                    let ty = b.body().op(placeholder).result_types().next().expect("it has a result");
                    let position = self.engine.ops.index(&mut b, position);
                    self.engine.ops.restore(&mut b, storage, position, ty, Some(&[]))
                }
            };
            body.replace(placeholder, &[value]);
        }
    }
}
