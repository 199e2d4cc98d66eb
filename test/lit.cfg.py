"""File tests, run by lit: cargo xtask lit [filter].

Each test is a file with RUN lines, beside the files of its neighbors, laid out like the tree it tests.
The tools under test are in the directory given by --param tools=DIR, or in target/release.
"""

import os
import platform

import lit.formats

config.name = "Minoan"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".ks", ".iexpr", ".relay", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(os.path.abspath(__file__))

root = os.path.dirname(config.test_source_root)
tools = os.path.abspath(lit_config.params.get("tools", os.path.join(root, "target", "release")))
llvm = os.environ.get("LLVM_SYS_221_PREFIX", "/usr/lib/llvm-22")
config.test_exec_root = os.path.join(os.path.dirname(tools), "lit")

config.environment["PATH"] = os.path.pathsep.join(
    [tools, os.path.join(llvm, "bin"), os.environ.get("PATH", "")]
)
config.environment["FILECHECK_OPTS"] = "--dump-input=fail"

# Longest first: a substitution also matches inside a longer word that begins with it.
config.substitutions += [
    ("%examples", os.path.join(root, "examples")),
    ("%kopt", os.path.join(tools, "kopt")),
    ("%kreduce", os.path.join(tools, "kreduce")),
    ("%kc", os.path.join(tools, "kc")),
    ("%mlir-opt", os.path.join(llvm, "bin", "mlir-opt")),
]

if os.path.exists(os.path.join(llvm, "bin", "mlir-opt")):
    config.available_features.add("mlir-opt")
if platform.machine() == "x86_64":
    config.available_features.add("x86")
