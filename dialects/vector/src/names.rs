//! Suggested names of results.

use crate::{Deinterleave, Scan, VScale};
use minoan_ir::text::AsmNames;
use minoan_ir::{DialectBuilder, OpRef};
use minoan_memref::Named;
use std::sync::Arc;

/// Names the results individually.
struct Each(&'static [&'static str]);

impl AsmNames for Each {
    fn result_names(&self, _: OpRef<'_>, set: &mut dyn FnMut(usize, &str)) {
        for (index, name) in self.0.iter().enumerate() {
            set(index, name);
        }
    }
}

pub(crate) fn register(dialect: &mut DialectBuilder<'_>) {
    dialect
        .op_service::<VScale, dyn AsmNames>(Arc::new(Named("vscale")))
        .op_service::<Deinterleave, dyn AsmNames>(Arc::new(Each(&["res1", "res2"])))
        .op_service::<Scan, dyn AsmNames>(Arc::new(Each(&["dest", "accumulated_value"])));
}
