//! Evaluation of broadcasts, extraction, insertion and slices.

use super::{build, element, extents, mixed, result_type};
use crate::elements::POISON;
use crate::rules::numbers;
use minoan_ir::OpRef;
use minoan_services::{Datum, Flow, Machine, Tensor, Trap};

pub(crate) fn to_elements(_: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
    let data = &operands[0].tensor()?.data;
    Ok(Flow::Next((0..data.len()).map(|index| data.get(index)).collect()))
}

pub(crate) fn step(op: OpRef<'_>, _: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
    Flow::one(build(op, result_type(op, 0)?, machine, |_, at| Ok(Datum::Int(at[0])))?)
}

pub(crate) fn broadcast(op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
    let ty = result_type(op, 0)?;
    let Datum::Tensor(source) = &operands[0] else {
        return Flow::one(Tensor::splat(&extents(op, ty)?, &operands[0])?);
    };
    Flow::one(build(op, ty, machine, |_, at| {
        let lead = at.len() - source.shape.len().min(at.len());
        let from = at[lead..].iter().zip(&source.shape);
        let from: Vec<i64> = from.map(|(&at, &extent)| if extent == 1 { 0 } else { at }).collect();
        element(source, &from)
    })?)
}

/// The position of an extraction or insertion; traps if it is poison.
fn position(op: OpRef<'_>, values: &[Datum]) -> Result<Vec<i64>, Trap> {
    let position = mixed(op, "static_position", values)?;
    if position.contains(&POISON) {
        return Err(Trap::new("a poisoned position"));
    }
    Ok(position)
}

pub(crate) fn extract(op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
    let whole = operands[0].tensor()?;
    let position = position(op, &operands[1..])?;
    // An element and a vector with this single element are interchangeable.
    let at = |rest: &[i64]| {
        let mut at = [&position[..], rest].concat();
        at.resize(whole.shape.len(), 0);
        element(whole, &at)
    };
    let ty = result_type(op, 0)?;
    if ty.is_vector(op.context()) {
        Flow::one(build(op, ty, machine, |_, rest| at(rest))?)
    } else {
        Flow::one(at(&[])?)
    }
}

/// The shape of a value (empty for a scalar), and access to its elements.
fn part(datum: &Datum) -> (&[usize], impl Fn(usize) -> Datum + '_) {
    let shape: &[usize] = if let Datum::Tensor(tensor) = datum { &tensor.shape } else { &[] };
    (shape, move |index| match datum {
        Datum::Tensor(tensor) => tensor.data.get(index),
        scalar => scalar.clone(),
    })
}

pub(crate) fn insert(op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
    let position = position(op, &operands[2..])?;
    put(&operands[0], &operands[1], machine, |at| Ok([&position[..], at].concat()))
}

/// The vector with the elements of a part stored at the positions that `place` returns.
fn put(
    value: &Datum,
    dest: &Datum,
    machine: &mut dyn Machine,
    place: impl Fn(&[i64]) -> Result<Vec<i64>, Trap>,
) -> Result<Flow, Trap> {
    let mut whole = Tensor::clone(dest.tensor()?);
    let (shape, part) = part(value);
    machine.tick(whole.data.len() as u64)?;
    let mut number = 0;
    Tensor::each_index(shape, |at| {
        let offset = whole.offset(&place(at)?)?;
        whole.data.set(offset, &part(number))?;
        number += 1;
        Ok(())
    })?;
    Flow::one(whole)
}

pub(crate) fn from_elements(
    op: OpRef<'_>,
    operands: &[Datum],
    machine: &mut dyn Machine,
) -> Result<Flow, Trap> {
    let mut elements = operands.iter();
    let missing = || Trap::new("too few elements");
    Flow::one(build(op, result_type(op, 0)?, machine, |_, _| elements.next().cloned().ok_or_else(missing))?)
}

pub(crate) fn extract_slice(
    op: OpRef<'_>,
    operands: &[Datum],
    machine: &mut dyn Machine,
) -> Result<Flow, Trap> {
    let (whole, offsets) = (operands[0].tensor()?, numbers(op, "offsets"));
    Flow::one(build(op, result_type(op, 0)?, machine, |_, at| {
        let place = |(dim, &at): (usize, &i64)| at + offsets.get(dim).copied().unwrap_or(0);
        let place: Vec<i64> = at.iter().enumerate().map(place).collect();
        element(whole, &place)
    })?)
}

pub(crate) fn insert_slice(
    op: OpRef<'_>,
    operands: &[Datum],
    machine: &mut dyn Machine,
) -> Result<Flow, Trap> {
    let offsets = numbers(op, "offsets");
    put(&operands[0], &operands[1], machine, |at| super::shifted(&offsets, at))
}
