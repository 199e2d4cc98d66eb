"""Conversions that NumPy does: the extension module calls them."""

import inspect
import keyword

import numpy as np


def _dtype(name):
    if name == "bfloat16":
        try:
            import ml_dtypes
        except ImportError:
            raise TypeError("lists of bfloat16 need the package ml_dtypes") from None
        return np.dtype(ml_dtypes.bfloat16)
    return np.dtype(name)


def elements(value, name):
    """A buffer as an array; numbers and nested lists as an array of the type ``name``, if they are exactly its values."""
    if not isinstance(value, (list, tuple, bool, int, float, complex)):
        try:
            return np.asarray(memoryview(value))
        except TypeError:
            found = type(value).__name__
            raise TypeError(f"expected an array of {name}, found a value of type {found}") from None
    dtype = _dtype(name)
    try:
        array = np.asarray(value)
    except ValueError as error:
        raise ValueError(f"expected an array of {name}, found lists of different lengths: {error}") from None
    if array.dtype.kind not in "biufc":
        raise TypeError(f"expected an array of {name}, found lists of {array.dtype}")
    if array.size == 0:
        return array.astype(dtype)
    kinds = {"b": "b", "i": "biu", "u": "biu", "c": "biufc"}.get(dtype.kind, "biuf")
    if array.dtype.kind not in kinds:
        raise TypeError(f"expected an array of {name}, found lists of {array.dtype}")
    with np.errstate(over="ignore"):
        result = array.astype(dtype)
    if dtype.kind in "iu" and not (result == array).all():
        raise OverflowError(f"a number is out of the range of {name}")
    return result


def signature(names, types, result):
    """An ``inspect.Signature`` whose annotations are types as text."""
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    taken, parameters = set(), []
    for number, (name, annotation) in enumerate(zip(names, types)):
        if not name.isidentifier() or keyword.iskeyword(name) or name in taken:
            name = f"arg{number}"
        taken.add(name)
        parameters.append(inspect.Parameter(name, kind, annotation=annotation))
    return inspect.Signature(parameters, return_annotation=result)
