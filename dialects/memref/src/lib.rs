//! The memref dialect: buffers; operations, assembly and verification are upstream's.
//!
//! It implements `BufferOps`, through which bufferization creates allocations, copies and accesses.
#![forbid(unsafe_code)]

mod assembly;
mod atomic;
mod buffers;
mod canonicalize;
mod dma;
mod evaluate;
mod evaluate_views;
mod expand_atomics;
mod fold;
pub mod folding;
mod generate;
mod layout;
mod metadata;
mod names;
mod ops;
mod reshape;
mod scope;
pub mod slices;
mod slots;
mod subview;
mod views;

pub use atomic::*;
pub use dma::{DmaStart, DmaWait};
pub use generate::RandomSlice;
pub use metadata::*;
pub use names::Named;
pub use ops::*;
pub use reshape::*;
pub use scope::*;
pub use subview::*;
pub use views::*;

use minoan_ir::{Dialect, DialectBuilder, OpRef, SymbolUser};
use minoan_services::{
    Alias, AliasModel, BufferOps, ByAttributes, DataLayout, EffectSet, Effects, ElementAccess, Evaluate,
    EvaluateYield, MemoryEvent, MemoryEvents, SameInMlir, SlotAccess, SlotSource, Speculation, Symbols,
    ToMlir, TrailingIndices, VectorForm,
};
use std::sync::Arc;

/// The memref dialect.
pub struct MemRefDialect;

impl Dialect for MemRefDialect {
    fn name(&self) -> &'static str {
        "memref"
    }

    fn register(&self, dialect: &mut DialectBuilder<'_>) {
        dialect.service::<dyn ToMlir>(Arc::new(SameInMlir));
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
        dialect
            .op::<AllocaScope>()
            .op::<AllocaScopeReturn>()
            .op::<AssumeAlignment>()
            .op::<AtomicRMW>()
            .op::<AtomicYield>()
            .op::<CollapseShape>()
            .op::<DistinctObjects>()
            .op::<DmaStart>()
            .op::<DmaWait>()
            .op::<ExpandShape>()
            .op::<ExtractAlignedPointerAsIndex>()
            .op::<ExtractStridedMetadata>()
            .op::<GenericAtomicRMW>()
            .op::<MemorySpaceCast>()
            .op::<Prefetch>()
            .op::<Rank>()
            .op::<Realloc>()
            .op::<ReinterpretCast>()
            .op::<Reshape>()
            .op::<SubView>()
            .op::<Transpose>()
            .op::<View>();
        evaluate_views(dialect);
        aliases(dialect);
        names::register(dialect);
        fold::register(dialect);
        canonicalize::register(dialect);
        generate::register(dialect);
        expand_atomics::register(dialect);
        dialect
            .op_service::<GetGlobal, dyn SymbolUser>(Arc::new(ops::NamesGlobal))
            .service::<dyn BufferOps>(Arc::new(buffers::MemRefBuffers))
            .op_service::<Alloc, dyn Evaluate>(Arc::new(evaluate::EvaluateAlloc))
            .op_service::<Alloca, dyn Evaluate>(Arc::new(evaluate::EvaluateAlloca))
            .op_service::<Cast, dyn Evaluate>(Arc::new(evaluate::EvaluateCast))
            .op_service::<Copy, dyn Evaluate>(Arc::new(evaluate::EvaluateCopy))
            .op_service::<Dealloc, dyn Evaluate>(Arc::new(evaluate::EvaluateDealloc))
            .op_service::<Dim, dyn Evaluate>(Arc::new(evaluate::EvaluateDim))
            .op_service::<Dim, dyn Speculation>(Arc::new(is_constant_dim))
            .op_service::<GetGlobal, dyn Evaluate>(Arc::new(evaluate::EvaluateGetGlobal))
            .op_service::<Global, dyn Evaluate>(Arc::new(evaluate::EvaluateGlobal))
            .op_service::<Load, dyn Evaluate>(Arc::new(evaluate::EvaluateLoad))
            .op_service::<Store, dyn Evaluate>(Arc::new(evaluate::EvaluateStore));
        dialect
            .service::<dyn DataLayout>(Arc::new(layout::Descriptors))
            .op_service::<Global, dyn Symbols>(Arc::new(ByAttributes));
        dialect
            .op_service::<Load, dyn ElementAccess>(Arc::new(TrailingIndices { stores: false }))
            .op_service::<Store, dyn ElementAccess>(Arc::new(TrailingIndices { stores: true }))
            .op_service::<Load, dyn VectorForm>(Arc::new(buffers::ReadLanes));
        dialect
            .op_service::<Alloca, dyn SlotSource>(Arc::new(slots::OneElement))
            .op_service::<Load, dyn SlotAccess>(Arc::new(slots::Loads))
            .op_service::<Store, dyn SlotAccess>(Arc::new(slots::Stores));
        dialect
            .op_service::<Alloc, dyn Effects>(Arc::new(EffectSet::ALLOCATE))
            .op_service::<Alloca, dyn Effects>(Arc::new(EffectSet::ALLOCATE))
            .op_service::<Dealloc, dyn Effects>(Arc::new(EffectSet::FREE))
            .op_service::<Load, dyn Effects>(Arc::new(EffectSet::READ))
            .op_service::<Store, dyn Effects>(Arc::new(EffectSet::WRITE))
            .op_service::<Copy, dyn Effects>(Arc::new(EffectSet::READ.and(EffectSet::WRITE)))
            .op_service::<Copy, dyn MemoryEvents>(Arc::new(MemoryEvent::Copy))
            .op_service::<AtomicRMW, dyn Effects>(Arc::new(EffectSet::READ.and(EffectSet::WRITE)))
            .op_service::<GenericAtomicRMW, dyn Effects>(Arc::new(EffectSet::READ.and(EffectSet::WRITE)))
            .op_service::<Prefetch, dyn Effects>(Arc::new(EffectSet::WRITE))
            .op_service::<Realloc, dyn Effects>(Arc::new(EffectSet::ALLOCATE.and(EffectSet::FREE)));
    }
}

/// Registers the evaluation of views and atomic updates.
fn evaluate_views(dialect: &mut DialectBuilder<'_>) {
    use evaluate_views::*;
    dialect
        .op_service::<AllocaScope, dyn Evaluate>(Arc::new(EvaluateScope))
        .op_service::<AllocaScopeReturn, dyn Evaluate>(Arc::new(EvaluateYield))
        .op_service::<AssumeAlignment, dyn Evaluate>(Arc::new(EvaluateSame))
        .op_service::<AtomicRMW, dyn Evaluate>(Arc::new(EvaluateAtomicRMW))
        .op_service::<AtomicYield, dyn Evaluate>(Arc::new(EvaluateYield))
        .op_service::<CollapseShape, dyn Evaluate>(Arc::new(EvaluateCollapse))
        .op_service::<DistinctObjects, dyn Evaluate>(Arc::new(EvaluateSame))
        .op_service::<ExpandShape, dyn Evaluate>(Arc::new(EvaluateExpand))
        .op_service::<ExtractStridedMetadata, dyn Evaluate>(Arc::new(EvaluateMetadata))
        .op_service::<GenericAtomicRMW, dyn Evaluate>(Arc::new(EvaluateGenericAtomicRMW))
        .op_service::<MemorySpaceCast, dyn Evaluate>(Arc::new(EvaluateSame))
        .op_service::<Prefetch, dyn Evaluate>(Arc::new(EvaluateNothing))
        .op_service::<Rank, dyn Evaluate>(Arc::new(EvaluateRank))
        .op_service::<Realloc, dyn Evaluate>(Arc::new(EvaluateRealloc))
        .op_service::<ReinterpretCast, dyn Evaluate>(Arc::new(EvaluateReinterpretCast))
        .op_service::<Reshape, dyn Evaluate>(Arc::new(EvaluateReshape))
        .op_service::<SubView, dyn Evaluate>(Arc::new(EvaluateSubView))
        .op_service::<Transpose, dyn Evaluate>(Arc::new(EvaluateTranspose));
}

/// Registers which results alias which operands.
fn aliases(dialect: &mut DialectBuilder<'_>) {
    dialect
        .op_service::<AssumeAlignment, dyn AliasModel>(Arc::new(ViewsOperand))
        .op_service::<Cast, dyn AliasModel>(Arc::new(ViewsOperand))
        .op_service::<CollapseShape, dyn AliasModel>(Arc::new(ViewsOperand))
        .op_service::<DistinctObjects, dyn AliasModel>(Arc::new(ViewsOperand))
        .op_service::<ExpandShape, dyn AliasModel>(Arc::new(ViewsOperand))
        .op_service::<ExtractStridedMetadata, dyn AliasModel>(Arc::new(ViewsOperand))
        .op_service::<GetGlobal, dyn AliasModel>(Arc::new(OfTheProgram))
        .op_service::<MemorySpaceCast, dyn AliasModel>(Arc::new(ViewsOperand))
        .op_service::<ReinterpretCast, dyn AliasModel>(Arc::new(ViewsOperand))
        .op_service::<Reshape, dyn AliasModel>(Arc::new(ViewsOperand))
        .op_service::<SubView, dyn AliasModel>(Arc::new(ViewsOperand))
        .op_service::<Transpose, dyn AliasModel>(Arc::new(ViewsOperand))
        .op_service::<View, dyn AliasModel>(Arc::new(ViewsOperand));
}

/// Result `i` is a view of operand `i`.
struct ViewsOperand;

impl AliasModel for ViewsOperand {
    fn alias(&self, _: OpRef<'_>, result: usize) -> Alias {
        Alias::ViewOf(result)
    }
}

/// Memory that is never freed.
struct OfTheProgram;

impl AliasModel for OfTheProgram {
    fn alias(&self, _: OpRef<'_>, _: usize) -> Alias {
        Alias::Static
    }
}
