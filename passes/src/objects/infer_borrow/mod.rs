//! `infer-borrow`: decides who owns the objects that calls pass and regions forward.
//!
//! By default functions borrow their arguments, and arguments and results of regions own the values that are forwarded to them.
//! The opposite can be better in both cases:
//!
//! * A function that owns an argument can reuse its memory, and store it without incrementing its count. It *takes* the
//!   argument: `takes`, an attribute of the function and its calls, lists the taken arguments.
//! * A loop that only traverses an object need not own its parts. `borrows`, an attribute of the operation, lists the borrowed
//!   results and region arguments, in this order.
//!
//! Arguments of functions and results and arguments of regions are the *variables*. All are borrowed at first. A variable becomes
//! an owner
//!
//! 1. if an object of the same size class is created where a part of it is read (`ReuseOps`), or if it, or a part of it, is
//!    forwarded or passed to a variable that is an owner for this reason;
//! 2. if the variable itself is forwarded or passed to an owner, stored or returned;
//! 3. if somewhere a value is forwarded to it that dies before it: neither a variable that is borrowed, nor a part of one. The
//!    first value of a loop outlives the loop, unless the loop is its only use;
//! 4. if it is used after a loop and the first values do not live longer;
//! 5. if an argument that dies with a call in tail position is passed to it: a tail call must not be followed by a decrement.
//!
//! These are implications between variables, so the time is linear. A function with unknown callers that takes an argument
//! becomes a wrapper, which borrows, around a private function, which the known calls go to.

mod graph;

use crate::analysis::call_sites::{levels, symbol_uses};
use crate::analysis::owners::{BORROWS, TAKES, inputs};
use crate::symbol_dce::is_discardable;
use graph::{Function, Graph};
use minoan_diag::Diagnostics;
use minoan_ir::{
    Attr, Body, Builder, Context, InsertionPoint, Name, Op, ServiceTable, SymbolTable, Traits, Type, Value,
};
use minoan_pass::{Anchor, Pass, PassRun, queries};
use minoan_services::{
    Calls, CountOps, FunctionMaterializer, Ownership, RegionFlow, ReuseOps, function_types,
};
use rustc_hash::FxHashMap;

/// Decides who owns arguments and loop-carried values.
pub struct InferBorrow;

impl Pass for InferBorrow {
    fn name(&self) -> &'static str {
        "infer-borrow"
    }

    fn description(&self) -> &'static str {
        "decide which objects functions and loops borrow, and which they own"
    }

    fn anchor(&self) -> Anchor {
        Anchor::Module
    }

    queries!(Calls, CountOps, Ownership, RegionFlow, ReuseOps, FunctionMaterializer);

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("num-taken", "Number of arguments that functions own"),
            ("num-borrowed", "Number of forwarded objects without an owner"),
        ]
    }

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        let Some(counts) = <dyn CountOps>::any(&ctx) else { return Ok(()) };
        let calls = ctx.service_table::<dyn Calls>();
        let top = run.module_mut().body_mut();
        let functions = functions(&ctx, top, counts, calls);
        let mut graph = Graph::new(&ctx, counts, calls, &functions);
        for (index, function) in functions.iter().enumerate() {
            if let Some(body) = top.nested(function.op) {
                graph.add(index, body);
            }
        }
        let owned = graph.solve();
        let (mut taken, mut borrowed) = (0, 0);
        for (index, function) in functions.iter().enumerate() {
            borrowed += mark_regions(&ctx, counts, top, function.op, &|value| owned.contains(index, value));
        }
        let mut takes: FxHashMap<Name, Vec<i64>> = functions
            .iter()
            .enumerate()
            .filter_map(|(index, function)| {
                let args = function.args.iter().zip(0..).filter(|(arg, _)| owned.contains(index, **arg));
                let args: Vec<i64> = args.map(|(_, at)| at).collect();
                (!args.is_empty()).then_some((function.name, args))
            })
            .collect();
        let mut table = SymbolTable::of(top);
        let mut names: FxHashMap<Name, Name> = FxHashMap::default();
        for function in &functions {
            let Some(args) = takes.get(&function.name).cloned() else { continue };
            taken += args.len() as u64;
            let owner = match function.is_known {
                true => function.op,
                false => match wrap(&ctx, top, function, &mut table) {
                    Some((op, name)) => {
                        names.insert(function.name, name);
                        takes.insert(name, args.clone());
                        op
                    }
                    None => {
                        takes.remove(&function.name);
                        continue;
                    }
                },
            };
            top.set_attr(owner, ctx.name(TAKES), Some(Attr::dense_i64(&ctx, &args)));
        }
        for op in top.walk() {
            if let Some(body) = top.nested_mut(op) {
                mark_calls(&ctx, body, calls, &takes, &names);
            }
        }
        run.count("num-taken", taken);
        run.count("num-borrowed", borrowed);
        Ok(())
    }
}

/// The functions of a module with objects that are called.
fn functions(
    ctx: &Context,
    top: &Body,
    counts: &dyn CountOps,
    calls: Option<&ServiceTable<dyn Calls>>,
) -> Vec<Function> {
    let uses = symbol_uses(ctx, &levels(top), calls);
    let mut found = Vec::new();
    for op in top.walk() {
        let view = top.op(op);
        let (Some(name), Some(body)) = (view.symbol_name().map(|name| ctx.name(name)), top.nested(op)) else {
            continue;
        };
        let entry = body.regions().next().and_then(|region| body.region(region).entry());
        let Some(entry) = entry.filter(|_| view.has_trait(Traits::FUNCTION_LIKE)) else { continue };
        let args: Vec<Value> = body.block(entry).args().collect();
        let is_called = uses.callees.contains(&name);
        let is_known = is_called && !uses.named.contains(&name) && is_discardable(view, false);
        // A wrapper needs a call for its only block.
        let can_take = is_called && args.iter().any(|&arg| counts.is_counted(ctx, body.ty(arg)));
        found.push(Function { op, name, args, is_known, can_take });
    }
    found
}

/// Makes a function a wrapper around a private one with its body; returns the private function and its name.
fn wrap(ctx: &Context, top: &mut Body, function: &Function, table: &mut SymbolTable) -> Option<(Op, Name)> {
    let functions = <dyn FunctionMaterializer>::any(ctx)?;
    let (inputs, results) = function_types(top.op(function.op))?;
    let (inputs, results): (Vec<Type>, Vec<Type>) = (inputs.to_vec(), results.to_vec());
    let loc = top.op(function.op).loc();
    let name = table.fresh(ctx, &format!("{}$owner", function.name.as_str(ctx)));
    let mut b = Builder::new(top, InsertionPoint::After(function.op)).with_loc(loc);
    let owner = functions.declare(&mut b, name.as_str(ctx), &inputs, &results);
    table.insert(name, owner);
    let empty = std::mem::replace(top.nested_mut(owner)?, Body::new(ctx, 0));
    let code = std::mem::replace(top.nested_mut(function.op)?, empty);
    *top.nested_mut(owner)? = code;
    let mut b = Builder::before(top, function.op).with_loc(loc);
    b.region(function.op, 0, &inputs, |b, args| {
        let call = b.create(functions.call(ctx, name.as_str(ctx), args, &results));
        let values: Vec<Value> = b.body().op(call).results().collect();
        b.create(functions.return_op(ctx, &values));
    });
    Some((owner, name))
}

/// Lists the inputs without an owner on each operation with regions of a function; returns their number.
fn mark_regions(
    ctx: &Context,
    counts: &dyn CountOps,
    top: &mut Body,
    function: Op,
    owns: &dyn Fn(Value) -> bool,
) -> u64 {
    let Some(body) = top.nested_mut(function) else { return 0 };
    let flows = ctx.service_table::<dyn RegionFlow>();
    let mut count = 0;
    for op in body.walk() {
        let view = body.op(op);
        if view.n_regions() == 0 || flows.and_then(|table| table.get(view.kind())).is_none() {
            continue;
        }
        let inputs = inputs(view).into_iter().zip(0..);
        let lent = inputs.filter(|&(input, _)| counts.is_counted(ctx, body.ty(input)) && !owns(input));
        let lent: Vec<i64> = lent.map(|(_, index)| index).collect();
        if !lent.is_empty() {
            count += lent.len() as u64;
            body.set_attr(op, ctx.name(BORROWS), Some(Attr::dense_i64(ctx, &lent)));
        }
    }
    count
}

/// Lists the arguments that the callee takes on each call, and lets it go to the function that is not a wrapper.
fn mark_calls(
    ctx: &Context,
    body: &mut Body,
    calls: Option<&ServiceTable<dyn Calls>>,
    takes: &FxHashMap<Name, Vec<i64>>,
    names: &FxHashMap<Name, Name>,
) {
    for op in body.walk() {
        let view = body.op(op);
        let Some(service) = calls.and_then(|table| table.get(view.kind())) else { continue };
        let Some(callee) = service.callee(view).and_then(|symbol| symbol.as_flat_symbol(ctx)) else {
            continue;
        };
        let Some(args) = takes.get(&callee) else { continue };
        let first = service.args(view).start as i64;
        let args: Vec<i64> = args.iter().map(|index| index + first).collect();
        let mut call = op;
        if let Some(&name) = names.get(&callee)
            && let Some(functions) = <dyn FunctionMaterializer>::any(ctx)
        {
            let (operands, results): (Vec<Value>, Vec<Type>) =
                (view.operands().skip(first as usize).collect(), view.result_types().collect());
            let state = functions.call(ctx, name.as_str(ctx), &operands, &results).loc(view.loc());
            call = body.create(&state, InsertionPoint::Before(op));
            let values: Vec<Value> = body.op(call).results().collect();
            body.replace(op, &values);
        }
        body.set_attr(call, ctx.name(TAKES), Some(Attr::dense_i64(ctx, &args)));
    }
}
