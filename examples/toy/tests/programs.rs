//! Programs run on all back ends with one result, and passes do to the dialect what the chapters say.

use minoan::diag::{SourceMap, render};
use minoan::ir::Module;
use minoan::ir::text::{PrintFlags, parse_text, print_module};
use minoan::ir::verify::verify;
use minoan::pass::{PassManager, Pipeline};
use minoan::{Backend, Datum, Failure, Float, Session};
use serde_json::{Value, json};

fn shown(session: &Session, failure: &Failure) -> String {
    failure.diagnostics.iter().map(|error| render(error, session.sources())).collect()
}

/// The result of `main`, which is the same on all back ends.
fn run(text: &str, args: &Value) -> Result<String, String> {
    let session = toy::language::session();
    let results = [Backend::Interpret, Backend::InterpretBuffers, Backend::Jit].map(|backend| {
        let result = || -> Result<String, Failure> {
            let program = session.read_text("test.toy", text)?;
            let entry = session.entry(&program, "main", Float::F64)?;
            let args: Vec<Datum> = entry.interface.parse_args(args)?;
            Ok(entry.interface.result_text(&session.run(&entry, &args, backend)?))
        };
        result().map_err(|failure| shown(&session, &failure))
    });
    let [first, second, third] = results;
    assert_eq!((&first, &first), (&second, &third));
    first
}

/// A module of the dialect after some passes.
fn passed(text: &str, passes: &str) -> (Module, String) {
    let ctx = minoan::ir::Context::new(toy::registry()).expect("every name is declared once");
    let mut module = parse_text(&ctx, text).expect("the text is valid");
    verify(&module).expect("the module is valid");
    let pipeline = Pipeline::parse(&format!("builtin.module({passes})"), &toy::passes(), &SourceMap::new());
    PassManager::new(&pipeline.expect("the passes are known"))
        .run(&mut module)
        .into_result()
        .expect("they succeed");
    let text = print_module(&module, &PrintFlags::default());
    (module, text)
}

#[test]
fn the_examples_run() {
    let layer = include_str!("../programs/layer.toy");
    assert_eq!(run(layer, &json!([[[1, 1]]])), Ok("[[3.5, 7.5, 0]]".to_owned()));
    let stats = include_str!("../programs/stats.toy");
    assert_eq!(run(stats, &json!([[[1, 2], [3, 4]]])), Ok("[[50]]".to_owned()));
}

#[test]
fn operators_compute() {
    let main = |body: &str| {
        run(&format!("def main(x, y) {{ return {body}; }}"), &json!([[[1, 2], [3, 4]], [[5, 6], [7, 8]]]))
    };
    assert_eq!(main("x + y * y"), Ok("[[26, 38], [52, 68]]".to_owned()));
    assert_eq!(main("x @ y"), Ok("[[19, 22], [43, 50]]".to_owned()));
    assert_eq!(main("transpose(x)"), Ok("[[1, 3], [2, 4]]".to_owned()));
    assert_eq!(main("(max(x), sum(y)).1"), Ok("[[26]]".to_owned()));
    assert_eq!(main("each (v in x) v * v + 1"), Ok("[[2, 5], [10, 17]]".to_owned()));
}

#[test]
fn errors_point_into_the_source() {
    let error = |text: &str| run(text, &json!([])).expect_err("the program is wrong");
    let text = error("def main() {\n  var a = [[1, 2]];\n  return a @ a;\n}");
    assert!(text.contains("this expression multiplies 2 columns with 1 rows"), "{text}");
    assert!(text.contains("test.toy:3:10"), "{text}");
    let text = error("def main() { return transpse([[1]]); }");
    assert!(
        text.contains("unknown function 'transpse'") && text.contains("did you mean 'transpose'?"),
        "{text}"
    );
    let text = error("def main() { var r = ([[1]], [[2]]); return r + r; }");
    assert!(text.contains("expected a matrix, found a record"), "{text}");
    let text = error("def main() { return each (v in [[1]]) w; }");
    assert!(text.contains("expected a number inside of 'each': 'v'"), "{text}");
    let text = error(&format!("def main() {{ return {}1; }}", "(".repeat(100_000)));
    assert!(text.contains("nesting deeper than 200 levels"), "{text}");
    let text = error("def main() { return [[1, 2], [3]]; }");
    assert!(text.contains("expected rows of 2 numbers, found one of 1"), "{text}");
}

#[test]
fn extents_that_disagree_at_run_time_are_faults() {
    let text = "def main(x, y) {\n  return x @ y;\n}";
    let fault = run(text, &json!([[[1, 2]], [[1, 2]]])).expect_err("the extents disagree");
    assert!(fault.contains(toy::lower::PRODUCT) && fault.contains("test.toy:2:10"), "{fault}");
}

#[test]
fn shapes_pass_through_functions_and_regions() {
    let text = "
func.func private @square(%x: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %0 = toy.transpose %x : (tensor<?x?xf64>) -> tensor<?x?xf64>
  %1 = toy.matmul %x, %0 : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  %2 = toy.each %1 : tensor<?x?xf64> {
  ^bb0(%v: f64):
    toy.yield %v
  }
  return %2 : tensor<?x?xf64>
}
func.func @main(%x: tensor<2x3xf64>) -> tensor<?x?xf64> {
  %0 = tensor.cast %x : tensor<2x3xf64> to tensor<?x?xf64>
  %1 = call @square(%0) : (tensor<?x?xf64>) -> tensor<?x?xf64>
  return %1 : tensor<?x?xf64>
}";
    let (module, text) = passed(text, "infer-shapes,canonicalize");
    verify(&module).expect("the module is valid");
    assert!(text.contains("toy.transpose %arg0 : (tensor<2x3xf64>) -> tensor<3x2xf64>"), "{text}");
    assert!(text.contains("toy.each %1 : tensor<2x2xf64>"), "{text}");
}

#[test]
fn patterns_and_folds_simplify() {
    let text = "
func.func @f(%x: tensor<2x3xf64>, %y: tensor<1x1xf64>) -> tensor<2x3xf64> {
  %0 = toy.transpose %x : (tensor<2x3xf64>) -> tensor<3x2xf64>
  %1 = toy.transpose %0 : (tensor<3x2xf64>) -> tensor<2x3xf64>
  %2 = toy.pack %y, %1 : tensor<1x1xf64>, tensor<2x3xf64>
  %3 = toy.field %2[1] : !toy.record<tensor<1x1xf64>, tensor<2x3xf64>>
  return %3 : tensor<2x3xf64>
}";
    let (_, text) = passed(text, "canonicalize");
    assert!(!text.contains("toy."), "{text}");
}

#[test]
fn products_are_ordered_by_cost() {
    let text = "
func.func @f(%a: tensor<9x9xf64>, %b: tensor<9x9xf64>, %x: tensor<9x1xf64>) -> tensor<9x1xf64> {
  %0 = toy.matmul %a, %b : (tensor<9x9xf64>, tensor<9x9xf64>) -> tensor<9x9xf64>
  %1 = toy.matmul %0, %x : (tensor<9x9xf64>, tensor<9x1xf64>) -> tensor<9x1xf64>
  return %1 : tensor<9x1xf64>
}";
    let (_, text) = passed(text, "order-products");
    assert!(text.contains("%0 = toy.matmul %arg1, %arg2 : (tensor<9x9xf64>, tensor<9x1xf64>)"), "{text}");
}

#[test]
fn invalid_modules_are_rejected() {
    let ctx = minoan::ir::Context::new(toy::registry()).expect("every name is declared once");
    let errors = |text: &str| match parse_text(&ctx, text) {
        Err(errors) => errors.to_string(),
        Ok(module) => verify(&module).expect_err("the module is invalid").to_string(),
    };
    let text = errors(
        "func.func @f(%a: tensor<2x3xf64>) {
          %0 = toy.matmul %a, %a : (tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
          return
        }",
    );
    assert!(text.contains("multiplies 3 columns with 2 rows"), "{text}");
    assert!(
        errors("func.func private @f(!toy.record<i32>)").contains("a field of a record is a matrix, not i32")
    );
    let text = errors(
        "func.func @f(%r: !toy.record<tensor<1x1xf64>>) {
          %0 = toy.field %r[1] : !toy.record<tensor<1x1xf64>>
          return
        }",
    );
    assert!(text.contains("takes field 1 of 1"), "{text}");
}

#[test]
fn lowered_records_are_their_fields() {
    let text = "
func.func @f(%r: !toy.record<tensor<1x2xf64>, tensor<2x1xf64>>) -> tensor<2x1xf64> {
  %0 = toy.field %r[1] : !toy.record<tensor<1x2xf64>, tensor<2x1xf64>>
  return %0 : tensor<2x1xf64>
}";
    let (_, text) = passed(text, "lower");
    // The attributes say that both arguments are components of the first one of the source.
    let first = "%arg0: tensor<1x2xf64> {minoan.index_path = [0, 0]}";
    let second = "%arg1: tensor<2x1xf64> {minoan.index_path = [0, 1]}";
    assert!(text.contains(&format!("func.func @f({first}, {second})")), "{text}");
    assert!(text.contains("return %arg1"), "{text}");
}
