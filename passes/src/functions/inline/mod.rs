//! `inline`: replaces calls by the bodies of their callees.
//!
//! Functions are visited bottom-up by strongly connected components of the call graph, independent ones in parallel.
//! A call is inlined if the callee is not recursive, directly or indirectly, and is small or called only once. The
//! size is determined by the service [`Cost`]; a callee that is called twice may be twice as large. A callee with one block
//! replaces the call; one with several blocks is inserted between the halves of the call's block, if that is a block of the
//! function itself. The function is then canonicalized, as by `mlir-opt`'s pass, before it is inlined itself. Private functions
//! that become unused are erased. If an indirect call becomes a direct one because its callee is constant after inlining, the module
//! is visited again. Locations record the location in the callee and that of the call.
//!
//! A private function with one call becomes part of its caller. Calls of such functions in its own body are therefore left to the
//! caller: a chain of calls is copied once, at its head, instead of once for each of its functions.

mod callees;
mod graph;
mod replace;

use crate::canonicalize::{CanonicalizeOptions, Canonicalizer};
use crate::symbol_dce::erase_dead_symbols;
use callees::{Callee, Finished, Obstacle, ends_well, nests};
use graph::{Function, callees_first, top_level};
use minoan_diag::{Diagnostic, Diagnostics};
use minoan_ir::{Body, Context, Op, OpRef, SymbolTable, Traits};
use minoan_pass::{Anchor, Pass, PassRun, RemarkKind, are_worth_threads, own_options, pass_options, queries};
use minoan_rewrite::GreedyDriver;
use minoan_services::{Branches, Calls, Cost, Inliner, Symbols};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// The most rounds of inlining: a round exposes calls of functions that were passed as arguments. As upstream.
const MAX_ROUNDS: usize = 4;

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

    /// The canonicalizer that the option `default-pipeline` asks for.
    ///
    /// # Errors
    /// The option names another pass.
    fn canonicalizer(&self, ctx: &Context) -> Result<Option<Canonicalizer>, Diagnostics> {
        match self.options.default_pipeline.trim() {
            "" => Ok(None),
            CANONICALIZE => Ok(Some(Canonicalizer::new(ctx, CanonicalizeOptions::default())?)),
            other => {
                let message = format!("pass 'inline' cannot run '{other}' on functions");
                let help = "the option 'default-pipeline' is 'canonicalize' or empty; run other passes before 'inline'";
                Err(Diagnostic::error(message).help(help).into())
            }
        }
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

    queries!(Calls, Inliner, Branches, Cost, Symbols);

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let context = run.context();
        let canonicalizer = self.canonicalizer(&context)?;
        let (threading, explains) = (run.threading(), run.wants_remarks());
        let body = run.module_mut().body_mut();
        let mut reports = vec![resolve_indirect_calls(body, canonicalizer.as_ref())];
        let mut erased = 0;
        for _ in 0..MAX_ROUNDS {
            let symbols = SymbolTable::of(body);
            let functions = callees_first(body, &symbols);
            let mut inliner = ModuleInliner {
                options: &self.options,
                canonicalizer: canonicalizer.as_ref(),
                symbols: &symbols,
                functions: &functions,
                numbers: functions.iter().enumerate().map(|(at, function)| (function.op, at)).collect(),
                callees: Vec::with_capacity(functions.len()),
                report: Report::default(),
                threading,
                explains,
            };
            inliner.inline_levels(body);
            erased += erase_unused(body) + inliner.inline_chains(body);
            let resolved = inliner.report.resolved;
            reports.push(inliner.report);
            if !resolved {
                break;
            }
        }
        for Report { inlined, diagnostics, remarks, resolved: _ } in reports {
            run.count("num-inlined", inlined.len() as u64);
            diagnostics.iter().for_each(|diagnostic| run.emit(diagnostic.clone()));
            remarks.into_iter().for_each(|(kind, remark)| run.remark(kind, remark));
        }
        run.count("num-dce'd", erased as u64);
        Ok(())
    }
}

/// Canonicalizes the functions with indirect calls, so that calls of constant functions are in the call graph.
fn resolve_indirect_calls(body: &mut Body, canonicalizer: Option<&Canonicalizer>) -> Report {
    let mut report = Report::default();
    let mut driver = canonicalizer.map(Canonicalizer::driver);
    for function in top_level(body).collect::<Vec<Op>>() {
        let view = body.op(function);
        let calls = view.has_trait(Traits::FUNCTION_LIKE)
            && view.nested().is_some_and(|inside| n_indirect_calls(inside) > 0);
        if calls && driver.is_some() {
            report.simplify(&mut driver, body.nested_mut(function).expect(OWNER));
        }
    }
    report
}

/// The number of calls of unknown functions.
fn n_indirect_calls(body: &Body) -> usize {
    let Some(calls) = body.context().service_table::<dyn Calls>() else { return 0 };
    let is_indirect = |&op: &Op| {
        let view = body.op(op);
        calls.get(view.kind()).is_some_and(|call| call.callee(view).is_none())
    };
    body.walk().into_iter().filter(is_indirect).count()
}

/// The state of the pass on a module.
struct ModuleInliner<'a> {
    options: &'a InlineOptions,
    canonicalizer: Option<&'a Canonicalizer>,
    symbols: &'a SymbolTable,
    functions: &'a [Function],
    /// The indices of the functions.
    numbers: FxHashMap<Op, usize>,
    /// For each function that is finished, the callee, or the obstacle to inlining it.
    callees: Vec<Result<Callee, Obstacle>>,
    report: Report,
    threading: bool,
    /// Whether remarks are wanted.
    explains: bool,
}

impl<'a> ModuleInliner<'a> {
    fn driver(&self) -> Option<GreedyDriver<'a>> {
        self.canonicalizer.map(Canonicalizer::driver)
    }

    /// Inlines calls in all functions by levels, callees first, the functions of one level in parallel.
    fn inline_levels(&mut self, body: &mut Body) {
        let mut bodies = self.take_bodies(body);
        let mut own = self.driver();
        while let Some(first) = self.functions.get(self.callees.len()) {
            let rest = &self.functions[self.callees.len()..];
            let count = rest.iter().take_while(|function| function.level == first.level).count();
            let level = &rest[..count];
            let (finished, open) = bodies.split_at_mut(self.callees.len());
            let finished = self.finished(finished, self.explains);
            let work = |driver: &mut Option<GreedyDriver<'_>>, (function, inside): (&Function, &mut Body)| {
                self.inline_into(&finished, driver, function, inside)
            };
            let done: Vec<_> = if self.threading && are_worth_threads(&open[..count]) {
                let driver = || self.driver();
                level.par_iter().zip(&mut open[..count]).map_init(driver, work).collect()
            } else {
                level.iter().zip(open).map(|function| work(&mut own, function)).collect()
            };
            for (report, callee) in done {
                self.report.append(report);
                self.callees.push(callee);
            }
        }
        put_back(body, self.functions, bodies);
    }

    /// Inlines calls in a function, and decides whether it can be inlined itself.
    fn inline_into(
        &self,
        finished: &Finished<'_>,
        driver: &mut Option<GreedyDriver<'_>>,
        function: &Function,
        inside: &mut Body,
    ) -> (Report, Result<Callee, Obstacle>) {
        let max_operations = self.options.max_operations;
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
            Callee { size: inside.walk().len(), nests: nests(inside), postpones: false, once: false }
        });
        if callee.postpones && self.explains {
            finished.report_postponed(inside, &mut report);
        }
        let callee = match self.obstacle(function, inside, callee.size) {
            Some(obstacle) => Err(obstacle),
            None => Ok(Callee { once: function.once, ..callee }),
        };
        (report, callee)
    }

    /// The reason not to inline a function of this size with this body.
    fn obstacle(&self, function: &Function, inside: &Body, size: usize) -> Option<Obstacle> {
        let InlineOptions { max_callee_operations, max_operations, .. } = *self.options;
        if function.stays {
            return Some(Obstacle::Forbidden);
        }
        if function.recursive {
            return Some(Obstacle::Recursive);
        }
        let called_once = function.callers == 1 && size <= max_operations / 2;
        let cost = if called_once { 0 } else { <dyn Cost>::of_body(inside) };
        // A private function with two callers is erased after inlining, so code size grows by one copy only.
        let limit = max_callee_operations.saturating_mul(if function.callers == 2 { 2 } else { 1 });
        if cost > limit {
            return Some(Obstacle::Large { cost, limit });
        }
        (!ends_well(inside)).then_some(Obstacle::NoReturn)
    }

    /// Inlines the postponed calls of private functions that were to become part of their only caller but remain, outermost
    /// caller first. Returns the number of functions that are erased because all calls of them are inlined.
    fn inline_chains(&mut self, body: &mut Body) -> usize {
        let mut driver = self.driver();
        let mut erased = 0;
        // A function that is inlined here may have other uses, and then remains as well.
        loop {
            let remains = |&at: &usize| {
                body.contains(self.functions[at].op) && self.callees[at].is_ok_and(|callee| callee.postpones)
            };
            let heads: Vec<usize> = (0..self.functions.len()).rev().filter(remains).collect();
            if heads.is_empty() {
                return erased;
            }
            let mut bodies = self.take_bodies(body);
            let mut inlined = FxHashSet::default();
            for at in heads {
                if inlined.contains(&at) {
                    continue;
                }
                let mut inside = std::mem::replace(&mut bodies[at], Body::new(body.context(), 0));
                let mut report = Report::default();
                self.finished(&bodies, false).inline_postponed(&mut inside, &mut report);
                inlined.extend(report.inlined.iter().copied());
                report.simplify(&mut driver, &mut inside);
                self.report.append(report);
                bodies[at] = inside;
                if let Ok(callee) = &mut self.callees[at] {
                    callee.postpones = false;
                }
            }
            put_back(body, self.functions, bodies);
            erased += erase_unused(body);
        }
    }

    /// The functions that are finished, with their bodies.
    fn finished<'b>(&'b self, bodies: &'b [Body], explains: bool) -> Finished<'b> {
        let Self { symbols, numbers, callees, .. } = self;
        Finished { symbols, numbers, bodies, callees, explains }
    }

    /// Takes the bodies of all functions.
    fn take_bodies(&self, body: &mut Body) -> Vec<Body> {
        self.functions.iter().map(|function| take_body(body, function.op)).collect()
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
    /// Whether indirect calls became direct ones, or disappeared.
    resolved: bool,
}

impl Report {
    fn append(&mut self, other: Report) {
        self.inlined.extend(other.inlined);
        self.diagnostics.append(other.diagnostics);
        self.remarks.extend(other.remarks);
        self.resolved |= other.resolved;
    }

    /// Canonicalizes a body.
    fn simplify(&mut self, driver: &mut Option<GreedyDriver<'_>>, body: &mut Body) {
        let Some(driver) = driver else { return };
        let before = n_indirect_calls(body);
        let outcome = driver.run_nested(body);
        self.diagnostics.append(outcome.diagnostics);
        self.resolved |= before > 0 && n_indirect_calls(body) < before;
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

/// Restores the bodies of the functions that are not erased.
fn put_back(body: &mut Body, functions: &[Function], bodies: Vec<Body>) {
    for (function, inside) in functions.iter().zip(bodies) {
        if body.contains(function.op) {
            *body.nested_mut(function.op).expect(OWNER) = inside;
        }
    }
}
