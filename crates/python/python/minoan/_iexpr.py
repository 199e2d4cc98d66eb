"""i-expressions as values.

A component has inputs and outputs; ``i("+ij~i")`` is an expression, ``I`` the identity, and the operators wire them::

    row_normalize = (I & i("+ij~i")) >> i("ij/i~ij")
    row_normalize(x)
"""

import re
import threading

from ._programs import default_session

_SCHEDULED = re.compile(r"[a-z]'*|[01!]")


class Component:
    """A component of i-expressions: an expression, or components wired by operators.

    ``f >> g`` chains, ``f << g`` composes, ``f & g`` shares inputs, ``f | g`` pairs, ``~f`` exchanges the first two outputs,
    ``f.rev()`` differentiates.
    A component is called with arrays of ``float32``, and compiled at its first call; ``compile(float="f64")`` is a function
    of ``float64``.
    """

    def __init__(self, text):
        self._text = text
        self._functions = {}
        self._lock = threading.Lock()

    def __rshift__(self, other):
        return self._wired(">>", other)

    def __lshift__(self, other):
        return self._wired("<<", other)

    def __and__(self, other):
        return self._wired("&", other)

    def __or__(self, other):
        return self._wired("|", other)

    def __invert__(self):
        return Component(f"~{_operand(self)}")

    def rev(self):
        """The derivative in reverse mode: a component of the inputs, then a cotangent of each output, that gives a cotangent of
        each input."""
        return Component(f"rev({self._text})")

    def _wired(self, operator, other):
        if not isinstance(other, Component):
            return NotImplemented
        return Component(f"{_operand(self)} {operator} {_operand(other)}")

    @property
    def text(self):
        """The component in the language of ``.iexpr`` files."""
        return self._text

    @property
    def function(self):
        """The component as a function of ``float32``."""
        return self.compile()

    def compile(self, *, float="f32", session=None):
        """The component as a function, of floats of a width, ``"f32"`` or ``"f64"``."""
        session = session or default_session()
        key = session, float
        with self._lock:
            if key not in self._functions:
                text = f"main = {self._text}\n".encode()
                program = session.loads(text, "<component>", language="iexpr", float=float)
                self._functions[key] = program["main"]
            return self._functions[key]

    def __call__(self, *args, **kwargs):
        return self.function(*args, **kwargs)

    def __eq__(self, other):
        return isinstance(other, Component) and self._text == other._text

    def __hash__(self):
        return hash(self._text)

    def __repr__(self):
        return self._text


class Expression(Component):
    """An i-expression, with its schedule."""

    def __init__(self, expression):
        if not isinstance(expression, str):
            raise TypeError(f"expected the text of an i-expression, found {type(expression).__name__}")
        if '"' in expression or "\n" in expression:
            raise ValueError(f"an i-expression has no quotes and no line breaks: {expression!r}")
        self._expression = expression
        super().__init__(f'i("{expression}")')
        # What is wrong with the expression is an error here, at the place in its text.
        default_session().loads(f"main = {self._text}\n".encode(), "<i-expression>", language="iexpr")

    def _segments(self):
        # The operators `||` and `|` end an expression only after `~`.
        semantics, tilde, rest = self._expression.partition("~")
        output, *schedule = rest.split("|")
        schedule += [""] * (2 - len(schedule))
        return semantics + tilde + output, schedule[0], schedule[1]

    def split(self, **factors):
        """The expression with loops split: ``split(i=16)``, ``split(i=(2, 4))``."""
        semantics, splits, loops = self._segments()
        parts = [part for part in splits.split(",") if part and part[0] not in factors]
        for index, sizes in factors.items():
            sizes = (sizes,) if isinstance(sizes, int) else tuple(sizes)
            parts.append(":".join([index, *map(str, sizes)]))
        return i(f"{semantics}|{','.join(parts)}|{loops}")

    def order(self, loops):
        """The expression with its loops in an order, and the producers of its inputs computed at a loop: ``"iki'jk'0"``.

        Each part of each index occurs once, outermost first. ``0`` and ``1`` compute the producer of that input in the body
        of the loop before; ``!`` is where a reduction starts.
        """
        if "".join(_SCHEDULED.findall(loops)) != loops.replace(" ", ""):
            raise ValueError(f"expected indices with primes, 0, 1 and !, found {loops!r}")
        semantics, splits, _ = self._segments()
        return i(f"{semantics}|{splits}|{loops}")


def _operand(component):
    text = component._text
    simple = text == "I" or (text.startswith('i("') and text.count('"') == 2)
    return text if simple else f"({text})"


def i(expression):
    """The component of an i-expression, such as ``i("ik*kj~ijk")``.

    Raises:
        CompileError: the expression is invalid; the message points into it.
    """
    return Expression(expression)


#: The identity on one input.
I = Component("I")
