//! The IR core of Minoan: operations, regions, blocks and values in SSA form, with MLIR's text.
//!
//! A [`Context`] interns types, attributes, names and locations and holds the loaded dialects; it is shared between
//! threads. A [`Module`] owns a tree of [`Body`]s: each isolated-from-above operation (a module, a function) keeps
//! everything inside it in an arena of its own. [`Op`], [`Block`], [`Region`] and [`Value`] are `Copy` ids of 8
//! bytes; reading goes through `&Body`, editing through `&mut Body`.
//!
//! Guarantees:
//! * A stale id, or an id of another body, is found out: `try_` methods say [`InvalidId`], the short forms panic
//!   with a message that names the id. It is never undefined behaviour.
//! * Use lists are exact at every moment, and replacing all uses of a value only relinks them.
//! * What [`verify`](verify::verify) accepts obeys the rules that its module lists by number.
//! * Whatever is printed in generic form, `mlir-opt --allow-unregistered-dialect` reads, and the other way round.
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

// The macros name this crate by its own name.
extern crate self as minoan_ir;

pub mod affine;
mod affine_simplify;
mod attributes;
mod body;
mod builder;
pub mod constraints;
mod context;
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
pub mod strided;
mod symbols;
pub mod text;
mod types;
pub mod verify;

pub use attributes::{Attr, AttrData, Piece};
pub use body::{
    Block, BlockRef, Body, Def, InsertionPoint, InvalidId, Mapping, Op, OpRef, OpState, Region, RegionRef,
    Use, Value,
};
pub use builder::Builder;
pub use context::{Context, Name, OpInfo, OpKind, WellKnown};
pub use location::{FileHandle, Loc, LocData};
pub use minoan_macros::op;
pub use module::Module;
pub use number::{Int, parse_float};
pub use registry::{Dialect, DialectBuilder, LoadedDialect, Registry, RegistryError};
pub use resources::{Resource, Resources};
pub use service::{Absence, ServiceId, ServiceKind, ServiceTable};
pub use spec::{
    Arity, Assembly, AttrConstraint, AttrSpec, AttrSyntax, DerivedType, InferFn, InferInput, OnlyType, OpDef,
    OpSpec, RegionSpec, SuccessorSpec, Traits, TypeConstraint, ValueSpec, VerifyFn,
};
pub use symbols::{SymbolTable, SymbolUser, lookup_symbol};
pub use types::{DYNAMIC, FloatKind, Signedness, Type, TypeData};
pub use verify::{Violation, Violations};
