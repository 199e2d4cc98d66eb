//! Differential testing of pipelines: compares what a module computes before and after.

use crate::{Choices, Plan, values};
use minoan_diag::{Diagnostic, Diagnostics, FileId, Place, SourceMap};
use minoan_interp::Interpreter;
use minoan_ir::text::{ParseOptions, PrintFlags, parse_module, print_module};
use minoan_ir::verify::verify;
use minoan_ir::{Context, Module, Traits, Type};
use minoan_pass::{PassManager, PassRegistry, Pipeline};
use minoan_services::{Buffer, Datum, Trap};
use std::fmt;
use std::rc::Rc;

/// A test case: a module and a pipeline.
#[derive(Clone)]
pub struct Case {
    /// The module, which must be valid.
    pub module: Module,
    /// The pipeline.
    pub plan: Plan,
}

/// The outcome of a [`Case`] without a fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The results after the pipeline refine those before it.
    Same,
    /// Every call has undefined behavior before the pipeline, so nothing was compared.
    Undefined,
    /// A pass rejected the module with a diagnostic.
    Refused,
}

/// A failed test case.
#[derive(Clone, Debug)]
pub enum Fault {
    /// The input is not a test case: its module is invalid, one of its functions does not terminate normally, or the
    /// pipeline does not parse. This says nothing about the passes.
    Unfit(String),
    /// A pass panicked.
    Panic(String),
    /// A pass produced an invalid module.
    Invalid(String),
    /// A function computes different results.
    Different(String),
}

impl Fault {
    /// Whether two faults are of the same kind.
    pub fn is_like(&self, other: &Fault) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

impl std::error::Error for Fault {}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Unfit(message) => write!(f, "not a usable test case: {message}"),
            Fault::Panic(message) => write!(f, "a pass panics: {message}"),
            Fault::Invalid(message) => write!(f, "a pass produced an invalid module: {message}"),
            Fault::Different(message) => write!(f, "a function computes different results: {message}"),
        }
    }
}

/// Step limit of a function before the pipeline; afterwards a multiple of it.
const MAX_STEPS: u64 = 2_000_000;
const TIMES_AS_MUCH: u64 = 10;
/// Limit on nested calls and regions.
const MAX_CALLS: usize = 2_000;
/// Calls of each function, with different arguments.
const CALLS: u64 = 3;

impl Case {
    /// Runs the public functions, the pipeline, and the functions again. The second run must refine the first: it returns
    /// the same values (bitwise, except for NaN payloads) and leaves the same contents in the buffers passed to it,
    /// except where the first run has poison, and leaks as many buffers. Calls with undefined behavior in the first run
    /// are not compared.
    ///
    /// If tensors were bufferized, contents are compared. A pass may also reject the module.
    ///
    /// # Errors
    /// The fault that was found.
    pub fn check(&self, passes: &PassRegistry) -> Result<Verdict, Fault> {
        verify(&self.module).map_err(|found| Fault::Unfit(first(&found)))?;
        let entries = entries(&self.module);
        let run = |entry: &Entry, round| match entry.run(&self.module, round, MAX_STEPS) {
            Ok(seen) => Ok(Some(seen)),
            Err(trap) if trap.is_undefined => Ok(None),
            Err(trap) => Err(Fault::Unfit(trap.message)),
        };
        let before: Vec<Vec<Option<Seen>>> = entries
            .iter()
            .map(|entry| (0..CALLS).map(|round| run(entry, round)).collect())
            .collect::<Result<_, Fault>>()?;
        let pipeline = Pipeline::parse(&self.plan.to_string(), passes, &SourceMap::new())
            .map_err(|error| Fault::Unfit(error.message))?;
        let mut module = self.module.clone();
        let outcome = PassManager::new(&pipeline).threading(false).run(&mut module);
        if outcome.failed {
            return refusal(&outcome.diagnostics).map_or(Ok(Verdict::Refused), Err);
        }
        verify(&module).map_err(|found| Fault::Invalid(first(&found)))?;
        let mut compared = false;
        for (entry, before) in entries.iter().zip(before) {
            for (round, before) in (0..CALLS).zip(before) {
                let Some(before) = before else { continue };
                compared = true;
                let after = entry.run(&module, round, MAX_STEPS * TIMES_AS_MUCH);
                let different = |after: &dyn fmt::Display| {
                    Fault::Different(format!("'{}' returned {before}, and now {after}", entry.name))
                };
                match after {
                    Ok(after) if after.refines(&before) => {}
                    Ok(after) => return Err(different(&after)),
                    Err(trap) => return Err(different(&trap)),
                }
            }
        }
        Ok(if compared { Verdict::Same } else { Verdict::Undefined })
    }

    /// The case as a lit test, whose first line is the RUN line. [`Case::parse`] reads it.
    pub fn text(&self) -> String {
        let module = print_module(&self.module, &PrintFlags::default());
        format!("{RUN}{}{END}\n{module}", self.plan)
    }

    /// Parses the text of [`Case::text`].
    ///
    /// # Errors
    /// The error describes what is malformed: the first line, the pipeline or the module.
    pub fn parse(
        ctx: &Context,
        passes: &PassRegistry,
        sources: &SourceMap,
        file: FileId,
    ) -> Result<Case, Diagnostics> {
        let source = sources.file(file);
        let text = source.text();
        let line = text.lines().next().and_then(|line| line.strip_prefix(RUN)?.strip_suffix(END));
        let line = line.ok_or_else(|| {
            let message = format!("expected a first line like '{RUN}builtin.module(cse){END}'");
            Diagnostics::from(Diagnostic::error(message).at(Place::File(file)))
        })?;
        let pipeline = Pipeline::parse(line, passes, sources)?;
        let module = parse_module(ctx, sources, file, &ParseOptions::default())?;
        Ok(Case { module, plan: Plan::of(&pipeline) })
    }
}

/// The RUN line before the pipeline of a case.
const RUN: &str = "// RUN: %kopt %s --pass-pipeline=\"";
const END: &str = "\"";

/// Converts failed diagnostics to a fault; `None` if a pass rejected the module.
fn refusal(said: &Diagnostics) -> Option<Fault> {
    said.iter().find_map(|one| {
        if one.message.contains("panicked") {
            return Some(Fault::Panic(one.message.clone()));
        }
        let broken = one.notes.iter().any(|note| note.message.starts_with("after pass"));
        broken.then(|| Fault::Invalid(one.message.clone()))
    })
}

fn first(found: &Diagnostics) -> String {
    found.iter().next().map_or_else(String::new, |one| one.message.clone())
}

/// A function to call.
struct Entry {
    name: String,
    inputs: Vec<Type>,
}

/// The public functions of a module.
fn entries(module: &Module) -> Vec<Entry> {
    let (ctx, body) = (module.context(), module.body());
    let entry = |op| {
        let view = body.op(op);
        let private =
            view.attr(ctx.names().sym_visibility).is_some_and(|attr| attr.as_str(ctx) != Some("public"));
        let has_body = view.nested().is_some_and(|inside| !inside.region(inside.root(0)).is_empty());
        if !view.has_trait(Traits::FUNCTION_LIKE) || private || !has_body {
            return None;
        }
        let ty = view.attr(ctx.names().function_type)?.as_type(ctx)?;
        let (inputs, _) = ty.as_function(ctx)?;
        Some(Entry { name: view.symbol_name()?.to_owned(), inputs: inputs.to_vec() })
    };
    body.walk().into_iter().filter_map(entry).collect()
}

/// The observable behavior of a call.
struct Seen {
    /// The results, with buffers replaced by their contents.
    results: Vec<Datum>,
    /// The contents of the arguments after the call.
    args: Vec<Datum>,
    /// The number of leaked buffers: neither arguments nor results, and not freed.
    leaks: usize,
}

impl Seen {
    /// Whether this outcome refines `before`.
    fn refines(&self, before: &Seen) -> bool {
        let all = |a: &[Datum], b: &[Datum]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.refines(b));
        all(&self.results, &before.results) && all(&self.args, &before.args) && self.leaks == before.leaks
    }
}

impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} with arguments {:?}", self.results, self.args)?;
        if self.leaks > 0 { write!(f, " and {} leaked buffers", self.leaks) } else { Ok(()) }
    }
}

impl Entry {
    /// Calls the function with arguments that depend only on its types and the round.
    fn run(&self, module: &Module, round: u64, steps: u64) -> Result<Seen, Trap> {
        let ctx = module.context();
        let mut machine = Interpreter::new(module).with_max_steps(steps).with_max_calls(MAX_CALLS);
        let mut choices = Choices::seeded(round);
        let takes = takes(module, &self.name);
        let mut args = Vec::new();
        for (index, &ty) in self.inputs.iter().enumerate() {
            let value = values::datum(ctx, ty, &mut choices);
            let value = value.ok_or_else(|| Trap::new("an argument of a type without values"))?;
            let in_storage = takes.get(index).is_some_and(|ty| ty.is_memref(ctx));
            args.push(match value {
                Datum::Tensor(tensor) if in_storage => {
                    Datum::Buffer(machine.buffer(Rc::unwrap_or_clone(tensor)))
                }
                value => value,
            });
        }
        let results = machine.call(&self.name, &args)?;
        let mut kept: Vec<u64> =
            args.iter().chain(&results).filter_map(buffer).map(|buffer| buffer.id).collect();
        kept.sort_unstable();
        kept.dedup();
        let leaks = machine.live_buffers().saturating_sub(kept.len());
        let contents = |all: &[Datum]| all.iter().map(contents).collect::<Result<Vec<Datum>, Trap>>();
        Ok(Seen { results: contents(&results)?, args: contents(&args)?, leaks })
    }
}

/// The current argument types of a function.
fn takes<'m>(module: &'m Module, name: &str) -> &'m [Type] {
    let (ctx, body) = (module.context(), module.body());
    let op = body.walk().into_iter().map(|op| body.op(op)).find(|op| op.symbol_name() == Some(name));
    let ty = op.and_then(|op| op.attr(ctx.names().function_type)?.as_type(ctx));
    ty.and_then(|ty| ty.as_function(ctx)).map_or(&[], |(inputs, _)| inputs)
}

fn buffer(value: &Datum) -> Option<&Buffer> {
    match value {
        Datum::Buffer(buffer) => Some(buffer),
        _ => None,
    }
}

/// The value, with a buffer replaced by its contents.
fn contents(value: &Datum) -> Result<Datum, Trap> {
    buffer(value).map_or_else(|| Ok(value.clone()), |buffer| buffer.snapshot().map(Datum::from))
}
