"""The exceptions."""


class Error(Exception):
    """Any error of Minoan.

    The message is that of the compiler's tools, with the source line and carets; ``diagnostics`` holds its parts: a list of
    dictionaries with ``severity``, ``message``, ``file``, ``line``, ``column``, ``notes`` and ``help``.
    """

    def __init__(self, message, diagnostics=()):
        super().__init__(message)
        self.diagnostics = list(diagnostics)

    def __reduce__(self):
        return type(self), (self.args[0], self.diagnostics)


class CompileError(Error):
    """A program is invalid, or cannot be compiled."""


class RunError(Error):
    """A program failed while it ran: an assertion, a division by zero, recursion that is too deep."""


class ArgumentError(Error, ValueError):
    """Arguments of a call disagree with each other or with the function."""


class StaleHandle(Error, ReferenceError):
    """A handle of the IR refers to something that was erased."""
