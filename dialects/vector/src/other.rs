//! What is left: numbers in order, the size of scalable vectors, printing, and the end of regions.

use crate::assembly;
use crate::constraints::{LITERAL, PRINTABLE, PUNCTUATION, STEPS};
use crate::rules::{require, verifiers};
use minoan_ir::constraints::{ANY, INDEX};
use minoan_ir::op;

/// The numbers from zero up: `vector.step : vector<4xindex>` is `[0, 1, 2, 3]`.
#[op("vector.step", traits(PURE), assembly = "attr-dict `:` type($result)")]
pub struct Step {
    /// The numbers.
    #[result(STEPS)]
    result: Value,
}

/// What the extents of scalable vectors are multiplied by on the machine.
#[op("vector.vscale", traits(PURE), assembly = "attr-dict")]
pub struct VScale {
    /// The factor.
    #[result(INDEX, fixed)]
    res: Value,
}

/// Prints a value or a text, for people who look for mistakes.
#[op(
    "vector.print",
    assembly = custom(assembly::parse_print, assembly::print_print),
    verify = verify_print
)]
pub struct Print {
    /// The value.
    #[operand(PRINTABLE)]
    source: Option<Value>,
    /// What is printed behind it.
    #[attr(PUNCTUATION, default = "#vector.punctuation<newline>")]
    punctuation: Attr,
    /// The text.
    #[attr(LITERAL, name = "stringLiteral")]
    string_literal: Option<Attr>,
}

/// The results of a region.
#[op(
    "vector.yield",
    traits(PURE, RETURN_LIKE, TERMINATOR),
    assembly = "attr-dict ($operands^ `:` type($operands))?"
)]
pub struct Yield {
    /// One for each result of the operation around it.
    #[operand(ANY, name = "operands")]
    values: Vec<Value>,
}

verifiers! {
    verify_print = |op| {
        let ctx = op.context();
        let newline = Some(minoan_ir::Attr::opaque(ctx, "vector", ".punctuation<newline>"));
        let plain = op.n_operands() == 0 && [None, newline].contains(&op.attr_named("punctuation"));
        require(
            plain || op.attr_named("stringLiteral").is_none(),
            "failed to verify that `source` or `punctuation` are not set when printing strings",
        )
    };
}
