// Convolutions by Winograd's method agree with direct ones, and compiled code computes the same numbers as the interpreter.

#all = affine_map<(i, j, k, l) -> (i, j, k, l)>
#none = affine_map<(i, j, k, l) -> ()>
#tiles = affine_map<(i, j, y, x, n, f, c) -> (i, j, y, x, n, c)>
#filters = affine_map<(i, j, y, x, n, f, c) -> (i, j, c, f)>
#products = affine_map<(i, j, y, x, n, f, c) -> (i, j, y, x, n, f)>

// RUN: %kc run %s --entry small --backend jit --inputs '[-4]' > %t.jit && FileCheck %s --check-prefix=SMALL < %t.jit
// RUN: %kc run %s --entry small --backend interpret --inputs '[-4]' > %t.interpret && diff %t.jit %t.interpret
// RUN: %kc run %s --entry small --backend interpret-buffers --inputs '[-4]' > %t.buffers && diff %t.jit %t.buffers
// SMALL: (true,
func.func @small(%seed: i64) -> (i1, tensor<1x4x4x3xf32>) {
  %x = call @image_small(%seed) : (i64) -> tensor<1x6x6x2xf32>
  %f = call @filter_small(%seed) : (i64) -> tensor<3x3x3x2xf32>
  %zero = arith.constant 0.0 : f32
  %ge = tensor.empty() : tensor<4x4x2x3xf32>
  %g = linalg.winograd_filter_transform fmr(F_2_3) ins(%f : tensor<3x3x3x2xf32>) outs(%ge : tensor<4x4x2x3xf32>) -> tensor<4x4x2x3xf32>
  %ve = tensor.empty() : tensor<4x4x2x2x1x2xf32>
  %v = linalg.winograd_input_transform fmr(F_2_3) ins(%x : tensor<1x6x6x2xf32>) outs(%ve : tensor<4x4x2x2x1x2xf32>) -> tensor<4x4x2x2x1x2xf32>
  %me = tensor.empty() : tensor<4x4x2x2x1x3xf32>
  %m0 = linalg.fill ins(%zero : f32) outs(%me : tensor<4x4x2x2x1x3xf32>) -> tensor<4x4x2x2x1x3xf32>
  %m = linalg.generic {indexing_maps = [#tiles, #filters, #products], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%v, %g : tensor<4x4x2x2x1x2xf32>, tensor<4x4x2x3xf32>) outs(%m0 : tensor<4x4x2x2x1x3xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x4x2x2x1x3xf32>
  %oe = tensor.empty() : tensor<1x4x4x3xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%oe : tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32>
  %y = linalg.winograd_output_transform fmr(F_2_3) ins(%m : tensor<4x4x2x2x1x3xf32>) outs(%o0 : tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32>
  %d = linalg.conv_2d_nhwc_fhwc ins(%x, %f : tensor<1x6x6x2xf32>, tensor<3x3x3x2xf32>) outs(%o0 : tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32>
  %none = arith.constant dense<0.0> : tensor<f32>
  %worst = linalg.generic {indexing_maps = [#all, #all, #none], iterator_types = ["reduction", "reduction", "reduction", "reduction"]} ins(%y, %d : tensor<1x4x4x3xf32>, tensor<1x4x4x3xf32>) outs(%none : tensor<f32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.subf %a, %b : f32
    %q = math.absf %p : f32
    %s = arith.maximumf %o, %q : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  %e = tensor.extract %worst[] : tensor<f32>
  %limit = arith.constant 1.0e-4 : f32
  %near = arith.cmpf olt, %e, %limit : f32
  return %near, %y : i1, tensor<1x4x4x3xf32>
}
func.func private @image_small(%seed: i64) -> tensor<1x6x6x2xf32> {
  %e = tensor.empty() : tensor<1x6x6x2xf32>
  %r = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e : tensor<1x6x6x2xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %l = linalg.index 3 : index
    %c7 = arith.constant 7 : index
    %c5 = arith.constant 5 : index
    %c3 = arith.constant 3 : index
    %c11 = arith.constant 11 : index
    %a = arith.muli %i, %c7 : index
    %b = arith.muli %j, %c5 : index
    %c = arith.muli %k, %c3 : index
    %ab = arith.addi %a, %b : index
    %cl = arith.addi %c, %l : index
    %s = arith.addi %ab, %cl : index
    %m = arith.remui %s, %c11 : index
    %mi = arith.index_cast %m : index to i64
    %ms = arith.addi %mi, %seed : i64
    %x = arith.sitofp %ms : i64 to f32
    %quarter = arith.constant 0.3 : f32
    %n = arith.mulf %x, %quarter : f32
    linalg.yield %n : f32
  } -> tensor<1x6x6x2xf32>
  return %r : tensor<1x6x6x2xf32>
}
func.func private @filter_small(%seed: i64) -> tensor<3x3x3x2xf32> {
  %e = tensor.empty() : tensor<3x3x3x2xf32>
  %r = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e : tensor<3x3x3x2xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %l = linalg.index 3 : index
    %c7 = arith.constant 7 : index
    %c5 = arith.constant 5 : index
    %c3 = arith.constant 3 : index
    %c11 = arith.constant 11 : index
    %a = arith.muli %i, %c7 : index
    %b = arith.muli %j, %c5 : index
    %c = arith.muli %k, %c3 : index
    %ab = arith.addi %a, %b : index
    %cl = arith.addi %c, %l : index
    %s = arith.addi %ab, %cl : index
    %m = arith.remui %s, %c11 : index
    %mi = arith.index_cast %m : index to i64
    %ms = arith.addi %mi, %seed : i64
    %x = arith.sitofp %ms : i64 to f32
    %quarter = arith.constant 0.3 : f32
    %n = arith.mulf %x, %quarter : f32
    linalg.yield %n : f32
  } -> tensor<3x3x3x2xf32>
  return %r : tensor<3x3x3x2xf32>
}

// RUN: %kc run %s --entry large --backend jit --inputs '[-4]' > %t.jit && FileCheck %s --check-prefix=LARGE < %t.jit
// RUN: %kc run %s --entry large --backend interpret --inputs '[-4]' > %t.interpret && diff %t.jit %t.interpret
// RUN: %kc run %s --entry large --backend interpret-buffers --inputs '[-4]' > %t.buffers && diff %t.jit %t.buffers
// LARGE: (true,
func.func @large(%seed: i64) -> (i1, tensor<1x4x8x2xf32>) {
  %x = call @image_large(%seed) : (i64) -> tensor<1x6x10x2xf32>
  %f = call @filter_large(%seed) : (i64) -> tensor<2x3x3x2xf32>
  %zero = arith.constant 0.0 : f32
  %ge = tensor.empty() : tensor<6x6x2x2xf32>
  %g = linalg.winograd_filter_transform fmr(F_4_3) ins(%f : tensor<2x3x3x2xf32>) outs(%ge : tensor<6x6x2x2xf32>) -> tensor<6x6x2x2xf32>
  %ve = tensor.empty() : tensor<6x6x1x2x1x2xf32>
  %v = linalg.winograd_input_transform fmr(F_4_3) ins(%x : tensor<1x6x10x2xf32>) outs(%ve : tensor<6x6x1x2x1x2xf32>) -> tensor<6x6x1x2x1x2xf32>
  %me = tensor.empty() : tensor<6x6x1x2x1x2xf32>
  %m0 = linalg.fill ins(%zero : f32) outs(%me : tensor<6x6x1x2x1x2xf32>) -> tensor<6x6x1x2x1x2xf32>
  %m = linalg.generic {indexing_maps = [#tiles, #filters, #products], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%v, %g : tensor<6x6x1x2x1x2xf32>, tensor<6x6x2x2xf32>) outs(%m0 : tensor<6x6x1x2x1x2xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<6x6x1x2x1x2xf32>
  %oe = tensor.empty() : tensor<1x4x8x2xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%oe : tensor<1x4x8x2xf32>) -> tensor<1x4x8x2xf32>
  %y = linalg.winograd_output_transform fmr(F_4_3) ins(%m : tensor<6x6x1x2x1x2xf32>) outs(%o0 : tensor<1x4x8x2xf32>) -> tensor<1x4x8x2xf32>
  %d = linalg.conv_2d_nhwc_fhwc ins(%x, %f : tensor<1x6x10x2xf32>, tensor<2x3x3x2xf32>) outs(%o0 : tensor<1x4x8x2xf32>) -> tensor<1x4x8x2xf32>
  %none = arith.constant dense<0.0> : tensor<f32>
  %worst = linalg.generic {indexing_maps = [#all, #all, #none], iterator_types = ["reduction", "reduction", "reduction", "reduction"]} ins(%y, %d : tensor<1x4x8x2xf32>, tensor<1x4x8x2xf32>) outs(%none : tensor<f32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.subf %a, %b : f32
    %q = math.absf %p : f32
    %s = arith.maximumf %o, %q : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  %e = tensor.extract %worst[] : tensor<f32>
  %limit = arith.constant 1.0e-4 : f32
  %near = arith.cmpf olt, %e, %limit : f32
  return %near, %y : i1, tensor<1x4x8x2xf32>
}
func.func private @image_large(%seed: i64) -> tensor<1x6x10x2xf32> {
  %e = tensor.empty() : tensor<1x6x10x2xf32>
  %r = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e : tensor<1x6x10x2xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %l = linalg.index 3 : index
    %c7 = arith.constant 7 : index
    %c5 = arith.constant 5 : index
    %c3 = arith.constant 3 : index
    %c11 = arith.constant 11 : index
    %a = arith.muli %i, %c7 : index
    %b = arith.muli %j, %c5 : index
    %c = arith.muli %k, %c3 : index
    %ab = arith.addi %a, %b : index
    %cl = arith.addi %c, %l : index
    %s = arith.addi %ab, %cl : index
    %m = arith.remui %s, %c11 : index
    %mi = arith.index_cast %m : index to i64
    %ms = arith.addi %mi, %seed : i64
    %x = arith.sitofp %ms : i64 to f32
    %quarter = arith.constant 0.3 : f32
    %n = arith.mulf %x, %quarter : f32
    linalg.yield %n : f32
  } -> tensor<1x6x10x2xf32>
  return %r : tensor<1x6x10x2xf32>
}
func.func private @filter_large(%seed: i64) -> tensor<2x3x3x2xf32> {
  %e = tensor.empty() : tensor<2x3x3x2xf32>
  %r = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e : tensor<2x3x3x2xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %l = linalg.index 3 : index
    %c7 = arith.constant 7 : index
    %c5 = arith.constant 5 : index
    %c3 = arith.constant 3 : index
    %c11 = arith.constant 11 : index
    %a = arith.muli %i, %c7 : index
    %b = arith.muli %j, %c5 : index
    %c = arith.muli %k, %c3 : index
    %ab = arith.addi %a, %b : index
    %cl = arith.addi %c, %l : index
    %s = arith.addi %ab, %cl : index
    %m = arith.remui %s, %c11 : index
    %mi = arith.index_cast %m : index to i64
    %ms = arith.addi %mi, %seed : i64
    %x = arith.sitofp %ms : i64 to f32
    %quarter = arith.constant 0.3 : f32
    %n = arith.mulf %x, %quarter : f32
    linalg.yield %n : f32
  } -> tensor<2x3x3x2xf32>
  return %r : tensor<2x3x3x2xf32>
}

// RUN: %kc run %s --entry wide --backend jit --inputs '[-4]' > %t.jit && FileCheck %s --check-prefix=WIDE < %t.jit
// RUN: %kc run %s --entry wide --backend interpret --inputs '[-4]' > %t.interpret && diff %t.jit %t.interpret
// RUN: %kc run %s --entry wide --backend interpret-buffers --inputs '[-4]' > %t.buffers && diff %t.jit %t.buffers
// WIDE: (true,
func.func @wide(%seed: i64) -> (i1, tensor<1x2x2x2xf64>) {
  %x = call @image_wide(%seed) : (i64) -> tensor<1x6x6x2xf64>
  %f = call @filter_wide(%seed) : (i64) -> tensor<2x5x5x2xf64>
  %zero = arith.constant 0.0 : f64
  %ge = tensor.empty() : tensor<6x6x2x2xf64>
  %g = linalg.winograd_filter_transform fmr(F_2_5) ins(%f : tensor<2x5x5x2xf64>) outs(%ge : tensor<6x6x2x2xf64>) -> tensor<6x6x2x2xf64>
  %ve = tensor.empty() : tensor<6x6x1x1x1x2xf64>
  %v = linalg.winograd_input_transform fmr(F_2_5) ins(%x : tensor<1x6x6x2xf64>) outs(%ve : tensor<6x6x1x1x1x2xf64>) -> tensor<6x6x1x1x1x2xf64>
  %me = tensor.empty() : tensor<6x6x1x1x1x2xf64>
  %m0 = linalg.fill ins(%zero : f64) outs(%me : tensor<6x6x1x1x1x2xf64>) -> tensor<6x6x1x1x1x2xf64>
  %m = linalg.generic {indexing_maps = [#tiles, #filters, #products], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%v, %g : tensor<6x6x1x1x1x2xf64>, tensor<6x6x2x2xf64>) outs(%m0 : tensor<6x6x1x1x1x2xf64>) {
  ^bb0(%a: f64, %b: f64, %o: f64):
    %p = arith.mulf %a, %b : f64
    %s = arith.addf %o, %p : f64
    linalg.yield %s : f64
  } -> tensor<6x6x1x1x1x2xf64>
  %oe = tensor.empty() : tensor<1x2x2x2xf64>
  %o0 = linalg.fill ins(%zero : f64) outs(%oe : tensor<1x2x2x2xf64>) -> tensor<1x2x2x2xf64>
  %y = linalg.winograd_output_transform fmr(F_2_5) ins(%m : tensor<6x6x1x1x1x2xf64>) outs(%o0 : tensor<1x2x2x2xf64>) -> tensor<1x2x2x2xf64>
  %d = linalg.conv_2d_nhwc_fhwc ins(%x, %f : tensor<1x6x6x2xf64>, tensor<2x5x5x2xf64>) outs(%o0 : tensor<1x2x2x2xf64>) -> tensor<1x2x2x2xf64>
  %none = arith.constant dense<0.0> : tensor<f64>
  %worst = linalg.generic {indexing_maps = [#all, #all, #none], iterator_types = ["reduction", "reduction", "reduction", "reduction"]} ins(%y, %d : tensor<1x2x2x2xf64>, tensor<1x2x2x2xf64>) outs(%none : tensor<f64>) {
  ^bb0(%a: f64, %b: f64, %o: f64):
    %p = arith.subf %a, %b : f64
    %q = math.absf %p : f64
    %s = arith.maximumf %o, %q : f64
    linalg.yield %s : f64
  } -> tensor<f64>
  %e = tensor.extract %worst[] : tensor<f64>
  %limit = arith.constant 1.0e-12 : f64
  %near = arith.cmpf olt, %e, %limit : f64
  return %near, %y : i1, tensor<1x2x2x2xf64>
}
func.func private @image_wide(%seed: i64) -> tensor<1x6x6x2xf64> {
  %e = tensor.empty() : tensor<1x6x6x2xf64>
  %r = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e : tensor<1x6x6x2xf64>) {
  ^bb0(%o: f64):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %l = linalg.index 3 : index
    %c7 = arith.constant 7 : index
    %c5 = arith.constant 5 : index
    %c3 = arith.constant 3 : index
    %c11 = arith.constant 11 : index
    %a = arith.muli %i, %c7 : index
    %b = arith.muli %j, %c5 : index
    %c = arith.muli %k, %c3 : index
    %ab = arith.addi %a, %b : index
    %cl = arith.addi %c, %l : index
    %s = arith.addi %ab, %cl : index
    %m = arith.remui %s, %c11 : index
    %mi = arith.index_cast %m : index to i64
    %ms = arith.addi %mi, %seed : i64
    %x = arith.sitofp %ms : i64 to f64
    %quarter = arith.constant 0.3 : f64
    %n = arith.mulf %x, %quarter : f64
    linalg.yield %n : f64
  } -> tensor<1x6x6x2xf64>
  return %r : tensor<1x6x6x2xf64>
}
func.func private @filter_wide(%seed: i64) -> tensor<2x5x5x2xf64> {
  %e = tensor.empty() : tensor<2x5x5x2xf64>
  %r = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e : tensor<2x5x5x2xf64>) {
  ^bb0(%o: f64):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %l = linalg.index 3 : index
    %c7 = arith.constant 7 : index
    %c5 = arith.constant 5 : index
    %c3 = arith.constant 3 : index
    %c11 = arith.constant 11 : index
    %a = arith.muli %i, %c7 : index
    %b = arith.muli %j, %c5 : index
    %c = arith.muli %k, %c3 : index
    %ab = arith.addi %a, %b : index
    %cl = arith.addi %c, %l : index
    %s = arith.addi %ab, %cl : index
    %m = arith.remui %s, %c11 : index
    %mi = arith.index_cast %m : index to i64
    %ms = arith.addi %mi, %seed : i64
    %x = arith.sitofp %ms : i64 to f64
    %quarter = arith.constant 0.3 : f64
    %n = arith.mulf %x, %quarter : f64
    linalg.yield %n : f64
  } -> tensor<2x5x5x2xf64>
  return %r : tensor<2x5x5x2xf64>
}

// RUN: %kc run %s --entry row --backend jit --inputs '[-4]' > %t.jit && FileCheck %s --check-prefix=ROW < %t.jit
// RUN: %kc run %s --entry row --backend interpret --inputs '[-4]' > %t.interpret && diff %t.jit %t.interpret
// RUN: %kc run %s --entry row --backend interpret-buffers --inputs '[-4]' > %t.buffers && diff %t.jit %t.buffers
// ROW: (true,
func.func @row(%seed: i64) -> (i1, tensor<1x2x4x3xf32>) {
  %x = call @image_row(%seed) : (i64) -> tensor<1x2x6x2xf32>
  %f = call @filter_row(%seed) : (i64) -> tensor<3x1x3x2xf32>
  %zero = arith.constant 0.0 : f32
  %ge = tensor.empty() : tensor<1x4x2x3xf32>
  %g = linalg.winograd_filter_transform fmr(F_2_3) ins(%f : tensor<3x1x3x2xf32>) outs(%ge : tensor<1x4x2x3xf32>) -> tensor<1x4x2x3xf32>
  %ve = tensor.empty() : tensor<1x4x2x2x1x2xf32>
  %v = linalg.winograd_input_transform fmr(F_2_3) ins(%x : tensor<1x2x6x2xf32>) outs(%ve : tensor<1x4x2x2x1x2xf32>) -> tensor<1x4x2x2x1x2xf32>
  %me = tensor.empty() : tensor<1x4x2x2x1x3xf32>
  %m0 = linalg.fill ins(%zero : f32) outs(%me : tensor<1x4x2x2x1x3xf32>) -> tensor<1x4x2x2x1x3xf32>
  %m = linalg.generic {indexing_maps = [#tiles, #filters, #products], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%v, %g : tensor<1x4x2x2x1x2xf32>, tensor<1x4x2x3xf32>) outs(%m0 : tensor<1x4x2x2x1x3xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<1x4x2x2x1x3xf32>
  %oe = tensor.empty() : tensor<1x2x4x3xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%oe : tensor<1x2x4x3xf32>) -> tensor<1x2x4x3xf32>
  %y = linalg.winograd_output_transform fmr(F_2_3) ins(%m : tensor<1x4x2x2x1x3xf32>) outs(%o0 : tensor<1x2x4x3xf32>) -> tensor<1x2x4x3xf32>
  %d = linalg.conv_2d_nhwc_fhwc ins(%x, %f : tensor<1x2x6x2xf32>, tensor<3x1x3x2xf32>) outs(%o0 : tensor<1x2x4x3xf32>) -> tensor<1x2x4x3xf32>
  %none = arith.constant dense<0.0> : tensor<f32>
  %worst = linalg.generic {indexing_maps = [#all, #all, #none], iterator_types = ["reduction", "reduction", "reduction", "reduction"]} ins(%y, %d : tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>) outs(%none : tensor<f32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.subf %a, %b : f32
    %q = math.absf %p : f32
    %s = arith.maximumf %o, %q : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  %e = tensor.extract %worst[] : tensor<f32>
  %limit = arith.constant 1.0e-4 : f32
  %near = arith.cmpf olt, %e, %limit : f32
  return %near, %y : i1, tensor<1x2x4x3xf32>
}
func.func private @image_row(%seed: i64) -> tensor<1x2x6x2xf32> {
  %e = tensor.empty() : tensor<1x2x6x2xf32>
  %r = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e : tensor<1x2x6x2xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %l = linalg.index 3 : index
    %c7 = arith.constant 7 : index
    %c5 = arith.constant 5 : index
    %c3 = arith.constant 3 : index
    %c11 = arith.constant 11 : index
    %a = arith.muli %i, %c7 : index
    %b = arith.muli %j, %c5 : index
    %c = arith.muli %k, %c3 : index
    %ab = arith.addi %a, %b : index
    %cl = arith.addi %c, %l : index
    %s = arith.addi %ab, %cl : index
    %m = arith.remui %s, %c11 : index
    %mi = arith.index_cast %m : index to i64
    %ms = arith.addi %mi, %seed : i64
    %x = arith.sitofp %ms : i64 to f32
    %quarter = arith.constant 0.3 : f32
    %n = arith.mulf %x, %quarter : f32
    linalg.yield %n : f32
  } -> tensor<1x2x6x2xf32>
  return %r : tensor<1x2x6x2xf32>
}
func.func private @filter_row(%seed: i64) -> tensor<3x1x3x2xf32> {
  %e = tensor.empty() : tensor<3x1x3x2xf32>
  %r = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e : tensor<3x1x3x2xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %l = linalg.index 3 : index
    %c7 = arith.constant 7 : index
    %c5 = arith.constant 5 : index
    %c3 = arith.constant 3 : index
    %c11 = arith.constant 11 : index
    %a = arith.muli %i, %c7 : index
    %b = arith.muli %j, %c5 : index
    %c = arith.muli %k, %c3 : index
    %ab = arith.addi %a, %b : index
    %cl = arith.addi %c, %l : index
    %s = arith.addi %ab, %cl : index
    %m = arith.remui %s, %c11 : index
    %mi = arith.index_cast %m : index to i64
    %ms = arith.addi %mi, %seed : i64
    %x = arith.sitofp %ms : i64 to f32
    %quarter = arith.constant 0.3 : f32
    %n = arith.mulf %x, %quarter : f32
    linalg.yield %n : f32
  } -> tensor<3x1x3x2xf32>
  return %r : tensor<3x1x3x2xf32>
}

// RUN: %kc run %s --entry column --backend jit --inputs '[-4]' > %t.jit && FileCheck %s --check-prefix=COLUMN < %t.jit
// RUN: %kc run %s --entry column --backend interpret --inputs '[-4]' > %t.interpret && diff %t.jit %t.interpret
// RUN: %kc run %s --entry column --backend interpret-buffers --inputs '[-4]' > %t.buffers && diff %t.jit %t.buffers
// COLUMN: (true,
func.func @column(%seed: i64) -> (i1, tensor<1x4x3x2xf32>) {
  %x = call @image_column(%seed) : (i64) -> tensor<1x6x3x2xf32>
  %f = call @filter_column(%seed) : (i64) -> tensor<2x3x1x2xf32>
  %zero = arith.constant 0.0 : f32
  %ge = tensor.empty() : tensor<6x1x2x2xf32>
  %g = linalg.winograd_filter_transform fmr(F_4_3) ins(%f : tensor<2x3x1x2xf32>) outs(%ge : tensor<6x1x2x2xf32>) -> tensor<6x1x2x2xf32>
  %ve = tensor.empty() : tensor<6x1x1x3x1x2xf32>
  %v = linalg.winograd_input_transform fmr(F_4_3) ins(%x : tensor<1x6x3x2xf32>) outs(%ve : tensor<6x1x1x3x1x2xf32>) -> tensor<6x1x1x3x1x2xf32>
  %me = tensor.empty() : tensor<6x1x1x3x1x2xf32>
  %m0 = linalg.fill ins(%zero : f32) outs(%me : tensor<6x1x1x3x1x2xf32>) -> tensor<6x1x1x3x1x2xf32>
  %m = linalg.generic {indexing_maps = [#tiles, #filters, #products], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%v, %g : tensor<6x1x1x3x1x2xf32>, tensor<6x1x2x2xf32>) outs(%m0 : tensor<6x1x1x3x1x2xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<6x1x1x3x1x2xf32>
  %oe = tensor.empty() : tensor<1x4x3x2xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%oe : tensor<1x4x3x2xf32>) -> tensor<1x4x3x2xf32>
  %y = linalg.winograd_output_transform fmr(F_4_3) ins(%m : tensor<6x1x1x3x1x2xf32>) outs(%o0 : tensor<1x4x3x2xf32>) -> tensor<1x4x3x2xf32>
  %d = linalg.conv_2d_nhwc_fhwc ins(%x, %f : tensor<1x6x3x2xf32>, tensor<2x3x1x2xf32>) outs(%o0 : tensor<1x4x3x2xf32>) -> tensor<1x4x3x2xf32>
  %none = arith.constant dense<0.0> : tensor<f32>
  %worst = linalg.generic {indexing_maps = [#all, #all, #none], iterator_types = ["reduction", "reduction", "reduction", "reduction"]} ins(%y, %d : tensor<1x4x3x2xf32>, tensor<1x4x3x2xf32>) outs(%none : tensor<f32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.subf %a, %b : f32
    %q = math.absf %p : f32
    %s = arith.maximumf %o, %q : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  %e = tensor.extract %worst[] : tensor<f32>
  %limit = arith.constant 1.0e-4 : f32
  %near = arith.cmpf olt, %e, %limit : f32
  return %near, %y : i1, tensor<1x4x3x2xf32>
}
func.func private @image_column(%seed: i64) -> tensor<1x6x3x2xf32> {
  %e = tensor.empty() : tensor<1x6x3x2xf32>
  %r = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e : tensor<1x6x3x2xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %l = linalg.index 3 : index
    %c7 = arith.constant 7 : index
    %c5 = arith.constant 5 : index
    %c3 = arith.constant 3 : index
    %c11 = arith.constant 11 : index
    %a = arith.muli %i, %c7 : index
    %b = arith.muli %j, %c5 : index
    %c = arith.muli %k, %c3 : index
    %ab = arith.addi %a, %b : index
    %cl = arith.addi %c, %l : index
    %s = arith.addi %ab, %cl : index
    %m = arith.remui %s, %c11 : index
    %mi = arith.index_cast %m : index to i64
    %ms = arith.addi %mi, %seed : i64
    %x = arith.sitofp %ms : i64 to f32
    %quarter = arith.constant 0.3 : f32
    %n = arith.mulf %x, %quarter : f32
    linalg.yield %n : f32
  } -> tensor<1x6x3x2xf32>
  return %r : tensor<1x6x3x2xf32>
}
func.func private @filter_column(%seed: i64) -> tensor<2x3x1x2xf32> {
  %e = tensor.empty() : tensor<2x3x1x2xf32>
  %r = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e : tensor<2x3x1x2xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %l = linalg.index 3 : index
    %c7 = arith.constant 7 : index
    %c5 = arith.constant 5 : index
    %c3 = arith.constant 3 : index
    %c11 = arith.constant 11 : index
    %a = arith.muli %i, %c7 : index
    %b = arith.muli %j, %c5 : index
    %c = arith.muli %k, %c3 : index
    %ab = arith.addi %a, %b : index
    %cl = arith.addi %c, %l : index
    %s = arith.addi %ab, %cl : index
    %m = arith.remui %s, %c11 : index
    %mi = arith.index_cast %m : index to i64
    %ms = arith.addi %mi, %seed : i64
    %x = arith.sitofp %ms : i64 to f32
    %quarter = arith.constant 0.3 : f32
    %n = arith.mulf %x, %quarter : f32
    linalg.yield %n : f32
  } -> tensor<2x3x1x2xf32>
  return %r : tensor<2x3x1x2xf32>
}

// Extents that the types leave open.
// RUN: %kc run %s --entry open --backend jit --inputs '[[[[[1],[2],[3],[4]],[[5],[6],[7],[8]],[[1],[1],[1],[1]],[[0],[1],[0],[1]]]], 1, 1]' > %t.jit && FileCheck %s --check-prefix=OPEN < %t.jit
// RUN: %kc run %s --entry open --backend interpret --inputs '[[[[[1],[2],[3],[4]],[[5],[6],[7],[8]],[[1],[1],[1],[1]],[[0],[1],[0],[1]]]], 1, 1]' > %t.interpret && diff %t.jit %t.interpret
// OPEN: {{\[\[\[\[\[\[}}-2]]]], {{\[\[\[\[}}-1]]]], {{\[\[\[\[}}-3]]]], {{\[\[\[\[}}-2]]]]],
// RUN: not %kc run %s --entry open --backend jit --inputs '[[[[[1],[2],[3],[4]],[[5],[6],[7],[8]],[[1],[1],[1],[1]],[[0],[1],[0],[1]]]], 2, 1]' 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: not %kc run %s --entry open --backend interpret --inputs '[[[[[1],[2],[3],[4]],[[5],[6],[7],[8]],[[1],[1],[1],[1]],[[0],[1],[0],[1]]]], 2, 1]' 2>&1 | FileCheck %s --check-prefix=ROWS
// ROWS: error: linalg.winograd_input_transform: dimension 2 of the output does not fit dimension 1 of the input
// ROWS-NEXT: winograd.mlir:[[# @LINE + 3]]:
func.func @open(%x: tensor<?x?x4x1xf32>, %rows: index, %n: index) -> tensor<4x4x?x1x?x1xf32> {
  %e = tensor.empty(%rows, %n) : tensor<4x4x?x1x?x1xf32>
  %v = linalg.winograd_input_transform fmr(F_2_3) ins(%x : tensor<?x?x4x1xf32>) outs(%e : tensor<4x4x?x1x?x1xf32>) -> tensor<4x4x?x1x?x1xf32>
  return %v : tensor<4x4x?x1x?x1xf32>
}
