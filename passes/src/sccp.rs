//! `sccp`: sparse conditional constant propagation.
//!
//! An optimistic dataflow analysis: values that have not been reached are assumed to be constants, blocks and regions
//! become executable when known values allow control to reach them, and a value is revisited when an input changes.
//! So constants propagate through loops and branches, and, if the pass runs on the whole module, through calls of
//! private functions with known callers.
//!
//! Each value changes at most twice, so the time is linear in the number of uses.

use crate::call_sites::{known_functions, levels};
use minoan_diag::Diagnostics;
use minoan_ir::{
    Attr, Block, Body, Context, InsertionPoint, Name, Op, OpRef, ServiceId, ServiceTable, Traits, Value,
};
use minoan_pass::{Pass, PassRun};
use minoan_rewrite::DeadOps;
use minoan_services::{
    Branches, Calls, ConstantMaterializer, Effects, Evaluate, Fold, FoldResult, Folded, Folder, RegionFlow,
    RegionSuccessor, RegionTarget, Symbols, constant_of,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Propagates constants.
pub struct Sccp;

impl Pass for Sccp {
    fn name(&self) -> &'static str {
        "sccp"
    }

    fn description(&self) -> &'static str {
        "sparse conditional constant propagation"
    }

    fn asks(&self) -> Vec<ServiceId> {
        vec![
            ServiceId::of::<dyn Branches>(),
            ServiceId::of::<dyn Calls>(),
            ServiceId::of::<dyn ConstantMaterializer>(),
            ServiceId::of::<dyn Effects>(),
            ServiceId::of::<dyn Evaluate>(),
            ServiceId::of::<dyn Fold>(),
            ServiceId::of::<dyn RegionFlow>(),
            ServiceId::of::<dyn Symbols>(),
        ]
    }

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("num-constants", "Number of values replaced by constants"),
            ("num-erased", "Number of operations erased"),
        ]
    }

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        let found = Solver::new(&ctx, run.body()).solve();
        let mut done = Done::default();
        let mut found = found.into_iter();
        let mut level = vec![run.body_mut()];
        // In the order of `levels`.
        while !level.is_empty() {
            for body in &mut level {
                let constants = found.next().expect("one list for each body");
                replace(body, &constants, &mut done);
            }
            level = level.into_iter().flat_map(|body| body.nested_in_order()).map(|(_, body)| body).collect();
        }
        run.count("num-constants", done.constants);
        run.count("num-erased", done.erased);
        Ok(())
    }
}

/// The lattice value of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Lattice {
    /// Not executable so far.
    Unreached,
    /// A single constant so far.
    Constant(Attr),
    /// Not a constant.
    Unknown,
}

impl Lattice {
    fn join(self, other: Lattice) -> Lattice {
        match (self, other) {
            (Lattice::Unreached, other) => other,
            (own, Lattice::Unreached) => own,
            (Lattice::Constant(a), Lattice::Constant(b)) if a == b => self,
            _ => Lattice::Unknown,
        }
    }

    fn constant(self) -> Option<Attr> {
        match self {
            Lattice::Constant(attr) => Some(attr),
            _ => None,
        }
    }
}

/// The analysis state of a body.
struct Scope<'m> {
    body: &'m Body,
    values: Vec<Lattice>,
    reached: Vec<bool>,
    /// The returned values of a function with known callers.
    results: Option<Vec<Lattice>>,
    callers: FxHashSet<(usize, Op)>,
}

struct Solver<'m> {
    folder: Folder<'m>,
    branches: Option<&'m ServiceTable<dyn Branches>>,
    flow: Option<&'m ServiceTable<dyn RegionFlow>>,
    calls: Option<&'m ServiceTable<dyn Calls>>,
    scopes: Vec<Scope<'m>>,
    /// The scopes of functions with known callers, by symbol.
    known: FxHashMap<Name, usize>,
    pending: Vec<(usize, Op)>,
}

impl<'m> Solver<'m> {
    fn new(ctx: &'m Context, top: &'m Body) -> Self {
        let levels = levels(top);
        let calls: Option<&ServiceTable<dyn Calls>> = ctx.service_table();
        let known = known_functions(ctx, top, &levels, calls);
        let by_owner: FxHashMap<Op, Name> = known.iter().map(|(&name, &op)| (op, name)).collect();
        let mut solver = Solver {
            folder: Folder::new(ctx),
            branches: ctx.service_table(),
            flow: ctx.service_table(),
            calls,
            scopes: Vec::with_capacity(levels.len()),
            known: FxHashMap::default(),
            pending: Vec::new(),
        };
        for (number, (owner, body)) in levels.into_iter().enumerate() {
            let name = owner.and_then(|owner| by_owner.get(&owner));
            if let Some(&name) = name {
                solver.known.insert(name, number);
            }
            solver.scopes.push(Scope {
                body,
                values: vec![Lattice::Unreached; body.value_capacity()],
                reached: vec![false; body.block_capacity()],
                results: name.map(|_| Vec::new()),
                callers: FxHashSet::default(),
            });
        }
        solver
    }

    /// Solves the analysis; returns the constant values of each body in text order.
    fn solve(mut self) -> Vec<Vec<(Value, Attr)>> {
        for scope in 0..self.scopes.len() {
            if self.scopes[scope].results.is_none() {
                let body = self.scopes[scope].body;
                for entry in body.regions().filter_map(|region| body.region(region).entry()) {
                    self.enter_blindly(scope, entry);
                }
            }
        }
        while let Some((scope, op)) = self.pending.pop() {
            self.visit(scope, op);
        }
        self.scopes.iter().map(constants).collect()
    }

    /// Marks a block as executable, with unknown arguments.
    fn enter_blindly(&mut self, scope: usize, block: Block) {
        let args: Vec<Value> = self.scopes[scope].body.block(block).args().collect();
        args.into_iter().for_each(|arg| self.meet(scope, arg, Lattice::Unknown));
        self.reach(scope, block);
    }

    fn reach(&mut self, scope: usize, block: Block) {
        let Scope { body, reached, .. } = &mut self.scopes[scope];
        if !std::mem::replace(&mut reached[block.index()], true) {
            let ops = std::iter::successors(body.block(block).last(), |&op| body.op(op).prev());
            self.pending.extend(ops.map(|op| (scope, op)));
        }
    }

    fn meet(&mut self, scope: usize, value: Value, with: Lattice) {
        let Scope { body, values, .. } = &mut self.scopes[scope];
        let joined = values[value.index()].join(with);
        if joined != values[value.index()] {
            values[value.index()] = joined;
            self.pending.extend(body.uses(value).map(|user| (scope, user.op)));
        }
    }

    fn visit(&mut self, scope: usize, op: Op) {
        let body = self.scopes[scope].body;
        let view = body.op(op);
        let here = view.block().is_some_and(|block| self.scopes[scope].reached[block.index()]);
        let values = &self.scopes[scope].values;
        let operands: Vec<Lattice> = view.operands().map(|value| values[value.index()]).collect();
        if !here || operands.contains(&Lattice::Unreached) || view.has_trait(Traits::ISOLATED) {
            return;
        }
        let known: Vec<Option<Attr>> = operands.iter().map(|operand| operand.constant()).collect();
        if view.n_successors() > 0 {
            self.branch(scope, view, &operands, &known);
        } else if view.has_trait(Traits::TERMINATOR) {
            self.leave(scope, view, &operands, &known);
        } else if view.n_regions() > 0 {
            self.enter(scope, view, &operands, &known);
        } else if let Some(callee) = self.callee(view) {
            self.call(scope, view, callee, &operands);
        } else {
            self.compute(scope, view, &known);
        }
    }

    fn compute(&mut self, scope: usize, op: OpRef<'m>, known: &[Option<Attr>]) {
        if op.has_trait(Traits::CONSTANT_LIKE) {
            let value = op.attr(op.context().names().value);
            let lattice = value.map_or(Lattice::Unknown, Lattice::Constant);
            return op.results().for_each(|result| self.meet(scope, result, lattice));
        }
        let folded = if op.n_results() > 0 { self.folder.fold(op, known) } else { Folded::Unchanged };
        let Folded::Results(results) = folded else {
            return op.results().for_each(|result| self.meet(scope, result, Lattice::Unknown));
        };
        for (result, known) in op.results().zip(results) {
            let lattice = match known {
                FoldResult::Constant(attr) => Lattice::Constant(attr),
                FoldResult::Value(value) => self.scopes[scope].values[value.index()],
            };
            self.meet(scope, result, lattice);
        }
    }

    fn branch(&mut self, scope: usize, op: OpRef<'m>, operands: &[Lattice], known: &[Option<Attr>]) {
        let service = self.branches.and_then(|table| table.get(op.kind()));
        let taken = service.and_then(|service| service.successor_for_operands(op, known));
        for (successor, block) in op.successors().enumerate() {
            if taken.is_some_and(|taken| taken != successor) {
                continue;
            }
            let Some(service) = service else {
                self.enter_blindly(scope, block);
                continue;
            };
            let passed = service.forwarded_operands(op, successor);
            let args: Vec<Value> = op.body().block(block).args().collect();
            for (number, arg) in args.into_iter().enumerate() {
                let lattice = passed.operand(number).map_or(Lattice::Unknown, |at| operands[at]);
                self.meet(scope, arg, lattice);
            }
            self.reach(scope, block);
        }
    }

    /// Visits a terminator that forwards its operands to the enclosing operation or the caller.
    fn leave(&mut self, scope: usize, op: OpRef<'m>, operands: &[Lattice], known: &[Option<Attr>]) {
        let Some(parent) = op.parent() else { return self.give_back(scope, op, operands) };
        let around = op.body().op(parent);
        let region = op.block().and_then(|block| op.body().block(block).region());
        let number = around.regions().position(|own| Some(own) == region);
        let service = self.flow.and_then(|table| table.get(around.kind()));
        match (service, number) {
            (Some(service), Some(number)) => {
                for way in service.terminator_successors(around, number, op, known) {
                    self.follow(scope, around, &way, operands);
                }
            }
            _ => self.anywhere(scope, around),
        }
    }

    fn enter(&mut self, scope: usize, op: OpRef<'m>, operands: &[Lattice], known: &[Option<Attr>]) {
        match self.flow.and_then(|table| table.get(op.kind())) {
            Some(service) => {
                for way in service.entry_successors(op, known) {
                    self.follow(scope, op, &way, operands);
                }
            }
            None => self.anywhere(scope, op),
        }
    }

    /// Marks a region successor as executable, with the values forwarded to it.
    fn follow(&mut self, scope: usize, op: OpRef<'m>, way: &RegionSuccessor, operands: &[Lattice]) {
        for (number, target) in way.inputs(op).into_iter().enumerate() {
            let lattice = way.operand(number).map_or(Lattice::Unknown, |at| operands[at]);
            self.meet(scope, target, lattice);
        }
        if let RegionTarget::Region(region) = way.target {
            let entry = op.regions().nth(region).and_then(|region| op.body().region(region).entry());
            entry.into_iter().for_each(|entry| self.reach(scope, entry));
        }
    }

    /// Visits an operation with unknown region control flow.
    fn anywhere(&mut self, scope: usize, op: OpRef<'m>) {
        for entry in op.regions().filter_map(|region| op.body().region(region).entry()) {
            self.enter_blindly(scope, entry);
        }
        op.results().for_each(|result| self.meet(scope, result, Lattice::Unknown));
    }

    fn callee(&self, op: OpRef<'_>) -> Option<usize> {
        let symbol = self.calls?.get(op.kind())?.callee(op)?;
        self.known.get(&symbol.as_flat_symbol(op.context())?).copied()
    }

    fn call(&mut self, scope: usize, op: OpRef<'m>, callee: usize, operands: &[Lattice]) {
        let passed = self.calls.and_then(|table| table.get(op.kind())).map_or(0..0, |calls| calls.args(op));
        let body = self.scopes[callee].body;
        let Some(entry) = body.region(body.root(0)).entry() else { return };
        let args: Vec<Value> = body.block(entry).args().collect();
        for (arg, &operand) in args.into_iter().zip(&operands[passed]) {
            self.meet(callee, arg, operand);
        }
        self.reach(callee, entry);
        self.scopes[callee].callers.insert((scope, op.id()));
        let given = self.scopes[callee].results.clone().unwrap_or_default();
        for (result, lattice) in op.results().zip(given) {
            self.meet(scope, result, lattice);
        }
    }

    fn give_back(&mut self, scope: usize, op: OpRef<'m>, operands: &[Lattice]) {
        let Scope { results: Some(results), callers, .. } = &mut self.scopes[scope] else { return };
        if !op.has_trait(Traits::RETURN_LIKE) {
            return;
        }
        results.resize(operands.len(), Lattice::Unreached);
        let joined: Vec<Lattice> =
            results.iter().zip(operands).map(|(own, &other)| own.join(other)).collect();
        if joined != *results {
            *results = joined;
            self.pending.extend(callers.iter().copied());
        }
    }
}

/// The constant values of a body in text order, including those of constant operations, which are created once.
fn constants(scope: &Scope<'_>) -> Vec<(Value, Attr)> {
    let body = scope.body;
    let mut found = Vec::new();
    let mut add = |value: Value| {
        if let Some(attr) = scope.values[value.index()].constant() {
            found.push((value, attr));
        }
    };
    let mut blocks: Vec<Block> = body.regions().flat_map(|region| body.region(region).blocks()).collect();
    for op in body.walk() {
        let view = body.op(op);
        view.results().for_each(&mut add);
        blocks.extend(view.regions().flat_map(|region| body.region(region).blocks()));
    }
    blocks.into_iter().for_each(|block| body.block(block).args().for_each(&mut add));
    found
}

/// Statistics of the pass.
#[derive(Default)]
struct Done {
    constants: u64,
    erased: u64,
}

/// Replaces values by constants at the beginning of the body, and erases dead operations.
fn replace(body: &mut Body, found: &[(Value, Attr)], done: &mut Done) {
    let ctx = body.context().clone();
    let entry = body.regions().next().and_then(|region| body.region(region).entry());
    let Some(entry) = entry.filter(|_| !found.is_empty()) else { return };
    let mut made: FxHashMap<(Attr, minoan_ir::Type), Value> = FxHashMap::default();
    let first = body.block(entry).first();
    // Constants at the beginning of the body can be reused.
    for op in body.block(entry).ops() {
        let view = body.op(op);
        let constant = view.has_trait(Traits::CONSTANT_LIKE) && view.n_results() == 1;
        match constant.then(|| constant_of(body, view.result(0))).flatten() {
            Some(attr) => made.entry((attr, body.ty(view.result(0)))).or_insert(view.result(0)),
            None => break,
        };
    }
    let mut sources = Vec::new();
    for &(value, attr) in found {
        let ty = body.ty(value);
        let source = body.defining_op(value);
        if !body.is_used(value) {
            sources.extend(source);
            continue;
        }
        let Some(near) = source.or(first) else { continue };
        let constant = match made.get(&(attr, ty)) {
            Some(&constant) => constant,
            None => {
                let (kind, loc) = (body.op(near).kind(), body.value_loc(value));
                let Some(state) = <dyn ConstantMaterializer>::constant(&ctx, kind, attr, ty) else {
                    continue;
                };
                let point = first.map_or(InsertionPoint::End(entry), InsertionPoint::Before);
                let op = body.create(&state.loc(loc), point);
                *made.entry((attr, ty)).or_insert(body.op(op).result(0))
            }
        };
        if constant == value {
            continue;
        }
        body.replace_all_uses(value, constant);
        done.constants += u64::from(!source.is_some_and(|op| body.op(op).has_trait(Traits::CONSTANT_LIKE)));
        sources.extend(source);
    }
    sources.dedup();
    let mut dead = DeadOps::new(&ctx);
    dead.forget(body);
    // In reverse order, so that nested operations are visited before the operation that contains them.
    for op in sources.into_iter().rev() {
        if dead.is_dead(body, op) {
            body.erase(op);
            done.erased += 1;
        }
    }
}
