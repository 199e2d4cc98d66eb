//! The linalg dialect: loops over arrays with affine index maps, with upstream's operations, text and rules.
//!
//! `linalg.generic` is where array programs of all front ends meet: an iteration domain, a map from it into each
//! operand, and a scalar body.
#![forbid(unsafe_code)]

mod assembly;
mod buffers;
mod canonicalize;
mod elements;
mod evaluate;
mod fusion;
mod generate;
mod named;
mod ops;
mod rules;
mod scalar;
mod shapes;
mod structured;

pub use elements::{Broadcast, Map, Reduce, Transpose};
pub use named::{
    Abs, Add, BatchMatmul, BatchMatvec, BatchMmt4D, BatchReduceMatmul, BatchVecmat, Ceil, Conv1D,
    Conv1DNcwFcw, Conv1DNwcWcf, Conv2D, Conv2DNchwFchw, Conv2DNgchwFgchw, Conv2DNgchwGfchw, Conv2DNhwcFhwc,
    Conv2DNhwcHwcf, Conv2DNhwgcGfhwc, Conv3D, Conv3DNcdhwFcdhw, Conv3DNdhwcDhwcf, Copy, DepthwiseConv1DNcwCw,
    DepthwiseConv1DNwcWc, DepthwiseConv1DNwcWcm, DepthwiseConv2DNchwChw, DepthwiseConv2DNhwcHwc,
    DepthwiseConv2DNhwcHwcm, DepthwiseConv3DNcdhwCdhw, DepthwiseConv3DNdhwcDhwc, DepthwiseConv3DNdhwcDhwcm,
    Div, DivUnsigned, Dot, Erf, Exp, Floor, Log, Matmul, Matvec, Max, Min, Mmt4D, Mul, NegF, PoolingNchwMax,
    PoolingNchwSum, PoolingNcwMax, PoolingNcwSum, PoolingNdhwcMax, PoolingNdhwcMin, PoolingNdhwcSum,
    PoolingNhwcMax, PoolingNhwcMaxUnsigned, PoolingNhwcMin, PoolingNhwcMinUnsigned, PoolingNhwcSum,
    PoolingNwcMax, PoolingNwcMaxUnsigned, PoolingNwcMin, PoolingNwcMinUnsigned, PoolingNwcSum, PowF,
    Reciprocal, Round, Rsqrt, Select, Sqrt, Square, Sub, Tanh, Vecmat,
};
pub use ops::{Fill, Generic, Index, IteratorType, Yield};

use minoan_ir::text::AsmNames;
use minoan_ir::{Dialect, DialectBuilder, OpDef, OpRef};
use minoan_services::{
    AliasModel, EffectSet, Effects, Evaluate, Fusion, IterationDomain, RegionFlow, SameInMlir,
    ShapeInference, SplatDomain, ToBuffers, ToMlir,
};
use std::sync::Arc;

/// The linalg dialect.
pub struct LinalgDialect;

impl Dialect for LinalgDialect {
    fn name(&self) -> &'static str {
        "linalg"
    }

    fn register(&self, dialect: &mut DialectBuilder<'_>) {
        dialect.service::<dyn ToMlir>(Arc::new(SameInMlir));
        dialect.op::<Fill>().op::<Generic>().op::<Index>().op::<Yield>();
        dialect.op::<Map>().op::<Reduce>().op::<Broadcast>().op::<Transpose>();
        dialect
            .op_service::<Fill, dyn Evaluate>(Arc::new(evaluate::EvaluateFill))
            .op_service::<Index, dyn Evaluate>(Arc::new(evaluate::EvaluateIndex))
            .op_service::<Yield, dyn Evaluate>(Arc::new(evaluate::EvaluateYield));
        dialect
            .op_service::<Fill, dyn IterationDomain>(Arc::new(SplatDomain))
            .op_service::<Generic, dyn Fusion>(Arc::new(fusion::FuseIntoGeneric));
        answer::<Fill>(dialect);
        computed::<Generic>(dialect);
        computed::<Map>(dialect);
        computed::<Reduce>(dialect);
        computed::<Broadcast>(dialect);
        computed::<Transpose>(dialect);
        dialect
            .op_service::<Map, dyn AsmNames>(Arc::new(Named("mapped")))
            .op_service::<Reduce, dyn AsmNames>(Arc::new(Named("reduced")))
            .op_service::<Broadcast, dyn AsmNames>(Arc::new(Named("broadcasted")))
            .op_service::<Transpose, dyn AsmNames>(Arc::new(Named("transposed")));
        canonicalize::register(dialect);
        named::declare(dialect);
        generate::register(dialect);
    }
}

/// What every operation answers whose region computes elements.
fn computed<T: OpDef>(dialect: &mut DialectBuilder<'_>) {
    answer::<T>(dialect);
    dialect
        .op_service::<T, dyn Evaluate>(Arc::new(evaluate::EvaluateStructured))
        .op_service::<T, dyn IterationDomain>(Arc::new(fusion::StructuredDomain));
}

/// The names of results, and of the arguments of regions whose text has them.
struct Named(&'static str);

impl AsmNames for Named {
    fn result_names(&self, op: OpRef<'_>, set: &mut dyn FnMut(usize, &str)) {
        if op.n_results() > 0 {
            set(0, self.0);
        }
    }

    fn region_arg_names(&self, op: OpRef<'_>, _: usize, set: &mut dyn FnMut(usize, &str)) {
        let inputs = structured::n_inputs(op);
        (0..op.n_operands()).for_each(|at| set(at, if at < inputs { "in" } else { "init" }));
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
