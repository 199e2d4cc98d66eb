//! Lowering to the `llvm` dialect, and translation to LLVM IR.

use crate::Backend;
use crate::atomics::{exchange_values, update_integers};
use crate::canonicalize::{canonicalize, run_without_branches};
use crate::extrema::use_intrinsics;
use crate::legalize::legalize;
use crate::packed_vectors::unpack;
use crate::{allocations, asserts, constants, powers};
use inkwell::context::Context as LlvmContext;
use inkwell::module::Module as LlvmModule;
use melior::StringRef;
use melior::ir::Module;
use melior::ir::operation::{OperationLike, OperationPrintingFlags};
use melior::pass::PassManager;
use minoan_diag::{Diagnostic, Diagnostics};
use mlir_sys::{MlirStringRef, mlirParsePassPipeline, mlirTranslateModuleToLLVMIR};
use std::ffi::c_void;

/// The pass pipeline in MLIR's syntax, as for `mlir-opt --pass-pipeline=...`, in four parts. The module is canonicalized after
/// the first and the third ([`canonicalize`]); between the second and the third, operations that `arith-expand` computes
/// wrongly are replaced ([`use_intrinsics`]), and atomic updates made updates of integers ([`update_integers`]). Before
/// the fourth, updates to a constant are made exchanges ([`exchange_values`]).
///
/// Structured operations become loops, loops become branches, operations without a machine counterpart are expanded,
/// and finally all dialects are converted to `llvm`. The order matters at four places: `convert-linalg-to-loops`
/// precedes the propagation of extents, since MLIR rejects an operation on different extents even if an assertion
/// prevents its execution; `convert-math-to-funcs` and `expand-realloc` precede the lowering of loops, since they create loops
/// and conditionals; `expand-strided-metadata` creates `affine` arithmetic for views, so `lower-affine` follows it;
/// `convert-math-to-llvm` handles functions with an intrinsic, and `convert-math-to-libm` the others, lane by lane, so
/// that `convert-vector-to-llvm` follows it once more.
pub const PIPELINE: [&str; 4] = [
    "builtin.module(convert-linalg-to-loops)",
    "builtin.module(\
    cse,\
    convert-math-to-funcs,\
    func.func(lower-vector-multi-reduction),\
    convert-vector-to-scf,\
    lower-affine,\
    expand-realloc,\
    convert-scf-to-cf,\
    memref-expand,expand-strided-metadata,lower-affine)",
    "builtin.module(arith-expand)",
    "builtin.module(\
    cse,\
    convert-vector-to-llvm,\
    convert-math-to-llvm{approximate-log1p=0},convert-math-to-libm,convert-vector-to-llvm,\
    convert-ub-to-llvm,convert-index-to-llvm,convert-arith-to-llvm,\
    finalize-memref-to-llvm{use-generic-functions=1},\
    convert-cf-to-llvm,convert-func-to-llvm,\
    reconcile-unrealized-casts,\
    canonicalize,cse)",
];

/// Creates a debug scope for every function, without which locations do not reach the machine code.
const DEBUG_INFO: &str = "builtin.module(ensure-debug-info-scope-on-llvm-func)";

impl Backend {
    /// Runs passes on a module; `pipeline` is in MLIR's syntax, starting with `builtin.module(`.
    ///
    /// # Errors
    /// A malformed pipeline, or the errors of the passes.
    pub fn run_passes(&self, module: &mut Module<'_>, pipeline: &str) -> Result<(), Diagnostics> {
        let manager = PassManager::new(self.context());
        // Only debug builds verify the module after each pass. The input is valid, and LLVM verifies the output.
        manager.enable_verifier(cfg!(debug_assertions));
        let parsed = self.collect(|| add_passes(&manager, pipeline));
        if let (Err(message), said) = parsed {
            let mut all = Diagnostics::from(Diagnostic::error(message.trim_end()));
            all.append(said);
            return Err(all);
        }
        self.checked("MLIR's passes failed", || manager.run(module).ok())
    }

    /// Lowers a module to the `llvm` dialect; with `debug_info`, the machine code has locations.
    ///
    /// # Errors
    /// The errors of the passes, such as operations without a conversion.
    pub fn lower_to_llvm_dialect(
        &self,
        module: &mut Module<'_>,
        debug_info: bool,
    ) -> Result<(), Diagnostics> {
        allocations::check_sizes(module)?;
        powers::check(module);
        asserts::add_locations(module);
        asserts::keep_out_of_line(module);
        legalize(self, module)?;
        unpack(module);
        let [loops, expand, arithmetic, to_llvm] = PIPELINE;
        self.run_passes(module, loops)?;
        canonicalize(self, module)?;
        // `lower-vector-multi-reduction` fails if the blocks that MLIR merges are nested deeper than its number of iterations.
        run_without_branches(self, module, expand)?;
        use_intrinsics(module);
        update_integers(module);
        self.run_passes(module, arithmetic)?;
        canonicalize(self, module)?;
        exchange_values(module);
        self.run_passes(module, to_llvm)?;
        allocations::add_locations(self, module)?;
        constants::as_bytes(module);
        if debug_info {
            self.run_passes(module, DEBUG_INFO)?;
        }
        Ok(())
    }

    /// The text of a module with the locations of its operations, as `mlir-opt --mlir-print-debuginfo` prints it.
    pub fn text_with_locations(&self, module: &Module<'_>) -> String {
        let flags = OperationPrintingFlags::new().enable_debug_info(true, false);
        let operation = module.as_operation();
        operation.to_string_with_flags(flags).unwrap_or_else(|_| operation.to_string())
    }

    /// Translates a module of the `llvm` dialect to LLVM IR.
    ///
    /// # Errors
    /// Operations of other dialects, and the errors of the translation.
    pub fn to_llvm_ir<'l>(
        &self,
        module: &Module<'_>,
        context: &'l LlvmContext,
    ) -> Result<LlvmModule<'l>, Diagnostics> {
        self.checked("MLIR could not translate the module to LLVM IR", || {
            // SAFETY: both are bindings to the same libLLVM, so the pointers are compatible; the new module has no
            // other owner and lives in `context`.
            unsafe {
                let raw = mlirTranslateModuleToLLVMIR(module.as_operation().to_raw(), context.raw().cast());
                (!raw.is_null()).then(|| LlvmModule::new(raw.cast()))
            }
        })
    }
}

/// Adds the passes of a pipeline to a pass manager. `melior::utility::parse_pass_pipeline` does the same, but shares an object
/// file with functions that register all dialects and passes, which the linker would keep.
fn add_passes(manager: &PassManager<'_>, pipeline: &str) -> Result<(), String> {
    unsafe extern "C" fn append(text: MlirStringRef, message: *mut c_void) {
        // SAFETY: MLIR passes the pointer below on, and text that lives meanwhile.
        let (message, text) = unsafe { (&mut *message.cast::<String>(), StringRef::from_raw(text)) };
        message.push_str(text.as_str().unwrap_or("the message is not UTF-8"));
    }
    let mut message = String::new();
    // SAFETY: the pass manager and the text live, and the callback takes a pointer to a string.
    let parsed = unsafe {
        mlirParsePassPipeline(
            manager.as_operation_pass_manager().to_raw(),
            StringRef::new(pipeline).to_raw(),
            Some(append),
            (&raw mut message).cast(),
        )
    };
    if parsed.value == 0 { Err(message) } else { Ok(()) }
}
