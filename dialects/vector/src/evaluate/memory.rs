//! Evaluation of loads and stores. Inactive elements are not accessed.

use super::mask::Under;
use super::{build, element, ints, is_set, result_type, shifted};
use minoan_ir::OpRef;
use minoan_services::{Datum, Flow, Machine, Tensor, Trap};
use std::rc::Rc;

pub(crate) fn load(op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
    let place = ints(&operands[1..])?;
    Flow::one(build(op, result_type(op, 0)?, machine, |_, at| read(&operands[0], &shifted(&place, at)?))?)
}

pub(crate) fn store(_: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
    let place = ints(&operands[2..])?;
    let mut base = operands[1].clone();
    each(&operands[0], machine, |at, value| write(&mut base, &shifted(&place, at)?, value))
}

pub(crate) fn evaluate_masked_load(
    op: OpRef<'_>,
    operands: &[Datum],
    machine: &mut dyn Machine,
) -> Result<Flow, Trap> {
    masked_load(op, operands, 2, Under::default(), machine, shifted)
}

pub(crate) fn evaluate_masked_store(
    _: OpRef<'_>,
    operands: &[Datum],
    machine: &mut dyn Machine,
) -> Result<Flow, Trap> {
    masked_store(operands, 2, machine, shifted).map(|_| Flow::Next(Vec::new()))
}

pub(crate) fn expand_load(
    op: OpRef<'_>,
    operands: &[Datum],
    machine: &mut dyn Machine,
) -> Result<Flow, Trap> {
    let mut next = 0;
    masked_load(op, operands, 2, Under::default(), machine, |place, _| following(place, &mut next))
}

pub(crate) fn compress_store(
    _: OpRef<'_>,
    operands: &[Datum],
    machine: &mut dyn Machine,
) -> Result<Flow, Trap> {
    let mut next = 0;
    masked_store(operands, 2, machine, |place, _| following(place, &mut next))?;
    Flow::none()
}

pub(crate) fn evaluate_gather(
    op: OpRef<'_>,
    operands: &[Datum],
    machine: &mut dyn Machine,
) -> Result<Flow, Trap> {
    gather(op, operands, Under::default(), machine)
}

pub(crate) fn scatter(op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
    let numbers = operands[operands.len() - 3].tensor()?;
    let base =
        masked_store(operands, 3, machine, |place, at| shifted(place, &[element(numbers, at)?.int()?]))?;
    Ok(Flow::Next(if op.n_results() > 0 { vec![base] } else { Vec::new() }))
}

/// Inactive elements are taken from the pass-through value, as are those for which the operation's mask is not set.
pub(super) fn gather(
    op: OpRef<'_>,
    operands: &[Datum],
    under: Under<'_>,
    machine: &mut dyn Machine,
) -> Result<Flow, Trap> {
    let numbers = operands[operands.len() - 3].tensor()?;
    masked_load(op, operands, 3, under, machine, |place, at| shifted(place, &[element(numbers, at)?.int()?]))
}

/// Reads an element of memory or of a tensor.
pub(super) fn read(base: &Datum, at: &[i64]) -> Result<Datum, Trap> {
    match base {
        Datum::Tensor(tensor) => element(tensor, at),
        base => base.buffer()?.read(|contents| element(contents, at)),
    }
}

/// Writes an element of memory or of a tensor.
pub(super) fn write(base: &mut Datum, at: &[i64], value: &Datum) -> Result<(), Trap> {
    let store = |contents: &mut Tensor| {
        let offset = contents.offset(at)?;
        contents.data.set(offset, value)
    };
    match base {
        Datum::Tensor(tensor) => store(Rc::make_mut(tensor)),
        base => base.buffer()?.write(store),
    }
}

/// Visits the elements of a vector.
pub(super) fn each(
    vector: &Datum,
    machine: &mut dyn Machine,
    mut visit: impl FnMut(&[i64], &Datum) -> Result<(), Trap>,
) -> Result<Flow, Trap> {
    let vector = vector.tensor()?;
    machine.tick(vector.data.len() as u64)?;
    Tensor::each_index(&vector.shape, |at| visit(at, &element(vector, at)?))?;
    Flow::none()
}

/// Returns the next consecutive position at each call.
fn following(place: &[i64], next: &mut i64) -> Result<Vec<i64>, Trap> {
    let place = shifted(place, &[*next]);
    *next += 1;
    place
}

/// The base comes first, then its indices, then `after` vectors: the last two are the mask and the pass-through
/// value.
fn masked_load(
    op: OpRef<'_>,
    operands: &[Datum],
    after: usize,
    under: Under<'_>,
    machine: &mut dyn Machine,
    mut place_of: impl FnMut(&[i64], &[i64]) -> Result<Vec<i64>, Trap>,
) -> Result<Flow, Trap> {
    let count = operands.len();
    let place = ints(&operands[1..count - after])?;
    let (mask, passed) = (&operands[count - 2], operands[count - 1].tensor()?);
    Flow::one(build(op, result_type(op, 0)?, machine, |_, at| {
        let takes = is_set(mask, at)? && under.takes(at)?;
        if takes { read(&operands[0], &place_of(&place, at)?) } else { element(passed, at) }
    })?)
}

/// The same, where the last vector is stored; returns the base.
fn masked_store(
    operands: &[Datum],
    after: usize,
    machine: &mut dyn Machine,
    mut place_of: impl FnMut(&[i64], &[i64]) -> Result<Vec<i64>, Trap>,
) -> Result<Datum, Trap> {
    let count = operands.len();
    let place = ints(&operands[1..count - after])?;
    let (mask, mut base) = (&operands[count - 2], operands[0].clone());
    each(&operands[count - 1], machine, |at, value| {
        if is_set(mask, at)? { write(&mut base, &place_of(&place, at)?, value) } else { Ok(()) }
    })?;
    Ok(base)
}
