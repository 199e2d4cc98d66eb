//! A failed run, written down so that it can be run again.

use minoan_ir::text::{PrintFlags, print_module};
use minoan_ir::{Module, Resource};
use std::path::PathBuf;

/// Where a failing run is written, and how much of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reproducer {
    /// The file.
    pub file: PathBuf,
    /// Only the pass that fails, on the module as it was before that pass, in place of the whole run. Passes run on one
    /// thread then.
    pub local: bool,
}

/// What a reproducer says of the run that it repeats.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rerun {
    /// The pipeline.
    pub pipeline: String,
    /// Whether it ran on one thread.
    pub disable_threading: bool,
    /// Whether IR was verified after each pass.
    pub verify_each: bool,
}

/// The owner of the entries, as in MLIR.
const OWNER: &str = "mlir_reproducer";

impl Rerun {
    /// A module with the section that `--run-reproducer` reads, in MLIR's form.
    pub fn text(&self, module: &Module) -> String {
        let mut module = module.clone();
        let resources = module.resources_mut();
        resources.set_external(OWNER, "pipeline", Resource::String(self.pipeline.as_bytes().into()));
        resources.set_external(OWNER, "disable_threading", Resource::Bool(self.disable_threading));
        resources.set_external(OWNER, "verify_each", Resource::Bool(self.verify_each));
        print_module(&module, &PrintFlags { debuginfo: true, ..PrintFlags::default() })
    }

    /// The run that a module repeats, if it has a section that says so; the section is taken out.
    pub fn take(module: &mut Module) -> Option<Rerun> {
        let resources = module.resources_mut();
        let pipeline = match resources.external(OWNER, "pipeline")? {
            Resource::String(bytes) => String::from_utf8(bytes.to_vec()).ok()?,
            _ => return None,
        };
        let flag = |name: &str, default: bool| match resources.external(OWNER, name) {
            Some(Resource::Bool(value)) => *value,
            _ => default,
        };
        let (disable_threading, verify_each) = (flag("disable_threading", false), flag("verify_each", true));
        resources.remove_external(OWNER);
        Some(Rerun { pipeline, disable_threading, verify_each })
    }
}
