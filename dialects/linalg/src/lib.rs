//! The linalg dialect: loops over arrays with affine index maps, with upstream's operations, text and rules.
//!
//! `linalg.generic` is where array programs of all front ends meet: an iteration domain, a map from it into each
//! operand, and a scalar body.
#![forbid(unsafe_code)]

mod assembly;
mod buffers;
mod evaluate;
mod ops;

pub use ops::{Fill, Generic, Index, IteratorType, Yield};

use minoan_ir::{Dialect, DialectBuilder};
use minoan_services::{AliasModel, EffectSet, Effects, Evaluate, RegionFlow, ToBuffers};
use std::sync::Arc;

/// The linalg dialect.
pub struct LinalgDialect;

impl Dialect for LinalgDialect {
    fn name(&self) -> &'static str {
        "linalg"
    }

    fn register(&self, dialect: &mut DialectBuilder<'_>) {
        dialect.op::<Fill>().op::<Generic>().op::<Index>().op::<Yield>();
        dialect
            .op_service::<Fill, dyn Evaluate>(Arc::new(evaluate::EvaluateFill))
            .op_service::<Generic, dyn Evaluate>(Arc::new(evaluate::EvaluateGeneric))
            .op_service::<Yield, dyn Evaluate>(Arc::new(evaluate::EvaluateYield))
            .op_service::<Fill, dyn AliasModel>(Arc::new(buffers::UpdatesOutputs))
            .op_service::<Generic, dyn AliasModel>(Arc::new(buffers::UpdatesOutputs))
            .op_service::<Fill, dyn RegionFlow>(Arc::new(buffers::RunsPerElement))
            .op_service::<Generic, dyn RegionFlow>(Arc::new(buffers::RunsPerElement))
            .op_service::<Fill, dyn ToBuffers>(Arc::new(buffers::OutputsAreWritten))
            .op_service::<Generic, dyn ToBuffers>(Arc::new(buffers::OutputsAreWritten))
            .op_service::<Fill, dyn Effects>(Arc::new(WritesBuffers))
            .op_service::<Generic, dyn Effects>(Arc::new(WritesBuffers));
    }
}

/// On buffers the outputs are written; on tensors nothing is.
struct WritesBuffers;

impl Effects for WritesBuffers {
    fn effects(&self, op: minoan_ir::OpRef<'_>) -> EffectSet {
        let ctx = op.context();
        if op.operand_types().any(|ty| ty.is_memref(ctx)) {
            EffectSet::READ.and(EffectSet::WRITE)
        } else {
            EffectSet::NONE
        }
    }
}
