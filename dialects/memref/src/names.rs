//! Suggested names of results.

use minoan_ir::OpRef;
use minoan_ir::text::AsmNames;

/// Suggests a name for the first result.
pub struct Named(pub &'static str);

impl AsmNames for Named {
    fn result_names(&self, _: OpRef<'_>, set: &mut dyn FnMut(usize, &str)) {
        set(0, self.0);
    }
}

/// Names the base buffer and the first result of each group; the others get the name with a number.
pub(crate) struct NamedMetadata;

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
