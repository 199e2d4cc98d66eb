//! Programs that once went wrong on a back end, each named after how.

use minoan::services::{Tensor, TensorData};
use minoan::{Backend, Datum, Failure, Float, Session};

/// Results of `entry` without arguments on every back end.
fn run(text: &str) -> Vec<Result<Vec<Datum>, String>> {
    let _turn = crate::turn();
    let session = Session::new();
    let run = |backend| {
        let program = session.read_text("regression.ks", text)?;
        let entry = session.entry(&program, "entry", Float::F32)?;
        session.run(&entry, &[], backend)
    };
    [Backend::Interpret, Backend::InterpretBuffers, Backend::Jit]
        .map(|backend| run(backend).map_err(|failure: Failure| failure.to_string()))
        .to_vec()
}

#[test]
fn a_buffer_of_negative_size_left_a_loop_that_does_not_run() {
    let text = "
      (def entry Integer ()
        (sumbuild 0 (lam (i : Integer)
          (fold (lam (acc_x : Tuple Integer Bool) (get$1$2 acc_x)) 0 (build (sub 0 1) (lam (j : Integer) false))))))";
    for result in run(text) {
        assert_eq!(result, Ok(vec![Datum::Int(0)]));
    }
}

#[test]
fn sizes_that_differ_for_certain_were_not_compiled() {
    let text = "
      (def entry Integer ()
        (let (v (map2 (lam (xy : Tuple Integer Integer) (add (get$1$2 xy) (get$2$2 xy)))
                      (constVec 2 0) (constVec 1 0)))
          (size v)))";
    for result in run(text) {
        assert_eq!(result, Err("map2 of tensors of different sizes: 2 and 1".to_owned()));
    }
}

/// Runs a function on every back end with copies of the same arguments, and expects no write beyond a block.
fn run_with(file: &str, text: &str, name: &str, args: &[Datum]) -> Vec<Result<Vec<Datum>, String>> {
    let _turn = crate::turn();
    let session = Session::new();
    let program = session.read_text(file, text).expect("the program is valid");
    let entry = session.entry(&program, name, Float::F32).expect("the program lowers");
    let results = [Backend::Interpret, Backend::InterpretBuffers, Backend::Jit]
        .map(|backend| session.run(&entry, args, backend).map_err(|failure| failure.to_string()));
    assert!(minoan_runtime::overrun_blocks().is_empty(), "{text}");
    results.to_vec()
}

fn floats(shape: &[usize], elements: impl IntoIterator<Item = f32>) -> Datum {
    Tensor { shape: shape.to_vec(), data: TensorData::F32(elements.into_iter().collect()) }.into()
}

#[test]
fn a_producer_was_given_the_extents_that_a_later_assertion_checks() {
    let text = "#[version = \"0.0.5\"]
def @main(%a: Tensor[(?, ?), int8], %b: Tensor[(3, 2), int8]) { nn.matmul(%a, %b, units=None, out_dtype=\"int32\") }\n";
    let ints = |shape: &[usize]| {
        let count = shape.iter().product();
        Datum::from(Tensor { shape: shape.to_vec(), data: TensorData::Int(vec![1; count]) })
    };
    for columns in [0, 2, 4, 40] {
        for result in run_with("changed.relay", text, "main", &[ints(&[300, columns]), ints(&[3, 2])]) {
            let message = result.expect_err("the extents differ");
            let problem = "axis 0 of argument 2 has an extent that does not fit";
            assert_eq!(message, format!("nn.matmul: {problem}: expected {columns}, found 3"));
        }
    }
    for result in run_with("changed.relay", text, "main", &[ints(&[2, 3]), ints(&[3, 2])]) {
        assert_eq!(result, Ok(vec![Tensor { shape: vec![2, 2], data: TensorData::Int(vec![3; 4]) }.into()]));
    }
}

/// Functions whose operation reads a tensor that dies in it, at more places than the one that it writes.
const DYING_INPUTS: &str = "
#id = affine_map<(i, j) -> (i, j)>
#swap = affine_map<(i, j) -> (j, i)>
#at = affine_map<(i) -> (i)>
#behind = affine_map<(i) -> (i + 1)>
func.func private @counted(%rows: index, %columns: index) -> tensor<?x?xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %made = tensor.empty(%rows, %columns) : tensor<?x?xf32>
  %all = scf.for %i = %zero to %rows step %one iter_args(%a = %made) -> (tensor<?x?xf32>) {
    %row = scf.for %j = %zero to %columns step %one iter_args(%b = %a) -> (tensor<?x?xf32>) {
      %first = arith.muli %i, %columns : index
      %number = arith.addi %first, %j : index
      %int = arith.index_cast %number : index to i32
      %value = arith.sitofp %int : i32 to f32
      %next = tensor.insert %value into %b[%i, %j] : tensor<?x?xf32>
      scf.yield %next : tensor<?x?xf32>
    }
    scf.yield %row : tensor<?x?xf32>
  }
  return %all : tensor<?x?xf32>
}
func.func @two_maps(%n: index) -> tensor<?x?xf32> {
  %y = call @counted(%n, %n) : (index, index) -> tensor<?x?xf32>
  %e = tensor.empty(%n, %n) : tensor<?x?xf32>
  %r = linalg.generic {indexing_maps = [#id, #swap, #id], iterator_types = [\"parallel\", \"parallel\"]}
      ins(%y, %y : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
func.func @other_map(%n: index) -> tensor<?x?xf32> {
  %y = call @counted(%n, %n) : (index, index) -> tensor<?x?xf32>
  %e = tensor.empty(%n, %n) : tensor<?x?xf32>
  %r = linalg.generic {indexing_maps = [#swap, #id], iterator_types = [\"parallel\", \"parallel\"]}
      ins(%y : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%a: f32, %c: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
func.func @shifted(%n: index) -> tensor<?xf32> {
  %one = arith.constant 1 : index
  %more = arith.addi %n, %one : index
  %y = call @counted(%one, %more) : (index, index) -> tensor<?x?xf32>
  %flat = tensor.collapse_shape %y [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.generic {indexing_maps = [#behind, #at], iterator_types = [\"parallel\"]}
      ins(%flat : tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%a: f32, %c: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func @captured(%n: index) -> tensor<?x?xf32> {
  %zero = arith.constant 0 : index
  %y = call @counted(%n, %n) : (index, index) -> tensor<?x?xf32>
  %e = tensor.empty(%n, %n) : tensor<?x?xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = [\"parallel\", \"parallel\"]}
      ins(%y : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%a: f32, %c: f32):
    %j = linalg.index 1 : index
    %b = tensor.extract %y[%zero, %j] : tensor<?x?xf32>
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
";

#[test]
fn a_dying_input_that_is_read_elsewhere_is_not_overwritten() {
    let n = 5;
    let square = |element: &dyn Fn(usize, usize) -> usize| {
        let all = (0..n * n).map(|at| element(at / n, at % n) as f32);
        floats(&[n, n], all)
    };
    let expected = [
        ("two_maps", square(&|i, j| i * n + j + j * n + i)),
        ("other_map", square(&|i, j| 2 * (j * n + i))),
        ("shifted", floats(&[n], (0..n).map(|i| 2.0 * (i + 1) as f32))),
        ("captured", square(&|i, j| i * n + j + j)),
    ];
    for (name, wanted) in expected {
        for result in run_with("dying.mlir", DYING_INPUTS, name, &[Datum::Int(n as i64)]) {
            assert_eq!(result, Ok(vec![wanted.clone()]), "{name}");
        }
    }
}

#[test]
fn faults_had_other_words_in_machine_code() {
    use minoan::services::{OUT_OF_MEMORY, UNDEFINED_DIVISION};
    use minoan_runtime::Fault;
    assert_eq!(Fault::Division.to_string(), UNDEFINED_DIVISION);
    assert_eq!(Fault::OutOfMemory { bytes: 1, place: None }.to_string(), OUT_OF_MEMORY);
    let text = "func.func @divide(%a: i64, %b: i64) -> i64 {\n  %0 = arith.divsi %a, %b : i64\n  return %0 : i64\n}\n";
    for result in run_with("divide.mlir", text, "divide", &[Datum::Int(1), Datum::Int(0)]) {
        assert_eq!(result, Err(UNDEFINED_DIVISION.to_owned()));
    }
    let text =
        "def @main() -> Tensor[(1099511627776), float32] { zeros(shape=[1099511627776], dtype=\"float32\") }";
    for result in run_with("large.relay", &format!("#[version = \"0.0.5\"]\n{text}\n"), "main", &[]) {
        assert_eq!(result, Err(OUT_OF_MEMORY.to_owned()));
    }
}
