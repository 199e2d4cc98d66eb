//! Folds of extraction, insertion and construction from elements.

use super::{as_it_is, defining, splat_of, with_prop};
use crate::rules::{numbers, operand, result};
use crate::types::Parts;
use crate::{Broadcast, Extract, FromElements, Insert, InsertStridedSlice, ToElements};
use minoan_ir::{Attr, DYNAMIC, OpRef, Value};
use minoan_services::{Change, FoldResult, Folded};

pub(crate) fn broadcast(op: OpRef<'_>, known: &[Option<Attr>]) -> Folded {
    match as_it_is(op, op.operand(0)) {
        Some(source) => Folded::one(source),
        None => splat_of(op, known[0]).into(),
    }
}

pub(crate) fn to_elements(op: OpRef<'_>, _: &[Option<Attr>]) -> Folded {
    match defining::<FromElements>(op, op.operand(0)) {
        Some(made) => Folded::Results(made.operands().map(FoldResult::Value).collect()),
        // All elements are the broadcast scalar.
        None => match defining::<Broadcast>(op, op.operand(0)) {
            Some(broadcast) if operand(broadcast, 0).rank(op.context()).is_none() => {
                Folded::Results(op.results().map(|_| FoldResult::Value(broadcast.operand(0))).collect())
            }
            _ => Folded::Unchanged,
        },
    }
}

pub(crate) fn extract_strided_slice(op: OpRef<'_>, known: &[Option<Attr>]) -> Folded {
    match as_it_is(op, op.operand(0)) {
        Some(source) => Folded::one(source),
        None => splat_of(op, known[0]).into(),
    }
}

pub(crate) fn insert_strided_slice(op: OpRef<'_>, _: &[Option<Attr>]) -> Folded {
    as_it_is(op, op.operand(0)).into()
}

pub(crate) fn multi_reduction(op: OpRef<'_>, _: &[Option<Attr>]) -> Folded {
    let none = numbers(op, "reduction_dims").is_empty() && operand(op, 0).rank(op.context()) == Some(1);
    none.then(|| op.operand(0)).into()
}

const POSITION: &str = "static_position";

/// Updates the position and operands of an extraction or insertion.
fn moved(op: OpRef<'_>, operands: &[Value], position: &[i64]) -> Change {
    let position = Attr::dense_i64(op.context(), position);
    Change::new().operands(operands.iter().copied()).props(with_prop(op, POSITION, position))
}

/// Turns known dynamic indices into static ones; `before` operands precede the indices, which are in `shape`.
fn known_positions(op: OpRef<'_>, known: &[Option<Attr>], before: usize, shape: &[i64]) -> Option<Change> {
    let ctx = op.context();
    let mut position = numbers(op, POSITION);
    let mut operands: Vec<Value> = op.operands().take(before).collect();
    let mut values = op.operands().zip(known).skip(before);
    for (at, &extent) in position.iter_mut().zip(shape).filter(|(at, _)| **at == DYNAMIC) {
        let (value, known) = values.next()?;
        match known.and_then(|known| known.as_i64(ctx)).filter(|number| (0..extent).contains(number)) {
            Some(number) => *at = number,
            None => operands.push(value),
        }
    }
    (operands.len() < op.n_operands()).then(|| moved(op, &operands, &position))
}

pub(crate) fn extract(op: OpRef<'_>, known: &[Option<Attr>]) -> Folded {
    let source = op.operand(0);
    let shape = operand(op, 0).shape(op.context()).unwrap_or(&[]);
    if let Some(whole) = as_it_is(op, source).filter(|_| numbers(op, POSITION).is_empty()) {
        return Folded::one(whole);
    }
    if let Some(change) = known_positions(op, known, 1, shape) {
        return change.into();
    }
    if let Some(splat) = splat_of(op, known[0]) {
        return Folded::one(splat);
    }
    if let Some(folded) = of_broadcast(op) {
        return folded;
    }
    let position = numbers(op, POSITION);
    if position.iter().any(|&at| at < 0) {
        return Folded::Unchanged;
    }
    if let Some(inner) = defining::<Extract>(op, source) {
        return of_extract(op, inner, &position).map_or(Folded::Unchanged, Folded::from);
    }
    if let Some(made) = defining::<FromElements>(op, source) {
        return element_of(op, made, &position, shape).into();
    }
    of_inserts(op, &position).unwrap_or(Folded::Unchanged)
}

/// Composes two extractions.
fn of_extract(op: OpRef<'_>, inner: OpRef<'_>, position: &[i64]) -> Option<Change> {
    let outer = numbers(inner, POSITION);
    if outer.iter().any(|&at| at < 0) {
        return None;
    }
    Some(moved(op, &[inner.operand(0)], &[&outer, position].concat()))
}

/// Folds an element of a vector built from elements.
fn element_of(op: OpRef<'_>, made: OpRef<'_>, position: &[i64], shape: &[i64]) -> Option<Value> {
    let number = position
        .iter()
        .zip(shape)
        .try_fold(0i64, |number, (&at, &extent)| number.checked_mul(extent)?.checked_add(at))?;
    let element = made.operands().nth(usize::try_from(number).ok()?)?;
    (position.len() == shape.len()).then(|| as_it_is(op, element)).flatten()
}

/// Folds an extraction from a broadcast to the broadcast value or a part of it.
fn of_broadcast(op: OpRef<'_>) -> Option<Folded> {
    let (ctx, body) = (op.context(), op.body());
    let broadcast = defining::<Broadcast>(op, op.operand(0))?;
    let input = broadcast.operand(0);
    if body.ty(input) == result(op) {
        return Some(Folded::one(input));
    }
    let from = Parts::of(ctx, body.ty(input))?;
    let part = Parts::of_any(ctx, result(op));
    let dropped = from.rank().checked_sub(part.rank())?;
    let position = numbers(op, POSITION);
    let lead = operand(op, 0).rank(ctx)? - from.rank();
    // The remaining dimensions must be unchanged: none of them may stem from the broadcast.
    if from.shape[dropped..] != *part.shape || position.len() != lead + dropped {
        return None;
    }
    let mut values = op.operands().skip(1);
    let (mut operands, mut kept) = (vec![input], Vec::new());
    for (dim, &at) in position.iter().enumerate() {
        let value = if at == DYNAMIC { Some(values.next()?) } else { None };
        let Some(dim) = dim.checked_sub(lead) else { continue };
        if from.shape[dim] == 1 && !from.scalable[dim] {
            kept.push(0);
        } else {
            kept.push(at);
            operands.extend(value);
        }
    }
    Some(moved(op, &operands, &kept).into())
}

/// Folds an extraction from a chain of insertions: to the inserted value, to a part of it, or to the value before the
/// insertion.
fn of_inserts(op: OpRef<'_>, position: &[i64]) -> Option<Folded> {
    let mut source = op.operand(0);
    loop {
        if let Some(insert) = defining::<InsertStridedSlice>(op, source) {
            match in_slice(insert, position) {
                Place::Inside(rest) if rest.is_empty() => {
                    return as_it_is(op, insert.operand(0)).map(Folded::one);
                }
                Place::Inside(rest) => return Some(moved(op, &[insert.operand(0)], &rest).into()),
                Place::Outside => source = insert.operand(1),
                Place::Partly => break,
            }
            continue;
        }
        let Some(insert) = defining::<Insert>(op, source) else { break };
        let put = numbers(insert, POSITION);
        if put.iter().any(|&at| at < 0) {
            break;
        }
        if put == position {
            return as_it_is(op, insert.operand(0)).map(Folded::one);
        }
        if let Some(rest) = position.strip_prefix(&put[..]) {
            return Some(moved(op, &[insert.operand(0)], rest).into());
        }
        if position.iter().zip(&put).all(|(a, b)| a == b) {
            break;
        }
        source = insert.operand(1);
    }
    (source != op.operand(0)).then(|| moved(op, &[source], position).into())
}

/// The place of an extracted element or part relative to an inserted slice.
enum Place {
    /// In the slice, at a position of the inserted vector.
    Inside(Vec<i64>),
    /// Outside of it.
    Outside,
    /// Some of its elements are in the slice, or it is unknown.
    Partly,
}

/// The place of what is extracted at `position` from the result of a `vector.insert_strided_slice`.
fn in_slice(insert: OpRef<'_>, position: &[i64]) -> Place {
    let ctx = insert.context();
    let [part, whole] = [0, 1].map(|at| Parts::of_any(ctx, operand(insert, at)));
    let (offsets, strides) = (numbers(insert, "offsets"), numbers(insert, "strides"));
    let lead = whole.rank() - part.rank();
    let is_scalable = part.scalable.iter().chain(whole.scalable.iter()).any(|&scalable| scalable);
    if is_scalable || strides.iter().any(|&stride| stride != 1) {
        return Place::Partly;
    }
    let mut inside = Vec::new();
    for (dim, (&at, &start)) in position.iter().zip(&offsets).enumerate() {
        let inner = dim.checked_sub(lead);
        let size = inner.map_or(1, |inner| part.shape[inner]);
        if !(start..start + size).contains(&at) {
            return Place::Outside;
        }
        inside.extend(inner.map(|_| at - start));
    }
    let is_covered = |dim: usize| dim >= lead && part.shape[dim - lead] == whole.shape[dim];
    match (position.len()..whole.rank()).all(is_covered) {
        true => Place::Inside(inside),
        false => Place::Partly,
    }
}

pub(crate) fn insert(op: OpRef<'_>, known: &[Option<Attr>]) -> Folded {
    let shape = operand(op, 1).shape(op.context()).unwrap_or(&[]);
    let position = numbers(op, POSITION);
    if let Some(whole) = as_it_is(op, op.operand(0)).filter(|_| position.is_empty()) {
        return Folded::one(whole);
    }
    if let Some(change) = known_positions(op, known, 2, shape) {
        return change.into();
    }
    // An earlier insertion at the same position is dead.
    let before = defining::<Insert>(op, op.operand(1));
    let same =
        |insert: &OpRef<'_>| numbers(*insert, POSITION) == position && positions(*insert) == positions(op);
    match before.filter(same) {
        Some(before) => {
            let rest = op.operands().skip(2);
            let operands: Vec<Value> = [op.operand(0), before.operand(1)].into_iter().chain(rest).collect();
            Change::new().operands(operands).into()
        }
        None => Folded::Unchanged,
    }
}

fn positions(insert: OpRef<'_>) -> Vec<Value> {
    insert.operands().skip(2).collect()
}

/// Folds a vector built from all elements of another vector of the same type, in order.
pub(crate) fn fold_reassembled_vector(op: OpRef<'_>) -> Option<Value> {
    let taken = defining::<ToElements>(op, op.operands().next()?)?;
    op.operands().eq(taken.results()).then(|| as_it_is(op, taken.operand(0))).flatten()
}
