// RUN: %kopt %s --split-input-file --verify-diagnostics

// The rules of plans, by number.

// S1: a statement is missing.
func.func @f(%x: tensor<8x64xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{'schedule.kernel' op has an illegal plan: 'sum' is not computed [S1]}}
  %0 = schedule.kernel ins(%x : tensor<8x64xf32>) outs(%y : tensor<8xf32>) plan <for i { for j/16 { exp[j:16v] } }> {
  ^bb0(%a: tensor<8x64xf32>, %b: tensor<8xf32>):
    %cst = arith.constant 0.000000e+00 : f32
    %e = tensor.empty() : tensor<8x64xf32>
    %f = linalg.fill ins(%cst : f32) outs(%b : tensor<8xf32>) -> tensor<8xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = math.exp %in : f32
      linalg.yield %3 : f32
    } -> tensor<8x64xf32>
    %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<8x64xf32>) outs(%f : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in fastmath<reassoc> : f32
      linalg.yield %3 : f32
    } -> tensor<8xf32>
    schedule.yield %2 : tensor<8xf32>
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// S1: a statement is a leaf twice.
func.func @f(%x: tensor<8x64xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{'schedule.kernel' op has an illegal plan: 'exp' is computed twice [S1]}}
  %0 = schedule.kernel ins(%x : tensor<8x64xf32>) outs(%y : tensor<8xf32>) plan <for i { for j/16 { exp[j:16v] sum[j:16v] exp[j:16v] } }> {
  ^bb0(%a: tensor<8x64xf32>, %b: tensor<8xf32>):
    %cst = arith.constant 0.000000e+00 : f32
    %e = tensor.empty() : tensor<8x64xf32>
    %f = linalg.fill ins(%cst : f32) outs(%b : tensor<8xf32>) -> tensor<8xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = math.exp %in : f32
      linalg.yield %3 : f32
    } -> tensor<8x64xf32>
    %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<8x64xf32>) outs(%f : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in fastmath<reassoc> : f32
      linalg.yield %3 : f32
    } -> tensor<8xf32>
    schedule.yield %2 : tensor<8xf32>
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// S1: a name that no statement has.
func.func @f(%x: tensor<8x64xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{'schedule.kernel' op has an illegal plan: 'total' is not a statement of the kernel; the statements are exp, sum [S1]}}
  %0 = schedule.kernel ins(%x : tensor<8x64xf32>) outs(%y : tensor<8xf32>) plan <for i { for j/16 { exp[j:16v] total[j:16v] } }> {
  ^bb0(%a: tensor<8x64xf32>, %b: tensor<8xf32>):
    %cst = arith.constant 0.000000e+00 : f32
    %e = tensor.empty() : tensor<8x64xf32>
    %f = linalg.fill ins(%cst : f32) outs(%b : tensor<8xf32>) -> tensor<8xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = math.exp %in : f32
      linalg.yield %3 : f32
    } -> tensor<8x64xf32>
    %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<8x64xf32>) outs(%f : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in fastmath<reassoc> : f32
      linalg.yield %3 : f32
    } -> tensor<8xf32>
    schedule.yield %2 : tensor<8xf32>
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// S2: steps that do not divide each other.
func.func @f(%x: tensor<8x64xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{'schedule.kernel' op has an illegal plan: the step of 'for j/5' does not divide that of 'for j/16' around it [S2]}}
  %0 = schedule.kernel ins(%x : tensor<8x64xf32>) outs(%y : tensor<8xf32>) plan <for i { for j/16 { for j/5 { exp[j:5v] sum[j:5v] } } }> {
  ^bb0(%a: tensor<8x64xf32>, %b: tensor<8xf32>):
    %cst = arith.constant 0.000000e+00 : f32
    %e = tensor.empty() : tensor<8x64xf32>
    %f = linalg.fill ins(%cst : f32) outs(%b : tensor<8xf32>) -> tensor<8xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = math.exp %in : f32
      linalg.yield %3 : f32
    } -> tensor<8x64xf32>
    %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<8x64xf32>) outs(%f : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in fastmath<reassoc> : f32
      linalg.yield %3 : f32
    } -> tensor<8xf32>
    schedule.yield %2 : tensor<8xf32>
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// S2: a tile that does not cover the step.
func.func @f(%x: tensor<8x64xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{'schedule.kernel' op has an illegal plan: 'exp[j:8v]' covers 8 of the 16 indices of 'for j/16' [S2]}}
  %0 = schedule.kernel ins(%x : tensor<8x64xf32>) outs(%y : tensor<8xf32>) plan <for i { for j/16 { exp[j:8v] sum[j:16v] } }> {
  ^bb0(%a: tensor<8x64xf32>, %b: tensor<8xf32>):
    %cst = arith.constant 0.000000e+00 : f32
    %e = tensor.empty() : tensor<8x64xf32>
    %f = linalg.fill ins(%cst : f32) outs(%b : tensor<8xf32>) -> tensor<8xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = math.exp %in : f32
      linalg.yield %3 : f32
    } -> tensor<8x64xf32>
    %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<8x64xf32>) outs(%f : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in fastmath<reassoc> : f32
      linalg.yield %3 : f32
    } -> tensor<8xf32>
    schedule.yield %2 : tensor<8xf32>
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// S2: an axis without a loop.
func.func @f(%x: tensor<8x64xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{'schedule.kernel' op has an illegal plan: 'exp[j:16v]' is inside of no loop over 'i' [S2]}}
  %0 = schedule.kernel ins(%x : tensor<8x64xf32>) outs(%y : tensor<8xf32>) plan <for j/16 { exp[j:16v] sum[j:16v] }> {
  ^bb0(%a: tensor<8x64xf32>, %b: tensor<8xf32>):
    %cst = arith.constant 0.000000e+00 : f32
    %e = tensor.empty() : tensor<8x64xf32>
    %f = linalg.fill ins(%cst : f32) outs(%b : tensor<8xf32>) -> tensor<8xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = math.exp %in : f32
      linalg.yield %3 : f32
    } -> tensor<8x64xf32>
    %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<8x64xf32>) outs(%f : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in fastmath<reassoc> : f32
      linalg.yield %3 : f32
    } -> tensor<8xf32>
    schedule.yield %2 : tensor<8xf32>
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// S4: a reader before its producer.
func.func @f(%x: tensor<8x64xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{'schedule.kernel' op has an illegal plan: 'sum' reads 'exp', which is computed later [S4]}}
  %0 = schedule.kernel ins(%x : tensor<8x64xf32>) outs(%y : tensor<8xf32>) plan <for i { for j/16 { sum[j:16v] } for j/16 { exp[j:16v] } }> {
  ^bb0(%a: tensor<8x64xf32>, %b: tensor<8xf32>):
    %cst = arith.constant 0.000000e+00 : f32
    %e = tensor.empty() : tensor<8x64xf32>
    %f = linalg.fill ins(%cst : f32) outs(%b : tensor<8xf32>) -> tensor<8xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = math.exp %in : f32
      linalg.yield %3 : f32
    } -> tensor<8x64xf32>
    %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<8x64xf32>) outs(%f : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in fastmath<reassoc> : f32
      linalg.yield %3 : f32
    } -> tensor<8xf32>
    schedule.yield %2 : tensor<8xf32>
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// S6: concurrent updates of an element.
func.func @f(%x: tensor<8x64xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{'schedule.kernel' op has an illegal plan: 'sum' does not write disjoint elements in 'par j/16' [S6]}}
  %0 = schedule.kernel ins(%x : tensor<8x64xf32>) outs(%y : tensor<8xf32>) plan <for i { par j/16 { exp[j:16v] sum[j:16v] } }> {
  ^bb0(%a: tensor<8x64xf32>, %b: tensor<8xf32>):
    %cst = arith.constant 0.000000e+00 : f32
    %e = tensor.empty() : tensor<8x64xf32>
    %f = linalg.fill ins(%cst : f32) outs(%b : tensor<8xf32>) -> tensor<8xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = math.exp %in : f32
      linalg.yield %3 : f32
    } -> tensor<8x64xf32>
    %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<8x64xf32>) outs(%f : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in fastmath<reassoc> : f32
      linalg.yield %3 : f32
    } -> tensor<8xf32>
    schedule.yield %2 : tensor<8xf32>
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// S7: a sum of floats in order that is vectorized.
func.func @f(%x: tensor<8x64xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{'schedule.kernel' op has an illegal plan: 'sum[j:16v]' combines elements in another order than 'sum' [S7]}}
  %0 = schedule.kernel ins(%x : tensor<8x64xf32>) outs(%y : tensor<8xf32>) plan <for i { for j/16 { exp[j:16v] sum[j:16v] } }> {
  ^bb0(%a: tensor<8x64xf32>, %b: tensor<8xf32>):
    %cst = arith.constant 0.000000e+00 : f32
    %e = tensor.empty() : tensor<8x64xf32>
    %f = linalg.fill ins(%cst : f32) outs(%b : tensor<8xf32>) -> tensor<8xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = math.exp %in : f32
      linalg.yield %3 : f32
    } -> tensor<8x64xf32>
    %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<8x64xf32>) outs(%f : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in fastmath<contract> : f32
      linalg.yield %3 : f32
    } -> tensor<8xf32>
    schedule.yield %2 : tensor<8xf32>
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// S8: accumulators that registers cannot hold.
func.func @f(%x: tensor<8x64xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{'schedule.kernel' op has an illegal plan: 'sum' has no reduction loop inside of 'for i' [S8]}}
  %0 = schedule.kernel ins(%x : tensor<8x64xf32>) outs(%y : tensor<8xf32>) plan <for j/16 { for i { exp[j:16v] sum[j:16v] } }> {
  ^bb0(%a: tensor<8x64xf32>, %b: tensor<8xf32>):
    %cst = arith.constant 0.000000e+00 : f32
    %e = tensor.empty() : tensor<8x64xf32>
    %f = linalg.fill ins(%cst : f32) outs(%b : tensor<8xf32>) -> tensor<8xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = math.exp %in : f32
      linalg.yield %3 : f32
    } -> tensor<8x64xf32>
    %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<8x64xf32>) outs(%f : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in fastmath<reassoc> : f32
      linalg.yield %3 : f32
    } -> tensor<8xf32>
    schedule.yield %2 : tensor<8xf32>
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// S8: partial results that may never begin.
func.func @f(%x: tensor<8x?xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{'schedule.kernel' op has an illegal plan: 'for j/32', around other loops of 'sum', may have no iterations [S8]}}
  %0 = schedule.kernel ins(%x : tensor<8x?xf32>) outs(%y : tensor<8xf32>) plan <for j/32 { for i { for j/16 { exp[j:16v] sum[j:16v] } } }> {
  ^bb0(%a: tensor<8x?xf32>, %b: tensor<8xf32>):
    %cst = arith.constant 0.000000e+00 : f32
    %c1 = arith.constant 1 : index
    %d = tensor.dim %a, %c1 : tensor<8x?xf32>
    %e = tensor.empty(%d) : tensor<8x?xf32>
    %f = linalg.fill ins(%cst : f32) outs(%b : tensor<8xf32>) -> tensor<8xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x?xf32>) outs(%e : tensor<8x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = math.exp %in : f32
      linalg.yield %3 : f32
    } -> tensor<8x?xf32>
    %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<8x?xf32>) outs(%f : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in fastmath<reassoc> : f32
      linalg.yield %3 : f32
    } -> tensor<8xf32>
    schedule.yield %2 : tensor<8xf32>
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// S9: a shifted step that continues from partial results twice.
func.func @f(%x: tensor<8x64xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{'schedule.kernel' op has an illegal plan: the shifted last step of 'for i/3 tail(shift)' repeats updates of 'sum' [S9]}}
  %0 = schedule.kernel ins(%x : tensor<8x64xf32>) outs(%y : tensor<8xf32>) plan <for j/32 { for i/3 tail(shift) { for j/16 { exp[i:3u, j:16v] sum[i:3u, j:16v] } } }> {
  ^bb0(%a: tensor<8x64xf32>, %b: tensor<8xf32>):
    %cst = arith.constant 0.000000e+00 : f32
    %e = tensor.empty() : tensor<8x64xf32>
    %f = linalg.fill ins(%cst : f32) outs(%b : tensor<8xf32>) -> tensor<8xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = math.exp %in : f32
      linalg.yield %3 : f32
    } -> tensor<8x64xf32>
    %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<8x64xf32>) outs(%f : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in fastmath<reassoc> : f32
      linalg.yield %3 : f32
    } -> tensor<8xf32>
    schedule.yield %2 : tensor<8xf32>
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// S9: elements that are added twice.
func.func @f(%x: tensor<8x64xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{'schedule.kernel' op has an illegal plan: the shifted last step of 'for j/48 tail(shift)' repeats updates of 'sum' [S9]}}
  %0 = schedule.kernel ins(%x : tensor<8x64xf32>) outs(%y : tensor<8xf32>) plan <for i { for j/48 tail(shift) { exp[j:48v] sum[j:48v] } }> {
  ^bb0(%a: tensor<8x64xf32>, %b: tensor<8xf32>):
    %cst = arith.constant 0.000000e+00 : f32
    %e = tensor.empty() : tensor<8x64xf32>
    %f = linalg.fill ins(%cst : f32) outs(%b : tensor<8xf32>) -> tensor<8xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = math.exp %in : f32
      linalg.yield %3 : f32
    } -> tensor<8x64xf32>
    %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<8x64xf32>) outs(%f : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in fastmath<reassoc> : f32
      linalg.yield %3 : f32
    } -> tensor<8xf32>
    schedule.yield %2 : tensor<8xf32>
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// S9: a shifted step that begins before the part of an operand that has been copied.
func.func @f(%x: tensor<8x64xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{'schedule.kernel' op has an illegal plan: the shifted last step of 'for j/16 tail(shift)' may begin before the copy 'pack exp.0[i, j]' [S9]}}
  %0 = schedule.kernel ins(%x : tensor<8x64xf32>) outs(%y : tensor<8xf32>) plan <for i { for j/48 { pack exp.0[i, j] for j/16 tail(shift) { exp[j:16v] sum[j:16v] } } }> {
  ^bb0(%a: tensor<8x64xf32>, %b: tensor<8xf32>):
    %cst = arith.constant 0.000000e+00 : f32
    %e = tensor.empty() : tensor<8x64xf32>
    %f = linalg.fill ins(%cst : f32) outs(%b : tensor<8xf32>) -> tensor<8xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = math.exp %in : f32
      linalg.yield %3 : f32
    } -> tensor<8x64xf32>
    %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<8x64xf32>) outs(%f : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in fastmath<reassoc> : f32
      linalg.yield %3 : f32
    } -> tensor<8xf32>
    schedule.yield %2 : tensor<8xf32>
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// S9: a shifted step in a parallel loop.
func.func @f(%x: tensor<8x64xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{'schedule.kernel' op has an illegal plan: the last step of 'par i/3 tail(shift)' cannot be shifted, since it is parallel [S9]}}
  %0 = schedule.kernel ins(%x : tensor<8x64xf32>) outs(%y : tensor<8xf32>) plan <par i/3 tail(shift) { for j/16 { exp[i:3u, j:16v] sum[i:3u, j:16v] } }> {
  ^bb0(%a: tensor<8x64xf32>, %b: tensor<8xf32>):
    %cst = arith.constant 0.000000e+00 : f32
    %e = tensor.empty() : tensor<8x64xf32>
    %f = linalg.fill ins(%cst : f32) outs(%b : tensor<8xf32>) -> tensor<8xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = math.exp %in : f32
      linalg.yield %3 : f32
    } -> tensor<8x64xf32>
    %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<8x64xf32>) outs(%f : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in fastmath<reassoc> : f32
      linalg.yield %3 : f32
    } -> tensor<8xf32>
    schedule.yield %2 : tensor<8xf32>
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// S10: lanes along an axis that is reduced, and another one.
func.func @f(%x: tensor<8x64xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{'schedule.kernel' op has an illegal plan: 'sum[i:8v, j:16v]' has lanes along 'j', which it reduces, and another axis [S10]}}
  %0 = schedule.kernel ins(%x : tensor<8x64xf32>) outs(%y : tensor<8xf32>) plan <for i/8 { for j/16 { exp[i:8v, j:16v] sum[i:8v, j:16v] } }> {
  ^bb0(%a: tensor<8x64xf32>, %b: tensor<8xf32>):
    %cst = arith.constant 0.000000e+00 : f32
    %e = tensor.empty() : tensor<8x64xf32>
    %f = linalg.fill ins(%cst : f32) outs(%b : tensor<8xf32>) -> tensor<8xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = math.exp %in : f32
      linalg.yield %3 : f32
    } -> tensor<8x64xf32>
    %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<8x64xf32>) outs(%f : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in fastmath<reassoc> : f32
      linalg.yield %3 : f32
    } -> tensor<8xf32>
    schedule.yield %2 : tensor<8xf32>
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// S10: lanes along two axes, one of which has an incomplete step.
func.func @f(%x: tensor<8x64xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{'schedule.kernel' op has an illegal plan: 'exp[i:3v, j:16v]' has lanes along two axes, but the last step of 'for i/3' may be incomplete [S10]}}
  %0 = schedule.kernel ins(%x : tensor<8x64xf32>) outs(%y : tensor<8xf32>) plan <for i/3 { for j/16 { exp[i:3v, j:16v] sum[i:3u, j:16v] } }> {
  ^bb0(%a: tensor<8x64xf32>, %b: tensor<8xf32>):
    %cst = arith.constant 0.000000e+00 : f32
    %e = tensor.empty() : tensor<8x64xf32>
    %f = linalg.fill ins(%cst : f32) outs(%b : tensor<8xf32>) -> tensor<8xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = math.exp %in : f32
      linalg.yield %3 : f32
    } -> tensor<8x64xf32>
    %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<8x64xf32>) outs(%f : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in fastmath<reassoc> : f32
      linalg.yield %3 : f32
    } -> tensor<8xf32>
    schedule.yield %2 : tensor<8xf32>
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// S10: lanes of elements that vectors cannot have.
func.func @f(%x: tensor<64xcomplex<f32>>, %y: tensor<64xcomplex<f32>>) -> tensor<64xcomplex<f32>> {
  // expected-error@+1 {{'schedule.kernel' op has an illegal plan: 'add[i:8v]' has lanes, but vectors cannot have its elements [S10]}}
  %0 = schedule.kernel ins(%x : tensor<64xcomplex<f32>>) outs(%y : tensor<64xcomplex<f32>>) plan <for i/8 { add[i:8v] }> {
  ^bb0(%a: tensor<64xcomplex<f32>>, %b: tensor<64xcomplex<f32>>):
    %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a : tensor<64xcomplex<f32>>) outs(%b : tensor<64xcomplex<f32>>) {
    ^bb0(%in: complex<f32>, %out: complex<f32>):
      %2 = complex.add %in, %in : complex<f32>
      linalg.yield %2 : complex<f32>
    } -> tensor<64xcomplex<f32>>
    schedule.yield %1 : tensor<64xcomplex<f32>>
  } -> tensor<64xcomplex<f32>>
  return %0 : tensor<64xcomplex<f32>>
}

// -----

// S10: a tile that is too large.
func.func @f(%x: tensor<8x64xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{'schedule.kernel' op has an illegal plan: 'exp[i:100u, j:16v]' exceeds 64 vectors or 4096 elements [S10]}}
  %0 = schedule.kernel ins(%x : tensor<8x64xf32>) outs(%y : tensor<8xf32>) plan <for i/100 { for j/16 { exp[i:100u, j:16v] sum[i:100u, j:16v] } }> {
  ^bb0(%a: tensor<8x64xf32>, %b: tensor<8xf32>):
    %cst = arith.constant 0.000000e+00 : f32
    %e = tensor.empty() : tensor<8x64xf32>
    %f = linalg.fill ins(%cst : f32) outs(%b : tensor<8xf32>) -> tensor<8xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = math.exp %in : f32
      linalg.yield %3 : f32
    } -> tensor<8x64xf32>
    %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<8x64xf32>) outs(%f : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in fastmath<reassoc> : f32
      linalg.yield %3 : f32
    } -> tensor<8xf32>
    schedule.yield %2 : tensor<8xf32>
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// S3: a reduction that would be accumulated again in a loop over an axis that it lacks.
func.func @f(%x: tensor<8x64xf32>, %y: tensor<8x32xf32>) -> tensor<8x32xf32> {
  // expected-error@+1 {{'schedule.kernel' op has an illegal plan: 'sum' would be accumulated again in 'for j' [S3]}}
  %0 = schedule.kernel ins(%x : tensor<8x64xf32>) outs(%y : tensor<8x32xf32>) plan <for i { for k { for j { sum[] } } for j { statement[] } }> {
  ^bb0(%a: tensor<8x64xf32>, %b: tensor<8x32xf32>):
    %cst = arith.constant 0.000000e+00 : f32
    %e = tensor.empty() : tensor<8xf32>
    %f = linalg.fill ins(%cst : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<8x64xf32>) outs(%f : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    } -> tensor<8xf32>
    %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<8xf32>) outs(%b : tensor<8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x32xf32>
    schedule.yield %2 : tensor<8x32xf32>
  } -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}

// -----

// S5: a sum that is read before it is complete.
func.func @f(%x: tensor<8x64xf32>, %y: tensor<8x64xf32>) -> tensor<8x64xf32> {
  // expected-error@+1 {{'schedule.kernel' op has an illegal plan: 'subf' reads 'sum' inside of 'for j', which reduces it [S5]}}
  %0 = schedule.kernel ins(%x : tensor<8x64xf32>) outs(%y : tensor<8x64xf32>) plan <for i { for j { sum[] subf[] } }> {
  ^bb0(%a: tensor<8x64xf32>, %b: tensor<8x64xf32>):
    %cst = arith.constant 0.000000e+00 : f32
    %e = tensor.empty() : tensor<8xf32>
    %f = linalg.fill ins(%cst : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<8x64xf32>) outs(%f : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    } -> tensor<8xf32>
    %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a, %1 : tensor<8x64xf32>, tensor<8xf32>) outs(%b : tensor<8x64xf32>) {
    ^bb0(%in: f32, %max: f32, %out: f32):
      %3 = arith.subf %in, %max : f32
      linalg.yield %3 : f32
    } -> tensor<8x64xf32>
    schedule.yield %2 : tensor<8x64xf32>
  } -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}

// -----

// The text of a plan.
func.func @f(%x: tensor<8x64xf32>, %y: tensor<8x64xf32>) -> tensor<8x64xf32> {
  // expected-error@+1 {{expected 'u' (unrolled) or 'v' (lanes of vectors), but found 'w'}}
  %0 = schedule.kernel ins(%x : tensor<8x64xf32>) outs(%y : tensor<8x64xf32>) plan <for i { for j/16 { exp[j:16w] } }> {
  }
}

// -----

// The kind of a tile is missing.
func.func @f(%x: tensor<8x64xf32>, %y: tensor<8x64xf32>) -> tensor<8x64xf32> {
  // expected-error@+1 {{expected 'u' (unrolled) or 'v' (lanes of vectors)}}
  %0 = schedule.kernel ins(%x : tensor<8x64xf32>) outs(%y : tensor<8x64xf32>) plan <for i { for j/16 { exp[j:16] } }> {
  }
}

// -----

// S11: a prefetch outside of a loop over the argument.
func.func @f(%x: tensor<8x64xf32>, %w: tensor<64x32xf32>, %y: tensor<8x32xf32>) -> tensor<8x32xf32> {
  // expected-error@+1 {{'schedule.kernel' op has an illegal plan: 'prefetch sum.1' is in no loop over an axis of the argument [S11]}}
  %0 = schedule.kernel ins(%x, %w : tensor<8x64xf32>, tensor<64x32xf32>) outs(%y : tensor<8x32xf32>) plan <for i/4 { prefetch sum.1 for j/16 { for k { sum[i:4u, j:16v] } } }> {
  ^bb0(%a: tensor<8x64xf32>, %b: tensor<64x32xf32>, %c: tensor<8x32xf32>):
    %1 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<8x64xf32>, tensor<64x32xf32>) outs(%c : tensor<8x32xf32>) {
    ^bb0(%p: f32, %q: f32, %out: f32):
      %2 = arith.mulf %p, %q : f32
      %3 = arith.addf %out, %2 fastmath<reassoc> : f32
      linalg.yield %3 : f32
    } -> tensor<8x32xf32>
    schedule.yield %1 : tensor<8x32xf32>
  } -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}

// -----

// S11: a prefetch in another loop than the statement.
func.func @f(%x: tensor<8x64xf32>, %w: tensor<64x32xf32>, %y: tensor<8x32xf32>) -> tensor<8x32xf32> {
  // expected-error@+1 {{'schedule.kernel' op has an illegal plan: 'prefetch sum.1' is not in a loop around 'sum' [S11]}}
  %0 = schedule.kernel ins(%x, %w : tensor<8x64xf32>, tensor<64x32xf32>) outs(%y : tensor<8x32xf32>) plan <for j/16 { prefetch sum.1 } for j/16 { for i/4 { for k { sum[i:4u, j:16v] } } }> {
  ^bb0(%a: tensor<8x64xf32>, %b: tensor<64x32xf32>, %c: tensor<8x32xf32>):
    %1 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<8x64xf32>, tensor<64x32xf32>) outs(%c : tensor<8x32xf32>) {
    ^bb0(%p: f32, %q: f32, %out: f32):
      %2 = arith.mulf %p, %q : f32
      %3 = arith.addf %out, %2 fastmath<reassoc> : f32
      linalg.yield %3 : f32
    } -> tensor<8x32xf32>
    schedule.yield %1 : tensor<8x32xf32>
  } -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}

// -----

// S11: a prefetch that the innermost loop does not advance.
func.func @f(%x: tensor<8x64xf32>, %w: tensor<64x32xf32>, %y: tensor<8x32xf32>) -> tensor<8x32xf32> {
  // expected-error@+1 {{'schedule.kernel' op has an illegal plan: 'prefetch sum.1' needs an innermost loop over an axis of the argument, of known extent and with no other loop over it [S11]}}
  %0 = schedule.kernel ins(%x, %w : tensor<8x64xf32>, tensor<64x32xf32>) outs(%y : tensor<8x32xf32>) plan <for k/8 { for j/16 { prefetch sum.1 for i/4 { for k { sum[i:4u, j:16v] } } } }> {
  ^bb0(%a: tensor<8x64xf32>, %b: tensor<64x32xf32>, %c: tensor<8x32xf32>):
    %1 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<8x64xf32>, tensor<64x32xf32>) outs(%c : tensor<8x32xf32>) {
    ^bb0(%p: f32, %q: f32, %out: f32):
      %2 = arith.mulf %p, %q : f32
      %3 = arith.addf %out, %2 fastmath<reassoc> : f32
      linalg.yield %3 : f32
    } -> tensor<8x32xf32>
    schedule.yield %1 : tensor<8x32xf32>
  } -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}

// -----

// S11: a prefetch with more passes than steps.
func.func @f(%x: tensor<8x64xf32>, %w: tensor<64x32xf32>, %y: tensor<8x32xf32>) -> tensor<8x32xf32> {
  // expected-error@+1 {{'schedule.kernel' op has an illegal plan: 'prefetch sum.1' is spread over 8 passes, but 'for k/16' runs 4 times [S11]}}
  %0 = schedule.kernel ins(%x, %w : tensor<8x64xf32>, tensor<64x32xf32>) outs(%y : tensor<8x32xf32>) plan <for j/16 { prefetch sum.1 for i { for k/16 { sum[j:16v, k:16u] } } }> {
  ^bb0(%a: tensor<8x64xf32>, %b: tensor<64x32xf32>, %c: tensor<8x32xf32>):
    %1 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<8x64xf32>, tensor<64x32xf32>) outs(%c : tensor<8x32xf32>) {
    ^bb0(%p: f32, %q: f32, %out: f32):
      %2 = arith.mulf %p, %q : f32
      %3 = arith.addf %out, %2 fastmath<reassoc> : f32
      linalg.yield %3 : f32
    } -> tensor<8x32xf32>
    schedule.yield %1 : tensor<8x32xf32>
  } -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}

// -----

// S1: a prefetch of a read that does not exist.
func.func @f(%x: tensor<8x64xf32>, %w: tensor<64x32xf32>, %y: tensor<8x32xf32>) -> tensor<8x32xf32> {
  // expected-error@+1 {{'schedule.kernel' op has an illegal plan: 'prefetch sum.3' is of no argument of the kernel [S1]}}
  %0 = schedule.kernel ins(%x, %w : tensor<8x64xf32>, tensor<64x32xf32>) outs(%y : tensor<8x32xf32>) plan <for j/16 { prefetch sum.3 for i { for k { sum[j:16v] } } }> {
  ^bb0(%a: tensor<8x64xf32>, %b: tensor<64x32xf32>, %c: tensor<8x32xf32>):
    %1 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<8x64xf32>, tensor<64x32xf32>) outs(%c : tensor<8x32xf32>) {
    ^bb0(%p: f32, %q: f32, %out: f32):
      %2 = arith.mulf %p, %q : f32
      %3 = arith.addf %out, %2 fastmath<reassoc> : f32
      linalg.yield %3 : f32
    } -> tensor<8x32xf32>
    schedule.yield %1 : tensor<8x32xf32>
  } -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}

// -----

// An operation in a kernel that is invalid itself is reported before the plan is compared with it.
#map = affine_map<(i) -> (i)>
func.func @invalid_operation(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %k = schedule.kernel ins(%x : tensor<2xf32>) outs(%y : tensor<2xf32>) plan <for i/2 { addf[i:2v] }> {
  ^bb0(%a: tensor<2xf32>, %o: tensor<2xf32>):
    // expected-error @+1 {{expected as many non-induction variable region arguments as the number of input/output operands}}
    %s = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%a : tensor<2xf32>) outs(%o : tensor<2xf32>) {
      %c = arith.constant 1.0 : f32
      linalg.yield %c : f32
    } -> tensor<2xf32>
    schedule.yield %s : tensor<2xf32>
  } -> tensor<2xf32>
  return %k : tensor<2xf32>
}

// -----

func.func @syntax(%x: tensor<8x64xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{expected 'for', 'par', 'pack', 'prefetch' or a statement with its tile in brackets, but found 'fro'}}
  %0 = schedule.kernel ins(%x : tensor<8x64xf32>) outs(%y : tensor<8xf32>) plan <for i { fro j/16 { exp[j:16v] } }> {
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
