//! Evaluation of masks and masked operations.

use super::{build, extents, ints, is_set, memory, reduce, result_type, transfer};
use crate::rules::numbers;
use crate::{Contract, Gather, MultiReduction, OuterProduct, Reduction, TransferRead, TransferWrite, Yield};
use minoan_ir::OpRef;
use minoan_services::{Datum, Flow, Machine, Trap};

/// The mask of the enclosing `vector.mask`, with the values of inactive elements.
#[derive(Clone, Copy, Default)]
pub(super) struct Under<'a> {
    mask: Option<&'a Datum>,
    pub(super) passed: Option<&'a Datum>,
}

impl Under<'_> {
    /// Whether an element is active.
    pub(super) fn takes(self, at: &[i64]) -> Result<bool, Trap> {
        self.mask.map_or(Ok(true), |mask| is_set(mask, at))
    }
}

/// The evaluation of an operation under a mask.
type Masked = fn(OpRef<'_>, &[Datum], Under<'_>, &mut dyn Machine) -> Result<Flow, Trap>;

pub(crate) fn create_mask(
    op: OpRef<'_>,
    operands: &[Datum],
    machine: &mut dyn Machine,
) -> Result<Flow, Trap> {
    below(op, &ints(operands)?, machine)
}

pub(crate) fn constant_mask(op: OpRef<'_>, _: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
    below(op, &numbers(op, "mask_dim_sizes"), machine)
}

pub(crate) fn yields(_: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
    Ok(Flow::Yield(operands.to_vec()))
}

/// A mask that is set where each index is less than its bound.
fn below(op: OpRef<'_>, bounds: &[i64], machine: &mut dyn Machine) -> Result<Flow, Trap> {
    let ty = result_type(op, 0)?;
    // A mask without dimensions has one bound, for the index zero.
    let single = extents(op, ty)?.is_empty();
    Flow::one(build(op, ty, machine, |_, at| {
        let at = if single { &[0] } else { at };
        Ok(at.iter().zip(bounds).all(|(at, bound)| at < bound).into())
    })?)
}

fn masked(op: OpRef<'_>) -> Option<Masked> {
    if op.is::<Reduction>() {
        Some(reduce::reduction)
    } else if op.is::<MultiReduction>() {
        Some(reduce::multi_reduction)
    } else if op.is::<OuterProduct>() {
        Some(reduce::outerproduct)
    } else if op.is::<Contract>() {
        Some(reduce::contract)
    } else if op.is::<TransferRead>() {
        Some(transfer::read_vector)
    } else if op.is::<TransferWrite>() {
        Some(transfer::write_vector)
    } else if op.is::<Gather>() {
        Some(memory::gather)
    } else {
        None
    }
}

/// Evaluates the masked operation for active elements; without one, returns the yielded values.
pub(crate) fn mask(op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
    let body = op.body();
    let block = body.region(op.region(0)).entry().ok_or_else(|| Trap::new("a mask of nothing"))?;
    let first = body.block(block).ops().next().map(|op| body.op(op));
    let inside = first.ok_or_else(|| Trap::new("a mask of nothing"))?;
    let values = inside.operands().map(|value| machine.value(body, value));
    let values: Vec<Datum> = values.collect::<Result<_, _>>()?;
    if inside.is::<Yield>() {
        return Ok(Flow::Next(values));
    }
    let evaluate = masked(inside)
        .ok_or_else(|| Trap::new(format!("'{}' has no evaluation under a mask", inside.name())))?;
    let under = Under { mask: operands.first(), passed: operands.get(1) };
    evaluate(inside, &values, under, machine)
}
