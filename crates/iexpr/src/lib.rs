//! The front end for i-expressions: parsing, checking, and emission of the iexpr dialect.
//!
//! An i-expression applies one scalar operation over a domain of named indices: `ik*kj~ijk` multiplies, `+ijk~ij`
//! sums over `k`. Expressions are components with inputs and outputs; combinators wire components together:
//!
//! | form | wires | inputs | outputs |
//! |---|---|---|---|
//! | `f << g` | the first n outputs of `g` to the first n inputs of `f` | `g`'s, then those of `f` left over | `f`'s, then those of `g` left over |
//! | `f >> g` | as `g << f` | | |
//! | `f & g` | the first n inputs of both are shared | `f`'s, then those of `g` left over | `f`'s, then `g`'s |
//! | <code>f &#124; g</code> | nothing | `f`'s, then `g`'s | `f`'s, then `g`'s |
//! | `~f` | nothing | `f`'s | `f`'s, the first two exchanged |
//! | `rev(f)` | nothing | `f`'s, then a cotangent of each output of numbers | a cotangent of each input of numbers |
//!
//! `rev(f)` is the derivative of `f` in reverse mode: the sums of the derivatives of the outputs, weighted by the cotangents.
//!
//! In the table, n is the largest number that both have. `I`, or `id` unless it is defined otherwise, is the identity on one input. A
//! file is a sequence of definitions, one per line; `#` starts a comment; an unnamed component is called `main`; a component must
//! be defined before its use.
//!
//! The stages: [`parse`] produces a [`File`], [`check`] produces a [`Checked`] with the signature of each definition,
//! and [`emit::emit`] produces functions of the iexpr dialect. [`print()`] prints a file as text.
//!
//! Guarantees:
//! * No input causes a panic or a stack overflow; there is no recursion over the input.
//! * Every error has a location, inside of the expression where applicable, and one run reports several.
//! * [`parse`] of [`print()`]ed text yields the same definitions.
//! * A program that [`check`] accepts runs, unless extents differ or a schedule is impossible, which [`emit::emit`]
//!   reports.
//!
//! ```
//! use minoan_diag::SourceMap;
//! use minoan_iexpr::{check, parse};
//!
//! let sources = SourceMap::new();
//! let text = r#"
//! row_sum = i("+ij~i")
//! row_div = i("ij/i~ij")
//! id = i("ij~ij")
//! row_normalize = (id & row_sum) >> row_div
//! "#;
//! let file = sources.add("row_normalize.iexpr", text);
//! let (file, errors) = parse(&sources, file);
//! assert!(errors.is_empty());
//! let (checked, errors) = check(&file);
//! assert!(errors.is_empty());
//! assert_eq!(checked.default_entry(), Some("row_normalize"));
//!
//! let signature = checked.signature("row_normalize").ok_or("it is defined")?;
//! assert_eq!(signature.to_string(), "(rank 2) -> (rank 2)");
//! # Ok::<(), &str>(())
//! ```
#![forbid(unsafe_code)]

pub mod ast;
mod check;
pub mod emit;
mod lexer;
mod parser;
mod print;
mod summary;
mod xref;

pub use ast::{Combinator, Def, File, NodeId};
pub use check::{Checked, MAX_EXPRESSIONS, check};
pub use parser::parse;
pub use print::print;
pub use summary::{Kind, MAX_PORTS, Port, Signature};
pub use xref::comments;
