//! What several passes want to know: computed once, kept while it is true.

use crate::OpHeader;
use minoan_ir::Body;
use rustc_hash::{FxHashMap, FxHashSet};
use std::any::{Any, TypeId};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Something computed from what is inside an operation, such as its dominance or a call graph.
///
/// It is kept until a pass edits the body without having said that the analysis still holds
/// ([`PassRun::preserve`](crate::PassRun::preserve)).
pub trait Analysis: Send + Sync + 'static {
    /// Its name in timing reports.
    const NAME: &'static str;
    /// Computes it.
    fn compute(op: OpHeader, body: &Body) -> Self;
}

/// The analyses of one operation.
#[derive(Default)]
pub(crate) struct Cache {
    kept: FxHashMap<TypeId, Arc<dyn Any + Send + Sync>>,
    preserved: FxHashSet<TypeId>,
    /// What was computed since this was last emptied, and how long it took.
    pub(crate) computed: Vec<(&'static str, Duration)>,
}

impl Cache {
    pub(crate) fn get<A: Analysis>(&mut self, op: OpHeader, body: &Body) -> Arc<A> {
        if let Some(kept) = self.cached() {
            return kept;
        }
        let start = Instant::now();
        let analysis = Arc::new(A::compute(op, body));
        self.computed.push((A::NAME, start.elapsed()));
        self.kept.insert(TypeId::of::<A>(), analysis.clone());
        analysis
    }

    pub(crate) fn cached<A: Analysis>(&self) -> Option<Arc<A>> {
        let entry = self.kept.get(&TypeId::of::<A>())?;
        Some(entry.clone().downcast().expect("kept under its own type"))
    }

    pub(crate) fn preserve<A: Analysis>(&mut self) {
        self.preserved.insert(TypeId::of::<A>());
    }

    /// After a pass: drops what it did not preserve, if it edited anything.
    pub(crate) fn settle(&mut self, edited: bool) {
        let preserved = std::mem::take(&mut self.preserved);
        if edited {
            self.kept.retain(|key, _| preserved.contains(key));
        }
    }
}
