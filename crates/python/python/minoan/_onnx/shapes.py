"""Shapes and the movement of elements."""

import numpy as np

from .dims import Dim, broadcast, product
from .graph import Unsupported, Value, constant, dtype_text
from .importer import axis_of, converts, value_of


@converts("Constant")
def constant_node(it, node):
    if "value" in node.attrs:
        return [constant(node.attrs["value"])]
    for name, dtype in (("value_float", "f4"), ("value_floats", "f4"), ("value_int", "i8"), ("value_ints", "i8")):
        if name in node.attrs:
            return [constant(np.array(node.attrs[name], dtype))]
    raise Unsupported("has a value that is not a dense tensor of numbers")


@converts("Shape")
def shape_of(it, node):
    shape = node.input(0).shape[slice(node.attr("start", 0), node.attr("end", None))]
    return [value_of(np.int64, (len(shape),), shape)]


@converts("Size")
def size_of(it, node):
    return [value_of(np.int64, (), (product(node.input(0).shape),))]


@converts("Reshape")
def reshape(it, node):
    x, target = node.inputs[:2]
    if target.elements is None:
        count = target.shape[0]
        if isinstance(count, Dim):
            raise Unsupported("has a shape of unknown length")
        return [it.reshape(x, [it.graph.fresh() for _ in range(count)], target)]
    dims = list(target.elements)
    if not node.attr("allowzero", 0):
        dims = [x.shape[axis] if dim == 0 else dim for axis, dim in enumerate(dims)]
    if dims.count(-1) == 1:
        others = product(dim for dim in dims if dim != -1)
        dims[dims.index(-1)] = 0 if others == 0 else product(x.shape) // others
    if all(isinstance(dim, int) for dim in (*dims, *x.shape)) and product(dims) != product(x.shape):
        raise Unsupported(f"cannot give a tensor of shape {list(x.shape)} the shape {dims}")
    if x.elements is not None and x.data is None and len(dims) < 2:
        return [value_of(x.dtype, tuple(dims), x.elements)]
    return [it.reshape(x, dims)]


@converts("Flatten")
def flatten(it, node):
    x = node.input(0)
    axis = node.attr("axis", 1)
    return [it.flattened(x, axis + x.rank if axis < 0 else axis)]


@converts("Transpose")
def transpose(it, node):
    x = node.input(0)
    axes = list(node.attr("perm", range(x.rank)[::-1]))
    if axes == list(range(x.rank)):
        return [x]
    return [it.graph.call("transpose", [x], [x.shape[axis] for axis in axes], x.dtype, axes=axes)]


@converts("Squeeze")
def squeeze(it, node):
    x, axes = node.input(0), node.ints("axes", 1)
    if axes is None:
        axes = [axis for axis, extent in enumerate(x.shape) if extent == 1]
    axes = [axis_of(axis, x.rank) for axis in axes]
    shape = tuple(extent for axis, extent in enumerate(x.shape) if axis not in axes)
    if x.elements is not None and x.data is None:
        return [value_of(x.dtype, shape, x.elements)]
    return [it.graph.call("squeeze", [x], shape, x.dtype, axis=axes)] if axes else [x]


@converts("Unsqueeze")
def unsqueeze(it, node):
    x, axes = node.input(0), node.ints("axes", 1)
    rank = x.rank + len(axes)
    axes = sorted(axis_of(axis, rank) for axis in axes)
    if x.elements is not None and x.data is None and rank == 1:
        return [value_of(x.dtype, (1,), x.elements)]
    for axis in axes:
        shape = (*x.shape[:axis], 1, *x.shape[axis:])
        x = it.graph.call("expand_dims", [x], shape, x.dtype, axis=axis)
    return [x]


@converts("Concat")
def concatenate(it, node):
    parts = node.inputs
    axis = axis_of(node.attr("axis"), parts[0].rank)
    total = sum((part.shape[axis] for part in parts), 0)
    shape = (*parts[0].shape[:axis], total, *parts[0].shape[axis + 1 :])
    if parts[0].rank == 1 and all(part.elements is not None for part in parts):
        return [value_of(parts[0].dtype, shape, [one for part in parts for one in part.elements])]
    if len(parts) == 1:
        return [parts[0]]
    return [it.graph.call("concatenate", [list(parts)], shape, parts[0].dtype, axis=axis)]


@converts("Split")
def split(it, node):
    x = node.input(0)
    axis, count = axis_of(node.attr("axis", 0), x.rank), len(node.proto.output)
    extent, sizes = x.shape[axis], node.ints("split", 1)
    if count == 1:
        return [x]
    if sizes is None and isinstance(extent, int):
        each = -(-extent // count)
        sizes = [each] * (count - 1) + [extent - each * (count - 1)]
    if isinstance(extent, Dim):
        sizes = sizes or [extent // count] * count
        ends = [sum(sizes[: at + 1], 0) for at in range(count)]
        shapes = [(*x.shape[:axis], size, *x.shape[axis + 1 :]) for size in sizes]
        return [
            _computed_slice(it, x, [axis], [end - size], [end], [1], shape)
            for end, size, shape in zip(ends, sizes, shapes)
        ]
    sections = np.cumsum(sizes)[:-1].tolist()
    if 0 in sizes:
        # Relay's `split` has no empty parts.
        ends = np.cumsum(sizes).tolist()
        return [
            it.graph.call("strided_slice", [x], (*x.shape[:axis], size, *x.shape[axis + 1 :]), x.dtype,
                          begin=[end - size], end=[end], strides=[1], axes=[axis])
            for end, size in zip(ends, sizes)
        ]
    results = [((*x.shape[:axis], size, *x.shape[axis + 1 :]), x.dtype) for size in sizes]
    return it.graph.call_many("split", [x], results, indices_or_sections=sections, axis=axis)


@converts("Expand")
def expand(it, node):
    x, target = node.inputs
    if target.elements is None:
        shape = [it.graph.fresh() for _ in range(max(target.shape[0], x.rank))]
        if target.shape[0] < x.rank:
            raise Unsupported("has a shape that is shorter than that of its operand")
        return [it.graph.computed("dyn.broadcast_to", [x, target], shape, x.dtype, shape=None)]
    shape = broadcast(x.shape, target.elements)
    if shape == x.shape:
        return [x]
    if all(isinstance(dim, int) for dim in shape):
        return [it.graph.call("broadcast_to", [x], shape, x.dtype, shape=shape)]
    return [it.graph.computed("dyn.broadcast_to", [x, it.graph.vector(shape)], shape, x.dtype, shape=None)]


@converts("ConstantOfShape")
def constant_of_shape(it, node):
    target = node.input(0)
    value = np.asarray(node.attr("value", np.zeros(1, np.float32))).reshape(())
    dtype = dtype_text(value.dtype)
    if target.elements is None:
        shape = [it.graph.fresh() for _ in range(target.shape[0])]
        return [it.graph.computed("dyn.full", [constant(value), target], shape, value.dtype, shape=None, dtype=dtype)]
    shape = target.elements
    if len(shape) == 1 and isinstance(shape[0], int) and value.dtype.kind == "i":
        return [constant(np.full(shape, value))]
    if all(isinstance(dim, int) for dim in shape):
        return [it.graph.call("full", [constant(value)], shape, value.dtype, shape=shape, dtype=dtype)]
    args = [constant(value), it.graph.vector(shape)]
    return [it.graph.computed("dyn.full", args, shape, value.dtype, shape=None, dtype=dtype)]


@converts("Range")
def arange(it, node):
    start, limit, delta = node.inputs
    extent = it.graph.fresh()
    if start.elements and limit.elements and delta.elements and delta.elements[0] == 1:
        extent = limit.elements[0] - start.elements[0]
    attrs = {"start": None, "stop": None, "step": None, "dtype": dtype_text(start.dtype)}
    bounds = [it.reshape(bound, ()) for bound in node.inputs]
    return [it.graph.call("arange", bounds, [extent], start.dtype, **attrs)]


@converts("Tile")
def tile(it, node):
    x, repeats = node.inputs
    if repeats.elements is None or not all(isinstance(one, int) for one in repeats.elements):
        shape = [it.graph.fresh() for _ in x.shape]
        if repeats.elements is not None:
            shape = [extent * times for extent, times in zip(x.shape, repeats.elements)]
        return [it.graph.computed("dyn.tile", [x, repeats], shape, x.dtype, reps=[])]
    shape = [extent * times for extent, times in zip(x.shape, repeats.elements)]
    return [it.graph.call("tile", [x], shape, x.dtype, reps=repeats.elements)]


@converts("Pad")
def pad(it, node):
    x, mode = node.input(0), node.attr("mode", "constant")
    pads = node.ints("pads", 1)
    if mode not in ("constant", "reflect", "edge"):
        raise Unsupported(f"has the mode '{mode}'")
    axes = node.input(3)
    axes = range(x.rank) if axes is None else [axis_of(axis, x.rank) for axis in node.constant(3, "axes").tolist()]
    widths, half = [[0, 0] for _ in x.shape], len(pads) // 2
    for at, axis in enumerate(axes):
        widths[axis] = [pads[at], pads[at + half]]
    value = node.input(2) or it.graph.number(node.attr("value", 0), x)
    if value.rank:
        value = it.reshape(value, ())
    shape = [extent + before + after for extent, (before, after) in zip(x.shape, widths)]
    return [it.graph.call("nn.pad", [x, value], shape, x.dtype, pad_width=widths, pad_mode=mode)]


@converts("Trilu")
def triangle(it, node):
    x, k = node.input(0), node.input(1) or constant(np.int64(0))
    return [it.graph.call("trilu", [x, k], x.shape, x.dtype, upper=bool(node.attr("upper", 1)))]


# Slices.

# The attributes of a slice whose bounds are operands.
COMPUTED = {"begin": None, "end": None, "strides": None, "axes": None}


@converts("Slice")
def strided_slice(it, node):
    x = node.input(0)
    bounds = [_bounds(node, name, at) for name, at in (("starts", 1), ("ends", 2))]
    axes = node.ints("axes", 3)
    if bounds[0] is None or bounds[1] is None:
        return [_runtime_slice(it, node, axes)]
    axes = list(range(len(bounds[0]))) if axes is None else [axis_of(axis, x.rank) for axis in axes]
    steps = node.ints("steps", 4) or [1] * len(axes)
    begin, end, shape = [], [], list(x.shape)
    for axis, start, stop, step in zip(axes, *bounds, steps):
        first, last, shape[axis] = _along(it, x.shape[axis], start, stop, step)
        begin.append(first)
        end.append(last)
    if x.elements is not None and x.data is None:
        at = slice(bounds[0][0], bounds[1][0], steps[0])
        return [value_of(x.dtype, (len(x.elements[at]),), x.elements[at])]
    if all(isinstance(one, int) for one in begin + end + [x.shape[axis] for axis in axes]):
        return [it.graph.call("strided_slice", [x], shape, x.dtype, begin=begin, end=end, strides=steps, axes=axes)]
    return [_computed_slice(it, x, axes, begin, end, steps, shape)]


def _computed_slice(it, x, axes, begin, end, steps, shape):
    """A slice whose bounds are extents."""
    whole = {axis: (first, last, step) for axis, first, last, step in zip(axes, begin, end, steps)}
    rows = [whole.get(axis, (0, extent, 1)) for axis, extent in enumerate(x.shape)]
    vectors = [it.graph.vector(column) for column in zip(*rows)]
    return it.graph.computed("dyn.strided_slice", [x, *vectors], shape, x.dtype, **COMPUTED)


def _bounds(node, name, index):
    if name in node.attrs:
        return list(node.attrs[name])
    elements = node.input(index).elements
    return None if elements is None else list(elements)


def _along(it, extent, start, stop, step):
    """The first and the last position of a slice, as Relay has them, and the extent of the result."""
    far = 1 << 31
    if isinstance(extent, int) and isinstance(start, int) and isinstance(stop, int):
        first, last, _ = slice(start, stop, step).indices(extent)
        count = len(range(first, last, step))
        # A negative position counts from the end, also that before the first element.
        return first, last if last >= 0 else -extent - 1, count
    if step != 1:
        start, stop = (max(-far, min(far, one)) if isinstance(one, int) else one for one in (start, stop))
        return start, stop, it.graph.fresh()
    if isinstance(start, int) and start < 0:
        start = extent + start if start > -far else 0
    if isinstance(stop, int) and stop < 0:
        stop = extent + stop
    elif isinstance(stop, int) and stop >= far - 1:
        stop = extent
    count = stop - start
    if isinstance(extent, Dim) and (isinstance(stop, int) or isinstance(start, int) and start > 0):
        # Whether the tensor has as many elements is not known.
        count = it.graph.fresh()
    if isinstance(count, int):
        count = max(count, 0)
    return start, stop, count


def _runtime_slice(it, node, axes):
    x = node.input(0)
    if axes is not None and [axis_of(axis, x.rank) for axis in axes] != list(range(x.rank)):
        raise Unsupported("has bounds that are computed, and axes other than all")
    steps = node.ints("steps", 4) or [1] * x.rank
    args = [x, node.input(1), it.graph.cast(node.input(2), node.input(1).dtype)]
    args.append(constant(np.array(steps, node.input(1).dtype), "steps"))
    return it.graph.computed("dyn.strided_slice", args, [it.graph.fresh() for _ in x.shape], x.dtype, **COMPUTED)


# Images.

_ROUNDING = {
    "round_prefer_floor": "round_prefer_floor",
    "round_prefer_ceil": "round_prefer_ceil",
    "floor": "floor",
    "ceil": "ceil",
}


@converts("Resize", "Upsample")
def resize(it, node):
    x, mode = node.input(0), node.attr("mode", "nearest")
    transform = node.attr("coordinate_transformation_mode", "half_pixel")
    rounding = node.attr("nearest_mode", "round_prefer_floor")
    if node.kind == "Upsample" or node.opset < 11:
        transform, rounding = "asymmetric", "floor"
    at_scales, at_sizes = (1, None) if node.kind == "Upsample" or node.opset < 11 else (2, 3)
    if node.attr("antialias", 0) or node.attr("keep_aspect_ratio_policy", "stretch") != "stretch":
        raise Unsupported("has antialias or keep_aspect_ratio_policy")
    if transform not in ("half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel", "tf_half_pixel_for_nn"):
        raise Unsupported(f"has the coordinate transformation '{transform}'")
    axes = [axis_of(axis, x.rank) for axis in node.attr("axes", range(x.rank))]
    sizes = None if at_sizes is None or node.input(at_sizes) is None else node.input(at_sizes).elements
    shape = list(x.shape)
    if sizes:
        for axis, size in zip(axes, sizes):
            shape[axis] = size
    else:
        scales = node.attr("scales") or node.constant(at_scales, "scales").tolist()
        for axis, scale in zip(axes, scales):
            shape[axis] = x.shape[axis] if scale == 1 else _scaled(x.shape[axis], scale)
    if tuple(shape) == x.shape:
        return [x]
    moved = [axis for axis in range(x.rank) if shape[axis] != x.shape[axis]]
    if x.rank not in (3, 4, 5) or min(moved) < 2:
        raise Unsupported(f"resizes a tensor of rank {x.rank} along the axes {moved}")
    if not all(isinstance(size, int) for size in shape[2:]):
        raise Unsupported("has a size that is not known")
    method = {"nearest": "nearest_neighbor", "linear": "linear", "cubic": "cubic"}.get(mode)
    if method is None or mode == "cubic" and x.rank != 4:
        raise Unsupported(f"has the mode '{mode}' for a tensor of rank {x.rank}")
    attrs = {
        "size": shape[2:],
        "roi": [0.0] * 2 * (x.rank - 2),
        "layout": ("NCW", "NCHW", "NCDHW")[x.rank - 3],
        "method": method,
        "coordinate_transformation_mode": transform,
        "rounding_method": _ROUNDING[rounding] if method == "nearest_neighbor" else "",
        "cubic_alpha": node.attr("cubic_coeff_a", -0.75),
        "cubic_exclude": node.attr("exclude_outside", 0),
    }
    return [it.graph.call(f"image.resize{x.rank - 2}d", [x], shape, x.dtype, **attrs)]


def _scaled(extent, scale):
    if isinstance(extent, Dim):
        raise Unsupported(f"resizes the extent '{extent}', which is not known")
    exact = extent * float(scale)
    size = int(np.floor(exact))
    if abs(exact - size) > 1e-6 * exact:
        raise Unsupported(f"has the scale {scale}, which gives no whole number of {extent} elements")
    return size
