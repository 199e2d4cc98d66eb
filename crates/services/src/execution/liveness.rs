//! Operations with common liveness.

use minoan_ir::{Op, OpRef, Traits, service};

/// Operations that are parts of another one: a dialect whose operations have one result may represent a split into
/// two as one operation, plus one for each half. Queried by dead code elimination. Default: the operation is live only
/// if it is needed.
pub trait Liveness: Send + Sync {
    /// The operation of the same body that this one is a part of. Its result is an operand of this one. An unused
    /// part is kept as long as another part is used, since the number of parts is part of the meaning of the whole.
    fn part_of(&self, op: OpRef<'_>) -> Option<Op>;
}
service!(dyn Liveness, "Liveness", Optional);

impl dyn Liveness {
    /// Whether an operation belongs to the enclosing terminator: it has no results and only describes what the
    /// terminator does, like an insertion in `scf.forall.in_parallel`. It is live if and only if the terminator is, regardless of
    /// its effects.
    pub fn is_part_of_terminator(op: OpRef<'_>) -> bool {
        op.n_results() == 0
            && !op.has_trait(Traits::TERMINATOR)
            && op.parent().is_some_and(|parent| op.body().op(parent).has_trait(Traits::TERMINATOR))
    }
}
