"""The chapter of the book on Python is a program."""

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
