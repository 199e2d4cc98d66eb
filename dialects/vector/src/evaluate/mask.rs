//! Masks.

use super::{build, by, extents, ints, result_type};
use crate::rules::numbers;
use crate::{ConstantMask, CreateMask, Mask, Yield};
use minoan_ir::{DialectBuilder, OpRef};
use minoan_services::{Datum, Flow, Machine, TensorData, Trap};

pub(super) fn register(dialect: &mut DialectBuilder<'_>) {
    by::<CreateMask>(dialect, |op, operands, machine| below(op, &ints(operands)?, machine));
    by::<ConstantMask>(dialect, |op, _, machine| below(op, &numbers(op, "mask_dim_sizes"), machine));
    by::<Mask>(dialect, mask);
    by::<Yield>(dialect, |_, operands, _| Ok(Flow::Yield(operands.to_vec())));
}

/// A mask that is set where each index is below its bound.
fn below(op: OpRef<'_>, bounds: &[i64], machine: &mut dyn Machine) -> Result<Flow, Trap> {
    let ty = result_type(op, 0)?;
    // Without dimensions there is one bound, for the index zero.
    let single = extents(op, ty)?.is_empty();
    Flow::one(build(op, ty, machine, |_, at| {
        let at = if single { &[0] } else { at };
        Ok(at.iter().zip(bounds).all(|(at, bound)| at < bound).into())
    })?)
}

/// An operation under a mask of which every bit is set is the operation itself. Other masks change what it does, which
/// only it could say.
fn mask(op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
    match &operands[0].tensor()?.data {
        TensorData::Int(bits) if bits.iter().all(|&bit| bit != 0) => {
            machine.run_region(op.body(), op.region(0), &[]).map(Flow::Next)
        }
        _ => Err(Trap::new("an operation under a mask that is not set everywhere cannot be evaluated")),
    }
}
