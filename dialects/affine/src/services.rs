//! Implementations of services by the affine operations.

use crate::expand::expand_map;
use crate::value_map::ValueMap;
use crate::{DelinearizeIndex, For, Yield};
use minoan_ir::affine::{AffineExpr, AffineOp};
use minoan_ir::text::print_type;
use minoan_ir::{DYNAMIC, DialectBuilder, Op, OpDef, OpRef, Type, Violations};
use minoan_services::{
    Cost, Inliner, OperandUse, Ownership, RuntimeChecks, RuntimeVerification, SlotAccess, SlotUse,
    Speculatability, Speculation, check_edge,
};
use std::sync::Arc;

/// Operands of this group are consumed by the operation.
pub(crate) struct ConsumeGroup(pub usize);

impl Ownership for ConsumeGroup {
    fn operand(&self, op: OpRef<'_>, index: usize) -> OperandUse {
        if op.operand_range(self.0).contains(&index) { OperandUse::Consume } else { OperandUse::Borrow }
    }
}

struct ConsumeAll;

impl Ownership for ConsumeAll {
    fn operand(&self, _: OpRef<'_>, _: usize) -> OperandUse {
        OperandUse::Consume
    }
}

/// The services of `affine.yield`.
pub(crate) fn yields<O: OpDef>(dialect: &mut DialectBuilder<'_>) {
    dialect.op_service::<O, dyn Ownership>(Arc::new(ConsumeAll));
    dialect.op_service::<O, dyn Cost>(Arc::new(0));
}

/// Operations with maps: arguments of a function are symbols, but the values that replace them inside of a loop may not be.
pub(crate) struct AtTheTop;

impl Inliner for AtTheTop {
    fn is_legal_to_inline(&self, _: OpRef<'_>) -> bool {
        false
    }
}

/// Whether all divisors in an expression are positive constants.
fn has_safe_divisors(expr: &AffineExpr) -> bool {
    let AffineExpr::Binary(op, lhs, rhs) = expr else { return true };
    let safe = match (op, &**rhs) {
        (AffineOp::Add | AffineOp::Mul, _) => true,
        (_, AffineExpr::Constant(by)) => *by > 0,
        _ => false,
    };
    safe && has_safe_divisors(lhs) && has_safe_divisors(rhs)
}

/// Whether the map of an operation divides by positive constants only.
pub(crate) fn divides_safely(op: OpRef<'_>) -> bool {
    let map = op.attr_named("map").and_then(|map| map.as_affine_map(op.context()));
    map.is_some_and(|map| !map.results.is_empty() && map.results.iter().all(has_safe_divisors))
}

/// Whether the elements of a basis that are divided by are constants, which are positive.
pub(crate) fn has_known_basis(op: OpRef<'_>) -> bool {
    let numbers = DelinearizeIndex::from_op_unchecked(op.id()).numbers(op.body());
    let first = (numbers.len() + 1).saturating_sub(op.n_results());
    numbers.iter().skip(first).all(|&number| number != DYNAMIC)
}

/// A loop by one step ends; one whose bounds divide by an operand may have undefined behavior.
pub(crate) struct LoopSpeculation;

impl Speculation for LoopSpeculation {
    fn speculatability(&self, op: OpRef<'_>) -> Speculatability {
        let (of, body) = (For::from_op_unchecked(op.id()), op.body());
        let maps = [of.lower_bound_map(body), of.upper_bound_map(body)];
        let safe = maps.iter().all(|map| map.results.iter().all(has_safe_divisors));
        if safe && of.step(body) == 1 {
            Speculatability::Recursively
        } else {
            Speculatability::NotSpeculatable
        }
    }
}

/// The indices of an access are in bounds.
pub(crate) struct Indices;

impl RuntimeVerification for Indices {
    fn verify_at_run_time(&self, checks: &mut RuntimeChecks<'_, '_>, op: Op) {
        let view = checks.op(op);
        let at = usize::from(view.is::<crate::Store>());
        let buffer = view.operand(at);
        let Some(values) = ValueMap::of(view, "map", view.operands().skip(at + 1).collect()) else { return };
        let Some(indices) = expand_map(checks.builder(), &values) else { return };
        for (dim, &index) in indices.iter().enumerate() {
            let (index, extent) = (checks.index(index), checks.extent(buffer, dim));
            checks.expect_inside(index, extent);
        }
    }
}

/// The only valid index of an extent of one is zero.
pub(crate) struct Loads;

impl SlotAccess for Loads {
    fn access(&self, _: OpRef<'_>, operand: usize) -> Option<SlotUse> {
        (operand == 0).then_some(SlotUse::Load)
    }
}

pub(crate) struct Stores;

impl SlotAccess for Stores {
    fn access(&self, op: OpRef<'_>, operand: usize) -> Option<SlotUse> {
        (operand == 1).then(|| SlotUse::Store(op.operand(0)))
    }
}

/// The operands of the `affine.yield` that terminates a region.
fn yielded(op: OpRef<'_>, region: usize) -> Option<OpRef<'_>> {
    let body = op.body();
    let entry = op.own_region(region).and_then(|region| body.region(region).entry())?;
    body.block(entry).last().map(|last| body.op(last)).filter(|last| last.is::<Yield>())
}

/// Verifies that initial values, arguments, next values and results of a loop have the same types.
pub(crate) fn verify_carried(op: OpRef<'_>, inits: &[Type], args: &[Type], errors: &mut Violations) {
    let results: Vec<Type> = op.result_types().collect();
    // A yield of other types than the results is reported at the yield.
    let Some(last) = yielded(op, 0).filter(|last| last.operand_types().eq(results.iter().copied())) else {
        return;
    };
    let show = |ty: Type| print_type(op.context(), ty);
    for (index, &arg) in args.iter().enumerate() {
        let pairs = [
            ("init", inits[index], "region iter_arg", arg),
            ("region iter_arg", arg, "yielded value", results[index]),
        ];
        if let Some((first, a, second, b)) = pairs.into_iter().find(|(_, a, _, b)| a != b) {
            return errors.push(format!(
                "{index}-th {first} and {index}-th {second} have different type: '{}' != '{}'",
                show(a),
                show(b)
            ));
        }
    }
    check_edge("Operation affine.yield to Region #0", last, &results, args, errors);
}

/// Verifies that the regions of a conditional yield its results.
pub(crate) fn verify_branches(op: OpRef<'_>, errors: &mut Violations) {
    let body = op.body();
    let results: Vec<Type> = op.result_types().collect();
    if op.own_region(1).is_some_and(|region| body.region(region).is_empty())
        && !check_edge("parent to parent", op, &[], &results, errors)
    {
        return;
    }
    for region in 0..op.n_regions() {
        let Some(last) = yielded(op, region) else { continue };
        let given: Vec<Type> = last.operand_types().collect();
        if !check_edge("Operation affine.yield to parent", last, &given, &results, errors) {
            return;
        }
    }
}
