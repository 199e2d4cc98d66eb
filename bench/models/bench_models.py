#!/usr/bin/env python3
"""Times whole models, compiled with their weights, beside the peers that are installed.

    cargo xtask bench models [--bind] [--fast] [model ..]

Each model of test/models is written as Relay text at full size and compiled by `kc build --emit=so`, with the weights as arguments or, by
`--bind`, as constants. `--fast` compiles with `--fp=fast`. onnxruntime runs the same operators with the same weights on one thread. All of a
model run in one process in turns, with the weights in several places of memory; the best time of each counts, and the ratio of Minoan's time
to that of the peer is printed first: above 1 Minoan is slower. The last ratio is to the roofline of one core: the multiply-adds of convolutions and products of
matrices, or the memory traffic of the weights; Winograd's method has fewer multiply-adds than are counted. Results are compared with NumPy
in float64, and the time to compile is that of `kc`.

NumPy is needed; onnxruntime and onnx are measured if they are installed. `BENCH_SECONDS` is the time for each
model in each place. Exit code: 0; 1 if a result is wrong.
"""

import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
import numpy as np  # noqa: E402  (the threads are set before)

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "test/models"), str(ROOT / "bench/kernels")]
import zoo  # noqa: E402  (found by the path above)
from bench_kernels import best_times, by_hand, descriptor, memref  # noqa: E402
from roofline import Roofline  # noqa: E402

AGREEMENT = 1e-4
PLACEMENTS = 5


class Compiled:
    """The function `main` of a network, on one thread."""

    def __init__(self, kc, net, inputs, flags, bind, folder):
        source, weights, library = folder / "net.relay", folder / "weights.npz", folder / "net.so"
        source.write_text(net.relay())
        np.savez(weights, **net.weights)
        command = [kc, "build", str(source), "--entry", "main", "--emit=so", "-o", str(library), *flags]
        start = time.perf_counter()
        done = subprocess.run(command + (["--bind", str(weights)] if bind else []), capture_output=True, text=True)
        self.seconds = time.perf_counter() - start
        if done.returncode != 0:
            raise RuntimeError(done.stderr.strip())
        self.path = library
        given = {**net.weights, **inputs}
        self.arrays = [given[param.name] for param in net.params if not bind or param.name in inputs]
        self.values = [memref(array) for array in self.arrays]
        self.out = descriptor(len(net.result.shape))()
        slots = [ctypes.addressof(value) for value in [*self.values, self.out]]
        self.slots = (ctypes.c_void_p * len(slots))(*slots)
        self.load(library)

    def load(self, library):
        self.library = ctypes.CDLL(str(library))
        self.call = self.library.minoan_packed_main
        self.call.restype = None
        self.free = self.library.minoan_free
        self.free.restype = None
        self.free.argtypes = [ctypes.c_void_p]
        self.library.minoan_set_threads.argtypes = [ctypes.c_int64]
        self.library.minoan_set_threads(1)

    def reload(self, number):
        """Loads a copy of the library, whose weights are in other pages of memory."""
        copy = self.path.with_name(f"net{number}.so")
        shutil.copyfile(self.path, copy)
        self.load(copy)

    def run(self):
        self.call(self.slots)
        self.free(self.out.allocated)

    def value(self):
        self.call(self.slots)
        pointer = ctypes.cast(self.out.aligned, ctypes.POINTER(ctypes.c_float))
        copy = np.ctypeslib.as_array(pointer, tuple(self.out.sizes)).copy()
        self.free(self.out.allocated)
        return copy


def onnxruntime_session(net, inputs):
    """Runs the network in onnxruntime on one thread; `None` if it is not installed."""
    try:
        import onnx  # noqa: F401
        import onnxruntime
    except ImportError:
        return None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(net.onnx_model(), options, ["CPUExecutionProvider"])
    return lambda: session.run(None, inputs)[0]


def main():
    kc, *words = sys.argv[1:]
    bind, flags = "--bind" in words, ["--fp=fast"] if "--fast" in words else []
    wanted = [word for word in words if not word.startswith("--")]
    wrong = False
    roofline = Roofline(lambda *kernel: by_hand(kc, *kernel))
    print(f"roofline: {2e-9 * roofline.rate:.0f} GFLOP/s in float32", flush=True)
    for name, (make, *_) in zoo.MODELS.items():
        if wanted and name not in wanted:
            continue
        net = make()
        inputs = net.sample()
        expected = net.evaluate(inputs)
        with tempfile.TemporaryDirectory() as folder:
            try:
                compiled = Compiled(kc, net, inputs, flags, bind, Path(folder))
            except RuntimeError as error:
                print(f"{name:12} does not compile: {error}", flush=True)
                wrong = True
                continue
            error = np.abs(compiled.value() - expected).max() / np.abs(expected).max()
            wrong |= not error < AGREEMENT
            peers = [("onnxruntime", onnxruntime_session(net, inputs))]
            peers = [(label, run) for label, run in peers if run is not None]
            for label, run in peers:
                other = np.abs(run() - expected).max() / np.abs(expected).max()
                if not other < AGREEMENT:
                    print(f"{name:12} {label} differs by {other:.0e}", flush=True)
                    wrong = True
            # The same code takes up to 1.5 times as long in some pages of memory as in others, so all are measured in several.
            placements = [best_times([compiled.run] + [run for _, run in peers])]
            for number in range(1, PLACEMENTS):
                compiled.reload(number)
                peers = [(label, onnxruntime_session(net, inputs)) for label, _ in peers]
                placements.append(best_times([compiled.run] + [run for _, run in peers]))
            own, *times = map(min, zip(*placements, strict=True))
        ratios = "  ".join(f"{own / time:5.2f} x {label}" for (label, _), time in zip(peers, times))
        milliseconds = "  ".join(f"{label} {time * 1e3:.3f}" for (label, _), time in zip(peers, times))
        size = sum(array.nbytes for array in [*net.weights.values(), *inputs.values(), expected])
        ratios += f"  {own / roofline.seconds(net.multiply_adds(), size):5.2f} x roofline"
        print(
            f"{name:12} {ratios}   | ms: minoan {own * 1e3:.3f}  {milliseconds}  error {error:.0e}  "
            f"compiled in {compiled.seconds:.1f} s",
            flush=True,
        )
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
