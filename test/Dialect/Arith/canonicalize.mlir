// RUN: %kopt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s

// CHECK-LABEL: func.func @identities
// CHECK-SAME: (%[[X:.*]]: i32)
// CHECK-NEXT: return %[[X]], %[[X]], %[[X]], %[[X]], %[[X]], %[[X]] :
func.func @identities(%x: i32) -> (i32, i32, i32, i32, i32, i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %ones = arith.constant -1 : i32
  %a = arith.addi %c0, %x : i32
  %b = arith.muli %x, %c1 : i32
  %c = arith.andi %x, %ones : i32
  %d = arith.xori %x, %c0 : i32
  %e = arith.maxsi %x, %x : i32
  %f = arith.divsi %x, %c1 : i32
  return %a, %b, %c, %d, %e, %f : i32, i32, i32, i32, i32, i32
}

// CHECK-LABEL: func.func @no_identity_of_floats
// CHECK: arith.addf
// CHECK: arith.mulf
func.func @no_identity_of_floats(%x: f32) -> (f32, f32) {
  %zero = arith.constant 0.0 : f32
  %a = arith.addf %x, %zero : f32
  %b = arith.mulf %x, %zero : f32
  return %a, %b : f32, f32
}

// CHECK-LABEL: func.func @division_by_zero_stays
// CHECK: arith.divui
func.func @division_by_zero_stays() -> i32 {
  %c1 = arith.constant 1 : i32
  %c0 = arith.constant 0 : i32
  %a = arith.divui %c1, %c0 : i32
  return %a : i32
}

// CHECK-LABEL: func.func @constants_meet
// CHECK-SAME: (%[[X:.*]]: i64)
// CHECK-NEXT: %[[C:.*]] = arith.constant 3 : i64
// CHECK-NEXT: %[[R:.*]] = arith.subi %[[C]], %[[X]] : i64
// CHECK-NEXT: return %[[R]]
func.func @constants_meet(%x: i64) -> i64 {
  %c5 = arith.constant 5 : i64
  %c2 = arith.constant 2 : i64
  %a = arith.subi %c5, %x : i64
  %b = arith.subi %a, %c2 : i64
  return %b : i64
}

// CHECK-LABEL: func.func @splats
// CHECK-SAME: (%[[X:.*]]: tensor<4xi8>)
// CHECK-NEXT: %[[C:.*]] = arith.constant dense<5> : tensor<4xi8>
// CHECK-NEXT: %[[R:.*]] = arith.addi %[[X]], %[[C]] : tensor<4xi8>
func.func @splats(%x: tensor<4xi8>) -> tensor<4xi8> {
  %c2 = arith.constant dense<2> : tensor<4xi8>
  %c3 = arith.constant dense<3> : tensor<4xi8>
  %a = arith.addi %x, %c2 : tensor<4xi8>
  %b = arith.addi %c3, %a : tensor<4xi8>
  return %b : tensor<4xi8>
}

// CHECK-LABEL: func.func @comparisons
// CHECK-SAME: (%[[X:.*]]: i8, %[[Y:.*]]: i8)
// CHECK-NEXT: %[[TRUE:.*]] = arith.constant true
// CHECK-NEXT: %[[C:.*]] = arith.cmpi sge, %[[X]], %[[Y]] : i8
// CHECK-NEXT: %[[D:.*]] = arith.cmpi slt, %[[X]], %[[Y]] : i8
// CHECK-NEXT: return %[[TRUE]], %[[C]], %[[D]]
func.func @comparisons(%x: i8, %y: i8) -> (i1, i1, i1) {
  %true = arith.constant true
  %a = arith.cmpi ule, %x, %x : i8
  %slt = arith.cmpi slt, %x, %y : i8
  %b = arith.xori %slt, %true : i1
  %u = arith.extsi %x : i8 to i32
  %v = arith.extsi %y : i8 to i32
  %c = arith.cmpi slt, %u, %v : i32
  return %a, %b, %c : i1, i1, i1
}

// CHECK-LABEL: func.func @choices
// CHECK-SAME: (%[[C:.*]]: i1, %[[X:.*]]: i32, %[[Y:.*]]: i32)
// CHECK: %[[S:.*]] = arith.select %[[C]], %[[Y]], %[[X]] : i32
// CHECK-NEXT: %[[E:.*]] = arith.extui %[[C]] : i1 to i32
// CHECK-NEXT: return %[[C]], %[[S]], %[[E]]
func.func @choices(%c: i1, %x: i32, %y: i32) -> (i1, i32, i32) {
  %true = arith.constant true
  %false = arith.constant false
  %c1 = arith.constant 1 : i32
  %c0 = arith.constant 0 : i32
  %a = arith.select %c, %true, %false : i1
  %not = arith.xori %c, %true : i1
  %b = arith.select %not, %x, %y : i32
  %d = arith.select %c, %c1, %c0 : i32
  return %a, %b, %d : i1, i32, i32
}

// CHECK-LABEL: func.func @conversions
// CHECK-SAME: (%[[X:.*]]: i8)
// CHECK-NEXT: %[[A:.*]] = arith.extui %[[X]] : i8 to i16
// CHECK-NEXT: %[[B:.*]] = arith.extui %[[X]] : i8 to i32
// CHECK-NEXT: return %[[X]], %[[A]], %[[B]]
func.func @conversions(%x: i8) -> (i8, i16, i32) {
  %w = arith.extui %x : i8 to i32
  %a = arith.trunci %w : i32 to i8
  %b = arith.trunci %w : i32 to i16
  %h = arith.extui %x : i8 to i16
  %c = arith.extsi %h : i16 to i32
  return %a, %b, %c : i8, i16, i32
}

// An extension that is truncated again; a product without overflow divided by a factor; a shift whose sign bits are truncated.
// CHECK-LABEL: func.func @undone
// CHECK-SAME: (%[[H:.*]]: f16, %[[X:.*]]: i32, %[[Y:.*]]: i32)
// CHECK: %[[P:.*]] = arith.muli %[[X]], %[[Y]] overflow<nuw> : i32
// CHECK-NEXT: %[[Q:.*]] = arith.divsi %[[P]], %[[Y]] : i32
// CHECK-NEXT: %[[S:.*]] = arith.shrui %[[X]], %{{.*}} : i32
// CHECK-NEXT: %[[T:.*]] = arith.trunci %[[S]] : i32 to i16
// CHECK-NEXT: return %[[H]], %[[X]], %[[Y]], %[[Q]], %[[T]]
func.func @undone(%h: f16, %x: i32, %y: i32) -> (f16, i32, i32, i32, i16) {
  %c16 = arith.constant 16 : i32
  %w = arith.extf %h : f16 to f64
  %a = arith.truncf %w : f64 to f16
  %p = arith.muli %x, %y overflow<nsw> : i32
  %b = arith.divsi %p, %y : i32
  %q = arith.muli %x, %y overflow<nuw> : i32
  %c = arith.divui %q, %x : i32
  %d = arith.divsi %q, %y : i32
  %s = arith.shrsi %x, %c16 : i32
  %e = arith.trunci %s : i32 to i16
  return %a, %b, %c, %d, %e : f16, i32, i32, i32, i16
}

// A truncation of an extension to a type between both truncates the source.
// CHECK-LABEL: func.func @truncated_extension
// CHECK-NEXT: arith.truncf %arg0 : f32 to f16
// CHECK-NEXT: arith.truncf %arg1 upward : vector<4xf32> to vector<4xbf16>
// CHECK-NEXT: return
func.func @truncated_extension(%x: f32, %v: vector<4xf32>) -> (f16, vector<4xbf16>) {
  %0 = arith.extf %x : f32 to f64
  %1 = arith.truncf %0 : f64 to f16
  %2 = arith.extf %v : vector<4xf32> to vector<4xf64>
  %3 = arith.truncf %2 upward : vector<4xf64> to vector<4xbf16>
  return %1, %3 : f16, vector<4xbf16>
}

// f16 does not represent all values of f8E8M0FNU, nor f8E8M0FNU those of f4E2M1FN.
// CHECK-LABEL: func.func @lossy_extensions
// CHECK-NEXT: %[[A:.*]] = arith.extf %arg0 : f8E8M0FNU to f16
// CHECK-NEXT: %[[B:.*]] = arith.truncf %[[A]] : f16 to f8E8M0FNU
// CHECK-NEXT: %[[C:.*]] = arith.extf %[[A]] : f16 to f32
// CHECK-NEXT: %[[D:.*]] = arith.extf %arg1 : f4E2M1FN to f8E8M0FNU
// CHECK-NEXT: %[[E:.*]] = arith.extf %[[D]] : f8E8M0FNU to f32
// CHECK-NEXT: %[[F:.*]] = arith.extf %arg0 : f8E8M0FNU to f32
// CHECK-NEXT: return %[[B]], %[[C]], %[[E]], %[[F]], %arg0
func.func @lossy_extensions(%x: f8E8M0FNU, %y: f4E2M1FN) -> (f8E8M0FNU, f32, f32, f32, f8E8M0FNU) {
  %a = arith.extf %x : f8E8M0FNU to f16
  %b = arith.truncf %a : f16 to f8E8M0FNU
  %c = arith.extf %a : f16 to f32
  %d = arith.extf %y : f4E2M1FN to f8E8M0FNU
  %e = arith.extf %d : f8E8M0FNU to f32
  %g = arith.extf %x : f8E8M0FNU to bf16
  %f = arith.extf %g : bf16 to f32
  %h = arith.truncf %g : bf16 to f8E8M0FNU
  return %b, %c, %e, %f, %h : f8E8M0FNU, f32, f32, f32, f8E8M0FNU
}

// The low half of a multiplication by one is the other operand.
// CHECK-LABEL: func.func @extended_by_one
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK-DAG: %[[ZEROS:.*]] = arith.constant dense<0> : vector<4xi16>
// CHECK: %[[NEGATIVE:.*]] = arith.cmpi slt, %arg0, %[[ZERO]] : i32
// CHECK-NEXT: %[[HIGH:.*]] = arith.extsi %[[NEGATIVE]] : i1 to i32
// CHECK-NEXT: %[[EACH:.*]] = arith.cmpi slt, %arg1, %[[ZEROS]] : vector<4xi16>
// CHECK-NEXT: %[[HIGHS:.*]] = arith.extsi %[[EACH]] : vector<4xi1> to vector<4xi16>
// CHECK-NEXT: return %arg0, %[[HIGH]], %arg0, %[[ZERO]], %arg1, %[[HIGHS]]
func.func @extended_by_one(%a: i32, %v: vector<4xi16>) -> (i32, i32, i32, i32, vector<4xi16>, vector<4xi16>) {
  %c1 = arith.constant 1 : i32
  %s = arith.constant dense<1> : vector<4xi16>
  %0, %1 = arith.mulsi_extended %a, %c1 : i32
  %2, %3 = arith.mului_extended %a, %c1 : i32
  %4, %5 = arith.mulsi_extended %v, %s : vector<4xi16>
  return %0, %1, %2, %3, %4, %5 : i32, i32, i32, i32, vector<4xi16>, vector<4xi16>
}

// One bit that is set is -1, and an index has no width to be extended to.
// CHECK-LABEL: func.func @extended_by_one_of_one_bit
// CHECK: arith.mulsi_extended %arg0, %{{.*}} : i1
// CHECK-NEXT: return %{{.*}}, %{{.*}}, %arg0, %false
func.func @extended_by_one_of_one_bit(%a: i1) -> (i1, i1, i1, i1) {
  %c1 = arith.constant true
  %0, %1 = arith.mulsi_extended %a, %c1 : i1
  %2, %3 = arith.mului_extended %a, %c1 : i1
  return %0, %1, %2, %3 : i1, i1, i1, i1
}

// CHECK-LABEL: func.func @index_extended_by_one
// CHECK: arith.mulsi_extended %arg0, %{{.*}} : index
func.func @index_extended_by_one(%a: index) -> (index, index) {
  %c1 = arith.constant 1 : index
  %0, %1 = arith.mulsi_extended %a, %c1 : index
  return %0, %1 : index, index
}

// A converted integer compares as the integer does, where the conversion keeps the order.
// CHECK-LABEL: func.func @converted_compare
// CHECK-DAG: %[[LESS:.*]] = arith.constant -4 : i64
// CHECK-DAG: %[[FOUR:.*]] = arith.constant 4 : i32
// CHECK-DAG: %[[BIG:.*]] = arith.constant 9.99999984E+17 : f32
// CHECK-DAG: %[[WIDE:.*]] = arith.sitofp %arg2 : i64 to f32
// CHECK: %[[A:.*]] = arith.cmpi sle, %arg0, %c4_i8 : i8
// CHECK-NEXT: %[[B:.*]] = arith.cmpi sge, %arg0, %c-4_i8 : i8
// CHECK-NEXT: %[[C:.*]] = arith.cmpi sle, %arg1, %[[FOUR]] : i32
// CHECK-NEXT: %[[D:.*]] = arith.cmpf olt, %[[WIDE]], %[[BIG]] : f32
// CHECK-NEXT: %[[E:.*]] = arith.cmpi slt, %arg2, %[[LESS]] : i64
// CHECK-NEXT: return %[[A]], %[[B]], %false, %false, %true, %true, %true, %false, %true, %[[C]], %true, %[[D]], %[[E]]
func.func @converted_compare(%a: i8, %b: i32, %c: i64) -> (i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1) {
  %c1 = arith.constant 4.4 : f32
  %c2 = arith.constant -4.4 : f32
  %c3 = arith.constant 300.0 : f32
  %c4 = arith.constant -0.0 : f32
  %inf = arith.constant 0x7F800000 : f32
  %big = arith.constant 1.0e18 : f32
  %f = arith.sitofp %a : i8 to f32
  %u = arith.uitofp %a : i8 to f32
  %g = arith.sitofp %b : i32 to f32
  %h = arith.sitofp %c : i64 to f32
  %0 = arith.cmpf olt, %f, %c1 : f32
  %1 = arith.cmpf ogt, %f, %c2 : f32
  %2 = arith.cmpf ult, %u, %c2 : f32
  %3 = arith.cmpf oeq, %f, %c1 : f32
  %4 = arith.cmpf une, %u, %c1 : f32
  %5 = arith.cmpf ord, %u, %c1 : f32
  %6 = arith.cmpf olt, %f, %c3 : f32
  %7 = arith.cmpf oge, %u, %c3 : f32
  %8 = arith.cmpf oge, %u, %c4 : f32
  %9 = arith.cmpf olt, %g, %c1 : f32
  %10 = arith.cmpf olt, %g, %inf : f32
  %11 = arith.cmpf olt, %h, %big : f32
  %12 = arith.cmpf ole, %h, %c2 : f32
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12 : i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1
}
