//! The front end of Relay.
#![forbid(unsafe_code)]

pub mod ast;
mod check;
mod compare;
pub mod emit;
mod lexer;
mod literal;
pub mod metadata;
mod names;
mod parser;
mod prelude;
mod print;
mod query;
mod report;
mod token;
mod typed;
mod types;

pub use ast::{ExprId, Module};
pub use check::check;
pub use names::{Names, Symbol};
pub use parser::{DEEPEST, LONGEST_CHAIN, parse, parse_with_prelude};
pub use prelude::PRELUDE;
pub use print::print;
pub use typed::{Def, DefId, Signature, Target, TypedProgram};
pub use types::{Constraint, HoleId, Number, Scheme, SchemeId, TyVar, TyVarId, Type, TypeId, Types};
