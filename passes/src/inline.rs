//! `inline`: calls become what they call.
//!
//! Functions are visited callees first. A call is replaced by the callee's body when that is one block, does not
//! call itself, directly or through others, and is small, or called only there. Private functions that nothing
//! refers to afterwards go. Locations say both the callee's place and the call's.

use minoan_diag::Diagnostics;
use minoan_ir::{
    Attr, AttrData, Body, Context, Loc, Mapping, Module, Name, Op, Point, SymbolTable, Traits, Value,
};
use minoan_pass::Pass;
use minoan_services::Inliner;
use rustc_hash::{FxHashMap, FxHashSet};

/// Callees up to this many operations are inlined wherever they are called.
const SMALL: usize = 200;
/// No function grows beyond this many operations.
const LARGEST: usize = 20_000;

/// Replaces calls by what they call.
pub struct Inline;

impl Pass for Inline {
    fn name(&self) -> &'static str {
        "inline"
    }

    fn description(&self) -> &'static str {
        "replace calls of small functions by their bodies, callees first"
    }

    fn run(&self, module: &mut Module) -> Result<(), Diagnostics> {
        let ctx = module.context().clone();
        let body = module.body_mut();
        let symbols = SymbolTable::of(body);
        let functions: Vec<Op> = functions(body);
        let calls: FxHashMap<Op, Vec<Op>> =
            functions.iter().map(|&op| (op, callees(body, op, &symbols))).collect();
        let mut sites: FxHashMap<Op, usize> = FxHashMap::default();
        for callee in calls.values().flatten() {
            *sites.entry(*callee).or_default() += 1;
        }
        let Order { order, recursive } = bottom_up(&functions, &calls);
        // Finished callees, in the form in which they are inlined.
        let mut bodies: FxHashMap<Op, Body> = FxHashMap::default();
        for function in order {
            inline_into(body, function, &symbols, &bodies);
            let inside = body.nested(function).expect("a function owns its body");
            let size = inside.walk().len();
            let single = size <= LARGEST / 2 && sites.get(&function) == Some(&1);
            if !recursive.contains(&function) && is_one_block(inside) && (size <= SMALL || single) {
                bodies.insert(function, inside.duplicate());
            }
        }
        erase_unused(body, &ctx);
        Ok(())
    }
}

fn functions(body: &Body) -> Vec<Op> {
    let blocks = body.regions().flat_map(|region| body.region(region).blocks());
    let ops = blocks.flat_map(|block| body.block(block).ops());
    ops.filter(|&op| body.op(op).has_trait(Traits::FUNCTION_LIKE)).collect()
}

/// The function of the module that an operation calls.
fn callee(body: &Body, op: Op, symbols: &SymbolTable) -> Option<Op> {
    let ctx = body.context();
    let view = body.op(op);
    let symbol = ctx.service::<dyn Inliner>(view.kind())?.callee(view)?;
    symbols.get(symbol.as_flat_symbol(ctx)?)
}

/// The functions that a function calls, once for each call.
fn callees(body: &Body, function: Op, symbols: &SymbolTable) -> Vec<Op> {
    let Some(inside) = body.nested(function) else { return Vec::new() };
    inside.walk().into_iter().filter_map(|op| callee(inside, op, symbols)).collect()
}

/// Functions, callees first, and those that can come back to themselves.
struct Order {
    order: Vec<Op>,
    recursive: FxHashSet<Op>,
}

/// Depth first; a call of a function that is still open closes a cycle, which all functions open since then are on.
fn bottom_up(functions: &[Op], calls: &FxHashMap<Op, Vec<Op>>) -> Order {
    let mut done: FxHashSet<Op> = FxHashSet::default();
    let (mut order, mut recursive) = (Vec::new(), FxHashSet::default());
    for &root in functions {
        let mut open: Vec<(Op, usize)> = Vec::new();
        if done.insert(root) {
            open.push((root, 0));
        }
        while let Some((function, next)) = open.last_mut() {
            match calls.get(function).and_then(|callees| callees.get(*next)) {
                Some(&callee) => {
                    *next += 1;
                    if let Some(at) = open.iter().position(|&(op, _)| op == callee) {
                        recursive.extend(open[at..].iter().map(|&(op, _)| op));
                    } else if done.insert(callee) {
                        open.push((callee, 0));
                    }
                }
                None => {
                    order.push(*function);
                    open.pop();
                }
            }
        }
    }
    Order { order, recursive }
}

/// Whether the body is one block that gives its values back.
fn is_one_block(body: &Body) -> bool {
    let blocks: Vec<_> = body.region(body.root(0)).blocks().collect();
    let [block] = blocks[..] else { return false };
    body.block(block).last().is_some_and(|op| body.op(op).has_trait(Traits::RETURN_LIKE))
}

fn inline_into(body: &mut Body, function: Op, symbols: &SymbolTable, bodies: &FxHashMap<Op, Body>) {
    let inside = body.nested(function).expect("a function owns its body");
    let mut size = inside.walk().len();
    let calls: Vec<(Op, Op)> = inside
        .walk()
        .into_iter()
        .filter_map(|op| callee(inside, op, symbols).map(|callee| (op, callee)))
        .collect();
    for (call, callee) in calls {
        let Some(source) = bodies.get(&callee).filter(|_| callee != function) else { continue };
        let inside = body.nested_mut(function).expect("a function owns its body");
        size += source.op_capacity();
        if size > LARGEST {
            return;
        }
        replace_call(inside, call, source);
    }
}

fn replace_call(body: &mut Body, call: Op, source: &Body) {
    let Some(entry) = source.region(source.root(0)).entry() else { return };
    let call_loc = body.op(call).loc();
    let mut mapping = Mapping::new();
    let operands: Vec<Value> = body.op(call).operands().collect();
    for (arg, operand) in source.block(entry).args().zip(operands) {
        mapping.map(arg, operand);
    }
    let mut results = Vec::new();
    for op in source.block(entry).ops() {
        let view = source.op(op);
        if view.has_trait(Traits::RETURN_LIKE) {
            results = view.operands().map(|value| mapping.value(value)).collect();
        } else {
            let copy = body.clone_op_from(source, op, Point::Before(call), &mut mapping);
            say_both_places(body, copy, call_loc);
        }
    }
    body.replace(call, &results);
}

/// The operation and what is inside it come from the callee, through the call.
fn say_both_places(body: &mut Body, op: Op, call: Loc) {
    let ctx = body.context().clone();
    let mut pending = vec![op];
    while let Some(op) = pending.pop() {
        let loc = Loc::call_site(&ctx, body.op(op).loc(), call);
        body.set_loc(op, loc);
        let regions: Vec<_> = body.op(op).regions().collect();
        for block in regions.into_iter().flat_map(|region| body.region(region).blocks().collect::<Vec<_>>()) {
            pending.extend(body.block(block).ops());
        }
    }
}

/// Erases private functions that no attribute of the module names, those that only they name included.
fn erase_unused(body: &mut Body, ctx: &Context) {
    let table = SymbolTable::of(body);
    let functions = functions(body);
    let is_private = |op: Op| {
        let visibility = body.op(op).attr(ctx.names().sym_visibility).and_then(|attr| attr.as_str(ctx));
        visibility == Some("private")
    };
    let mut live: FxHashSet<Op> = FxHashSet::default();
    let mut pending: Vec<Op> = Vec::new();
    let blocks = body.regions().flat_map(|region| body.region(region).blocks());
    for op in blocks.flat_map(|block| body.block(block).ops()) {
        if !functions.contains(&op) || !is_private(op) {
            live.insert(op);
            pending.push(op);
        }
    }
    while let Some(op) = pending.pop() {
        let mut names = FxHashSet::default();
        collect_names(ctx, body.op(op).attrs(), &mut names);
        if let Some(inside) = body.nested(op) {
            for inner in inside.walk() {
                collect_names(ctx, inside.op(inner).props(), &mut names);
                collect_names(ctx, inside.op(inner).attrs(), &mut names);
            }
        }
        for target in names.into_iter().filter_map(|name| table.get(name)) {
            if live.insert(target) {
                pending.push(target);
            }
        }
    }
    for op in functions {
        if !live.contains(&op) {
            body.erase(op);
        }
    }
}

/// The symbols that an attribute names, inside arrays and dictionaries too.
fn collect_names(ctx: &Context, attr: Attr, names: &mut FxHashSet<Name>) {
    let mut pending = vec![attr];
    while let Some(attr) = pending.pop() {
        match attr.data(ctx) {
            AttrData::SymbolRef { root, .. } => {
                names.insert(*root);
            }
            AttrData::Array(elements) => pending.extend(elements),
            AttrData::Dictionary(entries) => pending.extend(entries.iter().map(|(_, attr)| attr)),
            _ => {}
        }
    }
}
