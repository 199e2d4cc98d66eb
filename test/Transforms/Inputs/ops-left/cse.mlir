func.func @repeated(%x: i32, %y: i32) -> i32 {
  %0 = arith.addi %x, %y : i32
  %1 = arith.addi %x, %y : i32
  %2 = arith.muli %0, %1 : i32
  return %2 : i32
}
func.func @commuted(%x: i32, %y: i32) -> i32 {
  %0 = arith.addi %x, %y : i32
  %1 = arith.addi %y, %x : i32
  %2 = arith.muli %0, %1 : i32
  return %2 : i32
}
func.func @other_attributes(%x: i32, %y: i32) -> (i1, i1) {
  %0 = arith.cmpi slt, %x, %y : i32
  %1 = arith.cmpi sgt, %x, %y : i32
  return %0, %1 : i1, i1
}
func.func @dominating(%c: i1, %x: i32) -> i32 {
  %0 = arith.muli %x, %x : i32
  cf.cond_br %c, ^a, ^b
^a:
  %1 = arith.muli %x, %x : i32
  cf.br ^d(%1 : i32)
^b:
  %2 = arith.muli %x, %x : i32
  cf.br ^d(%2 : i32)
^d(%3: i32):
  %4 = arith.addi %3, %0 : i32
  return %4 : i32
}
func.func @not_dominating(%c: i1, %x: i32) -> i32 {
  cf.cond_br %c, ^a, ^b
^a:
  %1 = arith.muli %x, %x : i32
  cf.br ^d(%1 : i32)
^b:
  %2 = arith.muli %x, %x : i32
  cf.br ^d(%2 : i32)
^d(%3: i32):
  return %3 : i32
}
func.func @into_regions(%c: i1, %x: i32) -> i32 {
  %0 = arith.muli %x, %x : i32
  %1 = scf.if %c -> i32 {
    %2 = arith.muli %x, %x : i32
    scf.yield %2 : i32
  } else {
    scf.yield %x : i32
  }
  %3 = arith.addi %0, %1 : i32
  return %3 : i32
}
func.func @same_regions(%c: i1, %x: i32, %y: i32) -> (i32, i32) {
  %0 = scf.if %c -> i32 {
    %a = arith.muli %x, %x : i32
    scf.yield %a : i32
  } else {
    scf.yield %y : i32
  }
  %1 = scf.if %c -> i32 {
    %a = arith.muli %x, %x : i32
    scf.yield %a : i32
  } else {
    scf.yield %y : i32
  }
  return %0, %1 : i32, i32
}
func.func @loads(%m: memref<i32>, %n: memref<i32>, %x: i32) -> (i32, i32, i32) {
  %0 = memref.load %m[] : memref<i32>
  %1 = memref.load %m[] : memref<i32>
  memref.store %x, %n[] : memref<i32>
  %2 = memref.load %m[] : memref<i32>
  return %0, %1, %2 : i32, i32, i32
}
func.func @loads_around_a_call(%m: memref<i32>) -> (i32, i32) {
  %0 = memref.load %m[] : memref<i32>
  func.call @unknown() : () -> ()
  %1 = memref.load %m[] : memref<i32>
  return %0, %1 : i32, i32
}
func.func private @unknown()
func.func @loads_around_a_loop(%m: memref<i32>, %o: memref<i32>, %n: index) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = memref.load %m[] : memref<i32>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %o[] : memref<i32>
    %y = arith.addi %x, %x : i32
  }
  %1 = memref.load %m[] : memref<i32>
  return %0, %1 : i32, i32
}
func.func @loads_inside(%c: i1, %m: memref<i32>) -> (i32, i32) {
  %0 = memref.load %m[] : memref<i32>
  %1 = scf.if %c -> i32 {
    %2 = memref.load %m[] : memref<i32>
    scf.yield %2 : i32
  } else {
    scf.yield %0 : i32
  }
  return %0, %1 : i32, i32
}
func.func @allocations() -> (memref<i32>, memref<i32>) {
  %0 = memref.alloc() : memref<i32>
  %1 = memref.alloc() : memref<i32>
  return %0, %1 : memref<i32>, memref<i32>
}
func.func @calls(%x: i32) -> (i32, i32) {
  %0 = func.call @value(%x) : (i32) -> i32
  %1 = func.call @value(%x) : (i32) -> i32
  return %0, %1 : i32, i32
}
func.func private @value(%x: i32) -> i32
func.func @dead(%x: i32, %m: memref<i32>) {
  %0 = arith.muli %x, %x : i32
  %1 = arith.addi %0, %x : i32
  %2 = memref.load %m[] : memref<i32>
  %3 = memref.alloc() : memref<i32>
  return
}
func.func @dead_regions(%c: i1, %x: i32) {
  %0 = scf.if %c -> i32 {
    %a = arith.muli %x, %x : i32
    scf.yield %a : i32
  } else {
    scf.yield %x : i32
  }
  return
}
func.func @constants(%x: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  %a = arith.addi %x, %c1 : i32
  %c2 = arith.constant 1 : i32
  %b = arith.addi %x, %c2 : i32
  %c = arith.muli %a, %b : i32
  return %c : i32
}
func.func @loops(%n: index, %x: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> i32 {
    %b = arith.muli %a, %a : i32
    scf.yield %b : i32
  }
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> i32 {
    %b = arith.muli %a, %a : i32
    scf.yield %b : i32
  }
  return %0, %1 : i32, i32
}
func.func @casts(%m: memref<4xi32>) -> (memref<?xi32>, memref<?xi32>) {
  %0 = memref.cast %m : memref<4xi32> to memref<?xi32>
  %1 = memref.cast %m : memref<4xi32> to memref<?xi32>
  return %0, %1 : memref<?xi32>, memref<?xi32>
}
func.func @twice_the_result(%x: i32) -> (i32, i1, i32, i1) {
  %0, %1 = arith.addui_extended %x, %x : i32, i1
  %2, %3 = arith.addui_extended %x, %x : i32, i1
  return %0, %1, %2, %3 : i32, i1, i32, i1
}
func.func @unreachable(%x: i32) -> i32 {
  return %x : i32
^a:
  %0 = arith.muli %x, %x : i32
  %1 = arith.muli %x, %x : i32
  %2 = arith.addi %0, %1 : i32
  return %2 : i32
}
func.func @nested_twice(%c: i1, %x: i32) -> i32 {
  %0 = scf.if %c -> i32 {
    %a = arith.muli %x, %x : i32
    %b = scf.if %c -> i32 {
      %d = arith.muli %x, %x : i32
      scf.yield %d : i32
    } else {
      scf.yield %a : i32
    }
    %e = arith.addi %a, %b : i32
    scf.yield %e : i32
  } else {
    scf.yield %x : i32
  }
  return %0 : i32
}
