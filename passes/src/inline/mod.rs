//! `inline`: replaces calls by the bodies of their callees.
//!
//! Functions are visited bottom-up by strongly connected components of the call graph, independent ones in parallel.
//! A call is inlined if the callee is not recursive, directly or indirectly, and is small or called only once. The
//! size is determined by the service [`Cost`]; a callee that is called twice may be twice as large. A callee with one block
//! replaces the call; one with several blocks is inserted between the halves of the call's block, if that is a block of the
//! function itself. The function is then canonicalized, as by `mlir-opt`'s pass, before it is inlined itself. Private functions
//! that become unused are erased. Locations record the location in the callee and that of the call.
//!
//! A private function with one call is going to be part of its caller, and leaves the calls of such functions in its own body to
//! it: a chain of calls is copied once, at its head, instead of once for each of its functions.

mod graph;
mod replace;

use crate::canonicalize::{CanonicalizeOptions, Canonicalizer};
use crate::symbol_dce::erase_dead_symbols;
use graph::{Function, callee, callees_first};
use minoan_diag::{Diagnostic, Diagnostics};
use minoan_ir::{Block, Body, Op, OpRef, ServiceId, SymbolTable, Traits};
use minoan_pass::{Anchor, Pass, PassRun, RemarkKind, own_options, pass_options};
use minoan_rewrite::GreedyDriver;
use minoan_services::{Branches, Calls, Cost, Inliner, Symbols};
use rayon::prelude::*;
use replace::{Place, branch_to, replace_by_block, replace_by_blocks};
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
        let mut callees: Vec<Result<Callee, Obstacle>> = Vec::with_capacity(functions.len());
        let mut report = Report::default();
        let driver = || canonicalizer.as_ref().map(Canonicalizer::driver);
        let mut own = driver();
        while let Some(first) = functions.get(callees.len()) {
            let level =
                functions[callees.len()..].iter().take_while(|function| function.level == first.level);
            let level: Vec<&Function> = level.collect();
            let (finished, open) = bodies.split_at_mut(callees.len());
            let finished = Finished {
                symbols: &symbols,
                numbers: &numbers,
                bodies: finished,
                callees: &callees,
                explains,
            };
            let work = |driver: &mut Option<GreedyDriver<'_>>,
                        (function, inside): (&&Function, &mut Body)| {
                let mut report = Report::default();
                let mut callee = None;
                if function.once {
                    finished.inline_into(inside, max_operations, true, &mut report);
                    report.simplify(driver, inside);
                    callee = Some(finished.with_postponed(inside))
                        .filter(|callee| callee.size <= max_operations / 2 && ends_well(inside));
                }
                let callee = callee.unwrap_or_else(|| {
                    report.remarks.retain(|(kind, _)| *kind == RemarkKind::Passed);
                    finished.inline_into(inside, max_operations, false, &mut report);
                    report.simplify(driver, inside);
                    let (size, blocks) = (inside.walk().len(), block_count(inside));
                    Callee { size, is_block: blocks == 1, postpones: false, once: false }
                });
                if callee.postpones && explains {
                    finished.report_postponed(inside, &mut report);
                }
                let called_once = function.callers == 1 && callee.size <= max_operations / 2;
                // A private function with two callers is erased after inlining, so code size grows by one copy only.
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
                    Ok(Callee { once: function.once, ..callee })
                };
                (report, fits)
            };
            let done: Vec<_> = if threading && level.len() > 1 {
                level.par_iter().zip(&mut open[..level.len()]).map_init(driver, work).collect()
            } else {
                level.iter().zip(open).map(|function| work(&mut own, function)).collect()
            };
            for (found, callee) in done {
                report.append(found);
                callees.push(callee);
            }
        }
        put_back(body, &functions, bodies);
        let mut erased = erase_unused(body);
        // Functions that stay although they were to be part of their callers, the heads of chains first. What they inline may be
        // used elsewhere, and stay as well.
        loop {
            let stays = |&at: &usize| {
                body.contains(functions[at].op) && callees[at].is_ok_and(|callee| callee.postpones)
            };
            let heads: Vec<usize> = (0..functions.len()).rev().filter(stays).collect();
            if heads.is_empty() {
                break;
            }
            let mut bodies: Vec<Body> =
                functions.iter().map(|function| take_body(body, function.op)).collect();
            let mut moved = FxHashSet::default();
            for at in heads {
                if moved.contains(&at) {
                    continue;
                }
                let mut inside = std::mem::replace(&mut bodies[at], Body::new(&context, 0));
                let finished = Finished {
                    symbols: &symbols,
                    numbers: &numbers,
                    bodies: &bodies,
                    callees: &callees,
                    explains: false,
                };
                let before = report.inlined.len();
                finished.inline_postponed(&mut inside, &mut report);
                moved.extend(report.inlined[before..].iter().copied());
                report.simplify(&mut own, &mut inside);
                bodies[at] = inside;
                if let Ok(callee) = &mut callees[at] {
                    callee.postpones = false;
                }
            }
            put_back(body, &functions, bodies);
            erased += erase_unused(body);
        }
        run.count("num-inlined", report.inlined.len() as u64);
        run.count("num-dce'd", erased as u64);
        report.diagnostics.iter().for_each(|diagnostic| run.emit(diagnostic.clone()));
        report.remarks.into_iter().for_each(|(kind, remark)| run.remark(kind, remark));
        Ok(())
    }
}

/// Erases private functions without uses; returns their number.
fn erase_unused(body: &mut Body) -> usize {
    let is_defined = |op: OpRef<'_>| {
        op.nested().is_some_and(|body| body.regions().any(|region| !body.region(region).is_empty()))
    };
    erase_dead_symbols(body, true, |op| op.has_trait(Traits::FUNCTION_LIKE) && is_defined(op))
}

/// The actions on one function, or all.
#[derive(Default)]
struct Report {
    /// The number of the callee for each inlined call.
    inlined: Vec<usize>,
    diagnostics: Diagnostics,
    remarks: Vec<(RemarkKind, Diagnostic)>,
}

impl Report {
    fn append(&mut self, other: Report) {
        self.inlined.extend(other.inlined);
        self.diagnostics.append(other.diagnostics);
        self.remarks.extend(other.remarks);
    }

    /// Canonicalizes a body.
    fn simplify(&mut self, driver: &mut Option<GreedyDriver<'_>>, body: &mut Body) {
        let outcome = driver.as_mut().map(|driver| driver.run_nested(body)).unwrap_or_default();
        self.diagnostics.append(outcome.diagnostics);
    }
}

const OWNER: &str = "a function owns its body";

/// Takes the body of a function and leaves an empty one; an empty one if the function is erased.
fn take_body(body: &mut Body, function: Op) -> Body {
    let empty = Body::new(body.context(), 0);
    match body.contains(function) {
        true => std::mem::replace(body.nested_mut(function).expect(OWNER), empty),
        false => empty,
    }
}

/// Gives the functions that are not erased their bodies back.
fn put_back(body: &mut Body, functions: &[Function], bodies: Vec<Body>) {
    for (function, inside) in functions.iter().zip(bodies) {
        if body.contains(function.op) {
            *body.nested_mut(function.op).expect(OWNER) = inside;
        }
    }
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

/// A function that can be inlined.
#[derive(Clone, Copy)]
struct Callee {
    /// The number of operations, with those of the calls that it postpones.
    size: usize,
    /// Whether it is a single block, after all postponed calls are inlined.
    is_block: bool,
    /// Whether it has calls that are inlined together with it.
    postpones: bool,
    /// Whether it is private and has one call.
    once: bool,
}

/// Finished functions.
struct Finished<'a> {
    symbols: &'a SymbolTable,
    /// The indices of all functions.
    numbers: &'a FxHashMap<Op, usize>,
    bodies: &'a [Body],
    /// For each function, the callee, or the obstacle to inlining it.
    callees: &'a [Result<Callee, Obstacle>],
    /// Whether remarks are wanted.
    explains: bool,
}

impl<'a> Finished<'a> {
    /// The callee to inline for a call, with its number, or the obstacle; `None` if it is not a call of a function with a
    /// body.
    fn callee(&self, caller: &Body, op: Op) -> Option<Result<(usize, Callee), Obstacle>> {
        let &number = self.numbers.get(&callee(caller, op, self.symbols)?)?;
        // A function that is not finished calls the caller.
        let found = self.callees.get(number).copied().unwrap_or(Err(Obstacle::Recursive));
        Some(found.map(|callee| (number, callee)))
    }

    /// The callee of a call that a function which postpones calls leaves to its caller.
    fn postponed(&self, body: &Body, call: Op) -> Option<(usize, Callee)> {
        let found = self.callee(body, call)?.ok()?;
        (found.1.once && has_place(body, call, found.1)).then_some(found)
    }

    /// A function of which calls were postponed.
    fn with_postponed(&self, body: &Body) -> Callee {
        let ops = body.walk();
        let is_block = block_count(body) == 1;
        let mut whole = Callee { size: ops.len(), is_block, postpones: false, once: true };
        for (_, callee) in ops.into_iter().filter_map(|call| self.postponed(body, call)) {
            whole.size += callee.size;
            whole.is_block &= callee.is_block;
            whole.postpones = true;
        }
        whole
    }

    /// Adds the remarks for postponed calls.
    fn report_postponed(&self, body: &Body, report: &mut Report) {
        for call in body.walk() {
            if let Some((_, callee)) = self.postponed(body, call) {
                report.remarks.push(remark(body, call, Ok(callee.size)));
            }
        }
    }

    /// Inlines the calls in a body up to a size limit, except those to postpone if `postpones`.
    fn inline_into(&self, body: &mut Body, largest: usize, postpones: bool, report: &mut Report) {
        let ops = body.walk();
        let mut size = ops.len();
        let mut chosen: Vec<(Op, usize)> = Vec::new();
        for call in ops {
            let Some(found) = self.callee(body, call) else { continue };
            if postpones && self.postponed(body, call).is_some() {
                continue;
            }
            let decided = found.map_err(|obstacle| obstacle.to_string()).and_then(|(number, callee)| {
                let sum = size + callee.size;
                if sum > largest {
                    return Err(format!("the caller would have {sum} operations, the limit is {largest}"));
                }
                if has_place(body, call, callee) {
                    return Ok((number, callee.size));
                }
                Err("it has several blocks, and the call is nested in another operation".to_owned())
            });
            if self.explains {
                report.remarks.push(remark(body, call, decided.as_ref().map(|&(_, added)| added)));
            }
            if let Ok((number, added)) = decided {
                size += added;
                chosen.push((call, number));
            }
        }
        self.replace(body, chosen, report);
    }

    /// Inlines the calls that a body postponed.
    fn inline_postponed(&self, body: &mut Body, report: &mut Report) {
        let find = |call| Some((call, self.postponed(body, call)?.0));
        let chosen = body.walk().into_iter().filter_map(find).collect();
        self.replace(body, chosen, report);
    }

    /// Replaces calls by the bodies of the callees with these numbers, and then the calls that those postponed.
    fn replace(&self, body: &mut Body, mut chosen: Vec<(Op, usize)>, report: &mut Report) {
        while !chosen.is_empty() {
            report.inlined.extend(chosen.iter().map(|&(_, number)| number));
            let mut places: Vec<Place> = Vec::with_capacity(chosen.len());
            // From the end, so that the part of a block after a call, which moves to a new block, is short.
            for &(call, number) in chosen.iter().rev() {
                places.push(match only_block(&self.bodies[number]) {
                    Some(block) => Place::Block(block),
                    None => {
                        let next = body.op(call).next().expect("a call does not end its block");
                        Place::Between(body.split_block(next))
                    }
                });
            }
            let mut copies: Vec<Op> = Vec::new();
            for (&(call, number), place) in chosen.iter().zip(places.into_iter().rev()) {
                let source = &self.bodies[number];
                let copied = match place {
                    Place::Block(block) => replace_by_block(body, call, source, block),
                    Place::Between(after) => replace_by_blocks(body, call, source, after),
                };
                if self.callees[number].is_ok_and(|callee| callee.postpones) {
                    copies.extend(copied);
                }
            }
            let postponed = |call| Some((call, self.postponed(body, call)?.0));
            chosen = with_nested(body, copies).into_iter().filter_map(postponed).collect();
        }
    }
}

/// Operations, each followed by those in its regions, in order.
fn with_nested(body: &Body, roots: Vec<Op>) -> Vec<Op> {
    let (mut ops, mut pending) = (Vec::with_capacity(roots.len()), roots);
    pending.reverse();
    while let Some(op) = pending.pop() {
        ops.push(op);
        let from = pending.len();
        let blocks = body.op(op).own_regions().flat_map(|region| body.region(region).blocks());
        pending.extend(blocks.flat_map(|block| body.block(block).ops()));
        pending[from..].reverse();
    }
    ops
}

/// The number of blocks of a function.
fn block_count(body: &Body) -> usize {
    body.region(body.root(0)).blocks().take(2).count()
}

/// The block of a function that has one.
fn only_block(body: &Body) -> Option<Block> {
    let mut blocks = body.region(body.root(0)).blocks();
    blocks.next().filter(|_| blocks.next().is_none())
}

/// Whether a callee can replace a call: several blocks need a call in a block of the function itself.
fn has_place(body: &Body, call: Op, callee: Callee) -> bool {
    callee.is_block || body.op(call).parent().is_none()
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
