//! Services: interfaces that passes, the interpreter and the MLIR bridge query, and dialects implement.
//!
//! Each module declares one service as a trait, and documents who queries it and the default of operations that do not
//! implement it. Nothing here names an operation. The mechanism is `minoan_ir::service!`.
//!
//! | service | provides | queried by | default |
//! |---|---|---|---|
//! | [`Evaluate`] | executable semantics | interpreter, folding, tests | cannot be executed |
//! | [`Fold`] | local simplification | folding, constant propagation | evaluation of constants |
//! | [`ConstantMaterializer`] | constant operations | folding | constants of another dialect |
//! | [`BranchMaterializer`] | unconditional branches | tail calls | no blocks are created |
//! | [`Effects`] | side effects | `plan-buffers`, dead code elimination | all effects |
//! | [`Speculation`] | whether an operation may be executed speculatively | code motion | it may if it is `PURE` |
//! | [`AliasModel`] | results that are fresh, views or updates | `plan-buffers` | fresh |
//! | [`Ownership`] | operands whose ownership is taken | `plan-buffers`, `place-counts` | all are borrowed |
//! | [`RegionFlow`] | region control flow | `plan-buffers`, passes over control flow | regions execute any number of times, in any order |
//! | [`ToBuffers`] | bufferization | `plan-buffers` | the same operation on buffers |
//! | [`BufferOps`] | creation of allocations, copies, deallocations | `plan-buffers` | bufferization is impossible |
//! | [`CountOps`] | reference counts of objects on the heap | `place-counts` | there are no objects |
//! | [`ReuseOps`] | creation of objects in the memory of dying ones | `reuse-objects` | objects are created in new memory |
//! | [`HoleOps`] | creation of objects before one of their parts | `tail-recursion-modulo-constructor` | objects are created from all parts |
//! | [`Branches`] | forwarded operands of branches | passes over control flow | any successor may be taken |
//! | [`LoopLike`] | induction variables and loop-carried values | code motion, unrolling, `uplift-while-to-for` | not a loop |
//! | [`Calls`] | call operations | constant propagation, inlining | may call anything |
//! | [`FunctionMaterializer`] | creation of functions, calls and returns | outlining | no functions are created |
//! | [`Composites`] | chains of operations that are computed at once | `merge-composite` | there are none |
//! | [`OperatorPatterns`] | how elements of results depend on those of operands | `group-operators` | the operation has no kernel |
//! | [`Constructor`] | operations that other operations take the results of apart | `specialize` | the value is unknown |
//! | [`RegionMarks`] | boundaries of regions for a compiler | `partition-graph`, `merge-composite`, `merge-marked-regions` | there are none |
//! | [`Defunctionalize`] | closures as data | `defunctionalize` | there are no closures |
//! | [`Inliner`] | legality of inlining | `inline` | the call is kept |
//! | [`Cost`] | code size | `inline` | one instruction |
//! | [`Algebra`] | monoids, their order, and corrections of early results | scheduling | nothing is reordered |
//! | [`VectorForm`] | the operation on vectors | scheduling | the same operation if `ELEMENTWISE` |
//! | [`ElementAccess`] | the element that is read or written | `raise-loops`, scheduling | any element |
//! | [`ElementAgnostic`] | semantics that do not depend on element types | dialect conversion | they depend on the types |
//! | [`ExtentOf`] | extents of tensors as values | `raise-loops`, `raise-updates`, `resolve-extents` | nothing is known |
//! | [`Assertion`] | the condition of an assertion, and the values that its message shows | `hoist-assertions`, `raise-loops`, `raise-updates`, `replay-assertions`, `drop-assertion-values` | no assertion |
//! | [`IndexTerms`] | integer arithmetic on indices | `hoist-assertions`, `join-kernels`, `raise-updates`, `slice-reads` | an unknown number |
//! | [`SelectLike`] | the choice between two values | kernels, dialect conversion, `differentiate` | not a choice |
//! | [`Expand`] | the computation by simpler operations | `expand-math` | the operation is kept |
//! | [`ExpandCounts`] | objects on the heap in terms of their memory | `expand-counts` | operations are kept |
//! | [`MemoryEvents`] | copies and creations of objects | `count-memory` | nothing is counted |
//! | [`FloatFlags`] | permissions to deviate from IEEE 754 | `float-policy` | none |
//! | [`SignOf`] | signs of floats | derivatives | unknown |
//! | [`MachineSpec`] | target specifications | scheduling, `expand-math` | attributes describe no target |
//! | [`LoopOps`] | creation of loops | scheduling | the pass does not apply |
//! | [`VectorOps`] | creation of vector operations | scheduling | the pass does not apply |
//! | [`IndexOps`] | creation of index arithmetic | `raise-loops`, scheduling | the pass does not apply |
//! | [`DomainOps`] | creation of operations over iteration domains | `raise-loops`, scheduling | the pass does not apply |
//! | [`TensorOps`] | creation of tensors, reads and slices of them | `raise-loops`, `slice-reads` | the pass does not apply |
//! | [`PartInsertion`] | replacement of a part of a tensor | `eliminate-empty-tensors` | no part is replaced |
//! | [`RewriteRule`] | rewrite rules of the program | `apply-rules` | no rule |
//! | [`Symbols`] | visibility and uses of symbols | passes that remove, privatize, rename or inline symbols | determined by attributes |
//! | [`DataLayout`] | size and alignment of types | placement of buffers | unknown size |
//! | [`RawAbi`] | types in the raw ABI | signatures | unrecognized type |
//! | [`GraphBoundary`] | inputs and outputs of a graph | dead code elimination, callers, exporters | binds nothing |
//! | [`Liveness`] | the operation that it is a part of | dead code elimination | independent |
//! | [`IterationDomain`] | iteration domain and scalar computation | `fuse` | not computed point by point |
//! | [`Fusion`] | fusion of a producer into the operation | `fuse` | operands are not fused |
//! | [`SlotSource`] | memory slots | `mem2reg` | not promoted |
//! | [`SlotAccess`] | loads and stores of memory slots | `mem2reg` | the slot escapes |
//! | [`PassThrough`] | additional values through regions | `mem2reg` | not possible |
//! | [`TypeInference`] | result types from operand types | `infer-shapes` | types are kept |
//! | [`ShapeInference`] | extents from types, constants, attributes | `infer-shapes` | [`TypeInference`] |
//! | [`ShapeCast`] | casts between types of equal rank | `infer-shapes` | values keep their types |
//! | [`UnrealizedCast`] | casts between arbitrary types | dialect conversion | types cannot be converted |
//! | [`TangentSpace`] | tangents of types | `differentiate` | the type is inactive |
//! | [`ObjectTangents`] | tangents of values on the heap | `differentiate` | the types are inactive |
//! | [`Differentiate`] | tangent and transpose of an operation | `differentiate` | no derivative |
//! | [`DiffOps`] | requests for derivatives, operations that derivatives consist of | `differentiate` | no requests |
//! | [`ToMlir`] | the equivalent in MLIR | the MLIR bridge | no equivalent |
//! | [`Generate`] | random operations | differential testing | not generated |
//! | [`KernelOps`] | creation and recognition of kernels | scheduling | no kernels are formed |
//! | [`Reduce`] | simplifications for test-case reduction | `kreduce` | erased or unwrapped |
#![forbid(unsafe_code)]

mod algebra;
mod alias;
mod assertion;
mod branches;
mod buffer;
mod buffers;
mod calls;
mod component_attrs;
mod composites;
mod constant;
mod constructor;
mod cost;
mod counts;
mod data;
mod declared;
mod differentiate;
mod effects;
mod element_access;
mod element_agnostic;
mod elementwise;
mod evaluate;
mod expand;
mod extent_of;
mod float_sign;
mod fold;
mod folder;
mod generate;
mod graph;
mod index_terms;
mod infer;
mod inliner;
mod integer;
mod iteration;
mod kernel;
mod layout;
mod liveness;
mod loop_like;
mod machine_model;
mod makers;
mod materialize;
mod memory_events;
mod object;
mod object_tangents;
mod operator_pattern;
mod part_insertion;
mod pass_through;
mod reduce;
mod region_edge;
mod region_flow;
mod rewrite_rule;
mod scalar;
mod select_like;
mod signature;
mod slots;
mod speculation;
mod symbols;
mod to_mlir;
mod unrealized;
mod vector_form;
mod window_axis;

pub use algebra::{Algebra, CombineKind, Correction, Monoid, Order};
pub use alias::{Alias, AliasModel, OperandUse, Ownership};
pub use assertion::{Assertion, FirstCondition};
pub use branches::{Branches, ForwardedOperands, ForwardedRemovals};
pub use buffer::{Buffer, Encoding, View};
pub use buffers::{BufferOps, BufferPart, PartIndex, ToBuffers};
pub use calls::{Calls, CallsBySymbol, FunctionMaterializer, OneValueFunctions, Packing};
pub use component_attrs::{argument_attrs, result_attrs};
pub use composites::{Composite, Composites, Defunctionalize, RegionMark, RegionMarks};
pub use constant::zero_attr;
pub use constructor::Constructor;
pub use cost::{Cost, Work};
pub use counts::{CountOps, HoleOps, ResultOwner, ReuseOps};
pub use data::{
    Datum, OUT_OF_MEMORY, Partial, SIZE_OVERFLOWS, Tensor, TensorData, UNDEFINED_DIVISION, UNDEFINED_POWER,
};
pub use declared::{Declared, Guard, TypeFilter};
pub use differentiate::{
    Cotangents, CountedBody, DerivativeRule, DiffMode, DiffOps, DiffRequest, DiffRule, Differentiate, GUARD,
    TangentClass, TangentCx, TangentSpace, TransposeCx, numbers_of,
};
pub use effects::{EffectSet, Effects, EffectsTable, OnBuffers};
pub use element_access::{Access, ElementAccess, TrailingIndices};
pub use element_agnostic::ElementAgnostic;
pub use elementwise::{
    FloatBinary, FloatOp, FloatTernary, FloatUnary, IntBinary, IntUnary, elementwise, elementwise_lenient,
    operand_scalar, result_scalar,
};
pub use evaluate::{Evaluate, EvaluateFn, EvaluateOp, EvaluateYield, Flow, Machine, Trap};
pub use expand::{Expand, ExpandCounts, FloatFlags, FloatPolicy};
pub use extent_of::{DimensionOperand, ExtentOf, ExtentsOfOperands, TrailingExtents};
pub use float_sign::{FloatSign, SignOf};
pub use fold::{Change, Fold, FoldFn, FoldResult, Folded};
pub use folder::{Folder, Operands, constant_of};
pub use generate::{Generate, Inside, Maker, OPEN_EXTENT};
pub use graph::{
    Arity, FunctionBoundary, GraphBoundary, Port, PortBinding, ReturnBoundary, graph_inputs, graph_outputs,
    retain_elements,
};
pub use index_terms::{IndexTerm, IndexTerms};
pub use infer::{
    ElementwiseTypes, Inferred, ShapeCast, ShapeInference, TypeInference, meet_shapes, refine_shape,
};
pub use inliner::{Inliner, UnlessNoInline};
pub use integer::{Bits, IntBits, MOST_NARROW, WideBits, wrap};
pub use iteration::{
    Domain, ElementwiseDomain, Extent, Fusion, IterationDomain, IteratorType, Producer, Read, Reading,
    SplatDomain, permutation,
};
pub use kernel::{KernelBody, KernelOps, KernelParts};
pub use layout::{DataLayout, LayoutSpec, TypeLayout};
pub use liveness::Liveness;
pub use loop_like::{Bound, ConstantBounds, Induction, LoopLike, ScaledLoop};
pub use machine_model::{CacheLevel, MachineModel, MachineSpec};
pub use makers::{
    BranchBody, DomainOps, ElementBody, IndexOps, LoopBody, LoopOps, Masked, PointBody, ScalarBody,
    TensorOps, VectorOps,
};
pub use materialize::{BranchMaterializer, ConstantMaterializer};
pub use memory_events::{MemoryEvent, MemoryEvents};
pub use object::{Object, ObjectKind};
pub use object_tangents::{ModuleObjects, ObjectTangents, has_tangent};
pub use operator_pattern::{OperatorPattern, OperatorPatterns};
pub use part_insertion::{Insertion, PartInsertion};
pub use pass_through::{PassThrough, ThreadedEnd, ThreadedOp, with_more_results};
pub use reduce::Reduce;
pub use region_edge::check_edge;
pub use region_flow::{
    RegionExecution, RegionFlow, RegionSuccessor, RegionSuccessors, RegionTarget, yields_to_parent,
};
pub use rewrite_rule::RewriteRule;
pub use scalar::Scalar;
pub use select_like::{Choice, SelectLike};
pub use signature::{
    FunctionSignature, INDEX_PATH, RawAbi, SOURCE_TYPE, function_types, index_path, index_path_attr,
    packed_symbol,
};
pub use slots::{Slot, SlotAccess, SlotContents, SlotSource, SlotUse};
pub use speculation::{Speculatability, Speculation, SpeculationTable};
pub use symbols::{ByAttributes, Renaming, SymbolPath, Symbols, Visibility, rename_symbols};
pub use to_mlir::{InMlir, MlirOp, MlirSequence, MlirValue, NotInMlir, SameInMlir, ToMlir};
pub use unrealized::UnrealizedCast;
pub use vector_form::{ElementwiseLanes, Lane, Lanes, VectorForm};
pub use window_axis::WindowAxis;
