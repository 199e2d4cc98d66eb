// A conversion with the rounding mode of the processor is an ordinary one. LLVM's operation with a mode took the result of the
// conversion to bf16 from the wrong register.

// RUN: %kc build %s --entry narrow --emit=llvm-ir | FileCheck %s
// RUN: %kc run %s --entry narrow --inputs '[0.0]' | FileCheck %s --check-prefix=ZERO
// RUN: %kc run %s --entry narrow --inputs '[-3.7]' | FileCheck %s --check-prefix=VALUE
// ZERO: {{^}}0{{$}}
// VALUE: {{^}}-3.703125{{$}}

// CHECK-NOT: constrained
// CHECK: add i32 %{{.*}}, 32767
// CHECK-NOT: constrained
func.func @narrow(%x: f32) -> f32 {
  %0 = arith.truncf %x to_nearest_even : f32 to bf16
  %1 = arith.extf %0 : bf16 to f32
  return %1 : f32
}
