"""Arrays of PyTorch without a copy. `test_torch.py` runs it, with any Python that has PyTorch."""

import resource

import minoan as mn
import numpy as np
import torch
from torch.utils.dlpack import from_dlpack

SCALE = "(def scale (Vec Float) ((s : Float) (v : Vec Float)) (build (size v) (lam (i : Integer) (mul s (index i v)))))"
SUM = "(def total Float (v : Vec Float) (sumbuild (size v) (lam (i : Integer) (index i v))))"
LARGE = 64 << 20


def peak():
    """The most memory that the process has had so far, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


scale, total = mn.loads(SCALE, "ks")["scale"], mn.loads(SUM, "ks")["total"]

# Arguments: their elements are read where they are.
x = torch.arange(6, dtype=torch.float32)
np.testing.assert_array_equal(scale(2.0, x), np.arange(6, dtype="f4") * 2)
assert total(x) == 15.0
large = torch.ones(LARGE // 4)
total(x)
before = peak()
assert total(large) > 0
assert peak() - before < LARGE // 4, f"{peak() - before} bytes more for an argument of {LARGE}"

# Other strides, and the elements of other types, are as those of NumPy.
np.testing.assert_array_equal(scale(1.0, torch.arange(8, dtype=torch.float32)[::2]), [0, 2, 4, 6])
product = mn.i("ik*kj~ijk") >> mn.i("+ijk~ij")
a = torch.arange(6, dtype=torch.float32).reshape(2, 3)
np.testing.assert_array_equal(product(a, a.T), (a @ a.T).numpy())
try:
    total(torch.ones(3, dtype=torch.float64))
except TypeError as error:
    assert "of float64" in str(error), error
else:
    raise AssertionError("a tensor of another type was accepted")

# Results: PyTorch has the memory of the array, and keeps it alive.
result = scale(2.0, x)
theirs = from_dlpack(result.__dlpack__())
assert theirs.data_ptr() == result.ctypes.data
theirs[0] = 7
assert result[0] == 7
del result
assert theirs.tolist() == [7, 2, 4, 6, 8, 10]
assert torch.from_numpy(scale(3.0, x)).tolist() == [0, 3, 6, 9, 12, 15]

# A tensor takes a result through its NumPy array, which has its memory.
out = torch.zeros(6)
scale(4.0, x, out=out.numpy())
assert out.tolist() == [0, 4, 8, 12, 16, 20]

# The gradient of a function of tensors.
by_s, by_v = mn.grad(mn.loads("(def dot Float ((s : Float) (v : Vec Float)) (mul s (sumbuild (size v) (lam (i : Integer) (index i v)))))", "ks")["dot"])(2.0, x)
assert by_s == 15.0 and by_v.tolist() == [2.0] * 6

print("PyTorch", torch.__version__)
