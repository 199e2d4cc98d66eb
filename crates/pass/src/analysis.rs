//! Analyses: computed on demand and cached until invalidated.

use crate::OpHeader;
use minoan_ir::Body;
use rustc_hash::{FxHashMap, FxHashSet};
use std::any::{Any, TypeId};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Information computed from the body of an operation, such as dominance or a call graph.
///
/// The result is cached until a pass edits the body without preserving the analysis
/// ([`PassRun::preserve`](crate::PassRun::preserve)).
pub trait Analysis: Send + Sync + 'static {
    /// The name in timing reports.
    const NAME: &'static str;
    /// Computes the analysis.
    fn compute(op: OpHeader, body: &Body) -> Self;
}

/// The cached analyses of one operation.
#[derive(Default)]
pub(crate) struct Cache {
    kept: FxHashMap<TypeId, Arc<dyn Any + Send + Sync>>,
    preserved: FxHashSet<TypeId>,
    /// The analyses computed since this list was last drained, with their durations.
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

    /// Invalidates the analyses that the pass did not preserve, if it edited the body.
    pub(crate) fn settle(&mut self, edited: bool) {
        let preserved = std::mem::take(&mut self.preserved);
        if edited {
            self.kept.retain(|key, _| preserved.contains(key));
        }
    }
}
