"""Extents of tensors that are known when the program runs.

A ``Dim`` is a polynomial with integer coefficients over atoms. An atom is an extent that has a name, such as ``batch``, or
a ``Quotient``, the result of a division that is not known to be exact. Equal polynomials are equal extents, so that a reshape from ``[batch, seq, 768]`` to
``[batch, seq, 12, 64]`` is known to keep its first two extents.
"""

import typing


class Quotient(typing.NamedTuple):
    """A quotient of extents, rounded down."""

    value: object
    divisor: object

    def __str__(self):
        return f"({self.value}) // ({self.divisor})"


class Dim:
    """A polynomial over atoms; a polynomial that is a number is an ``int`` instead."""

    __slots__ = ("terms",)

    def __init__(self, terms):
        self.terms = terms

    @staticmethod
    def atom(atom):
        """The extent of a name, or a quotient."""
        return Dim({(atom,): 1})

    @property
    def single(self):
        """The atom, if the extent is a single one."""
        if len(self.terms) == 1:
            [(atoms, factor)] = self.terms.items()
            if len(atoms) == 1 and factor == 1:
                return atoms[0]
        return None

    def __add__(self, other):
        terms = dict(self.terms)
        for atoms, factor in _terms(other).items():
            terms[atoms] = terms.get(atoms, 0) + factor
        return _normal(terms)

    def __mul__(self, other):
        terms = {}
        for left, first in self.terms.items():
            for right, second in _terms(other).items():
                atoms = tuple(sorted(left + right, key=str))
                terms[atoms] = terms.get(atoms, 0) + first * second
        return _normal(terms)

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + other * -1

    def __rsub__(self, other):
        return -self + other

    def __floordiv__(self, other):
        return _quotient(self, other)

    def __rfloordiv__(self, other):
        return _quotient(other, self)

    __radd__ = __add__
    __rmul__ = __mul__

    def __eq__(self, other):
        return isinstance(other, Dim) and self.terms == other.terms

    def __hash__(self):
        return hash(frozenset(self.terms.items()))

    def __repr__(self):
        parts = []
        for atoms, factor in sorted(self.terms.items(), key=str):
            shown = [str(factor)] if factor != 1 or not atoms else []
            parts.append("*".join(shown + [f"({atom})" if " " in str(atom) else str(atom) for atom in atoms]))
        return " + ".join(parts)


def _terms(value):
    return value.terms if isinstance(value, Dim) else {(): int(value)}


def _normal(terms):
    terms = {atoms: factor for atoms, factor in terms.items() if factor != 0}
    if not terms:
        return 0
    if list(terms) == [()]:
        return terms[()]
    return Dim(terms)


def _quotient(value, divisor):
    """The quotient, rounded down; an atom of its own unless each term is a multiple of the divisor."""
    if isinstance(value, Dim) and value == divisor:
        return 1
    by = _terms(divisor)
    if len(by) == 1:
        [(atoms, factor)] = by.items()
        terms = {}
        for left, first in _terms(value).items():
            rest = list(left)
            if factor == 0 or first % factor or any(atoms.count(atom) > left.count(atom) for atom in atoms):
                break
            for atom in atoms:
                rest.remove(atom)
            terms[tuple(rest)] = first // factor
        else:
            return _normal(terms)
    return Dim.atom(Quotient(value, divisor))


def product(dims):
    """The product of extents."""
    result = 1
    for dim in dims:
        result = result * dim
    return result


def broadcast(*shapes):
    """The shape that arrays of these shapes are broadcast to, by NumPy's rule; an extent of 1 is repeated.

    Two extents of which it is unknown whether they are equal are taken to be the same or 1.

    Raises:
        ValueError: two extents differ.
    """
    rank = max((len(shape) for shape in shapes), default=0)
    result = []
    for axis in range(rank):
        found = 1
        for shape in shapes:
            at = axis - (rank - len(shape))
            extent = shape[at] if at >= 0 else 1
            if extent == 1 or extent == found:
                continue
            if found == 1:
                found = extent
            elif isinstance(found, int) and isinstance(extent, int):
                raise ValueError(f"the shapes {show(shapes)} do not broadcast: {found} and {extent} differ")
            elif isinstance(found, Dim):
                found = extent if isinstance(extent, int) else Dim.atom(f"max({found}, {extent})")
        result.append(found)
    return tuple(result)


def show(shapes):
    """Shapes as text, for messages."""
    return " and ".join("[" + ", ".join(str(dim) for dim in shape) + "]" for shape in shapes)
