//! Assertions on the extents of operands at run time.

use crate::structured;
use minoan_ir::affine::{AffineExpr, AffineOp};
use minoan_ir::{Op, Value};
use minoan_services::RuntimeIndex as Index;
use minoan_services::{RuntimeChecks, RuntimeCondition, RuntimeVerification};
use std::fmt::Display;

/// The operand dimensions that a loop indexes alone have the same extent, and other indices are in bounds.
///
/// Indices that are computed with remainders, or with the difference of two loops, are not checked.
pub(crate) struct MapsFit;

impl RuntimeVerification for MapsFit {
    fn verify_at_run_time(&self, checks: &mut RuntimeChecks<'_, '_>, op: Op) {
        let view = checks.op(op);
        let Some(maps) = structured::maps(view) else { return };
        let operands: Vec<Value> = view.operands().collect();
        let mut extents = vec![None; maps.first().map_or(0, |map| map.dims as usize)];
        let mut others = Vec::new();
        for (map, &operand) in maps.iter().zip(&operands) {
            if !structured::is_array(checks.context(), checks.ty(operand)) {
                continue;
            }
            for (dim, expr) in map.results.iter().enumerate() {
                let extent = checks.extent(operand, dim);
                match *expr {
                    AffineExpr::Dim(at) => {
                        let first = *extents[at as usize].get_or_insert(extent);
                        let same = checks.equal(first, extent);
                        checks.expect(same, &extents_message(at, "{}", "{}"), &[first, extent]);
                    }
                    ref expr => others.push((expr, extent)),
                }
            }
        }
        let Some(extents) = extents.into_iter().collect::<Option<Vec<Index>>>() else { return };
        // An index that never decreases along a loop is largest at the last point.
        others.retain(|(expr, _)| never_decreases(expr));
        if others.is_empty() {
            return;
        }
        let last: Vec<Index> = extents.iter().map(|&extent| checks.sub(extent, Index::Constant(1))).collect();
        for (expr, extent) in others {
            let Some(index) = checks.apply(expr, &last) else { continue };
            let inside = checks.is_inside(index, extent);
            if inside == RuntimeCondition::Known(true) {
                continue;
            }
            let inside = extents.iter().fold(inside, |inside, &extent| {
                let no_points = checks.equal(extent, Index::Constant(0));
                checks.either(no_points, inside)
            });
            checks.expect(inside, "index {} is out of bounds for extent {}", &[index, extent]);
        }
    }
}

/// The error for operands in which a loop has different extents; those that are values of an assertion are `{}`.
pub(crate) fn extents_message(dim: u32, first: impl Display, other: impl Display) -> String {
    format!("inconsistent extents of loop {dim}: {first} and {other}")
}

/// Whether an expression of nonnegative dimensions is nonnegative, and never decreases when a dimension grows.
fn never_decreases(expr: &AffineExpr) -> bool {
    match expr {
        AffineExpr::Dim(_) => true,
        AffineExpr::Constant(value) => *value >= 0,
        AffineExpr::Symbol(_) => false,
        AffineExpr::Binary(AffineOp::Mod, ..) => false,
        AffineExpr::Binary(_, lhs, rhs) => never_decreases(lhs) && never_decreases(rhs),
    }
}

/// The input and the output have the same extents.
pub(crate) struct SameExtents;

impl RuntimeVerification for SameExtents {
    fn verify_at_run_time(&self, checks: &mut RuntimeChecks<'_, '_>, op: Op) {
        let operands: Vec<Value> = checks.op(op).operands().collect();
        let (input, output) = (checks.extents(operands[0]), checks.extents(operands[1]));
        for (dim, (input, output)) in input.into_iter().zip(output).enumerate() {
            let same = checks.equal(input, output);
            checks.expect(same, &extents_message(dim as u32, "{}", "{}"), &[input, output]);
        }
    }
}
