//! Evaluation of the operations. Objects whose operation is marked `counted` count their owners.

use crate::matches::region_of;
use crate::memory::{Free, Release, Retain};
use crate::ops::{Drop, Dup, Fail};
use crate::reuse::FreeMemory;
use minoan_ir::{FlatSymbolRef, OpDef, OpRef};
use minoan_services::{Buffer, Datum, Flow, Machine, Object, ObjectKind, Tensor, Trap};
use std::rc::Rc;

/// Creates an object with one owner, which the machine records.
fn counted(kind: ObjectKind, slots: Vec<Datum>, machine: &mut dyn Machine) -> Datum {
    let object = Object::counted(kind, slots);
    machine.add_object(&object);
    Datum::Object(object)
}

/// Creates the object of an operation, which counts its owners if the operation is marked as counted.
fn create(op: OpRef<'_>, kind: ObjectKind, slots: Vec<Datum>, machine: &mut dyn Machine) -> Datum {
    if op.attr_named("counted").is_some() {
        return counted(kind, slots, machine);
    }
    Datum::Object(Object::new(kind, slots))
}

fn number(op: OpRef<'_>, name: &str) -> Result<i64, Trap> {
    let number = op.attr_named(name).and_then(|attr| attr.as_i64(op.context()));
    number.ok_or_else(|| Trap::new(format!("'{}' has no attribute '{name}'", op.name())))
}

pub(crate) fn make(op: OpRef<'_>, fields: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
    let kind = ObjectKind::Cell(number(op, "tag")?);
    // A constructor without fields is not a heap object in compiled code either.
    if fields.is_empty() {
        return Flow::one(Datum::Object(Object::new(kind, Vec::new())));
    }
    Flow::one(create(op, kind, fields.to_vec(), machine))
}

pub(crate) fn tag(_: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
    Flow::one(Datum::Int(operands[0].object()?.tag()?))
}

pub(crate) fn project(op: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
    let (cell, tag) = (operands[0].object()?, number(op, "tag")?);
    let found = cell.tag()?;
    if found != tag {
        return Err(Trap::undefined(format!("a field of constructor {tag} is read of one of {found}")));
    }
    let index = usize::try_from(number(op, "index")?).map_err(|_| Trap::new("an index is negative"))?;
    Flow::one(cell.slot(index)?)
}

pub(crate) fn matches(op: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
    let cell = operands[0].object()?;
    let tag = cell.tag()?;
    let (index, is_case) =
        region_of(op, tag).ok_or_else(|| Trap::undefined(format!("no case for constructor {tag}")))?;
    let fields = if is_case { cell.slots()? } else { Vec::new() };
    Ok(Flow::Enter(op.region(index), fields))
}

pub(crate) fn yields(_: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
    Ok(Flow::Yield(operands.to_vec()))
}

pub(crate) fn fail(op: OpRef<'_>, _: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
    Err(Trap::assertion(Fail::from_op_unchecked(op.id()).message(op.body())))
}

pub(crate) fn nothing(_: OpRef<'_>, _: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
    Flow::one(Datum::Object(Object::new(ObjectKind::Cell(-1), Vec::new())))
}

pub(crate) fn closure(op: OpRef<'_>, captures: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
    let ctx = op.context();
    let symbol = op.attr_value::<FlatSymbolRef>("function");
    let symbol = symbol.ok_or_else(|| Trap::new("a closure names no function"))?;
    let kind = ObjectKind::Closure(Rc::from(symbol.as_str(ctx)));
    Flow::one(create(op, kind, captures.to_vec(), machine))
}

pub(crate) fn apply(op: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
    operands[0].object()?.call(op.context(), &operands[1..])
}

pub(crate) fn ref_new(op: OpRef<'_>, contents: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
    Flow::one(create(op, ObjectKind::Ref, contents.to_vec(), machine))
}

pub(crate) fn ref_read(_: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
    Ok(Flow::Next(operands[0].object()?.slots()?))
}

pub(crate) fn ref_write(_: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
    for old in operands[0].object()?.set_slots(operands[1..].to_vec())? {
        if let Datum::Object(old) = old
            && old.count().is_some()
        {
            machine.count_objects(-(old.release()? as i64));
        }
    }
    Flow::none()
}

pub(crate) fn make_box(op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
    let contents = match &operands[0] {
        // Storage that belongs to the box, not to the program.
        Datum::Buffer(buffer) => Datum::Buffer(Buffer::new(u64::MAX, buffer.snapshot()?)),
        tensor => Datum::Tensor(tensor.tensor()?.clone()),
    };
    Flow::one(create(op, ObjectKind::Box, vec![contents], machine))
}

pub(crate) fn unbox(_: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
    Flow::one(operands[0].object()?.slot(0)?)
}

/// The tensor in a box.
fn boxed(datum: &Datum) -> Result<Tensor, Trap> {
    match datum.object()?.slot(0)? {
        Datum::Buffer(buffer) => buffer.snapshot(),
        tensor => Ok(Tensor::clone(tensor.tensor()?)),
    }
}

pub(crate) fn box_extent(op: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
    let (tensor, axis) = (boxed(&operands[0])?, number(op, "axis")?);
    let extent = usize::try_from(axis).ok().and_then(|axis| tensor.shape.get(axis).copied());
    Flow::one(Datum::Int(extent.ok_or_else(|| Trap::new(format!("the tensor has no axis {axis}")))? as i64))
}

pub(crate) fn unbox_into(_: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
    operands[1].buffer()?.assign(boxed(&operands[0])?)?;
    Flow::none()
}

/// `data.dup` and `data.drop`.
pub(crate) fn count(op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
    let object = operands[0].object()?;
    if op.is::<Dup>() || op.is::<Retain>() {
        object.retain()?;
    } else if op.is::<Release>() && object.count() == Some(1) {
        return Err(Trap::undefined("the last owner of an object is removed, and the object is not freed"));
    } else if op.is::<Free>() && object.count().is_some_and(|count| count != 1) {
        return Err(Trap::undefined("an object with several owners is freed"));
    } else if op.is::<Drop>() || op.is::<Free>() || op.is::<FreeMemory>() || op.is::<Release>() {
        machine.count_objects(-(object.release()? as i64));
    }
    Flow::none()
}

pub(crate) fn is_allocated(_: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
    let object = operands[0].object()?;
    let immediate = matches!(object.kind(), ObjectKind::Cell(_)) && object.slots()?.is_empty();
    Flow::one(Datum::from(!immediate))
}

pub(crate) fn is_unique(_: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
    let object = operands[0].object()?;
    object.slots()?;
    Flow::one(Datum::from(object.count() == Some(1)))
}

pub(crate) fn ref_store(_: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
    operands[0].object()?.set_slots(operands[1..].to_vec())?;
    Flow::none()
}

pub(crate) fn capture(op: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
    let index = usize::try_from(number(op, "index")?).map_err(|_| Trap::new("an index is negative"))?;
    Flow::one(operands[0].object()?.slot(index)?)
}

/// Drops an owner of an object; the machine counts the freed objects.
fn release(object: &Object, machine: &mut dyn Machine) -> Result<(), Trap> {
    machine.count_objects(-(object.release()? as i64));
    Ok(())
}

/// A non-null reuse token.
fn memory(machine: &mut dyn Machine) -> Datum {
    counted(ObjectKind::Cell(-1), Vec::new(), machine)
}

pub(crate) fn reset(op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
    let cell = operands[0].object()?;
    let kept = op.attr_named("kept").and_then(|kept| kept.as_dense_i64(op.context())).unwrap_or_default();
    if cell.count() == Some(1) {
        for (index, slot) in cell.set_slots(Vec::new())?.iter().enumerate() {
            if let Datum::Object(field) = slot
                && !kept.contains(&(index as i64))
            {
                release(field, machine)?;
            }
        }
        release(cell, machine)?;
        return Flow::one(memory(machine));
    }
    for field in &operands[1..] {
        field.object()?.retain()?;
    }
    release(cell, machine)?;
    Flow::one(Datum::Object(Object::new(ObjectKind::Cell(-1), Vec::new())))
}

pub(crate) fn make_in(op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
    release(operands[0].object()?, machine)?;
    Flow::one(counted(ObjectKind::Cell(number(op, "tag")?), operands[1..].to_vec(), machine))
}

pub(crate) fn memory_of(_: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
    let cell = operands[0].object()?;
    if cell.count() != Some(1) {
        return Err(Trap::undefined("the memory of an object with several owners is used again"));
    }
    cell.set_slots(Vec::new())?;
    release(cell, machine)?;
    Flow::one(memory(machine))
}

pub(crate) fn new_memory(_: OpRef<'_>, _: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
    Flow::one(memory(machine))
}

pub(crate) fn has_memory(_: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
    Flow::one(Datum::from(operands[0].object()?.count().is_some()))
}

/// A place is the object and the index of the field.
pub(crate) fn hole(op: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
    let place = vec![operands[0].clone(), Datum::Int(number(op, "index")?)];
    Flow::one(Datum::Object(Object::new(ObjectKind::Ref, place)))
}

pub(crate) fn fill(_: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
    let place = operands[0].object()?.slots()?;
    let [cell, Datum::Int(index)] = &place[..] else {
        return Err(Trap::new("expected the place of a field"));
    };
    let mut fields = cell.object()?.slots()?;
    let field = usize::try_from(*index).ok().and_then(|index| fields.get_mut(index));
    *field.ok_or_else(|| Trap::new(format!("an object has no slot {index}")))? = operands[1].clone();
    cell.object()?.set_slots(fields)?;
    Flow::none()
}
