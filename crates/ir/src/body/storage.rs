//! The records that make up a body.

use super::arena::{Generation, Link, Slot};
use super::{Block, Body, Op, Value};
use crate::{Attr, Loc, OpKind, Type};
use smallvec::SmallVec;

pub(crate) struct OpData {
    pub(super) generation: Generation,
    pub(super) kind: OpKind,
    pub(super) n_operands: u16,
    pub(super) n_results: u16,
    pub(super) loc: Loc,
    /// The dictionary of inherent attributes.
    pub(super) props: Attr,
    /// The dictionary of discardable attributes.
    pub(super) attrs: Attr,
    /// The first operand slot in the pool.
    pub(super) operands: u32,
    /// The first result; the others follow it.
    pub(super) results: Link,
    /// The index of the `Ext`, or `u32::MAX`.
    pub(super) ext: u32,
    pub(super) block: Link,
    pub(super) prev: Link,
    pub(super) next: Link,
}

pub(crate) struct ValueData {
    pub(super) generation: Generation,
    pub(super) ty: Type,
    pub(super) first_use: Link,
    pub(super) def: PackedDef,
}

/// The definition of a value, in 32 bits: the operation, or the block with the high bit set.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct PackedDef(u32);

/// The operation or the block that defines a value.
#[derive(Clone, Copy)]
pub(crate) enum DefLink {
    Op(Link),
    Block(Link),
}

impl PackedDef {
    const IS_BLOCK: u32 = 1 << 31;

    #[inline]
    pub(super) fn op(op: Link) -> Self {
        Self(op.0)
    }

    #[inline]
    pub(super) fn block(block: Link) -> Self {
        Self(block.0 | Self::IS_BLOCK)
    }

    #[inline]
    pub(super) fn unpack(self) -> DefLink {
        match self.0 & Self::IS_BLOCK {
            0 => DefLink::Op(Link(self.0)),
            _ => DefLink::Block(Link(self.0 & !Self::IS_BLOCK)),
        }
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Operand {
    pub(super) value: Link,
    pub(super) next: Link,
    pub(super) prev: Link,
    pub(super) owner: Link,
}

/// Properties that few operations have.
#[derive(Default)]
pub(crate) struct Ext {
    pub(super) regions: SmallVec<[Link; 2]>,
    /// Ids instead of links, since a block can be erased while an operation in another region refers to it.
    pub(super) successors: SmallVec<[Block; 2]>,
    /// The body of an isolated operation.
    pub(super) nested: Option<Box<Body>>,
}

pub(crate) struct BlockData {
    pub(super) generation: Generation,
    pub(super) region: Link,
    /// The neighbors in the region.
    pub(super) prev: Link,
    pub(super) next: Link,
    /// The operations.
    pub(super) first: Link,
    pub(super) last: Link,
    pub(super) args: SmallVec<[Arg; 2]>,
    pub(super) n_ops: u32,
    /// The number of successors that refer to the block, including those of detached operations.
    pub(super) n_named: u32,
}

/// A block argument.
#[derive(Clone, Copy)]
pub(crate) struct Arg {
    pub(super) value: Link,
    pub(super) loc: Loc,
}

pub(crate) struct RegionData {
    pub(super) generation: Generation,
    /// The operation, or `NONE` for a region of the body itself.
    pub(super) parent: Link,
    pub(super) first: Link,
    pub(super) last: Link,
    pub(super) n_blocks: u32,
}

impl RegionData {
    /// An empty region of an operation, or of the body itself.
    pub(super) fn of(parent: Link) -> Self {
        Self { generation: 0, parent, first: Link::NONE, last: Link::NONE, n_blocks: 0 }
    }
}

/// A program has millions of these; the book documents their sizes.
#[cfg(target_pointer_width = "64")]
const _: () = {
    assert!(size_of::<Op>() == 8 && size_of::<Option<Value>>() == 8);
    assert!(size_of::<OpData>() == 48);
    assert!(size_of::<ValueData>() == 16 && size_of::<Operand>() == 16);
    assert!(size_of::<BlockData>() == 64 && size_of::<RegionData>() == 20);
};

/// Free ranges of 1, 2, 3 and 4 operands.
#[derive(Clone, Default)]
pub(crate) struct FreeOperands(Option<Box<[Vec<u32>; 4]>>);

impl FreeOperands {
    /// Takes a free range for this many operands; returns its first slot.
    #[inline]
    pub(super) fn pop(&mut self, operands: usize) -> Option<u32> {
        self.0.as_mut()?.get_mut(operands.checked_sub(1)?)?.pop()
    }

    /// Frees a range. Long ranges are not reused.
    pub(super) fn push(&mut self, start: u32, operands: usize) {
        if (1..=4).contains(&operands) {
            self.0.get_or_insert_default()[operands - 1].push(start);
        }
    }

    /// The first slots of the free ranges with their lengths.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, usize)> {
        let lists = self.0.iter().flat_map(|lists| lists.iter().enumerate());
        lists.flat_map(|(shorter, starts)| starts.iter().map(move |&start| (start, shorter + 1)))
    }
}

macro_rules! slots {
    ($($name:ident)*) => {$(
        impl Slot for $name {
            #[inline]
            fn generation(&self) -> Generation { self.generation }
            #[inline]
            fn set_generation(&mut self, generation: Generation) { self.generation = generation; }
        }
    )*};
}
slots! { OpData ValueData BlockData RegionData }
