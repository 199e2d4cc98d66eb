"""Modules in notebooks."""

import html
import re

_TOKENS = re.compile(
    r"(?P<comment>//[^\n]*)|(?P<string>\"(?:[^\"\\\n]|\\.)*\")|(?P<value>%[\w.$#-]+)|(?P<symbol>@[\w.$-]+|@\"[^\"\n]*\")"
    r"|(?P<label>\^\w+)|(?P<op>\b[a-z_]\w*\.[\w.]+)|(?P<type>!?\b(?:tensor|memref|vector)\b|\b(?:[su]?i\d+|b?f\d+|index)\b)"
)
_COLORS = {
    "comment": "#6a737d",
    "string": "#22863a",
    "value": "#005cc5",
    "symbol": "#6f42c1",
    "label": "#b08800",
    "op": "#d73a49",
    "type": "#e36209",
}


def highlight(text):
    """The text of a module as HTML, with colors that need no style sheet."""
    parts, end = [], 0
    for token in _TOKENS.finditer(text):
        parts.append(html.escape(text[end : token.start()]))
        parts.append(f'<span style="color:{_COLORS[token.lastgroup]}">{html.escape(token.group())}</span>')
        end = token.end()
    parts.append(html.escape(text[end:]))
    return f'<pre style="line-height:1.3">{"".join(parts)}</pre>'
