#!/usr/bin/env python3
"""Times gradients against their objectives, and both against C by hand and installed peers.

    cargo xtask bench gradients [row ..]

Each row is a program, compiled by `kc build --emit=so --gradients`. The functions of a row run in one process in turns, on the
same inputs and one thread; the best time of each counts. Gradients include the value of the objective. Printed first are the time of the gradient over that of the objective, and over
those of the peers: above 1 the compiled gradient is slower. Values are compared with those of the C, and with NumPy where a row has
them. Derivatives with respect to data are not computed by anybody.

`convolution` measures gradients of convolutions of Relay, by the sizes of images and windows. The values are compared with jax, or with differences
along a direction if it is not installed.

`sweep` measures gradients by the size of their input, with the line through the times: what a call costs, what an element costs, and how
well the times agree with it (R^2 above 0.99). `differentiate` measures the pass itself by the number of operations of a function.

The C of hand.c is built by gcc with -O3 -march=native -ffast-math. jax is measured if it is installed. Exit code: 0; 1 if a
value is wrong or a time is not linear.
"""

import ctypes
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", MINOAN_THREADS="1")
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
import numpy as np  # noqa: E402  (the threads are set before)

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "bench/kernels"))
from bench_kernels import best_times  # noqa: E402  (found by the path above)

RANDOM = np.random.RandomState(0)


def run(command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stderr.strip()}")


def memref(rank):
    class MemRef(ctypes.Structure):
        _fields_ = [
            ("allocated", ctypes.c_void_p),
            ("aligned", ctypes.c_void_p),
            ("offset", ctypes.c_int64),
            ("sizes", ctypes.c_int64 * rank),
            ("strides", ctypes.c_int64 * rank),
        ]

    return MemRef


class Compiled:
    """A function of a library; `ranks` are those of its results, `None` for numbers."""

    def __init__(self, library, symbol, dtype, ranks):
        self.call = getattr(library, f"minoan_packed_{symbol}")
        self.call.restype = None
        self.free = library.minoan_free
        self.free.restype, self.free.argtypes = None, [ctypes.c_void_p]
        self.number = ctypes.c_float if dtype == np.float32 else ctypes.c_double
        self.ranks = ranks

    def slot(self, value):
        if isinstance(value, np.ndarray):
            strides = [stride // value.itemsize for stride in value.strides]
            many = ctypes.c_int64 * value.ndim
            made = memref(value.ndim)(value.ctypes.data, value.ctypes.data, 0, many(*value.shape), many(*strides))
            return made
        return ctypes.c_int64(value) if isinstance(value, int) else self.number(value)

    def run(self, args):
        results = [self.number() if rank is None else memref(rank)() for rank in self.ranks]
        slots = [*map(self.slot, args), *results]
        self.call((ctypes.c_void_p * len(slots))(*map(ctypes.addressof, slots)))
        return results

    def values(self, args):
        found = []
        for rank, result in zip(self.ranks, self.run(args)):
            if rank is None:
                found.append(result.value)
                continue
            pointer = ctypes.cast(result.aligned, ctypes.POINTER(self.number))
            shape = tuple(result.sizes) if rank else ()
            found.append(np.ctypeslib.as_array(pointer, shape or (1,)).reshape(shape).copy())
            self.free(result.allocated)
        return found

    def timed(self, args):
        def call():
            for rank, result in zip(self.ranks, self.run(args)):
                if rank is not None:
                    self.free(result.allocated)

        return call


def by_hand(library, name, dtype, sizes, args, shapes):
    """The objective and the gradient of a function of hand.c, which takes sizes, arguments and the tensors of the gradient."""
    function = getattr(library, name)
    number = ctypes.c_float if dtype == np.float32 else ctypes.c_double
    function.restype = number
    given = [ctypes.c_int64(size) for size in sizes]
    for arg in args:
        is_array = isinstance(arg, np.ndarray)
        given.append(ctypes.c_void_p(arg.ctypes.data) if is_array else ctypes.c_int64(arg) if isinstance(arg, int) else number(arg))
    gradient = [np.empty(shape, dtype) for shape in shapes]
    outputs = [ctypes.c_void_p(part.ctypes.data) for part in gradient]
    none = [ctypes.c_void_p() for _ in shapes]
    return (lambda: function(*given, *none)), (lambda: function(*given, *outputs)), gradient


def normal(*shape):
    return RANDOM.randn(*shape)


def gmm(d, n, k):
    args = [normal(k), normal(k, d), 0.3 * normal(k, d), 0.3 * normal(k, d * (d - 1) // 2), normal(n, d), 1.0, 0]
    return args, (d, k, n)


def gmm_jax(jnp, alphas, means, qs, ls, x, gamma, m):
    d, k = x.shape[1], means.shape[0]
    columns, rows = np.nonzero(np.triu(np.ones((d, d)), 1))
    lower = jnp.zeros((k, d, d), x.dtype).at[:, rows, columns].set(ls)
    diagonal, off = jnp.exp(qs), x[:, None] - means[None]
    moved = diagonal * off + jnp.einsum("kij,nkj->nki", lower, off)
    terms = alphas + qs.sum(1) - 0.5 * (moved**2).sum(2)

    def logsumexp(v):
        largest = v.max(-1, keepdims=True)
        return (largest + jnp.log(jnp.exp(v - largest).sum(-1, keepdims=True))).sum()

    prior = 0.5 * gamma**2 * ((diagonal**2).sum() + (ls**2).sum()) - m * qs.sum()
    return logsumexp(terms) - x.shape[0] * logsumexp(alphas) + prior


def lstm(layers, steps, b):
    sequence = np.eye(b)[RANDOM.randint(b, size=steps)]
    args = [normal(2 * layers, 4 * b), normal(3, b), normal(2 * layers, b), sequence]
    return args, (layers, b, steps)


def lstm_jax(jnp, parameters, extra, state, sequence):
    import jax

    layers, b = state.shape[0] // 2, state.shape[1]

    def step(state, pair):
        now, following = pair
        shown, rows = now * extra[0], []
        for layer in range(layers):
            weight, bias = [parameters[2 * layer + row].reshape(4, b) for row in (0, 1)]
            hidden, cell = state[2 * layer], state[2 * layer + 1]
            forget, outgate = [jax.nn.sigmoid(shown * weight[at] + bias[at]) for at in (0, 2)]
            ingate = jax.nn.sigmoid(hidden * weight[1] + bias[1])
            cell = cell * forget + ingate * jnp.tanh(hidden * weight[3] + bias[3])
            shown = outgate * jnp.tanh(cell)
            rows += [shown, cell]
        predicted = shown * extra[1] + extra[2]
        return jnp.stack(rows), (following * (predicted - jnp.log(2 + jnp.exp(predicted).sum()))).sum()

    totals = jax.lax.scan(step, state, (sequence[:-1], sequence[1:]))[1]
    return -totals.sum() / ((sequence.shape[0] - 1) * b)


# Name, source, function, parameters of the gradient, inputs, the function in jax.
GMM = ("examples/gmm.ks", "gmm_objective", ["alphas", "means", "qs", "ls"])
LSTM = ("examples/lstm.ks", "lstm_objective", ["parameters", "extra"])
XSINX = ("bench/gradients/xsinx.ks", "xsinx", ["x"])
ROWS = [
    ("gmm 2,1000,5", *GMM, lambda: gmm(2, 1000, 5), "gmm", gmm_jax),
    ("gmm 10,1000,25", *GMM, lambda: gmm(10, 1000, 25), "gmm", gmm_jax),
    ("gmm 64,1000,25", *GMM, lambda: gmm(64, 1000, 25), "gmm", gmm_jax),
    ("lstm 2,1024,14", *LSTM, lambda: lstm(2, 1024, 14), "lstm", lstm_jax),
    ("lstm 4,4096,14", *LSTM, lambda: lstm(4, 4096, 14), "lstm", lstm_jax),
    ("xsinx 1000000", *XSINX, lambda: ([normal(1_000_000)], (1_000_000,)), "xsinx", lambda jnp, x: (x * jnp.sin(x)).sum()),
]


def jax_functions(function, args, wrt, dtype):
    try:
        import jax
    except ImportError:
        return None
    jax.config.update("jax_enable_x64", dtype == np.float64)
    place = [jax.numpy.asarray(arg) if isinstance(arg, np.ndarray) else arg for arg in args]
    both = [jax.jit(lambda *own: function(jax.numpy, *own)), jax.jit(jax.value_and_grad(lambda *own: function(jax.numpy, *own), wrt))]
    return [lambda it=it: jax.block_until_ready(it(*place)) for it in both]


def difference(own, other):
    return max(float(np.abs(x - y).max() / max(np.abs(y).max(), 1e-30)) for x, y in zip(own, other))


def measure(kc, folder, row, dtype):
    name, source, entry, parameters, inputs, c_name, jax_function = row
    single = dtype == np.float32
    args, sizes = inputs()
    args = [np.ascontiguousarray(arg, dtype) if isinstance(arg, np.ndarray) else arg for arg in args]
    wrt = tuple(range(len(parameters)))
    path = folder / f"{entry}_{dtype.__name__}.so"
    if not path.exists():
        flags = ["--float", "f32" if single else "f64", "--gradients", entry, "--wrt", ",".join(parameters)]
        run([kc, "build", ROOT / source, "--emit=so", "-o", path, "--entry", entry, *flags])
    library = ctypes.CDLL(str(path))
    objective = Compiled(library, entry, dtype, [None])
    gradient = Compiled(library, f"{entry}.gradient", dtype, [None, *[args[at].ndim for at in wrt]])
    hand = ctypes.CDLL(str(folder / ("hand_float.so" if single else "hand_double.so")))
    c_objective, c_gradient, expected = by_hand(hand, c_name, dtype, sizes, args, [args[at].shape for at in wrt])
    c_gradient()
    errors = [difference(gradient.values(args)[1:], expected), difference(objective.values(args), [c_objective()])]
    peers = [("C", c_gradient), ("C objective", c_objective)]
    traced = jax_functions(jax_function, args, wrt, dtype)
    if traced is not None:
        errors.append(difference([np.asarray(part) for part in traced[1]()[1]], expected))
        peers += [("jax", traced[1]), ("jax objective", traced[0])]
    own, primal, *times = best_times([gradient.timed(args), objective.timed(args), *[call for _, call in peers]])
    ratios = [f"{own / primal:5.2f} x objective"]
    ratios += [f"{own / time:5.2f} x {label}" for (label, _), time in zip(peers, times) if "objective" not in label]
    shown = [f"{label} {time * 1e3:.3f}" for (label, _), time in zip(peers, times)]
    limit = 2e-3 if single else 1e-9
    print(f"{name:16} {dtype.__name__}  {'  '.join(ratios)}   | ms: gradient {own * 1e3:.3f}  objective {primal * 1e3:.3f}  "
          f"{'  '.join(shown)}   error {max(errors):.0e}", flush=True)
    return max(errors) < limit


def bundle(cameras, points, observations):
    args = [normal(cameras, 11), normal(points, 3), normal(observations)]
    args[0][:, 5] -= 20
    seen = [RANDOM.randint(limit, size=observations) for limit in (cameras, points)]
    return [*args, np.stack(seen, 1), normal(observations, 2)]


def jacobian(kc, folder, dtype):
    """The errors of bundle adjustment and their Jacobian, two rows of 17 numbers for each observation."""
    flags = ["--float", "f32" if dtype == np.float32 else "f64", "--entry", "errors", "--entry", "jacobian"]
    path = folder / f"bundle_{dtype.__name__}.so"
    run([kc, "build", ROOT / "examples/ad/bundle.ks", "--emit=so", "-o", path, *flags])
    library = ctypes.CDLL(str(path))
    errors, rows = Compiled(library, "errors", dtype, [1] * 2), Compiled(library, "jacobian", dtype, [1] * 34)
    args = bundle(49, 7776, 31843)
    args = [np.ascontiguousarray(arg, dtype if arg.dtype == np.float64 else np.int64) for arg in args]
    # A direction that moves everything; each observation sees its own part of it.
    ways = [normal(*arg.shape).astype(arg.dtype) if arg.dtype == dtype else np.zeros_like(arg) for arg in args]
    camera, point = args[3].T
    own = np.concatenate([ways[0][camera], ways[1][point], ways[2][:, None], ways[4]], 1)
    found = np.array(rows.values(args)).reshape(2, 17, -1)
    products = np.einsum("ekp,pk->ep", found, own)
    step = 1e-6 if dtype == np.float64 else 1e-2

    def moved(sign):
        return errors.values([arg + (sign * step * way).astype(arg.dtype) for arg, way in zip(args, ways)])

    differences = (np.array(moved(1)) - np.array(moved(-1))) / (2 * step)
    close = np.abs(products - differences) <= (1e-4 if dtype == np.float64 else 0.1) * (1 + np.abs(products))
    derived, base = best_times([rows.timed(args), errors.timed(args)])
    print(f"bundle 49,7776,31843 {dtype.__name__}  {derived / base:5.2f} x errors   | ms: jacobian {derived * 1e3:.3f}  "
          f"errors {base * 1e3:.3f}   agrees with differences: {close.mean():.4f}", flush=True)
    # Central differences in float32 are too coarse for a tenth of the observations.
    return close.mean() > (0.99 if dtype == np.float64 else 0.8)


def hessian(kc, folder, dtype):
    """The product of the Hessian of the mixture model with a direction, beside the gradient."""
    flags = ["--float", "f32" if dtype == np.float32 else "f64", "--entry", "gmm_gradient", "--entry", "gmm_hessian"]
    path = folder / f"hessian_{dtype.__name__}.so"
    run([kc, "build", ROOT / "examples/gmm.ks", HERE / "gmm_hessian.ks", "--emit=so", "-o", path, *flags])
    library = ctypes.CDLL(str(path))
    ranks = [1, 2, 2, 2]
    gradient, product = Compiled(library, "gmm_gradient", dtype, ranks), Compiled(library, "gmm_hessian", dtype, ranks)
    args, _ = gmm(10, 1000, 25)
    args = [np.ascontiguousarray(arg, dtype) if isinstance(arg, np.ndarray) else arg for arg in args]
    ways = [normal(*arg.shape).astype(dtype) for arg in args[:4]]
    step = 1e-6 if dtype == np.float64 else 1e-2

    def moved(sign):
        return gradient.values([*[arg + (sign * step * way).astype(dtype) for arg, way in zip(args, ways)], *args[4:]])

    differences = [(x - y) / (2 * step) for x, y in zip(moved(1), moved(-1))]
    error = difference(product.values([*args, *ways]), differences)
    derived, base = best_times([product.timed([*args, *ways]), gradient.timed(args)])
    print(f"hessian 10,1000,25 {dtype.__name__}  {derived / base:5.2f} x gradient   | ms: product {derived * 1e3:.3f}  "
          f"gradient {base * 1e3:.3f}   error {error:.0e}", flush=True)
    return error < (1e-5 if dtype == np.float64 else 0.1)


# Images, channels, their height and width, channels of the result, height and width of the windows, stride.
CONVOLUTIONS = [(8, 16, 28, 32, 3, 1), (1, 64, 56, 64, 3, 1), (8, 64, 14, 128, 3, 1), (8, 128, 7, 128, 3, 1), (8, 64, 28, 64, 1, 1), (8, 3, 64, 32, 7, 2)]


def convolution(kc, folder, dtype):
    """Gradients of sums of convolutions with respect to the images and the weights."""
    template, right = (HERE / "convolution.relay").read_text(), True
    for sizes in CONVOLUTIONS:
        n, c, h, k, r, stride = sizes
        places = dict(N=n, C=c, H=h, K=k, R=r, S=stride, P=r // 2, TYPE="float32" if dtype == np.float32 else "float64")
        path = folder / f"convolution_{'_'.join(map(str, sizes))}_{dtype.__name__}.so"
        source = path.with_suffix(".relay")
        source.write_text(re.sub(r"\b(?:N|C|H|K|R|S|P|TYPE)\b", lambda place: str(places[place[0]]), template))
        run([kc, "build", source, "--emit=so", "-o", path, "--entry", "convolution", "--gradients", "convolution"])
        library = ctypes.CDLL(str(path))
        objective, gradient = Compiled(library, "convolution", dtype, [0]), Compiled(library, "convolution.gradient", dtype, [0, 4, 4])
        args = [normal(n, c, h, h).astype(dtype), (normal(k, c, r, r) / np.sqrt(c * r * r)).astype(dtype)]
        ways = [normal(*arg.shape).astype(dtype) for arg in args]
        step = 1e-6 if dtype == np.float64 else 1e-3
        ends = [float(objective.values([arg + (sign * step * way).astype(dtype) for arg, way in zip(args, ways)])[0]) for sign in (1, -1)]
        found = gradient.values(args)[1:]
        product = sum(float((part.astype(np.float64) * way).sum()) for part, way in zip(found, ways))
        norm = np.sqrt(sum(float((part.astype(np.float64) ** 2).sum()) for part in found))
        error = abs(product - (ends[0] - ends[1]) / (2 * step)) / norm
        limit, peers, names = 1e-6 if dtype == np.float64 else 2e-1, [], []
        traced = jax_functions(lambda jnp, x, w: jnp.tanh(jax_convolution(x, w, stride, r // 2)).sum(), args, (0, 1), dtype)
        if traced is not None:
            peers, names = [traced[1], traced[0]], ["jax", "jax objective"]
            error, limit = difference(found, [np.asarray(part) for part in traced[1]()[1]]), 1e-4 if dtype == np.float32 else 1e-10
        own, primal, *times = best_times([gradient.timed(args), objective.timed(args), *peers])
        ratios = [f"{own / primal:5.2f} x objective", *[f"{own / time:5.2f} x {name}" for name, time in zip(names[:1], times)]]
        shown = "".join(f"  {name} {time * 1e3:.3f}" for name, time in zip(names, times))
        name = f"convolution {','.join(map(str, sizes))}"
        print(f"{name:28} {dtype.__name__}  {'  '.join(ratios)}   | ms: gradient {own * 1e3:.3f}  objective {primal * 1e3:.3f}{shown}   "
              f"error {error:.0e}", flush=True)
        right &= error < limit
    return right


def jax_convolution(x, w, stride, padding):
    import jax

    return jax.lax.conv_general_dilated(x, w, (stride, stride), [(padding, padding)] * 2)


# Name, source, function, parameters of the gradient, sizes, inputs of a size.
ELEMENTS = [10_000, 20_000, 40_000, 80_000, 160_000]
SWEEPS = [
    ("gmm 4,n,8", *GMM, [500, 1000, 2000, 4000, 8000], lambda n: gmm(4, n, 8)[0]),
    ("lstm 2,n,14", *LSTM, [256, 512, 1024, 2048, 4096], lambda n: lstm(2, n, 14)[0]),
    *[(name, "bench/gradients/sweeps.ks", name, ["x"], ELEMENTS, lambda n: [normal(n)]) for name in ("gathers", "product", "recurrences", "ragged")],
]


def line(sizes, times):
    """The time of nothing, the time of each unit of size, and the coefficient of determination of the line through the times."""
    slope, start = np.polyfit(sizes, times, 1)
    off = times - (start + slope * np.array(sizes))
    return start, slope, 1 - (off**2).sum() / ((times - times.mean()) ** 2).sum()


def sweep(kc, folder, dtype):
    """The times of gradients by the size of the input, and the lines through them."""
    right = True
    for name, source, entry, parameters, sizes, inputs in SWEEPS:
        path = folder / f"{entry}_{dtype.__name__}.so"
        if not path.exists():
            flags = ["--float", "f32" if dtype == np.float32 else "f64", "--gradients", entry, "--wrt", ",".join(parameters)]
            run([kc, "build", ROOT / source, "--emit=so", "-o", path, "--entry", entry, *flags])
        calls = []
        for size in sizes:
            args = [np.ascontiguousarray(arg, dtype) if isinstance(arg, np.ndarray) else arg for arg in inputs(size)]
            ranks = [np.ndim(arg) for arg in args[: len(parameters)]]
            gradient = Compiled(ctypes.CDLL(str(path)), f"{entry}.gradient", dtype, [None, *ranks])
            calls.append(gradient.timed(args))
        times = np.array(best_times(calls))
        start, slope, fit = line(sizes, times)
        shown = "  ".join(f"{size}: {time * 1e3:.3f}" for size, time in zip(sizes, times))
        print(f"sweep {name:12} {dtype.__name__}  R^2 {fit:.5f}   {start * 1e6:+.1f} us + n * {slope * 1e9:.2f} ns   | ms by n: {shown}", flush=True)
        right &= fit > 0.99
    return right


def chain(count):
    """A function of a number of operations on numbers."""
    steps = ["arith.addf {0}, %y", "arith.mulf {0}, %x", "math.sin {0}", "arith.subf {0}, %y", "arith.divf {0}, %y"]
    names = ["%x", *[f"%v{at}" for at in range(count)]]
    lines = [f"  {names[at + 1]} = {steps[at % 5].format(names[at])} : f64" for at in range(count)]
    return "\n".join(["func.func @f(%x: f64, %y: f64) -> f64 {", *lines, f"  return {names[-1]} : f64", "}\n"])


def differentiated(kc, folder, dtype):
    """The time to differentiate a function by the number of its operations; it does not depend on the type of numbers."""
    if dtype != np.float64:
        return True
    sizes, times = [12_500, 25_000, 50_000, 100_000], []
    for size in sizes:
        path = folder / f"chain_{size}.mlir"
        path.write_text(chain(size))
        own = []
        for _ in range(3):
            command = [Path(kc).with_name("kopt"), path, "--gradient=functions=f", "--mlir-timing", "-o", os.devnull]
            done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
            if done.returncode != 0:
                sys.exit(done.stderr)
            rows = [row.split() for row in done.stderr.splitlines() if row.strip().endswith(" gradient")]
            own.append(float(rows[0][0]))
        times.append(min(own))
    start, slope, fit = line(sizes, np.array(times))
    shown = "  ".join(f"{size}: {time:.3f}" for size, time in zip(sizes, times))
    print(f"differentiate n operations  R^2 {fit:.5f}   n * {slope * 1e6:.2f} us   | s by n: {shown}", flush=True)
    return fit > 0.99 and times[-1] < 1


OTHERS = {"bundle": jacobian, "hessian": hessian, "convolution": convolution, "sweep": sweep, "differentiate": differentiated}


def main():
    kc, wanted = sys.argv[1], sys.argv[2:]
    right = True
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for real in ("float", "double"):
            flags = ["-O3", "-march=native", "-ffast-math", f"-DREAL={real}", "-shared", "-fPIC"]
            run(["gcc", *flags, HERE / "hand.c", "-o", folder / f"hand_{real}.so", "-lm"])
        for row in ROWS:
            if not wanted or any(row[0].startswith(name) for name in wanted):
                for dtype in (np.float32, np.float64):
                    right &= measure(kc, folder, row, dtype)
        for name, other in OTHERS.items():
            if not wanted or name in wanted:
                for dtype in (np.float32, np.float64):
                    right &= other(kc, folder, dtype)
    return int(not right)


if __name__ == "__main__":
    sys.exit(main())
