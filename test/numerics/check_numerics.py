#!/usr/bin/env python3
"""Compares what `kc run` computes for the examples with NumPy.

    python3 test/numerics/check_numerics.py --kc target/release/kc

For each size and seed the inputs are drawn at random, rounded to float32 so that every configuration sees the same
numbers, and given to `kc run --entry`, with the interpreter and with compiled code, Float as 32 and as 64 bits. The
expected values are computed here, in float64, from the definitions of the functions and not from the programs.

The error of a result is relative to its condition: to the sum of the magnitudes of the terms that it is the sum of,
so that cancellation in the problem is not held against the program. It may be 1e-5 for float32 and 1e-12 for float64.

Exit code: 0 when all agree, 1 when something does not or `kc` fails, 2 when the check could not run.
"""

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

try:
    import numpy as np
except ImportError:
    print("check_numerics.py needs NumPy: python3 -m pip install numpy", file=sys.stderr)
    sys.exit(2)

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
TOLERANCE = {"f32": 1e-5, "f64": 1e-12}
TIMEOUT = 300


# What the programs should compute. Each function returns the expected value and its condition, of the same shape.


def logsumexp(values):
    largest = values.max(axis=-1, keepdims=True)
    return (largest + np.log(np.exp(values - largest).sum(axis=-1, keepdims=True))).squeeze(-1)


def multivariate_lgamma(a, d):
    return 0.25 * d * (d - 1) * math.log(math.pi) + sum(math.lgamma(a + 0.5 * (1 - j)) for j in range(1, d + 1))


def gmm_objective(alphas, means, qs, ls, x, gamma, m):
    n, d = x.shape
    k = alphas.shape[0]
    factors = np.zeros((k, d, d))
    for component in range(k):
        # Below the diagonal, column after column.
        rest = iter(ls[component])
        for column in range(d):
            factors[component, column, column] = np.exp(qs[component, column])
            for row in range(column + 1, d):
                factors[component, row, column] = next(rest)
    centered = x[:, None, :] - means[None, :, :]
    scaled = np.einsum("kij,nkj->nki", factors, centered)
    points = logsumexp(alphas + qs.sum(axis=1) - 0.5 * (scaled**2).sum(axis=2))

    freedom = d + m + 1
    frobenius = (factors**2).sum(axis=(1, 2))
    constant = freedom * d * (math.log(gamma) - 0.5 * math.log(2)) - multivariate_lgamma(0.5 * freedom, d)
    terms = np.concatenate(
        [
            points,
            [-n * d * 0.5 * math.log(2 * math.pi), -n * logsumexp(alphas), -k * constant],
            0.5 * gamma**2 * frobenius,
            -m * qs.sum(axis=1),
        ]
    )
    return terms.sum(), np.abs(terms).sum()


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def lstm_step(weight, bias, hidden, cell, x):
    forget_w, in_w, out_w, change_w = weight.reshape(4, -1)
    forget_b, in_b, out_b, change_b = bias.reshape(4, -1)
    forgotten = cell * sigmoid(x * forget_w + forget_b)
    added = sigmoid(hidden * in_w + in_b) * np.tanh(hidden * change_w + change_b)
    new_cell = forgotten + added
    new_hidden = sigmoid(x * out_w + out_b) * np.tanh(new_cell)
    return (new_hidden, new_cell), (np.ones_like(hidden), 1 + np.abs(forgotten) + np.abs(added))


def lstm_objective(parameters, extra, state, sequence):
    state = state.copy()
    total, condition = 0.0, 0.0
    for x, following in zip(sequence[:-1], sequence[1:]):
        shown = x * extra[0]
        for layer in range(0, state.shape[0], 2):
            step, _ = lstm_step(parameters[layer], parameters[layer + 1], state[layer], state[layer + 1], shown)
            state[layer], state[layer + 1] = step
            shown = step[0]
        prediction = shown * extra[1] + extra[2]
        norm = np.log(np.exp(prediction).sum() + 2)
        total += (following * (prediction - norm)).sum()
        condition += (np.abs(following) * (np.abs(prediction) + np.abs(norm))).sum()
    count = (sequence.shape[0] - 1) * sequence.shape[1]
    return -total / count, condition / count


def matmul(a, b):
    return a @ b, np.abs(a) @ np.abs(b)


def matvec(a, x):
    return a @ x, np.abs(a) @ np.abs(x)


def row_normalize(x):
    return x / x.sum(axis=1, keepdims=True), np.ones_like(x)


def softmax(x):
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def attention(q, k, v):
    scores = np.einsum("bhqd,bhkd->bhqk", q, k)
    # The error of a score goes into its power.
    spread = 1 + np.einsum("bhqd,bhkd->bhqk", np.abs(q), np.abs(k)).max(axis=-1, keepdims=True)
    weights = softmax(scores)
    condition = np.einsum("bhqk,bhkd->bhqd", weights * spread, np.abs(v))
    return np.einsum("bhqk,bhkd->bhqd", weights, v), condition


def confidence(rows, weights):
    scores = row_normalize(rows)[0] @ weights.T
    condition = 1 + np.abs(weights).max()
    return softmax(scores).max(axis=1), np.full(rows.shape[0], condition)


def mlp(x, w1, b1, w2, b2):
    hidden = np.maximum(x @ w1.T + b1, 0)
    condition = 1 + (np.maximum(np.abs(x) @ np.abs(w1).T, 0) @ np.abs(w2).T).max()
    return softmax(hidden @ w2.T + b2), np.full((1, 10), condition)


def conv(x, w):
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(2, 3))
    return np.einsum("nchwij,ocij->nohw", windows, w)


def resnet(x, stem, a1, a2, b1, b2, gamma, beta, mean, var, fc_w, fc_b):
    def run(magnitude):
        size = np.abs if magnitude else lambda value: value
        scale = size(gamma / np.sqrt(var + 1e-5))[:, None, None]

        def conv_bn(value, w):
            shifted = conv(value, size(w)) + (size(mean) if magnitude else -mean)[:, None, None]
            return shifted * scale + size(beta)[:, None, None]

        def block(value, w1, w2):
            return np.maximum(conv_bn(np.maximum(conv_bn(value, w1), 0), w2) + value, 0)

        value = np.maximum(conv_bn(size(x), stem), 0)
        value = block(block(value, a1, a2), b1, b2)
        return value.mean(axis=(2, 3)) @ size(fc_w).T + size(fc_b)

    return run(False), run(True)


# Inputs.


def normal(rng, *shape):
    return rng.standard_normal(shape).astype(np.float32).astype(np.float64)


def gmm_inputs(rng, d, k, n):
    ls = normal(rng, k, d * (d - 1) // 2)
    return [normal(rng, k), normal(rng, k, d), 0.5 * normal(rng, k, d), ls, normal(rng, n, d), 1.5, 2]


def step_inputs(rng, b):
    return [normal(rng, 4 * b), normal(rng, 4 * b), normal(rng, b), normal(rng, b), normal(rng, b)]


def lstm_inputs(rng, layers, b, c):
    return [normal(rng, 2 * layers, 4 * b), normal(rng, 3, b), normal(rng, 2 * layers, b), normal(rng, c, b)]


def matmul_inputs(rng, n, m, p):
    return [normal(rng, n, m), normal(rng, m, p)]


def matvec_inputs(rng, n, m):
    return [normal(rng, n, m), normal(rng, m)]


def attention_inputs(rng, b, h, q, k, d):
    return [normal(rng, b, h, q, d), normal(rng, b, h, k, d), normal(rng, b, h, k, d)]


def rows_inputs(rng, n, m):
    return [np.abs(normal(rng, n, m)) + 0.5]


MLP = ("x", "fc1/weight", "fc1/bias", "fc2/weight", "fc2/bias")


def mlp_inputs(rng):
    return [normal(rng, 1, 784), 0.05 * normal(rng, 128, 784), normal(rng, 128), 0.1 * normal(rng, 10, 128), normal(rng, 10)]


BLOCKS = ("block1/w1", "block1/w2", "block2/w1", "block2/w2")
RESNET = ("x", "stem/w", *BLOCKS, "gamma", "beta", "mean", "var", "fc/w", "fc/b")


def resnet_inputs(rng):
    weights = [0.3 * normal(rng, 4, 4, 3, 3) for _ in BLOCKS]
    norms = [normal(rng, 4), normal(rng, 4), normal(rng, 4), 0.5 + np.abs(normal(rng, 4))]
    return [normal(rng, 1, 3, 8, 8), normal(rng, 4, 3, 3, 3), *weights, *norms, normal(rng, 5, 4), normal(rng, 5)]


def mixed_inputs(rng, n):
    return [np.abs(normal(rng, n, 3)) + 0.5, normal(rng, 2, 3)]


@dataclass
class Case:
    """A function of an example, what it should compute, and the inputs that it is tried on."""

    program: str
    function: Callable
    draw: Callable
    # What the inputs are drawn for.
    sizes: list
    # Relay says itself how wide its floats are.
    widths: tuple = ("f32", "f64")
    # The other files of the program.
    links: tuple = ()
    # Where it starts; the name of the function, when it has that one.
    entry: str = ""
    # Names of the parameters: the inputs are given by them, in an archive of arrays.
    names: tuple = ()


CASES = [
    Case(
        "gmm.ks",
        gmm_objective,
        gmm_inputs,
        [
            dict(d=1, k=1, n=1),
            dict(d=1, k=3, n=5),
            dict(d=2, k=1, n=1),
            dict(d=2, k=5, n=10),
            dict(d=3, k=2, n=1),
            dict(d=10, k=5, n=50),
            dict(d=10, k=25, n=200),
            dict(d=32, k=3, n=20),
        ],
    ),
    Case("lstm.ks", lstm_step, step_inputs, [dict(b=1), dict(b=4), dict(b=33)]),
    Case(
        "lstm.ks",
        lstm_objective,
        lstm_inputs,
        [dict(layers=1, b=1, c=2), dict(layers=2, b=14, c=20), dict(layers=4, b=5, c=3)],
    ),
    Case(
        "matmul.ks",
        matmul,
        matmul_inputs,
        [dict(n=1, m=1, p=1), dict(n=1, m=7, p=1), dict(n=3, m=1, p=4), dict(n=17, m=31, p=13), dict(n=64, m=64, p=64)],
    ),
    Case("matmul.ks", matvec, matvec_inputs, [dict(n=1, m=1), dict(n=5, m=3), dict(n=33, m=65)]),
    Case("row_normalize.iexpr", row_normalize, rows_inputs, [dict(n=1, m=1), dict(n=3, m=2), dict(n=17, m=40)]),
    Case(
        "attention.iexpr",
        attention,
        attention_inputs,
        [dict(b=1, h=1, q=1, k=1, d=1), dict(b=2, h=3, q=4, k=4, d=8), dict(b=1, h=2, q=5, k=17, d=3)],
    ),
    Case(
        "mixed/main.ks",
        confidence,
        mixed_inputs,
        [dict(n=1), dict(n=10)],
        widths=("f32",),
        links=("mixed/normalize.iexpr", "mixed/model.relay"),
    ),
    Case("mlp.relay", mlp, mlp_inputs, [dict()], widths=("f32",), entry="main", names=MLP),
    Case("resnet_block.relay", resnet, resnet_inputs, [dict()], widths=("f32",), entry="main", names=RESNET),
]


# Running `kc`.


class Failure(Exception):
    """`kc` failed, or printed something that is no value of the expected shape."""


def to_json(value):
    return value.tolist() if isinstance(value, np.ndarray) else value


def number(value):
    """A number of the output, where NaN and the infinities are strings."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise Failure(f"expected a number, found {json.dumps(value)[:60]}")
    try:
        return float(value)
    except ValueError:
        raise Failure(f"expected a number, found {value!r}") from None


def array(value, like):
    """Nested lists as an array of the shape of `like`."""
    flat = []

    def flatten(value, shape):
        if not shape:
            flat.append(number(value))
            return
        if not isinstance(value, list) or len(value) != shape[0]:
            length = len(value) if isinstance(value, list) else "none"
            raise Failure(f"expected an array of length {shape[0]}, found {length}")
        for element in value:
            flatten(element, shape[1:])

    flatten(value, like.shape)
    return np.array(flat).reshape(like.shape)


def parts(value, expected):
    """The result as a list of arrays that correspond to those of `expected`."""
    if not isinstance(expected, tuple):
        return [array(value, np.asarray(expected))]
    found = value.get("tuple") if isinstance(value, dict) else None
    if not isinstance(found, list) or len(found) != len(expected):
        raise Failure(f"expected a tuple of {len(expected)}, found {json.dumps(value)[:60]}")
    return [array(part, np.asarray(like)) for part, like in zip(found, expected)]


def run(kc, case, entry, inputs, backend, width):
    command = [kc, "run", str(EXAMPLES / case.program), "--entry", entry, "--inputs", str(inputs)]
    for link in case.links:
        command += ["--link", str(EXAMPLES / link)]
    command += ["--format", "json", "--backend", backend]
    if width == "f64":
        command += ["--float", "f64"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        raise Failure(f"no result after {TIMEOUT} s") from None
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["no message"])[0]
        raise Failure(f"exit code {done.returncode}: {last[:100]}")
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError as error:
        raise Failure(f"the output is not JSON: {error}") from None


def relative_error(found, expected, condition):
    """The largest error of any element, in units of its condition; infinite where a NaN is in one only."""
    worst = 0.0
    for a, b, scale in zip(found, expected, condition):
        b, scale = np.asarray(b, dtype=float), np.asarray(scale, dtype=float)
        same = (a == b) | (np.isnan(a) & np.isnan(b))
        with np.errstate(all="ignore"):
            error = np.where(same, 0.0, np.abs(a - b) / scale)
        error = np.where(np.isnan(error), np.inf, error)
        worst = max(worst, float(error.max(initial=0.0)))
    return worst


def as_tuple(value):
    return value if isinstance(value, tuple) else (value,)


def main():
    parser = argparse.ArgumentParser(description="compares the examples with NumPy")
    parser.add_argument("--kc", default=os.environ.get("KC", str(ROOT / "target/release/kc")), help="the compiler")
    parser.add_argument("--seed", type=int, default=20240229)
    parser.add_argument("--backend", action="append", choices=["jit", "interpret"], help="only this one; repeatable")
    parser.add_argument("--float", action="append", choices=["f32", "f64"], help="only this one; repeatable")
    parser.add_argument("--only", default="", help="only entries whose names contain this")
    options = parser.parse_args()
    if not os.access(options.kc, os.X_OK):
        print(f"'{options.kc}' is not an executable: build it, or say where it is with --kc or KC", file=sys.stderr)
        return 2

    print(f"{'entry':<15} {'size':<22} {'backend':<10} {'float':<6} {'expected':>13} {'error':>9} {'allowed':>8}")
    compared, wrong = 0, 0
    with tempfile.TemporaryDirectory() as directory:
        for case in CASES:
            entry = case.entry or case.function.__name__
            if options.only not in case.function.__name__:
                continue
            for index, size in enumerate(case.sizes):
                values = case.draw(np.random.default_rng([options.seed, index]), **size)
                if case.names:
                    inputs = Path(directory) / "inputs.npz"
                    np.savez(inputs, **{name: np.float32(value) for name, value in zip(case.names, values)})
                else:
                    inputs = Path(directory) / "inputs.json"
                    inputs.write_text(json.dumps([to_json(value) for value in values]))
                expected, condition = case.function(*values)
                shown = f"{expected:13.6g}" if isinstance(expected, float) else f"{'array':>13}"
                text = " ".join(f"{name}={value}" for name, value in size.items())
                for backend in options.backend or ["interpret", "jit"]:
                    for width in [width for width in case.widths if width in (options.float or case.widths)]:
                        compared += 1
                        line = f"{case.function.__name__:<15} {text:<22} {backend:<10} {width:<6} {shown}"
                        try:
                            result = run(options.kc, case, entry, inputs, backend, width)
                            found = parts(result, expected)
                            error = relative_error(found, as_tuple(expected), as_tuple(condition))
                        except Failure as failure:
                            wrong += 1
                            print(f"{line} FAILED: {failure}")
                            continue
                        good = error <= TOLERANCE[width]
                        wrong += not good
                        mark = "" if good else " MISMATCH"
                        print(f"{line} {error:9.1e} {TOLERANCE[width]:8.0e}{mark}", flush=True)
    if compared == 0:
        print(f"no entry has '{options.only}' in its name", file=sys.stderr)
        return 2
    print(f"{compared} compared, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
