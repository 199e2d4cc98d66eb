//! Strided slices of vectors.

use crate::constraints::VECTOR_WITH_RANK;
use crate::rules::{Rule, numbers, operand, require, result, same_element, verifiers};
use crate::types::{Parts, quoted, vector};
use crate::{evaluate, fold};
use minoan_ir::{Array, OpRef, op};
use minoan_services::{Evaluate, EvaluateFn, Fold};

/// Extracts a slice of the same rank.
///
/// The lists apply to the leading dimensions; the others are taken whole. Strides are 1:
/// `vector.extract_strided_slice %v {offsets = [0, 2], sizes = [2, 4], strides = [1, 1]} : vector<4x8x16xf32> to
/// vector<2x4x16xf32>`.
#[op(
    "vector.extract_strided_slice",
    traits(PURE),
    assembly = "$source attr-dict `:` type($source) `to` type(results)",
    verify = verify_extract,
    services(
        Evaluate = EvaluateFn(evaluate::elements::extract_slice),
        Fold = fold::Unmasked(fold::elements::extract_strided_slice),
    )
)]
pub struct ExtractStridedSlice {
    /// The vector.
    source: Operand<VECTOR_WITH_RANK>,
    /// The offsets of the slice.
    offsets: Array<i64>,
    /// The sizes of the slice.
    sizes: Array<i64>,
    /// The strides of the slice.
    strides: Array<i64>,
    /// The slice.
    result: OpResult<VECTOR_WITH_RANK>,
}

/// Inserts a vector of the same or lower rank as a slice.
///
/// `vector.insert_strided_slice %s, %v {offsets = [0, 0, 2], strides = [1, 1]} : vector<2x4xf32> into vector<16x4x8xf32>`.
#[op(
    "vector.insert_strided_slice",
    traits(PURE),
    assembly = "$valueToStore `,` $dest attr-dict `:` type($valueToStore) `into` type($dest)",
    same_types(dest, result),
    verify = verify_insert,
    services(
        Evaluate = EvaluateFn(evaluate::elements::insert_slice),
        Fold = fold::Unmasked(fold::elements::insert_strided_slice),
    )
)]
pub struct InsertStridedSlice {
    /// The inserted vector.
    #[operand(VECTOR_WITH_RANK, name = "valueToStore")]
    value_to_store: Value,
    /// The destination vector.
    dest: Operand<VECTOR_WITH_RANK>,
    /// The offsets, one per dimension of the destination.
    offsets: Array<i64>,
    /// The strides, one per dimension of the inserted vector.
    strides: Array<i64>,
    /// The updated vector.
    result: OpResult<VECTOR_WITH_RANK>,
}

/// Verifies that each number is in `least..least + extent`; with `whole`, it may be equal to the bound.
fn confined(name: &str, list: &[i64], shape: &[i64], whole: bool, least: i64) -> Rule {
    for (dim, (&value, &extent)) in list.iter().zip(shape).enumerate() {
        let end = if whole { extent.saturating_add(1) } else { extent };
        require(
            (least..end).contains(&value),
            format!("expected {name} dimension {dim} to be confined to [{least}, {end})"),
        )?;
    }
    Ok(())
}

fn unit_strides(strides: &[i64]) -> Rule {
    require(strides.iter().all(|&stride| stride == 1), "expected strides to be confined to [1, 2)")
}

/// Verifies that the slice ends inside the vector.
fn sums(what: &str, offsets: &[i64], sizes: &[i64], shape: &[i64]) -> Rule {
    for (dim, ((&offset, &size), &extent)) in offsets.iter().zip(sizes).zip(shape).enumerate() {
        let fits = offset.checked_add(size).is_some_and(|end| (0..=extent).contains(&end));
        let end = extent.saturating_add(1);
        require(fits, format!("expected sum(offsets, {what}) dimension {dim} to be confined to [1, {end})"))?;
    }
    Ok(())
}

fn extract_rule(op: OpRef<'_>) -> Rule {
    let ctx = op.context();
    same_element(op, 0, "operand and result")?;
    let [offsets, sizes, strides] = ["offsets", "sizes", "strides"].map(|name| numbers(op, name));
    let Some(source) = Parts::of(ctx, operand(op, 0)) else { return Ok(()) };
    require(
        offsets.len() == sizes.len() && offsets.len() == strides.len(),
        "expected offsets, sizes and strides attributes of same size",
    )?;
    require(
        offsets.len() <= source.rank(),
        "expected offsets attribute of rank no greater than vector rank",
    )?;
    confined("offsets", &offsets, source.shape, false, 0)?;
    confined("sizes", &sizes, source.shape, true, 1)?;
    unit_strides(&strides)?;
    sums("sizes", &offsets, &sizes, source.shape)?;
    let shape: Vec<i64> = sizes.iter().chain(&source.shape[sizes.len()..]).copied().collect();
    let want = vector(ctx, &shape, source.scalable, source.element);
    require(result(op) == want, format!("expected result type to be {}", quoted(ctx, want)))?;
    for (dim, &size) in sizes.iter().enumerate() {
        scalable_whole(dim, source.scalable[dim], size, source.shape[dim])?;
    }
    Ok(())
}

/// Verifies that a scalable dimension is taken whole.
fn scalable_whole(dim: usize, scalable: bool, size: i64, extent: i64) -> Rule {
    require(
        !scalable || size == extent,
        format!(
            "expected size at idx={dim} to match the corresponding base size from the input vector ({size} vs {extent})"
        ),
    )
}

fn insert_rule(op: OpRef<'_>) -> Rule {
    let ctx = op.context();
    same_element(op, 0, "operand #0 and result")?;
    let [offsets, strides] = ["offsets", "strides"].map(|name| numbers(op, name));
    let (Some(part), Some(whole)) = (Parts::of(ctx, operand(op, 0)), Parts::of(ctx, operand(op, 1))) else {
        return Ok(());
    };
    require(offsets.len() == whole.rank(), "expected offsets of same size as destination vector rank")?;
    require(strides.len() == part.rank(), "expected strides of same size as source vector rank")?;
    require(part.rank() <= whole.rank(), "expected source rank to be no greater than destination rank")?;
    let lead = whole.rank() - part.rank();
    let sizes: Vec<i64> = std::iter::repeat_n(0, lead).chain(part.shape.iter().copied()).collect();
    confined("offsets", &offsets, whole.shape, false, 0)?;
    unit_strides(&strides)?;
    sums("source vector shape", &offsets, &sizes, whole.shape)?;
    for dim in 0..part.rank() {
        require(
            part.scalable[dim] == whole.scalable[lead + dim],
            format!("mismatching scalable flags (at source vector idx={dim})"),
        )?;
        scalable_whole(dim, part.scalable[dim], part.shape[dim], whole.shape[lead + dim])?;
    }
    Ok(())
}

verifiers! {
    verify_extract = extract_rule;
    verify_insert = insert_rule;
}
