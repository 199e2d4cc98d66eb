//! crate
#![forbid(unsafe_code)]
pub mod ast;
mod lexer;
mod literal;
mod names;
mod parser;
mod report;
mod source;
pub use names::{Names, Symbol};
pub use parser::{DEEPEST, parse};
pub use source::load;
