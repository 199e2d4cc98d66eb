//! Objects on the heap: who owns them, when they are freed, and which memory they reuse.

pub mod count_memory;
pub mod expand_counts;
pub mod infer_borrow;
pub mod place_counts;
pub mod reuse_objects;
pub mod sink_counts;
pub mod verify_ownership;
