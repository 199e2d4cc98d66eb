"""Derivatives, compared with formulas and central differences."""

import minoan as mn
import numpy as np
import pytest


def test_gradients(hyp):
    np.testing.assert_allclose(mn.grad(hyp)(3.0, 4.0), (0.6, 0.8))
    np.testing.assert_allclose(mn.grad(hyp, "b")(3.0, 4.0), 0.8)
    np.testing.assert_allclose(mn.grad(hyp, 0)(3.0, b=4.0), 0.6)
    np.testing.assert_allclose(mn.grad(hyp, ["b", "a"])(3.0, 4.0), (0.8, 0.6))
    value, gradient = mn.value_and_grad(hyp)(3.0, 4.0)
    assert value == 5.0
    np.testing.assert_allclose(gradient, (0.6, 0.8))


def test_higher_derivatives(hyp):
    second = mn.grad(mn.grad(hyp, "a"), "a")
    np.testing.assert_allclose(second(3.0, 4.0), 16 / 125)
    np.testing.assert_allclose(mn.hvp(hyp)(3.0, 4.0, 1.0, 0.0), (16 / 125, -12 / 125))
    np.testing.assert_allclose(mn.hvp(hyp, "a")(3.0, 4.0, d_a=1.0), 16 / 125)


def test_directions(hyp):
    np.testing.assert_allclose(mn.jvp(hyp)(3.0, 4.0, d_a=1.0, d_b=2.0), 0.6 + 1.6)
    np.testing.assert_allclose(mn.jvp(hyp, "b")(3.0, 4.0, 2.0), 1.6)
    np.testing.assert_allclose(mn.vjp(hyp)(3.0, 4.0, cotangent=10.0), (6, 8))


def test_arrays(dot):
    a, b = np.array([1, 2, 3], "f4"), np.array([4, 5, 6], "f4")
    by_a, by_b = mn.grad(dot)(a, b)
    np.testing.assert_array_equal(by_a, b)
    np.testing.assert_array_equal(by_b, a)
    assert str(mn.grad(dot).signature) == "(a: 'float32[?]', b: 'float32[?]') -> 'tuple[float32[?], float32[?]]'"


def test_jacobian(normalize):
    x = np.array([[1, 2, 5], [3, 4, 1]], "f4")
    found = mn.jacobian(normalize)(x)
    assert found.shape == (2, 3, 2, 3)
    total = x.sum(1)
    expected = np.zeros((2, 3, 2, 3))
    for row in range(2):
        expected[row, :, row, :] = np.eye(3) / total[row] - x[row][:, None] / total[row] ** 2
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-7)


def test_jacobian_of_numbers(hyp):
    np.testing.assert_allclose(mn.jacobian(hyp)(3.0, 4.0), (0.6, 0.8))


def test_central_differences(normalize):
    rng = np.random.default_rng(3)
    x, seed = rng.random((3, 4)).astype("f4") + 1, rng.random((3, 4)).astype("f4")
    found = mn.vjp(normalize)(x, seed)
    step = 1e-2
    for index in np.ndindex(3, 4):
        near = x.copy()
        near[index] += step
        far = x.copy()
        far[index] -= step
        expected = ((normalize(near) - normalize(far)) * seed).sum() / (2 * step)
        np.testing.assert_allclose(found[index], expected, rtol=2e-2, atol=1e-4)


def test_what_has_no_derivative(hyp):
    with pytest.raises(ValueError, match="no parameter 'c'"):
        mn.grad(hyp, "c")
    with pytest.raises(ValueError):
        mn.grad(hyp, 2)
    with pytest.raises(TypeError):
        mn.grad(hyp, 1.5)
    with pytest.raises(TypeError):
        mn.grad(abs)
    integer = mn.loads("(def f Float ((n : Integer) (x : Float)) x)", "ks")["f"]
    with pytest.raises(mn.CompileError, match="no derivative"):
        mn.grad(integer, "n")
    assert mn.grad(integer)(1, 2.0) == 1.0


def test_complex_numbers():
    program = mn.loads(
        """
        func.func @power(%z: tensor<?xcomplex<f64>>, %w: complex<f64>) -> f64 {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %n = tensor.dim %z, %c0 : tensor<?xcomplex<f64>>
          %zero = arith.constant 0.0 : f64
          %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f64) {
            %x = tensor.extract %z[%i] : tensor<?xcomplex<f64>>
            %p = complex.mul %x, %w : complex<f64>
            %a = complex.abs %p : complex<f64>
            %b = arith.mulf %a, %a : f64
            %t = arith.addf %s, %b : f64
            scf.yield %t : f64
          }
          return %r : f64
        }
        func.func @square(%z: complex<f64>) -> complex<f64> {
          %0 = complex.mul %z, %z : complex<f64>
          return %0 : complex<f64>
        }
        """,
        "mlir",
    )
    power, square = program["power"], program["square"]
    z, w = np.array([1 + 2j, -0.5j, 3]), 0.5 - 1j
    by_z, by_w = mn.grad(power)(z, w)
    np.testing.assert_allclose(by_z, 2 * z * abs(w) ** 2)
    np.testing.assert_allclose(by_w, 2 * w * (abs(z) ** 2).sum())
    dz, dw = np.array([1j, 2, 0]), 1 + 1j
    expected = (by_z.conj() * dz).sum().real + (np.conj(by_w) * dw).real
    np.testing.assert_allclose(mn.jvp(power)(z, w, dz, dw), expected)
    assert mn.grad(square)(2 + 1j) == 4 - 2j
    assert mn.vjp(square)(2 + 1j, 1j) == 1j * (4 - 2j)
    np.testing.assert_allclose(mn.jacobian(square)(2 + 1j), [4 - 2j, 1j * (4 - 2j)])
