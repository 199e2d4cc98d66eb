"""Convolutions, pools, products and normalization."""

import numpy as np

from .dims import Dim, broadcast
from .graph import Unsupported, constant
from .importer import axis_of, converts


class Window:
    """Windows over the axes of a tensor after the first two."""

    def __init__(self, node, x, sizes):
        self.axes = x.rank - 2
        if self.axes < 1 or self.axes > 3 or len(sizes) != self.axes:
            raise Unsupported(f"has a window of {len(sizes)} axes and an operand of rank {x.rank}")
        self.sizes = [int(size) for size in sizes]
        self.strides = list(node.attr("strides", [1] * self.axes))
        self.dilation = list(node.attr("dilations", [1] * self.axes))
        self.reach = [(size - 1) * by + 1 for size, by in zip(self.sizes, self.dilation)]
        self.pads = list(node.attr("pads", [0] * 2 * self.axes))
        self.ceil = bool(node.attr("ceil_mode", 0))
        auto = node.attr("auto_pad", "NOTSET")
        if auto.startswith("SAME"):
            self._same(x, auto == "SAME_UPPER")
        elif auto == "VALID":
            self.pads = [0] * 2 * self.axes
        self.shape = [self._places(axis, extent) for axis, extent in enumerate(x.shape[2:])]

    def _same(self, x, at_end):
        for axis, extent in enumerate(x.shape[2:]):
            stride, reach = self.strides[axis], self.reach[axis]
            if stride == 1:
                total = reach - 1
            elif isinstance(extent, Dim):
                raise Unsupported(f"has auto_pad for the extent '{extent}', which is not known")
            else:
                total = max((-(-extent // stride) - 1) * stride + reach - extent, 0)
            less, more = total // 2, total - total // 2
            self.pads[axis], self.pads[axis + self.axes] = (less, more) if at_end else (more, less)
        self.ceil = False

    def _places(self, axis, extent):
        before, after = self.pads[axis], self.pads[axis + self.axes]
        room = extent + before + after - self.reach[axis]
        stride = self.strides[axis]
        if not self.ceil:
            return room // stride + 1
        count = (room + stride - 1) // stride + 1
        # A window that starts in the padding after the last element is left out.
        if isinstance(count, int) and isinstance(extent, int) and (count - 1) * stride >= extent + before:
            count -= 1
        return count

    def exact(self, x):
        """Padding after the last elements with which windows fit exactly, so that nothing is rounded."""
        pads = list(self.pads)
        for axis, (extent, count) in enumerate(zip(x.shape[2:], self.shape)):
            if isinstance(extent, Dim) or isinstance(count, Dim):
                raise Unsupported(f"has ceil_mode for the extent '{extent}', which is not known")
            last = (count - 1) * self.strides[axis] + self.reach[axis]
            pads[axis + self.axes] = max(last - extent - self.pads[axis], 0)
        return pads


@converts("Conv")
def convolution(it, node):
    x, weight, bias = node.input(0), node.input(1), node.input(2)
    sizes = node.attr("kernel_shape", weight.shape[2:])
    if any(isinstance(size, Dim) for size in sizes) or isinstance(weight.shape[0], Dim):
        raise Unsupported("has a kernel whose extents are not known")
    window = Window(node, x, sizes)
    shape = (x.shape[0], weight.shape[0], *window.shape)
    result = it.graph.call(
        f"nn.conv{window.axes}d", [x, weight], shape, x.dtype, strides=window.strides, padding=window.pads,
        dilation=window.dilation, groups=node.attr("group", 1), channels=weight.shape[0], kernel_size=window.sizes,
    )
    return [_biased(it, result, bias)]


def _biased(it, value, bias):
    if bias is None:
        return value
    return it.graph.call("nn.bias_add", [value, bias], value.shape, value.dtype, axis=1)


@converts("ConvTranspose")
def transposed_convolution(it, node):
    x, weight, bias = node.input(0), node.input(1), node.input(2)
    window = Window(node, x, node.attr("kernel_shape", weight.shape[2:]))
    axes, groups = window.axes, node.attr("group", 1)
    more = list(node.attr("output_padding", [0] * axes))
    pads, auto = list(node.attr("pads", [0] * 2 * axes)), node.attr("auto_pad", "NOTSET")
    full = [(extent - 1) * window.strides[axis] + window.reach[axis] + more[axis] for axis, extent in enumerate(x.shape[2:])]
    wanted = node.attr("output_shape")
    if wanted is None and auto.startswith("SAME"):
        wanted = [extent * window.strides[axis] for axis, extent in enumerate(x.shape[2:])]
    if wanted is not None:
        for axis, (extent, size) in enumerate(zip(full, wanted[-axes:])):
            total = extent - size
            if isinstance(total, Dim):
                raise Unsupported(f"has an output shape for the extent '{extent}', which is not known")
            more[axis] += max(-total, 0)
            full[axis] += max(-total, 0)
            total = max(total, 0)
            pads[axis], pads[axis + axes] = total - total // 2, total // 2
            if auto == "SAME_UPPER":
                pads[axis], pads[axis + axes] = total // 2, total - total // 2
    elif auto == "VALID":
        pads = [0] * 2 * axes
    spatial = [extent - pads[axis] - pads[axis + axes] for axis, extent in enumerate(full)]
    channels = weight.shape[1] * groups
    result = it.graph.call(
        f"nn.conv{axes}d_transpose", [x, weight], (x.shape[0], channels, *spatial), x.dtype, channels=channels,
        kernel_size=window.sizes, strides=window.strides, output_padding=more, padding=pads, dilation=window.dilation,
        groups=groups,
    )
    return [_biased(it, result, bias)]


@converts("MaxPool", "AveragePool")
def pool(it, node):
    x = node.input(0)
    window = Window(node, x, node.attr("kernel_shape"))
    if node.is_used(1):
        raise Unsupported("has the indices of its maxima as a result")
    op, attrs = "nn.max_pool", {}
    if node.kind == "AveragePool":
        op, attrs = "nn.avg_pool", {"count_include_pad": bool(node.attr("count_include_pad", 0))}
    pads = window.pads
    if window.ceil:
        exact = window.exact(x)
        if not attrs.get("count_include_pad") or all(a <= b for a, b in zip(exact, pads)):
            pads = exact
        else:
            # Elements after the padding do not count.
            attrs["ceil_mode"] = True
            rounded = [
                -(-(extent + pads[axis] + pads[axis + window.axes] - window.reach[axis]) // window.strides[axis]) + 1
                for axis, extent in enumerate(x.shape[2:])
            ]
            if rounded != window.shape:
                raise Unsupported("has ceil_mode with a window that lies in the padding")
    return [
        it.graph.call(
            f"{op}{window.axes}d", [x], (*x.shape[:2], *window.shape), x.dtype, pool_size=window.sizes,
            strides=window.strides, dilation=window.dilation, padding=pads, **attrs,
        )
    ]


@converts("GlobalAveragePool", "GlobalMaxPool")
def global_pool(it, node):
    x = node.input(0)
    shape = (*x.shape[:2], *[1] * (x.rank - 2))
    kind = "avg" if node.kind == "GlobalAveragePool" else "max"
    if x.rank == 4:
        return [it.graph.call(f"nn.global_{kind}_pool2d", [x], shape, x.dtype)]
    op = "mean" if kind == "avg" else "max"
    return [it.graph.call(op, [x], shape, x.dtype, axis=list(range(2, x.rank)), keepdims=True)]


# Products.


@converts("Gemm")
def gemm(it, node):
    graph, (a, b), c = it.graph, node.inputs[:2], node.input(2)
    if node.attr("transA", 0):
        a = graph.call("transpose", [a], a.shape[::-1], a.dtype, axes=[1, 0])
    columns = b.shape[0 if node.attr("transB", 0) else 1]
    shape = (a.shape[0], columns)
    if node.attr("transB", 0):
        result = graph.call("nn.dense", [a, b], shape, a.dtype, units=None)
    else:
        result = graph.call("nn.matmul", [a, b], shape, a.dtype, units=None)
    alpha, beta = node.attr("alpha", 1.0), node.attr("beta", 1.0)
    if alpha != 1:
        result = graph.binary("multiply", result, graph.number(alpha, a))
    if c is not None and beta != 0:
        if beta != 1:
            c = graph.binary("multiply", c, graph.number(beta, c))
        result = graph.binary("add", result, c)
    return [result]


@converts("MatMul")
def matmul(it, node):
    graph, (a, b) = it.graph, node.inputs
    if a.dtype != b.dtype:
        raise Unsupported(f"has operands of types {a.dtype} and {b.dtype}")
    if a.rank == 0 or b.rank == 0:
        raise Unsupported("has a scalar as an operand")
    rows, columns = a.shape[-2:-1], b.shape[-1:] if b.rank > 1 else ()
    shape = (*broadcast(a.shape[:-2], b.shape[:-2]), *rows, *columns)
    if a.rank >= 2 and b.rank == 2:
        return [graph.call("nn.matmul", [a, b], shape, a.dtype, units=None)]
    if a.rank == b.rank == 3:
        return [graph.call("nn.batch_matmul", [a, b], shape, a.dtype, transpose_a=False, transpose_b=False)]
    left = ("...m" if a.rank > 1 else "") + "k"
    right = ("..." if b.rank > 2 else "") + ("kn" if b.rank > 1 else "k")
    left = left if a.rank > 2 else left.removeprefix("...")
    out = ("..." if max(a.rank, b.rank) > 2 else "") + ("m" if a.rank > 1 else "") + ("n" if b.rank > 1 else "")
    return [graph.call("einsum", [[a, b]], shape, a.dtype, equation=f"{left},{right}->{out}")]


@converts("Einsum")
def einsum(it, node):
    equation = node.attr("equation").replace(" ", "")
    extents, rest = {}, []
    terms, arrow, out = equation.partition("->")
    for term, value in zip(terms.split(","), node.inputs):
        before, dots, after = term.partition("...")
        named = list(zip(before, value.shape)) + list(zip(after[::-1], value.shape[::-1]))
        if dots:
            rest.append(value.shape[len(before) : value.rank - len(after)])
        for letter, extent in named:
            if extents.get(letter, 1) == 1:
                extents[letter] = extent
    if not arrow:
        letters = terms.replace(",", "").replace(".", "")
        out = ("..." if rest else "") + "".join(sorted(one for one in set(letters) if letters.count(one) == 1))
    before, dots, after = out.partition("...")
    shape = (*[extents[one] for one in before], *(broadcast(*rest) if dots else ()), *[extents[one] for one in after])
    return [it.graph.call("einsum", [list(node.inputs)], shape, node.input(0).dtype, equation=f"{terms}->{out}")]


# Normalization.


@converts("BatchNormalization")
def batch_norm(it, node):
    x = node.input(0)
    if node.attr("training_mode", 0) or any(node.is_used(at) for at in range(1, 5)):
        raise Unsupported("is in training mode")
    args = [x, *(it.graph.cast(one, x.dtype) for one in node.inputs[1:5])]
    kept = [(one.shape, one.dtype) for one in args[3:]]
    results = it.graph.call_many(
        "nn.batch_norm", args, [(x.shape, x.dtype), *kept], axis=1, epsilon=node.attr("epsilon", 1e-5)
    )
    return [results[0]]


@converts("InstanceNormalization")
def instance_norm(it, node):
    x = node.input(0)
    epsilon = node.attr("epsilon", 1e-5)
    return [it.graph.call("nn.instance_norm", list(node.inputs), x.shape, x.dtype, axis=1, epsilon=epsilon)]


@converts("GroupNormalization")
def group_norm(it, node):
    (x, scale, bias), groups = node.inputs, node.attr("num_groups")
    if node.opset < 21:
        # There is one factor for each group.
        each = x.shape[1] // groups
        if isinstance(each, Dim):
            raise Unsupported("has a number of channels that is not known")
        scale, bias = (
            it.graph.call("repeat", [one], x.shape[1:2], one.dtype, repeats=each, axis=0) for one in (scale, bias)
        )
    return [
        it.graph.call("nn.group_norm", [x, scale, bias], x.shape, x.dtype, num_groups=groups, axis=1,
                      epsilon=node.attr("epsilon", 1e-5))
    ]


@converts("LayerNormalization")
def layer_norm(it, node):
    graph, x, scale, bias = it.graph, node.input(0), node.input(1), node.input(2)
    axis, epsilon = axis_of(node.attr("axis", -1), x.rank), node.attr("epsilon", 1e-5)
    is_plain = not (node.is_used(1) or node.is_used(2)) and isinstance(x.shape[-1], int)
    if axis == x.rank - 1 and is_plain and scale.shape == x.shape[-1:] and scale.dtype == x.dtype:
        if bias is None:
            bias = constant(np.zeros(x.shape[-1], x.dtype), "zeros")
        if bias.shape == scale.shape:
            args = [x, scale, bias]
            return [graph.call("nn.layer_norm", args, x.shape, x.dtype, axis=-1, epsilon=epsilon)]
    axes = list(range(axis, x.rank))
    kept = (*x.shape[:axis], *[1] * len(axes))
    mean = graph.call("mean", [x], kept, x.dtype, axis=axes, keepdims=True)
    centered = graph.binary("subtract", x, mean)
    square = graph.binary("multiply", centered, centered)
    variance = graph.call("mean", [square], kept, x.dtype, axis=axes, keepdims=True)
    root = graph.unary("sqrt", graph.binary("add", variance, graph.number(epsilon, x)))
    inverse = graph.binary("divide", graph.number(1, x), root)
    result = graph.binary("multiply", graph.binary("multiply", centered, inverse), graph.cast(scale, x.dtype))
    if bias is not None:
        result = graph.binary("add", result, graph.cast(bias, x.dtype))
    return [result, mean, inverse]


@converts("LRN")
def lrn(it, node):
    x, size = node.input(0), node.attr("size")
    if size % 2 == 0:
        raise Unsupported(f"has the even size {size}")
    # Both divide the factor by the size.
    return [
        it.graph.unary("nn.lrn", x, size=size, axis=1, bias=node.attr("bias", 1.0), alpha=node.attr("alpha", 1e-4),
                       beta=node.attr("beta", 0.75))
    ]


@converts("LpNormalization")
def lp_norm(it, node):
    graph, x = it.graph, node.input(0)
    axis, p = axis_of(node.attr("axis", -1), x.rank), node.attr("p", 2)
    kept = tuple(1 if at == axis else extent for at, extent in enumerate(x.shape))
    terms = graph.unary("abs", x) if p == 1 else graph.binary("multiply", x, x)
    total = graph.call("sum", [terms], kept, x.dtype, axis=[axis], keepdims=True)
    norm = total if p == 1 else graph.unary("sqrt", total)
    # Zeros stay zeros.
    is_zero = graph.binary("equal", norm, graph.number(0, x), np.bool_)
    norm = graph.call("where", [is_zero, graph.number(1, x), norm], norm.shape, x.dtype)
    return [graph.binary("divide", x, norm)]


@converts("Softmax", "LogSoftmax")
def softmax(it, node):
    x, op = node.input(0), "nn.softmax" if node.kind == "Softmax" else "nn.log_softmax"
    if node.opset >= 13:
        return [it.graph.unary(op, x, axis=axis_of(node.attr("axis", -1), x.rank))]
    # Before opset 13 the axes from this one on are one axis.
    axis = axis_of(node.attr("axis", 1), x.rank)
    if axis == x.rank - 1:
        return [it.graph.unary(op, x, axis=-1)]
    rows = it.flattened(x, axis)
    return [it.reshape(it.graph.unary(op, rows, axis=-1), x.shape)]


@converts("DepthToSpace", "SpaceToDepth")
def blocks(it, node):
    x, size = node.input(0), node.attr("blocksize")
    batch, channels, height, width = x.shape
    square = size * size
    if node.kind == "DepthToSpace":
        shape = (batch, channels // square, height * size, width * size)
        mode = node.attr("mode", "DCR")
        return [it.graph.call("nn.depth_to_space", [x], shape, x.dtype, block_size=size, mode=mode)]
    shape = (batch, channels * square, height // size, width // size)
    return [it.graph.call("nn.space_to_depth", [x], shape, x.dtype, block_size=size)]


