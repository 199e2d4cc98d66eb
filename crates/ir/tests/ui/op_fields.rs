//! The fields of an operation.
use minoan_ir::op;

/// Every mistake is reported.
#[op("a.b")]
pub struct Mistakes {
    bare: Value,
    #[operand(ANY)]
    #[result(ANY)]
    both: Value,
    #[operands(ANY)]
    misspelled: Value,
    #[operand]
    unconstrained: Value,
    #[operand(ANY)]
    not_a_value: Attr,
    #[operand(ANY)]
    nested: Vec<Option<Value>>,
    #[operand(ANY, fixed)]
    fixed_operand: Value,
    #[result(ANY, fixed)]
    fixed_many: Vec<Value>,
    #[attr(ANY_ATTR)]
    many: Vec<Attr>,
    #[attr(ANY_ATTR, default = "unit")]
    optional_default: Option<Attr>,
    #[attr(ANY_ATTR, defualt = "unit")]
    misspelled_option: Attr,
    #[region(ANY)]
    constrained: Region,
    #[region]
    maybe: Option<Region>,
    #[successor(non_empty)]
    dest: Block,
}

fn main() {}
