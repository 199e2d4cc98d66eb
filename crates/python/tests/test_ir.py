"""Modules as objects: walks, edits, passes and patterns in Python."""

import random

import minoan as mn
import numpy as np
import pytest

TEXT = """\
module {
  func.func @f(%arg0: i32) -> i32 {
    %c0_i32 = arith.constant 0 : i32
    %0 = arith.addi %arg0, %c0_i32 : i32
    %1 = arith.muli %0, %0 : i32
    return %1 : i32
  }
}
"""


@pytest.fixture
def module():
    return mn.parse(TEXT)


def function(module, name="f"):
    return next(op for op in module.walk() if op.symbol == name)


@mn.pattern("arith.addi")
def add_zero(op, rewriter):
    left, right = op.operands
    if right.owner and right.owner.name == "arith.constant" and right.owner.attributes["value"].value == 0:
        rewriter.replace(op, left)


def test_modules_print_and_parse(module):
    assert str(module) == TEXT and str(mn.parse(str(module))) == TEXT
    assert module.functions == ["f"]
    assert '"func.func"()' in module.text(generic=True)
    assert "loc(" in module.text(debuginfo=True)
    assert "<pre" in module._repr_html_() and "arith.addi" in module._repr_html_()
    with pytest.raises(mn.CompileError) as caught:
        mn.parse("func.func @f() {\n  arith.addi\n}", "a.mlir")
    assert "a.mlir:" in str(caught.value) and "^" in str(caught.value)


def test_operations_are_walked(module):
    names = [op.name for op in module.walk()]
    assert names == ["builtin.module", "func.func", "arith.constant", "arith.addi", "arith.muli", "func.return"]
    _, func, constant, add, multiply, end = module.walk()
    assert [op.name for op in func.walk()] == names[2:]
    assert add.operands[1] == constant.result and add.operands[1].owner == constant
    assert add.operands[0].owner is None and add.operands[0].index == 0
    assert add.result.uses == [(multiply, 1), (multiply, 0)] or add.result.uses == [(multiply, 0), (multiply, 1)]
    assert str(add.result.type) == "i32" and add.result.type.width == 32 and add.result.type == "i32"
    assert constant.attributes["value"].value == 0 and str(constant.attributes["value"]) == "0 : i32"
    assert add.parent == func and func.parent.name == "builtin.module" and func.parent.parent is None
    assert add.next == multiply and multiply.prev == add and end.next is None
    assert [op.name for op in func.regions[0].blocks[0]] == names[2:]
    assert func.regions[0].blocks[0].terminator == end and len(func.regions[0].blocks[0].arguments) == 1
    assert '"<string>":4:' in add.location
    assert str(add) == "%0 = arith.addi %<<UNKNOWN SSA VALUE>>, %<<UNKNOWN SSA VALUE>> : i32" or "arith.addi" in str(add)


def test_patterns_of_python(module):
    assert mn.apply_patterns(module, [add_zero])
    assert not mn.apply_patterns(module, [add_zero])
    mn.run(module, "canonicalize,cse")
    assert [op.name for op in module.walk()] == ["builtin.module", "func.func", "arith.muli", "func.return"]
    assert module["f"](7) == 49


def test_patterns_that_do_not_end(module):
    @mn.pattern
    def touch(op, rewriter):
        rewriter.set_attribute(op, "touched", 1)

    with pytest.raises(mn.Error, match="10 iterations"):
        mn.apply_patterns(module, [touch])


def test_passes_of_python(module):
    seen = []

    def strength_reduction(module):
        seen.append(len(module.walk()))
        for op in module.walk():
            if op.name == "arith.muli" and op.operands[0] == op.operands[1]:
                builder = mn.Builder.before(op)
                two = builder.create("arith.constant", results=["i32"], attributes={"value": module.attr("2 : i32")})
                op.replace(builder.create("arith.muli", [op.operands[0], two], ["i32"]))

    mn.run(module, [strength_reduction, "canonicalize"], "cse")
    assert seen == [6] and module["f"](21) == 42

    def broken(module):
        mn.Builder.before(function(module).walk()[0]).create("arith.addi", results=["f32"])

    with pytest.raises(mn.CompileError, match="expected 2 operands"):
        mn.run(module, broken)
    with pytest.raises(mn.CompileError, match="expected 2 operands"):
        mn.run(module, "canonicalize")
    assert '"arith.addi"()' in str(module)
    with pytest.raises(mn.CompileError, match="registered pass"):
        mn.run(mn.parse(TEXT), "no-such-pass")


def test_functions_are_built():
    module = mn.parse("module {}")
    top = mn.Builder.at_end(module.body)
    func = top.create(
        "func.func",
        regions=1,
        attributes={"sym_name": "norm", "function_type": module.attr("(f64, f64) -> f64")},
    )
    block = func.regions[0].add_block("f64", "f64")
    builder = mn.Builder.at_end(block)
    squares = [builder.create("arith.mulf", [x, x], ["f64"]) for x in block.arguments]
    total = builder.create("arith.addf", squares, ["f64"])
    builder.create("func.return", [builder.create("math.sqrt", [total], ["f64"])])
    module.verify()
    norm = module["norm"]
    assert norm(3.0, 4.0) == 5.0
    np.testing.assert_allclose(mn.grad(norm)(3.0, 4.0), (0.6, 0.8))


def test_stale_handles_raise(module):
    before = module.walk()
    add = before[3]
    result = add.result
    add.replace(add.operands[0])
    for use in (lambda: add.name, lambda: add.operands, lambda: add.erase(), lambda: str(add), lambda: result.type):
        with pytest.raises(mn.StaleHandle):
            use()
    assert not add.is_alive and repr(add) == "<Operation, erased>"
    mn.run(module, "canonicalize,cse,inline,symbol-dce")
    for op in before:
        try:
            op.name, op.operands, op.regions, op.block, str(op)
        except mn.StaleHandle:
            assert not op.is_alive


def test_impossible_edits_are_errors(module):
    _, func, constant, add, multiply, end = module.walk()
    other = mn.parse(TEXT)
    foreign = function(other).walk()[0]
    for wrong in (
        lambda: constant.erase(),
        lambda: module.op.erase(),
        lambda: add.replace(),
        lambda: add.replace(add.result),
        lambda: add.replace(foreign.result),
        lambda: add.set_operand(0, foreign.result),
        lambda: add.move_before(foreign),
        lambda: mn.Builder.before(add).create("arith.addi", [foreign]),
        lambda: mn.Builder.before(add).create("no.such"),
        lambda: mn.Builder.before(add).create("arith.addi", results=["no type"]),
        lambda: mn.Builder.before(add).create("arith.addi", regions=10**9),
        lambda: add.set_attribute("", 1),
        lambda: multiply.regions[0],
        lambda: add.set_operand(9, add.operands[0]),
        lambda: add.set_attribute("x", object()),
        lambda: add.set_attribute("x", 2**64),
    ):
        with pytest.raises((ValueError, TypeError, IndexError, OverflowError)):
            wrong()
    assert str(module) == TEXT
    add.move_after(multiply)
    with pytest.raises(mn.CompileError, match="dominate"):
        module.verify()


def test_attributes(module):
    op = function(module)
    session = mn.default_session()
    for value in (1, -5, True, 1.5, "text", [1, 2.0, "x"], {"a": 1, "b": [True]}, session.type_("tensor<2x?xf32>")):
        op.set_attribute("mine", value)
        assert op.attributes["mine"].value == value
    module.verify()
    op.set_attribute("mine", None)
    assert "mine" not in op.attributes
    assert session.type_("tensor<2x?xf32>").shape == [2, None] and session.type_("memref<4xi8>").element == "i8"
    assert session.attr("array<i64: 1, 2>").value == [1, 2] and session.attr("@f").value == "f"
    for wrong in (session.type_, session.attr):
        with pytest.raises(mn.CompileError):
            wrong("<<")


def test_random_edits_never_crash():
    """Random edits through fresh and stale handles: each works or raises."""
    rng = random.Random(11)
    for _ in range(30):
        module = mn.parse(TEXT)
        handles = module.walk()
        blocks = [block for op in handles for region in op.regions for block in region.blocks]
        values = [value for op in handles for value in op.results] + [v for block in blocks for v in block.arguments]
        for _ in range(40):
            op, block, value = rng.choice(handles), rng.choice(blocks), rng.choice(values)
            edits = [
                lambda: op.erase(),
                lambda: op.replace(value),
                lambda: op.replace(rng.choice(handles)),
                lambda: op.set_operand(rng.randint(0, 2), value),
                lambda: op.move_before(rng.choice(handles)),
                lambda: op.move_after(rng.choice(handles)),
                lambda: op.set_attribute(rng.choice(["value", "sym_name", "function_type", "x"]), rng.choice([1, "f", None])),
                lambda: value.replace_all_uses(rng.choice(values)),
                lambda: block.add_argument("f32"),
                lambda: block.erase(),
                lambda: handles.append(mn.Builder.before(op).create(rng.choice(["arith.addi", "scf.if", "func.func", "func.return"]), [value], ["i32"], regions=rng.randint(0, 2))),
                lambda: handles.append(mn.Builder.at_end(block).create("cf.br", successors=[rng.choice(blocks)])),
                lambda: blocks.extend(region.add_block("i32") for region in op.regions),
                lambda: mn.run(module, rng.choice(["canonicalize", "cse", "dce"])),
                lambda: (str(op), str(module), repr(value), op.walk(), module.walk()),
                lambda: module.verify(),
            ]
            try:
                rng.choice(edits)()
            except (mn.Error, ValueError, TypeError, IndexError) as error:
                assert "internal error" not in str(error), error
