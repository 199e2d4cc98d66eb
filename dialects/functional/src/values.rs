//! The values of a function that is being lowered.

use crate::Parts;
use minoan_ir::{Type, Value};
use rustc_hash::FxHashMap;
use std::ops::{Deref, DerefMut, Range};

/// The components of the values lowered so far.
#[derive(Clone, Debug, Default)]
pub struct Values {
    parts: FxHashMap<Value, Parts>,
    /// For tuple types, the number of components before each part, and that of all.
    starts: FxHashMap<Type, Vec<usize>>,
}

impl Values {
    /// The range of the components of part `index` among those of a tuple of type `ty`, empty if there is no such part. `counts`
    /// returns the number of components of each part; it is called once for each type.
    pub(crate) fn range(
        &mut self,
        ty: Type,
        index: usize,
        counts: impl FnOnce() -> Vec<usize>,
    ) -> Range<usize> {
        let starts = self.starts.entry(ty).or_insert_with(|| {
            let mut starts = vec![0];
            starts.extend(counts().into_iter().scan(0, |end, count| {
                *end += count;
                Some(*end)
            }));
            starts
        });
        let last = starts.len() - 1;
        starts[index.min(last)]..starts[index.saturating_add(1).min(last)]
    }
}

impl Deref for Values {
    type Target = FxHashMap<Value, Parts>;

    fn deref(&self) -> &Self::Target {
        &self.parts
    }
}

impl DerefMut for Values {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.parts
    }
}
