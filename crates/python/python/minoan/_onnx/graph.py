"""Relay text under construction.

A ``Value`` is a tensor of the imported model: its element type, its shape, and either its elements, if they are known during the
import, or where the Relay program computes them. Calls are recorded in the order of evaluation; ``Graph.text`` prints those
that the results depend on. Constants become parameters of the program, except scalars.
"""

import math
import re

import numpy as np

from .dims import Dim, Quotient, broadcast

# Integer tensors of at most this many elements are tracked element by element, since they may be shapes.
_MAX_ELEMENTS = 64


class Unsupported(Exception):
    """A node cannot be converted; the message continues a sentence whose subject is its operator."""


class Value:
    """A tensor of the model."""

    __slots__ = ("dtype", "shape", "data", "elements", "ref", "name", "extents")

    def __init__(self, dtype, shape, *, data=None, elements=None, ref=None, name=None):
        self.dtype = np.dtype(dtype)
        self.shape = tuple(shape)
        # A constant: an array.
        self.data = data
        # The elements of a tensor of integers of rank 0 or 1, as numbers and extents.
        self.elements = elements
        # Where the program has it: a parameter, a literal, or a result of a call; made on demand for constants.
        self.ref = ref
        self.name = name
        # The call of `shape_of`, once it is needed.
        self.extents = None

    @property
    def rank(self):
        return len(self.shape)

    def __repr__(self):
        return f"Value({self.dtype}[{', '.join(map(str, self.shape))}])"


class Param:
    """A parameter of the program: an input of the model, or a weight."""

    def __init__(self, name, value, data=None):
        self.name, self.value, self.data = name, value, data

    def text(self):
        return f"%{self.name}"


class Literal:
    """A scalar."""

    def __init__(self, text):
        self._text = text

    def text(self):
        return self._text


class Call:
    """A call of an operator of Relay, or of one of its results."""

    def __init__(self, op, args, attrs, origin):
        self.op, self.args, self.attrs, self.origin = op, args, attrs, origin
        self.number = None

    def text(self):
        return f"%{self.number}"


class Part:
    """One result of a call that has several."""

    def __init__(self, call, index):
        self.call, self.index = call, index

    def text(self):
        return f"%{self.call.number}.{self.index}"


def dtype_text(dtype):
    """The name that Relay has for an element type."""
    return "bool" if dtype == np.bool_ else np.dtype(dtype).name


def constant(array, name=None):
    """A value whose elements are known."""
    array = np.asarray(array)
    elements = None
    if array.dtype.kind in "iu" and array.ndim < 2 and array.size <= _MAX_ELEMENTS:
        elements = tuple(int(item) for item in array.reshape(-1))
    return Value(array.dtype, array.shape, data=array, elements=elements, name=name)


def literal(number, dtype):
    """A scalar as Relay writes it."""
    dtype = np.dtype(dtype)
    if dtype == np.bool_:
        return "True" if number else "False"
    suffix = {"float16": "f16", "float32": "f", "float64": "f64", "int8": "i8", "int16": "i16", "int32": "", "int64": "i64"}
    if dtype.name not in suffix:
        wide = "float32" if dtype.name == "bfloat16" else "int64"
        return f'cast({literal(np.dtype(wide).type(number), wide)}, dtype="{dtype_text(dtype)}")'
    if dtype.kind == "f":
        if math.isnan(number):
            text = "nan"
        elif math.isinf(number):
            text = "inf" if number > 0 else "-inf"
        else:
            text = str(dtype.type(number))
        # Narrow floats print with the digits that tell them from their neighbors.
        return text.removesuffix(".0") + suffix[dtype.name]
    return f"{int(number)}{suffix[dtype.name]}"


def attr_text(value):
    """An attribute as Relay writes it."""
    if value is None or isinstance(value, bool):
        return str(value)
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return literal(float(value), "float64")
    if isinstance(value, str):
        return f'"{value}"'
    return f"[{', '.join(attr_text(item) for item in value)}]"


class Graph:
    """The program under construction."""

    def __init__(self):
        self.calls = []
        self.inputs = []
        self.names = set()
        self.origin = ""
        # For each atom, a tensor that has it as an extent, and the axis.
        self.sources = {}
        self.fresh_atoms = 0

    # Parameters.

    def unique(self, name):
        """A name of a parameter that resembles a name of the model and is not taken."""
        name = re.sub(r"[^A-Za-z0-9_/]+", "_", name)
        name = re.sub(r"/+", "/", name).strip("/")
        if not re.match(r"[A-Za-z_]", name):
            name = f"v{name}"
        stem, count = name, 1
        while name in self.names:
            count += 1
            name = f"{stem}_{count}"
        self.names.add(name)
        return name

    def input(self, name, dtype, shape):
        """A parameter for an input of the model."""
        value = Value(dtype, shape, name=name)
        value.ref = Param(self.unique(name), value)
        self.inputs.append(value.ref)
        return self._known(value)

    def _known(self, value):
        """Remembers the extents of a computed tensor."""
        for axis, dim in enumerate(value.shape):
            if isinstance(dim, Dim) and dim.single is not None:
                self.sources.setdefault(dim.single, (value, axis))
        return value

    def fresh(self):
        """An extent of which nothing is known."""
        self.fresh_atoms += 1
        return Dim.atom(f"?{self.fresh_atoms}")

    # Operands.

    def ref(self, value):
        """Where the program has a value."""
        if value.ref is None:
            if value.data is not None:
                if value.data.ndim == 0:
                    value.ref = Literal(literal(value.data[()], value.dtype))
                else:
                    value.ref = Param(self.unique(value.name or "constant"), value, value.data)
            elif value.rank == 0:
                value.ref = self.cast(self.scalar(value.elements[0]), value.dtype).ref
            else:
                value.ref = self.cast(self.vector(value.elements), value.dtype).ref
        return value.ref

    def scalar(self, dim):
        """An extent as a scalar of type int64."""
        if isinstance(dim, int):
            return constant(np.int64(dim))
        total = None
        for atoms, factor in dim.terms.items():
            term = constant(np.int64(factor)) if factor != 1 or not atoms else None
            for atom in atoms:
                value = self._atom(atom)
                term = value if term is None else self.binary("multiply", term, value)
            total = term if total is None else self.binary("add", total, term)
        return total

    def _atom(self, atom):
        if atom not in self.sources and isinstance(atom, Quotient):
            return self.binary("floor_divide", self.scalar(atom.value), self.scalar(atom.divisor))
        if atom not in self.sources:
            raise Unsupported(f"needs the extent '{atom}', which no tensor has")
        value, axis = self.sources[atom]
        if value.extents is None:
            value.extents = self.call("shape_of", [value], [value.rank], "int64", dtype="int64")
        return self.call("take", [value.extents, constant(np.int64(axis))], [], "int64", axis=0)

    def vector(self, dims):
        """Extents as a tensor of type int64."""
        if all(isinstance(dim, int) for dim in dims):
            return constant(np.array(dims, np.int64), "shape")
        parts = [self.scalar(dim) for dim in dims]
        return self.call("stack", [parts], [len(parts)], "int64", axis=0)

    # Calls.

    def call(self, op, args, shape, dtype, /, **attrs):
        """The result of a call; a list among the arguments is a tuple."""
        refs = [[self.ref(one) for one in arg] if isinstance(arg, list) else self.ref(arg) for arg in args]
        call = Call(op, refs, attrs, self.origin)
        self.calls.append(call)
        return self._known(Value(dtype, shape, ref=call))

    def computed(self, op, args, shape, dtype, /, **attrs):
        """The result of an operator of the family `dyn`, whose extents Relay takes for unknown, with those that are known."""
        result = self.call(op, args, shape, dtype, **attrs)
        if not any(isinstance(dim, int) for dim in shape):
            return result
        codes = [dim if isinstance(dim, int) else 0 for dim in shape]
        return result if 0 in shape else self.call("reshape", [result], shape, dtype, newshape=codes)

    def call_many(self, op, args, results, /, **attrs):
        """The results of a call that has several; ``results`` are their shapes and element types."""
        call = self.call(op, args, [], np.bool_, **attrs).ref
        return [self._known(Value(dtype, shape, ref=Part(call, at))) for at, (shape, dtype) in enumerate(results)]

    def unary(self, op, value, /, **attrs):
        """An elementwise operator with one operand."""
        return self.call(op, [value], value.shape, value.dtype, **attrs)

    def binary(self, op, left, right, dtype=None):
        """An elementwise operator with two operands of one element type, with broadcasting."""
        if left.dtype != right.dtype:
            raise Unsupported(f"has operands of types {left.dtype} and {right.dtype}")
        shape = broadcast(left.shape, right.shape)
        args = [self.spread(left, right.rank), self.spread(right, left.rank)]
        return self.call(op, args, shape, dtype or left.dtype)

    def spread(self, value, rank):
        """A constant with a single element as a scalar, if that does not change the rank of a result."""
        if value.data is not None and value.data.size == 1 and 0 < value.rank <= rank:
            return constant(value.data.reshape(()))
        return value

    def number(self, number, like):
        """A scalar of the element type of a value."""
        return constant(np.array(number, like.dtype))

    def cast(self, value, dtype):
        """A value with another element type."""
        dtype = np.dtype(dtype)
        if value.dtype == dtype:
            return value
        if value.data is not None:
            return constant(value.data.astype(dtype), value.name)
        return self.call("cast", [value], value.shape, dtype, dtype=dtype_text(dtype))

    # Text.

    def text(self, outputs):
        """The program, and its parameters that are weights."""
        refs = [self.ref(value) for value in outputs]
        used, weights, work = set(), {}, list(refs)
        while work:
            ref = work.pop()
            call = ref.call if isinstance(ref, Part) else ref
            if id(call) in used:
                continue
            used.add(id(call))
            if isinstance(call, Param):
                if call.data is not None:
                    weights[call.name] = call
            elif isinstance(call, Call):
                for arg in call.args:
                    work.extend(arg if isinstance(arg, list) else [arg])
        ordered = self._in_order_of_use(used, refs, weights)
        lines = ['#[version = "0.0.5"]', "def @main("]
        params = self.inputs + ordered
        lines.append(",\n".join(f"  %{param.name}: {type_text(param.value)}" for param in params))
        lines.append(") {")
        number = 0
        for call in self.calls:
            if id(call) not in used:
                continue
            call.number = number
            number += 1
            origin = f"  // {call.origin}" if call.origin else ""
            lines.append(f"  %{call.number} = {_call_text(call)};{origin}")
        parts = [ref.text() for ref in refs]
        lines.append("  " + (parts[0] if len(parts) == 1 else f"({', '.join(parts)})"))
        lines.append("}\n")
        return "\n".join(lines), {param.name: np.require(param.data, requirements=["C", "A"]) for param in ordered}

    def _in_order_of_use(self, used, refs, weights):
        found = {}
        for call in self.calls:
            if id(call) in used:
                for arg in call.args:
                    for one in arg if isinstance(arg, list) else [arg]:
                        if isinstance(one, Param) and one.name in weights:
                            found.setdefault(one.name, one)
        for ref in refs:
            if isinstance(ref, Param) and ref.name in weights:
                found.setdefault(ref.name, ref)
        return list(found.values())


def _call_text(call):
    def one(arg):
        if isinstance(arg, list):
            comma = "," if len(arg) == 1 else ""
            return f"({', '.join(part.text() for part in arg)}{comma})"
        return arg.text()

    parts = [one(arg) for arg in call.args]
    parts += [f"{name}={attr_text(value)}" for name, value in call.attrs.items()]
    return f"{call.op}({', '.join(parts)})"


def type_text(value):
    """The type of a value as Relay writes it."""
    dims = ", ".join(str(dim) if isinstance(dim, int) else "?" for dim in value.shape)
    return f"Tensor[({dims}), {dtype_text(value.dtype)}]"
