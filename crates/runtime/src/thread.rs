//! The state of a thread that the allocator and the checks of the stack need.
//!
//! The state is one variable, since each access to a thread-local variable is a call in a shared library. The variable has no
//! destructor, so that an access only computes an address, and a signal handler may read it.

use crate::memory::KeptBlocks;
use std::cell::Cell;

/// The state of a thread.
pub(crate) struct Thread {
    /// The lowest usable address of the stack of the innermost guarded call; 0 if there is none.
    pub(crate) stack_low: Cell<usize>,
    /// The run of this thread; 0 if there is none.
    pub(crate) run: Cell<u64>,
    /// The list of live blocks that this thread adds to, counted from 1; 0 if it has none yet.
    pub(crate) list: Cell<u32>,
    /// The number of blocks that were not found in a cache.
    pub(crate) fresh_blocks: Cell<u64>,
    /// The freed blocks that this thread keeps.
    pub(crate) kept: KeptBlocks,
}

thread_local! {
    static THREAD: Thread = const {
        Thread {
            stack_low: Cell::new(0),
            run: Cell::new(0),
            list: Cell::new(0),
            fresh_blocks: Cell::new(0),
            kept: KeptBlocks::new(),
        }
    };
}

/// Calls `f` with the state of this thread.
#[inline]
pub(crate) fn with<R>(f: impl FnOnce(&Thread) -> R) -> R {
    THREAD.with(f)
}
