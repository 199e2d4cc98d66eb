// The pipelines of LLVM's optimizer. LLVM's C API builds pipelines from text, which links every pass that has a name, and observes
// each pass; these functions link the passes that run.

#include "llvm-c/TargetMachine.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/IPO/ModuleInliner.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/DeadStoreElimination.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Vectorize/LoopVectorize.h"
#include "llvm/Transforms/Vectorize/SLPVectorizer.h"
#include "llvm/Transforms/Vectorize/VectorCombine.h"

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

template <typename Predicate> static bool any_instruction(Loop *loop, Predicate predicate) {
  return any_of(loop->blocks(), [&](BasicBlock *block) { return any_of(*block, predicate); });
}

// Whether the innermost loops of a function compute on vectors, and there is one. Loops that take few steps do not count, since
// they compute the remainders of the others, nor do those without accesses to memory, such as loops of assertions.
static bool is_vectorized(Function &function, FunctionAnalysisManager &analyses) {
  constexpr unsigned FEW = 16;
  bool any = false;
  for (Loop *loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder()) {
    if (!loop->isInnermost())
      continue;
    if (any_instruction(loop, [](Instruction &instruction) { return instruction.getType()->isVectorTy(); })) {
      any = true;
      continue;
    }
    if (!any_instruction(loop, [](Instruction &instruction) { return isa<LoadInst, StoreInst>(instruction); }))
      continue;
    unsigned steps = analyses.getResult<ScalarEvolutionAnalysis>(function).getSmallConstantMaxTripCount(loop);
    if (steps == 0 || steps > FEW)
      return false;
  }
  return any;
}

static bool calls_module(BasicBlock *block) {
  return any_of(*block, [](Instruction &instruction) {
    auto *call = dyn_cast<CallBase>(&instruction);
    Function *callee = call ? call->getCalledFunction() : nullptr;
    return callee && !callee->isDeclaration();
  });
}

// Whether functions of a module are vectorized, and no loop calls functions of the module: the default pipelines optimize those
// calls together with what they call.
static bool suits_by_function(Module &module, FunctionAnalysisManager &analyses) {
  bool any = false;
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    for (Loop *loop : analyses.getResult<LoopAnalysis>(function))
      if (any_of(loop->blocks(), calls_module))
        return false;
    any |= is_vectorized(function, analyses);
  }
  return any;
}

// Optimizes functions that are vectorized by one pipeline, the others by another.
struct OptimizeFunction : PassInfoMixin<OptimizeFunction> {
  FunctionPassManager vectorized, others;

  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    bool short_pipeline = is_vectorized(function, analyses);
    return short_pipeline ? vectorized.run(function, analyses) : others.run(function, analyses);
  }
};

// Removal of redundant operations and of stores, and code motion out of loops, once each.
static FunctionPassManager vectorized() {
  LoopPassManager rotation;
  rotation.addPass(LoopRotatePass());
  rotation.addPass(LICMPass(LICMOptions()));
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(SimplifyCFGPass());
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(rotation), /*UseMemorySSA=*/true));
  passes.addPass(GVNPass());
  passes.addPass(DSEPass());
  passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), /*UseMemorySSA=*/true));
  passes.addPass(ADCEPass());
  passes.addPass(InstCombinePass());
  passes.addPass(SimplifyCFGPass());
  return passes;
}

// The passes on functions of the pipeline of a level.
static FunctionPassManager of_level(PassBuilder &builder, OptimizationLevel level, PipelineTuningOptions tuning) {
  FunctionPassManager passes = builder.buildFunctionSimplificationPipeline(level, ThinOrFullLTOPhase::None);
  passes.addPass(createFunctionToLoopPassAdaptor(LoopRotatePass()));
  if (tuning.LoopVectorization)
    passes.addPass(LoopVectorizePass());
  passes.addPass(InstCombinePass());
  passes.addPass(SimplifyCFGPass());
  if (tuning.SLPVectorization)
    passes.addPass(SLPVectorizerPass());
  passes.addPass(VectorCombinePass());
  if (tuning.LoopUnrolling)
    passes.addPass(LoopUnrollPass(LoopUnrollOptions(level.getSpeedupLevel())));
  passes.addPass(InstCombinePass());
  passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), /*UseMemorySSA=*/true));
  passes.addPass(SimplifyCFGPass());
  return passes;
}

// For modules with vectorized functions: simplification and inlining, then the passes on functions.
static ModulePassManager by_function(PassBuilder &builder, OptimizationLevel level, PipelineTuningOptions tuning) {
  FunctionPassManager before;
  before.addPass(SROAPass(SROAOptions::ModifyCFG));
  before.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  before.addPass(SimplifyCFGPass());
  before.addPass(InstCombinePass());
  OptimizeFunction optimize{{}, vectorized(), of_level(builder, level, tuning)};
  ModulePassManager passes;
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(before)));
  passes.addPass(ModuleInlinerPass());
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(optimize)));
  passes.addPass(GlobalDCEPass());
  return passes;
}

// Optimizes a module. `is_huge` replaces the pipeline of the level by `cleanup`. `may_recur` says that functions call themselves,
// which `by_function` does not optimize; `vectorizes` and `unrolls` permit the transformations of loops in the pipeline
// of a level.
extern "C" void minoan_optimize(LLVMModuleRef module, LLVMTargetMachineRef machine, unsigned level, bool is_huge,
                                bool may_recur, bool vectorizes, bool unrolls) {
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
  ModulePassManager passes;
  if (is_huge)
    passes = cleanup();
  else if (level == 0)
    passes = builder.buildO0DefaultPipeline(chosen);
  else if (!may_recur && suits_by_function(*unwrap(module), functions))
    passes = by_function(builder, chosen, tuning);
  else
    passes = builder.buildPerModuleDefaultPipeline(chosen);
  passes.run(*unwrap(module), modules);
}
