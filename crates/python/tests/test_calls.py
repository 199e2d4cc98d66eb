"""Calls of compiled functions: arguments, results, errors."""

import array
import inspect
import subprocess
import sys
import threading
import time

import minoan as mn
import numpy as np
import pytest
from conftest import DOT, ROOT


def test_arguments_by_position_and_keyword(hyp):
    assert hyp(3.0, 4.0) == 5.0
    assert hyp(3, b=4) == 5.0
    assert hyp(b=np.float64(4), a=np.float32(3)) == 5.0
    assert hyp(np.array(3.0), 4) == 5.0
    assert isinstance(hyp(3.0, 4.0), float)


@pytest.mark.parametrize(
    ("args", "kwargs", "error", "message"),
    [
        ((1.0,), {}, TypeError, "hyp() is called without argument 'b'"),
        ((1.0, 2.0, 3.0), {}, TypeError, "hyp() takes 2 arguments, found 3"),
        ((1.0,), {"c": 2.0}, TypeError, "hyp() has no parameter 'c'"),
        ((1.0,), {"a": 2.0}, TypeError, "hyp() got two values for parameter 'a'"),
        (("x", 1.0), {}, TypeError, "parameter 'a': expected a number (float64), found a value of type str"),
        ((None, 1.0), {}, TypeError, "parameter 'a': expected a number (float64), found a value of type NoneType"),
        ((True, 1.0), {}, TypeError, "parameter 'a': expected a number (float64), found a value of type bool"),
        ((np.zeros(2), 1.0), {}, TypeError, "parameter 'a': expected a number (float64), found a value of type ndarray"),
        ((10**400, 1.0), {}, OverflowError, "int too large to convert to float"),
    ],
)
def test_wrong_scalars_are_exceptions(hyp, args, kwargs, error, message):
    with pytest.raises(error) as caught:
        hyp(*args, **kwargs)
    assert message in str(caught.value)


def test_results_of_narrow_floats_are_widened_exactly():
    third = mn.loads("(def f Float (x : Float) (div x 3.0))", "ks")["f"]
    assert third(1.0) == float(np.float32(1) / np.float32(3))


def test_arrays_of_any_strides(normalize):
    x = np.arange(24, dtype="f4").reshape(4, 6) + 1
    for view in (x, x.T, x[::2], x[:, ::-1], x[::-2, 1::3], np.asfortranarray(x), np.broadcast_to(x[0], (3, 6))):
        np.testing.assert_allclose(normalize(view), view / view.sum(1, keepdims=True), rtol=1e-6)
    shifted = np.frombuffer(bytes(1) + x.tobytes(), "u1")[1:].view("f4").reshape(4, 6)
    np.testing.assert_array_equal(normalize(shifted), normalize(x))
    swapped = x.astype(x.dtype.newbyteorder())
    np.testing.assert_array_equal(normalize(swapped), normalize(x))
    assert normalize(np.zeros((0, 3), "f4")).shape == (0, 3)


def test_arrays_of_wrong_types_and_shapes(normalize):
    expected = "parameter 'arg0': expected a tensor of shape [?, ?] of float32, found an array of shape "
    for value, error, found in [
        (np.zeros((2, 2)), TypeError, "[2, 2] of float64"),
        (np.zeros((2, 2), "i4"), TypeError, "[2, 2] of int32"),
        (np.zeros(2, "f4"), ValueError, "[2] of float32"),
        (np.float32(1), ValueError, "[] of float32"),
    ]:
        with pytest.raises(error) as caught:
            normalize(value)
        assert str(caught.value) == expected + found
    for value in (object(), None, "abc", {1: 2}, [[1, 2], [3]], [["a"]], np.array(["a"]), np.array([None]), [[1j]]):
        with pytest.raises((TypeError, ValueError)):
            normalize(value)


def test_extents_that_disagree_are_an_error():
    product = mn.i("ik*kj~ijk") >> mn.i("+ijk~ij")
    with pytest.raises(mn.Error):
        product(np.ones((2, 3), "f4"), np.ones((4, 5), "f4"))


def test_lists_and_buffers(dot, normalize):
    assert dot([1, 2, 3], (4.0, 5.0, 6.5)) == 33.5
    assert dot(array.array("f", [1, 2]), memoryview(np.array([3, 4], "f4"))) == 11.0
    with pytest.raises(TypeError):
        dot(b"abcd", [1, 2])
    integers = mn.loads("(def f Integer (v : Vec Integer) (index 0 v))", "ks")["f"]
    assert integers([7, 8]) == 7
    with pytest.raises(TypeError):
        integers([1.5])
    with pytest.raises((OverflowError, TypeError)):
        integers([2**63])


class OnlyDlpack:
    """An array of a library that has DLPack and nothing of NumPy."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class VersionedDlpack(OnlyDlpack):
    """An array of a library that has DLPack 1, which says whether an array may be written to."""

    def __dlpack__(self, max_version=None):
        return self.array.__dlpack__(max_version=max_version)


def test_arrays_by_dlpack(normalize):
    x = np.arange(6, dtype="f4").reshape(2, 3) + 1
    for kind in (OnlyDlpack, VersionedDlpack):
        for view in (x, x.T, x[:, ::2]):
            np.testing.assert_array_equal(normalize(kind(view)), normalize(view))
    with pytest.raises(TypeError, match="of float64"):
        normalize(OnlyDlpack(x.astype("f8")))

    class OnDevice(OnlyDlpack):
        def __dlpack_device__(self):
            return (2, 0)

    with pytest.raises(TypeError, match="copy it to the CPU"):
        normalize(OnDevice(x))


def test_arrays_of_dlpack_1_are_written_to(normalize):
    if np.lib.NumpyVersion(np.__version__) < "2.1.0":
        pytest.skip("NumPy 2.1 has DLPack 1")
    x, out = np.arange(6, dtype="f4").reshape(2, 3) + 1, np.zeros((3, 2), "f4")
    target = VersionedDlpack(out.T)
    assert normalize(x, out=target) is target
    np.testing.assert_array_equal(out.T, normalize(x))
    out.flags.writeable = False
    with pytest.raises(ValueError, match="writable"):
        normalize(x, out=VersionedDlpack(out.T))
    np.testing.assert_array_equal(normalize(VersionedDlpack(out)), normalize(out))


@pytest.mark.parametrize("library", ["torch", "jax.numpy"])
def test_arrays_of_other_libraries(normalize, library):
    other = pytest.importorskip(library)
    x = np.arange(6, dtype="f4").reshape(2, 3) + 1
    theirs = other.from_dlpack(x)
    result = normalize(theirs)
    np.testing.assert_array_equal(result, normalize(x))
    np.testing.assert_array_equal(np.asarray(other.from_dlpack(result)), result)
    np.testing.assert_array_equal(normalize(theirs.T), normalize(x.T))


def test_results_own_their_memory(normalize):
    x = np.ones((2, 2), "f4")
    result = normalize(x)
    assert result.flags.writeable and result.flags.c_contiguous
    result += 1
    np.testing.assert_array_equal(x, 1)
    kept = [normalize(x) for _ in range(50)]
    del result
    np.testing.assert_array_equal(np.array(kept), 0.5)
    assert np.from_dlpack(kept[0]).shape == (2, 2)


def test_results_to_arrays_of_the_caller(normalize):
    x = np.arange(6, dtype="f4").reshape(2, 3) + 1
    for out in (np.empty((2, 3), "f4"), np.empty((3, 2), "f4").T, np.empty((4, 6), "f4")[::2, ::2]):
        assert normalize(x, out=out) is out
        np.testing.assert_array_equal(out, normalize(x))
    frozen = np.empty((2, 3), "f4")
    frozen.flags.writeable = False
    for wrong in (np.empty((3, 2), "f4"), np.empty((2, 3)), frozen, [0], (np.empty((2, 3), "f4"),) * 2, 1):
        with pytest.raises((TypeError, ValueError), match="out: "):
            normalize(x, out=wrong)


def test_element_types():
    for name in ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float64"):
        program = mn.loads(
            f'#[version = "0.0.5"]\ndef @main(%x: Tensor[(3), {name}]) -> Tensor[(3), {name}] {{ add(%x, %x) }}',
            "relay",
        )
        x = np.array([1, 2, 100], name)
        result = program["main"](x)
        assert result.dtype == x.dtype
        np.testing.assert_array_equal(result, x + x)
    program = mn.loads('#[version = "0.0.5"]\ndef @main(%x: Tensor[(2), bool]) { logical_not(%x) }', "relay")
    np.testing.assert_array_equal(program["main"](np.array([True, False])), [False, True])
    with pytest.raises(TypeError, match="uint8"):
        program["main"](np.zeros(2, "u1"))


def test_bfloat16():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    text = '#[version = "0.0.5"]\ndef @main(%x: Tensor[(2), bfloat16]) { add(%x, %x) }'
    result = mn.loads(text, "relay")["main"](np.array([1, 2.5], ml_dtypes.bfloat16))
    assert result.dtype == ml_dtypes.bfloat16
    np.testing.assert_array_equal(result.astype("f4"), [2, 5])


def test_complex_numbers():
    text = """
    func.func @square(%x: complex<f64>) -> complex<f64> {
      %0 = complex.mul %x, %x : complex<f64>
      return %0 : complex<f64>
    }
    func.func @add(%x: tensor<?xcomplex<f32>>, %y: tensor<?xcomplex<f32>>) -> tensor<?xcomplex<f32>> {
      %0 = linalg.add ins(%x, %y : tensor<?xcomplex<f32>>, tensor<?xcomplex<f32>>) outs(%x : tensor<?xcomplex<f32>>) -> tensor<?xcomplex<f32>>
      return %0 : tensor<?xcomplex<f32>>
    }
    """
    program = mn.loads(text, "mlir")
    square, add = program["square"], program["add"]
    assert square(1 + 2j) == -3 + 4j and type(square(1 + 2j)) is complex
    assert square(2) == square(2.0) == square(np.complex64(2)) == 4
    with pytest.raises(TypeError, match="a complex number"):
        square("1")
    x = np.array([1 + 2j, -0.5j], "c8")
    result = add(x, x)
    assert result.dtype == np.complex64
    np.testing.assert_array_equal(result, x + x)
    np.testing.assert_array_equal(add([1, 2j], x), [2 + 2j, 1.5j])
    np.testing.assert_array_equal(add(x[::-1], x), x[::-1] + x)
    with pytest.raises(TypeError, match="complex128"):
        add(x.astype("c16"), x)


def test_tuples_strings_and_ragged_tensors():
    text = """
    (def swap (Tuple Integer Float) (p : Tuple Float Integer) (tuple (get$2$2 p) (get$1$2 p)))
    (def lengths (Vec Integer) (rows : Vec (Vec Float)) (build (size rows) (lam (i : Integer) (size (index i rows)))))
    (def rows (Vec (Vec Float)) (n : Integer) (build n (lam (i : Integer) (build i (lam (j : Integer) 0.5)))))
    (def same String (s : String) s)
    """
    program = mn.loads(text, "ks")
    assert program["swap"]((1.5, 2)) == (2, 1.5)
    for wrong in ((1.5, 2, 3), 5, (1.5, 2.5), ()):
        with pytest.raises(TypeError):
            program["swap"](wrong)
    np.testing.assert_array_equal(program["lengths"]([[1, 2], [], [3.0]]), [2, 0, 1])
    assert program["rows"](3) == [[], [0.5], [0.5, 0.5]]
    assert program["same"]("grüß dich") == "grüß dich"
    with pytest.raises(TypeError):
        program["same"](5)


def test_dictionaries():
    text = """
    func.func @scale(%n: f32 {minoan.index_path = [0, "factor"]}, %x: f32 {minoan.index_path = [0, "value"]})
        -> (f32 {minoan.index_path = ["scaled"]}) {
      %0 = arith.mulf %n, %x : f32
      return %0 : f32
    }
    """
    scale = mn.loads(text, "mlir")["scale"]
    assert scale({"value": 2, "factor": 3}) == {"scaled": 6.0}
    with pytest.raises(TypeError, match="factor"):
        scale({"value": 2})


def test_buffers_are_updated_in_place_without_a_copy():
    text = """
    func.func @twice(%m: memref<?xf32>) {
      %c0 = arith.constant 0 : index
      %v = memref.load %m[%c0] : memref<?xf32>
      %w = arith.addf %v, %v : f32
      memref.store %w, %m[%c0] : memref<?xf32>
      return
    }
    """
    twice = mn.loads(text, "mlir")["twice"]
    x = np.array([1.5, 2], "f4")
    assert twice(x) is None
    np.testing.assert_array_equal(x, [3, 2])
    x.flags.writeable = False
    for wrong in (x, OnlyDlpack(np.ones(2, "f4")), VersionedDlpack(x)):
        with pytest.raises(ValueError, match="in place"):
            twice(wrong)


def test_files_in_several_languages():
    folder = ROOT / "examples/mixed"
    program = mn.load(folder / "main.ks", link=[folder / "normalize.iexpr", folder / "model.relay"])
    assert set(program) == set(program.functions) >= {"confidence", "main"}
    assert "nothing" not in program
    rows, weights = program["rows"](), program["weights"]()
    scores = np.exp((rows / rows.sum(1, keepdims=True)) @ weights.T)
    expected = (scores / scores.sum(1, keepdims=True)).max(1)
    np.testing.assert_allclose(program["confidence"](rows, weights), expected, rtol=1e-5)


def test_functions_of_relay_take_their_names():
    mlp = mn.load(str(ROOT / "examples/mlp.relay"))["main"]
    rng = np.random.default_rng(1)
    shapes = {"fc1/weight": (128, 784), "fc1/bias": 128, "fc2/weight": (10, 128), "fc2/bias": 10}
    weights = {name: rng.standard_normal(shape).astype("f4") for name, shape in shapes.items()}
    x = rng.standard_normal((1, 784)).astype("f4")
    hidden = np.maximum(x @ weights["fc1/weight"].T + weights["fc1/bias"], 0)
    scores = hidden @ weights["fc2/weight"].T + weights["fc2/bias"]
    expected = np.exp(scores - scores.max())
    np.testing.assert_allclose(mlp(x, **weights), expected / expected.sum(), rtol=1e-4, atol=1e-6)


def test_invalid_programs_show_their_line():
    with pytest.raises(mn.CompileError) as caught:
        mn.loads("(def f Float\n  (x : Flaot) x)", "ks", name="model.ks")
    message = str(caught.value)
    assert "model.ks:2:8" in message and "(x : Flaot) x)" in message and "^^^^^" in message
    [one] = caught.value.diagnostics
    assert (one["severity"], one["file"], one["line"], one["column"]) == ("error", "model.ks", 2, 8)
    assert one["message"] == "unknown type 'Flaot'" and "did you mean 'Float'?" in one["help"][0]


def test_what_is_missing_is_named():
    with pytest.raises(FileNotFoundError):
        mn.load("no/such/file.ks")
    with pytest.raises(mn.CompileError, match="there is no language 'c'"):
        mn.loads("", "c")
    with pytest.raises(KeyError, match="did you mean 'dot'"):
        mn.loads(DOT, "ks")["dots"]
    with pytest.raises(ValueError):
        mn.loads(DOT, "ks", float="f16")
    with pytest.raises(mn.CompileError):
        mn.loads(b"\xff\xfe", "ks")


def test_failures_of_programs_are_exceptions():
    program = mn.loads(
        """(def f Float ((i : Integer) (v : Vec Float)) (index i v))
           (def g Integer (n : Integer) (if (lt n 2) n (add (g (sub n 1)) (g (sub n 2)))))
           (def h Integer ((a : Integer) (b : Integer)) (div a b))""",
        "ks",
    )
    f, g = program["f"], program["g"]
    for index in (5, -1, 2**62):
        with pytest.raises(mn.RunError):
            f(index, [1.0, 2.0])
    assert f(1, [1.0, 2.0]) == 2.0
    with pytest.raises(mn.RunError):
        g(10**12)
    assert g(10) == 55
    with pytest.raises(mn.RunError):
        program["h"](1, 0)


def test_functions_describe_themselves(hyp, dot):
    assert repr(dot) == "<Function dot(a: float32[?], b: float32[?]) -> float32>"
    assert str(inspect.signature(dot)) == "(a: 'float32[?]', b: 'float32[?]') -> 'float32'"
    assert dot.signature.parameters["b"].annotation == "float32[?]"
    assert dot.__doc__.startswith("dot(a: float32[?], b: float32[?]) -> float32") and dot.__name__ == "dot"
    assert "knossos.func" in dot.ir("source") or "knossos" in dot.ir("source")
    assert "func.func @dot" in dot.ir() and "memref" in dot.ir("buffers")
    assert "llvm.func" in dot.ir("llvm-dialect") and "define" in dot.ir("llvm-ir")
    assert "dot" in dot.asm()
    for wrong in ("obj", "nothing"):
        with pytest.raises(ValueError):
            dot.ir(wrong)


def test_functions_are_compiled_once():
    program = mn.loads(DOT, "ks")
    assert program["dot"] is program["dot"]
    assert program["dot"].compile() is program["dot"]


def test_threads_call_and_compile_at_once():
    program = mn.loads(DOT, "ks")
    results = []

    def work(number):
        x = np.full(1000, number, "f4")
        results.extend(program["dot"](x, x) == 1000 * number**2 for _ in range(50))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 300 and all(results)


def test_calls_release_the_lock_of_the_interpreter():
    slow = mn.loads(
        "(def f Float (n : Integer) (sumbuild n (lam (i : Integer) (sin (mul 0.5 (to_float i))))))", "ks"
    )["f"].compile()
    count = 0
    start = time.perf_counter()
    slow(3_000_000)
    alone = time.perf_counter() - start
    thread = threading.Thread(target=slow, args=(max(3_000_000, int(3_000_000 * 0.3 / alone)),))
    thread.start()
    while thread.is_alive():
        count += 1
        time.sleep(0.001)
    assert count > 10


def test_random_arguments_never_crash():
    """Wrong arguments of every kind, in a process of its own: exceptions are fine, signals are not."""
    code = f"""
import random, numpy as np, minoan as mn
rng = random.Random(7)
functions = [mn.loads({DOT!r}, "ks")["dot"], mn.load({str(ROOT / 'examples/row_normalize.iexpr')!r})["row_normalize"],
             mn.loads("(def p Integer ((t : Tuple Integer (Vec Bool)) (s : String)) (get$1$2 t))", "ks")["p"]]
def value(depth=0):
    kinds = [lambda: None, lambda: rng.random(), lambda: rng.randint(-2**70, 2**70), lambda: "text", lambda: b"bytes",
             lambda: object(), lambda: True, lambda: float("nan"), lambda: {{}}, lambda: ...,
             lambda: np.zeros([rng.randint(0, 3) for _ in range(rng.randint(0, 4))], rng.choice(["f4", "f8", "i4", "?", "O", "U3", "M8[s]", "c8", ">f4"])),
             lambda: np.ones((4, 4), "f4")[:: rng.choice([-1, 1, 2]), :: rng.choice([-1, 1, 3])]]
    if depth < 3:
        kinds += [lambda: [value(depth + 1) for _ in range(rng.randint(0, 3))], lambda: tuple(value(depth + 1) for _ in range(rng.randint(0, 3)))]
    return rng.choice(kinds)()
for _ in range(4000):
    function = rng.choice(functions)
    args = [value() for _ in range(rng.randint(0, 3))]
    kwargs = {{rng.choice(["a", "b", "out", "t", "z"]): value() for _ in range(rng.randint(0, 2))}}
    try:
        function(*args, **kwargs)
    except (TypeError, ValueError, OverflowError, mn.Error):
        pass
print("done")
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert run.returncode == 0 and run.stdout.strip() == "done", run.stderr[-2000:]


def test_results_are_written_to_arrays_of_the_caller():
    n = 1 << 16
    scale = mn.loads(
        "(def scale (Vec Float) ((s : Float) (v : Vec Float))\n"
        "  (build (size v) (lam (i : Integer) (mul s (index i v)))))\n"
        "(def both (Tuple (Vec Float) (Vec Float)) ((c : Bool) (v : Vec Float))\n"
        "  (tuple (if c v (scale 2.0 v)) (scale 3.0 v)))\n"
        "(def nth (Vec Float) ((n : Integer) (v : Vec Float))\n"
        "  (assert (lt n 3) (build (size v) (lam (i : Integer) (add (to_float n) (index i v))))))\n",
        "ks",
    )
    x, out = np.arange(n, dtype="f4"), np.empty(n, "f4")
    assert scale["scale"](2.0, x, out=out) is out
    np.testing.assert_array_equal(out, 2 * x)
    # Destinations that overlap with an argument, or with each other, get the results after the call.
    shared = np.arange(n + 1, dtype="f4")
    scale["scale"](2.0, shared[:-1], out=shared[1:])
    np.testing.assert_array_equal(shared[1:], 2 * x)
    a, b = np.empty(n, "f4"), np.empty((n, 2), "f4")
    for c in (True, False):
        scale["both"](c, x, out=(a, b[:, 1]))
        np.testing.assert_array_equal(a, x if c else 2 * x)
        np.testing.assert_array_equal(b[:, 1], 3 * x)
    with pytest.raises(ValueError, match=r"out: expected an array of shape \[65536\] of float32, found .* \[7\]"):
        scale["scale"](2.0, x, out=np.empty(7, "f4"))
    with pytest.raises(mn.RunError, match="Assert failed"):
        scale["nth"](3, x, out=out)
    scale["nth"](1, x, out=out)
    np.testing.assert_array_equal(out, x + 1)
    # Views of one array that do not touch each other; no elements; the same values in many threads.
    halves = np.empty((2, n), "f4")
    scale["both"](True, x, out=(halves[0], halves[1]))
    np.testing.assert_array_equal(halves, [x, 3 * x])
    assert scale["scale"](2.0, x[:0], out=out[:0]).shape == (0,)


def test_large_results_are_not_copied():
    # A result of 64 MiB that is copied needs as much memory again.
    n = 1 << 24
    program = (
        "import resource, sys, numpy as np, minoan as mn\n"
        "f = mn.loads('(def f (Vec Float) (n : Integer) (build n (lam (i : Integer) (to_float i))))', 'ks')['f']\n"
        f"out = np.empty({n}, 'f4'); out[:] = 1\n"
        "small = np.empty(8, 'f4'); f(8, out=small)\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        f"f({n}, out=out)\n"
        f"assert out[-1] == {n - 1}, out[-1]\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, text=True, stdout=subprocess.PIPE)
    assert int(done.stdout) < 16 << 10, f"{done.stdout} KiB"
