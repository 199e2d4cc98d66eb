"""Derivatives of functions."""

import numpy as np

from ._iexpr import Component
from ._minoan import Function


def _derive(function, kind, wrt):
    if isinstance(function, Component):
        function = function.function
    if not isinstance(function, Function):
        raise TypeError(f"expected a function of Minoan, found {type(function).__name__}")
    return function._derive(kind, wrt)


def grad(function, wrt=None):
    """The gradient of the sum of a function's results, by reverse mode: a function of the same parameters.

    The derivative by a complex number ``z`` is ``df/dre + i df/dim``; that of a complex result is the one of its real part.

    Args:
        function: a function of a program or module, or a component of i-expressions, as a function of ``float32``.
        wrt: the parameter to differentiate with respect to, by name or position, or a list of several; by default all
            that have a derivative. The result is the derivative by one parameter, or a tuple of those by several.
    """
    return _derive(function, "grad", wrt)


def value_and_grad(function, wrt=None):
    """The result of a function and its gradient, as a pair, computed together; see ``grad``."""
    return _derive(function, "value_and_grad", wrt)


def jvp(function, wrt=None):
    """The derivative of a function in a direction, by forward mode.

    It takes the parameters of the function, then a direction ``d_x`` for each parameter ``x`` in ``wrt``.
    """
    return _derive(function, "jvp", wrt)


def vjp(function, wrt=None):
    """The cotangents of a function's parameters, by reverse mode.

    It takes the parameters of the function, then the ``cotangent`` of its result.
    """
    return _derive(function, "vjp", wrt)


def hvp(function, wrt=None):
    """The product of the Hessian of the sum of a function's results with a direction, forward over reverse.

    It takes the parameters of the function, then a direction ``d_x`` for each parameter ``x`` in ``wrt``.
    """
    return _derive(function, "hvp", wrt)


def jacobian(function, wrt=None):
    """The Jacobian of a function: an array whose first dimensions are those of the result, and whose last are those of
    the parameter. For several parameters it is a tuple of arrays; for a tuple as a result, a tuple with one for each part.
    For complex results, a dimension of 2 follows those of the result: of the real and the imaginary parts.

    The function is called once, and its ``vjp`` once for each number of the result, or twice for a complex number.
    """
    pullback = vjp(function, wrt)

    def jacobian_of(*args, **kwargs):
        result = function(*args, **kwargs)
        parts = result if isinstance(result, tuple) else (result,)
        if any(isinstance(part, (tuple, list, str)) for part in parts):
            raise TypeError("the Jacobian is defined for results that are numbers and arrays")
        rows = [[] for _ in parts]
        for at, part in enumerate(parts):
            for index in np.ndindex(np.shape(part)):
                for unit in _units(part):
                    seeds = [_seed(other, index if other is part else None, unit) for other in parts]
                    seed = tuple(seeds) if isinstance(result, tuple) else seeds[0]
                    rows[at].append(pullback(*args, **{**kwargs, "cotangent": seed}))
        found = tuple(_stacked(part, row) for part, row in zip(parts, rows))
        return found if isinstance(result, tuple) else found[0]

    jacobian_of.__name__ = f"{function.__name__}.jacobian"
    return jacobian_of


def _units(part):
    """The cotangents of a number: of its only part, or of the real and the imaginary part."""
    return {"f": (1.0,), "c": (1.0, 1j)}.get(np.asarray(part).dtype.kind, ())


def _seed(like, index, unit):
    if not _units(like):
        return ()
    if not isinstance(like, np.ndarray):
        return 0.0 if index is None else unit
    seed = np.zeros_like(like)
    if index is not None:
        seed[index] = unit
    return seed


def _stacked(part, rows):
    shape = np.shape(part) + ((2,) if np.iscomplexobj(part) else ())
    if not rows:
        return None
    if isinstance(rows[0], tuple):
        return tuple(_joined(shape, column) for column in zip(*rows))
    return _joined(shape, rows)


def _joined(shape, rows):
    return np.stack([np.asarray(row) for row in rows]).reshape(shape + np.shape(rows[0]))
