//! Passes, and the pass manager that runs them.
//!
//! A [`Pass`] changes what is inside an operation. A [`Pipeline`] says which passes run on what, in MLIR's text:
//! `builtin.module(func.func(cse,canonicalize{max-iterations=5}),inline)`. A [`PassManager`] runs it: it verifies between
//! passes, keeps times and statistics, runs passes over functions in parallel, and tells [`Instrumentation`]s.
//!
//! Guarantees:
//! * What comes out, the module and all messages in their order, does not depend on the number of threads.
//! * A pass that asks for services which no loaded dialect answers is an error before anything runs.
//! * A pass that panics or leaves the module invalid ends the run with a diagnostic that names it; with a
//!   [`Reproducer`] the module and the pipeline are written to a file that runs again.
//! * After a pass, only what was edited is verified again, and only analyses that it may have outdated are dropped.
//!
//! # Writing a pass
//!
//! A pass is a type with a name, a description and `run`. [`PassRun`] is what it works on: [`PassRun::body_mut`] is the storage of
//! one isolated operation, and [`PassRun::each_body`] runs a function on that and on everything nested, in parallel:
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
//! A pass that must see the whole module says [`Anchor::Module`] and uses [`PassRun::module_mut`]. Options are declared with
//! [`pass_options!`], what several passes want to know about an operation is an [`Analysis`], and work that can be cut short to
//! find a bug asks a [debug counter](PassRun::permit).
#![forbid(unsafe_code)]

mod analysis;
mod counters;
mod instrument;
mod manager;
mod options;
mod outcome;
mod pipeline;
mod registry;
mod reproducer;
mod run;

pub use analysis::Analysis;
pub use counters::{CounterError, Counters};
pub use instrument::{Instrumentation, PassEvent, PrintIr, PrintWhen};
pub use manager::PassManager;
pub use options::{OptionInfo, OptionValue, PassOptions};
pub use outcome::{Outcome, Timing};
pub use pipeline::{Node, Pipeline, Step, pass_text};
pub use registry::{PassRegistry, PipelineAlias};
pub use reproducer::{Reproducer, Rerun};
pub use run::{OpHeader, PassRun};

use minoan_diag::Diagnostics;
use minoan_ir::ServiceId;

/// What a pass can run on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Anchor {
    /// The top-level operation only: the pass needs the whole module.
    Module,
    /// Any operation that is isolated from above.
    Any,
}

/// A change of what is inside an operation.
pub trait Pass: Send + Sync {
    /// Its name in pipelines: `plan-buffers`.
    fn name(&self) -> &'static str;
    /// One line about it.
    fn description(&self) -> &'static str;
    /// What it can run on.
    fn anchor(&self) -> Anchor {
        Anchor::Any
    }
    /// The services without which it cannot work, of whatever dialect.
    fn requires(&self) -> Vec<ServiceId> {
        Vec::new()
    }
    /// The services that it asks as well, and can do without: for lists.
    fn asks(&self) -> Vec<ServiceId> {
        Vec::new()
    }
    /// What it can be told; see [`pass_options!`].
    fn options(&self) -> Option<&dyn PassOptions> {
        None
    }
    /// What it can be told, to set.
    fn options_mut(&mut self) -> Option<&mut dyn PassOptions> {
        None
    }
    /// The numbers it counts, each with one line about it: `("num-cse'd", "operations that were there already")`.
    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }
    /// Does it.
    ///
    /// # Errors
    /// What went wrong; the module is then not to be used.
    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics>;
}
