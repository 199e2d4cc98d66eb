//! Reproducers: failed runs stored so that they can be repeated.

use minoan_ir::text::{PrintFlags, print_module};
use minoan_ir::{Module, Resource};
use std::path::PathBuf;

/// The output file and the form of a reproducer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reproducer {
    /// The output file.
    pub file: PathBuf,
    /// Store only the failing pass and the module before it, instead of the whole run. Disables threading.
    pub local: bool,
}

/// The configuration of the run stored in a reproducer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rerun {
    /// The pipeline.
    pub pipeline: String,
    /// Whether threading was disabled.
    pub disable_threading: bool,
    /// Whether the IR was verified after each pass.
    pub verify_each: bool,
}

/// The key of the resource section, as in MLIR.
const OWNER: &str = "mlir_reproducer";

impl Rerun {
    /// The text of a module with the section that `--run-reproducer` reads, in MLIR's format.
    pub fn text(&self, module: &Module) -> String {
        let mut module = module.clone();
        let resources = module.resources_mut();
        resources.set_external(OWNER, "pipeline", Resource::String(self.pipeline.as_bytes().into()));
        resources.set_external(OWNER, "disable_threading", Resource::Bool(self.disable_threading));
        resources.set_external(OWNER, "verify_each", Resource::Bool(self.verify_each));
        print_module(&module, &PrintFlags { debuginfo: true, ..PrintFlags::default() })
    }

    /// Removes the reproducer section from a module and returns the stored run, if there is one.
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
