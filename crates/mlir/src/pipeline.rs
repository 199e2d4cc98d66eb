//! From memrefs, loops and arithmetic to the `llvm` dialect, and from there to LLVM IR.

use crate::Backend;
use crate::asserts;
use inkwell::context::Context as LlvmContext;
use inkwell::module::Module as LlvmModule;
use melior::ir::Module;
use melior::pass::PassManager;
use melior::utility::parse_pass_pipeline;
use minoan_diag::{Diagnostic, Diagnostics};
use mlir_sys::mlirTranslateModuleToLLVMIR;

/// The passes, in MLIR's syntax; `mlir-opt --pass-pipeline=...` runs the same.
///
/// Structured operations become loops, loops become branches, what has no machine counterpart is expanded, and then
/// every dialect goes to `llvm`. The order matters at four places: `convert-linalg-to-loops` comes
/// before extents become known, for MLIR rejects an operation on sizes that differ even where an assertion before it
/// keeps it from running; `convert-math-to-funcs` comes before
/// loops are gone because its functions use them; `expand-strided-metadata` turns views into `affine`
/// arithmetic, so `lower-affine` comes after it; `convert-math-to-llvm` takes what has an intrinsic, and
/// `convert-math-to-libm` the rest.
pub const PIPELINE: &str = "builtin.module(\
    convert-linalg-to-loops,\
    canonicalize,cse,\
    convert-math-to-funcs,\
    func.func(lower-vector-multi-reduction),\
    convert-vector-to-scf,\
    lower-affine,\
    convert-scf-to-cf,\
    expand-realloc,memref-expand,expand-strided-metadata,lower-affine,\
    arith-expand,\
    canonicalize,cse,\
    convert-vector-to-llvm,\
    convert-math-to-llvm,convert-math-to-libm,\
    convert-ub-to-llvm,convert-index-to-llvm,convert-arith-to-llvm,\
    finalize-memref-to-llvm{use-generic-functions=1},\
    convert-cf-to-llvm,convert-func-to-llvm,\
    reconcile-unrealized-casts,\
    canonicalize,cse)";

/// Gives every function a scope, without which locations do not reach the machine code.
const DEBUG_INFO: &str = "builtin.module(ensure-debug-info-scope-on-llvm-func)";

impl Backend {
    /// Runs passes on a module; `pipeline` is in MLIR's syntax, beginning with `builtin.module(`.
    ///
    /// # Errors
    /// A malformed pipeline, or what the passes report.
    pub fn run_passes(&self, module: &mut Module<'_>, pipeline: &str) -> Result<(), Diagnostics> {
        let manager = PassManager::new(self.context());
        let parsed = self.collect(|| parse_pass_pipeline(manager.as_operation_pass_manager(), pipeline));
        if let (Err(error), said) = parsed {
            let mut all = Diagnostics::from(Diagnostic::error(error.to_string().trim_end()));
            all.append(said);
            return Err(all);
        }
        self.checked("MLIR's passes failed", || manager.run(module).ok())
    }

    /// Converts a module to the `llvm` dialect; with `debug_info`, locations go on to the machine code.
    ///
    /// # Errors
    /// What the passes report, such as operations that they have no conversion for.
    pub fn lower_to_llvm_dialect(
        &self,
        module: &mut Module<'_>,
        debug_info: bool,
    ) -> Result<(), Diagnostics> {
        asserts::say_where(module);
        self.run_passes(module, PIPELINE)?;
        if debug_info {
            self.run_passes(module, DEBUG_INFO)?;
        }
        Ok(())
    }

    /// Translates a module of the `llvm` dialect to LLVM IR.
    ///
    /// # Errors
    /// Operations of other dialects, and what the translation reports.
    pub fn to_llvm_ir<'l>(
        &self,
        module: &Module<'_>,
        context: &'l LlvmContext,
    ) -> Result<LlvmModule<'l>, Diagnostics> {
        self.checked("MLIR could not translate the module to LLVM IR", || {
            // SAFETY: both sides are bindings to one libLLVM, so the pointers mean the same; the new module is
            // owned by nobody else and lives in `context`.
            unsafe {
                let raw = mlirTranslateModuleToLLVMIR(module.as_operation().to_raw(), context.raw().cast());
                (!raw.is_null()).then(|| LlvmModule::new(raw.cast()))
            }
        })
    }
}
