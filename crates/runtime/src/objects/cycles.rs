//! The collector of cycles: objects that own each other through references.
//!
//! Programs that can create such objects create their references by [`minoan_cyclic_object`]; other programs do not link the
//! collector. It compares the count of each object of the thread with the slots that refer to it. An object with more owners
//! than slots is owned by a frame of the program or by its caller, and stays, with everything reachable from it. All others own
//! only each other. The collector runs when the number of references created since the last collection reaches the number of
//! objects that survived it, and at the end of a program, so its time is proportional to the time of their creation.

use super::heap::{FREED, HEAP};
use super::recover::{each_object, sweep};
use super::{Header, each_part, minoan_object};
use crate::stack::ensure_room;
use std::ffi::c_void;

/// References are created at least so often between collections.
const MIN_CREATED: usize = 1 << 12;
/// Set in the count of an object that has been found to stay.
const STAYS: i32 = 1 << 30;
/// Objects are not collected if one of them has this number of owners: its count may no longer be exact.
const MANY: i32 = 1 << 29;

/// [`minoan_object`] for a reference that may reach itself.
#[unsafe(no_mangle)]
pub extern "C" fn minoan_cyclic_object(slots: i64, pointers: i64, tag: i64) -> *mut c_void {
    let is_full = HEAP.with(|heap| {
        // SAFETY: the heap belongs to this thread, and nothing below calls back.
        let heap = unsafe { &mut *heap.get() };
        heap.collector = Some(collect);
        heap.created += 1;
        heap.created > heap.full.max(MIN_CREATED)
    });
    if is_full {
        ensure_room();
        collect();
    }
    minoan_object(slots, pointers, tag)
}

/// Frees the unreachable cycles of this thread: objects that are referenced only by other unreachable objects.
fn collect() {
    HEAP.with(|heap| {
        // SAFETY: the heap belongs to this thread, and nothing below calls back. Programs call the runtime only when all objects
        // are initialized, and memory that is not an object is marked as free or has no slots that refer to objects.
        unsafe {
            let heap = &mut *heap.get();
            let mut pending = Vec::new();
            let alive = usize::try_from(heap.alive).unwrap_or_default();
            let mut most = 0;
            each_object(heap, |object| most = most.max((*object).count));
            heap.created = 0;
            if most < MANY && pending.try_reserve_exact(alive).is_ok() {
                each_object(heap, |object| {
                    if (*object).count != FREED {
                        each_part(object, |part| (*part).count -= 1);
                    }
                });
                each_object(heap, |object| {
                    if (1..STAYS).contains(&(*object).count) {
                        stay(object, &mut pending);
                    }
                });
                sweep(heap, STAYS);
            }
            heap.full = usize::try_from(heap.alive).unwrap_or_default();
        }
    });
}

/// Marks an object and everything reachable from it, and recounts the owning slots. `pending` is empty, and has room for all
/// objects.
///
/// # Safety
/// The object is live, and not marked.
unsafe fn stay(object: *mut Header, pending: &mut Vec<*mut Header>) {
    // SAFETY: guaranteed by the caller; the objects in slots of a live object are live.
    unsafe {
        (*object).count += STAYS;
        pending.push(object);
        while let Some(object) = pending.pop() {
            each_part(object, |part| {
                (*part).count += 1;
                if (*part).count < STAYS {
                    (*part).count += STAYS;
                    pending.push(part);
                }
            });
        }
    }
}
