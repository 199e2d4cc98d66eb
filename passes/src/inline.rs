//! `inline`: calls become what they call.
//!
//! Functions are visited callees first: by strongly connected components of the call graph, and those that do not depend
//! on one another side by side. A call is replaced by the callee's body when the callee does not call itself, directly or
//! through others, and is small, or called only there. How large it is the service [`Cost`] says, instruction by instruction.
//! A callee of one block takes the place of the call; one of several is put between the halves of the call's block, where
//! that is a block of the function itself. Then the function is canonicalized, as by `mlir-opt`'s pass of that name, before it
//! takes the place of calls itself. Private functions that nothing refers to afterwards go. Locations say both the callee's
//! place and the call's.

use crate::canonicalize::{CanonicalizeOptions, Canonicalizer};
use crate::symbol_dce::erase_dead_symbols;
use minoan_diag::Diagnostics;
use minoan_ir::{
    Block, Body, InsertionPoint, Loc, Mapping, Op, OpRef, ServiceId, SymbolTable, Traits, Type, Value,
};
use minoan_pass::{Anchor, Pass, PassRun, own_options, pass_options};
use minoan_rewrite::GreedyDriver;
use minoan_services::{Branches, Calls, Cost, Inliner, Symbols};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

pass_options! {
    /// The options of the pass.
    pub struct InlineOptions {
        /// Callees of up to so many operations, counted as they cost, are inlined wherever they are called
        "max-callee-operations" max_callee_operations: usize = 200,
        /// No function grows beyond so many operations
        "max-operations" max_operations: usize = 20_000,
        /// Functions are canonicalized, callees before they are inlined
        "simplify" simplify: bool = true,
    }
}

/// Replaces calls by what they call.
#[derive(Default)]
pub struct Inline {
    /// Its options.
    pub options: InlineOptions,
}

impl Inline {
    /// Replaces calls, and leaves everything else as it is.
    pub fn calls_alone() -> Self {
        Self { options: InlineOptions { simplify: false, ..InlineOptions::default() } }
    }
}

impl Pass for Inline {
    fn name(&self) -> &'static str {
        "inline"
    }

    fn description(&self) -> &'static str {
        "replace calls of small functions by their bodies, callees first"
    }

    fn anchor(&self) -> Anchor {
        Anchor::Module
    }

    own_options!();

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("num-inlined", "Number of calls replaced"),
            ("num-dce'd", "Number of functions that nothing called any more"),
        ]
    }

    fn asks(&self) -> Vec<ServiceId> {
        vec![
            ServiceId::of::<dyn Calls>(),
            ServiceId::of::<dyn Inliner>(),
            ServiceId::of::<dyn Branches>(),
            ServiceId::of::<dyn Cost>(),
            ServiceId::of::<dyn Symbols>(),
        ]
    }

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let InlineOptions { max_callee_operations, max_operations, simplify } = self.options;
        let context = run.context();
        let canonicalizer = match simplify {
            true => Some(Canonicalizer::new(&context, CanonicalizeOptions::default())?),
            false => None,
        };
        let threading = run.threading();
        let body = run.module_mut().body_mut();
        let symbols = SymbolTable::of(body);
        let functions = callees_first(body, &symbols);
        let numbers = functions.iter().enumerate().map(|(at, function)| (function.op, at)).collect();
        let mut bodies: Vec<Body> = functions.iter().map(|function| take_body(body, function.op)).collect();
        // How large those of the finished functions are that may take the place of calls.
        let mut sizes: Vec<Option<usize>> = Vec::with_capacity(functions.len());
        let (mut inlined, mut said) = (0, Diagnostics::new());
        let driver = || canonicalizer.as_ref().map(Canonicalizer::driver);
        let mut own = driver();
        while let Some(first) = functions.get(sizes.len()) {
            let level = functions[sizes.len()..].iter().take_while(|function| function.level == first.level);
            let level: Vec<&Function> = level.collect();
            let (finished, open) = bodies.split_at_mut(sizes.len());
            let finished = Finished { symbols: &symbols, numbers: &numbers, bodies: finished, sizes: &sizes };
            let work = |driver: &mut Option<GreedyDriver<'_>>,
                        (function, inside): (&&Function, &mut Body)| {
                let inlined = finished.inline_into(inside, max_operations);
                let outcome = driver.as_mut().map(|driver| driver.run_nested(inside)).unwrap_or_default();
                let size = inside.walk().len();
                let small = function.callers == 1 && size <= max_operations / 2
                    || <dyn Cost>::of_body(inside) <= max_callee_operations;
                let fits = !function.recursive && small && ends_well(inside);
                (inlined, outcome.diagnostics, fits.then_some(size))
            };
            let done: Vec<_> = if threading && level.len() > 1 {
                level.par_iter().zip(&mut open[..level.len()]).map_init(driver, work).collect()
            } else {
                level.iter().zip(open).map(|function| work(&mut own, function)).collect()
            };
            for (count, diagnostics, size) in done {
                inlined += count;
                said.append(diagnostics);
                sizes.push(size);
            }
        }
        for (function, inside) in functions.iter().zip(bodies) {
            *body.nested_mut(function.op).expect(OWNER) = inside;
        }
        let is_defined = |op: OpRef<'_>| {
            op.nested().is_some_and(|body| body.regions().any(|region| !body.region(region).is_empty()))
        };
        let erased =
            erase_dead_symbols(body, true, |op| op.has_trait(Traits::FUNCTION_LIKE) && is_defined(op));
        run.count("num-inlined", inlined);
        run.count("num-dce'd", erased as u64);
        said.iter().for_each(|diagnostic| run.emit(diagnostic.clone()));
        Ok(())
    }
}

const OWNER: &str = "a function owns its body";

/// A function of the call graph.
struct Function {
    op: Op,
    /// Whether it can come back to itself.
    recursive: bool,
    /// From how many places it is called.
    callers: usize,
    /// How many calls of non-recursive functions are one inside the other at most. What it calls is on lower levels, or can
    /// come back to it.
    level: usize,
}

/// The functions with a body, by levels: callees first.
fn callees_first(body: &Body, symbols: &SymbolTable) -> Vec<Function> {
    let blocks = body.regions().flat_map(|region| body.region(region).blocks());
    let ops = blocks.flat_map(|block| body.block(block).ops());
    let is_function = |op: OpRef<'_>| op.has_trait(Traits::FUNCTION_LIKE) && op.nested().is_some();
    let functions: Vec<Op> = ops.filter(|&op| is_function(body.op(op))).collect();
    let mut graph: DiGraph<Op, ()> = DiGraph::new();
    let numbers: FxHashMap<Op, _> = functions.iter().map(|&op| (op, graph.add_node(op))).collect();
    for &op in &functions {
        let inside = body.nested(op).expect(OWNER);
        for call in inside.walk() {
            if let Some(&to) = callee(inside, call, symbols).and_then(|callee| numbers.get(&callee)) {
                graph.add_edge(numbers[&op], to, ());
            }
        }
    }
    let mut order: Vec<Function> = Vec::with_capacity(functions.len());
    let mut levels: Vec<Option<usize>> = vec![None; functions.len()];
    for component in kosaraju_scc(&graph) {
        // Those of the component itself have no level yet.
        let called = component.iter().flat_map(|&node| graph.neighbors(node));
        let level = called.filter_map(|callee| Some(levels[callee.index()]? + 1)).max().unwrap_or(0);
        for &node in &component {
            levels[node.index()] = Some(level);
            let callers = graph.edges_directed(node, petgraph::Direction::Incoming).count();
            let recursive = component.len() > 1 || graph.contains_edge(node, node);
            order.push(Function { op: graph[node], recursive, callers, level });
        }
    }
    order.sort_by_key(|function| function.level);
    order
}

/// Takes a function's body out, and leaves an empty one.
fn take_body(body: &mut Body, function: Op) -> Body {
    let empty = Body::new(body.context(), 0);
    std::mem::replace(body.nested_mut(function).expect(OWNER), empty)
}

/// The function of the module that an operation calls, when it may take the place of the call.
fn callee(body: &Body, op: Op, symbols: &SymbolTable) -> Option<Op> {
    let ctx = body.context();
    let view = body.op(op);
    if !ctx.service::<dyn Inliner>(view.kind())?.may_inline(view) {
        return None;
    }
    let symbol = ctx.service::<dyn Calls>(view.kind())?.callee(view)?;
    symbols.get(symbol.as_flat_symbol(ctx)?)
}

/// Whether a body can take the place of a call: it is one block that gives its values back, or several with a branch
/// among them that can be made to go anywhere.
fn ends_well(body: &Body) -> bool {
    let returns =
        |block: Block| body.block(block).last().is_some_and(|op| body.op(op).has_trait(Traits::RETURN_LIKE));
    let blocks: Vec<Block> = body.region(body.root(0)).blocks().collect();
    match blocks[..] {
        [] => false,
        [block] => returns(block),
        _ => blocks.iter().any(|&block| returns(block)) && branch_to(body, &blocks, blocks[0], &[]).is_some(),
    }
}

/// The operation that goes to a block, in the manner of a branch of these blocks.
fn branch_to(body: &Body, blocks: &[Block], to: Block, values: &[Value]) -> Option<minoan_ir::OpState> {
    let ctx = body.context();
    blocks.iter().find_map(|&block| {
        let last = body.op(body.block(block).last()?);
        ctx.service::<dyn Branches>(last.kind())?.unconditional_branch(last, to, values)
    })
}

/// Functions that are finished, by their numbers.
struct Finished<'a> {
    symbols: &'a SymbolTable,
    /// Those of all functions.
    numbers: &'a FxHashMap<Op, usize>,
    bodies: &'a [Body],
    sizes: &'a [Option<usize>],
}

impl<'a> Finished<'a> {
    /// The body that may take the place of a call, and its size.
    fn body_for(&self, caller: &Body, op: Op) -> Option<(&'a Body, usize)> {
        let &number = self.numbers.get(&callee(caller, op, self.symbols)?)?;
        let size = (*self.sizes.get(number)?)?;
        Some((&self.bodies[number], size))
    }

    /// Replaces the calls in a body, as long as it does not grow too large, and says how many.
    fn inline_into(&self, body: &mut Body, largest: usize) -> u64 {
        let ops = body.walk();
        let mut size = ops.len();
        let mut chosen: Vec<(Op, &Body, Place)> = Vec::new();
        for call in ops {
            if let Some((source, added)) = self.body_for(body, call)
                && size + added <= largest
                && let Some(place) = place_for(body, call, source)
            {
                size += added;
                chosen.push((call, source, place));
            }
        }
        // From the end on, so that what comes behind a call, which moves to a new block, is short.
        for (call, _, place) in chosen.iter_mut().rev() {
            if let Place::Between(after) = place {
                let next = body.op(*call).next().expect("a call does not end its block");
                *after = Some(body.split_block(next));
            }
        }
        for &(call, source, place) in &chosen {
            match place {
                Place::Block(block) => replace_by_block(body, call, source, block),
                Place::Between(after) => {
                    replace_by_blocks(body, call, source, after.expect("every block was cut"));
                }
            }
        }
        chosen.len() as u64
    }
}

/// Where a callee's body goes.
#[derive(Clone, Copy)]
enum Place {
    /// The operations of its one block take the place of the call.
    Block(Block),
    /// Its blocks go between the halves of the call's block; the second half, once it was cut off.
    Between(Option<Block>),
}

/// Where a callee's body goes that is to take the place of a call; `None` where that cannot be done.
fn place_for(body: &Body, call: Op, source: &Body) -> Option<Place> {
    let blocks: Vec<Block> = source.region(source.root(0)).blocks().collect();
    match blocks[..] {
        [block] => Some(Place::Block(block)),
        _ => body.op(call).parent().is_none().then_some(Place::Between(None)),
    }
}

fn replace_by_block(body: &mut Body, call: Op, source: &Body, block: Block) {
    let call_loc = body.op(call).loc();
    let mut mapping = Mapping::new();
    for (arg, operand) in source.block(block).args().zip(call_operands(body, call)) {
        mapping.map(arg, operand);
    }
    let mut results = Vec::new();
    for op in source.block(block).ops() {
        let view = source.op(op);
        if view.has_trait(Traits::RETURN_LIKE) {
            results = view.operands().map(|value| mapping.value(value)).collect();
        } else {
            let copy = body.clone_op_from(source, op, InsertionPoint::Before(call), &mut mapping);
            say_both_places(body, copy, call_loc);
        }
    }
    body.replace(call, &results);
}

/// The call's block was cut in two behind the call; the first half goes to the callee's first block, and what returned
/// goes to the second half, whose arguments are the results.
fn replace_by_blocks(body: &mut Body, call: Op, source: &Body, after: Block) {
    let (call_loc, operands) = (body.op(call).loc(), call_operands(body, call));
    let before = body.op(call).block().expect("a call is in a block");
    let region = body.block(after).region().expect("a block of the function");
    let results: Vec<Value> = body.op(call).results().collect();
    let types: Vec<Type> = results.iter().map(|&result| body.ty(result)).collect();
    let args: Vec<Value> = types.into_iter().map(|ty| body.add_arg(after, ty, call_loc)).collect();
    let count = source.region(source.root(0)).blocks().len();
    body.clone_region_from(source, source.root(0), region, &mut Mapping::new());
    let mut copies: Vec<Block> = body.region(region).blocks().rev().take(count).collect();
    copies.reverse();
    let ops: Vec<Op> = copies.iter().flat_map(|&block| body.block(block).ops()).collect();
    ops.into_iter().for_each(|op| say_both_places(body, op, call_loc));
    for &block in &copies {
        let last = body.block(block).last().expect("the callee is well formed");
        if body.op(last).has_trait(Traits::RETURN_LIKE) {
            let values: Vec<Value> = body.op(last).operands().collect();
            let state = branch_to(body, &copies, after, &values).expect("the callee has a branch");
            let loc = body.op(last).loc();
            body.create(&state.loc(loc), InsertionPoint::Before(last));
            body.erase(last);
        }
    }
    let state = branch_to(body, &copies, copies[0], &operands).expect("the callee has a branch");
    body.replace(call, &args);
    body.create(&state.loc(call_loc), InsertionPoint::End(before));
}

fn call_operands(body: &Body, call: Op) -> Vec<Value> {
    let view = body.op(call);
    let range = body.context().service::<dyn Calls>(view.kind()).map_or(0..0, |calls| calls.args(view));
    view.operands().skip(range.start).take(range.len()).collect()
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
