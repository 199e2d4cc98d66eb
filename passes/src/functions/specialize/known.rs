//! Known values: constants, and results of constructors with known parts.

use minoan_ir::{Attr, Block, Body, InsertionPoint, Mapping, Op, OpKind, Type, Value, with_stack};
use minoan_services::{Constructor, constant_of};

/// Limit on the constructors in a known value.
const MAX_SIZE: usize = 256;

/// A known value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Known {
    Constant(Attr, Type),
    /// The result of a constructor with these attributes, with the parts that are known.
    Made {
        kind: OpKind,
        attrs: (Attr, Attr),
        ty: Type,
        parts: Vec<Option<Known>>,
    },
}

/// The value as far as it is known; `None` if nothing is.
pub(super) fn known_of(body: &Body, value: Value) -> Option<Known> {
    known(body, value, &mut 0)
}

fn known(body: &Body, value: Value, size: &mut usize) -> Option<Known> {
    if let Some(constant) = constant_of(body, value) {
        return Some(Known::Constant(constant, body.ty(value)));
    }
    let op = body.op(body.defining_op(value)?);
    let constructor = body.context().service::<dyn Constructor>(op.kind())?;
    if op.n_results() != 1 || op.n_regions() != 0 || *size >= MAX_SIZE || !constructor.is_constructor(op) {
        return None;
    }
    *size += 1;
    let parts = op.operands().map(|part| with_stack(|| known(body, part, size))).collect();
    Some(Known::Made { kind: op.kind(), attrs: (op.props(), op.attrs()), ty: body.ty(value), parts })
}

/// Appends the parts of a value that are not known.
pub(super) fn unknown_parts(body: &Body, value: Value, known: &Known, found: &mut Vec<Value>) {
    let (Known::Made { parts, .. }, Some(op)) = (known, body.defining_op(value)) else { return };
    for (part, known) in body.op(op).operands().zip(parts) {
        match known {
            Some(known) => with_stack(|| unknown_parts(body, part, known, found)),
            None => found.push(part),
        }
    }
}

impl Known {
    /// The number of constructors.
    pub(super) fn size(&self) -> usize {
        match self {
            Known::Constant(..) => 0,
            Known::Made { parts, .. } => {
                1 + parts.iter().flatten().map(|part| with_stack(|| part.size())).sum::<usize>()
            }
        }
    }

    /// Makes a value of `outside` before an operation of the entry block of another body; unknown parts become arguments of that.
    pub(super) fn rebuild(
        &self,
        outside: &Body,
        value: Value,
        new: &mut Body,
        (entry, before): (Block, Op),
    ) -> Option<Value> {
        let op = outside.defining_op(value)?;
        let mut mapping = Mapping::new();
        if let Known::Made { parts, .. } = self {
            for (part, known) in outside.op(op).operands().zip(parts) {
                let made = match known {
                    Some(known) => with_stack(|| known.rebuild(outside, part, new, (entry, before)))?,
                    None => new.add_arg(entry, outside.ty(part), outside.value_loc(part)),
                };
                mapping.map(part, made);
            }
        }
        let number = outside.op(op).results().position(|result| result == value)?;
        let copy = new.clone_op_from(outside, op, InsertionPoint::Before(before), &mut mapping);
        Some(new.op(copy).result(number))
    }
}
