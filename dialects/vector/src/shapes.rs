//! Casts and permutations of vectors.

use crate::constraints::{FIXED_VECTOR, ROW, SCALABLE_ROW, STATIC_MEMREF, VECTOR, VECTOR_WITH_RANK};
use crate::rules::{Rule, numbers, operand, require, result, same_element, verifiers};
use crate::types::{Parts, bits, quoted, vector};
use crate::{evaluate, fold, generate, names};
use minoan_ir::constraints::MEMREF;
use minoan_ir::text::AsmNames;
use minoan_ir::{Context, InferInput, OpRef, Type, TypeData, op};
use minoan_services::{Declared, Evaluate, EvaluateFn, Fold, Generate};

/// Changes the shape of a vector and keeps its elements in row-major order.
#[op(
    "vector.shape_cast",
    traits(PURE),
    assembly = "$source attr-dict `:` type($source) `to` type($result)",
    verify = verify_shape_cast,
    services(
        Evaluate = EvaluateFn(evaluate::shapes::shape_cast),
        Fold = fold::Unmasked(fold::shapes::shape_cast),
        Generate = Declared::new(),
    )
)]
pub struct ShapeCast {
    /// The vector.
    source: Operand<VECTOR>,
    /// The same elements in the new shape.
    result: OpResult<VECTOR>,
}

fn shape_cast_rule(op: OpRef<'_>) -> Rule {
    let ctx = op.context();
    let [from, to] = [operand(op, 0), result(op)].map(|ty| Parts::of_any(ctx, ty));
    let scalable = |parts: Parts<'_>| parts.scalable.iter().filter(|&&is| is).count();
    require(from.element == to.element, "has different source and result element types")?;
    require(
        from.count() == to.count(),
        format!("has different number of elements at source ({}) and result ({})", from.count(), to.count()),
    )?;
    let (from, to) = (scalable(from), scalable(to));
    require(from == to, format!("has different number of scalable dims at source ({from}) and result ({to})"))
}

/// Permutes the dimensions of a vector.
///
/// Dimension `i` of the result is dimension `permutation[i]` of the operand.
#[op(
    "vector.transpose",
    traits(PURE),
    assembly = "$vector `,` $permutation attr-dict `:` type($vector) `to` type($result)",
    verify = verify_transpose,
    services(
        Evaluate = EvaluateFn(evaluate::shapes::transpose),
        Fold = fold::Unmasked(fold::shapes::transpose),
    )
)]
pub struct Transpose {
    /// The vector.
    vector: Operand<VECTOR>,
    /// The permutation.
    permutation: Vec<i64>,
    /// The permuted vector.
    result: OpResult<VECTOR>,
}

fn transpose_rule(op: OpRef<'_>) -> Rule {
    let ctx = op.context();
    same_element(op, 0, "operand and result")?;
    let [from, to] = [operand(op, 0), result(op)].map(|ty| Parts::of_any(ctx, ty));
    let permutation = numbers(op, "permutation");
    require(from.rank() == to.rank(), format!("vector result rank mismatch: {}", to.rank()))?;
    let length = permutation.len();
    require(length == to.rank(), format!("transposition length mismatch: {length}"))?;
    let mut seen = vec![false; to.rank()];
    for (dim, &source) in permutation.iter().enumerate() {
        let at = usize::try_from(source).ok().filter(|&at| at < to.rank());
        let at = at.ok_or_else(|| format!("transposition index out of range: {source}"))?;
        require(!std::mem::replace(&mut seen[at], true), format!("duplicate position index: {source}"))?;
        require(to.shape[dim] == from.shape[at], format!("dimension size mismatch at: {source}"))?;
    }
    Ok(())
}

/// Selects rows of two vectors by index.
///
/// Indices of the second vector's rows follow those of the first; -1 selects a poison row.
#[op(
    "vector.shuffle",
    traits(PURE),
    assembly = "operands $mask attr-dict `:` type(operands)",
    verify = verify_shuffle,
    infer = infer_shuffle,
    services(
        Evaluate = EvaluateFn(evaluate::shapes::shuffle),
        Fold = fold::Unmasked(|op, _| fold::shapes::shuffle(op).into()),
    )
)]
pub struct Shuffle {
    /// The first vector.
    v1: Operand<FIXED_VECTOR>,
    /// The second vector.
    v2: Operand<FIXED_VECTOR>,
    /// The row indices.
    mask: Vec<i64>,
    /// The selected rows.
    vector: OpResult<VECTOR_WITH_RANK>,
}

fn shuffled(ctx: &Context, first: Type, mask: usize) -> Type {
    let first = Parts::of_any(ctx, first);
    let rest = first.shape.get(1..).unwrap_or(&[]);
    let shape: Vec<i64> = std::iter::once(mask.max(1) as i64).chain(rest.iter().copied()).collect();
    Type::vector(ctx, &shape, first.element)
}

fn infer_shuffle(input: &InferInput<'_>) -> Result<Vec<Type>, String> {
    let ctx = input.ctx;
    let mask = input.props.get(ctx, ctx.name("mask")).and_then(|mask| mask.as_dense_i64(ctx));
    let mask = mask.ok_or("needs the rows")?;
    Ok(vec![shuffled(ctx, *input.operands.first().ok_or("needs two vectors")?, mask.len())])
}

/// The number of rows of a vector; a rank-0 vector is one row.
pub(crate) fn rows(shape: &[i64]) -> i64 {
    shape.first().copied().unwrap_or(1)
}

fn shuffle_rule(op: OpRef<'_>) -> Rule {
    let ctx = op.context();
    same_element(op, 0, "first operand v1 and result")?;
    same_element(op, 1, "second operand v2 and result")?;
    let [first, second] = [0, 1].map(|at| Parts::of_any(ctx, operand(op, at)));
    let (to, mask) = (Parts::of_any(ctx, result(op)), numbers(op, "mask"));
    let scalars = first.rank() == 0 && second.rank() == 0 && to.rank() == 1;
    require(scalars || first.rank() == to.rank() && second.rank() == to.rank(), "rank mismatch")?;
    for dim in 1..first.rank() {
        let same = to.shape[dim] == first.shape[dim] && first.shape[dim] == second.shape[dim];
        require(same, "dimension mismatch")?;
    }
    require(!mask.is_empty(), "invalid mask length")?;
    require(mask.len() as i64 == to.shape[0], "mask length mismatch")?;
    let end = rows(first.shape).saturating_add(rows(second.shape));
    match mask.iter().position(|row| !(crate::elements::POISON..end).contains(row)) {
        Some(at) => Err(format!("mask index #{} out of range", at + 1).into()),
        None => Ok(()),
    }
}

/// Interleaves two vectors along the innermost dimension.
#[op(
    "vector.interleave",
    traits(PURE),
    assembly = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)",
    same_types(lhs, rhs),
    derive(result = doubled(lhs), "type of 'result' is double the width of the inputs"),
    services(Evaluate = EvaluateFn(evaluate::shapes::interleave), Generate = Declared::new())
)]
pub struct Interleave {
    /// The elements at even positions.
    lhs: Operand<VECTOR>,
    /// The elements at odd positions.
    rhs: Operand<VECTOR>,
    /// The interleaved elements.
    result: OpResult<VECTOR_WITH_RANK>,
}

/// The type with twice the innermost extent.
pub(crate) fn doubled(ctx: &Context, ty: Type) -> Option<Type> {
    let parts = Parts::of(ctx, ty)?;
    match parts.shape.split_last() {
        None => Some(Type::vector(ctx, &[2], parts.element)),
        Some((last, rest)) => {
            let shape: Vec<i64> = rest.iter().copied().chain([last.checked_mul(2)?]).collect();
            Some(vector(ctx, &shape, parts.scalable, parts.element))
        }
    }
}

/// Splits the innermost dimension into elements at even and odd positions.
#[op(
    "vector.deinterleave",
    traits(PURE),
    assembly = "$source attr-dict `:` type($source) `->` type($res1)",
    derive(
        res1 = halved(source),
        "the trailing dimension of the results is half the width of source trailing dimension"
    ),
    same_types(res1, res2),
    verify = verify_deinterleave,
    services(
        Evaluate = EvaluateFn(evaluate::shapes::deinterleave),
        AsmNames = names::Each(&["res1", "res2"]),
        Generate = Declared::new(),
    )
)]
pub struct Deinterleave {
    /// The vector.
    source: Operand<VECTOR_WITH_RANK>,
    /// The elements at even positions.
    res1: OpResult<VECTOR_WITH_RANK>,
    /// The elements at odd positions.
    res2: OpResult<VECTOR_WITH_RANK>,
}

/// The type with half the innermost extent; an extent of one is kept.
fn halved(ctx: &Context, ty: Type) -> Option<Type> {
    let parts = Parts::of(ctx, ty)?;
    let (last, rest) = parts.shape.split_last()?;
    let half = if last / 2 > 0 { last / 2 } else { *last };
    let shape: Vec<i64> = rest.iter().copied().chain([half]).collect();
    Some(vector(ctx, &shape, parts.scalable, parts.element))
}

/// Reinterprets the bits of the elements as another element type.
///
/// The innermost dimension has the same number of bits before and after: `vector.bitcast %v : vector<2x4xf32> to
/// vector<2x8xi16>`.
#[op(
    "vector.bitcast",
    traits(PURE),
    assembly = "$source attr-dict `:` type($source) `to` type($result)",
    verify = verify_bitcast,
    services(
        Evaluate = EvaluateFn(evaluate::shapes::bitcast),
        Fold = fold::Unmasked(|op, _| fold::shapes::bitcast(op)),
        Generate = generate::any_bits(),
    )
)]
pub struct BitCast {
    /// The vector.
    source: Operand<VECTOR>,
    /// The same bits.
    result: OpResult<VECTOR>,
}

fn bitcast_rule(op: OpRef<'_>) -> Rule {
    let ctx = op.context();
    let [from, to] = [operand(op, 0), result(op)].map(|ty| Parts::of_any(ctx, ty));
    require(from.rank() == to.rank(), "failed to verify that all of {source, result} have same rank")?;
    let lead = from.rank().saturating_sub(1);
    if let Some(dim) = (0..lead).find(|&dim| from.shape[dim] != to.shape[dim]) {
        return Err(format!("dimension size mismatch at: {dim}").into());
    }
    let bits =
        |parts: Parts<'_>| bits(ctx, parts.element)?.checked_mul(parts.shape.last().copied().unwrap_or(1));
    require(
        bits(from) == bits(to),
        match from.rank() {
            0 => "source/result bitwidth of the 0-D vector element types must be equal",
            _ => "source/result bitwidth of the minor 1-D vectors must be equal",
        },
    )
}

/// Inserts a vector into a scalable vector.
#[op(
    "vector.scalable.insert",
    traits(PURE),
    assembly = "$valueToStore `,` $dest `[` $pos `]` attr-dict `:` type($valueToStore) `into` type($dest)",
    same_types(dest, result),
    verify = verify_scalable_insert
)]
pub struct ScalableInsert {
    /// The inserted vector.
    #[operand(ROW, name = "valueToStore")]
    value_to_store: Value,
    /// The destination vector.
    dest: Operand<SCALABLE_ROW>,
    /// The position, a multiple of the inserted vector's length.
    pos: i64,
    /// The updated vector.
    result: OpResult<SCALABLE_ROW>,
}

/// Extracts a vector from a scalable vector.
#[op(
    "vector.scalable.extract",
    traits(PURE),
    assembly = "$source `[` $pos `]` attr-dict `:` type($result) `from` type($source)",
    verify = verify_scalable_extract
)]
pub struct ScalableExtract {
    /// The vector.
    source: Operand<SCALABLE_ROW>,
    /// The position, a multiple of the result's length.
    pos: i64,
    /// The extracted vector.
    result: OpResult<ROW>,
}

fn scalable(op: OpRef<'_>, part: Type, [names, what]: [&str; 2]) -> Rule {
    let ctx = op.context();
    let same = operand(op, 0).element(ctx) == result(op).element(ctx);
    require(same, format!("failed to verify that all of {{{names}}} have same element type"))?;
    let length = Parts::of_any(ctx, part).count().max(1);
    let pos = op.attr_named("pos").and_then(|pos| pos.as_i64(ctx)).unwrap_or(0);
    let message = format!("failed to verify that position is a multiple of the {what} length.");
    require(pos % length == 0, message)
}

/// Views a memref of a shape as a memref with one element: a vector of that shape.
#[op(
    "vector.type_cast",
    traits(PURE),
    assembly = "$memref attr-dict `:` type($memref) `to` type($result)",
    verify = verify_type_cast
)]
pub struct TypeCast {
    /// The memref.
    memref: Operand<STATIC_MEMREF>,
    /// The same memory.
    result: OpResult<MEMREF>,
}

fn type_cast_rule(op: OpRef<'_>) -> Rule {
    let ctx = op.context();
    let (from, to) = (operand(op, 0), result(op));
    let (
        TypeData::MemRef { shape, element, layout, space },
        TypeData::MemRef { shape: to_shape, element: to_element, layout: to_layout, space: to_space },
    ) = (from.data(ctx), to.data(ctx))
    else {
        return Ok(());
    };
    require(layout.is_none(), "expects operand to be a memref with identity layout")?;
    require(to_layout.is_none(), "expects result to be a memref with identity layout")?;
    require(space == to_space, "expects result in same memory space")?;
    let shown = quoted(ctx, to);
    let [scalar, to_scalar] = [element, to_element].map(|ty| ty.element_or_self(ctx));
    require(
        scalar == to_scalar,
        format!("expects result and operand with same underlying scalar type: {shown}"),
    )?;
    let all = |shape: &[i64], element: Type| [shape, Parts::of_any(ctx, element).shape].concat();
    require(
        all(shape, *element) == all(to_shape, *to_element),
        format!("expects concatenated result and operand shapes to be equal: {shown}"),
    )
}

verifiers! {
    verify_shape_cast = shape_cast_rule;
    verify_transpose = transpose_rule;
    verify_shuffle = shuffle_rule;
    verify_deinterleave = |op| {
        let last = operand(op, 0).shape(op.context()).and_then(|shape| shape.last().copied());
        require(
            last.is_none_or(|last| last % 2 == 0),
            "failed to verify that the trailing dimension of the source vector has an even number of elements",
        )
    };
    verify_bitcast = bitcast_rule;
    verify_scalable_insert = |op| scalable(op, operand(op, 0), ["valueToStore, dest", "source"]);
    verify_scalable_extract = |op| scalable(op, result(op), ["source, result", "result"]);
    verify_type_cast = type_cast_rule;
}
