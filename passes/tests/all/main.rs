//! The tests of the passes.

mod canonicalize;
mod common;
mod dce;
mod differentiate;
mod fuse;
mod hostile;
mod infer_order;
mod infer_shapes;
mod kernels;
mod meaning;
mod no_pass_panics;
mod plan_buffers;
mod plan_frame;
mod raise_buffer_loops;
mod steps;
mod symbols;
mod uplift_while_to_for;
