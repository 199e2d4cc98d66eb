// LLVM has no scalable vectors on this processor, where it would abort.
// REQUIRES: x86
// RUN: split-file %s %t
// RUN: not %kc run %t/reduction.mlir --entry main --inputs '[2]' 2>&1 | FileCheck %s --check-prefix=REDUCTION
// RUN: not %kc run %t/multi-reduction.mlir --entry main --inputs '[2]' 2>&1 | FileCheck %s --check-prefix=MULTI
// RUN: not %kc run %t/arithmetic.mlir --entry main --inputs '[2]' 2>&1 | FileCheck %s --check-prefix=ARITHMETIC
// RUN: not %kc build %t/vscale.mlir --entry main --emit=asm 2>&1 | FileCheck %s --check-prefix=VSCALE
// RUN: not %kc build %t/arguments.mlir --entry main --emit=obj -o %t.o 2>&1 | FileCheck %s --check-prefix=ARGUMENTS
// The 'llvm' dialect has them, whatever the processor.
// RUN: %kc build %t/reduction.mlir --entry main --emit=llvm-dialect | FileCheck %s --check-prefix=DIALECT
// DIALECT: vector<[4]xf32>

//--- reduction.mlir
// REDUCTION: error: scalable vectors cannot be compiled for x86-64
// REDUCTION-NEXT: reduction.mlir:4:8
func.func @main(%f: f32) -> f32 {
  %v = vector.broadcast %f : f32 to vector<[4]xf32>
  %r = vector.reduction <add>, %v : vector<[4]xf32> into f32
  return %r : f32
}
//--- multi-reduction.mlir
// MULTI: error: scalable vectors cannot be compiled for x86-64
func.func @main(%f: f32) -> f32 {
  %v = vector.broadcast %f : f32 to vector<2x[4]xf32>
  %a = vector.broadcast %f : f32 to vector<[4]xf32>
  %r = vector.multi_reduction <add>, %v, %a [0] : vector<2x[4]xf32> to vector<[4]xf32>
  %0 = vector.extract %r[0] : f32 from vector<[4]xf32>
  return %0 : f32
}
//--- arithmetic.mlir
// ARITHMETIC: error: scalable vectors cannot be compiled for x86-64
func.func @main(%f: f32) -> f32 {
  %v = vector.broadcast %f : f32 to vector<[4]xf32>
  %s = arith.addf %v, %v : vector<[4]xf32>
  %0 = vector.extract %s[0] : f32 from vector<[4]xf32>
  return %0 : f32
}
//--- vscale.mlir
// VSCALE: error: scalable vectors cannot be compiled for x86-64
func.func @main() -> index {
  %0 = vector.vscale
  return %0 : index
}
//--- arguments.mlir
// ARGUMENTS: error: scalable vectors cannot be compiled for x86-64
func.func @main(%m: memref<?xf32>, %i: index) {
  %c = arith.constant dense<1.0> : vector<[4]xf32>
  call @store(%c, %m, %i) : (vector<[4]xf32>, memref<?xf32>, index) -> ()
  return
}
func.func private @store(%v: vector<[4]xf32>, %m: memref<?xf32>, %i: index) attributes {no_inline} {
  vector.store %v, %m[%i] : memref<?xf32>, vector<[4]xf32>
  return
}
