//! Programs of several operations: loops, conditionals, structured operations, calls.

use super::support::*;
use minoan_interp::Interpreter;
use minoan_pass::{PassManager, Pipeline};
use minoan_passes::differentiate::Differentiate;

const SUM_OF_SINES: &str = "func.func @f(%a: tensor<?xf64>, %k: f64) -> f64 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %z = arith.constant 0.0 : f64
    %n = tensor.dim %a, %c0 : tensor<?xf64>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (f64) {
      %x = tensor.extract %a[%i] : tensor<?xf64>
      %y = arith.mulf %x, %k : f64
      %0 = math.sin %y : f64
      %t = arith.addf %s, %0 : f64
      scf.yield %t : f64
    }
    return %r : f64
  }\n";

#[test]
fn sums() {
    check_to(3, SUM_OF_SINES, &[vector(&[0.1, 0.7, -0.4]), 1.3.into()]);
    check(SUM_OF_SINES, &[vector(&[]), 1.3.into()]);
}

#[test]
fn products_with_zeros() {
    let text = "func.func @f(%a: tensor<?xf64>) -> f64 {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %z = arith.constant 1.0 : f64
        %n = tensor.dim %a, %c0 : tensor<?xf64>
        %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (f64) {
          %x = tensor.extract %a[%i] : tensor<?xf64>
          %t = arith.mulf %s, %x : f64
          scf.yield %t : f64
        }
        return %r : f64
      }\n";
    for elements in [&[1.5, 0.5, -2.0][..], &[1.5, 0.0, -2.0], &[0.0, 3.0, 0.0], &[]] {
        check_to(3, text, &[vector(elements)]);
    }
}

#[test]
fn loops_with_bounds_and_steps() {
    let text = "func.func @f(%x: f64, %lo: index, %hi: index, %by: index) -> f64 {
        %r = scf.for %i = %lo to %hi step %by iter_args(%s = %x) -> (f64) {
          %0 = arith.index_cast %i : index to i64
          %1 = arith.sitofp %0 : i64 to f64
          %2 = arith.mulf %s, %1 : f64
          %3 = math.sin %2 : f64
          %4 = arith.addf %3, %x : f64
          scf.yield %4 : f64
        }
        return %r : f64
      }\n";
    check(text, &[0.4.into(), 1.into(), 8.into(), 3.into()]);
    check(text, &[0.4.into(), 5.into(), 5.into(), 1.into()]);
}

#[test]
fn nested_loops_with_carried_values() {
    check(
        "func.func @f(%a: tensor<?x?xf64>, %x: f64) -> f64 {
           %c0 = arith.constant 0 : index
           %c1 = arith.constant 1 : index
           %n = tensor.dim %a, %c0 : tensor<?x?xf64>
           %m = tensor.dim %a, %c1 : tensor<?x?xf64>
           %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (f64) {
             %u = scf.for %j = %c0 to %m step %c1 iter_args(%t = %s) -> (f64) {
               %e = tensor.extract %a[%i, %j] : tensor<?x?xf64>
               %p = arith.mulf %t, %e : f64
               %q = math.cos %p : f64
               scf.yield %q : f64
             }
             %v = arith.mulf %u, %s : f64
             scf.yield %v : f64
           }
           return %r : f64
         }\n",
        &[matrix(&[2, 3], &[0.3, -0.2, 0.8, 1.1, 0.4, -0.7]), 0.9.into()],
    );
}

#[test]
fn while_loops() {
    let text = "func.func @f(%x: f64, %k: f64) -> f64 {
        %max = arith.constant 40.0 : f64
        %one = arith.constant 1.0 : f64
        %r:2 = scf.while (%s = %x, %t = %one) : (f64, f64) -> (f64, f64) {
          %c = arith.cmpf olt, %s, %max : f64
          %u = math.sin %s : f64
          %w = arith.mulf %t, %u : f64
          scf.condition(%c) %s, %w : f64, f64
        } do {
        ^bb0(%s: f64, %w: f64):
          %0 = arith.mulf %s, %k : f64
          %1 = arith.addf %0, %w : f64
          scf.yield %1, %w : f64, f64
        }
        %o = arith.mulf %r#0, %r#1 : f64
        return %o : f64
      }\n";
    // The storage of the reverse sweep grows in the loop, so a reverse sweep over that is not possible.
    check_to(1, text, &[0.9.into(), 1.1.into()]);
    check_to(1, text, &[50.0.into(), 1.1.into()]);
}

#[test]
fn gathers_and_histograms() {
    check(
        "func.func @f(%a: tensor<?xf64>, %at: tensor<?xindex>, %b: tensor<?xf64>) -> tensor<?xf64> {
           %c0 = arith.constant 0 : index
           %c1 = arith.constant 1 : index
           %n = tensor.dim %at, %c0 : tensor<?xindex>
           %r = scf.for %i = %c0 to %n step %c1 iter_args(%h = %a) -> (tensor<?xf64>) {
             %k = tensor.extract %at[%i] : tensor<?xindex>
             %x = tensor.extract %h[%k] : tensor<?xf64>
             %y = tensor.extract %b[%i] : tensor<?xf64>
             %p = arith.mulf %x, %y : f64
             %s = math.sin %p : f64
             %g = tensor.insert %s into %h[%k] : tensor<?xf64>
             scf.yield %g : tensor<?xf64>
           }
           return %r : tensor<?xf64>
         }\n",
        &[vector(&[0.2, 0.5, 0.9]), indices(&[1, 1, 0, 1]), vector(&[0.4, 1.4, -0.3, 0.8])],
    );
}

#[test]
fn loops_that_carry_whole_tensors() {
    check(
        "func.func @f(%h: tensor<?xf64>, %w: tensor<?x?xf64>) -> tensor<?xf64> {
           %c0 = arith.constant 0 : index
           %c1 = arith.constant 1 : index
           %c3 = arith.constant 3 : index
           %z = arith.constant 0.0 : f64
           %n = tensor.dim %h, %c0 : tensor<?xf64>
           %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %h) -> (tensor<?xf64>) {
             %next = tensor.generate %n {
             ^bb0(%j: index):
               %d = scf.for %k = %c0 to %n step %c1 iter_args(%t = %z) -> (f64) {
                 %x = tensor.extract %w[%j, %k] : tensor<?x?xf64>
                 %y = tensor.extract %s[%k] : tensor<?xf64>
                 %p = arith.mulf %x, %y : f64
                 %u = arith.addf %t, %p : f64
                 scf.yield %u : f64
               }
               %v = math.tanh %d : f64
               tensor.yield %v : f64
             } : tensor<?xf64>
             scf.yield %next : tensor<?xf64>
           }
           return %r : tensor<?xf64>
         }\n",
        &[vector(&[0.2, 0.5]), matrix(&[2, 2], &[0.3, -0.6, 0.8, 0.4])],
    );
}

#[test]
fn structured_operations() {
    check(
        "#id = affine_map<(i, j) -> (i, j)>
         #row = affine_map<(i, j) -> (i)>
         func.func @f(%a: tensor<2x3xf64>, %b: tensor<3x2xf64>, %c: tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<2xf64>) {
           %0 = linalg.matmul ins(%a, %b : tensor<2x3xf64>, tensor<3x2xf64>) outs(%c : tensor<2x2xf64>) -> tensor<2x2xf64>
           %1 = linalg.exp ins(%0 : tensor<2x2xf64>) outs(%c : tensor<2x2xf64>) -> tensor<2x2xf64>
           %2 = arith.mulf %1, %0 : tensor<2x2xf64>
           %z = arith.constant 1.0 : f64
           %e = tensor.splat %z : tensor<2xf64>
           %3 = linalg.generic {indexing_maps = [#id, #row], iterator_types = [\"parallel\", \"reduction\"]}
             ins(%2 : tensor<2x2xf64>) outs(%e : tensor<2xf64>) {
           ^bb0(%x: f64, %s: f64):
             %m = arith.maximumf %x, %s : f64
             %p = arith.mulf %m, %s : f64
             linalg.yield %p : f64
           } -> tensor<2xf64>
           return %2, %3 : tensor<2x2xf64>, tensor<2xf64>
         }\n",
        &[
            matrix(&[2, 3], &[0.3, -0.6, 0.8, 0.4, 0.1, 0.9]),
            matrix(&[3, 2], &[0.5, 0.2, -0.7, 0.4, 0.3, 0.6]),
            matrix(&[2, 2], &[0.1, 0.2, 0.3, 0.4]),
        ],
    );
}

#[test]
fn convolutions() {
    check(
        "func.func @f(%a: tensor<5xf64>, %k: tensor<2xf64>, %o: tensor<4xf64>) -> tensor<4xf64> {
           %0 = linalg.conv_1d ins(%a, %k : tensor<5xf64>, tensor<2xf64>) outs(%o : tensor<4xf64>) -> tensor<4xf64>
           return %0 : tensor<4xf64>
         }\n",
        &[vector(&[0.3, 0.7, -0.2, 0.9, 0.4]), vector(&[1.5, -0.4]), vector(&[0.1, 0.2, 0.3, 0.4])],
    );
}

#[test]
fn pads_concatenations_and_reshapes() {
    check(
        "func.func @f(%a: tensor<?x2xf64>, %b: tensor<1x2xf64>, %n: index) -> (tensor<?x4xf64>, tensor<?xf64>) {
           %z = arith.constant 0.5 : f64
           %0 = tensor.concat dim(0) %a, %b, %a : (tensor<?x2xf64>, tensor<1x2xf64>, tensor<?x2xf64>) -> tensor<?x2xf64>
           %1 = arith.mulf %0, %0 : tensor<?x2xf64>
           %2 = tensor.pad %1 low[%n, 1] high[1, 1] {
           ^bb0(%i: index, %j: index):
             tensor.yield %z : f64
           } : tensor<?x2xf64> to tensor<?x4xf64>
           %c0 = arith.constant 0 : index
           %c2 = arith.constant 2 : index
           %r = tensor.dim %1, %c0 : tensor<?x2xf64>
           %k = arith.muli %r, %c2 : index
           %s = tensor.from_elements %k : tensor<1xindex>
           %3 = tensor.reshape %1(%s) : (tensor<?x2xf64>, tensor<1xindex>) -> tensor<?xf64>
           %4 = math.sin %3 : tensor<?xf64>
           return %2, %4 : tensor<?x4xf64>, tensor<?xf64>
         }\n",
        &[matrix(&[2, 2], &[0.3, -0.6, 0.8, 0.4]), matrix(&[1, 2], &[1.3, -0.5]), 2.into()],
    );
}

/// The padding is computed from active values and indices: by a value from outside, in each direction of a matrix with dynamic
/// widths, with and without derivatives of the source.
#[test]
fn pads_by_active_values() {
    check(
        "func.func @f(%a: tensor<?xf64>, %v: f64, %n: index) -> tensor<?xf64> {
           %0 = arith.mulf %a, %a : tensor<?xf64>
           %1 = tensor.pad %0 low[%n] high[2] {
           ^bb0(%i: index):
             tensor.yield %v : f64
           } : tensor<?xf64> to tensor<?xf64>
           %2 = math.exp %1 : tensor<?xf64>
           return %2 : tensor<?xf64>
         }\n",
        &[vector(&[0.3, -0.6, 0.8]), 0.4.into(), 2.into()],
    );
    check(
        "func.func @f(%a: tensor<2x2xf64>, %b: tensor<4xf64>, %v: f64) -> tensor<4x5xf64> {
           %c1 = arith.constant 1 : index
           %0 = tensor.pad %a low[1, 0] high[1, 3] {
           ^bb0(%i: index, %j: index):
             %x = tensor.extract %b[%i] : tensor<4xf64>
             %k = arith.index_cast %j : index to i64
             %f = arith.sitofp %k : i64 to f64
             %y = arith.mulf %x, %f : f64
             %s = math.sin %y : f64
             %z = arith.mulf %s, %v : f64
             tensor.yield %z : f64
           } : tensor<2x2xf64> to tensor<4x5xf64>
           return %0 : tensor<4x5xf64>
         }\n",
        &[matrix(&[2, 2], &[0.3, -0.6, 0.8, 0.4]), vector(&[0.3, 0.7, -0.2, 0.9]), 1.7.into()],
    );
    check(
        "func.func @f(%v: f64) -> tensor<3xf64> {
           %a = arith.constant dense<2.0> : tensor<1xf64>
           %0 = tensor.pad %a low[0] high[2] {
           ^bb0(%i: index):
             tensor.yield %v : f64
           } : tensor<1xf64> to tensor<3xf64>
           return %0 : tensor<3xf64>
         }\n",
        &[1.7.into()],
    );
    // A tensor without elements is padding only.
    check(
        "func.func @f(%a: tensor<?xf64>, %v: f64) -> tensor<?xf64> {
           %0 = tensor.pad %a low[1] high[1] {
           ^bb0(%i: index):
             tensor.yield %v : f64
           } : tensor<?xf64> to tensor<?xf64>
           return %0 : tensor<?xf64>
         }\n",
        &[vector(&[]), 1.7.into()],
    );
}

/// Scalars that a computation over a domain uses from outside have the sum of the cotangents of all points.
#[test]
fn domains_with_scalars_from_outside() {
    check(
        "#id = affine_map<(i, j) -> (i, j)>
         #col = affine_map<(i, j) -> (j)>
         #row = affine_map<(i, j) -> (i)>
         func.func @f(%a: tensor<?x3xf64>, %b: tensor<3xf64>, %o: tensor<?xf64>, %x: f64, %n: index)
             -> (tensor<?xf64>, tensor<?x3xf64>, tensor<?xf64>) {
           %y = math.exp %x : f64
           %0 = linalg.generic {indexing_maps = [#id, #col, #row], iterator_types = [\"parallel\", \"reduction\"]}
             ins(%a, %b : tensor<?x3xf64>, tensor<3xf64>) outs(%o : tensor<?xf64>) {
           ^bb0(%p: f64, %q: f64, %s: f64):
             %1 = arith.mulf %p, %q : f64
             %2 = arith.mulf %1, %y : f64
             %3 = math.sin %2 : f64
             %4 = arith.addf %s, %3 : f64
             linalg.yield %4 : f64
           } -> tensor<?xf64>
           %5 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = [\"parallel\", \"parallel\"]}
             ins(%a, %0 : tensor<?x3xf64>, tensor<?xf64>) outs(%a : tensor<?x3xf64>) {
           ^bb0(%p: f64, %q: f64, %s: f64):
             %1 = arith.divf %q, %y : f64
             %i = linalg.index 1 : index
             %j = arith.index_cast %i : index to i64
             %k = arith.sitofp %j : i64 to f64
             %2 = arith.mulf %1, %k : f64
             %3 = arith.mulf %2, %p : f64
             %4 = arith.mulf %3, %s : f64
             linalg.yield %4 : f64
           } -> tensor<?x3xf64>
           %6 = tensor.generate %n {
           ^bb0(%i: index):
             %j = arith.index_cast %i : index to i64
             %k = arith.sitofp %j : i64 to f64
             %1 = arith.mulf %k, %y : f64
             %2 = arith.mulf %1, %x : f64
             tensor.yield %2 : f64
           } : tensor<?xf64>
           return %0, %5, %6 : tensor<?xf64>, tensor<?x3xf64>, tensor<?xf64>
         }\n",
        &[
            matrix(&[2, 3], &[0.3, -0.6, 0.8, 0.4, 0.9, -0.2]),
            vector(&[0.7, 0.1, -1.2]),
            vector(&[0.4, 0.5]),
            0.3.into(),
            4.into(),
        ],
    );
}

/// The largest element of each row: the first one of several, and the initial one, have the derivative.
#[test]
fn reductions_that_are_not_sums() {
    let text = "#id = affine_map<(i, j) -> (i, j)>
         #row = affine_map<(i, j) -> (i)>
         func.func @f(%a: tensor<2x3xf64>, %o: tensor<2xf64>) -> (tensor<2xf64>, tensor<2xf64>) {
           %0:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = [\"parallel\", \"reduction\"]}
             ins(%a : tensor<2x3xf64>) outs(%o, %o : tensor<2xf64>, tensor<2xf64>) {
           ^bb0(%p: f64, %s: f64, %t: f64):
             %1 = arith.mulf %p, %p : f64
             %2 = arith.maximumf %s, %1 : f64
             %3 = arith.mulf %t, %p : f64
             linalg.yield %2, %3 : f64, f64
           } -> (tensor<2xf64>, tensor<2xf64>)
           return %0#0, %0#1 : tensor<2xf64>, tensor<2xf64>
         }\n";
    check(text, &[matrix(&[2, 3], &[0.3, -0.6, 0.8, 0.4, 0.9, -0.2]), vector(&[0.1, 1.5])]);
}

#[test]
fn slices_and_shapes() {
    check(
        "func.func @f(%a: tensor<?x4xf64>, %x: f64, %i: index) -> (tensor<?xf64>, tensor<6xf64>) {
           %0 = tensor.extract_slice %a[%i, 1] [2, 2] [1, 1] : tensor<?x4xf64> to tensor<2x2xf64>
           %1 = tensor.from_elements %x, %x : tensor<2xf64>
           %2 = tensor.insert_slice %1 into %0[0, 0] [1, 2] [1, 1] : tensor<2xf64> into tensor<2x2xf64>
           %3 = tensor.collapse_shape %2 [[0, 1]] : tensor<2x2xf64> into tensor<4xf64>
           %e = tensor.empty() : tensor<6xf64>
           %u = tensor.insert_slice %3 into %e[0] [4] [1] : tensor<4xf64> into tensor<6xf64>
           %4 = tensor.insert_slice %1 into %u[4] [2] [1] : tensor<2xf64> into tensor<6xf64>
           %5 = tensor.cast %a : tensor<?x4xf64> to tensor<?x?xf64>
           %6 = tensor.collapse_shape %5 [[0, 1]] : tensor<?x?xf64> into tensor<?xf64>
           %c1 = arith.constant 1 : index
           %7 = tensor.insert %x into %6[%c1] : tensor<?xf64>
           %8 = tensor.expand_shape %4 [[0, 1]] output_shape [2, 3] : tensor<6xf64> into tensor<2x3xf64>
           %9 = tensor.collapse_shape %8 [[0, 1]] : tensor<2x3xf64> into tensor<6xf64>
           return %7, %9 : tensor<?xf64>, tensor<6xf64>
         }\n",
        &[
            matrix(&[3, 4], &[0.3, -0.6, 0.8, 0.4, 0.1, 0.9, 1.0, 1.1, 1.2, 1.3, 1.4, 1.5]),
            0.7.into(),
            1.into(),
        ],
    );
}

#[test]
fn calls() {
    check(
        "func.func @g(%a: tensor<?xf64>, %i: index, %x: f64) -> (f64, f64) {
           %e = tensor.extract %a[%i] : tensor<?xf64>
           %0 = arith.mulf %e, %x : f64
           return %0, %x : f64, f64
         }
         func.func @f(%a: tensor<?xf64>, %x: f64) -> f64 {
           %c0 = arith.constant 0 : index
           %c1 = arith.constant 1 : index
           %0:2 = call @g(%a, %c0, %x) : (tensor<?xf64>, index, f64) -> (f64, f64)
           %1:2 = call @g(%a, %c1, %0#0) : (tensor<?xf64>, index, f64) -> (f64, f64)
           %2 = arith.mulf %1#0, %0#1 : f64
           return %2 : f64
         }\n",
        &[vector(&[0.4, 1.2]), 0.6.into()],
    );
}

#[test]
fn mutual_recursion() {
    check(
        "func.func @even(%n: i64, %x: f64) -> f64 {
           %c0 = arith.constant 0 : i64
           %c1 = arith.constant 1 : i64
           %c = arith.cmpi eq, %n, %c0 : i64
           %r = scf.if %c -> (f64) {
             scf.yield %x : f64
           } else {
             %m = arith.subi %n, %c1 : i64
             %0 = func.call @odd(%m, %x) : (i64, f64) -> f64
             %1 = math.sin %0 : f64
             scf.yield %1 : f64
           }
           return %r : f64
         }
         func.func @odd(%n: i64, %x: f64) -> f64 {
           %c1 = arith.constant 1 : i64
           %m = arith.subi %n, %c1 : i64
           %0 = func.call @even(%m, %x) : (i64, f64) -> f64
           %1 = arith.mulf %0, %x : f64
           return %1 : f64
         }
         func.func @f(%x: f64) -> f64 {
           %n = arith.constant 6 : i64
           %0 = call @even(%n, %x) : (i64, f64) -> f64
           return %0 : f64
         }\n",
        &[1.2.into()],
    );
}

#[test]
fn user_defined_derivatives() {
    let ctx = context();
    // The derivatives are wrong on purpose.
    let text = "func.func @g(%x: f64) -> f64 { %0 = math.sin %x : f64\n return %0 : f64 }
        func.func @dg(%x: f64, %d: f64) -> f64 { %c = arith.constant 7.0 : f64\n %0 = arith.mulf %c, %d : f64\n return %0 : f64 }
        diff.rule @g \"fwd\" by @dg
        diff.rule @g \"rev\" by @dg
        func.func @f(%x: f64) -> f64 {
          %0 = call @g(%x) : (f64) -> f64
          %1 = arith.mulf %0, %x : f64
          return %1 : f64
        }\n";
    let all = text.to_owned() + &requests(&parse(&ctx, text), "f", "jvp", "vjp");
    let module = differentiated(&ctx, &all);
    for name in ["jvp", "vjp"] {
        let found = Interpreter::new(&module).call(name, &[2.0.into(), 1.0.into()]).expect("it runs");
        close(name, "", floats(&found[0]).expect("a float")[0], 7.0 * 2.0 + 2.0_f64.sin(), 1e-12);
    }
}

#[test]
fn operations_without_a_derivative_are_listed() {
    let ctx = context();
    let text = "func.func private @h(f64) -> f64
        func.func @f(%x: f64) -> f64 {
          %0 = arith.bitcast %x : f64 to f64
          %1 = call @h(%0) : (f64) -> f64
          return %1 : f64
        }\n";
    let all = text.to_owned() + &requests(&parse(&ctx, text), "f", "jvp", "vjp");
    let mut module = parse(&ctx, &all);
    let errors =
        PassManager::new(&Pipeline::new(vec![Box::new(Differentiate)])).run(&mut module).into_result();
    let errors = errors.expect_err("two operations have no derivative");
    let shown = format!("{errors:?}");
    assert!(shown.contains("'f' cannot be differentiated"), "{shown}");
    assert!(shown.contains("'arith.bitcast' op has no derivative"), "{shown}");
    assert!(shown.contains("function 'h' is external"), "{shown}");
}

/// The gradient through a match that nothing expanded was zero.
#[test]
fn unexpanded_matches() {
    check(
        "data.type @List = \"Cons\"(f64, !data.cell<@List>) | \"Nil\"()
         func.func @f(%x: f64, %y: f64) -> f64 {
           %nil = data.make \"Nil\"[1]() : () -> !data.cell<@List>
           %one = data.make \"Cons\"[0](%x, %nil) : (f64, !data.cell<@List>) -> !data.cell<@List>
           %two = data.make \"Cons\"[0](%y, %one) : (f64, !data.cell<@List>) -> !data.cell<@List>
           %r = func.call @sum(%two) : (!data.cell<@List>) -> f64
           return %r : f64
         }
         func.func private @sum(%xs: !data.cell<@List>) -> f64 {
           %r = data.match %xs : !data.cell<@List> -> f64 {
           case \"Cons\"[0](%x: f64, %rest: !data.cell<@List>) {
             %y = arith.mulf %x, %x : f64
             %first = data.match %rest : !data.cell<@List> -> f64 {
             case \"Cons\"[0](%z: f64, %others: !data.cell<@List>) {
               %p = arith.mulf %x, %z : f64
               data.yield %p : f64
             }
             default {
               data.yield %y : f64
             }
             }
             %s = func.call @sum(%rest) : (!data.cell<@List>) -> f64
             %0 = arith.mulf %first, %y : f64
             %t = arith.addf %0, %s : f64
             data.yield %t : f64
           }
           case \"Nil\"[1]() {
             %zero = arith.constant 0.0 : f64
             data.yield %zero : f64
           }
           }
           return %r : f64
         }\n",
        &[0.7.into(), (-1.3).into()],
    );
}
