//! The affine dialect: loops, conditionals and accesses whose bounds, conditions and indices are affine; operations, assembly,
//! verification and canonicalization are upstream's.
//!
//! A map is applied to dimensions, such as induction variables, and to symbols, which are constant in the function: [the
//! rules](https://mlir.llvm.org/docs/Dialects/Affine/#restrictions-on-dimensions-and-symbols). `floordiv` and `ceildiv` round
//! down and up, and `mod` is not negative. `lower-affine` expresses the operations by those of scf, arith, memref and vector.
//!
//! ```
//! use minoan_affine::AffineDialect;
//! use minoan_arith::ArithDialect;
//! use minoan_builtin::BuiltinDialect;
//! use minoan_func::FuncDialect;
//! use minoan_services::Datum;
//! use minoan_testing::{context, run_one};
//!
//! let ctx = context(|registry| {
//!     registry.add(BuiltinDialect).add(FuncDialect).add(ArithDialect).add(AffineDialect);
//! });
//! // The number of pairs with j <= i < n.
//! let program = "func.func @f(%n: index) -> index {
//!   %zero = arith.constant 0 : index
//!   %one = arith.constant 1 : index
//!   %count = affine.for %i = 0 to %n iter_args(%outer = %zero) -> (index) {
//!     %row = affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) iter_args(%inner = %outer) -> (index) {
//!       %next = arith.addi %inner, %one : index
//!       affine.yield %next : index
//!     }
//!     affine.yield %row : index
//!   }
//!   return %count : index
//! }";
//! assert_eq!(run_one(&ctx, program, &[Datum::Int(4)])?, Datum::Int(10));
//! # Ok::<(), minoan_services::Trap>(())
//! ```
#![forbid(unsafe_code)]

mod assembly;
mod assembly_loops;
mod bounds;
mod canonicalize;
mod dma;
mod evaluate;
mod evaluate_loops;
mod expand;
mod flatten;
mod flow;
mod fold;
mod generate;
mod index;
mod loop_like;
mod loops;
mod lower;
mod ops;
mod pass_through;
mod reduce;
mod reductions;
mod scope;
mod services;
mod value_map;

pub use dma::{DmaStart, DmaWait};
pub use index::{DelinearizeIndex, LinearizeIndex};
pub use loops::{For, If, Parallel};
pub use ops::{Apply, Load, Max, Min, Prefetch, Store, VectorLoad, VectorStore, Yield};

use minoan_ir::dialect;
use minoan_rewrite::{AddPatterns, CanonicalPatterns, ToLoops};
use minoan_services::Inliner;

dialect! {
    /// The affine dialect.
    pub AffineDialect = "affine":
        depends(
            minoan_arith::ArithDialect, minoan_memref::MemRefDialect, minoan_scf::ScfDialect, minoan_ub::UbDialect,
            minoan_vector::VectorDialect,
        ),
        ops(
            Apply, DelinearizeIndex, DmaStart, DmaWait, For, If, LinearizeIndex, Load, Max, Min, Parallel, Prefetch, Store,
            VectorLoad, VectorStore, Yield,
        ),
        services(
            CanonicalPatterns = AddPatterns(canonicalize::patterns),
            Inliner = services::AtTheTop,
            ToLoops = lower::AffineToLoops,
        )
}
