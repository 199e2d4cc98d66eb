//! The operations.

use crate::assembly;
use minoan_ir::constraints::{
    ANY, ANY_ATTR, ANY_MEMREF, BOOL_ATTR, FLAT_SYMBOL_REF, I64_ATTR, INDEX, MEMREF, STRING_ATTR, SYMBOL_NAME,
    TYPE_ATTR, UNIT_ATTR, element_of,
};
use minoan_ir::{Body, DYNAMIC, Op, op};

/// New storage on the heap.
#[op(
    "memref.alloc",
    traits(OPERAND_SEGMENTS),
    assembly = "`(` $dynamicSizes `)` (`` `[` $symbolOperands^ `]`)? attr-dict `:` type($memref)",
    verify = verify_alloc
)]
pub struct Alloc {
    /// One for each dynamic extent.
    #[operand(INDEX, name = "dynamicSizes")]
    dynamic_sizes: Vec<Value>,
    /// One for each symbol of the layout.
    #[operand(INDEX, name = "symbolOperands")]
    symbol_operands: Vec<Value>,
    /// Least alignment in bytes.
    #[attr(I64_ATTR)]
    alignment: Option<Attr>,
    /// The storage.
    #[result(MEMREF)]
    memref: Value,
}

/// New storage on the stack, which lives until the function returns.
#[op(
    "memref.alloca",
    traits(OPERAND_SEGMENTS),
    assembly = "`(` $dynamicSizes `)` (`` `[` $symbolOperands^ `]`)? attr-dict `:` type($memref)",
    verify = verify_alloc
)]
pub struct Alloca {
    /// One for each dynamic extent.
    #[operand(INDEX, name = "dynamicSizes")]
    dynamic_sizes: Vec<Value>,
    /// One for each symbol of the layout.
    #[operand(INDEX, name = "symbolOperands")]
    symbol_operands: Vec<Value>,
    /// Least alignment in bytes.
    #[attr(I64_ATTR)]
    alignment: Option<Attr>,
    /// The storage.
    #[result(MEMREF)]
    memref: Value,
}

fn verify_alloc(body: &Body, op: Op, error: &mut dyn FnMut(String)) {
    let (view, ctx) = (body.op(op), body.context());
    let Some(shape) = view.result_types().next().and_then(|ty| ty.shape(ctx)) else { return };
    let dynamic = shape.iter().filter(|&&extent| extent == DYNAMIC).count();
    if view.operand_group(0).len() != dynamic {
        error("dimension operand count does not equal memref dynamic dimension count".to_owned());
    }
}

/// Frees storage.
#[op("memref.dealloc", assembly = "$memref attr-dict `:` type($memref)")]
pub struct Dealloc {
    /// What is freed.
    #[operand(ANY_MEMREF)]
    memref: Value,
}

/// Reads an element.
#[op(
    "memref.load",
    assembly = "$memref `[` $indices `]` attr-dict `:` type($memref)",
    derive(result = element_of(memref), "result type matches element type of 'memref'"),
    verify = verify_load
)]
pub struct Load {
    /// Where from.
    #[operand(MEMREF)]
    memref: Value,
    /// One for each dimension.
    #[operand(INDEX)]
    indices: Vec<Value>,
    /// Whether the element will not be needed again soon.
    #[attr(BOOL_ATTR)]
    nontemporal: Option<Attr>,
    /// Least alignment in bytes.
    #[attr(I64_ATTR)]
    alignment: Option<Attr>,
    /// The element.
    #[result(ANY)]
    result: Value,
}

/// Changes an element.
#[op(
    "memref.store",
    assembly = "$value `,` $memref `[` $indices `]` attr-dict `:` type($memref)",
    derive(value = element_of(memref), "type of 'value' matches element type of 'memref'"),
    verify = verify_store
)]
pub struct Store {
    /// The new element.
    #[operand(ANY)]
    value: Value,
    /// Where to.
    #[operand(MEMREF)]
    memref: Value,
    /// One for each dimension.
    #[operand(INDEX)]
    indices: Vec<Value>,
    /// Whether the element will not be needed again soon.
    #[attr(BOOL_ATTR)]
    nontemporal: Option<Attr>,
    /// Least alignment in bytes.
    #[attr(I64_ATTR)]
    alignment: Option<Attr>,
}

fn verify_load(body: &Body, op: Op, error: &mut dyn FnMut(String)) {
    verify_indices(body, op, 0, "incorrect number of indices for load", error);
}

fn verify_store(body: &Body, op: Op, error: &mut dyn FnMut(String)) {
    verify_indices(body, op, 1, "store index operand count not equal to memref rank", error);
}

fn verify_indices(body: &Body, op: Op, memref: usize, prefix: &str, error: &mut dyn FnMut(String)) {
    let view = body.op(op);
    if view.n_operands() <= memref {
        return;
    }
    let indices = view.n_operands() - memref - 1;
    if let Some(rank) = body.ty(view.operand(memref)).rank(body.context()).filter(|&rank| rank != indices) {
        error(match memref {
            0 => format!("{prefix}, expected {rank} but got {indices}"),
            _ => prefix.to_owned(),
        });
    }
}

/// The extent of a dimension.
#[op("memref.dim", traits(PURE), assembly = "attr-dict $source `,` $index `:` type($source)")]
pub struct Dim {
    /// What is asked.
    #[operand(ANY_MEMREF)]
    source: Value,
    /// Which dimension.
    #[operand(INDEX)]
    index: Value,
    /// Its extent.
    #[result(INDEX, fixed)]
    result: Value,
}

/// The same storage under a compatible type.
#[op("memref.cast", traits(PURE), assembly = "$source attr-dict `:` type($source) `to` type($dest)")]
pub struct Cast {
    /// The storage.
    #[operand(ANY_MEMREF)]
    source: Value,
    /// The same storage.
    #[result(ANY_MEMREF)]
    dest: Value,
}

/// Copies all elements.
#[op("memref.copy", assembly = "$source `,` $target attr-dict `:` type($source) `to` type($target)")]
pub struct Copy {
    /// Where from.
    #[operand(ANY_MEMREF)]
    source: Value,
    /// Where to; of the same extents.
    #[operand(ANY_MEMREF)]
    target: Value,
}

/// Storage of the program, under a symbol.
#[op(
    "memref.global",
    traits(SYMBOL),
    assembly = custom(assembly::parse_global, assembly::print_global)
)]
pub struct Global {
    /// Its name.
    #[attr(SYMBOL_NAME)]
    sym_name: Attr,
    /// Who may refer to it.
    #[attr(STRING_ATTR)]
    sym_visibility: Option<Attr>,
    /// A memref type of static extents.
    #[attr(TYPE_ATTR, name = "type")]
    ty: Attr,
    /// Its first contents; `unit` for contents that are not initialised.
    #[attr(ANY_ATTR)]
    initial_value: Option<Attr>,
    /// Whether it never changes.
    #[attr(UNIT_ATTR)]
    constant: Option<Attr>,
    /// Least alignment in bytes.
    #[attr(I64_ATTR)]
    alignment: Option<Attr>,
}

/// The storage of a symbol.
#[op("memref.get_global", traits(PURE), assembly = "$name `:` type($result) attr-dict")]
pub struct GetGlobal {
    /// The symbol.
    #[attr(FLAT_SYMBOL_REF)]
    name: Attr,
    /// Its storage.
    #[result(MEMREF)]
    result: Value,
}
