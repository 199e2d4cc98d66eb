"""Runs two tools with the same arguments, and wants the same exit codes."""

import subprocess
import sys

kopt, mlir_opt, good, bad = sys.argv[1:]
CASES = [
    ([good], 0),
    ([good, "--canonicalize"], 0),
    ([good, "-canonicalize", "-split-input-file", "-verify-diagnostics"], 0),
    ([good, "--verify-roundtrip"], 0),
    ([good, "--show-dialects"], 0),
    ([good, "--help"], 0),
    (["--version"], 0),
    ([bad], 1),
    ([bad, "--verify-diagnostics"], 1),
    ([good, "--no-such-flag"], 1),
    ([good, "--canonicalize=no-such-option=1"], 1),
    ([good, "--pass-pipeline=builtin.module(no-such-pass)"], 1),
    ([good, "--pass-pipeline=builtin.module(cse", "--cse"], 1),
    ([good, "--pass-pipeline=func.func(cse)"], 1),
    ([good, "-o", "/no/such/folder/out.mlir"], 1),
    (["/no/such/file.mlir"], 1),
]
wrong = 0
for arguments, wanted in CASES:
    codes = [
        subprocess.run([tool, *arguments], stdin=subprocess.DEVNULL, capture_output=True).returncode
        for tool in (kopt, mlir_opt)
    ]
    if codes != [wanted, wanted]:
        wrong += 1
        print(f"{' '.join(arguments)}: expected {wanted}, kopt {codes[0]}, mlir-opt {codes[1]}")
sys.exit(wrong != 0)
