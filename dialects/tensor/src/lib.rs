//! The tensor dialect: tensors as values; operations, assembly and verification are upstream's.
//!
//! Tensors are immutable: `tensor.insert` returns a new one. After bufferization, an insertion into a dead tensor is
//! a single store.
#![forbid(unsafe_code)]

mod buffers;
mod canonicalize;
mod differentiate;
mod evaluate;
mod evaluate_moves;
mod fold;
mod fusion;
mod gather_scatter;
mod generate;
mod makers;
mod move_buffers;
mod names;
mod ops;
mod pad;
mod pattern_sets;
mod push_slices;
mod reshape;
mod shapes;
mod slices;
mod static_extents;

pub use differentiate::is_zero_splat;
pub use ops::*;
pub use pad::*;
pub use push_slices::static_slice;
pub use reshape::*;
pub use slices::*;
pub use static_extents::{cast_source, cast_to, is_more_static, with_operands};

use minoan_ir::{Dialect, DialectBuilder, OpRef};
use minoan_scf::ParallelInsert;
use minoan_services::{
    AliasModel, DimensionOperand, EffectSet, Effects, ElementAccess, ElementAgnostic, Evaluate,
    EvaluateYield, ExtentOf, ExtentsOfOperands, Fusion, IterationDomain, PartInsertion, RegionFlow,
    SameInMlir, ShapeCast, ShapeInference, Speculation, SplatDomain, TensorOps, ToBuffers, ToMlir,
    TrailingExtents, TrailingIndices, VectorForm,
};
use move_buffers::Same;
use std::sync::Arc;

/// The tensor dialect.
pub struct TensorDialect;

impl Dialect for TensorDialect {
    fn name(&self) -> &'static str {
        "tensor"
    }

    fn register(&self, dialect: &mut DialectBuilder<'_>) {
        dialect.service::<dyn ToMlir>(Arc::new(SameInMlir));
        dialect
            .op::<Cast>()
            .op::<Dim>()
            .op::<Empty>()
            .op::<Extract>()
            .op::<FromElements>()
            .op::<Generate>()
            .op::<Insert>()
            .op::<Splat>()
            .op::<Yield>();
        dialect.op::<ExtractSlice>().op::<InsertSlice>().op::<ParallelInsertSlice>().op::<Pad>();
        dialect.op::<CollapseShape>().op::<ExpandShape>().op::<Reshape>().op::<Rank>();
        dialect.op::<BitCast>().op::<Concat>().op::<Gather>().op::<Scatter>();
        names::register(dialect);
        fold::register(dialect);
        pattern_sets::register(dialect);
        canonicalize::register(dialect);
        generate::register(dialect);
        differentiate::register(dialect);
        dialect
            .op_service::<ExtractSlice, dyn Evaluate>(Arc::new(evaluate::EvaluateExtractSlice))
            .op_service::<InsertSlice, dyn Evaluate>(Arc::new(evaluate::EvaluateInsertSlice))
            .op_service::<CollapseShape, dyn Evaluate>(Arc::new(evaluate::EvaluateCollapse))
            .op_service::<ExpandShape, dyn Evaluate>(Arc::new(evaluate::EvaluateExpand))
            .op_service::<Reshape, dyn Evaluate>(Arc::new(evaluate::EvaluateReshape))
            .op_service::<Concat, dyn Evaluate>(Arc::new(evaluate_moves::EvaluateConcat))
            .op_service::<Rank, dyn Evaluate>(Arc::new(evaluate::EvaluateRank))
            .op_service::<ParallelInsertSlice, dyn ParallelInsert>(Arc::new(slices::InsertsIntoDest))
            .op_service::<ParallelInsertSlice, dyn Effects>(Arc::new(EffectSet::NONE));
        dialect
            .op_service::<Cast, dyn Evaluate>(Arc::new(evaluate::EvaluateCast))
            .op_service::<Dim, dyn Evaluate>(Arc::new(evaluate::EvaluateDim))
            .op_service::<Extract, dyn Speculation>(Arc::new(|op: OpRef<'_>| ops::is_in_bounds(op, 0)))
            .op_service::<Insert, dyn Speculation>(Arc::new(|op: OpRef<'_>| ops::is_in_bounds(op, 1)))
            .op_service::<Dim, dyn Speculation>(Arc::new(minoan_memref::is_constant_dim))
            .op_service::<Empty, dyn Evaluate>(Arc::new(evaluate::EvaluateEmpty))
            .op_service::<Extract, dyn Evaluate>(Arc::new(evaluate::EvaluateExtract))
            .op_service::<FromElements, dyn Evaluate>(Arc::new(evaluate::EvaluateFromElements))
            .op_service::<Generate, dyn Evaluate>(Arc::new(evaluate::EvaluateGenerate))
            .op_service::<Insert, dyn Evaluate>(Arc::new(evaluate::EvaluateInsert))
            .op_service::<Pad, dyn Evaluate>(Arc::new(evaluate::EvaluatePad))
            .op_service::<Splat, dyn Evaluate>(Arc::new(evaluate::EvaluateSplat))
            .op_service::<Yield, dyn Evaluate>(Arc::new(EvaluateYield));
        dialect
            .op_service::<Cast, dyn AliasModel>(Arc::new(buffers::CastIsView))
            .op_service::<Insert, dyn AliasModel>(Arc::new(buffers::InsertUpdates))
            .op_service::<Generate, dyn RegionFlow>(Arc::new(buffers::GenerateFlow))
            .op_service::<Cast, dyn ToBuffers>(Arc::new(buffers::BufferCast))
            .op_service::<Dim, dyn ToBuffers>(Arc::new(buffers::BufferDim))
            .op_service::<Empty, dyn ToBuffers>(Arc::new(buffers::BufferEmpty))
            .op_service::<Extract, dyn ToBuffers>(Arc::new(buffers::BufferExtract))
            .op_service::<FromElements, dyn ToBuffers>(Arc::new(buffers::BufferFromElements))
            .op_service::<Generate, dyn ToBuffers>(Arc::new(buffers::BufferGenerate))
            .op_service::<Insert, dyn ToBuffers>(Arc::new(buffers::BufferInsert))
            .op_service::<Splat, dyn ToBuffers>(Arc::new(buffers::BufferSplat));
        dialect
            .op_service::<CollapseShape, dyn AliasModel>(Arc::new(buffers::CastIsView))
            .op_service::<ExpandShape, dyn AliasModel>(Arc::new(buffers::CastIsView))
            .op_service::<Reshape, dyn AliasModel>(Arc::new(buffers::CastIsView))
            .op_service::<InsertSlice, dyn PartInsertion>(Arc::new(slices::ReplacesPart))
            .op_service::<InsertSlice, dyn AliasModel>(Arc::new(move_buffers::InsertsSlice))
            .op_service::<Pad, dyn RegionFlow>(Arc::new(buffers::GenerateFlow))
            .op_service::<BitCast, dyn ToBuffers>(Arc::new(move_buffers::BufferBitCast))
            .op_service::<Concat, dyn ToBuffers>(Arc::new(move_buffers::BufferConcat))
            .op_service::<ExtractSlice, dyn AliasModel>(Arc::new(move_buffers::SliceMayBeView))
            .op_service::<ExtractSlice, dyn ToBuffers>(Arc::new(move_buffers::BufferExtractSlice))
            .op_service::<InsertSlice, dyn ToBuffers>(Arc::new(move_buffers::BufferInsertSlice))
            .op_service::<Pad, dyn ToBuffers>(Arc::new(move_buffers::BufferPad))
            .op_service::<CollapseShape, dyn ToBuffers>(Arc::new(Same::<minoan_memref::CollapseShape>::new()))
            .op_service::<ExpandShape, dyn ToBuffers>(Arc::new(move_buffers::BufferExpand))
            .op_service::<Rank, dyn ToBuffers>(Arc::new(Same::<minoan_memref::Rank>::new()))
            .op_service::<Reshape, dyn ToBuffers>(Arc::new(Same::<minoan_memref::Reshape>::new()));
        element_agnostic(dialect);
        dialect
            .service::<dyn ShapeCast>(Arc::new(shapes::Casts))
            .op_service::<Cast, dyn ShapeInference>(Arc::new(shapes::CastShape))
            .op_service::<CollapseShape, dyn ShapeInference>(Arc::new(shapes::CollapsedShape))
            .op_service::<Dim, dyn ShapeInference>(Arc::new(shapes::AnyOperands))
            .op_service::<Empty, dyn ShapeInference>(Arc::new(shapes::SizesShape))
            .op_service::<Extract, dyn ShapeInference>(Arc::new(shapes::AnyOperands))
            .op_service::<ExtractSlice, dyn ShapeInference>(Arc::new(shapes::SliceShape))
            .op_service::<Generate, dyn ShapeInference>(Arc::new(shapes::SizesShape))
            .op_service::<Insert, dyn ShapeInference>(Arc::new(shapes::DestShape))
            .op_service::<InsertSlice, dyn ShapeInference>(Arc::new(shapes::InsertedShape))
            .op_service::<Pad, dyn ShapeInference>(Arc::new(shapes::PadShape))
            .op_service::<Splat, dyn ShapeInference>(Arc::new(shapes::SizesShape));
        dialect
            .op_service::<Generate, dyn IterationDomain>(Arc::new(fusion::GenerateDomain))
            .op_service::<Pad, dyn IterationDomain>(Arc::new(fusion::PadDomain))
            .op_service::<Splat, dyn IterationDomain>(Arc::new(SplatDomain))
            .op_service::<Extract, dyn ElementAccess>(Arc::new(TrailingIndices { stores: false }))
            .op_service::<Insert, dyn ElementAccess>(Arc::new(TrailingIndices { stores: true }))
            .op_service::<Extract, dyn VectorForm>(Arc::new(fusion::ExtractLanes))
            .op_service::<Extract, dyn Fusion>(Arc::new(fusion::FuseIntoExtract));
        dialect
            .service::<dyn TensorOps>(Arc::new(makers::Tensors))
            .op_service::<Dim, dyn ExtentOf>(Arc::new(DimensionOperand))
            .op_service::<Empty, dyn ExtentOf>(Arc::new(TrailingExtents { first: 0 }))
            .op_service::<Generate, dyn ExtentOf>(Arc::new(TrailingExtents { first: 0 }))
            .op_service::<Splat, dyn ExtentOf>(Arc::new(TrailingExtents { first: 1 }))
            .op_service::<ExtractSlice, dyn ExtentOf>(Arc::new(shapes::SliceExtents))
            .op_service::<Insert, dyn ExtentOf>(Arc::new(ExtentsOfOperands { first: |_| 1 }))
            .op_service::<InsertSlice, dyn ExtentOf>(Arc::new(ExtentsOfOperands { first: |_| 1 }))
            .op_service::<Cast, dyn ExtentOf>(Arc::new(ExtentsOfOperands { first: |_| 0 }));
    }
}

/// Registers the operations that are the same for any element type: all but `tensor.bitcast`.
fn element_agnostic(dialect: &mut DialectBuilder<'_>) {
    dialect
        .op_service::<Cast, dyn ElementAgnostic>(Arc::new(()))
        .op_service::<CollapseShape, dyn ElementAgnostic>(Arc::new(()))
        .op_service::<Concat, dyn ElementAgnostic>(Arc::new(()))
        .op_service::<Dim, dyn ElementAgnostic>(Arc::new(()))
        .op_service::<Empty, dyn ElementAgnostic>(Arc::new(()))
        .op_service::<ExpandShape, dyn ElementAgnostic>(Arc::new(()))
        .op_service::<Extract, dyn ElementAgnostic>(Arc::new(()))
        .op_service::<ExtractSlice, dyn ElementAgnostic>(Arc::new(()))
        .op_service::<FromElements, dyn ElementAgnostic>(Arc::new(()))
        .op_service::<Gather, dyn ElementAgnostic>(Arc::new(()))
        .op_service::<Generate, dyn ElementAgnostic>(Arc::new(()))
        .op_service::<Insert, dyn ElementAgnostic>(Arc::new(()))
        .op_service::<InsertSlice, dyn ElementAgnostic>(Arc::new(()))
        .op_service::<Pad, dyn ElementAgnostic>(Arc::new(()))
        .op_service::<ParallelInsertSlice, dyn ElementAgnostic>(Arc::new(()))
        .op_service::<Rank, dyn ElementAgnostic>(Arc::new(()))
        .op_service::<Reshape, dyn ElementAgnostic>(Arc::new(()))
        .op_service::<Scatter, dyn ElementAgnostic>(Arc::new(()))
        .op_service::<Splat, dyn ElementAgnostic>(Arc::new(()))
        .op_service::<Yield, dyn ElementAgnostic>(Arc::new(()));
}
