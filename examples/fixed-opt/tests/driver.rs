//! The driver parses, verifies, canonicalizes, lowers and interprets programs of the dialect.

#[path = "../src/dialect.rs"]
#[allow(dead_code, missing_docs, reason = "the tests use a part of it")]
mod dialect;

use minoan::prelude::*;
use std::process::{Command, Output};

const PROGRAM: &str = "\
module {
  func.func @main() -> !fixed.num<8> {
    %c10 = arith.constant 10 : index
    %0 = fixed.constant 256 : !fixed.num<8>
    %1 = fixed.constant 282 : !fixed.num<8>
    %2 = fixed.repeat %c10, %0 : !fixed.num<8> {
    ^bb0(%arg0: !fixed.num<8>):
      %4 = fixed.mul %arg0, %1 round <nearest> : !fixed.num<8>
      fixed.yield %4 : !fixed.num<8>
    }
    %3 = fixed.mul %2, %0 : !fixed.num<8>
    return %3 : !fixed.num<8>
  }
}
";

fn fixed_opt(program: &str, args: &[&str]) -> Output {
    let folder = tempfile::tempdir().expect("a folder for the program");
    let file = folder.path().join("program.mlir");
    std::fs::write(&file, program).expect("it is writable");
    Command::new(env!("CARGO_BIN_EXE_fixed-opt")).arg(file).args(args).output().expect("it runs")
}

#[test]
fn compiled_code_computes_the_same() {
    let folder = tempfile::tempdir().expect("a folder for the program");
    let file = folder.path().join("program.mlir");
    std::fs::write(&file, PROGRAM).expect("it is writable");
    let output =
        Command::new(env!("CARGO_BIN_EXE_fixed-opt")).arg("run").arg(&file).output().expect("it runs");
    let result = String::from_utf8(output.stdout).expect("it writes UTF-8");
    // 1.1015625 to the tenth power, in units of 1/256.
    assert_eq!(result, "674\n", "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_interpreter_computes_the_same() {
    let mut registry = minoan::registry();
    registry.add(dialect::FixedDialect);
    let ctx = Context::new(registry).expect("every name is declared once");
    let module = minoan::ir::text::parse_text(&ctx, PROGRAM).expect("it is well formed");
    let result = minoan::interp::Interpreter::new(&module).call("main", &[]);
    assert_eq!(result, Ok(vec![Datum::Int(674)]));
}

fn stdout(args: &[&str]) -> String {
    let output = fixed_opt(PROGRAM, args);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("it writes UTF-8")
}

#[test]
fn programs_are_printed_as_written() {
    assert_eq!(stdout(&[]), format!("{PROGRAM}\n"));
}

#[test]
fn a_product_with_one_is_simplified() {
    assert_eq!(stdout(&["--canonicalize"]).matches("fixed.mul").count(), 1);
}

#[test]
fn numbers_become_integers_and_repetitions_loops() {
    let text = stdout(&["--canonicalize", "--lower-fixed"]);
    assert!(!text.contains("fixed.") && !text.contains("unrealized"), "{text}");
    assert!(text.contains("scf.for %arg0 = %c0 to %c10 step %c1 iter_args(%arg1 = "), "{text}");
    assert!(text.contains("func.func @main() -> i32"), "{text}");
}

#[test]
fn errors_name_the_place() {
    let stderr = |program: &str| String::from_utf8(fixed_opt(program, &[]).stderr).expect("it writes UTF-8");
    let text = stderr("func.func private @f(!fixed.num<40>)");
    assert!(text.contains("a number has at most 30 fractional bits, not 40"), "{text}");
    let text = stderr(
        "func.func @f(%x: !fixed.num<8>, %y: !fixed.num<9>) {\n  %0 = fixed.add %x, %y : !fixed.num<8>\n  return\n}",
    );
    assert!(text.contains("program.mlir:2:"), "{text}");
    let of_9_bits = PROGRAM
        .replace("%arg0: !fixed.num<8>", "%arg0: !fixed.num<9>")
        .replace("%arg0, %1 round <nearest> : !fixed.num<8>", "%arg0, %arg0 : !fixed.num<9>")
        .replace("yield %4 : !fixed.num<8>", "yield %4 : !fixed.num<9>");
    let text = stderr(&of_9_bits);
    let expected = "expects arguments of region #0 to be of types '!fixed.num<8>', found '!fixed.num<9>'";
    assert!(text.contains(expected), "{text}");
}
