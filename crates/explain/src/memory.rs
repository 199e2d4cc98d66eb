//! The memory of this process.

/// The resident memory in bytes; `None` on platforms without `/proc`.
pub(crate) fn resident() -> Option<u64> {
    let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = pages.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * PAGE)
}

/// The page size on the systems that have `/proc`; larger pages are rare there.
const PAGE: u64 = 4096;
