//! The clock of programs that measure themselves.

use crate::stack::ensure_room;
use std::sync::LazyLock;
use std::time::Instant;

static START: LazyLock<Instant> = LazyLock::new(Instant::now);

/// Nanoseconds of a monotonic clock since its first reading.
///
/// The operand is unused; it is a data dependence that orders the reading after the computation of that value.
#[unsafe(no_mangle)]
pub extern "C" fn minoan_nanoseconds(_after: f64) -> i64 {
    ensure_room();
    i64::try_from(START.elapsed().as_nanos()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::minoan_nanoseconds;

    #[test]
    fn readings_do_not_decrease() {
        let first = minoan_nanoseconds(0.0);
        std::thread::sleep(std::time::Duration::from_millis(2));
        assert!(minoan_nanoseconds(0.0) - first >= 2_000_000);
    }
}
