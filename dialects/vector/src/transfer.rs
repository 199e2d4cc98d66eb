//! Transfers between vectors and memory or tensors, with padding and permuted dimensions.

use crate::constraints::{MASK_WITH_RANK, VECTOR};
use crate::rules::{Rule, require, result, verifiers};
use crate::types::{Parts, bits, quoted, vector};
use crate::{assembly, buffers, effects, evaluate, fold};
use minoan_ir::affine::{AffineExpr, AffineMap};
use minoan_ir::constraints::{ANY, INDEX, RANKED_TENSOR, SHAPED};
use minoan_ir::{Array, Attr, Context, OpRef, Type, TypeData, op};
use minoan_services::{AliasModel, EffectSet, Effects, Evaluate, EvaluateFn, Fold, ToBuffers};

/// Reads a vector from memory or a tensor.
///
/// The permutation map determines the dimension of the base for each dimension of the vector, or 0 for a broadcast. By
/// default, it maps to the last dimensions. Elements outside of the base are the padding, except along dimensions
/// that are declared in bounds.
#[op(
    "vector.transfer_read",
    traits(OPERAND_SEGMENTS),
    assembly = custom(assembly::parse_read, assembly::print_read),
    verify = verify_read,
    services(
        Evaluate = EvaluateFn(evaluate::transfer::transfer_read),
        Effects = effects::OnMemory(0, EffectSet::READ),
        Fold = fold::Unmasked(fold::memory::transfer_read),
        ToBuffers = buffers::Reads,
    )
)]
pub struct TransferRead {
    /// The base.
    base: Operand<SHAPED>,
    /// An index for each dimension of the base.
    indices: Vec<Operand<INDEX>>,
    /// Maps the dimensions of the base to those of the vector.
    permutation_map: AffineMap,
    /// The padding for elements out of bounds.
    padding: Operand<ANY>,
    /// The mask; inactive elements are the padding.
    mask: Option<Operand<MASK_WITH_RANK>>,
    /// For each dimension of the vector, whether it is entirely in bounds.
    in_bounds: Array<bool>,
    /// The vector.
    vector: OpResult<VECTOR>,
}

/// Writes a vector to memory or to a copy of a tensor.
///
/// Elements outside of the base are not written.
#[op(
    "vector.transfer_write",
    traits(OPERAND_SEGMENTS),
    assembly = custom(assembly::parse_write, assembly::print_write),
    verify = verify_write,
    services(
        Evaluate = EvaluateFn(evaluate::transfer::transfer_write),
        Effects = effects::OnMemory(1, EffectSet::WRITE),
        Fold = fold::Unmasked(fold::memory::transfer_write),
        AliasModel = buffers::Updates(1),
        ToBuffers = buffers::Updates(1),
    )
)]
pub struct TransferWrite {
    /// The vector.
    #[operand(VECTOR, name = "valueToStore")]
    value_to_store: Value,
    /// The base.
    base: Operand<SHAPED>,
    /// An index for each dimension of the base.
    indices: Vec<Operand<INDEX>>,
    /// Maps the dimensions of the base to those of the vector.
    permutation_map: AffineMap,
    /// The mask; inactive elements are not written.
    mask: Option<Operand<MASK_WITH_RANK>>,
    /// For each dimension of the vector, whether it is entirely in bounds.
    in_bounds: Array<bool>,
    /// The updated tensor, if the base is a tensor.
    result: Option<OpResult<RANKED_TENSOR>>,
}

/// The components of a transfer in either direction.
#[derive(Clone)]
pub(crate) struct Transfer {
    /// The type of the base.
    pub base: Type,
    /// The vector type.
    pub vector: Type,
    /// The mask type.
    pub mask: Option<Type>,
    /// Maps the dimensions of the base to those of the vector.
    pub map: AffineMap,
    /// For each dimension of the vector, whether it is in bounds.
    pub in_bounds: Vec<bool>,
    /// The number of indices.
    pub indices: usize,
}

impl Transfer {
    /// The components of a `vector.transfer_read` or a `vector.transfer_write`.
    pub(crate) fn of(op: OpRef<'_>) -> Option<Self> {
        let (ctx, read) = (op.context(), op.is::<TransferRead>());
        let ty = |group: usize| op.operand_group(group).first().map(|&value| op.body().ty(value));
        let map = op.attr_named("permutation_map")?.as_affine_map(ctx)?.clone();
        let in_bounds = op.attr_named("in_bounds")?.as_array(ctx)?;
        Some(Self {
            base: ty(usize::from(!read))?,
            vector: if read { result(op) } else { ty(0)? },
            mask: ty(3),
            map,
            in_bounds: in_bounds.iter().map(|&one| one == Attr::TRUE).collect(),
            indices: op.operand_group(if read { 1 } else { 2 }).len(),
        })
    }
}

/// The number of vector dimensions that are not dimensions of the base's elements.
fn effective_rank(ctx: &Context, base: Type, vector: Type) -> usize {
    let rank = |ty: Type| Parts::of(ctx, ty).map_or(0, Parts::rank);
    rank(vector).saturating_sub(rank(base.element_or_self(ctx)))
}

/// The default map of a transfer: the last dimensions of the base. `None` if the base has too few.
pub(crate) fn default_map(ctx: &Context, base: Type, vector: Type) -> Option<AffineMap> {
    let (rank, needed) = (base.rank(ctx)?, effective_rank(ctx, base, vector));
    let keep: Vec<u32> = (rank.checked_sub(needed)?..rank).map(|dim| dim as u32).collect();
    Some(AffineMap::projection(rank as u32, &keep))
}

/// Whether a map is a minor identity, the default, which is not printed.
pub(crate) fn is_minor_identity(map: &AffineMap) -> bool {
    let Some(lead) = (map.dims as usize).checked_sub(map.results.len()) else { return false };
    map.symbols == 0
        && map.results.iter().enumerate().all(|(at, result)| *result == AffineExpr::Dim((lead + at) as u32))
}

/// The vector dimensions of the base dimensions that occur in the map, in the order of the latter.
pub(crate) fn mask_dims(map: &AffineMap) -> Vec<usize> {
    let mut dims: Vec<(u32, usize)> = (map.results.iter().enumerate())
        .filter_map(|(at, result)| match result {
            AffineExpr::Dim(dim) => Some((*dim, at)),
            _ => None,
        })
        .collect();
    dims.sort_unstable();
    dims.into_iter().map(|(_, at)| at).collect()
}

/// The mask type of a transfer: a bit for each element of the base that may be accessed.
pub(crate) fn mask_type(ctx: &Context, ty: Type, map: &AffineMap) -> Type {
    let parts = Parts::of_any(ctx, ty);
    let dims: Vec<usize> = mask_dims(map).into_iter().filter(|&dim| dim < parts.rank()).collect();
    if dims.is_empty() { vector(ctx, &[1], &[false], Type::I1) } else { parts.pick(ctx, dims, Type::I1) }
}

/// Verifies that the last dimension of the vector consists of whole elements of the base, and that the ranks match
/// the map.
fn shapes(ctx: &Context, transfer: &Transfer) -> Rule {
    let (element, parts) = (transfer.base.element_or_self(ctx), Parts::of_any(ctx, transfer.vector));
    let row = |ty: Type| {
        let parts = Parts::of_any(ctx, ty);
        bits(ctx, parts.element)?.checked_mul(parts.shape.last().copied().unwrap_or(1))
    };
    let whole = match (row(transfer.vector), row(element)) {
        (Some(row), Some(of)) => row % of.max(1) == 0,
        _ => true,
    };
    let same_rank = "requires a permutation_map with result dims of the same rank as the vector type";
    let multiple =
        "requires the bitwidth of the minor 1-D vector to be an integral multiple of the bitwidth of the";
    match Parts::of(ctx, element) {
        Some(element) => {
            require(whole, format!("{multiple} minor 1-D vector of the source"))?;
            let rest = parts.rank().checked_sub(element.rank());
            let rest = rest.ok_or("requires source vector element and vector result ranks to match.")?;
            require(transfer.map.results.len() == rest, same_rank)?;
            require(transfer.mask.is_none(), "does not support masks with vector element type")
        }
        None => {
            require(whole, format!("{multiple} source element type"))?;
            require(transfer.map.results.len() == parts.rank(), same_rank)
        }
    }
}

fn common(op: OpRef<'_>, transfer: &Transfer) -> Rule {
    let ctx = op.context();
    require(op.attr_named("masked").is_none(), "masked attribute has been removed. Use in_bounds instead.")?;
    let ranked = matches!(transfer.base.data(ctx), TypeData::MemRef { .. } | TypeData::RankedTensor { .. });
    require(ranked, "requires source to be a memref or ranked tensor type")?;
    shapes(ctx, transfer)?;
    let map = &transfer.map;
    require(map.symbols == 0, "requires permutation_map without symbols")?;
    require(
        map.dims as usize == transfer.base.rank(ctx).unwrap_or(0),
        "requires a permutation_map with input dims of the same rank as the source type",
    )?;
    if let Some(mask) = transfer.mask {
        let want = mask_type(ctx, transfer.vector, map);
        let [want_text, mask_text] = [want, mask].map(|ty| quoted(ctx, ty));
        require(
            want == mask,
            format!("inferred mask type ({want_text}) and mask operand type ({mask_text}) don't match"),
        )?;
    }
    require(
        map.results.len() == transfer.in_bounds.len(),
        format!(
            "expects the in_bounds attr of same rank as permutation_map results: affine_map<{map}> vs inBounds of size: {}",
            transfer.in_bounds.len()
        ),
    )
}

/// Verifies that each result of the map is a distinct dimension or zero.
fn projected(map: &AffineMap) -> Rule {
    let mut seen = vec![false; map.dims as usize];
    for result in &map.results {
        match result {
            AffineExpr::Constant(0) => {}
            AffineExpr::Dim(dim) => require(
                !std::mem::replace(&mut seen[*dim as usize], true),
                "requires a permutation_map that is a permutation (found one dim used more than once)",
            )?,
            _ => {
                return Err("requires a projected permutation_map (at most one dim or the zero constant can appear in each result)".into());
            }
        }
    }
    Ok(())
}

fn enough_indices(ctx: &Context, transfer: &Transfer) -> Rule {
    let rank = transfer.base.rank(ctx).unwrap_or(0);
    require(transfer.indices == rank, format!("requires {rank} indices"))
}

fn padding_fits(op: OpRef<'_>, base: Type) -> Rule {
    let (ctx, element) = (op.context(), base.element_or_self(op.context()));
    let padding = op.operand_group(2).first().map(|&value| op.body().ty(value));
    require(
        padding == Some(element),
        match element.is_vector(ctx) {
            true => "requires source element type and padding type to match.",
            false => "requires formal padding and source of the same elemental type",
        },
    )
}

verifiers! {
    verify_read = |op| {
        let Some(transfer) = Transfer::of(op) else { return Ok(()) };
        enough_indices(op.context(), &transfer)?;
        common(op, &transfer)?;
        padding_fits(op, transfer.base)?;
        projected(&transfer.map)
    };
    verify_write = |op| {
        let Some(transfer) = Transfer::of(op) else { return Ok(()) };
        enough_indices(op.context(), &transfer)?;
        let repeats = transfer.map.results.contains(&AffineExpr::Constant(0));
        require(!repeats, "should not have broadcast dimensions")?;
        common(op, &transfer)?;
        projected(&transfer.map)
    };
}
