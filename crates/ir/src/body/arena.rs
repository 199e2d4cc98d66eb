//! Dense slots with generation stamps.

use std::num::NonZeroU32;

/// A position in an arena, inside this crate only: no check but the bounds check. `NONE` ends lists.
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
const MAX_GENERATION: u32 = (1 << GENERATION_BITS) - 1;

/// Body tag (20 bits, never 0) and generation (12 bits): one compare finds stale and foreign ids.
pub(crate) fn first_stamp(tag: u32) -> NonZeroU32 {
    let tag = tag % ((1 << (32 - GENERATION_BITS)) - 1) + 1;
    NonZeroU32::new(tag << GENERATION_BITS).expect("the tag is not zero")
}

/// A slot that knows its stamp.
pub(crate) trait Slot {
    fn stamp(&self) -> u32;
    fn set_stamp(&mut self, stamp: u32);
}

/// Slots, with the free ones kept for reuse. A free slot's stamp is already that of its next tenant, so the old
/// ids do not match it.
#[derive(Clone)]
pub(crate) struct Arena<T> {
    pub(crate) slots: Vec<T>,
    free: Vec<u32>,
    first: NonZeroU32,
}

impl<T: Slot> Arena<T> {
    pub(crate) fn new(tag: u32) -> Self {
        Self { slots: Vec::new(), free: Vec::new(), first: first_stamp(tag) }
    }

    /// Stores `item` in a free slot or a new one; its stamp is set here.
    #[inline]
    pub(crate) fn insert(&mut self, mut item: T) -> Link {
        match self.free.pop() {
            Some(at) => {
                item.set_stamp(self.slots[at as usize].stamp());
                self.slots[at as usize] = item;
                Link(at)
            }
            None => self.push(item),
        }
    }

    /// Where [`Arena::insert`] stores the next item.
    #[inline]
    pub(crate) fn next(&self) -> Link {
        Link(self.free.last().copied().unwrap_or(self.slots.len() as u32))
    }

    /// Stores `item` in a new slot, so that items inserted one after another are neighbours.
    #[inline]
    pub(crate) fn push(&mut self, mut item: T) -> Link {
        let at = self.slots.len() as u32;
        assert!(at < u32::MAX, "a body holds at most 2^32 - 1 records of one kind");
        item.set_stamp(self.first.get());
        self.slots.push(item);
        Link(at)
    }

    /// Frees a slot: ids of it are stale from now on. The slot retires when its generations are used up.
    pub(crate) fn remove(&mut self, at: Link) {
        let stamp = self.slots[at.index()].stamp();
        if stamp & MAX_GENERATION == MAX_GENERATION {
            // Never handed out again; stamp 0 matches no id.
            self.slots[at.index()].set_stamp(0);
        } else {
            self.slots[at.index()].set_stamp(stamp + 1);
            self.free.push(at.0);
        }
    }

    /// Moves everything out into an arena without spare room; what comes next in this one has another tag.
    pub(crate) fn take_exact(&mut self, tag: u32) -> Self {
        Self {
            slots: self.slots.drain(..).collect(),
            free: std::mem::take(&mut self.free),
            first: std::mem::replace(&mut self.first, first_stamp(tag)),
        }
    }

    /// By position: whether the slot is in use.
    pub(crate) fn live(&self) -> Vec<bool> {
        let mut live: Vec<bool> = self.slots.iter().map(|slot| slot.stamp() != 0).collect();
        for &at in &self.free {
            live[at as usize] = false;
        }
        live
    }

    #[inline]
    pub(crate) fn check(&self, index: u32, stamp: NonZeroU32) -> Option<Link> {
        let slot = self.slots.get(index as usize)?;
        (slot.stamp() == stamp.get()).then_some(Link(index))
    }

    #[inline]
    pub(crate) fn stamp(&self, at: Link) -> NonZeroU32 {
        NonZeroU32::new(self.slots[at.index()].stamp()).expect("a live slot has a stamp")
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
