//! Services: what passes, the interpreter and the bridge ask, and dialects answer.
//!
//! Each module declares one service as a trait, says who asks and what it means when a dialect does not answer.
//! Nothing here names an operation. The mechanism is `minoan_ir::service!`.
//!
//! | service | says | asked by | absent means |
//! |---|---|---|---|
//! | [`Evaluate`] | what an operation computes | interpreter, folding, tests | it cannot be run |
//! | [`Fold`] | what it becomes when operands are known | folding, propagation of constants | it is computed by [`Evaluate`] |
//! | [`ConstantMaterializer`] | the operation that is a constant | whoever folds | another dialect's constants |
//! | [`BranchMaterializer`] | the operation that goes to a block | tail calls | no blocks are made |
//! | [`Effects`] | what it reads, writes, prints, frees | buffers, dead code | anything may happen |
//! | [`AliasModel`] | whether a result is fresh, a view, or an update | buffers | fresh |
//! | [`Ownership`] | which operands it takes over | buffers | it borrows all |
//! | [`RegionFlow`] | how often its regions run, and what follows | buffers, control flow | any number of times, any order |
//! | [`ToBuffers`] | its form on buffers | buffers | the same form |
//! | [`BufferOps`] | how buffers are made, copied, freed | buffers | no buffers can be planned |
//! | [`Branches`] | what terminators pass to which blocks | control flow | any successor may follow |
//! | [`LoopLike`] | which operations are loops, and what they carry | motion of code, unrolling | it is no loop |
//! | [`Calls`] | which operations are calls | propagation of constants, inlining | it may call anything |
//! | [`FunctionMaterializer`] | functions, calls and returns as operations | outlining | no functions are made |
//! | [`Inliner`] | which calls may be replaced | inlining | the call stays |
//! | [`Cost`] | how many instructions it becomes | inlining | one (a default answers) |
//! | [`Symbols`] | who may name it, and what it names | whoever removes, hides, renames, inlines symbols | what attributes say (a default answers) |
//! | [`DataLayout`] | how values of a type lie in memory | buffers | the size is not known |
//! | [`RawAbi`] | how a type appears in the raw ABI | signatures | it is unrecognized there |
//! | [`GraphBoundary`] | which values are a graph's inputs and outputs | dead code, callers, exporters | it binds none |
//! | [`Liveness`] | which operation it is a part of | dead code | it stands alone |
//! | [`IterationDomain`] | over which points it computes, and what at each | fusion | it does not compute point by point |
//! | [`Fusion`] | itself, with an operand computed where it is read | fusion | it reads its operands |
//! | [`SlotSource`] | which storage is for one value | promotion of memory | storage stays |
//! | [`SlotAccess`] | what reads and writes such storage, and no more | promotion of memory | it may do anything with it |
//! | [`PassThrough`] | itself, with more values through its regions | promotion of memory | it passes what it passes |
//! | [`TypeInference`] | which result types follow from operand types | inference of shapes | it keeps its types |
//! | [`ShapeInference`] | which extents follow from types, constants, attributes | inference of shapes | its types are asked for |
//! | [`ShapeCast`] | a cast between types of one rank | inference of shapes | the types of values stay |
//! | [`UnrealizedCast`] | a cast between any types | dialect conversion | types cannot be converted |
//! | [`Lower`] | a module without the dialect | the lowering pass | its operations stay |
//! | [`ToMlir`] | what it is in MLIR | the bridge to MLIR, and a check before | MLIR does not have it (a default answers) |
//! | [`Generate`] | random operations that are valid and defined | random programs, which passes are tested with | it is in none |
//! | [`Reduce`] | simpler forms that need not compute the same | whoever makes a module small | it is erased or unwrapped |
#![forbid(unsafe_code)]

mod alias;
mod branches;
mod buffer;
mod buffers;
mod calls;
mod constant;
mod cost;
mod data;
mod declared;
mod effects;
mod elementwise;
mod evaluate;
mod fold;
mod folder;
mod generate;
mod graph;
mod infer;
mod inliner;
mod iteration;
mod layout;
mod liveness;
mod loop_like;
mod lower;
mod materialize;
mod pass_through;
mod reduce;
mod region_edge;
mod region_flow;
mod scalar;
mod signature;
mod slots;
mod symbols;
mod to_mlir;
mod unrealized;

pub use alias::{Alias, AliasModel, OperandUse, Ownership};
pub use branches::{Branches, ForwardedOperands};
pub use buffer::{Buffer, View};
pub use buffers::{BufferOps, ToBuffers};
pub use calls::{Calls, FunctionMaterializer, OneValueFunctions};
pub use cost::Cost;
pub use data::{Datum, Tensor, TensorData};
pub use declared::{Declared, Guard, TypeFilter};
pub use effects::{EffectSet, Effects, EffectsTable};
pub use elementwise::{
    FloatBinary, FloatOp, FloatTernary, FloatUnary, IntBinary, IntUnary, elementwise, operand_scalar,
    result_scalar,
};
pub use evaluate::{Evaluate, EvaluateFn, Flow, Machine, Trap};
pub use fold::{Change, Fold, FoldFn, FoldResult, Folded};
pub use folder::{Folder, Operands, constant_of};
pub use generate::{Generate, Inside, Maker, OPEN_EXTENT};
pub use graph::{
    Arity, FunctionBoundary, GraphBoundary, Port, PortBinding, ReturnBoundary, graph_inputs, graph_outputs,
};
pub use infer::{
    ElementwiseTypes, Inferred, ShapeCast, ShapeInference, TypeInference, meet_shapes, refine_shape,
};
pub use inliner::Inliner;
pub use iteration::{
    Domain, ElementwiseDomain, Fusion, IterationDomain, IteratorType, Producer, Read, Reading, SplatDomain,
    permutation,
};
pub use layout::{DataLayout, LayoutSpec, TypeLayout};
pub use liveness::Liveness;
pub use loop_like::{Bound, Induction, LoopLike, Trips, Widened};
pub use lower::Lower;
pub use materialize::{BranchMaterializer, ConstantMaterializer};
pub use pass_through::{PassThrough, Threaded};
pub use reduce::Reduce;
pub use region_edge::check_edge;
pub use region_flow::{RegionExecution, RegionFlow, RegionSuccessor, RegionSuccessors, RegionTarget};
pub use scalar::{Bits, Scalar, wrap};
pub use signature::{FunctionSignature, INDEX_PATH, RawAbi, function_types, index_path, index_path_attr};
pub use slots::{Slot, SlotAccess, SlotSource, SlotUse};
pub use symbols::{ByAttributes, Renaming, SymbolPath, Symbols, Visibility, rename_symbols};
pub use to_mlir::{InMlir, NotInMlir, SameInMlir, ToMlir};
pub use unrealized::UnrealizedCast;
