//! The core IR of Minoan: operations, regions, blocks and values in SSA form, with MLIR's textual format.
//!
//! A [`Context`] interns types, attributes, names and locations, holds the loaded dialects, and is shared between
//! threads. A [`Module`] owns a tree of [`Body`]s: each isolated-from-above operation (a module, a function) stores
//! its contents in its own arena. [`Op`], [`Block`], [`Region`] and [`Value`] are `Copy` ids of 8 bytes; reads take
//! `&Body`, mutations `&mut Body`.
//!
//! Guarantees:
//! * Stale and foreign ids are detected: [`Body::try_op`] and [`Body::try_ty`] return [`InvalidId`], all other methods
//!   panic with a message that names the id. They are never undefined behavior.
//! * Edits that the structure of the IR may not permit have two forms: `try_erase` and the other `try_` methods return
//!   [`EditError`] and leave the body unchanged, `erase` and the other short forms panic with its message.
//! * Use lists are exact at any time, and replacing all uses of a value only relinks them.
//! * A module that [`verify`](verify::verify) accepts satisfies the numbered rules in its documentation.
//! * `mlir-opt --allow-unregistered-dialect` parses everything that is printed in generic form, and vice versa.
//!
//! ```
//! use minoan_ir::{Builder, Context, Loc, Module, OpState, Type};
//! let ctx = Context::bare();
//! let mut module = Module::new(&ctx, Loc::UNKNOWN);
//! let block = module.block();
//! let mut b = Builder::at_end(module.body_mut(), block);
//! let one = b.create(OpState::named(&ctx, "test.one").results(&[Type::I32]));
//! let one = b.body().op(one).result(0);
//! b.create(OpState::named(&ctx, "test.use").operands(&[one, one]));
//! assert_eq!(module.body().uses(one).count(), 2);
//! ```
#![forbid(unsafe_code)]

// The macros refer to this crate by its name.
extern crate self as minoan_ir;

pub mod affine;
mod affine_simplify;
mod attributes;
mod body;
mod builder;
pub mod constraints;
mod context;
mod data;
mod float;
mod foreign;
#[doc(hidden)]
pub mod generated;
mod interner;
mod location;
mod module;
mod narrow_floats;
mod number;
mod recent_cache;
mod registry;
mod resources;
mod service;
mod spec;
mod stack;
pub mod strided;
mod symbols;
pub mod text;
mod type_constraint;
mod types;
pub mod verify;

pub use attributes::{Attr, AttrData, Piece};
pub use body::{
    Block, BlockRef, Body, Def, EditError, InsertionPoint, InvalidId, Mapping, Op, OpRef, OpState, Region,
    RegionRef, Use, Value,
};
pub use builder::Builder;
pub use context::{Context, Name, OpInfo, OpKind, WellKnown};
pub use data::{
    Array, ArrayElement, AttrDef, AttrEnum, AttrValue, DataAssembly, DataElement, DataSpec, Declared,
    DenseArray, DenseElement, DenseIter, Dictionary, Elements, EnumSpec, FlagEnum, Flags, FlatSymbolRef,
    Index, InvalidParams, Param, ParamKind, ParamSpec, Parameter, Replacer, SymbolName, SymbolRef, TypeDef,
    TypeOrAttr,
};
pub use float::{
    FloatArithmetic, compare_floats, convert_float, float_arithmetic, float_from_big, float_from_f64,
    float_from_int, float_to_big, float_to_f64, float_to_int, parse_float,
};
pub use foreign::ForeignDialect;
pub use location::{FileHandle, Loc, LocData};
/// # Example
///
/// ```
/// use minoan_ir::constraints::FLOAT_LIKE;
/// use minoan_ir::text::{PrintFlags, print_op};
/// use minoan_ir::{Builder, Context, Loc, Module, OpDef, Registry, Type, dialect, op};
///
/// /// Multiplies a value by a constant.
/// #[op("toy.scale", traits(PURE), same_types(x, result), assembly = "$x `by` $factor attr-dict `:` type($x)")]
/// pub struct Scale {
///     /// The value.
///     x: Operand<FLOAT_LIKE>,
///     /// The constant.
///     factor: i64,
///     result: OpResult<FLOAT_LIKE>,
/// }
/// dialect! {
///     /// Scaled values.
///     pub ToyDialect = "toy": ops(Scale)
/// }
///
/// let mut registry = Registry::new();
/// registry.add(ToyDialect);
/// let mut module = Module::new(&Context::new(registry).expect("one dialect"), Loc::UNKNOWN);
/// let block = module.block();
/// let x = module.body_mut().add_arg(block, Type::F32, Loc::UNKNOWN);
/// // The type of the result follows from `same_types`, so `build` has no parameter for it.
/// let scaled = Scale::build(&mut Builder::at_end(module.body_mut(), block), x, 3);
/// assert_eq!((scaled.x(module.body()), scaled.factor(module.body())), (x, 3));
/// let text = print_op(module.body(), scaled.op(), &PrintFlags::default());
/// assert!(text.starts_with("%0 = toy.scale ") && text.trim_end().ends_with(" by 3 : f32"));
/// ```
pub use minoan_macros::op;
pub use minoan_macros::{AttrEnum, attr, ty};
pub use module::Module;
pub use number::Int;
pub use registry::{Dialect, DialectBuilder, LoadedDialect, Registry, RegistryError};
pub use resources::{Resource, Resources};
pub use service::{Absence, ServiceId, ServiceKind, ServiceTable};
pub use spec::{
    Arity, Assembly, AttrConstraint, AttrDefault, AttrSpec, AttrSyntax, DerivedType, InferFn, InferInput,
    OpDef, OpSpec, OpTrait, OpTraitSpec, RegionSpec, SuccessorSpec, Traits, ValueSpec, VerifyFn,
};
pub use stack::with_stack;
pub use symbols::{SymbolTable, SymbolUser, lookup_symbol};
pub use type_constraint::{OnlyType, TypeConstraint};
pub use types::{DYNAMIC, FloatKind, Signedness, Type, TypeData};
pub use verify::{Violation, Violations};
