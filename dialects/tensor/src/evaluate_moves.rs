//! Evaluation of concatenation.

use crate::runtime_verification::{concat_message, filled, has_type};
use minoan_ir::OpRef;
use minoan_services::{Datum, Evaluate, Flow, Machine, Tensor, Trap};

pub(crate) struct EvaluateConcat;

impl Evaluate for EvaluateConcat {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        let dim = op.attr_named("dim").and_then(|dim| usize::try_from(dim.as_i64(op.context())?).ok());
        let first = operands.first().ok_or_else(|| Trap::new("a concatenation of nothing"))?.tensor()?;
        let dim = dim.filter(|&dim| dim < first.shape.len());
        let dim = dim.ok_or_else(|| Trap::new("a concatenation along no dimension"))?;
        let mut shape = first.shape.clone();
        shape[dim] = 0;
        for operand in operands {
            let part = operand.tensor()?;
            for (at, (&first, &other)) in first.shape.iter().zip(&part.shape).enumerate() {
                if at != dim && first != other {
                    let numbers = [first as i64, other as i64];
                    return Err(Trap::assertion(filled(&concat_message(at), &numbers)));
                }
            }
            shape[dim] += part.shape[dim];
        }
        has_type(&shape, op.result_types().next().and_then(|ty| ty.shape(op.context())).unwrap_or(&[]))?;
        let mut whole = Tensor::splat(&shape, &first.data.zero())?;
        let mut start = 0;
        for operand in operands {
            let part = operand.tensor()?;
            let mut position = 0;
            Tensor::each_index(&part.shape, |at| {
                machine.tick(1)?;
                let mut to = at.to_vec();
                to[dim] += start;
                let offset = whole.offset(&to)?;
                whole.data.set(offset, &part.data.get(position))?;
                position += 1;
                Ok(())
            })?;
            start += part.shape[dim] as i64;
        }
        Flow::one(whole)
    }
}
