"""Writes the array `weight` of `model.relay` as NumPy's `savez` does: weights.py FILE."""

import struct
import sys
import zipfile

header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (4, 3), }"
header += b" " * (63 - (10 + len(header)) % 64) + b"\n"
data = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + struct.pack("<12f", *range(12))
with zipfile.ZipFile(sys.argv[1], "w") as file:
    file.writestr("weight.npy", data)
