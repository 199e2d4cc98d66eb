"""Recurrent operators, unrolled over the steps of the sequence, whose number has to be known."""

import numpy as np

from .dims import Dim
from .graph import Unsupported, constant
from .importer import converts

_ACTIVATIONS = {"Relu": "nn.relu", "Sigmoid": "sigmoid", "Tanh": "tanh"}


class Layer:
    """One direction of a recurrent operator."""

    def __init__(self, it, node, gates, direction, activations):
        self.it, self.graph, self.node = it, it.graph, node
        self.size = node.attr("hidden_size")
        self.at, self.activations, self.clip = direction, activations, node.attr("clip", 0.0)
        self.gates = gates
        self.w, self.r = (self._transposed(node.input(1)), self._transposed(node.input(2)))
        bias = node.input(3)
        self.wb = self.rb = None
        if bias is not None:
            both = self._mine(bias)
            self.wb, self.rb = (self._part(both, 0, half, 2) for half in range(2))

    def _mine(self, value):
        """The part of a weight, or of an initial state, for this direction."""
        if value.data is not None:
            return constant(value.data[self.at], f"{value.name or 'weight'}.{self.at}")
        shape = value.shape[1:]
        return self.graph.call("take", [value, constant(np.int64(self.at))], shape, value.dtype, axis=0)

    def _transposed(self, value):
        mine = self._mine(value)
        if mine.data is not None:
            return constant(np.ascontiguousarray(mine.data.T), mine.name)
        return self.graph.call("transpose", [mine], mine.shape[::-1], mine.dtype, axes=[1, 0])

    def _part(self, value, axis, index, count):
        """One of several equal parts of a tensor along an axis."""
        size = value.shape[axis] // count
        if value.data is not None:
            return constant(np.split(value.data, count, axis)[index], f"{value.name or 'weight'}.{index}")
        shape = (*value.shape[:axis], size, *value.shape[axis + 1 :])
        return self.graph.call("strided_slice", [value], shape, value.dtype, begin=[index * size], end=[(index + 1) * size],
                               strides=[1], axes=[axis])

    def gate(self, value, index):
        """The columns of a gate."""
        return self._part(value, value.rank - 1, index, self.gates)

    def weight(self, value, index):
        return self._part(value, value.rank - 1, index, self.gates)

    def activate(self, index, value):
        if self.clip:
            value = self.graph.unary("clip", value, a_min=-float(self.clip), a_max=float(self.clip))
        return self.graph.unary(_ACTIVATIONS[self.activations[index]], value)

    def add(self, *values):
        total = values[0]
        for value in values[1:]:
            total = total if value is None else self.graph.binary("add", total, value)
        return total

    def product(self, a, b):
        return self.graph.call("nn.matmul", [a, b], (a.shape[0], b.shape[1]), a.dtype, units=None)

    def state(self, index, batch, like):
        given = self.node.input(index)
        if given is not None:
            return self._mine(given)
        if isinstance(batch, Dim):
            raise Unsupported("has no initial state, and the extent of the batch is not known")
        return constant(np.zeros((batch, self.size), like.dtype), "initial")

    def run(self, steps, batch, cell):
        """The states after each step, and the last cell state; `cell` computes a step."""
        like = steps[0]
        states = [self.state(5, batch, like)] + ([self.state(6, batch, like)] if self.gates == 4 else [])
        found = []
        for step in steps:
            states = cell(self, self.add(self.product(step, self.w), self.wb), states)
            found.append(states[0])
        return found, states[-1]


def _lstm(layer, given, states):
    graph, (hidden, old) = layer.graph, states
    total = layer.add(given, layer.product(hidden, layer.r), layer.rb)
    gates = [layer.gate(total, index) for index in range(4)]
    enter, leave, forget = (layer.activate(0, gates[index]) for index in range(3))
    new = layer.activate(1, gates[3])
    kept = graph.binary("add", graph.binary("multiply", forget, old), graph.binary("multiply", enter, new))
    return [graph.binary("multiply", leave, graph.unary(_ACTIVATIONS[layer.activations[2]], kept)), kept]


def _gru(layer, given, states):
    graph, (hidden,) = layer.graph, states

    def recurrent(index, factor):
        bias = None if layer.rb is None else layer.weight(layer.rb, index)
        return layer.add(layer.product(factor, layer.weight(layer.r, index)), bias)

    update, reset = (
        layer.activate(0, graph.binary("add", layer.gate(given, index), recurrent(index, hidden))) for index in range(2)
    )
    if layer.node.attr("linear_before_reset", 0):
        inner = graph.binary("multiply", reset, recurrent(2, hidden))
    else:
        inner = recurrent(2, graph.binary("multiply", reset, hidden))
    new = layer.activate(1, graph.binary("add", layer.gate(given, 2), inner))
    rest = graph.binary("subtract", graph.number(1, update), update)
    return [graph.binary("add", graph.binary("multiply", rest, new), graph.binary("multiply", update, hidden))]


def _rnn(layer, given, states):
    return [layer.activate(0, layer.add(given, layer.product(states[0], layer.r), layer.rb))]


_KINDS = {
    "LSTM": (4, ("Sigmoid", "Tanh", "Tanh"), _lstm),
    "GRU": (3, ("Sigmoid", "Tanh"), _gru),
    "RNN": (1, ("Tanh",), _rnn),
}


@converts(*_KINDS)
def recurrent(it, node):
    gates, default, cell = _KINDS[node.kind]
    graph, x = it.graph, node.input(0)
    directions = 2 if node.attr("direction", "forward") == "bidirectional" else 1
    activations = node.attr("activations") or list(default) * directions
    if any(one not in _ACTIVATIONS for one in activations) or len(activations) != len(default) * directions:
        raise Unsupported(f"has the activations {', '.join(activations)}")
    if node.kind == "LSTM" and (node.attr("input_forget", 0) or node.input(7) is not None):
        raise Unsupported("has peepholes or coupled gates")
    if node.attr("layout", 0):
        raise Unsupported("has the batch as its first axis")
    length, batch, features = x.shape
    if isinstance(length, Dim):
        raise Unsupported(f"has a sequence whose length '{length}' is not known: pass shapes= or dims=")
    lengths = node.input(4)
    if lengths is not None and (lengths.data is None or (lengths.data != length).any()):
        raise Unsupported("has sequences of different lengths")
    if length == 0:
        raise Unsupported("has a sequence of no steps")
    steps = [
        graph.call("take", [x, constant(np.int64(at))], (batch, features), x.dtype, axis=0) for at in range(length)
    ]
    size = node.attr("hidden_size")
    states, last = [], []
    for direction in range(directions):
        own = activations[direction * len(default) : (direction + 1) * len(default)]
        layer = Layer(it, node, gates, direction, own)
        is_reverse = direction == 1 or node.attr("direction", "forward") == "reverse"
        found, kept = layer.run(steps[::-1] if is_reverse else steps, batch, cell)
        last.append((found[-1], kept))
        states.append(found[::-1] if is_reverse else found)

    def stacked(values, shape):
        return graph.call("stack", [values], (len(values), *shape), x.dtype, axis=0)

    each = [stacked([one[at] for one in states], (batch, size)) for at in range(length)]
    results = [stacked(each, (directions, batch, size)), stacked([one[0] for one in last], (batch, size))]
    if node.kind == "LSTM":
        results.append(stacked([one[1] for one in last], (batch, size)))
    return results
