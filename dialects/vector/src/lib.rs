//! The vector dialect: vectors of any rank; operations, assembly and verification are upstream's.
//!
//! A vector of rank 1 represents one or several registers, one of higher rank a tile of them. Arithmetic on vectors
//! is in `arith` and `math`; this dialect decomposes, builds and reduces vectors and moves them between registers and
//! memory.
//!
//! ```
//! use minoan_ir::{Builder, Context, Loc, Module, Registry, Type};
//! use minoan_vector::{Broadcast, Fma, VectorDialect};
//!
//! let mut registry = Registry::new();
//! registry.add(VectorDialect).add(minoan_arith::ArithDialect);
//! let ctx = Context::new(registry).expect("two dialects");
//! let mut module = Module::new(&ctx, Loc::UNKNOWN);
//! let block = module.block();
//! let mut b = Builder::at_end(module.body_mut(), block);
//! let one = minoan_arith::constant_float(&mut b, 1.0, Type::F32);
//! let lanes = Type::vector(&ctx, &[16], Type::F32);
//! let ones = Broadcast::build(&mut b, one, lanes).vector(b.body());
//! let twos = Fma::build(&mut b, ones, ones, ones).result(b.body());
//! assert_eq!(b.ty(twos), lanes);
//! ```
#![forbid(unsafe_code)]

mod assembly;
mod attributes;
mod buffers;
mod canonicalize;
mod constraints;
mod contract;
mod dynamic_positions;
mod effects;
mod elements;
mod evaluate;
mod expansions;
mod fold;
mod generate;
mod kind;
mod known_masks;
mod makers;
mod mask;
mod masked_accesses;
mod masked_reductions;
mod memory;
mod names;
mod other;
mod reduce;
mod rules;
mod shapes;
mod slices;
mod transfer;
mod types;

pub use attributes::{IteratorType, IteratorTypeAttr, Punctuation, PunctuationAttr};
pub use contract::*;
pub use elements::*;
pub use kind::{CombiningKind, CombiningKindAttr};
pub use mask::*;
pub use memory::*;
pub use other::*;
pub use reduce::*;
pub use shapes::*;
pub use slices::*;
pub use transfer::*;

use minoan_ir::dialect;
use minoan_rewrite::{AddPatterns, CanonicalPatterns, NamedPatterns, PatternSets};
use minoan_services::{Declared, FloatFlags, Generate, SameInMlir, ToMlir, VectorOps};

/// The named sets of patterns.
const PATTERN_SETS: &[NamedPatterns] = &[expansions::SET, masked_accesses::SET, masked_reductions::SET];

dialect! {
    /// The vector dialect.
    pub VectorDialect = "vector":
        depends(minoan_arith::ArithDialect, minoan_memref::MemRefDialect),
        attrs(CombiningKindAttr, IteratorTypeAttr, PunctuationAttr),
        ops(
            BitCast, Broadcast, CompressStore, ConstantMask, Contract, CreateMask, Deinterleave, ExpandLoad, Extract,
            ExtractStridedSlice, Fma, FromElements, Gather, Insert, InsertStridedSlice, Interleave, Load, Mask,
            MaskedLoad, MaskedStore, MultiReduction, OuterProduct, Print, Reduction, ScalableExtract, ScalableInsert,
            Scan, Scatter, ShapeCast, Shuffle, Step, Store, ToElements, TransferRead, TransferWrite, Transpose,
            TypeCast, VScale, Yield,
        ),
        services(
            ToMlir = SameInMlir,
            FloatFlags = minoan_arith::FastMathFlags,
            VectorOps = makers::Vectors,
            Generate = Declared::never().types(generate::types),
            CanonicalPatterns = AddPatterns(canonicalize::patterns),
            PatternSets = PATTERN_SETS,
        )
}
