#!/usr/bin/env python3
"""Compiles and interprets small models and compares them with NumPy.

    python3 test/models/check_models.py --kc target/release/kc [model ..]

The models are those of `zoo.py`, at sizes that take a second each: compiled with their weights as arguments and as constants, one of them
with `--fp=fast`, and interpreted at smaller sizes still. Machine code runs in checking mode, so that memory that is not freed is an error. The expected
values are computed in float64 from the definitions of the operators in `net.py`. The largest difference may be 1e-5 of the largest
element.

`--write DIR` writes the text and the weights of each model to a folder instead, with `--full` at full size.

Exit code: 0 if all agree, 1 if something does not or `kc` fails, 2 if the check could not run.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import numpy as np
except ImportError:
    print("check_models.py needs NumPy: python3 -m pip install numpy", file=sys.stderr)
    sys.exit(2)

import zoo

TOLERANCE = 1e-5
TIMEOUT = 120
# Sizes at which convolutions are computed by Winograd's method with --fp=fast.
FAST = {"vgg11": {"image": 32, "width": 16, "classes": 10, "hidden": 64}}


def write(net, folder):
    """Writes the text, the weights and random inputs of a network; returns the inputs."""
    (folder / "net.relay").write_text(net.relay())
    np.savez(folder / "weights.npz", **net.weights)
    inputs = net.sample()
    np.savez(folder / "inputs.npz", **inputs)
    return inputs


def run(kc, folder, backend, bound, flags):
    """The result of the network in a folder, or a message; its weights are constants if `bound`."""
    weights = "--bind" if bound else "--inputs"
    command = [kc, "run", "net.relay", weights, "weights.npz", "--inputs", "inputs.npz", "-o", "result.npy"]
    command += [*flags, "--backend", backend] + (["--memory-check"] if backend == "jit" else [])
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=TIMEOUT)
    if done.returncode != 0:
        return None, done.stderr.strip()
    return np.load(folder / "result.npy"), None


def check(kc, name, make, size, backend, bound=False, flags=()):
    """An error message, or `None` if the model computes what it should."""
    net = make(**size)
    with tempfile.TemporaryDirectory() as folder:
        inputs = write(net, Path(folder))
        result, failure = run(kc, Path(folder), backend, bound, flags)
    backend = " ".join([backend, *flags]) + (" with bound weights" if bound else "")
    if failure is not None:
        return f"{name}, {backend}: {failure}"
    expected = net.evaluate(inputs)
    if result.shape != expected.shape:
        return f"{name}, {backend}: the shape is {result.shape}, not {expected.shape}"
    error = np.abs(result - expected).max() / np.abs(expected).max()
    return None if error < TOLERANCE else f"{name}, {backend}: the result is off by {error:.1e}"


def main():
    parser = argparse.ArgumentParser(description="compare models with NumPy")
    parser.add_argument("--kc", help="the compiler")
    parser.add_argument("--write", metavar="DIR", type=Path, help="write the models to a folder")
    parser.add_argument("--full", action="store_true", help="with --write, at full size")
    parser.add_argument("models", nargs="*", metavar="model", help=", ".join(zoo.MODELS))
    options = parser.parse_args()
    unknown = [name for name in options.models if name not in zoo.MODELS]
    if unknown or (options.kc is None) == (options.write is None):
        parser.error(f"there is no model {unknown[0]}" if unknown else "expected one of --kc and --write")
    wanted = {name: zoo.MODELS[name] for name in options.models or zoo.MODELS}
    if options.write is not None:
        for name, (make, small, _) in wanted.items():
            folder = options.write / name
            folder.mkdir(parents=True, exist_ok=True)
            write(make() if options.full else make(**small), folder)
        return 0
    kc = str(Path(options.kc).resolve())
    errors = []
    for name, (make, compiled, interpreted) in wanted.items():
        errors.append(check(kc, name, make, compiled, "jit"))
        errors.append(check(kc, name, make, compiled, "jit", bound=True))
        if name in FAST:
            errors.append(check(kc, name, make, FAST[name], "jit", bound=True, flags=["--fp=fast"]))
        for backend in ("interpret", "interpret-buffers") if interpreted else ():
            errors.append(check(kc, name, make, interpreted, backend))
    failed = [error for error in errors if error is not None]
    for error in failed:
        print(f"error: {error}", file=sys.stderr)
    print(f"{len(errors) - len(failed)} of {len(errors)} models agree with NumPy")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
