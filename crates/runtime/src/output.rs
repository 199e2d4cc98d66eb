//! Standard output of compiled programs: buffered, and redirectable per thread.
//!
//! Output goes to the innermost [`with_output`] of the thread, otherwise to the process-wide buffer, which is written
//! when it is full, by [`flush`], when a run ends, and at exit.

use crate::format;
use crate::half;
use crate::stack::ensure_room;
use std::cell::RefCell;
use std::ffi::{CStr, c_char};
use std::fmt;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

/// Capacity of the output buffer in bytes.
const BUFFER: usize = 64 << 10;

static STDOUT: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static FAILED: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// The output collected by the innermost `with_output`; written to its writer when the closure returns.
    static REDIRECTED: RefCell<Option<Vec<u8>>> = const { RefCell::new(None) };
}

/// Runs `f` with the output of this thread redirected to `writer`.
///
/// # Errors
/// The errors of `writer`. The output is written when `f` returns.
pub fn with_output<R>(writer: &mut dyn Write, f: impl FnOnce() -> R) -> io::Result<R> {
    let (result, bytes) = capture(f);
    writer.write_all(&bytes)?;
    writer.flush()?;
    Ok(result)
}

/// Runs `f` and returns what it printed on this thread.
pub fn capture<R>(f: impl FnOnce() -> R) -> (R, Vec<u8>) {
    /// Restores the outer redirection, also if `f` panics.
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

/// Flushes the process-wide buffer.
///
/// # Errors
/// [`io::ErrorKind::BrokenPipe`] if this or an earlier write to standard output failed; unwritten output is dropped.
pub fn flush() -> io::Result<()> {
    write_out(&mut stdout());
    if FAILED.load(Ordering::Relaxed) { Err(io::ErrorKind::BrokenPipe.into()) } else { Ok(()) }
}

/// [`flush`] for compiled code; errors are reported by the next [`flush`].
#[unsafe(no_mangle)]
pub extern "C" fn minoan_flush() {
    let _reported_later = flush();
}

/// Flushes from a signal handler; does nothing if the buffer is in use.
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

/// The bytes at `data`; empty if the length is not positive.
///
/// # Safety
/// If `len` is positive, `data` must point to `len` readable bytes that live for `'a`.
pub(crate) unsafe fn bytes<'a>(data: *const u8, len: i64) -> &'a [u8] {
    if len <= 0 {
        return &[];
    }
    // SAFETY: guaranteed by the caller.
    unsafe { std::slice::from_raw_parts(data, len as usize) }
}

/// Formats into a temporary string that is freed before the call returns.
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

/// Prints an unsigned integer in decimal.
#[unsafe(no_mangle)]
pub extern "C" fn minoan_print_u64(value: u64) {
    print_with(|text| fmt::Write::write_fmt(text, format_args!("{value}")));
}

/// Prints a half-precision float, by its bits, in `%.6g` format.
#[unsafe(no_mangle)]
pub extern "C" fn minoan_print_f16(bits: u16) {
    minoan_print_f32(half::widen(bits));
}

/// Prints a bf16 float, by its bits, in `%.6g` format.
#[unsafe(no_mangle)]
pub extern "C" fn minoan_print_bf16(bits: u16) {
    minoan_print_f32(f32::from_bits(u32::from(bits) << 16));
}

/// Prints the beginning of a vector.
#[unsafe(no_mangle)]
pub extern "C" fn minoan_print_open() {
    write_bytes(b"( ");
}

/// Prints the end of a vector.
#[unsafe(no_mangle)]
pub extern "C" fn minoan_print_close() {
    write_bytes(b" )");
}

/// Prints what separates the elements of a vector.
#[unsafe(no_mangle)]
pub extern "C" fn minoan_print_comma() {
    write_bytes(b", ");
}

/// Prints the end of a line.
#[unsafe(no_mangle)]
pub extern "C" fn minoan_print_newline() {
    write_bytes(b"\n");
}

/// Prints a float in `%.6g` format.
#[unsafe(no_mangle)]
pub extern "C" fn minoan_print_f32(value: f32) {
    print_with(|text| format::write_f32(text, value));
}

/// Prints a float in `%.6g` format.
#[unsafe(no_mangle)]
pub extern "C" fn minoan_print_f64(value: f64) {
    print_with(|text| format::write_f64(text, value));
}

/// Prints `1` or `0`. Only the lowest bit is read: the other bits of an `i1` argument are undefined.
#[unsafe(no_mangle)]
pub extern "C" fn minoan_print_bool(value: u8) {
    ensure_room();
    write_bytes(format::format_i1(value & 1 == 1).as_bytes());
}

/// Like [`minoan_print_bool`], under the name that lowered programs call.
#[unsafe(no_mangle)]
pub extern "C" fn minoan_print_i1(value: u8) {
    minoan_print_bool(value);
}

/// Prints the bytes of a `memref<?xi8>`, which is passed as five arguments.
///
/// # Safety
/// The arguments must be those of a live memref.
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
        // SAFETY: the elements of a live memref with unit stride are contiguous from `offset` on.
        write_bytes(unsafe { bytes(aligned.offset(offset as isize), len) });
    } else {
        for at in 0..len {
            // SAFETY: every element of a live memref is readable.
            write_bytes(&[unsafe { *aligned.offset((offset + at * stride) as isize) }]);
        }
    }
}

/// Prints `len` raw bytes.
///
/// # Safety
/// `data` must point to `len` readable bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_print_str(data: *const u8, len: i64) {
    ensure_room();
    // SAFETY: guaranteed by the caller.
    write_bytes(unsafe { bytes(data, len) });
}

/// Prints a string that ends with a zero byte.
///
/// # Safety
/// `text` must point to such a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_print_c_str(text: *const c_char) {
    ensure_room();
    // SAFETY: guaranteed by the caller.
    write_bytes(unsafe { CStr::from_ptr(text) }.to_bytes());
}
