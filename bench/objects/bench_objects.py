#!/usr/bin/env python3
"""Times programs that create objects beside C++ by hand.

    cargo xtask bench objects [row ..]

objects.relay is compiled by `kc build --emit=so`, hand.cpp by clang with -O3 -march=native. Both run in one process in turns, on one
thread; the best time of each counts. Printed are the ratio, above 1 where the compiled program is slower, and both times; for lists
also nanoseconds per cell and pass. Results are compared. Exit code: 0; 1 if a value is wrong.
"""

import ctypes
import os
import shutil
import sys
import tempfile
from pathlib import Path

os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", MINOAN_THREADS="1")
import numpy as np  # noqa: E402  (the threads are set before)

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(ROOT / "bench/kernels"), str(ROOT / "bench/gradients")]
from bench_gradients import memref, run  # noqa: E402  (found by the path above)
from bench_kernels import best_times  # noqa: E402

# Name, function, number, cells visited (none: not a list), what one visit does.
ROWS = [
    ("build 1e6", "build", 1_000_000, 1_000_000, "cons and drop"),
    ("build 1e7", "build", 10_000_000, 10_000_000, "cons and drop"),
    ("map 1e7", "map10", 10_000_000, 100_000_000, "map in place"),
    ("map 1e6", "map10", 1_000_000, 10_000_000, "map in place"),
    ("reverse 1e6", "reverse10", 1_000_000, 10_000_000, "reverse in place"),
    ("fold 1e6", "fold10", 1_000_000, 10_000_000, "add"),
    ("sort 1e6", "sort", 1_000_000, None, "merge sort"),
    ("insert 1e6", "insert", 1_000_000, None, "red-black tree, std::map"),
    ("network", "network", 10, None, "tree network of depth 10"),
    ("depth 1e6", "depth", 1_000_000, 1_000_000, "binary tree; C++ without recursion"),
    ("fib 40", "fib", 40, None, "calls"),
    ("ackermann", "ackermann", 11, None, "nested and tail calls"),
]


def compiled(library, name):
    function = getattr(library, f"minoan_try_{name}")
    free = library.minoan_free
    free.restype, free.argtypes = None, [ctypes.c_void_p]
    message = ctypes.create_string_buffer(512)

    def call(args):
        """The result of the function, a number or an array of rank 1."""
        kept = [np.ascontiguousarray(arg) for arg in args]
        result = memref(1)()
        slots = [*map(descriptor, kept), result]
        code = function((ctypes.c_void_p * len(slots))(*map(ctypes.addressof, slots)), message, len(message))
        if code:
            sys.exit(f"{name}: {message.value.decode()}")
        if name == "network":
            pointer = ctypes.cast(result.aligned, ctypes.POINTER(ctypes.c_float))
            value = np.ctypeslib.as_array(pointer, (64,)).copy()
        else:
            value = ctypes.cast(result.aligned, ctypes.POINTER(ctypes.c_int32))[0]
        free(result.allocated)
        return value

    return call


def descriptor(array):
    strides = [stride // array.itemsize for stride in array.strides]
    many = ctypes.c_int64 * array.ndim
    return memref(array.ndim)(array.ctypes.data, array.ctypes.data, 0, many(*array.shape), many(*strides))


def by_hand(library, name):
    function = getattr(library, name)
    function.restype = None if name == "network" else ctypes.c_int32

    def call(args):
        if name != "network":
            return function(ctypes.c_int32(args[0]))
        out = np.empty(64, np.float32)
        function(ctypes.c_int32(args[0]), *(ctypes.c_void_p(array.ctypes.data) for array in (*args[1:], out)))
        return out

    return call


def main():
    kc, *chosen = sys.argv[1:]
    unknown = set(chosen) - {row[0] for row in ROWS}
    if unknown:
        sys.exit(f"no row '{unknown.pop()}': expected some of {[row[0] for row in ROWS]}")
    clang = shutil.which("clang++-22") or shutil.which("clang++")
    if not clang:
        sys.exit("clang++ is not installed")
    random = np.random.RandomState(1)
    w, b = (0.1 * random.randn(128, 64)).astype(np.float32), (0.1 * random.randn(64)).astype(np.float32)
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        own, other = Path(folder) / "objects.so", Path(folder) / "hand.so"
        entries = sorted({row[1] for row in ROWS})
        run([kc, "build", HERE / "objects.relay", *(part for name in entries for part in ("--entry", name)), "--emit=so", "-o", own])
        run([clang, "-O3", "-march=native", "-shared", "-fPIC", HERE / "hand.cpp", "-o", other])
        libraries = ctypes.CDLL(str(own)), ctypes.CDLL(str(other))
        print(f"{'row':12} {'ratio':>6} {'ours ms':>9} {'C++ ms':>9}   per cell")
        for row, name, number, cells, what in ROWS:
            if chosen and row not in chosen:
                continue
            given = [np.int32(number), w, b] if name == "network" else [np.int32(number)]
            ours, hand = compiled(libraries[0], name), by_hand(libraries[1], name)
            values = ours(given), hand([number, *given[1:]])
            right = np.allclose(*values, rtol=1e-4, atol=1e-5)
            wrong += not right
            mine, theirs = best_times([lambda: ours(given), lambda: hand([number, *given[1:]])])
            cell = f"{mine * 1e9 / cells:.2f} and {theirs * 1e9 / cells:.2f} ns, " if cells else ""
            error = "" if right else f"  WRONG: {values}"
            print(f"{row:12} {mine / theirs:6.2f} {mine * 1e3:9.3f} {theirs * 1e3:9.3f}   {cell}{what}{error}", flush=True)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
