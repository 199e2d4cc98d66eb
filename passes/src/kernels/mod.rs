//! Formation of kernels, their plans, and the emission of their loops.

pub mod eliminate_empty_tensors;
pub mod emit_kernels;
pub mod form_kernels;
pub mod fuse;
pub mod join_kernels;
pub mod merge_axes;
pub mod pack_constants;
pub mod schedule_kernels;
