//! Texts that once went wrong, each test named after how.

use crate::checks;
use minoan::Session;
use minoan::diag::SourceMap;
use minoan::ir::text::{ParseOptions, PrintFlags, parse_module, parse_type, print_module, print_type};
use minoan::ir::{Attr, Builder, InferInput, OpState, Type};

const OPEN: ParseOptions =
    ParseOptions { allow_unregistered: true, no_implicit_module: false, unverified: false, compiled: false };

/// The generic form with locations of a text that is right.
fn located(text: &str) -> String {
    let session = Session::new();
    let sources = SourceMap::new();
    let file = sources.add("a.mlir", text);
    let module = parse_module(session.context(), &sources, file, &OPEN);
    let flags = PrintFlags { generic: true, debuginfo: true, local_scope: true, ..PrintFlags::default() };
    print_module(&module.unwrap_or_else(|errors| panic!("{errors:?}")), &flags)
}

#[test]
fn the_implied_body_of_a_named_operation_had_the_place_of_the_text() {
    let text = "
func.func @f(%a: tensor<2xf32>, %b: tensor<2xf32>) {
  %0 = linalg.exp ins(%a : tensor<2xf32>) outs(%b : tensor<2xf32>) -> tensor<2xf32>
  return
}";
    let printed = located(text);
    let line = |op: &str| printed.lines().find(|line| line.contains(op)).expect("it is there").to_owned();
    assert!(line("\"math.exp\"").ends_with("(f32) -> f32 loc(unknown)"), "{printed}");
    assert!(line("\"linalg.yield\"").ends_with("loc(unknown)"), "{printed}");
    assert!(printed.contains("-> tensor<2xf32> loc(\"a.mlir\":3:8)"), "{printed}");
    checks::text(text.as_bytes());
}

#[test]
fn a_named_value_beside_a_function_was_released_after_its_text_was_gone() {
    checks::text(b"func.func @f() {\n  return\n}\n%false = arith.constant false\n");
    checks::text(b"%true = arith.constant true\nmodule {\n  %c1 = arith.constant 1 : index\n  func.func @f() {\n    return\n  }\n}\n%c2 = arith.constant 2 : index\n");
}

#[test]
fn a_name_of_a_location_began_with_the_code_of_a_character() {
    let text = "
%0 = arith.constant false loc(\"%c\")
%1 = arith.constant false loc(\"\u{e9}x\")
%2 = arith.constant false loc(\"1a\")
%3 = arith.constant false loc(\" a\")
%4 = arith.constant false loc(\"a%\")";
    let session = Session::new();
    let sources = SourceMap::new();
    let file = sources.add("a.mlir", text);
    let module = parse_module(session.context(), &sources, file, &ParseOptions::default());
    let flags = PrintFlags { name_locs: true, ..PrintFlags::default() };
    let printed = print_module(&module.expect("it is right"), &flags);
    let names: Vec<&str> =
        printed.lines().filter_map(|line| line.trim().split_once(" = ")).map(|it| it.0).collect();
    assert_eq!(names, ["%_25c", "%_C3A9x", "%_1a", "%_a", "%a25"]);
    checks::text(text.as_bytes());
}

#[test]
fn one_index_for_every_dimension_was_printed_and_not_read() {
    checks::text(b"\"t.x\"() {d = sparse<[[0, 0]], [-2.0]> : tensor<1x1xf16>} : () -> ()\n");
    let printed = located("\"t.x\"() {d = sparse<3, -2.0> : tensor<4x4xf16>} : () -> ()");
    assert!(printed.contains("sparse<3, -2.000000e+00> : tensor<4x4xf16>"), "{printed}");
}

#[test]
fn an_unknown_operation_stood_for_the_terminator_that_the_text_leaves_out() {
    let text = "func.func @f(%c: i1) {\n  scf.if %c {\n    \"d.x\"() : () -> ()\n  }\n  return\n}\n";
    let printed = located(text);
    assert!(printed.contains("\"scf.yield\"() : () -> ()"), "{printed}");
    checks::text(text.as_bytes());
}

#[test]
fn an_integer_of_63_bits_was_wrapped_with_an_overflow() {
    checks::text(b"\"d.x\"() {a = -1 : i63, b = 4611686018427387903 : i63, c = 9223372036854775807 : ui63} : () -> ()\n");
}

#[test]
fn an_operation_used_what_its_own_region_defines() {
    let session = Session::new();
    let sources = SourceMap::new();
    let text = "func.func @f() {\n  scf.if %c {\n    %c = arith.constant true\n  }\n  return\n}\n";
    let file = sources.add("a.mlir", text);
    let errors =
        parse_module(session.context(), &sources, file, &OPEN).map(drop).expect_err("it is not there yet");
    let shown: String = errors.iter().map(|error| minoan::diag::render(error, &sources)).collect();
    assert!(shown.contains("operand #0 is defined inside the operation that uses it"), "{shown}");
    assert!(shown.contains("a.mlir:2:3"), "{shown}");
}

#[test]
fn the_result_of_the_next_operation_was_taken_for_an_operand() {
    let text = "func.func @f(%x: i64) {\n  %0 = knossos.print\n  %1 = arith.addi %x, %0 : i64\n  return\n}\n";
    let printed = located(text);
    assert!(printed.contains("\"arith.addi\"(%arg0, %0)"), "{printed}");
    checks::text(text.as_bytes());
    // The same where the parser of the operation is written by hand.
    let text = "vector.print\n%0:2 = \"a.b\"() : () -> (i1, i1)\nvector.print\n%1, %2 = \"a.b\"() : () -> (i1, i1)\n";
    let printed = located(text);
    assert_eq!(printed.matches("\"vector.print\"()").count(), 2, "{printed}");
    checks::text(text.as_bytes());
}

#[test]
fn an_error_cut_a_character_of_several_bytes_in_two() {
    let text = "\
#m = affine_map<(d0) -> (d0)>
func.func @f(%a: memref<4x?xf32, 1>, %b: vector<[4]xi1>) -> (i32, tuple<f32>) attributes {s = \"x\", n = -1 : i8} {
^bb0:
  %0:2 = \"x.y\"(%a)[^bb0] <{k = dense<[1, 2]> : tensor<2xi8>}> ({}) : (i32) -> (i32, i32) loc(\"a\":1:2)
  cf.cond_br %b, ^bb0, ^bb0
}";
    for end in 0..=text.len() {
        for tail in ["\u{e9}", "@\u{e9}", ".\u{e9}", "%\u{e9}", "\"\u{e9}", "\u{e9} x"] {
            checks::text(format!("{}{tail}", &text[..end]).as_bytes());
        }
    }
}

#[test]
fn a_loop_without_an_induction_variable_was_a_panic() {
    let text = "
func.func @f(%a: index) {
  \"scf.for\"(%a, %a, %a) ({
  ^bb0:
    scf.yield
  }) : (index, index, index) -> ()
  return
}";
    checks::text(text.as_bytes());
}

/// `knossos.const_vec` of a tuple had a tensor of tuples as its type, which no text says.
#[test]
fn a_type_was_inferred_that_cannot_be_read() {
    let session = Session::new();
    let ctx = session.context();
    let samples = [
        "i1",
        "i64",
        "f32",
        "index",
        "none",
        "tuple<>",
        "tuple<i64, i64>",
        "() -> ()",
        "!d.t",
        "complex<f32>",
        "tensor<f32>",
        "tensor<?x3xf32>",
        "tensor<*xf32>",
        "tensor<0xindex>",
        "memref<f32>",
        "memref<?xi1>",
        "memref<*xf32>",
        "vector<f32>",
        "vector<4xi32>",
        "vector<[4]xindex>",
    ];
    let samples = samples.map(|text| parse_type(ctx, text).expect("the list has types"));
    let lists = std::iter::once(Vec::new()).chain(samples.iter().flat_map(|&a| {
        let pairs = samples.iter().flat_map(move |&b| [vec![a, b], vec![a, b, b]]);
        std::iter::once(vec![a]).chain(pairs)
    }));
    let lists: Vec<Vec<Type>> = lists.collect();
    let mut inferred = 0;
    for spec in ctx.registered_kinds().filter_map(|kind| ctx.spec(kind)) {
        for operands in &lists {
            let input = InferInput { ctx, operands, props: Attr::EMPTY };
            let Some(Ok(types)) = spec.infer_types(&input) else { continue };
            for ty in types {
                let text = print_type(ctx, ty);
                assert_eq!(parse_type(ctx, &text), Ok(ty), "'{}' of {operands:?}: {text}", spec.name);
                inferred += 1;
            }
        }
    }
    assert!(inferred > 1000, "many operations say their types: {inferred}");
}

#[test]
fn an_index_in_a_generic_operation_without_maps_panicked() {
    checks::text(
        b"\"builtin.module\"() ({
  %0 = \"tensor.empty\"() : () -> tensor<4xf32>
  %1 = \"linalg.generic\"(%0) <{iterator_types = [], operandSegmentSizes = array<i32: 0, 1>}> ({
  ^bb0(%a: f32):
    %2 = \"linalg.index\"() <{dim = 0 : i64}> : () -> index
    \"linalg.yield\"(%a) : (f32) -> ()
  }) : (tensor<4xf32>) -> tensor<4xf32>
}) : () -> ()
",
    );
}

#[test]
fn the_generic_form_of_a_function_without_regions_inside_a_function_panicked() {
    let session = Session::new();
    let sources = SourceMap::new();
    let file = sources.add("a.mlir", "func.func @f(%a: i32) { return }");
    let mut module = parse_module(session.context(), &sources, file, &OPEN).expect("it is right");
    let func = module.body().block(module.block()).first().expect("a function");
    let body = module.body_mut().nested_mut(func).expect("it owns its body");
    let end = body.walk()[0];
    Builder::before(body, end).create(OpState::named(session.context(), "func.func"));
    let printed = print_module(&module, &PrintFlags { generic: true, ..PrintFlags::default() });
    assert!(printed.contains("    \"func.func\"() : () -> ()\n"), "{printed}");
}
