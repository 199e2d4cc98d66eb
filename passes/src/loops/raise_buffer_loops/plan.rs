//! Plans of nests: the statements that replace them, and the conditions under which they do.

use super::conflicts::Pair;
use super::nest::{Element, Nest, Place};
use super::statement::Statement;
use crate::analysis::linear::Linear;
use minoan_ir::strided::Strided;
use minoan_ir::{Body, Value};
use rustc_hash::FxHashSet;

/// A bound on an index that is checked at run time.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Check {
    /// The form is not negative.
    NotNegative(Linear),
    /// The form is less than the extent of a dimension of a buffer.
    Below(Linear, Value, usize),
}

/// The replacement of a nest, if no check fails and the buffers of each pair share no memory.
pub(super) struct Plan {
    pub statements: Vec<Statement>,
    pub pairs: Vec<Pair>,
    pub checks: Vec<Check>,
}

/// Upper bound on the pairs of buffers that are compared at run time.
const PAIRS: usize = 16;

impl Nest<'_, '_> {
    /// The plan of the nest: its stores one after the other, each in all iterations.
    pub(super) fn plan(&self, body: &Body) -> Option<Plan> {
        let dims = self.forms.dims();
        // The bounds of each loop are the same in all iterations of the others, and it has iterations.
        let is_regular = dims.iter().all(|dim| {
            let depends = |form: &Linear| dims.iter().any(|other| form.coefficient(other.index) != 0);
            let size = dim.size();
            let is_empty = size.is_none_or(|size| size.invariants.is_empty() && size.constant <= 0);
            !depends(&dim.lower) && !depends(&dim.upper) && !is_empty
        });
        if !is_regular {
            return None;
        }
        let (mut pairs, mut statements) = (Vec::new(), Vec::new());
        for store in &self.stores {
            statements.push(self.statement(body, store, &mut pairs)?);
        }
        for (at, earlier) in statements.iter().enumerate() {
            for later in &statements[at + 1..] {
                if !self.is_before(body, earlier, later, &mut pairs) {
                    return None;
                }
            }
        }
        let mut checks = Vec::new();
        let mut checked: FxHashSet<Place> = FxHashSet::default();
        for element in statements.iter().flat_map(|statement| &statement.elements) {
            if checked.insert(element.place.clone()) {
                self.add_checks(body, &element.place, &mut checks)?;
            }
        }
        (pairs.len() <= PAIRS).then_some(Plan { statements, pairs, checks })
    }

    /// Whether the accesses of a statement can all come before those of a later one.
    fn is_before(&self, body: &Body, earlier: &Statement, later: &Statement, pairs: &mut Vec<Pair>) -> bool {
        // The first element of a statement is the one that it stores to.
        let mut ordered = |a: &Element, b: &Element| self.are_ordered(body, a, b, pairs);
        let (a, b) = (&earlier.elements[0], &later.elements[0]);
        earlier.elements.iter().all(|element| ordered(element, b))
            && later.elements[1..].iter().all(|element| ordered(a, element))
    }

    /// Adds the bounds of the indices of an element that are not known to hold; `None` if the buffer has no parts.
    fn add_checks(&self, body: &Body, place: &Place, checks: &mut Vec<Check>) -> Option<()> {
        let (ctx, ty) = (body.context(), body.ty(place.buffer));
        if Strided::of(ctx, ty).is_none() || ty.memory_space(ctx).is_some() {
            return None;
        }
        let mut add = |check: Check| {
            if !checks.contains(&check) {
                checks.push(check);
            }
        };
        for (dim, index) in place.indices.iter().enumerate() {
            let (least, greatest) = (self.forms.least(index)?, self.forms.greatest(index)?);
            if !self.forms.is_not_negative(body, &least) {
                if least.invariants.is_empty() {
                    return None;
                }
                add(Check::NotNegative(least));
            }
            let extent = self.forms.extent(body, place.buffer, dim);
            let is_below =
                extent.as_ref().is_some_and(|extent| self.forms.is_below(body, &greatest, extent, 1));
            if !is_below {
                let is_static = extent.is_some_and(|extent| extent.invariants.is_empty());
                if is_static && greatest.invariants.is_empty() {
                    return None;
                }
                add(Check::Below(greatest, place.buffer, dim));
            }
        }
        Some(())
    }
}
