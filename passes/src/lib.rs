//! Passes over services: none of them names a dialect, and this crate depends on none.
//!
//! # Lowering (`lowering/`)
//!
//! | pass | action |
//! |---|---|
//! | [`lower`](lower::LowerFrontEnds) | lowers front-end dialects to shared ones |
//! | [`apply-rules`](apply_rules::ApplyRules) | applies the rewrite rules of a program |
//! | [`apply-patterns`](apply_patterns::ApplyPatterns) | applies named sets of patterns of dialects |
//! | [`materialize-signatures`](materialize_signatures::MaterializeSignatures) | attaches signatures to public functions |
//! | [`generate-runtime-verification`](generate_runtime_verification::GenerateRuntimeVerification) | asserts at run time that indices are in bounds, that extents agree, and that integer divisions are defined |
//! | [`drop-assertion-values`](drop_assertion_values::DropAssertionValues) | replaces assertions whose messages show values by MLIR's |
//! | [`convert-scf-to-cf`](convert_scf_to_cf::ConvertScfToCf) | lowers structured control flow to branches |
//! | [`lower-affine`](lower_affine::LowerAffine) | lowers operations with affine maps to loops, arithmetic and accesses |
//! | [`expand-math`](expand_math::ExpandMath) | expands functions on vectors into arithmetic |
//! | [`float-policy`](float_policy::SetFloatPolicy) | sets floating-point flags |
//!
//! # Derivatives (`differentiate/`)
//!
//! | pass | action |
//! |---|---|
//! | [`prepare-derivatives`](differentiate::PrepareDerivatives) | inlines calls and raises loops before differentiation |
//! | [`checkpoint-loops`](differentiate::CheckpointLoops) | marks loops whose values reverse mode saves only at the start of segments |
//! | [`differentiate`](differentiate::Differentiate) | creates the derivatives that a module requests |
//! | [`gradient`](differentiate::Gradient) | adds functions that compute values and gradients of functions |
//!
//! # Simplification (`simplify/`)
//!
//! | pass | action |
//! |---|---|
//! | [`canonicalize`](canonicalize::Canonicalize) | folds operations and applies canonicalization patterns |
//! | [`cse`](cse::Cse) | eliminates common subexpressions |
//! | [`sccp`](sccp::Sccp) | sparse conditional constant propagation |
//! | [`dce`](dce::Dce) | removes dead code |
//! | [`simplify-cfg`](simplify_cfg::SimplifyCfg) | merges blocks and folds branches |
//! | [`control-flow-sink`](control_flow_sink::ControlFlowSink) | sinks operations into conditional regions |
//! | [`hoist-from-if`](hoist_from_if::HoistFromIf) | hoists operations common to all branches of a conditional |
//! | [`symbol-dce`](symbol_dce::SymbolDce) | removes unused private symbols |
//! | [`symbol-privatize`](symbol_privatize::SymbolPrivatize) | makes symbols private |
//! | [`strip-debuginfo`](strip_debuginfo::StripDebugInfo) | removes locations |
//! | [`mem2reg`](mem2reg::Mem2Reg) | promotes memory slots to values |
//! | [`remove-dead-values`](remove_dead_values::RemoveDeadValues) | removes dead arguments, results and loop-carried values |
//! | [`infer-shapes`](infer_shapes::InferShapes) | propagates static extents into types |
//!
//! # Functions (`functions/`)
//!
//! | pass | action |
//! |---|---|
//! | [`tail-recursion-modulo-constructor`](tail_recursion_modulo_constructor::TailRecursionModuloConstructor) | makes calls tail calls whose results become parts of new objects |
//! | [`inline`](inline::Inline) | inlines calls |
//! | [`tail-recursion-to-loop`](tail_recursion_to_loop::TailRecursionToLoop) | converts tail recursion to loops |
//! | [`outline`](outline::Outline) | outlines parts of functions |
//! | [`merge-composite`](outline::composite::MergeComposite) | makes composite functions of chains of operations |
//! | [`group-operators`](outline::group::GroupOperators) | makes functions of groups of operators that one kernel computes |
//! | [`merge-marked-regions`](outline::partition::MergeMarkedRegions) | merges regions that are marked for one compiler |
//! | [`partition-graph`](outline::partition::PartitionGraph) | makes functions of regions that a compiler supports |
//! | [`partial-evaluate`](partial_evaluate::PartialEvaluate) | evaluates what depends on known values, in rounds |
//! | [`specialize`](specialize::Specialize) | clones functions for calls with known arguments |
//! | [`defunctionalize`](defunctionalize::DefunctionalizeClosures) | replaces closures by values of data types |
//! | [`outline-parallel`](outline::parallel::OutlineParallel) | outlines the bodies of parallel loops |
//!
//! # Loops (`loops/`)
//!
//! | pass | action |
//! |---|---|
//! | [`loop-invariant-code-motion`](loop_invariant_code_motion::LoopInvariantCodeMotion) | hoists loop-invariant operations |
//! | [`loop-unroll`](loop_unroll::LoopUnroll) | unrolls loops |
//! | [`replay-assertions`](replay_assertions::ReplayAssertions) | executes loops again whose assertions fail, to determine the values of the message |
//! | [`hoist-assertions`](hoist_assertions::HoistAssertions) | checks affine indices once, before the loops |
//! | [`resolve-extents`](resolve_extents::ResolveExtents) | replaces extents of tensors in loops by those of the tensors from before them |
//! | [`uplift-while-to-for`](uplift_while_to_for::UpliftWhileToFor) | converts loops with a condition to loops with an induction variable |
//! | [`raise-updates`](raise_updates::RaiseUpdates) | replaces computed tensors that update another one by insertions into it |
//! | [`raise-buffer-loops`](raise_buffer_loops::RaiseBufferLoops) | raises loops over elements of buffers to operations over iteration domains |
//! | [`raise-loops`](raise_loops::RaiseLoops) | raises loops to operations over iteration domains |
//! | [`slice-reads`](slice_reads::SliceReads) | reads slices instead of elements at computed indices |
//!
//! # Kernels (`kernels/`)
//!
//! | pass | action |
//! |---|---|
//! | [`form-kernels`](form_kernels::FormKernels) | groups computations over iteration domains into kernels |
//! | [`merge-axes`](merge_axes::MergeAxes) | merges adjacent axes of kernels that are contiguous in all tensors |
//! | [`pack-constants`](pack_constants::PackConstants) | packs constant operands of kernels at compile time |
//! | [`schedule-kernels`](schedule_kernels::ScheduleKernels) | chooses plans for kernels |
//! | [`eliminate-empty-tensors`](eliminate_empty_tensors::EliminateEmptyTensors) | computes tensors in the part of another tensor where they are inserted |
//! | [`join-kernels`](join_kernels::JoinKernels) | joins pointwise kernels on buffers with those whose results they read |
//! | [`emit-kernels`](emit_kernels::EmitKernels) | replaces kernels by loops and vector operations |
//! | [`fuse`](fuse::Fuse) | fuses producers into their consumers |
//!
//! # Buffers (`buffers/`)
//!
//! | pass | action |
//! |---|---|
//! | [`plan-buffers`](plan_buffers::PlanBuffers) | bufferizes tensors and places deallocations |
//! | [`scalarize-tensors`](scalarize_tensors::ScalarizeTensors) | replaces tensors of rank 0 by scalars across calls and control flow |
//! | [`hoist-buffers`](hoist_buffers::HoistBuffers) | hoists temporary buffers out of loops, moves small ones to the stack |
//! | [`plan-frame`](plan_frame::PlanFrame) | places temporary buffers of a function in one allocation |
//! | [`prefetch-rows`](prefetch_rows::PrefetchRows) | prefetches the parts of buffers that loops visit in descending order |
//! | [`take-destinations`](take_destinations::TakeDestinations) | lets functions write their results to buffers of the caller |
//!
//! # Objects on the heap (`objects/`)
//!
//! | pass | action |
//! |---|---|
//! | [`infer-borrow`](infer_borrow::InferBorrow) | decides which objects functions and loops borrow or own |
//! | [`sink-counts`](sink_counts::SinkCounts) | adds owners of parts of objects where they are needed |
//! | [`reuse-objects`](reuse_objects::ReuseObjects) | creates objects in the memory of dying ones |
//! | [`place-counts`](place_counts::PlaceCounts) | places reference counts of objects on the heap |
//! | [`count-memory`](count_memory::CountMemory) | counts copies and creations of objects at run time |
//! | [`expand-counts`](expand_counts::ExpandCounts) | expands operations on objects for machine code |
//! | [`verify-ownership`](verify_ownership::VerifyOwnership) | checks the owners of objects on the heap |
//!
//! # Checks and reports (`inspect/`)
//!
//! | pass | action |
//! |---|---|
//! | [`verify-effects`](verify_effects::VerifyEffects) | checks the declared effects of operations |
//! | [`verify-mlir-export`](verify_mlir_export::VerifyMlirExport) | reports constructs without an equivalent in MLIR |
//! | [`print-graph`](print_graph::PrintGraph) | prints control flow, data flow or call graphs |
//! | [`print-op-stats`](print_op_stats::PrintOpStats) | counts operations |
//!
//! [`ConversionPass`](conversion_pass::ConversionPass) makes a pass of the patterns of a dialect conversion.
//!
//! ```
//! use minoan_arith::ArithDialect;
//! use minoan_builtin::BuiltinDialect;
//! use minoan_diag::SourceMap;
//! use minoan_func::FuncDialect;
//! use minoan_ir::text::{ParseOptions, parse_module, print_module};
//! use minoan_ir::{Context, Registry};
//! use minoan_pass::{PassManager, PassRegistry, Pipeline};
//!
//! let mut registry = Registry::new();
//! registry.add(ArithDialect).add(BuiltinDialect).add(FuncDialect);
//! let ctx = Context::new(registry).expect("three dialects");
//! let sources = SourceMap::new();
//! let text = "func.func @twelve() -> i32 {
//!   %a = arith.constant 3 : i32
//!   %b = arith.constant 4 : i32
//!   %c = arith.muli %a, %b : i32
//!   return %c : i32
//! }";
//! let file = sources.add("twelve.mlir", text);
//! let mut module = parse_module(&ctx, &sources, file, &ParseOptions::default()).expect("a function");
//!
//! let mut passes = PassRegistry::new();
//! minoan_passes::register(&mut passes);
//! let pipeline = Pipeline::parse("builtin.module(canonicalize)", &passes, &sources).expect("a known pass");
//! PassManager::new(&pipeline).run(&mut module).into_result().expect("no pass fails");
//! assert!(print_module(&module, &Default::default()).contains("%c12_i32 = arith.constant 12 : i32"));
//! ```
#![forbid(unsafe_code)]

mod analysis;
mod buffers;
pub mod default_pipeline;
pub mod differentiate;
mod functions;
mod inspect;
mod kernels;
mod loops;
mod lowering;
mod objects;
mod pattern_log;
mod simplify;

pub use buffers::{
    hoist_buffers, plan_buffers, plan_frame, prefetch_rows, scalarize_tensors, take_destinations,
};
pub use functions::{
    defunctionalize, inline, outline, partial_evaluate, specialize, tail_recursion_modulo_constructor,
    tail_recursion_to_loop,
};
pub use inspect::{print_graph, print_op_stats, verify_effects, verify_mlir_export};
pub use kernels::{
    eliminate_empty_tensors, emit_kernels, form_kernels, fuse, join_kernels, merge_axes, pack_constants,
    schedule_kernels,
};
pub use loops::{
    hoist_assertions, loop_invariant_code_motion, loop_unroll, raise_buffer_loops, raise_loops,
    raise_updates, replay_assertions, resolve_extents, slice_reads, uplift_while_to_for,
};
pub use lowering::{
    apply_patterns, apply_rules, conversion_pass, convert_scf_to_cf, drop_assertion_values, expand_math,
    float_policy, generate_runtime_verification, lower, lower_affine, materialize_signatures,
};
pub use objects::{
    count_memory, expand_counts, infer_borrow, place_counts, reuse_objects, sink_counts, verify_ownership,
};
pub use simplify::{
    canonicalize, control_flow_sink, cse, dce, hoist_from_if, infer_shapes, mem2reg, remove_dead_values,
    sccp, simplify_cfg, strip_debuginfo, symbol_dce, symbol_privatize,
};

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
        .add(|| Box::new(lower_affine::LowerAffine))
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
        .add(|| Box::new(generate_runtime_verification::GenerateRuntimeVerification::default()))
        .add(|| Box::new(loop_unroll::LoopUnroll::default()))
        .add(|| Box::new(infer_shapes::InferShapes))
        .add(|| Box::new(tail_recursion_to_loop::TailRecursionToLoop))
        .add(|| Box::new(outline::Outline::default()))
        .add(|| Box::new(outline::composite::MergeComposite::default()))
        .add(|| Box::new(outline::partition::MergeMarkedRegions::default()))
        .add(|| Box::new(outline::partition::PartitionGraph::default()))
        .add(|| Box::new(outline::group::GroupOperators::default()))
        .add(|| Box::new(specialize::Specialize::default()))
        .add(|| Box::new(partial_evaluate::PartialEvaluate::default()))
        .add(|| Box::new(defunctionalize::DefunctionalizeClosures))
        .add(|| Box::new(hoist_assertions::HoistAssertions))
        .add(|| Box::<raise_buffer_loops::RaiseBufferLoops>::default())
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
        .add(|| Box::new(join_kernels::JoinKernels))
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
