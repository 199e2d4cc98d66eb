#!/usr/bin/env python3
"""Times compiled kernels against kernels written by hand and against installed peers.

    cargo xtask bench kernels [row ..]

Each row is a program of this folder, compiled by `kc build --emit=so`. All functions of a row run in one process in turns, on
the same inputs and one thread; the best time of each counts, and the ratio of the compiled kernel's time to it is printed first: above 1 the
compiled kernel is slower. The last ratio is to the roofline of one core (`roofline.py`); Winograd's method has fewer multiply-adds than are counted. Results
are compared with NumPy in float64. Outputs are allocated by the compiled program and by the peers alike; kernels written by hand get them.

NumPy is needed; onnxruntime and onnx are measured if they are installed. `BENCH_HAND` is a folder of further kernels written by hand,
`W4.mlir` for the row W4: a `func.func @main` on buffers, the last argument of which is the output. `BENCH_THREADS` is a number
of threads that the compiled kernel is measured with as well. Exit code: 0; 1 if a result is wrong, or if it depends on the number of threads.
"""

import ctypes
import math
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
import numpy as np  # noqa: E402  (the threads are set before)

import hand  # noqa: E402
from roofline import Roofline  # noqa: E402

HERE = Path(__file__).resolve().parent
AGREEMENT = 1e-5
SECONDS = float(os.environ.get("BENCH_SECONDS", "2"))
THREADS = int(os.environ.get("BENCH_THREADS", "1"))


def descriptor(rank):
    class MemRef(ctypes.Structure):
        _fields_ = [
            ("allocated", ctypes.c_void_p),
            ("aligned", ctypes.c_void_p),
            ("offset", ctypes.c_int64),
            ("sizes", ctypes.c_int64 * rank),
            ("strides", ctypes.c_int64 * rank),
        ]

    return MemRef


def memref(array):
    strides = [stride // array.itemsize for stride in array.strides]
    kind = descriptor(array.ndim)
    shape = (ctypes.c_int64 * array.ndim)(*array.shape)
    return kind(array.ctypes.data, array.ctypes.data, 0, shape, (ctypes.c_int64 * array.ndim)(*strides))


def build(kc, source, library, *flags):
    command = [kc, "build", str(source), "--emit=so", "-o", str(library), *flags]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stderr.strip()}")
    return ctypes.CDLL(str(library))


class Compiled:
    """A function that allocates its result."""

    def __init__(self, kc, source, library, like, *flags):
        """`like` is an array of the shape and the kind of the result."""
        self.library = build(kc, source, library, *flags)
        name = "main" if source.suffix == ".relay" else source.stem
        self.call = getattr(self.library, "minoan_packed_" + name)
        self.call.restype = None
        self.result = descriptor(like.ndim)
        self.element = ctypes.c_int32 if like.dtype.kind == "i" else ctypes.c_float
        self.free = self.library.minoan_free
        self.free.restype = None
        self.free.argtypes = [ctypes.c_void_p]
        self.library.minoan_set_threads.argtypes = [ctypes.c_int64]

    def runner(self, arrays):
        """A function that calls the compiled one, and the descriptor of the result."""
        values = [memref(array) for array in arrays]
        out = self.result()
        slots = (ctypes.c_void_p * (len(values) + 1))(*[ctypes.addressof(value) for value in [*values, out]])

        # A descriptor does not keep its array alive.
        def run(keep=(arrays, values)):
            self.call(slots)

        return run, out

    def value(self, arrays, threads=1):
        self.library.minoan_set_threads(threads)
        run, out = self.runner(arrays)
        run()
        pointer = ctypes.cast(out.aligned, ctypes.POINTER(self.element))
        copy = np.ctypeslib.as_array(pointer, tuple(out.sizes)).copy()
        self.free(out.allocated)
        return copy

    def timed(self, arrays, threads=1):
        call, out = self.runner(arrays)

        def run():
            self.library.minoan_set_threads(threads)
            call()
            self.free(out.allocated)

        return run


def by_hand(kc, text, folder, arrays, shape):
    source = folder / "hand.mlir"
    source.write_text(text)
    library = build(kc, source, folder / "hand.so", "--entry", "main")
    out = np.zeros(shape, np.float32)
    values = [memref(array) for array in [*arrays, out]]
    slots = (ctypes.c_void_p * len(values))(*[ctypes.addressof(value) for value in values])
    call = library.minoan_packed_main
    call.restype = None

    def run():
        call(slots)

    run.keep = (arrays, values, out, library)
    return run, out


def onnx(nodes, arrays, like):
    """A session on one thread of nodes `(operator, inputs, output, attributes)`, whose result has the shape and the kind of
    `like`; `None` without onnxruntime."""
    try:
        import onnxruntime
        from onnx import TensorProto, helper
    except ImportError:
        return None
    made = [helper.make_node(op, ins, [out], **attributes) for op, ins, out, attributes in nodes]
    value = helper.make_tensor_value_info
    kind = TensorProto.INT64 if like.dtype.kind == "i" else TensorProto.FLOAT
    inputs = [value(f"a{at}", TensorProto.FLOAT, array.shape) for at, array in enumerate(arrays)]
    graph = helper.make_graph(made, "g", inputs, [value("y", kind, like.shape)])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, ["CPUExecutionProvider"])
    feed = {f"a{at}": array for at, array in enumerate(arrays)}
    return lambda: session.run(None, feed)


def best_times(functions):
    best = [float("inf")] * len(functions)
    for function in functions:
        function()
    end = time.perf_counter() + SECONDS
    while time.perf_counter() < end:
        for at, function in enumerate(functions):
            for _ in range(2):
                start = time.perf_counter()
                function()
                best[at] = min(best[at], time.perf_counter() - start)
    return best


def softmax(x):
    powers = np.exp(x - x.max(1, keepdims=True))
    return powers / powers.sum(1, keepdims=True)


def layer_norm(x, gamma, beta):
    off = x - x.mean(1, keepdims=True)
    return off / np.sqrt((off * off).mean(1, keepdims=True) + 1e-5) * gamma + beta


def windows(x, pad, edge, stride=1):
    """The shifted images that the positions of a 3 x 3 window read, as pairs of the position and the image."""
    padded = np.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)), constant_values=edge)
    high, wide = [extent - 2 for extent in padded.shape[2:]]
    return [((p, q), padded[:, :, p : p + high : stride, q : q + wide : stride]) for p in range(3) for q in range(3)]


def convolution(x, w, b):
    sums = sum(np.einsum("oc,ncyx->noyx", w[:, :, p, q], part) for (p, q), part in windows(x, 1, 0))
    return np.maximum(sums + b[:, None, None], 0)


def depthwise(x, w):
    return sum(w[:, 0, p, q, None, None] * part for (p, q), part in windows(x, 1, 0))


def grouped(x, w, b):
    data, filters = x.reshape(1, 4, 16, 56, 56), w.reshape(4, 16, 16, 3, 3)
    padded = np.pad(data, ((0, 0), (0, 0), (0, 0), (1, 1), (1, 1)))
    parts = [((p, q), padded[..., p : p + 56, q : q + 56]) for p in range(3) for q in range(3)]
    sums = sum(np.einsum("goc,ngcyx->ngoyx", filters[..., p, q], part) for (p, q), part in parts)
    return np.maximum(sums.reshape(1, 64, 56, 56) + b[:, None, None], 0)


def transposed(x, w):
    """With stride 2, padding 1 and output padding 1."""
    whole = np.zeros((1, 64, 30, 30), x.dtype)
    for p in range(3):
        for q in range(3):
            whole[..., p : p + 28 : 2, q : q + 28 : 2] += np.einsum("co,ncyx->noyx", w[:, :, p, q], x)
    return whole[..., 1:29, 1:29]


def resize(x):
    """Bilinear, to twice the size."""
    at = np.clip((np.arange(112) + 0.5) / 2 - 0.5, 0, 55)
    matrix = np.maximum(1 - np.abs(at[:, None] - np.arange(56)), 0).astype(x.dtype)
    return matrix @ x @ matrix.T


def erf(x):
    try:
        from scipy.special import erf
    except ImportError:
        return np.array([math.erf(number) for number in x], x.dtype)
    return erf(x)


def max_pool(x):
    return np.max([part for _, part in windows(x, 1, -np.inf, 2)], 0)


def attention(q, k, v):
    scores = q @ k.transpose(0, 2, 1) * q.dtype.type(0.125)
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True) @ v


def dense(x, w):
    return x.astype(np.int32) @ w.astype(np.int32).T


def mlp(x, w1, b1, w2, b2, w3, b3):
    return np.maximum(np.maximum(x @ w1 + b1, 0) @ w2 + b2, 0) @ w3 + b3


RANDOM = np.random.RandomState(0)


def normal(*shape):
    return RANDOM.randn(*shape).astype(np.float32)


def bytes_of(*shape):
    return RANDOM.randint(-128, 128, shape).astype(np.int8)


PLAIN = ("MatMul", ["a0", "a1"], "y", {})
DENSE = [
    ("Gemm", ["a0", "a1", "a2"], "h1", {}),
    ("Relu", ["h1"], "r1", {}),
    ("Gemm", ["r1", "a3", "a4"], "h2", {}),
    ("Relu", ["h2"], "r2", {}),
    ("Gemm", ["r2", "a5", "a6"], "y", {}),
]
# Name, source, inputs, reference, kernel by hand, nodes for onnxruntime.
ROWS = [
    ("W1a", "matmul_512.relay", lambda: [normal(512, 512), normal(512, 512)], np.matmul,
     lambda: hand.matmul(512, 512, 512), [PLAIN]),
    ("W1b", "matmul_1024.relay", lambda: [normal(1024, 1024), normal(1024, 1024)], np.matmul,
     lambda: hand.matmul(1024, 1024, 1024, pack=True), [PLAIN]),
    ("W1k", "product.ks", lambda: [normal(512, 512), normal(512, 512)], np.matmul,
     lambda: hand.matmul(512, 512, 512), [PLAIN]),
    ("W2a", "softmax.relay", lambda: [normal(4096, 1024)], softmax, None, [("Softmax", ["a0"], "y", {"axis": 1})]),
    ("W2b", "layer_norm.relay", lambda: [normal(4096, 1024), normal(1024), normal(1024)], layer_norm, None,
     [("LayerNormalization", ["a0", "a1", "a2"], "y", {"axis": 1})]),
    ("W2c", "row_normalize.relay", lambda: [np.abs(normal(4096, 1024)) + 1], lambda x: x / x.sum(1, keepdims=True),
     lambda: hand.row_normalize(4096, 1024), None),
    ("W2c i", "row_normalize.iexpr", lambda: [np.abs(normal(4096, 1024)) + 1],
     lambda x: x / x.sum(1, keepdims=True), lambda: hand.row_normalize(4096, 1024), None),
    ("W2s", "sum_of_rows.relay", lambda: [normal(1024, 1024)], lambda x: x.sum(0), None,
     [("Constant", [], "axes", {"value_ints": [0]}), ("ReduceSum", ["a0", "axes"], "y", {"keepdims": 0})]),
    ("W2m", "argmax.relay", lambda: [normal(4096, 1024)], lambda x: x.argmax(1), None,
     [("ArgMax", ["a0"], "y", {"axis": 1, "keepdims": 0})]),
    ("W3", "mlp.relay",
     lambda: [normal(64, 784), normal(784, 512), normal(512), normal(512, 512), normal(512), normal(512, 10), normal(10)],
     mlp, None, DENSE),
    ("W3q", "dense_int8.relay", lambda: [bytes_of(64, 1024), bytes_of(512, 1024)], dense, None, None),
    ("W4", "convolution.relay", lambda: [normal(1, 64, 56, 56), normal(64, 64, 3, 3), normal(64)], convolution, None,
     [("Conv", ["a0", "a1", "a2"], "c", {"pads": [1, 1, 1, 1]}), ("Relu", ["c"], "y", {})]),
    ("W4w", "convolution.relay", lambda: [normal(1, 64, 56, 56), normal(64, 64, 3, 3), normal(64)], convolution, None,
     [("Conv", ["a0", "a1", "a2"], "c", {"pads": [1, 1, 1, 1]}), ("Relu", ["c"], "y", {})]),
    ("W4n", "convolution_any.relay", lambda: [normal(1, 64, 56, 56), normal(64, 64, 3, 3), normal(64)], convolution, None,
     [("Conv", ["a0", "a1", "a2"], "c", {"pads": [1, 1, 1, 1]}), ("Relu", ["c"], "y", {})]),
    ("W4d", "depthwise.relay", lambda: [normal(1, 64, 56, 56), normal(64, 1, 3, 3)], depthwise, None,
     [("Conv", ["a0", "a1"], "y", {"pads": [1, 1, 1, 1], "group": 64})]),
    ("W4g", "grouped.relay", lambda: [normal(1, 64, 56, 56), normal(64, 16, 3, 3), normal(64)], grouped, None,
     [("Conv", ["a0", "a1", "a2"], "c", {"pads": [1, 1, 1, 1], "group": 4}), ("Relu", ["c"], "y", {})]),
    ("W4t", "transposed.relay", lambda: [normal(1, 128, 14, 14), normal(128, 64, 3, 3)], transposed, None,
     [("ConvTranspose", ["a0", "a1"], "y", {"pads": [1, 1, 1, 1], "strides": [2, 2], "output_padding": [1, 1]})]),
    ("W4r", "resize.relay", lambda: [normal(1, 64, 56, 56)], resize, None,
     [("Constant", [], "size", {"value_ints": [1, 64, 112, 112]}),
      ("Resize", ["a0", "", "", "size"], "y", {"mode": "linear", "coordinate_transformation_mode": "half_pixel"})]),
    ("W4u", "upsampling.relay", lambda: [normal(1, 64, 56, 56)], lambda x: x.repeat(2, 2).repeat(2, 3), None,
     [("Constant", [], "size", {"value_ints": [1, 64, 112, 112]}),
      ("Resize", ["a0", "", "", "size"], "y", {"mode": "nearest", "coordinate_transformation_mode": "asymmetric",
                                                "nearest_mode": "floor"})]),
    ("W4p", "max_pool.relay", lambda: [normal(1, 64, 56, 56)], max_pool, None,
     [("MaxPool", ["a0"], "y", {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1], "strides": [2, 2]})]),
    ("W5", "attention.relay", lambda: [normal(8, 256, 64), normal(8, 256, 64), normal(8, 256, 64)], attention, None, None),
    ("W6", "elementwise.relay", lambda: [normal(10_000_000)],
     lambda x: np.exp(np.sin(x) * 2 + 1) / (1 + x * x), None, None),
    ("W6n", "arithmetic_any.relay", lambda: [normal(1024, 1024), normal(1024, 1024)], lambda x, y: x * y + x, None,
     [("Mul", ["a0", "a1"], "p", {}), ("Add", ["p", "a0"], "y", {})]),
    ("W6w", "where.relay", lambda: [normal(512, 1024), normal(512, 1024)], lambda x, y: np.where(x > 0, x, y), None,
     [("Constant", [], "zero", {"value_float": 0.0}), ("Greater", ["a0", "zero"], "c", {}),
      ("Where", ["c", "a0", "a1"], "y", {})]),
    ("W6t", "tanh.relay", lambda: [normal(1_000_000)], np.tanh, None, [("Tanh", ["a0"], "y", {})]),
    ("W6e", "erf.relay", lambda: [normal(1_000_000)], erf, None, [("Erf", ["a0"], "y", {})]),
]

# The multiply-adds of rows that are not bound by memory alone.
MULTIPLY_ADDS = {
    "W1a": 512**3,
    "W1b": 1024**3,
    "W1k": 512**3,
    "W3": 64 * (784 * 512 + 512 * 512 + 512 * 10),
    "W4": 64 * 64 * 9 * 56**2,
    "W4w": 64 * 64 * 9 * 56**2,
    "W4n": 64 * 64 * 9 * 56**2,
    "W4d": 64 * 9 * 56**2,
    "W4g": 64 * 16 * 9 * 56**2,
    "W4t": 128 * 64 * 9 * 14**2,
    "W5": 2 * 8 * 256 * 256 * 64,
}
# Flags of `kc`: by Winograd's method, the convolution has other roundings.
FLAGS = {"W4w": ["--fp=fast"]}
# The program on floats that a row of integers is compared with, on the same numbers.
ON_FLOATS = {"W3q": "dense_float32.relay"}


def main():
    kc, wanted = sys.argv[1], sys.argv[2:]
    wrong = False
    roofline = Roofline(lambda *kernel: by_hand(kc, *kernel))
    print(f"roofline: {2e-9 * roofline.rate:.0f} GFLOP/s in float32", flush=True)
    for name, source, inputs, reference, text, nodes in ROWS:
        if wanted and name.split()[0] not in wanted:
            continue
        arrays = inputs()
        expected = reference(*[array.astype(np.float64) for array in arrays])
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            compiled = Compiled(kc, HERE / source, folder / "kernel.so", expected, *FLAGS.get(name, []))
            error = np.abs(compiled.value(arrays) - expected).max() / np.abs(expected).max()
            wrong |= not error < AGREEMENT
            others = [("numpy", lambda: reference(*arrays))]
            if THREADS > 1:
                same = np.array_equal(compiled.value(arrays), compiled.value(arrays, THREADS), equal_nan=True)
                wrong |= not same
                others.append((f"{THREADS} threads", compiled.timed(arrays, THREADS)))
            if name in ON_FLOATS:
                floats = Compiled(kc, HERE / ON_FLOATS[name], folder / "floats.so", expected.astype(np.float32))
                others.append(("float32", floats.timed([array.astype(np.float32) for array in arrays])))
            given = Path(os.environ.get("BENCH_HAND", ".")) / f"{name.split()[0]}.mlir"
            if "BENCH_HAND" in os.environ and given.exists():
                text = given.read_text
            if text is not None:
                run, _ = by_hand(kc, text(), folder, arrays, expected.shape)
                others.insert(0, ("by hand", run))
            session = onnx(nodes, arrays, expected) if nodes is not None else None
            if session is not None:
                others.append(("onnxruntime", session))
            own, *times = best_times([compiled.timed(arrays)] + [run for _, run in others])
        ratios = "  ".join(f"{own / time:5.2f} x {label}" for (label, _), time in zip(others, times))
        milliseconds = "  ".join(f"{label} {time * 1e3:.3f}" for (label, _), time in zip(others, times))
        if name not in ON_FLOATS:
            size = sum(array.nbytes for array in arrays) + expected.size * 4
            ratios += f"  {own / roofline.seconds(MULTIPLY_ADDS.get(name, 0), size):5.2f} x roofline"
        print(f"{name:6} {ratios}   | ms: minoan {own * 1e3:.3f}  {milliseconds}  error {error:.0e}", flush=True)
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
