//! Operations that live and die together.

use minoan_ir::{Op, OpRef, Traits, service};

/// Which operations are parts of another one: dialects with one result an operation have a split into two as one
/// operation, and one more for each half. Asked by dead-code elimination; without an answer an operation lives as
/// long as somebody needs it.
pub trait Liveness: Send + Sync {
    /// The operation of the same body that this one is a part of. Its result is an operand here. A part without uses
    /// stays as long as another part is used: the number of parts is part of what the whole means.
    fn part_of(&self, op: OpRef<'_>) -> Option<Op>;
}
service!(dyn Liveness, "Liveness", Optional);

impl dyn Liveness {
    /// Whether an operation belongs to the terminator around it: it has no results, and is all that the terminator says, as
    /// an insertion in `scf.forall.in_parallel`. It lives as long as the terminator does, whatever its effects.
    pub fn is_part_of_terminator(op: OpRef<'_>) -> bool {
        op.n_results() == 0
            && !op.has_trait(Traits::TERMINATOR)
            && op.parent().is_some_and(|parent| op.body().op(parent).has_trait(Traits::TERMINATOR))
    }
}
