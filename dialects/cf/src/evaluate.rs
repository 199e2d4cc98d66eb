//! Evaluation of the cf operations.

use crate::Switch;
use minoan_ir::{Int, OpRef};
use minoan_services::{Datum, Evaluate, Flow, Machine, Trap};

pub(crate) struct Check;

impl Evaluate for Check {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        if operands[0].bool()? {
            return Flow::none();
        }
        let message = op.attr_named("msg").and_then(|msg| msg.as_str(op.context()));
        Err(Trap::assertion(message.unwrap_or("assertion failed")))
    }
}

pub(crate) struct Jump;

impl Evaluate for Jump {
    fn evaluate(&self, _: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        Ok(Flow::Branch(0, operands.to_vec()))
    }
}

pub(crate) struct Choose;

impl Evaluate for Choose {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        let [condition, args @ ..] = operands else { return Err(Trap::new("a branch without condition")) };
        let (yes, no) = args.split_at(op.operand_group(1).len());
        Ok(if condition.bool()? { Flow::Branch(0, yes.to_vec()) } else { Flow::Branch(1, no.to_vec()) })
    }
}

pub(crate) struct Select;

impl Evaluate for Select {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        let (Some(switch), [flag, args @ ..]) = (op.cast::<Switch>(), operands) else {
            return Err(Trap::new("a switch without flag"));
        };
        let body = op.body();
        let flag = match flag {
            Datum::Wide(flag) => flag.clone(),
            flag => Int::from(flag.int()?),
        };
        let (default, rest) = args.split_at(op.operand_group(1).len());
        let Some(case) = switch.values(body).iter().position(|value| *value == flag) else {
            return Ok(Flow::Branch(0, default.to_vec()));
        };
        let mut counts = switch.operands_of_cases(body).map(|operands| operands.len());
        let before: usize = counts.by_ref().take(case).sum();
        let count = counts.next().unwrap_or(0);
        let args = rest.iter().skip(before).take(count).cloned().collect();
        Ok(Flow::Branch(case + 1, args))
    }
}
