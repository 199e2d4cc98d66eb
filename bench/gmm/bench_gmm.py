#!/usr/bin/env python3
"""Times the GMM objective of examples/gmm.ks against the same function in C.

    python3 bench/gmm/bench_gmm.py --kc target/release/kc

`kc build` makes a shared library of the program, and clang makes the C of gmm.c with -O3 -march=native. Both run in one
process (driver.c) in turns, on the same inputs, one thread, float32. A ratio below 1 means that the compiled Knossos
program is faster.

C has two forms. `C` adds in the order of the Knossos program, each row of Q v as one sum; `columns` is the order of
ADBench's own C++, which the C compiler can vectorize, with other roundings.

Exit code: 0; 1 when the results differ or something cannot be built; 3 when --most is given and a ratio to `C` is above it.
"""

import argparse
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
# D, K, N. The first is W7a.
SIZES = [(10, 25, 1000), (10, 5, 1000), (2, 5, 1000), (20, 25, 1000), (64, 25, 100), (2, 5, 10)]
# Float32 results of sums in other orders.
AGREEMENT = 1e-4


def build(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        print(f"{' '.join(command)}\n{done.stderr.strip()}", file=sys.stderr)
        sys.exit(1)


def agree(a, b):
    return abs(a - b) <= AGREEMENT * max(abs(a), abs(b), 1.0)


def main():
    parser = argparse.ArgumentParser(description="times the GMM objective against C")
    parser.add_argument("--kc", default=os.environ.get("KC", str(ROOT / "target/release/kc")), help="the compiler")
    parser.add_argument("--clang", default=os.environ.get("CLANG", "clang-22"), help="the C compiler")
    parser.add_argument("--library", help="a library that was built before, in the place of 'kc build'")
    parser.add_argument("--c-only", action="store_true", help="only the two forms of C")
    parser.add_argument("--size", action="append", help="D,K,N; repeatable", metavar="D,K,N")
    parser.add_argument("--seconds", type=float, default=3.0, help="for each size")
    parser.add_argument("--most", type=float, help="the largest ratio to C that is good")
    options = parser.parse_args()
    sizes = [tuple(int(part) for part in size.split(",")) for size in options.size or []] or SIZES

    too_slow = False
    with tempfile.TemporaryDirectory() as directory:
        driver = str(Path(directory) / "driver")
        sources = [str(HERE / "driver.c"), str(HERE / "gmm.c")]
        build([options.clang, "-O3", "-march=native", "-std=c11", *sources, "-o", driver, "-lm", "-ldl"])
        library = options.library
        if not library and not options.c_only:
            library = str(Path(directory) / "libgmm.so")
            program = str(ROOT / "examples/gmm.ks")
            build([options.kc, "build", program, "-o", library, "--emit=so", "--entry", "gmm_objective"])

        print("best of many, in microseconds a call; ratios are minoan over C, of the best and of the median times")
        print(f"{'D':>4} {'K':>4} {'N':>6} {'C':>10} {'columns':>10} {'minoan':>10} "
              f"{'to C':>6} {'median':>7} {'to columns':>10}")
        for d, k, n in sizes:
            command = [driver, str(d), str(k), str(n), str(options.seconds)]
            if library and not options.c_only:
                command.append(os.path.abspath(library))
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode != 0:
                print(f"D={d} K={k} N={n}: exit code {done.returncode} {done.stderr.strip()}", file=sys.stderr)
                return 1
            numbers = [float(word) for word in done.stdout.split()]
            results, best, median = numbers[:3], numbers[3:6], numbers[6:9]
            for result in results[1:]:
                if (not options.c_only or not math.isnan(result)) and not agree(results[0], result):
                    print(f"D={d} K={k} N={n}: the results differ: {results}", file=sys.stderr)
                    return 1
            ratio = best[2] / best[0]
            too_slow |= options.most is not None and not ratio <= options.most
            micros = " ".join(f"{1e6 * time:10.2f}" for time in best)
            print(f"{d:4} {k:4} {n:6} {micros} {ratio:6.2f} {median[2] / median[0]:7.2f} {best[2] / best[1]:10.2f}",
                  flush=True)
    return 3 if too_slow else 0


if __name__ == "__main__":
    sys.exit(main())
