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
//! contents of its operand. The semantics of a kernel are therefore those of its body, with or without a plan. Plans are
//! documented in `minoan-schedule`, with the rules that the verifier checks.
//!
//! ```
//! use minoan_builtin::BuiltinDialect;
//! use minoan_func::FuncDialect;
//! use minoan_linalg::LinalgDialect;
//! use minoan_math::MathDialect;
//! use minoan_schedule_dialect::ScheduleDialect;
//! use minoan_testing::{context, run_one, tensor};
//!
//! let ctx = context(|registry| {
//!     registry.add(BuiltinDialect).add(FuncDialect).add(MathDialect).add(LinalgDialect).add(ScheduleDialect);
//! });
//! let program = |plan: &str| format!("func.func @f(%x: tensor<2x3xf32>, %e: tensor<2x3xf32>) -> tensor<2x3xf32> {{
//!   %y = schedule.kernel ins(%x : tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) {plan} {{
//!   ^bb0(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>):
//!     %0 = linalg.abs ins(%a : tensor<2x3xf32>) outs(%b : tensor<2x3xf32>) -> tensor<2x3xf32>
//!     schedule.yield %0 : tensor<2x3xf32>
//!   }} -> tensor<2x3xf32>
//!   return %y : tensor<2x3xf32>
//! }}");
//! let args = [tensor(&[2, 3], &[1.0, -2.0, 3.0, -4.0, 5.0, -6.0]), tensor(&[2, 3], &[0.0; 6])];
//! let unplanned = run_one(&ctx, &program(""), &args)?;
//! let planned = run_one(&ctx, &program("plan <par i { for j/2 { absf[j:2v] } }>"), &args)?;
//! assert!(planned.same(&unplanned));
//! assert!(planned.same(&tensor(&[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])));
//! # Ok::<(), minoan_services::Trap>(())
//! ```
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
