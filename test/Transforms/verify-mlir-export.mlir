// Reports operations without an MLIR form at their locations, and tells lowered ones from unknown ones.
// RUN: %kopt %s --verify-mlir-export --split-input-file --verify-diagnostics --allow-unregistered-dialect
// RUN: not %kopt %s --split-input-file --allow-unregistered-dialect --pass-pipeline='builtin.module(func.func(verify-mlir-export))' -o %t 2>&1 | FileCheck %s
// CHECK-NOT: knossos
// CHECK: error: 'other.op' op has no form in MLIR: dialect 'other' is not loaded

func.func @same(%x: tensor<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %0 = tensor.extract %x[%c0] : tensor<4xf32>
  %1 = arith.addf %0, %0 fastmath<fast> : f32
  return %1 : f32
}

// -----

// expected-error@below {{'knossos.func' op has no form in MLIR: dialect 'knossos' must be lowered first}}
knossos.func @f(%x: f32) -> f32 {
  // expected-error@below {{'knossos.return' op has no form in MLIR: dialect 'knossos' must be lowered first}}
  knossos.return %x : f32
}

// -----

func.func @unknown(%x: f32) {
  // expected-error@below {{'other.op' op has no form in MLIR: dialect 'other' is not loaded}}
  "other.op"(%x) : (f32) -> ()
  return
}

// -----

// expected-error@below {{'func.func' op has an attribute with a type that MLIR does not know: '!knossos.string'}}
func.func private @types(!knossos.string) -> tuple<f32, !knossos.string>

// -----

// A type of a dialect that is not loaded is text, which MLIR knows or not.
func.func private @text(!llvm.ptr)
