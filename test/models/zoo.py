"""Models of the literature with random weights, at any size.

`MODELS` has, by name, the function that makes the network, its arguments at full size and those at the size of the tests.
"""

import math

from net import Net


def resnet18(image=224, width=64, classes=1000, blocks=2):
    """He et al. 2015, table 1: 18 layers; `width` channels in the first stage."""
    net = Net(18)
    x = net.input("data", 1, 3, image, image)
    x = net.unary("relu", net.batch_norm("stem", net.conv("stem", x, width, 7, 2, 3)))
    x = net.pool("max_pool", x, 3, 2, 1)
    for stage in range(4):
        for block in range(blocks):
            name, channels = f"s{stage}_{block}", width << stage
            stride = 2 if stage > 0 and block == 0 else 1
            y = net.batch_norm(name + "a", net.conv(name + "a", x, channels, 3, stride, 1))
            y = net.conv(name + "b", net.unary("relu", y), channels, 3, 1, 1)
            y = net.batch_norm(name + "b", y)
            if x.shape != y.shape:
                x = net.batch_norm(name + "s", net.conv(name + "s", x, channels, 1, stride))
            x = net.unary("relu", net.binary("add", y, x))
    net.result = net.dense("fc", net.flatten(net.global_mean(x)), classes)
    return net


def normalized(net, name, x, *args, **kwargs):
    """A convolution, batch normalization and an activation."""
    return net.unary("relu", net.batch_norm(name, net.conv(name, x, *args, **kwargs)))


def activated(net, name, x, *args, **kwargs):
    """A convolution with a bias, and an activation."""
    return net.unary("relu", net.conv(name, x, *args, bias=True, **kwargs))


def resnet50(image=224, width=64, classes=1000, blocks=(3, 4, 6, 3)):
    """He et al. 2015, table 1: 50 layers, with bottlenecks."""
    net = Net(50)
    x = normalized(net, "stem", net.input("data", 1, 3, image, image), width, 7, 2, 3)
    x = net.pool("max_pool", x, 3, 2, 1)
    for stage, count in enumerate(blocks):
        for block in range(count):
            name, channels = f"s{stage}_{block}", width << stage
            stride = 2 if stage > 0 and block == 0 else 1
            y = normalized(net, name + "a", x, channels, 1)
            y = normalized(net, name + "b", y, channels, 3, stride, 1)
            y = net.batch_norm(name + "c", net.conv(name + "c", y, 4 * channels, 1))
            if x.shape != y.shape:
                x = net.batch_norm(name + "s", net.conv(name + "s", x, 4 * channels, 1, stride))
            x = net.unary("relu", net.binary("add", y, x))
    net.result = net.dense("fc", net.flatten(net.global_mean(x)), classes)
    return net


def resnet3d(frames=16, image=112, width=64, classes=400, blocks=2):
    """Hara et al. 2017: ResNet-18 with 3-d convolutions, on a clip."""
    net = Net(19)
    x = normalized(net, "stem", net.input("data", 1, 3, frames, image, image), width, 7, (1, 2, 2), 3)
    x = net.pool("max_pool", x, 3, 2, 1)
    for stage in range(4):
        for block in range(blocks):
            name, channels = f"s{stage}_{block}", width << stage
            stride = 2 if stage > 0 and block == 0 else 1
            y = normalized(net, name + "a", x, channels, 3, stride, 1)
            y = net.batch_norm(name + "b", net.conv(name + "b", y, channels, 3, 1, 1))
            if x.shape != y.shape:
                x = net.batch_norm(name + "s", net.conv(name + "s", x, channels, 1, stride))
            x = net.unary("relu", net.binary("add", y, x))
    net.result = net.dense("fc", net.flatten(net.global_mean(x)), classes)
    return net


def inception1(image=224, width=16, classes=1000):
    """Szegedy et al. 2014, table 1: GoogLeNet; channels are multiples of a quarter of `width`."""
    net = Net(21)
    x = net.input("data", 1, 3, image, image)

    def channels(count):
        return max(1, count * width // 16)

    def module(name, x, one, three_in, three, five_in, five, pooled):
        branches = [
            activated(net, name + "a", x, channels(one), 1),
            activated(net, name + "c", activated(net, name + "b", x, channels(three_in), 1), channels(three), 3, pad=1),
            activated(net, name + "e", activated(net, name + "d", x, channels(five_in), 1), channels(five), 5, pad=2),
            activated(net, name + "f", net.pool("max_pool", x, 3, 1, 1), channels(pooled), 1),
        ]
        return net.concat(branches, 1)

    x = net.pool("max_pool", activated(net, "stem", x, channels(64), 7, 2, 3), 3, 2, 1)
    x = activated(net, "c3", activated(net, "c2", net.lrn(x), channels(64), 1), channels(192), 3, pad=1)
    x = net.pool("max_pool", net.lrn(x), 3, 2, 1)
    x = module("m3a", x, 64, 96, 128, 16, 32, 32)
    x = net.pool("max_pool", module("m3b", x, 128, 128, 192, 32, 96, 64), 3, 2, 1)
    x = module("m4a", x, 192, 96, 208, 16, 48, 64)
    x = module("m4b", x, 160, 112, 224, 24, 64, 64)
    x = module("m4c", x, 128, 128, 256, 24, 64, 64)
    x = module("m4d", x, 112, 144, 288, 32, 64, 64)
    x = net.pool("max_pool", module("m4e", x, 256, 160, 320, 32, 128, 128), 3, 2, 1)
    x = module("m5a", x, 256, 160, 320, 32, 128, 128)
    x = module("m5b", x, 384, 192, 384, 48, 128, 128)
    net.result = net.softmax(net.dense("fc", net.flatten(net.global_mean(x)), classes))
    return net


def inception3(image=299, width=16, classes=1000, repeats=(3, 4, 2)):
    """Szegedy et al. 2015, Inception v3 without the auxiliary classifier: factorized convolutions, 1x7 and 7x1."""
    net = Net(23)
    x = net.input("data", 1, 3, image, image)

    def conv(name, x, count, size, stride=1, pad=0):
        return normalized(net, name, x, max(1, count * width // 16), size, stride, pad)

    def row(name, x, *steps):
        for at, (count, size) in enumerate(steps):
            pad = tuple(extent // 2 for extent in size) if isinstance(size, tuple) else size // 2
            x = conv(f"{name}{at}", x, count, size, 1, pad)
        return x

    def mean(name, x, count):
        return conv(name, net.pool("mean_pool", x, 3, 1, 1), count, 1)

    x = conv("s2", conv("s1", conv("s0", x, 32, 3, 2), 32, 3), 64, 3, 1, 1)
    x = conv("s4", conv("s3", net.pool("max_pool", x, 3, 2), 80, 1), 192, 3)
    x = net.pool("max_pool", x, 3, 2)
    for at in range(repeats[0]):
        a, b = row(f"a{at}a", x, (64, 1)), row(f"a{at}b", x, (48, 1), (64, 5))
        c = row(f"a{at}c", x, (64, 1), (96, 3), (96, 3))
        x = net.concat([a, b, c, mean(f"a{at}d", x, 32 if at == 0 else 64)], 1)
    a, b = conv("r0a", x, 384, 3, 2), conv("r0c", row("r0b", x, (64, 1), (96, 3)), 96, 3, 2)
    x = net.concat([a, b, net.pool("max_pool", x, 3, 2)], 1)
    for at in range(repeats[1]):
        inner = (128, 160, 160, 192)[at % 4]
        a = row(f"b{at}a", x, (192, 1))
        b = row(f"b{at}b", x, (inner, 1), (inner, (1, 7)), (192, (7, 1)))
        c = row(f"b{at}c", x, (inner, 1), (inner, (7, 1)), (inner, (1, 7)), (inner, (7, 1)), (192, (1, 7)))
        x = net.concat([a, b, c, mean(f"b{at}d", x, 192)], 1)
    a = conv("r1b", row("r1a", x, (192, 1)), 320, 3, 2)
    b = conv("r1d", row("r1c", x, (192, 1), (192, (1, 7)), (192, (7, 1))), 192, 3, 2)
    x = net.concat([a, b, net.pool("max_pool", x, 3, 2)], 1)
    for at in range(repeats[2]):
        a, b = row(f"c{at}a", x, (320, 1)), row(f"c{at}b", x, (384, 1))
        c = row(f"c{at}c", x, (448, 1), (384, 3))
        wide = [row(f"c{at}{part}", y, (384, (1, 3))) for part, y in (("d", b), ("f", c))]
        high = [row(f"c{at}{part}", y, (384, (3, 1))) for part, y in (("e", b), ("g", c))]
        x = net.concat([a, wide[0], high[0], wide[1], high[1], mean(f"c{at}h", x, 192)], 1)
    net.result = net.softmax(net.dense("fc", net.flatten(net.global_mean(x)), classes))
    return net


def yolo3_tiny(image=416, width=16, classes=80):
    """Redmon and Farhadi 2018: the small variant of YOLOv3, with the outputs of both scales side by side."""
    net = Net(27)
    x = net.input("data", 1, 3, image, image)

    def conv(name, x, channels, size):
        y = net.batch_norm(name, net.conv(name, x, channels, size, 1, size // 2))
        return net.unary("leaky_relu", y, alpha=0.1)

    for at in range(5):
        x = conv(f"c{at}", x, width << at, 3)
        kept, x = x, net.pool("max_pool", x, 2, 2)
    x = conv("c6", conv("c5", x, 32 * width, 3), 64 * width, 3)
    x = conv("c7", x, 16 * width, 1)
    outputs = 3 * (classes + 5)
    coarse = net.conv("coarse", conv("c8", x, 32 * width, 3), outputs, 1, bias=True)
    x = net.concat([net.upsample(conv("c9", x, 8 * width, 1), 2), kept], 1)
    fine = net.conv("fine", conv("c10", x, 16 * width, 3), outputs, 1, bias=True)
    cells = [net.reshape(each, 1, outputs, each.shape[2] * each.shape[3]) for each in (coarse, fine)]
    net.result = net.unary("sigmoid", net.concat(cells, 2))
    return net


def mobilenet(image=224, width=32, classes=1000, repeats=5):
    """Howard et al. 2017, table 1: depthwise separable convolutions."""
    net = Net(1)
    x = normalized(net, "stem", net.input("data", 1, 3, image, image), width, 3, 2, 1)
    steps = [(2, 1), (4, 2), (4, 1), (8, 2), (8, 1), (16, 2), *[(16, 1)] * repeats, (32, 2), (32, 1)]
    for at, (factor, stride) in enumerate(steps):
        x = normalized(net, f"d{at}", x, x.shape[1], 3, stride, 1, groups=x.shape[1])
        x = normalized(net, f"p{at}", x, width * factor, 1)
    net.result = net.dense("fc", net.flatten(net.global_mean(x)), classes)
    return net


def squeezenet(image=224, width=16, classes=1000):
    """Iandola et al. 2016, SqueezeNet 1.1."""
    net = Net(11)
    x = net.input("data", 1, 3, image, image)

    def fire(name, x, squeeze):
        x = activated(net, name + "s", x, squeeze, 1)
        wide = [activated(net, name + "a", x, 4 * squeeze, 1), activated(net, name + "b", x, 4 * squeeze, 3, pad=1)]
        return net.concat(wide, 1)

    x = net.pool("max_pool", activated(net, "stem", x, 4 * width, 3, 2), 3, 2)
    x = net.pool("max_pool", fire("f3", fire("f2", x, width), width), 3, 2)
    x = net.pool("max_pool", fire("f5", fire("f4", x, 2 * width), 2 * width), 3, 2)
    for name, squeeze in (("f6", 3), ("f7", 3), ("f8", 4), ("f9", 4)):
        x = fire(name, x, squeeze * width)
    x = activated(net, "last", x, classes, 1)
    net.result = net.softmax(net.flatten(net.global_mean(x)))
    return net


def vgg(layers, seed, image, width, classes, hidden):
    """Simonyan and Zisserman 2014, table 1: `layers` convolutions in each stage."""
    net = Net(seed)
    x = net.input("data", 1, 3, image, image)
    for stage, (count, factor) in enumerate(zip(layers, (1, 2, 4, 8, 8))):
        for at in range(count):
            x = activated(net, f"c{stage}_{at}", x, width * factor, 3, pad=1)
        x = net.pool("max_pool", x, 2, 2)
    x = net.flatten(x)
    for name in ("fc6", "fc7"):
        x = net.unary("relu", net.dense(name, x, hidden))
    net.result = net.dense("fc8", x, classes)
    return net


def vgg11(image=224, width=64, classes=1000, hidden=4096):
    """Column A."""
    return vgg((1, 1, 2, 2, 2), 3, image, width, classes, hidden)


def vgg16(image=224, width=64, classes=1000, hidden=4096):
    """Column D."""
    return vgg((2, 2, 3, 3, 3), 16, image, width, classes, hidden)


def dcgan(width=64, noise=100, image=64):
    """Radford et al. 2015: the generator, from noise to an image."""
    net = Net(5)
    x = net.input("noise", 1, noise)
    doublings = int(math.log2(image // 4))
    channels = width << (doublings - 1)
    x = net.reshape(net.dense("project", x, channels * 16), 1, channels, 4, 4)
    x = net.unary("relu", net.batch_norm("n0", x))
    for at in range(1, doublings):
        channels //= 2
        x = net.unary("relu", net.batch_norm(f"n{at}", net.conv_transposed(f"t{at}", x, channels, 4, 2, 1)))
    net.result = net.unary("tanh", net.conv_transposed("last", x, 3, 4, 2, 1))
    return net


def densenet(image=64, growth=32, layers=(6, 6), classes=100):
    """Huang et al. 2016: dense blocks with bottlenecks and one transition between two blocks, a short variant."""
    net = Net(6)

    def activated(name, x):
        return net.unary("relu", net.batch_norm(name, x))

    x = net.input("data", 1, 3, image, image)
    x = activated("stem", net.conv("stem", x, 2 * growth, 7, 2, 3))
    x = net.pool("max_pool", x, 3, 2, 1)
    for block, count in enumerate(layers):
        for layer in range(count):
            name = f"b{block}_{layer}"
            y = net.conv(name + "x", activated(name + "x", x), 4 * growth, 1)
            y = net.conv(name + "y", activated(name + "y", y), growth, 3, pad=1)
            x = net.concat([x, y], 1)
        if block + 1 < len(layers):
            x = net.conv(f"t{block}", activated(f"t{block}", x), x.shape[1] // 2, 1)
            x = net.pool("mean_pool", x, 2, 2)
    net.result = net.dense("fc", net.flatten(net.global_mean(activated("last", x))), classes)
    return net


def lstm(steps=32, features=128, hidden=128, layers=1):
    """An LSTM, unrolled; the gates are parts of one product for the input and one for the state."""
    net = Net(7)
    x = net.input("data", steps, 1, features)
    rows = [net.reshape(row, 1, features) for row in net.split(x, steps, 0)]
    for layer in range(layers):
        state, cell = net.input(f"h{layer}", 1, hidden), net.input(f"c{layer}", 1, hidden)
        width = rows[0].shape[1]
        wx = net.normal(f"wx{layer}", 4 * hidden, width, fan=width)
        wh = net.normal(f"wh{layer}", 4 * hidden, hidden, fan=hidden)
        bias = net.weight(f"b{layer}", 0.1 * net.random.randn(4 * hidden))
        for at, row in enumerate(rows):
            gates = net.binary(
                "add",
                net.op("dense", [row, wx], (1, 4 * hidden)),
                net.op("dense", [state, wh], (1, 4 * hidden)),
            )
            gates = net.op("bias", [gates, bias], gates.shape)
            i, f, g, o = net.split(gates, 4, 1)
            kept = net.binary("multiply", net.unary("sigmoid", f), cell)
            added = net.binary("multiply", net.unary("sigmoid", i), net.unary("tanh", g))
            cell = net.binary("add", kept, added)
            state = net.binary("multiply", net.unary("sigmoid", o), net.unary("tanh", cell))
            rows[at] = state
    net.result = net.concat(rows, 0)
    return net


def gelu(net, x):
    inner = net.unary("erf", net.scaled(x, math.sqrt(0.5)))
    return net.binary("multiply", net.scaled(x, 0.5), net.unary("plus", inner, term=1.0))


def heads_of(net, x, heads):
    """Splits the width of `[sequence, width]` into heads, `[heads, sequence, width / heads]`."""
    sequence, width = x.shape
    return net.transpose(net.reshape(x, sequence, heads, width // heads), 1, 0, 2)


def attention(net, q, k, v, mask=None):
    """`[heads, queries, size]` by `[heads, keys, size]`, to `[queries, heads * size]`."""
    heads, queries, size = q.shape
    scores = net.scaled(net.batch_matmul(q, k), 1 / math.sqrt(size))
    if mask is not None:
        scores = net.binary("add", scores, mask)
    mixed = net.batch_matmul(net.softmax(scores), net.transpose(v, 0, 2, 1))
    return net.reshape(net.transpose(mixed, 1, 0, 2), queries, heads * size)


def perceptron(net, x, width, factor=4):
    return net.dense("down", gelu(net, net.dense("up", x, factor * width)), width)


def gpt2_block(sequence=128, width=768, heads=12):
    """Radford et al. 2019: a block with a causal mask over a whole sequence."""
    import numpy as np

    net = Net(2)
    x = net.input("x", sequence, width)
    y = net.layer_norm("ln1", x)
    q, k, v = net.split(net.dense("qkv", y, 3 * width), 3, 1)
    mask = net.weight("mask", np.triu(np.full((1, sequence, sequence), -1e9, np.float32), 1))
    mixed = attention(net, *[heads_of(net, part, heads) for part in (q, k, v)], mask)
    x = net.binary("add", x, net.dense("out", mixed, width))
    net.result = net.binary("add", x, perceptron(net, net.layer_norm("ln2", x), width))
    return net


def gpt2_token(cache=128, width=768, heads=12):
    """The same block for one token, with the keys and values of the tokens before it."""
    net = Net(4)
    x = net.input("x", 1, width)
    size = width // heads
    keys, values = (net.input(name, heads, cache, size) for name in ("keys", "values"))
    q, k, v = net.split(net.dense("qkv", net.layer_norm("ln1", x), 3 * width), 3, 1)
    q, k, v = (heads_of(net, part, heads) for part in (q, k, v))
    mixed = attention(net, q, net.concat([keys, k], 1), net.concat([values, v], 1))
    x = net.binary("add", x, net.dense("out", mixed, width))
    net.result = net.binary("add", x, perceptron(net, net.layer_norm("ln2", x), width))
    return net


def bert_encoder(sequence=128, width=768, heads=12):
    """Devlin et al. 2018: an encoder layer, normalized after each residual sum."""
    net = Net(8)
    x = net.input("x", sequence, width)
    q, k, v = (heads_of(net, net.dense(name, x, width), heads) for name in ("q", "k", "v"))
    mixed = net.dense("out", attention(net, q, k, v), width)
    x = net.layer_norm("ln1", net.binary("add", x, mixed))
    net.result = net.layer_norm("ln2", net.binary("add", x, perceptron(net, x, width)))
    return net


# By name: the network, its arguments in the tests of the compiler, and those in the tests of the interpreter, if it is small enough for it.
MODELS = {
    "resnet18": (resnet18, {"image": 32, "width": 8, "classes": 10}, {"image": 32, "width": 1, "classes": 3, "blocks": 1}),
    "resnet50": (resnet50, {"image": 32, "width": 4, "classes": 10, "blocks": (2, 1, 1, 2)},
                 {"image": 32, "width": 1, "classes": 3, "blocks": (1, 1, 1, 1)}),
    "resnet3d": (resnet3d, {"frames": 8, "image": 32, "width": 4, "classes": 10, "blocks": 1},
                 {"frames": 4, "image": 16, "width": 1, "classes": 3, "blocks": 1}),
    "inception1": (inception1, {"image": 32, "width": 2, "classes": 10}, {"image": 32, "width": 1, "classes": 3}),
    "inception3": (inception3, {"image": 75, "width": 1, "classes": 10, "repeats": (1, 1, 1)}, None),
    "yolo3_tiny": (yolo3_tiny, {"image": 64, "width": 2, "classes": 4}, {"image": 32, "width": 1, "classes": 1}),
    "mobilenet": (mobilenet, {"image": 32, "width": 8, "classes": 10, "repeats": 1},
                  {"image": 32, "width": 1, "classes": 3, "repeats": 1}),
    "squeezenet": (squeezenet, {"image": 47, "width": 4, "classes": 10}, {"image": 31, "width": 1, "classes": 3}),
    "vgg11": (vgg11, {"image": 32, "width": 8, "classes": 10, "hidden": 64},
              {"image": 32, "width": 1, "classes": 3, "hidden": 4}),
    "vgg16": (vgg16, {"image": 32, "width": 4, "classes": 10, "hidden": 32},
              {"image": 32, "width": 1, "classes": 3, "hidden": 4}),
    "dcgan": (dcgan, {"width": 8, "noise": 16, "image": 32}, {"width": 1, "noise": 3, "image": 16}),
    "densenet": (densenet, {"image": 32, "growth": 8, "layers": (3, 2), "classes": 10},
                 {"image": 16, "growth": 2, "layers": (2, 1), "classes": 3}),
    "lstm": (lstm, {"steps": 8, "features": 24, "hidden": 20}, {"steps": 3, "features": 4, "hidden": 5}),
    "gpt2_block": (gpt2_block, {"sequence": 24, "width": 96, "heads": 3}, {"sequence": 4, "width": 12, "heads": 2}),
    "gpt2_token": (gpt2_token, {"cache": 23, "width": 96, "heads": 3}, {"cache": 4, "width": 12, "heads": 2}),
    "bert_encoder": (bert_encoder, {"sequence": 24, "width": 96, "heads": 3},
                     {"sequence": 4, "width": 12, "heads": 2}),
}
