//! Assembly of the types and attributes that dialects declare.
//!
//! The text after the mnemonic follows the declared format, which `#[ty]` and `#[attr]` compile into elements, or is
//! parsed and printed by functions. A body that is not in angle brackets is printed as `#index<cmp_predicate eq>`, as
//! upstream does; both forms are parsed.

mod parse;
mod print;

pub use parse::AttrParser;
pub use print::AttrPrinter;
