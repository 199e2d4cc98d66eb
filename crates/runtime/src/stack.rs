//! The large stack on which programs run, and the non-local exit from it on a fault.
//!
//! [`call_guarded`] switches to a large reserved stack (only touched pages cost memory) and calls a
//! function there. [`escape_with`], and the signal handler when the guard below that stack is touched,
//! return from it early by putting the registers back as they were at the switch, as `longjmp` does.
//! Functions of the runtime that allocate, lock or print check first that there is room left ([`ensure_room`]), so the guard is
//! never hit inside `malloc` or with a lock held.

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
#[path = "stack/linux.rs"]
mod imp;
#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
#[path = "stack/fallback.rs"]
mod imp;

use crate::fault::{Fault, raise, report_and_exit};
use crate::thread::{self, Thread};
use crate::{live, objects};
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

pub(crate) use imp::escape_with;

/// Stack that the runtime's own functions require, in bytes.
const ROOM: usize = 256 << 10;

/// The size of the stack to reserve, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StackLimit(pub usize);

impl Default for StackLimit {
    fn default() -> Self {
        StackLimit(default_stack_limit())
    }
}

/// An eighth of the memory of the machine or of the control group, but at most 2 GiB, and at least 256 MiB or half of the memory:
/// room for ten million calls, and little enough that endless recursion is reported within a second or two.
pub fn default_stack_limit() -> usize {
    static LIMIT: std::sync::OnceLock<usize> = std::sync::OnceLock::new();
    *LIMIT.get_or_init(|| {
        let read = |path| std::fs::read_to_string(path).unwrap_or_default();
        let total = read("/proc/meminfo").lines().find_map(|line| {
            let kib = line.strip_prefix("MemTotal:")?.trim().strip_suffix("kB")?;
            kib.trim().parse::<u64>().ok()?.checked_mul(1024)
        });
        let group = read("/sys/fs/cgroup/memory.max").trim().parse::<u64>().ok();
        let memory = total.into_iter().chain(group).min().unwrap_or(u64::MAX);
        let usual = (memory / 2).clamp(64 << 20, 256 << 20);
        usize::try_from((memory / 8).clamp(usual, 2 << 30)).unwrap_or(usize::MAX) & !0xffff
    })
}

/// Calls `f(argument)` on a stack of `limit` bytes; a fault ends the call and is returned.
///
/// Nested calls on one thread share the stack of the outermost call, and each catches its own faults. The stack is
/// kept for the next call on this thread, with up to 256 MiB of memory. The objects that a failed program leaves are freed when the outermost call ends with
/// the fault.
///
/// # Errors
/// The fault that ended the call.
///
/// # Safety
/// `f` must be sound to call with `argument`. On a fault, its frames are abandoned without unwinding, so no frame
/// between this call and a function of this crate may hold a value that needs dropping; compiled code holds none.
///
/// ```
/// use std::ffi::c_void;
/// extern "C" fn program(argument: *mut c_void) {
///     assert!(argument.is_null());
///     minoan_runtime::raise(minoan_runtime::Fault::Division)
/// }
/// // SAFETY: the program holds nothing and ignores its argument.
/// let outcome = unsafe {
///     minoan_runtime::call_guarded(Default::default(), program, std::ptr::null_mut())
/// };
/// assert_eq!(outcome, Err(minoan_runtime::Fault::Division));
/// ```
pub unsafe fn call_guarded(
    limit: StackLimit,
    f: extern "C" fn(*mut c_void),
    argument: *mut c_void,
) -> Result<(), Fault> {
    let outer = live::current_run();
    let run = if outer == 0 { live::new_run() } else { outer };
    live::set_run(run);
    // SAFETY: guaranteed by the caller.
    let outcome = unsafe { imp::call(limit.0, true, f, argument) };
    live::set_run(outer);
    if !imp::runs_program() {
        match &outcome {
            Ok(()) => objects::collect_cycles(),
            Err(fault) => objects::recover(fault),
        }
    }
    // Memory that may be corrupt is not freed. Blocks of a chunk of a parallel loop belong to the run, which frees them.
    let is_sound = !matches!(outcome, Err(Fault::BadFree { .. } | Fault::Overrun));
    if outer == 0 && outcome.is_err() && is_sound {
        crate::memory::free_run(run);
    }
    outcome
}

/// Runs Rust code on the large stack. Its frames are never abandoned: code that may recurse deeply must check
/// [`stack_remaining`] and stop in time; otherwise the process prints "recursion too deep" and exits with code 3.
///
/// # Errors
/// [`Fault::NoStack`] if no stack can be reserved.
///
/// # Panics
/// Propagates panics of `f`.
///
/// ```
/// fn depth(n: u64) -> u64 {
///     if n == 0 { 0 } else { 1 + std::hint::black_box(depth(n - 1)) }
/// }
/// let n = minoan_runtime::run_on_big_stack(Default::default(), || depth(200_000)).unwrap();
/// assert_eq!(n, 200_000);
/// ```
pub fn run_on_big_stack<R>(limit: StackLimit, f: impl FnOnce() -> R) -> Result<R, Fault> {
    let mut f = Some(f);
    let mut result = None;
    let mut job = || {
        if let Some(f) = f.take() {
            result = Some(catch_unwind(AssertUnwindSafe(f)));
        }
    };
    let mut job: &mut dyn FnMut() = &mut job;
    // SAFETY: `run` gets the job it expects and does not unwind; without escapes no frame is abandoned.
    unsafe { imp::call(limit.0, false, run, (&raw mut job).cast())? };
    match result {
        Some(Ok(result)) => Ok(result),
        Some(Err(panic)) => resume_unwind(panic),
        None => Err(Fault::NoStack),
    }
}

extern "C" fn run(job: *mut c_void) {
    // SAFETY: `job` is the exclusive pointer to a job passed by `run_on_big_stack`.
    let job = unsafe { &mut *job.cast::<&mut dyn FnMut()>() };
    job();
}

/// The remaining bytes of the large stack; `None` if the caller does not run on it.
pub fn stack_remaining() -> Option<usize> {
    imp::remaining().map(|(left, _)| left)
}

/// Ends the run if the stack is nearly exhausted. Functions that allocate, lock or print call it first.
pub(crate) fn ensure_room() {
    thread::with(ensure_room_on);
}

/// [`ensure_room`], for functions that have the state of their thread.
#[inline]
pub(crate) fn ensure_room_on(thread: &Thread) {
    if imp::stack_pointer().wrapping_sub(thread.stack_low.get()) < ROOM {
        check_room();
    }
}

#[cold]
fn check_room() {
    if let Some((left, limit)) = imp::remaining()
        && left < ROOM
    {
        raise(Fault::StackOverflow(limit));
    }
}

/// Runs the entry point of a stand-alone program or library on the large stack and flushes the output. A fault is
/// printed to standard error and exits the process with its exit code.
///
/// # Safety
/// `entry` must be sound to call with `arguments`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_call(entry: extern "C" fn(*mut c_void), arguments: *mut c_void) {
    let objects = objects::live_objects();
    // SAFETY: guaranteed by the caller; compiled code holds nothing that needs dropping.
    let outcome = unsafe { call_guarded(StackLimit::default(), entry, arguments) };
    match outcome {
        Ok(()) => {
            if !imp::runs_program() && objects::live_objects() > objects {
                objects::add_unknown_owner();
            }
            crate::output::minoan_flush();
        }
        Err(fault) => report_and_exit(&fault),
    }
}
