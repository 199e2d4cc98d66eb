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

use minoan_ir::dialect;
use minoan_rewrite::{AddPatterns, CanonicalPatterns, PatternSets};
use minoan_services::{BufferOps, DataLayout, Declared, Generate, SameInMlir, ToMlir};

dialect! {
    /// The memref dialect.
    pub MemRefDialect = "memref":
        ops(
            Alloc, Alloca, AllocaScope, AllocaScopeReturn, AssumeAlignment, AtomicRMW, AtomicYield, Cast,
            CollapseShape, Copy, Dealloc, Dim, DistinctObjects, DmaStart, DmaWait, ExpandShape,
            ExtractAlignedPointerAsIndex, ExtractStridedMetadata, GenericAtomicRMW, GetGlobal, Global, Load,
            MemorySpaceCast, Prefetch, Rank, Realloc, ReinterpretCast, Reshape, Store, SubView, Transpose, View,
        ),
        services(
            ToMlir = SameInMlir,
            BufferOps = buffers::MemRefBuffers,
            DataLayout = layout::Descriptors,
            Generate = Declared::never().types(generate::types),
            CanonicalPatterns = AddPatterns(canonicalize::patterns),
            PatternSets = expand_atomics::SETS,
        )
}
