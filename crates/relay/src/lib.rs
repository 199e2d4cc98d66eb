//! The front end of Relay.
#![forbid(unsafe_code)]

pub mod ast;
mod compare;
mod lexer;
mod literal;
pub mod metadata;
mod names;
mod parser;
mod prelude;
mod print;
mod report;
mod token;

pub use ast::{ExprId, Module};
pub use names::{Names, Symbol};
pub use parser::{DEEPEST, LONGEST_CHAIN, parse, parse_with_prelude};
pub use prelude::PRELUDE;
pub use print::print;
