//! General-purpose simplifications.

pub mod canonicalize;
pub mod control_flow_sink;
pub mod cse;
pub mod dce;
pub mod hoist_from_if;
pub mod infer_shapes;
pub mod mem2reg;
pub mod remove_dead_values;
pub mod sccp;
pub mod simplify_cfg;
pub mod strip_debuginfo;
pub mod symbol_dce;
pub mod symbol_privatize;
