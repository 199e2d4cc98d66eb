"""Conditionals and loops, whose bodies become part of the program."""

import numpy as np

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
    results = list(carried)
    for values in collected:
        if not values:
            raise Unsupported("collects values, and has no iterations")
        if any(one.shape != values[0].shape for one in values):
            raise Unsupported("collects values of different shapes")
        shape = (len(values), *values[0].shape)
        results.append(it.graph.call("stack", [values], shape, values[0].dtype, axis=0))
    return results
