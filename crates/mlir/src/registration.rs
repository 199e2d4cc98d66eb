//! The dialects, passes and translations of MLIR that the back end uses.
//!
//! LLVM and MLIR are linked statically, and the linker keeps everything that is referenced. Registering everything, as
//! `mlirRegisterAllDialects` does, keeps the code generators for GPUs, SPIR-V, OpenMP and sparse tensors too: four fifths of
//! the program.

use melior::Context;
use melior::dialect::DialectRegistry;
use mlir_sys::*;
use std::ffi::c_void;
use std::sync::Once;

/// Registers the dialects of modules, and those through which passes lower them.
pub(crate) fn dialects(registry: &DialectRegistry) {
    // SAFETY: each handle is a constant of MLIR, and the registry lives.
    unsafe {
        for handle in [
            mlirGetDialectHandle__affine__(),
            mlirGetDialectHandle__arith__(),
            mlirGetDialectHandle__cf__(),
            mlirGetDialectHandle__dlti__(),
            mlirGetDialectHandle__func__(),
            mlirGetDialectHandle__index__(),
            mlirGetDialectHandle__linalg__(),
            mlirGetDialectHandle__llvm__(),
            mlirGetDialectHandle__math__(),
            mlirGetDialectHandle__memref__(),
            mlirGetDialectHandle__scf__(),
            mlirGetDialectHandle__tensor__(),
            mlirGetDialectHandle__ub__(),
            mlirGetDialectHandle__vector__(),
        ] {
            mlirDialectHandleInsertDialect(handle, registry.to_raw());
        }
    }
}

/// Registers the passes of the pipeline by name, once in the process.
pub(crate) fn passes() {
    static REGISTERED: Once = Once::new();
    // SAFETY: the functions have no preconditions, and run once.
    REGISTERED.call_once(|| unsafe {
        mlirRegisterArithArithExpandOpsPass();
        mlirRegisterConversionArithToLLVMConversionPass();
        mlirRegisterConversionConvertControlFlowToLLVMPass();
        mlirRegisterConversionConvertFuncToLLVMPass();
        mlirRegisterConversionConvertIndexToLLVMPass();
        mlirRegisterConversionConvertMathToFuncs();
        mlirRegisterConversionConvertMathToLLVMPass();
        mlirRegisterConversionConvertMathToLibmPass();
        mlirRegisterConversionConvertVectorToLLVMPass();
        mlirRegisterConversionConvertVectorToSCF();
        mlirRegisterConversionFinalizeMemRefToLLVMConversionPass();
        mlirRegisterConversionLowerAffinePass();
        mlirRegisterConversionReconcileUnrealizedCastsPass();
        mlirRegisterConversionSCFToControlFlowPass();
        mlirRegisterConversionUBToLLVMConversionPass();
        mlirRegisterLLVMDIScopeForLLVMFuncOpPass();
        mlirRegisterLinalgConvertLinalgToLoopsPass();
        mlirRegisterMemRefExpandOpsPass();
        mlirRegisterMemRefExpandReallocPass();
        mlirRegisterMemRefExpandStridedMetadataPass();
        mlirRegisterTransformsCSE();
        mlirRegisterTransformsCanonicalizer();
        mlirRegisterVectorLowerVectorMultiReduction();
    });
}

// The C API can only register all translations at once. These two are `mlir::registerBuiltinDialectTranslation` and
// `mlir::registerLLVMDialectTranslation` of `mlir/Target/LLVMIR/Dialect/*`, which take a `MLIRContext &`: in the Itanium ABI
// a pointer, the one that `MlirContext` holds.
unsafe extern "C" {
    #[link_name = "_ZN4mlir33registerBuiltinDialectTranslationERNS_11MLIRContextE"]
    fn register_builtin_translation(context: *mut c_void);
    #[link_name = "_ZN4mlir30registerLLVMDialectTranslationERNS_11MLIRContextE"]
    fn register_llvm_translation(context: *mut c_void);
}

/// Makes the `llvm` dialect translatable to LLVM IR.
pub(crate) fn translations(context: &Context) {
    let context = context.to_raw().ptr;
    // SAFETY: the context lives, and the declarations fit the functions of this version of MLIR.
    unsafe {
        register_builtin_translation(context);
        register_llvm_translation(context);
    }
}
