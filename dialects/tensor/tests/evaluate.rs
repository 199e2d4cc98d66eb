//! Evaluates operations given as text.

use minoan_services::{Datum, Trap};
use minoan_testing::{context, run_one, tensor};

/// Runs the function `f` of a module.
fn run(text: &str, args: &[Datum]) -> Result<Datum, Trap> {
    let ctx = context(|registry| {
        registry
            .add(minoan_builtin::BuiltinDialect)
            .add(minoan_func::FuncDialect)
            .add(minoan_arith::ArithDialect);
        registry.add(minoan_tensor::TensorDialect);
    });
    run_one(&ctx, text, args)
}

#[test]
fn rank_reducing_strided_extract_slice() {
    let text = "func.func @f(%t: tensor<2x5xf32>, %i: index) -> tensor<2xf32> {
      %r = tensor.extract_slice %t[%i, 1] [1, 2] [1, 3] : tensor<2x5xf32> to tensor<2xf32>
      return %r : tensor<2xf32>
    }";
    let whole = tensor(&[2, 5], &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
    assert_eq!(run(text, &[whole.clone(), Datum::Int(1)]), Ok(tensor(&[2], &[6.0, 9.0])));
    assert!(run(text, &[whole, Datum::Int(2)]).is_err(), "row 2 of 2");
}

#[test]
fn insert_slice() {
    let text = "func.func @f(%s: tensor<2xf32>, %t: tensor<2x3xf32>) -> tensor<2x3xf32> {
      %r = tensor.insert_slice %s into %t[0, 1] [2, 1] [1, 1] : tensor<2xf32> into tensor<2x3xf32>
      return %r : tensor<2x3xf32>
    }";
    let args = [tensor(&[2], &[7.0, 8.0]), tensor(&[2, 3], &[0.0; 6])];
    assert_eq!(run(text, &args), Ok(tensor(&[2, 3], &[0.0, 7.0, 0.0, 0.0, 8.0, 0.0])));
}

#[test]
fn collapse_and_expand_shape() {
    let text = "func.func @f(%t: tensor<2x?xf32>, %n: index) -> tensor<?x2xf32> {
      %c = tensor.collapse_shape %t [[0, 1]] : tensor<2x?xf32> into tensor<?xf32>
      %r = tensor.expand_shape %c [[0, 1]] output_shape [%n, 2] : tensor<?xf32> into tensor<?x2xf32>
      return %r : tensor<?x2xf32>
    }";
    let (elements, whole) = ([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [2, 3]);
    let args = |n| [tensor(&whole, &elements), Datum::Int(n)];
    assert_eq!(run(text, &args(3)), Ok(tensor(&[3, 2], &elements)));
    assert!(run(text, &args(4)).is_err(), "six elements do not fill four rows of two");
}
