//! `infer-shapes`: propagates static extents of tensors into types.
//!
//! A sparse optimistic dataflow analysis: values that have not been reached are assumed to have any extents, and a
//! value is revisited when an input changes. Extents propagate through loops, conditionals and blocks, and, if the
//! pass runs on the whole module, through private functions with known callers. Each extent changes at most once, so
//! the time is linear in the number of uses, times the rank. Casts are inserted before and after operations that
//! cannot have the new type.

mod edits;

use crate::analysis::call_sites::{known_functions, levels};
use crate::symbol_dce::is_hidden;
use edits::Edits;
use minoan_diag::Diagnostics;
use minoan_ir::{Block, Body, Context, DYNAMIC, Name, Op, OpRef, ServiceTable, Traits, Type, Value};
use minoan_pass::{Pass, PassRun, queries};
use minoan_services::{
    Branches, Calls, Inferred, RegionFlow, RegionSuccessor, ShapeCast, ShapeInference, Symbols,
    TypeInference, function_types, meet_shapes,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Infers static extents.
pub struct InferShapes;

impl Pass for InferShapes {
    fn name(&self) -> &'static str {
        "infer-shapes"
    }

    fn description(&self) -> &'static str {
        "propagate static extents into tensor types"
    }

    queries!(TypeInference, ShapeInference, ShapeCast, Branches, Calls, RegionFlow, Symbols);

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("num-refined", "Number of values with a more static type"),
            ("num-casts", "Number of casts inserted"),
        ]
    }

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        let edits = Solver::new(&ctx, run.body(), is_hidden(run)).solve();
        let mut edits = edits.into_iter();
        let (mut refined, mut casts) = (0, 0);
        let mut level = vec![run.body_mut()];
        // In the order of `levels`.
        while !level.is_empty() {
            for body in &mut level {
                let edits = edits.next().expect("one for each body");
                refined += edits.types.len() as u64;
                casts += edits.apply(body);
            }
            level = level.into_iter().flat_map(|body| body.nested_in_order()).map(|(_, body)| body).collect();
        }
        run.count("num-refined", refined);
        run.count("num-casts", casts);
        Ok(())
    }
}

/// The lattice value of a value: unknown, or its refined type.
type Fact = Option<Type>;

/// The join of two lattice values.
fn join(ctx: &Context, a: Fact, b: Fact) -> Fact {
    let (Some(a), Some(b)) = (a, b) else { return a.or(b) };
    let (Some(left), Some(right)) = (a.shape(ctx), b.shape(ctx)) else { return Some(a) };
    let shape: Vec<i64> = left.iter().zip(right).map(|(&a, &b)| if a == b { a } else { DYNAMIC }).collect();
    a.with_shape(ctx, &shape).or(Some(a))
}

struct Scope<'m> {
    owner: Option<Op>,
    body: &'m Body,
    facts: Vec<Fact>,
    /// For each operation: whether it is in [`Solver::pending`].
    is_pending: Vec<bool>,
    /// For a function with known callers: the types of its returned values, and its calls.
    results: Option<Vec<Fact>>,
    callers: FxHashSet<(usize, Op)>,
}

struct Solver<'m> {
    ctx: &'m Context,
    shapes: Option<&'m ServiceTable<dyn ShapeInference>>,
    types: Option<&'m ServiceTable<dyn TypeInference>>,
    flow: Option<&'m ServiceTable<dyn RegionFlow>>,
    branches: Option<&'m ServiceTable<dyn Branches>>,
    calls: Option<&'m ServiceTable<dyn Calls>>,
    casts: Vec<&'m dyn ShapeCast>,
    scopes: Vec<Scope<'m>>,
    known: FxHashMap<Name, usize>,
    pending: Vec<(usize, Op)>,
}

impl<'m> Solver<'m> {
    fn new(ctx: &'m Context, top: &'m Body, hidden: bool) -> Self {
        let levels = levels(top);
        let calls = ctx.service_table();
        let functions = known_functions(ctx, top, hidden, &levels, calls);
        let names: FxHashMap<Op, Name> = functions.iter().map(|(&name, &op)| (op, name)).collect();
        let casts = ctx.dialects().iter().filter_map(|dialect| dialect.service::<dyn ShapeCast>()).collect();
        let mut known = FxHashMap::default();
        let scope = |(number, (owner, body)): (usize, (Option<Op>, &'m Body))| {
            let function = owner.filter(|&op| top.contains(op)).and_then(|owner| {
                let outputs = function_types(top.op(owner)).map(|(_, outputs)| outputs.len())?;
                Some((*names.get(&owner)?, outputs))
            });
            known.extend(function.map(|(name, _)| (name, number)));
            let results = function.map(|(_, outputs)| vec![None; outputs]);
            Scope {
                owner,
                body,
                facts: vec![None; body.value_capacity()],
                is_pending: vec![false; body.op_capacity()],
                results,
                callers: FxHashSet::default(),
            }
        };
        let scopes = levels.into_iter().enumerate().map(scope).collect();
        let (shapes, types, flow) = (ctx.service_table(), ctx.service_table(), ctx.service_table());
        let branches = ctx.service_table();
        Self { ctx, shapes, types, flow, branches, calls, casts, scopes, known, pending: Vec::new() }
    }

    fn solve(mut self) -> Vec<Edits> {
        for scope in 0..self.scopes.len() {
            let body = self.scopes[scope].body;
            if self.scopes[scope].results.is_none() {
                let entries = body.regions().filter_map(|region| body.region(region).entry());
                entries.for_each(|entry| self.declared(scope, body.block(entry).args()));
            }
            body.walk().into_iter().rev().for_each(|op| self.enqueue(scope, op));
            self.settle();
        }
        self.declare_unreached();
        (0..self.scopes.len()).map(|scope| self.edits(scope)).collect()
    }

    fn settle(&mut self) {
        while let Some((scope, op)) = self.pending.pop() {
            self.scopes[scope].is_pending[op.index()] = false;
            self.visit(scope, op);
        }
    }

    fn enqueue(&mut self, scope: usize, op: Op) {
        if !std::mem::replace(&mut self.scopes[scope].is_pending[op.index()], true) {
            self.pending.push((scope, op));
        }
    }

    /// Initializes unreached values with their declared types and propagates these: first the arguments of functions without
    /// callers, then those of unreachable blocks, then the results of calls that do not return.
    fn declare_unreached(&mut self) {
        for scope in 0..self.scopes.len() {
            args(self.scopes[scope].body).into_iter().for_each(|arg| self.declare_if_unknown(scope, arg));
        }
        for calls in [false, true] {
            for scope in 0..self.scopes.len() {
                let body = self.scopes[scope].body;
                for op in body.walk().into_iter().map(|op| body.op(op)) {
                    if self.callee(op).is_some() == calls {
                        op.results().for_each(|result| self.declare_if_unknown(scope, result));
                    }
                }
                blocks(body).into_iter().for_each(|block| {
                    body.block(block).args().for_each(|arg| self.declare_if_unknown(scope, arg));
                });
            }
        }
    }

    fn declare_if_unknown(&mut self, scope: usize, value: Value) {
        if self.fact(scope, value).is_none() {
            self.declared(scope, std::iter::once(value));
            self.settle();
        }
    }

    /// Sets values to their declared types.
    fn declared(&mut self, scope: usize, values: impl Iterator<Item = Value>) {
        let body = self.scopes[scope].body;
        values.for_each(|value| self.meet(scope, value, Some(body.ty(value))));
    }

    /// Meets the type of a value with another type; the result refines the declared type.
    fn meet(&mut self, scope: usize, value: Value, with: Fact) {
        let own = self.scopes[scope].body.ty(value);
        let with = with.map(|with| self.refined(own, with));
        let Scope { body, facts, .. } = &mut self.scopes[scope];
        let joined = join(self.ctx, facts[value.index()], with);
        if joined != facts[value.index()] {
            facts[value.index()] = joined;
            let body = *body;
            body.uses(value).for_each(|user| self.enqueue(scope, user.op));
        }
    }

    /// Refines a type by the extents of another one, if values can be cast to it.
    fn refined(&self, own: Type, other: Type) -> Type {
        let ctx = self.ctx;
        let open = own.is_tensor(ctx) && own.shape(ctx).is_some_and(|shape| shape.contains(&DYNAMIC));
        let more = if open && own != other { meet_shapes(ctx, own, other) } else { None };
        more.filter(|_| !self.casts.is_empty()).unwrap_or(own)
    }

    fn fact(&self, scope: usize, value: Value) -> Fact {
        self.scopes[scope].facts[value.index()]
    }

    fn visit(&mut self, scope: usize, op: Op) {
        let view = self.scopes[scope].body.op(op);
        let facts: Vec<Fact> = view.operands().map(|value| self.fact(scope, value)).collect();
        let Some(operands) = facts.iter().copied().collect::<Option<Vec<Type>>>() else { return };
        if view.has_trait(Traits::ISOLATED) {
            return;
        }
        if view.n_successors() > 0 {
            self.branch(scope, view, &facts);
        } else if view.has_trait(Traits::TERMINATOR) {
            self.leave(scope, view, &facts);
        } else if let Some(inferred) = self.infer(view, &operands) {
            self.enter_with_declared_types(scope, view);
            view.results().zip(inferred.results).for_each(|(value, ty)| self.meet(scope, value, Some(ty)));
        } else if let Some(flow) = self.flow.and_then(|table| table.get(view.kind())) {
            for successor in flow.entry_successors(view, &vec![None; operands.len()]) {
                self.follow(scope, view, &successor, &facts);
            }
        } else if let Some(callee) = self.callee(view) {
            self.call(scope, view, callee, &facts);
        } else {
            self.enter_with_declared_types(scope, view);
            self.declared(scope, view.results());
        }
    }

    fn enter_with_declared_types(&mut self, scope: usize, op: OpRef<'m>) {
        let body = op.body();
        for entry in op.own_regions().filter_map(|region| body.region(region).entry()) {
            self.declared(scope, body.block(entry).args());
        }
    }

    fn infer(&self, op: OpRef<'_>, operands: &[Type]) -> Option<Inferred> {
        let shapes = self.shapes.and_then(|table| table.get(op.kind()));
        let found = shapes.and_then(|service| service.infer(op, operands));
        found.or_else(|| self.types?.get(op.kind())?.infer(op, operands))
    }

    fn branch(&mut self, scope: usize, op: OpRef<'m>, facts: &[Fact]) {
        let service = self.branches.and_then(|table| table.get(op.kind()));
        let all = service.map_or_else(Vec::new, |service| service.all_forwarded_operands(op));
        for (successor, block) in op.successors().enumerate() {
            for (number, arg) in op.body().block(block).args().enumerate() {
                let at = all.get(successor).and_then(|passed| passed.operand(number));
                self.meet(scope, arg, at.map_or(Some(op.body().ty(arg)), |at| facts[at]));
            }
        }
    }

    /// Visits a terminator that forwards its operands to the enclosing operation or the caller.
    fn leave(&mut self, scope: usize, op: OpRef<'m>, facts: &[Fact]) {
        if let Some(parent) = op.parent() {
            let around = op.body().op(parent);
            match self.exits(around, op) {
                Some(successors) => {
                    successors.iter().for_each(|successor| self.follow(scope, around, successor, facts))
                }
                None => {
                    self.enter_with_declared_types(scope, around);
                    if self.infer(around, &around.operand_types().collect::<Vec<_>>()).is_none() {
                        self.declared(scope, around.results());
                    }
                }
            }
        } else if let (true, Some(results)) = (op.has_trait(Traits::RETURN_LIKE), &self.scopes[scope].results)
        {
            let joined: Vec<Fact> =
                results.iter().zip(facts).map(|(&own, &other)| join(self.ctx, own, other)).collect();
            if joined != *results {
                self.scopes[scope].results = Some(joined);
                let callers: Vec<(usize, Op)> = self.scopes[scope].callers.iter().copied().collect();
                callers.into_iter().for_each(|(scope, op)| self.enqueue(scope, op));
            }
        }
    }

    /// The region successors of a terminator, if the enclosing operation knows them.
    fn exits(&self, around: OpRef<'_>, end: OpRef<'_>) -> Option<Vec<RegionSuccessor>> {
        let flow = self.flow?.get(around.kind())?;
        if self.infer(around, &around.operand_types().collect::<Vec<_>>()).is_some() {
            return None;
        }
        let region = end.body().block(end.block()?).region();
        let number = around.own_regions().position(|own| Some(own) == region)?;
        Some(flow.terminator_successors(around, number, end, &vec![None; end.n_operands()]).into_vec())
    }

    fn follow(&mut self, scope: usize, op: OpRef<'m>, successor: &RegionSuccessor, facts: &[Fact]) {
        for (number, target) in successor.inputs(op).into_iter().enumerate() {
            let declared = Some(op.body().ty(target));
            self.meet(scope, target, successor.operand(number).map_or(declared, |at| facts[at]));
        }
    }

    fn callee(&self, op: OpRef<'_>) -> Option<usize> {
        let symbol = self.calls?.get(op.kind())?.callee(op)?;
        self.known.get(&symbol.as_flat_symbol(self.ctx)?).copied()
    }

    fn passed(&self, op: OpRef<'_>) -> std::ops::Range<usize> {
        self.calls.and_then(|table| table.get(op.kind())).map_or(0..0, |calls| calls.args(op))
    }

    fn call(&mut self, scope: usize, op: OpRef<'m>, callee: usize, facts: &[Fact]) {
        let args = args(self.scopes[callee].body);
        for (arg, &fact) in args.into_iter().zip(&facts[self.passed(op)]) {
            self.meet(callee, arg, fact);
        }
        self.scopes[callee].callers.insert((scope, op.id()));
        let given = self.scopes[callee].results.clone().unwrap_or_default();
        op.results().zip(given).for_each(|(result, fact)| self.meet(scope, result, fact));
    }

    /// The inferred type of a value.
    fn ty(&self, scope: usize, value: Value) -> Type {
        self.fact(scope, value).unwrap_or_else(|| self.scopes[scope].body.ty(value))
    }

    /// The argument and result types of a function with known callers.
    fn signature(&self, scope: usize) -> Option<(Vec<Type>, Vec<Type>)> {
        let Scope { owner, body, results, .. } = &self.scopes[scope];
        // Scopes with `results` are functions of the outermost body; owners of other scopes may be in another one.
        let results = results.as_ref()?;
        let holder = self.scopes[0].body;
        let (_, outputs) = function_types(holder.op((*owner)?))?;
        let outputs = outputs.iter().zip(results);
        let inputs = args(body).into_iter().map(|arg| self.ty(scope, arg)).collect();
        Some((inputs, outputs.map(|(&ty, fact)| fact.map_or(ty, |fact| self.refined(ty, fact))).collect()))
    }

    /// The operand types that an operation requires.
    fn wanted(&self, scope: usize, op: OpRef<'m>) -> Vec<Type> {
        let body = op.body();
        let mut wanted: Vec<Type> = op.operand_types().collect();
        if op.n_successors() > 0 {
            if let Some(service) = self.branches.and_then(|table| table.get(op.kind())) {
                for (block, passed) in op.successors().zip(service.all_forwarded_operands(op)) {
                    for (number, arg) in body.block(block).args().enumerate() {
                        passed.operand(number).into_iter().for_each(|at| wanted[at] = self.ty(scope, arg));
                    }
                }
            }
            return wanted;
        }
        let mut follow = |around: OpRef<'m>, successors: &[RegionSuccessor]| {
            for successor in successors {
                for (number, target) in successor.inputs(around).into_iter().enumerate() {
                    successor.operand(number).into_iter().for_each(|at| wanted[at] = self.ty(scope, target));
                }
            }
        };
        if op.has_trait(Traits::TERMINATOR) {
            match op.parent().map(|parent| body.op(parent)) {
                Some(around) => follow(around, &self.exits(around, op).unwrap_or_default()),
                None if op.has_trait(Traits::RETURN_LIKE) => {
                    let (_, results) = self.signature(scope).unwrap_or_default();
                    wanted.iter_mut().zip(results).for_each(|(want, ty)| *want = ty);
                }
                None => {}
            }
            return wanted;
        }
        let operands: Vec<Type> = op.operands().map(|value| self.ty(scope, value)).collect();
        if let Some(inferred) = self.infer(op, &operands) {
            return inferred.operands;
        }
        if let Some(flow) = self.flow.and_then(|table| table.get(op.kind())) {
            follow(op, &flow.entry_successors(op, &vec![None; operands.len()]));
        } else if let Some((inputs, _)) = self.callee(op).and_then(|callee| self.signature(callee)) {
            let passed = self.passed(op);
            wanted[passed].iter_mut().zip(inputs).for_each(|(want, ty)| *want = ty);
        }
        wanted
    }

    /// Records the new type of a value.
    fn refine(&self, edits: &mut Edits, scope: usize, value: Value, in_place: bool) {
        let ty = self.ty(scope, value);
        if ty != self.scopes[scope].body.ty(value) {
            edits.types.push((value, ty, in_place));
        }
    }

    fn edits(&self, scope: usize) -> Edits {
        let body = self.scopes[scope].body;
        let mut edits = Edits::default();
        for op in body.walk() {
            let view = body.op(op);
            for (index, (value, want)) in view.operands().zip(self.wanted(scope, view)).enumerate() {
                let ty = self.ty(scope, value);
                if ty != want {
                    edits.operands.push((op, index, ty, want));
                }
            }
            let operands: Vec<Type> = view.operands().map(|value| self.ty(scope, value)).collect();
            let in_place = self.infer(view, &operands).is_none_or(|inferred| inferred.in_place);
            for result in view.results() {
                self.refine(&mut edits, scope, result, in_place);
            }
        }
        for arg in blocks(body).into_iter().flat_map(|block| body.block(block).args()) {
            self.refine(&mut edits, scope, arg, true);
        }
        for (number, function) in self.scopes.iter().enumerate() {
            let Some(owner) = function.owner.filter(|_| scope == 0 && function.results.is_some()) else {
                continue;
            };
            if let Some((inputs, outputs)) = self.signature(number) {
                edits.functions.push((owner, Type::function(self.ctx, &inputs, &outputs)));
            }
        }
        edits
    }
}

/// The blocks of a body, including nested ones.
fn blocks(body: &Body) -> Vec<Block> {
    let inner = body.walk().into_iter().flat_map(|op| body.op(op).own_regions());
    body.regions().chain(inner).flat_map(|region| body.region(region).blocks()).collect()
}

/// The arguments of a function.
fn args(body: &Body) -> Vec<Value> {
    let entry = body.regions().next().and_then(|region| body.region(region).entry());
    entry.map_or_else(Vec::new, |entry| body.block(entry).args().collect())
}
