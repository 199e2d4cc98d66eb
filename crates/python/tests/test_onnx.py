"""Models in ONNX, imported and compared with another implementation."""

import subprocess
import sys

import minoan as mn
import numpy as np
import pytest
from conftest import ROOT
from onnx_cases import CASES

onnx = pytest.importorskip("onnx")
from onnx import TensorProto, helper, numpy_helper  # noqa: E402


UNSCHEDULED = mn.Session(schedule=False)


def expected(model, feeds):
    """The outputs by onnxruntime, or else by the evaluator of ONNX."""
    try:
        import onnxruntime
    except ImportError:
        onnxruntime = None
    # Without VNNI, onnxruntime sums products of unsigned and signed bytes in 16 bits, with saturation; the option below does not apply.
    if onnxruntime is None or any(node.op_type == "QLinearMatMul" for node in model.graph.node):
        from onnx.reference import ReferenceEvaluator

        return ReferenceEvaluator(model).run(None, feeds)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    # The same for convolutions.
    options.add_session_config_entry("session.x64quantprecision", "1")
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return session.run(None, feeds)


def info(name, array, shape=None):
    return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape if shape is None else shape)


def single(op, operands, attrs, opset, fixed, outputs, shape_of):
    """A model with one node."""
    names = ["" if value is None else f"x{at}" for at, value in enumerate(operands)]
    results = [f"y{at}" for at in range(outputs)]
    node = helper.make_node(op, names, results, name="node", **attrs)
    inputs = [info(name, value, shape_of(name, value)) for at, (name, value) in enumerate(zip(names, operands)) if name and at not in fixed]
    weights = [numpy_helper.from_array(operands[at], names[at]) for at in sorted(fixed)]
    unknown = [helper.make_value_info(name, onnx.TypeProto()) for name in results]
    graph = helper.make_graph([node], "single", inputs, unknown, weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)
    return model, {f"x{at}": value for at, value in enumerate(operands) if value is not None and at not in fixed}


def shapes_of(kind):
    def shape_of(name, value):
        if kind == "static":
            return value.shape
        if kind == "batch":
            return [f"{name}_0", *value.shape[1:]] if value.ndim and value.shape[0] > 1 and name == "x0" else value.shape
        return [f"{name}_{axis}" if extent > 1 and value.dtype.kind == "f" else extent for axis, extent in enumerate(value.shape)]

    return shape_of


def compare(found, wanted):
    found = found if isinstance(found, tuple) else (found,)
    assert len(found) == len(wanted)
    for one, other in zip(found, wanted):
        one, other = np.asarray(one), np.asarray(other)
        assert one.shape == other.shape and one.dtype == other.dtype, (one.shape, other.shape, one.dtype, other.dtype)
        np.testing.assert_allclose(one, other, rtol=2e-5, atol=2e-5)


def named(case):
    op, operands, attrs, opset, fixed, _, _ = case
    shapes = "_".join("x".join(map(str, one.shape)) for one in operands if one is not None)
    return f"{op}-{opset}-{shapes}-{'_'.join(f'{key}={value}' for key, value in attrs.items())}-{len(fixed)}".replace(" ", "")


@pytest.mark.parametrize("number", range(len(CASES)), ids=lambda number: named(CASES[number]))
def test_operators(number):
    case = CASES[number]
    op, operands, attrs, opset, fixed, outputs, dynamic = case
    kinds = ["static"] + ([{True: "all", "batch": "batch"}[dynamic]] if dynamic else [])
    for kind in kinds:
        model, feeds = single(op, operands, attrs, opset, fixed, outputs, shapes_of(kind))
        # Without kernels, a single operator compiles in half the time; the models below have kernels.
        session = None if number % 8 == 0 else UNSCHEDULED
        compare(mn.from_onnx(model, session=session)(**feeds), expected(model, feeds))


# Whole models.

RANDOM = np.random.default_rng(5)


class Builder:
    """A graph under construction, as exporters write it."""

    def __init__(self, opset=17):
        self.opset, self.nodes, self.weights, self.count = opset, [], [], 0

    def op(self, kind, *inputs, outputs=1, **attrs):
        names = [one if isinstance(one, str) else self.weight(one) for one in inputs]
        results = [f"t{self.count + at}" for at in range(outputs)]
        self.count += outputs
        self.nodes.append(helper.make_node(kind, names, results, name=f"/{kind}_{self.count}", **attrs))
        return results[0] if outputs == 1 else results

    def weight(self, array):
        name = f"weights.{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def ints(self, *values):
        return self.op("Constant", value=numpy_helper.from_array(np.array(values, "i8")))

    def model(self, inputs, outputs):
        results = [helper.make_value_info(name, onnx.TypeProto()) for name in outputs]
        values = [helper.make_tensor_value_info(name, kind, shape) for name, (kind, shape) in inputs.items()]
        graph = helper.make_graph(self.nodes, "model", values, results, self.weights)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.opset)], ir_version=8)


def w(*shape):
    return (RANDOM.standard_normal(shape) / np.sqrt(np.prod(shape[1:]) or 1)).astype("f4")


def resnet():
    b = Builder(opset=13)

    def conv(x, inputs, outputs, size, stride=1, group=1):
        pad = size // 2
        x = b.op("Conv", x, w(outputs, inputs // group, size, size), kernel_shape=[size, size], strides=[stride] * 2,
                 pads=[pad] * 4, group=group)
        stats = w(outputs) + 1, w(outputs), w(outputs), np.abs(w(outputs)) + 0.5
        return b.op("BatchNormalization", x, *stats, epsilon=1e-5)

    x = b.op("Relu", conv("image", 3, 8, 7, 2))
    x = b.op("MaxPool", x, kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])
    y = conv(b.op("Relu", conv(x, 8, 8, 3)), 8, 8, 3)
    x = b.op("Relu", b.op("Add", y, x))
    y = conv(b.op("Relu", conv(x, 8, 16, 3, 2)), 16, 16, 3)
    x = b.op("Relu", b.op("Add", y, conv(x, 8, 16, 1, 2)))
    x = b.op("Flatten", b.op("GlobalAveragePool", x), axis=1)
    x = b.op("Gemm", x, w(10, 16), w(10), transB=1)
    return b.model({"image": (TensorProto.FLOAT, ["batch", 3, 32, 32])}, [x])


def mobilenet():
    b = Builder(opset=12)

    def clip(x):
        return b.op("Clip", x, np.float32(0), np.float32(6))

    x = clip(b.op("Conv", "image", w(8, 3, 3, 3), w(8), kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1]))
    y = clip(b.op("Conv", x, w(24, 8, 1, 1), w(24), kernel_shape=[1, 1]))
    y = clip(b.op("Conv", y, w(24, 1, 3, 3), w(24), kernel_shape=[3, 3], group=24, pads=[1, 1, 1, 1]))
    y = b.op("Conv", y, w(8, 24, 1, 1), w(8), kernel_shape=[1, 1])
    x = b.op("Add", x, y)
    gate = b.op("GlobalAveragePool", x)
    gate = b.op("HardSigmoid", b.op("Conv", gate, w(8, 8, 1, 1), w(8), kernel_shape=[1, 1]), alpha=1 / 6)
    x = b.op("Mul", x, gate)
    # A reshape to the batch of the input, as PyTorch exports `view(x.shape[0], -1)`.
    batch = b.op("Gather", b.op("Shape", x), np.array(0, "i8"), axis=0)
    x = b.op("GlobalAveragePool", x)
    shape = b.op("Concat", b.op("Unsqueeze", batch, axes=[0]), b.ints(-1), axis=0)
    x = b.op("Gemm", b.op("Reshape", x, shape), w(5, 8), w(5), transB=1)
    return b.model({"image": (TensorProto.FLOAT, ["batch", 3, 16, 16])}, [b.op("Softmax", x, axis=1)])


def linear(b, x, inputs, outputs):
    return b.op("Add", w(outputs), b.op("MatMul", x, w(inputs, outputs)))


def heads(b, x, source, count, width, perm):
    """A view of `[batch, sequence, count * width]` as heads, with the extents taken from a tensor."""
    shape = b.op("Shape", source)
    sizes = [b.op("Unsqueeze", b.op("Gather", shape, np.array(axis, "i8"), axis=0), b.ints(0)) for axis in (0, 1)]
    target = b.op("Concat", *sizes, b.ints(count), b.ints(width), axis=0)
    return b.op("Transpose", b.op("Reshape", x, target), perm=perm)


def merged(b, x, source, features):
    shape = b.op("Shape", source)
    sizes = [b.op("Unsqueeze", b.op("Gather", shape, np.array(axis, "i8"), axis=0), b.ints(0)) for axis in (0, 1)]
    x = b.op("Transpose", x, perm=[0, 2, 1, 3])
    return b.op("Reshape", x, b.op("Concat", *sizes, b.ints(features), axis=0))


def bert():
    b = Builder(opset=17)
    features, count = 32, 4
    ids, types = b.op("Gather", w(50, features), "input_ids"), b.op("Gather", w(2, features), "token_type_ids")
    length = b.op("Gather", b.op("Shape", "input_ids"), np.array(1, "i8"), axis=0)
    positions = b.op("Slice", np.arange(64)[None], b.ints(0), b.op("Unsqueeze", length, b.ints(0)), b.ints(1))
    x = b.op("Add", b.op("Add", ids, types), b.op("Gather", w(64, features), positions))
    x = b.op("LayerNormalization", x, w(features) + 1, w(features), axis=-1, epsilon=1e-12)
    mask = b.op("Unsqueeze", b.op("Unsqueeze", "attention_mask", b.ints(1)), b.ints(2))
    mask = b.op("Sub", np.float32(1), b.op("Cast", mask, to=TensorProto.FLOAT))
    mask = b.op("Mul", mask, np.float32(-10000))
    for _ in range(2):
        q, k, v = (linear(b, x, features, features) for _ in range(3))
        q, v = (heads(b, one, x, count, features // count, [0, 2, 1, 3]) for one in (q, v))
        k = heads(b, k, x, count, features // count, [0, 2, 3, 1])
        scores = b.op("Add", b.op("Div", b.op("MatMul", q, k), np.float32(np.sqrt(features // count))), mask)
        attended = merged(b, b.op("MatMul", b.op("Softmax", scores, axis=-1), v), x, features)
        x = b.op("Add", linear(b, attended, features, features), x)
        x = b.op("LayerNormalization", x, w(features) + 1, w(features), epsilon=1e-12)
        y = linear(b, x, features, 64)
        erf = b.op("Add", b.op("Erf", b.op("Div", y, np.float32(np.sqrt(2)))), np.float32(1))
        y = linear(b, b.op("Mul", b.op("Mul", y, erf), np.float32(0.5)), 64, features)
        x = b.op("LayerNormalization", b.op("Add", y, x), w(features) + 1, w(features), epsilon=1e-12)
    first = b.op("Gather", x, np.array(0, "i8"), axis=1)
    pooled = b.op("Tanh", b.op("Gemm", first, w(features, features), w(features), transB=1))
    shape = ["batch", "sequence"]
    inputs = {name: (TensorProto.INT64, shape) for name in ("input_ids", "token_type_ids", "attention_mask")}
    return b.model(inputs, [x, pooled])


def gpt2():
    b = Builder(opset=13)
    features, count, most = 32, 4, 16
    shape = b.op("Shape", "input_ids")
    flat = b.op("Reshape", "input_ids", b.op("Concat", b.ints(-1), b.op("Slice", shape, b.ints(1), b.ints(2)), axis=0))
    length = b.op("Squeeze", b.op("Slice", b.op("Shape", flat), b.ints(1), b.ints(2)), b.ints(0))
    positions = b.op("Unsqueeze", b.op("Range", np.array(0, "i8"), length, np.array(1, "i8")), b.ints(0))
    x = b.op("Add", b.op("Gather", w(40, features), flat), b.op("Gather", w(most, features), positions))
    causal = np.tril(np.ones((1, 1, most, most), np.bool_))

    def norm(x):
        # As exporters before opset 17 write it.
        centered = b.op("Sub", x, b.op("ReduceMean", x, axes=[-1]))
        variance = b.op("ReduceMean", b.op("Pow", centered, np.float32(2)), axes=[-1])
        x = b.op("Div", centered, b.op("Sqrt", b.op("Add", variance, np.float32(1e-5))))
        return b.op("Add", b.op("Mul", x, w(features) + 1), w(features))

    def conv1d(x, inputs, outputs):
        # The Conv1D of GPT-2: a product of matrices between two reshapes.
        sizes = b.op("Slice", b.op("Shape", x), b.ints(0), b.ints(-1))
        y = b.op("Gemm", b.op("Reshape", x, b.ints(-1, inputs)), w(inputs, outputs), w(outputs))
        return b.op("Reshape", y, b.op("Concat", sizes, b.ints(outputs), axis=0))

    def size(x, axis):
        return b.op("Gather", b.op("Shape", x), np.array(axis, "i8"), axis=0)

    for _ in range(2):
        y = conv1d(norm(x), features, 3 * features)
        q, k, v = b.op("Split", y, b.ints(features, features, features), axis=2, outputs=3)
        q, v = (heads(b, one, y, count, features // count, [0, 2, 1, 3]) for one in (q, v))
        k = heads(b, k, y, count, features // count, [0, 2, 3, 1])
        scores = b.op("Div", b.op("MatMul", q, k), np.float32(np.sqrt(features // count)))
        ns, nd = size(scores, 3), size(scores, 2)
        rows = b.op("Slice", causal, b.op("Unsqueeze", b.op("Sub", ns, nd), b.ints(0)), b.op("Unsqueeze", ns, b.ints(0)), b.ints(2))
        mask = b.op("Slice", rows, b.ints(0), b.op("Unsqueeze", ns, b.ints(0)), b.ints(3))
        scores = b.op("Where", mask, scores, np.float32(-1e4))
        x = b.op("Add", conv1d(merged(b, b.op("MatMul", b.op("Softmax", scores, axis=3), v), y, features), features, features), x)
        y = conv1d(norm(x), features, 64)
        cube = b.op("Mul", b.op("Add", y, b.op("Mul", b.op("Pow", y, np.float32(3)), np.float32(0.044715))), np.float32(0.7978846))
        y = b.op("Mul", b.op("Mul", y, np.float32(0.5)), b.op("Add", b.op("Tanh", cube), np.float32(1)))
        x = b.op("Add", conv1d(y, 64, features), x)
    logits = b.op("MatMul", norm(x), w(features, 40))
    return b.model({"input_ids": (TensorProto.INT64, ["batch", "sequence"])}, [logits])


def test_residual_and_inverted_residual_networks():
    for build, size in ((resnet, 32), (mobilenet, 16)):
        model = build()
        image = RANDOM.standard_normal((3, 3, size, size)).astype("f4")
        for imported in (mn.from_onnx(model), mn.from_onnx(model, dims={"batch": 3})):
            compare(imported(image), expected(model, {"image": image}))
    assert "(?, 3, 16, 16)" in mn.from_onnx(model).text


def test_transformers_of_any_batch_and_length():
    model = bert()
    imported = mn.from_onnx(model)
    assert imported.inputs == ["input_ids", "token_type_ids", "attention_mask"]
    for batch, length in ((1, 7), (2, 5)):
        feeds = {
            "input_ids": RANDOM.integers(0, 50, (batch, length)),
            "token_type_ids": RANDOM.integers(0, 2, (batch, length)),
            "attention_mask": RANDOM.integers(0, 2, (batch, length)),
        }
        compare(imported(**feeds), expected(model, feeds))
    model = gpt2()
    imported = mn.from_onnx(model)
    for batch, length in ((1, 9), (3, 4)):
        ids = RANDOM.integers(0, 40, (batch, length))
        compare(imported(ids), expected(model, {"input_ids": ids}))
    fixed = mn.from_onnx(model, dims={"batch": 1, "sequence": 9})
    ids = RANDOM.integers(0, 40, (1, 9))
    compare(fixed(ids), expected(model, {"input_ids": ids}))
    # With known extents no shape is computed by the program.
    assert "dyn." not in fixed.text and "shape_of" not in fixed.text


def test_files_and_bytes_are_models(tmp_path):
    model = resnet()
    path = tmp_path / "small resnet.onnx"
    image = RANDOM.standard_normal((1, 3, 32, 32)).astype("f4")
    [wanted] = expected(model, {"image": image})
    data = model.SerializeToString()
    onnx.save(model, path, save_as_external_data=True, location="weights.bin", size_threshold=0)
    imported = mn.from_onnx(path)
    compare(imported(image), [wanted])
    compare(imported(image=image, out=np.empty((1, 10), "f4")), [wanted])
    compare(mn.from_onnx(data)(image), [wanted])
    imported.save(tmp_path / "saved")
    weights = dict(np.load(tmp_path / "saved.npz"))
    compare(mn.load(tmp_path / "saved.relay")["main"](image, **weights), [wanted])
    for wrong in (b"not a model", bytes(100)):
        with pytest.raises(mn.CompileError):
            mn.from_onnx(wrong)
    (tmp_path / "wrong.onnx").write_text("(def f Float)")
    with pytest.raises(mn.CompileError, match="wrong.onnx' is not an ONNX model"):
        mn.from_onnx(tmp_path / "wrong.onnx")
    with pytest.raises(FileNotFoundError):
        mn.from_onnx(tmp_path / "none.onnx")


def test_all_operators_that_are_unknown_are_listed():
    b = Builder()
    x = b.op("Det", "x")
    y = b.op("Relu", b.op("StringNormalizer", x))
    z = b.op("Det", "x")
    b.nodes.append(helper.make_node("Attention", [y], ["fused"], name="fused", domain="com.microsoft"))
    model = b.model({"x": (TensorProto.FLOAT, [2, 2])}, [y, z, "fused"])
    with pytest.raises(mn.CompileError) as caught:
        mn.from_onnx(model)
    message = str(caught.value)
    assert message.startswith("'model' has 3 operators that cannot be imported:")
    assert "Det: '/Det_1', '/Det_4'" in message and "StringNormalizer: '/StringNormalizer_2'" in message
    assert "com.microsoft.Attention: 'fused'" in message and len(caught.value.diagnostics) == 4


def test_options_and_their_errors():
    b = Builder()
    model = b.model({"x": (TensorProto.FLOAT, None)}, [b.op("Relu", "x")])
    with pytest.raises(mn.CompileError, match="the input 'x' has no shape"):
        mn.from_onnx(model)
    imported = mn.from_onnx(model, shapes={"x": (None, 3)})
    compare(imported(np.full((2, 3), -1, "f4")), [np.zeros((2, 3), "f4")])
    with pytest.raises(ValueError, match="no input 'y'"):
        mn.from_onnx(model, shapes={"x": (2,), "y": (3,)})
    with pytest.raises(ValueError, match="no extent 'n'"):
        mn.from_onnx(model, shapes={"x": (2,)}, dims={"n": 3})
    with pytest.raises(TypeError, match="no input 'z'"):
        imported(z=1)
    with pytest.raises(TypeError, match="1 inputs, found 2"):
        imported(1, 2)
    model = b.model({"x": (TensorProto.STRING, [2])}, ["x"])
    with pytest.raises(mn.CompileError, match="the input 'x' has elements of type string"):
        mn.from_onnx(model)
    b = Builder()
    model = b.model({"x": (TensorProto.FLOAT, [1, 2, 5])}, [b.op("MaxPool", "x", kernel_shape=[3, 3])])
    with pytest.raises(mn.CompileError, match="MaxPool '/MaxPool_1' has a window of 2 axes and an operand of rank 3"):
        mn.from_onnx(model)


def test_invalid_models_are_errors():
    for kind, inputs, attrs in [
        ("Conv", ["x"], {}),
        ("Gather", ["x"], {}),
        ("Transpose", ["x"], {"perm": [0, 5]}),
        ("Concat", ["x", "x"], {}),
        ("Concat", ["x", "x"], {"axis": 7}),
        ("Reshape", ["x", np.array([5], "i8")], {}),
        ("Add", ["x", w(3)], {}),
        ("Add", ["x", np.array(1, "i8")], {}),
        ("MatMul", ["x", w(3, 4)], {}),
        ("Relu", [], {}),
        ("Relu", ["nothing"], {}),
        ("Constant", [], {}),
        ("Cast", ["x"], {"to": 99}),
        ("Softmax", ["x"], {"axis": "left"}),
        ("MaxPool", ["x"], {}),
        ("Pad", ["x", "x"], {}),
        ("If", ["x"], {}),
    ]:
        b = Builder()
        model = b.model({"x": (TensorProto.FLOAT, [2, 2])}, [b.op(kind, *inputs, **attrs)])
        with pytest.raises(mn.CompileError):
            mn.from_onnx(model).function
    model = helper.make_model(helper.make_graph([], "empty", [], [helper.make_value_info("y", onnx.TypeProto())]))
    with pytest.raises(mn.CompileError, match="nothing computes the output 'y'"):
        mn.from_onnx(model)


def test_functions_and_branches_are_expanded():
    b = Builder(opset=18)
    then = helper.make_graph([helper.make_node("Neg", ["x"], ["n"])], "then", [], [helper.make_value_info("n", onnx.TypeProto())])
    other = helper.make_graph([helper.make_node("Det", ["x"], ["d"])], "else", [], [helper.make_value_info("d", onnx.TypeProto())])
    x = b.op("If", np.array(True), then_branch=then, else_branch=other)
    b.nodes.append(helper.make_node("twice", [x], ["y"], domain="local", factor=3.0))
    model = b.model({"x": (TensorProto.FLOAT, ["n", 2])}, ["y"])
    scaled = helper.make_node("Constant", [], ["c"])
    scaled.attribute.add(name="value_float", ref_attr_name="factor", type=onnx.AttributeProto.FLOAT)
    body = [scaled, helper.make_node("Mul", ["a", "c"], ["b"])]
    opsets = [helper.make_opsetid("", 18)]
    model.functions.append(helper.make_function("local", "twice", ["a"], ["b"], body, opsets, ["factor"]))
    model.opset_import.append(helper.make_opsetid("local", 1))
    x = RANDOM.standard_normal((3, 2)).astype("f4")
    compare(mn.from_onnx(model)(x), [x * -3])


def test_branches_with_a_computed_condition_are_selected():
    outputs = [helper.make_value_info("n", onnx.TypeProto())]
    then = helper.make_graph([helper.make_node("Neg", ["x"], ["n"])], "then", [], outputs)
    other = helper.make_graph([helper.make_node("Exp", ["x"], ["n"])], "else", [], outputs)
    model = Builder(opset=18)
    total = model.op("ReduceSum", "x", keepdims=0)
    result = model.op("If", model.op("Greater", total, np.array(0, "f4")), then_branch=then, else_branch=other)
    imported = mn.from_onnx(model.model({"x": (TensorProto.FLOAT, [3])}, [result]))
    for x in (np.array([1, 2, 3], "f4"), np.array([1, -2, -3], "f4")):
        compare(imported(x), [-x if x.sum() > 0 else np.exp(x)])


def loop_model(trips, condition=None):
    """y = x; for i: y = y * x + i, and all y."""
    nodes = [
        helper.make_node("Mul", ["a", "x"], ["p"]),
        helper.make_node("Cast", ["i"], ["f"], to=TensorProto.FLOAT),
        helper.make_node("Add", ["p", "f"], ["b"]),
        helper.make_node(*(condition or ("Identity", ["go"])), ["again"]),
    ]
    values = [helper.make_tensor_value_info(name, kind, shape) for name, kind, shape in
              [("i", TensorProto.INT64, []), ("go", TensorProto.BOOL, []), ("a", TensorProto.FLOAT, [2])]]
    outputs = [helper.make_value_info(name, onnx.TypeProto()) for name in ("again", "b", "b")]
    body = helper.make_graph(nodes, "body", values, outputs, [numpy_helper.from_array(np.array(3, "i8"), "three")])
    b = Builder(opset=18)
    results = b.op("Loop", trips, np.array(True), "x", body=body, outputs=2)
    return b.model({"x": (TensorProto.FLOAT, [2])}, results)


def test_loops_are_unrolled():
    x = np.array([0.5, -1.5], "f4")
    # The second one ends by its condition, after the iteration with index 3.
    for model in (loop_model(np.array(4, "i8")), loop_model(np.array(99, "i8"), ("Less", ["i", "three"]))):
        found = mn.from_onnx(model)(x)
        compare(found, expected(model, {"x": x}))
        assert found[1].shape == (4, 2)
    with pytest.raises(mn.CompileError, match="Loop '/Loop_2' has more than 1000 iterations"):
        mn.from_onnx(loop_model(np.array(2000, "i8")))
    model = loop_model(np.array(0, "i8"))
    with pytest.raises(mn.CompileError, match="collects values, and has no iterations"):
        mn.from_onnx(model)


def scan_model(length, **attrs):
    """s = s + x * y for x along axis 0 and y along axis 1, the latter backwards; all s, along axis 1, and all products."""
    nodes = [
        helper.make_node("Mul", ["x", "y"], ["p"]),
        helper.make_node("Add", ["s", "p"], ["t"]),
        helper.make_node("Identity", ["t"], ["u"]),
    ]
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [3]) for name in "sxy"]
    outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [3]) for name in "tup"]
    body = helper.make_graph(nodes, "body", values, outputs)
    b = Builder(opset=16)
    results = b.op("Scan", "init", "xs", "ys", body=body, num_scan_inputs=2, scan_input_axes=[0, -1], scan_input_directions=[0, 1],
                   outputs=3, **attrs)
    return b.model({"init": (TensorProto.FLOAT, [3]), "xs": (TensorProto.FLOAT, [length, 3]), "ys": (TensorProto.FLOAT, [3, length])},
                   results)


def test_scans_are_unrolled():
    inputs = {"init": w(3), "xs": w(5, 3), "ys": w(3, 5)}
    for attrs in ({}, {"scan_output_axes": [1, -1], "scan_output_directions": [0, 1]}):
        model = scan_model(5, **attrs)
        compare(mn.from_onnx(model)(**inputs), expected(model, inputs))
    model = scan_model("steps")
    with pytest.raises(mn.CompileError, match="whose length 'steps' is not known: pass shapes= or dims="):
        mn.from_onnx(model)
    compare(mn.from_onnx(model, dims={"steps": 5})(**inputs), expected(model, inputs))
    with pytest.raises(mn.CompileError, match="has more than 1000 iterations"):
        mn.from_onnx(scan_model(1001))


def test_quantized_models():
    b = Builder(opset=13)

    def fake(value, scale, zero):
        q = b.op("QuantizeLinear", value, np.array(scale, "f4"), np.array(zero, "u1"))
        return b.op("DequantizeLinear", q, np.array(scale, "f4"), np.array(zero, "u1"))

    weight = b.op("DequantizeLinear", RANDOM.integers(-127, 127, (6, 3, 3, 3)).astype("i1"), np.full(6, 0.01, "f4"),
                  np.zeros(6, "i1"), axis=0)
    x = b.op("Relu", b.op("Conv", fake("image", 0.05, 128), weight, w(6), kernel_shape=[3, 3], pads=[1, 1, 1, 1]))
    x = fake(b.op("GlobalAveragePool", x), 0.02, 0)
    scores = b.op("Gemm", b.op("Flatten", x), w(4, 6), w(4), transB=1)
    model = b.model({"image": (TensorProto.FLOAT, ["batch", 3, 8, 8])}, [scores])
    image = RANDOM.standard_normal((2, 3, 8, 8)).astype("f4")
    compare(mn.from_onnx(model)(image), expected(model, {"image": image}))


def test_sequences_need_a_known_length():
    b = Builder(opset=14)
    states = b.op("GRU", "x", w(1, 9, 4), w(1, 9, 3), hidden_size=3, outputs=2)
    model = b.model({"x": (TensorProto.FLOAT, ["steps", 2, 4])}, states)
    with pytest.raises(mn.CompileError, match="whose length 'steps' is not known: pass shapes= or dims="):
        mn.from_onnx(model)
    x = RANDOM.standard_normal((5, 2, 4)).astype("f4")
    compare(mn.from_onnx(model, dims={"steps": 5})(x), expected(model, {"x": x}))


def test_constants_are_folded():
    b = Builder()
    table = b.op("Transpose", w(3, 4))
    masked = b.op("Where", b.op("Equal", b.op("Shape", "x"), b.ints(2)), b.ints(7), b.ints(9))
    model = b.model({"x": (TensorProto.FLOAT, [2, 4])}, [b.op("MatMul", "x", table), masked])
    imported = mn.from_onnx(model)
    assert "transpose" not in imported.text and "shape_of" not in imported.text and "where" not in imported.text
    x = np.ones((2, 4), "f4")
    compare(imported(x), expected(model, {"x": x}))


def test_names_of_the_model_become_parameters():
    b = Builder()
    b.weights.append(numpy_helper.from_array(w(3), "model::bias.0"))
    b.weights.append(numpy_helper.from_array(w(3), "model/bias 0"))
    y = b.op("Add", b.op("Add", "0", "model::bias.0"), "model/bias 0")
    model = b.model({"0": (TensorProto.FLOAT, [2, 3])}, [y])
    imported = mn.from_onnx(model)
    assert list(imported.weights) == ["model_bias_0", "model/bias_0"] and imported.inputs == ["0"]
    x = np.zeros((2, 3), "f4")
    compare(imported(**{"0": x}), expected(model, {"0": x}))
    assert repr(imported) == "<OnnxModel 'model': 0 -> t1>"


def test_the_example_runs(tmp_path):
    run = subprocess.run([sys.executable, ROOT / "examples/onnx/classify.py"], capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    assert "<OnnxModel 'small': image -> probabilities>\n4 weights" in run.stdout and run.stdout.count("class ") == 5


def test_the_package_onnx_is_named_where_it_is_missing():
    code = """
import sys
sys.modules["onnx"] = None
import minoan as mn
try:
    mn.from_onnx("model.onnx")
except ImportError as error:
    assert str(error) == "mn.from_onnx needs the package 'onnx': pip install onnx"
else:
    raise SystemExit("no error")
"""
    assert subprocess.run([sys.executable, "-c", code], timeout=60).returncode == 0


def test_computed_shapes_are_polynomials():
    from minoan._onnx.dims import Dim, broadcast, product

    batch, length = Dim.atom("batch"), Dim.atom("length")
    assert (batch + 1) * (batch - 1) == batch * batch - 1
    assert product([batch, length, 768]) // (length * 12) == batch * 64
    assert length - length == 0 and 2 * length - length == length and (length + 3) - length == 3
    half = (length + 1) // 2
    assert half != length // 2 and half == (1 + length) // 2 and str(half) == "((length + 1) // (2))"
    assert broadcast((batch, 1, 4), (length, 4)) == (batch, length, 4)
    assert broadcast((batch, 3), (1, 3)) == (batch, 3) and broadcast((batch,), (5,)) == (5,)
    try:
        broadcast((2,), (3,))
    except ValueError as error:
        assert str(error) == "the shapes [2] and [3] do not broadcast: 2 and 3 differ"
    else:
        raise AssertionError
