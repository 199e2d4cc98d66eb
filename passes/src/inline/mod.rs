//! `inline`: replaces calls by the bodies of their callees.
//!
//! Functions are visited bottom-up by strongly connected components of the call graph, independent ones in parallel.
//! A call is inlined if the callee is not recursive, directly or indirectly, and is small or called only once. The
//! size is determined by the service [`Cost`]; a callee that is called twice may be twice as large. A callee with one block replaces the call; one with several blocks is
//! inserted between the halves of the call's block, if that is a block of the function itself. The function is then
//! canonicalized, as by `mlir-opt`'s pass, before it is inlined itself. Private functions that become unused are
//! erased. Locations record the location in the callee and that of the call.

use crate::canonicalize::{CanonicalizeOptions, Canonicalizer};
use crate::symbol_dce::erase_dead_symbols;
use minoan_diag::{Diagnostic, Diagnostics};
use minoan_ir::{
    Block, Body, InsertionPoint, Loc, Mapping, Op, OpRef, ServiceId, SymbolTable, Traits, Type, Value,
};
use minoan_pass::{Anchor, Pass, PassRun, RemarkKind, own_options, pass_options};
use minoan_rewrite::GreedyDriver;
use minoan_services::{Branches, Calls, Cost, DiffOps, Inliner, Symbols};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// The default value of the option `default-pipeline`, as upstream.
const CANONICALIZE: &str = "canonicalize";

pass_options! {
    /// The options of the pass.
    pub struct InlineOptions {
        /// Inline callees up to this size at every call, in instructions; twice the size if there are two calls
        "max-callee-operations" max_callee_operations: usize = 200,
        /// Limit on the size of a function, in operations
        "max-operations" max_operations: usize = 20_000,
        /// The pass that simplifies functions before they are inlined into their callers: canonicalize, or empty for none
        "default-pipeline" default_pipeline: String = CANONICALIZE.to_owned(),
    }
}

/// Inlines calls.
#[derive(Default)]
pub struct Inline {
    /// The options of this pass.
    pub options: InlineOptions,
}

impl Inline {
    /// Inlines calls without canonicalization.
    pub fn calls_alone() -> Self {
        Self { options: InlineOptions { default_pipeline: String::new(), ..InlineOptions::default() } }
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
        &[("num-inlined", "Number of calls inlined"), ("num-dce'd", "Number of unused functions erased")]
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
        let InlineOptions { max_callee_operations, max_operations, ref default_pipeline } = self.options;
        let context = run.context();
        let canonicalizer = match default_pipeline.trim() {
            "" => None,
            CANONICALIZE => Some(Canonicalizer::new(&context, CanonicalizeOptions::default())?),
            other => {
                let message = format!("pass 'inline' cannot run '{other}' on functions");
                let help = "the option 'default-pipeline' is 'canonicalize' or empty; run other passes before 'inline'";
                return Err(Diagnostic::error(message).help(help).into());
            }
        };
        let (threading, explains) = (run.threading(), run.wants_remarks());
        let body = run.module_mut().body_mut();
        let symbols = SymbolTable::of(body);
        let functions = callees_first(body, &symbols);
        let numbers = functions.iter().enumerate().map(|(at, function)| (function.op, at)).collect();
        let mut bodies: Vec<Body> = functions.iter().map(|function| take_body(body, function.op)).collect();
        let mut sizes: Vec<Result<usize, Obstacle>> = Vec::with_capacity(functions.len());
        let (mut inlined, mut said, mut remarks) = (0, Diagnostics::new(), Vec::new());
        let driver = || canonicalizer.as_ref().map(Canonicalizer::driver);
        let mut own = driver();
        while let Some(first) = functions.get(sizes.len()) {
            let level = functions[sizes.len()..].iter().take_while(|function| function.level == first.level);
            let level: Vec<&Function> = level.collect();
            let (finished, open) = bodies.split_at_mut(sizes.len());
            let finished =
                Finished { symbols: &symbols, numbers: &numbers, bodies: finished, sizes: &sizes, explains };
            let work = |driver: &mut Option<GreedyDriver<'_>>,
                        (function, inside): (&&Function, &mut Body)| {
                let inlined = finished.inline_into(inside, max_operations);
                let outcome = driver.as_mut().map(|driver| driver.run_nested(inside)).unwrap_or_default();
                let size = inside.walk().len();
                let called_once = function.callers == 1 && size <= max_operations / 2;
                // One of two copies takes the place of a private function, so the code grows by one.
                let limit = max_callee_operations.saturating_mul(if function.callers == 2 { 2 } else { 1 });
                let cost = if called_once { 0 } else { <dyn Cost>::of_body(inside) };
                let fits = if function.stays {
                    Err(Obstacle::Forbidden)
                } else if function.recursive {
                    Err(Obstacle::Recursive)
                } else if cost > limit {
                    Err(Obstacle::Large { cost, limit })
                } else if !ends_well(inside) {
                    Err(Obstacle::NoReturn)
                } else {
                    Ok(size)
                };
                (inlined, outcome.diagnostics, fits)
            };
            let done: Vec<_> = if threading && level.len() > 1 {
                level.par_iter().zip(&mut open[..level.len()]).map_init(driver, work).collect()
            } else {
                level.iter().zip(open).map(|function| work(&mut own, function)).collect()
            };
            for ((count, found), diagnostics, size) in done {
                inlined += count;
                remarks.extend(found);
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
        remarks.into_iter().for_each(|(kind, remark)| run.remark(kind, remark));
        Ok(())
    }
}

const OWNER: &str = "a function owns its body";

/// A node of the call graph.
struct Function {
    op: Op,
    /// Whether the function is recursive.
    recursive: bool,
    /// Whether its dialect forbids that calls of it are inlined.
    stays: bool,
    /// The number of call sites.
    callers: usize,
    /// The length of the longest chain of non-recursive calls from it. Its callees are on lower levels, or in the
    /// same component.
    level: usize,
}

/// The functions with a body, by levels, callees first.
fn callees_first(body: &Body, symbols: &SymbolTable) -> Vec<Function> {
    let is_function = |op: OpRef<'_>| op.has_trait(Traits::FUNCTION_LIKE) && op.nested().is_some();
    let functions: Vec<Op> = top_level(body).filter(|&op| is_function(body.op(op))).collect();
    // A function with a derivative of its own must not disappear before its callers are differentiated.
    let derivatives = <dyn DiffOps>::any(body.context());
    let rules = top_level(body).filter_map(|op| Some(derivatives?.rule(body.op(op))?.of));
    let has_rule: FxHashSet<Op> = rules.filter_map(|of| symbols.get(of)).collect();
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
        // Functions of the same component have no level yet.
        let called = component.iter().flat_map(|&node| graph.neighbors(node));
        let level = called.filter_map(|callee| Some(levels[callee.index()]? + 1)).max().unwrap_or(0);
        for &node in &component {
            levels[node.index()] = Some(level);
            let callers = graph.edges_directed(node, petgraph::Direction::Incoming).count();
            let recursive = component.len() > 1 || graph.contains_edge(node, node);
            let view = body.op(graph[node]);
            let inliner = body.context().service::<dyn Inliner>(view.kind());
            let stays = inliner.is_some_and(|inliner| !inliner.is_legal_to_inline(view))
                || has_rule.contains(&graph[node]);
            order.push(Function { op: graph[node], recursive, stays, callers, level });
        }
    }
    order.sort_by_key(|function| function.level);
    order
}

/// The operations at the top level of a module.
fn top_level(body: &Body) -> impl Iterator<Item = Op> + '_ {
    let blocks = body.regions().flat_map(|region| body.region(region).blocks());
    blocks.flat_map(|block| body.block(block).ops())
}

/// Takes the body of a function and leaves an empty one.
fn take_body(body: &mut Body, function: Op) -> Body {
    let empty = Body::new(body.context(), 0);
    std::mem::replace(body.nested_mut(function).expect(OWNER), empty)
}

/// The callee of an operation, if it can be inlined.
fn callee(body: &Body, op: Op, symbols: &SymbolTable) -> Option<Op> {
    let ctx = body.context();
    let view = body.op(op);
    if !ctx.service::<dyn Inliner>(view.kind())?.is_legal_to_inline(view) {
        return None;
    }
    let symbol = ctx.service::<dyn Calls>(view.kind())?.callee(view)?;
    symbols.get(symbol.as_flat_symbol(ctx)?)
}

/// Whether a body can be inlined: it is a single block with a return, or several blocks with a branch that can be
/// retargeted.
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

/// Creates an unconditional branch like those of the given blocks.
fn branch_to(body: &Body, blocks: &[Block], to: Block, values: &[Value]) -> Option<minoan_ir::OpState> {
    let ctx = body.context();
    blocks.iter().find_map(|&block| {
        let last = body.op(body.block(block).last()?);
        ctx.service::<dyn Branches>(last.kind())?.unconditional_branch(last, to, values)
    })
}

/// The reason why a function is never inlined.
#[derive(Clone, Copy)]
enum Obstacle {
    /// It is marked, as by `no_inline`.
    Forbidden,
    /// It calls itself, directly or indirectly.
    Recursive,
    /// It costs more than the limit and is called more than once.
    Large {
        /// The cost in instructions.
        cost: usize,
        /// The limit.
        limit: usize,
    },
    /// It does not end with a return, or its blocks do not.
    NoReturn,
}

impl std::fmt::Display for Obstacle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Obstacle::Forbidden => f.write_str("it is marked as not to be inlined"),
            Obstacle::Recursive => f.write_str("it is recursive"),
            Obstacle::Large { cost, limit } => {
                write!(
                    f,
                    "its cost is {cost} instructions, the limit is {limit}, and it is called more than once"
                )
            }
            Obstacle::NoReturn => f.write_str("it does not end with a return"),
        }
    }
}

/// Finished functions.
struct Finished<'a> {
    symbols: &'a SymbolTable,
    /// The indices of all functions.
    numbers: &'a FxHashMap<Op, usize>,
    bodies: &'a [Body],
    /// The sizes of those that can be inlined.
    sizes: &'a [Result<usize, Obstacle>],
    /// Whether remarks are wanted.
    explains: bool,
}

impl<'a> Finished<'a> {
    /// The body to inline for a call, with its size, or the obstacle; `None` if it is not a call of a function with a
    /// body.
    fn body_for(&self, caller: &Body, op: Op) -> Option<Result<(&'a Body, usize), Obstacle>> {
        let &number = self.numbers.get(&callee(caller, op, self.symbols)?)?;
        // A function that is not finished calls the caller.
        let size = self.sizes.get(number).copied().unwrap_or(Err(Obstacle::Recursive));
        Some(size.map(|size| (&self.bodies[number], size)))
    }

    /// Inlines the calls in a body up to a size limit; returns their number, and remarks if they are wanted.
    fn inline_into(&self, body: &mut Body, largest: usize) -> (u64, Vec<(RemarkKind, Diagnostic)>) {
        let ops = body.walk();
        let mut size = ops.len();
        let mut chosen: Vec<(Op, &Body, Place)> = Vec::new();
        let mut remarks = Vec::new();
        for call in ops {
            let Some(found) = self.body_for(body, call) else { continue };
            let decided = found.map_err(|obstacle| obstacle.to_string()).and_then(|(source, added)| {
                if size + added > largest {
                    return Err(format!(
                        "the caller would have {} operations, the limit is {largest}",
                        size + added
                    ));
                }
                let place = place_for(body, call, source);
                place.map(|place| (source, added, place)).ok_or_else(|| {
                    "it has several blocks, and the call is nested in another operation".to_owned()
                })
            });
            if self.explains {
                remarks.push(remark(body, call, decided.as_ref().map(|&(_, added, _)| added)));
            }
            if let Ok((source, added, place)) = decided {
                size += added;
                chosen.push((call, source, place));
            }
        }
        // From the end, so that the part of a block after a call, which moves to a new block, is short.
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
        (chosen.len() as u64, remarks)
    }
}

/// The remark for a call: the size of the inlined callee, or why it is not inlined.
fn remark(body: &Body, call: Op, decided: Result<usize, &String>) -> (RemarkKind, Diagnostic) {
    let view = body.op(call);
    let ctx = body.context();
    let callee = ctx.service::<dyn Calls>(view.kind()).and_then(|calls| calls.callee(view));
    let name = callee.and_then(|symbol| symbol.as_flat_symbol(ctx)).map_or("", |name| name.as_str(ctx));
    let (kind, message) = match decided {
        Ok(size) => (RemarkKind::Passed, format!("'@{name}' is inlined: {size} operations")),
        Err(reason) => (RemarkKind::Missed, format!("'@{name}' is not inlined: {reason}")),
    };
    (kind, Diagnostic::remark(message).at(view.loc().place(ctx)))
}

/// The position for a callee's body.
#[derive(Clone, Copy)]
enum Place {
    /// Replaces the call by the operations of its single block.
    Block(Block),
    /// Inserts its blocks between the halves of the call's block; holds the second half once it is split.
    Between(Option<Block>),
}

/// The position for the body of a callee; `None` if it cannot be inlined.
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
            add_call_locations(body, copy, call_loc);
        }
    }
    body.replace(call, &results);
}

/// Inserts the callee's blocks after the call's block has been split: the first half branches to the entry block, and
/// returns branch to the second half, whose arguments replace the results.
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
    ops.into_iter().for_each(|op| add_call_locations(body, op, call_loc));
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

/// Sets call site locations on an operation and everything in it.
fn add_call_locations(body: &mut Body, op: Op, call: Loc) {
    let ctx = body.context().clone();
    let mut pending = vec![op];
    while let Some(op) = pending.pop() {
        let loc = Loc::call_site(&ctx, body.op(op).loc(), call);
        body.set_loc(op, loc);
        let regions: Vec<_> = body.op(op).own_regions().collect();
        for block in regions.into_iter().flat_map(|region| body.region(region).blocks().collect::<Vec<_>>()) {
            pending.extend(body.block(block).ops());
        }
    }
}
