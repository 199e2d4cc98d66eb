"""Nodes of an ONNX graph, one by one: opsets, constant folding, functions, and the table of converters."""

import numpy as np

from .dims import Dim, product
from .graph import Graph, Unsupported, Value, constant

# The converters, by operator: functions of an importer and a node that return the values of its outputs.
CONVERTERS = {}

# A constant that would be larger than this, and larger than what it is computed from, is computed by the program.
_MAX_FOLDED = 1 << 20
_STANDARD = ("", "ai.onnx")
# The element types that Relay's operators have here.
ELEMENTS = frozenset("bool int8 uint8 int16 uint16 int32 uint32 int64 uint64 float16 bfloat16 float32 float64".split())


def converts(*operators):
    """Registers a converter."""

    def register(function):
        for operator in operators:
            CONVERTERS[operator] = function
        return function

    return register


class Node:
    """A node with its operands."""

    def __init__(self, proto, attrs, inputs, opset):
        self.proto, self.attrs, self.inputs, self.opset = proto, attrs, inputs, opset
        self.kind = proto.op_type

    def input(self, index):
        """An operand; ``None`` if it is left out."""
        return self.inputs[index] if index < len(self.inputs) else None

    def attr(self, name, default=None):
        """An attribute."""
        return self.attrs.get(name, default)

    def ints(self, name, index):
        """Numbers that are an attribute or, in later opsets, a constant operand; ``None`` if neither is there."""
        if name in self.attrs:
            return list(self.attrs[name])
        operand = self.input(index)
        return None if operand is None else self.constant(index, name).reshape(-1).tolist()

    def constant(self, index, what):
        """The elements of an operand that has to be known."""
        operand = self.input(index)
        if operand is None or operand.data is None:
            raise Unsupported(f"needs a constant as '{what}'")
        return operand.data

    def is_used(self, index):
        """Whether the model names an output."""
        return index < len(self.proto.output) and bool(self.proto.output[index])


class Importer:
    """The import of one model."""

    def __init__(self, onnx, model):
        self.onnx = onnx
        self.graph = Graph()
        self.failures = []
        self.functions = {(one.domain, one.name): one for one in model.functions}
        self.opsets = {one.domain: one.version for one in model.opset_import}

    @property
    def opset(self):
        """The version of the standard operators."""
        return next((self.opsets[domain] for domain in _STANDARD if domain in self.opsets), 1)

    # Graphs.

    def run(self, nodes, env, opset):
        """Converts nodes; ``env`` maps names to values, and ``None`` stands for what could not be converted."""
        for proto in nodes:
            outputs = self._outputs(proto, env, opset)
            for name, value in zip(proto.output, outputs):
                if name:
                    env[name] = value
                    if value is not None and value.name is None:
                        value.name = name

    def _outputs(self, proto, env, opset):
        try:
            inputs = [env[name] if name else None for name in proto.input]
        except KeyError as error:
            self._fail(proto, f"reads {error}, which nothing computes")
            return [None] * len(proto.output)
        is_failed = any(name and value is None for name, value in zip(proto.input, inputs))
        known = proto.domain in _STANDARD and proto.op_type in CONVERTERS
        origin, self.graph.origin = self.graph.origin, _origin(proto)
        try:
            attrs = {attr.name: self._attr(attr) for attr in proto.attribute}
            node = Node(proto, attrs, inputs, opset)
            if not is_failed:
                folded = self._folded(node)
                if folded is not None:
                    return folded
            if known and not is_failed:
                return CONVERTERS[proto.op_type](self, node, *([env] if proto.op_type in ("If", "Loop", "Scan") else []))
            if not known:
                body = self._body(proto, opset)
                if body is None:
                    self._fail(proto, None)
                elif not is_failed:
                    return self._expanded(node, *body)
        except Unsupported as error:
            self._fail(proto, str(error))
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            # Converters rely on the operands and attributes that the specification requires.
            self._fail(proto, f"has operands or attributes that are invalid: {error}")
        finally:
            self.graph.origin = origin
        return [None] * len(proto.output)

    def _fail(self, proto, message):
        self.failures.append((_operator(proto), proto.name or next(iter(proto.output), ""), message))

    def _attr(self, attr):
        onnx = self.onnx
        value = onnx.helper.get_attribute_value(attr)
        if attr.type == onnx.AttributeProto.STRING:
            return value.decode("utf-8", "replace")
        if attr.type == onnx.AttributeProto.STRINGS:
            return [one.decode("utf-8", "replace") for one in value]
        if attr.type == onnx.AttributeProto.TENSOR:
            return onnx.numpy_helper.to_array(value)
        return value

    def dtype(self, number):
        """The element type of a number of `TensorProto.DataType`."""
        try:
            dtype = np.dtype(self.onnx.helper.tensor_dtype_to_np_dtype(number))
        except (KeyError, TypeError, ValueError):
            raise Unsupported(f"has elements of the unknown type {number}") from None
        if dtype.name not in ELEMENTS:
            name = self.onnx.TensorProto.DataType.Name(number).lower()
            raise Unsupported(f"has elements of type {name}")
        return dtype

    # Constants.

    def _folded(self, node):
        """The outputs of a node whose operands are all constants, by ONNX's own evaluator."""
        proto, inputs = node.proto, node.inputs
        if proto.op_type in ("Constant", "If") or proto.domain not in _STANDARD or proto.op_type.startswith("Random"):
            return None
        if not inputs or any(value is not None and value.data is None for value in inputs):
            return None
        if any(attr.type in (attr.GRAPH, attr.GRAPHS) for attr in proto.attribute):
            return None
        given = sum(value.data.nbytes for value in inputs if value is not None)
        if proto.op_type in ("ConstantOfShape", "Expand", "Tile", "Range") and self._growth(node) > max(_MAX_FOLDED, given):
            return None
        try:
            from onnx.reference import ReferenceEvaluator

            helper, names = self.onnx.helper, [name for name in dict.fromkeys(proto.input) if name]
            values = {name: value.data for name, value in zip(proto.input, inputs) if name}
            unknown = [helper.make_value_info(name, self.onnx.TypeProto()) for name in names]
            results = [helper.make_value_info(name, self.onnx.TypeProto()) for name in proto.output if name]
            graph = helper.make_graph([proto], "folded", unknown, results)
            opsets = [helper.make_opsetid("", node.opset)]
            found = iter(ReferenceEvaluator(helper.make_model(graph, opset_imports=opsets)).run(None, values))
        except Exception:  # What the evaluator cannot do, the program may.
            return None
        arrays = [np.asarray(next(found)) if name else None for name in proto.output]
        if any(array is not None and array.dtype.kind not in "biufV" for array in arrays):
            return None
        return [None if array is None else constant(array, name) for array, name in zip(arrays, proto.output)]

    def _growth(self, node):
        """The bytes of the result of an operator that repeats elements; an upper bound."""
        operands = [value.data for value in node.inputs if value is not None]
        if node.kind == "Range":
            start, limit, step = (float(array.reshape(-1)[0]) for array in operands)
            return 8 * abs((limit - start) / step) if step else 0
        sizes = operands[-1].reshape(-1)
        given = operands[0].nbytes if node.kind in ("Expand", "Tile") else 8
        return given * float(np.prod(np.maximum(sizes, 1), dtype=np.float64))

    # Functions.

    def _body(self, proto, opset):
        """The nodes, parameters and results of the function that defines an operator, if there is one."""
        function = self.functions.get((proto.domain, proto.op_type))
        if function is None and proto.domain in _STANDARD:
            try:
                schema = self.onnx.defs.get_schema(proto.op_type, opset, "")
            except self.onnx.defs.SchemaError:
                return None
            if not schema.has_function:
                return None
            function = schema.function_body
            defaults = {name: attr.default_value for name, attr in schema.attributes.items() if attr.default_value.name}
            return function, defaults
        return None if function is None else (function, {attr.name: attr for attr in function.attribute_proto})

    def _expanded(self, node, function, defaults):
        given = {**defaults, **{attr.name: attr for attr in node.proto.attribute}}
        nodes = [self._with_attrs(one, given) for one in function.node]
        names = list(function.input)
        env = dict(zip(names, node.inputs))
        env.update({name: None for name in names[len(node.inputs) :]})
        opset = next((one.version for one in function.opset_import if one.domain in _STANDARD), node.opset)
        # Operands that are left out are left out of the nodes of the body, too.
        missing = {name for name, value in env.items() if value is None}
        for one in nodes:
            for at, name in enumerate(one.input):
                if name in missing:
                    one.input[at] = ""
        count = len(self.failures)
        self.run(nodes, env, opset)
        if len(self.failures) > count:
            return [None] * len(node.proto.output)
        return [env.get(name) for name in function.output][: len(node.proto.output)]

    def _with_attrs(self, proto, given):
        """A node of a function whose attributes that refer to those of the function are replaced."""
        copy = self.onnx.NodeProto()
        copy.CopyFrom(proto)
        del copy.attribute[:]
        for attr in proto.attribute:
            if attr.ref_attr_name:
                if attr.ref_attr_name in given:
                    copy.attribute.add().CopyFrom(given[attr.ref_attr_name])
                    copy.attribute[-1].name = attr.name
            else:
                copy.attribute.add().CopyFrom(attr)
        for attr in copy.attribute:
            if attr.HasField("g"):
                nodes = [self._with_attrs(one, given) for one in attr.g.node]
                del attr.g.node[:]
                attr.g.node.extend(nodes)
        return copy

    # What converters share.

    def reshape(self, value, shape, runtime=None):
        """A value with another shape; ``runtime`` is a tensor that has the extents when the program runs."""
        shape = tuple(shape)
        if shape == value.shape:
            return value
        if value.data is not None and all(isinstance(dim, int) for dim in shape):
            return constant(value.data.reshape(shape), value.name)
        codes, unknown = [], 0
        for axis, dim in enumerate(shape):
            if isinstance(dim, int):
                codes.append(dim)
            elif axis < value.rank and value.shape[axis] == dim:
                codes.append(0)
            else:
                codes.append(-1)
                unknown += 1
        is_empty = 0 in shape
        if unknown <= 1 and not (is_empty and (unknown or any(isinstance(dim, Dim) for dim in shape))):
            attrs = {"allowzero": True} if is_empty else {}
            return self.graph.call("reshape", [value], shape, value.dtype, newshape=codes, **attrs)
        target = runtime if runtime is not None else self.graph.vector(shape)
        return self.graph.computed("dyn.reshape", [value, target], shape, value.dtype, newshape=[])

    def flattened(self, value, axis):
        """A value as a matrix, whose rows are indexed by the axes before ``axis``."""
        return self.reshape(value, (product(value.shape[:axis]), product(value.shape[axis:])))


def axis_of(axis, rank):
    """An axis as an index from 0.

    Raises:
        Unsupported: there is no such axis.
    """
    if not -rank <= axis < rank:
        raise Unsupported(f"has the axis {axis} for a tensor of rank {rank}")
    return int(axis) % rank


def _operator(proto):
    return proto.op_type if proto.domain in _STANDARD else f"{proto.domain}.{proto.op_type}"


def _origin(proto):
    name = "".join(letter if letter.isprintable() else " " for letter in proto.name)
    return f"{proto.op_type} {name}".strip()


def value_of(dtype, shape, elements):
    """A tensor of integers of which some elements are extents; a constant if all are numbers."""
    if all(isinstance(one, int) for one in elements):
        return constant(np.array(elements, dtype).reshape(shape))
    return Value(dtype, shape, elements=tuple(elements))
