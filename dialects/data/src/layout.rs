//! The memory of objects.
//!
//! An object is a header of 8 bytes and slots of 8 bytes, one for each field, captured value or component. Those that
//! are objects come first, in order, and the others follow, in order. The runtime documents the header.
//!
//! * A cell has its fields; a constructor without fields is an immediate, `tag * 2 + 1`.
//! * A closure has its code before its captured values, as `address * 2 + 1`, which is not a heap object either.
//! * A reference has the components of its contents.
//! * A box is an object of raw bytes: a header of 16 bytes, an extent of 8 bytes for each dimension, and the elements in
//!   row-major order from a multiple of 16 bytes on.

use crate::types::is_object;
use minoan_ir::{Context, FloatKind, Type};

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

/// The assignment of components to slots.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slots {
    /// The slot of each component.
    pub of: Vec<usize>,
    /// The number of leading slots that are objects.
    pub pointers: usize,
}

impl Slots {
    /// The slots of components, some of which are objects.
    pub fn new(is_object: impl IntoIterator<Item = bool>) -> Self {
        let kinds: Vec<bool> = is_object.into_iter().collect();
        let pointers = kinds.iter().filter(|&&object| object).count();
        let (mut next_object, mut next_other) = (0, pointers);
        let slot = |object: bool| {
            let next = if object { &mut next_object } else { &mut next_other };
            *next += 1;
            *next - 1
        };
        Self { of: kinds.into_iter().map(slot).collect(), pointers }
    }

    /// The slots of components of these types.
    pub fn of_types(ctx: &Context, types: &[Type]) -> Self {
        Self::new(types.iter().map(|&ty| is_object(ctx, ty)))
    }

    /// The number of slots.
    pub fn len(&self) -> usize {
        self.of.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.of.is_empty()
    }
}

/// The size of a number in bytes, in a slot or as an element of a box; `None` for types that are stored in neither.
pub fn size_of(ctx: &Context, ty: Type) -> Option<usize> {
    if ty == Type::INDEX {
        return Some(WORD);
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
        let slots = Slots::new([false, true, false, true]);
        assert_eq!(slots, Slots { of: vec![2, 0, 3, 1], pointers: 2 });
    }

    #[test]
    fn elements_of_a_box_are_aligned() {
        assert_eq!([0, 1, 2, 3].map(elements_offset), [16, 32, 32, 48]);
    }
}
