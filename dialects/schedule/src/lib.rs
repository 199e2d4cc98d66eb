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
//! The body is isolated from above and stays on tensors when the operands become buffers: an argument stands for the
//! contents of its operand. So the meaning of a kernel is that of its body, with or without a plan. Plans are
//! documented in `minoan-scheduling`, with the rules that the verifier checks.
#![forbid(unsafe_code)]

mod assembly;
mod canonicalize;
mod ops;
mod services;

pub use ops::{Kernel, Yield};

use minoan_ir::{Dialect, DialectBuilder};
use minoan_services::{AliasModel, Effects, Evaluate, EvaluateYield, KernelOps, RegionFlow, ToBuffers};
use std::sync::Arc;

/// The schedule dialect.
pub struct ScheduleDialect;

impl Dialect for ScheduleDialect {
    fn name(&self) -> &'static str {
        "schedule"
    }

    fn register(&self, dialect: &mut DialectBuilder<'_>) {
        dialect.service::<dyn KernelOps>(Arc::new(services::Kernels));
        dialect.op::<Kernel>().op::<Yield>();
        dialect
            .op_service::<Kernel, dyn Evaluate>(Arc::new(services::EvaluateKernel))
            .op_service::<Yield, dyn Evaluate>(Arc::new(EvaluateYield))
            .op_service::<Kernel, dyn Effects>(Arc::new(services::WritesBuffers))
            .op_service::<Kernel, dyn AliasModel>(Arc::new(services::UpdatesOutputs))
            .op_service::<Kernel, dyn RegionFlow>(Arc::new(services::RunsOnce))
            .op_service::<Kernel, dyn ToBuffers>(Arc::new(services::OutputsAreWritten));
        canonicalize::register(dialect);
    }
}
