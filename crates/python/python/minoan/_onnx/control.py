"""Conditionals and loops, whose bodies become part of the program."""

import numpy as np

from .dims import Dim
from .graph import Unsupported, constant
from .importer import converts

# The program of an unrolled loop has at most this many copies of its body.
_MAX_ITERATIONS = 1000


def _run(it, node, env, graph, given=()):
    """The outputs of a graph that is an attribute; ``None`` if a node of it cannot be converted."""
    inner = dict(env)
    for one in graph.initializer:
        inner[one.name] = constant(it.onnx.numpy_helper.to_array(one), one.name)
    inner.update(zip((one.name for one in graph.input), given))
    count = len(it.failures)
    it.run(graph.node, inner, node.opset)
    return None if len(it.failures) > count else [inner[one.name] for one in graph.output]


@converts("If")
def conditional(it, node, env):
    condition = node.input(0)
    branches = [node.attr("then_branch"), node.attr("else_branch")]
    if condition.data is not None:
        branch = branches[0 if condition.data.item() else 1]
        return _run(it, node, env, branch) or [None] * len(branch.output)
    # Operators have no effects, so both branches are computed.
    found = [_run(it, node, env, branch) for branch in branches]
    if None in found:
        return [None] * len(branches[0].output)
    results = []
    for one, other in zip(*found):
        if one.dtype != other.dtype or one.shape != other.shape:
            raise Unsupported("has branches whose results differ in type or shape, and a condition that is not a constant")
        scalar = it.reshape(condition, ())
        results.append(one if one is other else it.graph.call("where", [scalar, one, other], one.shape, one.dtype))
    return results


@converts("Loop")
def loop(it, node, env):
    body, trips, condition = node.attr("body"), node.input(0), node.input(1)
    if trips is not None and trips.data is None:
        raise Unsupported("has a number of iterations that is not a constant")
    limit = _MAX_ITERATIONS + 1 if trips is None else int(trips.data.item())
    if condition is None:
        condition = constant(np.array(True))
    carried = list(node.inputs[2:])
    collected = [[] for _ in body.output[1 + len(carried) :]]
    for step in range(limit):
        if condition.data is None:
            raise Unsupported("has a condition that the program computes")
        if not condition.data.item():
            break
        if step == _MAX_ITERATIONS:
            raise Unsupported(f"has more than {_MAX_ITERATIONS} iterations")
        found = _run(it, node, env, body, [constant(np.array(step, np.int64)), condition, *carried])
        if found is None:
            return [None] * len(node.proto.output)
        condition, rest = found[0], found[1:]
        carried = rest[: len(carried)]
        for values, one in zip(collected, rest[len(carried) :]):
            values.append(one)
    return [*carried, *(_stacked(it, values, 0) for values in collected)]


@converts("Scan")
def scan(it, node, env):
    body, count = node.attr("body"), node.attr("num_scan_inputs")
    carried, sequences = list(node.inputs[:-count]), node.inputs[-count:]
    n_collected = len(body.output) - len(carried)
    axes = [axis % value.rank for axis, value in zip(node.attr("scan_input_axes", [0] * count), sequences)]
    backwards = node.attr("scan_input_directions", [0] * count)
    lengths = {value.shape[axis] for axis, value in zip(axes, sequences)}
    length = lengths.pop()
    if lengths:
        raise Unsupported("has sequences of different lengths")
    if isinstance(length, Dim):
        raise Unsupported(f"has a sequence whose length '{length}' is not known: pass shapes= or dims=")
    if length > _MAX_ITERATIONS:
        raise Unsupported(f"has more than {_MAX_ITERATIONS} iterations")
    collected = [[] for _ in range(n_collected)]
    for step in range(length):
        places = [length - 1 - step if backward else step for backward in backwards]
        elements = [_element(it, value, axis, place) for value, axis, place in zip(sequences, axes, places)]
        found = _run(it, node, env, body, [*carried, *elements])
        if found is None:
            return [None] * len(node.proto.output)
        carried = found[: len(carried)]
        for values, one in zip(collected, found[len(carried) :]):
            values.append(one)
    to_axes = node.attr("scan_output_axes", [0] * n_collected)
    reversals = node.attr("scan_output_directions", [0] * n_collected)
    results = [
        _stacked(it, values[::-1] if reverse else values, axis) for values, axis, reverse in zip(collected, to_axes, reversals)
    ]
    return [*carried, *results]


def _element(it, value, axis, place):
    """The part of a sequence at a place along an axis, which it lacks."""
    if value.data is not None:
        return constant(value.data.take(place, axis), f"{value.name or 'sequence'}.{place}")
    shape = (*value.shape[:axis], *value.shape[axis + 1 :])
    return it.graph.call("take", [value, constant(np.int64(place))], shape, value.dtype, axis=axis)


def _stacked(it, values, axis):
    """The values that the iterations of a loop collect, along a new axis."""
    if not values:
        raise Unsupported("collects values, and has no iterations")
    first = values[0].shape
    if any(one.shape != first for one in values):
        raise Unsupported("collects values of different shapes")
    axis %= len(first) + 1
    shape = (*first[:axis], len(values), *first[axis:])
    return it.graph.call("stack", [values], shape, values[0].dtype, axis=axis)
