//! The memref dialect: buffers, with upstream's operations, text and rules.
//!
//! It answers `BufferOps`: this is where the planning of buffers gets its storage from.
#![forbid(unsafe_code)]

mod assembly;
mod buffers;
mod evaluate;
mod layout;
mod names;
mod ops;
pub mod slices;
mod slots;
mod views;

pub use names::Named;
pub use ops::{Alloc, Alloca, Cast, Copy, Dealloc, Dim, GetGlobal, Global, Load, Store};
pub use views::{ExtractAlignedPointerAsIndex, MemorySpaceCast, Rank, Reshape};

use minoan_ir::{Dialect, DialectBuilder};
use minoan_services::{
    BufferOps, ByAttributes, DataLayout, EffectSet, Effects, Evaluate, SlotAccess, SlotSource, Symbols,
};
use std::sync::Arc;

/// The memref dialect.
pub struct MemRefDialect;

impl Dialect for MemRefDialect {
    fn name(&self) -> &'static str {
        "memref"
    }

    fn register(&self, dialect: &mut DialectBuilder<'_>) {
        dialect
            .op::<Alloc>()
            .op::<Alloca>()
            .op::<Cast>()
            .op::<Copy>()
            .op::<Dealloc>()
            .op::<Dim>()
            .op::<GetGlobal>()
            .op::<Global>()
            .op::<Load>()
            .op::<Store>();
        dialect.op::<ExtractAlignedPointerAsIndex>().op::<MemorySpaceCast>().op::<Rank>().op::<Reshape>();
        names::register(dialect);
        dialect
            .service::<dyn BufferOps>(Arc::new(buffers::MemRefBuffers))
            .op_service::<Alloc, dyn Evaluate>(Arc::new(evaluate::EvaluateAlloc))
            .op_service::<Alloca, dyn Evaluate>(Arc::new(evaluate::EvaluateAlloca))
            .op_service::<Cast, dyn Evaluate>(Arc::new(evaluate::EvaluateCast))
            .op_service::<Copy, dyn Evaluate>(Arc::new(evaluate::EvaluateCopy))
            .op_service::<Dealloc, dyn Evaluate>(Arc::new(evaluate::EvaluateDealloc))
            .op_service::<Dim, dyn Evaluate>(Arc::new(evaluate::EvaluateDim))
            .op_service::<GetGlobal, dyn Evaluate>(Arc::new(evaluate::EvaluateGetGlobal))
            .op_service::<Global, dyn Evaluate>(Arc::new(evaluate::EvaluateGlobal))
            .op_service::<Load, dyn Evaluate>(Arc::new(evaluate::EvaluateLoad))
            .op_service::<Store, dyn Evaluate>(Arc::new(evaluate::EvaluateStore));
        dialect
            .service::<dyn DataLayout>(Arc::new(layout::Descriptors))
            .op_service::<Global, dyn Symbols>(Arc::new(ByAttributes));
        dialect
            .op_service::<Alloca, dyn SlotSource>(Arc::new(slots::OneElement))
            .op_service::<Load, dyn SlotAccess>(Arc::new(slots::Loads))
            .op_service::<Store, dyn SlotAccess>(Arc::new(slots::Stores));
        dialect
            .op_service::<Alloc, dyn Effects>(Arc::new(Does(EffectSet::ALLOCATE)))
            .op_service::<Alloca, dyn Effects>(Arc::new(Does(EffectSet::ALLOCATE)))
            .op_service::<Dealloc, dyn Effects>(Arc::new(Does(EffectSet::FREE)))
            .op_service::<Load, dyn Effects>(Arc::new(Does(EffectSet::READ)))
            .op_service::<Store, dyn Effects>(Arc::new(Does(EffectSet::WRITE)))
            .op_service::<Copy, dyn Effects>(Arc::new(Does(EffectSet::READ.and(EffectSet::WRITE))));
    }
}

struct Does(EffectSet);

impl Effects for Does {
    fn effects(&self, _: minoan_ir::OpRef<'_>) -> EffectSet {
        self.0
    }
}
