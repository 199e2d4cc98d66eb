//! Memory effects of the vector operations.

use crate::{
    CompressStore, ExpandLoad, Gather, Load, MaskedLoad, MaskedStore, Print, Scatter, Store, TransferRead,
    TransferWrite,
};
use minoan_ir::{DialectBuilder, OpRef};
use minoan_services::{EffectSet, Effects};
use std::sync::Arc;

/// An effect on an operand that is a memref; tensors are values.
struct OnMemory(usize, EffectSet);

impl Effects for OnMemory {
    fn effects(&self, op: OpRef<'_>) -> EffectSet {
        let base = op.operand_types().nth(self.0);
        if base.is_some_and(|ty| ty.is_tensor(op.context())) { EffectSet::NONE } else { self.1 }
    }
}

pub(crate) fn register(dialect: &mut DialectBuilder<'_>) {
    let (read, write) = (Arc::new(EffectSet::READ), Arc::new(EffectSet::WRITE));
    dialect
        .op_service::<Load, dyn Effects>(read.clone())
        .op_service::<MaskedLoad, dyn Effects>(read.clone())
        .op_service::<ExpandLoad, dyn Effects>(read)
        .op_service::<Store, dyn Effects>(write.clone())
        .op_service::<MaskedStore, dyn Effects>(write.clone())
        .op_service::<CompressStore, dyn Effects>(write)
        .op_service::<Print, dyn Effects>(Arc::new(EffectSet::OUTSIDE));
    dialect
        .op_service::<Gather, dyn Effects>(Arc::new(OnMemory(0, EffectSet::READ)))
        .op_service::<Scatter, dyn Effects>(Arc::new(OnMemory(0, EffectSet::WRITE)))
        .op_service::<TransferRead, dyn Effects>(Arc::new(OnMemory(0, EffectSet::READ)))
        .op_service::<TransferWrite, dyn Effects>(Arc::new(OnMemory(1, EffectSet::WRITE)));
}
