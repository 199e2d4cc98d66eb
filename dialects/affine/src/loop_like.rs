//! Loop services: induction variables and loop-carried values.

use crate::loops::entry_args;
use crate::value_map::{ValueMap, plus};
use crate::{Apply, For, Parallel};
use minoan_ir::affine::{AffineExpr, AffineMap};
use minoan_ir::{Attr, Body, Builder, Op, OpDef, OpRef, Value};
use minoan_services::{Bound, Induction, LoopLike, ScaledLoop};
use std::ops::Range;

/// A bound that is a constant or an operand; `None` if it is computed.
fn bound(op: OpRef<'_>, of: &ValueMap) -> Option<Bound> {
    match &of.map.results[..] {
        [AffineExpr::Constant(number)] => Some(Bound::Constant(Attr::index_value(op.context(), *number))),
        [leaf] => of.operand_of(leaf).map(Bound::Value),
        _ => None,
    }
}

/// The operands of the terminator of a loop's body.
fn last_operands(op: OpRef<'_>) -> Vec<Value> {
    let body = op.body();
    let entry = op.own_region(0).and_then(|region| body.region(region).entry());
    let last = entry.and_then(|entry| body.block(entry).last());
    last.map_or_else(Vec::new, |last| body.op(last).operands().collect())
}

/// The value of an induction variable after `times` further steps.
fn advanced(b: &mut Builder<'_>, induction: Induction, times: u32) -> Option<Value> {
    let step = induction.step.constant(b.body())?.as_i64(&b.context())?;
    let by = step.checked_mul(times.into())?;
    let map = AffineMap { dims: 1, symbols: 0, results: [plus(AffineExpr::Dim(0), by)].into() };
    Some(Apply::build(b, &[induction.value], map).result(b.body()))
}

pub(crate) struct ForLoop;

impl LoopLike for ForLoop {
    fn inductions(&self, op: OpRef<'_>) -> Vec<Induction> {
        let (of, body) = (For::from_op_unchecked(op.id()), op.body());
        let bounds = bound(op, &of.lower(body)).zip(bound(op, &of.upper(body)));
        let Some((&value, (lower, upper))) = entry_args(op, 0).first().zip(bounds) else { return Vec::new() };
        let step = Bound::Constant(Attr::index_value(op.context(), of.step(body)));
        vec![Induction { value, lower, upper, step, unsigned: false }]
    }

    fn inits(&self, op: OpRef<'_>) -> Range<usize> {
        op.operand_range(2)
    }

    fn carried(&self, op: OpRef<'_>) -> Vec<Value> {
        let mut args = entry_args(op, 0);
        args.split_off(1.min(args.len()))
    }

    fn yielded(&self, op: OpRef<'_>) -> Vec<Value> {
        last_operands(op)
    }

    fn carry_more(
        &self,
        body: &mut Body,
        op: Op,
        inits: &[Value],
        next: &mut dyn FnMut(&mut Builder<'_>, &[Value]) -> Vec<Value>,
    ) -> Option<Op> {
        let view = body.op(op);
        let entry = body.region(view.region(0)).entry()?;
        let end = body.block(entry).last()?;
        let (new, _) = crate::pass_through::recreate(body, op, inits);
        let more: Vec<Value> = inits
            .iter()
            .map(|&init| {
                let (ty, loc) = (body.ty(init), body.value_loc(init));
                body.add_arg(entry, ty, loc)
            })
            .collect();
        let values = next(&mut Builder::before(body, end), &more);
        let yielded: Vec<Value> = body.op(end).operands().chain(values).collect();
        body.set_operands(end, &yielded);
        Some(new)
    }

    fn advance(&self, b: &mut Builder<'_>, induction: Induction, times: u32) -> Option<Value> {
        advanced(b, induction, times)
    }

    /// Only for loops with constant bounds.
    fn scale_step(&self, body: &mut Body, op: Op, factor: u32) -> Option<ScaledLoop> {
        let of = For::from_op_unchecked(op);
        let (count, lower) = (of.trip_count(body)?, of.constant_lower(body)?);
        let step = of.step(body).checked_mul(factor.into())?;
        let groups = i64::try_from(count / u64::from(factor)).ok().filter(|&groups| groups > 0)?;
        let is_exact = count.is_multiple_of(factor.into());
        let end = lower.checked_add(groups.checked_mul(step)?)?;
        of.set_step(body, minoan_ir::Index(step));
        if is_exact {
            return Some(ScaledLoop { remainder: None });
        }
        of.set_upper_bound_map(body, AffineMap::constant(end));
        body.set_operand_group(op, 1, &[]);
        let loc = body.op(op).loc();
        let end = minoan_arith::constant_index(&mut Builder::before(body, op).with_loc(loc), end);
        Some(ScaledLoop { remainder: Some(end) })
    }

    fn set_lower_bound(&self, body: &mut Body, op: Op, lower: Value) {
        let map = AffineMap { dims: 0, symbols: 1, results: [AffineExpr::Symbol(0)].into() };
        For::from_op_unchecked(op).set_lower_bound_map(body, map);
        body.set_operand_group(op, 0, &[lower]);
    }
}

/// `affine.parallel`, which has no loop-carried values.
pub(crate) struct ParallelLoop;

impl LoopLike for ParallelLoop {
    fn inductions(&self, op: OpRef<'_>) -> Vec<Induction> {
        let (of, body, ctx) = (Parallel::from_op_unchecked(op.id()), op.body(), op.context());
        let [lower, upper] = of.bounds_of_dims(body);
        let inductions = entry_args(op, 0).into_iter().zip(lower.iter().zip(&upper)).zip(of.step_list(body));
        let induction = |((value, (lower, upper)), step): ((Value, (&ValueMap, &ValueMap)), i64)| {
            let step = Bound::Constant(Attr::index_value(ctx, step));
            Some(Induction {
                value,
                lower: bound(op, lower)?,
                upper: bound(op, upper)?,
                step,
                unsigned: false,
            })
        };
        inductions.map(induction).collect::<Option<Vec<Induction>>>().unwrap_or_default()
    }

    fn advance(&self, b: &mut Builder<'_>, induction: Induction, times: u32) -> Option<Value> {
        advanced(b, induction, times)
    }
}
