"""Reads and prints nests of 99,000 levels, and wants their memory bounded."""

import os
import sys

kopt, file = sys.argv[1:]
N = 99_000

# For each nest the MiB that an optimized build may take, and one for debugging, which is known by its directory: a fifth
# to a half more than what it takes.
LIMITS = {
    "scf.if": (250, 420),
    "scf.for": (270, 430),
    "generic form": (220, 400),
    "tuples": (90, 220),
    "arrays": (110, 240),
    "dictionaries": (140, 330),
    "dlti.map": (330, 430),
    "fused locations": (90, 280),
    "call sites": (110, 250),
}
FOR_DEBUGGING = os.path.basename(os.path.dirname(kopt)) == "debug"


def holder(text):
    return '"x.y"() {a = ' + text + "} : () -> ()\n"


NESTS = {
    "scf.if": "func.func @f(%c: i1) {\n" + "scf.if %c {\n" * N + "}\n" * N + "return\n}\n",
    "scf.for": "func.func @f(%c: index) {\n" + "".join(f"scf.for %i{i} = %c to %c step %c {{\n" for i in range(N)) + "}\n" * N + "return\n}\n",
    "generic form": '"x.y"() ({\n' * N + "}) : () -> ()\n" * N,
    "tuples": holder("tuple<" * N + "i1" + ">" * N),
    "arrays": holder("[" * N + "]" * N),
    "dictionaries": holder("{a = " * N + "1" + "}" * N),
    "dlti.map": holder('#dlti.map<"a" = ' * N + "1" + ">" * N),
    "fused locations": holder("loc(" + "fused<1>[" * N + '"a":1:2' + "]" * N + ")"),
    "call sites": holder("loc(" + "callsite(" * N + '"a":1:2' + ' at "b":1:1)' * N + ")"),
}


def peak(arguments):
    """The exit code, and the largest memory in MiB."""
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.execv(arguments[0], arguments)
    _, status, usage = os.wait4(child, 0)
    return os.waitstatus_to_exitcode(status), usage.ru_maxrss // 1024


wrong = 0
for name, text in NESTS.items():
    with open(file, "w") as out:
        out.write(text)
    limit = LIMITS[name][FOR_DEBUGGING]
    code, memory = peak([kopt, "--allow-unregistered-dialect", file])
    print(f"{name}: {memory} MiB")
    if code != 0 or memory > limit:
        print(f"{name}: exit code {code}, {memory} MiB of {limit}")
        wrong += 1
sys.exit(wrong > 0)
