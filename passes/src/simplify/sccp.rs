//! `sccp`: sparse conditional constant propagation.
//!
//! A value that is the same constant on every executable path is replaced by that constant. The solver is optimistic: a
//! block or region is executable once control can reach it under the constants found so far, and an operation is visited
//! again when the lattice value of an operand, or of a value that it folded to, changes. Constants therefore pass through
//! loops and branches that folding alone cannot see through, and, where the pass runs on a module, through calls of
//! private functions all of whose call sites are known.
//!
//! Each value changes at most twice, so the time is linear in the number of uses.

use crate::analysis::call_sites::{known_functions, levels};
use crate::symbol_dce::is_hidden;
use minoan_diag::Diagnostics;
use minoan_ir::{
    Attr, Block, Body, Context, InsertionPoint, Name, Op, OpRef, Region, ServiceTable, Traits, Type, Value,
};
use minoan_pass::{Pass, PassRun, queries};
use minoan_rewrite::DeadOps;
use minoan_services::{
    Branches, Calls, ConstantMaterializer, Effects, Evaluate, Fold, FoldResult, Folded, Folder, RegionFlow,
    RegionSuccessor, RegionTarget, Symbols,
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

    queries!(Branches, Calls, ConstantMaterializer, Effects, Evaluate, Fold, RegionFlow, Symbols);

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("num-constants", "Number of values replaced by constants"),
            ("num-erased", "Number of operations erased"),
        ]
    }

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        let found = Solver::new(&ctx, run.body(), is_hidden(run)).solve();
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

/// The lattice value of an SSA value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Lattice {
    /// Not defined on any executable path so far.
    Unreached,
    /// The same constant on every executable path so far.
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
    /// Whether an operation is among those to visit.
    is_pending: Vec<bool>,
    /// The returned values of a function with known callers.
    results: Option<Vec<Lattice>>,
    callers: FxHashSet<(usize, Op)>,
    /// For each value, the operations that folded to it without using it. Like its users, they are visited again when it changes.
    folded_to: FxHashMap<Value, Vec<Op>>,
}

struct Solver<'m> {
    folder: Folder<'m>,
    branches: Option<&'m ServiceTable<dyn Branches>>,
    flow: Option<&'m ServiceTable<dyn RegionFlow>>,
    calls: Option<&'m ServiceTable<dyn Calls>>,
    scopes: Vec<Scope<'m>>,
    /// The scopes of functions with known callers, by symbol.
    known: FxHashMap<Name, usize>,
    /// The operations to visit, each once.
    pending: Vec<(usize, Op)>,
}

impl<'m> Solver<'m> {
    fn new(ctx: &'m Context, top: &'m Body, hidden: bool) -> Self {
        let levels = levels(top);
        let calls: Option<&ServiceTable<dyn Calls>> = ctx.service_table();
        let known = known_functions(ctx, top, hidden, &levels, calls);
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
                is_pending: vec![false; body.op_capacity()],
                results: name.map(|_| Vec::new()),
                callers: FxHashSet::default(),
                folded_to: FxHashMap::default(),
            });
        }
        solver
    }

    /// For each body, the constants of its values, by value number.
    fn solve(mut self) -> Vec<Vec<Option<Attr>>> {
        for scope in 0..self.scopes.len() {
            if self.scopes[scope].results.is_none() {
                let body = self.scopes[scope].body;
                for entry in body.regions().filter_map(|region| body.region(region).entry()) {
                    self.enter_with_unknown_args(scope, entry);
                }
            }
        }
        while let Some((scope, op)) = self.pending.pop() {
            self.scopes[scope].is_pending[op.index()] = false;
            self.visit(scope, op);
        }
        self.scopes.iter().map(constants).collect()
    }

    /// Marks a block as executable, with unknown arguments.
    fn enter_with_unknown_args(&mut self, scope: usize, block: Block) {
        let args: Vec<Value> = self.scopes[scope].body.block(block).args().collect();
        args.into_iter().for_each(|arg| self.meet(scope, arg, Lattice::Unknown));
        self.reach(scope, block);
    }

    fn reach(&mut self, scope: usize, block: Block) {
        let Scope { body, reached, .. } = &mut self.scopes[scope];
        if !std::mem::replace(&mut reached[block.index()], true) {
            let ops = std::iter::successors(body.block(block).last(), |&op| body.op(op).prev());
            let ops: Vec<Op> = ops.collect();
            ops.into_iter().for_each(|op| self.revisit(scope, op));
        }
    }

    fn revisit(&mut self, scope: usize, op: Op) {
        if !std::mem::replace(&mut self.scopes[scope].is_pending[op.index()], true) {
            self.pending.push((scope, op));
        }
    }

    fn meet(&mut self, scope: usize, value: Value, with: Lattice) {
        let Scope { body, values, folded_to, .. } = &mut self.scopes[scope];
        let joined = values[value.index()].join(with);
        if joined != values[value.index()] {
            values[value.index()] = joined;
            let dependents = folded_to.get(&value).into_iter().flatten().copied();
            let ops: Vec<Op> = dependents.chain(body.uses(value).map(|user| user.op)).collect();
            ops.into_iter().for_each(|op| self.revisit(scope, op));
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
                FoldResult::Value(value) => self.depend(scope, op, value),
            };
            self.meet(scope, result, lattice);
        }
    }

    /// The lattice value of a value that an operation folded to. The operation is visited again when it changes, even if
    /// the value is not one of its operands: `(a - b) + b` folds to `a`.
    fn depend(&mut self, scope: usize, op: OpRef<'m>, value: Value) -> Lattice {
        let Scope { values, folded_to, .. } = &mut self.scopes[scope];
        let known = values[value.index()];
        if known != Lattice::Unknown && !op.operands().any(|operand| operand == value) {
            let dependents = folded_to.entry(value).or_default();
            if dependents.last() != Some(&op.id()) {
                dependents.push(op.id());
            }
        }
        known
    }

    fn branch(&mut self, scope: usize, op: OpRef<'m>, operands: &[Lattice], known: &[Option<Attr>]) {
        let service = self.branches.and_then(|table| table.get(op.kind()));
        let taken = service.and_then(|service| service.successor_for_operands(op, known));
        let all = service.map_or_else(Vec::new, |service| service.all_forwarded_operands(op));
        for (successor, block) in op.successors().enumerate() {
            if taken.is_some_and(|taken| taken != successor) {
                continue;
            }
            let Some(passed) = all.get(successor) else {
                self.enter_with_unknown_args(scope, block);
                continue;
            };
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
        let Some(parent) = op.parent() else { return self.forward_to_callers(scope, op, operands) };
        let around = op.body().op(parent);
        let region = op.block().and_then(|block| op.body().block(block).region());
        let number = around.own_regions().position(|own| Some(own) == region);
        let service = self.flow.and_then(|table| table.get(around.kind()));
        match (service, number) {
            (Some(service), Some(number)) => {
                for successor in service.terminator_successors(around, number, op, known) {
                    self.follow(scope, around, &successor, operands);
                }
            }
            _ => self.anywhere(scope, around),
        }
    }

    fn enter(&mut self, scope: usize, op: OpRef<'m>, operands: &[Lattice], known: &[Option<Attr>]) {
        match self.flow.and_then(|table| table.get(op.kind())) {
            Some(service) => {
                for successor in service.entry_successors(op, known) {
                    self.follow(scope, op, &successor, operands);
                }
            }
            None => self.anywhere(scope, op),
        }
    }

    /// Marks a region successor as executable, with the values forwarded to it.
    fn follow(&mut self, scope: usize, op: OpRef<'m>, successor: &RegionSuccessor, operands: &[Lattice]) {
        for (number, target) in successor.inputs(op).into_iter().enumerate() {
            let lattice = successor.operand(number).map_or(Lattice::Unknown, |at| operands[at]);
            self.meet(scope, target, lattice);
        }
        if let RegionTarget::Region(region) = successor.target {
            let entry = op.own_region(region).and_then(|region| op.body().region(region).entry());
            entry.into_iter().for_each(|entry| self.reach(scope, entry));
        }
    }

    /// Visits an operation with unknown region control flow.
    fn anywhere(&mut self, scope: usize, op: OpRef<'m>) {
        for entry in op.own_regions().filter_map(|region| op.body().region(region).entry()) {
            self.enter_with_unknown_args(scope, entry);
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

    fn forward_to_callers(&mut self, scope: usize, op: OpRef<'m>, operands: &[Lattice]) {
        let Scope { results: Some(results), callers, .. } = &mut self.scopes[scope] else { return };
        if !op.has_trait(Traits::RETURN_LIKE) {
            return;
        }
        results.resize(operands.len(), Lattice::Unreached);
        let joined: Vec<Lattice> =
            results.iter().zip(operands).map(|(own, &other)| own.join(other)).collect();
        if joined != *results {
            *results = joined;
            let callers: Vec<(usize, Op)> = callers.iter().copied().collect();
            callers.into_iter().for_each(|(caller, op)| self.revisit(caller, op));
        }
    }
}

/// The constants of the values of a body, by value number.
fn constants(scope: &Scope<'_>) -> Vec<Option<Attr>> {
    scope.values.iter().map(|lattice| lattice.constant()).collect()
}

/// Statistics of the pass.
#[derive(Default)]
struct Done {
    constants: u64,
    erased: u64,
}

/// Constants by the region whose entry block contains them, the dialect that creates them, value and type.
type Materialized = FxHashMap<(Region, Option<usize>, Attr, Type), Value>;

/// Replaces values by constants and erases the operations that become dead.
///
/// Visits blocks in the order of `mlir-opt`, and creates each constant at the start of its region's entry block when
/// it first finds a value that equals it. So the constants of the program are recreated in the reverse order of their
/// values.
fn replace(body: &mut Body, found: &[Option<Attr>], done: &mut Done) {
    if found.iter().all(Option::is_none) {
        return;
    }
    let ctx = body.context().clone();
    let mut dead = DeadOps::new(&ctx);
    dead.forget(body);
    let mut made = Materialized::default();
    let roots: Vec<Region> = body.regions().collect();
    let mut pending: Vec<(Block, Region)> = Vec::new();
    for root in roots {
        pending.extend(body.region(root).blocks().rev().map(|block| (block, root)));
    }
    while let Some((block, scope)) = pending.pop() {
        let mut next = body.block(block).first();
        while let Some(op) = next {
            let view = body.op(op);
            next = view.next();
            let results: Vec<Value> = view.results().collect();
            let is_constant = view.has_trait(Traits::CONSTANT_LIKE);
            let mut all = !results.is_empty();
            for result in results {
                let counts = body.is_used(result) && !is_constant;
                let replaced = replace_value(body, result, found, (op, scope), &mut made);
                done.constants += u64::from(replaced && counts);
                all &= replaced;
            }
            if all && dead.is_dead(body, op) {
                body.erase(op);
                done.erased += u64::from(!is_constant);
                continue;
            }
            let view = body.op(op);
            let opaque = view.spec().is_none();
            for region in view.own_regions() {
                let scope = if opaque { region } else { scope };
                pending.extend(body.region(region).blocks().rev().map(|block| (block, scope)));
            }
        }
        let args: Vec<Value> = body.block(block).args().collect();
        let Some(first) = body.block(block).first() else { continue };
        for arg in args {
            let used = body.is_used(arg);
            done.constants += u64::from(replace_value(body, arg, found, (first, scope), &mut made) && used);
        }
    }
}

/// Replaces the uses of a value by its constant, which the dialect of `near` creates in the entry block of `scope`.
/// Returns `false` if the value is not constant, or if no dialect creates the constant.
fn replace_value(
    body: &mut Body,
    value: Value,
    found: &[Option<Attr>],
    (near, scope): (Op, Region),
    made: &mut Materialized,
) -> bool {
    let Some(attr) = found.get(value.index()).copied().flatten() else { return false };
    let ctx = body.context().clone();
    let (ty, loc, kind) = (body.ty(value), body.value_loc(value), body.op(near).kind());
    let Some(state) = <dyn ConstantMaterializer>::constant(&ctx, kind, attr, ty) else { return false };
    let Some(entry) = body.region(scope).entry() else { return false };
    let dialect = ctx.info(state.kind).and_then(|info| info.dialect);
    let constant = *made.entry((scope, dialect, attr, ty)).or_insert_with(|| {
        let op = body.create(&state.loc(loc), InsertionPoint::Start(entry));
        body.op(op).result(0)
    });
    body.replace_all_uses(value, constant);
    true
}
