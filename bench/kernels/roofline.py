"""The roofline of one core: the least time that a kernel takes by its arithmetic and by its memory traffic.

The rate of multiply-adds is that of a loop over independent accumulators in registers, and the rate of memory that of a copy within
NumPy of as many bytes, both measured in the same process as the kernels. An element of the padding counts as any other.
"""

import ctypes
import tempfile
import time
from pathlib import Path

import numpy as np

STEPS = 200_000


def multiply_adds_of_registers(lanes, count):
    """A kernel of `STEPS` steps, each a multiply-add to `count` vectors, which begin with the rows of its input."""
    lane, x, y = f"vector<{lanes}xf32>", f"memref<{count}x{lanes}xf32>", f"memref<{lanes}xf32>"
    rows = range(count)
    lines = [f"  %c{row} = arith.constant {row} : index" for row in rows]
    lines += [f"  %x{row} = vector.load %x[%c{row}, %c0] : {x}, {lane}" for row in rows]
    steps = [f"    %n{row} = vector.fma %v, %v, %s{row} : {lane}" for row in rows]
    sums = [f"  %t{row} = arith.addf %{f't{row - 1}' if row > 1 else 'r#0'}, %r#{row} : {lane}" for row in rows[1:]]
    types = ", ".join([lane] * count)
    return "\n".join([
        f"func.func @main(%x: {x}, %y: {y}) {{",
        *lines,
        f"  %n = arith.constant {STEPS} : index",
        f"  %v = vector.load %y[%c0] : {y}, {lane}",
        f"  %r:{count} = scf.for %i = %c0 to %n step %c1",
        f"      iter_args({', '.join(f'%s{row} = %x{row}' for row in rows)}) -> ({types}) {{",
        *steps,
        f"    scf.yield {', '.join(f'%n{row}' for row in rows)} : {types}",
        "  }",
        *sums,
        f"  vector.store %t{count - 1}, %y[%c0] : {y}, {lane}",
        "  return",
        "}",
    ])


class Roofline:
    """`by_hand` compiles a kernel: it is called with its text, a folder, its inputs and the shape of its output."""

    def __init__(self, by_hand):
        self.rate = 0.0
        # The number of accumulators hides the latency without exceeding the registers of AVX2 and of AVX-512.
        for lanes, count in [(8, 12), (16, 12)]:
            text = multiply_adds_of_registers(lanes, count)
            with tempfile.TemporaryDirectory() as folder:
                run, _ = by_hand(text, Path(folder), [np.zeros((count, lanes), np.float32)], (lanes,))
                self.rate = max(self.rate, STEPS * lanes * count / best(run, 20))
        self.copies = {}

    def copy(self, size):
        """The time to read and write `size` bytes in all."""
        half = max(size // 2, 64)
        if half not in self.copies:
            source, target = np.ones(half, np.uint8), np.ones(half, np.uint8)
            self.copies[half] = best(lambda: ctypes.memmove(target.ctypes.data, source.ctypes.data, half), 10)
        return self.copies[half]

    def seconds(self, multiply_adds, size):
        """The least time of a kernel that does so many multiply-adds and touches `size` bytes."""
        return max(multiply_adds / self.rate, self.copy(size))


def best(run, times):
    def timed():
        start = time.perf_counter()
        run()
        return time.perf_counter() - start

    return min(timed() for _ in range(times))
