"""Runs the book's chapter on Python, and the example in the documentation of the extension."""

import re

from conftest import ROOT


def test_blocks_of_the_chapter_run():
    chapter = (ROOT / "docs/src/python.md").read_text()
    blocks = list(re.finditer(r"^```python\n(.*?)^```", chapter, re.MULTILINE | re.DOTALL))
    assert len(blocks) > 5
    namespace = {}
    for block in blocks:
        lines = chapter[: block.start(1)].count("\n")
        code = compile("\n" * lines + block.group(1), "docs/src/python.md", "exec")
        exec(code, namespace)


def test_example_of_the_extension_runs():
    head = (ROOT / "crates/python/src/lib.rs").read_text()
    example = re.search(r"^//! ```python\n(.*?)^//! ```", head, re.MULTILINE | re.DOTALL).group(1)
    code = re.sub(r"^//! ?", "", example, flags=re.MULTILINE)
    exec(compile(code, "crates/python/src/lib.rs", "exec"), {})
