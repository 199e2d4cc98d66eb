//! Stack switching and the signal handler for Linux.

use super::ROOM;
use crate::sys::linux as sys;
use crate::{Fault, thread};
use std::cell::{Cell, RefCell};
use std::convert::Infallible;
use std::ffi::{c_int, c_void};
use std::ptr;
use std::sync::Once;

#[cfg(target_arch = "aarch64")]
#[path = "aarch64.rs"]
mod arch;
#[cfg(target_arch = "x86_64")]
#[path = "x86_64.rs"]
mod arch;

/// Size in bytes of the inaccessible guard below the stack. Frames larger than a page are probed page by page.
const GUARD: usize = 1 << 20;
/// The smallest stack to reserve, in bytes.
const SMALLEST: usize = 1 << 20;
/// The bytes of a stack that keep their memory after a call.
const KEPT: usize = 256 << 20;
/// Ticks of the processor's clock in which no call touches more than [`KEPT`] bytes for the first time.
const SHORT: u64 = 1 << 17;
/// Size of the alternate signal stack, in bytes.
const SIGNAL_STACK: usize = 64 << 10;

/// An active guarded call; lives in the frame of [`call`].
struct Active {
    /// The stack pointer at the switch, with the saved registers above it.
    saved: Cell<usize>,
    /// The lowest usable address.
    low: usize,
    /// One past the highest usable address.
    high: usize,
    /// The requested size, reported in the message.
    limit: usize,
    /// Whether faults may abandon the frames of the call.
    escapes: bool,
    /// Whether this call or one around it runs a program, whose frames faults may abandon.
    runs_program: bool,
    /// The fault of an escape.
    fault: Cell<Option<Fault>>,
}

thread_local! {
    /// The innermost guarded call. It has no destructor, so a signal handler may read it.
    static ACTIVE: Cell<*const Active> = const { Cell::new(ptr::null()) };
    static STACK: RefCell<Option<Stack>> = const { RefCell::new(None) };
    static SIGNALS: RefCell<Option<SignalStack>> = const { RefCell::new(None) };
}

/// A mapped stack with the guard at its low end.
struct Stack {
    base: *mut c_void,
    /// Size of the mapping in bytes, including the guard.
    len: usize,
    /// The requested size; less may have been available.
    limit: usize,
}

impl Stack {
    fn new(limit: usize) -> Option<Self> {
        let page = 64 << 10;
        let mut size = limit.max(SMALLEST).checked_next_multiple_of(page)?;
        // Under `ulimit -v` or strict overcommit less may be available.
        while size >= SMALLEST {
            let len = size.checked_add(GUARD)?;
            // SAFETY: a fresh mapping does not overlap existing memory.
            let base =
                unsafe { sys::mmap(ptr::null_mut(), len, sys::PROT_READ_WRITE, sys::MAP_STACK, -1, 0) };
            if base as isize != -1 {
                // SAFETY: the guard is the low end of the new mapping.
                if unsafe { sys::mprotect(base, GUARD, sys::PROT_NONE) } == 0 {
                    arch::tell_valgrind(base as usize, base as usize + len);
                    return Some(Self { base, len, limit });
                }
                // SAFETY: the new mapping is unused.
                unsafe { sys::munmap(base, len) };
            }
            size = (size / 2).next_multiple_of(page);
        }
        None
    }

    fn low(&self) -> usize {
        self.base as usize + GUARD
    }

    fn high(&self) -> usize {
        self.base as usize + self.len
    }

    /// Releases the touched pages, but for the first `kept` bytes.
    fn trim(&self, kept: usize) {
        if let Some(len) = (self.len - GUARD).checked_sub(kept) {
            // SAFETY: no frame lives on this stack.
            unsafe { sys::madvise(self.low() as *mut c_void, len, sys::MADV_DONTNEED) };
        }
    }

    /// Whether a call has touched more than [`KEPT`] bytes. Frames that are larger than a page are probed, so none skips one.
    fn is_deep(&self) -> bool {
        let mut resident = 0u8;
        let page = (self.high() - KEPT) as *mut c_void;
        // SAFETY: the page belongs to the stack, and the status is a byte for each page.
        self.len - GUARD > KEPT
            && unsafe { sys::mincore(page, 1, &raw mut resident) } == 0
            && resident & 1 == 1
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        // SAFETY: the mapping is owned and no frame lives on it.
        unsafe { sys::munmap(self.base, self.len) };
    }
}

/// The alternate signal stack of a thread, which replaces the previous one until the thread ends.
struct SignalStack {
    base: *mut c_void,
    previous: sys::AltStack,
}

impl SignalStack {
    fn install() -> Option<Self> {
        // SAFETY: a fresh mapping does not overlap existing memory.
        let base =
            unsafe { sys::mmap(ptr::null_mut(), SIGNAL_STACK, sys::PROT_READ_WRITE, sys::MAP_STACK, -1, 0) };
        if base as isize == -1 {
            return None;
        }
        let stack = sys::AltStack { base, flags: 0, size: SIGNAL_STACK };
        let mut previous = sys::AltStack { base: ptr::null_mut(), flags: sys::SS_DISABLE, size: 0 };
        // SAFETY: the memory stays mapped until the thread ends.
        unsafe { sys::sigaltstack(&raw const stack, &raw mut previous) };
        Some(Self { base, previous })
    }
}

impl Drop for SignalStack {
    fn drop(&mut self) {
        let mut current = sys::AltStack { base: ptr::null_mut(), flags: 0, size: 0 };
        // SAFETY: the kernel stops using the memory before it is unmapped. The previous stack is restored only if this one is
        // still installed; its owner keeps it mapped until the thread ends, or installs another one first.
        unsafe {
            sys::sigaltstack(ptr::null(), &raw mut current);
            if current.base == self.base {
                sys::sigaltstack(&raw const self.previous, ptr::null_mut());
            }
            sys::munmap(self.base, SIGNAL_STACK);
        }
    }
}

pub(crate) use arch::stack_pointer;

fn active() -> Option<&'static Active> {
    // SAFETY: `call` sets the pointer to its own frame and resets it before that frame ends; the reference is used
    // only in functions called from `call`.
    unsafe { ACTIVE.get().as_ref() }
}

/// The remaining bytes of the large stack, and its limit.
pub(crate) fn remaining() -> Option<(usize, usize)> {
    let active = active()?;
    let here = arch::stack_pointer();
    (active.low..active.high).contains(&here).then(|| (here - active.low, active.limit))
}

/// Whether a program runs on this thread.
pub(crate) fn runs_program() -> bool {
    active().is_some_and(|active| active.runs_program)
}

/// Returns from the innermost guarded call; returns the fault if there is none or it does not allow escapes.
pub(crate) fn escape_with(fault: Fault) -> Result<Infallible, Fault> {
    match active() {
        Some(active) if active.escapes => {
            active.fault.set(Some(fault));
            // SAFETY: the call is active on this thread, and its caller allowed abandoning the frames.
            unsafe { arch::escape(active.saved.get()) }
        }
        _ => Err(fault),
    }
}

/// See [`super::call_guarded`].
pub(crate) unsafe fn call(
    limit: usize,
    escapes: bool,
    f: extern "C" fn(*mut c_void),
    argument: *mut c_void,
) -> Result<(), Fault> {
    install_handlers();
    let outer = ACTIVE.get();
    let outer_low = thread::with(|thread| thread.stack_low.get());
    let here = arch::stack_pointer();
    let nested = active().filter(|outer| (outer.low + ROOM..outer.high).contains(&here));
    let (stack, low, high, limit) = match nested {
        // Below this frame and the caller's red zone.
        Some(outer) => (None, outer.low, here - 4096, outer.limit),
        None => {
            let kept = STACK.try_with(|slot| slot.borrow_mut().take()).ok().flatten();
            let fitting = kept.filter(|stack| stack.limit == limit);
            let stack = fitting.or_else(|| Stack::new(limit)).ok_or(Fault::NoStack)?;
            let (low, high) = (stack.low(), stack.high());
            (Some(stack), low, high, high - low)
        }
    };
    let runs_program = escapes || runs_program();
    let active =
        Active { saved: Cell::new(0), low, high, limit, escapes, runs_program, fault: Cell::new(None) };
    ACTIVE.set(&raw const active);
    thread::with(|thread| thread.stack_low.set(low));
    let start = arch::ticks();
    // SAFETY: `high` is the top of an unused stack or of the free part of this one; `f` is sound to call as
    // guaranteed by the caller. An escape returns here like a normal return.
    unsafe { arch::switch(active.saved.as_ptr(), high & !63, f, argument) };
    ACTIVE.set(outer);
    thread::with(|thread| thread.stack_low.set(outer_low));
    let fault = active.fault.take();
    if let Some(stack) = stack {
        if fault.is_some() {
            stack.trim(0);
        } else if arch::ticks().wrapping_sub(start) > SHORT && stack.is_deep() {
            stack.trim(KEPT);
        }
        // While the thread is exiting there is no slot, and the stack is dropped here.
        let _kept = STACK.try_with(|slot| slot.borrow_mut().replace(stack));
    }
    fault.map_or(Ok(()), Err)
}

/// The previously installed actions, by signal.
static mut PREVIOUS: [Option<sys::SigAction>; 16] = [None; 16];

fn install_handlers() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        for signal in [sys::SIGSEGV, sys::SIGBUS, sys::SIGFPE, sys::SIGILL] {
            let handler: extern "C" fn(c_int, *mut sys::SigInfo, *mut c_void) = on_signal;
            let action = sys::SigAction {
                handler: handler as usize,
                mask: [0; 16],
                flags: sys::SA_SIGINFO | sys::SA_ONSTACK | sys::SA_NODEFER,
                restorer: 0,
            };
            let mut old = sys::SigAction { handler: 0, mask: [0; 16], flags: 0, restorer: 0 };
            // SAFETY: the structures have the C library's layout; the old action is stored before any thread is in a
            // guarded call, so the handler does not race with the store.
            unsafe {
                sys::sigaction(signal, ptr::null(), &raw mut old);
                PREVIOUS[signal as usize] = Some(old);
                sys::sigaction(signal, &raw const action, ptr::null_mut());
            }
        }
    });
    let _ending = SIGNALS.try_with(|slot| {
        let mut slot = slot.borrow_mut();
        if slot.is_none() {
            *slot = SignalStack::install();
        }
    });
}

/// Converts a fault inside a guarded call to its early return; forwards every other signal to the previous handler.
extern "C" fn on_signal(signal: c_int, info: *mut sys::SigInfo, context: *mut c_void) {
    // SAFETY: the kernel passes a valid structure.
    let address = unsafe { (*info).address } as usize;
    if let Some(active) = active() {
        let in_guard = (active.low - GUARD..active.low).contains(&address);
        let fault = match signal {
            sys::SIGSEGV | sys::SIGBUS if in_guard => Some(Fault::StackOverflow(active.limit)),
            sys::SIGFPE if active.escapes => Some(Fault::Division),
            sys::SIGILL if active.escapes => Some(Fault::Unreachable),
            _ => None,
        };
        if let Some(fault) = fault {
            if active.escapes {
                active.fault.set(Some(fault));
                // SAFETY: the signal interrupted compiled code, whose frames may be abandoned. The handler blocks no
                // signals (SA_NODEFER), and the kernel detects from the stack pointer that it was left.
                unsafe { arch::escape(active.saved.get()) }
            }
            crate::output::flush_from_signal();
            crate::sys::write_fd(2, b"error: recursion too deep (stack exhausted)\n");
            sys::exit_now(Fault::EXIT_CODE);
        }
    }
    // SAFETY: written once, before this handler is installed.
    let previous = unsafe { PREVIOUS[signal as usize] };
    match previous {
        Some(previous) if previous.handler > 1 && previous.flags & sys::SA_SIGINFO != 0 => {
            // SAFETY: an installed action with SA_SIGINFO has this signature.
            let handler: extern "C" fn(c_int, *mut sys::SigInfo, *mut c_void) =
                unsafe { std::mem::transmute(previous.handler) };
            handler(signal, info, context);
        }
        Some(previous) => {
            // SAFETY: restores the previous action; returning repeats the faulting instruction under it.
            unsafe { sys::sigaction(signal, &raw const previous, ptr::null_mut()) };
        }
        None => crate::sys::exit(128 + signal),
    }
}
