//! What operations compute, from text.

use minoan_services::{Datum, Trap};
use minoan_testing::{context, run_one, tensor};

/// Runs the function `f` of a module.
fn run(text: &str, args: &[Datum]) -> Result<Datum, Trap> {
    let ctx = context(|registry| {
        registry
            .add(minoan_builtin::BuiltinDialect)
            .add(minoan_func::FuncDialect)
            .add(minoan_arith::ArithDialect);
        registry.add(minoan_linalg::LinalgDialect).add(minoan_math::MathDialect);
    });
    run_one(&ctx, text, args)
}

#[test]
fn a_product_of_matrices_is_added_to_the_output() {
    let text = "func.func @f(%a: tensor<2x3xf32>, %b: tensor<3x1xf32>, %c: tensor<2x1xf32>) -> tensor<2x1xf32> {
      %r = linalg.matmul ins(%a, %b : tensor<2x3xf32>, tensor<3x1xf32>) outs(%c : tensor<2x1xf32>) -> tensor<2x1xf32>
      return %r : tensor<2x1xf32>
    }";
    let a = tensor(&[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let args = [a, tensor(&[3, 1], &[1.0, 10.0, 100.0]), tensor(&[2, 1], &[0.5, 0.25])];
    assert_eq!(run(text, &args), Ok(tensor(&[2, 1], &[321.5, 654.25])));
}

#[test]
fn windows_follow_strides_and_dilations() {
    let text = "func.func @f(%i: tensor<1x1x1x7xf32>, %k: tensor<1x2xf32>, %o: tensor<1x1x1x3xf32>) -> tensor<1x1x1x3xf32> {
      %r = linalg.pooling_nchw_max {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>}
        ins(%i, %k : tensor<1x1x1x7xf32>, tensor<1x2xf32>) outs(%o : tensor<1x1x1x3xf32>) -> tensor<1x1x1x3xf32>
      return %r : tensor<1x1x1x3xf32>
    }";
    let image = tensor(&[1, 1, 1, 7], &[1.0, 9.0, 2.0, 9.0, 5.0, 9.0, 3.0]);
    let args = [image, tensor(&[1, 2], &[0.0; 2]), tensor(&[1, 1, 1, 3], &[0.0; 3])];
    assert_eq!(run(text, &args), Ok(tensor(&[1, 1, 1, 3], &[2.0, 5.0, 5.0])));
}

#[test]
fn element_by_element() {
    let text = "func.func @f(%a: tensor<3xf32>, %b: tensor<3xf32>) -> tensor<3xf32> {
      %r = linalg.sub ins(%a, %b : tensor<3xf32>, tensor<3xf32>) outs(%a : tensor<3xf32>) -> tensor<3xf32>
      return %r : tensor<3xf32>
    }";
    let args = [tensor(&[3], &[1.0, 2.0, 3.0]), tensor(&[3], &[3.0, 1.0, 0.5])];
    assert_eq!(run(text, &args), Ok(tensor(&[3], &[-2.0, 1.0, 2.5])));
}

#[test]
fn elements_are_mapped_reduced_repeated_and_moved() {
    let text = "func.func @f(%a: tensor<2x3xf32>, %v: tensor<2xf32>, %w: tensor<3x2xf32>) -> tensor<3x2xf32> {
      %d = linalg.map { arith.addf } ins(%a, %a : tensor<2x3xf32>, tensor<2x3xf32>) outs(%a : tensor<2x3xf32>)
      %s = linalg.reduce { arith.addf } ins(%d : tensor<2x3xf32>) outs(%v : tensor<2xf32>) dimensions = [1]
      %b = linalg.broadcast ins(%s : tensor<2xf32>) outs(%w : tensor<3x2xf32>) dimensions = [0]
      %t = linalg.transpose ins(%d : tensor<2x3xf32>) outs(%w : tensor<3x2xf32>) permutation = [1, 0]
      %r = linalg.map ins(%b, %t : tensor<3x2xf32>, tensor<3x2xf32>) outs(%w : tensor<3x2xf32>) (%x: f32, %y: f32, %o: f32) {
        %p = arith.subf %x, %y : f32
        linalg.yield %p : f32
      }
      return %r : tensor<3x2xf32>
    }";
    let a = tensor(&[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let args = [a, tensor(&[2], &[0.5, 0.25]), tensor(&[3, 2], &[9.0; 6])];
    let expected = tensor(&[3, 2], &[10.5, 22.25, 8.5, 20.25, 6.5, 18.25]);
    assert_eq!(run(text, &args), Ok(expected));
}
