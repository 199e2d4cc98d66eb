//! The scf dialect: structured control flow; operations, assembly and verification are upstream's.
//!
//! Loop-carried values are region arguments and results; a loop-carried tensor is owned by the current iteration, so
//! it can be updated in place.
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
mod to_branches;

pub use forall::{Forall, InParallel, ParallelInsert};
pub use ops::{Condition, For, If, While, Yield};
pub use parallel::{Parallel, Reduce, ReduceReturn};
pub use regions::{ExecuteRegion, IndexSwitch};

use minoan_ir::dialect;
use minoan_rewrite::{AddPatterns, CanonicalPatterns, PatternSets, ToBranches};
use minoan_services::{LoopOps, SameInMlir, ToMlir};

dialect! {
    /// The scf dialect.
    pub ScfDialect = "scf":
        ops(
            Condition, ExecuteRegion, For, Forall, If, InParallel, IndexSwitch, Parallel, Reduce, ReduceReturn,
            While, Yield,
        ),
        services(
            ToMlir = SameInMlir,
            LoopOps = makers::Loops,
            ToBranches = to_branches::Branching,
            CanonicalPatterns = AddPatterns(canonicalize::patterns),
            PatternSets = forall_to_loops::SETS,
        )
}
