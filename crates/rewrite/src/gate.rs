//! Steps that can be left out, so that a bug can be narrowed down to one of them.

/// Asked by the name of a step before a driver does it; the step is left out when it says no. Debug counters are such.
pub type Gate<'g> = &'g (dyn Fn(&str) -> bool + Sync);

/// What logs and errors say of a step that was left out.
pub(crate) const LEFT_OUT: &str = "left out by a debug counter";
