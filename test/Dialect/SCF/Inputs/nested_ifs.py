"""Writes a nest of `scf.if` with one condition: `nested_ifs.py DEPTH`."""

import sys

depth = int(sys.argv[1])
print("func.func @nest(%a: i32, %c: i1) -> i32 {")
value = "%a"
for level in range(depth):
    print(f"%v{level} = arith.muli {value}, %a : i32\n%i{level} = scf.if %c -> i32 {{")
    value = f"%v{level}"
result = "%r"
print(f"%r = arith.addi {value}, {value} : i32")
for level in reversed(range(depth)):
    print(f"scf.yield {result} : i32\n}} else {{\nscf.yield %v{level} : i32\n}}")
    result = f"%i{level}"
print(f"return {result} : i32\n}}")
