#!/usr/bin/env python3
"""Computes the results of Relay operators with NumPy, from their definitions.

    python3 test/numerics/relay_operators.py > crates/relay/tests/data/operators.json

Each case is a program with inputs and the expected output, in the format of relay-op-vectors.json. The reference
implementations are loops over indices that share nothing with the lowering; `crates/relay/tests/all/operators.rs` runs the
programs and compares.
"""

import itertools
import json
import math
import sys

import numpy as np

CASES = []
RANDOM = np.random.default_rng(1)


def tensor(array):
    array = np.asarray(array)
    dtype = "bool" if array.dtype == np.bool_ else array.dtype.name
    special = {"inf": "inf", "-inf": "-inf", "nan": "nan"}

    def item(value):
        if dtype == "bool":
            return bool(value)
        if dtype.startswith("float"):
            value = float(value)
            return special.get(str(value), value)
        return int(value)

    return {"dtype": dtype, "shape": list(array.shape), "data": [item(value) for value in array.reshape(-1)]}


def case(name, params, body, inputs, output):
    """A program whose parameters are `params`, in order, and whose expected output is a tensor or a tuple."""
    inputs = [np.asarray(value) for value in inputs]

    def ty(array):
        dtype = "bool" if array.dtype == np.bool_ else array.dtype.name
        dims = ", ".join(str(extent) for extent in array.shape)
        return f"Tensor[({dims}{',' if array.ndim == 1 else ''}), {dtype}]"

    head = ", ".join(f"%{param}: {ty(value)}" for param, value in zip(params.split(), inputs))
    text = f'#[version = "0.0.5"]\ndef @main({head}) {{ {body} }}\n'
    fields = isinstance(output, tuple)
    expected = {"adt_tag": 0, "fields": [tensor(part) for part in output]} if fields else tensor(output)
    CASES.append({"name": name, "text": text, "inputs": [tensor(value) for value in inputs], "output": expected})


def floats(*shape):
    """Multiples of 1/8, so that sums of products are exact in float32."""
    return (RANDOM.integers(-32, 33, size=shape) / 8).astype(np.float32)


def integers(low, high, shape, dtype="int32"):
    return RANDOM.integers(low, high, size=shape).astype(dtype)


def pad_axes(data, widths, value):
    return np.pad(data, widths, constant_values=value)


# Windows.


def pool(data, size, strides, padding, dilation, ceil, how, include=False):
    """Pools the axes after the first two."""
    axes = len(size)
    out = []
    for axis in range(axes):
        room = data.shape[axis + 2] + sum(padding[axis]) - ((size[axis] - 1) * dilation[axis] + 1)
        out.append((room + (strides[axis] - 1 if ceil else 0)) // strides[axis] + 1)
    result = np.zeros(data.shape[:2] + tuple(out), data.dtype)
    for at in np.ndindex(*result.shape):
        inside, counted = [], 0
        for offset in itertools.product(*(range(extent) for extent in size)):
            place = [
                at[axis + 2] * strides[axis] - padding[axis][0] + offset[axis] * dilation[axis] for axis in range(axes)
            ]
            fits = all(0 <= place[axis] < data.shape[axis + 2] for axis in range(axes))
            padded = all(
                -padding[axis][0] <= place[axis] < data.shape[axis + 2] + padding[axis][1] for axis in range(axes)
            )
            counted += padded if include else fits
            if fits:
                inside.append(data[at[:2] + tuple(place)])
        if how == "max":
            result[at] = max(inside) if inside else -math.inf
        else:
            result[at] = sum(inside) / max(counted, 1)
    return result


def pools():
    data = floats(1, 2, 7)
    case("max_pool1d_ceil", "x", "nn.max_pool1d(%x, pool_size=[3], strides=[2], padding=[1], ceil_mode=True)",
         [data], pool(data, [3], [2], [(1, 1)], [1], True, "max"))
    case("avg_pool1d_padding", "x", "nn.avg_pool1d(%x, pool_size=[3], strides=[2], padding=[2, 1])",
         [data], pool(data, [3], [2], [(2, 1)], [1], False, "avg"))
    case("avg_pool1d_include", "x",
         "nn.avg_pool1d(%x, pool_size=[2], strides=[2], padding=[1, 1], ceil_mode=True, count_include_pad=True)",
         [data], pool(data, [2], [2], [(1, 1)], [1], True, "avg", True))
    data = floats(1, 2, 4, 5, 3)
    case("max_pool3d", "x",
         "nn.max_pool3d(%x, pool_size=[2, 3, 1], strides=[1, 2, 2], padding=[1, 1, 0], dilation=[2, 1, 1])",
         [data], pool(data, [2, 3, 1], [1, 2, 2], [(1, 1), (1, 1), (0, 0)], [2, 1, 1], False, "max"))
    case("avg_pool3d_ndhwc", "x",
         'nn.avg_pool3d(%x, pool_size=[2, 2, 2], strides=[2, 2, 2], padding=[0, 1, 1, 1, 0, 0], layout="NDHWC")',
         [np.moveaxis(data, 1, -1)],
         np.moveaxis(pool(data, [2] * 3, [2] * 3, [(0, 1), (1, 0), (1, 0)], [1] * 3, False, "avg"), 1, -1))


def adaptive(data, sizes, how):
    out = np.zeros(data.shape[:2] + tuple(sizes), data.dtype)
    for at in np.ndindex(*out.shape):
        ranges = []
        for axis, size in enumerate(sizes):
            whole = data.shape[axis + 2]
            ranges.append(slice(at[axis + 2] * whole // size, -(-(at[axis + 2] + 1) * whole // size)))
        window = data[at[:2] + tuple(ranges)]
        out[at] = window.max() if how == "max" else window.sum() / window.size
    return out


def adaptive_pools():
    data = floats(1, 2, 7)
    case("adaptive_avg_pool1d", "x", "nn.adaptive_avg_pool1d(%x, output_size=[3])", [data], adaptive(data, [3], "avg"))
    case("adaptive_max_pool1d", "x", "nn.adaptive_max_pool1d(%x, output_size=[5])", [data], adaptive(data, [5], "max"))
    data = floats(1, 2, 4, 6)
    case("adaptive_max_pool2d_even", "x", "nn.adaptive_max_pool2d(%x, output_size=[2, 3])", [data],
         adaptive(data, [2, 3], "max"))
    case("adaptive_max_pool2d_nhwc", "x", 'nn.adaptive_max_pool2d(%x, output_size=[3, 4], layout="NHWC")',
         [np.moveaxis(data, 1, -1)], np.moveaxis(adaptive(data, [3, 4], "max"), 1, -1))
    data = floats(1, 1, 3, 4, 5)
    case("adaptive_max_pool3d", "x", "nn.adaptive_max_pool3d(%x, output_size=[2, 2, 3])", [data],
         adaptive(data, [2, 2, 3], "max"))
    case("adaptive_avg_pool3d", "x", "nn.adaptive_avg_pool3d(%x, output_size=[2, 3, 2])", [data],
         adaptive(data, [2, 3, 2], "avg"))


# Convolutions, with channels first.


def conv(data, weight, strides, padding, dilation, groups, dtype=None):
    axes = data.ndim - 2
    data = pad_axes(data, [(0, 0), (0, 0)] + padding, 0)
    dtype = dtype or data.dtype
    outputs, inputs = weight.shape[:2]
    reach = [(weight.shape[axis + 2] - 1) * dilation[axis] + 1 for axis in range(axes)]
    out = [(data.shape[axis + 2] - reach[axis]) // strides[axis] + 1 for axis in range(axes)]
    result = np.zeros((data.shape[0], outputs) + tuple(out), dtype)
    for at in np.ndindex(*result.shape):
        group = at[1] // (outputs // groups)
        total = 0
        for inner in np.ndindex(*weight.shape[1:]):
            place = tuple(at[axis + 2] * strides[axis] + inner[axis + 1] * dilation[axis] for axis in range(axes))
            total += dtype.type(data[(at[0], group * inputs + inner[0]) + place]) * dtype.type(weight[(at[1],) + inner])
        result[at] = total
    return result


def conv_transpose(data, weight, strides, padding, dilation, groups, more):
    """Every element of the data adds a multiple of the kernel to the result."""
    axes = data.ndim - 2
    each = weight.shape[1]
    reach = [(weight.shape[axis + 2] - 1) * dilation[axis] + 1 for axis in range(axes)]
    full = [(data.shape[axis + 2] - 1) * strides[axis] + reach[axis] + more[axis] for axis in range(axes)]
    result = np.zeros((data.shape[0], each * groups) + tuple(full), data.dtype)
    for at in np.ndindex(*data.shape):
        group = at[1] // (data.shape[1] // groups)
        for inner in np.ndindex(*weight.shape[1:]):
            place = tuple(at[axis + 2] * strides[axis] + inner[axis + 1] * dilation[axis] for axis in range(axes))
            result[(at[0], group * each + inner[0]) + place] += data[at] * weight[(at[1],) + inner]
    ranges = tuple(slice(before, result.shape[axis + 2] - after) for axis, (before, after) in enumerate(padding))
    return result[(slice(None), slice(None)) + ranges]


def convolutions():
    data, weight = floats(1, 4, 5), floats(4, 3, 3)
    case("conv1d_transpose", "x w", "nn.conv1d_transpose(%x, %w, channels=3, kernel_size=[3], strides=[2], padding=[1, 0])",
         [data, weight], conv_transpose(data, weight, [2], [(1, 0)], [1], 1, [0]))
    weight = floats(4, 2, 3)
    case("conv1d_transpose_groups", "x w",
         "nn.conv1d_transpose(%x, %w, channels=4, kernel_size=[3], strides=[3], output_padding=[2], dilation=[2], groups=2)",
         [data, weight], conv_transpose(data, weight, [3], [(0, 0)], [2], 2, [2]))
    data, weight = floats(1, 2, 2, 3, 2), floats(2, 2, 2, 1, 3)
    case("conv3d_transpose", "x w",
         "nn.conv3d_transpose(%x, %w, channels=2, kernel_size=[2, 1, 3], strides=[2, 1, 2], padding=[1, 0, 1])",
         [data, weight], conv_transpose(data, weight, [2, 1, 2], [(1, 1), (0, 0), (1, 1)], [1] * 3, 1, [0] * 3))
    data, weight = floats(1, 8, 3, 4), floats(4, 8, 2, 2)
    packed = data.reshape(1, 2, 4, 3, 4).transpose(0, 1, 3, 4, 2)
    kernel = weight.reshape(2, 2, 2, 4, 2, 2).transpose(0, 2, 4, 5, 3, 1)
    result = conv(data, weight, [1, 1], [(1, 1), (0, 0)], [1, 1], 1)
    case("conv2d_packed", "x w",
         "nn.contrib_conv2d_NCHWc(%x, %w, channels=4, kernel_size=[2, 2], padding=[1, 0], "
         'data_layout="NCHW4c", kernel_layout="OIHW4i2o", out_layout="NCHW2c")',
         [packed, kernel], result.reshape(1, 2, 2, 4, 3).transpose(0, 1, 3, 4, 2))
    data, weight = integers(-128, 128, (1, 3, 4), "int8"), integers(-128, 128, (2, 3, 2), "int8")
    case("conv1d_int8_to_int32", "x w", 'nn.conv1d(%x, %w, channels=2, kernel_size=[2], padding=[0], out_dtype="int32")',
         [data, weight], conv(data, weight, [1], [(0, 0)], [1], 1, np.dtype("int32")))
    data, weight = floats(2, 5), floats(8, 5)
    case("dense_pack", "x w", "nn.contrib_dense_pack(%x, %w, units=8)",
         [data, weight.reshape(2, 4, 5).transpose(0, 2, 1)], data @ weight.T)


def layouts():
    data = floats(1, 6, 2, 3)
    case("layout_transform_pack", "x", 'layout_transform(%x, src_layout="NCHW", dst_layout="NCHW3c")', [data],
         data.reshape(1, 2, 3, 2, 3).transpose(0, 1, 3, 4, 2))
    padded = pad_axes(data, [(0, 0), (0, 2), (0, 0), (0, 0)], 0)
    case("layout_transform_padded", "x", 'layout_transform(%x, src_layout="NCHW", dst_layout="NCHW4c")', [data],
         padded.reshape(1, 2, 4, 2, 3).transpose(0, 1, 3, 4, 2))
    packed = data.reshape(1, 2, 3, 2, 3).transpose(0, 1, 3, 4, 2)
    case("layout_transform_repack", "x", 'layout_transform(%x, src_layout="NCHW3c", dst_layout="NHWC2c")', [packed],
         data.reshape(1, 3, 2, 2, 3).transpose(0, 3, 4, 1, 2))


# Elements moved between space, channels and batches.


def spaces():
    data = floats(1, 8, 2, 3)
    crd = data.reshape(1, 2, 2, 2, 2, 3).transpose(0, 1, 4, 2, 5, 3).reshape(1, 2, 4, 6)
    case("depth_to_space_crd", "x", 'nn.depth_to_space(%x, block_size=2, mode="CRD")', [data], crd)
    data = integers(0, 100, (1, 2, 4, 6), "int16")
    dcr = data.reshape(1, 2, 2, 2, 3, 2).transpose(0, 3, 5, 1, 2, 4).reshape(1, 8, 2, 3)
    case("space_to_depth", "x", "nn.space_to_depth(%x, block_size=2)", [data], dcr)
    case("space_to_depth_nhwc", "x", 'nn.space_to_depth(%x, block_size=2, layout="NHWC")', [np.moveaxis(data, 1, -1)],
         np.moveaxis(dcr, 1, -1))
    data = floats(1, 3, 4, 2)
    padded = pad_axes(data, [(0, 0), (1, 0), (0, 2), (0, 0)], 2.5)
    blocks = padded.reshape(1, 2, 2, 2, 3, 2).transpose(2, 4, 0, 1, 3, 5).reshape(6, 2, 2, 2)
    case("space_to_batch", "x", "nn.space_to_batch_nd(%x, block_shape=[2, 3], paddings=[[1, 0], [0, 2]], pad_value=2.5f)",
         [data], blocks)
    case("batch_to_space", "x", "nn.batch_to_space_nd(%x, block_shape=[2, 3], crops=[[1, 0], [0, 2]])", [blocks], data)
    data = floats(2, 3)
    spread = np.full((4, 3), 0.5, np.float32)
    spread[::3] = data
    case("dilate", "x", "nn.dilate(%x, strides=[3, 1], dilation_value=0.5f)", [data], spread)
    for mode in ["SYMMETRIC", "REFLECT"]:
        case(f"mirror_pad_{mode.lower()}", "x", f'nn.mirror_pad(%x, mode="{mode}", pad_width=[[1, 1], [2, 1]])', [data],
             np.pad(data, [(1, 1), (2, 1)], mode=mode.lower()))


# Interpolation.


def sampled(data, coordinates, method, alpha=-0.5, exclude=False, index=None):
    """The value at real coordinates, one for each axis of the data."""
    def taps(at, whole):
        floor = math.floor(at)
        t = at - floor
        if method == "linear":
            return [(floor, 1 - t), (floor + 1, t)]
        a = alpha
        weights = [a * (t**3 - 2 * t**2 + t), (a + 2) * t**3 - (a + 3) * t**2 + 1,
                   -(a + 2) * t**3 + (2 * a + 3) * t**2 - a * t, -a * t**3 + a * t**2]
        found = [(floor - 1 + offset, weight) for offset, weight in enumerate(weights)]
        if exclude:
            found = [(at, weight if 0 <= at < whole else 0) for at, weight in found]
            total = sum(weight for _, weight in found)
            found = [(at, weight / total) for at, weight in found]
        return found

    index = index or (lambda at, whole: min(max(at, 0), whole - 1))
    total = 0
    for combination in itertools.product(*(taps(at, whole) for at, whole in zip(coordinates, data.shape))):
        places = tuple(index(at, whole) for (at, _), whole in zip(combination, data.shape))
        weight = math.prod(weight for _, weight in combination)
        total += weight * (0 if None in places else float(data[places]))
    return total


def resized(data, sizes, coordinate, **options):
    out = np.zeros(data.shape[:2] + tuple(sizes), data.dtype)
    for at in np.ndindex(*out.shape):
        places = [coordinate(at[axis + 2], data.shape[axis + 2], size) for axis, size in enumerate(sizes)]
        out[at] = sampled(data[at[:2]], places, **options)
    return out


def half_pixel(at, whole, size):
    return (at + 0.5) * whole / size - 0.5


def align_corners(at, whole, size):
    return at * (whole - 1) / max(size - 1, 1)


def resizes():
    data = floats(1, 2, 4)
    case("resize1d_linear", "x", "image.resize1d(%x, size=[7], roi=[0f, 0f])", [data],
         resized(data, [7], half_pixel, method="linear"))
    case("resize1d_cubic_exclude", "x",
         'image.resize1d(%x, size=[6], roi=[0f, 0f], method="cubic", cubic_alpha=-0.75f, cubic_exclude=1)', [data],
         resized(data, [6], half_pixel, method="cubic", alpha=-0.75, exclude=True))
    data = floats(1, 1, 2, 3, 2)
    case("resize3d_linear", "x",
         "image.resize3d(%x, size=[3, 2, 4], roi=[0f, 0f, 0f, 0f, 0f, 0f], "
         'coordinate_transformation_mode="align_corners")', [data],
         resized(data, [3, 2, 4], align_corners, method="linear"))
    case("resize3d_channels_last", "x",
         'image.resize3d(%x, size=[3, 4, 3], roi=[0f, 0f, 0f, 0f, 0f, 0f], layout="NDHWC")', [np.moveaxis(data, 1, -1)],
         np.moveaxis(resized(data, [3, 4, 3], half_pixel, method="linear"), 1, -1))
    case("upsampling3d", "x", 'nn.upsampling3d(%x, scale_d=2, scale_h=1, scale_w=1.5f, method="trilinear")', [data],
         resized(data, [4, 3, 3], half_pixel, method="linear"))
    data = floats(1, 2, 3, 3)
    case("upsampling_align_corners", "x", 'nn.upsampling(%x, scale_h=2, scale_w=2, method="bilinear", align_corners=True)',
         [data], resized(data, [6, 6], align_corners, method="linear"))
    case("dyn_upsampling", "x h w", 'dyn.nn.upsampling(%x, %h, %w, scale_h=0, scale_w=0, method="bilinear", align_corners=True)',
         [data, np.float32(2), np.float32(1.4)], resized(data, [6, 4], align_corners, method="linear"))
    case("dyn_resize2d", "x s r", "dyn.image.resize2d(%x, %s, %r)",
         [data, np.array([5, 2], "int64"), np.zeros(4, "float32")], resized(data, [5, 2], half_pixel, method="linear"))
    boxes = np.array([[0, 0, 1, 1], [0.25, 0.5, 0.75, 1.5], [0.5, 0.5, 0, 0]], np.float32)
    data, owners = floats(2, 2, 4, 5), np.array([1, 0, 1], np.int32)
    out = np.zeros((3, 2, 2, 3), np.float32)
    for at in np.ndindex(*out.shape):
        y1, x1, y2, x2 = (float(corner) for corner in boxes[at[0]])
        y = y1 * 3 + at[2] * (y2 - y1) * 3 / 1
        x = x1 * 4 + at[3] * (x2 - x1) * 4 / 2
        outside = not (0 <= y <= 3 and 0 <= x <= 4)
        out[at] = 7 if outside else sampled(data[owners[at[0]], at[1]], [y, x], "linear")
    case("crop_and_resize", "x b i", "image.crop_and_resize(%x, %b, %i, crop_size=[2, 3], extrapolation_value=7f)",
         [data, boxes, owners], out)


def grids():
    theta = floats(2, 2, 3)
    out = np.zeros((2, 2, 3, 4), np.float32)
    for batch, row, line, column in np.ndindex(*out.shape):
        x, y = -1 + 2 * column / 3, -1 + 2 * line / 2
        out[batch, row, line, column] = theta[batch, row] @ np.array([x, y, 1])
    case("affine_grid", "x", "image.affine_grid(%x, target_shape=[3, 4])", [theta], out)
    data, grid = floats(1, 2, 4, 5), (RANDOM.integers(-12, 13, size=(1, 2, 3, 3)) / 8).astype(np.float32)

    def reflect(at, whole, aligned):
        low, span = (0, whole - 1) if aligned else (-0.5, whole)
        away = abs(at - low) % (2 * span)
        return min(away, 2 * span - away) + low

    for mode, aligned in itertools.product(["zeros", "border", "reflection"], [True, False]):
        out = np.zeros((1, 2, 3, 3), np.float32)
        for at in np.ndindex(*out.shape):
            places = []
            for whole, number in [(4, 1), (5, 0)]:
                g = float(grid[0, number, at[2], at[3]])
                place = (g + 1) * (whole - 1) / 2 if aligned else ((g + 1) * whole - 1) / 2
                if mode == "reflection":
                    place = reflect(place, whole, aligned)
                places.append(place if mode == "zeros" else min(max(place, 0), whole - 1))
            outside = (lambda at, whole: at if 0 <= at < whole else None) if mode == "zeros" else None
            out[at] = sampled(data[at[:2]], places, "linear", index=outside)
        case(f"grid_sample_{mode}{'_aligned' if aligned else ''}", "x g",
             f'image.grid_sample(%x, %g, padding_mode="{mode}", align_corners={aligned})', [data, grid], out)
    data, grid = floats(1, 1, 2, 3, 2), (RANDOM.integers(-8, 9, size=(1, 3, 2, 2, 1)) / 8).astype(np.float32)
    out = np.zeros((1, 1, 2, 2, 1), np.float32)
    for at in np.ndindex(*out.shape):
        places = [(float(grid[(0, number) + at[2:]]) + 1) * (whole - 1) / 2 for whole, number in [(2, 2), (3, 1), (2, 0)]]
        out[at] = sampled(data[0, 0], places, "linear", index=lambda at, whole: at if 0 <= at < whole else None)
    case("grid_sample_3d", "x g", 'image.grid_sample(%x, %g, layout="NCDHW")', [data, grid], out)
    data, weight = floats(1, 2, 4, 4), floats(2, 2, 3)
    padded = pad_axes(data, [(0, 0), (0, 0), (1, 1), (0, 0)], -math.inf)
    out = np.zeros((1, 2, 3, 2), np.float32)
    for at in np.ndindex(*out.shape):
        out[at] = max(padded[0, at[1], at[2] * 2 + i, at[3] + j] + weight[at[1], i, j] for i in range(2) for j in range(3))
    case("dilation2d", "x w", "image.dilation2d(%x, %w, strides=[2, 1], padding=[1, 0])", [data, weight], out)


# Quantized operators.


def round_away(value):
    return math.floor(abs(value) + 0.5) * (1 if value >= 0 else -1)


def requantize(values, scale, zero, out_scale, out_zero, dtype):
    """In exact arithmetic with the 31-bit multiplier of the ratio."""
    fraction, exponent = math.frexp(float(np.float32(scale)) / float(np.float32(out_scale)))
    multiplier = round_away(fraction * 2**31)
    if multiplier == 2**31:
        multiplier, exponent = 2**30, exponent + 1
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    shift = 31 - min(exponent, 0)

    def one(value):
        product = ((int(value) - zero) << max(exponent, 0)) * multiplier
        return min(max(((product + (1 << (shift - 1))) >> shift) + out_zero, low), high)

    return np.array([one(value) for value in values.reshape(-1)], dtype).reshape(values.shape)


def quantize(values, scale, zero, dtype):
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    flat = [min(max(round_away(float(np.float32(value) / np.float32(scale))) + zero, low), high) for value in values.reshape(-1)]
    return np.array(flat, dtype).reshape(values.shape)


def quantized():
    x, y = integers(0, 256, (2, 3), "uint8"), integers(0, 256, (3,), "uint8")
    lhs, rhs = requantize(x, 0.5, 10, 0.75, 5, "int32"), requantize(y, 0.25, 3, 0.75, 5, "int32")
    case("qnn_subtract", "x y", "qnn.subtract(%x, %y, 0.5f, 10, 0.25f, 3, 0.75f, 5)", [x, y],
         np.clip(lhs - rhs + 5, 0, 255).astype("uint8"))
    products = (x.astype("int32") - 10) * (y.astype("int32") - 3)
    case("qnn_mul", "x y", "qnn.mul(%x, %y, 0.5f, 10, 0.25f, 3, 8f, 5)", [x, y],
         requantize(products, 0.125, 0, 8.0, 5, "uint8"))
    parts = [requantize(x, 0.5, 10, 0.3, 7, "uint8"), requantize(x, 0.1, 0, 0.3, 7, "uint8")]
    case("qnn_concatenate", "x", "qnn.concatenate((%x, %x), (0.5f, 0.1f), (10, 0), 0.3f, 7, axis=1)", [x],
         np.concatenate(parts, axis=1))
    data = integers(-128, 128, (5,), "int8")
    real = (data.astype("float32") - 3) * np.float32(0.03125)
    functions = {
        "tanh": np.tanh, "sigmoid": lambda v: 1 / (1 + np.exp(-v)), "exp": np.exp, "abs": np.abs,
        "erf": np.vectorize(math.erf), "hardswish": lambda v: v * np.clip(v + 3, 0, 6) / 6,
    }
    for name, function in functions.items():
        case(f"qnn_{name}", "x", f"qnn.{name}(%x, 0.03125f, 3, 0.0625f, -5)", [data],
             quantize(function(real.astype("float64")), 0.0625, -5, "int8"))
    data = integers(4, 128, (5,), "int8")
    real = (data.astype("float64") - 3) * 0.03125
    for name, function in {"log": np.log, "sqrt": np.sqrt, "rsqrt": lambda v: 1 / np.sqrt(v)}.items():
        case(f"qnn_{name}", "x", f"qnn.{name}(%x, 0.03125f, 3, 0.0625f, -5)", [data],
             quantize(function(real), 0.0625, -5, "int8"))
    data = integers(-128, 128, (2, 4), "int8")
    real = (data.astype("float64") - 3) * 0.03125
    power = np.exp(real - real.max(axis=1, keepdims=True))
    case("qnn_softmax", "x", "qnn.softmax(%x, 0.03125f, 3, 0.00390625f, -128)", [data],
         quantize(power / power.sum(axis=1, keepdims=True), 1 / 256, -128, "int8"))
    data = integers(0, 256, (1, 1, 4, 4), "uint8")
    means = requantize(data, 0.5, 10, 0.25, 4, "int32").reshape(1, 1, 2, 2, 2, 2).sum(axis=(3, 5))
    case("qnn_avg_pool2d", "x", "qnn.avg_pool2d(%x, 0.5f, 10, 0.25f, 4, pool_size=[2, 2], strides=[2, 2])", [data],
         np.clip(np.trunc(means / 4), 0, 255).astype("uint8"))
    x, y = integers(-128, 128, (2, 3, 4), "int8"), integers(-128, 128, (2, 5, 4), "int8")
    case("qnn_batch_matmul", "x y",
         'qnn.batch_matmul(%x, %y, 3, -7, 0.5f, 0.25f, transpose_b=True, out_dtype="int32")', [x, y],
         np.einsum("bik,bjk->bij", x.astype("int32") - 3, y.astype("int32") + 7))
    x, w = integers(0, 256, (1, 2, 4, 4), "uint8"), integers(-128, 128, (3, 2, 3, 3), "int8")
    centered = conv(x.astype("int32") - 12, w.astype("int32") + 4, [2, 1], [(1, 1), (1, 1)], [1, 1], 1)
    case("qnn_conv2d_padding", "x w",
         'qnn.conv2d(%x, %w, 12, -4, 0.5f, 0.25f, channels=3, kernel_size=[3, 3], padding=[1, 1], strides=[2, 1], out_dtype="int32")',
         [x, w], centered)
    case("qnn_conv2d_nhwc", "x w",
         "qnn.conv2d(%x, %w, 12, -4, 0.5f, 0.25f, channels=3, kernel_size=[3, 3], padding=[1, 1], strides=[2, 1], "
         'data_layout="NHWC", kernel_layout="HWIO", out_dtype="int32")',
         [np.moveaxis(x, 1, -1), w.transpose(2, 3, 1, 0)], np.moveaxis(centered, 1, -1))
    w = integers(-128, 128, (2, 3, 2, 2), "int8")
    case("qnn_conv2d_transpose", "x w",
         'qnn.conv2d_transpose(%x, %w, 12, -4, 0.5f, 0.25f, channels=3, kernel_size=[2, 2], strides=[2, 2], padding=[1, 0], out_dtype="int32")',
         [x, w], conv_transpose(x.astype("int32") - 12, w.astype("int32") + 4, [2, 2], [(1, 1), (0, 0)], [1, 1], 1, [0, 0]))
    data = np.array([-5, -1, 0, 2, 7], "int8")
    # A quarter of the distance from the zero point 1 below it, in fixed-point arithmetic of which each term is rounded.
    bent = np.array([((int(v) + 2) >> 2) + 1 if v < 1 else int(v) for v in data], "int32")
    case("qnn_leaky_relu", "x", "qnn.leaky_relu(%x, 0.5f, 1, 0.25f, -3)", [data], requantize(bent, 0.5, 1, 0.25, -3, "int8"))
    data = np.array([1 << 30, -(1 << 30), 12345, -3, 0], "int32")
    fixed = [(int(v) * (1 << 1) * 1518500250 + (1 << 30)) >> 31 for v in data]
    fixed = (np.array(fixed, dtype=object) + (1 << 31)) % (1 << 32) - (1 << 31)
    case("fixed_point_multiply", "x", "fixed_point_multiply(%x, multiplier=1518500250, shift=1)", [data],
         fixed.astype("int32"))
    data = floats(4) * 100
    for code, (low, high) in {1: (-128, 127), 2: (0, 255)}.items():
        expected = [min(max(round_away(float(v) / 0.5) + 3, low), high) for v in data]
        case(f"qnn_simulated_quantize_{code}", "x d", "qnn.simulated_quantize(%x, %d, 0.5f, 3, kind=1)",
             [data, np.int32(code)], np.array(expected, "float32"))
    case("qnn_simulated_dequantize", "x d", 'qnn.simulated_dequantize(%x, %d, 0.5f, 3, out_dtype="float32")',
         [data, np.int32(1)], (data - 3) * np.float32(0.5))


# Normalization.


def norms():
    data, gamma, beta = floats(2, 4, 3), floats(4), floats(4)
    groups = data.reshape(2, 2, 2, 3).astype("float64")
    normal = (groups - groups.mean(axis=(2, 3), keepdims=True)) / np.sqrt(groups.var(axis=(2, 3), keepdims=True) + 1e-3)
    case("group_norm", "x g b", "nn.group_norm(%x, %g, %b, num_groups=2, epsilon=0.001f)", [data, gamma, beta],
         (normal.reshape(2, 4, 3) * gamma[:, None] + beta[:, None]).astype("float32"))
    wide = data.astype("float64")
    normal = (wide - wide.mean(axis=2, keepdims=True)) / np.sqrt(wide.var(axis=2, keepdims=True) + 1e-3)
    case("instance_norm_unscaled", "x g b", "nn.instance_norm(%x, %g, %b, epsilon=0.001f, scale=False)",
         [data, gamma, beta], (normal + beta[:, None]).astype("float32"))
    case("l2_normalize", "x", "nn.l2_normalize(%x, eps=0.5f, axis=[0, 2])", [data],
         (wide / np.sqrt(np.maximum((wide**2).sum(axis=(0, 2), keepdims=True), 0.5))).astype("float32"))
    data = floats(1, 5, 2, 2).astype("float64")
    out = np.zeros_like(data)
    for at in np.ndindex(*data.shape):
        near = data[at[0], max(at[1] - 1, 0): at[1] + 2, at[2], at[3]]
        out[at] = data[at] / (1 + 0.5 / 3 * (near**2).sum()) ** 0.75
    case("lrn", "x", "nn.lrn(%x, size=3, bias=1f, alpha=0.5f)", [data.astype("float32")], out.astype("float32"))


# Shapes given by arguments.


def dynamic():
    data = floats(2, 3)
    index = lambda *values: np.array(values, "int64")  # noqa: E731
    case("dyn_zeros", "s", 'dyn.zeros(%s, shape=[], dtype="int32")', [index(2, 3)], np.zeros((2, 3), "int32"))
    case("dyn_ones", "s", 'dyn.ones(%s, shape=[], dtype="float32")', [index(2, 0)], np.ones((2, 0), "float32"))
    case("dyn_tile", "x r", "dyn.tile(%x, %r, reps=[])", [data, index(2, 1, 2)], np.tile(data, (2, 1, 2)))
    case("dyn_squeeze", "x a", "dyn.squeeze(%x, %a)", [data.reshape(2, 1, 3, 1), index(3, 1)], data)
    case("dyn_expand_dims", "x a", "dyn.expand_dims(%x, %a)", [data, np.int64(1)], data[:, None])
    case("dyn_reshape_merge", "x s", "dyn.reshape(%x, %s, newshape=[])", [data.reshape(2, 3, 1), index(-3, -1)],
         data.reshape(6, 1))
    case("dyn_one_hot", "x d", 'dyn.one_hot(%x, 2f, 0.5f, %d, axis=0, dtype="float32")',
         [np.array([1, 5, 0], "int32"), np.int32(3)],
         np.array([[0.5, 0.5, 2], [2, 0.5, 0.5], [0.5, 0.5, 0.5]], "float32"))
    case("dyn_topk", "x k", 'dyn.topk(%x, %k, k=0, axis=1, dtype="int32")', [np.array([[3, 9, 4, 9]], "float32"), np.int64(2)],
         (np.array([[9, 9]], "float32"), np.array([[1, 3]], "int32")))
    case("dyn_pad", "x w", "dyn.nn.pad(%x, %w, 1.5f, pad_width=[])", [data, np.array([[1, 0], [0, 2]], "int64")],
         pad_axes(data, [(1, 0), (0, 2)], 1.5))
    case("dyn_pad_reflect", "x w", 'dyn.nn.pad(%x, %w, 0f, pad_width=[], pad_mode="reflect")',
         [data, np.array([[1, 1], [2, 0]], "int64")], np.pad(data, [(1, 1), (2, 0)], mode="reflect"))
    case("dyn_strided_slice_back", "x b e s", "dyn.strided_slice(%x, %b, %e, %s, begin=None, end=None, strides=None, axes=None)",
         [data, index(0, -1), index(2, -9), index(1, -2)], data[0:2, -1:-9:-2])
    case("dyn_full_like_shape", "x", 'dyn.full(4, shape_of(%x, dtype="int64"), shape=[], dtype="uint8")', [data],
         np.full((2, 3), 4, "uint8"))


# Selection and rearrangement along axes.


def sequences():
    data = floats(3, 4, 2)
    out = data.copy()
    for batch, length in enumerate([2, 4, 0, 3]):
        out[:length, batch] = data[:length, batch][::-1]
    case("reverse_sequence", "x n", "reverse_sequence(%x, %n, seq_axis=0, batch_axis=1)",
         [data, np.array([2, 4, 0, 3], "int32")], out)
    out = data.copy()
    for batch, length in enumerate([2, 3, 0, 1]):
        out[length:, batch] = -1
    case("sequence_mask", "x n", "sequence_mask(%x, %n, mask_value=-1f, axis=0)",
         [data, np.array([2, 3, 0, 1], "int32")], out)
    matrix = floats(2, 3, 4)
    case("trilu_upper", "x k", "trilu(%x, %k)", [matrix, np.int32(1)], np.triu(matrix, 1))
    case("trilu_lower", "x k", "trilu(%x, %k, upper=False)", [matrix.astype("int32"), np.int64(-1)],
         np.tril(matrix.astype("int32"), -1))
    diagonal = floats(2, 3)
    out = matrix.copy()
    for batch, row in np.ndindex(2, 3):
        out[batch, row, row] = diagonal[batch, row]
    case("matrix_set_diag", "x d", "matrix_set_diag(%x, %d)", [matrix, diagonal], out)
    several = floats(2, 3, 3)
    out = matrix.copy()
    # Diagonal 1 is the first row; superdiagonals stand at the right, subdiagonals at the left.
    for batch, row, column in np.ndindex(*matrix.shape):
        k = column - row
        if -1 <= k <= 1:
            length = min(3 + min(k, 0), 4 - max(k, 0))
            place = column - max(k, 0) + ((3 - length) if k >= 0 else 0)
            out[batch, row, column] = several[batch, 1 - k, place]
    case("matrix_set_diag_several", "x d", "matrix_set_diag(%x, %d, k1=-1, k2=1)", [matrix, several], out)
    x, y, z = floats(2), integers(0, 9, (3,)), np.float32(1.5)
    case("meshgrid", "x y z", "meshgrid((%x, %y, %z))", [x, y, z],
         tuple(np.broadcast_to(part, (2, 3, 1)) for part in [x[:, None, None], y[:, None], z]))
    case("meshgrid_xy", "x y", 'meshgrid((%x, %y), indexing="xy")', [x, y], tuple(np.meshgrid(x, y, indexing="xy")))
    rows, columns = np.array([[1], [-3]], "int32"), np.array([0, 3, -1], "int32")
    square = floats(3, 4, 2)
    case("adv_index", "x r c", "adv_index((%x, %r, %c))", [square, rows, columns], square[rows, columns])
    case("unravel_index", "x s", "unravel_index(%x, %s)", [np.array([0, 13, 23], "int32"), np.array([2, 3, 4], "int32")],
         np.stack(np.unravel_index([0, 13, 23], (2, 3, 4))).astype("int32"))
    case("invert_permutation", "x", "invert_permutation(%x)", [np.array([2, 0, 3, 1], "int32")],
         np.array([1, 3, 0, 2], "int32"))
    image = floats(2, 5, 6)
    windows = np.stack([np.stack([image[:, 2 * i: 2 * i + 3, 3 * j: 3 * j + 2] for j in range(2)], 1) for i in range(2)], 1)
    case("sliding_window", "x", "sliding_window(%x, axis=1, window_shape=[3, 2], strides=[2, 3])", [image], windows)
    ordered, values = np.array([1, 3, 3, 5], "float32"), np.array([[0, 3, 4], [5, 6, 1]], "float32")
    case("searchsorted", "s v", "searchsorted(%s, %v)", [ordered, values],
         np.searchsorted(ordered, values).astype("int32"))
    case("searchsorted_right", "s v", 'searchsorted(%s, %v, right=True, dtype="int64")', [ordered, values],
         np.searchsorted(ordered, values, side="right"))
    target, update = floats(4, 5), floats(2, 2)
    out = target.copy()
    out[1:4:2, -2:0:-2] = update
    case("strided_set", "x v b e s", "strided_set(%x, %v, %b, %e, %s)",
         [target, update, np.array([1, -2], "int64"), np.array([4, 0], "int64"), np.array([2, -2], "int64")], out)
    buffer, new = floats(2, 4), floats(2, 1)
    case("fifo_buffer", "x b", "nn.fifo_buffer(%x, %b, axis=1)", [new, buffer],
         np.concatenate([buffer, new], axis=1)[:, 1:])


# Results whose number depends on the data.


def compact():
    data = integers(0, 2, (3, 2, 2))
    case("argwhere", "x", "argwhere(%x)", [data], np.argwhere(data).astype("int32"))
    case("argwhere_bool", "x", "argwhere(%x)", [data == 0], np.argwhere(data == 0).astype("int32"))
    case("argwhere_none", "x", "argwhere(%x)", [np.zeros(3, "float32")], np.zeros((0, 1), "int32"))
    data = np.array([4, 5, 1, 2, 3, 3, 4, 5], "int32")
    values, first, inverse, counts = np.unique(data, return_index=True, return_inverse=True, return_counts=True)

    def filled(part):
        whole = np.zeros(8, "int32")
        whole[: len(part)] = part
        return whole

    case("unique_sorted", "x", "unique(%x, return_counts=True)", [data],
         (filled(values), filled(first), inverse.astype("int32"), np.array([5], "int32"), filled(counts)))
    order = np.argsort(first)
    place = np.argsort(order)
    case("unique_in_order", "x", "unique(%x, sorted=False)", [data],
         (filled(values[order]), filled(first[order]), place[inverse].astype("int32"), np.array([5], "int32")))


def einsums():
    a, b, c = floats(2, 3), floats(3, 4), floats(5, 2, 3)
    case("einsum_product", "a b", 'einsum((%a, %b), equation="ij,jk->ik")', [a, b], a @ b)
    case("einsum_implicit", "a b", 'einsum((%b, %a), equation="jk,ij")', [a, b], np.einsum("jk,ij", b, a))
    case("einsum_ellipsis", "c b", 'einsum((%c, %b), equation="...ij, jk -> k...i")', [c, b],
         np.einsum("...ij,jk->k...i", c, b))
    case("einsum_ellipses", "c a", 'einsum((%c, %a), equation="...i,...i->...")', [c, a], np.einsum("...i,...i->...", c, a))
    square = floats(3, 3)
    case("einsum_trace", "x", 'einsum((%x), equation="ii->")'.replace("(%x)", "(%x,)"), [square], np.float32(np.trace(square)))
    case("einsum_three", "a b c", 'einsum((%a, %b, %c), equation="ij,jk,nij->nk")', [a, b, c],
         np.einsum("ij,jk,nij->nk", a, b, c))


# Sparse matrices and losses.


def sparse():
    dense = np.array([[0, 2, 0, 0], [0, 0, 0, 0], [1, 0, 0, 3]], "float32")
    values, columns, pointers = (np.array(part, dtype) for part, dtype in
                                 [([2, 1, 3], "float32"), ([1, 0, 3], "int32"), ([0, 1, 1, 3], "int32")])
    x = floats(2, 4)
    case("sparse_dense", "x v i p", "nn.sparse_dense(%x, %v, %i, %p)", [x, values, columns, pointers], x @ dense.T)
    x = floats(4, 2)
    case("sparse_dense_lhs", "x v i p", "nn.sparse_dense(%x, %v, %i, %p, sparse_lhs=True)", [x, values, columns, pointers],
         dense @ x)
    blocks = floats(2, 2, 3)
    dense_blocks = np.zeros((4, 6), "float32")
    dense_blocks[0:2, 3:6], dense_blocks[2:4, 0:3] = blocks
    x = floats(2, 6)
    case("sparse_dense_blocks", "x v i p", "nn.sparse_dense(%x, %v, %i, %p)",
         [x, blocks, np.array([1, 0], "int32"), np.array([0, 1, 2], "int32")], x @ dense_blocks.T)
    image = floats(1, 2, 2, 4)
    case("sparse_conv2d", "x v i p", "nn.sparse_conv2d(%x, %v, %i, %p)", [image, values, columns, pointers], image @ dense.T)
    x = floats(3, 4)
    case("sparse_add", "x v i p", "nn.sparse_add(%x, %v, %i, %p)", [x, values, columns, pointers], x + dense)
    square = [np.array(part, dtype) for part, dtype in
              [([2, 1, 3], "float32"), ([1, 0, 2], "int32"), ([0, 1, 1, 3], "int32")]]
    case("sparse_transpose", "v i p", "nn.sparse_transpose(%v, %i, %p)", square,
         (np.array([1, 2, 3], "float32"), np.array([2, 0, 2], "int32"), np.array([0, 1, 2, 3], "int32")))
    case("sparse_to_dense", "i v d", "sparse_to_dense(%i, %v, %d, output_shape=[3, 2])",
         [np.array([[0, 1], [2, 0]], "int32"), np.array([5, 6], "int32"), np.int32(-1)],
         np.array([[-1, 5], [-1, -1], [6, -1]], "int32"))
    case("dyn_sparse_to_dense", "i v d s", "dyn.sparse_to_dense(%i, %v, %d, %s)",
         [np.array([0, 3], "int32"), np.array([5, 6], "float32"), np.float32(0.5), np.array([4], "int32")],
         np.array([5, 0.5, 0.5, 6], "float32"))
    case("sparse_reshape", "i o n", "sparse_reshape(%i, %o, %n)",
         [np.array([[0, 0, 1], [1, 2, 3]], "int64"), np.array([2, 3, 4], "int64"), np.array([4, -1], "int64")],
         (np.array([[0, 1], [3, 5]], "int64"), np.array([4, 6], "int64")))
    case("sparse_fill_empty_rows", "i v s d", "sparse_fill_empty_rows(%i, %v, %s, %d)",
         [np.array([[0, 1], [2, 0], [2, 3]], "int64"), np.array([5, 6, 7], "int64"), np.array([4, 5], "int64"), np.int64(9)],
         (np.array([[0, 1], [1, 0], [2, 0], [2, 3], [3, 0]], "int64"), np.array([5, 9, 6, 7, 9], "int64"),
          np.array([False, True, False, True])))


def losses():
    x, y = np.abs(floats(3, 4)) + 1, floats(3, 4)
    case("cross_entropy", "x y", "nn.cross_entropy(%x, %y)", [x.astype("float32"), y],
         np.float32(-(np.log(x.astype("float64")) * y).sum() / 3))
    case("cross_entropy_with_logits", "x y", "nn.cross_entropy_with_logits(%x, %y)", [x, y], np.float32(-(x * y).sum() / 3))
    prediction, target, weight = floats(3, 4, 2), integers(0, 4, (3, 2)), np.array([1, 2, 0.5, 3], "float32")
    target[1, 0] = -100
    loss = np.zeros((3, 2), "float32")
    used = 0
    for n, d in np.ndindex(3, 2):
        if target[n, d] != -100:
            loss[n, d] = -weight[target[n, d]] * prediction[n, target[n, d], d]
            used += weight[target[n, d]]
    for how, expected in {"none": loss, "sum": np.float32(loss.sum()), "mean": np.float32(loss.sum() / used)}.items():
        case(f"nll_loss_{how}", "x t w", f'nn.nll_loss(%x, %t, %w, reduction="{how}", ignore_index=-100)',
             [prediction, target, weight], expected)


# Bounding boxes.


def overlap(a, b):
    def sides(box, axis):
        return min(box[axis], box[axis + 2]), max(box[axis], box[axis + 2])

    shared, areas = 1, [1, 1]
    for axis in range(2):
        (al, ah), (bl, bh) = sides(a, axis), sides(b, axis)
        shared *= max(0, min(ah, bh) - max(al, bl))
        areas = [areas[0] * (ah - al), areas[1] * (bh - bl)]
    union = sum(areas) - shared
    return shared / union if union > 0 else 0


def boxes():
    rows = np.array([[0, 0.8, 1, 20, 25, 45], [1, 0.7, 30, 60, 50, 80], [0, 0.4, 4, 21, 19, 40],
                     [2, 0.9, 35, 61, 52, 79], [1, 0.5, 100, 60, 70, 110], [-1, 0.95, 0, 0, 1, 1]], "float32")[None]
    valid = [row for row in rows[0] if row[1] > 0.45 and row[0] >= 0]
    moved = np.full_like(rows, -1)
    moved[0, : len(valid)] = valid
    numbers = [index for index, row in enumerate(rows[0]) if row[1] > 0.45 and row[0] >= 0]
    indices = np.full((1, 6), -1, "int32")
    indices[0, : len(numbers)] = numbers
    case("get_valid_counts", "x t", "vision.get_valid_counts(%x, %t)", [rows, np.float32(0.45)],
         (np.array([len(valid)], "int32"), moved, indices))

    def suppressed(forced, top, most):
        order = sorted(range(5), key=lambda index: -rows[0, index, 1])[: top if top > 0 else 5]
        out, kept = np.full_like(rows, -1), np.full((1, 6), -1, "int32")
        chosen = []
        for place, index in enumerate(order):
            row = rows[0, index]
            close = any((forced or rows[0, other, 0] == row[0]) and overlap(rows[0, other, 2:], row[2:]) >= 0.5
                        for other in chosen)
            if not close and len(chosen) != most:
                out[0, place], kept[0, place] = row, index
                chosen.append(index)
        return out, kept, chosen

    inputs = [rows, np.array([5], "int32"), np.arange(6, dtype="int32")[None]]
    for name, forced, top, most in [("forced", True, -1, -1), ("by_class", False, -1, -1), ("top", True, 2, -1), ("few", True, -1, 1)]:
        out, kept, chosen = suppressed(forced, top, most)
        options = f"force_suppress={forced}, top_k={top}"
        case(f"non_max_suppression_{name}", "x n i",
             f"vision.non_max_suppression(%x, %n, %i, {most}, 0.5f, {options}, return_indices=False)", inputs, out)
        front = np.full_like(out, -1)
        front[0, : len(chosen)] = rows[0, chosen]
        case(f"non_max_suppression_{name}_bottom", "x n i",
             f"vision.non_max_suppression(%x, %n, %i, {most}, 0.5f, {options}, return_indices=False, invalid_to_bottom=True)",
             inputs, front)
        indices = np.full((1, 6), -1, "int32")
        indices[0, : len(chosen)] = chosen
        case(f"non_max_suppression_{name}_indices", "x n i",
             f"vision.non_max_suppression(%x, %n, %i, {most}, 0.5f, {options})", inputs,
             (indices, np.array([[len(chosen)]], "int32")))
    corners = np.array([[[0, 0, 1, 1], [0, 0.1, 1, 1.1], [0, 10, 1, 11], [0, 10.1, 1, 11.1]]], "float32")
    scores = np.array([[[0.9, 0.75, 0.6, 0.95], [0.5, 0.3, 0.2, 0.8]]], "float32")
    chosen = []
    for kind in range(2):
        mine = []
        for index in sorted(range(4), key=lambda index: -scores[0, kind, index]):
            apart = all(overlap(corners[0, index], corners[0, other]) < 0.5 for other in mine)
            if scores[0, kind, index] > 0.4 and apart and len(mine) < 2:
                mine.append(index)
        chosen += [[0, kind, index] for index in mine]
    padded = np.zeros((8, 3), "int64")
    padded[: len(chosen)] = chosen
    case("all_class_non_max_suppression", "x s", "vision.all_class_non_max_suppression(%x, %s, 2i64, 0.5f, 0.4f)",
         [corners, scores], (padded, np.array([len(chosen)], "int64")))
    data = floats(1, 3, 2, 4)
    out = np.zeros((1, 2 * 4 * 3, 4), "float32")
    shapes = [(0.5 * 2**0.5, 0.5 / 2**0.5), (0.25 * 2**0.5, 0.25 / 2**0.5), (0.5 * 0.5**0.5, 0.5 / 0.5**0.5)]
    for row, column, which in np.ndindex(2, 4, 3):
        y, x = (row + 0.5) / 2, (column + 0.5) / 4
        w, h = shapes[which][0] * 2 / 4 / 2, shapes[which][1] / 2
        out[0, (row * 4 + column) * 3 + which] = [x - w, y - h, x + w, y + h]
    case("multibox_prior", "x", "vision.multibox_prior(%x, sizes=[0.5f, 0.25f], ratios=[2f, 0.5f], clip=True)", [data],
         np.clip(out, 0, 1))
    probability = np.array([[[0.9, 0.1, 0.2], [0.05, 0.6, 0.3], [0.05, 0.3, 0.5]]], "float32")
    moves, anchors = floats(1, 12), np.array([[[0.1, 0.1, 0.4, 0.5], [0.2, 0.3, 0.6, 0.9], [0.5, 0.1, 0.9, 0.2]]], "float32")
    out, count = np.full((1, 3, 6), -1, "float32"), 0
    for index in range(3):
        kind = 1 + int(np.argmax(probability[0, 1:, index]))
        if probability[0, kind, index] < 0.1:
            continue
        left, top, right, bottom = anchors[0, index].astype("float64")
        px, py, pw, ph = moves[0, 4 * index: 4 * index + 4].astype("float64") * [0.1, 0.1, 0.2, 0.2]
        x, y = (left + right) / 2 + px * (right - left), (top + bottom) / 2 + py * (bottom - top)
        w, h = math.exp(pw) * (right - left) / 2, math.exp(ph) * (bottom - top) / 2
        corners = np.clip([x - w, y - h, x + w, y + h], 0, 1)
        out[0, count] = [kind - 1, probability[0, kind, index], *corners]
        count += 1
    case("multibox_transform_loc", "p m a", "vision.multibox_transform_loc(%p, %m, %a, threshold=0.1f)",
         [probability, moves, anchors], (out, np.array([count], "int32")))
    data = floats(1, 4, 4, 6)
    view, out = data.reshape(1, 8, 12), np.zeros((4, 4, 6), "float32")
    for k, j, i in np.ndindex(4, 4, 6):
        out[k, j, i] = view[0, j * 2 + k // 2, i * 2 + k % 2]
    case("yolo_reorg", "x", "vision.yolo_reorg(%x, stride=2)", [data], out.reshape(1, 16, 2, 3))


def regions():
    data = floats(2, 2, 6, 7)
    rois = np.array([[1, 1, 0.5, 9, 7], [0, 3, 2, 4, 3], [1, -4, -3, 30, 20]], "float32")

    def bilinear(batch, channel, y, x):
        if y < -1 or x < -1 or y > 6 or x > 7:
            return 0.0
        return sampled(data[batch, channel], [min(max(y, 0), 5), min(max(x, 0), 6)], "linear")

    for mode, ratio in [("avg", 2), ("max", 2), ("avg", -1)]:
        out = np.zeros((3, 2, 2, 3), "float32")
        for n, c, row, column in np.ndindex(*out.shape):
            x1, y1, x2, y2 = (float(v) * 0.5 for v in rois[n, 1:])
            h, w = max(y2 - y1, 1) / 2, max(x2 - x1, 1) / 3
            gh, gw = (ratio, ratio) if ratio > 0 else (math.ceil(h), math.ceil(w))
            samples = [bilinear(int(rois[n, 0]), c, y1 + row * h + (i + 0.5) * h / gh, x1 + column * w + (j + 0.5) * w / gw)
                       for i in range(gh) for j in range(gw)]
            out[n, c, row, column] = max(samples) if mode == "max" else sum(samples) / len(samples)
        case(f"roi_align_{mode}_{'given' if ratio > 0 else 'adaptive'}", "x r",
             f'vision.roi_align(%x, %r, pooled_size=[2, 3], spatial_scale=0.5f, sample_ratio={ratio}, mode="{mode}")',
             [data, rois], out)
    out = np.zeros((3, 2, 2, 3), "float32")
    for n, c, row, column in np.ndindex(*out.shape):
        x1, y1, x2, y2 = (round_away(float(v) * 0.5) for v in rois[n, 1:])
        h, w = max(y2 - y1 + 1, 1) / 2, max(x2 - x1 + 1, 1) / 3
        rows = range(max(math.floor(row * h + 1e-5) + y1, 0), min(math.ceil((row + 1) * h - 1e-5) + y1, 6))
        columns = range(max(math.floor(column * w + 1e-5) + x1, 0), min(math.ceil((column + 1) * w - 1e-5) + x1, 7))
        found = [data[int(rois[n, 0]), c, y, x] for y in rows for x in columns]
        out[n, c, row, column] = max(found) if found else 0
    case("roi_pool", "x r", "vision.roi_pool(%x, %r, pooled_size=[2, 3], spatial_scale=0.5f)", [data, rois], out)


# Gradients.


def gradients():
    data, given = floats(1, 2, 4, 5), floats(1, 2, 2, 3)
    padded = pad_axes(data, [(0, 0), (0, 0), (1, 0), (0, 1)], -math.inf)
    for how in ["max", "avg"]:
        out = np.zeros_like(padded)
        for n, c, row, column in np.ndindex(*given.shape):
            places = [(row * 2 + i, column * 2 + j) for i in range(3) for j in range(2)]
            places = [place for place in places if np.isfinite(padded[(n, c) + place])]
            if how == "max":
                places = [max(places, key=lambda place: padded[(n, c) + place])]
            for place in places:
                out[(n, c) + place] += given[n, c, row, column] / len(places)
        case(f"{how}_pool2d_grad", "g x",
             f"nn.{how}_pool2d_grad(%g, %x, pool_size=[3, 2], strides=[2, 2], padding=[1, 0, 0, 1])", [given, data],
             out[:, :, 1:, :5])
    data, given = floats(2, 4, 4, 3), floats(2, 2, 2, 3)
    out = np.zeros((2, 2, 3, 2), "float32")
    padded = pad_axes(data, [(0, 0), (0, 0), (1, 0), (0, 1)], 0)
    for o, c, i, j, n, row, column in np.ndindex(2, 2, 3, 2, 2, 2, 3):
        out[o, c, i, j] += given[n, o, row, column] * padded[n, o * 2 + c, row * 2 + i, column + j]
    case("conv2d_backward_weight", "g x",
         "nn.conv2d_backward_weight(%g, %x, channels=2, kernel_size=[3, 2], strides=[2, 1], padding=[1, 0, 0, 1], groups=2)",
         [given, data], out)
    data, weight = floats(1, 3, 4, 4), floats(3, 2, 2, 2)
    result = conv(data, weight.reshape(6, 1, 2, 2), [1, 1], [(0, 0), (0, 0)], [1, 1], 3)
    case("depthwise_multiplier", "x w",
         'nn.conv2d(%x, %w, channels=6, kernel_size=[2, 2], groups=3, data_layout="NHWC", kernel_layout="HWOI")',
         [np.moveaxis(data, 1, -1), weight.transpose(2, 3, 0, 1)], np.moveaxis(result, 1, -1))
    case("depthwise_multiplier_given", "x w", "nn.conv2d(%x, %w, groups=3)", [data, weight], result)
    data, weight = floats(1, 2, 3), floats(2, 1, 2)
    case("conv1d_transpose_two_output_paddings", "x w",
         "nn.conv1d_transpose(%x, %w, channels=1, kernel_size=[2], strides=[3], output_padding=[1, 0])", [data, weight],
         conv_transpose(data, weight, [3], [(0, 0)], [1], 1, [1]))
    nan = math.nan
    rows = np.array([[1, nan, 3, nan], [nan, nan, nan, nan], [2, 5, 5, 1]], "float32")
    case("argmax_nan", "x", "argmax(%x, axis=[1])", [rows], np.array([1, 0, 1], "int32"))
    case("argmin_nan_last", "x", "argmin(%x, axis=[1], select_last_index=True)", [rows], np.array([3, 3, 3], "int32"))
    case("dyn_expand_two_dims", "x a", "dyn.expand_dims(%x, %a, num_newaxis=2)", [floats(2, 3)[:0], np.int64(-1)],
         np.zeros((0, 3, 1, 1), "float32"))


# Fourier transforms, sums and casts.


def transforms():
    re, im = floats(2, 5), floats(2, 5)
    forward = np.fft.fft(re + 1j * im.astype("complex128"), axis=1)
    case("dft", "x y", "dft(%x, %y)", [re, im], (forward.real.astype("float32"), forward.imag.astype("float32")))
    back = np.fft.ifft(re + 1j * im.astype("complex128"), axis=1)
    case("dft_inverse", "x y", "dft(%x, %y, inverse=True)", [re, im],
         (back.real.astype("float32"), back.imag.astype("float32")))
    signal, window = floats(2, 9), np.array([0.5, 1, 1, 0.5], "float32")
    frames = np.stack([np.fft.rfft(signal[:, start: start + 4].astype("float64") * window) for start in (0, 2, 4)], axis=2) / 2
    out = np.stack([frames.real, frames.imag], axis=-1)
    case("stft", "x w", "stft(%x, %w, n_fft=4, hop_length=2, win_length=4, normalized=True)", [signal, window],
         out.astype("float32"))
    data = floats(2, 3, 4)
    case("collapse_sum_like", "x y", "collapse_sum_like(%x, %y)", [data, floats(3, 1)],
         data.sum(axis=(0, 2)).reshape(3, 1))
    case("collapse_sum_to", "x s", "collapse_sum_to(%x, %s)", [data, np.array([2, 1, 4], "int64")],
         data.sum(axis=1, keepdims=True))
    case("reverse_reshape", "x", "contrib_reverse_reshape(%x, newshape=[-1, 0])", [data], data.reshape(6, 4))
    case("reinterpret", "x", 'reinterpret(%x, dtype="int32")', [data], data.view("int32"))
    case("hardswish", "x", "hardswish(%x)", [data], (data * np.clip(data.astype("float64") + 3, 0, 6) / 6).astype("float32"))


# Random numbers.

WORD = (1 << 64) - 1


def threefry(key, block):
    rotations = [[14, 16], [52, 57], [23, 40], [5, 37], [25, 33], [46, 12], [58, 22], [32, 32]]
    schedule = list(key) + [0x1BD11BDAA9FC1A22 ^ key[0] ^ key[1] ^ key[2] ^ key[3]]
    words = list(block)
    for step in range(5):
        words = [(word + schedule[(step + at) % 5]) & WORD for at, word in enumerate(words)]
        words[3] = (words[3] + step) & WORD
        for round_of_step in range(4):
            first, second = rotations[(step * 4 + round_of_step) % 8]
            mixed = []
            for a, b, by in [(words[0], words[1], first), (words[2], words[3], second)]:
                total = (a + b) & WORD
                mixed += [total, total ^ (((b << by) | (b >> (64 - by))) & WORD)]
            words = [mixed[0], mixed[3], mixed[2], mixed[1]]
    return words


def step_right(place):
    joined = ((place[0] << 64) | place[1]) >> 1
    return [joined >> 64, joined & WORD]


def words(key, count):
    """The next key and `count` words."""
    length = -(-count // 4) * 4
    if key[7] >= WORD - length:
        if key[8] == key[9] == 0:
            key = threefry(key[:4], [WORD] * 4) + [0, 0, 0, 0, 1 << 63, 0]
        else:
            key = key[:4] + [key[4] | key[8], key[5] | key[9], 0, 0] + step_right(key[8:])
    blocks = [threefry(key[:4], [(word + at) & WORD for word in key[4:8]]) for at in range(length // 4)]
    return key[:6] + [0, key[7] + length] + key[8:], [word for block in blocks for word in block][:count]


def randoms():
    start = [1, 2, 3, WORD, 0, 0, 0, 7, 1 << 63, 0]
    full_path, full_counter = start[:8] + [0, 0], start[:7] + [WORD - 1, 1, 0]
    nothing_left = full_path[:7] + [WORD] + [0, 0]

    def key(value):
        return np.array(value, "uint64")

    for name, given in [("", start), ("_counter", full_counter), ("_path", nothing_left)]:
        after, found = words(given, 8)
        case(f"threefry_generate{name}", "k", "random.threefry_generate(%k, out_shape=[2, 4])", [key(given)],
             (key(after), np.array(found, "uint64").reshape(2, 4)))
    place = step_right(start[8:])
    case("threefry_split", "k", "random.threefry_split(%k)", [key(start)],
         (key(start[:8] + place), key(start[:4] + [start[8], 0] + start[6:8] + place)))
    fresh = threefry(full_path[:4], full_path[4:8])
    case("threefry_split_path", "k", "random.threefry_split(%k)", [key(full_path)],
         (key(fresh + [0, 0, 0, 0, 1 << 62, 0]), key(fresh + [1 << 63, 0, 0, 0, 1 << 62, 0])))
    after, found = words(start, 6)
    case("random_uniform", "k", 'random.uniform(%k, -1f, 3f, out_shape=[2, 3], out_dtype="float32")', [key(start)],
         (key(after), np.array([(word >> 41) / 2**23 * 4 - 1 for word in found], "float32").reshape(2, 3)))
    after, found = words(start, 10)
    unit = [(word >> 12) / 2**52 for word in found]
    normal = [math.sqrt(-2 * math.log(unit[at])) * math.cos(2 * math.pi * unit[at + 5]) * 2 + 10 for at in range(5)]
    case("random_normal", "k m s", 'random.normal(%k, %m, %s, out_shape=[5], out_dtype="float64")',
         [key(start), np.float64(10), np.float64(2)], (key(after), np.array(normal)))
    after, found = words(start, 6)
    shares = np.array([[1, 2, 1], [0, 0, 5]], "float32")
    out = np.zeros((2, 3), "int32")
    for at in np.ndindex(2, 3):
        unit = (found[at[0] * 3 + at[1]] >> 41) / 2**23
        out[at] = min(int((np.cumsum(shares[at[0]]) <= unit * shares[at[0]].sum()).sum()), 2)
    case("random_multinomial", "k p", "random.multinomial(%k, %p, num_samples=3)", [key(start), shares], (key(after), out))


# Transposed convolutions: strides that divide the kernel or not, coprime to the dilation or not.


def transposed_convolutions():
    def one(name, shape, kernel, strides, padding, dilation, groups, more):
        data, weight = floats(*shape), floats(*kernel)
        sides = [side for side, _ in padding] + [side for _, side in padding]
        case(name, "x w",
             f"nn.conv2d_transpose(%x, %w, channels={kernel[1] * groups}, kernel_size={list(kernel[2:])}, strides={strides}, "
             f"padding={sides}, dilation={dilation}, groups={groups}, output_padding={more})",
             [data, weight], conv_transpose(data, weight, strides, padding, dilation, groups, more))

    one("conv2d_transpose_even", (1, 2, 3, 3), (2, 3, 4, 4), [2, 2], [(1, 1), (1, 1)], [1, 1], 1, [0, 0])
    one("conv2d_transpose_odd", (2, 2, 3, 4), (2, 1, 3, 3), [2, 2], [(1, 1), (1, 1)], [1, 1], 1, [1, 1])
    one("conv2d_transpose_mixed", (1, 4, 3, 2), (4, 2, 5, 2), [3, 1], [(2, 0), (1, 0)], [1, 1], 2, [2, 0])
    one("conv2d_transpose_dilated", (1, 2, 4, 3), (2, 2, 3, 3), [2, 3], [(3, 1), (0, 2)], [3, 2], 1, [1, 0])
    one("conv2d_transpose_common_divisor", (1, 2, 3, 3), (2, 2, 3, 2), [2, 2], [(1, 1), (0, 0)], [2, 2], 1, [1, 0])
    one("conv2d_transpose_gaps", (1, 2, 3, 3), (2, 2, 1, 2), [3, 3], [(0, 0), (0, 0)], [1, 1], 1, [1, 2])
    data, weight = floats(1, 3, 2, 2), floats(2, 3, 3, 3)
    result = conv_transpose(np.moveaxis(data, -1, 1), weight, [2, 2], [(1, 1), (1, 1)], [1, 1], 1, [0, 1])
    case("conv2d_transpose_nhwc", "x w",
         'nn.conv2d_transpose(%x, %w, channels=3, kernel_size=[3, 3], strides=[2, 2], padding=[1, 1], output_padding=[0, 1], '
         'data_layout="NHWC", kernel_layout="IOHW")', [data, weight], np.moveaxis(result, 1, -1))


# Convolutions on displaced, packed or transformed operands.


def deformable():
    data, weight = floats(2, 2, 4, 5), floats(2, 2, 3, 2)
    for name, groups, strides, padding, dilation in [("plain", 1, [1, 1], [1, 0], [1, 1]), ("groups", 2, [2, 1], [1, 2], [1, 2])]:
        high = (4 + 2 * padding[0] - (dilation[0] * 2 + 1)) // strides[0] + 1
        wide = (5 + 2 * padding[1] - (dilation[1] + 1)) // strides[1] + 1
        offsets = (RANDOM.integers(-12, 13, size=(2, groups * 12, high, wide)) / 4).astype(np.float32)
        out = np.zeros((2, 2, high, wide))
        for n, f, row, column in np.ndindex(*out.shape):
            for c, i, j in np.ndindex(2, 3, 2):
                first = c // (2 // groups) * 12 + (i * 2 + j) * 2
                y = row * strides[0] - padding[0] + i * dilation[0] + float(offsets[n, first, row, column])
                x = column * strides[1] - padding[1] + j * dilation[1] + float(offsets[n, first + 1, row, column])
                if not (0 <= y < 4 and 0 <= x < 5):
                    continue
                for p in (math.floor(y), math.floor(y) + 1):
                    for q in (math.floor(x), math.floor(x) + 1):
                        if p < 4 and q < 5:
                            weighted = (1 - abs(y - p)) * (1 - abs(x - q)) * float(data[n, c, p, q])
                            out[n, f, row, column] += weighted * float(weight[f, c, i, j])
        attrs = (f"strides={strides}, padding={padding}, dilation={dilation}, deformable_groups={groups}, "
                 "channels=2, kernel_size=[3, 2]")
        case(f"deformable_conv2d_{name}", "x o w", f"nn.deformable_conv2d(%x, %o, %w, {attrs})", [data, offsets, weight],
             out.astype("float32"))
        last = np.moveaxis(data, 1, -1), np.moveaxis(offsets, 1, -1), np.transpose(weight, [2, 3, 1, 0])
        case(f"deformable_conv2d_{name}_nhwc", "x o w",
             f'nn.deformable_conv2d(%x, %o, %w, {attrs}, data_layout="NHWC", kernel_layout="HWIO")', last,
             np.moveaxis(out, 1, -1).astype("float32"))


def correlations():
    one, other = floats(1, 2, 6, 5), floats(1, 2, 6, 5)
    for name, kernel, most, stride, step, padding, multiplied in [
        ("products", 1, 2, 1, 1, 2, True), ("differences", 3, 4, 2, 2, 4, False), ("steps", 3, 3, 1, 2, 4, True),
    ]:
        padded = [pad_axes(image, [(0, 0), (0, 0), (padding, padding), (padding, padding)], 0.0) for image in (one, other)]
        border, radius = most + (kernel - 1) // 2, most // step
        grid = 2 * radius + 1
        high, wide = (-(-(size + 2 * padding - 2 * border) // stride) for size in (6, 5))
        out = np.zeros((1, grid * grid, high, wide))
        for n, q, i, j in np.ndindex(*out.shape):
            y, x = i * stride + most, j * stride + most
            v, u = y + (q // grid - radius) * step, x + (q % grid - radius) * step
            first = padded[0][n, :, y:y + kernel, x:x + kernel].astype("float64")
            second = padded[1][n, :, v:v + kernel, u:u + kernel].astype("float64")
            out[n, q, i, j] = (first * second if multiplied else abs(first - second)).mean()
        case(f"correlation_{name}", "x y",
             f"nn.correlation(%x, %y, kernel_size={kernel}, max_displacement={most}, stride1={stride}, stride2={step}, "
             f"padding=[{padding}, {padding}], is_multiply={multiplied})", [one, other], out.astype("float32"))


def packed(data, bits, axis, bit_axis, width):
    """The bits of `data` in words of `width` bits along `axis`, the first element in the highest bit."""
    data = np.moveaxis(data.astype("int64"), axis, -1)
    words = data.reshape(*data.shape[:-1], -1, width)
    powers = 2 ** np.arange(width - 1, -1, -1, dtype="uint64")
    parts = [np.moveaxis((((words >> bit) & 1).astype("uint64") * powers).sum(-1), -1, axis) for bit in range(bits)]
    return np.stack(parts, bit_axis if bit_axis >= 0 else data.ndim).astype(f"uint{width}")


def bits():
    for name, dtype, count, axis, bit_axis, width in [
        ("last", "int16", 3, 1, -1, 8), ("first", "uint8", 1, 1, 0, 16), ("middle", "int32", 2, 0, 1, 32),
    ]:
        data = integers(0, 200 if dtype == "uint8" else 30000, (32, 16), dtype)
        case(f"bitpack_{name}", "x",
             f'nn.bitpack(%x, bits={count}, pack_axis={axis}, bit_axis={bit_axis}, pack_type="uint{width}")', [data],
             packed(data, count, axis, bit_axis, width))
    data, weight = integers(0, 4, (2, 16), "int16"), integers(0, 8, (3, 16), "int16")
    for unipolar in [True, False]:
        factor = weight.astype("int64") * 2 - 7 if unipolar else weight.astype("int64")
        out = (data.astype("int64") @ factor.T).astype("int16")
        attrs = f'units=3, data_bits=2, weight_bits=3, pack_dtype="uint8", unipolar={unipolar}'
        case(f"bitserial_dense_{unipolar}", "x w", f"nn.bitserial_dense(%x, %w, {attrs})", [data, weight], out)
        case(f"bitserial_dense_packed_{unipolar}", "x w", f"nn.bitserial_dense(%x, %w, {attrs})",
             [data, packed(weight, 3, 1, 1, 8)], out)
    data, weight = integers(0, 4, (1, 8, 4, 5), "int16"), integers(0, 2, (2, 8, 3, 3), "int16")
    plain = pad_axes(data, [(0, 0), (0, 0), (1, 1), (1, 0)], 0).astype("int64")
    for unipolar in [True, False]:
        factor = weight.astype("int64") * 2 - 1 if unipolar else weight.astype("int64")
        out = np.zeros((1, 2, 2, 4), "int16")
        for n, f, row, column in np.ndindex(*out.shape):
            out[n, f, row, column] = (plain[n, :, row * 2:row * 2 + 3, column:column + 3] * factor[f]).sum()
        attrs = ("channels=2, kernel_size=[3, 3], strides=[2, 1], padding=[1, 1, 1, 0], activation_bits=2, weight_bits=1, "
                 f'pack_dtype="uint8", out_dtype="int16", unipolar={unipolar}')
        case(f"bitserial_conv2d_{unipolar}", "x w", f"nn.bitserial_conv2d(%x, %w, {attrs})", [data, weight], out)
        case(f"bitserial_conv2d_packed_{unipolar}", "x w", f"nn.bitserial_conv2d(%x, %w, {attrs})",
             [data, packed(weight, 1, 1, 4, 8)], out)
        case(f"bitserial_conv2d_nhwc_{unipolar}", "x w",
             f'nn.bitserial_conv2d(%x, %w, {attrs}, data_layout="NHWC", kernel_layout="HWIO")',
             [np.moveaxis(data, 1, -1), np.transpose(weight, [2, 3, 1, 0])], np.moveaxis(out, 1, -1))


def plain_conv(data, weight, widths):
    """A convolution over all axes after the first two, with steps of 1."""
    padded = pad_axes(data, [(0, 0), (0, 0), *widths], 0.0).astype("float64")
    sizes = [whole - size + 1 for whole, size in zip(padded.shape[2:], weight.shape[2:])]
    out = np.zeros((data.shape[0], weight.shape[0], *sizes))
    for place in np.ndindex(*weight.shape[2:]):
        part = padded[(slice(None), slice(None), *[slice(at, at + size) for at, size in zip(place, sizes)])]
        out += np.einsum("oc,nc...->no...", weight[(slice(None), slice(None), *place)].astype("float64"), part)
    return out.astype("float32")


def transformed():
    for axes, tile, data, weight, widths in [
        (2, 4, floats(2, 2, 6, 4), floats(3, 2, 3, 3), [(1, 1), (1, 1)]),
        (2, 2, floats(1, 1, 5, 6), floats(2, 1, 5, 5), [(2, 0), (0, 3)]),
        (2, 5, floats(1, 2, 3, 8), floats(1, 2, 3, 3), [(1, 1), (1, 1)]),
        (3, 2, floats(1, 2, 3, 2, 4), floats(1, 2, 3, 3, 3), [(1, 1), (1, 1), (0, 0)]),
        (3, 4, floats(1, 1, 6, 4, 3), floats(2, 1, 5, 3, 3), [(2, 2), (1, 1), (0, 1)]),
    ]:
        size = list(weight.shape[2:])
        padding = [before for before, _ in widths] + [after for _, after in widths]
        name = f"nn.contrib_conv{axes}d_winograd"
        case(f"winograd_{axes}d_{tile}_{size[0]}", "x w",
             f"{name}_without_weight_transform(%x, {name}_weight_transform(%w, tile_size={tile}), tile_size={tile}, "
             f"channels={weight.shape[0]}, kernel_size={size}, padding={padding})", [data, weight],
             plain_conv(data, weight, widths))
    # F(2, 3), whose matrices are in the paper, with the signs and scales of the points 0, -1, 1.
    kernel = floats(2, 1, 3, 3)
    filters = np.array([[1, 0, 0], [0.5, -0.5, 0.5], [0.5, 0.5, 0.5], [0, 0, 1]])
    case("winograd_kernel", "w", "nn.contrib_conv2d_winograd_weight_transform(%w, tile_size=2)", [kernel],
         np.einsum("ai,bj,ocij->aboc", filters, filters, kernel.astype("float64")).astype("float32"))
    data, kernel = floats(1, 5, 6, 3), floats(3, 3, 3, 5)
    matrix = pad_axes(kernel.reshape(27, 5), [(0, 5), (0, 3)], 0.0)
    tiles = matrix.reshape(2, 16, 2, 4).transpose(2, 0, 3, 1)
    case("gemm_kernel", "w", "nn.contrib_conv2d_gemm_weight_transform(%w, tile_N=4, tile_K=16)", [kernel], tiles)
    out = plain_conv(np.moveaxis(data, -1, 1), np.transpose(kernel, [3, 2, 0, 1]), [(1, 1), (0, 1)])
    case("gemm_conv2d", "x w",
         "nn.contrib_conv2d_gemm_without_weight_transform(%x, nn.contrib_conv2d_gemm_weight_transform(%w, tile_N=4, tile_K=16), "
         'channels=5, kernel_size=[3, 3], padding=[1, 0, 1, 1], data_layout="NHWC", kernel_layout="HWIO")', [data, kernel],
         np.moveaxis(out, 1, -1))


def detections():
    """Boxes chosen by class, and proposals from anchors."""

    def overlap(one, other, more):
        sides = [max(min(one[axis + 2], other[axis + 2]) - max(one[axis], other[axis]) + more, 0) for axis in (0, 1)]
        areas = [(box[2] - box[0] + more) * (box[3] - box[1] + more) for box in (one, other)]
        shared = sides[0] * sides[1]
        return shared / (sum(areas) - shared)

    corners = RANDOM.integers(0, 24, size=(2, 6, 2)) / 8
    boxes = np.concatenate([corners, corners + RANDOM.integers(4, 17, size=(2, 6, 2)) / 8], -1).astype("float32")
    scores = RANDOM.permutation(2 * 6 * 4).reshape(2, 6, 4).astype("float32") / 48
    for name, per_class, most, classes in [("background", 3, 5, 3), ("all_classes", 2, 12, 4), ("few", 9, 4, 2)]:
        out = [np.zeros((2, most, 4)), np.zeros((2, most)), np.zeros((2, most)), np.zeros(2)]
        for n in range(2):
            found = []
            for kind in range(classes):
                own, kept = scores[n, :, 4 - classes + kind], []
                for index in np.argsort(-own, kind="stable"):
                    near = any(overlap(boxes[n, other].astype("float64"), boxes[n, index].astype("float64"), 0) > 0.25 for other in kept)
                    if own[index] >= 0.3 and len(kept) < per_class and not near:
                        kept.append(index)
                found += [(own[index], kind, index) for index in kept]
            found.sort(key=lambda item: -item[0])
            for place, (score, kind, index) in enumerate(found[:most]):
                out[0][n, place], out[1][n, place], out[2][n, place] = boxes[n, index], kind, score
            out[3][n] = min(len(found), most)
        case(f"regular_nms_{name}", "b s",
             f"vision.regular_non_max_suppression(%b, %s, max_detections_per_class={per_class}, max_detections={most}, "
             f"num_classes={classes}, iou_threshold=0.25f, score_threshold=0.3f)", [boxes, scores],
             tuple(part.astype("float32") for part in out))
    scales, ratios, stride, least = [1.0, 2.0], [0.5, 1.0, 2.0], 8, 4
    for name, first, last, direct in [("deltas", 9, 5, False), ("all", -1, 4, False), ("corners", 12, 16, True)]:
        odds = RANDOM.permutation(2 * 12 * 2 * 2).reshape(2, 12, 2, 2).astype("float32") / 128
        moves = (RANDOM.integers(-8, 9, size=(2, 24, 2, 2)) / 16).astype("float32")
        info = np.array([[16, 14, 1], [15, 16, 0.5]], "float32")
        out = np.zeros((2, last, 5))
        for n in range(2):
            found = []
            for row, column, k in np.ndindex(2, 2, 6):
                ratio, scale = ratios[k // 2], scales[k % 2]
                wide = math.floor(math.sqrt(math.floor(stride * stride / ratio)) + 0.5) * scale
                high = math.floor(wide / scale * ratio + 0.5) * scale
                box, moved = [], [float(v) for v in moves[n, 4 * k:4 * k + 4, row, column]]
                for axis, (size, place) in enumerate([(wide, column), (high, row)]):
                    middle = 0.5 * (stride - 1) + place * stride
                    low, end = middle - 0.5 * (size - 1), middle + 0.5 * (size - 1)
                    if direct:
                        low, end = low + moved[axis], end + moved[axis + 2]
                    else:
                        middle, size = middle + moved[axis] * size, math.exp(moved[axis + 2]) * size
                        low, end = middle - 0.5 * (size - 1), middle + 0.5 * (size - 1)
                    most = float(info[n, 1 - axis]) - 1
                    box.append((max(min(low, most), 0), max(min(end, most), 0)))
                (left, right), (top, bottom) = box
                score = float(odds[n, 6 + k, row, column])
                if row >= int(info[n, 0] / stride) or column >= int(info[n, 1] / stride):
                    score = -1.0
                small = float(info[n, 2]) * least
                if right - left + 1 < small or bottom - top + 1 < small:
                    left, top, right, bottom, score = left - small / 2, top - small / 2, right + small / 2, bottom + small / 2, -1.0
                found.append((score, [left, top, right, bottom]))
            found.sort(key=lambda item: -item[0])
            kept = []
            for _, box in found[:first] if first > 0 else found:
                if not any(overlap(other, box, 1) > 0.6 for other in kept):
                    kept.append(box)
            for place in range(last):
                out[n, place] = [n, *kept[place % len(kept)]]
        case(f"proposal_{name}", "p m i",
             f"vision.proposal(%p, %m, %i, scales={scales}, ratios={ratios}, feature_stride={stride}, threshold=0.6f, "
             f"rpn_pre_nms_top_n={first}, rpn_post_nms_top_n={last}, rpn_min_size={least}, iou_loss={direct})",
             [odds, moves, info], out.reshape(-1, 5).astype("float32"))


def detections_by_class():
    """All classes of each batch, class by class and by score within a class; zeros after the last box."""
    corners = RANDOM.integers(0, 24, size=(2, 6, 2)) / 8
    boxes = np.concatenate([corners, corners + RANDOM.integers(4, 17, size=(2, 6, 2)) / 8], -1).astype("float32")
    scores = RANDOM.permutation(2 * 3 * 6).reshape(2, 3, 6).astype("float32") / 36
    for name, most, least in [("few", 2, 0.3), ("all", 9, -1.0), ("none", 9, 2.0)]:
        indices, best = np.zeros((2, 18, 2), "int64"), np.zeros((2, 18), "float32")
        counts = np.zeros(2, "int64")
        for n, kind in np.ndindex(2, 3):
            mine = []
            for index in sorted(range(6), key=lambda index: -scores[n, kind, index]):
                apart = all(overlap(boxes[n, index], boxes[n, other]) < 0.25 for other in mine)
                if scores[n, kind, index] > least and apart and len(mine) < most:
                    mine.append(index)
            for index in mine:
                indices[n, counts[n]], best[n, counts[n]] = (kind, index), scores[n, kind, index]
                counts[n] += 1
        case(f"all_class_nms_tensorflow_{name}", "b s",
             f'vision.all_class_non_max_suppression(%b, %s, {most}i64, 0.25f, {least}f, output_format="tensorflow")',
             [boxes, scores], (indices, best, counts))


# Operators of one line each that no other program calls.


def remaining():
    data = np.array([-2.0, -0.75, -0.0, 0.25, 0.875, 3.5], "float32")
    unit, above = data[1:5], np.array([1.0, 1.5, 20.0], "float32")
    exact = lambda function, values: function(values.astype("float64")).astype("float32")  # noqa: E731
    for name in ("tan", "sinh", "cosh", "asinh"):
        values = data if name != "asinh" else np.concatenate([data, above])
        numpy_name = {"asinh": "arcsinh"}.get(name, name)
        case(name, "x", f"{name}(%x)", [values], exact(getattr(np, numpy_name), values))
    case("asin", "x", "asin(%x)", [unit], exact(np.arcsin, unit))
    case("acos", "x", "acos(%x)", [unit], exact(np.arccos, unit))
    case("atanh", "x", "atanh(%x)", [unit], exact(np.arctanh, unit))
    case("acosh", "x", "acosh(%x)", [above], exact(np.arccosh, above))
    case("log10", "x", "log10(%x)", [above], exact(np.log10, above))
    erf = np.array([math.erf(float(value)) for value in data], "float32")
    case("fast_exp", "x", "fast_exp(%x)", [data], exact(np.exp, data))
    case("fast_tanh", "x", "fast_tanh(%x)", [data], exact(np.tanh, data))
    case("fast_erf", "x", "fast_erf(%x)", [data], erf)
    rows = floats(2, 3)
    powers = np.exp(rows.astype("float64"))
    case("fast_softmax", "x", "nn.fast_softmax(%x, axis=1)", [rows], (powers / powers.sum(1, keepdims=True)).astype("float32"))
    special = np.array([1.0, np.inf, -np.inf, np.nan, -0.0], "float32")
    case("isfinite", "x", "isfinite(%x)", [special], np.isfinite(special))
    a, b = integers(-100, 100, (2, 3)), np.array([3, -7, 5], "int32")
    case("bitwise_or", "x y", "bitwise_or(%x, %y)", [a, b], a | b)
    case("bitwise_xor", "x y", "bitwise_xor(%x, %y)", [a, b], a ^ b)
    case("bitwise_not", "x", "bitwise_not(%x)", [a], ~a)
    quotient = np.array([[int(x / y) for x, y in zip(row, b)] for row in a], "int32")
    case("trunc_divide", "x y", "trunc_divide(%x, %y)", [a, b], quotient)
    case("trunc_mod", "x y", "trunc_mod(%x, %y)", [a, b], a - quotient * b)
    truths = np.array([True, False, True, False]), np.array([True, True, False, False])
    case("logical_xor", "x y", "logical_xor(%x, %y)", truths, truths[0] ^ truths[1])
    case("cast_like", "x y", "cast_like(%x, %y)", [data, np.array([1], "int8")], data.astype("int8"))
    case("cumprod", "x", "cumprod(%x, axis=1)", [rows], np.cumprod(rows, axis=1))
    shifted = np.concatenate([np.ones((2, 1), "float32"), np.cumprod(rows, axis=1)[:, :-1]], axis=1)
    case("cumprod_exclusive", "x", "cumprod(%x, axis=1, exclusive=True)", [rows], shifted)
    for name in ("annotation.bitpack_start", "annotation.bitpack_end", "annotation.checkpoint", "annotation.stop_fusion"):
        case(name.replace(".", "_"), "x", f"{name}(%x)", [data], data)
    case("annotation_compiler", "x", 'annotation.compiler_end(annotation.compiler_begin(%x, compiler="dnnl"), compiler="dnnl")',
         [data], data)
    case("annotation_cast_hint", "x", 'annotation.cast_hint(%x, dtype="int8")', [data], data)
    volume = floats(1, 1, 2, 3, 2)
    for axis, times in ((2, 2), (3, 1), (4, 3)):
        nearest = np.repeat(volume if axis == 2 else nearest, times, axis)
    case("dyn_upsampling3d", "x",
         "dyn.nn.upsampling3d(%x, 2f, 1f, 3f, scale_d=2, scale_h=1, scale_w=3, "
         'coordinate_transformation_mode="asymmetric")', [volume], nearest)
    numbers = np.array([[1 << 20, -(1 << 20), 77], [-5, 0, 12345]], "int32")
    factors = np.array([1518500250, 1 << 30, 2000000000], "int32")
    lefts, rights = np.array([1, 0, 3], "int32"), np.array([0, 2, 1], "int32")

    def scaled(value, factor, left, right):
        places = 31 + right
        return (int(value) * (1 << int(left)) * int(factor) + (1 << (int(places) - 1))) >> int(places)

    fixed = [[scaled(*parts) for parts in zip(row, factors, lefts, rights)] for row in numbers]
    case("fixed_point_multiply_per_axis", "x m l r",
         "fixed_point_multiply_per_axis(%x, %m, %l, %r, is_lshift_required=True, is_rshift_required=True, axes=[1])",
         [numbers, factors, lefts, rights], np.array(fixed, "int32"))
    steps = [min(max(float(value) / 0.25, -7.0), 6.0) for value in data]
    rounded = np.array([round_away(value) * 0.25 for value in steps], "float32")
    case("annotation_simulated_quantize", "x", "relay.op.annotation.simulated_quantize(%x, 0.25f, -7f, 6f, kind=1)", [data], rounded)
    image, kernel = floats(1, 8, 3, 4), floats(8, 1, 2, 2)
    result = conv(image, kernel, [1, 1], [(1, 1), (0, 0)], [1, 1], 8)
    case("depthwise_conv2d_packed", "x w",
         "nn.contrib_depthwise_conv2d_NCHWc(%x, %w, channels=8, groups=8, kernel_size=[2, 2], padding=[1, 0], "
         'data_layout="NCHW4c", kernel_layout="OIHW1i4o", out_layout="NCHW4c")',
         [image.reshape(1, 2, 4, 3, 4).transpose(0, 1, 3, 4, 2), kernel.reshape(2, 4, 1, 2, 2, 1).transpose(0, 2, 3, 4, 5, 1)],
         result.reshape(1, 2, 4, 4, 3).transpose(0, 1, 3, 4, 2))
    dense = np.array([[0, 2, 0, 0], [0, 0, 0, 0], [1, 0, 0, 3]], "float32")
    parts = [np.array(part, dtype) for part, dtype in (([2, 1, 3], "float32"), ([1, 0, 3], "int32"), ([0, 1, 1, 3], "int32"))]
    x = floats(2, 4)
    case("sparse_dense_padded", "x v i p", "nn.internal.sparse_dense_padded(%x, %v, %i, %p)", [x, *parts], x @ dense.T)
    x, w = integers(0, 256, (2, 5), "uint8"), integers(-128, 128, (8, 5), "int8")
    case("qnn_dense_pack", "x w", 'qnn.contrib_dense_pack(%x, %w, 3, 0, 0.5f, 0.25f, units=8, out_dtype="int32")',
         [x, w.reshape(2, 4, 5).transpose(0, 2, 1)], (x.astype("int32") - 3) @ w.astype("int32").T)


def main():
    pools()
    adaptive_pools()
    convolutions()
    layouts()
    spaces()
    resizes()
    grids()
    quantized()
    norms()
    dynamic()
    sequences()
    compact()
    einsums()
    sparse()
    losses()
    boxes()
    regions()
    transforms()
    randoms()
    gradients()
    transposed_convolutions()
    deformable()
    correlations()
    bits()
    transformed()
    detections()
    detections_by_class()
    remaining()
    json.dump(CASES, sys.stdout, separators=(",", ":"))
    print()


if __name__ == "__main__":
    main()
