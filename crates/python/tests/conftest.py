"""Programs that several tests use."""

import pathlib

import minoan as mn
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
HYP = "(def hyp Float ((a : Float) (b : Float)) (sqrt (add (mul a a) (mul b b))))"
DOT = """
(def dot Float ((a : Vec Float) (b : Vec Float))
  (sumbuild (size a) (lam (i : Integer) (mul (index i a) (index i b)))))
"""


@pytest.fixture(scope="session")
def hyp():
    return mn.loads(HYP, "ks", float="f64")["hyp"]


@pytest.fixture(scope="session")
def dot():
    return mn.loads(DOT, "ks")["dot"]


@pytest.fixture(scope="session")
def normalize():
    return mn.load(ROOT / "examples/row_normalize.iexpr")["row_normalize"]
