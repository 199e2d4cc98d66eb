"""Networks as lists of operators, with three renderings that share nothing but this list.

A `Net` records operators; `relay` prints them as a Relay module, `evaluate` computes them with NumPy from the definition of
each operator, and `onnx_model` is the same graph for onnxruntime. Weights are drawn from a seeded generator, scaled such
that activations keep their magnitude through any number of layers.

Shapes are NCHW and OIHW, or NCDHW and OIDHW, as in Relay and ONNX.
"""

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view


def along(count, extents):
    """An extent for each axis."""
    return tuple(extents) if isinstance(extents, (tuple, list)) else (extents,) * count


@dataclass(frozen=True)
class Value:
    """An input, a weight or the result of an operator."""

    name: str
    shape: tuple


@dataclass
class Node:
    kind: str
    inputs: list
    outputs: list
    attrs: dict = field(default_factory=dict)


class Net:
    """Operators in order of execution, with the weights that they read."""

    def __init__(self, seed=0):
        self.random = np.random.RandomState(seed)
        self.inputs, self.weights, self.nodes, self.result = [], {}, [], None
        self.params = []

    def input(self, name, *shape):
        value = Value(name, shape)
        self.inputs.append(value)
        self.params.append(value)
        return value

    def weight(self, name, array):
        self.weights[name] = np.ascontiguousarray(array, np.float32)
        value = Value(name, array.shape)
        self.params.append(value)
        return value

    def normal(self, name, *shape, fan):
        """A weight whose products with `fan` inputs of unit variance have unit variance."""
        return self.weight(name, self.random.randn(*shape) / math.sqrt(fan))

    def sample(self):
        """Random arrays for the inputs."""
        return {value.name: self.random.randn(*value.shape).astype(np.float32) for value in self.inputs}

    def multiply_adds(self):
        """The multiply-adds of convolutions and products of matrices; an element of the padding counts as any other."""
        total = 0
        for node in self.nodes:
            shapes = [value.shape for value in node.inputs]
            if node.kind == "conv_transposed":
                total += math.prod(shapes[0]) * math.prod(shapes[1][1:])
            elif node.kind == "conv":
                total += math.prod(node.outputs[0].shape) * math.prod(shapes[1][1:])
            elif node.kind in ("dense", "batch_matmul"):
                total += math.prod(node.outputs[0].shape) * shapes[0][-1]
        return total

    def op(self, kind, inputs, shape, **attrs):
        return self.split_op(kind, inputs, [shape], **attrs)[0]

    def split_op(self, kind, inputs, shapes, **attrs):
        at = len(self.nodes)
        outputs = [Value(f"v{at}_{index}", tuple(shape)) for index, shape in enumerate(shapes)]
        self.nodes.append(Node(kind, list(inputs), outputs, attrs))
        return outputs

    # Operators.

    def conv(self, name, x, channels, size, stride=1, pad=0, groups=1, bias=False):
        n, c, *extents = x.shape
        size, stride, pad = (along(len(extents), of_axis) for of_axis in (size, stride, pad))
        kernel = self.normal(name + "_w", channels, c // groups, *size, fan=c // groups * math.prod(size) / 2)
        out = windows_along(extents, size, stride, pad)
        y = self.op("conv", [x, kernel], (n, channels, *out), stride=stride, pad=pad, groups=groups)
        return self.bias(name, y) if bias else y

    def conv_transposed(self, name, x, channels, size, stride, pad):
        n, c, h, w = x.shape
        kernel = self.normal(name + "_w", c, channels, size, size, fan=c * size * size / stride**2 / 2)
        out = tuple((extent - 1) * stride - 2 * pad + size for extent in (h, w))
        return self.op("conv_transposed", [x, kernel], (n, channels, *out), stride=stride, pad=pad)

    def bias(self, name, x):
        bias = self.weight(name + "_b", 0.1 * self.random.randn(x.shape[1]))
        return self.op("bias", [x, bias], x.shape)

    def batch_norm(self, name, x):
        c = x.shape[1]
        random = self.random
        gamma = self.weight(name + "_gamma", 1 + 0.1 * random.randn(c))
        beta = self.weight(name + "_beta", 0.1 * random.randn(c))
        mean = self.weight(name + "_mean", 0.1 * random.randn(c))
        variance = self.weight(name + "_var", 1 + 0.2 * random.rand(c))
        return self.op("batch_norm", [x, gamma, beta, mean, variance], x.shape, epsilon=1e-5)

    def pool(self, kind, x, size, stride, pad=0):
        n, c, *extents = x.shape
        size, stride, pad = (along(len(extents), of_axis) for of_axis in (size, stride, pad))
        out = windows_along(extents, size, stride, pad)
        return self.op(kind, [x], (n, c, *out), size=size, stride=stride, pad=pad)

    def global_mean(self, x):
        return self.op("global_mean", [x], (*x.shape[:2], *[1] * (len(x.shape) - 2)))

    def lrn(self, x, size=5, alpha=1e-4, beta=0.75, bias=1.0):
        """Normalization by the mean square of `size` neighboring channels."""
        return self.op("lrn", [x], x.shape, size=size, alpha=alpha, beta=beta, bias=bias)

    def upsample(self, x, factor):
        """Repeats each element of an image."""
        n, c, h, w = x.shape
        return self.op("upsample", [x], (n, c, h * factor, w * factor), factor=factor)

    def flatten(self, x):
        return self.op("flatten", [x], (x.shape[0], math.prod(x.shape[1:])))

    def dense(self, name, x, units, bias=True):
        weight = self.normal(name + "_w", units, x.shape[-1], fan=x.shape[-1])
        y = self.op("dense", [x, weight], (*x.shape[:-1], units))
        return self.bias(name, y) if bias else y

    def unary(self, kind, x, **attrs):
        return self.op(kind, [x], x.shape, **attrs)

    def binary(self, kind, x, y):
        return self.op(kind, [x, y], np.broadcast_shapes(x.shape, y.shape))

    def scaled(self, x, factor):
        return self.op("scaled", [x], x.shape, factor=factor)

    def concat(self, values, axis):
        shape = list(values[0].shape)
        shape[axis] = sum(value.shape[axis] for value in values)
        return self.op("concat", values, shape, axis=axis)

    def split(self, x, parts, axis):
        shape = list(x.shape)
        shape[axis] //= parts
        return self.split_op("split", [x], [shape] * parts, axis=axis, parts=parts)

    def reshape(self, x, *shape):
        return self.op("reshape", [x], shape)

    def transpose(self, x, *axes):
        return self.op("transpose", [x], [x.shape[axis] for axis in axes], axes=axes)

    def batch_matmul(self, x, y):
        """The products of matrices `[b, m, k]` with transposed matrices `[b, n, k]`."""
        return self.op("batch_matmul", [x, y], (x.shape[0], x.shape[1], y.shape[1]))

    def softmax(self, x):
        return self.op("softmax", [x], x.shape)

    def layer_norm(self, name, x):
        width = x.shape[-1]
        gamma = self.weight(name + "_gamma", 1 + 0.1 * self.random.randn(width))
        beta = self.weight(name + "_beta", 0.1 * self.random.randn(width))
        return self.op("layer_norm", [x, gamma, beta], x.shape, epsilon=1e-5)

    # Renderings.

    def relay(self):
        """The text of a Relay module, whose `@main` has the inputs and weights as parameters."""
        names = {param: "%" + param.name for param in self.params}
        lines = []
        for at, node in enumerate(self.nodes):
            text = RELAY[node.kind](node, *[names[value] for value in node.inputs])
            lines.append(f"  %{at} = {text};")
            names[node.outputs[0]] = f"%{at}"
            if len(node.outputs) > 1:
                names.update((value, f"%{at}.{index}") for index, value in enumerate(node.outputs))
        params = ",\n  ".join(f"%{param.name}: {relay_type(param.shape)}" for param in self.params)
        body = "\n".join(lines)
        result = relay_type(self.result.shape)
        return f'#[version = "0.0.5"]\ndef @main(\n  {params}\n) -> {result} {{\n{body}\n  {names[self.result]}\n}}\n'

    def evaluate(self, inputs, dtype=np.float64):
        """The result for arrays by the names of inputs, computed with NumPy."""
        given = {**self.weights, **inputs}
        values = {param: given[param.name].astype(dtype) for param in self.params}
        for node in self.nodes:
            results = NUMPY[node.kind](node, *[values[value] for value in node.inputs])
            results = results if isinstance(results, list) else [results]
            for value, array in zip(node.outputs, results):
                assert array.shape == value.shape, (node.kind, array.shape, value.shape)
                values[value] = array
        return values[self.result]

    def onnx_model(self):
        """The bytes of an ONNX model with the weights as initializers."""
        from onnx import TensorProto, helper, numpy_helper

        made = []
        initializers = [numpy_helper.from_array(array, name) for name, array in self.weights.items()]

        def constant(name, array):
            initializers.append(numpy_helper.from_array(array, name))
            return name

        for node in self.nodes:
            ins, outs = [value.name for value in node.inputs], [value.name for value in node.outputs]
            made += ONNX[node.kind](node, ins, outs, helper.make_node, constant)
        info = helper.make_tensor_value_info
        inputs = [info(value.name, TensorProto.FLOAT, value.shape) for value in self.inputs]
        output = info(self.result.name, TensorProto.FLOAT, self.result.shape)
        graph = helper.make_graph(made, "net", inputs, [output], initializers)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
        return model.SerializeToString()


def windows_along(extents, size, stride, pad):
    """The number of windows along each axis."""
    parts = zip(extents, size, stride, pad)
    return tuple((extent + 2 * pad - size) // stride + 1 for extent, size, stride, pad in parts)


def relay_type(shape):
    return f"Tensor[({', '.join(map(str, shape))}), float32]"


def tuple_of(values):
    return "(" + ", ".join(values) + ("," if len(values) == 1 else "") + ")"


def window(node):
    size, stride, pad = (list(node.attrs[key]) for key in ("size", "stride", "pad"))
    return f"pool_size={size}, strides={stride}, padding={pad + pad}"


def axes(node):
    """The number of spatial axes of the data."""
    return len(node.inputs[0].shape) - 2


def relay_conv(node, x, w):
    stride, pad, groups = (node.attrs[key] for key in ("stride", "pad", "groups"))
    channels, _, *size = node.inputs[1].shape
    return (
        f"nn.conv{axes(node)}d({x}, {w}, strides={list(stride)}, padding={2 * list(pad)}, groups={groups}, "
        f"channels={channels}, kernel_size={size})"
    )


def relay_transposed(node, x, w):
    stride, pad = node.attrs["stride"], node.attrs["pad"]
    _, channels, *size = node.inputs[1].shape
    return (
        f"nn.conv2d_transpose({x}, {w}, strides=[{stride}, {stride}], padding=[{pad}, {pad}], "
        f"channels={channels}, kernel_size={size})"
    )


def relay_bias(node, x, b):
    return f"nn.bias_add({x}, {b}, axis={1 if len(node.inputs[0].shape) >= 4 else -1})"


RELAY = {
    "conv": relay_conv,
    "conv_transposed": relay_transposed,
    "bias": relay_bias,
    "batch_norm": lambda node, *ins: f"nn.batch_norm({', '.join(ins)}, epsilon={node.attrs['epsilon']}f).0",
    "max_pool": lambda node, x: f"nn.max_pool{axes(node)}d({x}, {window(node)})",
    "mean_pool": lambda node, x: f"nn.avg_pool{axes(node)}d({x}, {window(node)}, count_include_pad=True)",
    "global_mean": lambda node, x: (
        f"mean({x}, axis={list(range(2, axes(node) + 2))}, keepdims=True)" if axes(node) != 2
        else f"nn.global_avg_pool2d({x})"
    ),
    "lrn": lambda node, x: (
        f"nn.lrn({x}, size={node.attrs['size']}, alpha={node.attrs['alpha']}f, beta={node.attrs['beta']}f, "
        f"bias={node.attrs['bias']}f)"
    ),
    "upsample": lambda node, x: (
        f"nn.upsampling({x}, scale_h={node.attrs['factor']}f, scale_w={node.attrs['factor']}f)"
    ),
    "flatten": lambda node, x: f"nn.batch_flatten({x})",
    "dense": lambda node, x, w: f"nn.dense({x}, {w}, units={node.inputs[1].shape[0]})",
    "relu": lambda node, x: f"nn.relu({x})",
    "leaky_relu": lambda node, x: f"nn.leaky_relu({x}, alpha={node.attrs['alpha']}f)",
    "tanh": lambda node, x: f"tanh({x})",
    "sigmoid": lambda node, x: f"sigmoid({x})",
    "erf": lambda node, x: f"erf({x})",
    "add": lambda node, x, y: f"add({x}, {y})",
    "multiply": lambda node, x, y: f"multiply({x}, {y})",
    "scaled": lambda node, x: f"multiply({x}, {node.attrs['factor']}f)",
    "plus": lambda node, x: f"add({x}, {node.attrs['term']}f)",
    "concat": lambda node, *xs: f"concatenate({tuple_of(xs)}, axis={node.attrs['axis']})",
    "split": lambda node, x: (
        f"split({x}, indices_or_sections={node.attrs['parts']}, axis={node.attrs['axis']})"
    ),
    "reshape": lambda node, x: f"reshape({x}, newshape={list(node.outputs[0].shape)})",
    "transpose": lambda node, x: f"transpose({x}, axes={list(node.attrs['axes'])})",
    "batch_matmul": lambda node, x, y: f"nn.batch_matmul({x}, {y}, transpose_b=True)",
    "softmax": lambda node, x: f"nn.softmax({x}, axis=-1)",
    "layer_norm": lambda node, *ins: f"nn.layer_norm({', '.join(ins)}, epsilon={node.attrs['epsilon']}f)",
}


def padded(x, pad, value=0.0):
    widths = [(0, 0), (0, 0), *((each, each) for each in along(x.ndim - 2, pad))]
    return np.pad(x, widths, constant_values=value)


def windows(x, size, stride):
    """Windows of an image, `[n, c, h, w, size, size]`; likewise with another number of spatial axes."""
    size, stride = along(x.ndim - 2, size), along(x.ndim - 2, stride)
    all_of = sliding_window_view(x, size, axis=tuple(range(2, x.ndim)))
    return all_of[(slice(None), slice(None), *(slice(None, None, step) for step in stride))]


def numpy_conv(node, x, w):
    stride, groups = node.attrs["stride"], node.attrs["groups"]
    parts = windows(padded(x, node.attrs["pad"]), w.shape[2:], stride)
    inner = tuple(range(x.ndim, parts.ndim))
    outputs = []
    for group, kernels in enumerate(np.split(w, groups)):
        inside = parts[:, group * w.shape[1] : (group + 1) * w.shape[1]]
        product = np.tensordot(inside, kernels, ((1, *inner), tuple(range(1, w.ndim))))
        outputs.append(np.moveaxis(product, -1, 1))
    return np.concatenate(outputs, 1)


def numpy_transposed(node, x, w):
    """Each element of the data adds a multiple of the kernel to a window of the result."""
    stride, pad = node.attrs["stride"], node.attrs["pad"]
    n, _, high, wide = x.shape
    size = w.shape[2]
    out = np.zeros((n, w.shape[1], (high - 1) * stride + size, (wide - 1) * stride + size), x.dtype)
    for p in range(size):
        for q in range(size):
            part = np.einsum("nchw,co->nohw", x, w[:, :, p, q])
            out[:, :, p : p + high * stride : stride, q : q + wide * stride : stride] += part
    return out[:, :, pad : out.shape[2] - pad, pad : out.shape[3] - pad]


def along_channels(x, values):
    return values.reshape(-1, *[1] * (x.ndim - 2)) if x.ndim >= 4 else values


def numpy_batch_norm(node, x, gamma, beta, mean, variance):
    deviation = np.sqrt(variance + node.attrs["epsilon"])
    parts = [along_channels(x, part) for part in (mean, deviation, gamma, beta)]
    return (x - parts[0]) / parts[1] * parts[2] + parts[3]


def numpy_layer_norm(node, x, gamma, beta):
    off = x - x.mean(-1, keepdims=True)
    return off / np.sqrt((off * off).mean(-1, keepdims=True) + node.attrs["epsilon"]) * gamma + beta


def numpy_softmax(node, x):
    powers = np.exp(x - x.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def numpy_pool(node, x, edge, reduce):
    parts = windows(padded(x, node.attrs["pad"], edge), node.attrs["size"], node.attrs["stride"])
    return reduce(parts, tuple(range(x.ndim, parts.ndim)))


def numpy_lrn(node, x):
    size, alpha, beta, bias = (node.attrs[key] for key in ("size", "alpha", "beta", "bias"))
    widths = [(0, 0), (size // 2, size // 2), (0, 0), (0, 0)]
    squares = sliding_window_view(np.pad(x * x, widths), size, axis=1).sum(-1)
    return x / (bias + alpha / size * squares) ** beta


NUMPY = {
    "conv": numpy_conv,
    "conv_transposed": numpy_transposed,
    "bias": lambda node, x, b: x + along_channels(x, b),
    "batch_norm": numpy_batch_norm,
    "max_pool": lambda node, x: numpy_pool(node, x, -np.inf, np.max),
    "mean_pool": lambda node, x: numpy_pool(node, x, 0, np.mean),
    "global_mean": lambda node, x: x.mean(tuple(range(2, x.ndim)), keepdims=True),
    "lrn": numpy_lrn,
    "upsample": lambda node, x: x.repeat(node.attrs["factor"], 2).repeat(node.attrs["factor"], 3),
    "flatten": lambda node, x: x.reshape(x.shape[0], -1),
    "dense": lambda node, x, w: x @ w.T,
    "relu": lambda node, x: np.maximum(x, 0),
    "leaky_relu": lambda node, x: np.where(x > 0, x, x * x.dtype.type(node.attrs["alpha"])),
    "tanh": lambda node, x: np.tanh(x),
    "sigmoid": lambda node, x: 1 / (1 + np.exp(-x)),
    "erf": lambda node, x: np.vectorize(math.erf, otypes=[x.dtype])(x),
    "add": lambda node, x, y: x + y,
    "multiply": lambda node, x, y: x * y,
    "scaled": lambda node, x: x * x.dtype.type(node.attrs["factor"]),
    "plus": lambda node, x: x + x.dtype.type(node.attrs["term"]),
    "concat": lambda node, *xs: np.concatenate(xs, node.attrs["axis"]),
    "split": lambda node, x: np.split(x, node.attrs["parts"], node.attrs["axis"]),
    "reshape": lambda node, x: x.reshape(node.outputs[0].shape),
    "transpose": lambda node, x: x.transpose(node.attrs["axes"]),
    "batch_matmul": lambda node, x, y: x @ y.transpose(0, 2, 1),
    "softmax": numpy_softmax,
    "layer_norm": numpy_layer_norm,
}


def onnx_conv(node, ins, outs, make, constant):
    stride, pad = node.attrs["stride"], node.attrs["pad"]
    name = "Conv" if node.kind == "conv" else "ConvTranspose"
    attrs = {"group": node.attrs["groups"]} if node.kind == "conv" else {}
    stride, pad = along(axes(node), stride), along(axes(node), pad)
    return [make(name, ins, outs, strides=list(stride), pads=2 * list(pad), **attrs)]


def onnx_bias(node, ins, outs, make, constant):
    if len(node.inputs[0].shape) < 4:
        return [make("Add", ins, outs)]
    shape = constant(outs[0] + "_shape", np.array([-1, *[1] * axes(node)], np.int64))
    return [make("Reshape", [ins[1], shape], [outs[0] + "_b"]), make("Add", [ins[0], outs[0] + "_b"], outs)]


def onnx_pool(node, ins, outs, make, constant):
    size, stride, pad = (list(node.attrs[key]) for key in ("size", "stride", "pad"))
    name = "MaxPool" if node.kind == "max_pool" else "AveragePool"
    extra = {} if name == "MaxPool" else {"count_include_pad": 1}
    return [make(name, ins, outs, kernel_shape=size, strides=stride, pads=pad + pad, **extra)]


def onnx_transposed_product(name, axes):
    def made(node, ins, outs, make, constant):
        turned = outs[0] + "_t"
        return [make("Transpose", [ins[1]], [turned], perm=axes), make(name, [ins[0], turned], outs)]

    return made


def onnx_scaled(name, key):
    def made(node, ins, outs, make, constant):
        factor = constant(outs[0] + "_k", np.array(node.attrs[key], np.float32))
        return [make(name, [ins[0], factor], outs)]

    return made


def onnx_reshape(node, ins, outs, make, constant):
    shape = constant(outs[0] + "_shape", np.array(node.outputs[0].shape, np.int64))
    return [make("Reshape", [ins[0], shape], outs)]


def onnx_plain(name, *keys, **fixed):
    def made(node, ins, outs, make, constant):
        return [make(name, ins, outs, **{key: node.attrs[key] for key in keys}, **fixed)]

    return made


ONNX = {
    "conv": onnx_conv,
    "conv_transposed": onnx_conv,
    "bias": onnx_bias,
    "batch_norm": onnx_plain("BatchNormalization", "epsilon"),
    "max_pool": onnx_pool,
    "mean_pool": onnx_pool,
    "global_mean": onnx_plain("GlobalAveragePool"),
    "lrn": onnx_plain("LRN", "size", "alpha", "beta", "bias"),
    "upsample": lambda node, ins, outs, make, constant: [
        make(
            "Resize",
            [ins[0], "", constant(outs[0] + "_k", np.array([1, 1, *[node.attrs["factor"]] * 2], np.float32))],
            outs,
            mode="nearest",
            coordinate_transformation_mode="asymmetric",
            nearest_mode="floor",
        )
    ],
    "flatten": onnx_plain("Flatten"),
    "dense": onnx_transposed_product("MatMul", [1, 0]),
    "relu": onnx_plain("Relu"),
    "leaky_relu": onnx_plain("LeakyRelu", "alpha"),
    "tanh": onnx_plain("Tanh"),
    "sigmoid": onnx_plain("Sigmoid"),
    "erf": onnx_plain("Erf"),
    "add": onnx_plain("Add"),
    "multiply": onnx_plain("Mul"),
    "scaled": onnx_scaled("Mul", "factor"),
    "plus": onnx_scaled("Add", "term"),
    "concat": onnx_plain("Concat", "axis"),
    "split": lambda node, ins, outs, make, constant: [
        make("Split", ins, outs, axis=node.attrs["axis"], num_outputs=node.attrs["parts"])
    ],
    "reshape": onnx_reshape,
    "transpose": lambda node, ins, outs, make, constant: [
        make("Transpose", ins, outs, perm=list(node.attrs["axes"]))
    ],
    "batch_matmul": onnx_transposed_product("MatMul", [0, 2, 1]),
    "softmax": onnx_plain("Softmax", axis=-1),
    "layer_norm": onnx_plain("LayerNormalization", "epsilon", axis=-1),
}
