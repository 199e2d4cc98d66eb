//! Properties of operations that decide whether they may be executed, moved or erased.

mod assertion;
mod effects;
mod liveness;
mod speculation;

pub use assertion::{Assertion, FirstCondition};
pub use effects::{EffectSet, Effects, EffectsTable, OnBuffers};
pub use liveness::Liveness;
pub use speculation::{Speculatability, Speculation, SpeculationTable};
