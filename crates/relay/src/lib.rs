//! The front end of Relay, up to the relay dialect.
//!
//! Relay is the functional language of models that TVM had: expressions on tensors with operators, `let`, graph
//! bindings, functions, algebraic data types and references. This crate accepts both the syntax of the language's
//! description and that of TVM's last parser, which differ in places, and what both leave out: `else if`, unary minus,
//! `&&` and `||`, type arguments of calls, projections of any expression.
//!
//! The way of a program: [`parse`] makes a [`Module`] of the text, [`check`] makes a [`TypedProgram`] of that, in
//! which every type, call and variable is resolved, [`emit::emit`] makes a module of the relay dialect. [`print()`]
//! goes back from a module to its text. [`parse_with_prelude`] puts the standard [prelude](PRELUDE) before the file.
//!
//! Guarantees:
//! * No input makes it panic or overflow the stack; nesting deeper than [`DEEPEST`] is an error like others.
//! * Every error has a place, and one run reports several.
//! * All trees are flat arenas; long sequences of bindings are read, printed and checked without recursion.
//! * [`parse`] of [`print()`]ed text gives the same module, floats and metadata included.
//! * A typed program whose diagnostics hold no error has no [`Type::Error`] and no [`Type::Hole`] in it.
//!
//! Types are inferred: functions that `let` and `def` name are generalised, under the relations between types that
//! their operators ask for.
//!
//! ```
//! use minoan_diag::SourceMap;
//! use minoan_relay::{check, parse};
//!
//! let sources = SourceMap::new();
//! let text = "def @norm(%x) { sqrt(sum(%x * %x, axis=[1])) }
//!             def @main(%x: Tensor[(2, 3), float32]) { @norm(%x) / 2f }";
//! let file = sources.add("norm.relay", text);
//! let (module, errors) = parse(&sources, file);
//! assert!(errors.is_empty());
//! let (typed, errors) = check(module);
//! assert!(errors.is_empty());
//!
//! let main = typed.find_entry("main").map_err(|error| error.message)?;
//! assert_eq!(typed.signature_text(main), "fn (Tensor[(2, 3), float32]) -> Tensor[(2), float32]");
//! # Ok::<(), String>(())
//! ```
#![forbid(unsafe_code)]

pub mod ast;
mod check;
mod compare;
pub mod emit;
mod lexer;
mod literal;
pub mod metadata;
mod parser;
mod prelude;
mod print;
mod query;
mod token;
mod typed;
mod types;

pub use ast::{ExprId, Module};
pub use check::check;
pub use minoan_frontend::{Names, Symbol};
pub use parser::{DEEPEST, LONGEST_CHAIN, parse, parse_with_prelude};
pub use prelude::PRELUDE;
pub use print::print;
pub use typed::{Def, DefId, Signature, Target, TypedProgram};
pub use types::{Constraint, HoleId, Number, Scheme, SchemeId, TyVar, TyVarId, Type, TypeId, Types};
