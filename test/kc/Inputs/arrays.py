"""Writes files of arrays as NumPy does, and damaged ones: arrays.py DIR."""

import os
import struct
import sys
import zipfile


def npy(descr, shape, data, fortran=False):
    header = f"{{'descr': {descr!r}, 'fortran_order': {fortran}, 'shape': {shape}, }}".encode()
    header += b" " * (63 - (10 + len(header)) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + data


floats = struct.pack("<6f", 1, 2, 3, 4, 5, 6)
files = {
    "good.npy": npy("<f4", "(2, 3)", floats),
    "big-endian.npy": npy(">f4", "(2, 3)", struct.pack(">6f", 1, 2, 3, 4, 5, 6)),
    "fortran.npy": npy("<f4", "(2, 3)", struct.pack("<6f", 1, 4, 2, 5, 3, 6), fortran=True),
    "double.npy": npy("<f8", "(2, 3)", struct.pack("<6d", 1, 2, 3, 4, 5, 6)),
    "too-large-double.npy": npy("<f8", "(2, 3)", struct.pack("<6d", 1, 2, 3, 4, 5, 1e300)),
    "half.npy": npy("<f2", "(2, 3)", struct.pack("<6e", 1, 2, 3, 4, 5, 6)),
    "integers.npy": npy("<i4", "(2, 3)", struct.pack("<6i", 1, 2, 3, 4, 5, 6)),
    "other-rank.npy": npy("<f4", "(6,)", floats),
    "other-extent.npy": npy("<f4", "(3, 2)", floats),
    "truncated.npy": npy("<f4", "(2, 3)", floats[:-1]),
    "trailing.npy": npy("<f4", "(2, 3)", floats + b"x"),
    "truncated-header.npy": npy("<f4", "(2, 3)", floats)[:40],
    "empty-file.npy": b"",
    "negative.npy": npy("<f4", "(-2, 3)", floats),
    "overflow.npy": npy("<f4", "(4294967296, 4294967296)", floats),
    "overflow-zero.npy": npy("<f4", "(0, 9223372036854775807, 8)", b""),
    "huge.npy": npy("<f4", "(1000000000000, 3)", floats),
    "object.npy": npy("|O", "(2, 3)", b"\x80\x03]q\x00."),
    "strings.npy": npy("<U2", "(2, 3)", b"\x00" * 48),
    "complex.npy": npy("<c8", "(2, 3)", floats + floats),
    "long-double.npy": npy("<f16", "(2, 3)", b"\x00" * 96),
    "no-dict.npy": b"\x93NUMPY\x01\x00\x10\x00[1, 2, 3]      \n",
    "version.npy": b"\x93NUMPY\x09\x00" + npy("<f4", "(2, 3)", floats)[8:],
}
folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
for name, data in files.items():
    with open(os.path.join(folder, name), "wb") as file:
        file.write(data)
archive = os.path.join(folder, "good.npz")
with zipfile.ZipFile(archive, "w") as file:
    file.writestr("x.npy", files["good.npy"])
    file.writestr("notes.txt", "not an array")
with open(archive, "rb") as file:
    data = file.read()
with open(os.path.join(folder, "bad-checksum.npz"), "wb") as file:
    at = data.index(floats)
    file.write(data[:at] + b"\x01" + data[at + 1 :])
with open(os.path.join(folder, "truncated.npz"), "wb") as file:
    file.write(data[: len(data) // 2])
with zipfile.ZipFile(os.path.join(folder, "damaged-member.npz"), "w") as file:
    file.writestr("x.npy", files["truncated.npy"])
    file.writestr("y.npy", files["object.npy"])
