//! Implementations of services by the scf operations.

use crate::regions::case_values;
use minoan_ir::OpRef;
use minoan_services::{
    Bits, Datum, Evaluate, Flow, IntBits, Machine, OperandUse, Ownership, Trap, WideBits, operand_scalar,
};
use num_traits::{One, Zero};

pub(crate) struct EvaluateFor;

impl Evaluate for EvaluateFor {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        let scalar = operand_scalar(op, 0)?;
        match scalar.is_wide() {
            false => count::<Bits>(op, scalar.width()?, operands, machine),
            true => count::<WideBits>(op, scalar.width()?, operands, machine),
        }
    }
}

/// Runs a loop whose induction variable has a width.
fn count<B: IntBits>(
    op: OpRef<'_>,
    width: u32,
    operands: &[Datum],
    machine: &mut dyn Machine,
) -> Result<Flow, Trap> {
    let is_unsigned = op.attr_named("unsignedCmp").is_some();
    let number = |bits: &B| if is_unsigned { bits.magnitude() } else { bits.signed() };
    let bound = |at: usize| B::of(&operands[at], width);
    let (mut at, upper, step) = (bound(0)?, number(&bound(1)?), number(&bound(2)?));
    if step <= B::Signed::zero() {
        return Err(Trap::new(format!("the step of a loop must be positive, but is {step}")));
    }
    // One bit is compared as 0 and -1, or as 0 and 1.
    let most = if is_unsigned {
        number(&B::wrapped(-B::Signed::one(), width))
    } else {
        -at.least() - B::Signed::one()
    };
    let mut carried = operands[3..].to_vec();
    while number(&at) < upper {
        machine.tick(1)?;
        let mut args = Vec::with_capacity(1 + carried.len());
        args.push(at.clone().datum());
        args.append(&mut carried);
        carried = machine.run_region(op.body(), op.region(0), &args)?;
        let next = number(&at) + step.clone();
        if next > most {
            let message = format!("the induction variable of a loop overflows: {next} is more than {most}");
            return Err(Trap::new(message));
        }
        at = B::wrapped(next, width);
    }
    Ok(Flow::Next(carried))
}

pub(crate) struct EvaluateIf;

impl Evaluate for EvaluateIf {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        let region = op.region(usize::from(!operands[0].bool()?));
        if op.body().region(region).is_empty() {
            return Flow::none();
        }
        Ok(Flow::Enter(region, Vec::new()))
    }
}

pub(crate) struct EvaluateWhile;

impl Evaluate for EvaluateWhile {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        let mut args = operands.to_vec();
        loop {
            machine.tick(1)?;
            let mut decision = machine.run_region(op.body(), op.region(0), &args)?;
            if decision.is_empty() {
                return Err(Trap::new("'scf.while' without a condition"));
            }
            let go_on = decision.remove(0).bool()?;
            if !go_on {
                return Ok(Flow::Next(decision));
            }
            args = machine.run_region(op.body(), op.region(1), &decision)?;
        }
    }
}

pub(crate) struct EvaluateOnce;

impl Evaluate for EvaluateOnce {
    fn evaluate(&self, op: OpRef<'_>, _: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        Ok(Flow::Enter(op.region(0), Vec::new()))
    }
}

pub(crate) struct EvaluateSwitch;

impl Evaluate for EvaluateSwitch {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        let arg = operands[0].int()?;
        let case = case_values(op).into_iter().position(|case| case == arg);
        let region = op.region(case.map_or(0, |case| case + 1));
        Ok(Flow::Enter(region, Vec::new()))
    }
}

/// Operands from this index on are consumed by the operation.
pub(crate) struct ConsumeFrom(pub usize);

impl Ownership for ConsumeFrom {
    fn operand(&self, _: OpRef<'_>, index: usize) -> OperandUse {
        if index >= self.0 { OperandUse::Consume } else { OperandUse::Borrow }
    }
}

/// The iterations in lexicographic order of their indices, each followed by its reductions.
pub(crate) struct EvaluateParallel;

impl Evaluate for EvaluateParallel {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        let body = op.body();
        let count = op.operand_group(0).len();
        let numbers: Vec<i64> = operands[..3 * count].iter().map(Datum::int).collect::<Result<_, Trap>>()?;
        let (lower, rest) = numbers.split_at(count);
        let (upper, steps) = rest.split_at(count);
        if let Some(step) = steps.iter().find(|&&step| step <= 0) {
            return Err(Trap::new(format!("the step of a loop must be positive, but is {step}")));
        }
        let mut results = operands[3 * count..].to_vec();
        if lower.iter().zip(upper).any(|(lower, upper)| lower >= upper) {
            return Ok(Flow::Next(results));
        }
        let entry = body.region(op.region(0)).entry();
        let reduce = entry.and_then(|entry| body.block(entry).last()).map(|last| body.op(last));
        let mut point = lower.to_vec();
        loop {
            machine.tick(1)?;
            let args: Vec<Datum> = point.iter().map(|&index| Datum::Int(index)).collect();
            let values = machine.run_region(body, op.region(0), &args)?;
            let regions = reduce.iter().flat_map(|reduce| reduce.own_regions());
            for ((result, value), region) in results.iter_mut().zip(values).zip(regions) {
                let combined = machine.run_region(body, region, &[result.clone(), value])?;
                *result = combined.into_iter().next().ok_or_else(|| Trap::new("a reduction has no value"))?;
            }
            let next = (0..count).rev().find_map(|dim| {
                let next = point[dim].checked_add(steps[dim]).filter(|&next| next < upper[dim])?;
                Some((dim, next))
            });
            let Some((dim, next)) = next else { return Ok(Flow::Next(results)) };
            point[dim] = next;
            point[dim + 1..].copy_from_slice(&lower[dim + 1..]);
        }
    }
}
