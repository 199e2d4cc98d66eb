//! `tail-recursion-to-loop`: replaces self-recursive tail calls by branches to the beginning of the function.
//!
//! A call is a tail call if its results, all and in order, are returned by the function without an operation in
//! between: directly before the return, through branches to blocks that only forward them, or in operations that
//! execute one region once and yield them. Only these operations are lowered to branches first, and blocks are
//! merged. The function gets a new entry block, and calls become branches to the old one with their operands. The
//! time is linear.

use minoan_diag::Diagnostics;
use minoan_ir::{Block, Body, Context, InsertionPoint, Name, Op, OpRef, Traits, Type, Value};
use minoan_pass::{OpHeader, Pass, PassRun, queries};
use minoan_rewrite::{
    Conversion, ConversionMode, ConversionTarget, PatternFilter, PatternSet, ToBranches,
    erase_unreachable_blocks, simplify_cfg,
};
use minoan_services::{BranchMaterializer, Branches, Calls, RegionExecution, RegionFlow, RegionTarget};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Converts self-recursive tail calls to branches.
pub struct TailRecursionToLoop;

impl Pass for TailRecursionToLoop {
    fn name(&self) -> &'static str {
        "tail-recursion-to-loop"
    }

    fn description(&self) -> &'static str {
        "convert self-recursive tail calls to branches to the beginning of the function"
    }

    queries!(Calls, Branches, BranchMaterializer, RegionFlow, ToBranches);

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[("num-calls", "Number of tail calls converted to branches")]
    }

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        let Some(jumps) = <dyn BranchMaterializer>::any(&ctx) else { return Ok(()) };
        let outcomes = run.each_body_with(|| (), |(), owner, body| branch_to_entry(&ctx, owner, body, jumps));
        let mut wrong = Diagnostics::new();
        for outcome in outcomes {
            match outcome {
                Ok(calls) => run.count("num-calls", calls),
                Err(errors) => wrong.append(errors),
            }
        }
        if wrong.is_empty() { Ok(()) } else { Err(wrong) }
    }
}

fn branch_to_entry(
    ctx: &Context,
    owner: OpHeader,
    body: &mut Body,
    jumps: &dyn BranchMaterializer,
) -> Result<u64, Diagnostics> {
    let function = ctx.info(owner.kind).is_some_and(|info| info.traits.has(Traits::FUNCTION_LIKE));
    let Some(name) = owner.symbol(ctx).filter(|_| function).map(|name| ctx.name(name)) else { return Ok(0) };
    let own_calls =
        |body: &Body| -> Vec<Op> { body.walk().into_iter().filter(|&op| calls(body.op(op), name)).collect() };
    let mut own = own_calls(body);
    if own.is_empty() {
        return Ok(0);
    }
    let mut around = Around::default();
    own.iter().for_each(|&call| around.add(body, call));
    let around: FxHashSet<Op> =
        around.known.into_iter().filter(|&(_, tail)| tail).map(|(op, _)| op).collect();
    if !around.is_empty() {
        to_branches(ctx, body, around)?;
        simplify_cfg(body);
        own = own_calls(body);
    }
    let mut blocks = Blocks::default();
    let tail: Vec<Op> = own.into_iter().filter(|&call| blocks.ends_with(body, call)).collect();
    let Some(entry) = body.region(body.root(0)).entry().filter(|_| !tail.is_empty()) else { return Ok(0) };
    enter(ctx, body, entry, jumps);
    for &call in &tail {
        let view = body.op(call);
        let (args, loc) = (call_args(view), view.loc());
        let end = view.next().expect("a call does not end its block");
        body.create(&jumps.branch(ctx, entry, &args).loc(loc), InsertionPoint::Before(call));
        body.erase(end);
        body.erase(call);
    }
    erase_unreachable_blocks(body);
    Ok(tail.len() as u64)
}

/// Whether an operation calls the function of this name.
fn calls(op: OpRef<'_>, name: Name) -> bool {
    let ctx = op.context();
    let callee = ctx.service::<dyn Calls>(op.kind()).and_then(|service| service.callee(op));
    callee.and_then(|symbol| symbol.as_flat_symbol(ctx)) == Some(name)
}

fn call_args(call: OpRef<'_>) -> Vec<Value> {
    let range = call.context().service::<dyn Calls>(call.kind()).map_or(0..0, |service| service.args(call));
    call.operands().skip(range.start).take(range.len()).collect()
}

/// Creates a new entry block that branches to the old one with its arguments.
fn enter(ctx: &Context, body: &mut Body, entry: Block, jumps: &dyn BranchMaterializer) {
    let types: Vec<Type> = body.block(entry).args().map(|arg| body.ty(arg)).collect();
    let locs: Vec<_> = body.block(entry).arg_locs().collect();
    let first = body.add_block_before(entry, &types);
    for (at, &loc) in locs.iter().enumerate() {
        body.set_arg_loc(first, at, loc);
    }
    let args: Vec<Value> = body.block(first).args().collect();
    let loc = body.block(entry).first().map(|op| body.op(op).loc());
    let state = jumps.branch(ctx, entry, &args);
    body.create(&loc.into_iter().fold(state, |state, loc| state.loc(loc)), InsertionPoint::End(first));
}

/// Whether a terminator's operands are all results of the preceding operation, in order.
fn forwards_operands(end: OpRef<'_>, op: OpRef<'_>) -> bool {
    end.operands().eq(op.results())
}

/// The operations around tail calls.
#[derive(Default)]
struct Around {
    blocks: Blocks,
    /// Whether the values yielded in an operation are returned by the function.
    known: FxHashMap<Op, bool>,
}

impl Around {
    /// Adds the operations around a call.
    fn add(&mut self, body: &Body, call: Op) {
        let (mut path, mut at) = (Vec::new(), body.op(call));
        let tail = loop {
            let Some(end) = at.next().map(|end| body.op(end)).filter(|&end| forwards_operands(end, at))
            else {
                break false;
            };
            let Some(parent) = end.parent().map(|parent| body.op(parent)) else {
                break self.blocks.leaves(body, end);
            };
            if !Self::yields(parent, end) {
                break false;
            }
            if let Some(&known) = self.known.get(&parent.id()) {
                break known;
            }
            path.push(parent.id());
            at = parent;
        };
        self.known.extend(path.into_iter().map(|op| (op, tail)));
    }

    /// Whether a terminator's operands become the results of the enclosing operation, which executes one region once.
    fn yields(parent: OpRef<'_>, end: OpRef<'_>) -> bool {
        let ctx = parent.context();
        let Some(flow) = ctx.service::<dyn RegionFlow>(parent.kind()) else { return false };
        let region = end.block().and_then(|block| end.body().block(block).region());
        let Some(number) = parent.own_regions().position(|own| Some(own) == region) else { return false };
        let successors = flow.terminator_successors(parent, number, end, &vec![None; end.n_operands()]);
        let all = 0..end.n_operands();
        let straight = matches!(&successors[..], [successor] if successor.target == RegionTarget::Parent && successor.operands == all && successor.first_input == 0);
        end.n_successors() == 0
            && flow.execution(parent) == RegionExecution::ExactlyOne
            && straight
            && ctx.service::<dyn ToBranches>(parent.kind()).is_some()
    }
}

/// Lowers operations to branches.
fn to_branches(ctx: &Context, body: &mut Body, chosen: FxHashSet<Op>) -> Result<(), Diagnostics> {
    let mut patterns = PatternSet::new();
    for service in
        ctx.dialects_with::<dyn ToBranches>().filter_map(|dialect| dialect.service::<dyn ToBranches>())
    {
        // The target is ignored: only the chosen operations are lowered.
        service.add_patterns(&mut patterns, &mut ConversionTarget::new());
    }
    let names: FxHashSet<&str> = chosen.iter().map(|&op| body.op(op).name()).collect();
    let chosen = Arc::new(chosen);
    let mut target = ConversionTarget::new();
    target.unknown_legal();
    for name in names {
        let chosen = chosen.clone();
        target.legal_op_if(name, move |op: OpRef<'_>| !chosen.contains(&op.id()));
    }
    let patterns = patterns.freeze(ctx, &PatternFilter::default())?;
    Conversion::new(ctx, &target, &patterns, ConversionMode::Partial).run(body)?;
    Ok(())
}

/// For each block: whether it only returns its arguments, directly or through other blocks.
#[derive(Default)]
struct Blocks {
    returns: FxHashMap<Block, bool>,
}

impl Blocks {
    /// Whether the results of a call are returned without an operation in between.
    fn ends_with(&mut self, body: &Body, call: Op) -> bool {
        let view = body.op(call);
        let end = view.next().map(|end| body.op(end)).filter(|&end| forwards_operands(end, view));
        view.parent().is_none() && end.is_some_and(|end| self.leaves(body, end))
    }

    /// Whether a terminator returns its operands, or branches to a block that returns them.
    fn leaves(&mut self, body: &Body, end: OpRef<'_>) -> bool {
        if end.has_trait(Traits::RETURN_LIKE) {
            return true;
        }
        let (mut path, mut at) = (Vec::new(), end);
        let answer = loop {
            let Some(to) = straight(at) else { break false };
            if let Some(&known) = self.returns.get(&to) {
                break known;
            }
            // A cycle of blocks does not return.
            self.returns.insert(to, false);
            path.push(to);
            let block = body.block(to);
            let Some(last) = block.last().filter(|&last| block.first() == Some(last)) else { break false };
            let last = body.op(last);
            if !last.operands().eq(block.args()) {
                break false;
            }
            if last.has_trait(Traits::RETURN_LIKE) {
                break true;
            }
            at = last;
        };
        self.returns.extend(path.into_iter().map(|block| (block, answer)));
        answer
    }
}

/// The successor of a branch that only forwards all its operands.
fn straight(op: OpRef<'_>) -> Option<Block> {
    let branches = op.context().service::<dyn Branches>(op.kind())?;
    let mut successors = op.successors();
    let (Some(to), None) = (successors.next(), successors.next()) else { return None };
    let passed = branches.forwarded_operands(op, 0);
    (passed.produced == 0 && passed.operands == (0..op.n_operands()) && op.n_results() == 0).then_some(to)
}
