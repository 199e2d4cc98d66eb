//! Evaluation of `affine.for`, `affine.if` and `affine.parallel`.

use crate::evaluate::{evaluate_expr, extremum};
use crate::reductions::{Combiner, neutral_element};
use crate::value_map::ValueMap;
use crate::{For, If, Parallel};
use minoan_ir::{AttrEnum, OpDef, OpRef};
use minoan_services::{Datum, Evaluate, Flow, Machine, Trap};

fn defined(bound: Option<i64>) -> Result<i64, Trap> {
    bound.ok_or_else(|| Trap::undefined("a bound of a loop is poison"))
}

fn positive(step: i64) -> Result<i64, Trap> {
    if step > 0 {
        Ok(step)
    } else {
        Err(Trap::new(format!("the step of a loop must be positive, but is {step}")))
    }
}

pub(crate) struct EvaluateFor;

impl Evaluate for EvaluateFor {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        let (of, body) = (For::from_op_unchecked(op.id()), op.body());
        let groups = [0, 1, 2].map(|group| &operands[op.operand_range(group)]);
        let mut at = defined(extremum(of.lower_bound_map(body), groups[0], true)?)?;
        let upper = defined(extremum(of.upper_bound_map(body), groups[1], false)?)?;
        let step = positive(of.step(body))?;
        let mut carried = groups[2].to_vec();
        while at < upper {
            machine.tick(1)?;
            let mut args = Vec::with_capacity(1 + carried.len());
            args.push(Datum::Int(at));
            args.append(&mut carried);
            carried = machine.run_region(body, op.region(0), &args)?;
            at = at
                .checked_add(step)
                .ok_or_else(|| Trap::new("the induction variable of a loop overflows"))?;
        }
        Ok(Flow::Next(carried))
    }
}

pub(crate) struct EvaluateIf;

impl Evaluate for EvaluateIf {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        let set = If::from_op_unchecked(op.id()).condition(op.body());
        let numbers = operands.iter().map(|datum| datum.int().map(Some)).collect::<Result<Vec<_>, Trap>>()?;
        let (dims, symbols) = numbers.split_at((set.dims as usize).min(numbers.len()));
        let mut holds = true;
        for (expr, is_equality) in &set.constraints {
            let value = evaluate_expr(expr, dims, symbols)?;
            let value = value.ok_or_else(|| Trap::undefined("a condition is poison"))?;
            holds &= if *is_equality { value == 0 } else { value >= 0 };
        }
        let region = op.region(usize::from(!holds));
        if op.body().region(region).is_empty() {
            return Flow::none();
        }
        Ok(Flow::Enter(region, Vec::new()))
    }
}

/// The iterations in lexicographic order of their indices, each followed by its reductions.
pub(crate) struct EvaluateParallel;

impl Evaluate for EvaluateParallel {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        let (of, body, ctx) = (Parallel::from_op_unchecked(op.id()), op.body(), op.context());
        let [lower, upper] = of.bounds_of_dims(body);
        let (first, second) = operands.split_at(of.lower_bounds_map(body).inputs().min(operands.len()));
        let evaluated = |bounds: &[ValueMap], operands: &[Datum], is_max: bool| {
            bounds
                .iter()
                .map(|bound| defined(extremum(&bound.map, operands, is_max)?))
                .collect::<Result<Vec<_>, _>>()
        };
        let (lower, upper) = (evaluated(&lower, first, true)?, evaluated(&upper, second, false)?);
        let steps = of.step_list(body).into_iter().map(positive).collect::<Result<Vec<_>, Trap>>()?;
        let (mut results, mut combiners) = (Vec::new(), Vec::new());
        for (kind, ty) in of.kinds(body).into_iter().zip(op.result_types()) {
            let Some(neutral) = neutral_element(ctx, kind, ty) else {
                return Err(Trap::new(format!("the reduction '{}' has no neutral element", kind.keyword())));
            };
            results.push(Datum::of_attr(ctx, neutral)?);
            combiners.push(Combiner::new(ctx, kind, ty)?);
        }
        if lower.iter().zip(&upper).any(|(lower, upper)| lower >= upper) {
            return Ok(Flow::Next(results));
        }
        let mut point = lower.clone();
        loop {
            machine.tick(1)?;
            let args: Vec<Datum> = point.iter().map(|&index| Datum::Int(index)).collect();
            let values = machine.run_region(body, op.region(0), &args)?;
            for ((result, value), combiner) in results.iter_mut().zip(values).zip(&combiners) {
                *result = combiner.combine(result.clone(), value, machine)?;
            }
            let next = (0..point.len()).rev().find_map(|dim| {
                let next = point[dim].checked_add(steps[dim]).filter(|&next| next < upper[dim])?;
                Some((dim, next))
            });
            let Some((dim, next)) = next else { return Ok(Flow::Next(results)) };
            point[dim] = next;
            point[dim + 1..].copy_from_slice(&lower[dim + 1..]);
        }
    }
}
