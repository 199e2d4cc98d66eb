//! The front end of i-expressions: files of components, their rules, and their emission.
//!
//! An i-expression applies one scalar operation over a domain of named indices: `ik*kj~ijk` multiplies, `+ijk~ij` sums
//! over `k`. Expressions are components, with inputs and outputs; combinators wire components together:
//!
//! | form | wires | inputs | outputs |
//! |---|---|---|---|
//! | `f << g` | the first n outputs of `g` to the first n inputs of `f` | `g`'s, then those of `f` left over | `f`'s, then those of `g` left over |
//! | `f >> g` | as `g << f` | | |
//! | `f & g` | the first n inputs of both are shared | `f`'s, then those of `g` left over | `f`'s, then `g`'s |
//! | <code>f &#124; g</code> | nothing | `f`'s, then `g`'s | `f`'s, then `g`'s |
//! | `~f` | nothing | `f`'s | `f`'s, the first two exchanged |
//!
//! Here n is as many as both have. `I`, or `id` where nothing else is called so, gives its one input. A file is a row of
//! definitions, one to a line, `#` begins a comment; a component without name is called `main`; a component is known after its definition.
//!
//! The way of a file: [`parse`] makes a [`File`] of the text, [`check`] makes a [`Checked`] of that, which knows what
//! each definition takes and gives, [`emit::emit`] makes functions of the iexpr dialect. [`print()`] goes back to text.
//!
//! Guarantees:
//! * No input makes it panic or overflow the stack; nothing recurses over the input.
//! * Every error has a place, inside of the expression where that is meant, and one run reports several.
//! * [`parse`] of [`print()`]ed text gives the same definitions.
//! * What [`check`] accepts runs, unless extents differ, or a schedule asks for what is not there: that is said by [`emit::emit`].
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

pub use ast::{Combinator, Def, File, NodeId};
pub use check::{Checked, MOST_EXPRESSIONS, check};
pub use parser::parse;
pub use print::print;
pub use summary::{Kind, MOST_PORTS, Port, Signature};
