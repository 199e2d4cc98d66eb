//! Loads and stores of vectors, with masks, gather and scatter.

use crate::constraints::{FIXED_MASK, INDICES, MASK_WITH_RANK, TENSOR_OR_MEMREF, VECTOR, VECTOR_WITH_RANK};
use crate::rules::{Rule, operand, require, result, verifiers};
use crate::types::Parts;
use crate::{assembly, buffers, effects, evaluate, fold};
use minoan_ir::constraints::{ALIGNMENT, INDEX, MEMREF, RANKED_TENSOR};
use minoan_ir::{AttrData, Context, OpRef, Type, TypeData, op};
use minoan_services::{AliasModel, EffectSet, Effects, Evaluate, EvaluateFn, Fold, Folded, ToBuffers};

/// Loads a vector of contiguous elements.
///
/// The vector's dimensions are the memref's trailing dimensions: `vector.load %m[%i, %j] : memref<8x16xf32>,
/// vector<4xf32>`.
#[op(
    "vector.load",
    assembly = custom(assembly::parse_load, assembly::print_load),
    verify = verify_load,
    services(
        Evaluate = EvaluateFn(evaluate::memory::load),
        Effects = EffectSet::READ,
        Fold = fold::Unmasked(|op, _| fold::memory::without_cast(op, 0)),
    )
)]
pub struct Load {
    /// The memref.
    base: Operand<MEMREF>,
    /// One index per dimension of the memref.
    indices: Vec<Operand<INDEX>>,
    /// Whether the access is nontemporal.
    nontemporal: Option<bool>,
    /// The minimum alignment in bytes.
    #[attr(ALIGNMENT)]
    alignment: Option<i64>,
    /// The elements.
    result: OpResult<VECTOR>,
}

/// Stores a vector to contiguous elements.
#[op(
    "vector.store",
    assembly = custom(assembly::parse_store, assembly::print_store),
    verify = verify_store,
    services(
        Evaluate = EvaluateFn(evaluate::memory::store),
        Effects = EffectSet::WRITE,
        Fold = fold::Unmasked(|op, _| fold::memory::without_cast(op, 1)),
    )
)]
pub struct Store {
    /// The stored vector.
    #[operand(VECTOR, name = "valueToStore")]
    value_to_store: Value,
    /// The memref.
    base: Operand<MEMREF>,
    /// One index per dimension of the memref.
    indices: Vec<Operand<INDEX>>,
    /// Whether the access is nontemporal.
    nontemporal: Option<bool>,
    /// The minimum alignment in bytes.
    #[attr(ALIGNMENT)]
    alignment: Option<i64>,
}

/// Loads the elements whose mask bit is set; the others are taken from a pass-through vector.
#[op(
    "vector.maskedload",
    assembly = "$base `[` $indices `]` `,` $mask `,` $pass_thru attr-dict `:` type($base) `,` type($mask) `,` type($pass_thru) `into` type($result)",
    verify = verify_maskedload,
    services(
        Evaluate = EvaluateFn(evaluate::memory::evaluate_masked_load),
        Effects = EffectSet::READ,
        Fold = fold::Unmasked(|op, _| fold::memory::without_cast(op, 0)),
    )
)]
pub struct MaskedLoad {
    /// The memref.
    base: Operand<MEMREF>,
    /// One index per dimension of the memref.
    indices: Vec<Operand<INDEX>>,
    /// The mask.
    mask: Operand<MASK_WITH_RANK>,
    /// The pass-through vector.
    pass_thru: Operand<VECTOR_WITH_RANK>,
    /// The minimum alignment in bytes.
    #[attr(ALIGNMENT)]
    alignment: Option<i64>,
    /// The elements.
    result: OpResult<VECTOR_WITH_RANK>,
}

/// Stores the elements whose mask bit is set.
#[op(
    "vector.maskedstore",
    assembly = "$base `[` $indices `]` `,` $mask `,` $valueToStore attr-dict `:` type($base) `,` type($mask) `,` type($valueToStore)",
    verify = verify_maskedstore,
    services(
        Evaluate = EvaluateFn(evaluate::memory::evaluate_masked_store),
        Effects = EffectSet::WRITE,
        Fold = fold::Unmasked(|op, _| fold::memory::without_cast(op, 0)),
    )
)]
pub struct MaskedStore {
    /// The memref.
    base: Operand<MEMREF>,
    /// One index per dimension of the memref.
    indices: Vec<Operand<INDEX>>,
    /// The mask.
    mask: Operand<MASK_WITH_RANK>,
    /// The stored vector.
    #[operand(VECTOR_WITH_RANK, name = "valueToStore")]
    value_to_store: Value,
    /// The minimum alignment in bytes.
    #[attr(ALIGNMENT)]
    alignment: Option<i64>,
}

/// Loads elements at individual positions where the mask is set; the others are taken from a pass-through vector.
///
/// The position of an element is given by the offsets, with its index added to the last one: `vector.gather %m[%i,
/// %j] [%n], %mask, %other : memref<8x16xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>`.
#[op(
    "vector.gather",
    assembly = "$base `[` $offsets `]` `[` $indices `]` `,` $mask `,` $pass_thru attr-dict `:` type($base) `,` type($indices)  `,` type($mask) `,` type($pass_thru) `into` type($result)",
    verify = verify_gather,
    services(
        Evaluate = EvaluateFn(evaluate::memory::evaluate_gather),
        Effects = effects::OnMemory(0, EffectSet::READ),
        Fold = fold::Unmasked(|_, _| Folded::Unchanged),
        ToBuffers = buffers::Reads,
    )
)]
pub struct Gather {
    /// The base.
    base: Operand<TENSOR_OR_MEMREF>,
    /// One offset per dimension of the base.
    offsets: Vec<Operand<INDEX>>,
    /// The indices, which are added to the last offset.
    indices: Operand<INDICES>,
    /// The mask.
    mask: Operand<MASK_WITH_RANK>,
    /// The pass-through vector.
    pass_thru: Operand<VECTOR_WITH_RANK>,
    /// The minimum alignment in bytes.
    #[attr(ALIGNMENT)]
    alignment: Option<i64>,
    /// The elements.
    result: OpResult<VECTOR_WITH_RANK>,
}

/// Stores elements to individual positions where the mask is set, in order of the elements.
#[op(
    "vector.scatter",
    assembly = "$base `[` $offsets `]` `[` $indices `]` `,` $mask `,` $valueToStore attr-dict `:` type($base) `,` type($indices)  `,` type($mask) `,` type($valueToStore) (`->` type($result)^)?",
    verify = verify_scatter,
    services(
        Evaluate = EvaluateFn(evaluate::memory::scatter),
        Effects = effects::OnMemory(0, EffectSet::WRITE),
        AliasModel = buffers::Updates(0),
        ToBuffers = buffers::Updates(0),
    )
)]
pub struct Scatter {
    /// The base.
    base: Operand<TENSOR_OR_MEMREF>,
    /// One offset per dimension of the base.
    offsets: Vec<Operand<INDEX>>,
    /// The indices, which are added to the last offset.
    indices: Operand<INDICES>,
    /// The mask.
    mask: Operand<MASK_WITH_RANK>,
    /// The stored vector.
    #[operand(VECTOR_WITH_RANK, name = "valueToStore")]
    value_to_store: Value,
    /// The minimum alignment in bytes.
    #[attr(ALIGNMENT)]
    alignment: Option<i64>,
    /// The updated tensor.
    result: Option<OpResult<RANKED_TENSOR>>,
}

/// Loads consecutive elements of memory into the positions whose mask bit is set; the others are taken from a
/// pass-through vector.
#[op(
    "vector.expandload",
    assembly = "$base `[` $indices `]` `,` $mask `,` $pass_thru attr-dict `:` type($base) `,` type($mask) `,` type($pass_thru) `into` type($result)",
    verify = verify_expandload,
    services(Evaluate = EvaluateFn(evaluate::memory::expand_load), Effects = EffectSet::READ)
)]
pub struct ExpandLoad {
    /// The memref.
    base: Operand<MEMREF>,
    /// One index per dimension of the memref.
    indices: Vec<Operand<INDEX>>,
    /// The mask.
    mask: Operand<FIXED_MASK>,
    /// The pass-through vector.
    pass_thru: Operand<VECTOR_WITH_RANK>,
    /// The minimum alignment in bytes.
    #[attr(ALIGNMENT)]
    alignment: Option<i64>,
    /// The elements.
    result: OpResult<VECTOR_WITH_RANK>,
}

/// Stores the elements whose mask bit is set consecutively.
#[op(
    "vector.compressstore",
    assembly = "$base `[` $indices `]` `,` $mask `,` $valueToStore attr-dict `:` type($base) `,` type($mask) `,` type($valueToStore)",
    verify = verify_compressstore,
    services(Evaluate = EvaluateFn(evaluate::memory::compress_store), Effects = EffectSet::WRITE)
)]
pub struct CompressStore {
    /// The memref.
    base: Operand<MEMREF>,
    /// One index per dimension of the memref.
    indices: Vec<Operand<INDEX>>,
    /// The mask.
    mask: Operand<FIXED_MASK>,
    /// The stored vector.
    #[operand(VECTOR_WITH_RANK, name = "valueToStore")]
    value_to_store: Value,
    /// The minimum alignment in bytes.
    #[attr(ALIGNMENT)]
    alignment: Option<i64>,
}

/// Whether the innermost dimension has unit stride.
fn unit_stride(ctx: &Context, memref: Type) -> bool {
    let TypeData::MemRef { shape, layout, .. } = memref.data(ctx) else { return true };
    match layout.map(|layout| layout.data(ctx)) {
        None => true,
        _ if shape.is_empty() => true,
        Some(AttrData::Strided { strides, .. }) => strides.last() == Some(&1),
        // The last dimension is added unscaled, and no other result depends on it.
        Some(AttrData::AffineMap(map)) => map.is_identity(),
        Some(_) => false,
    }
}

/// The common rules of loads and stores; `words` name the memref, the vector, and both with their elements.
fn whole(op: OpRef<'_>, base: usize, ty: Type, words: [&str; 3]) -> Rule {
    let ctx = op.context();
    let (memref, Some(parts)) = (operand(op, base), Parts::of(ctx, ty)) else { return Ok(()) };
    if parts.is_scalable() || parts.rank() > 0 && parts.count() != 1 {
        require(unit_stride(ctx, memref), "most minor memref dim must have unit stride")?;
    }
    let [rank, vectors, elements] = words;
    require(memref.rank(ctx).unwrap_or(0) >= parts.rank(), rank)?;
    let mut element = memref.element_or_self(ctx);
    if element.is_vector(ctx) {
        require(element == ty, vectors)?;
        element = element.element_or_self(ctx);
    }
    require(element == parts.element, elements)?;
    indices(op, base, op.n_operands() - base - 1)
}

fn indices(op: OpRef<'_>, base: usize, have: usize) -> Rule {
    let rank = operand(op, base).rank(op.context()).unwrap_or(0);
    require(have == rank, format!("requires {rank} indices"))
}

/// The common rules of masked operations. The base comes first, then its indices, then `after` vectors, which end
/// with the mask and the pass-through or stored vector.
fn masked(op: OpRef<'_>, after: usize, what: &str) -> Rule {
    let ctx = op.context();
    let same = moved(op, what).element(ctx) == operand(op, 0).element(ctx);
    require(same, format!("base and {what} element type should match"))?;
    indices(op, 0, op.n_operands() - 1 - after)
}

/// The loaded or stored vector: the result, or the last operand.
fn moved(op: OpRef<'_>, what: &str) -> Type {
    if what == "result" { result(op) } else { operand(op, op.n_operands() - 1) }
}

/// Verifies that a vector has the shape of the operand at this position from the end.
fn same_shape(op: OpRef<'_>, ty: Type, back: usize, message: &str) -> Rule {
    let other = operand(op, op.n_operands() - back);
    require(ty.shape(op.context()) == other.shape(op.context()), message)
}

fn passed(op: OpRef<'_>) -> Rule {
    let passed = operand(op, op.n_operands() - 1);
    require(passed == result(op), "expected pass_thru of same type as result type")
}

/// Verifies that the leading extents of a vector and its mask are equal.
fn same_rows(op: OpRef<'_>, what: &str) -> Rule {
    let rows = |ty: Type| ty.shape(op.context()).and_then(|shape| shape.first().copied());
    let mask = operand(op, op.n_operands() - 2);
    require(rows(moved(op, what)) == rows(mask), format!("expected {what} dim to match mask dim"))
}

verifiers! {
    verify_load = |op| whole(op, 0, result(op), [
        "destination memref has lower rank than the result vector",
        "base memref and result vector types should match",
        "base and result element types should match",
    ]);
    verify_store = |op| whole(op, 1, operand(op, 0), [
        "source memref has lower rank than the vector to store",
        "base memref and valueToStore vector types should match",
        "base and valueToStore element type should match",
    ]);
    verify_maskedload = |op| {
        masked(op, 2, "result")?;
        same_shape(op, result(op), 2, "expected result shape to match mask shape")?;
        passed(op)
    };
    verify_maskedstore = |op| {
        masked(op, 2, "valueToStore")?;
        let stored = moved(op, "valueToStore");
        same_shape(op, stored, 2, "expected valueToStore shape to match mask shape")
    };
    verify_gather = |op| {
        let ranked = operand(op, 0).rank(op.context()).is_some();
        require(ranked, "requires base to be a memref or ranked tensor type")?;
        masked(op, 3, "result")?;
        same_shape(op, result(op), 3, "expected result dim to match indices dim")?;
        same_shape(op, result(op), 2, "expected result dim to match mask dim")?;
        passed(op)
    };
    verify_scatter = |op| {
        let ranked = operand(op, 0).rank(op.context()).is_some();
        require(ranked, "requires base to be a memref or ranked tensor type")?;
        masked(op, 3, "valueToStore")?;
        let stored = moved(op, "valueToStore");
        same_shape(op, stored, 3, "expected valueToStore dim to match indices dim")?;
        same_shape(op, stored, 2, "expected valueToStore dim to match mask dim")
    };
    verify_expandload = |op| {
        masked(op, 2, "result")?;
        same_rows(op, "result")?;
        passed(op)
    };
    verify_compressstore = |op| {
        masked(op, 2, "valueToStore")?;
        same_rows(op, "valueToStore")
    };
}
