//! Names that Rust resolves.
use minoan_ir::constraints::*;
use minoan_ir::op;

/// A trait that does not exist.
#[op("a.b", traits(PUER))]
pub struct NoTrait {}

/// A constraint that does not exist.
#[op("a.c")]
pub struct NoConstraint {
    #[operand(FLOATY)]
    value: Value,
}

/// Of many types.
#[op("a.d")]
pub struct NotFixed {
    #[result(ANY, fixed)]
    result: Value,
}

/// An attribute's constraint on a value.
#[op("a.e")]
pub struct WrongKind {
    #[operand(I64_ATTR)]
    value: Value,
}

fn main() {}
