//! Objects on the heap: ownership, deallocation, and reuse of memory.

pub mod count_memory;
pub mod expand_counts;
pub mod infer_borrow;
pub mod place_counts;
pub mod reuse_objects;
pub mod sink_counts;
pub mod verify_ownership;
