// Loops in conditionals in loops: iterations that do not depend on each other, which save by themselves; two loops in one region, and
// loops in both; a result of a loop that nothing but the reverse needs; conditionals in conditionals around a loop; no iteration at all.
// RUN: %kc grad %s --entry independent --inputs '[0.4, [0.3, 0.8, 0.6]]' --check | FileCheck %s
// RUN: %kc grad %s --entry independent --inputs '[0.4, [0.3, 0.8, 0.6]]' --check --backend interpret | FileCheck %s
// RUN: %kc grad %s --entry both --inputs '[0.4, [0.3, 0.8, 0.6], 2]' --check | FileCheck %s
// RUN: %kc grad %s --entry both --inputs '[0.4, [0.3, 0.8, 0.6], 2]' --check --backend interpret | FileCheck %s
// RUN: %kc grad %s --entry both --inputs '[0.4, [0.3, 0.8, 0.6], 0]' --check | FileCheck %s
// RUN: %kc grad %s --entry both --inputs '[0.4, [], 2]' --check | FileCheck %s
// RUN: %kc hvp %s --entry both --inputs '[0.4, [0.3, 0.8, 0.6], 2]' --direction '[1, [0.5, -0.25, 1]]' --check | FileCheck %s
// RUN: %kc grad %s --entry deep --inputs '[0.4, [0.3, 0.8, 0.6], 2]' --check | FileCheck %s
// RUN: %kc grad %s --entry deep --inputs '[0.4, [0.3, 0.8, 0.6], 2]' --check --backend interpret | FileCheck %s
// RUN: %kc grad %s --entry deep --inputs '[0.4, [0.3, 0.8, 0.6], 2]' --check --checkpoint | FileCheck %s
// CHECK: agrees with forward mode and central differences

func.func @independent(%x: f64, %a: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %half = arith.constant 0.5 : f64
  %limit = arith.constant 3.0 : f64
  %n = tensor.dim %a, %c0 : tensor<?xf64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (f64) {
    %e = tensor.extract %a[%i] : tensor<?xf64>
    %c = arith.cmpf ogt, %e, %half : f64
    %t = scf.if %c -> (f64) {
      %w = scf.while (%y = %x) : (f64) -> f64 {
        %d = arith.cmpf olt, %y, %limit : f64
        scf.condition(%d) %y : f64
      } do {
      ^bb0(%y: f64):
        %u = scf.for %j = %c0 to %c2 step %c1 iter_args(%z = %y) -> (f64) {
          %q = math.sin %z : f64
          %m = arith.addf %q, %z : f64
          scf.yield %m : f64
        }
        %o = arith.addf %u, %half : f64
        scf.yield %o : f64
      }
      scf.yield %w : f64
    } else {
      scf.yield %x : f64
    }
    %p = arith.mulf %e, %t : f64
    %o = arith.addf %s, %p : f64
    scf.yield %o : f64
  }
  return %r : f64
}

func.func @both(%x: f64, %a: tensor<?xf64>, %k: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %half = arith.constant 0.5 : f64
  %limit = arith.constant 3.0 : f64
  %n = tensor.dim %a, %c0 : tensor<?xf64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (f64) {
    %e = tensor.extract %a[%i] : tensor<?xf64>
    %c = arith.cmpf ogt, %e, %half : f64
    %t = scf.if %c -> (f64) {
      %u = scf.for %j = %c0 to %k step %c1 iter_args(%z = %s) -> (f64) {
        %q = math.sin %z : f64
        scf.yield %q : f64
      }
      %v = scf.for %j = %c0 to %k step %c1 iter_args(%z = %u) -> (f64) {
        %q = arith.mulf %z, %u : f64
        %m = math.cos %q : f64
        scf.yield %m : f64
      }
      %p = arith.mulf %v, %u : f64
      scf.yield %p : f64
    } else {
      %b = math.absf %s : f64
      %w:2 = scf.while (%y = %b, %l = %e) : (f64, f64) -> (f64, f64) {
        %d = arith.cmpf olt, %y, %limit : f64
        scf.condition(%d) %y, %l : f64, f64
      } do {
      ^bb0(%y: f64, %l: f64):
        %q = math.exp %y : f64
        %m = arith.mulf %l, %y : f64
        scf.yield %q, %m : f64, f64
      }
      %p = arith.divf %w#1, %w#0 : f64
      scf.yield %p : f64
    }
    %o = arith.mulf %t, %t : f64
    scf.yield %o : f64
  }
  return %r : f64
}

func.func @deep(%x: f64, %a: tensor<?xf64>, %k: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %half = arith.constant 0.5 : f64
  %most = arith.constant 0.7 : f64
  %n = tensor.dim %a, %c0 : tensor<?xf64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (f64) {
    %e = tensor.extract %a[%i] : tensor<?xf64>
    %c = arith.cmpf ogt, %e, %half : f64
    %t = scf.if %c -> (f64) {
      %d = arith.cmpf ogt, %e, %most : f64
      %g = math.sin %s : f64
      %f = scf.if %d -> (f64) {
        %u = scf.for %j = %c0 to %k step %c1 iter_args(%z = %g) -> (f64) {
          %h = arith.cmpf ogt, %z, %half : f64
          %y = scf.if %h -> (f64) {
            %v = scf.for %l = %c0 to %k step %c1 iter_args(%w = %z) -> (f64) {
              %q = math.cos %w : f64
              %m = arith.mulf %q, %g : f64
              scf.yield %m : f64
            }
            scf.yield %v : f64
          } else {
            %q = math.exp %z : f64
            scf.yield %q : f64
          }
          scf.yield %y : f64
        }
        %p = arith.mulf %u, %g : f64
        scf.yield %p : f64
      } else {
        scf.yield %g : f64
      }
      %p = arith.mulf %f, %f : f64
      scf.yield %p : f64
    } else {
      %p = arith.addf %s, %e : f64
      scf.yield %p : f64
    }
    scf.yield %t : f64
  }
  return %r : f64
}
