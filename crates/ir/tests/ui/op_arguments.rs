//! The arguments of `#[op]`.
use minoan_ir::op;

/// Without a name.
#[op(traits(PURE))]
pub struct NoName {}

/// Misspelled.
#[op("a.b", trait_list(PURE))]
pub struct Unknown {}

/// A word of Rust's.
#[op("a.b", trait(PURE))]
pub struct Keyword {}

/// Twice.
#[op("a.b", verify = a, verify = b)]
pub struct Twice {}

/// Not a function.
#[op("a.b", assembly = format)]
pub struct BadAssembly {}

/// Half a custom form.
#[op("a.b", assembly = custom(parse))]
pub struct HalfCustom {}

/// Not full.
#[op("addf")]
pub struct NoDialect {}

#[op("a.b")]
pub struct NoDocs {}

/// Generic.
#[op("a.b")]
pub struct Generic<T> {}

/// A tuple.
#[op("a.b")]
pub struct Tuple(Value);

/// Of one.
#[op("a.b", same_types(x))]
pub struct SameAsItself {}

fn main() {}
