"""Checks that `kopt` knows each flag of `mlir-opt`: as a flag of its own, or by an error with help.

Flags in the lists of FOLDER are not tried one by one, except for the first of each list.

    flags.py KOPT MLIR_OPT FOLDER
"""

import os
import re
import subprocess
import sys


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def names(tool):
    """The flags that a tool's help lists, with those that are passes."""
    text = run(tool, "--help").stdout
    return set(re.findall(r"^(?: {2}| {6})(?:-[a-zA-Z], )?--([A-Za-z][\w.-]*)", text, re.M))


def main():
    kopt, mlir_opt, folder = sys.argv[1:]
    own = names(kopt)
    listed = set()
    for name in ("passes_of_mlir_opt.txt", "options_of_llvm.txt"):
        with open(os.path.join(folder, name)) as file:
            listed |= set(file.read().split())
    tried = [name for name in sorted(names(mlir_opt)) if name not in own and name not in listed]
    wrong = []
    for name in [*tried, *sorted(listed)[:1], *sorted(listed)[-1:]]:
        shown = run(kopt, "--" + name + "=1", os.devnull).stdout
        if "help: " not in shown:
            wrong.append(name)
    for name in wrong:
        print(f"--{name} is neither a flag of kopt nor explained")
    everything = names(mlir_opt)
    print(f"{len(everything)} flags: {len(everything & own)} of kopt, {len(everything - own - set(wrong))} explained")
    sys.exit(1 if wrong else 0)


main()
