//! `verify-mlir-export`: whether MLIR has a form of everything that there is.
//!
//! The bridge to MLIR asks the same question when a module is compiled; this says it in the middle of a pipeline, and
//! without MLIR.

use minoan_diag::Diagnostics;
use minoan_ir::ServiceId;
use minoan_pass::{Pass, PassRun};
use minoan_services::ToMlir;

/// Reports operations, types and attributes that have no form in MLIR.
pub struct VerifyMlirExport;

impl Pass for VerifyMlirExport {
    fn name(&self) -> &'static str {
        "verify-mlir-export"
    }

    fn description(&self) -> &'static str {
        "check that operations, types and attributes have a form in MLIR"
    }

    fn asks(&self) -> Vec<ServiceId> {
        vec![ServiceId::of::<dyn ToMlir>()]
    }

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let mut errors = Diagnostics::new();
        for wrong in run.each_body(|body| <dyn ToMlir>::refused_in(body)) {
            errors.append(wrong);
        }
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }
}
