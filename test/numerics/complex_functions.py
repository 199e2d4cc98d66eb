#!/usr/bin/env python3
"""Computes functions of complex numbers with mpmath, and for zeros, infinities and NaN with Python's cmath.

    python3 test/numerics/complex_functions.py > dialects/complex/tests/data/functions.txt

A line has the format of the parts, the function, the parts of its operands and those of its result: `f32 mul 1 2 3 4 = -5 10`. The
results are the exact ones, rounded once. `dialects/complex/tests/functions.rs` compares them with what the operations compute.

cmath follows Annex G of the C standard. Where the standard leaves the sign of a part unspecified, the part has the prefix `~`.
"""

import cmath
import itertools
import random
import sys

try:
    import mpmath
    import numpy as np
except ImportError:
    print("complex_functions.py needs mpmath and NumPy: python3 -m pip install mpmath numpy", file=sys.stderr)
    sys.exit(2)

mpmath.mp.prec = 2600
RANDOM = random.Random(1)
FORMATS = {"f32": np.float32, "f64": np.float64}
INF, NAN = float("inf"), float("nan")


def exact(re, im):
    return mpmath.mpc(mpmath.mpf(float(re)), mpmath.mpf(float(im)))


def absolute(z):
    return mpmath.sqrt(z.real**2 + z.imag**2)


def angle(z):
    return mpmath.atan2(z.imag, z.real)


def logarithm(z):
    return mpmath.mpc(mpmath.log(absolute(z)), angle(z))


UNARY = {
    "abs": absolute,
    "angle": angle,
    "cos": mpmath.cos,
    "exp": mpmath.exp,
    "expm1": lambda z: mpmath.exp(z) - 1,
    "log": logarithm,
    "log1p": lambda z: logarithm(z + 1),
    "rsqrt": lambda z: 1 / mpmath.sqrt(z),
    "sign": lambda z: z / absolute(z),
    "sin": mpmath.sin,
    "sqrt": mpmath.sqrt,
    "tan": mpmath.tan,
    "tanh": mpmath.tanh,
}
BINARY = {
    "add": lambda x, y: x + y,
    "div": lambda x, y: x / y,
    "mul": lambda x, y: x * y,
    "pow": lambda x, y: mpmath.exp(y * logarithm(x)),
    "sub": lambda x, y: x - y,
}
# The functions that Annex G and cmath have.
SPECIAL = {
    "cos": cmath.cos,
    "exp": cmath.exp,
    "log": cmath.log,
    "sin": cmath.sin,
    "sqrt": cmath.sqrt,
    "tan": cmath.tan,
    "tanh": cmath.tanh,
}


def rounded(value, dtype):
    """The nearest float of a format."""
    info = np.finfo(dtype)
    if value == 0:
        return dtype(0)
    limit = mpmath.mpf(float(info.max)) * (1 + mpmath.mpf(2) ** -(info.nmant + 2))
    if abs(value) >= limit:
        return dtype(INF if value > 0 else -INF)
    exponent = max(mpmath.frexp(value)[1] - 1, info.minexp)
    unit = mpmath.mpf(2) ** (exponent - info.nmant)
    # A result that is rounded to zero keeps its sign.
    return dtype(np.copysign(float(mpmath.nint(value / unit) * unit), float(mpmath.sign(value))))


def shown(part, dtype):
    """The shortest decimal of a float of a format."""
    part = dtype(part)
    if np.isnan(part):
        return "nan"
    if np.isinf(part):
        return "inf" if part > 0 else "-inf"
    return np.format_float_scientific(part, trim="-").replace("e+00", "")


def line(name, kind, operands, result):
    dtype = FORMATS[kind]
    parts = " ".join(shown(part, dtype) for operand in operands for part in operand)
    print(kind, name, parts, "=", " ".join(result))


def case(name, function, kind, operands):
    dtype = FORMATS[kind]
    operands = [tuple(dtype(part) for part in operand) for operand in operands]
    result = function(*(exact(*operand) for operand in operands))
    parts = [result.real, result.imag] if isinstance(result, mpmath.mpc) else [result]
    line(name, kind, operands, [shown(rounded(part, dtype), dtype) for part in parts])


def points(kind):
    """Finite numbers without zeros: moderate, tiny, huge, of different magnitudes, near the unit circle."""
    info = np.finfo(FORMATS[kind])
    tiny, small = float(info.smallest_subnormal) * 5, float(info.smallest_normal) * 3
    huge, large = float(info.max) * 0.75, float(info.max) ** 0.5
    found = [(RANDOM.uniform(-4, 4), RANDOM.uniform(-4, 4)) for _ in range(12)]
    found += [(1e-3, 2.5), (-2.5, 1e-7), (1e-9, -1e-9), (-0.3, 1e-12), (1.5, 40.0), (20.0, -3.0), (-30.0, 1.0)]
    for turn in (0.1, 0.8, 1.5, 2.2, -0.6):
        found.append((float(mpmath.cos(turn)), float(mpmath.sin(turn))))
    found += [(0.6, 0.8), (-0.8, 0.6), (1 + 2.0**-10, 2.0**-12), (-1e-4, 1.41421356e-2)]
    scales = [tiny, small, small**0.5, large, huge]
    found += [(scale, -scale * 0.7) for scale in scales]
    found += [(-tiny, 1.0), (1.0, tiny), (huge, 1.0), (-1.0, huge), (small, huge), (huge, -tiny), (-small, tiny)]
    return found


def bounded(kind, name, z):
    """Whether the arguments of trigonometric functions are small enough to be reduced by mpmath in reasonable time."""
    limit = 700 if kind == "f64" else 85
    if name in ("exp", "expm1"):
        return abs(z[0]) < limit * 2 and abs(z[1]) < 1e22
    if name in ("sin", "cos", "tan"):
        return abs(z[1]) < limit * 2 and abs(z[0]) < 1e22
    if name == "tanh":
        return abs(z[0]) < limit * 2 and abs(z[1]) < 1e22
    return True


def overflowing(kind):
    """Operands of exponentials whose result is representable, but that of an exponential is not."""
    edge = 710.0 if kind == "f64" else 89.0
    return [(edge, 1.5707), (edge, 1e-3 + 3.14159265 / 2), (-edge, 0.5), (edge / 2, 3.0)]


def main():
    for kind in FORMATS:
        for name, function in UNARY.items():
            candidates = points(kind)
            if name in ("exp", "expm1", "tanh"):
                candidates += overflowing(kind)
            if name in ("sin", "cos", "tan"):
                candidates += [(im, re) for re, im in overflowing(kind)]
            if name in ("tan", "tanh"):
                pole = 1.5707963267948966
                near = [(1e-9, pole), (1e-3, pole + 1e-6), (-1e-5, -pole), (0.9999, 1.2), (1.0001, 1.2)]
                candidates += near if name == "tanh" else [(im, re) for re, im in near]
            for z in candidates:
                if bounded(kind, name, z):
                    case(name, function, kind, [z])
        for name, function in BINARY.items():
            chosen = points(kind)
            RANDOM.shuffle(chosen)
            if name == "pow":
                chosen = [z for z in chosen if 1e-3 < max(abs(z[0]), abs(z[1])) < 50]
                pairs = [(x, (y[0] / 4, y[1] / 4)) for x, y in zip(chosen, reversed(chosen))]
                wide = 1e200 if kind == "f64" else 1e25
                pairs += [((wide, wide), (2.0, 200.0)), ((1 / wide, 1 / wide), (-1.5, -20.0)), ((-wide, 1.0), (0.5, 0.0))]
            else:
                pairs = list(zip(chosen, chosen[1:] + chosen[:1])) + list(zip(chosen, chosen))
            for x, y in pairs:
                # The terms of a product may be infinite where their difference is not.
                if name == "mul" and max(map(abs, x)) * max(map(abs, y)) > float(np.finfo(FORMATS[kind]).max) / 4:
                    continue
                case(name, function, kind, [x, y])
    values = [0.0, -0.0, 1.5, -1.5, INF, -INF, NAN]
    for name, function in SPECIAL.items():
        for re, im in itertools.product(values, values):
            # As corrected in 2017: a zero stays, whatever the other part is.
            if name == "tanh" and re == 0 and not np.isfinite(im):
                line(name, "f64", [(re, im)], [shown(re, np.float64), "nan"])
                continue
            if name == "tan" and im == 0 and not np.isfinite(re):
                line(name, "f64", [(re, im)], ["nan", shown(im, np.float64)])
                continue
            try:
                result = function(complex(re, im))
                parts = [result.real, result.imag]
            except ValueError as error:
                # cmath raises for the results that signal: a logarithm of zero is minus infinity, others are NaN.
                parts = [-INF, cmath.phase(complex(re, im))] if name == "log" else signalled(name, re, im)
            if parts is None:
                continue
            sign = "~" if name in ("sin", "cos") and (not np.isfinite(re) or im != im) else ""
            line(name, "f64", [(re, im)], [sign + shown(part, np.float64) for part in parts])


def signalled(name, re, im):
    """The results of Annex G for which cmath raises an error; None where it has a sign that is unspecified."""
    if name == "exp" and im in (INF, -INF):
        return None if re == INF else [NAN, NAN]
    return None


if __name__ == "__main__":
    main()
