//! Recovery after a fault: frees the objects that the program was using.
//!
//! A fault abandons the frames of the program, and with them owners of objects. Objects reachable from owners outside of
//! programs stay alive. Their counts may be too high, so all counts are recomputed from the owners outside and the
//! slots of live objects. The time is linear in the memory of the thread.

use super::WORD;
use super::heap::{HEAP, Heap, MAX_SMALL_WORDS, link_freed, most_slots, release_large, words};
use super::{Header, RAW, each_part, owners};
use crate::Fault;
use std::ptr;

/// Frees the objects of this thread that are not reachable from an owner outside of programs. Does nothing after a fault that
/// indicates heap corruption, if Rust owns values that are not recorded, or if there is no memory for the search.
///
/// The caller guarantees that no program runs on this thread.
pub(crate) fn recover(fault: &Fault) {
    if matches!(fault, Fault::BadFree { .. } | Fault::Overrun) {
        return;
    }
    HEAP.with(|heap| {
        // SAFETY: the heap belongs to this thread, no program runs on it, and nothing below calls back.
        unsafe {
            let heap = &mut *heap.get();
            let mut pending = Vec::new();
            let Ok(alive @ 1..) = usize::try_from(heap.alive) else { return };
            if heap.unknown != 0 || pending.try_reserve_exact(alive).is_err() {
                return;
            }
            each_object(heap, |object| (*object).count = 0);
            mark(&mut pending);
            sweep(heap, 0);
        }
    });
}

/// Computes the counts of the objects that owners outside of programs reach. `pending` has room for all objects.
///
/// # Safety
/// All counts are 0, and owned objects are live.
unsafe fn mark(pending: &mut Vec<*mut Header>) {
    let reach = |object: *mut Header, owners: i32, pending: &mut Vec<*mut Header>| {
        // SAFETY: guaranteed by the caller.
        let count = unsafe { &mut (*object).count };
        if *count == 0 {
            pending.push(object);
        }
        *count = count.saturating_add(owners);
    };
    owners::each(|object, count| reach(object, i32::try_from(count).unwrap_or(i32::MAX), pending));
    while let Some(object) = pending.pop() {
        // SAFETY: a live object has that many slots, each of which is null, an immediate or a live object.
        unsafe {
            each_part(object, |part| reach(part, 1, pending));
        }
    }
}

/// Frees the objects whose count is not positive, and takes `mark` from the counts of the others.
///
/// # Safety
/// The freed objects are referenced only by each other.
pub(super) unsafe fn sweep(heap: &mut Heap, mark: i32) {
    let mut dead: *mut Header = ptr::null_mut();
    let (mut free, mut alive) = ([ptr::null_mut(); MAX_SMALL_WORDS + 1], 0);
    // SAFETY: guaranteed by the caller; a small object has room for a header and a link.
    unsafe {
        each_object(heap, |object| {
            let Header { count, slots, .. } = object.read();
            let size = words(slots.into());
            if count > 0 {
                alive += 1;
                (*object).count -= mark;
            } else if slots == RAW || size >= free.len() {
                // Large objects leave the list after the walk over it.
                object.cast::<*mut Header>().write(dead);
                dead = object;
            } else {
                link_freed(object, most_slots(size), free[size]);
                free[size] = object;
            }
        });
        while !dead.is_null() {
            let next = dead.cast::<*mut Header>().read();
            release_large(heap, dead);
            dead = next;
        }
    }
    (heap.free, heap.alive) = (free, alive);
}

/// Calls `f` for each object of the thread, freed ones among them.
///
/// # Safety
/// The heap is that of this thread, and `f` keeps the numbers of slots.
pub(super) unsafe fn each_object(heap: &Heap, mut f: impl FnMut(*mut Header)) {
    // SAFETY: chunks and large objects of the lists are live, and each object of a chunk has a header.
    unsafe {
        let (mut chunk, mut end) = (heap.chunk, heap.next);
        while !chunk.is_null() {
            let mut at = chunk.add(1).cast::<u8>();
            while at < end {
                let object = at.cast::<Header>();
                at = at.add(words((*object).slots.into()) * WORD);
                f(object);
            }
            chunk = (*chunk).previous;
            end = if chunk.is_null() { end } else { (*chunk).end };
        }
        let mut large = heap.large;
        while !large.is_null() {
            let previous = (*large).previous;
            f(large.add(1).cast());
            large = previous;
        }
    }
}
