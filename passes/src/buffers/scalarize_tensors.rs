//! `scalarize-tensors`: replaces tensors of rank 0 by scalars where control flow passes them on.
//!
//! Bufferization allocates a buffer for each tensor, even for one with a single element. The arguments and results of private
//! functions, and the values that operations with regions forward ([`RegionFlow`]), become scalars: a number that a loop
//! carries or a function returns is then in a register.
//!
//! * A function with unknown callers keeps its types, and so does one with a signature attribute. If such a function is
//!   called in the module, for example by itself, these calls are redirected to a private copy of it.
//! * An operation with regions changes as a whole: only if each of its results and region arguments of rank 0 receives
//!   operands of the same type on all paths.
//! * Other uses get a tensor of the scalar (`TensorOps::splat`), other definitions are read (`TensorOps::extract`); both
//!   cancel out in canonicalization.
//!
//! The time is linear in the number of operations.

use crate::analysis::call_sites::{known_functions, levels};
use minoan_diag::Diagnostics;
use minoan_ir::{
    Attr, Body, Builder, Context, InsertionPoint, Mapping, Name, Op, OpRef, ServiceTable, SymbolTable,
    Traits, Type, Value,
};
use minoan_pass::{Anchor, Pass, PassRun, queries};
use minoan_services::{
    ByAttributes, Calls, FunctionSignature, RegionFlow, RegionTarget, Symbols, TensorOps, Visibility,
    function_types, rename_symbols,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Replaces tensors of rank 0 by scalars.
pub struct ScalarizeTensors;

impl Pass for ScalarizeTensors {
    fn name(&self) -> &'static str {
        "scalarize-tensors"
    }

    fn description(&self) -> &'static str {
        "replace tensors of rank 0 by scalars across control flow and calls"
    }

    fn anchor(&self) -> Anchor {
        Anchor::Module
    }

    queries!(Calls, RegionFlow, Symbols, TensorOps);

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[("num-scalarized", "Number of values that became scalars")]
    }

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        let tensors = ctx.dialects_with::<dyn TensorOps>().next();
        let Some(tensors) = tensors.and_then(|dialect| dialect.service::<dyn TensorOps>()) else {
            return Ok(());
        };
        let calls = ctx.service_table::<dyn Calls>();
        let top = run.module_mut().body_mut();
        copy_called(&ctx, top, calls);
        let functions = {
            let top: &Body = top;
            let mut functions = known_functions(&ctx, top, false, &levels(top), calls);
            functions.retain(|_, &mut op| changes(&ctx, top.op(op)));
            functions
        };
        let scalarizer =
            Scalarizer { ctx: &ctx, tensors, calls, flow: ctx.service_table(), functions: &functions };
        let changed: FxHashSet<Op> = functions.values().copied().collect();
        let mut count = 0;
        for op in top.walk() {
            let known = changed.contains(&op);
            if let Some(body) = top.nested_mut(op) {
                count += scalarizer.nested(body, known);
            }
        }
        for &function in functions.values() {
            let Some((inputs, results)) = function_types(top.op(function)) else { continue };
            let scalars = |types: &[Type]| -> Vec<Type> {
                types.iter().map(|&ty| scalar(&ctx, ty).unwrap_or(ty)).collect()
            };
            let ty = Type::function(&ctx, &scalars(inputs), &scalars(results));
            top.set_attr(function, ctx.names().function_type, Some(Attr::ty(&ctx, ty)));
        }
        run.count("num-scalarized", count);
        Ok(())
    }
}

/// The element type of a tensor type of rank 0.
fn scalar(ctx: &Context, ty: Type) -> Option<Type> {
    let is_scalar = ty.is_tensor(ctx) && ty.shape(ctx).is_some_and(<[i64]>::is_empty);
    is_scalar.then(|| ty.element(ctx)).flatten()
}

/// Whether a function with known callers has arguments or results to change, and no signature attribute that fixes them.
fn changes(ctx: &Context, function: OpRef<'_>) -> bool {
    let Some((inputs, results)) = function_types(function) else { return false };
    inputs.iter().chain(results).any(|&ty| scalar(ctx, ty).is_some())
        && matches!(FunctionSignature::read(function), Ok(None))
}

/// Adds private copies of the public functions that could change and are called, and redirects the calls to them.
fn copy_called(ctx: &Context, top: &mut Body, calls: Option<&ServiceTable<dyn Calls>>) {
    let Some(calls) = calls else { return };
    let table = SymbolTable::of(top);
    let mut called: FxHashSet<Name> = FxHashSet::default();
    for (_, body) in levels(top) {
        for op in body.walk().into_iter().map(|op| body.op(op)) {
            let callee = calls.get(op.kind()).and_then(|calls| calls.callee(op));
            called.extend(callee.and_then(|symbol| symbol.as_flat_symbol(ctx)));
        }
    }
    let is_public = |op: OpRef<'_>| <dyn Symbols>::of(op).visibility(op) == Visibility::Public;
    let mut renamed: FxHashMap<Name, Name> = FxHashMap::default();
    let mut originals = Vec::new();
    for op in
        top.regions().flat_map(|region| top.region(region).blocks()).flat_map(|block| top.block(block).ops())
    {
        let view = top.op(op);
        let Some(name) = view.symbol_name().map(|name| ctx.name(name)) else { continue };
        let types = function_types(view).filter(|_| view.has_trait(Traits::FUNCTION_LIKE));
        let scalars = types.is_some_and(|(inputs, results)| {
            inputs.iter().chain(results).any(|&ty| scalar(ctx, ty).is_some())
        });
        if scalars && called.contains(&name) && is_public(view) {
            originals.push((op, name));
            renamed.insert(name, table.fresh(ctx, &format!("{}$scalar", name.as_str(ctx))));
        }
    }
    let mut copies = Vec::new();
    for &(op, _) in &originals {
        copies.push(top.clone_op(op, InsertionPoint::After(op), &mut Mapping::default()));
    }
    rename_symbols(top, &renamed);
    for (&(op, name), copy) in originals.iter().zip(copies) {
        let symbols = ctx.service::<dyn Symbols>(top.op(op).kind()).unwrap_or(&ByAttributes);
        symbols.set_name(top, op, name);
        symbols.set_visibility(top, copy, Visibility::Private);
        for attr in SIGNATURE {
            top.set_attr(copy, ctx.name(attr), None);
        }
    }
}

/// The attributes of a function's signature.
pub(crate) const SIGNATURE: [&str; 5] = ["abi", "abiv", "f", "fv", "sip"];

struct Scalarizer<'c> {
    ctx: &'c Context,
    tensors: &'c dyn TensorOps,
    calls: Option<&'c ServiceTable<dyn Calls>>,
    flow: Option<&'c ServiceTable<dyn RegionFlow>>,
    /// The functions that change.
    functions: &'c FxHashMap<Name, Op>,
}

/// The values and operands of a body that become scalars.
#[derive(Default)]
struct Changes {
    /// The values that become scalars, in order.
    values: Vec<Value>,
    /// The operands that become scalars.
    operands: Vec<(Op, usize)>,
}

impl Scalarizer<'_> {
    /// Changes the body of a function, which `changes` itself or not, and those nested in it.
    fn nested(&self, body: &mut Body, changes: bool) -> u64 {
        let mut count = self.body(body, changes);
        for nested in body.nested_bodies_mut() {
            count += minoan_ir::with_stack(|| self.nested(nested, false));
        }
        count
    }

    fn is_scalar(&self, body: &Body, value: Value) -> bool {
        scalar(self.ctx, body.ty(value)).is_some()
    }

    fn body(&self, body: &mut Body, changes: bool) -> u64 {
        let Changes { values, operands } = self.changes(body, changes);
        let scalars: FxHashSet<Value> = values.iter().copied().collect();
        let forwarded: FxHashSet<(Op, usize)> = operands.iter().copied().collect();
        for &value in &values {
            let ty = body.ty(value);
            let others = |body: &Body| body.uses(value).any(|it| !forwarded.contains(&(it.op, it.index)));
            if others(body) {
                let point = match (body.defining_op(value), body.block_of(value)) {
                    (Some(op), _) => InsertionPoint::After(op),
                    (None, Some(block)) => InsertionPoint::Start(block),
                    (None, None) => continue,
                };
                let loc = body.value_loc(value);
                let mut b = Builder::new(body, point).with_loc(loc);
                let tensor = self.tensors.splat(&mut b, value, ty, &[]);
                let splat = body.defining_op(tensor);
                body.replace_uses_if(value, tensor, |it| {
                    Some(it.op) != splat && !forwarded.contains(&(it.op, it.index))
                });
            }
        }
        for &(op, index) in &operands {
            let value = body.op(op).operand(index);
            if !scalars.contains(&value) && self.is_scalar(body, value) {
                let loc = body.op(op).loc();
                let element = self.tensors.extract(&mut Builder::before(body, op).with_loc(loc), value, &[]);
                body.set_operand(op, index, element);
            }
        }
        for &value in &values {
            if let Some(ty) = scalar(self.ctx, body.ty(value)) {
                body.set_type(value, ty);
            }
        }
        values.len() as u64
    }

    /// The values and operands that change.
    fn changes(&self, body: &Body, function_changes: bool) -> Changes {
        let mut changes = Changes::default();
        if function_changes {
            let entry = body.regions().next().and_then(|region| body.region(region).entry());
            let args = entry.into_iter().flat_map(|entry| body.block(entry).args());
            changes.values.extend(args.filter(|&arg| self.is_scalar(body, arg)));
            let blocks = body.regions().flat_map(|region| body.region(region).blocks());
            for last in blocks.filter_map(|block| body.block(block).last()) {
                if body.op(last).has_trait(Traits::RETURN_LIKE) {
                    self.add_operands(body, last, 0..body.op(last).n_operands(), &mut changes);
                }
            }
        }
        for op in body.walk() {
            let view = body.op(op);
            if let Some(calls) = self.calls.and_then(|table| table.get(view.kind()))
                && let Some(callee) = calls.callee(view).and_then(|symbol| symbol.as_flat_symbol(self.ctx))
                && self.functions.contains_key(&callee)
            {
                self.add_operands(body, op, calls.args(view), &mut changes);
                changes.values.extend(view.results().filter(|&result| self.is_scalar(body, result)));
            } else if view.n_regions() > 0 && view.nested().is_none() {
                self.region_op(view, &mut changes);
            }
        }
        changes
    }

    fn add_operands(&self, body: &Body, op: Op, range: std::ops::Range<usize>, changes: &mut Changes) {
        let scalars = range.filter(|&index| self.is_scalar(body, body.op(op).operand(index)));
        changes.operands.extend(scalars.map(|index| (op, index)));
    }

    /// Adds the changes of an operation with regions, if all its inputs of rank 0 can change.
    fn region_op(&self, op: OpRef<'_>, changes: &mut Changes) {
        let Some(flow) = self.flow.and_then(|table| table.get(op.kind())) else { return };
        let body = op.body();
        let region_args = |region| {
            let entry = body.region(region).entry();
            entry.into_iter().flat_map(|entry| body.block(entry).args()).collect::<Vec<Value>>()
        };
        let inputs: Vec<Value> = op.results().chain(op.own_regions().flat_map(region_args)).collect();
        let inputs: Vec<Value> = inputs.into_iter().filter(|&input| self.is_scalar(body, input)).collect();
        if inputs.is_empty() || op.own_regions().any(|region| body.region(region).blocks().nth(1).is_some()) {
            return;
        }
        let nothing = vec![None; op.n_operands()];
        let mut edges: Vec<(OpRef<'_>, minoan_services::RegionSuccessor)> =
            flow.entry_successors(op, &nothing).into_iter().map(|edge| (op, edge)).collect();
        for (index, region) in op.own_regions().enumerate() {
            let last = body.region(region).entry().and_then(|entry| body.block(entry).last());
            let Some(last) = last.map(|last| body.op(last)) else { continue };
            let nothing = vec![None; last.n_operands()];
            let successors = flow.terminator_successors(op, index, last, &nothing);
            edges.extend(successors.into_iter().map(|edge| (last, edge)));
        }
        let mut operands = Vec::new();
        let mut reached: FxHashSet<Value> = FxHashSet::default();
        for (from, edge) in &edges {
            for (at, input) in edge.inputs(op).into_iter().enumerate() {
                if !self.is_scalar(body, input) {
                    continue;
                }
                match edge.operand(at).filter(|&at| body.ty(from.operand(at)) == body.ty(input)) {
                    Some(operand) => operands.push((from.id(), operand)),
                    // The edge to the parent forwards no values if the operation has no results.
                    None if edge.target == RegionTarget::Parent && op.n_results() == 0 => {}
                    None => return,
                }
                reached.insert(input);
            }
        }
        if inputs.iter().all(|input| reached.contains(input)) {
            operands.sort_unstable_by_key(|&(op, index)| (op.index(), index));
            operands.dedup();
            changes.operands.extend(operands);
            changes.values.extend(inputs);
        }
    }
}
