//! `vector.step`, `vector.vscale`, `vector.print` and `vector.yield`.

use crate::attributes::Punctuation;
use crate::constraints::{LITERAL, PRINTABLE, STEPS};
use crate::rules::{require, verifiers};
use crate::{assembly, evaluate};
use minoan_ir::constraints::{ANY, INDEX};
use minoan_ir::op;
use minoan_ir::text::AsmNames;
use minoan_memref::Named;
use minoan_services::{Declared, EffectSet, Effects, Evaluate, EvaluateFn, Generate};

/// The sequence of integers from zero: `vector.step : vector<4xindex>` is `[0, 1, 2, 3]`.
#[op(
    "vector.step",
    traits(PURE),
    assembly = "attr-dict `:` type($result)",
    services(Evaluate = EvaluateFn(evaluate::elements::step), Generate = Declared::new())
)]
pub struct Step {
    /// The sequence.
    result: OpResult<STEPS>,
}

/// The runtime factor of scalable vector extents.
#[op("vector.vscale", traits(PURE), assembly = "attr-dict", services(AsmNames = Named("vscale")))]
pub struct VScale {
    /// The factor.
    #[result(INDEX, fixed)]
    res: Value,
}

/// Prints a number, a vector or a string to standard output: `( 1, 2.5 )`. Floats have six significant digits.
#[op(
    "vector.print",
    assembly = custom(assembly::parse_print, assembly::print_print),
    verify = verify_print,
    services(Evaluate = EvaluateFn(evaluate::print::print), Effects = EffectSet::OUTSIDE)
)]
pub struct Print {
    /// The value.
    source: Option<Operand<PRINTABLE>>,
    /// The punctuation after the value.
    #[attr(default = Punctuation::Newline)]
    punctuation: Punctuation,
    /// The string.
    #[attr(LITERAL, name = "stringLiteral")]
    string_literal: Option<String>,
}

/// Terminates a region with its results.
#[op(
    "vector.yield",
    traits(PURE, RETURN_LIKE, TERMINATOR),
    assembly = "attr-dict ($operands^ `:` type($operands))?",
    services(Evaluate = EvaluateFn(evaluate::mask::yields))
)]
pub struct Yield {
    /// One value per result of the enclosing operation.
    #[operand(ANY, name = "operands")]
    values: Vec<Value>,
}

verifiers! {
    verify_print = |op| {
        let punctuation = op.attr_value::<Punctuation>("punctuation").unwrap_or(Punctuation::Newline);
        let plain = op.n_operands() == 0 && punctuation == Punctuation::Newline;
        require(
            plain || op.attr_named("stringLiteral").is_none(),
            "failed to verify that `source` or `punctuation` are not set when printing strings",
        )
    };
}
