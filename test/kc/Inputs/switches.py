"""Writes a module with a switch of 150 cases for each of several widths.

switches.py FILE: writes the module, whose function 'main' takes -7, 1000 and 0 and returns the results for cases and other numbers.
Prints the expected output.
"""

import random
import sys

random.seed(1)
text = []
calls = []
expected = []
n_calls = 0
for width in (8, 13, 32, 64, 100, 128):
    # The parser of MLIR takes cases of at most 64 bits.
    least, greatest = -(1 << (min(width, 64) - 1)), (1 << (min(width, 64) - 1)) - 1
    values = {least, greatest, 0, -1, 1, least + 1, greatest - 1}
    while len(values) < 150:
        values.add(random.randint(least, greatest))
    values = list(values)
    random.shuffle(values)
    cases = "".join(f", {value}: ^c{at}(%b : i64)" for at, value in enumerate(values))
    text.append(f"func.func @w{width}(%x: i{width}, %a: i64, %b: i64) -> i64 {{\n")
    text.append(f"  cf.switch %x : i{width}, [default: ^r(%a : i64){cases}]\n")
    for at in range(len(values)):
        text.append(f"^c{at}(%x{at}: i64):\n  %k{at} = arith.constant {at} : i64\n")
        text.append(f"  %y{at} = arith.addi %x{at}, %k{at} : i64\n  cf.br ^r(%y{at} : i64)\n")
    text.append("^r(%r: i64):\n  return %r : i64\n}\n")
    cast = {64: "addi %z, %z"}.get(width, "trunci %z" if width < 64 else "extsi %z")
    types = "i64" if width == 64 else f"i64 to i{width}"
    calls.append(f"  %z{width} = arith.{cast} : {types}\n")
    for value in [*values[:5], least, greatest, 0, -1, 2, least + 2]:
        at = n_calls
        n_calls += 1
        calls.append(f"  %k{at} = arith.constant {value} : i{width}\n")
        calls.append(f"  %x{at} = arith.addi %k{at}, %z{width} : i{width}\n")
        calls.append(f"  %r{at} = call @w{width}(%x{at}, %a, %b) : (i{width}, i64, i64) -> i64\n")
        expected.append(str(1000 + values.index(value) if value in values else -7))
types = ", ".join(["i64"] * n_calls)
text.append(f"func.func @main(%a: i64, %b: i64, %z: i64) -> ({types}) {{\n")
text.extend(calls)
text.append("  return " + ", ".join(f"%r{at}" for at in range(n_calls)) + f" : {types}\n}}\n")
print(f"({', '.join(expected)})")
with open(sys.argv[1], "w") as file:
    file.write("".join(text))
