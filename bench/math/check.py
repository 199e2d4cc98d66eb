"""Compares results of type f64 with mpmath: `ulp --double COUNT FUNCTION | check.py FUNCTION`.

Prints the worst error in units in the last place, with its argument. Arguments for which mpmath is slow or the result is
not a normal number are compared with Python's own result for special values only.
"""

import math
import struct
import sys

import mpmath

FUNCTIONS = {
    "exp": mpmath.exp,
    "exp2": lambda x: mpmath.mpf(2) ** x,
    "expm1": mpmath.expm1,
    "log": mpmath.log,
    "log2": lambda x: mpmath.log(x, 2),
    "log1p": mpmath.log1p,
    "sin": mpmath.sin,
    "cos": mpmath.cos,
    "tanh": mpmath.tanh,
    "erf": mpmath.erf,
    "rsqrt": lambda x: 1 / mpmath.sqrt(x),
    "tan": mpmath.tan,
    "atan": mpmath.atan,
    "asin": mpmath.asin,
    "acos": mpmath.acos,
    "log10": mpmath.log10,
    "sinh": mpmath.sinh,
    "cosh": mpmath.cosh,
    "asinh": mpmath.asinh,
    "acosh": mpmath.acosh,
    "atanh": mpmath.atanh,
    "cbrt": lambda x: mpmath.sign(x) * mpmath.cbrt(abs(x)),
    "atan2": mpmath.atan2,
    "sigmoid": lambda x: 1 / (1 + mpmath.exp(-x)),
    "pow": mpmath.power,
}


# Functions that are rounded to their argument near zero.
ODD = ("expm1", "log1p", "sin", "tanh", "tan", "atan", "asin", "sinh", "asinh", "atanh")


def number(text):
    return struct.unpack(">d", bytes.fromhex(text))[0]


def error(function, arguments, got):
    """The error, or None where the exact result is not a normal number."""
    if any(math.isnan(x) or math.isinf(x) for x in arguments):
        return None
    x = arguments[0]
    if function in ("log", "log2", "log10", "rsqrt", "pow") and x <= 0 or function == "log1p" and x <= -1:
        return None
    limits = {"exp": 709, "exp2": 1023, "expm1": 709, "sigmoid": 700, "sinh": 710, "cosh": 710, "asin": 1, "acos": 1}
    if abs(x) > limits.get(function, math.inf) or function == "acosh" and x < 1 or function == "atanh" and abs(x) >= 1:
        return None
    mpmath.mp.prec = 160
    if function in ("sin", "cos", "tan"):
        if abs(x) > 1e5:
            return None
    if function in ("tanh", "erf") and abs(x) > 30:
        return 0.0 if got == math.copysign(1.0, x) else math.inf
    if abs(x) < 2.0**-60 and function in ODD:
        return 0.0 if got == x else math.inf
    if function == "pow" and abs(arguments[1] * math.log2(x)) > 1020:
        return None
    want = FUNCTIONS[function](*(mpmath.mpf(x) for x in arguments))
    if want == 0:
        return 0.0 if got == 0 else math.inf
    if abs(want) < 2.0**-1022:
        return None
    unit = mpmath.mpf(2) ** (mpmath.floor(mpmath.log(abs(want), 2)) - 52)
    return float(abs(mpmath.mpf(got) - want) / unit) if math.isfinite(got) else math.inf


def main():
    function = sys.argv[1]
    worst, at, count = -1.0, None, 0
    for line in sys.stdin:
        *arguments, got = (number(word) for word in line.split())
        found = error(function, arguments, got)
        if found is not None:
            count += 1
            if found > worst:
                worst, at = found, arguments
    print(f"{function:8} {worst:.3f} ulp at {at}, of {count} samples (f64)")
    # Errors of 2 ulp and more are faults.
    return 1 if worst > 2.0 else 0


if __name__ == "__main__":
    sys.exit(main())
