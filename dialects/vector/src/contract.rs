//! Contractions: products of elements, summed along the dimensions shared by both operands.

use crate::attributes::IteratorType;
use crate::constraints::VECTOR_WITH_RANK;
use crate::kind::CombiningKind;
use crate::reduce::supports;
use crate::rules::{Rule, operand, require, result, verifiers};
use crate::types::{Parts, quoted, vector};
use crate::{assembly, evaluate, fold};
use minoan_ir::affine::{AffineExpr, AffineMap};
use minoan_ir::constraints::ANY;
use minoan_ir::{Array, Attr, Body, OpRef, Type, op};
use minoan_services::{Evaluate, EvaluateFn, Fold, Folded};

/// Products of the elements of two vectors, combined with an accumulator along the reduction dimensions.
///
/// Each operand has an affine map from the iteration domain to its indices, as in `linalg.generic`. A matrix product:
///
/// ```mlir
/// %d = vector.contract {
///   indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
///   iterator_types = ["parallel", "parallel", "reduction"]
/// } %a, %b, %c : vector<2x4xf32>, vector<4x3xf32> into vector<2x3xf32>
/// ```
#[op(
    "vector.contract",
    traits(PURE),
    assembly = custom(assembly::parse_contract, assembly::print_contract),
    verify = verify_contract,
    services(
        Evaluate = EvaluateFn(evaluate::reduce::evaluate_contract),
        Fold = fold::Unmasked(|_, _| Folded::Unchanged),
    )
)]
pub struct Contract {
    /// The left factor.
    lhs: Operand<VECTOR_WITH_RANK>,
    /// The right factor.
    rhs: Operand<VECTOR_WITH_RANK>,
    /// The accumulator.
    acc: Operand<ANY>,
    /// The indexing map of each operand.
    indexing_maps: Array<Attr>,
    /// The iterator type of each dimension.
    iterator_types: Array<IteratorType>,
    /// The combining operation.
    #[attr(default = CombiningKind::Add)]
    kind: CombiningKind,
    /// The updated accumulator.
    result: OpResult<ANY>,
}

impl Contract {
    /// The indexing maps of the operands; malformed attributes are skipped.
    pub fn maps(self, body: &Body) -> Vec<AffineMap> {
        let ctx = body.context();
        let maps = self.indexing_maps(body).attrs();
        maps.iter().filter_map(|map| map.as_affine_map(ctx).cloned()).collect()
    }
}

/// The position of a dimension of the domain among the results of a map.
pub(crate) fn place(map: &AffineMap, dim: usize) -> Option<usize> {
    map.results.iter().position(|result| *result == AffineExpr::Dim(dim as u32))
}

/// The extents of the domain, or whether they are scalable, from those of the two vectors; `None` for a dimension that
/// neither has.
pub(crate) fn domain<T: Copy>(maps: &[AffineMap], shapes: [&[T]; 2]) -> Vec<Option<T>> {
    let dims = maps.first().map_or(0, |map| map.dims as usize);
    let extent = |dim| maps.iter().zip(shapes).find_map(|(map, shape)| shape.get(place(map, dim)?).copied());
    (0..dims).map(extent).collect()
}

/// Each map has the domain's dimensions as inputs and selects some of them for its operand.
fn maps_fit(op: OpRef<'_>, maps: &[AffineMap], dims: usize) -> Rule {
    for (index, map) in maps.iter().enumerate() {
        let expected = format!("expected indexing map {index}");
        let rank = Parts::of_any(op.context(), operand(op, index)).rank();
        require(map.symbols == 0, format!("{expected} to have no symbols"))?;
        require(map.dims as usize == dims, format!("{expected} to have {dims} number of inputs"))?;
        require(map.results.len() == rank, format!("{expected} to have {rank} number of outputs"))?;
        let picks = map.as_projection().is_some();
        require(picks, format!("{expected} to be a projected permutation of its inputs"))?;
    }
    Ok(())
}

fn contract_rule(op: OpRef<'_>) -> Rule {
    let ctx = op.context();
    let [lhs, rhs] = [0, 1].map(|at| Parts::of_any(ctx, operand(op, at)));
    require(lhs.element == rhs.element, "failed to verify that lhs and rhs have same element type")?;
    let (acc, to) = (operand(op, 2), result(op));
    require(
        acc.element_or_self(ctx) == to.element_or_self(ctx),
        "failed to verify that third operand acc and result have same element type",
    )?;
    let signless = lhs.element.integer_width(ctx).is_none() || lhs.element.is_signless_integer(ctx);
    require(signless, "only supports signless integer types")?;
    let Some(contract) = op.cast::<Contract>() else { return Ok(()) };
    let maps = contract.maps(op.body());
    require(maps.len() == 3, "expected an indexing map for each vector operand")?;
    let iterators = contract.iterator_types(op.body());
    maps_fit(op, &maps, iterators.len())?;
    let shared = |iterator: IteratorType| -> Vec<(usize, usize)> {
        let of_kind = |dim: &usize| iterators.get(*dim) == Some(iterator);
        let both = |dim| Some((place(&maps[0], dim)?, place(&maps[1], dim)?));
        (0..iterators.len()).filter(of_kind).filter_map(both).collect()
    };
    let same = |pairs: &[(usize, usize)]| pairs.iter().all(|&(l, r)| lhs.shape[l] == rhs.shape[r]);
    let (contracting, batch) = (shared(IteratorType::Reduction), shared(IteratorType::Parallel));
    require(!contracting.is_empty(), "expected at least one contracting dimension pair")?;
    require(same(&contracting), "invalid contracting dimension map")?;
    require(same(&batch), "invalid batch dimension map")?;
    let left = |dim: &usize| !contracting.iter().any(|&(l, _)| l == *dim);
    let right = |dim: &usize| !contracting.iter().chain(&batch).any(|&(_, r)| r == *dim);
    let free = (0..lhs.rank()).any(|dim| left(&dim)) || (0..rhs.rank()).any(|dim| right(&dim));
    output_fits(op, &maps, [lhs, rhs], free)?;
    require(supports(ctx, CombiningKind::of(op), to.element_or_self(ctx)), "unsupported contraction type")
}

/// Verifies that accumulator and result have the extents that follow from the maps; `free` is whether dimensions
/// remain.
fn output_fits(op: OpRef<'_>, maps: &[AffineMap], factors: [Parts<'_>; 2], free: bool) -> Rule {
    let (ctx, acc, to) = (op.context(), operand(op, 2), result(op));
    let vectors = [acc, to].map(|ty| ty.is_vector(ctx));
    let message = "invalid accumulator/result vector shape";
    require(vectors == [free, free], message)?;
    let Some(parts) = Parts::of(ctx, to) else { return Ok(()) };
    let extents = domain(maps, factors.map(|parts| parts.shape));
    let known: Option<Vec<i64>> = extents.into_iter().collect();
    let known = known.ok_or("expected all dimensions to be either a LHS or a RHS dimension")?;
    let extent = |result: &AffineExpr| result.evaluate(&known, &[]).unwrap_or(0);
    let shape: Vec<i64> = maps[2].results.iter().map(extent).collect();
    if shape.len() != parts.rank() {
        return Err(message.into());
    }
    let want: Type = vector(ctx, &shape, parts.scalable, parts.element);
    require(acc == want && to == want, format!("{message}, expected: {}", quoted(ctx, want)))
}

verifiers! {
    verify_contract = contract_rule;
}
