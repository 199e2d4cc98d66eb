//! `remove-dead-values`: removes dead arguments, results and loop-carried values.
//!
//! Removes dead arguments and results of private functions with known callers, dead block arguments, and dead values
//! forwarded through regions and loops, with the operations that only served them. If the pass runs on a single
//! function, its own arguments and results are kept. The time is linear, except for operations with very many
//! results.

use crate::analysis::value_liveness::{Scope, ValueLiveness, exits, successors};
use crate::symbol_dce::is_hidden;
use minoan_diag::Diagnostics;
use minoan_ir::{Attr, Block, Body, Context, Op, OpRef, Type, Value};
use minoan_pass::{Pass, PassRun, queries};
use minoan_rewrite::erase_unreachable_blocks;
use minoan_services::{
    Branches, Calls, Effects, ForwardedRemovals, GraphBoundary, Liveness, RegionFlow, RegionSuccessor,
    RegionTarget, Symbols, function_types,
};
use rustc_hash::FxHashMap;

/// Removes dead values.
pub struct RemoveDeadValues;

impl Pass for RemoveDeadValues {
    fn name(&self) -> &'static str {
        "remove-dead-values"
    }

    fn description(&self) -> &'static str {
        "remove dead arguments, results and loop-carried values"
    }

    queries!(Branches, Calls, Effects, GraphBoundary, Liveness, RegionFlow, Symbols);

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("num-operations", "Number of operations erased"),
            ("num-arguments", "Number of arguments of functions, blocks and regions removed"),
            ("num-results", "Number of results of functions and operations removed"),
        ]
    }

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        run.each_body(erase_unreachable_blocks);
        let live = ValueLiveness::of(&ctx, run.body(), is_hidden(run));
        let edits: Vec<Edits> = (0..live.scopes.len()).map(|scope| Edits::of(&live, scope)).collect();
        drop(live);
        let mut done = Done::default();
        let mut edits = edits.into_iter();
        let mut level = vec![run.body_mut()];
        // In the order of `levels`.
        while !level.is_empty() {
            for body in &mut level {
                edits.next().expect("one for each body").apply(body, &mut done);
            }
            level = level.into_iter().flat_map(|body| body.nested_in_order()).map(|(_, body)| body).collect();
        }
        run.count("num-operations", done.operations);
        run.count("num-arguments", done.args);
        run.count("num-results", done.results);
        Ok(())
    }
}

/// Statistics of the pass.
#[derive(Default)]
struct Done {
    operations: u64,
    args: u64,
    results: u64,
}

/// The edits of a body.
#[derive(Default)]
struct Edits {
    dead: Vec<Op>,
    /// Operations that lose operands, with the operands to keep.
    operands: Vec<(Op, Vec<bool>)>,
    /// The operands that branches forward no longer.
    passed: ForwardedRemovals,
    /// Block arguments to erase, those of one block in descending order.
    args: Vec<(Block, usize)>,
    /// Operations that lose results, with the results to keep.
    results: Vec<(Op, Vec<bool>)>,
    /// Functions that lose arguments or results, with those to keep.
    functions: Vec<(Op, Vec<bool>, Vec<bool>)>,
}

/// The arguments and results to keep of a function with known callers.
fn kept(scope: &Scope<'_>) -> Option<(Vec<bool>, Vec<bool>)> {
    scope.calls.as_ref()?;
    let body = scope.body;
    let entry = body.region(body.root(0)).entry()?;
    let args = body.block(entry).args().map(|arg| scope.values[arg.index()]).collect();
    Some((args, scope.results.clone()))
}

fn loses(keep: &[bool]) -> bool {
    keep.contains(&false)
}

impl Edits {
    fn of(live: &ValueLiveness<'_>, number: usize) -> Self {
        let scope = &live.scopes[number];
        let body = scope.body;
        let mut edits = Edits::default();
        for &op in &scope.order {
            let view = body.op(op);
            if !scope.ops[op.index()] {
                edits.dead.push(op);
                continue;
            }
            edits.call(live, view);
            edits.regions(live, scope, view);
        }
        edits.blocks(scope);
        if let Some((args, results)) = kept(scope) {
            let entry = body.region(body.root(0)).entry().expect("a known function has a body");
            edits.args.extend((0..args.len()).rev().filter(|&at| !args[at]).map(|at| (entry, at)));
            let ends = body.region(body.root(0)).blocks().filter_map(|block| body.block(block).last());
            for end in ends.filter(|&end| loses(&results) && body.op(end).n_successors() == 0) {
                edits.operands.push((end, results.clone()));
            }
        }
        // Functions with known callers are operations of the outermost body.
        for function in live.scopes.iter().filter(|_| number == 0) {
            if let (Some(owner), Some((args, results))) = (function.owner, kept(function))
                && (loses(&args) || loses(&results))
            {
                edits.functions.push((owner, args, results));
            }
        }
        edits
    }

    fn call(&mut self, live: &ValueLiveness<'_>, call: OpRef<'_>) {
        let Some(callee) = live.callee(call) else { return };
        let Some((args, results)) = kept(&live.scopes[callee]) else { return };
        let mut operands = vec![true; call.n_operands()];
        operands[live.call_args(call)].iter_mut().zip(args).for_each(|(keep, arg)| *keep = arg);
        self.keep_operands(call.id(), operands);
        self.keep_results(call.id(), results);
    }

    fn keep_operands(&mut self, op: Op, keep: Vec<bool>) {
        self.operands.extend(loses(&keep).then_some((op, keep)));
    }

    fn keep_results(&mut self, op: Op, keep: Vec<bool>) {
        self.results.extend(loses(&keep).then_some((op, keep)));
    }

    /// Records the dead values that an operation with regions and their terminators forward.
    fn regions(&mut self, live: &ValueLiveness<'_>, scope: &Scope<'_>, op: OpRef<'_>) {
        let Some(flow) = live.flow(op).filter(|_| op.n_regions() > 0) else { return };
        let needed = |value: &Value| scope.values[value.index()];
        let mut given: FxHashMap<Value, bool> = FxHashMap::default();
        let sources: Vec<_> = std::iter::once(None).chain(exits(op).map(Some)).collect();
        for &end in &sources {
            for successor in successors(flow, op, end) {
                for (number, target) in successor.inputs(op).into_iter().enumerate() {
                    // A successor input that the operation produces on one edge cannot be removed.
                    *given.entry(target).or_insert(true) &= successor.operand(number).is_some();
                }
            }
        }
        let goes = |target: &Value| !needed(target) && given.get(target) == Some(&true);
        for &end in &sources {
            let view = end.map_or(op, |(_, end)| end);
            let mut keep = vec![true; view.n_operands()];
            for successor in successors(flow, op, end) {
                let targets = successor.inputs(op);
                for at in successor.operands.clone() {
                    let target = targets.get(successor.first_input + at - successor.operands.start);
                    keep[at] &= !target.is_some_and(goes);
                }
            }
            self.keep_operands(view.id(), keep);
        }
        for (at, region) in op.own_regions().enumerate() {
            let Some(entry) = op.body().region(region).entry() else { continue };
            let args = RegionSuccessor::new(RegionTarget::Region(at)).inputs(op);
            self.args.extend((0..args.len()).rev().filter(|&at| goes(&args[at])).map(|at| (entry, at)));
        }
        self.keep_results(op.id(), op.results().map(|result| !goes(&result)).collect());
    }

    /// Records the dead arguments of blocks that are not entry blocks.
    fn blocks(&mut self, scope: &Scope<'_>) {
        let body = scope.body;
        let live = scope.order.iter().filter(|op| scope.ops[op.index()]);
        let inner = live.flat_map(|&op| body.op(op).own_regions());
        for block in body.regions().chain(inner).flat_map(|region| body.region(region).blocks().skip(1)) {
            let keep: Vec<bool> = body.block(block).args().map(|arg| scope.values[arg.index()]).collect();
            if !loses(&keep) {
                continue;
            }
            self.args.extend((0..keep.len()).rev().filter(|&at| !keep[at]).map(|at| (block, at)));
            for edge in scope.branches.to(block) {
                self.passed.keep(edge.op, edge.successor as usize, keep.clone());
            }
        }
    }

    fn apply(self, body: &mut Body, done: &mut Done) {
        let ctx = body.context().clone();
        // Drop all uses first, since dead operations may form cycles.
        for &op in &self.dead {
            body.set_operands(op, &[]);
        }
        for (op, keep) in &self.operands {
            let operands: Vec<Value> = choose(body.op(*op).operands(), keep);
            body.set_operands(*op, &operands);
        }
        self.passed.apply(body);
        for op in self.dead.iter().rev() {
            body.erase(*op);
        }
        for &(block, at) in &self.args {
            body.erase_arg(block, at);
        }
        for (op, keep) in self.results {
            done.results += keep.iter().filter(|keep| !**keep).count() as u64;
            let view = body.op(op);
            let (operands, types): (Vec<Value>, Vec<Type>) =
                (view.operands().collect(), choose(view.result_types(), &keep));
            let new = body.recreate(op, &operands, &types);
            let old = choose(body.op(op).results(), &keep);
            let results: Vec<Value> = body.op(new).results().collect();
            old.into_iter().zip(results).for_each(|(old, new)| body.replace_all_uses(old, new));
            body.erase(op);
        }
        for (op, args, results) in &self.functions {
            done.results += results.iter().filter(|keep| !**keep).count() as u64;
            change_type(&ctx, body, *op, args, results);
        }
        done.operations += self.dead.len() as u64;
        done.args += self.args.len() as u64;
    }
}

fn choose<T>(from: impl Iterator<Item = T>, keep: &[bool]) -> Vec<T> {
    from.zip(keep).filter(|(_, keep)| **keep).map(|(item, _)| item).collect()
}

/// Removes arguments and results from the type of a function, with their attributes.
fn change_type(ctx: &Context, body: &mut Body, function: Op, args: &[bool], results: &[bool]) {
    let Some((inputs, outputs)) = function_types(body.op(function)) else { return };
    let ty =
        Type::function(ctx, &choose(inputs.iter().copied(), args), &choose(outputs.iter().copied(), results));
    body.set_attr(function, ctx.names().function_type, Some(Attr::ty(ctx, ty)));
    for (name, keep) in [(ctx.names().arg_attrs, args), (ctx.names().res_attrs, results)] {
        let said = body.op(function).attr(name).and_then(|attr| attr.as_array(ctx));
        if let Some(said) = said {
            let said = choose(said.iter().copied(), keep);
            body.set_attr(function, name, (!said.is_empty()).then(|| Attr::array(ctx, &said)));
        }
    }
}
