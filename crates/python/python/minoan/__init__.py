"""Minoan: a multi-dialect compiler for array programs.

Programs in Knossos, Relay, i-expressions or MLIR's text become functions on NumPy arrays::

    import minoan as mn

    f = mn.loads("(def hyp Float ((a : Float) (b : Float)) (sqrt (add (mul a a) (mul b b))))",
                 language="ks")["hyp"]
    f(3.0, 4.0)        # 5.0
    mn.grad(f)(3.0, 4.0)

``load`` and ``loads`` read programs, ``from_onnx`` imports models, ``grad`` and its relatives differentiate functions, ``i``
makes components of i-expressions, ``parse`` reads modules, which passes and patterns in Python transform.
"""

from ._data import Data
from ._errors import ArgumentError, CompileError, Error, RunError, StaleHandle
from ._iexpr import I, Component, i
from ._minoan import (
    Attribute,
    Block,
    Builder,
    Function,
    Module,
    Operation,
    Program,
    Region,
    Session,
    Type,
    Value,
    __version__,
)
from ._functions import grad, hvp, jacobian, jvp, value_and_grad, vjp
from ._onnx import OnnxModel, from_onnx
from ._passes import Pattern, Rewriter, apply_patterns, pattern, run
from ._programs import default_session, load, loads, parse

__all__ = [
    "ArgumentError",
    "Attribute",
    "Block",
    "Builder",
    "CompileError",
    "Component",
    "Data",
    "Error",
    "Function",
    "I",
    "Module",
    "OnnxModel",
    "Operation",
    "Pattern",
    "Program",
    "Region",
    "Rewriter",
    "RunError",
    "Session",
    "StaleHandle",
    "Type",
    "Value",
    "__version__",
    "apply_patterns",
    "default_session",
    "from_onnx",
    "grad",
    "hvp",
    "i",
    "jacobian",
    "jvp",
    "load",
    "loads",
    "parse",
    "pattern",
    "run",
    "value_and_grad",
    "vjp",
]
