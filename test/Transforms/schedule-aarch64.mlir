// A product for AArch64, with the machine that the module describes: 6 x 4 vectors of NEON, whose accumulators are in registers.
// REQUIRES: mlir-opt
// RUN: %kopt %s --pass-pipeline="builtin.module(form-kernels,schedule-kernels)" | FileCheck %s
// RUN: %kopt %s --pass-pipeline="builtin.module(form-kernels,schedule-kernels,dce,plan-buffers,emit-kernels)" -o %t.mlir
// RUN: %mlir-opt %t.mlir --canonicalize --cse --convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-vector-to-llvm --convert-to-llvm --reconcile-unrealized-casts -o %t.llvm.mlir
// RUN: mlir-translate --mlir-to-llvmir %t.llvm.mlir | opt -O2 | llc -O3 -mtriple=aarch64-linux-gnu -mcpu=neoverse-n1 | FileCheck %s --check-prefix=NEON

// CHECK: plan <par j/16 { for i/6 tail(shift) { for k { sum[i:6u, j:16v] } } }>

// NEON-LABEL: main:
// NEON: fmla v{{[0-9]+}}.4s
// NEON-NOT: Spill
// NEON-COUNT-23: fmla v{{[0-9]+}}.4s
// NEON-NOT: fmla

#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"CPU" = #dlti.target_device_spec<"max_vector_op_width" = 128 : i64, "vector_registers" = 32 : i64, "has_fma" = true>>} {
  func.func @main(%a: tensor<96x128xf32>, %b: tensor<128x96xf32>) -> tensor<96x96xf32> {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<96x96xf32>
    %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<96x96xf32>) -> tensor<96x96xf32>
    %product = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<96x128xf32>, tensor<128x96xf32>) outs(%init : tensor<96x96xf32>) {
    ^bb0(%x: f32, %y: f32, %sum: f32):
      %p = arith.mulf %x, %y fastmath<contract> : f32
      %s = arith.addf %sum, %p fastmath<reassoc,contract> : f32
      linalg.yield %s : f32
    } -> tensor<96x96xf32>
    return %product : tensor<96x96xf32>
  }
}
