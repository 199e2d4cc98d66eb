//! Checks and reports, which do not change the IR.

pub mod print_graph;
pub mod print_op_stats;
pub mod verify_effects;
pub mod verify_mlir_export;
