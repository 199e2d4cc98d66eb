"""Passes and patterns written in Python."""

from ._errors import Error
from ._minoan import Builder, Module, Operation

#: The number of sweeps over a module after which patterns are taken not to terminate.
MAX_ITERATIONS = 10


def run(module, *passes):
    """Runs passes on a module, in order; returns the module.

    A pass is the text of a pipeline, such as ``"canonicalize,cse"``, or a function of Python that takes the module. The
    module is verified after each.

    Raises:
        CompileError: a pass fails, or leaves an invalid module.
    """
    for one in passes:
        if isinstance(one, str):
            module._run(one)
        elif isinstance(one, (list, tuple)):
            run(module, *one)
        elif callable(one):
            one(module)
            module.verify()
        else:
            raise TypeError(f"expected the text of a pipeline or a function, found {type(one).__name__}")
    return module


class Pattern:
    """A rewrite pattern: a function of an operation and a rewriter, for operations of some names."""

    def __init__(self, function, names):
        self.function = function
        self.names = names

    def __call__(self, op, rewriter):
        return self.function(op, rewriter)

    def __repr__(self):
        return f"<Pattern {self.function.__name__} for {', '.join(self.names) or 'all operations'}>"


def pattern(*names):
    """Makes a function a pattern for operations of these names, or for all operations::

        @mn.pattern("arith.addi")
        def fold_zero(op, rewriter):
            ...

    The function takes an operation and a ``Rewriter``. What it does to the IR through the rewriter counts as a change.
    """
    if len(names) == 1 and callable(names[0]):
        return Pattern(names[0], ())
    return lambda function: Pattern(function, names)


class Rewriter:
    """Creates operations before the matched one, replaces and erases operations, and notes that it did."""

    def __init__(self, op):
        self.op = op
        self.changed = False
        self._builder = Builder.before(op)

    def create(self, name, operands=(), results=(), attributes=None, regions=0, successors=()):
        """Creates an operation before the matched one; see ``Builder.create``."""
        self.changed = True
        return self._builder.create(name, list(operands), list(results), attributes, regions, list(successors))

    def replace(self, op, *values):
        """Replaces the results of an operation by values or by the results of operations, and erases it."""
        self.changed = True
        op.replace(*values)

    def erase(self, op):
        """Erases an operation without uses."""
        self.changed = True
        op.erase()

    def set_operand(self, op, index, value):
        """Sets an operand of an operation."""
        self.changed = True
        op.set_operand(index, value)

    def set_attribute(self, op, name, value):
        """Sets an attribute of an operation, or removes it if the value is None."""
        self.changed = True
        op.set_attribute(name, value)


def apply_patterns(module, patterns, max_iterations=MAX_ITERATIONS):
    """Applies patterns to all operations, in sweeps in pre-order until none changes anything; returns whether one did.

    Each sweep visits the operations that exist when it starts and are not erased meanwhile.

    Raises:
        Error: the patterns still change the module after ``max_iterations`` sweeps.
    """
    if not isinstance(module, (Module, Operation)):
        raise TypeError(f"expected a module or an operation, found {type(module).__name__}")
    general = [one for one in patterns if not getattr(one, "names", ())]
    by_name = {}
    for one in patterns:
        for name in getattr(one, "names", ()):
            by_name.setdefault(name, []).append(one)
    changed_before = False
    for _ in range(max_iterations):
        changed = False
        for op in module.walk():
            if not op.is_alive or op.block is None:
                continue
            for one in by_name.get(op.name, []) + general:
                rewriter = Rewriter(op)
                one(op, rewriter)
                changed |= rewriter.changed
                if not op.is_alive:
                    break
        if not changed:
            return changed_before
        changed_before = True
    raise Error(f"the patterns change the module after {max_iterations} iterations; do they undo each other?")
