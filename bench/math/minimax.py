"""Coefficients of the polynomials of `dialects/math/src/expand`: `minimax.py NAME COUNT (f32|f64)`.

Remez' algorithm with 300 bits finds the polynomial with the least error relative to the function. The coefficients are rounded
to the format one after another, from the constant one; after each, the others are computed again. The polynomials are those
of odd functions f: (f(x) / x - 1) / z as a function of z = x^2, and that of the cube root of 1 + f.
"""

import sys

from mpmath import asin, atan, atanh, cbrt, cos, frexp, ldexp, log, lu_solve, matrix, mp, mpf, nint, pi, sinh, sqrt, tan, tanh

mp.prec = 300

# The functions with the largest argument.
ODD = {
    "tan": (tan, "0.792"),
    "atan": (atan, 1),
    "asin": (asin, "0.5"),
    "tanh": (tanh, "0.625"),
    "sinh": (sinh, 1),
    "atanh": (atanh, "0.2525"),
}


def problem(name):
    """The function to approximate, the weight of its error, and the interval."""
    if name == "cbrt":
        root = sqrt(mpf(2))
        return lambda f: cbrt(1 + f), lambda f: 1 / cbrt(1 + f), 1 / root - 1, root - 1
    function, high = ODD[name]
    ratio = lambda z: function(sqrt(z)) / sqrt(z)
    return lambda z: (ratio(z) - 1) / z, lambda z: z / ratio(z), mpf(0), mpf(high) ** 2


def evaluate(coefficients, x):
    value = mpf(0)
    for coefficient in reversed(coefficients):
        value = value * x + coefficient
    return value


def chebyshev(low, high, angles):
    return [(low + high) / 2 - (high - low) / 2 * cos(pi * angle) for angle in angles]


def remez(function, weight, low, high, count):
    """The coefficients of the best polynomial, by exchange of all points."""
    points = chebyshev(low, high, [mpf(2 * i + 1) / (2 * count + 2) for i in range(count + 1)])
    size = max(120, 24 * count)
    grid = chebyshev(low, high, [mpf(i) / size for i in range(size + 1)])
    # The functions have a limit at zero, where they cannot be evaluated.
    grid[0] = grid[0] if low != 0 else high * mpf(2) ** -40
    values = [(x, function(x), weight(x)) for x in grid]
    best, least = None, mpf("inf")
    for _ in range(12):
        rows, right = matrix(count + 1, count + 1), matrix(count + 1, 1)
        for i, x in enumerate(points):
            for j in range(count):
                rows[i, j] = x**j
            rows[i, count] = (-1) ** i / weight(x)
            right[i] = function(x)
        *coefficients, level = lu_solve(rows, right)
        errors = [(evaluate(coefficients, x) - value) * scale for x, value, scale in values]
        worst = max(abs(error) for error in errors)
        if worst < least:
            best, least = coefficients, worst
        if worst <= abs(level) * mpf("1.02"):
            break
        extrema = []
        for at, error in enumerate(errors):
            if not extrema or (error > 0) != (errors[extrema[-1]] > 0):
                extrema.append(at)
            elif abs(error) > abs(errors[extrema[-1]]):
                extrema[-1] = at
        while len(extrema) > count + 1:
            extrema.pop(0 if abs(errors[extrema[0]]) < abs(errors[extrema[-1]]) else -1)
        if len(extrema) <= count:
            break
        points = [grid[at] for at in extrema]
    return best


def rounded(value, bits):
    mantissa, exponent = frexp(value)
    return ldexp(nint(ldexp(mantissa, bits)), exponent - bits)


def main():
    name, count, bits = sys.argv[1], int(sys.argv[2]), {"f32": 24, "f64": 53}[sys.argv[3]]
    function, weight, low, high = problem(name)
    known = []
    for power in range(count):
        rest = lambda x: (function(x) - evaluate(known, x)) / x**power
        best = remez(rest, lambda x: weight(x) * x**power, low, high, count - power)
        known.append(rounded(best[0], bits))
    samples = [low + (high - low) * i / 2000 for i in range(1, 2001)]
    error = max(abs((evaluate(known, x) - function(x)) * weight(x)) for x in samples)
    print(f"// 2^{float(log(error, 2)):.1f}.")
    print(", ".join(repr(float(coefficient)) for coefficient in known))


if __name__ == "__main__":
    main()
