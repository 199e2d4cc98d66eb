"""The exercise on MLIR's Python bindings (those of the package jaxlib): fixed-point numbers. `python fixed_mlir_python.py [run] program.mlir`.

A dialect cannot be declared from Python in this package: no types, attributes, operations, verifiers, custom forms, patterns or passes. The
operations are unregistered ones in generic form, and everything else is functions over them.
"""

import re
import subprocess
import sys

from jaxlib.mlir import ir
from jaxlib.mlir._mlir_libs import _jax_mlir_ext
from jaxlib.mlir.dialects import arith, scf

NUM = re.compile(r"!fixed\.num<(\d+)>")


def fraction(ty):
    """The number of fractional bits of a type: its parameter is text."""
    found = NUM.fullmatch(str(ty))
    if not found:
        raise ValueError(f"expected a number, found {ty}")
    if int(found.group(1)) > 30:
        raise ValueError(f"a number has at most 30 fractional bits, not {found.group(1)}")
    return int(found.group(1))


def verify(op):
    """The verifiers of the five operations, by name."""

    def check(condition, message):
        if not condition:
            raise ValueError(f"'{op.name}' op {message} ({op.location})")

    operands, results = [value.type for value in op.operands], [value.type for value in op.results]
    if op.name == "fixed.constant":
        check(not operands and len(results) == 1 and "units" in op.attributes, "has units and a result")
    elif op.name in ("fixed.add", "fixed.mul"):
        check(operands == 2 * results and len(results) == 1, "has operands and a result of one type")
    elif op.name == "fixed.repeat":
        check(len(operands) == 2 and isinstance(operands[0], ir.IndexType) and results == operands[1:], "takes an index and a number")
        check(len(op.regions) == 1 and len(op.regions[0].blocks) == 1, "has a region with one block")
        check([arg.type for arg in op.regions[0].blocks[0].arguments] == results, "has a region with one argument of its type")
    elif op.name == "fixed.yield":
        check(len(operands) == 1 and op.parent.name == "fixed.repeat", "stands in 'fixed.repeat'")
    else:
        check(False, "is unknown")
    for ty in operands + results:
        if not isinstance(ty, ir.IndexType):
            fraction(ty)


def walk(op):
    """The operations inside of an operation, outermost first; a list, since callers change the module."""
    for region in op.regions:
        for block in region.blocks:
            for inner in list(block.operations):
                yield inner.operation
                yield from walk(inner.operation)


def is_one(value):
    owner = getattr(value.owner, "operation", None)  # `None` for the argument of a block.
    return owner is not None and owner.name == "fixed.constant" and owner.attributes["units"].value == 1 << fraction(value.type)


def simplify(op):
    """The two patterns: a product with one, on either side. There is no driver: one application may enable another."""
    if op.name != "fixed.mul":
        return False
    for one, other in ((1, 0), (0, 1)):
        if is_one(op.operands[one]):
            op.results[0].replace_all_uses_with(op.operands[other])
            op.erase()
            return True
    return False


def canonicalize(module):
    while any(simplify(op) for op in list(walk(module.operation))):
        pass


def lower(op, values):
    """Lowers an operation; `values` maps numbers to integers of 32 bits."""
    i32, i64, index = (ir.IntegerType.get_signless(32), ir.IntegerType.get_signless(64), ir.IndexType.get())
    see = lambda value: values.get(value, value)
    if op.name == "fixed.constant":
        return arith.ConstantOp(i32, ir.IntegerAttr.get(i32, op.attributes["units"].value)).result
    if op.name == "fixed.add":
        return arith.AddIOp(see(op.operands[0]), see(op.operands[1])).result
    if op.name == "fixed.mul":
        bits = fraction(op.results[0].type)
        lhs, rhs = (arith.ExtSIOp(i64, see(value)).result for value in op.operands)
        product = arith.MulIOp(lhs, rhs).result
        if "rounding" in op.attributes and op.attributes["rounding"].value == "nearest":
            product = arith.AddIOp(product, arith.ConstantOp(i64, ir.IntegerAttr.get(i64, (1 << bits) >> 1)).result).result
        shift = arith.ConstantOp(i64, ir.IntegerAttr.get(i64, bits)).result
        return arith.TruncIOp(i32, arith.ShRSIOp(product, shift).result).result
    zero, one = (arith.ConstantOp(index, ir.IntegerAttr.get(index, value)).result for value in (0, 1))
    loop = scf.ForOp(zero, see(op.operands[0]), one, [see(op.operands[1])])
    block = op.regions[0].blocks[0]
    with ir.InsertionPoint(loop.body):
        values[block.arguments[0]] = loop.inner_iter_args[0]
        convert(block, values)
    return loop.results[0]


def convert(block, values):
    """Lowers the operations of a block to the insertion point; other operations are cloned with converted operands."""
    for op in [inner.operation for inner in block.operations]:
        operands = [values.get(value, value) for value in op.operands]
        with op.location:
            if op.name == "fixed.yield":
                scf.YieldOp(operands)
            elif op.name.startswith("fixed."):
                values[op.results[0]] = lower(op, values)
            else:
                new = op.clone()
                for index, operand in enumerate(operands):
                    new.operands[index] = operand
                for old, result in zip(op.results, new.results):
                    values[old] = result


def lower_fixed(module):
    """The conversion: each function is rebuilt with converted types."""
    i32 = ir.IntegerType.get_signless(32)
    converted = lambda types: [i32 if NUM.fullmatch(str(ty)) else ty for ty in types]
    for func in list(module.body.operations):
        ty = func.type
        with ir.InsertionPoint(func), func.location:
            new_type = ir.FunctionType.get(converted(ty.inputs), converted(ty.results))
            new = type(func)(func.name.value, new_type)
            old, entry = func.regions[0].blocks[0], new.add_entry_block()
            with ir.InsertionPoint(entry):
                convert(old, dict(zip(old.arguments, entry.arguments)))
        func.operation.erase()


def main():
    run, path = sys.argv[1] == "run", sys.argv[-1]
    with ir.Context() as context, ir.Location.unknown():
        registry = ir.DialectRegistry()
        _jax_mlir_ext.register_dialects(registry)
        context.append_dialect_registry(registry)
        context.load_all_available_dialects()
        context.allow_unregistered_dialects = True
        with open(path) as file:
            module = ir.Module.parse(file.read())
        for op in walk(module.operation):
            if op.name.startswith("fixed."):
                verify(op)
        canonicalize(module)
        lower_fixed(module)
        module.operation.verify()
        if not run:
            return print(module)
        passes = ["--convert-scf-to-cf", "--convert-to-llvm", "--reconcile-unrealized-casts"]
        text = subprocess.run(["mlir-opt", *passes], input=str(module), text=True, check=True, stdout=subprocess.PIPE).stdout
        subprocess.run(["mlir-runner", "-e", "main", "-entry-point-result=i32"], input=text, text=True, check=True)


if __name__ == "__main__":
    main()
