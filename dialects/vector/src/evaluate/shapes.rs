//! Evaluation of casts and permutations.

use super::{build, element, extents, result_type};
use crate::rules::{numbers, operand};
use crate::shapes::rows;
use crate::types::bits;
use minoan_ir::OpRef;
use minoan_services::{Datum, Flow, Machine, Scalar, Tensor, Trap};

pub(crate) fn shape_cast(op: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
    let (shape, data) = (extents(op, result_type(op, 0)?)?, operands[0].tensor()?.data.clone());
    Flow::one(Tensor { shape, data })
}

pub(crate) fn transpose(op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
    let (source, permutation) = (operands[0].tensor()?, numbers(op, "permutation"));
    Flow::one(build(op, result_type(op, 0)?, machine, |_, at| {
        let mut from = vec![0; at.len()];
        for (&dim, &at) in permutation.iter().zip(at) {
            from[dim as usize] = at;
        }
        element(source, &from)
    })?)
}

/// A poison row may have any value: it reads as the first row of the first vector.
pub(crate) fn shuffle(op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
    let (first, second) = (operands[0].tensor()?, operands[1].tensor()?);
    let (mask, of_first) = (numbers(op, "mask"), rows(operand(op, 0).shape(op.context()).unwrap_or(&[])));
    Flow::one(build(op, result_type(op, 0)?, machine, |_, at| {
        let row = mask[at[0] as usize].max(0);
        let (vector, row) = if row < of_first { (first, row) } else { (second, row - of_first) };
        let from = [&[row], &at[1..]].concat();
        element(vector, &from[from.len() - vector.shape.len()..])
    })?)
}

pub(crate) fn interleave(op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
    let sides = [operands[0].tensor()?, operands[1].tensor()?];
    Flow::one(build(op, result_type(op, 0)?, machine, |_, at| {
        let (&last, lead) = at.split_last().ok_or_else(|| Trap::new("a vector without dimensions"))?;
        let side = sides[(last % 2) as usize];
        let from = [lead, &[last / 2]].concat();
        element(side, &from[..side.shape.len()])
    })?)
}

pub(crate) fn deinterleave(
    op: OpRef<'_>,
    operands: &[Datum],
    machine: &mut dyn Machine,
) -> Result<Flow, Trap> {
    let source = operands[0].tensor()?;
    let mut half = |first: i64| -> Result<Datum, Trap> {
        let half = build(op, result_type(op, first as usize)?, machine, |_, at| {
            let mut from = at.to_vec();
            if let Some(last) = from.last_mut() {
                *last = 2 * *last + first;
            }
            element(source, &from)
        })?;
        Ok(half.into())
    };
    Ok(Flow::Next(vec![half(0)?, half(1)?]))
}

/// The first element occupies the lowest bits.
pub(crate) fn bitcast(op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
    let (ctx, ty) = (op.context(), result_type(op, 0)?);
    let from = operand(op, 0);
    let unknown = || Trap::new("elements of an unknown width");
    let width = |ty: minoan_ir::Type| bits(ctx, ty.element_or_self(ctx)).ok_or_else(unknown);
    let (narrow, wide) = (width(from)?, width(ty)?);
    let (source, before, after) = (operands[0].tensor()?, Scalar::of(ctx, from)?, Scalar::of(ctx, ty)?);
    let bit = |lead: &[i64], number: i64| -> Result<u8, Trap> {
        let at = [lead, &[number / narrow]].concat();
        let value = element(source, &at[..source.shape.len()])?;
        let (bytes, at) = (before.bytes(&value).ok_or_else(unknown)?, number % narrow);
        Ok(bytes[at as usize / 8] >> (at % 8) & 1)
    };
    Flow::one(build(op, ty, machine, |_, at| {
        let (last, lead) = at.split_last().map_or((0, at), |(&last, lead)| (last, lead));
        let mut bytes = vec![0; after.n_bytes()];
        for at in 0..wide {
            bytes[at as usize / 8] |= bit(lead, last * wide + at)? << (at % 8);
        }
        Ok(after.of_bytes(&bytes))
    })?)
}
