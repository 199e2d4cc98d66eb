//! The allocator of compiled programs: 64-byte aligned, counted blocks from `malloc`, with a cache of large blocks.
//!
//! Each block is preceded by a header of 64 bytes. A fresh block of 40 MB costs 15 ms of page faults, and the C library returns
//! blocks of 128 KiB and more to the system, so freed blocks of at least [`LARGE`] bytes are kept in a small cache.

use crate::stack::ensure_room;
use crate::{Fault, guard, raise, sys};
use std::ffi::{CStr, c_char, c_void};
use std::ptr;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The alignment of every block and the size of the header: a cache line, and the widest vector register.
const ALIGN: usize = 64;
/// Freed blocks of at least this many bytes are cached.
const LARGE: usize = 1 << 16;
/// Upper bound on the number of cached blocks.
const MAX_CACHED_BLOCKS: usize = 64;
/// Upper bound on the total size of cached blocks, in bytes.
const MAX_CACHED_BYTES: usize = 1 << 30;

const LIVE: u64 = 0x6d69_6e6f_616e_2121;
const FREED: u64 = 0x6672_6565_6421_2121;

/// The header of a block.
#[repr(C, align(64))]
struct Header {
    /// [`LIVE`], or [`FREED`] until the memory is reused.
    magic: u64,
    /// The pointer that `posix_memalign` returned.
    base: *mut u8,
    /// Size of the whole allocation in bytes, from `base`.
    capacity: usize,
}

/// A cached block.
struct CachedBlock {
    base: *mut u8,
    capacity: usize,
}

// SAFETY: the cache owns its blocks exclusively.
unsafe impl Send for CachedBlock {}

static ALIVE: AtomicI64 = AtomicI64::new(0);
/// The cached blocks, in order of release.
static CACHE: Mutex<Vec<CachedBlock>> = Mutex::new(Vec::new());

/// Allocates `size` bytes, aligned to `align` (a power of two) and to at least 64 bytes. Ends the run with
/// [`Fault::OutOfMemory`] on failure.
#[unsafe(no_mangle)]
pub extern "C" fn minoan_alloc(size: i64, align: i64) -> *mut c_void {
    allocate(size, align).unwrap_or_else(|| raise(Fault::OutOfMemory { bytes: size as u64, place: None }))
}

/// [`minoan_alloc`] for compiled code, which says where it allocates.
///
/// # Safety
/// `place` is a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_alloc_at(size: i64, align: i64, place: *const c_char) -> *mut c_void {
    allocate(size, align).unwrap_or_else(|| {
        // SAFETY: the caller's promise.
        let place = unsafe { CStr::from_ptr(place) }.to_string_lossy().into_owned();
        raise(Fault::OutOfMemory { bytes: size as u64, place: Some(place) })
    })
}

/// A block of `size` bytes, unless there is no memory.
pub(crate) fn try_alloc(size: i64) -> Option<*mut c_void> {
    allocate(size, ALIGN as i64)
}

/// A block, unless there is no memory.
fn allocate(size: i64, align: i64) -> Option<*mut c_void> {
    ensure_room();
    let align = usize::try_from(align).unwrap_or(0).max(ALIGN);
    let size = usize::try_from(size).ok()?;
    let total = size.checked_add(align)?.checked_add(guard::SIZE)?;
    let total = Some(total).filter(|_| align.is_power_of_two())?;
    let (base, capacity) = match take_cached(total, align) {
        Some(block) => (block.base, block.capacity),
        None => (sys::allocate(align, total)?, total),
    };
    ALIVE.fetch_add(1, Ordering::Relaxed);
    // SAFETY: the allocation has `total` bytes from `base`, which is aligned to `align`; the header takes the last 64 of
    // the first `align` bytes.
    unsafe {
        let user = base.add(align);
        user.sub(ALIGN).cast::<Header>().write(Header { magic: LIVE, base, capacity });
        guard::set(user, size);
        Some(user.cast())
    }
}

/// Frees a block of [`minoan_alloc`]; null is ignored. Ends the run with [`Fault::BadFree`] if it detects a double
/// free, and in builds with debug assertions with [`Fault::Overrun`] if it detects a write beyond the end of the block.
///
/// # Safety
/// `block` must come from [`minoan_alloc`] and must not be used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_free(block: *mut c_void) {
    if block.is_null() {
        return;
    }
    ensure_room();
    // SAFETY: blocks of `minoan_alloc` are preceded by a header.
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
    // SAFETY: the block was live until now, and its memory is still there.
    let intact = unsafe { guard::take(block.cast()) };
    if capacity >= LARGE {
        keep(CachedBlock { base, capacity });
    } else {
        // SAFETY: `base` comes from `sys::allocate`, and the header is marked live at most once.
        unsafe { sys::release(base) };
    }
    if !intact {
        raise(Fault::Overrun);
    }
}

/// The number of live blocks of [`minoan_alloc`] in the process.
pub fn live_allocations() -> i64 {
    ALIVE.load(Ordering::Relaxed)
}

/// [`live_allocations`] for compiled code and foreign callers.
#[unsafe(no_mangle)]
pub extern "C" fn minoan_live_allocations() -> i64 {
    live_allocations()
}

/// Returns the cached blocks to the system.
pub fn release_cached_memory() {
    for block in cache().drain(..) {
        // SAFETY: the cache owns the block.
        unsafe { sys::release(block.base) };
    }
}

/// The target of `memref.alloc` without an alignment in MLIR's `finalize-memref-to-llvm`.
#[unsafe(no_mangle)]
pub extern "C" fn _mlir_memref_to_llvm_alloc(size: i64) -> *mut c_void {
    minoan_alloc(size, ALIGN as i64)
}

/// The target of `memref.alloc` with an alignment in MLIR's `finalize-memref-to-llvm`.
#[unsafe(no_mangle)]
pub extern "C" fn _mlir_memref_to_llvm_aligned_alloc(align: i64, size: i64) -> *mut c_void {
    minoan_alloc(size, align)
}

/// The target of `memref.dealloc` in MLIR's `finalize-memref-to-llvm`.
///
/// # Safety
/// The same as for [`minoan_free`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn _mlir_memref_to_llvm_free(block: *mut c_void) {
    // SAFETY: guaranteed by the caller.
    unsafe { minoan_free(block) }
}

fn cache() -> MutexGuard<'static, Vec<CachedBlock>> {
    CACHE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes the smallest cached block that fits and of which at least half is used.
fn take_cached(total: usize, align: usize) -> Option<CachedBlock> {
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

fn keep(block: CachedBlock) {
    let mut cache = cache();
    cache.push(block);
    let mut bytes: usize = cache.iter().map(|block| block.capacity).sum();
    while cache.len() > MAX_CACHED_BLOCKS || bytes > MAX_CACHED_BYTES {
        let oldest = cache.remove(0);
        bytes -= oldest.capacity;
        // SAFETY: the cache owns the block.
        unsafe { sys::release(oldest.base) };
    }
}
