"""Operators of ONNX with attributes and operands; the reference implementations are onnxruntime's or those of ONNX."""

import numpy as np

RANDOM = np.random.default_rng(3)
# Operator, operands, attributes, and options: `opset`; `fixed`, the operands that are constants of the model; `outputs`.
CASES = []


def case(op, *operands, opset=(13, 21), fixed=(), outputs=1, dynamic=True, **attrs):
    for place, one in enumerate(opset if isinstance(opset, tuple) else (opset,)):
        # Extents that are not known do not depend on the opset.
        CASES.append((op, operands, attrs, one, frozenset(fixed), outputs, dynamic if place == 0 else False))


def f(*shape, low=-2.0, high=2.0, dtype="f4"):
    return RANDOM.uniform(low, high, shape).astype(dtype)


def n(low, high, *shape, dtype="i8"):
    return RANDOM.integers(low, high, shape).astype(dtype)


def ints(*values):
    return np.array(values, "i8")


def elementwise():
    for op in "Abs Atan Ceil Cos Erf Exp Floor Neg Relu Sigmoid Sign Sin Sinh Cosh Tan Tanh Asinh Identity Softplus Softsign".split():
        case(op, f(2, 3), opset=13)
    for op in ("Acos", "Asin", "Atanh"):
        case(op, f(2, 3, low=-0.9, high=0.9), opset=13)
    for op in ("Log", "Sqrt", "Reciprocal"):
        case(op, f(2, 3, low=0.1), opset=13)
    case("Acosh", f(4, low=1.1, high=4), opset=13)
    case("Round", np.array([-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 0.3, -0.7, 3.7], "f4"), opset=11)
    case("Abs", n(-5, 5, 4, dtype="i4"), opset=13)
    case("Not", np.array([True, False]), opset=13)
    for op in ("Add", "Sub", "Mul", "Div"):
        case(op, f(2, 3, 4), f(2, 3, 4), opset=14)
        case(op, f(2, 3, 4), f(4), fixed=[1], opset=13)
        case(op, f(3, 1), f(2, 1, 4), opset=13)
        case(op, f(2, 3), np.array([1.5], "f4"), fixed=[1], opset=13)
        case(op, n(-9, 9, 2, 3), n(1, 5, 3), opset=14)
    case("Add", f(2, 2, dtype="f8"), f(2, dtype="f8"), opset=13)
    for number in (2.0, 0.5, 3.0, -1.5):
        case("Pow", f(2, 3, low=0.1), np.array(number, "f4"), fixed=[1])
    case("Pow", f(2, 3, low=0.1), f(2, 3))
    case("Pow", n(0, 6, 5, dtype="i4"), n(0, 4, 5, dtype="i4"))
    case("Mod", n(-9, 9, 6), n(1, 5, 6), opset=13)
    case("Mod", f(6), f(6, low=0.5), fmod=1, opset=13)
    for op in ("Equal", "Less", "Greater", "LessOrEqual", "GreaterOrEqual"):
        case(op, n(0, 3, 2, 4), n(0, 3, 4), opset=16)
        case(op, f(2, 4), np.array(0.5, "f4"), fixed=[1], opset=16)
    for op in ("And", "Or", "Xor"):
        case(op, n(0, 2, 2, 4, dtype="?"), n(0, 2, 4, dtype="?"), opset=13)
    for op in ("Max", "Min", "Sum", "Mean"):
        case(op, f(2, 3), f(3), f(2, 1), opset=13)
        case(op, f(2, 3), opset=13)
    case("Where", n(0, 2, 2, 3, dtype="?"), f(2, 3), f(3), opset=16)
    case("Where", n(0, 2, 2, 3, dtype="?"), np.array(1.0, "f4"), np.array(-1.0, "f4"), fixed=[1, 2], opset=16)
    case("Clip", f(3, 4), np.array(-1, "f4"), np.array(1, "f4"), fixed=[1, 2], opset=(11, 13))
    case("Clip", f(3, 4), np.array(0, "f4"), fixed=[1])
    case("Clip", f(3, 4), None, np.array(1, "f4"), fixed=[2])
    case("Clip", f(3, 4), np.array(-1, "f4"), np.array(0.5, "f4"))
    case("Clip", n(-9, 9, 5, dtype="i4"), np.array(-3, "i4"), np.array(4, "i4"), fixed=[1, 2], opset=13)
    for source, target in [("f4", 7), ("f4", 6), ("f4", 11), ("i8", 1), ("?", 1), ("i4", 9), ("u1", 1), ("f4", 10), ("f4", 9)]:
        case("Cast", f(2, 3).astype(source), to=target, opset=13)
    case("CastLike", f(3), n(0, 3, 2, dtype="i4"), opset=15)
    case("Dropout", f(2, 3), opset=(12, 13))
    case("Dropout", f(2, 3), outputs=2, opset=13)
    case("IsNaN", np.array([1, np.nan, np.inf], "f4"), opset=13)
    case("IsInf", np.array([1, np.nan, np.inf, -np.inf], "f4"), opset=10)
    case("IsInf", np.array([1, np.nan, np.inf, -np.inf], "f4"), detect_negative=0, opset=10)
    case("BitShift", n(0, 9, 4, dtype="u4"), n(0, 5, 4, dtype="u4"), direction="LEFT", opset=11)
    case("BitwiseAnd", n(0, 9, 4, dtype="i4"), n(0, 9, 4, dtype="i4"), opset=18)


def activations():
    case("LeakyRelu", f(2, 3), opset=16)
    case("LeakyRelu", f(2, 3), alpha=0.3, opset=16)
    case("PRelu", f(2, 3, 4), f(3, 1), fixed=[1], opset=16)
    for op in ("Elu", "Celu"):
        case(op, f(2, 3), opset=12)
        case(op, f(2, 3), alpha=0.7, opset=12)
    case("Selu", f(2, 3), opset=6)
    case("Gelu", f(2, 3), opset=20)
    case("Gelu", f(2, 3), approximate="tanh", opset=20)
    case("HardSigmoid", f(2, 3, low=-4, high=4), opset=6)
    case("HardSigmoid", f(2, 3, low=-4, high=4), alpha=0.3, beta=0.4, opset=6)
    case("HardSwish", f(2, 3, low=-4, high=4), opset=14)
    case("Mish", f(2, 3), opset=18)
    case("ThresholdedRelu", f(2, 3), alpha=0.5, opset=10)
    for op in ("Softmax", "LogSoftmax"):
        case(op, f(2, 3, 4), opset=(11, 13))
        case(op, f(2, 3, 4), axis=1, opset=(11, 13))
        case(op, f(2, 3, 4), axis=2, opset=(11, 13))
        case(op, f(2, 3, 4), axis=0, opset=13)


def windows():
    case("Conv", f(2, 3, 7, 6), f(4, 3, 3, 3), fixed=[1], opset=(11, 21))
    case("Conv", f(1, 3, 7, 6), f(4, 3, 3, 2), f(4), fixed=[1, 2], pads=[1, 0, 2, 1], strides=[2, 1], opset=11)
    case("Conv", f(1, 4, 8, 8), f(6, 2, 3, 3), fixed=[1], group=2, dilations=[2, 2], pads=[2, 2, 2, 2], opset=11)
    case("Conv", f(2, 4, 6, 6), f(4, 1, 3, 3), f(4), fixed=[1, 2], group=4, pads=[1, 1, 1, 1], opset=11)
    case("Conv", f(1, 2, 7, 8), f(3, 2, 3, 3), fixed=[1], auto_pad="SAME_UPPER", strides=[2, 2], dynamic="batch", opset=11)
    case("Conv", f(1, 2, 7, 8), f(3, 2, 2, 2), fixed=[1], auto_pad="SAME_LOWER", opset=11)
    case("Conv", f(1, 2, 7, 8), f(3, 2, 2, 2), fixed=[1], auto_pad="VALID", opset=11)
    case("Conv", f(2, 3, 9), f(4, 3, 3), f(4), fixed=[1, 2], strides=[2], pads=[1, 1], opset=11)
    case("Conv", f(1, 2, 4, 5, 4), f(3, 2, 2, 3, 2), fixed=[1], pads=[0, 1, 0, 1, 1, 0], opset=11)
    case("ConvTranspose", f(1, 3, 4, 5), f(3, 2, 3, 3), f(2), fixed=[1, 2], strides=[2, 2], pads=[1, 1, 1, 1], opset=11)
    case("ConvTranspose", f(1, 4, 4, 5), f(4, 1, 2, 2), fixed=[1], group=2, strides=[2, 2], output_padding=[1, 0], opset=11)
    case("ConvTranspose", f(1, 2, 5), f(2, 3, 3), fixed=[1], strides=[2], opset=11)
    for op in ("MaxPool", "AveragePool"):
        case(op, f(2, 3, 7, 8), kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1], opset=(11, 19))
        case(op, f(1, 2, 7, 8), kernel_shape=[2, 3], opset=11)
        case(op, f(1, 2, 8, 7), kernel_shape=[3, 3], strides=[2, 2], ceil_mode=1, dynamic="batch", opset=11)
        case(op, f(1, 2, 7, 8), kernel_shape=[3, 2], strides=[2, 2], auto_pad="SAME_UPPER", dynamic="batch", opset=11)
        case(op, f(1, 2, 9), kernel_shape=[3], strides=[2], opset=11)
        case(op, f(1, 2, 4, 5, 6), kernel_shape=[2, 2, 2], opset=11)
    case("MaxPool", f(1, 2, 9, 8), kernel_shape=[3, 2], dilations=[2, 1], opset=12)
    case("AveragePool", f(1, 2, 7, 8), kernel_shape=[3, 3], pads=[1, 1, 1, 1], count_include_pad=1, opset=11)
    for op in ("GlobalAveragePool", "GlobalMaxPool"):
        for shape in ((2, 3, 5, 4), (2, 3, 5), (1, 2, 3, 2, 2)):
            case(op, f(*shape), opset=1)


def products():
    case("Gemm", f(3, 4), f(4, 5), opset=11)
    case("Gemm", f(3, 4), f(5, 4), f(5), fixed=[1, 2], transB=1)
    case("Gemm", f(4, 3), f(4, 5), f(3, 1), transA=1, alpha=0.5, beta=2.0, opset=13)
    case("Gemm", f(4, 3), f(5, 4), f(1, 5), transA=1, transB=1, opset=13)
    for left, right in [((3, 4), (4, 5)), ((2, 3, 4), (4, 5)), ((2, 3, 4), (2, 4, 5)), ((2, 3, 4, 5), (2, 3, 5, 6)),
                        ((2, 1, 4, 5), (3, 5, 6)), ((4,), (4, 5)), ((3, 4), (4,)), ((4,), (4,)), ((2, 3, 4), (4,)),
                        ((4,), (2, 4, 3)), ((3, 4), (2, 4, 5)), ((1, 3, 4), (2, 4, 5))]:
        case("MatMul", f(*left), f(*right), opset=13)
    case("MatMul", f(2, 3, 4), f(4, 5), fixed=[1], opset=13)
    case("Einsum", f(2, 3, 4), f(2, 4, 5), equation="bij,bjk->bik", opset=12)
    case("Einsum", f(2, 3, 4), f(4, 5), equation="...j,jk->...k", opset=12)


def normalization():
    for shape in ((2, 3, 4, 5), (2, 3), (2, 3, 4)):
        stats = f(3), f(3), f(3), f(3, low=0.5)
        case("BatchNormalization", f(*shape), *stats, fixed=[1, 2, 3, 4], opset=(11, 15))
    case("BatchNormalization", f(2, 3, 4, 4), f(3), f(3), f(3), f(3, low=0.5), epsilon=0.1, opset=14)
    case("InstanceNormalization", f(2, 3, 4, 5), f(3), f(3), fixed=[1, 2], opset=6)
    case("GroupNormalization", f(2, 6, 4), f(6), f(6), fixed=[1, 2], num_groups=3, opset=21)
    for axis, shape in [(-1, (4,)), (1, (3, 4)), (2, (4,))]:
        case("LayerNormalization", f(2, 3, 4), f(*shape), f(*shape), fixed=[1, 2], axis=axis, epsilon=1e-3, opset=17)
    case("LayerNormalization", f(2, 3, 4), f(4), opset=17)
    case("LayerNormalization", f(2, 3, 4), f(4), f(4), outputs=3, opset=17)
    case("LpNormalization", f(2, 3), axis=1, p=2, opset=1)
    case("LpNormalization", f(2, 3), axis=0, p=1, opset=1)
    case("LpNormalization", np.array([[0, 0], [3, 4]], "f4"), axis=1, p=2, opset=22)
    case("LRN", f(2, 6, 3, 3), size=3, alpha=0.1, beta=0.5, bias=2.0, opset=13)
    case("MeanVarianceNormalization", f(2, 3, 4, 4), opset=13)


def shapes():
    case("Reshape", f(2, 3, 4), ints(6, 4), fixed=[1], dynamic=False, opset=14)
    case("Reshape", f(2, 3, 4), ints(0, -1), fixed=[1], opset=(11, 14))
    case("Reshape", f(2, 3, 4), ints(0, 3, 2, 2), fixed=[1], dynamic="batch", opset=14)
    case("Reshape", f(2, 3, 4), ints(-1), fixed=[1], opset=14)
    case("Reshape", f(2, 3, 4), ints(4, 6), dynamic="batch", opset=14)
    case("Reshape", f(0, 3), ints(3, 0), fixed=[1], allowzero=1, dynamic=False, opset=14)
    case("Transpose", f(2, 3, 4), opset=13)
    case("Transpose", f(2, 3, 4), perm=[1, 0, 2], opset=13)
    case("Flatten", f(2, 3, 4), opset=(11, 13))
    for axis in (0, 2, 3, -1):
        case("Flatten", f(2, 3, 4), axis=axis, dynamic="batch", opset=13)
    case("Squeeze", f(1, 3, 1, 2), axes=[0, 2], dynamic=False, opset=11)
    case("Squeeze", f(1, 3, 1, 2), ints(-2), fixed=[1], dynamic="batch", opset=13)
    case("Squeeze", f(1, 3, 1, 2), dynamic=False, opset=13)
    case("Unsqueeze", f(2, 3), axes=[0, 3], opset=11)
    case("Unsqueeze", f(2, 3), ints(1, -1), fixed=[1], opset=13)
    for axis in (0, 1, -1):
        case("Concat", f(2, 3, 4), f(2, 3, 4), f(2, 3, 4), axis=axis, opset=13)
    case("Concat", f(2, 3), axis=0, opset=13)
    case("Split", f(6, 4), outputs=3, opset=(11, 13))
    case("Split", f(4, 6), ints(1, 3, 2), fixed=[1], axis=1, outputs=3, dynamic="batch", opset=13)
    case("Split", f(4, 6), axis=-1, split=[2, 4], outputs=2, dynamic="batch", opset=11)
    case("Split", f(4, 6), ints(2, 0, 4), fixed=[1], axis=1, outputs=3, dynamic="batch", opset=13)
    case("Split", f(4, 7), axis=1, num_outputs=3, outputs=3, dynamic="batch", opset=18)
    for starts, ends, axes, steps in [((1,), (3,), (0,), (1,)), ((0, -3), (2, -1), (0, 1), (1, 1)), ((-1,), (-9,), (1,), (-1,)),
                                      ((1,), (2**62,), (1,), (2,)), ((5, 1), (0, 4), (1, 2), (-2, 1))]:
        case("Slice", f(4, 6, 5), *(ints(*row) for row in (starts, ends, axes, steps)), fixed=[1, 2, 3, 4], opset=13)
    case("Slice", f(4, 6), ints(1, 2), ints(3, 5), opset=13)
    case("Expand", f(3, 1), ints(2, 1, 4), fixed=[1], opset=13)
    case("Expand", f(3, 4), ints(1, 1), fixed=[1], opset=13)
    case("Expand", f(3, 1), ints(3, 4), dynamic=False, opset=13)
    case("Shape", f(2, 3, 4), opset=13)
    case("Shape", f(2, 3, 4), start=1, end=-1, opset=15)
    case("Size", f(2, 3, 4), opset=13)
    case("ConstantOfShape", ints(2, 3), fixed=[0], opset=9)
    case("ConstantOfShape", ints(2, 3), opset=9)
    case("Range", np.array(1, "i8"), np.array(9, "i8"), np.array(2, "i8"), opset=11)
    case("Tile", f(2, 3), ints(2, 1), fixed=[1], opset=13)
    case("Pad", f(2, 3), ints(1, 0, 2, 1), fixed=[1], opset=(11, 13))
    case("Pad", f(2, 3), ints(1, 0, 2, 1), np.array(1.5, "f4"), fixed=[1, 2], opset=13)
    case("Pad", f(3, 4), ints(1, 2, 0, 1), fixed=[1], mode="reflect", opset=13)
    case("Pad", f(3, 4), ints(1, 2, 0, 1), fixed=[1], mode="edge", opset=13)
    case("Pad", f(3, 4), ints(-1, 1, 0, -2), fixed=[1], opset=13)
    case("Pad", f(3, 4), ints(1, 2), np.array(0, "f4"), ints(1), fixed=[1, 2, 3], opset=18)
    case("Trilu", f(3, 4), upper=0, opset=14)
    case("Trilu", f(3, 4), np.array(1, "i8"), fixed=[1], opset=14)
    case("DepthToSpace", f(1, 8, 2, 3), blocksize=2, opset=13)
    case("DepthToSpace", f(1, 8, 2, 3), blocksize=2, mode="CRD", opset=13)
    case("SpaceToDepth", f(1, 2, 4, 6), blocksize=2, opset=13)


def images():
    roi = np.zeros(0, "f4")
    for mode in ("nearest", "linear"):
        for transform in ("half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel"):
            sizes = ints(1, 2, 7, 5)
            case("Resize", f(1, 2, 4, 5), roi, np.zeros(0, "f4"), sizes, fixed=[1, 2, 3], mode=mode,
                 coordinate_transformation_mode=transform, dynamic="batch", opset=13)
        case("Resize", f(2, 2, 3, 4), roi, np.array([1, 1, 2, 2], "f4"), fixed=[1, 2], mode=mode, dynamic="batch", opset=(11, 13))
    for nearest in ("floor", "ceil", "round_prefer_ceil"):
        case("Resize", f(1, 1, 4, 4), roi, np.array([1, 1, 0.5, 2], "f4"), fixed=[1, 2], mode="nearest", nearest_mode=nearest,
             dynamic="batch", opset=13)
    case("Resize", f(1, 2, 4), roi, np.array([1, 1, 2], "f4"), fixed=[1, 2], mode="linear", dynamic="batch", opset=13)
    case("Resize", f(1, 1, 4, 4), roi, np.array([1, 1, 2, 2], "f4"), fixed=[1, 2], mode="cubic", dynamic="batch", opset=13)
    case("Upsample", f(1, 1, 2, 3), np.array([1, 1, 2, 2], "f4"), fixed=[1], dynamic="batch", opset=9)


def indices():
    for axis in (0, 1, -1):
        case("Gather", f(4, 5), n(-4, 4, 2, 3), axis=axis, opset=13)
        case("Gather", f(4, 5), n(-4, 4, 3), fixed=[1], axis=axis, opset=13)
    case("Gather", f(4, 5), np.array(1, "i8"), fixed=[1], opset=13)
    case("Gather", f(4, 5), n(0, 4, 2, dtype="i4"), opset=11)
    case("GatherElements", f(3, 4), n(-3, 3, 3, 4), axis=1, opset=13)
    case("GatherND", f(2, 3, 4), np.array([[0, 1], [1, -1]]), dynamic="batch", opset=13)
    case("GatherND", f(2, 3, 4), np.array([[1], [0]]), batch_dims=1, dynamic=False, opset=13)
    case("ScatterND", f(4, 3), np.array([[0], [-1]]), f(2, 3), dynamic="batch", opset=16)
    case("ScatterElements", f(3, 4), n(0, 3, 1, 4), f(1, 4), dynamic="batch", opset=16)
    case("ScatterElements", f(3, 4), n(0, 3, 2, 4), f(2, 4), reduction="add", dynamic="batch", opset=16)
    case("OneHot", n(-3, 3, 2, 3), np.array(4, "i8"), np.array([0.5, 2], "f4"), fixed=[1, 2], opset=11)
    case("OneHot", n(0, 3, 2, 3), np.array(4, "i8"), np.array([0.5, 2], "f4"), fixed=[1, 2], axis=0, opset=11)
    case("NonZero", n(0, 2, 3, 4, dtype="f4"), opset=13)
    case("TopK", f(3, 6), ints(2), fixed=[1], outputs=2, dynamic="batch", opset=11)
    case("TopK", f(6, 3), ints(4), fixed=[1], outputs=2, axis=0, largest=0, dynamic=False, opset=11)
    for op in ("ArgMax", "ArgMin"):
        case(op, f(3, 4), opset=13)
        case(op, f(3, 4), axis=-1, keepdims=0, opset=13)
    case("CumSum", f(3, 4), np.array(1, "i8"), fixed=[1], opset=14)
    case("CumSum", f(3, 4), np.array(0, "i8"), fixed=[1], reverse=1, exclusive=1, opset=14)


def reductions():
    for op in "ReduceSum ReduceMean ReduceMax ReduceMin ReduceProd ReduceL1 ReduceL2 ReduceSumSquare ReduceLogSumExp ReduceLogSum".split():
        low = 0.1 if op == "ReduceLogSum" else -2
        later = op == "ReduceSum"
        axes = [dict(axes=[1]), dict(axes=[0, -1], keepdims=0)] if not later else []
        for attrs in axes:
            case(op, f(2, 3, 4, low=low), opset=11, **attrs)
        case(op, f(2, 3, 4, low=low), ints(2), fixed=[1], opset=13 if later else 18)
        case(op, f(2, 3, 4, low=low), ints(0, 1), fixed=[1], keepdims=0, opset=13 if later else 18)
        case(op, f(2, 3, 4, low=low), keepdims=0, opset=13)
    case("ReduceSum", f(2, 3), noop_with_empty_axes=1, opset=13)
    case("ReduceSum", f(2, 3), ints(), fixed=[1], noop_with_empty_axes=1, opset=13)
    case("ReduceSum", f(2, 3), ints(), fixed=[1], opset=13)
    case("ReduceMax", n(0, 9, 2, 3, dtype="i4"), opset=13)


def s(number):
    return np.array(number, "f4")


def quantized():
    halves = np.array([-300, -2.5, -0.75, -0.25, 0, 0.25, 0.75, 1.25, 2.5, 300], "f4")
    for dtype in ("u1", "i1"):
        case("QuantizeLinear", halves, s(0.5), np.array(3, dtype), fixed=[1, 2], opset=(11, 13))
        case("DequantizeLinear", n(0, 100, 2, 3, dtype=dtype), s(0.25), np.array(7, dtype), fixed=[1, 2], opset=(11, 13))
    case("QuantizeLinear", halves, s(0.25), fixed=[1], opset=13)
    case("QuantizeLinear", f(2, 3, 4), f(3, low=0.01, high=0.1), n(0, 9, 3, dtype="u1"), fixed=[1, 2], opset=13)
    case("QuantizeLinear", f(2, 3), f(3, low=0.01, high=0.1), n(-9, 9, 3, dtype="i1"), axis=-1, opset=13)
    case("DequantizeLinear", n(-99, 99, 4, 3, dtype="i1"), f(4, low=0.01, high=0.1), n(-9, 9, 4, dtype="i1"), axis=0, opset=13)
    case("DequantizeLinear", n(-99, 99, 4, dtype="i4"), s(0.5), opset=13)
    case("DynamicQuantizeLinear", f(3, 4), outputs=3, opset=11)
    for dtype in ("u1", "i1"):
        low, high = (0, 255) if dtype == "u1" else (-128, 127)
        a, b, zeros = n(low, high, 3, 8, dtype=dtype), n(-128, 127, 8, 5, dtype="i1"), np.array(low + 5, dtype)
        case("QLinearMatMul", a, s(0.02), zeros, b, s(0.01), np.array(-3, "i1"), s(0.03), zeros, fixed=[1, 2, 4, 5, 6, 7],
             dynamic=False, opset=13)
        each = f(5, low=0.01, high=0.02)
        case("QLinearMatMul", a, s(0.02), zeros, b, each, np.zeros(5, "i1"), s(0.03), zeros, fixed=[1, 2, 3, 4, 5, 6, 7],
             dynamic=False, opset=13)
    case("MatMulInteger", n(0, 255, 3, 8, dtype="u1"), n(0, 255, 8, 5, dtype="u1"), np.array(12, "u1"), np.array(3, "u1"),
         fixed=[2, 3], opset=10)
    case("MatMulInteger", n(0, 255, 3, 8, dtype="u1"), n(0, 255, 8, 5, dtype="u1"), opset=10)
    x, w = n(0, 255, 1, 4, 7, 6, dtype="u1"), n(-128, 127, 6, 4, 3, 3, dtype="i1")
    tail = s(0.04), np.array(9, "u1"), n(-999, 999, 6, dtype="i4")
    case("QLinearConv", x, s(0.02), np.array(5, "u1"), w, s(0.003), np.array(0, "i1"), *tail, fixed=range(1, 9), dynamic=False,
         pads=[1, 1, 1, 1], strides=[2, 1], opset=10)
    case("QLinearConv", x, s(0.02), np.array(5, "u1"), w, f(6, low=0.001, high=0.01), np.zeros(6, "i1"), *tail[:2],
         fixed=range(1, 8), dynamic=False, opset=10)
    depthwise = n(-128, 127, 4, 1, 3, 3, dtype="i1")
    case("QLinearConv", x, s(0.02), np.array(5, "u1"), depthwise, s(0.003), np.array(0, "i1"), *tail[:2], fixed=range(1, 8),
         dynamic=False, group=4, opset=10)
    case("ConvInteger", x, n(0, 255, 2, 4, 3, 3, dtype="u1"), np.array(7, "u1"), np.array(3, "u1"), fixed=[1, 2, 3],
         dynamic=False, pads=[0, 1, 0, 1], opset=10)


def recurrent():
    steps, batch, features, size = 3, 2, 4, 5
    for op, gates, outputs in (("LSTM", 4, 3), ("GRU", 3, 2), ("RNN", 1, 2)):
        for direction in ("forward", "reverse", "bidirectional"):
            count = 2 if direction == "bidirectional" else 1
            weights = f(count, gates * size, features, low=-1, high=1), f(count, gates * size, size, low=-1, high=1)
            case(op, f(steps, batch, features), *weights, f(count, 2 * gates * size), fixed=[1, 2, 3], dynamic=False,
                 direction=direction, hidden_size=size, outputs=outputs, opset=14)
        weights = f(1, gates * size, features), f(1, gates * size, size)
        states = [f(1, batch, size)] * (outputs - 1)
        case(op, f(steps, batch, features), *weights, None, None, *states, dynamic=False, hidden_size=size, outputs=outputs,
             opset=14)
        case(op, f(1, batch, features), *weights, fixed=[1, 2], dynamic=False, hidden_size=size, clip=0.6, outputs=outputs, opset=14)
    weights = f(1, 15, 4), f(1, 15, 5), f(1, 30)
    case("GRU", f(3, 2, 4), *weights, fixed=[1, 2, 3], dynamic=False, hidden_size=5, linear_before_reset=1, outputs=2, opset=14)
    case("RNN", f(3, 2, 4), f(1, 5, 4), f(1, 5, 5), fixed=[1, 2], dynamic=False, hidden_size=5, activations=["Relu"], outputs=2,
         opset=14)


def vision():
    for mode, linear in (("bilinear", "linear"), ("nearest", "nearest"), ("bicubic", "cubic")):
        for opset, name in ((16, mode), (20, linear)):
            case("GridSample", f(2, 3, 4, 5), f(2, 3, 2, 2, low=-1.2, high=1.2), mode=name, opset=opset)
    for padding, corners in (("border", 1), ("reflection", 0), ("zeros", 1)):
        case("GridSample", f(1, 2, 4, 5), f(1, 3, 2, 2, low=-1.5, high=1.5), padding_mode=padding, align_corners=corners, opset=16)
    regions = np.array([[0, 0, 6, 4], [1, 2, 5, 7], [2.5, 0.5, 7.5, 6]], "f4")
    case("RoiAlign", f(2, 3, 8, 9), regions, ints(0, 1, 1), output_height=2, output_width=3, sampling_ratio=2,
         coordinate_transformation_mode="output_half_pixel", opset=16)
    case("RoiAlign", f(2, 3, 8, 9), regions, ints(0, 1, 1), output_height=3, output_width=3, spatial_scale=0.5, opset=10)
    case("ReverseSequence", f(4, 3, 2), ints(1, 4, 2), opset=10)
    case("ReverseSequence", f(3, 4, 2), ints(1, 4, 2), time_axis=1, batch_axis=0, opset=10)
    corner = f(1, 12, 2, low=0, high=4)
    boxes = np.concatenate([corner, corner + f(1, 12, 2, low=0.5, high=3)], 2)
    for most, overlap, least in ((3, 0.3, 0.2), (12, 0.6, 0.0), (2, 0.0, 0.95)):
        thresholds = np.array(most, "i8"), np.array([overlap], "f4"), np.array([least], "f4")
        case("NonMaxSuppression", boxes, f(1, 2, 12, low=0, high=1), *thresholds, fixed=[2, 3, 4], dynamic=False, opset=11)
    middle = np.concatenate([corner + 2, f(1, 12, 2, low=0.5, high=3)], 2)
    case("NonMaxSuppression", middle, f(1, 2, 12, low=0, high=1), *thresholds, fixed=[2, 3, 4], dynamic=False, center_point_box=1,
         opset=11)


for family in (
    elementwise, activations, windows, products, normalization, shapes, images, indices, reductions, quantized, recurrent, vision,
):
    family()
