//! Bufferization and the placement of buffers.

pub mod hoist_buffers;
pub mod plan_buffers;
pub mod plan_frame;
pub mod prefetch_rows;
pub mod scalarize_tensors;
pub mod take_destinations;
