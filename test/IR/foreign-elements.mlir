// RUN: %kopt --allow-unregistered-dialect %s | FileCheck %s

// Elements of shaped types of dialects that are not loaded, whose parameters begin with extents.
// CHECK: value = dense<[0, 1]> : !emitc.array<2xindex>
"emitc.constant"() <{value = dense<[0, 1]> : !emitc.array<2xindex>}> : () -> !emitc.array<2xindex>
// CHECK: value = dense<1.500000e+00> : !emitc.array<2x2xf32>
"emitc.constant"() <{value = dense<[[1.5, 1.5], [1.5, 1.5]]> : !emitc.array<2x2xf32>}> : () -> !emitc.array<2x2xf32>
