"""i-expressions as values."""

import minoan as mn
import numpy as np
import pytest
from minoan import I, i


def test_combinators():
    x = np.arange(6, dtype="f4").reshape(2, 3) + 1
    normalize = (I & i("+ij~i")) >> i("ij/i~ij")
    np.testing.assert_allclose(normalize(x), x / x.sum(1, keepdims=True), rtol=1e-6)
    assert repr(normalize) == '(I & i("+ij~i")) >> i("ij/i~ij")'
    np.testing.assert_allclose((i("ik*kj~ijk") >> i("+ijk~ij"))(x, x.T), x @ x.T, rtol=1e-6)
    np.testing.assert_allclose((i("+ij~i") << i("-ij~ij"))(x), -x.sum(1), rtol=1e-6)
    rows, columns = (i("+ij~i") | i("+ij~j"))(x, x)
    np.testing.assert_allclose(rows, x.sum(1))
    np.testing.assert_allclose(columns, x.sum(0))
    swapped = (~(i("+ij~i") & i("+ij~j")))(x)
    np.testing.assert_allclose(swapped[0], x.sum(0))
    double = normalize.compile(float="f64")
    np.testing.assert_allclose(double(x.astype("f8")), x.astype("f8") / x.sum(1, keepdims=True), rtol=1e-14)
    with pytest.raises(mn.CompileError):
        I(x)
    assert (i("+ij~i") & i("+ij~j")) == (i("+ij~i") & i("+ij~j")) != i("+ij~i")


def test_schedules():
    x = np.random.default_rng(0).random((33, 17)).astype("f4")
    y = np.random.default_rng(1).random((17, 20)).astype("f4")
    product = i("ik*kj~ijk").split(i=16, k=16).order("ikji'k'") >> i("+ijk~ij").split(i=16, k=16).order("ikji'k'0")
    assert repr(product) == """i("ik*kj~ijk|i:16,k:16|ikji'k'") >> i("+ijk~ij|i:16,k:16|ikji'k'0")"""
    np.testing.assert_allclose(product(x, y), x @ y, rtol=1e-5)
    assert repr(i("+ij~i").split(i=(2, 4)).split(i=8)) == 'i("+ij~i|i:8|")'
    staged = i("ik*kj~ijk") >> i("+ijk~ij").order("ijk0")
    np.testing.assert_allclose(staged(x, y), x @ y, rtol=1e-5)


def test_derivatives_of_components():
    x = np.arange(6, dtype="f4").reshape(2, 3) + 1
    np.testing.assert_allclose(mn.grad((i("ij*ij~ij") << (I | I)).function)(x, x)[0], x)
    square = i("ij*ij~ij") << (I & I)
    np.testing.assert_allclose(mn.grad(square)(x), 2 * x)
    assert repr(square.rev()) == 'rev(i("ij*ij~ij") << (I & I))'
    np.testing.assert_allclose(square.rev()(x, x), 2 * x * x)
    np.testing.assert_allclose((i("ij-ij~ij") << (I & square.rev()))(x, x), x - 2 * x * x)


def test_errors():
    with pytest.raises(mn.CompileError, match="output axis `k` does not appear in the input"):
        i("+ij~k")
    with pytest.raises(ValueError):
        i('+ij~i") | i("')
    with pytest.raises(TypeError):
        i(5)
    with pytest.raises(TypeError):
        i("+ij~i") >> "+ij~i"
    with pytest.raises(ValueError):
        i("+ij~i").order("i?j")
    with pytest.raises(mn.CompileError):
        i("+ij~i").split(k=4)
