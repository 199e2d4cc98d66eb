//! Passes over services: none of them names a dialect, and this crate depends on none.
//!
//! | pass | action |
//! |---|---|
//! | [`lower`](lower::LowerFrontEnds) | lowers front-end dialects to shared ones |
//! | [`apply-rules`](apply_rules::ApplyRules) | applies the rewrite rules of a program |
//! | [`apply-patterns`](apply_patterns::ApplyPatterns) | applies named sets of patterns of dialects |
//! | [`materialize-signatures`](materialize_signatures::MaterializeSignatures) | attaches signatures to public functions |
//! | [`plan-buffers`](plan_buffers::PlanBuffers) | bufferizes tensors and places deallocations |
//! | [`scalarize-tensors`](scalarize_tensors::ScalarizeTensors) | replaces tensors of rank 0 by scalars across calls and control flow |
//! | [`tail-recursion-modulo-constructor`](tail_recursion_modulo_constructor::TailRecursionModuloConstructor) | makes calls tail calls whose results become parts of new objects |
//! | [`infer-borrow`](infer_borrow::InferBorrow) | decides which objects functions and loops borrow or own |
//! | [`sink-counts`](sink_counts::SinkCounts) | adds owners of parts of objects where they are needed |
//! | [`reuse-objects`](reuse_objects::ReuseObjects) | creates objects in the memory of dying ones |
//! | [`place-counts`](place_counts::PlaceCounts) | places reference counts of objects on the heap |
//! | [`count-memory`](count_memory::CountMemory) | counts copies and creations of objects at run time |
//! | [`expand-counts`](expand_counts::ExpandCounts) | expands operations on objects for machine code |
//! | [`hoist-buffers`](hoist_buffers::HoistBuffers) | hoists temporary buffers out of loops, moves small ones to the stack |
//! | [`plan-frame`](plan_frame::PlanFrame) | places temporary buffers of a function in one allocation |
//! | [`prefetch-rows`](prefetch_rows::PrefetchRows) | prefetches the parts of buffers that loops visit in descending order |
//! | [`take-destinations`](take_destinations::TakeDestinations) | lets functions write their results to buffers of the caller |
//! | [`prepare-derivatives`](differentiate::PrepareDerivatives) | inlines calls and raises loops before differentiation |
//! | [`checkpoint-loops`](differentiate::CheckpointLoops) | marks loops whose values reverse mode saves only at the start of segments |
//! | [`differentiate`](differentiate::Differentiate) | creates the derivatives that a module requests |
//! | [`gradient`](differentiate::Gradient) | adds functions that compute values and gradients of functions |
//! | [`inline`](inline::Inline) | inlines calls |
//! | [`canonicalize`](canonicalize::Canonicalize) | folds operations and applies canonicalization patterns |
//! | [`convert-scf-to-cf`](convert_scf_to_cf::ConvertScfToCf) | lowers structured control flow to branches |
//! | [`cse`](cse::Cse) | eliminates common subexpressions |
//! | [`sccp`](sccp::Sccp) | sparse conditional constant propagation |
//! | [`dce`](dce::Dce) | removes dead code |
//! | [`simplify-cfg`](simplify_cfg::SimplifyCfg) | merges blocks and folds branches |
//! | [`control-flow-sink`](control_flow_sink::ControlFlowSink) | sinks operations into conditional regions |
//! | [`hoist-from-if`](hoist_from_if::HoistFromIf) | hoists operations common to all branches of a conditional |
//! | [`symbol-dce`](symbol_dce::SymbolDce) | removes unused private symbols |
//! | [`symbol-privatize`](symbol_privatize::SymbolPrivatize) | makes symbols private |
//! | [`strip-debuginfo`](strip_debuginfo::StripDebugInfo) | removes locations |
//! | [`loop-invariant-code-motion`](loop_invariant_code_motion::LoopInvariantCodeMotion) | hoists loop-invariant operations |
//! | [`mem2reg`](mem2reg::Mem2Reg) | promotes memory slots to values |
//! | [`remove-dead-values`](remove_dead_values::RemoveDeadValues) | removes dead arguments, results and loop-carried values |
//! | [`replay-assertions`](replay_assertions::ReplayAssertions) | executes loops again whose assertions fail, to tell the values of the message |
//! | [`drop-assertion-values`](drop_assertion_values::DropAssertionValues) | replaces assertions whose messages show values by MLIR's |
//! | [`loop-unroll`](loop_unroll::LoopUnroll) | unrolls loops |
//! | [`infer-shapes`](infer_shapes::InferShapes) | propagates static extents into types |
//! | [`tail-recursion-to-loop`](tail_recursion_to_loop::TailRecursionToLoop) | converts tail recursion to loops |
//! | [`outline`](outline::Outline) | outlines parts of functions |
//! | [`merge-composite`](outline::composite::MergeComposite) | makes composite functions of chains of operations |
//! | [`group-operators`](outline::group::GroupOperators) | makes functions of groups of operators that one kernel computes |
//! | [`partition-graph`](outline::partition::PartitionGraph) | makes functions of regions that a compiler supports |
//! | [`specialize`](specialize::Specialize) | clones functions for calls with known arguments |
//! | [`defunctionalize`](defunctionalize::DefunctionalizeClosures) | replaces closures by values of data types |
//! | [`hoist-assertions`](hoist_assertions::HoistAssertions) | checks affine indices once, before the loops |
//! | [`resolve-extents`](resolve_extents::ResolveExtents) | replaces extents of tensors in loops by those of the tensors from before them |
//! | [`uplift-while-to-for`](uplift_while_to_for::UpliftWhileToFor) | converts loops with a condition to loops with an induction variable |
//! | [`raise-updates`](raise_updates::RaiseUpdates) | replaces computed tensors that update another one by insertions into it |
//! | [`raise-loops`](raise_loops::RaiseLoops) | raises loops to operations over iteration domains |
//! | [`slice-reads`](slice_reads::SliceReads) | reads slices instead of elements at computed indices |
//! | [`outline-parallel`](outline::parallel::OutlineParallel) | outlines the bodies of parallel loops |
//! | [`form-kernels`](form_kernels::FormKernels) | groups computations over iteration domains into kernels |
//! | [`merge-axes`](merge_axes::MergeAxes) | merges adjacent axes of kernels that are contiguous in all tensors |
//! | [`pack-constants`](pack_constants::PackConstants) | packs constant operands of kernels at compile time |
//! | [`schedule-kernels`](schedule_kernels::ScheduleKernels) | chooses plans for kernels |
//! | [`eliminate-empty-tensors`](eliminate_empty_tensors::EliminateEmptyTensors) | computes tensors in the part of another tensor where they are inserted |
//! | [`emit-kernels`](emit_kernels::EmitKernels) | replaces kernels by loops and vector operations |
//! | [`fuse`](fuse::Fuse) | fuses producers into their consumers |
//! | [`expand-math`](expand_math::ExpandMath) | expands functions on vectors into arithmetic |
//! | [`float-policy`](float_policy::SetFloatPolicy) | sets floating-point flags |
//! | [`verify-effects`](verify_effects::VerifyEffects) | checks the declared effects of operations |
//! | [`verify-ownership`](verify_ownership::VerifyOwnership) | checks the owners of objects on the heap |
//! | [`verify-mlir-export`](verify_mlir_export::VerifyMlirExport) | reports constructs without an equivalent in MLIR |
//! | [`print-graph`](print_graph::PrintGraph) | prints control flow, data flow or call graphs |
//! | [`print-op-stats`](print_op_stats::PrintOpStats) | counts operations |
//!
//! [`ConversionPass`](conversion_pass::ConversionPass) makes a pass of the patterns of a dialect conversion.
#![forbid(unsafe_code)]

mod analysis;
pub mod apply_patterns;
pub mod apply_rules;
pub mod canonicalize;
pub mod control_flow_sink;
pub mod conversion_pass;
pub mod convert_scf_to_cf;
pub mod count_memory;
pub mod cse;
pub mod dce;
pub mod default_pipeline;
pub mod defunctionalize;
pub mod differentiate;
pub mod drop_assertion_values;
pub mod eliminate_empty_tensors;
pub mod emit_kernels;
pub mod expand_counts;
pub mod expand_math;
pub mod float_policy;
pub mod form_kernels;
pub mod fuse;
pub mod hoist_assertions;
pub mod hoist_buffers;
pub mod hoist_from_if;
pub mod infer_borrow;
pub mod infer_shapes;
pub mod inline;
pub mod loop_invariant_code_motion;
pub mod loop_unroll;
pub mod lower;
pub mod materialize_signatures;
pub mod mem2reg;
pub mod merge_axes;
pub mod outline;
pub mod pack_constants;
mod pattern_log;
pub mod place_counts;
pub mod plan_buffers;
pub mod plan_frame;
pub mod prefetch_rows;
pub mod print_graph;
pub mod print_op_stats;
pub mod raise_loops;
pub mod raise_updates;
pub mod remove_dead_values;
pub mod replay_assertions;
pub mod resolve_extents;
pub mod reuse_objects;
pub mod scalarize_tensors;
pub mod sccp;
pub mod schedule_kernels;
pub mod simplify_cfg;
pub mod sink_counts;
pub mod slice_reads;
pub mod specialize;
pub mod strip_debuginfo;
pub mod symbol_dce;
pub mod symbol_privatize;
pub mod tail_recursion_modulo_constructor;
pub mod tail_recursion_to_loop;
pub mod take_destinations;
pub mod uplift_while_to_for;
pub mod verify_effects;
pub mod verify_mlir_export;
pub mod verify_ownership;

use minoan_pass::PassRegistry;

/// Registers every pass of this crate and the [default pipeline](default_pipeline).
pub fn register(registry: &mut PassRegistry) {
    registry
        .add(|| Box::new(lower::LowerFrontEnds))
        .add(|| Box::new(apply_rules::ApplyRules))
        .add(|| Box::new(apply_patterns::ApplyPatterns::default()))
        .add(|| Box::new(materialize_signatures::MaterializeSignatures::default()))
        .add(|| Box::new(differentiate::PrepareDerivatives))
        .add(|| Box::new(differentiate::CheckpointLoops))
        .add(|| Box::new(differentiate::Differentiate))
        .add(|| Box::new(differentiate::Gradient::default()))
        .add(|| Box::new(inline::Inline::default()))
        .add(|| Box::new(canonicalize::Canonicalize::default()))
        .add(|| Box::new(convert_scf_to_cf::ConvertScfToCf))
        .add(|| Box::new(cse::Cse))
        .add(|| Box::new(sccp::Sccp))
        .add(|| Box::new(dce::Dce))
        .add(|| Box::new(simplify_cfg::SimplifyCfg::default()))
        .add(|| Box::new(control_flow_sink::ControlFlowSink))
        .add(|| Box::new(eliminate_empty_tensors::EliminateEmptyTensors))
        .add(|| Box::new(hoist_from_if::HoistFromIf))
        .add(|| Box::new(symbol_dce::SymbolDce))
        .add(|| Box::new(symbol_privatize::SymbolPrivatize::default()))
        .add(|| Box::new(strip_debuginfo::StripDebugInfo))
        .add(|| Box::new(loop_invariant_code_motion::LoopInvariantCodeMotion))
        .add(|| Box::new(mem2reg::Mem2Reg::default()))
        .add(|| Box::new(remove_dead_values::RemoveDeadValues))
        .add(|| Box::new(replay_assertions::ReplayAssertions))
        .add(|| Box::new(drop_assertion_values::DropAssertionValues))
        .add(|| Box::new(loop_unroll::LoopUnroll::default()))
        .add(|| Box::new(infer_shapes::InferShapes))
        .add(|| Box::new(tail_recursion_to_loop::TailRecursionToLoop))
        .add(|| Box::new(outline::Outline::default()))
        .add(|| Box::new(outline::composite::MergeComposite::default()))
        .add(|| Box::new(outline::partition::PartitionGraph::default()))
        .add(|| Box::new(outline::group::GroupOperators::default()))
        .add(|| Box::new(specialize::Specialize::default()))
        .add(|| Box::new(defunctionalize::DefunctionalizeClosures))
        .add(|| Box::new(hoist_assertions::HoistAssertions))
        .add(|| Box::new(raise_loops::RaiseLoops))
        .add(|| Box::new(raise_updates::RaiseUpdates))
        .add(|| Box::new(resolve_extents::ResolveExtents))
        .add(|| Box::new(uplift_while_to_for::UpliftWhileToFor))
        .add(|| Box::new(slice_reads::SliceReads))
        .add(|| Box::new(outline::parallel::OutlineParallel::default()))
        .add(|| Box::new(form_kernels::FormKernels::default()))
        .add(|| Box::new(merge_axes::MergeAxes))
        .add(|| Box::new(pack_constants::PackConstants))
        .add(|| Box::new(schedule_kernels::ScheduleKernels::default()))
        .add(|| Box::new(emit_kernels::EmitKernels))
        .add(|| Box::new(fuse::Fuse::default()))
        .add(|| Box::new(expand_math::ExpandMath::default()))
        .add(|| Box::new(float_policy::SetFloatPolicy::default()))
        .add(|| Box::new(verify_effects::VerifyEffects::default()))
        .add(|| Box::new(verify_mlir_export::VerifyMlirExport))
        .add(|| Box::new(print_graph::PrintGraph::default()))
        .add(|| Box::new(print_op_stats::PrintOpStats::default()))
        .add(|| Box::new(tail_recursion_modulo_constructor::TailRecursionModuloConstructor))
        .add(|| Box::new(infer_borrow::InferBorrow))
        .add(|| Box::new(place_counts::PlaceCounts))
        .add(|| Box::new(sink_counts::SinkCounts))
        .add(|| Box::new(reuse_objects::ReuseObjects))
        .add(|| Box::new(count_memory::CountMemory))
        .add(|| Box::new(expand_counts::ExpandCounts))
        .add(|| Box::new(scalarize_tensors::ScalarizeTensors))
        .add(|| Box::new(verify_ownership::VerifyOwnership))
        .add(|| Box::new(plan_buffers::PlanBuffers))
        .add(|| Box::new(hoist_buffers::HoistBuffers))
        .add(|| Box::new(plan_frame::PlanFrame))
        .add(|| Box::new(prefetch_rows::PrefetchRows))
        .add(|| Box::new(take_destinations::TakeDestinations::default()));
    default_pipeline::register(registry);
    print_graph::register(registry);
}
