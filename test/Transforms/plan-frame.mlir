// RUN: %kopt %s --plan-frame | FileCheck %s
// RUN: %kopt %s --plan-frame --verify-ownership
// RUN: %kopt %s --plan-frame --mlir-pass-statistics 2>&1 | FileCheck %s --check-prefix=STATISTICS
// RUN: %kopt %s --plan-frame --remarks-filter=plan-frame -o %t.mlir 2>&1 | FileCheck %s --check-prefix=REMARK

// STATISTICS: (S) 11 num-frames
// STATISTICS: (S) 26 num-temporaries

func.func private @use(memref<1024xf32>)
func.func private @use_words(memref<100xi64>)

// Temporaries share bytes if they do not live at the same time, whatever their types are. Offsets are multiples of 64.
// CHECK-LABEL: func.func @chain
// CHECK-NEXT: %[[FRAME:.*]] = memref.alloc() {alignment = 64 : i64} : memref<8192xi8>
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-NEXT: %[[A:.*]] = memref.view %[[FRAME]][%[[ZERO]]][] : memref<8192xi8> to memref<1024xf32>
// CHECK-NEXT: call @use(%[[A]])
// CHECK-NEXT: %[[HALF:.*]] = arith.constant 4096 : index
// CHECK-NEXT: %[[B:.*]] = memref.view %[[FRAME]][%[[HALF]]][] : memref<8192xi8> to memref<1024xf32>
// CHECK-NEXT: memref.copy %[[A]], %[[B]]
// CHECK-NEXT: %[[FIRST:.*]] = arith.constant 0 : index
// CHECK-NEXT: %[[C:.*]] = memref.view %[[FRAME]][%[[FIRST]]][] : memref<8192xi8> to memref<100xi64>
// CHECK-NEXT: call @use_words(%[[C]])
// CHECK-NEXT: %[[NEXT:.*]] = arith.constant 832 : index
// CHECK-NEXT: memref.view %[[FRAME]][%[[NEXT]]][] : memref<8192xi8> to memref<5xi8>
// CHECK-NEXT: memref.dealloc %[[FRAME]]
// CHECK-NEXT: return
// REMARK: remark: [Passed] plan-frame: 4 temporaries of 9088 bytes in a frame of 8192 bytes
// REMARK-NEXT: plan-frame.mlir:[[@LINE+2]]:8
func.func @chain() {
  %a = memref.alloc() : memref<1024xf32>
  call @use(%a) : (memref<1024xf32>) -> ()
  %b = memref.alloc() : memref<1024xf32>
  memref.copy %a, %b : memref<1024xf32> to memref<1024xf32>
  memref.dealloc %a : memref<1024xf32>
  %c = memref.alloc() {alignment = 64 : i64} : memref<100xi64>
  call @use_words(%c) : (memref<100xi64>) -> ()
  %d = memref.alloc() : memref<5xi8>
  memref.dealloc %b : memref<1024xf32>
  memref.dealloc %c : memref<100xi64>
  memref.dealloc %d : memref<5xi8>
  return
}

// A result, a buffer of unknown extent, one in another memory space or with a stricter alignment, and a single temporary keep their
// allocations.
// CHECK-LABEL: func.func @others
// CHECK-COUNT-5: memref.alloc
// CHECK-NOT: memref.view
// CHECK: return
func.func @others(%n: index) -> memref<1024xf32> {
  %result = memref.alloc() : memref<1024xf32>
  %a = memref.alloc() : memref<1024xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  %c = memref.alloc() : memref<1024xf32, 1>
  %d = memref.alloc() {alignment = 4096 : i64} : memref<1024xf32>
  memref.copy %a, %result : memref<1024xf32> to memref<1024xf32>
  memref.dealloc %a : memref<1024xf32>
  memref.dealloc %b : memref<?xf32>
  memref.dealloc %c : memref<1024xf32, 1>
  memref.dealloc %d : memref<1024xf32>
  return %result : memref<1024xf32>
}

// The operands of a reduction keep their allocations, so that LLVM can tell them apart.
// CHECK-LABEL: func.func @reduction
// CHECK-COUNT-2: memref.alloc() : memref<32x32xf32>
// CHECK-NEXT: memref.alloc() {alignment = 64 : i64} : memref<8192xi8>
func.func @reduction() {
  %a = memref.alloc() : memref<32x32xf32>
  %b = memref.alloc() : memref<32x32xf32>
  %c = memref.alloc() : memref<1024xf32>
  %d = memref.alloc() : memref<1024xf32>
  %flat = memref.collapse_shape %b [[0, 1]] : memref<32x32xf32> into memref<1024xf32>
  %again = memref.expand_shape %flat [[0, 1]] output_shape [32, 32] : memref<1024xf32> into memref<32x32xf32>
  linalg.matmul ins(%a, %a : memref<32x32xf32>, memref<32x32xf32>) outs(%again : memref<32x32xf32>)
  memref.copy %c, %d : memref<1024xf32> to memref<1024xf32>
  memref.dealloc %a : memref<32x32xf32>
  memref.dealloc %b : memref<32x32xf32>
  memref.dealloc %c : memref<1024xf32>
  memref.dealloc %d : memref<1024xf32>
  return
}

// The frame of a function contains the temporaries of a loop body, and those of branches, which share bytes. What loops pass on is freed
// under another name.
// CHECK-LABEL: func.func @nested
// CHECK: %[[FRAME:.*]] = memref.alloc() {alignment = 64 : i64} : memref<12288xi8>
// CHECK: scf.for
// CHECK: memref.view %[[FRAME]][%c4096{{.*}}][] : memref<12288xi8> to memref<1024xf32>
// CHECK: scf.if
// CHECK: memref.view %[[FRAME]][%c8192{{.*}}][] : memref<12288xi8> to memref<1024xf32>
// CHECK: else
// CHECK: memref.view %[[FRAME]][%c8192{{.*}}][] : memref<12288xi8> to memref<1024xf32>
// CHECK: memref.dealloc %[[FRAME]]
// CHECK-NEXT: call @use(%arg0)
// CHECK-NEXT: return
func.func @nested(%x: memref<1024xf32>, %n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<1024xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a) -> (memref<1024xf32>) {
    %b = memref.alloc() : memref<1024xf32>
    scf.if %c {
      %d = memref.alloc() : memref<1024xf32>
      func.call @use(%d) : (memref<1024xf32>) -> ()
      memref.dealloc %d : memref<1024xf32>
    } else {
      %d = memref.alloc() : memref<1024xf32>
      memref.copy %d, %b : memref<1024xf32> to memref<1024xf32>
      memref.dealloc %d : memref<1024xf32>
    }
    memref.dealloc %b : memref<1024xf32>
    scf.yield %s : memref<1024xf32>
  }
  memref.dealloc %r : memref<1024xf32>
  call @use(%x) : (memref<1024xf32>) -> ()
  return
}

// A branch that takes much more than all else has a frame of its own.
// CHECK-LABEL: func.func @large_branch
// CHECK-NEXT: memref.alloc() {alignment = 64 : i64} : memref<8192xi8>
// CHECK: scf.if
// CHECK-NEXT: memref.alloc() {alignment = 64 : i64} : memref<800000xi8>
// CHECK-COUNT-2: memref.view
// CHECK: memref.dealloc
// CHECK-NEXT: }
// CHECK-NEXT: memref.dealloc
func.func @large_branch(%c: i1) {
  %a = memref.alloc() : memref<1024xf32>
  %b = memref.alloc() : memref<1024xf32>
  scf.if %c {
    %d = memref.alloc() : memref<100000xf32>
    %e = memref.alloc() : memref<100000xf32>
    memref.copy %d, %e : memref<100000xf32> to memref<100000xf32>
    memref.dealloc %d : memref<100000xf32>
    memref.dealloc %e : memref<100000xf32>
  }
  memref.dealloc %a : memref<1024xf32>
  memref.dealloc %b : memref<1024xf32>
  return
}

// Parallel iterations have frames of their own.
// CHECK-LABEL: func.func @parallel
// CHECK-NEXT: arith.constant 0
// CHECK-NEXT: arith.constant 1
// CHECK-NEXT: scf.parallel
// CHECK-NEXT: memref.alloc() {alignment = 64 : i64} : memref<8192xi8>
// CHECK: memref.dealloc
// CHECK-NEXT: scf.reduce
func.func @parallel(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %a = memref.alloc() : memref<1024xf32>
    %b = memref.alloc() : memref<1024xf32>
    memref.copy %a, %b : memref<1024xf32> to memref<1024xf32>
    memref.dealloc %a : memref<1024xf32>
    memref.dealloc %b : memref<1024xf32>
    scf.reduce
  }
  return
}

// During a recursive call, also one by way of another function, there is no frame, only what lives longer than the call.
// CHECK-LABEL: func.func @recursive
// CHECK-NEXT: %[[FIRST:.*]] = memref.alloc() {alignment = 64 : i64} : memref<8192xi8>
// CHECK: memref.dealloc %[[FIRST]]
// CHECK-NEXT: %[[LONG:.*]] = memref.alloc() : memref<1024xf32>
// CHECK-NEXT: call @other
// CHECK: %[[LAST:.*]] = memref.alloc() {alignment = 64 : i64} : memref<8192xi8>
// CHECK: memref.dealloc %[[LAST]]
// CHECK-NEXT: memref.dealloc %[[LONG]]
func.func @recursive(%n: index) {
  %a = memref.alloc() : memref<1024xf32>
  %b = memref.alloc() : memref<1024xf32>
  memref.copy %a, %b : memref<1024xf32> to memref<1024xf32>
  memref.dealloc %a : memref<1024xf32>
  memref.dealloc %b : memref<1024xf32>
  %long = memref.alloc() : memref<1024xf32>
  call @other(%n) : (index) -> ()
  %d = memref.alloc() : memref<1024xf32>
  %e = memref.alloc() : memref<1024xf32>
  memref.copy %d, %e : memref<1024xf32> to memref<1024xf32>
  memref.dealloc %d : memref<1024xf32>
  memref.dealloc %e : memref<1024xf32>
  memref.dealloc %long : memref<1024xf32>
  return
}

func.func private @other(%n: index) {
  %c0 = arith.constant 0 : index
  %more = arith.cmpi sgt, %n, %c0 : index
  scf.if %more {
    func.call @recursive(%n) : (index) -> ()
  }
  return
}

// The call may be in a loop, whose body has no frame around it then. The branch around the call has one before it.
// CHECK-LABEL: func.func @recursive_in_loop
// CHECK: scf.for
// CHECK-NEXT: memref.alloc() : memref<1024xf32>
// CHECK: scf.if
// CHECK-NEXT: %[[FRAME:.*]] = memref.alloc() {alignment = 64 : i64} : memref<8192xi8>
// CHECK: memref.dealloc %[[FRAME]]
// CHECK-NEXT: call @recursive_in_loop
func.func @recursive_in_loop(%n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<1024xf32>
    func.call @use(%a) : (memref<1024xf32>) -> ()
    memref.dealloc %a : memref<1024xf32>
    scf.if %c {
      %d = memref.alloc() : memref<1024xf32>
      %e = memref.alloc() : memref<1024xf32>
      memref.copy %d, %e : memref<1024xf32> to memref<1024xf32>
      memref.dealloc %d : memref<1024xf32>
      memref.dealloc %e : memref<1024xf32>
      func.call @recursive_in_loop(%i, %c) : (index, i1) -> ()
    }
  }
  return
}

// Each block of a function with several blocks has a frame.
// CHECK-LABEL: func.func @blocks
// CHECK-NEXT: memref.alloc() {alignment = 64 : i64} : memref<8192xi8>
// CHECK: memref.dealloc
// CHECK-NEXT: cf.cond_br
// CHECK: ^bb1:
// CHECK-NEXT: memref.alloc() {alignment = 64 : i64} : memref<8192xi8>
// CHECK: memref.dealloc
// CHECK-NEXT: cf.br
func.func @blocks(%c: i1) {
  %a = memref.alloc() : memref<1024xf32>
  %b = memref.alloc() : memref<1024xf32>
  memref.copy %a, %b : memref<1024xf32> to memref<1024xf32>
  memref.dealloc %a : memref<1024xf32>
  memref.dealloc %b : memref<1024xf32>
  cf.cond_br %c, ^again, ^end
^again:
  %d = memref.alloc() : memref<1024xf32>
  %e = memref.alloc() : memref<1024xf32>
  memref.copy %d, %e : memref<1024xf32> to memref<1024xf32>
  memref.dealloc %d : memref<1024xf32>
  memref.dealloc %e : memref<1024xf32>
  cf.br ^end
^end:
  return
}
