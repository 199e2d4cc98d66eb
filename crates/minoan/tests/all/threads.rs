//! Reading, verifying and printing give the same results on several threads as on one.

#[path = "../../../../bench/text/generate.rs"]
mod generate;

use minoan::ir::text::{ParseOptions, PrintFlags, parse_module, print_module, print_module_to};
use minoan::ir::verify::verify;
use minoan::{Session, diag::render};

/// Runs with the given number of threads.
fn with_threads<T: Send>(count: usize, run: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(count).build().expect("threads start");
    pool.install(run)
}

/// The text as it is printed again, or what is wrong with it.
fn outcome(text: &str) -> Result<String, String> {
    let session = Session::new();
    let sources = session.sources();
    let file = sources.add("test.mlir", text);
    let module = parse_module(session.context(), sources, file, &ParseOptions::default());
    let module = module.and_then(|module| verify(&module).map(|()| module));
    match module {
        Ok(module) => {
            let printed = print_module(&module, &PrintFlags::default());
            let mut written = Vec::new();
            print_module_to(&module, &PrintFlags::default(), &mut written)
                .expect("a vector takes everything");
            assert_eq!(written, printed.as_bytes(), "both ways to print give the same bytes");
            Ok(printed)
        }
        Err(diagnostics) => Err(diagnostics.iter().map(|error| render(error, sources)).collect()),
    }
}

/// The outcome with one thread, which is that with three.
fn checked(text: &str) -> Result<String, String> {
    let one = with_threads(1, || outcome(text));
    let three = with_threads(3, || outcome(text));
    assert!(one == three, "the outcome depends on the threads");
    one
}

#[test]
fn a_long_module_is_the_same_with_any_number_of_threads() {
    let text = generate::module(30_000);
    let printed = checked(&text).expect("the module is right");
    assert_eq!(printed.lines().count(), text.lines().count());
    assert_eq!(checked(&printed), Ok(printed), "what is printed is read back");
}

#[test]
fn errors_of_a_long_module_are_the_same_with_any_number_of_threads() {
    let text = generate::module(30_000);
    let functions = text.matches("func.func").count();
    // Syntax errors in two functions: from the first one on, one parser reads the module.
    let broken = text.replacen("return", "retrun", 1).replace("@f300(", "@f300 ");
    let message = checked(&broken).expect_err("two errors");
    assert!(message.contains("retrun") && functions > 300, "{message}");
    // Errors that only the verifier finds, in the order of the text.
    let unfit = text.replace("-> i64 {\n    %v1 =", "-> i32 {\n    %v1 =");
    let message = checked(&unfit).expect_err("no function returns what it says");
    assert!(message.matches("doesn't match function result type").count() > 300, "{message}");
}

#[test]
fn symbols_of_a_long_module_are_checked_with_any_number_of_threads() {
    let text = generate::module(30_000);
    let wrong = text.replace("call @f0(", "call @g0(").replace("func.func @f299(", "func.func @f301(");
    assert!(wrong.contains("call @g0("), "somebody calls the first function");
    let message = checked(&wrong).expect_err("a symbol is missing, and one is there twice");
    assert!(message.contains("'g0' does not reference a valid function"), "{message}");
    assert!(message.contains("redefinition of symbol named 'f301'"), "{message}");
}

#[test]
fn how_a_long_module_is_indented_does_not_matter() {
    let text = generate::module(30_000);
    let printed = checked(&text).expect("the module is right");
    // There is no indentation; regions end in the column of functions; functions end after their last operation.
    let flat: String = text.lines().map(|line| format!("{}\n", line.trim_start())).collect();
    let early = text.replace("\n    }", "\n  }");
    let same_line = text.replace("\n  }\n", " }\n");
    for other in [flat, early, same_line] {
        assert!(other != text && checked(&other).as_ref() == Ok(&printed), "the same operations are read");
    }
}

#[test]
fn names_of_a_module_are_seen_in_its_functions() {
    // The constants of the module take names and numbers that its functions go on from.
    let constants = "  %0 = arith.constant 1 : i64\n  %1 = arith.addi %0, %0 : i64\n";
    let text = generate::module(30_000).replacen("module {\n", &format!("module {{\n{constants}"), 1);
    let printed = checked(&text).expect("the module is right");
    assert!(
        printed.contains("  %c1_i64 = arith.constant 1 : i64\n  %0 = arith.addi %c1_i64, %c1_i64 : i64\n")
    );
    assert!(printed.contains("    %c1_i64_0 = arith.constant 1 : i64\n"), "the name is taken");
}
