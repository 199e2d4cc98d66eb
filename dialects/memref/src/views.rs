//! `memref.rank`, `memref.extract_aligned_pointer_as_index` and `memref.memory_space_cast`.

use crate::{buffers, evaluate_views, fold, folding, names};
use minoan_ir::constraints::{ANY_MEMREF, INDEX};
use minoan_ir::text::AsmNames;
use minoan_ir::{Body, Op, TypeData, Violation, Violations, op};
use minoan_services::{AliasModel, Evaluate, Fold, FoldFn};

/// The number of dimensions.
#[op(
    "memref.rank",
    traits(PURE),
    assembly = "$memref attr-dict `:` type($memref)",
    services(Evaluate = evaluate_views::EvaluateRank, Fold = FoldFn(folding::fold_rank))
)]
pub struct Rank {
    /// The buffer.
    memref: Operand<ANY_MEMREF>,
    /// Its rank.
    #[result(INDEX, fixed)]
    result: Value,
}

/// The address of the first element, as an index.
#[op(
    "memref.extract_aligned_pointer_as_index",
    traits(PURE),
    assembly = "$source `:` type($source) `->` type(results) attr-dict",
    services(Evaluate = evaluate_views::EvaluateAddress, AsmNames = names::Named("intptr"))
)]
pub struct ExtractAlignedPointerAsIndex {
    /// The buffer.
    source: Operand<ANY_MEMREF>,
    /// The address.
    #[result(INDEX, fixed)]
    aligned_pointer: Value,
}

/// Casts a buffer to another memory space.
#[op(
    "memref.memory_space_cast",
    traits(PURE),
    assembly = "$source attr-dict `:` type($source) `to` type($dest)",
    verify = verify_space,
    services(
        Evaluate = evaluate_views::EvaluateSame,
        Fold = FoldFn(fold::fold_memory_space_cast),
        AsmNames = names::Named("memspacecast"),
        AliasModel = buffers::ViewsOperand,
    )
)]
pub struct MemorySpaceCast {
    /// The buffer.
    source: Operand<ANY_MEMREF>,
    /// The same buffer.
    dest: OpResult<ANY_MEMREF>,
}

fn verify_space(body: &Body, op: Op, errors: &mut Violations) {
    let (view, ctx) = (body.op(op), body.context());
    let (from, Some(to)) = (body.ty(view.operand(0)), view.result_types().next()) else { return };
    let fits = match (from.data(ctx), to.data(ctx)) {
        (
            TypeData::MemRef { shape, element, layout, .. },
            TypeData::MemRef { shape: to_shape, element: to_element, layout: to_layout, .. },
        ) => shape == to_shape && element == to_element && layout == to_layout,
        (TypeData::UnrankedMemRef { element, .. }, TypeData::UnrankedMemRef { element: to_element, .. }) => {
            element == to_element
        }
        _ => false,
    };
    if !fits {
        errors.push(Violation::cast(ctx, from, to));
    }
}
