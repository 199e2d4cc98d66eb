#!/usr/bin/env python3
"""Computes the values and gradients that the examples of this folder are checked against.

    python3 examples/ad/reference.py

The functions are written in NumPy, independently of the programs, and differentiated by central differences in float64. Writes the
arguments of each program, `NAME.args.json`, and what its function and the gradient are there, `NAME.expected.json`.
"""

import json
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
STEP = 1e-5
RANDOM = np.random.RandomState(1)


def normal(*shape):
    return RANDOM.randn(*shape).round(3)


def bundle(cameras, points, weights, seen, features):
    total = 0.0
    for weight, (camera, point), feature in zip(weights, seen, features):
        rotation, center, (focal, px, py, k1, k2) = cameras[camera][:3], cameras[camera][3:6], cameras[camera][6:]
        angle = np.linalg.norm(rotation)
        axis, off = rotation / angle, points[point] - center
        turned = off * np.cos(angle) + np.cross(axis, off) * np.sin(angle) + axis * (axis @ off) * (1 - np.cos(angle))
        at = turned[:2] / turned[2]
        radius = at @ at
        at = at * (1 + k1 * radius + k2 * radius**2) * focal + [px, py]
        total += (weight * (at - feature)) @ (weight * (at - feature)) + (1 - weight**2) ** 2
    return total


def kmeans(points, centers):
    return ((points[:, None] - centers[None]) ** 2).sum(2).min(1).sum()


def llsq(x, n):
    t = np.linspace(-1, 1, n)
    return 0.5 * ((np.sign(t) - np.polyval(x[::-1], t)) ** 2).sum()


def ode(x, steps):
    def slope(y):
        return np.concatenate([x[:1], x[1:] * y[:-1]])

    y, h = np.zeros_like(x), 1 / steps
    for _ in range(steps):
        k1 = slope(y)
        k2 = slope(y + h / 2 * k1)
        k3 = slope(y + h / 2 * k2)
        k4 = slope(y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return y[-1]


def around(axis, angle):
    made, i, j = np.eye(4), (axis + 1) % 3, (axis + 2) % 3
    made[i, i] = made[j, j] = np.cos(angle)
    made[j, i], made[i, j] = np.sin(angle), -np.sin(angle)
    return made


def hand(theta, parents, relatives, inverses, positions, weights, seen, points):
    absolute = []
    for bone, parent in enumerate(parents):
        own = relatives[bone]
        finger, joint = divmod(bone - 1, 4)
        if bone >= 1 and joint >= 1:
            angles = theta[6 + 4 * finger : 10 + 4 * finger]
            a, b = (angles[0], angles[1]) if joint == 1 else (angles[joint], 0.0)
            own = own @ around(1, b) @ around(0, a)
        absolute.append(own if parent < 0 else absolute[parent] @ own)
    bones = [a @ inverse for a, inverse in zip(absolute, inverses)]
    vertices = sum(weights[:, [b]] * (positions @ bone.T)[:, :3] for b, bone in enumerate(bones))
    angle = np.linalg.norm(theta[:3])
    k = np.cross(np.eye(3), theta[:3] / angle).T
    rotation = np.eye(3) + np.sin(angle) * k.T + (1 - np.cos(angle)) * k @ k
    return ((points - vertices[seen] @ rotation.T - theta[3:6]) ** 2).sum()


def gmm(alphas, means, qs, ls, x, gamma, m):
    (n, d), k = x.shape, len(alphas)
    terms = np.empty((n, k))
    for c in range(k):
        q = np.diag(np.exp(qs[c]))
        q.T[np.triu_indices(d, 1)] = ls[c]
        terms[:, c] = alphas[c] + qs[c].sum() - 0.5 * (((x - means[c]) @ q.T) ** 2).sum(1)
    prior = 0.5 * gamma**2 * ((np.exp(qs) ** 2).sum() + (ls**2).sum()) - m * qs.sum()
    freedom = d + m + 1
    from math import lgamma, log, pi

    constant = freedom * d * (log(gamma) - 0.5 * log(2)) - d * (d - 1) / 4 * log(pi)
    constant -= sum(lgamma((freedom - j) / 2) for j in range(d))
    likelihood = np.log(np.exp(terms).sum(1)).sum() - n * np.log(np.exp(alphas).sum())
    return likelihood - n * d / 2 * log(2 * pi) + prior - k * constant


def lstm(parameters, extra, state, sequence):
    def sigmoid(z):
        return 1 / (1 + np.exp(-z))

    state, total = state.copy(), 0.0
    for now, following in zip(sequence[:-1], sequence[1:]):
        shown = now * extra[0]
        for layer in range(len(state) // 2):
            (wf, wi, wo, wc), (bf, bi, bo, bc) = parameters[2 * layer : 2 * layer + 2].reshape(2, 4, -1)
            hidden, cell = state[2 * layer : 2 * layer + 2]
            cell = cell * sigmoid(shown * wf + bf) + sigmoid(hidden * wi + bi) * np.tanh(hidden * wc + bc)
            shown = sigmoid(shown * wo + bo) * np.tanh(cell)
            state[2 * layer], state[2 * layer + 1] = shown, cell
        predicted = shown * extra[1] + extra[2]
        total += (following * (predicted - np.log(2 + np.exp(predicted).sum()))).sum()
    return -total / ((len(sequence) - 1) * sequence.shape[1])


def bundle_arguments():
    cameras = np.concatenate([0.4 * normal(3, 3), 0.2 * normal(3, 3) - [0, 0, 6], 2 + 0.1 * normal(3, 5)], 1)
    cameras[:, 7:] -= 2
    seen = np.array([[0, 0], [1, 0], [2, 1], [0, 2], [1, 3], [2, 3]])
    return [cameras, normal(4, 3), 1 + 0.2 * normal(6), seen, normal(6, 2)]


def hand_arguments():
    bones, vertices = 9, 12
    relatives = np.array([around(b % 3, 0.1 * b) for b in range(bones)])
    relatives[:, :3, 3] = 0.5 * normal(bones, 3)
    inverses = np.array([around((b + 1) % 3, -0.2 * b) for b in range(bones)])
    parents = np.array([-1, 0, 1, 2, 3, 0, 5, 6, 7])
    weights = abs(normal(vertices, bones))
    weights /= weights.sum(1, keepdims=True)
    positions = np.concatenate([normal(vertices, 3), np.ones((vertices, 1))], 1)
    seen = np.array([0, 3, 5, 11, 7])
    return [0.5 * normal(26), parents, relatives, inverses, positions, weights, seen, normal(5, 3)]


# The program, its function, the function above, the arguments by name, and the arguments to differentiate with respect to.
CASES = [
    ("bundle.ks", "bundle_cost", bundle, ["cameras", "points", "weights", "seen", "features"], bundle_arguments, 3),
    ("kmeans.ks", "cost", kmeans, ["points", "centers"], lambda: [normal(7, 2), normal(3, 2)], 2),
    ("llsq.ks", "least_squares", llsq, ["x", "n"], lambda: [normal(5), 12], 1),
    ("ode.ks", "last", ode, ["x", "steps"], lambda: [normal(4), 6], 1),
    ("hand.ks", "hand_cost", hand,
     ["theta", "parents", "relatives", "inverses", "positions", "weights", "seen", "points"], hand_arguments, 1),
    ("../gmm.ks", "gmm_objective", gmm, ["alphas", "means", "qs", "ls", "x", "gamma", "m"],
     lambda: [normal(3), normal(3, 4), 0.5 * normal(3, 4), normal(3, 6), normal(8, 4), 1.5, 2], 4),
    ("../lstm.ks", "lstm_objective", lstm, ["parameters", "extra", "state", "sequence"],
     lambda: [normal(4, 12), normal(3, 3), normal(4, 3), np.eye(3)[[0, 2, 1, 1, 0, 2]]], 3),
]


def plain(value):
    return value.tolist() if isinstance(value, np.ndarray) else value


def differences(function, args, at):
    gradient = np.zeros_like(args[at])
    for index in np.ndindex(args[at].shape):
        def moved(by):
            changed = args[at].copy()
            changed[index] += by
            return function(*args[:at], changed, *args[at + 1 :])

        far, near = moved(2 * STEP) - moved(-2 * STEP), moved(STEP) - moved(-STEP)
        gradient[index] = (8 * near - far) / (12 * STEP)
    return gradient


def write(path, value):
    path.write_text(json.dumps(value, indent=1) + "\n")


def main():
    for program, entry, function, names, arguments, active in CASES:
        args = arguments()
        stem = Path(program).stem
        gradient = {names[at]: plain(differences(function, args, at)) for at in range(active)}
        expected = {"program": program, "entry": entry, "value": float(function(*args)), "gradient": gradient}
        write(HERE / f"{stem}.args.json", [plain(arg) for arg in args])
        write(HERE / f"{stem}.expected.json", expected)


if __name__ == "__main__":
    main()
