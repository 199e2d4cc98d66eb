// RUN: %kopt %s --drop-assertion-values | FileCheck %s

// CHECK-LABEL: func.func @assertions(
// CHECK-NEXT: cf.assert %arg0, "{}.ks: index ? of ?"
// CHECK-NEXT: cf.assert %arg0, "nothing shown"
// CHECK-NEXT: return
func.func @assertions(%c: i1, %i: index, %n: index) {
  data.assert %c, "{}.ks: index {} of {}"(%i, %n) : index, index
  cf.assert %c, "nothing shown"
  return
}
