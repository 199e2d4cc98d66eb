"""Imports a model in ONNX's format, runs it, and writes it as a Relay program with its weights.

    python examples/onnx/classify.py model.onnx [image.npy]

Without a file, a small residual network with random weights is made first, so that the example needs no download.
"""

import pathlib
import sys
import tempfile

import minoan as mn
import numpy as np


def residual_network(path):
    """Writes a network with one residual block for images of 16 by 16 pixels and five classes."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    random = np.random.default_rng(0)
    shapes = {"stem": (8, 3, 3, 3), "first": (8, 8, 3, 3), "second": (8, 8, 3, 3), "classes": (5, 8)}
    weights = {name: random.standard_normal(shape).astype("f4") / np.sqrt(np.prod(shape[1:])) for name, shape in shapes.items()}
    same = {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1]}
    nodes = [
        helper.make_node("Conv", ["image", "stem"], ["a"], name="conv1", **same),
        helper.make_node("Relu", ["a"], ["b"], name="relu1"),
        helper.make_node("Conv", ["b", "first"], ["c"], name="block/conv1", **same),
        helper.make_node("Relu", ["c"], ["d"], name="block/relu1"),
        helper.make_node("Conv", ["d", "second"], ["e"], name="block/conv2", **same),
        helper.make_node("Add", ["e", "b"], ["f"], name="block/add"),
        helper.make_node("GlobalAveragePool", ["f"], ["g"], name="pool"),
        helper.make_node("Flatten", ["g"], ["h"], name="flatten"),
        helper.make_node("Gemm", ["h", "classes"], ["i"], name="fc", transB=1),
        helper.make_node("Softmax", ["i"], ["probabilities"], name="softmax", axis=1),
    ]
    image = helper.make_tensor_value_info("image", TensorProto.FLOAT, ["batch", 3, 16, 16])
    result = helper.make_tensor_value_info("probabilities", TensorProto.FLOAT, ["batch", 5])
    tensors = [numpy_helper.from_array(array, name) for name, array in weights.items()]
    graph = helper.make_graph(nodes, "small", [image], [result], tensors)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)


def main():
    if len(sys.argv) > 1:
        path = pathlib.Path(sys.argv[1])
    else:
        path = pathlib.Path(tempfile.mkdtemp()) / "small.onnx"
        residual_network(path)
    model = mn.from_onnx(path)
    print(model)
    print(f"{len(model.weights)} weights of {sum(one.nbytes for one in model.weights.values()) / 1e6:.1f} MB")
    if len(sys.argv) > 2:
        image = np.load(sys.argv[2])
    else:
        [extents] = [param.annotation for param in list(model.function.signature.parameters.values())[:1]]
        shape = [int(extent) if extent != "?" else 1 for extent in extents[extents.index("[") + 1 : -1].split(", ")]
        image = np.random.default_rng(1).standard_normal(shape).astype("f4")
    [scores] = model(image)[:1]
    for place in np.argsort(-scores)[:5]:
        print(f"class {place}: {scores[place]:.4f}")
    model.save(path)
    print(f"kc run {path.with_suffix('.relay')} --inputs {path.with_suffix('.npz')} --inputs image=@image.npy")


main()
