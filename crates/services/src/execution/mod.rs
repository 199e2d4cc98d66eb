//! Properties of operations that decide whether they may be executed, moved or erased.

mod assertion;
mod atomic_update;
mod effects;
mod liveness;
mod precondition;
mod runtime_checks;
mod runtime_verification;
mod speculation;

pub use assertion::{Assertion, AssertionOps, FirstCondition};
pub use atomic_update::AtomicUpdate;
pub use effects::{EffectSet, Effects, EffectsTable, OnBuffers};
pub use liveness::Liveness;
pub use precondition::{DefinedDivision, Precondition};
pub use runtime_checks::{CreatedChecks, RuntimeCheckMakers, RuntimeChecks};
pub use runtime_verification::{RuntimeCondition, RuntimeIndex, RuntimeVerification};
pub use speculation::{Speculatability, Speculation, SpeculationTable};
