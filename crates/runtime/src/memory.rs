//! The allocator of compiled programs: 64-byte aligned, counted blocks from `malloc`, with caches of large and small blocks.
//!
//! Each block is preceded by a header of 64 bytes. A fresh block of 40 MB costs 15 ms of page faults, and the C library returns
//! blocks of 128 KiB and more to the system, so freed blocks of at least [`LARGE`] bytes are kept in a small cache. An aligned
//! allocation of a few hundred bytes takes the C library longer than a kernel on that many bytes, so each thread keeps some of
//! the smaller blocks that it frees; builds with debug assertions do not, so that tools see each use of freed memory. So the
//! second call of a function finds the blocks of its temporaries, and does not call the system allocator.

mod kept;

pub(crate) use kept::KeptBlocks;

use crate::stack::ensure_room_on;
use crate::thread::{self, Thread};
use crate::{Fault, guard, live, raise, sys};
use kept::kept_size;
use std::collections::VecDeque;
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
    /// The pointer that `posix_memalign` returned; while a thread keeps the block, the next kept block of its size.
    base: *mut u8,
    /// Size of the whole allocation in bytes, from `base`.
    capacity: usize,
    /// The place of the block among the live ones.
    link: live::Link,
}

/// A cached block.
struct CachedBlock {
    base: *mut u8,
    capacity: usize,
}

// SAFETY: the cache owns its blocks exclusively.
unsafe impl Send for CachedBlock {}

/// [`kept_size`], for an allocation that threads keep.
fn kept(total: usize, align: usize) -> Option<(usize, usize)> {
    let keeps = !cfg!(debug_assertions) && align == ALIGN && !live::is_checking();
    kept_size(total).filter(|_| keeps)
}

/// The number of live blocks, without those in the counters of threads.
static ALIVE: AtomicI64 = AtomicI64::new(0);
/// The blocks that were freed last in checking mode.
static QUARANTINE: Mutex<VecDeque<CachedBlock>> = Mutex::new(VecDeque::new());
/// Upper bound on the number of freed blocks in quarantine.
const MAX_QUARANTINED: usize = 1024;
/// Upper bound on the size of each, in bytes.
const MAX_QUARANTINED_BYTES: usize = 1 << 20;
/// The bytes of freed blocks in checking mode.
const POISON: u8 = 0xdd;
/// The bytes of fresh blocks in checking mode: NaN in every floating-point type.
const UNINITIALIZED: u8 = 0xff;
/// The cached blocks, in order of release.
static CACHE: Mutex<Vec<CachedBlock>> = Mutex::new(Vec::new());

/// Allocates `size` bytes, aligned to `align` (a power of two) and to at least 64 bytes. Ends the run with
/// [`Fault::OutOfMemory`] on failure.
#[unsafe(no_mangle)]
pub extern "C" fn minoan_alloc(size: i64, align: i64) -> *mut c_void {
    allocate(size, align, ptr::null())
        .unwrap_or_else(|| raise(Fault::OutOfMemory { bytes: size as u64, place: None }))
}

/// [`minoan_alloc`] with an allocation site, for code compiled in checking mode.
///
/// # Safety
/// `place` is a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_alloc_at(size: i64, align: i64, place: *const c_char) -> *mut c_void {
    allocate(size, align, place).unwrap_or_else(|| {
        // SAFETY: the caller's promise.
        let place = unsafe { CStr::from_ptr(place) }.to_string_lossy().into_owned();
        raise(Fault::OutOfMemory { bytes: size as u64, place: Some(place) })
    })
}

/// Allocates `size` bytes, aligned to 64 bytes; `None` if there is no memory. The block is freed by [`minoan_free`].
pub fn try_alloc(size: i64) -> Option<*mut c_void> {
    allocate(size, ALIGN as i64, ptr::null())
}

/// Allocates a block; `None` if out of memory. `place` is null or a C string with the allocation site.
fn allocate(size: i64, align: i64, place: *const c_char) -> Option<*mut c_void> {
    thread::with(|thread| {
        ensure_room_on(thread);
        let align = usize::try_from(align).unwrap_or(0).max(ALIGN);
        let size = usize::try_from(size).ok()?;
        let total = size.checked_add(align)?.checked_add(guard::SIZE)?;
        let total = Some(total).filter(|_| align.is_power_of_two())?;
        let run = thread.run.get();
        let kept = kept(total, align);
        let Some(block) = kept.and_then(|(_, number)| thread.kept.reuse(number)) else {
            return allocate_new(Request { size, align, total, kept, run, place });
        };
        let header = block.cast::<Header>();
        // SAFETY: the block has been freed, and this thread owns it.
        unsafe {
            ((*header).magic, (*header).base) = (LIVE, block);
            (*header).link.reuse(run, size);
            Some(block.add(ALIGN).cast())
        }
    })
}

/// A request for a block that its thread does not have.
struct Request {
    size: usize,
    align: usize,
    /// The size of the allocation with the header and the guard.
    total: usize,
    /// See [`kept`].
    kept: Option<(usize, usize)>,
    run: u64,
    /// See [`allocate`].
    place: *const c_char,
}

#[cold]
fn allocate_new(request: Request) -> Option<*mut c_void> {
    let Request { size, align, total, kept, run, place } = request;
    let cached = if kept.is_none() { take_cached(total, align) } else { None };
    let (base, capacity) = match cached {
        Some(block) => (block.base, block.capacity),
        None => {
            let total = kept.map_or(total, |(total, _)| total);
            thread::with(|thread| thread.fresh_blocks.set(thread.fresh_blocks.get() + 1));
            (sys::allocate(align, total)?, total)
        }
    };
    ALIVE.fetch_add(1, Ordering::Relaxed);
    // SAFETY: the allocation has `total` bytes from `base`, which is aligned to `align`; the header takes the last 64 of
    // the first `align` bytes.
    unsafe {
        let user = base.add(align);
        let header = user.sub(ALIGN).cast::<Header>();
        header.write(Header { magic: LIVE, base, capacity, link: live::Link::new(run, size) });
        if run != 0 || kept.is_some() {
            live::add(&raw mut (*header).link);
        }
        if live::is_checking() {
            live::record(&raw mut (*header).link, place);
            user.write_bytes(UNINITIALIZED, size);
        }
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
    thread::with(|thread| {
        ensure_room_on(thread);
        let header = block.cast::<u8>().wrapping_sub(ALIGN).cast::<Header>();
        // SAFETY: blocks of `minoan_alloc` are preceded by a header.
        unsafe {
            match (*header).magic {
                LIVE => (*header).magic = FREED,
                // The place is that of a block only if the header is that of one.
                FREED if live::is_checking() => {
                    raise(Fault::BadFree { place: live::place_of(&raw const (*header).link) })
                }
                _ => raise(Fault::BadFree { place: None }),
            }
            release(thread, header);
        }
    });
}

/// Frees the blocks that a run allocated and that are live.
///
/// The caller guarantees that the run has ended with a fault, so that there are no references to the blocks.
pub(crate) fn free_run(run: u64) {
    live::take_all(run, |link| {
        // SAFETY: the link is part of the header of a live block, which nothing refers to.
        unsafe {
            let header = link.byte_sub(std::mem::offset_of!(Header, link)).cast::<Header>();
            (*header).magic = FREED;
            ALIVE.fetch_sub(1, Ordering::Relaxed);
            let block = header.cast::<u8>().add(ALIGN);
            guard::take(block);
            give_back((*header).base, (*header).capacity);
        }
    });
}

/// Keeps the memory of a block that was freed, or returns it.
///
/// # Safety
/// The header is that of a block that is not used anymore.
unsafe fn release(thread: &Thread, header: *mut Header) {
    // SAFETY: guaranteed by the caller.
    let (base, capacity) = unsafe { ((*header).base, (*header).capacity) };
    let block = header.cast::<u8>().wrapping_add(ALIGN);
    // SAFETY: the block was live until now, and its memory is still there.
    let intact = unsafe { guard::take(block) };
    // A block can only be kept if its header is at the start of the allocation.
    let kept = kept(capacity, ALIGN).filter(|&(size, _)| header.cast::<u8>() == base && size == capacity);
    // SAFETY: as above.
    if !kept.is_some_and(|(_, number)| unsafe { keep_block(thread, header, number) }) {
        // SAFETY: as above.
        unsafe { forget(header) };
    }
    if !intact {
        raise(Fault::Overrun);
    }
}

/// Caches the memory of a block that was freed, or returns it to the system.
///
/// # Safety
/// The header is that of a block that is not used anymore.
#[cold]
unsafe fn forget(header: *mut Header) {
    ALIVE.fetch_sub(1, Ordering::Relaxed);
    // SAFETY: guaranteed by the caller; `base` comes from `sys::allocate`, and the memory is not reused while it is in
    // quarantine.
    unsafe {
        if (*header).link.is_listed() {
            live::remove(&raw mut (*header).link);
        }
        let Header { base, capacity, .. } = *header;
        if live::is_checking() && capacity <= MAX_QUARANTINED_BYTES {
            header.cast::<u8>().add(ALIGN).write_bytes(POISON, (*header).link.size());
            quarantine(CachedBlock { base, capacity });
        } else {
            give_back(base, capacity);
        }
    }
}

/// Keeps a block for the next allocation of its size, unless the thread has enough of them, or ends; returns whether it did.
///
/// # Safety
/// The header is that of a listed block that is not used anymore.
unsafe fn keep_block(thread: &Thread, header: *mut Header, number: usize) -> bool {
    // SAFETY: guaranteed by the caller.
    let is_kept = unsafe { (*header).link.is_listed() } && thread.kept.keep(header.cast(), number);
    if is_kept {
        // SAFETY: the list of kept blocks owns the block.
        unsafe { (*header).link.release() };
    }
    is_kept
}

/// Caches an allocation, or returns it to the system.
///
/// # Safety
/// `base` comes from [`sys::allocate`], and nothing refers to the allocation.
unsafe fn give_back(base: *mut u8, capacity: usize) {
    if capacity >= LARGE {
        keep(CachedBlock { base, capacity });
    } else {
        // SAFETY: guaranteed by the caller.
        unsafe { sys::release(base) };
    }
}

/// Keeps a freed block of checking mode from being reused for a while, so that a second free of it is detected.
fn quarantine(block: CachedBlock) {
    let mut blocks = QUARANTINE.lock().unwrap_or_else(PoisonError::into_inner);
    blocks.push_back(block);
    while blocks.len() > MAX_QUARANTINED {
        let Some(oldest) = blocks.pop_front() else { return };
        // SAFETY: the quarantine owns the block.
        unsafe { give_back(oldest.base, oldest.capacity) };
    }
}

/// The number of live blocks of [`minoan_alloc`] in the process.
pub fn live_allocations() -> i64 {
    ALIVE.load(Ordering::Relaxed) + kept::alive()
}

/// The number of blocks for which this thread has requested memory from the system, since they could not be taken from a cache.
pub fn fresh_blocks() -> u64 {
    thread::with(|thread| thread.fresh_blocks.get())
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

/// Takes the smallest cached block that fits and is at most twice as large.
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
