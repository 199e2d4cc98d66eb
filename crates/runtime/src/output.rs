//! Standard output of compiled programs: buffered, and redirected per thread for tests and embedders.
//!
//! Bytes go to the innermost [`with_output`] of the thread, else to the buffer of the process, which is
//! written when it is full, by [`flush`], when a run ends, and at exit.

use crate::format;
use crate::stack::ensure_room;
use std::cell::RefCell;
use std::fmt;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

/// Bytes that are collected before they are written.
const BUFFER: usize = 64 << 10;

static STDOUT: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static FAILED: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// What the innermost `with_output` has collected; flushed into its writer when the closure returns.
    static REDIRECTED: RefCell<Option<Vec<u8>>> = const { RefCell::new(None) };
}

/// Runs `f` with the output of this thread going to `writer`.
///
/// # Errors
/// Those of `writer`. The output is written when `f` returns.
pub fn with_output<R>(writer: &mut dyn Write, f: impl FnOnce() -> R) -> io::Result<R> {
    let (result, bytes) = capture(f);
    writer.write_all(&bytes)?;
    writer.flush()?;
    Ok(result)
}

/// Runs `f` and gives back what it printed on this thread.
pub fn capture<R>(f: impl FnOnce() -> R) -> (R, Vec<u8>) {
    /// Puts the outer redirection back, also when `f` panics.
    struct Restore(Option<Vec<u8>>);
    impl Drop for Restore {
        fn drop(&mut self) {
            let outer = self.0.take();
            REDIRECTED.with(|slot| *slot.borrow_mut() = outer);
        }
    }
    let restore = Restore(REDIRECTED.with(|slot| slot.borrow_mut().replace(Vec::new())));
    let result = f();
    let bytes = REDIRECTED.with(|slot| slot.borrow_mut().take()).unwrap_or_default();
    drop(restore);
    (result, bytes)
}

/// Prints raw bytes.
pub fn write_bytes(bytes: &[u8]) {
    let redirected = REDIRECTED.with(|slot| match &mut *slot.borrow_mut() {
        Some(buffer) => {
            buffer.extend_from_slice(bytes);
            true
        }
        None => false,
    });
    if redirected {
        return;
    }
    static AT_EXIT: Once = Once::new();
    AT_EXIT.call_once(|| crate::sys::at_exit(minoan_flush));
    let mut buffer = stdout();
    buffer.extend_from_slice(bytes);
    if buffer.len() >= BUFFER {
        write_out(&mut buffer);
    }
}

/// Writes out what the process' buffer holds.
///
/// # Errors
/// [`io::ErrorKind::BrokenPipe`] when this or an earlier write to standard output failed; what could not be
/// written is dropped.
pub fn flush() -> io::Result<()> {
    write_out(&mut stdout());
    if FAILED.load(Ordering::Relaxed) { Err(io::ErrorKind::BrokenPipe.into()) } else { Ok(()) }
}

/// [`flush`] for compiled code; errors stay for the next [`flush`] to report.
#[unsafe(no_mangle)]
pub extern "C" fn minoan_flush() {
    let _reported_later = flush();
}

/// Flushes from a signal handler: does nothing when the buffer is in use.
pub(crate) fn flush_from_signal() {
    if let Ok(buffer) = STDOUT.try_lock() {
        crate::sys::write_fd(1, &buffer);
    }
}

fn stdout() -> MutexGuard<'static, Vec<u8>> {
    STDOUT.lock().unwrap_or_else(PoisonError::into_inner)
}

fn write_out(buffer: &mut Vec<u8>) {
    if buffer.is_empty() {
        return;
    }
    let mut out = io::stdout().lock();
    if out.write_all(buffer).and_then(|()| out.flush()).is_err() {
        FAILED.store(true, Ordering::Relaxed);
    }
    buffer.clear();
}

/// The bytes at `data`; a length that is not positive gives none.
///
/// # Safety
/// `data` points to `len` readable bytes that stay for `'a`, when `len` is positive.
pub(crate) unsafe fn bytes<'a>(data: *const u8, len: i64) -> &'a [u8] {
    if len <= 0 {
        return &[];
    }
    // SAFETY: the caller's promise.
    unsafe { std::slice::from_raw_parts(data, len as usize) }
}

/// A short text on the stack, so that printing a number allocates nothing that outlives the call.
fn print_with(write: impl FnOnce(&mut String) -> fmt::Result) {
    ensure_room();
    let mut text = String::new();
    let _infallible = write(&mut text);
    write_bytes(text.as_bytes());
}

/// Prints an integer in decimal.
#[unsafe(no_mangle)]
pub extern "C" fn minoan_print_i64(value: i64) {
    print_with(|text| fmt::Write::write_fmt(text, format_args!("{value}")));
}

/// Prints a float as `%.6g` does.
#[unsafe(no_mangle)]
pub extern "C" fn minoan_print_f32(value: f32) {
    print_with(|text| format::write_f32(text, value));
}

/// Prints a float as `%.6g` does.
#[unsafe(no_mangle)]
pub extern "C" fn minoan_print_f64(value: f64) {
    print_with(|text| format::write_f64(text, value));
}

/// Prints `1` or `0`. Only the lowest bit counts: an `i1` comes with the other bits undefined.
#[unsafe(no_mangle)]
pub extern "C" fn minoan_print_bool(value: u8) {
    ensure_room();
    write_bytes(format::format_i1(value & 1 == 1).as_bytes());
}

/// Prints an `i1` as [`minoan_print_bool`] does: the name that lowered programs call.
#[unsafe(no_mangle)]
pub extern "C" fn minoan_print_i1(value: u8) {
    minoan_print_bool(value);
}

/// Prints the bytes of a `memref<?xi8>`, which comes spread over five arguments.
///
/// # Safety
/// The arguments are those of a live memref.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_print_text(
    _allocated: *const u8,
    aligned: *const u8,
    offset: i64,
    len: i64,
    stride: i64,
) {
    ensure_room();
    if stride == 1 || len <= 1 {
        // SAFETY: the elements of a live memref of this stride are neighbours, from `offset` on.
        write_bytes(unsafe { bytes(aligned.offset(offset as isize), len) });
    } else {
        for at in 0..len {
            // SAFETY: each element of a live memref is readable.
            write_bytes(&[unsafe { *aligned.offset((offset + at * stride) as isize) }]);
        }
    }
}

/// Prints `len` raw bytes.
///
/// # Safety
/// `data` points to `len` readable bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_print_str(data: *const u8, len: i64) {
    ensure_room();
    // SAFETY: the caller's promise.
    write_bytes(unsafe { bytes(data, len) });
}
