//! Evaluation of padding and concatenation.

use minoan_ir::OpRef;
use minoan_memref::slices::numbers;
use minoan_services::{Datum, Evaluate, Flow, Machine, Tensor, Trap};

/// Static numbers, with the dynamic ones taken from `given` in order.
fn widths(op: OpRef<'_>, name: &str, given: &[Datum]) -> Result<Vec<usize>, Trap> {
    let mut given = given.iter();
    let width = |&width: &i64| {
        let width = match width {
            minoan_ir::DYNAMIC => {
                given.next().ok_or_else(|| Trap::new("a dynamic width without a value"))?.int()?
            }
            known => known,
        };
        usize::try_from(width).map_err(|_| Trap::new(format!("the width {width} of padding is negative")))
    };
    numbers(op, name).iter().map(width).collect()
}

pub(crate) struct EvaluatePad;

impl Evaluate for EvaluatePad {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        let source = operands[0].tensor()?;
        let (low, high) = operands[1..].split_at(op.operand_group(1).len());
        let (low, high) = (widths(op, "static_low", low)?, widths(op, "static_high", high)?);
        let sums = source.shape.iter().zip(&low).zip(&high);
        let shape: Option<Vec<usize>> =
            sums.map(|((extent, low), high)| extent.checked_add(*low)?.checked_add(*high)).collect();
        let shape = shape.ok_or_else(|| Trap::new("the extents of a padded tensor overflow"))?;
        let mut padded = Tensor::splat(&shape, &source.data.zero())?;
        let mut position = 0;
        Tensor::each_index(&shape, |at| {
            machine.tick(1)?;
            let from: Vec<i64> = at.iter().zip(&low).map(|(&index, &low)| index - low as i64).collect();
            let inside =
                from.iter().zip(&source.shape).all(|(&index, &extent)| (0..extent as i64).contains(&index));
            if inside {
                padded.data.set(position, &source.data.get(source.offset(&from)?))?;
            } else {
                let args: Vec<Datum> = at.iter().map(|&index| Datum::Int(index)).collect();
                for element in machine.run_region(op.body(), op.region(0), &args)?.iter().take(1) {
                    padded.data.set(position, element)?;
                }
            }
            position += 1;
            Ok(())
        })?;
        Flow::one(padded)
    }
}

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
            let others = |shape: &[usize]| [&shape[..dim], &shape[dim + 1..]].concat();
            if part.shape.len() != shape.len() || others(&part.shape) != others(&shape) {
                return Err(Trap::new(format!(
                    "extents {:?} and {:?} are concatenated along dimension {dim}",
                    first.shape, part.shape
                )));
            }
            shape[dim] += part.shape[dim];
        }
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
