//! Arenas of dense slots with generational ids.

use super::InvalidId;
use std::fmt::Debug;
use std::num::NonZeroU32;

/// A position in an arena, internal to this crate and only bounds-checked. `NONE` terminates lists.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Link(pub(crate) u32);

impl Link {
    pub(crate) const NONE: Link = Link(u32::MAX);

    #[inline]
    pub(crate) fn some(self) -> Option<Link> {
        (self != Link::NONE).then_some(self)
    }

    #[inline]
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

const GENERATION_BITS: u32 = 12;
const MAX_GENERATION: Generation = (1 << GENERATION_BITS) - 1;

/// The generation of a slot, from 1 on. A slot whose generations are exhausted has 0, which no id has.
pub(crate) type Generation = u16;

/// The upper bits of all stamps of a body.
fn upper_bits(tag: u32) -> NonZeroU32 {
    let tag = tag % ((1 << (32 - GENERATION_BITS)) - 1) + 1;
    NonZeroU32::new(tag << GENERATION_BITS).expect("the tag is not zero")
}

/// The number of the body that a stamp belongs to.
pub(crate) fn tag_of(stamp: NonZeroU32) -> u32 {
    stamp.get() >> GENERATION_BITS
}

/// A slot that stores its generation.
pub(crate) trait Slot {
    fn generation(&self) -> Generation;
    fn set_generation(&mut self, generation: Generation);
}

/// The indices of free slots. Most bodies have none, so an empty list takes the size of a pointer.
#[derive(Clone, Default)]
#[expect(clippy::box_collection, reason = "the list itself is three words long")]
pub(crate) struct FreeList(Option<Box<Vec<u32>>>);

impl FreeList {
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<u32> {
        self.0.as_mut()?.pop()
    }

    pub(crate) fn push(&mut self, at: u32) {
        self.0.get_or_insert_default().push(at);
    }

    #[inline]
    fn last(&self) -> Option<u32> {
        self.0.as_ref()?.last().copied()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> {
        self.0.iter().flat_map(|list| list.iter().copied())
    }
}

/// Slots with a free list.
///
/// The stamp of an id consists of the body's tag (20 bits, never 0) and the generation of its slot (12 bits), so one
/// comparison detects stale and foreign ids. A free slot already has the generation of its next occupant, so that old
/// ids do not match.
#[derive(Clone)]
pub(crate) struct Arena<T> {
    pub(crate) slots: Vec<T>,
    free: FreeList,
    /// The tag, in its position in a stamp.
    tag: NonZeroU32,
}

impl<T: Slot> Arena<T> {
    pub(crate) fn new(tag: u32) -> Self {
        Self { slots: Vec::new(), free: FreeList::default(), tag: upper_bits(tag) }
    }

    /// Stores `item` in a free or new slot and sets its generation.
    #[inline]
    pub(crate) fn insert(&mut self, mut item: T) -> Link {
        match self.free.pop() {
            Some(at) => {
                item.set_generation(self.slots[at as usize].generation());
                self.slots[at as usize] = item;
                Link(at)
            }
            None => self.push(item),
        }
    }

    /// The error for an invalid id with this stamp.
    #[cold]
    pub(crate) fn invalid(&self, id: &dyn Debug, stamp: NonZeroU32) -> InvalidId {
        let body = tag_of(self.tag);
        InvalidId { id: format!("{id:?}"), body: (tag_of(stamp) != body).then_some(body) }
    }

    /// Panics for an invalid id.
    #[cold]
    #[inline(never)]
    #[track_caller]
    pub(crate) fn refuse(&self, id: &dyn Debug, stamp: NonZeroU32) -> ! {
        panic!("{}", self.invalid(id, stamp))
    }

    /// The slot in which [`Arena::insert`] stores the next item.
    #[inline]
    pub(crate) fn next(&self) -> Link {
        Link(self.free.last().unwrap_or(self.slots.len() as u32))
    }

    /// Stores `item` in a new slot, so that items inserted consecutively are adjacent.
    #[inline]
    pub(crate) fn push(&mut self, mut item: T) -> Link {
        let at = self.slots.len() as u32;
        assert!(at < u32::MAX, "a body holds at most 2^32 - 1 records of one kind");
        item.set_generation(1);
        self.slots.push(item);
        Link(at)
    }

    /// Frees a slot, which invalidates its ids. A slot with exhausted generations is retired.
    pub(crate) fn remove(&mut self, at: Link) {
        let generation = self.slots[at.index()].generation();
        if generation == MAX_GENERATION {
            // Never reused.
            self.slots[at.index()].set_generation(0);
        } else {
            self.slots[at.index()].set_generation(generation + 1);
            self.free.push(at.0);
        }
    }

    /// Moves all slots to an arena without spare capacity; this arena gets a new tag.
    pub(crate) fn take_exact(&mut self, tag: u32) -> Self {
        Self {
            slots: self.slots.drain(..).collect(),
            free: std::mem::take(&mut self.free),
            tag: std::mem::replace(&mut self.tag, upper_bits(tag)),
        }
    }

    /// For each position: whether the slot is in use.
    pub(crate) fn live(&self) -> Vec<bool> {
        let mut live: Vec<bool> = self.slots.iter().map(|slot| slot.generation() != 0).collect();
        for at in self.free.iter() {
            live[at as usize] = false;
        }
        live
    }

    #[inline]
    pub(crate) fn check(&self, index: u32, stamp: NonZeroU32) -> Option<Link> {
        let slot = self.slots.get(index as usize)?;
        (self.tag | u32::from(slot.generation()) == stamp).then_some(Link(index))
    }

    #[inline]
    pub(crate) fn stamp(&self, at: Link) -> NonZeroU32 {
        self.tag | u32::from(self.slots[at.index()].generation())
    }
}

impl<T> std::ops::Index<Link> for Arena<T> {
    type Output = T;
    #[inline]
    fn index(&self, at: Link) -> &T {
        &self.slots[at.index()]
    }
}

impl<T> std::ops::IndexMut<Link> for Arena<T> {
    #[inline]
    fn index_mut(&mut self, at: Link) -> &mut T {
        &mut self.slots[at.index()]
    }
}
