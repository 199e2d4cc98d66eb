"""Values of algebraic data types."""

import numpy as np

# Values longer than this are shown in part.
_SHOWN = 100


class Data:
    """A value of an algebraic data type: the name of its constructor and its fields.

    ``Data("Cons", 1.5, Data("Nil"))`` makes one, and a ``match`` statement takes it apart::

        match value:
            case Data("Cons", (head, tail)): ...

    Where a type has an empty constructor and one of an element and a rest, as lists have, a list of Python is an argument, too, and
    ``to_list`` is the list of the elements.
    """

    __slots__ = ("ctor", "fields", "type")
    __match_args__ = ("ctor", "fields")

    def __init__(self, ctor, *fields):
        self.ctor = ctor
        self.fields = fields
        self.type = None

    @classmethod
    def _of(cls, type, ctor, fields):
        value = cls(ctor, *fields)
        value.type = type
        return value

    def __getitem__(self, index):
        return self.fields[index]

    def __len__(self):
        return len(self.fields)

    def __iter__(self):
        return iter(self.fields)

    def to_list(self):
        """The elements of a value such as ``Cons(1, Cons(2, Nil))``.

        Raises:
            TypeError: a constructor has fields other than an element and a rest.
        """
        items, value = [], self
        while value.fields:
            if len(value.fields) != 2 or not isinstance(value.fields[1], Data):
                raise TypeError(f"'{value.ctor}' has fields other than an element and a rest")
            items.append(value.fields[0])
            value = value.fields[1]
        return items

    def __eq__(self, other):
        if not isinstance(other, Data):
            return NotImplemented
        left, right = self, other
        # The last field is compared in a loop, since lists are long.
        while True:
            if left.ctor != right.ctor or len(left.fields) != len(right.fields):
                return False
            if not left.fields:
                return True
            if not all(_equal(a, b) for a, b in zip(left.fields[:-1], right.fields[:-1])):
                return False
            left, right = left.fields[-1], right.fields[-1]
            if not (isinstance(left, Data) and isinstance(right, Data)):
                return _equal(left, right)

    __hash__ = None

    def __repr__(self):
        parts, value, open_ = [], self, 0
        while isinstance(value, Data) and open_ < _SHOWN:
            parts.append(value.ctor)
            if not value.fields:
                return "".join(parts) + ")" * open_
            open_ += 1
            parts.append("(" + "".join(f"{field!r}, " for field in value.fields[:-1]))
            value = value.fields[-1]
        return "".join(parts) + ("..." if isinstance(value, Data) else repr(value)) + ")" * open_


def _equal(left, right):
    if isinstance(left, tuple) and isinstance(right, tuple):
        return len(left) == len(right) and all(_equal(a, b) for a, b in zip(left, right))
    if isinstance(left, np.ndarray) or isinstance(right, np.ndarray):
        return np.array_equal(left, right)
    return left == right
