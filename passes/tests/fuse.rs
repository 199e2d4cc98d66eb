//! `fuse` keeps what programs compute, and takes in what it can.

mod common;

use common::{apply, parse, print};
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
fn a_reduction_computes_what_it_reads() {
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

#[test]
fn two_readers_keep_their_producer() {
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
    let before = print(&parse(text));
    assert_eq!(fused(text), before);
    let one = text
        .replace("[%j]", "[%i]")
        .replace("%b = tensor.extract %g[%i] : tensor<8xindex>", "%b = arith.addi %a, %j : index");
    let after = fused(&one);
    assert!(!after.contains("tensor."), "{after}");
}

#[test]
fn what_is_read_several_times_is_computed_once() {
    let text = format!(
        "{MAPS}#mid = affine_map<(d0, d1) -> (d1)>
func.func @main(%a: tensor<3xi64>, %z: tensor<3x3xi64>) -> tensor<3x3xi64> {{
  %b = arith.muli %a, %a : tensor<3xi64>
  %r = linalg.generic {{indexing_maps = [#mid, #id], iterator_types = [\"parallel\", \"parallel\"]}}
      ins(%b : tensor<3xi64>) outs(%z : tensor<3x3xi64>) {{
  ^bb0(%x: i64, %old: i64):
    linalg.yield %x : i64
  }} -> tensor<3x3xi64>
  return %r : tensor<3x3xi64>
}}"
    );
    assert_eq!(fused(&text), print(&parse(&text)));
}

#[test]
fn effects_stay_where_they_are() {
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
fn a_bound_on_operations_is_kept() {
    let text = "func.func @main(%i: index) -> index {
  %g = tensor.generate {
  ^bb0(%k: index):
    %p = arith.muli %k, %k : index
    tensor.yield %p : index
  } : tensor<8xindex>
  %a = tensor.extract %g[%i] : tensor<8xindex>
  return %a : index
}";
    let bounded = Fuse { options: FuseOptions { max_operations: 3 } };
    assert_eq!(print(&apply(parse(text), vec![Box::new(bounded)])), print(&parse(text)));
}

/// A random program over tensors of 3 by 3: each step makes a tensor of those before it.
fn program(steps: &[(u8, usize, usize)]) -> String {
    let mut text = format!(
        "{MAPS}func.func @main(%t0: tensor<3x3xi64>, %s: i64, %at: index) -> (tensor<3x3xi64>, i64) {{\n"
    );
    let ty = "tensor<3x3xi64>";
    let mut known = 1;
    for &(kind, a, b) in steps {
        // Mostly the newest, so that there are chains.
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
    fn random_programs_keep_their_values(steps in prop::collection::vec((any::<u8>(), 0..8_usize, 0..8_usize), 1..10)) {
        let text = program(&steps);
        let (before, after) = (parse(&text), apply(parse(&text), vec![Box::new(Fuse::default())]));
        let args = [input(), Datum::Int(5), Datum::Int(2)];
        let expected = Interpreter::new(&before).call("main", &args).expect("the program runs");
        let found = Interpreter::new(&after).call("main", &args).expect("the fused program runs");
        for (found, expected) in found.iter().zip(&expected) {
            prop_assert!(found.same(expected), "{found:?} is not {expected:?}\n{text}\n{}", print(&after));
        }
    }
}
