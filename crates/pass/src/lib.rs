//! Passes, and pipelines of them.
//!
//! A [`Pass`] changes a module. A [`Pipeline`] runs passes one after another, verifies between them, and is written
//! as MLIR writes it: `builtin.module(lower,plan-buffers)`. A pass says which services it asks for; the pipeline
//! looks before it runs anything.
//!
//! ```
//! use minoan_diag::Diagnostics;
//! use minoan_ir::{Context, Loc, Module};
//! use minoan_pass::{Pass, PassRegistry, Pipeline};
//! struct Nothing;
//! impl Pass for Nothing {
//!     fn name(&self) -> &'static str { "nothing" }
//!     fn description(&self) -> &'static str { "changes nothing" }
//!     fn run(&self, _: &mut Module) -> Result<(), Diagnostics> { Ok(()) }
//! }
//! let mut registry = PassRegistry::new();
//! registry.add(|| Box::new(Nothing));
//! let pipeline = Pipeline::parse("builtin.module(nothing)", &registry).expect("a known pass");
//! let mut module = Module::new(&Context::bare(), Loc::UNKNOWN);
//! pipeline.run(&mut module).expect("nothing fails");
//! assert_eq!(pipeline.to_string(), "builtin.module(nothing)");
//! ```
#![forbid(unsafe_code)]

use minoan_diag::{Diagnostic, Diagnostics, nearest};
use minoan_ir::{Absence, Context, Module, ServiceId, verify::verify};
use std::fmt;

/// A change of a module.
pub trait Pass {
    /// Its name in pipelines: `plan-buffers`.
    fn name(&self) -> &'static str;
    /// One line about it.
    fn description(&self) -> &'static str;
    /// The services without which it cannot work, of whatever dialect.
    fn requires(&self) -> Vec<ServiceId> {
        Vec::new()
    }
    /// Changes the module.
    ///
    /// # Errors
    /// What went wrong; the module is then not to be used.
    fn run(&self, module: &mut Module) -> Result<(), Diagnostics>;
}

/// Passes by name.
#[derive(Default)]
pub struct PassRegistry {
    makers: Vec<fn() -> Box<dyn Pass>>,
}

impl PassRegistry {
    /// No passes.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a pass.
    pub fn add(&mut self, make: fn() -> Box<dyn Pass>) -> &mut Self {
        self.makers.push(make);
        self
    }

    /// The pass of a name, new.
    pub fn make(&self, name: &str) -> Option<Box<dyn Pass>> {
        self.all().find(|pass| pass.name() == name)
    }

    /// All passes, new, in the order in which they were added.
    pub fn all(&self) -> impl Iterator<Item = Box<dyn Pass>> + '_ {
        self.makers.iter().map(|make| make())
    }
}

/// Passes that run one after another on a module.
pub struct Pipeline {
    passes: Vec<Box<dyn Pass>>,
    verify_each: bool,
}

impl Pipeline {
    /// Of given passes.
    pub fn new(passes: Vec<Box<dyn Pass>>) -> Self {
        Self { passes, verify_each: true }
    }

    /// Reads `builtin.module(a,b)`, or `a,b` alone.
    ///
    /// # Errors
    /// An unbalanced parenthesis, a pass that is not known, another anchor than the module.
    pub fn parse(text: &str, registry: &PassRegistry) -> Result<Pipeline, Diagnostic> {
        let trimmed = text.trim();
        let list = match trimmed.split_once('(') {
            None => trimmed,
            Some((anchor, rest)) => {
                let anchor = anchor.trim();
                if !matches!(anchor, "builtin.module" | "any") {
                    return Err(Diagnostic::error(format!(
                        "pass pipeline is anchored on '{anchor}', but passes here run on 'builtin.module'"
                    ))
                    .help("write builtin.module(pass,..)"));
                }
                rest.trim_end()
                    .strip_suffix(')')
                    .ok_or_else(|| Diagnostic::error("pass pipeline has no ')' for its '('"))?
            }
        };
        let names = list.split(',').map(str::trim).filter(|name| !name.is_empty());
        let make = |name: &str| {
            registry.make(name).ok_or_else(|| {
                let known: Vec<&str> = registry.all().map(|pass| pass.name()).collect();
                Diagnostic::error(format!("'{name}' does not refer to a registered pass"))
                    .did_you_mean(nearest(name, known))
            })
        };
        Ok(Pipeline::new(names.map(make).collect::<Result<_, _>>()?))
    }

    /// Whether the module is verified after each pass; it is at first.
    pub fn verify_each(mut self, yes: bool) -> Self {
        self.verify_each = yes;
        self
    }

    /// Runs the passes.
    ///
    /// # Errors
    /// Of the first pass that fails, or the verifier's after a pass that left the module invalid.
    pub fn run(&self, module: &mut Module) -> Result<(), Diagnostics> {
        self.run_with(module, |_, _| {})
    }

    /// Runs the passes; `after` sees the module after each of them.
    ///
    /// # Errors
    /// As [`Pipeline::run`].
    pub fn run_with(
        &self,
        module: &mut Module,
        mut after: impl FnMut(&str, &Module),
    ) -> Result<(), Diagnostics> {
        self.check_services(module.context())?;
        for pass in &self.passes {
            pass.run(module)?;
            after(pass.name(), module);
            if self.verify_each {
                verify(module).map_err(|found| {
                    let mut list = Diagnostics::new();
                    for diagnostic in found {
                        list.push(diagnostic.note(format!("after pass '{}'", pass.name())));
                    }
                    list
                })?;
            }
        }
        Ok(())
    }

    fn check_services(&self, ctx: &Context) -> Result<(), Diagnostics> {
        let mut missing = Diagnostics::new();
        for pass in &self.passes {
            for service in pass.requires() {
                let answered = ctx.dialects().iter().any(|dialect| dialect.answers(service));
                if !answered && service.absence != Absence::Default {
                    missing.push(Diagnostic::error(format!(
                        "pass '{}' needs service {}, which no loaded dialect answers",
                        pass.name(),
                        service.name
                    )));
                }
            }
        }
        if missing.is_empty() { Ok(()) } else { Err(missing) }
    }
}

impl fmt::Display for Pipeline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.passes.iter().map(|pass| pass.name()).collect();
        write!(f, "builtin.module({})", names.join(","))
    }
}
