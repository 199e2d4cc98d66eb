//! The dialects, passes and translations of MLIR that the back end uses.
//!
//! LLVM and MLIR are linked statically, and the linker keeps everything that is referenced. Registering everything, as
//! `mlirRegisterAllDialects` does, keeps the code generators for GPUs, SPIR-V, OpenMP and sparse tensors too: four fifths of
//! the program. On Linux, that function and similar ones therefore register only the dialects, passes and translations listed
//! here.

use melior::Context;
use melior::dialect::DialectRegistry;
use mlir_sys::*;
use std::ffi::c_void;
use std::sync::Once;

/// Registers the dialects of modules, and those through which passes lower them.
pub(crate) fn dialects(registry: &DialectRegistry) {
    register_dialects(registry.to_raw());
}

fn register_dialects(registry: MlirDialectRegistry) {
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
            mlirDialectHandleInsertDialect(handle, registry);
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
    register_translations(context.to_raw());
}

fn register_translations(context: MlirContext) {
    // SAFETY: the context lives, and the declarations fit the functions of this version of MLIR.
    unsafe {
        register_builtin_translation(context.ptr);
        register_llvm_translation(context.ptr);
    }
}

/// The functions of MLIR's C API that register everything, as weak symbols that register what this module does. They are not
/// called here, but melior's modules refer to them, and the linker would keep all of MLIR and the code generators of 20 targets.
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod everything {
    use super::{passes, register_dialects, register_translations};
    use mlir_sys::{MlirContext, MlirDialectRegistry};

    extern "C" fn all_dialects(registry: MlirDialectRegistry) {
        register_dialects(registry);
    }

    extern "C" fn all_translations(context: MlirContext) {
        register_translations(context);
    }

    extern "C" fn all_passes() {
        passes();
    }

    macro_rules! weak {
        ($name:literal, $function:ident) => {
            std::arch::global_asm!(
                concat!(".weak ", $name),
                concat!($name, ":"),
                #[cfg(target_arch = "x86_64")]
                "jmp {function}",
                #[cfg(target_arch = "aarch64")]
                "b {function}",
                function = sym $function,
            );
        };
    }
    weak!("mlirRegisterAllDialects", all_dialects);
    weak!("mlirRegisterAllLLVMTranslations", all_translations);
    weak!("mlirRegisterAllPasses", all_passes);
}
