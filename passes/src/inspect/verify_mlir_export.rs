//! `verify-mlir-export`: reports constructs without an equivalent in MLIR.
//!
//! The MLIR bridge performs the same check when a module is compiled; this pass performs it anywhere in a pipeline,
//! and without MLIR.

use minoan_diag::Diagnostics;
use minoan_pass::{Pass, PassRun, queries};
use minoan_services::ToMlir;

/// Reports operations, types and attributes without an equivalent in MLIR.
pub struct VerifyMlirExport;

impl Pass for VerifyMlirExport {
    fn name(&self) -> &'static str {
        "verify-mlir-export"
    }

    fn description(&self) -> &'static str {
        "check that operations, types and attributes have an equivalent in MLIR"
    }

    queries!(ToMlir);

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let mut errors = Diagnostics::new();
        for wrong in run.each_body(|body| <dyn ToMlir>::refused_in(body)) {
            errors.append(wrong);
        }
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }
}
