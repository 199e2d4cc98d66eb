//! The memref dialect: buffers; operations, assembly and verification are upstream's.
//!
//! It implements `BufferOps`, through which bufferization creates allocations, copies and accesses.
//!
//! ```
//! use minoan_arith::ArithDialect;
//! use minoan_builtin::BuiltinDialect;
//! use minoan_func::FuncDialect;
//! use minoan_memref::MemRefDialect;
//! use minoan_services::Datum;
//! use minoan_testing::{context, run_one};
//!
//! let ctx = context(|registry| {
//!     registry.add(BuiltinDialect).add(FuncDialect).add(ArithDialect).add(MemRefDialect);
//! });
//! let program = "func.func @f(%value: f32) -> f32 {
//!   %first = arith.constant 0 : index
//!   %buffer = memref.alloc() : memref<4xf32>
//!   memref.store %value, %buffer[%first] : memref<4xf32>
//!   %loaded = memref.load %buffer[%first] : memref<4xf32>
//!   memref.dealloc %buffer : memref<4xf32>
//!   return %loaded : f32
//! }";
//! assert_eq!(run_one(&ctx, program, &[Datum::F32(2.5)])?, Datum::F32(2.5));
//! # Ok::<(), minoan_services::Trap>(())
//! ```
#![forbid(unsafe_code)]

mod assembly;
mod atomic;
mod buffers;
mod canonicalize;
mod dma;
mod evaluate;
mod evaluate_views;
mod expand_atomics;
mod expand_layouts;
mod fold;
pub mod folding;
mod generate;
mod layout;
mod metadata;
mod names;
mod ops;
mod reshape;
mod runtime_verification;
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
use minoan_rewrite::{AddPatterns, CanonicalPatterns, NamedPatterns, PatternSets};
use minoan_services::{BufferOps, DataLayout, Declared, Generate, SameInMlir, ToMlir};

/// The named sets of patterns.
const PATTERN_SETS: &[NamedPatterns] = &[expand_atomics::SET, expand_layouts::SET];

dialect! {
    /// The memref dialect.
    pub MemRefDialect = "memref":
        depends(minoan_arith::ArithDialect),
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
            PatternSets = PATTERN_SETS,
        )
}
