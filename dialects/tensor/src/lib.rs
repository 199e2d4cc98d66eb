//! The tensor dialect: tensors as values; operations, assembly and verification are upstream's.
//!
//! Tensors are immutable: `tensor.insert` returns a new one. After bufferization, an insertion into a dead tensor is
//! a single store.
//!
//! ```
//! use minoan_builtin::BuiltinDialect;
//! use minoan_func::FuncDialect;
//! use minoan_tensor::TensorDialect;
//! use minoan_testing::{context, run_one, tensor};
//!
//! let ctx = context(|registry| {
//!     registry.add(BuiltinDialect).add(FuncDialect).add(TensorDialect);
//! });
//! let program = "func.func @f(%t: tensor<5xf32>) -> tensor<2xf32> {
//!   %odd = tensor.extract_slice %t[1] [2] [2] : tensor<5xf32> to tensor<2xf32>
//!   return %odd : tensor<2xf32>
//! }";
//! let odd = run_one(&ctx, program, &[tensor(&[5], &[0.0, 1.0, 2.0, 3.0, 4.0])])?;
//! assert!(odd.same(&tensor(&[2], &[1.0, 3.0])));
//! # Ok::<(), minoan_services::Trap>(())
//! ```
#![forbid(unsafe_code)]

mod buffers;
mod canonicalize;
mod differentiate;
mod dim_of_pad;
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
mod runtime_verification;
mod shapes;
mod slices;
mod static_extents;

pub use differentiate::is_zero_splat;
pub use fold::element_of_splat;
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
        depends(minoan_arith::ArithDialect, minoan_memref::MemRefDialect, minoan_scf::ScfDialect),
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
