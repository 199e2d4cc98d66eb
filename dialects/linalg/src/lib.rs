//! The linalg dialect: structured operations on arrays with affine indexing maps; operations, assembly and
//! verification are upstream's.
//!
//! `linalg.generic` is the common target of the front ends' array programs: an iteration domain, an indexing map for
//! each operand, and a scalar computation.
//!
//! ```
//! use minoan_arith::ArithDialect;
//! use minoan_builtin::BuiltinDialect;
//! use minoan_func::FuncDialect;
//! use minoan_linalg::LinalgDialect;
//! use minoan_testing::{context, run_one, tensor};
//!
//! let ctx = context(|registry| {
//!     registry.add(BuiltinDialect).add(FuncDialect).add(ArithDialect).add(LinalgDialect);
//! });
//! let program = "func.func @f(%a: tensor<2x3xf32>, %sums: tensor<2xf32>) -> tensor<2xf32> {
//!   %rows = linalg.generic {
//!     indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
//!     iterator_types = [\"parallel\", \"reduction\"]
//!   } ins(%a : tensor<2x3xf32>) outs(%sums : tensor<2xf32>) {
//!   ^bb0(%element: f32, %sum: f32):
//!     %next = arith.addf %sum, %element : f32
//!     linalg.yield %next : f32
//!   } -> tensor<2xf32>
//!   return %rows : tensor<2xf32>
//! }";
//! let a = tensor(&[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
//! let rows = run_one(&ctx, program, &[a, tensor(&[2], &[0.0, 0.0])])?;
//! assert!(rows.same(&tensor(&[2], &[6.0, 15.0])));
//! # Ok::<(), minoan_services::Trap>(())
//! ```
#![forbid(unsafe_code)]

mod assembly;
mod attributes;
mod buffers;

mod canonicalize;
mod constraints;
mod decompose;
mod differentiate;
mod elements;
mod elementwise;
mod evaluate;
mod fold_broadcasts;
mod fusion;
mod generate;
mod inline_constants;
mod matmul;
mod movements;
mod named;
mod named_text;
mod ops;
mod push_reshapes;
mod push_slices;
mod relayout;
mod relayout_evaluate;
mod rules;
mod runtime_verification;
mod scalar;
mod services;
mod shapes;
mod softmax;
mod static_shapes;
mod structured;
mod to_mlir;
mod uniform_outputs;
mod winograd;
mod winograd_evaluate;
mod winograd_matrices;

pub use attributes::{
    BinaryFn, BinaryFnAttr, ElementwiseKind, ElementwiseKindAttr, IteratorTypeAttr, TernaryFn, TernaryFnAttr,
    TypeFn, TypeFnAttr, UnaryFn, UnaryFnAttr,
};
pub use elements::{Broadcast, Map, Reduce, Transpose};
pub use elementwise::Elementwise;
pub use minoan_services::IteratorType;
pub use named::{
    Abs, Add, BatchMatmul, BatchMatvec, BatchMmt4D, BatchReduceMatmul, BatchVecmat, Ceil, Contract, Conv1D,
    Conv1DNcwFcw, Conv1DNwcWcf, Conv2D, Conv2DNchwFchw, Conv2DNchwFchwQ, Conv2DNgchwFgchw, Conv2DNgchwGfchw,
    Conv2DNgchwGfchwQ, Conv2DNhwcFhwc, Conv2DNhwcFhwcQ, Conv2DNhwcHwcf, Conv2DNhwcHwcfQ, Conv2DNhwgcGfhwc,
    Conv2DNhwgcGfhwcQ, Conv3D, Conv3DNcdhwFcdhw, Conv3DNdhwcDhwcf, Conv3DNdhwcDhwcfQ, Copy,
    DepthwiseConv1DNcwCw, DepthwiseConv1DNwcWc, DepthwiseConv1DNwcWcm, DepthwiseConv2DNchwChw,
    DepthwiseConv2DNhwcHwc, DepthwiseConv2DNhwcHwcQ, DepthwiseConv2DNhwcHwcm, DepthwiseConv2DNhwcHwcmQ,
    DepthwiseConv3DNcdhwCdhw, DepthwiseConv3DNdhwcDhwc, DepthwiseConv3DNdhwcDhwcm, Div, DivUnsigned, Dot,
    Erf, Exp, FillRng2D, Floor, Log, Matmul, Matvec, Max, Min, Mmt4D, Mul, NegF, PoolingNchwMax,
    PoolingNchwSum, PoolingNcwMax, PoolingNcwSum, PoolingNdhwcMax, PoolingNdhwcMin, PoolingNdhwcSum,
    PoolingNhwcMax, PoolingNhwcMaxUnsigned, PoolingNhwcMin, PoolingNhwcMinUnsigned, PoolingNhwcSum,
    PoolingNwcMax, PoolingNwcMaxUnsigned, PoolingNwcMin, PoolingNwcMinUnsigned, PoolingNwcSum, PowF,
    QuantizedBatchMatmul, QuantizedMatmul, Reciprocal, Round, Rsqrt, Select, Sqrt, Square, Sub, Tanh, Vecmat,
};
pub use ops::{Fill, Generic, Index, Yield};
pub use relayout::*;
pub use softmax::Softmax;
pub use winograd::*;

use minoan_ir::dialect;
use minoan_rewrite::{AddPatterns, CanonicalPatterns, PatternSets};
use minoan_services::{DomainOps, ToMlir};

dialect! {
    /// The linalg dialect.
    pub LinalgDialect = "linalg":
        depends(
            minoan_arith::ArithDialect, minoan_cf::CfDialect, minoan_complex::ComplexDialect, minoan_math::MathDialect,
            minoan_memref::MemRefDialect, minoan_tensor::TensorDialect,
        ),
        attrs(IteratorTypeAttr, TypeFnAttr, ElementwiseKindAttr, UnaryFnAttr, BinaryFnAttr, TernaryFnAttr),
        ops(
            Broadcast, Elementwise, Fill, Generic, Index, Map, Pack, Reduce, Softmax, Transpose, Unpack,
            WinogradFilterTransform, WinogradInputTransform, WinogradOutputTransform, Yield,
        ),
        services(
            ToMlir = to_mlir::Structured,
            DomainOps = fusion::Generics,
            CanonicalPatterns = AddPatterns(canonicalize::patterns),
            PatternSets = decompose::SETS,
        ),
        register(named::declare)
}
