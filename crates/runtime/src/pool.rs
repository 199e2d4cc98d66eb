//! The thread pool for parallel loops.
//!
//! * The iterations `0..n` are divided into chunks of `grain`, by the number of iterations alone. Threads take chunks in
//!   ascending order, the calling thread among them. So the chunks, and with them partial results, do not depend on the
//!   number of threads.
//! * A thread without work spins for [`SPIN`] and then sleeps. The caller does not wait for a thread that has not
//!   started when no chunk is left.
//! * A loop of one chunk is a call. Of several chunks, each runs in a guarded call. After a fault no further chunks are
//!   started, and the caller raises the fault of the lowest chunk, which is the one that sequential execution would have raised.
//! * Loops inside of a parallel loop, and those of a second caller while the pool is in use, run on the calling thread.
//! * Threads are created by the first loop that needs them and live until the process ends.

use crate::fault::{Fault, raise};
use crate::live;
use crate::stack::ensure_room;
use crate::stack::{StackLimit, call_guarded};
use std::cell::Cell;
use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

/// The body of a loop: executes the iterations from `lower` up to `upper`.
pub type ParallelBody = unsafe extern "C" fn(lower: i64, upper: i64, context: *mut c_void);

/// The time that a thread spins before it sleeps: a few times the cost of waking it.
const SPIN: Duration = Duration::from_micros(20);

/// The upper bound on the number of threads.
const MAX_THREADS: usize = 1024;

/// The number of threads of a loop; 0 until it is set or determined.
static THREADS: AtomicUsize = AtomicUsize::new(0);

/// The worker threads; locked by the loop that uses them.
static WORKERS: Mutex<Vec<Worker>> = Mutex::new(Vec::new());

thread_local! {
    /// Whether this thread executes a chunk.
    static IN_LOOP: Cell<bool> = const { Cell::new(false) };
}

/// A loop in execution; lives in the frame of its caller until all workers that started have finished.
struct Job {
    body: ParallelBody,
    context: *mut c_void,
    n: i64,
    grain: i64,
    /// The next chunk.
    next: AtomicI64,
    /// No chunk from here on is started: the number of chunks, or the lowest one with a fault.
    end: AtomicI64,
    fault: Mutex<Option<(i64, Fault)>>,
    /// The run that the loop is part of.
    run: u64,
}

// SAFETY: the caller of a loop guarantees that its body may be called on several threads.
unsafe impl Sync for Job {}

/// No job is posted, or the worker has finished.
const IDLE: u8 = 0;
/// A job is posted and the worker has not started it.
const POSTED: u8 = 1;
/// The worker executes the job.
const RUNNING: u8 = 2;

/// The mailbox of a worker.
struct Mailbox {
    state: AtomicU8,
    job: AtomicUsize,
    sleeps: AtomicBool,
}

struct Worker {
    mailbox: Arc<Mailbox>,
    thread: Thread,
}

/// The number of threads that execute a parallel loop, including the caller: set by [`set_threads`], otherwise by the
/// environment variable `MINOAN_THREADS`, otherwise the number of cores.
pub fn threads() -> usize {
    let known = THREADS.load(Ordering::Relaxed);
    if known > 0 {
        return known;
    }
    let given = std::env::var("MINOAN_THREADS").ok().and_then(|text| {
        let count = text.trim().parse::<usize>().ok().filter(|&count| count > 0);
        if count.is_none() {
            eprintln!("warning: MINOAN_THREADS is '{text}', which is not a positive number; it is ignored");
        }
        count
    });
    let count = given.unwrap_or_else(|| thread::available_parallelism().map_or(1, |cores| cores.get()));
    let count = count.min(MAX_THREADS);
    // A concurrent `set_threads` takes precedence.
    match THREADS.compare_exchange(0, count, Ordering::Relaxed, Ordering::Relaxed) {
        Ok(_) => count,
        Err(set) => set,
    }
}

/// Sets the number of threads of the following loops; at least 1.
pub fn set_threads(count: usize) {
    THREADS.store(count.clamp(1, MAX_THREADS), Ordering::Relaxed);
}

/// [`set_threads`] for other languages.
#[unsafe(no_mangle)]
pub extern "C" fn minoan_set_threads(count: i64) {
    set_threads(usize::try_from(count).unwrap_or(1));
}

/// Executes a parallel loop over `0..n` in chunks of `grain` iterations; raises the fault of its lowest chunk.
///
/// # Safety
/// `body` must be sound to call with `context` for disjoint ranges, on several threads at the same time. Its frames
/// must own no values with destructors when it raises a fault, since they are not unwound.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_parallel(body: ParallelBody, context: *mut c_void, n: i64, grain: i64) {
    if n <= grain.max(1) {
        if n > 0 {
            // SAFETY: guaranteed by the caller. A fault of a single chunk needs no guarded call: it is that of the loop.
            unsafe { body(0, n, context) };
        }
        return;
    }
    // SAFETY: guaranteed by the caller.
    if let Err(fault) = unsafe { run_parallel(body, context, n, grain) } {
        raise(fault);
    }
}

/// Executes a parallel loop over `0..n` in chunks of `grain` iterations.
///
/// # Errors
/// The fault of the lowest chunk with one.
///
/// # Safety
/// As for [`minoan_parallel`].
// Inlined, its frame would be set up for loops of a single chunk, too.
#[inline(never)]
pub unsafe fn run_parallel(
    body: ParallelBody,
    context: *mut c_void,
    n: i64,
    grain: i64,
) -> Result<(), Fault> {
    ensure_room();
    let grain = grain.max(1);
    let chunks = n.max(0).div_euclid(grain) + i64::from(n.max(0).rem_euclid(grain) > 0);
    let job = Job {
        body,
        context,
        n,
        grain,
        next: AtomicI64::new(0),
        end: AtomicI64::new(chunks),
        fault: Mutex::new(None),
        run: live::current_run(),
    };
    let helpers = usize::try_from(chunks - 1).unwrap_or(0).min(threads() - 1);
    match free_workers(helpers) {
        Some(workers) => with_helpers(&job, &workers[..helpers.min(workers.len())]),
        None => work(&job),
    }
    let fault = job.fault.into_inner().unwrap_or_else(PoisonError::into_inner);
    fault.map_or(Ok(()), |(_, fault)| Err(fault))
}

/// The pool with at least `helpers` workers if the system has room for them; `None` if the loop runs on the calling
/// thread alone.
fn free_workers(helpers: usize) -> Option<MutexGuard<'static, Vec<Worker>>> {
    if helpers == 0 || IN_LOOP.get() {
        return None;
    }
    let mut workers = match WORKERS.try_lock() {
        Ok(workers) => workers,
        Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
        Err(TryLockError::WouldBlock) => return None,
    };
    while workers.len() < helpers {
        let mailbox = Arc::new(Mailbox {
            state: AtomicU8::new(IDLE),
            job: AtomicUsize::new(0),
            sleeps: AtomicBool::new(false),
        });
        let own = mailbox.clone();
        let builder = thread::Builder::new().name("minoan-worker".to_owned());
        let Ok(handle) = builder.spawn(move || serve(&own)) else { break };
        workers.push(Worker { mailbox, thread: handle.thread().clone() });
    }
    Some(workers)
}

/// Executes a job on this thread and on workers.
fn with_helpers(job: &Job, workers: &[Worker]) {
    for Worker { mailbox, thread } in workers {
        mailbox.job.store(std::ptr::from_ref(job).expose_provenance(), Ordering::Relaxed);
        // With the sequence of `serve`: either this thread sees that the worker sleeps, or the worker sees the job.
        mailbox.state.store(POSTED, Ordering::SeqCst);
        if mailbox.sleeps.load(Ordering::SeqCst) {
            thread.unpark();
        }
    }
    work(job);
    for Worker { mailbox, .. } in workers {
        let (acquire, relaxed) = (Ordering::Acquire, Ordering::Relaxed);
        if mailbox.state.compare_exchange(POSTED, IDLE, acquire, relaxed).is_ok() {
            continue;
        }
        wait_until(|| mailbox.state.load(acquire) == IDLE, thread::yield_now);
    }
}

/// Spins until a condition holds; after [`SPIN`], calls `otherwise` between its checks.
fn wait_until(condition: impl Fn() -> bool, mut otherwise: impl FnMut()) {
    let mut start = None;
    loop {
        for _ in 0..64 {
            if condition() {
                return;
            }
            std::hint::spin_loop();
        }
        if start.get_or_insert_with(Instant::now).elapsed() > SPIN {
            otherwise();
        }
    }
}

/// The main function of a worker.
fn serve(mailbox: &Mailbox) {
    loop {
        let is_posted = || mailbox.state.load(Ordering::SeqCst) == POSTED;
        wait_until(is_posted, || {
            mailbox.sleeps.store(true, Ordering::SeqCst);
            if !is_posted() {
                thread::park();
            }
            mailbox.sleeps.store(false, Ordering::SeqCst);
        });
        let (acquire, relaxed) = (Ordering::Acquire, Ordering::Relaxed);
        // The caller may have withdrawn the job.
        if mailbox.state.compare_exchange(POSTED, RUNNING, acquire, relaxed).is_err() {
            continue;
        }
        let job = std::ptr::with_exposed_provenance::<Job>(mailbox.job.load(Ordering::Relaxed));
        // SAFETY: the caller keeps the job alive until the state is idle again.
        work(unsafe { &*job });
        mailbox.state.store(IDLE, Ordering::Release);
    }
}

/// Executes chunks until none is left.
fn work(job: &Job) {
    let outer = IN_LOOP.replace(true);
    let outer_run = live::set_run(job.run);
    loop {
        let chunk = job.next.fetch_add(1, Ordering::Relaxed);
        if chunk >= job.end.load(Ordering::Relaxed) {
            break;
        }
        let mut range = Chunk { job, lower: chunk * job.grain };
        // SAFETY: the function gets the chunk that it expects, and holds nothing.
        let outcome = unsafe { call_guarded(StackLimit::default(), run_chunk, (&raw mut range).cast()) };
        if let Err(fault) = outcome {
            // Lower chunks have been started, and may have a fault as well.
            job.end.fetch_min(chunk, Ordering::Relaxed);
            let mut lowest = job.fault.lock().unwrap_or_else(PoisonError::into_inner);
            if lowest.as_ref().is_none_or(|(other, _)| chunk < *other) {
                *lowest = Some((chunk, fault));
            }
        }
    }
    live::set_run(outer_run);
    IN_LOOP.set(outer);
}

/// The iterations of a chunk.
struct Chunk<'j> {
    job: &'j Job,
    lower: i64,
}

extern "C" fn run_chunk(chunk: *mut c_void) {
    // SAFETY: `work` passes a chunk.
    let Chunk { job, lower } = unsafe { &*chunk.cast::<Chunk<'_>>() };
    let upper = lower.saturating_add(job.grain).min(job.n);
    // SAFETY: guaranteed by the caller of the loop; each chunk is executed once.
    unsafe { (job.body)(*lower, upper, job.context) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs a closure over the chunks of a loop.
    fn parallel<F: Fn(i64, i64) + Sync>(n: i64, grain: i64, f: F) -> Result<(), Fault> {
        unsafe extern "C" fn call<F: Fn(i64, i64)>(lower: i64, upper: i64, f: *mut c_void) {
            // SAFETY: the context is the closure.
            unsafe { (*f.cast::<F>())(lower, upper) }
        }
        // SAFETY: the closure may be shared; the tests hold nothing where they raise faults.
        unsafe { run_parallel(call::<F>, (&raw const f).cast_mut().cast(), n, grain) }
    }

    /// The tests change the number of threads, which is global.
    fn alone() -> MutexGuard<'static, ()> {
        static LOCK: Mutex<()> = Mutex::new(());
        LOCK.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[test]
    fn each_iteration_is_executed_once() {
        let _alone = alone();
        for threads in [1, 2, 5] {
            set_threads(threads);
            for (n, grain) in [(0, 1), (1, 1), (7, 3), (1000, 1), (1000, 7), (5, 100), (-3, 2), (4, 0)] {
                let counts: Vec<AtomicUsize> = (0..n.max(0)).map(|_| AtomicUsize::new(0)).collect();
                let outcome = parallel(n, grain, |lower, upper| {
                    assert!(lower < upper && upper - lower <= grain.max(1));
                    for at in lower..upper {
                        counts[at as usize].fetch_add(1, Ordering::Relaxed);
                    }
                });
                assert_eq!(outcome, Ok(()));
                assert!(
                    counts.iter().all(|count| count.load(Ordering::Relaxed) == 1),
                    "{threads} {n} {grain}"
                );
            }
        }
    }

    #[test]
    fn partial_results_do_not_depend_on_threads() {
        let _alone = alone();
        let sum = |threads| {
            set_threads(threads);
            let parts: Vec<Mutex<f32>> = (0..100).map(|_| Mutex::new(0.0)).collect();
            let outcome = parallel(10_000, 100, |lower, upper| {
                let sum = (lower..upper).map(|at| 1.0 / (at as f32 + 0.7)).sum();
                *parts[(lower / 100) as usize].lock().expect("no panic") = sum;
            });
            assert_eq!(outcome, Ok(()));
            parts.iter().map(|part| *part.lock().expect("no panic")).sum::<f32>().to_bits()
        };
        assert_eq!(sum(1), sum(2));
        assert_eq!(sum(1), sum(5));
    }

    #[test]
    fn nested_loops_run_on_the_same_thread() {
        let _alone = alone();
        set_threads(3);
        let total = AtomicI64::new(0);
        let outcome = parallel(20, 1, |outer, _| {
            let this = thread::current().id();
            let inner = parallel(10, 2, |lower, upper| {
                assert_eq!(thread::current().id(), this);
                total.fetch_add((lower..upper).sum::<i64>() * outer, Ordering::Relaxed);
            });
            assert_eq!(inner, Ok(()));
        });
        assert_eq!(outcome, Ok(()));
        assert_eq!(total.into_inner(), 45 * 190);
    }

    #[test]
    fn the_fault_of_the_lowest_chunk_is_reported() {
        let _alone = alone();
        for threads in [1, 2, 4] {
            set_threads(threads);
            for _ in 0..20 {
                let outcome = parallel(1000, 1, |lower, _| {
                    if lower == 500 {
                        raise(Fault::Division);
                    }
                    if lower == 501 {
                        raise(Fault::Unreachable);
                    }
                });
                assert_eq!(outcome, Err(Fault::Division));
                // The pool works on.
                assert_eq!(parallel(10, 1, |_, _| ()), Ok(()));
            }
        }
    }

    #[test]
    fn a_fault_of_a_worker_ends_the_guarded_call_of_the_caller() {
        let _alone = alone();
        set_threads(2);
        extern "C" fn program(_: *mut c_void) {
            unsafe extern "C" fn body(lower: i64, _: i64, _: *mut c_void) {
                if lower == 3 {
                    raise(Fault::Division);
                }
            }
            // SAFETY: the body ignores its context and holds nothing.
            unsafe { minoan_parallel(body, std::ptr::null_mut(), 8, 1) };
            unreachable!("the loop raises a fault");
        }
        // SAFETY: the program holds nothing.
        let outcome = unsafe { call_guarded(StackLimit::default(), program, std::ptr::null_mut()) };
        assert_eq!(outcome, Err(Fault::Division));
    }

    #[test]
    fn two_callers_at_once_and_sleeping_workers() {
        let _alone = alone();
        set_threads(3);
        let total = AtomicI64::new(0);
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    for round in 0..50 {
                        let outcome = parallel(64, 4, |lower, upper| {
                            total.fetch_add((lower..upper).sum(), Ordering::Relaxed);
                        });
                        assert_eq!(outcome, Ok(()));
                        if round % 10 == 0 {
                            thread::sleep(4 * SPIN);
                        }
                    }
                });
            }
        });
        assert_eq!(total.into_inner(), 100 * 2016);
    }
}
