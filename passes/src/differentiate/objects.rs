//! Values on the heap.

use super::Engine;
use super::work::{Work, nested};
use crate::canonicalize::Canonicalize;
use crate::inline::Inline;
use crate::mem2reg::Mem2Reg;
use minoan_diag::Diagnostics;
use minoan_ir::text::print_type;
use minoan_ir::{Body, Builder, InsertionPoint, Op, OpRef, Traits, Type, Value};
use minoan_pass::{Pass, PassManager, PassRun, Pipeline};
use minoan_services::{
    Cotangents, DiffMode, ModuleObjects, ObjectTangents, SlotSource, TangentCx, TangentSpace, TransposeCx,
    has_tangent,
};
use rustc_hash::FxHashMap;

/// Rewrites objects that have no tangents into others: closures become data types, and references that do not escape become
/// values.
pub(super) fn prepare(run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
    if prepare_with(run, vec![Box::new(Inline::default()), Box::new(Canonicalize::default())])? {
        prepare_with(run, vec![Box::new(Mem2Reg::default())])?;
    }
    Ok(())
}

/// Prepares the objects of all dialects, and runs passes if there are slots then. Returns whether there are.
fn prepare_with(run: &mut PassRun<'_>, passes: Vec<Box<dyn Pass>>) -> Result<bool, Diagnostics> {
    let ctx = run.context();
    let module = run.module_mut().body_mut();
    for objects in <dyn ObjectTangents>::all(&ctx) {
        objects.prepare(module);
    }
    let Some(slots) = ctx.service_table::<dyn SlotSource>() else { return Ok(false) };
    let has_slots = |body: &Body| body.walk().into_iter().any(|op| slots.get(body.op(op).kind()).is_some());
    let is_used = module.walk().into_iter().any(|op| module.op(op).nested().is_some_and(has_slots));
    if !is_used {
        return Ok(false);
    }
    let pipeline = Pipeline::new(passes);
    let threading = run.threading();
    PassManager::new(&pipeline)
        .verify_each(false)
        .threading(threading)
        .run(run.module_mut())
        .into_result()?;
    Ok(true)
}

impl Engine<'_> {
    /// Creates an empty stack for values of a type; returns also the index of its owner in `objects`.
    pub(super) fn new_stack(&self, b: &mut Builder<'_>, ty: Type) -> Option<(usize, Value)> {
        let mut all = self.objects.iter().enumerate();
        all.find_map(|(owner, objects)| Some((owner, objects.stack(b, ty)?)))
    }

    /// The type of the tangents of an object.
    pub(super) fn object_tangent(&self, ty: Type) -> Option<Type> {
        self.objects.iter().find_map(|objects| objects.tangent_type(ty))
    }

    /// The type of the tangents of a value.
    pub(super) fn tangent_type(&self, ty: Type) -> Type {
        self.object_tangent(ty).unwrap_or(ty)
    }

    /// Creates the zero tangent of a value.
    pub(super) fn zero(&self, b: &mut Builder<'_>, value: Value) -> Value {
        let ty = b.ty(value);
        if let Some((space, _)) = <dyn TangentSpace>::of(self.ctx, ty) {
            return space.zero_like(b, value);
        }
        let zero = self.object_tangent(ty);
        let zero = zero.and_then(|ty| self.objects.iter().find_map(|objects| objects.zero(b, ty)));
        zero.unwrap_or_else(|| self.ops.placeholder(b, ty))
    }

    /// Creates the sum of two tangents. The second one is updated if they are tensors.
    pub(super) fn sum(&self, b: &mut Builder<'_>, x: Value, y: Value) -> Value {
        match <dyn TangentSpace>::of(self.ctx, b.ty(y)) {
            Some((space, _)) => space.add(b, x, y),
            None => self.objects.iter().find_map(|objects| objects.add(b, x, y)).unwrap_or(y),
        }
    }

    /// Converts a tangent from its form at a request, where it has the type of the primal.
    pub(super) fn import(&self, b: &mut Builder<'_>, value: Value) -> Value {
        self.objects.iter().find_map(|objects| objects.import(b, value)).unwrap_or(value)
    }

    /// Converts a tangent to its form at a request, where it has the type of the primal.
    pub(super) fn export(&self, b: &mut Builder<'_>, primal: Value, tangent: Value) -> Value {
        self.objects.iter().find_map(|objects| objects.export(b, primal, tangent)).unwrap_or(tangent)
    }

    /// Whether a request has a tangent for values of a type.
    pub(super) fn is_requested_type(&self, ty: Type) -> bool {
        has_tangent(self.ctx, ty)
    }

    /// Whether the requested derivative has a tangent for values of a type.
    pub(super) fn takes_part(&self, ty: Type) -> bool {
        self.is_active_type(ty) && self.is_requested_type(ty)
    }

    /// Adds the declarations and functions that tangents need to the module.
    pub(super) fn flush(&mut self, module: &mut Body) {
        for objects in &self.objects {
            for op in objects.flush(module) {
                if let Some(name) = module.op(op).symbol_name() {
                    self.symbols.insert(self.ctx.name(name), op);
                }
            }
        }
    }

    /// The created values whose floats may be overwritten. In forward mode, they have tangents from their creation on, whatever is
    /// stored in them later.
    pub(super) fn storage_values(&self, body: &Body) -> Vec<Value> {
        if self.objects.is_empty() {
            return Vec::new();
        }
        let results = body.walk().into_iter().flat_map(|op| body.op(op).results().collect::<Vec<Value>>());
        results.filter(|&result| self.is_storage(body.ty(result))).collect()
    }

    /// Whether floats in values of a type may be overwritten.
    pub(super) fn is_storage(&self, ty: Type) -> bool {
        self.objects.iter().any(|objects| objects.is_mutable(ty))
    }

    /// Whether values of a type contain floats, but the type has no tangents.
    fn is_opaque(&self, ty: Type) -> bool {
        !self.is_active_type(ty) && self.objects.iter().any(|objects| objects.holds_floats(ty))
    }
}

impl Work<'_, '_> {
    /// Creates the tangents of the results of an operation on objects; `false` if it is not one.
    pub(super) fn forward_object(
        &mut self,
        body: &mut Body,
        op: Op,
        lane: usize,
        tangents: &[Option<Value>],
    ) -> bool {
        if !self.has_objects(body.op(op)) {
            return false;
        }
        let (results, loc): (Vec<Value>, _) = (body.op(op).results().collect(), body.op(op).loc());
        let mut found = vec![None; results.len()];
        let mut b = Builder::new(body, InsertionPoint::After(op)).with_loc(loc);
        let mut rule = |objects: &dyn ModuleObjects| {
            objects.tangent(&mut TangentCx::new(&mut b, op, tangents, &mut found))
        };
        match self.engine.objects.iter().find_map(|objects| rule(&**objects)) {
            None => return false,
            Some(Ok(())) => {
                let known = results.into_iter().zip(found);
                let known = known.filter_map(|(result, tangent)| Some((result, tangent?)));
                self.lane_mut(lane).extend(known);
            }
            Some(Err(why)) => self.report(body.op(op), &why),
        }
        true
    }

    /// Adds the cotangents of the operands of an operation on objects; `false` if it is not one.
    pub(super) fn reverse_object(&mut self, b: &mut Builder<'_>, op: Op) -> bool {
        let view = b.body().op(op);
        if !self.has_objects(view) {
            return false;
        }
        let seeds: Vec<Option<Value>> =
            view.results().map(|result| self.derivatives.get(&result).copied()).collect();
        let active: Vec<bool> = view.operands().map(|operand| self.is_active(operand)).collect();
        let mut sink = Direct { engine: self.engine, derivatives: &mut self.derivatives };
        let rules = self.engine.objects.iter();
        let outcome = rules
            .filter_map(|objects| objects.pullback(&mut TransposeCx::new(b, op, &active, &seeds, &mut sink)))
            .next();
        if let Some(Err(why)) = &outcome {
            self.report(b.body().op(op), why);
        }
        if outcome.is_some() {
            for result in b.body().op(op).results().collect::<Vec<Value>>() {
                self.derivatives.remove(&result);
            }
        }
        outcome.is_some()
    }

    fn has_objects(&self, op: OpRef<'_>) -> bool {
        op.n_regions() == 0
            && op.operand_types().chain(op.result_types()).any(|ty| {
                !ty.is_float(self.engine.ctx)
                    && self.engine.objects.iter().any(|objects| objects.holds_floats(ty))
                    && <dyn TangentSpace>::of(self.engine.ctx, ty).is_none()
            })
    }

    /// Whether an operation may overwrite the tangents in a value.
    pub(super) fn writes_active(&self, body: &Body, op: Op) -> bool {
        let stores = |op: Op| {
            let view = body.op(op);
            !view.has_trait(Traits::TERMINATOR)
                && view
                    .operands()
                    .any(|operand| self.is_active(operand) && self.engine.is_storage(body.ty(operand)))
        };
        self.stores && (stores(op) || nested(body, op).into_iter().any(stores))
    }

    /// Reports the operations through which active values flow into values that contain floats, but have no tangent. Their
    /// derivative would be lost.
    pub(super) fn report_lost(&mut self, body: &Body, mode: DiffMode) {
        let mut found: Vec<(Op, String)> = Vec::new();
        for op in body.walk() {
            let view = body.op(op);
            if !view.operands().any(|operand| self.is_active(operand)) {
                continue;
            }
            let active = (0..view.n_operands()).filter(|&at| self.is_active(view.operand(at)));
            let reached: Vec<Value> = active.flat_map(|at| self.engine.reached(body, view, at)).collect();
            let lost = reached.into_iter().map(|value| body.ty(value)).find(|&ty| self.engine.is_opaque(ty));
            let stores = view.operands().filter(|&operand| {
                let has_tangent = mode == DiffMode::Forward && self.is_active(operand);
                !has_tangent && self.engine.is_storage(body.ty(operand))
            });
            let mut stores = stores.map(|operand| body.ty(operand));
            let is_simple = view.n_regions() == 0 && !view.has_trait(Traits::TERMINATOR);
            let stores_active = view
                .operands()
                .any(|operand| self.is_active(operand) && !self.engine.is_storage(body.ty(operand)));
            let word = if mode == DiffMode::Forward { "tangent" } else { "cotangent" };
            let message = match (lost, is_simple.then(|| stores.next()).flatten()) {
                (Some(ty), _) => {
                    let ty = print_type(self.engine.ctx, ty);
                    format!(
                        "has an operand to differentiate, but its result has type '{ty}', which has no {word} here"
                    )
                }
                (None, Some(ty)) => {
                    let ty = print_type(self.engine.ctx, ty);
                    let uses =
                        if stores_active { "may store an operand to differentiate in" } else { "uses" };
                    format!("{uses} a value of type '{ty}', which has no {word} here")
                }
                (None, None) if self.engine.writes_values(self.module, view) => {
                    "may write an operand to differentiate to memory, which has no derivative".to_owned()
                }
                (None, None) => continue,
            };
            found.push((op, message));
        }
        for (op, message) in found {
            self.report(body.op(op), &message);
        }
    }
}

/// The cotangents of the operands of an operation of the function.
struct Direct<'d, 'c> {
    engine: &'d Engine<'c>,
    derivatives: &'d mut FxHashMap<Value, Value>,
}

impl Cotangents for Direct<'_, '_> {
    fn add(&mut self, b: &mut Builder<'_>, value: Value, cotangent: Value) {
        let sum = match self.derivatives.get(&value) {
            Some(&old) => self.engine.sum(b, cotangent, old),
            None => cotangent,
        };
        self.derivatives.insert(value, sum);
    }

    fn update(
        &mut self,
        b: &mut Builder<'_>,
        value: Value,
        f: &mut dyn FnMut(&mut Builder<'_>, Value) -> Value,
    ) {
        let old = self.derivatives.remove(&value).unwrap_or_else(|| self.engine.zero(b, value));
        let new = f(b, old);
        self.derivatives.insert(value, new);
    }
}
