// The pipelines of LLVM's optimizer. LLVM's C API builds pipelines from text, which links every pass that has a name, and observes
// each pass; these functions link the passes that run.

#include "llvm-c/TargetMachine.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace llvm;

static OptimizationLevel level_of(unsigned level) {
  switch (level) {
  case 0:
    return OptimizationLevel::O0;
  case 1:
    return OptimizationLevel::O1;
  case 2:
    return OptimizationLevel::O2;
  default:
    return OptimizationLevel::O3;
  }
}

// Cleanup of each function, without loop transformations.
static ModulePassManager cleanup() {
  FunctionPassManager functions;
  functions.addPass(SROAPass(SROAOptions::ModifyCFG));
  functions.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  functions.addPass(SimplifyCFGPass());
  functions.addPass(InstCombinePass());
  functions.addPass(SimplifyCFGPass());
  ModulePassManager passes;
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(functions)));
  passes.addPass(GlobalDCEPass());
  return passes;
}

// Optimizes a module. `is_huge` replaces the pipeline of the level by `cleanup`; `vectorizes` and `unrolls` permit the
// transformations of loops in the pipeline of a level.
extern "C" void minoan_optimize(LLVMModuleRef module, LLVMTargetMachineRef machine, unsigned level, bool is_huge,
                                bool vectorizes, bool unrolls) {
  PipelineTuningOptions tuning;
  tuning.LoopVectorization = tuning.LoopInterleaving = tuning.SLPVectorization = vectorizes;
  tuning.LoopUnrolling = unrolls;
  PassBuilder builder(reinterpret_cast<TargetMachine *>(machine), tuning);

  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);

  OptimizationLevel chosen = level_of(level);
  ModulePassManager passes = is_huge       ? cleanup()
                             : level == 0 ? builder.buildO0DefaultPipeline(chosen)
                                          : builder.buildPerModuleDefaultPipeline(chosen);
  passes.run(*unwrap(module), modules);
}
