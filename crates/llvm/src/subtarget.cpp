// The names of the processors, features and library functions of a target, which LLVM's C API does not list.

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"

#include <memory>
#include <string>

static std::unique_ptr<llvm::MCSubtargetInfo> subtarget(const llvm::Triple &triple, const char *cpu,
                                                        const char *features = "") {
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  return std::unique_ptr<llvm::MCSubtargetInfo>(target ? target->createMCSubtargetInfo(triple, cpu, features) : nullptr);
}

using Visit = void (*)(void *context, bool is_cpu, const char *name);

// Calls `visit` for each processor and each feature of the target of `triple`; for none if there is no such target.
extern "C" void minoan_subtarget_names(const char *triple, Visit visit, void *context) {
  auto info = subtarget(llvm::Triple(triple), "");
  if (!info)
    return;
  for (const llvm::SubtargetSubTypeKV &cpu : info->getAllProcessorDescriptions())
    visit(context, true, cpu.Key);
  for (const llvm::SubtargetFeatureKV &feature : info->getAllProcessorFeatures())
    visit(context, false, feature.Key);
}

// Calls `visit` for each feature of a processor with the given changes; for none if there is no such target.
extern "C" void minoan_subtarget_features(const char *triple, const char *cpu, const char *features, Visit visit,
                                          void *context) {
  auto info = subtarget(llvm::Triple(triple), cpu, features);
  if (!info)
    return;
  for (const llvm::SubtargetFeatureKV &feature : info->getAllProcessorFeatures())
    if (info->getFeatureBits().test(feature.Value))
      visit(context, false, feature.Key);
}

// Whether a processor of the target of `triple` can run its code: an i486 cannot run that of x86_64.
extern "C" bool minoan_subtarget_runs(const char *triple, const char *cpu) {
  llvm::Triple parsed(triple);
  auto info = subtarget(parsed, cpu);
  return !info || parsed.getArch() != llvm::Triple::x86_64 || info->checkFeatures("+64bit");
}

// Whether LLVM knows a function of this name in the C library of the host, which `triple` names in every call.
extern "C" bool minoan_is_library_function(const char *triple, const char *name) {
  static const llvm::TargetLibraryInfoImpl library((llvm::Triple(triple)));
  llvm::LibFunc function;
  return library.getLibFunc(name, function);
}
