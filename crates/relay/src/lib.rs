//! The front end for Relay: parsing, type inference, and emission of the relay dialect.
//!
//! Relay is the functional model language of TVM: expressions on tensors with operators, `let`, graph bindings,
//! functions, algebraic data types and references. This crate accepts the syntax of the language documentation and
//! that of TVM's last parser, which differ in details, and constructs that both lack: `else if`, unary minus, `&&`
//! and `||`, type arguments of calls, projections of any expression.
//!
//! The stages: [`parse`] produces a [`Module`], [`check`] produces a [`TypedProgram`], in which every type, call and
//! variable is resolved, and [`emit::emit`] produces a module of the relay dialect. [`print()`] prints a module as
//! text, and [`to_text`] a module of the relay dialect. [`parse_with_prelude`] adds the standard [prelude](PRELUDE).
//!
//! Guarantees:
//! * No input causes a panic or a stack overflow; nesting deeper than [`MAX_DEPTH`] is an error.
//! * Every error has a location, and one run reports several.
//! * All trees are flat arenas; long sequences of bindings are parsed, printed and checked without recursion.
//! * [`parse`] of [`print()`]ed text yields the same module, including floats and metadata.
//! * A typed program without error diagnostics contains no [`Type::Error`] and no [`Type::Hole`].
//!
//! Types are inferred: functions bound by `let` and `def` are generalized, subject to the type relations that their
//! operators require.
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
mod text;
mod token;
mod typed;
mod types;
mod xref;

pub use ast::{ExprId, Module};
pub use check::check;
pub use minoan_frontend::{Names, Symbol};
pub use parser::{MAX_CHAIN, MAX_DEPTH, parse, parse_with_prelude};
pub use prelude::PRELUDE;
pub use print::print;
pub use text::{LET_BINDINGS, to_text};
pub use token::KEYWORDS;
pub use typed::{Def, DefId, Signature, Target, TypedProgram};
pub use types::{Constraint, HoleId, Number, Scheme, SchemeId, TyVar, TyVarId, Type, TypeId, Types};
pub use xref::comments;
