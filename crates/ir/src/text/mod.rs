//! Parsing and printing of MLIR's textual format.
//!
//! [`parse_module`] parses the generic form of all operations and the custom form of registered ones;
//! [`print_module`] prints both, byte for byte like `mlir-opt`. Custom forms are defined by the operation's
//! [`Assembly`](crate::Assembly): a declarative format, compiled once and interpreted, or a pair of functions that
//! use [`OpParser`] and [`OpPrinter`].
//!
//! Guarantees:
//! * No input causes a panic or a stack overflow: nesting beyond [`MAX_DEPTH`] is an error.
//! * After an error, the parser skips the operation and continues, so that one run reports several errors.
//! * Printed IR is parsed back to equal IR.

mod byte_names;
mod data;
mod format;
mod lexer;
mod op_parser;
mod op_printer;
mod parser;
mod printer;
mod subject;

pub(crate) use byte_names::{bytes_of_name, name_of_bytes};
pub use data::{AttrParser, AttrPrinter};
pub(crate) use format::Format;
pub use op_parser::{NamedOp, OpParser, RegionArg, Unresolved};
pub use op_printer::{OpPrinter, RegionStyle};
pub use parser::{
    ParseOptions, comments, parse_attr, parse_module, parse_module_with_xref, parse_text, parse_type,
};
pub use printer::{
    AsmNames, OpMark, PrintFlags, print_attr, print_loc, print_module, print_module_marked, print_module_to,
    print_op, print_op_marked, print_type,
};
pub(crate) use printer::{Shown, may_have_alias, type_prefix};
pub use subject::show_subject;

/// An error that has been reported; the caller recovers at a suitable point.
#[derive(Debug)]
pub struct ParseError;

impl std::fmt::Display for ParseError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the text is invalid; the errors have been reported")
    }
}

impl std::error::Error for ParseError {}

/// The maximum nesting depth of regions, types, attributes and locations.
pub const MAX_DEPTH: usize = 100_000;
