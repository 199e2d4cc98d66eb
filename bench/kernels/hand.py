"""Kernels written by hand as MLIR text, which the compiler's own are measured against.

Each function returns the text of `func.func @main` on buffers, the last argument of which is the output.
"""


def matmul(m, n, k, rows=6, columns=64, pack=False):
    """Tiles of rows x columns accumulators; the extents are multiples of the tile or the last tile moves back."""
    lane = f"vector<{columns}xf32>"
    a, b, c = f"memref<{m}x{k}xf32>", f"memref<{k}x{n}xf32>", f"memref<{m}x{n}xf32>"
    out = [f"func.func @main(%a: {a}, %b: {b}, %c: {c}) {{"]
    for value in sorted({0, 1, rows, columns, m, n, k, m - rows, n - columns} | set(range(rows))):
        out.append(f"  %c{value} = arith.constant {value} : index")
    out.append(f"  %zero = arith.constant dense<0.0> : {lane}")
    strip, row = "%b", "%j"
    strip_type = b
    if pack:
        strip, row, strip_type = "%s", "%c0", f"memref<{k}x{columns}xf32>"
        out.append(f"  %s = memref.alloc() {{alignment = 64 : i64}} : {strip_type}")
    out.append(f"  scf.for %j0 = %c0 to %c{n} step %c{columns} {{")
    out.append(f"    %j = arith.minsi %j0, %c{n - columns} : index")
    if pack:
        out.append(f"    scf.for %p = %c0 to %c{k} step %c1 {{")
        out.append(f"      %v = vector.load %b[%p, %j] : {b}, {lane}")
        out.append(f"      vector.store %v, %s[%p, %c0] : {strip_type}, {lane}")
        out.append("    }")
    out.append(f"    scf.for %i0 = %c0 to %c{m} step %c{rows} {{")
    out.append(f"      %i = arith.minsi %i0, %c{m - rows} : index")
    for r in range(rows):
        out.append(f"      %i{r}_ = arith.addi %i, %c{r} : index")
    args = ", ".join(f"%x{r} = %zero" for r in range(rows))
    types = ", ".join([lane] * rows)
    out.append(f"      %r:{rows} = scf.for %p = %c0 to %c{k} step %c1 iter_args({args}) -> ({types}) {{")
    out.append(f"        %v = vector.load {strip}[%p, {row}] : {strip_type}, {lane}")
    for r in range(rows):
        out.append(f"        %s{r} = memref.load %a[%i{r}_, %p] : {a}")
        out.append(f"        %b{r} = vector.broadcast %s{r} : f32 to {lane}")
        out.append(f"        %n{r} = vector.fma %b{r}, %v, %x{r} : {lane}")
    out.append("        scf.yield " + ", ".join(f"%n{r}" for r in range(rows)) + f" : {types}")
    out.append("      }")
    for r in range(rows):
        out.append(f"      vector.store %r#{r}, %c[%i{r}_, %j] : {c}, {lane}")
    out += ["    }", "  }"]
    if pack:
        out.append(f"  memref.dealloc %s : {strip_type}")
    return "\n".join(out + ["  return", "}"])


def row_normalize(m, n, columns=64):
    """The sum of a row in one vector of partial sums, then the division."""
    lane, x = f"vector<{columns}xf32>", f"memref<{m}x{n}xf32>"
    return f"""func.func @main(%x: {x}, %y: {x}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %step = arith.constant {columns} : index
  %m = arith.constant {m} : index
  %n = arith.constant {n} : index
  %zero = arith.constant dense<0.0> : {lane}
  %one = arith.constant 1.0 : f32
  scf.for %i = %c0 to %m step %c1 {{
    %sums = scf.for %j = %c0 to %n step %step iter_args(%s = %zero) -> ({lane}) {{
      %v = vector.load %x[%i, %j] : {x}, {lane}
      %t = arith.addf %s, %v : {lane}
      scf.yield %t : {lane}
    }}
    %sum = vector.reduction <add>, %sums fastmath<reassoc> : {lane} into f32
    %inverse = arith.divf %one, %sum : f32
    %scale = vector.broadcast %inverse : f32 to {lane}
    scf.for %j = %c0 to %n step %step {{
      %v = vector.load %x[%i, %j] : {x}, {lane}
      %t = arith.mulf %v, %scale : {lane}
      vector.store %t, %y[%i, %j] : {x}, {lane}
    }}
  }}
  return
}}"""
