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


def mobilenet(image=224, width=32, classes=1000, repeats=5):
    """Howard et al. 2017, table 1: depthwise separable convolutions."""
    net = Net(1)
    x = net.input("data", 1, 3, image, image)

    def normalized(name, x, *args, **kwargs):
        return net.unary("relu", net.batch_norm(name, net.conv(name, x, *args, **kwargs)))

    x = normalized("stem", x, width, 3, 2, 1)
    steps = [(2, 1), (4, 2), (4, 1), (8, 2), (8, 1), (16, 2), *[(16, 1)] * repeats, (32, 2), (32, 1)]
    for at, (factor, stride) in enumerate(steps):
        x = normalized(f"d{at}", x, x.shape[1], 3, stride, 1, groups=x.shape[1])
        x = normalized(f"p{at}", x, width * factor, 1)
    net.result = net.dense("fc", net.flatten(net.global_mean(x)), classes)
    return net


def squeezenet(image=224, width=16, classes=1000):
    """Iandola et al. 2016, SqueezeNet 1.1."""
    net = Net(11)
    x = net.input("data", 1, 3, image, image)

    def activated(name, x, *args, **kwargs):
        return net.unary("relu", net.conv(name, x, *args, bias=True, **kwargs))

    def fire(name, x, squeeze):
        x = activated(name + "s", x, squeeze, 1)
        wide = [activated(name + "a", x, 4 * squeeze, 1), activated(name + "b", x, 4 * squeeze, 3, pad=1)]
        return net.concat(wide, 1)

    x = net.pool("max_pool", activated("stem", x, 4 * width, 3, 2), 3, 2)
    x = net.pool("max_pool", fire("f3", fire("f2", x, width), width), 3, 2)
    x = net.pool("max_pool", fire("f5", fire("f4", x, 2 * width), 2 * width), 3, 2)
    for name, squeeze in (("f6", 3), ("f7", 3), ("f8", 4), ("f9", 4)):
        x = fire(name, x, squeeze * width)
    x = activated("last", x, classes, 1)
    net.result = net.softmax(net.flatten(net.global_mean(x)))
    return net


def vgg11(image=224, width=64, classes=1000, hidden=4096):
    """Simonyan and Zisserman 2014, table 1, column A."""
    net = Net(3)
    x = net.input("data", 1, 3, image, image)
    for stage, factors in enumerate([(1,), (2,), (4, 4), (8, 8), (8, 8)]):
        for at, factor in enumerate(factors):
            x = net.unary("relu", net.conv(f"c{stage}_{at}", x, width * factor, 3, pad=1, bias=True))
        x = net.pool("max_pool", x, 2, 2)
    x = net.flatten(x)
    for name in ("fc6", "fc7"):
        x = net.unary("relu", net.dense(name, x, hidden))
    net.result = net.dense("fc8", x, classes)
    return net


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


# By name: the network, its arguments in the tests of the compiler, and those in the tests of the interpreter.
MODELS = {
    "resnet18": (resnet18, {"image": 32, "width": 8, "classes": 10}, {"image": 32, "width": 1, "classes": 3, "blocks": 1}),
    "mobilenet": (mobilenet, {"image": 32, "width": 8, "classes": 10, "repeats": 1},
                  {"image": 32, "width": 1, "classes": 3, "repeats": 1}),
    "squeezenet": (squeezenet, {"image": 47, "width": 4, "classes": 10}, {"image": 31, "width": 1, "classes": 3}),
    "vgg11": (vgg11, {"image": 32, "width": 8, "classes": 10, "hidden": 64},
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
