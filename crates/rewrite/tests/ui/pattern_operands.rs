use minoan_ir::constraints::ANY;
use minoan_ir::op;
use minoan_rewrite::pattern;

/// An addition.
#[op("toy.add", traits(PURE, SAME_OPERANDS_AND_RESULT), assembly = "$lhs `,` $rhs attr-dict `:` type($result)")]
pub struct Add {
    #[operand(ANY)]
    lhs: Value,
    #[operand(ANY)]
    rhs: Value,
    #[result(ANY)]
    result: Value,
}

fn main() {
    // Too many operands.
    let _ = pattern!("three": Add(x, y, z) => x);
    // An operation that is not there.
    let _ = pattern!("unknown": Sub(x, y) => x);
    // Too few arguments.
    let _ = pattern!("builds": Add(x, y) => Add(x));
}
