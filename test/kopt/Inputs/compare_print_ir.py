"""Runs two tools with each flag for printing IR around passes, and wants the same text on standard error."""

import pathlib
import shutil
import subprocess
import sys

kopt, mlir_opt, file, tree = sys.argv[1:]
PIPELINE = "--pass-pipeline=builtin.module(func.func(canonicalize),canonicalize)"
CASES = [
    ["--mlir-print-ir-before=canonicalize"],
    ["--mlir-print-ir-after=canonicalize"],
    ["--mlir-print-ir-before-all"],
    ["--mlir-print-ir-after-all"],
    ["--mlir-print-ir-before-all", "--mlir-print-ir-after-all"],
    ["--mlir-print-ir-after-all", "--mlir-print-ir-after-change"],
    ["--mlir-print-ir-after-all", "--mlir-print-ir-module-scope"],
    ["--mlir-print-ir-after-all", "--mlir-print-op-generic"],
]


def printed(tool, flags):
    run = subprocess.run(
        [tool, file, "--mlir-disable-threading", PIPELINE, "-o", "/dev/null", *flags],
        capture_output=True, text=True, check=True,
    )
    return run.stderr.replace("Canonicalizer (canonicalize)", "canonicalize")


def files(tool):
    shutil.rmtree(tree, ignore_errors=True)
    assert printed(tool, ["--mlir-print-ir-after-all", f"--mlir-print-ir-tree-dir={tree}"]) == ""
    root = pathlib.Path(tree)
    text = lambda path: path.read_text().replace("Canonicalizer (canonicalize)", "canonicalize").strip()
    return {str(path.relative_to(root)): text(path) for path in sorted(root.rglob("*.mlir"))}


for flags in CASES:
    ours, theirs = printed(kopt, flags), printed(mlir_opt, flags)
    assert ours.count("IR Dump") > 0, flags
    assert ours == theirs, f"{flags}:\n{ours}\n=====\n{theirs}"
ours, theirs = files(kopt), files(mlir_opt)
assert len(ours) == 3 and ours == theirs, f"{ours}\n=====\n{theirs}"
