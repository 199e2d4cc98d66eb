//! Frees objects that have lost their last owner, and what they own.

use super::heap::{Heap, MAX_SMALL_WORDS, link_freed, release_large, start_again, words};
use super::{HEADER_POINTERS, HEADER_SLOTS, Header, is_object};
use crate::stack::ensure_room;
use crate::{Fault, raise};
use std::ptr;

/// The header of an object as one word, as compiled code writes it.
///
/// In an object that dies and waits for the objects in its slots, the next such object takes the place of the count and the tag,
/// and the number of leading slots that refer to objects is that of those which it still owns. Addresses have 48 bits.
#[derive(Clone, Copy)]
struct Word(u64);

impl Word {
    /// # Safety
    /// The object has a header.
    #[inline]
    unsafe fn of(object: *mut Header) -> Self {
        // SAFETY: guaranteed by the caller.
        Word(unsafe { object.cast::<u64>().read() })
    }

    /// The header of an object that waits.
    #[inline]
    fn waiting(self, next: *mut Header, pointers: usize) -> Self {
        Word(next as u64 | (pointers as u64) << HEADER_POINTERS | u64::from(self.slots()) << HEADER_SLOTS)
    }

    /// The object that waits after this one, or null.
    #[inline]
    fn next(self) -> *mut Header {
        (self.0 & ((1 << HEADER_POINTERS) - 1)) as *mut Header
    }

    #[inline]
    fn count(self) -> i32 {
        self.0 as i32
    }

    #[inline]
    fn pointers(self) -> usize {
        usize::from((self.0 >> HEADER_POINTERS) as u8)
    }

    #[inline]
    fn slots(self) -> u8 {
        (self.0 >> HEADER_SLOTS) as u8
    }
}

/// Small objects with the same number of slots that have been freed and are not in the list of the heap yet.
#[derive(Clone, Copy)]
struct Freed {
    slots: u8,
    /// The object that was freed last, linked to the others and to the list of the heap.
    first: *mut Header,
}

impl Freed {
    /// No objects. The number of slots is that of small objects.
    fn new(heap: &Heap, slots: u8) -> Self {
        Freed { slots, first: heap.free[words(slots.into())] }
    }

    /// These objects and another one that has the right number of slots.
    ///
    /// # Safety
    /// Nothing refers to the object.
    #[inline]
    unsafe fn and(self, object: *mut Header) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe { link_freed(object, self.slots, self.first) };
        Freed { first: object, ..self }
    }

    /// A small object with another number of slots, after these have been returned to the heap; frees a large object.
    ///
    /// # Safety
    /// Nothing refers to the object, which is one of this thread.
    #[inline(never)]
    unsafe fn and_other(self, heap: &mut Heap, object: *mut Header, slots: u8) -> Self {
        self.give_back(heap);
        // SAFETY: guaranteed by the caller.
        unsafe {
            if words(slots.into()) <= MAX_SMALL_WORDS {
                return Freed::new(heap, slots).and(object);
            }
            ensure_room();
            release_large(heap, object);
        }
        self
    }

    /// Returns the objects to the heap.
    fn give_back(self, heap: &mut Heap) {
        heap.free[words(self.slots.into())] = self.first;
    }
}

/// Removes an owner of a value. Returns the object and its header if it was the last owner, and null otherwise.
///
/// # Safety
/// The value is null, an immediate or an object of this thread, which has been initialized.
#[inline]
unsafe fn remove_owner(value: *mut Header) -> (*mut Header, Word) {
    let none = (ptr::null_mut(), Word(0));
    if !is_object(value) {
        return none;
    }
    // SAFETY: guaranteed by the caller.
    let header = unsafe { Word::of(value) };
    match header.count() {
        1 => return (value, header),
        i32::MAX => {}
        // SAFETY: as above.
        2.. => unsafe { (*value).count = header.count() - 1 },
        _ => raise(Fault::BadFree { place: None }),
    }
    none
}

/// Frees an object that has lost its last owner, and drops what its slots own. Ends the run with [`Fault::BadFree`] if it detects an
/// object that was freed before.
///
/// Does not recurse: an object waits in a list, which is linked through the headers, until all of its slots but one have been
/// dropped; then it is freed.
///
/// # Safety
/// Nothing refers to the object, which is one of this thread.
pub(super) unsafe fn free_owned(heap: &mut Heap, object: *mut Header) {
    // SAFETY: guaranteed by the caller.
    let (mut dying, mut header) = (object, unsafe { Word::of(object) });
    let mut waiting: *mut Header = ptr::null_mut();
    let mut freed = Freed::new(heap, 0);
    let mut count = 0;
    loop {
        let mut left = header.pointers();
        let mut next: *mut Header = ptr::null_mut();
        let mut next_header = header;
        // SAFETY: the object has that many slots, each of which is null, an immediate or an object that it owns.
        unsafe {
            let slots = dying.cast::<*mut Header>().add(1);
            while left > 1 && next.is_null() {
                left -= 1;
                (next, next_header) = remove_owner(slots.add(left).read());
            }
            // The address does not depend on the header: one load after the other is the least time per cell of a list.
            if left == 1 && next.is_null() {
                left = 0;
                (next, next_header) = remove_owner(slots.read());
            }
        }
        // SAFETY: nothing refers to the object, nor to one that dies with it. One that waits has its number of slots in its header.
        unsafe {
            if left > 0 {
                dying.cast::<u64>().write(header.waiting(waiting, left).0);
                waiting = dying;
            } else {
                count += 1;
                freed = match header.slots() {
                    slots if slots == freed.slots => freed.and(dying),
                    slots => freed.and_other(heap, dying, slots),
                };
            }
            (dying, header) = (next, next_header);
            if next.is_null() {
                if waiting.is_null() {
                    break;
                }
                (dying, header) = (waiting, Word::of(waiting));
                waiting = header.next();
            }
        }
    }
    freed.give_back(heap);
    heap.alive -= count;
    if heap.alive == 0 {
        start_again(heap);
    }
}
