//! Faults: the ways in which a run ends early.

use crate::{output, stack, sys};
use std::cell::RefCell;
use std::fmt;

/// The reason why a run ended early.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Fault {
    /// An assertion failed. The message may start with its location, as `file:line:column: `.
    Assert(String),
    /// Recursion exhausted the stack, which has this many bytes.
    StackOverflow(usize),
    /// An allocation failed.
    OutOfMemory {
        /// Its size.
        bytes: u64,
        /// Where, as `file:line:column`, if that is known.
        place: Option<String>,
    },
    /// No stack could be reserved to run on.
    NoStack,
    /// Integer division by zero, or overflow of signed division.
    Division,
    /// Execution reached a point that the program declares unreachable.
    Unreachable,
    /// Memory was freed that is not a live allocation.
    BadFree {
        /// The allocation site, as `file:line:column`, if it is known and the memory was freed before.
        place: Option<String>,
    },
    /// Memory was written beyond the end of an allocation; detected in builds with debug assertions.
    Overrun,
}

impl Fault {
    /// The exit code of a process whose program failed at run time, for every fault.
    pub const EXIT_CODE: i32 = 3;
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Assert(message) => f.write_str(message),
            Fault::StackOverflow(bytes) => {
                write!(f, "recursion too deep (stack of {} exhausted)", Size(*bytes as u64))
            }
            // The words of the interpreter, as for a division.
            Fault::OutOfMemory { place, .. } => {
                if let Some(place) = place {
                    write!(f, "{place}: ")?;
                }
                f.write_str("out of memory")
            }
            Fault::NoStack => f.write_str("cannot reserve a stack to run on"),
            Fault::Division => f.write_str("division by zero, or overflow of a signed division"),
            Fault::Unreachable => f.write_str("execution reached code that was declared unreachable"),
            Fault::Overrun => f.write_str("memory was written beyond the end of an allocation"),
            Fault::BadFree { place: Some(place) } => {
                write!(f, "{place}: double free of memory allocated here")
            }
            Fault::BadFree { place: None } => {
                f.write_str("double free, or free of a pointer that was not allocated")
            }
        }
    }
}

impl std::error::Error for Fault {}

/// Displays a size in bytes with a binary unit.
struct Size(u64);

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
        match units.iter().find(|&&(unit, _)| self.0 >= unit) {
            Some(&(unit, name)) if self.0.is_multiple_of(unit) => write!(f, "{} {name}", self.0 / unit),
            Some(&(unit, name)) => write!(f, "{:.1} {name}", self.0 as f64 / unit as f64),
            None => write!(f, "{} bytes", self.0),
        }
    }
}

/// Ends the run: returns to the innermost [`call_guarded`](crate::call_guarded) of this thread. Outside of a guarded call,
/// prints the fault and exits the process.
///
/// The frames in between are abandoned without unwinding and nothing is dropped. Call it only from functions that
/// compiled code calls, while no live value needs dropping.
pub fn raise(fault: Fault) -> ! {
    let fault = match stack::escape_with(fault) {
        Ok(never) => match never {},
        Err(fault) => fault,
    };
    report_and_exit(&fault)
}

/// Prints the fault to standard error, after flushing the program's output, and exits the process.
pub(crate) fn report_and_exit(fault: &Fault) -> ! {
    output::minoan_flush();
    match fault {
        Fault::Assert(message) => eprintln!("{message}"),
        other => eprintln!("error: {other}"),
    }
    sys::exit(Fault::EXIT_CODE)
}

/// Ends the run with a failed assertion.
///
/// # Safety
/// `message` must point to `len` readable bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_assert_fail(message: *const u8, len: i64) -> ! {
    stack::ensure_room();
    // SAFETY: guaranteed by the caller.
    let message = unsafe { output::bytes(message, len) };
    raise(Fault::Assert(String::from_utf8_lossy(message).into_owned()))
}

/// The message of an assertion that has failed, until [`minoan_abort`] ends the run.
#[derive(Default)]
struct Pending {
    /// The values for the last placeholders of the message.
    values: Vec<i64>,
    message: Option<String>,
}

thread_local! {
    static PENDING: RefCell<Pending> = const { RefCell::new(Pending { values: Vec::new(), message: None }) };
}

/// Adds the first `count` of four values to those of the following [`minoan_assert_message`]. They are passed in registers, so
/// that a function with assertions needs no more stack for them.
#[unsafe(no_mangle)]
pub extern "C" fn minoan_assert_values(count: i64, first: i64, second: i64, third: i64, fourth: i64) {
    stack::ensure_room();
    let values = [first, second, third, fourth];
    let count = usize::try_from(count).unwrap_or(0).min(values.len());
    PENDING.with(|pending| pending.borrow_mut().values.extend(&values[..count]));
}

/// Stores the message for the following [`minoan_abort`], with the values of preceding [`minoan_assert_values`] in place of its
/// last placeholders `{}`. MLIR lowers `cf.assert` to calls of `puts` and `abort`, which minoan-llvm renames to this
/// function and the next.
///
/// # Safety
/// `message` must be a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_assert_message(message: *const std::ffi::c_char) -> i32 {
    stack::ensure_room();
    // SAFETY: guaranteed by the caller.
    let text = unsafe { std::ffi::CStr::from_ptr(message) }.to_string_lossy();
    PENDING.with(|pending| {
        let values = std::mem::take(&mut pending.borrow_mut().values);
        pending.borrow_mut().message = Some(with_values(&text, &values));
    });
    0
}

/// Ends the run with a message that has the values of preceding [`minoan_assert_values`], and the first `count` of four.
///
/// # Safety
/// `message` must be a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_assert_fail_values(
    message: *const std::ffi::c_char,
    count: i64,
    first: i64,
    second: i64,
    third: i64,
    fourth: i64,
) -> ! {
    minoan_assert_values(count, first, second, third, fourth);
    // SAFETY: guaranteed by the caller.
    unsafe { minoan_assert_message(message) };
    minoan_abort()
}

/// Puts values in place of the last placeholders of a message; the location before it may contain `{}` as well.
fn with_values(message: &str, values: &[i64]) -> String {
    let mut parts: Vec<&str> = message.rsplitn(values.len() + 1, "{}").collect();
    let mut text = parts.pop().unwrap_or_default().to_owned();
    for (value, part) in values.iter().zip(parts.into_iter().rev()) {
        text.push_str(&value.to_string());
        text.push_str(part);
    }
    text
}

/// Ends the run with the message of the preceding [`minoan_assert_message`].
#[unsafe(no_mangle)]
pub extern "C" fn minoan_abort() -> ! {
    let message = PENDING.with(|pending| pending.borrow_mut().message.take());
    raise(message.map_or(Fault::Unreachable, Fault::Assert))
}

#[cfg(test)]
mod tests {
    use super::with_values;

    #[test]
    fn values_replace_the_last_placeholders() {
        assert_eq!(with_values("{}.ks:1:2: index {} of {}", &[-1, 5]), "{}.ks:1:2: index -1 of 5");
        assert_eq!(with_values("no values: {}", &[]), "no values: {}");
        assert_eq!(with_values("one: {}", &[3, 4]), "one: 3");
    }
}
