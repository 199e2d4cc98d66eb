//! The default pipeline: from front-end dialects to buffers with planned lifetimes.
//!
//! It is registered under the name [`NAME`]; `kopt --default-pipeline`, `kc` and `Session::pipeline` all run the same
//! pipeline. Its two halves are named pipelines as well, because modules are linked between them.
//!
//! The order:
//! * `generate-runtime-verification` comes first, before any fold or rewrite relies on an index that is in bounds. Operations of
//!   front ends do not provide its service; their lowering creates the assertions that their language requires.
//! * `apply-rules` comes before other rewrites: the rules of a program are written in the operations of its language.
//! * `lower-affine` precedes `apply-patterns`, which expands accesses to memory whose layout is a map. The passes after it see the
//!   loops and accesses of scf and memref only.
//! * `apply-patterns` applies rewrites that are simpler in the dialect of a language: folding the scales of a normalization into
//!   weights, changes of layouts.
//! * `apply-patterns{fast}`, in [`TO_SHARED_FAST`], follows it: its rewrites change rounding and keep the layouts that were
//!   chosen.
//! * `prepare-derivatives` and `differentiate` come before the other passes on shared dialects, so that derivatives are
//!   inlined and simplified like other functions. They do nothing if no derivative is requested.
//! * `inline` simplifies each function before it is inlined into its callers, so `cse` directly after it works on
//!   canonical form.
//! * `apply-patterns{after-differentiation}` expresses operations by others that have had a derivative of their own until then,
//!   such as `linalg.softmax`, and simplifies derivatives. It follows `inline`, which exposes accumulations onto zero.
//! * `mem2reg` follows `inline`, after which references that a closure captured may not escape any more.
//! * `scalarize-tensors` comes before the first `canonicalize`, which removes the tensors that are left without a use.
//! * `canonicalize` propagates constants. `sccp` is not part of the pipeline: it visits an operation again for each of its
//!   operands that becomes known, and finds little more in structured control flow.
//! * `resolve-extents` precedes `hoist-assertions`, since an assertion on an extent that a loop passes on depends on the
//!   iteration. `cse` between them makes equal extents one value.
//! * `uplift-while-to-for` follows `resolve-extents`: a loop is often bounded by an extent of a tensor that it passes on.
//! * `raise-updates` precedes `hoist-assertions`, which hoists the assertions of the parts that are replaced.
//! * `hoist-assertions` precedes all passes that form kernels, which cannot contain assertions.
//! * `raise-buffer-loops` follows the simplification of loops, bounds and indices, and precedes the passes that raise and fuse
//!   operations on tensors.
//! * `raise-loops` turns loops into equivalent operations on tensors, and hoists reductions that are invariant in the
//!   enclosing loop. `canonicalize` after it removes the copies that it leaves, before a kernel contains them.
//! * `fuse` runs on canonical form, where equal producers are one value. It exposes casts, dimensions and scalar
//!   computations, hence the second `canonicalize,cse`. The third `canonicalize` forwards the results of kernels in which the
//!   second one left a copy.
//! * `form-kernels` precedes `fuse`, which would recompute producers of a reduction; `fuse` then works inside of
//!   kernels, and on operations outside of kernels. Plans are chosen last, when the contents of kernels do not change any more,
//!   and emitted after `plan-buffers`; until then a kernel is one operation.
//! * `join-kernels` follows `plan-buffers`: on tensors, updates of different parts of one tensor are a chain.
//! * `merge-axes` follows `fuse`, which may change the accesses of kernels, and precedes the `canonicalize` that combines the
//!   reshapes between kernels.
//! * `pack-constants` precedes `schedule-kernels`, whose plans would copy the constants on each call.
//! * `loop-invariant-code-motion` is not part of the pipeline: it hoists a tensor whose size is negative above the assertion
//!   that checks the size, since creating tensors is pure. LLVM hoists scalars, and `hoist-buffers` allocations.
//! * `symbol-dce` and `dce` remove unreachable functions and dead operations, so that no buffers are planned for them.
//! * After `plan-buffers`, `canonicalize,cse` clean up the sizes, casts and index computations that the conversion to buffers
//!   introduced. `hoist-buffers` comes first: it recognizes allocations next to their deallocations.
//! * `prefetch-rows` comes after `cse`, which would treat prefetches as writes.
//! * `outline{repeated}` directly after `plan-buffers` outlines equal kernels and loops to one function, before `emit-kernels`
//!   expands each kernel to a hundred operations: an unrolled LSTM of 10,000 operators consists of a dozen different
//!   computations.
//! * `place-counts` inserts reference counts: CSE of objects is only valid before this pass. `infer-borrow` runs directly before
//!   it and decides about arguments; `sink-counts` and `reuse-objects` run directly after it and optimize counts and memory.
//!   `tail-recursion-modulo-constructor` comes before `infer-borrow`, since it changes what functions do with their arguments.
//! * `outline-parallel` comes after all other passes that work across the edge of a loop. `hoist-buffers` after it allocates
//!   the storage of iterations once per chunk, on the stack of the thread if it is small.
//! * `replay-assertions` is for LLVM, which checks conditions before loops; the interpreters find the values of a message anyway.
//! * `plan-frame` follows all passes that move allocations, and precedes the `outline` that splits functions, whose parts share
//!   the frame.
//! * `outline{max-operations}` bounds the size of functions, since LLVM takes superlinear time for large ones: for 2,000 Relay
//!   operators on 8 x 8 matrices it took 13.8 s in one function, 5.1 s in functions of 2,000 operations, 3.5 s in functions
//!   of 500.

use minoan_pass::{PassRegistry, PipelineAlias};

/// Name of the whole pipeline.
pub const NAME: &str = "default-pipeline";

/// Name of the first half: front-end dialects to shared dialects on tensors.
pub const TO_SHARED: &str = "default-pipeline-to-shared";

/// Name of [`TO_SHARED`] with the patterns that change floating-point rounding.
pub const TO_SHARED_FAST: &str = "default-pipeline-to-shared-fast";

/// Name of [`TO_SHARED`] without runtime verification of the operations that are not lowered.
pub const LOWER: &str = "default-pipeline-lower";

/// Name of [`LOWER`] with the patterns that change floating-point rounding.
pub const LOWER_FAST: &str = "default-pipeline-lower-fast";

/// Name of the second half: shared dialects on tensors to shared dialects on buffers.
pub const TO_BUFFERS: &str = "default-pipeline-to-buffers";

/// Name of the first part of the second half: up to kernels with plans.
pub const TO_SCHEDULE: &str = "default-pipeline-to-schedule";

/// Name of the part of [`TO_SCHEDULE`] before plans are chosen.
pub const TO_KERNELS: &str = "default-pipeline-to-kernels";

/// Name of the part of [`TO_BUFFERS`] between [`TO_SCHEDULE`] and [`TO_FRAMES`].
pub const FROM_SCHEDULE: &str = "default-pipeline-from-schedule";

/// Name of the end of [`TO_BUFFERS`], which optimizes for machine code. The interpreter runs the module before it, with a buffer
/// for each temporary, so that it can check their uses.
pub const TO_FRAMES: &str = "default-pipeline-to-frames";

/// Name of [`TO_SCHEDULE`] with remarks on why operations share a kernel or not, and on the choice of plans.
pub const TO_SCHEDULE_EXPLAINED: &str = "default-pipeline-to-schedule-explained";

/// Name of the second half without kernels, up to [`TO_FRAMES`].
pub const WITHOUT_KERNELS: &str = "default-pipeline-without-kernels";

/// The pipelines, and the parts that they share.
const PIPELINES: &[PipelineAlias] = &[
    PipelineAlias {
        name: NAME,
        description: "take a module from front-end dialects to buffers, as kc does",
        text: "default-pipeline-to-shared,default-pipeline-to-buffers",
    },
    PipelineAlias {
        name: TO_SHARED,
        description: "take a module from front-end dialects to shared dialects on tensors",
        text: "generate-runtime-verification{memory=false},default-pipeline-lower",
    },
    PipelineAlias {
        name: TO_SHARED_FAST,
        description: "take a module from front-end dialects to shared dialects on tensors, with other roundings of floats",
        text: "generate-runtime-verification{memory=false},default-pipeline-lower-fast",
    },
    PipelineAlias {
        name: LOWER,
        description: "take a module from front-end dialects to shared dialects on tensors, without runtime verification",
        text: "apply-rules,lower-affine,apply-patterns,lower,materialize-signatures{warn=false}",
    },
    PipelineAlias {
        name: LOWER_FAST,
        description: "take a module from front-end dialects to shared dialects on tensors, without runtime verification, with other \
         roundings of floats",
        text: "apply-rules,lower-affine,apply-patterns,apply-patterns{fast},lower,materialize-signatures{warn=false}",
    },
    PipelineAlias {
        name: TO_BUFFERS,
        description: "optimize a module of shared dialects and take it from tensors to buffers",
        text: "default-pipeline-to-schedule,default-pipeline-from-schedule,default-pipeline-to-frames",
    },
    PipelineAlias {
        name: TO_SCHEDULE,
        description: "optimize a module of shared dialects on tensors and form kernels with plans",
        text: "default-pipeline-to-kernels,schedule-kernels",
    },
    PipelineAlias {
        name: TO_SCHEDULE_EXPLAINED,
        description: "optimize a module of shared dialects on tensors and form kernels with plans, with remarks",
        text: "default-pipeline-simplify,default-pipeline-raise,form-kernels{explain},default-pipeline-fuse,schedule-kernels{explain}",
    },
    PipelineAlias {
        name: TO_KERNELS,
        description: "optimize a module of shared dialects on tensors and form kernels",
        text: "default-pipeline-simplify,default-pipeline-raise,form-kernels,default-pipeline-fuse",
    },
    PipelineAlias {
        name: "default-pipeline-simplify",
        description: "differentiate and simplify a module of shared dialects on tensors",
        text: "prepare-derivatives,differentiate,inline,mem2reg,apply-patterns{after-differentiation},scalarize-tensors,cse,canonicalize,\
         resolve-extents,uplift-while-to-for,cse,raise-updates,hoist-assertions",
    },
    PipelineAlias {
        name: "default-pipeline-raise",
        description: "turn loops into operations on whole tensors",
        text: "raise-buffer-loops,raise-loops,slice-reads,canonicalize",
    },
    PipelineAlias {
        name: "default-pipeline-fuse",
        description: "fuse operations in and between kernels, and clean up",
        text: "fuse,merge-axes,canonicalize,cse,canonicalize,symbol-dce,dce,pack-constants",
    },
    PipelineAlias {
        name: FROM_SCHEDULE,
        description: "take a module of kernels with plans from tensors to buffers",
        text: "eliminate-empty-tensors,plan-buffers,join-kernels,outline{repeated=256},emit-kernels,hoist-buffers,expand-math,canonicalize,cse,prefetch-rows,\
         default-pipeline-count-references,outline-parallel,hoist-buffers",
    },
    PipelineAlias {
        name: WITHOUT_KERNELS,
        description: "optimize a module of shared dialects and take it from tensors to buffers, without kernels",
        text: "default-pipeline-simplify,fuse,canonicalize,cse,symbol-dce,dce,eliminate-empty-tensors,plan-buffers,outline{repeated=256},hoist-buffers,\
         expand-math,canonicalize,cse,default-pipeline-count-references",
    },
    PipelineAlias {
        name: TO_FRAMES,
        description: "place the temporary buffers of each function in one, split large functions, and replay loops whose assertions fail",
        text: "plan-frame,outline{max-operations=500},replay-assertions",
    },
    PipelineAlias {
        name: "default-pipeline-count-references",
        description: "count the references to objects, as far as their owners are not known",
        text: "tail-recursion-modulo-constructor,infer-borrow,place-counts,sink-counts,reuse-objects",
    },
];

/// Registers the pipelines of this module.
pub fn register(registry: &mut PassRegistry) {
    for &alias in PIPELINES {
        registry.add_pipeline(alias);
    }
}
