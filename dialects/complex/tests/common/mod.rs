//! Programs of one operation.

use minoan_complex::ComplexDialect;
use minoan_diag::SourceMap;
use minoan_ir::text::{ParseOptions, parse_module};
use minoan_ir::verify::verify;
use minoan_ir::{Context, Module};

/// A context with the dialects of the programs and of expansions.
pub fn ctx() -> Context {
    minoan_testing::context(|registry| {
        registry
            .add(minoan_arith::ArithDialect)
            .add(minoan_builtin::BuiltinDialect)
            .add(minoan_func::FuncDialect)
            .add(minoan_math::MathDialect)
            .add(minoan_scf::ScfDialect)
            .add(ComplexDialect);
    })
}

/// The function `f` that applies an operation to its arguments.
pub fn program(ctx: &Context, name: &str, operands: &[&str], result: &str) -> Module {
    let arguments: Vec<String> =
        operands.iter().enumerate().map(|(at, ty)| format!("%arg{at}: {ty}")).collect();
    let values: Vec<String> = (0..operands.len()).map(|at| format!("%arg{at}")).collect();
    let text = format!(
        "func.func @f({}) -> {result} {{\n  %0 = \"{name}\"({}) : ({}) -> {result}\n  return %0 : {result}\n}}\n",
        arguments.join(", "),
        values.join(", "),
        operands.join(", "),
    );
    let sources = SourceMap::new();
    let file = sources.add("test.mlir", text);
    let module = parse_module(ctx, &sources, file, &ParseOptions::default()).expect("the text is right");
    verify(&module).expect("the module is valid");
    module
}
