//! Masks and masked operations.

use crate::assembly;
use crate::constraints::{MASK, MASK_WITH_RANK};
use crate::contract::domain;
use crate::rules::{Rule, numbers, operand, require, result, verifiers};
use crate::transfer::{Transfer, mask_type};
use crate::types::Parts;
use crate::types::{quoted, vector};
use crate::{
    Contract, Gather, MultiReduction, OuterProduct, Reduction, TransferRead, TransferWrite, Yield, evaluate,
    fold,
};
use minoan_ir::constraints::{ANY, INDEX};
use minoan_ir::{OpRef, Type, op};
use minoan_services::{Declared, Evaluate, EvaluateFn, Fold, Folded, Generate};

/// A mask that is set where each index is less than a dynamic bound.
///
/// Bounds are clamped to the range from zero to the extent. A rank-0 mask has one bound.
#[op(
    "vector.create_mask",
    traits(PURE),
    assembly = "$operands attr-dict `:` type($result)",
    verify = verify_create,
    services(
        Evaluate = EvaluateFn(evaluate::mask::create_mask),
        Fold = fold::Unmasked(|_, _| Folded::Stays),
        Generate = Declared::new(),
    )
)]
pub struct CreateMask {
    /// The bounds.
    #[operand(INDEX, name = "operands")]
    bounds: Vec<Value>,
    /// The mask.
    result: OpResult<MASK>,
}

/// A mask that is set where each index is less than a static bound: `vector.constant_mask [3, 2] : vector<4x3xi1>`.
#[op(
    "vector.constant_mask",
    traits(PURE),
    assembly = "$mask_dim_sizes attr-dict `:` type($result)",
    verify = verify_constant,
    services(
        Evaluate = EvaluateFn(evaluate::mask::constant_mask),
        Fold = fold::Unmasked(fold::shapes::fold_constant_mask),
    )
)]
pub struct ConstantMask {
    /// The bounds: all zero, or all positive.
    mask_dim_sizes: Vec<i64>,
    /// The mask.
    result: OpResult<MASK>,
}

fn constant_mask_rule(op: OpRef<'_>) -> Rule {
    let (parts, bounds) = (Parts::of_any(op.context(), result(op)), numbers(op, "mask_dim_sizes"));
    if parts.rank() == 0 {
        require(bounds.len() == 1, "array attr must have length 1 for 0-D vectors")?;
        return require(matches!(bounds[0], 0 | 1), "mask dim size must be either 0 or 1 for 0-D vectors");
    }
    require(bounds.len() == parts.rank(), "must specify array attr of size equal vector result rank")?;
    for (dim, &bound) in bounds.iter().enumerate() {
        require(
            (0..=parts.shape[dim]).contains(&bound),
            "array attr of size out of bounds of vector result dimension size",
        )?;
        require(
            !parts.scalable[dim] || bound == 0 || bound == parts.shape[dim],
            "only supports 'none set' or 'all set' scalable dimensions",
        )?;
    }
    require(
        !bounds.contains(&0) || bounds.iter().all(|&bound| bound == 0),
        "expected all mask dim sizes to be zeros, as a result of conjunction with zero mask dim",
    )
}

/// Executes an operation for the elements whose mask bit is set.
///
/// `vector.mask %m, %other { vector.transfer_read %b[%i], %p : memref<?xf32>, vector<4xf32> } : vector<4xi1> ->
/// vector<4xf32>`: the inactive elements are those of the pass-through vector, if present.
#[op(
    "vector.mask",
    traits(SINGLE_BLOCK, IMPLICIT_TERMINATOR, RECURSIVE_EFFECTS, NO_REGION_ARGS),
    assembly = custom(assembly::parse_mask, assembly::print_mask),
    terminator = "vector.yield",
    verify = verify_mask,
    services(Evaluate = EvaluateFn(evaluate::mask::mask))
)]
pub struct Mask {
    /// The mask.
    mask: Operand<MASK_WITH_RANK>,
    /// The pass-through vector.
    passthru: Option<Operand<ANY>>,
    /// The results of the masked operation.
    results: Vec<OpResult<ANY>>,
    /// The masked operation, and `vector.yield` of its results.
    #[region(non_empty, name = "maskRegion")]
    mask_region: Region,
}

/// The mask type for an operation; `None` if it cannot be masked.
pub(crate) fn expected_mask(op: OpRef<'_>) -> Option<Type> {
    let ctx = op.context();
    // The verifier of a mask visits the operation before its own verifier does.
    let has = |operands, results| op.n_operands() >= operands && op.n_results() >= results;
    let is_complete = match op.is::<Reduction>() || op.is::<MultiReduction>() || op.is::<OuterProduct>() {
        true => has(1, 1),
        false => has(2, 0) && (!op.is::<Contract>() || op.attr_named("indexing_maps").is_some()),
    };
    if !is_complete || op.is::<Gather>() && !has(4, 1) {
        return None;
    }
    let of = |ty: Type| ty.with_element(ctx, Type::I1);
    if op.is::<Reduction>() || op.is::<MultiReduction>() {
        of(operand(op, 0))
    } else if op.is::<OuterProduct>() {
        of(result(op))
    } else if op.is::<Gather>() {
        // The base, its offsets, the indices, the mask, and the pass-through vector.
        of(operand(op, op.n_operands() - 3))
    } else if op.is::<TransferRead>() || op.is::<TransferWrite>() {
        let transfer = Transfer::of(op)?;
        Some(mask_type(ctx, transfer.vector, &transfer.map))
    } else {
        let maps = op.cast::<Contract>()?.maps(op.body());
        let factors = [0, 1].map(|at| Parts::of_any(ctx, operand(op, at)));
        let shape: Vec<i64> =
            domain(&maps, factors.map(|parts| parts.shape)).into_iter().collect::<Option<_>>()?;
        let scalable = domain(&maps, factors.map(|parts| parts.scalable)).into_iter();
        let scalable: Vec<bool> = scalable.collect::<Option<_>>()?;
        Some(vector(ctx, &shape, &scalable, Type::I1))
    }
}

/// Whether an operation is masked. Its replacement in the region must be maskable too, and its result differs from
/// that of the unmasked operation.
pub(crate) fn is_masked(op: OpRef<'_>) -> bool {
    op.parent().is_some_and(|parent| op.body().op(parent).is::<Mask>())
}

fn is_maskable(op: OpRef<'_>) -> bool {
    op.is::<Reduction>()
        || op.is::<MultiReduction>()
        || op.is::<OuterProduct>()
        || op.is::<Gather>()
        || op.is::<TransferRead>()
        || op.is::<TransferWrite>()
        || op.is::<Contract>()
}

fn mask(op: OpRef<'_>) -> Rule {
    let (ctx, body) = (op.context(), op.body());
    let Some(block) = op.own_regions().next().and_then(|region| body.region(region).entry()) else {
        return Ok(());
    };
    let inside: Vec<OpRef<'_>> = body.block(block).ops().map(|op| body.op(op)).collect();
    let no_end = "expects a terminator within the mask region";
    require(!inside.is_empty(), no_end)?;
    require(inside.len() <= 2, "expects only one operation to mask")?;
    let end = inside[inside.len() - 1];
    require(end.is::<Yield>(), no_end)?;
    require(
        end.n_operands() == op.n_results(),
        "expects number of results to match mask region yielded values",
    )?;
    let [masked, _] = inside[..] else { return Ok(()) };
    require(is_maskable(masked), "expects a MaskableOpInterface within the mask region")?;
    require(
        masked.n_results() == op.n_results(),
        "expects number of results to match maskable operation number of results",
    )?;
    require(
        masked.results().eq(end.operands()),
        "expects all the results from the MaskableOpInterface to match all the values returned by the terminator",
    )?;
    require(
        masked.result_types().eq(op.result_types()),
        "expects result type to match maskable operation result type",
    )?;
    if let Some(want) = expected_mask(masked) {
        let text = quoted(ctx, want);
        require(operand(op, 0) == want, format!("expects a {text} mask for the maskable operation"))?;
    }
    let Some(passed) = op.operand_types().nth(1) else { return Ok(()) };
    require(masked.is::<TransferRead>(), "doesn't expect a passthru argument for this maskable operation")?;
    require(masked.n_results() == 1, "expects result when passthru argument is provided")?;
    require(Some(passed) == masked.result_types().next(), "expects passthru type to match result type")
}

verifiers! {
    verify_create = |op| match result(op).rank(op.context()) {
        Some(0) => require(op.n_operands() == 1, "must specify exactly one operand for 0-D create_mask"),
        rank => require(
            Some(op.n_operands()) == rank,
            "must specify an operand for each result vector dimension",
        ),
    };
    verify_constant = constant_mask_rule;
    verify_mask = mask;
}
