//! The front end for Knossos IR: parsing, type checking, and emission of the knossos dialect.
//!
//! Knossos is a small, strict, first-order functional language for differentiable array programs: tensors are created
//! by `build`, functions are overloaded by their argument type, and `(gdef rev [f T])` requests a derivative of `f`.
//! This crate accepts the syntax of the language specification and that of existing programs, which differ in
//! details.
//!
//! The stages: [`load`] decodes a file, [`parse`] produces a [`Program`], [`check`] produces a [`TypedProgram`], in
//! which every type, call and variable is resolved. [`print()`] prints a program as text.
//!
//! Guarantees:
//! * No input causes a panic or a stack overflow; nesting deeper than [`MAX_DEPTH`] is an error.
//! * Every error has a location, and one run reports several; follow-up errors are suppressed.
//! * All trees are flat arenas, so traversing, cloning and dropping them is not recursive.
//! * [`parse`] of [`print()`]ed text yields the same program.
//! * A typed program without error diagnostics contains no [`Type::Error`] and no [`TypedKind::Error`].
//!
//! ```
//! use minoan_diag::SourceMap;
//! use minoan_knossos::{FnRef, check, parse};
//!
//! let sources = SourceMap::new();
//! let text = "(def hyp Float ((a : Float) (b : Float)) (sqrt (add (mul a a) (mul b b))))
//!             (gdef rev [hyp (Tuple Float Float)])";
//! let file = sources.add("hyp.ks", text);
//! let (program, errors) = parse(&sources, file);
//! assert!(errors.is_empty());
//! let (typed, errors) = check(&program);
//! assert!(errors.is_empty());
//!
//! let gradient = typed.find_entry("[rev hyp]").map_err(|error| error.message)?;
//! assert!(matches!(gradient, FnRef::Gdef(_)));
//! let (arg, result) = typed.signature(gradient);
//! assert_eq!(typed.types.text(arg), "(Tuple (Tuple Float Float) Float)");
//! assert_eq!(typed.types.text(result), "(Tuple Float Float)");
//! # Ok::<(), String>(())
//! ```
#![forbid(unsafe_code)]

pub mod ast;
mod check;
mod compare;
pub mod emit;
mod lexer;
mod literal;
mod parser;
mod prelude;
mod prims;
mod print;
mod query;
mod reference;
mod typed;
mod types;
mod xref;

pub use ast::{Derivation, ExprId, Program};
pub use check::check;
pub use lexer::continues_name;
pub use minoan_frontend::{Names, Symbol};
pub use parser::{MAX_DEPTH, RESERVED, parse, parse_all};
pub use prelude::{PRELUDE, PreludeFn, PreludeOp, PreludeType};
pub use prims::Prim;
pub use print::print;
pub use query::Reachable;
pub use reference::{Builtin, Example};
pub use typed::{
    Callee, Def, DefId, Edef, EdefId, FnName, FnRef, Gdef, GdefId, Lambda, LetBinding, LetPattern, Rule,
    TypedExpr, TypedKind, TypedProgram, Var, VarId,
};
pub use types::{Type, TypeId, Types};
pub use xref::{comments, xref};
