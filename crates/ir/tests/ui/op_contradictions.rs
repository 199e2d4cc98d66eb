//! Declarations that contradict themselves.
use minoan_ir::op;

/// Groups whose boundary is ambiguous.
#[op("a.groups", same_types(first, thrid), derive(second = element(nothing), "they match"))]
pub struct Groups {
    #[operand(ANY)]
    first: Vec<Value>,
    #[operand(ANY)]
    second: Option<Value>,
    #[result(ANY)]
    third: Vec<Value>,
    #[result(ANY)]
    fourth: Vec<Value>,
}

/// More than one end.
#[op("a.ends", traits(PURE, PURE, SAME_OPERANDS_AND_RESULT), infer = f)]
pub struct Ends {
    #[region]
    first: Vec<Region>,
    #[region]
    second: Region,
    #[successor]
    third: Vec<Block>,
    #[successor]
    fourth: Block,
}

/// Names that are taken.
#[op("a.names", terminator = "a.end")]
pub struct Names {
    #[operand(ANY)]
    op: Value,
    #[attr(ANY_ATTR)]
    build: Attr,
}

/// A constant without its value, groups without a count.
#[op("a.missing", traits(CONSTANT_LIKE, RESULT_SEGMENTS), infer = f)]
pub struct Missing {
    #[attr(ANY_ATTR)]
    val: Attr,
    #[result(ANY)]
    first: Vec<Value>,
    #[result(ANY)]
    second: Vec<Value>,
}

fn main() {}
