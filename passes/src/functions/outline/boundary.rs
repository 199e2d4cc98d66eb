//! The values and operations at the boundary of a part that is outlined.

use minoan_ir::{Body, Op, OpRef, Traits, Value};
use minoan_services::{LoopLike, RegionExecution, RegionFlow};
use rustc_hash::FxHashSet;

/// The live-in values of a set of operations; constants are rematerialized.
pub(super) struct Captures {
    pub(super) values: Vec<Value>,
    pub(super) constants: Vec<Op>,
}

impl Captures {
    /// Collects the values that `ops` use and neither define nor have in `args`.
    pub(super) fn collect(body: &Body, ops: &[Op], args: impl Iterator<Item = Value>) -> Self {
        let mut own: FxHashSet<Value> = args.collect();
        let mut used: Vec<Value> = Vec::new();
        let mut pending: Vec<Op> = ops.iter().rev().copied().collect();
        while let Some(op) = pending.pop() {
            let view = body.op(op);
            own.extend(view.results());
            used.extend(view.operands());
            for block in view.own_regions().flat_map(|region| body.region(region).blocks()) {
                own.extend(body.block(block).args());
                pending.extend(body.block(block).ops());
            }
        }
        let (mut values, mut constants) = (Vec::new(), Vec::new());
        let mut seen: FxHashSet<Value> = FxHashSet::default();
        for value in used.into_iter().filter(|value| !own.contains(value)) {
            if !seen.insert(value) {
                continue;
            }
            match body.defining_op(value).filter(|&op| is_copied(body.op(op))) {
                Some(constant) => constants.push(constant),
                None => values.push(value),
            }
        }
        Self { values, constants }
    }
}

/// Whether a value may point to a stack allocation of the function (any memref).
pub(super) fn escapes(body: &Body, mut values: impl Iterator<Item = Value>) -> bool {
    values.any(|value| body.ty(value).is_memref(body.context()))
}

/// Whether an operation is rematerialized where its results are used: a constant, or the address of one.
pub(super) fn is_copied(op: OpRef<'_>) -> bool {
    op.has_trait(Traits::CONSTANT_LIKE)
        || (op.has_trait(Traits::PURE) && op.n_operands() == 0 && op.n_regions() == 0 && op.n_results() > 0)
}

/// Whether an operation leaves the enclosing region.
pub(super) fn is_exit(op: OpRef<'_>) -> bool {
    op.has_trait(Traits::TERMINATOR) && op.successors().next().is_none()
}

/// Whether an operation requires a specific parent operation. Unregistered operations may.
pub(super) fn has_required_parent(op: OpRef<'_>) -> bool {
    op.spec().is_none_or(|spec| !spec.parents.is_empty())
}

/// Whether an operation is a conditional or a loop.
pub(super) fn is_control(op: OpRef<'_>) -> bool {
    let ctx = op.context();
    let runs = ctx.service::<dyn RegionFlow>(op.kind()).map(|flow| flow.execution(op));
    let is_loop = ctx.service::<dyn LoopLike>(op.kind()).is_some();
    !op.has_trait(Traits::ISOLATED)
        && (is_loop || matches!(runs, Some(RegionExecution::ExactlyOne | RegionExecution::Repeated)))
}

/// The results of operations of one block that are used outside of these operations, in their order.
pub(super) fn used_outside(body: &Body, ops: &[Op]) -> Vec<Value> {
    let own: FxHashSet<Op> = ops.iter().copied().collect();
    let is_outside = |value: Value| {
        body.uses(value).any(|user| body.op(user.op).ancestors().all(|op| !own.contains(&op.id())))
    };
    ops.iter().flat_map(|&op| body.op(op).results()).filter(|&value| is_outside(value)).collect()
}
