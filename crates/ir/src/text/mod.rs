//! MLIR's text, in and out.
//!
//! [`parse_module`] reads the generic form of every operation and the custom form of declared ones;
//! [`print_module`] writes both, byte for byte as `mlir-opt` does. Custom forms come from the operation's
//! [`Assembly`](crate::Assembly): a declarative format, compiled once and interpreted, or a pair of functions
//! written against [`OpParser`] and [`OpPrinter`].
//!
//! Guarantees:
//! * No input makes the parser panic or overflow the stack: nesting beyond [`MAX_DEPTH`] is a diagnostic.
//! * A failed operation is skipped and parsing goes on, so that one run reports several errors.
//! * What is printed is read back to equal IR.

mod asm;
mod attr_parser;
mod byte_names;
mod format;
mod lexer;
mod op_parser;
mod op_printer;
mod parser;
mod printer;
mod subject;

pub use asm::{Asm, AttrText, EnumAttrs};
pub use attr_parser::{AttrParser, Keywords};
pub(crate) use format::Format;
pub use op_parser::{NamedOp, OpParser, RegionArg, Unresolved};
pub use op_printer::OpPrinter;
pub use parser::{ParseOptions, parse_attr, parse_module, parse_text, parse_type};
pub use printer::{
    AsmNames, PrintFlags, print_attr, print_loc, print_module, print_module_to, print_op, print_type,
};
pub(crate) use printer::{Shown, may_have_alias, type_prefix};
pub use subject::show_subject;

/// A message was reported; the caller skips to where it can go on.
#[derive(Debug)]
pub struct ParseError;

/// How deep regions, types, attributes and locations may nest in one another.
pub const MAX_DEPTH: usize = 100_000;

/// Runs `f` with enough stack for one more level of nesting.
#[inline]
pub(crate) fn with_stack<R>(f: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, f)
}
