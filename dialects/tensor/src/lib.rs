//! The tensor dialect: tensors as values; operations, assembly and verification are upstream's.
//!
//! Tensors are immutable: `tensor.insert` returns a new one. After bufferization, an insertion into a dead tensor is
//! a single store.
#![forbid(unsafe_code)]

mod buffers;
mod canonicalize;
mod differentiate;
mod evaluate;
mod evaluate_moves;
mod fold;
mod fusion;
mod gather_scatter;
mod generate;
mod makers;
mod move_buffers;
mod ops;
mod pad;
mod pattern_sets;
mod push_reshapes;
mod push_slices;
mod reshape;
mod shapes;
mod slices;
mod static_extents;

pub use differentiate::is_zero_splat;
pub use makers::reassociation;
pub use ops::*;
pub use pad::*;
pub use push_slices::static_slice;
pub use reshape::*;
pub use slices::*;
pub use static_extents::{cast_source, cast_to, is_more_static, with_operands};

use minoan_ir::dialect;
use minoan_rewrite::{AddPatterns, CanonicalPatterns, PatternSets};
use minoan_services::{Declared, SameInMlir, ShapeCast, TensorOps, ToMlir};

dialect! {
    /// The tensor dialect.
    pub TensorDialect = "tensor":
        ops(
            BitCast, Cast, CollapseShape, Concat, Dim, Empty, ExpandShape, Extract, ExtractSlice, FromElements,
            Gather, Generate, Insert, InsertSlice, Pad, ParallelInsertSlice, Rank, Reshape, Scatter, Splat, Yield,
        ),
        services(
            ToMlir = SameInMlir,
            ShapeCast = shapes::Casts,
            TensorOps = makers::Tensors,
            minoan_services::Generate = Declared::never().types(generate::types),
            CanonicalPatterns = AddPatterns(canonicalize::patterns),
            PatternSets = pattern_sets::SETS,
        )
}
