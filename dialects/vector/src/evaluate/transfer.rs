//! Evaluation of transfers.

use super::mask::Under;
use super::memory::{each, read, write};
use super::{build, element, ints, is_set, result_type};
use crate::TransferWrite;
use crate::transfer::{Transfer, mask_dims};
use minoan_ir::OpRef;
use minoan_ir::affine::AffineExpr;
use minoan_services::{Datum, Flow, Machine, Trap};

pub(crate) fn transfer_read(
    op: OpRef<'_>,
    operands: &[Datum],
    machine: &mut dyn Machine,
) -> Result<Flow, Trap> {
    read_vector(op, operands, Under::default(), machine)
}

pub(crate) fn transfer_write(
    op: OpRef<'_>,
    operands: &[Datum],
    machine: &mut dyn Machine,
) -> Result<Flow, Trap> {
    write_vector(op, operands, Under::default(), machine)
}

/// Inactive elements are taken from the pass-through value or the padding.
pub(super) fn read_vector(
    op: OpRef<'_>,
    operands: &[Datum],
    under: Under<'_>,
    machine: &mut dyn Machine,
) -> Result<Flow, Trap> {
    let (places, padding) = (Places::of(op, operands)?, group(op, operands, 2));
    let padding = padding.first().ok_or_else(|| Trap::new("a transfer without padding"))?;
    Flow::one(build(op, result_type(op, 0)?, machine, |_, at| {
        if !under.takes(&places.bit(at))? {
            return under.passed.map_or_else(|| Ok(padding.clone()), |passed| element(passed.tensor()?, at));
        }
        match places.place(at)? {
            Some(place) => read(places.base, &place),
            None => Ok(padding.clone()),
        }
    })?)
}

/// Inactive elements are not written.
pub(super) fn write_vector(
    op: OpRef<'_>,
    operands: &[Datum],
    under: Under<'_>,
    machine: &mut dyn Machine,
) -> Result<Flow, Trap> {
    let places = Places::of(op, operands)?;
    let mut base = places.base.clone();
    each(&operands[0], machine, |at, value| {
        let place = if under.takes(&places.bit(at))? { places.place(at)? } else { None };
        place.map_or(Ok(()), |place| write(&mut base, &place, value))
    })?;
    Ok(Flow::Next(if op.n_results() > 0 { vec![base] } else { Vec::new() }))
}

/// The values of an operand group.
fn group<'a>(op: OpRef<'_>, operands: &'a [Datum], index: usize) -> &'a [Datum] {
    operands.get(op.operand_range(index)).unwrap_or(&[])
}

/// Maps elements of the vector to positions in the base.
struct Places<'a> {
    base: &'a Datum,
    shape: Vec<usize>,
    first: Vec<i64>,
    mask: Option<&'a Datum>,
    mask_dims: Vec<usize>,
    transfer: Transfer,
}

impl<'a> Places<'a> {
    fn of(op: OpRef<'_>, operands: &'a [Datum]) -> Result<Self, Trap> {
        let transfer = Transfer::of(op).ok_or_else(|| Trap::new("a transfer without its attributes"))?;
        let at = usize::from(op.is::<TransferWrite>());
        let base = &operands[at];
        let shape = match base {
            Datum::Tensor(tensor) => tensor.shape.clone(),
            base => base.buffer()?.read(|contents| Ok(contents.shape.clone()))?,
        };
        Ok(Self {
            base,
            shape,
            first: ints(group(op, operands, at + 1))?,
            mask: group(op, operands, 3).first(),
            mask_dims: mask_dims(&transfer.map),
            transfer,
        })
    }

    /// The mask index of an element.
    fn bit(&self, at: &[i64]) -> Vec<i64> {
        let mut bit: Vec<i64> = self.mask_dims.iter().map(|&dim| at[dim]).collect();
        // A mask has at least one dimension.
        if bit.is_empty() {
            bit.push(0);
        }
        bit
    }

    /// The position of an element; `None` if its mask bit is not set, or if it is out of bounds along a dimension
    /// that may be.
    fn place(&self, at: &[i64]) -> Result<Option<Vec<i64>>, Trap> {
        if let Some(mask) = self.mask
            && !is_set(mask, &self.bit(at))?
        {
            return Ok(None);
        }
        let mut place = self.first.clone();
        for (result, (expr, &at)) in self.transfer.map.results.iter().zip(at).enumerate() {
            let AffineExpr::Dim(dim) = expr else { continue };
            let dim = *dim as usize;
            place[dim] = place[dim].checked_add(at).ok_or_else(|| Trap::new("an index overflows"))?;
            let inside = (0..self.shape[dim] as i64).contains(&place[dim]);
            if !inside && !self.transfer.in_bounds[result] {
                return Ok(None);
            }
        }
        Ok(Some(place))
    }
}
