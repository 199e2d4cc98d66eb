//! The forwarded operands of branches.

use crate::{Br, Switch};
use minoan_ir::{Attr, Block, Body, Context, Op, OpRef, OpState, Value};
use minoan_services::{BranchMaterializer, Branches, ForwardedOperands, OperandUse, Ownership};

/// Registers the branch services of all operations.
/// Forwarded tensors are transferred to the block that the branch leads to.
pub(crate) struct ForwardedTensors;

impl Ownership for ForwardedTensors {
    fn operand(&self, _: OpRef<'_>, _: usize) -> OperandUse {
        OperandUse::Consume
    }
}

/// Creates branches on behalf of other dialects.
pub(crate) struct Jumps;

impl BranchMaterializer for Jumps {
    fn branch(&self, ctx: &Context, to: Block, operands: &[Value]) -> OpState {
        br(ctx, to, operands)
    }
}

/// Creates a `cf.br`.
fn br(ctx: &Context, block: Block, operands: &[Value]) -> OpState {
    OpState::new(ctx.kind_of::<Br>()).operands(operands).successors(&[block])
}

pub(crate) struct Always;

impl Branches for Always {
    fn forwarded_operands(&self, op: OpRef<'_>, _: usize) -> ForwardedOperands {
        ForwardedOperands { produced: 0, operands: 0..op.n_operands() }
    }

    fn successor_for_operands(&self, _: OpRef<'_>, _: &[Option<Attr>]) -> Option<usize> {
        Some(0)
    }

    fn set_forwarded_operands(&self, body: &mut Body, op: Op, _: usize, operands: &[Value]) {
        body.set_operands(op, operands);
    }

    fn unconditional_branch(&self, op: OpRef<'_>, block: Block, operands: &[Value]) -> Option<OpState> {
        Some(br(op.context(), block, operands))
    }
}

pub(crate) struct ByCondition;

impl Branches for ByCondition {
    fn forwarded_operands(&self, op: OpRef<'_>, successor: usize) -> ForwardedOperands {
        let middle = 1 + op.operand_group(1).len();
        let operands = if successor == 0 { 1..middle } else { middle..op.n_operands() };
        ForwardedOperands { produced: 0, operands }
    }

    fn successor_for_operands(&self, op: OpRef<'_>, operands: &[Option<Attr>]) -> Option<usize> {
        let condition = (*operands.first()?)?.as_bool(op.context())?;
        Some(usize::from(!condition))
    }

    fn set_forwarded_operands(&self, body: &mut Body, op: Op, successor: usize, operands: &[Value]) {
        body.set_operand_group(op, successor + 1, operands);
    }

    fn unconditional_branch(&self, op: OpRef<'_>, block: Block, operands: &[Value]) -> Option<OpState> {
        Some(br(op.context(), block, operands))
    }
}

pub(crate) struct ByFlag;

/// The number of operands of the default and of each case.
fn sizes(op: OpRef<'_>) -> Vec<usize> {
    let segments = op.attr_named("case_operand_segments").and_then(|attr| attr.as_dense_i32(op.context()));
    let cases = segments.unwrap_or_default().into_iter().map(|size| size.max(0) as usize);
    [op.operand_group(1).len()].into_iter().chain(cases).collect()
}

/// Sets the number of operands of each case.
fn set_sizes(body: &mut Body, op: Op, sizes: impl Iterator<Item = usize>) {
    let ctx = body.context().clone();
    let sizes: Vec<i32> = sizes.map(|size| size as i32).collect();
    body.set_attr(op, ctx.name("case_operand_segments"), Some(Attr::dense_i32(&ctx, &sizes)));
}

impl Branches for ByFlag {
    fn forwarded_operands(&self, op: OpRef<'_>, successor: usize) -> ForwardedOperands {
        let (default, cases) = (op.operand_range(1), op.operand_range(2));
        // Avoids counting if no case has operands, since this is queried for each of many cases.
        if successor == 0 || cases.is_empty() {
            let operands = if successor == 0 { default } else { cases };
            return ForwardedOperands { produced: 0, operands };
        }
        let sizes = sizes(op);
        let start = 1 + sizes.iter().take(successor).sum::<usize>();
        let size = sizes.get(successor).copied().unwrap_or(0);
        ForwardedOperands { produced: 0, operands: start..start + size }
    }

    fn all_forwarded_operands(&self, op: OpRef<'_>) -> Vec<ForwardedOperands> {
        let mut sizes = sizes(op);
        sizes.resize(op.n_successors(), 0);
        let mut start = 1;
        let ranges = sizes.into_iter().map(|size| {
            let operands = start..start + size;
            start = operands.end;
            ForwardedOperands { produced: 0, operands }
        });
        ranges.collect()
    }

    fn successor_for_operands(&self, op: OpRef<'_>, operands: &[Option<Attr>]) -> Option<usize> {
        let ctx = op.context();
        let flag = (*operands.first()?)?;
        let width = flag.value_type(ctx)?.integer_width(ctx)?;
        let flag = flag.as_int(ctx)?.clone().wrapped(width, minoan_ir::Signedness::Signless);
        let values = op.cast::<Switch>()?.values(op.body());
        Some(values.iter().position(|value| *value == flag).map_or(0, |case| case + 1))
    }

    fn set_forwarded_operands(&self, body: &mut Body, op: Op, successor: usize, operands: &[Value]) {
        let view = body.op(op);
        let mut sizes = sizes(view);
        if successor == 0 {
            return body.set_operand_group(op, 1, operands);
        }
        let before: usize = sizes[1..successor].iter().sum();
        let mut cases = view.operand_group(2);
        cases.splice(before..before + sizes[successor], operands.iter().copied());
        sizes[successor] = operands.len();
        body.set_operand_group(op, 2, &cases);
        set_sizes(body, op, sizes[1..].iter().copied());
    }

    fn set_all_forwarded_operands(&self, body: &mut Body, op: Op, operands: &[Vec<Value>]) {
        let Some((default, cases)) = operands.split_first() else { return };
        body.set_operand_group(op, 1, default);
        body.set_operand_group(op, 2, &cases.concat());
        set_sizes(body, op, cases.iter().map(Vec::len));
    }

    fn unconditional_branch(&self, op: OpRef<'_>, block: Block, operands: &[Value]) -> Option<OpState> {
        Some(br(op.context(), block, operands))
    }
}
