//! Programs of the front ends, run on every back end.
#![cfg(feature = "mlir")]

mod examples;
mod extents;
mod generate;
mod iexpr;
mod integers;
mod objects;
mod random;
mod regressions;
mod relay;
mod sums;
mod tolerance;

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Lets one test run programs at a time, because some count the live allocations of the process.
fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}
