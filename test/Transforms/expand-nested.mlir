// RUN: %kopt %s --expand-math | FileCheck %s
// An expansion that clones the regions of its operation contains the expanded operations.

data.type @List = "Cons"(i32, !data.cell<@List>) | "Nil"()

// CHECK-LABEL: func.func @second
// CHECK-NOT: data.match
// CHECK-COUNT-2: scf.index_switch
// CHECK-NOT: data.match
func.func @second(%xs: !data.cell<@List>) -> i32 {
  %zero = arith.constant 0 : i32
  %r = data.match %xs : !data.cell<@List> -> i32 {
  case "Cons"[0](%x: i32, %rest: !data.cell<@List>) {
    %s = data.match %rest : !data.cell<@List> -> i32 {
    case "Cons"[0](%y: i32, %tail: !data.cell<@List>) {
      data.yield %y : i32
    }
    case "Nil"[1]() {
      data.yield %x : i32
    }
    }
    data.yield %s : i32
  }
  case "Nil"[1]() {
    data.yield %zero : i32
  }
  }
  return %r : i32
}
