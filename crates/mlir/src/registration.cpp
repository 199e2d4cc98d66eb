// The dialects, passes and translations of MLIR that the back end uses.
//
// LLVM and MLIR are linked statically, and the linker keeps what is referred to. These are MLIR's own entry points "register
// all", defined here instead of in MLIR's library: melior refers to them whether or not they are called, and the definitions of
// the library initialize the code generators for GPUs, SPIR-V, OpenMP and sparse tensors. The linker takes the first definition,
// which is this one, because the bindings come after this crate. Hidden, so no shared library of Minoan exports them.

#include "mlir-c/Conversion.h"
#include "mlir-c/Dialect/Affine.h"
#include "mlir-c/Dialect/Arith.h"
#include "mlir-c/Dialect/ControlFlow.h"
#include "mlir-c/Dialect/DLTI.h"
#include "mlir-c/Dialect/Func.h"
#include "mlir-c/Dialect/Index.h"
#include "mlir-c/Dialect/LLVM.h"
#include "mlir-c/Dialect/Linalg.h"
#include "mlir-c/Dialect/Math.h"
#include "mlir-c/Dialect/MemRef.h"
#include "mlir-c/Dialect/SCF.h"
#include "mlir-c/Dialect/Tensor.h"
#include "mlir-c/Dialect/UB.h"
#include "mlir-c/Dialect/Vector.h"
#include "mlir-c/IR.h"
#include "mlir-c/Transforms.h"
#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Arith/Transforms/Passes.capi.h.inc"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.capi.h.inc"
#include "mlir/Dialect/Linalg/Passes.capi.h.inc"
#include "mlir/Dialect/MemRef/Transforms/Passes.capi.h.inc"
#include "mlir/Dialect/Vector/Transforms/Passes.capi.h.inc"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"

extern "C" {

LLVM_ATTRIBUTE_VISIBILITY_HIDDEN void mlirRegisterAllDialects(MlirDialectRegistry registry) {
  for (MlirDialectHandle handle : {
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
       })
    mlirDialectHandleInsertDialect(handle, registry);
}

// By name, for pipelines in text.
LLVM_ATTRIBUTE_VISIBILITY_HIDDEN void mlirRegisterAllPasses() {
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
}

// The `llvm` dialect becomes translatable to LLVM IR.
LLVM_ATTRIBUTE_VISIBILITY_HIDDEN void mlirRegisterAllLLVMTranslations(MlirContext context) {
  mlir::registerBuiltinDialectTranslation(*unwrap(context));
  mlir::registerLLVMDialectTranslation(*unwrap(context));
}
}
