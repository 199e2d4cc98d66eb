//! Assembly formats that are wrong.

use minoan_ir::constraints::{ANY, I32};
use minoan_ir::op;

/// A name that is not declared.
#[op("toy.name", assembly = "$lhs `,` $rsh attr-dict `:` type($lhs)")]
pub struct Name {
    #[operand(ANY)]
    lhs: Value,
    #[operand(ANY)]
    rhs: Value,
}

/// Punctuation without its quotes.
#[op("toy.quotes", assembly = "$lhs, $rhs attr-dict `:` type($lhs)")]
pub struct Quotes {
    #[operand(ANY)]
    lhs: Value,
    #[operand(ANY)]
    rhs: Value,
}

/// A word without its quotes.
#[op("toy.word", assembly = "$lhs to $rhs attr-dict `:` type($lhs)")]
pub struct Word {
    #[operand(ANY)]
    lhs: Value,
    #[operand(ANY)]
    rhs: Value,
}

/// A group without an anchor.
#[op("toy.anchor", assembly = "(`by` $x `:` type($x))? attr-dict")]
pub struct Anchor {
    #[operand(ANY)]
    x: Option<Value>,
}

/// An anchor outside of a group.
#[op("toy.outside", assembly = "$x^ attr-dict `:` type($x)")]
pub struct Outside {
    #[operand(ANY)]
    x: Value,
}

/// A result is not written.
#[op("toy.result", assembly = "$r attr-dict")]
pub struct WrittenResult {
    #[result(I32)]
    r: Value,
}

/// Nowhere to write attributes.
#[op("toy.dictionary", assembly = "$x `:` type($x)")]
pub struct Dictionary {
    #[operand(ANY)]
    x: Value,
}

/// An operand, a region and a successor without a place.
#[op("toy.operand", assembly = "attr-dict `:` type($x)")]
pub struct Operand {
    #[operand(ANY)]
    x: Value,
}

/// A region without a place.
#[op("toy.region", assembly = "attr-dict")]
pub struct WithRegion {
    #[region]
    body: Region,
}

/// A successor without a place.
#[op("toy.successor", traits(TERMINATOR), assembly = "attr-dict")]
pub struct WithSuccessor {
    #[successor]
    to: Block,
}

/// A parenthesis too few.
#[op("toy.open", assembly = "$x attr-dict `:` type($x")]
pub struct Open {
    #[operand(ANY)]
    x: Value,
}

/// The format does not determine the number of results.
#[op("toy.many", assembly = "$x attr-dict `:` type($x)")]
pub struct Many {
    #[operand(ANY)]
    x: Value,
    #[result(ANY)]
    results: Vec<Value>,
}

fn main() {}
