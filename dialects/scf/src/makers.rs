//! Structured loops for passes, and the vector form of conditionals.

use crate::{For, If, Parallel, Reduce};
use minoan_arith::{andi, constant_bool, select, xori};
use minoan_ir::{Builder, Op, OpDef, OpRef, Type, Value};
use minoan_services::{BranchBody, Effects, Lanes, LoopBody, LoopOps, PointBody, VectorForm};

pub(crate) struct Loops;

impl LoopOps for Loops {
    fn repeat(
        &self,
        b: &mut Builder<'_>,
        range: [Value; 3],
        init: &[Value],
        body: &mut LoopBody<'_>,
    ) -> Vec<Value> {
        let repeat = For::with(b, range, init, body);
        repeat.results(b.body())
    }

    fn parallel(&self, b: &mut Builder<'_>, ranges: &[[Value; 3]], body: &mut PointBody<'_>) {
        let [lower, upper, step] =
            [0, 1, 2].map(|part| ranges.iter().map(|range| range[part]).collect::<Vec<Value>>());
        let op = Parallel::build(b, &lower, &upper, &step, &[], &[]).op();
        b.region(op, 0, &vec![Type::INDEX; ranges.len()], |b, point| {
            body(b, point);
            Reduce::build(b, &[], 0);
        });
    }

    fn choose(
        &self,
        b: &mut Builder<'_>,
        condition: Value,
        types: &[Type],
        then: &mut BranchBody<'_>,
        otherwise: &mut BranchBody<'_>,
    ) -> Vec<Value> {
        let choice = If::with(b, condition, types, then, otherwise);
        choice.results(b.body())
    }
}

/// Both regions of an `scf.if` without effects, each masked by the condition, and a selection.
pub(crate) struct SelectLanes;

impl VectorForm for SelectLanes {
    fn lanes(&self, b: &mut Builder<'_>, op: Op, lanes: &mut Lanes) -> Option<Vec<Value>> {
        let view = b.body().op(op);
        if !<dyn Effects>::of(view).removable() {
            return None;
        }
        let condition = If::from_op_unchecked(op).condition(b.body());
        let blocks = [0, 1].map(|region| b.body().region(view.region(region)).entry());
        let [Some(then), Some(otherwise)] = blocks else { return None };
        let yes = lanes.vector(b, condition)?;
        let one = constant_bool(b, true);
        let ones = lanes.vector(b, one)?;
        let no = xori(b, yes, ones);
        let around = lanes.mask;
        let mut run = |b: &mut Builder<'_>, block, within| {
            lanes.mask = Some(around.map_or(within, |mask| andi(b, mask, within)));
            let values = lanes.run_block(b, block);
            lanes.mask = around;
            values
        };
        let (then, otherwise) = (run(b, then, yes)?, run(b, otherwise, no)?);
        Some(then.into_iter().zip(otherwise).map(|(then, other)| select(b, yes, then, other)).collect())
    }

    fn speculatable(&self, op: OpRef<'_>) -> bool {
        let body = op.body();
        let blocks = op.own_regions().flat_map(|region| body.region(region).blocks());
        let mut ops = blocks.flat_map(|block| body.block(block).ops());
        ops.all(|inner| {
            let inner = body.op(inner);
            let form = op.context().service::<dyn VectorForm>(inner.kind());
            inner.has_trait(minoan_ir::Traits::TERMINATOR)
                || form.is_some_and(|form| form.speculatable(inner))
        })
    }
}
