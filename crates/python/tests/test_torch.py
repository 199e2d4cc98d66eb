"""Arrays of PyTorch, with the Python that has it: this one, or that of the system."""

import os
import pathlib
import subprocess
import sys

import minoan as mn
import pytest

HERE = pathlib.Path(__file__).resolve().parent


def python_with_torch():
    """A Python that imports PyTorch and NumPy, or nothing."""
    for python in (sys.executable, "/usr/bin/python3"):
        try:
            imports = "import sys, torch, numpy; sys.exit(sys.version_info < (3, 10))"
            if subprocess.run([python, "-c", imports], capture_output=True, check=False).returncode == 0:
                return python
        except OSError:
            pass
    return None


def test_arrays_of_pytorch_are_not_copied(tmp_path):
    python = python_with_torch()
    if python is None:
        pytest.skip("no Python has PyTorch: 'apt install python3-torch' or 'pip install torch'")
    # The package alone: the other packages of this environment, such as NumPy, are for this Python.
    (tmp_path / "minoan").symlink_to(pathlib.Path(mn.__file__).parent)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    command = [python, str(HERE / "torch_arrays.py")]
    run = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith("PyTorch ")
