//! The linalg dialect: loops over arrays with affine index maps, with upstream's operations, text and rules.
//!
//! `linalg.generic` is where array programs of all front ends meet: an iteration domain, a map from it into each
//! operand, and a scalar body.
#![forbid(unsafe_code)]

mod assembly;
mod buffers;
mod evaluate;
mod fusion;
mod named;
mod ops;
mod scalar;
mod shapes;

pub use named::{
    Abs, Add, BatchMatmul, Conv2DNchwFchw, Conv2DNhwcHwcf, Copy, Div, Dot, Exp, Log, Matmul, Matvec, Max,
    Min, Mul, NegF, PoolingNchwMax, PoolingNchwSum, PoolingNhwcMax, PoolingNhwcMin, PoolingNhwcSum, Sqrt,
    Sub, Tanh, Vecmat,
};
pub use ops::{Fill, Generic, Index, IteratorType, Yield};

use minoan_ir::{Dialect, DialectBuilder, OpDef};
use minoan_services::{
    AliasModel, EffectSet, Effects, Evaluate, Fusion, IterationDomain, RegionFlow, ShapeInference, ToBuffers,
};
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
            .op_service::<Index, dyn Evaluate>(Arc::new(evaluate::EvaluateIndex))
            .op_service::<Yield, dyn Evaluate>(Arc::new(evaluate::EvaluateYield));
        dialect
            .op_service::<Fill, dyn IterationDomain>(Arc::new(fusion::FillDomain))
            .op_service::<Generic, dyn IterationDomain>(Arc::new(fusion::GenericDomain))
            .op_service::<Generic, dyn Fusion>(Arc::new(fusion::FuseIntoGeneric));
        answer::<Fill>(dialect);
        answer::<Generic>(dialect);
        named::declare(dialect);
    }
}

/// What every operation with inputs and outputs answers.
fn answer<T: OpDef>(dialect: &mut DialectBuilder<'_>) {
    dialect
        .op_service::<T, dyn AliasModel>(Arc::new(buffers::UpdatesOutputs))
        .op_service::<T, dyn ShapeInference>(Arc::new(shapes::ByMaps))
        .op_service::<T, dyn RegionFlow>(Arc::new(buffers::RunsPerElement))
        .op_service::<T, dyn ToBuffers>(Arc::new(buffers::OutputsAreWritten))
        .op_service::<T, dyn Effects>(Arc::new(WritesBuffers));
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
