//! Tensors and buffers compute the same results, in place where possible, and nothing leaks.

use crate::common::{agree, apply, parse, print};
use minoan_passes::{dce::Dce, hoist_buffers::HoistBuffers, plan_buffers::PlanBuffers};
use minoan_services::{Datum, Tensor, TensorData};

/// Bufferizes a program, compares both versions on the arguments, and counts allocations and copies in the text.
fn check(text: &str, args: &[Datum]) -> (usize, usize, Vec<Datum>) {
    let tensors = parse(text);
    let planned = apply(tensors.clone(), vec![Box::new(PlanBuffers)]);
    let results = agree(&tensors, &planned, args);
    let hoisted = apply(tensors.clone(), vec![Box::new(Dce), Box::new(PlanBuffers), Box::new(HoistBuffers)]);
    agree(&tensors, &hoisted, args);
    let text = print(&planned);
    (text.matches("memref.alloc(").count(), text.matches("memref.copy").count(), results)
}

fn vector(values: &[f32]) -> Datum {
    Tensor { shape: vec![values.len()], data: TensorData::F32(values.to_vec()) }.into()
}

const FOLD: &str = "
func.func @main(%v: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %v, %c0 : tensor<?xf32>
  %zero = arith.constant 0.0 : f32
  %init = tensor.splat %zero[%n] : tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %init) -> (tensor<?xf32>) {
    %x = tensor.extract %v[%i] : tensor<?xf32>
    %y = tensor.extract %acc[%i] : tensor<?xf32>
    %s = arith.addf %x, %y : f32
    %next = tensor.insert %s into %acc[%i] : tensor<?xf32>
    scf.yield %next : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}";

#[test]
fn fold_with_array_accumulator_is_in_place() {
    let (allocations, copies, results) = check(FOLD, &[vector(&[1.0, 2.0, 3.0])]);
    assert_eq!((allocations, copies), (1, 0));
    assert!(results[0].same(&vector(&[1.0, 2.0, 3.0])));
}

#[test]
fn argument_is_copied_before_update() {
    let text = "
    func.func @main(%v: tensor<?xf32>) -> tensor<?xf32> {
      %c0 = arith.constant 0 : index
      %one = arith.constant 1.0 : f32
      %r = tensor.insert %one into %v[%c0] : tensor<?xf32>
      return %r : tensor<?xf32>
    }";
    let (allocations, copies, _) = check(text, &[vector(&[5.0, 6.0])]);
    assert_eq!((allocations, copies), (1, 1));
}

#[test]
fn tensor_read_later_is_read_before_the_update() {
    let text = "
    func.func @main(%n: index) -> (f32, f32) {
      %c0 = arith.constant 0 : index
      %one = arith.constant 1.0 : f32
      %two = arith.constant 2.0 : f32
      %a = tensor.splat %one[%n] : tensor<?xf32>
      %b = tensor.insert %two into %a[%c0] : tensor<?xf32>
      %x = tensor.extract %a[%c0] : tensor<?xf32>
      %y = tensor.extract %b[%c0] : tensor<?xf32>
      return %x, %y : f32, f32
    }";
    let (allocations, copies, results) = check(text, &[Datum::Int(3)]);
    assert_eq!((allocations, copies), (1, 0));
    assert_eq!(results, [Datum::F32(1.0), Datum::F32(2.0)]);
}

#[test]
fn tensor_read_at_a_later_index_is_copied() {
    let text = "
    func.func @main(%n: index) -> (f32, f32) {
      %c0 = arith.constant 0 : index
      %one = arith.constant 1.0 : f32
      %two = arith.constant 2.0 : f32
      %a = tensor.splat %one[%n] : tensor<?xf32>
      %b = tensor.insert %two into %a[%c0] : tensor<?xf32>
      %y = tensor.extract %b[%c0] : tensor<?xf32>
      %i = arith.fptosi %y : f32 to i64
      %j = arith.index_cast %i : i64 to index
      %x = tensor.extract %a[%j] : tensor<?xf32>
      return %x, %y : f32, f32
    }";
    let (allocations, copies, results) = check(text, &[Datum::Int(3)]);
    assert_eq!((allocations, copies), (2, 1));
    assert_eq!(results, [Datum::F32(1.0), Datum::F32(2.0)]);
}

#[test]
fn branches_update_in_place() {
    let text = "
    func.func @main(%c: i1, %n: index) -> tensor<?xf32> {
      %c0 = arith.constant 0 : index
      %one = arith.constant 1.0 : f32
      %two = arith.constant 2.0 : f32
      %a = tensor.splat %one[%n] : tensor<?xf32>
      %b = tensor.splat %two[%n] : tensor<?xf32>
      %r = scf.if %c -> (tensor<?xf32>) {
        %u = tensor.insert %two into %a[%c0] : tensor<?xf32>
        scf.yield %u : tensor<?xf32>
      } else {
        %w = tensor.insert %one into %b[%c0] : tensor<?xf32>
        scf.yield %w : tensor<?xf32>
      }
      return %r : tensor<?xf32>
    }";
    for condition in [true, false] {
        let (allocations, copies, _) = check(text, &[condition.into(), Datum::Int(2)]);
        assert_eq!((allocations, copies), (2, 0));
    }
}

#[test]
fn returned_argument_is_copied() {
    let text = "
    func.func @main(%v: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
      return %v, %v : tensor<?xf32>, tensor<?xf32>
    }";
    let (allocations, copies, _) = check(text, &[vector(&[1.0])]);
    assert_eq!((allocations, copies), (2, 2));
}

#[test]
fn view_extends_lifetime_of_base() {
    let text = "
    func.func @main() -> (f32, tensor<?xf32>) {
      %c0 = arith.constant 0 : index
      %one = arith.constant 1.0 : f32
      %a = tensor.from_elements %one, %one : tensor<2xf32>
      %v = tensor.cast %a : tensor<2xf32> to tensor<?xf32>
      %x = tensor.extract %v[%c0] : tensor<?xf32>
      %w = tensor.insert %x into %v[%c0] : tensor<?xf32>
      return %x, %w : f32, tensor<?xf32>
    }";
    let (allocations, copies, _) = check(text, &[]);
    assert_eq!((allocations, copies), (1, 0));
}

#[test]
fn loop_frees_replaced_tensor() {
    let text = "
    func.func @main(%n: index) -> tensor<?xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %one = arith.constant 1.0 : f32
      %init = tensor.splat %one[%n] : tensor<?xf32>
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %init) -> (tensor<?xf32>) {
        %next = tensor.generate %n {
        ^bb0(%j: index):
          %x = tensor.extract %acc[%j] : tensor<?xf32>
          %y = arith.addf %x, %one : f32
          tensor.yield %y : f32
        } : tensor<?xf32>
        scf.yield %next : tensor<?xf32>
      }
      return %r : tensor<?xf32>
    }";
    check(text, &[Datum::Int(4)]);
}

#[test]
fn constants_are_not_modified() {
    let text = "
    func.func @main() -> (tensor<3xf32>, f32) {
      %c0 = arith.constant 0 : index
      %a = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
      %x = tensor.extract %a[%c0] : tensor<3xf32>
      %b = tensor.insert %x into %a[%c0] : tensor<3xf32>
      return %b, %x : tensor<3xf32>, f32
    }";
    let (allocations, copies, _) = check(text, &[]);
    assert_eq!((allocations, copies), (1, 1));
}

#[test]
fn call_ownership() {
    let text = "
    func.func private @twice(%v: tensor<?xf32>) -> tensor<?xf32> {
      %c0 = arith.constant 0 : index
      %n = tensor.dim %v, %c0 : tensor<?xf32>
      %e = tensor.empty(%n) : tensor<?xf32>
      %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = [\"parallel\"]}
        ins(%v : tensor<?xf32>) outs(%e : tensor<?xf32>) {
      ^bb0(%x: f32, %o: f32):
        %y = arith.addf %x, %x : f32
        linalg.yield %y : f32
      } -> tensor<?xf32>
      return %r : tensor<?xf32>
    }
    func.func @main(%v: tensor<?xf32>) -> tensor<?xf32> {
      %a = func.call @twice(%v) : (tensor<?xf32>) -> tensor<?xf32>
      %b = func.call @twice(%a) : (tensor<?xf32>) -> tensor<?xf32>
      return %b : tensor<?xf32>
    }";
    let (allocations, copies, results) = check(text, &[vector(&[1.0, 2.0])]);
    assert_eq!((allocations, copies), (1, 0));
    assert!(results[0].same(&vector(&[4.0, 8.0])));
}

#[test]
fn while_loop_carries_array_in_place() {
    let text = "
    func.func @main(%n: index) -> tensor<?xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %one = arith.constant 1.0 : f32
      %two = arith.constant 2.0 : f32
      %init = tensor.splat %one[%n] : tensor<?xf32>
      %i, %r = scf.while (%i = %c0, %a = %init) : (index, tensor<?xf32>) -> (index, tensor<?xf32>) {
        %go = arith.cmpi slt, %i, %n : index
        scf.condition(%go) %i, %a : index, tensor<?xf32>
      } do {
      ^bb0(%i: index, %a: tensor<?xf32>):
        %u = tensor.insert %two into %a[%i] : tensor<?xf32>
        %next = arith.addi %i, %c1 : index
        scf.yield %next, %u : index, tensor<?xf32>
      }
      return %r : tensor<?xf32>
    }";
    let text = text.replace("%i, %r = scf.while", "%w:2 = scf.while").replace("return %r", "return %w#1");
    let (allocations, copies, results) = check(&text, &[Datum::Int(3)]);
    assert_eq!((allocations, copies), (1, 0));
    assert!(results[0].same(&vector(&[2.0, 2.0, 2.0])));
}

#[test]
fn temporary_is_hoisted() {
    let text = "
    func.func @main(%v: tensor<?xf32>) -> f32 {
      %c0 = arith.constant 0 : index
      %n = tensor.dim %v, %c0 : tensor<?xf32>
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0.0 : f32
      %one = arith.constant 1.0 : f32
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (f32) {
        %t = tensor.splat %one[%n] : tensor<?xf32>
        %x = tensor.extract %t[%i] : tensor<?xf32>
        %next = arith.addf %sum, %x : f32
        scf.yield %next : f32
      }
      return %r : f32
    }";
    check(text, &[vector(&[1.0, 2.0, 3.0])]);
    let module = apply(parse(text), vec![Box::new(PlanBuffers), Box::new(HoistBuffers)]);
    let text = print(&module);
    let (alloc, the_loop) = (text.find("memref.alloc("), text.find("scf.for"));
    assert!(alloc.is_some() && alloc < the_loop, "{text}");
}

#[test]
fn negative_extent_in_unexecuted_loop_is_not_hoisted() {
    let text = "
    func.func @main(%n: index, %size: index) -> f32 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0.0 : f32
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (f32) {
        %fits = arith.cmpi sge, %size, %c0 : index
        cf.assert %fits, \"a negative size\"
        %v = tensor.splat %sum[%size] : tensor<?xf32>
        %x = tensor.extract %v[%c0] : tensor<?xf32>
        scf.yield %x : f32
      }
      return %r : f32
    }";
    check(text, &[Datum::Int(0), Datum::Int(-1)]);
    check(text, &[Datum::Int(3), Datum::Int(2)]);
}

#[test]
fn select_of_dead_tensors_does_not_copy() {
    let text = "
    func.func @main(%c: i1, %n: index) -> tensor<?xf32> {
      %one = arith.constant 1.0 : f32
      %two = arith.constant 2.0 : f32
      %a = tensor.splat %one[%n] : tensor<?xf32>
      %b = tensor.splat %two[%n] : tensor<?xf32>
      %r = arith.select %c, %a, %b : tensor<?xf32>
      return %r : tensor<?xf32>
    }";
    for condition in [true, false] {
        let (allocations, copies, results) = check(text, &[condition.into(), Datum::Int(2)]);
        assert_eq!((allocations, copies), (2, 0));
        let expected = if condition { 1.0 } else { 2.0 };
        assert!(results[0].same(&vector(&[expected, expected])));
    }
}

#[test]
fn select_copies_the_selected_tensor() {
    let text = "
    func.func @main(%c: i1, %v: tensor<?xf32>, %n: index) -> (tensor<?xf32>, f32, tensor<?xf32>, tensor<2xf32>) {
      %c0 = arith.constant 0 : index
      %one = arith.constant 1.0 : f32
      %k = arith.constant dense<[7.0, 8.0]> : tensor<2xf32>
      %s = arith.constant dense<[9.0, 10.0]> : tensor<2xf32>
      %a = tensor.splat %one[%n] : tensor<?xf32>
      %r = arith.select %c, %a, %v : tensor<?xf32>
      %u = tensor.insert %one into %r[%c0] : tensor<?xf32>
      %x = tensor.extract %a[%c0] : tensor<?xf32>
      %t = arith.select %c, %v, %v : tensor<?xf32>
      %w = arith.select %c, %k, %s : tensor<2xf32>
      return %u, %x, %t, %w : tensor<?xf32>, f32, tensor<?xf32>, tensor<2xf32>
    }";
    for condition in [true, false] {
        let (_, copies, _) = check(text, &[condition.into(), vector(&[5.0, 6.0]), Datum::Int(2)]);
        assert_eq!(copies, 3);
    }
}

#[test]
fn select_in_loop_is_in_place() {
    let text = "
    func.func @main(%c: i1, %n: index) -> tensor<?xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %one = arith.constant 1.0 : f32
      %two = arith.constant 2.0 : f32
      %a = tensor.splat %one[%n] : tensor<?xf32>
      %b = tensor.splat %two[%n] : tensor<?xf32>
      %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (tensor<?xf32>, tensor<?xf32>) {
        %u = tensor.insert %two into %p[%i] : tensor<?xf32>
        %chosen = arith.select %c, %u, %q : tensor<?xf32>
        %fresh = tensor.splat %one[%n] : tensor<?xf32>
        scf.yield %chosen, %fresh : tensor<?xf32>, tensor<?xf32>
      }
      return %r#0 : tensor<?xf32>
    }";
    for condition in [true, false] {
        let (_, copies, _) = check(text, &[condition.into(), Datum::Int(3)]);
        assert_eq!(copies, 0);
    }
}

#[test]
fn an_elementwise_operation_writes_to_an_input_that_dies() {
    let text = "
    #id = affine_map<(i, j) -> (i, j)>
    #t = affine_map<(i, j) -> (j, i)>
    func.func @main(%n: index, %v: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
      %one = arith.constant 1.0 : f32
      %a = tensor.splat %one[%n, %n] : tensor<?x?xf32>
      %e = tensor.empty(%n, %n) : tensor<?x?xf32>
      %b = linalg.generic {indexing_maps = [#id, #t, #id], iterator_types = [\"parallel\", \"parallel\"]}
        ins(%a, %v : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) {
      ^bb0(%x: f32, %y: f32, %o: f32):
        %z = arith.addf %x, %y : f32
        linalg.yield %z : f32
      } -> tensor<?x?xf32>
      %f = tensor.empty(%n, %n) : tensor<?x?xf32>
      %c = linalg.generic {indexing_maps = [#t, #id], iterator_types = [\"parallel\", \"parallel\"]}
        ins(%b : tensor<?x?xf32>) outs(%f : tensor<?x?xf32>) {
      ^bb0(%x: f32, %o: f32):
        linalg.yield %x : f32
      } -> tensor<?x?xf32>
      %d = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = [\"parallel\", \"parallel\"]}
        ins(%c, %c : tensor<?x?xf32>, tensor<?x?xf32>) outs(%f : tensor<?x?xf32>) {
      ^bb0(%x: f32, %y: f32, %o: f32):
        %z = arith.addf %x, %y : f32
        linalg.yield %z : f32
      } -> tensor<?x?xf32>
      return %c, %d : tensor<?x?xf32>, tensor<?x?xf32>
    }";
    let matrix = Tensor { shape: vec![2, 2], data: TensorData::F32(vec![1.0, 2.0, 3.0, 4.0]) };
    let (allocations, copies, results) = check(text, &[Datum::Int(2), matrix.into()]);
    // `%b` is in the storage of `%a`. `%c` is a transposition, and `%d` must keep `%c`.
    assert_eq!((allocations, copies), (3, 0));
    let expected = Tensor { shape: vec![2, 2], data: TensorData::F32(vec![2.0, 3.0, 4.0, 5.0]) };
    assert!(results[0].same(&expected.into()));
}

#[test]
fn a_choice_that_is_only_read_copies_nothing() {
    let text = "
    func.func @main(%c: i1, %v: tensor<?xf32>, %n: index) -> (f32, f32, tensor<?xf32>) {
      %c0 = arith.constant 0 : index
      %one = arith.constant 1.0 : f32
      %two = arith.constant 2.0 : f32
      %a = tensor.splat %one[%n] : tensor<?xf32>
      %r = arith.select %c, %a, %v : tensor<?xf32>
      %s = arith.select %c, %v, %r : tensor<?xf32>
      %b = tensor.insert %two into %a[%c0] : tensor<?xf32>
      %x = tensor.extract %r[%c0] : tensor<?xf32>
      %y = scf.if %c -> (f32) {
        %p = tensor.extract %s[%c0] : tensor<?xf32>
        scf.yield %p : f32
      } else {
        scf.yield %two : f32
      }
      return %x, %y, %b : f32, f32, tensor<?xf32>
    }";
    for condition in [true, false] {
        let (allocations, copies, results) =
            check(text, &[condition.into(), vector(&[5.0, 6.0]), Datum::Int(2)]);
        // `%a` is still read when it is updated.
        assert_eq!((allocations, copies), (2, 1));
        let expected = if condition { [1.0, 5.0] } else { [5.0, 2.0] };
        assert_eq!(results[..2], expected.map(Datum::F32));
    }
}

#[test]
fn buffers_of_the_program_stay_its_own() {
    let text = "
    func.func @main(%n: index) -> (f32, tensor<?xf32>) {
      %c0 = arith.constant 0 : index
      %one = arith.constant 1.0 : f32
      %m = memref.alloc(%n) : memref<?xf32>
      memref.store %one, %m[%c0] : memref<?xf32>
      %k = func.call @pass(%m) : (memref<?xf32>) -> memref<?xf32>
      %v = vector.load %k[%c0] : memref<?xf32>, vector<1xf32>
      vector.store %v, %m[%c0] : memref<?xf32>, vector<1xf32>
      %x = memref.load %k[%c0] : memref<?xf32>
      memref.dealloc %m : memref<?xf32>
      %t = tensor.splat %x[%n] : tensor<?xf32>
      return %x, %t : f32, tensor<?xf32>
    }
    func.func private @pass(%m: memref<?xf32>) -> memref<?xf32> {
      return %m : memref<?xf32>
    }";
    let planned = print(&apply(parse(text), vec![Box::new(PlanBuffers)]));
    let count = |what: &str| planned.matches(what).count();
    assert_eq!(
        (count("memref.alloc("), count("memref.dealloc"), count("memref.copy")),
        (2, 1, 0),
        "{planned}"
    );
}

#[test]
fn slices_and_reshapes_move_elements() {
    let text = "
    func.func @main(%v: tensor<?xf32>, %i: index) -> (tensor<2xf32>, tensor<?xf32>, f32, tensor<2x2xf32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %n = tensor.dim %v, %c0 : tensor<?xf32>
      %part = tensor.extract_slice %v[%i] [2] [2] : tensor<?xf32> to tensor<2xf32>
      %rest = tensor.extract_slice %v[1] [%c2] [1] : tensor<?xf32> to tensor<?xf32>
      %new = tensor.insert_slice %part into %v[%c2] [2] [1] : tensor<2xf32> into tensor<?xf32>
      %matrix = tensor.expand_shape %new [[0, 1]] output_shape [%c2, 2] : tensor<?xf32> into tensor<?x2xf32>
      %row = tensor.extract_slice %matrix[%c1, 0] [1, 2] [1, 1] : tensor<?x2xf32> to tensor<2xf32>
      %flat = tensor.collapse_shape %matrix [[0, 1]] : tensor<?x2xf32> into tensor<?xf32>
      %x = tensor.extract %row[%c1] : tensor<2xf32>
      %shape = tensor.from_elements %c2, %c2 : tensor<2xindex>
      %square = tensor.reshape %flat(%shape) : (tensor<?xf32>, tensor<2xindex>) -> tensor<2x2xf32>
      return %part, %rest, %x, %square : tensor<2xf32>, tensor<?xf32>, f32, tensor<2x2xf32>
    }";
    let (_, _, results) = check(text, &[vector(&[1.0, 2.0, 3.0, 4.0]), Datum::Int(1)]);
    assert!(results[0].same(&vector(&[2.0, 4.0])));
    assert!(results[1].same(&vector(&[2.0, 3.0])));
    assert_eq!(results[2], Datum::F32(4.0));
    let square = Tensor { shape: vec![2, 2], data: TensorData::F32(vec![1.0, 2.0, 2.0, 4.0]) };
    assert!(results[3].same(&square.into()));
}
