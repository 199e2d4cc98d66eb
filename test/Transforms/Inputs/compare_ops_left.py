"""Runs pipelines of two tools on the functions of files, and wants no more operations left by the first tool.

Pipelines are separated by blanks; `a=b` is `a` for the first tool and `b` for the second one. Where the first tool leaves more,
a comment in front of the function says for which pipeline, how many more, and why:

    // canonicalize leaves 2 more: why it is so
"""

import collections
import pathlib
import re
import subprocess
import sys

kopt, mlir_opt, pipelines, *files = sys.argv[1:]
NOTE = re.compile(r"^// (\S+) leaves (\d+) more: \S")
FUNCTION = re.compile(r"func\.func .*@([\w.]+)\(")
OPERATION = re.compile(r'"([a-z_]+\.[\w.]+)"\(')
SYMBOL = re.compile(r'sym_name = "([^"]+)"')


def notes(file):
    """By function and pipeline, how many more operations its comments allow."""
    found, pending = {}, []
    for line in pathlib.Path(file).read_text().splitlines():
        if note := NOTE.match(line):
            pending.append((note[1], int(note[2])))
        elif function := FUNCTION.match(line):
            found.update({(function[1], pipeline): more for pipeline, more in pending})
            pending = []
    assert not pending, f"{file}: a comment belongs to no function"
    return found


def left(tool, file, pipeline):
    """By function, the operations that the pipeline leaves."""
    flags = [f"--pass-pipeline=builtin.module({pipeline})", "--mlir-print-op-generic"]
    text = subprocess.run([tool, file, *flags], capture_output=True, text=True, check=True).stdout
    found, function = {}, None
    for line in text.splitlines():
        for operation in OPERATION.findall(line):
            if operation == "func.func":
                function = SYMBOL.search(line)[1]
                found[function] = collections.Counter()
            elif function:
                found[function][operation] += 1
    return found


def show(counts):
    return ", ".join(f"{count} {name}" for name, count in sorted(counts.items()))


wrong, functions = [], 0
for file in files:
    allowed = notes(file)
    for pair in pipelines.split():
        pipeline, _, other = pair.partition("=")
        ours, theirs = left(kopt, file, pipeline), left(mlir_opt, file, other or pipeline)
        assert ours.keys() == theirs.keys(), f"{file}: {ours.keys() ^ theirs.keys()}"
        functions += len(ours)
        for function in ours:
            more = ours[function].total() - theirs[function].total()
            expected = allowed.get((function, pipeline), 0)
            if more > expected or more < expected and expected > 0:
                wrong.append(
                    f"{file}: {pipeline} leaves {more} more in @{function}, and {expected} are explained\n"
                    f"    ours more:   {show(ours[function] - theirs[function])}\n"
                    f"    theirs more: {show(theirs[function] - ours[function])}"
                )
print("\n".join(wrong))
assert not wrong, f"{len(wrong)} of {functions} results leave more"
assert functions > 0
