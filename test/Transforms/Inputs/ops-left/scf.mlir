func.func @if_known(%x: i32, %y: i32) -> (i32, i32) {
  %t = arith.constant true
  %f = arith.constant false
  %0 = scf.if %t -> i32 {
    scf.yield %x : i32
  } else {
    scf.yield %y : i32
  }
  %1 = scf.if %f -> i32 {
    scf.yield %x : i32
  } else {
    scf.yield %y : i32
  }
  return %0, %1 : i32, i32
}
func.func @if_select(%c: i1, %x: i32, %y: i32) -> (i32, i32) {
  %0:2 = scf.if %c -> (i32, i32) {
    scf.yield %x, %y : i32, i32
  } else {
    scf.yield %y, %y : i32, i32
  }
  return %0#0, %0#1 : i32, i32
}
func.func @if_partly(%c: i1, %x: i32, %y: i32) -> (i32, i32) {
  %0:2 = scf.if %c -> (i32, i32) {
    %a = func.call @effect(%x) : (i32) -> i32
    scf.yield %a, %y : i32, i32
  } else {
    scf.yield %y, %x : i32, i32
  }
  return %0#0, %0#1 : i32, i32
}
func.func private @effect(%x: i32) -> i32
func.func @if_unused(%c: i1, %x: i32) -> i32 {
  %0:2 = scf.if %c -> (i32, i32) {
    %a = func.call @effect(%x) : (i32) -> i32
    scf.yield %a, %x : i32, i32
  } else {
    scf.yield %x, %x : i32, i32
  }
  return %0#0 : i32
}
func.func @if_empty(%c: i1) {
  scf.if %c {
  }
  return
}
func.func @if_empty_else(%c: i1, %m: memref<i32>, %x: i32) {
  scf.if %c {
    memref.store %x, %m[] : memref<i32>
  } else {
  }
  return
}
func.func @if_empty_then(%c: i1, %m: memref<i32>, %x: i32) {
  scf.if %c {
  } else {
    memref.store %x, %m[] : memref<i32>
  }
  return
}
func.func @if_nested(%c: i1, %d: i1, %m: memref<i32>, %x: i32) {
  scf.if %c {
    scf.if %d {
      memref.store %x, %m[] : memref<i32>
    }
  }
  return
}
func.func @if_nested_same(%c: i1, %m: memref<i32>, %x: i32) {
  scf.if %c {
    scf.if %c {
      memref.store %x, %m[] : memref<i32>
    }
  }
  return
}
func.func @if_condition_inside(%c: i1, %x: i32, %y: i32, %m: memref<i32>) {
  scf.if %c {
    %0 = arith.select %c, %x, %y : i32
    memref.store %0, %m[] : memref<i32>
  } else {
    %0 = arith.select %c, %x, %y : i32
    memref.store %0, %m[] : memref<i32>
  }
  return
}
func.func @ifs_of_one_condition(%c: i1, %m: memref<i32>, %x: i32) -> i32 {
  scf.if %c {
    memref.store %x, %m[] : memref<i32>
  }
  %0 = scf.if %c -> i32 {
    %a = memref.load %m[] : memref<i32>
    scf.yield %a : i32
  } else {
    scf.yield %x : i32
  }
  return %0 : i32
}
func.func @ifs_of_negated_condition(%c: i1, %m: memref<i32>, %x: i32) {
  %t = arith.constant true
  %n = arith.xori %c, %t : i1
  scf.if %c {
    memref.store %x, %m[] : memref<i32>
  }
  scf.if %n {
    memref.store %x, %m[] : memref<i32>
  }
  return
}
func.func @if_not(%c: i1, %x: i32, %y: i32) -> i32 {
  %t = arith.constant true
  %n = arith.xori %c, %t : i1
  %0 = scf.if %n -> i32 {
    %a = func.call @effect(%x) : (i32) -> i32
    scf.yield %a : i32
  } else {
    %a = func.call @effect(%y) : (i32) -> i32
    scf.yield %a : i32
  }
  return %0 : i32
}
func.func @if_same_constant(%c: i1, %x: i32) -> i32 {
  %0 = scf.if %c -> i32 {
    %a = func.call @effect(%x) : (i32) -> i32
    %c1 = arith.constant 1 : i32
    scf.yield %c1 : i32
  } else {
    %c1 = arith.constant 1 : i32
    scf.yield %c1 : i32
  }
  return %0 : i32
}
func.func @for_never(%x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c1 to %c0 step %c1 iter_args(%a = %x) -> i32 {
    %b = func.call @effect(%a) : (i32) -> i32
    scf.yield %b : i32
  }
  return %0 : i32
}
func.func @for_same_bounds(%n: index, %s: index, %x: i32) -> i32 {
  %0 = scf.for %i = %n to %n step %s iter_args(%a = %x) -> i32 {
    %b = func.call @effect(%a) : (i32) -> i32
    scf.yield %b : i32
  }
  return %0 : i32
}
func.func @for_once(%x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %0 = scf.for %i = %c0 to %c4 step %c4 iter_args(%a = %x) -> i32 {
    %b = func.call @effect(%a) : (i32) -> i32
    scf.yield %b : i32
  }
  return %0 : i32
}
func.func @for_once_dynamic(%n: index, %x: i32) -> i32 {
  %c1 = arith.constant 1 : index
  %m = arith.addi %n, %c1 : index
  %0 = scf.for %i = %n to %m step %c1 iter_args(%a = %x) -> i32 {
    %b = func.call @effect(%a) : (i32) -> i32
    scf.yield %b : i32
  }
  return %0 : i32
}
func.func @for_unchanged(%n: index, %x: i32, %y: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (i32, i32) {
    %d = func.call @effect(%b) : (i32) -> i32
    scf.yield %a, %d : i32, i32
  }
  return %0#0, %0#1 : i32, i32
}
func.func @for_unused(%n: index, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> i32 {
    %d = func.call @effect(%x) : (i32) -> i32
    %e = arith.addi %a, %d : i32
    scf.yield %e : i32
  }
  return
}
func.func @for_empty(%n: index, %x: i32, %y: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (i32, i32) {
    scf.yield %a, %x : i32, i32
  }
  return %0#0, %0#1 : i32, i32
}
func.func @for_constant_trips(%x: i32, %y: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %x) -> i32 {
    scf.yield %y : i32
  }
  return %0 : i32
}
func.func @for_pure_unused(%n: index, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %e = arith.addi %x, %x : i32
  }
  return
}
func.func @for_same_inits(%n: index, %x: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x) -> (i32, i32) {
    %d = arith.addi %a, %a : i32
    scf.yield %d, %d : i32, i32
  }
  return %0#0, %0#1 : i32, i32
}
func.func @for_cast(%n: index, %x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.cast %x : tensor<4xf32> to tensor<?xf32>
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %d) -> tensor<?xf32> {
    %e = func.call @tensors(%a) : (tensor<?xf32>) -> tensor<?xf32>
    scf.yield %e : tensor<?xf32>
  }
  %r = tensor.cast %0 : tensor<?xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func private @tensors(%x: tensor<?xf32>) -> tensor<?xf32>
func.func @while_false(%x: i32) -> i32 {
  %f = arith.constant false
  %0 = scf.while (%a = %x) : (i32) -> i32 {
    scf.condition(%f) %a : i32
  } do {
  ^bb0(%b: i32):
    %c = func.call @effect(%b) : (i32) -> i32
    scf.yield %c : i32
  }
  return %0 : i32
}
func.func @while_condition_inside(%x: i32) -> i32 {
  %0:2 = scf.while (%a = %x) : (i32) -> (i32, i1) {
    %p = func.call @decide(%a) : (i32) -> i1
    scf.condition(%p) %a, %p : i32, i1
  } do {
  ^bb0(%b: i32, %q: i1):
    %s = arith.extui %q : i1 to i32
    %c = arith.addi %b, %s : i32
    scf.yield %c : i32
  }
  return %0#0 : i32
}
func.func private @decide(%x: i32) -> i1
func.func @while_invariant(%x: i32, %y: i32) -> i32 {
  %0:2 = scf.while (%a = %x, %z = %y) : (i32, i32) -> (i32, i32) {
    %p = func.call @decide(%a) : (i32) -> i1
    scf.condition(%p) %a, %z : i32, i32
  } do {
  ^bb0(%b: i32, %w: i32):
    %c = arith.addi %b, %w : i32
    scf.yield %c, %w : i32, i32
  }
  return %0#0 : i32
}
func.func @while_unused_result(%x: i32) -> i32 {
  %0:2 = scf.while (%a = %x) : (i32) -> (i32, i32) {
    %p = func.call @decide(%a) : (i32) -> i1
    %u = arith.muli %a, %a : i32
    scf.condition(%p) %a, %u : i32, i32
  } do {
  ^bb0(%b: i32, %w: i32):
    %c = func.call @effect(%b) : (i32) -> i32
    scf.yield %c : i32
  }
  return %0#0 : i32
}
func.func @while_twice_the_same(%x: i32) -> (i32, i32) {
  %0:2 = scf.while (%a = %x) : (i32) -> (i32, i32) {
    %p = func.call @decide(%a) : (i32) -> i1
    scf.condition(%p) %a, %a : i32, i32
  } do {
  ^bb0(%b: i32, %w: i32):
    %c = arith.addi %b, %w : i32
    scf.yield %c : i32
  }
  return %0#0, %0#1 : i32, i32
}
func.func @while_compare(%x: i32, %n: i32) -> i32 {
  %0 = scf.while (%a = %x) : (i32) -> i32 {
    %p = arith.cmpi ne, %a, %n : i32
    scf.condition(%p) %a : i32
  } do {
  ^bb0(%b: i32):
    %q = arith.cmpi ne, %b, %n : i32
    %s = arith.extui %q : i1 to i32
    %c = arith.addi %b, %s : i32
    scf.yield %c : i32
  }
  return %0 : i32
}
func.func @parallel_empty(%n: index, %m: memref<?xi32>, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%c0) step (%c1) {
    memref.store %x, %m[%i] : memref<?xi32>
    scf.reduce
  }
  return
}
func.func @parallel_single(%n: index, %m: memref<?x?xi32>, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %c1) step (%c1, %c1) {
    memref.store %x, %m[%i, %j] : memref<?x?xi32>
    scf.reduce
  }
  return
}
func.func @parallel_nested(%n: index, %m: memref<?x?xi32>, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.parallel (%j) = (%c0) to (%n) step (%c1) {
      memref.store %x, %m[%i, %j] : memref<?x?xi32>
      scf.reduce
    }
    scf.reduce
  }
  return
}
func.func @execute_region(%x: i32) -> i32 {
  %0 = scf.execute_region -> i32 {
    %a = func.call @effect(%x) : (i32) -> i32
    scf.yield %a : i32
  }
  return %0 : i32
}
func.func @execute_region_blocks(%c: i1, %x: i32) -> i32 {
  %0 = scf.execute_region -> i32 {
    cf.cond_br %c, ^a, ^b
  ^a:
    %a = func.call @effect(%x) : (i32) -> i32
    scf.yield %a : i32
  ^b:
    scf.yield %x : i32
  }
  return %0 : i32
}
func.func @switch_known(%x: i32) -> i32 {
  %c1 = arith.constant 1 : index
  %0 = scf.index_switch %c1 -> i32
  case 0 {
    %a = func.call @effect(%x) : (i32) -> i32
    scf.yield %a : i32
  }
  case 1 {
    scf.yield %x : i32
  }
  default {
    %a = func.call @effect(%x) : (i32) -> i32
    scf.yield %a : i32
  }
  return %0 : i32
}
func.func @switch_unused(%i: index, %x: i32) -> i32 {
  %0:2 = scf.index_switch %i -> i32, i32
  case 0 {
    %a = func.call @effect(%x) : (i32) -> i32
    scf.yield %a, %x : i32, i32
  }
  default {
    scf.yield %x, %x : i32, i32
  }
  return %0#0 : i32
}
func.func @forall_empty(%m: memref<?xi32>, %x: i32) {
  scf.forall (%i) in (0) {
    memref.store %x, %m[%i] : memref<?xi32>
  }
  return
}
func.func @forall_once(%m: memref<?xi32>, %x: i32) {
  scf.forall (%i) in (1) {
    memref.store %x, %m[%i] : memref<?xi32>
  }
  return
}
func.func @forall_constant_bound(%m: memref<?xi32>, %x: i32) {
  %c4 = arith.constant 4 : index
  scf.forall (%i) in (%c4) {
    memref.store %x, %m[%i] : memref<?xi32>
  }
  return
}
func.func @if_yields_outer_constants(%c: i1) -> i1 {
  %t = arith.constant true
  %f = arith.constant false
  %0 = scf.if %c -> i1 {
    scf.yield %t : i1
  } else {
    scf.yield %f : i1
  }
  return %0 : i1
}
func.func @ifs_chained(%c: i1, %x: i32, %y: i32) -> i32 {
  %0 = scf.if %c -> i32 {
    %a = func.call @effect(%x) : (i32) -> i32
    scf.yield %a : i32
  } else {
    scf.yield %y : i32
  }
  %1 = scf.if %c -> i32 {
    %b = func.call @effect(%0) : (i32) -> i32
    scf.yield %b : i32
  } else {
    scf.yield %0 : i32
  }
  return %1 : i32
}
