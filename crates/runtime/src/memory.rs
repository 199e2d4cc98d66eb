//! Memory of compiled programs: 64-byte aligned blocks from `malloc`, counted; large ones are kept for reuse.
//!
//! Each block is preceded by a header of 64 bytes. A fresh block of 40 MB costs 15 ms of page faults, so
//! blocks of [`LARGE`] and more go to a small cache when they are freed.

use crate::stack::ensure_room;
use crate::sys;
use crate::{Fault, raise};
use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Alignment of every block, and the size of the header: a cache line, and the widest vector register.
const ALIGN: usize = 64;
/// From this size on, freed blocks are kept.
const LARGE: usize = 1 << 20;
/// At most so many blocks are kept,
const KEPT_BLOCKS: usize = 32;
/// of so many bytes together.
const KEPT_BYTES: usize = 1 << 30;

const LIVE: u64 = 0x6d69_6e6f_616e_2121;
const FREED: u64 = 0x6672_6565_6421_2121;

/// What stands before a block.
#[repr(C, align(64))]
struct Header {
    /// [`LIVE`], or [`FREED`] for as long as nobody else uses the memory.
    magic: u64,
    /// What `posix_memalign` returned.
    base: *mut u8,
    /// Bytes of the whole allocation, from `base`.
    capacity: usize,
}

/// A large block that waits for its next use.
struct Kept {
    base: *mut u8,
    capacity: usize,
}

// SAFETY: the cache is the only owner of a block that is in it.
unsafe impl Send for Kept {}

static ALIVE: AtomicI64 = AtomicI64::new(0);
/// Freed large blocks, the one freed last at the end.
static CACHE: Mutex<Vec<Kept>> = Mutex::new(Vec::new());

/// A block of `size` bytes, aligned to `align` (a power of two) and to at least 64 bytes.
/// Ends the run with [`Fault::OutOfMemory`] when there is none.
#[unsafe(no_mangle)]
pub extern "C" fn minoan_alloc(size: i64, align: i64) -> *mut c_void {
    ensure_room();
    let align = usize::try_from(align).unwrap_or(0).max(ALIGN);
    let total = usize::try_from(size).ok().and_then(|size| size.checked_add(align));
    let Some(total) = total.filter(|_| align.is_power_of_two()) else {
        raise(Fault::OutOfMemory(size as u64));
    };
    let (base, capacity) = match take_kept(total, align) {
        Some(block) => (block.base, block.capacity),
        None => match sys::allocate(align, total) {
            Some(base) => (base, total),
            None => raise(Fault::OutOfMemory(size as u64)),
        },
    };
    ALIVE.fetch_add(1, Ordering::Relaxed);
    // SAFETY: the block has `align + size` bytes from `base`, which is aligned to `align`; the header takes
    // the last 64 of the first `align` bytes.
    unsafe {
        let user = base.add(align);
        user.sub(ALIGN).cast::<Header>().write(Header { magic: LIVE, base, capacity });
        user.cast()
    }
}

/// Gives a block of [`minoan_alloc`] back; null is none. Ends the run with [`Fault::BadFree`] when it sees that
/// the block was freed before.
///
/// # Safety
/// `block` came from [`minoan_alloc`] and is not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_free(block: *mut c_void) {
    if block.is_null() {
        return;
    }
    ensure_room();
    // SAFETY: a block of `minoan_alloc` has its header before it.
    let Header { magic, base, capacity } = unsafe {
        let header = block.cast::<u8>().sub(ALIGN).cast::<Header>();
        let copy = header.read();
        if copy.magic == LIVE {
            ptr::write(&raw mut (*header).magic, FREED);
        }
        copy
    };
    if magic != LIVE {
        raise(Fault::BadFree);
    }
    ALIVE.fetch_sub(1, Ordering::Relaxed);
    if capacity >= LARGE {
        keep(Kept { base, capacity });
    } else {
        // SAFETY: `base` came from `sys::allocate`, and the header said so only once.
        unsafe { sys::release(base) };
    }
}

/// How many blocks of [`minoan_alloc`] were not freed yet, in the whole process.
pub fn live_allocations() -> i64 {
    ALIVE.load(Ordering::Relaxed)
}

/// [`live_allocations`] for compiled code and foreign callers.
#[unsafe(no_mangle)]
pub extern "C" fn minoan_live_allocations() -> i64 {
    live_allocations()
}

/// Gives the large blocks that wait for reuse back to the system.
pub fn release_cached_memory() {
    for block in cache().drain(..) {
        // SAFETY: the cache owned the block.
        unsafe { sys::release(block.base) };
    }
}

/// `memref.alloc` without an alignment, as MLIR's `finalize-memref-to-llvm` calls it.
#[unsafe(no_mangle)]
pub extern "C" fn _mlir_memref_to_llvm_alloc(size: i64) -> *mut c_void {
    minoan_alloc(size, ALIGN as i64)
}

/// `memref.alloc` with an alignment, as MLIR's `finalize-memref-to-llvm` calls it.
#[unsafe(no_mangle)]
pub extern "C" fn _mlir_memref_to_llvm_aligned_alloc(align: i64, size: i64) -> *mut c_void {
    minoan_alloc(size, align)
}

/// `memref.dealloc`, as MLIR's `finalize-memref-to-llvm` calls it.
///
/// # Safety
/// As [`minoan_free`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn _mlir_memref_to_llvm_free(block: *mut c_void) {
    // SAFETY: the caller's promise.
    unsafe { minoan_free(block) }
}

fn cache() -> MutexGuard<'static, Vec<Kept>> {
    CACHE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The tightest kept block that fits and does not waste more than it holds.
fn take_kept(total: usize, align: usize) -> Option<Kept> {
    if total < LARGE {
        return None;
    }
    let mut cache = cache();
    let fits = cache.iter().enumerate().filter(|(_, block)| {
        block.capacity >= total && block.capacity / 2 <= total && (block.base as usize).is_multiple_of(align)
    });
    let (index, _) = fits.min_by_key(|(_, block)| block.capacity)?;
    Some(cache.remove(index))
}

fn keep(block: Kept) {
    let mut cache = cache();
    cache.push(block);
    let mut bytes: usize = cache.iter().map(|block| block.capacity).sum();
    while cache.len() > KEPT_BLOCKS || bytes > KEPT_BYTES {
        let oldest = cache.remove(0);
        bytes -= oldest.capacity;
        // SAFETY: the cache owned the block.
        unsafe { sys::release(oldest.base) };
    }
}
