func.func @merge(%c: i1, %x: i32, %y: i32) -> i32 {
  %m = memref.alloca() : memref<i32>
  memref.store %x, %m[] : memref<i32>
  cf.cond_br %c, ^then, ^end
^then:
  memref.store %y, %m[] : memref<i32>
  cf.br ^end
^end:
  %r = memref.load %m[] : memref<i32>
  return %r : i32
}

func.func @loop(%n: index, %x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloca() : memref<i32>
  memref.store %x, %m[] : memref<i32>
  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^end
^body:
  %l = memref.load %m[] : memref<i32>
  %two = arith.addi %l, %l : i32
  memref.store %two, %m[] : memref<i32>
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next : index)
^end:
  %r = memref.load %m[] : memref<i32>
  return %r : i32
}

func.func @structured(%c: i1, %n: index, %x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloca() : memref<i32>
  memref.store %x, %m[] : memref<i32>
  scf.for %i = %c0 to %n step %c1 {
    scf.if %c {
      %l = memref.load %m[] : memref<i32>
      %s = arith.addi %l, %l : i32
      memref.store %s, %m[] : memref<i32>
    }
  }
  scf.while : () -> () {
    %l = memref.load %m[] : memref<i32>
    %more = arith.cmpi slt, %l, %x : i32
    scf.condition(%more)
  } do {
    %l = memref.load %m[] : memref<i32>
    %q = arith.muli %l, %l : i32
    memref.store %q, %m[] : memref<i32>
    scf.yield
  }
  %r = memref.load %m[] : memref<i32>
  return %r : i32
}

func.func @several(%c: i1, %n: index, %x: i32) -> i32 {
  %m = memref.alloca() : memref<1x1xi32>
  scf.execute_region {
    cf.cond_br %c, ^a, ^b
  ^a:
    memref.store %x, %m[%n, %n] : memref<1x1xi32>
    cf.br ^b
  ^b:
    scf.yield
  }
  scf.index_switch %n
  case 2 {
    memref.store %x, %m[%n, %n] : memref<1x1xi32>
    scf.yield
  }
  default {
  }
  %r = memref.load %m[%n, %n] : memref<1x1xi32>
  return %r : i32
}

func.func @parallel(%n: index, %x: i32, %out: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloca() : memref<i32>
  memref.store %x, %m[] : memref<i32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %l = memref.load %m[] : memref<i32>
    memref.store %l, %out[%i] : memref<?xi32>
    scf.reduce
  }
  return
}

func.func @inside(%n: index, %x: i32, %out: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %m = memref.alloca() : memref<i32>
    memref.store %x, %m[] : memref<i32>
    %l = memref.load %m[] : memref<i32>
    memref.store %l, %out[%i] : memref<?xi32>
  }
  return
}

func.func @kept(%n: index, %x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %passed = memref.alloca() : memref<i32>
  func.call @use(%passed) : (memref<i32>) -> ()
  %two = memref.alloca() : memref<2xi32>
  memref.store %x, %two[%c0] : memref<2xi32>
  %any = memref.alloca() : memref<i32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %x, %any[] : memref<i32>
    scf.reduce
  }
  %l = memref.load %any[] : memref<i32>
  %cast = memref.alloca() : memref<1xi32>
  %as = memref.cast %cast : memref<1xi32> to memref<?xi32>
  memref.store %x, %as[%c0] : memref<?xi32>
  return %l : i32
}
func.func private @use(memref<i32>)

func.func @unwritten() -> (f32, f32) {
  %m = memref.alloca() : memref<f32>
  %a = memref.load %m[] : memref<f32>
  %b = memref.load %m[] : memref<f32>
  return %a, %b : f32, f32
}

func.func @unused(%x: i32) {
  %m = memref.alloca() : memref<i32>
  memref.store %x, %m[] : memref<i32>
  cf.br ^end
^end:
  return
}
