// RUN: %kopt %s --allow-unregistered-dialect | grep . > %t.ours
// RUN: %mlir-opt %s --allow-unregistered-dialect | grep . > %t.theirs
// RUN: diff %t.ours %t.theirs
// RUN: %kopt %s --allow-unregistered-dialect --mlir-print-op-generic | grep . > %t.ours
// RUN: %mlir-opt %s --allow-unregistered-dialect --mlir-print-op-generic | grep . > %t.theirs
// RUN: diff %t.ours %t.theirs
// RUN: %kopt %s --allow-unregistered-dialect --mlir-elide-elementsattrs-if-larger=1 | grep . > %t.ours
// RUN: %mlir-opt %s --allow-unregistered-dialect --mlir-elide-elementsattrs-if-larger=1 | grep . > %t.theirs
// RUN: diff %t.ours %t.theirs
// RUN: %kopt %s --allow-unregistered-dialect --mlir-print-elementsattrs-with-hex-if-larger=1 | grep . > %t.ours
// RUN: %mlir-opt %s --allow-unregistered-dialect --mlir-print-elementsattrs-with-hex-if-larger=1 | grep . > %t.theirs
// RUN: diff %t.ours %t.theirs
// RUN: %kopt %s --allow-unregistered-dialect --mlir-print-elementsattrs-with-hex-if-larger=-1 | grep . > %t.ours
// RUN: %mlir-opt %s --allow-unregistered-dialect --mlir-print-elementsattrs-with-hex-if-larger=-1 | grep . > %t.theirs
// RUN: diff %t.ours %t.theirs
// Dense, sparse and resource elements, and dense arrays.

"t.x"() {a = array<i32>} : () -> ()
"t.x"() {b = array<i32: 1, -2>} : () -> ()
"t.x"() {c = array<i1: true, false>} : () -> ()
"t.x"() {d = array<f32: 1.0, 2.5>} : () -> ()
"t.x"() {e = array<f64: 1.0e10>} : () -> ()
"t.x"() {f = array<i8: 255, -1>} : () -> ()
"t.x"() {g = array<ui8: 255>} : () -> ()
"t.x"() {h = array<i64: 1>} : () -> ()
"t.x"() {i = array<bf16: 1.0>} : () -> ()
"t.x"() {j = array<i16: 3>} : () -> ()
"t.x"() {a = dense<1> : tensor<4xi32>} : () -> ()
"t.x"() {b = dense<[1, 2]> : tensor<2xi32>} : () -> ()
"t.x"() {c = dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>} : () -> ()
"t.x"() {d = dense<true> : tensor<4xi1>} : () -> ()
"t.x"() {e = dense<[true, false, true]> : tensor<3xi1>} : () -> ()
"t.x"() {f = dense<1.5> : vector<4xf32>} : () -> ()
"t.x"() {g = dense<[1.0, 2.0]> : tensor<2xf64>} : () -> ()
"t.x"() {h = dense<> : tensor<0xi32>} : () -> ()
"t.x"() {i = dense<"0x01020304"> : tensor<4xi8>} : () -> ()
"t.x"() {j = dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>} : () -> ()
"t.x"() {k = dense<[(1, 2), (3, 4)]> : tensor<2xcomplex<i32>>} : () -> ()
"t.x"() {l = dense<"str"> : tensor<2x!foo.s>} : () -> ()
"t.x"() {m = dense<["a", "b"]> : tensor<2x!foo.s>} : () -> ()
"t.x"() {n = dense<-1> : tensor<2xi64>} : () -> ()
"t.x"() {o = dense<0x7FC00000> : tensor<2xf32>} : () -> ()
"t.x"() {p = dense<[0xFF800000, 1.0]> : tensor<2xf32>} : () -> ()
"t.x"() {q = dense<255> : tensor<2xui8>} : () -> ()
"t.x"() {r = dense<[1,2]> : tensor<2xindex>} : () -> ()
"t.x"() {s = dense<5> : tensor<i32>} : () -> ()
"t.x"() {t = dense<[1, 1]> : tensor<2xi32>} : () -> ()
"t.x"() {u = dense<[[1, 1], [1, 1]]> : tensor<2x2xi32>} : () -> ()
"t.x"() {v = dense<"0xFF"> : tensor<8xi1>} : () -> ()
"t.x"() {w = dense<1> : tensor<3xi3>} : () -> ()
"t.x"() {x = dense<[1, -1]> : tensor<2xi4>} : () -> ()
"t.x"() {a = dense<"0x0001FF"> : tensor<3xi8>} : () -> ()
"t.x"() {b = dense<[1.0, 2.0]> : tensor<2xbf16>} : () -> ()
"t.x"() {c = dense<[1.0, 2.0]> : tensor<2xf8E5M2>} : () -> ()
"t.x"() {d = dense<[1.0, 2.0]> : tensor<2xf80>} : () -> ()
"t.x"() {e = dense<1.0> : tensor<2xf128>} : () -> ()
"t.x"() {f = dense<0> : tensor<0x4xi32>} : () -> ()
"t.x"() {g = dense<[]> : tensor<0xi32>} : () -> ()
"t.x"() {h = dense<100000000000000000000> : tensor<2xi128>} : () -> ()
"t.x"() {i = dense<[true,true]> : tensor<2xi1>} : () -> ()
"t.x"() {j = dense<1> : tensor<1000000000000xi8>} : () -> ()
"t.x"() {a = sparse<[[0, 0], [1, 2]], [1, 5]> : tensor<3x4xi32>} : () -> ()
"t.x"() {b = sparse<0, 1.0> : tensor<4xf32>} : () -> ()
"t.x"() {c = sparse<> : tensor<4xf32>} : () -> ()
"t.x"() {d = sparse<[[0, 0]], [-2.0]> : tensor<1x1xf16>} : () -> ()
"t.x"() {e = sparse<[[0,1]], "s"> : tensor<2x2x!foo.s>} : () -> ()
"t.x"() {a = dense<[]> : tensor<0xf32>} : () -> ()
"t.x"() {b = dense<[[]]> : tensor<1x0xf32>} : () -> ()
"t.x"() {g = dense<0.0> : tensor<0xf32>} : () -> ()
"t.x"() {h = dense_resource<x> : vector<2xi8>} : () -> ()
"t.x"() {o = tensor<4xf32, dense<1> : tensor<2xi32>>} : () -> ()
