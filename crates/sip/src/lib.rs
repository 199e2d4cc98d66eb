//! Textual function signatures: the raw ABI (`f`) and the structured index path ABI (`sip`).
//!
//! A compiled function takes and returns a list of raw values. The *raw signature* specifies the type of each value; the
//! *structured signature* specifies its position in the sequences and dictionaries of the source. Both use one syntax of
//! tagged integers and length-prefixed spans, which needs no escapes and is parsed without copying:
//!
//! ```text
//! component ::= integer-tag integer             integer-tag ::= '_' | [a-z]     integer ::= -?[0-9]+
//!             | span-tag length '!' contents    span-tag    ::= [A-Z]           length  ::= [0-9]+
//! ```
//!
//! The length counts the contents and the `!`. Contents are arbitrary bytes.
//!
//! | | read | write |
//! |---|---|---|
//! | components | [`SignatureParser`] | [`SignatureBuilder`] |
//! | raw signatures | [`RawSignature::parse`] | [`RawSignature::encode`] |
//! | structured signatures | [`SipSignatureParser`], [`SipSignature::parse`] | [`SipSignatureMangler`], [`SipSignature::encode`] |
//! | tables in shared libraries | [`table::read`] | [`table::write`] |
//!
//! # Guarantees
//!
//! * `parse(encode(x)) == x` if the raw indices of `x` are a permutation of 0 to their number, and
//!   `encode(parse(text)) == text` for every text that [`Mode::Strict`] accepts.
//! * [`Mode::Strict`] accepts canonical texts only. [`Mode::Lenient`] accepts what the original implementation
//!   accepts and reports each [`Deviation`] with a [`Code`]; it always terminates, and malformed or truncated
//!   components are errors.
//! * Every [`Error`] carries its byte offset and the enclosing spans.
//! * No input panics. Parsing and encoding are not recursive, so nesting depth is unlimited, and take linear time
//!   (lenient mode sorts the keys of containers that are unsorted).
//!
//! ```
//! use minoan_sip::{Key, Mode, SipSignature, SipSignatureMangler};
//!
//! // f({x, y}) -> t
//! let mut inputs = SipSignatureMangler::new();
//! inputs.set_raw_signature_index(0, &[Key::Index(0), Key::from("x")])?;
//! inputs.set_raw_signature_index(1, &[Key::Index(0), Key::from("y")])?;
//! let mut results = SipSignatureMangler::new();
//! results.set_raw_signature_index(0, &[])?;
//!
//! let text = SipSignatureMangler::to_function_signature(&inputs, &results);
//! assert_eq!(text, b"I23!S19!k0D13!K2!x_0K2!y_1R3!_0");
//!
//! let signature = SipSignature::parse(&text, Mode::Strict)?.signature;
//! assert_eq!(signature.inputs.to_string(), r#"[0: {"x": raw(0), "y": raw(1)}]"#);
//! assert_eq!(signature.results.to_string(), "raw(0)");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod component;
mod encode;
mod error;
mod function;
mod mangle;
mod node;
mod parse;
mod path;
mod pretty;
mod raw;
mod scalar;
mod structure;
pub mod table;

pub use component::{Component, SignatureBuilder, SignatureParser, Value};
pub use error::{Code, Deviation, Enclosing, Error, enclosing};
pub use function::{Mode, Parsed};
pub use mangle::SipSignatureMangler;
pub use node::NodeRef;
pub use parse::{SipSignatureParser, SipVisitor};
pub use path::{Conflict, Container, Key, Leaf, Path, PathError};
pub use pretty::{ToStringVisitor, pretty};
pub use raw::{Dim, RawSignature, RawType};
pub use scalar::ScalarType;
pub use structure::{ArityError, Side, SipSignature, Structure};
