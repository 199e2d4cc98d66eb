//! The linalg dialect: structured operations on arrays with affine indexing maps; operations, assembly and
//! verification are upstream's.
//!
//! `linalg.generic` is the common target of the front ends' array programs: an iteration domain, an indexing map for
//! each operand, and a scalar computation.
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
mod fusion;
mod generate;
mod matmul;
mod movements;
mod named;
mod named_text;
mod ops;
mod push_slices;
mod relayout;
mod relayout_evaluate;
mod rules;
mod scalar;
mod shapes;
mod softmax;
mod static_shapes;
mod structured;
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

use minoan_ir::text::AsmNames;
use minoan_ir::{Dialect, DialectBuilder, OpDef, OpRef};
use minoan_services::{
    AliasModel, DomainOps, EffectSet, Effects, Evaluate, EvaluateYield, ExtentOf, ExtentsOfOperands,
    FloatFlags, Fusion, IterationDomain, RegionFlow, SameInMlir, ShapeInference, SplatDomain, ToBuffers,
    ToMlir,
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
        dialect.attr::<IteratorTypeAttr>().attr::<TypeFnAttr>().attr::<ElementwiseKindAttr>();
        dialect.attr::<UnaryFnAttr>().attr::<BinaryFnAttr>().attr::<TernaryFnAttr>();
        dialect.op::<Fill>().op::<Generic>().op::<Index>().op::<Yield>();
        dialect.op::<Map>().op::<Reduce>().op::<Broadcast>().op::<Transpose>().op::<Elementwise>();
        dialect.op::<Pack>().op::<Unpack>().op::<Softmax>();
        dialect
            .op::<WinogradFilterTransform>()
            .op::<WinogradInputTransform>()
            .op::<WinogradOutputTransform>();
        dialect
            .op_service::<Fill, dyn Evaluate>(Arc::new(evaluate::EvaluateFill))
            .op_service::<Index, dyn Evaluate>(Arc::new(evaluate::EvaluateIndex))
            .op_service::<Yield, dyn Evaluate>(Arc::new(EvaluateYield));
        dialect
            .op_service::<Fill, dyn IterationDomain>(Arc::new(SplatDomain))
            .op_service::<Generic, dyn Fusion>(Arc::new(fusion::FuseIntoGeneric));
        structured_services::<Fill>(dialect);
        computed::<Generic>(dialect);
        computed::<Map>(dialect);
        computed::<Reduce>(dialect);
        computed::<Broadcast>(dialect);
        computed::<Transpose>(dialect);
        computed::<Elementwise>(dialect);
        dialect
            .op_service::<Generic, dyn AsmNames>(Named::new(None, Some("out")))
            .op_service::<Map, dyn AsmNames>(Named::new(Some("mapped"), Some("init")))
            .op_service::<Reduce, dyn AsmNames>(Named::new(Some("reduced"), Some("init")))
            .op_service::<Broadcast, dyn AsmNames>(Named::new(Some("broadcasted"), None))
            .op_service::<Transpose, dyn AsmNames>(Named::new(Some("transposed"), None))
            .op_service::<Pack, dyn AsmNames>(Named::new(Some("pack"), None))
            .op_service::<Unpack, dyn AsmNames>(Named::new(Some("unpack"), None));
        dialect
            .op_service::<Pack, dyn Evaluate>(Arc::new(relayout_evaluate::EvaluatePack))
            .op_service::<Unpack, dyn Evaluate>(Arc::new(relayout_evaluate::EvaluateUnpack))
            .op_service::<Softmax, dyn Evaluate>(Arc::new(softmax::EvaluateSoftmax))
            .op_service::<Softmax, dyn FloatFlags>(Arc::new(minoan_arith::FastMathFlags));
        writes::<Softmax>(dialect);
        writes::<Pack>(dialect);
        writes::<Unpack>(dialect);
        writes::<WinogradFilterTransform>(dialect);
        writes::<WinogradInputTransform>(dialect);
        writes::<WinogradOutputTransform>(dialect);
        winograd_evaluate::register(dialect);
        dialect.service::<dyn DomainOps>(Arc::new(fusion::Generics));
        canonicalize::register(dialect);
        decompose::register(dialect);
        differentiate::register(dialect);
        named::declare(dialect);
        generate::register(dialect);
    }
}

/// Registers the services of operations whose region computes elements.
fn computed<T: OpDef>(dialect: &mut DialectBuilder<'_>) {
    structured_services::<T>(dialect);
    dialect
        .op_service::<T, dyn Evaluate>(Arc::new(evaluate::EvaluateStructured))
        .op_service::<T, dyn IterationDomain>(Arc::new(fusion::StructuredDomain));
}

/// Names results, and region arguments in operations whose assembly shows them.
struct Named {
    result: Option<&'static str>,
    /// The name of an argument for an output element, in operations with named arguments.
    output: Option<&'static str>,
}

impl Named {
    fn new(result: Option<&'static str>, output: Option<&'static str>) -> Arc<Named> {
        Arc::new(Named { result, output })
    }
}

impl AsmNames for Named {
    fn result_names(&self, op: OpRef<'_>, set: &mut dyn FnMut(usize, &str)) {
        if let Some(name) = self.result.filter(|_| op.n_results() > 0) {
            set(0, name);
        }
    }

    fn region_arg_names(&self, op: OpRef<'_>, _: usize, set: &mut dyn FnMut(usize, &str)) {
        let Some(output) = self.output else { return };
        let inputs = structured::n_inputs(op);
        (0..op.n_operands()).for_each(|at| set(at, if at < inputs { "in" } else { output }));
    }
}

/// Registers the services of operations with inputs and outputs.
fn structured_services<T: OpDef>(dialect: &mut DialectBuilder<'_>) {
    dialect
        .op_service::<T, dyn AliasModel>(Arc::new(buffers::UpdatesOutputs))
        .op_service::<T, dyn ShapeInference>(Arc::new(shapes::ByMaps))
        .op_service::<T, dyn ExtentOf>(Arc::new(ExtentsOfOperands { first: structured::n_inputs }))
        .op_service::<T, dyn RegionFlow>(Arc::new(buffers::RunsPerElement))
        .op_service::<T, dyn ToBuffers>(Arc::new(buffers::OutputsAreWritten));
    writes::<T>(dialect);
}

fn writes<T: OpDef>(dialect: &mut DialectBuilder<'_>) {
    dialect.op_service::<T, dyn Effects>(Arc::new(WritesBuffers));
}

/// Operations on buffers write their outputs; operations on tensors have no effects.
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
