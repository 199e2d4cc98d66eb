//! Passes and the pass manager.
//!
//! A [`Pass`] transforms the body of an operation. A [`Pipeline`] lists the passes to run on each kind of operation,
//! in MLIR's syntax: `builtin.module(func.func(cse,canonicalize{max-iterations=5}),inline)`. A [`PassManager`]
//! executes it: it verifies between passes, collects timing and statistics, runs function passes in parallel, and
//! notifies [`Instrumentation`]s.
//!
//! Guarantees:
//! * The resulting module and the order of diagnostics do not depend on the number of threads.
//! * A pass that requires a service that no loaded dialect implements is an error before any pass runs.
//! * A pass that panics or leaves the module invalid ends the run with a diagnostic that names it; with a
//!   [`Reproducer`], the module and the pipeline are written to a file from which the run can be repeated.
//! * After a pass, only edited bodies are verified, and only analyses that it may have invalidated are dropped.
//!
//! # Writing a pass
//!
//! A pass is a type with a name, a description and `run`. It works on a [`PassRun`]: [`PassRun::body_mut`] is the
//! body of one isolated operation, and [`PassRun::each_body`] runs a function on it and on all nested bodies, in
//! parallel:
//!
//! ```
//! use minoan_diag::{Diagnostics, SourceMap};
//! use minoan_ir::{Context, Loc, Module};
//! use minoan_pass::{Pass, PassManager, PassRegistry, PassRun, Pipeline};
//!
//! #[derive(Default)]
//! struct StripLocations;
//!
//! impl Pass for StripLocations {
//!     fn name(&self) -> &'static str { "strip-locations" }
//!     fn description(&self) -> &'static str { "forget where operations come from" }
//!     fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
//!         let stripped = run.each_body(|body| {
//!             let known: Vec<_> = body.walk().into_iter().filter(|&op| body.op(op).loc() != Loc::UNKNOWN).collect();
//!             known.iter().for_each(|&op| body.set_loc(op, Loc::UNKNOWN));
//!             known.len() as u64
//!         });
//!         run.count("num-stripped", stripped.into_iter().sum());
//!         Ok(())
//!     }
//! }
//!
//! let mut registry = PassRegistry::new();
//! registry.add(|| Box::new(StripLocations));
//! let pipeline = Pipeline::parse("builtin.module(strip-locations)", &registry, &SourceMap::new()).expect("a known pass");
//! let mut module = Module::new(&Context::bare(), Loc::UNKNOWN);
//! PassManager::new(&pipeline).run(&mut module).into_result().expect("nothing fails");
//! assert_eq!(pipeline.to_string(), "builtin.module(strip-locations)");
//! ```
//!
//! A pass that needs the whole module has [`Anchor::Module`] and uses [`PassRun::module_mut`]. Options are declared
//! with [`pass_options!`], information shared between passes is an [`Analysis`], and actions that can be bisected
//! query a [debug counter](PassRun::permit).
#![forbid(unsafe_code)]

mod analysis;
mod counters;
mod instrument;
mod manager;
mod options;
mod outcome;
mod pipeline;
mod registry;
mod remark;
mod reproducer;
mod run;
mod runner;

pub use analysis::Analysis;
pub use counters::{CounterError, Counters};
pub use instrument::{Instrumentation, PassEvent, PrintIr, PrintWhen};
pub use manager::PassManager;
pub use options::{OptionInfo, OptionValue, PassOptions};
pub use outcome::{Outcome, Timing};
pub use pipeline::{Node, Pipeline, Step, pass_text};
pub use registry::{PassRegistry, PipelineAlias};
pub use remark::{Remark, RemarkKind};
pub use reproducer::{Reproducer, Rerun};
pub use run::{OpHeader, PassRun, are_worth_threads};

use minoan_diag::Diagnostics;
#[doc(no_inline)]
pub use minoan_ir::ServiceId;

/// The operations that a pass can run on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Anchor {
    /// The top-level operation only: the pass transforms the whole module.
    Module,
    /// Any operation that is isolated from above.
    Any,
}

/// A transformation of the body of an operation.
pub trait Pass: Send + Sync {
    /// The name in pipelines, such as `plan-buffers`.
    fn name(&self) -> &'static str;
    /// A one-line description.
    fn description(&self) -> &'static str;
    /// The operations that the pass can run on.
    fn anchor(&self) -> Anchor {
        Anchor::Any
    }
    /// The services that at least one loaded dialect must implement; see [`requires!`].
    fn requires(&self) -> Vec<ServiceId> {
        Vec::new()
    }
    /// The services that the pass uses if they are implemented, for listings; see [`queries!`].
    fn queries(&self) -> Vec<ServiceId> {
        Vec::new()
    }
    /// The options of this pass; see [`pass_options!`].
    fn options(&self) -> Option<&dyn PassOptions> {
        None
    }
    /// The options of this pass, for parsing.
    fn options_mut(&mut self) -> Option<&mut dyn PassOptions> {
        None
    }
    /// The statistics of this pass, each with a description: `("num-cse'd", "operations eliminated")`.
    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }
    /// Runs the pass on one operation.
    ///
    /// # Errors
    /// The diagnostics of a failure, after which the module must not be used.
    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics>;
}
