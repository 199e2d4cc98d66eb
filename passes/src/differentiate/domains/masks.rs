//! Cotangents that are zero at the elements that an operation over a domain did not select.
//!
//! The slope of an operation on tensors may be infinite at elements that a later operation does not select. Their cotangents are
//! zero, and a product of both is not a number. So the reverse sweep remembers by which condition a cotangent was selected, and
//! the pullback of an elementwise operation selects its own terms by the same condition.

use super::Target;
use crate::differentiate::work::Work;
use minoan_ir::affine::{AffineExpr, AffineMap};
use minoan_ir::{Body, Builder, Value};
use minoan_services::{SelectLike, is_constant_zero, permutation};

/// A cotangent is zero where the element of `condition` is not `holds`.
#[derive(Clone)]
pub(in crate::differentiate) struct Mask {
    condition: Value,
    /// From the indices of the cotangent to those of the condition.
    map: AffineMap,
    holds: bool,
}

impl Mask {
    /// The condition as an input of an operation that accesses the cotangent at `map`.
    pub(super) fn input(&self, map: &AffineMap) -> Option<(Value, AffineMap)> {
        Some((self.condition, compose(&self.map, &map.results, map.dims)?))
    }

    /// The mask of the cotangent of `target`, if the whole cotangent of an operation that accesses its result at `map` has this one.
    fn carried(&self, map: &AffineMap, target: &Target) -> Option<Mask> {
        let (condition, map) = self.input(map)?;
        at_elements(condition, &map, target, self.holds)
    }
}

/// The cotangent of an element of a result, which is masked.
#[derive(Clone)]
pub(super) struct Masked {
    pub(super) mask: Mask,
    /// The input that the condition is.
    pub(super) input: usize,
    pub(super) map: AffineMap,
}

impl Masked {
    /// Creates the cotangent as a selection.
    pub(super) fn select(
        &self,
        work: &Work<'_, '_>,
        b: &mut Builder<'_>,
        seed: Value,
        given: &[Option<Value>],
    ) -> Value {
        let Some(condition) = given[self.input] else { return seed };
        let (yes, no) = if self.mask.holds { (Some(seed), None) } else { (None, Some(seed)) };
        work.engine.ops.select_or_zero(b, condition, yes, no)
    }
}

/// The mask of the cotangent of a target that is `cotangent` at a point. `seeds` are the masked cotangents if all are.
pub(super) fn mask_of(
    body: &Body,
    cotangent: Value,
    target: &Target,
    inputs: &[super::Input],
    given: &[Option<Value>],
    seeds: &[Masked],
) -> Option<Mask> {
    if let [seed] = seeds {
        return seed.mask.carried(&seed.map, target);
    }
    let op = body.op(body.defining_op(cotangent)?);
    let choice = op.context().service::<dyn SelectLike>(op.kind())?.choice(op)?;
    let holds = is_constant_zero(body, choice.no);
    if holds == is_constant_zero(body, choice.yes) {
        return None;
    }
    let at = given.iter().position(|&element| element == Some(choice.condition))?;
    let (condition, map) = &inputs[at];
    at_elements(*condition, map, target, holds)
}

/// The mask of a cotangent by a condition that is read at a point of the domain.
fn at_elements(condition: Value, map: &AffineMap, target: &Target, holds: bool) -> Option<Mask> {
    let order = permutation(&target.map)?;
    let mut indices = vec![AffineExpr::Constant(0); order.len()];
    for (index, &dim) in order.iter().enumerate() {
        indices[dim as usize] = AffineExpr::Dim(index as u32);
    }
    Some(Mask { condition, map: compose(map, &indices, order.len() as u32)?, holds })
}

/// The map `outer` of the values of `inner`, which are expressions of `dims` dimensions.
fn compose(outer: &AffineMap, inner: &[AffineExpr], dims: u32) -> Option<AffineMap> {
    let results: Option<Vec<AffineExpr>> = outer.results.iter().map(|expr| expr.substitute(inner)).collect();
    Some(AffineMap { results: results?.into(), ..AffineMap::projection(dims, &[]) })
}
