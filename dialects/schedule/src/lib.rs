//! The schedule dialect: `schedule.kernel`, a group of computations over iteration domains with a plan of its loops.
//!
//! ```text
//! %y = schedule.kernel ins(%x : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>)
//!     plan <par i { for j/32 { exp[j:32v] } }> {
//! ^bb0(%a: tensor<8x64xf32>, %b: tensor<8x64xf32>):
//!   %0 = linalg.exp ins(%a : tensor<8x64xf32>) outs(%b : tensor<8x64xf32>) -> tensor<8x64xf32>
//!   schedule.yield %0 : tensor<8x64xf32>
//! } -> tensor<8x64xf32>
//! ```
//!
//! The body is isolated from above and stays on tensors when the operands become buffers: an argument represents the
//! contents of its operand. So the semantics of a kernel are those of its body, with or without a plan. Plans are
//! documented in `minoan-schedule`, with the rules that the verifier checks.
#![forbid(unsafe_code)]

mod assembly;
mod canonicalize;
mod ops;
mod services;

pub use ops::{Kernel, Yield};

use minoan_ir::dialect;
use minoan_rewrite::{AddPatterns, CanonicalPatterns};
use minoan_services::KernelOps;

dialect! {
    /// The schedule dialect.
    pub ScheduleDialect = "schedule":
        ops(Kernel, Yield),
        services(KernelOps = services::Kernels, CanonicalPatterns = AddPatterns(canonicalize::patterns))
}
