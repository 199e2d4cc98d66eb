//! Control flow between and within regions.

mod branches;
mod loop_like;
mod pass_through;
mod region_edge;
mod region_flow;
mod select_like;
mod slots;

pub use branches::{Branches, ForwardedOperands, ForwardedRemovals};
pub use loop_like::{Bound, ConstantBounds, Induction, LoopLike, ScaledLoop};
pub use pass_through::{PassThrough, ThreadedEnd, ThreadedOp, with_more_results};
pub use region_edge::check_edge;
pub use region_flow::{
    RegionExecution, RegionFlow, RegionSuccessor, RegionSuccessors, RegionTarget, conditional_successors,
    yields_to_parent,
};
pub use select_like::{Choice, SelectLike};
pub use slots::{Slot, SlotAccess, SlotContents, SlotSource, SlotUse};
