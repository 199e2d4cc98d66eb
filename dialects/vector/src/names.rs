//! Suggested names of results.

use minoan_ir::OpRef;
use minoan_ir::text::AsmNames;

/// Names the results individually.
pub(crate) struct Each(pub(crate) &'static [&'static str]);

impl AsmNames for Each {
    fn result_names(&self, _: OpRef<'_>, set: &mut dyn FnMut(usize, &str)) {
        for (index, name) in self.0.iter().enumerate() {
            set(index, name);
        }
    }
}
