"""Elementwise operators."""

import math

import numpy as np

from .dims import broadcast
from .graph import Unsupported, Value, constant
from .importer import converts, value_of
from .index import compare_extents

# Operators that Relay has under another name.
_UNARY = {
    "Abs": "abs",
    "Acos": "acos",
    "Acosh": "acosh",
    "Asin": "asin",
    "Asinh": "asinh",
    "Atan": "atan",
    "Atanh": "atanh",
    "BitwiseNot": "bitwise_not",
    "Ceil": "ceil",
    "Cos": "cos",
    "Cosh": "cosh",
    "Erf": "erf",
    "Exp": "exp",
    "Floor": "floor",
    "Log": "log",
    "Neg": "negative",
    "Not": "logical_not",
    "Relu": "nn.relu",
    "Sigmoid": "sigmoid",
    "Sign": "sign",
    "Sin": "sin",
    "Sinh": "sinh",
    "Sqrt": "sqrt",
    "Tan": "tan",
    "Tanh": "tanh",
}
_BINARY = {
    "Add": "add",
    "And": "logical_and",
    "BitwiseAnd": "bitwise_and",
    "BitwiseOr": "bitwise_or",
    "BitwiseXor": "bitwise_xor",
    "Mul": "multiply",
    "Or": "logical_or",
    "Sub": "subtract",
    "Xor": "logical_xor",
}
_COMPARISONS = {
    "Equal": "equal",
    "Greater": "greater",
    "GreaterOrEqual": "greater_equal",
    "Less": "less",
    "LessOrEqual": "less_equal",
}


@converts(*_UNARY)
def unary(it, node):
    return [it.graph.unary(_UNARY[node.kind], node.input(0))]


@converts("Identity", "Dropout")
def identity(it, node):
    value = node.input(0)
    if node.kind == "Dropout":
        training = node.input(2)
        if training is not None and (training.data is None or training.data.item()):
            raise Unsupported("is in training mode")
        if node.is_used(1):
            return [value, _filled(it, value, True, np.bool_)]
    return [value]


def _filled(it, like, number, dtype):
    """A tensor of the shape of another one, whose elements are equal."""
    if all(isinstance(dim, int) for dim in like.shape):
        return it.graph.call("full", [constant(np.array(number, dtype))], like.shape, dtype, shape=like.shape,
                             dtype="bool" if dtype == np.bool_ else np.dtype(dtype).name)
    return it.graph.cast(it.graph.unary("ones_like", like), dtype)


@converts("Add", "Sub", "Mul", "And", "Or", "Xor", "BitwiseAnd", "BitwiseOr", "BitwiseXor")
def binary(it, node):
    left, right = node.input(0), node.input(1)
    on_extents = _on_extents(node, left, right)
    return [on_extents or it.graph.binary(_BINARY[node.kind], left, right)]


def _on_extents(node, left, right):
    """The elements of a result that is part of a shape."""
    if left.elements is None or right.elements is None or left.data is not None and right.data is not None:
        return None
    operation = {
        "Add": lambda a, b: a + b,
        "Sub": lambda a, b: a - b,
        "Mul": lambda a, b: a * b,
        "Div": lambda a, b: a // b,
    }.get(node.kind)
    if operation is None:
        return None
    shape = broadcast(left.shape, right.shape)
    count = shape[0] if shape else 1
    pairs = [(one.elements * count if len(one.elements) == 1 else one.elements) for one in (left, right)]
    if node.kind == "Div" and 0 in pairs[1]:
        return None
    return value_of(left.dtype, shape, [operation(a, b) for a, b in zip(*pairs)])


@converts("Div")
def divide(it, node):
    left, right = node.input(0), node.input(1)
    on_extents = _on_extents(node, left, right)
    if on_extents:
        return [on_extents]
    return [it.graph.binary("divide" if left.dtype.kind not in "iu" else "trunc_divide", left, right)]


@converts("Mod")
def mod(it, node):
    left, right = node.input(0), node.input(1)
    if not node.attr("fmod", 0) and left.dtype.kind not in "iu":
        raise Unsupported("needs fmod=1 for floats")
    return [it.graph.binary("trunc_mod" if node.attr("fmod", 0) else "floor_mod", left, right)]


@converts(*_COMPARISONS)
def comparison(it, node):
    known = compare_extents(node) if node.kind == "Equal" else None
    return [known] if known else [it.graph.binary(_COMPARISONS[node.kind], node.input(0), node.input(1), np.bool_)]


@converts("Pow")
def power(it, node):
    base, exponent = node.input(0), node.input(1)
    if exponent.data is not None and exponent.data.size == 1 and exponent.rank <= base.rank:
        number = exponent.data.item()
        if number == 0.5 and base.dtype.kind == "f":
            return [it.graph.unary("sqrt", base)]
        if number in (1, 2, 3, 4):
            square = base if number == 1 else it.graph.binary("multiply", base, base)
            if number < 3:
                return [square]
            return [it.graph.binary("multiply", square, base if number == 3 else square)]
    if base.dtype.kind in "iu":
        # The power of integers is exact in double precision up to 2^53.
        wide = it.graph.binary("power", it.graph.cast(base, "float64"), it.graph.cast(exponent, "float64"))
        return [it.graph.cast(wide, base.dtype)]
    return [it.graph.binary("power", base, it.graph.cast(exponent, base.dtype))]


@converts("Max", "Min", "Sum", "Mean")
def variadic(it, node):
    op = {"Max": "maximum", "Min": "minimum", "Sum": "add", "Mean": "add"}[node.kind]
    total = node.input(0)
    for value in node.inputs[1:]:
        total = it.graph.binary(op, total, value)
    if node.kind == "Mean":
        total = it.graph.binary("divide", total, it.graph.number(len(node.inputs), total))
    return [total]


@converts("Clip")
def clip(it, node):
    value = node.input(0)
    bounds = [node.attr("min", None), node.attr("max", None)]
    bounds = [node.input(at + 1) if one is None else it.graph.number(one, value) for at, one in enumerate(bounds)]
    known = [one is None or one.data is not None for one in bounds]
    if value.dtype.kind == "f" and all(known) and any(one is not None for one in bounds):
        low, high = (one if one is None else float(one.data) for one in bounds)
        if low == 0 and high in (None, math.inf):
            return [it.graph.unary("nn.relu", value)]
        low, high = -math.inf if low is None else low, math.inf if high is None else high
        if low <= high:
            return [it.graph.unary("clip", value, a_min=low, a_max=high)]
    for bound, op in zip(bounds, ("maximum", "minimum")):
        if bound is not None:
            value = it.graph.binary(op, value, bound)
    return [value]


@converts("Cast", "CastLike")
def cast(it, node):
    value = node.input(0)
    if node.kind == "CastLike":
        dtype = node.input(1).dtype
    else:
        dtype = it.dtype(node.attr("to"))
    if value.data is None and value.elements is not None and dtype.kind == "i":
        return [Value(dtype, value.shape, elements=value.elements)]
    return [it.graph.cast(value, dtype)]


@converts("Where")
def where(it, node):
    condition, left, right = node.inputs
    chosen = _chosen_extents(condition, left, right)
    if chosen:
        return [chosen]
    if left.dtype != right.dtype:
        raise Unsupported(f"has operands of types {left.dtype} and {right.dtype}")
    shape = broadcast(condition.shape, left.shape, right.shape)
    rank = max(condition.rank, min(left.rank, right.rank))
    args = [condition, it.graph.spread(left, rank), it.graph.spread(right, rank)]
    return [it.graph.call("where", args, shape, left.dtype)]


def _chosen_extents(condition, left, right):
    """The elements of a choice between extents."""
    if condition.data is None or left.elements is None or right.elements is None:
        return None
    shape = broadcast(condition.shape, left.shape, right.shape)
    count = shape[0] if shape else 1
    choices = condition.data.reshape(-1).tolist()
    rows = [row * count if len(row) == 1 else row for row in (choices, left.elements, right.elements)]
    return value_of(left.dtype, shape, [a if choice else b for choice, a, b in zip(*rows)])


@converts("Reciprocal")
def reciprocal(it, node):
    return [it.graph.binary("divide", it.graph.number(1, node.input(0)), node.input(0))]


@converts("Round")
def round_to_even(it, node):
    # Relay's `round` takes halves away from zero. A half is rounded to twice the rounded half.
    graph, x = it.graph, node.input(0)
    half = graph.number(0.5, x)
    down = graph.unary("floor", x)
    rest = graph.binary("subtract", x, down)
    even = graph.binary("multiply", graph.unary("floor", graph.binary("multiply", down, half)), graph.number(2, x))
    is_odd = graph.binary("not_equal", even, down, np.bool_)
    up = graph.binary("greater", rest, half, np.bool_)
    tie = graph.binary("equal", rest, half, np.bool_)
    up = graph.binary("logical_or", up, graph.binary("logical_and", tie, is_odd))
    above = graph.binary("add", down, graph.number(1, x))
    return [graph.call("where", [up, above, down], x.shape, x.dtype)]


@converts("IsNaN", "IsInf")
def classify(it, node):
    graph, x = it.graph, node.input(0)
    if node.kind == "IsNaN":
        return [graph.call("isnan", [x], x.shape, np.bool_)]
    positive, negative = node.attr("detect_positive", 1), node.attr("detect_negative", 1)
    if positive and negative:
        return [graph.call("isinf", [x], x.shape, np.bool_)]
    if not positive and not negative:
        return [_filled(it, x, False, np.bool_)]
    return [graph.binary("equal", x, graph.number(math.inf if positive else -math.inf, x), np.bool_)]


@converts("BitShift")
def shift(it, node):
    op = {"LEFT": "left_shift", "RIGHT": "right_shift"}[node.attr("direction")]
    return [it.graph.binary(op, node.input(0), node.input(1))]


# Activations.


def _linear(it, x, factor, offset):
    scaled = it.graph.binary("multiply", x, it.graph.number(factor, x))
    return it.graph.binary("add", scaled, it.graph.number(offset, x))


@converts("LeakyRelu")
def leaky_relu(it, node):
    x, alpha = node.input(0), node.attr("alpha", 0.01)
    if alpha >= 0:
        return [it.graph.unary("nn.leaky_relu", x, alpha=alpha)]
    return [_piecewise(it, x, x, it.graph.binary("multiply", x, it.graph.number(alpha, x)))]


def _piecewise(it, x, above, below):
    """``above`` where ``x`` is positive, elsewhere ``below``."""
    is_positive = it.graph.binary("greater", x, it.graph.number(0, x), np.bool_)
    return it.graph.call("where", [is_positive, above, below], x.shape, x.dtype)


@converts("PRelu")
def p_relu(it, node):
    x, slope = node.input(0), node.input(1)
    if slope.rank > x.rank:
        raise Unsupported("has a slope that is larger than its operand")
    below = it.graph.binary("multiply", x, slope)
    return [_piecewise(it, x, x, below)]


@converts("Elu", "Celu", "Selu")
def elu(it, node):
    graph, x = it.graph, node.input(0)
    alpha = node.attr("alpha", 1.67326319217681884765625 if node.kind == "Selu" else 1.0)
    # The argument is at most 0, so that the exponential of a large number is not computed.
    low = graph.binary("minimum", x, graph.number(0, x))
    if node.kind == "Celu":
        low = graph.binary("divide", low, graph.number(alpha, x))
    below = graph.binary("subtract", graph.unary("exp", low), graph.number(1, x))
    result = _piecewise(it, x, x, graph.binary("multiply", below, graph.number(alpha, x)))
    if node.kind == "Selu":
        result = graph.binary("multiply", result, graph.number(node.attr("gamma", 1.05070102214813232421875), x))
    return [result]


@converts("Gelu")
def gelu(it, node):
    graph, x = it.graph, node.input(0)
    if node.attr("approximate", "none") == "tanh":
        cube = graph.binary("multiply", graph.binary("multiply", x, x), x)
        inner = graph.binary("add", x, graph.binary("multiply", cube, graph.number(0.044715, x)))
        inner = graph.unary("tanh", graph.binary("multiply", inner, graph.number(math.sqrt(2 / math.pi), x)))
    else:
        inner = graph.unary("erf", graph.binary("multiply", x, graph.number(math.sqrt(0.5), x)))
    half = graph.binary("multiply", x, graph.number(0.5, x))
    return [graph.binary("multiply", half, graph.binary("add", inner, graph.number(1, x)))]


@converts("HardSigmoid", "HardSwish")
def hard_sigmoid(it, node):
    x = node.input(0)
    alpha, beta = (node.attr("alpha", 0.2), node.attr("beta", 0.5)) if node.kind == "HardSigmoid" else (1 / 6, 0.5)
    gate = it.graph.unary("clip", _linear(it, x, alpha, beta), a_min=0.0, a_max=1.0)
    return [gate if node.kind == "HardSigmoid" else it.graph.binary("multiply", x, gate)]


@converts("Softplus", "Mish")
def softplus(it, node):
    # max(x, 0) + log(1 + exp(-|x|)) does not overflow.
    graph, x = it.graph, node.input(0)
    small = graph.unary("exp", graph.unary("negative", graph.unary("abs", x)))
    small = graph.unary("log", graph.binary("add", small, graph.number(1, x)))
    result = graph.binary("add", graph.unary("nn.relu", x), small)
    return [result if node.kind == "Softplus" else graph.binary("multiply", x, graph.unary("tanh", result))]


@converts("Softsign")
def softsign(it, node):
    graph, x = it.graph, node.input(0)
    return [graph.binary("divide", x, graph.binary("add", graph.unary("abs", x), graph.number(1, x)))]


@converts("Swish")
def swish(it, node):
    graph, x = it.graph, node.input(0)
    scaled = graph.binary("multiply", x, graph.number(node.attr("alpha", 1.0), x))
    return [graph.binary("multiply", x, graph.unary("sigmoid", scaled))]


@converts("ThresholdedRelu")
def thresholded_relu(it, node):
    graph, x = it.graph, node.input(0)
    above = graph.binary("greater", x, graph.number(node.attr("alpha", 1.0), x), np.bool_)
    return [graph.call("where", [above, x, graph.number(0, x)], x.shape, x.dtype)]
