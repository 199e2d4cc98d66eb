// RUN: %kopt %s --allow-unregistered-dialect | grep . > %t.ours
// RUN: %mlir-opt %s --allow-unregistered-dialect | grep . > %t.theirs
// RUN: diff %t.ours %t.theirs
// RUN: %kopt %s --allow-unregistered-dialect --mlir-print-op-generic | grep . > %t.ours
// RUN: %mlir-opt %s --allow-unregistered-dialect --mlir-print-op-generic | grep . > %t.theirs
// RUN: diff %t.ours %t.theirs
// Maps and sets take the form that MLIR gives them.

"t.x"() {a = affine_map<() -> ()>} : () -> ()
"t.x"() {b = affine_map<(d0, d1)[s0] -> (d0 + s0, d1 * 2 - 3)>} : () -> ()
"t.x"() {c = affine_map<(i, j) -> (j, i)>} : () -> ()
"t.x"() {d = affine_map<(d0) -> (d0 floordiv 2, d0 ceildiv 3, d0 mod 4)>} : () -> ()
"t.x"() {e = affine_map<(d0) -> (-d0, 2 * d0, d0 * 1 + 0, 3 + 4, d0 - d0)>} : () -> ()
"t.x"() {f = affine_map<(d0, d1) -> (d0 + d1 + d0, (d0 + 1) + 2, (d0 * 2) * 3, d0 * 2 + d0 * 3, d0 + 1 + d1 + 2)>} : () -> ()
"t.x"() {g = affine_map<(d0, d1) -> ((d0 * 4 + d1) floordiv 4, (d0 * 4) mod 4, (d0 * 8 + 3) mod 4, (d0 floordiv 2) floordiv 3, (d0 mod 8) mod 4)>} : () -> ()
"t.x"() {h = affine_map<()[s0] -> (s0 + 1, s0 * s0)>} : () -> ()
"t.x"() {a = affine_map<(d0,d1)[s0] -> (s0 + d0, 1 + d0 + s0, d1 + d0, -(d0 + d1), d0 - d1 * 2, d0 - (d1 + 1), -(-d0), d0 * -1, d0 * -2 + 3, (d0 + d1) * 3, d0 - 5, 5 - d0, d0 mod 1, d0 floordiv 1, d0 ceildiv 1, 7 mod 3, 7 floordiv 2, 7 ceildiv 2, -7 floordiv 2, d0 + d0 mod 4 - d0, d0 floordiv s0, (d0 + d1 * 4) mod 4, (d0 * 6 + 4) floordiv 2, (d0 * 6 + 4) ceildiv 2, d0 - d0 floordiv 4 * 4, d0 - (d0 floordiv 4) * 4, s0 * d0, d0 * s0 * 2, (d0 * 2) * s0)>} : () -> ()
"t.x"() {a = affine_set<(d0) : (d0 >= 0)>, b = affine_set<(d0, d1)[s0] : (d0 - s0 >= 0, d1 == 0, d0 + d1 - 5 >= 0, d0 <= 5, d0 == s0, d0 >= d1)>, c = affine_set<() : (1 == 0)>, e = affine_set<(d0) : (-d0 + 10 >= 0)>} : () -> ()
"t.x"() {a = affine_map<(d0, d1, d2)[s0, s1] -> (d2 + d1 + d0)>} : () -> ()
"t.x"() {b = affine_map<()[s0, s1] -> (s1 + s0)>} : () -> ()
"t.x"() {c = affine_map<(d0, d1) -> (d1 * 2 + d0)>} : () -> ()
"t.x"() {d = affine_map<(d0, d1) -> (d1 * 2 + d0 * 3)>} : () -> ()
"t.x"() {e = affine_map<(d0, d1) -> (d1 + d0 * 3)>} : () -> ()
"t.x"() {f = affine_map<(d0, d1)[s0] -> (d1 + d0 + s0 + 3 + d0)>} : () -> ()
"t.x"() {g = affine_map<(d0, d1)[s0] -> (s0 * 4 + d0 * 4)>} : () -> ()
"t.x"() {h = affine_map<(d0, d1)[s0] -> ((d0 * s0 * 4) mod 4)>} : () -> ()
"t.x"() {i = affine_map<(d0, d1)[s0] -> ((d0 * s0 * 4 + d1) floordiv 2)>} : () -> ()
"t.x"() {j = affine_map<(d0, d1)[s0] -> (d0 - (d0 floordiv s0) * s0)>} : () -> ()
"t.x"() {k = affine_map<(d0, d1) -> (d0 + (d0 floordiv 4) * -4 + 5)>} : () -> ()
"t.x"() {l = affine_map<(d0, d1) -> (d0 + 5 - (d0 floordiv 4) * 4)>} : () -> ()
"t.x"() {m = affine_map<(d0, d1) -> (d1 + d0 - (d0 floordiv 4) * 4)>} : () -> ()
"t.x"() {n = affine_map<(d0) -> ((d0 * 8) floordiv 4)>} : () -> ()
"t.x"() {o = affine_map<(d0) -> ((d0 * 8) ceildiv 4)>} : () -> ()
"t.x"() {p = affine_map<(d0) -> ((d0 * -8) floordiv 4)>} : () -> ()
"t.x"() {q = affine_map<(d0) -> ((d0 mod 8) floordiv 4)>} : () -> ()
"t.x"() {r = affine_map<(d0) -> (d0 * 9223372036854775807 + 9223372036854775807 + 1)>} : () -> ()
"t.x"() {s = affine_map<(d0)[s0] -> (0 floordiv s0)>} : () -> ()
"t.x"() {t = affine_map<(d0, d1) -> (((d0 + d1) floordiv 3) * 3 + d0)>} : () -> ()
"t.x"() {u = affine_map<(d0) -> (-(d0 floordiv 4) * 4 + d0)>} : () -> ()
"t.x"() {v = affine_map<(d0, d1) -> (d1 - d0)>} : () -> ()
"t.x"() {w = affine_map<(d0, d1, d2) -> (d1 + (d0 + d2))>} : () -> ()
"t.x"() {x = affine_map<(d0, d1, d2) -> ((d2 + d0) + (d1 + d0))>} : () -> ()
