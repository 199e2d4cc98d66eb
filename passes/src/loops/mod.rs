//! Passes over loops: hoisting out of loops, and raising of loops to operations over iteration domains.

pub mod hoist_assertions;
pub mod loop_invariant_code_motion;
pub mod loop_unroll;
pub mod raise_buffer_loops;
pub mod raise_loops;
pub mod raise_updates;
pub mod replay_assertions;
pub mod resolve_extents;
pub mod slice_reads;
pub mod uplift_while_to_for;
