//! MLIR's diagnostics are returned with locations and notes.

use minoan_diag::{Diagnostics, LineCol, Place, Severity};
use minoan_llvm::Target;
use minoan_mlir::{Backend, CompileOptions, Entries};

fn errors(text: &str) -> Diagnostics {
    let backend = Backend::new();
    let outcome = backend.parse(text, "bad.mlir").and_then(|mut module| {
        let target = Target::host(&Default::default())?;
        backend.compile(&mut module, &target, &Entries::Jit, &CompileOptions::default())
    });
    outcome.expect_err("it is refused")
}

fn at(line: u32, column: u32) -> Place {
    Place::Point("bad.mlir".into(), LineCol { line, column })
}

#[test]
fn parse_error_has_a_location() {
    let errors = errors("module {\n  func.func @f(%x: i32) -> i32 {\n    return %y : i32\n  }\n}");
    let first = errors.iter().next().expect("there is an error");
    assert_eq!(first.message, "use of undeclared SSA value name");
    assert_eq!(first.place, at(3, 12));
}

#[test]
fn verifier_error_has_a_location() {
    let errors =
        errors("module {\n  func.func @f(%x: i32) -> i64 {\n    \"func.return\"(%x) : (i32) -> ()\n  }\n}");
    let first = errors.iter().next().expect("there is an error");
    assert_eq!(first.severity, Severity::Error);
    assert!(first.message.contains("type of return operand 0 ('i32') doesn't match"), "{first:?}");
    assert_eq!(first.place, at(3, 5));
    assert!(!first.notes.is_empty());
}

#[test]
fn unsupported_lowering_is_named() {
    let text = "module {\n  func.func @f(%i: index) {\n    %b = \"tensor.empty\"() : () -> tensor<4xf32>\n    \
                %r = tensor.extract %b[%i] : tensor<4xf32>\n    func.call @g(%r) : (f32) -> ()\n    return\n  }\n  \
                func.func private @g(f32)\n}";
    let errors = errors(text);
    assert!(errors.has_errors());
    assert!(errors.iter().any(|error| matches!(error.place, Place::Point(..))), "{errors:?}");
}

#[test]
fn unsupported_boundary_type_is_named() {
    let errors = errors("module {\n  func.func @f(%x: tensor<4xf32>) {\n    return\n  }\n}");
    let first = errors.iter().next().expect("there is an error");
    assert_eq!(
        first.message,
        "function 'f' cannot be called from outside: argument 1 is of type tensor<4xf32>, which is not a number, \
         a vector or a ranked memref"
    );
    assert_eq!(first.place, at(2, 3));
}

#[test]
fn malformed_pipeline_is_an_error() {
    let backend = Backend::new();
    let mut module = backend.parse("module {}", "empty.mlir").expect("the module is valid");
    let errors = backend.run_passes(&mut module, "builtin.module(no-such-pass)").expect_err("it is refused");
    let first = errors.iter().next().expect("there is an error");
    assert!(first.message.contains("no-such-pass"), "{first:?}");
}

#[test]
fn invalid_bytecode_is_an_error() {
    for text in ["", "}", "\0\u{1}", "builtin.module", "func.func private @f()"] {
        assert!(Backend::new().parse(text, "bad.mlir").is_err(), "{text:?}");
    }
}
