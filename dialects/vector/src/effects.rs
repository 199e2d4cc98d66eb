//! Memory effects of the vector operations.

use minoan_ir::OpRef;
use minoan_services::{EffectSet, Effects};

/// An effect on an operand that is a memref; tensors are values.
pub(crate) struct OnMemory(pub(crate) usize, pub(crate) EffectSet);

impl Effects for OnMemory {
    fn effects(&self, op: OpRef<'_>) -> EffectSet {
        let base = op.operand_types().nth(self.0);
        if base.is_some_and(|ty| ty.is_tensor(op.context())) { EffectSet::NONE } else { self.1 }
    }
}
