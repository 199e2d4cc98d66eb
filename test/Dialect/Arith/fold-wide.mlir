// RUN: %kopt %s --canonicalize | FileCheck %s

// Integers of more than 64 bits fold like others. The results of operations on constants are those of mlir-opt.

// CHECK-LABEL: @addi_1()
// CHECK-NEXT: arith.constant 4548465924626346239 : i65
func.func @addi_1() -> (i65) {
  %a = arith.constant -1 : i65
  %b = arith.constant 4548465924626346240 : i65
  %r = arith.addi %a, %b : i65
  return %r : i65
}

// CHECK-LABEL: @subi_1()
// CHECK-NEXT: arith.constant -14821559120782216626 : i65
func.func @subi_1() -> (i65) {
  %a = arith.constant -14821559120782216626 : i65
  %b = arith.constant 0 : i65
  %r = arith.subi %a, %b : i65
  return %r : i65
}

// CHECK-LABEL: @muli_1()
// CHECK-NEXT: arith.constant 2240 : i65
func.func @muli_1() -> (i65) {
  %a = arith.constant 64 : i65
  %b = arith.constant 35 : i65
  %r = arith.muli %a, %b : i65
  return %r : i65
}

// CHECK-LABEL: @andi_1()
// CHECK-NEXT: arith.constant 0 : i65
func.func @andi_1() -> (i65) {
  %a = arith.constant -18446744073709551616 : i65
  %b = arith.constant 1 : i65
  %r = arith.andi %a, %b : i65
  return %r : i65
}

// CHECK-LABEL: @ori_1()
// CHECK-NEXT: arith.constant 65 : i65
func.func @ori_1() -> (i65) {
  %a = arith.constant 65 : i65
  %b = arith.constant 64 : i65
  %r = arith.ori %a, %b : i65
  return %r : i65
}

// CHECK-LABEL: @xori_1()
// CHECK-NEXT: arith.constant 13010041400761122222 : i65
func.func @xori_1() -> (i65) {
  %a = arith.constant -1 : i65
  %b = arith.constant -13010041400761122223 : i65
  %r = arith.xori %a, %b : i65
  return %r : i65
}

// CHECK-LABEL: @maxsi_1()
// CHECK-NEXT: arith.constant 18446744073709551615 : i65
func.func @maxsi_1() -> (i65) {
  %a = arith.constant 47 : i65
  %b = arith.constant 18446744073709551615 : i65
  %r = arith.maxsi %a, %b : i65
  return %r : i65
}

// CHECK-LABEL: @maxui_1()
// CHECK-NEXT: arith.constant -3859075715230403182 : i65
func.func @maxui_1() -> (i65) {
  %a = arith.constant 8224977800836158733 : i65
  %b = arith.constant -3859075715230403182 : i65
  %r = arith.maxui %a, %b : i65
  return %r : i65
}

// CHECK-LABEL: @minsi_1()
// CHECK-NEXT: arith.constant -1 : i65
func.func @minsi_1() -> (i65) {
  %a = arith.constant 6588224813340543830 : i65
  %b = arith.constant -1 : i65
  %r = arith.minsi %a, %b : i65
  return %r : i65
}

// CHECK-LABEL: @minui_1()
// CHECK-NEXT: arith.constant 65 : i65
func.func @minui_1() -> (i65) {
  %a = arith.constant 65 : i65
  %b = arith.constant 15002043710266087307 : i65
  %r = arith.minui %a, %b : i65
  return %r : i65
}

// CHECK-LABEL: @shli_1()
// CHECK-NEXT: arith.constant 4398046511104 : i65
func.func @shli_1() -> (i65) {
  %a = arith.constant 1 : i65
  %b = arith.constant 42 : i65
  %r = arith.shli %a, %b : i65
  return %r : i65
}

// CHECK-LABEL: @shrsi_1()
// CHECK-NEXT: arith.constant -1 : i65
func.func @shrsi_1() -> (i65) {
  %a = arith.constant -18446744073709551616 : i65
  %b = arith.constant 64 : i65
  %r = arith.shrsi %a, %b : i65
  return %r : i65
}

// CHECK-LABEL: @shrui_1()
// CHECK-NEXT: arith.constant -1 : i65
// CHECK-NEXT: arith.constant 65 : i65
// CHECK-NEXT: arith.shrui %{{.*}}, %{{.*}} : i65
func.func @shrui_1() -> (i65) {
  %a = arith.constant -1 : i65
  %b = arith.constant 65 : i65
  %r = arith.shrui %a, %b : i65
  return %r : i65
}

// CHECK-LABEL: @divsi_1()
// CHECK-NEXT: arith.constant 0 : i65
func.func @divsi_1() -> (i65) {
  %a = arith.constant 64 : i65
  %b = arith.constant 18446744073709551615 : i65
  %r = arith.divsi %a, %b : i65
  return %r : i65
}

// CHECK-LABEL: @divui_1()
// CHECK-NEXT: arith.constant 1 : i65
func.func @divui_1() -> (i65) {
  %a = arith.constant 18446744073709551615 : i65
  %b = arith.constant 18446744073709551615 : i65
  %r = arith.divui %a, %b : i65
  return %r : i65
}

// CHECK-LABEL: @remsi_1()
// CHECK-NEXT: arith.constant -2 : i65
func.func @remsi_1() -> (i65) {
  %a = arith.constant -18446744073709551616 : i65
  %b = arith.constant -7 : i65
  %r = arith.remsi %a, %b : i65
  return %r : i65
}

// CHECK-LABEL: @remui_1()
// CHECK-NEXT: arith.constant 0 : i65
func.func @remui_1() -> (i65) {
  %a = arith.constant -7721645589902763037 : i65
  %b = arith.constant 5 : i65
  %r = arith.remui %a, %b : i65
  return %r : i65
}

// CHECK-LABEL: @ceildivsi_1()
// CHECK-NEXT: arith.constant 64 : i65
// CHECK-NEXT: arith.constant 0 : i65
// CHECK-NEXT: arith.ceildivsi %{{.*}}, %{{.*}} : i65
func.func @ceildivsi_1() -> (i65) {
  %a = arith.constant 64 : i65
  %b = arith.constant 0 : i65
  %r = arith.ceildivsi %a, %b : i65
  return %r : i65
}

// CHECK-LABEL: @ceildivui_1()
// CHECK-NEXT: arith.constant 2 : i65
func.func @ceildivui_1() -> (i65) {
  %a = arith.constant 64 : i65
  %b = arith.constant 58 : i65
  %r = arith.ceildivui %a, %b : i65
  return %r : i65
}

// CHECK-LABEL: @floordivsi_1()
// CHECK-NEXT: arith.constant -292504304515549310 : i65
func.func @floordivsi_1() -> (i65) {
  %a = arith.constant -7020103308373183433 : i65
  %b = arith.constant 24 : i65
  %r = arith.floordivsi %a, %b : i65
  return %r : i65
}

// CHECK-LABEL: @addui_extended_1()
// CHECK-NEXT: arith.constant -2 : i65
// CHECK-NEXT: arith.constant false
func.func @addui_extended_1() -> (i65, i1) {
  %a = arith.constant 18446744073709551615 : i65
  %b = arith.constant 18446744073709551615 : i65
  %r:2 = arith.addui_extended %a, %b : i65, i1
  return %r#0, %r#1 : i65, i1
}

// CHECK-LABEL: @mulsi_extended_1()
// CHECK-NEXT: arith.constant 18446744073709551615 : i65
// CHECK-NEXT: arith.constant 0 : i65
func.func @mulsi_extended_1() -> (i65, i65) {
  %a = arith.constant 1 : i65
  %b = arith.constant 18446744073709551615 : i65
  %r:2 = arith.mulsi_extended %a, %b : i65
  return %r#0, %r#1 : i65, i65
}

// CHECK-LABEL: @mului_extended_1()
// CHECK-NEXT: arith.constant -994541028545047701 : i65
// CHECK-NEXT: arith.constant 0 : i65
func.func @mului_extended_1() -> (i65, i65) {
  %a = arith.constant 1 : i65
  %b = arith.constant -994541028545047701 : i65
  %r:2 = arith.mului_extended %a, %b : i65
  return %r#0, %r#1 : i65, i65
}

// CHECK-LABEL: @cmpi_1()
// CHECK-NEXT: arith.constant false
func.func @cmpi_1() -> (i1) {
  %a = arith.constant -1 : i65
  %b = arith.constant 18446744073709551615 : i65
  %r = arith.cmpi eq, %a, %b : i65
  return %r : i1
}

// CHECK-LABEL: @extsi_1()
// CHECK-NEXT: arith.constant 1 : i65
func.func @extsi_1() -> (i65) {
  %a = arith.constant 1 : i33
  %r = arith.extsi %a : i33 to i65
  return %r : i65
}

// CHECK-LABEL: @extui_1()
// CHECK-NEXT: arith.constant 1 : i65
func.func @extui_1() -> (i65) {
  %a = arith.constant 1 : i33
  %r = arith.extui %a : i33 to i65
  return %r : i65
}

// CHECK-LABEL: @trunci_1()
// CHECK-NEXT: arith.constant 0 : i64
func.func @trunci_1() -> (i64) {
  %a = arith.constant 0 : i65
  %r = arith.trunci %a : i65 to i64
  return %r : i64
}

// CHECK-LABEL: @index_cast_1()
// CHECK-NEXT: arith.constant 1 : i65
func.func @index_cast_1() -> (i65) {
  %a = arith.constant 1 : index
  %r = arith.index_cast %a : index to i65
  return %r : i65
}

// CHECK-LABEL: @index_castui_1()
// CHECK-NEXT: arith.constant 0 : i65
func.func @index_castui_1() -> (i65) {
  %a = arith.constant 0 : index
  %r = arith.index_castui %a : index to i65
  return %r : i65
}

// CHECK-LABEL: @sitofp_1()
// CHECK-NEXT: arith.constant 6.500000e+01 : f16
func.func @sitofp_1() -> (f16) {
  %a = arith.constant 65 : i65
  %r = arith.sitofp %a : i65 to f16
  return %r : f16
}

// CHECK-LABEL: @uitofp_1()
// CHECK-NEXT: arith.constant 0x7C00 : f16
func.func @uitofp_1() -> (f16) {
  %a = arith.constant 18446744073709551615 : i65
  %r = arith.uitofp %a : i65 to f16
  return %r : f16
}

// CHECK-LABEL: @fptosi_1()
// CHECK-NEXT: arith.constant 1 : i65
func.func @fptosi_1() -> (i65) {
  %a = arith.constant 1.5 : f16
  %r = arith.fptosi %a : f16 to i65
  return %r : i65
}

// CHECK-LABEL: @fptoui_1()
// CHECK-NEXT: arith.constant 1 : i65
func.func @fptoui_1() -> (i65) {
  %a = arith.constant 1.5 : f16
  %r = arith.fptoui %a : f16 to i65
  return %r : i65
}

// CHECK-LABEL: @absi_1()
// CHECK-NEXT: arith.constant 7 : i65
func.func @absi_1() -> (i65) {
  %a = arith.constant -7 : i65
  %r = math.absi %a : i65
  return %r : i65
}

// CHECK-LABEL: @ctlz_1()
// CHECK-NEXT: arith.constant 0 : i65
func.func @ctlz_1() -> (i65) {
  %a = arith.constant -18446744073709551616 : i65
  %r = math.ctlz %a : i65
  return %r : i65
}

// CHECK-LABEL: @cttz_1()
// CHECK-NEXT: arith.constant 0 : i65
func.func @cttz_1() -> (i65) {
  %a = arith.constant 65 : i65
  %r = math.cttz %a : i65
  return %r : i65
}

// CHECK-LABEL: @ctpop_1()
// CHECK-NEXT: arith.constant 1 : i65
func.func @ctpop_1() -> (i65) {
  %a = arith.constant 64 : i65
  %r = math.ctpop %a : i65
  return %r : i65
}

// CHECK-LABEL: @ipowi_1()
// CHECK-NEXT: arith.constant 0 : i65
func.func @ipowi_1() -> (i65) {
  %a = arith.constant 0 : i65
  %b = arith.constant 3 : i65
  %r = math.ipowi %a, %b : i65
  return %r : i65
}

// CHECK-LABEL: @cmpi_2()
// CHECK-NEXT: arith.constant false
func.func @cmpi_2() -> (i1) {
  %a = arith.constant 0 : i96
  %b = arith.constant 18446744073709551616 : i96
  %r = arith.cmpi eq, %a, %b : i96
  return %r : i1
}

// CHECK-LABEL: @sitofp_2()
// CHECK-NEXT: arith.constant 0xFC00 : f16
func.func @sitofp_2() -> (f16) {
  %a = arith.constant -39614081257132168796771975168 : i96
  %r = arith.sitofp %a : i96 to f16
  return %r : f16
}

// CHECK-LABEL: @uitofp_2()
// CHECK-NEXT: arith.constant 0x7C00 : f16
func.func @uitofp_2() -> (f16) {
  %a = arith.constant 19522464900155531910288450383 : i96
  %r = arith.uitofp %a : i96 to f16
  return %r : f16
}

// CHECK-LABEL: @fptosi_2()
// CHECK-NEXT: arith.constant 1 : i96
func.func @fptosi_2() -> (i96) {
  %a = arith.constant 1.5 : f16
  %r = arith.fptosi %a : f16 to i96
  return %r : i96
}

// CHECK-LABEL: @fptoui_2()
// CHECK-NEXT: arith.constant 1 : i96
func.func @fptoui_2() -> (i96) {
  %a = arith.constant 1.5 : f16
  %r = arith.fptoui %a : f16 to i96
  return %r : i96
}

// CHECK-LABEL: @bitcast_1()
// CHECK-NEXT: arith.constant 85065399433376081038215121361612832768 : i128
func.func @bitcast_1() -> (i128) {
  %a = arith.constant 1.0 : f128
  %r = arith.bitcast %a : f128 to i128
  return %r : i128
}

// CHECK-LABEL: @reassociate(
// CHECK-SAME: %[[X:.*]]: i128
// CHECK: %[[SUM:.*]] = arith.constant -7605903601369376408980219248342 : i128
// CHECK: %[[NEW:.*]] = arith.addi %[[X]], %[[SUM]] : i128
// CHECK: return %[[NEW]]
func.func @reassociate(%x: i128) -> i128 {
  %c = arith.constant 1267650600228229401496703217721 : i128
  %d = arith.constant -8873554201597605810476922466063 : i128
  %0 = arith.addi %x, %c : i128
  %1 = arith.addi %0, %d : i128
  return %1 : i128
}

// CHECK-LABEL: @neutral_and_absorbing(
// CHECK-SAME: %[[X:.*]]: i129
// CHECK: %[[ONES:.*]] = arith.constant -1 : i129
// CHECK: return %[[X]], %[[X]], %[[ONES]], %[[X]]
func.func @neutral_and_absorbing(%x: i129) -> (i129, i129, i129, i129) {
  %ones = arith.constant -1 : i129
  %least = arith.constant -340282366920938463463374607431768211456 : i129
  %0 = arith.andi %x, %ones : i129
  %1 = arith.maxsi %x, %least : i129
  %2 = arith.maxui %x, %ones : i129
  %one = arith.constant 1 : i129
  %3 = arith.divui %x, %one : i129
  return %0, %1, %2, %3 : i129, i129, i129, i129
}

// CHECK-LABEL: @compare_converted(
// CHECK-SAME: %[[X:.*]]: i128
// CHECK: %[[C:.*]] = arith.constant 4 : i128
// CHECK: %[[LESS:.*]] = arith.cmpi sle, %[[X]], %[[C]] : i128
// CHECK: return %[[LESS]]
func.func @compare_converted(%x: i128) -> i1 {
  %c = arith.constant 4.5 : f32
  %0 = arith.sitofp %x : i128 to f32
  %1 = arith.cmpf olt, %0, %c : f32
  return %1 : i1
}

// The greatest unsigned integers of 129 bits become infinite.
// CHECK-LABEL: @infinity_is_reached(
// CHECK: arith.cmpf
func.func @infinity_is_reached(%x: i129) -> i1 {
  %c = arith.constant 0x7F800000 : f32
  %0 = arith.uitofp %x : i129 to f32
  %1 = arith.cmpf olt, %0, %c : f32
  return %1 : i1
}

// CHECK-LABEL: @shifted_and_truncated(
// CHECK: arith.shrui %{{.*}}, %{{.*}} : i128
// CHECK: arith.trunci %{{.*}} : i128 to i64
func.func @shifted_and_truncated(%x: i128) -> i64 {
  %c = arith.constant 64 : i128
  %0 = arith.shrsi %x, %c : i128
  %1 = arith.trunci %0 : i128 to i64
  return %1 : i64
}

// CHECK-LABEL: @undefined(
// CHECK: arith.divsi
func.func @undefined() -> i65 {
  %least = arith.constant -18446744073709551616 : i65
  %ones = arith.constant -1 : i65
  %0 = arith.divsi %least, %ones : i65
  return %0 : i65
}
