//! The names that results are printed with.

use crate::{Alloc, Alloca, Cast, Dim, ExtractAlignedPointerAsIndex, MemorySpaceCast, Reshape};
use minoan_ir::text::AsmNames;
use minoan_ir::{DialectBuilder, OpRef};
use std::sync::Arc;

/// Names the first result.
pub struct Named(pub &'static str);

impl AsmNames for Named {
    fn result_names(&self, _: OpRef<'_>, set: &mut dyn FnMut(usize, &str)) {
        set(0, self.0);
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
        .op_service::<Reshape, dyn AsmNames>(Arc::new(Named("reshape")));
}
