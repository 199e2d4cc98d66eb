//! Guard bytes after the blocks of the allocator, in builds with debug assertions.
//!
//! Compiled code checks extents and not addresses: if a pass widens a loop by mistake, its writes run over the end of a
//! block, and the process fails much later or not at all. A pattern after each block detects such writes. The live blocks are
//! listed, because a run that ends with a fault does not free its blocks.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Bytes after each block: a cache line, so that the sizes of blocks remain multiples of a cache line.
pub(crate) const SIZE: usize = if cfg!(debug_assertions) { 64 } else { 0 };

const PATTERN: u8 = 0xc5;

/// The live blocks, by address, with their sizes.
static BLOCKS: Mutex<BTreeMap<usize, usize>> = Mutex::new(BTreeMap::new());

fn blocks() -> MutexGuard<'static, BTreeMap<usize, usize>> {
    BLOCKS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes the guard of a fresh block and lists the block.
///
/// # Safety
/// `size` plus [`SIZE`] bytes from `block` must be writable.
pub(crate) unsafe fn set(block: *mut u8, size: usize) {
    if SIZE != 0 {
        // SAFETY: guaranteed by the caller.
        unsafe { block.add(size).write_bytes(PATTERN, SIZE) };
        blocks().insert(block as usize, size);
    }
}

/// Checks that the guard of a block is intact, and removes the block from the list.
///
/// # Safety
/// The block must be live and readable.
pub(crate) unsafe fn take(block: *mut u8) -> bool {
    // SAFETY: the listed blocks have a guard, and this one is live.
    SIZE == 0 || blocks().remove(&(block as usize)).is_none_or(|size| unsafe { is_intact(block, size) })
}

/// # Safety
/// `block` must be live, of `size` bytes and with a guard.
unsafe fn is_intact(block: *const u8, size: usize) -> bool {
    // SAFETY: guaranteed by the caller.
    unsafe { std::slice::from_raw_parts(block.add(size), SIZE) }.iter().all(|&byte| byte == PATTERN)
}

/// The sizes of the live blocks beyond whose end something was written, each reported once. Empty in builds without
/// debug assertions.
pub fn overrun_blocks() -> Vec<usize> {
    let mut blocks = blocks();
    // SAFETY: a listed block is live: `take` removes it, under the lock, before it is freed.
    let damaged = blocks
        .iter()
        .filter(|&(&block, &size)| unsafe { !is_intact(std::ptr::with_exposed_provenance(block), size) });
    let damaged: Vec<(usize, usize)> = damaged.map(|(&block, &size)| (block, size)).collect();
    damaged
        .into_iter()
        .map(|(block, size)| {
            blocks.remove(&block);
            size
        })
        .collect()
}
