"""Reading of programs and modules."""

import os
import threading

from ._minoan import Session

_lock = threading.Lock()
_default = None


def default_session():
    """The session that the functions of the package use unless another one is given."""
    global _default
    with _lock:
        if _default is None:
            _default = Session()
        return _default


def _read(path):
    path = os.fspath(path)
    with open(path, "rb") as file:
        data = file.read()
    return data, os.fsdecode(path)


def load(path, language=None, *, float="f32", link=(), session=None):
    """Reads a program from a file; its items are its functions: ``load("model.relay")["main"]``.

    Args:
        path: a ``.ks``, ``.relay``, ``.iexpr`` or ``.mlir`` file.
        language: the language, by its name or extension; by default the extension of the file selects it.
        float: the width of floats whose width the source does not say, ``"f32"`` or ``"f64"``.
        link: files with functions that the program declares and does not define.
        session: the session; by default the common one.

    Raises:
        OSError: a file cannot be read.
        CompileError: the program is invalid.
    """
    data, name = _read(path)
    linked = [(*_read(other), None) for other in link]
    session = session or default_session()
    return session.loads(data, name, language=language, float=float, link=linked)


def loads(text, language=None, *, name="<string>", float="f32", link=(), session=None):
    """Reads a program from a string; see ``load``. Without a language, the text says which one it is in."""
    data = text.encode() if isinstance(text, str) else bytes(text)
    linked = [(*_read(other), None) for other in link]
    session = session or default_session()
    return session.loads(data, name, language=language, float=float, link=linked)


def parse(text, name="<string>", *, session=None):
    """Parses and verifies a module in MLIR's text."""
    return (session or default_session()).parse(text, name)
