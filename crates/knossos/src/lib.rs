//! The front end of Knossos IR, up to type checking.
//!
//! Knossos is a small, strict, first-order functional language for array programs that are differentiated: tensors are
//! made by `build`, functions are overloaded by the type of their one argument, and `(gdef rev [f T])` asks for the
//! derivative of `f`. This crate accepts both the syntax of the language's description and that of the programs
//! that exist, which differ in places.
//!
//! The way of a program: [`load`] makes text of bytes, [`parse`] makes a [`Program`] of the text, [`check`]
//! makes a [`TypedProgram`] of that, in which every type, call and variable is resolved. [`print()`] goes back from a
//! program to its text.
//!
//! Guarantees:
//! * No input makes it panic or overflow the stack; nesting deeper than [`DEEPEST`] is an error like others.
//! * Every error has a place, and one run reports several; what follows from an error is not reported again.
//! * All trees are flat arenas: walking, cloning and dropping them needs no recursion.
//! * [`parse`] of [`print()`]ed text gives the same program.
//! * A typed program whose diagnostics hold no error has no [`Type::Error`] and no [`TypedKind::Error`] in it.
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
mod typed;
mod types;

pub use ast::{Derivation, ExprId, Program};
pub use check::check;
pub use minoan_frontend::{Names, Symbol};
pub use parser::{DEEPEST, parse};
pub use prelude::{PRELUDE, PreludeFn, PreludeOp, PreludeType};
pub use prims::Prim;
pub use print::print;
pub use query::Reachable;
pub use typed::{
    Callee, Def, DefId, Edef, EdefId, FnName, FnRef, Gdef, GdefId, Lambda, LetBinding, LetPattern, Rule,
    TypedExpr, TypedKind, TypedProgram, Var, VarId,
};
pub use types::{Type, TypeId, Types};
