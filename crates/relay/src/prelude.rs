//! The standard prelude.

/// The text of the standard prelude.
pub const PRELUDE: &str = include_str!("prelude.relay");
