//! MLIR programs on tensors of random extents, with random indices: every back end gives the same result, or stops with the same
//! error.

use minoan::services::Datum;
use minoan::{Backend, Entry, Failure, Float, Session};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestError, TestRunner};
use serde_json::{Value as Json, json};

/// An argument of a program.
enum Argument {
    /// A tensor of small integers. An extent is a digit, or a letter that stands for the same number in all arguments, mostly.
    Tensor(&'static str),
    /// A tensor of indices with this extent, each mostly below 3.
    Indices(usize),
    /// A number, mostly below 4, and sometimes negative or huge.
    Index,
    /// A number that is mostly the one that a letter stands for.
    Extent(char),
}

use Argument::{Extent, Index, Indices, Tensor};

/// Functions, each with its arguments.
const PROGRAMS: &[(&str, &[Argument])] = &[
    (
        "func.func @f(%a: tensor<?xf32>, %i: index) -> f32 {
          %r = tensor.extract %a[%i] : tensor<?xf32>
          return %r : f32
        }",
        &[Tensor("n"), Index],
    ),
    (
        "func.func @f(%x: f32, %a: tensor<?x3xf32>, %i: index, %j: index) -> tensor<?x3xf32> {
          %r = tensor.insert %x into %a[%i, %j] : tensor<?x3xf32>
          return %r : tensor<?x3xf32>
        }",
        &[Tensor(""), Tensor("n3"), Index, Index],
    ),
    (
        "func.func @f(%a: tensor<?xf32>, %o: index, %n: index, %s: index) -> tensor<?xf32> {
          %r = tensor.extract_slice %a[%o] [%n] [%s] : tensor<?xf32> to tensor<?xf32>
          return %r : tensor<?xf32>
        }",
        &[Tensor("n"), Index, Index, Index],
    ),
    (
        "func.func @f(%p: tensor<?xf32>, %a: tensor<?x4xf32>, %o: index, %n: index) -> tensor<?x4xf32> {
          %r = tensor.insert_slice %p into %a[%o, 0] [1, %n] [1, 1] : tensor<?xf32> into tensor<?x4xf32>
          return %r : tensor<?x4xf32>
        }",
        &[Tensor("n"), Tensor("m4"), Index, Extent('n')],
    ),
    (
        "func.func @f(%p: tensor<?xf32>, %a: tensor<?x4xf32>, %o: index, %m: index, %n: index) -> tensor<?x4xf32> {
          %r = scf.forall (%i) in (%m) shared_outs(%x = %a) -> (tensor<?x4xf32>) {
            %k = arith.addi %i, %o : index
            scf.forall.in_parallel {
              tensor.parallel_insert_slice %p into %x[%k, 0] [1, %n] [1, 1] : tensor<?xf32> into tensor<?x4xf32>
            }
          }
          return %r : tensor<?x4xf32>
        }",
        &[Tensor("n"), Tensor("m4"), Index, Extent('m'), Extent('n')],
    ),
    (
        "func.func @f(%a: tensor<?xf32>, %l: index, %h: index) -> tensor<?xf32> {
          %z = arith.constant 9.0 : f32
          %r = tensor.pad %a low[%l] high[%h] {
          ^bb0(%i: index):
            tensor.yield %z : f32
          } : tensor<?xf32> to tensor<?xf32>
          return %r : tensor<?xf32>
        }",
        &[Tensor("n"), Extent('m'), Extent('k')],
    ),
    (
        "func.func @f(%a: tensor<?xf32>, %l: index) -> tensor<4xf32> {
          %z = arith.constant 9.0 : f32
          %r = tensor.pad %a low[%l] high[1] {
          ^bb0(%i: index):
            tensor.yield %z : f32
          } : tensor<?xf32> to tensor<4xf32>
          return %r : tensor<4xf32>
        }",
        &[Tensor("n"), Index],
    ),
    (
        "func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x3xf32> {
          %r = tensor.concat dim(0) %a, %b : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x3xf32>
          return %r : tensor<?x3xf32>
        }",
        &[Tensor("n3"), Tensor("m3")],
    ),
    (
        "func.func @f(%a: tensor<?x2xf32>, %n: index, %m: index) -> tensor<?x?x2xf32> {
          %r = tensor.expand_shape %a [[0, 1], [2]] output_shape [%n, %m, 2] : tensor<?x2xf32> into tensor<?x?x2xf32>
          return %r : tensor<?x?x2xf32>
        }",
        &[Tensor("n2"), Extent('n'), Index],
    ),
    (
        "func.func @f(%a: tensor<?xf32>, %s: tensor<2xindex>) -> tensor<?x2xf32> {
          %r = tensor.reshape %a(%s) : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x2xf32>
          return %r : tensor<?x2xf32>
        }",
        &[Tensor("n"), Indices(2)],
    ),
    (
        "func.func @f(%a: tensor<?x?xf32>) -> tensor<2x?xf32> {
          %r = tensor.cast %a : tensor<?x?xf32> to tensor<2x?xf32>
          return %r : tensor<2x?xf32>
        }",
        &[Tensor("nm")],
    ),
    (
        "func.func @f(%n: index) -> tensor<?x2xf32> {
          %r = tensor.generate %n {
          ^bb0(%i: index, %j: index):
            %s = arith.addi %i, %j : index
            %k = arith.index_cast %s : index to i32
            %x = arith.sitofp %k : i32 to f32
            tensor.yield %x : f32
          } : tensor<?x2xf32>
          return %r : tensor<?x2xf32>
        }",
        &[Extent('n')],
    ),
    (
        "func.func @f(%t: tensor<?x2xf32>, %at: tensor<3x1xindex>) -> tensor<3x2xf32> {
          %r = tensor.gather %t[%at] gather_dims([0]) : (tensor<?x2xf32>, tensor<3x1xindex>) -> tensor<3x2xf32>
          return %r : tensor<3x2xf32>
        }",
        &[Tensor("n2"), Indices(3)],
    ),
    (
        "func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
          %r = linalg.sub ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%b : tensor<?x?xf32>) -> tensor<?x?xf32>
          %s = linalg.mul ins(%a, %r : tensor<?x?xf32>, tensor<?x?xf32>) outs(%a : tensor<?x?xf32>) -> tensor<?x?xf32>
          return %s : tensor<?x?xf32>
        }",
        &[Tensor("nm"), Tensor("nm")],
    ),
    (
        "func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x3xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
          %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x3xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
          return %r : tensor<?x?xf32>
        }",
        &[Tensor("nm"), Tensor("m3"), Tensor("n3")],
    ),
    (
        "func.func @f(%x: tensor<?xf32>, %k: tensor<?xf32>, %o: tensor<?xf32>) -> tensor<?xf32> {
          %r = linalg.conv_1d ins(%x, %k : tensor<?xf32>, tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
          return %r : tensor<?xf32>
        }",
        &[Tensor("4"), Tensor("n"), Tensor("m")],
    ),
    (
        "func.func @f(%a: tensor<?x?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
          %r = linalg.reduce ins(%a : tensor<?x?xf32>) outs(%b : tensor<?xf32>) dimensions = [0]
            (%x: f32, %y: f32) {
              %s = arith.addf %x, %y : f32
              linalg.yield %s : f32
            }
          return %r : tensor<?xf32>
        }",
        &[Tensor("nm"), Tensor("m")],
    ),
    (
        "func.func @f(%a: tensor<?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
          %r = linalg.broadcast ins(%a : tensor<?xf32>) outs(%b : tensor<?x?xf32>) dimensions = [1]
          return %r : tensor<?x?xf32>
        }",
        &[Tensor("n"), Tensor("nm")],
    ),
    // The loop reads a window of the tensor, whose bounds are checked before it.
    (
        "func.func @f(%a: tensor<?xf32>, %o: index, %n: index) -> f32 {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %z = arith.constant 0.0 : f32
          %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %z) -> f32 {
            %k = arith.addi %i, %o : index
            %x = tensor.extract %a[%k] : tensor<?xf32>
            %next = arith.addf %sum, %x : f32
            scf.yield %next : f32
          }
          return %r : f32
        }",
        &[Tensor("n"), Index, Extent('n')],
    ),
];

/// Decisions from a list of numbers; zeros after its end.
struct Choices<'a>(std::slice::Iter<'a, u16>);

impl Choices<'_> {
    fn below(&mut self, bound: usize) -> usize {
        usize::from(*self.0.next().unwrap_or(&0)) % bound
    }

    /// A number that is mostly `usual`.
    fn index(&mut self, usual: usize) -> i64 {
        const RARE: [i64; 9] = [-1, 0, 1, 2, 3, 5, 1 << 40, -(1 << 40), 1 << 62];
        if self.below(4) == 0 { RARE[self.below(RARE.len())] } else { usual as i64 }
    }

    fn arguments(&mut self, arguments: &[Argument]) -> Json {
        let letters: Vec<(char, usize)> = "nmk".chars().map(|letter| (letter, 1 + self.below(3))).collect();
        let known =
            |letter: char| letters.iter().find(|(name, _)| *name == letter).map(|(_, extent)| *extent);
        let mut found = Vec::new();
        for argument in arguments {
            found.push(match *argument {
                Tensor(extents) => {
                    let mut shape = Vec::new();
                    for extent in extents.chars() {
                        let usual =
                            extent.to_digit(10).map_or_else(|| known(extent).unwrap_or(1), |it| it as usize);
                        let changes = extent.is_alphabetic() && self.below(8) == 0;
                        shape.push(if changes { 1 + self.below(4) } else { usual });
                    }
                    self.tensor(&shape)
                }
                Indices(2) => json!([self.index(2), self.index(2)]),
                Indices(extent) => Json::Array(
                    (0..extent)
                        .map(|_| {
                            let usual = self.below(3);
                            json!([self.index(usual)])
                        })
                        .collect(),
                ),
                Index => {
                    let usual = self.below(4);
                    json!(self.index(usual))
                }
                Extent(letter) => json!(self.index(known(letter).unwrap_or(1))),
            });
        }
        Json::Array(found)
    }

    fn tensor(&mut self, shape: &[usize]) -> Json {
        match shape.split_first() {
            None => json!(self.below(9) as f64 - 4.0),
            Some((&extent, rest)) => (0..extent).map(|_| self.tensor(rest)).collect(),
        }
    }
}

/// The result of a call as text, or the message.
fn shown(entry: &Entry, result: Result<Vec<Datum>, Failure>) -> String {
    result.map_or_else(|failure| failure.to_string(), |result| entry.interface.result_text(&result))
}

#[test]
fn back_ends_agree_on_extents_and_indices() {
    let _turn = crate::turn();
    let session = Session::new();
    let cases: u32 =
        std::env::var("MINOAN_RANDOM_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(24);
    let (mut failed, mut succeeded) = (0, 0);
    for (text, arguments) in PROGRAMS {
        let program = session.read_text("f.mlir", text).unwrap_or_else(|failure| panic!("{failure}\n{text}"));
        let entry = session.entry(&program, "f", Float::F32);
        let entry = entry.unwrap_or_else(|failure| panic!("{failure}\n{text}"));
        let buffers = session.prepare(&entry, Backend::InterpretBuffers).expect("it is bufferized");
        let loaded = session.load(&entry).unwrap_or_else(|failure| panic!("{failure}\n{text}"));
        let config = Config { cases, failure_persistence: None, ..Config::default() };
        let outcomes = std::cell::RefCell::new([0, 0]);
        let outcome = TestRunner::new(config).run(&proptest::collection::vec(any::<u16>(), 40), |numbers| {
            let json = Choices(numbers.iter()).arguments(arguments);
            let args = entry.interface.parse_args(&json);
            let args = args.map_err(|failure| TestCaseError::fail(format!("{failure}\n{text}\n{json}")))?;
            let oracle = session.run(&entry, &args, Backend::Interpret);
            outcomes.borrow_mut()[usize::from(oracle.is_err())] += 1;
            let oracle = shown(&entry, oracle);
            for (back_end, found) in [
                ("buffers", shown(&entry, buffers.call(&args))),
                ("machine", shown(&entry, loaded.call(&args))),
            ] {
                if found != oracle {
                    let case = format!("{text}\narguments {json}");
                    return Err(TestCaseError::fail(format!(
                        "{case}\nexpected {oracle}\n{back_end} {found}"
                    )));
                }
            }
            Ok(())
        });
        match outcome {
            Ok(()) => {}
            Err(TestError::Fail(difference, _)) => panic!("{difference}"),
            Err(error) => panic!("{error}"),
        }
        let [good, bad] = outcomes.into_inner();
        (succeeded, failed) = (succeeded + good, failed + bad);
    }
    assert!(succeeded > 60 && failed > 60, "{succeeded} runs succeeded, {failed} failed");
}
