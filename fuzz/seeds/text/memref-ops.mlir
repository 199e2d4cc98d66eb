memref.global "private" constant @table : memref<2xf32> = dense<[1.0, 2.0]>

func.func @buffers(%n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?xf32>
  memref.store %x, %a[%c0] : memref<?xf32>
  %y = memref.load %a[%c0] : memref<?xf32>
  memref.dealloc %a : memref<?xf32>
  %s = memref.alloca() : memref<2xf32>
  %g = memref.get_global @table : memref<2xf32>
  memref.copy %g, %s : memref<2xf32> to memref<2xf32>
  %c = memref.cast %s : memref<2xf32> to memref<?xf32>
  %d = memref.dim %c, %c0 : memref<?xf32>
  return %y : f32
}
