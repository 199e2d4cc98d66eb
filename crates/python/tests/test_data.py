"""Values of algebraic data types."""

import minoan as mn
import numpy as np
import pytest

TEXT = """#[version = "0.0.5"]
type Shape { Circle(float32), Box(float32, float32), Named(Tensor[(2), float32], (int32, bool)) }
type Tree[A] { Leaf(A), Node(Tree[A], Tree[A]) }
type Option[A] { Some(A), None }
type List[A] { Cons(A, List[A]), Nil }
def @area(%s: Shape) -> float32 {
  match (%s) { Circle(%r) => %r * %r * 3f, Box(%a, %b) => %a * %b, Named(%t, _) => sum(%t) }
}
def @total(%xs: List[float32]) -> float32 { match (%xs) { Cons(%x, %rest) => %x + @total(%rest), Nil => 0f } }
def @count(%n: int32) -> List[int32] { if (%n == 0) { Nil } else { Cons(%n, @count(%n - 1)) } }
def @twice(%t: Tree[float32]) -> Tree[float32] {
  match (%t) { Leaf(%x) => Leaf(%x + %x), Node(%l, %r) => Node(@twice(%l), @twice(%r)) }
}
def @first(%xs: List[Tensor[(2), float32]]) -> Option[Tensor[(2), float32]] {
  match (%xs) { Cons(%x, _) => Some(%x), Nil => None }
}
def @same(%p: (Shape, int32)) -> (Shape, int32) { %p }
def @inside(%x: Tensor[(3), float32]) -> Tensor[(3), float32] {
  match (Some(%x)) { Some(%y) => %y + %y, None => %x }
}
"""


@pytest.fixture(scope="module")
def program():
    return mn.loads(TEXT, "relay")


def test_values_are_taken_apart(program):
    area = program["area"]
    assert area(mn.Data("Circle", 2.0)) == 12.0
    assert area({"ctor": "Box", "fields": [2.0, 3.5]}) == 7.0
    assert area(mn.Data("Named", np.array([1, 2], "f4"), (5, True))) == 3.0
    assert repr(area) == "<Function area(s: Shape[]) -> float32[]>"


def test_results_are_values(program):
    numbers = program["count"](3)
    assert numbers == mn.Data("Cons", 3, mn.Data("Cons", 2, mn.Data("Cons", 1, mn.Data("Nil"))))
    assert repr(numbers) == "Cons(3, Cons(2, Cons(1, Nil)))" and numbers.type == "List[int32]"
    assert numbers.to_list() == [3, 2, 1] and numbers[0] == 3 and len(numbers) == 2
    match numbers:
        case mn.Data("Cons", (head, tail)):
            assert head == 3 and tail.to_list() == [2, 1]
        case _:
            raise AssertionError
    tree = mn.Data("Node", mn.Data("Leaf", 1.5), mn.Data("Node", mn.Data("Leaf", 2.0), mn.Data("Leaf", 0.5)))
    assert repr(program["twice"](tree)) == "Node(Leaf(3.0), Node(Leaf(4.0), Leaf(1.0)))"
    with pytest.raises(TypeError, match="'Leaf' has fields other than"):
        tree.to_list()
    pair = (mn.Data("Box", 1.0, 2.0), 7)
    assert program["same"](pair) == pair
    assert program["area"].interpret(mn.Data("Box", 1.0, 2.0)) == 2.0


def test_lists_of_python_are_lists(program):
    assert program["total"]([1.5, 2, 3]) == 6.5 and program["total"]([]) == 0
    assert program["total"](mn.Data("Cons", 1.0, [2.0, 3.0])) == 6.0
    found = program["first"]([np.array([1, 2], "f4"), [3, 4]])
    assert found.ctor == "Some" and found[0].tolist() == [1, 2] and found[0].dtype == np.float32
    assert program["first"]([]) == mn.Data("None")
    assert program["first"]("Nil") == mn.Data("None") != found


def test_long_lists_do_not_exhaust_the_stack(program):
    tail = mn.loads(TEXT + "def @tail(%xs: List[int32]) -> List[int32] { match (%xs) { Cons(_, %r) => %r, Nil => Nil } }", "relay")["tail"]
    long = tail(list(range(20_000)))
    assert long.to_list() == list(range(1, 20_000)) and repr(long).endswith("...))" + ")" * 98)
    assert long == tail(list(range(20_000))) and long != tail(list(range(19_999)))


def test_wrong_values_are_exceptions(program):
    area, total = program["area"], program["total"]
    for value, message in [
        (mn.Data("Circle"), "parameter 's': 'Circle' has 1 field, found 0"),
        (mn.Data("Sphere", 1.0), "expected a value of type 'Shape' with 'Circle' or 'Box' or 'Named', found 'Sphere'"),
        (mn.Data("Box", 1.0, "x"), "parameter 's', field 2 of 'Box': "),
        (5, "with 'Circle' or 'Box' or 'Named', found a value of type int"),
        ([1.0], "expected a value of type 'Shape', found a list"),
        ({}, "found a dict without 'ctor'"),
        (mn.Data("Named", np.zeros(2, "f4"), (1,)), "expected a tuple of 2 values, found a tuple of 1"),
    ]:
        with pytest.raises(TypeError) as caught:
            area(value)
        assert message in str(caught.value)
    with pytest.raises(ValueError, match=r"expected a tensor of shape \[2\]"):
        area(mn.Data("Named", np.zeros(3, "f4"), (1, True)))
    with pytest.raises(TypeError, match=r"parameter 'xs'\[1\]"):
        total([1.0, "x"])
    with pytest.raises(TypeError, match="out: the results are not only arrays"):
        total([1.0], out=np.zeros(1))
    deep = mn.Data("Leaf", 1.0)
    for _ in range(100_000):
        deep = mn.Data("Node", deep, mn.Data("Leaf", 1.0))
    with pytest.raises(ValueError, match="nested too deeply"):
        program["twice"](deep)


def test_the_interpreter_runs_any_function(program, dot):
    x = np.array([1, 2, 3], "f4")
    assert dot.interpret(x, b=x) == dot(x, x) == 14.0
    assert isinstance(dot.interpret(x, x), float)
    np.testing.assert_array_equal(program["inside"].interpret(x), x + x)
    with pytest.raises(TypeError):
        dot.interpret(x)
