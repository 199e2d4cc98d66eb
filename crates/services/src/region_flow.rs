//! How often regions run.

use minoan_ir::{OpRef, service};

/// How often the regions of an operation run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Runs {
    /// Just one of the regions, once. A region that is missing counts as one that does nothing.
    OneOfThem,
    /// Any number of times, none included, one after another.
    Loop,
    /// Any number of times, in any order, perhaps at once; captured values are only read.
    Parallel,
}

/// How control passes through the regions of an operation. Asked by the planning of buffers and by motion of code;
/// without an answer regions may run any number of times.
///
/// Block arguments of the regions own what they are given.
pub trait RegionFlow: Send + Sync {
    /// How often its regions run.
    fn runs(&self, op: OpRef<'_>) -> Runs;
}
service!(dyn RegionFlow, "RegionFlow", Optional);
