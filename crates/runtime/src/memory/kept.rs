//! The freed blocks that each thread keeps for its next allocations.

use super::{ALIVE, Header, LARGE};
use crate::{live, sys, thread};
use std::cell::Cell;
use std::ptr;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Allocations of at most this many bytes are small.
const SMALL: usize = 1 << 12;
/// The sizes of small allocations are multiples of this.
const SMALL_STEP: usize = 128;
/// The number of sizes of small allocations.
const SMALL_SIZES: usize = SMALL / SMALL_STEP;
/// The number of sizes of allocations from [`SMALL`] to [`LARGE`] bytes: four for each power of two.
const MEDIUM_SIZES: usize = 4 * (LARGE.ilog2() - SMALL.ilog2()) as usize;
/// The number of sizes of the blocks that threads keep.
const KEPT_SIZES: usize = SMALL_SIZES + MEDIUM_SIZES;
/// Upper bound on the number of small blocks of each size that a thread keeps.
const MAX_SMALL_BLOCKS: u8 = 32;
/// Upper bound on the number of larger blocks of each size that a thread keeps: 5 MB in total.
const MAX_MEDIUM_BLOCKS: u8 = 12;

/// The size class of an allocation of `total` bytes: its size in bytes and its index; `None` if the allocation is too large to be
/// cached.
pub(super) fn kept_size(total: usize) -> Option<(usize, usize)> {
    if total <= SMALL {
        let size = total.next_multiple_of(SMALL_STEP);
        return Some((size, size / SMALL_STEP - 1));
    }
    if total > LARGE {
        return None;
    }
    let step = 1 << ((total - 1).ilog2() - 2);
    let size = total.next_multiple_of(step);
    let number = 4 * ((total - 1).ilog2() - SMALL.ilog2()) as usize + (size - 4 * step) / step - 1;
    Some((size, SMALL_SIZES + number))
}

/// Per-thread free lists, one per size class, linked through the block headers; an allocation begins at its header. Cached blocks
/// remain in the live-block lists, marked idle.
pub(crate) struct KeptBlocks {
    first: [Cell<*mut u8>; KEPT_SIZES],
    counts: [Cell<u8>; KEPT_SIZES],
    /// The number of blocks of these size classes that the thread allocated, less those that it freed. Only the thread changes
    /// it.
    alive: Cell<Option<&'static AtomicI64>>,
}

/// The counters of all threads, running or ended.
static COUNTERS: Mutex<Vec<&'static AtomicI64>> = Mutex::new(Vec::new());
/// Counters of threads that have ended.
static UNUSED_COUNTERS: Mutex<Vec<&'static AtomicI64>> = Mutex::new(Vec::new());

impl KeptBlocks {
    /// No blocks.
    pub(crate) const fn new() -> KeptBlocks {
        KeptBlocks {
            first: [const { Cell::new(ptr::null_mut()) }; KEPT_SIZES],
            counts: [const { Cell::new(0) }; KEPT_SIZES],
            alive: Cell::new(None),
        }
    }

    /// Creates the counter of this thread and registers the cleanup at its exit; `None` if the thread is exiting.
    #[cold]
    fn new_counter(&self) -> Option<&'static AtomicI64> {
        END.try_with(|_| ()).ok()?;
        let unused = UNUSED_COUNTERS.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let counter = unused.unwrap_or_else(|| {
            let counter: &'static AtomicI64 = Box::leak(Box::new(AtomicI64::new(0)));
            COUNTERS.lock().unwrap_or_else(PoisonError::into_inner).push(counter);
            counter
        });
        self.alive.set(Some(counter));
        Some(counter)
    }

    /// Takes an allocation of a size, by its number.
    #[inline]
    fn take(&self, number: usize) -> Option<*mut u8> {
        let (first, count) = (&self.first[number], &self.counts[number]);
        let block = first.get();
        if block.is_null() {
            return None;
        }
        // SAFETY: a kept block begins with its header.
        first.set(unsafe { (*block.cast::<Header>()).base });
        count.set(count.get() - 1);
        Some(block)
    }

    /// Takes an allocation of a size, by its number, whose block is live from now on.
    #[inline]
    pub(super) fn reuse(&self, number: usize) -> Option<*mut u8> {
        let block = self.take(number)?;
        self.add_alive(1);
        Some(block)
    }

    /// Adds to the number of live blocks; returns whether the thread counts them.
    #[inline]
    fn add_alive(&self, change: i64) -> bool {
        let Some(counter) = self.alive.get().or_else(|| self.new_counter()) else { return false };
        // Only this thread changes it.
        counter.store(counter.load(Ordering::Relaxed) + change, Ordering::Relaxed);
        true
    }

    /// Keeps an allocation that begins with its header, unless there are enough, or the thread ends; returns whether it did.
    #[inline]
    pub(super) fn keep(&self, block: *mut u8, number: usize) -> bool {
        let (first, count) = (&self.first[number], &self.counts[number]);
        if count.get() == if number < SMALL_SIZES { MAX_SMALL_BLOCKS } else { MAX_MEDIUM_BLOCKS } {
            return false;
        }
        if !self.add_alive(-1) {
            return false;
        }
        // SAFETY: the block is not used anymore, and begins with its header.
        unsafe { (*block.cast::<Header>()).base = first.get() };
        first.set(block);
        count.set(count.get() + 1);
        true
    }

    /// Returns all blocks to the system.
    fn clear(&self) {
        for number in 0..KEPT_SIZES {
            while let Some(block) = self.take(number) {
                // SAFETY: the list owns the block, which begins with its header.
                unsafe {
                    live::remove(&raw mut (*block.cast::<Header>()).link);
                    sys::release(block);
                }
            }
        }
        if let Some(counter) = self.alive.take() {
            ALIVE.fetch_add(counter.swap(0, Ordering::Relaxed), Ordering::Relaxed);
            UNUSED_COUNTERS.lock().unwrap_or_else(PoisonError::into_inner).push(counter);
        }
    }
}

/// Frees the cached blocks of the thread when it is dropped.
struct EndOfThread;

impl Drop for EndOfThread {
    fn drop(&mut self) {
        thread::with(|thread| thread.kept.clear());
    }
}

thread_local! {
    /// Runs [`KeptBlocks::clear`] when the thread exits; initialized with the thread's counter.
    static END: EndOfThread = const { EndOfThread };
}

/// The number of live blocks in the counters of all threads.
pub(super) fn alive() -> i64 {
    let counters = COUNTERS.lock().unwrap_or_else(PoisonError::into_inner);
    counters.iter().map(|counter| counter.load(Ordering::Relaxed)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_kept_in_the_list_of_their_size() {
        let mut last = (0, None);
        for total in (1..=LARGE).step_by(64).chain([SMALL, SMALL + 1, LARGE - 1, LARGE]) {
            let (size, number) = kept_size(total).expect("a size");
            assert!(size >= total && number < KEPT_SIZES, "{total}");
            assert!(size - total < SMALL_STEP.max(size / 4), "{total} bytes are {size}");
            assert_eq!(kept_size(size), Some((size, number)), "a block of a size is kept in its list");
            if total > last.0 {
                assert!(last.1.is_none_or(|last| number == last || number == last + 1), "{total}");
                last = (total, Some(number));
            }
        }
        assert_eq!(kept_size(LARGE).map(|(_, number)| number), Some(KEPT_SIZES - 1));
        assert_eq!(kept_size(LARGE + 1), None);
    }
}
