"""Import of ONNX models as Relay programs."""

import os
import pathlib

import numpy as np

from .._errors import CompileError
from .._programs import default_session
from .dims import Dim
from .graph import Unsupported, constant


class OnnxModel:
    """A model that was imported: a Relay program and its weights.

    A call takes the inputs of the model, by position or by the name that they have in the model, and returns an array, or a
    tuple of arrays if the model has several outputs. The program is compiled at the first call.

    Attributes:
        text: the program in Relay's text format, whose function is ``main``.
        weights: the constants of the model, by the names of the parameters.
        inputs: the names of the inputs, as the model has them.
        outputs: the names of the outputs, as the model has them.
    """

    def __init__(self, name, text, weights, inputs, outputs, session):
        self.name = name
        self.text = text
        self.weights = weights
        self._inputs = inputs
        self.outputs = outputs
        self._session = session
        self._program = None

    @property
    def inputs(self):
        return list(self._inputs)

    @property
    def program(self):
        """The checked program."""
        if self._program is None:
            session = self._session or default_session()
            self._program = session.loads(self.text.encode(), f"{self.name}.relay", language="relay")
        return self._program

    @property
    def function(self):
        """The function ``main``, whose parameters are the inputs, then the weights."""
        return self.program["main"]

    def __call__(self, *args, **kwargs):
        out = {"out": kwargs.pop("out")} if "out" in kwargs and "out" not in self._inputs else {}
        named = {}
        for name, value in kwargs.items():
            if name not in self._inputs:
                raise TypeError(f"the model has no input '{name}'; its inputs are {', '.join(self._inputs)}")
            named[self._inputs[name]] = value
        if len(args) > len(self._inputs):
            raise TypeError(f"the model has {len(self._inputs)} inputs, found {len(args)} arguments")
        return self.function(*args, **named, **self.weights, **out)

    def save(self, path):
        """Writes the program, ``path`` with the extension ``.relay``, and the weights, with ``.npz``.

        ``kc run model.relay --inputs model.npz`` takes them.
        """
        path = pathlib.Path(path)
        path.with_suffix(".relay").write_text(self.text)
        np.savez(path.with_suffix(".npz"), **self.weights)

    def __repr__(self):
        return f"<OnnxModel '{self.name}': {', '.join(self._inputs)} -> {', '.join(self.outputs)}>"


def from_onnx(model, *, shapes=None, dims=None, session=None):
    """Imports an ONNX model, of opset 11 to 21, as a Relay program.

    Args:
        model: the path of a file, the bytes of one, or an ``onnx.ModelProto``.
        shapes: the shapes of inputs, by name, for models that do not have them; ``None`` is an extent that is known at run time.
        dims: numbers for extents that have a name in the model, such as ``{"batch": 1}``. Other named extents are ``?`` in
            the program.
        session: the session; by default the common one.

    Raises:
        ImportError: the package ``onnx`` is not installed.
        OSError: the file cannot be read.
        CompileError: the model is invalid, or has operators that are not supported; the message lists all of them.
    """
    try:
        import onnx
        import onnx.reference  # noqa: F401
    except ImportError as error:
        raise ImportError("mn.from_onnx needs the package 'onnx': pip install onnx") from error
    # The modules of converters register themselves.
    from . import control, elementwise, index, nn, quantized, recurrent, shapes as _shapes, vision  # noqa: F401
    from .importer import Importer

    name = "model"
    if isinstance(model, (str, os.PathLike)):
        name = pathlib.Path(model).stem
    proto = _read(onnx, model)
    it = Importer(onnx, proto)
    env, inputs = {}, {}
    for one in proto.graph.initializer:
        env[one.name] = constant(onnx.numpy_helper.to_array(one), one.name)
    if proto.graph.sparse_initializer:
        raise _failed(name, [("", "", "the model has sparse weights")])
    for one in proto.graph.input:
        if one.name not in env:
            value = _input(it, name, one, dict(shapes or {}), dict(dims or {}))
            env[one.name] = value
            inputs[one.name] = value.ref.name
    for given, known, what in ((shapes, inputs, "input"), (dims, _names(proto), "extent")):
        for unknown in set(given or {}) - set(known):
            raise ValueError(f"the model has no {what} '{unknown}'; it has {', '.join(known) or 'none'}")
    it.run(proto.graph.node, env, it.opset)
    outputs = [one.name for one in proto.graph.output]
    if it.failures:
        raise _failed(name, it.failures)
    missing = [one for one in outputs if env.get(one) is None]
    if missing:
        raise _failed(name, [("", "", f"nothing computes the output '{one}'") for one in missing])
    try:
        text, weights = it.graph.text([env[one] for one in outputs])
    except Unsupported as error:
        raise _failed(name, [("", "", f"an output {error}")]) from None
    return OnnxModel(name, text, weights, inputs, outputs, session)


def _read(onnx, model):
    if isinstance(model, onnx.ModelProto):
        return model
    try:
        if isinstance(model, (bytes, bytearray, memoryview)):
            return onnx.load_model_from_string(bytes(model))
        return onnx.load(os.fspath(model))
    except OSError:
        raise
    except Exception as error:
        what = "the bytes are" if isinstance(model, (bytes, bytearray, memoryview)) else f"'{os.fspath(model)}' is"
        raise CompileError(f"{what} not an ONNX model: {error}") from None


def _names(proto):
    """The names of the extents of inputs."""
    found = {}
    for one in proto.graph.input:
        for dim in one.type.tensor_type.shape.dim:
            if dim.dim_param:
                found[dim.dim_param] = None
    return list(found)


def _input(it, model, proto, shapes, dims):
    kind = proto.type.WhichOneof("value")
    if kind != "tensor_type":
        raise _failed(model, [("", "", f"the input '{proto.name}' is a {(kind or 'value').removesuffix('_type')}, not a tensor")])
    tensor = proto.type.tensor_type
    try:
        dtype = it.dtype(tensor.elem_type)
    except Unsupported as error:
        raise _failed(model, [("", "", f"the input '{proto.name}' {error}")]) from None
    if proto.name in shapes:
        given = [None if dim is None else dim if isinstance(dim, str) else int(dim) for dim in shapes[proto.name]]
    elif tensor.HasField("shape"):
        given = [dim.dim_value if dim.HasField("dim_value") else dim.dim_param or None for dim in tensor.shape.dim]
    else:
        message = f"the input '{proto.name}' has no shape: pass shapes={{'{proto.name}': (..)}}"
        raise _failed(model, [("", "", message)])
    shape = []
    for axis, dim in enumerate(given):
        dim = dims.get(dim, dim) if isinstance(dim, str) else dim
        if dim is None:
            dim = f"{proto.name}.{axis}"
        shape.append(Dim.atom(dim) if isinstance(dim, str) else int(dim))
    return it.graph.input(proto.name, dtype, shape)


def _failed(model, failures):
    """One error for all nodes that cannot be converted."""
    unknown, others = {}, []
    for operator, node, message in failures:
        if message is None:
            unknown.setdefault(operator, []).append(node)
        else:
            others.append(f"{operator} '{node}' {message}" if operator else message)
    lines = []
    if unknown:
        count = len(unknown)
        lines.append(f"'{model}' has {count} operator{'' if count == 1 else 's'} that cannot be imported:")
        for operator, nodes in unknown.items():
            lines.append(f"  {operator}: {_listed(nodes)}")
    lines += [f"'{model}': {line}" for line in others]
    diagnostics = [
        {"severity": "error", "message": line.strip(), "file": None, "line": None, "column": None, "notes": [], "help": []}
        for line in lines
    ]
    return CompileError("\n".join(lines), diagnostics)


def _listed(nodes, limit=8):
    shown = [f"'{node}'" for node in nodes[:limit]]
    more = len(nodes) - limit
    return ", ".join(shown) + (f" and {more} more" if more > 0 else "")
