//! Assembly formats that do not say a type, which nothing else says either.

use minoan_ir::constraints::{ANY, I32};
use minoan_ir::op;

/// An operand of any type.
#[op("toy.operand", assembly = "$x attr-dict")]
pub struct Operand {
    #[operand(ANY)]
    x: Value,
}

/// A result of any type.
#[op("toy.result", assembly = "$x attr-dict `:` type($x)")]
pub struct ResultType {
    #[operand(ANY)]
    x: Value,
    #[result(ANY)]
    r: Value,
}

/// Two of one type, which is not written.
#[op("toy.same", same_types(x, y), assembly = "$x `,` $y attr-dict")]
pub struct Same {
    #[operand(ANY)]
    x: Value,
    #[operand(ANY)]
    y: Value,
}

/// One type alone will do.
#[op("toy.only", same_types(x, y, r), assembly = "$x `,` $y attr-dict")]
pub struct Only {
    #[operand(ANY)]
    x: Value,
    #[operand(I32)]
    y: Value,
    #[result(ANY)]
    r: Value,
}

fn main() {}
