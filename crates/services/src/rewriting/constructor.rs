//! Operations that construct values which other operations take apart.

use minoan_ir::{OpRef, service};

/// Operations without effects whose users can find out how a value was made: by which constructor, from which function or parts.
/// Queried by `specialize`. Default: the operation is not one of them.
pub trait Constructor: Send + Sync {
    /// Whether the operation is a constructor; copies of it give equal values.
    fn is_constructor(&self, op: OpRef<'_>) -> bool;
}
service!(dyn Constructor, "Constructor", Optional);
