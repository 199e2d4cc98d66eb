func.func @add_zero(%x: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %0 = arith.addi %x, %c0 : i32
  %1 = arith.addi %c0, %0 : i32
  return %1 : i32
}
func.func @add_sub(%x: i32, %y: i32) -> (i32, i32, i32) {
  %0 = arith.subi %x, %y : i32
  %1 = arith.addi %0, %y : i32
  %2 = arith.addi %y, %0 : i32
  %3 = arith.addi %x, %y : i32
  %4 = arith.subi %3, %y : i32
  return %1, %2, %4 : i32, i32, i32
}
func.func @sub_add(%x: i32, %y: i32) -> (i32, i32) {
  %0 = arith.addi %x, %y : i32
  %1 = arith.subi %0, %x : i32
  %2 = arith.subi %x, %0 : i32
  return %1, %2 : i32, i32
}
func.func @constants_gather(%x: i32) -> (i32, i32, i32, i32, i32, i32) {
  %c3 = arith.constant 3 : i32
  %c5 = arith.constant 5 : i32
  %a = arith.addi %x, %c3 : i32
  %a2 = arith.addi %a, %c5 : i32
  %b = arith.subi %x, %c3 : i32
  %b2 = arith.subi %b, %c5 : i32
  %c = arith.subi %c3, %x : i32
  %c2 = arith.subi %c5, %c : i32
  %d = arith.addi %b, %c5 : i32
  %e = arith.subi %a, %c5 : i32
  %f = arith.muli %x, %c3 : i32
  %f2 = arith.muli %f, %c5 : i32
  return %a2, %b2, %c2, %d, %e, %f2 : i32, i32, i32, i32, i32, i32
}
func.func @subi_of_constants(%x: i32) -> (i32, i32, i32, i32) {
  %c3 = arith.constant 3 : i32
  %c5 = arith.constant 5 : i32
  %c = arith.subi %c3, %x : i32
  %0 = arith.addi %c, %c5 : i32
  %1 = arith.subi %c, %c5 : i32
  %a = arith.addi %x, %c3 : i32
  %2 = arith.subi %c5, %a : i32
  %b = arith.subi %x, %c3 : i32
  %3 = arith.subi %c5, %b : i32
  return %0, %1, %2, %3 : i32, i32, i32, i32
}
func.func @mul(%x: i32) -> (i32, i32, i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c-1 = arith.constant -1 : i32
  %0 = arith.muli %x, %c0 : i32
  %1 = arith.muli %x, %c1 : i32
  %2 = arith.muli %x, %c-1 : i32
  return %0, %1, %2 : i32, i32, i32
}
func.func @div(%x: i32) -> (i32, i32, i32, i32, i32, i32, i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %0 = arith.divsi %x, %c1 : i32
  %1 = arith.divui %x, %c1 : i32
  %2 = arith.ceildivsi %x, %c1 : i32
  %3 = arith.ceildivui %x, %c1 : i32
  %4 = arith.floordivsi %x, %c1 : i32
  %5 = arith.remsi %x, %c1 : i32
  %6 = arith.remui %x, %c1 : i32
  return %0, %1, %2, %3, %4, %5, %6 : i32, i32, i32, i32, i32, i32, i32
}
func.func @div_constants() -> (i32, i32, i32, i32, i32, i32, i32, i32) {
  %c-7 = arith.constant -7 : i32
  %c2 = arith.constant 2 : i32
  %c0 = arith.constant 0 : i32
  %0 = arith.divsi %c-7, %c2 : i32
  %1 = arith.divui %c-7, %c2 : i32
  %2 = arith.ceildivsi %c-7, %c2 : i32
  %3 = arith.ceildivui %c-7, %c2 : i32
  %4 = arith.floordivsi %c-7, %c2 : i32
  %5 = arith.remsi %c-7, %c2 : i32
  %6 = arith.remui %c-7, %c2 : i32
  %7 = arith.divsi %c2, %c0 : i32
  return %0, %1, %2, %3, %4, %5, %6, %7 : i32, i32, i32, i32, i32, i32, i32, i32
}
func.func @div_of_mul(%x: i32, %y: i32) -> (i32, i32, i32) {
  %0 = arith.muli %x, %y overflow<nsw> : i32
  %1 = arith.divsi %0, %y : i32
  %2 = arith.muli %x, %y overflow<nuw> : i32
  %3 = arith.divui %2, %x : i32
  %4 = arith.divsi %2, %y : i32
  return %1, %3, %4 : i32, i32, i32
}
func.func @bits(%x: i32, %y: i32) -> (i32, i32, i32, i32, i32, i32, i32, i32, i32, i32) {
  %c0 = arith.constant 0 : i32
  %c-1 = arith.constant -1 : i32
  %0 = arith.andi %x, %x : i32
  %1 = arith.andi %x, %c0 : i32
  %2 = arith.andi %x, %c-1 : i32
  %3 = arith.ori %x, %x : i32
  %4 = arith.ori %x, %c0 : i32
  %5 = arith.ori %x, %c-1 : i32
  %6 = arith.xori %x, %x : i32
  %7 = arith.xori %x, %c0 : i32
  %n = arith.xori %x, %c-1 : i32
  %8 = arith.xori %n, %c-1 : i32
  %9 = arith.andi %x, %n : i32
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : i32, i32, i32, i32, i32, i32, i32, i32, i32, i32
}
func.func @bits_again(%x: i32, %y: i32) -> (i32, i32, i32, i32, i32, i32) {
  %c-1 = arith.constant -1 : i32
  %n = arith.xori %x, %c-1 : i32
  %0 = arith.ori %x, %n : i32
  %a = arith.andi %x, %y : i32
  %1 = arith.andi %a, %x : i32
  %2 = arith.andi %y, %a : i32
  %b = arith.xori %x, %y : i32
  %3 = arith.xori %b, %y : i32
  %4 = arith.xori %x, %b : i32
  %o = arith.ori %x, %y : i32
  %5 = arith.ori %o, %x : i32
  return %0, %1, %2, %3, %4, %5 : i32, i32, i32, i32, i32, i32
}
func.func @and_constants(%x: i32) -> (i32, i32, i32) {
  %c12 = arith.constant 12 : i32
  %c10 = arith.constant 10 : i32
  %a = arith.andi %x, %c12 : i32
  %0 = arith.andi %a, %c10 : i32
  %o = arith.ori %x, %c12 : i32
  %1 = arith.ori %o, %c10 : i32
  %b = arith.xori %x, %c12 : i32
  %2 = arith.xori %b, %c10 : i32
  return %0, %1, %2 : i32, i32, i32
}
func.func @extensions_of_bits(%x: i8, %y: i8) -> (i32, i32, i32, i32, i32, i32) {
  %sx = arith.extsi %x : i8 to i32
  %sy = arith.extsi %y : i8 to i32
  %ux = arith.extui %x : i8 to i32
  %uy = arith.extui %y : i8 to i32
  %0 = arith.andi %sx, %sy : i32
  %1 = arith.ori %sx, %sy : i32
  %2 = arith.xori %sx, %sy : i32
  %3 = arith.andi %ux, %uy : i32
  %4 = arith.ori %ux, %uy : i32
  %5 = arith.xori %ux, %uy : i32
  return %0, %1, %2, %3, %4, %5 : i32, i32, i32, i32, i32, i32
}
func.func @not_of_compare(%x: i32, %y: i32) -> (i1, i1) {
  %true = arith.constant true
  %0 = arith.cmpi slt, %x, %y : i32
  %1 = arith.xori %0, %true : i1
  %2 = arith.cmpi ule, %x, %y : i32
  %3 = arith.xori %true, %2 : i1
  return %1, %3 : i1, i1
}
func.func @shifts(%x: i32) -> (i32, i32, i32, i32, i32) {
  %c0 = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  %c40 = arith.constant 40 : i32
  %0 = arith.shli %x, %c0 : i32
  %1 = arith.shrsi %x, %c0 : i32
  %2 = arith.shrui %x, %c0 : i32
  %3 = arith.shli %c3, %c3 : i32
  %4 = arith.shli %x, %c40 : i32
  return %0, %1, %2, %3, %4 : i32, i32, i32, i32, i32
}
func.func @compare_self(%x: i32) -> (i1, i1, i1, i1, i1, i1, i1, i1, i1, i1) {
  %0 = arith.cmpi eq, %x, %x : i32
  %1 = arith.cmpi ne, %x, %x : i32
  %2 = arith.cmpi slt, %x, %x : i32
  %3 = arith.cmpi sle, %x, %x : i32
  %4 = arith.cmpi sgt, %x, %x : i32
  %5 = arith.cmpi sge, %x, %x : i32
  %6 = arith.cmpi ult, %x, %x : i32
  %7 = arith.cmpi ule, %x, %x : i32
  %8 = arith.cmpi ugt, %x, %x : i32
  %9 = arith.cmpi uge, %x, %x : i32
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : i1, i1, i1, i1, i1, i1, i1, i1, i1, i1
}
func.func @compare_constant_left(%x: i32) -> i1 {
  %c1 = arith.constant 1 : i32
  %0 = arith.cmpi slt, %c1, %x : i32
  return %0 : i1
}
func.func @compare_extended(%x: i1, %y: i1) -> (i1, i1, i1, i1, i1) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c-1 = arith.constant -1 : i32
  %u = arith.extui %x : i1 to i32
  %s = arith.extsi %x : i1 to i32
  %0 = arith.cmpi ne, %u, %c0 : i32
  %1 = arith.cmpi eq, %u, %c1 : i32
  %2 = arith.cmpi ne, %s, %c0 : i32
  %3 = arith.cmpi eq, %s, %c-1 : i32
  %4 = arith.cmpi eq, %u, %c0 : i32
  return %0, %1, %2, %3, %4 : i1, i1, i1, i1, i1
}
func.func @compare_true(%x: i1) -> (i1, i1, i1, i1) {
  %t = arith.constant true
  %f = arith.constant false
  %0 = arith.cmpi eq, %x, %t : i1
  %1 = arith.cmpi ne, %x, %f : i1
  %2 = arith.cmpi ne, %x, %t : i1
  %3 = arith.cmpi eq, %x, %f : i1
  return %0, %1, %2, %3 : i1, i1, i1, i1
}
func.func @compare_unsigned_zero(%x: i32) -> (i1, i1) {
  %c0 = arith.constant 0 : i32
  %0 = arith.cmpi ult, %x, %c0 : i32
  %1 = arith.cmpi uge, %x, %c0 : i32
  return %0, %1 : i1, i1
}
func.func @compare_extensions(%x: i8, %y: i8) -> (i1, i1) {
  %sx = arith.extsi %x : i8 to i32
  %sy = arith.extsi %y : i8 to i32
  %ux = arith.extui %x : i8 to i32
  %uy = arith.extui %y : i8 to i32
  %0 = arith.cmpi slt, %sx, %sy : i32
  %1 = arith.cmpi ult, %ux, %uy : i32
  return %0, %1 : i1, i1
}
func.func @select(%c: i1, %x: i32, %y: i32) -> (i32, i32, i32, i32, i32, i32) {
  %t = arith.constant true
  %f = arith.constant false
  %0 = arith.select %t, %x, %y : i32
  %1 = arith.select %f, %x, %y : i32
  %2 = arith.select %c, %x, %x : i32
  %n = arith.xori %c, %t : i1
  %3 = arith.select %n, %x, %y : i32
  %4 = arith.select %c, %3, %y : i32
  %5 = arith.select %c, %x, %4 : i32
  return %0, %1, %2, %3, %4, %5 : i32, i32, i32, i32, i32, i32
}
func.func @select_bool(%c: i1, %d: i1) -> (i1, i1, i1, i1) {
  %t = arith.constant true
  %f = arith.constant false
  %0 = arith.select %c, %t, %f : i1
  %1 = arith.select %c, %f, %t : i1
  %2 = arith.select %c, %t, %d : i1
  %3 = arith.select %c, %d, %f : i1
  return %0, %1, %2, %3 : i1, i1, i1, i1
}
func.func @select_compare(%x: i32, %y: i32) -> (i32, i32, i32, i32) {
  %e = arith.cmpi eq, %x, %y : i32
  %0 = arith.select %e, %x, %y : i32
  %1 = arith.select %e, %y, %x : i32
  %n = arith.cmpi ne, %x, %y : i32
  %2 = arith.select %n, %x, %y : i32
  %3 = arith.select %n, %y, %x : i32
  return %0, %1, %2, %3 : i32, i32, i32, i32
}
func.func @select_extended(%c: i1) -> (i32, i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %0 = arith.select %c, %c1, %c0 : i32
  %1 = arith.select %c, %c0, %c1 : i32
  return %0, %1 : i32, i32
}
func.func @select_ands(%c: i1, %d: i1, %x: i32, %y: i32) -> (i32, i32) {
  %0 = arith.select %d, %x, %y : i32
  %1 = arith.select %c, %0, %y : i32
  %2 = arith.select %c, %x, %0 : i32
  return %1, %2 : i32, i32
}
func.func @casts(%x: i8, %i: index, %f: f32, %h: f16) -> (i8, i32, i64, i16, i8, index, f16) {
  %s = arith.extsi %x : i8 to i32
  %0 = arith.trunci %s : i32 to i8
  %u = arith.extui %x : i8 to i16
  %1 = arith.extui %u : i16 to i32
  %2 = arith.extsi %s : i32 to i64
  %3 = arith.trunci %s : i32 to i16
  %t = arith.trunci %2 : i64 to i32
  %4 = arith.trunci %t : i32 to i8
  %c = arith.index_cast %i : index to i64
  %5 = arith.index_cast %c : i64 to index
  %e = arith.extf %h : f16 to f32
  %6 = arith.truncf %e : f32 to f16
  return %0, %1, %2, %3, %4, %5, %6 : i8, i32, i64, i16, i8, index, f16
}
func.func @extsi_of_extui(%x: i8) -> (i32, i32) {
  %u = arith.extui %x : i8 to i16
  %0 = arith.extsi %u : i16 to i32
  %s = arith.extsi %x : i8 to i16
  %1 = arith.extui %s : i16 to i32
  return %0, %1 : i32, i32
}
func.func @index_cast_of_extension(%x: i8) -> (index, index) {
  %s = arith.extsi %x : i8 to i32
  %0 = arith.index_cast %s : i32 to index
  %u = arith.extui %x : i8 to i32
  %1 = arith.index_castui %u : i32 to index
  return %0, %1 : index, index
}
func.func @bitcasts(%x: i32) -> (i32, f32) {
  %f = arith.bitcast %x : i32 to f32
  %0 = arith.bitcast %f : f32 to i32
  %c = arith.constant 1065353216 : i32
  %1 = arith.bitcast %c : i32 to f32
  return %0, %1 : i32, f32
}
func.func @cast_constants() -> (i8, i64, i64, f64, f16, i32, f32, index) {
  %c = arith.constant -3 : i32
  %f = arith.constant 2.5 : f32
  %0 = arith.trunci %c : i32 to i8
  %1 = arith.extsi %c : i32 to i64
  %2 = arith.extui %c : i32 to i64
  %3 = arith.extf %f : f32 to f64
  %4 = arith.truncf %f : f32 to f16
  %5 = arith.fptosi %f : f32 to i32
  %6 = arith.sitofp %c : i32 to f32
  %7 = arith.index_cast %c : i32 to index
  return %0, %1, %2, %3, %4, %5, %6, %7 : i8, i64, i64, f64, f16, i32, f32, index
}
func.func @truncate_shift(%x: i32) -> (i16, i16) {
  %c16 = arith.constant 16 : i32
  %s = arith.extsi %x : i32 to i64
  %w = arith.constant 32 : i64
  %0 = arith.shrui %x, %c16 : i32
  %1 = arith.trunci %0 : i32 to i16
  %2 = arith.shrsi %x, %c16 : i32
  %3 = arith.trunci %2 : i32 to i16
  return %1, %3 : i16, i16
}
func.func @extended_products(%x: i32, %y: i32) -> (i32, i32, i32, i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %l, %h = arith.mulsi_extended %x, %y : i32
  %l2, %h2 = arith.mulsi_extended %x, %c1 : i32
  %l3, %h3 = arith.mului_extended %x, %c0 : i32
  %s, %o = arith.addui_extended %x, %c0 : i32, i1
  return %l, %h2, %h3, %s : i32, i32, i32, i32
}
func.func @high_products(%x: i8, %y: i8) -> i8 {
  %sx = arith.extsi %x : i8 to i16
  %sy = arith.extsi %y : i8 to i16
  %p = arith.muli %sx, %sy : i16
  %c8 = arith.constant 8 : i16
  %h = arith.shrui %p, %c8 : i16
  %r = arith.trunci %h : i16 to i8
  return %r : i8
}
func.func @min_max(%x: i32) -> (i32, i32, i32, i32, i32, i32, i32, i32) {
  %min = arith.constant -2147483648 : i32
  %max = arith.constant 2147483647 : i32
  %c0 = arith.constant 0 : i32
  %c-1 = arith.constant -1 : i32
  %0 = arith.maxsi %x, %x : i32
  %1 = arith.maxsi %x, %min : i32
  %2 = arith.maxsi %x, %max : i32
  %3 = arith.minsi %x, %min : i32
  %4 = arith.minsi %x, %max : i32
  %5 = arith.maxui %x, %c0 : i32
  %6 = arith.maxui %x, %c-1 : i32
  %7 = arith.minui %x, %c-1 : i32
  return %0, %1, %2, %3, %4, %5, %6, %7 : i32, i32, i32, i32, i32, i32, i32, i32
}
func.func @floats(%x: f32, %y: f32) -> (f32, f32, f32, f32, f32, f32, f32, f32, f32) {
  %c0 = arith.constant 0.0 : f32
  %c-0 = arith.constant -0.0 : f32
  %c1 = arith.constant 1.0 : f32
  %0 = arith.addf %x, %c-0 : f32
  %1 = arith.addf %x, %c0 : f32
  %2 = arith.subf %x, %c0 : f32
  %3 = arith.mulf %x, %c1 : f32
  %4 = arith.divf %x, %c1 : f32
  %n = arith.negf %x : f32
  %5 = arith.negf %n : f32
  %m = arith.negf %y : f32
  %6 = arith.mulf %n, %m : f32
  %7 = arith.divf %n, %m : f32
  %8 = arith.maximumf %x, %x : f32
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : f32, f32, f32, f32, f32, f32, f32, f32, f32
}
func.func @float_constants() -> (f32, f32, f32, f32, f32, f32, f32, i1) {
  %a = arith.constant 2.5 : f32
  %b = arith.constant -4.0 : f32
  %0 = arith.addf %a, %b : f32
  %1 = arith.subf %a, %b : f32
  %2 = arith.mulf %a, %b : f32
  %3 = arith.divf %a, %b : f32
  %4 = arith.remf %b, %a : f32
  %5 = arith.maximumf %a, %b : f32
  %6 = arith.minnumf %a, %b : f32
  %7 = arith.cmpf olt, %a, %b : f32
  return %0, %1, %2, %3, %4, %5, %6, %7 : f32, f32, f32, f32, f32, f32, f32, i1
}
func.func @float_limits(%x: f32) -> (f32, f32, f32, f32) {
  %inf = arith.constant 0x7F800000 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %0 = arith.maximumf %x, %ninf : f32
  %1 = arith.minimumf %x, %inf : f32
  %2 = arith.maxnumf %x, %ninf : f32
  %3 = arith.minnumf %x, %inf : f32
  return %0, %1, %2, %3 : f32, f32, f32, f32
}
func.func @float_compare(%x: f32) -> (i1, i1, i1) {
  %nan = arith.constant 0x7FC00000 : f32
  %0 = arith.cmpf false, %x, %x : f32
  %1 = arith.cmpf true, %x, %x : f32
  %2 = arith.cmpf olt, %x, %nan : f32
  return %0, %1, %2 : i1, i1, i1
}
func.func @float_compare_of_int(%x: i32) -> (i1, i1, i1) {
  %c1 = arith.constant 1.0 : f64
  %ch = arith.constant 1.5 : f64
  %f = arith.sitofp %x : i32 to f64
  %0 = arith.cmpf olt, %f, %c1 : f64
  %1 = arith.cmpf oeq, %f, %ch : f64
  %u = arith.uitofp %x : i32 to f64
  %2 = arith.cmpf oge, %u, %c1 : f64
  return %0, %1, %2 : i1, i1, i1
}
func.func @tensors(%x: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
  %z = arith.constant dense<0> : tensor<4xi32>
  %a = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %b = arith.constant dense<[5, 6, 7, 8]> : tensor<4xi32>
  %0 = arith.addi %x, %z : tensor<4xi32>
  %1 = arith.addi %a, %b : tensor<4xi32>
  %2 = arith.muli %x, %z : tensor<4xi32>
  %3 = arith.subi %x, %x : tensor<4xi32>
  return %0, %1, %2, %3 : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
}
func.func @vectors(%x: vector<4xi32>, %c: vector<4xi1>) -> (vector<4xi32>, vector<4xi32>, vector<4xi1>) {
  %t = arith.constant dense<true> : vector<4xi1>
  %z = arith.constant dense<0> : vector<4xi32>
  %0 = arith.select %t, %x, %z : vector<4xi1>, vector<4xi32>
  %1 = arith.ori %x, %z : vector<4xi32>
  %2 = arith.cmpi eq, %x, %x : vector<4xi32>
  return %0, %1, %2 : vector<4xi32>, vector<4xi32>, vector<4xi1>
}
func.func @dead(%x: i32) {
  %0 = arith.addi %x, %x : i32
  %1 = arith.divsi %0, %x : i32
  return
}
func.func @indices(%i: index) -> (index, index, index) {
  %c4 = arith.constant 4 : index
  %c2 = arith.constant 2 : index
  %0 = arith.muli %c4, %c2 : index
  %1 = arith.ceildivui %0, %c4 : index
  %2 = arith.addi %i, %c2 : index
  %3 = arith.subi %2, %c2 : index
  return %0, %1, %3 : index, index, index
}
func.func @overflow_flags(%x: i32) -> (i32, i32) {
  %c1 = arith.constant 1 : i32
  %0 = arith.addi %x, %c1 overflow<nsw> : i32
  %1 = arith.addi %0, %c1 overflow<nsw> : i32
  %2 = arith.subi %x, %c1 overflow<nsw> : i32
  %3 = arith.addi %2, %c1 : i32
  return %1, %3 : i32, i32
}
func.func @xor_of_extensions(%a: i1) -> i32 {
  %c1 = arith.constant 1 : i32
  %0 = arith.extui %a : i1 to i32
  %1 = arith.xori %0, %c1 : i32
  return %1 : i32
}
func.func @select_of_select_conditions(%a: i1, %b: i1, %x: i64, %y: i64) -> (i64, i64) {
  %t = arith.constant true
  %na = arith.xori %a, %t : i1
  %0 = arith.select %na, %y, %x : i64
  %1 = arith.select %a, %0, %y : i64
  return %0, %1 : i64, i64
}
