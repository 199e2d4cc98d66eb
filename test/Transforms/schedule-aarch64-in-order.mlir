// A sum in order of exponentials, for AArch64: the exponentials are polynomials on vectors of NEON, the additions scalar ones.
// REQUIRES: mlir-opt
// RUN: %kopt %s --pass-pipeline="builtin.module(form-kernels,schedule-kernels)" | FileCheck %s
// RUN: %kopt %s --pass-pipeline="builtin.module(form-kernels,schedule-kernels,dce,plan-buffers,emit-kernels,hoist-buffers,expand-math)" -o %t.mlir
// RUN: %mlir-opt %t.mlir --canonicalize --cse --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-vector-to-llvm --convert-to-llvm --reconcile-unrealized-casts -o %t.llvm.mlir
// RUN: mlir-translate --mlir-to-llvmir %t.llvm.mlir | opt -O2 | llc -O3 -mtriple=aarch64-linux-gnu -mcpu=neoverse-n1 | FileCheck %s --check-prefix=NEON

// CHECK: plan <for i/16 { exp[i:16v] for i { sum[] } }>

// NEON-LABEL: main:
// NEON-NOT: expf
// NEON: fmla v{{[0-9]+}}.4s
// NEON: fadd s{{[0-9]+}}, s{{[0-9]+}}, s{{[0-9]+}}
// NEON-NOT: expf

#map = affine_map<(d0) -> (d0)>
#scalar = affine_map<(d0) -> ()>
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"CPU" = #dlti.target_device_spec<"max_vector_op_width" = 128 : i64, "vector_registers" = 32 : i64, "has_fma" = true>>} {
  func.func @main(%x: tensor<4096xf32>, %out: tensor<f32>) -> tensor<f32> {
    %sum = linalg.generic {indexing_maps = [#map, #scalar], iterator_types = ["reduction"]} ins(%x : tensor<4096xf32>) outs(%out : tensor<f32>) {
    ^bb0(%a: f32, %o: f32):
      %e = math.exp %a : f32
      %s = arith.addf %o, %e : f32
      linalg.yield %s : f32
    } -> tensor<f32>
    return %sum : tensor<f32>
  }
}
