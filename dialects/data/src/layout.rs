//! The memory of objects.
//!
//! An object is a header of 8 bytes and slots of 8 bytes: one for each field, captured value or component, two for a complex number
//! with parts of 64 bits. Those that are objects come first, in order, and the others follow, in order. The runtime documents the
//! header.
//!
//! * A cell has its fields; a constructor without fields is an immediate, `tag * 2 + 1`.
//! * A closure has its code before its captured values, as `address * 2 + 1`, which is not a heap object either.
//! * A reference has the components of its contents.
//! * A box is an object of raw bytes: a header of 16 bytes, an extent of 8 bytes for each dimension, and the elements in
//!   row-major order from a multiple of 16 bytes on.

use crate::types::is_object;
use minoan_ir::{Context, FloatKind, Type, TypeData};

/// The size of a slot and of the header, in bytes.
pub const WORD: usize = 8;

/// The size of the header of a box, in bytes.
const BOX_HEADER: usize = 16;

/// The largest number of slots of an object.
pub const MAX_SLOTS: usize = 254;

/// Upper bound on the size of objects whose memory is reused, in words of 8 bytes.
pub const MAX_SMALL: usize = 32;

/// The size of an object with this many slots, in words of 8 bytes. The smallest object has two, as in the runtime.
pub const fn words(slots: usize) -> usize {
    if slots == 0 { 2 } else { slots + 1 }
}

/// The largest tag of a constructor with fields.
pub const MAX_TAG: i64 = u16::MAX as i64;

/// The value of a constructor without fields.
pub const fn immediate(tag: i64) -> i64 {
    tag << 1 | 1
}

/// The offset of a slot from the beginning of an object, in bytes.
pub const fn slot_offset(slot: usize) -> usize {
    WORD + slot * WORD
}

/// The offset of an extent of the tensor in a box, in bytes.
pub const fn extent_offset(axis: usize) -> usize {
    BOX_HEADER + axis * WORD
}

/// The offset of the elements of a box, in bytes.
pub const fn elements_offset(rank: usize) -> usize {
    (BOX_HEADER + rank * WORD).next_multiple_of(16)
}

/// A component of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Component {
    /// An object, in one slot.
    Object,
    /// A number in this many slots.
    Number(usize),
}

/// The assignment of components to slots.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slots {
    /// The first slot of each component.
    pub of: Vec<usize>,
    /// The number of leading slots that are objects.
    pub pointers: usize,
    len: usize,
}

impl Slots {
    /// The slots of components.
    pub fn new(components: impl IntoIterator<Item = Component>) -> Self {
        let components: Vec<Component> = components.into_iter().collect();
        let pointers = components.iter().filter(|&&component| component == Component::Object).count();
        let (mut next_object, mut len) = (0, pointers);
        let slot = |component: Component| {
            let (next, count) = match component {
                Component::Object => (&mut next_object, 1),
                Component::Number(count) => (&mut len, count),
            };
            let slot = *next;
            *next += count;
            slot
        };
        Self { of: components.into_iter().map(slot).collect(), pointers, len }
    }

    /// The slots of components of these types.
    pub fn of_types(ctx: &Context, types: &[Type]) -> Self {
        let component = |&ty: &Type| match is_object(ctx, ty) {
            true => Component::Object,
            false => Component::Number(size_of(ctx, ty).map_or(1, |size| size.div_ceil(WORD))),
        };
        Self::new(types.iter().map(component))
    }

    /// The number of slots.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

/// The size of a number in bytes, in a slot or as an element of a box; `None` for types that are stored in neither.
pub fn size_of(ctx: &Context, ty: Type) -> Option<usize> {
    if ty == Type::INDEX {
        return Some(WORD);
    }
    if let TypeData::Complex(part) = *ty.data(ctx) {
        return part.float_kind(ctx).and(size_of(ctx, part)).map(|size| 2 * size);
    }
    match ty.float_kind(ctx) {
        Some(FloatKind::F16 | FloatKind::BF16) => Some(2),
        Some(FloatKind::F32) => Some(4),
        Some(FloatKind::F64) => Some(8),
        Some(_) => None,
        None => match ty.integer_width(ctx)? {
            1 | 8 => Some(1),
            16 => Some(2),
            32 => Some(4),
            64 => Some(8),
            _ => None,
        },
    }
}

/// Whether objects can contain values of a type.
pub fn is_storable(ctx: &Context, ty: Type) -> bool {
    is_object(ctx, ty) || size_of(ctx, ty).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_come_first() {
        use Component::{Number, Object};
        let slots = Slots::new([Number(1), Object, Number(2), Object, Number(1)]);
        assert_eq!(slots, Slots { of: vec![2, 0, 3, 1, 5], pointers: 2, len: 6 });
    }

    #[test]
    fn elements_of_a_box_are_aligned() {
        assert_eq!([0, 1, 2, 3].map(elements_offset), [16, 32, 32, 48]);
    }
}
