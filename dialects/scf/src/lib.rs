//! The scf dialect: structured control flow; operations, assembly and verification are upstream's.
//!
//! Loop-carried values are region arguments and results; a loop-carried tensor is owned by the current iteration, so
//! it can be updated in place.
//!
//! ```
//! use minoan_arith::ArithDialect;
//! use minoan_builtin::BuiltinDialect;
//! use minoan_func::FuncDialect;
//! use minoan_scf::ScfDialect;
//! use minoan_services::Datum;
//! use minoan_testing::{context, run_one};
//!
//! let ctx = context(|registry| {
//!     registry.add(BuiltinDialect).add(FuncDialect).add(ArithDialect).add(ScfDialect);
//! });
//! let program = "func.func @f(%base: i32, %exponent: index) -> i32 {
//!   %zero = arith.constant 0 : index
//!   %step = arith.constant 1 : index
//!   %one = arith.constant 1 : i32
//!   %power = scf.for %i = %zero to %exponent step %step iter_args(%product = %one) -> (i32) {
//!     %next = arith.muli %product, %base : i32
//!     scf.yield %next : i32
//!   }
//!   return %power : i32
//! }";
//! assert_eq!(run_one(&ctx, program, &[Datum::Int(3), Datum::Int(4)])?, Datum::Int(81));
//! # Ok::<(), minoan_services::Trap>(())
//! ```
#![forbid(unsafe_code)]

mod assembly;
mod canonicalize;
mod counted;
mod flow;
mod forall;
mod forall_to_loops;
mod generate;
mod loops;
mod makers;
mod ops;
mod parallel;
mod pass_through;
mod reduce;
mod regions;
mod services;
mod speculate_atomics;
mod to_branches;

pub use forall::{Forall, InParallel, ParallelInsert};
pub use ops::{Condition, For, If, While, Yield};
pub use parallel::{Parallel, Reduce, ReduceReturn};
pub use regions::{ExecuteRegion, IndexSwitch};

use minoan_ir::dialect;
use minoan_rewrite::{AddPatterns, CanonicalPatterns, NamedPatterns, PatternSets, ToBranches};
use minoan_services::{LoopOps, SameInMlir, ToMlir};

/// The named sets of patterns.
const PATTERN_SETS: &[NamedPatterns] = &[forall_to_loops::SET, speculate_atomics::SET];

dialect! {
    /// The scf dialect.
    pub ScfDialect = "scf":
        depends(minoan_arith::ArithDialect, minoan_cf::CfDialect),
        ops(
            Condition, ExecuteRegion, For, Forall, If, InParallel, IndexSwitch, Parallel, Reduce, ReduceReturn,
            While, Yield,
        ),
        services(
            ToMlir = SameInMlir,
            LoopOps = makers::Loops,
            ToBranches = to_branches::Branching,
            CanonicalPatterns = AddPatterns(canonicalize::patterns),
            PatternSets = PATTERN_SETS,
        )
}
