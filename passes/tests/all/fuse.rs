//! `fuse` preserves results and fuses what it can.

use crate::common::{apply, parse, print};
use minoan_interp::Interpreter;
use minoan_passes::fuse::{Fuse, FuseOptions};
use minoan_services::{Datum, Tensor, TensorData};
use proptest::prelude::*;
use std::fmt::Write;

const MAPS: &str = "#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
#row = affine_map<(d0, d1) -> (d0)>
#none = affine_map<(d0, d1) -> ()>
";

fn fused(text: &str) -> String {
    print(&apply(parse(text), vec![Box::new(Fuse::default())]))
}

fn input() -> Datum {
    Tensor { shape: vec![3, 3], data: TensorData::Int((0..9).map(|n| n * n - 7).collect()) }.into()
}

#[test]
fn reduction_computes_its_input() {
    let text = format!(
        "{MAPS}func.func @main(%a: tensor<3x3xi64>, %z: tensor<3xi64>) -> tensor<3xi64> {{
  %b = arith.muli %a, %a : tensor<3x3xi64>
  %c = arith.addi %b, %a : tensor<3x3xi64>
  %r = linalg.generic {{indexing_maps = [#id, #row], iterator_types = [\"parallel\", \"reduction\"]}}
      ins(%c : tensor<3x3xi64>) outs(%z : tensor<3xi64>) {{
  ^bb0(%x: i64, %sum: i64):
    %s = arith.addi %x, %sum : i64
    linalg.yield %s : i64
  }} -> tensor<3xi64>
  return %r : tensor<3xi64>
}}"
    );
    let after = fused(&text);
    assert!(
        after.contains("ins(%arg0 : tensor<3x3xi64>)"),
        "the argument is read once, and nothing else:\n{after}"
    );
    assert!(!after.contains(": tensor<3x3xi64>\n"), "no tensor is made between:\n{after}");
    let args = [input(), Tensor { shape: vec![3], data: TensorData::Int(vec![0, 1, 2]) }.into()];
    let found = Interpreter::new(&parse(&after)).call("main", &args).expect("the fused program runs");
    let expected = Interpreter::new(&parse(&text)).call("main", &args).expect("the program runs");
    assert!(found[0].same(&expected[0]), "{found:?} is not {expected:?}");
}

fn same_values(text: &str, after: &str, args: &[Datum]) {
    let expected = Interpreter::new(&parse(text)).call("main", args).expect("the program runs");
    let found = Interpreter::new(&parse(after)).call("main", args).expect("the fused program runs");
    for (found, expected) in found.iter().zip(&expected) {
        assert!(found.same(expected), "{found:?} is not {expected:?}\n{after}");
    }
}

#[test]
fn cheap_producer_is_duplicated() {
    let text = "func.func @main(%i: index, %j: index) -> (index, index) {
  %g = tensor.generate {
  ^bb0(%k: index):
    %p = arith.muli %k, %k : index
    tensor.yield %p : index
  } : tensor<8xindex>
  %a = tensor.extract %g[%i] : tensor<8xindex>
  %b = tensor.extract %g[%j] : tensor<8xindex>
  return %a, %b : index, index
}";
    let after = fused(text);
    assert!(!after.contains("tensor."), "{after}");
    same_values(text, &after, &[Datum::Int(3), Datum::Int(5)]);
    // Twelve instructions, compared with one read.
    let dear = text.replace(
        "%p = arith.muli %k, %k : index",
        "%p = arith.muli %k, %k : index\n    %q0 = arith.muli %p, %p : index",
    );
    let dear = (1..12).fold(dear, |text, n| {
        text.replace(
            "    tensor.yield",
            &format!("    %q{n} = arith.addi %q{}, %p : index\n    tensor.yield", n - 1),
        )
    });
    let dear = dear.replace("tensor.yield %p", "tensor.yield %q11");
    assert_eq!(fused(&dear), print(&parse(&dear)));
}

#[test]
fn cheap_producer_is_recomputed() {
    let program = |extent: usize| {
        format!(
            "{MAPS}#mid = affine_map<(d0, d1) -> (d1)>
func.func @main(%a: tensor<3xi64>, %z: tensor<{extent}x3xi64>) -> tensor<{extent}x3xi64> {{
  %b = arith.muli %a, %a : tensor<3xi64>
  %r = linalg.generic {{indexing_maps = [#mid, #id], iterator_types = [\"parallel\", \"parallel\"]}}
      ins(%b : tensor<3xi64>) outs(%z : tensor<{extent}x3xi64>) {{
  ^bb0(%x: i64, %old: i64):
    linalg.yield %x : i64
  }} -> tensor<{extent}x3xi64>
  return %r : tensor<{extent}x3xi64>
}}"
        )
    };
    let few = program(3);
    let after = fused(&few);
    assert!(!after.contains(": tensor<3xi64>\n"), "{after}");
    let a = Tensor { shape: vec![3], data: TensorData::Int(vec![4, 5, 6]) }.into();
    same_values(&few, &after, &[a, input()]);
    let many = program(100);
    assert_eq!(fused(&many), print(&parse(&many)));
}

#[test]
fn fold_computes_elements_of_build() {
    let text = "func.func @main(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %g = tensor.generate %n {
  ^bb0(%i: index):
    %v = arith.muli %i, %i : index
    %w0 = arith.muli %v, %v : index
    %w1 = arith.subi %w0, %v : index
    %w2 = arith.divsi %w1, %n : index
    %w3 = arith.muli %w2, %w2 : index
    %w4 = arith.subi %w3, %w2 : index
    tensor.yield %w4 : index
  } : tensor<?xindex>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0) -> index {
    %e = tensor.extract %g[%i] : tensor<?xindex>
    %s = arith.addi %a, %e : index
    scf.yield %s : index
  }
  return %r : index
}";
    let after = fused(text);
    assert!(!after.contains("tensor."), "{after}");
    same_values(text, &after, &[Datum::Int(7)]);
    // In another loop, each element would be recomputed in each iteration.
    let outer = text
        .replace(
            "  %r = scf.for",
            "  %r = scf.for %o = %c0 to %n step %c1 iter_args(%q = %c0) -> index {\n  %p = scf.for",
        )
        .replace("iter_args(%a = %c0)", "iter_args(%a = %q)")
        .replace("  return", "  scf.yield %p : index\n  }\n  return");
    assert_eq!(fused(&outer), print(&parse(&outer)));
}

#[test]
fn window_is_computed_in_its_reader() {
    let text = "func.func @main(%a: tensor<10xi64>, %o: tensor<8xi64>, %w: tensor<3xi64>) -> tensor<8xi64> {
  %p = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
      iterator_types = [\"parallel\"]} ins(%a : tensor<10xi64>) outs(%a : tensor<10xi64>) {
  ^bb0(%x: i64, %y: i64):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i64
    %v = arith.addi %x, %n : i64
    linalg.yield %v : i64
  } -> tensor<10xi64>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 + d1)>, affine_map<(d0, d1) -> (d1)>,
      affine_map<(d0, d1) -> (d0)>], iterator_types = [\"parallel\", \"reduction\"]}
      ins(%p, %w : tensor<10xi64>, tensor<3xi64>) outs(%o : tensor<8xi64>) {
  ^bb0(%x: i64, %k: i64, %y: i64):
    %m = arith.muli %x, %k : i64
    %s = arith.addi %m, %y : i64
    linalg.yield %s : i64
  } -> tensor<8xi64>
  return %r : tensor<8xi64>
}";
    let after = fused(text);
    assert_eq!(after.matches("linalg.generic").count(), 1, "{after}");
    let numbers = |values: &[i64]| -> Datum {
        Tensor { shape: vec![values.len()], data: TensorData::Int(values.to_vec()) }.into()
    };
    let args = [numbers(&[3, 1, 4, 1, 5, 9, 2, 6, 5, 3]), numbers(&[0; 8]), numbers(&[1, -2, 7])];
    same_values(text, &after, &args);
}

#[test]
fn producer_with_several_results() {
    let text = "#v = affine_map<(d0) -> (d0)>
func.func @main(%a: tensor<4xi64>, %o: tensor<4xi64>) -> (tensor<4xi64>, tensor<4xi64>) {
  %p:2 = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = [\"parallel\"]}
      ins(%a : tensor<4xi64>) outs(%o, %o : tensor<4xi64>, tensor<4xi64>) {
  ^bb0(%x: i64, %y: i64, %z: i64):
    %v = arith.addi %x, %x : i64
    %w = arith.muli %x, %x : i64
    linalg.yield %v, %w : i64, i64
  } -> (tensor<4xi64>, tensor<4xi64>)
  %r = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = [\"parallel\"]}
      ins(%p#0, %p#1 : tensor<4xi64>, tensor<4xi64>) outs(%o : tensor<4xi64>) {
  ^bb0(%x: i64, %y: i64, %z: i64):
    %v = arith.subi %x, %y : i64
    linalg.yield %v : i64
  } -> tensor<4xi64>
  %s = linalg.generic {indexing_maps = [#v, #v], iterator_types = [\"parallel\"]}
      ins(%p#1 : tensor<4xi64>) outs(%o : tensor<4xi64>) {
  ^bb0(%x: i64, %z: i64):
    %v = arith.xori %x, %z : i64
    linalg.yield %v : i64
  } -> tensor<4xi64>
  return %r, %s : tensor<4xi64>, tensor<4xi64>
}";
    let numbers = |values: [i64; 4]| -> Datum {
        Tensor { shape: vec![4], data: TensorData::Int(values.to_vec()) }.into()
    };
    let cheap_reading = Fuse { options: FuseOptions { memory_cost: 100, ..FuseOptions::default() } };
    let after = print(&apply(parse(text), vec![Box::new(cheap_reading)]));
    assert_eq!(after.matches("linalg.generic").count(), 2, "{after}");
    same_values(text, &after, &[numbers([3, 1, 4, 1]), numbers([0, 5, 0, 5])]);
}

#[test]
fn effects_are_not_moved() {
    let text = "func.func @main(%m: memref<i64>, %v: i64, %i: index) -> i64 {
  %g = tensor.generate {
  ^bb0(%k: index):
    %p = memref.load %m[] : memref<i64>
    tensor.yield %p : i64
  } : tensor<8xi64>
  memref.store %v, %m[] : memref<i64>
  %a = tensor.extract %g[%i] : tensor<8xi64>
  return %a : i64
}";
    assert_eq!(fused(text), print(&parse(text)));
}

#[test]
fn operation_limit() {
    let text = "func.func @main(%i: index) -> index {
  %g = tensor.generate {
  ^bb0(%k: index):
    %p = arith.muli %k, %k : index
    tensor.yield %p : index
  } : tensor<8xindex>
  %a = tensor.extract %g[%i] : tensor<8xindex>
  return %a : index
}";
    let bounded = Fuse { options: FuseOptions { max_operations: 3, ..FuseOptions::default() } };
    assert_eq!(print(&apply(parse(text), vec![Box::new(bounded)])), print(&parse(text)));
}

/// The cost of memory accesses: zero, so that little is recomputed; the default; and so high that everything is.
const COSTS: [u64; 3] = [0, 4, 1000];

/// A random program over 3 by 3 tensors: each step computes a tensor from previous ones.
fn program(steps: &[(u8, usize, usize)]) -> String {
    let mut text = format!(
        "{MAPS}func.func @main(%t0: tensor<3x3xi64>, %s: i64, %at: index) -> (tensor<3x3xi64>, i64) {{\n"
    );
    let ty = "tensor<3x3xi64>";
    let mut known = 1;
    for &(kind, a, b) in steps {
        // Mostly recent ones, so that there are chains.
        let pick = |n: usize| known - 1 - (n % 4).min(known - 1);
        let (a, b, r) = (pick(a), pick(b), known);
        match kind % 7 {
            0 => writeln!(text, "  %t{r} = arith.addi %t{a}, %t{b} : {ty}"),
            1 => writeln!(text, "  %t{r} = arith.muli %t{a}, %t{b} : {ty}"),
            2 => writeln!(
                text,
                "  %t{r} = tensor.generate {{\n  ^bb0(%i: index, %j: index):\n    %e = tensor.extract %t{a}[%j, %i] : {ty}\n    %n = arith.index_cast %i : index to i64\n    %v = arith.subi %e, %n : i64\n    tensor.yield %v : i64\n  }} : {ty}"
            ),
            3 => writeln!(text, "  %e{r} = tensor.empty() : {ty}\n  %t{r} = linalg.fill ins(%s : i64) outs(%e{r} : {ty}) -> {ty}"),
            4 => writeln!(text, "  %t{r} = tensor.splat %s : {ty}"),
            5 => writeln!(
                text,
                "  %t{r} = linalg.generic {{indexing_maps = [#swap, #none, #id], iterator_types = [\"parallel\", \"parallel\"]}} ins(%t{a}, %s : {ty}, i64) outs(%t{b} : {ty}) {{\n  ^bb0(%x: i64, %k: i64, %o: i64):\n    %d = linalg.index 0 : index\n    %n = arith.index_cast %d : index to i64\n    %p = arith.muli %x, %n : i64\n    %q = arith.subi %p, %k : i64\n    %w = arith.addi %q, %o : i64\n    linalg.yield %w : i64\n  }} -> {ty}"
            ),
            _ => writeln!(
                text,
                "  %t{r} = linalg.generic {{indexing_maps = [#id, #id], iterator_types = [\"parallel\", \"parallel\"]}} ins(%t{a} : {ty}) outs(%t0 : {ty}) {{\n  ^bb0(%x: i64, %o: i64):\n    %w = arith.xori %x, %s : i64\n    linalg.yield %w : i64\n  }} -> {ty}"
            ),
        }
        .expect("a string grows");
        known += 1;
    }
    let last = known - 1;
    writeln!(text, "  %x = tensor.extract %t{}[%at, %at] : {ty}", last.saturating_sub(1))
        .expect("a string grows");
    text + &format!("  return %t{last}, %x : {ty}, i64\n}}\n")
}

proptest! {
    #[test]
    fn random_programs_keep_values(steps in prop::collection::vec((any::<u8>(), 0..8_usize, 0..8_usize), 1..10)) {
        let text = program(&steps);
        let before = parse(&text);
        let args = [input(), Datum::Int(5), Datum::Int(2)];
        let expected = Interpreter::new(&before).call("main", &args).expect("the program runs");
        for memory_cost in COSTS {
            let fuse = Fuse { options: FuseOptions { memory_cost, ..FuseOptions::default() } };
            let after = apply(parse(&text), vec![Box::new(fuse)]);
            let found = Interpreter::new(&after).call("main", &args).expect("the fused program runs");
            for (found, expected) in found.iter().zip(&expected) {
                prop_assert!(found.same(expected), "{found:?} is not {expected:?}\n{text}\n{}", print(&after));
            }
        }
    }
}
