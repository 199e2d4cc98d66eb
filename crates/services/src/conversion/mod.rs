//! Conversion of operations: expansion, casts between types, and their equivalents in MLIR.

mod element_agnostic;
mod expand;
mod to_mlir;
mod unrealized;

pub use element_agnostic::ElementAgnostic;
pub use expand::{Expand, ExpandCounts, FloatFlags, FloatPolicy};
pub use to_mlir::{InMlir, MlirOp, MlirSequence, MlirValue, NotInMlir, SameInMlir, ToMlir};
pub use unrealized::UnrealizedCast;
