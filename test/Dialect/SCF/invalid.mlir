// RUN: not %kopt %s 2>&1 | FileCheck %s

func.func @yields_too_little(%c: i1) {
  // CHECK: error: 'scf.if' op along control flow edge from Operation scf.yield to parent: region branch point has 0 operands, but region successor needs 1 inputs
  // CHECK: invalid.mlir:6:
  %r = scf.if %c -> (f32) {
    scf.yield
  } else {
    scf.yield
  }
  return
}

func.func @no_else(%c: i1, %x: f32) {
  // CHECK: error: 'scf.if' op must have an else block if defining values
  %r = scf.if %c -> (f32) {
    scf.yield %x : f32
  }
  return
}
