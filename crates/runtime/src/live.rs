//! The live blocks that programs have allocated, so that those of a run that ends with a fault can be freed.
//!
//! A run is an outermost guarded call, with the loops that it executes on other threads. The headers of the blocks that it
//! allocates are linked in lists. A block is added to the list of its thread, so that threads seldom wait for each other, and
//! may be freed by any thread. A block that a thread keeps for its next allocation stays in its list, as an idle one, so that
//! reusing it takes no lock.
//!
//! In checking mode each block also records where it was allocated, for reports of leaks and double frees.

use crate::thread;
use std::collections::BTreeMap;
use std::ffi::{CStr, c_char};
use std::fmt;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The number of lists.
const LISTS: usize = 16;

/// A link of a list: part of the header of a block.
#[repr(C)]
pub(crate) struct Link {
    next: *mut Link,
    previous: *mut Link,
    /// The run that allocated the block, 0 outside of runs; [`IDLE`] while a thread keeps it.
    run: AtomicU64,
    /// The list of the block, counted from 1; 0 if it is not listed.
    list: u32,
    /// The place of the allocation in [`PLACES`], counted from 1; 0 if it is unknown.
    place: AtomicU32,
    /// The requested size, in bytes.
    size: AtomicUsize,
}

/// The run of blocks that are not in use.
const IDLE: u64 = u64::MAX;

impl Link {
    /// The link of a block that is not listed.
    pub(crate) fn new(run: u64, size: usize) -> Link {
        Link {
            next: ptr::null_mut(),
            previous: ptr::null_mut(),
            run: AtomicU64::new(run),
            list: 0,
            place: AtomicU32::new(0),
            size: AtomicUsize::new(size),
        }
    }

    /// Whether the block is in a list.
    pub(crate) fn is_listed(&self) -> bool {
        self.list != 0
    }

    /// Makes the block idle; it stays in its list.
    pub(crate) fn release(&self) {
        self.run.store(IDLE, Ordering::Release);
    }

    /// Marks an idle block as allocated by a run.
    pub(crate) fn reuse(&self, run: u64, size: usize) {
        self.size.store(size, Ordering::Relaxed);
        self.place.store(0, Ordering::Relaxed);
        self.run.store(run, Ordering::Release);
    }

    /// The size of the block in bytes.
    pub(crate) fn size(&self) -> usize {
        self.size.load(Ordering::Relaxed)
    }
}

/// A list with its lock, in a separate cache line.
#[repr(align(64))]
struct List {
    is_locked: AtomicBool,
    first: AtomicPtr<Link>,
}

static ALL: [List; LISTS] =
    [const { List { is_locked: AtomicBool::new(false), first: AtomicPtr::new(ptr::null_mut()) } }; LISTS];

/// The run of this thread; 0 if there is none.
pub(crate) fn current_run() -> u64 {
    thread::with(|thread| thread.run.get())
}

/// Makes `run` the run of this thread; returns the run before.
pub(crate) fn set_run(run: u64) -> u64 {
    thread::with(|thread| thread.run.replace(run))
}

/// A number for a new run.
pub(crate) fn new_run() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

fn own_list() -> u32 {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    thread::with(|thread| {
        if thread.list.get() == 0 {
            thread.list.set((NEXT.fetch_add(1, Ordering::Relaxed) % LISTS) as u32 + 1);
        }
        thread.list.get() - 1
    })
}

impl List {
    /// Calls `f` while no other thread changes the list. `f` must not raise a fault.
    fn locked<R>(&self, f: impl FnOnce() -> R) -> R {
        while self.is_locked.swap(true, Ordering::Acquire) {
            while self.is_locked.load(Ordering::Relaxed) {
                std::hint::spin_loop();
            }
        }
        let result = f();
        self.is_locked.store(false, Ordering::Release);
        result
    }

    /// Removes a link.
    ///
    /// # Safety
    /// The list is locked and has the link.
    unsafe fn unlink(&self, link: *mut Link) {
        // SAFETY: the links of a locked list are valid.
        unsafe {
            let (next, previous) = ((*link).next, (*link).previous);
            (*link).list = 0;
            match previous.is_null() {
                true => self.first.store(next, Ordering::Relaxed),
                false => (*previous).next = next,
            }
            if !next.is_null() {
                (*next).previous = previous;
            }
        }
    }
}

/// Adds a block to the list of this thread.
///
/// # Safety
/// `link` is that of a live block which is not listed, and stays there until [`remove`].
pub(crate) unsafe fn add(link: *mut Link) {
    let number = own_list();
    let list = &ALL[number as usize];
    list.locked(|| {
        let first = list.first.load(Ordering::Relaxed);
        // SAFETY: guaranteed by the caller; the links of a locked list are valid.
        unsafe {
            ((*link).list, (*link).next, (*link).previous) = (number + 1, first, ptr::null_mut());
            if !first.is_null() {
                (*first).previous = link;
            }
        }
        list.first.store(link, Ordering::Relaxed);
    });
}

/// Removes a block from its list.
///
/// # Safety
/// The block is listed.
pub(crate) unsafe fn remove(link: *mut Link) {
    // SAFETY: guaranteed by the caller.
    let list = &ALL[unsafe { (*link).list } as usize - 1];
    // SAFETY: as above.
    list.locked(|| unsafe { list.unlink(link) });
}

/// Removes the blocks of a run from the lists, and calls `release` for each.
pub(crate) fn take_all(run: u64, mut release: impl FnMut(*mut Link)) {
    for list in &ALL {
        let mut taken: *mut Link = ptr::null_mut();
        list.locked(|| {
            let mut link = list.first.load(Ordering::Relaxed);
            while !link.is_null() {
                // SAFETY: the links of a locked list are valid.
                unsafe {
                    let next = (*link).next;
                    if (*link).run.load(Ordering::Acquire) == run {
                        list.unlink(link);
                        (*link).next = taken;
                        taken = link;
                    }
                    link = next;
                }
            }
        });
        while !taken.is_null() {
            // SAFETY: the block was unlinked above, so no other thread accesses it.
            let next = unsafe { (*taken).next };
            release(taken);
            taken = next;
        }
    }
}

static IS_CHECKING: AtomicBool = AtomicBool::new(false);
static BLOCKS: AtomicU64 = AtomicU64::new(0);
static BYTES: AtomicU64 = AtomicU64::new(0);
static COPIES: AtomicU64 = AtomicU64::new(0);
static OBJECTS: AtomicU64 = AtomicU64::new(0);
static NEW_MEMORY: AtomicU64 = AtomicU64::new(0);
static PLACED: AtomicU64 = AtomicU64::new(0);
/// The places of allocations, with their numbers counted from 1.
static PLACES: Mutex<(BTreeMap<String, u32>, Vec<String>)> = Mutex::new((BTreeMap::new(), Vec::new()));

fn places() -> MutexGuard<'static, (BTreeMap<String, u32>, Vec<String>)> {
    PLACES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Switches the checking mode on or off. In this mode new blocks record their allocation site, freed blocks are poisoned and
/// quarantined, and [`memory_report`] counts them.
pub fn set_memory_check(on: bool) {
    for counter in [&BLOCKS, &BYTES, &COPIES, &OBJECTS, &NEW_MEMORY, &PLACED] {
        counter.store(0, Ordering::Relaxed);
    }
    IS_CHECKING.store(on, Ordering::Relaxed);
}

/// Counts a copy of a buffer. Code compiled in checking mode calls this and the following functions.
#[unsafe(no_mangle)]
pub extern "C" fn minoan_count_copy() {
    COPIES.fetch_add(1, Ordering::Relaxed);
}

/// Counts an object that is created in new memory.
#[unsafe(no_mangle)]
pub extern "C" fn minoan_count_object() {
    OBJECTS.fetch_add(1, Ordering::Relaxed);
}

/// Counts new memory for an object that is then placed there.
#[unsafe(no_mangle)]
pub extern "C" fn minoan_count_memory() {
    NEW_MEMORY.fetch_add(1, Ordering::Relaxed);
}

/// Counts an object that is placed in memory, of another object or new.
#[unsafe(no_mangle)]
pub extern "C" fn minoan_count_placed() {
    PLACED.fetch_add(1, Ordering::Relaxed);
}

/// Whether the checking mode is on.
pub fn is_checking() -> bool {
    IS_CHECKING.load(Ordering::Relaxed)
}

/// Records where a block was allocated, in checking mode.
///
/// # Safety
/// `link` is that of a live block, and `place` is a C string or null.
pub(crate) unsafe fn record(link: *mut Link, place: *const c_char) {
    // SAFETY: guaranteed by the caller.
    let size = unsafe { (*link).size() };
    BLOCKS.fetch_add(1, Ordering::Relaxed);
    BYTES.fetch_add(size as u64, Ordering::Relaxed);
    if place.is_null() {
        return;
    }
    // SAFETY: as above.
    let place = unsafe { CStr::from_ptr(place) }.to_string_lossy();
    let (numbers, texts) = &mut *places();
    let number = match numbers.get(&*place) {
        Some(&number) => number,
        None => {
            texts.push(place.clone().into_owned());
            let number = u32::try_from(texts.len()).unwrap_or(0);
            numbers.insert(place.into_owned(), number);
            number
        }
    };
    // SAFETY: as above.
    unsafe { (*link).place.store(number, Ordering::Relaxed) };
}

/// The place of an allocation, if it was recorded.
///
/// # Safety
/// The link is readable.
pub(crate) unsafe fn place_of(link: *const Link) -> Option<String> {
    // SAFETY: guaranteed by the caller.
    let number = unsafe { (*link).place.load(Ordering::Relaxed) } as usize;
    number.checked_sub(1).and_then(|at| places().1.get(at).cloned())
}

/// Blocks that were allocated at one place and are live.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LiveBlocks {
    /// The place, as `file:line:column`, if it is known.
    pub place: Option<String>,
    /// The number of blocks.
    pub count: u64,
    /// Their size in bytes.
    pub bytes: u64,
}

/// The allocations of programs since [`set_memory_check`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemoryReport {
    /// The number of blocks that were allocated.
    pub blocks: u64,
    /// Their size in bytes.
    pub bytes: u64,
    /// The live blocks, by their places.
    pub live: Vec<LiveBlocks>,
    /// The number of copies of buffers, of code that counts them.
    pub copies: u64,
    /// The number of objects that were created in new memory, of code that counts them.
    pub objects: u64,
    /// The number of objects that were created in the memory of others, of code that counts them.
    pub reused: u64,
}

impl fmt::Display for MemoryReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let live: u64 = self.live.iter().map(|at| at.count).sum();
        writeln!(f, "blocks allocated: {}, of {} bytes; blocks left: {live}", self.blocks, self.bytes)?;
        let Self { copies, objects, reused, .. } = self;
        write!(f, "copies of blocks: {copies}; objects allocated: {objects}, in memory of others: {reused}")
    }
}

/// The blocks that programs allocated since [`set_memory_check`], and those that are live.
pub fn memory_report() -> MemoryReport {
    let mut found: BTreeMap<u32, (u64, u64)> = BTreeMap::new();
    for list in &ALL {
        list.locked(|| {
            let mut link = list.first.load(Ordering::Relaxed);
            while !link.is_null() {
                // SAFETY: the links of a locked list are valid.
                let block = unsafe { &*link };
                if block.run.load(Ordering::Acquire) != IDLE {
                    let (count, bytes) = found.entry(block.place.load(Ordering::Relaxed)).or_default();
                    (*count, *bytes) = (*count + 1, *bytes + block.size() as u64);
                }
                link = block.next;
            }
        });
    }
    let texts = &places().1;
    let place = |number: u32| (number as usize).checked_sub(1).and_then(|at| texts.get(at).cloned());
    let live =
        found.into_iter().map(|(number, (count, bytes))| LiveBlocks { place: place(number), count, bytes });
    MemoryReport {
        blocks: BLOCKS.load(Ordering::Relaxed),
        bytes: BYTES.load(Ordering::Relaxed),
        live: live.collect(),
        copies: COPIES.load(Ordering::Relaxed),
        objects: OBJECTS.load(Ordering::Relaxed) + NEW_MEMORY.load(Ordering::Relaxed),
        reused: PLACED.load(Ordering::Relaxed).saturating_sub(NEW_MEMORY.load(Ordering::Relaxed)),
    }
}
