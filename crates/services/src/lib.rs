//! Services: what passes, the interpreter and the bridge ask, and dialects answer.
//!
//! Each module declares one service as a trait, says who asks and what it means when a dialect does not answer.
//! Nothing here names an operation. The mechanism is `minoan_ir::service!`.
//!
//! | service | says | asked by | absent means |
//! |---|---|---|---|
//! | [`Evaluate`] | what an operation computes | interpreter, folding, tests | it cannot be run |
//! | [`Effects`] | what it reads, writes, prints, frees | buffers, dead code | anything may happen |
//! | [`AliasModel`] | whether a result is fresh, a view, or an update | buffers | fresh |
//! | [`Ownership`] | which operands it takes over | buffers | it borrows all |
//! | [`RegionFlow`] | how often its regions run | buffers | any number of times |
//! | [`ToBuffers`] | its form on buffers | buffers | the same form |
//! | [`BufferOps`] | how buffers are made, copied, freed | buffers | no buffers can be planned |
//! | [`Inliner`] | which operations are calls | inlining | it is no call |
//! | [`Lower`] | a module without the dialect | the lowering pass | its operations stay |
#![forbid(unsafe_code)]

mod alias;
mod buffers;
mod constant;
mod data;
mod effects;
mod elementwise;
mod evaluate;
mod inliner;
mod lower;
mod region_flow;
mod scalar;

pub use alias::{Alias, AliasModel, OperandUse, Ownership};
pub use buffers::{BufferOps, ToBuffers};
pub use data::{Buffer, Datum, Tensor, TensorData};
pub use effects::{EffectSet, Effects};
pub use elementwise::{
    FloatBinary, FloatOp, FloatTernary, FloatUnary, IntBinary, IntUnary, elementwise, operand_scalar,
    result_scalar,
};
pub use evaluate::{Evaluate, Flow, Machine, Trap};
pub use inliner::Inliner;
pub use lower::Lower;
pub use region_flow::{RegionFlow, Runs};
pub use scalar::{Bits, Scalar, wrap};
