// Compared with mlir-opt by tools/kopt/tests/like_mlir_opt.rs.
// RUN: %kopt %s --allow-unregistered-dialect --verify-roundtrip -o /dev/null
// RUN: %kopt %s --allow-unregistered-dialect --mlir-print-skip-regions | grep . > %t.ours
// RUN: %mlir-opt %s --allow-unregistered-dialect --mlir-print-skip-regions | grep . > %t.theirs
// RUN: diff %t.ours %t.theirs
// RUN: %kopt %s --allow-unregistered-dialect --mlir-use-nameloc-as-prefix | grep . > %t.ours
// RUN: %mlir-opt %s --allow-unregistered-dialect --mlir-use-nameloc-as-prefix | grep . > %t.theirs
// RUN: diff %t.ours %t.theirs
// Every kind of location.

#loc1 = loc("a.mlir":1:2)
#loc2 = loc("named"(#loc1))
!al = tuple<i32, f32>
"t.a"() : () -> () loc("f":1:2)
"t.a"() : () -> () loc("f":1:2 to 3:4)
"t.a"() : () -> () loc("f":1:2 to :4)
"t.a"() : () -> () loc("name")
"t.a"() : () -> () loc("name"("f":3:4))
"t.a"() : () -> () loc(callsite("a" at "f":1:2))
"t.a"() : () -> () loc(fused["a", "b"])
"t.a"() : () -> () loc(fused<"meta">["a", "f":1:1])
"t.a"() : () -> () loc(fused<#foo.bar>["a"])
"t.a"() : () -> () loc(unknown)
"t.a"() : () -> () loc(#loc1)
"t.a"() : () -> () loc(#loc2)
"t.a"() {a = loc(#loc2), b = #loc1} : () -> !al
"t.a"() : () -> () loc(callsite(fused[callsite("x" at #loc1), unknown] at #loc2))
"t.a"() : () -> ()
"t.a"() ({
^bb0(%a: i32 loc("arg"), %b: i32):
  "t.b"() : () -> () loc(fused<{a = 1}>[#loc1, "q"("z":9:9)])
}) : () -> ()
"t.a"() : () -> () loc("f":0:0)
"t.a"() : () -> () loc(fused["a"])
"t.a"() : () -> () loc(fused["a", "a"])
"t.a"() : () -> () loc(fused[unknown, "a"])
"t.a"() : () -> () loc(fused[fused["a", "b"], "c"])
func.func @argument(%a: i32 loc("alpha"), %b: i32 {t.a} loc("b.mlir":1:2)) { return }
"t.a"() : () -> () loc("\FFab")
"t.a"() {a = loc("g":1:2 to 1:2)} : () -> ()
"t.a"() {a = loc("f":3)} : () -> ()
"t.a"() {a = loc("f":7:5 to 3:1)} : () -> ()
"t.hexadecimal"() : () -> () loc("a":0x10:0x11 to 0x12:0x13)
