//! Suggested names of results.

use crate::{
    Alloc, Alloca, AssumeAlignment, Cast, CollapseShape, Dim, ExpandShape, ExtractAlignedPointerAsIndex,
    ExtractStridedMetadata, MemorySpaceCast, ReinterpretCast, Reshape, SubView, Transpose, View,
};
use minoan_ir::text::AsmNames;
use minoan_ir::{DialectBuilder, OpRef};
use std::sync::Arc;

/// Suggests a name for the first result.
pub struct Named(pub &'static str);

impl AsmNames for Named {
    fn result_names(&self, _: OpRef<'_>, set: &mut dyn FnMut(usize, &str)) {
        set(0, self.0);
    }
}

/// Names the base buffer and the first result of each group; the others get the name with a number.
struct NamedMetadata;

impl AsmNames for NamedMetadata {
    fn result_names(&self, op: OpRef<'_>, set: &mut dyn FnMut(usize, &str)) {
        set(0, "base_buffer");
        set(1, "offset");
        let rank = op.n_results().saturating_sub(2) / 2;
        if rank > 0 {
            set(2, "sizes");
            set(2 + rank, "strides");
        }
    }
}

pub(crate) fn register(dialect: &mut DialectBuilder<'_>) {
    dialect
        .op_service::<Alloc, dyn AsmNames>(Arc::new(Named("alloc")))
        .op_service::<Alloca, dyn AsmNames>(Arc::new(Named("alloca")))
        .op_service::<Cast, dyn AsmNames>(Arc::new(Named("cast")))
        .op_service::<Dim, dyn AsmNames>(Arc::new(Named("dim")))
        .op_service::<ExtractAlignedPointerAsIndex, dyn AsmNames>(Arc::new(Named("intptr")))
        .op_service::<MemorySpaceCast, dyn AsmNames>(Arc::new(Named("memspacecast")))
        .op_service::<Reshape, dyn AsmNames>(Arc::new(Named("reshape")))
        .op_service::<AssumeAlignment, dyn AsmNames>(Arc::new(Named("assume_align")))
        .op_service::<CollapseShape, dyn AsmNames>(Arc::new(Named("collapse_shape")))
        .op_service::<ExpandShape, dyn AsmNames>(Arc::new(Named("expand_shape")))
        .op_service::<ExtractStridedMetadata, dyn AsmNames>(Arc::new(NamedMetadata))
        .op_service::<ReinterpretCast, dyn AsmNames>(Arc::new(Named("reinterpret_cast")))
        .op_service::<SubView, dyn AsmNames>(Arc::new(Named("subview")))
        .op_service::<Transpose, dyn AsmNames>(Arc::new(Named("transpose")))
        .op_service::<View, dyn AsmNames>(Arc::new(Named("view")));
}
