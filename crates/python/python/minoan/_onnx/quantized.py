"""Quantized operators: a number q of an integer type stands for (q - zero point) * scale."""

import numpy as np

from .dims import Dim
from .elementwise import round_to_even
from .graph import Unsupported, constant
from .importer import Node, axis_of, converts
from .nn import convolution, matmul


def _along(it, value, axis, rank):
    """A scale or zero point that is one number, or one for each index of an axis, for broadcasting to a tensor of a rank."""
    if value.rank == 0:
        return value
    if value.rank > 1:
        raise Unsupported(f"has a scale or zero point of rank {value.rank}")
    if value.shape[0] == 1:
        return it.reshape(value, ())
    return it.reshape(value, tuple(value.shape[0] if at == axis else 1 for at in range(rank)))


def _has_blocks(node):
    return bool(node.attr("block_size", 0))


def _is_zero(value):
    return value is None or value.data is not None and not value.data.any()


def _product(it, left, right, op="multiply"):
    """A product or quotient of scales, which is computed now if both are known."""
    if left.data is not None and right.data is not None:
        return constant(left.data * right.data if op == "multiply" else left.data / right.data)
    return it.graph.binary(op, left, right)


def _rounded(it, node, x):
    return round_to_even(it, Node(node.proto, {}, [x], node.opset))[0]


def _saturated(it, node, x, zero, dtype):
    """The nearest integers of floats, which are moved by the zero point, in the range of an integer type."""
    graph, dtype = it.graph, np.dtype(dtype)
    if dtype.name not in ("int8", "uint8", "int16", "uint16"):
        raise Unsupported(f"has results of type {dtype.name}")
    x = _rounded(it, node, x)
    if not _is_zero(zero):
        x = graph.binary("add", x, graph.cast(zero, x.dtype))
    limits = np.iinfo(dtype)
    return graph.cast(graph.unary("clip", x, a_min=float(limits.min), a_max=float(limits.max)), dtype)


def _centered(it, value, zero):
    """The differences of quantized numbers and their zero point, as int32."""
    wide = it.graph.cast(value, "int32")
    return wide if _is_zero(zero) else it.graph.binary("subtract", wide, it.graph.cast(zero, "int32"))


@converts("QuantizeLinear")
def quantize(it, node):
    x, scale, zero = node.input(0), node.input(1), node.input(2)
    if _has_blocks(node):
        raise Unsupported("has a scale for each block")
    dtype = np.dtype(np.uint8)
    if zero is not None:
        dtype = zero.dtype
    elif node.attr("output_dtype", 0):
        dtype = it.dtype(node.attr("output_dtype"))
    if scale.dtype != x.dtype:
        x = it.graph.cast(x, scale.dtype)
    axis = axis_of(node.attr("axis", 1), x.rank) if scale.rank == 1 and scale.shape[0] != 1 else 0
    scale = _along(it, scale, axis, x.rank)
    zero = None if zero is None else _along(it, zero, axis, x.rank)
    return [_saturated(it, node, it.graph.binary("divide", x, scale), zero, dtype)]


@converts("DequantizeLinear")
def dequantize(it, node):
    x, scale, zero = node.input(0), node.input(1), node.input(2)
    if _has_blocks(node):
        raise Unsupported("has a scale for each block")
    axis = axis_of(node.attr("axis", 1), x.rank) if scale.rank == 1 and scale.shape[0] != 1 else 0
    zero = None if zero is None else _along(it, zero, axis, x.rank)
    wide = it.graph.cast(_centered(it, x, zero), scale.dtype)
    return [it.graph.binary("multiply", wide, _along(it, scale, axis, x.rank))]


def _requantized(it, node, total, scales, zero, axis):
    """Sums of products of quantized numbers as numbers of another quantization."""
    x_scale, w_scale, y_scale = scales
    if x_scale.rank > 0:
        x_scale = it.reshape(x_scale, ())
    w_scale = _along(it, w_scale, axis, total.rank)
    y_scale, zero = (_along(it, one, 0, 0) for one in (y_scale, zero))
    scale = _product(it, _product(it, x_scale, w_scale), y_scale, "divide")
    return _saturated(it, node, it.graph.binary("multiply", it.graph.cast(total, scale.dtype), scale), zero, zero.dtype)


def _convolved(it, node, x, w, x_zero, w_zero, bias):
    x = _centered(it, x, None if x_zero is None else _along(it, x_zero, 0, 0))
    w = _centered(it, w, None if w_zero is None else _along(it, w_zero, 0, w.rank))
    # Padding stands for zeros, which the differences have as zeros.
    return convolution(it, Node(node.proto, node.attrs, [x, w, bias], node.opset))[0]


@converts("QLinearConv")
def quantized_convolution(it, node):
    x, x_scale, x_zero, w, w_scale, w_zero, y_scale, y_zero = node.inputs[:8]
    total = _convolved(it, node, x, w, x_zero, w_zero, node.input(8))
    return [_requantized(it, node, total, (x_scale, w_scale, y_scale), y_zero, 1)]


@converts("ConvInteger")
def integer_convolution(it, node):
    return [_convolved(it, node, node.input(0), node.input(1), node.input(2), node.input(3), None)]


def _multiplied(it, node, a, b, a_zero, b_zero):
    """The product of quantized matrices; zero points are one number, or one for each row of `a` or column of `b`."""
    if a_zero is not None:
        a_zero = a_zero if a_zero.rank > 1 else _along(it, a_zero, a.rank - 2, a.rank)
    if b_zero is not None:
        b_zero = b_zero if b_zero.rank > 1 else _along(it, b_zero, b.rank - 1, b.rank)
    factors = [_centered(it, a, a_zero), _centered(it, b, b_zero)]
    return matmul(it, Node(node.proto, {}, factors, node.opset))[0]


@converts("QLinearMatMul")
def quantized_product(it, node):
    a, a_scale, a_zero, b, b_scale, b_zero, y_scale, y_zero = node.inputs
    if any(one.rank and one.shape[0] != 1 for one in (a_scale, y_scale)):
        raise Unsupported("has a scale for each row")
    total = _multiplied(it, node, a, b, a_zero, b_zero)
    return [_requantized(it, node, total, (a_scale, b_scale, y_scale), y_zero, total.rank - 1)]


@converts("MatMulInteger")
def integer_product(it, node):
    return [_multiplied(it, node, node.input(0), node.input(1), node.input(2), node.input(3))]


@converts("DynamicQuantizeLinear")
def dynamic_quantize(it, node):
    graph, x = it.graph, node.input(0)
    if any(isinstance(extent, Dim) for extent in x.shape) and 0 in x.shape:
        raise Unsupported("has an operand without elements")
    zero = graph.number(0, x)
    axes = list(range(x.rank))
    high = graph.binary("maximum", graph.call("max", [x], (), x.dtype, axis=axes), zero)
    low = graph.binary("minimum", graph.call("min", [x], (), x.dtype, axis=axes), zero)
    scale = graph.binary("divide", graph.binary("subtract", high, low), graph.number(255, x))
    # All elements are zero: any scale does.
    is_zero = graph.binary("equal", scale, zero, np.bool_)
    divisor = graph.call("where", [is_zero, graph.number(1, x), scale], (), x.dtype)
    point = graph.unary("negative", graph.binary("divide", low, divisor))
    point = graph.unary("clip", _rounded(it, node, point), a_min=0.0, a_max=255.0)
    result = _saturated(it, node, graph.binary("divide", x, divisor), point, np.uint8)
    return [result, scale, graph.cast(point, np.uint8)]
