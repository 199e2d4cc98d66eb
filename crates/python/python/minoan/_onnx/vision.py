"""Operators of detectors: regions, boxes, samples of images."""

import numpy as np

from .dims import Dim
from .graph import Unsupported, constant
from .importer import converts
from .shapes import COMPUTED


@converts("GridSample")
def grid_sample(it, node):
    x, grid = node.inputs
    if x.rank != 4:
        raise Unsupported(f"has an image of rank {x.rank}; rank 4 is supported")
    # Opset 20 renamed the modes.
    methods = {"bilinear": "bilinear", "linear": "bilinear", "nearest": "nearest", "bicubic": "bicubic", "cubic": "bicubic"}
    method = methods[node.attr("mode", "bilinear")]
    batch, height, width, _ = grid.shape
    # Relay has the coordinates in front.
    grid = it.graph.call("transpose", [grid], [batch, 2, height, width], grid.dtype, axes=[0, 3, 1, 2])
    shape = (x.shape[0], x.shape[1], height, width)
    return [
        it.graph.call(
            "image.grid_sample", [x, grid], shape, x.dtype, method=method, layout="NCHW",
            padding_mode=node.attr("padding_mode", "zeros"), align_corners=bool(node.attr("align_corners", 0)),
        )
    ]


@converts("RoiAlign")
def roi_align(it, node):
    x, regions, batches = node.inputs
    graph = it.graph
    scale = float(node.attr("spatial_scale", 1.0))
    if node.attr("coordinate_transformation_mode", "half_pixel" if node.opset >= 16 else "output_half_pixel") == "half_pixel":
        raise Unsupported("has the coordinates 'half_pixel'; 'output_half_pixel' is supported")
    if node.attr("mode", "avg") != "avg":
        # Relay has the maximum of the interpolated elements, ONNX that of their parts.
        raise Unsupported("has the mode 'max'; 'avg' is supported")
    count = regions.shape[0]
    index = graph.call("reshape", [graph.cast(batches, regions.dtype)], [count, 1], regions.dtype, newshape=[-1, 1])
    regions = graph.call("concatenate", [[index, regions]], [count, 5], regions.dtype, axis=1)
    size = [node.attr("output_height", 1), node.attr("output_width", 1)]
    ratio = node.attr("sampling_ratio", 0)
    return [
        graph.call(
            "vision.roi_align", [x, regions], (count, x.shape[1], *size), x.dtype, pooled_size=size, spatial_scale=scale,
            sample_ratio=ratio or -1, layout="NCHW", mode="avg",
        )
    ]


@converts("ReverseSequence")
def reverse_sequence(it, node):
    x, lengths = node.inputs
    lengths = it.graph.cast(lengths, "int32")
    axes = {"seq_axis": node.attr("time_axis", 0), "batch_axis": node.attr("batch_axis", 1)}
    return [it.graph.call("reverse_sequence", [x, lengths], x.shape, x.dtype, **axes)]


@converts("NonMaxSuppression")
def non_max_suppression(it, node):
    graph, (boxes, scores) = it.graph, node.inputs[:2]
    if any(isinstance(extent, Dim) for extent in scores.shape):
        raise Unsupported("has scores whose number is not known: pass shapes= or dims=")
    if node.attr("center_point_box", 0):
        # Center and size to corners.
        part = [
            graph.call("strided_slice", [boxes], (*boxes.shape[:2], 2), boxes.dtype, begin=[at], end=[at + 2], strides=[1], axes=[2])
            for at in (0, 2)
        ]
        half = graph.binary("multiply", part[1], graph.number(0.5, boxes))
        corners = [graph.binary(op, part[0], half) for op in ("subtract", "add")]
        boxes = graph.call("concatenate", [corners], boxes.shape, boxes.dtype, axis=2)
    most, overlap, least = (node.input(at) for at in range(2, 5))
    if most is None:
        raise Unsupported("selects no boxes: it has no 'max_output_boxes_per_class'")
    most = it.reshape(most, ())
    overlap = constant(np.float32(0)) if overlap is None else it.reshape(overlap, ())
    least = constant(np.float32(-np.inf)) if least is None else it.reshape(least, ())
    number = scores.shape[0] * scores.shape[1] * scores.shape[2]
    found, count = graph.call_many(
        "vision.all_class_non_max_suppression", [boxes, scores, most, overlap, least],
        [((number, 3), np.int64), ((1,), np.int64)], output_format="onnx",
    )
    # The rows of the boxes that are selected come first.
    end = graph.call("concatenate", [[count, constant(np.array([3], np.int64))]], [2], np.int64, axis=0)
    begin, strides = (constant(np.full(2, number, np.int64)) for number in (0, 1))
    selected = [found, begin, end, strides]
    return [graph.computed("dyn.strided_slice", selected, [graph.fresh(), 3], np.int64, **COMPUTED)]
