//! Services: interfaces that passes, the interpreter and the MLIR bridge query, and dialects implement.
//!
//! Each module declares one service as a trait, and documents who queries it and the default of operations that do not implement
//! it; the modules of one subject are in one folder. The crate names no operation. The mechanism is [`minoan_ir::service!`].
//!
//! An operation names the services that it implements where it is declared, and clients query them by the kind of the operation:
//!
//! ```
//! use minoan_ir::{Context, Registry, dialect, op};
//! use minoan_services::{EffectSet, Effects, Evaluate};
//!
//! /// Prints a message.
//! #[op("log.print", assembly = "$message attr-dict", services(Effects = EffectSet::WRITE))]
//! pub struct Print {
//!     /// The message.
//!     message: String,
//! }
//!
//! dialect! {
//!     /// Messages of programs.
//!     pub LogDialect = "log": ops(Print)
//! }
//!
//! let mut registry = Registry::new();
//! registry.add(LogDialect);
//! let ctx = Context::new(registry).expect("one dialect");
//! let print = ctx.kind_of::<Print>();
//! assert!(ctx.service::<dyn Effects>(print).is_some());
//! assert!(ctx.service::<dyn Evaluate>(print).is_none(), "the interpreter cannot execute it");
//! ```
//!
//! ## Evaluation
//!
//! | service | provides | queried by | default |
//! |---|---|---|---|
//! | [`Evaluate`] | executable semantics | interpreter, folding, tests | cannot be executed |
//!
//! ## Folding and rewriting
//!
//! | service | provides | queried by | default |
//! |---|---|---|---|
//! | [`Fold`] | local simplification | folding, constant propagation | evaluation of constants |
//! | [`ConstantMaterializer`] | constant operations | folding | constants of another dialect |
//! | [`BranchMaterializer`] | unconditional branches | tail calls | no blocks are created |
//! | [`Composites`] | chains of operations that are computed at once | `merge-composite` | there are none |
//! | [`Constructor`] | operations that other operations take the results of apart | `specialize` | the value is unknown |
//! | [`RegionMarks`] | boundaries of regions for a compiler | `partition-graph`, `merge-composite`, `merge-marked-regions` | there are none |
//! | [`Defunctionalize`] | closures as data | `defunctionalize` | there are no closures |
//! | [`RewriteRule`] | rewrite rules of the program | `apply-rules` | no rule |
//!
//! ## Conversion
//!
//! | service | provides | queried by | default |
//! |---|---|---|---|
//! | [`ElementAgnostic`] | semantics that do not depend on element types | dialect conversion | they depend on the types |
//! | [`Expand`] | the computation by simpler operations | `expand-math` | the operation is kept |
//! | [`ExpandCounts`] | objects on the heap in terms of their memory | `expand-counts` | operations are kept |
//! | [`FloatFlags`] | permissions to deviate from IEEE 754 | `float-policy` | none |
//! | [`UnrealizedCast`] | casts between arbitrary types | dialect conversion | types cannot be converted |
//! | [`ToMlir`] | the equivalent in MLIR | the MLIR bridge | no equivalent |
//!
//! ## Effects and speculation
//!
//! | service | provides | queried by | default |
//! |---|---|---|---|
//! | [`Effects`] | side effects | `plan-buffers`, dead code elimination | all effects |
//! | [`Speculation`] | whether an operation may be executed speculatively | code motion | it may if it is `PURE` |
//! | [`Assertion`] | the condition of an assertion, and the values that its message shows | `hoist-assertions`, `raise-loops`, `raise-updates`, `replay-assertions`, `drop-assertion-values` | no assertion |
//! | [`AssertionOps`] | creation of assertions | `generate-runtime-verification` | none are created |
//! | [`AtomicUpdate`] | the old element of an atomic update by a region | `generate-runtime-verification` | the operation is none |
//! | [`Precondition`] | the condition under which an operation on numbers is defined | `generate-runtime-verification` | it always is |
//! | [`RuntimeVerification`] | assertions on extents and indices | `generate-runtime-verification` | nothing is asserted |
//! | [`Liveness`] | the operation that it is a part of | dead code elimination | independent |
//!
//! ## Control flow
//!
//! | service | provides | queried by | default |
//! |---|---|---|---|
//! | [`RegionFlow`] | region control flow | `plan-buffers`, passes over control flow | regions execute any number of times, in any order |
//! | [`Branches`] | forwarded operands of branches | passes over control flow | any successor may be taken |
//! | [`LoopLike`] | induction variables and loop-carried values | code motion, unrolling, `uplift-while-to-for` | not a loop |
//! | [`SelectLike`] | the choice between two values | kernels, dialect conversion, `differentiate` | not a choice |
//! | [`SlotSource`] | memory slots | `mem2reg` | not promoted |
//! | [`SlotAccess`] | loads and stores of memory slots | `mem2reg` | the slot escapes |
//! | [`PassThrough`] | additional values through regions | `mem2reg` | not possible |
//!
//! ## Functions and symbols
//!
//! | service | provides | queried by | default |
//! |---|---|---|---|
//! | [`Calls`] | call operations | constant propagation, inlining | may call anything |
//! | [`FunctionMaterializer`] | creation of functions, calls and returns | outlining | no functions are created |
//! | [`Inliner`] | legality of inlining | `inline` | the call is kept |
//! | [`Cost`] | code size | `inline` | one instruction |
//! | [`Symbols`] | visibility and uses of symbols | passes that remove, privatize, rename or inline symbols | determined by attributes |
//! | [`RawAbi`] | types in the raw ABI | signatures | unrecognized type |
//! | [`GraphBoundary`] | inputs and outputs of a graph | dead code elimination, callers, exporters | binds nothing |
//!
//! ## Types and extents
//!
//! | service | provides | queried by | default |
//! |---|---|---|---|
//! | [`ElementAccess`] | the element that is read or written | `raise-loops`, scheduling | any element |
//! | [`ExtentOf`] | extents of tensors as values | `raise-loops`, `raise-updates`, `resolve-extents` | nothing is known |
//! | [`IndexTerms`] | integer arithmetic on indices | `hoist-assertions`, `join-kernels`, `raise-updates`, `slice-reads` | an unknown number |
//! | [`TypeInference`] | result types from operand types | `infer-shapes` | types are kept |
//! | [`ShapeInference`] | extents from types, constants, attributes | `infer-shapes` | [`TypeInference`] |
//! | [`ShapeCast`] | casts between types of equal rank | `infer-shapes`, `kc --bind` | values keep their types |
//!
//! ## Memory
//!
//! | service | provides | queried by | default |
//! |---|---|---|---|
//! | [`AliasModel`] | results that are fresh, views or updates | `plan-buffers` | fresh |
//! | [`Ownership`] | operands whose ownership is taken | `plan-buffers`, `place-counts` | all are borrowed |
//! | [`ToBuffers`] | bufferization | `plan-buffers` | the same operation on buffers |
//! | [`BufferExchange`] | contents passed between tensors and buffers of the program | `plan-buffers` | none |
//! | [`ExchangeOps`] | creation of such exchanges | `raise-buffer-loops` | none are created |
//! | [`BufferOps`] | creation of allocations, copies, deallocations | `plan-buffers` | bufferization is impossible |
//! | [`CountOps`] | reference counts of objects on the heap | `place-counts` | there are no objects |
//! | [`ReuseOps`] | creation of objects in the memory of dying ones | `reuse-objects` | objects are created in new memory |
//! | [`HoleOps`] | creation of objects before one of their parts | `tail-recursion-modulo-constructor` | objects are created from all parts |
//! | [`MemoryEvents`] | copies and creations of objects | `count-memory` | nothing is counted |
//! | [`PartInsertion`] | replacement of a part of a tensor | `eliminate-empty-tensors` | no part is replaced |
//! | [`DataLayout`] | size and alignment of types | placement of buffers | unknown size |
//!
//! ## Kernels
//!
//! | service | provides | queried by | default |
//! |---|---|---|---|
//! | [`OperatorPatterns`] | how elements of results depend on those of operands | `group-operators` | the operation has no kernel |
//! | [`Algebra`] | monoids, their order, and corrections of early results | scheduling | nothing is reordered |
//! | [`VectorForm`] | the operation on vectors | scheduling | the same operation if `ELEMENTWISE` |
//! | [`MachineSpec`] | target specifications | scheduling, `expand-math` | attributes describe no target |
//! | [`LoopOps`] | creation of loops | scheduling | the pass does not apply |
//! | [`VectorOps`] | creation of vector operations | scheduling | the pass does not apply |
//! | [`IndexOps`] | creation of index arithmetic | `raise-loops`, scheduling | the pass does not apply |
//! | [`DomainOps`] | creation of operations over iteration domains | `raise-loops`, scheduling | the pass does not apply |
//! | [`TensorOps`] | creation of tensors, reads and slices of them | `raise-loops`, `slice-reads` | the pass does not apply |
//! | [`IterationDomain`] | iteration domain and scalar computation | `fuse` | not computed point by point |
//! | [`Fusion`] | fusion of a producer into the operation | `fuse` | operands are not fused |
//! | [`KernelOps`] | creation and recognition of kernels | scheduling | no kernels are formed |
//!
//! ## Differentiation
//!
//! | service | provides | queried by | default |
//! |---|---|---|---|
//! | [`SignOf`] | signs of floats | derivatives | unknown |
//! | [`TangentSpace`] | tangents of types | `differentiate` | the type is inactive |
//! | [`ObjectTangents`] | tangents of values on the heap | `differentiate` | the types are inactive |
//! | [`Differentiate`] | tangent and transpose of an operation | `differentiate` | no derivative |
//! | [`DiffOps`] | requests for derivatives, operations that derivatives consist of | `differentiate` | no requests |
//!
//! ## Testing
//!
//! | service | provides | queried by | default |
//! |---|---|---|---|
//! | [`Generate`] | random operations | differential testing | not generated |
//! | [`Reduce`] | simplifications for test-case reduction | `kreduce` | erased or unwrapped |
#![forbid(unsafe_code)]

mod control_flow;
mod conversion;
mod differentiation;
mod evaluation;
mod execution;
mod functions;
mod kernels;
mod memory;
mod rewriting;
mod shapes;
mod testing;

pub use control_flow::*;
pub use conversion::*;
pub use differentiation::*;
pub use evaluation::*;
pub use execution::*;
pub use functions::*;
pub use kernels::*;
pub use memory::*;
pub use rewriting::*;
pub use shapes::*;
pub use testing::*;
