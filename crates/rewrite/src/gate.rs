//! Gates, which disable individual rewrites in order to bisect a bug.

/// Queried with the name of an action before a driver executes it; the action is skipped if it returns false. Debug
/// counters are gates.
pub type Gate<'g> = &'g (dyn Fn(&str) -> bool + Sync);

/// The reason that logs and errors give for a skipped action.
pub(crate) const SKIPPED: &str = "skipped by a debug counter";
