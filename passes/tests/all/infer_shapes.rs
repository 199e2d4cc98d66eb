//! Programs compute the same results with inferred types.

use crate::common;
use minoan_interp::Interpreter;
use minoan_ir::verify::verify;
use minoan_passes::infer_shapes::InferShapes;
use minoan_services::{Datum, Tensor, TensorData};

const PROGRAM: &str = "
func.func private @step(%t: tensor<?xf32>, %u: tensor<?xf32>) -> tensor<?xf32> {
  %0 = arith.addf %t, %u : tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @main(%t: tensor<4xf32>, %n: index, %c: i1) -> (tensor<?xf32>, tensor<?xf32>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x = arith.constant 1.5 : f32
  %u = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  %l = scf.for %i = %c0 to %n step %c1 iter_args(%v = %u) -> (tensor<?xf32>) {
    %w = func.call @step(%v, %u) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    scf.yield %w : tensor<?xf32>
  }
  %e = tensor.empty(%c2) : tensor<?xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %p = tensor.insert_slice %f into %l[1] [%c2] [1] : tensor<?xf32> into tensor<?xf32>
  %r = scf.if %c -> (tensor<?xf32>) {
    scf.yield %p : tensor<?xf32>
  } else {
    scf.yield %f : tensor<?xf32>
  }
  %d = tensor.dim %p, %c0 : tensor<?xf32>
  return %r, %p, %d : tensor<?xf32>, tensor<?xf32>, index
}";

#[test]
fn refined_program_computes_the_same() {
    let before = common::parse(PROGRAM);
    let after = common::apply(common::parse(PROGRAM), vec![Box::new(InferShapes)]);
    assert!(verify(&after).is_ok());
    let text = common::print(&after);
    assert!(
        text.contains("func.func private @step(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> tensor<4xf32>")
    );
    assert!(text.contains("-> (tensor<?xf32>, tensor<?xf32>, index)"), "the public function stays as it is");
    let tensor = Tensor { shape: vec![4], data: TensorData::F32(vec![1.0, -2.0, 0.5, 8.0]) };
    for (count, condition) in [(0, 0), (1, 1), (5, 0), (3, 1)] {
        let args = [Datum::from(tensor.clone()), Datum::Int(count), Datum::Int(condition)];
        let run = |module| Interpreter::new(module).call("main", &args).expect("it runs");
        for (before, after) in run(&before).iter().zip(run(&after)) {
            assert!(before.same(&after), "{before:?} is not {after:?}");
        }
    }
}

#[test]
fn contradictory_extents_are_not_refined() {
    let text = "
func.func @main(%a: tensor<4xf32>, %b: tensor<5xf32>) -> tensor<?xf32> {
  %u = tensor.cast %a : tensor<4xf32> to tensor<?xf32>
  %v = tensor.cast %b : tensor<5xf32> to tensor<?xf32>
  %s = arith.addf %u, %v : tensor<?xf32>
  return %s : tensor<?xf32>
}";
    let after = common::apply(common::parse(text), vec![Box::new(InferShapes)]);
    assert!(
        common::print(&after).contains("arith.addf %cast, %cast_0 : tensor<?xf32>"),
        "{}",
        common::print(&after)
    );
}

#[test]
fn callee_is_resolved_in_the_nested_module() {
    let text = "
module {
  module {
    func.func private @inner(%t: tensor<?xf32>) -> tensor<?xf32> {
      return %t : tensor<?xf32>
    }
  }
}
func.func private @declared(tensor<?xf32>)";
    let module = common::apply(common::parse(text), vec![Box::new(InferShapes)]);
    verify(&module).expect("nothing is inferred");
}
