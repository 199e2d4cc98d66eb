//! Operations that live and die together.

use minoan_ir::{Op, OpRef, service};

/// Which operations are parts of another one: dialects with one result an operation have a split into two as one
/// operation, and one more for each half. Asked by dead-code elimination; without an answer an operation lives as
/// long as somebody needs it.
pub trait Liveness: Send + Sync {
    /// The operation of the same body that this one is a part of. Its result is an operand here. A part without uses
    /// stays as long as another part is used: the number of parts is part of what the whole means.
    fn part_of(&self, op: OpRef<'_>) -> Option<Op>;
}
service!(dyn Liveness, "Liveness", Optional);
