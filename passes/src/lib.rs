//! Passes over services: none of them names a dialect, and this crate depends on none.
//!
//! | pass | does |
//! |---|---|
//! | [`lower`](lower::LowerFrontEnds) | front ends' dialects become shared ones |
//! | [`materialize-signatures`](materialize_signatures::MaterializeSignatures) | public functions say their signatures |
//! | [`plan-buffers`](plan_buffers::PlanBuffers) | tensors become buffers with a planned life |
//! | [`hoist-buffers`](hoist_buffers::HoistBuffers) | temporary buffers leave loops, small ones go to the stack |
//! | [`inline`](inline::Inline) | calls become what they call |
//! | [`canonicalize`](canonicalize::Canonicalize) | operations are folded and take their canonical form |
//! | [`convert-scf-to-cf`](convert_scf_to_cf::ConvertScfToCf) | structured control flow becomes branches between blocks |
//! | [`cse`](cse::Cse) | what was computed before is not computed again |
//! | [`sccp`](sccp::Sccp) | what is one constant on every way becomes it |
//! | [`dce`](dce::Dce) | what nobody uses goes |
//! | [`simplify-cfg`](simplify_cfg::SimplifyCfg) | blocks are joined, and branches that are known go straight |
//! | [`control-flow-sink`](control_flow_sink::ControlFlowSink) | what one way of a condition uses is computed there |
//! | [`hoist-from-if`](hoist_from_if::HoistFromIf) | what all ways of a condition compute is computed before it |
//! | [`symbol-dce`](symbol_dce::SymbolDce) | private symbols that nothing refers to go |
//! | [`symbol-privatize`](symbol_privatize::SymbolPrivatize) | symbols become private |
//! | [`strip-debuginfo`](strip_debuginfo::StripDebugInfo) | locations go |
//! | [`loop-invariant-code-motion`](loop_invariant_code_motion::LoopInvariantCodeMotion) | what is the same in every iteration leaves the loop |
//! | [`mem2reg`](mem2reg::Mem2Reg) | storage that never escapes becomes values |
//! | [`remove-dead-values`](remove_dead_values::RemoveDeadValues) | what is handed on for nothing goes |
//! | [`loop-unroll`](loop_unroll::LoopUnroll) | several iterations become one |
//! | [`infer-shapes`](infer_shapes::InferShapes) | extents that follow from others are written into types |
//! | [`tail-recursion-to-loop`](tail_recursion_to_loop::TailRecursionToLoop) | a function that ends with a call of itself begins again |
//! | [`outline`](outline::Outline) | parts of functions become functions |
//! | [`fuse`](fuse::Fuse) | what is computed point by point is computed where it is read |
//! | [`verify-effects`](verify_effects::VerifyEffects) | what operations say of their effects is checked |
//! | [`verify-mlir-export`](verify_mlir_export::VerifyMlirExport) | what has no form in MLIR is reported |
//! | [`print-graph`](print_graph::PrintGraph) | control flow, data flow or calls are drawn |
//! | [`print-op-stats`](print_op_stats::PrintOpStats) | operations are counted |
#![forbid(unsafe_code)]

mod branch_table;
mod call_sites;
pub mod canonicalize;
pub mod control_flow_sink;
pub mod convert_scf_to_cf;
pub mod cse;
pub mod dce;
mod effect_sums;
pub mod fuse;
pub mod hoist_buffers;
pub mod hoist_from_if;
pub mod infer_shapes;
pub mod inline;
pub mod loop_invariant_code_motion;
pub mod loop_unroll;
pub mod lower;
pub mod materialize_signatures;
pub mod mem2reg;
mod merge_points;
pub mod outline;
mod pattern_log;
pub mod plan_buffers;
pub mod print_graph;
pub mod print_op_stats;
pub mod remove_dead_values;
pub mod sccp;
mod shape_edits;
pub mod simplify_cfg;
mod slot_renaming;
pub mod strip_debuginfo;
pub mod symbol_dce;
pub mod symbol_privatize;
pub mod tail_recursion_to_loop;
mod value_liveness;
pub mod verify_effects;
pub mod verify_mlir_export;

use minoan_pass::PassRegistry;

/// Adds every pass of this crate.
pub fn register(registry: &mut PassRegistry) {
    registry
        .add(|| Box::new(lower::LowerFrontEnds))
        .add(|| Box::new(materialize_signatures::MaterializeSignatures))
        .add(|| Box::new(inline::Inline::default()))
        .add(|| Box::new(canonicalize::Canonicalize::default()))
        .add(|| Box::new(convert_scf_to_cf::ConvertScfToCf))
        .add(|| Box::new(cse::Cse))
        .add(|| Box::new(sccp::Sccp))
        .add(|| Box::new(dce::Dce))
        .add(|| Box::new(simplify_cfg::SimplifyCfg::default()))
        .add(|| Box::new(control_flow_sink::ControlFlowSink))
        .add(|| Box::new(hoist_from_if::HoistFromIf))
        .add(|| Box::new(symbol_dce::SymbolDce))
        .add(|| Box::new(symbol_privatize::SymbolPrivatize::default()))
        .add(|| Box::new(strip_debuginfo::StripDebugInfo))
        .add(|| Box::new(loop_invariant_code_motion::LoopInvariantCodeMotion))
        .add(|| Box::new(mem2reg::Mem2Reg::default()))
        .add(|| Box::new(remove_dead_values::RemoveDeadValues))
        .add(|| Box::new(loop_unroll::LoopUnroll::default()))
        .add(|| Box::new(infer_shapes::InferShapes))
        .add(|| Box::new(tail_recursion_to_loop::TailRecursionToLoop))
        .add(|| Box::new(outline::Outline::default()))
        .add(|| Box::new(fuse::Fuse::default()))
        .add(|| Box::new(verify_effects::VerifyEffects::default()))
        .add(|| Box::new(verify_mlir_export::VerifyMlirExport))
        .add(|| Box::new(print_graph::PrintGraph::default()))
        .add(|| Box::new(print_op_stats::PrintOpStats::default()))
        .add(|| Box::new(plan_buffers::PlanBuffers))
        .add(|| Box::new(hoist_buffers::HoistBuffers));
}
