// A slot of a type without constants is promoted if it is stored to first.
func.func @f(%a: memref<i32>) -> memref<i32> {
  %0 = memref.alloca() : memref<memref<i32>>
  memref.store %a, %0[] : memref<memref<i32>>
  %1 = memref.load %0[] : memref<memref<i32>>
  return %1 : memref<i32>
}
func.func @not_stored_first(%a: memref<i32>, %c: i1) -> memref<i32> {
  %0 = memref.alloca() : memref<memref<i32>>
  scf.if %c {
    memref.store %a, %0[] : memref<memref<i32>>
  }
  memref.store %a, %0[] : memref<memref<i32>>
  %1 = memref.load %0[] : memref<memref<i32>>
  return %1 : memref<i32>
}
