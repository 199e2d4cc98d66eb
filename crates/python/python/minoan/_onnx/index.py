"""Selection by indices, sorting, and reductions."""

import numpy as np

from .dims import Dim, broadcast
from .graph import Unsupported, constant
from .importer import axis_of, converts, value_of


def _from_start(it, indices, extent):
    """Indices whose negative ones, which count from the end, are replaced."""
    if indices.data is not None:
        if (indices.data >= 0).all():
            return indices
        if isinstance(extent, int):
            return constant(np.where(indices.data < 0, indices.data + extent, indices.data), indices.name)
    graph = it.graph
    whole = graph.cast(graph.scalar(extent), indices.dtype)
    is_negative = graph.binary("less", indices, graph.number(0, indices), np.bool_)
    moved = graph.binary("add", indices, whole)
    return graph.call("where", [is_negative, moved, indices], indices.shape, indices.dtype)


@converts("Gather")
def gather(it, node):
    x, indices = node.inputs
    axis = axis_of(node.attr("axis", 0), x.rank)
    if x.elements is not None and x.data is None and indices.data is not None and indices.rank < 2:
        found = [x.elements[index] for index in indices.data.reshape(-1).tolist()]
        return [value_of(x.dtype, indices.shape, found)]
    shape = (*x.shape[:axis], *indices.shape, *x.shape[axis + 1 :])
    indices = _from_start(it, indices, x.shape[axis])
    return [it.graph.call("take", [x, indices], shape, x.dtype, axis=axis)]


@converts("GatherElements")
def gather_elements(it, node):
    x, indices = node.inputs
    axis = axis_of(node.attr("axis", 0), x.rank)
    indices = _from_start(it, indices, x.shape[axis])
    return [it.graph.call("gather", [x, indices], indices.shape, x.dtype, axis=axis)]


def _tuples(it, x, indices, batch=0):
    """The indices of `GatherND` and `ScatterND` with their tuples along the first axis, all of them from the start."""
    length = indices.shape[-1]
    if isinstance(length, Dim):
        raise Unsupported("has index tuples of unknown length")
    extents = x.shape[batch : batch + length]
    if indices.data is None or (indices.data < 0).any():
        graph = it.graph
        whole = graph.cast(graph.vector(extents), indices.dtype)
        is_negative = graph.binary("less", indices, graph.number(0, indices), np.bool_)
        moved = graph.binary("add", indices, whole)
        indices = graph.call("where", [is_negative, moved, indices], indices.shape, indices.dtype)
    axes = [indices.rank - 1, *range(indices.rank - 1)]
    return it.graph.call("transpose", [indices], [indices.shape[axis] for axis in axes], indices.dtype, axes=axes)


@converts("GatherND")
def gather_nd(it, node):
    x, indices = node.inputs
    batch, length = node.attr("batch_dims", 0), indices.shape[-1]
    tuples = _tuples(it, x, indices, batch)
    shape = (*indices.shape[:-1], *x.shape[batch + length :])
    return [it.graph.call("gather_nd", [x, tuples], shape, x.dtype, batch_dims=batch, index_rank=length)]


@converts("ScatterND")
def scatter_nd(it, node):
    x, indices, updates = node.inputs
    mode = {"none": "update"}.get(node.attr("reduction", "none"), node.attr("reduction", "none"))
    args = [x, _tuples(it, x, indices), updates]
    return [it.graph.call("scatter_nd", args, x.shape, x.dtype, mode=mode)]


@converts("ScatterElements", "Scatter")
def scatter_elements(it, node):
    x, indices, updates = node.inputs
    axis = axis_of(node.attr("axis", 0), x.rank)
    mode = {"none": "update"}.get(node.attr("reduction", "none"), node.attr("reduction", "none"))
    args = [x, _from_start(it, indices, x.shape[axis]), updates]
    return [it.graph.call("scatter_elements", args, x.shape, x.dtype, axis=axis, reduction=mode)]


@converts("OneHot")
def one_hot(it, node):
    graph, (indices, depth, values) = it.graph, node.inputs
    count = int(node.constant(1, "depth").item())
    axis = axis_of(node.attr("axis", -1), indices.rank + 1)
    indices = graph.cast(indices, "int64")
    indices = _from_start(it, indices, count)
    if values.data is not None:
        off, on = (constant(one) for one in values.data)
    else:
        off, on = (
            graph.call("take", [values, constant(np.int64(at))], [], values.dtype, axis=0) for at in (0, 1)
        )
    shape = (*indices.shape[:axis], count, *indices.shape[axis:])
    dtype = "bool" if values.dtype == np.bool_ else values.dtype.name
    return [graph.call("one_hot", [indices, on, off], shape, values.dtype, depth=count, axis=axis, dtype=dtype)]


@converts("NonZero")
def non_zero(it, node):
    graph, x = it.graph, node.input(0)
    count = graph.fresh()
    found = graph.call("argwhere", [x], [count, x.rank], "int32")
    found = graph.call("transpose", [found], [x.rank, count], "int32", axes=[1, 0])
    return [graph.cast(found, "int64")]


# Sorting and scans.


@converts("TopK")
def top_k(it, node):
    x = node.input(0)
    count = int(node.attr("k") or node.constant(1, "k").item())
    axis = axis_of(node.attr("axis", -1), x.rank)
    shape = (*x.shape[:axis], count, *x.shape[axis + 1 :])
    return it.graph.call_many(
        "topk", [x], [(shape, x.dtype), (shape, np.int64)], k=count, axis=axis, ret_type="both",
        is_ascend=not node.attr("largest", 1), dtype="int64",
    )


@converts("ArgMax", "ArgMin")
def arg_reduce(it, node):
    x = node.input(0)
    axis, kept = axis_of(node.attr("axis", 0), x.rank), bool(node.attr("keepdims", 1))
    shape = _reduced(x.shape, [axis], kept)
    found = it.graph.call(
        node.kind.lower(), [x], shape, "int32", axis=[axis], keepdims=kept,
        select_last_index=bool(node.attr("select_last_index", 0)),
    )
    return [it.graph.cast(found, "int64")]


@converts("CumSum")
def cumulative_sum(it, node):
    graph, x = it.graph, node.input(0)
    axis = axis_of(int(node.constant(1, "axis").item()), x.rank)
    is_reversed = node.attr("reverse", 0)
    if is_reversed:
        x = graph.unary("reverse", x, axis=axis)
    x = graph.unary("cumsum", x, axis=axis, dtype=x.dtype.name, exclusive=bool(node.attr("exclusive", 0)))
    return [graph.unary("reverse", x, axis=axis) if is_reversed else x]


# Reductions.

_REDUCTIONS = {"ReduceSum": "sum", "ReduceMean": "mean", "ReduceMax": "max", "ReduceMin": "min", "ReduceProd": "prod"}


def _reduced(shape, axes, kept):
    if kept:
        return tuple(1 if axis in axes else extent for axis, extent in enumerate(shape))
    return tuple(extent for axis, extent in enumerate(shape) if axis not in axes)


def _axes(node, x):
    axes = node.ints("axes", 1)
    if not axes:
        return [] if node.attr("noop_with_empty_axes", 0) else list(range(x.rank))
    return sorted(axis_of(axis, x.rank) for axis in axes)


def _reduce(it, op, x, axes, kept):
    return it.graph.call(op, [x], _reduced(x.shape, axes, kept), x.dtype, axis=axes, keepdims=kept)


@converts(*_REDUCTIONS)
def reduction(it, node):
    x = node.input(0)
    axes = _axes(node, x)
    if not axes:
        return [x]
    if x.dtype == np.bool_:
        op = {"max": "any", "min": "all"}[_REDUCTIONS[node.kind]]
        return [_reduce(it, op, x, axes, bool(node.attr("keepdims", 1)))]
    if node.kind == "ReduceProd" and x.elements is not None and x.data is None:
        total = 1
        for one in x.elements:
            total = total * one
        return [value_of(x.dtype, (1,) if node.attr("keepdims", 1) else (), (total,))]
    return [_reduce(it, _REDUCTIONS[node.kind], x, axes, bool(node.attr("keepdims", 1)))]


@converts("ReduceL1", "ReduceL2", "ReduceSumSquare", "ReduceLogSum", "ReduceLogSumExp")
def derived_reduction(it, node):
    graph, x = it.graph, node.input(0)
    axes, kept = _axes(node, x), bool(node.attr("keepdims", 1))
    if node.kind == "ReduceLogSumExp":
        # The largest element is taken out, so that nothing overflows.
        largest = _reduce(it, "max", x, axes, True)
        total = _reduce(it, "sum", graph.unary("exp", graph.binary("subtract", x, largest)), axes, kept)
        largest = it.reshape(largest, total.shape)
        return [graph.binary("add", graph.unary("log", total), largest)]
    if node.kind == "ReduceL1":
        x = graph.unary("abs", x)
    elif node.kind in ("ReduceL2", "ReduceSumSquare"):
        x = graph.binary("multiply", x, x)
    total = _reduce(it, "sum", x, axes, kept) if axes else x
    if node.kind == "ReduceL2":
        return [graph.unary("sqrt", total)]
    return [graph.unary("log", total) if node.kind == "ReduceLogSum" else total]


# Comparisons of extents.


def compare_extents(node):
    """The elements of a comparison of extents, where they are known: an extent is not negative."""
    left, right = node.inputs
    if left.elements is None or right.elements is None:
        return None
    shape = broadcast(left.shape, right.shape)
    count = shape[0] if shape else 1
    rows = [one.elements * count if len(one.elements) == 1 else one.elements for one in (left, right)]
    found = []
    for a, b in zip(*rows):
        if a == b or isinstance(a, int) and isinstance(b, int):
            found.append(a == b)
        elif any(isinstance(one, int) and one < 0 for one in (a, b)):
            found.append(False)
        else:
            return None
    return constant(np.array(found, np.bool_).reshape(shape))
